"""The hands behind a figure: those that its own function counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db.models import Exists, OuterRef, Q, QuerySet

from ledger.models import Evening, Player, Posting, TableDigest
from ledger.statistics import kept, played
from ledger.statistics.digest import Best, Digest, Run, run_of
from ledger.statistics.facts import Fact, Place
from ledger.statistics.figures import FIGURES, NOBODY, RECORDS, Figure
from ledger.statistics.reading import Scope, whole

ON_A_PAGE = 50
LOOKED_AT = 500
"""Evenings looked through for one page."""
AT_ONCE = 8
"""Evenings whose hands are read together."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some hands, the latest first; *earlier* asks for those before, "" is the end.

    A page can have few hands, or none, and earlier ones all the same: it looks through
    a number of evenings only.
    """

    facts: tuple[Fact, ...]
    earlier: str = ""


def hands_behind(
    scope: Scope,
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


def _place(before: str) -> Place:
    date, *numbers = before.split("/")
    place = Place(date, *map(int, numbers)) if len(numbers) == 3 else None
    if place is None or place.day.isoformat() != date:
        raise ValueError(f"expected a date and three numbers, got {before!r}")
    return place


@dataclass(frozen=True, slots=True)
class _Search:
    scope: Scope
    figure: Figure
    player: int
    about: str
    before: Place | None

    def page(self) -> Page:
        evenings = list(self._evenings()[: LOOKED_AT + 1])
        more, evenings = evenings[LOOKED_AT:], evenings[:LOOKED_AT]
        found = list(islice(self._found(evenings), ON_A_PAGE + 1))
        if len(found) > ON_A_PAGE:
            return Page(tuple(found[:ON_A_PAGE]), _told(found[ON_A_PAGE - 1].place))
        last = more and Place(evenings[-1].date.isoformat(), evenings[-1].pk, 0, 0)
        return Page(tuple(found), _told(last) if last else "")

    def _evenings(self) -> QuerySet[Evening]:
        evenings = self.scope.evenings().order_by("-date", "-pk")
        if self.before is not None:
            day = self.before.day
            evenings = evenings.filter(
                Q(date__lt=day) | Q(date=day, pk__lte=self.before.evening)
            )
        return evenings

    def _found(self, evenings: Sequence[Evening]) -> Iterator[Fact]:
        """Yield the hands that count, the latest first."""
        some = self._promising(evenings)
        for start in range(0, len(some), AT_ONCE):
            for evening in played.read(some[start : start + AT_ONCE]):
                facts = sorted(evening.facts, key=lambda f: f.place, reverse=True)
                yield from (fact for fact in facts if self._counts(fact))

    def _promising(self, evenings: Sequence[Evening]) -> list[Evening]:
        """Return those that are open, or whose digest says that there is a hand."""
        pks = [evening.pk for evening in evenings]
        has = set[int]()
        for pk, data in TableDigest.objects.filter(
            self.scope.tables(), evening__in=pks
        ).values_list("evening", "data"):
            abouts = data["sums"].get(self.figure.id, {}).get(str(self.player), {})
            if self.about in abouts if self.about else abouts:
                has.add(pk)
        loose = set(
            kept.loose(Evening.objects.filter(pk__in=pks)).values_list("pk", flat=True)
        )
        return [e for e in evenings if e.pk in has or e.pk in loose]

    def _counts(self, fact: Fact) -> bool:
        if self.before is not None and fact.place >= self.before:
            return False
        if not _is_in(self.scope, fact) or self.figure.counted is None:
            return False
        marks = self.figure.counted(fact, self.player)
        return any(self.about in ("", mark.about) for mark in marks)


def _told(place: Place) -> str:
    return "/".join(map(str, place))


def _is_in(scope: Scope, fact: Fact) -> bool:
    return kept.belongs(scope.which, (fact.place.table, fact.game.id))


def _of_the_best(
    scope: Scope, figure: Figure, player: Player | None, about: str
) -> Iterator[Fact]:
    """Yield the hand, or the hands of the run, that nothing was better than."""
    if (found := _stretch(whole(scope), figure, player, about)) is None:
        return
    first, last, who = found
    for evening in reversed(played.read(_between(scope, first, last, who))):
        for fact in sorted(evening.facts, key=lambda f: f.place, reverse=True):
            among = first <= fact.place <= last and _is_in(scope, fact)
            if among and (who is None or _plays(fact, who)):
                yield fact


def _plays(fact: Fact, player: int) -> bool:
    return player in fact.players and not fact.thrown_in


def _stretch(
    digest: Digest, figure: Figure, player: Player | None, about: str
) -> tuple[Place, Place, int | None] | None:
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


def _end(best: Best) -> Place:
    return best.place._replace(number=best.last)


def _between(
    scope: Scope, first: Place, last: Place, player: int | None
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
