"""Running totals as a plot: names at the ends of the lines, and a sentence to hear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ledger.models import Player
from ledger.presenters import line_chart
from ledger.presenters.line_chart import Plot, Series
from ledger.text.amounts import signed
from ledger.text.names import short_names

MOST = 10
"""More lines than these nobody can follow."""


@dataclass(frozen=True, slots=True)
class Drawn:
    plot: Plot
    head: str
    """What a row of the table behind the plot is: a hand, an evening."""
    words: str
    thinned: bool
    left_out: bool
    """Whether some players have no line."""


def drawn(
    totals: Sequence[tuple[Player, Sequence[int | None]]],
    across: Sequence[int],
    labels: Sequence[str] = (),
    *,
    head: str,
    what: str,
    thinned: bool = False,
) -> Drawn:
    """Return the plot of *totals*, each the running total of a player over *across*.

    *what* begins the sentence that says what is to be seen: "Points after 26 hands".
    The first of *totals* are drawn. It is *thinned* where points were left out before.
    """
    short = short_names(player for player, values in totals)
    series = [
        Series(player.name, short[player.name], values)
        for player, values in totals[:MOST]
    ]
    plot = line_chart.curves(series, across, labels)
    return Drawn(
        plot,
        head,
        _words(what, series),
        thinned=thinned or plot.thinned,
        left_out=len(totals) > MOST,
    )


def _words(what: str, series: Sequence[Series]) -> str:
    ends = [(one.end, one.name) for one in series if one.values]
    if not ends:
        return what
    (most, first), (least, last) = max(ends), min(ends)
    if len(ends) == 1:
        return _("{what}: {name} {points}").format(
            what=what, name=first, points=signed(most)
        )
    if most == least:
        return _("{what}: {points} for everybody").format(
            what=what, points=signed(most)
        )
    return _(
        "{what}: {first} is first with {most}, {last} is last with {least}"
    ).format(what=what, first=first, most=signed(most), last=last, least=signed(least))
