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
    scope = locked_scope(scope)
    if done := done_in_scope(id, Action.Kind.FEE, scope):
        return done
    check_scope_open(scope)
    _check_charges(scope, charges, reason)
    action = begin_in_scope(Action.Kind.FEE, scope, id, by, reason)
    gains = {player.pk: -amount for player, amount in charges.items() if amount}
    gains[pot_of(scope.club).pk] = -sum(gains.values())
    entry = money_entry(action, scope, Kind.FEE, "fee", note=reason)
    writer.post([(entry, scope_gains(scope, gains))])
    return action


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
    scope = locked_scope(scope)
    if done := done_in_scope(id, Action.Kind.PRIZE, scope):
        return done
    check_scope_open(scope)
    _check_charges(scope, {player: amount}, reason)
    action = begin_in_scope(Action.Kind.PRIZE, scope, id, by, reason)
    entry = money_entry(action, scope, Kind.PRIZE, "prize", note=reason)
    gains = {player.pk: amount, pot_of(scope.club).pk: -amount}
    writer.post([(entry, scope_gains(scope, gains))])
    return action


def shares(amount: int, players: Iterable[Player]) -> dict[Player, int]:
    """Return the share of each player in *amount*.

    Odd coins fall to those who came to the club first, whatever the order of *players*.
    """
    people = sorted(players, key=lambda player: player.pk)
    share, odd = divmod(amount, len(people) or 1)
    return {player: share + (place < odd) for place, player in enumerate(people)}


def _check_charges(
    scope: SettlementScope, charges: Mapping[Player, int], reason: str
) -> None:
    problems = _charge_problems(scope, charges)
    if found := [*problems, *text_problems(reason, needed=True)]:
        raise Refused(found)


def _charge_problems(
    scope: SettlementScope, charges: Mapping[Player, int]
) -> Iterator[Problem]:
    if {player.club_id for player in charges} - {scope.club.pk}:
        raise ValueError(f"expected players of club {scope.club.pk}")
    if any(player.is_pot for player in charges):
        yield problem("player", _("The pot is not a player: choose a player."))
    if min(charges.values(), default=0) < 0 or not any(charges.values()):
        yield problem("amount", _("Enter an amount above 0."))
    if sum(charges.values()) > MOST_AMOUNT:
        yield problem("amount", _("That is too much for one payment: enter less."))
