"""The link that `make run` prints, opened in a real browser."""

from __future__ import annotations

import pytest

from ledger.models import User
from ledger.security import sign_in_links


@pytest.mark.parametrize("javascript", [True, False])
def test_the_link_opens_the_door_once(phone, live_server, javascript):
    path = sign_in_links.link_path(User.objects.create_user("owner"))
    page = phone(javascript=javascript)

    page.goto(path)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("/")
    again = page.goto(path)

    assert again.status == 410
    assert page.goto("/").url == f"{live_server.url}/"
