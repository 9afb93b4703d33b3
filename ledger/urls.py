"""URLs of the site; those of the API are in `ledger.api.urls`."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from ledger.views.account import preferences, sign_in, tokens
from ledger.views.account.password import Password
from ledger.views.club import club, club_new, home, players, seasons, settings
from ledger.views.evening import (
    adjustments,
    close,
    correct,
    evening,
    evening_new,
    history,
    remove,
    share,
    undo_correction,
)
from ledger.views.files import downloads, import_sheet, imports, jobs, season_workbook
from ledger.views.money import method, payments, pot, settle, statement, take_back
from ledger.views.statistics import club_figures, hands, player, season
from ledger.views.table import (
    corrections,
    hand,
    rules,
    seats,
    slip_page,
    table,
    table_new,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("sign-in/", sign_in.SignIn.as_view(), name="sign_in"),
    path("sign-in/<str:uid>/<str:token>/", sign_in.link, name="sign_in_link"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("account/password/", Password.as_view(), name="password"),
    path("language/", preferences.language, name="language"),
    path("light/", preferences.light, name="light"),
    path("clubs/new/", club_new.club_new, name="club_new"),
    path("clubs/<int:pk>/", club.club, name="club"),
    path("clubs/<int:pk>/settings/", settings.club_settings, name="club_settings"),
    path("clubs/<int:pk>/undo/", undo_correction.undo, name="undo_correction"),
    path("clubs/<int:pk>/import/", imports.imports, name="imports"),
    path(
        "clubs/<int:pk>/import/<str:mode>.<str:kind>",
        imports.example,
        name="import_example",
    ),
    path("imports/<uuid:pk>/", import_sheet.import_sheet, name="import_sheet"),
    path("clubs/<int:pk>/players/", players.players, name="players"),
    path("clubs/<int:pk>/players/<int:player>/", player.player, name="player"),
    path("clubs/<int:pk>/statistics/", club_figures.club, name="statistics"),
    path("clubs/<int:pk>/rating/", club_figures.rate, name="rating"),
    path("clubs/<int:pk>/hands/", hands.hands, name="hands_behind"),
    path("clubs/<int:pk>/seasons/new/", seasons.season_new, name="season_new"),
    path("seasons/<int:pk>/", season.season, name="season"),
    path("seasons/<int:pk>/book.xlsx", season_workbook.season_book, name="season_book"),
    path("seasons/<int:pk>/close/", seasons.season_close, name="season_close"),
    path("seasons/<int:pk>/reopen/", seasons.season_reopen, name="season_reopen"),
    path("clubs/<int:pk>/settle/", settle.settle, name="settle"),
    path("clubs/<int:pk>/settle/ways/", method.method, name="ways"),
    path("clubs/<int:pk>/pay/", payments.pay, name="pay"),
    path("clubs/<int:pk>/take-back/", take_back.take_back, name="take_back"),
    path("clubs/<int:pk>/pot/", pot.pot, name="pot"),
    path(
        "clubs/<int:pk>/statement/<int:player>/", statement.statement, name="statement"
    ),
    path("clubs/<int:pk>/files/", downloads.files, name="club_files"),
    path("clubs/<int:pk>/files/table.csv", downloads.table_csv, name="table_csv"),
    path("clubs/<int:pk>/files/club.json", downloads.club_json, name="club_json"),
    path("clubs/<int:pk>/evenings/new/", evening_new.evening_new, name="evening_new"),
    path("evenings/<int:pk>/", evening.evening, name="evening"),
    path("evenings/<int:pk>/hands.csv", downloads.hands_csv, name="hands_csv"),
    path("evenings/<int:pk>/history/", history.history, name="history"),
    path("evenings/<int:pk>/pay/", payments.evening_pay, name="evening_pay"),
    path("evenings/<int:pk>/correct/", correct.correct, name="evening_correct"),
    path("evenings/<int:pk>/remove/", remove.remove, name="evening_remove"),
    path("evenings/<int:pk>/share/", share.share, name="share"),
    path("evenings/<int:pk>/card/", share.card, name="card"),
    path("s/<str:token>/", share.shared, name="shared"),
    path("evenings/<int:pk>/adjust/", adjustments.adjust, name="adjust"),
    path("evenings/<int:pk>/close/", close.close, name="close"),
    path("evenings/<int:pk>/reopen/", close.reopen, name="reopen"),
    path("evenings/<int:pk>/tables/new/", table_new.table_new, name="table_new"),
    path("tables/<int:pk>/", table.table, name="table"),
    path("tables/<int:pk>/hands/new/", slip_page.slip, name="slip"),
    path("tables/<int:pk>/hands/preview/", slip_page.slip_preview, name="slip_preview"),
    path("tables/<int:pk>/seats/", seats.seats, name="seats"),
    path("tables/<int:pk>/reseat/", corrections.reseat, name="reseat"),
    path("tables/<int:pk>/undo/", corrections.undo, name="undo"),
    path("tables/<int:pk>/rules/", rules.rules, name="rules"),
    path("hands/<uuid:pk>/correct/", slip_page.correct, name="correct"),
    path("hands/<uuid:pk>/insert/", slip_page.insert, name="insert"),
    path("hands/<uuid:pk>/", hand.hand, name="hand"),
    path("hands/<uuid:pk>/void/", corrections.void, name="void"),
    path("hands/<uuid:pk>/restore/", corrections.restore, name="restore"),
    path("hands/<uuid:pk>/swap-sides/", corrections.swap_sides, name="swap_sides"),
    path("hands/<uuid:pk>/exchange/<uuid:other>/", corrections.reorder, name="reorder"),
    path("jobs/<uuid:pk>/", jobs.job, name="job"),
    path("jobs/<uuid:pk>/file/", jobs.result, name="job_file"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("api/", include("ledger.api.urls")),
    path(
        "admin/login/", RedirectView.as_view(pattern_name="sign_in", query_string=True)
    ),
    path("admin/", admin.site.urls),
]

handler400 = "ledger.serving.error_pages.bad_request"
handler404 = "ledger.serving.error_pages.not_found"
handler500 = "ledger.serving.error_pages.server_error"
