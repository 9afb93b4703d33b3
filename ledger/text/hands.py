"""A hand in the words of the table: in one sentence, or line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.translation import gettext as _

import scoring
from ledger.text import messages
from ledger.text.names import Named
from scoring.fields import Asks, Field

People = Mapping[int, Named]
"""Players by their id."""


class HasTariff(Protocol):
    @property
    def tariff(self) -> scoring.Tariff: ...


class EnteredHand(Protocol):
    """A hand as it was entered, stored or not."""

    @property
    def edition(self) -> HasTariff: ...
    @property
    def record(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Summary:
    """A hand in one line: “three · Imre + Anna”, and the highest contra in it."""

    title: str
    sides: str
    contra: int
    contra_word: str


@dataclass(frozen=True)
class SlipLine:
    label: str
    value: str


def summary(hand: EnteredHand, people: People) -> Summary:
    """Return *hand* in one line."""
    tariff, record = hand.edition.tariff, hand.record
    doubled = [record, *record.get("bonuses", [])]
    contra = max(int(item.get("contra") or 0) for item in doubled)
    word = messages.say(tariff.variant.ladder.word(contra)) if contra else ""
    return Summary(_title(tariff.variant, record), _sides(record, people), contra, word)


def slip_lines(hand: EnteredHand, people: People) -> list[SlipLine]:
    """Return the filled-in lines of the slip, without those that explain the score."""
    tariff = hand.edition.tariff
    return [
        SlipLine(messages.say(field.label), answer)
        for field in scoring.fields(tariff)
        if field.id != "ending" or hand.record.get("ending", "played") != "played"
        if (answer := _answer(field, hand.record, people, tariff))
    ]


def name_of(people: People, pk: object) -> str:
    """Return the name of a player by id, “?” where nobody has it."""
    player = people.get(int(str(pk)))
    return player.name if player else "?"


def _title(variant: scoring.Variant, record: Mapping[str, Any]) -> str:
    ending = variant.ending[record.get("ending", "played")]
    contract = variant.contract.get(record.get("contract") or "")
    words = [messages.say(scoring.Text(contract.name))] if contract else []
    if ending.id != "played":
        words.append(messages.say(scoring.Text(ending.name)))
    return ", ".join(words)


def _sides(record: Mapping[str, Any], people: People) -> str:
    if record.get("declarer") is None:
        return ""
    declarer = name_of(people, record["declarer"])
    if record.get("partner") is not None:
        return f"{declarer} + {name_of(people, record['partner'])}"
    if record.get("ending", "played") == "played":
        return _("{name}, alone").format(name=declarer)
    return declarer


def _answer(
    field: Field, record: Mapping[str, Any], people: People, tariff: scoring.Tariff
) -> str:
    value = record.get(field.id)
    if value is None or field.asks not in ANSWERS:
        return _("alone") if _is_alone(field, record) else ""
    return ANSWERS[field.asks](field, value, people, tariff)


def _is_alone(field: Field, record: Mapping[str, Any]) -> bool:
    played = record.get("ending", "played") == "played"
    return field.id == "partner" and played and record.get("declarer") is not None


def _chosen(field: Field, value: Any, people: People, tariff: scoring.Tariff) -> str:
    for answer in field.answers:
        if answer.value == value:
            name = messages.say(answer.name)
            return f"{name}, {messages.say(answer.note)}" if answer.note else name
    return str(value)


def _player(field: Field, value: Any, people: People, tariff: scoring.Tariff) -> str:
    return name_of(people, value)


def _whole(field: Field, value: Any, people: People, tariff: scoring.Tariff) -> str:
    return _("{points} of {all}").format(points=value, all=field.most)


def _level(field: Field, value: Any, people: People, tariff: scoring.Tariff) -> str:
    if not value:
        return ""
    return f"{messages.say(tariff.variant.ladder.word(value))}, ×{1 << value}"


ANSWERS: dict[Asks, Callable[[Field, Any, People, scoring.Tariff], str]] = {
    Asks.CHOICE: _chosen,
    Asks.FLAG: _chosen,
    Asks.PLAYER: _player,
    Asks.WHOLE: _whole,
    Asks.LEVEL: _level,
}
