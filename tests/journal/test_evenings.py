"""A club is founded, its evenings begin, its tables are laid and cleared."""

from __future__ import annotations

import pytest
from django.utils import timezone

import scoring
from ledger import journal
from ledger.journal import evenings
from ledger.models import Member, Player
from scoring import Refused


def test_a_club_has_an_owner_and_a_season(club, owner):
    member = club.members.get()
    season = club.seasons.get()

    assert (member.user, member.role) == (owner, Member.Role.OWNER)
    assert season.starts == timezone.localdate()
    assert evenings.locked_current_season(club) == season


def test_an_evening_belongs_to_the_season_that_runs(club, lay):
    club.seasons.update(closed_at=timezone.now())
    season = club.seasons.create(name="next", starts=timezone.localdate())

    assert lay().evening.season == season


def test_one_tariff_is_one_edition(club):
    plain = journal.edition_of(club, scoring.tariff("taroki"))
    spelled = journal.edition_of(
        club, scoring.tariff("taroki", {"tarok_bonus_to": "side"})
    )
    other = journal.edition_of(
        club, scoring.tariff("taroki", {"tarok_bonus_to": "player"})
    )

    assert plain == spelled != other
    assert other.rules == {"tarok_bonus_to": "player"}
    assert other.tariff.options["tarok_bonus_to"] == "player"


def test_a_stake_without_a_currency_is_points_only(lay):
    evening = lay(currency="", stake=20).evening

    assert (evening.currency, evening.stake) == ("", 0)


def test_a_second_table_may_play_another_game(lay, people, club):
    first = lay(4)
    palatine = journal.edition_of(club, scoring.tariff("palatine"))

    more = [Player.objects.create(club=club, name=name) for name in "XY"]
    seats = [*people[4:], *more]
    table = journal.add_table(
        first.evening, seats=seats, dealer=people[4], edition=palatine
    )

    assert (table.number, table.edition) == (2, palatine)
    assert table.lineups.get().dealer == people[4]
    assert [seat.player for seat in table.lineups.get().seats.all()] == seats


def test_a_second_table_takes_nobody_from_the_first(lay, people, club):
    evening = lay(4).evening
    more = [Player.objects.create(club=club, name=name) for name in "XYZ"]

    with pytest.raises(Refused, match="Ania sits at table 1: move them from there"):
        journal.add_table(evening, seats=[people[0], *more], dealer=more[0])


@pytest.mark.parametrize("seats", [[0, 1, 2], [0, 1, 2, 2], [0, 1, 2, 3, 4, 5, 6]])
def test_four_to_six_different_people_sit_at_a_table(table, people, club, seats):
    everybody = [*people, Player.objects.create(club=club, name="Gosia")]

    with pytest.raises(ValueError, match="4 to 6 different players"):
        journal.add_table(
            table.evening, seats=[everybody[i] for i in seats], dealer=people[0]
        )


def test_the_first_dealer_sits_at_the_table(table, people):
    with pytest.raises(ValueError, match="a dealer who sits"):
        journal.add_table(table.evening, seats=people[:4], dealer=people[5])


def test_people_and_tariff_are_the_clubs_own(table, people, owner):
    other = journal.found_club("Szeged", owner=owner)
    stranger = Player.objects.create(club=other, name="Ágnes")
    tariff = journal.edition_of(other, scoring.tariff("taroki"))

    with pytest.raises(ValueError, match="of club"):
        journal.add_table(
            table.evening, seats=[*people[:3], stranger], dealer=people[0]
        )
    with pytest.raises(ValueError, match="of club"):
        journal.add_table(
            table.evening, seats=people[:4], dealer=people[0], edition=tariff
        )


def test_an_evening_is_closed_once(table):
    closed = journal.close_evening(table.evening, by=table.evening.created_by)

    assert journal.close_evening(table.evening, by=table.evening.created_by) == closed
