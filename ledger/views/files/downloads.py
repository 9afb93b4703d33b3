"""Downloads: tables as CSV files for every member, the whole club for its owners."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django import forms
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from ledger import clubfile, snapshot
from ledger.access import Request, club_of, evening_of, is_owner, owner_only
from ledger.exports.csv import hands, writer
from ledger.exports.csv.export_scope import ExportScope
from ledger.exports.csv.files import CSV_FILES
from ledger.exports.csv.writer import Row, Style
from ledger.models import Club
from ledger.views.decorators import signed_in_page

SEPARATOR_NAMES = {
    ",": gettext_lazy("Comma"),
    ";": gettext_lazy("Semicolon"),
    "\t": gettext_lazy("Tab"),
}
DECIMALS = {"point": "1.5", "comma": "1,5"}


class TableForm(forms.Form):
    """Choice of a table, of its season, and of the marks in the file."""

    season = forms.ChoiceField(
        label=gettext_lazy("Season"),
        required=False,
        widget=forms.Select(attrs={"class": "input"}),
    )
    table = forms.ChoiceField(
        label=pgettext_lazy("file", "Table"),
        choices=[(id, gettext_lazy(table.name)) for id, table in CSV_FILES.items()],
        widget=forms.RadioSelect,
    )
    separator = forms.ChoiceField(
        label=gettext_lazy("Column separator"),
        choices=[(id, SEPARATOR_NAMES[mark]) for id, mark in writer.SEPARATORS.items()],
        widget=forms.RadioSelect,
    )
    decimal = forms.ChoiceField(
        label=gettext_lazy("Decimal mark"),
        choices=list(DECIMALS.items()),
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any = None, *, club: Club, season: str = "") -> None:
        usual = Style.of(get_language())
        first = {"table": "hands", "season": season}
        marks = {"separator": usual.separator, "decimal": usual.decimal}
        super().__init__(data, initial=first | marks)
        seasons = club.seasons.order_by("-starts", "-pk")
        self.seasons = {str(season.pk): season for season in seasons}
        chosen = self.fields["season"]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = [("", _("All seasons")), *self.seasons.items()]


@signed_in_page
def files(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk)
    form = TableForm(club=club, season=request.GET.get("season", ""))
    return _page(request, club, form)


@signed_in_page
def table_csv(request: Request, pk: int) -> HttpResponseBase:
    club = club_of(request, pk)
    form = TableForm(request.GET, club=club)
    if not form.is_valid():
        return _page(request, club, form, status=422)
    chosen = form.cleaned_data
    season = form.seasons.get(chosen["season"])
    scope, table = ExportScope(club, season=season), CSV_FILES[chosen["table"]]
    name = " ".join([club.name, *([season.name] if season else []), _(table.name)])
    style = Style(separator=chosen["separator"], decimal=chosen["decimal"])
    return csv_response(f"{name}.csv", lambda: table.rows(scope), style)


@signed_in_page
def club_json(request: Request, pk: int) -> StreamingHttpResponse:
    club = club_of(request, pk)
    owner_only(club)
    name = f"{timezone.localdate().isoformat()} {club.name}.json"
    return streamed_response(name, "application/json", lambda: clubfile.dump(club))


@signed_in_page
def hands_csv(request: Request, pk: int) -> StreamingHttpResponse:
    evening = evening_of(request, pk)
    scope = ExportScope(evening.club, evening=evening)
    name = f"{evening.date.isoformat()} {evening.name}.csv"
    return csv_response(name, lambda: hands.hands(scope))


def csv_response(
    name: str, rows: Callable[[], Iterable[Row]], style: Style | None = None
) -> StreamingHttpResponse:
    """Return a CSV file of *rows*, by default in the style of the language."""
    style = style or Style.of(get_language())
    return streamed_response(
        name, "text/csv; charset=utf-8", lambda: writer.encode(rows(), style)
    )


def streamed_response(
    name: str, kind: str, chunks: Callable[[], Iterable[bytes]]
) -> StreamingHttpResponse:
    """Return a file that is written while it is sent, from a snapshot of its own."""
    language = get_language()

    def chunks_in_language() -> Iterator[bytes]:
        with translation.override(language):
            yield from snapshot.stream_snapshot(chunks)

    answer = StreamingHttpResponse(chunks_in_language(), content_type=kind)
    answer["Content-Disposition"] = content_disposition_header(True, file_name(name))
    return answer


def file_name(text: str) -> str:
    """Return *text* as a name that every file system accepts."""
    return re.sub(r'[\\/:*?"<>|\x00-\x1f]+', " ", text).strip(" .")


def _page(
    request: Request, club: Club, form: TableForm, status: int = 200
) -> HttpResponse:
    seasons = list(form.seasons.values())
    page = {"club": club, "form": form, "seasons": seasons, "is_owner": is_owner(club)}
    return render(request, "ledger/files/files.html", page, status=status)
