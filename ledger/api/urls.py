"""The addresses of the API."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from ledger.api import hands, views

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("variants/", views.variants, name="api_variants"),
    path("variants/<slug:variant>/", views.variant, name="api_variant"),
    path("clubs/", views.clubs, name="api_clubs"),
    path("clubs/<int:club>/", views.club, name="api_club"),
    path("clubs/<int:club>/balances/", views.balances, name="api_balances"),
    path("clubs/<int:club>/undo/", views.undo, name="api_undo"),
    path("clubs/<int:club>/players/", views.players, name="api_players"),
    path("clubs/<int:club>/players/<int:player>/", views.player, name="api_player"),
    path("clubs/<int:club>/evenings/", views.club_evenings, name="api_club_evenings"),
    path("evenings/<int:evening>/", views.evening, name="api_evening"),
    path("evenings/<int:evening>/tally/", views.tally, name="api_tally"),
    path("evenings/<int:evening>/tables/", views.tables, name="api_tables"),
    path("tables/<int:table>/", views.table, name="api_table"),
    path("tables/<int:table>/tariff/", views.tariff, name="api_tariff"),
    path("tables/<int:table>/hands/", hands.hands, name="api_hands"),
    path("tables/<int:table>/hands/preview/", hands.preview, name="api_preview"),
    path("hands/<uuid:hand>/", hands.hand, name="api_hand"),
    path("hands/<uuid:hand>/reverse/", hands.reverse, name="api_reverse"),
]
