"""Which days somebody can mean: said once, for pages, programs and sheets."""

from __future__ import annotations

import datetime

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

EARLIEST, LATEST = datetime.date(1900, 1, 1), datetime.date(2200, 1, 1)
"""A day outside these is a slip of the finger: 26 for 2026."""
AHEAD = datetime.timedelta(hours=14)
"""How far the clocks of the first islands to see a day are ahead of UTC."""


def is_likely(day: datetime.date) -> bool:
    return EARLIEST <= day <= LATEST


def has_begun(day: datetime.date) -> bool:
    """Tell whether it is that day, or has been, anywhere: phones know no server's zone.

    What was played cannot have been played later.
    """
    return day <= (timezone.now() + AHEAD).astimezone(datetime.UTC).date()


def likely(day: datetime.date) -> None:
    """Refuse a day that nobody means: a validator of forms and of the API."""
    if day < EARLIEST:
        message = _("Look at the year: nothing is kept from before {year}.")
        raise ValidationError(message.format(year=EARLIEST.year))
    if day > LATEST:
        message = _("Look at the year: it is after {year}.")
        raise ValidationError(message.format(year=LATEST.year))


def played(day: datetime.date) -> None:
    """Refuse a day on which nobody can have played: a validator too."""
    likely(day)
    if not has_begun(day):
        raise ValidationError(_("This date is in the future."))


def evening_name(day: datetime.date) -> str:
    """Return a usual name for an evening: people remember the day of the week."""
    days = (
        _("Monday tarock"),
        _("Tuesday tarock"),
        _("Wednesday tarock"),
        _("Thursday tarock"),
        _("Friday tarock"),
        _("Saturday tarock"),
        _("Sunday tarock"),
    )
    return days[day.weekday()]
