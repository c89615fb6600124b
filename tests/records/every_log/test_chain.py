"""What is stored stays: the database refuses to change it, and whatever was changed is found and named."""

import sqlite3
from contextlib import closing

import pytest

from cartulary.records import api
from cartulary.records.faults import Damaged
from cartulary.records.log import chain
from cartulary.records.log.chain import Head
from cartulary.records.log.server import Server
from cartulary.records.log.store import Store
from tests.records.logs import Place, by_hand, carry_out, connected, edit, filled, played


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE stored_events SET topic = 'x' WHERE originator_version = 1",
        "UPDATE stored_events SET state = ''",
        "DELETE FROM stored_events WHERE originator_version = 2",
        "DELETE FROM stored_events",
    ],
)
def test_the_database_itself_refuses_to_change_the_log(log: Store, place: Place, statement: str) -> None:
    filled(log, "g", 3)
    with pytest.raises(Exception, match="append-only"):
        untrusted(place, statement)
    assert len(log.stream("g")) == 3


def untrusted(place: Place, statement: str) -> None:
    """Carry out a statement without getting the guards out of the way."""
    if isinstance(place, Server):
        with connected(place.url) as other:
            other.execute(statement)
        return
    with closing(sqlite3.connect(place)) as own:
        own.execute(statement)


# --- what was changed is found ---


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_one_byte_changed_in_any_body_is_found_at_its_event(log: Store, place: Place, version: int) -> None:
    filled(log, "g", 4)
    for offset in (1, 3, 40, 76, 77, 100, 150):

        def change(body: str, offset: int = offset) -> str:
            return body[:offset] + chr(ord(body[offset]) ^ 1) + body[offset + 1 :]

        edit(place, version, change)
        with pytest.raises(Damaged) as caught:
            log.stream("g")
        assert (caught.value.id, caught.value.version) == ("g", version)
        edit(place, version, change)
    assert len(log.stream("g")) == 4


@pytest.mark.parametrize("body", ["", "{", '{"digest":"","at":""}'])
def test_a_body_somebody_put_in_the_place_of_another_is_found(log: Store, place: Place, body: str) -> None:
    filled(log, "g", 3)
    edit(place, 2, lambda _: body)
    with pytest.raises(Damaged, match="Event 2 of g") as caught:
        log.stream("g")
    assert (caught.value.id, caught.value.version) == ("g", 2)


@pytest.mark.parametrize(
    ("statement", "version", "says"),
    [
        ("UPDATE stored_events SET topic = 'move-played/1' WHERE originator_version = 2", 2, "Event 2 of g"),
        ("DELETE FROM stored_events WHERE originator_version = 1", 1, "Event 1 of g is missing"),
        ("DELETE FROM stored_events WHERE originator_version = 3", 3, "Event 3 of g is missing"),
        ("DELETE FROM stored_events WHERE originator_version = 4", 4, "says 4 events, but the log holds 3"),
        ("DELETE FROM stored_events", 1, "says 4 events, but the log holds 0"),
        ("DELETE FROM heads", 4, "4 events but no head"),
        ("UPDATE heads SET version = 3", 4, "says 3 events, but the log holds 4"),
        ("UPDATE heads SET digest = 'x'", 4, "not the digest of its last event"),
    ],
)
def test_what_was_edited_deleted_or_cut_off_is_found(
    log: Store, place: Place, statement: str, version: int, says: str
) -> None:
    filled(log, "g", 4)
    carry_out(place, statement)
    with pytest.raises(Damaged, match=says) as caught:
        log.stream("g")
    assert (caught.value.id, caught.value.version) == ("g", version)
    assert any(proof.fault for proof in api.verify_all(log))


def test_two_events_swapped_are_found(log: Store, place: Place) -> None:
    filled(log, "g", 4)
    carry_out(
        place,
        "UPDATE stored_events SET originator_version = 99 WHERE originator_version = 2",
        "UPDATE stored_events SET originator_version = 2 WHERE originator_version = 3",
        "UPDATE stored_events SET originator_version = 3 WHERE originator_version = 99",
    )
    with pytest.raises(Damaged, match="Event 2 of g"):
        log.stream("g")


def test_a_game_moved_to_another_id_is_found(log: Store, place: Place) -> None:
    filled(log, "g", 2)
    carry_out(place, "UPDATE stored_events SET originator_id = 'h'", "UPDATE heads SET id = 'h'")
    with pytest.raises(Damaged, match="Event 1 of h"):
        log.stream("h")


def test_an_event_of_a_newer_version_is_named_not_skipped(log: Store, place: Place) -> None:
    head = filled(log, "g", 2)
    before = log.stream("g")[0].digest
    digest, body = chain.seal(bytes.fromhex(before), b"move-sung/1", b'{"at":"now"}')
    edit(place, 2, lambda _: body.decode())
    with by_hand(place) as do:
        do("UPDATE stored_events SET topic = 'move-sung/1' WHERE originator_version = 2")
        do("UPDATE heads SET digest = ?", digest.hex())
    with pytest.raises(Damaged, match="'move-sung/1', which this version does not know"):
        log.stream("g")
    assert head.version == 2


def test_a_log_whose_end_was_cut_off_with_its_head_is_known_by_its_length_and_by_a_head_noted_before(
    log: Store, place: Place
) -> None:
    noted = filled(log, "g", 3)
    second = log.stream("g")[1].digest
    with by_hand(place) as do:
        do("DELETE FROM stored_events WHERE originator_version = 3")
        do("UPDATE heads SET version = 2, digest = ?", second)
    assert len(log.stream("g")) == 2
    assert "was cut off" in api.verify(log, "g", noted).fault
    assert log.append("g", Head(2, second), [played()]).version == 3


# --- the guards of the whole ---


def test_the_guards_of_a_log_nobody_touched_stand(log: Store) -> None:
    filled(log, "g", 2)
    filled(log, "@people", 1)
    assert list(log.guards()) == []
    assert [proof.fault for proof in api.verify_all(log)] == [""]


def test_events_that_are_missing_are_counted(log: Store, place: Place) -> None:
    filled(log, "g", 3)
    carry_out(place, "DELETE FROM stored_events WHERE originator_version > 1")
    assert [("Of the 3 events ever stored" in fault, "2 cannot be found" in fault) for fault in log.guards()] == [
        (True, True)
    ]


def test_a_guard_taken_away_is_told(log: Store, place: Place) -> None:
    filled(log, "g", 1)
    if isinstance(place, Server):
        carry_out(place, "DROP TRIGGER events_are_not_changed ON stored_events")
    else:
        untrusted(place, "DROP TRIGGER events_are_not_deleted")
    [fault] = log.guards()
    assert "is no longer protected" in fault
    assert "the trigger events_are_not_" in fault
    assert "backup" in fault
