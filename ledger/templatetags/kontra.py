"""How numbers, names and signs look on every page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from uuid import uuid4

from django import template
from django.forms import BaseForm
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from ledger.models import Evening
from ledger.text import amounts as purse
from ledger.text import messages
from ledger.text.names import Named, short_names
from ledger.views.form_errors import FormError
from ledger.views.form_errors import wrongs as of_form
from scoring import Text
from scoring import roman as numeral

register = template.Library()

STROKES = "".join(
    f'<path d="{stroke}"/>'
    for stroke in ("M6 3v18", "M13 3v18", "M20 3v18", "M27 3v18", "M2 17 31 6")
)


signed = register.filter(purse.signed)
plain = register.filter(purse.plain)


@register.filter
def tone(number: int) -> str:
    """Return the class that colours a figure: black, red, or resting."""
    return "plus" if number > 0 else "minus" if number < 0 else "rest"


@register.filter
def roman(number: int) -> str:
    """Return *number* as the numeral on a trump.

    >>> roman(24), roman(21), roman(9)
    ('XXIV', 'XXI', 'IX')
    """
    return numeral(number)


@register.filter
def money(minor: int, currency: str) -> str:
    return purse.amount(minor, currency, get_language() or "en")


@register.filter
def signed_money(minor: int, currency: str) -> str:
    return ("+" if minor > 0 else "") + money(minor, currency)


@register.filter
def stake(worth: purse.Stake, currency: str) -> str:
    """Return what a point is worth."""
    return purse.show_stake(worth, currency, get_language() or "en")


@register.filter
def rounded(evening: Evening) -> str:
    """Return how the sums of *evening* are rounded, if they are."""
    return messages.rounded() if evening.stake_parts > 1 else ""


@register.filter
def say(text: Text | str) -> str:
    """Return a message of the rules in the reader's language."""
    return messages.say(text if isinstance(text, Text) else Text(text))


@register.filter
def wrongs(form: BaseForm | Iterable[FormError] | None) -> list[FormError]:
    """What the main button tells of *form*, or of what was found without one."""
    return list(of_form(form) if isinstance(form, BaseForm) else form or ())


@register.filter
def short(person: Named, people: Iterable[Named]) -> str:
    return short_names(people)[person.name]


@register.simple_tag
def name(person: Named, people: Iterable[Named] = ()) -> SafeString:
    """The whole name, and beside it the short form that narrow rails show."""
    return messages.name_span(person.name, short_names(people or [person])[person.name])


@register.simple_tag
def new_id() -> str:
    """An id that a form gives what it sends: sent twice, it is done once."""
    return str(uuid4())


@register.simple_tag
@cache
def asset(path: str) -> str:
    """The address of a file of ours, which stays as long as the server runs."""
    return static(path)


@register.simple_tag
@cache
def icon(which: str, classes: str = "") -> SafeString:
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"/></svg>',
        classes,
        static("ledger/icons.svg"),
        which,
    )


@register.simple_tag
def gate(level: int, classes: str = "", strokes: int = 5) -> SafeString:
    """The tally gate, *level* of its *strokes* drawn."""
    return format_html(
        '<svg class="gate {}" data-level="{}" viewBox="0 0 34 24" aria-hidden="true">'
        "{}</svg>",
        classes,
        level,
        mark_safe(STROKES if strokes > 4 else STROKES.rsplit("<path", 1)[0]),
    )
