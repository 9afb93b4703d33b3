"""Registers what every page uses, see ledger/text/markup.py."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from uuid import uuid4

from django import template
from django.forms import BaseForm
from django.templatetags.static import static

import scoring
from ledger.text import amounts, markup, messages
from ledger.views import form_errors
from ledger.views.form_errors import FormError

register = template.Library()

register.filter(amounts.plain)
register.filter(amounts.signed)
register.filter(markup.money)
register.filter(markup.short)
register.filter(markup.signed_money)
register.filter(markup.stake)
register.filter(markup.tone)
register.filter(messages.say)
register.filter(scoring.roman)
register.simple_tag(markup.gate)
register.simple_tag(markup.icon)
register.simple_tag(markup.name)
register.simple_tag(messages.rounding_note)


@register.filter
def wrongs(form: BaseForm | Iterable[FormError] | None) -> list[FormError]:
    """Return the errors of *form*, or those that were found without one."""
    return list(
        form_errors.form_errors(form) if isinstance(form, BaseForm) else form or ()
    )


@register.simple_tag
def new_id() -> str:
    """Return a new id for a form: sent twice, it is done once."""
    return str(uuid4())


@register.simple_tag
@cache
def asset(path: str) -> str:
    """Return the address of a static file; it stays while the server runs."""
    return static(path)
