"""What is doubtful about rows of points: whether they run on, and which are totals.

Both are decided here, by the reader's answers. The first answer decides how the rows
are counted, and with it which of them are sums of others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.imports.columns import Mode
from ledger.imports.questions import (
    ANSWERS,
    ASK_EACH,
    COUNT,
    LEAVE_OUT,
    ROW_PREFIX,
    Interpretation,
    Question,
)
from ledger.imports.running_rows import (
    CountedRows,
    CountingMode,
    PointsRow,
    TotalRow,
    is_likely_running,
)
from ledger.text import amounts
from scoring import Variant
from scoring.shape import can_be_paid

RUNNING = "running"
"""The question how rows are counted."""
MOST_ROWS_NAMED = 8
"""So many rows are named in a question."""
MOST_WITH_POINTS = 60
"""So many questions say what each player ends with."""
MOST_ROUNDS = 50
"""So often an answer may turn other rows into totals."""


@dataclass(frozen=True, slots=True)
class PointsContext:
    """What questions about lines are asked with."""

    lines: Sequence[PointsRow]
    mode: Mode
    variant: Variant
    choices: Mapping[str, Any]
    name: Callable[[int], str]
    """What a player is called."""


def count_rows(asking: PointsContext) -> tuple[CountedRows, list[Question]]:
    """Return the lines counted as far as the answers tell, and all that was asked."""
    asked = list(_counting_question(asking))
    said = next((question.answer for question in asked if not question.open), "")
    counting = CountingMode(said) if said else CountingMode.APART
    totals = _TotalRows(asking, counting)
    return totals.account, [*asked, *totals.asked]


# Whether rows run on


def _counting_question(asking: PointsContext) -> Iterator[Question]:
    """Ask how rows are counted, where more than one way is possible."""
    ways = {way: _TotalRows(asking, way).account for way in CountingMode}
    likely = _likely_modes(asking, ways)
    chosen = asking.choices.get(ANSWERS, {}).get(RUNNING)
    if not likely and chosen is None:
        return
    offered = [way for way in _distinct_modes(asking, ways) if way in likely]
    labels = _mode_labels(asking.mode, len(offered))
    readings = tuple(
        Interpretation(way.value, labels[way], ways[way].ends)
        for way in (CountingMode.APART, *offered)
    )
    if len(readings) > 1:
        reason = _counting_reason(asking, ways, offered)
        yield Question(RUNNING, reason, readings).answered(asking.choices)


def _distinct_modes(
    asking: PointsContext, ways: Mapping[CountingMode, CountedRows]
) -> list[CountingMode]:
    """Return the ways to run on that come to something else, each once."""
    found: list[CountingMode] = []
    for way in (CountingMode.EVENING, CountingMode.THROUGHOUT):
        others = [ways[CountingMode.APART], *(ways[other] for other in found)]
        if all(ways[way].brought != other.brought for other in others):
            found.append(way)
    return found


def _likely_modes(
    asking: PointsContext, ways: Mapping[CountingMode, CountedRows]
) -> list[CountingMode]:
    """Return how the rows may run on.

    Of points of hands, the ways by which all differences are payments of a hand; where
    there is none, and not all rows are payments either, those by which there are as
    many as there are rows that are. Of evenings the size of the steps tells.
    """
    apart = ways[CountingMode.APART]
    running = [way for way in ways if ways[way].brought != apart.brought]
    if asking.mode is Mode.TOTALS:
        through = CountingMode.THROUGHOUT
        return [
            way for way in running if way is through and is_likely_running(ways[way])
        ]
    fit = {way: account.fits(asking.variant) for way, account in ways.items()}
    surely = [way for way in running if fit[way] == len(ways[way].moves)]
    if surely or fit[CountingMode.APART] == len(apart.moves):
        return surely
    return [
        way
        for way in running
        if _fits_better(asking.variant, ways[way], apart)
        or is_likely_running(ways[way], 1)
    ]


def _fits_better(variant: Variant, running: CountedRows, apart: CountedRows) -> bool:
    """Whether the rows that run on fit the game as well as the same by themselves."""
    rows = [
        row for row, won in running.brought.items() if won != apart.brought.get(row)
    ]
    steps, own = (
        [
            can_be_paid(variant, gains.values())
            for gains in map(account.brought.get, rows)
            if gains and any(gains.values())
        ]
        for account in (running, apart)
    )
    return bool(steps) and sum(steps) * len(own) >= sum(own) * len(steps)


def _mode_labels(mode: Mode, ways: int) -> dict[CountingMode, str]:
    if mode is Mode.TOTALS:
        return {
            CountingMode.APART: _("Each evening by itself"),
            CountingMode.THROUGHOUT: _("Running totals"),
        }
    return {
        CountingMode.APART: _("Each hand by itself"),
        CountingMode.EVENING: _("Totals of the evening"),
        CountingMode.THROUGHOUT: _("Totals of the season")
        if ways > 1
        else _("Running totals"),
    }


def _counting_reason(
    asking: PointsContext,
    ways: Mapping[CountingMode, CountedRows],
    offered: Sequence[CountingMode],
) -> str:
    if asking.mode is Mode.TOTALS:
        return _(
            "From evening to evening the figures change little: they may be totals "
            "of the season so far. Choose how they are meant."
        )
    apart = ways[CountingMode.APART]
    unfit = len(apart.moves) - apart.fits(asking.variant)
    if not unfit:
        return _(
            "Each row is a possible result of a hand, and so is the difference "
            "between each row and the one above. Choose how the rows are meant."
        )
    rows = ngettext(
        "{count} row is not a possible result of a hand.",
        "{count} rows are not possible results of a hand.",
        unfit,
    ).format(count=unfit)
    if any(ways[way].fits(asking.variant) == len(ways[way].moves) for way in offered):
        more = _("The differences between neighbouring rows are.")
    else:
        more = _("More of the differences between neighbouring rows are.")
    return f"{rows} {more} " + _("Choose how the rows are meant.")


# Which rows are totals


@dataclass
class _TotalRows:
    """The lines counted in one way, and what is asked about the totals among them."""

    asking: PointsContext
    counting: CountingMode
    kept: set[str] = field(default_factory=set)
    out: set[str] = field(default_factory=set)
    asked: list[Question] = field(default_factory=list)
    account: CountedRows = field(init=False)

    def __post_init__(self) -> None:
        for _round in range(MOST_ROUNDS):
            self.account = self._counted()
            known = self.kept | self.out
            self._ask(known)
            if known == self.kept | self.out:
                return

    def _counted(self, *kept: str) -> CountedRows:
        lines, counting = self.asking.lines, self.counting
        return CountedRows.of(lines, counting, self.kept.union(kept), self.out)

    def _ask(self, known: Collection[str]) -> None:
        """Ask about the totals that are new, alike ones together."""
        groups: dict[TotalEvidence, list[TotalRow]] = {}
        for total in self.account.totals:
            if total.line.row not in known:
                groups.setdefault(TotalEvidence.of(total), []).append(total)
        for kind, totals in groups.items():
            question = self._together(kind, totals)
            if len(totals) == 1:
                self._put(self._alone(kind, totals[0], LEAVE_OUT), totals)
            elif self._put(question, totals) == ASK_EACH:
                for total in totals:
                    self._put(self._alone(kind, total, ""), [total])

    def _put(self, question: Question, totals: Sequence[TotalRow]) -> str:
        if all(question.id != other.id for other in self.asked):
            self.asked.append(question)
        if question.answer in (COUNT, LEAVE_OUT):
            rows = self.kept if question.answer == COUNT else self.out
            rows.update(total.line.row for total in totals)
        return question.answer

    def _together(self, kind: TotalEvidence, totals: Sequence[TotalRow]) -> Question:
        rows = [total.line.row for total in totals]
        hand = self.asking.mode is Mode.POINTS
        readings = (
            Interpretation(LEAVE_OUT, _("Totals: left out"), self.account.ends),
            Interpretation(
                COUNT, _("Hands") if hand else _("Evenings"), self._counted(*rows).ends
            ),
            Interpretation(ASK_EACH, _("Ask row by row")),
        )
        id = f"{kind.value}-{_digest(*rows)}"
        question = Question(id, _reason_for_rows(kind, rows), readings)
        return question.answered(self.asking.choices, _default_answer(kind, LEAVE_OUT))

    def _alone(self, kind: TotalEvidence, total: TotalRow, sure: str) -> Question:
        row = total.line.row
        hand = self.asking.mode is Mode.POINTS
        few = len(self.asked) < MOST_WITH_POINTS
        readings = (
            Interpretation(
                LEAVE_OUT, _("A total: left out"), self.account.ends if few else {}
            ),
            Interpretation(
                COUNT,
                _("A hand") if hand else _("An evening"),
                self._counted(row).ends if few else {},
            ),
        )
        reason = _reason_for_row(kind, total, self.asking.name)
        id = ROW_PREFIX + (row if row.isdecimal() else _digest(row))
        question = Question(id, reason, readings)
        return question.answered(self.asking.choices, _default_answer(kind, sure))


class TotalEvidence(Enum):
    """What makes a total of a row."""

    NAMED = "named"
    """Both its name and its points: it is left out unless the reader objects."""
    UNEQUAL = "unequal"
    """Its name alone."""
    EQUAL = "equal"
    """Its points alone."""

    @classmethod
    def of(cls, total: TotalRow) -> TotalEvidence:
        if not total.line.label:
            return cls.EQUAL
        return cls.NAMED if total.equal else cls.UNEQUAL


def _digest(*rows: str) -> str:
    return sha256(repr(rows).encode()).hexdigest()[:12]


def _default_answer(kind: TotalEvidence, sure: str) -> str:
    """Return how it is taken where the reader says nothing."""
    return sure if kind is TotalEvidence.NAMED else ""


def _reason_for_rows(kind: TotalEvidence, rows: Sequence[str]) -> str:
    """Return the reason to ask about several rows."""
    sentences = {
        TotalEvidence.NAMED: _(
            "Rows {rows} are labelled as totals, and they are the sums of other rows."
        ),
        TotalEvidence.UNEQUAL: _(
            "Rows {rows} are labelled as totals, "
            "but they are not the sums of other rows."
        ),
        TotalEvidence.EQUAL: _(
            "Rows {rows} are the sums of other rows: they may be totals, "
            "or hands that happen to be equal."
        ),
    }
    said = ", ".join(rows[:MOST_ROWS_NAMED]) + (
        "…" if len(rows) > MOST_ROWS_NAMED else ""
    )
    return sentences[kind].format(rows=said)


def _reason_for_row(
    kind: TotalEvidence, total: TotalRow, name: Callable[[int], str]
) -> str:
    """Return the reason to ask about a row."""
    sentences = {
        TotalEvidence.NAMED: _(
            "Row {row} is labelled “{label}”, and it is the sum of other rows."
        ),
        TotalEvidence.UNEQUAL: _(
            "Row {row} is labelled “{label}”, but it is not the sum of other rows. "
            "It differs by: {off}."
        ),
        TotalEvidence.EQUAL: _(
            "Row {row} is the sum of other rows: it may be a total, "
            "or a hand that happens to be equal."
        ),
    }
    off = ", ".join(
        f"{name(who)} {amounts.signed(by)}" for who, by in total.off.items()
    )
    said = {"row": total.line.row, "label": total.line.label, "off": off}
    return sentences[kind].format(**said)
