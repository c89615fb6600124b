"""A server whose files are taken away or replaced beneath it, and files moved in beside what another database left.

Nothing is acknowledged that is not in the log, and no file is read together with one that is not its own.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from subprocess import PIPE, Popen
from time import monotonic, sleep
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.faults import Unreachable
from cartulary.records.log.store import Store
from cartulary.web.guard import OWN_HEADER
from tests.programs import forked
from tests.records.archives import OPENING

WORDS = OPENING.split()
BESIDE = "belongs to another database"


class Served:
    """A server on a file, in a process of its own."""

    def __init__(self, db: Path) -> None:
        words = [sys.executable, "-m", "cartulary.cli", "serve", "--no-open", "--port", "0", "--db", str(db)]
        self.program = Popen(words, stdout=PIPE, stderr=PIPE)
        assert self.program.stdout is not None
        address, _, self.key = self.program.stdout.readline().decode().strip().partition("/?key=")
        self.port = int(address.rpartition(":")[2])

    def asked(self, path: str, body: object = None) -> tuple[int, Any]:
        """Return the status of an answer and what it says."""
        to = HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"X-Cartulary-Key": self.key, "Content-Type": "application/json", OWN_HEADER: "1"}
        to.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
        answer = to.getresponse()
        reply = answer.status, json.loads(answer.read())
        to.close()
        return reply

    def write(self, number: int) -> int:
        """Write a word of the game, under a command of its own; return the status."""
        return self.asked("/games/g/words", {"command": f"w{number}", "words": WORDS[number]})[0]

    def kill(self) -> None:
        """End it at once, as a crash does."""
        self.program.send_signal(signal.SIGKILL)
        self.program.communicate()


@contextmanager
def served(db: Path) -> Iterator[Served]:
    """Serve a file; the server ends with the block."""
    server = Served(db)
    try:
        yield server
    finally:
        if server.program.poll() is None:
            server.program.terminate()
            server.program.communicate()


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A database with a game in which nothing is written yet."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    return path


def words_in(path: Path) -> tuple[str, ...]:
    """Return what is written in the game of a file, as a process of its own reads it."""
    done = forked("export", "g", "--format", "json", "--db", str(path))
    assert done.returncode == 0, done.stderr
    return tuple(ply["move"] for ply in json.loads(done.stdout)["standing"]["plies"])


def beside(path: Path, end: str = "-wal") -> Path:
    return path.with_name(path.name + end)


def deleted(db: Path) -> None:
    beside(db).unlink()


def moved_away(db: Path) -> None:
    beside(db).rename(db.with_name("elsewhere"))


def replaced(db: Path) -> None:
    beside(db).unlink()
    beside(db).touch()


def both_deleted(db: Path) -> None:
    beside(db).unlink()
    beside(db, "-shm").unlink()


@pytest.mark.parametrize("lost", [deleted, moved_away, replaced, both_deleted])
@pytest.mark.parametrize("ending", ["ended", "killed"])
def test_nothing_is_acknowledged_that_is_lost_with_the_journal(
    db: Path, lost: Callable[[Path], None], ending: str
) -> None:
    with served(db) as server:
        assert [server.write(number) for number in (0, 1)] == [200, 200]
        for path in ("/games.json", "/games/g.json"):  # several connections are open by now
            assert server.asked(path)[0] == 200
        lost(db)
        refused, answer = server.asked("/games/g/words", {"command": "w2", "words": WORDS[2]})
        assert refused == 503
        assert "was moved, deleted or replaced while the database was open" in answer["error"]
        acknowledged, until = 2, monotonic() + 20
        while acknowledged < 5 and monotonic() < until:  # it goes on by itself
            if server.write(acknowledged) == 200:
                acknowledged += 1
            else:
                sleep(0.1)
        assert acknowledged == 5
        if ending == "killed":
            server.kill()
    assert words_in(db) == tuple(WORDS[:5])
    assert forked("verify", "--all", "--db", str(db)).returncode == 0


def test_a_backup_moved_in_beneath_a_server_is_not_read_with_the_old_journal(db: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with served(db) as server:
        assert server.write(0) == 200
        assert forked("backup", str(copy), "--db", str(db)).returncode == 0
        assert [server.write(number) for number in (1, 2)] == [200, 200]
        os.replace(copy, db)
        status, answer = server.asked("/games/g.json")
        assert (status, "was moved, deleted or replaced while it was open" in answer["error"]) == (503, True)
        for _ in range(5):
            status, answer = server.asked("/games/g.json")
            assert (status, BESIDE in answer["error"]) == (503, True)
            assert server.write(1) == 503
        beside(db).unlink()
        assert server.write(1) == 200
        assert server.asked("/games/g/log.json")[0] == 200
    assert words_in(db) == tuple(WORDS[:2])
    assert forked("verify", "--all", "--db", str(db)).returncode == 0


# --- a file moved in beside what another left ---


@pytest.fixture
def crashed(db: Path, tmp_path: Path) -> Path:
    """A database whose server was killed, so that what was written last is in its journal; and a backup from before."""
    assert forked("backup", str(tmp_path / "copy.db"), "--db", str(db)).returncode == 0
    with served(db) as server:
        assert [server.write(number) for number in (0, 1, 2)] == [200] * 3
        server.kill()
    assert beside(db).stat().st_size > 0
    return db


def test_a_crash_alone_loses_nothing(crashed: Path) -> None:
    assert words_in(crashed) == tuple(WORDS[:3])


@pytest.mark.parametrize("moved", [os.replace, shutil.copyfile])
def test_a_backup_moved_in_beside_an_old_journal_is_not_read_with_it(
    crashed: Path, tmp_path: Path, moved: Callable[[Path, Path], object]
) -> None:
    moved(tmp_path / "copy.db", crashed)
    journal = beside(crashed).read_bytes()
    for words in (("list",), ("move", "g", WORDS[0]), ("verify", "--all"), ("serve", "--no-open", "--port", "0")):
        done = forked(*words, "--db", str(crashed))
        assert (done.returncode, done.stdout) == (2, ""), words
        assert f"{beside(crashed)} beside it {BESIDE}" in done.stderr
    assert beside(crashed).read_bytes() == journal  # nothing is thrown away
    beside(crashed).unlink()
    assert words_in(crashed) == ()
    assert forked("move", "g", WORDS[0], "--db", str(crashed)).returncode == 0


def test_no_database_is_made_beside_the_journal_of_one_that_is_gone(crashed: Path, tmp_path: Path) -> None:
    journal = beside(crashed).read_bytes()
    gone = tmp_path / "gone.db"
    for left in (None, b""):
        crashed.rename(gone)
        if left is not None:
            crashed.write_bytes(left)
        for words in (
            ("new", "cardmate", "--db", str(crashed)),
            ("backup", str(tmp_path / "copy.db"), "--into", str(crashed)),
        ):
            done = forked(*words)
            assert done.returncode == 2, words
            assert BESIDE in done.stderr
        assert beside(crashed).read_bytes() == journal
        gone.rename(crashed)
    assert words_in(crashed) == tuple(WORDS[:3])


def test_no_backup_is_put_beside_the_journal_of_another(crashed: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with Store(other) as store:
        api.open_game(store, api.NewRequest("cardmate", id="h"))
    for words in ((), ("--force",)):
        done = forked("backup", str(crashed), *words, "--db", str(other))
        assert done.returncode == 2
    assert BESIDE in done.stderr
    assert words_in(crashed) == tuple(WORDS[:3])


def test_a_backup_is_one_file_and_stays_one_when_it_is_read(db: Path, tmp_path: Path) -> None:
    copy = tmp_path / "a" / "copy.db"
    copy.parent.mkdir()
    assert forked("backup", str(copy), "--db", str(db)).returncode == 0
    assert forked("backup", str(copy), "--into", str(tmp_path / "again.db")).returncode == 0
    assert [path.name for path in copy.parent.iterdir()] == ["copy.db"]


def test_a_backup_is_copied_from_no_database_whose_journal_is_gone(db: Path, tmp_path: Path) -> None:
    with Store(db) as store:
        api.play(store, "g", api.WordsRequest(tuple(WORDS[:1])))
        beside(db).unlink()
        with pytest.raises(Unreachable, match="was moved, deleted or replaced"):
            api.back_up(store, tmp_path / "copy.db")
        with pytest.raises(Unreachable, match="was moved, deleted or replaced"):
            Store(db)  # SQLite would begin another journal beside the one that is still written to
    assert words_in(db) == (WORDS[0],)
