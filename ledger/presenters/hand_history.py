"""Hand history: every action on a hand, with the lines of the slip it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from ledger.models import Action, Hand, Step, Version
from ledger.presenters import actions
from ledger.presenters.actions import ActionView
from ledger.table import replay
from ledger.text import messages
from ledger.text.amounts import signed
from ledger.text.hands import People, name_of, slip_lines


@dataclass(frozen=True, slots=True)
class SlipDifference:
    """A line of the slip with its value before, *was*, and after."""

    label: str
    was: str
    value: str

    @property
    def changed(self) -> bool:
        return self.was != self.value


@dataclass(frozen=True, slots=True)
class HandStep:
    """An action on a hand: the lines it changed, the gains it reversed and posted."""

    action_view: ActionView
    words: str
    rows: tuple[SlipDifference, ...]
    reversed: str
    posted: str


def hand_history(
    hand: Hand, versions: Mapping[UUID, Version], people: People
) -> list[HandStep]:
    """Return every action on *hand*, oldest first; *versions* are those of the hand."""
    done = Action.objects.filter(steps__hand=hand).order_by("number")
    return [
        _hand_step(view, step, versions, people)
        for view in actions.action_views(actions.with_details(done), people)
        for step in view.action.steps.all()
        if step.hand_id == hand.pk
    ]


def _hand_step(
    view: ActionView, step: Step, versions: Mapping[UUID, Version], people: People
) -> HandStep:
    before = versions[step.before_id] if step.before_id else None
    after = versions[step.after_id] if step.after_id else None
    is_meant = view.steps[0].step == step
    changed = before != after
    rows = side_by_side(before, after, people) if before and after else []
    return HandStep(
        view,
        words="" if is_meant else actions.step_words(step),
        rows=tuple(row for row in rows if row.changed),
        reversed=_gains(before, people, -1) if before and changed else "",
        posted=_gains(after, people, 1) if after and changed else "",
    )


def side_by_side(
    before: Version, after: Version, people: People, *, lines: bool = True
) -> list[SlipDifference]:
    """Return the slip before and after; with *lines*, the score's lines too."""
    old, now = _values(before, people, lines), _values(after, people, lines)
    return [
        SlipDifference(label, old.get(label, ""), now.get(label, ""))
        for label in {**now, **old}
    ]


def gains_of(version: Version) -> dict[int, int]:
    """Return the points of a hand by player id."""
    return replay.facts_of(version).payments()


def _gains(version: Version, people: People, sign: int) -> str:
    return " · ".join(
        f"{name_of(people, player)} {signed(sign * points)}"
        for player, points in gains_of(version).items()
    )


def _values(version: Version, people: People, lines: bool) -> dict[str, str]:
    """Return the lines of the slip by label; lines of one label are joined."""
    values: dict[str, str] = {}
    for label, value in _lines(version, people, lines):
        values[label] = f"{values[label]}, {value}" if label in values else value
    return values


def _lines(version: Version, people: People, lines: bool) -> Iterator[tuple[str, str]]:
    for filled in slip_lines(version, people):
        yield filled.label, filled.value
    yield _("Dealer"), _dealer(version, people)
    if not lines:
        return
    names = [name_of(people, pk) for pk in version.players]
    for line in replay.facts_of(version).score().lines:
        yield messages.say(line.name, names), signed(line.points or line.personal)
    if version.multiplier > 1:
        yield _("Multiplier"), f"×{version.multiplier}"


def _dealer(version: Version, people: People) -> str:
    name = name_of(people, version.dealer_id)
    if version.dealer_id in version.resting:
        return _("{name}, sat out").format(name=name)
    return name
