"""Line-up changes: who joined, left, took a break or swapped seats by an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from ledger.models import Action
from ledger.text.hands import People, name_of
from scoring import roman


class _LineUp(NamedTuple):
    from_hand: int
    players: tuple[int, ...]
    """In seat order."""
    on_break: frozenset[int]
    dealer: int | None


def changes_of(action: Action, people: People) -> Iterator[str]:
    """Yield in words each change of a line-up by *action*."""
    before = {table: _last(dumps) for table, dumps in action.seating_before.items()}
    after = {table: _last(dumps) for table, dumps in action.seating_after.items()}
    if len(after) > 1:
        yield from _moves(action, before, after, people)
        return
    for table, now in after.items():
        yield from _changes(before.get(table) or now, now, people)


def swap_of(action: Action, people: People) -> str:
    """Return in words which two players *action* had swap seats."""
    for table, after in action.seating_after.items():
        before = action.seating_before[table]
        for now in (_last([dump]) for dump in after if dump not in before):
            was = _last([dump for dump in before if dump[0] <= now.from_hand])
            places = zip(now.players, was.players, strict=False)
            swapped = [player for player, other in places if player != other]
            if len(swapped) == 2:
                words = _("{name} and {other} swapped seats from hand {number} on")
                return words.format(
                    name=name_of(people, swapped[0]),
                    other=name_of(people, swapped[1]),
                    number=now.from_hand,
                )
    return _("Two seats corrected")


def _last(dumps: Sequence[Any]) -> _LineUp:
    """Return the last of the line-ups that an action stored."""
    from_hand, dealer, seats = dumps[-1]
    players = tuple(player for player, _on_break in seats)
    on_break = frozenset(player for player, is_on_break in seats if is_on_break)
    return _LineUp(from_hand, players, on_break, dealer)


def _changes(was: _LineUp, now: _LineUp, people: People) -> Iterator[str]:
    joined = [p for p in now.players if p not in was.players]
    left = [p for p in was.players if p not in now.players]
    if len(joined) == len(left) == 1:
        yield _named(_("{name} plays for {other}"), people, joined[0], left[0])
    else:
        yield from (_named(_("{name} joins"), people, p) for p in joined)
        yield from (_named(_("{name} leaves"), people, p) for p in left)
    for player in now.players:
        on_break = player in now.on_break
        if player in was.players and on_break != (player in was.on_break):
            words = _("{name} takes a break") if on_break else _("{name} is back")
            yield _named(words, people, player)
    same = (now.players, now.on_break) == (was.players, was.on_break)
    if same and now.dealer is not None:
        words = _("{name} deals hand {number}")
        yield words.format(name=name_of(people, now.dealer), number=now.from_hand)


def _moves(
    action: Action,
    before: Mapping[str, _LineUp],
    after: Mapping[str, _LineUp],
    people: People,
) -> Iterator[str]:
    """Yield who moved to another table."""
    for table, now in after.items():
        for player in now.players:
            if player not in before[table].players:
                there = action.other_table if action.other_table else action.table
                number = roman(there.number) if there else "?"
                words = _("{name} moves to table {numeral}")
                yield words.format(name=name_of(people, player), numeral=number)


def _named(words: str, people: People, player: int, other: int = 0) -> str:
    return words.format(name=name_of(people, player), other=name_of(people, other))
