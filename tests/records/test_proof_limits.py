"""What a proof covers and what it says it does not: altered archives, edited lists, tails cut off with their heads."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.log.store import Store
from tests.records.archives import OPENING, Run

Standing = dict[str, Any]


def moved(said: Standing) -> None:
    said["plies"][1]["move"] = "4Db5"


def shortened(said: Standing) -> None:
    said["plies"].pop()


def won(said: Standing) -> None:
    said["result"] = "1-0"


def renamed(said: Standing) -> None:
    said["tags"] = [[name, value.replace("Ada", "Zoe")] for name, value in said["tags"]]


@pytest.fixture
def archive(store: Store, run: Run, tmp_path: Path) -> Path:
    """Return the archive of one game."""
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split())))
    path = tmp_path / "club.jsonl"
    run("export", "evening", "--format", "json", "--log", "-o", str(path))
    return path


@pytest.mark.parametrize("alter", [moved, shortened, won, renamed])
@pytest.mark.parametrize("here", ["nothing", "the game", "its beginning"])
def test_an_archive_that_says_something_else_than_its_log_is_not_taken_in(
    archive: Path, store: Store, run: Run, tmp_path: Path, alter: Callable[[Standing], None], here: str
) -> None:
    other = tmp_path / "other.db"
    if here == "the game":
        run("import", str(archive), "--db", str(other))
    elif here == "its beginning":
        run("import", str(archive), "--db", str(other))
        api.annotate(store, "evening", api.NoteRequest(1, "later"))
        run("export", "evening", "--format", "json", "--log", "--force", "-o", str(archive))
    data = json.loads(archive.read_bytes())
    alter(data["standing"])
    archive.write_text(json.dumps(data), "utf-8")
    text = "describes a game that is not the one its events make"
    assert text in run("verify", str(archive), code=3).stdout
    assert text in run("import", str(archive), "--extend", "--db", str(other), code=3).stderr
    listed = run("list", "--json", "--db", str(other)).stdout
    assert [json.loads(line)["version"] for line in listed.splitlines()] == ([] if here == "nothing" else [10])


def test_a_proof_of_all_says_that_lists_are_not_covered(archive: Path, db: Path, run: Run) -> None:
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("UPDATE games SET players = 'Zoe; Bela', result = '0-1'")
    assert "Zoe" in run("list").stdout
    text = " ".join(run("verify", "--all").stdout.split())
    assert "Not proved: the lists and the search, which `reindex` rebuilds from the log" in text
    run("reindex")
    assert "Zoe" not in run("list").stdout


def cut(db: Path, version: int) -> None:
    """Cut a log off behind an event and edit its head to fit."""
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        [[guard]] = other.execute("SELECT sql FROM sqlite_master WHERE name = 'events_are_not_deleted'")
        other.execute("DROP TRIGGER events_are_not_deleted")
        other.execute("DELETE FROM stored_events WHERE originator_version > ?", (version,))
        other.execute(guard)
        other.execute(
            "UPDATE heads SET version = ?, digest = (SELECT json_extract(state, '$.digest') FROM stored_events "
            "WHERE originator_version = ?)",
            (version, version),
        )


def test_a_proof_of_one_game_says_who_finds_a_tail_cut_off_with_its_head(archive: Path, db: Path, run: Run) -> None:
    head = run("verify", "evening").stdout.split("head ")[1].split()[0]
    cut(db, 7)
    text = " ".join(run("verify", "evening").stdout.split())
    assert "evening: proved, 7 events" in text
    assert "Not proved: that the log was not cut short together with its head. Use --all, or --head" in text
    assert "3 cannot be found" in run("verify", "--all", code=3).stdout
    found = run("verify", "evening", "--head", head, code=3).stdout
    assert "was cut off" in found
    assert "Not proved" not in found


def test_proofs_as_json_are_proofs_alone(archive: Path, run: Run) -> None:
    for words in (("--all",), ("evening",)):
        [line] = run("verify", *words, "--json").stdout.splitlines()
        assert json.loads(line)["id"] == "evening"
