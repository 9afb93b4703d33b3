"""Correction view: the effect of a correction plan, shown before it is applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from ledger import tallies
from ledger.journal import CorrectionPlan, HandChange
from ledger.models import Evening, Player
from ledger.table.replay import Facts
from ledger.text.amounts import at_stake
from ledger.text.hands import Summary, summary
from ledger.text.messages import messages_of, say


@dataclass(frozen=True, slots=True)
class GainChange:
    """The gain of a player by a hand before and after, in points.

    None is not taking part.
    """

    player: Player
    before: int | None
    after: int | None

    @property
    def changes(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class TotalChange:
    """The sum of a player in the evening before and after: points and minor units."""

    player: Player
    before: int
    after: int
    money_before: int
    money_after: int


@dataclass(frozen=True, slots=True)
class HandChangeView:
    """A hand that changes; without a *number* it does not count."""

    hand: UUID
    number_before: int | None
    number: int | None
    summary: Summary
    gains: tuple[GainChange, ...]
    why: tuple[str, ...]

    @property
    def people(self) -> list[Player]:
        return [gain.player for gain in self.gains]

    @property
    def changes_gains(self) -> bool:
        return any(gain.changes for gain in self.gains)


@dataclass(frozen=True, slots=True)
class CorrectionView:
    totals: tuple[TotalChange, ...] = ()
    hands: tuple[HandChangeView, ...] = ()
    mayor: str = ""
    problems: tuple[str, ...] = ()
    refused: bool = False
    nothing: bool = False


def correction_view(plan: CorrectionPlan, evening: Evening) -> CorrectionView:
    """Return the view of *plan*, in the active language."""
    return CorrectionView(
        totals=tuple(_totals(plan, evening)),
        hands=tuple(
            hand_change_view(row, plan.people)
            for row in plan.rows
            if row.before or row.after
        ),
        mayor=_mayor(plan),
        problems=tuple(messages_of(plan.problems)),
        refused=plan.refused,
        nothing=plan.nothing and not plan.problems,
    )


def _totals(plan: CorrectionPlan, evening: Evening) -> Iterator[TotalChange]:
    money = {row.player.pk: row.money for row in tallies.tally(evening)}
    earlier, later = (
        at_stake(
            {p: both[when] for p, both in plan.balances.items()}, evening.per_point
        )
        for when in (0, 1)
    )
    for player, (before, after) in plan.balances.items():
        change = later[player] - earlier[player]
        if before != after or change:
            worth = money.get(player, 0)
            yield TotalChange(plan.people[player], before, after, worth, worth + change)


def hand_change_view(row: HandChange, people: Mapping[int, Player]) -> HandChangeView:
    facts = row.after or row.before
    assert facts is not None
    return HandChangeView(
        hand=row.hand,
        number_before=row.number_before,
        number=row.number_after,
        summary=summary(facts, people),
        gains=tuple(_gain_changes(row, people)),
        why=tuple(say(text) for text in row.why),
    )


def _gain_changes(
    row: HandChange, people: Mapping[int, Player]
) -> Iterator[GainChange]:
    before, after = row.gains_before or {}, row.gains_after or {}
    for player in dict.fromkeys([*_seated(row.before), *_seated(row.after)]):
        yield GainChange(people[player], before.get(player), after.get(player))


def _seated(facts: Facts | None) -> tuple[int, ...]:
    return facts.players if facts else ()


def _mayor(plan: CorrectionPlan) -> str:
    before, after = plan.mayor
    if before == after:
        return ""
    if after is None:
        return _("Nobody is Mayor any more.")
    return _("{name} becomes Mayor.").format(name=plan.people[after].name)
