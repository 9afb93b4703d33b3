"""What is corrected of an evening or a club, told as old and new in a few words."""

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

from ledger.journal import FieldValues, Kept
from ledger.models import Action, Edition, Season, Table
from ledger.text.markup import stake
from ledger.text.messages import game, say
from scoring import Tariff, Text, roman


@dataclass(frozen=True, slots=True)
class Difference:
    label: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.label}: {self.old} → {self.new}"


@dataclass(frozen=True, slots=True)
class Meant:
    """What the numbers mean that actions keep."""

    seasons: Mapping[int, Season] = field(default_factory=dict)
    editions: Mapping[int, Edition] = field(default_factory=dict)
    tables: Mapping[int, Table] = field(default_factory=dict)

    @classmethod
    def by(cls, done: Iterable[Action]) -> Meant:
        kept = [told for action in done for told in (action.before, action.after)]
        seasons = {one["season"] for one in kept if "season" in one}
        editions = {one["edition"] for one in kept if "edition" in one}
        for one in kept:
            editions.update(one.get("tables", {}).values())
        tables = {int(pk) for one in kept for pk in one.get("tables", {})}
        return cls(
            Season.objects.in_bulk(seasons) if seasons else {},
            Edition.objects.in_bulk(editions) if editions else {},
            Table.objects.in_bulk(tables) if tables else {},
        )

    def told(self, kept: Kept) -> FieldValues:
        """Return what an action kept, with what its numbers mean."""
        return {key: self._told(key, value) for key, value in kept.items()}

    def _told(self, key: str, value: Any) -> Any:
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
    """Yield what differs, each thing once; *tables* are known by their key."""
    for key, label in _labels().items():
        if key in after:
            old, new = (_said(key, told) for told in (before, after))
            yield Difference(label, old, new)
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


def _said(key: str, told: FieldValues) -> str:
    match key:
        case "language":
            return str(dict(settings.LANGUAGES).get(told[key], told[key]))
        case "date":
            return formats.date_format(told[key])
        case "stake":
            currency = told["currency"]
            return stake(told[key], currency) if currency else _("points only")
    return str(told[key])


def _game(label: str, before: Edition, after: Edition) -> Iterator[Difference]:
    """Yield the other game, or each rule by which it is played otherwise."""
    if before.variant != after.variant:
        yield Difference(label, game(before.variant), game(after.variant))
        return
    label = f"{label}, {game(after.variant)}"
    was, now = _rules(before.tariff), _rules(after.tariff)
    other = dict.fromkeys(
        name for name in (*was, *now) if was.get(name) != now.get(name)
    )
    for name in other:
        usual = _("as in the tariff")
        yield Difference(f"{label}: {name}", was.get(name, usual), now.get(name, usual))
    if not other:
        yield Difference(label, _("other values"), _("other values"))


def _rules(tariff: Tariff) -> dict[str, str]:
    """Return the tariff, and each choice that is made beside it, in words."""
    variant, said = tariff.variant, {}
    for preset in variant.presets:
        if preset.id == tariff.rules.get("preset", variant.presets[0].id):
            said[_("Tariff")] = say(Text(preset.name))
    for option in variant.options:
        own = option.id in tariff.rules or not variant.presets
        for choice in option.choices:
            if own and choice.value == tariff.options[option.id]:
                said[say(Text(option.name))] = say(Text(choice.name))
    return said
