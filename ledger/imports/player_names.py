"""Whom the names in a sheet mean: exactly a player, or somebody to be asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ledger.text.names import fold, has_letter, tidy

NEW = "new"
MOST_NAME_LETTERS = 60


class NamedPlayer(Protocol):
    @property
    def pk(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def nickname(self) -> str: ...


@dataclass(frozen=True, slots=True)
class SheetName:
    """A name that is no player's exactly, and who it is by the reader's choice."""

    key: str
    """Of all spellings that differ in case and accents alone."""
    name: str
    """As it was written first."""
    player: int
    """Below 0 for somebody who is no player yet."""
    said: bool
    """Whether somebody has said who it is."""
    near: tuple[int, ...]
    """Players whose names are spelt almost so."""
    taken: bool
    """Whether nobody new can be called that."""


class PlayerNames:
    """The players of a club, and what was *chosen* for names that are none of theirs.

    *chosen* is, by the folded name, a player's id or `NEW`; nobody new can have one of
    the names *taken*.
    """

    def __init__(
        self,
        players: Iterable[NamedPlayer],
        chosen: Mapping[str, str],
        taken: Iterable[str] = (),
    ) -> None:
        self.players = {player.pk: player for player in players}
        self._chosen = chosen
        self._taken = {name.casefold() for name in taken}
        self._exact: dict[str, set[int]] = {}
        self._near: dict[str, set[int]] = {}
        for player in self.players.values():
            for name in filter(None, (player.name, player.nickname)):
                self._exact.setdefault(tidy(name), set()).add(player.pk)
                self._near.setdefault(fold(name), set()).add(player.pk)
        self._written: dict[str, SheetName] = {}
        self._found: dict[str, int] = {}

    @property
    def written(self) -> Sequence[SheetName]:
        """The names that were asked about, in the order they were met."""
        return tuple(self._written.values())

    @property
    def open(self) -> Sequence[SheetName]:
        """Those of whom nobody has said who they are."""
        return [one for one in self.written if not one.said]

    @property
    def new(self) -> Mapping[int, str]:
        """Those who would come to the club."""
        return {one.player: one.name for one in self.written if one.player < 0}

    def find(self, text: str) -> int:
        """Return the player that *text* means, or a number below 0 for him."""
        if (found := self._found.get(text)) is None:
            found = self._found[text] = self._find(text)
        return found

    def is_known(self, text: str) -> bool:
        """Tell whether *text* is exactly what somebody in the club is called."""
        return len(self._exact.get(tidy(text), ())) > 0

    def is_open(self, player: int) -> bool:
        return any(one.player == player for one in self.open)

    def name(self, player: int) -> str:
        return self.new[player] if player < 0 else self.players[player].name

    def _find(self, text: str) -> int:
        name = tidy(text)
        exact = self._exact.get(name, set())
        if len(exact) == 1:
            return next(iter(exact))
        key = fold(name)
        if key not in self._written:
            self._written[key] = self._ask(key, name)
        return self._written[key].player

    def _ask(self, key: str, name: str) -> SheetName:
        near = tuple(sorted(self._near.get(key, ())))
        taken = name.casefold() in self._taken or not _is_valid_name(name)
        said = self._chosen.get(key, "")
        player = -1 - len(self._written)
        if said.isdecimal() and int(said) in self.players:
            player = int(said)
        known = player > 0 or (said == NEW and not taken)
        return SheetName(key, name, player, known, near, taken)


def _is_valid_name(name: str) -> bool:
    """Tell whether a new player can be called that."""
    return has_letter(name) and len(name) <= MOST_NAME_LETTERS
