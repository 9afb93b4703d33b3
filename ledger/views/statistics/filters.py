"""Filters of the statistics pages: parsed from the address and written back into it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.db.models import Max
from django.http import QueryDict
from django.utils import formats
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from ledger.models import Club, Season, Table
from ledger.statistics import HandFilter
from ledger.text import messages
from ledger.views.fields import day_field
from scoring import roman

MOST_HANDS = 1_000_000


def _choice_field(
    label: Any, choices: Iterable[tuple[object, Any]]
) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        required=False,
        choices=list(choices),
        widget=forms.Select(attrs={"class": "input"}),
    )


class FilterForm(forms.Form):
    """Form of the filters; an empty field does not limit anything."""

    since = day_field(_("From"), required=False)
    until = day_field(_("To"), required=False)
    least = forms.IntegerField(
        label=_("Minimum number of hands"),
        required=False,
        min_value=0,
        max_value=MOST_HANDS,
        widget=forms.TextInput(attrs={"class": "input", "inputmode": "numeric"}),
    )

    def __init__(self, data: QueryDict, club: Club, season: Season | None) -> None:
        super().__init__(data)
        seasons = [] if season else list(club.seasons.order_by("-starts", "-pk"))
        self.seasons = {str(one.pk): one for one in seasons}
        games = club.editions.values_list("variant", flat=True).distinct()
        tables = Table.objects.filter(evening__club=club).aggregate(Max("number"))
        if seasons:
            self.fields["season"] = _choice_field(
                _("Season"), [("", _("All seasons")), *self._season_choices()]
            )
        if len(games) > 1:
            names = [(g, messages.game(g)) for g in sorted(games)]
            self.fields["game"] = _choice_field(
                pgettext("kind", "Game"), [("", _("All games")), *names]
            )
        if (most := tables["number__max"] or 1) > 1:
            numbers = [(n, roman(n)) for n in range(1, most + 1)]
            self.fields["table"] = _choice_field(
                _("Table"), [("", _("All tables")), *numbers]
            )

    def _season_choices(self) -> list[tuple[str, str]]:
        return [(pk, season.name) for pk, season in self.seasons.items()]

    def clean(self) -> dict[str, Any]:
        super().clean()
        since, until = (self.cleaned_data.get(day) for day in ("since", "until"))
        if since and until and until < since:
            self.add_error("until", gettext("This date is before the start date."))
        return self.cleaned_data


@dataclass(frozen=True)
class Filters:
    """Filters of one page, with the parameters that spell them in an address."""

    form: FilterForm
    hand_filter: HandFilter
    params: Mapping[str, str]
    """Non-empty parameters by name of the field."""
    least: int = 0
    """Least number of hands for a place in the ranking."""

    @property
    def query(self) -> str:
        """Return the query string of the same filters for another page."""
        season = self.hand_filter.season
        params = {**self.params, **({"season": str(season.pk)} if season else {})}
        params.pop("least", None)
        return urlencode(params)

    @property
    def and_query(self) -> str:
        """Return the same, to be appended to a query string."""
        return f"&{self.query}" if self.query else ""

    def query_with(self, **more: object) -> str:
        """Return the query string of this page, with *more* parameters changed."""
        params = {**self.params, **{key: str(value) for key, value in more.items()}}
        return urlencode({key: value for key, value in params.items() if value})

    @property
    def words(self) -> str:
        """Return the chosen filters in words; "" where nothing is limited."""
        chosen = self.hand_filter
        # On the page of a season the season is no filter of its own.
        season = chosen.season if "season" in self.params else None
        parts = [season.name] if season else []
        if chosen.variant:
            parts.append(messages.game(chosen.variant))
        if chosen.table:
            numeral = roman(chosen.table)
            parts.append(gettext("table {numeral}").format(numeral=numeral))
        days = [chosen.since, chosen.until]
        if any(days):
            ends = [
                formats.date_format(d, "SHORT_DATE_FORMAT") if d else "" for d in days
            ]
            parts.append("–".join(ends))
        return " · ".join(parts)


def filters_of(club: Club, query: QueryDict, season: Season | None = None) -> Filters:
    """Return the filters in *query*, without invalid ones; the form has the errors."""
    form = FilterForm(query, club, season)
    form.is_valid()
    valid = form.cleaned_data
    hand_filter = HandFilter(
        club,
        season or form.seasons.get(valid.get("season", "")),
        valid.get("since"),
        valid.get("until"),
        valid.get("game", ""),
        int(valid.get("table") or 0),
    )
    params = {name: query.get(name, "") for name in form.fields}
    params = {name: value for name, value in params.items() if value}
    return Filters(form, hand_filter, params, valid.get("least") or 0)
