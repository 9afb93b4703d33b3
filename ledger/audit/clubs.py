"""Audit of a club: tariffs, entries, evenings, and the sums stored over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ledger import journal, settlement, statistics
from ledger.audit.actions import outside_evenings
from ledger.audit.entries import EntryAudit, EntryGroup
from ledger.audit.evenings import evening_differences
from ledger.audit.findings import readable
from ledger.models import Club, Edition
from ledger.settlement import SettlementScope, pair_sums


def club_differences(club: Club, checked: Counter[str]) -> Iterator[str]:
    """Yield the differences of *club*; count in *checked* what was compared."""
    yield from ClubAudit(club, checked).differences()


class ClubAudit:
    """Check of one club; balances are summed while its entries are checked."""

    def __init__(self, club: Club, checked: Counter[str]) -> None:
        self.club = club
        self.checked = checked
        self.entries = EntryAudit.of(club, checked)

    def differences(self) -> Iterator[str]:
        club = self.club
        self.checked["clubs"] += 1
        yield from readable(f"{club}, its tariffs", self._tariffs())
        yield from readable(f"{club}, outside evenings", self._outside_evenings())
        own = club.evenings.order_by("date", "pk").values_list("pk", flat=True)
        for pk in list(own):
            check = evening_differences(pk, self.entries, self.checked)
            yield from readable(f"{club}, evening {pk}", check)
        for what, check in (
            ("what was done outside evenings", outside_evenings(club, self.checked)),
            ("its balances", self._balances()),
            ("its statistics", statistics.differences(club, self.checked)),
            ("who owes whom", pair_sums.differences(club, self.checked)),
        ):
            yield from readable(f"{club}, {what}", check)

    def _tariffs(self) -> Iterator[str]:
        for edition in self.club.editions.all():
            self.checked["tariffs"] += 1
            which = f"{self.club}, the tariff {edition}"
            yield from readable(which, self._tariff(edition))

    def _tariff(self, edition: Edition) -> Iterator[str]:
        if journal.tariff_digest(edition.tariff) != edition.digest:
            yield f"{self.club}: the tariff {edition} no longer reads as it was agreed."

    def _outside_evenings(self) -> Iterator[str]:
        group = EntryGroup.read(str(self.club), club=self.club, evening=None)
        yield from self.entries.differences(group)

    def _balances(self) -> Iterator[str]:
        """Compare the balances that pages show with the sum of all entries."""
        for currency, due in self.entries.balances.items():
            self.checked["balances"] += len(due)
            scope = SettlementScope.everything(self.club, currency)
            shown = settlement.sums_of(scope)
            for player in sorted(due.keys() | shown.keys()):
                if (found := shown.get(player, 0)) != due[player]:
                    what = f"{found:+d} in {currency or 'points'}"
                    yield (
                        f"{self.club}: player {player} has {what}, "
                        f"not {due[player]:+d}."
                    )
