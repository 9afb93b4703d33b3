"""Whether what was done is whole, and what stands is as the last action left it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from ledger import journal
from ledger.journal import Kept, flat
from ledger.models import Action, Club, Evening, Season, Step, Table, Version
from ledger.table.rotation import Sitting

CLOSING = (Action.Kind.CLOSE, Action.Kind.REOPEN)


@dataclass(frozen=True, slots=True)
class Log:
    """The actions of an evening, and the steps they took, in order."""

    evening: Evening
    actions: Sequence[Action]
    steps: Mapping[UUID, Sequence[Step]]
    """By hand."""

    @classmethod
    def read(cls, evening: Evening) -> Log:
        steps: dict[UUID, list[Step]] = defaultdict(list)
        taken = Step.objects.filter(action__evening=evening).select_related("action")
        for step in taken.order_by("action__number"):
            steps[step.hand_id].append(step)
        return cls(
            evening,
            list(Action.objects.filter(evening=evening).order_by("number")),
            steps,
        )

    def breaks(self, where: str) -> Iterator[str]:
        """Yield where the log is not whole, or the evening not as it says."""
        yield from _whole(where, self.actions)
        yield from _closed(where, self.evening, self.actions)
        yield from _amended(where, self.actions, lambda: journal.as_kept(self.evening))
        for steps in self.steps.values():
            for one, two in pairwise(steps):
                if (one.after_id, one.after_number) != (
                    two.before_id,
                    two.before_number,
                ):
                    yield (
                        f"{where}: action {two.action.number} found hand {one.hand_id} "
                        f"otherwise than action {one.action.number} had left it."
                    )

    def differs(
        self,
        at: Table,
        where: str,
        latest: Mapping[UUID, Version],
        sittings: Sequence[Sitting[int]],
    ) -> Iterator[str]:
        """Yield what is otherwise than the last action left it."""
        for hand, version in latest.items():
            now = (None if version.hand.voided else version.pk, version.hand.number)
            last = self.steps[hand][-1] if hand in self.steps else None
            if last is None:
                yield f"{where}, {named(version)}: nobody's action has recorded it."
            elif now != (last.after_id, last.after_number):
                yield (
                    f"{where}, {named(version)}: is otherwise than action "
                    f"{last.action.number} left it, as hand {last.after_number}."
                )
        key = str(at.pk)
        left = [a.seating_after[key] for a in self.actions if key in a.seating_after]
        seats = journal.dump_line_ups(sittings)
        if seats != (left[-1] if left else seats[:1]):
            yield f"{where}: the seats are otherwise than the last action left them."


def outside_evenings(club: Club, checked: Counter[str]) -> Iterator[str]:
    """Yield where what was done to the seasons of *club*, or to it, is not whole."""
    for season in club.seasons.order_by("starts", "pk"):
        done = list(season.actions.order_by("number"))
        checked["actions"] += len(done)
        yield from _whole(f"{club}, {season}", done)
        yield from _closed(f"{club}, {season}", season, done)
    done = list(club.actions.order_by("number"))
    checked["actions"] += len(done)
    yield from _whole(str(club), done)
    yield from _amended(str(club), done, lambda: journal.of_club(club))


def named(version: Version) -> str:
    if version.number == 1 and not version.hand.voided:
        return f"hand {version.hand.number}"
    return f"hand {version.hand.number} (version {version.number} of {version.hand_id})"


def _whole(where: str, done: Sequence[Action]) -> Iterator[str]:
    for due, action in enumerate(done, start=1):
        if action.number != due:
            yield f"{where}: action {due} is missing."
            break


def _amended(
    where: str, done: Sequence[Action], now: Callable[[], Kept]
) -> Iterator[str]:
    """Yield what was corrected otherwise than an action found it, or left it."""
    left: Kept = {}
    for action in done:
        found = flat(action.before)
        if any(left.get(key, found[key]) != found[key] for key in found):
            yield f"{where}: action {action.number} found it otherwise than it was."
        left |= flat(action.after)
    is_now = flat(now()) if left else {}
    if wrong := sorted(key for key in left if is_now.get(key) != left[key]):
        yield f"{where}: {', '.join(wrong)} is otherwise than the last action left it."


def _closed(
    where: str, book: Evening | Season, done: Sequence[Action]
) -> Iterator[str]:
    closing = [action.kind for action in done if action.kind in CLOSING]
    closed = closing[-1:] == [Action.Kind.CLOSE]
    if closed != (book.closed_at is not None):
        yield f"{where}: is " + (
            "open, but the last action of its kind has closed it."
            if closed
            else "closed, but no action has closed it."
        )
