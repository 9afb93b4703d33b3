"""Statistics of a club: figures, each with its definition and the hands behind it.

>>> from ledger import statistics
>>> str(statistics.FIGURES["as_declarer"].name)
'As declarer'

Read them with `statistics.read(Scope(club, season=season))`; the list of hands that a
figure counts with `statistics.hands_behind(scope, "contract", player, "taroki/3")`.
Closing an evening calls `keep`, reopening it `forget`; what writes closed evenings in
bulk calls `keep_many`.
"""

from __future__ import annotations

from ledger.statistics.behind import Page, hands_behind
from ledger.statistics.check import differences, not_kept
from ledger.statistics.face import Statistics, read
from ledger.statistics.figures import FIGURES, About, Figure, Shows
from ledger.statistics.kept import forget, keep, keep_many, loose
from ledger.statistics.reading import Scope
from ledger.statistics.shown import (
    Curve,
    Group,
    Matrix,
    Point,
    Ranked,
    Record,
    Row,
    Tempo,
    Worn,
)

__all__ = [
    "FIGURES",
    "About",
    "Curve",
    "Figure",
    "Group",
    "Matrix",
    "Page",
    "Point",
    "Ranked",
    "Record",
    "Row",
    "Scope",
    "Shows",
    "Statistics",
    "Tempo",
    "Worn",
    "differences",
    "forget",
    "hands_behind",
    "keep",
    "keep_many",
    "loose",
    "not_kept",
    "read",
]
