"""Evenings: opened, tables set, persons who come and leave; what is refused, and that requests are harmless twice."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.person_scores import person_scores
from cartulary.records.log.store import Store
from cartulary.records.state.evenings import EveningTable, evening_key
from tests.records.archives import Run, runner

Open, Table, Presence = api.OpenEveningRequest, api.SetTableRequest, api.PresenceRequest


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        api.open_evening(opened, Open(title="Spring", date="2026.11.27", place="Town hall"))
        yield opened


def table(store: Store, *players: str, game: str = "cardmate", **more: Any) -> api.SetTable:
    return api.set_table(store, Table(evening="Spring", game=game, players=players, **more))


def close(store: Store, id: str) -> None:
    api.close(store, id, api.CloseRequest("1-0", termination="resignation"))


def test_a_table_opens_a_game_that_says_where_it_belongs(store: Store) -> None:
    setting = table(store, "Ann", "Bea")
    record = api.load(store, setting.table.game).record
    tags = {name: record.tag(name) for name in ("Event", "Site", "Date", "Round", "Board", "Forehand", "Rearhand")}
    assert tags == {
        "Event": "Spring",
        "Site": "Town hall",
        "Date": "2026.11.27",
        "Round": "1",
        "Board": "1",
        "Forehand": "Ann",
        "Rearhand": "Bea",
    }
    assert (setting.table.game, setting.evening.present) == ("spring-1-1", ("Ann", "Bea"))


def test_rounds_and_tables_are_numbered_by_themselves(store: Store) -> None:
    for players in (("Ann", "Bea"), ("Cy", "Di")):
        close(store, table(store, *players).table.game)
    close(store, table(store, "Ann", "Cy", round=2).table.game)
    assert table(store, "Bea", "Di").table.game == "spring-2-2"
    evening = api.evening_of(store, "SPRING")
    assert [(each.round, each.number, each.players) for each in evening.tables] == [
        *((1, 1, ("Ann", "Bea")), (1, 2, ("Cy", "Di"))),
        *((2, 1, ("Ann", "Cy")), (2, 2, ("Bea", "Di"))),
    ]


def test_who_plays_is_not_free_and_who_left_is_not_there(store: Store) -> None:
    api.record_presence(store, Presence(evening="Spring", persons=("Cy", "Di")))
    set_up = table(store, "Ann", "Bea")
    assert api.evening_overview(store, "Spring").free == ("Cy", "Di")
    close(store, set_up.table.game)
    api.record_presence(store, Presence(evening="Spring", persons=("Cy",), left=True))
    overview = api.evening_overview(store, "Spring")
    assert overview.free == ("Di", "Ann", "Bea")
    assert [each.says for each in overview.standings] == ["1-0"]
    with pytest.raises(Declined, match="Cy is not at Spring"):
        api.record_presence(store, Presence(evening="Spring", persons=("Cy",), left=True))


def test_of_five_at_a_table_for_four_the_first_sits_out(store: Store) -> None:
    setting = table(store, *"ABCDE", game="tarot", seats=4)
    assert (setting.table.players, setting.table.waiting) == (("B", "C", "D", "E"), ("A",))
    assert api.load(store, setting.table.game).book.seats == 4
    assert api.evening_overview(store, "Spring").free == ()


@pytest.mark.parametrize("command", ["", "c1"])
def test_every_request_given_again_writes_nothing(store: Store, command: str) -> None:
    def write() -> EveningTable:
        api.open_evening(store, Open(title="Spring", date="2026.11.27", place="Town hall", command=command))
        setting = table(store, "Ann", "Bea", round=1, table=1, command=command and "c2")
        api.record_presence(store, Presence(evening="Spring", persons=("Cy",), command=command and "c3"))
        return setting.table

    first = write()
    last = store.last()
    assert (write(), store.last()) == (first, last)


def test_a_command_without_numbers_sets_one_table_only(store: Store) -> None:
    assert table(store, "Ann", "Bea", command="c1").table == table(store, "Ann", "Bea", command="c1").table
    assert len(api.evening_of(store, "Spring").tables) == 1
    with pytest.raises(Declined, match="c1"):
        api.open_evening(store, Open(title="Spring", place="elsewhere", command="c1"))


def test_a_game_that_was_opened_before_its_table_was_noted_is_noted(store: Store) -> None:
    tags = {"Event": "Spring", "Date": "2026.11.27", "Site": "Town hall", "Round": "1", "Board": "1"}
    api.open_game(store, api.NewRequest("cardmate", id="spring-1-1", players=("Ann", "Bea"), tags=tags))
    assert table(store, "Ann", "Bea").table.game == "spring-1-1"
    api.open_game(store, api.NewRequest("cardmate", id="spring-1-2", players=("Cy", "Di")))
    with pytest.raises(Declined, match="another game spring-1-2 already"):
        table(store, "Cy", "Di")
    assert len(api.evening_of(store, "Spring").tables) == 1


@pytest.mark.parametrize(
    ("request_", "because"),
    [
        ({"players": ("Ann",), "evening": "Autumn"}, "no evening 'Autumn'; expected one of: `Spring`"),
        ({"players": ()}, "Nobody is named"),
        ({"players": ("Ann", " Ann ")}, "Ann is named twice"),
        ({"players": ("Ann", "?")}, "A name is empty"),
        ({"players": ("Ann", "Bea"), "game": "catan"}, "No rules for catan are installed; with --unjudged"),
        ({"players": ("Ann", "Bea"), "game": "cardmat"}, "did you mean Cardmate"),
        ({"players": ("Ann", "Bea"), "round": -1}, "-1 is not the number of a round"),
        ({"players": tuple("abc")}, "3 players were named, but the game has 2 seats"),
        ({"players": tuple("abc"), "seats": 3}, "needs 2 seats, not 3"),
        ({"players": ("Ann", "Bea"), "id": "a b"}, "'a b' is not an id"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_stored(store: Store, request_: dict[str, Any], because: str) -> None:
    last = store.last()
    with pytest.raises(Unfit, match=because):
        api.set_table(store, Table(**{"evening": "Spring", "game": "cardmate"} | request_))
    assert store.last() == last


def test_nobody_sits_at_two_open_tables(store: Store) -> None:
    table(store, "Ann", "Bea")
    with pytest.raises(Declined, match="Bea is at table 1 of round 1, spring-1-1, which is still open"):
        table(store, "Bea", "Cy")
    with pytest.raises(Declined, match="has a table 1 already: Ann, Bea"):
        table(store, "Cy", "Di", round=1, table=1)
    assert store.head("spring-1-2") is None


def test_merged_names_are_one_person_at_an_evening(store: Store) -> None:
    close(store, table(store, "Ann", "Bea").table.game)
    close(store, table(store, "ann", "Cy").table.game)
    api.merge_people(store, api.MergeRequest(name="ann", into="Ann"))
    assert api.evening_of(store, "Spring").present == ("Ann", "Bea", "Cy")
    assert table(store, "ann", "Di").table.players == ("Ann", "Di")


@pytest.mark.parametrize(("title", "key"), [("Spring  2026", "spring-2026"), ("Été", "été"), ("A_b!", "a-b")])
def test_an_evening_has_a_name_in_addresses(title: str, key: str) -> None:
    assert evening_key(title) == key


@pytest.mark.parametrize("title", ["", " ", "!?", "x" * 61, "a\nb"])
def test_a_title_that_names_nothing_is_refused(store: Store, title: str) -> None:
    with pytest.raises(Unfit):
        api.open_evening(store, Open(title=title))


def test_two_titles_that_differ_in_signs_are_not_one_evening(store: Store) -> None:
    api.open_evening(store, Open(title="Club 1"))
    with pytest.raises(Declined, match="an evening Club 1, which differs in signs only"):
        api.open_evening(store, Open(title="Club-1"))
    assert api.open_evening(store, Open(title="club 1", place="Inn")).title == "Club 1"


# --- typed ---


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return runner(tmp_path / "typed.db")


def test_an_evening_as_it_is_typed(run: Run) -> None:
    run("evening", "open", "Spring", "--date", "27.11.2026", "--place", "Town hall")
    assert run("evening", "table", "Spring", "cardmate", "-p", "Ann", "-p", "Bea").stdout == "spring-1-1\n"
    five = [word for name in "ABCDE" for word in ("-p", name)]
    run("evening", "table", "Spring", "--round", "1", "--table", "2", "tarot", "--seats", "4", *five)
    assert run("evening", "came", "Spring", "Fay").stdout == run("evening", "spring").stdout
    assert run("evening", "Spring").stdout.splitlines() == [
        "Spring: 2026.11.27, Town hall",
        "round 1",
        "  table 1  Cardmate, spring-1-1: Ann, Bea; open, 0 plies",
        "  table 2  Tarot, spring-1-2: B, C, D, E; A sits out; open, 0 plies",
        "free: Fay",
    ]
    assert run("evenings").stdout == "Spring: 2026.11.27, Town hall; 1 round, 2 tables, 8 persons\n"


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("Spring", "--date", "2026"), "`evening NAME` takes no --date"),
        (("open", "Spring", "--round", "2"), "`evening open` takes no --round"),
        (("open", "Spring", "2026"), "'2026' is one word too many"),
        (("table", "Spring"), "`evening table` needs the name of one game"),
        (("nobody",), "There is no evening 'nobody'; expected one of: `Spring`"),
        (("came", "Spring"), "Nobody is named"),
        (("open", "Spring", "--date", "soon"), "'soon' is not a date"),
    ],
)
def test_what_is_typed_wrongly_is_a_sentence(run: Run, words: tuple[str, ...], because: str) -> None:
    run("evening", "open", "Spring")
    assert because in " ".join(run("evening", *words, code=2).stderr.split())


def test_of_five_at_a_table_for_four_everybody_sits_out_once_in_five_rounds(store: Store) -> None:
    api.open_evening(store, api.OpenEveningRequest(title="Five"))
    circle = ("Ann", "Bea", "Cy", "Di", "Eve")
    first = api.SetTableRequest(evening="Five", game="tarot", players=circle, seats=4, variant="fft")
    tables = [api.set_table(store, first).table]
    for round in range(2, 6):
        api.close(store, tables[-1].game, api.CloseRequest("1-0-0-0", termination="adjudication"))
        [answer] = api.set_next_round(store, api.NextRoundRequest("Five", command=f"next-{round}"))
        assert api.set_next_round(store, api.NextRoundRequest("Five", command=f"next-{round}")) == (answer,)
        tables.append(answer.table)
    assert [table.waiting for table in tables] == [(person,) for person in circle]
    assert tables[1].players == ("Cy", "Di", "Eve", "Ann")
    assert api.load(store, tables[4].game).record.tag("Variant") == "fft"
    with pytest.raises(Declined, match="open"):
        api.set_next_round(store, api.NextRoundRequest("Five"))


def test_an_evening_without_a_table_has_no_next_round(store: Store) -> None:
    api.open_evening(store, api.OpenEveningRequest(title="None yet"))
    with pytest.raises(Unfit, match="no table yet"):
        api.set_next_round(store, api.NextRoundRequest("None yet"))


def test_a_table_that_was_set_aside_does_not_count(store: Store) -> None:
    first = Table(evening="Spring", game="cardmate", players=("Ann", "Bea"))
    wrong = api.set_table(store, first).table
    api.set_aside(store, wrong.game, api.AsideRequest(reason="the table was set by mistake"))
    overview = api.evening_overview(store, "Spring")
    assert [(each.aside, each.is_busy, each.says) for each in overview.standings] == [(True, False, "set aside")]
    assert overview.free == ("Ann", "Bea")
    with pytest.raises(Unfit, match="has no table yet"):
        api.set_next_round(store, api.NextRoundRequest("Spring"))
    right = api.set_table(store, Table(evening="Spring", game="chess", players=("Bea", "Ann"))).table
    assert (right.round, right.number) == (1, 2)
    close(store, right.game)
    [again] = api.set_next_round(store, api.NextRoundRequest("Spring", command="next"))
    assert (again.table.round, again.table.number, again.table.players) == (2, 2, ("Bea", "Ann"))
    api.set_aside(store, again.table.game, api.AsideRequest(reason="too late for another"))
    assert api.set_next_round(store, api.NextRoundRequest("Spring", command="next"))[0].table == again.table
    [third] = api.set_next_round(store, api.NextRoundRequest("Spring", command="another"))
    assert (third.table.round, third.table.players) == (3, ("Bea", "Ann"))


def test_a_next_round_that_fails_at_its_second_table_sets_none(store: Store) -> None:
    for players in (("Ann", "Bea"), ("Cy", "Di")):
        close(store, table(store, *players).table.game)
    api.open_game(store, api.NewRequest("cardmate", id="spring-2-2", players=("Eve", "Fay")))
    last = store.last()
    with pytest.raises(Declined, match="another game spring-2-2 already"):
        api.set_next_round(store, api.NextRoundRequest("Spring"))
    assert (store.last(), store.head("spring-2-1")) == (last, None)
    assert api.evening_of(store, "Spring").last_round == 1


def test_who_was_at_two_tables_of_a_round_cannot_be_set_at_both_again(store: Store) -> None:
    for players in (("Ann", "Bea"), ("Ann", "Cy")):
        close(store, table(store, *players).table.game)
    last = store.last()
    with pytest.raises(Declined, match="Ann was at tables 1 and 2 of round 1, and cannot sit at both at once"):
        api.set_next_round(store, api.NextRoundRequest("Spring"))
    assert store.last() == last


def test_tables_whose_games_were_opened_before_they_were_noted_are_set_all_the_same(store: Store) -> None:
    for players in (("Ann", "Bea"), ("Cy", "Di")):
        close(store, table(store, *players).table.game)
    tags = {"Event": "Spring", "Date": "2026.11.27", "Site": "Town hall", "Round": "2", "Board": "1"}
    api.open_game(store, api.NewRequest("cardmate", id="spring-2-1", players=("Ann", "Bea"), tags=tags))
    tables = [answer.table.game for answer in api.set_next_round(store, api.NextRoundRequest("Spring"))]
    assert tables == ["spring-2-1", "spring-2-2"]


def test_a_substitute_sits_at_the_evening_too_and_in_the_next_round(store: Store) -> None:
    api.record_presence(store, api.PresenceRequest(evening="Spring", persons=("Gus",)))
    id = table(store, "Ann", "Bea").table.game
    api.play(store, id, api.WordsRequest(("4Ci3",)))
    for _ in range(2):
        api.seat_player(store, id, api.SeatRequest("p2", "Fay", command="sub"))
    overview = api.evening_overview(store, "Spring")
    assert overview.standings[0].table.players == ("Ann", "Fay")
    assert overview.free == ("Gus", "Bea")
    assert api.evening_of(store, "Spring").present == ("Gus", "Ann", "Bea", "Fay"), "whoever sits down has come"
    with pytest.raises(Declined, match="Fay is at table 1"):
        table(store, "Fay", "Gus")
    assert table(store, "Bea", "Gus").table.players == ("Bea", "Gus"), "who was relieved is free"
    close(store, "spring-1-2")
    again = api.SetTableRequest(evening="Spring", game="cardmate", players=("Ann", "Bea"), round=1, table=1)
    assert api.set_table(store, again).table.game == id, "the same table is no second one"
    close(store, id)
    api.set_aside(store, "spring-1-2", api.AsideRequest(reason="no more"))
    [now] = api.set_next_round(store, api.NextRoundRequest(evening="Spring"))
    assert now.table.players == ("Ann", "Fay")
    api.record_presence(store, api.PresenceRequest(evening="Spring", persons=("Bea",), left=True))
    assert "Bea" not in api.evening_overview(store, "Spring").free


def test_a_substitute_is_at_no_evening_where_the_game_is_at_none(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ann", "Bea"), tags={"Event": "Spring"}))
    api.play(store, "g", api.WordsRequest(("4Ci3",)))
    api.seat_player(store, "g", api.SeatRequest("p2", "Fay"))
    assert api.evening_of(store, "Spring").present == ()


FIVE = ("Ann", "Bea", "Cy", "Di", "Eve")


def deal(store: Store, id: str, taker: str, **more: Any) -> api.RoundAnswer:
    answers = {"Taker": taker, "Bid": "Petite", "Bouts": "1", "Points": "51"}  # worth 3 × 25 to the taker
    return api.play_round(store, id, api.RoundRequest(answers=answers, **more))


def sits_out(store: Store, id: str) -> tuple[str, ...]:
    seats = api.next_seats(store, api.load(store, id))
    assert seats is not None
    return seats.table.waiting


def test_where_five_play_at_a_table_for_four_the_next_one_sits_out_in_each_deal(store: Store) -> None:
    id = table(store, *FIVE, game="tarot", variant="fft", seats=4).table.game
    takers = ("Bea", "Cy", "Di", "Eve", "Ann", "Bea")
    for taker, out in zip(takers, (*FIVE, "Ann"), strict=True):
        assert sits_out(store, id) == (out,)
        deal(store, id, taker)
    scores = {each.name: int(each.points) for each in person_scores(api.load(store, id), api.people_of(store))}
    assert scores == {
        "Ann": 75 - 25 * 3,
        "Bea": 150 - 25 * 3,
        "Cy": 75 - 25 * 4,
        "Di": -25 * 4 + 75,
        "Eve": 75 - 25 * 4,
    }
    api.close(store, id, api.CloseRequest())
    rows = {row.name: row for row in api.standings(store, api.Query(game="tarot")).rows}
    assert {name: int(row.points or 0) for name, row in rows.items()} == scores
    assert {name: (row.games, int(row.wins)) for name, row in rows.items()} == {
        name: (1, 1 if name == "Bea" else 0) for name in FIVE
    }
    assert [person.games for person in api.list_people(store)] == [1] * 5
    duels = api.standings(store, api.Query(game="tarot"), "wins", duels=True).duels
    assert {frozenset((duel.first, duel.second)) for duel in duels} == {
        frozenset(pair) for pair in combinations(FIVE, 2)
    }
    [now] = api.set_next_round(store, api.NextRoundRequest(evening="Spring"))
    assert (now.table.waiting, now.table.players) == (("Bea",), ("Cy", "Di", "Eve", "Ann"))


def test_somebody_else_may_sit_out_and_an_undone_deal_is_dealt_to_the_same_people(store: Store) -> None:
    id = table(store, *FIVE, game="tarot", variant="fft", seats=4).table.game
    deal(store, id, "Ann", sits_out="Cy")
    assert api.load(store, id).record.tag("Seat2") == "Ann"
    assert sits_out(store, id) == ("Di",)
    for _ in range(2):
        deal(store, id, "Cy", command="second")
    assert api.load(store, id).plies == 2
    assert sits_out(store, id) == ("Eve",)
    api.take_back(store, id, api.UndoRequest())
    assert sits_out(store, id) == ("Di",), "the deal that was undone"
    deal(store, id, "Cy", sits_out="di")
    assert sits_out(store, id) == ("Eve",)
    before = api.load(store, id).head
    api.play_round(store, id, api.RoundRequest(answers={"Taker": "-"}, dry=True))
    with pytest.raises(Unfit, match="Zoe is not at this table"):
        deal(store, id, "Cy", sits_out="Zoe")
    assert api.load(store, id).head == before
    api.record_presence(store, api.PresenceRequest(evening="Spring", persons=("Di",), left=True))
    assert sits_out(store, id) == ("Di",), "nobody is there to sit down"
    api.open_game(store, api.NewRequest("tarot", id="g", players=FIVE[:4], variant="fft"))
    assert api.next_seats(store, api.load(store, "g")) is None
    with pytest.raises(Unfit, match="Nobody sits out of g"):
        deal(store, "g", "Ann", sits_out="Bea")


def test_a_substitute_of_somebody_who_sits_out_takes_the_turn_too(store: Store) -> None:
    id = table(store, *FIVE, game="tarot", variant="fft", seats=4).table.game
    deal(store, id, "Bea")
    api.seat_player(store, id, api.SeatRequest("Cy", "Fay"))
    api.seat_player(store, id, api.SeatRequest("p1", "Ann"))
    for out in ("Bea", "Fay", "Di", "Eve", "Ann", "Bea"):
        assert sits_out(store, id) == (out,)
        deal(store, id, "-")


def test_a_substitute_does_not_keep_the_next_one_from_sitting_out(store: Store) -> None:
    id = table(store, *FIVE, game="tarot", variant="fft", seats=4).table.game
    deal(store, id, "Bea")
    api.seat_player(store, id, api.SeatRequest("Di", "Fay"))
    for out in ("Bea", "Cy", "Fay", "Eve", "Ann"):
        assert sits_out(store, id) == (out,)
        deal(store, id, "-")


def test_two_of_six_sit_out_and_who_waits_longest_plays_first(store: Store) -> None:
    id = table(store, *FIVE, "Fay", game="tarot", variant="fft", seats=4).table.game
    for out in (("Ann", "Bea"), ("Bea", "Cy"), ("Cy", "Di"), ("Di", "Eve"), ("Eve", "Fay"), ("Fay", "Ann")):
        assert sits_out(store, id) == out
        deal(store, id, "-")
