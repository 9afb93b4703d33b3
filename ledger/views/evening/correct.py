"""Page that corrects an evening: it shows every change, then saves them at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from ledger import journal
from ledger.access import Request, evening_of, is_owner
from ledger.journal import AmendmentPlan, RefusedHand, Rescored
from ledger.models import Evening, Table
from ledger.presenters import actions
from ledger.presenters.amendment import differences
from ledger.presenters.correction_plan import HandChangeView, hand_change_view
from ledger.presenters.refusals import season_closed
from ledger.text.messages import say
from ledger.views.amendments import (
    SEEN,
    amended_url,
    is_late,
    sent_before,
    undoable,
)
from ledger.views.decorators import signed_in_form
from ledger.views.evening.correct_form import CorrectForm
from ledger.views.late_writes import evening_closed
from ledger.views.params import id_of, id_or_new
from ledger.views.status import CONFLICT, UNPROCESSABLE
from scoring import Refused


@dataclass(frozen=True)
class RefusedHandRow:
    """Hand that the new rules refuse, with the reasons."""

    refusal: RefusedHand
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, one: RefusedHand) -> RefusedHandRow:
        names = [player.name for player in one.players]
        return cls(one, tuple(say(p.message, names) for p in one.problems))


@dataclass(frozen=True)
class RescoredTable:
    """Hands of a table that would change; *number* is None where there is but one."""

    number: int | None
    hands: Sequence[HandChangeView]


@signed_in_form
def correct(request: Request, pk: int) -> HttpResponse:
    """Show the difference first, then save it."""
    evening = evening_of(request, pk, write=True)
    if done := sent_before(request, evening.club):
        return redirect(amended_url(done))
    if evening.closed_at and not is_owner(evening):
        return evening_closed(request, evening)
    form = CorrectForm(request.POST or None, evening=evening)
    if evening.season.closed_at:
        problems = [season_closed(evening.season)]
        status = CONFLICT if form.is_bound else 200
        return _show(request, evening, form, problems=problems, status=status)
    if not form.is_bound:
        return _show(request, evening, form)
    if not form.is_valid():
        return _show(request, evening, form, status=UNPROCESSABLE)
    plan = journal.plan_amendment(evening, form.amendment())
    seen = request.POST.get(SEEN, "")
    if seen != plan.seen and (done := sent_before(request, evening.club)):
        return redirect(amended_url(done))  # the same form, sent twice at once
    if is_late(seen, plan.seen):
        return _changed_meanwhile(request, evening, form, plan, seen)
    if seen != plan.seen or plan.nothing:
        status = UNPROCESSABLE if plan.problems else 200
        problems = form.refuse(Refused(plan.problems))
        return _show(request, evening, form, plan, problems=problems, status=status)
    return _save(request, evening, form, plan)


def _save(
    request: Request, evening: Evening, form: CorrectForm, plan: AmendmentPlan
) -> HttpResponse:
    problems, pk = list[str](), evening.pk
    try:
        action = journal.amend_evening(
            evening,
            form.amendment(),
            id=id_of(request),
            by=request.user,
            reason=form.cleaned_data["reason"],
            seen=plan.seen,
        )
        return redirect(
            amended_url(action) if action else reverse("evening", args=[pk])
        )
    except journal.Closed as late:
        return evening_closed(request, evening_of(request, late.evening.pk))
    except journal.SeasonClosed as shut:
        problems = [season_closed(shut.season)]
    except journal.Stale:
        fresh = evening_of(request, evening.pk)
        now = journal.plan_amendment(fresh, form.amendment())
        return _changed_meanwhile(request, fresh, form, now, plan.seen)
    except Refused as refused:
        problems = form.refuse(refused)
    return _show(request, evening, form, plan, problems=problems, status=UNPROCESSABLE)


def _changed_meanwhile(
    request: Request,
    evening: Evening,
    form: CorrectForm,
    plan: AmendmentPlan,
    seen: str,
) -> HttpResponse:
    """Show the page anew, with the actions since the state *seen*."""
    since = evening.actions.filter(number__gt=journal.last_seen(seen))
    since_then = actions.action_views(
        actions.with_details(since.order_by("number")), plan.people
    )
    return _show(request, evening, form, plan, since=since_then, status=CONFLICT)


def _show(
    request: Request,
    evening: Evening,
    form: CorrectForm,
    plan: AmendmentPlan | None = None,
    *,
    problems: Sequence[str] = (),
    since: Sequence[actions.ActionView] = (),
    status: int = 200,
) -> HttpResponse:
    page: dict[str, object] = {
        "evening": evening,
        "form": form,
        "problems": problems,
        "since": since,
        "id": id_or_new(request),
        "club": evening.club,
        "may_save": not evening.season.closed_at,
        "last": undoable(journal.corrections_of(evening.club), evening=evening),
    }
    if plan is not None:
        page |= _plan_context(plan, evening)
    return render(request, "ledger/evening/evening_correct.html", page, status=status)


def _plan_context(plan: AmendmentPlan, evening: Evening) -> dict[str, object]:
    """Return the context of the page for *plan*."""
    changed = [at for at in plan.tables if at.rows]
    return {
        "plan": plan,
        "differences": [*differences(plan.before, plan.after, _by_key(plan.tables))],
        "sums": plan.moving,
        "currency": plan.after.get("currency", evening.currency),
        "tables": [_table(at, plan) for at in changed],
        "unchanged": bool(plan.tables) and not changed and not plan.refusals,
        "refusals": [RefusedHandRow.of(one) for one in plan.refusals],
        "ready": not plan.nothing and not plan.problems,
    }


def _by_key(rescored: Iterable[Rescored]) -> dict[int, Table]:
    return {at.table.pk: at.table for at in rescored}


def _table(at: Rescored, plan: AmendmentPlan) -> RescoredTable:
    number = at.table.number if len(plan.tables) > 1 else None
    return RescoredTable(
        number, [hand_change_view(row, plan.people) for row in at.rows]
    )
