"""A scorer with a failing network, a failing server and other writers."""

from __future__ import annotations

import re
from contextlib import suppress

from django.contrib.sessions.models import Session
from playwright.sync_api import Error

from ledger.demo.evening_files import record_hand
from ledger.models import Hand
from tests.browser.scorer import Scorer

BACK, RELOAD, SECOND_TAB, EXPIRED, LOST, DOUBLE, FASTER, STALE = KINDS = (
    "Back",
    "reload",
    "second tab",
    "expired session",
    "lost answer",
    "double tap",
    "other phone faster",
    "stale token",
)
PASSWORD = "tarock"
PATIENCE = 60_000
"""Milliseconds: an evening goes on, however busy the machine."""
UNTAPPED = r"ending=played|resting=.*|dealer=.*|.*contra.*=0|held-.*=0|pile-.*"
"""What is chosen on a blank slip."""
STEPS = 6
"""A hand takes at least so many taps, Save not counted, when it is played."""

STATE = """() => {
  if (document.readyState !== "complete") return "working";
  const has = what => document.querySelector(what);
  if (has("[name=password]")) return "signed out";
  if (has("[data-leave]")) return "taken";
  const slip = has("[data-slip]");
  if (!slip) return has(".deal") ? "table" : "elsewhere";
  if (has(".htmx-request")) return "working";
  return slip.dataset.answer ?? (slip.inert ? "working" : "slip");
}"""
CHOSEN = """() => [...document.querySelectorAll("[data-slip] input:checked")]
  .filter(input => input.value && input.type !== "hidden")
  .map(input => `${input.name}=${input.value}`)"""
DRAFTS = """() => Object.keys(localStorage)
  .filter(name => name.startsWith("kontra.draft."))"""
UNCOVER = """chip => {
  for (let at = chip; at = at.parentElement.closest("details"); ) at.open = true;
}"""


class Interrupted(Exception):
    """The slip is not there any more: the scorer looks where he is, and goes on."""


class Troubled(Scorer):
    """Records each hand of an evening, whatever happens between two taps.

    What happens when is drawn from *rng*; a fault that a hand left no room for happens
    to the next.
    """

    def __init__(self, page, people, bands, *, table, user, rng):
        super().__init__(page, people, bands)
        self.table, self.user, self.rng = table, user, rng
        self.home = f"/tables/{table.pk}/"
        self.slip = f"{self.home}hands/new/"
        self.left, self.happened = [], []
        self.between, self.saving, self.after = {}, [], []
        self.told, self.has_draft = None, False

    def __repr__(self):
        """What a failed test shows."""
        hand = self.told and self.told["number"]
        return f"<hand {hand} after {self.happened}; to come {self.between}>"

    def record_through(self, told, faults):
        """Record *told* while *faults* happen."""
        self.told = told
        self._plan([*self.left, *faults])
        while not self._is_recorded():
            try:
                self._take_slip()
                self.fill(told["hand"])
                self._save()
            except Interrupted:
                self._go_on()
        self._to_the_table()
        for kind in self.after:
            self._afterwards(kind)
        self.left = [*self.between.values(), *self.saving]

    def rest(self):
        """Let happen what is left when all hands are recorded."""
        for kind in self.left:
            self._afterwards(kind if kind in (BACK, RELOAD) else RELOAD)
        self._to_the_table()

    def _plan(self, faults):
        """Spread *faults* over the hand: between taps, at Save, or after."""
        self.between, self.saving, self.after, self.step = {}, [], [], 0
        for kind in faults:
            moment = self.rng.random()
            if kind == FASTER or (moment < 0.4 and kind not in (BACK, RELOAD)):
                self.saving.append(kind)
            elif moment < 0.3:
                self.after.append(kind)
            else:
                step = self.rng.randrange(STEPS)
                while step in self.between:
                    step += 1
                self.between[step] = kind

    def _is_recorded(self):
        hands = Hand.objects.filter(table=self.table, voided=False)
        return hands.filter(number=self.told["number"]).exists()

    # Where the scorer is

    def state(self):
        """Return what the phone shows, once it shows something."""
        for _moment in range(PATIENCE // 25):
            try:
                state = self.page.evaluate(STATE)
            except Error:  # it is on its way to another page
                state = "working"
            if state != "working":
                return state
            self.page.wait_for_timeout(25)
        raise AssertionError(f"{self.page.url} does not come to rest")

    def _to_the_table(self):
        if self.state() != "table":
            self._go_on()
            self.page.goto(self.home)
            self._go_on()
        if self._shown() != f"Record hand {self.told['number'] + self._is_recorded()}":
            self.page.goto(self.home)  # it was older than the hand before

    def _shown(self):
        return self.page.locator("a.plate").text_content().strip()

    def _take_slip(self):
        """Go to the slip of the hand, from the table if it lies elsewhere."""
        if self.state() != "slip":
            self._to_the_table()
            self.page.locator("a.plate").tap()
        self._answered()
        if not self.has_draft:
            assert self._tapped() == []  # else a dead draft came back

    def _tapped(self):
        """Return what was tapped of the hand on the slip."""
        chosen = self.page.evaluate(CHOSEN)
        return [said for said in chosen if not re.fullmatch(UNTAPPED, said)]

    def _go_on(self):
        """Do what the page asks for until it is the table, or a slip to go on with."""
        for _again in range(8):
            match self.state():
                case "signed out":
                    self._sign_in(self.page)
                case "taken":
                    self.page.locator("[data-leave]").tap()
                    self.has_draft = False
                case "elsewhere":
                    self.page.goto(self.home)
                case "unanswered":
                    self.page.locator("[data-anew]").tap()
                case "unreached":
                    self.page.evaluate("dispatchEvent(new Event('online'))")
                case _:
                    return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"no way on: {self.page.url} is {self.state()}")

    def _answered(self):
        """Wait until the slip is up to date; raise `Interrupted` where it is gone."""
        for _again in range(8):
            match self.state():
                case "slip":
                    return
                case "signed out" | "unanswered" | "unreached":
                    self._go_on()
                case state:
                    raise Interrupted(state)
        raise AssertionError(f"the slip stays {self.state()}")

    def _sign_in(self, page):
        page.get_by_label("Username").fill(self.user.username)
        page.get_by_label("Password").fill(PASSWORD)
        page.locator("button.plate").tap()

    # Tapping

    def chip(self, name, value):
        self._look_up()
        chip = self.page.locator(f'[name="{name}"][value="{value}"]').first
        chip.wait_for(state="attached")
        if not chip.is_checked():
            chip.evaluate(UNCOVER)
            chip.tap()
            self.has_draft = True

    def _climb(self, ladder, level):
        if level:
            self._look_up()
        chip = self.page.locator(ladder)
        while level and int(chip.get_attribute("data-level")) != level:
            chip.evaluate(UNCOVER)
            chip.tap()
            self.has_draft = True

    def _open(self, bonus):
        """Nothing: a chip that lies in a fold is uncovered."""

    def _open_hat(self):
        """Nothing, for the same reason."""

    def _bonus(self, line):
        self._look_up()
        super()._bonus(line)

    def _look_up(self):
        """Let happen what is due before the next tap; see that the slip is there."""
        kind = self.between.pop(self.step, None)
        self.step += 1
        if kind:
            self._answered() if self.rng.random() < 0.5 else None
            self._happens(kind, FAULTS[kind])
        self._answered()

    def _happens(self, kind, fault):
        self.happened.append(kind)
        try:
            fault(self)
        finally:
            self.step += 1

    def _save(self):
        self._answered()
        assert self.plate() == self.told["payments"], "the plate shows another hand"
        kind = self.saving.pop(0) if self.saving else None
        if kind:
            self._happens(kind, AT_SAVE[kind])
        else:
            self.page.locator("button.plate").tap()
        self._left_slip()

    def _left_slip(self):
        """Wait for what came of saving, and for what the page asks for then."""
        self.page.wait_for_timeout(50)
        self._go_on()
        if self._is_recorded():
            self.has_draft = False

    # What happens between two taps

    def _keeps_all(self, leave):
        """Leave the slip and come back: what was tapped is there."""
        self._answered()
        before = self._tapped()
        leave()
        self._take_slip()
        assert self._tapped() == before

    def _back(self):
        self._keeps_all(self._go_back)

    def _go_back(self):
        with suppress(Error):  # the browser shows no answer to a form a second time
            self.page.go_back()

    def _reload(self):
        self._keeps_all(self.page.reload)

    def _second_tab(self):
        """Open the slip on a second page of the same phone and tap something there."""
        tab = self.page.context.new_page()
        tab.goto(self.slip)
        tab.wait_for_function("() => !document.querySelector('[data-slip]').inert")
        contracts = tab.locator("[name=contract]:enabled")
        contracts.nth(self.rng.randrange(contracts.count())).tap()
        tab.close()

    def _expired(self):
        Session.objects.all().delete()

    def _lost(self):
        """The answer to the next tap is lost."""
        self.page.route("**/preview/", lambda route: lose(route), times=1)

    def _double(self):
        """One chip is tapped twice."""
        self._answered()
        self.page.locator("[name=ending]:checked").first.dblclick()

    def _faster(self):
        record_hand(self.table.evening, self.told, self.user)
        self.has_draft = False

    def _stale(self):
        """Sign in anew on a second page, or lose the cookie with the token."""
        if self.rng.random() < 0.5:
            self.page.context.clear_cookies(name="csrftoken")
            return
        tab = self.page.context.new_page()
        tab.goto("/sign-in/")
        self._sign_in(tab)
        tab.wait_for_load_state()
        tab.close()

    # What happens when the hand is saved

    def _lost_at_save(self):
        """The hand is saved, and its answer lost; the scorer does what he can."""
        lost = []
        self.page.route(f"**{self.slip}", lambda route: lose(route, lost), times=1)
        self.page.locator("button.plate").tap()
        while not self.page.url.startswith("chrome-error:"):
            self.page.wait_for_timeout(20)
        assert lost
        self.page.goto(self.home)

    def _double_at_save(self):
        box = self.page.locator("button.plate").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for _tap in range(2):
            self.page.touchscreen.tap(x, y)

    def _second_tab_at_save(self):
        """A second page of the same phone saves what stands there, then the first."""
        tab = self.page.context.new_page()
        tab.goto(self.slip)
        tab.wait_for_function("() => !document.querySelector('[data-slip]').inert")
        tab.locator("button.plate[aria-disabled=false]").tap()
        tab.wait_for_selector(".toast")
        tab.close()
        self.page.locator("button.plate").tap()

    def _then_save(self, fault):
        fault(self)
        self.page.locator("button.plate").tap()

    # What happens afterwards

    def _afterwards(self, kind):
        """Go back to the slip that was saved, or load the table anew."""
        self.happened.append(kind)
        if kind == RELOAD:
            self.page.reload()
        else:
            self._go_back()
            if self.state() == "slip":
                assert self._tapped() == []  # else the hand before came back
        self._to_the_table()


def lose(route, lost=None):
    """Let the server answer, and the answer be lost."""
    answer = route.fetch(max_redirects=0)
    route.abort()
    if lost is not None:
        lost.append(answer)


FAULTS = {
    BACK: Troubled._back,
    RELOAD: Troubled._reload,
    SECOND_TAB: Troubled._second_tab,
    EXPIRED: Troubled._expired,
    LOST: Troubled._lost,
    DOUBLE: Troubled._double,
    STALE: Troubled._stale,
}
AT_SAVE = {
    SECOND_TAB: Troubled._second_tab_at_save,
    LOST: Troubled._lost_at_save,
    DOUBLE: Troubled._double_at_save,
    EXPIRED: lambda scorer: scorer._then_save(Troubled._expired),
    STALE: lambda scorer: scorer._then_save(Troubled._stale),
    FASTER: lambda scorer: scorer._then_save(Troubled._faster),
}
