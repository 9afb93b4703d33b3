"""Foot of the slip: how the hand adds up, and the points of each player."""

from __future__ import annotations

from functools import cached_property

from django.utils.translation import gettext as _

import scoring
from ledger.text.amounts import signed
from ledger.views.table.slip.chips import Pay, PointsSum
from ledger.views.table.slip.draft import Draft


class Dock:
    """Result of the hand on *page*."""

    def __init__(self, page: Draft) -> None:
        self.page = page
        self.score = page.score

    @cached_property
    def sums(self) -> list[PointsSum]:
        if self.score is None:
            return []
        sums = [self._sum(line) for line in self.score.lines]
        if self.page.deal.multiplier > 1 and self.score.lines:
            each = self.score.units // self.page.deal.multiplier
            how = f"{signed(each)} × {self.page.deal.multiplier}"
            counts = _("The deal counts ×{times}").format(
                times=self.page.deal.multiplier
            )
            sums.append(PointsSum(counts, how, self.score.units))
        return sums

    def _sum(self, line: scoring.Line) -> PointsSum:
        what = [self.page.say(line.name)]
        if line.kind in ("bonus", "holding"):
            if line.seat is not None:
                what.append(self.page.deal.players[line.seat].name)
            elif line.side:
                what += [_("silent"), self.page.side_name(line.side)]
            if line.made is False:
                what.append(_("failed") if line.announced else _("lost"))
        if line.kind == "holding":
            what[0] = f"{line.item.rpartition('_')[2]} · {what[0]}"
        how = f"{signed(line.base)} × {line.factor}" if line.factor > 1 else ""
        if line.personal:
            how = _("from each, {points}").format(points=signed(line.personal))
        return PointsSum(", ".join(what), how, line.points)

    @property
    def pays(self) -> list[Pay]:
        paid = (
            dict(zip(self.page.ids, self.score.payments, strict=True))
            if self.score
            else {}
        )
        sitting_out = set(self.page.deal.sitting_out)
        return [
            Pay(
                player,
                self.page.labels[player.pk],
                paid.get(player.pk),
                player in sitting_out,
            )
            for player in self.page.everybody
        ]

    @property
    def heard(self) -> str:
        """The result as one sentence, for a screen reader."""
        if self.score is None:
            return self.page.next_step
        return ", ".join(
            f"{pay.player.name} {signed(pay.points or 0)}"
            for pay in self.pays
            if not pay.sits_out
        )
