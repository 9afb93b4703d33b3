"""Form of a game and its house rules, which several forms begin with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

import scoring
from ledger.text import messages
from ledger.views.form_errors import part_error, part_messages

GAMES = "games"
"""Part of the page where a form has the game."""
BY_THE_TARIFF = gettext_noop("as in the tariff")


@dataclass(frozen=True)
class GameChip:
    value: str
    name: str
    chosen: bool


@dataclass(frozen=True)
class OptionChips:
    field: str
    name: str
    help: str
    choices: tuple[GameChip, ...]


@dataclass(frozen=True)
class GameChoice:
    """A variant with its options, as chips."""

    variant: scoring.Variant
    chosen: bool
    options: tuple[OptionChips, ...]


class GameForm(forms.Form):
    """Choice of a game and its options; *variant* and *rules* are the first choice."""

    def __init__(
        self,
        data: Any = None,
        *args: Any,
        variant: str = "",
        rules: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(data, *args, **kwargs)
        self.first_variant = variant or next(iter(scoring.VARIANTS))
        self.first_rules = rules or {}

    @property
    def games(self) -> list[GameChoice]:
        return [
            GameChoice(v, v.id == self.variant, tuple(self._options(v)))
            for v in scoring.VARIANTS.values()
        ]

    @property
    def game_errors(self) -> list[str]:
        return part_messages(self, GAMES)

    @property
    def variant_field(self) -> str:
        return self.add_prefix("variant")

    @property
    def variant(self) -> str:
        chosen = str(self.data.get(self.variant_field, ""))
        return chosen if chosen in scoring.VARIANTS else self.first_variant

    def _tariff(self) -> scoring.Tariff | None:
        try:
            return scoring.tariff(self.variant, self._rules())
        except scoring.Refused as refused:
            for problem in refused.problems:
                self.add_error(None, part_error(GAMES, messages.say(problem.message)))
            return None

    def _rules(self) -> dict[str, Any]:
        """Return the rules chosen; values that a club has changed itself stay."""
        same = self.variant == self.first_variant
        rules = {k: v for k, v in self.first_rules.items() if same and k == "values"}
        for name in self._names(scoring.VARIANTS[self.variant]):
            if value := self.data.get(self.add_prefix(f"{self.variant}-{name}")):
                rules[name] = value
        return rules

    @staticmethod
    def _names(variant: scoring.Variant) -> list[str]:
        presets = ["preset"] if variant.presets else []
        return presets + [option.id for option in variant.options]

    def _options(self, variant: scoring.Variant) -> Iterable[OptionChips]:
        if variant.presets:
            presets = [(preset.id, preset.name) for preset in variant.presets]
            help = " ".join(gettext(preset.help) for preset in variant.presets)
            yield self._chips(variant, "preset", _("Tariff"), help, presets)
        for option in variant.options:
            choices = [(str(c.value), c.name) for c in option.choices]
            if any(option.id in preset.options for preset in variant.presets):
                choices.insert(0, ("", BY_THE_TARIFF))
            yield self._chips(variant, option.id, option.name, option.help, choices)

    def _chips(
        self,
        variant: scoring.Variant,
        name: str,
        label: Any,
        help: str,
        choices: Sequence[tuple[str, str]],
    ) -> OptionChips:
        field = self.add_prefix(f"{variant.id}-{name}")
        rules = self.first_rules if variant.id == self.first_variant else {}
        value = str(self.data.get(field, "") if self.is_bound else rules.get(name, ""))
        if value not in dict(choices):
            value = choices[0][0]
        chips = tuple(GameChip(key, text, key == value) for key, text in choices)
        return OptionChips(field, label, help, chips)
