"""The admin finds everything and leaves the journal alone."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.urls import reverse

from ledger.models import Entry, Evening, Hand, Version

MODELS = [model for model in admin.site._registry if model._meta.app_label == "ledger"]


@pytest.fixture
def staff(admin_client, table, record):
    record(table)
    return admin_client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_every_list_can_be_searched(staff, model):
    url = reverse(f"admin:ledger_{model._meta.model_name}_changelist")

    assert staff.get(url, {"q": "o"}).status_code == 200


@pytest.mark.parametrize("model", [Entry, Evening, Hand, Version])
def test_the_journal_can_be_read_and_not_written(staff, model):
    name = model._meta.model_name
    row = model.objects.get()

    def address(what, *args):
        return reverse(f"admin:ledger_{name}_{what}", args=args)

    assert staff.get(address("change", row.pk)).status_code == 200
    assert staff.post(address("change", row.pk), {}).status_code == 403
    assert staff.post(address("delete", row.pk), {"post": "yes"}).status_code == 403
    assert staff.get(address("add")).status_code == 403


def test_a_player_can_be_renamed(staff, people):
    url = reverse("admin:ledger_player_change", args=[people[0].pk])

    staff.post(url, {"club": people[0].club_id, "name": "Anna", "nickname": ""})

    people[0].refresh_from_db()
    assert people[0].name == "Anna"
