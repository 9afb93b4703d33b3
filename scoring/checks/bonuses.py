"""Each bonus by itself: who can make it or announce it, and beside which others."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.hand import BonusLine, Hand
from scoring.items import Bonus
from scoring.problems import Problem, problem, warning
from scoring.sides import Side
from scoring.text import Text, Who, _
from scoring.variant import Variant


def check_bonuses(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Yield the contradictions within each bonus line of a played hand."""
    seen: dict[tuple[str, Side | None], BonusLine] = {}
    for line in hand.bonuses:
        bonus = variant.bonus[line.bonus]
        first = seen.setdefault((line.bonus, line.side), line)
        if first is not line and line.side is not None:
            yield _twice(bonus, first, line)
        if line.announced_by is None:
            yield from _silent(bonus, line)
        else:
            yield from _announced(variant, hand, bonus, line)
        if line.made and not line.announced and line.side is Side.DEFENDERS:
            yield from _without_needed(variant, hand, bonus)


def about(bonus: Bonus, message: str, /, *, code: str, **values: object) -> Problem:
    """Return the problem of one bonus; *message* names it as ``{bonus}``."""
    name = Text(bonus.name)
    return problem("bonuses", message, code=code, about=bonus.id, bonus=name, **values)


def _twice(bonus: Bonus, first: BonusLine, second: BonusLine) -> Problem:
    one, two = first.announced_by, second.announced_by
    if one is None or two is None or one == two:
        message = _("{bonus}: entered twice for one side. Keep only one.")
        return about(bonus, message, code="bonus_twice")
    message = _(
        "{bonus}: announced by {one} and {two}, who are one side. Keep only one."
    )
    return about(bonus, message, code="bonus_twice", one=Who(one), two=Who(two))


def _silent(bonus: Bonus, line: BonusLine) -> Iterator[Problem]:
    if bonus.silent is None:
        message = _("{bonus}: counts only if announced.")
        yield about(bonus, message, code="only_announced")
    elif line.side not in bonus.silent_by:
        message = (
            _("{bonus}: only for the declarer’s side.")
            if line.side is Side.DEFENDERS
            else _("{bonus}: only for the defenders.")
        )
        yield about(bonus, message, code="wrong_side")
    if line.contra:
        message = _("{bonus}: not announced, so there can be no kontra.")
        yield about(bonus, message, code="silent_contra")
    if not line.made and not bonus.silent_can_fail:
        message = _("{bonus}: neither announced nor made. Leave it out.")
        yield about(bonus, message, code="silent_failed")


def _without_needed(variant: Variant, hand: Hand, bonus: Bonus) -> Iterator[Problem]:
    """Yield the bonus that two defenders need beside *bonus*, if they lack it."""
    needed = bonus.defenders_need
    if not needed or hand.partner is None:
        return
    if not hand.has_made(needed, Side.DEFENDERS):
        message = _("{bonus} for the defenders needs {other} too: add it.")
        other = Text(variant.bonus[needed].name)
        yield about(bonus, message, code="bonus_needs", other=other)


def _announced(
    variant: Variant, hand: Hand, bonus: Bonus, line: BonusLine
) -> Iterator[Problem]:
    if bonus.announced is None:
        message = _("{bonus} cannot be announced: say who made it.")
        yield about(bonus, message, code="only_silent")
    elif line.side is not None and line.side not in bonus.announced_by:
        message = _("Only the declarer’s side can announce {bonus}.")
        yield about(bonus, message, code="wrong_side")
    if line.contra and not bonus.contra:
        message = _("{bonus}: there is no kontra on it.")
        yield about(bonus, message, code="no_contra_on_bonus")
    yield from _announcer(variant, hand, bonus, line)
    yield from _announced_beside(variant, hand, bonus, line)


def _announcer(
    variant: Variant, hand: Hand, bonus: Bonus, line: BonusLine
) -> Iterator[Problem]:
    """Yield why nobody, or why rather the partner than the declarer, announced it."""
    if hand.alone and hand.alone in bonus.not_alone_because:
        message = _("{bonus} cannot be announced: {reason}.")
        reason = Text(variant.alone_reason[hand.alone].name)
        yield about(bonus, message, code="nobody_holds_it", reason=reason)
    by_declarer = hand.partner is not None and line.announced_by == hand.declarer
    if bonus.usually_by_partner and by_declarer:
        yield warning(
            "bonuses",
            _("{bonus} is announced by the partner, who holds the king. Is it right?"),
            code="unlikely_announcer",
            about=bonus.id,
            bonus=Text(bonus.name),
        )


def _announced_beside(
    variant: Variant, hand: Hand, bonus: Bonus, line: BonusLine
) -> Iterator[Problem]:
    say = problem if bonus.not_with_is_sure else warning
    for other in hand.bonuses:
        both = other.announced and other.side is line.side
        if both and other.bonus in bonus.not_with:
            yield say(
                "bonuses",
                _("One side cannot announce both {bonus} and {other}."),
                code="not_beside",
                about=bonus.id,
                bonus=Text(bonus.name),
                other=Text(variant.bonus[other.bonus].name),
            )
