"""Pages that close and reopen an evening."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from ledger import journal
from ledger.access import Request, evening_of
from ledger.models import Evening
from ledger.table.deals import next_deal
from ledger.views.closing import close_page, reopen_page
from ledger.views.decorators import signed_in_form
from scoring import roman


@signed_in_form
def close(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    return close_page(
        request,
        evening,
        journal.close_evening,
        done=redirect("evening", pk),
        template="ledger/evening/evening_close.html",
        context=lambda: {"evening": evening, "open": list(_open(evening))},
    )


@signed_in_form
def reopen(request: Request, pk: int) -> HttpResponse:
    evening = evening_of(request, pk, write=True)
    return reopen_page(
        request,
        evening,
        journal.reopen_evening,
        done=redirect("evening", pk),
        context={"evening": evening},
    )


def _open(evening: Evening) -> Iterator[str]:
    """Yield warnings of hands still to be played; none of them is an obstacle."""
    tables = evening.tables.select_related("edition", "evening").order_by("number")
    for table in tables:
        due = next_deal(table)
        if due.multiplier > 1:
            yield _(
                "Table {numeral}: a deal that counts ×{times} has not been played yet."
            ).format(numeral=roman(table.number), times=due.multiplier)
        if due.number == 1:
            yield _("Table {numeral}: no hand was played.").format(
                numeral=roman(table.number)
            )
