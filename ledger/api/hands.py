"""Hands: kept, weighed, read, given back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from ledger import access, journal
from ledger.api import problems, responses
from ledger.api.hand_serializers import (
    HandSerializer,
    NewHandSerializer,
    ReversalSerializer,
    SentHandSerializer,
    WeighedSerializer,
)
from ledger.api.requests import facts, paged, reader
from ledger.api.schema import PAGED, WRITING, answers, page_of
from ledger.models import Hand, Table


@extend_schema(
    operation_id="hands_list",
    methods=["GET"],
    parameters=PAGED,
    responses=answers({200: page_of(HandSerializer)}),
)
@extend_schema(
    methods=["POST"],
    request=NewHandSerializer,
    responses=answers({200: HandSerializer, 201: HandSerializer}, WRITING),
)
@api_view(["GET", "POST"])
def hands(request: Request, table: int) -> Response:
    """The hands of a table, latest first; or the next one.

    A hand that was sent before is answered with 200 and what was kept then.
    """
    found = access.table_of(reader(request), table, write=request.method == "POST")
    if request.method == "GET":
        return _hands(request, found)
    sent = facts(NewHandSerializer, request, found.evening.club)
    known = Hand.objects.filter(pk=sent["id"]).exists()
    try:
        version = journal.record_hand(
            found,
            id=sent["id"],
            record=sent["hand"],
            by=reader(request).user,
            number=sent.get("number"),
            override=sent["override"],
            **_chosen(sent),
        )
    except journal.Taken as taken:
        return _taken(taken.hand, found)
    except journal.Refused as refused:
        return problems.refused(refused.problems, _names(found, sent))
    return Response(_hand(version.hand, found), status=200 if known else 201)


@extend_schema(
    request=SentHandSerializer, responses=answers({200: WeighedSerializer}, WRITING)
)
@api_view(["POST"])
def preview(request: Request, table: int) -> Response:
    """What a hand would come to as the next one at the table; nothing is kept."""
    found = access.table_of(reader(request), table)
    sent = facts(SentHandSerializer, request, found.evening.club)
    weighed = journal.preview(found, sent["hand"], **_chosen(sent))
    names = [player.name for player in weighed.deal.players]
    if weighed.score is None:
        return problems.refused(weighed.problems, names)
    told = [problems.told(problem, names) for problem in weighed.problems]
    return Response(
        WeighedSerializer(responses.preview_response(found, weighed, told)).data
    )


@extend_schema(responses=answers({200: HandSerializer}))
@api_view(["GET"])
def hand(request: Request, hand: UUID) -> Response:
    """A hand with its record, every line with its reason, and who pays what."""
    found = access.hand_of(reader(request), hand)
    return Response(_hand(found, found.table))


@extend_schema(
    request=ReversalSerializer, responses=answers({200: HandSerializer}, WRITING)
)
@api_view(["POST"])
def reverse(request: Request, hand: UUID) -> Response:
    """Give back what a hand moved. The hand stays visible, voided."""
    found = access.hand_of(reader(request), hand, write=True)
    sent = facts(ReversalSerializer, request, found.table.evening.club)
    journal.reverse_hand(found, id=sent["id"], by=reader(request).user)
    return Response(_hand(found, found.table))


def _hands(request: Request, table: Table) -> Response:
    people = table.evening.club.players.in_bulk()
    rows = responses.versions_at(table)
    return paged(
        request, rows, HandSerializer, lambda v: responses.version_response(v, people)
    )


def _hand(hand: Hand, table: Table) -> Mapping[str, Any]:
    people = table.evening.club.players.in_bulk()
    return HandSerializer(responses.hand_response(hand, people)).data


def _taken(hand: Hand, table: Table) -> Response:
    sentence = _("Hand {number} is already recorded. Look at it, then choose.")
    detail = sentence.format(number=hand.number)
    return problems.problem("taken", detail, 409, hand=_hand(hand, table))


def _chosen(sent: Mapping[str, Any]) -> dict[str, Any]:
    return {"dealer": sent.get("dealer"), "resting": sent.get("resting")}


def _names(table: Table, sent: Mapping[str, Any]) -> list[str]:
    """Return the names, from forehand on, of those who would play."""
    deal = journal.preview(table, sent["hand"], **_chosen(sent)).deal
    return [player.name for player in deal.players]
