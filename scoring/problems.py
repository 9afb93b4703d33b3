"""What is wrong with a hand: all of it at once, each with a sentence that says why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from scoring.text import Text


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    """Unlikely, and may be overridden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """*field* is a key of the hand record; *about* a bonus within it, if one."""

    code: str
    field: str
    message: Text
    severity: Severity = Severity.ERROR
    about: str = ""

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


class Refused(ValueError):
    """A record that cannot be a hand; carries its problems."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(p.message) for p in self.problems))
