"""What belongs to a person, on two phones."""

from __future__ import annotations

import pytest

from ledger.models import User

OLD, NEW = "two of spades", "Grzybobranie 7"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ania(transactional_db):
    return User.objects.create_user("ania", password=OLD)


def sign_in(page, password):
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("ania")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("/")


def test_a_password_is_changed_and_the_other_phone_is_signed_out(phone, ania):
    page, other = phone(), phone()
    for one in (page, other):
        sign_in(one, OLD)

    page.get_by_role("link", name="Password").click()
    page.get_by_label("Old password").fill(OLD)
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_label("New password again").fill(NEW)
    page.get_by_role("button", name="Save password").click()

    page.get_by_text("The password has been saved.").wait_for()
    other.goto("/")
    assert "/sign-in/" in other.url
    sign_in(other, NEW)


def test_the_theme_of_one_phone_is_taken_over_by_the_next(phone, ania):
    page, other = phone(), phone()
    sign_in(page, OLD)

    with page.expect_response("**/light/"):
        page.get_by_label("Light or dark").click()
    sign_in(other, OLD)

    themes = [one.locator("html").get_attribute("data-theme") for one in (page, other)]
    assert themes == ["dark", "dark"]
