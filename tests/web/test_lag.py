"""What a page shows is never behind for long: whatever is slow, lost or refused on its way, the last event is shown."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.notation import loads
from cartulary.notation.viewer import viewer_of_seat
from cartulary.records import api
from cartulary.web.guard import Guard
from cartulary.web.rates import Buckets
from tests.hunts import looks
from tests.places import SAMPLES
from tests.web.phones import Phone, opened
from tests.web.served import by_link

Address = tuple[str, Path]
AWAY = {"service_workers": "block"}
"""Without a service worker, a test sees every request of a page."""
SOON = 4_000
"""Milliseconds after which a page that is open shows what was written, on a machine that has other work."""

SAYS = """() => {
  const real = window.setTimeout;
  window.setTimeout = (does, wait) => real(does, wait === queued.SLOWEST ? 1500 : wait);
  setInterval(() => {
    const has = document.querySelector("[data-line]").checkVisibility() ? "with" : "without";
    console.log(queued.state().dataset.version, has, "a line");
  }, 50);
}"""
"""Lets a page say again and again what it shows, and wait less for a page that is not loaded."""


@pytest.fixture
def table(browser: Any, address: Address, request: pytest.FixtureRequest) -> Iterator[Callable[..., Phone]]:
    """Make phones at one new table of Cardmate."""
    id = opened(address, "cardmate", f"lag-{abs(hash(request.node.name))}")
    phones: list[Phone] = []

    def make(role: str = "p1", **options: Any) -> Phone:
        phones.append(Phone(browser, address, id, role, **options))
        return phones[-1]

    yield make
    for phone in phones:
        phone.close()


def shows_all(phone: Phone, page: Any = None) -> None:
    """Wait until a page shows everything that was written."""
    with phone.store() as store:
        version = api.read_view(store, phone.id, viewer_of_seat(phone.seat)).version
    (page or phone.page).wait_for_function(
        "version => document.querySelector('[data-live]').dataset.version === String(version)",
        arg=version,
        timeout=SOON,
        polling=50,
    )


def test_a_table_shows_that_its_game_was_closed_though_its_page_is_not_loaded_again(
    table: Callable[..., Phone],
) -> None:
    phone, shown = table(**AWAY), [""]
    held: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.is_navigation_request() and len(held) < 2:
            held.append(route)
        else:
            route.continue_()

    def version() -> str:
        with phone.store() as store:
            return str(api.read_view(store, phone.id, viewer_of_seat(phone.seat)).version)

    def waits_for(happens: Callable[[], bool]) -> None:
        """Let the page work on until something is so; a page that is being loaded answers no question of a test."""
        end = monotonic() + SOON / 1000
        while not happens():
            assert monotonic() < end, (shown[-1], version(), len(held))
            phone.page.wait_for_timeout(50)

    phone.page.on("console", lambda message: shown.append(message.text))
    phone.page.evaluate(SAYS)
    phone.page.route("**/table?*", hold)
    with phone.store() as store:
        api.close(store, phone.id, api.CloseRequest(result="1-0", termination="resignation"))
        waits_for(lambda: shown[-1] == f"{version()} without a line")
        api.change_tags(store, phone.id, api.TagRequest({"Event": "Friday"}))
    waits_for(lambda: shown[-1] == f"{version()} without a line")
    waits_for(lambda: len(held) == 2)
    phone.page.wait_for_selector("text=I agree with this record")


@pytest.mark.parametrize("put", ["new Promise(() => {})", "Promise.reject(new Error('full'))"])
def test_a_table_shows_news_though_its_browser_cannot_keep_the_page(table: Callable[..., Phone], put: str) -> None:
    phone = table()
    phone.wait_for("queued.progress.safe")
    phone.page.evaluate(f"() => {{ Cache.prototype.put = () => {put}; }}")
    with phone.store() as store:
        api.play(store, phone.id, api.WordsRequest(("4Ci3",)))
        shows_all(phone)
        api.play(store, phone.id, api.WordsRequest(("4Db6",)))
    shows_all(phone)


def test_tabs_that_are_not_looked_at_leave_the_connections_to_the_one_that_is(table: Callable[..., Phone]) -> None:
    """A browser opens six connections to one server, and a stream of events keeps one of them."""
    phone = table()
    phone.context.add_init_script(
        "Object.defineProperty(document, 'visibilityState', { get: () => (window.hides ? 'hidden' : 'visible') })"
    )
    hide = "hides => { window.hides = hides; document.dispatchEvent(new Event('visibilitychange')); }"
    tabs = []
    for _ in range(8):
        tabs.append(phone.context.new_page())
        tabs[-1].goto(phone.page.url, timeout=15_000)
        tabs[-1].evaluate(hide, True)
    with phone.store() as store:
        api.play(store, phone.id, api.WordsRequest(("4Ci3",)))
    shows_all(phone)
    tabs[0].evaluate(hide, False)
    shows_all(phone, tabs[0])
    with phone.store() as store:
        api.play(store, phone.id, api.WordsRequest(("4Db6",)))
    shows_all(phone, tabs[0])


def test_what_is_sent_before_the_script_of_a_page_has_come_leads_nowhere(table: Callable[..., Phone]) -> None:
    phone = table(**AWAY)
    with phone.store() as store:
        api.close(store, phone.id, api.CloseRequest(result="1-0", termination="resignation"))
    phone.page.wait_for_selector("text=I agree with this record")
    phone.page.route("**/*.js*", lambda route: route.abort())
    phone.page.reload()
    before = phone.page.url
    phone.page.click("text=I agree with this record")
    phone.page.wait_for_timeout(300)
    assert phone.page.url == before
    assert phone.page.is_visible("text=I agree with this record")
    phone.told.clear()  # the scripts that did not come


def test_a_page_that_was_asked_for_too_often_is_asked_for_again_by_the_browser(
    store: api.Store, server: TestClient
) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    [link] = api.make_links(store, "g", api.LinksRequest(("p1",)))
    phone = by_link(server, link.secret)
    assert isinstance(server.app, Guard)
    server.app.buckets["reads"] = Buckets(rate=1, burst=0)
    refused = phone.get("/games/g/table?as=p1")
    assert (refused.status_code, refused.headers["refresh"]) == (429, "2")


# --- a whole table that signs off ---

PLIES = 3
"""How many plies are written while the phones look on."""


def lose_answer(route: Any) -> None:
    """Let a request through to the desk, and lose what it answers."""
    route.fetch()
    route.abort()


def disturb(random: Random, phone: Phone) -> list[Any]:
    """Let something go wrong with the next requests of a phone, by chance; return where what is held back is put."""
    held: list[Any] = []
    what = random.choice(("nothing", "a slow load", "slow news", "no stream", "a lost answer", "asked for too often"))
    if what == "a slow load":
        phone.page.route("**/table?*", lambda route: held.append(route), times=2)
    elif what == "slow news":
        phone.page.route(
            "**/table?*",
            lambda route: route.continue_() if route.request.is_navigation_request() else held.append(route),
        )
    elif what == "no stream":
        phone.page.route("**/events?*", lambda route: route.fulfill(status=502, body="no server behind"), times=2)
    elif what == "a lost answer":
        phone.page.route("**/agree", lose_answer, times=1)
    elif what == "asked for too often":
        refused = {"retry-after": "1", "refresh": "1"}
        phone.page.route("**/table?*", lambda route: route.fulfill(status=429, headers=refused, body="{}"), times=2)
    return held


@pytest.mark.hunt
@pytest.mark.parametrize("seed", range(int(os.environ.get("SEED", "0")), int(os.environ.get("SEED", "0")) + looks(2)))
def test_seats_that_sign_off_at_once_all_see_the_last_event(browser: Any, address: Address, seed: int) -> None:
    random = Random(seed)
    sheet = loads((SAMPLES / "tarot" / "games" / "fft-five.cgn").read_bytes())[0]
    words, tags = sheet.line.words, {name: value for name, value in sheet.tags if name in ("Variant", "Options")}
    id = opened(address, "tarot", f"signed-{seed}", tags=tags, seats=5)
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(words[:-PLIES], stands=True))
        seats = [Phone(browser, address, id, f"p{seat}", **AWAY) for seat in range(1, 6)]
        for word in words[-PLIES:]:
            api.play(store, id, api.WordsRequest((word,), stands=True))
        held = [route for phone in seats for route in [disturb(random, phone)]]
        api.close(store, id, api.CloseRequest())
        waiting = {phone.seat: phone for phone in seats}
        end = monotonic() + 60
        while waiting and monotonic() < end:
            for phone in list(waiting.values()):
                agree_or_wait(phone)
                if phone.seat in {one.seat for one in api.load(store, id).book.agreements}:
                    del waiting[phone.seat]
            for routes in held:
                if random.random() < 0.5:
                    let_through(routes)
        assert not waiting, (seed, [*waiting])
    for phone, routes in zip(seats, held, strict=True):
        phone.page.unroute_all()
        let_through(routes)
        phone.catch_up()
        assert "Agreed by p1, p2, p3, p4, p5" in phone.page.inner_text("[data-live]"), (seed, phone.seat)
        phone.close()


def let_through(held: list[Any]) -> None:
    """Let the requests that were held back through, but for those that their page has given up."""
    from playwright.sync_api import Error

    while held:
        with suppress(Error):
            held.pop(0).continue_()


def agree_or_wait(phone: Phone) -> None:
    """Sign off if the page of a phone lets it; give it a little time if it is still being loaded."""
    from playwright.sync_api import Error

    try:
        phone.page.click("text=I agree with this record", timeout=300, no_wait_after=True)
    except Error:
        phone.page.wait_for_timeout(50)
