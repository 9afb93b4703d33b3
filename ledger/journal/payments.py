"""Money that moves without a hand: payments, settlements, fees, prizes, the stake.

Each is one action with the client's id, taken back in one step. Locks are taken in one
order: the evening, or the club and then its evenings by id; then players by id.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid5

from django.db.models import QuerySet
from django.utils import timezone

from ledger import settlement
from ledger.journal import actions, rounding, writer
from ledger.journal.actions import Stale, begin, known, twice
from ledger.journal.writer import Gains
from ledger.models import (
    Action,
    Club,
    Entry,
    Evening,
    Player,
    Posting,
    Season,
    User,
    again,
    locks,
)
from ledger.settlement import Method, PlannedPayment, SettlementScope
from ledger.tallies import PLAYED
from ledger.text.amounts import HIGHEST_STAKE as MOST_STAKE
from ledger.text.amounts import PARTS, Stake
from ledger.text.dates import EARLIEST, has_begun, is_likely
from ledger.text.names import same
from scoring import Problem, Refused, problem, refuse
from scoring.text import _

Kind = Entry.Kind
Entries = list[tuple[Entry, Gains]]
MONEY_KINDS = (*Action.AFTER_CLOSING, Action.Kind.FEE, Action.Kind.PRIZE)
"""What `take_back` takes back, and their undoing."""
MOST = 10**15
"""So that sums stay far from what the database can hold."""
MOST_NOTE, MOST_METHOD = 200, 40


@twice
def pay(
    scope: SettlementScope,
    payer: Player,
    payee: Player,
    amount: int,
    *,
    id: UUID,
    by: User,
    method: str = "cash",
    note: str = "",
    paid_by: Player | None = None,
    day: datetime.date | None = None,
    planned: str | None = None,
) -> Action:
    """Write that *payer* gave *payee* so much, in part, in full or more.

    When somebody else, *paid_by*, gave it for him, then he owes that one: it is as if
    that one had given it to him first. It was paid on that *day*, today without one;
    what is settled up to a day counts for that. Raise
    `Refused` when there is nothing to pay or it doesn't fit, `Stale` when the plan of
    the method *planned* has no such payment by now.
    """
    scope = _locked(scope)
    if done := _known(id, Action.Kind.PAY, scope):
        return done
    asked = PlannedPayment(payer, payee, amount)
    if planned and asked.key not in [
        r.key for r in settlement.plan(scope, planned).rows
    ]:
        raise Stale(None, ())
    problems = _wrong_payment(scope, payer, paid_by or payer, payee, amount)
    if wrong := [*problems, *_wrong_words(note, method), *_wrong_day(day)]:
        raise Refused(wrong)
    action = _begin(Action.Kind.PAY, scope, id, by, note)
    payer, payee = _kept(scope, payer), _kept(scope, payee)
    rows = [PlannedPayment(payer, payee, amount)]
    if paid_by is not None and paid_by != payer:
        rows.append(PlannedPayment(_kept(scope, paid_by), payer, amount))
    entries = _payments(action, scope, rows, method, note, day)
    writer.post([*_gathered(action, scope, _apart(scope), day), *entries])
    return action


@twice
def settle(
    scope: SettlementScope,
    method: str | None = None,
    *,
    id: UUID,
    by: User,
    seen: Sequence[tuple[int | None, int | None, int]] | None = None,
    how: str = "cash",
    note: str = "",
    day: datetime.date | None = None,
) -> Action | None:
    """Write all payments of the plan; every balance is exactly 0 then.

    None when nothing is open. *seen* are the keys of the rows that were confirmed:
    raise `Stale` when the plan is another by now.
    """
    scope = _locked(scope)
    if done := _known(id, Action.Kind.SETTLE, scope):
        return done
    plan = settlement.plan(scope, method)
    if plan.method == Method.CARRY and not plan.settled:
        refuse("method", _("Choose an evening to carry it over to."))
    _check_seen(plan.rows, seen)
    return _settle(scope, plan.rows, id, by, how, note, day)


@twice
def settle_one(
    scope: SettlementScope,
    player: Player,
    *,
    id: UUID,
    by: User,
    seen: Sequence[tuple[int | None, int | None, int]] | None = None,
    how: str = "cash",
    note: str = "",
    day: datetime.date | None = None,
) -> Action | None:
    """Write what brings *player* alone to exactly 0; None when he is there."""
    scope = _locked(scope)
    if done := _known(id, Action.Kind.SETTLE, scope):
        return done
    rows, _others = settlement.plan_for_one(scope, player)
    _check_seen(rows, seen)
    return _settle(scope, rows, id, by, how, note, day, only=True)


@twice
def fee(
    scope: SettlementScope,
    charges: Mapping[Player, int],
    *,
    reason: str,
    id: UUID,
    by: User,
) -> Action:
    """Let each of these players owe the pot so much: table money, or a fine."""
    scope = _locked(scope)
    if done := _known(id, Action.Kind.FEE, scope):
        return done
    _check_open(scope)
    if wrong := [*_wrong_charges(scope, charges), *_wrong_words(reason, needed=True)]:
        raise Refused(wrong)
    action = _begin(Action.Kind.FEE, scope, id, by, reason)
    owed = {player.pk: -amount for player, amount in charges.items() if amount}
    owed[pot_of(scope.club).pk] = -sum(owed.values())
    entry = _entry(action, scope, Kind.FEE, "fee", note=reason)
    writer.post([(entry, _gains(scope, owed))])
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
    """Let *player* owe the pot a fine."""
    return fee(scope, {player: amount}, reason=reason, id=id, by=by)


@twice
def prize(
    scope: SettlementScope,
    player: Player,
    amount: int,
    *,
    reason: str,
    id: UUID,
    by: User,
) -> Action:
    """Let the pot owe *player* a prize."""
    scope = _locked(scope)
    if done := _known(id, Action.Kind.PRIZE, scope):
        return done
    _check_open(scope)
    charges = {player: amount}
    if wrong := [*_wrong_charges(scope, charges), *_wrong_words(reason, needed=True)]:
        raise Refused(wrong)
    action = _begin(Action.Kind.PRIZE, scope, id, by, reason)
    entry = _entry(action, scope, Kind.PRIZE, "prize", note=reason)
    won = {player.pk: amount, pot_of(scope.club).pk: -amount}
    writer.post([(entry, _gains(scope, won))])
    return action


def shares(amount: int, players: Iterable[Player]) -> dict[Player, int]:
    """Return what each pays of *amount* for the evening.

    Where it cannot be divided the odd coins fall to those who came to the club first,
    in whatever order the players are given.
    """
    people = sorted(players, key=lambda player: player.pk)
    share, odd = divmod(amount, len(people) or 1)
    return {player: share + (place < odd) for place, player in enumerate(people)}


@twice
def carry(evening: Evening, to: Evening | None, *, id: UUID, by: User) -> Action | None:
    """Carry what is open over to evening *to*; without one, to the season.

    None when nothing is open.
    """
    both = {e.pk: e for e in _lock_evenings([evening.pk, to.pk if to else evening.pk])}
    here = SettlementScope.of_evening(both[evening.pk])
    there = SettlementScope.of_season(both[evening.pk].season, here.currency)
    if done := _known(id, Action.Kind.CARRY, here):
        return done
    if to is not None:
        there = SettlementScope.of_evening(both[to.pk])
        if wrong := list(_wrong_target(here, there)):
            raise Refused(wrong)
    left = {pk: amount for pk, amount in settlement.sums_of(here).items() if amount}
    if not left:
        return None
    action = _begin(Action.Kind.CARRY, here, id, by, "")
    writer.post(
        [
            _carried(action, here, "out", {pk: -amount for pk, amount in left.items()}),
            _carried(action, there, "in", left),
        ]
    )
    return action


@twice
def take_back(action: Action, *, id: UUID, by: User) -> Action:
    """Take back all that *action* moved, or move again what it took back.

    A payment across evenings has their debts carried to its book; where more was paid
    in there since, they stay there, or somebody could pay them twice. Raise `Stale`
    when it was done already, `Closed` where it is too late for it.
    """
    kind = actions.undone_original(action).kind
    if kind not in MONEY_KINDS:
        raise ValueError(f"expected an action of {MONEY_KINDS}, not {kind}")
    scopes = _lock_all_of(action)
    if done := known(id, Action.Kind.UNDO, undoes_id=action.pk):
        return done
    if since := list(Action.objects.filter(undoes=action)):
        raise Stale(None, since)
    for scope in scopes if kind not in Action.AFTER_CLOSING else []:
        _check_open(scope)
    entries = taken_back_with(action)
    undoing = begin(
        Action.Kind.UNDO,
        id=id,
        by=by,
        undoes=action,
        reason=action.reason,
        **_book_of(action),
    )
    turned = [_turned(undoing, entry) for entry in entries]
    now = {scope.evening.pk: scope.currency for scope in scopes if scope.evening}
    if any(
        now.get(e.evening_id or 0, e.currency) != e.currency for e, _gains in turned
    ):
        refuse("action", _("The evening is now played in another currency."))
    writer.post(turned)
    return undoing


def taken_back_with(action: Action) -> QuerySet[Entry]:
    """Return the entries that are taken back with *action*, as things stand now."""
    known = action.entries.select_related("reverses", "evening", "season")
    entries = known.prefetch_related("postings__player").order_by("created_at", "pk")
    paying = actions.undone_original(action).kind in (
        Action.Kind.PAY,
        Action.Kind.SETTLE,
    )
    if paying and _paid_since(action):
        return entries.exclude(kind=Kind.CARRY)
    return entries


def _paid_since(action: Action) -> bool:
    """Return whether payments count that were made later in the book of *action*."""
    later = {f"action__{name}": of for name, of in _book_of(action).items()}
    paid = Entry.objects.filter(kind=Kind.PAYMENT, reversal=None, **later)
    return paid.filter(action__number__gt=action.number).exists()


def pot_of(club: Club) -> Player:
    """Return the pot of *club*, made when it is used first."""
    found = settlement.pot_or_unsaved(club)
    if found.pk:
        return found
    name = found.name
    taken = club.players.values_list("name", flat=True)
    while any(same(name, other) for other in taken):
        name += " ·"
    return club.players.create(name=name, kind=Player.Kind.POT)


# Locks and scopes


def _locked(scope: SettlementScope) -> SettlementScope:
    """Return *scope* as it is now, and let nobody else settle any of it meanwhile."""
    if scope.evening:
        return replace(scope, evening=locks.locked_evening(scope.evening))
    locks.locked_club(scope.club.pk)
    within = Evening.objects.there().filter(club=scope.club)
    if scope.season:
        within = within.filter(season=scope.season)
    if scope.until:
        within = within.filter(date__lte=scope.until)
    _lock_evenings(within.values_list("pk", flat=True))
    if scope.season:
        return replace(scope, season=Season.objects.get(pk=scope.season.pk))
    return scope


def _lock_evenings(pks: Iterable[int]) -> list[Evening]:
    found = Evening.objects.filter(pk__in=pks).select_related("club").order_by("pk")
    evenings = list(found.select_for_update(of=("self",), no_key=True))
    for evening in evenings:
        locks.there(evening)
    return evenings


def _lock_all_of(action: Action) -> list[SettlementScope]:
    """Lock every book *action* wrote in, and return them."""
    entries = list(action.entries.select_related("season"))
    outside = [entry for entry in entries if entry.evening_id is None]
    if action.evening_id is None and outside:
        locks.locked_club(outside[0].club_id)
    pks = {entry.evening_id for entry in entries if entry.evening_id}
    pks |= {action.evening_id} if action.evening_id else set()
    evenings = _lock_evenings(pks)
    seasons = {e.season_id: e.season for e in outside if e.season is not None}
    return [
        *(SettlementScope.of_evening(evening) for evening in evenings),
        *(SettlementScope.of_season(season, "") for season in seasons.values()),
    ]


def _check_open(scope: SettlementScope) -> None:
    if scope.evening:
        locks.open_or_closed(scope.evening)
    elif scope.season and scope.season.closed_at:
        raise locks.SeasonClosed(scope.season)


def _known(id: UUID, kind: Action.Kind, scope: SettlementScope) -> Action | None:
    book = {
        f"{name}_id": of.pk if of else None for name, of in scope.action_fields.items()
    }
    return known(id, kind, **book)


def _begin(
    kind: Action.Kind, scope: SettlementScope, id: UUID, by: User, reason: str
) -> Action:
    return begin(kind, id=id, by=by, reason=reason.strip(), **scope.action_fields)


def _book_of(action: Action) -> dict[str, Any]:
    return {name: getattr(action, name) for name in ("evening", "season", "club")}


# Entries


def _settle(
    scope: SettlementScope,
    rows: Sequence[PlannedPayment],
    id: UUID,
    by: User,
    how: str,
    note: str,
    day: datetime.date | None,
    *,
    only: bool = False,
) -> Action | None:
    """Write the payments; when somebody settles alone and needs none, nothing."""
    if wrong := [*_wrong_words(note, how), *_wrong_day(day)]:
        raise Refused(wrong)
    apart = [] if only and not rows else _apart(scope)
    if not rows and not apart:
        return None
    action = _begin(Action.Kind.SETTLE, scope, id, by, note)
    kept = [
        PlannedPayment(_kept(scope, r.payer), _kept(scope, r.payee), r.amount)
        for r in rows
    ]
    payments = _payments(action, scope, kept, how, note, day)
    writer.post([*_gathered(action, scope, apart, day), *payments])
    return action


def _payments(
    action: Action,
    scope: SettlementScope,
    rows: Sequence[PlannedPayment],
    method: str,
    note: str,
    day: datetime.date | None = None,
) -> Entries:
    return [
        (
            _entry(
                action,
                scope,
                Kind.PAYMENT,
                f"payment {row.payer.pk} {row.payee.pk}",
                note=note,
                method=method,
                day=day,
            ),
            _gains(scope, {row.payer.pk: row.amount, row.payee.pk: -row.amount}),
        )
        for row in rows
    ]


def _apart(scope: SettlementScope) -> list[tuple[SettlementScope, settlement.Sums]]:
    """Return what the narrower books in *scope* hold open, each by itself."""
    if scope.evening:
        return []
    own = (None, scope.season.pk if scope.season else None)
    books = settlement.sums_by_scope(scope)
    evenings = Evening.objects.in_bulk([e for e, _season in books if e is not None])
    seasons = Season.objects.in_bulk([s for _evening, s in books if s is not None])
    return [
        (
            replace(
                scope,
                evening=evenings[evening] if evening else None,
                season=seasons[season] if season else None,
            ),
            {player: amount for player, amount in sums.items() if amount},
        )
        for (evening, season), sums in sorted(books.items(), key=str)
        if (evening, season) != own and any(sums.values())
    ]


def _gathered(
    action: Action,
    scope: SettlementScope,
    apart: Iterable[tuple[SettlementScope, settlement.Sums]],
    day: datetime.date | None = None,
) -> Entries:
    """Return what carries the debts of narrower books to the book of *scope*."""
    entries: Entries = []
    total: Counter[int] = Counter()
    for book, sums in apart:
        of = book.evening or book.season or book.club
        name = f"out of {of._meta.model_name} {of.pk}"
        out = {player: -amount for player, amount in sums.items()}
        entries.append(_carried(action, book, name, out, day))
        total.update(sums)
    if any(total.values()):
        entries.append(_carried(action, scope, "in", total, day))
    return entries


def _carried(
    action: Action,
    scope: SettlementScope,
    name: str,
    gains: Mapping[int, int],
    day: datetime.date | None = None,
) -> tuple[Entry, Gains]:
    moved = {player: amount for player, amount in gains.items() if amount}
    entry = _entry(action, scope, Kind.CARRY, f"carried {name}", day=day)
    return entry, _gains(scope, moved)


def _entry(
    action: Action,
    scope: SettlementScope,
    kind: Entry.Kind,
    name: str,
    *,
    note: str = "",
    method: str = "",
    day: datetime.date | None = None,
) -> Entry:
    on = day or timezone.localdate(actions.now())
    return Entry(
        id=uuid5(action.pk, name),
        action=action,
        club=scope.club,
        evening=scope.evening,
        season=None if scope.evening else scope.season,
        kind=kind,
        currency=scope.currency,
        method=method.strip(),
        note=note.strip(),
        date=scope.until or on,
        paid_on=on if kind == Kind.PAYMENT else None,
        created_by_id=action.by_id,
    )


def _gains(scope: SettlementScope, amounts: Mapping[int, int]) -> Gains:
    return {
        player: (0, amount) if scope.in_money else (amount, 0)
        for player, amount in amounts.items()
    }


def _turned(undoing: Action, entry: Entry) -> tuple[Entry, Gains]:
    """Return what takes *entry* back, or writes again what it took back."""
    if entry.reverses is None:
        return writer.reversal(undoing, entry)
    was = entry.reverses
    entered = Entry(
        id=again(undoing.pk, was.pk),
        action=undoing,
        club_id=was.club_id,
        evening_id=was.evening_id,
        season_id=was.season_id,
        kind=was.kind,
        currency=was.currency,
        method=was.method,
        note=was.note,
        date=was.date,
        paid_on=was.paid_on,
        created_by_id=undoing.by_id,
    )
    return entered, {p.player_id: (-p.points, -p.money) for p in entry.postings.all()}


def _kept(scope: SettlementScope, player: Player) -> Player:
    """Return *player*; the pot of a plan may not be kept yet."""
    return pot_of(scope.club) if player.is_pot else player


def at_stake(evening: Evening) -> list[Entry]:
    """Return the entries that count for the game of *evening*."""
    live = Entry.objects.filter(
        evening=evening,
        kind__in=PLAYED,
        reversal=None,
    )
    return list(live.prefetch_related("postings").order_by("created_at", "pk"))


def is_in_money(entry: Entry) -> bool:
    """Tell whether *entry* moved money alone, which another stake leaves as it is."""
    moved = entry.postings.all()
    return entry.kind == Kind.ADJUSTMENT and not any(p.points for p in moved)


def _worth(entry: Entry, evening: Evening) -> Gains:
    postings = entry.postings.all()
    if is_in_money(entry):
        return {p.player_id: (0, p.money) for p in postings}
    return writer.gains(evening, {p.player_id: p.points for p in postings})


def restake(action: Action, evening: Evening, currency: str, stake: Stake) -> None:
    """Let a point of *evening* be worth something else, for every hand of it."""
    entries = at_stake(evening)
    back = [writer.reversal(action, entry) for entry in entries]
    writer.post(rounding.topped(action, evening, back))
    evening.currency = currency
    evening.stake, evening.stake_parts = stake.numerator, stake.denominator
    evening.save(update_fields=["currency", "stake", "stake_parts"])
    anew = [
        (
            Entry(
                id=again(action.pk, entry.pk),
                action=action,
                club_id=entry.club_id,
                evening=evening,
                kind=entry.kind,
                version_id=entry.version_id,
                sheet_hand=entry.sheet_hand,
                currency=currency,
                note=entry.note,
                created_by_id=action.by_id,
            ),
            _worth(entry, evening),
        )
        for entry in entries
    ]
    writer.post(rounding.topped(action, evening, anew))


# What is refused


def _check_seen(
    rows: Sequence[PlannedPayment],
    seen: Sequence[tuple[int | None, int | None, int]] | None,
) -> None:
    if seen is not None and [row.key for row in rows] != [tuple(row) for row in seen]:
        raise Stale(None, ())


def _wrong_payment(
    scope: SettlementScope, payer: Player, giver: Player, payee: Player, amount: int
) -> Iterator[Problem]:
    if {p.club_id for p in (payer, giver, payee)} != {scope.club.pk}:
        raise ValueError(f"expected players of club {scope.club.pk}")
    if payee in (payer, giver):
        yield problem("payee", _("Nobody can pay themselves: choose two people."))
    if amount <= 0:
        yield problem("amount", _("Enter an amount above 0."))
    if amount > MOST:
        yield problem("amount", _("That is too much for one payment: enter less."))


def _wrong_charges(
    scope: SettlementScope, charges: Mapping[Player, int]
) -> Iterator[Problem]:
    if {player.club_id for player in charges} - {scope.club.pk}:
        raise ValueError(f"expected players of club {scope.club.pk}")
    if any(player.is_pot for player in charges):
        yield problem("player", _("The pot is not a player: choose a player."))
    if min(charges.values(), default=0) < 0 or not any(charges.values()):
        yield problem("amount", _("Enter an amount above 0."))
    if sum(charges.values()) > MOST:
        yield problem("amount", _("That is too much for one payment: enter less."))


def _wrong_words(
    note: str, method: str = "", *, needed: bool = False
) -> Iterator[Problem]:
    if needed and not note.strip():
        yield problem("reason", _("Say what it is for."))
    for field, said, most in (
        ("reason" if needed else "note", note, MOST_NOTE),
        ("method", method, MOST_METHOD),
    ):
        if len(said.strip()) > most:
            message = _("Use {most} characters or fewer.")
            yield problem(field, message, most=most)


def _wrong_day(day: datetime.date | None) -> Iterator[Problem]:
    if day is not None and not has_begun(day):
        yield problem("day", _("This date is in the future."))
    elif day is not None and not is_likely(day):
        message = _("Look at the year: nothing is kept from before {year}.")
        yield problem("day", message, year=EARLIEST.year)


def _wrong_target(here: SettlementScope, there: SettlementScope) -> Iterator[Problem]:
    if here.evening == there.evening or here.club != there.club:
        yield problem("to", _("Choose another evening of the club."))
    elif here.currency != there.currency:
        yield problem("to", _("That evening is played in another currency."))


def wrong_stake(evening: Evening, currency: str, stake: Stake) -> Iterator[Problem]:
    fits = stake.denominator in PARTS and 0 <= stake.numerator <= MOST_STAKE
    if (currency == "") != (stake == 0) or not fits:
        yield problem("stake", _("Enter what a point is worth, and in which currency."))
    if currency == evening.currency:
        return
    live = Entry.objects.filter(evening=evening, reversal=None)
    moved = live.filter(kind__in=(Kind.PAYMENT, Kind.FEE, Kind.PRIZE, Kind.CARRY))
    in_money = Posting.objects.filter(
        entry__in=live.filter(kind=Kind.ADJUSTMENT), points=0
    ).exclude(money=0)
    if moved.exists() or in_money.exists():
        message = _("First take back what was paid in the other currency.")
        yield problem("currency", message)
