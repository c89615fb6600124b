"""The guard: no route without the key, whoever asks and whatever for; and what every answer bears."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.web.app import application
from cartulary.web.guard import JOIN, NOT_ADMITTED, Guard
from cartulary.web.rates import Buckets
from cartulary.web.routes import ACTIONS, EVENTS
from cartulary.web.stores import Stores
from cartulary.web.visitors import Authenticator
from tests.web.served import HEADER, HOST, KEY, addresses, serving

NAMES = {"id": "evening", "ply": "1", "game": "cardmate", "key": "cardmate.reach"}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("guard") / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest("cardmate", id="evening"))
        api.play(store, "evening", api.WordsRequest(("4Ci3", "4Db6")))
    return path


@pytest.fixture
def client(db: Path) -> Iterator[TestClient]:
    with serving(db, key=None) as opened:
        yield opened


@pytest.mark.parametrize("writes", [False, True])
def test_the_addresses_walked_are_every_route_there_is(db: Path, writes: bool) -> None:
    stores = Stores(db)
    guard = application(stores, KEY, [HOST], writes=writes)
    stores.close()
    assert isinstance(guard, Guard)
    assert isinstance(guard.inside, Starlette)
    routes = [route for route in guard.inside.routes if isinstance(route, Route)]
    assert len(routes) == len(guard.inside.routes)
    written = {action.path.format(**NAMES) for action in ACTIONS} | {JOIN, EVENTS} if writes else set()
    assert {route.path.format(**NAMES) for route in routes} == set(addresses(writes, **NAMES)) | written


DEED_PATHS = sorted({action.path.format(**NAMES) for action in ACTIONS})


@pytest.mark.parametrize(
    "address",
    [
        *dict.fromkeys((*addresses(True, **NAMES), *DEED_PATHS, EVENTS, f"{EVENTS}?game=evening")),
        *("/nope", "/games/nope", "/games/../x", "/?key=wrong", "/"),
    ],
)
def test_without_the_key_every_address_is_answered_alike(db: Path, address: str) -> None:
    for writes in (False, True):
        with serving(db, key=None, writes=writes) as client:
            _answered_alike(client, address)


def _answered_alike(client: TestClient, address: str) -> None:
    first = client.get("/surely-not-there")
    assert (first.status_code, first.text) == (404, NOT_ADMITTED)
    for asked in (
        client.get(address),
        client.get(address, headers={"x-cartulary-key": "wrong"}),
        client.get(address, headers={"cookie": "cartulary=wrong"}),
        client.get(address, headers={"cookie": f"other={KEY}"}),
        client.post(address),
        client.request("PROPFIND", address),
    ):
        assert (asked.status_code, asked.content, asked.headers) == (404, first.content, first.headers)
    head = client.head(address)
    assert (head.status_code, head.headers) == (404, first.headers)


UNANSWERED = dict.fromkeys(
    ("/search.json", "/explore.json", "/evening", "/evening.json", "/evening.trf", "/person", "/person.json"), 400
)
"""What must be asked for something, with the status of a question that names nothing."""
UNANSWERED |= dict.fromkeys(("/standings.json", "/standings.csv", "/standings.svg"), 404)  # no game is finished


@pytest.mark.parametrize("address", addresses(**NAMES))
def test_with_the_key_every_address_is_answered_and_bears_the_headers(client: TestClient, address: str) -> None:
    for headers in (HEADER, {"cookie": f"cartulary={KEY}"}):
        asked = client.get(address, headers=headers)
        assert asked.status_code == UNANSWERED.get(address, 200), asked.text
        policy = asked.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert "*" not in policy
        assert asked.headers["x-content-type-options"] == "nosniff"
        assert asked.headers["referrer-policy"] == "no-referrer"
        assert KEY not in asked.text
    assert client.post(address, json={}, headers=HEADER).status_code == 405


@pytest.mark.parametrize("host", ["evil.example", "desk.example.evil", "", "127.0.0.1.evil", "[::2]"])
def test_another_host_is_sent_away_before_anything_else(client: TestClient, host: str) -> None:
    for address in ("/games", f"/?key={KEY}", "/nope"):
        for headers in ({}, HEADER):
            asked = client.get(address, headers=headers | {"host": host})
            assert asked.status_code == 421
            assert ("does not answer to the name" if host else "does not answer requests without a host") in asked.text
            assert "set-cookie" not in asked.headers


@pytest.mark.parametrize("host", [HOST, "DESK.example:8377", f"{HOST}:1"])
def test_its_own_name_is_known_at_any_port(client: TestClient, host: str) -> None:
    assert client.get("/games", headers=HEADER | {"host": host}).status_code == 200


def test_the_key_in_the_address_becomes_a_cookie_no_script_reads(client: TestClient) -> None:
    entered = client.get(f"/?key={KEY}")
    assert (entered.status_code, entered.headers["location"]) == (303, "/games")
    [cookie] = [value for name, value in entered.headers.multi_items() if name == "set-cookie"]
    assert cookie.startswith(f"cartulary={KEY};")
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert client.get("/games").status_code == 200
    assert client.get("/").headers["location"] == "/games"


@pytest.mark.parametrize("way", ["/?key=wrong", "/", "/?key=", "/?key=wrong&key=x"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_a_key_is_guessed_no_oftener_than_anything_else(client: TestClient, way: str, method: str) -> None:
    assert isinstance(client.app, Guard)
    client.app.buckets["knocks"] = Buckets(rate=1, burst=4, clock=lambda: 0.0)
    statuses = [client.request(method, way).status_code for _ in range(6)]
    assert statuses == [404] * 4 + [429] * 2
    assert client.get("/games").status_code == 429
    assert client.get(f"/?key={KEY}").status_code == 303  # whoever holds the key is not kept out


def test_the_key_opens_nothing_but_from_the_front_door(client: TestClient) -> None:
    assert client.get(f"/games?key={KEY}").status_code == 404


def test_a_route_beside_the_guard_would_be_seen(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Authenticator, "holds_key", lambda self, request: True)
    with serving(db, key=None) as open_house:
        assert open_house.get("/games").status_code == 200
