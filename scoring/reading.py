"""From a record in JSON to a hand: what is malformed becomes a problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from scoring.hand import BonusLine, Hand
from scoring.items import HIGHEST_MULTIPLIER, Bonus
from scoring.problems import Problem, problem
from scoring.sides import Seat, Side, side_of
from scoring.text import Who, _, plain, quoted
from scoring.variant import Tariff, Variant

KNOWN = frozenset(Hand.__dataclass_fields__)
LINE_KEYS = frozenset({"bonus", "announced_by", "side", "contra", "made"})
SIDES = {side.value: side for side in Side}

BONUS_NEEDS = _(
    "Each bonus needs its id, whether it was made, and who announced it "
    "or which side made it, and nothing else."
)


def read(
    tariff: Tariff, players: Sequence[Any], record: object
) -> tuple[Hand, list[Problem]]:
    """Return the hand that *record* describes, and what could not be read of it.

    *players* are the active players from forehand on. A field with a problem has
    its default in the hand.
    """
    return _Reader(tariff.variant, players).read(record)


class _Reader:
    def __init__(self, variant: Variant, players: Sequence[Any]) -> None:
        self.variant = variant
        self.seats: dict[Any, Seat] = {p: seat for seat, p in enumerate(players)}
        self.problems: list[Problem] = []
        if len(self.seats) != variant.active or len(players) != variant.active:
            self._wrong(
                "players",
                _("{count} different players are needed."),
                count=variant.active,
            )

    def read(self, record: object) -> tuple[Hand, list[Problem]]:
        if not isinstance(record, Mapping):
            self._wrong("hand", _("A hand must be an object with its fields."))
            return Hand(), self.problems
        self.declarer = self._seat("declarer", record.get("declarer"))
        self.partner = self._seat("partner", record.get("partner"))
        facts = {}
        for key, value in record.items():
            if key not in KNOWN:
                name = quoted(key)
                self._wrong(str(name), _("A hand has no field “{name}”."), name=name)
            elif value is not None:
                fact = self._fact(key, value)
                if fact is not None:
                    facts[key] = fact
        return Hand(**facts), self.problems

    def _fact(self, key: str, value: object) -> Any:
        """Return the fact in field *key*, None where it is malformed."""
        variant = self.variant
        match key:
            case "declarer":
                return self.declarer
            case "partner":
                return self.partner
            case "contract":
                return self._one_of(key, value, variant.contract)
            case "card_points":
                return self._card_points(value)
            case "won":
                return self._flag(key, value)
            case "contra":
                return self._level(key, value)
            case "bonuses":
                return self._bonuses(value)
            case "holdings":
                return self._holdings(value)
            case "alone":
                return self._one_of(key, value, variant.alone_reason)
            case "called":
                return self._one_of(key, value, variant.called_card)
            case "xxi_lost_by":
                return self._lost(value)
            case "multiplier":
                return self._multiplier(value)
            case "annulled_by":
                return self._seat(key, value)
            case "annulled_because":
                return self._one_of(key, value, variant.annulment)
            case _:
                return self._one_of(key, value, variant.ending)

    def _side_of(self, seat: Seat) -> Side | None:
        if self.declarer is None:
            return None
        return side_of(seat, self.declarer, self.partner)

    def _bonuses(self, lines: object) -> tuple[BonusLine, ...]:
        if not isinstance(lines, list | tuple):
            self._wrong("bonuses", _("Bonuses must be a list."))
            return ()
        return tuple(read for line in lines if (read := self._line(line)))

    def _line(self, line: object) -> BonusLine | None:
        if not isinstance(line, Mapping) or not line.keys() <= LINE_KEYS:
            self._wrong("bonuses", BONUS_NEEDS)
            return None
        id = line.get("bonus")
        bonus = self.variant.bonus.get(id) if isinstance(id, str) else None
        if bonus is None or bonus.announced is bonus.silent is None:
            self._wrong(
                "bonuses", _("This game has no bonus “{value}”."), value=quoted(id)
            )
            return None
        before = len(self.problems)
        announcer = self._seat("bonuses", line.get("announced_by"), bonus.id)
        side = self._side(line.get("side"), bonus.id)
        contra = self._level("bonuses", line.get("contra"), bonus.id)
        made = self._flag("bonuses", line.get("made"), bonus.id)
        if len(self.problems) > before:
            return None
        if announcer is None:
            return self._silent(bonus, side, contra, made)
        return self._announced(bonus, side, announcer, contra, made)

    def _silent(
        self, bonus: Bonus, side: Side | None, contra: int, made: bool | None
    ) -> BonusLine | None:
        if side is None:
            message = _("{bonus}: say who announced it, or which side made it.")
            self._wrong("bonuses", message, about=bonus.id, bonus=plain(bonus.name))
            return None
        return BonusLine(bonus.id, side, None, contra, made is not False)

    def _announced(
        self,
        bonus: Bonus,
        side: Side | None,
        announcer: Seat,
        contra: int,
        made: bool | None,
    ) -> BonusLine | None:
        plays_on = self._side_of(announcer)
        if made is None:
            message = _("{bonus}: say whether it was made.")
        elif side not in (None, plays_on):
            message = _("{bonus}: announced by {player}, who is on the other side.")
        else:
            return BonusLine(bonus.id, plays_on, announcer, contra, made)
        values = {"bonus": plain(bonus.name), "player": Who(announcer)}
        self._wrong("bonuses", message, about=bonus.id, **values)
        return None

    def _holdings(self, held: object) -> dict[Seat, str]:
        if not isinstance(held, Mapping):
            self._wrong(
                "holdings", _("Holdings must name players and their number of trumps.")
            )
            return {}
        by_name = {str(player): player for player in self.seats}
        seats = {
            self._seat("holdings", by_name.get(str(p), p)): n for p, n in held.items()
        }
        values = self.variant.holdings.values if self.variant.holdings else {}
        read = {}
        for seat, number in seats.items():
            if type(number) not in (str, int) or str(number) not in values:
                self._wrong(
                    "holdings",
                    _("{number} cannot be declared. Choose one of: {known}."),
                    number=quoted(number),
                    known=", ".join(values) or "–",
                )
            elif seat is not None:
                read[seat] = str(number)
        return dict(sorted(read.items()))

    def _seat(self, field: str, player: object, about: str = "") -> Seat | None:
        if player is None:
            return None
        try:
            seat = self.seats.get(player)
        except TypeError:
            seat = None
        if seat is None or isinstance(player, bool):
            self._wrong(
                field,
                _("“{name}” is not playing this hand."),
                about=about,
                name=quoted(player),
            )
            return None
        return seat

    def _one_of(
        self, field: str, value: object, known: Mapping[str, object]
    ) -> str | None:
        if isinstance(value, str) and value in known:
            return value
        self._wrong(
            field,
            _("“{value}” is not possible here. Choose one of: {known}."),
            value=quoted(value),
            known=", ".join(known) or "–",
        )
        return None

    def _lost(self, value: object) -> Seat | None:
        if self.variant.mayor is None:
            self._wrong("xxi_lost_by", _("This game has no Mayor: leave this empty."))
            return None
        return self._seat("xxi_lost_by", value)

    def _card_points(self, value: object) -> int | None:
        most = self.variant.pack.points
        if _is_whole(value, most):
            return value
        message = _("The pack holds {most} card points: choose 0 to {most}.")
        self._wrong("card_points", message, most=most)
        return None

    def _level(self, field: str, value: object, about: str = "") -> int:
        top = self.variant.ladder.top
        if value is None or _is_whole(value, top):
            return value or 0
        message = _("Kontra goes up to {top} steps here: choose 0 to {top}.")
        self._wrong(field, message, about=about, top=top)
        return 0

    def _multiplier(self, value: object) -> int:
        if _is_whole(value, HIGHEST_MULTIPLIER) and value and value & (value - 1) == 0:
            return value
        self._wrong("multiplier", _("A deal counts 1, 2, 4, 8 … times."))
        return 1

    def _flag(self, field: str, value: object, about: str = "") -> bool | None:
        if value is None or isinstance(value, bool):
            return value
        self._wrong(field, _("Say true or false, or nothing."), about=about)
        return None

    def _side(self, value: object, about: str) -> Side | None:
        if value is None:
            return None
        if isinstance(value, str) and value in SIDES:
            return SIDES[value]
        self._wrong("bonuses", _("The side is “declarer” or “defenders”."), about=about)
        return None

    def _wrong(
        self, field: str, message: str, *, about: str = "", **values: Any
    ) -> None:
        self.problems.append(problem(field, message, about=about, **values))


def _is_whole(value: object, most: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= most
