"""Refusals: the code, HTTP status and sentence of an error that is the sender's.

Pages and API answer with it where a view has not answered itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from django.db import IntegrityError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ledger.database_errors import problem_of
from ledger.jobs import TooManyJobs
from ledger.journal import Closed, SeasonClosed, Stale, Taken
from ledger.models import Season
from ledger.text.messages import say
from scoring import Refused

FASTER = gettext_noop(
    "Somebody else was quicker, and your change has not been saved. Look at what is "
    "there now, then try again."
)


@dataclass(frozen=True, slots=True)
class RefusalView:
    code: str
    status: HTTPStatus
    says: str
    """A sentence in the active language."""


def refusal_of(error: BaseException) -> RefusalView | None:
    """Return the refusal of *error*; None where the fault is not the sender's."""
    match error:
        case Refused():
            says = " ".join(say(problem.message) for problem in error.problems)
            return RefusalView("refused", HTTPStatus.UNPROCESSABLE_ENTITY, says)
        case Closed():
            message = _(
                "The evening “{name}” is closed: an owner of the club can reopen it."
            )
            return _conflict("closed", message.format(name=error.evening.name))
        case SeasonClosed():
            return _conflict("season-closed", season_closed(error.season))
        case Taken():
            message = _("Hand {number} is already recorded. Look at it, then choose.")
            return _conflict("taken", message.format(number=error.hand.number))
        case TooManyJobs():
            return RefusalView(
                "too-many-jobs", HTTPStatus.TOO_MANY_REQUESTS, str(error)
            )
        case Stale():
            return _conflict("stale", _(FASTER))
        case IntegrityError() if problem_of(error) is None:
            return _conflict("conflict", _(FASTER))
    return None


def season_closed(season: Season) -> str:
    """Return why nothing is written in a closed season, in the reader's language."""
    message = _("The season {name} is closed: it has to be reopened first.")
    return message.format(name=season.name)


def _conflict(code: str, says: str) -> RefusalView:
    return RefusalView(code, HTTPStatus.CONFLICT, says)
