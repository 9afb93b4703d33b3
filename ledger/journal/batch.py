"""Batches: many hands of a table, dealt and scored as if recorded one by one.

A batch is filled hand by hand, with nothing read in between, and written in a few
statements. Create it and write it with the evening locked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ledger.journal import writer
from ledger.journal.actions import last_number
from ledger.journal.writer import HandUpdate
from ledger.models import Action, Player, Table, User, Version
from ledger.table import replay, rotation
from ledger.table.replay import HandInput, HandPlace, Replay
from scoring import Problem, Refused


@dataclass(frozen=True, slots=True)
class Due:
    """The next deal before it is played; players are ids."""

    number: int
    dealer: int
    players: tuple[int, ...]
    """From forehand on."""
    sitting_out: tuple[int, ...]
    multiplier: int


class Batch:
    """Hands of a table in the order of play, after those it has.

    `add` leaves a hand out whose problems have an error; the next takes its number.
    `write` and `write_each` empty the batch, which can be filled again.
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
        """Return the next deal as the rotation gives it."""
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
            sitting_out=tuple(player for player in now.order if player not in players),
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
        """Add the next hand, and return all its problems.

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
        """Record all hands by one action; return their versions by hand id."""
        return writer.write_hands(action, self.at, self.take())

    def write_each(self, by: User) -> None:
        """Record each hand by an action of its own, dated when it was played."""
        write_batches([self], by)

    def take(self) -> list[HandUpdate]:
        """Return the hands to be written, and empty the batch."""
        updates = [HandUpdate(None, place) for place in self._places]
        self._places.clear()
        return updates


def write_batches(batches: Sequence[Batch], by: User) -> None:
    """Record the hands of several tables of an evening, in the order of play.

    Each is recorded by an action of its own, dated when it was played.
    """
    evening = batches[0].at.evening
    updates = sorted(
        ((batch, update) for batch in batches for update in batch.take()),
        key=lambda pair: pair[1].after.played_at,
    )
    last = last_number(evening=evening)
    actions = [
        Action(
            id=update.after.hand,
            kind=Action.Kind.RECORD,
            number=number,
            evening=evening,
            table=batch.at,
            by_id=by.pk,
            at=update.after.played_at,
        )
        for number, (batch, update) in enumerate(updates, start=last + 1)
    ]
    Action.objects.bulk_create(actions)
    for batch in batches:
        own = [
            (action, update)
            for action, (other, update) in zip(actions, updates, strict=True)
            if other is batch
        ]
        writer.write_hands_by_action(batch.at, own)


def _ids(players: Iterable[Player] | None) -> tuple[int, ...] | None:
    return None if players is None else tuple(player.pk for player in players)
