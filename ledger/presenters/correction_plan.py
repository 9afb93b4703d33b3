"""What a change would do, as a page shows it before anything is saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from ledger import tallies
from ledger.journal import CorrectionPlan, HandChange
from ledger.models import Evening, Player
from ledger.table.replay import Facts
from ledger.text.amounts import at_stake
from ledger.text.hands import Summary, summary
from ledger.text.messages import say
from scoring import Problem


@dataclass(frozen=True, slots=True)
class Shift:
    """What somebody has of a hand, before and after; None does not take part."""

    player: Player
    before: int | None
    after: int | None

    @property
    def changes(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class TotalShift:
    """Tonight's sum of somebody to whom the change makes a difference."""

    player: Player
    before: int
    after: int
    money_before: int
    money_after: int


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand that changes; without a number it does not count."""

    hand: UUID
    number_before: int | None
    number: int | None
    told: Summary
    shifts: tuple[Shift, ...]
    why: tuple[str, ...]

    @property
    def people(self) -> list[Player]:
        return [shift.player for shift in self.shifts]

    @property
    def pays_otherwise(self) -> bool:
        return any(shift.changes for shift in self.shifts)


@dataclass(frozen=True, slots=True)
class ShownPlan:
    totals: tuple[TotalShift, ...] = ()
    hands: tuple[ShownHand, ...] = ()
    mayor: str = ""
    problems: tuple[str, ...] = ()
    refused: bool = False
    nothing: bool = False


def shown(plan: CorrectionPlan, evening: Evening) -> ShownPlan:
    """Return *plan* in the words of the table and the reader's language."""
    return ShownPlan(
        totals=tuple(_totals(plan, evening)),
        hands=tuple(
            shown_hand(row, plan.people) for row in plan.rows if row.before or row.after
        ),
        mayor=_mayor(plan),
        problems=tuple(said(plan.problems)),
        refused=plan.refused,
        nothing=plan.nothing and not plan.problems,
    )


def said(problems: Iterable[Problem]) -> list[str]:
    return [say(problem.message) for problem in problems]


def _totals(plan: CorrectionPlan, evening: Evening) -> Iterator[TotalShift]:
    money = {row.player.pk: row.money for row in tallies.tally(evening)}
    earlier, later = (
        at_stake(
            {p: both[when] for p, both in plan.balances.items()}, evening.per_point
        )
        for when in (0, 1)
    )
    for player, (before, after) in plan.balances.items():
        moved = later[player] - earlier[player]
        if before != after or moved:
            worth = money.get(player, 0)
            yield TotalShift(plan.people[player], before, after, worth, worth + moved)


def shown_hand(row: HandChange, people: Mapping[int, Player]) -> ShownHand:
    facts = row.after or row.before
    assert facts is not None
    return ShownHand(
        hand=row.hand,
        number_before=row.number_before,
        number=row.number_after,
        told=summary(facts, people),
        shifts=tuple(_shifts(row, people)),
        why=tuple(say(text) for text in row.why),
    )


def _shifts(row: HandChange, people: Mapping[int, Player]) -> Iterator[Shift]:
    before, after = row.payments_before or {}, row.payments_after or {}
    for player in dict.fromkeys([*_seated(row.before), *_seated(row.after)]):
        yield Shift(people[player], before.get(player), after.get(player))


def _seated(facts: Facts | None) -> tuple[int, ...]:
    return facts.players if facts else ()


def _mayor(plan: CorrectionPlan) -> str:
    before, after = plan.mayor
    if before == after:
        return ""
    if after is None:
        return _("Nobody is Mayor any more.")
    return _("{name} becomes Mayor.").format(name=plan.people[after].name)
