"""Bringing a sheet in: one transaction, one action of the club, all or nothing."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from uuid import UUID, uuid4, uuid5

from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger import journal, statistics
from ledger.imports import files
from ledger.imports.plan import ImportPlan, PlannedEvening, PlannedHand, PlannedTable
from ledger.imports.review import Review
from ledger.jobs import Job, JobOutcome, JobStopped
from ledger.journal import HandMove, begin, known, twice
from ledger.models import Action, Entry, Evening, OldSheet, Player, Season, Table, User
from ledger.models.locks import locked_club
from ledger.table.replay import HandPlace

IMPORT, CLOSE = Action.Kind.IMPORT, Action.Kind.CLOSE
Tell = Callable[[int, int], None]
"""Say how far it is, and of how much."""
MOST_ROWS_AT_ONCE = 1_000
"""So many rows are brought in while the phone waits; more are a job."""
OF_THE_FILE = ("mode", "variant", "rules", "currency", "stake", "people", "dates")
"""Choices that hold for its other sheets too."""


class NotReady(ValueError):
    """Something is wrong or to be asked, perhaps since somebody else wrote."""


def quietly(done: int, total: int) -> None:
    """Tell nobody."""


@twice
def apply_sheet(sheet: OldSheet, *, by: User, tell: Tell = quietly) -> Action:
    """Write everything that *sheet* tells, its evenings closed; once, however often
    it is asked. Raise `NotReady`.
    """
    club = locked_club(sheet.club_id)
    if done := known(sheet.pk, IMPORT, club_id=club.pk):
        return done
    sheet = OldSheet.objects.select_for_update(no_key=True).get(pk=sheet.pk)
    review = Review.of(sheet, save_edition=True)
    if not review.is_ready:
        raise NotReady
    if made := _players(sheet, review.plan):
        review = Review(sheet, review.edition)
        assert review.is_ready, "what was ready is so with its players"
    action = begin(IMPORT, id=sheet.pk, by=by, club=club, reason=sheet.name)
    _write(review, action, tell)
    _finish(sheet, review, action, made)
    return action


def apply_in_job(job: Job) -> JobOutcome:
    """Bring in a large sheet while a page shows how far it is."""
    sheet = OldSheet.objects.get(pk=job.params["sheet"])
    try:
        apply_sheet(sheet, by=User.objects.get(pk=job.user), tell=job.report_progress)
    except NotReady:
        message = _("Something has changed in the meantime: check the sheet again.")
        raise JobStopped(message) from None
    return JobOutcome(page=reverse("import_sheet", args=[sheet.pk]))


def _finish(sheet: OldSheet, review: Review, action: Action, made: list[int]) -> None:
    """Keep what tells the sheet again; what else its file holds waits for its turn."""
    sheet.fingerprints = list(review.grid.fingerprints)
    if others := files.remaining_content(
        bytes(sheet.content), review.sheets.known_fingerprints(review.grid)
    ):
        OldSheet.objects.create(
            id=next_of(sheet.pk),
            club=review.club,
            name=sheet.name,
            digest=sheet.digest,
            content=others,
            choices={k: v for k, v in sheet.choices.items() if k in OF_THE_FILE},
            uploaded_by_id=sheet.uploaded_by_id,
        )
    sheet.action, sheet.players_made, sheet.content = action, made, b""
    sheet.save(update_fields=["action", "players_made", "content", "fingerprints"])


def next_of(id: UUID) -> UUID:
    """Return the id of what is left of a file when the sheet *id* is brought in."""
    return uuid5(id, "others")


def _players(sheet: OldSheet, plan: ImportPlan) -> list[int]:
    """Let those come to the club who are new in it: from now on they are meant."""
    new = [one for one in plan.names.unmatched if one.player < 0]
    players = [Player(club_id=sheet.club_id, name=one.name) for one in new]
    made = [player.pk for player in Player.objects.bulk_create(players)]
    known = {one.key: str(pk) for one, pk in zip(new, made, strict=True)}
    people = {**sheet.choices.get("people", {}), **known}
    sheet.choices = {**sheet.choices, "people": people}
    return made


def _write(review: Review, action: Action, tell: Tell) -> None:
    planned_evenings = review.plan.evenings
    early = _season(review)
    evenings = _evenings(review, action, early)
    total = 2 * len(planned_evenings)
    _post_rows(action, zip(evenings, planned_evenings, strict=True))
    for done, (evening, planned) in enumerate(
        zip(evenings, planned_evenings, strict=True)
    ):
        for table in planned.tables:
            _lay(action, evening, table)
        tell(done, total)
    for done, _evening in enumerate(close(action, action.by), len(planned_evenings)):
        tell(done, total)


def _evenings(review: Review, action: Action, early: Season | None) -> list[Evening]:
    currency, stake = review.choices["currency"], review.stake
    made = []
    for planned in review.plan.evenings:
        season = review.seasons.of(planned.date) or early
        assert season is not None
        made.append(
            Evening(
                club=review.club,
                season=season,
                name=planned.name,
                date=planned.date,
                edition=review.edition,
                currency=currency,
                stake=stake.numerator,
                stake_parts=stake.denominator,
                opened_at=moment(planned.date),
                created_by_id=action.by_id,
                imported=action,
            )
        )
    return Evening.objects.bulk_create(made)


def _season(review: Review) -> Season | None:
    """Return a season for what lies before all others."""
    if review.early_season_start is None:
        return None
    return Season.objects.create(
        club=review.club, name=review.season_name, starts=review.early_season_start
    )


def moment(date: datetime.date) -> datetime.datetime:
    """Return a time of *date*: an old sheet tells no hours."""
    noon = datetime.datetime.combine(date, datetime.time(12))
    return timezone.make_aware(noon)


# Points alone


def _post_rows(
    action: Action, planned_evenings: Iterable[tuple[Evening, PlannedEvening]]
) -> None:
    entries: list[journal.EnteredEntry] = []
    for evening, planned in planned_evenings:
        own = [
            (
                _entry(action, evening, row.row, row.hand),
                journal.gains(evening, row.gains),
            )
            for row in planned.rows
        ]
        entries += journal.topped(action, evening, own)
    journal.post(entries)


def _entry(action: Action, evening: Evening, row: str, hand: int | None) -> Entry:
    return Entry(
        id=uuid5(action.pk, f"row {row}"),
        club_id=evening.club_id,
        evening=evening,
        action=action,
        kind=Entry.Kind.SHEET,
        sheet_hand=hand,
        currency=evening.currency,
        created_by_id=action.by_id,
    )


# Whole hands


def _lay(action: Action, evening: Evening, planned: PlannedTable) -> None:
    """Lay a table, and record its hands by an action of its own."""
    at = Table.objects.create(
        evening=evening, number=planned.number, edition=evening.edition
    )
    journal.write_line_ups(at, planned.sittings)
    first = planned.sittings[:1]
    recording = begin(
        IMPORT,
        id=uuid5(action.pk, f"table {at.pk}"),
        by=action.by,
        table=at,
        seating_before={str(at.pk): journal.dump_line_ups(first)},
        seating_after={str(at.pk): journal.dump_line_ups(planned.sittings)},
    )
    moves = [HandMove(None, _place(action, evening, hand)) for hand in planned.hands]
    journal.write_moves(recording, at, moves)


def _place(action: Action, evening: Evening, hand: PlannedHand) -> HandPlace:
    id = uuid5(action.pk, f"row {hand.row}")
    played_at = moment(evening.date)
    return HandPlace(id, hand.number, True, played_at, hand.facts)


# Closing


def close(imported: Action, by: User) -> Iterator[Evening]:
    """Close the evenings of an import, and yield each when its digests are kept."""
    made = Evening.objects.filter(imported=imported)
    Action.objects.bulk_create(_each(CLOSE, made.filter(closed_at=None), by))
    made.filter(closed_at=None).update(closed_at=timezone.now())
    in_order = made.select_related("club", "edition").order_by("date", "pk")
    yield from statistics.rebuild(in_order.iterator(chunk_size=100))


def reopen(imported: Action, by: User) -> None:
    """Open them again, first: nothing is written in a closed evening."""
    closed = Evening.objects.filter(imported=imported).exclude(closed_at=None)
    actions = _each(Action.Kind.REOPEN, closed, by, imported.reason)
    closed.update(closed_at=None)
    Action.objects.bulk_create(actions)


def _each(
    kind: Action.Kind, evenings: QuerySet[Evening], by: User, reason: str = ""
) -> list[Action]:
    """Return the next action of each evening, all of one kind, not yet written."""
    lasts = evenings.annotate(last=Max("actions__number")).values_list("pk", "last")
    return [
        Action(
            id=uuid4(),
            kind=kind,
            evening_id=evening,
            number=(last or 0) + 1,
            reason=reason,
            by_id=by.pk,
        )
        for evening, last in lasts
    ]
