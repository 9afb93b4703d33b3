"""Writer: creates hands, versions, lines, entries, postings, steps and seats, in bulk.

It alone does so, of all that plays the game (`copy_entries` restores a club file).
Versions and entries are only added: where a hand is to count otherwise, its entry is
reversed, and the hand entered again as a new version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias
from uuid import UUID, uuid5

from django.db import connection

import scoring
from ledger.journal import clock, rounding
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
"""Points and minor units by player id."""


@dataclass(frozen=True, slots=True)
class HandUpdate:
    """A hand before and after an action; *before* is None where it is new."""

    before: HandPlace | None
    after: HandPlace

    @property
    def version_before(self) -> Version | None:
        """Return the version that counted before."""
        return self.before.version if self.before and self.before.live else None

    @property
    def is_kept(self) -> bool:
        """Tell whether the version that counted before goes on counting."""
        before, after = self.before, self.after
        return bool(before and before.live and after.live) and (
            before is not None and before.facts == after.facts
        )

    @property
    def new_facts(self) -> Facts | None:
        """Return the facts to be entered as a new version; None where none is."""
        return self.after.facts if self.after.live and not self.is_kept else None


ActionUpdate: TypeAlias = tuple[Action, HandUpdate]


def updates_between(before: TableState, after: TableState) -> list[HandUpdate]:
    """Return the hands that differ between two states of a table."""
    old = before.by_hand()
    return [
        HandUpdate(old.get(place.hand), place)
        for place in after.places
        if place != old.get(place.hand)
    ]


def write_hands(
    action: Action, at: Table, updates: Sequence[HandUpdate]
) -> dict[UUID, Version]:
    """Write *updates* by one action; return the new versions by hand id."""
    return write_hands_by_action(at, [(action, update) for update in updates])


def write_hands_by_action(
    at: Table, updates: Sequence[ActionUpdate]
) -> dict[UUID, Version]:
    """Write hands, each by its own action; return the new versions by hand id."""
    _place_hands(at, [update for _action, update in updates])
    scored = [
        (action, update, facts, facts.score())
        for action, update in updates
        if (facts := update.new_facts)
    ]
    new = [
        (_version(action, at, update, facts, score), score)
        for action, update, facts, score in scored
    ]
    Version.objects.bulk_create(version for version, _score in new)
    Line.objects.bulk_create(
        line for version, score in new for line in lines_of(version, score)
    )
    entries = [
        *_reversals(updates),
        *(_entry(at.evening, version, score) for version, score in new),
    ]
    if entries:
        post(rounding.with_rounding(updates[-1][0], at.evening, entries))
    written = {version.hand_id: version for version, _score in new}
    Step.objects.bulk_create(
        _step(action, update, written.get(update.after.hand))
        for action, update in updates
        if differs(update.before, update.after)
    )
    return written


def post(entries: Sequence[tuple[Entry, Gains]]) -> None:
    """Write balanced entries with their postings, their players locked by id."""
    if not entries:
        return
    for entry, _gains in entries:
        if time := clock.backdated_now():
            entry.created_at = time
    _lock_players({player for _entry, gains in entries for player in gains})
    # The triggers sum up the postings when their entry arrives, and refuse a second
    # entry in force for a hand: postings go first, then reversals, then the rest.
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
    """Write entries of a club file, as another installation had them."""
    Posting.objects.bulk_create(postings)
    Entry.objects.bulk_create(entries)


def reversal(action: Action, entry: Entry) -> tuple[Entry, Gains]:
    """Return the reversal of *entry*: the opposite of each of its postings."""
    reversing = Entry(
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
    return reversing, {p.player_id: (-p.points, -p.money) for p in entry.postings.all()}


def lines_of(version: Version, score: scoring.Score) -> list[Line]:
    """Return the lines that explain *score*, not saved."""
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


def _place_hands(at: Table, updates: Sequence[HandUpdate]) -> None:
    """Create the new hands, and write number, time and voiding of the others."""
    old = [u for u in updates if u.before]
    if len(updates) > 1:
        # Numbers are unique among hands that count: voided, none is in the way.
        live = [u.after.hand for u in old if u.before and u.before.live]
        Hand.objects.filter(pk__in=live).update(voided=True)
    new = [_hand(at, u.after) for u in updates if u.before is None]
    if new:
        Hand.objects.bulk_create(new)
    Hand.objects.bulk_update(
        [_hand(at, u.after) for u in old], ["number", "voided", "played_at"]
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
    action: Action, at: Table, update: HandUpdate, facts: Facts, score: scoring.Score
) -> Version:
    hand = update.after.hand
    last = update.before.version if update.before else None
    return Version(
        id=uuid5(action.pk, str(hand)) if last else hand,
        hand=_hand(at, update.after),
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


def _reversals(updates: Iterable[ActionUpdate]) -> list[tuple[Entry, Gains]]:
    reversed_by = {
        update.version_before.pk: action
        for action, update in updates
        if update.version_before and not update.is_kept
    }
    if not reversed_by:
        return []
    entries = Entry.objects.filter(version__in=reversed_by, reversal=None)
    return [
        reversal(reversed_by[entry.version_id], entry)
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
        # A later version is created after the reversal of the one it replaces.
        entry.created_at = version.recorded_at
    won = dict(zip(version.players, score.payments, strict=True))
    return entry, gains(evening, won)


def gains(evening: Evening, points: Mapping[int, int]) -> Gains:
    """Return *points* with their worth in minor units at the stake of *evening*."""
    worth = amounts.at_stake(points, evening.per_point)
    return {player: (points[player], worth[player]) for player in points}


def _step(action: Action, update: HandUpdate, new: Version | None) -> Step:
    before, after = update.before, update.after
    version = new or (update.version_before if update.is_kept else None)
    return Step(
        action_id=action.pk,
        hand_id=after.hand,
        before_id=update.version_before.pk if update.version_before else None,
        before_number=before.number if before else None,
        after_id=version.pk if version else None,
        after_number=after.number,
    )


def _lock_players(players: Iterable[int]) -> None:
    if not connection.features.has_select_for_update:
        return  # SQLite has one writer at a time
    found = Player.objects.filter(pk__in=players).order_by("pk")
    list(found.select_for_update(no_key=True).values_list("pk"))


# A table as a whole


def write_table(
    action: Action, at: Table, before: TableState, after: TableState
) -> None:
    """Write the hands and line-ups that differ from *before* to *after*."""
    write_hands(action, at, updates_between(before, after))
    if before.line_ups != after.line_ups:
        write_line_ups(at, after.line_ups)


def state_undone(at: Table, state: TableState, action: Action) -> TableState:
    """Return *state* with the steps and line-ups of *action* undone."""
    places = state.by_hand()
    steps = Step.objects.filter(action=action, hand__table=at)
    for step in steps.select_related("before__edition"):
        place = places[step.hand_id]
        facts = replay.facts_of(step.before) if step.before else place.facts
        number = step.before_number or place.number
        places[step.hand_id] = replace(
            place, live=step.before is not None, number=number, facts=facts
        )
    stored = action.seating_before.get(str(at.pk))
    line_ups = state.line_ups if stored is None else load_line_ups(stored)
    return replay.renumbered(replay.table_state(line_ups, places.values()).items)


# Line-ups


def write_line_ups(at: Table, line_ups: Iterable[TableLineUp[int]]) -> None:
    """Replace the line-ups of the table."""
    Seat.objects.filter(lineup__table=at).delete()
    LineUp.objects.filter(table=at).delete()
    lineups = [
        (LineUp(table=at, from_hand=s.from_hand, dealer_id=s.dealer), s)
        for s in line_ups
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


def dump_line_ups(line_ups: Iterable[TableLineUp[int]]) -> list[Any]:
    """Dump line-ups to the JSON of an action (`Action.seating_before`)."""
    return [
        [s.from_hand, s.dealer, [[player, player in s.on_break] for player in s.order]]
        for s in line_ups
    ]


def load_line_ups(stored: Iterable[Any]) -> list[TableLineUp[int]]:
    """Load line-ups from the JSON of an action."""
    return [
        TableLineUp(
            from_hand,
            dealer,
            tuple(player for player, _on_break in seats),
            frozenset(player for player, on_break in seats if on_break),
        )
        for from_hand, dealer, seats in stored
    ]
