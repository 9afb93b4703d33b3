"""An evening put right: what would change is shown, then it is saved in one step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ledger import actions, amended, amending, days, history
from ledger.access import Request, club_of, evening_of, is_owner, owner_only
from ledger.amended import WHOLE, Amended, Amendment, Refusal, Rescored
from ledger.differences import differences
from ledger.forms import (
    NameField,
    currency_field,
    day_field,
    stake_field,
    stake_of,
    text_box,
)
from ledger.games import GameForm
from ledger.models import Action, Club, Evening, Season, Table
from ledger.planned import ShownHand, said, shown_hand
from ledger.posted import id_of, uuid
from ledger.templatetags.kontra import roman
from ledger.views.closed import closed
from ledger.views.purse import figures
from ledger.words import say
from scoring import Refused

METHODS = ["GET", "POST"]
CONFLICT, UNPROCESSABLE = 409, 422
SEEN = "seen"


class TableGameForm(GameForm):
    """Which game a table plays, and by which rules; untouched where none is sent."""

    def __init__(self, data: Any, *, number: int, legend: str, **more: Any) -> None:
        super().__init__(data, prefix=f"table-{number}", **more)
        self.number, self.legend = number, legend

    @property
    def is_sent(self) -> bool:
        return self.variant_field in self.data

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["tariff"] = self._tariff() if self.is_sent else None
        return self.cleaned_data


class CorrectForm(forms.Form):
    """What an evening is, as it was begun; *games* are those of its tables."""

    name = NameField(label=gettext_lazy("Name"), max_length=80)
    date = day_field(gettext_lazy("Date"), days.played)
    stake = stake_field()
    reason = forms.CharField(
        label=gettext_lazy("Why it changes"),
        required=False,
        max_length=actions.MOST_REASON,
        widget=text_box(autocomplete="off", enterkeyhint="done"),
    )

    def __init__(self, data: Any = None, *, evening: Evening) -> None:
        super().__init__(data, initial=_initial(evening))
        self.fields["currency"] = currency_field(evening.currency)
        self.seasons = {str(season.pk): season for season in _seasons(evening)}
        if len(self.seasons) > 1:
            self.fields["season"] = _season_field(self.seasons)
        self.games = [*_games(data, evening)]

    def is_valid(self) -> bool:
        return all([super().is_valid(), *(game.is_valid() for game in self.games)])

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["worth"] = stake_of(self)
        return self.cleaned_data

    def amendment(self) -> Amendment:
        said = self.cleaned_data
        games = {game.number: game.cleaned_data["tariff"] for game in self.games}
        return Amendment(
            name=said["name"],
            date=said["date"],
            season=self.seasons.get(said.get("season", "")),
            currency=said["currency"],
            stake=said["worth"],
            games={number: game for number, game in games.items() if game},
        )

    def refuse(self, refused: Refused) -> list[str]:
        """Say at its field what is wrong, and return what belongs to none."""
        left = []
        for problem in refused.problems:
            if problem.field in self.fields:
                self.add_error(problem.field, say(problem.message))
            elif problem.code != "refused_hand":  # shown with its hand
                left.append(problem)
        return said(left)


def _initial(evening: Evening) -> dict[str, object]:
    known: dict[str, object] = {
        "name": evening.name,
        "date": evening.date,
        "season": evening.season_id,
        "currency": evening.currency,
    }
    if evening.currency:
        known["stake"] = figures(evening.stake, evening.currency)
    return known


def _seasons(evening: Evening) -> Iterable[Season]:
    """Return the seasons in which the evening may be: those that are open."""
    return evening.club.seasons.filter(closed_at=None).order_by("-starts", "-pk")


def _season_field(seasons: Mapping[str, Season]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("Season"),
        choices=[(pk, season.name) for pk, season in seasons.items()],
        widget=forms.Select(attrs={"class": "input"}),
    )


def _games(data: Any, evening: Evening) -> Iterable[TableGameForm]:
    tables = amended.tables_of(evening)
    for number, edition in [(at.number, at.edition) for at in tables] or [
        (WHOLE, evening.edition)
    ]:
        legend = _("Game at table {numeral}").format(numeral=roman(number))
        yield TableGameForm(
            data,
            number=number,
            legend=legend if len(tables) > 1 else _("Game"),
            variant=edition.variant,
            rules=edition.rules,
        )


@dataclass(frozen=True)
class ShownRefusal:
    """A hand in the way of other rules, and why, for a page."""

    refusal: Refusal
    why: tuple[str, ...]

    @classmethod
    def of(cls, one: Refusal) -> ShownRefusal:
        names = [player.name for player in one.players]
        return cls(one, tuple(say(p.message, names) for p in one.problems))


@dataclass(frozen=True)
class ShownTable:
    """The hands of a table that would move; without a number there is but one."""

    number: int | None
    hands: Sequence[ShownHand]


@login_required
@never_cache
@require_http_methods(METHODS)
def correct(request: Request, pk: int) -> HttpResponse:
    """Show what would change, then change it."""
    evening = evening_of(request, pk, write=True)
    if done := sent_before(request, evening.club):
        return redirect(done_url(done))
    if evening.closed_at and not is_owner(evening):
        return closed(request, evening)
    form = CorrectForm(request.POST or None, evening=evening)
    if evening.season.closed_at:
        return _show(request, evening, form, problems=[_season_closed(evening.season)])
    if not form.is_bound:
        return _show(request, evening, form)
    if not form.is_valid():
        return _show(request, evening, form, status=UNPROCESSABLE)
    plan = amended.planned(evening, form.amendment())
    seen = request.POST.get(SEEN, "")
    if is_late(seen, plan.seen):
        return _faster(request, evening, form, plan, seen)
    if seen != plan.seen or plan.nothing:
        status = UNPROCESSABLE if plan.problems else 200
        problems = form.refuse(Refused(plan.problems))
        return _show(request, evening, form, plan, problems=problems, status=status)
    return _save(request, evening, form, plan)


def _save(
    request: Request, evening: Evening, form: CorrectForm, plan: Amended
) -> HttpResponse:
    problems, pk = list[str](), evening.pk
    try:
        action = amending.amend(
            evening,
            form.amendment(),
            id=id_of(request),
            by=request.user,
            reason=form.cleaned_data["reason"],
            seen=plan.seen,
        )
        return redirect(done_url(action) if action else reverse("evening", args=[pk]))
    except actions.Closed as late:
        return closed(request, evening_of(request, late.evening.pk))
    except actions.SeasonClosed as shut:
        problems = [_season_closed(shut.season)]
    except actions.Stale:
        fresh = evening_of(request, evening.pk)
        now = amended.planned(fresh, form.amendment())
        return _faster(request, fresh, form, now, plan.seen)
    except Refused as refused:
        problems = form.refuse(refused)
    return _show(request, evening, form, plan, problems=problems, status=UNPROCESSABLE)


def _faster(
    request: Request, evening: Evening, form: CorrectForm, plan: Amended, seen: str
) -> HttpResponse:
    """Show it anew: somebody has done something since it was shown."""
    since = evening.actions.filter(number__gt=amending.last_known(seen))
    told = history.deeds(history.told_with(since.order_by("number")), plan.people)
    return _show(request, evening, form, plan, since=told, status=CONFLICT)


def _show(
    request: Request,
    evening: Evening,
    form: CorrectForm,
    plan: Amended | None = None,
    *,
    problems: Sequence[str] = (),
    since: Sequence[history.Deed] = (),
    status: int = 200,
) -> HttpResponse:
    posted = uuid(request.POST.get("id"))
    page: dict[str, object] = {
        "evening": evening,
        "form": form,
        "problems": problems,
        "since": since,
        "id": posted if posted.int else uuid4(),
        "club": evening.club,
        "may_save": not evening.season.closed_at,
        "last": undoable(amending.corrections_of(evening.club), evening=evening),
    }
    if plan is not None:
        page |= _told(plan, evening)
    return render(request, "ledger/evening_correct.html", page, status=status)


def _told(plan: Amended, evening: Evening) -> dict[str, object]:
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


def _table(at: Rescored, plan: Amended) -> ShownTable:
    number = at.table.number if len(plan.tables) > 1 else None
    return ShownTable(number, [shown_hand(row, plan.people) for row in at.rows])


# Removing


@login_required
@never_cache
@require_http_methods(METHODS)
def remove(request: Request, pk: int) -> HttpResponse:
    """Ask once, say what is in the way, remove."""
    if request.method == "POST" and (done := _removed_by(request, pk)):
        return redirect(done_url(done))
    evening = evening_of(request, pk, write=True)
    if evening.closed_at and not is_owner(evening):
        return closed(request, evening)
    problems = said(amending.in_the_way(evening))
    if evening.season.closed_at:
        problems.append(_season_closed(evening.season))
    if request.method == "POST" and not problems:
        try:
            id, by = id_of(request), request.user
            return redirect(done_url(amending.remove(evening, id=id, by=by)))
        except actions.Closed as late:
            return closed(request, evening_of(request, late.evening.pk))
        except actions.SeasonClosed as shut:
            problems = [_season_closed(shut.season)]
        except Refused as refused:
            problems = said(refused.problems)
    page = {"evening": evening, "problems": problems, "id": uuid4()}
    status = CONFLICT if request.method == "POST" else 200
    return render(request, "ledger/evening_remove.html", page, status=status)


def _removed_by(request: Request, pk: int) -> Action | None:
    """Return what removed the evening when this was sent before."""
    mine = Action.objects.filter(evening__club__members__user=request.user.pk)
    sent = mine.filter(pk=uuid(request.POST.get("id")), evening=pk)
    return sent.filter(after__removed=True).first()


# Undoing


@login_required
@require_POST
def undo(request: Request, pk: int) -> HttpResponse:
    """Undo a correction of the club, or of one of its evenings."""
    club = club_of(request, pk, write=True)
    asked = uuid(request.POST.get("action"))
    action = amending.corrections_of(club).filter(pk=asked).first()
    if action is None:
        raise BadRequest("expected a correction of this club")
    if action.evening is None:
        owner_only(club)
    problems, since = list[str](), list[Action]()
    try:
        undoing = amending.undo(action, id=id_of(request), by=request.user)
        return redirect(done_url(undoing))
    except actions.Closed as late:
        return closed(request, evening_of(request, late.evening.pk))
    except actions.SeasonClosed as shut:
        problems = [_season_closed(shut.season)]
    except actions.Stale as stale:
        since = list(stale.since)
    except Refused as refused:
        problems = said(refused.problems)
    page = {
        "club": club,
        "back": _place(action),
        "problems": problems,
        "since": deeds(club, since),
    }
    return render(request, "ledger/not_undone.html", page, status=CONFLICT)


def is_late(seen: str, now: str) -> bool:
    """Tell whether anything was done since somebody saw what would change."""
    return seen != "" and amending.last_known(seen) != amending.last_known(now)


def sent_before(request: Request, club: Club) -> Action | None:
    """Return what was written when this form was sent first, if it was."""
    id = uuid(request.POST.get("id"))
    return amending.corrections_of(club).filter(pk=id).first() if id.int else None


def deeds(club: Club, done: Iterable[Action]) -> list[history.Deed]:
    """Return *done* told in words."""
    which = Action.objects.filter(pk__in=[action.pk for action in done])
    people = club.players.in_bulk()
    return history.deeds(history.told_with(which).order_by("number"), people)


def undoable(done: QuerySet[Action], **which: object) -> history.Deed | None:
    """Return the last of *done* that is not undone, told in words."""
    last = done.filter(**which, undone_by=None).order_by("-number").first()
    return history.deeds([last], {})[0] if last else None


def toast(club: Club, asked: str | None) -> history.Deed | None:
    """Return what an address says was corrected just now, if it can be undone."""
    return undoable(amending.corrections_of(club), pk=uuid(asked)) if asked else None


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
