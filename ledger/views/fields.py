"""Form fields and widgets that several pages share."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from ledger.text import amounts, dates
from ledger.text.names import has_letter, tidy

CURRENCIES = ("", "PLN", "EUR", "HUF", "CZK", "CHF", "RON")
"""Currencies offered as chips; "" is a game for points only."""


def text_box(**attrs: str) -> forms.TextInput:
    return forms.TextInput(attrs={"class": "input", **attrs})


class NameField(forms.CharField):
    """Field for a name: it is tidied, and refused without a letter or digit."""

    default_error_messages = {"unreadable": _("Enter a name with a letter or a digit.")}

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        kwargs.setdefault("widget", text_box(autocomplete="off", enterkeyhint="done"))
        super().__init__(max_length=max_length, **kwargs)

    def clean(self, value: Any) -> str:
        name: str = super().clean(value)
        if name and not has_letter(name):
            raise ValidationError(self.error_messages["unreadable"], code="unreadable")
        return name

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value) or "")


def password_field(label: Any, autocomplete: str, **more: Any) -> forms.CharField:
    """Return a field for a password, which is refused unchecked if it is overlong."""
    attrs = {"class": "input", "autocomplete": autocomplete}
    return forms.CharField(
        label=label,
        strip=False,
        max_length=1024,
        widget=forms.PasswordInput(attrs=attrs),
        **more,
    )


def currency_field(usual: str = "") -> forms.ChoiceField:
    offered = dict.fromkeys([*CURRENCIES, usual])
    return forms.ChoiceField(
        label=_("Played for"),
        required=False,
        widget=forms.RadioSelect,
        choices=[(code, code or _("points only")) for code in offered],
    )


def stake_field() -> forms.CharField:
    return forms.CharField(
        label=_("Stake per point"),
        required=False,
        max_length=40,
        widget=text_box(inputmode="decimal", autocomplete="off"),
    )


def clean_stake(form: forms.Form) -> amounts.Stake:
    """Return the stake entered, in minor units, or 0 with an error at the field."""
    currency = form.cleaned_data.get("currency", "")
    if not currency:
        return 0
    try:
        return amounts.parse_stake(form.cleaned_data.get("stake", ""), currency)
    except amounts.AmountError as unclear:
        form.add_error("stake", str(unclear))
        return 0


def day_field(
    label: Any,
    validator: Callable[[datetime.date], None] = dates.likely,
    *,
    required: bool = True,
) -> forms.DateField:
    """Return a field for a day; *validator* refuses unlikely ones."""
    typed = {"class": "input", "type": "date", "min": dates.EARLIEST.isoformat()}
    return forms.DateField(
        label=label,
        required=required,
        validators=[validator],
        widget=forms.DateInput(attrs=typed, format="%Y-%m-%d"),
    )
