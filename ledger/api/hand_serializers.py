"""Serializers of hands, derived from the declaration of the slip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

import scoring
from ledger.api.club_serializers import DealSerializer
from ledger.api.fields import PlayerIdField, StrictSerializer
from ledger.table import rotation
from scoring import Field, Variant
from scoring.fields import Asks

Made = serializers.Field[Any, Any, Any, Any]
SIDES = [side.value for side in scoring.Side]


def _choice(field: Field, variant: Variant) -> Made:
    choices = [(answer.value, str(answer.name)) for answer in field.answers]
    return serializers.ChoiceField(choices, required=False, allow_null=True)


def _player(field: Field, variant: Variant) -> Made:
    return serializers.IntegerField(
        required=False, allow_null=True, help_text="A player’s id."
    )


def _flag(field: Field, variant: Variant) -> Made:
    return serializers.BooleanField(required=False, allow_null=True)


def _whole(field: Field, variant: Variant) -> Made:
    return serializers.IntegerField(
        min_value=0, max_value=field.most, required=False, allow_null=True
    )


def _level(field: Field, variant: Variant) -> Made:
    return serializers.IntegerField(min_value=0, max_value=field.most, default=0)


def _bonuses(field: Field, variant: Variant) -> Made:
    known = [(bonus.id, str(bonus.name)) for bonus in field.bonuses]
    ladder = next(asked for asked in widest(variant) if asked.asks is Asks.LEVEL)
    facts: dict[str, Made] = {
        "bonus": serializers.ChoiceField(known),
        "announced_by": _player(field, variant),
        "side": serializers.ChoiceField(SIDES, required=False),
        "contra": _level(ladder, variant),
        "made": serializers.BooleanField(),
    }
    line = type(f"{variant.id.title()}Bonus", (serializers.Serializer,), facts)
    made: Made = line(many=True, required=False)
    return made


def _holdings(field: Field, variant: Variant) -> Made:
    numbers = [(answer.value, str(answer.name)) for answer in field.answers]
    return serializers.DictField(
        child=serializers.ChoiceField(numbers),
        required=False,
        help_text="A player’s id → the number of trumps declared.",
    )


BUILDERS: Mapping[Asks, Callable[[Field, Variant], Made]] = {
    Asks.CHOICE: _choice,
    Asks.PLAYER: _player,
    Asks.FLAG: _flag,
    Asks.WHOLE: _whole,
    Asks.LEVEL: _level,
    Asks.BONUSES: _bonuses,
    Asks.HOLDINGS: _holdings,
}


class RecordSerializer(serializers.Serializer[Mapping[str, Any]]):
    """A hand record. What contradicts the rules, the rules themselves refuse."""

    multiplier = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        help_text="Worked out from thrown-in deals; what is sent here is passed over.",
    )


@cache
def record_serializer(variant: Variant) -> type[RecordSerializer]:
    """Return the serializer of a game's hands, under whatever options a club plays."""
    facts = {
        field.id: BUILDERS[field.asks](field, variant) for field in widest(variant)
    }
    return type(f"{variant.id.title()}Hand", (RecordSerializer,), facts)


@cache
def widest(variant: Variant) -> tuple[Field, ...]:
    """Return the slip's fields with every answer that some option allows."""
    found: dict[str, Field] = {}
    for rules in _every_choice(variant):
        for field in scoring.fields(scoring.Tariff.of(variant, rules)):
            found[field.id] = _joined(found.get(field.id, field), field)
    return tuple(found.values())


def _every_choice(variant: Variant) -> Iterator[Mapping[str, object]]:
    yield {}
    for preset in variant.presets:
        yield {"preset": preset.id}
    for option in variant.options:
        for choice in option.choices:
            yield {option.id: choice.value}


def _joined(one: Field, other: Field) -> Field:
    answers = {answer.value: answer for answer in (*one.answers, *other.answers)}
    bonuses = {bonus.id: bonus for bonus in (*one.bonuses, *other.bonuses)}
    return replace(
        one,
        answers=tuple(answers.values()),
        bonuses=tuple(bonuses.values()),
        most=max(one.most, other.most),
    )


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="HandRecord",
        serializers=lambda: [
            record_serializer(variant) for variant in scoring.VARIANTS.values()
        ],
        resource_type_field_name=None,
    )
)
class RecordField(serializers.Field[Any, Any, Any, Any]):
    """A hand record as it is: reading it is the rules' business."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=not kwargs.get("read_only"), **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


# What is sent, and what is answered


class SentHandSerializer(StrictSerializer):
    """A hand to be weighed: the record, and who deals or rests against the rotation."""

    hand = RecordField()
    dealer = PlayerIdField(required=False, allow_null=True)
    resting = serializers.ListField(
        child=PlayerIdField(),
        required=False,
        allow_null=True,
        max_length=rotation.MOST_SEATS,
    )


class NewHandSerializer(SentHandSerializer):
    """A hand to be kept. Its id is made by the client and sent again after a fault."""

    id = serializers.UUIDField()
    number = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=2**31 - 1,
        help_text="The hand's number as the scorer saw it.",
    )
    override = serializers.BooleanField(
        default=False, help_text="Save in spite of warnings."
    )


class ReversalSerializer(StrictSerializer):
    id = serializers.UUIDField(help_text="Made by the client, as a hand's is.")


class PaymentSerializer(serializers.Serializer[Any]):
    player = serializers.IntegerField()
    points = serializers.IntegerField()
    money = serializers.IntegerField(help_text="In the currency's smallest unit.")


class LineSerializer(serializers.Serializer[Any]):
    """One row of the explanation; base × factor = points of the declarer's side."""

    item = serializers.CharField(source="row.item")
    kind = serializers.CharField(source="row.kind")
    name = serializers.CharField()
    side = serializers.CharField(source="row.side")
    player = serializers.IntegerField(source="row.player_id", allow_null=True)
    announced = serializers.BooleanField(source="row.announced")
    made = serializers.BooleanField(source="row.made", allow_null=True)
    base = serializers.IntegerField(source="row.base")
    contra = serializers.IntegerField(source="row.contra")
    factor = serializers.IntegerField(source="row.factor")
    points = serializers.IntegerField(source="row.points")
    personal = serializers.IntegerField(
        source="row.personal", help_text="Paid to the player by each of the others."
    )
    why = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    field = serializers.CharField(help_text="A key of the hand, or of the request.")
    about = serializers.CharField(help_text="A bonus, where the field holds several.")
    severity = serializers.ChoiceField([s.value for s in scoring.Severity])
    message = serializers.CharField()


class WeighedSerializer(serializers.Serializer[Any]):
    """What a hand would come to, with the warnings that would have to be overridden."""

    deal = DealSerializer()
    hand = RecordField(read_only=True)
    units = serializers.IntegerField()
    payments = PaymentSerializer(many=True)
    lines = LineSerializer(many=True)
    problems = ProblemSerializer(many=True)


class HandSerializer(serializers.Serializer[Any]):
    """A hand as it was last entered."""

    id = serializers.UUIDField(source="version.hand_id")
    table = serializers.IntegerField(source="version.hand.table_id")
    number = serializers.IntegerField(source="version.hand.number")
    voided = serializers.BooleanField(source="version.hand.voided")
    version = serializers.IntegerField(source="version.number")
    variant = serializers.CharField(source="version.edition.variant")
    rules = serializers.DictField(source="version.edition.rules")
    dealer = serializers.IntegerField(source="version.dealer_id")
    players = serializers.ListField(
        child=serializers.IntegerField(),
        source="version.players",
        help_text="Who played, from forehand on.",
    )
    resting = serializers.ListField(
        child=serializers.IntegerField(), source="version.resting"
    )
    hand = RecordField(source="version.record", read_only=True)
    multiplier = serializers.IntegerField(source="version.multiplier")
    units = serializers.IntegerField(source="version.units")
    payments = PaymentSerializer(many=True)
    lines = LineSerializer(many=True)
    recorded_by = serializers.CharField(source="version.recorded_by.get_username")
    recorded_at = serializers.DateTimeField(source="version.recorded_at")
