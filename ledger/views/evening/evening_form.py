"""Form of a new evening: name, date, stake, seats, game and rules."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from ledger.text import dates
from ledger.views.fields import (
    NameField,
    clean_stake,
    currency_field,
    day_field,
    stake_field,
    text_box,
)
from ledger.views.table.seating_form import SeatingForm


class EveningForm(SeatingForm):
    name = NameField(label=_("Name"), max_length=80, widget=text_box())
    date = day_field(_("Date"), dates.played)
    stake = stake_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["currency"] = currency_field(self.initial.get("currency", ""))

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.cleaned_data["stake"] = clean_stake(self)
        return self.cleaned_data
