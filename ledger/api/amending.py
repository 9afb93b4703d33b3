"""Corrections as the API takes and tells them: looked at first, or done at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring
from ledger import access, amended, amending, days
from ledger.amended import WHOLE, Amended, Amendment, Refusal, Rescored, Told
from ledger.api import problems
from ledger.api.club_serializers import ClubSerializer, EveningSerializer
from ledger.api.fields import StrictSerializer, TidyNameField, VariantIdField
from ledger.api.requests import reader
from ledger.models import Action, Club, Edition, Evening, Season
from ledger.money import FINEST, MOST, PARTS, Stake
from ledger.posted import uuid
from ledger.words import say

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
            raise _wrong("id", _("Send an id, a new one for each correction."))
        return sent


class GameSerializer(StrictSerializer):
    variant = VariantIdField(required=False)
    rules = serializers.DictField(
        required=False, help_text="Preset, options and values; without any, none."
    )

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        id = sent.get("variant")
        if id is None and "rules" in sent:
            raise _wrong("variant", _("Say which game these rules are for."))
        if id is not None:
            sent["tariff"] = _tariff(id, sent.get("rules", {}))
        return sent


class TableGameSerializer(GameSerializer):
    number = serializers.IntegerField(min_value=1, max_value=2**15 - 1)
    variant = VariantIdField()


class AmendEveningSerializer(AmendSerializer, GameSerializer):
    """What an evening shall be; what is not sent stays as it is."""

    name = TidyNameField(max_length=80, required=False)
    date = serializers.DateField(validators=[days.played], required=False)
    season = serializers.IntegerField(required=False)
    currency = serializers.RegexField(
        r"\A[A-Z]{3}\Z",
        max_length=3,
        required=False,
        allow_blank=True,
        help_text="Empty: points.",
    )
    stake = serializers.IntegerField(required=False, min_value=0, max_value=MOST)
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
                raise _wrong("tables", _("There is no such table in this evening."))
        return _with_stake(sent)


class AmendClubSerializer(AmendSerializer):
    name = TidyNameField(max_length=80, required=False)
    language = serializers.ChoiceField(settings.LANGUAGES, required=False)


def _tariff(id: str, rules: Mapping[str, Any]) -> scoring.Tariff:
    if id not in scoring.VARIANTS:
        known = ", ".join(scoring.VARIANTS)
        message = _("There is no game “{id}”. Choose one of: {known}.")
        raise _wrong("variant", message.format(id=id, known=known))
    return scoring.tariff(id, rules)


def _with_stake(sent: dict[str, Any]) -> dict[str, Any]:
    """Return what was sent with the stake and its parts as one."""
    parts = sent.pop("stake_parts", 1)
    if "stake" not in sent:
        if parts != 1:
            raise _wrong("stake", _("Send the stake together with its parts."))
        return sent
    stake = Fraction(sent["stake"], parts)
    if stake.denominator not in PARTS:
        raise _wrong(
            "stake_parts", _("Divide the stake by a number that divides 1000.")
        )
    return sent | {"stake": stake}


def _wrong(field: str, sentence: Any) -> serializers.ValidationError:
    return serializers.ValidationError({field: sentence}, code="invalid")


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


# Doing it


def evening(request: Request, pk: int) -> Response:
    """Correct an evening, or tell what that would change."""
    found = access.evening_of(reader(request), pk, write=True)
    tables = amended.tables_of(found)
    context = {"club": found.club, "tables": tables}
    read = AmendEveningSerializer(data=request.data, context=context)
    read.is_valid(raise_exception=True)
    sent = read.validated_data
    asked = _amendment(sent, [at.number for at in tables])
    plan = amended.planned(found, asked)
    if plan.problems and not _is_known(sent):
        return problems.unprocessable([*_told(plan)])
    action = None
    if not sent["preview"]:
        more = {"id": sent["id"], "by": reader(request).user}
        action = amending.amend(found, asked, reason=sent["reason"], **more)
    fresh = Evening.objects.select_related("edition").prefetch_related(
        "tables__edition"
    )
    answer = {
        "action": action and action.pk,
        "before": _facts(plan.before, plan.tables),
        "after": _facts(plan.after, plan.tables),
        "hands": [*_hands(plan.tables)],
        "sums": plan.moving,
        "evening": fresh.get(pk=pk),
    }
    return Response(AmendedEveningSerializer(answer).data)


def remove(request: Request, pk: int) -> Response:
    """Remove an evening in which nothing counts."""
    id = uuid(request.query_params.get("id"))
    mine = Action.objects.filter(evening__club__members__user=reader(request).user.pk)
    if id.int and mine.filter(pk=id, evening=pk, after__removed=True).exists():
        return Response(status=204)
    found = access.evening_of(reader(request), pk, write=True)
    amending.remove(found, id=id if id.int else uuid4(), by=reader(request).user)
    return Response(status=204)


def club(request: Request, pk: int, told: Any) -> Response:
    """Call a club otherwise, or tell what that would change."""
    found = access.club_of(reader(request), pk, write=True)
    access.owner_only(found)
    read = AmendClubSerializer(data=request.data)
    read.is_valid(raise_exception=True)
    sent = read.validated_data
    asked = {key: sent.get(key) for key in ("name", "language")}
    before, after = amending.club_amended(found, **asked)
    action = None
    if not sent["preview"]:
        id, by = sent["id"], reader(request).user
        action = amending.amend_club(found, **asked, id=id, by=by)
    answer = {
        "action": action and action.pk,
        "before": before,
        "after": after,
        "club": told(),
    }
    return Response(AmendedClubSerializer(answer).data)


class UndoSerializer(StrictSerializer):
    id = serializers.UUIDField(help_text="Made by the client.")
    action = serializers.UUIDField(help_text="The correction that is undone.")


class UndoneSerializer(serializers.Serializer[Any]):
    action = serializers.UUIDField(source="pk", help_text="Can be undone in turn.")


def undo(request: Request, pk: int) -> Response:
    """Undo a correction of a club, of an evening, or the removal of one."""
    found = access.club_of(reader(request), pk, write=True)
    read = UndoSerializer(data=request.data)
    read.is_valid(raise_exception=True)
    action = amending.corrections_of(found).filter(pk=read.validated_data["action"])
    if (one := action.first()) is None:
        raise Http404
    if one.evening is None:
        access.owner_only(found)
    undone = amending.undo(one, id=read.validated_data["id"], by=reader(request).user)
    return Response(UndoneSerializer(undone).data)


ID = OpenApiParameter("id", str, description="Made by the client, to be sent again.")


def _is_known(sent: Mapping[str, Any]) -> bool:
    """Tell whether this was done already: then it is answered again."""
    return "id" in sent and Action.objects.filter(pk=sent["id"]).exists()


def _amendment(sent: Mapping[str, Any], numbers: Iterable[int]) -> Amendment:
    games: dict[int, scoring.Tariff] = {}
    if tariff := sent.get("tariff"):
        games = dict.fromkeys([*numbers] or [WHOLE], tariff)
    games |= {table["number"]: table["tariff"] for table in sent.get("tables", ())}
    said = {
        key: sent.get(key) for key in ("name", "date", "season", "currency", "stake")
    }
    return Amendment(**said, games=games)


def _told(plan: Amended) -> Iterator[dict[str, str]]:
    """Yield what is wrong; of a hand also why."""
    refusals = {str(one.hand): one for one in plan.refusals}
    for problem in plan.problems:
        told = problems.told(problem)
        if one := refusals.get(problem.about):
            told["message"] = f"{told['message']} {_why(one)}"
        yield told


def _why(one: Refusal) -> str:
    names = [player.name for player in one.players]
    return " ".join(say(problem.message, names) for problem in one.problems)


def _facts(told: Told, tables: Iterable[Rescored]) -> dict[str, Any]:
    facts = {key: told[key] for key in told if key not in ("edition", "tables")}
    if "season" in facts:
        facts["season"] = facts["season"].pk
    if "stake" in facts:
        facts |= _stake(facts["stake"])
    numbers = {at.table.pk: at.table.number for at in tables}
    if "tables" in told:
        facts["tables"] = [
            {"number": numbers[pk], **_game(edition)}
            for pk, edition in told["tables"].items()
        ]
    elif "edition" in told:
        facts |= _game(told["edition"])
    return facts


def _stake(stake: Stake) -> dict[str, int]:
    parts = {"stake_parts": stake.denominator} if stake.denominator > 1 else {}
    return {"stake": stake.numerator, **parts}


def _game(edition: Edition) -> dict[str, Any]:
    return {"variant": edition.variant, "rules": edition.rules}


def _hands(tables: Iterable[Rescored]) -> Iterator[dict[str, Any]]:
    for at in tables:
        for row in at.rows:
            yield {
                "hand": row.hand,
                "table": at.table.number,
                "number": row.number_after,
                "before": row.payments_before,
                "after": row.payments_after,
            }
