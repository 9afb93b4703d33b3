"""Form that corrects an evening, and the games of its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from ledger import journal
from ledger.journal import WHOLE, Amendment
from ledger.models import Evening, Season
from ledger.text import dates
from ledger.text.amounts import typed_stake
from ledger.text.messages import messages_of, say
from ledger.views.fields import (
    NameField,
    clean_stake,
    currency_field,
    day_field,
    stake_field,
    text_box,
)
from ledger.views.game_form import GameForm
from scoring import Refused, roman


class TableGameForm(GameForm):
    """Game of a table; it stays where no game is sent."""

    def __init__(self, data: Any, *, number: int, legend: str, **more: Any) -> None:
        super().__init__(data, prefix=f"table-{number}", **more)
        self.number, self.legend = number, legend

    @property
    def is_sent(self) -> bool:
        return self.variant_field in self.data

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["tariff"] = self._tariff() if self.is_sent else None
        return self.cleaned_data


class CorrectForm(forms.Form):
    """Facts that an evening began with; *games* are the forms of its tables."""

    name = NameField(label=gettext_lazy("Name"), max_length=80)
    date = day_field(gettext_lazy("Date"), dates.played)
    stake = stake_field()
    reason = forms.CharField(
        label=gettext_lazy("Reason for the change"),
        required=False,
        max_length=journal.MOST_REASON,
        widget=text_box(autocomplete="off", enterkeyhint="done"),
    )

    def __init__(self, data: Any = None, *, evening: Evening) -> None:
        super().__init__(data, initial=_initial(evening))
        self.fields["currency"] = currency_field(evening.currency)
        self.seasons = {str(season.pk): season for season in _seasons(evening)}
        if len(self.seasons) > 1:
            self.fields["season"] = _season_field(self.seasons)
        self.games = [*_games(data, evening)]

    def is_valid(self) -> bool:
        return all([super().is_valid(), *(game.is_valid() for game in self.games)])

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["worth"] = clean_stake(self)
        return self.cleaned_data

    def amendment(self) -> Amendment:
        values = self.cleaned_data
        games = {game.number: game.cleaned_data["tariff"] for game in self.games}
        return Amendment(
            name=values["name"],
            date=values["date"],
            season=self.seasons.get(values.get("season", "")),
            currency=values["currency"],
            stake=values["worth"],
            games={number: game for number, game in games.items() if game},
        )

    def refuse(self, refused: Refused) -> list[str]:
        """Add each problem at its field; return messages of those that have none."""
        left = []
        for problem in refused.problems:
            if problem.field in self.fields:
                self.add_error(problem.field, say(problem.message))
            elif problem.code != "refused_hand":  # shown with its hand
                left.append(problem)
        return messages_of(left)


def _initial(evening: Evening) -> dict[str, object]:
    known: dict[str, object] = {
        "name": evening.name,
        "date": evening.date,
        "season": evening.season_id,
        "currency": evening.currency,
    }
    if evening.currency:
        known["stake"] = typed_stake(evening.per_point, evening.currency)
    return known


def _seasons(evening: Evening) -> Iterable[Season]:
    """Return open seasons, the only ones that the evening can be moved to."""
    return evening.club.seasons.filter(closed_at=None).order_by("-starts", "-pk")


def _season_field(seasons: Mapping[str, Season]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("Season"),
        choices=[(pk, season.name) for pk, season in seasons.items()],
        widget=forms.Select(attrs={"class": "input"}),
    )


def _games(data: Any, evening: Evening) -> Iterable[TableGameForm]:
    tables = journal.tables_of(evening)
    for number, edition in [(at.number, at.edition) for at in tables] or [
        (WHOLE, evening.edition)
    ]:
        legend = _("Game at table {numeral}").format(numeral=roman(number))
        yield TableGameForm(
            data,
            number=number,
            legend=legend if len(tables) > 1 else pgettext("kind", "Game"),
            variant=edition.variant,
            rules=edition.rules,
        )
