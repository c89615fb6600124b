"""Games of which only the result is known, and games described in a file."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.commands.reopen import ReopenRequest, reopen
from cartulary.records.commands.result import result_line
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.store import Store

CATAN = 'title = "Catan"\nseats = "3-4"\nwinner = "first"\ngoal = 10\n'


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        yield opened


def record(store: Store, game: str, *players: str, **more: Any) -> "api.RecordedResult":
    return api.record_result(store, api.ResultRequest(game=game, players=players, **more))


def scores(store: Store, id: str) -> list[Any]:
    """Return seat, player, share, points and place of each seat as the index has them."""
    return store.index.rows(
        "SELECT seat, name, share, points, place FROM scores JOIN people USING (person) JOIN games USING (number) "
        "WHERE id = ? ORDER BY seat",
        (id,),
    )


@pytest.mark.parametrize(
    ("game", "players", "more", "line", "places"),
    [
        ("Canasta", ("Ann=5000", "Bea=4300"), {}, "Canasta: Ann 5000, Bea 4300; Ann won", [1, 2]),
        ("Golf", ("A=72", "B=70", "C=75"), {"winner": "fewest"}, "Golf: A 72, B 70, C 75; B won", [2, 1, 3]),
        ("Race", ("A=2", "B=1", "C=3"), {"places": True}, "Race: A, B, C; B won", [2, 1, 3]),
        ("Hanabi", ("A", "B"), {"table": "won"}, "Hanabi: A, B; the table won", [1, 1]),
        ("Patience", ("A",), {"table": "lost"}, "Patience: A; the table lost", [0]),
        ("Belote", ("A=100", "B=60", "C=62", "D=0"), {"teams": "1:2:1:2"}, "A 100, B 60, C 62, D 0; A and C won", []),
        ("Wingspan", ("A", "B"), {"categories": {"Birds": "3:4", "Eggs": "5:2"}}, "A 8, B 6; A won", [1, 2]),
        ("chess", ("A=1/2", "B=0.5"), {}, "Chess: A, B; drawn", [1, 1]),
        ("Chess", ("A=0", "B=1"), {}, "Chess: A, B; B won", [2, 1]),
        ("tarot", ("A=30", "B=-10", "C=-10", "D=-10"), {}, "Tarot: A 30, B -10, C -10, D -10; A won", [1, 2, 2, 2]),
    ],
)
def test_a_result_is_recorded_in_one_step(
    store: Store, game: str, players: tuple[str, ...], more: dict[str, Any], line: str, places: list[int]
) -> None:
    answer = record(store, game, *players, **more)
    assert result_line(answer).endswith(line)
    game_now = api.load(store, answer.id)
    assert (game_now.book.closed, game_now.report.findings) == (True, ())
    assert game_now.report.verdict == ("legal" if game.lower() == "chess" else "unjudged")
    if places:
        assert [row[4] for row in scores(store, answer.id)] == places


def test_ninety_nine_may_sit_at_a_table(store: Store) -> None:
    answer = record(store, "Bingo", *(f"N{seat}={seat}" for seat in range(1, 100)))
    assert len(answer.players) == 99
    assert scores(store, answer.id)[-1] == (99, "N99", "1", "99", 1)
    with pytest.raises(Unfit):
        record(store, "Bingo", *(f"N{seat}={seat}" for seat in range(1, 101)))


@pytest.mark.parametrize(
    ("players", "more", "because"),
    [
        ((), {}, "Nobody is named"),
        (("Ada=x",), {}, "'Ada=x' is no player with a number"),
        (("Ada",), {}, "'Ada' is no player with a number"),
        (("=3",), {}, "3 stands beside no name"),
        (("Ada=Bela=10",), {}, "'Ada=Bela=10' has two signs ="),
        (("Ada=1", "Ada=2"), {}, "Ada is named twice"),
        (("Ada=1", "Bela=2"), {"winner": "best"}, "'best' does not say who wins"),
        (("Ada=1", "Bela=2"), {"table": "drawn"}, "'drawn' is not how a table ends"),
        (("Ada=1", "Bela=2"), {"teams": "1:2:1"}, "'1:2:1' does not give each of 2 seats a team"),
        (("Ada=1/2", "Bela=1"), {"places": True}, "1/2 is not a place"),
        (("Ada=2", "Bela=3"), {"places": True}, "The Places tag says 2:3, expected 2 places"),
        (("Ada=1", "Bela=2"), {"date": "yesterdayish"}, "'yesterdayish' is not a date"),
        (("Ada=1", "Bela=2"), {"duration": "long"}, "'long' is not a duration"),
        (("Ada=1", "Bela=2"), {"place": "Home", "tags": {"Site": "Club"}}, "Site is given twice"),
    ],
)
def test_a_result_that_cannot_be_is_a_sentence_and_nothing_is_kept(
    store: Store, players: tuple[str, ...], more: dict[str, Any], because: str
) -> None:
    with pytest.raises(Unfit) as fault:
        record(store, "Ludo", *players, **more)
    assert because in str(fault.value)
    assert store.ids() == ()


def test_shares_that_do_not_add_up_are_refused_in_a_game_with_rules(store: Store) -> None:
    with pytest.raises(Unfit, match="give 1 for the win and 1/2 for a draw"):
        record(store, "chess", "A=1", "B=1")


def test_the_same_command_records_a_result_once(store: Store) -> None:
    first = record(store, "Ludo", "A=1", "B=2", command="k")
    assert record(store, "Ludo", "A=1", "B=2", command="k") == first
    assert len(store.ids()) == 1
    with pytest.raises(Declined, match="already used for another request"):
        record(store, "Ludo", "A=1", "B=3", command="k")


def test_tags_date_and_duration_are_kept(store: Store) -> None:
    answer = record(
        store, "Ludo", "A=1", "B=2", date="3 May 2026", duration="75", place="Club", event="Spring", tags={"Round": "2"}
    )
    tag = api.load(store, answer.id).record.tag
    assert [tag(name) for name in ("Date", "Duration", "Site", "Event", "Round")] == [
        "2026.05.03",
        "1:15",
        "Club",
        "Spring",
        "2",
    ]


def test_a_result_is_corrected_like_any_other(store: Store) -> None:
    answer = record(store, "Ludo", "A=1", "B=2")
    api.change_tags(store, answer.id, api.TagRequest(tags={"Points": "5:2"}, reason="misread"))
    game = api.load(store, answer.id)
    assert (game.book.result, game.examined.settled_state.points) == ("1-0", (Fraction(5), Fraction(2)))
    assert [row[2:] for row in scores(store, answer.id)] == [("1", "5", 1), ("0", "2", 2)]


# --- described games ---


def describe(store: Store, toml: str = CATAN, **more: Any) -> "api.DescribedGame":
    return api.describe_game(store, api.DescribeRequest(toml=toml, **more))


def test_a_described_game_checks_its_records(store: Store) -> None:
    describe(store)
    answer = record(store, "catan", "A=10", "B=7", "C=3")
    assert (answer.game, answer.result) == ("Catan", "1-0-0")
    assert api.load(store, answer.id).record.tag("Description") == "winner=first; goal=10; seats=3-4"
    with pytest.raises(Unfit, match="3 or 4 seats"):
        record(store, "CATAN", "A=10", "B=7")


def test_a_game_is_described_once_and_anew(store: Store) -> None:
    describe(store, command="k")
    describe(store)
    describe(store, command="k")
    assert store.head("@games").version == 1  # type: ignore[union-attr]
    describe(store, CATAN.replace("10", "12"))
    assert api.described_games(store)["catan"].description.goal == 12
    with pytest.raises(Declined, match="already used for another request"):
        describe(store, CATAN.replace("10", "14"), command="k")
    with pytest.raises(Declined, match="The rules of Chess are installed"):
        describe(store, 'title = "chess"\n')
    with pytest.raises(Unfit, match="The game cannot be described: found no goal"):
        describe(store, 'title = "X"\nwinner = "first"\n')


@pytest.mark.parametrize(
    ("toml", "because"),
    [
        ("seats = 3\n", "The file is no description of a game: .*title"),
        ('title = "X"\nplayers = 3\n', "The file is no description of a game: .*players"),
        ("title = ", "The file is no description of a game: "),
    ],
)
def test_a_file_that_is_no_description_is_refused(store: Store, toml: str, because: str) -> None:
    with pytest.raises(Unfit, match=because):
        describe(store, toml)
    assert store.head("@games") is None


def test_records_keep_the_description_they_were_opened_with(store: Store) -> None:
    describe(store)
    id = record(store, "catan", "A=10", "B=7", "C=3").id
    describe(store, 'title = "Catan"\nseats = 2\nwinner = "fewest"\n')
    assert api.load(store, id).book.result == "1-0-0"
    assert api.load(store, id).report.findings == ()


def test_rounds_are_written_undone_and_closed_by_their_sum(store: Store) -> None:
    describe(store, 'title = "Skull King"\nseats = "2-8"\nwinner = "most"\nrounds = 10\n')
    id = api.open_game(store, api.NewRequest(game="skull king", players=("A", "B", "C"))).id
    for word in ("p0/10:20:30", "p0/-:5:-10"):
        api.play(store, id, api.WordsRequest(words=(word,)))
    assert api.load(store, id).examined.settled_state.points == (10, 25, 20)
    api.take_back(store, id, api.UndoRequest())
    assert api.load(store, id).examined.settled_state.points == (10, 20, 30)
    assert api.close(store, id, api.CloseRequest()).result == "0-0-1"
    assert [row[2:] for row in scores(store, id)] == [("0", "10", 3), ("0", "20", 2), ("1", "30", 1)]
    reopen(store, id, ReopenRequest(reason="one more"))
    assert scores(store, id) == []
