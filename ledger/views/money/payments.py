"""What was paid: a tap on the plan, any other payment, and taking it back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger import journal, settlement
from ledger.access import Request, club_of, evening_of
from ledger.models import Action, Club, Entry, Player, locks
from ledger.presenters.correction_plan import said
from ledger.settlement import Debt, SettlementScope
from ledger.text import messages
from ledger.views.decorators import signed_in_action, signed_in_form
from ledger.views.forms import text_box
from ledger.views.late_writes import closed
from ledger.views.money import scope_params
from ledger.views.money.fields import (
    AmountField,
    action_of,
    figures,
    id_in_forms,
    minor,
    paid_on_field,
    people_of,
    person,
)
from ledger.views.money.scope_params import ScopeParams
from ledger.views.params import id_of, id_or_new, next_of
from scoring import Refused

PAGE = "ledger/money/pay.html"
CONFLICT, UNPROCESSABLE = 409, 422


class PayForm(forms.Form):
    """Who gave whom how much; somebody else may have given it for him."""

    def __init__(
        self,
        data: Any = None,
        *,
        scope: SettlementScope,
        people: Sequence[Player],
        **more: Any,
    ) -> None:
        super().__init__(data, **more)
        self.scope, self.people = scope, people
        names = [(id_in_forms(player), player.name) for player in people]
        self.fields["payer"] = _choice(gettext_lazy("Who owes it"), names)
        self.fields["payee"] = _choice(gettext_lazy("Who gets it"), names)
        self.fields["amount"] = AmountField(currency=scope.currency)
        self.fields["paid_by"] = _choice(
            gettext_lazy("Who paid it"),
            [("", gettext_lazy("the same person")), *names],
            required=False,
            help_text=gettext_lazy(
                "If somebody else pays, they are then owed the money."
            ),
        )
        self.fields["how"] = forms.ChoiceField(
            label=gettext_lazy("How"),
            choices=[(how, messages.how(how)) for how in messages.HOW],
            widget=forms.RadioSelect,
            initial="cash",
            required=False,
        )
        self.fields["day"] = paid_on_field()
        self.fields["note"] = forms.CharField(
            label=gettext_lazy("Note"),
            required=False,
            max_length=journal.MOST_NOTE,
            widget=text_box(autocomplete="off", enterkeyhint="done"),
        )

    def who(self, field: str) -> Player | None:
        said = self.cleaned_data[field]
        return person(said, self.people) if said else None


@signed_in_form
def evening_pay(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    return _pay(
        request, scope_params.of_evening(evening), reverse("evening", args=[pk])
    )


@signed_in_form
def pay(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk, write=True)
    at = scope_params.asked(club, request.GET)
    return _pay(request, at, f"{reverse('settle', args=[pk])}?{at.query}")


@signed_in_action
def take_back(request: Request, pk: int) -> HttpResponse:
    """Take back one payment, or all that were made together."""
    club = club_of(request, pk, write=True)
    action = action_of(club, request.POST.get("action"))
    if action is None:
        raise BadRequest("expected a payment of this club")
    back = TakenBack.of(action, club)
    if back.asks and request.POST.get("sure") != back.sure:
        return _ask_back(request, back)
    undoing = None
    try:
        with suppress(journal.Stale):  # it is taken back already, as the page shows
            undoing = journal.take_back(action, id=id_of(request), by=request.user)
    except locks.Closed as late:
        return closed(request, evening_of(request, late.evening.pk))
    except Refused as refused:
        return _refused(request, club, said(refused.problems))
    except locks.SeasonClosed:
        return _refused(request, club, [_("The season is closed.")])
    return redirect(after(_next(request, club), undoing))


def after(address: str, done: Action | None) -> str:
    """Return *address* with what was *done*, which its page tells and can undo."""
    if done is None:
        return address
    address, place, part = address.partition("#")
    mark = "&" if "?" in address else "?"
    return f"{address}{mark}done={done.pk}{place}{part}"


@dataclass(frozen=True)
class TakenBack:
    """All that goes back with an action, book by book."""

    action: Action
    club: Club
    entries: Sequence[Entry]

    @classmethod
    def of(cls, action: Action, club: Club) -> TakenBack:
        done = Action.objects.filter(undoes=action).exists()
        return cls(action, club, () if done else list(journal.taken_back_with(action)))

    @property
    def asks(self) -> bool:
        """Whether it is asked first: it changes books that it was not done in.

        A carrying says where it stands already between which two it is.
        """
        if journal.undone_original(self.action).kind == Action.Kind.CARRY:
            return False
        return len({(e.evening_id, e.season_id) for e in self.entries}) > 1

    @property
    def sure(self) -> str:
        """What tells whether it is still that which was shown."""
        return str(len(self.entries))

    @property
    def rows(self) -> list[Back]:
        return [_back(entry, self.club) for entry in self.entries]


@dataclass(frozen=True)
class Back:
    """An entry that goes back: where it stands, what it is, whom it moves."""

    where: str
    words: str
    currency: str
    payment: Debt | None
    gains: Sequence[tuple[Player, int]]


def _back(entry: Entry, club: Club) -> Back:
    scope = SettlementScope(
        club, entry.currency, evening=entry.evening, season=entry.season
    )
    gains = [(p.player, -getattr(p, scope.unit)) for p in entry.postings.all()]
    paid = next(iter(settlement.paid_debts(scope, [entry])), None)
    kind = Entry.Kind((entry.reverses or entry).kind)
    return Back(scope.title, str(kind.label), entry.currency, paid, gains)


def _ask_back(request: Request, back: TakenBack) -> HttpResponse:
    page = {
        "club": back.club,
        "taken": back,
        "next": _next(request, back.club),
        "id": uuid4(),
    }
    return render(request, "ledger/money/take_back.html", page)


def _pay(request: Request, at: ScopeParams, back: str) -> HttpResponse:
    people = people_of(at.scope.club)
    if request.method == "POST" and "minor" in request.POST:
        return _tapped(request, at, people, back)
    form = _form(request, at.scope, people)
    problems: list[str] = []
    if form.is_bound and form.is_valid():
        try:
            return redirect(after(f"{back}#plan", _write(request, at.scope, form)))
        except Refused as refused:
            problems = _beside(form, refused)
    page = {
        "form": form,
        "scope": at.scope,
        "words": at.words,
        "back": back,
        "problems": problems,
        "id": id_or_new(request),
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, PAGE, page, status=status)


def _beside(form: PayForm, refused: Refused) -> list[str]:
    """Let each problem stand beside its field; return those that are of none."""
    others = []
    for problem in refused.problems:
        if problem.field in form.fields:
            form.add_error(problem.field, said([problem])[0])
        else:
            others.append(problem)
    return said(others)


def _form(
    request: Request, scope: SettlementScope, people: Sequence[Player]
) -> PayForm:
    """Return the form, filled in as the plan says where it was asked from there."""
    if request.method == "POST":
        return PayForm(request.POST, scope=scope, people=people)
    asked = {name: request.GET.get(name, "") for name in ("payer", "payee")}
    if typed := request.GET.get("minor"):
        asked["amount"] = figures(minor(typed), scope.currency)
    return PayForm(scope=scope, people=people, initial=asked)


def _write(request: Request, scope: SettlementScope, form: PayForm) -> Action:
    payer, payee = form.who("payer"), form.who("payee")
    assert payer is not None
    assert payee is not None
    return journal.pay(
        scope,
        payer,
        payee,
        form.cleaned_data["amount"],
        id=id_of(request),
        by=request.user,
        method=form.cleaned_data["how"] or "cash",
        note=form.cleaned_data["note"],
        paid_by=form.who("paid_by"),
        day=form.cleaned_data["day"],
    )


def _tapped(
    request: Request, at: ScopeParams, people: Sequence[Player], back: str
) -> HttpResponse:
    """Mark a payment of the plan as made, unless somebody did already."""
    id, scope = id_of(request), at.scope
    payer = person(request.POST.get("payer"), people)
    payee = person(request.POST.get("payee"), people)
    amount = minor(request.POST.get("minor"))
    method = settlement.method_of(scope, request.POST.get("plan"))
    back += ("&" if "?" in back else "?") + f"method={method}"
    try:
        paid = journal.pay(
            scope, payer, payee, amount, id=id, by=request.user, planned=method
        )
    except journal.Stale:
        return redirect(f"{back}&changed=yes#plan")
    except Refused as refused:
        return _refused(request, scope.club, said(refused.problems))
    return redirect(after(f"{back}#plan", paid))


def _choice(label: Any, choices: Sequence[Any], **more: Any) -> forms.ChoiceField:
    select = forms.Select(attrs={"class": "input"})
    return forms.ChoiceField(label=label, choices=choices, widget=select, **more)


def _refused(request: Request, club: Club, problems: list[str]) -> HttpResponse:
    page = {"club": club, "problems": problems, "back": _next(request, club)}
    return render(request, "ledger/errors/payment_refused.html", page, status=CONFLICT)


def _next(request: Request, club: Club) -> str:
    return next_of(request, reverse("settle", args=[club.pk]))
