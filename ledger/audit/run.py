"""One run of the audit: the database, then club by club; differences and remarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from django.db import connection

from ledger import statistics, tallies
from ledger.audit import stored_values
from ledger.audit.clubs import club_differences
from ledger.audit.findings import readable
from ledger.models import Club, Evening, triggers


class Audit:
    """One run, over *club* or all clubs; *checked* counts what was compared."""

    def __init__(self, club: Club | None = None) -> None:
        self.club = club
        self.checked: Counter[str] = Counter()

    def differences(self) -> Iterator[str]:
        """Yield a sentence for each difference; one evening at a time is in memory."""
        self.checked["guards"] = len(triggers.names(connection))
        yield from readable("The guards", _missing_triggers())
        yield from readable("The database", stored_values.differences())
        yield from readable("The clubs", self._club_differences())

    def remarks(self) -> Iterator[str]:
        """Yield what is right and needs attention: open evenings, missing digests."""
        yield from readable("The evenings", self._long_open())
        yield from readable("The statistics", self._without_digest())

    def _club_differences(self) -> Iterator[str]:
        for club in self._clubs():
            yield from readable(str(club), club_differences(club, self.checked))

    def _clubs(self) -> Iterable[Club]:
        return [self.club] if self.club else Club.objects.only("name").order_by("pk")

    def _long_open(self) -> Iterator[str]:
        there = (
            Evening.objects.not_removed().select_related("club").order_by("date", "pk")
        )
        evenings = there.filter(club=self.club) if self.club else there
        for evening in tallies.long_open(evenings):
            where = evening.full_name
            yield f"{where} is open for more than a day: close it when it is over."

    def _without_digest(self) -> Iterator[str]:
        for club in self._clubs():
            if count := statistics.count_without_digest(club):
                yield f"{club}: `manage.py statistics` keeps {count} closed evenings."


def _missing_triggers() -> Iterator[str]:
    for name in triggers.missing(connection):
        yield f"The guard {name} is missing from the database."
