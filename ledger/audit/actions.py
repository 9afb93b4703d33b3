"""Audit of the action log: numbers without gaps; current state equals the last
action's result."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from ledger import journal
from ledger.journal import StoredValues, flat_values
from ledger.models import Action, Club, Evening, Season, Step, Table, Version
from ledger.table.rotation import TableLineUp

CLOSING = (Action.Kind.CLOSE, Action.Kind.REOPEN)


@dataclass(frozen=True, slots=True)
class ActionLog:
    """The actions of an evening and their steps, in order."""

    evening: Evening
    actions: Sequence[Action]
    steps: Mapping[UUID, Sequence[Step]]
    """By hand."""

    @classmethod
    def read(cls, evening: Evening) -> ActionLog:
        steps: dict[UUID, list[Step]] = defaultdict(list)
        found = Step.objects.filter(action__evening=evening).select_related("action")
        for step in found.order_by("action__number"):
            steps[step.hand_id].append(step)
        actions = Action.objects.filter(evening=evening).order_by("number")
        return cls(evening, list(actions), steps)

    def differences(self, where: str) -> Iterator[str]:
        """Yield missing numbers, steps that do not chain, and a wrong evening."""
        yield from _missing_number(where, self.actions)
        yield from _closing_differs(where, self.evening, self.actions)
        now = lambda: journal.stored_values(self.evening)  # noqa: E731
        yield from _amendments_differ(where, self.actions, now)
        for steps in self.steps.values():
            for one, two in pairwise(steps):
                left = one.after_id, one.after_number
                if left != (two.before_id, two.before_number):
                    yield (
                        f"{where}: action {two.action.number} found hand {one.hand_id} "
                        f"otherwise than action {one.action.number} had left it."
                    )

    def table_differences(
        self,
        at: Table,
        where: str,
        latest: Mapping[UUID, Version],
        line_ups: Sequence[TableLineUp[int]],
    ) -> Iterator[str]:
        """Compare hands and line-ups of a table with the results of the last actions.

        *latest* is the latest version of each hand.
        """
        for hand, version in latest.items():
            yield from self._hand_differs(where, hand, version)
        key = str(at.pk)
        left = [a.seating_after[key] for a in self.actions if key in a.seating_after]
        now = journal.dump_line_ups(line_ups)
        if now != (left[-1] if left else now[:1]):
            yield f"{where}: the seats are otherwise than the last action left them."

    def _hand_differs(self, where: str, hand: UUID, version: Version) -> Iterator[str]:
        now = (None if version.hand.voided else version.pk, version.hand.number)
        last = self.steps[hand][-1] if hand in self.steps else None
        if last is None:
            yield f"{where}, {hand_label(version)}: nobody's action has recorded it."
        elif now != (last.after_id, last.after_number):
            yield (
                f"{where}, {hand_label(version)}: is otherwise than action "
                f"{last.action.number} left it, as hand {last.after_number}."
            )


def outside_evenings(club: Club, checked: Counter[str]) -> Iterator[str]:
    """Compare the actions on the seasons of *club*, and on the club itself."""
    for season in club.seasons.order_by("starts", "pk"):
        actions = list(season.actions.order_by("number"))
        checked["actions"] += len(actions)
        yield from _missing_number(f"{club}, {season}", actions)
        yield from _closing_differs(f"{club}, {season}", season, actions)
    actions = list(club.actions.order_by("number"))
    checked["actions"] += len(actions)
    yield from _missing_number(str(club), actions)
    yield from _amendments_differ(str(club), actions, lambda: journal.club_values(club))


def hand_label(version: Version) -> str:
    """Return the label of a hand, with its version where it has several."""
    if version.number == 1 and not version.hand.voided:
        return f"hand {version.hand.number}"
    return f"hand {version.hand.number} (version {version.number} of {version.hand_id})"


def _missing_number(where: str, actions: Sequence[Action]) -> Iterator[str]:
    for due, action in enumerate(actions, start=1):
        if action.number != due:
            yield f"{where}: action {due} is missing."
            break


def _amendments_differ(
    where: str, actions: Sequence[Action], now: Callable[[], StoredValues]
) -> Iterator[str]:
    """Compare each amendment's values before with the last ones after, then with *now*.

    *now* is read only when there is an amendment.
    """
    left: StoredValues = {}
    for action in actions:
        before = flat_values(action.before)
        if any(left.get(key, before[key]) != before[key] for key in before):
            yield f"{where}: action {action.number} found it otherwise than it was."
        left |= flat_values(action.after)
    current = flat_values(now()) if left else {}
    if wrong := sorted(key for key in left if current.get(key) != left[key]):
        yield f"{where}: {', '.join(wrong)} is otherwise than the last action left it."


def _closing_differs(
    where: str, of: Evening | Season, actions: Sequence[Action]
) -> Iterator[str]:
    closing = [action.kind for action in actions if action.kind in CLOSING]
    closed = closing[-1:] == [Action.Kind.CLOSE]
    if closed != (of.closed_at is not None):
        yield f"{where}: is " + (
            "open, but the last action of its kind has closed it."
            if closed
            else "closed, but no action has closed it."
        )
