"""The scripts of the pages by themselves: each function is called in a browser, on the page it belongs to.

``scripts/NAME.js`` holds the tests of one page: ``test("a sentence", () => …)`` with ``same(found, expected)`` in it.
Each is a module beside those of the page, and imports what it tests. The page is the one the server makes; nothing goes
over a network. A test that awaits is ``async``.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cartulary.cli.shell.outgoing import replay_of
from cartulary.cli.shell.views import view_games
from cartulary.records import api
from cartulary.web.assets import SCRIPT_FOLDER
from tests.places import SAMPLES
from tests.web.served import HOST, serving

PAGES = ("away", "desk", "pad", "replay", "result", "table", "watch")
SCRIPTS = Path(__file__).with_name("scripts")
CASES = [
    (path.stem, name)
    for path in sorted(SCRIPTS.glob("*.js"))
    for name in re.findall(r'^test\("([^"]+)"', path.read_text("utf-8"), re.MULTILINE)
]

STILL = """
Object.assign(window, {
  tests: {},
  test: (name, does) => { tests[name] = does; },
  same: (found, expected) => {
    const [one, other] = [found, expected].map((value) => JSON.stringify(value) ?? "undefined");
    if (one !== other) throw new Error(`found ${one}, expected ${other}`);
  },
  answers: [], // what the server answers next: [status, body, headers]; without one it is not reached
  asked: [],
  fetch: async (path, request = {}) => {
    asked.push([String(path), request.body ? JSON.parse(request.body) : null]);
    const answer = answers.shift();
    if (!answer) throw new TypeError("not reached");
    const [status, body, headers] = answer;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
  },
  streams: [],
  EventSource: class extends EventTarget {
    static CLOSED = 2;
    constructor(url) {
      super();
      this.url = url;
      this.readyState = 1;
      streams.push(this);
    }
    close() { this.readyState = EventSource.CLOSED; }
    tell(name, data) { this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) })); }
  },
});
"""
"""What stands before the scripts of a page: the tests, and a network that answers only what a test says."""

ALL = """async () => {
  const told = {};
  for (const [name, does] of Object.entries(tests)) {
    try {
      await does();
      told[name] = "";
    } catch (fault) {
      told[name] = String(fault.stack || fault);
    }
  }
  return told;
}"""
"""Runs every test and says what went wrong in it."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Callable[[str], tuple[str, str]]]]:
    """Give, by the name of a file of tests, what answers a browser: the type and the text of a path, and of ``/``."""
    folder = tmp_path_factory.mktemp("scripts")
    with api.Store(folder / "games.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
        api.play(store, "g", api.WordsRequest(("4Ci3", "4Db6", "8Dj2")))
        api.open_game(store, api.NewRequest("tarot", id="t", variant="fft", players=("Ada", "Bela", "Cleo", "Dan")))
        [record] = view_games(str(SAMPLES / "cardmate" / "games" / "nested.cgn"), None, "")
        replay = api.replay_page([replay_of(*record)]).decode()
    with serving(folder / "games.db", writes=True) as client:

        def served(first: str) -> Callable[[str], tuple[str, str]]:
            def answer(path: str) -> tuple[str, str]:
                found = client.get(first if path == "/" else path)
                return found.headers["content-type"], found.text

            return answer

        yield {
            "desk": served("/new"),
            "pad": served("/games/t/pad"),
            "result": served("/result"),
            "table": served("/games/g/table"),
            "watch": served("/games/g/watch"),
            "away": lambda path: ("text/html", f"<script>{client.get('/away.js').text}</script>"),
            "replay": lambda path: ("text/html", replay),
        }


@pytest.fixture(scope="module")
def found(
    own_browser: tuple[Any, asyncio.AbstractEventLoop], pages: dict[str, Callable[[str], tuple[str, str]]]
) -> Callable[[str], dict[str, str]]:
    """Give what every test of a file found: nothing, or what went wrong."""
    opened, loop = own_browser
    results: dict[str, dict[str, str]] = {}

    def run(name: str) -> dict[str, str]:
        if name not in results:
            asyncio._set_running_loop(loop)
            context = opened.new_context(service_workers="block", bypass_csp=True)
            try:
                results[name] = _run(context.new_page(), name, pages[name])
            finally:
                context.close()
                asyncio._set_running_loop(None)
        return results[name]

    return run


def _run(page: Any, name: str, answer: Callable[[str], tuple[str, str]]) -> dict[str, str]:
    own = f"{SCRIPT_FOLDER}/test.js"
    script = (SCRIPTS / f"{name}.js").read_text("utf-8")

    def fulfilled(route: Any) -> None:
        path = route.request.url.removeprefix(f"http://{HOST}")
        kind, text = ("text/javascript", script) if path == own else answer(path)
        route.fulfill(content_type=kind, body=text)

    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.route("**/*", fulfilled)
    page.add_init_script(STILL)
    page.goto(f"http://{HOST}/")
    page.add_script_tag(url=own, type="module")
    assert faults == []
    reply: dict[str, str] = page.evaluate(ALL)
    return reply


@pytest.mark.parametrize(("name", "says"), CASES, ids=map(": ".join, CASES))
def test_a_script(found: Callable[[str], dict[str, str]], name: str, says: str) -> None:
    assert found(name)[says] == ""


@pytest.mark.parametrize("name", PAGES)
def test_every_script_of_a_page_has_tests_and_each_is_reported(
    found: Callable[[str], dict[str, str]], name: str
) -> None:
    assert [(name, says) for says in found(name)] == [case for case in CASES if case[0] == name]
