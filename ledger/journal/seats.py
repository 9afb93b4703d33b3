"""Seats: players join, leave, take a break or move, from the next hand on.

Each is one action with the table's line-ups before and after. Four to six sit at a
table, at least four of them present; a player sits at one table of an evening only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from uuid import UUID

from ledger.journal import actions, evenings, idempotency, writer
from ledger.journal.idempotency import retry_once
from ledger.models import Action, Hand, Player, Table, User, locks
from ledger.table import deals, rotation
from ledger.table.replay import line_up_by_id
from ledger.table.rotation import FEWEST_SEATS, MOST_SEATS, TableLineUp
from scoring import refuse
from scoring.text import _

Arrange = Callable[[TableLineUp[int]], TableLineUp[int]]


@retry_once
def join(
    at: Table, player: Player, position: int | None = None, *, id: UUID, by: User
) -> Action:
    """Seat *player* at *position*, before whoever sits there; without one, last."""
    return _arrange(at, _joining(player, position), id, by, newcomer=player)


@retry_once
def leave(at: Table, player: Player, *, id: UUID, by: User) -> Action:
    """Take *player* out of the line-up."""
    return _arrange(at, _leaving(player), id, by)


@retry_once
def substitute(at: Table, out: Player, into: Player, *, id: UUID, by: User) -> Action:
    """Give *into* the seat of *out*, and his turn to deal."""

    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_seated(now, out)
        _check_new(now, into)
        return replace(
            now,
            dealer=into.pk if now.dealer == out.pk else now.dealer,
            order=tuple(into.pk if p == out.pk else p for p in now.order),
            on_break=now.on_break - {out.pk},
        )

    return _arrange(at, arrange, id, by, newcomer=into)


@retry_once
def take_break(at: Table, player: Player, *, id: UUID, by: User) -> Action:
    """Put *player* on a break: he keeps his seat, and neither plays nor deals."""

    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_seated(now, player)
        return _passing_the_deal(
            replace(now, on_break=now.on_break | {player.pk}), player
        )

    return _arrange(at, arrange, id, by)


@retry_once
def return_from_break(at: Table, player: Player, *, id: UUID, by: User) -> Action:
    """End the break of *player*."""

    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_seated(now, player)
        return replace(now, on_break=now.on_break - {player.pk})

    return _arrange(at, arrange, id, by)


@retry_once
def set_dealer(at: Table, player: Player, *, id: UUID, by: User) -> Action:
    """Make *player* the next dealer; the deal goes on from him."""

    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        if player.pk not in now.present:
            refuse("dealer", _("The dealer must sit at the table."))
        return replace(now, dealer=player.pk)

    return _arrange(at, arrange, id, by)


@retry_once
def move_table(
    at: Table,
    player: Player,
    to: Table,
    position: int | None = None,
    *,
    id: UUID,
    by: User,
) -> Action:
    """Move *player* to another table of the evening; see `join` for *position*."""
    at = locks.locked_table(at)
    if done := idempotency.done_before(id, Action.Kind.LINEUP, table=at):
        return done
    locks.check_open(at.evening)
    if to.evening_id != at.evening_id or to == at:
        raise ValueError(f"expected another table of the evening, got {to}")
    changes = [
        (at, *_rearranged(at, _leaving(player))),
        (to, *_rearranged(to, _joining(player, position))),
    ]
    return _write(changes, id, by)


LineUpChange = tuple[Table, list[TableLineUp[int]], list[TableLineUp[int]]]
"""A table with its line-ups before and after."""


def _arrange(
    at: Table, arrange: Arrange, id: UUID, by: User, newcomer: Player | None = None
) -> Action:
    at = locks.locked_table(at)
    if done := idempotency.done_before(id, Action.Kind.LINEUP, table=at):
        return done
    locks.check_open(at.evening)
    if newcomer is not None:
        _check_free(at, newcomer)
    return _write([(at, *_rearranged(at, arrange))], id, by)


def _write(changes: Iterable[LineUpChange], id: UUID, by: User) -> Action:
    changes = list(changes)
    (at, *_line_ups), *others = changes
    action = actions.begin(
        Action.Kind.LINEUP,
        id=id,
        by=by,
        table=at,
        other_table=others[0][0] if others else None,
        seating_before={
            str(t.pk): writer.dump_line_ups(before) for t, before, _a in changes
        },
        seating_after={
            str(t.pk): writer.dump_line_ups(after) for t, _b, after in changes
        },
    )
    for here, _before, after in changes:
        writer.write_line_ups(here, after)
    return action


def _rearranged(
    at: Table, arrange: Arrange
) -> tuple[list[TableLineUp[int]], list[TableLineUp[int]]]:
    """Return the line-ups of a table, and those with one for the next hand."""
    before = [line_up_by_id(sitting) for sitting in deals.line_ups_of(at)]
    number = Hand.objects.filter(table=at, voided=False).count() + 1
    now = rotation.line_up_at(before, number)
    dealer = now.dealer if now.from_hand == number else None
    now = replace(now, from_hand=number, dealer=dealer)
    after = arrange(now)
    if after == now:
        refuse("player", _("It is already so."))
    if len(after.present) < FEWEST_SEATS:
        message = _("{count} are needed to play: somebody has to sit down first.")
        refuse("player", message, count=FEWEST_SEATS)
    if len(after.order) > MOST_SEATS:
        message = _("At most {count} can sit at a table: somebody has to leave first.")
        refuse("player", message, count=MOST_SEATS)
    return before, [*(s for s in before if s.from_hand < number), after]


def _joining(player: Player, position: int | None) -> Arrange:
    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_new(now, player)
        place = len(now.order) if position is None else position
        order = (*now.order[:place], player.pk, *now.order[place:])
        return replace(now, order=order)

    return arrange


def _leaving(player: Player) -> Arrange:
    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_seated(now, player)
        gone = replace(now, on_break=now.on_break | {player.pk})
        return replace(
            _passing_the_deal(gone, player),
            order=tuple(p for p in now.order if p != player.pk),
            on_break=now.on_break - {player.pk},
        )

    return arrange


def _passing_the_deal(now: TableLineUp[int], player: Player) -> TableLineUp[int]:
    """Return *now* with the next dealer, where *player* was to deal."""
    if now.dealer != player.pk or not now.present:
        return now
    return replace(now, dealer=rotation.next_dealer(now.order, now.present, player.pk))


def _check_seated(now: TableLineUp[int], player: Player) -> None:
    if player.pk not in now.order:
        message = _("{player} does not sit at this table.")
        refuse("player", message, player=player)


def _check_new(now: TableLineUp[int], player: Player) -> None:
    if player.pk in now.order:
        message = _("{player} already sits at this table.")
        refuse("player", message, player=player)


def _check_free(at: Table, player: Player) -> None:
    """Raise `Refused` where *player* sits at another table of the evening."""
    if player.club_id != at.evening.club_id:
        raise ValueError(f"expected a player of club {at.evening.club_id}")
    evenings.check_free(at.evening_id, [player], here=at)
