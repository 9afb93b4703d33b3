"""Models: users, clubs, evenings, the journal and its actions, caches of both."""

from __future__ import annotations

from ledger.models.actions import Action, Step
from ledger.models.clubs import Club, Edition, Member, Player, Season
from ledger.models.digests import EveningRating, SeasonDigest, TableDigest
from ledger.models.evenings import Evening, LineUp, Seat, Table
from ledger.models.journal import Entry, Hand, Line, Posting, Version, reentered_id
from ledger.models.old_sheets import OldSheet
from ledger.models.pair_sums import PairSum
from ledger.models.receipts import Receipt
from ledger.models.share_links import ShareLink
from ledger.models.tokens import Token
from ledger.models.users import User

__all__ = [
    "Action",
    "Club",
    "Edition",
    "Entry",
    "Evening",
    "EveningRating",
    "Hand",
    "Line",
    "LineUp",
    "Member",
    "OldSheet",
    "PairSum",
    "Player",
    "Posting",
    "Receipt",
    "Season",
    "SeasonDigest",
    "Seat",
    "ShareLink",
    "Step",
    "Table",
    "TableDigest",
    "Token",
    "User",
    "Version",
    "reentered_id",
]
