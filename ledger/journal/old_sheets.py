"""Old sheets: the evenings of a paper or workbook, written as one action of the club.

The imports package reads a file and says what it holds (`SheetContents`). Here it is
written: seasons, evenings, entries of hands known by their points alone, tables with
hands known whole; then all evenings are closed. Undoing it reverses every entry.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ledger.journal import writer
from ledger.journal.actions import begin
from ledger.journal.closing import close_many, reopen_many
from ledger.journal.idempotency import done_before, retry_once
from ledger.journal.rounding import EnteredEntry, with_rounding
from ledger.journal.table_undoing import undo_at_table, undo_steps
from ledger.journal.undo_stack import check_not_undone
from ledger.journal.writer import HandUpdate
from ledger.models import (
    Action,
    Edition,
    Entry,
    Evening,
    OldSheet,
    Player,
    Posting,
    Season,
    Seat,
    Step,
    Table,
    User,
    Version,
)
from ledger.models.exceptions import SeasonClosed
from ledger.models.locks import locked_club
from ledger.settlement import in_force
from ledger.table.replay import Facts, HandPlace, facts_of
from ledger.table.rotation import TableLineUp
from ledger.text.amounts import Stake
from scoring import refuse
from scoring.text import _

IMPORT = Action.Kind.IMPORT
IMPORTED_STEPS = Step.objects.filter(action__kind=IMPORT)


@dataclass(frozen=True, slots=True)
class SheetResult:
    """Points of one hand, or of a whole evening where *hand* is None."""

    row: str
    """Key of its row in the file, from which its id is made."""
    hand: int | None
    gains: Mapping[int, int]
    """Points by player id; they sum to 0."""


@dataclass(frozen=True, slots=True)
class SheetHand:
    """A hand known whole."""

    row: str
    number: int
    facts: Facts


@dataclass(frozen=True, slots=True)
class SheetTable:
    number: int
    line_ups: Sequence[TableLineUp[int]]
    hands: Sequence[SheetHand]


@dataclass(frozen=True, slots=True)
class SheetEvening:
    date: datetime.date
    name: str
    season: Season | None
    """None for one before all seasons: `SheetContents.early_season`."""
    results: Sequence[SheetResult]
    tables: Sequence[SheetTable]


@dataclass(frozen=True, slots=True)
class SheetContents:
    """What an old sheet holds, ready to be written."""

    edition: Edition
    currency: str
    stake: Stake
    """Minor units a point is worth."""
    evenings: Sequence[SheetEvening]
    early_season: Season | None
    """Not saved yet."""
    players_made: Sequence[int]
    """Ids of the players created for it."""
    fingerprints: Sequence[str]
    leftover: OldSheet | None
    """The other worksheets of its file, not saved yet; they wait for their turn."""


def no_progress(done: int, total: int) -> None:
    """Report progress to nobody."""


@retry_once
def import_sheet(
    sheet: OldSheet,
    read: Callable[[OldSheet], SheetContents],
    *,
    by: User,
    progress: Callable[[int, int], None] = no_progress,
) -> Action:
    """Write an old sheet under its own id, all or nothing, its evenings closed.

    *read* is called with the sheet as it is now, the club and the sheet locked; it may
    raise to refuse. *progress* gets the steps done, and their total.
    """
    club = locked_club(sheet.club_id)
    if done := done_before(sheet.pk, IMPORT, club_id=club.pk):
        return done
    sheet = OldSheet.objects.select_for_update(no_key=True).get(pk=sheet.pk)
    contents = read(sheet)
    action = begin(IMPORT, id=sheet.pk, by=by, club=club, reason=sheet.name)
    _write_evenings(contents, action, progress)
    if contents.leftover is not None:
        contents.leftover.save(force_insert=True)
    sheet.action, sheet.content = action, b""
    sheet.players_made = list(contents.players_made)
    sheet.fingerprints = list(contents.fingerprints)
    sheet.save(update_fields=["action", "players_made", "content", "fingerprints"])
    return action


def add_players(club: int, names: Iterable[str]) -> list[int]:
    """Create the players an old sheet brings to the locked club; return their ids."""
    players = [Player(club_id=club, name=name) for name in names]
    return [player.pk for player in Player.objects.bulk_create(players)]


def _write_evenings(
    contents: SheetContents, action: Action, progress: Callable[[int, int], None]
) -> None:
    if contents.early_season is not None:
        contents.early_season.save()
    total = 2 * len(contents.evenings)
    evenings = Evening.objects.bulk_create(
        _evening(contents, action, evening) for evening in contents.evenings
    )
    both = list(zip(evenings, contents.evenings, strict=True))
    _post_results(action, both)
    for done, (evening, of_sheet) in enumerate(both):
        for table in of_sheet.tables:
            _write_table(action, evening, table)
        progress(done, total)
    closed = close_many(_evenings_of(action), action.by)
    for done, _evening_closed in enumerate(closed, len(both)):
        progress(done, total)


def _evening(
    contents: SheetContents, action: Action, of_sheet: SheetEvening
) -> Evening:
    season = of_sheet.season or contents.early_season
    assert season is not None
    return Evening(
        club=action.club,
        season=season,
        name=of_sheet.name,
        date=of_sheet.date,
        edition=contents.edition,
        currency=contents.currency,
        stake=contents.stake.numerator,
        stake_parts=contents.stake.denominator,
        opened_at=noon(of_sheet.date),
        created_by_id=action.by_id,
        imported=action,
    )


def noon(date: datetime.date) -> datetime.datetime:
    """Return the time that stands for a *date*: old sheets have no hours."""
    return timezone.make_aware(datetime.datetime.combine(date, datetime.time(12)))


def _post_results(
    action: Action, evenings: Iterable[tuple[Evening, SheetEvening]]
) -> None:
    entries: list[EnteredEntry] = []
    for evening, of_sheet in evenings:
        results = [
            (_entry(action, evening, result), writer.gains(evening, result.gains))
            for result in of_sheet.results
        ]
        entries += with_rounding(action, evening, results)
    writer.post(entries)


def _entry(action: Action, evening: Evening, result: SheetResult) -> Entry:
    return Entry(
        id=uuid5(action.pk, f"row {result.row}"),
        club_id=evening.club_id,
        evening=evening,
        action=action,
        kind=Entry.Kind.SHEET,
        sheet_hand=result.hand,
        currency=evening.currency,
        created_by_id=action.by_id,
    )


def _write_table(action: Action, evening: Evening, table: SheetTable) -> None:
    """Write a table and its hands by an action of its own, undone as at any table."""
    at = Table.objects.create(
        evening=evening, number=table.number, edition=evening.edition
    )
    writer.write_line_ups(at, table.line_ups)
    recording = begin(
        IMPORT,
        id=uuid5(action.pk, f"table {at.pk}"),
        by=action.by,
        table=at,
        seating_before={str(at.pk): writer.dump_line_ups(table.line_ups[:1])},
        seating_after={str(at.pk): writer.dump_line_ups(table.line_ups)},
    )
    hands = [HandUpdate(None, _place(action, evening, hand)) for hand in table.hands]
    writer.write_hands(recording, at, hands)


def _place(action: Action, evening: Evening, hand: SheetHand) -> HandPlace:
    id = uuid5(action.pk, f"row {hand.row}")
    return HandPlace(id, hand.number, True, noon(evening.date), hand.facts)


# Undoing


def undo_import(action: Action, id: UUID, by: User) -> Action:
    """Reverse all that an import wrote, and retire the players who came by it alone.

    The recording of one of its tables is undone as any action of a table. Raise
    `Refused` when something was written in its evenings since, `Stale` when it is
    undone already, `SeasonClosed`. Nothing redoes it: its file is imported again.
    """
    if action.table is not None:
        return undo_at_table(action, id, by)
    if action.kind != IMPORT or action.club_id is None:
        raise ValueError(f"expected an import, got {action}")
    club = locked_club(action.club_id)
    if done := done_before(id, Action.Kind.UNDO, undoes_id=action.pk):
        return done
    check_not_undone(action)
    evenings = _evenings_of(action).order_by("pk")
    list(evenings.select_for_update(no_key=True).values_list("pk"))
    _check_untouched(action)
    undoing = begin(
        Action.Kind.UNDO, id=id, by=by, club=club, undoes=action, reason=action.reason
    )
    reopen_many(_evenings_of(action), by, reason=action.reason)
    _reverse_results(action, undoing)
    _undo_tables(action, undoing)
    for _closed in close_many(_evenings_of(action), by):
        pass
    _retire_players(action)
    return undoing


def entries_since_import(action: Action) -> Iterator[Entry]:
    """Yield the entries in force in the evenings of an import that it did not write."""
    posted = Q(kind=Entry.Kind.SHEET, action=action)
    came = Exists(IMPORTED_STEPS.filter(hand=OuterRef("version__hand")))
    recorded = Q(came, kind=Entry.Kind.HAND, version__number=1)
    current = in_force(Entry.objects.filter(evening__imported=action))
    others = current.exclude(posted | recorded).order_by("created_at")
    for entry in others.select_related("evening", "version__edition"):
        if entry.version is None or not _is_as_imported(entry.version):
            yield entry


def _evenings_of(action: Action) -> QuerySet[Evening]:
    return Evening.objects.filter(imported=action)


def _is_as_imported(version: Version) -> bool:
    """Tell whether a hand that was corrected has again the facts of the sheet."""
    imported = IMPORTED_STEPS.filter(hand=version.hand_id)
    step = imported.select_related("after__edition").first()
    return bool(step and step.after and facts_of(step.after) == facts_of(version))


def _check_untouched(action: Action) -> None:
    closed = Season.objects.exclude(closed_at=None)
    if season := closed.filter(evenings__in=_evenings_of(action)).first():
        raise SeasonClosed(season)
    if other := next(entries_since_import(action), None):
        message = _(
            "Since then something was recorded in {evening}: take that back first."
        )
        refuse("action", message, code="built_on", evening=other.evening)


def _reverse_results(action: Action, undoing: Action) -> None:
    posted = Entry.objects.filter(action=action, kind=Entry.Kind.SHEET, reversal=None)
    reversals: dict[Evening, list[EnteredEntry]] = {}
    for entry in posted.select_related("evening").prefetch_related("postings"):
        assert entry.evening is not None
        own = reversals.setdefault(entry.evening, [])
        own.append(writer.reversal(undoing, entry))
    writer.post(
        [
            entered
            for evening, entries in reversals.items()
            for entered in with_rounding(undoing, evening, entries)
        ]
    )


def _undo_tables(action: Action, undoing: Action) -> None:
    tables = Action.objects.filter(
        evening__imported=action, kind=IMPORT, undone_by=None
    )
    for recording in tables.select_related("table__evening", "table__edition"):
        assert recording.table is not None
        id = uuid5(undoing.pk, str(recording.pk))
        undo_steps(recording.table, recording, id, undoing.by)


def _retire_players(action: Action) -> None:
    """Retire the players made for an import who neither played nor sat elsewhere."""
    sheet = OldSheet.objects.filter(action=action).first()
    made = Player.objects.filter(pk__in=sheet.players_made if sheet else ())
    elsewhere = ~Q(entry__evening__imported=action) | Q(entry__evening=None)
    played = Posting.objects.filter(elsewhere, player__in=made)
    seated = Seat.objects.filter(player__in=made).exclude(
        lineup__table__evening__imported=action
    )
    gone = made.exclude(pk__in=played.values("player"))
    gone.exclude(pk__in=seated.values("player")).update(retired=True)
