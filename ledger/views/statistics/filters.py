"""Which hands a page of statistics looks at; the address says it whole."""

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
from ledger.templatetags.kontra import roman
from ledger.text import messages
from ledger.views.forms import day_field

MOST_HANDS = 1_000_000


def _chosen(label: Any, choices: Iterable[tuple[object, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        required=False,
        choices=list(choices),
        widget=forms.Select(attrs={"class": "input"}),
    )


class LookForm(forms.Form):
    """All of it may stay empty; then everything counts."""

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
            self.fields["season"] = _chosen(
                _("Season"), [("", _("All seasons")), *self._named()]
            )
        if len(games) > 1:
            names = [(g, messages.game(g)) for g in sorted(games)]
            self.fields["game"] = _chosen(
                pgettext("kind", "Game"), [("", _("All games")), *names]
            )
        if (most := tables["number__max"] or 1) > 1:
            numbers = [(n, roman(n)) for n in range(1, most + 1)]
            self.fields["table"] = _chosen(
                _("Table"), [("", _("All tables")), *numbers]
            )

    def _named(self) -> list[tuple[str, str]]:
        return [(pk, season.name) for pk, season in self.seasons.items()]

    def clean(self) -> dict[str, Any]:
        super().clean()
        since, until = (self.cleaned_data.get(day) for day in ("since", "until"))
        if since and until and until < since:
            self.add_error("until", gettext("This date is before the start date."))
        return self.cleaned_data


@dataclass(frozen=True)
class Looked:
    """What is looked at, and what an address has to say to mean it again."""

    form: LookForm
    scope: HandFilter
    fields: Mapping[str, str]
    least: int = 0

    @property
    def elsewhere(self) -> str:
        """Return the query by which another page looks at the same."""
        season = self.scope.season
        fields = {**self.fields, **({"season": str(season.pk)} if season else {})}
        fields.pop("least", None)
        return urlencode(fields)

    @property
    def also(self) -> str:
        """Return the same to stand behind a query of the page's own."""
        return f"&{self.elsewhere}" if self.elsewhere else ""

    def asks(self, **more: object) -> str:
        """Return the query that means the same but for *more*."""
        kept = {**self.fields, **{key: str(value) for key, value in more.items()}}
        return urlencode({key: value for key, value in kept.items() if value})

    @property
    def words(self) -> str:
        """Return what was chosen on the page; nothing where everything counts."""
        scope = self.scope
        chosen = scope.season if "season" in self.fields else None
        parts = [chosen.name] if chosen else []
        if scope.variant:
            parts.append(messages.game(scope.variant))
        if scope.table:
            parts.append(gettext("table {numeral}").format(numeral=roman(scope.table)))
        days = [scope.since, scope.until]
        if any(days):
            ends = [
                formats.date_format(d, "SHORT_DATE_FORMAT") if d else "" for d in days
            ]
            parts.append("–".join(ends))
        return " · ".join(parts)


def looked(club: Club, address: QueryDict, season: Season | None = None) -> Looked:
    """Return what *address* asks for; where that is refused, the form says why."""
    form = LookForm(address, club, season)
    form.is_valid()
    found = form.cleaned_data
    scope = HandFilter(
        club,
        season or form.seasons.get(found.get("season", "")),
        found.get("since"),
        found.get("until"),
        found.get("game", ""),
        int(found.get("table") or 0),
    )
    fields = {name: address.get(name, "") for name in form.fields}
    fields = {name: value for name, value in fields.items() if value}
    return Looked(form, scope, fields, found.get("least") or 0)
