"""A scorer at the table, who taps hands into the slip and counts the taps."""

from __future__ import annotations

import re

ANSWERED = """() => document.querySelector(
  '[data-slip]:not([data-answer]) .plate[aria-disabled="false"]')"""


PLATE = """() => [...document.querySelectorAll(".plate .pay")].map(pay =>
  [pay.querySelector(".name").textContent, pay.querySelector("b").textContent])"""
BOARD = """() => [...document.querySelectorAll(".score tbody tr")].map(row => [
  row.querySelector(".name").textContent,
  row.querySelector(".big").textContent,
  row.querySelector(".money")?.textContent ?? "",
  [...row.querySelectorAll(".role")].map(role => role.textContent.trim())])"""


class Scorer:
    """Holds the phone. Players are known by name, as on the chips."""

    def __init__(self, page, people, bands):
        self.page = page
        self.people = people
        self.bands = bands
        self.taps = 0

    def tap(self, selector):
        self.page.locator(selector).tap()
        self.taps += 1

    def chip(self, name, value):
        self.tap(f'[name="{name}"][value="{value}"]')

    def player(self, name, player):
        self.chip(name, self.people[player])

    def record(self, hand):
        """Record *hand* from the table page; return the taps it took."""
        self.taps = 0
        self.tap("a.plate")
        self.fill(hand)
        self.page.wait_for_function(ANSWERED)
        self.preview = self.plate()
        self.tap("button.plate")
        self.page.wait_for_selector(".toast")
        return self.taps

    def fill(self, hand):
        """Tap *hand* into the slip."""
        if hand.get("ending", "played") == "played":
            self._played(hand)
        else:
            self._not_played(hand)

    def _played(self, hand):
        self.chip("contract", hand["contract"])
        self.player("declarer", hand["declarer"])
        self.player("partner", hand.get("partner") or hand["declarer"])
        self.chip("won", self._band(hand))
        self._climb(".step > .ladder .contra", hand.get("contra", 0))
        if hand.get("alone"):
            self.chip("alone", hand["alone"])
        for line in hand["bonuses"]:
            self._bonus(line)
        for player, number in hand.get("holdings", {}).items():
            self._open("holdings")
            self.chip(f"held-{self.people[player]}", number)
        if hand.get("xxi_lost_by"):
            self._open_hat()
            self.player("xxi_lost_by", hand["xxi_lost_by"])

    def _not_played(self, hand):
        self.chip("ending", hand["ending"])
        if hand["ending"] == "surrendered":
            self.chip("contract", hand["contract"])
            self.player("declarer", hand["declarer"])

    def _band(self, hand):
        points = hand["card_points"]
        return next(
            number
            for number, band in enumerate(self.bands)
            if band.least <= points <= band.most
        )

    def _bonus(self, line):
        bonus = line["bonus"]
        if not self.page.locator(f"#bonus-{bonus}").count():
            self.chip(f"{bonus}-silent", line["side"])
            return
        self._open(bonus)
        if "side" in line:
            self.chip(f"{bonus}-{'silent' if line['made'] else 'lost'}", line["side"])
            return
        player = self.people[line["announced_by"]]
        self.chip(f"{bonus}-{'made' if line['made'] else 'failed'}", player)
        if line.get("contra"):
            ladder = f'.ladder:has([name="{bonus}-contra-{player}"]) .contra'
            self.page.wait_for_selector(ladder, state="attached")
            self._climb(ladder, line["contra"])

    def _open(self, bonus):
        if not self.page.locator(f"#bonus-{bonus}[open]").count():
            # An answer may move the tiles just when the finger comes down.
            self.page.wait_for_selector("[data-slip]:not([data-answer])")
            self.tap(f"#bonus-{bonus} > summary")

    def _open_hat(self):
        self.tap("summary:has(use[href$='#hat'])")

    def _climb(self, ladder, level):
        for _step in range(level):
            self.tap(ladder)

    def plate(self):
        """Return what the plate says that everybody pays."""
        return {name: points(paid) for name, paid in self.page.evaluate(PLATE)}

    def board(self):
        """Return the scoreboard of the table page: points, money and roles by name."""
        return {
            name: (points(total), money, roles)
            for name, total, money, roles in self.page.evaluate(BOARD)
        }


def points(text):
    return int(re.sub(r"\s", "", text).replace("−", "-").replace("+", ""))
