"""The slip: from taps to a hand record, with whatever is wrong beside its field."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

import scoring
from ledger.models import Hand, Player, Version
from ledger.security import sign_in_links
from ledger.views.table.slip.form import SlipForm, slip_data
from tests.scoring.worked import hands, stories

SEATS = [Player(pk=number, name=name) for number, name in enumerate("ABCD", start=1)]
IDS = {player.name: player.pk for player in SEATS}


def query(taps):
    data = QueryDict(mutable=True)
    for name, values in taps.items():
        data.setlist(name, values if isinstance(values, list) else [values])
    return data


def filled(tariff, taps):
    form = SlipForm(tariff, SEATS, query(taps))
    form.is_valid()
    return form


@pytest.mark.parametrize(
    "worked",
    stories([hand for variant in scoring.VARIANTS for hand in hands(variant)]),
)
def test_a_worked_hand_comes_back_from_the_slip_as_it_was(worked):
    tariff = scoring.tariff(worked["variant"], worked.get("rules"))
    told = scoring.parse(tariff, "ABCD", worked["slip"])
    record = told.record([player.pk for player in SEATS])

    form = SlipForm(tariff, SEATS, slip_data(tariff, record))

    assert form.is_valid(), form.errors
    derived = {"multiplier": told.multiplier}
    again, problems = scoring.examine(
        tariff, list(IDS.values()), form.record() | derived
    )
    assert [p for p in problems if p.is_error] == []
    assert scoring.score(tariff, again).payments == tuple(worked["gains"])
    assert in_any_order(again.record(list(IDS.values()))) == in_any_order(record)


def in_any_order(record):
    return record | {"bonuses": sorted(record.get("bonuses", ()), key=str)}


@pytest.fixture
def paskievics():
    return scoring.tariff("paskievics")


WON = {"contract": "two", "declarer": "1", "partner": "3"}


@pytest.mark.parametrize(
    ("band", "bonuses", "won"),
    [
        ("0", [{"bonus": "high_game", "side": "defenders", "made": True}], False),
        ("1", [], False),
        ("2", [], True),
        ("3", [{"bonus": "high_game", "side": "declarer", "made": True}], True),
    ],
)
def test_a_band_tells_who_won_and_what_it_makes(paskievics, band, bonuses, won):
    record = filled(paskievics, WON | {"won": band}).record()

    assert record["won"] is won
    assert record["bonuses"] == bonuses


def test_an_announced_high_game_is_not_written_twice(paskievics):
    form = filled(paskievics, WON | {"won": "3", "high_game-made": "1"})

    assert [line["bonus"] for line in form.record()["bonuses"]] == ["high_game"]


def test_a_band_contradicts_an_announcement(paskievics):
    form = filled(paskievics, WON | {"won": "2", "high_game-made": "1"})
    hand, _none = scoring.examine(paskievics, list(IDS.values()), form.record())

    assert [p.about for p in form.contradicts_band(hand)] == ["high_game"]


def test_a_slam_fits_the_highest_band(paskievics):
    form = filled(paskievics, WON | {"won": "3", "slam-silent": "declarer"})
    hand, _none = scoring.examine(paskievics, list(IDS.values()), form.record())

    assert list(form.contradicts_band(hand)) == []


def test_counted_points_go_before_the_band(paskievics):
    record = filled(paskievics, WON | {"won": "0", "card_points": "52"}).record()

    assert record["card_points"] == 52
    assert "won" not in record


@pytest.mark.parametrize("alone", ["alone", "1"])
def test_the_declarers_own_name_means_alone(paskievics, alone):
    record = filled(paskievics, WON | {"partner": alone, "won": "2"}).record()

    assert "partner" not in record


def test_what_is_missing_is_named_in_the_slips_order(paskievics):
    assert filled(paskievics, {}).missing == ["contract", "declarer", "partner", "won"]
    assert filled(paskievics, WON | {"card_points": "0"}).missing == []
    assert filled(paskievics, {"ending": "passed"}).missing == []


def test_a_pile_is_counted_in_threes_for_both_sides():
    tariff = scoring.tariff("taroki")
    pile = {"pile": "on", "pile-fives": ["XXI", "I"], "pile-kings": "2"}
    pile |= {"pile-queens": "2", "pile-knights": "1", "pile-jacks": "2"}

    form = filled(tariff, WON | {"contract": "3", "pile-tricks": "6"} | pile)

    assert (form.pile.points, form.pile.others) == (35, 36)
    assert form.record()["card_points"] == 35


def test_a_pile_holds_no_more_pictures_than_cards():
    tariff = scoring.tariff("taroki")
    pile = {"pile": "on", "pile-kings": "4", "pile-tricks": "0"}

    form = filled(tariff, WON | {"contract": "4"} | pile)

    assert "pile-tricks" in form.pile.errors
    assert "card_points" not in form.record()


def test_nonsense_is_refused_and_never_an_error(paskievics):
    nonsense = {
        "contract": "ninety",
        "declarer": "x",
        "partner": "99999999999",
        "won": "9",
        "card_points": "many",
        "contra": "7",
        "honours-made": ["", "2", "2"],
        "honours-contra-2": "²",
        "held-1": "8",
        "ending": "burnt",
        "pile": "on",
        "pile-tricks": "-3",
    }

    form = filled(paskievics, nonsense)

    assert {"contract", "declarer", "partner", "won", "card_points"} <= set(form.errors)
    scoring.examine(paskievics, list(IDS.values()), form.record())


# the page


@pytest.fixture
def path(table):
    return reverse("slip", args=[table.pk])


@pytest.fixture
def preview_path(table):
    return reverse("slip_preview", args=[table.pk])


@pytest.fixture
def slip(people):
    """A won contract 3 of the first two, as the phone posts it."""
    return {
        "id": str(uuid4()),
        "number": "1",
        "ending": "played",
        "contract": "3",
        "declarer": str(people[0].pk),
        "partner": str(people[1].pk),
        "won": "1",
        "contra": "0",
    }


def test_a_saved_slip_leads_back_to_the_table(as_, scorer, table, path, slip):
    answer = as_(scorer).post(path, slip)

    hand = Hand.objects.get()
    assert str(hand.pk) == slip["id"]
    assert answer.url == f"{reverse('table', args=[table.pk])}?saved={hand.pk}"


def test_the_same_slip_sent_again_is_one_hand(as_, scorer, path, slip):
    answers = {as_(scorer).post(path, slip).url for _again in range(5)}

    assert len(answers) == 1
    assert Version.objects.count() == 1


@pytest.mark.parametrize("name", ["path", "preview_path"])
def test_a_slip_is_for_owners_and_scorers(name, request, as_, member, stranger, slip):
    path = request.getfixturevalue(name)

    assert as_(member).post(path, slip).status_code == 403
    assert as_(stranger).post(path, slip).status_code == 404


def test_a_slip_needs_somebody_signed_in(client, path):
    assert client.get(path).url.startswith("/sign-in/")


def test_a_preview_is_posted(as_, scorer, preview_path):
    assert as_(scorer).get(preview_path).status_code == 405


def test_a_preview_says_what_everybody_pays(as_, scorer, preview_path, slip):
    answer = as_(scorer).post(preview_path, slip, headers={"HX-Request": "true"})

    page = answer.content.decode()
    assert not page.lstrip().startswith("<!doctype")
    assert page.count("<b>+3</b>") == page.count("<b>−3</b>") == 2
    assert "Save hand 1" in page
    assert not Hand.objects.exists()


def test_without_a_script_the_preview_is_a_page(as_, scorer, path, slip):
    answer = as_(scorer).post(path, slip | {"preview": "on"})

    assert answer.status_code == 200
    assert answer.content.startswith(b"<!doctype")
    assert b"Save hand 1" in answer.content


def test_an_incomplete_slip_says_what_to_do_beside_each_field(as_, scorer, path):
    answer = as_(scorer).post(path, {"contract": "2"})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="2" checked' in page
    for step in ("Choose the declarer", "Choose the partner", "Say who won"):
        assert step in page


def test_a_contradiction_keeps_everything_typed(as_, scorer, path, slip, people):
    wrong = slip | {"trul-silent": "defenders", "pagat_ultimo-made": slip["declarer"]}

    answer = as_(scorer).post(path, wrong)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Trul and Pagat Ultimo: one card cannot be in both piles." in page
    assert 'name="trul-silent" value="defenders" checked' in page
    assert f'name="pagat_ultimo-made" value="{people[0].pk}" checked' in page


def test_an_impossible_chip_is_grey_and_says_why(as_, scorer, preview_path, slip):
    page = as_(scorer).post(preview_path, slip).content.decode()

    defender = page[page.index('name="king_ultimo-made"') :].split("</label>")
    assert sum("disabled" in chip for chip in defender[:4]) == 2
    assert "Only the declarer’s side can announce King Ultimo." in page


def test_a_warning_is_saved_by_a_second_press(as_, scorer, path, slip):
    unlikely = slip | {"king_ultimo-made": slip["declarer"]}

    first = as_(scorer).post(path, unlikely)
    second = as_(scorer).post(path, unlikely | {"override": "on"})

    assert first.status_code == 422
    assert b"Save hand 1 anyway" in first.content
    assert second.status_code == 302


def test_a_hand_of_another_phone_is_shown_beside_mine(as_, scorer, path, slip, people):
    as_(scorer).post(path, slip)
    mine = slip | {"id": str(uuid4()), "contract": "2"}

    answer = as_(scorer).post(path, mine)

    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Hand 1 is already recorded" in page
    assert f"{people[0].name} + {people[1].name}" in page
    assert 'name="contract" value="2" checked' in page
    assert Hand.objects.count() == 1
    assert as_(scorer).post(path, mine | {"number": "2"}).status_code == 302
    assert Hand.objects.count() == 2


def test_another_dealer_may_be_chosen(as_, scorer, lay, people):
    table = lay(5)
    path = reverse("slip", args=[table.pk])
    slip = {"dealer": str(people[2].pk), "ending": "passed", "number": "1"}

    as_(scorer).post(path, slip | {"id": str(uuid4())})

    version = Version.objects.get()
    assert version.dealer == people[2]
    assert version.resting == [people[2].pk]


def test_others_may_sit_out(as_, scorer, lay, people):
    table = lay(5)
    slip = {"rest-by-hand": "on", "resting": [str(people[0].pk)], "ending": "passed"}

    as_(scorer).post(reverse("slip", args=[table.pk]), slip | {"id": str(uuid4())})

    assert Version.objects.get().resting == [people[0].pk]


def test_too_few_to_play_is_said_beside_the_choice(as_, scorer, lay, people):
    table = lay(5)
    slip = {"rest-by-hand": "on", "resting": [], "ending": "passed"}

    answer = as_(scorer).post(reverse("slip", args=[table.pk]), slip)

    assert answer.status_code == 422
    assert "4 play: choose" in answer.content.decode()


@pytest.mark.parametrize("before", [0, 12])
def test_saving_takes_as_many_queries_whatever_came_before(
    as_, scorer, path, slip, table, record, before, django_assert_num_queries
):
    for _hand in range(before):
        record(table)
    client = as_(scorer)

    with django_assert_num_queries(connection.features.has_select_for_update + 17):
        client.post(path, slip | {"number": str(before + 1)})


def test_a_resent_slip_may_not_say_something_else(as_, scorer, path, slip):
    as_(scorer).post(path, slip)

    answer = as_(scorer).post(path, slip | {"contract": "2"})

    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Hand 1 has already been saved" in page
    assert f'formaction="{reverse("correct", args=[slip["id"]])}"' in page
    assert "Another: save as hand" not in page
    assert Version.objects.get().record["contract"] == "3"


def test_a_slip_of_five_resent_is_answered_again(as_, scorer, lay, people):
    table = lay(5)
    path = reverse("slip", args=[table.pk])
    slip = {"id": str(uuid4()), "number": "1", "contract": "1", "won": "0"}
    slip |= {"declarer": str(people[1].pk), "partner": str(people[0].pk)}

    first = as_(scorer).post(path, slip)
    again = as_(scorer).post(path, slip)

    assert first.url == again.url
    assert Version.objects.count() == 1


def test_somebody_new_sits_down_without_leaving_the_slip(as_, scorer, path, people):
    out, stays = people[0], people[1]
    slip = {"id": str(uuid4()), "number": "1", "contract": "3", "won": "1"}
    slip |= {"declarer": str(out.pk), "partner": str(stays.pk)}
    slip |= {"trul-made": str(out.pk), f"trul-contra-{out.pk}": "1"}
    asked = {"sit": "on", "newcomer": "Żaneta", "leaves": str(out.pk)}

    page = as_(scorer).post(path, slip | asked).content.decode()

    comes = Player.objects.get(name="Żaneta")
    assert f'name="declarer" value="{comes.pk}" checked' in page
    assert f'name="trul-made" value="{comes.pk}" checked' in page
    assert f'name="trul-contra-{comes.pk}" value="1" checked' in page
    assert out.name not in page[page.index('class="page"') :]
    assert as_(scorer).post(path, slip | asked).content.count(b"Somebody else") == 1
    assert Player.objects.filter(name=comes.name).count() == 1


def test_saving_lets_a_newcomer_sit_down_first(as_, scorer, path, people, slip):
    out = people[0]
    slip |= {"declarer": str(out.pk), "partner": str(people[2].pk)}
    asked = {"newcomer": "Żaneta", "leaves": str(out.pk)}
    client = as_(scorer)

    shown = client.post(path, slip | asked)
    recorded = Version.objects.count()
    comes = Player.objects.get(name="Żaneta")
    client.post(path, slip | {"declarer": str(comes.pk)})

    assert (shown.status_code, recorded) == (200, 0)
    assert f'name="declarer" value="{comes.pk}" checked' in shown.text
    assert Version.objects.get().record["declarer"] == comes.pk


def test_the_button_says_that_somebody_sits_down(as_, scorer, preview_path, slip):
    page = as_(scorer).post(preview_path, slip | {"newcomer": "Żaneta"})

    plate = page.text.split('class="plate"')[1]
    assert 'aria-disabled="false"' in plate
    assert "Seat Żaneta" in plate


def test_a_newcomer_needs_a_name_and_a_place(as_, scorer, path):
    answer = as_(scorer).post(path, {"sit": "on", "newcomer": " ", "leaves": "²"})

    assert answer.status_code == 422
    assert (
        "Enter who is joining, and choose whose place they take."
        in answer.content.decode()
    )


def test_the_same_hand_at_once_again_is_asked_about(as_, scorer, path, slip):
    """Report 3: whole series of entries appeared twice."""
    as_(scorer).post(path, slip)
    again = slip | {"id": str(uuid4()), "number": "2"}

    asked = as_(scorer).post(path, again)
    meant = as_(scorer).post(path, again | {"override": "on"})

    assert asked.status_code == 422
    assert "Hand 1 has just been saved with the same facts." in asked.content.decode()
    assert meant.status_code == 302
    assert Hand.objects.count() == 2


# what a script asks for


def test_a_part_answers_the_change_that_it_was_asked_about(
    as_, scorer, preview_path, slip
):
    asked = {"HX-Request": "true", "Kontra-Change": "12"}

    part = as_(scorer).post(preview_path, slip, headers=asked)
    page = as_(scorer).post(preview_path, slip)

    assert part.headers["Kontra-Answers"] == "12"
    assert "Kontra-Answers" not in page.headers


@pytest.mark.parametrize("said", ["", "x", "1\u00b2", "-1"])
def test_a_part_answers_no_change_without_a_number(
    as_, scorer, preview_path, slip, said
):
    asked = {"HX-Request": "true", "Kontra-Change": said}

    part = as_(scorer).post(preview_path, slip, headers=asked)

    assert part.status_code == 200
    assert "Kontra-Answers" not in part.headers


def test_a_slip_that_was_saved_is_told_so_and_can_be_corrected(
    as_, scorer, path, preview_path, slip
):
    as_(scorer).post(path, slip)
    changed = slip | {"won": "0"}
    correct = reverse("correct", args=[slip["id"]])

    told = as_(scorer).post(preview_path, changed, headers={"HX-Request": "true"})
    taken_along = as_(scorer).post(correct, changed | {"preview": "on"})

    assert told.headers["Kontra-Saved"] == "yes"
    assert "Hand 1 has already been saved" in told.content.decode()
    page = taken_along.content.decode()
    assert 'name="won" value="0" checked' in page
    assert f'name="id" value="{slip["id"]}"' not in page


def test_a_slip_carries_no_dealer_whom_nobody_chose(
    as_, scorer, lay, preview_path, slip, people
):
    """The hand is recorded on another phone; mine is saved as the one after it."""
    table = lay(5)
    path = reverse("slip", args=[table.pk])
    as_(scorer).post(path, slip | {"declarer": str(people[1].pk)})
    page = as_(scorer).get(path).content.decode()
    blank = re.findall(r'name="dealer" value="(\d*)" checked', page)
    mine = {"id": str(uuid4()), "number": "1", "ending": "passed"}

    as_(scorer).post(path, mine | {"number": "2", "dealer": blank})

    assert blank == [""]
    assert Version.objects.latest("recorded_at").dealer == people[0]


def test_what_is_said_of_who_does_not_play_is_left_out_and_told(
    as_, scorer, lay, people
):
    table = lay(5)
    path = reverse("slip", args=[table.pk])
    dealer, other = people[4], people[1]
    slip = {"id": str(uuid4()), "number": "1", "contract": "3", "won": "1"}
    slip |= {"declarer": str(dealer.pk), "partner": str(other.pk)}
    slip |= {f"held-{dealer.pk}": "10", "trul-made": str(dealer.pk)}

    told = as_(scorer).post(path, slip | {"preview": "on"}).content.decode()
    refused = as_(scorer).post(path, slip)

    sentence = f"{dealer.name} is not playing this hand"
    assert told.count(sentence) == 1
    assert f'name="partner" value="{other.pk}" checked' in told
    assert refused.status_code == 422
    assert refused.content.decode().count(sentence) == 1
    assert not Hand.objects.exists()


def test_a_surrender_without_a_declarer_says_what_is_missing(as_, scorer, path):
    slip = {"id": str(uuid4()), "number": "1", "ending": "surrendered"}

    page = as_(scorer).post(path, slip | {"preview": "on"}).content.decode()

    assert "Choose the contract" in page
    assert "Something does not fit" not in page
    assert 'name="contract" value="4" disabled' in page


def test_contra_that_counts_for_nothing_is_not_recorded(as_, scorer, path, slip):
    gave_up = slip | {"ending": "surrendered", "contra": "1"}

    as_(scorer).post(path, gave_up)

    assert Version.objects.get().record.get("contra") is None


@pytest.mark.parametrize(
    ("origin", "kept"), [("http://testserver", True), ("http://evil.example", False)]
)
def test_a_slip_with_a_token_of_before_can_be_sent_again(
    scorer, path, slip, origin, kept
):
    client = Client(enforce_csrf_checks=True)
    client.force_login(scorer, backend=sign_in_links.BACKEND)
    client.get(path)

    answer = client.post(
        path, slip | {"csrfmiddlewaretoken": "x" * 32}, headers={"Origin": origin}
    )

    assert answer.status_code == 403
    assert (f'name="id" value="{slip["id"]}"' in answer.content.decode()) is kept
