"""Slip of a recorded hand to correct it, or to insert a forgotten one before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

import scoring
from ledger import journal
from ledger.journal import CorrectionPlan, HandChange
from ledger.models import Action, Edition, Hand, Player, Version
from ledger.table import deals, replay
from ledger.table.changes import Correct, Insert
from ledger.table.deals import Deal
from ledger.text.parsing import NO_ID, parse_id
from ledger.views.table.slip.form import slip_data
from ledger.views.table.slip.page import SlipPage


@dataclass(frozen=True, slots=True)
class BalanceShift:
    """Points of a player in the evening, before and after the change."""

    player: Player
    before: int
    after: int


@dataclass
class CorrectionPage(SlipPage):
    """Slip that corrects the hand *hand_seen*, or inserts one before it."""

    hand_seen: Hand | None = None
    inserts: bool = False
    since: tuple[Action, ...] = ()
    """Actions of others on the hand since it was shown."""

    def __post_init__(self) -> None:
        self.current = self._current()
        blank = self.data is None
        if blank and not self.inserts:
            self.data = slip_data(self.current.edition.tariff, self.current.record)
        super().__post_init__()
        self.is_blank = blank
        if self.place and self.place.facts:
            self.deal = replace(self.deal, multiplier=self.place.facts.multiplier)

    def _current(self) -> Version:
        assert self.hand_seen is not None
        versions = self.hand_seen.versions.select_related(
            "edition", "dealer", "hand__table__evening__club"
        )
        return versions.latest("number")

    @cached_property
    def seen(self) -> Version:
        """The version that the slip showed first."""
        try:
            pk = UUID(self.param("seen"))
        except ValueError:
            return self.current
        return self.current.hand.versions.filter(pk=pk).first() or self.current

    @property
    def edition(self) -> Edition:
        return self.table.edition if self.inserts else self.current.edition

    def first_deal(self) -> Deal:
        return deals.deal_of_version(self.current)

    @cached_property
    def number(self) -> int:
        return self.current.hand.number

    @cached_property
    def id(self) -> UUID:
        """The id of the change; a new one where the slip has that of the hand."""
        id = parse_id(self.param("id"))
        return uuid4() if id in (NO_ID, self.current.hand_id) else id

    @property
    def known(self) -> None:
        return None

    @cached_property
    def is_saved(self) -> bool:
        changes = Action.objects.filter(pk=self.id, table=self.table)
        return bool(self.param("id")) and changes.exists()

    @property
    def taken(self) -> None:
        return None

    @property
    def same_just_now(self) -> bool:
        return False

    @cached_property
    def change(self) -> Correct | Insert:
        record, dealer, sitting_out = self.record, self.dealer, self.sitting_out
        if self.inserts:
            return Insert(self.number, self.id, record, dealer, sitting_out)
        return Correct(self.current.hand, record, dealer, sitting_out)

    @cached_property
    def plan(self) -> CorrectionPlan | None:
        """The plan of the correction, once the slip is complete."""
        if self.data is None or self.form.missing or self.errors or self.has_problems:
            return None
        try:
            plan = journal.plan_correction(self.table, self.change)
        except scoring.Refused as refused:
            self._refuse(refused.problems)
            return None
        if plan.refused:
            self._refuse(plan.problems)
            return None
        return plan

    def _refuse(self, problems: tuple[scoring.Problem, ...]) -> None:
        sentences = [self.say(p.message) for p in problems if p.is_error]
        self.errors.setdefault("hand", []).extend(sentences)

    @cached_property
    def place(self) -> replay.HandPlace | None:
        """The hand after the correction, in its place."""
        if self.plan is None:
            return None
        hand = self.id if self.inserts else self.current.hand_id
        return self.plan.after.by_hand().get(hand)

    @cached_property
    def score(self) -> scoring.Score | None:
        if self.place is None or self.place.facts is None:
            return None
        return self.place.facts.score()

    @property
    def changes_nothing(self) -> bool:
        return self.plan is not None and self.plan.nothing

    @property
    def balances(self) -> list[BalanceShift]:
        """Balances that would change."""
        if self.plan is None:
            return []
        return [
            BalanceShift(self.plan.people[pk], before, after)
            for pk, (before, after) in self.plan.balances.items()
            if before != after
        ]

    @property
    def later(self) -> Iterator[tuple[HandChange, str]]:
        """Changes of other hands, each with the reason."""
        own = self.id if self.inserts else self.current.hand_id
        for row in self.plan.rows if self.plan else ():
            if row.hand != own:
                why = " ".join(self.say(text) for text in row.why)
                yield row, why

    @property
    def seen_now(self) -> UUID:
        """The version that the next attempt is based on."""
        return self.current.pk if self.since else self.seen.pk

    @property
    def save_label(self) -> str:
        if self.changes_nothing:
            return _("Nothing changed yet")
        if self.inserts:
            return _("Insert as hand {number}").format(number=self.number)
        return _("Correct hand {number}").format(number=self.number)
