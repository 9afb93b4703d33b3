"""A club with tables and signed-in scorers for a load, and the faults found after."""

from __future__ import annotations

from collections import Counter
from datetime import date
from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

import scoring
from ledger import journal
from ledger.audit import Audit
from ledger.models import Action, Club, Hand, Member, Player, User, Version
from ledger.security import sign_in_links


def open_tables(tables):
    """Return an evening's tables with four to six people each."""
    assert not Club.objects.exists(), "load is for an empty ledger"
    owner = User.objects.create_user("owner")
    club = journal.found_club("Kozy", owner=owner)
    people = [
        Player.objects.create(club=club, name=f"Player {number}")
        for number in range(5 * tables)
    ]
    games = list(scoring.VARIANTS)
    editions = [
        journal.edition_of(club, scoring.tariff(games[number % len(games)]))
        for number in range(tables)
    ]
    evening = journal.start_evening(
        club,
        name="Friday",
        date=date(2026, 11, 20),
        edition=editions[0],
        seats=people[:5],
        dealer=people[4],
        by=owner,
        currency="PLN",
        stake=20,
    )
    for number in range(1, tables):
        seats = people[5 * number : 5 * number + 4 + number % 3]
        journal.add_table(
            evening, seats=seats, dealer=seats[0], edition=editions[number]
        )
    return list(evening.tables.order_by("number"))


def sign_in(club, name):
    """Return the cookie of a scorer who is signed in."""
    user = User.objects.create_user(name)
    club.members.create(user=user, role=Member.Role.SCORER)
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = sign_in_links.BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def faults(phones):
    """Yield what is lost, doubled or wrong, given what the *phones* were answered."""
    hands = {hand.pk: hand for hand in Hand.objects.select_related("table")}
    first = {v.hand_id: v for v in Version.objects.filter(number=1)}
    slips = [slip for phone in phones for slip in phone.slips]
    changed = {hand for phone in phones for hand in phone.changed}
    for slip in slips:
        kept = [hands[id] for id in slip.ids if id in hands]
        yield from _slip(slip, kept, changed)
        for hand in kept:
            yield from _facts(slip, first[hand.pk].record)
    if strays := hands.keys() - {id for slip in slips for id in slip.ids}:
        yield f"{len(strays)} hands that nobody sent"
    for place, count in _places(hands.values()).items():
        if count != 1:
            yield f"{count} hands are number {place[1]} at table {place[0]}"
    done = {id for phone in phones for id in phone.done}
    if lost := done - set(Action.objects.values_list("pk", flat=True)):
        yield f"{len(lost)} changes that were acknowledged are lost: {lost}"
    yield from Audit().differences()


def _slip(slip, kept, changed):
    if len(kept) > 1:
        yield f"one slip is {len(kept)} hands: {slip}"
    if slip.saved and not kept:
        yield f"an acknowledged hand is lost: {slip}"
    if slip.left and kept and not slip.unsure:
        yield f"a hand that was refused is there: {slip}"
    if slip.saved and any(h.voided and h.pk not in changed for h in kept):
        yield f"a hand is voided that nobody touched: {slip}"


def _facts(slip, record):
    for name, value in slip.facts.items():
        if str(record.get(name)) != str(value):
            yield f"a hand has {name} {record.get(name)}: {slip}"


def _places(hands):
    return Counter((h.table.number, h.number) for h in hands if not h.voided)
