"""A club goes out as one file and comes in again, here or elsewhere, as it was."""

from __future__ import annotations

import gzip
import io
import json
import re
from datetime import date, timedelta
from uuid import uuid4

import pytest
import time_machine
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone
from jsonschema import Draft202012Validator

import scoring
from ledger import clubfile, journal, statistics, tallies
from ledger.audit import Audit
from ledger.clubfile import WrongValue
from ledger.clubfile.layout import CLUB
from ledger.journal import Amendment
from ledger.models import Club, Entry, Hand, OldSheet, SeasonDigest, Token, User
from ledger.settlement import SettlementScope
from ledger.table import changes
from tests.support.club_balances import club_balances
from tests.support.fixtures import won

SCHEMA = settings.BASE_DIR / "ledger/clubfile/club.schema.json"
CAP = {"contra_cap": 2}
LEFT_OUT = {
    *("user", "sharelink", "token", "receipt"),
    *("seasondigest", "tabledigest", "eveningrating", "pairsum"),
}
"""Who signs in, named by username; secrets; what was sent to this installation; and
what follows from the hands."""


@pytest.fixture
def full(club, table, lay, record, correct, undo, people, owner, scorer):
    """A club in which everything was done once; one evening is closed."""
    evening = table.evening
    hands = [record(table).hand for _hand in range(4)]
    correct(table, changes.SwapSides(hands[1]))
    correct(table, changes.SwapSides(hands[1]))
    undo(table)
    journal.reverse_hand(hands[2], id=uuid4(), by=owner)
    held = {"holdings": {str(people[3].pk): "1", str(people[1].pk): "2"}}
    record(table, won(people[:4]) | held)
    journal.join(table, people[4], id=uuid4(), by=scorer)
    record(table)
    for stake in (Amendment(currency="EUR", stake=5), Amendment("Ő", date(2026, 1, 1))):
        journal.amend_evening(evening, stake, reason="euro", id=uuid4(), by=owner)
    back = Amendment(currency="PLN", stake=50, games={1: scoring.tariff("taroki", CAP)})
    journal.undo(
        journal.amend_evening(evening, back, reason="cap", id=uuid4(), by=owner),
        id=uuid4(),
        by=owner,
    )
    journal.amend_evening(evening, back, reason="złoty", id=uuid4(), by=owner)
    evening.refresh_from_db()
    journal.amend_club(club, name="Kozy II", language="hu", id=uuid4(), by=owner)
    club.refresh_from_db()
    journal.remove_evening(lay().evening, id=uuid4(), by=owner)
    gains = {people[0]: 7, people[1]: -7}
    journal.adjust(evening, gains, reason="Ő; \"'=", id=uuid4(), by=owner)
    scope = SettlementScope.of_evening(evening)
    fee = journal.fee(scope, {people[2]: 300}, reason="table", id=uuid4(), by=scorer)
    journal.undo(fee, id=uuid4(), by=owner)
    other = lay(seats=5, variant="paskievics")
    record(other, won(people[:4], "three") | {"xxi_lost_by": people[0].pk})
    journal.carry(evening, other.evening, id=uuid4(), by=owner)
    journal.close_evening(evening, by=owner)
    whole = SettlementScope.of_season(evening.season, "PLN")
    journal.settle(whole, id=uuid4(), by=owner)
    everything = SettlementScope.everything(club, "")
    journal.pay(everything, people[0], people[5], 3, id=uuid4(), by=owner)
    club.treasurer = people[2]
    club.save()
    return club


def file_of(club):
    return b"".join(clubfile.dump(club))


def elsewhere(file):
    """Return the file with other ids in the same order, as if of another club."""

    def other(match):
        last = int(match[0][-1], 16)
        return match[0][:-1] + f"{last ^ 1:x}"

    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", other, file.decode())


def load_copy(text, **how):
    return clubfile.load(io.BytesIO(text.encode()), same_users=True, **how)


def test_a_club_comes_in_as_it_went_out_to_the_byte(full):
    """Report 120."""
    text = elsewhere(file_of(full))

    twin = load_copy(text)

    assert file_of(twin).decode() == text
    assert list(Audit(twin).differences()) == list(Audit(full).differences()) == []
    assert contents_of(twin) == contents_of(full)


def test_a_club_whose_clock_was_put_back_comes_in_too(full, owner):
    evening = full.evenings.not_removed().get(closed_at=None)
    one, two = full.players.people()[:2]
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        action = journal.adjust(
            evening, {one: 1, two: -1}, reason="later", id=uuid4(), by=owner
        )
    journal.undo(action, id=uuid4(), by=owner)
    text = elsewhere(file_of(full))

    twin = load_copy(text)

    assert file_of(twin).decode() == text


def test_a_file_from_when_a_stake_alone_could_be_changed_comes_in_too(full):
    text = elsewhere(file_of(full))
    changed = r'"kind":"amend"(.*?),"before":{"currency":"(\w+)","stake":(\d+)},' + (
        r'"after":{"currency":"(\w+)","stake":(\d+)}'
    )
    as_was = r'"kind":"restake"\1,"stake_before":["\2",\3],"stake_after":["\4",\5]'
    old, count = re.subn(changed, as_was, text)
    old = old.replace('"before":{},"after":{}', '"stake_before":[],"stake_after":[]')

    twin = load_copy(old)

    assert count == 1
    assert file_of(twin).decode() == text


def contents_of(club):
    """Return who stands where in a club, by name."""
    read = statistics.read(statistics.HandFilter(club))
    return (
        [(b.player.name, b.points, b.money) for b in club_balances(club)],
        [(r.player.name, r.place, r.points) for r in read.ranking("total", least=0)],
        [
            [(row.player.name, row.points, row.money) for row in tallies.tally(evening)]
            for evening in club.evenings.order_by("pk")
        ],
        SeasonDigest.objects.filter(season__club=club).count(),
        club.treasurer.name,
    )


def test_a_file_is_as_its_schema_says_and_tells_no_secret(full, owner):
    owner.email = "owner@example.org"
    owner.set_password("a long secret")
    owner.save()
    token, secret = Token.make(owner, "phone")
    checked = Draft202012Validator(clubfile.schema())

    file = file_of(full).decode()

    assert [error.message for error in checked.iter_errors(json.loads(file))] == []
    for kept in ("example.org", owner.password, token.digest, secret):
        assert kept not in file


def test_the_schema_is_written_down():
    Draft202012Validator.check_schema(clubfile.schema())

    assert json.loads(SCHEMA.read_text()) == clubfile.schema(), (
        "make it by save_club --schema"
    )


def test_nothing_that_is_kept_is_forgotten():
    parts, held = [CLUB], set()
    while parts:
        part = parts.pop()
        held.add(part.model._meta.model_name)
        parts += part.parts.values()

    kept = {
        model._meta.model_name for model in apps.get_app_config("ledger").get_models()
    }
    assert kept - held == LEFT_OUT


def test_users_are_made_without_a_password_and_never_taken_for_others(full):
    text = elsewhere(file_of(full)).replace(':"owner"', ':"Ödön@kör"')
    text = text.replace('"role":"Ödön@kör"', '"role":"owner"')
    before = User.objects.count()

    twin = load_copy(text.replace('y":"scorer"', 'y":"ewa"'))
    with pytest.raises(clubfile.NameTaken, match="there is a user"):
        clubfile.load(io.BytesIO(text.encode()))

    made = User.objects.order_by("pk")[before:]
    assert [(user.username, user.has_usable_password()) for user in made] == [
        ("Ödön@kör", False),
        ("ewa", False),
    ]
    members = {(m.user.username, m.role) for m in twin.members.all()}
    assert members == {("Ödön@kör", "owner"), ("scorer", "scorer")}


def change(path, value):
    """Return a function that puts *value* where *path* leads."""

    def changed(file):
        at = file
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value

    return changed


VERSION = ("evenings", 0, "tables", 0, "hands", 0, "versions", 0)
ENTRY = ("evenings", 0, "entries", 0)
REFUSED = {
    "newer": (("kontra",), 2, "of format 2; this Kontra reads 1"),
    "no player": (
        (*VERSION, "dealer"),
        99,
        "versions[0].dealer: there is no player 99",
    ),
    "no record": ((*VERSION, "record"), [], "versions[0].record: is no record"),
    "no hand": (
        (*VERSION, "record"),
        {"contract": "slam"},
        "evenings[0].tables[0].hands[0].versions[0]: ",
    ),
    "not zero": (
        (*ENTRY, "postings", 0, "points"),
        5,
        "evenings[0].entries[0]: the postings sum to +2 points",
    ),
    "no posting": ((*ENTRY, "postings"), [], "entries: an entry without postings"),
    "no version": (
        (*ENTRY, "version"),
        "5" * 32,
        "entries[0].version: there is no version",
    ),
    "a guard": ((*ENTRY, "kind"), "adjustment", "evenings[0].entries: "),
    "no action": (
        ("evenings", 0, "entries", -1, "action"),
        "5" * 32,
        "evenings[0]: there is no action",
    ),
    "no time": (("evenings", 0, "opened_at"), "2026-11-20T10:00", "without a zone"),
    "no stake": (("evenings", 0, "stake"), -1, "evenings[0].stake: is -1"),
    "no number": (("evenings", 0, "stake"), 1.5, "stake: is no whole number"),
    "no text": (("club", "name"), "", "club.name: is not 1 to 80 characters"),
    "no game": (("editions", 0, "variant"), "poker", "unknown variant 'poker'"),
    "no list": (("players",), {}, "players: is no list"),
    "no id": (("editions", 0, "id"), {}, "editions[0].id: is no whole number"),
    "twice the same id": (("players", 1, "id"), 1, "players[1].id: is 1 once more"),
    "more": (("club", "colour"), "red", "club.colour: is not known here"),
    "twice": (("players", 1, "name"), "Ania", "players: "),
    "no treasurer": (("club", "treasurer"), 99, "club.treasurer: there is no player"),
    "no user": (("members", 0, "user"), "", "members[0].user: is no name of a user"),
}


def test_what_is_wrong_is_refused_with_its_place_and_nothing_is_changed(full):
    text = elsewhere(file_of(full))
    before = counts()

    for path, value, says in REFUSED.values():
        file = json.loads(text)
        change(path, value)(file)
        with pytest.raises(WrongValue, match=re.escape(says)):
            load_copy(json.dumps(file))
        assert counts() == before, path
    with pytest.raises(WrongValue, match="damaged or cut off"):
        load_copy(text[: len(text) * 3 // 4])
    with pytest.raises(WrongValue, match="is here already: so is the club"):
        load_copy(file_of(full).decode())
    assert counts() == before


def counts():
    return [model.objects.count() for model in (Club, Entry, Hand, OldSheet, User)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "damaged or cut off"),
        ("[]", "no evenings"),
        ("7", "no evenings"),
        ('{"kontra": 1, "evenings": []}', "is missing before the evenings"),
        ('{"evenings": {}, "kontra": 1}', "of format None"),
    ],
)
def test_what_is_no_file_of_a_club_is_refused(db, text, says):
    with pytest.raises(WrongValue, match=says):
        load_copy(text)


def test_the_commands_write_and_load_a_file_packed_or_not(full, tmp_path, capsys):
    plain, packed = tmp_path / "club.json", tmp_path / "club.json.gz"
    call_command("save_club", full.pk, plain)
    call_command("save_club", full.pk, packed)
    other = tmp_path / "other.json.gz"
    other.write_bytes(gzip.compress(elsewhere(plain.read_bytes()).encode()))

    with pytest.raises(CommandError, match="--force writes over it"):
        call_command("save_club", full.pk, plain)
    with pytest.raises(CommandError, match="--same-users takes them for the same"):
        call_command("load_club", other)
    call_command("load_club", other, "--same-users")

    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes() == file_of(full)
    assert "Nothing differs." in capsys.readouterr().out
    assert Club.objects.count() == 2


def test_a_file_that_is_not_there_is_said_so(db, tmp_path):
    with pytest.raises(CommandError, match="Nothing was loaded"):
        call_command("load_club", tmp_path / "none.json")
    with pytest.raises(CommandError, match="There is no club 7"):
        call_command("save_club", 7, tmp_path / "none.json")


def test_only_owners_have_the_whole_club(as_, full, owner, scorer, stranger):
    path = reverse("club_json", args=[full.pk])
    page = reverse("club_files", args=[full.pk])

    answer = as_(owner).get(path)

    assert b"".join(answer.streaming_content) == file_of(full)
    assert path in as_(owner).get(page).text
    assert path not in as_(scorer).get(page).text
    assert as_(scorer).get(path).status_code == 403
    assert as_(stranger).get(path).status_code == 404
