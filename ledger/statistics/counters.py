"""Which hands a figure counts: what a hand adds to it for a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ledger.statistics.played_hand import PlayedHand, PlayedRole, ScoredLine
from scoring import Side


class CountedMark(NamedTuple):
    """What a hand adds to a figure: one more, whether it succeeded, points."""

    about: str = ""
    hit: bool = False
    points: int = 0


Counted = Callable[[PlayedHand, int], Iterator[CountedMark]]
"""What a hand means to a player; for the club's figures the player is NOBODY."""


def hands(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    if not fact.thrown_in and player in fact.players:
        gain = fact.gain(player)
        yield CountedMark("", gain > 0, gain)


def thrown_in(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    if fact.thrown_in and player in fact.players:
        yield CountedMark()


def as_role(role: PlayedRole) -> Counted:
    def counted(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
        if fact.role(player) is role:
            yield CountedMark("", fact.has_won(player), fact.gain(player))

    return counted


def contract(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    if fact.role(player) in (PlayedRole.DECLARER, PlayedRole.ALONE):
        about = fact.about(fact.contract)
        yield CountedMark(about, fact.won is True, fact.gain(player))


def announced(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line in fact.lines:
        if line.kind == "bonus" and line.announced and line.player == player:
            yield CountedMark(fact.about(line.item), line.made is True)


def silent(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line in _own_silent(fact, player):
        yield CountedMark(fact.about(line.item), True)


def missed(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line in _own_silent(fact, player):
        bonus = fact.game.bonus.get(line.item)
        if bonus is None or Side(line.side) not in bonus.announced_by:
            continue
        if line.points and (bonus.announced or 0) > (bonus.silent or 0):
            yield CountedMark(fact.about(line.item), True)


def _own_silent(fact: PlayedHand, player: int) -> Iterator[ScoredLine]:
    side = fact.side(player)
    if side is None:
        return
    for line in fact.lines:
        if _is_silent(line) and line.side == side.value:
            yield line


def _is_silent(line: ScoredLine) -> bool:
    return line.kind == "bonus" and not line.announced and line.made is True


def contra_given(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    for item, level, owns, hit in _doubled(fact, player):
        if not owns or level > 1:
            yield CountedMark(fact.about(item), hit)


def contra_received(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    for item, level, owns, hit in _doubled(fact, player):
        if owns or level > 1:
            yield CountedMark(fact.about(item), hit)


def _doubled(fact: PlayedHand, player: int) -> Iterator[tuple[str, int, bool, bool]]:
    """Yield item and level, whether *player*'s side owns it, and whether it gained.

    The game is the declarer's, a bonus belongs to the side that announced it. The
    first contra is the other side's, the next its owner's, and so on in turn.
    """
    side = fact.side(player)
    if side is None:
        return
    for line in fact.lines:
        if line.contra:
            game = line.kind != "bonus"
            owner = Side.DECLARER if game else Side(line.side)
            item = fact.contract if game else line.item
            yield item, line.contra, owner is side, line.points * side.sign > 0


def captured(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line, own in _captures(fact, player):
        if own:
            yield CountedMark(fact.about(line.item), True)


def suffered(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line, own in _captures(fact, player):
        if not own:
            yield CountedMark(fact.about(line.item), True)


def _captures(fact: PlayedHand, player: int) -> Iterator[tuple[ScoredLine, bool]]:
    side = fact.side(player)
    for line in fact.lines:
        bonus = fact.game.bonus.get(line.item) if line.kind == "bonus" else None
        if side is not None and bonus and bonus.captures and line.made:
            yield line, line.side == side.value


def mayor(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    if fact.xxi_lost_by == player:
        yield CountedMark("", True, fact.gain(player))


def together_with(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    yield from _met(fact, player, together=True)


def against(fact: PlayedHand, player: int) -> Iterator[CountedMark]:
    yield from _met(fact, player, together=False)


def _met(fact: PlayedHand, player: int, *, together: bool) -> Iterator[CountedMark]:
    side = fact.side(player)
    if side is None:
        return
    for other in fact.players:
        if other != player and (fact.side(other) is side) is together:
            yield CountedMark(str(other), fact.gain(player) > 0, fact.gain(player))


def played_contract(fact: PlayedHand, nobody: int) -> Iterator[CountedMark]:
    if fact.declarer is not None:
        yield from contract(fact, fact.declarer)


def seat(fact: PlayedHand, nobody: int) -> Iterator[CountedMark]:
    if not fact.thrown_in and fact.declarer is not None:
        gain = fact.gain(fact.declarer)
        yield CountedMark(str(fact.seat), fact.won is True, gain)


def club_announced(fact: PlayedHand, nobody: int) -> Iterator[CountedMark]:
    for line in fact.lines:
        if line.kind == "bonus" and line.announced:
            yield CountedMark(fact.about(line.item), line.made is True)


def club_silent(fact: PlayedHand, nobody: int) -> Iterator[CountedMark]:
    for line in fact.lines:
        if _is_silent(line):
            yield CountedMark(fact.about(line.item), True)
