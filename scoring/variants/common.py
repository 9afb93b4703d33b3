"""What several games have in common: two endings, and how high a kontra may go."""

from __future__ import annotations

from scoring.items import Change, Choice, Ending, EndingKind, Option
from scoring.text import _

PLAYED = Ending(
    id="played", name=_("Played"), help=_("The hand is played."), kind=EndingKind.PLAYED
)
PASSED = Ending(
    id="passed",
    name=_("Passed"),
    help=_("All four pass; nobody pays."),
    kind=EndingKind.THROWN_IN,
)


def contra_cap(*steps: str) -> Option:
    """Return the option of the highest kontra; *steps* are named highest first."""
    top = len(steps)
    choices = (
        Choice(
            value=level,
            name=name,
            changes=(Change(of="ladder", to={"top": level}),) if level < top else (),
        )
        for level, name in zip(range(top, 0, -1), steps, strict=True)
    )
    return Option(
        id="contra_cap",
        name=_("Highest kontra"),
        help=_("The last step that may be said."),
        choices=tuple(choices),
    )
