"""The desk in a real browser: keys, width, dark, nobody else asked for anything, axe-core without violations."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tests.cli.test_replay_in_browser import BACKGROUND, DESK, HOSTILE, PHONE, SMALL, hold_to_axe
from tests.places import SAMPLES
from tests.programs import served
from tests.records.archives import sheet


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve samples and a game with markup in every field, and yield the whole address."""
    folder = tmp_path_factory.mktemp("served")
    hostile = sheet(f"4Ci3 {{{HOSTILE}}} 4Db6", Event=HOSTILE, Site=HOSTILE, Forehand=HOSTILE)
    (folder / "hostile.cgn").write_text(hostile, "utf-8")
    files = [str(path) for path in sorted(SAMPLES.glob("*/games")) if path.parent.name != "packages"]
    with served(*files, str(folder / "hostile.cgn")) as url:
        yield url


class Seen:
    """Pages that are looked at one after the other. told: the console; asked: what was asked for"""

    def __init__(self, browser: Any, address: str, **looks: Any) -> None:
        self.context = browser.new_context(**({"viewport": DESK} | looks))
        self.page = self.context.new_page()
        self.base = address.partition("/?")[0]
        self.told: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda fault: self.told.append(str(fault)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def by(self, act: Callable[[], object]) -> None:
        """Do what leads to another page, and wait until that page listens."""
        with self.page.expect_navigation():
            act()

    def click(self, what: str) -> None:
        self.by(lambda: self.page.click(what))

    def ask(self, field: str, text: str) -> None:
        self.page.fill(f"input[name={field}]", text)
        self.by(lambda: self.page.press(f"input[name={field}]", "Enter"))

    def games(self, asked: str) -> str:
        """Go to the list, ask it, and return the way to the first game."""
        self.go(f"/games?{asked}")
        way: str = self.page.get_attribute(".list .who a", "href")
        return way

    def close(self) -> None:
        """Hold the pages to silence, and close them."""
        assert self.told == []
        assert [each for each in self.asked if not each.startswith(f"{self.base}/")] == []
        self.context.close()


def test_keys_lead_through_a_game_and_links_through_the_desk(browser: Any, address: str) -> None:
    seen = Seen(browser, address)
    assert seen.page.url == f"{seen.base}/games"
    seen.ask("player", "tinsley")
    seen.click(".list .who a")
    for key, at in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 91)):
        seen.by(partial(seen.page.keyboard.press, key))
        assert seen.page.url.endswith(f"/plies/{at}")
    marked = seen.page.locator(".moves a[aria-current]").bounding_box()
    panel = seen.page.locator(".moves").bounding_box()
    assert panel["y"] <= marked["y"] <= panel["y"] + panel["height"]
    seen.click("text=Games with this position")
    assert seen.page.locator(".list tbody tr").count() == 1
    seen.click("nav.desk >> text=Rules")
    seen.click("main >> text=Zarcana")
    seen.ask("word", "death")
    assert "A minion attacks as Swords do" in seen.page.inner_text("main")
    seen.close()


def test_why_a_ply_was_a_revoke_is_read_beside_it(browser: Any, address: str) -> None:
    seen = Seen(browser, address)
    seen.go(seen.games("finding=tarot.follow-suit&verdict=irregular&event=Club") + "/plies/17")
    answer = seen.page.inner_text(".verdict")
    assert "Carl held 9S, but did not follow suit" in answer
    seen.click(".verdict >> text=tarot.follow-suit")
    assert "A player who has a card of the suit led must play one, or the fool." in seen.page.inner_text("main")
    seen.close()


def test_axe_finds_nothing_on_any_page(browser: Any, address: str) -> None:
    seen = Seen(browser, address, viewport=PHONE, color_scheme="dark")
    game, other = seen.games("game=cardmate"), seen.games("finding=tarot.follow-suit")
    pages = ["/games", "/search?player=ada", "/stats", "/rules/zarcana", "/rules/zarcana/death"]
    for path in (*pages, game, f"{other}/plies/17", f"{game}/log"):
        seen.go(path)
        hold_to_axe(seen.page, (DESK, "light"), (PHONE, "dark"))
        assert seen.page.evaluate(SMALL) == [], path
    assert seen.page.evaluate(BACKGROUND) == "rgb(15, 18, 22)"
    seen.close()


def test_what_the_log_says_looks_like_no_fault(browser: Any, address: str) -> None:
    seen = Seen(browser, address)
    seen.go(f"{seen.games('game=cardmate')}/log")
    colour = "getComputedStyle(document.querySelector('{}')).color"
    assert seen.page.evaluate(colour.format(".list td:last-child")) == seen.page.evaluate(colour.format("body"))
    seen.close()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_what_may_be_typed_is_shown_in_full(browser: Any, address: str, size: dict[str, int]) -> None:
    seen = Seen(browser, address, viewport=size)
    for path in ("/search?result=*", "/stats"):
        seen.go(path)
        cut = """() => [...document.querySelectorAll('input[placeholder]')].filter((one) => {
            const text = document.createElement('span');
            text.textContent = one.placeholder;
            text.style.cssText = `font: ${getComputedStyle(one).font}; position: absolute; white-space: nowrap`;
            document.body.append(text);
            const inside = one.clientWidth - 2 * parseFloat(getComputedStyle(one).paddingLeft);
            return text.getBoundingClientRect().width > inside;
        }).map((one) => one.placeholder)"""
        assert seen.page.evaluate(cut) == []
    seen.close()


def test_markup_in_every_field_runs_nothing(browser: Any, address: str) -> None:
    seen = Seen(browser, address)
    way = seen.games("event=onerror")
    for path in (way, f"{way}/log", f"{way}/sheet", f"{way}/replay", "/stats", "/search?text=document"):
        seen.go(path)
        assert seen.page.title() != "run"
        assert seen.page.locator("img").count() == 0
    seen.close()


def test_a_page_without_script_says_the_same(browser: Any, address: str) -> None:
    seen = Seen(browser, address, java_script_enabled=False)
    way = seen.games("game=draughts")
    seen.go(f"{way}/plies/1")
    seen.click("a[data-way=on]")
    assert seen.page.url.endswith("/plies/2")
    seen.close()
