"""Logs without secrets: no line lets its reader in, whoever writes it.

Every record that any logger makes is masked as it is made: those of Django, of gunicorn
and of its access log too. A trace is written out then, for it may hold an address.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from ledger.models.tokens import PREFIX

SECRET: Mapping[str, frozenset[str]] = {
    "sign_in_link": frozenset({"uid", "token"}),
    "shared": frozenset({"token"}),
}
"""The parts of addresses that let somebody in, by the name of the address."""

MASK = "…"
SLASH, PART = r"(?:/|%2F)+", r"(?:(?!%2F)[^/?#\s\"'<>])+"
HIDDEN = re.compile(
    rf"((?<![\w-]){SLASH}(?:sign-in{SLASH}(?={PART}{SLASH})|s{SLASH}))"
    rf"{PART}(?:{SLASH}{PART})*"
    rf"|({PREFIX})[\w-]+"
    r"|\b[0-9a-z]{5,7}-[0-9a-f]{32}"  # a link's that signs in
    r"|(?<![\w-])(?=[\w-]*\d)(?=[\w-]*(?-i:[A-Z]))[\w-]{43,}",  # 32 random bytes
    re.IGNORECASE,
)
"""Where they stand in an address, and what they look like wherever they stand."""

_made = logging.getLogRecordFactory()
_written = logging.Formatter()


def mask(text: str) -> str:
    """Return *text* without what lets somebody in.

    >>> mask("Method Not Allowed (PUT): /s/b9c-1/")
    'Method Not Allowed (PUT): /s/…/'
    >>> mask('"HEAD /sign-in/MQ/d3f-9a/?x HTTP/1.1" 200')
    '"HEAD /sign-in/…/?x HTTP/1.1" 200'
    >>> mask("GET /api/clubs/?token=kontra_QX7")
    'GET /api/clubs/?token=kontra_…'
    """
    return HIDDEN.sub(lambda found: f"{found[1] or found[2] or ''}{MASK}", text)


def install() -> None:
    logging.setLogRecordFactory(_record)


def _record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    record = _made(*args, **kwargs)
    said = _said(record)
    if (masked := mask(said)) != said:
        record.msg, record.args = masked, ()
    if record.exc_info and record.exc_info[0]:
        record.exc_text = mask(_written.formatException(record.exc_info))
    return record


def _said(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):  # no reason to fail a page
        return f"{record.msg} {record.args!r}"
