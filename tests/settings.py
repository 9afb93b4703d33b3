"""The site's settings, with plain static files and cheap passwords."""

from __future__ import annotations

from ledger.settings import *  # noqa: F403
from ledger.settings import INSTALLED_APPS, MIDDLEWARE, STORAGES

INSTALLED_APPS = [*INSTALLED_APPS, "zeal"]
MIDDLEWARE = ["zeal.middleware.zeal_middleware", *MIDDLEWARE]
ZEAL_RAISE = True  # a query a row fails the test

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
