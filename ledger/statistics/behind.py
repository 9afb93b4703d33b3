"""The hands behind a figure: those that its own function counts."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.models import Player
from ledger.statistics.facts import Fact
from ledger.statistics.reading import Scope


@dataclass(frozen=True, slots=True)
class Page:
    """Some hands, the latest first; *earlier* asks for those before, "" is the end."""

    facts: tuple[Fact, ...]
    earlier: str = ""


def hands_behind(
    scope: Scope,
    figure: str,
    player: Player | None = None,
    about: str = "",
    *,
    before: str = "",
) -> Page:
    """Return the hands that *figure* counts for *player*, or for the club.

    *about* is a row's; left empty where a figure has many rows, it is any of them.
    *before* is what a page said of the earlier hands. Raise `LookupError` on a figure
    that there is not, `ValueError` on a *before* that no page said.
    """
    return Page(())
