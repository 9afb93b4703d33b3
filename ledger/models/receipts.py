"""Receipts: ids of requests that created something, so that they create it once."""

from __future__ import annotations

from django.db import models


class Receipt(models.Model):
    """The thing that a request with this id created.

    A write by an action needs none: the action has the id. Receipts belong to the
    installation, not to a club: no club file has them.
    """

    id = models.UUIDField(primary_key=True)  # made by the phone
    kind = models.CharField(max_length=20)
    """The name of its model."""
    thing = models.BigIntegerField(null=True)
    """Its id, once it is created; it may have been deleted since."""

    def __str__(self) -> str:
        return f"{self.kind} {self.thing}"
