"""URLs of the API, each with its view."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from ledger.api.views import clubs, evenings, hands, players, tables, variants

CLUB, TABLE = "clubs/<int:club>/", "tables/<int:table>/"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("variants/", variants.VariantListView.as_view(), name="api_variants"),
    path(
        "variants/<slug:variant>/", variants.VariantView.as_view(), name="api_variant"
    ),
    path("clubs/", clubs.ClubListView.as_view(), name="api_clubs"),
    path(CLUB, clubs.ClubView.as_view(), name="api_club"),
    path(f"{CLUB}balances/", clubs.BalanceListView.as_view(), name="api_balances"),
    path(f"{CLUB}undo/", clubs.UndoView.as_view(), name="api_undo"),
    path(f"{CLUB}players/", players.PlayerListView.as_view(), name="api_players"),
    path(
        f"{CLUB}players/<int:player>/", players.PlayerView.as_view(), name="api_player"
    ),
    path(
        f"{CLUB}evenings/",
        evenings.EveningListView.as_view(),
        name="api_club_evenings",
    ),
    path("evenings/<int:evening>/", evenings.EveningView.as_view(), name="api_evening"),
    path(
        "evenings/<int:evening>/tally/", evenings.TallyView.as_view(), name="api_tally"
    ),
    path(
        "evenings/<int:evening>/tables/",
        tables.TableListView.as_view(),
        name="api_tables",
    ),
    path(TABLE, tables.TableView.as_view(), name="api_table"),
    path(f"{TABLE}tariff/", variants.TariffView.as_view(), name="api_tariff"),
    path(f"{TABLE}hands/", hands.HandListView.as_view(), name="api_hands"),
    path(f"{TABLE}hands/preview/", hands.HandPreviewView.as_view(), name="api_preview"),
    path("hands/<uuid:hand>/", hands.HandView.as_view(), name="api_hand"),
    path(
        "hands/<uuid:hand>/reverse/",
        hands.HandReversalView.as_view(),
        name="api_reverse",
    ),
]
