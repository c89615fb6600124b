"""A desk without its log: nobody is told that a link is dead, nothing written is lost, and all goes on by itself."""

import json
import signal
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.log.server import Server
from cartulary.web import stores, visitors
from cartulary.web.fault_answers import FULL
from cartulary.web.guard import LOG_UNREACHABLE, NOT_ADMITTED, OWN_HEADER
from tests.programs import package
from tests.records.disks import small_disk
from tests.web.phones import Phone
from tests.web.served import by_link, serving
from tests.web.test_away import MOVES, counts, drained, kept, queued, write
from tests.web.test_streams import HERE, WORDS, Stream, shown
from tests.web.test_two_desks import Desk, desks

package("psycopg", "postgres")

from tests.records.servers import PrivateServer  # noqa: E402

OUT = "The desk cannot reach its log right now"


@pytest.fixture
def server() -> Iterator[PrivateServer]:
    server = PrivateServer()
    yield server
    if server.runs:
        server.stop()


@pytest.fixture
def url(server: PrivateServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of a log with one table of Cardmate."""
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "own"))
    url = server.database()
    with api.open_store(Server(url)) as store:
        api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    return url


def taken(at: Desk, secret: str) -> str:
    """Return the cookie of a link that is taken up at a desk."""
    status, answer, cookie = at.asked("/join", {"secret": secret}, cookie="x=y")
    assert status == 200, answer
    return cookie


def test_while_the_log_is_away_everybody_without_the_key_is_answered_alike(
    url: str, server: PrivateServer, tmp_path: Path
) -> None:
    with desks(url, tmp_path) as (one, _):
        with api.open_store(Server(url)) as store:
            seat, revoked, fresh, rail = (
                api.make_links(store, "g", api.LinksRequest((role,)))[0] for role in ("p1", "p2", "p2", "rail")
            )
            cookies = [taken(one, each.secret) for each in (seat, revoked)]
            api.revoke_link(store, api.RevokeRequest(revoked.link.number))
        cookies += [f"cartulary-{one.port}-9=nonsense", "x=y"]
        follower = Stream(one.port, "game=g&since=3", Cookie=taken(one, rail.secret))
        keyed = Stream(one.port, "game=g&since=3", **{"X-Cartulary-Key": one.key})
        body: Any = {"command": "c1", "expected": 3, "words": WORDS[0]}
        server.kill()
        pages = ("/games", "/games/g", "/games/g/table", "/games/g/watch", "/events?game=g", "/rules", "/nope")
        assert {one.asked(path, cookie=each)[:2] for path in pages for each in cookies} == {
            (503, f"{LOG_UNREACHABLE}\n")
        }
        asked = [
            ("/games/g/table.json", None),
            ("/games/g/words", body),
            ("/games/g/undo", body),
            ("/nope", body),
        ]
        asked += [("/join", {"secret": each}) for each in (fresh.secret, revoked.secret, "mistyped", "")]
        statements = {
            (status, body)
            for path, say in asked
            for each in cookies
            for status, body, _ in [one.asked(path, say, each)]
        }
        assert [(status, json.loads(body)) for status, body in statements] == [(503, {"error": LOG_UNREACHABLE})]
        assert one.asked("/events?game=g")[0] == 503
        assert "cannot be opened" in one.asked("/games/g/table.json")[1]
        assert [each.events(1) for each in (follower, keyed)] == [[{"sse-event": "away"}]] * 2
        server.start()
        assert [each.events(1) for each in (follower, keyed)] == [[{"sse-event": "back"}]] * 2
        while (answer := one.asked("/games/g/words", body, cookies[0]))[0] == 503:
            signal.sigtimedwait([], 0.05)
        assert answer[0] == 200, answer
        assert [each.events(1)[0]["version"] for each in (follower, keyed)] == [4, 4]
        assert {one.asked("/games/g", cookie=each)[:2] for each in cookies[1:]} == {(404, NOT_ADMITTED)}
        taken(one, fresh.secret)
        for stream in (follower, keyed):
            stream.close()


def test_what_a_phone_writes_while_the_log_is_away_waits_and_is_sent_by_itself(
    browser: Any, url: str, server: PrivateServer, tmp_path: Path
) -> None:
    with desks(url, tmp_path) as (one, _):
        place = (f"http://{HERE}:{one.port}", Server(url))
        scribe, rail = (Phone(browser, place, "g", role) for role in ("scribe", "rail"))
        kept(scribe)
        scribe.tap(MOVES[0])
        shown(rail.page, "[data-connection]", "connected")
        server.kill()
        shown(rail.page, "[data-connection]", OUT)
        counts(scribe, OUT)  # before anything is written
        write(scribe, *MOVES[1:3])
        counts(scribe, f"2 waiting. {OUT}; what you write here is kept and sent")
        assert queued(scribe) == [f"{word} waiting" for word in MOVES[1:3]]
        scribe.page.reload()
        counts(scribe, f"2 waiting. {OUT}")
        fresh = browser.new_page()
        fresh.goto(f"{place[0]}/join#mistyped")
        shown(fresh, "#says", f"{OUT}. Open this link again in a moment")
        fresh.close()
        server.start()
        drained(scribe)
        assert scribe.words() == MOVES[:3]
        shown(rail.page, "[data-connection]", "connected")
        shown(rail.page, ".last", MOVES[2])
        for phone in (scribe, rail):
            phone.close()


def test_a_page_that_nothing_keeps_comes_back_by_itself(
    browser: Any, url: str, server: PrivateServer, tmp_path: Path
) -> None:
    with desks(url, tmp_path) as (one, _):
        phone = Phone(browser, (f"http://{HERE}:{one.port}", Server(url)), "g", "p1", service_workers="block")
        server.kill()
        counts(phone, OUT)
        write(phone, MOVES[0])
        counts(phone, "1 waiting")
        phone.page.reload()
        shown(phone.page, "body", LOG_UNREACHABLE)
        server.start()
        phone.page.wait_for_selector("[data-table]")
        drained(phone)
        assert phone.words() == MOVES[:1]
        phone.close()


class Proxy:
    """One port in front of several desks: each connection goes to the first of them that takes it, byte for byte."""

    def __init__(self, *ports: int) -> None:
        self.ports = ports
        self._listener = socket.create_server((HERE, 0))
        self.port: int = self._listener.getsockname()[1]
        Thread(target=self._forward, daemon=True).start()

    def _forward(self) -> None:
        with suppress(OSError):
            while True:
                Thread(target=self._joined, args=self._listener.accept()[:1], daemon=True).start()

    def _joined(self, client: socket.socket) -> None:
        for port in self.ports:
            with suppress(OSError):
                behind = socket.create_connection((HERE, port))
                Thread(target=self._piped, args=(behind, client), daemon=True).start()
                return self._piped(client, behind)
        client.close()
        return None

    @staticmethod
    def _piped(one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()


def test_behind_one_name_a_phone_goes_on_at_the_other_desk_when_its_own_dies(
    browser: Any, url: str, tmp_path: Path
) -> None:
    with desks(url, tmp_path, "--allow-host", "desk.localhost") as (one, two):
        proxy = Proxy(one.port, two.port)
        phone = Phone(browser, (f"http://desk.localhost:{proxy.port}", Server(url)), "g", "scribe")
        phone.tap(MOVES[0])
        proxy.ports = ()
        one.kill()
        counts(phone, "The desk cannot be reached")
        write(phone, MOVES[1])
        counts(phone, "1 waiting")
        proxy.ports = (one.port, two.port)
        drained(phone)
        write(phone, MOVES[2])
        drained(phone)
        assert phone.words() == MOVES[:3]
        phone.close()
        proxy.close()


# --- a file ---


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stores, "TIMEOUT", 0)
    monkeypatch.setattr(visitors, "RETRY_SECONDS", 0.0)
    path = tmp_path / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
    return path


def seats(db: Path) -> tuple[str, str]:
    with api.Store(db) as store:
        first, second = api.make_links(store, "g", api.LinksRequest(("p1", "p2")))
    return first.secret, second.secret


def test_a_file_that_somebody_else_writes_to_is_away_to_a_phone_until_it_is_free(db: Path) -> None:
    first, second = seats(db)
    with serving(db, key=None, writes=True) as server:
        seat = by_link(server, first)
        with closing(sqlite3.connect(db, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answers = [wrote(seat), server.post("/join", json={"secret": second}, headers={OWN_HEADER: "1"})]
            assert [(each.status_code, each.json()) for each in answers] == [(503, {"error": LOG_UNREACHABLE})] * 2
            assert seat.get("/games/g/table").status_code == 200
        assert wrote(seat).status_code == 200
        by_link(server, second)


def test_who_writes_to_a_full_disk_is_told_so_and_can_read(db: Path) -> None:
    with small_disk(24) as disk:
        path = disk.folder / "games.db"
        with api.Store(path) as store:
            api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
        first, second = seats(path)
        with serving(path, key=None, writes=True) as server:
            seat = by_link(server, first)
            disk.fill()
            answers: list[Any] = []
            while not answers or answers[-1].status_code == 200:  # the file may still have room in it
                asked = {"command": f"d{len(answers)}", "ply": 0, "claim": "x" * 4000}
                answers.append(seat.post("/games/g/disputes", json=asked, headers={OWN_HEADER: "1"}))
            answers.append(wrote(seat))
            answers.append(server.post("/join", json={"secret": second}, headers={OWN_HEADER: "1"}))
            assert {(each.status_code, each.text) for each in answers[-3:]} == {(507, answers[-1].text)}
            assert answers[-1].json() == {"error": FULL}
            assert seat.get("/games/g").status_code == 200
            disk.free()
            assert wrote(seat).status_code == 200
            by_link(server, second)


def test_a_file_that_is_gone_is_away_to_everybody_until_it_is_back(db: Path) -> None:
    first, _ = seats(db)
    with serving(db, key=None, writes=True) as server:
        seat = by_link(server, first)
        gone = db.with_name("elsewhere.db")
        db.rename(gone)
        assert (wrote(seat).status_code, wrote(seat).json()) == (503, {"error": LOG_UNREACHABLE})
        assert {(each.get("/games/g").status_code, each.get("/games/g").text) for each in (seat, server)} == {
            (503, f"{LOG_UNREACHABLE}\n")
        }
        gone.rename(db)
        assert wrote(seat).status_code == 200
        assert server.get("/games/g").status_code == 404


def wrote(seat: Any) -> Any:
    body = {"command": "c1", "expected": 3, "words": MOVES[0]}
    return seat.post("/games/g/words", json=body, headers={OWN_HEADER: "1"})
