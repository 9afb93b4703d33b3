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
    EACH,
    IN,
    OUT,
    ROW,
    Interpretation,
    Question,
)
from ledger.imports.running_rows import (
    Account,
    Counting,
    PointsRow,
    TotalRow,
    likely_running,
)
from ledger.text import amounts
from scoring import Variant
from scoring.shape import can_be_paid

RUNNING = "running"
"""The question how rows are counted."""
ROWS = 8
"""So many rows are named in a question."""
MOST_SHOWN = 60
"""So many questions say what each player ends with."""
ROUNDS = 50
"""So often an answer may turn other rows into totals."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What questions about lines are asked with."""

    lines: Sequence[PointsRow]
    mode: Mode
    variant: Variant
    choices: Mapping[str, Any]
    name: Callable[[int], str]
    """What a player is called."""


def settled(asking: Asking) -> tuple[Account, list[Question]]:
    """Return the lines counted as far as the answers tell, and all that was asked."""
    asked = list(_running(asking))
    said = next((question.answer for question in asked if not question.open), "")
    counting = Counting(said) if said else Counting.APART
    totals = _Totals(asking, counting)
    return totals.account, [*asked, *totals.asked]


# Whether rows run on


def _running(asking: Asking) -> Iterator[Question]:
    """Ask how rows are counted, where more than one way is possible."""
    ways = {way: _Totals(asking, way).account for way in Counting}
    likely = _likely(asking, ways)
    chosen = asking.choices.get(ANSWERS, {}).get(RUNNING)
    if not likely and chosen is None:
        return
    offered = [way for way in _differing(asking, ways) if way in likely]
    labels = _labels(asking.mode, len(offered))
    readings = tuple(
        Interpretation(way.value, labels[way], ways[way].ends)
        for way in (Counting.APART, *offered)
    )
    if len(readings) > 1:
        reason = _reason(asking, ways, offered)
        yield Question(RUNNING, reason, readings).answered(asking.choices)


def _differing(asking: Asking, ways: Mapping[Counting, Account]) -> list[Counting]:
    """Return the ways to run on that come to something else, each once."""
    found: list[Counting] = []
    for way in (Counting.EVENING, Counting.THROUGHOUT):
        others = [ways[Counting.APART], *(ways[other] for other in found)]
        if all(ways[way].brought != other.brought for other in others):
            found.append(way)
    return found


def _likely(asking: Asking, ways: Mapping[Counting, Account]) -> list[Counting]:
    """Return how the rows may run on.

    Of points of hands, the ways by which all differences are payments of a hand; where
    there is none, and not all rows are payments either, those by which there are as
    many as there are rows that are. Of evenings the size of the steps tells.
    """
    apart = ways[Counting.APART]
    running = [way for way in ways if ways[way].brought != apart.brought]
    if asking.mode is Mode.TOTALS:
        through = Counting.THROUGHOUT
        return [way for way in running if way is through and likely_running(ways[way])]
    fit = {way: account.fits(asking.variant) for way, account in ways.items()}
    surely = [way for way in running if fit[way] == len(ways[way].moves)]
    if surely or fit[Counting.APART] == len(apart.moves):
        return surely
    return [
        way
        for way in running
        if _fits_better(asking.variant, ways[way], apart)
        or likely_running(ways[way], 1)
    ]


def _fits_better(variant: Variant, running: Account, apart: Account) -> bool:
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


def _labels(mode: Mode, ways: int) -> dict[Counting, str]:
    if mode is Mode.TOTALS:
        return {
            Counting.APART: _("Each evening by itself"),
            Counting.THROUGHOUT: _("Running totals"),
        }
    return {
        Counting.APART: _("Each hand by itself"),
        Counting.EVENING: _("Totals of the evening"),
        Counting.THROUGHOUT: _("Totals of the season")
        if ways > 1
        else _("Running totals"),
    }


def _reason(
    asking: Asking, ways: Mapping[Counting, Account], offered: Sequence[Counting]
) -> str:
    if asking.mode is Mode.TOTALS:
        return _(
            "From evening to evening the figures change little: they may be totals "
            "of the season so far. Choose how they are meant."
        )
    apart = ways[Counting.APART]
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
class _Totals:
    """The lines counted in one way, and what is asked about the totals among them."""

    asking: Asking
    counting: Counting
    kept: set[str] = field(default_factory=set)
    out: set[str] = field(default_factory=set)
    asked: list[Question] = field(default_factory=list)
    account: Account = field(init=False)

    def __post_init__(self) -> None:
        for _round in range(ROUNDS):
            self.account = self._counted()
            known = self.kept | self.out
            self._ask(known)
            if known == self.kept | self.out:
                return

    def _counted(self, *kept: str) -> Account:
        lines, counting = self.asking.lines, self.counting
        return Account.of(lines, counting, self.kept.union(kept), self.out)

    def _ask(self, known: Collection[str]) -> None:
        """Ask about the totals that are new, alike ones together."""
        groups: dict[Doubt, list[TotalRow]] = {}
        for total in self.account.totals:
            if total.line.row not in known:
                groups.setdefault(Doubt.of(total), []).append(total)
        for kind, totals in groups.items():
            question = self._together(kind, totals)
            if len(totals) == 1:
                self._put(self._alone(kind, totals[0], OUT), totals)
            elif self._put(question, totals) == EACH:
                for total in totals:
                    self._put(self._alone(kind, total, ""), [total])

    def _put(self, question: Question, totals: Sequence[TotalRow]) -> str:
        if all(question.id != other.id for other in self.asked):
            self.asked.append(question)
        if question.answer in (IN, OUT):
            rows = self.kept if question.answer == IN else self.out
            rows.update(total.line.row for total in totals)
        return question.answer

    def _together(self, kind: Doubt, totals: Sequence[TotalRow]) -> Question:
        rows = [total.line.row for total in totals]
        hand = self.asking.mode is Mode.POINTS
        readings = (
            Interpretation(OUT, _("Totals: left out"), self.account.ends),
            Interpretation(
                IN, _("Hands") if hand else _("Evenings"), self._counted(*rows).ends
            ),
            Interpretation(EACH, _("Ask row by row")),
        )
        id = f"{kind.value}-{_digest(*rows)}"
        question = Question(id, _why_together(kind, rows), readings)
        return question.answered(self.asking.choices, _by_itself(kind, OUT))

    def _alone(self, kind: Doubt, total: TotalRow, sure: str) -> Question:
        row = total.line.row
        hand = self.asking.mode is Mode.POINTS
        few = len(self.asked) < MOST_SHOWN
        readings = (
            Interpretation(
                OUT, _("A total: left out"), self.account.ends if few else {}
            ),
            Interpretation(
                IN,
                _("A hand") if hand else _("An evening"),
                self._counted(row).ends if few else {},
            ),
        )
        reason = _why_alone(kind, total, self.asking.name)
        id = ROW + (row if row.isdecimal() else _digest(row))
        question = Question(id, reason, readings)
        return question.answered(self.asking.choices, _by_itself(kind, sure))


class Doubt(Enum):
    """What makes a total of a row."""

    NAMED = "named"
    """Both its name and its points: it is left out unless the reader objects."""
    UNEQUAL = "unequal"
    """Its name alone."""
    EQUAL = "equal"
    """Its points alone."""

    @classmethod
    def of(cls, total: TotalRow) -> Doubt:
        if not total.line.label:
            return cls.EQUAL
        return cls.NAMED if total.equal else cls.UNEQUAL


def _digest(*rows: str) -> str:
    return sha256(repr(rows).encode()).hexdigest()[:12]


def _by_itself(kind: Doubt, sure: str) -> str:
    """Return how it is taken where the reader says nothing."""
    return sure if kind is Doubt.NAMED else ""


def _why_together(kind: Doubt, rows: Sequence[str]) -> str:
    """Return the reason to ask about several rows."""
    sentences = {
        Doubt.NAMED: _(
            "Rows {rows} are labelled as totals, and they are the sums of other rows."
        ),
        Doubt.UNEQUAL: _(
            "Rows {rows} are labelled as totals, "
            "but they are not the sums of other rows."
        ),
        Doubt.EQUAL: _(
            "Rows {rows} are the sums of other rows: they may be totals, "
            "or hands that happen to be equal."
        ),
    }
    said = ", ".join(rows[:ROWS]) + ("…" if len(rows) > ROWS else "")
    return sentences[kind].format(rows=said)


def _why_alone(kind: Doubt, total: TotalRow, name: Callable[[int], str]) -> str:
    """Return the reason to ask about a row."""
    sentences = {
        Doubt.NAMED: _(
            "Row {row} is labelled “{label}”, and it is the sum of other rows."
        ),
        Doubt.UNEQUAL: _(
            "Row {row} is labelled “{label}”, but it is not the sum of other rows. "
            "It differs by: {off}."
        ),
        Doubt.EQUAL: _(
            "Row {row} is the sum of other rows: it may be a total, "
            "or a hand that happens to be equal."
        ),
    }
    off = ", ".join(
        f"{name(who)} {amounts.signed(by)}" for who, by in total.off.items()
    )
    said = {"row": total.line.row, "label": total.line.label, "off": off}
    return sentences[kind].format(**said)
