"""An evening put right: what would change is shown, then it is saved in one step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from ledger import journal
from ledger.access import Request, club_of, evening_of, is_owner, owner_only
from ledger.journal import AmendmentPlan, RefusedHand, Rescored
from ledger.models import Action, Club, Evening, Season, Table, locks
from ledger.presenters import actions
from ledger.presenters.amendment import differences
from ledger.presenters.correction_plan import HandChangeView, hand_change_view
from ledger.text.messages import messages_of, say
from ledger.text.parsing import parse_id
from ledger.views.decorators import signed_in_action, signed_in_form
from ledger.views.evening.amend_form import CorrectForm
from ledger.views.late_writes import closed
from ledger.views.params import id_of, id_or_new
from scoring import Refused

CONFLICT, UNPROCESSABLE = 409, 422
SEEN = "seen"


@dataclass(frozen=True)
class ShownRefusal:
    """A hand in the way of other rules, and why, for a page."""

    refusal: RefusedHand
    why: tuple[str, ...]

    @classmethod
    def of(cls, one: RefusedHand) -> ShownRefusal:
        names = [player.name for player in one.players]
        return cls(one, tuple(say(p.message, names) for p in one.problems))


@dataclass(frozen=True)
class ShownTable:
    """The hands of a table that would move; without a number there is but one."""

    number: int | None
    hands: Sequence[HandChangeView]


@signed_in_form
def correct(request: Request, pk: int) -> HttpResponse:
    """Show what would change, then change it."""
    evening = evening_of(request, pk, write=True)
    if done := sent_before(request, evening.club):
        return redirect(done_url(done))
    if evening.closed_at and not is_owner(evening):
        return closed(request, evening)
    form = CorrectForm(request.POST or None, evening=evening)
    if evening.season.closed_at:
        problems = [_season_closed(evening.season)]
        status = CONFLICT if form.is_bound else 200
        return _show(request, evening, form, problems=problems, status=status)
    if not form.is_bound:
        return _show(request, evening, form)
    if not form.is_valid():
        return _show(request, evening, form, status=UNPROCESSABLE)
    plan = journal.plan_amendment(evening, form.amendment())
    seen = request.POST.get(SEEN, "")
    if seen != plan.seen and (done := sent_before(request, evening.club)):
        return redirect(done_url(done))  # by a twin of the form, just now
    if is_late(seen, plan.seen):
        return _faster(request, evening, form, plan, seen)
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
        return redirect(done_url(action) if action else reverse("evening", args=[pk]))
    except locks.Closed as late:
        return closed(request, evening_of(request, late.evening.pk))
    except locks.SeasonClosed as shut:
        problems = [_season_closed(shut.season)]
    except journal.Stale:
        fresh = evening_of(request, evening.pk)
        now = journal.plan_amendment(fresh, form.amendment())
        return _faster(request, fresh, form, now, plan.seen)
    except Refused as refused:
        problems = form.refuse(refused)
    return _show(request, evening, form, plan, problems=problems, status=UNPROCESSABLE)


def _faster(
    request: Request,
    evening: Evening,
    form: CorrectForm,
    plan: AmendmentPlan,
    seen: str,
) -> HttpResponse:
    """Show it anew: somebody has done something since it was shown."""
    since = evening.actions.filter(number__gt=journal.last_known(seen))
    told = actions.action_views(
        actions.with_details(since.order_by("number")), plan.people
    )
    return _show(request, evening, form, plan, since=told, status=CONFLICT)


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
        page |= _told(plan, evening)
    return render(request, "ledger/evening/evening_correct.html", page, status=status)


def _told(plan: AmendmentPlan, evening: Evening) -> dict[str, object]:
    """Return what a page shows of *plan*."""
    moved = [at for at in plan.tables if at.rows]
    return {
        "plan": plan,
        "differences": [*differences(plan.before, plan.after, _by_key(plan.tables))],
        "sums": plan.moving,
        "currency": plan.after.get("currency", evening.currency),
        "tables": [_table(at, plan) for at in moved],
        "unmoved": bool(plan.tables) and not moved and not plan.refusals,
        "refusals": [ShownRefusal.of(one) for one in plan.refusals],
        "ready": not plan.nothing and not plan.problems,
    }


def _by_key(rescored: Iterable[Rescored]) -> dict[int, Table]:
    return {at.table.pk: at.table for at in rescored}


def _table(at: Rescored, plan: AmendmentPlan) -> ShownTable:
    number = at.table.number if len(plan.tables) > 1 else None
    return ShownTable(number, [hand_change_view(row, plan.people) for row in at.rows])


# Removing


@signed_in_form
def remove(request: Request, pk: int) -> HttpResponse:
    """Ask once, say what is in the way, remove."""
    try:
        evening = evening_of(request, pk, write=True)
    except Http404:
        if done := _removed_by(request, pk):
            return redirect(done_url(done))
        raise
    if evening.closed_at and not is_owner(evening):
        return closed(request, evening)
    problems = messages_of(journal.removal_obstacles(evening))
    if evening.season.closed_at:
        problems.append(_season_closed(evening.season))
    if request.method == "POST" and not problems:
        try:
            id, by = id_of(request), request.user
            return redirect(done_url(journal.remove_evening(evening, id=id, by=by)))
        except locks.Closed as late:
            return closed(request, evening_of(request, late.evening.pk))
        except locks.SeasonClosed as shut:
            problems = [_season_closed(shut.season)]
        except Refused as refused:
            problems = messages_of(refused.problems)
    page = {"evening": evening, "problems": problems, "id": uuid4()}
    status = CONFLICT if request.method == "POST" else 200
    return render(request, "ledger/evening/evening_remove.html", page, status=status)


def _removed_by(request: Request, pk: int) -> Action | None:
    """Return what removed the evening when this was sent before, or meanwhile."""
    mine = Action.objects.filter(evening__club__members__user=request.user.pk)
    sent = mine.filter(pk=parse_id(request.POST.get("id")), evening=pk)
    return sent.filter(after__removed=True).first()


# Undoing


@signed_in_action
def undo(request: Request, pk: int) -> HttpResponse:
    """Undo a correction of the club, or of one of its evenings."""
    club = club_of(request, pk, write=True)
    asked = parse_id(request.POST.get("action"))
    action = journal.corrections_of(club).filter(pk=asked).first()
    if action is None:
        raise BadRequest("expected a correction of this club")
    if action.evening is None:
        owner_only(club)
    problems, since = list[str](), list[Action]()
    try:
        undoing = journal.undo_amendment(action, id=id_of(request), by=request.user)
        return redirect(done_url(undoing))
    except locks.Closed as late:
        return closed(request, evening_of(request, late.evening.pk))
    except locks.SeasonClosed as shut:
        problems = [_season_closed(shut.season)]
    except journal.Stale as stale:
        since = list(stale.since)
    except Refused as refused:
        problems = messages_of(refused.problems)
    page = {
        "club": club,
        "back": _place(action),
        "problems": problems,
        "since": deeds(club, since),
    }
    return render(
        request, "ledger/errors/undo_correction_refused.html", page, status=CONFLICT
    )


def is_late(seen: str, now: str) -> bool:
    """Tell whether anything was done since somebody saw what would change."""
    return seen != "" and journal.last_known(seen) != journal.last_known(now)


def sent_before(request: Request, club: Club) -> Action | None:
    """Return what was written when this form was sent first, if it was."""
    id = parse_id(request.POST.get("id"))
    return journal.corrections_of(club).filter(pk=id).first() if id.int else None


def deeds(club: Club, done: Iterable[Action]) -> list[actions.ActionView]:
    """Return *done* told in words."""
    which = Action.objects.filter(pk__in=[action.pk for action in done])
    people = club.players.in_bulk()
    return actions.action_views(actions.with_details(which).order_by("number"), people)


def undoable(done: QuerySet[Action], **which: object) -> actions.ActionView | None:
    """Return the last of *done* that is not undone, told in words."""
    last = done.filter(**which, undone_by=None).order_by("-number").first()
    return actions.action_views([last], {})[0] if last else None


def toast(club: Club, asked: str | None) -> actions.ActionView | None:
    """Return what an address says was corrected just now, if it can be undone."""
    return undoable(journal.corrections_of(club), pk=parse_id(asked)) if asked else None


def _place(action: Action) -> str:
    """Return the page of what *action* has changed."""
    if action.evening is None:
        return reverse("club_settings", args=[action.club_id])
    if action.evening.removed:
        return reverse("club", args=[action.evening.club_id])
    return reverse("evening", args=[action.evening_id])


def done_url(action: Action) -> str:
    """Return the page that says what was done, and can undo it."""
    action = Action.objects.select_related("evening").get(pk=action.pk)
    return f"{_place(action)}?done={action.pk}"


def _season_closed(season: Season) -> str:
    says = _("The season {name} is closed: it has to be reopened first.")
    return says.format(name=season.name)
