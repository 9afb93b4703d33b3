"""Action views: actions in words, as the history and the undo buttons show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from operator import attrgetter
from types import MappingProxyType
from typing import Final
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ledger import settlement
from ledger.journal import UndoStack
from ledger.models import Action, Entry, Evening, Step
from ledger.presenters import line_up_changes
from ledger.presenters.amendment import StoredRows, differences
from ledger.text.hands import People, name_of
from ledger.text.markup import worth

Kind = Action.Kind


@dataclass(frozen=True, slots=True)
class StepView:
    """A hand that an action changed, and how, in words."""

    step: Step
    words: str


@dataclass(frozen=True, slots=True)
class ActionView:
    """An action in words with its *steps*, that of the hand which was meant first."""

    action: Action
    words: str
    steps: tuple[StepView, ...]

    @property
    def meant(self) -> StepView | None:
        """The step of the hand that the words name."""
        of_many = self.action.kind in (Kind.RESEAT, Kind.LINEUP) or self.action.after
        return None if of_many or not self.steps else self.steps[0]

    @property
    def others(self) -> tuple[StepView, ...]:
        return self.steps[1:] if self.meant else self.steps


def with_details(actions: QuerySet[Action]) -> QuerySet[Action]:
    """Return *actions* with everything that their words read."""
    payments = Entry.objects.filter(kind=Entry.Kind.PAYMENT)
    in_order = payments.prefetch_related("postings").order_by("created_at", "pk")
    return actions.select_related("by", "table", "other_table").prefetch_related(
        "steps", Prefetch("entries", in_order)
    )


def actions_of(evening: Evening) -> list[Action]:
    """Return the actions of *evening*, and those elsewhere that carried its debts.

    They are merged by time.
    """
    own = with_details(Action.objects.filter(evening=evening)).order_by("number")
    carrying = Q(kind=Entry.Kind.CARRY) | Q(reverses__kind=Entry.Kind.CARRY)
    carried = Entry.objects.filter(carrying, evening=evening).values("action")
    others = Action.objects.filter(pk__in=carried).exclude(evening=evening)
    elsewhere = with_details(others).order_by("at", "pk")
    return list(merge(own, elsewhere, key=attrgetter("at")))


def action_views_of(evening: Evening, people: People) -> list[ActionView]:
    """Return the views of all that was done to *evening*, oldest first."""
    actions = actions_of(evening)
    carrying = {
        action.pk
        for action in actions
        if action.kind == Kind.CARRY or action.evening_id is None
    }
    routes = settlement.routes_of(evening.club, evening.currency, carrying)
    carried = {pk: route.words(evening) for pk, route in routes.items()}
    return _views(actions, people, carried)


def action_views(actions: Iterable[Action], people: People) -> list[ActionView]:
    """Return the views of *actions* in their order."""
    return _views(actions, people, {})


def _views(
    actions: Iterable[Action], people: People, carried: Mapping[UUID, str]
) -> list[ActionView]:
    by_id = {action.pk: action for action in actions}
    stored = StoredRows.of(by_id.values())
    return [
        ActionView(
            action,
            _words(action, by_id, people, stored, carried),
            tuple(StepView(step, step_words(step)) for step in in_order(action)),
        )
        for action in by_id.values()
    ]


def words_by_action(
    history: UndoStack, which: Iterable[Action], people: People
) -> dict[UUID, str]:
    """Return the words for some of the actions of *history*."""
    by_id = {action.pk: action for action in history.actions}
    bases = Action.objects.prefetch_related("steps").in_bulk(
        [history.original_of(action).pk for action in which]
    )
    stored = StoredRows.of(bases.values())
    return {
        action.pk: _words(action, {**by_id, **bases}, people, stored)
        for action in which
    }


def words_alone(action: Action, people: People) -> str:
    """Return the words for an action that is undone by itself: a payment, say."""
    chain = [action]
    while (undone := chain[-1].undoes) is not None:
        chain.append(undone)
    actions = with_details(Action.objects.filter(pk__in=[one.pk for one in chain]))
    by_id = {one.pk: one for one in actions}
    return _words(action, by_id, people, StoredRows.of(chain))


def recorded_words(number: int) -> str:
    """Return the words for a hand that was just recorded."""
    return _(OF_A_HAND[Kind.RECORD]).format(number=number)


def _words(
    action: Action,
    by_id: Mapping[UUID, Action],
    people: People,
    stored: StoredRows,
    carried: Mapping[UUID, str] = MappingProxyType({}),
) -> str:
    """Return the words for *action*; an undoing names what it undoes or redoes.

    *carried* are the words for the routes of carries, by action.
    """
    original, undoings = by_id.get(action.pk, action), 0
    while original.undoes_id:
        original = by_id.get(original.undoes_id) or _undone_by(original)
        undoings += 1
    is_undone = undoings % 2 == 1
    if original.kind == Kind.AMEND:
        what = _amended(action, stored, undone=is_undone)
    else:
        what = _what(original, people)
    if where := carried.get(original.pk):
        what = where if original.kind == Kind.CARRY else f"{where}: {what}"
    if not undoings:
        return what
    return (_("Undone: {what}") if is_undone else _("Redone: {what}")).format(what=what)


def _undone_by(action: Action) -> Action:
    assert action.undoes is not None
    return action.undoes


def _what(action: Action, people: People) -> str:
    steps = in_order(action)
    numbers = [_number(step) for step in steps]
    match action.kind:
        case Kind.LINEUP:
            changes = line_up_changes.changes_of(action, people)
            return "; ".join(changes) or _("Seats changed")
        case Kind.RESEAT:
            return line_up_changes.swap_of(action, people)
        case Kind.REORDER if len(steps) > 1:
            return _("Hands {number} and {other} swapped").format(
                number=numbers[0], other=numbers[-1]
            )
        case kind if kind in OF_A_HAND and steps:
            return _(OF_A_HAND[Kind(kind)]).format(number=numbers[0])
        case Kind.ADJUST:
            return _("Adjustment")
        case Kind.PAY | Kind.SETTLE:
            payments = "; ".join(_payments(action, people))
            return payments or str(action.get_kind_display())
        case Kind.CLOSE:
            return _("Evening closed")
        case Kind.REOPEN:
            return _("Evening reopened")
    return str(action.get_kind_display())


def _amended(action: Action, stored: StoredRows, *, undone: bool) -> str:
    """Return the values that an amendment changed, or changed back when *undone*."""
    before, after = action.before, action.after
    if undone:
        before, after = after, before
    if after.get("removed"):
        return _("Evening removed")
    old, new = stored.load(before), stored.load(after)
    return "; ".join(map(str, differences(old, new, stored.tables)))


def _payments(action: Action, people: People) -> Iterator[str]:
    """Yield each payment of *action*: payer, payee and amount."""
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
    """Return the steps of *action*, first that of the hand which was meant."""

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


def step_words(step: Step) -> str:
    """Return what a step changed for its hand."""
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
