"""Streams whose id begins with ``@`` are no games: kept and proved as every other, and listed nowhere."""

import sqlite3
from pathlib import Path

import pytest

from cartulary.records import api
from cartulary.records.log.chain import origin
from cartulary.records.log.store import Store
from tests.records.archives import Run
from tests.records.logs import edit, played, texts


@pytest.fixture
def beside(run: Run, db: Path) -> Run:
    """Give a database of one game and two streams that are none."""
    run("new", "cardmate", "--id", "evening")
    with Store(db) as store:
        for id in ("@people", "@games"):
            store.append(id, origin(id), [played("one"), played("two")])
    return run


@pytest.mark.parametrize(
    "words", [("list",), ("export", "--all"), ("verify", "--all"), ("search", "--game", "cardmate")]
)
def test_what_goes_through_all_games_leaves_out_what_is_none(beside: Run, words: tuple[str, ...]) -> None:
    output = beside(*words).stdout
    assert "evening" in output
    assert "@" not in output


def test_an_index_written_anew_holds_games_only(beside: Run) -> None:
    assert beside("reindex", "--positions").stdout == "1 game listed, the positions of 1 game indexed\n"
    assert "@" not in beside("list", "--json").stdout


def test_an_archive_of_all_holds_games_only(beside: Run, tmp_path: Path) -> None:
    club = tmp_path / "club.db"
    beside("export", "--all", "--format", "sqlite", "-o", str(club))
    with sqlite3.connect(club) as published:
        assert published.execute("SELECT id FROM games").fetchall() == [("evening",)]
    published.close()


@pytest.mark.parametrize(
    "words",
    [
        ("show", "@people"),
        ("log", "@people"),
        ("verify", "@people"),
        ("export", "@people"),
        ("move", "@people", "4Ci3"),
    ],
)
def test_no_command_takes_such_a_stream_for_a_game(beside: Run, db: Path, words: tuple[str, ...]) -> None:
    assert "There is no game @people in this database." in beside(*words, code=2).stderr
    with Store(db) as store:
        assert texts(store, "@people") == ["one", "two"]


def test_no_game_is_opened_or_taken_in_under_such_an_id(beside: Run, tmp_path: Path) -> None:
    assert "'@x' is not an id" in beside("new", "cardmate", "--id", "@x", code=2).stderr
    text = beside("export", "evening", "--format", "json", "--log").stdout
    archive = tmp_path / "odd.json"
    archive.write_text(text.replace('"id":"evening"', '"id":"@x"'), "utf-8")
    assert (
        "@x is not a game; expected an archive of a game, or of @games, @house, @people or an evening"
        in beside("import", str(archive), code=2).stderr
    )


def test_a_broken_stream_that_is_no_game_is_damage_to_the_whole(beside: Run, db: Path, store: Store) -> None:
    edit(db, 2, lambda body: body.replace("two", "owt"), "@people")
    faults = [(proof.id, proof.fault) for proof in api.verify_all(store) if proof.fault]
    assert ("", "Event 2 of @people is not the one that was written there.") in faults
    assert "the database: NOT PROVED: Event 2 of @people" in beside("verify", "--all", code=3).stdout.replace("\n", " ")
