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

from ledger.statistics.audit import differences, not_kept
from ledger.statistics.drilldown import Page, hands_behind
from ledger.statistics.figures import FIGURES, About, Figure, Shows
from ledger.statistics.query import HandFilter
from ledger.statistics.report import Statistics, read
from ledger.statistics.results import (
    Curve,
    CurvePoint,
    FigureGroup,
    FigureRow,
    Matrix,
    Ranked,
    Record,
    Tempo,
    Worn,
)
from ledger.statistics.store import drop, keep_many, loose, store

__all__ = [
    "FIGURES",
    "About",
    "Curve",
    "CurvePoint",
    "Figure",
    "FigureGroup",
    "FigureRow",
    "HandFilter",
    "Matrix",
    "Page",
    "Ranked",
    "Record",
    "Shows",
    "Statistics",
    "Tempo",
    "Worn",
    "differences",
    "drop",
    "hands_behind",
    "keep_many",
    "loose",
    "not_kept",
    "read",
    "store",
]
