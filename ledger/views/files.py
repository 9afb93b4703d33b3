"""An evening's hands as a file for a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator

from django.contrib.auth.decorators import login_required
from django.http import StreamingHttpResponse
from django.utils import timezone, translation
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ledger import standings, words
from ledger.access import Request, evening_of
from ledger.models import Evening, Player
from ledger.standings import Row
from ledger.told import name_of, told
from scoring import Text

MARK = "\ufeff"
"""Tells spreadsheets that it is UTF-8."""
FORMULA = tuple("=+-@\t\r")


class Echo:
    """A file that hands back what is written into it."""

    def write(self, line: str) -> str:
        return line


@login_required
@never_cache
@require_safe
def hands_csv(request: Request, pk: int) -> StreamingHttpResponse:
    evening = evening_of(request, pk)
    language = translation.get_language() or "en"
    response = StreamingHttpResponse(
        _lines(evening, language), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = content_disposition_header(True, _name(evening))
    return response


def _name(evening: Evening) -> str:
    safe = re.sub(r'[\\/:*?"<>|\x00-\x1f]+', " ", evening.name).strip(" .")
    return f"{evening.date.isoformat()} {safe}.csv"


def _lines(evening: Evening, language: str) -> Iterator[str]:
    """Yield the file; spreadsheets split at the mark that their decimals leave free."""
    with translation.override(language):
        write = csv.writer(Echo(), delimiter="," if language == "en" else ";").writerow
        players = [row.player for row in standings.tally(evening)]
        yield MARK + write([safe(cell) for cell in _head(players)])
        people = {player.pk: player for player in players}
        for table in evening.tables.select_related("edition").order_by("number"):
            for row in reversed(standings.hands_of(table)):
                if not row.voided:
                    yield write(_cells(table.number, row, people))


def _head(players: Iterable[Player]) -> list[str]:
    return [
        _("Table"),
        _("Hand"),
        _("Time"),
        _("Dealer"),
        _("Game"),
        _("Contract"),
        _("Sides"),
        _("Contra"),
        _("Times"),
        *(player.name for player in players),
    ]


def _cells(table: int, row: Row, people: dict[int, Player]) -> list[str | int]:
    version, hand = row.version, told(row.version, people)
    when = timezone.localtime(version.recorded_at)
    return [
        table,
        version.hand.number,
        f"{when:%Y-%m-%d %H:%M}",
        safe(name_of(people, version.dealer_id)),
        words.say(Text(version.edition.tariff.variant.name)),
        safe(hand.title),
        safe(hand.sides),
        hand.contra_word,
        version.multiplier,
        *(row.payments.get(pk, "") for pk in people),
    ]


def safe(text: str) -> str:
    """Keep a spreadsheet from reading a name as a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
