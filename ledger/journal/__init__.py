"""Journal: every write of what is played, paid and agreed goes through this package.

A hand, from the tap to the digest
    The slip's page calls `record_as_seen` (the API `record_hand`), which locks the
    evening and looks the id up. `ledger.table.deals` says who deals and who plays,
    `scoring.examine` and `scoring.score` find the problems and the points.
    `actions.begin` writes the `Action`, numbered within its evening. Then
    `writer.write_hands` writes, in bulk: the `Hand`; a `Version`, as it was entered;
    its `Line`s, which explain the points; an `Entry` with one `Posting` for each
    player, in points and minor units; and a `Step`, which says what the action did to
    the hand. `rounding.with_rounding` adds an entry for the remainders where a point is
    worth less than the smallest coin. All sums of an open evening are read from its
    hands and postings. `close_evening` stores its digests and pair sums
    (`ledger.statistics.store`); `reopen_evening` drops them.

Corrections
    `plan_correction` replays the table with a change of `ledger.table.changes` and
    says which hands would differ; `correct` makes the same plan under the lock and
    writes it by `writer.write_table`. Nothing is overwritten: an entry that no longer
    counts is reversed by another, and the hand is entered again as a new version.
    `amend_evening` does so for the evening itself: its day, stake and rules.

Undo
    `undo` takes an action of any kind and dispatches by the kind of its original
    (`undoing.UNDO_BY_KIND`). It writes an action of its own that `undoes` the other;
    undoing that one redoes. At a table only the last action can be undone
    (`UndoStack`); money, adjustments, amendments and old sheets each by themselves.

Locks
    Club, evenings by id, seasons by id, players by id: taken in this order by every
    write (`ledger.models.locks`), the players last, by `writer.post`. A write that
    starts with its evening takes no club afterwards.

Idempotency
    Every action has the id that the client made for it. Sent again, the stored action
    is returned (`idempotency.done_before`). What is created without an action leaves a
    `Receipt` under its id (`once`). `retry_once` runs a write again when another
    transaction took its id or its place first.

The database
    Triggers (`ledger.models.triggers`) refuse whatever program writes: an entry that
    does not sum to 0, a change of what is written, a second entry in force for a hand,
    a hand in a closed evening, an entry in a removed one.

Who else may write
    * `ledger.clubfile.loader` restores a club as another installation wrote it, entries
      by `copy_entries`.
    * `ledger.statistics` and `ledger.settlement.pair_sums` store caches, which the
      journal asks for and anybody may drop.
    * `ledger.admin` puts people right: users, members, names. Entries it only reads.
    * Pages save choices that need no action: a club's method of settlement and rating,
      revoked keys, a user's preferences.
    * `ledger.imports` keeps a file and the choices for it until `import_sheet`.
    * `ledger.audit` writes nothing: it compares stored values with computed ones.

Writes raise `Refused` with problems to show, and otherwise one of `Closed`,
`SeasonClosed`, `Removed`, `Stale` and `Taken` (`ledger.models.exceptions`).
"""

from __future__ import annotations

from ledger.journal.access_keys import make_link, make_token
from ledger.journal.actions import MOST_REASON, original_of
from ledger.journal.adjustments import adjust
from ledger.journal.amendment_plan import (
    WHOLE,
    Amendment,
    AmendmentPlan,
    FieldValues,
    RefusedHand,
    Rescored,
    StoredValues,
    club_fingerprint,
    club_values,
    flat_values,
    plan_amendment,
    stored_values,
    tables_of,
)
from ledger.journal.amendments import (
    amend_club,
    amend_evening,
    corrections_of,
    last_seen,
    plan_club_amendment,
    removal_obstacles,
    remove_evening,
)
from ledger.journal.batch import Batch, write_batches
from ledger.journal.carryovers import carry
from ledger.journal.clock import backdated
from ledger.journal.closing import (
    close_evening,
    close_season,
    reopen_evening,
    reopen_season,
)
from ledger.journal.correction_plan import CorrectionPlan, HandChange, plan_correction
from ledger.journal.corrections import correct, reverse_hand
from ledger.journal.evenings import (
    add_table,
    begin_season,
    current_season,
    edition_of,
    found_club,
    name_is_taken,
    next_season,
    seated_at,
    start_evening,
    tariff_digest,
)
from ledger.journal.idempotency import id_conflict, made_before
from ledger.journal.money_entries import MOST_NOTE
from ledger.journal.money_reversals import MONEY_KINDS, entries_undone_with
from ledger.journal.old_sheets import (
    SheetContents,
    SheetEvening,
    SheetHand,
    SheetResult,
    SheetTable,
    add_players,
    import_sheet,
    no_progress,
)
from ledger.journal.payments import pay, settle, settle_one
from ledger.journal.players import add_player, pot_of, retire_player, save_player
from ledger.journal.pot import fee, fine, prize, shares
from ledger.journal.record import (
    Preview,
    Seen,
    Sent,
    preview,
    record_as_seen,
    record_hand,
    record_sent,
)
from ledger.journal.rounding import points_and_money
from ledger.journal.seats import (
    join,
    leave,
    move_table,
    return_from_break,
    set_dealer,
    substitute,
    take_break,
)
from ledger.journal.undo_stack import UndoStack
from ledger.journal.undoing import EVENING_KINDS, undo
from ledger.journal.writer import copy_entries, dump_line_ups, gains, lines_of
from ledger.models.exceptions import Closed, Removed, SeasonClosed, Stale, Taken
from scoring import Refused

__all__ = [
    "EVENING_KINDS",
    "MONEY_KINDS",
    "MOST_NOTE",
    "MOST_REASON",
    "WHOLE",
    "Amendment",
    "AmendmentPlan",
    "Batch",
    "Closed",
    "CorrectionPlan",
    "FieldValues",
    "HandChange",
    "Preview",
    "Refused",
    "RefusedHand",
    "Removed",
    "Rescored",
    "SeasonClosed",
    "Seen",
    "Sent",
    "SheetContents",
    "SheetEvening",
    "SheetHand",
    "SheetResult",
    "SheetTable",
    "Stale",
    "StoredValues",
    "Taken",
    "UndoStack",
    "add_player",
    "add_players",
    "add_table",
    "adjust",
    "amend_club",
    "amend_evening",
    "backdated",
    "begin_season",
    "carry",
    "close_evening",
    "close_season",
    "club_fingerprint",
    "club_values",
    "copy_entries",
    "correct",
    "corrections_of",
    "current_season",
    "dump_line_ups",
    "edition_of",
    "entries_undone_with",
    "fee",
    "fine",
    "flat_values",
    "found_club",
    "gains",
    "id_conflict",
    "import_sheet",
    "join",
    "last_seen",
    "leave",
    "lines_of",
    "made_before",
    "make_link",
    "make_token",
    "move_table",
    "name_is_taken",
    "next_season",
    "no_progress",
    "original_of",
    "pay",
    "plan_amendment",
    "plan_club_amendment",
    "plan_correction",
    "points_and_money",
    "pot_of",
    "preview",
    "prize",
    "record_as_seen",
    "record_hand",
    "record_sent",
    "removal_obstacles",
    "remove_evening",
    "reopen_evening",
    "reopen_season",
    "retire_player",
    "return_from_break",
    "reverse_hand",
    "save_player",
    "seated_at",
    "set_dealer",
    "settle",
    "settle_one",
    "shares",
    "start_evening",
    "stored_values",
    "substitute",
    "tables_of",
    "take_break",
    "tariff_digest",
    "undo",
    "write_batches",
]
