"""The catalogues: complete, certain, and true to the placeholders of their messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parents[1] / "ledger" / "locale"
LANGUAGES = ["de", "hu", "pl"]
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")


@pytest.fixture(params=LANGUAGES)
def messages(request):
    path = LOCALE / request.param / "LC_MESSAGES" / "django.po"
    with path.open("rb") as catalogue:
        return [message for message in read_po(catalogue) if message.id]


def forms(text):
    return text if isinstance(text, tuple | list) else (text,)


def test_every_text_is_translated(messages):
    assert [m.id for m in messages if not all(forms(m.string))] == []


def test_no_translation_is_a_guess(messages):
    assert [m.id for m in messages if m.fuzzy] == []


def test_a_translation_has_the_placeholders_of_its_text(messages):
    assert [m.id for m in messages if not _matches(m)] == []


def _matches(message):
    """Whether each form names what the text names; a singular may do without."""
    wanted = set(PLACEHOLDER.findall(forms(message.id)[-1]))
    return all(
        set(PLACEHOLDER.findall(form)) == wanted
        or (message.pluralizable and set(PLACEHOLDER.findall(form)) <= wanted)
        for form in forms(message.string)
    )
