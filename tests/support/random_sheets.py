"""Random old sheets, each with its true gains.

An evening or a season is played by the rules and written down as a club might: hand by
hand or by evenings, each row by itself or as totals that run on, with totals of
evenings and of all, named or not, with or without dates, times past midnight, columns
that are nobody's, as CSV in some dialect or as a workbook.
"""

from __future__ import annotations

import csv
import datetime
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO, StringIO
from random import Random

import openpyxl

import scoring
from ledger.demo.deals import games
from ledger.imports.questions import COUNT, LEAVE_OUT

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
GAMES = {
    "taroki": ({}, {"tarok_bonus_to": "player"}),
    "paskievics": ({},),
    "palatine": ({},),
}
"""The games with the rules they are played by."""
HANDS_KNOWN = 60
"""Hands of each game from which sheets draw."""
DIALECTS = ("utf-8", "utf-8-sig", "cp1250", "utf-16", "xlsx")
TOPS = ("", "", "sep", "titles")
"""Kinds of lines above the headings."""
TOTAL = ("Total", "Suma", "Összesen:", "Summe", "RAZEM", "Σ")
DAY = datetime.timedelta(days=1)


@cache
def payments(game, rules):
    """Return what hands of a game brought, from forehand on."""
    tariff = scoring.tariff(game, dict(rules))
    rng, found = Random(f"{game} {rules}"), []
    while len(found) < HANDS_KNOWN:
        record = games.play_deal(tariff, rng, [0, 1, 2, 3])
        hand = scoring.parse(tariff, [0, 1, 2, 3], record)
        found.append(scoring.score(tariff, hand).payments)
    return found


@dataclass
class SheetEvening:
    date: datetime.date
    hands: list = field(default_factory=list)
    """Gains of each hand by name."""

    @property
    def sums(self):
        sums = Counter()
        for gains in self.hands:
            sums.update(gains)
        return sums


@dataclass
class RandomSheet:
    """A sheet, and what it says."""

    name: str
    data: bytes
    mode: str
    variant: str
    rules: dict
    how: dict
    """Choices of the drawing, to find a fault."""
    evenings: list
    totals: set
    """The numbers of the rows that are no hands."""
    counting: str
    order: str
    """Order of day and month."""
    separator: str
    passed: set
    """The numbers of the rows of hands that brought nobody anything."""

    @property
    def truth(self):
        """Return what everybody won, by date; nought is left out."""
        found = {
            evening.date: {who: won for who, won in evening.sums.items() if won}
            for evening in self.evenings
        }
        return {date: sums for date, sums in found.items() if sums}

    @property
    def ends(self):
        sums = Counter()
        for evening in self.evenings:
            sums.update(evening.sums)
        return {who: won for who, won in sums.items() if won}

    def answer(self, question, names):
        """Return what somebody says who knows how the sheet is meant."""
        if question.id == "running":
            return self._counted(question, names)
        if question.id == "dates":
            return self.order
        if question.id.startswith("midnight-"):
            return "stay"
        rows = {int(row) for row in names.rows(question)}
        if rows <= self.totals:
            return LEAVE_OUT
        return "each" if rows & self.totals else COUNT

    def _counted(self, question, names):
        interpretations = {reading.id: reading for reading in question.interpretations}
        if self.counting in interpretations:
            return self.counting
        for reading in question.interpretations:
            told = {
                names.name(who): won for who, won in reading.final_points.items() if won
            }
            if told == self.ends:
                return reading.id
        return ""


def random_sheet(seed):
    return _SheetWriter(Random(seed)).sheet()


class _SheetWriter:
    def __init__(self, rng):
        self.rng = rng
        draw = rng.choice
        self.variant = draw(list(GAMES))
        self.rules = draw(GAMES[self.variant])
        self.mode = draw(["points", "points", "points", "totals"])
        self.counting = draw(["apart", "apart", "evening", "throughout"])
        if self.mode == "totals" and self.counting == "evening":
            self.counting = "throughout"
        self.players = rng.sample(NAMES, rng.randint(4, 6))
        self.dated = draw(["first", "every", "times", "clock", "none"])
        if self.mode == "totals" and self.dated != "none":
            self.dated = "every"
        self.sums = draw(["none", "none", "evenings", "all", "both"])
        self.label = draw(["", *TOTAL])
        self.sitting = draw(["", "-", "same"]) if self.counting != "apart" else ""
        self.dialect, self.top = draw(DIALECTS), draw(TOPS)
        if self.dialect == "cp1250" and self.label == "Σ":
            self.label = "Suma"
        self.extras = rng.sample(["round", "check", "note", "hand"], rng.randint(0, 3))
        self.totals, self.passed = set(), set()

    def sheet(self):
        self.evenings = list(self._evenings())
        self.order = self.rng.choice(["dmy", "mdy"])
        self.form = self.rng.choice(["iso", "dots", "slashes"])
        table = self._table()
        data = self._workbook(table) if self.dialect == "xlsx" else self._csv(table)
        how = {k: v for k, v in vars(self).items() if k not in ("rng", "evenings")}
        name = "old.xlsx" if self.dialect == "xlsx" else "old.csv"
        rest = (self.totals, self.counting, self.order, self.separator, self.passed)
        head = (name, data, self.mode, self.variant, self.rules, how, self.evenings)
        return RandomSheet(*head, *rest)

    # What was played

    def _evenings(self):
        rng, date = self.rng, datetime.date(2024, 1, 5) + DAY * self.rng.randint(0, 300)
        count = rng.randint(1, 4)
        if self.mode == "totals":
            count = rng.randint(3, 9) if self.counting != "apart" else count
        if self.dated == "none":
            count = 1
        for _evening in range(count):
            evening = SheetEvening(date)
            for _hand in range(rng.randint(1, 9)):
                evening.hands.append(self._hand())
            yield evening
            date += DAY * rng.randint(2, 20)

    def _hand(self):
        known = payments(self.variant, tuple(self.rules.items()))
        at_table = self.rng.sample(self.players, 4)
        return dict(zip(at_table, self.rng.choice(known), strict=True))

    # What was written

    def _table(self):
        """Return the rows of the sheet; the first holds the headings."""
        self.head = [*self._heads(), *self.players, *self._tails()]
        self.separator = self.rng.choice([";", ",", "\t"])
        lines = list(self._tops())
        lines.append(self.head)
        self.season = Counter()
        for number, evening in enumerate(self.evenings, start=1):
            self._write(lines, evening)
            ends = number == len(self.evenings)
            if self.mode == "points" and self.sums in ("evenings", "both"):
                self._write_total(lines, evening.sums)
            if ends and self.sums in ("all", "both"):
                self._write_total(lines, Counter(self._all()))
        return lines

    def _tops(self):
        if self.top == "titles":
            yield from (["Club Friday"], ["Season 2024"], [])

    def _all(self):
        sums = Counter()
        for evening in self.evenings:
            sums.update(evening.sums)
        return sums

    def _heads(self):
        if "round" in self.extras:
            yield self.rng.choice(["Round", "Runde", "Kolejka", "Q"])
        if self.dated != "none":
            yield "Date"
        if self.dated == "clock":
            yield "Time"
        if "hand" in self.extras and self.mode == "points":
            yield "Hand"

    def _tails(self):
        if "check" in self.extras:
            yield self.rng.choice(["Check", "Kontrolle", "Sum"])
        if "note" in self.extras:
            yield "Note"

    def _write(self, lines, evening):
        at = datetime.datetime.combine(evening.date, datetime.time(19, 30))
        if self.counting == "evening":
            self.season = Counter()
        hands = evening.hands if self.mode == "points" else [evening.sums]
        for number, gains in enumerate(hands, start=1):
            self.season.update(gains)
            row = self._dates(evening, at, number == 1)
            row |= {"Hand": number, "Note": self.rng.choice(["", "", "foul deal"])}
            row |= dict.fromkeys(("Check", "Kontrolle", "Sum"), 0)
            row |= dict.fromkeys(("Round", "Runde", "Kolejka", "Q"), number)
            row |= {name: self._points(gains, name) for name in self.players}
            lines.append([row.get(head, "") for head in self.head])
            if not any(gains.values()):
                self.passed.add(len(lines))
            at += datetime.timedelta(minutes=self.rng.randint(5, 75))

    def _points(self, gains, name):
        if self.counting == "apart":
            return gains.get(name, "")
        if name in gains or self.sitting == "same":
            return self.season[name]
        return self.sitting

    def _dates(self, evening, at, first):
        match self.dated:
            case "first":
                return {"Date": evening.date if first else ""}
            case "every":
                return {"Date": evening.date}
            case "times":
                return {"Date": at}
            case "clock":
                return {"Date": at.date(), "Time": at.time()}
        return {}

    def _write_total(self, lines, sums):
        row = {name: sums[name] for name in self.players}
        if free := [head for head in self.head if head not in row]:
            row[self.rng.choice(free)] = self.label
        lines.append([row.get(head, "") for head in self.head])
        self.totals.add(len(lines))

    # As a file

    def _workbook(self, table):
        book, file = openpyxl.Workbook(), BytesIO()
        for row in table:
            book.active.append([None if cell == "" else cell for cell in row])
        book.save(file)
        return file.getvalue()

    def _csv(self, table):
        rng, file = self.rng, StringIO(newline="")
        minus = rng.choice(["-", "-", "–", "−"]) if self.dialect != "cp1250" else "-"
        quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        end = rng.choice(["\n", "\r\n"])
        writer = csv.writer(
            file, delimiter=self.separator, quoting=quoting, lineterminator=end
        )
        if self.top == "sep":
            file.write(f"sep={self.separator}{end}")
        for row in table:
            writer.writerow([self._spelt(cell, minus) for cell in row])
        return file.getvalue().encode(self.dialect)

    def _spelt(self, cell, minus):
        match cell:
            case datetime.datetime():
                return f"{self._spelt(cell.date(), minus)} {cell:%H:%M}"
            case datetime.date():
                forms = {"iso": "%Y-%m-%d", "dots": "%d.%m.%Y"}
                slashes = "%d/%m/%Y" if self.order == "dmy" else "%m/%d/%Y"
                return f"{cell:{forms.get(self.form, slashes)}}"
            case datetime.time():
                return f"{cell:%H:%M}"
            case int():
                return f"{cell}".replace("-", minus)
        return cell
