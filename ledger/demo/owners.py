"""Owners of invented clubs."""

from __future__ import annotations

from ledger.models import User


def owner_called(name: str) -> User:
    """Return the user called *name*, created if need be; without a name the first.

    Raise `ValueError` on a name that is too long.
    """
    most = User._meta.get_field("username").max_length
    if most and len(name) > most:
        raise ValueError(f"The name of a user has no more than {most} characters.")
    if name:
        return User.objects.get_or_create(username=name)[0]
    return User.objects.order_by("pk").first() or User.objects.create_user("owner")
