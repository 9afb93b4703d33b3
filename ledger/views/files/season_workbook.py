"""Download of the season workbook, for every member: at once, or by a job if long."""

from __future__ import annotations

from io import BytesIO

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from ledger import jobs
from ledger.access import Request, season_of
from ledger.exports import workbook
from ledger.jobs import Job, JobOutcome, JobStopped
from ledger.models import Season
from ledger.snapshot import read_snapshot
from ledger.views.decorators import signed_in_form
from ledger.views.files.downloads import file_name

MOST_HANDS_AT_ONCE = 2000
"""Hands of a season that are written while the phone waits."""


@signed_in_form
def season_book(request: Request, pk: int) -> HttpResponseBase:
    season = season_of(request, pk)
    if request.method == "POST":
        return _start_job(request, season)
    hands = workbook.hand_count(season)
    if hands > MOST_HANDS_AT_ONCE:
        page = {"club": season.club, "season": season, "hands": hands}
        return render(request, "ledger/files/season_workbook.html", page)
    file = BytesIO()
    workbook.write(season, file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=_file_name(season))


def _start_job(request: Request, season: Season) -> HttpResponse:
    title = _("Season book {season}").format(season=season.name)
    job = jobs.start(
        write_workbook,
        title=title,
        user=request.user,
        club=season.club,
        params={"season": season.pk},
    )
    return redirect("job", job.id)


def write_workbook(job: Job) -> JobOutcome:
    """Write the workbook of a season, as the work of a job."""
    with read_snapshot(), job.result.open("wb") as file:
        season = Season.objects.select_related("club").get(pk=job.params["season"])
        try:
            workbook.write(season, file, job.report_progress, place=job.folder)
        except workbook.TooLong as error:
            raise JobStopped(str(error)) from None
    return JobOutcome(file=_file_name(season))


def _file_name(season: Season) -> str:
    return file_name(f"{season.club.name} {season.name}.xlsx")
