"""The pages of money: the plan, payments, settling, statements, the pot, links."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from ledger import journal, settlement, tallies
from ledger.models import Action, Entry, Evening, Player, Posting, ShareLink
from ledger.settlement import Method, SettlementScope
from ledger.views.money import payment_list
from scoring.settlement import transfers

# Forehand and the third win three points of each other two: +3 −3 +3 −3, at 0.20.
from tests.support.fixtures import squeezed


@pytest.fixture
def played(table, record):
    record(table)
    return table.evening


@pytest.fixture
def scope(played):
    return SettlementScope.of_evening(played)


@pytest.fixture
def path(played):
    return reverse("evening", args=[played.pk])


@pytest.fixture
def pay_path(played):
    return reverse("evening_pay", args=[played.pk])


@pytest.fixture
def settle_path(club):
    return reverse("settle", args=[club.pk])


@pytest.fixture
def tap(scope):
    """What a tap on the first "paid" of the plan sends."""
    row = settlement.plan(scope).rows[0]
    return {
        "id": str(uuid4()),
        "payer": str(row.payer.pk),
        "payee": str(row.payee.pk),
        "minor": str(row.amount),
        "plan": "fewest",
    }


@pytest.fixture
def form(people):
    return {
        "id": str(uuid4()),
        "payer": str(people[1].pk),
        "payee": str(people[0].pk),
        "amount": "0,20",
        "paid_by": "",
        "how": "transfer",
        "note": "the rest on Friday",
    }


def amounts(scope):
    return {b.player.name: b.amount for b in settlement.balances_of(scope)}


def plan(scope, method=Method.FEWEST):
    return [
        (row.payer.name, row.payee.name, row.amount)
        for row in settlement.plan(scope, method).rows
    ]


# Who may do what

READ = ("settle", "pot", "card", "statement")
WRITE = ("evening_pay", "pay", "share", "ways")


@pytest.fixture
def address(club, played, people):
    """Return a function that gives the address of a page by its name."""
    of = {
        "statement": [club.pk, people[0].pk],
        **{at: [played.pk] for at in ("card", "evening_pay", "share")},
    }
    return lambda name: reverse(name, args=of.get(name, [club.pk]))


@pytest.mark.parametrize("name", READ)
def test_a_member_reads(as_, member, address, name):
    assert as_(member).get(address(name)).status_code == 200


@pytest.mark.parametrize("name", WRITE)
def test_a_member_does_not_write(as_, member, address, name):
    assert as_(member).get(address(name)).status_code == 403


@pytest.mark.parametrize("name", ["settle", "pot", "take_back"])
def test_a_member_does_not_send_either(as_, member, address, name):
    assert as_(member).post(address(name), {"id": uuid4()}).status_code == 403


@pytest.mark.parametrize("name", ["evening_pay", "pay", "share", "settle"])
def test_a_scorer_gets_the_form(as_, scorer, address, name):
    assert as_(scorer).get(address(name)).status_code == 200


def test_only_an_owner_says_how_the_club_settles(as_, owner, scorer, address):
    assert as_(scorer).get(address("ways")).status_code == 403
    assert as_(owner).get(address("ways")).status_code == 200


@pytest.mark.parametrize("name", READ + WRITE)
def test_a_stranger_finds_nothing(as_, stranger, address, name):
    assert as_(stranger).get(address(name)).status_code == 404


@pytest.mark.parametrize("name", READ + WRITE)
def test_nobody_in_particular_signs_in_first(client, address, name):
    assert reverse("sign_in") in client.get(address(name)).headers["Location"]


@pytest.mark.parametrize("name", READ + WRITE + ("take_back",))
def test_other_methods_are_refused(as_, owner, address, name):
    assert as_(owner).put(address(name)).status_code == 405


@pytest.mark.parametrize(
    "query", ["evening=999", "season=999", "evening=x", "season=²"]
)
def test_what_the_club_has_not_is_not_found(as_, owner, settle_path, played, query):
    assert as_(owner).get(f"{settle_path}?{query}").status_code == 404


@pytest.mark.parametrize(
    "query", ["until=2026-02-31", "until=x", "currency=XXX", "method=x", "done=x"]
)
def test_what_makes_no_sense_is_left_out(as_, owner, settle_path, played, query):
    page = as_(owner).get(f"{settle_path}?{query}")

    assert page.status_code == 200
    assert "4 payments" not in page.text


@pytest.mark.parametrize(
    "sent",
    [
        {"payer": "999"},
        {"payee": "x"},
        {"minor": "-9"},
        {"minor": "9" * 40},
        {"minor": "²"},
        {"id": "x"},
    ],
)
def test_what_no_form_of_ours_sends_is_refused(as_, scorer, pay_path, tap, sent):
    response = as_(scorer).post(pay_path, tap | sent)

    assert response.status_code == 400
    assert not Action.objects.filter(kind="pay").exists()


# The plan


def test_a_payment_of_the_plan_is_marked_by_one_tap(
    as_, scorer, scope, path, pay_path, tap
):
    before = plan(scope)

    response = as_(scorer).post(pay_path, tap)

    done = f"{path}?method=fewest&done={tap['id']}#plan"
    assert response.headers["Location"] == done
    assert plan(scope) == before[1:]
    page = as_(scorer).get(path).text
    assert page.count('aria-pressed="true"') == 1
    assert page.count('aria-pressed="false"') == 1


def test_a_second_tap_takes_it_back(as_, scorer, club, scope, path, pay_path, tap):
    before = plan(scope)
    client = as_(scorer)
    client.post(pay_path, tap)
    page = client.get(path).text
    action = re.search(r'name="action" value="([^"]+)" aria-pressed="true"', page)[1]

    for _again in range(2):
        client.post(
            reverse("take_back", args=[club.pk]),
            {"id": str(uuid4()), "action": action, "next": path},
        )

    assert plan(scope) == before
    assert 'aria-pressed="true"' not in client.get(path).text


def pressed(page):
    """Return where the button of the toast leads, what it sends and what it says."""
    toast = re.search(r'<div class="toast".*?</div>', squeezed(page))[0]
    sent = dict(re.findall(r'name="([^"]+)" value="([^"]+)"', toast))
    words = re.search(r"<span>(.*?)</span>", toast)[1]
    label = re.search(r"<button[^>]*>(\w+)", toast)[1]
    told = f"{words} [{label}]".replace("\xa0", " ")
    return re.search(r'action="([^"]+)"', toast)[1], sent, told


def test_each_tap_on_paid_is_told_and_undone(as_, scorer, pay_path, tap, scope):
    client = as_(scorer)
    paid = client.post(pay_path, tap, follow=True).text
    button = re.search(r'name="action" value="([^"]+)" aria-pressed="true"', paid)[1]

    address, sent, told = pressed(paid)
    second = {"id": str(uuid4()), "action": button, "next": sent["next"]}
    undone = client.post(address, second, follow=True).text
    address, sent, told_then = pressed(undone)
    redone = client.post(address, sent, follow=True).text

    assert told == "Bartek paid Ania PLN 0.60 [Undo]"
    assert told_then == "Undone: Bartek paid Ania PLN 0.60 [Redo]"
    assert pressed(redone)[2] == "Redone: Bartek paid Ania PLN 0.60 [Undo]"
    assert len(plan(scope)) == 1


def test_what_is_cancelled_by_one_tap_is_told_and_undone(as_, scorer, played, people):
    client = as_(scorer)
    adjust = reverse("adjust", args=[played.pk])
    first, second = people[:2]
    form = {
        "id": str(uuid4()),
        "reason": "Misdeal",
        f"way-{first.pk}": "pays",
        f"amount-{first.pk}": "4",
        f"amount-{second.pk}": "4",
    }
    page = client.post(adjust, form, follow=True).text
    told = pressed(page)[2]

    cancel = {"id": str(uuid4()), "cancel": form["id"]}
    address, sent, told_then = pressed(client.post(adjust, cancel, follow=True).text)
    client.post(address, sent)

    assert (told, told_then) == ("Adjustment [Undo]", "Undone: Adjustment [Redo]")
    assert [row.adjusted for row in tallies.tally(played)] == [-4, 4, 0, 0]


def test_two_phones_mark_a_payment_once(as_, scorer, scope, path, pay_path, tap):
    client = as_(scorer)
    client.post(pay_path, tap)

    late = client.post(pay_path, tap | {"id": str(uuid4())})

    assert "changed=yes" in late.headers["Location"]
    assert Entry.objects.filter(kind="payment").count() == 1
    assert "changed in the meantime" in client.get(late.headers["Location"]).text


def test_a_tap_that_is_sent_again_counts_once(as_, scorer, pay_path, tap):
    answers = [as_(scorer).post(pay_path, tap).headers["Location"] for _ in range(3)]

    assert len(set(answers)) == 1
    assert Entry.objects.filter(kind="payment").count() == 1


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("fewest", "fewer are not possible"),
        ("hands", "2 payments."),
        ("pot", "4 payments."),
        ("treasurer", "3 payments."),
        ("carry", "carried over to the next evening"),
    ],
)
def test_a_plan_can_be_made_otherwise(as_, scorer, club, people, path, method, says):
    club.treasurer = people[0]
    club.save()

    page = as_(scorer).get(path, {"method": method}).text

    assert says in page
    assert f'method={method}#plan" aria-current="true"' in page


def test_without_a_treasurer_he_is_not_offered(as_, scorer, path):
    page = as_(scorer).get(path, {"method": "treasurer"}).text

    assert "Through the treasurer" not in page
    assert "fewer are not possible" in page


def test_a_club_settles_as_its_owner_says(as_, owner, club, people, address, path):
    form = {"method": "treasurer", "treasurer": people[3].pk}

    as_(owner).post(address("ways"), form)

    page = as_(owner).get(path).text
    assert "3 payments." in page
    assert "treasurer is Darek" in as_(owner).get(reverse("club", args=[club.pk])).text


def test_points_are_settled_where_nobody_plays_for_money(as_, scorer, lay, record):
    table = lay(currency="", stake=0)
    record(table)
    evening = reverse("evening", args=[table.evening_id])
    scope = SettlementScope.of_evening(table.evening)
    row = settlement.plan(scope).rows[0]

    page = as_(scorer).get(evening).text
    as_(scorer).post(
        reverse("evening_pay", args=[table.evening_id]),
        {
            "id": uuid4(),
            "payer": row.payer.pk,
            "payee": row.payee.pk,
            "minor": row.amount,
        },
    )

    assert "In points." in page
    assert "PLN" not in page
    assert len(plan(scope)) == 1
    assert "+3" in as_(scorer).get(evening).text


# Payments


def test_a_part_is_paid_and_the_rest_stays(as_, scorer, scope, path, pay_path, form):
    response = as_(scorer).post(pay_path, form)

    assert response.headers["Location"] == f"{path}?done={form['id']}#plan"
    assert amounts(scope) == {"Ania": 40, "Bartek": -40, "Celina": 60, "Darek": -60}
    entry = Entry.objects.get(kind="payment")
    assert (entry.method, entry.note) == ("transfer", "the rest on Friday")


def test_somebody_else_pays_and_is_owed_it(as_, scorer, scope, pay_path, people, form):
    form |= {"amount": "0.60", "paid_by": str(people[4].pk)}

    as_(scorer).post(pay_path, form)

    assert amounts(scope) == {
        "Ania": 0,
        "Bartek": -60,
        "Celina": 60,
        "Darek": -60,
        "Ewa": 60,
    }


def test_the_form_comes_filled_in_from_the_plan(as_, scorer, people, pay_path):
    query = {"payer": people[1].pk, "payee": people[0].pk, "minor": 60}

    page = as_(scorer).get(pay_path, query).text

    assert 'value="0.60"' in page
    assert page.count("selected") == 3
    assert 'type="number"' not in page


TYPED = [
    ("12,5", 1250),
    ("12.5", 1250),
    ("1 234,5", 123450),
    ("1.234,5", 123450),
    ("１２，５", 1250),
    ("１２", 1200),
]


@pytest.mark.parametrize("language", ["en", "pl", "hu", "de"])
@pytest.mark.parametrize(("typed", "minor"), TYPED)
def test_amounts_are_read_as_people_write_them(
    as_, scorer, pay_path, form, language, typed, minor
):
    client = as_(scorer)
    client.cookies["django_language"] = language

    client.post(pay_path, form | {"amount": typed})

    assert Posting.objects.get(entry__kind="payment", money__gt=0).money == minor


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"amount": "1,234"}, "could be 1234 or 1.234"),
        ({"amount": "-5"}, "without a sign"),
        ({"amount": "0"}, "above 0"),
        ({"amount": ""}, "This field is required."),
        ({"amount": "five"}, "Enter an amount in figures"),
        ({"amount": "0,005"}, "PLN has 2 decimals"),
        ({"amount": "9" * 39}, "too much"),
        ({"amount": "9" * 41}, "at most 40 characters"),
        ({"payer": "x"}, "x is not one of the available choices"),
        ({"note": "x" * 201}, "at most 200 characters"),
        ({"how": "magic"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_read_is_refused_and_kept(
    as_, scorer, pay_path, form, wrong, says
):
    response = as_(scorer).post(pay_path, form | wrong)

    assert response.status_code == 422
    assert says in response.text
    assert not Entry.objects.filter(kind="payment").exists()
    typed = (form | wrong)["amount"]
    assert not typed or f'value="{typed}"' in response.text


def test_nobody_pays_himself(as_, scorer, pay_path, form):
    response = as_(scorer).post(pay_path, form | {"payee": form["payer"]})

    assert response.status_code == 422
    assert "Nobody can pay themselves" in response.text


def test_money_is_handed_over_after_closing_too(
    as_, owner, played, scope, path, pay_path, tap
):
    client = as_(owner)
    client.post(reverse("close", args=[played.pk]), {"id": uuid4()})

    client.post(pay_path, tap)

    assert len(plan(scope)) == 1
    assert 'aria-pressed="true"' in client.get(path).text


# Settling


def settle(client, path, query, id=None):
    """Confirm what the page lists."""
    page = client.get(f"{path}?{query}&sure=yes").text
    rows = re.findall(r'name="row" value="([^"]+)"', page)
    sent = {"id": id or str(uuid4()), "row": rows}
    return page, client.post(f"{path}?{query}&sure=yes", sent)


@pytest.mark.parametrize("method", ["fewest", "hands", "pot", "treasurer"])
def test_an_evening_is_settled_to_nothing(
    as_, scorer, club, people, played, scope, settle_path, method
):
    club.treasurer = people[5]
    club.save()
    query = f"evening={played.pk}&method={method}"

    page, _answer = settle(as_(scorer), settle_path, query)

    assert set(amounts(scope).values()) == {0}
    assert page.count('class="give"') == Entry.objects.filter(kind="payment").count()


def test_a_settlement_lists_its_payments_and_is_undone_at_once(
    as_, scorer, club, played, scope, settle_path
):
    before = plan(scope)
    client = as_(scorer)
    page, answer = settle(client, settle_path, f"evening={played.pk}")
    after = client.get(answer.headers["Location"]).text
    action = re.search(r'class="tool" name="action" value="([^"]+)"', after)[1]

    client.post(reverse("take_back", args=[club.pk]), {"id": uuid4(), "action": action})

    assert "2 payments will be recorded as paid" in page
    assert plan(scope) == before


def test_a_second_press_of_settle_does_nothing(as_, scorer, settle_path, played):
    client = as_(scorer)
    settle(client, settle_path, f"evening={played.pk}")

    page, _answer = settle(client, settle_path, f"evening={played.pk}")

    assert "there is nothing to settle" in page
    assert Entry.objects.filter(kind="payment").count() == 2
    assert not Posting.objects.filter(entry__kind="payment", money=0).exists()


def test_what_was_not_on_the_page_is_not_settled(
    as_, scorer, played, table, record, settle_path
):
    client = as_(scorer)
    page = client.get(f"{settle_path}?evening={played.pk}&sure=yes").text
    rows = re.findall(r'name="row" value="([^"]+)"', page)
    record(table)

    answer = client.post(
        f"{settle_path}?evening={played.pk}&sure=yes", {"id": uuid4(), "row": rows}
    )

    assert answer.status_code == 409
    assert "changed in the meantime" in answer.text
    assert not Entry.objects.filter(kind="payment").exists()


def test_who_leaves_is_settled_alone(as_, scorer, people, played, scope, settle_path):
    query = f"evening={played.pk}&player={people[0].pk}"

    page, _answer = settle(as_(scorer), settle_path, query)

    assert "Ania settles up" in page
    assert "What the others then owe" in page
    assert amounts(scope)["Ania"] == 0
    assert sorted(amounts(scope).values()) == [-60, 0, 0, 60]


@pytest.mark.parametrize(
    "query", ["", "until=2026-11-20&currency=PLN", "season={season}&currency=PLN"]
)
def test_more_than_an_evening_is_settled(
    as_, scorer, club, lay, record, played, settle_path, query
):
    other = lay()
    record(other)
    query = query.format(season=played.season_id)

    settle(as_(scorer), settle_path, query)

    everything = SettlementScope.everything(club, "PLN")
    assert set(amounts(everything).values()) == {0}
    assert set(amounts(SettlementScope.of_evening(other.evening)).values()) == {0}
    assert Entry.objects.filter(kind="payment").count() == 2


def test_up_to_a_day_leaves_what_came_later(
    as_, scorer, played, lay, record, settle_path
):
    later = lay().evening
    record(later.tables.get())
    Evening.objects.filter(pk=later.pk).update(date="2026-12-01")

    settle(as_(scorer), settle_path, "until=2026-11-30&currency=PLN")

    assert set(amounts(SettlementScope.of_evening(played)).values()) == {0}
    assert set(amounts(SettlementScope.of_evening(later)).values()) == {-60, 60}


def test_what_is_open_is_carried_over(as_, scorer, lay, played, scope, settle_path):
    later = lay().evening
    Evening.objects.filter(pk=later.pk).update(date="2026-11-27")

    page, _answer = settle(
        as_(scorer), settle_path, f"evening={played.pk}&method=carry"
    )

    assert "Carried over to Friday, 27 November 2026" in page
    assert set(amounts(scope).values()) == {0}
    assert set(amounts(SettlementScope.of_evening(later)).values()) == {-60, 60}


MANY = (
    *(-101, -103, -107, -109, -113, -127, -131, -137, -139, -148),
    *(100, 105, 108, 111, 112, 126, 132, 136, 140, 145),
)


def test_the_page_says_the_bound_where_the_plan_is_not_known_to_be_shortest(
    as_, scorer, club, owner, settle_path
):
    many = [Player.objects.create(club=club, name=f"P{n:02}") for n in range(20)]
    everything = SettlementScope.everything(club, "PLN")
    for debt in transfers(dict(enumerate(MANY))):
        lender, borrower = many[debt.payee], many[debt.payer]
        journal.pay(everything, lender, borrower, debt.amount, id=uuid4(), by=owner)

    page = as_(scorer).get(f"{settle_path}?currency=PLN").text

    plan = settlement.plan(everything)
    assert not plan.exact
    assert f"{len(plan.rows)} payments; at least {plan.least} are needed." in page
    assert "The sum is PLN\xa00.00." in page


def test_a_club_without_anything_has_nothing_to_settle(as_, scorer, settle_path):
    page = as_(scorer).get(settle_path)

    assert page.status_code == 200
    assert "Nobody owes anybody anything." in page.text


def test_the_settle_page_asks_the_same_number_of_times(
    as_, owner, table, record, played, settle_path, django_assert_num_queries
):
    client = as_(owner)
    with django_assert_num_queries(9):
        client.get(settle_path)
    for _again in range(4):
        record(table)

    with django_assert_num_queries(9):
        client.get(settle_path)


# Statements


def test_the_lines_of_a_statement_add_up(
    as_, member, club, people, played, pay_path, scorer, form
):
    as_(scorer).post(pay_path, form)
    path = reverse("statement", args=[club.pk, people[0].pk])

    page = as_(member).get(f"{path}?evening={played.pk}")
    rows = read(as_(member).get(f"{path}?evening={played.pk}&csv=yes"))

    assert "Ania is owed" in page.text
    assert "+PLN\xa00.40" in page.text
    assert "Received from Bartek (bank transfer)" in page.text
    figures = [row[-1] for row in rows[1:] if row[-1]]
    assert figures[-1] == "0.40"
    assert sum(map(float, figures[:-1])) == pytest.approx(0.40)
    assert rows[0][-1] == "PLN"


def test_a_statement_leads_down_to_the_line_and_its_rule(
    as_, member, club, people, played, record, table
):
    path = reverse("statement", args=[club.pk, people[0].pk])

    wide = as_(member).get(path).text
    deep = as_(member).get(f"{path}?evening={played.pk}").text

    assert f'href="?evening={played.pk}"' in wide
    assert deep.count("<details") == 3
    assert 'class="why"' in deep
    assert f"/hands/{table.hands.get().pk}/" in deep


def test_between_two_it_says_what_goes_through_others(
    as_, member, club, people, played
):
    bartek = f"{reverse('statement', args=[club.pk, people[1].pk])}"
    bartek += f"?evening={played.pk}"

    with_celina = as_(member).get(f"{bartek}&with={people[2].pk}").text
    with_ania = as_(member).get(f"{bartek}&with={people[0].pk}").text

    assert "Bartek owes Celina" in with_celina
    assert "neither pays the other: it goes through others" in with_celina
    assert "Bartek pays Ania PLN\xa00.60. Their own hands come to" in with_ania


def test_a_statement_of_somebody_unknown_is_not_found(as_, member, club, played):
    path = reverse("statement", args=[club.pk, 999])

    assert as_(member).get(path).status_code == 404


def test_a_file_is_written_as_its_reader_reads_it(as_, member, club, people, played):
    path = reverse("statement", args=[club.pk, people[0].pk])
    client = as_(member)
    client.cookies["django_language"] = "pl"

    rows = read(client.get(f"{path}?evening={played.pk}&csv=yes"), ";")

    assert [row[-1] for row in rows if row[-1]][-1] == "0,60"


def test_a_statement_asks_the_same_number_of_times(
    as_, owner, club, people, table, record, played, django_assert_num_queries
):
    client = as_(owner)
    path = reverse("statement", args=[club.pk, people[0].pk])
    query = f"{path}?evening={played.pk}"
    with django_assert_num_queries(14):
        client.get(query)
    for _again in range(4):
        record(table)

    with django_assert_num_queries(14):
        client.get(query)


@pytest.mark.parametrize("between", [False, True])
def test_a_wide_statement_asks_as_often_with_any_number_of_evenings_and_payments(
    as_, owner, club, people, lay, record, played, django_assert_num_queries, between
):
    client = as_(owner)
    everything = SettlementScope.everything(club, "PLN")
    path = reverse("statement", args=[club.pk, people[0].pk])
    query = f"{path}?currency=PLN" + (f"&with={people[3].pk}" if between else "")
    journal.pay(everything, people[3], people[0], 1, id=uuid4(), by=owner)
    with CaptureQueriesContext(connection) as few:
        client.get(query)
    for _again in range(3):
        table = lay()
        record(table)
        record(table)
        journal.pay(everything, people[3], people[0], 1, id=uuid4(), by=owner)

    with django_assert_num_queries(len(few)):
        client.get(query)


def test_a_wide_statement_tells_the_latest_payments_and_leads_to_all(
    as_, owner, club, people, played, monkeypatch
):
    monkeypatch.setattr(settlement, "SHOWN_AT_FIRST", 2)
    everything = SettlementScope.everything(club, "PLN")
    path = reverse("statement", args=[club.pk, people[0].pk])
    for amount in (1, 2, 3, 4):
        journal.pay(everything, people[1], people[0], amount, id=uuid4(), by=owner)

    page = as_(owner).get(f"{path}?currency=PLN").text
    more = re.search(r'href="(\?[^"]*all=yes)"', page)[1].replace("&amp;", "&")
    full = as_(owner).get(f"{path}{more}").text

    assert page.count("Received from Bartek") == 2
    assert "−PLN\xa00.03" in page
    assert full.count("Received from Bartek") == 4
    assert not re.search(r'href="[^"]*all=yes"', full)


def test_the_history_names_payments(as_, scorer, member, played, pay_path, form):
    as_(scorer).post(pay_path, form)

    page = as_(member).get(reverse("history", args=[played.pk])).text

    assert "Bartek paid Ania PLN\xa00.20" in page


def test_the_history_asks_as_often_with_any_number_of_payments(
    as_, owner, people, scope, played, django_assert_num_queries
):
    path = reverse("history", args=[played.pk])
    client = as_(owner)
    journal.pay(scope, people[1], people[0], 1, id=uuid4(), by=owner)
    with CaptureQueriesContext(connection) as few:
        client.get(path)
    for _again in range(3):
        journal.pay(scope, people[1], people[0], 1, id=uuid4(), by=owner)

    with django_assert_num_queries(len(few)):
        client.get(path)


def test_a_closed_evening_says_that_payments_are_still_written(
    as_, owner, played, path
):
    client = as_(owner)
    client.post(reverse("close", args=[played.pk]), {"id": uuid4()})

    page = client.get(path).text

    assert "hands can no longer be recorded or changed; payments still can." in page


def test_the_pages_lead_from_a_balance_to_its_statement(
    as_, member, club, people, path, settle_path
):
    statement = reverse("statement", args=[club.pk, people[0].pk])

    for page in (path, settle_path, reverse("club", args=[club.pk])):
        assert f'href="{statement}?' in as_(member).get(page).text


def read(response, delimiter=","):
    text = b"".join(response.streaming_content).decode()
    return list(csv.reader(io.StringIO(text[1:]), delimiter=delimiter))


# The pot


@pytest.fixture
def pot_path(club, played):
    return f"{reverse('pot', args=[club.pk])}?evening={played.pk}"


@pytest.mark.parametrize(
    ("kind", "amount", "who", "gains"),
    [
        ("each", "0,50", [0, 1, 2, 3], [-50, -50, -50, -50, 200]),
        ("together", "1,01", [0, 1, 2, 3], [-26, -25, -25, -25, 101]),
        ("fine", "2", [1], [0, -200, 0, 0, 200]),
        ("prize", "3", [2], [0, 0, 300, 0, -300]),
    ],
)
def test_table_money_fines_and_prizes_are_the_pots(
    as_, scorer, club, people, scope, pot_path, kind, amount, who, gains
):
    before = amounts(scope)
    form = {
        "id": str(uuid4()),
        "amount": amount,
        "who": [people[place].pk for place in who],
        "reason": "Because",
    }

    for _again in range(2):
        as_(scorer).post(f"{pot_path}&kind={kind}", form)

    after = amounts(scope)
    pot = club.players.get(kind="pot")
    moved = [after[name] - before.get(name, 0) for name in after]
    assert moved == gains
    assert list(after)[-1] == pot.name
    assert sum(after.values()) == 0
    page = as_(scorer).get(pot_path).text
    assert "Because" in page
    assert reverse("statement", args=[club.pk, pot.pk]) in page


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"amount": "1,234"}, "could be"),
        ({"amount": "-1"}, "without a sign"),
        ({"who": []}, "This field is required."),
        ({"reason": " "}, "This field is required."),
    ],
)
def test_a_fee_that_cannot_be_is_refused_and_kept(
    as_, scorer, people, pot_path, wrong, says
):
    form = {"id": uuid4(), "amount": "5", "who": [people[0].pk], "reason": "Late"}

    response = as_(scorer).post(f"{pot_path}&kind=fine", form | wrong)

    assert response.status_code == 422
    assert says in response.text
    assert not Entry.objects.filter(kind="fee").exists()


def test_a_closed_evening_takes_no_fee(as_, owner, people, played, pot_path):
    client = as_(owner)
    client.post(reverse("close", args=[played.pk]), {"id": uuid4()})
    form = {"id": uuid4(), "amount": "5", "who": [people[0].pk], "reason": "Late"}

    assert client.post(f"{pot_path}&kind=fine", form).status_code == 409


def test_the_pot_is_in_no_picker(as_, owner, club, people, pot_path):
    form = {"id": uuid4(), "amount": "5", "who": [people[0].pk], "reason": "Late"}
    client = as_(owner)
    client.post(f"{pot_path}&kind=fine", form)
    pot = club.players.get(kind="pot")

    for name in ("players", "evening_new"):
        page = client.get(reverse(name, args=[club.pk])).text
        assert f'value="{pot.pk}"' not in page


# Links


def made(client, path):
    page = client.post(path, {"days": "14", "method": "fewest"}).text
    return re.search(r"http://testserver(/s/[^/]+/)", page)[1]


def test_a_link_shows_the_plan_without_signing_in(as_, scorer, client, address, club):
    link = made(as_(scorer), address("share"))
    client.logout()

    page = client.get(link)

    assert page.status_code == 200
    assert "PLN\xa00.60" in page.text
    assert club.name not in page.text
    assert not re.search(r'href="/(clubs|evenings|hands|tables)', page.text)
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "noindex" in page.headers["X-Robots-Tag"]
    assert "no-store" in page.headers["Cache-Control"]


def test_a_link_is_kept_as_a_digest_and_shown_once(as_, scorer, address):
    client = as_(scorer)
    link = made(client, address("share"))

    assert link not in client.get(address("share")).text
    assert link.split("/")[2] not in ShareLink.objects.get().digest


def test_a_revoked_link_is_dead(as_, scorer, client, address):
    link = made(as_(scorer), address("share"))

    revoked = client.post(address("share"), {"revoke": ShareLink.objects.get().pk})

    assert "revoked" in revoked.text
    assert client.get(link).status_code == 404


def test_a_link_expires(as_, scorer, client, address):
    link = made(as_(scorer), address("share"))
    ShareLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert client.get(link).status_code == 404
    assert "expired" in client.get(address("share")).text


def test_an_invented_link_is_not_found(client, db):
    assert client.get(reverse("shared", args=["x" * 43])).status_code == 404


def test_the_link_of_another_evening_is_not_revoked(as_, scorer, lay, address, owner):
    other, _secret = ShareLink.make(lay().evening, by=owner)

    response = as_(scorer).post(address("share"), {"revoke": other.pk})

    assert response.status_code == 404
    other.refresh_from_db()
    assert other.revoked_at is None


def test_what_was_paid_is_told_page_by_page(
    as_, owner, club, people, settle_path, monkeypatch
):
    """Three payments, two a page; the plan's ticks stand on the first alone."""
    monkeypatch.setattr(payment_list, "PAGE_LENGTH", 2)
    scope = SettlementScope.everything(club, "PLN")
    for amount in (101, 102, 103):
        by = {"id": uuid4(), "by": owner}
        journal.pay(scope, people[0], people[1], amount, **by)
    client = as_(owner)

    latest = client.get(f"{settle_path}?currency=PLN")
    earlier = client.get(f"{settle_path}?currency=PLN&page=2")

    def told(answer):
        done = answer.context["money_actions"]
        return [payment.amount for one in done for payment in one.payments]

    assert told(latest) == [103, 102]
    assert "page=2#paid" in latest.content.decode()
    assert told(earlier) == [101]
    assert "page=3" not in earlier.content.decode()
    assert client.get(f"{settle_path}?page=x").status_code == 200


def test_every_link_is_listed_and_all_are_revoked_at_once(
    as_, scorer, client, address, played, lay, owner
):
    for _ in range(65):
        ShareLink.make(played, by=owner)
    other, _secret = ShareLink.make(lay().evening, by=owner)
    client = as_(scorer)
    pages = [client.get(f"{address('share')}?page={n}").text for n in (1, 2, 3)]
    listed = [re.findall(r'name="revoke" value="(\d+)"', page) for page in pages]

    told = client.post(address("share"), {"revoke_all": "yes"}).text

    links = ShareLink.objects.filter(evening=played)
    assert {int(pk) for page in listed for pk in page} == {
        *links.values_list("pk", flat=True)
    }
    assert "Revoke all 65 links" in pages[0]
    assert 'href="?page=2"' in pages[0]
    assert not links.usable().exists()
    assert "Revoke" not in told
    other.refresh_from_db()
    assert other.revoked_at is None
