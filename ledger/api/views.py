"""Games, clubs, players, evenings and tables.

One function an address: who asks, what is sent, one call, the answer.
What a reader may see and do is `ledger.access`, as on the pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F, Model, QuerySet, prefetch_related_objects
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

import scoring
from ledger import access, debts, evenings, settling, standings
from ledger import players as people
from ledger.api import amending
from ledger.api.club_serializers import (
    BookSerializer,
    ClubSerializer,
    EveningSerializer,
    NewEveningSerializer,
    NewPlayerSerializer,
    NewTableSerializer,
    PlayerSerializer,
    TableSerializer,
    TableWithDealSerializer,
    TallySerializer,
)
from ledger.api.requests import facts, paged, reader
from ledger.api.schema import METHOD, PAGED, WRITING, answers, page_of
from ledger.api.variant_serializers import VariantSerializer
from ledger.models import Club, Evening, Table
from ledger.receipts import made
from ledger.settling import Method, Scope
from ledger.table import deal

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
    found = access.table_of(reader(request), table)
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
    return paged(request, _clubs(request).order_by("name", "pk"), ClubSerializer)


@extend_schema(methods=["GET"], responses=answers({200: ClubSerializer}))
@extend_schema(
    methods=["PATCH"],
    request=amending.AmendClubSerializer,
    responses=answers({200: amending.AmendedClubSerializer}, WRITING),
)
@api_view(["GET", "PATCH"])
def club(request: Request, club: int) -> Response:
    """A club; called otherwise, or speaking another language."""
    if request.method == "PATCH":
        return amending.club(request, club, lambda: _clubs(request).get(pk=club))
    return Response(ClubSerializer(get_object_or_404(_clubs(request), pk=club)).data)


@extend_schema(
    request=amending.UndoSerializer,
    responses=answers({200: amending.UndoneSerializer}, WRITING),
)
@api_view(["POST"])
def undo(request: Request, club: int) -> Response:
    """Undo a correction of the club, of an evening, or the removal of one."""
    return amending.undo(request, club)


@extend_schema(
    operation_id="players_list",
    methods=["GET"],
    parameters=PAGED,
    responses=answers({200: page_of(PlayerSerializer)}),
)
@extend_schema(
    methods=["POST"],
    request=NewPlayerSerializer,
    responses=answers({200: PlayerSerializer, 201: PlayerSerializer}, WRITING),
)
@api_view(["GET", "POST"])
def players(request: Request, club: int) -> Response:
    """Everybody who plays at the club, the retired too; or one more.

    Who was sent before is answered with 200.
    """
    found = access.club_of(reader(request), club, write=request.method == "POST")
    if request.method == "GET":
        everybody = found.players.people().order_by("name", "pk")
        return paged(request, everybody, PlayerSerializer)
    sent = NewPlayerSerializer(data=request.data)
    sent.is_valid(raise_exception=True)
    known = made(sent.validated_data["id"], found.players.people())
    comes = known or people.add(found, **sent.validated_data)
    return Response(PlayerSerializer(comes).data, status=_status(known))


@extend_schema(methods=["GET"], responses=answers({200: PlayerSerializer}))
@extend_schema(
    methods=["PATCH"],
    request=PlayerSerializer,
    responses=answers({200: PlayerSerializer}, WRITING),
)
@api_view(["GET", "PATCH"])
def player(request: Request, club: int, player: int) -> Response:
    """A player of the club; renamed, retired or brought back."""
    found = access.club_of(reader(request), club, write=request.method == "PATCH")
    one = get_object_or_404(found.players.people(), pk=player)
    if request.method == "GET":
        return Response(PlayerSerializer(one).data)
    sent = PlayerSerializer(one, data=request.data, partial=True)
    sent.is_valid(raise_exception=True)
    for name, said in sent.validated_data.items():
        setattr(one, name, said)
    return Response(PlayerSerializer(people.keep(one)).data)


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
    responses=answers({200: EveningSerializer, 201: EveningSerializer}, WRITING),
)
@api_view(["GET", "POST"])
def club_evenings(request: Request, club: int) -> Response:
    """The evenings of a club, latest first; or a new one with its first table.

    An evening that was sent before is answered with 200.
    """
    found = access.club_of(reader(request), club, write=request.method == "POST")
    if request.method == "GET":
        rows = _evenings(found).order_by("-date", "-pk")
        return paged(request, rows, EveningSerializer)
    sent = facts(NewEveningSerializer, request, found)
    known = made(sent["id"], found.evenings)
    evening = known or evenings.start_evening(
        found,
        edition=evenings.edition_of(found, sent["tariff"]),
        by=reader(request).user,
        **{key: sent[key] for key in OF_EVENING},
    )
    begun = _evenings(found).get(pk=evening.pk)
    return Response(EveningSerializer(begun).data, status=_status(known))


OF_EVENING = ("id", "name", "date", "seats", "dealer", "currency", "stake")


@extend_schema(methods=["GET"], responses=answers({200: EveningSerializer}))
@extend_schema(
    methods=["PATCH"],
    request=amending.AmendEveningSerializer,
    responses=answers({200: amending.AmendedEveningSerializer}, WRITING),
)
@extend_schema(
    methods=["DELETE"],
    parameters=[amending.ID],
    responses=answers({204: None}, WRITING),
)
@api_view(["GET", "PATCH", "DELETE"])
def evening(request: Request, evening: int) -> Response:
    """An evening; corrected, or removed where nothing counts in it."""
    if request.method == "PATCH":
        return amending.evening(request, evening)
    if request.method == "DELETE":
        return amending.remove(request, evening)
    found = access.evening_of(reader(request), evening)
    prefetch_related_objects([found], "tables__edition")
    return Response(EveningSerializer(found).data)


@extend_schema(parameters=METHOD, responses=answers({200: TallySerializer}))
@api_view(["GET"])
def tally(request: Request, evening: int) -> Response:
    """How everybody stands, and where every debt of the evening does.

    The plan is that of the evening's page: as the club settles, or by *method*.
    """
    found = access.evening_of(reader(request), evening)
    rows = standings.tally(found)
    scope = Scope.of_evening(found)
    method = settling.method_of(scope, request.query_params.get("method"))
    told = {
        "evening": found.pk,
        "currency": found.currency,
        "stake": found.stake,
        "stake_parts": found.stake_parts,
        "closed": found.closed_at is not None,
        "standings": rows,
        **_stand(scope, method),
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
    responses=answers(
        {200: TableWithDealSerializer, 201: TableWithDealSerializer}, WRITING
    ),
)
@api_view(["GET", "POST"])
def tables(request: Request, evening: int) -> Response:
    """The tables of an evening; or one more.

    A table that was sent before is answered with 200.
    """
    found = access.evening_of(reader(request), evening, write=request.method == "POST")
    if request.method == "GET":
        rows = found.tables.select_related("edition").order_by("number")
        return paged(request, rows, TableSerializer)
    sent = facts(NewTableSerializer, request, found.club)
    known, chosen = made(sent["id"], found.tables), sent.get("tariff")
    laid = known or evenings.add_table(
        found,
        id=sent["id"],
        seats=sent["seats"],
        dealer=sent["dealer"],
        edition=chosen and evenings.edition_of(found.club, chosen),
    )
    return Response(_table(laid), status=_status(known))


@extend_schema(responses=answers({200: TableWithDealSerializer}))
@api_view(["GET"])
def table(request: Request, table: int) -> Response:
    """A table with who sits at it and the next hand: dealer, who rests, multiplier."""
    return Response(_table(access.table_of(reader(request), table)))


@extend_schema(
    operation_id="club_balances", responses=answers({200: BookSerializer(many=True)})
)
@api_view(["GET"])
def balances(request: Request, club: int) -> Response:
    """What everybody is owed, in each currency in which something is open."""
    found = access.club_of(reader(request), club)
    books = [
        {
            "currency": scope.currency,
            "balances": balances,
            "plan": settling.plan(scope, settling.method_of(scope, None)).rows,
        }
        for scope, balances in settling.books(found)
    ]
    return Response(BookSerializer(books, many=True).data)


def _stand(scope: Scope, method: str) -> Mapping[str, Any]:
    """Return the plan and the debts; what is carried over soon is open till then."""
    stand = debts.read(scope, method)
    told = debts.read(scope) if method == Method.CARRY else stand
    return {"method": method, "plan": stand.plan.rows, "debts": told.rows}


def _status(known: Model | None) -> int:
    return 201 if known is None else 200


def _clubs(request: Request) -> QuerySet[Club]:
    mine = Club.objects.filter(members__user=reader(request).user.pk)
    return mine.annotate(role=F("members__role"))


def _evenings(club: Club) -> QuerySet[Evening]:
    shown = club.evenings.shown()
    return shown.select_related("edition").prefetch_related("tables__edition")


def _table(table: Table) -> Mapping[str, Any]:
    return TableWithDealSerializer({"table": table, "next": deal(table)}).data
