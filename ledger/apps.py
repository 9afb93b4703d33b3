"""How Django knows the ledger."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin import apps as admin


class LedgerConfig(AppConfig):
    name = "ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ledger import masked  # it reads a model

        masked.install()


class AdminConfig(admin.AdminConfig):
    default_site = "ledger.doors.Operators"
