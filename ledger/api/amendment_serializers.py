"""Serializers of corrections of evenings and clubs: requests and answers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

import scoring
from ledger.api.club_serializers import ClubSerializer, EveningSerializer
from ledger.api.fields import (
    CurrencyField,
    StrictSerializer,
    TidyNameField,
    VariantIdField,
    refusal,
    stake_of,
)
from ledger.models import Club, Season
from ledger.text import dates
from ledger.text.amounts import FINEST, HIGHEST_STAKE

# What is sent


class AmendSerializer(StrictSerializer):
    id = serializers.UUIDField(
        required=False, help_text="Made by the client; not needed for a preview."
    )
    preview = serializers.BooleanField(
        default=False, help_text="Tell what would change, and change nothing."
    )

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if not sent["preview"] and "id" not in sent:
            raise refusal("id", _("Send an id, a new one for each correction."))
        return sent


class GameSerializer(StrictSerializer):
    variant = VariantIdField(required=False)
    rules = serializers.DictField(
        required=False, help_text="Preset, options and values; without any, none."
    )

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        id = sent.get("variant")
        if id is None and "rules" in sent:
            raise refusal("variant", _("Say which game these rules are for."))
        if id is not None:
            sent["tariff"] = scoring.tariff(id, sent.get("rules", {}))
        return sent


class TableGameSerializer(GameSerializer):
    number = serializers.IntegerField(min_value=1, max_value=2**15 - 1)
    variant = VariantIdField()


class AmendEveningSerializer(AmendSerializer, GameSerializer):
    """What an evening shall be; what is not sent stays as it is."""

    name = TidyNameField(max_length=80, required=False)
    date = serializers.DateField(validators=[dates.played], required=False)
    season = serializers.IntegerField(required=False)
    currency = CurrencyField(required=False, help_text="Empty: points.")
    stake = serializers.IntegerField(
        required=False, min_value=0, max_value=HIGHEST_STAKE
    )
    stake_parts = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=FINEST,
        help_text="So many points are worth the stake, which is sent with it.",
    )
    variant = VariantIdField(required=False, help_text="Id of the game of every table.")
    tables = TableGameSerializer(
        many=True,
        required=False,
        max_length=100,  # type: ignore[call-arg]  # of the list that many=True makes
        help_text="Tables with a game of their own.",
    )
    reason = serializers.CharField(
        max_length=200, required=False, default="", allow_blank=True
    )

    def validate_season(self, pk: int) -> Season:
        club: Club = self.context["club"]
        season = club.seasons.filter(pk=pk).first() if 0 < pk < 2**31 else None
        if season is None:
            raise serializers.ValidationError(_("The club has no such season."))
        return season

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        sent = GameSerializer.validate(self, AmendSerializer.validate(self, sent))
        known = {at.number for at in self.context["tables"]}
        for table in sent.get("tables", ()):
            if table["number"] not in known:
                raise refusal("tables", _("There is no such table in this evening."))
        return _with_stake(sent)


class AmendClubSerializer(AmendSerializer):
    name = TidyNameField(max_length=80, required=False)
    language = serializers.ChoiceField(settings.LANGUAGES, required=False)


def _with_stake(sent: dict[str, Any]) -> dict[str, Any]:
    """Return what was sent with the stake and its parts as one."""
    parts = sent.pop("stake_parts", 1)
    if "stake" not in sent:
        if parts != 1:
            raise refusal("stake", _("Send the stake together with its parts."))
        return sent
    return sent | {"stake": stake_of(sent["stake"], parts)}


# What is answered


class FactsSerializer(serializers.Serializer[Any]):
    """What differs, and nothing else."""

    name = serializers.CharField(required=False)
    language = serializers.CharField(required=False)
    date = serializers.DateField(required=False)
    season = serializers.IntegerField(required=False)
    currency = serializers.CharField(required=False)
    stake = serializers.IntegerField(required=False)
    stake_parts = serializers.IntegerField(
        required=False, help_text="Where it is more than 1."
    )
    variant = serializers.CharField(required=False)
    rules = serializers.DictField(required=False)
    tables = TableGameSerializer(many=True, required=False)


class ChangedHandSerializer(serializers.Serializer[Any]):
    """A hand that pays otherwise; points by player’s id."""

    hand = serializers.UUIDField()
    table = serializers.IntegerField(help_text="Its number.")
    number = serializers.IntegerField()
    before = serializers.DictField(child=serializers.IntegerField())
    after = serializers.DictField(child=serializers.IntegerField())


class ChangedSumSerializer(serializers.Serializer[Any]):
    player = serializers.IntegerField(source="player.pk")
    points = serializers.IntegerField()
    points_after = serializers.IntegerField()
    money = serializers.IntegerField()
    money_after = serializers.IntegerField()


class AmendedSerializer(serializers.Serializer[Any]):
    """What a correction changes, or has changed; without an action it has not."""

    action = serializers.UUIDField(allow_null=True)
    before = FactsSerializer()
    after = FactsSerializer()


class AmendedClubSerializer(AmendedSerializer):
    club = ClubSerializer()


class AmendedEveningSerializer(AmendedSerializer):
    hands = ChangedHandSerializer(many=True)
    sums = ChangedSumSerializer(many=True)
    evening = EveningSerializer()


class UndoSerializer(StrictSerializer):
    id = serializers.UUIDField(help_text="Made by the client.")
    action = serializers.UUIDField(help_text="The correction that is undone.")


class UndoneSerializer(serializers.Serializer[Any]):
    action = serializers.UUIDField(source="pk", help_text="Can be undone in turn.")
