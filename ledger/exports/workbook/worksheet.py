"""Worksheets: frozen header, row of sums above it, filters, print set-up.

Rows are written one by one and never in memory together. The sums above the header
are formulas over the rows that a filter leaves visible, stored with the value over all
rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import IO, Any

from django.utils import timezone
from django.utils.translation import gettext as _
from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError
from xlsxwriter.utility import xl_col_to_name

from ledger.exports.workbook.formats import MONTHS, money_pattern, signed
from ledger.text.amounts import minor_digits

SUMS, HEADER, FIRST = 0, 1, 2
"""Rows of a worksheet: the sums, the header, and the first one below."""
MOST_ROWS = 1_048_576 - FIRST
"""Rows of an XLSX worksheet below the header."""
MOST_NAME = 31
"""Length of a worksheet's name, in UTF-16 units."""
TALL = 8
"""Above so many columns of names their headers are written upwards."""
WIDE = 200
"""Characters in a row that are legible when printed on one page."""

GREEN, PALE, RED = "#184A36", "#F1E9D6", "#A5241A"

Cell = Any  # str, int, float, Fraction, a date or time, None for nothing

OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
    "remove_timezone": True,
}


class CellKind(Enum):
    """Kind of the values of a column, which decides format and width."""

    TEXT = "text"
    COUNT = "count"
    POINTS = "points"
    AVERAGE = "average"
    SHARE = "share"
    DATE = "date"
    TIME = "time"
    MOMENT = "moment"
    SPAN = "span"
    MONEY = "money"


LOOKS: dict[CellKind, dict[str, object]] = {
    CellKind.TEXT: {"indent": 1},
    CellKind.DATE: {"align": "left"},
}
"""Formats by kind: texts are indented from numbers on their left."""

LEAST = {CellKind.DATE: 11, CellKind.TIME: 6, CellKind.MOMENT: 17, CellKind.SPAN: 7}
"""Least width of a column, in digits."""


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    kind: CellKind = CellKind.TEXT
    currency: str = ""
    total: float | None = None
    """Sum of the column; None for a column without one."""
    upright: bool = False
    """The title is the name of a player, written upwards where they are many."""


@dataclass(frozen=True, slots=True)
class CellRange:
    """Cells of one column, as charts refer to them."""

    worksheet: str
    column: int
    first: int
    last: int

    @property
    def cells(self) -> list[object]:
        return [self.worksheet, self.first, self.column, self.last, self.column]


class WorkbookWriter:
    """A workbook; its worksheets are files in *folder* until `close` writes *file*."""

    def __init__(self, file: IO[bytes], title: str, language: str, folder: str) -> None:
        self.title = title
        self.language = language
        self.xlsx = Workbook(file, OPTIONS | {"tmpdir": folder})
        self.xlsx.set_properties({"title": title, "author": "Kontra"})
        self._names: set[str] = set()
        self._formats: dict[tuple[object, ...], Any] = {}
        self._worksheets: list[Worksheet] = []
        self.red = self.xlsx.add_format({"font_color": RED})

    def blank(self, name: str) -> Any:
        """Add an empty worksheet, set up for printing."""
        worksheet = self.xlsx.add_worksheet(worksheet_name(name, self._names))
        self._names.add(folded(worksheet.name))
        worksheet.set_landscape()
        worksheet.set_paper(9)  # A4
        worksheet.fit_to_pages(1, 0)
        worksheet.set_margins(left=0.4, right=0.4, top=0.7, bottom=0.6)
        title = self.title[:60].replace("&", "&&")
        worksheet.set_header(f"&L{title}&R&A")
        worksheet.set_footer("&C&P / &N")
        return worksheet

    def format(
        self,
        kind: CellKind,
        currency: str = "",
        look: Mapping[str, object] | None = None,
    ) -> Any:
        """Return the format of a kind of cells; equal formats are cached."""
        look = LOOKS.get(kind, {}) | dict(look or {})
        key = (kind, currency, *sorted(look.items()))
        if key not in self._formats:
            pattern = {"num_format": _pattern(kind, currency, self.language)}
            self._formats[key] = self.xlsx.add_format(pattern | look)
        return self._formats[key]

    def worksheet(
        self,
        name: str,
        columns: Sequence[Column],
        rows: int,
        *,
        frozen: int = 0,
        beside: Mapping[int, Sequence[tuple[int, Cell, Any]]] | None = None,
    ) -> Worksheet:
        """Add a worksheet with these columns, for *rows* rows."""
        worksheet = Worksheet(self, name, columns, rows, frozen=frozen, beside=beside)
        self._worksheets.append(worksheet)
        return worksheet

    def close(self) -> None:
        for worksheet in self._worksheets:
            worksheet.finish()
        try:
            self.xlsx.close()
        except FileCreateError as error:
            raise error.args[0] from None  # what the disk said


class Worksheet:
    """One worksheet of *rows* rows, written from the first to the last.

    *beside* are cells right of the rows: by row, a column, value and format.
    """

    def __init__(
        self,
        workbook: WorkbookWriter,
        name: str,
        columns: Sequence[Column],
        rows: int,
        *,
        frozen: int,
        beside: Mapping[int, Sequence[tuple[int, Cell, Any]]] | None,
    ) -> None:
        self.xlsx = workbook.blank(name)
        self.columns = columns
        self._workbook = workbook
        self._rows = rows
        self._frozen = frozen
        self._next = FIRST
        self._beside = dict(beside or {})
        self._widths = [_least(column) for column in columns]
        self._write = [
            (self._writer(column.kind), workbook.format(column.kind, column.currency))
            for column in columns
        ]
        self.xlsx.freeze_panes(FIRST, frozen)
        self.xlsx.repeat_rows(SUMS, HEADER)
        self._write_sums()
        self._write_header()

    @property
    def name(self) -> str:
        return str(self.xlsx.name)

    def add(self, *cells: Cell) -> None:
        """Write the next row."""
        # XLSX in constant memory needs cells in order of rows, those beside too.
        row, widths = self._next, self._widths
        self._write_beside(row)
        for place, (value, (write, style)) in enumerate(
            zip(cells, self._write, strict=True)
        ):
            if value is None or value == "":
                continue
            write(row, place, value, style)
            if value.__class__ is str and len(value) > widths[place]:
                widths[place] = len(value)
        self._next += 1

    def column_range(self, column: int) -> CellRange:
        """Return the cells of a column in all rows, the unwritten ones too."""
        return CellRange(self.name, column, FIRST, self._last)

    def finish(self) -> None:
        """Write the cells beside that are below the last row; set widths and filter."""
        for row in sorted(self._beside):
            self._write_beside(row)
        widths = [min(width, 40) + 1.5 for width in self._widths]
        self._fit(sum(widths))
        for place, (column, width) in enumerate(zip(self.columns, widths, strict=True)):
            self.xlsx.set_column(place, place, width)
            if column.kind in SIGNED and self._rows:
                red = {"type": "cell", "criteria": "<", "value": 0}
                red["format"] = self._workbook.red
                self.xlsx.conditional_format(SUMS, place, self._last, place, red)
        self.xlsx.autofilter(HEADER, 0, self._last, len(self.columns) - 1)

    def _fit(self, width: float) -> None:
        """Print a wide worksheet on several pages beside each other."""
        pages = max(1, round(width / WIDE))
        self.xlsx.fit_to_pages(pages, 0)
        if pages > 1 and self._frozen:
            self.xlsx.repeat_columns(0, self._frozen - 1)

    @property
    def _last(self) -> int:
        return FIRST + max(self._rows, 1) - 1

    def _writer(self, kind: CellKind) -> Any:
        if kind is CellKind.TEXT:
            return self.xlsx.write_string
        if kind in (CellKind.DATE, CellKind.TIME, CellKind.MOMENT, CellKind.SPAN):
            return self.xlsx.write_datetime
        return self.xlsx.write_number

    def _write_beside(self, row: int) -> None:
        for place, value, style in self._beside.pop(row, ()):
            self.xlsx.write(row, place, value, style)

    def _write_sums(self) -> None:
        summed = [c.total is not None for c in self.columns]
        bold: dict[str, object] = {
            "bold": True,
            "top": 1,
            "bottom": 1,
            "bg_color": PALE,
        }
        for place, column in enumerate(self.columns):
            style = self._workbook.format(column.kind, column.currency, bold)
            if column.total is None:
                label = _("Sum") if place == 0 and any(summed) else ""
                plain = self._workbook.format(CellKind.TEXT, look=bold)
                self.xlsx.write(SUMS, place, label, plain)
                continue
            name = xl_col_to_name(place)
            cells = f"{name}{FIRST + 1}:{name}{self._last + 1}"
            formula = f"=SUBTOTAL(109,{cells})"
            if column.kind is CellKind.MONEY:
                # Amounts are binary fractions in a spreadsheet: their sum is rounded.
                digits = minor_digits(column.currency)
                formula = f"=ROUND(SUBTOTAL(109,{cells}),{digits})"
            self.xlsx.write_formula(SUMS, place, formula, style, column.total)
            self._widths[place] = max(
                self._widths[place], _length(column.total, column)
            )

    def _write_header(self) -> None:
        look: dict[str, object] = {
            "bold": True,
            "font_color": "#FFFFFF",
            "bg_color": GREEN,
            "text_wrap": True,
            "valign": "vcenter",
        }
        names = [column.title for column in self.columns if column.upright]
        turned = len(names) > TALL
        tall = min(max(map(len, names)) * 5.5 + 12, 160) if turned else 30
        self.xlsx.set_row(HEADER, tall)  # two lines, or a long name upwards
        for place, column in enumerate(self.columns):
            across = turned and column.upright
            more: dict[str, object] = {"rotation": 90, "indent": 0} if across else {}
            if column.kind not in LOOKS:
                more |= {"align": "right", "indent": 0}
            style = self._workbook.format(CellKind.TEXT, look=look | more)
            self.xlsx.write_string(HEADER, place, column.title, style)
            if not across:
                longest = max(map(len, re.split(r"[\s-]+", column.title)))
                self._widths[place] = max(self._widths[place], min(longest + 2, 24))


SIGNED = {CellKind.POINTS, CellKind.AVERAGE, CellKind.MONEY}


def unit(currency: str) -> tuple[CellKind, str]:
    """Return kind and currency of a column of points (""), or of money."""
    return (CellKind.MONEY, currency) if currency else (CellKind.POINTS, "")


def cell(amount: int, currency: str) -> float:
    """Return the value of a cell: points, or minor units in units of *currency*."""
    return amount / 10 ** minor_digits(currency) if currency else amount


def local(moment: datetime) -> datetime:
    """Return *moment* in the time zone of the installation, to the second."""
    return timezone.localtime(moment).replace(microsecond=0)


def worksheet_name(wanted: str, taken: Iterable[str]) -> str:
    """Return a valid name of a worksheet like *wanted*, other than those *taken*.

    >>> worksheet_name("Kozy: 3/4 [a]", {"kozy  3 4  a"})
    'Kozy  3 4  a 2'
    """
    taken = {*taken, "history"}  # reserved by Excel
    plain = re.sub(r"[\[\]:*?/\\\x00-\x1f\x7f]", " ", wanted).strip(" '") or "–"
    name, number = _cut(plain, MOST_NAME), 1
    while folded(name) in taken:
        number += 1
        suffix = f" {number}"
        name = _cut(plain, MOST_NAME - len(suffix)) + suffix
    return name


def folded(name: str) -> str:
    """Return *name* as spreadsheets compare it."""
    return name.casefold()


def _cut(text: str, most: int) -> str:
    raw = text.encode("utf-16-le")[: 2 * most]
    return raw.decode("utf-16-le", errors="ignore").rstrip(" '")


def _pattern(kind: CellKind, currency: str, language: str) -> str:
    match kind:
        case CellKind.TEXT:
            return "@"
        case CellKind.COUNT:
            return "#,##0"
        case CellKind.POINTS:
            return signed("#,##0")
        case CellKind.AVERAGE:
            return signed("0.00")
        case CellKind.SHARE:
            return "0 %"
        case CellKind.DATE:
            return MONTHS[language]
        case CellKind.TIME:
            return "hh:mm"
        case CellKind.MOMENT:
            return f"{MONTHS[language]} hh:mm"
        case CellKind.SPAN:
            return "[h]:mm"
        case CellKind.MONEY:
            return signed(money_pattern(currency, language))


def _least(column: Column) -> int:
    return LEAST.get(column.kind, 6)


def _length(number: float, column: Column) -> int:
    """Return the length of *number* as its column shows it."""
    digits = len(f"{number:+,.0f}")
    if column.kind is CellKind.MONEY:
        return digits + 1 + minor_digits(column.currency) + 5
    return digits + (3 if column.kind is CellKind.AVERAGE else 0)
