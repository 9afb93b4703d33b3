"""What was done to an evening, each action told in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ledger import settlement
from ledger.journal import History
from ledger.models import Action, Entry, Evening, Step
from ledger.presenters.amendment import Meant, differences
from ledger.text.hands import People, name_of
from ledger.text.markup import worth
from scoring import roman

Kind = Action.Kind


@dataclass(frozen=True, slots=True)
class Touched:
    """A hand that an action changed, and how."""

    step: Step
    words: str


@dataclass(frozen=True, slots=True)
class ActionView:
    """An action in words: *touched* are the hands, the one that was meant first."""

    action: Action
    words: str
    touched: tuple[Touched, ...]

    @property
    def meant(self) -> Touched | None:
        """The hand that the words name."""
        of_many = self.action.kind in (Kind.RESEAT, Kind.LINEUP) or self.action.after
        return None if of_many or not self.touched else self.touched[0]

    @property
    def others(self) -> tuple[Touched, ...]:
        return self.touched[1:] if self.meant else self.touched


def told_with(actions: QuerySet[Action]) -> QuerySet[Action]:
    """Return *actions* with everything that telling them reads."""
    paid = Entry.objects.filter(kind=Entry.Kind.PAYMENT).prefetch_related("postings")
    return actions.select_related("by", "table", "other_table").prefetch_related(
        "steps", Prefetch("entries", paid.order_by("created_at", "pk"))
    )


def done_to(evening: Evening) -> list[Action]:
    """Return what was done in *evening*, and elsewhere if it carried its debts.

    What was done elsewhere stands by its time among what was done here.
    """
    here = told_with(Action.objects.filter(evening=evening)).order_by("number")
    carrying = Q(kind=Entry.Kind.CARRY) | Q(reverses__kind=Entry.Kind.CARRY)
    carried = Entry.objects.filter(carrying, evening=evening).values("action")
    there = Action.objects.filter(pk__in=carried).exclude(evening=evening)
    elsewhere = told_with(there).order_by("at", "pk")
    return list(merge(here, elsewhere, key=attrgetter("at")))


def action_views_of(evening: Evening, people: People) -> list[ActionView]:
    """Return all that was done to *evening*, told in the order it came in."""
    done = done_to(evening)
    carrying = {
        action.pk
        for action in done
        if action.kind == Kind.CARRY or action.evening_id is None
    }
    ways = settlement.routes_of(evening.club, evening.currency, carrying)
    carried = {pk: way.words(evening) for pk, way in ways.items()}
    known = {action.pk: action for action in done}
    meant = Meant.by(done)
    return [
        ActionView(
            action,
            _words(action, known, people, meant, carried),
            tuple(_touched(action)),
        )
        for action in done
    ]


def action_views(actions: Iterable[Action], people: People) -> list[ActionView]:
    """Return *actions* told in the order they came in."""
    known = {action.pk: action for action in actions}
    meant = Meant.by(known.values())
    return [
        ActionView(
            action, _words(action, known, people, meant), tuple(_touched(action))
        )
        for action in known.values()
    ]


def named(done: History, which: Iterable[Action], people: People) -> dict[UUID, str]:
    """Return the words for some actions out of all that was *done*."""
    known = {action.pk: action for action in done.actions}
    bases = Action.objects.prefetch_related("steps").in_bulk(
        [done.base(action).pk for action in which]
    )
    meant = Meant.by(bases.values())
    return {
        action.pk: _words(action, {**known, **bases}, people, meant) for action in which
    }


def told_alone(action: Action, people: People) -> str:
    """Return the words for an action that is undone by itself: a payment, say."""
    chain = [action]
    while (undone := chain[-1].undoes) is not None:
        chain.append(undone)
    known = told_with(Action.objects.filter(pk__in=[one.pk for one in chain]))
    return _words(action, {one.pk: one for one in known}, people, Meant.by(chain))


def recorded(number: int) -> str:
    """Return the words for a hand that was just recorded."""
    return _(OF_A_HAND[Kind.RECORD]).format(number=number)


def _words(
    action: Action,
    known: Mapping[UUID, Action],
    people: People,
    meant: Meant,
    carried: Mapping[UUID, str] = MappingProxyType({}),
) -> str:
    undone, times = known.get(action.pk, action), 0
    while undone.undoes_id:
        undone = known.get(undone.undoes_id) or _undone_by(undone)
        times += 1
    if undone.kind == Kind.AMEND:
        what = _corrected(action, meant, back=times % 2 == 1)
    else:
        what = _what(undone, people)
    if where := carried.get(undone.pk):
        what = where if undone.kind == Kind.CARRY else f"{where}: {what}"
    if not times:
        return what
    return (_("Undone: {what}") if times % 2 else _("Redone: {what}")).format(what=what)


def _undone_by(action: Action) -> Action:
    assert action.undoes is not None
    return action.undoes


def _what(action: Action, people: People) -> str:
    steps = in_order(action)
    numbers = [_number(step) for step in steps]
    match action.kind:
        case Kind.LINEUP:
            return "; ".join(_seating(action, people)) or _("Seats changed")
        case Kind.RESEAT:
            return _exchanged(action, people)
        case Kind.REORDER if len(steps) > 1:
            return _("Hands {number} and {other} swapped").format(
                number=numbers[0], other=numbers[-1]
            )
        case kind if kind in OF_A_HAND and steps:
            return _(OF_A_HAND[Kind(kind)]).format(number=numbers[0])
        case Kind.ADJUST:
            return _("Adjustment")
        case Kind.PAY | Kind.SETTLE:
            paid = "; ".join(_paid(action, people))
            return paid or str(action.get_kind_display())
        case Kind.CLOSE:
            return _("Evening closed")
        case Kind.REOPEN:
            return _("Evening reopened")
    return str(action.get_kind_display())


def _corrected(action: Action, meant: Meant, *, back: bool) -> str:
    """Return what was corrected, or what of it was taken *back*: maybe not all."""
    before, after = action.before, action.after
    if back:
        before, after = after, before
    if after.get("removed"):
        return _("Evening removed")
    found = differences(meant.told(before), meant.told(after), meant.tables)
    return "; ".join(map(str, found))


def _paid(action: Action, people: People) -> Iterator[str]:
    """Yield the payments of *action*, each with who paid, who got it, and how much."""
    for entry in action.entries.all():
        if entry.kind != Entry.Kind.PAYMENT:
            continue
        unit = "money" if entry.currency else "points"
        gains = sorted((getattr(p, unit), p.player_id) for p in entry.postings.all())
        (_minus, payee), (amount, payer) = gains
        yield _("{payer} paid {payee} {amount}").format(
            payer=name_of(people, payer),
            payee=name_of(people, payee),
            amount=worth(amount, entry.currency),
        )


OF_A_HAND: Final = {
    Kind.RECORD: gettext_noop("Hand {number} recorded"),
    Kind.CORRECT: gettext_noop("Hand {number} corrected"),
    Kind.VOID: gettext_noop("Hand {number} taken back"),
    Kind.RESTORE: gettext_noop("Hand {number} restored"),
    Kind.INSERT: gettext_noop("Hand {number} inserted"),
    Kind.SWAP_SIDES: gettext_noop("Sides of hand {number} swapped"),
}


def in_order(action: Action) -> list[Step]:
    """Return the steps of *action*, that of the hand which was meant first."""

    def order(step: Step) -> tuple[bool, int]:
        return (not _meant(action, step), _number(step))

    return sorted(action.steps.all(), key=order)


def _meant(action: Action, step: Step) -> bool:
    match action.kind:
        case Kind.VOID:
            return step.after_id is None
        case Kind.RESTORE | Kind.INSERT | Kind.RECORD:
            return step.before_id is None
    return False


def _number(step: Step) -> int:
    if step.after_id is None and step.before_number:
        return step.before_number
    return step.after_number


def _touched(action: Action) -> Iterator[Touched]:
    for step in in_order(action):
        yield Touched(step, did(step))


def did(step: Step) -> str:
    old, new = step.before_number, step.after_number
    if step.after_id is None:
        return _("Hand {number} no longer counts").format(number=old)
    if step.before_id is None:
        return _("Hand {number} counts").format(number=new)
    if old != new and step.before_id == step.after_id:
        return _("Hand {old} became hand {number}").format(old=old, number=new)
    if old != new:
        return _("Hand {old} became hand {number}, scored differently").format(
            old=old, number=new
        )
    return _("Hand {number} scored differently").format(number=new)


# Who came and went

Seating = tuple[int, tuple[int, ...], frozenset[int], int | None]
"""From which hand on, who in seat order, who of them on a break, who deals."""


def _seating(action: Action, people: People) -> Iterator[str]:
    before = {at: _last(kept) for at, kept in action.seating_before.items()}
    after = {at: _last(kept) for at, kept in action.seating_after.items()}
    if len(after) > 1:
        yield from _moved(action, before, after, people)
        return
    for at, now in after.items():
        yield from _changes(before.get(at) or now, now, people)


def _last(kept: Sequence[Any]) -> Seating:
    from_hand, dealer, seats = kept[-1]
    order = tuple(player for player, _away in seats)
    away = frozenset(player for player, is_away in seats if is_away)
    return from_hand, order, away, dealer


def _changes(was: Seating, now: Seating, people: People) -> Iterator[str]:
    joined = [p for p in now[1] if p not in was[1]]
    left = [p for p in was[1] if p not in now[1]]
    if len(joined) == len(left) == 1:
        yield _said(_("{name} plays for {other}"), people, joined[0], left[0])
    else:
        yield from (_said(_("{name} joins"), people, p) for p in joined)
        yield from (_said(_("{name} leaves"), people, p) for p in left)
    for player in now[1]:
        if player in was[1] and (player in now[2]) != (player in was[2]):
            rests = player in now[2]
            words = _("{name} takes a break") if rests else _("{name} is back")
            yield _said(words, people, player)
    if set(now[1:3]) == set(was[1:3]) and now[3] is not None:
        words = _("{name} deals hand {number}")
        yield words.format(name=name_of(people, now[3]), number=now[0])


def _moved(
    action: Action,
    before: Mapping[str, Seating],
    after: Mapping[str, Seating],
    people: People,
) -> Iterator[str]:
    for at, now in after.items():
        for player in now[1]:
            if player not in before[at][1]:
                there = action.other_table if action.other_table else action.table
                number = roman(there.number) if there else "?"
                words = _("{name} moves to table {numeral}")
                yield words.format(name=name_of(people, player), numeral=number)


def _exchanged(action: Action, people: People) -> str:
    for at, after in action.seating_after.items():
        before = action.seating_before[at]
        for now in (_last([kept]) for kept in after if kept not in before):
            was = _last([kept for kept in before if kept[0] <= now[0]])
            two = [p for p, q in zip(now[1], was[1], strict=False) if p != q]
            if len(two) == 2:
                words = _("{name} and {other} swapped seats from hand {number} on")
                return words.format(
                    name=name_of(people, two[0]),
                    other=name_of(people, two[1]),
                    number=now[0],
                )
    return _("Two seats corrected")


def _said(words: str, people: People, player: int, other: int = 0) -> str:
    return words.format(name=name_of(people, player), other=name_of(people, other))
