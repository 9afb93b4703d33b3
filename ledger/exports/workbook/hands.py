"""The long sheets: every hand, the hands of each player, and every posting.

The hands pass by once, each written to the sheet of all and to those of its players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ledger.exports.workbook import season_data
from ledger.exports.workbook.season_data import HandRow, Labels, Posted
from ledger.exports.workbook.worksheet import (
    BookWriter,
    CellKind,
    Column,
    SheetTable,
    cell,
    local,
    unit,
)
from ledger.models import Entry, Player
from ledger.tallies import WON
from ledger.text import messages
from ledger.text.hands import summary


@dataclass(slots=True)
class OfPlayer:
    """A player's sheet, and where he stands by now."""

    table: SheetTable
    running: int = 0


@dataclass(frozen=True)
class Words:
    """Hands in the reader's words; each wording is made once."""

    people: Mapping[int, Player]
    _known: dict[tuple[object, ...], tuple[str, str, str]] = field(default_factory=dict)

    def of(self, hand: Labels) -> tuple[str, str, str]:
        """Return game, contract and highest contra."""
        record = hand.record
        levels = [record, *record.get("bonuses", ())]
        contra = max(int(item.get("contra") or 0) for item in levels)
        contract, ending = record.get("contract"), record.get("ending")
        key = (hand.edition.pk, contract, ending, contra, hand.table is None)
        if key not in self._known:
            self._known[key] = self._made(hand)
        return self._known[key]

    def _made(self, hand: Labels) -> tuple[str, str, str]:
        name = messages.game(hand.edition.variant)
        if hand.table is None:
            return name, str(Entry.Kind.SHEET.label), ""
        said = summary(hand, self.people)
        return name, said.title, said.contra_word

    def name(self, pk: object) -> str:
        return self.people[int(str(pk))].name if pk else ""

    def role(self, hand: Labels, player: int) -> str:
        """Return which part somebody had in a hand that he played."""
        declarer, partner = hand.record.get("declarer"), hand.record.get("partner")
        if declarer is None:
            return ""
        if player == declarer:
            return _("Declarer") if partner else _("Declarer, alone")
        return _("Partner") if player == partner else _("Defender")


def table_of(book: BookWriter, played: HandRow) -> SheetTable:
    """Begin the sheet of all hands."""
    columns = list(_columns(played))
    return book.table(_("Hands"), columns, played.row_count, frozen=4)


def _columns(played: HandRow) -> Iterator[Column]:
    yield from _when()
    yield Column(_("Time"), CellKind.TIME)
    yield Column(_("Dealer"))
    yield Column(pgettext("kind", "Game"))
    yield Column(_("Contract"))
    yield Column(_("Declarer"))
    yield Column(_("Partner"))
    yield Column(_("Kontra"))
    yield Column(_("Multiplier"), CellKind.COUNT)
    for player in played.players:
        won = played.points(player.pk, *WON)
        yield Column(player.name, CellKind.POINTS, total=won, upright=True)
    total = sum(moved.points for moved in played.moved if moved.kind in WON)
    yield Column(_("Sum"), CellKind.POINTS, total=total)


def _when() -> list[Column]:
    return [
        Column(_("Date"), CellKind.DATE),
        Column(_("Evening")),
        Column(_("Table"), CellKind.COUNT),
        Column(_("Hand"), CellKind.COUNT),
    ]


RUNNING = 9
"""The column of the running total on a player's sheet."""


def own_columns(played: HandRow, player: Player) -> list[Column]:
    """Return the columns of a player's sheet."""
    columns = [
        *_when(),
        Column(_("Role")),
        Column(_("Contract")),
        Column(_("Kontra")),
        Column(_("Multiplier"), CellKind.COUNT),
        Column(_("Points"), CellKind.POINTS, total=played.points(player.pk, *WON)),
        Column(_("Running score"), CellKind.POINTS),
    ]
    for code in played.currencies:
        won = played.money(player.pk, code, *WON)
        columns.append(Column(code, *unit(code), total=cell(won, code)))
    return columns


def fill(
    table: SheetTable, own: Mapping[int, OfPlayer], played: HandRow
) -> Iterator[None]:
    """Write every hand that counts; yield after each."""
    said = Words(played.people)
    people = [player.pk for player in played.players]
    codes = played.currencies
    for hand in season_data.hands(played):
        name, contract, contra = said.of(hand)
        when = hand.evening.date, hand.evening.name, hand.table, hand.number
        gains, record = hand.gains, hand.record
        table.add(
            *when,
            hand.played_at and local(hand.played_at),
            said.name(hand.dealer),
            name,
            contract,
            said.name(record.get("declarer")),
            said.name(record.get("partner")),
            contra,
            hand.multiplier,
            *(gains[pk][0] if pk in gains else None for pk in people),
            sum(points for points, _money in gains.values()),
        )
        for pk, (points, money) in gains.items():
            mine = own[pk]
            mine.running += points
            mine.table.add(
                *when,
                said.role(hand, pk),
                contract,
                contra,
                hand.multiplier,
                points,
                mine.running,
                *(cell(money, c) if c == hand.currency else None for c in codes),
            )
        yield


# Postings


def postings_table(book: BookWriter, played: HandRow) -> SheetTable:
    """Begin the sheet of all postings, those of what was taken back too."""
    columns = list(_posting_columns(played))
    return book.table(_("Postings"), columns, played.postings, frozen=2)


def _posting_columns(played: HandRow) -> Iterator[Column]:
    yield Column(_("Date"), CellKind.DATE)
    yield Column(_("Evening"))
    yield Column(_("Type"))
    yield Column(_("Table"), CellKind.COUNT)
    yield Column(_("Hand"), CellKind.COUNT)
    yield Column(_("Player"))
    points = sum(moved.points for moved in played.moved)
    yield Column(_("Points"), CellKind.POINTS, total=points)
    for code in played.currencies:
        total = sum(m.money for m in played.moved if m.currency == code)
        yield Column(code, *unit(code), total=cell(total, code))
    yield Column(_("How"))
    yield Column(_("Note"))
    yield Column(_("Entered"), CellKind.MOMENT)
    yield Column(_("Entered by"))


def fill_postings(table: SheetTable, played: HandRow) -> Iterator[None]:
    """Write every posting; yield after each."""
    codes = played.currencies
    kinds = {kind.value: str(kind.label) for kind in Entry.Kind}
    for row in season_data.postings(played):
        day, name = played.book(row.evening)
        table.add(
            day or row.date,
            name,
            _what(row, kinds),
            row.table,
            row.hand,
            played.name(row.player),
            row.points,
            *(cell(row.money, c) if c == row.currency else None for c in codes),
            messages.how(row.method) if row.kind == Entry.Kind.PAYMENT else "",
            row.note,
            local(row.at),
            row.by,
        )
        yield


def _what(row: Posted, kinds: Mapping[str, str]) -> str:
    if row.reversed:
        return f"{kinds[row.kind]}: {kinds[row.reversed]}"
    return kinds[row.kind]
