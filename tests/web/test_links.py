"""Links over HTTP: who comes through which door, what each may write, and that everything else is one answer."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.web.actions import Action
from cartulary.web.app import LONGEST_BODY
from cartulary.web.assets import ASSETS
from cartulary.web.guard import LIMITS, NOT_ADMITTED, OWN_HEADER, Guard
from cartulary.web.joining import REFUSAL
from cartulary.web.rates import MOST, Buckets
from cartulary.web.routes import ACTIONS, RESOURCES
from cartulary.web.visitors import kind_of
from tests.web.served import HEADER, HOST, addresses, any_id, by_link, serving

WRITES = {OWN_HEADER: "1"}
NAMES = {"ply": "1", "game": "cardmate", "key": "cardmate.reach"}
ROLES = ("scribe", "p1", "p2", "rail", "arbiter", "reader")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[api.Store]:
    with api.Store(tmp_path / "games.db") as opened:
        for id in ("g", "other"):
            api.open_game(opened, api.NewRequest("cardmate", id=id, players=("Ada", "Bela")))
            api.play(opened, id, api.WordsRequest(("4Ci3",)))
        yield opened


def links(store: api.Store, **more: Any) -> dict[str, str]:
    """Return what opens a link of each role."""
    return {each.link.role: each.secret for each in api.make_links(store, "g", api.LinksRequest(**more))}


def sent(browser: TestClient, words: str = "4Db6", *, id: str = "g", command: str = "c1", **more: Any) -> Any:
    body = {"command": command, "words": words} | more
    return browser.post(f"/games/{id}/words", json=body, headers=WRITES)


def not_admitted(answer: Any) -> bool:
    return bool((answer.status_code, answer.text) == (404, NOT_ADMITTED))


# --- doors ---


def test_whoever_has_no_access_gets_one_page_in_a_browser_whatever_was_asked(
    store: api.Store, server: TestClient
) -> None:
    player, nobody, page = by_link(server, links(store)["p1"]), {"accept": "text/html"}, REFUSAL.decode()
    answers = [
        *(player.get(path, headers=nobody) for path in ("/arbiter", "/games", "/games/other", "/games/none")),
        *(server.get(path, headers=nobody) for path in ("/games/g", "/games/none", "/?key=wrong")),
    ]
    assert {(answer.status_code, answer.text) for answer in answers} == {(404, page)}
    assert len({str(sorted(answer.headers.items())) for answer in answers}) == 1
    assert "Key or link" in page


@pytest.mark.parametrize("role", ROLES)
def test_each_role_comes_through_its_doors_and_no_others(store: api.Store, server: TestClient, role: str) -> None:
    browser = by_link(server, links(store)[role]) if role != "reader" else None
    if browser is None:
        api.close(store, "g", api.CloseRequest("1-0", termination="resignation"))
        browser = by_link(server, links(store)[role])
    open_to = {
        path
        for place in RESOURCES
        for path in addresses(True, **NAMES, id="g")
        if kind_of(role) in place.roles and path in (place.path.format(**NAMES, id="g"),) * 2
    }
    twins = {f"{place.path.format(**NAMES, id='g')}.json" for place in RESOURCES if place.json_view is not None}
    open_to |= {path for path in twins if path.removesuffix(".json") in open_to}
    open_to |= set(ASSETS)
    for path in addresses(True, **NAMES, id="g"):
        asked = browser.get(path)
        assert asked.status_code == (200 if path in open_to else 404), path
        assert path in open_to or not_admitted(asked)
    for path in addresses(**NAMES, id="other"):
        if "other" in path:
            assert not_admitted(browser.get(path)), path
    for action in ACTIONS:
        path, may = action.path.format(id="g"), kind_of(role) in action.roles
        answer = browser.post(path, json={}, headers=WRITES)
        assert answer.status_code == 400 if may else not_admitted(answer), path
        assert not_admitted(browser.post(action.path.format(id="other"), json={}, headers=WRITES))
        assert not_admitted(browser.put(path, json={}, headers=WRITES))
    assert len(open_to) < len(addresses(True, **NAMES, id="g"))


@pytest.mark.parametrize("secret", ["", "x", "x" * 22, "\u0000", "p1", "g"])
def test_a_guess_opens_nothing_and_is_told_apart_from_nothing(
    store: api.Store, server: TestClient, secret: str
) -> None:
    made = links(store)
    revoked = api.make_links(store, "g", api.LinksRequest(("rail",)))[0]
    api.revoke_link(store, api.RevokeRequest(revoked.link.number))
    by_link(server, made["p1"])
    answers = [
        server.post("/join", json={"secret": each}, headers=WRITES)
        for each in (secret, revoked.secret, made["p1"], made["reader"])
    ]
    assert all(map(not_admitted, answers))
    assert len({str(sorted(answer.headers.items())) for answer in answers}) == 1
    for number in (1, 2, 99, "x"):
        server.cookies.set(f"cartulary-{number}", secret or "y")
        assert not_admitted(server.get("/games/g"))


def test_a_revoked_link_is_over_at_once(store: api.Store, server: TestClient) -> None:
    made = api.make_links(store, "g", api.LinksRequest(("p1", "rail")))
    for link in made:
        browser = by_link(server, link.secret)
        assert browser.get("/games/g").status_code == 200
        api.revoke_link(store, api.RevokeRequest(link.link.number))
        assert not_admitted(browser.get("/games/g"))
        assert not_admitted(browser.get("/rules"))
        assert not_admitted(sent(browser))


def test_a_readers_link_opens_with_the_close(store: api.Store, server: TestClient) -> None:
    secret = links(store)["reader"]
    assert not_admitted(server.post("/join", json={"secret": secret}, headers=WRITES))
    api.close(store, "g", api.CloseRequest("1-0", termination="resignation"))
    assert "4Ci3" in by_link(server, secret).get("/games/g/log").text


def test_a_browser_with_several_links_comes_as_it_says(store: api.Store, server: TestClient) -> None:
    made = links(store)
    browser = by_link(server, made["p2"])
    assert "as p2 sees it" in browser.get("/games/g").text
    for role in ("p1", "scribe"):
        joined = browser.post("/join", json={"secret": made[role]}, headers=WRITES)
        assert joined.json() == {"to": f"/games/g/table?as={role}"}
    assert '<span class="seat">scribe</span>' in browser.get("/games/g").text
    assert "as p1 sees it" in browser.get("/games/g?as=p1").text
    assert "/games/g/plies/0?as=p1" in browser.get("/games/g?as=p1").text
    assert not_admitted(browser.get("/games/g?as=arbiter"))


def test_the_cookie_is_read_by_no_script_and_goes_nowhere_else(store: api.Store, server: TestClient) -> None:
    made = links(store)
    joined = server.post("/join", json={"secret": made["p1"]}, headers=WRITES)
    cookie = joined.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie
    assert made["p1"] not in joined.headers["set-cookie"]
    headers = WRITES | {"origin": f"https://{HOST}"}
    again = server.post("/join", json={"secret": made["p1"]}, headers=headers)
    assert "secure" in again.headers["set-cookie"].lower()


def test_the_page_that_joins_runs_its_own_script_only(server: TestClient) -> None:
    page = server.get("/join")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert page.headers["referrer-policy"] == "no-referrer"


def test_without_writing_no_link_leads_anywhere(store: api.Store) -> None:
    made = links(store)
    with serving(store.path, key=None, writes=True) as server:
        cookies = dict(by_link(server, made["p1"]).cookies)
    with serving(store.path, key=None) as shut:
        shut.cookies.update(cookies)
        assert not_admitted(shut.get("/join"))
        assert not_admitted(shut.post("/join", json={"secret": made["rail"]}, headers=WRITES))
        assert not_admitted(shut.get("/games/g"))
        assert shut.post("/games/g/words", json={}, headers=HEADER).status_code == 404


def test_a_game_whose_name_ends_like_a_twin_is_not_shown_by_the_link_of_another(
    store: api.Store, server: TestClient
) -> None:
    with any_id():
        api.open_game(store, api.NewRequest("cardmate", id="g.json"))
    seat = by_link(server, links(store)["p1"])
    assert not_admitted(seat.get("/games/g.json"))
    [link] = api.make_links(store, "g.json", api.LinksRequest(("p1",)))
    browser = by_link(server, link.secret)
    assert browser.get("/games/g.json").headers["content-type"].startswith("text/html")
    assert not_admitted(browser.get("/games/g"))


# --- writing ---


def test_by_comes_from_the_link_and_never_from_the_request(store: api.Store, server: TestClient) -> None:
    made = links(store)
    answer = sent(by_link(server, made["p2"]))
    assert answer.json() == [{"id": "g", "version": 5, "ply": 2, "verdict": "quiet", "findings": []}]
    assert sent(by_link(server, made["scribe"]), "Axd1", command="c2").status_code in (200, 422)
    assert api.log(store, "g")[4].by == "p2"
    refused = server.post("/games/g/words", json={"command": "x", "words": "4Db6", "by": "p1"}, headers=HEADER | WRITES)
    assert (refused.status_code, "unknown field `by`" in refused.text) == (400, True)
    keyed = server.post("/games/other/words", json={"command": "k", "words": ["4Db6"]}, headers=HEADER)
    assert keyed.status_code == 200
    assert api.log(store, "other")[-1].by == "desk"


@pytest.mark.parametrize("action", ACTIONS, ids=[action.path for action in ACTIONS])
def test_no_request_can_say_who_writes(server: TestClient, action: Action) -> None:
    answer = server.post(action.path.format(id="g"), json={"by": "p1"}, headers=HEADER | WRITES)
    assert (answer.status_code, "unknown field `by`" in answer.json()["error"]) == (400, True)


def test_a_seat_writes_its_own_words_only(store: api.Store, server: TestClient) -> None:
    browser = by_link(server, links(store)["p1"])
    refused = sent(browser)
    assert (refused.status_code, refused.json()) == (
        409,
        {"error": "It is p2's turn. p1 can write only its own words."},
    )
    assert api.load(store, "g").plies == 1


def test_a_neutral_scribe_and_the_arbiter_see_what_is_wrong_and_who_plays_does_not(
    store: api.Store, server: TestClient
) -> None:
    made = links(store)
    browsers = {role: by_link(server, made[role]) for role in ROLES[:-1]}
    wrong = sent(browsers["scribe"], "4Di9")
    assert wrong.status_code == 422
    assert wrong.json()[0]["verdict"] == "refused"
    assert sent(browsers["scribe"], "4Di9", command="c2", stands=True).status_code == 200
    for role, browser in browsers.items():
        page, twin = browser.get("/games/g").text, browser.get("/games/g.json").json()
        assert ("quiet" in twin) is (role in ("p1", "p2", "rail")), role
        assert ("irregular" in page) is (role in ("scribe", "arbiter")), role


def test_a_scribe_who_plays_writes_for_the_table_quietly(store: api.Store, server: TestClient) -> None:
    browser = by_link(server, links(store, plays=1)["scribe"])
    answer = sent(browser)
    assert answer.status_code == 200
    assert answer.json()[0]["verdict"] == "quiet"
    assert api.log(store, "g")[-1].by == "p1"


def test_a_repeated_request_stores_nothing_twice_and_a_lost_race_is_named(store: api.Store, server: TestClient) -> None:
    browser = by_link(server, links(store)["scribe"])
    first = sent(browser, expected=4)
    assert first.status_code == 200
    assert sent(browser, expected=4).json() == first.json()
    assert len(api.log(store, "g")) == 5
    other = sent(browser, "4Db5", expected=4)
    assert other.status_code == 409
    assert "used for another request" in other.text
    lost = sent(browser, "8Dj2", command="c2", expected=4)
    assert lost.status_code == 409
    assert lost.json()["error"].startswith("Someone else wrote to g first: expected version 4")
    assert (lost.json()["expected"], lost.json()["actual"]) == (4, 5)
    assert len(api.log(store, "g")) == 5


def test_a_closed_game_takes_no_word_and_says_so(store: api.Store, server: TestClient) -> None:
    browser = by_link(server, links(store)["scribe"])
    api.close(store, "g", api.CloseRequest("1-0", termination="resignation"))
    answer = sent(browser)
    assert (answer.status_code, "g is closed" in answer.text) == (409, True)


# --- requests that are none ---


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        (WRITES | {"origin": "https://evil.example"}, 403),
        (WRITES | {"origin": "null"}, 403),
        (WRITES | {"sec-fetch-site": "cross-site"}, 403),
        (WRITES | {"sec-fetch-site": "same-site"}, 403),
        (WRITES | {"content-type": "text/plain"}, 415),
        (WRITES | {"content-type": "application/x-www-form-urlencoded"}, 415),
        (WRITES | {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}, 200),
        (WRITES | {"content-type": "Application/JSON; charset=utf-8"}, 200),
    ],
)
def test_what_a_foreign_page_could_send_is_not_taken(
    store: api.Store, server: TestClient, headers: dict[str, str], status: int
) -> None:
    browser = by_link(server, links(store)["scribe"])
    body = json.dumps({"command": "c", "words": "4Db6"})
    answer = browser.post("/games/g/words", content=body, headers={"content-type": "application/json"} | headers)
    assert answer.status_code == status, answer.text
    assert api.load(store, "g").plies == 1 + (status == 200)


@pytest.mark.parametrize(
    ("body", "status", "because"),
    [
        (b"", 400, "cannot be read: it ends in the middle"),
        (b"[]", 400, "it must be an object, and is a list"),
        (b"{", 400, "cannot be read"),
        (b"\xff", 400, "cannot be read"),
        (b'{"words": "4Db6"}', 400, "`command` is missing"),
        (b'{"command": "c"}', 400, "`words` is missing"),
        (b'{"command": " ", "words": "4Db6"}', 400, "has no `command`"),
        (b'{"command": "c", "words": "4Db6", "seat": 2}', 400, "unknown field `seat`"),
        (
            b'{"command": "c", "words": "4Db6", "expected": "3"}',
            400,
            "`expected` must be a whole number or null",
        ),
        (b'{"command": "c", "words": 7}', 400, "`words` must be text or a list, and is a whole number"),
        (b'{"command": "c", "words": ""}', 400, "There is no move to play; give one or more."),
        (b'{"command": "c\\n", "words": "4Db6"}', 400, "line break"),
        (b'{"command": "c", "words": "<script>"}', 422, "Found <script>, expected a card"),
        (b'{"command": "c", "words": "4Db6", "clock": "soon"}', 400, "is not a time"),
        (b'{"command": "c", "words": "' + b"4Db6 " * LONGEST_BODY + b'"}', 413, "expected at most 16 kB"),
        (b"[" * LONGEST_BODY, 400, "cannot be read"),
    ],
)
def test_a_request_that_says_nothing_is_answered_in_a_sentence_and_stores_nothing(
    store: api.Store, server: TestClient, body: bytes, status: int, because: str
) -> None:
    browser = by_link(server, links(store)["scribe"])
    headers = WRITES | {"content-type": "application/json"}
    answer = browser.post("/games/g/words", content=body, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json"), answer.text
    assert because in answer.json()["error"]
    assert api.load(store, "g").plies == 1


def test_whoever_writes_too_often_is_told_to_wait(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.web.guard.REFUSAL_PAUSE", 0.001)
    made = links(store)
    assert isinstance(server.app, Guard)
    server.app.buckets = {does: Buckets(*limit, clock=lambda: 0.0) for does, limit in LIMITS.items()}
    browser = by_link(server, made["scribe"])
    statuses = [sent(browser, "nonsense").status_code for _ in range(130)]
    assert statuses.count(429) == 30
    assert browser.get("/games/g").status_code == 200
    assert sent(by_link(server, made["p2"])).status_code == 200
    joins = [server.post("/join", json={"secret": "x"}, headers=WRITES).status_code for _ in range(200)]
    assert joins.count(429) == 200 - (120 - 2)


@pytest.mark.parametrize(("links", "most"), [(1, 1), (2, 2)])
def test_what_a_link_asks_is_worked_out_one_after_the_other(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch, links: int, most: int
) -> None:
    browsers = [
        by_link(server, api.make_links(store, "g", api.LinksRequest(("scribe",)))[0].secret) for _ in range(links)
    ]
    busy = [0, 0]

    def judge(*_: object, **__: object) -> None:
        busy[0] += 1
        busy[1] = max(busy)
        sleep(0.02)
        busy[0] -= 1
        raise Unfit("nothing")

    monkeypatch.setattr(api, "judge_words", judge)

    async def ask() -> list[int]:
        async with AsyncClient(transport=ASGITransport(server.app), base_url=f"http://{HOST}") as client:
            kept = ["; ".join(f"{name}={value}" for name, value in each.cookies.items()) for each in browsers]
            asked = [
                client.post("/games/g/trial", json={"words": "4Db6"}, headers=WRITES | {"cookie": cookie})
                for cookie in kept * 6
            ]
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    assert set(asyncio.run(ask())) == {200}
    assert busy[1] == most


def test_a_bucket_fills_again_and_forgets_those_that_are_full() -> None:
    time = [0.0]
    buckets = Buckets(rate=2, burst=3, clock=lambda: time[0])
    assert [buckets.take("a") for _ in range(4)] == [True] * 3 + [False]
    assert buckets.take("b")
    time[0] = 0.5
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    time[0] = 1e6
    for number in range(MOST * 2):
        buckets.take(str(number))
    assert len(buckets._left) <= MOST


def test_no_line_of_the_server_holds_what_opens_a_link(
    store: api.Store, server: TestClient, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = links(store)
    browser = by_link(server, made["p2"])
    monkeypatch.setattr(api, "play", lambda *words, **more: 1 / 0)
    assert sent(browser).status_code == 500
    text = "".join(capfd.readouterr())
    assert "ZeroDivisionError" in text
    assert not any(secret in text for secret in (*made.values(), *browser.cookies.values()))


def test_a_guard_that_lets_everybody_in_would_be_seen(
    store: api.Store, server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = by_link(server, links(store)["rail"])
    assert not_admitted(browser.get("/games/g/log"))
    assert isinstance(server.app, Guard)
    monkeypatch.setattr("cartulary.web.visitors.Visitor.may", lambda self, roles: True)
    assert browser.get("/games/g/log").status_code == 200
