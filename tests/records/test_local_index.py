"""The index of this machine beside a log on a server: deleted, of another log, ahead, left by a killed desk."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.faults import Damaged, DiskFull, Fault
from cartulary.records.log import local_index
from cartulary.records.log.contract import Log
from cartulary.records.log.schema import COLUMNS, MODEL
from tests.places import ROOT
from tests.programs import package
from tests.records.archives import samples_in
from tests.records.disks import small_disk

psycopg = package("psycopg", "postgres")

from cartulary.records.log.server_store import ServerStore  # noqa: E402
from tests.records.servers import opened  # noqa: E402


@pytest.fixture
def store(address: str) -> Iterator[ServerStore]:
    with opened(address) as store:
        yield store


def titles(store: Log) -> list[tuple[str, int]]:
    return sorted((game.id, game.plies) for game in api.games(store))


def test_what_another_desk_wrote_is_in_the_index_of_this_one(address: str, tmp_path: Path, monkeypatch: Any) -> None:
    with opened(address) as here:
        monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "elsewhere"))
        with opened(address) as there:
            api.open_game(here, api.NewRequest("cardmate", id="g"))
            assert titles(here) == titles(there) == [("g", 0)]
            api.play(there, "g", api.WordsRequest(("4Ci3",)))
            api.play(here, "g", api.WordsRequest(("4Db6",)))
            assert titles(here) == titles(there) == [("g", 2)]


def test_the_index_is_for_its_owner_alone(store: ServerStore) -> None:
    before = os.umask(0o022)
    try:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        assert titles(store) == [("g", 0)]
        files = [*store.index._path.parent.iterdir()]
        assert len(files) == 3
        assert [file for file in files if file.stat().st_mode & 0o077] == []
    finally:
        os.umask(before)


def test_what_a_desk_wrote_is_in_its_index_while_another_transaction_goes_on(store: ServerStore, address: str) -> None:
    with psycopg.connect(address) as slow:
        slow.execute("SELECT pg_current_xact_id()")
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        assert titles(store) == [("g", 0)]


def emptied(index: Path) -> None:
    shutil.rmtree(index.parent)


def of_another_log(index: Path) -> None:
    with sqlite3.connect(index) as other:
        other.execute("UPDATE followed SET log = 'another'")
        other.execute("DELETE FROM games")
    other.close()


def ahead(index: Path) -> None:
    with sqlite3.connect(index) as other:
        other.execute("UPDATE followed SET position = position + 7")
        other.execute("DELETE FROM games")
    other.close()


@pytest.mark.parametrize("happens", [emptied, of_another_log, ahead])
@pytest.mark.parametrize("closed", [True, False])
def test_an_index_that_is_none_of_this_log_is_made_anew(
    address: str, tmp_path: Path, happens: Callable[[Path], None], closed: bool
) -> None:
    with opened(address) as store:
        samples_in(store, ["cardmate"])
        before = titles(store)
        assert before
        if closed:
            store.close()
        [index] = (tmp_path / "shelves").glob("*.db")
        if closed or happens is not of_another_log:
            happens(index)
        if closed:
            store = opened(address)
        assert titles(store) == before
        assert api.reindex(store) == (len(before), ())
        assert titles(store) == before
        store.close()


def test_an_index_whose_writer_was_killed_is_caught_up(store: ServerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store._index, "put", lambda batches: None)
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    assert titles(store) == [("g", 0)]


def test_a_file_of_somebody_else_in_the_place_of_the_index_is_left_alone(address: str, tmp_path: Path) -> None:
    with opened(address) as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        log = store._index._log
    index = tmp_path / "shelves" / f"{log}.db"
    shutil.rmtree(index.parent)
    index.parent.mkdir()
    with sqlite3.connect(index) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    with opened(address) as store, pytest.raises(Fault, match="left alone"):
        list(api.games(store))


def test_a_spoiled_index_may_be_deleted_and_is_filled_again(address: str, tmp_path: Path) -> None:
    with opened(address) as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        index = tmp_path / "shelves" / f"{store._index._log}.db"
    for extra in ("-wal", "-shm"):
        index.with_name(index.name + extra).unlink(missing_ok=True)
    index.write_bytes(b"spoiled" * 1000)
    with opened(address) as store:
        with pytest.raises(Damaged, match="Delete it"):
            titles(store)
        index.unlink()
        assert titles(store) == [("g", 0)]


# --- a desk that is killed while it writes its index ---

KILLED = """
import os, signal, sys
from cartulary.records import api
from cartulary.records.log import local_index
from cartulary.records.log.schema import COLUMNS, MODEL

put, left = local_index._write_newer, int(sys.argv[2])
local_index.CHUNK = 5

def killed(c, said):
    global left
    put(c, said)
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

local_index._write_newer = killed
with api.open_store(api.Server(sys.argv[1])) as store:
    if sys.argv[3] == "play":
        api.play(store, "g", api.WordsRequest(("4Ci3",)))
    list(api.games(store))
"""
"""Kill itself in the transaction that writes the index, the lines written and the place not yet noted."""


def killed_while_it_writes(address: str, at: int, what: str = "list") -> None:
    words = [sys.executable, "-c", KILLED, address, str(at), what]
    ended = subprocess.run(words, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr


SAID = (
    f"SELECT {', '.join(COLUMNS)}, opening, moves FROM games",
    "SELECT id, seat, name FROM seats JOIN games USING (number) JOIN people USING (person)",
    "SELECT id, ply, severity, key FROM findings JOIN games USING (number)",
    "SELECT id, ply, decision, key, arbiter FROM rulings JOIN games USING (number)",
    "SELECT id, ply, status FROM disputes JOIN games USING (number)",
    "SELECT id, c.rowid % 65536, text FROM comments c JOIN games ON number = c.rowid / 65536",
    *(f"SELECT count(*) FROM {table}" for table in MODEL),
    "SELECT * FROM heads",
    "SELECT * FROM followed",
)


def whole(index: Path) -> list[list[object]]:
    """Return all that an index says, but for the numbers it has given to games."""
    with sqlite3.connect(index) as own:
        answers = [sorted(own.execute(question)) for question in SAID]
    own.close()
    return answers


@pytest.mark.parametrize("at", [1, 3])
def test_an_index_whose_desk_was_killed_while_its_runner_wrote_is_as_one_made_at_once(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    with opened(address) as writer:
        samples_in(writer, ["cardmate", "tarot"])
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "killed"))
    killed_while_it_writes(address, at)
    with opened(address) as after:
        listed = titles(after)
    monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "whole"))
    monkeypatch.setattr(local_index, "CHUNK", 5)
    with opened(address) as anew:
        assert titles(anew) == listed
    [one], [other] = ((tmp_path / name).glob("*.db") for name in ("killed", "whole"))
    assert whole(one) == whole(other)


def test_what_was_stored_by_a_desk_killed_before_its_index_knew_is_in_it_later(
    store: ServerStore, address: str
) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    killed_while_it_writes(address, 1, "play")
    assert len(store.stream("g")) == 3
    assert titles(store) == [("g", 1)]


# --- no room for the index ---


def test_where_there_is_no_room_for_the_index_the_log_is_written_all_the_same(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_disk(2) as disk:
        monkeypatch.setenv("CARTULARY_SHELF", str(disk.folder / "shelves"))
        with opened(address) as store:
            api.open_game(store, api.NewRequest("cardmate", id="g"))
            assert titles(store) == [("g", 0)]
            disk.fill()
            api.play(store, "g", api.WordsRequest(("4Ci3",)))
            for number in range(40):
                api.open_game(store, api.NewRequest("cardmate", id=f"g{number}", tags={"Event": "e" * 4000}))
            assert len(store.ids()) == 41
            with pytest.raises(DiskFull, match="no room left"):
                titles(store)
            disk.free()
            assert len(titles(store)) == 41
            assert titles(store)[0] == ("g", 1)
