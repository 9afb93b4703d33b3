"""Parsers of whole numbers and ids that came in as text: they never raise."""

from __future__ import annotations

from uuid import UUID, uuid4

DIGITS = 9
"""No row, hand or number of points here has more."""
NO_ID = UUID(int=0)


def whole_number(text: object) -> int | None:
    """Return the whole number, 0 or more, written in *text*, else None.

    >>> whole_number("24"), whole_number(" 7"), whole_number("²")
    (24, None, None)
    >>> whole_number("9" * 10)
    """
    written = str(text or "")
    return int(written) if written.isdecimal() and len(written) <= DIGITS else None


def parse_id(text: object) -> UUID:
    """Return the id written in *text*, else `NO_ID`, which no row has."""
    try:
        return UUID(str(text or ""))
    except ValueError:
        return NO_ID


def parse_id_or_new(text: object) -> UUID:
    """Return the id written in *text*, else a new one."""
    id = parse_id(text)
    return id if id != NO_ID else uuid4()
