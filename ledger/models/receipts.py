"""What was made by what somebody sent, so that it is made once."""

from __future__ import annotations

from django.db import models


class Receipt(models.Model):
    """That a form or a call with this id has made its thing.

    What is written by an action needs none: there the action has the id. It belongs to
    this installation, not to a club: no file of a club holds it.
    """

    id = models.UUIDField(primary_key=True)  # made by the phone
    kind = models.CharField(max_length=20)
    """The name of its model."""
    thing = models.BigIntegerField(null=True)
    """Its number, once it is made; it may have been removed since."""

    def __str__(self) -> str:
        return f"{self.kind} {self.thing}"
