"""Review of a sheet before it is applied: its plan, and what is missing for it.

Nothing is written here, except for a tariff on request. The reader's choices are stored
with the sheet. A review is ready when it has no problems, no open questions, and all
confirmations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import scoring
from ledger.imports import (
    review_checks,
    review_questions,
)
from ledger.imports.questions import Question
from ledger.imports.review_checks import ImportConfirmation
from ledger.imports.sheet_reading import SheetReading
from ledger.journal import edition_of, tariff_digest
from ledger.models import Club, Edition, OldSheet


@dataclass(frozen=True)
class Review(SheetReading):
    """Reading of a sheet, with everything that keeps it from being applied."""

    @classmethod
    def of(cls, sheet: OldSheet, *, save_edition: bool = False) -> Review:
        """Return the review of *sheet*; *save_edition* saves a tariff of its own."""
        tariff = scoring.tariff(sheet.choices["variant"], sheet.choices["rules"])
        if save_edition:
            return cls(sheet, edition_of(sheet.club, tariff))
        return cls(sheet, _edition_of(sheet.club, tariff))

    @cached_property
    def questions(self) -> Sequence[Question]:
        """All questions, answered or not."""
        return [
            *review_questions.column_questions(self),
            *review_questions.date_questions(self),
            *self.plan.questions,
        ]

    @cached_property
    def problems(self) -> Sequence[str]:
        """Sentences about problems that are not those of a row."""
        return list(review_checks.problems(self, self.open_questions))

    @cached_property
    def open_questions(self) -> Sequence[Question]:
        """Questions without an answer."""
        return [question for question in self.questions if question.is_open]

    @cached_property
    def confirmations(self) -> Sequence[ImportConfirmation]:
        return list(review_checks.confirmations(self))

    @property
    def is_ready(self) -> bool:
        if self.read_options or self.missing_meanings:
            return False
        if self.plan.problems or self.problems or self.open_questions:
            return False
        return all(confirmation.is_confirmed for confirmation in self.confirmations)


def _edition_of(club: Club, tariff: scoring.Tariff) -> Edition:
    known = club.editions.filter(
        variant=tariff.variant.id, digest=tariff_digest(tariff)
    )
    return known.first() or Edition(
        club=club, variant=tariff.variant.id, rules=tariff.rules
    )
