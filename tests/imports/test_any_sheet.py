"""Whatever sheet a club has kept: it is brought in right, or asked about.

`KONTRA_EXAMPLES=1000` draws as many sheets, from `KONTRA_SEED` on; how many came in at
once and how many were asked about is printed with `-s`.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from ledger.imports.files import ReadOptions
from ledger.imports.questions import ROW_PREFIX
from tests.support.random_sheets import random_sheet
from tests.support.sheet_reviews import review_of, with_choices

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("people")]

EXAMPLES = int(os.environ.get("KONTRA_EXAMPLES", "25"))
SEED = int(os.environ.get("KONTRA_SEED", "1"))
ASKED_OFTEN = 12
"""Nobody is asked more often about one sheet."""


class Names:
    """Names of players and rows of a review."""

    def __init__(self, review):
        self.review = review

    def name(self, who):
        return self.review.plan.names.name(who)

    def rows(self, question):
        """Return the numbers of the rows that a question is about."""
        if question.id.startswith(ROW_PREFIX):
            return [question.id.removeprefix(ROW_PREFIX)]
        said = question.reason.removeprefix("Rows ").split(" are ")[0]
        assert "…" not in said, "more rows than the reader is told"
        return said.split(", ")


def gains_by_date(review):
    """Return what the plan brings everybody, by date; nought is left out."""
    found = {}
    for evening in review.plan.evenings:
        sums = found.setdefault(evening.date, Counter())
        for _is_hand, gains in evening.all_gains:
            sums.update(
                {review.plan.names.name(who): won for who, won in gains.items()}
            )
    told = {date: {w: p for w, p in sums.items() if p} for date, sums in found.items()}
    return {date: sums for date, sums in told.items() if sums}


def opened(club, sheet):
    """Return the sheet with what has to be known before its rows can be read."""
    review = review_of(
        club,
        sheet.data,
        mode=sheet.mode,
        name=sheet.name,
        variant=sheet.variant,
        rules=sheet.rules,
    )
    for _question in range(3):
        if not isinstance(review.grid_or_options, ReadOptions):
            break
        if review.grid_or_options.encodings:
            review = with_choices(review, encoding="cp1250")
        else:
            review = with_choices(review, separator=sheet.separator)
    return review


def answered(review, sheet):
    """Return the sheet when all that was asked has been answered by the truth."""
    for _round in range(ASKED_OFTEN):
        names = Names(review)
        said = {q.id: sheet.answer(q, names) for q in review.questions if q.is_open}
        said = {id: answer for id, answer in said.items() if answer}
        more = {}
        if "dates" in said:
            more["dates"] = said.pop("dates")
        if review.plan.undated:
            more["days"] = {"": sheet.evenings[0].date.isoformat()}
        before = review.choices.get("without", [])
        wrong = {problem.row for problem in review.plan.problems}
        if not said and not more:
            nothing = wrong & (sheet.passed | sheet.totals)
            more["without"] = sorted(nothing.union(before))
            if more["without"] == before:
                break
        more["columns"] = [
            "" if review.grid.headings.cell(n) == "Q" else meaning
            for n, meaning in enumerate(review.meanings)
        ]
        review = with_choices(review, said, **more)
    return review


def judged(club, sheet):
    """Return how a sheet came in; fail where it came in wrong and nobody was asked."""
    review = opened(club, sheet)
    if review.is_ready:
        assert gains_by_date(review) == sheet.truth, "wrong, and nobody was asked"
        return "right at once"
    told = bool(review.plan.problems)
    review = answered(review, sheet)
    if not review.is_ready:
        assert review.plan.problems, (
            review.problems,
            review.missing_meanings,
            review.questions,
        )
        return "told what is wrong"
    assert gains_by_date(review) == sheet.truth, "wrong after true answers"
    return "told, then right" if told else "asked, then right"


def test_any_sheet_is_imported_right_or_asked_about(club):
    counted = Counter()
    for seed in range(SEED, SEED + EXAMPLES):
        sheet = random_sheet(seed)
        try:
            counted[judged(club, sheet)] += 1
        except Exception as fault:
            fault.add_note(f"KONTRA_SEED={seed}\n{sheet.how}\n{sheet.data[:3000]}")
            raise
    print(dict(counted))

    assert EXAMPLES < 25 or counted["right at once"] > EXAMPLES / 8
