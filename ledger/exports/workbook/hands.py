"""Long worksheets: all hands, the hands of each player, and all postings.

Hands are read once; each goes to the worksheet of all and to those of its players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ledger.exports.workbook import hand_rows, posting_rows
from ledger.exports.workbook.hand_rows import RecordedHand
from ledger.exports.workbook.posting_rows import PostingRow
from ledger.exports.workbook.season_data import SeasonData
from ledger.exports.workbook.worksheet import (
    CellKind,
    Column,
    WorkbookWriter,
    Worksheet,
    cell,
    local,
    unit,
)
from ledger.models import Entry, Player
from ledger.tallies import WON
from ledger.text import messages
from ledger.text.hands import summary


@dataclass(slots=True)
class PlayerWorksheet:
    """A player's worksheet, and his total up to the last row."""

    worksheet: Worksheet
    total: int = 0


@dataclass(frozen=True)
class HandLabels:
    """Labels of hands in the reader's language, cached by contract and contra."""

    people: Mapping[int, Player]
    _known: dict[tuple[object, ...], tuple[str, str, str]] = field(default_factory=dict)

    def texts(self, hand: RecordedHand) -> tuple[str, str, str]:
        """Return game, contract and highest contra."""
        record = hand.record
        levels = [record, *record.get("bonuses", ())]
        contra = max(int(item.get("contra") or 0) for item in levels)
        contract, ending = record.get("contract"), record.get("ending")
        key = (hand.edition.pk, contract, ending, contra, hand.table is None)
        if key not in self._known:
            self._known[key] = self._texts(hand)
        return self._known[key]

    def _texts(self, hand: RecordedHand) -> tuple[str, str, str]:
        name = messages.game(hand.edition.variant)
        if hand.table is None:
            return name, str(Entry.Kind.SHEET.label), ""
        words = summary(hand, self.people)
        return name, words.title, words.contra_word

    def name(self, pk: object) -> str:
        return self.people[int(str(pk))].name if pk else ""

    def role(self, hand: RecordedHand, player: int) -> str:
        """Return the role of a player in the hand."""
        declarer, partner = hand.record.get("declarer"), hand.record.get("partner")
        if declarer is None:
            return ""
        if player == declarer:
            return _("Declarer") if partner else _("Declarer, alone")
        return _("Partner") if player == partner else _("Defender")


def hands_worksheet(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Begin the worksheet of all hands."""
    columns = list(_columns(data))
    return workbook.worksheet(_("Hands"), columns, data.hand_count, frozen=4)


def _columns(data: SeasonData) -> Iterator[Column]:
    yield from _hand_headings()
    yield Column(_("Time"), CellKind.TIME)
    yield Column(_("Dealer"))
    yield Column(pgettext("kind", "Game"))
    yield Column(_("Contract"))
    yield Column(_("Declarer"))
    yield Column(_("Partner"))
    yield Column(_("Kontra"))
    yield Column(_("Multiplier"), CellKind.COUNT)
    for player in data.players:
        won = data.points(player.pk, *WON)
        yield Column(player.name, CellKind.POINTS, total=won, upright=True)
    total = sum(one.points for one in data.sums if one.kind in WON)
    yield Column(_("Sum"), CellKind.POINTS, total=total)


def _hand_headings() -> list[Column]:
    return [
        Column(_("Date"), CellKind.DATE),
        Column(_("Evening")),
        Column(_("Table"), CellKind.COUNT),
        Column(_("Hand"), CellKind.COUNT),
    ]


TOTAL_COLUMN = 9
"""Column of the running total on a player's worksheet."""


def player_columns(data: SeasonData, player: Player) -> list[Column]:
    """Return the columns of a player's worksheet."""
    columns = [
        *_hand_headings(),
        Column(_("Role")),
        Column(_("Contract")),
        Column(_("Kontra")),
        Column(_("Multiplier"), CellKind.COUNT),
        Column(_("Points"), CellKind.POINTS, total=data.points(player.pk, *WON)),
        Column(_("Running score"), CellKind.POINTS),
    ]
    for code in data.currencies:
        won = data.money(player.pk, code, *WON)
        columns.append(Column(code, *unit(code), total=cell(won, code)))
    return columns


def write_hands(
    worksheet: Worksheet, player_sheets: Mapping[int, PlayerWorksheet], data: SeasonData
) -> Iterator[None]:
    """Write all live hands; yield after each."""
    labels = HandLabels(data.people)
    people = [player.pk for player in data.players]
    codes = data.currencies
    for hand in hand_rows.hands(data):
        name, contract, contra = labels.texts(hand)
        when = hand.evening.date, hand.evening.name, hand.table, hand.number
        gains, record = hand.gains, hand.record
        worksheet.add(
            *when,
            hand.played_at and local(hand.played_at),
            labels.name(hand.dealer),
            name,
            contract,
            labels.name(record.get("declarer")),
            labels.name(record.get("partner")),
            contra,
            hand.multiplier,
            *(gains[pk][0] if pk in gains else None for pk in people),
            sum(points for points, _money in gains.values()),
        )
        for pk, (points, money) in gains.items():
            mine = player_sheets[pk]
            mine.total += points
            mine.worksheet.add(
                *when,
                labels.role(hand, pk),
                contract,
                contra,
                hand.multiplier,
                points,
                mine.total,
                *(cell(money, c) if c == hand.currency else None for c in codes),
            )
        yield


def postings_worksheet(workbook: WorkbookWriter, data: SeasonData) -> Worksheet:
    """Begin the worksheet of all postings, reversed ones too."""
    columns = list(_posting_columns(data))
    return workbook.worksheet(_("Postings"), columns, data.posting_count, frozen=2)


def _posting_columns(data: SeasonData) -> Iterator[Column]:
    yield Column(_("Date"), CellKind.DATE)
    yield Column(_("Evening"))
    yield Column(_("Type"))
    yield Column(_("Table"), CellKind.COUNT)
    yield Column(_("Hand"), CellKind.COUNT)
    yield Column(_("Player"))
    points = sum(one.points for one in data.sums)
    yield Column(_("Points"), CellKind.POINTS, total=points)
    for code in data.currencies:
        total = sum(one.money for one in data.sums if one.currency == code)
        yield Column(code, *unit(code), total=cell(total, code))
    yield Column(_("How"))
    yield Column(_("Note"))
    yield Column(_("Entered"), CellKind.MOMENT)
    yield Column(_("Entered by"))


def write_postings(worksheet: Worksheet, data: SeasonData) -> Iterator[None]:
    """Write all postings; yield after each."""
    codes = data.currencies
    kinds = {kind.value: str(kind.label) for kind in Entry.Kind}
    for row in posting_rows.postings(data):
        day, name = data.place(row.evening)
        worksheet.add(
            day or row.date,
            name,
            _kind_label(row, kinds),
            row.table,
            row.hand,
            data.name(row.player),
            row.points,
            *(cell(row.money, c) if c == row.currency else None for c in codes),
            messages.how(row.method) if row.kind == Entry.Kind.PAYMENT else "",
            row.note,
            local(row.at),
            row.by,
        )
        yield


def _kind_label(row: PostingRow, kinds: Mapping[str, str]) -> str:
    if row.reversed:
        return f"{kinds[row.kind]}: {kinds[row.reversed]}"
    return kinds[row.kind]
