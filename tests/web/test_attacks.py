"""Who floods a server by what he has, or holds its connections, keeps nobody else from it: over sockets, kept small."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from time import monotonic, process_time, sleep

import pytest
from starlette.testclient import TestClient

from cartulary.notation import loads
from cartulary.records import api
from cartulary.web import connections
from cartulary.web.guard import OWN_HEADER
from cartulary.web.serving import listening
from tests.places import SAMPLES
from tests.programs import program
from tests.web.served import by_link
from tests.web.test_kills import serving_child

HERE = "127.0.0.1"
WORDS = loads((SAMPLES / "chess" / "games" / "opera.cgn").read_bytes())[0].line.words
LONG = loads((SAMPLES / "draughts" / "games" / "tinsley-long.cgn").read_bytes())[0].line.words
GAPS = (*LONG[:60], *"~" * 6)
"""A game of draughts of which the last six plies were not written: an answer about it costs seconds of a processor."""
JSON = {"Content-Type": "application/json", OWN_HEADER: "1"}


ROLES = ("rail", "scribe")


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return a log with a table that is written and a slow one, and what opens a scribe's link to the first.

    Behind it stands what opens the links to the other, in the order of ``ROLES``.
    """
    path = tmp_path_factory.mktemp("slow") / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest("chess", id="table", players=("Ada", "Bela")))
        api.open_game(store, api.NewRequest("draughts", id="slow", players=("Tinsley", "Long")))
        api.play(store, "slow", api.WordsRequest(GAPS, stands=True))
        made = [api.make_links(store, "table", api.LinksRequest(("scribe",)))[0]]
        made += [api.make_links(store, "slow", api.LinksRequest((role,)))[0] for role in ROLES]
    return path, [each.secret for each in made]


@pytest.fixture
def copied(slow: tuple[Path, list[str]], db: Path) -> list[str]:
    """Put that log where the test's own is, and return what opens its links."""
    shutil.copy(slow[0], db)
    return slow[1]


def asked(
    port: int, path: str, body: object = None, wait: float = 60, headers: Mapping[str, str] | None = None
) -> tuple[int, str, str]:
    """Return status, body and cookie of an answer."""
    with closing(HTTPConnection(HERE, port, timeout=wait)) as to:
        if body is None:
            to.request("GET", path, headers=headers or {})
        else:
            to.request("POST", path, json.dumps(body), JSON | dict(headers or {}))
        answer = to.getresponse()
        cookie = str(answer.getheader("set-cookie")).partition(";")[0]
        return answer.status, answer.read().decode(), cookie


def taken(port: int, secret: str) -> str:
    """Return the cookie of a link that is taken up."""
    status, answer, cookie = asked(port, "/join", {"secret": secret})
    assert status == 200, answer
    return cookie


# --- floods ---


class Flood:
    """So many clients that ask by turns, each until it is answered or has had enough, without pause."""

    def __init__(self, port: int, requests: Sequence[tuple[str, str, object]], clients: int, hold: float) -> None:
        """requests: path, a header and a body each; hold: seconds for which a client waits"""
        self.port, self.requests, self.hold = port, requests, hold
        self.ends, self.asked = False, 0
        self.threads = [Thread(target=self._ask) for _ in range(clients)]

    def __enter__(self) -> "Flood":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self.ends = True
        for thread in self.threads:
            thread.join()

    def _ask(self) -> None:
        while not self.ends:
            path, header, body = self.requests[self.asked % len(self.requests)]
            self.asked += 1
            name, _, value = header.partition(": ")
            with suppress(OSError):
                asked(self.port, path, body, self.hold, {name: value} if name else {})


def floods(port: int, key: str, rail: str, scribe: str) -> dict[str, list[tuple[str, str, object]]]:
    """Return what each flood asks."""
    plies = [f"/games/slow/plies/{ply}" for ply in range(66, 50, -1)]
    paths = ["/games/slow", "/games/slow.json", "/games/slow/watch", *plies]
    trials: list[object] = [{"words": "~"}, {"words": "~ ~"}]
    many = "%20".join(f"a{number}*" for number in range(5000))
    return {
        "reads": [(path, f"Cookie: {rail}", None) for path in paths],
        "trials": [("/games/slow/trial", f"Cookie: {scribe}", body) for body in trials],
        "streams": [(f"/events?game=slow&since={since}", f"Cookie: {rail}", None) for since in range(9)],
        "searches": [
            (path, f"X-Cartulary-Key: {key}", None) for path in (f"/search?text={many}", "/search?position=slow&at=65")
        ],
        "joins": [("/join", "", {"secret": f"wrong-{number}"}) for number in range(9)],
    }


def spent(process: int) -> float:
    """Return the processor time of a process in seconds. Source: proc(5)"""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rests(process: int, within: float = 2.5) -> bool:
    """Say whether a process does next to nothing for half a second, before a question that somebody began to ask may
    be worked on no longer.
    """
    end = monotonic() + within
    while monotonic() < end:
        before = spent(process)
        sleep(0.5)
        if spent(process) - before < 0.1:
            return True
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much processor time a process took")
@pytest.mark.parametrize("name", ["reads", "trials", "streams", "searches", "joins"])
def test_whoever_floods_one_table_holds_up_no_other_and_is_worked_for_no_longer_than_he_waits(
    db: Path, copied: list[str], name: str
) -> None:
    listener = listening(HERE, 0)
    port = listener.getsockname()[1]
    with serving_child(db, listener) as (process, key):
        table, rail, scribe = (taken(port, secret) for secret in copied)
        with Flood(port, floods(port, key, rail, scribe)[name], clients=12, hold=1.0) as flood:
            while flood.asked < len(flood.threads):  # all of them have begun
                sleep(0.05)
            took = []
            for number, word in enumerate(WORDS[:12]):
                start = monotonic()
                body = {"command": f"c{number}", "words": word}
                status, answer, _ = asked(port, "/games/table/words", body, 120, {"Cookie": table})
                took.append(monotonic() - start)
                assert status == 200, answer
        assert rests(process)
    assert sorted(took)[-2] < 2, took  # far more than the figure `flood_…` allows: tests share their machine
    assert sum(took) < 10, took


def test_a_trial_takes_no_longer_than_it_says(
    copied: list[str], server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.web.table.WHILE_TYPING", 0.3)
    scribe = by_link(server, copied[2])
    assert scribe.get("/games/slow/watch").status_code == 200
    for words in ("~", "~ ~"):
        before = process_time()
        answer = scribe.post("/games/slow/trial", json={"words": words}, headers=JSON)
        assert process_time() - before < 0.3 + 0.5
        assert (answer.status_code, "too long" in answer.json()["says"]) == (200, True)


def test_a_position_is_worked_out_once_for_all_who_look(db: Path, server: TestClient) -> None:
    with api.Store(db) as store:
        api.open_game(store, api.NewRequest("draughts", id="slow", players=("Tinsley", "Long")))
        api.play(store, "slow", api.WordsRequest(GAPS[:-1], stands=True))  # a quarter of a second for each answer
        made = [api.make_links(store, "slow", api.LinksRequest((role,)))[0].secret for role in ROLES]
    rail, other, scribe = (by_link(server, secret) for secret in (made[0], *made))
    for path in ("/games/slow/plies/65.json", "/games/slow/watch"):
        first = rail.get(path)
        before = process_time()
        again = [other.get(path) for _ in range(20)]
        assert process_time() - before < 0.5
        assert {(each.status_code, each.content) for each in again} == {(200, first.content)}
    with api.Store(db) as store:
        api.annotate(store, "slow", api.NoteRequest(ply=65, comment="Everybody looked away."))
    assert "Everybody looked away." in scribe.get("/games/slow/sheet").text


def test_a_search_for_thousands_of_words_is_refused_at_once(store: api.Store, server: TestClient) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    words = " ".join(f"word{number}*" for number in range(2000))
    answer = server.get("/search.json", params={"text": words}, headers={"x-cartulary-key": "k3y"})
    assert (answer.status_code, "2000 words are looked for at once" in answer.json()["error"]) == (400, True)


# --- a log that somebody else has ---


def test_who_waits_to_write_while_somebody_else_has_the_log_keeps_nobody_from_reading(db: Path) -> None:
    with api.Store(db) as store:
        for number in range(8):
            api.open_game(store, api.NewRequest("cardmate", id=f"g{number}", players=("Ada", "Bela")))
        secrets = [api.make_links(store, f"g{number}", api.LinksRequest(("scribe",)))[0].secret for number in range(8)]
    listener = listening(HERE, 0)
    port = listener.getsockname()[1]
    with serving_child(db, listener) as (_, key), closing(sqlite3.connect(db, isolation_level=None)) as other:
        cookies = [taken(port, secret) for secret in secrets]
        other.execute("BEGIN IMMEDIATE")
        writes: list[tuple[str, str, object]] = [
            (f"/games/g{number}/words", f"Cookie: {cookie}", {"command": "c", "words": "4Ci3"})
            for number, cookie in enumerate(cookies)
        ]
        with Flood(port, writes, clients=16, hold=4.0):
            sleep(0.5)
            for number, cookie in enumerate(cookies):
                start = monotonic()
                assert asked(port, f"/games/g{number}", headers={"Cookie": cookie})[0] == 200
                assert asked(port, f"/games/g{number}/table.json", headers={"X-Cartulary-Key": key})[0] == 200
                assert monotonic() - start < 2
        other.execute("ROLLBACK")


# --- connections ---


@contextmanager
def few_files(db: Path, files: int, told: Path) -> Iterator[tuple[int, str]]:
    """Serve with so many open files at most; yield port and key. told: what it writes to its standard error"""
    shell = program("sh", package="dash")
    command = [sys.executable, "-m", "cartulary.cli", "serve", "--port", "0", "--no-open", "--db", str(db)]
    with told.open("w") as error:
        server = subprocess.Popen(
            [shell, "-c", f'ulimit -n {files}; exec "$@"', "sh", *command],
            stdout=subprocess.PIPE,
            stderr=error,
            encoding="utf-8",
        )
    assert server.stdout
    try:
        address, _, key = server.stdout.readline().strip().partition("/?key=")
        yield int(address.rpartition(":")[2]), key
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def connected(port: int, many: int, sends: bytes = b"") -> list[socket.socket]:
    found = []
    for _ in range(many):
        with suppress(OSError):
            one = socket.create_connection((HERE, port), timeout=5)
            one.sendall(sends)
            found.append(one)
    return found


@pytest.mark.skipif(os.name != "posix", reason="such limits are those of POSIX systems")
@pytest.mark.parametrize("sends", [b"", b"GET /games HTTP/1.1\r\nHost: "])
def test_idle_connections_that_fill_the_table_of_files_shut_nobody_out(db: Path, tmp_path: Path, sends: bytes) -> None:
    api.Store(db).close()
    with few_files(db, 320, tmp_path / "told") as (port, key):
        idle = connected(port, 400, sends)
        for _ in range(3):
            assert asked(port, "/games", wait=8, headers={"X-Cartulary-Key": key})[0] == 200
        for each in idle:
            each.close()
    assert len((tmp_path / "told").read_text("utf-8")) < 500


@pytest.mark.parametrize("late", ["headers", "body", "between"])
def test_a_request_that_comes_byte_by_byte_is_not_waited_for(
    db: Path, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    api.Store(db).close()
    monkeypatch.setattr(connections, "HEADERS", 1.0)
    monkeypatch.setattr("cartulary.web.app.SLOWEST_BODY", 1.0)
    whole = b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nx-cartulary-desk: 1\r\n"
    sent = {"headers": b"", "body": whole + b"Content-Length: 1000\r\n\r\n", "between": b"GET /join HTTP/1.1\r\n"}
    if late == "between":
        sent[late] = b"GET /join HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    listener = listening(HERE, 0)
    port = listener.getsockname()[1]
    with serving_child(db, listener), closing(socket.create_connection((HERE, port))) as slow:
        slow.settimeout(0.2)
        slow.sendall(sent[late])
        start, ended = monotonic(), False
        while not ended and monotonic() - start < 8:
            try:
                ended = slow.recv(65536) == b""
                slow.sendall(b"P")
            except TimeoutError:
                with suppress(OSError):
                    slow.sendall(b"P")
            except ConnectionError:  # closed while more was on its way
                ended = True
    assert ended
    assert monotonic() - start < 5


def test_a_link_for_one_phone_is_followed_by_few_streams(db: Path) -> None:
    with api.Store(db) as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        secret = api.make_links(store, "g", api.LinksRequest(("p1",)))[0].secret
    listener = listening(HERE, 0)
    port = listener.getsockname()[1]
    with serving_child(db, listener) as (_, key):
        cookie = taken(port, secret)
        streams = [HTTPConnection(HERE, port, timeout=30) for _ in range(25)]
        answers = []
        for stream in streams:
            stream.request("GET", "/events?game=g&since=2", headers={"Cookie": cookie})
            answers.append(stream.getresponse().status)
        assert answers == [200] * 20 + [503] * 5
        assert asked(port, "/games", headers={"X-Cartulary-Key": key})[0] == 200
        for stream in streams[:5]:
            stream.close()
        end = monotonic() + 20
        while monotonic() < end:
            stream = HTTPConnection(HERE, port, timeout=30)
            stream.request("GET", "/events?game=g&since=2", headers={"Cookie": cookie})
            if stream.getresponse().status == 200:
                break
            sleep(0.2)
        else:
            pytest.fail("a stream that has ended is counted on")
