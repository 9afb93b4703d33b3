"""What is doubtful in a sheet: asked with the reason, its readings side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

ANSWERS = "answers"
"""What the reader has answered, by the question's id, among the choices."""
DATES = "dates"
"""The question how dates of figures are meant; its answer lies among the choices."""
LEAVE_OUT, COUNT, ASK_EACH = "out", "in", "each"
"""Whether rows are left out or are hands, or each is asked about."""
ROW_PREFIX = "row-"
"""What the question about a single row begins with."""
COLUMNS = "columns"
"""The question which column is no player's; an answer is `column-4` or `column-4-7`."""
MOST_ANSWERS = 1_000


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to read what is doubtful."""

    id: str
    label: str
    ends: Mapping[int, int] = field(default_factory=dict)
    """What each player ends with by it."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something doubtful. It is *open* until the answer is one of its readings."""

    id: str
    reason: str
    readings: tuple[Interpretation, ...]
    answer: str = ""

    @property
    def name(self) -> str:
        """What its answer is called in a form."""
        return self.id if self.id == DATES else f"ask:{self.id}"

    @property
    def open(self) -> bool:
        return all(self.answer != reading.id for reading in self.readings)

    def answered(self, choices: Mapping[str, Any], otherwise: str = "") -> Question:
        """Return it with the answer among *choices*."""
        said = choices.get(ANSWERS, {}).get(self.id, otherwise)
        return replace(self, answer=said)
