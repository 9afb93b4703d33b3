"""The pages on which an evening, its game and a club are put right."""

from __future__ import annotations

import datetime
import re
from uuid import uuid4

import pytest
from django.urls import reverse

import scoring
from ledger import journal, tallies
from ledger.audit import Audit
from ledger.journal import Amendment
from ledger.models import Action, ShareLink
from tests.support.fixtures import squeezed, won
from tests.support.form_fields import fields_of

DOUBLED = {"table-1-taroki-tarok_bonus_to": "player"}


@pytest.fixture
def page(table):
    return reverse("evening_correct", args=[table.evening_id])


@pytest.fixture
def settings_page(club):
    return reverse("club_settings", args=[club.pk])


def held(players):
    return won(players) | {"holdings": {str(players[1].pk): "10"}}


def put_right(client, url, form="correct", **typed):
    """Look at what changes, then save it as it was shown; give both answers."""
    sent = fields_of(client.get(url), form) | typed
    shown = client.post(url, sent)
    return shown, client.post(url, fields_of(shown, form))


# An evening


def test_what_nobody_touches_changes_nothing(as_, scorer, page, table):
    shown, saved = put_right(as_(scorer), page)

    assert "Nothing would change" in shown.text
    assert saved.status_code == 200
    assert not table.evening.actions.exists()


def test_all_of_an_evening_is_shown_then_changed_and_undone(
    as_, owner, club, page, table, record, people
):
    club.seasons.create(name="2025", starts=datetime.date(2025, 1, 1))
    client = as_(owner)
    record(table, held(people[:4]))
    other = club.seasons.get(name="2025")

    shown, saved = put_right(
        client,
        page,
        name=" Saturday  night ",
        date="2026-10-03",
        season=str(other.pk),
        currency="EUR",
        stake="0,05",
        reason="all wrong",
        **DOUBLED,
    )

    said = re.findall(r"<dt>(.*?)</dt><dd><s>(.*?)</s> <b>(.*?)</b>", shown.text)
    assert [label for label, _old, _new in said] == [
        "Name",
        "Date",
        "Season",
        "Stake per point",
        "Game, Taroki: Who is paid for declared taroks",
    ]
    assert ("Name", "Friday", "Saturday night") in said
    assert ("Stake per point", "PLN\xa00.20", "€0.05") in said
    assert "1 hand changes" in shown.text
    action = Action.objects.latest("at")
    evening = reverse("evening", args=[table.evening_id])
    assert saved.headers["Location"] == f"{evening}?done={action.pk}"
    table.evening.refresh_from_db()
    now = table.evening
    assert (now.name, now.season, now.currency, now.stake) == (
        "Saturday night",
        other,
        "EUR",
        5,
    )
    toast = client.get(saved.headers["Location"])
    assert "Name: Friday → Saturday night" in toast.text

    undo = {"action": action.pk, "id": uuid4()}
    undone = client.post(reverse("undo_correction", args=[club.pk]), undo, follow=True)

    now.refresh_from_db()
    assert (now.name, now.currency, now.stake) == ("Friday", "PLN", 20)
    assert undone.status_code == 200
    history = client.get(reverse("history", args=[now.pk]))
    assert "Undone: Name: Friday → Saturday night" in history.text
    assert list(Audit().differences()) == []


def test_every_page_of_an_evening_opens_after_other_rules(
    as_, owner, club, table, record, people
):
    client = as_(owner)
    version = record(table, held(people[:4]))
    hands = [record(table).hand for _hand in range(2)]
    journal.reverse_hand(hands[0], id=uuid4(), by=owner)
    rules = {1: scoring.tariff("taroki", {"tarok_bonus_to": "player"})}
    asked = Amendment(stake=50, games=rules)
    more = {"id": uuid4(), "by": owner, "reason": "typo"}
    action = journal.amend_evening(table.evening, asked, **more)
    for undo in (False, True):
        if undo:
            journal.undo(action, id=uuid4(), by=owner)

        pages = [
            *(("hand", hand.pk) for hand in (version.hand, *hands)),
            *(("correct", hand.pk) for hand in (version.hand, hands[1])),
            *((name, table.pk) for name in ("table", "slip", "seats", "rules")),
            *(
                (name, table.evening_id)
                for name in ("evening", "history", "card", "evening_correct")
            ),
            ("restore", hands[0].pk),
            ("club", club.pk),
            ("statistics", club.pk),
            ("season", table.evening.season_id),
        ]
        got = {page: client.get(reverse(page[0], args=[page[1]])) for page in pages}
        statement = reverse("statement", args=[club.pk, people[0].pk])
        got["statement"] = client.get(f"{statement}?evening={table.evening_id}")
        assert {answer.status_code for answer in got.values()} == {200}


def test_the_sums_that_are_shown_are_those_that_are_booked(
    as_, scorer, page, table, record, people
):
    record(table, held(people[:4]))

    shown, _saved = put_right(as_(scorer), page, stake="0,50", reason="x", **DOUBLED)

    page = squeezed(shown.text)
    after = re.findall(r"<b>([+−]?\d+)</b><small>([^<]*)</small>", page)
    tally = tallies.tally(table.evening)
    assert [int(points.replace("−", "-")) for points, _money in after] == [
        row.points for row in tally
    ]
    assert len(after) == 4


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"date": "0026-11-20"}, "nothing is kept from before 1900"),
        ({"date": "2090-11-20"}, "in the future"),
        ({"stake": "1,234"}, "could be"),
        ({"stake": "0"}, "more than 0"),
        ({"currency": "XXX"}, "XXX is not one of"),
    ],
)
def test_what_cannot_be_is_refused_and_kept(as_, scorer, page, wrong, says):
    client = as_(scorer)
    sent = fields_of(client.get(page), "correct") | wrong

    answer = client.post(page, sent)

    ((field, typed),) = wrong.items()
    assert answer.status_code == 422
    assert says in answer.text
    if field != "currency":
        assert fields_of(answer, "correct")[field] == typed


def test_what_was_won_changes_with_a_reason(as_, scorer, page, table, record):
    record(table)

    _shown, saved = put_right(as_(scorer), page, stake="0,50")

    assert saved.status_code == 422
    assert "Give a reason: this changes what was won." in saved.text
    assert fields_of(saved, "correct")["stake"] == "0,50"


def test_a_hand_in_the_way_is_linked_and_told(as_, scorer, page, table, record):
    players = journal.preview(table, {}).deal.players
    hand = record(table, won(players) | {"contra": 3}).hand

    shown, saved = put_right(
        as_(scorer), page, reason="x", **{"table-1-taroki-contra_cap": "2"}
    )

    assert shown.status_code == saved.status_code == 422
    link = reverse("hand", args=[hand.pk])
    assert f'<a href="{link}">Hand 1, table I</a>: ' in squeezed(shown.text)
    assert Action.objects.filter(kind="amend").count() == 0


def test_who_was_slower_looks_again(as_, owner, scorer, page, table, record):
    client = as_(scorer)
    sent = fields_of(client.get(page), "correct") | {"stake": "0,50", "reason": "x"}
    shown = client.post(page, sent)
    record(table)

    late = client.post(page, fields_of(shown, "correct"))
    saved = client.post(page, fields_of(late, "correct"))

    assert late.status_code == 409
    assert "Hand 1 recorded" in late.text
    assert fields_of(late, "correct")["stake"] == "0,50"
    assert saved.status_code == 302
    table.evening.refresh_from_db()
    assert table.evening.stake == 50


def test_another_wish_than_was_shown_is_shown_first(as_, scorer, page, table):
    client = as_(scorer)
    sent = fields_of(client.get(page), "correct") | {"name": "Saturday"}
    shown = client.post(page, sent)

    again = client.post(page, fields_of(shown, "correct") | {"name": "Sunday"})

    assert again.status_code == 200
    assert "<b>Sunday</b>" in again.text
    assert not table.evening.actions.exists()


def test_it_is_saved_once_however_often_it_is_sent(as_, scorer, page, table):
    client = as_(scorer)
    sent = fields_of(client.get(page), "correct") | {"name": "Saturday"}
    sent = fields_of(client.post(page, sent), "correct")

    first, second = client.post(page, sent), client.post(page, sent)

    assert first.status_code == 302
    assert second.headers["Location"] == first.headers["Location"]
    assert table.evening.actions.count() == 1


# Who may


@pytest.mark.parametrize("name", ["evening_correct", "evening_remove"])
@pytest.mark.parametrize("state", ["open", "closed", "season closed"])
def test_who_may_correct_an_evening(
    as_, owner, scorer, member, stranger, table, name, state
):
    if state != "open":
        journal.close_evening(table.evening, by=owner)
    if state == "season closed":
        journal.close_season(table.evening.season, by=owner)
    url = reverse(name, args=[table.evening_id])

    got = {
        who.username: as_(who).get(url).status_code
        for who in (owner, scorer, member, stranger)
    }

    assert got == {
        "owner": 200,
        "scorer": 200 if state == "open" else 409,
        "member": 403,
        "stranger": 404,
    }


def test_a_closed_season_says_so_and_offers_nothing(as_, owner, page, table):
    journal.close_evening(table.evening, by=owner)
    journal.close_season(table.evening.season, by=owner)
    client = as_(owner)

    answer = client.get(page)
    posted = client.post(page, {"name": "Saturday", "id": uuid4()})

    assert "is closed: it has to be reopened first" in answer.text
    assert 'id="correct"' not in answer.text
    assert "is closed: it has to be reopened first" in posted.text
    assert not Action.objects.filter(kind="amend").exists()


def test_the_evening_links_to_its_correction_for_who_may(
    as_, owner, scorer, member, table
):
    evening = reverse("evening", args=[table.evening_id])
    link = reverse("evening_correct", args=[table.evening_id])

    opened = [link in as_(who).get(evening).text for who in (owner, scorer, member)]
    journal.close_evening(table.evening, by=owner)
    shut = [link in as_(who).get(evening).text for who in (owner, scorer, member)]

    assert opened == [True, True, False]
    assert shut == [True, False, False]


# Removing


def test_an_empty_evening_goes_and_is_brought_back(as_, owner, club, table):
    client = as_(owner)
    url = reverse("evening_remove", args=[table.evening_id])
    sent = fields_of(client.get(url), "remove")

    gone = client.post(url, sent)
    again = client.post(url, sent)
    page = client.get(gone.headers["Location"])
    listed = client.get(reverse("club_settings", args=[club.pk])).text
    action = Action.objects.get(kind="amend")

    assert gone.headers["Location"] == again.headers["Location"]
    assert "Evening removed" in page.text
    assert "Friday" not in page.text
    assert "Restore the evening" in listed

    undo = {"action": action.pk, "id": uuid4()}
    back = client.post(reverse("undo_correction", args=[club.pk]), undo)

    assert back.status_code == 302
    assert client.get(reverse("evening", args=[table.evening_id])).status_code == 200
    assert "Friday" in client.get(reverse("club", args=[club.pk])).text


def test_a_removed_evening_is_found_nowhere(
    as_, client, owner, club, table, people, django_user_model
):
    evening, season = table.evening, table.evening.season
    _link, secret = ShareLink.make(evening, by=owner)
    client = as_(owner)
    own = {
        "evening": [evening.pk],
        "history": [evening.pk],
        "evening_correct": [evening.pk],
        "card": [evening.pk],
        "share": [evening.pk],
        "close": [evening.pk],
        "hands_csv": [evening.pk],
        "table": [table.pk],
        "slip": [table.pk],
        "seats": [table.pk],
        "shared": [secret],
        "api_evening": [evening.pk],
        "api_tally": [evening.pk],
        "api_table": [table.pk],
    }
    around = {
        "home": [],
        "club": [club.pk],
        "season": [season.pk],
        "season_close": [season.pk],
        "statistics": [club.pk],
        "settle": [club.pk],
        "club_files": [club.pk],
        "api_club_evenings": [club.pk],
    }

    journal.remove_evening(evening, id=uuid4(), by=owner)

    found = {n: client.get(reverse(n, args=a)).status_code for n, a in own.items()}
    assert set(found.values()) == {404}, found
    for name, args in around.items():
        answer = client.get(reverse(name, args=args))
        text = b"".join(answer) if answer.streaming else answer.content
        assert answer.status_code in (200, 302), name
        assert b"Friday" not in text, name
    asked = client.get(reverse("settle", args=[club.pk]), {"evening": evening.pk})
    assert asked.status_code == 404


def test_an_evening_with_hands_says_why_it_stays(as_, owner, table, record):
    record(table)
    url = reverse("evening_remove", args=[table.evening_id])

    asked = as_(owner).get(url)
    sent = as_(owner).post(url, {"id": uuid4()})

    assert "Hands were played here: take them back first." in asked.text
    assert 'id="remove"' not in asked.text
    assert sent.status_code == 409


# Undoing


def test_what_has_been_changed_since_is_not_undone(as_, owner, club, table):
    first = journal.amend_evening(
        table.evening, Amendment(name="Saturday"), id=uuid4(), by=owner
    )
    journal.amend_evening(table.evening, Amendment(name="Sunday"), id=uuid4(), by=owner)
    undo = {"action": first.pk, "id": uuid4()}

    answer = as_(owner).post(reverse("undo_correction", args=[club.pk]), undo)

    assert answer.status_code == 409
    assert "Name: Saturday → Sunday" in answer.text


@pytest.mark.parametrize("text", ["", "x", "00000000-0000-4000-8000-000000000000"])
def test_only_a_correction_of_the_club_is_undone(as_, owner, club, text):
    undo = {"action": text, "id": uuid4()}

    answer = as_(owner).post(reverse("undo_correction", args=[club.pk]), undo)

    assert answer.status_code == 400


# A club


def test_a_club_is_renamed_and_speaks_another_language(as_, owner, club, settings_page):
    shown, saved = put_right(
        as_(owner), settings_page, "club", name=" Kozy  II ", language="hu"
    )
    page = as_(owner).get(saved.headers["Location"])

    said = re.findall(r"<dt>(.*?)</dt><dd><s>(.*?)</s> <b>(.*?)</b>", shown.text)
    assert said == [("Name", "Kozy", "Kozy II"), ("Language", "Polski", "Magyar")]
    club.refresh_from_db()
    assert (club.name, club.language) == ("Kozy II", "hu")
    assert "Name: Kozy → Kozy II; Language: Polski → Magyar" in page.text
    undo = {"action": Action.objects.get().pk, "id": uuid4()}
    as_(owner).post(reverse("undo_correction", args=[club.pk]), undo)
    club.refresh_from_db()
    assert (club.name, club.language) == ("Kozy", "pl")


def test_who_may_change_a_club(as_, owner, scorer, member, stranger, settings_page):
    got = [
        as_(who).get(settings_page).status_code
        for who in (owner, scorer, member, stranger)
    ]

    assert got == [200, 403, 403, 404]


def test_a_scorer_does_not_undo_what_an_owner_did_to_the_club(as_, owner, scorer, club):
    action = journal.amend_club(club, name="Kozy II", id=uuid4(), by=owner)
    undo = {"action": action.pk, "id": uuid4()}

    answer = as_(scorer).post(reverse("undo_correction", args=[club.pk]), undo)

    assert answer.status_code == 403


def test_the_slower_of_two_owners_looks_again(as_, owner, club, settings_page):
    client = as_(owner)
    sent = fields_of(client.get(settings_page), "club") | {"language": "hu"}
    sent = fields_of(client.post(settings_page, sent), "club")
    journal.amend_club(club, name="Kozy II", id=uuid4(), by=owner)

    late = client.post(settings_page, sent)

    club.refresh_from_db()
    assert (club.name, club.language) == ("Kozy II", "pl")
    assert late.status_code == 409
    assert "Name: Kozy → Kozy II" in late.text
    assert "<s>Kozy II</s> <b>Kozy</b>" in late.text
