"""What the pages of money have in common: amounts, people, rows, what was done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import BadRequest, ValidationError
from django.db.models import Q
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger import journal, settlement
from ledger.models import Action, Club, Evening, Player
from ledger.presenters import actions
from ledger.settlement import Method, SettlementScope
from ledger.text import amounts, dates
from ledger.text.names import in_order
from ledger.text.parsing import parse_id, whole_number
from ledger.views.forms import day_field, text_box
from ledger.views.money.scope_params import ScopeChoice

POT = "pot"
"""How a form names the pot: before it was used first it has no number."""
MOST_DIGITS = 16
TOASTED = (*journal.MONEY_KINDS, Action.Kind.ADJUST)
"""What the pages of money tell when it was done, with a way to undo it."""


class AmountField(forms.CharField):
    """Money, or points, without a sign; what can't be read is said and kept."""

    def __init__(self, *, currency: str, **more: object) -> None:
        self.currency = currency
        super().__init__(
            label=gettext_lazy("How much"),
            max_length=40,
            widget=text_box(inputmode="decimal", autocomplete="off"),
            **more,  # type: ignore[arg-type]  # as CharField takes it
        )

    def clean(self, value: object) -> int:
        return amount_of(super().clean(value), self.currency)


def paid_on_field() -> forms.DateField:
    """Return a field for the day of a payment, today without anything else."""
    field = day_field(gettext_lazy("Paid on"), dates.played, required=False)
    field.initial = timezone.localdate
    return field


def amount_of(typed: str, currency: str) -> int:
    """Return the amount that was typed, in minor units or points, more than nothing."""
    if currency:
        try:
            amount = amounts.parse_amount(typed, currency)
        except amounts.Unclear as unclear:
            raise ValidationError(str(unclear)) from unclear
    else:
        points = whole_number(typed.strip())
        if points is None:
            raise ValidationError(_("Enter whole points, in figures."))
        amount = points
    if amount <= 0:
        raise ValidationError(_("Enter an amount above 0, without a sign."))
    return amount


def figures(amount: int, currency: str) -> str:
    """Return *amount* as it is typed, for a field."""
    if not currency:
        return str(amount)
    exact = Decimal(amount).scaleb(-amounts.minor_digits(currency))
    whole = exact == int(exact)
    return str(formats.localize_input(int(exact) if whole else exact))


def stake_figures(evening: Evening) -> str:
    """Return what a point is worth as it is typed, for a field."""
    exact = amounts.decimal(evening.per_point, evening.currency)
    if exact == int(exact):
        return str(formats.localize_input(int(exact)))
    if exact > 1 and exact.as_tuple().exponent == -3:
        exact = exact.quantize(Decimal("1.0000"))  # no thousands, read back
    return str(formats.localize_input(exact))


def minor(text: str | None) -> int:
    """Return the whole number a form of ours carried along."""
    said = text or ""
    if not said.isdecimal() or len(said) > MOST_DIGITS:
        raise BadRequest("expected an amount")
    return int(said)


def id_in_forms(player: Player) -> str:
    return POT if player.is_pot else str(player.pk)


def people_of(club: Club) -> list[Player]:
    """Return everybody who may pay or get something, the pot last."""
    known = in_order(club.players.all())
    pots = [player for player in known if player.is_pot]
    people = [player for player in known if not player.is_pot]
    return [*people, *(pots or [settlement.pot_or_unsaved(club)])]


def person(text: object, people: Iterable[Player]) -> Player:
    """Return who is meant by what a form of ours sent."""
    for player in people:
        if id_in_forms(player) == str(text):
            return player
    raise BadRequest("expected somebody of the club")


def methods(scope: SettlementScope, chosen: str) -> Iterator[ScopeChoice]:
    """Yield the ways to settle that can be chosen here."""
    for method in Method:
        if settlement.method_applies(method, scope):
            yield ScopeChoice(str(method.label), method.value, method == chosen)


def action_of(club: Club, text: str | None) -> Action | None:
    """Return what moved money in *club* without a hand, if it is that."""
    return _of_kinds(club, text, journal.MONEY_KINDS)


def _of_kinds(club: Club, text: str | None, kinds: Collection[str]) -> Action | None:
    here = Q(entries__club=club) | Q(evening__club=club)
    made = Action.objects.filter(here, pk=parse_id(text))
    action = made.select_related("undoes", "by").first()
    return action if action and _base(action)[0].kind in kinds else None


def _base(action: Action) -> tuple[Action, int]:
    """Return what somebody did first, and how often it was undone and redone since."""
    times = 0
    while action.undoes is not None:
        action, times = action.undoes, times + 1
    return action, times


@dataclass(frozen=True)
class MoneyMoved:
    """What was just done about money, told on a page from which it can be undone."""

    action: Action
    words: str
    undone: bool
    cancels: bool
    """It is an adjustment, which its own page cancels."""

    @property
    def id(self) -> UUID:
        return uuid4()


def just_moved(club: Club, text: str | None) -> MoneyMoved | None:
    """Return what an address says was done just now, while it can be undone."""
    done = _of_kinds(club, text, TOASTED) if text else None
    if done is None or hasattr(done, "undone_by"):
        return None
    people = club.players.in_bulk()
    base, times = _base(done)
    return MoneyMoved(
        done,
        actions.told_alone(done, people),
        undone=times % 2 == 1,
        cancels=base.kind == Action.Kind.ADJUST,
    )
