"""Form of the slip: scoring fields of a tariff as form fields, and a hand record back.

Each kind of answer has one builder. Fields are known by name only where the slip asks
in an easier way than the record: the result, by bands or by the pile, and the partner,
where the declarer's own name means alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

import scoring
from ledger.models import Player
from ledger.text.messages import say
from ledger.text.parsing import whole_number
from ledger.views.table.slip.pile_form import PileForm
from ledger.views.table.slip.player_cells import PLAYERS
from scoring import Band, Field, Problem, Tariff, Text
from scoring.fields import Asks
from scoring.sides import side_of

ALONE = "alone"
Choices = list[tuple[str, str]]


class LinesInput(forms.Widget):
    """Cells of the bonus panels, read into lines of a hand record.

    A cell is `<bonus>-made` or `<bonus>-failed` with a player, `<bonus>-silent` or
    `<bonus>-lost` with a side; `<bonus>-contra-<player>` is the contra on what the
    player announced.
    """

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.bonuses = [bonus.id for bonus in field.bonuses]

    def value_from_datadict(
        self, data: Mapping[str, Any], files: object, name: str
    ) -> list[dict[str, Any]]:
        cells = data if isinstance(data, QueryDict) else QueryDict()
        return [line for bonus in self.bonuses for line in _lines(cells, bonus)]

    def value_omitted_from_data(self, data: object, files: object, name: str) -> bool:
        return False


def _lines(cells: QueryDict, bonus: str) -> Iterator[dict[str, Any]]:
    for cell, made in (("made", True), ("failed", False)):
        for player in cells.getlist(f"{bonus}-{cell}"):
            contra = cells.get(f"{bonus}-contra-{player}", "0")
            yield {
                "bonus": bonus,
                "announced_by": _number(player),
                "contra": _number(contra) or 0,
                "made": made,
            }
    for cell, made in (("silent", True), ("lost", False)):
        for side in cells.getlist(f"{bonus}-{cell}"):
            yield {"bonus": bonus, "side": side, "made": made}


def _number(text: str) -> int | str:
    """Return *text* as a number if it is one; else the rules refuse it."""
    return text if (number := whole_number(text)) is None else number


class HeldInput(forms.Widget):
    """Cells `held-<player>`, read into the number of trumps declared by player."""

    def __init__(self, players: Sequence[Player]) -> None:
        super().__init__()
        self.players = players

    def value_from_datadict(
        self, data: Mapping[str, Any], files: object, name: str
    ) -> dict[str, str]:
        held = {str(p.pk): data.get(f"held-{p.pk}") for p in self.players}
        return {player: number for player, number in held.items() if number}

    def value_omitted_from_data(self, data: object, files: object, name: str) -> bool:
        return False


def _choice(field: Field, players: Sequence[Player]) -> forms.Field:
    def choices() -> Choices:  # read only where something was answered
        return [("", "–"), *((str(a.value), say(a.name)) for a in field.answers)]

    return forms.ChoiceField(required=False, choices=choices, error_messages=_gone())


def _gone() -> dict[str, str]:
    return {"invalid_choice": _("This cannot be chosen here any more: choose again.")}


def _player(field: Field, players: Sequence[Player]) -> forms.Field:
    def choices() -> Choices:
        alone = [(ALONE, _("alone"))] if field.id == "partner" else []
        return [("", "–"), *((str(p.pk), p.name) for p in players), *alone]

    return forms.ChoiceField(required=False, choices=choices, error_messages=_gone())


def _whole_number(field: Field, players: Sequence[Player]) -> forms.Field:
    return forms.IntegerField(
        required=False,
        min_value=0,
        max_value=field.most,
        error_messages={
            "invalid": _("Enter the card points as a whole number."),
            "min_value": _(
                "The pack holds {most} card points: choose 0 to {most}."
            ).format(most=field.most),
            "max_value": _(
                "The pack holds {most} card points: choose 0 to {most}."
            ).format(most=field.most),
        },
    )


def _level(field: Field, players: Sequence[Player]) -> forms.Field:
    def levels() -> Choices:
        return [(str(a.value), say(a.name)) for a in field.answers]

    return forms.TypedChoiceField(
        required=False, choices=levels, coerce=int, empty_value=None
    )


def _bonuses(field: Field, players: Sequence[Player]) -> forms.Field:
    return forms.Field(required=False, widget=LinesInput(field))


def _held(field: Field, players: Sequence[Player]) -> forms.Field:
    return forms.Field(required=False, widget=HeldInput(players))


BUILDERS: Mapping[Asks, Callable[[Field, Sequence[Player]], forms.Field]] = {
    Asks.CHOICE: _choice,
    Asks.PLAYER: _player,
    Asks.FLAG: _choice,
    Asks.WHOLE: _whole_number,
    Asks.LEVEL: _level,
    Asks.BONUSES: _bonuses,
    Asks.HOLDINGS: _held,
}


class SlipForm(forms.Form):
    """Form of a hand; *players* are those who play it, from forehand on."""

    override = forms.BooleanField(required=False)

    def __init__(
        self, tariff: Tariff, players: Sequence[Player], data: QueryDict | None = None
    ) -> None:
        super().__init__(data)
        self.tariff, self.params = tariff, data
        self.players = players
        self.asked_fields = {field.id: field for field in scoring.fields(tariff)}
        self.bands = scoring.bands(tariff)
        for field in self.asked_fields.values():
            self.fields[field.id] = BUILDERS[field.asks](field, players)
        self.fields["won"] = forms.TypedChoiceField(
            required=False,
            choices=[("", "–"), *((str(n), n) for n in range(len(self.bands)))],
            coerce=int,
            empty_value=None,
        )

    @cached_property
    def pile(self) -> PileForm:
        return PileForm(self.tariff.variant.pack, self.params)

    def clean(self) -> dict[str, Any]:
        facts = self.cleaned_data
        contract = self.tariff.variant.contract.get(facts.get("contract") or "")
        if self.data.get("pile") and self.pile.is_valid() and contract:
            cards = self.pile.tricks * self.tariff.variant.active + contract.lifts
            self.pile.weigh(cards)
            facts["card_points"] = self.pile.points
        return facts

    @property
    def band(self) -> Band | None:
        number = self._fact("won")
        return None if number is None else self.bands[number]

    def record(self) -> dict[str, Any]:
        """Return the hand record; players are ids."""
        ending = self._fact("ending") or "played"
        record = {
            name: value
            for name, field in self.asked_fields.items()
            if ending in field.endings
            and (value := self._fact(name)) not in (None, "", [], {}, 0)
        }
        record |= {name: int(record[name]) for name in PLAYERS if _is_id(record, name)}
        if record.get("partner") in (ALONE, record.get("declarer", ALONE)):
            del record["partner"]
        record.pop("won", None)
        if self.barred_contra:
            record.pop("contra", None)
        if (points := self._fact("card_points")) is not None and ending == "played":
            record["card_points"] = points
        elif self.band and ending == "played":
            record |= self._by_band(self.band, record)
        return record

    def _fact(self, name: str) -> Any:
        return getattr(self, "cleaned_data", {}).get(name)

    def _by_band(self, band: Band, record: Mapping[str, Any]) -> dict[str, Any]:
        lines = list(record.get("bonuses", ()))
        written = {(line["bonus"], _side(line, record)) for line in lines}
        lines += [
            {"bonus": bonus, "side": side.value, "made": True}
            for bonus, side in band.made
            if (bonus, side.value) not in written
        ]
        return {"won": band.won, "bonuses": lines}

    @property
    def missing(self) -> list[str]:
        """Fields that the hand still needs, in the order of the slip."""
        ending = self._fact("ending") or "played"
        counted = self._fact("card_points") is not None
        return [
            name
            for name, field in self.asked_fields.items()
            if ending in field.needed
            and self._fact(name) in (None, "")
            and not (name == "won" and counted)
        ]

    @property
    def barred_contra(self) -> Text | None:
        """Reason why nobody can have said contra to this game."""
        return scoring.barred_contra(
            self.tariff, self._fact("contract"), self._fact("ending") or "played"
        )

    def contradicts_band(self, hand: scoring.Hand) -> Iterator[Problem]:
        """Yield problems that the hand has with any card points of the chosen band.

        The record has only who won. The band says more, so both its ends are tried.
        """
        band = self.band
        if band is None or hand.card_points is not None or hand.won is None:
            return
        found = [
            {
                problem.about: problem
                for problem in scoring.check(self.tariff, counted(hand, points))
                if problem.code == "not_with_points"
            }
            for points in (band.least, band.most)
        ]
        yield from (found[0][about] for about in found[0].keys() & found[1].keys())


def counted(hand: scoring.Hand, points: int) -> scoring.Hand:
    """Return *hand* with its card points counted instead of who won."""
    return replace(hand, won=None, card_points=points)


def _is_id(record: Mapping[str, Any], name: str) -> bool:
    return whole_number(str(record.get(name, ""))) is not None


def _side(line: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """Return the side of a bonus line: the one named, or its announcer's."""
    if "side" in line:
        return str(line["side"])
    declarer, partner = record.get("declarer"), record.get("partner")
    return side_of(line["announced_by"], declarer, partner).value


def slip_data(tariff: Tariff, record: Mapping[str, Any]) -> QueryDict:
    """Return the params of a slip on which *record* is filled in."""
    data = QueryDict(mutable=True)
    band = _band_of(tariff, record)
    implied = {(bonus, side.value) for bonus, side in (band.made if band else ())}
    for key, value in record.items():
        match key:
            case "bonuses":
                for line in value:
                    if (line["bonus"], line.get("side")) not in implied:
                        _add_line(data, line)
            case "holdings":
                for player, number in value.items():
                    data[f"held-{player}"] = str(number)
            case "won":
                data["won"] = str(scoring.bands(tariff).index(band)) if band else ""
            case "multiplier":
                pass
            case _:
                data[key] = str(value)
    if "partner" not in record and record.get("ending", "played") == "played":
        data["partner"] = ALONE
    return data


def _add_line(data: QueryDict, line: Mapping[str, Any]) -> None:
    bonus = line["bonus"]
    if "side" in line:
        cell = "silent" if line["made"] else "lost"
        data.appendlist(f"{bonus}-{cell}", line["side"])
        return
    cell = "made" if line["made"] else "failed"
    data.appendlist(f"{bonus}-{cell}", str(line["announced_by"]))
    if line.get("contra"):
        data[f"{bonus}-contra-{line['announced_by']}"] = str(line["contra"])


def _band_of(tariff: Tariff, record: Mapping[str, Any]) -> Band | None:
    """Return the band closest to *record*, which has no card points."""
    if record.get("won") is None:
        return None
    made = {
        (line["bonus"], _side(line, record))
        for line in record.get("bonuses", ())
        if line["made"]
    }
    likely = [band for band in scoring.bands(tariff) if band.won is record["won"]]
    return max(
        likely,
        key=lambda band: sum(
            1 if (bonus, side.value) in made else -1 for bonus, side in band.made
        ),
    )
