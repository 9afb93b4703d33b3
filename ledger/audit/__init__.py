"""Audit: recompute everything that follows from the journal, and compare.

`Audit().differences()` yields one English sentence for each difference and never
writes. In this order it compares:

* the database's triggers with those of `models.triggers`, and on SQLite the values
  of columns and foreign keys with their types (`stored_values`);
* the tariff of each edition with its digest, and the sums over a club: balances,
  digests of the statistics, ratings, pair sums (`clubs`);
* entries: postings sum to 0, a reversal mirrors its entry, everybody is a player of
  the club, fees and prizes go between players and the pot (`entries`);
* an evening: its line-ups, the tally as a sum over its hands, money against points
  (`evenings`);
* hands: each record scored again by its edition, against the stored columns, lines
  and postings (`hands`); dealer, multiplier and players derived again from the deals
  before (`deals`);
* actions: numbers without gaps, current state equal to the last action's result
  (`actions`).
"""

from __future__ import annotations

from ledger.audit.run import Audit

__all__ = ["Audit"]
