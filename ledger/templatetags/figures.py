"""Registers averages and shares, see ledger/text/markup.py."""

from __future__ import annotations

from django import template

from ledger.text import markup

register = template.Library()

register.filter(markup.average)
register.filter(markup.pace)
register.filter(markup.percent)
