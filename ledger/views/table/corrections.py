"""A change to an earlier hand: what it would do is shown before it is saved."""

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

CONFLICT, UNPROCESSABLE = 409, 422


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason (optional)"),
        required=False,
        max_length=200,
        widget=text_box(autocomplete="off", enterkeyhint="done"),
    )


@dataclass(frozen=True)
class ChangeParams:
    """A change that somebody asks for: what it is called, and where he comes from."""

    table: Table
    change: Change | None
    title: str
    does: str
    seen: Version | None
    hand: Hand | None = None
    carried: dict[str, int] = field(default_factory=dict)
    """What the form has to send along."""

    @property
    def back(self) -> str:
        if self.hand:
            return reverse("hand", args=[self.hand.pk])
        return reverse("seats", args=[self.table.pk])


@signed_in_form
def void(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    title = _("Take hand {number} back").format(number=hand.number)
    return _answer(request, _of_hand(hand, Void(hand), title, title))


@signed_in_form
def restore(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    title = _("Restore the hand")
    return _answer(request, _of_hand(hand, Restore(hand), title, title))


@signed_in_form
def swap_sides(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    title = _("Swap the sides of hand {number}").format(number=hand.number)
    return _answer(request, _of_hand(hand, SwapSides(hand), title, _("Swap the sides")))


@signed_in_form
def reorder(request: Request, pk: UUID, other: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    second = Hand.objects.filter(table=hand.table, pk=other).exclude(pk=pk).first()
    if second is None:
        raise Http404
    first, last = sorted((hand.number, second.number))
    title = _("Swap hands {first} and {last}").format(first=first, last=last)
    return _answer(request, _of_hand(hand, Swap(hand, second), title, title))


@signed_in_form
def reseat(request: Request, pk: int) -> HttpResponse:
    """Two players were taken for each other from some hand on."""
    table = table_of(request, pk, write=True)
    data = request.POST if request.method == "POST" else request.GET
    asked = {
        name: whole_number(data.get(name)) or 0 for name in ("player", "other", "from")
    }
    people = table.evening.club.players.in_bulk([asked["player"], asked["other"]])
    return _answer(request, _reseating(table, asked, people))


@signed_in_action
def undo(request: Request, pk: int) -> HttpResponse:
    """Undo the last action of a table, or do again what was just undone."""
    table = table_of(request, pk, write=True)
    action = Action.objects.filter(
        evening=table.evening_id, pk=parse_id(request.POST.get("action"))
    ).first()
    if action is None:
        raise BadRequest("expected an action of this evening")
    try:
        done = journal.undo(action, id=id_of(request), by=request.user)
    except journal.Closed:
        return evening_closed(request, table.evening)
    except journal.Stale as stale:
        return _too_late(request, table, _deeds(table, stale.since))
    except journal.Refused as refused:
        return _too_late(request, table, problems=messages_of(refused.problems))
    return redirect(_done(table, done))


def _of_hand(hand: Hand, change: Change, title: str, does: str) -> ChangeParams:
    versions = hand.versions.select_related("edition")
    return ChangeParams(
        hand.table, change, title, does, versions.latest("number"), hand
    )


def _reseating(
    table: Table, asked: dict[str, int], people: dict[int, Player]
) -> ChangeParams:
    title = _("Correct two seats")
    if len(people) < 2 or not asked["from"]:
        return ChangeParams(table, None, title, title, None)
    one, two = people[asked["player"]], people[asked["other"]]
    does = _("Swap {name} and {other} from hand {number} on").format(
        name=one.name, other=two.name, number=asked["from"]
    )
    versions = Version.objects.filter(
        hand__table=table, hand__number=asked["from"], hand__voided=False
    )
    seen = versions.order_by("-number").first()
    change = Reseat(asked["from"], one, two)
    return ChangeParams(table, change, title, does, seen, carried=asked)


def _answer(request: Request, wish: ChangeParams) -> HttpResponse:
    if request.method == "POST" and wish.change is not None:
        return _save(request, wish, wish.change)
    if wish.table.evening.closed_at:
        return evening_closed(request, wish.table.evening)
    return _show(request, wish)


def _save(request: Request, wish: ChangeParams, change: Change) -> HttpResponse:
    form = ReasonForm(request.POST)
    id, seen = id_of(request), _seen(request, wish)
    if not form.is_valid():
        return _show(request, wish, form=form, status=UNPROCESSABLE)
    try:
        action = journal.correct(
            wish.table,
            change,
            id=id,
            by=request.user,
            seen=seen,
            reason=form.cleaned_data["reason"],
            override=True,  # the page has shown every warning
        )
    except journal.Closed:
        return evening_closed(request, wish.table.evening)
    except journal.Stale as stale:
        since = _deeds(wish.table, stale.since)
        return _show(request, wish, form=form, since=since, status=CONFLICT)
    except journal.Refused:
        return _show(request, wish, form=form, status=UNPROCESSABLE)
    if action is None:
        return _show(request, wish, form=form)
    return redirect(_done(wish.table, action))


def _seen(request: Request, wish: ChangeParams) -> Version | None:
    """Return what the scorer saw before he decided."""
    seen = parse_id(request.POST.get("seen"))
    version = Version.objects.filter(pk=seen, hand__table=wish.table).first()
    if version is None and wish.hand:
        raise BadRequest("expected the version that was seen")
    return version


def _show(
    request: Request,
    wish: ChangeParams,
    *,
    form: ReasonForm | None = None,
    since: Iterable[ActionView] = (),
    status: int = 200,
) -> HttpResponse:
    plan = _plan(wish)
    page = {
        "wish": wish,
        "table": wish.table,
        "evening": wish.table.evening,
        "told": _told(wish),
        "plan": plan,
        "form": form or ReasonForm(),
        "since": since,
        "id": uuid4(),
        "may_save": not plan.refused and not plan.nothing,
    }
    return render(request, "ledger/table/correction_plan.html", page, status=status)


def _plan(wish: ChangeParams) -> CorrectionView:
    if wish.change is None:
        return CorrectionView(
            problems=(_("Choose two players, and the first hand in which they swap."),),
            refused=True,
        )
    try:
        plan = journal.plan_correction(wish.table, wish.change)
    except journal.Refused as refused:
        return CorrectionView(
            problems=tuple(messages_of(refused.problems)), refused=True
        )
    return correction_view(plan, wish.table.evening)


def _told(wish: ChangeParams) -> Summary | None:
    if wish.hand is None or wish.seen is None:
        return None
    return summary(wish.seen, Player.objects.in_bulk(wish.seen.players))


def _too_late(
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


def _deeds(table: Table, since: Iterable[Action]) -> list[ActionView]:
    done = Action.objects.filter(pk__in=[action.pk for action in since])
    people = table.evening.club.players.in_bulk()
    return actions.action_views(actions.with_details(done).order_by("number"), people)


def _done(table: Table, action: Action) -> str:
    return f"{reverse('table', args=[table.pk])}?done={action.pk}"
