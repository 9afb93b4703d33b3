"""A hand as it was recorded: the facts, every line with its reason, who pays whom."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import scoring
from ledger import coins, journal, words
from ledger.access import Request, hand_of, may_write
from ledger.models import Entry, Evening, Hand, Player, Version
from ledger.templatetags.kontra import plain
from ledger.told import Fact, People, facts, name_of
from ledger.views.closed import closed


@dataclass(frozen=True)
class Rail:
    player: Player
    points: int = 0
    rests: bool = False


@dataclass(frozen=True)
class ShownLine:
    name: str
    contra: int
    sum: str
    shown: int
    why: str


@dataclass(frozen=True)
class Total:
    words: str
    points: int


@dataclass(frozen=True)
class Give:
    payer: Player
    payee: Player
    points: int
    money: int


@login_required
@never_cache
@require_safe
def hand(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk)
    version = hand.versions.select_related("edition", "recorded_by").latest("number")
    evening = hand.table.evening
    people = evening.club.players.in_bulk()
    tariff = version.edition.tariff
    score = scoring.score(
        tariff, scoring.parse(tariff, version.players, version.record)
    )
    rails = _rails(hand, version, people, score)
    page = {
        "hand": hand,
        "table": hand.table,
        "evening": evening,
        "version": version,
        "rails": rails,
        "seated": [rail.player for rail in rails],
        "facts": [*facts(version, people), _dealer(version, people)],
        "lines": [_line(line, version, people) for line in score.lines],
        "total": _total(version, people),
        "gives": _gives(version, people, score, evening),
        "how_paid": _how_paid(version),
        "reversal": _reversal(version),
        "may_undo": _may_undo(hand),
        "undo_id": uuid4(),
    }
    return render(request, "ledger/hand.html", page)


@login_required
@require_POST
def undo(request: Request, pk: UUID) -> HttpResponse:
    hand = hand_of(request, pk, write=True)
    try:
        id = UUID(request.POST.get("id", ""))
    except ValueError:
        return HttpResponseBadRequest()
    try:
        journal.reverse_hand(hand, id=id, by=request.user)
    except journal.Closed:
        return closed(request, hand.table.evening)
    except scoring.Refused:
        return HttpResponseBadRequest()
    table = reverse("table", args=[hand.table.pk])
    return redirect(f"{table}?undone={hand.pk}")


def _rails(
    hand: Hand, version: Version, people: People, score: scoring.Score
) -> list[Rail]:
    """Return everybody at the table in seat order, with what the hand moved."""
    won = dict(zip(version.players, score.payments, strict=True))
    lineup = hand.table.lineups.filter(from_hand__lte=hand.number)
    seats = lineup.latest("from_hand").seats.select_related("player")
    rails = [
        Rail(seat.player, won.pop(seat.player.pk, 0), seat.player.pk in version.resting)
        for seat in seats
    ]
    return rails + [Rail(people[pk], points) for pk, points in won.items()]


def _dealer(version: Version, people: People) -> Fact:
    name = name_of(people, version.dealer_id)
    if version.dealer_id in version.resting:
        name = _("{name}, sat out").format(name=name)
    return Fact(_("Dealer"), name)


def _line(line: scoring.Line, version: Version, people: People) -> ShownLine:
    names = [name_of(people, pk) for pk in version.players]
    sum = f"{plain(line.base)} × {line.factor}" if line.factor > 1 else ""
    return ShownLine(
        name=words.say(line.name, names),
        contra=line.contra,
        sum=sum,
        shown=line.points or line.personal,
        why=words.say(line.why, names),
    )


def _total(version: Version, people: People) -> Total:
    record = version.record
    if record.get("declarer") is None:
        return Total(_("Nobody pays"), 0)
    declarer = name_of(people, record["declarer"])
    if record.get("partner") is None:
        message = _("{declarer}, from each opponent")
        total = message.format(declarer=declarer)
    else:
        partner = name_of(people, record["partner"])
        message = _("{declarer} and {partner}, each")
        total = message.format(declarer=declarer, partner=partner)
    if version.multiplier > 1:
        total += " " + _("(deal counts ×{times})").format(times=version.multiplier)
    return Total(total, version.units)


def _gives(
    version: Version, people: People, score: scoring.Score, evening: Evening
) -> list[Give]:
    return [
        Give(
            people[version.players[give.payer]],
            people[version.players[give.payee]],
            give.amount,
            give.amount * evening.stake,
        )
        for give in coins.handed(score.payments)
    ]


def _how_paid(version: Version) -> str:
    if version.record.get("partner") is None:
        return _("A lone player settles with each of the others.")
    return _("Each loser pays the winner at his side.")


def _reversal(version: Version) -> Entry | None:
    entries = Entry.objects.filter(reverses__version=version)
    return entries.select_related("created_by").order_by("-created_at").first()


def _may_undo(hand: Hand) -> bool:
    open = not hand.voided and hand.table.evening.closed_at is None
    return open and may_write(hand)
