"""Context of the table page: the next deal, the score, the hands, the last action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from ledger import tallies
from ledger.access import Request, may_write
from ledger.models import Action, Player, Table, Version
from ledger.models.lookups import with_absent
from ledger.presenters import actions
from ledger.table.deals import Deal, deal, with_mayor
from ledger.table.rotation import PastDeal, round_ends
from ledger.tallies import ListedHand, TallyRow
from ledger.text.hands import People, name_of, summary
from ledger.text.names import short_names
from ledger.views.table.undo import LastAction, Toast, UndoButton, last_action

RECENT = 20
"""Hands that the table page shows at first."""


@dataclass(frozen=True)
class SeatRole:
    icon: str
    words: str


@dataclass(frozen=True)
class ScoreRow:
    player: Player
    points: int
    money: int
    sits_out: bool
    roles: tuple[SeatRole, ...]


@dataclass(frozen=True)
class ListedHandRow:
    """A hand as the table page lists it."""

    pk: UUID
    number: int
    title: str
    sides: str
    contra: int
    contra_word: str
    multiplier: int
    mayor: str
    voided: bool
    gains: tuple[tuple[str, int | None], ...]
    """Points by column, with the short name; None where somebody sat out."""
    ends_round: bool


def table_context(request: Request, table: Table) -> dict[str, Any]:
    """Return the context of the page of *table*."""
    next_deal = deal(table)
    limit = None if "all" in request.GET else RECENT
    hands = tallies.hands_of(table, with_voided=True, limit=limit)[::-1]
    tally = {row.player.pk: row for row in tallies.tally(table.evening)}
    columns = _columns(next_deal, tally, hands)
    rows = list(_rows(hands, next_deal, columns))[::-1]
    writes = may_write(table) and not table.evening.closed_at
    last = last_action(request, table, _people(tally, columns), writes=writes)
    return {
        **_next_deal(table, next_deal),
        "score": [_score(player, tally, next_deal) for player in columns],
        "columns": columns,
        "rows": rows,
        "has_more": len(hands) == limit,
        "may_write": writes,
        "toast": _toast(last.toast, rows),
        "last": last,
    }


def context_after_hand(
    table: Table, due: Deal, version: Version, gains: Mapping[int, int]
) -> dict[str, Any]:
    """Return the context of the table page right after the hand that was *due*.

    It has no hands but this one: the page fetches those before by itself.
    """
    assert due.history is not None
    tally, columns = _tally_and_columns(table, due)
    hand = PastDeal(due.number, _dealer(version, columns), version.thrown_in)
    next_deal = with_mayor(due.history.after(hand), table)
    rows = list(_rows([ListedHand(version, gains, {})], next_deal, columns))
    undo = UndoButton(version.pk, actions.recorded_words(due.number), uuid4())
    return {
        **_next_deal(table, next_deal),
        "score": [_score(player, tally, next_deal) for player in columns],
        "columns": columns,
        "rows": rows,
        "has_more": due.number > 1,
        "may_write": True,
        "toast": Toast(_saved_words(rows[0]), undo),
        "last": LastAction(None, undo, None),
        "saved": version.pk,
    }


def _tally_and_columns(
    table: Table, due: Deal
) -> tuple[dict[int, TallyRow], list[Player]]:
    """Return the tally, and the columns: who sits here, then who played and left."""
    won = tallies.won_by(table.evening)
    here = {p.pk: TallyRow(p, *won.get(p.pk, ())) for p in due.seats}
    left = won.keys() - here.keys()  # or at another table all the time
    if left:
        left &= tallies.players_of(table, limit=RECENT)
    if not left:
        return here, [*due.seats]
    tally = {row.player.pk: row for row in tallies.tally(table.evening)}
    return tally, [*due.seats, *(tally[pk].player for pk in tally if pk in left)]


def _dealer(version: Version, people: Sequence[Player]) -> Player:
    """Return the dealer of *version*, from *people* where he is among them."""
    found = (player for player in people if player.pk == version.dealer_id)
    return next(found, None) or version.dealer


def _next_deal(table: Table, next_deal: Deal) -> dict[str, Any]:
    return {
        "table": table,
        "evening": table.evening,
        "game": table.edition.tariff.variant.name,
        "deal": next_deal,
        "next_dealers": ", ".join(p.name for p in next_deal.next_dealers),
    }


def _columns(
    deal: Deal, tally: dict[int, TallyRow], hands: Sequence[ListedHand]
) -> list[Player]:
    """Return who sits here, in seat order, then who played here and left."""
    seated = {player.pk for player in deal.seats}
    left = {pk for row in hands for pk in row.gains} - seated
    return [*deal.seats, *(tally[pk].player for pk in tally if pk in left)]


def _score(player: Player, tally: dict[int, TallyRow], deal: Deal) -> ScoreRow:
    row = tally.get(player.pk, TallyRow(player))
    return ScoreRow(
        player,
        row.points,
        row.money,
        player not in deal.players,
        tuple(_roles(player, deal)),
    )


def _roles(player: Player, deal: Deal) -> Iterator[SeatRole]:
    if player not in deal.seats:
        yield SeatRole("out", _("has left"))
    elif player == deal.dealer:
        sits_out = player in deal.sitting_out
        yield SeatRole("deck", _("deals, sits out") if sits_out else _("deals"))
    elif player in deal.sitting_out:
        yield SeatRole("mug", _("sits out"))
    elif player == deal.players[0]:
        yield SeatRole("lead", _("leads"))
    if player == deal.mayor:
        yield SeatRole("hat", _("Mayor"))


def _rows(
    hands: Sequence[ListedHand], deal: Deal, columns: Sequence[Player]
) -> Iterator[ListedHandRow]:
    people = with_absent(columns, (pk for row in hands for pk in row.version.players))
    names = short_names(columns)
    dealers = [row.version.dealer_id for row in hands if not row.voided]
    ends = round_ends([*dealers, deal.dealer.pk], [player.pk for player in deal.seats])
    for row in hands:
        version, hand = row.version, summary(row.version, people)
        lost = version.xxi_lost_by_id
        yield ListedHandRow(
            pk=version.hand_id,
            number=version.hand.number,
            title=hand.title,
            sides=hand.sides,
            contra=hand.contra,
            contra_word=hand.contra_word,
            multiplier=version.multiplier,
            mayor=name_of(people, lost) if lost else "",
            voided=row.voided,
            gains=tuple((names[p.name], row.gains.get(p.pk)) for p in columns),
            ends_round=not row.voided and next(ends),
        )


def _people(tally: Mapping[int, TallyRow], columns: Sequence[Player]) -> People:
    """Return everybody of the evening and of the columns, by id."""
    return {row.player.pk: row.player for row in tally.values()} | {
        player.pk: player for player in columns
    }


def _toast(toast: Toast | None, rows: Sequence[ListedHandRow]) -> Toast | None:
    """Return *toast* with the result of the hand, where one was just recorded."""
    action = toast.action if toast else None
    if toast is None or action is None or action.kind != Action.Kind.RECORD:
        return toast
    for row in rows:
        if row.pk == action.pk and not row.voided:
            return replace(toast, words=_saved_words(row))
    return None


def _saved_words(row: ListedHandRow) -> str:
    return _("Hand {number} saved: {what}").format(
        number=row.number, what=_hand_words(row)
    )


def _hand_words(row: ListedHandRow) -> str:
    won = max((gain or 0 for _name, gain in row.gains), default=0)
    points = _("{points} points").format(points=won) if won else _("nobody pays")
    return ", ".join(part for part in (row.title, row.sides, points) if part)
