"""Cells of a whole hand: the record of the hand, by the fields of the game's slip."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

import scoring
from ledger.imports.cell_values import (
    UnclearCell,
    id_of_spelling,
    in_all_languages,
    is_empty,
    parse_whole,
    parse_yes_no,
)
from ledger.imports.files import GridRow
from ledger.imports.row_reader import RowReader
from ledger.text import messages
from ledger.text.names import fold
from scoring import Side, Tariff, Text
from scoring.fields import Asks, Field, offered
from scoring.items import Bonus
from scoring.sides import side_of

ALONE = ("alone", "solo")
SIDES = {
    Side.DECLARER: ("Declarer",),
    Side.DEFENDERS: ("defenders", "the defenders"),
}
NAME_AND_LEVEL = re.compile(r"(.*?)\s*\b([0-9])")
SIGNS = {"+": True, "-": False, "−": False, "–": False}
Spellings = tuple[tuple[str, frozenset[str]], ...]
"""Ids, each with its folded spellings in every language."""


@dataclass(frozen=True)
class RecordParser:
    """Parser of the cells of a hand, with the names that a tariff has for choices."""

    fields: tuple[Field, ...]
    answers: Mapping[str, Spellings]
    bonuses: Mapping[str, Bonus]
    """Bonuses by each of their folded spellings."""

    @classmethod
    def of(cls, tariff: Tariff) -> RecordParser:
        return _parser(tariff)

    def record(self, reader: RowReader, row: GridRow) -> dict[str, Any]:
        """Return the record of a hand; a cell without a value becomes a problem."""
        record: dict[str, Any] = {}
        for field in self.fields:
            written = reader.cell(row, field.id)
            if not written or (is_empty(written) and field.asks is not Asks.FLAG):
                continue
            try:
                value = self._value(reader, field, written, record)
            except UnclearCell as unclear:
                reader.add_problem(row, field.id, str(unclear))
                continue
            if value is not None:
                record[field.id] = value
        return record

    def _value(
        self, reader: RowReader, field: Field, written: str, record: Mapping[str, Any]
    ) -> Any:
        match field.asks:
            case Asks.CHOICE:
                return _parse_choice(written, self.answers[field.id])
            case Asks.FLAG:
                return parse_yes_no(written)
            case Asks.WHOLE:
                return parse_whole(written)
            case Asks.LEVEL:
                return int(_parse_choice(written, self.answers[field.id]))
            case Asks.PLAYER:
                alone = field.id == "partner" and _means_one_of(written, ALONE)
                return None if alone else reader.names.find(written)
            case Asks.HOLDINGS:
                return dict(_parse_holding(reader, part) for part in _parts(written))
            case Asks.BONUSES:
                return [self._bonus(reader, part, record) for part in _parts(written)]

    def _bonus(
        self, reader: RowReader, written: str, record: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the record of one bonus.

        In the cell: its name, “!” if it was announced, who made or announced it, the
        level of kontra, “+” or “-” for made or failed: `trul+`,
        `pagat_ultimo! Darek 2 -`.
        """
        bonus, rest = self._named(written)
        made = True
        if rest[-1:] in SIGNS and rest:
            made, rest = SIGNS[rest[-1]], rest[:-1].strip()
        announced = rest[:1] == "!"
        who, level = self._level(rest.removeprefix("!").strip())
        if not announced:
            side = _silent_side(reader, bonus, who, record)
            return {"bonus": bonus.id, "side": side.value, "made": made}
        if not who or _parse_side(who):
            message = _("“{text}”: write who announced it.")
            raise UnclearCell(message.format(text=written))
        return {
            "bonus": bonus.id,
            "announced_by": reader.names.find(who),
            "contra": level,
            "made": made,
        }

    def _named(self, written: str) -> tuple[Bonus, str]:
        """Return the bonus at the start of *written*, and the text behind it."""
        for end in range(len(written), 0, -1):
            if _name_may_end(written, end) and (
                bonus := self.bonuses.get(fold(written[:end]))
            ):
                return bonus, written[end:].strip()
        raise UnclearCell(
            _("“{text}” does not begin with a bonus of this game.").format(text=written)
        )

    def _level(self, rest: str) -> tuple[str, int]:
        """Return the name in *rest*, and the level of kontra behind it, else 0."""
        if match := NAME_AND_LEVEL.fullmatch(rest):
            return match[1], int(match[2])
        *who, word = rest.split() or [""]
        level = id_of_spelling(word, self.answers["contra"])
        return (" ".join(who), int(level)) if level is not None else (rest, 0)


@lru_cache(maxsize=64)
def _parser(tariff: Tariff) -> RecordParser:
    fields = scoring.fields(tariff)
    answers = {
        field.id: tuple((str(a.value), spellings(a.name)) for a in field.answers)
        for field in fields
    }
    bonuses = {
        spelling: bonus
        for bonus in offered(tariff.variant)
        for spelling in {fold(bonus.id), *spellings(Text(bonus.name))}
    }
    return RecordParser(fields, answers, bonuses)


def spellings(text: Text) -> frozenset[str]:
    """Return the folded translations of *text* into all languages."""
    found = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.add(fold(messages.say(text)))
    return frozenset(found)


def _parse_choice(written: str, names: Spellings) -> str:
    found = id_of_spelling(written, names)
    if found is None:
        known = ", ".join(id for id, _spellings in names)
        message = _("“{text}” is not one of: {known}.")
        raise UnclearCell(message.format(text=written, known=known))
    return found


def _means_one_of(written: str, messages: Iterable[str]) -> bool:
    return any(fold(written) in in_all_languages(message) for message in messages)


def _parts(written: str) -> list[str]:
    return [part for text in re.split("[,;]", written) if (part := text.strip())]


def _parse_holding(reader: RowReader, written: str) -> tuple[str, str]:
    """Return a player's id and the number of trumps declared: `Bartek 2`."""
    match = re.fullmatch(r"(.+?)[\s:=]+(\d+)", written)
    if match is None:
        message = _("“{text}”: write a player and the number of trumps declared.")
        raise UnclearCell(message.format(text=written))
    return str(reader.names.find(match[1])), match[2]


def _name_may_end(written: str, end: int) -> bool:
    """Tell whether a name may end there: not within a word."""
    return end == len(written) or not (written[end].isalnum() or written[end] == "_")


def _silent_side(
    reader: RowReader, bonus: Bonus, who: str, record: Mapping[str, Any]
) -> Side:
    """Return the side that made a silent bonus, by name, else by the bonus itself.

    A bonus that either side can make is the declarer's where no name is written.
    """
    if side := _parse_side(who):
        return side
    if who:
        player = reader.names.find(who)
        return side_of(player, record.get("declarer"), record.get("partner"))
    return bonus.silent_by[0] if len(bonus.silent_by) == 1 else Side.DECLARER


def _parse_side(who: str) -> Side | None:
    for side, texts in SIDES.items():
        if who and _means_one_of(who, texts):
            return side
    return None
