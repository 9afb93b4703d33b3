"""Fields and the base class that serializers of several topics share."""

from __future__ import annotations

from typing import Any

from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ledger.models import Club
from ledger.names import has_letter, tidy


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
    """The id of a game, existing or not."""

    def __init__(self, **kwargs: Any) -> None:
        help_text = kwargs.pop("help_text", "Id of a game.")
        super().__init__(min_length=1, max_length=40, help_text=help_text, **kwargs)


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


def people_of(club: Club) -> Any:
    """Return the club's players by id, fetched when the first is asked for."""
    return SimpleLazyObject(club.players.people().in_bulk)
