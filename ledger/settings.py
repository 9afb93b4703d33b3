"""Settings: defaults that suit one club on one machine, changed by the environment.

Everything to be backed up (database, secret key) is in one folder, DATA_DIR.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.management.utils import get_random_secret_key

from ledger.network import host_names, reachable_host

os.umask(0o077)  # what is written here is for nobody else, whoever writes it

env = environ.Env()


def _secret_key(path: Path) -> str:
    """Return the key in *path*, created at the first start."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        with NamedTemporaryFile("w", dir=path.parent) as draft:  # its mode is 0600
            draft.write(get_random_secret_key())
            draft.flush()
            with suppress(FileExistsError):
                os.link(draft.name, path)  # whole or not at all: workers start together
    return path.read_text()


def _database(url: str) -> dict[str, Any]:
    database: dict[str, Any] = env.db_url_config(url)
    if database["ENGINE"] == "django.db.backends.sqlite3":
        return database | KEPT | {"ENGINE": "ledger.sqlite", "OPTIONS": SQLITE}
    return database | KEPT


KEPT = {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
SQLITE = {
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    "timeout": 60,  # in the queue, and for another program that writes
    "transaction_mode": "IMMEDIATE",  # deferred ones fail when two phones write
}

COUNTS_TABLE = (
    "CREATE TABLE IF NOT EXISTS kontra_counts (key varchar(64) PRIMARY KEY, "
    "number integer NOT NULL, latest bigint NOT NULL, until bigint NOT NULL);"
    "CREATE INDEX IF NOT EXISTS kontra_counts_until ON kontra_counts (until);"
)


def _counts(file: Path) -> dict[str, Any]:
    """Return the file of security/rate_counters.py, which makes what is missing."""
    begin = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;" + COUNTS_TABLE
    options = SQLITE | {"init_command": begin, "timeout": 5}
    return KEPT | {"ENGINE": "ledger.sqlite", "NAME": file, "OPTIONS": options}


BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = BASE_DIR / env.str("DATA_DIR", default="data")

DEBUG = env.bool("DEBUG", default=False)
HTTPS = env.bool("HTTPS", default=False)
TRUSTED_PROXIES = env.list(
    "TRUSTED_PROXIES", default=["127.0.0.1", "::1"] if HTTPS else []
)
SECRET_KEY = env.str("SECRET_KEY", default="") or _secret_key(DATA_DIR / "secret_key")
HOST, PORT = env.str("HOST", default="127.0.0.1"), env.str("PORT", default="8000")
SITE_FILE = DATA_DIR / "site"  # where `make run` says that it is
SITE = (
    env.str("SITE", default="").rstrip("/") or f"http://{reachable_host(HOST)}:{PORT}"
)
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]", *host_names(HOST)]
)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

DATABASES = {
    "default": _database(
        env.str("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")
    )
}
COUNTS = "default"
"""The database of ledger/security/rate_counters.py."""
if DATABASES["default"]["ENGINE"] == "ledger.sqlite":
    COUNTS = "counts"
    DATABASES[COUNTS] = _counts(DATA_DIR / "counts.sqlite3")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "ledger.apps.LedgerConfig",
    "ledger.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_filters",
    "drf_spectacular",
    "rest_framework",
    "template_partials",
]

MIDDLEWARE = [
    "ledger.serving.proxies.middleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "ledger.serving.responses.never_cached",
    "ledger.serving.responses.head_as_get",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "ledger.serving.body_limits.middleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "ledger.serving.refused_requests.RefusalMiddleware",
    "ledger.snapshot.middleware",
]

ROOT_URLCONF = "ledger.urls"
WSGI_APPLICATION = "ledger.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

# People and sign-in

AUTH_USER_MODEL = "ledger.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign_in"
PASSWORD_RESET_TIMEOUT = int(timedelta(days=1).total_seconds())  # of sign-in links
SESSION_COOKIE_AGE = int(timedelta(days=180).total_seconds())  # a season

AXES_HANDLER = "ledger.security.sign_in_limits.Handler"  # its own tables stay empty
AXES_LOCKOUT_CALLABLE = "ledger.views.account.sign_in.locked"
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_ENABLE_ADMIN = False

# Security

SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024  # of a form; a page may take a file beside it
DATA_UPLOAD_MAX_NUMBER_FILES = 1
CSRF_FAILURE_VIEW = "ledger.serving.error_pages.expired_form"
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=HTTPS)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

# Languages and time

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("pl", "Polski"),
    ("hu", "Magyar"),
    ("de", "Deutsch"),
]
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())  # as of the theme
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LOCALE_PATHS = [BASE_DIR / "ledger" / "locale"]
FORMAT_MODULE_PATH = "ledger.formats"
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Warsaw")
USE_TZ = True

# Long work

JOBS_APART = True  # in processes of its own

# Static files

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
FILE_UPLOAD_PERMISSIONS = None  # as of all that we write
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG

# The API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "ledger.api.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["ledger.api.parsing.JSONParser"],
    "DEFAULT_METADATA_CLASS": "ledger.api.metadata.Metadata",
    "DEFAULT_SCHEMA_CLASS": "ledger.api.schema.Schema",
    "DEFAULT_FILTER_BACKENDS": ["ledger.api.filters.FilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "ledger.api.pagination.Pages",
    # Who is not signed in is counted where signing in begins, in ledger.api.tokens.
    "DEFAULT_THROTTLE_CLASSES": ["ledger.api.throttling.UserThrottle"],
    "DEFAULT_THROTTLE_RATES": {"anon": "60/min", "user": "600/min"},
    "NUM_PROXIES": 0,  # ledger.serving.proxies has looked already
    "EXCEPTION_HANDLER": "ledger.api.problems.answer",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Kontra",
    "DESCRIPTION": "The ledger of a tarock club.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": ["ledger.api.schema.postprocess"],
    "SERVE_INCLUDE_SCHEMA": False,
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
