"""Hands and previews with their lines and gains, in a constant number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

import scoring
from ledger import journal
from ledger.models import Entry, Hand, Line, Player, Table, Version
from ledger.table.deals import Deal
from ledger.text.messages import say

People = Mapping[int, Player]
ENTRIES = Prefetch("entries", Entry.objects.select_related("action"))
NEWER = Version.objects.filter(hand=OuterRef("hand"), number__gt=OuterRef("number"))


@dataclass(frozen=True, slots=True)
class PlayerGain:
    player: int
    points: int
    money: int


@dataclass(frozen=True, slots=True)
class LineResponse:
    row: Line
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class HandResponse:
    version: Version
    payments: tuple[PlayerGain, ...]
    lines: tuple[LineResponse, ...]


@dataclass(frozen=True, slots=True)
class PreviewResponse:
    """A preview: what the hand would come to."""

    deal: Deal
    hand: Mapping[str, object]
    units: int
    payments: tuple[PlayerGain, ...]
    lines: tuple[LineResponse, ...]
    problems: Sequence[Mapping[str, str]]


def versions_at(table: Table) -> QuerySet[Version]:
    """Return the hands of *table* as last entered, latest first, voided ones too."""
    return _latest(Version.objects.filter(hand__table=table))


def hand_response(hand: Hand, people: People) -> HandResponse:
    return version_response(_latest(hand.versions.all()).get(), people)


def version_response(version: Version, people: People) -> HandResponse:
    tariff, names = version.edition.tariff, _names(version.players, people)
    score = scoring.score(
        tariff, scoring.parse(tariff, version.players, version.record)
    )
    entry = max(version.entries.all(), key=_entered)
    moved = {posting.player_id: posting for posting in entry.postings.all()}
    payments = (
        PlayerGain(player, moved[player].points, moved[player].money)
        for player in version.players
    )
    lines = _lines(version.lines.all(), score.lines, names)
    return HandResponse(version, tuple(payments), lines)


def preview_response(
    table: Table, preview: journal.Preview, problems: Sequence[Mapping[str, str]]
) -> PreviewResponse:
    """Return *preview*, which nothing forbids, with its explanation."""
    assert preview.score is not None
    players = [player.pk for player in preview.deal.players]
    rows = journal.lines_of(Version(players=players), preview.score)
    names = [player.name for player in preview.deal.players]
    return PreviewResponse(
        deal=preview.deal,
        hand=preview.hand.record(players),
        units=preview.score.units,
        payments=tuple(
            PlayerGain(player, *gained)
            for player, gained in journal.gains(
                table.evening,
                dict(zip(players, preview.score.payments, strict=True)),
            ).items()
        ),
        lines=_lines(rows, preview.score.lines, names),
        problems=problems,
    )


def _latest(versions: QuerySet[Version]) -> QuerySet[Version]:
    return (
        versions.filter(~Exists(NEWER))
        .select_related("hand", "edition", "recorded_by")
        .prefetch_related("lines", ENTRIES, "entries__postings")
        .order_by("-hand__number", "hand__voided", "-hand__played_at")
    )


def _entered(entry: Entry) -> int:
    """Return when it was entered: at first, or by which action at another stake."""
    return entry.action.number if entry.action else 0


def _names(players: Iterable[int], people: People) -> list[str]:
    return [people[pk].name for pk in players]


def _lines(
    rows: Iterable[Line], scored: Sequence[scoring.Line], names: Sequence[str]
) -> tuple[LineResponse, ...]:
    return tuple(
        LineResponse(row, say(line.name, names), say(line.why, names))
        for row, line in zip(rows, scored, strict=True)
    )
