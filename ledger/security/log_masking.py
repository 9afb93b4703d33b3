"""Masking of secrets in logs: sign-in links, share links and tokens of programs.

Every record of every logger is masked when it is created, those of Django, gunicorn and
its access log too. A traceback is formatted then, because it may contain a URL.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from ledger.models.tokens import PREFIX

SECRET_URL_PARTS: Mapping[str, frozenset[str]] = {
    "sign_in_link": frozenset({"uid", "token"}),
    "shared": frozenset({"token"}),
}
"""Secret parts of URLs, by the name of the URL."""

MASK = "…"
SLASH, PART = r"(?:/|%2F)+", r"(?:(?!%2F)[^/?#\s\"'<>])+"
SECRET_PATTERN = re.compile(
    rf"((?<![\w-]){SLASH}(?:sign-in{SLASH}(?={PART}{SLASH})|s{SLASH}))"
    rf"{PART}(?:{SLASH}{PART})*"
    rf"|({PREFIX})[\w-]+"
    r"|\b[0-9a-z]{5,7}-[0-9a-f]{32}"  # token of a sign-in link
    r"|(?<![\w-])(?=[\w-]*\d)(?=[\w-]*(?-i:[A-Z]))[\w-]{43,}",  # 32 random bytes
    re.IGNORECASE,
)
"""Secrets by their place in a URL, and by their form anywhere."""

_make_record = logging.getLogRecordFactory()
_formatter = logging.Formatter()


def mask_secrets(text: str) -> str:
    """Return *text* with its secrets masked.

    >>> mask_secrets("Method Not Allowed (PUT): /s/b9c-1/")
    'Method Not Allowed (PUT): /s/…/'
    >>> mask_secrets('"HEAD /sign-in/MQ/d3f-9a/?x HTTP/1.1" 200')
    '"HEAD /sign-in/…/?x HTTP/1.1" 200'
    >>> mask_secrets("GET /api/clubs/?token=kontra_QX7")
    'GET /api/clubs/?token=kontra_…'
    """
    return SECRET_PATTERN.sub(lambda found: f"{found[1] or found[2] or ''}{MASK}", text)


def install() -> None:
    """Mask every log record from now on."""
    logging.setLogRecordFactory(_masked_record)


def _masked_record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    record = _make_record(*args, **kwargs)
    message = _message_of(record)
    if (masked := mask_secrets(message)) != message:
        record.msg, record.args = masked, ()
    if record.exc_info and record.exc_info[0]:
        record.exc_text = mask_secrets(_formatter.formatException(record.exc_info))
    return record


def _message_of(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):  # a bad record must not fail the request
        return f"{record.msg} {record.args!r}"
