"""Page of an old sheet before it is imported: context of the template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ledger.imports import columns, text
from ledger.imports.files import ALL_SHEETS, ReadOptions, Unreadable
from ledger.imports.grid import GridRow
from ledger.imports.plan import WITHOUT, ImportPlan
from ledger.imports.player_names import SheetName
from ledger.imports.questions import Interpretation, Question
from ledger.imports.review import Review
from ledger.imports.sheet_dates import GIVEN_DATES
from ledger.models import Player
from ledger.text.names import in_order
from ledger.views.files.downloads import SEPARATOR_NAMES
from ledger.views.files.imports import MODES

MOST_LISTED = 60
"""Rows, evenings and problems in a list; the page says how many more there are."""
EXAMPLES = 3
SEPARATORS = {mark: SEPARATOR_NAMES[mark] for mark in text.SEPARATORS}


@dataclass(frozen=True)
class HeadingOption:
    """A row that may hold the headings."""

    number: int
    cells: str

    @classmethod
    def of(cls, row: GridRow) -> HeadingOption:
        return cls(row.number, " · ".join(filter(None, row.cells))[:MOST_LISTED])


@dataclass(frozen=True)
class ColumnChoice:
    """A column with its meaning, and the first cells below its heading."""

    number: int
    heading: str
    examples: str
    meaning: str


@dataclass(frozen=True)
class QuestionTable:
    """A question, and the final points of each player by interpretation."""

    question: Question
    compared: Sequence[Interpretation]
    rows: Sequence[tuple[str, Sequence[int]]]


@dataclass(frozen=True)
class SheetDate:
    """A sheet whose evening gets its date from the reader."""

    number: int
    title: str
    date: str


@dataclass(frozen=True)
class PlayerRow:
    """Points, money in minor units and hands that the import adds for a player."""

    name: str
    points: int
    money: int
    hands: int
    is_new: bool


@dataclass(frozen=True)
class NameChoice:
    """A name that is no player's, the chosen player, and those to choose from."""

    name: SheetName
    chosen: str
    similar: tuple[Player, ...]
    others: tuple[Player, ...]


def review_context(review: Review) -> dict[str, Any]:
    """Return the context of the page, as far as the sheet can be read."""
    context: dict[str, Any] = {
        "club": review.club,
        "sheet": review.sheet,
        "mode": dict(MODES)[review.mode.value],
        "game": review.edition.tariff.variant.name,
        "currency": review.choices["currency"],
        "stake": review.stake,
        "all_sheets": ALL_SHEETS,
    }
    try:
        if review.read_options:
            return context | _options_context(review.read_options)
        return context | _grid_context(review)
    except Unreadable as unreadable:
        context["unreadable"] = str(unreadable)
    # A separator chosen before may be the reason: offer the others.
    if "separator" in review.choices:
        context |= _options_context(ReadOptions(separators=text.SEPARATORS))
    return context


def _options_context(options: ReadOptions) -> dict[str, Any]:
    return {"options": options, "separators": SEPARATORS}


def _grid_context(review: Review) -> dict[str, Any]:
    grid = review.grid
    context = {
        "review": review,
        "columns": [_column_choice(review, number) for number in range(grid.width)],
        "meanings": columns.meaning_choices(review.mode),
        "headings": [HeadingOption.of(row) for row in grid.heading_candidates],
        "sheets_left": review.sheets.left_for_later(grid),
        "separators": SEPARATORS if grid.separator else {},
    }
    return context if review.missing_meanings else context | _plan_context(review)


def _plan_context(review: Review) -> dict[str, Any]:
    plan = review.plan
    return {
        "plan": plan,
        "names": [_name_choice(review, name) for name in plan.names.unmatched],
        "problems": plan.problems[:MOST_LISTED],
        "more_problems": max(len(plan.problems) - MOST_LISTED, 0),
        "warnings": plan.warnings[:MOST_LISTED],
        "without": review.choices.get(WITHOUT, []),
        "open": review.open_questions,
        "questions": [
            _question_table(plan, question)
            for question in review.questions[:MOST_LISTED]
        ],
        "days": list(islice(_sheet_dates(review), MOST_LISTED)),
        "evenings": [
            (evening, review.seasons.of(evening.date))
            for evening in plan.evenings[:MOST_LISTED]
        ],
        "more_evenings": max(len(plan.evenings) - MOST_LISTED, 0),
        "hands": sum(evening.hands for evening in plan.evenings),
        "player_rows": list(_player_rows(review)),
    }


def _player_rows(review: Review) -> Iterator[PlayerRow]:
    plan, money = review.plan, review.plan.money(review.stake)
    for total in plan.player_totals:
        name, is_new = plan.names.name(total.player), total.player < 0
        yield PlayerRow(name, total.points, money[total.player], total.hands, is_new)


def _sheet_dates(review: Review) -> Iterator[SheetDate]:
    """Yield the sheets without a date of their own, with the date given to them."""
    given = review.choices.get(GIVEN_DATES, {})
    titles = dict.fromkeys([*given, *review.plan.undated])
    for number, title in enumerate(titles):
        yield SheetDate(number, title, given.get(title, ""))


def _question_table(plan: ImportPlan, question: Question) -> QuestionTable:
    """Return a question with the players whose points depend on the answer."""
    compared = [one for one in question.interpretations if one.final_points]
    players = dict.fromkeys(who for one in compared for who in one.final_points)
    rows = [
        (plan.names.name(who), [one.final_points.get(who, 0) for one in compared])
        for who in players
    ]
    differing = [(name, points) for name, points in rows if len(set(points)) > 1]
    return QuestionTable(question, compared, differing)


def _column_choice(review: Review, number: int) -> ColumnChoice:
    cells = filter(None, (row.cell(number) for row in review.grid.rows))
    examples = " · ".join(islice(cells, EXAMPLES))
    heading = review.grid.headings.cell(number)
    return ColumnChoice(number, heading, examples, review.meanings[number])


def _name_choice(review: Review, name: SheetName) -> NameChoice:
    players: Mapping[int, Any] = review.plan.names.players
    others = (p for pk, p in players.items() if pk not in name.similar)
    return NameChoice(
        name,
        review.choices.get("people", {}).get(name.key, ""),
        tuple(players[pk] for pk in name.similar),
        tuple(in_order(others)),
    )
