"""What an import writes into the index is what ``reindex`` works out of the log."""

import re
from pathlib import Path
from sqlite3 import connect

import pytest

from cartulary.notation import load, loads
from cartulary.records import api
from cartulary.records.library.standings import work_out_scores
from cartulary.records.log.schema import MODEL
from cartulary.records.log.store import Store
from tests.places import SAMPLES
from tests.records.archives import Run, samples_in, sheet

ENTIRE = {
    "games": "SELECT * FROM games ORDER BY number",
    "people": "SELECT name FROM people ORDER BY name",
    "seats": "SELECT number, seat, name FROM seats JOIN people USING (person) ORDER BY number, seat",
    "scores": "SELECT number, seat, since, name, share, points, place FROM scores JOIN people USING (person) "
    "ORDER BY number, seat, since",
    "comments": "SELECT rowid, text FROM comments ORDER BY rowid",
}
"""How a table is read whole; the others as they are. The number of a person may differ, and no name has two."""


def tables(path: Path) -> dict[str, list[object]]:
    """Return the rows of all tables of the index."""
    with connect(path) as database:
        return {name: sorted(database.execute(ENTIRE.get(name, f"SELECT * FROM {name}")), key=repr) for name in MODEL}


def of(players: int, movetext: str = "*", **tags: str) -> str:
    """Return a sheet that nobody judges, with its own tags, and movetext."""
    seats = {f"Seat{seat}": f"Person {seat}" for seat in range(1, players + 1)}
    answer = {"Game": "Canasta", "Date": "2026.03.14", **seats, **tags, "Rules": "none"}
    return "".join(f'[{name} "{value}"]\n' for name, value in answer.items()) + f"\n{movetext}\n\n"


RESULTS = {
    "points": of(4, "0-1-0-0", Description="winner=most", Points="176:189:166:135"),
    "points and score": of(3, "0-1-0", Description="winner=most", Points="6:9:1", Score="6:9:1"),
    "points with blanks": of(3, "1-0-0", Description="winner=most", Points=" 16 : 9 :-1"),
    "points that leave the result open": of(3, Points="3:2:1"),
    "points that give a result nobody wrote": of(3, "*", Description="winner=most", Points="3:2:1"),
    "fewest points": of(3, "0-0-1", Description="winner=fewest", Points="30:20:10"),
    "parts of a point": of(2, "1-0", Description="winner=most", Points="7/2:1/2"),
    "two who share the best points": of(3, "1/2-1/2-0", Description="winner=most", Points="9:9:1"),
    "points and a result that contradict each other": of(3, "1-0-0", Description="winner=most", Points="1:2:3"),
    "points for one seat too few": of(3, "1-0-0", Description="winner=most", Points="1:2"),
    "places": of(4, "0-1-0-0", Places="2:1:3:3"),
    "places and points": of(3, "0-1-0", Places="2:1:3", Points="20:30:1"),
    "a table that won": of(3, "1/3-1/3-1/3", Description="winner=table", Table="won"),
    "a table that lost": of(3, "0-0-0", Description="winner=table", Table="lost"),
    "one who played alone": of(1, "1", Description="winner=table", Table="won"),
    "teams": of(4, "1/2-0-1/2-0", Description="winner=most; seats=4; teams=1,2,1,2", Points="10:7:1:2"),
    "categories": of(
        3, "0-1-0", Description="winner=most; categories=Roads,Army", Categories="Roads=2:4:1; Army=2:0:0"
    ),
    "a winner and nothing else": of(4, "0-0-1-0"),
    "a draw": of(2, "1/2-1/2"),
    "no result": of(4, "*"),
    "rounds": of(3, "p0/10:7:-3 p0/1:1:1 1-0-0", Description="winner=most; rounds"),
    "rounds that a seat sat out": of(3, "p0/10:7:- p0/1:5:- 0-1-0", Description="winner=most; rounds"),
    "rounds nobody has ended": of(3, "p0/10:7:-3 *", Description="winner=most; rounds"),
    "words": of(2, "Build Trade 0-1", Description="words=Build:a road,Trade"),
    "a game no rules are installed for": of(3, "0-0-1", Points="1:2:3").replace('[Rules "none"]\n', ""),
    "a name with a blank too many, and a comment": of(3, "{late} 0-0-1", Points="1:2:3", Seat2=" Bela  Quill "),
    "a seat without a name": of(3, "0-0-1", Points="1:2:3", Seat2="?"),
    "a deal of tarot of which only the score was written": '[Game "Tarot"]\n[Date "2026.03.14"]\n[Seat1 "Ada"]\n'
    '[Seat2 "Bela"]\n[Seat3 "Carl"]\n[Seat4 "Dora"]\n'
    '[Taker "p1"]\n[Bid "Garde"]\n[Bouts "2"]\n[TakerPoints "45"]\n\n*\n\n',
    "a game of two with moves": sheet(),
    "a game of two with moves and a result": sheet(result="1-0", Date="2026.04.01"),
}


@pytest.mark.parametrize("form", RESULTS)
def test_an_imported_result_is_listed_and_scored_as_reindex_lists_and_scores_it(store: Store, form: str) -> None:
    [answer] = api.import_records(store, loads(RESULTS[form]))
    assert answer.status == "new"
    before = tables(store.path)
    api.reindex(store)
    assert before == tables(store.path)


def test_a_file_of_results_is_scored_as_reindex_scores_it(store: Store) -> None:
    answers = list(api.import_records(store, loads("".join(RESULTS.values())), batch=7))
    assert {answer.status for answer in answers} == {"new"}
    before = tables(store.path)
    points = [row[5] for row in before["scores"] if isinstance(row, tuple)]
    assert points[:4] == ["176", "189", "166", "135"]
    api.reindex(store)
    assert before == tables(store.path)


def test_the_sample_games_are_scored_as_reindex_scores_them(store: Store) -> None:
    assert samples_in(store, ("cardmate", "tarot", "tarot-duel", "zarcana", "arcanoid", "chess", "draughts"))
    for path in sorted((SAMPLES / "unjudged").rglob("*.cgn")):
        assert all(answer.id for answer in api.import_records(store, load(path)))
    before = tables(store.path)
    api.reindex(store)
    assert before == tables(store.path)


@pytest.mark.parametrize("game", ["tarot", "tarot-duel"])
def test_games_whose_sheets_do_not_write_the_score_their_moves_give_are_scored(store: Store, game: str) -> None:
    list(api.import_records(store, loads(_without_score(game))))
    before = tables(store.path)
    assert [row for row in before["scores"] if isinstance(row, tuple) and row[5] not in ("", "0")]
    api.reindex(store)
    assert before == tables(store.path)


def test_points_that_an_older_version_left_out_are_worked_out_once(tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    texts = [*RESULTS.values(), _without_score("tarot"), _without_score("tarot-duel")]
    with Store(path, create=True) as store:
        list(api.import_records(store, loads("".join(texts))))
        [scored] = samples_in(store, ("tarot-duel",))[:1]
        expected = tables(path)
    with connect(path) as database:
        database.execute(
            "UPDATE scores SET place = CASE share WHEN '0' THEN 2 ELSE place END, points = '' "
            "WHERE points <> '' AND number <> (SELECT number FROM games WHERE id = ?)",
            (scored,),
        )
        database.execute("DROP INDEX games_by_day")
        database.execute("CREATE INDEX games_by_game ON games (game, date)")
        database.execute("PRAGMA user_version = 7")
    assert tables(path) != expected
    with Store(path) as store:
        names = store.index.rows("SELECT name FROM sqlite_master WHERE name IN ('games_by_game', 'games_by_day')")
        assert names == [("games_by_day",)]
        waiting = store.index.rows("SELECT DISTINCT game FROM games JOIN unscored USING (number)")
        assert {game for (game,) in waiting} == {"Canasta", "tarot", "tarot-duel"}
        work_out_scores(store)
        assert tables(path) == expected


def _without_score(game: str) -> str:
    """Return the sheets of the samples of a game without their tag Score."""
    texts = (path.read_text() for path in sorted((SAMPLES / game / "games").glob("*.cgn")))
    return "\n".join(re.sub(r"(?m)^\[Score .*\n", "", text) for text in texts) + "\n"


def test_a_quiet_import_prints_no_line_for_a_result_without_findings(run: Run, tmp_path: Path) -> None:
    (tmp_path / "club.cgn").write_text("".join((RESULTS["points"], RESULTS["a winner and nothing else"])))
    result = run("import", "-q", str(tmp_path / "club.cgn"))
    assert (result.stdout, result.stderr) == ("", "2 games: 2 new\n")
    (tmp_path / "odd.cgn").write_text(RESULTS["points for one seat too few"])
    assert "the Points tag says 1:2, expected 3 numbers" in run("import", "-q", str(tmp_path / "odd.cgn")).stdout
