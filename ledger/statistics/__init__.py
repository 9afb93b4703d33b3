"""Statistics of a club: figures, each with its definition and the hands it counts.

>>> from ledger import statistics
>>> str(statistics.FIGURES["as_declarer"].name)
'As declarer'

`read(HandFilter(club, season=season))` returns a `Statistics`, and
`drill_down(hand_filter, "contract", player, "taroki/3")` the hands of one figure.

Sums over closed evenings are cached as digests. `store` runs on closing an evening,
`drop` on reopening it, `rebuild` after closed evenings were written in bulk (see the
module `store`). `differences` compares them with the hands.
"""

from __future__ import annotations

from ledger.statistics.audit import count_without_digest, differences
from ledger.statistics.drilldown import HandsPage, drill_down
from ledger.statistics.figures import FIGURES, About, Figure, Shows
from ledger.statistics.query import HandFilter
from ledger.statistics.report import Statistics, read
from ledger.statistics.results import (
    Curve,
    CurvePoint,
    FigureGroup,
    FigureRow,
    Matrix,
    MayorTerm,
    Ranked,
    Record,
    Tempo,
)
from ledger.statistics.store import drop, rebuild, store, without_digest

__all__ = [
    "FIGURES",
    "About",
    "Curve",
    "CurvePoint",
    "Figure",
    "FigureGroup",
    "FigureRow",
    "HandFilter",
    "HandsPage",
    "Matrix",
    "MayorTerm",
    "Ranked",
    "Record",
    "Shows",
    "Statistics",
    "Tempo",
    "count_without_digest",
    "differences",
    "drill_down",
    "drop",
    "read",
    "rebuild",
    "store",
    "without_digest",
]
