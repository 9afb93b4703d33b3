"""Taking back what a sheet has brought in: every balance is then what it was."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid5

from django.db.models import Exists, OuterRef, Q

from ledger import journal
from ledger.imports.apply import close, reopen
from ledger.journal import Stale, begin, known, twice
from ledger.models import (
    Action,
    Entry,
    Evening,
    OldSheet,
    Player,
    Posting,
    Season,
    Seat,
    Step,
    User,
    Version,
)
from ledger.models.locks import SeasonClosed, locked_club
from ledger.settlement import in_force
from ledger.table.replay import facts_of
from scoring import refuse
from scoring.text import _

RECORDED = Step.objects.filter(action__kind=Action.Kind.IMPORT)
"""How the hands of old sheets came in."""


@twice
def revert_import(action: Action, *, id: UUID, by: User) -> Action:
    """Reverse all that the import *action* wrote.

    Raise `Refused` when somebody has built on it since, `Stale` when it was taken
    back already, `SeasonClosed`.
    """
    assert action.club_id is not None
    club = locked_club(action.club_id)
    if done := known(id, Action.Kind.UNDO, undoes_id=action.pk):
        return done
    if since := list(Action.objects.filter(undoes=action)):
        raise Stale(None, since)
    evenings = Evening.objects.filter(imported=action).order_by("pk")
    list(evenings.select_for_update(no_key=True).values_list("pk"))
    _check_untouched(action)
    undoing = begin(
        Action.Kind.UNDO, id=id, by=by, club=club, undoes=action, reason=action.reason
    )
    reopen(action, by)
    _reverse(action, undoing)
    for _evening in close(action, by):
        pass
    _retire(action)
    return undoing


def built_on(action: Action) -> Iterator[Entry]:
    """Yield what counts in the evenings of an import and did not come with it."""
    told = Q(kind=Entry.Kind.SHEET, action=action)
    came = Exists(RECORDED.filter(hand=OuterRef("version__hand")))
    recorded = Q(came, kind=Entry.Kind.HAND, version__number=1)
    counted = in_force(Entry.objects.filter(evening__imported=action))
    others = counted.exclude(told | recorded).order_by("created_at")
    for entry in others.select_related("evening", "version__edition"):
        if entry.version is None or not _is_as_it_came(entry.version):
            yield entry


def _is_as_it_came(version: Version) -> bool:
    """Whether a hand that was corrected is again as the sheet told it."""
    came = RECORDED.filter(hand=version.hand_id).select_related("after__edition")
    step = came.first()
    return bool(step and step.after and facts_of(step.after) == facts_of(version))


def _check_untouched(action: Action) -> None:
    evenings = Evening.objects.filter(imported=action)
    closed = Season.objects.exclude(closed_at=None).filter(evenings__in=evenings)
    if season := closed.first():
        raise SeasonClosed(season)
    if other := next(built_on(action), None):
        message = _(
            "Since then something was recorded in {evening}: take that back first."
        )
        refuse("action", message, code="built_on", evening=other.evening)


def _reverse(action: Action, undoing: Action) -> None:
    told = Entry.objects.filter(action=action, kind=Entry.Kind.SHEET, reversal=None)
    entries = told.select_related("evening").prefetch_related("postings")
    by_evening: dict[Evening, list[journal.EnteredEntry]] = {}
    for entry in entries:
        assert entry.evening is not None
        by_evening.setdefault(entry.evening, []).append(
            journal.reversal(undoing, entry)
        )
    journal.post(
        [
            entered
            for evening, back in by_evening.items()
            for entered in journal.topped(undoing, evening, back)
        ]
    )
    tables = Action.objects.filter(
        evening__imported=action, kind=Action.Kind.IMPORT, undone_by=None
    )
    for recording in tables.select_related("table__evening", "table__edition"):
        assert recording.table is not None
        id = uuid5(undoing.pk, str(recording.pk))
        journal.turn_back(recording.table, recording, id, undoing.by)


def _retire(action: Action) -> None:
    """Let those go who came to the club by the sheet, and have done nothing else."""
    sheet = OldSheet.objects.filter(action=action).first()
    made = Player.objects.filter(pk__in=sheet.players_made if sheet else ())
    elsewhere = ~Q(entry__evening__imported=action) | Q(entry__evening=None)
    played = Posting.objects.filter(elsewhere, player__in=made)
    seated = Seat.objects.filter(player__in=made).exclude(
        lineup__table__evening__imported=action
    )
    gone = made.exclude(pk__in=played.values("player"))
    gone.exclude(pk__in=seated.values("player")).update(retired=True)
