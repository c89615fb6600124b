"""What others on the same machine may read: nothing of a database, of what stands beside it, or of cards with links."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.records import api
from tests.records.archives import Run


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Return the files of a folder that others may read or write, with their permissions."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    modes = ((path.name, stat.S_IMODE(path.stat().st_mode)) for path in files)
    return [f"{name} {mode:o}" for name, mode in modes if mode & 0o077]


def test_a_database_and_what_sqlite_puts_beside_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    with api.Store(tmp_path / "games.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
        api.make_links(store, "g", api.LinksRequest())
        beside = {path.name for path in tmp_path.iterdir()}
        assert {"games.db", "games.db-wal", "games.db-shm"} <= beside
        assert open_to_others(tmp_path) == []
        api.back_up(store, tmp_path / "backup.db")
        assert open_to_others(tmp_path) == []
    with api.Store(tmp_path / "new.db"):
        pass
    api.write_back(tmp_path / "backup.db", tmp_path / "restored.db")
    assert open_to_others(tmp_path) == []


def test_cards_with_links_are_for_whoever_prints_them(run: Run, db: Path, tmp_path: Path) -> None:
    run("new", "cardmate", "--id", "g")
    cards = tmp_path / "cards.html"
    run("links", "g", "-o", str(cards))
    assert stat.S_IMODE(cards.stat().st_mode) == 0o600
    cards.chmod(0o644)
    run("links", "g", "-o", str(cards), "--force")
    assert stat.S_IMODE(cards.stat().st_mode) == 0o600
    run("export", "g", "-o", str(tmp_path / "g.cgn"))
    assert stat.S_IMODE((tmp_path / "g.cgn").stat().st_mode) == 0o644  # a score sheet is for everybody


def test_a_database_whose_owner_has_opened_it_to_others_stays_so(tmp_path: Path) -> None:
    api.Store(tmp_path / "games.db").close()
    (tmp_path / "games.db").chmod(0o640)
    with api.Store(tmp_path / "games.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="g"))
    assert open_to_others(tmp_path) == ["games.db 640"]
