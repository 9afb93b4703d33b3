"""Whatever is typed has a bound, in forms, in the API and in the database."""

from __future__ import annotations

import ast
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import models
from django.urls import get_resolver
from rest_framework import serializers

from ledger import journal
from ledger.api.fields import StrictSerializer
from ledger.journal import access_keys
from ledger.models import Receipt, ShareLink, Token
from ledger.views.files.import_choices import MOST_NAMES, MOST_TEXT
from scoring import Refused

ROOT = Path(__file__).parent.parent.parent
TYPED = ("CharField", "NameField", "RegexField", "SlugField", "URLField", "EmailField")
SHOWN = {"api/schema.py", "api/declarations.py", "api/serializers.py", "api/fields.py"}
"""They only answer: what is sent is looked at below."""


def calls():
    """Yield each field for a text that a form of ours has."""
    for path in sorted((ROOT / "ledger").rglob("*.py")):
        name = str(path.relative_to(ROOT / "ledger"))
        if name.startswith(("migrations", "models", "api/")):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if called in TYPED:
                    yield name, node


def test_every_text_of_a_form_has_a_bound():
    open_ = [
        f"{name}:{node.lineno}"
        for name, node in calls()
        if "max_length" not in {keyword.arg for keyword in node.keywords}
    ]

    assert open_ == []


def sent(kind=StrictSerializer):
    """Yield what the API takes: every serializer that refuses what it doesn't know."""
    assert get_resolver().url_patterns  # all are loaded
    for one in kind.__subclasses__():
        yield one
        yield from sent(one)


def texts(field, path):
    """Yield the texts in a field of the API, and the lists that have no end."""
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        if field.max_length is None:
            yield path
        yield from texts(field.child, f"{path}[]")
    elif isinstance(field, serializers.BaseSerializer):
        for name, inner in field.fields.items():
            if not inner.read_only:
                yield from texts(inner, f"{path}.{name}")
    elif (
        isinstance(field, serializers.CharField) and field.max_length is None
    ) or isinstance(field, serializers.JSONField):
        yield path


def test_every_text_that_the_api_takes_has_a_bound():
    """Rules and records are read by the game, which takes what it knows alone."""
    found = {path for one in sent() for path in texts(one(), one.__name__)}

    assert found == set()
    assert len({*sent()}) > 8


def test_every_text_of_the_database_has_a_bound():
    open_ = [
        f"{model.__name__}.{field.name}"
        for model in apps.get_app_config("ledger").get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.TextField)
        or (isinstance(field, models.CharField) and not field.max_length)
    ]

    assert open_ == []


JUDGED = {
    "OldSheet.choices": "import_choices keeps so many names of so many letters",
    "OldSheet.players_made": "who came by it",
    "OldSheet.fingerprints": "follow from its sheets",
    "Edition.rules": "the game's own options and values",
    "Version.record": "what the game knows of a hand",
    "Version.players": "who sat there",
    "Version.resting": "who sat there",
    "Action.seating_before": "who sat there",
    "Action.seating_after": "who sat there",
    "Action.before": "what an evening was",
    "Action.after": "what an evening is",
    "TableDigest.data": "follows from the hands",
    "SeasonDigest.data": "follows from the hands",
    "EveningRating.games": "follows from the hands",
    "EveningRating.state": "follows from the hands",
}
"""What no column bounds, and why nobody fills it."""


def test_what_has_no_length_is_filled_by_nobody():
    found = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_app_config("ledger").get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.JSONField)
    }

    assert found == JUDGED.keys()


@pytest.mark.parametrize("key", ["letters", "NOTHING", "preset"])
def test_a_game_takes_no_rules_that_it_does_not_know(key, as_, owner, club, people):
    answer = as_(owner).post(
        f"/api/clubs/{club.pk}/evenings/",
        {
            "id": str(uuid4()),
            "name": "Friday",
            "date": "2026-11-20",
            "variant": "taroki",
            "rules": {key: "x" * 10_000},
            "seats": [player.pk for player in people[:4]],
            "dealer": people[0].pk,
        },
        content_type="application/json",
    )

    assert answer.status_code == 422
    assert not club.evenings.exists()


def test_a_record_keeps_nothing_that_the_game_does_not_know(table, as_, owner, people):
    facts = {"contract": "3", "declarer": people[0].pk, "card_points": 41}
    for more in ({"letter": "x" * 10_000}, {"contract": "x" * 10_000}):
        hand = {"id": str(uuid4()), "hand": facts | more}

        answer = as_(owner).post(
            f"/api/tables/{table.pk}/hands/", hand, content_type="application/json"
        )

        assert answer.status_code == 422


def test_the_choices_of_a_sheet_do_not_grow(upload, as_, owner):
    sheet = upload("date,Ania,Bartek,Celina,Darek\n2026-05-01,1,-1,1,-1\n")
    for turn in range(3):
        names = {f"who:{'x' * 50}{turn} {n}": "new" for n in range(300)}
        long = {f"who:{'y' * 5000}": "new", "season": "z" * 5000, "sheet": "s" * 5000}
        as_(owner).post(
            f"/imports/{sheet.pk}/",
            urlencode({"column-0": "date"} | names | long),
            content_type="application/x-www-form-urlencoded",
        )

    sheet.refresh_from_db()
    assert len(sheet.choices["people"]) <= MOST_NAMES
    assert max(map(len, sheet.choices["people"])) <= MOST_TEXT
    assert len(str(sheet.choices)) < 50_000


def test_a_person_has_so_many_tokens_and_the_page_says_so(as_, member, monkeypatch):
    monkeypatch.setattr(access_keys, "MOST_TOKENS", 3)
    monkeypatch.setattr(access_keys, "MOST_REVOKED", 2)
    client = as_(member)
    answers = [client.post("/tokens/", token(n)) for n in range(5)]
    mine = Token.objects.filter(user=member)
    live = mine.filter(revoked_at=None).count()
    for n in range(8):
        client.post("/tokens/", {"revoke": mine.filter(revoked_at=None)[0].pk})
        client.post("/tokens/", token(n))

    assert live == 3
    assert "You have 3 tokens: revoke one" in answers[-1].text
    assert 'value="board 4"' in answers[-1].text
    assert mine.count() <= 3 + 2 + 1
    assert Receipt.objects.filter(kind="token").count() <= 3 + 2 + 1


def token(n):
    return {"id": str(uuid4()), "name": f"board {n}"}


def test_an_evening_has_so_many_links(table, owner, monkeypatch):
    monkeypatch.setattr(access_keys, "MOST_LINKS", 2)
    by = {"by": owner, "method": "fewest", "lasts": timedelta(days=1)}
    for _ in range(2):
        journal.make_link(table.evening, id=uuid4(), **by)

    with pytest.raises(Refused, match="2 links"):
        journal.make_link(table.evening, id=uuid4(), **by)

    assert ShareLink.objects.count() == 2
