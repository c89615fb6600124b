"""Who must not get what, beside cards: digests, what a table is doing now, other people's names on what is written.

The lines of design/service.md's table that need no file of their own: what is hidden stands in ``test_secrets.py``,
doors and cookies in ``test_guard.py`` and ``test_links.py``, floods in ``test_floods.py``.
"""

import re
import signal
import socket
from collections.abc import Callable, Iterator
from html import unescape
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from cartulary.notation.viewer import viewer_of_seat
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.web.guard import NOT_ADMITTED, OWN_HEADER
from cartulary.web.serving import address_of_this_machine
from cartulary.web.visitors import Visitor, bystander
from tests.hunts import budget, looks
from tests.laws.test_secrets import Run
from tests.laws.test_secrets import run as run
from tests.web.phones import Phone
from tests.web.served import HEADER, addresses, by_link, serving
from tests.web.test_pages import Tags
from tests.web.test_secrets import pairs_of
from tests.web.test_serve import got, started
from tests.web.test_streams import streamed

WRITES = {OWN_HEADER: "1"}
NAMES = {"id": "g", "ply": "1", "game": "cardmate", "key": "cardmate.reach"}
WORDS = ("4Ci3", "4Db6", "8Dj2", "8Ca7")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as opened:
        api.open_game(opened, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
        api.play(opened, "g", api.WordsRequest(WORDS[:3]))
        yield opened


def comer(store: Store, server: TestClient, role: str, **more: Any) -> TestClient:
    return by_link(server, api.make_links(store, "g", api.LinksRequest((role,), **more))[0].secret)


# --- a player wants hidden cards ---


@pytest.mark.parametrize("seat", [0, 1])
def test_no_digest_and_no_salt_of_anything_is_told_to_a_seat(run: Run, tmp_path: Path, seat: int) -> None:
    """Not of what is withheld from it, and not of the rest: whoever guessed a body could hold it against its digest."""
    plies, names = next(pairs_of(run, tmp_path, "tarot", seat))
    db = tmp_path / names[0] / "games.db"
    with Store(db) as store:
        recorded = api.load(store, "g").recorded
        secrets = {each.digest for each in recorded} | {each.event.salt for each in recorded if each.event.salt}
        [link] = api.make_links(store, "g", api.LinksRequest((("rail", "p1")[seat],)))
    assert len(secrets) > 10
    with serving(db, key=None, writes=True) as server:
        seen = by_link(server, link.secret)
        answers = [seen.get(path).text for path in addresses(True, **NAMES | {"ply": str(plies), "game": "tarot"})]
        answers += streamed(db, Visitor(link.link.role, viewer_of_seat(seat), link.link.by, "g", 1)) + streamed(
            db, bystander(0)
        )
        assert not [secret for secret in secrets if any(secret in text for text in answers)]
        everything = server.get("/games/g/log.json", headers=HEADER).text
    assert all(each.digest in everything for each in recorded)


# --- a second phone as spectator ---


def test_a_rail_with_a_delay_is_behind_on_every_page_until_the_close(store: Store, server: TestClient) -> None:
    late, now = comer(store, server, "rail", delay=300), comer(store, server, "rail")
    paths = [path for path in addresses(True, **NAMES | {"ply": "0"}) if now.get(path).status_code == 200]
    assert {"/games/g", "/games/g.json", "/games/g/plies/0", "/games/g/watch"} <= set(paths)
    for path in paths:
        shows = [word for word in WORDS[:3] if word in late.get(path).text]
        assert shows == [], path
    assert WORDS[2] in now.get("/games/g").text
    assert (late.get("/games/g/plies/1").status_code, now.get("/games/g/plies/1").status_code) == (404, 200)
    api.close(store, "g", api.CloseRequest("1-0", termination="resignation"))
    assert all(WORDS[2] in late.get(path).text for path in ("/games/g", "/games/g.json", "/games/g/watch"))


def test_everything_is_shown_after_the_close_only(store: Store, server: TestClient) -> None:
    rail = comer(store, server, "rail")
    reader = api.make_links(store, "g", api.LinksRequest(("reader",)))[0].secret
    for path in ("/games/g/log", "/games/g/sheet", "/games/g/replay"):
        assert (rail.get(path).status_code, rail.get(path).text) == (404, NOT_ADMITTED)
    assert server.post("/join", json={"secret": reader}, headers=WRITES).text == NOT_ADMITTED
    api.close(store, "g", api.CloseRequest("1-0", termination="resignation"))
    assert all(word in by_link(server, reader).get("/games/g/sheet").text for word in WORDS[:3])


# --- a link is seen over a shoulder ---


def test_a_link_is_long_enough_to_be_guessed_by_nobody_and_stands_behind_the_mark(
    store: Store, server: TestClient
) -> None:
    with serving(store.path, writes=True) as desk_:
        made = desk_.post("/games/g/links", json={"base": "https://desk.example"}, headers=HEADER).json()
    secrets = [each["url"].partition("/join#")[2] for each in made]
    assert len(set(secrets)) == len(made) > 4
    for secret in secrets:
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", secret)  # 128 bits in base 64
    joined = server.post("/join", json={"secret": secrets[0]}, headers=WRITES)
    kept = joined.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", kept)
    assert kept not in secrets


# --- a troublemaker writes ---


def test_whatever_is_written_by_a_link_the_log_only_grows(store: Store, server: TestClient) -> None:
    scribe, seat, arbiter = (comer(store, server, role) for role in ("scribe", "p1", "arbiter"))
    deeds: tuple[tuple[TestClient, str, dict[str, object]], ...] = (
        (scribe, "words", {"words": WORDS[3]}),
        (scribe, "undo", {"plies": 2, "agreed": "p2"}),
        (scribe, "note", {"ply": 1, "text": "! bold"}),
        (scribe, "clock", {"ply": 1, "clock": "0:12:30"}),
        (scribe, "words", {"words": "4Di9", "stands": True}),
        (seat, "disputes", {"ply": 3, "claim": "not there"}),
        (arbiter, "rulings", {"plies": [3], "decision": "void", "arbiter": "C"}),
        (arbiter, "reveal", {}),
        (scribe, "close", {"result": "1-0", "termination": "resignation"}),
        (seat, "agree", {}),
    )
    before = [(each.digest, each.event) for each in api.load(store, "g").recorded]
    for number, (who, what, body) in enumerate(deeds):
        answer = who.post(f"/games/g/{what}", json={"command": f"c{number}"} | body, headers=WRITES)
        assert answer.status_code == 200, (what, answer.text)
        after = [(each.digest, each.event) for each in api.load(store, "g").recorded]
        assert after[: len(before)] == before
        assert len(after) > len(before)
        before = after
    assert [each.by for each in api.log(store, "g")[-10:]] == [
        *["scribe"] * 5,
        "p1",
        *["arbiter"] * 2,
        "scribe",
        "p1",
    ]


# --- markup ---

PIECES = (
    "<",
    ">",
    '"',
    "'",
    "&",
    "`",
    "=",
    "/",
    "}}",
    "{{ 7*7 }}",
    "</title>",
    "</script>",
    "<script>document.title='run'</script>",
    "<img src=x onerror=document.title='run'>",
    "<svg onload=document.title='run'>",
    "' onfocus=document.title='run' autofocus x='",
    "\" onmouseover=\"document.title='run'",
    "javascript:document.title='run'",
    "&lt;b&gt;",
    "<!--",
    "]]>",
    "\u202e",
    "\x1b[31m",
)
MARKUP = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), min_size=1, max_size=5).map("".join)
WRITTEN: tuple[tuple[str, Callable[[str], dict[str, object]]], ...] = (
    ("games/{id}/note", lambda text: {"ply": 0, "text": text}),
    ("games/{id}/note", lambda text: {"ply": 1, "text": text}),
    ("games/{id}/disputes", lambda text: {"ply": 2, "claim": text, "who": "p1"}),
    ("games/{id}/rulings", lambda text: {"plies": [1], "decision": "stands", "arbiter": text, "reason": text}),
    (
        "games/{id}/rulings",
        lambda text: {"plies": [1], "decision": "penalty", "arbiter": "C", "penalties": {"p1": text}},
    ),
    ("games/{id}/undo", lambda text: {"plies": 1, "reason": text, "agreed": "p2"}),
)
"""Where anybody may write freely, beside names and tags; the comment of a ply stands in braces."""
SHOWN = ("", "/plies/1", "/log", "/sheet", "/replay", "/table", "/watch", "/arbiter", "/links")


def written(server: TestClient, id: str, text: str) -> int:
    """Write a text in every place of a game where anybody may write freely; return in how many it was taken."""

    def taken(path: str, **body: object) -> int:
        answer = server.post(f"/{path.format(id=id)}", json={"command": f"{id}{path}{body}"} | body, headers=HEADER)
        assert answer.status_code in (200, 400, 409, 422), answer.text
        return int(answer.status_code == 200)

    tags = dict.fromkeys(("Event", "Site", "Round", "Annotator"), text)
    named = taken("games", game="cardmate", id=id, players=[text, text], tags=tags)
    if not named:
        assert taken("games", game="cardmate", id=id, players=["Ada", "Bela"])
    assert taken("games/{id}/words", words=" ".join(WORDS))
    return named + sum(taken(path, **body(text)) for path, body in WRITTEN)


def shown(id: str) -> list[str]:
    return [*(f"/games/{id}{below}" for below in SHOWN), "/games", "/stats", "/arbiter", "/tables", "/search?text=run"]


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    path = tmp_path_factory.mktemp("markup") / "games.db"
    Store(path).close()
    with serving(path, writes=True) as client:
        yield client


ids = count(1)


@budget(20)
@given(MARKUP)
def test_markup_in_every_field_stands_as_text_on_every_page(keyed: TestClient, text: str) -> None:
    id = f"m{next(ids)}"
    written(keyed, id, text)
    for path in (
        *shown(id),
        f"/games?player={quote(text)}",
        f"/search?text={quote(text)}",
        f"/x{quote(text, safe='')}",
    ):
        answer = keyed.get(path)
        assert answer.headers["content-type"].startswith("text/html")
        odd = [one for one in Tags(answer.text).odd if one != ("a", "href", "")]  # to the page itself
        if path.endswith(("/sheet", "/replay")):  # their own style and script, by their digests alone
            odd = [one for one in odd if one[0] not in ("style", "script")]
            assert answer.text.count("<script") == 2 * path.endswith("/replay")
        assert odd == [], path
        assert not re.search("<(img src=x|svg onload|script>document)", answer.text), path
        assert "\x1b" not in answer.text, path


def test_the_texts_of_that_test_are_taken_and_seen(keyed: TestClient) -> None:
    assert written(keyed, "all", "</title><b>'\"&") == 1 + len(WRITTEN)
    assert all("</title><b>'" in unescape(keyed.get(f"/games/all{below}").text) for below in ("", "/log", "/arbiter"))


@pytest.mark.hunt
def test_markup_in_every_field_runs_nothing_in_a_browser(browser: Any, address: tuple[str, Path]) -> None:
    chance = Random(20)
    with serving(address[1], writes=True) as client:
        ids = [f"run{number}" for number in range(looks(2))]
        for id in ids:
            pieces = chance.sample([piece for piece in PIECES if piece.isprintable()], 8)
            assert written(client, id, "".join(["</title></script>", *pieces])[:190]) > 3
    for id in ids:
        phone = Phone(browser, address, id, "arbiter")
        scribe = Phone(browser, address, id, "scribe")
        for page, paths in (
            (phone.page, ("", "/plies/1", "/log", "/sheet", "/replay", "/arbiter", "/watch")),
            (scribe.page, ("/table",)),
        ):
            for below in paths:
                assert page.goto(f"{address[0]}/games/{id}{below}").status == 200
                assert page.title() != "run"
                assert page.evaluate("document.querySelectorAll('img, [onload], [onfocus], [onmouseover]').length") == 0
        phone.close()
        scribe.close()


# --- wrong deployment ---


@pytest.mark.parametrize(
    ("bind", "only", "may"),
    [("", (), ""), ("0.0.0.0", (), "can read and write"), ("0.0.0.0", ("--read-only",), "can read")],
)
def test_it_listens_at_this_machine_alone_unless_told_otherwise_and_says_what_that_means(
    tmp_path: Path, bind: str, only: tuple[str, ...], may: str
) -> None:
    Store(tmp_path / "games.db").close()
    with started("--no-open", *only, *(("--bind", bind) if bind else ()), folder=tmp_path) as (program, url):
        assert got(url)[0] == 200
        port = int(url.partition("/?")[0].rpartition(":")[2])
        with socket.socket() as other:
            assert (other.connect_ex(("127.0.0.2", port)) == 0) is bool(bind)
        for host, there in (("127.0.0.2", 200), ("127.0.0.3", 421), ("evil.example", 421), ("0x7f.2", 421)):
            if bind:
                assert got(url.replace("127.0.0.1", "127.0.0.2"), Host=f"{host}:{port}")[0] == there, host
        program.send_signal(signal.SIGINT)
        assert program.stderr
        answer = program.stderr.read()
    assert (f"{may} everything, and nothing sent is encrypted. For TLS, put a proxy in front" in answer) is bool(bind)
    assert (f":{port}; `links` takes that as --base-url." in answer) is bool(bind and address_of_this_machine())
    assert bool(answer) is bool(bind)
