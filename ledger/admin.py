"""The admin: people and evenings can be put right here, the journal only read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from ledger.models import (
    Club,
    Edition,
    Entry,
    Evening,
    Hand,
    Line,
    LineUp,
    Member,
    Player,
    Posting,
    Season,
    Seat,
    Table,
    Version,
)

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
    Inline = admin.TabularInline[Any, Any]
else:  # only the stubs know them as generic
    Admin = admin.ModelAdmin
    Inline = admin.TabularInline


class ReadOnly:
    """What is derived or written by the journal: to look at."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, Admin):
    pass


class ReadOnlyInline(ReadOnly, Inline):
    extra = 0
    related: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related(*self.related)


class LineInline(ReadOnlyInline):
    model = Line
    related = ("player",)


class PostingInline(ReadOnlyInline):
    model = Posting
    related = ("player",)


class VersionInline(ReadOnlyInline):
    model = Version
    related = ("edition", "dealer", "recorded_by", "hand__table__evening")
    show_change_link = True


class SeatInline(ReadOnlyInline):
    model = Seat
    related = ("player",)


@admin.register(Club)
class ClubAdmin(Admin):
    list_display = ["name", "language", "created_at"]
    search_fields = ["name"]

    def has_delete_permission(
        self, request: HttpRequest, obj: Club | None = None
    ) -> bool:
        return False


@admin.register(Member)
class MemberAdmin(Admin):
    list_display = ["user", "club", "role", "player"]
    list_filter = ["role"]
    list_select_related = ["user", "club", "player"]
    autocomplete_fields = ["user", "club", "player"]
    search_fields = ["user__username", "club__name", "player__name"]


@admin.register(Player)
class PlayerAdmin(Admin):
    list_display = ["name", "nickname", "club", "retired"]
    list_filter = ["retired"]
    list_select_related = ["club"]
    autocomplete_fields = ["club"]
    search_fields = ["name", "nickname", "club__name"]


@admin.register(Season)
class SeasonAdmin(Admin):
    list_display = ["name", "club", "starts", "closed_at"]
    list_select_related = ["club"]
    autocomplete_fields = ["club"]
    search_fields = ["name", "club__name"]


@admin.register(Edition)
class EditionAdmin(ReadOnlyAdmin):
    list_display = ["variant", "club", "rules", "created_at"]
    list_filter = ["variant"]
    list_select_related = ["club"]
    search_fields = ["club__name", "digest"]


@admin.register(Evening)
class EveningAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "date", "currency", "stake", "closed_at"]
    list_select_related = ["club"]
    date_hierarchy = "date"
    search_fields = ["name", "club__name"]


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    list_display = ["evening", "number", "edition"]
    list_select_related = ["evening", "edition"]
    search_fields = ["evening__name", "evening__club__name"]


@admin.register(LineUp)
class LineUpAdmin(ReadOnlyAdmin):
    list_display = ["table", "from_hand", "dealer"]
    list_select_related = ["table__evening", "dealer"]
    search_fields = ["table__evening__name", "seats__player__name"]
    inlines = [SeatInline]


@admin.register(Hand)
class HandAdmin(ReadOnlyAdmin):
    list_display = ["id", "table", "number", "voided", "played_at"]
    list_filter = ["voided"]
    list_select_related = ["table__evening"]
    date_hierarchy = "played_at"
    search_fields = ["id", "table__evening__name", "table__evening__club__name"]
    inlines = [VersionInline]


@admin.register(Version)
class VersionAdmin(ReadOnlyAdmin):
    list_display = ["hand", "number", "edition", "dealer", "units", "recorded_by"]
    list_select_related = ["hand__table__evening", "edition", "dealer", "recorded_by"]
    date_hierarchy = "recorded_at"
    search_fields = ["id", "hand__id", "dealer__name", "recorded_by__username"]
    inlines = [LineInline]


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ["id", "kind", "club", "evening", "created_by", "created_at"]
    list_filter = ["kind"]
    list_select_related = ["club", "evening", "created_by"]
    date_hierarchy = "created_at"
    search_fields = ["id", "note", "club__name", "evening__name", "version__hand__id"]
    inlines = [PostingInline]
