"""The pages of a season, a player and a club's figures, and the hands behind them."""

from __future__ import annotations

import datetime
import re
from html import unescape

import pytest

from ledger import journal
from ledger.views.statistics.running_chart import running_chart
from tests.support.fixtures import squeezed, won

SEASON = "/seasons/{season}/"
PLAYER = "/clubs/{club}/players/{ania}/"
CLUB = "/clubs/{club}/statistics/"
HANDS = "/clubs/{club}/hands/?figure=as_declarer&player={ania}"
PAGES = (SEASON, PLAYER, CLUB, HANDS)


@pytest.fixture
def places(club, people):
    season = club.seasons.get()
    ania, celina = people[0].pk, people[2].pk
    return {"club": club.pk, "season": season.pk, "ania": ania, "celina": celina}


@pytest.fixture
def play(lay, record, owner):
    """Return a function that plays an evening of hands and maybe closes it."""

    def played(date, *hands, close=False, **more):
        table = lay(**more)
        table.evening.date = date
        table.evening.save(update_fields=["date"])
        for hand in hands:
            record(table, hand)
        if close:
            journal.close_evening(table.evening, by=owner)
        return table

    return played


@pytest.fixture
def played(play, people):
    """A closed evening of three hands, and an open one of a hand in the next year.

    Ania and Celina win 3 points each in the first hand, Bartek and Darek in the second;
    the third is thrown in. In the fourth Ania and Celina, who had to have 48 card
    points of 94, lose a point each.
    """
    play(datetime.date(2026, 12, 27), None, None, {"ending": "passed"}, close=True)
    play(
        datetime.date(2027, 1, 3),
        won(people, contract="three"),
        variant="palatine",
        currency="EUR",
        stake=5,
    )


@pytest.fixture
def see(as_, member, places):
    """Return a function that gets a page as a member and returns its text."""

    def seen(path, status=200, **asked):
        response = as_(member).get(path.format(**places), asked)
        assert response.status_code == status
        return response.content.decode()

    return seen


ROW = re.compile(
    r'<tr data-player.*?class="rank[^>]*>(.*?)</td>.*?href[^>]*>([^<]+)<.*?'
    r'<small>(.*?)</small>.*?class="num[^>]*>([^<]+)<',
    re.DOTALL,
)


def ranking(page):
    return [
        (*(re.findall(r">(\d+)<", place) or ["–"]), name, told, value)
        for place, name, told, value in ROW.findall(squeezed(page))
    ]


def text(html):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def links(page, part):
    hrefs = map(unescape, re.findall(r'href="([^"]+)"', page))
    return [href for href in hrefs if part in href]


def test_a_season_ranks_by_total_and_equals_share_a_place(see, played):
    page = see(SEASON)

    assert ranking(page) == [
        ("1", "Bartek", "3 hands · +0.33 per hand", "+1"),
        ("1", "Darek", "3 hands · +0.33 per hand", "+1"),
        ("3", "Ania", "3 hands · −0.33 per hand", "−1"),
        ("3", "Celina", "3 hands · −0.33 per hand", "−1"),
    ]
    assert "2 evenings, 3 hands" in page
    assert "Sum 0" in text(page)
    assert "Players with equal scores share a place" in page


def test_a_season_ranks_by_what_the_address_says(see, played):
    values = {
        by: [row[-1] for row in ranking(see(SEASON, by=by))]
        for by in ("average", "PLN", "EUR", "gold")
    }

    assert values == {
        "average": ["+0.33", "+0.33", "−0.33", "−0.33"],
        "PLN": ["PLN\xa00.00"] * 4,
        "EUR": ["+€0.05", "+€0.05", "−€0.05", "−€0.05"],
        "gold": ["+1", "+1", "−1", "−1"],
    }


def test_who_played_too_few_hands_stands_below_without_a_place(
    see, play, people, played
):
    """Reports 56, 125: an evening missed is no zero, no place is beyond the ranked."""
    play(datetime.date(2026, 12, 28), None, None, seats=5)

    rows = ranking(see(SEASON, least="3"))

    assert [row[:2] for row in rows] == [
        ("1", "Ania"),
        ("2", "Bartek"),
        ("2", "Darek"),
        ("4", "Celina"),
        ("–", "Ewa"),
    ]


def test_the_state_of_the_filters_is_in_the_address(see, played):
    """Report 123."""
    page = see(SEASON, game="taroki", by="average", until="2026-12-31")

    assert [row[2] for row in ranking(page)] == ["2 hands · total 0"] * 4
    for href in links(page, "?")[:3]:
        if href.startswith("?"):
            assert "game=taroki&" in f"{href}&"
            assert "until=2026-12-31" in href
    assert 'name="by" value="average"' in page
    assert 'value="2026-12-31"' in page


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"since": "2027-01-01", "until": "2026-01-01"}, "before the start date"),
        ({"since": "yesterday"}, "Enter a valid date"),
        ({"until": "9999-12-31"}, "it is after 2200"),
        ({"least": "-1"}, "greater than or equal to 0"),
        ({"least": "many"}, "Enter a whole number"),
        ({"game": "whist"}, "whist is not one"),
    ],
)
def test_an_unclear_filter_is_told_beside_its_field(see, lay, asked, said):
    lay()
    lay(variant="palatine")

    for path in (SEASON, PLAYER, CLUB):
        page = see(path, status=422, **asked)

        assert said in page
        for value in asked.values():
            assert f'value="{value}"' in page or value == "whist"


def test_what_is_looked_at_goes_along_to_players_and_hands(see, played, places):
    season = see(SEASON, game="taroki")

    player = see(next(href for href in links(season, "/players/")))
    hands = see(next(href for href in links(player, "hands/?")))

    for page in (player, hands):
        assert "2026 · Taroki" in page
    assert links(hands, f"?season={places['season']}&game=taroki")


def test_the_run_of_a_season_is_by_hands_or_by_date(see, played):
    """Reports 121, 124: across the end of the year too."""
    by_hands, by_date = (
        squeezed(see(SEASON, across=across)) for across in ("", "date")
    )

    assert 'aria-label="Points after 2 evenings: ' in by_hands
    assert re.findall(r'<tr><th scope="row">(\w+)</th><td>', by_hands)[:2] == ["2", "3"]
    rows = re.findall(r'<tr><th scope="row">(\d[^<]+)</th><td>', by_date)
    assert rows[:2] == ["27 XII 2026", "3 I 2027"]


def test_no_more_lines_are_drawn_than_can_be_followed(club):
    people = [club.players.create(name=f"Player {n}") for n in range(11)]

    plot = running_chart(
        [(player, [1]) for player in people], [1], head="Hand", what="Points"
    )

    assert len(plot.plot.lines) == 10
    assert plot.left_out
    assert plot.words == "Points: +1 for everybody"


def test_each_cell_of_the_matrix_leads_to_its_hands(see, played, places):
    page = see(SEASON)

    cell = f"figure=with&player={places['ania']}&about={places['celina']}&season="
    [href] = links(page, cell)
    assert see(href).count("Ania + Celina") == 2


def test_a_season_crosses_contracts_and_players(see, played):
    """Report 122."""
    page = see(SEASON)

    crossed = page[page.index('id="contracts"') :]
    assert "3 (Taroki) 1 100% +3.00 1 100% +3.00" in text(crossed)


def test_every_figure_of_a_player_has_a_definition_and_its_hands(see, played):
    page = see(PLAYER)

    assert "Hands 3 Hands that were played;" not in page
    for row in re.findall(r"<tr>\s*<th scope=\"row\">.*?</tr>", page, re.DOTALL):
        for href in links(row, "hands/?"):
            hands = see(href)
            assert "No hand counts here" not in hands
            assert '<p class="small">' in hands
    assert len(re.findall(r'class="what"', page)) >= 10


def test_a_players_figures_are_those_of_the_season_asked_for(see, played, club, play):
    later = club.seasons.create(name="Other", starts=datetime.date(2027, 2, 1))

    page = see(PLAYER, season=str(later.pk))

    assert "No hand counts here." in page


def test_who_never_played_has_a_page_too(see, people, places):
    page = see(PLAYER.replace("{ania}", str(people[5].pk)))

    assert "No hand yet." in page
    assert '<svg class="plot"' not in page


def test_the_club_shows_records_contracts_seats(see, played):
    words = text(see(CLUB))

    assert "Highest hand" in words
    assert "I Friday 27 December 2026, table I, hand 1 6" in words
    assert "3 (Taroki) 2 100% +3.00 Three (Palatine) 1 0% −1.00" in words
    assert "forehand 3 67% +1.67" in words


def test_a_record_leads_to_its_hands(see, played):
    page = see(CLUB)

    [run] = links(page, "figure=thrown_in_run")
    assert text(see(run)).endswith("III Hand 3: Passed")


def test_nothing_played_is_no_error(see):
    for path in (SEASON, CLUB):
        assert "No hand yet." in see(path)


def test_what_no_figure_counts_is_404(see, people):
    for query in (
        "figure=luck",
        "figure=with&player={ania}&about=x",
        "figure=seats&about=x",
        "figure=hands&player=999999",
        "figure=hands&player={ania}&before=x",
        "figure=hands&player={ania}&since=x",
    ):
        see("/clubs/{club}/hands/?" + query, status=404)


def test_a_stranger_finds_no_statistics(as_, stranger, places):
    client = as_(stranger)

    for path in PAGES:
        assert client.get(path.format(**places)).status_code == 404


def test_statistics_are_only_read(as_, owner, places):
    client = as_(owner)

    for path in PAGES:
        assert client.post(path.format(**places)).status_code == 405


def test_a_player_of_nowhere_is_404(see):
    see(PLAYER.replace("{ania}", "999999"), status=404)


def test_more_hands_take_no_more_queries(
    as_,
    owner,
    places,
    played,
    play,
    django_assert_num_queries,
    django_assert_max_num_queries,
):
    """The hands behind a figure are read in one batch, or in a few."""
    client = as_(owner)
    queries = {SEASON: 14, PLAYER: 18, CLUB: 16}
    for path, most in queries.items():
        with django_assert_num_queries(most):
            client.get(path.format(**places))
    for day in range(1, 4):
        play(datetime.date(2026, 11, day), None, None, close=True, seats=6)

    for path, most in queries.items():
        with django_assert_num_queries(most):
            client.get(path.format(**places))
    with django_assert_max_num_queries(25):
        client.get(HANDS.format(**places))


def test_the_pages_speak_other_languages(as_, owner, places, played):
    client = as_(owner)

    for language in ("pl", "hu", "de"):
        for path in PAGES:
            asked = client.get(
                path.format(**places), headers={"accept-language": language}
            )
            assert f'<html lang="{language}"' in asked.content.decode()
