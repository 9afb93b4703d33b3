"""The pot of a club: fees and fines into it, prizes out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

from ledger.journal import writer
from ledger.journal.idempotency import retry_once
from ledger.journal.money_entries import (
    MOST_AMOUNT,
    Kind,
    begin_in_scope,
    check_scope_open,
    done_in_scope,
    locked_scope,
    money_entry,
    scope_gains,
    text_problems,
)
from ledger.journal.players import pot_of
from ledger.models import (
    Action,
    Entry,
    Player,
    User,
)
from ledger.settlement import SettlementScope
from scoring import Problem, Refused, problem
from scoring.text import _


@retry_once
def fee(
    scope: SettlementScope,
    charges: Mapping[Player, int],
    *,
    reason: str,
    id: UUID,
    by: User,
) -> Action:
    """Charge players for the pot: table money, or a fine.

    *charges* are minor units by player. Raise `Refused`, `Closed`, `SeasonClosed`.
    """
    return _write(Kind.FEE, scope, charges, reason, id, by)


def fine(
    scope: SettlementScope,
    player: Player,
    amount: int,
    *,
    reason: str,
    id: UUID,
    by: User,
) -> Action:
    """Charge *player* a fine; see `fee`."""
    return fee(scope, {player: amount}, reason=reason, id=id, by=by)


@retry_once
def prize(
    scope: SettlementScope,
    player: Player,
    amount: int,
    *,
    reason: str,
    id: UUID,
    by: User,
) -> Action:
    """Give *player* a prize of the pot. Raise as `fee` does."""
    return _write(Kind.PRIZE, scope, {player: amount}, reason, id, by)


def _write(
    kind: Entry.Kind,
    scope: SettlementScope,
    amounts: Mapping[Player, int],
    reason: str,
    id: UUID,
    by: User,
) -> Action:
    """Write a fee to the pot, or a prize out of it, in one entry."""
    action_kind = Action.Kind(kind.value)
    scope = locked_scope(scope)
    if done := done_in_scope(id, action_kind, scope):
        return done
    check_scope_open(scope)
    _check_amounts(scope, amounts, reason)
    action = begin_in_scope(action_kind, scope, id, by, reason)
    sign = 1 if kind == Kind.PRIZE else -1
    gains = {player.pk: sign * amount for player, amount in amounts.items() if amount}
    gains[pot_of(scope.club).pk] = -sum(gains.values())
    entry = money_entry(action, scope, kind, kind.value, note=reason)
    writer.post([(entry, scope_gains(scope, gains))])
    return action


def shares(amount: int, players: Iterable[Player]) -> dict[Player, int]:
    """Return the share of each player in *amount*.

    Odd coins fall to those who came to the club first, whatever the order of *players*.
    """
    people = sorted(players, key=lambda player: player.pk)
    share, odd = divmod(amount, len(people) or 1)
    return {player: share + (place < odd) for place, player in enumerate(people)}


def _check_amounts(
    scope: SettlementScope, amounts: Mapping[Player, int], reason: str
) -> None:
    problems = _amount_problems(scope, amounts)
    if found := [*problems, *text_problems(reason, needed=True)]:
        raise Refused(found)


def _amount_problems(
    scope: SettlementScope, amounts: Mapping[Player, int]
) -> Iterator[Problem]:
    if {player.club_id for player in amounts} - {scope.club.pk}:
        raise ValueError(f"expected players of club {scope.club.pk}")
    if any(player.is_pot for player in amounts):
        yield problem("player", _("The pot is not a player: choose a player."))
    if min(amounts.values(), default=0) < 0 or not any(amounts.values()):
        yield problem("amount", _("Enter an amount above 0."))
    if sum(amounts.values()) > MOST_AMOUNT:
        yield problem("amount", _("That is too much for one payment: enter less."))
