"""Games: what a slip asks, and what everything is worth."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView, RetrieveAPIView

import scoring
from ledger.api.requests import TableMixin
from ledger.api.variant_serializers import VariantSerializer


@extend_schema_view(get=extend_schema(operation_id="variants_list"))
class VariantListView(ListAPIView[Any]):
    """Every game with its declaration, as it is played without options."""

    serializer_class = VariantSerializer
    pagination_class = None
    filter_backends = ()

    def get_queryset(self) -> Any:
        return [scoring.tariff(id) for id in scoring.VARIANTS]


class VariantView(RetrieveAPIView[Any]):
    """One game with its declaration."""

    serializer_class = VariantSerializer

    def get_object(self) -> scoring.Tariff:
        if (id := self.kwargs["variant"]) not in scoring.VARIANTS:
            raise Http404
        return scoring.tariff(id)


class TariffView(TableMixin, RetrieveAPIView[Any]):
    """The game of a table, under the options and values that its club chose."""

    serializer_class = VariantSerializer

    def get_object(self) -> scoring.Tariff:
        return self.table.edition.tariff
