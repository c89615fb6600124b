"""Every door with every link, whatever the id in the address ends with and however it is spelled.

An attack: somebody has a good link to a game of their own, and asks for a game of others under every name that an
address can be made of. Whatever is answered, nothing of the other game is told and nothing is written to it.
"""

import shutil
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.state.links import leads_to
from cartulary.web.guard import OWN_HEADER
from cartulary.web.routes import ACTIONS, RESOURCES
from cartulary.web.visitors import Authenticator
from tests.hunts import looks
from tests.laws.test_quiet import FORKS
from tests.web.served import Ear, any_id, by_link, serving, unlimited

WRITES = {OWN_HEADER: "1"}
ENDINGS = (
    *("", ".json", ".JSON", ".json.json", ".svg", ".html", ".", "..", "~", ";x", "%00", "%0A", "%20", "+", "%2E"),
    *("/", "//", "/.", "/./", "/..", "%2F", "%2Fx", "%2f..%2fg", "?", "%3F", "#", "%23", "%25", ".json/", ".json%00"),
    *("%2Ejson", "%2ejson", ".%6Ason", ".json%2F", "%2Fjson", "%2Flog", "%2Fwords"),
)
"""What may stand behind an id in an address."""
IDS = ("g", "g.json", "g.json.json", "g.svg", "G", "g.JSON")
"""Games beside one another, some of them with names that are given to none any more."""
ROLES = ("scribe", "p1", "p2", "rail", "arbiter", "reader")
BODIES: dict[str, dict[str, Any]] = {
    "words": {"words": "3C"},
    "trial": {"words": "3C"},
    "undo": {"plies": 1, "agreed": "p3"},
    "note": {"ply": 1, "text": "written"},
    "clock": {"ply": 1, "clock": "0:12:30"},
    "board": {"text": "8H"},
    "close": {"result": "*", "termination": "abandoned"},
    "disputes": {"ply": 1, "claim": "written"},
    "withdraw": {"dispute": 1},
    "rulings": {"plies": [1], "decision": "stands", "arbiter": "Zoe"},
    "links": {"base": "https://desk.example"},
    "revoke": {"link": 1},
}
"""A request of each deed that the game would take, by the end of its path."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of games that are called alike, in each of which another card shows whose it is."""
    path = tmp_path_factory.mktemp("doors") / "games.db"
    with api.Store(path) as store, any_id():
        for id in IDS:
            names = tuple(f"{mark(id)} {seat}" for seat in "abcd")
            api.open_game(store, api.NewRequest("tarot", id=id, tags={"Variant": "fft"}, players=names))
            api.play(store, id, api.WordsRequest(FORKS["tarot"].words))
    return path


@pytest.fixture
def db(fresh: Path, tmp_path: Path) -> Path:
    """Return a copy of it that a test may write to."""
    return Path(shutil.copy(fresh, tmp_path / "games.db"))


def mark(id: str) -> str:
    """Return what stands in a game and in no other."""
    return f"Mark{IDS.index(id)}of"


@pytest.fixture
def server(db: Path) -> Iterator[TestClient]:
    with serving(db, key=None, writes=True) as client:
        unlimited(client)
        yield client


def paths_of(id: str) -> Iterator[tuple[str, str]]:
    """Yield every address below a game with its method, the id as it is given."""
    for place in RESOURCES:
        if "{id}" in place.path:
            path = place.path.replace("{id}", id).replace("{ply}", "1")
            yield "GET", path
            yield "GET", f"{path}.json"
    for action in ACTIONS:
        if "{id}" in action.path:
            yield "POST", action.path.replace("{id}", id)


def asked(browser: TestClient, method: str, path: str, number: int) -> Any:
    if method == "GET":
        return browser.get(path)
    body = BODIES.get(path.rstrip("/").rpartition("/")[2], {})
    named = {} if path.endswith(("trial", "links", "revoke")) else {"command": f"c{number}"}
    return browser.post(path, json=named | body, headers=WRITES)


def heads(db: Path) -> dict[str, str]:
    with api.Store(db) as store:
        return {id: str(store.head(id)) for id in IDS}


def link_to(store: api.Store, server: TestClient, id: str, role: str) -> TestClient:
    """Return a browser that came by a link to a game, which is closed where the link is a reader's."""
    if role == "reader" and not api.load(store, id).book.closed:
        api.close(store, id, api.CloseRequest("*", termination="abandoned"))
    return by_link(server, api.make_links(store, id, api.LinksRequest((role,), verdicts=True))[0].secret)


def strangers(
    db: Path, server: TestClient, own: str, role: str, ways: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield the ways by which a link to a game comes to another: something of it is told, or it is written to."""
    others = [id for id in IDS if id != own]
    with api.Store(db) as store:
        browser = link_to(store, server, own, role)
        before = {id: store.head(id) for id in others}
        for number, (method, path) in enumerate(ways):
            answer = asked(browser, method, path, number)
            assert answer.status_code != 500, path
            if any(mark(other) in answer.text for other in others):
                yield method, path
            for id in others:
                if store.head(id) != before[id]:
                    before[id] = store.head(id)
                    yield method, path


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("own", ["g", "g.json"])
def test_a_link_to_one_game_comes_to_no_other_by_its_name(db: Path, server: TestClient, own: str, role: str) -> None:
    coded = ("".join(f"%{ord(letter):02X}" for letter in id) for id in ("g", "g.json"))
    ways = (way for name in (*IDS, *coded) for way in paths_of(name))
    assert [*strangers(db, server, own, role, ways)] == []


@pytest.mark.hunt
@pytest.mark.parametrize("role", ROLES)
def test_a_link_to_one_game_comes_to_no_other_however_the_address_ends(db: Path, server: TestClient, role: str) -> None:
    chance = Random(f"doors {role}")
    ways = [way for id in IDS for ending in ENDINGS for way in paths_of(f"{id}{ending}")]
    for own in IDS:
        assert [*strangers(db, server, own, role, chance.sample(ways, min(len(ways), looks(160))))] == []


def test_a_link_opens_the_game_it_was_made_for_whatever_that_is_called(db: Path, server: TestClient) -> None:
    for id in IDS:
        with api.Store(db) as store:
            browser = link_to(store, server, id, "scribe")
            for path in (f"/games/{id}", f"/games/{id}/table", f"/games/{id}/log", f"/games/{id}/sheet"):
                answer = browser.get(path)
                assert (answer.status_code, mark(id) in answer.text) == (200, True), path
                assert answer.headers["content-type"].startswith("text/html")
            assert browser.get(f"/games/{id}/log.json").json()[0]["kind"] == "game-opened"
            with Ear(browser, f"game={id}&since=0") as ear:
                ear.until(partial(ear.heard, 3, id))


def test_the_walk_catches_a_door_that_takes_a_name_for_another(
    db: Path, server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it once was: a link to ``g.json`` opened whatever was asked of ``g``."""
    monkeypatch.setattr(
        Authenticator,
        "_leads",
        lambda self, store, link, id: link.game in (id, f"{id}.json") and leads_to(link, api.load(store, link.game)),
    )
    assert ("POST", "/games/g/words") in [*strangers(db, server, "g.json", "scribe", paths_of("g"))]


@pytest.mark.parametrize("id", ["evening.json", "evening.JSON", "evening.svg", "evening.html", "a.json.json"])
def test_no_new_game_is_called_what_a_page_in_another_form_is_called(store: api.Store, id: str) -> None:
    with pytest.raises(Unfit, match=r"ends like the address of a page or file"):
        api.open_game(store, api.NewRequest("cardmate", id=id))
    for fine in ("evening.1", "json", "evening.json5", "evening.json-1"):
        assert api.open_game(store, api.NewRequest("cardmate", id=fine)).id == fine
