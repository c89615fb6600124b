"""The archive in numbers: what is counted, with which filters, as tables, lines of JSON and pictures."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cartulary.cli.commands.stats import MOST
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.search import Query
from cartulary.records.library.stats import TALLIES, Tally
from cartulary.records.log.store import Store
from tests.records.archives import OPENING, Run, samples_in, sheet, taken_in


@pytest.fixture
def season(store: Store) -> Store:
    """A store with six games of two players in two years."""
    taken_in(
        store,
        sheet("4Ci3 Resign", "1-0", Date="2025.10.01"),
        sheet("4Ci3 4Db6 Resign", "0-1", Date="2026.01.01"),
        sheet("3Cd3 4Db6 Draw p2/Agree", "1/2-1/2", Date="2026.01.02", Event="Cup"),
        sheet("4Ci3", Date="????.??.??", Event="?", Rearhand="?"),
        sheet("", Date="2026.01.03"),
        sheet("4Ci3 4Db6 8Dj2", "1-0", Date="2026.01.04", Forehand="Bela", Rearhand="Ada", Termination="adjudication"),
    )
    return store


def tables(store: Store, query: Query | None = None, limit: int | None = None) -> dict[str, Tally]:
    return {table.name: table for table in api.tally(store, query or Query(), limit=limit)}


def test_games_years_and_events_are_counted(season: Store) -> None:
    answer = tables(season)
    assert answer["games"].rows[0][:3] == ("Cardmate", 6, 4)
    assert answer["years"].rows == (("2025", 1), ("2026", 4), ("unknown", 1))
    assert answer["events"].rows[0] == ("Club evening", 4, "2025.10.01", "2026.01.04")
    assert {row[0] for row in answer["events"].rows} == {"Club evening", "Cup", "unknown"}


def test_a_game_nobody_judges_is_not_taken_for_the_one_of_its_name(store: Store) -> None:
    taken_in(
        store, '[Game "Chess"]\n[Rules "none"]\n[Result "*"]\n\n1. e4 *\n', '[Game "Chess"]\n[Result "*"]\n\n1. e4 *\n'
    )
    assert [row[0] for row in tables(store)["games"].rows] == ["Chess, unjudged", "Chess"]


def test_games_without_an_event_are_one_row(season: Store) -> None:
    taken_in(season, sheet("4Ci3 4Db6", Event=""))
    assert [row[1] for row in tables(season)["events"].rows if row[0] == "unknown"] == [2]


def test_results_are_told_by_seat_and_by_player_and_open_games_count_in_neither(season: Store) -> None:
    answer = tables(season)
    assert answer["results"].rows == (("Cardmate", 2, "p1", 4, 2, 1, 62.5), ("Cardmate", 2, "p2", 4, 1, 1, 37.5))
    players = {row[0]: row[1:] for row in answer["players"].rows}
    assert players == {"Ada": (6, 4, 1.5, 37.5), "Bela": (5, 4, 2.5, 62.5)}


def test_lengths_and_first_moves_are_those_of_games_with_a_ply(season: Store) -> None:
    answer = tables(season)
    assert answer["lengths"].rows == (("Cardmate", 5, 1, 3, 2.6, 4),)
    assert answer["openings"].rows == (("Cardmate", "4Ci3", 4), ("Cardmate", "3Cd3", 1))


def test_rules_are_counted_by_breaches_questions_and_rulings(store: Store) -> None:
    samples_in(store, ("tarot",))
    by_name = {row[0]: row[1:] for row in tables(store)["rules"].rows}
    assert by_name["tarot.follow-suit"] == (2, 1, 1, 0, 2)
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split())))
    api.rule(
        store,
        "evening",
        api.RulingRequest((3,), arbiter="Dora", decision="stands", keys=("cardmate.reach",), reason="seen late"),
    )
    by_name = {row[0]: row[1:] for row in tables(store)["rules"].rows}
    assert by_name["cardmate.reach"] == (1, 0, 0, 1, 0)


def test_every_filter_narrows_what_is_counted(season: Store) -> None:
    assert tables(season, Query(date="2026"))["games"].rows[0][1] == 4
    assert tables(season, Query(event="cup"))["openings"].rows == (("Cardmate", "3Cd3", 1),)
    assert tables(season, Query(player=("nobody",)))["games"].rows == ()


def test_long_tables_are_cut_and_say_how_much_is_left(season: Store) -> None:
    answer = tables(season, limit=1)
    assert (len(answer["events"].rows), answer["events"].cut_rows) == (1, 2)
    assert answer["years"].rows == (("unknown", 1),)


@pytest.mark.parametrize(
    ("names", "limit", "says"), [(("games", "suits"), None, "'suits' is not a table"), ((), 0, "0 rows")]
)
def test_what_cannot_be_counted_is_said(store: Store, names: tuple[str, ...], limit: int | None, says: str) -> None:
    with pytest.raises(Unfit, match=says):
        api.tally(store, names=names, limit=limit)


# --- the command ---


def test_the_command_prints_every_table_within_80_columns(run: Run, season: Store) -> None:
    output = run("stats").stdout
    assert all(table.says in output for table in tables(season).values())
    assert max(map(len, output.splitlines())) <= 80
    assert "  and 2 more" in run("stats", "events", "--limit", "1").stdout
    assert "  none" in run("stats", "rules").stdout
    assert "expected one of: games, years" in run("stats", "suits", code=2).stderr


def test_json_is_one_object_a_row(run: Run, season: Store) -> None:
    rows = [json.loads(line) for line in run("stats", "years", "games", "--json").stdout.splitlines()]
    assert {row["table"] for row in rows} == {"years", "games"}
    assert {"table": "years", "year": "2025", "games": 1} in rows


@pytest.mark.parametrize(("name", "begins"), [("all.png", b"\x89PNG\r\n"), ("one.SVG", b"<?xml")])
@pytest.mark.smoke
def test_pictures_are_drawn(run: Run, season: Store, tmp_path: Path, name: str, begins: bytes) -> None:
    path = tmp_path / name
    assert "was drawn" in run("stats", "--picture", str(path)).stderr
    assert path.read_bytes().startswith(begins)
    assert len(path.read_bytes()) > 10_000
    assert sorted(each.name for each in tmp_path.iterdir() if "games" not in each.name) == [name]


def test_signs_the_font_lacks_are_told_once_and_not_by_the_library(
    run: Run, store: Store, db: Path, tmp_path: Path
) -> None:
    taken_in(store, sheet(Forehand="李白", Rearhand="白李"))
    process = subprocess.run(
        [sys.executable, "-m", "cartulary.cli", "stats", "--picture", str(tmp_path / "a.png"), "--db", str(db)],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"MPLCONFIGDIR": str(tmp_path / "new")},
        check=True,
    )
    lines, drawn = process.stderr.splitlines()
    assert re.fullmatch(r"cartulary: The picture's font lacks (李 白|白 李); boxes are drawn instead\.", lines)
    assert drawn.endswith("was drawn.")


def test_names_that_look_like_formulas_are_drawn_as_they_are(run: Run, store: Store, tmp_path: Path) -> None:
    taken_in(store, sheet(Forehand="$\\frac{1}$ <b>&", Rearhand="N" * 80))
    run("stats", "players", "--picture", str(tmp_path / "players.svg"))
    assert (tmp_path / "players.svg").exists()


def test_a_picture_that_cannot_be_drawn_is_a_sentence(run: Run, season: Store, tmp_path: Path) -> None:
    assert "expected one that ends with .png or .svg" in run("stats", "--picture", "a.gif", code=2).stderr
    words = ("stats", "--player", "nobody", "--picture", str(tmp_path / "a.png"))
    assert "There is nothing to draw" in run(*words, code=2).stderr
    assert "cartulary:" in run("stats", "--picture", str(tmp_path / "no" / "a.png"), code=2).stderr


def test_without_the_plotting_library_the_pip_command_is_said(
    run: Run, season: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert "pip install 'cartulary[pictures]'" in run("stats", "--picture", str(tmp_path / "a.png"), code=2).stderr


def test_counting_loads_no_plotting_library(season: Store) -> None:
    script = (
        "import sys; from cartulary.cli.__main__ import main; sys.argv = ['cartulary', 'stats', '--db', sys.argv[1]]\n"
    )
    script += "try:\n    main()\nfinally:\n    assert 'matplotlib' not in sys.modules\n"
    subprocess.run([sys.executable, "-c", script, str(season.path)], check=True, capture_output=True)


def test_every_table_has_a_name_that_can_be_asked_for(season: Store) -> None:
    assert [api.tally(season, names=(name,))[0].name for name in TALLIES] == list(TALLIES)


def test_the_picture_of_results_shows_every_game_there_is(run: Run, store: Store, tmp_path: Path) -> None:
    everything = samples_in(store, ("arcanoid", "cardmate", "tarot", "tarot-duel", "zarcana"))
    [results] = api.tally(store, names=("results",))
    assert len(everything) > len({row[0] for row in results.rows}) == 5
    assert len(results.rows) > MOST
    run("stats", "results", "--picture", str(tmp_path / "results.svg"))
    drawn = (tmp_path / "results.svg").read_text("utf-8")
    for title, seats, seat, *_ in results.rows:
        assert f"<!-- {title}, {seat} of {seats} -->" in drawn
    assert "more not shown" not in drawn
