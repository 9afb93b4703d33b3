"""A point that is worth a fraction of the smallest coin: sums are rounded once."""

from __future__ import annotations

import json
from fractions import Fraction
from uuid import uuid4

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import scoring
from ledger import clubfile, journal, settlement, statistics, tallies
from ledger.audit import Audit
from ledger.clubfile import WrongValue
from ledger.exports.workbook import season_data
from ledger.journal import Amendment
from ledger.models import Entry, Evening, Posting
from ledger.settlement import SettlementScope, pair_sums
from ledger.table import changes
from ledger.text import amounts
from ledger.text.amounts import typed_stake
from tests.clubfile.test_clubfile import elsewhere, file_of, load_copy
from tests.support.club_balances import club_balances
from tests.support.fixtures import restake, won
from tests.views.test_amendments import put_right

HALF = Fraction(1, 2)
STAKES = st.integers(1, 50_000).map(lambda parts: Fraction(parts, amounts.FINEST))
SENTENCE = "rounded once, so that all sums come to 0."


# What points are worth


@given(won=st.lists(st.integers(-999, 999), max_size=5), stake=STAKES)
def test_what_points_are_worth_sums_to_nothing_and_is_a_coin_off_at_most(won, stake):
    points = dict(enumerate([*won, -sum(won)]))

    worth = amounts.at_stake(points, stake)

    assert sum(worth.values()) == 0
    assert all(abs(worth[who] - points[who] * stake) < 1 for who in points)
    assert amounts.at_stake(dict(reversed(points.items())), stake) == worth


@pytest.mark.parametrize(
    ("points", "worth"),
    [
        ([3, 3, -3, -3], [2, 2, -2, -2]),
        ([1, 1, -1, -1], [1, 1, -1, -1]),
        ([-1, 1, 1, -1], [0, 1, 0, -1]),
        ([3, -1, -1, -1], [2, 0, -1, -1]),
        ([2, -2, 0, 0], [1, -1, 0, 0]),
    ],
)
def test_of_equal_halves_the_first_players_have_the_coin(points, worth):
    assert [*amounts.at_stake(dict(enumerate(points)), HALF).values()] == worth


@given(stake=STAKES, currency=st.sampled_from(["PLN", "HUF", "JPY", "KWD"]))
def test_a_stake_is_read_as_it_is_typed_back(stake, currency):
    evening = Evening(
        currency=currency, stake=stake.numerator, stake_parts=stake.denominator
    )

    assert (
        amounts.parse_stake(typed_stake(evening.per_point, evening.currency), currency)
        == stake
    )


@pytest.mark.parametrize(
    ("text", "currency", "stake", "shown"),
    [
        ("0,005", "PLN", HALF, "PLN\xa00.005"),
        ("0.005", "PLN", HALF, "PLN\xa00.005"),
        ("0,00125", "EUR", Fraction(1, 8), "€0.00125"),
        ("0.125", "EUR", Fraction(25, 2), "€0.125"),
        ("0,5", "JPY", HALF, "¥0.5"),
        ("0,10", "PLN", 10, "PLN\xa00.10"),
    ],
)
def test_a_fraction_of_the_smallest_coin_is_a_stake(text, currency, stake, shown):
    read = amounts.parse_stake(text, currency)

    assert read == stake
    assert amounts.format_stake(read, currency, "en") == shown


@pytest.mark.parametrize(
    "text", ["0,000001", "0.0000625", "1/3", "0,0x5", "999999.99999"]
)
def test_a_stake_that_is_too_fine_too_much_or_no_number_is_refused(text):
    with pytest.raises(amounts.AmountError):
        amounts.parse_stake(text, "EUR")


# At the table


def money_of(evening):
    return [row.money for row in tallies.tally(evening)]


@pytest.fixture
def halves(lay):
    return lay(stake=HALF)


def test_hands_are_whole_coins_and_the_evening_is_rounded_once(halves, record, undo):
    evening = halves.evening
    record(halves)
    first = money_of(evening)
    record(halves)
    second = money_of(evening)

    undo(halves)

    points = [row.points for row in tallies.tally(evening)]
    hands = Posting.objects.filter(entry__kind=Entry.Kind.HAND)
    assert points == [3, -3, 3, -3]
    assert first == money_of(evening) == [2, -1, 1, -2]
    assert second == [0, 0, 0, 0]
    assert set(hands.values_list("money", flat=True)) == {2, 1, -1, -2}
    assert list(Audit().differences()) == []


def test_at_a_whole_stake_nothing_is_rounded(table, record, undo):
    record(table)
    undo(table)

    assert not Entry.objects.filter(kind=Entry.Kind.ROUNDING).exists()


def test_another_stake_and_back_is_what_it_was(halves, record, owner):
    for _hand in range(3):
        record(halves)
    evening = halves.evening
    before = money_of(evening)

    done = restake(evening, "PLN", 20, reason="typo", id=uuid4(), by=owner)
    whole = money_of(evening)
    journal.undo(done, id=uuid4(), by=owner)

    evening.refresh_from_db()
    assert done.before == {"currency": "PLN", "stake": "1/2"}
    assert done.after == {"currency": "PLN", "stake": 20}
    assert whole == [row.points * 20 for row in tallies.tally(evening)]
    assert money_of(evening) == before
    assert evening.per_point == HALF
    assert list(Audit().differences()) == []


def test_a_fraction_may_follow_money_of_another_currency(table, record, owner):
    record(table)
    evening = table.evening

    for currency, stake in (("EUR", Fraction(1, 8)), ("", 0), ("PLN", HALF)):
        restake(evening, currency, stake, reason="x", id=uuid4(), by=owner)

    assert money_of(evening) == [2, -1, 1, -2]
    ania = next(b for b in club_balances(evening.club) if b.player.name == "Ania")
    assert ania.money == {"EUR": 0, "PLN": 2}
    assert list(Audit().differences()) == []


STRICTER = scoring.tariff("taroki", {"tarok_bonus_to": "player"})


@pytest.mark.parametrize(
    "asked",
    [
        {"stake": Fraction(7, 4)},
        {"games": {1: STRICTER}},
        {"stake": Fraction(1, 5), "games": {1: STRICTER}},
        {"stake": 20},
    ],
    ids=["stake", "rules", "both", "whole"],
)
def test_what_would_change_is_shown_as_it_then_is(halves, record, people, owner, asked):
    evening, asked = halves.evening, Amendment(**asked)
    held = won(people[:4]) | {"holdings": {str(people[1].pk): "10"}}
    for _hand in range(3):
        record(halves, held)
    for in_money in (False, True):
        gains = {people[0]: 3, people[3]: -3}
        how = {"reason": "gift", "in_money": in_money, "id": uuid4(), "by": owner}
        journal.adjust(evening, gains, **how)
    before = money_of(evening)

    plan = journal.plan_amendment(evening, asked)
    done = journal.amend_evening(evening, asked, reason="x", id=uuid4(), by=owner)
    evening.refresh_from_db()
    after = money_of(evening)
    journal.undo(done, id=uuid4(), by=owner)

    assert [row.money for row in plan.sums] == before == money_of(evening)
    assert [row.money_after for row in plan.sums] == after != before
    assert list(Audit().differences()) == []


def test_an_adjustment_undone_at_a_fraction_comes_again_at_the_stake(
    table, people, owner
):
    evening, gains = table.evening, {people[0]: 3, people[3]: -3}
    made = journal.adjust(evening, gains, reason="gift", id=uuid4(), by=owner)
    gone = journal.undo(made, id=uuid4(), by=owner)
    restake(evening, "PLN", HALF, reason="x", id=uuid4(), by=owner)

    journal.undo(gone, id=uuid4(), by=owner)

    evening.refresh_from_db()
    assert sorted(money_of(evening)) == [-2, 0, 0, 2]
    assert list(Audit().differences()) == []


def test_an_evening_of_which_all_was_taken_back_can_be_removed(
    halves, record, undo, owner
):
    evening = halves.evening
    for change in (record, record, undo, undo):
        change(halves)

    removed = journal.remove_evening(evening, id=uuid4(), by=owner)
    journal.undo(removed, id=uuid4(), by=owner)

    assert Entry.objects.filter(kind=Entry.Kind.ROUNDING).exists()
    assert list(Audit().differences()) == []


def test_everything_that_tells_an_evening_adds_up(halves, record, correct, owner):
    versions = [record(halves) for _hand in range(5)]
    change = changes.Correct(
        versions[1].hand, versions[1].record | {"contra": 1, "card_points": 20}
    )
    correct(halves, change)
    evening = halves.evening
    scope = SettlementScope.of_evening(evening)
    people = [row.player for row in tallies.tally(evening)]
    tally = dict(zip([p.pk for p in people], money_of(evening), strict=True))

    told = {p.pk: settlement.statement_of(p, scope) for p in people}
    among = {
        p.pk: sum(
            settlement.statement_between(p, o, scope).amount for o in people if o != p
        )
        for p in people
    }
    ranked = [_ranked(evening)]
    journal.close_evening(evening, by=owner)
    ranked.append(_ranked(evening))
    book = season_data.read(evening.season)

    assert ranked == [tally, tally]
    assert book.by_evening("PLN")[evening.pk] == tally
    assert settlement.sums_of(scope) == tally
    assert {pk: found.amount for pk, found in told.items()} == tally
    assert among == tally
    for found in told.values():
        for item in (item for part in found.parts for item in part.items):
            if item.lines:
                assert sum(line.amount for line in item.lines) == item.amount
    assert all(
        sum(
            pair_sums.of_player(
                p, SettlementScope.everything(evening.club, "PLN")
            ).values()
        )
        == tally[p.pk]
        for p in people
    )
    assert list(Audit().differences()) == []


def _ranked(evening):
    rows = statistics.read(statistics.HandFilter(evening.club)).ranking(
        "total", least=0
    )
    return {row.player.pk: row.money.get("PLN", 0) for row in rows}


def test_the_audit_finds_what_was_not_rounded(halves, record, owner, people):
    record(halves)
    evening = halves.evening
    entry = Entry(
        id=uuid4(),
        club=evening.club,
        evening=evening,
        action=evening.actions.first(),
        kind=Entry.Kind.ROUNDING,
        currency="PLN",
        created_by=owner,
    )
    Posting.objects.bulk_create(
        Posting(entry=entry, player=people[seat], money=off)
        for seat, off in ((0, 1), (1, -1))
    )
    entry.save(force_insert=True)

    found = list(Audit().differences())

    assert any(f"player {people[0].pk} has +3, not +2" in said for said in found)


def test_a_club_with_fractions_comes_in_as_it_went_out(halves, record, owner, club):
    for _hand in range(3):
        record(halves)
    evening = halves.evening
    restake(evening, "PLN", Fraction(7, 4), reason="x", id=uuid4(), by=owner)
    text = elsewhere(file_of(club))

    twin = load_copy(text)

    there = twin.evenings.get()
    assert file_of(twin).decode() == text
    assert there.per_point == Fraction(7, 4)
    assert money_of(there) == money_of(evening)
    told = json.loads(text)["evenings"][0]
    assert (told["stake"], told["stake_parts"]) == (7, 4)
    assert [(a["before"], a["after"]) for a in told["actions"] if a["after"]] == [
        ({"currency": "PLN", "stake": "1/2"}, {"currency": "PLN", "stake": "7/4"})
    ]
    Draft202012Validator(clubfile.schema()).validate(json.loads(text))
    assert list(Audit(twin).differences()) == []


@pytest.mark.parametrize("stake", ["1/0", "2/4", "1/3", "-1/2", "x", "9999999999/2"])
def test_a_file_with_a_corrected_stake_that_cannot_be_is_refused(
    halves, owner, club, stake
):
    restake(halves.evening, "PLN", 20, reason="x", id=uuid4(), by=owner)
    text = elsewhere(file_of(club)).replace('"stake":"1/2"', f'"stake":"{stake}"')

    with pytest.raises(WrongValue) as refused:
        load_copy(text)

    assert "before" in str(refused.value)


# Pages and API


def test_a_fraction_is_typed_shown_and_explained(as_, scorer, halves, record):
    record(halves)
    evening, client = halves.evening, as_(scorer)
    hand = evening.entries.filter(kind="hand").get().version.hand_id

    pages = {
        name: client.get(reverse(name, args=[pk])).text
        for name, pk in (
            ("evening", evening.pk),
            ("table", halves.pk),
            ("hand", hand),
            ("evening_correct", evening.pk),
        )
    }

    assert all("PLN\xa00.005" in pages[name] for name in ("evening", "table", "hand"))
    assert 'value="0.005"' in pages["evening_correct"]
    assert all(SENTENCE in pages[name] for name in ("evening", "hand"))


def test_a_stake_is_corrected_to_a_fraction_shown_and_undone(as_, owner, table, record):
    record(table)
    evening, client = table.evening, as_(owner)
    before = money_of(evening)
    page = reverse("evening_correct", args=[evening.pk])

    shown, saved = put_right(client, page, stake="0,005", reason="agreed so")
    halved = money_of(evening)
    done = evening.actions.latest("number")
    told = client.get(saved.headers["Location"]).text
    undo = reverse("undo_correction", args=[evening.club_id])
    client.post(undo, {"action": done.pk, "id": uuid4()})

    said = "PLN\xa00.20 → PLN\xa00.005"
    assert "<s>PLN\xa00.20</s> <b>PLN\xa00.005</b>" in shown.text
    assert said in told
    assert halved == [2, -1, 1, -2]
    assert money_of(evening) == before
    evening.refresh_from_db()
    assert evening.per_point == 20
    assert said in client.get(reverse("history", args=[evening.pk])).text
    assert list(Audit().differences()) == []


def test_a_new_evening_takes_a_fraction(as_, scorer, club, people):
    client, path = as_(scorer), reverse("evening_new", args=[club.pk])
    seats = [player.pk for player in people[:4]]
    sent = {"name": "Friday", "date": "2020-11-20", "variant": "taroki"}
    sent |= {"currency": "PLN", "stake": "0,005"}
    sent |= {"order": seats, "player": seats, "dealer": seats[0]}

    answer = client.post(path, sent)

    assert answer.status_code == 302, answer.context["form"].errors
    assert Evening.objects.get().per_point == HALF


def test_a_change_of_hands_is_planned_in_whole_coins(
    as_, scorer, halves, record, correct
):
    versions = [record(halves) for _hand in range(3)]
    evening = halves.evening
    path = reverse("void", args=[versions[0].hand_id])

    page = as_(scorer).get(path)
    correct(halves, changes.Void(versions[0].hand))

    after = dict(
        zip(
            [row.player for row in tallies.tally(evening)],
            money_of(evening),
            strict=True,
        )
    )
    planned = {total.player: total.money_after for total in page.context["plan"].totals}
    assert planned == {player: after[player] for player in planned}


def test_an_old_sheet_is_brought_in_at_a_fraction(
    upload, choose, apply_sheet, people, club
):
    rows = (
        "Date,Ania,Bartek,Celina,Darek\n2019-05-03,3,-1,-1,-1\n2019-05-10,1,1,-1,-1\n"
    )
    sheet = upload(rows, stake="0,005")

    page = choose(sheet)
    apply_sheet(sheet)

    worth = {b.player.name: b.money["PLN"] for b in club_balances(club) if b.money}
    told = {row.name: row.money for row in page.context["player_rows"]}
    assert "PLN\xa00.005" in page.text
    assert sum(worth.values()) == 0
    assert {e.per_point for e in club.evenings.all()} == {HALF}
    assert told == worth
    assert list(Audit().differences()) == []
