"""Configuration of gunicorn: the application is loaded once and shared by workers.

gunicorn --config ledger/serving/gunicorn.py ledger.wsgi
"""

from __future__ import annotations

import gc
import os
from pathlib import Path

from django.conf import settings
from django.db import connections
from django.template.loader import get_template
from django.urls import get_resolver
from django.utils import translation

from ledger.security.file_modes import make_private

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ledger.settings")

worker_class = "ledger.serving.worker.Worker"
workers = 2
threads = 32
limit_request_fields = 64
preload_app = True
control_socket_disable = True
forwarded_allow_ips = ",".join(settings.TRUSTED_PROXIES)
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}
forwarder_headers = ""


def on_starting(server: object) -> None:
    """Load URLs, templates and catalogues before the fork, as the first page would."""
    make_private()
    assert get_resolver().url_patterns
    templates = Path(settings.BASE_DIR) / "templates"
    for file in templates.rglob("*.html"):
        get_template(str(file.relative_to(templates)))
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            translation.gettext("Hand")
    gc.collect()
    gc.freeze()  # the collector leaves it alone, so workers do not copy it


def pre_fork(server: object, worker: object) -> None:
    """Close connections to the database: none may be shared by two processes."""
    connections.close_all()
