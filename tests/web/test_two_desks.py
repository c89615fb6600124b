"""Two desks on one log of a server: what is written, followed, linked and revoked on one holds on the other."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.log.server import Server
from cartulary.web.guard import NOT_ADMITTED, OWN_HEADER
from tests.programs import package
from tests.web.test_streams import HERE, WORDS, Stream

psycopg = package("psycopg", "postgres")

from tests.records.servers import QUOTED, SECRET, PrivateServer  # noqa: E402


@pytest.fixture
def url(own_server: PrivateServer) -> str:
    return own_server.database()


class Desk:
    """A server of pages on the log. port, key: by which it is asked; killed: it need not end well"""

    def __init__(self, program: "subprocess.Popen[str]") -> None:
        assert program.stdout
        self.program, self.killed = program, False
        address, _, self.key = program.stdout.readline().strip().partition("/?key=")
        self.port = int(address.rpartition(":")[2])

    def kill(self) -> None:
        """End it at once, as a crash does."""
        self.killed = True
        self.program.kill()
        self.program.wait()

    def asked(self, path: str, body: object = None, cookie: str = "") -> tuple[int, str, str]:
        """Return status, body and cookie of an answer; without a cookie the key is shown."""
        to = HTTPConnection(HERE, self.port, timeout=20)
        who = {"Cookie": cookie} if cookie else {"X-Cartulary-Key": self.key}
        if body is None:
            to.request("GET", path, headers=who)
        else:
            headers = who | {"Content-Type": "application/json", OWN_HEADER: "1"}
            to.request("POST", path, json.dumps(body), headers)
        answer = to.getresponse()
        reply = answer.status, answer.read().decode(), str(answer.getheader("set-cookie")).partition(";")[0]
        to.close()
        return reply


@contextmanager
def desks(url: str, folder: Path, *words: str) -> Iterator[tuple[Desk, Desk]]:
    """Begin two desks, each with an index of its own; at Ctrl-C both end with 0."""
    programs = []
    for name in ("one", "two"):
        environment = os.environ | {"CARTULARY_DB": url, "CARTULARY_SHELF": str(folder / name)}
        command = [sys.executable, "-m", "cartulary.cli", "serve", "--port", "0", "--no-open", *words]
        with (folder / f"{name}.err").open("w") as opened:
            pipe = subprocess.PIPE
            programs.append(subprocess.Popen(command, env=environment, stdout=pipe, stderr=opened, encoding="utf-8"))
    try:
        one, two = map(Desk, programs)
        yield one, two
        for each in (one, two):
            if not each.killed:
                each.program.send_signal(signal.SIGINT)
                assert each.program.wait(20) == 0
    finally:
        for program in programs:
            program.kill()
            program.wait()


def test_one_game_at_two_desks(url: str, tmp_path: Path) -> None:
    api.open_store(Server(url)).close()
    with desks(url, tmp_path) as (one, two):
        body: Any = {"command": "c1", "game": "cardmate", "id": "g", "players": ["Ada", "Bela"]}
        assert one.asked("/games", body)[0] == 200
        assert "Ada" in two.asked("/games")[1]
        streams = [Stream(each.port, "game=g&since=2", **{"X-Cartulary-Key": each.key}) for each in (one, two)]
        for at, (here, word) in enumerate(zip((one, two, one, two), WORDS, strict=True)):
            status, answer, _ = here.asked("/games/g/words", {"command": f"w{at}", "expected": 2 + at, "words": word})
            assert status == 200, answer
            events = [stream.events(1)[0] for stream in streams]
            assert [(event["version"], event["says"].split()[2].strip(",")) for event in events] == [(3 + at, word)] * 2
        lost = two.asked("/games/g/words", {"command": "w9", "expected": 3, "words": "9Cb1"})
        assert (lost[0], json.loads(lost[1])["actual"]) == (409, 6)
        again = two.asked("/games/g/words", {"command": "w0", "expected": 2, "words": WORDS[0]})
        assert (again[0], json.loads(again[1])[0]["version"]) == (200, 3)
        for stream in streams:
            stream.close()


def test_a_link_made_at_one_desk_opens_at_the_other_and_is_revoked_at_either(url: str, tmp_path: Path) -> None:
    with desks(url, tmp_path) as (one, two):
        assert one.asked("/games", {"command": "c2", "game": "cardmate", "id": "h"})[0] == 200
        made = json.loads(one.asked("/games/h/links", {"base": "http://x", "roles": ["p1", "rail"]})[1])
        [seat, rail] = [two.asked("/join", {"secret": each["url"].partition("#")[2]}) for each in made]
        assert [status for status, _, _ in (seat, rail)] == [200, 200]
        assert one.asked("/join", {"secret": made[0]["url"].partition("#")[2]}, cookie="x=y")[:2] == (404, NOT_ADMITTED)
        # One name in front of both, or two ports of one machine: a browser shows either desk the same cookies.
        cookies = dict.fromkeys((one, two), "; ".join(each[2] for each in (seat, rail)))
        assert {each.asked("/games/h/table?as=p1", cookie=cookie)[0] for each, cookie in cookies.items()} == {200}
        before = f"cartulary-{two.port}-{made[1]['link']}={rail[2].partition('=')[2]}"  # as it was once named
        assert [each.asked("/games/h", cookie=before)[0] for each in (two, one)] == [200, 404]
        streams = [Stream(each.port, "game=h&as=rail", Cookie=cookie) for each, cookie in cookies.items()]
        assert [stream.answer.status for stream in streams] == [200, 200]
        assert one.asked("/games/h/links/revoke", {"link": made[1]["link"]})[0] == 200
        assert all(stream.ended() for stream in streams)
        asked = [each.asked("/games/h?as=rail", cookie=cookie)[:2] for each, cookie in cookies.items()]
        assert asked == [(404, NOT_ADMITTED)] * 2


def test_a_position_is_found_on_a_server_that_is_only_read(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "own"))
    with api.open_store(Server(url)) as store:
        for id in ("s1", "s2"):
            api.open_game(store, api.NewRequest("cardmate", id=id))
            api.play(store, id, api.WordsRequest(WORDS))
    with desks(url, tmp_path, "--read-only") as (one, _):
        status, answer, _ = one.asked("/search.json?position=s1&at=4")
        assert status == 200, answer
        assert {"s1", "s2"} <= {game["id"] for game in json.loads(answer)["games"]}
        assert one.asked("/games/s1/words", {"command": "c", "words": "9Cb1"})[0] in (404, 405)


def test_desks_go_on_where_they_were_when_their_server_is_back(
    url: str, own_server: PrivateServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "own"))
    with api.open_store(Server(url)) as store:
        api.open_game(store, api.NewRequest("cardmate", id="k"))
    with desks(url, tmp_path) as (one, two):
        streams = [Stream(each.port, "game=k&since=2", **{"X-Cartulary-Key": each.key}) for each in (one, two)]
        by_name: Any = {"command": "k1", "expected": 2, "words": WORDS[0]}
        own_server.kill()
        try:
            for path, body in (("/games", None), ("/games/k", None), ("/games/k/words", by_name)):
                assert one.asked(path, body)[0] == 503
            for name in ("one.err", "two.err"):
                while "The log cannot be followed" not in (tmp_path / name).read_text("utf-8"):
                    signal.sigtimedwait([], 0.05)
        finally:
            own_server.start()
        assert [[event["sse-event"] for event in stream.events(2)] for stream in streams] == [["away", "back"]] * 2
        assert one.asked("/games/k/words", by_name)[0] == 200
        assert [stream.events(1)[0]["version"] for stream in streams] == [3, 3]
        assert two.asked("/games/k/words", by_name | {"command": "k2", "expected": 3, "words": WORDS[1]})[0] == 200
        assert [stream.events(1)[0]["version"] for stream in streams] == [4, 4]
        for stream in streams:
            stream.close()
    for name in ("one.err", "two.err"):  # an outage is told once with its end, however often the log was looked at
        lines = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ", "WHEN ", (tmp_path / name).read_text("utf-8")).splitlines()
        assert [line.partition(": The database")[0] for line in lines] == [
            "cartulary: WHEN The log cannot be followed",
            "cartulary: WHEN The log is followed again.",
        ]


def test_words_that_name_no_version_are_never_too_late_whoever_writes_at_the_other_desk(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "own"))
    with api.open_store(Server(url)) as store:
        api.open_game(
            store, api.NewRequest("Whist", unjudged=True, seats=4, id="free")
        )  # every word can be played at any time
    each, writers = 12, 4
    with desks(url, tmp_path) as (one, two):
        replies: list[tuple[int, str, str]] = []

        def write(at: Desk, name: str) -> None:
            replies.extend(
                at.asked("/games/free/words", {"command": f"{name}{n}", "words": ["x"]}) for n in range(each)
            )

        threads = [Thread(target=write, args=(at, f"{at.port}-{n}-")) for n in range(writers) for at in (one, two)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert {(status, body) for status, body, _ in replies if status != 200} == set()
        versions = sorted(json.loads(body)[0]["version"] for _, body, _ in replies)
        assert versions == list(range(versions[0], versions[0] + 2 * each * writers))
        status, lost, _ = two.asked("/games/free/words", {"command": "late", "expected": 3, "words": ["x"]})
        assert (status, json.loads(lost)["expected"]) == (409, 3)
        assert one.asked("/games", {"command": "c2", "game": "cardmate", "id": "free"})[0] == 409
        assert json.loads(one.asked("/games/free.json")[1])["version"] == versions[-1]


def test_a_desk_that_may_only_read_says_so_when_it_begins_and_when_it_is_written_to(
    url: str, own_server: PrivateServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "own"))
    with api.open_store(Server(url)) as store:
        api.open_game(store, api.NewRequest("cardmate", id="r"))
        seat, taken = api.make_links(store, "r", api.LinksRequest(("p1", "scribe")))
        cookie = api.take_up(store, taken.secret)
    assert cookie
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS reader")
        owner.execute(f"CREATE ROLE reader LOGIN PASSWORD '{SECRET}'".encode())
        owner.execute("GRANT USAGE ON SCHEMA cartulary TO reader")
        owner.execute("GRANT SELECT ON ALL TABLES IN SCHEMA cartulary TO reader")
    with desks(url.replace("club@", f"reader:{QUOTED}@"), tmp_path) as (one, _):
        begun = " ".join((tmp_path / "one.err").read_text("utf-8").split())
        assert "Nothing can be written here: this user may only read postgresql://reader@" in begun
        by_name: Any = {"command": "r1", "expected": 3, "words": WORDS[0]}
        status, answer, _ = one.asked("/games/r/words", by_name)
        assert (status, "may only read" in answer) == (403, True)
        held = f"cartulary-{one.port}-{taken.link.number}={cookie.secret}"
        only = {"error": "This desk may only read its log, so nothing was stored. Tell whoever runs the evening."}
        for path, say in (("/games/r/words", by_name), ("/join", {"secret": seat.secret})):
            status, answer, _ = one.asked(path, say, held)
            assert (status, json.loads(answer)) == (403, only)
