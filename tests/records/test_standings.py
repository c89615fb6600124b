"""Standings: who has won what, compared with sums worked out beside them."""

import csv
import io
import json
import sqlite3
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cartulary.notation import dumps, loads
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


TEAMS = {"teams": "1:2:1:2"}


def duels_of(answer: Standings) -> list[tuple[Any, ...]]:
    return [(each.first, each.second, each.wins, each.losses, each.ties) for each in answer.duels]


def placed(store: Store, id: str) -> list[int]:
    rows = "SELECT place FROM scores JOIN games USING (number) WHERE id = ? ORDER BY seat"
    return [place for (place,) in store.index.rows(rows, (id,))]


def test_partners_have_won_a_whole_game_and_are_no_opponents(store: Store) -> None:
    id = result(store, "Canasta", "Ann=3000", "Bea=2000", "Cy=100", "Di=200", **TEAMS)
    assert placed(store, id) == [1, 2, 1, 2]
    answer = standings(store, Query(), "wins", duels=True, evenings=True)
    assert [(row.name, exact(row.wins), exact(row.place)) for row in answer.rows] == [
        ("Ann", "1", "1"),
        ("Cy", "1", "1"),
        ("Bea", "0", "2"),
        ("Di", "0", "2"),
    ]
    assert duels_of(answer) == [
        ("Ann", "Bea", 1, 0, 0),
        ("Ann", "Di", 1, 0, 0),
        ("Bea", "Cy", 0, 1, 0),
        ("Cy", "Di", 1, 0, 0),
    ]
    assert answer.evenings[0].sums == {"Ann": 1, "Cy": 1, "Bea": 0, "Di": 0}


def test_a_win_that_teams_share_counts_in_parts(store: Store) -> None:
    draw = result(store, "Canasta", "Ann=10", "Bea=5", "Cy=5", "Di=10", "Eva=7", teams="1:2:2:1:2", date="2026.01.06")
    assert placed(store, draw) == [1, 2, 2, 1, 2]
    shared = result(store, "Boule", "Ann=10", "Bea=15", "Cy=4", "Di=9", "Eva=8", teams="1:2:1:3:3")
    assert placed(store, shared) == [3, 2, 3, 1, 1]
    tied = result(store, "Ludo", "Ann=1", "Bea=2", "Cy=3", "Di=2", **TEAMS)
    assert placed(store, tied) == [1, 1, 1, 1]
    wins = {row.name: exact(row.wins) for row in standings(store, Query(game="Ludo")).rows}
    assert wins == dict.fromkeys(("Ann", "Bea", "Cy", "Di"), "0.5")


def test_places_are_those_of_teams(store: Store) -> None:
    id = result(store, "Boule", "Ann=1", "Bea=3", "Cy=1", "Di=3", places=True, **TEAMS)
    assert placed(store, id) == [1, 2, 1, 2]
    plain = result(store, "Ludo", "Ann=1", "Bea=3", "Cy=3", places=True)
    assert placed(store, plain) == [1, 3, 3]


def test_a_table_that_wins_together_is_one_team(store: Store) -> None:
    result(store, "Pandemic", "Ann", "Bea", "Cy", table="won")
    result(store, "Pandemic", "Ann", "Bea", "Cy", table="lost")
    answer = standings(store, Query(), duels=True)
    assert {row.name: exact(row.wins) for row in answer.rows} == {"Ann": "1", "Bea": "1", "Cy": "1"}
    assert answer.duels == ()


def test_the_fewest_points_of_a_team_may_win(store: Store) -> None:
    result(store, "Golf", "Ann=2", "Bea=6", "Cy=9", "Di=7", winner="fewest", **TEAMS)
    assert standings(store, Query()).fewest
    result(store, "Golf", "Ann=2", "Bea=6", "Cy=12", "Di=7", **TEAMS)
    assert not standings(store, Query()).fewest


def test_partners_are_rated_as_one_side(store: Store) -> None:
    pytest.importorskip("openskill")
    result(store, "Canasta", "Ann=3000", "Bea=2000", "Cy=100", "Di=200", **TEAMS)
    ratings = {each.name: each.rating for each in standings(store, Query(), rating=True).ratings}
    assert ratings["Ann"] == ratings["Cy"] > 1500 > ratings["Bea"] == ratings["Di"]
    result(store, "Pandemic", "Ann", "Bea", table="won")
    assert standings(store, Query(game="Pandemic"), rating=True).ratings == ()


def test_the_partner_of_a_substitute_has_won_the_whole_game(store: Store) -> None:
    id = api.open_game(
        store,
        api.NewRequest(
            "Canasta",
            unjudged=True,
            players=("Ann", "Bea", "Cy", "Di"),
            tags={"Description": "winner=most; seats=4; teams=1,2,1,2; rounds"},
        ),
    ).id
    api.play(store, id, api.WordsRequest(words=("p0/10:5:0:0", "p0/10:5:0:0", "p0/1:0:0:0")))
    api.seat_player(store, id, api.SeatRequest(place="p1", player="Eva", ply=3))
    api.close(store, id, api.CloseRequest())
    answer = standings(store, Query(), "wins", duels=True)
    assert {row.name: row.wins for row in answer.rows if row.wins} == {
        "Cy": Fraction(1),
        "Ann": Fraction(2, 3),
        "Eva": Fraction(1, 3),
    }
    assert not {("Ann", "Cy"), ("Cy", "Eva"), ("Ann", "Eva")} & {duel[:2] for duel in duels_of(answer)}


def test_places_of_teams_in_an_older_file_are_worked_out_once(tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    with Store(path, create=True) as store:
        id = result(store, "Canasta", "Ann=3000", "Bea=2000", "Cy=100", "Di=200", **TEAMS)
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE teams")
        database.execute("UPDATE scores SET place = 3 WHERE place = 2")
        database.execute("PRAGMA user_version = 6")
    with Store(path) as store:
        assert store.index.rows("SELECT COUNT(*) FROM unscored") == [(1,)]
        assert exact(standings(store, Query(), "place", duels=True).rows[-1].place) == "2"
        assert placed(store, id) == [1, 2, 1, 2]
        api.reindex(store)
        assert [exact(row.wins) for row in standings(store, Query(), "wins").rows] == ["1", "1", "0", "0"]


def rounds(store: Store, *words: str, winner: str = "most", teams: str = "") -> str:
    """Record a closed game of Skull King for Ann, Bea and Cy from its rounds."""
    description = f"winner={winner}; seats=3; rounds" + f"; teams={teams}" * bool(teams)
    players = ("Ann", "Bea", "Cy")
    request = api.NewRequest("Skull King", unjudged=True, players=players, tags={"Description": description})
    id = api.open_game(store, request).id
    api.play(store, id, api.WordsRequest(words=tuple(f"p0/{word}" for word in words)))
    api.close(store, id, api.CloseRequest())
    return id


def test_who_sat_out_every_round_has_not_played(store: Store, tmp_path: Path) -> None:
    id = rounds(store, "10:-:-3", "5:-:4")
    assert placed(store, id) == [1, 0, 2]
    assert table(standings(store, Query())) == [(1, "Ann", 1, "1", "15"), (2, "Cy", 1, "0", "1")]
    rounds(store, "10:-:3", "5:6:4")
    answer = standings(store, Query(), duels=True)
    assert {row.name: row.games for row in answer.rows} == {"Ann": 2, "Bea": 1, "Cy": 2}
    assert duels_of(answer) == [("Ann", "Bea", 1, 0, 0), ("Ann", "Cy", 2, 0, 0), ("Bea", "Cy", 0, 1, 0)]
    expected = table(answer)
    api.reindex(store)
    assert table(standings(store, Query())) == expected
    with Store(tmp_path / "other.db", create=True) as other:
        for each in store.ids():
            list(api.import_records(other, loads(dumps(api.export_cgn(store, each, headed=False)))))
        assert table(standings(other, Query())) == expected


def test_statistics_leave_out_who_sat_out_every_round(store: Store) -> None:
    rounds(store, "10:-:-3", "5:-:4")
    rounds(store, "10:-:3", "5:6:4")
    [players] = api.tally(store, names=("players",))
    assert [row[:4] for row in players.rows] == [("Ann", 2, 2, 2.0), ("Cy", 2, 2, 0.0), ("Bea", 1, 1, 0.0)]


def test_who_sat_out_every_round_wins_nothing_with_the_fewest_points(store: Store) -> None:
    assert api.load(store, rounds(store, "10:-:3", winner="fewest")).book.result == "0-0-1"
    assert api.load(store, rounds(store, "-10:-:-3")).book.result == "0-0-1"
    id = rounds(store, "10:-:3", teams="1,1,2")
    assert (api.load(store, id).book.result, placed(store, id)) == ("1-0-0", [1, 0, 2])
    one_round = api.load(store, rounds(store, "10:0:3", winner="fewest"))
    assert one_round.book.result == "0-1-0"


def test_a_share_that_was_given_to_somebody_absent_counts(store: Store) -> None:
    id = rounds(store, "10:-:3")
    api.rule(store, id, api.RulingRequest(decision="result", result="0-1-0", arbiter="C. Umpire", reason="x"))
    assert {row.name: exact(row.wins) for row in standings(store, Query()).rows} == {"Ann": "0", "Bea": "1", "Cy": "0"}
