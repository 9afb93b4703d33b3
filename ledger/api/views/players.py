"""Players of a club."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListCreateAPIView, RetrieveAPIView
from rest_framework.mixins import UpdateModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from ledger import journal
from ledger.api.club_serializers import NewPlayerSerializer, PlayerSerializer
from ledger.api.filters import PlayerFilterSet
from ledger.api.requests import ClubMixin, CreateOnceMixin
from ledger.models import Player


class PlayersMixin(ClubMixin):
    queryset = Player.objects.none()
    serializer_class = PlayerSerializer

    def get_queryset(self) -> QuerySet[Player]:
        return self.club.players.people().order_by("name", "pk")


@extend_schema_view(get=extend_schema(operation_id="players_list"))
class PlayerListView(CreateOnceMixin, PlayersMixin, ListCreateAPIView[Player]):
    """Everybody who plays at the club, the retired too; or one more.

    Who was sent before is answered with 200.
    """

    request_serializer_class = NewPlayerSerializer
    filterset_class = PlayerFilterSet

    def make(self, sent: dict[str, Any]) -> Player:
        return journal.add_player(self.club, **sent)


class PlayerView(PlayersMixin, UpdateModelMixin, RetrieveAPIView[Player]):
    """A player of the club; renamed, retired or brought back."""

    lookup_url_kwarg = "player"

    def patch(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.partial_update(request, *args, **kwargs)

    def perform_update(self, serializer: BaseSerializer[Player]) -> None:
        player = serializer.instance
        assert player is not None
        for name, value in serializer.validated_data.items():
            setattr(player, name, value)
        journal.save_player(player)
