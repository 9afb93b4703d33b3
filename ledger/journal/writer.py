"""What an action writes: hands, versions, lines, entries and seats, all in bulk.

Versions and entries are only ever added. A hand that counts otherwise from now on has
its entry reversed, and is entered again as a new version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias
from uuid import UUID, uuid5

from django.db import connection

import scoring
from ledger.journal import actions, rounding
from ledger.models import (
    Action,
    Entry,
    Evening,
    Hand,
    Line,
    LineUp,
    Player,
    Posting,
    Seat,
    Step,
    Table,
    Version,
)
from ledger.table import replay
from ledger.table.replay import Facts, HandPlace, TableState, differs
from ledger.table.rotation import TableLineUp
from ledger.text import amounts

Gains = Mapping[int, tuple[int, int]]
"""Points and money by player."""


@dataclass(frozen=True, slots=True)
class HandMove:
    """One hand before and after an action."""

    before: HandPlace | None
    after: HandPlace

    @property
    def counted(self) -> Version | None:
        """The version that counted before."""
        return self.before.version if self.before and self.before.live else None

    @property
    def stays(self) -> bool:
        """Whether the version that counted goes on counting."""
        before, after = self.before, self.after
        return bool(before and before.live and after.live) and (
            before is not None and before.facts == after.facts
        )

    @property
    def entered(self) -> Facts | None:
        return self.after.facts if self.after.live and not self.stays else None


Done: TypeAlias = tuple[Action, HandMove]


def moves(before: TableState, after: TableState) -> list[HandMove]:
    """Return what happens to each hand that doesn't stay as it is."""
    was = before.by_hand()
    return [
        HandMove(was.get(place.hand), place)
        for place in after.places
        if place != was.get(place.hand)
    ]


def write_moves(
    action: Action, at: Table, moved: Sequence[HandMove]
) -> dict[UUID, Version]:
    """Make the moves, and return the versions that are new, by hand."""
    return write_moves_by_action(at, [(action, move) for move in moved])


def write_moves_by_action(at: Table, done: Sequence[Done]) -> dict[UUID, Version]:
    """Make the moves, each by its own action, and return the versions that are new."""
    _place(at, [move for _action, move in done])
    scored = [
        (action, move, facts, facts.score())
        for action, move in done
        if (facts := move.entered)
    ]
    new = [
        (_version(action, at, move, facts, score), score)
        for action, move, facts, score in scored
    ]
    Version.objects.bulk_create(version for version, _score in new)
    Line.objects.bulk_create(
        line for version, score in new for line in lines_of(version, score)
    )
    entries = [
        *_reversals(done),
        *(_entry(at.evening, version, score) for version, score in new),
    ]
    if entries:
        post(rounding.topped(done[-1][0], at.evening, entries))
    written = {version.hand_id: version for version, _score in new}
    Step.objects.bulk_create(
        _step(action, move, written.get(move.after.hand))
        for action, move in done
        if differs(move.before, move.after)
    )
    return written


def post(entries: Sequence[tuple[Entry, Gains]]) -> None:
    """Write the postings, then the entries that weigh them, reversals first."""
    if not entries:
        return
    for entry, _gains in entries:
        if moment := actions.of_old():
            entry.created_at = moment
    _lock_players({player for _entry, gains in entries for player in gains})
    Posting.objects.bulk_create(
        Posting(entry_id=entry.pk, player_id=player, points=points, money=money)
        for entry, gains in entries
        for player, (points, money) in sorted(gains.items())
    )
    for reverses in (True, False):
        some = [e for e, _gains in entries if (e.reverses_id is not None) is reverses]
        if some:
            Entry.objects.bulk_create(some)


def copy_entries(entries: Iterable[Entry], postings: Iterable[Posting]) -> None:
    """Write entries as another installation kept them, behind their postings."""
    Posting.objects.bulk_create(postings)
    Entry.objects.bulk_create(entries)


def reversal(action: Action, entry: Entry) -> tuple[Entry, Gains]:
    """Return what gives back everything that *entry* moved."""
    back = Entry(
        id=uuid5(action.pk, f"reversal of {entry.pk}"),
        club_id=entry.club_id,
        evening_id=entry.evening_id,
        season_id=entry.season_id,
        date=entry.date,
        action=action,
        kind=Entry.Kind.REVERSAL,
        reverses=entry,
        currency=entry.currency,
        note=action.reason,
        created_by_id=action.by_id,
    )
    return back, {p.player_id: (-p.points, -p.money) for p in entry.postings.all()}


def lines_of(version: Version, score: scoring.Score) -> list[Line]:
    """Return the rows that keep the explanation of *score*, not yet written."""
    return [
        Line(
            version_id=version.pk,
            position=position,
            item=line.item,
            kind=line.kind,
            side=line.side.value if line.side else "",
            player_id=None if line.seat is None else version.players[line.seat],
            announced=line.announced,
            made=line.made,
            contra=line.contra,
            factor=line.factor,
            base=line.base,
            points=line.points,
            personal=line.personal,
        )
        for position, line in enumerate(score.lines)
    ]


def _place(at: Table, moved: Sequence[HandMove]) -> None:
    """Put the hands in their places; none is in the way of another meanwhile."""
    known = [m for m in moved if m.before]
    if len(moved) > 1:
        live = [m.after.hand for m in known if m.before and m.before.live]
        Hand.objects.filter(pk__in=live).update(voided=True)
    new = [_hand(at, m.after) for m in moved if m.before is None]
    if new:
        Hand.objects.bulk_create(new)
    Hand.objects.bulk_update(
        [_hand(at, m.after) for m in known], ["number", "voided", "played_at"]
    )


def _hand(at: Table, place: HandPlace) -> Hand:
    return Hand(
        id=place.hand,
        table=at,
        number=place.number,
        voided=not place.live,
        played_at=place.played_at,
    )


def _version(
    action: Action, at: Table, move: HandMove, facts: Facts, score: scoring.Score
) -> Version:
    hand = move.after.hand
    last = move.before.version if move.before else None
    return Version(
        id=uuid5(action.pk, str(hand)) if last else hand,
        hand=_hand(at, move.after),
        number=last.number + 1 if last else 1,
        edition=facts.edition,
        record=facts.record,
        dealer_id=facts.dealer,
        dealer_set=facts.dealer_set,
        players=list(facts.players),
        resting=list(facts.sitting_out),
        resting_set=facts.sitting_out_set,
        multiplier=facts.multiplier,
        units=score.units,
        thrown_in=facts.thrown_in,
        xxi_lost_by_id=facts.record.get("xxi_lost_by"),
        recorded_by_id=action.by_id,
        recorded_at=action.at,
    )


def _reversals(done: Iterable[Done]) -> list[tuple[Entry, Gains]]:
    gone = {
        move.counted.pk: action
        for action, move in done
        if move.counted and not move.stays
    }
    if not gone:
        return []
    entries = Entry.objects.filter(version__in=gone, reversal=None)
    return [
        reversal(gone[entry.version_id], entry)
        for entry in entries.prefetch_related("postings")
        if entry.version_id
    ]


def _entry(
    evening: Evening, version: Version, score: scoring.Score
) -> tuple[Entry, Gains]:
    entry = Entry(
        id=version.pk,
        club_id=evening.club_id,
        evening=evening,
        kind=Entry.Kind.HAND,
        version=version,
        currency=evening.currency,
        created_by_id=version.recorded_by_id,
    )
    if version.number == 1:
        # What replaces another is entered after that was taken back.
        entry.created_at = version.recorded_at
    won = dict(zip(version.players, score.payments, strict=True))
    return entry, gains(evening, won)


def gains(evening: Evening, points: Mapping[int, int]) -> Gains:
    """Return the *points* with what they are worth at the stake of *evening*."""
    worth = amounts.at_stake(points, evening.per_point)
    return {player: (points[player], worth[player]) for player in points}


def _step(action: Action, move: HandMove, new: Version | None) -> Step:
    before, after = move.before, move.after
    left = new or (move.counted if move.stays else None)
    return Step(
        action_id=action.pk,
        hand_id=after.hand,
        before_id=move.counted.pk if move.counted else None,
        before_number=before.number if before else None,
        after_id=left.pk if left else None,
        after_number=after.number,
    )


def _lock_players(players: Iterable[int]) -> None:
    if not connection.features.has_select_for_update:
        return  # one writes at a time there
    found = Player.objects.filter(pk__in=players).order_by("pk")
    list(found.select_for_update(no_key=True).values_list("pk"))


# A table as a whole


def turn(action: Action, at: Table, before: TableState, after: TableState) -> None:
    """Make a table what it is to be."""
    write_moves(action, at, moves(before, after))
    if before.line_ups != after.line_ups:
        write_line_ups(at, after.line_ups)


def turned_back(at: Table, state: TableState, action: Action) -> TableState:
    """Return *state* as it was before what *action* did at this table."""
    places = state.by_hand()
    steps = Step.objects.filter(action=action, hand__table=at)
    for step in steps.select_related("before__edition"):
        place = places[step.hand_id]
        facts = replay.facts_of(step.before) if step.before else place.facts
        number = step.before_number or place.number
        places[step.hand_id] = replace(
            place, live=step.before is not None, number=number, facts=facts
        )
    kept = action.seating_before.get(str(at.pk))
    sittings = state.line_ups if kept is None else load_line_ups(kept)
    return replay.renumbered(replay.table_state(sittings, places.values()).items)


# Who sits where


def write_line_ups(at: Table, sittings: Iterable[TableLineUp[int]]) -> None:
    """Let the line-ups of the table be these."""
    Seat.objects.filter(lineup__table=at).delete()
    LineUp.objects.filter(table=at).delete()
    lineups = [
        (LineUp(table=at, from_hand=s.from_hand, dealer_id=s.dealer), s)
        for s in sittings
    ]
    LineUp.objects.bulk_create(lineup for lineup, _sitting in lineups)
    Seat.objects.bulk_create(
        Seat(
            lineup=lineup,
            position=position,
            player_id=player,
            resting=player in sitting.on_break,
        )
        for lineup, sitting in lineups
        for position, player in enumerate(sitting.order)
    )


def dump_line_ups(sittings: Iterable[TableLineUp[int]]) -> list[Any]:
    """Return line-ups as an action keeps them."""
    return [
        [s.from_hand, s.dealer, [[player, player in s.on_break] for player in s.order]]
        for s in sittings
    ]


def load_line_ups(kept: Iterable[Any]) -> list[TableLineUp[int]]:
    """Return the line-ups that an action kept."""
    return [
        TableLineUp(
            from_hand,
            dealer,
            tuple(player for player, _away in seats),
            frozenset(player for player, away in seats if away),
        )
        for from_hand, dealer, seats in kept
    ]
