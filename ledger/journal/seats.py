"""People come and go: who sits at a table from its next hand on.

Everybody keeps his place in the order of the deal. Four to six sit at a table, of whom
four at least are there to play; nobody sits at two tables of an evening.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from uuid import UUID

from ledger.journal import actions, evenings, writer
from ledger.journal.actions import twice
from ledger.models import Action, Hand, Player, Table, User, locks
from ledger.table import deals, rotation
from ledger.table.replay import line_up_by_id
from ledger.table.rotation import FEWEST_SEATS, MOST_SEATS, TableLineUp
from scoring import refuse
from scoring.text import _

Arrange = Callable[[TableLineUp[int]], TableLineUp[int]]


@twice
def join(
    at: Table, player: Player, position: int | None = None, *, id: UUID, by: User
) -> Action:
    """Let *player* sit down in front of whoever is at *position*, or behind all."""
    return _arrange(at, _joined(player, position), id, by, comes=player)


@twice
def leave(at: Table, player: Player, *, id: UUID, by: User) -> Action:
    return _arrange(at, _left(player), id, by)


@twice
def substitute(at: Table, out: Player, into: Player, *, id: UUID, by: User) -> Action:
    """Let *into* take the seat of *out*, with his place in the order of the deal."""

    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_seated(now, out)
        _check_new(now, into)
        return replace(
            now,
            dealer=into.pk if now.dealer == out.pk else now.dealer,
            order=tuple(into.pk if p == out.pk else p for p in now.order),
            on_break=now.on_break - {out.pk},
        )

    return _arrange(at, arrange, id, by, comes=into)


@twice
def take_break(at: Table, player: Player, *, id: UUID, by: User) -> Action:
    """Let *player* take a break: he keeps his seat, and neither plays nor deals."""

    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_seated(now, player)
        return _dealt_by_another(
            replace(now, on_break=now.on_break | {player.pk}), player
        )

    return _arrange(at, arrange, id, by)


@twice
def return_from_break(at: Table, player: Player, *, id: UUID, by: User) -> Action:
    """Let *player* come back from his break."""

    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_seated(now, player)
        return replace(now, on_break=now.on_break - {player.pk})

    return _arrange(at, arrange, id, by)


@twice
def set_dealer(at: Table, player: Player, *, id: UUID, by: User) -> Action:
    """Let *player* deal the next hand; the deal goes on from him."""

    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        if player.pk not in now.present:
            refuse("dealer", _("The dealer must sit at the table."))
        return replace(now, dealer=player.pk)

    return _arrange(at, arrange, id, by)


@twice
def move_table(
    at: Table,
    player: Player,
    to: Table,
    position: int | None = None,
    *,
    id: UUID,
    by: User,
) -> Action:
    """Let *player* go on at another table of the evening."""
    at = locks.locked(at)
    if done := actions.known(id, Action.Kind.LINEUP, table=at):
        return done
    locks.open_or_closed(at.evening)
    if to.evening_id != at.evening_id or to == at:
        raise ValueError(f"expected another table of the evening, got {to}")
    changes = [
        (at, *_rearranged(at, _left(player))),
        (to, *_rearranged(to, _joined(player, position))),
    ]
    return _write(changes, id, by)


Changed = tuple[Table, list[TableLineUp[int]], list[TableLineUp[int]]]
"""The line-ups of a table, before and after."""


def _arrange(
    at: Table, arrange: Arrange, id: UUID, by: User, comes: Player | None = None
) -> Action:
    at = locks.locked(at)
    if done := actions.known(id, Action.Kind.LINEUP, table=at):
        return done
    locks.open_or_closed(at.evening)
    if comes is not None:
        _check_free(at, comes)
    return _write([(at, *_rearranged(at, arrange))], id, by)


def _write(changes: Iterable[Changed], id: UUID, by: User) -> Action:
    (at, *_own), *others = changes = list(changes)
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
    """Return the line-ups of a table, and those with another for the next hand."""
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


def _joined(player: Player, position: int | None) -> Arrange:
    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_new(now, player)
        place = len(now.order) if position is None else position
        order = (*now.order[:place], player.pk, *now.order[place:])
        return replace(now, order=order)

    return arrange


def _left(player: Player) -> Arrange:
    def arrange(now: TableLineUp[int]) -> TableLineUp[int]:
        _check_seated(now, player)
        gone = replace(now, on_break=now.on_break | {player.pk})
        return replace(
            _dealt_by_another(gone, player),
            order=tuple(p for p in now.order if p != player.pk),
            on_break=now.on_break - {player.pk},
        )

    return arrange


def _dealt_by_another(now: TableLineUp[int], player: Player) -> TableLineUp[int]:
    """If *player* was to deal, let the next one."""
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
    """Refuse a stranger, and who sits at another table tonight."""
    if player.club_id != at.evening.club_id:
        raise ValueError(f"expected a player of club {at.evening.club_id}")
    evenings.check_free(at.evening_id, [player], here=at)
