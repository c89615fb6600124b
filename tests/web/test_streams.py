"""Streams: every event once and in order to whoever keeps up, what changed by name, and no more than a view may see."""

import asyncio
import http.client
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from cartulary.engine.deadline import DeadlineExceeded
from cartulary.notation.viewer import EVERYTHING, viewer_of_seat
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.state.links import AFTERWARDS, as_of
from cartulary.web.following import StreamEvent, events_since
from cartulary.web.guard import NOT_ADMITTED, OWN_HEADER
from cartulary.web.pages import Pages
from cartulary.web.serving import listening
from cartulary.web.stores import Stores
from cartulary.web.streams import BACKLOG, Follower, SharedView, Streams
from cartulary.web.visitors import Visitor, visitor_of
from tests.laws.test_secrets import TIME, Run
from tests.laws.test_secrets import run as run
from tests.laws.worlds import GAMES
from tests.web.phones import Phone
from tests.web.test_kills import serving_child
from tests.web.test_secrets import pairs_of

WORDS = ("4Ci3", "4Db6", "8Dj2", "8Ca7")
DESK = Visitor("desk", EVERYTHING, "desk")
HERE = "127.0.0.1"


class Stream:
    """A stream that is read by hand."""

    def __init__(self, port: int, words: str, **headers: str) -> None:
        self.to = http.client.HTTPConnection(HERE, port, timeout=5)
        self.to.request("GET", f"/events?{words}", headers=headers)
        self.answer = self.to.getresponse()

    def events(self, count: int) -> list[dict[str, Any]]:
        """Return the next events, each with its name and id."""
        found: list[dict[str, Any]] = []
        event: dict[str, Any] = {}
        while len(found) < count:
            line = self.answer.readline().decode().rstrip("\n")
            name, _, value = line.partition(": ")
            if name == "data":
                event |= json.loads(value)
            elif name in ("id", "event"):
                event[f"sse-{name}"] = value
            elif not line and event.keys() - {"sse-id"}:
                found.append(event)
                event = {}
        return found

    def ended(self) -> bool:
        """Say whether the stream ends, once what is left of it has been read."""
        return self.answer.read() is not None

    def close(self) -> None:
        self.to.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, int, dict[str, str]]]:
    """Serve an archive from another process, and yield its file, the port and a header with the key.

    No store is open while the process is forked.
    """
    path = tmp_path / "games.db"
    with Store(path) as opened:
        for id in ("g", "h"):
            api.open_game(opened, api.NewRequest("cardmate", id=id, players=("Ada", "Bela")))
    listener = listening(HERE, 0)
    with serving_child(path, listener) as (_, key):
        yield path, listener.getsockname()[1], {"X-Cartulary-Key": key}
    listener.close()


@pytest.fixture
def store(served: tuple[Path, int, dict[str, str]]) -> Iterator[Store]:
    with Store(served[0]) as opened:
        yield opened


@pytest.fixture
def server(served: tuple[Path, int, dict[str, str]]) -> tuple[int, dict[str, str]]:
    return served[1:]


def by_link(port: int, store: Store, role: str, **more: Any) -> dict[str, str]:
    """Return the cookie of a link that was taken up."""
    [link] = api.make_links(store, "g", api.LinksRequest((role,), **more))
    to = http.client.HTTPConnection(HERE, port, timeout=5)
    headers = {"Content-Type": "application/json", OWN_HEADER: "1"}
    to.request("POST", "/join", json.dumps({"secret": link.secret}), headers)
    answer = to.getresponse()
    answer.read()
    return {"Cookie": str(answer.getheader("set-cookie")).partition(";")[0]}


def test_each_follower_gets_each_event_once_and_in_order_whoever_wrote_it(
    store: Store, server: tuple[int, dict[str, str]]
) -> None:
    port, key = server
    streams = [Stream(port, "game=g&since=2", **key) for _ in range(5)]
    for word in WORDS:
        api.play(store, "g", api.WordsRequest((word,)))
        sleep(0.05)
    for stream in streams:
        events = stream.events(4)
        assert [event["version"] for event in events] == [3, 4, 5, 6]
        assert [event["sse-id"] for event in events] == ["3", "4", "5", "6"]
        assert [event["says"].split()[2].strip(",") for event in events] == list(WORDS)
        assert "data-live" in events[-1]["live"]
        assert events[-1]["head"] == str(store.head("g"))
        stream.close()


def test_a_stream_that_was_cut_goes_on_where_it_was(store: Store, server: tuple[int, dict[str, str]]) -> None:
    port, key = server
    first = Stream(port, "game=g&since=2", **key)
    api.play(store, "g", api.WordsRequest(WORDS[:2]))
    last = first.events(2)[-1]["sse-id"]
    first.close()
    api.play(store, "g", api.WordsRequest(WORDS[2:]))
    again = Stream(port, "game=g&since=2", **{**key, "Last-Event-ID": last})
    assert [event["version"] for event in again.events(2)] == [5, 6]
    again.close()


def test_one_stream_follows_several_games(store: Store, server: tuple[int, dict[str, str]]) -> None:
    port, key = server
    stream = Stream(port, "game=g&game=h&since=2&since=2", **key)
    api.play(store, "h", api.WordsRequest(WORDS[:1]))
    api.play(store, "g", api.WordsRequest(WORDS[:1]))
    events = stream.events(2)
    assert sorted((event["game"], event["version"]) for event in events) == [("g", 3), ("h", 3)]
    assert events[-1]["sse-id"] == "3,3"
    stream.close()


def test_a_change_is_named_and_never_silent(store: Store, server: tuple[int, dict[str, str]]) -> None:
    port, key = server
    api.play(store, "g", api.WordsRequest(WORDS[:2]))
    stream = Stream(port, "game=g&since=4", **key)
    api.amend(store, "g", api.AmendRequest(2, ("4Db6",)))
    api.take_back(store, "g", api.UndoRequest())
    number = api.dispute(store, "g", api.DisputeRequest(1, by="p2", claim="no")).dispute.number
    api.rule(store, "g", api.RulingRequest((1,), arbiter="A", decision="stands", dispute=number))
    api.close(store, "g", api.CloseRequest("1-0", termination="resignation"))
    events = stream.events(5)
    assert [event["change"] for event in events] == [
        "Plies were corrected",
        "Plies were taken back",
        "A dispute was raised",
        "The arbiter ruled",
        "The game was closed",
    ]
    stream.close()


def test_the_rail_is_behind_by_its_delay(store: Store, server: tuple[int, dict[str, str]]) -> None:
    port, _ = server
    stream = Stream(port, "game=g&since=3", **by_link(port, store, "rail", delay=1))
    api.play(store, "g", api.WordsRequest(WORDS[:1]))
    begun = monotonic()
    [event] = stream.events(1)
    assert monotonic() - begun > 0.75
    assert (event["version"], event["says"].split()[2]) == (4, "4Ci3,")
    assert "head" not in event or event["head"]
    stream.close()


def test_a_revoked_link_ends_its_stream_and_opens_none(store: Store, server: tuple[int, dict[str, str]]) -> None:
    port, _ = server
    cookie = by_link(port, store, "rail")
    stream = Stream(port, "game=g", **cookie)
    assert stream.answer.status == 200
    api.revoke_link(store, api.RevokeRequest(1))
    assert stream.ended()
    for words in ("game=g", "game=g&game=h"):
        refused = Stream(port, words, **cookie)
        assert (refused.answer.status, refused.answer.read().decode()) == (404, NOT_ADMITTED)


def test_what_is_written_of_a_game_closed_long_ago_ends_the_streams_of_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "games.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        streams, view = Streams(Stores(tmp_path / "games.db"), Pages(True)), SharedView(DESK)
        api.close(store, "g", api.CloseRequest("1-0", termination="resignation"))
        links = [visitor_of(each.link) for each in api.make_links(store, "g", api.LinksRequest(("rail", "reader")))]
        for after, answer in ((AFTERWARDS, [True, True, True]), (timedelta(0), [False, True, True])):
            monkeypatch.setattr("cartulary.records.state.links.AFTERWARDS", after)
            followers = [Follower({"g": visitor}) for visitor in (*links, DESK)]
            view.followers = set(followers)
            for follower in followers:
                follower.joining.clear()
            api.dispute(store, "g", api.DisputeRequest(0, by="p1", claim="not so"))
            asyncio.run(streams._update("g", view))
            assert [bool(follower.waiting) for follower in followers] == answer
            assert [not follower.is_over for follower in followers] == answer
    streams.stores.close()


@pytest.mark.parametrize("words", ["game=h", "game=g&game=h", "game=nope", "", "game=", "since=3", "game=g.json"])
def test_what_may_not_be_followed_is_answered_like_everything_else(
    store: Store, server: tuple[int, dict[str, str]], words: str
) -> None:
    port, key = server
    refused = Stream(port, words, **by_link(port, store, "p1"))
    assert (refused.answer.status, refused.answer.read().decode()) == (404, NOT_ADMITTED)
    assert Stream(port, "game=g").answer.status == 404
    assert Stream(port, "game=nope", **key).answer.status == 404


def test_who_falls_behind_is_told_and_gets_the_newest_state() -> None:
    follower = Follower({"g": DESK})
    follower.put("g", [StreamEvent(version, b"%d" % version) for version in range(1, BACKLOG + 1)])
    assert not follower.has_gap
    follower.put("g", [StreamEvent(BACKLOG + 1, b"newest")])
    assert follower.has_gap
    streams = Streams.__new__(Streams)
    streams._unreachable = False
    pieces = [own + shared for own, shared in streams._chunks(follower)]
    assert pieces[0].startswith(b"event: skipped\n")
    assert pieces[1:] == [b"id: %d\ndata: newest" % (BACKLOG + 1)]
    assert asyncio.iscoroutinefunction(Streams._poll)


@pytest.mark.hunt
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_equal_to_a_view_are_streamed_alike(run: Run, tmp_path: Path, key: str, seat: int) -> None:
    _, names = next(pairs_of(run, tmp_path, key, seat))
    answers = [
        streamed(tmp_path / name / "games.db", Visitor("rail", viewer_of_seat(seat), "p1", "g", 1))
        for name in names[:2]
    ]
    assert answers[0] == answers[1]
    assert len(answers[0]) > 2
    everything = [streamed(tmp_path / name / "games.db", DESK) for name in names[:2]]
    assert everything[0] != everything[1]


def streamed(db: Path, visitor: Visitor) -> list[str]:
    """Return every event of a game as it is sent, times and heads masked."""
    with Store(db) as store:
        game = as_of(api.load(store, "g"), visitor.delay)
        events = events_since(Pages(True), game, visitor, 0)
        return [re.sub(r'"head":"[^"]*"', "", TIME.sub("TIME", event.data.decode())) for event in events]


def test_a_page_that_is_watched_shows_what_is_written_and_a_badge_counts(
    browser: Any, address: tuple[str, Path]
) -> None:
    base, db = address
    with Store(db) as store:
        api.open_game(store, api.NewRequest("cardmate", id="watched"))
        scribe = Phone(browser, address, "watched", "scribe")
        [link] = api.make_links(store, "watched", api.LinksRequest(("rail",), verdicts=True))
        watching = browser.new_context().new_page()
        watching.goto(f"{base}/join#{link.secret}")
        watching.wait_for_url("**/watch?as=rail")
        back = watching.context.new_page()
        back.goto(f"{base}/games/watched/plies/0?as=rail")
        for page in (watching, back):
            page.wait_for_timeout(400)
        scribe.tap("4Ci3")
        shown(watching, ".last", "4Ci3")
        assert "4Ci3" in watching.text_content("[data-news]")
        api.play(store, "watched", api.WordsRequest(("4Db6",)))
        shown(back, "[data-new]", "2 new plies")
        assert back.url.endswith("/plies/0?as=rail")
        shown(scribe.page, ".last", "4Db6")
        api.take_back(store, "watched", api.UndoRequest())
        shown(watching, "[data-news]", "Plies were taken back")
        watching.context.close()
        scribe.close()


def test_a_page_follows_again_after_an_answer_that_was_no_stream_until_its_link_is_over(
    browser: Any, address: tuple[str, Path]
) -> None:
    with Store(address[1]) as store:
        api.open_game(store, api.NewRequest("cardmate", id="again"))
        rail = Phone(browser, address, "again", "rail")
        rail.page.add_init_script("Math.random = () => -0.66")  # the wait is short
        rail.page.route("**/events?*", lambda route: route.fulfill(status=502, body="no server behind"), times=2)
        rail.page.reload()
        shown(rail.page, "[data-connection]", "connected")
        api.play(store, "again", api.WordsRequest(("4Ci3",)))
        shown(rail.page, ".last", "4Ci3")
        api.revoke_link(store, api.RevokeRequest(rail.link))
        shown(rail.page, "[data-connection]", "This link no longer opens anything. Ask whoever runs the evening")
        rail.close()


def shown(page: Any, where: str, text: str) -> None:
    """Wait until a part of a page shows a text."""
    page.locator(where, has_text=text).first.wait_for(state="attached")


# --- what goes wrong meanwhile ---


@pytest.fixture
def streams(tmp_path: Path) -> Iterator[Streams]:
    with Store(tmp_path / "alone.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
    opened = Streams(Stores(tmp_path / "alone.db"), Pages(True))
    yield opened
    opened.stores.close()


def test_who_joins_brings_news_to_nobody_whose_link_is_over(streams: Streams, tmp_path: Path) -> None:
    with Store(tmp_path / "alone.db") as store:
        links = [api.make_links(store, "g", api.LinksRequest(("arbiter",)))[0].link for _ in range(2)]
        first, second = (Follower({"g": visitor_of(link)}) for link in links)

        async def join_after_a_revocation() -> None:
            await streams._join("g", visitor_of(links[0]), first)
            api.revoke_link(store, api.RevokeRequest(links[0].number))
            api.play(store, "g", api.WordsRequest(WORDS[:1]))
            await streams._join("g", visitor_of(links[1]), second)

        asyncio.run(join_after_a_revocation())
    assert (first.is_over, list(first.waiting)) == (True, [])
    assert not second.is_over


def test_a_look_that_failed_is_taken_again(streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view, follower = SharedView(DESK), Follower({"g": DESK})
    follower.joining.clear()
    view.followers.add(follower)
    asyncio.run(streams._update("g", view))
    with Store(tmp_path / "alone.db") as store:
        api.play(store, "g", api.WordsRequest(WORDS[:1]))
        head = api.load(store, "g").head

    def tire(*_: object, **__: object) -> list[StreamEvent]:
        raise DeadlineExceeded

    with monkeypatch.context() as tired:
        tired.setattr("cartulary.web.streams.events_since", tire)
        asyncio.run(streams._update("g", view))
    assert (view.retry, view.version < head.version) == (True, True)
    asyncio.run(streams._update("g", view))
    assert (view.retry, follower.waiting[-1][1].version) == (False, head.version)


def test_one_exception_does_not_end_the_poller(streams: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    async def look(self: Streams, position: int) -> int:
        looks.append(position)
        if len(looks) == 1:
            raise RuntimeError("dictionary changed size during iteration")
        self.followers.clear()
        return position

    monkeypatch.setattr("cartulary.web.streams.POLL", 0.01)
    monkeypatch.setattr(Streams, "_check_log", look)

    async def poll() -> None:
        streams._wake_poller = asyncio.Event()
        streams.followers.add(Follower({}))
        await streams._poll()

    asyncio.run(poll())
    assert looks == [0, 0]


def test_a_log_that_was_replaced_ends_the_streams_that_followed_the_other(streams: Streams, tmp_path: Path) -> None:
    with Store(tmp_path / "lost.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        api.play(store, "g", api.WordsRequest(WORDS[:1]))
        lost = api.load(store, "g")
    view, follower = SharedView(DESK), Follower({"g": DESK})
    follower.joining.clear()
    view.followers.add(follower)
    view.last_game, view.version, view.events = lost, lost.head.version, lost.head.version
    asyncio.run(streams._update("g", view))
    assert (follower.is_over, view.version) == (True, 0)
