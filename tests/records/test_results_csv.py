"""Finished games as CSV: the tables that clubs keep are read, and what is written comes back."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.records.exchange.results_csv import read_table
from cartulary.records.faults import Unfit
from cartulary.records.library.same_results import is_telling
from tests.cli.test_live import Run
from tests.cli.test_live import run as run

ENGLISH = """game,date,player,points
Catan,2026-01-05,Ann,10
Catan,2026-01-05,Bea,7
Canasta,2026-01-06,Ann,5000
Canasta,2026-01-06,Bea,4300
"""
FRENCH = "Jeu;Date;Joueur;Score\nBelote;05.01.2026;Zoé;162,5\nBelote;05.01.2026;Bea;0\n"


@pytest.mark.parametrize(
    ("data", "players"),
    [
        (ENGLISH.encode(), ("Ann=10", "Bea=7")),
        (b"\xef\xbb\xbf" + ENGLISH.replace("\n", "\r\n").encode(), ("Ann=10", "Bea=7")),
        (ENGLISH.replace(",", "\t").encode(), ("Ann=10", "Bea=7")),
        (FRENCH.encode("cp1252"), ("Zoé=162,5", "Bea=0")),
        (b"Spiel;Datum;Spieler;Platz\nGo;2026;A;1\nGo;2026;B;2\n", ("A=1", "B=2")),
    ],
)
def test_separators_encodings_and_heads_are_recognised(data: bytes, players: tuple[str, ...]) -> None:
    first = read_table(data)[0]
    assert (first.line, first.request.players) == (2, players)
    assert first.request.places == (b"Platz" in data)


def test_a_player_who_comes_again_begins_another_game() -> None:
    twice = "game,player,points\nLudo,A,1\nLudo,B,2\nLudo,A,3\nLudo,B,0\n"
    assert [game.request.players for game in read_table(twice.encode())] == [("A=1", "B=2"), ("A=3", "B=0")]


@pytest.mark.parametrize(
    ("data", "columns", "because"),
    [
        (b"", {}, "The table is empty"),
        (b"a,b\n1,2\n", {}, "The table has no column for the game"),
        (b"game,player\nA,B\n", {}, "no column for points or places"),
        (
            b"game,player,points\n",
            {"points": "Punkte"},
            "The table has no column 'Punkte'; expected one of: game, player, points",
        ),
        (b"game,player,points\n", {"colour": "game"}, "There is no field colour; expected one of: id, game"),
        (b'game,player,points\n"a,b,c\n', {}, "The table cannot be read"),
    ],
)
def test_what_is_no_table_is_a_sentence(data: bytes, columns: dict[str, str], because: str) -> None:
    with pytest.raises(Unfit) as fault:
        read_table(data, columns)
    assert because in str(fault.value)


@given(st.binary(max_size=80))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    with suppress(Unfit):
        read_table(b"game,player,points\n" + data)


def test_a_table_is_recorded_once_and_what_is_written_comes_back(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, season = tmp_path / "club.csv", tmp_path / "season.csv"
    table.write_text(ENGLISH)
    assert "2 games: 2 new; nothing was stored" in run("csv", "in", str(table), "--dry-run").stderr
    assert "No game was found" in run("list").stderr
    assert "2 games: 2 new." in run("csv", "in", str(table)).stderr
    assert "2 games: 2 known." in run("csv", "in", str(table)).stderr
    run("csv", "out", str(season))
    lines = season.read_text().splitlines()
    assert lines[0] == "id,game,date,event,site,seat,player,points,place,share,result"
    assert [line.split(",")[1:] for line in lines[1:3]] == [
        ["Catan", "2026.01.05", "", "", "1", "Ann", "10", "1", "1", "1-0"],
        ["Catan", "2026.01.05", "", "", "2", "Bea", "7", "2", "0", "1-0"],
    ]
    assert "2 games: 2 known." in run("csv", "in", str(season)).stderr
    here = run("standings", "Catan", "--csv", "-").stdout
    monkeypatch.setenv("CARTULARY_DB", str(tmp_path / "elsewhere.db"))
    assert "2 games: 2 new." in run("csv", "in", str(season)).stderr
    assert run("standings", "Catan", "--csv", "-").stdout == here


def test_a_bad_row_is_named_and_nothing_is_recorded_unless_it_is_skipped(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "club.csv"
    table.write_text(ENGLISH + "Ludo,2026-01-07,Ann,many\nLudo,2026-01-07,Bea,1\n")
    refused = run("csv", "in", str(table), code=1)
    assert "Line 6: 'Ann=many' is no player with a number" in refused.stderr
    assert "nothing was stored" in refused.stderr
    assert "No game was found" in run("list").stderr
    assert "3 games: 2 new, 1 declined." in run("csv", "in", str(table), "--skip-bad", code=1).stderr


def test_a_mapping_names_the_columns(run: Run, tmp_path: Path) -> None:
    table, columns = tmp_path / "club.csv", tmp_path / "map.toml"
    table.write_text("What,Who,How many\nCatan,Ann,10\nCatan,Bea,7\n")
    columns.write_text('game = "What"\nplayer = "Who"\npoints = "How many"\n')
    assert "no column for the game" in run("csv", "in", str(table), code=2).stderr
    assert "1 game: 1 new." in run("csv", "in", str(table), "--map", str(columns)).stderr
    columns.write_text("game = 3\n")
    assert "names no columns" in run("csv", "in", str(table), "--map", str(columns), code=2).stderr


def test_other_words_are_a_sentence(run: Run, tmp_path: Path) -> None:
    assert "`csv up` is nothing" in run("csv", "up", "x.csv", code=2).stderr
    assert "cannot be read" in run("csv", "in", str(tmp_path / "nowhere.csv"), code=2).stderr
    run("result", "Ludo", "-p", "A=1", "-p", "B=2")
    assert len(run("csv", "out", "-", "--game", "Ludo").stdout.splitlines()) == 3


def test_a_game_that_is_won_or_drawn_comes_back_by_its_places(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("result", "chess", "-p", "Ann=1", "-p", "Bea=0", "--date", "2026-01-05")
    run("result", "chess", "-p", "Ann=1/2", "-p", "Bea=1/2", "--date", "2026-01-06")
    table = tmp_path / "chess.csv"
    run("csv", "out", str(table))
    assert "2 games: 2 known." in run("csv", "in", str(table)).stderr
    here = run("standings", "chess", "--csv", "-").stdout
    monkeypatch.setenv("CARTULARY_DB", str(tmp_path / "elsewhere.db"))
    assert "2 games: 2 new." in run("csv", "in", str(table)).stderr
    assert run("standings", "chess", "--csv", "-").stdout == here


def test_an_id_that_another_game_has_here_is_named_or_replaced(run: Run, tmp_path: Path) -> None:
    run("result", "catan", "-p", "Ann=10", "-p", "Bea=7", "--date", "2026-01-05", "--id", "spring-1-1")
    table = tmp_path / "club.csv"
    table.write_text(
        "id,game,date,player,points\n"
        "spring-1-1,catan,2026-01-05,Zoe,10\nspring-1-1,catan,2026-01-05,Yan,7\n"
        "spring-1-2,catan,2026-01-05,Zoe,3\nspring-1-2,catan,2026-01-05,Yan,10\n"
    )
    refused = run("csv", "in", str(table), code=1)
    assert "Line 2: spring-1-1 is here with another game, day, players or points." in refused.stderr
    assert "1 new, 1 declined; nothing was stored" in refused.stderr
    renamed = run("csv", "in", str(table), "--rename")
    assert "line 2: new, catan-" in renamed.stdout
    assert "2 games: 2 known." in run("csv", "in", str(table), "--rename").stderr
    assert len(run("list", "--json").stdout.splitlines()) == 3


def test_a_row_that_was_entered_before_is_named(run: Run, tmp_path: Path) -> None:
    run("result", "Catan", "-p", "Bea=7", "-p", "Ann=10", "--date", "2026-01-05", "--id", "by-hand")
    run("result", "Catan", "-p", "Bea=7", "-p", "Ann=10", "--date", "2026-01-05", "--id", "twice")
    run("aside", "twice", "--reason", "entered twice")
    table = tmp_path / "club.csv"
    table.write_text(ENGLISH)
    says = run("csv", "in", str(table)).stderr
    assert "cartulary: Line 2: Catan-" in says
    assert "has the day, the players and the points of by-hand; `duplicates` says more." in says
    assert "Line 4: " not in says


@pytest.mark.parametrize(
    ("date", "telling"),
    [
        ("2026.01.05", True),
        ("2026-01-05", True),
        ("2024.02.29", True),
        *((date, False) for date in ("", "-", "garbage", "2026.13.45", "2026.02.29", "2026.01.??", "????.??.??")),
    ],
)
def test_only_games_of_a_day_that_is_known_may_be_one(date: str, telling: bool) -> None:
    assert is_telling(("catan", date, (("ann", "10"), ("bea", "7")))) is telling


def test_a_row_without_a_day_is_like_no_other(run: Run, tmp_path: Path) -> None:
    run("result", "Catan", "-p", "Bea=7", "-p", "Ann=10", "--date", "-", "--id", "by-hand")
    assert run("export", "by-hand").stdout.count('[Date "-"]') == 1
    table = tmp_path / "club.csv"
    table.write_text("game,date,player,points\nCatan,-,Ann,10\nCatan,-,Bea,7\n")
    answer = run("csv", "in", str(table))
    assert "1 game: 1 new." in answer.stderr
    assert "by-hand" not in answer.stderr


def test_many_games_are_stored_in_order(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "many.csv"
    rows = "".join(f"Ludo,2026-01-05,E{n},Ann,{n}\nLudo,2026-01-05,E{n},Bea,0\n" for n in range(1, 702))
    table.write_text("game,date,event,player,points\n" + rows)
    assert "701 games: 701 new." in run("csv", "in", str(table)).stderr
    lines = run("csv", "out", "-").stdout.splitlines()[1::2]
    assert [line.split(",")[3] for line in lines] == [f"E{n}" for n in range(1, 702)]
    assert "701 known" in run("csv", "in", str(table)).stderr
    assert run("verify", "--all").stderr == ""
