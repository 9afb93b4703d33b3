"""Applying a sheet: one transaction, one action of the club, all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid5

from django.urls import reverse
from django.utils.translation import gettext as _

from ledger import journal
from ledger.imports import files
from ledger.imports.plan import ImportPlan, PlannedEvening
from ledger.imports.review import Review
from ledger.jobs import Job, JobOutcome, JobStopped
from ledger.journal import (
    SheetContents,
    SheetEvening,
)
from ledger.models import Action, OldSheet, Season, User

MOST_ROWS_AT_ONCE = 1_000
"""So many rows are brought in while the phone waits; more are a job."""
OF_THE_FILE = ("mode", "variant", "rules", "currency", "stake", "people", "dates")
"""Choices that hold for its other sheets too."""


class NotReady(ValueError):
    """Something is wrong or to be asked, perhaps since somebody else wrote."""


def apply_sheet(
    sheet: OldSheet,
    *,
    by: User,
    progress: Callable[[int, int], None] = journal.no_progress,
) -> Action:
    """Write all that *sheet* holds, its evenings closed; called again, find it.

    *progress* gets the steps done, and their total. Raise `NotReady`.
    """
    return journal.import_sheet(sheet, _contents, by=by, progress=progress)


def apply_in_job(job: Job) -> JobOutcome:
    """Apply a large sheet while a page shows how far it is."""
    sheet = OldSheet.objects.get(pk=job.params["sheet"])
    try:
        apply_sheet(
            sheet, by=User.objects.get(pk=job.user), progress=job.report_progress
        )
    except NotReady:
        message = _("Something has changed in the meantime: check the sheet again.")
        raise JobStopped(message) from None
    return JobOutcome(page=reverse("import_sheet", args=[sheet.pk]))


def _contents(sheet: OldSheet) -> SheetContents:
    """Return what *sheet* holds, its new players and tariff saved. Raise `NotReady`."""
    review = Review.of(sheet, save_edition=True)
    if not review.is_ready:
        raise NotReady
    if players_made := _players(sheet, review.plan):
        review = Review(sheet, review.edition)
        assert review.is_ready, "a sheet that was ready is so with its players"
    return SheetContents(
        edition=review.edition,
        currency=review.choices["currency"],
        stake=review.stake,
        evenings=[_evening(review, planned) for planned in review.plan.evenings],
        early_season=_early_season(review),
        players_made=players_made,
        fingerprints=review.grid.fingerprints,
        leftover=_leftover(sheet, review),
    )


def _players(sheet: OldSheet, plan: ImportPlan) -> list[int]:
    """Create the players who are new, choose them for their names, return their ids."""
    new = [one for one in plan.names.unmatched if one.player < 0]
    made = journal.add_players(sheet.club_id, [one.name for one in new])
    chosen = {one.key: str(pk) for one, pk in zip(new, made, strict=True)}
    people = {**sheet.choices.get("people", {}), **chosen}
    sheet.choices = {**sheet.choices, "people": people}
    return made


def _early_season(review: Review) -> Season | None:
    """Return a season for the evenings before all others, not saved yet."""
    if review.early_season_start is None:
        return None
    return Season(
        club=review.club, name=review.season_name, starts=review.early_season_start
    )


def _leftover(sheet: OldSheet, review: Review) -> OldSheet | None:
    """Return the other worksheets of the file, which wait for their turn."""
    content = files.remaining_content(
        bytes(sheet.content), review.sheets.known_fingerprints(review.grid)
    )
    if not content:
        return None
    return OldSheet(
        id=next_of(sheet.pk),
        club=review.club,
        name=sheet.name,
        digest=sheet.digest,
        content=content,
        choices={k: v for k, v in sheet.choices.items() if k in OF_THE_FILE},
        uploaded_by_id=sheet.uploaded_by_id,
    )


def next_of(id: UUID) -> UUID:
    """Return the id of the rest of a file, of which the sheet *id* is applied."""
    return uuid5(id, "others")


def _evening(review: Review, planned: PlannedEvening) -> SheetEvening:
    return SheetEvening(
        date=planned.date,
        name=planned.name,
        season=review.seasons.of(planned.date),
        results=planned.rows,
        tables=planned.tables,
    )
