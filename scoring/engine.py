"""Scoring of a hand: lines with reasons, units and payments.

No variant is known here by name: what differs between games is in their declarations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import add
from typing import NamedTuple

from scoring.contra import factor
from scoring.hand import BonusLine, Hand
from scoring.items import Bonus, EndingKind, GivesWay, Holdings, When, Whose
from scoring.result import winner
from scoring.sides import BOTH, Seat, Side, Sides, pay_one
from scoring.text import Text, Who, _, plain
from scoring.variant import Tariff, Variant

THROWN_IN, SURRENDERED = EndingKind.THROWN_IN, EndingKind.SURRENDERED


class Line(NamedTuple):  # made far faster than a frozen dataclass
    """One row of the explanation, in points to the declarer's side per opponent."""

    item: str
    """Id of the contract, bonus, ending or holding."""
    kind: str
    """`contract`, `bonus`, `ending` or `holding`."""
    name: Text
    side: Side | None
    """Who won the game, or whose bonus it is; None where a tie is nobody's."""
    seat: Seat | None
    """Who declared or announced it."""
    announced: bool
    made: bool | None
    base: int
    """Points before kontra; negative where the defenders gain."""
    contra: int
    """How often the line was doubled."""
    why: Text
    personal: int = 0
    """Points that *seat* gets from each of the others, whatever the sides."""

    @property
    def factor(self) -> int:
        """Return how many times the base the line is worth: 2 for each doubling."""
        return factor(self.contra)

    @property
    def points(self) -> int:
        return self.base * self.factor


@dataclass(frozen=True, slots=True)
class Score:
    """What a hand comes to, in points."""

    payments: tuple[int, ...]
    """What each seat gains; they add up to 0."""
    units: int
    """What each opponent pays the declarer's side, or gets from it, without holdings
    that are paid to a player."""
    lines: tuple[Line, ...]


def score(tariff: Tariff, hand: Hand) -> Score:
    """Return what everybody pays for *hand* and why.

    The hand must have no errors by `check`; what a contradictory one scores is
    not defined.
    """
    variant = tariff.variant
    ending = variant.ending[hand.ending]
    if ending.kind is THROWN_IN or hand.declarer is None or hand.contract is None:
        return Score((0,) * variant.active, 0, ())
    if ending.kind is SURRENDERED:
        lines: tuple[Line, ...] = (_surrender(variant, hand),)
    else:
        lines = tuple(_Hand(variant, hand).lines())
    sides = Sides(hand.declarer, hand.partner, variant.active)
    units = sum(line.points for line in lines) * hand.multiplier
    payments = sides.pay(units)
    for line in lines:
        if line.personal and line.seat is not None:
            held = pay_one(line.seat, line.personal * hand.multiplier, variant.active)
            payments = tuple(map(add, payments, held))
    return Score(payments, units, lines)


def _surrender(variant: Variant, hand: Hand) -> Line:
    ending = variant.ending[hand.ending]
    contract = variant.contract[hand.contract or ""]
    value = ending.value if ending.price == "flat" else contract.value
    level = hand.contra if ending.price == "contract_times_contra" else 0
    return Line(
        item=ending.id,
        kind="ending",
        name=plain(ending.name),
        side=Side.DECLARER,
        seat=hand.declarer,
        announced=False,
        made=None,
        base=-value,
        contra=level,
        why=plain(_("The declarer gives up and pays each opponent.")),
    )


@dataclass(frozen=True, slots=True)
class _Claim:
    """A bonus line with its declaration, and whether it follows from the points."""

    bonus: Bonus
    side: Side
    announced_by: Seat | None
    contra: int
    made: bool
    derived: bool = False

    def is_in(self, when: When) -> bool:
        announced = self.announced_by is not None
        if when is When.MADE:
            return self.made
        if when is When.FAILED:
            return announced and not self.made
        return announced or self.made


class _Hand:
    """One played hand being explained."""

    def __init__(self, variant: Variant, hand: Hand) -> None:
        self.variant = variant
        self.hand = hand
        self.contract = variant.contract[hand.contract or ""]
        lone, fixed = hand.partner is None, variant.game.lone_value
        self.value = fixed if lone and fixed is not None else self.contract.value
        claims = [_claim(variant, line) for line in hand.bonuses]
        self.claims = [*_derived(variant, hand, claims), *claims]

    def lines(self) -> Iterator[Line]:
        yield self._game()
        others = self._reach() if self.variant.multiplies_all else 1
        for claim in self.claims:
            line = self._bonus(claim, 1 if claim.bonus.times_contract else others)
            if line.points or not claim.derived:
                yield line
        if self.hand.holdings and self.variant.holdings:
            for seat, number in sorted(self.hand.holdings.items()):
                yield self._holding(self.variant.holdings, seat, number)

    def _game(self) -> Line:
        hand, game = self.hand, self.variant.game
        side = winner(self.variant, hand)
        base = side.sign * self.value if side else 0
        why = self._why_game(side)
        bigger = side and self._gives_way(game.gives_way, side, contra=hand.contra)
        if bigger:
            base = 0
            why = why.then(
                Text(_("{bonus} counts instead."), {"bonus": plain(bigger.name)})
            )
        return Line(
            item=self.contract.id,
            kind="contract",
            name=self.variant.game_names[self.contract.id],
            side=side,
            seat=hand.declarer,
            announced=False,
            made=None if side is None else side is Side.DECLARER,
            base=base,
            contra=hand.contra,
            why=self._doubled(why, hand.contra),
        )

    def _why_game(self, side: Side | None) -> Text:
        points = self.hand.card_points
        if points is not None:
            why = Text(
                _(
                    "The declarer’s side has {points} card points; {needed} are needed "
                    "to win."
                ),
                {"points": points, "needed": self.variant.game.wins_with},
            )
            if side is None:
                return why.then(plain(_("A tie: nobody pays for the game.")))
            if points == self.variant.game.tie and side is Side.DECLARER:
                return why.then(plain(_("A tie: whoever doubled last has lost.")))
            return why
        if side is Side.DECLARER:
            return plain(_("The declarer’s side won."))
        return plain(_("The defenders won."))

    def _bonus(self, claim: _Claim, times: int) -> Line:
        bonus = claim.bonus
        base = claim.side.sign * self._worth(claim) * times
        why = self._why_bonus(claim, times)
        if bigger := self._bigger(claim):
            base = 0
            why = why.then(
                Text(
                    _("Not paid in addition to {bonus}."), {"bonus": plain(bigger.name)}
                )
            )
        return Line(
            item=bonus.id,
            kind="bonus",
            name=plain(bonus.name),
            side=claim.side,
            seat=claim.announced_by,
            announced=claim.announced_by is not None,
            made=claim.made,
            base=base,
            contra=claim.contra,
            why=self._doubled(why, claim.contra),
        )

    def _worth(self, claim: _Claim) -> int:
        """Return what the claim's own side gains by it, contra apart."""
        bonus = claim.bonus
        if claim.announced_by is not None:
            value = bonus.announced or 0
        elif claim.made or bonus.silent_loss:
            value = bonus.silent or 0
        else:
            value = 0
        if bonus.times_contract:
            value *= self.value
        return value if claim.made else -value

    def _why_bonus(self, claim: _Claim, times: int) -> Text:
        if claim.announced_by is not None:
            message = (
                _("Announced by {player} and made.")
                if claim.made
                else _("Announced by {player} and failed: the other side is paid.")
            )
            why = Text(message, {"player": Who(claim.announced_by)})
        elif claim.made:
            why = plain(
                _("Not announced, made by the declarer’s side.")
                if claim.side is Side.DECLARER
                else _("Not announced, made by the defenders.")
            )
        else:
            why = plain(_("Tried unannounced and lost."))
        if claim.bonus.times_contract:
            value = (
                claim.bonus.announced
                if claim.announced_by is not None
                else claim.bonus.silent
            )
            why = why.then(
                Text(
                    _("{times} times the contract’s {value}."),
                    {"times": value, "value": self.value},
                )
            )
        if times > 1:
            why = why.then(Text(_("The whole hand counts ×{times}."), {"times": times}))
        return why

    def _doubled(self, why: Text, level: int) -> Text:
        if not level:
            return why
        word = self.variant.ladder.word(level)
        return why.then(
            Text(_("×{factor} ({word})."), {"word": word, "factor": 1 << level})
        )

    def _holding(self, holdings: Holdings, seat: Seat, number: str) -> Line:
        sides = Sides(self.hand.declarer or 0, self.hand.partner, self.variant.active)
        side, value = sides.side_of(seat), holdings.values[number]
        bigger = self._gives_way(holdings.gives_way, side, announced=True)
        if bigger:
            value = 0
        personal = holdings.paid_to == "player"
        points = 0 if personal else side.sign * value
        why = Text(
            _("{player} declared {number}; each of the others pays.")
            if personal
            else _("{player} declared {number}, for the whole side."),
            {"player": Who(seat), "number": number},
        )
        if bigger:
            why = why.then(
                Text(
                    _("Not paid in addition to {bonus}."), {"bonus": plain(bigger.name)}
                )
            )
        return Line(
            item=f"{holdings.id}_{number}",
            kind="holding",
            name=plain(holdings.name),
            side=side,
            seat=seat,
            announced=True,
            made=True,
            base=points,
            contra=0,
            personal=value if personal else 0,
            why=why,
        )

    def _bigger(self, claim: _Claim) -> Bonus | None:
        if not claim.bonus.gives_way:
            return None
        return self._gives_way(
            claim.bonus.gives_way,
            claim.side,
            announced=claim.announced_by is not None,
            made=claim.made,
            contra=claim.contra,
        )

    def _gives_way(
        self,
        rules: Sequence[GivesWay],
        side: Side,
        *,
        announced: bool = False,
        made: bool = True,
        contra: int = 0,
    ) -> Bonus | None:
        """Return the bigger bonus for which an item of *side* is not scored."""
        for rule in rules:
            if (
                (rule.silent_only and announced)
                or (rule.unless_contra and contra)
                or not (made or rule.failed_too)
            ):
                continue
            for claim in self.claims:
                if (
                    claim.bonus.id in rule.to
                    and claim.is_in(rule.when)
                    and _is_whose(rule.whose, claim.side, side)
                ):
                    return claim.bonus
        return None

    def _reach(self) -> int:
        """Return by how much the largest multiplying bonus multiplies the others.

        One that is not paid beside a bigger one multiplies nothing.
        """
        factors = [
            (c.bonus.silent if c.announced_by is None else c.bonus.announced) or 1
            for c in self.claims
            if c.bonus.times_contract and c.is_in(When.CLAIMED) and not self._bigger(c)
        ]
        return max(factors, default=1)


def _claim(variant: Variant, line: BonusLine) -> _Claim:
    return _Claim(
        variant.bonus[line.bonus],
        line.side or Side.DECLARER,
        line.announced_by,
        line.contra,
        line.made,
    )


def _derived(
    variant: Variant, hand: Hand, claims: Sequence[_Claim]
) -> Iterator[_Claim]:
    """Yield the silent bonuses that the card points tell and no line names."""
    if hand.card_points is None:
        return
    named = {(claim.bonus.id, claim.side) for claim in claims}
    ours = hand.card_points, variant.pack.points - hand.card_points
    for bonus in variant.by_points:
        if bonus.silent is None:
            continue
        for side, points in zip(BOTH, ours, strict=True):
            if points >= (bonus.at_least or 0) and (bonus.id, side) not in named:
                yield _Claim(bonus, side, None, 0, True, derived=True)


def _is_whose(whose: Whose, claimed: Side, side: Side) -> bool:
    return whose is Whose.ANY or (claimed is side) == (whose is Whose.OWN)
