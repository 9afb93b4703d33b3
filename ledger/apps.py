"""App configurations: the ledger, and its admin site."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin import apps as admin


class LedgerConfig(AppConfig):
    name = "ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ledger.security import log_masking  # it reads a model

        log_masking.install()


class AdminConfig(admin.AdminConfig):
    default_site = "ledger.security.sign_in_limits.OperatorSite"
