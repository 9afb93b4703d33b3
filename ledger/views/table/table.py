"""Page of a table: the next deal, the score and the hands."""

from __future__ import annotations

from django.http import HttpResponse

from ledger.access import Request, table_of
from ledger.views.decorators import signed_in_page
from ledger.views.page_parts import render_part
from ledger.views.table.scoreboard import table_context

PAGE = "ledger/table/table.html"


@signed_in_page
def table(request: Request, pk: int) -> HttpResponse:
    table = table_of(request, pk)
    return render_part(request, PAGE, "hands", table_context(request, table))
