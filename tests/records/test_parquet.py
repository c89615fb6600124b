"""Parquet: what is counted over a folder is what is counted in the archive, and half a folder is known to be one."""

import builtins
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.log.store import Store
from tests.places import SAMPLES
from tests.programs import package
from tests.records.archives import OPENING, Run, runner, samples_in, sheet, taken_in, with_bodies

duckdb = package("duckdb", "bulk")
GAMES = ("cardmate", "chess", "draughts", "tarot", "tarot-duel", "zarcana")
NONE = '[Game "Halma"]\n[Rules "none"]\n[Date "1888"]\n[Event "It\'s \'odd\'"]\n\n1. a b *\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an archive, `games.db`, and its Parquet files, `season`."""
    folder = tmp_path_factory.mktemp("club")
    with Store(folder / "games.db") as store:
        samples_in(store, GAMES)
        taken_in(store, sheet("", Date="????"), sheet("4Ci3 4Db6 8Dj2", "1-0", Forehand="?", Event=""), NONE)
        api.open_game(store, api.NewRequest("cardmate", id="ruled"))
        api.play(store, "ruled", api.WordsRequest(tuple(OPENING.split())))
        api.rule(
            store,
            "ruled",
            api.RulingRequest((3,), arbiter="Zoe", decision="stands", keys=("cardmate.reach",), reason="late"),
        )
    run = runner(folder / "games.db")
    assert "holds" in run("export", "--all", "--format", "parquet", "-o", str(folder / "season")).stderr
    return folder


def asked(folder: Path, sql: str) -> list[Any]:
    """Return what DuckDB answers of the plies."""
    with duckdb.connect() as database:
        files = f"read_parquet('{folder / 'season'}/plies/*/*/*.parquet')"
        found: list[Any] = database.execute(sql.format(plies=files)).fetchall()
        return found


# --- equal numbers ---


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--limit", "1"),
        ("--game", "tarot"),
        ("--game", "halma"),
        ("--player", "a"),
        ("--player", "ada", "--player", "bela"),
        ("--event", "club"),
        ("--event", "'odd'"),
        ("--date", "..2000"),
        ("--date", "2026", "--verdict", "irregular"),
        ("--result", "1-0", "openings"),
        ("--finding", "tarot.follow-suit"),
        ("--ruling", "stands"),
        ("--ruling", "cardmate.reach", "rules"),
        ("--player", "nobody at all"),
    ],
)
def test_a_folder_is_counted_as_the_archive_is(words: tuple[str, ...], made: Path, run: Run) -> None:
    for options in ((),) * (len(words) < 2) + (("--json",),):
        archive = runner(made / "games.db")("stats", *words, *options).stdout
        assert counted(made / "season", *words, *options) == archive
    assert archive or "nobody" in words[-1]


def counted(folder: Path, *words: str, code: int = 0, said: str = "") -> str:
    """Return what `stats --over` prints."""
    from tests.programs import typed

    ended = typed(("stats", "--over", str(folder), *words), folder.parent, {})
    assert ended.exit_code == code, ended.output
    assert said in ended.stderr
    return ended.stdout


def test_what_is_refused_of_the_archive_is_refused_of_a_folder(made: Path) -> None:
    for words, because in (
        (("--finding", "tarot.nonsense"), "Tarot has no rule"),
        (("--game", "Ludo"), "Ludo"),
        (("--date", "soon"), "is not a date"),
        (("nothing",), "is not a table"),
    ):
        assert counted(made / "season", *words, code=2, said=because) == ""


# --- the plies ---


@pytest.mark.smoke
def test_the_plies_are_those_of_the_games_sorted_by_mark_and_found_by_position(made: Path) -> None:
    for path in (made / "season" / "plies").rglob("*.parquet"):
        with duckdb.connect() as database:
            marks = [row[0] for row in database.execute(f"SELECT mark FROM read_parquet('{path}')").fetchall()]
        known = [mark for mark in marks if mark is not None]
        assert marks == sorted(known) + [None] * (len(marks) - len(known)), path
    with closing(sqlite3.connect(made / "games.db")) as database:
        plies = dict(database.execute("SELECT number, plies FROM games"))
    answer = asked(made, "SELECT number, COUNT(*) - 1 FROM {plies} GROUP BY 1")
    assert dict(answer) == plies
    first = asked(made, "SELECT game, word, COUNT(*) FROM {plies} WHERE ply = 1 AND game = 'chess' GROUP BY ALL")
    openings = [json.loads(line) for line in counted(made / "season", "openings", "--json").splitlines()]
    assert {word: times for _, word, times in first} == {
        row["first move"]: row["games"] for row in openings if row["game"] == "Chess"
    }


def test_a_position_is_found_under_the_mark_that_searches_use(made: Path) -> None:
    sheet = str(SAMPLES / "cardmate" / "games" / "page-1.cgn")
    hits = runner(made / "games.db")("search", "--position", sheet, "--at", "4", "--json").stdout.splitlines()
    found = {json.loads(hit)["id"] for hit in hits}
    with closing(sqlite3.connect(made / "games.db")) as database:
        numbers = {number for number, id in database.execute("SELECT number, id FROM games") if id in found}
        [mark] = {
            mark
            for mark, times in database.execute(
                "SELECT mark, COUNT(DISTINCT place) FROM positions WHERE ply=4 GROUP BY 1"
            )
            if times == len(found)
        } & {row[0] for row in asked(made, "SELECT mark FROM {plies} WHERE ply = 4 AND game = 'cardmate'")}
    assert {row[0] for row in asked(made, f"SELECT number FROM {{plies}} WHERE mark = {mark}")} == numbers


# --- what is no whole folder ---


@pytest.fixture
def season(made: Path, tmp_path: Path) -> Path:
    """Return a copy of the folder."""
    return shutil.copytree(made / "season", tmp_path / "season")


def test_half_a_folder_is_named(season: Path) -> None:
    marker = (season / "cartulary.json").read_bytes()
    (season / "cartulary.json").unlink()
    counted(season, code=2, said="is not a whole Parquet folder: it lacks cartulary.json, which is written last")
    (season / "cartulary.json").write_bytes(marker[: len(marker) // 2])
    counted(season, code=3, said="cartulary.json has been changed since it was written")
    (season / "cartulary.json").write_bytes(marker.replace(b"parquet 1", b"parquet 2"))
    counted(season, code=2, said="the format 'parquet 2', expected 'parquet 1'")


@pytest.mark.parametrize("length", [0, 10, None])
def test_a_file_missing_or_cut_off_is_named(season: Path, length: int | None) -> None:
    path = next((season / "plies").rglob("*.parquet"))
    path.write_bytes(path.read_bytes()[:length]) if length is not None else path.unlink()
    name = path.relative_to(season).as_posix()
    counted(season, code=3, said=f"is not whole: {name} is missing or was cut off")


def test_a_garbled_file_is_told_in_a_sentence(season: Path) -> None:
    path = next((season / "games").rglob("*.parquet"))
    path.write_bytes(b"\0" * path.stat().st_size)
    counted(season, code=2, said="The Parquet files cannot be used")


def test_a_folder_or_an_option_that_goes_not_with_it_is_named(season: Path, tmp_path: Path) -> None:
    counted(tmp_path / "nowhere", code=2, said="There is no folder")
    counted(tmp_path, code=2, said="is not a whole Parquet folder")
    counted(season, "--db", "a.db", code=2, said="use one of them")
    counted(season, "--text", "word", code=2, said="Parquet holds none")
    counted(season, "--seat", "p1", code=2, said="leave out --seat")


# --- writing ---


def test_only_a_folder_of_its_own_is_replaced(made: Path, tmp_path: Path) -> None:
    run = runner(made / "games.db")
    words = ("export", "--game", "chess", "--format", "parquet", "-o")
    full = tmp_path / "full"
    full.mkdir()
    (full / "letter.txt").write_text("mine")
    for force in ((), ("--force",)):
        assert "holds other files; name another folder" in run(*words, str(full), *force, code=2).stderr
    assert "is a file" in run(*words, str(full / "letter.txt"), code=2).stderr
    run(*words, str(tmp_path / "season"))
    assert "--force replaces it" in run(*words, str(tmp_path / "season"), code=2).stderr
    run("export", "--game", "tarot", "--format", "parquet", "-o", str(tmp_path / "season"), "--force")
    assert [json.loads(line)["game"] for line in counted(tmp_path / "season", "games", "--json").splitlines()] == [
        "Tarot"
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "season"]


DYING = """
import os, signal, sys
from pathlib import Path
from cartulary.cli.__main__ import main

name, when = sys.argv.pop(1), int(sys.argv.pop(1))
of = getattr(Path, name)

def dying(self, *told):
    global when
    if name == "rename" or self.name == "cartulary.json":
        when -= 1
        if when == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return of(self, *told)

setattr(Path, name, dying)
main()
"""


@pytest.mark.parametrize(
    ("step", "there"),
    [(("write_bytes", "1"), ["Cardmate"]), (("rename", "1"), ["Cardmate"]), (("rename", "2"), []), ((), ["Chess"])],
)
def test_an_export_killed_anywhere_leaves_a_whole_folder_or_none(
    step: tuple[str, ...], there: list[str], made: Path, tmp_path: Path
) -> None:
    season = tmp_path / "season"
    words = ["export", "--format", "parquet", "--db", str(made / "games.db"), "-o", str(season), "--force", "--game"]
    runner(made / "games.db")(*words, "cardmate")
    program = [sys.executable, "-c", DYING, *(step or ("rename", "0"))]
    ended = subprocess.run([*program, *words, "chess"], capture_output=True, check=False)
    assert ended.returncode == (-9 if step else 0), ended.stderr
    assert season.exists() == bool(there)
    if there:
        assert [json.loads(line)["game"] for line in counted(season, "games", "--json").splitlines()] == there
    runner(made / "games.db")(*words, "chess")
    assert [json.loads(line)["game"] for line in counted(season, "games", "--json").splitlines()] == ["Chess"]


def test_what_does_not_go_with_parquet_is_refused(made: Path, tmp_path: Path) -> None:
    run = runner(made / "games.db")
    assert "such as -o season" in run("export", "--all", "--format", "parquet", code=2).stderr
    words = ("export", "--all", "--format", "parquet", "-o", str(tmp_path / "season"))
    assert "databases, which hold cards the seat has not seen" in run(*words, "--seat", "p1", code=2).stderr
    assert "databases, which hold cards the seat has not seen" in run(*words, "--seat", "rail", code=2).stderr
    assert not list(tmp_path.iterdir())


def test_a_damaged_game_is_left_out_and_told_of_and_of_no_game_nothing_is_written(store: Store, db: Path) -> None:
    [first, _] = taken_in(store, sheet("4Ci3"), sheet("4Ci3 4Db6"))
    store.close()
    with closing(with_bodies(sqlite3.connect(db))) as database, database:
        database.execute("DROP TRIGGER events_are_not_edited")
        database.execute("UPDATE stored_events SET state = ' ' || body(state) WHERE originator_id = ?", (first,))
    run, out = runner(db), db.parent / "season"
    assert first in run("export", "--all", "--format", "parquet", "-o", str(out), code=3).stderr
    assert '"games":1' in (out / "cartulary.json").read_text()
    assert (
        "nothing was written" in run("export", first, "--format", "parquet", "-o", str(db.parent / "b"), code=3).stderr
    )
    assert not (db.parent / "b").exists()


def test_without_duckdb_the_extra_is_named(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def lacking(name: str, *more: Any) -> Any:
        if name == "duckdb":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", lacking)
    text = "Parquet needs DuckDB; install it with: python -m pip install 'cartulary[bulk]'."
    counted(made / "season", code=2, said=text)
    run = runner(made / "games.db")
    assert text in run("export", "--all", "--format", "parquet", "-o", str(tmp_path / "a"), code=2).stderr
    assert not list(tmp_path.iterdir())
