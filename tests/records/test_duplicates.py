"""Games entered twice: the same moves, one that goes on, a slip of the pen, and games that are only alike."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import loads
from cartulary.records import api
from cartulary.records.library.duplicates import CROWD, SLIPS, distance, older_with_same_moves
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.log.store import Store
from tests.records.archives import OPENING, Run, sheet, taken_in


def pairs(store: Store) -> list[tuple[str, str, str, int]]:
    return [(pair.kind, pair.first.id, pair.second.id, pair.differs) for pair in api.duplicates(store)]


def test_the_same_moves_of_the_same_players_are_one_game_whatever_day_and_spelling(store: Store) -> None:
    one, two = taken_in(store, sheet(), sheet(Date="2026.03.15", Forehand="ADA", Rearhand="Béla"))
    assert pairs(store) == [("same", one, two, 0)]


def test_the_same_moves_under_other_names_are_told_where_they_are_no_chance(store: Store) -> None:
    long = " ".join(_words(12))
    one, _, three, four = taken_in(
        store,
        sheet(long),
        sheet("4Ci3 4Db6", Forehand="Zoe"),
        sheet(long, Forehand="Zoe"),
        sheet("4Ci3 4Db6", Forehand="Yves"),
    )
    assert pairs(store) == [("moves", one, three, 0)]
    assert four


def _words(count: int) -> tuple[str, ...]:
    from cartulary.notation import load
    from tests.records.archives import PAGE

    return next(iter(load(str(PAGE)))).line.words[:count]


def test_a_sheet_that_breaks_off_and_one_with_a_slip_are_held_against_the_whole(store: Store) -> None:
    words = list(_words(14))
    slipped = [*words]
    slipped[8] = "~"
    whole, short, slip = taken_in(
        store, sheet(" ".join(words)), sheet(" ".join(words[:9]), Round="2"), sheet(" ".join(slipped), Round="3")
    )
    found = pairs(store)
    assert ("longer", whole, short, 5) in found
    assert ("differs", whole, slip, 1) in found


def test_games_of_another_day_or_other_players_are_not_nearly_the_same(store: Store) -> None:
    words = " ".join(_words(9))
    taken_in(
        store, sheet(), sheet(words, Date="2026.03.15"), sheet(words, Forehand="Zoe"), sheet(words, Date="2026.??.??")
    )
    assert {kind for kind, *_ in pairs(store)} <= {"same"}


def test_empty_games_and_unknown_players_are_no_duplicates(store: Store) -> None:
    taken_in(
        store, sheet(""), sheet("", Round="2"), sheet("4Ci3", Forehand="?"), sheet("4Ci3", Forehand="?", Round="2")
    )
    assert pairs(store) == []


def test_a_crowd_of_games_on_one_day_is_gone_through(store: Store) -> None:
    words = _words(12)
    texts = [sheet(" ".join(words[:11]) + f" {{{number}}}", Round=str(number)) for number in range(CROWD + 2)]
    [first, *_] = taken_in(store, sheet(" ".join(words), Round="0"), *texts)
    found = pairs(store)
    assert sum(kind == "same" for kind, *_ in found) == CROWD + 1
    assert sum(kind == "longer" and first in (one, two) for kind, one, two, _ in found) == CROWD + 2


def test_a_game_that_was_corrected_is_no_twin_any_more(store: Store) -> None:
    [id] = taken_in(store, sheet())
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split())))
    assert pairs(store) == [("same", id, "evening", 0)]
    api.take_back(store, "evening", api.UndoRequest(4))
    assert "same" not in {kind for kind, *_ in pairs(store)}


WORDS = st.lists(st.sampled_from("abc"), max_size=9).map(tuple)


def slow(one: tuple[str, ...], two: tuple[str, ...]) -> int:
    if not one or not two:
        return len(one) + len(two)
    if one[0] == two[0]:
        return slow(one[1:], two[1:])
    return 1 + min(slow(one[1:], two), slow(one, two[1:]), slow(one[1:], two[1:]))


@given(WORDS, WORDS)
def test_the_distance_is_the_least_number_of_changes_or_none(one: tuple[str, ...], two: tuple[str, ...]) -> None:
    true = slow(one[:7], two[:7])
    assert distance(one[:7], two[:7], SLIPS) == (true if true <= SLIPS else None)


# --- the commands ---


def test_the_command_lists_pairs_and_ends_with_one(run: Run, store: Store) -> None:
    assert "No game seems to have been entered twice" in run("duplicates").stderr
    one, two = taken_in(store, sheet(), sheet(Round="2"))
    result = run("duplicates", code=1)
    assert result.stdout.startswith("the same moves, the same players\n")
    assert result.stdout.index(one) < result.stdout.index(two)
    assert "Found 1 pair of games that may be one game entered twice" in result.stderr
    told_as = json.loads(run("duplicates", "--json", code=1).stdout)
    assert (told_as["kind"], told_as["second"]["id"]) == ("same", two)


def test_an_import_says_that_the_same_moves_are_here_already(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.cgn").write_text(sheet(), "utf-8")
    (tmp_path / "two.cgn").write_text(sheet(Round="2"), "utf-8")
    first = run("import", str(tmp_path / "one.cgn"))
    assert "same moves" not in first.stderr
    id = first.stdout.rstrip().rpartition(" ")[2]
    second = run("import", str(tmp_path / "two.cgn"))
    assert f"has the same moves as {id}; `duplicates` says more" in second.stderr
    assert "same moves" not in run("import", str(tmp_path / "two.cgn")).stderr
    (tmp_path / "three.cgn").write_text(sheet(Round="3"), "utf-8")
    data = json.loads(run("import", str(tmp_path / "three.cgn"), "--json").stdout)
    assert data["same_moves"][0] == id


@pytest.mark.parametrize("batch", [1, 2, 500])
def test_of_a_file_each_new_game_is_told_those_with_its_moves_that_stand_before_it(store: Store, batch: int) -> None:
    others = sheet("4Ci3 4Db6", Forehand="Cleo")
    texts = (sheet(), sheet(Round="2"), others, sheet(), sheet(Round="3"), others)
    answers = list(api.import_records(store, loads("".join(texts)), batch=batch))
    one, two, three, *_ = (answer.id for answer in answers)
    assert [(answer.status, answer.same_moves) for answer in answers] == [
        ("new", ()),
        ("new", (one,)),
        ("new", ()),
        ("known", ()),
        ("new", (one, two)),
        ("known", ()),
    ]
    [again] = api.import_records(store, loads(sheet("4Ci3 4Db6", Forehand="Dora")))
    assert (again.status, again.same_moves, three != again.id) == ("new", (), True)


def test_the_same_moves_from_different_set_ups_are_two_games(store: Store) -> None:
    players = '[White "Ada"]\n[Black "Bela"]\n[Date "2026.03.14"]\n[SetUp "1"]\n'
    moves = "1. Ke2 Ke7 2. Ke3 Ke6 3. Ke2 Ke7 4. Ke3 Ke6 5. Ke2 Ke7 6. Ke3 *"
    first, second, again = (
        f'{players}[FEN "4k3/{pawn}/8/8/8/8/8/4K3 w - - 0 1"]\n\n{moves}\n' for pawn in ("p7", "7p", "p7")
    )
    one, _, other = (
        desk_answer.id
        for desk_answer in api.import_records(store, loads(f"{first}\n{second}\n{again.replace('Ada', 'ADA')}"))
    )
    assert pairs(store) == [("same", one, other, 0)]


# --- set-ups, and games without moves ---


def live(store: Store, id: str, words: tuple[str, ...], game: str = "cardmate", **tags: str) -> str:
    players = ("Ada", "Bela", "Cleo", "Dora")[: 4 if game == "tarot" else 2]
    api.open_game(store, api.NewRequest(game, id=id, players=players, tags={"Date": "2026.11.20"} | tags))
    if words:
        api.play(store, id, api.WordsRequest(words, stands=True))
    return id


def test_games_of_different_variants_are_told_apart(store: Store) -> None:
    for id, variant in (("a", "dementlieu"), ("b", "fft"), ("c", "fft")):
        live(store, id, ("p1/Pass", "p2/Pass"), "tarot", Variant=variant)
    assert pairs(store) == [("same", "b", "c", 0)]
    assert older_with_same_moves(store, ("b", "c")) == {"c": ("b",)}


def test_each_game_with_the_same_moves_is_read_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [live(store, f"game-{number}", _words(12)) for number in range(6)]
    stream, read = store.stream, Counter[str]()

    def counted(id: str) -> tuple[RecordedEvent, ...]:
        read[id] += 1
        return stream(id)

    monkeypatch.setattr(store, "stream", counted)
    assert older_with_same_moves(store, ids) == {id: tuple(ids[:number]) for number, id in enumerate(ids) if number}
    assert read == Counter(ids)


def test_deals_of_different_dealers_are_told_apart(store: Store) -> None:
    for id, dealer in (("a", "p4"), ("b", "p3"), ("c", "p4")):
        live(store, id, ("p1/Pass", "p2/Pass"), "tarot", Dealer=dealer)
    assert [(first, second) for _, first, second, _ in pairs(store)] == [("a", "c")]


def test_records_written_live_are_compared_by_their_moves(store: Store) -> None:
    words = _words(14)
    live(store, "a", words)
    live(store, "b", words[:12])
    assert pairs(store) == [("longer", "a", "b", 2)]


def result(store: Store, *players: str, **more: Any) -> str:
    more = {"game": "Catan", "date": "2026-11-20"} | more
    return api.record_result(store, api.ResultRequest(players=players, **more)).id


def test_results_without_moves_are_compared_by_day_players_and_points(store: Store) -> None:
    one = result(store, "Ada=10", "Bela=7")
    two = result(store, "béla=7", "ADA=10")
    for players, more in (
        (("Ada=10", "Bela=8"), {}),
        (("Ada=7", "Bela=10"), {}),
        (("Ada=10", "Cleo=7"), {}),
        (("Ada=10", "Bela=7", "Cleo=1"), {}),
        (("Ada=10", "Bela=7"), {"date": "2026-11-21"}),
        (("Ada=10", "Bela=7"), {"game": "Azul"}),
        (("Ada=10", "Bela=7"), {"date": "-"}),
        (("Ada=10", "Bela=7"), {"date": "-"}),
    ):
        result(store, *players, **more)
    assert pairs(store) == [("score", one, two, 0)]


def test_results_of_different_rounds_are_different_games(store: Store) -> None:
    one = result(store, "Ada=1", "Bela=0", game="chess", tags={"Round": "1"})
    result(store, "Ada=1", "Bela=0", game="chess", tags={"Round": "2"})
    assert pairs(store) == []
    unknown = result(store, "Ada=1", "Bela=0", game="chess")
    assert pairs(store) == [("score", one, unknown, 0)]


def test_scored_deals_are_compared_too(store: Store) -> None:
    deal = {"Taker": "p1", "Bid": "Garde", "Bouts": "2", "Points": "50"}
    for id, tags in (("a", deal), ("b", deal), ("c", deal | {"Taker": "p2"})):
        live(store, id, (), "tarot", **tags)
        api.close(store, id, api.CloseRequest())
    assert pairs(store) == [("score", "a", "b", 0)]


def test_a_pair_is_settled_by_setting_one_aside(run: Run, store: Store) -> None:
    _, two = result(store, "Ada=10", "Bela=7"), result(store, "Ada=10", "Bela=7")
    found = run("duplicates", code=1)
    assert found.stdout.startswith("no moves; the same day, the same players and points\n")
    assert "`aside ID --reason TEXT` sets one of a pair aside" in found.stderr
    run("aside", two, "--reason", "entered twice")
    run("duplicates")


@pytest.mark.parametrize(
    ("date", "kinds"), [("2026.03.14", ["differs"]), ("-", []), ("garbage", []), ("2026.02.30", [])]
)
def test_only_games_of_a_day_that_is_known_are_of_one_day(store: Store, date: str, kinds: list[str]) -> None:
    words = list(_words(14))
    slipped = [*words]
    slipped[8] = "~"
    taken_in(store, sheet(" ".join(words), Date=date), sheet(" ".join(slipped), Date=date))
    assert [kind for kind, *_ in pairs(store)] == kinds
