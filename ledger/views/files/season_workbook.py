"""The season book: at once where it is short, else as long work with a page of its own.

It says what the pages say, so every member may have it.
"""

from __future__ import annotations

from io import BytesIO

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from ledger import jobs
from ledger.access import Request, season_of
from ledger.exports import workbook
from ledger.jobs import Job, Outcome, Stopped
from ledger.models import Season
from ledger.snapshot import one_moment
from ledger.views.decorators import signed_in_form
from ledger.views.files.downloads import file_name

AT_ONCE = 2000
"""A phone waits for a book of so many hands; one of more is made apart."""


@signed_in_form
def season_book(request: Request, pk: int) -> HttpResponseBase:
    season = season_of(request, pk)
    if request.method == "POST":
        return _begin(request, season)
    hands = workbook.hand_count(season)
    if hands > AT_ONCE:
        page = {"club": season.club, "season": season, "hands": hands}
        return render(request, "ledger/files/season_workbook.html", page)
    file = BytesIO()
    workbook.write(season, file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=_name(season))


def _begin(request: Request, season: Season) -> HttpResponse:
    title = _("Season book {season}").format(season=season.name)
    job = jobs.start(
        make,
        title=title,
        user=request.user,
        club=season.club,
        asked={"season": season.pk},
    )
    return redirect("job", job.id)


def make(job: Job) -> Outcome:
    """Write the book that *job* asks for."""
    with one_moment(), job.result.open("wb") as file:
        season = Season.objects.select_related("club").get(pk=job.asked["season"])
        try:
            workbook.write(season, file, job.tell, place=job.folder)
        except workbook.TooLong as error:
            raise Stopped(str(error)) from None
    return Outcome(file=_name(season))


def _name(season: Season) -> str:
    return file_name(f"{season.club.name} {season.name}.xlsx")
