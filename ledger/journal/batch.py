"""Many hands of a table at once, each dealt and counted as if recorded one by one.

A sheet is filled in hand by hand, with nothing read in between; what it holds is then
written in a few statements. Begin a sheet, and write it, under the evening's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ledger.journal import writer
from ledger.journal.actions import last_number
from ledger.journal.writer import HandMove
from ledger.models import Action, Player, Table, User, Version
from ledger.table import replay, rotation
from ledger.table.replay import HandInput, HandPlace, Replay
from scoring import Problem, Refused


@dataclass(frozen=True, slots=True)
class Due:
    """The deal that comes next, before it is played; players are ids."""

    number: int
    dealer: int
    players: tuple[int, ...]
    """Who plays, from forehand on."""
    resting: tuple[int, ...]
    multiplier: int


class Batch:
    """The hands of a table in the order they were played, after those it has.

    Where a problem of `add` is an error the hand is left out, and the next one takes
    its number. `write` and `write_each` empty the sheet, which goes on behind them.
    """

    def __init__(self, at: Table) -> None:
        self.at = at
        self._places: list[HandPlace] = []
        state = replay.load_state(at)
        self._replay = Replay(state, at.edition)
        self._number = len(state.live) + 1

    def __len__(self) -> int:
        return len(self._places)

    @property
    def due(self) -> Due:
        """Return the next deal, as it is if nobody chooses otherwise."""
        replay, tariff = self._replay, self.at.edition.tariff
        now = rotation.line_up_at(replay.line_ups, self._number)
        dealer = rotation.due_dealer(
            replay.line_ups, replay.past, self._number, tariff.redeal
        )
        players = rotation.due_players(now.present, dealer, tariff.variant.active)
        return Due(
            number=self._number,
            dealer=dealer,
            players=players,
            resting=tuple(player for player in now.order if player not in players),
            multiplier=rotation.due_multiplier(
                replay.line_ups, replay.past, tariff.redeal
            ),
        )

    def add(
        self,
        record: object,
        *,
        id: UUID,
        played_at: datetime,
        dealer: Player | None = None,
        resting: Iterable[Player] | None = None,
        players: Iterable[Player] | None = None,
    ) -> tuple[Problem, ...]:
        """Write the next hand down and return everything wrong with it.

        The arguments are those of `journal.record_hand`.
        """
        entered = HandInput(
            record=record,
            dealer=dealer.pk if dealer else None,
            sitting_out=_ids(resting),
            players=_ids(players),
        )
        due = HandPlace(id, self._number, True, played_at, entered=entered)
        try:
            place = self._replay.play(due)
        except Refused as refused:
            return refused.problems
        problems = self._replay.problems.pop(id, ())
        if any(problem.is_error for problem in problems):
            self._replay.past.pop()
            return problems
        self._places.append(place)
        self._number += 1
        return problems

    def write(self, action: Action) -> dict[UUID, Version]:
        """Record all hands by one action, and return them by their ids."""
        return writer.write_moves(action, self.at, self.take())

    def write_each(self, by: User) -> None:
        """Record each hand by an action of its own, at the moment it was played."""
        write_batches([self], by)

    def take(self) -> list[HandMove]:
        """Return what is to be written, and go on behind it."""
        moved = [HandMove(None, place) for place in self._places]
        self._places.clear()
        return moved


def write_batches(sheets: Sequence[Batch], by: User) -> None:
    """Record the hands of several tables of an evening, in the order of play."""
    evening = sheets[0].at.evening
    moved = sorted(
        ((sheet, move) for sheet in sheets for move in sheet.take()),
        key=lambda pair: pair[1].after.played_at,
    )
    last = last_number(evening=evening)
    actions = [
        Action(
            id=move.after.hand,
            kind=Action.Kind.RECORD,
            number=number,
            evening=evening,
            table=sheet.at,
            by_id=by.pk,
            at=move.after.played_at,
        )
        for number, (sheet, move) in enumerate(moved, start=last + 1)
    ]
    Action.objects.bulk_create(actions)
    for sheet in sheets:
        done = [
            (action, move)
            for action, (other, move) in zip(actions, moved, strict=True)
            if other is sheet
        ]
        writer.write_moves_by_action(sheet.at, done)


def _ids(players: Iterable[Player] | None) -> tuple[int, ...] | None:
    return None if players is None else tuple(player.pk for player in players)
