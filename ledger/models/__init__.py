"""What is kept: clubs and their people, their evenings, the journal, tokens."""

from __future__ import annotations

from ledger.models.clubs import Club, Edition, Member, Player, Season
from ledger.models.evenings import Evening, LineUp, Seat, Table
from ledger.models.journal import Entry, Hand, Line, Posting, Version
from ledger.models.tokens import Token

__all__ = [
    "Club",
    "Edition",
    "Entry",
    "Evening",
    "Hand",
    "Line",
    "LineUp",
    "Member",
    "Player",
    "Posting",
    "Season",
    "Seat",
    "Table",
    "Token",
    "Version",
]
