"""Serializers of a game under a tariff, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

import scoring
from ledger.text.messages import say


class MessageField(serializers.CharField):
    """A message of the rules, translated when it is shown."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: scoring.Text | str) -> str:
        return say(value if isinstance(value, scoring.Text) else scoring.Text(value))


class EnumField(serializers.CharField):
    """A member of a closed set, by its name."""

    def to_representation(self, value: Any) -> str:
        return str(value.name).lower()


class PointsField(serializers.IntegerField):
    """Points from each opponent; null: not scored that way."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **kwargs)


class ReasonSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = MessageField()


class ContractSerializer(ReasonSerializer):
    note = MessageField()
    value = serializers.IntegerField()
    contra = serializers.BooleanField()
    may_surrender = serializers.BooleanField()


class BonusSerializer(ReasonSerializer):
    help = MessageField()
    announced = PointsField()
    silent = PointsField()
    times_contract = serializers.BooleanField()
    announced_by = serializers.ListField(child=EnumField())
    silent_by = serializers.ListField(child=EnumField())
    contra = serializers.BooleanField()
    at_least = PointsField(help_text="Card points that make it.")
    family = MessageField()
    mark = serializers.CharField()


class HoldingsSerializer(serializers.Serializer[Any]):
    name = MessageField()
    help = MessageField()
    values = serializers.DictField(child=serializers.IntegerField())
    paid_to = serializers.CharField()


class EndingSerializer(ReasonSerializer):
    help = MessageField()
    kind = EnumField()
    reasons = ReasonSerializer(many=True)


class StepSerializer(serializers.Serializer[Any]):
    level = serializers.IntegerField()
    word = serializers.CharField()
    factor = serializers.IntegerField()


class ChoiceSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    name = MessageField()


class OptionSerializer(ReasonSerializer):
    help = MessageField()
    default = serializers.CharField()
    choices = ChoiceSerializer(many=True)


class PresetSerializer(ReasonSerializer):
    help = MessageField()
    options = serializers.DictField(child=serializers.CharField())
    values = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField(allow_null=True))
    )


class AnswerSerializer(serializers.Serializer[Any]):
    value = serializers.JSONField(help_text="What stands in the hand record.")
    name = MessageField()
    note = serializers.SerializerMethodField()

    def get_note(self, answer: Any) -> str:
        return say(answer.note) if answer.note else ""


class FieldSerializer(serializers.Serializer[Any]):
    """One field of the hand record, as the slip asks for it."""

    id = serializers.CharField()
    asks = EnumField()
    name = MessageField(source="label")
    answers = AnswerSerializer(many=True)
    most = serializers.IntegerField(help_text="The highest number, 0 where none is.")
    bonuses = serializers.SerializerMethodField()
    endings = serializers.SerializerMethodField()

    def get_bonuses(self, field: scoring.Field) -> list[str]:
        return [bonus.id for bonus in field.bonuses]

    def get_endings(self, field: scoring.Field) -> list[str]:
        return sorted(field.endings)


class BandSerializer(serializers.Serializer[Any]):
    """Card points of the declarer's side that all pay the same."""

    least = serializers.IntegerField()
    most = serializers.IntegerField()
    won = serializers.BooleanField()


class VariantSerializer(serializers.Serializer[Any]):
    """A game under a tariff: everything a slip, a preview or a help page needs."""

    id = serializers.CharField(source="variant.id")
    name = MessageField(source="variant.name")
    help = MessageField(source="variant.help")
    origin = MessageField(source="variant.source")
    rules = serializers.DictField(help_text="What differs from the game's defaults.")
    players = serializers.IntegerField(source="variant.active")
    tricks = serializers.IntegerField(source="variant.tricks")
    card_points = serializers.IntegerField(source="variant.pack.points")
    wins_with = serializers.IntegerField(source="variant.game.wins_with")
    contracts = ContractSerializer(many=True, source="variant.contracts")
    bonuses = BonusSerializer(many=True, source="variant.bonuses")
    holdings = HoldingsSerializer(source="variant.holdings", allow_null=True)
    endings = EndingSerializer(many=True, source="variant.endings")
    ladder = serializers.SerializerMethodField()
    mayor = serializers.SerializerMethodField()
    options = OptionSerializer(many=True, source="variant.options")
    presets = PresetSerializer(many=True, source="variant.presets")
    slip = serializers.SerializerMethodField()
    bands = serializers.SerializerMethodField()

    @extend_schema_field(StepSerializer(many=True))
    def get_ladder(self, tariff: scoring.Tariff) -> list[Mapping[str, Any]]:
        return list(_steps(tariff))

    def get_mayor(self, tariff: scoring.Tariff) -> bool:
        return tariff.variant.mayor is not None

    @extend_schema_field(FieldSerializer(many=True))
    def get_slip(self, tariff: scoring.Tariff) -> Any:
        return FieldSerializer(scoring.fields(tariff), many=True).data

    @extend_schema_field(BandSerializer(many=True))
    def get_bands(self, tariff: scoring.Tariff) -> Any:
        return BandSerializer(scoring.bands(tariff), many=True).data


def _steps(tariff: scoring.Tariff) -> Iterator[Mapping[str, Any]]:
    ladder = tariff.variant.ladder
    for level in range(ladder.top + 1):
        yield {"level": level, "word": say(ladder.word(level)), "factor": 1 << level}
