"""Draft of a hand: who plays it, its record, score and problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import scoring
from ledger.models import Edition, Hand, Player, Table, Version
from ledger.table import deals
from ledger.table.deals import Deal
from ledger.text.markup import name_span
from ledger.text.messages import say
from ledger.text.names import short_names
from ledger.text.parsing import parse_id_or_new, whole_number
from ledger.views.table.slip.form import SlipForm
from ledger.views.table.slip.player_cells import players_of, without_players
from scoring import Problem, Side

FASTEST_HAND = timedelta(seconds=60)
"""No table plays two hands in less time."""
RECORDS = Version.objects.order_by("number").values_list("pk", "record")


@dataclass
class Draft:
    """Draft of one hand at *table*: blank, or filled in by *data*."""

    table: Table
    data: QueryDict | None = None
    tried: bool = False
    """Whether it was sent to be saved: then what is missing is an error too."""
    errors: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.is_blank = self.data is None
        self.tariff = self.edition.tariff
        self.variant = self.tariff.variant
        self.due = self.first_deal()
        self.deal = (
            deals.deal_of_version(self.known) if self.known else self._chosen_deal()
        )
        self.left_out = self._leave_out()
        self.form = SlipForm(self.tariff, self.deal.players, self.data)
        self.form.is_valid()
        for name, sentences in self.form.errors.items():
            self.errors.setdefault(name, []).extend(map(str, sentences))
        self._add_problems()

    @property
    def edition(self) -> Edition:
        return self.table.edition

    @property
    def is_saved(self) -> bool:
        """Whether the same slip has been saved before."""
        return self.known is not None

    def first_deal(self) -> Deal:
        """Return the due deal, before anything is chosen by hand."""
        return deals.next_deal(self.table)

    @cached_property
    def number(self) -> int:
        """The number of the hand on the phone; by now another hand may have it."""
        number = whole_number(self.param("number"))
        return self.deal.number if number is None else number

    @cached_property
    def id(self) -> UUID:
        """The id that the phone gave the hand; a new one for a blank slip."""
        return parse_id_or_new(self.param("id"))

    @cached_property
    def known(self) -> Version | None:
        """The version written when the same slip was sent before."""
        if self.id not in self._near:
            return None
        versions = Version.objects.select_related("hand", "dealer")
        found = versions.get(pk=self.id)
        found.hand.table = self.table
        return found

    @cached_property
    def _near(self) -> dict[UUID, Any]:
        """Records by id: of the same slip, and of the hand before if just recorded."""
        if self.data is None:
            return {}
        just_now = timezone.now() - FASTEST_HAND
        number = whole_number(self.param("number"))
        before = (self.due.number if number is None else number) - 1
        last = Q(hand__number=before, hand__voided=False, recorded_at__gte=just_now)
        return dict(RECORDS.filter(Q(pk=self.id) | last, hand__table=self.table))

    @cached_property
    def taken(self) -> Hand | None:
        """The hand that has this number already; it may be this very draft, saved."""
        if self.known:
            return None if self.tried else self.known.hand
        if self.number >= self.due.number or self.data is None:
            return None
        return self.table.hands.filter(number=self.number, voided=False).first()

    @property
    def save_label(self) -> str:
        if self.warnings:
            return _("Save hand {number} anyway").format(number=self.number)
        return _("Save hand {number}").format(number=self.number)

    # who plays

    @cached_property
    def dealer(self) -> Player | None:
        """The dealer chosen by hand, if another than is due."""
        chosen = self.param("dealer")
        return next(
            (p for p in self.due.seats if str(p.pk) == chosen and p != self.due.dealer),
            None,
        )

    @cached_property
    def sitting_out(self) -> tuple[Player, ...] | None:
        """Who sits out by choice; None if the dealer's seat decides."""
        if not self.param("rest-by-hand"):
            return None
        out = set(self.chosen("resting"))
        return tuple(p for p in self.due.seats if str(p.pk) in out)

    @cached_property
    def plays(self) -> tuple[Player, ...] | None:
        """The players of a slip whose table has other people by now."""
        seated = self.chosen("seated")
        if seated in ([], [str(player.pk) for player in self.due.seats]):
            return None
        ids = [pk for text in self.chosen("plays") if (pk := whole_number(text))]
        people = self.table.evening.club.players.in_bulk(ids)
        return tuple(people[pk] for pk in ids if pk in people)

    def _chosen_deal(self) -> Deal:
        try:
            return deals.with_dealer(
                self.due, self.dealer, self.sitting_out, self.plays
            )
        except scoring.Refused as refused:
            for problem in refused.problems:
                self.errors.setdefault(problem.field, []).append(say(problem.message))
            return deals.with_dealer(self.due, self.dealer)

    def _leave_out(self) -> list[str]:
        """Drop cells of players who do not play this hand; return messages about it.

        Another phone was faster and somebody else sits out now, or the dealer has
        been changed. Who saves the slip gets the messages as errors first.
        """
        strays = self._strays()
        if self.data is None or not strays:
            return []
        self.data = without_players(self.data, strays)
        message = _(
            "{name} is not playing this hand: choose again what was tapped there."
        )
        sentences = [message.format(name=player.name) for player in strays.values()]
        if self.tried:
            self.errors.setdefault("hand", []).extend(sentences)
        return sentences

    def _strays(self) -> dict[int, Player]:
        if self.data is None:
            return {}
        ids = players_of(self.data) - {player.pk for player in self.deal.players}
        return self.table.evening.club.players.in_bulk(ids) if ids else {}

    def param(self, name: str) -> str:
        return self.data.get(name, "") if self.data is not None else ""

    def chosen(self, name: str) -> list[str]:
        """Return all values of the param *name*."""
        return self.data.getlist(name) if self.data is not None else []

    @cached_property
    def ids(self) -> list[int]:
        return [player.pk for player in self.deal.players]

    @cached_property
    def names(self) -> list[str]:
        return [player.name for player in self.deal.players]

    @cached_property
    def short(self) -> Mapping[str, str]:
        return short_names(self.everybody)

    @cached_property
    def labels(self) -> Mapping[int, SafeString]:
        return {p.pk: name_span(p.name, self.short[p.name]) for p in self.everybody}

    # the hand

    @cached_property
    def record(self) -> dict[str, Any]:
        return self.form.record() if self.data is not None else {}

    @cached_property
    def examined(self) -> tuple[scoring.Hand, tuple[Problem, ...]]:
        record = {**self.record, "multiplier": self.deal.multiplier}
        hand, problems = scoring.examine(self.tariff, self.ids, record)
        return hand, (*problems, *self.form.contradicts_band(hand))

    @property
    def hand(self) -> scoring.Hand:
        return self.examined[0]

    @property
    def has_problems(self) -> bool:
        """Whether the record has problems that bar saving it; warnings do not."""
        return any(problem.is_error for problem in self.examined[1])

    @cached_property
    def warnings(self) -> list[str]:
        if self.score is None:
            return []
        unlikely = [self.say(p.message) for p in self.examined[1] if not p.is_error]
        if self.same_just_now:
            message = _("Hand {number} has just been saved with the same facts.")
            unlikely.append(message.format(number=self.number - 1))
        return unlikely

    @cached_property
    def same_just_now(self) -> bool:
        """Whether the hand before has the same record and is hardly a minute old."""
        before = [record for pk, record in self._near.items() if pk != self.id]
        return before[-1:] == [self.hand.record(self.ids)]

    @cached_property
    def score(self) -> scoring.Score | None:
        if self.data is None or self.has_problems or self.form.missing or self.errors:
            return None
        return scoring.score(self.tariff, self.hand)

    def say(self, text: scoring.Text) -> str:
        return say(text, self.names)

    def _add_problems(self) -> None:
        if self.data is None:
            return
        for problem in self.examined[1]:
            missing = problem.code in ("no_contract", "no_declarer", "no_result")
            if problem.is_error and (self.tried or not missing):
                name = f"bonuses-{problem.about}" if problem.about else problem.field
                self.errors.setdefault(name, []).append(self.say(problem.message))
        if self.tried and "partner" in self.form.missing:
            self.errors.setdefault("partner", []).append(self.steps["partner"])

    @cached_property
    def steps(self) -> Mapping[str, str]:
        """Words of the main button while something is missing, by field."""
        return {
            "contract": _("Choose the contract"),
            "declarer": _("Choose the declarer"),
            "partner": _("Choose the partner, or alone"),
            "won": _("Choose the result"),
        }

    @cached_property
    def next_step(self) -> str:
        if self.data is None:
            return self.steps["contract"]
        if self.form.missing:
            return self.steps[self.form.missing[0]]
        return _("Something does not fit: look above") if self.score is None else ""

    @cached_property
    def ending(self) -> str:
        return str(self.record.get("ending") or "played")

    @cached_property
    def everybody(self) -> Sequence[Player]:
        """Who sits here for this hand, in seat order; players who left come last."""
        deal = self.deal
        seated = [player for player in deal.seats if player not in deal.on_break]
        return [*seated, *(p for p in deal.players if p not in seated)]

    def side_name(self, side: Side) -> str:
        """Return the players of *side*, or its title while they are unknown."""
        return self._side_names[side]

    @cached_property
    def _side_names(self) -> Mapping[Side, str]:
        return {side: self._side_name(side) for side in Side}

    def _side_name(self, side: Side) -> str:
        if self.hand.declarer is None or "partner" in self.form.missing:
            ours = side is Side.DECLARER
            return _("the declarer’s side") if ours else _("the defenders")
        sides = scoring.Sides(
            self.hand.declarer, self.hand.partner, self.variant.active
        )
        return " + ".join(self.short[self.names[seat]] for seat in sides.members(side))
