"""Amendment: the values of an evening or a club that change, old and new in words."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ledger.journal import FieldValues, StoredValues
from ledger.models import Action, Edition, Season, Table
from ledger.text.markup import stake
from ledger.text.messages import game, say
from scoring import Tariff, Text, roman


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that changes, in words."""

    label: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.label}: {self.old} → {self.new}"


@dataclass(frozen=True, slots=True)
class StoredRows:
    """The rows that the values stored by actions refer to, by id."""

    seasons: Mapping[int, Season] = field(default_factory=dict)
    editions: Mapping[int, Edition] = field(default_factory=dict)
    tables: Mapping[int, Table] = field(default_factory=dict)

    @classmethod
    def of(cls, actions: Iterable[Action]) -> StoredRows:
        """Read the rows that the amendments among *actions* refer to."""
        stored = [values for one in actions for values in (one.before, one.after)]
        seasons = {values["season"] for values in stored if "season" in values}
        editions = {values["edition"] for values in stored if "edition" in values}
        for values in stored:
            editions.update(values.get("tables", {}).values())
        tables = {int(pk) for values in stored for pk in values.get("tables", {})}
        return cls(
            Season.objects.in_bulk(seasons) if seasons else {},
            Edition.objects.in_bulk(editions) if editions else {},
            Table.objects.in_bulk(tables) if tables else {},
        )

    def load(self, stored: StoredValues) -> FieldValues:
        """Return the values that an action *stored* as JSON."""
        return {key: self._value(key, value) for key, value in stored.items()}

    def _value(self, key: str, value: Any) -> Any:
        match key:
            case "season":
                return self.seasons[value]
            case "edition":
                return self.editions[value]
            case "date":
                return datetime.date.fromisoformat(value)
            case "stake":
                return Fraction(value)
            case "tables":
                return {int(pk): self.editions[one] for pk, one in value.items()}
        return value


def differences(
    before: FieldValues, after: FieldValues, tables: Mapping[int, Table]
) -> Iterator[Difference]:
    """Yield each value that differs; *tables* are by id."""
    for key, label in _labels().items():
        if key in after:
            yield Difference(label, _words(key, before), _words(key, after))
    of_tables = after.get("tables", {})
    for pk, edition in of_tables.items():
        number = tables[pk].number
        label = _("Game at table {numeral}").format(numeral=roman(number))
        alone = number == 1 and len(of_tables) == 1
        yield from _game(
            pgettext("kind", "Game") if alone else label, before["tables"][pk], edition
        )
    if "edition" in after and not of_tables:
        yield from _game(pgettext("kind", "Game"), before["edition"], after["edition"])


def _labels() -> dict[str, str]:
    return {
        "name": _("Name"),
        "language": _("Language"),
        "date": _("Date"),
        "season": _("Season"),
        "stake": _("Stake per point"),
    }


def _words(key: str, values: FieldValues) -> str:
    match key:
        case "language":
            return str(dict(settings.LANGUAGES).get(values[key], values[key]))
        case "date":
            return formats.date_format(values[key])
        case "stake":
            currency = values["currency"]
            return stake(values[key], currency) if currency else _("points only")
    return str(values[key])


def _game(label: str, before: Edition, after: Edition) -> Iterator[Difference]:
    """Yield the other game, or each house rule that differs."""
    if before.variant != after.variant:
        yield Difference(label, game(before.variant), game(after.variant))
        return
    label = f"{label}, {game(after.variant)}"
    was, now = _rules(before.tariff), _rules(after.tariff)
    changed = dict.fromkeys(
        name for name in (*was, *now) if was.get(name) != now.get(name)
    )
    for name in changed:
        usual = _("as in the tariff")
        yield Difference(f"{label}: {name}", was.get(name, usual), now.get(name, usual))
    if not changed:
        yield Difference(label, _("other values"), _("other values"))


def _rules(tariff: Tariff) -> dict[str, str]:
    """Return the tariff, and each option that is set beside it, in words."""
    variant, rules = tariff.variant, {}
    for preset in variant.presets:
        if preset.id == tariff.rules.get("preset", variant.presets[0].id):
            rules[_("Tariff")] = say(Text(preset.name))
    for option in variant.options:
        own = option.id in tariff.rules or not variant.presets
        for choice in option.choices:
            if own and choice.value == tariff.options[option.id]:
                rules[say(Text(option.name))] = say(Text(choice.name))
    return rules
