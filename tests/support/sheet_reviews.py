"""Reviews of old sheets without a page: their final points and open questions."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from ledger.imports import files
from ledger.imports.questions import ANSWERS
from ledger.imports.review import Review
from ledger.models import OldSheet

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sheets"


def unsaved_sheet(
    club, data, mode="points", name="old.csv", variant="taroki", **choices
):
    """Return an uploaded sheet that is not saved."""
    data = data.encode() if isinstance(data, str) else data
    said = {"mode": mode, "variant": variant, "rules": {}, "currency": "", "stake": "1"}
    return OldSheet(
        id=uuid4(),
        club=club,
        name=name,
        digest=uuid4().hex,
        content=files.content_of(name, data),
        choices=said | {"season": "Earlier"} | choices,
    )


def review_of(club, data, **more):
    return Review.of(unsaved_sheet(club, data, **more))


def with_choices(review, /, answers=None, **choices):
    """Return the review with more choices and answers."""
    said = {**review.choices.get(ANSWERS, {}), **(answers or {})}
    review.sheet.choices = {**review.choices, ANSWERS: said, **choices}
    return Review.of(review.sheet)


def final_points(review):
    """Return the points that the import adds, by name, without zeros."""
    name = review.plan.names.name
    return {name(c.player): c.points for c in review.plan.player_totals if c.points}


def open_questions(review):
    """Return final points by name, by answer, by the id of each open question."""
    name = review.plan.names.name
    return {
        question.id: {
            reading.id: {
                name(who): won for who, won in reading.final_points.items() if won
            }
            for reading in question.interpretations
        }
        for question in review.questions
        if question.is_open
    }


def fixture_sheet(name):
    return (FIXTURES / name).read_bytes()
