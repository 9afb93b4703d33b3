"""Every text of the rules: all there, all marked, all placeholders filled."""

from __future__ import annotations

import ast
import gettext
import string
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import scoring
from ledger.management import lines
from scoring.text import Text, Who

SOURCES = sorted(Path(scoring.__file__).parent.rglob("*.py"))


def _marked(path):
    """Yield each message that *path* marks for the translators."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
            yield ast.literal_eval(node.args[0])


MARKED = {message for path in SOURCES for message in _marked(path)}


@pytest.mark.parametrize("variant", scoring.VARIANTS)
def test_everything_that_is_shown_has_a_name_and_every_bonus_help(variant):
    rules = scoring.get_variant(variant)

    shown = [*rules.bonuses, *rules.options, *rules.endings, *rules.presets, rules]
    assert all(item.name and item.help[-1] in ".”" for item in shown)
    assert all(item.name for item in [*rules.contracts, *rules.alone])
    assert all(choice.name for option in rules.options for choice in option.choices)


@pytest.mark.parametrize("variant", scoring.VARIANTS)
def test_every_text_of_a_game_is_marked_for_the_translators(variant):
    unmarked = {
        text
        for text in _texts(scoring.get_variant(variant))
        if any(letter.islower() for letter in text) and text not in MARKED
    }

    assert unmarked <= {"pagat"}  # the name of a site


TEXTS = {"name", "help", "note", "label", "by", "source", "family", "needs_contra"}
TEXTS |= {"unlikely", "game_name", "result_label", "partner_label", "none"}


def _texts(item):
    """Yield what stands in the fields that are shown, however deep."""
    for field in fields(item):
        value = getattr(item, field.name)
        if isinstance(value, str) and field.name in TEXTS and value:
            yield value
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part) and not isinstance(part, type):
                yield from _texts(part)


@pytest.mark.parametrize("message", sorted(MARKED))
def test_a_message_has_only_plain_placeholders(message):
    for _, name, format, conversion in string.Formatter().parse(message):
        assert name is None or name.isidentifier()
        assert not format
        assert conversion is None


@pytest.mark.parametrize("language", ["pl", "hu", "de"])
def test_a_translation_has_the_placeholders_of_its_message(language):
    catalogue = lines.catalogue(language)

    assert {
        message: translated
        for message in MARKED
        if _names(message) != _names(translated := catalogue.gettext(message))
    } == {}


def _names(message):
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


@pytest.mark.parametrize("message", sorted(MARKED))
def test_a_message_is_typeset(message):
    assert "'" not in message
    assert '"' not in message
    assert "..." not in message
    assert message == message.strip() != ""


def test_a_text_is_translated_with_its_values_and_names_the_players():
    catalogue = _Catalogue({"{who} lost {what}.": "{what}: {who}.", "the XXI": "XXI"})
    text = Text("{who} lost {what}.", {"who": Who(1), "what": Text("the XXI")})

    assert text.render(catalogue, ["Ania", "Bartek"]) == "XXI: Bartek."
    assert text.then(Text("Well.")).render(names=["A", "B"]) == "B lost the XXI. Well."
    assert str(text) == "2 lost the XXI."


class _Catalogue(gettext.NullTranslations):
    def __init__(self, messages):
        super().__init__()
        self.messages = messages

    def gettext(self, message):
        return self.messages.get(message, message)


def test_a_text_without_a_message_shows_nothing():
    assert str(Text("")) == ""
