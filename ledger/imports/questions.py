"""Questions about a sheet: the reason to ask, and interpretations to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

ANSWERS = "answers"
"""Key of the choices: answers by the id of the question."""
DATES = "dates"
"""Id of the question for the order of numeric dates; its answer is a choice itself."""
LEAVE_OUT, COUNT, ASK_EACH = "out", "in", "each"
"""Answers about rows that may be totals: left out, hands, or one question each."""
ROW_PREFIX = "row-"
"""Start of the id of a question about a single row."""
COLUMNS = "columns"
"""Id of the question which column is no player's: answer `column-4`, `column-4-7`."""
MOST_ANSWERS = 1_000


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One answer to a question."""

    id: str
    label: str
    final_points: Mapping[int, int] = field(default_factory=dict)
    """Points of each player after the last row, by this answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """A doubt about a sheet, open until the answer is one of its interpretations."""

    id: str
    reason: str
    interpretations: tuple[Interpretation, ...]
    answer: str = ""

    @property
    def name(self) -> str:
        """Name of the answer in the form."""
        return self.id if self.id == DATES else f"ask:{self.id}"

    @property
    def is_open(self) -> bool:
        return all(self.answer != reading.id for reading in self.interpretations)

    def with_answer(self, choices: Mapping[str, Any], otherwise: str = "") -> Question:
        """Return the question with its answer from *choices*."""
        answer = choices.get(ANSWERS, {}).get(self.id, otherwise)
        return replace(self, answer=answer)
