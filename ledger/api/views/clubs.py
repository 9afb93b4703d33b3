"""The reader's clubs: names and languages, corrections undone, balances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ledger import access, journal, settlement
from ledger.api.amendment_serializers import (
    AmendClubSerializer,
    AmendedClubSerializer,
    UndoneSerializer,
    UndoSerializer,
)
from ledger.api.club_serializers import BookSerializer, ClubSerializer
from ledger.api.requests import ClubMixin, ReaderMixin
from ledger.models import Action, Club


@extend_schema_view(get=extend_schema(operation_id="clubs_list"))
class ClubListView(ReaderMixin, ListAPIView[Club]):
    """The clubs of whoever asks, with his role in each."""

    queryset = Club.objects.none()
    serializer_class = ClubSerializer

    def get_queryset(self) -> QuerySet[Club]:
        return access.clubs_of(self.reader).order_by("name", "pk")


class ClubView(ClubMixin, RetrieveAPIView[Club]):
    """A club; called otherwise, or speaking another language."""

    serializer_class = ClubSerializer
    request_serializer_class = AmendClubSerializer

    def get_object(self) -> Club:
        return self.club

    @extend_schema(request=AmendClubSerializer, responses=AmendedClubSerializer)
    def patch(self, request: Request, club: int) -> Response:
        access.owner_only(self.club)
        sent = self.sent()
        facts = {key: sent.get(key) for key in ("name", "language")}
        before, after = journal.plan_club_amendment(self.club, **facts)
        action = None if sent["preview"] else self._amend(sent["id"], facts)
        self.club.refresh_from_db()
        answer = {
            "action": action and action.pk,
            "before": before,
            "after": after,
            "club": self.club,
        }
        return Response(AmendedClubSerializer(answer).data)

    def _amend(self, id: UUID, facts: Mapping[str, Any]) -> Action | None:
        by = self.reader.user
        return journal.amend_club(self.club, **facts, id=id, by=by)


class UndoView(ClubMixin):
    """Undo a correction of the club, of an evening, or the removal of one."""

    serializer_class = UndoneSerializer
    request_serializer_class = UndoSerializer

    def post(self, request: Request, club: int) -> Response:
        sent = self.sent()
        corrections = journal.corrections_of(self.club)
        if (action := corrections.filter(pk=sent["action"]).first()) is None:
            raise Http404
        if action.evening is None:
            access.owner_only(self.club)
        undone = journal.undo(action, id=sent["id"], by=self.reader.user)
        return Response(self.get_serializer(undone).data)


@extend_schema_view(get=extend_schema(operation_id="club_balances"))
class BalanceListView(ClubMixin, ListAPIView[Any]):
    """What everybody is owed, in each currency in which something is open."""

    serializer_class = BookSerializer
    pagination_class = None
    filter_backends = ()

    def get_queryset(self) -> Any:
        return [
            {
                "currency": scope.currency,
                "balances": balances,
                "plan": settlement.plan(scope, settlement.method_of(scope, None)).rows,
            }
            for scope, balances in settlement.open_balances(self.club)
        ]
