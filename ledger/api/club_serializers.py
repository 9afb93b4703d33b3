"""Serializers of clubs, players, evenings, tables, tallies and balances."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

import scoring
from ledger import access
from ledger.api.fields import (
    CurrencyField,
    PlayerIdField,
    StrictSerializer,
    TidyNameField,
    VariantIdField,
    refusal,
    stake_of,
)
from ledger.models import Club, Evening, Member, Player, Table
from ledger.settlement import DebtState, Method
from ledger.table import rotation
from ledger.text import dates
from ledger.text.amounts import FINEST, HIGHEST_STAKE
from ledger.text.names import LETTERS


class ClubSerializer(serializers.ModelSerializer[Club]):
    role = serializers.ChoiceField(
        Member.Role.choices, read_only=True, source=access.ROLE
    )

    class Meta:
        model = Club
        fields = ("id", "name", "language", "role")


class PlayerSerializer(StrictSerializer, serializers.ModelSerializer[Player]):
    name = TidyNameField(max_length=60)
    nickname = TidyNameField(max_length=LETTERS, required=False, allow_blank=True)

    class Meta:
        model = Player
        fields = ("id", "name", "nickname", "retired")


class ClientIdField(serializers.UUIDField):
    """The client's own id of what it sends, by which nothing is made twice."""

    def __init__(self, **kwargs: Any) -> None:
        help_text = (
            "Made by the client, as a hand’s is, and sent again after a fault: "
            "the answer is then what was made by it."
        )
        super().__init__(default=uuid4, help_text=help_text, **kwargs)


class NewPlayerSerializer(PlayerSerializer):
    id = ClientIdField()


class SeatedSerializer(serializers.ModelSerializer[Player]):
    """Somebody at a table."""

    class Meta:
        model = Player
        fields = ("id", "name", "nickname")


class SeatingSerializer(StrictSerializer):
    """Who sits where, and which game is played by which rules."""

    seats = serializers.ListField(
        child=PlayerIdField(),
        min_length=rotation.FEWEST_SEATS,
        max_length=rotation.MOST_SEATS,
        help_text="Players’ ids in seat order, anticlockwise.",
    )
    dealer = PlayerIdField(help_text="Who deals first.")
    variant = VariantIdField()
    rules = serializers.DictField(
        default=dict, help_text="Preset, options and values that the club chose."
    )

    def validate(self, seating: dict[str, Any]) -> dict[str, Any]:
        if len(set(seating["seats"])) < len(seating["seats"]):
            raise refusal("seats", _("Nobody can sit in two seats."))
        if seating["dealer"] not in seating["seats"]:
            raise refusal("dealer", _("The dealer must sit at the table."))
        if "variant" in seating:
            seating["tariff"] = scoring.tariff(seating["variant"], seating["rules"])
        return seating


class NewTableSerializer(SeatingSerializer):
    """One more table; without a game it plays the evening's."""

    id = ClientIdField()
    variant = VariantIdField(required=False)

    def validate(self, seating: dict[str, Any]) -> dict[str, Any]:
        if seating["rules"] and "variant" not in seating:
            raise refusal("variant", _("Say which game these rules are for."))
        return super().validate(seating)


class NewEveningSerializer(SeatingSerializer):
    id = ClientIdField()
    name = TidyNameField(max_length=80)
    date = serializers.DateField(validators=[dates.played])
    currency = CurrencyField(default="", help_text="Empty: points only.")
    stake = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=HIGHEST_STAKE,
        help_text="What a point is worth, in the currency's smallest unit.",
    )
    stake_parts = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=FINEST,
        help_text="So many points are worth the stake: 2 with a stake of 1 where a "
        "point is worth half of the smallest unit; what divides 1000. Sums of an "
        "evening are then rounded to whole units that come to 0.",
    )

    def validate(self, evening: dict[str, Any]) -> dict[str, Any]:
        if bool(evening["stake"]) != bool(evening["currency"]):
            raise refusal("stake", _("Give a currency and a stake, or neither."))
        evening["stake"] = stake_of(evening["stake"], evening.pop("stake_parts"))
        return super().validate(evening)


class TableSerializer(serializers.ModelSerializer[Table]):
    variant = serializers.CharField(source="edition.variant")
    rules = serializers.DictField(source="edition.rules")

    class Meta:
        model = Table
        fields = ("id", "evening", "number", "variant", "rules")


class EveningSerializer(serializers.ModelSerializer[Evening]):
    variant = serializers.CharField(source="edition.variant")
    rules = serializers.DictField(source="edition.rules")
    tables = TableSerializer(many=True)

    class Meta:
        model = Evening
        fields = (
            *("id", "club", "season", "name", "date", "variant", "rules"),
            *("currency", "stake", "stake_parts", "opened_at", "closed_at", "tables"),
        )


class DealSerializer(serializers.Serializer[Any]):
    """The next hand before it is played."""

    number = serializers.IntegerField()
    dealer = PlayerIdField()
    next_dealers = serializers.ListField(child=PlayerIdField())
    players = serializers.ListField(
        child=PlayerIdField(), help_text="Who plays, from forehand on."
    )
    resting = serializers.ListField(child=PlayerIdField(), source="sitting_out")
    multiplier = serializers.IntegerField()
    mayor = PlayerIdField(allow_null=True)


class TableWithDealSerializer(serializers.Serializer[Any]):
    table = TableSerializer()
    seats = SeatedSerializer(many=True, source="next.seats", help_text="In seat order.")
    next = DealSerializer()


class StandingSerializer(serializers.Serializer[Any]):
    player = PlayerIdField()
    name = serializers.CharField(source="player.name")
    points = serializers.IntegerField()
    money = serializers.IntegerField()
    hands = serializers.IntegerField()


class TransferSerializer(serializers.Serializer[Any]):
    payer = serializers.IntegerField(
        source="payer.pk", allow_null=True, help_text="Null: the pot, not used yet."
    )
    payee = serializers.IntegerField(source="payee.pk", allow_null=True)
    amount = serializers.IntegerField(help_text="Money, or points if none is at stake.")


class WhereSerializer(serializers.Serializer[Any]):
    """Where a debt stands: an evening, a season, or the club with neither."""

    evening = serializers.IntegerField(source="evening.pk", default=None)
    season = serializers.IntegerField(source="season.pk", default=None)


class DebtSerializer(TransferSerializer):
    """What one owes another, and what became of it."""

    state = serializers.ChoiceField(DebtState.choices)
    open = serializers.BooleanField(
        help_text="It is still to be paid: here, or where it was carried to."
    )
    stands = WhereSerializer(source="scope")
    paid_on = serializers.DateField(allow_null=True)
    counts_up_to = serializers.DateField(source="counts_for", allow_null=True)


class TallySerializer(serializers.Serializer[Any]):
    """How the evening stands, who would pay whom, and where every debt stands."""

    evening = serializers.IntegerField()
    currency = serializers.CharField()
    stake = serializers.IntegerField()
    stake_parts = serializers.IntegerField(help_text="So many points are worth it.")
    closed = serializers.BooleanField()
    standings = StandingSerializer(many=True)
    method = serializers.ChoiceField(Method.choices)
    plan = TransferSerializer(many=True)
    debts = DebtSerializer(many=True)


class BalanceSerializer(serializers.Serializer[Any]):
    player = PlayerIdField()
    name = serializers.CharField(source="player.name")
    amount = serializers.IntegerField(help_text="What he is owed; below 0, owes.")


class BookSerializer(serializers.Serializer[Any]):
    """What everybody is owed in one currency, and how it would be settled."""

    currency = serializers.CharField(help_text="Empty: points.")
    balances = BalanceSerializer(many=True)
    plan = TransferSerializer(many=True)
