"""Substitutes in standings, lists and searches: what each has won, compared with sums worked out in plain Python."""

import json
import sqlite3
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.notation import dumps, loads
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.people import list_people
from cartulary.records.library.search import Query, search
from cartulary.records.library.standings import SUBSTITUTES, score_rows, standings, work_out_scores
from cartulary.records.log.store import Store
from tests.cli.test_live import Run
from tests.cli.test_live import run as run

TAROT = ("Ann", "Bea", "Cy", "Di")


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


def seat(store: Store, id: str, place: str, player: str, ply: int = 0) -> None:
    api.seat_player(store, id, api.SeatRequest(place=place, player=player, ply=ply))


def evening(store: Store, id: str = "t") -> None:
    """Record an evening of three deals; p1 takes each and wins 3 × 27, 3 × 2 × 25 and 3 × 25 from the others."""
    request = api.NewRequest(game="tarot", variant="fft", players=TAROT, id=id, tags={"Date": "2026.01.05"})
    api.open_game(store, request)
    deals = ("Bid=Prise&Bouts=2&Points=43", "Bid=Garde&Bouts=3&Points=36", "Bid=Prise&Bouts=1&Points=51")
    api.play(store, id, api.WordsRequest(tuple(f"p0/Taker=p1&{deal}" for deal in deals)))


def points(store: Store, substitutes: Any = "split", **more: Any) -> dict[str, Fraction]:
    answer = standings(store, Query(**more), "points", substitutes=substitutes)
    return {row.name: row.points for row in answer.rows if row.points is not None}


def wins(store: Store, substitutes: Any = "split") -> dict[str, Fraction]:
    return {row.name: row.wins for row in standings(store, Query(), "wins", substitutes=substitutes).rows}


def test_points_of_a_deal_go_to_who_sat_there_when_it_ended(store: Store) -> None:
    evening(store)
    seat(store, "t", "p1", "Fay", 2)
    seat(store, "t", "p4", "Gus", 3)
    api.close(store, "t", api.CloseRequest())
    assert points(store) == {"Ann": 81, "Fay": 150 + 75, "Bea": -102, "Cy": -102, "Di": -77, "Gus": -25}
    assert points(store, "first") == {"Ann": 306, "Bea": -102, "Cy": -102, "Di": -102}
    assert points(store, "last") == {"Fay": 306, "Bea": -102, "Cy": -102, "Gus": -102}
    assert wins(store) == {"Ann": Fraction(1, 3), "Fay": Fraction(2, 3), "Bea": 0, "Cy": 0, "Di": 0, "Gus": 0}
    assert wins(store, "last") == {"Fay": 1, "Bea": 0, "Cy": 0, "Gus": 0}


def test_a_ruling_counts_for_who_sat_there_at_its_ply(store: Store) -> None:
    evening(store)
    seat(store, "t", "p1", "Fay", 3)
    ruling = api.RulingRequest(decision="penalty", arbiter="C. Umpire", reason="late", penalties={"p1": "7"})
    api.rule(store, "t", replace(ruling, plies=(1,), penalties={"p1": "50"}))
    api.rule(store, "t", ruling)
    api.close(store, "t", api.CloseRequest())
    won = points(store)
    assert {"Ann": won["Ann"], "Fay": won["Fay"]} == {"Ann": 81 + 150 - 50, "Fay": 75 - 7}


def test_a_result_that_no_move_gives_is_divided_by_plies(store: Store) -> None:
    api.open_game(store, api.NewRequest("Ludo", id="g", players=("Ann", "Bea"), unjudged=True))
    api.play(store, "g", api.WordsRequest(tuple("abcdefg")))
    seat(store, "g", "p2", "Fay", 4)
    api.close(store, "g", api.CloseRequest("0-1", score="3:10"))
    assert points(store) == {"Ann": 3, "Bea": Fraction(30, 7), "Fay": Fraction(40, 7)}
    assert wins(store) == {"Ann": 0, "Bea": Fraction(3, 7), "Fay": Fraction(4, 7)}
    assert [row[5:10] for row in score_rows(store, Query())] == [(1, "Ann", "3", 2, "0"), (2, "Bea", "10", 1, "1")]


def test_duels_and_ratings_have_one_person_a_seat(store: Store) -> None:
    evening(store)
    seat(store, "t", "p1", "Fay", 2)
    api.close(store, "t", api.CloseRequest())
    everybody = {"split": "Fay", "first": "Ann", "last": "Fay"}
    for substitutes in SUBSTITUTES:
        answer = standings(store, Query(), duels=True, rating=True, substitutes=substitutes)
        one = everybody[substitutes]
        assert {each.name for each in answer.ratings} == {one, "Bea", "Cy", "Di"}
        met = [(each.first, each.second) for each in answer.duels if {"Ann", "Fay"} & {each.first, each.second}]
        assert all(one in pair for pair in met)
        assert len(met) == 3
        assert answer.substitutes == substitutes
    with pytest.raises(Unfit, match="'all' says nothing of substitutes; expected one of: split, first, last"):
        standings(store, Query(), substitutes="all")  # type: ignore[arg-type]


def test_who_sat_down_after_the_last_ply_has_won_nothing_but_is_found(store: Store) -> None:
    evening(store)
    seat(store, "t", "p1", "Fay")
    assert [hit.game.id for hit in search(store, Query(player=("fay",)))[0]] == ["t"]
    api.close(store, "t", api.CloseRequest())
    assert points(store)["Ann"] == 306
    assert "Fay" not in points(store)
    assert points(store, "last")["Ann"] == 306
    assert [hit.game.id for hit in search(store, Query(player=("fay",)))[0]] == ["t"]


def test_substitutes_are_listed_searched_and_merged_like_everybody(store: Store, run: Run) -> None:
    evening(store)
    seat(store, "t", "p1", "Fay", 2)
    assert {person.name: person.games for person in list_people(store)} == dict.fromkeys((*TAROT, "Fay"), 1)
    assert [hit.game.id for hit in search(store, Query(player=("fay", "ann")))[0]] == ["t"]
    api.merge_people(store, api.MergeRequest(name="Fay", into="Di"))
    api.close(store, "t", api.CloseRequest())
    assert points(store)["Di"] == 225 - 102
    answer = standings(store, Query())
    assert {row.name: row.games for row in answer.rows}["Di"] == 1


def test_statistics_count_substitutes_as_standings_do(store: Store) -> None:
    evening(store)
    evening(store, "whole")
    evening(store, "open")
    seat(store, "t", "p1", "Fay", 3)
    seat(store, "open", "p2", "Fay", 3)
    for id in ("t", "whole"):
        api.close(store, id, api.CloseRequest())
    [players] = api.tally(store, names=("players",))
    assert {row[0]: row[1:4] for row in players.rows} == {
        "Ann": (3, 2, 1.67),
        "Fay": (2, 1, 0.33),
        **dict.fromkeys(("Bea", "Cy", "Di"), (3, 2, 0.0)),
    }


def test_an_undone_substitution_is_gone_from_the_standings(store: Store) -> None:
    evening(store)
    seat(store, "t", "p1", "Fay", 2)
    seat(store, "t", "p1", "Ann", 2)
    api.close(store, "t", api.CloseRequest())
    assert points(store) == {"Ann": 306, "Bea": -102, "Cy": -102, "Di": -102}


def test_sums_are_exact_and_a_rebuilt_index_and_imports_say_the_same(store: Store, tmp_path: Path) -> None:
    rng = Random("substitutes")
    for number in range(12):
        evening(store, f"t{number}")
        for _ in range(rng.randint(1, 4)):
            seat(store, f"t{number}", f"p{rng.randint(1, 4)}", f"S{rng.randint(1, 99)}-{number}", rng.randint(2, 4))
        api.close(store, f"t{number}", api.CloseRequest())
    here = {way: (points(store, way), wins(store, way)) for way in SUBSTITUTES}
    for won, shares in here.values():
        assert (sum(won.values()), sum(shares.values())) == (0, 12)
    api.reindex(store)
    assert {way: (points(store, way), wins(store, way)) for way in SUBSTITUTES} == here
    with Store(tmp_path / "other.db", create=True) as other:
        for each in store.ids():
            list(api.import_records(other, loads(dumps(api.export_cgn(store, each, headed=False)))))
        assert {way: (points(other, way), wins(other, way)) for way in SUBSTITUTES} == here


def test_a_file_of_the_version_before_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path, create=True) as store:
        evening(store)
        seat(store, "t", "p1", "Fay", 2)
        api.close(store, "t", api.CloseRequest())
        expected = points(store)
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM scores WHERE since > 0")
        database.execute("UPDATE scores SET share = '1', points = '306' WHERE seat = 1")
        database.execute("DROP INDEX scores_of_substitutes")
        database.execute("PRAGMA user_version = 5")
    with Store(path) as store:
        assert store.index.rows("SELECT COUNT(*) FROM unscored") == [(1,)]
        work_out_scores(store)
        assert points(store) == expected


def test_the_command_line_says_the_way(run: Run) -> None:
    run("new", "tarot", "--variant", "fft", "--id", "g", "-p", "Ann", "-p", "Bea", "-p", "Cy", "-p", "Di")
    for _ in range(2):
        run("pad", "g", "Taker=p1", "Bid=Prise", "Bouts=2", "Points=43")
    run("seat", "g", "p1", "--from", "2", "-p", "Fay")
    run("close", "g")
    answer = json.loads(run("standings", "tarot", "--json").stdout)
    assert (answer["substitutes"], answer["rows"][0]["name"], answer["rows"][0]["points"]) == ("split", "Ann", 81)
    assert "Fay,1,1,1,162," in run("standings", "tarot", "--substitutes", "last", "--csv", "-").stdout
    assert "Fay" not in run("standings", "tarot", "--substitutes", "first").stdout
    assert "Fay" not in run("standings", "tarot", "--redact", "--evenings", "--duels").stdout
    assert "g" in run("list", "--player", "fay").stdout
