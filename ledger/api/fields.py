"""Fields and the base class that serializers of several topics share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

import scoring
from ledger.models import Club
from ledger.text.amounts import PARTS
from ledger.text.names import has_letter, tidy


class StrictSerializer(serializers.Serializer[Any]):
    """Unknown fields are refused, not passed over."""

    def to_internal_value(self, data: Any) -> Any:
        read = super().to_internal_value(data)
        if unknown := [name for name in data if name not in self.fields]:
            message = _("There is no field “{name}” here.")
            raise serializers.ValidationError(
                {name: message.format(name=name) for name in unknown}, code="unknown"
            )
        return read


class TidyNameField(serializers.CharField):
    """A name, tidied, and refused where there is nothing to read."""

    default_error_messages = {"unreadable": _("Enter a name with a letter or a digit.")}

    def __init__(self, **kwargs: Any) -> None:
        if not kwargs.get("allow_blank"):
            kwargs["min_length"] = 1
        super().__init__(**kwargs)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        name = super().run_validation(tidy(data) if isinstance(data, str) else data)
        if name and not has_letter(name):
            self.fail("unreadable")
        return name


class VariantIdField(serializers.CharField):
    """A game, by its id."""

    def __init__(self, **kwargs: Any) -> None:
        help_text = kwargs.pop("help_text", "Id of a game.")
        super().__init__(min_length=1, max_length=40, help_text=help_text, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        id = super().to_internal_value(data)
        if id not in scoring.VARIANTS:
            known = ", ".join(scoring.VARIANTS)
            message = _("There is no game “{id}”. Choose one of: {known}.")
            raise serializers.ValidationError(message.format(id=id, known=known))
        return id


class CurrencyField(serializers.RegexField):
    """A currency, by its three capital letters; empty where points are played for."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"\A[A-Z]{3}\Z", max_length=3, allow_blank=True, **kwargs)


class PlayerIdField(serializers.IntegerField):
    """A player of the club in the context, by his id."""

    default_error_messages = {
        "unknown": _("The club has no player with the id {id}."),
    }

    def to_internal_value(self, data: Any) -> Any:
        id = super().to_internal_value(data)
        player = self.context["people"].get(id)
        if player is None:
            self.fail("unknown", id=id)
        return player

    def to_representation(self, player: Any) -> int:
        return int(player.pk)


def stake_of(amount: int, parts: int) -> Fraction:
    """Return what a point is worth, where *parts* points are worth *amount*."""
    stake = Fraction(amount, parts)
    if stake.denominator not in PARTS:
        message = _("Divide the stake by a number that divides 1000.")
        raise refusal("stake_parts", message)
    return stake


def refusal(field: str, sentence: Any) -> serializers.ValidationError:
    """Return the error of a *field* that is wrong together with others."""
    return serializers.ValidationError({field: sentence}, code="invalid")


def people_of(club: Club) -> Any:
    """Return the club's players by id, fetched when the first is asked for."""
    return SimpleLazyObject(club.players.people().in_bulk)
