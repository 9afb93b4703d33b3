"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from ledger.views import (
    adjustments,
    changes,
    closing,
    clubs,
    evenings,
    files,
    hands,
    history,
    home,
    language,
    players,
    rules,
    seats,
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
    path("clubs/<int:pk>/seasons/new/", closing.season_new, name="season_new"),
    path("seasons/<int:pk>/close/", closing.season_close, name="season_close"),
    path("seasons/<int:pk>/reopen/", closing.season_reopen, name="season_reopen"),
    path("clubs/<int:pk>/evenings/new/", evenings.new, name="evening_new"),
    path("evenings/<int:pk>/", evenings.evening, name="evening"),
    path("evenings/<int:pk>/hands.csv", files.hands_csv, name="hands_csv"),
    path("evenings/<int:pk>/history/", history.history, name="history"),
    path("evenings/<int:pk>/adjust/", adjustments.adjust, name="adjust"),
    path("evenings/<int:pk>/close/", closing.close, name="close"),
    path("evenings/<int:pk>/reopen/", closing.reopen, name="reopen"),
    path("evenings/<int:pk>/tables/new/", tables.new, name="table_new"),
    path("tables/<int:pk>/", tables.table, name="table"),
    path("tables/<int:pk>/hands/new/", slip.slip, name="slip"),
    path("tables/<int:pk>/hands/preview/", slip.slip_preview, name="slip_preview"),
    path("tables/<int:pk>/seats/", seats.seats, name="seats"),
    path("tables/<int:pk>/reseat/", changes.reseat, name="reseat"),
    path("tables/<int:pk>/undo/", changes.undo, name="undo"),
    path("tables/<int:pk>/rules/", rules.rules, name="rules"),
    path("hands/<uuid:pk>/correct/", slip.correct, name="correct"),
    path("hands/<uuid:pk>/insert/", slip.insert, name="insert"),
    path("hands/<uuid:pk>/", hands.hand, name="hand"),
    path("hands/<uuid:pk>/void/", changes.void, name="void"),
    path("hands/<uuid:pk>/restore/", changes.restore, name="restore"),
    path("hands/<uuid:pk>/swap-sides/", changes.swap_sides, name="swap_sides"),
    path("hands/<uuid:pk>/exchange/<uuid:other>/", changes.reorder, name="reorder"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("api/", include("ledger.api.urls")),
    path("admin/", admin.site.urls),
]

handler500 = "ledger.views.trouble.broken"
