"""Amounts of what is played for: money where there is a currency, else points."""

from __future__ import annotations

from django import template

from ledger.templatetags import kontra

register = template.Library()


@register.filter
def worth(amount: int, currency: str) -> str:
    return kontra.money(amount, currency) if currency else kontra.plain(amount)


@register.filter
def signed_worth(amount: int, currency: str) -> str:
    if currency:
        return kontra.signed_money(amount, currency)
    return kontra.signed(amount)
