"""Logs without secrets: sign-in links, share links, tokens."""

from __future__ import annotations

import logging
import re
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse

from ledger.models import ShareLink, Token
from ledger.security import log_masking, sign_in_links
from tests.support.site_urls import routes

HARMLESS = {("import_example", "mode"), ("import_example", "kind")}
"""Texts in an address that let nobody in."""


@pytest.fixture
def secrets(table, owner):
    """Return addresses by name, each with a secret that works, and the secrets."""
    _uid, token = sign_in_links.link_path(owner).strip("/").split("/")[1:]
    _link, shared = ShareLink.make(table.evening, by=owner)
    return {
        "sign_in_link": (sign_in_links.link_path(owner), token),
        "shared": (reverse("shared", args=[shared]), shared),
    }


@pytest.fixture
def log():
    """What a handler of the root logger writes, whatever its own format."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    logging.getLogger().addHandler(handler)
    logging.getLogger("django.request").setLevel(logging.DEBUG)
    yield written
    logging.getLogger().removeHandler(handler)
    logging.getLogger("django.request").setLevel(logging.NOTSET)


def test_every_text_in_an_address_is_declared_secret_or_harmless():
    """A new address with a text in it has to say which it is."""
    texts = {
        (name, part)
        for name, route in routes()
        for part in re.findall(r"<(?:str|path):(\w+)>", route)
    }

    secret = {
        (name, part)
        for name, parts in log_masking.SECRET_URL_PARTS.items()
        for part in parts
    }
    assert texts == secret | HARMLESS


@pytest.mark.parametrize("name", log_masking.SECRET_URL_PARTS)
def test_whatever_is_asked_of_a_link_its_secret_is_in_no_log(log, secrets, name):
    path, secret = secrets[name]
    browser = Client(enforce_csrf_checks=True)

    for method in ("head", "post", "put", "delete", "options", "patch", "get"):
        getattr(browser, method)(path)
        getattr(browser, method)(path[:-1])
        getattr(browser, method)(f"{path}x/")
        getattr(browser, method)(f"/club{path}"[:-1])
        getattr(browser, method)(f"/{secret}")
        browser.get(f"/light/?next={path}")
        browser.get("/nothing/", {"next": path})
    logging.getLogger("any.other").error("%s is asked of %(x)s", path)

    assert "Method Not Allowed" in log.getvalue()
    assert "Forbidden (CSRF" in log.getvalue()
    assert secret not in log.getvalue()


def test_a_token_in_an_address_is_in_no_log(log, owner, client):
    _token, secret = Token.make(owner, "board")

    client.get(f"/api/nothing/?token={secret}")
    client.put(f"/sign-in/?next=/{secret}")

    assert "/api/nothing/" in log.getvalue()
    assert secret.removeprefix("kontra_") not in log.getvalue()


def test_a_trace_is_masked_too(log, secrets):
    path, secret = secrets["shared"]

    try:
        raise LookupError(f"nothing at {path}")
    except LookupError:
        logging.getLogger("ledger").exception("It broke")

    assert "LookupError: nothing at /s/…" in log.getvalue()
    assert secret not in log.getvalue()


def test_the_access_log_of_the_server_is_masked(log, secrets):
    """Switched off by us; somebody may switch it on."""
    logger = logging.getLogger("gunicorn.access")
    logger.setLevel(logging.INFO)
    logger.propagate = True
    for path, secret in secrets.values():
        atoms = {"r": f"GET {path} HTTP/1.1", "f": f"https://kontra.example{path}"}

        logger.info('"%(r)s" "%(f)s"', atoms)

        assert secret not in log.getvalue()
    assert "GET /s/…/ HTTP/1.1" in log.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "/clubs/1/settings/",
        "/sign-in/ was asked for, and /static/s.css",
        "/seasons/3/book.xlsx",
        "/sign-in/?next=/",
    ],
)
def test_what_lets_nobody_in_is_told(text):
    assert log_masking.mask_secrets(text) == text
