"""Page of one old sheet: reviewed, applied, and reverted.

The choices of its form: `import_choices`; what the page shows: `import_review`.
"""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID, uuid4

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from ledger import jobs, journal
from ledger.access import Request, club_of, owner_only
from ledger.imports import apply
from ledger.imports.apply import MOST_ROWS_AT_ONCE, NotReady, apply_sheet
from ledger.imports.files import Unreadable
from ledger.imports.review import Review
from ledger.models import Action, Club, OldSheet
from ledger.text.messages import messages_of
from ledger.views.decorators import signed_in_form
from ledger.views.files.import_choices import updated_choices
from ledger.views.files.import_review import MOST_LISTED, review_context
from ledger.views.files.imports import UNPROCESSABLE
from ledger.views.params import id_of


@signed_in_form
def import_sheet(request: Request, pk: UUID) -> HttpResponse:
    """A sheet under review, or the import that it has become.

    An import of a club loaded from a file has no sheet.
    """
    action = Action.objects.filter(pk=pk, kind=Action.Kind.IMPORT).first()
    if action is not None and action.club_id is not None:
        club = club_of(request, action.club_id)
        owner_only(club)
        return _imported(request, club, action)
    sheet = get_object_or_404(OldSheet.objects.select_related("club"), pk=pk)
    club = club_of(request, sheet.club_id)
    owner_only(club)
    if request.method == "GET":
        return _review_page(request, Review.of(sheet))
    if "discard" in request.POST:
        sheet.delete()
        return redirect("imports", club.pk)
    return _update(request, sheet)


def _update(request: Request, sheet: OldSheet) -> HttpResponse:
    """Save the choices of the form; apply the sheet only where they are unchanged."""
    before = sheet.choices
    sheet.choices = updated_choices(request.POST, sheet)
    if sheet.choices != before:
        sheet.save(update_fields=["choices"])
    elif "apply" in request.POST:
        return _apply(request, sheet)
    return redirect("import_sheet", sheet.pk)


def _apply(request: Request, sheet: OldSheet) -> HttpResponse:
    review = Review.of(sheet)
    if not _is_ready(review):
        return _review_page(request, review, status=UNPROCESSABLE)
    if review.plan.rows > MOST_ROWS_AT_ONCE:
        job = jobs.start(
            apply.apply_in_job,
            title=_("Old sheet: {name}").format(name=sheet.name),
            user=request.user,
            club=review.club,
            params={"sheet": str(sheet.pk)},
        )
        return redirect("job", job.id)
    try:
        apply_sheet(sheet, by=request.user)
    except NotReady:
        return _review_page(request, Review.of(sheet), status=UNPROCESSABLE)
    return redirect("import_sheet", sheet.pk)


def _is_ready(review: Review) -> bool:
    try:
        return not review.read_options and review.is_ready
    except Unreadable:
        return False


def _review_page(request: Request, review: Review, status: int = 200) -> HttpResponse:
    context = review_context(review)
    return render(request, "ledger/files/import_sheet.html", context, status=status)


# Afterwards


def _imported(request: Request, club: Club, action: Action) -> HttpResponse:
    if "apply" in request.POST:  # it was sent twice
        return redirect("import_sheet", action.pk)
    problems: list[str] = []
    if "revert" in request.POST:
        problems = _revert(request, action)
        if not problems:
            return redirect("import_sheet", action.pk)
    undone = Action.objects.filter(undoes=action).select_related("by").first()
    evenings = action.evenings_made.order_by("date", "pk")
    count = evenings.count()
    page = {
        "club": club,
        "action": action,
        "undone": undone,
        "evenings": evenings[:MOST_LISTED],
        "count": count,
        "other_sheets": _other_sheets(club, action),
        "more": max(count - MOST_LISTED, 0),
        "problems": problems,
        "id": uuid4(),
    }
    status = UNPROCESSABLE if problems else 200
    return render(request, "ledger/files/imported.html", page, status=status)


def _revert(request: Request, action: Action) -> list[str]:
    """Revert an import; return the sentences that say why it cannot be."""
    try:
        with suppress(journal.Stale):  # it is reverted already, and the page shows it
            journal.undo(action, id=id_of(request), by=request.user)
    except journal.Refused as refused:
        return messages_of(refused.problems)
    except journal.SeasonClosed as closed:
        message = _("The season {name} is closed: it has to be reopened first.")
        return [message.format(name=closed.season.name)]
    return []


def _other_sheets(club: Club, action: Action) -> OldSheet | None:
    """Return the sheets of the same file that wait for a review of their own."""
    waiting = OldSheet.objects.filter(club=club).waiting().defer("content")
    return waiting.filter(pk=apply.next_of(action.pk)).first()
