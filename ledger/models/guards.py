"""Guards: conditions under which the database refuses a statement, whoever sends it.

Each is SQL on the OLD or NEW row, written once for both engines; `triggers` makes
triggers of them. Postings are written before their entry, whose insert is refused
unless they sum to 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuse *event* ("INSERT", "UPDATE", "DELETE") on *table* when the SQL holds."""

    name: str
    table: str
    event: str
    when: str
    message: str


def _append_only(table: str, what: str) -> tuple[Guard, ...]:
    return tuple(
        Guard(
            f"{table}_no_{event.lower()}",
            table,
            event,
            "1 = 1",
            f"{what} stays as it was written",
        )
        for event in ("UPDATE", "DELETE")
    )


def _while_open(
    table: str, evening: str, events: str = "INSERT", unless: str = "1 = 0"
) -> Iterator[Guard]:
    """Refuse *events* on rows that belong, or belonged, to a closed evening.

    *evening* is SQL for the id of the evening, with {row} for the row; *unless* is the
    condition under which they are written all the same.
    """
    for event in events.split():
        rows = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}
        whose = ", ".join(f"({evening.format(row=row)})" for row in rows[event])
        yield Guard(
            f"{table}_{event.lower()}_while_open",
            table,
            event,
            f"""EXISTS (
                SELECT 1 FROM ledger_evening evening
                WHERE evening.id IN ({whose}) AND evening.closed_at IS NOT NULL
            ) AND NOT ({unless})""",
            EVENING_CLOSED,
        )


EVENING_CLOSED = "the evening is closed: an owner of the club may reopen it"
SEASON_CLOSED = "the season is closed: an owner of the club may reopen it"
ALL_EVENTS = "INSERT UPDATE DELETE"
OF_TABLE = "SELECT at.evening_id FROM ledger_table at WHERE at.id = {row}.table_id"
OF_HAND = """SELECT at.evening_id FROM ledger_hand hand
    JOIN ledger_table at ON at.id = hand.table_id WHERE hand.id = {row}.hand_id"""
OF_VERSION = """SELECT at.evening_id FROM ledger_version version
    JOIN ledger_hand hand ON hand.id = version.hand_id
    JOIN ledger_table at ON at.id = hand.table_id WHERE version.id = {row}.version_id"""
OF_LINEUP = """SELECT at.evening_id FROM ledger_lineup lineup
    JOIN ledger_table at ON at.id = lineup.table_id WHERE lineup.id = {row}.lineup_id"""
OF_ACTION = """SELECT action.evening_id FROM ledger_action action
    WHERE action.id = {row}.action_id"""
MONEY = """NEW.kind IN ('payment', 'carry') OR EXISTS (
    SELECT 1 FROM ledger_entry back WHERE back.id = NEW.reverses_id
    AND back.kind IN ('payment', 'carry')
)"""
"""Entries of payments and carryovers, and their reversals: written after closing."""
MONEY_ACTION = """NEW.kind IN ('pay', 'settle', 'carry') OR EXISTS (
    SELECT 1 FROM ledger_action back WHERE back.id = NEW.undoes_id
    AND (
        back.kind IN ('pay', 'settle', 'carry')
        OR back.kind = 'undo' AND back.table_id IS NULL
    )
)"""
"""Actions that write such entries, and their undoing."""
MINE = "SELECT 1 FROM ledger_posting mine WHERE mine.entry_id = NEW.id"

GUARDS = (
    *_append_only("ledger_entry", "an entry"),
    *_append_only("ledger_posting", "a posting"),
    *_append_only("ledger_version", "a version of a hand"),
    *_append_only("ledger_line", "a line of a hand"),
    *_append_only("ledger_action", "an action"),
    *_append_only("ledger_step", "a step of an action"),
    Guard(
        "ledger_posting_before_entry",
        "ledger_posting",
        "INSERT",
        "EXISTS (SELECT 1 FROM ledger_entry entry WHERE entry.id = NEW.entry_id)",
        "nothing is posted to an entry that is already written",
    ),
    Guard(
        "ledger_line_before_entry",
        "ledger_line",
        "INSERT",
        """EXISTS (
            SELECT 1 FROM ledger_entry entry WHERE entry.version_id = NEW.version_id
        )""",
        "no line is added to a hand that is already written",
    ),
    Guard(
        "ledger_entry_posts",
        "ledger_entry",
        "INSERT",
        f"NOT EXISTS ({MINE})",
        "an entry without postings moves nothing",
    ),
    Guard(
        "ledger_entry_balanced",
        "ledger_entry",
        "INSERT",
        """(SELECT SUM(mine.points) FROM ledger_posting mine
            WHERE mine.entry_id = NEW.id) <> 0
        OR (SELECT SUM(mine.money) FROM ledger_posting mine
            WHERE mine.entry_id = NEW.id) <> 0""",
        "the postings of an entry must sum to zero",
    ),
    Guard(
        "ledger_entry_own_players",
        "ledger_entry",
        "INSERT",
        """EXISTS (
            SELECT 1 FROM ledger_posting mine
            JOIN ledger_player player ON player.id = mine.player_id
            WHERE mine.entry_id = NEW.id AND player.club_id <> NEW.club_id
        )""",
        "a posting is for a player of another club",
    ),
    Guard(
        "ledger_entry_own_evening",
        "ledger_entry",
        "INSERT",
        """EXISTS (
            SELECT 1 FROM ledger_evening evening WHERE evening.id = NEW.evening_id
            AND (evening.club_id <> NEW.club_id OR evening.currency <> NEW.currency)
        )""",
        "the evening is another club''s, or plays for another currency",
    ),
    Guard(
        "ledger_entry_of_its_evening",
        "ledger_entry",
        "INSERT",
        """NEW.version_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM ledger_version version
            JOIN ledger_hand hand ON hand.id = version.hand_id
            JOIN ledger_table at ON at.id = hand.table_id
            WHERE version.id = NEW.version_id AND at.evening_id = NEW.evening_id
        )""",
        "the hand was played in another evening",
    ),
    Guard(
        "ledger_entry_one_live",
        "ledger_entry",
        "INSERT",
        """EXISTS (
            SELECT 1 FROM ledger_version mine
            JOIN ledger_version version ON version.hand_id = mine.hand_id
            JOIN ledger_entry live ON live.version_id = version.id
            WHERE mine.id = NEW.version_id AND NOT EXISTS (
                SELECT 1 FROM ledger_entry undone WHERE undone.reverses_id = live.id
            )
        )""",
        "the hand already has an entry that counts",
    ),
    Guard(
        "ledger_entry_reverses_all",
        "ledger_entry",
        "INSERT",
        """NEW.reverses_id IS NOT NULL AND (
            NOT EXISTS (
                SELECT 1 FROM ledger_entry earlier
                WHERE earlier.id = NEW.reverses_id AND earlier.kind <> 'reversal'
                AND earlier.club_id = NEW.club_id AND earlier.currency = NEW.currency
                AND COALESCE(earlier.evening_id, 0) = COALESCE(NEW.evening_id, 0)
                AND COALESCE(earlier.season_id, 0) = COALESCE(NEW.season_id, 0)
            )
            OR (SELECT COUNT(*) FROM ledger_posting mine WHERE mine.entry_id = NEW.id)
            <> (
                SELECT COUNT(*) FROM ledger_posting earlier
                JOIN ledger_posting mine ON mine.player_id = earlier.player_id
                WHERE earlier.entry_id = NEW.reverses_id AND mine.entry_id = NEW.id
                AND mine.points = -earlier.points AND mine.money = -earlier.money
            )
            OR (SELECT COUNT(*) FROM ledger_posting mine WHERE mine.entry_id = NEW.id)
            <> (
                SELECT COUNT(*) FROM ledger_posting earlier
                WHERE earlier.entry_id = NEW.reverses_id
            )
        )""",
        "a reversal gives back exactly what its entry moved",
    ),
    Guard(
        "ledger_entry_own_season",
        "ledger_entry",
        "INSERT",
        """EXISTS (
            SELECT 1 FROM ledger_season season WHERE season.id = NEW.season_id
            AND season.club_id <> NEW.club_id
        )""",
        "the season is another club''s",
    ),
    Guard(
        "ledger_entry_in_open_season",
        "ledger_entry",
        "INSERT",
        f"""EXISTS (
            SELECT 1 FROM ledger_season season WHERE season.id = NEW.season_id
            AND season.closed_at IS NOT NULL
        ) AND NOT ({MONEY})""",
        SEASON_CLOSED,
    ),
    Guard(
        "ledger_entry_without_points",
        "ledger_entry",
        "INSERT",
        f"""NEW.kind IN ('payment', 'fee', 'prize', 'carry', 'rounding') AND EXISTS (
            {MINE} AND CASE WHEN NEW.currency = '' THEN mine.money ELSE mine.points END
            <> 0
        )""",
        "a payment moves money; points only where no money is played for",
    ),
    Guard(
        "ledger_entry_pays_somebody",
        "ledger_entry",
        "INSERT",
        f"""NEW.kind IN ('payment', 'prize') AND (
            (SELECT COUNT(*) FROM ledger_posting mine WHERE mine.entry_id = NEW.id) <> 2
            OR EXISTS ({MINE} AND mine.points = 0 AND mine.money = 0)
        )""",
        "one pays, one receives, and more than nothing",
    ),
    Guard(
        "ledger_entry_fee_for_the_pot",
        "ledger_entry",
        "INSERT",
        """NEW.kind IN ('fee', 'prize') AND EXISTS (
            SELECT 1 FROM ledger_posting mine
            JOIN ledger_player player ON player.id = mine.player_id
            WHERE mine.entry_id = NEW.id
            AND CASE WHEN NEW.kind = 'fee' THEN mine.points + mine.money
                ELSE -mine.points - mine.money END
            * CASE WHEN player.kind = 'pot' THEN -1 ELSE 1 END >= 0
        )""",
        "a fee goes into the pot, a prize comes out of it",
    ),
    Guard(
        "ledger_entry_pot_plays_not",
        "ledger_entry",
        "INSERT",
        """NEW.kind IN ('hand', 'sheet') AND EXISTS (
            SELECT 1 FROM ledger_posting mine
            JOIN ledger_player player ON player.id = mine.player_id
            WHERE mine.entry_id = NEW.id AND player.kind = 'pot'
        )""",
        "the pot plays no hand",
    ),
    *(
        Guard(
            f"ledger_seat_{event.lower()}_not_for_pot",
            "ledger_seat",
            event,
            """EXISTS (
                SELECT 1 FROM ledger_player player
                WHERE player.id = NEW.player_id AND player.kind = 'pot'
            )""",
            "the pot sits at no table",
        )
        for event in ("INSERT", "UPDATE")
    ),
    Guard(
        "ledger_player_stays_what_it_is",
        "ledger_player",
        "UPDATE",
        "NEW.kind <> OLD.kind OR NEW.club_id <> OLD.club_id",
        "a player stays one, and in his club",
    ),
    Guard(
        "ledger_club_own_treasurer",
        "ledger_club",
        "UPDATE",
        """EXISTS (
            SELECT 1 FROM ledger_player player WHERE player.id = NEW.treasurer_id
            AND (player.club_id <> NEW.id OR player.kind = 'pot')
        )""",
        "the treasurer is a player of the club",
    ),
    Guard(
        "ledger_evening_stake_frozen",
        "ledger_evening",
        "UPDATE",
        """(
            NEW.stake <> OLD.stake OR NEW.stake_parts <> OLD.stake_parts
            OR NEW.currency <> OLD.currency
        ) AND EXISTS (
            SELECT 1 FROM ledger_entry live WHERE live.evening_id = OLD.id
            AND live.kind IN ('hand', 'adjustment', 'sheet') AND NOT EXISTS (
                SELECT 1 FROM ledger_entry undone WHERE undone.reverses_id = live.id
            )
        )""",
        "the stake is fixed once a hand is played: it is changed by a correction",
    ),
    Guard(
        "ledger_entry_not_in_removed",
        "ledger_entry",
        "INSERT",
        """EXISTS (
            SELECT 1 FROM ledger_evening evening
            WHERE evening.id = NEW.evening_id AND evening.removed
        )""",
        "the evening is removed",
    ),
    Guard(
        "ledger_evening_removed_when_empty",
        "ledger_evening",
        "UPDATE",
        """NEW.removed AND NOT OLD.removed AND EXISTS (
            SELECT 1 FROM ledger_entry live WHERE live.evening_id = OLD.id
            AND live.kind <> 'rounding' AND live.reverses_id IS NULL AND NOT EXISTS (
                SELECT 1 FROM ledger_entry undone WHERE undone.reverses_id = live.id
            )
        )""",
        "something counts in the evening",
    ),
    *_while_open("ledger_entry", "{row}.evening_id", unless=MONEY),
    *_while_open("ledger_version", OF_HAND),
    *_while_open("ledger_line", OF_VERSION),
    *_while_open("ledger_action", "{row}.evening_id", unless=MONEY_ACTION),
    *_while_open("ledger_step", OF_ACTION),
    *_while_open("ledger_hand", OF_TABLE, ALL_EVENTS),
    *_while_open("ledger_table", "{row}.evening_id", ALL_EVENTS),
    *_while_open("ledger_lineup", OF_TABLE, ALL_EVENTS),
    *_while_open("ledger_seat", OF_LINEUP, ALL_EVENTS),
    Guard(
        "ledger_evening_update_while_open",
        "ledger_evening",
        "UPDATE",
        "OLD.closed_at IS NOT NULL AND NEW.closed_at IS NOT NULL",
        EVENING_CLOSED,
    ),
    Guard(
        "ledger_evening_delete_while_open",
        "ledger_evening",
        "DELETE",
        "OLD.closed_at IS NOT NULL",
        EVENING_CLOSED,
    ),
    *(
        Guard(
            f"ledger_evening_{event.lower()}_in_open_season",
            "ledger_evening",
            event,
            f"""{when} EXISTS (
                SELECT 1 FROM ledger_season season
                WHERE season.id = NEW.season_id AND season.closed_at IS NOT NULL
            )""",
            SEASON_CLOSED,
        )
        for event, when in (
            ("INSERT", ""),
            (
                "UPDATE",
                """(NEW.season_id <> OLD.season_id
                OR OLD.closed_at IS NOT NULL AND NEW.closed_at IS NULL) AND""",
            ),
        )
    ),
)

NEVER_EMPTIED = (
    *("ledger_entry", "ledger_posting", "ledger_version", "ledger_line"),
    *("ledger_action", "ledger_step"),
)
"""Tables that refuse TRUNCATE, which on PostgreSQL fires no trigger of a row."""
