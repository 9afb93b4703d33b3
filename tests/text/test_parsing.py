"""Whole numbers and ids that came in as text are read, or are none."""

from __future__ import annotations

from uuid import UUID

import pytest

from ledger.text.parsing import NO_ID, parse_id, parse_id_or_new, whole_number

ID = UUID("0b0f6d5e-6f0a-4f0e-9a53-3f1f0a3b8c11")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("24", 24),
        ("0", 0),
        ("9" * 9, 999_999_999),
        ("9" * 10, None),
        (" 7", None),
        ("-7", None),
        ("²", None),
        ("", None),
        (None, None),
    ],
)
def test_a_whole_number_has_up_to_nine_digits(text, number):
    assert whole_number(text) == number


@pytest.mark.parametrize(("text", "id"), [(str(ID), ID), ("x", NO_ID), (None, NO_ID)])
def test_what_is_no_id_is_the_id_of_nothing(text, id):
    assert parse_id(text) == id


def test_a_form_without_an_id_gets_a_new_one():
    assert parse_id_or_new(str(ID)) == ID
    assert parse_id_or_new("x") not in (NO_ID, parse_id_or_new("x"))
