"""Every page on the narrowest phone: nothing scrolls sideways, and axe finds nothing, in light and in dark.

Text may be twice as large, the keyboard goes through a page in order, and nothing moves for who asked for that.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from cartulary.web.routes import Resource, resources
from tests.cli.test_replay_in_browser import DESK, hold_to_axe
from tests.web.phones import Phone, opened

Address = tuple[str, Path]
NARROW = {"width": 320, "height": 700}
LARGE = {"width": 640, "height": 900}
"""What is left of 1280 pixels where a browser shows everything twice as large."""
ADDRESSES = {
    "/games/{id}/plies/{ply}": ("games/narrow/plies/3",),
    "/arbiter": ("arbiter",),
    "/games/{id}/disputes/{number}": ("games/narrow/disputes/1",),
    "/new": ("new", "new?game=tarot", "new?game=Catan&unjudged=1"),
    "/evening": ("evening?name=Narrow",),
    "/person": ("person?name=Ada",),
    "/standings": ("standings", "standings?event=Narrow"),
    "/people": ("people", "people?name=a"),
    "/rules/{game}": ("rules/tarot", "rules/chess"),
    "/rules/{game}/{key}": ("rules/tarot/tarot.follow-suit",),
}
"""The addresses of each kind of page, by its path; of one that is not named here, that path itself."""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
MOVING = """() => {
  const moving = [...document.querySelectorAll('*')].filter((one) => {
    const style = getComputedStyle(one);
    const times = `${style.transitionDuration},${style.animationDuration}`.split(',');
    return times.some((time) => parseFloat(time) > 0.01);
  });
  return moving.map((one) => one.outerHTML.slice(0, 80));
}"""
"""What of a page moves."""
FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  window.order ||= [...document.querySelectorAll('*')];
  const style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const rings = style.outlineStyle !== 'none' || style.boxShadow !== 'none' || one.matches('.line input');
  return [order.indexOf(one), rings && box.width > 0 && box.height > 0, one.outerHTML.slice(0, 80)];
}"""
"""Of what has the focus: its place on the page, whether that can be seen, and its markup; null if nothing has it."""


@pytest.fixture(scope="session")
def filled(whole_address: Address) -> str:
    """Fill the archive with a game, an evening, a pad and people, and return its address with the key."""
    url, db = whole_address
    opened((url.partition("/?")[0], db), "tarot", "narrow", ("Ada", "Bela", "Cy", "Dora"), variant="fft")
    with api.Store(db) as store:
        api.play(store, "narrow", api.WordsRequest(("Pass", "Garde", "Pass", "Pass", "~,~,~,~,~,~-", "5H", "7H")))
        api.dispute(store, "narrow", api.DisputeRequest(ply=6, claim="It was another card, I believe", who="p2"))
        api.open_evening(store, api.OpenEveningRequest(title="Narrow", date="2026.11.27", place="Town hall"))
        api.record_presence(store, api.PresenceRequest(evening="Narrow", persons=("Ada", "Bela", "Cy", "Dora", "Eve")))
        api.set_table(store, api.SetTableRequest(evening="Narrow", game="cardmate", players=("Ada", "Bela")))
        api.record_result(
            store, api.ResultRequest(game="Catan", players=("Ada=10", "Cy=7"), id="catan", event="Narrow")
        )
    return url


@pytest.fixture
def page(browser: Any, filled: str) -> Iterator[Any]:
    """Give a page whose browser holds the key."""
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(filled)
    yield page
    context.close()


def kinds() -> list[Resource]:
    """Return every kind of page that a browser shows."""
    return [one for one in resources(True) if one.page is not None or one.document is not None]


def paths() -> list[str]:
    """Return an address of every kind of page, without those that are no HTML."""
    found: list[str] = []
    for one in kinds():
        if one.path.endswith((".csv", ".svg", ".trf")) or one.template == "seat":  # which the key does not open
            continue
        usual = (one.path.format(id="narrow", ply=3, number=1, game="tarot", key="", name="Narrow").removeprefix("/"),)
        found += ADDRESSES.get(one.path, usual)
    return [*found, "games/narrow-1-1/table"]


@pytest.mark.hunt
@pytest.mark.parametrize("path", paths())
def test_no_page_is_too_wide_or_breaks_a_rule_of_axe(page: Any, whole_address: Address, path: str) -> None:
    base = whole_address[0].partition("/?")[0]
    assert page.goto(f"{base}/{path}").status == 200
    hold_to_axe(page, (NARROW, "light"), (NARROW, "dark"))


@pytest.mark.hunt
@pytest.mark.parametrize("path", paths())
def test_text_twice_as_large_leads_no_page_sideways(page: Any, whole_address: Address, path: str) -> None:
    base = whole_address[0].partition("/?")[0]
    page.set_viewport_size(LARGE)
    page.goto(f"{base}/{path}")
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    assert page.evaluate(SIDEWAYS) <= 0


@pytest.mark.hunt
@pytest.mark.parametrize("path", paths())
def test_the_keyboard_goes_through_a_page_in_order_and_nothing_moves(
    page: Any, whole_address: Address, path: str
) -> None:
    """Who asked for less motion sees none."""
    base = whole_address[0].partition("/?")[0]
    page.set_viewport_size(DESK)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{base}/{path}")
    assert page.evaluate(MOVING) == []
    last = -1
    for _ in range(25):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        at, visible, markup = focused
        assert visible, markup
        assert at > last, markup
        last = at
    assert last > 0


@pytest.mark.hunt
def test_the_pages_of_links_are_as_narrow(browser: Any, address: Address, filled: str) -> None:
    """What a scribe and a seat see, whoever waits for a seat at an evening, and whoever comes without a link."""
    base, db = address
    id = opened(address, "tarot", "narrow-links", ("Ada", "Bela", "Cy", "Dora"), variant="fft")
    for role, below in (("scribe", "table"), ("scribe", "pad"), ("p1", "table"), ("rail", "watch")):
        phone = Phone(browser, address, id, role, viewport=NARROW, bypass_csp=True)
        phone.page.goto(f"{base}/games/{id}/{below}?as={role}")
        hold_to_axe(phone.page, (NARROW, "light"), (NARROW, "dark"))
        phone.close()
    with api.Store(db) as store:
        [made] = api.make_evening_links(store, api.EveningLinksRequest(evening="Narrow", persons=("Eve",)))
    context = browser.new_context(bypass_csp=True)
    waiting = context.new_page()
    waiting.goto(f"{base}/join#{made.secret}")
    waiting.wait_for_url("**/seat")
    hold_to_axe(waiting, (NARROW, "light"), (NARROW, "dark"))
    waiting.goto(f"{base}/join")
    hold_to_axe(waiting, (NARROW, "light"), (NARROW, "dark"))
    context.close()
