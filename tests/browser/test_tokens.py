"""The page of tokens on a phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from rest_framework.test import APIClient

from ledger.models import Token, User


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_token_is_made_used_and_revoked(phone, scheme):
    owner = User.objects.create_user("owner")
    page = phone(user=owner, scheme=scheme, width=320)
    page.goto("/tokens/")

    page.get_by_label("New token").last.fill("scoreboard")
    page.get_by_role("button", name="Make a token").click()
    secret = page.get_by_label("Your new token").input_value()
    headers = {"Authorization": f"Bearer {secret}"}
    assert Axe().run(page).violations_count == 0
    assert APIClient().get("/api/clubs/", headers=headers).status_code == 200

    page.get_by_role("button", name="Revoke scoreboard").click()
    page.get_by_text("No token yet.").wait_for()
    assert APIClient().get("/api/clubs/", headers=headers).status_code == 401
    assert Token.objects.get().revoked_at
