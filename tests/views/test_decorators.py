"""A view asks for a signed-in reader first, then for one of its methods."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse

from ledger.models import User
from ledger.views.decorators import (
    signed_in_action,
    signed_in_form,
    signed_in_page,
)

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")


@pytest.fixture
def answered(rf):
    def answered(decorator, method, user):
        request = rf.generic(method, "/here/")
        request.user = user
        return decorator(lambda _request: HttpResponse())(request)

    return answered


@pytest.mark.parametrize(
    ("decorator", "methods"),
    [
        (signed_in_page, {"GET", "HEAD"}),
        (signed_in_form, {"GET", "POST"}),
        (signed_in_action, {"POST"}),
    ],
)
def test_a_view_answers_its_methods_alone(answered, decorator, methods):
    allowed = {
        method
        for method in METHODS
        if answered(decorator, method, User()).status_code == 200
    }

    assert allowed == methods


@pytest.mark.parametrize(
    "decorator", [signed_in_page, signed_in_form, signed_in_action]
)
@pytest.mark.parametrize("method", METHODS)
def test_who_is_not_signed_in_is_sent_to_the_sign_in_page(answered, decorator, method):
    response = answered(decorator, method, AnonymousUser())

    assert (response.status_code, response.url) == (302, "/sign-in/?next=/here/")
