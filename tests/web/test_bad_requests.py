"""Requests by chance, from the server's own description of itself: each gets an answer that says what is wrong."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.web.actions import Action
from cartulary.web.assets import ASSETS
from cartulary.web.guard import JOIN, NOT_ADMITTED, OWN_HEADER
from cartulary.web.routes import ACTIONS, EVENTS, access_rules, openapi
from tests.hunts import budget
from tests.web.served import HEADER, HOST, by_link, serving, unlimited

SCHEMA: Any = schemathesis.openapi.from_dict(openapi(True))
OPERATIONS = [(one.ok().method.upper(), one.ok().path) for one in SCHEMA.get_all_operations()]
ANSWERED = [(method, path) for method, path in OPERATIONS if path != EVENTS]
"""Those that end; a stream does not."""
REFUSALS = {400, 404, 405, 409, 413, 414, 415, 422, 431}
TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["evening", "cardmate", "1", "-1", "9" * 30, "..", "%00", "@links", "evening.json", "'", "<b>"]),
)


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, TestClient]]:
    """Yield who asks: who holds the key, a scribe, and nobody."""
    path = tmp_path_factory.mktemp("requests") / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest("cardmate", id="evening"))
        api.play(store, "evening", api.WordsRequest(("4Ci3",)))
        link, _ = api.make_links(store, "evening", api.LinksRequest(("scribe", "reader")))
    with serving(path, key=None, writes=True) as client:
        unlimited(client)
        with serving(path, writes=True) as keyed:
            yield {"desk": keyed, "scribe": by_link(client, link.secret), "nobody": client}


def held(answer: Any, who: str) -> None:
    """Hold an answer to what every one promises."""
    if answer.status_code == 307:  # there was a slash too many
        assert who == "desk"
        assert answer.request.url.path.endswith("/")
        return
    assert answer.status_code in {200, *REFUSALS}, (answer.request.url, answer.text)
    assert "Traceback" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    if answer.request.method == "HEAD":
        return
    if who == "nobody":
        assert (answer.status_code, answer.text) == (404, NOT_ADMITTED)
    elif answer.headers["content-type"].startswith("application/json") and answer.status_code != 200:
        reply = answer.json()
        assert isinstance(reply, list) or reply["error"][:1].upper() == reply["error"][:1] != "", reply


def test_every_door_is_described() -> None:
    joining = {("GET", JOIN), ("POST", JOIN)}  # open to whoever brings a link
    assert joining <= set(OPERATIONS)
    assert len(OPERATIONS) == len(access_rules()) - len(ASSETS) + len(joining)
    assert {path for method, path in OPERATIONS if method == "POST"} == {JOIN, *(action.path for action in ACTIONS)}


@pytest.mark.parametrize("who", ["desk", "scribe", "nobody"])
@pytest.mark.parametrize(("method", "path"), ANSWERED)
def test_requests_of_the_described_shape_are_answered(
    clients: dict[str, TestClient], method: str, path: str, who: str
) -> None:
    operation = SCHEMA[path][method]

    @budget(6)
    @given(case=operation.as_strategy())
    def asked(case: Any) -> None:
        words = case.as_transport_kwargs()
        words["url"] = words["url"].removeprefix("http://localhost")
        drawn = {name: value for name, value in words["headers"].items() if name.lower() != "host" and value.isascii()}
        words["headers"] = drawn | (HEADER if who == "desk" else {}) | {OWN_HEADER: "1"}
        words.pop("cookies", None)
        # A link is taken up by whoever brings one, so that nobody is sent away from there.
        held(clients[who].request(**words), "scribe" if path == JOIN else who)

    asked()


@budget(150)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PROPFIND", "HEAD"]),
    parts=st.lists(TEXTS, max_size=5),
    query=st.dictionaries(TEXTS, TEXTS, max_size=4),
    body=st.binary(max_size=300),
    headers=st.dictionaries(
        st.sampled_from(["content-type", "accept", "range", "if-none-match", "cookie", "x-forwarded-host", "origin"]),
        st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40),
        max_size=3,
    ),
)
def test_requests_of_any_shape_are_answered(
    clients: dict[str, TestClient],
    method: str,
    parts: list[str],
    query: dict[str, str],
    body: bytes,
    headers: dict[str, str],
) -> None:
    path = "/" + "/".join(quote(part, safe="", errors="surrogatepass") for part in parts)
    for who, client in clients.items():
        key = HEADER if who == "desk" else {}
        answer = client.request(
            method, f"http://{HOST}{path}", params=query, content=body, headers=headers | key | {OWN_HEADER: "1"}
        )
        if answer.status_code == 403:
            assert "origin" in headers
        elif answer.request.url.path not in ("/", "/join"):
            held(answer, who)


# --- what the description says is needed ---


@pytest.mark.parametrize(
    "action", [action for action in ACTIONS if "command" in {each.name for each in fields(action.body_type)}]
)
def test_the_description_says_that_a_command_is_needed_and_of_what(
    clients: dict[str, TestClient], action: Action
) -> None:
    reply: Any = openapi(True)
    body = reply["paths"][action.path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    without = ("/games/{id}/links", "/games/{id}/links/revoke")  # they were sent without one at first
    assert ("command" in body["required"]) is (action.path not in without)
    command = re.compile(body["properties"]["command"]["pattern"])
    assert body["properties"]["command"]["minLength"] == 1
    for text, fine in (("", False), (" ", False), ("\t", False), ("c1", True), (" c", True), ("c\nd", False)):
        assert bool(command.search(text)) is fine, repr(text)
        named = {"command": text, **{name: value for name, value in NEEDED.items() if name in body["properties"]}}
        named |= {"plies": [1]} if action.path.endswith("rulings") else {}
        named |= {"to": "Hana"} if action.path.endswith("rename") else {}
        answer = clients["desk"].post(action.path.format(id="evening"), json=named, headers=HEADER)
        why = re.search("command|Only a seat can agree", answer.text)
        assert fine or (answer.status_code == 400 and why), answer.text


NEEDED: dict[str, Any] = {
    "reason": "a slip",
    "link": 2,
    "words": "4Db6",
    "answers": {},
    "tags": {"Event": "Club"},
    "game": "cardmate",
    "text": "!",
    "ply": 1,
    "claim": "x",
    "base": "https://desk.example",
    "dispute": 1,
    "clock": "0:10:00",
    "place": "p2",
    "player": "Fay",
    "name": "Fay",
    "into": "Gus",
    "title": "Spring",
    "evening": "Spring",
    "players": ["Fay=1", "Gus=0"],
    "persons": ["Fay"],
    "numbers": ["1", "0"],
    "decision": "stands",
    "arbiter": "Z",
    "id": "evening",
}


def test_the_description_says_which_headers_are_needed_and_what_is_answered_without() -> None:
    answer: Any = openapi(True)
    assert answer["components"]["securitySchemes"]["key"]["name"].lower() in HEADER
    operations = [(path, method, each) for path, ways in answer["paths"].items() for method, each in ways.items()]
    for path, method, each in operations:
        answers = each["responses"]
        assert "404" in answers, path
        assert "key" in answers["404"]["description"], path
        assert "429" in answers, path
        names = {one["name"].lower(): one for one in each["parameters"] if one["in"] == "header"}
        assert (OWN_HEADER in names) is (method == "post"), path
        if method == "post":
            assert "key" in names[OWN_HEADER]["description"]
            assert {"403", "413", "415"} <= set(answers)
        if path == EVENTS:
            assert "last-event-id" in names


@pytest.mark.parametrize(("method", "path"), [each for each in OPERATIONS if each[1] != JOIN])
def test_without_the_key_every_described_address_is_answered_404(
    clients: dict[str, TestClient], method: str, path: str
) -> None:
    named = path.format(id="evening", ply="1", game="cardmate", key="cardmate.reach")
    answer = clients["nobody"].request(method, named, json={} if method == "POST" else None)
    assert (answer.status_code, answer.text) == (404, NOT_ADMITTED)
