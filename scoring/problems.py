"""What is wrong with a hand: all of it at once, each with a sentence that says why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import NoReturn

from scoring.text import Text


class Severity(Enum):
    """Whether a problem refuses the hand."""

    ERROR = "error"
    """Impossible: the hand is refused."""
    WARNING = "warning"
    """Unlikely: the hand is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, with a sentence that says why."""

    code: str
    field: str
    """Key of the hand record, or another field of what was sent."""
    message: Text
    severity: Severity = Severity.ERROR
    about: str = ""
    """Id of the bonus within the field, or of the hand among others."""

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


class Refused(ValueError):
    """Something that cannot be recorded; carries its problems."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(p.message) for p in self.problems))


def problem(
    field: str,
    message: str,
    /,
    *,
    code: str = "",
    about: str = "",
    **values: object,
) -> Problem:
    """Return the problem of *field*: *message* with its *values*.

    The code is ``bad_<field>`` where none is given.

    >>> found = problem("amount", "Enter {most} or less.", most=9)
    >>> found.code, str(found.message)
    ('bad_amount', 'Enter 9 or less.')
    """
    return Problem(
        code=code or f"bad_{field}",
        field=field,
        message=Text(message, values),
        about=about,
    )


def warning(
    field: str, message: str, /, *, code: str, about: str = "", **values: object
) -> Problem:
    """Return the warning of *field*: unlikely, but it is recorded all the same."""
    found = problem(field, message, code=code, about=about, **values)
    return replace(found, severity=Severity.WARNING)


def refuse(
    field: str, message: str, /, *, code: str = "", about: str = "", **values: object
) -> NoReturn:
    """Raise `Refused` with one problem of *field*; see `problem`.

    >>> refuse("amount", "Enter an amount above 0.")
    Traceback (most recent call last):
    scoring.problems.Refused: Enter an amount above 0.
    """
    raise Refused([problem(field, message, code=code, about=about, **values)])
