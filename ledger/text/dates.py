"""Dates: the days that can be entered on pages, in the API and in sheets."""

from __future__ import annotations

import datetime

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

EARLIEST, LATEST = datetime.date(1900, 1, 1), datetime.date(2200, 1, 1)
"""Days outside these are typing errors: 26 for 2026."""
AHEAD = datetime.timedelta(hours=14)
"""The first time zone to see a day is so far ahead of UTC."""


def is_likely(day: datetime.date) -> bool:
    return EARLIEST <= day <= LATEST


def has_begun(day: datetime.date) -> bool:
    """Tell whether *day* has begun in any time zone."""
    # Phones do not know the zone of the server.
    return day <= (timezone.now() + AHEAD).astimezone(datetime.UTC).date()


def likely(day: datetime.date) -> None:
    """Validate a day for forms and the API: raise ValidationError if it is a typo."""
    if day < EARLIEST:
        message = _("Look at the year: nothing is kept from before {year}.")
        raise ValidationError(message.format(year=EARLIEST.year))
    if day > LATEST:
        message = _("Look at the year: it is after {year}.")
        raise ValidationError(message.format(year=LATEST.year))


def played(day: datetime.date) -> None:
    """Validate a day of play or payment: raise ValidationError where it is to come."""
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
