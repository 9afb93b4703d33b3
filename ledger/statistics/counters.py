"""Counters: for each figure, the marks that one hand adds to it for one player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ledger.statistics.played_hand import PlayedHand, PlayedRole, ScoredLine
from scoring import Side


class CountedMark(NamedTuple):
    """One more of a row: its subject, whether it succeeded, and points."""

    about: str = ""
    hit: bool = False
    points: int = 0


FigureCounter = Callable[[PlayedHand, int], Iterator[CountedMark]]
"""From a hand and a player's id to marks; NOBODY is the player of a club's figure."""


def hands(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    if not hand.thrown_in and player in hand.players:
        gain = hand.gain(player)
        yield CountedMark("", gain > 0, gain)


def thrown_in(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    if hand.thrown_in and player in hand.players:
        yield CountedMark()


def as_role(role: PlayedRole) -> FigureCounter:
    def marks(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
        if hand.role(player) is role:
            yield CountedMark("", hand.has_won(player), hand.gain(player))

    return marks


def contract(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    if hand.role(player) in (PlayedRole.DECLARER, PlayedRole.ALONE):
        about = hand.about(hand.contract)
        yield CountedMark(about, hand.won is True, hand.gain(player))


def announced(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line in hand.lines:
        if line.kind == "bonus" and line.announced and line.player == player:
            yield CountedMark(hand.about(line.item), line.made is True)


def silent(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line in _own_silent(hand, player):
        yield CountedMark(hand.about(line.item), True)


def missed(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line in _own_silent(hand, player):
        bonus = hand.game.bonus.get(line.item)
        if bonus is None or Side(line.side) not in bonus.announced_by:
            continue
        if line.points and (bonus.announced or 0) > (bonus.silent or 0):
            yield CountedMark(hand.about(line.item), True)


def _own_silent(hand: PlayedHand, player: int) -> Iterator[ScoredLine]:
    side = hand.side(player)
    if side is None:
        return
    for line in hand.lines:
        if _is_silent(line) and line.side == side.value:
            yield line


def _is_silent(line: ScoredLine) -> bool:
    return line.kind == "bonus" and not line.announced and line.made is True


def contra_given(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    for item, level, owns, hit in _doubled(hand, player):
        if not owns or level > 1:
            yield CountedMark(hand.about(item), hit)


def contra_received(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    for item, level, owns, hit in _doubled(hand, player):
        if owns or level > 1:
            yield CountedMark(hand.about(item), hit)


def _doubled(hand: PlayedHand, player: int) -> Iterator[tuple[str, int, bool, bool]]:
    """Yield item, level, whether *player*'s side owns the item, and whether it gained.

    The game is owned by the declarer's side, a bonus by the side that announced it.
    The first contra is the other side's, the next the owner's, and so on in turn.
    """
    side = hand.side(player)
    if side is None:
        return
    for line in hand.lines:
        if line.contra:
            game = line.kind != "bonus"
            owner = Side.DECLARER if game else Side(line.side)
            item = hand.contract if game else line.item
            yield item, line.contra, owner is side, line.points * side.sign > 0


def captured(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line, own in _captures(hand, player):
        if own:
            yield CountedMark(hand.about(line.item), True)


def suffered(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    for line, own in _captures(hand, player):
        if not own:
            yield CountedMark(hand.about(line.item), True)


def _captures(hand: PlayedHand, player: int) -> Iterator[tuple[ScoredLine, bool]]:
    side = hand.side(player)
    for line in hand.lines:
        bonus = hand.game.bonus.get(line.item) if line.kind == "bonus" else None
        if side is not None and bonus and bonus.captures and line.made:
            yield line, line.side == side.value


def mayor(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    if hand.xxi_lost_by == player:
        yield CountedMark("", True, hand.gain(player))


def together_with(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    yield from _met(hand, player, merged=True)


def against(hand: PlayedHand, player: int) -> Iterator[CountedMark]:
    yield from _met(hand, player, merged=False)


def _met(hand: PlayedHand, player: int, *, merged: bool) -> Iterator[CountedMark]:
    side = hand.side(player)
    if side is None:
        return
    for other in hand.players:
        if other != player and (hand.side(other) is side) is merged:
            yield CountedMark(str(other), hand.gain(player) > 0, hand.gain(player))


def played_contract(hand: PlayedHand, nobody: int) -> Iterator[CountedMark]:
    if hand.declarer is not None:
        yield from contract(hand, hand.declarer)


def seat(hand: PlayedHand, nobody: int) -> Iterator[CountedMark]:
    if not hand.thrown_in and hand.declarer is not None:
        gain = hand.gain(hand.declarer)
        yield CountedMark(str(hand.seat), hand.won is True, gain)


def club_announced(hand: PlayedHand, nobody: int) -> Iterator[CountedMark]:
    for line in hand.lines:
        if line.kind == "bonus" and line.announced:
            yield CountedMark(hand.about(line.item), line.made is True)


def club_silent(hand: PlayedHand, nobody: int) -> Iterator[CountedMark]:
    for line in hand.lines:
        if _is_silent(line):
            yield CountedMark(hand.about(line.item), True)
