"""The site's settings, with plain static files and cheap passwords."""

from __future__ import annotations

import os
import tempfile

from ledger.settings import *  # noqa: F403
from ledger.settings import (
    COUNTS_TABLE,
    DATABASES,
    INSTALLED_APPS,
    MIDDLEWARE,
    REST_FRAMEWORK,
    SQLITE,
    STORAGES,
)

INSTALLED_APPS = [*INSTALLED_APPS, "zeal"]
MIDDLEWARE = ["zeal.middleware.zeal_middleware", *MIDDLEWARE]
ZEAL_RAISE = True  # a query a row fails the test
ZEAL_ALLOWLIST = [{"model": "sessions.Session"}]  # signing out reads it twice

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
JOBS_APART = False  # another process sees nothing of an open transaction
WHITENOISE_AUTOREFRESH = True  # nothing is collected beforehand

REST_FRAMEWORK = REST_FRAMEWORK | {
    # The queries of a request are told apart from those of its count.
    "DEFAULT_THROTTLE_RATES": REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] | {"user": None}
}

COUNTS = "default"  # rolled back with everything else
DATABASES.pop("counts", None)

if "sqlite" in DATABASES["default"]["ENGINE"]:
    # In a file, as in earnest: threads that share one connection cannot nest
    # transactions. One file a process, for runs side by side.
    DATABASES["default"]["TEST"] = {
        "NAME": f"{tempfile.gettempdir()}/kontra-{os.getpid()}.sqlite3"
    }
    # No power cut is feared here: nothing waits for the disk.
    DATABASES["default"]["OPTIONS"] = SQLITE | {
        "init_command": SQLITE["init_command"].replace("=FULL", "=OFF") + COUNTS_TABLE
    }
