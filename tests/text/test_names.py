"""Names in a list, and short ones for the narrow rails."""

from __future__ import annotations

import pytest

from ledger.models import Player
from ledger.text.names import in_order, short_names


def shorts(*people):
    return list(
        short_names(
            Player(name=name, nickname=nickname) for name, nickname in people
        ).values()
    )


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        ([("Anna", "")], ["Anna"]),
        ([("Wojciech-Maksymilian", "")], ["Wojciech"]),
        ([("Krisztina Magdolna", "Kriszti")], ["Kriszti"]),
        (
            [("Anna Maria Kowalska", ""), ("Anna Maria Nowak", "")],
            ["Anna", "Anna M."],
        ),
        (
            [("Wojciechowska", ""), ("Wojciechowski", "")],
            ["Wojciech", "Wojci 2"],
        ),
        ([("Bartholomäus", "Bart"), ("Bart", "")], ["Bart", "Bart 2"]),
    ],
)
def test_a_short_name_is_short_and_nobody_elses(people, expected):
    assert shorts(*people) == expected


def test_accents_do_not_put_a_name_at_the_end():
    names = ["Zsófi", "Ewa", "Łukasz", "Ödön", "Ágnes", "Maria", "adam", "Anna"]

    people = in_order(Player(name=name) for name in names)

    expected = ["adam", "Ágnes", "Anna", "Ewa", "Łukasz", "Maria", "Ödön", "Zsófi"]
    assert [player.name for player in people] == expected
