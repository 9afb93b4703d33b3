"""Slip page: the chips of each step, in the order of the play."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from django.utils.translation import gettext as _

import scoring
from ledger.models import Player
from ledger.text.messages import say
from ledger.views.table.slip.bonuses import Panels
from ledger.views.table.slip.chips import ICONS, Chip, Contra, Rail, span
from ledger.views.table.slip.form import ALONE
from ledger.views.table.slip.pile_counter import PileCounter
from ledger.views.table.slip.rails import Rails
from ledger.views.table.slip.result import Dock


class SlipPage(Rails):
    """Draft with everything that can be tapped on it."""

    @property
    def save_label(self) -> str:
        name = self.param("newcomer").strip()
        return _("Seat {name}").format(name=name) if name else super().save_label

    @cached_property
    def next_step(self) -> str:
        return "" if self.param("newcomer").strip() else super().next_step

    @cached_property
    def panels(self) -> Panels:
        return Panels(self)

    @cached_property
    def dock(self) -> Dock:
        return Dock(self)

    @cached_property
    def pile(self) -> PileCounter:
        return PileCounter(self)

    @cached_property
    def asks(self) -> frozenset[str]:
        """Ids of the fields that belong to the chosen ending."""
        fields = self.form.asked_fields.values()
        return frozenset(f.id for f in fields if self.ending in f.endings)

    @cached_property
    def is_alone(self) -> bool:
        return self.param("partner") in (ALONE, self.param("declarer") or ALONE)

    def chips(self, name: str) -> list[Chip]:
        """Return the chips of a field with answers."""
        chosen = self.param(name)
        if name == "ending" and not chosen:
            chosen = "played"
        return [
            Chip(
                name,
                str(answer.value),
                say(answer.name),
                say(answer.note) if answer.note and name != "ending" else "",
                on=chosen == str(answer.value),
                icon=ICONS.get(str(answer.value), ""),
            )
            for answer in self.form.asked_fields[name].answers
        ]

    @property
    def endings(self) -> list[Chip]:
        return self.chips("ending")

    @cached_property
    def contracts(self) -> list[Chip]:
        barred = scoring.barred_contracts(self.tariff, self.hand)
        return [
            replace(chip, why=say(barred[chip.value]))
            if chip.value in barred
            and not chip.on  # a chip that is on has its error at the ending
            else chip
            for chip in self.chips("contract")
        ]

    @property
    def contracts_barred(self) -> list[str]:
        """Reasons why a contract cannot be chosen."""
        return list(dict.fromkeys(chip.why for chip in self.contracts if chip.why))

    @property
    def alone_reasons(self) -> list[Chip]:
        return [*self.chips("alone"), self._none("alone")]

    @property
    def called(self) -> list[Chip]:
        return [*self.chips("called"), self._none("called")]

    @property
    def annulled_reasons(self) -> list[Chip]:
        return [*self.chips("annulled_because"), self._none("annulled_because")]

    def _none(self, name: str) -> Chip:
        return Chip(name, "", _("not noted"), on=not self.param(name))

    def people(self, name: str) -> Rail:
        chosen = self.param(name)
        return self.rail(
            lambda player: Chip(
                name,
                str(player.pk),
                self.labels[player.pk],
                on=chosen == str(player.pk),
            )
        )

    @property
    def declarers(self) -> Rail:
        return self.people("declarer")

    @property
    def partners(self) -> Rail:
        declarer, chosen = self.param("declarer"), self.param("partner")
        alone = _("alone")
        return self.rail(
            lambda player: Chip(
                "partner",
                str(player.pk),
                self.labels[player.pk],
                on=chosen == str(player.pk),
                alone=alone,
                own=declarer == str(player.pk),
            )
        )

    @property
    def chose_alone(self) -> bool:
        return self.param("partner") == ALONE

    @property
    def annullers(self) -> Rail:
        return self.people("annulled_by")

    @property
    def losers(self) -> Rail:
        return self.people("xxi_lost_by")

    @property
    def nobody_lost(self) -> Chip:
        none = not self.param("xxi_lost_by")
        return Chip("xxi_lost_by", "", _("nobody"), on=none)

    @property
    def bands(self) -> list[Chip]:
        top = self.variant.pack.points
        plain = len(self.form.bands) == 2
        counted = self.record.get("card_points") if self.data is not None else None
        chips = []
        for number, band in enumerate(self.form.bands):
            won = _("won") if band.won else _("lost")
            points = span(band.least, band.most, top)
            label, note = (won, points) if plain else (points, won)
            on = self.param("won") == str(number)
            if counted is not None:
                on = band.least <= counted <= band.most
            chips.append(Chip("won", str(number), label, note, on=on))
        return chips

    # contra

    @cached_property
    def contra(self) -> Contra:
        barred = self.form.barred_contra
        why = say(barred) if barred else ""
        return self.ladder(
            "contra", say(self.form.asked_fields["contra"].label), None, why
        )

    # the dealer

    @property
    def dealers(self) -> list[Chip]:
        """Chips of who may deal; that of the due dealer has no value."""
        return [
            Chip(
                "dealer",
                "" if p == self.due.dealer else str(p.pk),
                self.labels[p.pk],
                on=p == self.deal.dealer,
            )
            for p in self.deal.present
        ]

    @property
    def leavers(self) -> list[Chip]:
        """Chips of the players whose seat a newcomer may take."""
        chosen = self.param("leaves")
        return [
            Chip("leaves", str(p.pk), self.labels[p.pk], on=str(p.pk) == chosen)
            for p in self.deal.present
        ]

    @property
    def sitters(self) -> list[Chip]:
        """Chips of who may sit out, where more are present than play."""
        if len(self.deal.present) == len(self.deal.players):
            return []
        out = set(self.deal.sitting_out)
        return [
            Chip("resting", str(p.pk), self.labels[p.pk], on=p in out)
            for p in self.deal.present
        ]

    @property
    def forehand(self) -> Player:
        return self.deal.players[0]
