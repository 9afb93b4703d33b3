"""What is kept: clubs and their people, evenings and their tables, the journal."""

from __future__ import annotations

from ledger.models.clubs import Club, Edition, Member, Player, Season
from ledger.models.evenings import Evening, LineUp, Seat, Table
from ledger.models.journal import Entry, Hand, Line, Posting, Version

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
    "Version",
]
