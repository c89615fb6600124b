"""Other names of installed games: ``Schach`` in a table or a play log is Chess, unless the log knows another Schach."""

import json
from pathlib import Path
from typing import Any

import pytest

from cartulary.notation import NotationError
from cartulary.notation.roster import every_game, find_game, split_variant, title_by_alias
from cartulary.records import api
from cartulary.records.exchange.results_csv import read_table
from cartulary.records.library.search import Query
from cartulary.records.library.standings import standings
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Schach", "Chess"),
        ("échecs", "Chess"),
        ("ECHECS", "Chess"),
        ("Jeu d'échecs", "Chess"),
        ("dames", "Draughts"),
        ("Dame", "Draughts"),
        ("Checkers", "Draughts"),
        ("tarot francais", "Tarot"),
        ("Chess", ""),
        ("Schachtel", ""),
        ("", ""),
    ],
)
def test_other_names_are_those_that_a_game_declares(name: str, title: str) -> None:
    assert title_by_alias(name) == title


def test_no_name_means_two_games() -> None:
    aliases = [alias.casefold() for game in every_game().values() for alias in game.about.also]
    assert len(set(aliases)) == len(aliases)
    titles = {game.about.title.casefold() for game in every_game().values()}
    assert not titles & set(aliases)


def test_a_table_and_a_result_mean_the_installed_game(store: Store) -> None:
    table = read_table(b"Spiel;Datum;Spieler;Punkte\nSchach;2026-01-05;Ann;1\nSchach;2026-01-05;Bea;0\n")
    [answer] = api.take_results(store, table)
    assert (answer.status, api.load(store, answer.id).record.tag("Game")) == ("new", "Chess")
    assert [each.status for each in api.take_results(store, table)] == ["known"]
    recorded = api.record_result(store, api.ResultRequest(game="Échecs", players=("Ann=1/2", "Bea=1/2")))
    assert (recorded.game, recorded.unjudged) == ("Chess", False)
    assert standings(store, Query(game="chess")).games == 2


def test_a_play_log_means_the_installed_game(run: Run, tmp_path: Path) -> None:
    plays = tmp_path / "plays.xml"
    players = '<player name="Ann" win="1" score=""/><player name="Bea" win="0" score=""/>'
    plays.write_text(
        '<plays username="x" total="1"><play id="1" date="2026-01-05" quantity="1" length="0"><item name="Checkers" '
        f'objecttype="thing" objectid="2083"/><players>{players}</players></play></plays>'
    )
    run("import", str(plays))
    assert [json.loads(line)["game"] for line in run("list", "--json").stdout.splitlines()] == ["draughts"]


def test_a_game_of_the_log_with_such_a_name_stays_what_it_is(store: Store) -> None:
    api.describe_game(store, api.DescribeRequest(toml='title = "Dame"\nwinner = "most"\n'))
    assert api.record_result(store, api.ResultRequest(game="dame", players=("Ann=9", "Bea=7"))).game == "Dame"
    players = ("Ann=1", "Bea=0")
    with pytest.raises(NotationError, match="found the game 'Schach'"):
        find_game("Schach")
    api.open_game(store, api.NewRequest("Schach", unjudged=True))
    assert api.record_result(store, api.ResultRequest(game="Schach", players=players)).game == "Schach"


def test_the_terminal_names_the_game(run: Run) -> None:
    said = run("result", "Schach", "-p", "Ann=1", "-p", "Bea=0", "--id", "s")
    assert (said.stdout, said.stderr) == ("s: Chess: Ann, Bea; Ann won\n", "")
    assert "did you mean Chess?" in run("new", "Schach", code=2).stderr


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Tarot fft", ("Tarot", "fft")),
        ("tarot  (FFT)", ("Tarot", "fft")),
        ("Tarot", ("Tarot", "")),
        ("Tarot zz", ("Tarot zz", "")),
        ("fft", ("fft", "")),
        ("", ("", "")),
    ],
)
def test_a_name_may_say_the_variant(name: str, meant: tuple[str, str]) -> None:
    assert split_variant(name) == meant


def test_a_variant_in_the_name_is_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db", create=True) as store:
        opened = api.open_game(store, api.NewRequest("tarot fft", players=("Ann", "Bea", "Cy")))
        assert api.load(store, opened.id).examined.heading.variant == "fft"
        entered = api.record_result(store, api.ResultRequest(game="Tarot fft", players=("Ann=20", "Bea=-10", "Cy=-10")))
        record = api.load(store, entered.id).record
        assert (entered.game, record.tag("Variant")) == ("Tarot", "fft")
