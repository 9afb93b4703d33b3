"""First start of an installation: its first user, and the demo clubs."""

from __future__ import annotations

from ledger.demo.evening_files import create_demo_clubs
from ledger.models import Evening, User


def set_up(owner: str, *, demo: bool) -> list[Evening]:
    """Create the first user, and return the evenings of the demo clubs if wanted.

    Where there is a user already, nothing is created.
    """
    if User.objects.exists():
        return []
    # No password: the way in is a link from `manage.py signin`.
    user = User.objects.create_superuser(owner)
    return create_demo_clubs(user) if demo else []
