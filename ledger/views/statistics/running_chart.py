"""Running chart: totals as lines with names at their ends, and a sentence for screen
readers."""

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
"""Lines in one chart."""


@dataclass(frozen=True, slots=True)
class RunningChart:
    """Running totals of players as a plot; *words* say it in a sentence."""

    plot: Plot
    head: str
    """Heading of the rows of its table: hand, evening."""
    words: str
    thinned: bool
    left_out: bool
    """True when there are more players than lines."""


def running_chart(
    totals: Sequence[tuple[Player, Sequence[int | None]]],
    across: Sequence[int],
    labels: Sequence[str] = (),
    *,
    head: str,
    what: str,
    thinned: bool = False,
) -> RunningChart:
    """Return the chart of *totals*, each a player's running total over *across*.

    *what* begins the sentence: "Points after 26 hands". Only the first `MOST` of
    *totals* become lines. *thinned* tells that points were left out before.
    """
    short = short_names(player for player, values in totals)
    series = [
        Series(player.name, short[player.name], values)
        for player, values in totals[:MOST]
    ]
    plot = line_chart.curves(series, across, labels)
    return RunningChart(
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
