"""Choices about an old sheet, from the form of its page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from django.http import QueryDict

from ledger.imports import columns, text
from ledger.imports.cell_values import ORDERS
from ledger.imports.columns import SKIP, Mode
from ledger.imports.files import ALL_SHEETS
from ledger.imports.plan import WITHOUT
from ledger.imports.player_names import NEW
from ledger.imports.questions import ANSWERS, COLUMNS, MOST_ANSWERS
from ledger.imports.review import Review
from ledger.imports.review_checks import CONFIRMATIONS
from ledger.imports.sheet_dates import GIVEN_DATES
from ledger.imports.sheet_reading import MOST_SEASON
from ledger.models import OldSheet
from ledger.text.names import has_letter, tidy
from ledger.text.parsing import whole_number

MOST_TEXT = 200
"""Letters of a value of the form."""
MOST_NAMES = 500
"""Names of a sheet that are stored with a player."""
MOST_SHEET_DATES = 60
QUESTION_ID = re.compile(r"[a-z0-9-]{1,40}")
ROW_KEY = re.compile(r"([^\0]{1,500}!)?[0-9]{1,7}")
CHOICES_OF_ROWS = ("columns", "without", "ticked", ANSWERS)
"""Choices that hold for one layout of the rows only."""


def updated_choices(params: QueryDict, sheet: OldSheet) -> dict[str, Any]:
    """Return the sheet's choices with those of a form; invalid ones are left out."""
    choices = dict(sheet.choices)
    has_columns = "column-0" in params
    choices.update(_date_choices(params, choices))
    if answers := dict(_answers(params)):
        answers = {**choices.get(ANSWERS, {}), **answers}
        choices[ANSWERS] = dict(list(answers.items())[-MOST_ANSWERS:])
    if "season" in params:
        season = tidy(_text(params, "season"))[:MOST_SEASON]
        choices["season"] = season if has_letter(season) else ""
    if has_columns:
        choices["people"] = _players_by_name(params, choices.get("people", {}))
    if layout := dict(_layout_choices(params, Review.of(sheet))):
        return {k: v for k, v in choices.items() if k not in CHOICES_OF_ROWS} | layout
    if has_columns:
        choices.update(_row_choices(params, Mode(choices["mode"])))
    return choices


def _date_choices(
    params: QueryDict, choices: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the order of day and month, and the dates given to sheets by title."""
    if params.get("dates") in ORDERS:
        yield "dates", params["dates"]
    dates = {**choices.get(GIVEN_DATES, {}), **dict(_given_dates(params))}
    if dates:
        yield GIVEN_DATES, dates


def _given_dates(params: QueryDict) -> Iterator[tuple[str, str]]:
    for number in range(MOST_SHEET_DATES):
        if f"day-{number}" in params:
            yield _text(params, f"title-{number}"), _text(params, f"day-{number}")[:20]


def _answers(params: QueryDict) -> Iterator[tuple[str, str]]:
    """Yield question ids with their answers, both well-formed."""
    for name in params:
        id, answer = name.removeprefix("ask:"), _text(params, name)
        if name != id and QUESTION_ID.fullmatch(id) and QUESTION_ID.fullmatch(answer):
            yield id, answer


def _players_by_name(params: QueryDict, before: Mapping[str, str]) -> dict[str, str]:
    """Return a player's id or `NEW` by folded name."""
    names = [name for name in params if name.startswith("who:")]
    chosen = {name.removeprefix("who:"): _text(params, name) for name in names}
    if "all_new" in params:
        chosen = {key: who or NEW for key, who in chosen.items()}
    valid = {
        key: who
        for key, who in {**before, **chosen}.items()
        if (who == NEW or whole_number(who))
        and "\0" not in key
        and len(key) <= MOST_TEXT
    }
    return dict(islice(valid.items(), MOST_NAMES))


# Layout


def _layout_choices(params: QueryDict, review: Review) -> Iterator[tuple[str, Any]]:
    """Yield the choices that change the layout of the rows."""
    grid = review.grid_if_read
    encoding, separator = params.get("encoding"), params.get("separator")
    if encoding in text.AMBIGUOUS and encoding != review.choices.get("encoding"):
        yield "encoding", encoding
    if separator in text.SEPARATORS and (not grid or separator != grid.separator):
        yield "separator", separator
    heading = whole_number(params.get("heading"))
    candidates = {row.number for row in grid.heading_candidates} if grid else ()
    if grid and heading in candidates and heading != grid.headings.number:
        yield "heading", heading
    yield from _sheet_choices(params, review)


def _sheet_choices(params: QueryDict, review: Review) -> Iterator[tuple[str, Any]]:
    sheet, several = params.get("sheet"), set(params.getlist("sheets"))
    if sheet in (ALL_SHEETS, *review.sheets.titles) and sheet != review.choices.get(
        "sheet"
    ):
        yield from {"sheet": sheet, "heading": None}.items()
        if sheet == ALL_SHEETS:
            yield "sheets", review.sheets.new_combinable
    elif several and several != set(review.sheets.chosen):
        yield "sheets", [title for title in review.sheets.titles if title in several]


# Columns and rows


def _row_choices(params: QueryDict, mode: Mode) -> Iterator[tuple[str, Any]]:
    """Yield the meaning of each column, confirmations, and rows to leave out."""
    meanings = _meanings(params, mode)
    for number in re.findall(r"\d+", params.get(f"ask:{COLUMNS}", "")):
        if int(number) < len(meanings):
            meanings[int(number)] = SKIP
    yield "columns", meanings
    yield "ticked", sorted(CONFIRMATIONS & set(params.getlist("tick")))
    yield WITHOUT, list(filter(ROW_KEY.fullmatch, params.getlist(WITHOUT)))


def _meanings(params: QueryDict, mode: Mode) -> list[str]:
    known = {id for id, _label in columns.meaning_choices(mode)}
    count = sum(name.startswith("column-") for name in params)
    chosen = [params.get(f"column-{number}", SKIP) for number in range(count)]
    return [meaning if meaning in known else SKIP for meaning in chosen]


def _text(params: QueryDict, name: str) -> str:
    """Return a value without null characters, which no database stores."""
    return (params.get(name) or "").replace("\0", "")[:MOST_TEXT]
