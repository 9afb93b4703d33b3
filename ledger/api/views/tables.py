"""Tables of an evening, with who sits there and the next hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListCreateAPIView, RetrieveAPIView

from ledger import journal
from ledger.api.club_serializers import (
    NewTableSerializer,
    TableSerializer,
    TableWithDealSerializer,
)
from ledger.api.requests import CreateOnceMixin, EveningMixin, TableMixin
from ledger.models import Table
from ledger.table.deals import deal


@extend_schema_view(
    get=extend_schema(operation_id="tables_list"),
    post=extend_schema(
        responses={200: TableWithDealSerializer, 201: TableWithDealSerializer}
    ),
)
class TableListView(CreateOnceMixin, EveningMixin, ListCreateAPIView[Table]):
    """The tables of an evening; or one more.

    A table that was sent before is answered with 200.
    """

    queryset = Table.objects.none()
    serializer_class = TableSerializer
    request_serializer_class = NewTableSerializer

    def get_queryset(self) -> QuerySet[Table]:
        return self.evening.tables.select_related("edition").order_by("number")

    def make(self, sent: dict[str, Any]) -> Table:
        tariff = sent.get("tariff")
        return journal.add_table(
            self.evening,
            id=sent["id"],
            seats=sent["seats"],
            dealer=sent["dealer"],
            edition=tariff and journal.edition_of(self.club, tariff),
        )

    def represent(self, instance: Table) -> Any:
        return TableWithDealSerializer(_with_deal(instance)).data


class TableView(TableMixin, RetrieveAPIView[Any]):
    """A table with who sits at it and the next hand: dealer, who rests, multiplier."""

    serializer_class = TableWithDealSerializer

    def get_object(self) -> Any:
        return _with_deal(self.table)


def _with_deal(table: Table) -> Mapping[str, Any]:
    return {"table": table, "next": deal(table)}
