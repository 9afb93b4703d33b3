"""Page of a job: its progress, and its outcome."""

from __future__ import annotations

from uuid import UUID

from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render

from ledger import jobs
from ledger.access import Request, club_of
from ledger.jobs import Job
from ledger.models import Club
from ledger.views.decorators import signed_in_page

REFRESH_SECONDS = 2
"""Seconds after which the page reloads."""


@signed_in_page
def job(request: Request, pk: UUID) -> HttpResponse:
    job, club = _job_of_reader(request, pk)
    status = jobs.status(job)
    if status.outcome.page:
        return redirect(status.outcome.page)
    page = {"job": job, "club": club, "status": status}
    answer = render(request, "ledger/files/job.html", page)
    if status.runs:
        answer["Refresh"] = str(REFRESH_SECONDS)
    return answer


@signed_in_page
def result(request: Request, pk: UUID) -> FileResponse:
    job, _club = _job_of_reader(request, pk)
    name = jobs.status(job).outcome.file
    if not name:
        raise Http404
    return FileResponse(job.result.open("rb"), as_attachment=True, filename=name)


def _job_of_reader(request: Request, pk: UUID) -> tuple[Job, Club]:
    """Return the job and its club, if the reader started it and is still a member."""
    try:
        job = jobs.get(pk)
    except LookupError:
        raise Http404 from None
    if job.user != request.user.pk:
        raise Http404
    return job, club_of(request, job.club)
