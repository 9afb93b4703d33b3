"""One old sheet: looked at, asked about, brought in, taken back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ledger import jobs
from ledger.access import Request, club_of, owner_only
from ledger.imports import apply, columns, text
from ledger.imports.apply import AT_ONCE, NotReady, bring_in
from ledger.imports.cell_values import ORDERS
from ledger.imports.columns import SKIP, Mode
from ledger.imports.dates import GIVEN_DATES
from ledger.imports.files import ALL_SHEETS, GridRow, ReadOptions, Unreadable
from ledger.imports.plan import WITHOUT
from ledger.imports.player_names import NEW, SheetName
from ledger.imports.questions import (
    ANSWERS,
    COLUMNS,
    MOST_ANSWERS,
    Interpretation,
    Question,
)
from ledger.imports.revert import take_back
from ledger.imports.review import CONFIRMATIONS, MOST_SEASON, Review
from ledger.journal import Stale
from ledger.models import Action, Club, OldSheet, Player
from ledger.models.locks import SeasonClosed
from ledger.presenters.correction_plan import said
from ledger.text.names import has_letter, in_order, tidy
from ledger.views.files.downloads import SEPARATOR_NAMES
from ledger.views.files.imports import METHODS, MODES, UNPROCESSABLE
from ledger.views.params import id_of, whole
from scoring import Refused

MOST_TEXT = 200
"""Letters of what a choice is made by."""
MOST_PEOPLE = 500
"""Names that are kept of a sheet."""

SHOWN = 60
"""Rows, evenings and problems that a page lists; of more it says how many."""
EXAMPLE = 3
ID = re.compile(r"[a-z0-9-]{1,40}")
A_ROW = re.compile(r"([^\0]{1,500}!)?[0-9]{1,7}")
"""The key of a row."""
OF_ROWS = ("columns", "without", "ticked", ANSWERS)
"""Choices that speak of the rows as they were laid out."""
SEPARATORS = {mark: SEPARATOR_NAMES[mark] for mark in text.SEPARATORS}


@login_required
@require_http_methods(METHODS)
def import_sheet(request: Request, pk: UUID) -> HttpResponse:
    """A sheet before it is brought in; afterwards, what came of it.

    What was brought in elsewhere is there without its sheet.
    """
    brought = Action.objects.filter(pk=pk, kind=Action.Kind.IMPORT).first()
    if brought is not None and brought.club_id is not None:
        club = club_of(request, brought.club_id)
        owner_only(club)
        return _brought(request, club, brought)
    sheet = get_object_or_404(OldSheet.objects.select_related("club"), pk=pk)
    club = club_of(request, sheet.club_id)
    owner_only(club)
    if request.method == "GET":
        return _shown(request, club, sheet)
    if "forget" in request.POST:
        sheet.delete()
        return redirect("imports", club.pk)
    before = sheet.choices
    sheet.choices = _chosen(request.POST, sheet)
    if sheet.choices != before:
        sheet.save(update_fields=["choices"])
    elif "bring" in request.POST:
        return _bring(request, club, sheet)
    return redirect("import_sheet", sheet.pk)


def _bring(request: Request, club: Club, sheet: OldSheet) -> HttpResponse:
    look = Review.at(sheet)
    try:
        ready = not look.asked and look.ready
    except Unreadable:
        ready = False
    if not ready:
        return _shown(request, club, sheet, look, status=UNPROCESSABLE)
    if look.plan.rows > AT_ONCE:
        job = jobs.start(
            apply.work,
            title=_("Old sheet: {name}").format(name=sheet.name),
            user=request.user,
            club=club,
            asked={"sheet": str(sheet.pk)},
        )
        return redirect("job", job.id)
    try:
        bring_in(sheet, by=request.user)
    except NotReady:
        return _shown(request, club, sheet, status=UNPROCESSABLE)
    return redirect("import_sheet", sheet.pk)


# What was chosen


def _chosen(posted: QueryDict, sheet: OldSheet) -> dict[str, Any]:
    """Return the choices with what was posted; what cannot be one is left out."""
    kept = dict(sheet.choices)
    if posted.get("dates") in ORDERS:
        kept["dates"] = posted["dates"]
    days = {**kept.get(GIVEN_DATES, {}), **dict(_given_days(posted))}
    if days:
        kept[GIVEN_DATES] = days
    if said := dict(_answers(posted)):
        answers = {**kept.get(ANSWERS, {}), **said}
        kept[ANSWERS] = dict(list(answers.items())[-MOST_ANSWERS:])
    if "season" in posted:
        season = tidy(_text(posted, "season"))[:MOST_SEASON]
        kept["season"] = season if has_letter(season) else ""
    if "column-0" in posted:
        kept["people"] = _people(posted, kept.get("people", {}))
    if laid := dict(_laid(posted, Review.at(sheet))):
        return {k: v for k, v in kept.items() if k not in OF_ROWS} | laid
    if "column-0" in posted:
        kept["columns"] = _columns(posted, Mode(kept["mode"]))
        strays = re.findall(r"\d+", posted.get(f"ask:{COLUMNS}", ""))
        for column in {int(n) for n in strays} & set(range(len(kept["columns"]))):
            kept["columns"][column] = SKIP
        kept["ticked"] = sorted(CONFIRMATIONS & set(posted.getlist("tick")))
        kept[WITHOUT] = list(filter(A_ROW.fullmatch, posted.getlist(WITHOUT)))
    return kept


def _answers(posted: QueryDict) -> Iterator[tuple[str, str]]:
    """Yield the answers that look like some, by their questions."""
    for name in posted:
        id, answer = name.removeprefix("ask:"), _text(posted, name)
        if name != id and ID.fullmatch(id) and ID.fullmatch(answer):
            yield id, answer


def _given_days(posted: QueryDict) -> Iterator[tuple[str, str]]:
    """Yield the dates that were given to sheets, by their titles."""
    for number in range(SHOWN):
        if f"day-{number}" in posted:
            yield _text(posted, f"title-{number}"), _text(posted, f"day-{number}")[:20]


def _laid(posted: QueryDict, look: Review) -> Iterator[tuple[str, Any]]:
    """Yield the choices that lay the rows out otherwise than they are."""
    grid = look.laid
    encoding, separator = posted.get("encoding"), posted.get("separator")
    if encoding in text.AMBIGUOUS and encoding != look.choices.get("encoding"):
        yield "encoding", encoding
    if separator in text.SEPARATORS and (not grid or separator != grid.separator):
        yield "separator", separator
    heading = whole(posted.get("heading"))
    heads = {row.number for row in grid.heads} if grid else ()
    if grid and heading in heads and heading != grid.headings.number:
        yield "heading", heading
    yield from _sheets(posted, look)


def _sheets(posted: QueryDict, look: Review) -> Iterator[tuple[str, Any]]:
    said, some = posted.get("sheet"), set(posted.getlist("sheets"))
    if said in (ALL_SHEETS, *look.titles) and said != look.choices.get("sheet"):
        yield from {"sheet": said, "heading": None}.items()
        if said == ALL_SHEETS:
            yield "sheets", look.new_together
    elif some and some != set(look.sheets_chosen):
        yield "sheets", [title for title in look.titles if title in some]


def _columns(posted: QueryDict, mode: Mode) -> list[str]:
    known = {id for id, _label in columns.meaning_choices(mode)}
    count = sum(name.startswith("column-") for name in posted)
    said = [posted.get(f"column-{number}", SKIP) for number in range(count)]
    return [meaning if meaning in known else SKIP for meaning in said]


def _people(posted: QueryDict, before: Mapping[str, str]) -> dict[str, str]:
    names = [name for name in posted if name.startswith("who:")]
    said = {name.removeprefix("who:"): _text(posted, name) for name in names}
    if "all_new" in posted:
        said = {key: who or NEW for key, who in said.items()}
    kept = {
        key: who
        for key, who in {**before, **said}.items()
        if (who == NEW or whole(who)) and "\0" not in key and len(key) <= MOST_TEXT
    }
    return dict(islice(kept.items(), MOST_PEOPLE))


def _text(posted: QueryDict, name: str) -> str:
    """Return what was posted without what no database can keep."""
    return (posted.get(name) or "").replace("\0", "")[:MOST_TEXT]


# What is shown


@dataclass(frozen=True)
class ShownHead:
    """A row that may hold the headings."""

    number: int
    cells: str

    @classmethod
    def of(cls, row: GridRow) -> ShownHead:
        return cls(row.number, " · ".join(filter(None, row.cells))[:SHOWN])


@dataclass(frozen=True)
class ShownColumn:
    number: int
    heading: str
    examples: str
    meaning: str


@dataclass(frozen=True)
class ShownQuestion:
    """A question, and what each player ends with by each of its readings."""

    asked: Question
    told: Sequence[Interpretation]
    rows: Sequence[tuple[str, Sequence[int]]]


@dataclass(frozen=True)
class ShownDay:
    """A sheet whose evening is given a date."""

    number: int
    title: str
    date: str


@dataclass(frozen=True)
class ShownChange:
    name: str
    points: int
    money: int
    hands: int
    is_new: bool


@dataclass(frozen=True)
class ShownName:
    """A name that somebody has to be found for, and who it can be."""

    written: SheetName
    value: str
    near: tuple[Player, ...]
    others: tuple[Player, ...]


def _shown(
    request: Request,
    club: Club,
    sheet: OldSheet,
    look: Review | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    look = look or Review.at(sheet)
    variant = look.edition.tariff.variant
    page: dict[str, Any] = {
        "club": club,
        "sheet": sheet,
        "mode": dict(MODES)[look.mode.value],
        "game": variant.name,
        "currency": sheet.choices["currency"],
        "stake": look.stake,
    }
    try:
        if look.asked:
            page |= {"asked": look.asked, "separators": SEPARATORS, "all": ALL_SHEETS}
        else:
            page |= _read(look)
    except Unreadable as unreadable:
        page["unreadable"] = str(unreadable)
        if "separator" in look.choices:  # which may be the wrong one
            page |= {"asked": ReadOptions(separators=text.SEPARATORS)}
            page |= {"separators": SEPARATORS}
    return render(request, "ledger/files/import_sheet.html", page, status=status)


def _read(look: Review) -> dict[str, Any]:
    page: dict[str, Any] = {
        "look": look,
        "columns": [_column(look, n) for n in range(look.grid.width)],
        "meanings": columns.meaning_choices(look.mode),
        "heads": [ShownHead.of(row) for row in look.grid.heads],
        "separators": SEPARATORS if look.grid.separator else {},
        "all": ALL_SHEETS,
    }
    if look.missing:
        return page
    plan = look.plan
    nights = [(n, look.seasons.of(n.date)) for n in plan.nights[:SHOWN]]
    worth = plan.worth(look.stake)
    return page | {
        "plan": plan,
        "names": [_name(look, one) for one in plan.people.written],
        "troubles": plan.troubles[:SHOWN],
        "more_troubles": max(len(plan.troubles) - SHOWN, 0),
        "doubts": plan.doubts[:SHOWN],
        "without": look.choices.get(WITHOUT, []),
        "open": look.open,
        "questions": [_question(look, one) for one in look.questions[:SHOWN]],
        "days": [
            ShownDay(number, title, look.choices.get(GIVEN_DATES, {}).get(title, ""))
            for number, title in enumerate(_days(look)[:SHOWN])
        ],
        "nights": nights,
        "more_nights": max(len(plan.nights) - SHOWN, 0),
        "hands": sum(night.hands for night in plan.nights),
        "changes": [
            ShownChange(
                plan.people.name(change.player),
                change.points,
                worth[change.player],
                change.hands,
                change.player < 0,
            )
            for change in plan.changes
        ],
    }


def _days(look: Review) -> list[str]:
    """Return the sheets whose evening has no date, or one that was given."""
    given = look.choices.get(GIVEN_DATES, {})
    return list(dict.fromkeys([*given, *look.plan.undated]))


def _question(look: Review, question: Question) -> ShownQuestion:
    """Return a question with what each player ends with, where readings differ."""
    readings = question.readings
    people = dict.fromkeys(who for one in readings for who in one.ends)
    told = [one for one in readings if one.ends]
    rows = [
        (look.plan.people.name(who), [one.ends.get(who, 0) for one in told])
        for who in people
    ]
    return ShownQuestion(question, told, [row for row in rows if len(set(row[1])) > 1])


def _column(look: Review, number: int) -> ShownColumn:
    cells = (row.cell(number) for row in look.grid.rows)
    shown = [
        cell for cell, _n in zip(filter(None, cells), range(EXAMPLE), strict=False)
    ]
    heading = look.grid.headings.cell(number)
    return ShownColumn(number, heading, " · ".join(shown), look.meanings[number])


def _name(look: Review, one: SheetName) -> ShownName:
    players: Mapping[int, Any] = look.plan.people.players
    others = (p for pk, p in players.items() if pk not in one.near)
    return ShownName(
        one,
        look.choices.get("people", {}).get(one.key, ""),
        tuple(players[pk] for pk in one.near),
        tuple(in_order(others)),
    )


# Afterwards


def _brought(request: Request, club: Club, action: Action) -> HttpResponse:
    if "bring" in request.POST:  # it was sent twice
        return redirect("import_sheet", action.pk)
    problems: list[str] = []
    if "back" in request.POST:
        try:
            with suppress(Stale):  # it is taken back already, and the page shows it
                take_back(action, id=id_of(request), by=request.user)
            return redirect("import_sheet", action.pk)
        except Refused as refused:
            problems = said(refused.problems)
        except SeasonClosed as closed:
            message = _("The season {name} is closed: it has to be reopened first.")
            problems = [message.format(name=closed.season.name)]
    undone = Action.objects.filter(undoes=action).select_related("by").first()
    evenings = action.evenings_made.order_by("date", "pk")
    count = evenings.count()
    page = {
        "club": club,
        "action": action,
        "undone": undone,
        "evenings": evenings[:SHOWN],
        "count": count,
        "others": _others(club, action),
        "more": max(count - SHOWN, 0),
        "problems": problems,
        "id": uuid4(),
    }
    status = UNPROCESSABLE if problems else 200
    return render(request, "ledger/files/imported.html", page, status=status)


def _others(club: Club, action: Action) -> OldSheet | None:
    """Return what waits of the file of which *action* brought in a sheet."""
    waiting = OldSheet.objects.filter(club=club).waiting().defer("content")
    return waiting.filter(pk=apply.next_of(action.pk)).first()
