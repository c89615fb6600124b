"""The page of a replay in a real browser: keys, links, fingers, width, dark, paper, and no request was made."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cartulary.cli.shell.outgoing import replay_of
from cartulary.cli.shell.views import view_games
from cartulary.records import api
from tests.hunts import looks
from tests.places import ROOT, SAMPLES
from tests.records.archives import sheet

AXE = ROOT / "tests" / "axe" / "axe.min.js"
WRONG = "axe.run().then((found) => found.violations.map((each) => [each.id, each.nodes[0].html]))"
"""What axe finds on a page, once axe itself was evaluated there."""
SMALL = """[...document.querySelectorAll('nav a, button, summary, select, input')]
.filter((each) => each.checkVisibility() && each.type !== 'checkbox')
.map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect().height, each.closest('.touch') ? 24 : 43.5])
.filter(([, height, least]) => height && height < least)"""
"""What is too low for a thumb, on a page for phones; a square of a board as wide as the page may be 24 pixels high."""
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1200, "height": 900}
HOSTILE = "</script><script>document.title='run'</script><img src=x onerror=document.title='run'>"
GAMES = (
    "cardmate/games/nested",
    "tarot/games/table-revoke",
    "zarcana/games/tie",
    "arcanoid/games/five-rounds",
    "tarot-duel/games/three-open",
    "draughts/games/loy-chinook",
    "chess/games/club",
    "unjudged/games/opera",
)
EVERY = sorted(path for path in SAMPLES.glob("*/games/*.cgn"))


def hold_to_axe(page: Any, *shown: tuple[dict[str, int], str], wrong: str = WRONG) -> None:
    """Hold a page to axe, and to its width, in each size and scheme; opening it anew for each costs more.

    wrong: what is asked of axe
    """
    page.evaluate(AXE.read_text("utf-8"))
    for size, scheme in shown:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(wrong) == [], (page.url, size, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (page.url, size)


class Told:
    """A page that is looked at. told: its console; asked: what it asked for"""

    def __init__(self, browser: Any, file: Path, link: str = "", **looks: Any) -> None:
        self.page = browser.new_page(**({"viewport": DESK} | looks))
        self.told: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda fault: self.told.append(str(fault)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(f"{file.as_uri()}{link}")

    def now(self, number: int = 1) -> str:
        """Return what the page says of the position it shows."""
        answer: str = self.page.inner_text(f"#g{number} .now")
        return answer

    def comes(self, text: str, number: int = 1) -> None:
        """Wait until the page says this of the position it shows."""
        self.page.locator(f"#g{number} .now", has_text=text).wait_for(timeout=5000)

    def press(self, *keys: str) -> str:
        """Press keys and return what is shown then."""
        for key in keys:
            self.page.keyboard.press(key)
        return self.now()

    def close(self) -> None:
        """Hold the page to silence, and close it."""
        assert self.told == []
        assert len(self.asked) == 1
        assert self.asked[0].startswith("file:")
        self.page.close()


def made(folder: Path, *names: str) -> Path:
    """Write the page of these games, and return its file."""
    games = [replay_of(label, one) for name in names for label, one in view_games(name, None, "")]
    file = folder / "replay.html"
    file.write_bytes(api.replay_page(games))
    return file


def sample(name: str) -> str:
    return str(SAMPLES / f"{name}.cgn")


def test_keys_alone_lead_through_a_game_and_its_variations(browser: Any, tmp_path: Path) -> None:
    output = Told(browser, made(tmp_path, sample(GAMES[0])))
    assert output.now().startswith("Start")
    assert output.press("ArrowRight", "ArrowRight", "ArrowRight").startswith("Ply 3: 2. 8Hc2")
    assert output.press("ArrowLeft").startswith("Ply 2")
    assert output.press("End").startswith("Ply 14")
    assert output.page.locator("button[data-do=on]").is_disabled()
    assert output.press("Home").startswith("Start")
    output.page.goto(output.page.url.partition("#")[0] + "#8")
    main = output.now()
    assert output.press("ArrowDown") != main
    assert output.page.url.endswith("#8-1-1")
    assert output.page.locator("button[data-do=leave]").is_visible()
    assert output.press("ArrowUp") == main
    assert output.page.url.endswith("#8")
    output.page.keyboard.press("Home")
    output.page.focus("button[data-do=on]")
    assert output.press("Enter").startswith("Ply 1:")
    output.page.focus("input[type=range]")
    assert output.press("ArrowRight").startswith("Ply 2:")
    output.asked = output.asked[:1]
    output.close()


def test_what_is_drawn_is_the_position_whichever_way_one_came(browser: Any, tmp_path: Path) -> None:
    seen = """() => [document.querySelector('pre').textContent, ...[...document.querySelectorAll('svg > g')]
        .filter((each) => !each.hasAttribute('display')).map((each) => each.outerHTML)]"""
    output = Told(browser, made(tmp_path, sample(GAMES[2])))
    forth = {output.press("ArrowRight"): output.page.evaluate(seen) for _ in range(30)}
    for _ in range(29):
        at = output.press("ArrowLeft")
        assert output.page.evaluate(seen) == forth[at]
    assert len({str(one) for one in forth.values()}) > 20
    output.close()


def test_links_lead_to_a_ply_and_the_verdict_to_its_proof(browser: Any, tmp_path: Path) -> None:
    file = made(tmp_path, sample(GAMES[1]), sample(GAMES[0]))
    output = Told(browser, file, "#17")
    assert output.now().startswith("Ply 17")
    assert "did not follow suit" in output.page.inner_text("#g1 .verdict")
    output.page.click("#g1 .verdict .said:not([hidden]) a")
    output.comes("Ply 40:")
    output.page.click("nav.games li:nth-child(2) a")
    output.comes("Start", 2)
    assert not output.page.locator("#g1").is_visible()
    output.close()
    beyond = Told(browser, file, "#9999")
    assert beyond.now().startswith("Ply 78")
    beyond.close()


@pytest.mark.parametrize("name", ["cardmate/games/nested", "tarot-duel/games/three-open"])
def test_a_thumb_alone_leads_through_a_game_on_a_phone(browser: Any, tmp_path: Path, name: str) -> None:
    output = Told(browser, made(tmp_path, sample(name)), viewport=PHONE, has_touch=True, is_mobile=True)
    assert output.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    output.page.tap("button[data-do=on]")
    assert output.now().startswith("Ply 1:")
    swiping = """([from, to]) => {
      const svg = document.querySelector("svg");
      const touch = (x) => new Touch({ identifier: 1, target: svg, clientX: x, clientY: 300 });
      svg.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)], changedTouches: [touch(from)] }));
      svg.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [touch(to)] }));
    }"""
    output.page.evaluate(swiping, [300, 100])
    assert output.now().startswith("Ply 2:")
    output.page.evaluate(swiping, [100, 300])
    assert output.now().startswith("Ply 1:")
    board, steer = output.page.locator("svg").bounding_box(), output.page.locator("button[data-do=on]").bounding_box()
    assert board["width"] > 340
    assert steer["y"] + steer["height"] <= PHONE["height"]
    for each in output.page.locator("button:visible").all():
        assert each.bounding_box()["height"] >= 44
    output.close()


@pytest.mark.hunt
def test_any_sample_is_led_through_by_keys_a_thumb_and_a_reader_of_the_screen(browser: Any, tmp_path: Path) -> None:
    for path in Random("samples").sample(EVERY, min(looks(6), len(EVERY))):
        try:
            file = made(tmp_path, str(path))
        except SystemExit:
            continue  # It cannot be set up, and the command says so.
        keys = Told(browser, file)
        last = keys.press("End")
        assert keys.press("Home").startswith("Start")
        tree = keys.page.locator("main").aria_snapshot()
        assert {"Verdict", "Board", "Moves"} <= set(re.findall(r'- (?:region|article) "(\w+)"', tree)), path
        if not last.startswith("Start"):
            assert keys.press("ArrowRight").startswith("Ply "), path
        keys.close()
        thumb = Told(browser, file, viewport=PHONE, has_touch=True, is_mobile=True)
        thumb.page.locator("article:visible button[data-do=last]").tap(timeout=5000, force=last.startswith("Start"))
        assert thumb.now() == last, path
        assert thumb.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        thumb.close()


def test_it_plays_by_itself_until_it_is_stopped(browser: Any, tmp_path: Path) -> None:
    output = Told(browser, made(tmp_path, sample(GAMES[0])))
    output.page.click("button[data-do=play]")
    output.comes("Ply 1:")
    output.page.click("button[data-do=play]")
    assert output.page.get_attribute("button[data-do=play]", "aria-pressed") == "false"
    output.close()


def test_paper_holds_the_moves_as_a_table_and_every_finding(browser: Any, tmp_path: Path) -> None:
    output = Told(browser, made(tmp_path, sample(GAMES[1]), sample(GAMES[0])))
    output.page.emulate_media(media="print")
    for what in ("#g1 table", "#g2 table", "#g1 .said[data-frame='17']", "#g1 .sheet"):
        assert output.page.locator(what).is_visible(), what
    for what in ("button", "input", "svg", "nav"):
        assert not output.page.locator(what).first.is_visible(), what
    output.close()


def test_markup_in_a_game_runs_nothing(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(sheet(f"4Ci3 {{{HOSTILE} [%clk <b>]}} 4Db6 <b>x</b>", Event=HOSTILE, Forehand=HOSTILE), "utf-8")
    output = Told(browser, made(tmp_path, str(file)))
    output.press("ArrowRight", "End")
    assert output.page.title() != "run"
    assert output.page.locator("img").count() == 0
    output.close()


@pytest.mark.parametrize("name", GAMES)
def test_axe_finds_nothing_on_phone_and_desk_in_light_and_dark(browser: Any, tmp_path: Path, name: str) -> None:
    output = Told(browser, made(tmp_path, sample(name)), "#8")
    every = ((PHONE, "light"), (DESK, "dark"), (PHONE, "dark"), (DESK, "light"))
    hold_to_axe(output.page, *(every if name == GAMES[1] else every[:2]))
    output.page.emulate_media(color_scheme="dark")
    assert output.page.evaluate(BACKGROUND) == "rgb(15, 18, 22)"
    output.close()
