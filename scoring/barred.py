"""What cannot be added to a hand, and why: what the slip greys out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from scoring.checks import check
from scoring.fields import offered
from scoring.hand import BonusLine, Hand
from scoring.items import Bonus, EndingKind
from scoring.problems import Problem
from scoring.text import Text, _
from scoring.variant import Tariff


def barred(tariff: Tariff, hand: Hand) -> Mapping[BonusLine, Text]:
    """Return each bonus line that would contradict the rest of *hand*, with the reason.

    A line replaces the one that its side has for the same bonus. Nothing is barred
    before the declarer is known.
    """
    if hand.declarer is None:
        return {}
    before = {_key(problem) for problem in _errors(tariff, hand)}
    found = {}
    for line in _possible(tariff, hand):
        if line in hand.bonuses:
            continue
        for problem in _errors(tariff, _with(hand, line)):
            if _key(problem) not in before:
                found[line] = problem.message
                break
    return found


def barred_contracts(tariff: Tariff, hand: Hand) -> Mapping[str, Text]:
    """Return each contract that cannot have ended as *hand* did, with the reason.

    None is barred in a hand that was played.
    """
    if tariff.variant.ending[hand.ending].kind is EndingKind.PLAYED:
        return {}
    bare = Hand(ending=hand.ending, declarer=hand.declarer)
    before = {_key(problem) for problem in _errors(tariff, bare)}
    found = {}
    for contract in tariff.variant.contracts:
        for problem in _errors(tariff, replace(bare, contract=contract.id)):
            if _key(problem) not in before:
                found[contract.id] = problem.message
    return found


def barred_contra(tariff: Tariff, contract: str | None, ending: str) -> Text | None:
    """Return why nobody can have said contra to the game, None if somebody can."""
    played = tariff.variant.contract.get(contract or "")
    if played and not played.contra:
        message = _("No kontra on contract {contract}.")
        return Text(message, {"contract": Text(played.name)})
    how = tariff.variant.ending.get(ending)
    if how and not how.counts_contra:
        message = _("“{ending}” costs the same with and without kontra.")
        return Text(message, {"ending": Text(how.name)})
    return None


def _errors(tariff: Tariff, hand: Hand) -> Iterator[Problem]:
    return (problem for problem in check(tariff, hand) if problem.is_error)


def _key(problem: Problem) -> tuple[str, str, str]:
    return problem.code, problem.field, str(problem.message)


def _with(hand: Hand, line: BonusLine) -> Hand:
    """Return *hand* with *line*, checked as the newest."""
    kept = (b for b in hand.bonuses if (b.bonus, b.side) != (line.bonus, line.side))
    return replace(hand, bonuses=(*kept, line))


def _possible(tariff: Tariff, hand: Hand) -> Iterator[BonusLine]:
    for bonus in offered(tariff.variant):
        if bonus.announced is not None:
            for seat in range(tariff.variant.active):
                side = hand.side_of(seat)
                yield BonusLine(bonus.id, side, seat, 0, True)
                yield BonusLine(bonus.id, side, seat, 0, False)
        yield from _silent(bonus)


def _silent(bonus: Bonus) -> Iterator[BonusLine]:
    if bonus.silent is not None:
        for side in bonus.silent_by:
            yield BonusLine(bonus.id, side)
            if bonus.silent_can_fail:
                yield BonusLine(bonus.id, side, made=False)
