"""Admin site: users, members and players are edited here, the journal is read-only.

Lists work with a hundred thousand hands: rows are counted up to `FirstPages.MOST`, and
a page of any list takes the same few queries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth import admin as auth
from django.core.paginator import Paginator
from django.db.models import Field, Model, QuerySet
from django.forms import Field as FormField
from django.http import HttpRequest
from django.utils.functional import cached_property

from ledger import models
from ledger.views.fields import NameField

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
    Inline = admin.TabularInline[Any, Any]
    Pages = Paginator[Any]
    AuthAdmin = auth.UserAdmin[models.User]
else:  # only the stubs know them as generic
    Admin = admin.ModelAdmin
    Inline = admin.TabularInline
    Pages = Paginator
    AuthAdmin = auth.UserAdmin


class FirstPages(Pages):
    """Paginator that counts up to `MOST` rows; beyond that people search."""

    MOST = 10_000

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # of a list
        return rows.order_by()[: self.MOST].count()


class ListAdmin(Admin):
    paginator = FirstPages
    show_full_result_count = False
    list_per_page = 50

    def formfield_for_dbfield(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> FormField | None:
        """Validate names as on every other page."""
        if db_field.name in ("name", "nickname"):
            kwargs["form_class"] = NameField
        return super().formfield_for_dbfield(db_field, request, **kwargs)


class OfOneClubAdmin(ListAdmin):
    """Objects of a club, which stay there: entries refer to them."""

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> list[str]:
        return ["club"] if obj else []


class ReadOnly:
    """Objects that are derived, or written by the journal: not to be edited."""

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


class ReadOnlyAdmin(ReadOnly, ListAdmin):
    deferred: tuple[str, ...] = ()
    """Long columns that the list does not show."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.defer(*self.deferred)


class ReadOnlyInline(ReadOnly, Inline):
    extra = 0
    related: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related(*self.related)


class LineInline(ReadOnlyInline):
    model = models.Line
    related = ("player",)


class PostingInline(ReadOnlyInline):
    model = models.Posting
    related = ("player",)


class VersionInline(ReadOnlyInline):
    model = models.Version
    related = ("edition", "dealer", "recorded_by", "hand__table__evening")
    show_change_link = True


class StepInline(ReadOnlyInline):
    model = models.Step
    related = ("hand__table__evening", "before", "after")


class SeatInline(ReadOnlyInline):
    model = models.Seat
    related = ("player",)


@admin.register(models.User)
class UserAdmin(ListAdmin, AuthAdmin):
    list_display = ["username", "display_name", "email", "is_staff", "last_login"]
    list_filter = ["is_staff", "is_superuser", "is_active"]
    ordering = ["username"]
    search_fields = ["username", "display_name", "email", "=pk"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Person", {"fields": ["display_name", "email", "language", "theme"]}),
        ("Rights", {"fields": ["is_active", "is_staff", "is_superuser", "groups"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
    filter_horizontal = ["groups"]


@admin.register(models.Club)
class ClubAdmin(ListAdmin):
    list_display = ["name", "language", "method", "created_at"]
    list_filter = ["language", "method"]
    search_fields = ["name", "=pk"]
    autocomplete_fields = ["treasurer"]

    def get_readonly_fields(
        self, request: HttpRequest, obj: models.Club | None = None
    ) -> list[str]:
        """Name and language are changed by an action of an owner."""
        return ["name", "language"] if obj else []

    def has_delete_permission(
        self, request: HttpRequest, obj: models.Club | None = None
    ) -> bool:
        return False


@admin.register(models.Member)
class MemberAdmin(OfOneClubAdmin):
    list_display = ["user", "club", "role", "player"]
    list_filter = ["role"]
    list_select_related = ["user", "club", "player"]
    autocomplete_fields = ["user", "club", "player"]
    search_fields = [
        "user__username",
        "user__display_name",
        "club__name",
        "player__name",
        "=pk",
    ]


@admin.register(models.Player)
class PlayerAdmin(OfOneClubAdmin):
    list_display = ["name", "nickname", "club", "retired"]
    list_filter = ["retired"]
    list_select_related = ["club"]
    autocomplete_fields = ["club"]
    search_fields = ["name", "nickname", "club__name", "=pk"]


@admin.register(models.Season)
class SeasonAdmin(OfOneClubAdmin):
    list_display = ["name", "club", "starts", "closed_at"]
    list_select_related = ["club"]
    autocomplete_fields = ["club"]
    search_fields = ["name", "club__name", "=pk"]


@admin.register(models.Edition)
class EditionAdmin(ReadOnlyAdmin):
    list_display = ["variant", "club", "rules", "created_at"]
    list_filter = ["variant", "created_at"]
    list_select_related = ["club"]
    search_fields = ["club__name", "digest"]


@admin.register(models.Evening)
class EveningAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "date", "currency", "stake", "closed_at"]
    list_filter = [("closed_at", admin.EmptyFieldListFilter), "currency"]
    list_select_related = ["club"]
    date_hierarchy = "date"
    search_fields = ["name", "club__name", "=pk"]


@admin.register(models.Table)
class TableAdmin(ReadOnlyAdmin):
    list_display = ["evening", "number", "edition"]
    list_filter = ["edition__variant"]
    list_select_related = ["evening", "edition"]
    search_fields = ["evening__name", "evening__club__name", "=pk"]


@admin.register(models.LineUp)
class LineUpAdmin(ReadOnlyAdmin):
    list_display = ["table", "from_hand", "dealer"]
    list_select_related = ["table__evening", "dealer"]
    search_fields = ["table__evening__name", "seats__player__name"]
    inlines = [SeatInline]


@admin.register(models.Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ["lineup", "position", "player", "resting"]
    list_filter = ["resting"]
    list_select_related = ["lineup__table__evening", "player"]
    search_fields = ["player__name", "lineup__table__evening__name"]


# Filters of dates offer today, this week, this year: a list of all would read all rows.


@admin.register(models.Hand)
class HandAdmin(ReadOnlyAdmin):
    list_display = ["table", "number", "voided", "played_at", "id"]
    list_filter = ["voided", "played_at"]
    list_select_related = ["table__evening"]
    ordering = ["-played_at", "pk"]
    search_fields = [
        "id__startswith",
        "table__evening__name",
        "table__evening__club__name",
    ]
    inlines = [VersionInline]


@admin.register(models.Version)
class VersionAdmin(ReadOnlyAdmin):
    list_display = ["hand", "number", "edition", "dealer", "units", "recorded_by"]
    list_filter = ["thrown_in", "edition__variant", "recorded_at"]
    list_select_related = ["hand__table__evening", "edition", "dealer", "recorded_by"]
    ordering = ["-recorded_at", "pk"]
    search_fields = [
        "id__startswith",
        "hand__id__startswith",
        "dealer__name",
        "recorded_by__username",
    ]
    inlines = [LineInline]


@admin.register(models.Line)
class LineAdmin(ReadOnlyAdmin):
    list_display = ["version", "position", "item", "side", "player", "made", "points"]
    list_filter = ["kind", "side", "announced", "made"]
    list_select_related = ["version__hand__table__evening", "player"]
    ordering = ["-pk"]
    search_fields = ["=item", "version__id__startswith", "player__name"]


@admin.register(models.Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ["kind", "club", "evening", "created_by", "created_at", "id"]
    list_filter = ["kind", "created_at"]
    list_select_related = ["club", "evening", "created_by"]
    ordering = ["-created_at", "pk"]
    search_fields = [
        "id__startswith",
        "note",
        "club__name",
        "evening__name",
        "version__hand__id__startswith",
    ]
    inlines = [PostingInline]


@admin.register(models.Posting)
class PostingAdmin(ReadOnlyAdmin):
    list_display = ["entry", "player", "points", "money"]
    list_filter = ["entry__kind"]
    list_select_related = ["entry", "player"]
    ordering = ["-pk"]
    search_fields = ["player__name", "entry__id__startswith"]


@admin.register(models.Action)
class ActionAdmin(ReadOnlyAdmin):
    list_display = ["kind", "evening", "season", "club", "number", "by", "at", "id"]
    list_filter = ["kind", "at"]
    list_select_related = ["evening", "season", "club", "by"]
    ordering = ["-at", "pk"]
    search_fields = ["id__startswith", "reason", "evening__name", "by__username"]
    inlines = [StepInline]


@admin.register(models.Step)
class StepAdmin(ReadOnlyAdmin):
    list_display = ["action", "hand", "before_number", "after_number"]
    list_select_related = ["action", "hand__table__evening"]
    ordering = ["-pk"]
    search_fields = ["action__id__startswith", "hand__id__startswith"]


@admin.register(models.ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    list_display = ["evening", "method", "created_by", "expires_at", "revoked_at"]
    list_filter = ["method", "expires_at", "revoked_at"]
    list_select_related = ["evening", "created_by"]
    search_fields = ["evening__name", "created_by__username"]


@admin.register(models.Token)
class TokenAdmin(ReadOnlyAdmin):
    list_display = ["name", "user", "created_at", "last_used", "revoked_at"]
    list_filter = ["last_used", "revoked_at"]
    list_select_related = ["user"]
    search_fields = ["name", "user__username"]


@admin.register(models.Receipt)
class ReceiptAdmin(ReadOnlyAdmin):
    list_display = ["id", "kind", "thing"]
    list_filter = ["kind"]
    search_fields = ["id__startswith", "=thing"]


@admin.register(models.OldSheet)
class OldSheetAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "uploaded_by", "uploaded_at", "action"]
    list_filter = ["uploaded_at"]
    list_select_related = ["club", "uploaded_by", "action"]
    ordering = ["-uploaded_at", "pk"]
    search_fields = ["id__startswith", "name", "club__name", "digest"]
    exclude = ["content"]
    deferred = ("content",)


@admin.register(models.TableDigest)
class TableDigestAdmin(ReadOnlyAdmin):
    list_display = ["evening", "number", "variant", "format"]
    list_filter = ["variant", "format"]
    list_select_related = ["evening"]
    search_fields = ["evening__name", "evening__club__name"]
    deferred = ("data",)


@admin.register(models.PairSum)
class PairSumAdmin(ReadOnlyAdmin):
    list_display = ["evening", "one", "other", "amount"]
    list_select_related = ["evening", "one", "other"]
    search_fields = ["evening__name", "evening__club__name"]


@admin.register(models.SeasonDigest)
class SeasonDigestAdmin(ReadOnlyAdmin):
    list_display = ["season", "span", "first", "number", "variant", "format"]
    list_filter = ["span", "variant", "format"]
    list_select_related = ["season"]
    search_fields = ["season__name", "season__club__name"]
    deferred = ("data",)


@admin.register(models.EveningRating)
class EveningRatingAdmin(ReadOnlyAdmin):
    list_display = ["evening", "format"]
    list_select_related = ["evening"]
    search_fields = ["evening__name", "evening__club__name"]
    deferred = ("games", "state")
