"""The database file: made once, recognised, and every way it can fail said in a sentence."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from cartulary.records import api
from cartulary.records.faults import Damaged, DiskFull, Foreign, ReadOnly, Unreachable
from cartulary.records.log import database
from cartulary.records.log.store import Store
from tests.records.logs import filled, played


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path, timeout=1) as store:
        yield store


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.write_bytes(b"1. 4Ci3 4Db6 and so on, for more than one hundred bytes" * 4)
    with pytest.raises(Foreign, match="not an SQLite database"):
        Store(path)
    assert path.read_bytes().startswith(b"1. 4Ci3")


def test_a_database_of_other_software_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(Foreign, match="made by other software"):
        Store(path)
    assert path.read_bytes() == before


def test_a_database_of_a_newer_version_is_left_alone(store: Store, path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(Foreign, match="newer version"):
        Store(path)


def cut_at(length: int) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, length)


@pytest.mark.parametrize("length", [40, 99, 1000, 4096, 9000, 20480])
def test_a_database_cut_off_is_said_to_be_damaged(path: Path, length: int) -> None:
    with Store(path) as store:
        filled(store, "g", 200)
    cut_at(length)(path)
    with pytest.raises(Damaged, match="damaged"), Store(path) as store:
        store.stream("g")


def test_an_empty_file_is_made_a_database(path: Path) -> None:
    path.touch()
    with Store(path) as store:
        assert filled(store, "g", 1).version == 1


def test_what_only_reads_does_not_make_a_database(path: Path) -> None:
    with pytest.raises(Unreachable, match="no database"):
        Store(path, create=False)
    path.touch()
    with pytest.raises(Unreachable, match="empty"):
        Store(path, create=False)
    assert path.stat().st_size == 0


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="is a folder"):
        Store(tmp_path)


def test_a_full_disk_stores_nothing_and_the_next_append_works(store: Store) -> None:
    head = filled(store, "g", 3)
    pages = store.index.rows("PRAGMA page_count")[0][0]
    store.index.rows(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DiskFull, match="no room left"):
        store.append("g", head, [played("w" * 5000) for _ in range(20)])
    assert store.head("g") == head
    store.index.rows("PRAGMA max_page_count = 1073741823")
    assert store.append("g", head, [played("word")]).version == 4


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that a process without privileges may enter."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.parametrize("folder_too", [False, True])
def test_what_may_only_be_read_is_read_and_not_written(open_folder: Path, folder_too: bool) -> None:
    path = open_folder / "games.db"
    with Store(path) as store:
        head = filled(store, "g", 2)
    path.chmod(0o444)
    open_folder.chmod(0o555 if folder_too else 0o777)
    privileged = os.geteuid() == 0
    if privileged:
        os.seteuid(65534)
    try:
        with Store(path) as store:
            assert len(store.stream("g")) == 2
            with pytest.raises(ReadOnly, match="is read-only"):
                store.append("g", head, [played("word")])
    finally:
        if privileged:
            os.seteuid(0)
        open_folder.chmod(0o755)


def test_an_exported_database_is_told_to_be_imported(store: Store, path: Path, tmp_path: Path) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    published = tmp_path / "club.db"
    api.publish(store, ("g",), published)
    before = published.read_bytes()
    with pytest.raises(Foreign, match="is an export; use `import` to put its games into a database"):
        Store(published)
    assert published.read_bytes() == before


class Interrupted:
    """A connection behind whose first question another process makes the tables."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.asked = 0

    def execute(self, question: str) -> SimpleNamespace:
        with closing(sqlite3.connect(self.path)) as connection:
            answer = connection.execute(question).fetchone()
        self.asked += 1
        if self.asked == 1:
            Store(self.path).close()
        return SimpleNamespace(fetchone=lambda: answer)


def test_a_file_that_another_process_makes_meanwhile_is_not_taken_for_foreign(path: Path) -> None:
    assert not database._has_our_tables(cast(sqlite3.Connection, Interrupted(path)), path)
    assert database._has_our_tables(cast(sqlite3.Connection, Interrupted(path)), path)


def test_a_file_opened_by_a_relative_path_is_found_wherever_the_process_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store(Path("games.db")) as store:
        monkeypatch.chdir("/")
        assert filled(store, "g", 2).version == 2


def test_a_file_moved_away_while_it_is_open_takes_nothing_more_until_it_is_back(store: Store, path: Path) -> None:
    head = filled(store, "g", 2)
    elsewhere = path.with_name("elsewhere.db")
    path.rename(elsewhere)
    for _ in range(2):
        for done in (lambda: store.append("g", head, [played()]), lambda: store.stream("g")):
            with pytest.raises(Unreachable, match="was moved, deleted or replaced while it was open"):
                done()
        path.write_bytes(b"another")
    path.unlink()
    elsewhere.rename(path)
    assert store.append("g", head, [played()]).version == head.version + 1
