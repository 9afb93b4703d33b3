"""Sign-in links: each signs in once."""

from __future__ import annotations

import time

import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command

from ledger.models import User
from ledger.security import sign_in_links

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return User.objects.create_user("owner")


def _printed(capsys, *arguments):
    call_command("signin", *arguments)
    return capsys.readouterr().out.strip()


def test_a_link_signs_in_once(client, owner, capsys):
    address = _printed(capsys, "--site", "http://tarock.example/")
    path = address.removeprefix("http://tarock.example")

    first = client.post(path)
    client.logout()
    second = client.post(path)

    assert (first.status_code, first["Location"]) == (302, "/")
    assert second.status_code == 410
    assert "_auth_user_id" not in client.session


def test_looking_at_a_link_does_not_use_it_up(client, owner):
    path = sign_in_links.link_path(owner)

    looks = [client.get(path).status_code for _ in range(2)]

    assert looks == [200, 200]
    assert client.post(path).status_code == 302


def test_using_one_link_ends_the_others(client, owner):
    early, late = sign_in_links.link_path(owner), sign_in_links.link_path(owner)

    client.post(late)

    assert client.post(early).status_code == 410


def test_a_link_ends_after_a_day(client, owner):
    path = sign_in_links.link_path(owner)

    with time_machine.travel(time.time() + settings.PASSWORD_RESET_TIMEOUT + 1):
        answer = client.post(path)

    assert answer.status_code == 410


def test_a_link_ends_when_the_password_changes(client, owner):
    path = sign_in_links.link_path(owner)

    owner.set_password("ultimo ultimo")
    owner.save()

    assert client.post(path).status_code == 410


def test_a_link_does_not_let_in_who_has_left(client, owner):
    path = sign_in_links.link_path(owner)

    owner.is_active = False
    owner.save()

    assert client.post(path).status_code == 410


def test_a_link_is_not_good_for_somebody_else(client, owner):
    token = sign_in_links.link_path(owner).split("/")[-2]
    other = sign_in_links.link_path(User.objects.create_user("other")).split("/")[-3]

    assert client.post(f"/sign-in/{other}/{token}/").status_code == 410


@pytest.mark.parametrize("uid", ["MQ", "x", "LTE", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5"])
@pytest.mark.parametrize(
    "token", ["x", "a-b", "cqz5t2-0123456789abcdef0123456789abcdef"]
)
def test_a_made_up_link_is_no_link(client, owner, uid, token):
    assert client.post(f"/sign-in/{uid}/{token}/").status_code == 410


def test_the_command_takes_a_name(capsys, owner):
    other = User.objects.create_user("other")

    uid, token = _printed(capsys, "other").split("/")[-3:-1]

    assert sign_in_links.user_of(uid, token) == other


def test_the_command_says_whom_it_does_not_know(owner):
    with pytest.raises(CommandError, match="no active user nobody"):
        call_command("signin", "nobody")


def test_a_start_prints_a_link_until_somebody_has_come(
    client, owner, capsys, settings, tmp_path
):
    """What it prints may be kept in a log: a link is for the first minute there."""
    settings.SITE_FILE = tmp_path / "site"
    first = _printed(capsys, "--starting")
    client.post(sign_in_links.link_path(owner))

    later = _printed(capsys, "--starting")

    assert first.count("/sign-in/") == 1
    assert later == (
        f"Kontra is at {settings.SITE}/.\n"
        "`.venv/bin/python manage.py signin` prints a link that signs you in."
    )
