"""Pages that change earlier hands: they show the effect before they save it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger import journal
from ledger.access import Request, hand_of, table_of
from ledger.models import Action, Hand, Player, Table, Version
from ledger.presenters import actions
from ledger.presenters.actions import ActionView
from ledger.presenters.correction_plan import CorrectionView, correction_view
from ledger.table.changes import Change, Reseat, Restore, Swap, SwapSides, Void
from ledger.text.hands import Summary, summary
from ledger.text.messages import messages_of
from ledger.text.parsing import parse_id, whole_number
from ledger.views.decorators import signed_in_action, signed_in_form
from ledger.views.fields import text_box
from ledger.views.late_writes import evening_closed
from ledger.views.params import id_of
from ledger.views.status import CONFLICT, UNPROCESSABLE


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason (optional)"),
        required=False,
        max_length=200,
        widget=text_box(autocomplete="off", enterkeyhint="done"),
    )


@dataclass(frozen=True)
class ChangeParams:
    """Change that a page is about, with its title and the label of its button."""

    table: Table
    change: Change | None
    title: str
    button: str
    seen: Version | None
    """Version of the hand that the page shows."""
    hand: Hand | None = None
    hidden: dict[str, int] = field(default_factory=dict)
    """Params that the form sends along."""

    @property
    def back(self) -> str:
        if self.hand:
            return reverse("hand", args=[self.hand.pk])
        return reverse("seats", args=[self.table.pk])


@signed_in_form
def void(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    title = _("Take hand {number} back").format(number=hand.number)
    return _respond(request, _hand_params(hand, Void(hand), title, title))


@signed_in_form
def restore(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    title = _("Restore the hand")
    return _respond(request, _hand_params(hand, Restore(hand), title, title))


@signed_in_form
def swap_sides(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    title = _("Swap the sides of hand {number}").format(number=hand.number)
    return _respond(
        request, _hand_params(hand, SwapSides(hand), title, _("Swap the sides"))
    )


@signed_in_form
def reorder(request: Request, pk: UUID, other: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    second = Hand.objects.filter(table=hand.table, pk=other).exclude(pk=pk).first()
    if second is None:
        raise Http404
    first, last = sorted((hand.number, second.number))
    title = _("Swap hands {first} and {last}").format(first=first, last=last)
    return _respond(request, _hand_params(hand, Swap(hand, second), title, title))


@signed_in_form
def reseat(request: Request, pk: int) -> HttpResponse:
    """Swap two players who were taken for each other, from a hand on."""
    table = table_of(request, pk, write=True)
    data = request.POST if request.method == "POST" else request.GET
    numbers = {
        name: whole_number(data.get(name)) or 0 for name in ("player", "other", "from")
    }
    people = table.evening.club.players.in_bulk([numbers["player"], numbers["other"]])
    return _respond(request, _reseat_params(table, numbers, people))


@signed_in_action
def undo(request: Request, pk: int) -> HttpResponse:
    """Undo the last action of a table, or redo the one just undone."""
    table = table_of(request, pk, write=True)
    action = Action.objects.filter(
        evening=table.evening_id, pk=parse_id(request.POST.get("action"))
    ).first()
    if action is None:
        raise BadRequest("expected an action of this evening")
    try:
        done = journal.undo(
            action,
            id=id_of(request),
            by=request.user,
            kinds=journal.EVENING_KINDS,
        )
    except journal.Closed:
        return evening_closed(request, table.evening)
    except journal.Stale as stale:
        return _undo_refused(request, table, _actions_since(table, stale.since))
    except journal.Refused as refused:
        return _undo_refused(request, table, problems=messages_of(refused.problems))
    return redirect(_done_url(table, done))


def _hand_params(hand: Hand, change: Change, title: str, button: str) -> ChangeParams:
    versions = hand.versions.select_related("edition")
    return ChangeParams(
        hand.table, change, title, button, versions.latest("number"), hand
    )


def _reseat_params(
    table: Table, numbers: dict[str, int], people: dict[int, Player]
) -> ChangeParams:
    title = _("Correct two seats")
    if len(people) < 2 or not numbers["from"]:
        return ChangeParams(table, None, title, title, None)
    one, two = people[numbers["player"]], people[numbers["other"]]
    button = _("Swap {name} and {other} from hand {number} on").format(
        name=one.name, other=two.name, number=numbers["from"]
    )
    versions = Version.objects.filter(
        hand__table=table, hand__number=numbers["from"], hand__voided=False
    )
    seen = versions.order_by("-number").first()
    change = Reseat(numbers["from"], one, two)
    return ChangeParams(table, change, title, button, seen, hidden=numbers)


def _respond(request: Request, params: ChangeParams) -> HttpResponse:
    if request.method == "POST" and params.change is not None:
        return _save(request, params, params.change)
    if params.table.evening.closed_at:
        return evening_closed(request, params.table.evening)
    return _show(request, params)


def _save(request: Request, params: ChangeParams, change: Change) -> HttpResponse:
    form = ReasonForm(request.POST)
    id, seen = id_of(request), _seen_version(request, params)
    if not form.is_valid():
        return _show(request, params, form=form, status=UNPROCESSABLE)
    try:
        action = journal.correct(
            params.table,
            change,
            id=id,
            by=request.user,
            seen=seen,
            reason=form.cleaned_data["reason"],
            override=True,  # the page has shown every warning
        )
    except journal.Closed:
        return evening_closed(request, params.table.evening)
    except journal.Stale as stale:
        since = _actions_since(params.table, stale.since)
        return _show(request, params, form=form, since=since, status=CONFLICT)
    except journal.Refused:
        return _show(request, params, form=form, status=UNPROCESSABLE)
    if action is None:
        return _show(request, params, form=form)
    return redirect(_done_url(params.table, action))


def _seen_version(request: Request, params: ChangeParams) -> Version | None:
    """Return the version that the page showed. Raise `BadRequest` without one."""
    seen = parse_id(request.POST.get("seen"))
    version = Version.objects.filter(pk=seen, hand__table=params.table).first()
    if version is None and params.hand:
        raise BadRequest("expected the version that was seen")
    return version


def _show(
    request: Request,
    params: ChangeParams,
    *,
    form: ReasonForm | None = None,
    since: Iterable[ActionView] = (),
    status: int = 200,
) -> HttpResponse:
    plan = _plan(params)
    page = {
        "params": params,
        "table": params.table,
        "evening": params.table.evening,
        "summary": _summary(params),
        "plan": plan,
        "form": form or ReasonForm(),
        "since": since,
        "id": uuid4(),
        "may_save": not plan.refused and not plan.nothing,
    }
    return render(request, "ledger/table/correction_plan.html", page, status=status)


def _plan(params: ChangeParams) -> CorrectionView:
    if params.change is None:
        return CorrectionView(
            problems=(_("Choose two players, and the first hand in which they swap."),),
            refused=True,
        )
    try:
        plan = journal.plan_correction(params.table, params.change)
    except journal.Refused as refused:
        return CorrectionView(
            problems=tuple(messages_of(refused.problems)), refused=True
        )
    return correction_view(plan, params.table.evening)


def _summary(params: ChangeParams) -> Summary | None:
    if params.hand is None or params.seen is None:
        return None
    return summary(params.seen, Player.objects.in_bulk(params.seen.players))


def _undo_refused(
    request: Request,
    table: Table,
    since: Iterable[ActionView] = (),
    problems: Iterable[str] = (),
) -> HttpResponse:
    page = {
        "table": table,
        "evening": table.evening,
        "since": since,
        "problems": problems,
    }
    return render(request, "ledger/errors/undo_refused.html", page, status=CONFLICT)


def _actions_since(table: Table, since: Iterable[Action]) -> list[ActionView]:
    among = Action.objects.filter(pk__in=[action.pk for action in since])
    people = table.evening.club.players.in_bulk()
    return actions.action_views(actions.with_details(among).order_by("number"), people)


def _done_url(table: Table, action: Action) -> str:
    return f"{reverse('table', args=[table.pk])}?done={action.pk}"
