"""What a hand has gone through: its versions side by side, who changed it and why."""

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
    """A line of the slip; *was* is what it said before, where that differs."""

    label: str
    was: str
    value: str

    @property
    def changed(self) -> bool:
        return self.was != self.value


@dataclass(frozen=True, slots=True)
class HandStep:
    """One thing done to the hand: what it changed, what was given back and booked."""

    deed: ActionView
    words: str
    rows: tuple[SlipDifference, ...]
    given_back: str
    booked: str


def past(
    hand: Hand, versions: Mapping[UUID, Version], people: People
) -> list[HandStep]:
    """Return everything done to *hand*, oldest first."""
    touched = Action.objects.filter(steps__hand=hand).order_by("number")
    return [
        _past(deed, step, versions, people)
        for deed in actions.action_views(actions.told_with(touched), people)
        for step in deed.action.steps.all()
        if step.hand_id == hand.pk
    ]


def _past(
    deed: ActionView, step: Step, versions: Mapping[UUID, Version], people: People
) -> HandStep:
    before = versions[step.before_id] if step.before_id else None
    after = versions[step.after_id] if step.after_id else None
    meant = deed.touched[0].step == step
    moved = before != after
    rows = side_by_side(before, after, people) if before and after else []
    return HandStep(
        deed,
        words="" if meant else actions.did(step),
        rows=tuple(row for row in rows if row.changed),
        given_back=_gains(before, people, -1) if before and moved else "",
        booked=_gains(after, people, 1) if after and moved else "",
    )


def side_by_side(
    before: Version, after: Version, people: People, *, lines: bool = True
) -> list[SlipDifference]:
    """Return the slip of *after*, each line with what it said in *before*."""
    old, now = _said(before, people, lines), _said(after, people, lines)
    return [
        SlipDifference(label, old.get(label, ""), now.get(label, ""))
        for label in {**now, **old}
    ]


def payments(version: Version) -> dict[int, int]:
    return replay.facts_of(version).payments()


def _gains(version: Version, people: People, sign: int) -> str:
    return " · ".join(
        f"{name_of(people, player)} {signed(sign * points)}"
        for player, points in payments(version).items()
    )


def _said(version: Version, people: People, lines: bool) -> dict[str, str]:
    said: dict[str, str] = {}
    for label, value in _spoken(version, people, lines):
        said[label] = f"{said[label]}, {value}" if label in said else value
    return said


def _spoken(version: Version, people: People, lines: bool) -> Iterator[tuple[str, str]]:
    for fact in slip_lines(version, people):
        yield fact.label, fact.value
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
