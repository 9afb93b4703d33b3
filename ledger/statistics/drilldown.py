"""Drill-down: the hands that a figure counts, found by the figure's own counter."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import connection
from django.db.models import (
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
)

from ledger.models import Evening, Player, Posting, TableDigest
from ledger.statistics import load, store
from ledger.statistics.digest import Best, Digest, streak_of
from ledger.statistics.figures import FIGURES, RECORDS, Figure
from ledger.statistics.played_hand import NOBODY, HandPosition, PlayedHand
from ledger.statistics.query import HandFilter, digest_of
from ledger.statistics.streaks import Streak

PAGE_SIZE = 30
MOST_EVENINGS = 500
"""Evenings searched for one page."""
BATCH = 8
"""Evenings whose hands are read together, at most."""


@dataclass(frozen=True, slots=True)
class HandsPage:
    """Hands, newest first; *earlier* is the cursor of the next page, "" on the last.

    A page that is not the last can have few hands or none, since its search ends after
    `MOST_EVENINGS`.
    """

    hands: tuple[PlayedHand, ...]
    earlier: str = ""


def drill_down(
    hand_filter: HandFilter,
    figure: str,
    player: Player | None = None,
    about: str = "",
    *,
    before: str = "",
) -> HandsPage:
    """Return the hands that *figure* counts for *player*, or for the club.

    *about* is the subject of a row or the id of a record; empty means any row, or the
    best record. *before* is the cursor of an earlier page. Raise `LookupError` for an
    unknown figure, `ValueError` for a malformed cursor.
    """
    known = FIGURES[figure]
    if known.counter is None:
        return HandsPage(tuple(_hands_of_record(hand_filter, known, player, about)))
    who = player.pk if player else NOBODY
    search = _Search(
        hand_filter, known, who, about, _parse_cursor(before) if before else None
    )
    return search.page()


def _parse_cursor(before: str) -> HandPosition:
    date, *numbers = before.split("/")
    place = HandPosition(date, *map(int, numbers)) if len(numbers) == 3 else None
    if place is None or place.day.isoformat() != date:
        raise ValueError(f"expected a date and three numbers, got {before!r}")
    return place


@dataclass(frozen=True, slots=True)
class _Search:
    hand_filter: HandFilter
    figure: Figure
    player: int
    about: str
    before: HandPosition | None

    def page(self) -> HandsPage:
        evenings = list(self._evenings()[: MOST_EVENINGS + 1])
        more, evenings = evenings[MOST_EVENINGS:], evenings[:MOST_EVENINGS]
        found = list(islice(self._found(evenings), PAGE_SIZE + 1))
        if len(found) > PAGE_SIZE:
            return HandsPage(
                tuple(found[:PAGE_SIZE]), _cursor(found[PAGE_SIZE - 1].place)
            )
        last = more and HandPosition(
            evenings[-1].date.isoformat(), evenings[-1].pk, 0, 0
        )
        return HandsPage(tuple(found), _cursor(last) if last else "")

    def _evenings(self) -> QuerySet[Evening]:
        evenings = self.hand_filter.evenings().order_by("-date", "-pk")
        if self.before is not None:
            day = self.before.day
            evenings = evenings.filter(
                Q(date__lt=day) | Q(date=day, pk__lte=self.before.evening)
            )
        return evenings

    def _found(self, evenings: Sequence[Evening]) -> Iterator[PlayedHand]:
        """Yield the hands that the figure counts, newest first."""
        for some in _batches(self._candidates(evenings)):
            for evening in load.read(some):
                hands = sorted(evening.hands, key=lambda hand: hand.place, reverse=True)
                yield from (hand for hand in hands if self._counts(hand))

    def _candidates(
        self, evenings: Sequence[Evening]
    ) -> Iterator[tuple[Evening, int | None]]:
        """Yield the evenings with such hands and their count, None where it is unknown.

        Stored digests tell the count; evenings without one are always searched.
        """
        pks = [evening.pk for evening in evenings]
        counts: Counter[int] = Counter()
        for pk, rows in (
            TableDigest.objects.filter(self.hand_filter.tables(), evening__in=pks)
            .annotate(part=_json_text("sums", self.figure.id, str(self.player)))
            .values_list("evening", "part")
        ):
            for about, (count, *_more) in json.loads(rows or "{}").items():
                counts[pk] += count if self.about in ("", about) else 0
        unknown = store.without_digest(Evening.objects.filter(pk__in=pks))
        live = set(unknown.values_list("pk", flat=True))
        for evening in evenings:
            if evening.pk in live or counts[evening.pk]:
                yield evening, counts.get(evening.pk)

    def _counts(self, hand: PlayedHand) -> bool:
        if self.before is not None and hand.place >= self.before:
            return False
        if not _matches(self.hand_filter, hand) or self.figure.counter is None:
            return False
        marks = self.figure.counter(hand, self.player)
        return any(self.about in ("", mark.about) for mark in marks)


def _batches(some: Iterable[tuple[Evening, int | None]]) -> Iterator[list[Evening]]:
    """Yield evenings to read together: as many as fill a page."""
    batch: list[Evening] = []
    hands = 0
    for evening, count in some:
        batch.append(evening)
        hands += PAGE_SIZE if count is None else count
        if hands > PAGE_SIZE or len(batch) == BATCH:
            yield batch
            batch, hands = [], 0
    if batch:
        yield batch


def _json_text(*keys: str) -> Func:
    """Return the JSON under these keys of a digest as text, without the rest."""
    if connection.vendor == "sqlite":
        path = "$" + "".join(f'."{key}"' for key in keys)
        arguments, function = [Value(path)], "JSON_EXTRACT"
    else:
        arguments, function = [*map(Value, keys)], "jsonb_extract_path_text"
    return Func(F("data"), *arguments, function=function, output_field=TextField())


def _cursor(place: HandPosition) -> str:
    return "/".join(map(str, place))


def _matches(hand_filter: HandFilter, hand: PlayedHand) -> bool:
    return store.is_part((hand.place.table, hand.game.id), hand_filter.key)


def _hands_of_record(
    hand_filter: HandFilter, figure: Figure, player: Player | None, about: str
) -> Iterator[PlayedHand]:
    """Yield the hand of a record, or the hands of a streak, newest first."""
    if (
        found := _range_of_record(digest_of(hand_filter), figure, player, about)
    ) is None:
        return
    first, last, who = found
    for evening in reversed(
        load.read(_evenings_between(hand_filter, first, last, who))
    ):
        for hand in sorted(evening.hands, key=lambda hand: hand.place, reverse=True):
            among = first <= hand.place <= last and _matches(hand_filter, hand)
            if among and (who is None or _plays(hand, who)):
                yield hand


def _plays(hand: PlayedHand, player: int) -> bool:
    return player in hand.players and not hand.thrown_in


def _range_of_record(
    digest: Digest, figure: Figure, player: Player | None, about: str
) -> tuple[HandPosition, HandPosition, int | None] | None:
    """Return the first and the last place of a record, and the player whose it is."""
    if figure in RECORDS:
        records = digest.records.get(figure.id, ())
        for best in records:
            if about in ("", best.about):
                return best.place, _end(best), best.player
        return None
    if player is None:
        return None
    found = streak_of(digest, figure.id, player.pk)
    match found:
        case Streak():
            return found.first, found.last, player.pk
        case Best():
            return found.place, _end(found), player.pk
        case None:
            return None


def _end(best: Best) -> HandPosition:
    return best.place._replace(number=best.last)


def _evenings_between(
    hand_filter: HandFilter, first: HandPosition, last: HandPosition, player: int | None
) -> list[Evening]:
    evenings = hand_filter.evenings().filter(date__gte=first.day, date__lte=last.day)
    if player is not None:
        own = Posting.objects.filter(entry__evening=OuterRef("pk"), player=player)
        evenings = evenings.filter(Exists(own))
    return [
        evening
        for evening in evenings
        if first[:2] <= (evening.date.isoformat(), evening.pk) <= last[:2]
    ]
