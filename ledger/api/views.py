"""One function an address: who asks, what is sent, one call, the answer.

What a reader may see and do is `ledger.access`, as on the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, ValidationError

import scoring
from ledger import access, evenings, journal, standings
from ledger.api import problems, shown
from ledger.api.declarations import VariantSerializer
from ledger.api.fields import Strict, people_of
from ledger.api.schema import PAGED, WRITING, answers, page_of
from ledger.api.seating import (
    ClubSerializer,
    EveningSerializer,
    NewEveningSerializer,
    NewTableSerializer,
    PlayerSerializer,
    TableSerializer,
    TableWithDealSerializer,
    TallySerializer,
)
from ledger.api.serializers import (
    HandSerializer,
    NewHandSerializer,
    ReversalSerializer,
    SentHandSerializer,
    WeighedSerializer,
)
from ledger.models import Club, Evening, Hand, Player, Table
from ledger.table import deal
from scoring import settlement

# Games


@extend_schema(
    operation_id="variants_list",
    responses=answers({200: VariantSerializer(many=True)}, (401, 429)),
)
@api_view(["GET"])
def variants(request: Request) -> Response:
    """Every game with its declaration, as it is played without options."""
    tariffs = [scoring.tariff(id) for id in scoring.VARIANTS]
    return Response(VariantSerializer(tariffs, many=True).data)


@extend_schema(responses=answers({200: VariantSerializer}))
@api_view(["GET"])
def variant(request: Request, variant: str) -> Response:
    """One game with its declaration."""
    if variant not in scoring.VARIANTS:
        raise Http404
    return Response(VariantSerializer(scoring.tariff(variant)).data)


@extend_schema(responses=answers({200: VariantSerializer}))
@api_view(["GET"])
def tariff(request: Request, table: int) -> Response:
    """The game of a table, under the options and values that its club chose."""
    found = access.table_of(_reader(request), table)
    return Response(VariantSerializer(found.edition.tariff).data)


# Clubs and players


@extend_schema(
    operation_id="clubs_list",
    parameters=PAGED,
    responses=answers({200: page_of(ClubSerializer)}),
)
@api_view(["GET"])
def clubs(request: Request) -> Response:
    """The clubs of whoever asks, with his role in each."""
    return _page(request, _clubs(request).order_by("name", "pk"), ClubSerializer)


@extend_schema(responses=answers({200: ClubSerializer}))
@api_view(["GET"])
def club(request: Request, club: int) -> Response:
    return Response(ClubSerializer(get_object_or_404(_clubs(request), pk=club)).data)


@extend_schema(
    operation_id="players_list",
    methods=["GET"],
    parameters=PAGED,
    responses=answers({200: page_of(PlayerSerializer)}),
)
@extend_schema(
    methods=["POST"],
    request=PlayerSerializer,
    responses=answers({201: PlayerSerializer}, WRITING),
)
@api_view(["GET", "POST"])
def players(request: Request, club: int) -> Response:
    """Everybody who plays at the club, the retired too; or one more."""
    found = access.club_of(_reader(request), club, write=request.method == "POST")
    if request.method == "GET":
        everybody = found.players.order_by("name", "pk")
        return _page(request, everybody, PlayerSerializer)
    sent = PlayerSerializer(data=request.data, context={"club": found})
    sent.is_valid(raise_exception=True)
    return Response(_kept(sent, club=found), status=201)


@extend_schema(methods=["GET"], responses=answers({200: PlayerSerializer}))
@extend_schema(
    methods=["PATCH"],
    request=PlayerSerializer,
    responses=answers({200: PlayerSerializer}, WRITING),
)
@api_view(["GET", "PATCH"])
def player(request: Request, club: int, player: int) -> Response:
    """A player of the club; renamed, retired or brought back."""
    found = access.club_of(_reader(request), club, write=request.method == "PATCH")
    one = get_object_or_404(Player, club=found, pk=player)
    if request.method == "GET":
        return Response(PlayerSerializer(one).data)
    sent = PlayerSerializer(
        one, data=request.data, partial=True, context={"club": found}
    )
    sent.is_valid(raise_exception=True)
    return Response(_kept(sent))


# Evenings and tables


@extend_schema(
    operation_id="evenings_list",
    methods=["GET"],
    parameters=PAGED,
    responses=answers({200: page_of(EveningSerializer)}),
)
@extend_schema(
    methods=["POST"],
    request=NewEveningSerializer,
    responses=answers({201: EveningSerializer}, WRITING),
)
@api_view(["GET", "POST"])
def club_evenings(request: Request, club: int) -> Response:
    """The evenings of a club, latest first; or a new one with its first table."""
    found = access.club_of(_reader(request), club, write=request.method == "POST")
    if request.method == "GET":
        rows = _evenings(found).order_by("-date", "-pk")
        return _page(request, rows, EveningSerializer)
    sent = _sent(NewEveningSerializer, request, found)
    evening = evenings.start_evening(
        found,
        edition=evenings.edition_of(found, sent["tariff"]),
        by=_reader(request).user,
        **{key: sent[key] for key in OF_EVENING},
    )
    begun = _evenings(found).get(pk=evening.pk)
    return Response(EveningSerializer(begun).data, status=201)


OF_EVENING = ("name", "date", "seats", "dealer", "currency", "stake")


@extend_schema(responses=answers({200: EveningSerializer}))
@api_view(["GET"])
def evening(request: Request, evening: int) -> Response:
    found = access.evening_of(_reader(request), evening)
    return Response(EveningSerializer(found).data)


@extend_schema(responses=answers({200: TallySerializer}))
@api_view(["GET"])
def tally(request: Request, evening: int) -> Response:
    """How everybody stands, and the fewest payments that would settle it."""
    found = access.evening_of(_reader(request), evening)
    rows = standings.tally(found)
    at_stake = {r.player.pk: r.money if found.stake else r.points for r in rows}
    told = {
        "evening": found.pk,
        "currency": found.currency,
        "stake": found.stake,
        "closed": found.closed_at is not None,
        "standings": rows,
        "plan": settlement.transfers(at_stake),
    }
    return Response(TallySerializer(told).data)


@extend_schema(
    operation_id="tables_list",
    methods=["GET"],
    parameters=PAGED,
    responses=answers({200: page_of(TableSerializer)}),
)
@extend_schema(
    methods=["POST"],
    request=NewTableSerializer,
    responses=answers({201: TableWithDealSerializer}, WRITING),
)
@api_view(["GET", "POST"])
def tables(request: Request, evening: int) -> Response:
    """The tables of an evening; or one more."""
    found = access.evening_of(_reader(request), evening, write=request.method == "POST")
    if request.method == "GET":
        rows = found.tables.select_related("edition").order_by("number")
        return _page(request, rows, TableSerializer)
    sent = _sent(NewTableSerializer, request, found.club)
    chosen = sent.get("tariff")
    laid = evenings.add_table(
        found,
        seats=sent["seats"],
        dealer=sent["dealer"],
        edition=chosen and evenings.edition_of(found.club, chosen),
    )
    return Response(_table(laid), status=201)


@extend_schema(responses=answers({200: TableWithDealSerializer}))
@api_view(["GET"])
def table(request: Request, table: int) -> Response:
    """A table with who sits at it and the next hand: dealer, who rests, multiplier."""
    return Response(_table(access.table_of(_reader(request), table)))


# Hands


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
    found = access.table_of(_reader(request), table, write=request.method == "POST")
    if request.method == "GET":
        return _hands(request, found)
    sent = _sent(NewHandSerializer, request, found.evening.club)
    known = Hand.objects.filter(pk=sent["id"]).exists()
    try:
        version = journal.record_hand(
            found,
            id=sent["id"],
            record=sent["hand"],
            by=_reader(request).user,
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
    found = access.table_of(_reader(request), table)
    sent = _sent(SentHandSerializer, request, found.evening.club)
    weighed = journal.preview(found, sent["hand"], **_chosen(sent))
    names = [player.name for player in weighed.deal.players]
    if weighed.score is None:
        return problems.refused(weighed.problems, names)
    told = [problems.told(problem, names) for problem in weighed.problems]
    return Response(WeighedSerializer(shown.weighed(found, weighed, told)).data)


@extend_schema(responses=answers({200: HandSerializer}))
@api_view(["GET"])
def hand(request: Request, hand: UUID) -> Response:
    """A hand with its record, every line with its reason, and who pays what."""
    found = access.hand_of(_reader(request), hand)
    return Response(_hand(found, found.table))


@extend_schema(
    request=ReversalSerializer, responses=answers({200: HandSerializer}, WRITING)
)
@api_view(["POST"])
def reverse(request: Request, hand: UUID) -> Response:
    """Give back what a hand moved. The hand stays visible, voided."""
    found = access.hand_of(_reader(request), hand, write=True)
    sent = _sent(ReversalSerializer, request, found.table.evening.club)
    journal.reverse_hand(found, id=sent["id"], by=_reader(request).user)
    return Response(_hand(found, found.table))


# What they share


def _reader(request: Request) -> access.Request:
    """Return the request as `ledger.access` knows it: somebody has signed in."""
    return cast(access.Request, request)


def _sent(serializer: type[Strict], request: Request, club: Club) -> dict[str, Any]:
    read = serializer(data=request.data, context={"people": people_of(club)})
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


def _kept(sent: PlayerSerializer, **more: object) -> Mapping[str, Any]:
    try:
        with transaction.atomic():
            sent.save(**more)
    except IntegrityError:  # the same name was added at the same time
        raise ValidationError({"name": _("This name is taken.")}) from None
    return sent.data


class _Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200


def _page(
    request: Request,
    rows: QuerySet[Any],
    serializer: type[BaseSerializer[Any]],
    show: Callable[[Any], Any] = lambda row: row,
) -> Response:
    pages = _Pages()
    shown = [show(row) for row in pages.paginate_queryset(rows, request) or ()]
    return pages.get_paginated_response(serializer(shown, many=True).data)


def _clubs(request: Request) -> QuerySet[Club]:
    mine = Club.objects.filter(members__user=_reader(request).user.pk)
    return mine.annotate(role=F("members__role"))


def _evenings(club: Club) -> QuerySet[Evening]:
    return club.evenings.select_related("edition").prefetch_related("tables__edition")


def _table(table: Table) -> Mapping[str, Any]:
    return TableWithDealSerializer({"table": table, "next": deal(table)}).data


def _hands(request: Request, table: Table) -> Response:
    people = table.evening.club.players.in_bulk()
    rows = shown.versions_at(table)
    return _page(request, rows, HandSerializer, lambda v: shown.shown(v, people))


def _hand(hand: Hand, table: Table) -> Mapping[str, Any]:
    people = table.evening.club.players.in_bulk()
    return HandSerializer(shown.shown_hand(hand, people)).data


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
