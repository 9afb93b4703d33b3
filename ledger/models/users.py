"""A user: somebody who signs in, in whatever club."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """Django's user with one name, and the language and theme chosen on any phone."""

    class Theme(models.TextChoices):
        DEVICE = "", _("As the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    first_name = None  # type: ignore[assignment] # the display name is a whole one
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(max_length=60, blank=True, default="")
    language = models.CharField(max_length=8, blank=True, default="")
    """A code of settings.LANGUAGES; empty until one is chosen."""
    theme = models.CharField(
        max_length=5, choices=Theme.choices, default=Theme.DEVICE, blank=True
    )

    def get_full_name(self) -> str:
        """Return how pages name this person; exports have the username."""
        return self.display_name or self.username

    get_short_name = get_full_name
