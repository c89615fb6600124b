"""Appending: behind the head its writer has seen, all or none, and read back byte for byte."""

import pytest

from cartulary.records.faults import Conflict, Damaged, LockedDatabase, StoreFault, UnknownGame
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.events import Event, TagsChanged
from cartulary.records.log.recorded import Batch, is_game, seal_events
from cartulary.records.log.store import Store
from tests.records.logs import Place, carry_out, filled, held, played, refuse, texts


def named(name: str) -> TagsChanged:
    return TagsChanged(at="2001-02-03T04:05:06.000Z", salt="00" * 16, put=(("Forehand", name),), dropped_tags=())


def test_what_is_appended_is_read_back_in_order_with_its_head(log: Store) -> None:
    events: list[Event] = [named("Ö"), named("Ada \U0001f0a1"), named("")]
    head = log.append("g", origin("g"), events)
    read = log.stream("g")
    assert [each.event for each in read] == events
    assert [each.originator_version for each in read] == [1, 2, 3]
    assert (read[-1].digest, log.head("g")) == (head.digest, head)


def test_an_append_goes_behind_the_head_its_writer_has_seen_and_nowhere_else(log: Store) -> None:
    first = filled(log, "g", 2)
    second = log.append("g", first, [played("word3")])
    for late in (origin("g"), first, Head(9, second.digest)):
        with pytest.raises(Conflict):
            log.append("g", late, [played("late")])
    with pytest.raises(UnknownGame):
        log.append("h", first, [played("nowhere")])
    assert texts(log, "g") == ["word1", "word2", "word3"]
    assert log.head("g") == second


@pytest.mark.smoke
def test_who_writes_second_gets_a_conflict_with_both_versions(log: Store) -> None:
    seen = filled(log, "g", 2)
    log.append("g", seen, [played("mine")])
    with pytest.raises(Conflict, match="version 2, but the game is at version 3") as caught:
        log.append("g", seen, [played("yours")])
    assert (caught.value.id, caught.value.expected, caught.value.actual) == ("g", 2, 3)
    assert texts(log, "g")[-1] == "mine"


def test_a_game_begun_twice_is_a_conflict(log: Store) -> None:
    filled(log, "g", 1)
    with pytest.raises(Conflict, match="There is already a game g"):
        filled(log, "g", 1)


def test_a_chain_goes_on_from_where_another_desk_left_it(log: Store, other: Store) -> None:
    head = other.append("g", filled(log, "g", 2), [played("third")])
    assert log.append("g", head, [played("fourth")]).version == 4
    assert len(log.stream("g")) == len(other.stream("g")) == 4


def test_a_batch_is_stored_byte_for_byte(log: Store) -> None:
    recorded = seal_events("g", origin("g"), [named("one"), named("two")])
    assert log.write(Batch("g", origin("g"), recorded)) == Head(2, recorded[-1].digest)
    assert log.stream("g") == recorded


def test_whole_streams_are_stored_together_and_those_there_left_alone(log: Store) -> None:
    filled(log, "b", 3)
    batches = [Batch(id, origin(id), seal_events(id, origin(id), [played(id), named(id)])) for id in "abc"]
    assert log.write_new(batches) == {"b"}
    assert [len(log.stream(id)) for id in "abc"] == [2, 3, 2]
    assert log.ids() == ("b", "a", "c")


def test_what_is_not_there_is_unknown(log: Store) -> None:
    assert log.head("g") is None
    assert log.ids() == log.asides() == ()
    for id in ("g", "a\0b", "a\nb", "\udcff"):
        with pytest.raises(UnknownGame, match="no game"):
            log.stream(id)
    with pytest.raises(UnknownGame):
        log.append("g", Head(3, "00" * 32), [played()])


def test_a_stream_that_is_no_game_is_stored_and_read_like_any_other(log: Store) -> None:
    head = filled(log, "@people", 1)
    filled(log, "game", 1)
    assert (texts(log, "@people"), log.head("@people")) == (["word1"], head)
    assert (log.ids(), log.asides()) == (("game",), ("@people",))
    assert (is_game("game"), is_game("@people")) == (True, False)


# --- all or none ---


def test_an_append_of_several_events_is_whole_or_absent(log: Store, place: Place) -> None:
    head = filled(log, "g", 1)
    refuse(place, 3)
    with pytest.raises(StoreFault, match="refused by hand"):
        log.append("g", head, [played("second"), played("third")])
    assert log.head("g") == head
    assert len(log.stream("g")) == 1
    assert log.append("g", head, [played("second")]).version == 2


def test_of_whole_streams_all_are_stored_or_none(log: Store, place: Place) -> None:
    log.ids()
    refuse(place, 2)
    batches = [
        Batch(id, origin(id), seal_events(id, origin(id), [played()] * count)) for id, count in (("a", 1), ("b", 2))
    ]
    with pytest.raises(StoreFault, match="refused by hand"):
        log.write_new(batches)
    assert (log.ids(), list(log.after(0))) == ((), [])


def test_a_writer_is_waited_for_and_then_said_to_be_in_the_way(log: Store, place: Place) -> None:
    head = filled(log, "g", 1)
    with held(place):
        with pytest.raises(LockedDatabase, match="is locked"):
            log.append("g", head, [played()])
        assert len(log.stream("g")) == 1
    assert log.append("g", head, [played()]).version == 2


# --- a race that was lost is no damage, and damage no race ---


def test_a_head_somebody_moved_is_damage_and_no_race(log: Store, place: Place) -> None:
    head = filled(log, "g", 1)
    carry_out(place, f"UPDATE heads SET digest = '{'0' * 64}'")
    with pytest.raises(Damaged, match="The head of g is not the one its events lead to"):
        log.append("g", head, [played()])
    carry_out(place, "DELETE FROM heads")
    with pytest.raises(UnknownGame):
        log.append("g", head, [played()])


@pytest.mark.parametrize("new", [True, False])
def test_an_event_that_is_there_already_is_damage_and_no_race(log: Store, place: Place, new: bool) -> None:
    head = filled(log, "g", 2)
    first = log.stream("g")[0].digest
    carry_out(place, "DELETE FROM heads" if new else f"UPDATE heads SET version = 1, digest = '{first}'")
    with pytest.raises(Damaged, match="The head of g is not the one its events lead to") as caught:
        log.append("g", origin("g") if new else Head(1, first), [played()])
    assert (caught.value.id, caught.value.version) == ("g", 0 if new else 1)
    assert head.version == len(list(log.after(0)))


def test_of_several_streams_the_one_at_fault_is_named(log: Store, place: Place) -> None:
    filled(log, "b", 1)
    carry_out(place, "DELETE FROM heads")
    with pytest.raises(Damaged, match="The head of b"):
        log.write_new([Batch(id, origin(id), seal_events(id, origin(id), [played()])) for id in "abc"])
    assert log.ids() == ("b",)
