"""Standings: who has won what, compared with sums worked out beside them."""

import csv
import io
import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.search import Query
from cartulary.records.library.standings import Standings, exact, standings, without_names, work_out_scores
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


def result(store: Store, game: str, *players: str, date: str = "2026.01.05", **more: Any) -> str:
    return api.record_result(store, api.ResultRequest(game=game, players=players, date=date, **more)).id


def table(answer: Standings) -> list[tuple[Any, ...]]:
    return [(row.rank, row.name, row.games, exact(row.wins), exact(row.points)) for row in answer.rows]


def test_points_of_one_game_are_added_up_and_ties_are_explained(store: Store) -> None:
    result(store, "Catan", "Ann=10", "Bea=7", "Cy=7")
    result(store, "Catan", "Ann=3", "Bea=10", "Cy=10", date="2026.02.05")
    answer = standings(store, Query(game="Catan"), evenings=True, duels=True)
    assert table(answer) == [(1, "Bea", 2, "0.5", "17"), (1, "Cy", 2, "0.5", "17"), (3, "Ann", 2, "1", "13")]
    assert answer.ties == ("Bea and Cy share place 1: 17 points each",)
    [ann] = [row for row in answer.rows if row.name == "Ann"]
    assert (ann.evenings, exact(ann.best), exact(ann.worst), exact(ann.place)) == (2, "10", "3", "2")
    assert [(each.date, int(each.sums["Ann"])) for each in answer.evenings] == [("2026.01.05", 10), ("2026.02.05", 3)]
    duels = [(each.first, each.second, each.wins, each.losses, each.ties) for each in answer.duels]
    assert duels == [("Ann", "Bea", 1, 1, 0), ("Ann", "Cy", 1, 1, 0), ("Bea", "Cy", 0, 0, 2)]


def test_fewest_points_lead_where_the_fewest_win(store: Store) -> None:
    result(store, "Golf", "Ann=72", "Bea=70", winner="fewest")
    answer = standings(store, Query(game="Golf"))
    assert (answer.fewest, table(answer)[0][1]) == (True, "Bea")


def deal(store: Store, variant: str) -> None:
    """Record an evening of one deal of tarot that Ann has made by 8 points."""
    players = ("Ann", "Bea", "Cy", "Di")
    id = api.open_game(store, api.NewRequest("tarot", variant=variant, players=players)).id
    answers = {"Taker": "Ann", "Bid": "Garde", "Bouts": "2", "Points": "49"}
    api.play_round(store, id, api.RoundRequest(answers))
    api.close(store, id, api.CloseRequest())


def test_points_of_variants_that_count_differently_are_not_added_up(store: Store) -> None:
    deal(store, "fft")
    deal(store, "fft")
    assert [exact(row.points) for row in standings(store, Query(game="tarot")).rows][:1] == ["396"]
    deal(store, "dementlieu")
    mixed = standings(store, Query(game="tarot"))
    assert (mixed.by, mixed.variants, {row.points for row in mixed.rows}) == ("wins", ("dementlieu", "fft"), {None})
    with pytest.raises(Unfit, match="Points of different variants are not added up; choose one of: dementlieu, fft"):
        standings(store, Query(game="tarot"), "points")
    fft = standings(store, Query(game="tarot", variant="fft"))
    assert (fft.by, fft.variants, table(fft)[0]) == ("points", (), (1, "Ann", 2, "2", "396"))


def test_the_terminal_says_how_to_choose_a_variant(store: Store, run: Run) -> None:
    for variant in ("fft", "dementlieu"):
        deal(store, variant)
    said = run("standings", "tarot").stdout
    assert "Points of the variants dementlieu and fft are not added up; choose one with --variant." in said
    assert "tarot, by points, 1 game" in run("standings", "tarot", "--variant", "fft").stdout


def test_games_of_different_scales_are_never_added_up(store: Store) -> None:
    result(store, "Catan", "Ann=10", "Bea=7")
    result(store, "Canasta", "Ann=3000", "Bea=5000")
    result(store, "chess", "Ann=1/2", "Bea=1/2")
    answer = standings(store, Query())
    assert (answer.by, table(answer)) == ("wins", [(1, "Ann", 3, "1.5", ""), (1, "Bea", 3, "1.5", "")])
    with pytest.raises(Unfit, match="Points of different games are not added up; choose one of: Canasta, Catan, chess"):
        standings(store, Query(), "points")
    with pytest.raises(Unfit, match="No game among these counts points"):
        standings(store, Query(game="chess"), "points")


def test_judged_and_unjudged_records_of_one_game_stand_together(store: Store) -> None:
    result(store, "Tarot", "Ann=30", "Bea=-10", "Cy=-10", "Di=-10")
    id = api.open_game(store, api.NewRequest(game="tarot", variant="fft", players=("Ann", "Bea", "Cy", "Di"))).id
    api.play(store, id, api.WordsRequest(words=("p0/Taker=p2&Bid=Garde&Bouts=3&Points=54",)))
    api.close(store, id, api.CloseRequest())
    answer = standings(store, Query(game="tarot"))
    assert table(answer)[0] == (1, "Bea", 2, "1", "248")
    api.rule(
        store, id, api.RulingRequest(decision="penalty", penalties={"p2": "100"}, arbiter="C. Umpire", reason="late")
    )
    assert table(standings(store, Query(game="tarot")))[0] == (1, "Bea", 2, "1", "148")


def test_open_games_count_only_when_they_are_closed(store: Store) -> None:
    id = api.open_game(store, api.NewRequest(game="chess", players=("Ann", "Bea"))).id
    with pytest.raises(Unfit, match="No finished game matches"):
        standings(store, Query())
    api.close(store, id, api.CloseRequest(result="1-0"))
    assert table(standings(store, Query()))[0][:3] == (1, "Ann", 1)
    api.reopen(store, id, api.ReopenRequest(reason="x"))
    with pytest.raises(Unfit, match="No finished game matches"):
        standings(store, Query())


def test_merged_names_are_one_person(store: Store) -> None:
    result(store, "Ludo", "Ann=1", "Bea=2")
    result(store, "Ludo", "ann=5", "Bea=2")
    api.merge_people(store, api.MergeRequest(name="ann", into="Ann"))
    assert table(standings(store, Query()))[0] == (1, "Ann", 2, "1", "6")


def test_a_season_equals_sums_worked_out_beside_it(store: Store) -> None:
    rng, names = Random("season"), "ABCDEFG"
    points: dict[str, Fraction] = defaultdict(Fraction)
    wins: dict[str, Fraction] = defaultdict(Fraction)
    for number in range(60):
        seated = rng.sample(names, rng.randint(2, 5))
        numbers = {name: rng.randint(-20, 20) for name in seated}
        result(store, "Ludo", *(f"{name}={won}" for name, won in numbers.items()), date=f"2026.{1 + number % 9:02}.01")
        best = [name for name, won in numbers.items() if won == max(numbers.values())]
        for name, won in numbers.items():
            points[name] += won
            wins[name] += Fraction(int(name in best), len(best))
    answer = standings(store, Query(date="2026"), evenings=True)
    assert {row.name: row.points for row in answer.rows} == points
    assert {row.name: row.wins for row in answer.rows} == wins
    assert [row.points for row in answer.rows] == sorted(points.values(), reverse=True)
    assert {name: sum(each.sums.get(name, 0) for each in answer.evenings) for name in points} == points


def test_names_are_left_out_everywhere(store: Store) -> None:
    result(store, "Ludo", "Ann=1", "Bea=1")
    text = repr(without_names(standings(store, Query(), evenings=True, duels=True, rating=True)))
    assert "Ann" not in text
    assert "Bea" not in text
    assert "'P1' and P2" not in text
    assert "P1 and P2 share place 1" in text


def test_ratings_follow_the_games_in_order(store: Store) -> None:
    for day in range(1, 9):
        result(store, "Go", "Ann=1", "Bea=0", date=f"2026.01.{day:02}")
    first, second = standings(store, Query(), rating=True).ratings
    assert (first.name, second.name, first.games) == ("Ann", "Bea", 8)
    assert first.rating > 1600 > 1400 > second.rating
    result(store, "Ludo", "Ann=1", "Bea=0")
    with pytest.raises(Unfit, match="Players are rated in one game; choose one of: Go, Ludo"):
        standings(store, Query(), rating=True)


def test_scores_of_an_older_file_are_worked_out_once(store: Store) -> None:
    result(store, "Ludo", "Ann=1", "Bea=2")
    before = standings(store, Query())
    with store.index.own_connection() as database:
        database.execute("DELETE FROM scores")
        database.execute("INSERT INTO unscored SELECT number FROM games")
    assert standings(store, Query()) == before
    assert store.index.rows("SELECT COUNT(*) FROM unscored") == [(0,)]
    work_out_scores(store)


# --- the command ---


def test_the_command_prints_a_table_csv_and_json(run: Run) -> None:
    run("result", "Catan", "-p", "Ann=10", "-p", "Bea=7", "--date", "2026-01-05")
    run("result", "Catan", "-p", "Ann=4", "-p", "Bea=10", "--date", "2026-02-05")
    lines = run("standings", "catan", "--season", "2026", "--evenings", "--duels").stdout.splitlines()
    assert lines[:4] == [
        "Catan, by points, 2 games",
        "   player  games  evenings  won  points  place  best  worst",
        "1  Bea         2         2    1      17    1.5    10      7",
        "2  Ann         2         2    1      14    1.5    10      4",
    ]
    assert lines[5:8] == ["     01.05  02.05", "Bea      7     10", "Ann     10      4"]
    assert lines[9:] == ["     won  tied  lost  against", "Ann    1     0     1  Bea"]
    rows = list(csv.DictReader(io.StringIO(run("standings", "--csv", "-", "--redact").stdout)))
    assert [(row["place"], row["player"], row["points"]) for row in rows] == [("1", "P1", "17"), ("2", "P2", "14")]
    answer = json.loads(run("standings", "--json").stdout)
    assert [(row["name"], row["points"], row["place"]) for row in answer["rows"]] == [
        ("Bea", 17, "3/2"),
        ("Ann", 14, "3/2"),
    ]


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (
            ("standings", "--season", "1999"),
            "No finished game matches; choose another game, event or season",
        ),
        (("standings", "--season", "spring"), "spring"),
        (("standings", "nonesuch"), "nonesuch"),
    ],
)
def test_what_cannot_be_is_a_sentence(run: Run, words: tuple[str, ...], because: str) -> None:
    run("result", "Catan", "-p", "Ann=10", "-p", "Bea=7", "--date", "2026-01-05")
    assert because in run(*words, code=2).stderr
