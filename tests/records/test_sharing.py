"""One file opened several times by one process: no lock is lost to a look into it, and no fork takes it along."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cartulary.cli.shell import sources
from cartulary.records import api
from cartulary.records.exchange.from_sqlite import is_published
from cartulary.records.faults import Unreachable
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.database import is_game_database
from cartulary.records.log.events import MovePlayed
from cartulary.records.log.open_files import is_open
from cartulary.records.log.store import Store
from tests.records.archives import Run, sheet

COMER = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM heads').fetchall(); c.close()"


def come_and_go(path: Path) -> None:
    """Let another process open and close the file, as the last one does that finds no lock of anybody else's."""
    subprocess.run([sys.executable, "-c", COMER, str(path)], check=True, timeout=60)


def put(store: Store, id: str, text: str) -> Head:
    played = MovePlayed(at="2001-02-03T04:05:06.000Z", seat=1, text=text, findings=(), stands=False, clock="")
    return store.append(id, store.head(id) or origin(id), [played])


def second_store(path: Path) -> object:
    with Store(path) as second:
        return second.path


def second_store_that_reads(path: Path) -> object:
    with Store(path, create=False) as second:
        return second.ids()


def asked_of_a_journal(path: Path) -> object:
    return is_game_database(path.with_name(path.name + "-wal"))


LOOKS: list[Callable[[Path], object]] = [
    second_store,
    second_store_that_reads,
    is_game_database,
    asked_of_a_journal,
    is_published,
]


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_acknowledged_is_lost_after_a_second_look_at_the_file(
    db: Path, store: Store, look: Callable[[Path], object]
) -> None:
    put(store, "g", "first")
    look(db)
    come_and_go(db)
    assert Path(f"{db}-wal").exists()
    put(store, "g", "second")
    with closing(sqlite3.connect(db)) as other:
        assert other.execute("SELECT COUNT(*) FROM stored_events").fetchone() == (2,)


def test_two_stores_of_one_process_write_by_turns_while_others_come_and_go(db: Path) -> None:
    first, second = Store(db), Store(db)
    for turn in range(6):
        put((first, second)[turn % 2], "g", f"word{turn}")
        if turn == 2:
            Store(db).close()
        come_and_go(db)
    first.close()
    come_and_go(db)
    put(second, "g", "last")
    second.close()
    with Store(db) as third:
        assert len(third.stream("g")) == 7
        assert [proof.fault for proof in api.verify_all(third)] == [""]


def test_threads_that_open_and_close_the_file_lose_nothing(db: Path) -> None:
    stored: list[tuple[str, int]] = []

    def serve(name: str) -> None:
        for _ in range(12):
            with Store(db, timeout=60) as store:
                stored.append((name, put(store, name, "word").version))

    threads = [threading.Thread(target=serve, args=(f"t{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    come_and_go(db)
    for thread in threads:
        thread.join()
    with Store(db) as store:
        assert sorted(stored) == sorted((id, version) for id in store.ids() for version in range(1, 13))
        assert len(stored) == 48


def test_a_folder_with_the_open_database_in_it_is_taken_in_around_it(db: Path, run: Run, store: Store) -> None:
    put(store, "g", "first")
    (db.parent / "a.cgn").write_text(sheet(), "utf-8")
    assert "1 game: 1 new" in run("import", str(db.parent)).stderr
    come_and_go(db)
    put(store, "g", "second")
    with Store(db) as second:
        assert len(second.stream("g")) == 2


def test_a_record_to_look_for_is_read_before_the_database_is_open(
    db: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(db).close()
    held: list[bool] = []
    look = sources.unreadable

    def noted(path: str) -> str:
        held.append(is_open(db))
        return look(path)

    monkeypatch.setattr(sources, "unreadable", noted)
    assert "it is a database" in run("search", "--position", str(db), code=2).stderr
    assert held == [False]


def test_an_empty_file_is_not_taken_into_the_database_it_becomes(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "fresh.cgn"
    path.touch()
    errors = run("import", str(path), "--db", str(path), code=2).stderr
    assert f"{path} is the database that games are imported into; name other files" in errors


def test_a_closed_store_holds_nothing(db: Path) -> None:
    store = Store(db)
    assert is_open(db)
    assert is_open(Path(f"{db}-wal"))
    store.close()
    store.close()
    assert not is_open(db)


# --- forks ---


def in_a_fork(work: Callable[[], str]) -> str:
    """Return what a child of this process answers, and end it as an interpreter ends that is done."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(write, work().encode())
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as answer:
        text = answer.read().decode()
    os.waitpid(child, 0)
    return text


def fault_of(work: Callable[[], object]) -> str:
    try:
        return f"no fault: {work()!r}"
    except Unreachable as fault:
        return str(fault)


@pytest.mark.parametrize(
    "work",
    [
        lambda store: store.ids(),
        lambda store: put(store, "g", "word"),
        lambda store: Store(store.path),
        lambda store: Store(store.path, create=False),
        lambda store: api.reindex(store),
    ],
)
def test_a_fork_with_an_open_store_is_refused(store: Store, work: Callable[[Store], object]) -> None:
    put(store, "g", "first")
    answer = in_a_fork(lambda: fault_of(lambda: work(store)))
    assert "was open when this process was forked" in answer
    assert put(store, "g", "second").version == 2


def test_a_fork_of_a_fork_is_refused_too(store: Store) -> None:
    answer = in_a_fork(lambda: in_a_fork(lambda: fault_of(lambda: Store(store.path))))
    assert "was open when this process was forked" in answer


def test_a_fork_before_the_file_is_open_or_after_it_was_closed_is_nobodys_business(db: Path) -> None:
    with Store(db) as store:
        put(store, "g", "first")

    def child() -> str:
        with Store(db) as mine:
            return str(put(mine, "g", "second").version)

    assert in_a_fork(child) == "2"


AFTER_A_FORK = """
import os
import signal
import sys
import time
from pathlib import Path
from cartulary.records.log.store import Store
from tests.records.test_sharing import put

path = Path(sys.argv[1])
store = Store(path)
put(store, "g", "parent")
if not os.fork():
    sys.stdin.readline()
    store.close()
    sys.exit()  # the interpreter clears away all it has
store.close()
if not os.fork():
    mine = Store(path)
    put(mine, "g", "killed")
    os.kill(os.getpid(), signal.SIGKILL)
os.wait()
print("killed", flush=True)
os.wait()
"""


def test_a_child_that_ends_takes_no_journal_with_it(db: Path) -> None:
    words = [sys.executable, "-c", AFTER_A_FORK, str(db)]
    # The child that took the open store along ends last, when what another one stored stands in the journal alone.
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdin is not None
        parent.stdout.readline()
        parent.stdin.write("go\n")
        parent.stdin.close()
        assert parent.wait(60) == 0
    with Store(db) as store:
        assert len(store.stream("g")) == 2


def test_a_file_that_another_process_makes_meanwhile_is_opened_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    with Store(path) as store:
        api.open_game(store, api.NewRequest("cardmate", id="kept"))
    monkeypatch.setattr(Path, "exists", lambda self: False)
    with Store(path) as store:
        assert list(store.ids()) == ["kept"]
