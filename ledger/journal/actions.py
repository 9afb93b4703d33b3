"""Actions: the record of every write, numbered in the order they were written.

An action belongs to an evening, a season or a club, whose row is locked while the
action gets its number; so the numbers of each have no gaps.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ledger.journal.clock import now
from ledger.models import Action, User, Version
from scoring import refuse
from scoring.text import _

MOST_REASON = 200
NUMBERS = Action.objects.order_by("-number").values_list("number", flat=True)


def begin(
    kind: Action.Kind, *, id: UUID, by: User, last: int | None = None, **values: Any
) -> Action:
    """Create the action that everything else is written under.

    Its evening, season or club is locked. *last* is the number of the last action
    there, where the caller has read it. Raise `Refused` for a reason that is too long.
    """
    if len(values.get("reason", "")) > MOST_REASON:
        refuse("reason", _("Use {most} characters or fewer."), most=MOST_REASON)
    if table := values.get("table"):
        values.setdefault("evening", table.evening)
    values.setdefault("at", now())
    if last is None:
        of = {name: values.get(name) for name in ("evening", "season", "club")}
        last = last_number(**of)
    return Action.objects.create(
        id=id, kind=kind, number=last + 1, by_id=by.pk, **values
    )


def last_number(**of: object) -> int:
    """Return the number of the last action of an evening, a season or a club."""
    return NUMBERS.filter(**of).first() or 0


def original_of(action: Action) -> Action:
    """Return the action that *action* undoes and redoes in the end; or itself."""
    while action.undoes is not None:
        action = action.undoes
    return action


def later_actions(version: Version) -> list[Action]:
    """Return the actions that touched the hand of *version* after it was written."""
    touching = Action.objects.filter(steps__hand=version.hand_id)
    own = touching.filter(steps__after=version).order_by("number").first()
    later = touching.filter(number__gt=own.number if own else 0)
    return list(later.order_by("number").select_related("by"))
