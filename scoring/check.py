"""Contradictions: what cannot have happened at the table, all of it at once.

Most follow from the cards. A bonus says which tricks its side takes, which card wins
the last of them, which cards lie in its pile and which of those it captured; two
bonuses that ask for the same trick or card in two places contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from scoring.hand import BonusLine, Hand
from scoring.items import Bonus, Ending, Kind
from scoring.problems import Problem, Severity
from scoring.sides import Side
from scoring.text import Text, Who, _
from scoring.variant import Tariff, Variant


def check(tariff: Tariff, hand: Hand) -> list[Problem]:
    """Return every contradiction in *hand*; errors refuse it, warnings do not."""
    return list(_problems(tariff.variant, hand))


def _problems(variant: Variant, hand: Hand) -> Iterator[Problem]:
    ending = variant.ending[hand.ending]
    if ending.kind is Kind.PLAYED:
        yield from _sides(variant, hand)
        yield from _contract(variant, hand)
        yield from _result(variant, hand)
        yield from _lines(variant, hand)
        yield from _points(variant, hand)
        yield from _pairs(variant, hand)
        yield from _lost(variant, hand)
        yield from _holdings(variant, hand)
    else:
        yield from _not_played(variant, ending, hand)
    yield from _annulment(ending, hand)


def _problem(
    code: str, field: str, message: str, about: str = "", **values: object
) -> Problem:
    return Problem(code=code, field=field, message=Text(message, values), about=about)


def _warning(
    code: str, field: str, message: str, about: str = "", **values: object
) -> Problem:
    return Problem(
        code=code,
        field=field,
        message=Text(message, values),
        about=about,
        severity=Severity.WARNING,
    )


def _sides(variant: Variant, hand: Hand) -> Iterator[Problem]:
    if hand.declarer is None:
        yield _problem("no_declarer", "declarer", _("Choose the declarer."))
    elif hand.partner == hand.declarer:
        yield _problem(
            "own_partner",
            "partner",
            _("Leave the partner empty when the declarer plays alone."),
        )
    if hand.alone is None:
        return
    if hand.partner is not None:
        yield _problem(
            "not_alone",
            "alone",
            _("The declarer has a partner: leave out the reason for playing alone."),
        )
    reason = variant.alone_reason[hand.alone]
    if reason.needs_contra and not hand.contra:
        yield _problem("needs_contra", "contra", reason.needs_contra)
    if reason.unlikely and not _declarer_announced(hand, reason.unlikely_unless):
        yield _warning("unlikely_alone", "alone", reason.unlikely)


def _declarer_announced(hand: Hand, bonus: str) -> bool:
    return any(
        line.bonus == bonus and line.announced_by == hand.declarer is not None
        for line in hand.bonuses
    )


def _contract(variant: Variant, hand: Hand) -> Iterator[Problem]:
    if hand.contract is None:
        yield _problem("no_contract", "contract", _("Choose the contract."))
    elif hand.contra and not variant.contract[hand.contract].contra:
        yield _problem(
            "no_contra_on_contract",
            "contra",
            _("There is no kontra on contract {contract}: remove the kontra."),
            contract=Text(variant.contract[hand.contract].name),
        )


def _result(variant: Variant, hand: Hand) -> Iterator[Problem]:
    if hand.card_points is None:
        if hand.won is None:
            yield _problem(
                "no_result", "won", _("Say who won, or count the card points.")
            )
    elif hand.won is not None and hand.won != (winner(variant, hand) is Side.DECLARER):
        yield _problem(
            "result_twice",
            "won",
            _(
                "The declarer’s side has {points} card points and needs {needed} to "
                "win: correct the points, or who won."
            ),
            points=hand.card_points,
            needed=variant.game.wins_with,
        )


def winner(variant: Variant, hand: Hand) -> Side | None:
    """Return the side that won the game, None when the tie is nobody's.

    Only for a hand that says who won or how many card points there were.
    """
    game = variant.game
    if hand.card_points is None:
        return Side.DECLARER if hand.won else Side.DEFENDERS
    if hand.card_points == game.tie and game.tie_goes_to != "defenders":
        if game.tie_goes_to == "nobody":
            return None
        return Side.DECLARER if hand.contra % 2 else Side.DEFENDERS
    won = hand.card_points >= game.wins_with
    return Side.DECLARER if won else Side.DEFENDERS


def _lines(variant: Variant, hand: Hand) -> Iterator[Problem]:
    seen: dict[tuple[str, Side | None], BonusLine] = {}
    for line in hand.bonuses:
        bonus = variant.bonus[line.bonus]
        first = seen.setdefault((line.bonus, line.side), line)
        if first is not line and line.side is not None:
            yield _twice(bonus, first, line)
        if line.announced_by is None:
            yield from _silent(bonus, line)
        else:
            yield from _announced(variant, bonus, line, hand)
        if (
            bonus.defenders_need
            and line.made
            and not line.announced
            and line.side is Side.DEFENDERS
            and hand.partner is not None
            and not _made(hand, bonus.defenders_need, Side.DEFENDERS)
        ):
            yield _about(
                bonus,
                "bonus_needs",
                _("{bonus} for the defenders needs {other} too: add it."),
                other=Text(variant.bonus[bonus.defenders_need].name),
            )


def _twice(bonus: Bonus, first: BonusLine, second: BonusLine) -> Problem:
    one, two = first.announced_by, second.announced_by
    if one is None or two is None or one == two:
        return _about(
            bonus,
            "bonus_twice",
            _("{bonus}: entered twice for one side. Keep only one."),
        )
    return _about(
        bonus,
        "bonus_twice",
        _("{bonus}: announced by {one} and {two}, who are one side. Keep only one."),
        one=Who(one),
        two=Who(two),
    )


def _about(bonus: Bonus, code: str, message: str, **values: object) -> Problem:
    return _problem(
        code, "bonuses", message, bonus.id, bonus=Text(bonus.name), **values
    )


def _made(hand: Hand, bonus: str, side: Side) -> bool:
    return any(
        line.bonus == bonus and line.side is side and line.made for line in hand.bonuses
    )


def _silent(bonus: Bonus, line: BonusLine) -> Iterator[Problem]:
    if bonus.silent is None:
        yield _about(bonus, "only_announced", _("{bonus}: counts only if announced."))
    elif line.side not in bonus.silent_by:
        yield _about(
            bonus,
            "wrong_side",
            _("{bonus}: only for the declarer’s side.")
            if line.side is Side.DEFENDERS
            else _("{bonus}: only for the defenders."),
        )
    if line.contra:
        yield _about(
            bonus,
            "silent_contra",
            _("{bonus}: not announced, so there can be no kontra."),
        )
    if not line.made and not bonus.silent_can_fail:
        yield _about(
            bonus,
            "silent_failed",
            _("{bonus}: neither announced nor made. Leave it out."),
        )


def _announced(
    variant: Variant, bonus: Bonus, line: BonusLine, hand: Hand
) -> Iterator[Problem]:
    if bonus.announced is None:
        yield _about(
            bonus, "only_silent", _("{bonus} cannot be announced: say who made it.")
        )
    elif line.side is not None and line.side not in bonus.announced_by:
        yield _about(
            bonus,
            "wrong_side",
            _("Only the declarer’s side can announce {bonus}."),
        )
    if line.contra and not bonus.contra:
        yield _about(
            bonus, "no_contra_on_bonus", _("{bonus}: there is no kontra on it.")
        )
    if hand.alone and hand.alone in bonus.not_alone_because:
        yield _about(
            bonus,
            "nobody_holds_it",
            _("{bonus} cannot be announced: {reason}."),
            reason=Text(variant.alone_reason[hand.alone].name),
        )
    if (
        bonus.usually_by_partner
        and hand.partner is not None
        and line.announced_by == hand.declarer
    ):
        yield _warning(
            "unlikely_announcer",
            "bonuses",
            _("{bonus} is announced by the partner, who holds the king. Is it right?"),
            bonus.id,
            bonus=Text(bonus.name),
        )
    yield from _announced_beside(variant, bonus, line, hand)


def _announced_beside(
    variant: Variant, bonus: Bonus, line: BonusLine, hand: Hand
) -> Iterator[Problem]:
    for other in hand.bonuses:
        if (
            other.bonus in bonus.not_with
            and other.announced
            and other.side is line.side
        ):
            say = _problem if bonus.not_with_is_sure else _warning
            yield say(
                "not_beside",
                "bonuses",
                _("One side cannot announce both {bonus} and {other}."),
                bonus.id,
                bonus=Text(bonus.name),
                other=Text(variant.bonus[other.bonus].name),
            )


def _points(variant: Variant, hand: Hand) -> Iterator[Problem]:
    """Narrow the card points of the declarer's side, fact by fact."""
    least, most = _points_by_result(variant, hand)
    for line in sorted(hand.bonuses, key=lambda line: line.bonus not in variant.sweeps):
        bonus = variant.bonus[line.bonus]
        low, high = _points_by_bonus(variant, hand, bonus, line)
        if max(low, least) > min(high, most):
            yield _contradicted(variant, hand, bonus, line)
        else:
            least, most = max(low, least), min(high, most)


def _points_by_result(variant: Variant, hand: Hand) -> tuple[int, int]:
    game, most = variant.game, variant.pack.points
    if hand.card_points is not None:
        return hand.card_points, hand.card_points
    if hand.won is None:
        return 0, most
    tied = game.tie is not None and game.tie_goes_to == "last_doubler_loses"
    if hand.won:
        return game.wins_with - tied, most
    return 0, game.wins_with - 1


def _points_by_bonus(
    variant: Variant, hand: Hand, bonus: Bonus, line: BonusLine
) -> tuple[int, int]:
    top, ours = variant.pack.points, line.side is Side.DECLARER
    if bonus.at_least is not None:
        if line.made:
            return (bonus.at_least, top) if ours else (0, top - bonus.at_least)
        if line.announced:
            return (0, bonus.at_least - 1) if ours else (top - bonus.at_least + 1, top)
    if line.made and bonus.id in variant.sweeps and hand.contract:
        contract, wins = variant.contract[hand.contract], variant.game.wins_with
        if ours:
            return max(contract.sweep_at_least, wins), top
        left = contract.swept_at_most
        return 0, wins - 1 if left is None else left
    return 0, top


def _contradicted(
    variant: Variant, hand: Hand, bonus: Bonus, line: BonusLine
) -> Problem:
    if hand.card_points is None:
        return _about(
            bonus,
            "not_with_result",
            _("{bonus}: does not fit the result. Correct one of them."),
        )
    low, high = _points_by_bonus(variant, hand, bonus, line)
    values = {
        "points": hand.card_points,
        "least": low,
        "most": high,
    }
    if hand.card_points < low:
        message = _(
            "{bonus} as entered needs {least} card points or more for the declarer’s "
            "side, which has {points}."
        )
    else:
        message = _(
            "{bonus} as entered leaves the declarer’s side {most} card points or "
            "fewer, but it has {points}."
        )
    return _about(bonus, "not_with_points", message, **values)


def _pairs(variant: Variant, hand: Hand) -> Iterator[Problem]:
    for one, two in combinations(hand.bonuses, 2):
        a, b = variant.bonus[one.bonus], variant.bonus[two.bonus]
        message = None
        if one.made and two.made:
            message = _both_made(variant, a, b, one.side is two.side)
        if message is not None:
            yield _not_both(a, b, message)
        elif a is not b or one.side is None or one.side is not two.side:
            yield from _both_announced(a, b, one, two)


def _not_both(a: Bonus, b: Bonus, message: str, **players: object) -> Problem:
    """Return the problem of *b* beside *a*, which is named where it is another."""
    other = {} if a is b else {"other": Text(a.name)}
    return _about(b, "not_both", message, **other, **players)


def _both_made(variant: Variant, a: Bonus, b: Bonus, same_side: bool) -> str | None:
    """Return why *a* and *b* cannot both have been made, if they cannot."""
    if not same_side:
        if a is b and (a.tricks or a.takes):
            return _("{bonus} cannot be made by both sides.")
        if a.tricks & b.tricks:
            return _("{other} and {bonus}: one trick cannot go to both sides.")
        if a.takes & b.takes:
            return _("{other} and {bonus}: one card cannot be in both piles.")
        if a.id in variant.sweeps or b.id in variant.sweeps:
            return _("{other} and {bonus}: a side without a trick makes no bonus.")
    if a.won_by and b.won_by and a.id != b.id:
        if max(a.tricks) == max(b.tricks) and a.won_by != b.won_by:
            return _("{other} and {bonus}: one trick cannot be won by two cards.")
        if max(a.tricks) != max(b.tricks) and a.won_by == b.won_by:
            return _("{other} and {bonus}: one card cannot win two tricks.")
    if a.won_by in b.captures or b.won_by in a.captures:
        return _("{other} and {bonus}: a card that won its trick was not captured.")
    return None


def _both_announced(
    a: Bonus, b: Bonus, one: BonusLine, two: BonusLine
) -> Iterator[Problem]:
    first, second = one.announced_by, two.announced_by
    if first is None or second is None or first == second or not a.holds & b.holds:
        return
    message = (
        _("{bonus}: announced by {one} and {two}, but only one player holds its cards.")
        if a is b
        else _(
            "{other}: announced by {one}, {bonus}: by {two}. "
            "Only one player holds the card that both need."
        )
    )
    yield _not_both(a, b, message, one=Who(first), two=Who(second))


def _lost(variant: Variant, hand: Hand) -> Iterator[Problem]:
    if variant.mayor is None or hand.xxi_lost_by is None or hand.declarer is None:
        return
    loser = hand.side_of(hand.xxi_lost_by)
    catch = variant.bonus[variant.mayor.caught_by]
    if any(
        line.made
        and line.side is loser
        and variant.bonus[line.bonus].takes & catch.captures
        for line in hand.bonuses
    ):
        yield _problem(
            "mayor_on_capturing_side",
            "xxi_lost_by",
            _("{player}’s side has the XXI in its own tricks: choose an opponent."),
            player=Who(hand.xxi_lost_by),
        )
    elif not _made(hand, catch.id, loser.other):
        yield _warning(
            "mayor_without_capture",
            "xxi_lost_by",
            _("{player} lost the XXI, so the opponents made {bonus}. Add it?"),
            player=Who(hand.xxi_lost_by),
            bonus=Text(catch.name),
        )


def _holdings(variant: Variant, hand: Hand) -> Iterator[Problem]:
    if not hand.holdings:
        return
    if variant.holdings is None or variant.holdings.paid_to == "nobody":
        yield _problem(
            "holdings_not_paid",
            "holdings",
            _("Declared trumps are not paid here: leave them out."),
        )
        return
    pack, declared = variant.pack, sum(int(n) for n in hand.holdings.values())
    others = (variant.active - len(hand.holdings)) * pack.hand
    if declared > pack.trumps:
        yield _problem(
            "too_many_trumps",
            "holdings",
            _("{declared} trumps are declared, but the pack has {trumps}."),
            declared=declared,
            trumps=pack.trumps,
        )
    elif declared + others < pack.trumps - pack.apart:
        yield _problem(
            "too_few_trumps",
            "holdings",
            _("That is too few trumps: the hands hold at least {least}."),
            least=pack.trumps - pack.apart,
        )


def _not_played(variant: Variant, ending: Ending, hand: Hand) -> Iterator[Problem]:
    surrendered = ending.kind is Kind.SURRENDERED
    if surrendered:
        yield from _surrender(variant, hand)
    elif not ending.keeps_contract:
        for field in ("contract", "declarer"):
            if getattr(hand, field) is not None:
                yield _left_over(field, ending)
        if hand.contra:
            yield _left_over("contra", ending)
    for field in ("partner", "card_points", "won", "xxi_lost_by"):
        if getattr(hand, field) is not None:
            yield _left_over(field, ending)
    for field in ("bonuses", "holdings"):
        if getattr(hand, field):
            yield _left_over(field, ending)


def _left_over(field: str, ending: Ending) -> Problem:
    return _problem(
        "left_over",
        field,
        _("The hand ended as “{ending}”: leave this empty."),
        ending=Text(ending.name),
    )


def _surrender(variant: Variant, hand: Hand) -> Iterator[Problem]:
    if hand.declarer is None:
        yield _problem("no_declarer", "declarer", _("Choose the declarer."))
    if hand.contract is None:
        yield _problem("no_contract", "contract", _("Choose the contract."))
        return
    contract = variant.contract[hand.contract]
    if not contract.may_surrender:
        yield _problem(
            "no_surrender",
            "ending",
            _("Contract {contract} takes no cards, so nobody can surrender it."),
            contract=Text(contract.name),
        )
    if hand.contra and not contract.contra:
        yield from _contract(variant, hand)


def _annulment(ending: Ending, hand: Hand) -> Iterator[Problem]:
    if ending.by:
        return
    for field in ("annulled_by", "annulled_because"):
        if getattr(hand, field) is not None:
            yield _problem(
                "not_annulled", field, _("The hand was not annulled: leave this empty.")
            )
