"""Names of the file for players, seasons, editions, users and tables."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import models

from ledger.clubfile.errors import WrongValue
from ledger.clubfile.values import MOST_INTEGER, whole_number
from ledger.models import Player


@dataclass
class Names:
    """By model, names of the file by primary key (dump), or the reverse (load)."""

    of: dict[type[models.Model], dict[Any, Any]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    missing_actions: set[UUID] = field(default_factory=set)
    """Actions that are referred to before they are loaded."""

    def find(self, model: type[models.Model], name: Any) -> Any:
        """Return the primary key of *name*. Raise `WrongValue` when it is unknown."""
        try:
            return self.of[model][name]
        except (KeyError, TypeError):
            raise WrongValue(f"there is no {model._meta.model_name} {name!r}") from None

    def player(self, number: Any) -> Any:
        return self.find(Player, whole_number(number, 1, MOST_INTEGER))

    def player_of_key(self, key: Any) -> Any:
        """Return the player whose number is the key of an object, and so a text."""
        if not (isinstance(key, str) and key.isdecimal() and len(key) < 10):
            raise WrongValue(f"there is no player {key!r}")
        return self.find(Player, int(key))
