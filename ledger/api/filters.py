"""Filters of lists, as query parameters that `/api/schema/` describes.

An invalid value is refused with 422; an unknown id gives an empty list.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework.request import Request
from rest_framework.views import APIView

from ledger.models import Evening, Player, Posting, Seat, Version

LARGEST_ID = 2**63 - 1


class FilterBackend(filters.DjangoFilterBackend):  # type: ignore[misc] # no types
    def filter_queryset(
        self, request: Request, queryset: QuerySet[Any], view: APIView
    ) -> QuerySet[Any]:
        if not request.query_params:
            return queryset  # the form alone would cost a list a sixth of its time
        filtered: QuerySet[Any] = super().filter_queryset(request, queryset, view)
        return filtered


class IdFilter(filters.Filter):  # type: ignore[misc]
    """A row by its id, a whole number."""

    field_class = forms.IntegerField

    def __init__(self, **kwargs: object) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **kwargs)


class FlagFilter(filters.TypedChoiceFilter):  # type: ignore[misc]
    """Whether something is so, “true” or “false”; anything else is refused."""

    def __init__(self, *args: object, help_text: str, **kwargs: object) -> None:
        choices = [("true", "true"), ("false", "false")]
        super().__init__(*args, choices=choices, coerce="true".__eq__, **kwargs)
        extend_schema_field({"type": "boolean", "description": help_text})(self)


class PlayerFilterSet(filters.FilterSet):  # type: ignore[misc]
    retired = FlagFilter(help_text="Whether they retired.")

    class Meta:
        model = Player
        fields = ()


class EveningFilterSet(filters.FilterSet):  # type: ignore[misc]
    season = IdFilter(help_text="Id of a season of the club.")
    date_after = filters.DateFilter("date", "gte", help_text="That day or later.")
    date_before = filters.DateFilter("date", "lte", help_text="That day or earlier.")
    player = IdFilter(method="seating", help_text="Id of somebody who sat at a table.")
    closed = FlagFilter(
        "closed_at", "isnull", exclude=True, help_text="Whether they are closed."
    )

    class Meta:
        model = Evening
        fields = ()

    def seating(
        self, evenings: QuerySet[Evening], name: str, value: int
    ) -> QuerySet[Evening]:
        seats = Seat.objects.filter(lineup__table__evening=OuterRef("pk"))
        return evenings.filter(Exists(seats.filter(player=value)))


class HandFilterSet(filters.FilterSet):  # type: ignore[misc]
    player = IdFilter(method="played_by", help_text="Id of somebody who played.")
    voided = FlagFilter("hand__voided", help_text="Whether they were reversed.")

    class Meta:
        model = Version
        fields = ()

    def played_by(
        self, versions: QuerySet[Version], name: str, value: int
    ) -> QuerySet[Version]:
        postings = Posting.objects.filter(entry__version=OuterRef("pk"))
        return versions.filter(Exists(postings.filter(player=value)))
