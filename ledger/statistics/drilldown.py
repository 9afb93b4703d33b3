"""The hands behind a figure: those that its own function counts."""

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
from ledger.statistics.digest import Best, Digest, run_of
from ledger.statistics.figures import FIGURES, RECORDS, Figure
from ledger.statistics.played_hand import NOBODY, PlayedHand, SeatTaken
from ledger.statistics.query import HandFilter, whole
from ledger.statistics.streaks import Run

ON_A_PAGE = 30
LOOKED_AT = 500
"""Evenings looked through for one page."""
AT_ONCE = 8
"""Evenings whose hands are read together at the most."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some hands, the latest first; *earlier* asks for those before, "" is the end.

    A page can have few hands, or none, and earlier ones all the same: it looks through
    a number of evenings only.
    """

    facts: tuple[PlayedHand, ...]
    earlier: str = ""


def hands_behind(
    scope: HandFilter,
    figure: str,
    player: Player | None = None,
    about: str = "",
    *,
    before: str = "",
) -> Page:
    """Return the hands that *figure* counts for *player*, or for the club.

    *about* is a row's, or a record's; left empty it is any row, and the best record.
    *before* is what a page said of the earlier hands. Raise `LookupError` on a figure
    that there is not, `ValueError` on a *before* that no page said.
    """
    known = FIGURES[figure]
    if known.counted is None:
        return Page(tuple(_of_the_best(scope, known, player, about)))
    who = player.pk if player else NOBODY
    search = _Search(scope, known, who, about, _place(before) if before else None)
    return search.page()


def _place(before: str) -> SeatTaken:
    date, *numbers = before.split("/")
    place = SeatTaken(date, *map(int, numbers)) if len(numbers) == 3 else None
    if place is None or place.day.isoformat() != date:
        raise ValueError(f"expected a date and three numbers, got {before!r}")
    return place


@dataclass(frozen=True, slots=True)
class _Search:
    scope: HandFilter
    figure: Figure
    player: int
    about: str
    before: SeatTaken | None

    def page(self) -> Page:
        evenings = list(self._evenings()[: LOOKED_AT + 1])
        more, evenings = evenings[LOOKED_AT:], evenings[:LOOKED_AT]
        found = list(islice(self._found(evenings), ON_A_PAGE + 1))
        if len(found) > ON_A_PAGE:
            return Page(tuple(found[:ON_A_PAGE]), _told(found[ON_A_PAGE - 1].place))
        last = more and SeatTaken(evenings[-1].date.isoformat(), evenings[-1].pk, 0, 0)
        return Page(tuple(found), _told(last) if last else "")

    def _evenings(self) -> QuerySet[Evening]:
        evenings = self.scope.evenings().order_by("-date", "-pk")
        if self.before is not None:
            day = self.before.day
            evenings = evenings.filter(
                Q(date__lt=day) | Q(date=day, pk__lte=self.before.evening)
            )
        return evenings

    def _found(self, evenings: Sequence[Evening]) -> Iterator[PlayedHand]:
        """Yield the hands that count, the latest first."""
        for some in _batches(self._promising(evenings)):
            for evening in load.read(some):
                facts = sorted(evening.facts, key=lambda f: f.place, reverse=True)
                yield from (fact for fact in facts if self._counts(fact))

    def _promising(
        self, evenings: Sequence[Evening]
    ) -> Iterator[tuple[Evening, int | None]]:
        """Yield the evenings that have such hands and how many; None where unknown."""
        pks = [evening.pk for evening in evenings]
        counts: Counter[int] = Counter()
        for pk, kept_of in (
            TableDigest.objects.filter(self.scope.tables(), evening__in=pks)
            .annotate(part=_part("sums", self.figure.id, str(self.player)))
            .values_list("evening", "part")
        ):
            for about, (count, *_more) in json.loads(kept_of or "{}").items():
                counts[pk] += count if self.about in ("", about) else 0
        unknown = store.loose(Evening.objects.filter(pk__in=pks))
        loose = set(unknown.values_list("pk", flat=True))
        for evening in evenings:
            if evening.pk in loose or counts[evening.pk]:
                yield evening, counts.get(evening.pk)

    def _counts(self, fact: PlayedHand) -> bool:
        if self.before is not None and fact.place >= self.before:
            return False
        if not _is_in(self.scope, fact) or self.figure.counted is None:
            return False
        marks = self.figure.counted(fact, self.player)
        return any(self.about in ("", mark.about) for mark in marks)


def _batches(some: Iterable[tuple[Evening, int | None]]) -> Iterator[list[Evening]]:
    """Yield evenings to be read together: as many as fill a page."""
    batch: list[Evening] = []
    hands = 0
    for evening, count in some:
        batch.append(evening)
        hands += ON_A_PAGE if count is None else count
        if hands > ON_A_PAGE or len(batch) == AT_ONCE:
            yield batch
            batch, hands = [], 0
    if batch:
        yield batch


def _part(*keys: str) -> Func:
    """Return what is kept under these keys as text, without the rest being read."""
    if connection.vendor == "sqlite":
        path = "$" + "".join(f'."{key}"' for key in keys)
        arguments, function = [Value(path)], "JSON_EXTRACT"
    else:
        arguments, function = [*map(Value, keys)], "jsonb_extract_path_text"
    return Func(F("data"), *arguments, function=function, output_field=TextField())


def _told(place: SeatTaken) -> str:
    return "/".join(map(str, place))


def _is_in(scope: HandFilter, fact: PlayedHand) -> bool:
    return store.belongs(scope.which, (fact.place.table, fact.game.id))


def _of_the_best(
    scope: HandFilter, figure: Figure, player: Player | None, about: str
) -> Iterator[PlayedHand]:
    """Yield the hand, or the hands of the run, that nothing was better than."""
    if (found := _stretch(whole(scope), figure, player, about)) is None:
        return
    first, last, who = found
    for evening in reversed(load.read(_between(scope, first, last, who))):
        for fact in sorted(evening.facts, key=lambda f: f.place, reverse=True):
            among = first <= fact.place <= last and _is_in(scope, fact)
            if among and (who is None or _plays(fact, who)):
                yield fact


def _plays(fact: PlayedHand, player: int) -> bool:
    return player in fact.players and not fact.thrown_in


def _stretch(
    digest: Digest, figure: Figure, player: Player | None, about: str
) -> tuple[SeatTaken, SeatTaken, int | None] | None:
    """Return the first and the last place, and whose hands between them."""
    if figure in RECORDS:
        records = digest.records.get(figure.id, ())
        for best in records:
            if about in ("", best.about):
                return best.place, _end(best), best.player
        return None
    if player is None:
        return None
    found = run_of(digest, figure.id, player.pk)
    match found:
        case Run():
            return found.first, found.last, player.pk
        case Best():
            return found.place, _end(found), player.pk
        case None:
            return None


def _end(best: Best) -> SeatTaken:
    return best.place._replace(number=best.last)


def _between(
    scope: HandFilter, first: SeatTaken, last: SeatTaken, player: int | None
) -> list[Evening]:
    evenings = scope.evenings().filter(date__gte=first.day, date__lte=last.day)
    if player is not None:
        own = Posting.objects.filter(entry__evening=OuterRef("pk"), player=player)
        evenings = evenings.filter(Exists(own))
    return [
        evening
        for evening in evenings
        if first[:2] <= (evening.date.isoformat(), evening.pk) <= last[:2]
    ]
