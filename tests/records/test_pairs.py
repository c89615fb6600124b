"""The next round by the pairs of an engine, and byes: what is written, and what is refused before anything is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.records import api
from cartulary.records.commands.pairs import round_robin_length, round_robin_pairs
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.store import Store
from tests.records.archives import Run, runner

NAMES = ("Ann", "Bea", "Cy", "Di", "Eve")
PAIRS = "2\n3 1\n\n2 4\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db", create=True) as opened:
        api.open_evening(opened, api.OpenEveningRequest(title="Spring", date="2026.11.27"))
        api.record_presence(opened, api.PresenceRequest(evening="Spring", persons=NAMES))
        yield opened


def next_round(store: Store, pairs: str, **more: str) -> list[tuple[int, int, tuple[str, ...]]]:
    answers = api.set_next_round(store, api.NextRoundRequest("Spring", pairs=pairs, **more))
    return [(answer.table.round, answer.table.number, answer.table.players) for answer in answers]


def test_a_list_of_pairs_sets_the_tables_in_its_order(store: Store) -> None:
    assert next_round(store, "3\r\n3 1\r\n2 4\r\n5 0\r\n", game="chess") == [
        (1, 1, ("Cy", "Ann")),
        (1, 2, ("Bea", "Di")),
    ]
    evening = api.evening_of(store, "Spring")
    assert [(bye.round, bye.person, bye.kind) for bye in evening.byes] == [(1, "Eve", "pairing")]
    assert api.load(store, "spring-1-1").record.tag("White") == "Cy"


def test_the_game_is_that_of_the_round_before(store: Store) -> None:
    api.set_table(store, api.SetTableRequest(evening="Spring", game="draughts", players=("Ann", "Bea")))
    with pytest.raises(Declined, match="Ann is at table 1"):
        next_round(store, PAIRS)
    api.close(store, "spring-1-1", api.CloseRequest("1-0", termination="resignation"))
    assert next_round(store, PAIRS)[0][:2] == (2, 1)
    assert api.load(store, "spring-2-2").record.tag("Game") == "Draughts"


def test_pairs_given_again_with_their_command_set_no_second_round(store: Store) -> None:
    first = next_round(store, "3\n3 1\n2 4\n5 0\n", game="chess", command="c")
    last = store.last()
    assert next_round(store, "3\n3 1\n2 4\n5 0\n", game="chess", command="c") == first
    assert store.last() == last


@pytest.mark.parametrize(
    ("pairs", "because"),
    [
        ("\n", "The list of pairs is empty; expected the number of pairs"),
        ("3 1\n", "Line 1 of the pairs: found '3 1', expected the number of pairs"),
        ("2\n3 1\n", "Line 1 of the pairs: found 2, but 1 pair follows, expected as many"),
        ("1\n3 1 2\n", "Line 2 of the pairs: found '3 1 2', expected two start numbers"),
        ("1\n3 x\n", "Line 2 of the pairs: found '3 x', expected two start numbers"),
        ("1\n3 9\n", "Line 2 of the pairs: found 9, expected a start number from 1 to 5"),
        ("2\n3 1\n1 2\n", "Line 3 of the pairs: found 1, Ann, who is on line 2 too, expected each person once"),
        ("1\n3 3\n", "Line 2 of the pairs: found 3, Cy, who is on line 2 too"),
        ("1\n0 0\n", "Line 2 of the pairs: found 0 twice"),
        ("3\n1 2\n3 0\n4 0\n", "Line 4 of the pairs: found a second bye after that of Cy"),
        ("1\n3 0\n", "The list has no pair"),
        ("1\n-1 2\n", "expected two start numbers"),
        ("1\n1 ²\n", "expected two start numbers"),
    ],
)
def test_a_list_that_cannot_be_is_refused_and_nothing_is_stored(store: Store, pairs: str, because: str) -> None:
    last = store.last()
    with pytest.raises(Unfit) as caught:
        next_round(store, pairs, game="chess")
    assert because in str(caught.value)
    assert store.last() == last


def test_who_left_is_not_paired(store: Store) -> None:
    api.record_presence(store, api.PresenceRequest(evening="Spring", persons=("Ann",), left=True))
    with pytest.raises(Unfit, match="found 1, Ann, who has left"):
        next_round(store, PAIRS, game="chess")


def test_a_fault_at_the_second_pair_sets_no_table(store: Store) -> None:
    api.set_table(store, api.SetTableRequest(evening="Spring", game="chess", players=("Di", "Eve")))
    last = store.last()
    with pytest.raises(Declined, match="Di is at table 1 of round 1"):
        next_round(store, PAIRS)
    assert (store.last(), store.head("spring-2-1")) == (last, None)


def test_without_a_round_before_the_game_has_to_be_named(store: Store) -> None:
    with pytest.raises(Unfit, match="Spring has no table yet; name the game"):
        next_round(store, PAIRS)
    for players, game in ((("Ann", "Bea"), "chess"), (("Cy", "Di"), "draughts")):
        table = api.set_table(store, api.SetTableRequest(evening="Spring", game=game, players=players)).table
        api.close(store, table.game, api.CloseRequest("1/2-1/2"))
    with pytest.raises(Unfit, match="Spring played several games in its last round; name the game"):
        next_round(store, PAIRS)
    with pytest.raises(Unfit, match="A game goes with pairs only"):
        next_round(store, "", game="chess")


# --- byes ---


def bye(store: Store, *persons: str, **more: object) -> list[tuple[int, str, str]]:
    request = api.ByeRequest(evening="Spring", persons=persons, **more)  # type: ignore[arg-type]
    return [(each.round, each.person, each.kind) for each in api.set_bye(store, request).byes]


def test_a_bye_is_for_the_next_round_unless_another_is_named(store: Store) -> None:
    assert bye(store, "Ann") == [(1, "Ann", "half")]
    assert bye(store, "Bea", round=4, kind="zero") == [(1, "Ann", "half"), (4, "Bea", "zero")]
    last = store.last()
    assert len(bye(store, "Ann")) == 2
    assert store.last() == last
    assert bye(store, "Ann", kind="full")[0] == (1, "Ann", "full")


def test_who_gets_a_table_after_all_has_no_bye(store: Store) -> None:
    bye(store, "Ann", round=1)
    api.set_table(store, api.SetTableRequest(evening="Spring", game="chess", players=("Ann", "Bea")))
    assert api.evening_of(store, "Spring").byes == ()
    with pytest.raises(Declined, match="Ann has a table in round 1"):
        bye(store, "Ann", round=1)


def test_what_is_no_bye_is_refused(store: Store) -> None:
    with pytest.raises(Unfit, match="'third' is no kind of bye; expected one of: pairing, full, half, zero"):
        bye(store, "Ann", kind="third")
    with pytest.raises(Declined, match="Fay never came to Spring"):
        bye(store, "Fay")
    with pytest.raises(Unfit, match="-1 is not the number of a round"):
        bye(store, "Ann", round=-1)
    with pytest.raises(Unfit, match="Nobody is named"):
        bye(store)


# --- typed ---


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return runner(tmp_path / "typed.db")


def test_a_round_by_pairs_as_it_is_typed(run: Run, tmp_path: Path) -> None:
    run("evening", "open", "Spring", "--date", "2026.11.27", "--rounds", "5")
    run("evening", "came", "Spring", *NAMES)
    (tmp_path / "pairs.txt").write_text("2\n1 2\n3 0\n")
    pairs = ("--pairs", str(tmp_path / "pairs.txt"))
    assert "has no table yet; name the game" in run("evening", "next", "Spring", *pairs, code=2).stderr
    assert run("evening", "next", "Spring", "chess", *pairs).stdout == "spring-1-1\n"
    run("close", "spring-1-1", "1-0", "--termination", "forfeit")
    assert run("evening", "bye", "Spring", "Di").stdout.splitlines() == [
        "Spring: 2026.11.27; 5 rounds",
        "round 1",
        "  table 1  Chess, spring-1-1: Ann, Bea; 1-0, forfeit",
        "  bye      Cy",
        "round 2",
        "  bye      Di, half a point",
        "free: Ann, Bea, Cy, Di, Eve",
    ]
    assert run("evening", "next", "Spring", "--pairs", "-", lines="1\n4 5\n").stdout == "spring-2-1\n"


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("next", "Spring", "chess"), "'chess' is one word too many"),
        (("next", "Spring", "--pairs", "nowhere.txt"), "nowhere.txt cannot be read"),
        (("came", "Spring", "Ann", "--pairs", "x"), "takes no --pairs"),
        (("bye", "Spring"), "Nobody is named"),
        (("bye", "Spring", "Ann", "--kind", "third"), "'third' is no kind of bye"),
        (("open", "Spring", "--rounds", "1000"), "1000 is not a number of rounds; expected 1 to 999"),
    ],
)
def test_what_is_typed_wrongly_is_a_sentence(run: Run, words: tuple[str, ...], because: str) -> None:
    run("evening", "open", "Spring")
    assert because in " ".join(run("evening", *words, code=2).stderr.split())


def test_a_round_robin_follows_the_berger_tables() -> None:
    rounds = ["1-4 2-3", "4-3 1-2", "2-4 3-1"]
    assert [" ".join(round_robin_pairs(4, each)[1:]).replace(" ", "-") for each in (1, 2, 3)] == [
        each.replace(" ", "-") for each in rounds
    ]
    assert round_robin_pairs(5, 1) == ["3", "1 0", "2 5", "3 4"]
    assert (round_robin_pairs(4, 4), round_robin_pairs(1, 1), round_robin_length(1)) == ([], [], 0)


@pytest.mark.parametrize("players", range(2, 13))
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    rounds = [round_robin_pairs(players, each)[1:] for each in range(1, round_robin_length(players) + 1)]
    met = [tuple(sorted(map(int, pair.split()))) for each in rounds for pair in each]
    games = [pair for pair in met if pair[0]]
    assert sorted(games) == [(one, other) for one in range(1, players) for other in range(one + 1, players + 1)]
    for each in rounds:
        assert len({number for pair in each for number in pair.split()}) == 2 * len(each)
