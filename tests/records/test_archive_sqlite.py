"""A database for readers: what stands in its tables, and that it comes back as the same games with the same heads."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cartulary.notation import dumps
from cartulary.records import api
from cartulary.records.exchange.archive import take_in_all
from cartulary.records.exchange.from_sqlite import is_published, read_published
from cartulary.records.exchange.sqlite import publish
from cartulary.records.exchange.sqlite_tables import TABLES
from cartulary.records.faults import Damaged, Declined, Unfit
from cartulary.records.library.search import ids
from cartulary.records.log.store import Store
from tests.records.archives import OPENING, Run, samples_in, sheet, taken_in


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return tmp_path / "club.db"


def asked(path: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql, values).fetchall()


def lived(store: Store) -> str:
    """Return the id of a game that was played, corrected, disputed, ruled on and closed."""
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela"), tags={"Event": "Cup"}))
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split()), clock="0:10:00"))
    api.play(store, "evening", api.WordsRequest(("XDa2",), stands=True))
    api.annotate(store, "evening", api.NoteRequest(2, "a quiet answer"))
    api.take_back(store, "evening", api.UndoRequest(1, by="p1", agreed="p2"))
    api.play(store, "evening", api.WordsRequest(("XDa2",), stands=True))
    api.dispute(store, "evening", api.DisputeRequest(9, by="p2", claim="it cannot go there"))
    api.rule(
        store,
        "evening",
        api.RulingRequest((9,), arbiter="Dora", decision="stands", keys=("cardmate.reach",), reason="seen late"),
    )
    api.close(store, "evening", api.CloseRequest("1-0", termination="adjudication"))
    return "evening"


@pytest.mark.smoke
def test_every_game_comes_back_with_the_same_log_and_head(store: Store, club: Path, tmp_path: Path) -> None:
    lived(store)
    samples_in(store)
    assert publish(store, ids(store), club) == (len(store.ids()), ())
    with Store(tmp_path / "back.db") as back:
        assert {each.status for each in take_in_all(back, read_published(club)) if not isinstance(each, Exception)} == {
            "new"
        }
        assert back.ids() == store.ids()
        for id in store.ids():
            assert back.stream(id) == store.stream(id)
            assert dumps(api.export_cgn(back, id, log=True)) == dumps(api.export_cgn(store, id, log=True))
        again = list(take_in_all(back, read_published(club)))
        assert {each.status for each in again if not isinstance(each, Exception)} == {"known"}


def test_the_tables_say_what_a_reader_looks_for(store: Store, club: Path) -> None:
    id = lived(store)
    publish(store, (id,), club)
    game = "SELECT title, event, players, result, termination, plies, verdict FROM games"
    [row] = asked(club, game)
    assert row[:6] == ("Cardmate", "Cup", "Ada; Bela", "1-0", "adjudication", 9)
    moves = asked(club, "SELECT ply, number, seat, word, verdict, clock, comment FROM moves ORDER BY ply")
    assert moves[0] == (1, 1, 1, "4Ci3", "legal", "", "")
    assert moves[1][-1] == "a quiet answer"
    assert moves[7][5] == "0:10:00"
    assert [row[3] for row in moves] == [*OPENING.split(), "XD:a2"]
    assert asked(club, "SELECT name, seat, share FROM seats JOIN players ON players.id = player ORDER BY 2") == [
        ("Ada", 1, "1"),
        ("Bela", 2, "0"),
    ]
    assert asked(club, 'SELECT "by", claim, status FROM disputes') == [("p2", "it cannot go there", "ruled")]
    assert asked(club, "SELECT arbiter, decision, rules, reason FROM rulings") == [
        ("Dora", "stands", "cardmate.reach", "seen late")
    ]
    assert asked(club, "SELECT value FROM tags WHERE name = 'Event'") == [("Cup",)]
    kinds = {kind for (kind,) in asked(club, "SELECT kind FROM log")}
    assert {"game-opened", "move-played", "move-taken-back", "ruling-given"} <= kinds


def test_findings_lead_to_their_rules_and_tables_to_one_another(store: Store, club: Path) -> None:
    samples_in(store)
    publish(store, ids(store), club)
    broken = asked(club, "SELECT rules.says, source FROM findings JOIN rules ON rule = key WHERE severity = 'error'")
    assert broken
    assert all(says and source for says, source in broken)
    assert asked(club, "PRAGMA foreign_key_check") == []
    assert asked(club, "PRAGMA integrity_check") == [("ok",)]
    assert asked(club, "SELECT COUNT(*) FROM rules_broken")[0][0] >= 1
    assert asked(club, "SELECT COUNT(DISTINCT game) FROM games_of_players") == asked(club, "SELECT COUNT(*) FROM games")
    assert asked(
        club,
        "SELECT comments.text FROM comments JOIN comments_fts ON comments_fts.rowid = comments.rowid "
        "WHERE comments_fts MATCH 'captures'",
    )
    assert asked(club, "SELECT name FROM players WHERE rowid IN (SELECT rowid FROM players_fts('ada'))") == [
        ("North, Ada",)
    ]
    plies = asked(club, "SELECT games.plies, COUNT(moves.ply) FROM games JOIN moves ON game = id GROUP BY id")
    assert all(answer == counted for answer, counted in plies)


def test_every_table_has_rows_and_a_description(store: Store, club: Path, tmp_path: Path, run: Run) -> None:
    lived(store)
    samples_in(store, ("tarot",))
    answer = tmp_path / "metadata.json"
    errors = run("export", "--all", "--format", "sqlite", "-o", str(club), "--metadata", str(answer)).stderr
    assert "holds 8 games, with every card on record" in errors
    tables = json.loads(answer.read_text("utf-8"))["databases"]["club"]["tables"]
    for name in TABLES:
        assert asked(club, f"SELECT COUNT(*) FROM {name}")[0][0] > 0, name
        assert len(tables[name]["description"]) > 20


def test_games_at_fault_are_named_and_the_others_are_written(store: Store, db: Path, club: Path, run: Run) -> None:
    damaged, sound = taken_in(store, sheet(), sheet(Round="2"))
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("DROP TRIGGER events_are_not_edited")
        other.execute("UPDATE stored_events SET state = '{}' WHERE originator_id = ?", (damaged,))
    errors = run("export", "--all", "--format", "sqlite", "-o", str(club), code=3).stderr
    assert f"Event 1 of {damaged}" in errors
    assert asked(club, "SELECT id FROM games") == [(sound,)]


# --- in ---


def test_a_published_database_is_imported_whole_and_twice_is_once(
    store: Store, club: Path, run: Run, tmp_path: Path
) -> None:
    lived(store)
    taken_in(store, sheet())
    publish(store, ids(store), club)
    elsewhere = ("--db", str(tmp_path / "elsewhere.db"))
    assert "2 games: 2 new" in run("import", str(club), *elsewhere).stderr
    assert "2 games: 2 known" in run("import", str(club), *elsewhere).stderr
    assert run("log", "evening", *elsewhere).stdout == run("log", "evening").stdout


def test_a_folder_is_gone_through_and_what_is_no_archive_is_left_out(run: Run, store: Store, tmp_path: Path) -> None:
    id = lived(store)
    folder = tmp_path / "old" / "papers"
    folder.mkdir(parents=True)
    publish(store, (id,), folder / "club.db")
    (folder / "sheet.cgn").write_text(sheet(), "utf-8")
    run("export", id, "--format", "json", "--log", "-o", str(folder / "evening.jsonl"))
    (folder / "package.json").write_text('{"name": "something"}', "utf-8")
    (folder / "notes.txt").write_text("nothing", "utf-8")
    with closing(sqlite3.connect(folder / "recipes.db")) as other:
        other.execute("CREATE TABLE about (what TEXT)")
    result = run("import", str(tmp_path / "old"), "--db", str(tmp_path / "new.db"))
    assert "3 games: 2 new, 1 known" in result.stderr
    (tmp_path / "empty").mkdir()
    assert "holds neither a score sheet nor an archive" in run("import", str(tmp_path / "empty"), code=2).stderr


def test_an_event_changed_in_the_tables_is_found_on_the_way_in(
    store: Store, club: Path, run: Run, tmp_path: Path
) -> None:
    id, other = lived(store), taken_in(store, sheet())[0]
    publish(store, (id, other), club)
    with closing(sqlite3.connect(club, isolation_level=None)) as database:
        database.execute("UPDATE log SET body = replace(body, '4Ci3', '3Cd3') WHERE game = ? AND version = 3", (id,))
    with Store(tmp_path / "back.db") as back:
        first, second = take_in_all(back, read_published(club))
        assert isinstance(first, Damaged)
        assert not isinstance(second, Exception)
    result = run("import", str(club), "--db", str(tmp_path / "third.db"), code=3)
    assert "Event 3 of evening is not the one that was written there" in result.stderr
    assert "2 games: 1 new, 1 declined" in result.stderr


def test_a_log_that_goes_on_elsewhere_is_taken_in_only_if_that_is_said(
    store: Store, club: Path, run: Run, tmp_path: Path
) -> None:
    taken = taken_in(store, sheet())[0]
    elsewhere = ("--db", str(tmp_path / "elsewhere.db"))
    publish(store, (taken,), club)
    run("import", str(club), *elsewhere)
    api.annotate(store, taken, api.NoteRequest(1, "later"))
    publish(store, (taken,), club, over=True)
    assert "--extend adds the rest" in run("import", str(club), *elsewhere, code=3).stderr
    assert "1 extended" in run("import", str(club), "--extend", *elsewhere).stderr


def test_what_is_no_published_database_is_said(store: Store, db: Path, tmp_path: Path, run: Run) -> None:
    taken_in(store, sheet())
    assert not is_published(db)
    assert not is_published(tmp_path / "nowhere.db")
    with pytest.raises(Unfit, match="expected one that `export --format sqlite` wrote"):
        list(read_published(db))
    assert "is not a score sheet: it is a database" in run("import", str(db), code=2).stderr


def test_two_archives_of_one_game_in_one_batch_are_taken_in_once(store: Store, tmp_path: Path) -> None:
    archive = api.export_json(store, lived(store), log=True)
    bare = api.export_json(store, "evening")
    with Store(tmp_path / "back.db") as back:
        fault = Unfit("told before")
        answers = list(take_in_all(back, [archive, fault, bare, archive]))
        assert [getattr(each, "status", "") for each in answers] == ["new", "", "", "known"]
        assert answers[1] is fault
        assert isinstance(answers[2], Declined)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("export", "--all", "--format", "sqlite"), "such as -o club.db"),
        (("export", "--all", "--metadata", "x.json"), "--metadata needs --format sqlite"),
        (("export", "--all", "--format", "sqlite", "-o", "x.db", "--seat", "p1"), "hold cards the seat has not seen"),
        (("export",), "Name the games to export, give --all"),
        (("export", "evening", "--player", "ada"), "Give one of three: the games' names, --all, or filters"),
        (("export", "--player", "nobody"), "No game was found"),
        (("export", "--date", "soon"), "is not a date"),
    ],
)
def test_what_cannot_be_exported_is_a_sentence(run: Run, store: Store, words: tuple[str, ...], says: str) -> None:
    lived(store)
    assert says in run(*words, code=2).stderr


def test_a_file_that_is_no_exported_database_is_never_written_over(run: Run, store: Store, db: Path) -> None:
    lived(store)
    before = db.read_bytes()
    assert "no export replaces it" in run("export", "--all", "--format", "sqlite", "-o", str(db), code=2).stderr
    assert db.read_bytes() == before


def test_a_selection_is_exported_in_every_format(run: Run, store: Store, club: Path) -> None:
    lived(store)
    taken_in(store, sheet(Forehand="Zoe"))
    assert run("export", "--player", "zoe").stdout.count("[Game ") == 1
    assert len(run("export", "--player", "bela", "--format", "json").stdout.splitlines()) == 2
    run("export", "--event", "cup", "--format", "sqlite", "-o", str(club))
    assert asked(club, "SELECT id FROM games") == [("evening",)]


def test_no_export_is_written_over_a_database_that_keeps_games(run: Run, store: Store, db: Path, club: Path) -> None:
    lived(store)
    for words in (
        ("--format", "json", "-o", str(db)),
        ("--format", "html", "-o", str(db)),
        ("--format", "cgn", "-o", f"{db}-wal"),
        ("--format", "sqlite", "-o", str(club), "--metadata", str(db)),
    ):
        assert "is a database with games in it" in run("export", "--all", *words, code=2).stderr
    assert "proved" in run("verify", "--all").stdout


def test_a_redacted_game_is_published_and_comes_back(store: Store, club: Path, tmp_path: Path) -> None:
    id = lived(store)
    with Store(tmp_path / "redacted.db") as redacted:
        api.take_in(redacted, api.export_redacted(store, id).archive)
        assert publish(redacted, [id], club) == (1, ())
    assert ("tags-changed", "left out of the export: tags-changed") in asked(club, "SELECT kind, says FROM log")
    with Store(tmp_path / "back.db") as back:
        assert len(list(take_in_all(back, read_published(club)))) == 1
        assert api.verify(back, id).digest == api.verify(store, id).digest


def test_a_move_ruled_to_stand_is_neither_legal_nor_refused_for_a_reader(store: Store, club: Path) -> None:
    samples_in(store, ["zarcana"])
    publish(store, ids(store), club)
    assert asked(club, "SELECT verdict, rules FROM moves WHERE verdict <> 'legal'") == [
        ("stands", "zarcana.hand-limit")
    ]


def test_a_database_where_none_can_be_written_is_a_sentence(run: Run, store: Store, tmp_path: Path) -> None:
    lived(store)
    out = str(tmp_path / "nowhere" / "club.db")
    assert "no such file or directory" in run("export", "--all", "--format", "sqlite", "-o", out, code=2).stderr


def test_a_folder_nobody_may_look_into_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in" / "shut").mkdir(parents=True)
    (tmp_path / "in" / "a.cgn").write_text(sheet())
    look = os.scandir

    def refused(path: str) -> Any:
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied", path)
        return look(path)

    monkeypatch.setattr("os.scandir", refused)
    done = run("import", str(tmp_path / "in"), code=2)
    assert f"{tmp_path / 'in' / 'shut'} cannot be read: permission denied" in done.stderr
    assert "1 game: 1 new" in done.stderr


def test_a_sheet_with_a_move_ruled_to_stand_is_told_as_it_is_listed(run: Run) -> None:
    done = run("import", "samples/cardmate/games/stands.cgn", "--json")
    report = json.loads(done.stdout)["report"]
    assert (report["verdict"], [found["severity"] for found in report["findings"]]) == ("legal", ["remark"])
    assert json.loads(run("list", "--json").stdout)["verdict"] == "legal"
