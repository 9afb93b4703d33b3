"""Evenings of a club: begun, corrected and removed; their tallies and debts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.db.models import QuerySet, prefetch_related_objects
from django.utils.functional import SimpleLazyObject
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.generics import ListCreateAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ledger import journal, settlement, tallies
from ledger.api import amendments, problems
from ledger.api.amendment_serializers import (
    AmendedEveningSerializer,
    AmendEveningSerializer,
)
from ledger.api.club_serializers import (
    EveningSerializer,
    NewEveningSerializer,
    TallySerializer,
)
from ledger.api.filters import EveningFilterSet
from ledger.api.requests import ClubMixin, CreateOnceMixin, EveningMixin
from ledger.api.schema import METHOD
from ledger.journal import Amendment
from ledger.models import Action, Evening, Table
from ledger.settlement import Method, SettlementScope
from ledger.text.parsing import NO_ID, parse_id

OF_EVENING = ("id", "name", "date", "seats", "dealer", "currency", "stake")
ID = OpenApiParameter("id", str, description="Made by the client, to be sent again.")


@extend_schema_view(get=extend_schema(operation_id="evenings_list"))
class EveningListView(CreateOnceMixin, ClubMixin, ListCreateAPIView[Evening]):
    """The evenings of a club, latest first; or a new one with its first table.

    An evening that was sent before is answered with 200.
    """

    queryset = Evening.objects.none()
    serializer_class = EveningSerializer
    request_serializer_class = NewEveningSerializer
    filterset_class = EveningFilterSet

    def get_queryset(self) -> QuerySet[Evening]:
        shown = self.club.evenings.shown().select_related("edition")
        return shown.prefetch_related("tables__edition").order_by("-date", "-pk")

    def make(self, sent: dict[str, Any]) -> Evening:
        evening = journal.start_evening(
            self.club,
            edition=journal.edition_of(self.club, sent["tariff"]),
            by=self.reader.user,
            **{key: sent[key] for key in OF_EVENING},
        )
        return self.get_queryset().get(pk=evening.pk)


class EveningView(EveningMixin, RetrieveAPIView[Evening]):
    """An evening; corrected, or removed where nothing counts in it."""

    queryset = Evening.objects.select_related("edition").prefetch_related(
        "tables__edition"
    )
    serializer_class = EveningSerializer
    request_serializer_class = AmendEveningSerializer

    @cached_property
    def tables(self) -> Sequence[Table]:
        return journal.tables_of(self.evening)

    def get_serializer_context(self) -> dict[str, Any]:
        tables = SimpleLazyObject(lambda: self.tables)
        context = super().get_serializer_context()
        return {**context, "club": self.club, "tables": tables}

    def get_object(self) -> Evening:
        prefetch_related_objects([self.evening], "tables__edition")
        return self.evening

    @extend_schema(request=AmendEveningSerializer, responses=AmendedEveningSerializer)
    def patch(self, request: Request, evening: int) -> Response:
        sent = self.sent()
        wanted = amendments.amendment(sent, [at.number for at in self.tables])
        plan = journal.plan_amendment(self.evening, wanted)
        if plan.problems and not amendments.is_known(sent):
            return problems.unprocessable([*amendments.problems_of(plan)])
        action = None if sent["preview"] else self._amend(wanted, sent)
        corrected = self.get_queryset().get(pk=evening)
        answer = amendments.answer(plan, action, corrected)
        return Response(AmendedEveningSerializer(answer).data)

    def _amend(self, wanted: Amendment, sent: Mapping[str, Any]) -> Action | None:
        id, by, reason = sent["id"], self.reader.user, sent["reason"]
        return journal.amend_evening(self.evening, wanted, reason=reason, id=id, by=by)

    @extend_schema(parameters=[ID])
    def delete(self, request: Request, evening: int) -> Response:
        id = parse_id(request.query_params.get("id"))
        if id == NO_ID or not self._is_removed_by(id):
            id = uuid4() if id == NO_ID else id
            journal.remove_evening(self.evening, id=id, by=self.reader.user)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _is_removed_by(self, id: UUID) -> bool:
        """Whether the action *id* removed the evening, which nobody finds since."""
        club = {"evening__club__members__user": self.reader.user.pk}
        mine = Action.objects.filter(**club, evening=self.kwargs["evening"])
        return mine.filter(pk=id, after__removed=True).exists()


class TallyView(EveningMixin, RetrieveAPIView[Any]):
    """How everybody stands, and where every debt of the evening does.

    The plan is that of the evening's page: as the club settles, or by *method*.
    """

    serializer_class = TallySerializer

    @extend_schema(parameters=METHOD)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.retrieve(request, *args, **kwargs)

    def get_object(self) -> Mapping[str, Any]:
        evening, scope = self.evening, SettlementScope.of_evening(self.evening)
        method = settlement.method_of(scope, self.request.query_params.get("method"))
        return {
            "evening": evening.pk,
            "currency": evening.currency,
            "stake": evening.stake,
            "stake_parts": evening.stake_parts,
            "closed": evening.closed_at is not None,
            "standings": tallies.tally(evening),
            **_settled(scope, method),
        }


def _settled(scope: SettlementScope, method: str) -> Mapping[str, Any]:
    """Return the plan and the debts; until debts are carried over they are open."""
    planned = settlement.debts_of(scope, method)
    open_ = settlement.debts_of(scope) if method == Method.CARRY else planned
    return {"method": method, "plan": planned.plan.rows, "debts": open_.rows}
