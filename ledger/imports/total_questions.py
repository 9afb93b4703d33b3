"""Questions about rows of points: whether they are running totals, which are sums.

The reader's answers decide both. The first answer sets how rows are counted, and so
which of them are sums of others.
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
"""Id of the question how rows are counted."""
MOST_ROWS_NAMED = 8
"""Keys of rows in one sentence."""
MOST_WITH_POINTS = 60
"""Questions that show the final points of each player."""
MOST_ROUNDS = 50
"""Rounds of counting: in each, answers may turn other rows into totals."""


@dataclass(frozen=True, slots=True)
class PointsContext:
    """Rows of points with everything that a question about them needs."""

    rows: Sequence[PointsRow]
    mode: Mode
    variant: Variant
    choices: Mapping[str, Any]
    player_name: Callable[[int], str]


def count_rows(context: PointsContext) -> tuple[CountedRows, list[Question]]:
    """Return the rows counted by the answers so far, and all questions about them."""
    questions = list(_counting_question(context))
    answers = (question.answer for question in questions if not question.is_open)
    counting = CountingMode(next(answers, CountingMode.APART))
    totals = _TotalRows(context, counting)
    return totals.rows, [*questions, *totals.questions]


# Whether rows run on


def _counting_question(context: PointsContext) -> Iterator[Question]:
    """Yield the question how rows are counted, where several modes are possible."""
    modes = {mode: _TotalRows(context, mode).rows for mode in CountingMode}
    likely = _likely_modes(context, modes)
    chosen = context.choices.get(ANSWERS, {}).get(RUNNING)
    if not likely and chosen is None:
        return
    offered = [mode for mode in _distinct_modes(context, modes) if mode in likely]
    labels = _mode_labels(context.mode, len(offered))
    interpretations = tuple(
        Interpretation(mode.value, labels[mode], modes[mode].final_points)
        for mode in (CountingMode.APART, *offered)
    )
    if len(interpretations) > 1:
        reason = _counting_reason(context, modes, offered)
        yield Question(RUNNING, reason, interpretations).with_answer(context.choices)


def _distinct_modes(
    context: PointsContext, modes: Mapping[CountingMode, CountedRows]
) -> list[CountingMode]:
    """Return the running modes that give other gains, one of each kind."""
    found: list[CountingMode] = []
    for mode in (CountingMode.EVENING, CountingMode.THROUGHOUT):
        others = [modes[CountingMode.APART], *(modes[other] for other in found)]
        if all(modes[mode].gains != other.gains for other in others):
            found.append(mode)
    return found


def _likely_modes(
    context: PointsContext, modes: Mapping[CountingMode, CountedRows]
) -> list[CountingMode]:
    """Return the modes in which the rows may be running totals.

    Points of hands: the modes by which all differences are payments of a hand. Where
    there is none, and not all rows are payments either, the modes by which at least as
    many differences are payments as rows. Points of evenings: by the size of the steps.
    """
    apart = modes[CountingMode.APART]
    running = [mode for mode in modes if modes[mode].gains != apart.gains]
    if context.mode is Mode.TOTALS:
        through = CountingMode.THROUGHOUT
        return [
            mode
            for mode in running
            if mode is through and is_likely_running(modes[mode])
        ]
    fit = {mode: rows.count_payable(context.variant) for mode, rows in modes.items()}
    surely = [mode for mode in running if fit[mode] == len(modes[mode].nonzero_gains)]
    if surely or fit[CountingMode.APART] == len(apart.nonzero_gains):
        return surely
    return [
        mode
        for mode in running
        if _fits_better(context.variant, modes[mode], apart)
        or is_likely_running(modes[mode], 1)
    ]


def _fits_better(variant: Variant, running: CountedRows, apart: CountedRows) -> bool:
    """Tell whether differences are payments at least as often as the rows themselves.

    Only rows that the two countings read differently are compared.
    """
    rows = [row for row, won in running.gains.items() if won != apart.gains.get(row)]
    steps, own = (
        [
            can_be_paid(variant, gains.values())
            for gains in map(counted.gains.get, rows)
            if gains and any(gains.values())
        ]
        for counted in (running, apart)
    )
    return bool(steps) and sum(steps) * len(own) >= sum(own) * len(steps)


def _mode_labels(mode: Mode, count: int) -> dict[CountingMode, str]:
    if mode is Mode.TOTALS:
        return {
            CountingMode.APART: _("Each evening by itself"),
            CountingMode.THROUGHOUT: _("Running totals"),
        }
    return {
        CountingMode.APART: _("Each hand by itself"),
        CountingMode.EVENING: _("Totals of the evening"),
        CountingMode.THROUGHOUT: _("Totals of the season")
        if count > 1
        else _("Running totals"),
    }


def _counting_reason(
    context: PointsContext,
    modes: Mapping[CountingMode, CountedRows],
    offered: Sequence[CountingMode],
) -> str:
    if context.mode is Mode.TOTALS:
        return _(
            "From evening to evening the figures change little: they may be totals "
            "of the season so far. Choose how they are meant."
        )
    apart = modes[CountingMode.APART]
    unfit = len(apart.nonzero_gains) - apart.count_payable(context.variant)
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
    if any(
        modes[mode].count_payable(context.variant) == len(modes[mode].nonzero_gains)
        for mode in offered
    ):
        more = _("The differences between neighbouring rows are.")
    else:
        more = _("More of the differences between neighbouring rows are.")
    return f"{rows} {more} " + _("Choose how the rows are meant.")


# Which rows are totals


@dataclass
class _TotalRows:
    """Rows counted in one mode, and the questions about the totals among them."""

    context: PointsContext
    counting: CountingMode
    counted: set[str] = field(default_factory=set)
    left_out: set[str] = field(default_factory=set)
    questions: list[Question] = field(default_factory=list)
    rows: CountedRows = field(init=False)

    def __post_init__(self) -> None:
        for _round in range(MOST_ROUNDS):
            self.rows = self._count()
            known = self.counted | self.left_out
            self._add_questions(known)
            if known == self.counted | self.left_out:
                return

    def _count(self, *more: str) -> CountedRows:
        rows, counting = self.context.rows, self.counting
        return CountedRows.of(rows, counting, self.counted.union(more), self.left_out)

    def _add_questions(self, known: Collection[str]) -> None:
        """Add questions about totals not yet *known*, those of one evidence together.

        An answer puts its rows into `counted` or `left_out`.
        """
        groups: dict[TotalEvidence, list[TotalRow]] = {}
        for total in self.rows.totals:
            if total.row.key not in known:
                groups.setdefault(TotalEvidence.of(total), []).append(total)
        for evidence, totals in groups.items():
            question = self._question_for_rows(evidence, totals)
            if len(totals) == 1:
                self._add(
                    self._question_for_row(evidence, totals[0], LEAVE_OUT), totals
                )
            elif self._add(question, totals) == ASK_EACH:
                for total in totals:
                    self._add(self._question_for_row(evidence, total, ""), [total])

    def _add(self, question: Question, totals: Sequence[TotalRow]) -> str:
        if all(question.id != other.id for other in self.questions):
            self.questions.append(question)
        if question.answer in (COUNT, LEAVE_OUT):
            rows = self.counted if question.answer == COUNT else self.left_out
            rows.update(total.row.key for total in totals)
        return question.answer

    def _question_for_rows(
        self, evidence: TotalEvidence, totals: Sequence[TotalRow]
    ) -> Question:
        rows = [total.row.key for total in totals]
        hand = self.context.mode is Mode.POINTS
        interpretations = (
            Interpretation(LEAVE_OUT, _("Totals: left out"), self.rows.final_points),
            Interpretation(
                COUNT,
                _("Hands") if hand else _("Evenings"),
                self._count(*rows).final_points,
            ),
            Interpretation(ASK_EACH, _("Ask row by row")),
        )
        id = f"{evidence.value}-{_digest(*rows)}"
        question = Question(id, _reason_for_rows(evidence, rows), interpretations)
        return question.with_answer(
            self.context.choices, _default_answer(evidence, LEAVE_OUT)
        )

    def _question_for_row(
        self, evidence: TotalEvidence, total: TotalRow, sure: str
    ) -> Question:
        row = total.row.key
        hand = self.context.mode is Mode.POINTS
        few = len(self.questions) < MOST_WITH_POINTS
        interpretations = (
            Interpretation(
                LEAVE_OUT,
                _("A total: left out"),
                self.rows.final_points if few else {},
            ),
            Interpretation(
                COUNT,
                _("A hand") if hand else _("An evening"),
                self._count(row).final_points if few else {},
            ),
        )
        reason = _reason_for_row(evidence, total, self.context.player_name)
        id = ROW_PREFIX + (row if row.isdecimal() else _digest(row))
        question = Question(id, reason, interpretations)
        return question.with_answer(
            self.context.choices, _default_answer(evidence, sure)
        )


class TotalEvidence(Enum):
    """Reason to take a row for a total."""

    NAMED = "named"
    """Label and points: it is left out unless the reader objects."""
    UNEQUAL = "unequal"
    """The label alone."""
    EQUAL = "equal"
    """The points alone."""

    @classmethod
    def of(cls, total: TotalRow) -> TotalEvidence:
        if not total.row.label:
            return cls.EQUAL
        return cls.NAMED if total.is_sum else cls.UNEQUAL


def _digest(*rows: str) -> str:
    return sha256(repr(rows).encode()).hexdigest()[:12]


def _default_answer(evidence: TotalEvidence, sure: str) -> str:
    """Return the answer that holds until the reader gives one: *sure*, or none."""
    return sure if evidence is TotalEvidence.NAMED else ""


def _reason_for_rows(evidence: TotalEvidence, rows: Sequence[str]) -> str:
    """Return the sentence that asks about several rows."""
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
    return sentences[evidence].format(rows=said)


def _reason_for_row(
    evidence: TotalEvidence, total: TotalRow, name: Callable[[int], str]
) -> str:
    """Return the sentence that asks about one row."""
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
        f"{name(who)} {amounts.signed(by)}" for who, by in total.difference.items()
    )
    said = {"row": total.row.key, "label": total.row.label, "off": off}
    return sentences[evidence].format(**said)
