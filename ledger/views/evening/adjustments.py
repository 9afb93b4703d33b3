"""Page of an adjustment: points or money transferred without a hand, with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from ledger import journal, tallies
from ledger.access import Request, evening_of
from ledger.models import Action, Evening, Player
from ledger.models.lookups import with_absent
from ledger.tallies import Adjustment
from ledger.text import amounts
from ledger.text.amounts import plain
from ledger.text.messages import messages_of
from ledger.text.parsing import parse_id, whole_number
from ledger.views.decorators import signed_in_form
from ledger.views.fields import text_box
from ledger.views.form_errors import part_error
from ledger.views.late_writes import evening_closed
from ledger.views.money.just_done import address_after
from ledger.views.page_parts import render_part
from ledger.views.params import id_of, id_or_new
from ledger.views.status import UNPROCESSABLE

PAGE = "ledger/evening/adjustment.html"
PAYS, GETS = "pays", "gets"
MOST_MONEY = 10**12


@dataclass(frozen=True)
class AdjustmentRow:
    """What a player pays or gets, as entered and as parsed."""

    player: Player
    way: str
    typed: str
    amount: int
    error: str = ""

    @property
    def gain(self) -> int:
        return -self.amount if self.way == PAYS else self.amount


@dataclass(frozen=True)
class AdjustmentGain:
    player: Player
    points: int
    money: int


@dataclass(frozen=True)
class ShownAdjustment:
    """Adjustment as the pages of an evening list it."""

    adjustment: Adjustment
    gains: tuple[AdjustmentGain, ...]


class AdjustForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("What for"),
        help_text=gettext_lazy("For example: a penalty, a misdeal."),
        max_length=200,
        widget=text_box(autocomplete="off"),
    )

    def __init__(
        self, data: Any = None, *, evening: Evening, people: Sequence[Player]
    ) -> None:
        super().__init__(data)
        self.evening, self.people = evening, people
        wants_money = self.data.get("unit") == "money"
        self.in_money = bool(evening.currency) and wants_money
        self.rows = [self._row(player) for player in people]

    @property
    def difference(self) -> int:
        return sum(row.gain for row in self.rows)

    @property
    def sum_words(self) -> str:
        """Return whether the rows balance, and if not, by how much."""
        if not self.difference:
            return _("It balances: the sum is 0.")
        amount = self._amount_words(abs(self.difference))
        if self.difference > 0:
            return _("{amount} more is received than paid.").format(amount=amount)
        return _("{amount} more is paid than received.").format(amount=amount)

    def clean(self) -> None:
        for row in self.rows:
            if row.error:
                place = f"amount-{row.player.pk}"
                self.add_error(
                    None, part_error(place, f"{row.player.name}: {row.error}")
                )

    def gains(self) -> dict[Player, int]:
        return {row.player: row.gain for row in self.rows if row.gain}

    def _amount_words(self, amount: int) -> str:
        if self.in_money:
            language = get_language() or "en"
            return amounts.format_amount(amount, self.evening.currency, language)
        words = ngettext("{points} point", "{points} points", amount)
        return words.format(points=plain(amount))

    def _row(self, player: Player) -> AdjustmentRow:
        typed = self.data.get(f"amount-{player.pk}", "")
        way = PAYS if self.data.get(f"way-{player.pk}") == PAYS else GETS
        if not typed.strip():
            return AdjustmentRow(player, way, typed, 0)
        try:
            return AdjustmentRow(player, way, typed, self._parse(typed))
        except ValueError as unclear:
            return AdjustmentRow(player, way, typed, 0, str(unclear))

    def _parse(self, typed: str) -> int:
        if not self.in_money:
            points = whole_number(typed.strip())
            if points is None:
                raise ValueError(_("Enter whole points, in figures."))
            return points
        amount = amounts.parse_amount(typed[:40], self.evening.currency)
        if not 0 <= amount <= MOST_MONEY:
            raise ValueError(
                _("Enter what each player pays or receives, without a sign.")
            )
        return amount


@signed_in_form
def adjust(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    people = [row.player for row in tallies.tally(evening)]
    form = AdjustForm(request.POST or None, evening=evening, people=people)
    if request.method == "GET":
        if evening.closed_at:
            return evening_closed(request, evening)
        return _show(request, evening, form)
    if "preview" in request.POST:
        return render_part(request, PAGE, "sum", _page(request, evening, form))
    try:
        return _cancel(request, evening) or _save(request, evening, form)
    except journal.Closed:
        return evening_closed(request, evening)


def _save(request: Request, evening: Evening, form: AdjustForm) -> HttpResponse:
    id = id_of(request)
    if not form.is_valid():
        return _show(request, evening, form, status=UNPROCESSABLE)
    try:
        made = journal.adjust(
            evening,
            form.gains(),
            reason=form.cleaned_data["reason"],
            id=id,
            by=request.user,
            in_money=form.in_money,
        )
    except journal.Refused as refused:
        problems = messages_of(refused.problems)
        return _show(request, evening, form, problems=problems, status=UNPROCESSABLE)
    return redirect(_adjusted(evening, made))


def _cancel(request: Request, evening: Evening) -> HttpResponse | None:
    """Cancel the adjustment in the param `cancel`, if there is one."""
    pk = request.POST.get("cancel")
    if pk is None:
        return None
    actions = Action.objects.filter(evening=evening, table=None)
    made = actions.filter(
        pk=parse_id(pk), kind__in=(Action.Kind.ADJUST, Action.Kind.UNDO)
    ).first()
    if made is None:
        raise BadRequest("expected an adjustment of this evening")
    undoing = None
    with suppress(journal.Stale):  # it is cancelled already
        undoing = journal.undo(
            made, id=id_of(request), by=request.user, kinds=[Action.Kind.ADJUST]
        )
    return redirect(_adjusted(evening, undoing))


def _adjusted(evening: Evening, done: Action | None) -> str:
    return address_after(reverse("evening", args=[evening.pk]) + "#adjusted", done)


def _show(
    request: Request,
    evening: Evening,
    form: AdjustForm,
    *,
    problems: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    page = _page(request, evening, form) | {"problems": problems}
    return render(request, PAGE, page, status=status)


def _page(request: Request, evening: Evening, form: AdjustForm) -> dict[str, Any]:
    return {
        "form": form,
        "evening": evening,
        "id": id_or_new(request),
    }


def listed_adjustments(
    evening: Evening, people: Mapping[int, Player]
) -> list[ShownAdjustment]:
    """Return the adjustments of *evening*.

    Their players need not be among *people*, those of the evening, any more.
    """
    made = tallies.adjustments(evening)
    everybody = with_absent(people.values(), (pk for one in made for pk in one.gains))
    return [ShownAdjustment(one, tuple(_gains(one, everybody))) for one in made]


def _gains(made: Adjustment, people: Mapping[int, Player]) -> Iterator[AdjustmentGain]:
    for player, (points, worth) in made.gains.items():
        yield AdjustmentGain(people[player], points, worth)
