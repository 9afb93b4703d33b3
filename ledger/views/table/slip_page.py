"""Pages of the slip: a hand is entered, previewed at every tap, and saved once."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ledger import journal
from ledger.access import Request, hand_of, stamp_of, table_of
from ledger.models import Hand, Table, Version
from ledger.text.hands import Summary, summary
from ledger.text.messages import say
from ledger.views.decorators import signed_in_action, signed_in_form
from ledger.views.late_writes import evening_closed
from ledger.views.page_parts import SAVED, render_part
from ledger.views.status import CONFLICT, UNPROCESSABLE
from ledger.views.table.scoreboard import context_after_hand
from ledger.views.table.slip.correction import CorrectionPage
from ledger.views.table.slip.page import SlipPage
from ledger.views.table.slip.substitute import newcomer_name, seat_newcomer

PAGE = "ledger/table/slip.html"
SHOWS = "shows"
"""Param of a slip that shows the table page at once; others are redirected to it."""
CLOSED = _("The evening is closed: ask its owner to reopen it.")


@signed_in_form
def slip(request: Request, pk: int) -> HttpResponse:
    table = table_of(request, pk, write=True, stamped=request.method == "POST")
    saves = request.method == "POST" and "preview" not in request.POST
    if "sit" in request.POST or (saves and newcomer_name(request.POST)):
        return _seat_newcomer(request, table)
    if saves:
        return _save(request, table)
    data = request.POST if request.method == "POST" else None
    return _show(request, SlipPage(table, data))


@signed_in_form
def correct(request: Request, pk: UUID) -> HttpResponse:
    """Slip of a recorded hand, with everything that a correction would change."""
    hand = hand_of(request, pk, write=True)
    return _correction(request, hand)


@signed_in_form
def insert(request: Request, pk: UUID) -> HttpResponse:
    """Slip of a forgotten hand, to be inserted before the one of that id."""
    hand = hand_of(request, pk, write=True)
    return _correction(request, hand, inserts=True)


def _correction(request: Request, hand: Hand, *, inserts: bool = False) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    previews = data is None or "preview" in data or request.htmx
    page = CorrectionPage(
        hand.table, data, tried=not previews, hand_seen=hand, inserts=inserts
    )
    if not previews:
        return _save_change(request, page)
    return _show(request, page)


def _save_change(request: Request, page: CorrectionPage) -> HttpResponse:
    if not page.is_saved:  # else it is answered as it was then
        if page.plan is None:
            return _show(request, page, status=UNPROCESSABLE)
        if page.plan.nothing:
            return _show(request, page)
    try:
        action = journal.correct(
            page.table,
            page.change,
            id=page.id,
            by=request.user,
            seen=page.seen,
            reason=request.POST.get("reason", "")[:200],
            override=page.form.cleaned_data["override"],
        )
    except journal.Refused as refused:
        return _refused(request, page, refused)
    except journal.Stale as stale:
        page.since = stale.since
        return _show(request, page, status=CONFLICT)
    except journal.Closed:
        return _closed(request, page)
    hand = page.id if page.inserts else page.current.hand_id
    return redirect(f"{reverse('hand', args=[hand])}?saved={action and action.pk}")


@signed_in_action
def slip_preview(request: Request, pk: int) -> HttpResponse:
    """Answer a tap with the same slip, computed anew."""
    table = table_of(request, pk, write=True)
    return _show(request, SlipPage(table, request.POST))


def _seat_newcomer(request: Request, table: Table) -> HttpResponse:
    """Seat a newcomer for this hand; the rest of the slip stays."""
    try:
        data, messages = seat_newcomer(table, request.POST, by=request.user)
    except journal.Closed:
        return evening_closed(request, table.evening)
    page = SlipPage(table, data)
    page.errors["newcomer"] = messages
    return _show(request, page, status=UNPROCESSABLE if messages else 200)


def _save(request: Request, table: Table) -> HttpResponse:
    page = SlipPage(table, request.POST, tried=True)
    if page.taken:
        return _show(request, page, status=CONFLICT)
    override = page.form.cleaned_data["override"]
    if page.score is None or (page.same_just_now and not override):
        return _show(request, page, status=UNPROCESSABLE)
    try:
        version, as_seen = _record(request, page, override=override)
    except journal.Refused as refused:
        return _refused(request, page, refused)
    except journal.Taken as taken:
        page.taken = taken.hand
        return _show(request, page, status=CONFLICT)
    except journal.Closed:
        return _closed(request, page)
    if as_seen and SHOWS in request.POST:
        gains = dict(zip(page.ids, page.score.payments, strict=True))
        context = context_after_hand(table, page.due, version, gains)
        return render(request, "ledger/table/table.html", context)
    return redirect(f"{reverse('table', args=[table.pk])}?saved={version.hand_id}")


def _record(
    request: Request, page: SlipPage, *, override: bool
) -> tuple[Version, bool]:
    """Return the recorded version, and whether nothing else came in between."""
    table, by = page.table, request.user
    sent = journal.Sent(
        page.id, page.record, page.number, page.dealer, page.sitting_out, page.plays
    )
    if page.known is None:
        seen = journal.Seen(stamp_of(table), page.due)
        version = journal.record_as_seen(table, sent, seen, by=by, override=override)
        if version is not None:
            return version, True
    return journal.record_sent(table, sent, by=by, override=override), False


def _refused(
    request: Request, page: SlipPage, refused: journal.Refused
) -> HttpResponse:
    """Show the slip with the problems that the journal found."""
    page.errors.setdefault("hand", []).extend(
        say(p.message, page.names) for p in refused.problems if p.is_error
    )
    return _show(request, page, status=UNPROCESSABLE)


def _closed(request: Request, page: SlipPage) -> HttpResponse:
    """Show the slip of an evening that has been closed meanwhile."""
    page.errors["hand"] = [str(CLOSED)]
    return _show(request, page, status=CONFLICT)


def _show(request: Request, page: SlipPage, *, status: int = 200) -> HttpResponse:
    context = {
        "slip": page,
        "table": page.table,
        "evening": page.table.evening,
        "id": page.id,
        "number": page.number,
        "other": _first_hand(page),
        "before": _before(page),
        **_paths(request, page),
    }
    response = render_part(request, PAGE, "slip", context, status=status)
    if page.is_saved:
        response[SAVED] = "yes"
    return response


def _first_hand(page: SlipPage) -> Summary | None:
    """Return the hand recorded first, where two phones recorded one number."""
    if page.taken is None:
        return None
    version = page.taken.versions.select_related("edition").latest("number")
    return summary(version, page.table.evening.club.players.in_bulk())


def _before(page: SlipPage) -> Hand | None:
    """Return the hand before, which a blank slip links to."""
    if not page.is_blank or isinstance(page, CorrectionPage):
        return None
    before = page.due.number - 1
    return page.table.hands.filter(number=before, voided=False).first()


def _paths(request: Request, page: SlipPage) -> dict[str, str]:
    """Return the addresses that save the slip, and that answer a tap."""
    if isinstance(page, CorrectionPage):
        return {"save_path": request.path, "preview_path": request.path}
    args = [page.table.pk]
    return {
        "save_path": reverse("slip", args=args),
        "preview_path": reverse("slip_preview", args=args),
    }
