"""Panels of the bonuses: tiles that open, and trumps declared in hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from django.utils.translation import gettext as _

import scoring
from ledger.models import Player
from ledger.text.amounts import signed
from ledger.text.messages import say
from ledger.views.table.slip.chips import (
    ICONS,
    RED_ICONS,
    Chip,
    ChipRow,
    Contra,
    Family,
    Rail,
    Tile,
    worth,
)
from ledger.views.table.slip.rails import Rails
from scoring import BonusLine, Side
from scoring.fields import Answer, offered
from scoring.items import Bonus


class Panels:
    """Panels of the bonuses on *page*."""

    def __init__(self, page: Rails) -> None:
        self.page = page
        self.hand = page.hand
        self.variant = page.variant

    @cached_property
    def barred(self) -> Mapping[BonusLine, str]:
        if self.page.data is None or "partner" in self.page.form.missing:
            return {}
        found = scoring.barred(self.page.tariff, self.hand)
        return {line: self.page.say(text) for line, text in found.items()}

    @cached_property
    def written(self) -> Mapping[str, list[BonusLine]]:
        lines: dict[str, list[BonusLine]] = {}
        for line in self.hand.bonuses:
            lines.setdefault(line.bonus, []).append(line)
        return lines

    @property
    def families(self) -> list[Family]:
        """Tiles under their headings, in the order of the variant."""
        families: list[Family] = []
        for bonus in offered(self.variant):
            name = say(scoring.Text(bonus.family)) if bonus.family else ""
            if not families or families[-1].name != name:
                families.append(Family(name, self._family_worth(bonus), []))
            families[-1].tiles.append(self._tile(bonus))
        return families

    def _family_worth(self, bonus: Bonus) -> str:
        kin = [b for b in offered(self.variant) if b.family == bonus.family]
        worths = {worth(b) for b in kin}
        if len(worths) == 1:
            return worths.pop()
        announced = [b.announced for b in kin if b.announced is not None]
        return f"{min(announced)}–{max(announced)}" if announced else ""

    def _tile(self, bonus: Bonus) -> Tile:
        only = self._only(bonus)
        return Tile(
            id=bonus.id,
            name=say(scoring.Text(bonus.name)),
            help=say(scoring.Text(bonus.help)),
            worth=worth(bonus),
            mark=ICONS.get(bonus.mark, bonus.mark),
            is_suit=bonus.mark in ICONS,
            is_red=ICONS.get(bonus.mark) in RED_ICONS,
            set=tuple(
                self._line_words(line) for line in self.written.get(bonus.id, ())
            ),
            rows=() if only else tuple(self._rows(bonus)),
            contras=() if only else tuple(self._contras(bonus)),
            only=only,
            errors=tuple(self.page.errors.get(f"bonuses-{bonus.id}", ())),
        )

    def _only(self, bonus: Bonus) -> Chip | None:
        """Return the chip of a bonus that has but one."""
        if bonus.announced is not None or len(bonus.silent_by) > 1:
            return None
        return self._silent(bonus, bonus.silent_by[0], True)

    def _rows(self, bonus: Bonus) -> Iterator[ChipRow]:
        if bonus.announced is not None:
            for made, caption in (
                (True, _("Announced and made")),
                (False, _("Announced and failed")),
            ):
                yield self._row(caption, self._announced(bonus, made))
        if bonus.silent is not None:
            sides = [self._silent(bonus, side, True) for side in bonus.silent_by]
            yield self._row(_("Not announced, made by"), sides)
            if bonus.silent_can_fail:
                sides = [self._silent(bonus, side, False) for side in bonus.silent_by]
                yield self._row(_("Not announced, and lost by"), sides)

    @staticmethod
    def _row(caption: str, rail: Rail) -> ChipRow:
        whys = [cell.why for cell in rail if isinstance(cell, Chip) and cell.why]
        return ChipRow(caption, rail, tuple(dict.fromkeys(whys)))

    def _announced(self, bonus: Bonus, made: bool) -> Rail:
        how = "made" if made else "failed"
        name = f"{bonus.id}-{how}"
        chosen = (
            set(self.page.data.getlist(name)) if self.page.data is not None else set()
        )
        aria_label = (
            _("announced by {name}, made") if made else _("announced by {name}, failed")
        )
        known = self.hand.declarer is not None

        def chip(player: Player) -> Chip:
            seat = self.page.ids.index(player.pk)
            side = self.page.hand.side_of(seat)
            line = BonusLine(bonus.id, side, seat, 0, made)
            on = str(player.pk) in chosen
            return Chip(
                name,
                str(player.pk),
                self.page.labels[player.pk],
                on=on,
                aria_label=aria_label.format(name=player.name),
                why="" if on else self.barred.get(line, ""),
                side=side.value if known else "",
                icon="ok" if made else "no",
            )

        return self.page.rail(chip)

    def _silent(self, bonus: Bonus, side: Side, made: bool) -> Chip:
        name = f"{bonus.id}-{'silent' if made else 'lost'}"
        on = side.value in self.page.chosen(name)
        line = BonusLine(bonus.id, side, made=made)
        return Chip(
            name,
            side.value,
            self.page.side_name(side),
            on=on,
            why="" if on else self.barred.get(line, ""),
            side=side.value,
        )

    def _contras(self, bonus: Bonus) -> Iterator[Contra]:
        for line in self.written.get(bonus.id, ()):
            if line.announced_by is not None and bonus.contra:
                player = self.page.deal.players[line.announced_by]
                about = _("Kontra on {bonus}, {name}").format(
                    bonus=say(scoring.Text(bonus.name)), name=player.name
                )
                name = f"{bonus.id}-contra-{player.pk}"
                yield self.page.ladder(name, about, line.announced_by)

    def _line_words(self, line: BonusLine) -> str:
        """Return the words of a line on its tile: who, how it went, points."""
        points = self._points_of(line)
        if line.announced_by is None:
            side = self.page.side_name(line.side or Side.DECLARER)
            words = _("silent, {side}") if line.made else _("silent, lost: {side}")
            return f"{words.format(side=side)} {points}".strip()
        name = self.page.short[self.page.names[line.announced_by]]
        sign = "✓" if line.made else "✗"
        factor = f" ×{1 << line.contra}" if line.contra else ""
        return f"{sign} {name}{factor} {points}".strip()

    def _points_of(self, line: BonusLine) -> str:
        for scored in self.page.score.lines if self.page.score else ():
            if (scored.item, scored.side) == (line.bonus, line.side):
                return signed(scored.points)
        return ""

    # declared trumps

    @cached_property
    def holdings(self) -> list[ChipRow]:
        field = self.page.form.asked_fields.get("holdings")
        if field is None:
            return []
        return [
            ChipRow(player.name, [*self._held(player, field.answers)])
            for player in self.page.everybody
            if player in self.page.deal.players
        ]

    def _held(self, player: Player, answers: Iterable[Answer]) -> Iterator[Chip]:
        name = f"held-{player.pk}"
        chosen = self.page.param(name)
        yield Chip(name, "", "–", on=not chosen, aria_label=_("none declared"))
        for answer in answers:
            value = str(answer.value)
            aria_label = _("{name} declared {number}").format(
                name=player.name, number=value
            )
            yield Chip(name, value, value, on=chosen == value, aria_label=aria_label)

    @property
    def held_name(self) -> str:
        return say(self.page.form.asked_fields["holdings"].label)

    @cached_property
    def held_set(self) -> list[str]:
        return [
            f"{number}, {self.page.deal.players[seat].name}"
            for seat, number in self.hand.holdings.items()
        ]
