"""JSON Lines for commands: one object a line in, one a line out."""

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

Query = Mapping[str, Any]
Answer = dict[str, Any]


def add_language(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--language",
        default="en",
        choices=[code for code, name in settings.LANGUAGES],
        help="the language of the sentences",
    )


def catalogue(language: str) -> Catalogue:
    """Return the catalogue of *language*, read from its file alone."""
    # Quicker than Django's active language, which loads those of all apps.
    paths = settings.LOCALE_PATHS
    return gettext.translation("django", paths[0], [language], fallback=True)


def answer_each(answer: Callable[[Query], Answer], language: Catalogue) -> NoReturn:
    """Answer each line of standard input, and exit with 1 if any was refused, else 0.

    *answer* raises `Refused`; lines are independent of each other.
    """
    refused = False
    write = sys.stdout.buffer.write
    try:
        for line in sys.stdin.buffer:
            answered = answer_line(answer, line, language)
            refused = refused or "problems" in answered
            write(dump_line(answered))
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader closed before the end
        refused = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1 if refused else 0)


def problems_as_json(
    problems: Iterable[Problem], language: Catalogue, names: Sequence[str] = ()
) -> list[Answer]:
    """Return *problems* as JSON."""
    return [
        {
            "code": problem.code,
            "field": problem.field,
            "message": problem.message.render(language, names),
        }
        for problem in problems
    ]


def answer_line(
    answer: Callable[[Query], Answer], line: bytes, language: Catalogue
) -> Answer:
    """Return the answer to *line*, or its problems, with the id of the query."""
    id: Answer = {}
    try:
        query = _parse(line)
        id = _id(query)
        return id | answer(query)
    except Refused as refused:
        problems: Iterable[Problem] = refused.problems
    except RecursionError:
        message = _("This is nested too deeply.")
        problems = [problem("hand", message, code="bad_line")]
    return id | {"problems": problems_as_json(problems, language)}


def _parse(line: bytes) -> Query:
    try:
        query = DECODER.decode(line.decode())
    except ValueError:
        refuse("hand", _("The line is not JSON."), code="bad_line")
    if not isinstance(query, dict):
        refuse("hand", _("The line must be a JSON object."), code="bad_line")
    return query


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


DECODER = json.JSONDecoder(parse_constant=_no_number)
ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False)


def _id(query: Query) -> Answer:
    id = query.get("id")
    if id is None:
        return {}
    if isinstance(id, str | int):
        return {"id": id}
    refuse("id", _("The id must be a text or a whole number."))


def dump_line(answered: Answer) -> bytes:
    """Return the line in UTF-8; lone surrogates are escaped."""
    return ENCODER.encode(answered).encode("utf-8", "backslashreplace") + b"\n"
