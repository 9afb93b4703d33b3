"""Names in a sheet: matched exactly with a player, or left to the reader."""

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
    """A name without an exact match, and the player that the reader chose for it."""

    key: str
    """The folded name: one for all spellings that differ in case and accents."""
    name: str
    """The first spelling in the sheet."""
    player: int
    """Id of the player; negative for a new one."""
    is_resolved: bool
    """The reader has chosen."""
    similar: tuple[int, ...]
    """Ids of players with the same folded name."""
    is_taken: bool
    """No new player can have this name."""


class PlayerNames:
    """Players of a club by name, and the names of a sheet that match none of them.

    *chosen*: a player's id or `NEW`, by the folded name. *taken*: names that no new
    player can have.
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
        self._by_name: dict[str, set[int]] = {}
        self._by_folded_name: dict[str, set[int]] = {}
        for player in self.players.values():
            for name in filter(None, (player.name, player.nickname)):
                self._by_name.setdefault(tidy(name), set()).add(player.pk)
                self._by_folded_name.setdefault(fold(name), set()).add(player.pk)
        self._unmatched: dict[str, SheetName] = {}
        self._found: dict[str, int] = {}

    @property
    def unmatched(self) -> Sequence[SheetName]:
        """Names without an exact match, in the order of the sheet."""
        return tuple(self._unmatched.values())

    @property
    def unresolved(self) -> Sequence[SheetName]:
        """Names for which the reader has yet to choose."""
        return [one for one in self.unmatched if not one.is_resolved]

    @property
    def new_players(self) -> Mapping[int, str]:
        """Names of players to create, by their negative ids."""
        return {one.player: one.name for one in self.unmatched if one.player < 0}

    def find(self, text: str) -> int:
        """Return the id of the player called *text*, or a negative one."""
        if (found := self._found.get(text)) is None:
            found = self._found[text] = self._find(text)
        return found

    def is_known(self, text: str) -> bool:
        """Tell whether *text* is exactly a name or nickname in the club."""
        return len(self._by_name.get(tidy(text), ())) > 0

    def is_unresolved(self, player: int) -> bool:
        return any(one.player == player for one in self.unresolved)

    def name(self, player: int) -> str:
        return self.new_players[player] if player < 0 else self.players[player].name

    def _find(self, text: str) -> int:
        name = tidy(text)
        exact = self._by_name.get(name, set())
        if len(exact) == 1:
            return next(iter(exact))
        key = fold(name)
        if key not in self._unmatched:
            self._unmatched[key] = self._resolve(key, name)
        return self._unmatched[key].player

    def _resolve(self, key: str, name: str) -> SheetName:
        similar = tuple(sorted(self._by_folded_name.get(key, ())))
        taken = name.casefold() in self._taken or not _is_valid_name(name)
        chosen = self._chosen.get(key, "")
        player = -1 - len(self._unmatched)
        if chosen.isdecimal() and int(chosen) in self.players:
            player = int(chosen)
        resolved = player > 0 or (chosen == NEW and not taken)
        return SheetName(key, name, player, resolved, similar, taken)


def _is_valid_name(name: str) -> bool:
    """Tell whether a new player can be called that."""
    return has_letter(name) and len(name) <= MOST_NAME_LETTERS
