"""Nothing that somebody did leaves a page behind that can no longer be opened."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from ledger import journal, settlement, tallies
from ledger.audit import Audit
from ledger.models import Player, Seat
from ledger.presenters.actions import action_views, with_details
from ledger.table import changes
from ledger.table.deals import deal
from tests.support.fixtures import names, restake


@pytest.fixture
def by(owner):
    """Return what every write is sent with."""
    return lambda: {"id": uuid4(), "by": owner}


@pytest.fixture
def opened(as_, owner):
    """Return a function that opens pages by name and gives what each answers."""

    def answers(*asked):
        client = as_(owner)
        return {name: client.get(reverse(name, args=[pk])) for name, pk in asked}

    return answers


def all_open(answers):
    return {answer.status_code for answer in answers.values()} == {200}


def test_a_hand_is_restored_whose_dealer_has_left(
    table, record, people, correct, by, opened
):
    """Darek dealt hand 1; Ewa sits in his place when it counts again."""
    hand = record(table).hand
    correct(table, changes.Void(hand))
    journal.substitute(table, people[3], people[4], **by())

    correct(table, changes.Restore(hand))

    pages = opened(
        *((name, table.pk) for name in ("table", "slip", "seats", "api_table")),
        *((name, table.evening_id) for name in ("evening", "close", "history")),
        *((name, hand.pk) for name in ("hand", "correct", "insert")),
    )
    assert all_open(pages)
    assert deal(table).dealer.name == "Ania"
    assert "Darek" in pages["table"].text
    assert list(Audit().differences()) == []


@pytest.mark.parametrize("dealer", range(4))
def test_the_deal_goes_on_from_the_seat_that_a_dealer_had(
    lay, record, people, correct, by, dealer
):
    table = lay(4)
    if dealer != 3:
        journal.set_dealer(table, people[dealer], **by())
    hand = record(table).hand
    correct(table, changes.Void(hand))
    journal.substitute(table, people[dealer], people[4], **by())

    correct(table, changes.Restore(hand))

    assert deal(table).dealer == deal(table).seats[(dealer + 1) % 4]


def test_seats_are_put_right_of_somebody_who_has_left(
    lay, record, people, correct, by, undo, opened
):
    table = lay(5)
    hands = [record(table).hand for _again in range(2)]
    journal.leave(table, people[4], **by())

    correct(table, changes.Reseat(1, people[0], people[4]))

    pages = [("table", table.pk), ("seats", table.pk), ("history", table.evening_id)]
    pages += [("hand", hand.pk) for hand in hands]
    told = opened(*pages)
    assert all_open(told)
    assert "Ewa and Ania swapped seats from hand 1 on" in told["history"].text
    undo(table)
    assert all_open(opened(*pages))


def test_nobody_is_seated_at_two_tables_by_putting_seats_right(
    lay, record, people, club, owner, correct, by
):
    """Ewa moved to table II: exchanged with Ania she would sit there and here."""
    table = lay(5)
    record(table)
    four = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    second = journal.add_table(table.evening, seats=four, dealer=four[0])
    journal.move_table(table, people[4], second, **by())

    with pytest.raises(journal.Refused) as refused:
        correct(table, changes.Reseat(1, people[0], people[4]))

    assert str(refused.value) == "Ewa sits at table 2: move them from there."
    assert names(deal(table).seats) == "Ania Bartek Celina Darek"


def test_nobody_is_seated_at_two_tables_by_undoing(lay, people, club, by, undo):
    """Ewa left table I and sat down at table II."""
    table = lay(5)
    four = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    second = journal.add_table(table.evening, seats=four, dealer=four[0])
    journal.leave(table, people[4], **by())
    journal.join(second, people[4], **by())

    with pytest.raises(journal.Refused, match="Ewa sits at table 2"):
        undo(table)

    assert Seat.objects.filter(player=people[4], lineup__table=second).exists()
    assert names(deal(table).seats) == "Ania Bartek Celina Darek"


def test_the_history_opens_after_two_have_moved(lay, people, club, by, opened):
    table = lay(5)
    four = [Player.objects.create(club=club, name=name) for name in "WXYZ"]
    second = journal.add_table(table.evening, seats=four, dealer=four[0])

    journal.move_table(table, people[4], second, **by())
    journal.move_table(second, people[4], table, **by())

    opened(("history", table.evening_id))


def test_an_adjustment_is_shown_of_somebody_who_left_before_the_first_hand(
    lay, people, owner, by, opened
):
    table = lay(5)
    gains = {people[0]: 5, people[4]: -5}
    action = journal.adjust(table.evening, gains, reason="late", **by())
    journal.undo(action, **by())
    journal.leave(table, people[4], **by())

    pages = opened(*((name, table.evening_id) for name in ("evening", "history")))

    assert all_open(pages)
    assert "Ewa" in pages["evening"].text


@pytest.mark.parametrize("name", ["correct", "insert"])
def test_the_slip_opens_at_a_hand_taken_back_before_the_seats_changed(
    table, record, people, correct, by, as_, owner, name
):
    """An old tab asks for it, and taps in it."""
    hand = record(table).hand
    correct(table, changes.Void(hand))
    journal.join(table, people[4], **by())
    journal.substitute(table, people[3], people[5], **by())
    path = reverse(name, args=[hand.pk])
    tap = {"id": str(uuid4()), "preview": "yes", "contract": "3"}

    answers = [as_(owner).get(path), as_(owner).post(path, tap)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert "Darek" in answers[0].text


def test_an_adjustment_is_cancelled_at_another_stake(table, people, by):
    gains = {people[0]: 5, people[1]: -5}
    action = journal.adjust(table.evening, gains, reason="late", **by())
    restake(table.evening, "PLN", 30, reason="typo", **by())
    (shown,) = tallies.adjustments(table.evening)

    cancelled = journal.undo(action, **by())

    assert (shown.action, shown.gains[people[0].pk]) == (action.pk, (5, 150))
    assert {row.money for row in tallies.tally(table.evening)} == {0}
    (shown,) = tallies.adjustments(table.evening)
    assert shown.cancelled
    restake(table.evening, "PLN", 10, reason="typo", **by())
    journal.undo(cancelled, **by())
    assert tallies.tally(table.evening)[0].money == 50
    assert list(Audit().differences()) == []


def test_money_taken_back_is_not_moved_again_in_other_money(table, people, by):
    gains = {people[0]: 5, people[1]: -5}
    action = journal.adjust(table.evening, gains, reason="taxi", in_money=True, **by())
    cancelled = journal.undo(action, **by())
    restake(table.evening, "EUR", 5, reason="abroad", **by())

    with pytest.raises(journal.Refused, match="in another currency"):
        journal.undo(cancelled, **by())


def test_what_is_no_adjustment_is_not_undone_as_one(table, people, by):
    scope = settlement.SettlementScope.of_evening(table.evening)
    paid = journal.pay(scope, people[0], people[1], 5, **by())
    back = journal.undo(paid, **by())

    for action in (paid, back):
        with pytest.raises(
            journal.Refused, match="Only an adjustment can be cancelled"
        ):
            journal.undo(action, kinds=journal.EVENING_KINDS, **by())


def test_the_adjustments_of_an_evening_are_cancelled_on_its_page_at_any_stake(
    table, people, by, as_, owner
):
    gains = {people[0]: 5, people[1]: -5}
    action = journal.adjust(table.evening, gains, reason="late", **by())
    restake(table.evening, "PLN", 30, reason="typo", **by())
    client = as_(owner)
    page = client.get(reverse("evening", args=[table.evening_id]))
    assert f'value="{action.pk}"' in page.text

    form = {"id": str(uuid4()), "cancel": str(action.pk)}
    answer = client.post(reverse("adjust", args=[table.evening_id]), form)

    assert answer.status_code == 302
    assert "cancelled" in client.get(answer.headers["Location"]).text


def test_the_money_is_that_of_the_last_stake_whatever_the_clock_says(
    table, record, by, as_, owner, time_machine
):
    version = record(table)
    now = timezone.now()
    time_machine.move_to(now - datetime.timedelta(hours=2))

    restake(table.evening, "PLN", 50, reason="typo", **by())

    (row,) = tallies.hands_of(table)
    assert row.money[version.players[0]] == 150
    told = as_(owner).get(reverse("api_hand", args=[version.hand_id])).json()
    assert {abs(part["money"]) for part in told["payments"]} == {150}


def test_what_was_taken_back_stays_so_whatever_the_clock_says(
    table, record, by, time_machine
):
    hand = record(table).hand
    now = timezone.now()
    time_machine.move_to(now - datetime.timedelta(hours=2))

    back = journal.reverse_hand(hand, **by())

    assert back.reverses.version.hand == hand
    assert (
        list(
            settlement.entries_in(settlement.SettlementScope.of_evening(table.evening))
        )
        == []
    )


def test_who_lost_the_xxi_last_is_mayor_whatever_the_clock_says(
    lay, record, people, time_machine
):
    table = lay(4, "paskievics")
    now = timezone.now()
    for hours in (0, 2):
        time_machine.move_to(now - datetime.timedelta(hours=hours))
        players = deal(table).players
        record(table, lost_by(players))

    assert deal(table).mayor == players[0]
    assert tallies.mayor(table.evening.club) == players[0]


def lost_by(players):
    """Forehand loses the XXI to a defender."""
    return {
        "contract": "two",
        "declarer": players[0].pk,
        "partner": players[2].pk,
        "card_points": 50,
        "xxi_lost_by": players[0].pk,
    }


def test_a_season_that_is_begun_runs_whatever_the_clock_says(
    club, owner, time_machine, as_
):
    journal.close_season(club.seasons.get(), by=owner)
    time_machine.move_to(timezone.now() - datetime.timedelta(days=2))

    as_(owner).post(reverse("season_new", args=[club.pk]), {"name": "Next"})

    assert journal.current_season(club).name == "Next"


def test_the_pot_is_no_guest(table, club, as_, owner):
    pot = journal.pot_of(club)
    path = reverse("seats", args=[table.pk])
    form = {"id": str(uuid4()), "do": "join", "player": pot.pk, "where": "after-1"}

    answers = [
        as_(owner).post(
            path, form | {"where": f"{how}-{table.lineups.get().dealer_id}"}
        )
        for how in ("after", "for")
    ]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert "Pot" not in as_(owner).get(path).text


def test_the_pot_is_no_player_of_the_api(club, as_, owner):
    path = reverse("api_player", args=[club.pk, journal.pot_of(club).pk])

    assert as_(owner).get(path).status_code == 404


@pytest.mark.parametrize("page", ["abc", "home", "abc/def", "//evil.example", "a\nb"])
def test_a_next_page_that_is_none_leads_home(client, page):
    answers = [
        client.post(reverse(name), {"next": page}) for name in ("language", "light")
    ]

    assert [answer.headers["Location"] for answer in answers] == ["/", "/"]


def test_who_signs_in_is_led_to_a_page_only(client, owner):
    owner.set_password("two of spades")
    owner.save()
    form = {"username": "owner", "password": "two of spades", "next": "abc"}

    assert client.post(reverse("sign_in"), form).headers["Location"] == "/"


def test_taking_back_leads_to_a_page_only(table, people, by, as_, owner, club):
    scope = settlement.SettlementScope.of_evening(table.evening)
    paid = journal.pay(scope, people[0], people[1], 5, **by())
    form = {"id": str(uuid4()), "action": str(paid.pk), "next": "abc"}

    answer = as_(owner).post(reverse("take_back", args=[club.pk]), form)

    page, _mark, told = answer.headers["Location"].partition("?")
    assert page == reverse("settle", args=[club.pk])
    assert told == f"done={form['id']}"


def test_every_deed_is_told_whoever_was_there(lay, record, people, correct, by):
    table = lay(5)
    record(table)
    journal.leave(table, people[4], **by())
    journal.join(table, people[5], **by())
    correct(table, changes.Reseat(1, people[1], people[4]))

    told = action_views(with_details(table.actions.order_by("number")), {})

    assert len(told) == 4


def test_who_plays_for_a_dealer_redeals_what_was_thrown_in(lay, record, people, by):
    table = lay(4, "paskievics")
    record(table, {"ending": "passed"})

    journal.substitute(table, people[3], people[4], **by())

    assert deal(table).dealer == people[4]
