"""Short names for the narrow rails."""

from __future__ import annotations

import pytest

from ledger.models import Player
from ledger.names import short_names


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
