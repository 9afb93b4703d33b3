"""Registers amounts of money or points, see ledger/text/markup.py."""

from __future__ import annotations

from django import template

from ledger.text import markup

register = template.Library()

register.filter(markup.worth)
register.filter(markup.signed_worth)
