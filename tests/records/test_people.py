"""People: names merged, renamed and split, without any record being changed."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import dumps
from cartulary.records import api
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.search import Query, search
from cartulary.records.log.aside_events import PeopleMerged, PersonSplit
from cartulary.records.log.store import Store
from cartulary.records.state.people import People, leads_to

Merge, Rename, Split = api.MergeRequest, api.RenameRequest, api.SplitRequest


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "games.db", create=True) as opened:
        for players in (("Ann=3", "Bea=1"), ("ann=2", "Cy=4"), ("Ann L.=1", "Bea=2")):
            api.record_result(opened, api.ResultRequest(game="Ludo", players=players))
        yield opened


def listed(store: Store) -> dict[str, int]:
    return {person.name: person.games for person in api.list_people(store)}


def test_merged_names_are_one_person_in_lists_and_searches(store: Store) -> None:
    assert listed(store) == {"Ann": 1, "Ann L.": 1, "Bea": 2, "Cy": 1, "ann": 1}
    api.merge_people(store, Merge(name="ann", into="Ann"))
    person = api.merge_people(store, Merge(name="Ann L.", into="Ann"))
    assert (person.name, person.games, person.also) == ("Ann", 3, ("Ann L.", "ann"))
    assert listed(store) == {"Ann": 3, "Bea": 2, "Cy": 1}
    hits, _ = search(store, Query(player=("Ann L",)))
    assert sorted(hit.game.players for hit in hits) == ["Ann; Bea", "Ann; Bea", "Ann; Cy"]
    assert sorted(api.load(store, id).record.tag("Seat1") for id in store.ids()) == ["Ann", "Ann L.", "ann"]


def test_a_game_that_is_set_aside_does_not_count(store: Store) -> None:
    [id] = [id for id in store.ids() if api.load(store, id).record.tag("Seat1") == "ann"]
    api.set_aside(store, id, api.AsideRequest(reason="a slip"))
    assert listed(store) == {"Ann": 1, "Ann L.": 1, "Bea": 2}
    assert api.games_of_person(store, "Cy", limit=5) == ()


def test_the_games_of_a_person_go_by_the_whole_name(store: Store) -> None:
    api.rename_person(store, Rename(name="Bea", to="Bea Berg"))
    for name in ("Bea", "Bea Berg"):
        games = api.games_of_person(store, name, limit=5)
        assert [(each.game.players, each.points, each.place, each.share) for each in games] == [
            ("Ann L.; Bea Berg", "2", 1, "1"),
            ("Ann; Bea Berg", "1", 2, "0"),
        ]
    assert api.games_of_person(store, "Be", limit=5) == ()
    assert len(api.games_of_person(store, "Bea", limit=5, offset=1)) == 1


def test_a_new_name_is_shown_and_both_are_found(store: Store) -> None:
    api.rename_person(store, Rename(name="Bea", to="Bea Berg"))
    assert listed(store)["Bea Berg"] == 2
    for part in ("Bea Berg", "bea", "BERG"):
        hits, _ = search(store, Query(player=(part,)))
        assert [hit.game.players.count("Bea Berg") for hit in hits] == [1, 1]
    assert api.rename_person(store, Rename(name="Bea", to="B. Berg")).also == ("Bea", "Bea Berg")


def test_a_split_undoes_a_merge(store: Store) -> None:
    before = listed(store)
    api.merge_people(store, Merge(name="ann", into="Ann"))
    api.split_person(store, Split(name="ann"))
    assert listed(store) == before
    with pytest.raises(Declined, match="ann is not merged into another name"):
        api.split_person(store, Split(name="ann"))


def test_a_merge_in_a_circle_is_refused_and_a_split_opens_it(store: Store) -> None:
    api.merge_people(store, Merge(name="ann", into="Ann"))
    with pytest.raises(Declined, match="ann is shown as Ann already; `people split` separates them first"):
        api.merge_people(store, Merge(name="Ann", into="ann"))
    api.split_person(store, Split(name="ann"))
    assert api.merge_people(store, Merge(name="Ann", into="ann")).name == "ann"


@pytest.mark.parametrize(
    ("request_", "because"),
    [
        (Merge(name="Zoe", into="Ann"), "Nobody is called Zoe in this archive"),
        (Merge(name="Ann", into="Zoe"), "Nobody is called Zoe; use `people rename`"),
        (Merge(name="Ann", into="Ann"), "Ann is that name already"),
        (Merge(name="?", into="Ann"), "'?' is no name"),
        (Rename(name="Ann", to="Bea"), "Bea is somebody already; use `people merge`"),
        (Rename(name="Ann", to=" "), "' ' is no name"),
        (Rename(name="Ann", to="A\x07"), "control character"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_nothing_is_written(store: Store, request_: Any, because: str) -> None:
    change: Any = api.merge_people if isinstance(request_, Merge) else api.rename_person
    with pytest.raises(Unfit, match=because.replace("?", r"\?")):
        change(store, request_)
    assert store.head("@people") is None


def test_the_same_command_is_harmless_twice(store: Store) -> None:
    for _ in range(2):
        api.merge_people(store, Merge(name="ann", into="Ann", command="k"))
    assert store.head("@people").version == 1  # type: ignore[union-attr]
    with pytest.raises(Declined, match="already used for another request"):
        api.merge_people(store, Merge(name="Cy", into="Ann", command="k"))


NAMES = st.sampled_from("ABCDE")


@given(st.lists(st.tuples(NAMES, NAMES) | NAMES, max_size=30))
def test_every_name_is_shown_as_one_and_no_chain_is_a_circle(steps: list[tuple[str, str] | str]) -> None:
    into: dict[str, str] = {}
    for step in steps:
        if isinstance(step, str):
            into.pop(step, None)
        elif not leads_to(into, step[1], step[0]):
            into[step[0]] = step[1]
    people = People(into)
    for name in "ABCDE":
        assert people.display_name(people.display_name(name)) == people.display_name(name)
        assert name in people.names_of(name)
        assert all(people.display_name(other) == people.display_name(name) for other in people.names_of(name))


def test_the_events_say_names_and_nothing_else() -> None:
    assert set(PeopleMerged.__struct_fields__) - {"at", "by", "command", "salt"} == {"name", "into"}
    assert set(PersonSplit.__struct_fields__) - {"at", "by", "command", "salt"} == {"name"}


def test_merged_names_are_one_player_in_the_numbers(store: Store) -> None:
    api.merge_people(store, Merge(name="ann", into="Ann"))
    [players] = api.tally(store, names=("players",))
    assert {row[0]: row[1] for row in players.rows} == {"Ann": 2, "Ann L.": 1, "Bea": 2, "Cy": 1}


def test_a_sheet_shows_the_name_of_now_and_an_export_the_name_as_written(store: Store) -> None:
    id = next(id for id in store.ids() if api.load(store, id).record.tag("Seat1") == "ann")
    api.merge_people(store, Merge(name="ann", into="Ann"))
    api.rename_person(store, Rename(name="Ann", to="Ann Lee"))
    assert api.score_sheet(store, id).seats[0].name == "Ann Lee"
    assert b"Ann Lee" in api.html([api.score_sheet(store, id)])
    assert '[Seat1 "ann"]' in dumps(api.export_cgn(store, id))
    api.split_person(store, Split(name="ann"))
    assert api.score_sheet(store, id).seats[0].name == "ann"


def test_who_takes_over_under_another_of_his_names_is_on_a_sheet_once(store: Store) -> None:
    api.open_game(store, api.NewRequest("Ludo", id="g", players=("Ann", "Bea"), unjudged=True))
    api.play(store, "g", api.WordsRequest(("a", "b", "c")))
    api.seat_player(store, "g", api.SeatRequest(place="p1", player="ann", ply=2))
    assert api.score_sheet(store, "g").seats[0].name == "Ann, from ply 2 on ann"
    api.merge_people(store, Merge(name="ann", into="Ann"))
    assert api.score_sheet(store, "g").seats[0].name == "Ann"


def test_duplicates_are_found_under_merged_names(store: Store) -> None:
    for name in ("Bob", "Robert"):
        api.record_result(store, api.ResultRequest("Catan", players=(f"{name}=10", "Zoe=7"), date="2026.03.01"))
    assert [pair for pair in api.duplicates(store) if "Zoe" in pair.first.players] == []
    api.merge_people(store, Merge(name="Bob", into="Robert"))
    [pair] = [pair for pair in api.duplicates(store) if "Zoe" in pair.first.players]
    assert (pair.kind, pair.first.players, pair.second.players) == ("score", "Robert; Zoe", "Robert; Zoe")


def test_partners_have_won_the_game_of_their_team(store: Store) -> None:
    four = ("Ola=10", "Pia=3", "Quo=8", "Ria=4")
    api.record_result(store, api.ResultRequest("Doko", four, teams="1:2:1:2"))
    shares = {name: api.games_of_person(store, name, limit=1)[0].share for name in ("Ola", "Pia", "Quo", "Ria")}
    assert shares == {"Ola": "1", "Pia": "0", "Quo": "1", "Ria": "0"}
    [players] = api.tally(store, names=("players",))
    won = {row[0]: row[1:4] for row in players.rows}
    assert [won[name] for name in shares] == [(1, 1, 1), (1, 1, 0), (1, 1, 1), (1, 1, 0)]
