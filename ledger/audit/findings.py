"""Findings of a check: sentences with the place they are about."""

from __future__ import annotations

from collections.abc import Iterator


def readable(where: str, findings: Iterator[str]) -> Iterator[str]:
    """Yield *findings*; report an error while reading as one, and end there."""
    try:
        yield from findings
    # Anything can have been written into the database past the application.
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        yield f"{where}: cannot be read ({why})."


def located(where: str, findings: Iterator[str]) -> Iterator[str]:
    """Yield *findings* with the place before each."""
    for finding in findings:
        yield f"{where}: {finding}"
