"""Players by id, with those who are in no present line-up."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.models import Player


def with_absent(people: Iterable[Player], ids: Iterable[int]) -> dict[int, Player]:
    """Return *people* by id, and those of *ids* that are not among them.

    A player who dealt, played or was adjusted may be in no line-up any more.
    """
    by_id = {player.pk: player for player in people}
    if absent := set(ids) - by_id.keys():
        by_id |= Player.objects.in_bulk(absent)
    return by_id
