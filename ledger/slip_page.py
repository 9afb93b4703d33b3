"""What the slip shows: every chip with its state, the tiles, the sum and the plate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import scoring
from ledger import table as tables
from ledger.models import Edition, Hand, Player, Table, Version
from ledger.names import short_names
from ledger.slip import ALONE, SlipForm, whole
from ledger.table import Deal
from ledger.words import say
from scoring import BonusLine, Problem, Side
from scoring.fields import Answer, offered
from scoring.items import Bonus, Kind

ICONS = {"hearts": "heart", "diamonds": "diamond", "spades": "spade", "clubs": "club"}
RED = ("hearts", "diamonds")


@dataclass(frozen=True, slots=True)
class Chip:
    """A choice that can be tapped: *why* is the reason when it cannot."""

    name: str
    value: str
    label: SafeString | str
    note: str = ""
    on: bool = False
    says: str = ""
    why: str = ""
    side: str = ""
    icon: str = ""
    alone: str = ""
    """What the declarer's own chip says in the partner's rail."""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """The place in a rail of somebody who sits out."""

    player: Player


Rail = Sequence[Chip | Gap]


@dataclass(frozen=True, slots=True)
class Contra:
    """A contra ladder as chips, and as the one chip that climbs it."""

    name: str
    about: str
    level: int
    strokes: int
    chips: tuple[Chip, ...]
    word: str
    factor: str
    next: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    caption: str
    rail: Rail
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tile:
    """A bonus, folded: what it is worth, and what was written of it."""

    id: str
    name: str
    help: str
    worth: str
    mark: str
    is_suit: bool
    is_red: bool
    set: tuple[str, ...]
    rows: tuple[Row, ...]
    contras: tuple[Contra, ...]
    only: Chip | None
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    name: str
    worth: str
    tiles: list[Tile]


@dataclass(frozen=True, slots=True)
class Sum:
    """A line of the explanation: what, how it multiplies, and the points."""

    what: str
    how: str
    points: int


@dataclass(frozen=True, slots=True)
class Pay:
    player: Player
    label: SafeString
    points: int | None
    rests: bool


@dataclass
class SlipPage:
    """One slip at *table*: blank, or as filled in by *data*."""

    table: Table
    data: QueryDict | None = None
    tried: bool = False
    """Whether it was to be saved, so that what is missing is said beside its field."""
    errors: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.is_blank = self.data is None
        self.tariff = self.edition.tariff
        self.variant = self.tariff.variant
        self.due = self.first_deal()
        self.deal = tables.dealt(self.known) if self.known else self._chosen_deal()
        self.form = SlipForm(self.tariff, self.deal.players, self.data)
        self.form.is_valid()
        for name, sentences in self.form.errors.items():
            self.errors.setdefault(name, []).extend(map(str, sentences))
        self._say_problems()

    @property
    def edition(self) -> Edition:
        return self.table.edition

    def first_deal(self) -> Deal:
        """Return the deal as it is due, before anything is chosen by hand."""
        return tables.next_deal(self.table)

    @cached_property
    def number(self) -> int:
        """The number that the phone is writing; by now it may be another's."""
        posted = whole(self._posted("number"))
        return self.deal.number if posted is None else posted

    @cached_property
    def id(self) -> UUID:
        """The id that the phone gave the hand; a blank slip gets one."""
        try:
            return UUID(self._posted("id"))
        except ValueError:
            return uuid4()

    @cached_property
    def known(self) -> Version | None:
        """What was written when the same slip was sent before."""
        versions = Version.objects.filter(pk=self.id, hand__table=self.table)
        return versions.select_related("hand__table__evening__club", "dealer").first()

    @cached_property
    def taken(self) -> Hand | None:
        """The hand that another phone has recorded under our number."""
        if self.number >= self.due.number or self.known or self.data is None:
            return None
        return self.table.hands.filter(number=self.number, voided=False).first()

    @property
    def save_label(self) -> str:
        if self.warnings:
            return _("Save hand {number} all the same").format(number=self.number)
        return _("Save hand {number}").format(number=self.number)

    # who plays

    @cached_property
    def dealer(self) -> Player | None:
        """The dealer chosen by hand, if another than is due."""
        chosen = self._posted("dealer")
        return next(
            (p for p in self.due.seats if str(p.pk) == chosen and p != self.due.dealer),
            None,
        )

    @cached_property
    def resting(self) -> tuple[Player, ...] | None:
        """Who sits out by choice, if that was chosen."""
        if not self._posted("rest-by-hand") or self.data is None:
            return None
        out = set(self.data.getlist("resting"))
        return tuple(p for p in self.due.seats if str(p.pk) in out)

    @cached_property
    def plays(self) -> tuple[Player, ...] | None:
        """The players of a slip whose table has other people by now."""
        if self.data is None or not (seated := self.data.getlist("seated")):
            return None
        if seated == [str(player.pk) for player in self.due.seats]:
            return None
        ids = [pk for posted in self.data.getlist("plays") if (pk := whole(posted))]
        people = self.table.evening.club.players.in_bulk(ids)
        return tuple(people[pk] for pk in ids if pk in people)

    def _chosen_deal(self) -> Deal:
        try:
            return tables.with_dealer(self.due, self.dealer, self.resting, self.plays)
        except scoring.Refused as refused:
            for problem in refused.problems:
                self.errors.setdefault(problem.field, []).append(say(problem.message))
            return tables.with_dealer(self.due, self.dealer)

    def _posted(self, name: str) -> str:
        return self.data.get(name, "") if self.data is not None else ""

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
        return {p.pk: _label(p, self.short[p.name]) for p in self.everybody}

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

    @cached_property
    def warnings(self) -> list[str]:
        if self.score is None:
            return []
        return [self._say(p.message) for p in self.examined[1] if not p.is_error]

    @cached_property
    def score(self) -> scoring.Score | None:
        wrong = any(problem.is_error for problem in self.examined[1])
        if self.data is None or wrong or self.form.missing or self.errors:
            return None
        return scoring.score(self.tariff, self.hand)

    def _say(self, text: scoring.Text) -> str:
        return say(text, self.names)

    def _say_problems(self) -> None:
        if self.data is None:
            return
        for problem in self.examined[1]:
            missing = problem.code in ("no_contract", "no_declarer", "no_result")
            if problem.is_error and (self.tried or not missing):
                name = f"bonuses-{problem.about}" if problem.about else problem.field
                self.errors.setdefault(name, []).append(self._say(problem.message))
        if self.tried and "partner" in self.form.missing:
            self.errors.setdefault("partner", []).append(self.steps["partner"])

    # the steps of the slip

    @cached_property
    def steps(self) -> Mapping[str, str]:
        """What the plate says while something is missing."""
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

    @property
    def kind(self) -> Kind:
        return self.variant.ending[self.ending].kind

    @property
    def is_played(self) -> bool:
        return self.kind is Kind.PLAYED

    @cached_property
    def asks(self) -> frozenset[str]:
        """The fields that the chosen ending asks for."""
        asked = self.form.asked.values()
        return frozenset(f.id for f in asked if self.ending in f.endings)

    @cached_property
    def is_alone(self) -> bool:
        return self._posted("partner") in (ALONE, self._posted("declarer") or ALONE)

    def chips(self, name: str) -> list[Chip]:
        """Return the chips of a field with answers."""
        chosen = self._posted(name)
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
            for answer in self.form.asked[name].answers
        ]

    @property
    def endings(self) -> list[Chip]:
        return self.chips("ending")

    @property
    def contracts(self) -> list[Chip]:
        return self.chips("contract")

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
        return Chip(name, "", _("not said"), on=not self._posted(name))

    def people(self, name: str) -> Rail:
        chosen = self._posted(name)
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
        declarer, chosen = self._posted("declarer"), self._posted("partner")
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
        return self._posted("partner") == ALONE

    @property
    def annullers(self) -> Rail:
        return self.people("annulled_by")

    @property
    def losers(self) -> Rail:
        return self.people("xxi_lost_by")

    @property
    def nobody_lost(self) -> Chip:
        none = not self._posted("xxi_lost_by")
        return Chip("xxi_lost_by", "", _("nobody"), on=none)

    @property
    def bands(self) -> list[Chip]:
        top = self.variant.pack.points
        plain = len(self.form.bands) == 2
        counted = self.record.get("card_points") if self.data is not None else None
        chips = []
        for number, band in enumerate(self.form.bands):
            won = _("won") if band.won else _("lost")
            span = _span(band.least, band.most, top)
            label, note = (won, span) if plain else (span, won)
            on = self._posted("won") == str(number)
            if counted is not None:
                on = band.least <= counted <= band.most
            chips.append(Chip("won", str(number), label, note, on=on))
        return chips

    def rail(self, chip: Any) -> Rail:
        """Return a chip for each who plays, in seat order, and the gaps between."""
        resting = set(self.deal.resting)
        return [
            Gap(player) if player in resting else chip(player)
            for player in self.everybody
        ]

    @cached_property
    def everybody(self) -> Sequence[Player]:
        """Who sits at the table for this hand, in seat order, the newest last."""
        deal = self.deal
        seated = [player for player in deal.seats if player not in deal.away]
        return [*seated, *(p for p in deal.players if p not in seated)]

    # contra

    @cached_property
    def contra(self) -> Contra:
        contract = self.variant.contract.get(self._posted("contract"))
        why = ""
        if contract and not contract.contra:
            why = _("Contract {contract} cannot be contra’d.").format(
                contract=say(scoring.Text(contract.name))
            )
        return self._ladder("contra", say(self.form.asked["contra"].label), None, why)

    def _ladder(
        self, name: str, about: str, announcer: int | None, why: str = ""
    ) -> Contra:
        ladder = self.variant.ladder
        level = min(whole(self._posted(name)) or 0, ladder.top)
        words = [say(ladder.word(step)) for step in range(ladder.top + 1)]
        chips = tuple(
            Chip(
                name,
                str(step),
                words[step],
                f"×{1 << step}" if step else "",
                on=step == level,
                why=why if step else "",
            )
            for step in range(ladder.top + 1)
        )
        return Contra(
            name=name,
            about=about,
            level=level,
            strokes=len(ladder.steps),
            chips=chips,
            word=words[level],
            factor=f"×{1 << level}",
            next=why or self._next_contra(words, level, announcer),
            words="|".join(words),
        )

    def _next_contra(
        self, words: Sequence[str], level: int, announcer: int | None
    ) -> str:
        if level + 1 == len(words):
            return _("tap to clear")
        if self.hand.declarer is None:
            return _("tap for {word} ×{factor}").format(
                word=words[level + 1], factor=1 << (level + 1)
            )
        side = Side.DECLARER if announcer is None else self._side_of(announcer)
        speaks = self.variant.ladder.next_side(side, level)
        return _("next: {side}").format(side=self.side_name(speaks))

    def _side_of(self, seat: int) -> Side:
        ours = seat in (self.hand.declarer, self.hand.partner)
        return Side.DECLARER if ours else Side.DEFENDERS

    def side_name(self, side: Side) -> str:
        """Return who plays on *side*, or its title while that is open."""
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

    # bonuses

    @cached_property
    def barred(self) -> Mapping[BonusLine, str]:
        if self.data is None or "partner" in self.form.missing:
            return {}
        found = scoring.barred(self.tariff, self.hand)
        return {line: self._say(text) for line, text in found.items()}

    @cached_property
    def written(self) -> Mapping[str, list[BonusLine]]:
        lines: dict[str, list[BonusLine]] = {}
        for line in self.hand.bonuses:
            lines.setdefault(line.bonus, []).append(line)
        return lines

    @property
    def families(self) -> list[Family]:
        """The tiles under their headings, in the order of the declaration."""
        families: list[Family] = []
        for bonus in offered(self.variant):
            name = say(scoring.Text(bonus.family)) if bonus.family else ""
            if not families or families[-1].name != name:
                families.append(Family(name, self._family_worth(bonus), []))
            families[-1].tiles.append(self._tile(bonus))
        return families

    def _family_worth(self, bonus: Bonus) -> str:
        kin = [b for b in offered(self.variant) if b.family == bonus.family]
        worths = {_worth(b) for b in kin}
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
            worth=_worth(bonus),
            mark=ICONS.get(bonus.mark, bonus.mark),
            is_suit=bonus.mark in ICONS,
            is_red=bonus.mark in RED,
            set=tuple(self._told(line) for line in self.written.get(bonus.id, ())),
            rows=() if only else tuple(self._rows(bonus)),
            contras=() if only else tuple(self._contras(bonus)),
            only=only,
            errors=tuple(self.errors.get(f"bonuses-{bonus.id}", ())),
        )

    def _only(self, bonus: Bonus) -> Chip | None:
        """Return the one chip of a bonus that can be written in one way only."""
        if bonus.announced is not None or len(bonus.silent_by) > 1:
            return None
        return self._silent(bonus, bonus.silent_by[0], True)

    def _rows(self, bonus: Bonus) -> Iterator[Row]:
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
    def _row(caption: str, rail: Rail) -> Row:
        whys = [cell.why for cell in rail if isinstance(cell, Chip) and cell.why]
        return Row(caption, rail, tuple(dict.fromkeys(whys)))

    def _announced(self, bonus: Bonus, made: bool) -> Rail:
        how = "made" if made else "failed"
        name = f"{bonus.id}-{how}"
        chosen = set(self.data.getlist(name)) if self.data is not None else set()
        said = (
            _("announced by {name}, made") if made else _("announced by {name}, failed")
        )
        known = self.hand.declarer is not None

        def chip(player: Player) -> Chip:
            seat = self.ids.index(player.pk)
            side = self._side_of(seat)
            line = BonusLine(bonus.id, side, seat, 0, made)
            on = str(player.pk) in chosen
            return Chip(
                name,
                str(player.pk),
                self.labels[player.pk],
                on=on,
                says=said.format(name=player.name),
                why="" if on else self.barred.get(line, ""),
                side=side.value if known else "",
                icon="ok" if made else "no",
            )

        return self.rail(chip)

    def _silent(self, bonus: Bonus, side: Side, made: bool) -> Chip:
        name = f"{bonus.id}-{'silent' if made else 'lost'}"
        chosen = self.data.getlist(name) if self.data is not None else ()
        on = side.value in chosen
        line = BonusLine(bonus.id, side, made=made)
        return Chip(
            name,
            side.value,
            self.side_name(side),
            on=on,
            why="" if on else self.barred.get(line, ""),
            side=side.value,
        )

    def _contras(self, bonus: Bonus) -> Iterator[Contra]:
        for line in self.written.get(bonus.id, ()):
            if line.announced_by is not None and bonus.contra:
                player = self.deal.players[line.announced_by]
                about = _("Contra on {bonus}, {name}").format(
                    bonus=say(scoring.Text(bonus.name)), name=player.name
                )
                name = f"{bonus.id}-contra-{player.pk}"
                yield self._ladder(name, about, line.announced_by)

    def _told(self, line: BonusLine) -> str:
        """Return a line as its tile tells it: who, how it went, points."""
        points = self._points_of(line)
        if line.announced_by is None:
            side = self.side_name(line.side or Side.DECLARER)
            told = _("silent, {side}") if line.made else _("silent, lost: {side}")
            return f"{told.format(side=side)} {points}".strip()
        name = self.short[self.names[line.announced_by]]
        sign = "✓" if line.made else "✗"
        factor = f" ×{1 << line.contra}" if line.contra else ""
        return f"{sign} {name}{factor} {points}".strip()

    def _points_of(self, line: BonusLine) -> str:
        for scored in self.score.lines if self.score else ():
            if (scored.item, scored.side) == (line.bonus, line.side):
                return _signed(scored.points)
        return ""

    # declared trumps

    @cached_property
    def holdings(self) -> list[Row]:
        asked = self.form.asked.get("holdings")
        if asked is None:
            return []
        return [
            Row(player.name, [*self._held(player, asked.answers)])
            for player in self.everybody
            if player in self.deal.players
        ]

    def _held(self, player: Player, answers: Iterable[Answer]) -> Iterator[Chip]:
        name = f"held-{player.pk}"
        chosen = self._posted(name)
        yield Chip(name, "", "–", on=not chosen, says=_("none declared"))
        for answer in answers:
            value = str(answer.value)
            said = _("{name} declared {number}").format(name=player.name, number=value)
            yield Chip(name, value, value, on=chosen == value, says=said)

    @property
    def held_name(self) -> str:
        return say(self.form.asked["holdings"].label)

    @cached_property
    def held_set(self) -> list[str]:
        return [
            f"{number}, {self.deal.players[seat].name}"
            for seat, number in self.hand.holdings.items()
        ]

    # the pile

    @property
    def pile_ranks(self) -> list[Row]:
        return [self._pile_rank(rank) for rank in self.variant.pack.ranks]

    def _pile_rank(self, rank: Any) -> Row:
        name = f"pile-{rank.id}"
        posted = self.data.getlist(name) if self.data is not None else []
        if rank.named:
            labels = [(n, say(scoring.Text(n))) for n in rank.named]
        else:
            labels = [(str(n), str(n)) for n in range(len(rank.cards) + 1)]
            posted = posted or ["0"]
        chips = [Chip(name, v, label, on=v in posted) for v, label in labels]
        return Row(say(scoring.Text(rank.name)), chips, (str(rank.points),))

    @property
    def pile_cards(self) -> int:
        contract = self.variant.contract.get(self._posted("contract"))
        lifts = contract.lifts if contract else 0
        return self.form.pile.tricks * self.variant.active + lifts

    @property
    def pile_sum(self) -> int:
        return (self.form.pile.points or 0) + (self.form.pile.others or 0)

    # the dock

    @cached_property
    def sums(self) -> list[Sum]:
        if self.score is None:
            return []
        sums = [self._sum(line) for line in self.score.lines]
        if self.deal.multiplier > 1 and self.score.lines:
            each = self.score.units // self.deal.multiplier
            how = f"{_signed(each)} × {self.deal.multiplier}"
            counts = _("The deal counts ×{times}").format(times=self.deal.multiplier)
            sums.append(Sum(counts, how, self.score.units))
        return sums

    def _sum(self, line: scoring.Line) -> Sum:
        what = [self._say(line.name)]
        if line.kind in ("bonus", "holding"):
            if line.seat is not None:
                what.append(self.deal.players[line.seat].name)
            elif line.side:
                what += [_("silent"), self.side_name(line.side)]
            if line.made is False:
                what.append(_("failed") if line.announced else _("lost"))
        if line.kind == "holding":
            what[0] = f"{line.item.rpartition('_')[2]} · {what[0]}"
        how = f"{_signed(line.base)} × {line.factor}" if line.factor > 1 else ""
        if line.personal:
            how = _("from each, {points}").format(points=_signed(line.personal))
        return Sum(", ".join(what), how, line.points)

    @property
    def pays(self) -> list[Pay]:
        paid = (
            dict(zip(self.ids, self.score.payments, strict=True)) if self.score else {}
        )
        resting = set(self.deal.resting)
        return [
            Pay(
                player,
                self.labels[player.pk],
                paid.get(player.pk),
                player in resting,
            )
            for player in self.everybody
        ]

    @property
    def heard(self) -> str:
        """The result as one sentence, for whoever listens."""
        if self.score is None:
            return self.next_step
        return ", ".join(
            f"{pay.player.name} {_signed(pay.points or 0)}"
            for pay in self.pays
            if not pay.rests
        )

    # the dealer

    @property
    def dealers(self) -> list[Chip]:
        return [
            Chip("dealer", str(p.pk), self.labels[p.pk], on=p == self.deal.dealer)
            for p in self.deal.present
        ]

    @property
    def sitters(self) -> list[Chip]:
        """Who may sit out, where more than play are at the table."""
        if len(self.deal.present) == len(self.deal.players):
            return []
        out = set(self.deal.resting)
        return [
            Chip("resting", str(p.pk), self.labels[p.pk], on=p in out)
            for p in self.deal.present
        ]

    @property
    def forehand(self) -> Player:
        return self.deal.players[0]


def _label(player: Player, short: str) -> SafeString:
    if short == player.name:
        return format_html('<span class="name">{}</span>', player.name)
    return format_html(
        '<span class="name" data-short="{}">{}</span>', short, player.name
    )


def _span(least: int, most: int, top: int) -> str:
    if least == 0:
        return f"≤ {most}"
    return f"≥ {least}" if most == top else f"{least}–{most}"


def _worth(bonus: Bonus) -> str:
    """Return both values of a bonus, announced first: “4 · 2”, “×4 · ×2”."""
    sign = "×" if bonus.times_contract else ""
    values = (bonus.announced, bonus.silent)
    return " · ".join(f"{sign}{value}" for value in values if value is not None)


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"
