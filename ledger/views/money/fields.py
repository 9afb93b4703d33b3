"""Fields of the forms about money: amounts, and the day of a payment."""

from __future__ import annotations

from django import forms
from django.core.exceptions import BadRequest, ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.text import amounts, dates
from ledger.text.parsing import whole_number
from ledger.views.fields import day_field, text_box

MOST_DIGITS = 16


class AmountField(forms.CharField):
    """An amount above 0, as money or points; it cleans to minor units or points."""

    def __init__(self, *, currency: str, **more: object) -> None:
        self.currency = currency
        super().__init__(
            label=gettext_lazy("How much"),
            max_length=40,
            widget=text_box(inputmode="decimal", autocomplete="off"),
            **more,  # type: ignore[arg-type]  # as CharField takes it
        )

    def clean(self, value: object) -> int:
        return amount_of(super().clean(value), self.currency)


def paid_on_field() -> forms.DateField:
    """Return a field for the day of a payment; it begins with today."""
    field = day_field(gettext_lazy("Paid on"), dates.played, required=False)
    field.initial = timezone.localdate
    return field


def amount_of(typed: str, currency: str) -> int:
    """Return the amount *typed*, above 0, in minor units or points."""
    if currency:
        try:
            amount = amounts.parse_amount(typed, currency)
        except amounts.AmountError as error:
            raise ValidationError(str(error)) from error
    else:
        points = whole_number(typed.strip())
        if points is None:
            raise ValidationError(_("Enter whole points, in figures."))
        amount = points
    if amount <= 0:
        raise ValidationError(_("Enter an amount above 0, without a sign."))
    return amount


def minor(text: str | None) -> int:
    """Return the amount in a hidden field, in minor units or points."""
    digits = text or ""
    if not digits.isdecimal() or len(digits) > MOST_DIGITS:
        raise BadRequest("expected an amount")
    return int(digits)
