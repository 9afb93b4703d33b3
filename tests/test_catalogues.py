"""The catalogues: complete, certain, true to their messages; one thing has one word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parents[1] / "ledger" / "locale"
LANGUAGES = ["de", "hu", "pl"]
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")
QUOTES = {"de": "„“", "en": "“”", "hu": "„”", "pl": "„”"}
NEVER = {
    "de": r"Eigentümer|Spitzname|Preise?\b|zu dritt|[Dd](u|ein|ich|ir)\b"
    r"|([Aa]ltes|[Dd]as|[Dd]ieses|[Ii]m) Blatt\b|Blätter\b",
    "en": r"(re-|sub-)?contra(’d)?\b|[Hh]e\b|him\b|his\b(?! visit)|himself\b"
    r"|exchang|[Pp]ut (it )?right|(bring|brought) in\b|in silence|streak"
    r"|in (plus|minus)\b|[Nn]ickname|anew\b|stands twice",
    "hu": r"[Dd]íj|a\(z\)|már nem jár\b|íród|lett mentve|[Bb]ecenév|[Rr]égi lap",
    "pl": r"[Ww]płat|[Zz]abran|czterej\b|na (plus|minus)\b|[Pp]seudonim|[23]\. rekontr",
}
"""Words that were two for one thing, one for two, or no words of a card table."""


@pytest.fixture(params=LANGUAGES)
def messages(request):
    return catalogue(request.param)


def catalogue(language):
    with (LOCALE / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return [message for message in read_po(file) if message.id]


def texts(language):
    """Return all that is said in a language, each form of a plural."""
    said = catalogue(LANGUAGES[0] if language == "en" else language)
    return [
        form
        for message in said
        for form in forms(message.id if language == "en" else message.string)
    ]


def forms(text):
    return text if isinstance(text, tuple | list) else (text,)


def test_every_text_is_translated(messages):
    assert [m.id for m in messages if not all(forms(m.string))] == []


def test_no_translation_is_a_guess(messages):
    assert [m.id for m in messages if m.fuzzy] == []


def test_a_translation_has_the_placeholders_of_its_text(messages):
    assert [m.id for m in messages if not _matches(m)] == []


@pytest.mark.parametrize("language", NEVER)
def test_one_thing_has_one_word(language):
    never = re.compile(rf"\b({NEVER[language]})")

    assert [text for text in texts(language) if never.search(text)] == []


@pytest.mark.parametrize("language", QUOTES)
def test_quotation_marks_are_those_of_the_language(language):
    begin, end = QUOTES[language]

    quotes = {text: re.findall('["«»„“”]', text) for text in texts(language)}

    assert {
        text: marks
        for text, marks in quotes.items()
        if marks != [begin, end] * (len(marks) // 2)
    } == {}


def test_templates_quote_in_messages_alone():
    message = re.compile(
        r"{% blocktranslate.*?endblocktranslate %}|{% translate .*?%}", re.DOTALL
    )

    pages = [*(LOCALE.parents[1] / "templates").rglob("*.html")]

    assert pages
    assert [
        p.name for p in pages if re.search("[„“”]", message.sub("", p.read_text()))
    ] == []


def _matches(message):
    """Whether each form names what the text names; a singular may do without."""
    wanted = set(PLACEHOLDER.findall(forms(message.id)[-1]))
    return all(
        set(PLACEHOLDER.findall(form)) == wanted
        or (message.pluralizable and set(PLACEHOLDER.findall(form)) <= wanted)
        for form in forms(message.string)
    )
