"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from ledger.views import (
    clubs,
    evenings,
    files,
    hands,
    home,
    language,
    players,
    rules,
    sign_in,
    slip,
    tables,
    tokens,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("sign-in/", sign_in.sign_in, name="sign_in"),
    path("sign-in/<str:uid>/<str:token>/", sign_in.link, name="sign_in_link"),
    path("sign-out/", sign_in.sign_out, name="sign_out"),
    path("language/", language.language, name="language"),
    path("light/", language.light, name="light"),
    path("clubs/new/", clubs.new, name="club_new"),
    path("clubs/<int:pk>/", clubs.club, name="club"),
    path("clubs/<int:pk>/players/", players.players, name="players"),
    path("clubs/<int:pk>/evenings/new/", evenings.new, name="evening_new"),
    path("evenings/<int:pk>/", evenings.evening, name="evening"),
    path("evenings/<int:pk>/hands.csv", files.hands_csv, name="hands_csv"),
    path("evenings/<int:pk>/tables/new/", tables.new, name="table_new"),
    path("tables/<int:pk>/", tables.table, name="table"),
    path("tables/<int:pk>/hands/new/", slip.slip, name="slip"),
    path("tables/<int:pk>/hands/preview/", slip.slip_preview, name="slip_preview"),
    path("tables/<int:pk>/rules/", rules.rules, name="rules"),
    path("hands/<uuid:pk>/", hands.hand, name="hand"),
    path("hands/<uuid:pk>/undo/", hands.undo, name="undo"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("api/", include("ledger.api.urls")),
    path("admin/", admin.site.urls),
]

handler500 = "ledger.views.trouble.broken"
