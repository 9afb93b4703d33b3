"""Every response: no caches, and HEAD as GET."""

from __future__ import annotations

import pytest
from django.test import Client

from ledger import jobs
from ledger.jobs import JobOutcome
from ledger.models import ShareLink
from ledger.security import sign_in_links
from tests.support.site_urls import Book

OURS = ("/admin/", "/admin/ledger/club/", "/nothing/", "/api/nothing/")
"""What is no page of a club."""


def nothing(job):
    job.result.write_text("all hands")
    return JobOutcome(file="hands.txt")


@pytest.fixture
def addresses(settings, tmp_path, upload, club, owner, table, record):
    """Every address of the site, with what a club has that played a hand."""
    settings.DATA_DIR = tmp_path
    record(table)
    _link, secret = ShareLink.make(table.evening, by=owner)
    sheet = upload("date,Ania,Bartek,Celina,Darek\n2026-05-01,1,-1,1,-1\n")
    job = jobs.start(nothing, title="Hands", user=owner, club=club, params={})
    book = Book(club, owner, secret, job.id, sheet.pk)
    book.at = table
    found = {one.name: one.path for one in book.addresses(all_of_them=True)}
    return [*found.values(), *OURS]


@pytest.fixture
def browsers(owner):
    """The owner's browser, and one where nobody is signed in."""
    known, unknown = Client(), Client()
    known.force_login(owner, backend=sign_in_links.BACKEND)
    return known, unknown


def test_nobody_keeps_what_is_private_and_head_is_as_get(addresses, browsers):
    known, unknown = browsers
    kept, other = {}, {}
    for path in addresses:
        asked = known.get(path), known.head(path), unknown.get(path)
        bodies = [b"".join(answer) for answer in asked]
        for answer in asked:
            for close in answer._resource_closers:  # close() would end the test's own
                close()
            rule = answer.headers.get("Cache-Control", "")
            if not {"private", "no-store"} <= {*rule.split(", ")}:
                kept[path] = rule
        if asked[0].status_code != asked[1].status_code or bodies[1]:
            other[path] = [answer.status_code for answer in asked]

    assert len(addresses) > 70
    assert (kept, other) == ({}, {})


def test_what_everybody_gets_alike_may_be_kept(settings):
    settings.WHITENOISE_USE_FINDERS = True

    answer = Client().get("/static/ledger/look.css")

    assert "public" in answer.headers["Cache-Control"]
    for close in answer._resource_closers:
        close()
