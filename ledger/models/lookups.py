"""Everybody who ever had a part in something, not only who sits there now."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.models import Player


def with_absent(people: Iterable[Player], ids: Iterable[int]) -> dict[int, Player]:
    """Return *people* by id, and with them whoever of *ids* is not among them.

    A line-up tells who sits from a hand on. Who dealt, played or was adjusted before
    it was changed may be in none; he is read only then.
    """
    known = {player.pk: player for player in people}
    if absent := set(ids) - known.keys():
        known |= Player.objects.in_bulk(absent)
    return known
