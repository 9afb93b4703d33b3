"""Every page as it lies in the hand: nothing sideways, nothing axe objects to."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe

import scoring
from ledger import journal, settlement
from ledger.models import Evening, ShareLink
from ledger.statistics import rating_store

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = {
    "home": "/",
    "password": "/account/password/",
    "club": "/clubs/{club}/",
    "new club": "/clubs/new/",
    "players": "/clubs/{club}/players/",
    "new evening": "/clubs/{club}/evenings/new/",
    "evening": "/evenings/{evening}/",
    "new table": "/evenings/{evening}/tables/new/",
    "table": "/tables/{table}/",
    "rules": "/tables/{table}/rules/",
    "slip": "/tables/{table}/hands/new/",
    "hand": "/hands/{hand}/",
    "take back": "/hands/{hand}/void/",
    "swap sides": "/hands/{hand}/swap-sides/",
    "seats": "/tables/{table}/seats/?from=1",
    "mixed-up seats": "/tables/{table}/reseat/?player={first}&other={second}&from=1",
    "adjustment": "/evenings/{evening}/adjust/",
    "history": "/evenings/{evening}/history/",
    "close": "/evenings/{evening}/close/",
    "close season": "/seasons/{season}/close/",
    "settle": "/clubs/{club}/settle/",
    "settle, sure": "/clubs/{club}/settle/?evening={evening}&sure=yes",
    "leave": "/clubs/{club}/settle/?evening={evening}&player={first}&sure=yes",
    "how the club settles": "/clubs/{club}/settle/ways/",
    "payment": "/evenings/{evening}/pay/?payer={first}&payee={second}&minor=900",
    "statement": "/clubs/{club}/statement/{first}/?evening={evening}",
    "wide statement": "/clubs/{club}/statement/{first}/",
    "between": "/clubs/{club}/statement/{first}/?evening={evening}&with={second}",
    "pot": "/clubs/{club}/pot/?evening={evening}",
    "fine": "/clubs/{club}/pot/?evening={evening}&kind=fine",
    "correct": "/evenings/{evening}/correct/",
    "remove": "/evenings/{evening}/remove/",
    "club settings": "/clubs/{club}/settings/",
    "links": "/evenings/{evening}/share/",
    "card": "/evenings/{evening}/card/",
    "files": "/clubs/{club}/files/table.csv",
    "old sheets": "/clubs/{club}/import/",
    "season": "/seasons/{season}/?across=date&by=HUF&least=1",
    "season, refused": "/seasons/{season}/?since=x",
    "player": "/clubs/{club}/players/{first}/",
    "statistics": "/clubs/{club}/statistics/",
    "hands behind": "/clubs/{club}/hands/?figure=hands&player={first}",
}


@pytest.fixture
def adjusted(places, owner):
    """An adjustment with a long reason, among players with long names."""
    evening = Evening.objects.get(pk=places["evening"])
    ledger = dict(zip(evening.club.players.order_by("pk"), (-9, 5, 0, 4), strict=False))
    reason = "Misdeal, for the second time in one round"
    journal.adjust(evening, ledger, reason=reason, id=uuid4(), by=owner)
    return evening


@pytest.fixture
def paid(adjusted, owner):
    """Table money, a payment of the plan in full, and all are rated."""
    scope = settlement.SettlementScope.of_evening(adjusted)
    charges = dict.fromkeys(adjusted.club.players.people(), 20000)
    journal.fee(scope, charges, reason="Table money", id=uuid4(), by=owner)
    row = settlement.plan(scope).rows[0]
    journal.pay(scope, row.payer, row.payee, row.amount, id=uuid4(), by=owner)
    ShareLink.make(adjusted, by=owner)
    rating_store.switch(adjusted.club, on=True)


@pytest.fixture
def paths(places, paid):
    return {name: path.format(**places) for name, path in PAGES.items()}


TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""All that can differ between a light and a dark page that is otherwise the same."""


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
def test_no_page_sticks_out_or_gives_axe_anything_to_find(phone, owner, paths, half):
    """Light and dark; on a phone, on a small one, and with text of double size."""
    page = phone(user=owner)

    found = {}
    for name, path in list(paths.items())[half::2]:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(path)
        whole(page)
        found[name] = [*accused(page), *sideways(page)]

    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def whole(page):
    """Show all of the page at once: what lies behind the dock is a scroll away."""
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": 390, "height": max(844, height)})


def accused(page):
    """Yield what axe finds on the page, then in its dark colours."""
    for scheme, rules in (("light", TAGS), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme)
        result = Axe().run(page, options={"runOnly": rules})
        if result.violations_count:
            yield f"{scheme}: {result.generate_report()}"


def sideways(page):
    """Yield the phones that the page is too wide for."""
    for width, font in ((390, 16), (320, 16), (390, 32)):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(f"document.documentElement.style.fontSize = '{font}px'")
        needs = page.evaluate("document.documentElement.scrollWidth")
        if needs != width:
            yield f"needs {needs} of {width} px, at {font} px"


@pytest.fixture
def wordy(paths, places, owner):
    """The pages with the longest words in the narrowest places, Taroki’s slip too."""
    club = Evening.objects.get(pk=places["evening"]).club
    people = club.players.people().order_by("pk")[:5]
    tonight = journal.start_evening(
        club,
        name="Kozy",
        date=datetime.date(2026, 12, 7),
        edition=journal.edition_of(club, scoring.tariff("taroki")),
        seats=people,
        dealer=people[4],
        by=owner,
    )
    names = ["evening", "hand", "player", "pot", "rules", "seats", "settle", "slip"]
    names += ["home", "password"]
    slip = PAGES["slip"].format(table=tonight.tables.get().pk)
    return {name: paths[name] for name in names} | {"slip of Taroki": slip}


OUTSIDE = """() => {
  const boxes = 'h1, h2, h3, th, td, legend, summary, .button, .chip, .plate, .tile';
  document.querySelectorAll('details:not(.what)').forEach(fold => { fold.open = true });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = document.createRange(), found = [];
  while (walker.nextNode()) {
    const box = walker.currentNode.parentElement.closest(`.only-heard, ${boxes}`);
    if (!box || box.matches('.only-heard')) continue;
    const {left, right} = box.getBoundingClientRect();
    words.selectNodeContents(walker.currentNode);
    if ([...words.getClientRects()].some(
      word => word.width && (word.right > right + 1 || word.left < left - 1)
    )) found.push(walker.currentNode.data.trim());
  }
  const wide = document.documentElement.scrollWidth - 320;
  return wide > 0 ? [`${wide} px too wide`, ...found] : found;
}"""
"""What stands beside the box that is to hold it."""


@pytest.mark.parametrize("language", ["de", "en", "hu", "pl"])
def test_words_stay_in_their_boxes_on_a_small_phone(phone, owner, wordy, language):
    page = phone(user=owner, language=language, width=320)

    found = {}
    for name, path in wordy.items():
        page.goto(path)
        found[name] = page.evaluate(OUTSIDE)

    assert {name: texts for name, texts in found.items() if texts} == {}


@pytest.fixture
def filled(phone, owner, places):
    """A slip with an open panel, a contra, grey chips and a contradiction."""

    def opened(scheme):
        page = phone(user=owner, scheme=scheme)
        page.goto(PAGES["slip"].format(**places))
        for name, place in (
            ("contract", 1),
            ("declarer", 0),
            ("partner", 2),
            ("won", 2),
        ):
            page.locator(f"[name={name}]").nth(place).tap()
        page.locator("#bonus-mond > summary").tap()
        page.locator("[name=mond-made]").nth(1).tap()
        page.locator(".ladder:has([name^=mond-contra]) .contra").tap()
        page.locator("#bonus-honours > summary").tap()
        page.wait_for_selector("[name=honours-made]:disabled")
        return page

    return opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_slip_being_filled_in(filled, scheme):
    found = Axe().run(filled(scheme), options={"runOnly": TAGS})

    assert found.violations_count == 0, found.generate_report()


def test_a_hand_is_recorded_without_a_script(phone, owner, places):
    page = phone(user=owner, javascript=False)
    page.goto(PAGES["table"].format(**places))
    page.locator("a.plate").tap()
    for name, place in (("contract", 1), ("declarer", 0), ("partner", 2), ("won", 2)):
        page.locator(f"[name={name}]").nth(place).tap()

    page.get_by_role("button", name="Show what it pays").tap()
    page.wait_for_selector(".plate >> text=Save hand 2")
    shown = page.locator(".plate").text_content()
    page.locator("button.plate").tap()

    assert "Save hand 2" in shown
    assert "+2" in shown
    assert page.locator(".toast").text_content().strip().startswith("Hand 2 saved")


def test_the_table_page_shows_last_hand_first_with_its_five_bonuses(
    phone, owner, places
):
    page = phone(user=owner)
    page.goto(PAGES["hand"].format(**places))

    assert page.locator("li.why").count() == 7
