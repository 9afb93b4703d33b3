"""The hand record: the facts of one deal, typed.

Seats are numbers here; in JSON they are whatever the caller knows his players by.
`scoring.reading` is the way back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.sides import Seat, Side, side_of


@dataclass(frozen=True, slots=True)
class BonusLine:
    """One bonus of one side: announced by a player, or silent (nobody)."""

    bonus: str
    side: Side | None
    """None only while the declarer is not known."""
    announced_by: Seat | None = None
    contra: int = 0
    made: bool = True

    @property
    def announced(self) -> bool:
        return self.announced_by is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What happened in one deal; the ids are those of the variant.

    A fact is None, or empty, where it is not known or does not apply.
    """

    ending: str = "played"
    contract: str | None = None
    declarer: Seat | None = None
    partner: Seat | None = None
    alone: str | None = None
    """Why the declarer plays without a partner."""
    called: str | None = None
    card_points: int | None = None
    """Those of the declarer's side."""
    won: bool | None = None
    """Whether the declarer's side won, where the points were not counted."""
    contra: int = 0
    """How often the game was doubled."""
    bonuses: tuple[BonusLine, ...] = ()
    holdings: Mapping[Seat, str] = field(default_factory=dict, hash=False)
    """Trumps declared, by seat."""
    xxi_lost_by: Seat | None = None
    multiplier: int = 1
    """2, 4, 8 … after deals that were thrown in."""
    annulled_by: Seat | None = None
    annulled_because: str | None = None

    def side_of(self, seat: Seat) -> Side:
        """Return the side of *seat*; without a declarer everybody defends."""
        return side_of(seat, self.declarer, self.partner)

    def has_made(self, bonus: str, side: Side) -> bool:
        """Whether *side* made the bonus of that id, announced or not."""
        return any(
            line.bonus == bonus and line.side is side and line.made
            for line in self.bonuses
        )

    def record(self, players: Sequence[Any]) -> dict[str, Any]:
        """Return the record in JSON's terms, without what equals its default.

        *players* are what the record calls the players, by seat.
        """
        record: dict[str, Any] = {"ending": self.ending}
        for key in PLAIN:
            if (value := getattr(self, key)) is not None:
                record[key] = value
        for key in SEATS:
            if (seat := getattr(self, key)) is not None:
                record[key] = players[seat]
        if self.contra:
            record["contra"] = self.contra
        if self.multiplier != 1:
            record["multiplier"] = self.multiplier
        if self.bonuses:
            record["bonuses"] = [_line(line, players) for line in self.bonuses]
        if self.holdings:
            record["holdings"] = {
                str(players[seat]): number for seat, number in self.holdings.items()
            }
        return record


PLAIN = ("contract", "alone", "called", "card_points", "won", "annulled_because")
SEATS = ("declarer", "partner", "xxi_lost_by", "annulled_by")


def renamed(
    record: Mapping[str, Any],
    name: Callable[[Any], Any],
    key: Callable[[str], Any] | None = None,
) -> dict[str, Any]:
    """Return *record* with each player replaced by what *name* returns for him.

    In holdings players are keys, and so text in JSON: *key* replaces those, where
    *name* takes something else.

    >>> renamed({"declarer": 1, "holdings": {"2": "8"}}, {1: 7}.get, {"2": 8}.get)
    {'declarer': 7, 'holdings': {'8': '8'}}
    """
    new = dict(record)
    for who in SEATS:
        if record.get(who) is not None:
            new[who] = name(record[who])
    if "bonuses" in record:
        new["bonuses"] = [
            {**line, "announced_by": name(line["announced_by"])}
            if line.get("announced_by") is not None
            else line
            for line in record["bonuses"]
        ]
    if "holdings" in record:
        held = record["holdings"].items()
        new["holdings"] = {str((key or name)(who)): number for who, number in held}
    return new


def _line(line: BonusLine, players: Sequence[Any]) -> dict[str, Any]:
    if line.announced_by is None:
        side = line.side.value if line.side else None
        return {"bonus": line.bonus, "side": side, "made": line.made}
    return {
        "bonus": line.bonus,
        "announced_by": players[line.announced_by],
        "contra": line.contra,
        "made": line.made,
    }
