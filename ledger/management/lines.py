"""One JSON object a line in, one a line out, whatever stands in the lines."""

from __future__ import annotations

import gettext
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from django.conf import settings

from scoring import Problem, Refused, problem, refuse
from scoring.text import Catalogue, _

Asked = Mapping[str, Any]
Answer = dict[str, Any]


def add_language(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--language",
        default="en",
        choices=[code for code, name in settings.LANGUAGES],
        help="the language of the sentences",
    )


def catalogue(language: str) -> Catalogue:
    """Return what translates into *language*: the file alone, which is quicker
    than the site's way through the active language."""
    paths = settings.LOCALE_PATHS
    return gettext.translation("django", paths[0], [language], fallback=True)


def answer_each(answer: Callable[[Asked], Answer], language: Catalogue) -> NoReturn:
    """Answer each line of standard input and exit: 0, or 1 when any was refused.

    *answer* raises `Refused` when it cannot; nothing is kept from line to line.
    """
    refused = False
    write = sys.stdout.buffer.write
    try:
        for line in sys.stdin.buffer:
            answered = answered_line(answer, line, language)
            refused = refused or "problems" in answered
            write(spelled(answered))
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader went away before the end
        refused = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1 if refused else 0)


def told(
    problems: Iterable[Problem], language: Catalogue, names: Sequence[str] = ()
) -> list[Answer]:
    """Return *problems* in JSON's terms."""
    return [
        {
            "code": problem.code,
            "field": problem.field,
            "message": problem.message.render(language, names),
        }
        for problem in problems
    ]


def answered_line(
    answer: Callable[[Asked], Answer], line: bytes, language: Catalogue
) -> Answer:
    """Return the answer to *line*, or its problems, with the id it gave."""
    id: Answer = {}
    try:
        asked = _read(line)
        id = _id(asked)
        return id | answer(asked)
    except Refused as refused:
        problems: Iterable[Problem] = refused.problems
    except RecursionError:
        message = _("This is nested too deeply.")
        problems = [problem("hand", message, code="bad_line")]
    return id | {"problems": told(problems, language)}


def _read(line: bytes) -> Asked:
    try:
        asked = DECODER.decode(line.decode())
    except ValueError:
        refuse("hand", _("The line is not JSON."), code="bad_line")
    if not isinstance(asked, dict):
        refuse("hand", _("The line must be a JSON object."), code="bad_line")
    return asked


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


DECODER = json.JSONDecoder(parse_constant=_no_number)
ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False)


def _id(asked: Asked) -> Answer:
    id = asked.get("id")
    if id is None:
        return {}
    if isinstance(id, str | int):
        return {"id": id}
    refuse("id", _("The id must be a text or a whole number."))


def spelled(answered: Answer) -> bytes:
    """Return the line; half a character is spelled as JSON's escape."""
    return ENCODER.encode(answered).encode("utf-8", "backslashreplace") + b"\n"
