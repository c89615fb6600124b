"""Nobody floods the desk: how often each may ask, how long an answer may take, and streams that say they are there."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.engine.deadline import DeadlineExceeded, check_deadline, remove_deadline, set_deadline
from cartulary.engine.readings import try_in_all
from cartulary.notation import judged_words, loads
from cartulary.notation.viewer import EVERYTHING
from cartulary.records import api
from cartulary.web.guard import LIMITS, OWN_HEADER, Guard
from cartulary.web.pages import Pages
from cartulary.web.rates import Buckets, time_limit
from cartulary.web.stores import Stores
from cartulary.web.streams import HEARTBEAT_EVENT, Streams
from cartulary.web.visitors import Visitor
from tests.places import SAMPLES
from tests.web.served import HEADER, by_link

WRITES = {OWN_HEADER: "1"}
REVOKE = loads((SAMPLES / "tarot" / "games" / "table-revoke.cgn").read_bytes())[0]
GAPS = tuple("~" if ply == 34 else word for ply, word in enumerate(REVOKE.line.words, 1))
"""A table of Tarot with a card nobody wrote: from there on every word is worked out in several positions."""


def cardmate(store: api.Store, *roles: str) -> list[str]:
    """Open a game called g, and return what opens a link of each role."""
    api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    api.play(store, "g", api.WordsRequest(("4Ci3",)))
    return [api.make_links(store, "g", api.LinksRequest((role,)))[0].secret for role in roles]


def gapped(store: api.Store, plies: int = 36) -> str:
    """Open a table of Tarot with gaps called g, and return what opens its scribe's link."""
    api.open_game(store, api.NewRequest("tarot", id="g", seats=4, tags={"Variant": REVOKE.tag("Variant")}))
    api.play(store, "g", api.WordsRequest(GAPS[:plies], stands=True))
    return api.make_links(store, "g", api.LinksRequest(("scribe",)))[0].secret


# --- how often ---


def few(client: TestClient, **most: int) -> None:
    """Let this little be asked at once, and nothing more after that."""
    assert isinstance(client.app, Guard)
    for does, burst in most.items():
        client.app.buckets[does.replace("_", " ")] = Buckets(rate=1e-9, burst=burst)


def test_whoever_reads_too_often_by_a_link_is_told_to_wait_and_nobody_else_is(
    store: api.Store, server: TestClient
) -> None:
    one, two = (by_link(server, secret) for secret in cardmate(store, "p1", "p2"))
    few(server, reads=5)
    asked = ("/games/g", "/games/g.json", "/games/g/table", "/rules", "/desk.css", "/games/g", "/events?game=nope")
    answers = [one.get(path) for path in asked]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    assert (answers[-1].headers["retry-after"], "wait a second" in answers[-1].json()["error"]) == ("1", True)
    assert one.head("/games/g").status_code == 429
    assert one.post("/games/g/trial", json={"words": "4Db6"}, headers=WRITES).status_code == 200
    assert two.get("/games/g").status_code == 200
    assert server.get("/games", headers=HEADER).status_code == 200


def test_a_link_that_many_share_is_read_more_often_and_has_an_end_too(store: api.Store, server: TestClient) -> None:
    [secret] = cardmate(store, "rail")
    few(server, reads=0, reads_with_many=4)
    room = [by_link(server, secret) for _ in range(3)]
    assert [browser.get("/games/g").status_code for browser in room * 2] == [200] * 4 + [429] * 2


def test_whoever_has_nothing_that_opens_a_door_asks_so_often_from_an_address(
    store: api.Store, server: TestClient
) -> None:
    [secret] = cardmate(store, "p1")
    few(server, knocks=4)
    wrong = {"cookie": "cartulary-1=nonsense"}
    codes = [server.get(path, headers=wrong).status_code for path in ("/games", "/games/g", "/nope", "/join", "/games")]
    assert codes == [404, 404, 404, 200, 429]
    assert by_link(server, secret).get("/games/g").status_code == 200
    assert server.get("/games", headers=HEADER).status_code == 200


def test_whoever_holds_the_key_is_held_to_no_limit(store: api.Store, server: TestClient) -> None:
    cardmate(store)
    few(server, **dict.fromkeys((does.replace(" ", "_") for does in LIMITS), 0))
    for _ in range(3):
        assert server.get("/games/g", headers=HEADER).status_code == 200
        body = {"words": "4Db6"}
        assert server.post("/games/g/trial", json=body, headers=HEADER | WRITES).status_code == 200


@pytest.mark.parametrize(("does", "many"), [("reads with many", 500 * 10), ("reads", 10 * 20), ("joins", 100)])
def test_a_club_that_comes_at_once_is_let_in(does: str, many: int) -> None:
    """Five hundred who follow one link, a page with all its parts each; a phone with ten games; a hundred phones."""
    bucket = Buckets(*LIMITS[does], clock=lambda: 0.0)
    assert all(bucket.take("one") for _ in range(many))
    assert not all(bucket.take("one") for _ in range(2000))


# --- how long ---


def judge_last(store: api.Store, plies: int) -> object:
    gapped(store, plies)
    return lambda: api.judge_words(api.load(store, "g"), GAPS[plies : plies + 1])


def judge_all(store: api.Store) -> object:
    gapped(store)
    found = api.view_of(api.load(store, "g")).position
    return lambda: judged_words(found.game, found.state, found.calls)


def judge_in_all(store: api.Store) -> object:
    return lambda: list(try_in_all(range(3), lambda state: (state,)))


def judge_on_boards(store: api.Store) -> object:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    api.play(store, "g", api.WordsRequest(("4Ci3", "~")))
    return lambda: api.judge_words(api.load(store, "g"), ("8Dj2",))


QUESTIONS: dict[str, Callable[[api.Store], Any]] = {
    "a word in each of several positions": lambda store: judge_last(store, 36),
    "a word on each of several boards": judge_on_boards,
    "a card nobody wrote": lambda store: judge_last(store, 33),
    "every move that may be tapped": judge_all,
    "a word in every reading": judge_in_all,
}


def only(most: int) -> Callable[[], bool]:
    """Return who has had enough when asked so often."""
    left = iter(range(1, most))
    return lambda: next(left, None) is None


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_ends_where_whoever_waits_has_had_enough_and_is_else_answered_alike(
    store: api.Store, name: str
) -> None:
    question = QUESTIONS[name](store)
    times = [0]

    def counted() -> bool:
        times[0] += 1
        return False

    with set_deadline(counted):
        patient = question()
    assert times[0] > 2
    assert patient == question()
    for most in (1, times[0]):
        with set_deadline(only(most)), pytest.raises(DeadlineExceeded):
            question()
    assert question() == patient


def test_what_is_asked_behind_the_wait_is_asked_without_end_again() -> None:
    with set_deadline(lambda: True):
        with set_deadline(lambda: False):
            check_deadline()
        with pytest.raises(DeadlineExceeded):
            check_deadline()
        remove_deadline()
        check_deadline()
    check_deadline()
    with time_limit(60):
        check_deadline()
    with time_limit(-1), pytest.raises(DeadlineExceeded):
        check_deadline()


@pytest.mark.parametrize("limit", ["cartulary.web.app.LONGEST", "WHILE_TYPING"])
def test_what_takes_too_long_is_said_and_the_rest_of_the_table_is_there(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    scribe = by_link(server, gapped(store))
    before = len(api.log(store, "g"))
    body = {"command": "c", "words": GAPS[36]}
    for place in ("cartulary.web.table.", "cartulary.web.position.") if limit == "WHILE_TYPING" else ("",):
        monkeypatch.setattr(place + limit, -1.0)
    if limit.endswith("LONGEST"):
        written = scribe.post("/games/g/words", json=body, headers=WRITES)
        assert (written.status_code, written.json()["error"].endswith("Nothing was stored.")) == (422, True)
        assert len(api.log(store, "g")) == before
    else:
        answer = scribe.post("/games/g/trial", json={"words": GAPS[36]}, headers=WRITES)
        assert (answer.status_code, answer.json()["kind"], "too long" in answer.json()["says"]) == (200, "", True)
        table = scribe.get("/games/g/table.json").json()
        assert (table["offers"], table["ply"]) == ([], 36)
    monkeypatch.undo()
    assert scribe.post("/games/g/words", json=body, headers=WRITES).status_code == 200
    assert len(api.log(store, "g")) == before + 1
    assert scribe.get("/games/g/table.json").json()["offers"]


def test_a_page_that_takes_too_long_is_a_page_that_says_so(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    gapped(store)
    monkeypatch.setattr("cartulary.web.app.LONGEST", -1.0)
    answer = server.get("/games/g/table", headers=HEADER)
    assert (answer.status_code, "takes too long to work out here" in answer.text) == (503, True)
    monkeypatch.undo()
    assert server.get("/games/g/table", headers=HEADER).status_code == 200


def test_a_deadline_ends_where_something_is_stored_and_what_is_left_is_done(
    store: api.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    gapped(store)
    stored, write = [False], api.Store.write

    def noted(self: api.Store, batch: Any) -> Any:
        written = write(self, batch)
        stored[0] = True
        return written

    monkeypatch.setattr(api.Store, "write", noted)
    with set_deadline(lambda: stored[0]):
        api.play(store, "g", api.WordsRequest((GAPS[36],)))
        assert stored[0]
        check_deadline()


# --- streams ---


def test_a_silent_stream_says_that_it_is_there(store: api.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    cardmate(store)
    monkeypatch.setattr("cartulary.web.streams.HEARTBEAT", 0.01)
    streams = Streams(Stores(store.path), Pages(True))

    async def heard() -> list[bytes]:
        stream: AsyncIterator[bytes] = streams.follow({"g": Visitor("desk", EVERYTHING, "desk")}, {"g": 3})
        async with aclosing(stream) as pieces:  # type: ignore[type-var]
            return [await asyncio.wait_for(anext(pieces), 20) for _ in range(3)]

    assert asyncio.run(heard()) == [b"retry: 2000\n\n", HEARTBEAT_EVENT, HEARTBEAT_EVENT]
    assert not streams.followers
    streams.stores.close()
