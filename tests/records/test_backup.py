"""A backup: the whole log as of one moment, proved, in a file of its own; written back whole or not at all."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.records import api
from cartulary.records.faults import Damaged, StoreFault, Unreachable
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.contract import Log
from cartulary.records.log.server import Server
from cartulary.records.log.store import Store
from tests.programs import package
from tests.records.archives import Run, runner, samples_in
from tests.records.logs import edit, played, texts

package("psycopg", "postgres")

from cartulary.records.log.server_store import ServerStore  # noqa: E402
from tests.records.servers import cut  # noqa: E402


def titles(store: Log) -> list[tuple[str, int]]:
    return sorted((game.id, game.plies) for game in api.games(store))


def heads(store: Log) -> dict[str, Head | None]:
    return {id: store.head(id) for id in store.ids()}


def test_a_log_copied_to_a_server_and_back_has_the_same_heads(address: str, db: Path, tmp_path: Path, run: Run) -> None:
    back, again = tmp_path / "back.db", tmp_path / "again.db"
    with Store(db) as here:
        samples_in(here)
        here.append("@aside", origin("@aside"), [played()])
        there = heads(here)
        listed = titles(here)
    run("backup", str(back), "--db", str(db))
    wrote = runner(address)
    assert (
        "--into names the database to restore to"
        in wrote("backup", str(back), "--into", address, "--db", "", code=2).stderr
    )
    answer = api.write_back(back, Server(address))
    assert answer == (len(there), 0)
    assert api.write_back(back, Server(address)) == (0, len(there))
    with api.open_store(Server(address)) as server:
        assert heads(server) == there
        assert titles(server) == listed
        assert server.asides() == ("@aside",)
    assert "games, each proved to the head of its log" in run("backup", str(again)).stdout
    with Store(again) as here:
        assert heads(here) == there
        assert titles(here) == listed
    assert run("verify", "--all").stdout == runner(again)("verify", "--all").stdout
    assert (
        run("export", "--all", "--format", "json", "--log").stdout
        == runner(again)("export", "--all", "--format", "json", "--log").stdout
    )


def test_a_backup_of_a_damaged_log_is_not_made(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.db"
    with Store(db) as here:
        here.append("g", origin("g"), [played("word")])
    edit(db, 1, lambda body: body.replace("word", "wrod"))
    assert "No backup was made" in runner(db)("backup", str(out), code=3).stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith((".", "out"))) == []


@pytest.fixture
def club(db: Path, tmp_path: Path) -> Path:
    """Give a backup of some games."""
    with Store(db) as here:
        samples_in(here, ["cardmate"])
        api.back_up(here, tmp_path / "club.db")
    return tmp_path / "club.db"


@pytest.mark.parametrize("left", [0.0, 0.0005, 0.02, 0.5, 0.9, 0.9999])
@pytest.mark.parametrize("server", [True, False])
def test_of_a_backup_cut_short_nothing_is_written_back(
    club: Path, tmp_path: Path, address: str, server: bool, left: float
) -> None:
    place = Server(address) if server else tmp_path / "other.db"
    club.write_bytes(club.read_bytes()[: int(club.stat().st_size * left)])
    with pytest.raises(StoreFault):
        api.write_back(club, place)
    with api.open_store(place) as there:
        assert there.ids() == ()


def test_a_backup_cut_short_is_told_where_it_is_to_be_restored(club: Path, address: str) -> None:
    club.write_bytes(club.read_bytes()[: club.stat().st_size // 2])
    result = runner(address)("backup", str(club), "--into", address, "--db", "", code=2)
    assert "leave out --db" in result.stderr
    ended = CliRunner().invoke(build(), ["backup", str(club), "--into", address], env={"NO_COLOR": "1"})
    assert (ended.exit_code, "club.db is damaged" in " ".join(ended.stderr.split())) == (3, True), ended.stderr


# --- others go on writing ---


def test_a_backup_of_a_server_is_of_one_moment_whatever_is_written_meanwhile(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with api.open_store(Server(address)) as here, api.open_store(Server(address)) as there:
        moment = {id: here.append(id, origin(id), [played()]) for id in "ab"}
        stream = here.log.stream

        def written_after(id: str, kept: Any = ()) -> Any:
            recorded = stream(id, kept)
            if there.head("c") is None:
                for each in "ab":
                    there.append(each, moment[each], [played()])
                there.append("c", origin("c"), [played()])
            return recorded

        monkeypatch.setattr(here.log, "stream", written_after)
        assert api.back_up(here, tmp_path / "out.db") == 2
        assert here.ids() == ("a", "b", "c")
    with Store(tmp_path / "out.db") as copy:
        assert heads(copy) == moment


def test_who_follows_a_server_is_told_while_a_backup_is_made(address: str) -> None:
    here, there, third = (api.open_store(Server(address)) for _ in range(3))
    with here, there, third:
        assert isinstance(here.log, ServerStore)
        with here.log.snapshot():
            assert here.ids() == ()
            there.append("g", origin("g"), [played()])
            assert [id for _, id, _ in third.after(0)] == ["g"]
            assert here.ids() == ()
        assert here.ids() == ("g",)


def test_a_backup_whose_connection_is_cut_is_not_made(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with api.open_store(Server(address)) as here:
        for id in "ab":
            here.append(id, origin(id), [played()])
        stream = here.log.stream

        def cut_after(id: str, kept: Any = ()) -> Any:
            recorded = stream(id, kept)
            cut(address)
            return recorded

        monkeypatch.setattr(here.log, "stream", cut_after)
        with pytest.raises(Unreachable):
            api.back_up(here, tmp_path / "out.db")
    assert {path.name for path in tmp_path.iterdir()} <= {"shelves"}


def test_what_is_read_as_of_one_moment_is_not_read_on_through_another_connection(address: str) -> None:
    with api.open_store(Server(address)) as here:
        assert isinstance(here.log, ServerStore)
        with here.log.snapshot():
            cut(address)
            with pytest.raises(Unreachable):
                here.ids()
        assert here.ids() == ()


# --- where it is written back ---


@pytest.mark.parametrize("server", [True, False])
def test_a_backup_is_not_written_over_another_game_of_the_same_id(
    db: Path, tmp_path: Path, address: str, server: bool
) -> None:
    out, place = tmp_path / "out.db", Server(address) if server else tmp_path / "other.db"
    for where, word in ((db, "one"), (place, "two")):
        with api.open_store(where) as store:
            store.append("g", origin("g"), [played(word)])
    with Store(db) as here:
        here.append("h", origin("h"), [played()])
        assert api.back_up(here, out) == 2
    with pytest.raises(Damaged, match="holds another game"):
        api.write_back(out, place)
    with api.open_store(place) as store:
        assert texts(store, "g") == ["two"]
        assert store.ids() == ("g",)


def test_a_backup_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="There is no backup"):
        api.write_back(tmp_path / "none.db", tmp_path / "games.db")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_is_a_new_file_and_not_the_database_itself(db: Path, tmp_path: Path) -> None:
    run = runner(db)
    assert "no database" in run("backup", str(tmp_path / "out.db"), code=2).stderr
    run("new", "cardmate", "--id", "evening")
    assert "--force replaces it" in run("backup", str(db), code=2).stderr
    assert "the database itself" in run("backup", str(db), "--force", code=2).stderr
    assert "out.db holds 1 game" in run("backup", str(tmp_path / "out.db")).stdout.replace("\n", " ")
    assert "evening" in runner(tmp_path / "out.db")("list").stdout
