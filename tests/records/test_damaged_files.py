"""Database files with bytes overwritten anywhere: every command ends in a sentence, never in a fault of the program."""

import os
import random
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.records import api
from cartulary.records.exchange.sqlite import publish
from cartulary.records.faults import Damaged, Unreachable
from cartulary.records.library.positions import place
from cartulary.records.log.store import Store
from tests.hunts import looks
from tests.records.archives import OPENING, PAGE, Run, samples_in

COMMANDS = """
list
list --player ada --json
search --text word*
search --position PAGE --at 4
log evening
show evening
check evening
export evening
export --all --format json --log
export --all --format html
verify evening
verify --all
move evening 7Di8
note evening 1 words
dispute evening 1 --claim words
tag evening Site=Here
close evening 1-0
undo evening
new cardmate --id another
import PAGE
reindex
reindex --positions
stats
duplicates
revalidate
""".strip().splitlines()


def lived(path: Path) -> None:
    """Make a database with a bit of everything."""
    with Store(path) as store:
        api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela"), tags={"Event": "Cup"}))
        api.play(store, "evening", api.WordsRequest(tuple(OPENING.split()[:6])))
        api.annotate(store, "evening", api.NoteRequest(2, "a quiet word"))
        api.dispute(store, "evening", api.DisputeRequest(3, by="p2", claim="it cannot go there"))
        samples_in(store, ("cardmate", "zarcana"))
        api.reindex(store)
        place(store)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database that is left as it is."""
    path = tmp_path_factory.mktemp("whole") / "whole.db"
    lived(path)
    return path


@pytest.fixture
def db(tmp_path: Path, whole: Path) -> Path:
    """Return a copy of it, to be damaged."""
    return Path(shutil.copy(whole, tmp_path / "games.db"))


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Return the bytes of a file with some of them overwritten, as disks and people do."""
    changed = bytearray(data)
    kind = draw.random()
    if kind < 0.1:
        del changed[draw.randrange(len(changed)) :]
    elif kind < 0.2:
        at = draw.randrange(len(changed))
        changed[at : at + 512] = bytes(len(changed[at : at + 512]))
    else:
        within = len(changed) if draw.random() < 0.6 else draw.choice((100, 4096, 16384))
        for _ in range(draw.choice((1, 1, 2, 8, 64))):
            changed[draw.randrange(min(within, len(changed)))] = draw.choice((0, 255, 127, draw.randrange(256)))
    return bytes(changed)


def fault_of(words: list[str]) -> str:
    """Return what is wrong with how a command ends; nothing where it ends as it may."""
    result = CliRunner().invoke(build(), words, env={"NO_COLOR": "1", "COLUMNS": "80"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"{type(result.exception).__name__}: {result.exception}"
    if result.exit_code not in (0, 1, 2, 3):
        return f"exit {result.exit_code}"
    if result.exit_code in (2, 3) and not result.output.strip():
        return f"exit {result.exit_code} without a word"
    return ""


@pytest.mark.hunt
def test_a_database_damaged_anywhere_ends_no_command_in_a_fault_of_the_program(tmp_path: Path, whole: Path) -> None:
    path, draw = tmp_path / "games.db", random.Random(21)
    data, wrong = whole.read_bytes(), []
    for number in range(looks(40)):
        bad = damaged(data, draw)
        for command in draw.sample(COMMANDS, 4):
            for end in ("-wal", "-shm", "-journal"):
                path.with_name(path.name + end).unlink(missing_ok=True)
            path.write_bytes(bad)
            words = [*command.replace("PAGE", str(PAGE)).split(), "--db", str(path)]
            fault = fault_of(words)
            if fault:
                wrong.append(f"{number}: {command}: {fault}")
    assert wrong == []


# --- what was found ---


def altered(path: Path, *statements: str) -> None:
    """Change the file as no program does: what the schema forbids too."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            other.execute(statement)


NULLABLE = "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'stored_events'"
UNTRIGGERED = "DELETE FROM sqlite_master WHERE type = 'trigger'"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_byte_in_the_schema_that_is_no_utf8_is_damage(db: Path, run: Run, command: str) -> None:
    data = db.read_bytes()
    assert data.count(b"CREATE INDEX games_by_date") == 1
    db.write_bytes(data.replace(b"CREATE INDEX games_by_date", b"CREATE \xaaNDEX games_by_date"))
    assert "is damaged" in run(*command.replace("PAGE", str(PAGE)).split(), code=3).stderr


@pytest.mark.parametrize("version", [0, -1])
def test_a_version_nobody_gave_a_database_is_damage(db: Path, run: Run, version: int) -> None:
    altered(db, f"PRAGMA user_version = {version}")
    assert "is damaged: no version of this program" in run("list", code=3).stderr


@pytest.mark.parametrize("column", ["originator_id", "topic", "state"])
def test_nothing_where_something_was_in_the_log_is_damage(db: Path, run: Run, column: str) -> None:
    altered(db, NULLABLE, UNTRIGGERED)
    altered(db, f"UPDATE stored_events SET {column} = NULL WHERE rowid = 2")
    assert "Event 2 of evening" in run("reindex", code=3).stderr
    assert "evening: NOT PROVED: Event 2 of evening" in run("verify", "--all", code=3).stdout
    run("export", "--all", code=3)


@pytest.mark.parametrize("value", ["NULL", "x'ff'", "CAST(x'ff' AS TEXT)", "1e300"])
@pytest.mark.parametrize("column", ["id", "players", "plies", "updated"])
def test_a_games_list_nobody_wrote_is_damage_that_reindex_mends(db: Path, run: Run, column: str, value: str) -> None:
    altered(db, f"UPDATE games SET {column} = {value} WHERE number = 1")
    for words in (("list",), ("revalidate",), ("duplicates",), ("stats",), ("export", "--verdict", "legal")):
        assert fault_of([*words, "--db", str(db)]) == ""
    run("reindex")
    assert "evening" in run("list").stdout


@pytest.mark.parametrize("seat", ["'first'", "-99"])
def test_a_seat_nobody_has_is_damage_too(db: Path, run: Run, seat: str) -> None:
    altered(db, f"UPDATE OR IGNORE seats SET seat = {seat}", "UPDATE people SET name = NULL WHERE person = 1")
    assert "`reindex` to rebuild it" in run("stats", "players", code=3).stderr
    run("list", "--player", "ada")


def test_a_store_closed_after_a_failed_question_leaves_no_file_open(db: Path) -> None:
    altered(db, "UPDATE games SET event = CAST(x'ff' AS TEXT)")
    faults = []
    with Store(db) as store:
        try:
            store.index.rows("SELECT event FROM games")
        except Damaged as fault:
            faults.append(fault)
    # The journal goes when the last connection does.
    assert faults
    assert not db.with_name("games.db-wal").exists()


@pytest.mark.parametrize("create", [True, False])
def test_a_pipe_is_no_database_and_is_not_waited_for(tmp_path: Path, create: bool) -> None:
    db = tmp_path / "pipe.db"
    os.mkfifo(db)
    answers: list[str] = []

    def opened() -> None:
        with pytest.raises(Unreachable) as caught:
            Store(db, create=create)
        answers.append(str(caught.value))

    thread = threading.Thread(target=opened, daemon=True)
    thread.start()
    thread.join(20)
    assert answers == [f"{db} is a pipe, not a database."]


def test_a_device_is_no_database() -> None:
    with pytest.raises(Unreachable, match="is a device, not a database"):
        Store("/dev/null")


@pytest.mark.hunt
def test_an_exported_database_damaged_anywhere_ends_no_command_in_a_fault_of_the_program(
    tmp_path: Path, whole: Path
) -> None:
    club, path, draw = tmp_path / "club.db", tmp_path / "bad.db", random.Random(22)
    with Store(whole) as store:
        publish(store, store.ids(), club)
    data, wrong = club.read_bytes(), []
    for number in range(looks(40)):
        path.write_bytes(damaged(data, draw))
        for words in (["verify", str(path)], ["import", str(path)], ["validate", str(path)]):
            (tmp_path / "into.db").unlink(missing_ok=True)
            fault = fault_of([*words, "--db", str(tmp_path / "into.db")])
            if fault:
                wrong.append(f"{number}: {words[0]}: {fault}")
    assert wrong == []
