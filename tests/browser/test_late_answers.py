"""Random taps on a bad network: at every moment the plate is right, or says it is not.

Answers come late, in any order, twice, from before, or never. In one of the two
browsers nothing that was asked can be called off, so that every late answer does
arrive. The seed of a slip is in its failure; KONTRA_SLIPS=500 taps as many.
"""

from __future__ import annotations

import datetime
import os
import random
from dataclasses import dataclass

import pytest
from django.http import QueryDict
from django.urls import reverse

import scoring
from ledger import journal
from ledger.management.commands.score import score_hand
from ledger.models import Hand, Player, Posting
from ledger.table.deals import next_deal, with_dealer
from ledger.views.table.slip.form import SlipForm
from scoring.text import ENGLISH
from tests.browser.network import Network

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

SLIPS = int(os.environ.get("KONTRA_SLIPS", 24))
FIRST = int(os.environ.get("KONTRA_FIRST_SLIP", 0))
GAMES = {"taroki": 5, "paskievics": 4, "palatine": 6}
"""Who sits at the table, by game: from five on the dealer decides who plays."""
NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
NEVER_CALLED_OFF = "AbortController.prototype.abort = () => {}"

SEEN = """() => {
  const form = document.querySelector("[data-slip]");
  const shows = element => element && getComputedStyle(element).display !== "none"
    && getComputedStyle(element).visibility === "visible";
  return {
    entries: [...new FormData(form)],
    plate: !!form.querySelector(".plate"),
    waits: [...form.querySelectorAll(".plate > :is(.working, .unreached, .unanswered)")]
      .filter(shows).map(line => line.textContent),
    pays: [...form.querySelectorAll(".plate .pay")].map(pay => {
      const points = pay.querySelector("b");
      return [pay.querySelector(".name").textContent,
        shows(points) ? points.textContent : "·"];
    }),
  };
}"""
TAPPABLE = """() => [...document.querySelectorAll("[data-slip] input")]
  .filter(input => /radio|checkbox/.test(input.type) && !input.disabled
    && !/^(pile|leaves|rest)/.test(input.name))
  .map(input => [input.name, input.value])"""
TAP = """([name, value]) => document.querySelector(
  `[data-slip] input[name="${name}"][value="${value}"]`)?.click()"""


@dataclass(frozen=True)
class Seen:
    """What the phone shows at one moment, and what Save would send."""

    slip: QueryDict
    waits: list[str]
    pays: dict[str, int] | None
    has_plate: bool

    @classmethod
    def on(cls, page):
        seen = page.evaluate(SEEN)
        slip = QueryDict(mutable=True)
        for name, value in seen["entries"]:
            slip.appendlist(name, value)
        pays = {name: points for name, points in seen["pays"] if points != "·"}
        return cls(
            slip,
            seen["waits"],
            {name: figure(points) for name, points in pays.items()} or None,
            seen["plate"],
        )


def figure(points):
    digits = points.replace("−", "-").replace("+", "")
    return int("".join(c for c in digits if c.isdigit() or c == "-"))


class Table:
    """The table as the command knows it: hands go in, what is paid comes out."""

    def __init__(self, game, people, owner):
        self.game, self.people = game, people
        self.tariff = scoring.tariff(game)
        club = people[0].club
        evening = journal.start_evening(
            club,
            name="Friday",
            date=datetime.date(2026, 11, 20),
            edition=journal.edition_of(club, self.tariff),
            seats=people,
            dealer=people[-1],
            by=owner,
        )
        self.table = evening.tables.get()
        self.path = reverse("slip", args=[self.table.pk])

    def comes_to(self, slip):
        """Return what the hand on *slip* pays by name, None if it is no hand yet."""
        due = next_deal(self.table)
        dealer = next((p for p in self.people if str(p.pk) == slip.get("dealer")), None)
        resting = None
        if slip.get("rest-by-hand"):
            resting = [p for p in self.people if str(p.pk) in slip.getlist("resting")]
        try:
            deal = with_dealer(due, dealer, resting)
        except scoring.Refused:
            return None
        form = SlipForm(self.tariff, deal.players, slip)
        names = [player.name for player in deal.players]
        if not form.is_valid() or form.missing:
            return None
        record = renamed(form.record(), deal.players) | {"multiplier": deal.multiplier}
        answer = score_hand(
            {"variant": self.game, "players": names, "hand": record}, ENGLISH
        )
        hand, _problems = scoring.examine(self.tariff, names, record)
        if "problems" in answer or [*form.contradicts_band(hand)]:
            return None
        return answer["payments"]


def renamed(record, players):
    """Return *record* with names for ids, as it is typed for the command."""
    names = {player.pk: player.name for player in players}
    for field in ("declarer", "partner", "xxi_lost_by", "annulled_by"):
        if field in record:
            record[field] = names[record[field]]
    if "bonuses" in record:
        record["bonuses"] = [
            line | {"announced_by": names[line["announced_by"]]}
            if "announced_by" in line
            else line
            for line in record["bonuses"]
        ]
    if "holdings" in record:
        held = record["holdings"].items()
        record["holdings"] = {names[int(pk)]: number for pk, number in held}
    return record


@pytest.fixture
def people(owner):
    club = journal.found_club("Club", owner=owner)
    return [Player.objects.create(club=club, name=name) for name in NAMES]


@pytest.fixture
def pages(phone, owner):
    calls_off, does_not = (phone(user=owner, troubled=True) for _twice in range(2))
    for page in (calls_off, does_not):
        page.context.set_default_timeout(120_000)  # a long run is no race
    does_not.add_init_script(NEVER_CALLED_OFF)
    return [(page, Network(page)) for page in (calls_off, does_not)]


@pytest.mark.parametrize("game", GAMES)
def test_the_plate_is_what_the_slip_comes_to(game, people, owner, pages):
    table = Table(game, people[: GAMES[game]], owner)

    for number in range(FIRST, FIRST + SLIPS // len(GAMES)):
        page, net = pages[number % 2]
        seed = f"{game} {number}"
        fill_in(page, net, table, random.Random(seed), seed)

    assert Hand.objects.filter(table=table.table).count() > SLIPS // len(GAMES) // 3


def fill_in(page, net, table, chance, seed):
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear()")
    net.held.clear()
    page.goto(table.path)
    for name in ("contract", "declarer", "partner", "won"):
        step(page, net, table, chance, seed, only=name)
    for _tap in range(chance.randint(1, 5)):
        step(page, net, table, chance, seed)
    if chance.random() < 0.8:
        settle(page, net)
        check(page, table, seed)
    save(page, table, seed)


def step(page, net, table, chance, seed, only=None):
    """Tap somewhere, and let something become of the questions under way."""
    chips = [chip for chip in page.evaluate(TAPPABLE) if only in (None, chip[0])]
    if chips:
        page.evaluate(TAP, chance.choice(chips))
    check(page, table, seed)
    for _answer in range(chance.randint(0, 2)):
        page.wait_for_timeout(chance.choice((0, 5)))
        if net.held:
            becomes(net, chance)
            check(page, table, seed)


def becomes(net, chance):
    place = chance.randrange(len(net.held))
    what = chance.choices(
        (net.answer, net.twice, net.lose, net.fail, net.repeat), (10, 2, 1, 1, 2)
    )[0]
    if what == net.repeat and not net.given:
        what = net.answer
    what(place)


def check(page, table, seed):
    seen = Seen.on(page)
    if seen.waits:
        assert seen.pays is None, (seed, seen)
    elif seen.has_plate:
        assert seen.pays == table.comes_to(seen.slip), (seed, seen)


def settle(page, net):
    """Answer whatever is asked until the plate is up to date."""
    for _moment in range(400):
        while net.held:
            net.answer(len(net.held) - 1)
        if not Seen.on(page).waits:
            return
        if page.locator("[data-answer=unanswered], [data-answer=unreached]").count():
            page.evaluate("ask(document.querySelector('[data-slip]'))")
        page.wait_for_timeout(10)
    raise AssertionError("nobody answers")


def save(page, table, seed):
    """Save; what is saved is what was shown, whether the plate knew it or not."""
    seen = Seen.on(page)
    assert seen.has_plate, (seed, seen)
    due = next_deal(table.table).number
    comes_to = table.comes_to(seen.slip)
    with page.expect_navigation():
        page.evaluate("document.querySelector('button.plate').click()")
    if page.locator("[data-slip] [name=override]").count():  # a warning: all the same
        with page.expect_navigation():
            page.evaluate("document.querySelector('button.plate').click()")
    saved = Hand.objects.filter(table=table.table, number=due).first()

    if comes_to is None:
        assert saved is None, (seed, seen)
        return
    assert saved is not None, (seed, seen, page.locator("main").inner_text()[:500])
    assert booked(saved) == {n: p for n, p in comes_to.items() if p}, (seed, seen)


def booked(hand):
    moved = Posting.objects.filter(entry__version__hand=hand).exclude(points=0)
    return dict(moved.values_list("player__name", "points"))
