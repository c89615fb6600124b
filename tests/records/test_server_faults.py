"""A server that goes away: its connections cut, its processes killed, its disk full. Nothing acknowledged is lost.

A file has no server between it and who writes; its own faults are in `test_store_file.py` and `every_log`.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cartulary.notation import load
from cartulary.records import api
from cartulary.records.faults import Damaged, DiskFull, LockedDatabase, ReadOnly, StoreFault, Unreachable
from cartulary.records.log.chain import origin
from cartulary.records.log.server import Server
from tests.places import ROOT
from tests.programs import package
from tests.records.archives import PAGE
from tests.records.disks import append_until_full, small_disk
from tests.records.every_log.test_races import ENDLESS
from tests.records.logs import played, refuse, texts

psycopg = package("psycopg", "postgres")

from cartulary.records.log.server_store import ServerStore  # noqa: E402
from tests.records.servers import PrivateServer, cut, opened  # noqa: E402


@pytest.fixture
def store(address: str) -> Iterator[ServerStore]:
    with opened(address) as store:
        yield store


def test_a_connection_cut_before_an_append_is_made_anew(store: ServerStore, address: str) -> None:
    head = store.append("g", origin("g"), [played()])
    cut(address)
    assert store.append("g", head, [played()]).version == 2
    cut(address)
    assert len(store.stream("g")) == 2


@pytest.mark.parametrize("new", [True, False])
def test_what_was_stored_before_the_connection_was_cut_is_stored_once(
    store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch, new: bool
) -> None:
    head = origin("g") if new else store.append("g", origin("g"), [played()])
    execute = store._link.execute

    def cut_after(sql: str, values: Any = ()) -> list[Any]:
        rows = execute(sql, values)
        monkeypatch.setattr(store._link, "execute", execute)
        cut(address)
        return rows and execute("SELECT 1")  # the answer is lost on its way

    monkeypatch.setattr(store._link, "execute", cut_after)
    after = store.append("g", head, [played()])
    assert store.head("g") == after
    assert len(store.stream("g")) == head.version + 1


def test_a_server_killed_in_mid_append_loses_nothing_acknowledged(
    store: ServerStore, own_server: PrivateServer, address: str
) -> None:
    words = [sys.executable, "-c", ENDLESS, address]
    pipe = subprocess.PIPE
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)
    assert child.stdout is not None
    for _ in range(21):
        child.stdout.readline()
    own_server.kill()
    with pytest.raises(Unreachable, match="cannot be opened"):
        store.head("g")
    answer, fault = child.communicate()
    own_server.start()
    assert "Unreachable" in fault
    recorded = store.stream("g")
    assert len(recorded) % 3 == 0
    assert len(recorded) >= max((int(line) for line in answer.splitlines()), default=60)
    assert [proof.fault for proof in api.verify_all(store)] == [""]


@pytest.mark.parametrize(
    ("code", "fault"),
    [("53100", DiskFull), ("55P03", LockedDatabase), ("25006", ReadOnly), ("42501", ReadOnly), ("XX001", Damaged)],
)
def test_what_the_server_refuses_is_told_and_nothing_is_stored(
    store: ServerStore, address: str, code: str, fault: type[StoreFault]
) -> None:
    refuse(Server(address), 1, code)
    with pytest.raises(fault):
        store.append("g", origin("g"), [played()])
    assert (store.head("g"), list(store.after(0))) == (None, [])


# --- a desk says its command again ---

DESK = """
import signal, sys
from cartulary.notation import load
from cartulary.records import api
from cartulary.records.faults import Unreachable

with api.open_store(api.Server(sys.argv[1])) as store:
    for number, word in enumerate(sys.argv[2:]):
        said = 0
        while True:
            said += 1
            try:
                [answer] = api.play(
                    store, "g", api.WordsRequest((word,), command=f"c{number}", expected=number + 2)
                )
                break
            except Unreachable:
                signal.sigtimedwait([], 0.02)
        print(answer.ply, said, flush=True)
"""
"""Play words, each as a command that is said again until it is answered."""


def test_a_desk_that_says_its_commands_again_stores_each_once_while_its_server_is_killed_and_begun(
    store: ServerStore, own_server: PrivateServer, address: str
) -> None:
    words = next(load(str(PAGE))).line.words
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    child = subprocess.Popen([sys.executable, "-c", DESK, address, *words], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    answers = []
    for ply in range(1, len(words) + 1):
        answers.append(tuple(map(int, child.stdout.readline().split())))
        if ply % 8 == 0:
            own_server.kill()
            own_server.start()
    assert child.wait() == 0
    assert [ply for ply, _ in answers] == list(range(1, len(words) + 1))
    assert texts(store, "g") == list(words)
    assert [proof.fault for proof in api.verify_all(store)] == [""]


@pytest.mark.parametrize("stored", [True, False])
def test_a_command_whose_answer_was_lost_is_harmless_when_it_is_said_again(
    store: ServerStore, own_server: PrivateServer, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    execute = store._link.execute

    def killed(sql: str, values: Any = ()) -> list[Any]:
        if "INSERT INTO cartulary.stored_events" not in sql:
            return execute(sql, values)
        if stored:
            execute(sql, values)
        monkeypatch.setattr(store._link, "execute", execute)
        own_server.kill()
        return execute(sql, values)

    with monkeypatch.context() as patched:
        patched.setattr(store._link, "execute", killed)
        with pytest.raises(Unreachable):
            api.play(store, "g", api.WordsRequest(("4Ci3",), command="c1", expected=2))
    own_server.start()
    assert len(store.stream("g")) == 2 + stored
    for _ in range(2):
        [answer] = api.play(store, "g", api.WordsRequest(("4Ci3",), command="c1", expected=2))
        assert (answer.ply, answer.version) == (1, 3)
    assert texts(store, "g") == ["4Ci3"]


# --- a full disk ---


def test_a_server_without_room_for_its_own_journal_loses_nothing_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "shelves"))
    with small_disk(64) as disk:
        server = PrivateServer(disk.folder)
        try:
            with opened(server.database()) as store:
                head = store.append("g", origin("g"), [played()])
                disk.fill(but=300_000)
                head, fault = append_until_full(store, "g", head)
                assert isinstance(fault, (DiskFull, Unreachable))
                disk.free()
                server.kill()
                server.start()
                assert store.head("g") == head
                assert len(store.stream("g")) == head.version
                assert store.append("g", head, [played()]).version == head.version + 1
                assert [proof.fault for proof in api.verify_all(store)] == [""]
        finally:
            server.stop()
