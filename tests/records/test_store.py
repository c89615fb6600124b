"""The store: appended and never changed, one writer at a time, and every change to the file found."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cartulary.records.faults import (
    Conflict,
    Damaged,
    UnknownGame,
    Unreachable,
)
from cartulary.records.log import chain
from cartulary.records.log import store as keeping
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.events import Event, Found, MovePlayed, TagsChanged
from cartulary.records.log.recorded import Batch, sealed
from cartulary.records.log.store import Store
from cartulary.records.log.topics import decode, encode


def played(text: str) -> MovePlayed:
    at, salt = "2001-02-03T04:05:06.000Z", "00" * 16
    return MovePlayed(at=at, by="p1", salt=salt, seat=1, text=text, findings=(), stands=False, clock="")


def named(name: str) -> TagsChanged:
    return TagsChanged(at="2001-02-03T04:05:06.000Z", salt="00" * 16, put=(("Forehand", name),), dropped=())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path, patience=1) as store:
        yield store


def filled(store: Store, id: str, count: int) -> Head:
    return store.append(id, origin(id), [played(f"word{n}") for n in range(1, count + 1)])


def tamper(path: Path, *statements: str) -> None:
    """Change the file behind the program's back, triggers out of the way, as someone with sqlite3 could."""
    with sqlite3.connect(path, isolation_level=None) as other:
        names = [row[0] for row in other.execute("SELECT name FROM sqlite_master WHERE type='trigger'")]
        for name in names:
            other.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            other.execute(statement)
    other.close()


# --- appending ---


def test_what_is_appended_is_read_back_in_order_with_its_head(store: Store) -> None:
    events: list[Event] = [played("4Ci3"), named("Ö"), played("4Db6")]
    head = store.append("g", origin("g"), events)
    read = store.stream("g")
    assert [each.event for each in read] == events
    assert [each.originator_version for each in read] == [1, 2, 3]
    assert (read[-1].digest, store.head("g")) == (head.digest, head)


def test_a_statement_is_prepared_once_however_often_it_is_asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[int] = []

    def told(action: int, *_: str | None) -> int:
        prepared.append(action)
        return sqlite3.SQLITE_OK

    def listened_to(address: str, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = sqlite3.connect(address, **options)
        connection.set_authorizer(told)
        return connection

    monkeypatch.setattr(keeping, "connect", listened_to)
    with Store(path) as store:
        after = store.append("a", filled(store, "a", 2), [played("more")])
        assert (store.head("a"), len(store.stream("a"))) == (after, 3)
        assert prepared
        prepared.clear()
        store.append("a", after, [played("still more")])
        head = filled(store, "b", 2)
        assert (store.head("b"), len(store.stream("a"))) == (head, 4)
        assert not prepared


def test_a_chain_goes_on_from_where_another_connection_left_it(store: Store, path: Path) -> None:
    head = filled(store, "g", 2)
    with Store(path) as second:
        head = second.append("g", head, [played("third")])
    head = store.append("g", head, [played("fourth")])
    assert head.version == 4
    assert len(store.stream("g")) == 4


@pytest.mark.smoke
def test_who_writes_second_gets_a_conflict_with_both_versions(store: Store) -> None:
    seen = filled(store, "g", 2)
    store.append("g", seen, [played("mine")])
    with pytest.raises(Conflict, match="version 2, but the game is at version 3") as caught:
        store.append("g", seen, [played("yours")])
    assert (caught.value.id, caught.value.expected, caught.value.actual) == ("g", 2, 3)
    assert [each.event for each in store.stream("g")][-1] == played("mine")


def test_a_game_begun_twice_is_a_conflict(store: Store) -> None:
    filled(store, "g", 1)
    with pytest.raises(Conflict, match="There is already a game g"):
        filled(store, "g", 1)


def test_a_constraint_that_is_no_lost_race_is_not_called_a_conflict(store: Store, path: Path) -> None:
    head = filled(store, "g", 2)
    tamper(path, "UPDATE heads SET version = 1, digest = 'x' WHERE id = 'g'")
    with pytest.raises(Damaged):
        store.append("g", Head(1, head.digest), [played("word")])
    tamper(path, f"UPDATE heads SET version = 1, digest = '{head.digest}' WHERE id = 'g'")
    with pytest.raises(Unreachable, match="UNIQUE"):
        store.append("g", Head(1, head.digest), [played("word")])
    assert store.shelf.rows("SELECT COUNT(*) FROM stored_events") == [(2,)]


def test_an_unknown_game_is_said_to_be_unknown(store: Store) -> None:
    with pytest.raises(UnknownGame, match="no game g in this database"):
        store.stream("g")
    with pytest.raises(UnknownGame):
        store.append("g", Head(3, "00" * 32), [played("word")])


def test_an_append_of_several_events_is_whole_or_absent(store: Store, path: Path) -> None:
    head = filled(store, "g", 1)
    with sqlite3.connect(path) as other:
        other.execute(
            "CREATE TRIGGER third BEFORE INSERT ON stored_events WHEN NEW.originator_version = 3 "
            "BEGIN SELECT RAISE(ABORT, 'no third event'); END"
        )
    with pytest.raises(Unreachable, match="no third event"):
        store.append("g", head, [played("second"), played("third")])
    assert store.head("g") == head
    assert len(store.stream("g")) == 1
    assert store.append("g", head, [played("second")]).version == 2


def test_whole_games_are_stored_together_and_those_there_before_left_alone(store: Store) -> None:
    filled(store, "b", 3)
    batches = [Batch(id, origin(id), sealed(id, origin(id), [played("word"), named(id)])) for id in "abc"]
    assert store.write_new(batches) == {"b"}
    assert [len(store.stream(id)) for id in "abc"] == [2, 3, 2]
    assert store.ids() == ("b", "a", "c")


def test_positions_are_never_given_twice(store: Store, path: Path) -> None:
    filled(store, "g", 3)
    tamper(path, "DELETE FROM stored_events WHERE originator_version = 3", "UPDATE heads SET version = 2")
    digest = store.shelf.rows("SELECT substr(state, 12, 64) FROM stored_events WHERE originator_version = 2")[0][0]
    tamper(path, f"UPDATE heads SET digest = '{digest}'")
    store.append("g", Head(2, digest), [played("another")])
    assert store.shelf.rows("SELECT MAX(rowid) FROM stored_events") == [(4,)]


# --- the log is append-only ---


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE stored_events SET topic = 'x' WHERE rowid = 1",
        "DELETE FROM stored_events WHERE rowid = 2",
        "DELETE FROM stored_events",
        "INSERT OR REPLACE INTO stored_events VALUES (1, 'other', 1, 't', '{}')",
        "INSERT OR REPLACE INTO stored_events (originator_id, originator_version, topic, state) "
        "VALUES ('g', 1, 't', '{}')",
    ],
)
def test_the_database_itself_refuses_to_change_the_log(store: Store, path: Path, statement: str) -> None:
    filled(store, "g", 3)
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        other.execute(statement)
    other.close()
    assert len(store.stream("g")) == 3


def test_a_person_can_read_a_body_with_sqlite3(store: Store, path: Path) -> None:
    head = filled(store, "g", 1)
    other = sqlite3.connect(path)
    row = other.execute(
        "SELECT topic, json_extract(state, '$.text'), json_extract(state, '$.digest'), typeof(state) FROM stored_events"
    ).fetchone()
    other.close()
    assert row == ("move-played/4", "word1", head.digest, "text")


# --- tampering ---

BODY = "UPDATE stored_events SET state = {} WHERE originator_version = {}"


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_one_byte_changed_in_any_body_is_found_at_its_event(store: Store, path: Path, version: int) -> None:
    filled(store, "g", 4)
    for offset in (1, 3, 40, 76, 77, 100, 150):
        original = store.shelf.rows(f"SELECT state FROM stored_events WHERE originator_version={version}")[0][0]
        changed = original[:offset] + chr(ord(original[offset]) ^ 1) + original[offset + 1 :]
        quoted = "'" + changed.replace("'", "''") + "'"
        tamper(path, BODY.format(quoted, version))
        with pytest.raises(Damaged) as caught:
            store.stream("g")
        assert (caught.value.id, caught.value.version) == ("g", version)
        tamper(path, BODY.format("'" + original + "'", version))
    assert len(store.stream("g")) == 4


@pytest.mark.parametrize(
    ("statement", "version"),
    [
        ("UPDATE stored_events SET topic = 'move-played/1' WHERE originator_version = 2", 2),
        ("UPDATE stored_events SET topic = CAST(x'ff' AS TEXT) WHERE originator_version = 2", 2),
        ("UPDATE stored_events SET state = CAST(x'7bff' AS TEXT) WHERE originator_version = 3", 3),
        ("UPDATE stored_events SET state = '' WHERE originator_version = 3", 3),
        ("UPDATE stored_events SET state = 17 WHERE originator_version = 1", 1),
        ("DELETE FROM stored_events WHERE originator_version = 1", 1),
        ("DELETE FROM stored_events WHERE originator_version = 3", 3),
        ("DELETE FROM stored_events WHERE originator_version = 4", 4),
        ("DELETE FROM stored_events", 1),
        ("DELETE FROM heads", 4),
        ("UPDATE heads SET version = 3", 4),
        ("UPDATE heads SET digest = 'x'", 4),
    ],
)
def test_what_was_edited_or_deleted_is_found(store: Store, path: Path, statement: str, version: int) -> None:
    filled(store, "g", 4)
    tamper(path, statement)
    with pytest.raises(Damaged) as caught:
        store.stream("g")
    assert (caught.value.id, caught.value.version) == ("g", version)


def test_two_events_swapped_are_found(store: Store, path: Path) -> None:
    filled(store, "g", 4)
    tamper(
        path,
        "UPDATE stored_events SET originator_version = 99 WHERE originator_version = 2",
        "UPDATE stored_events SET originator_version = 2 WHERE originator_version = 3",
        "UPDATE stored_events SET originator_version = 3 WHERE originator_version = 99",
    )
    with pytest.raises(Damaged, match="Event 2 of g"):
        store.stream("g")


def test_a_game_moved_to_another_id_is_found(store: Store, path: Path) -> None:
    filled(store, "g", 2)
    tamper(path, "UPDATE stored_events SET originator_id = 'h'", "UPDATE heads SET id = 'h'")
    with pytest.raises(Damaged, match="Event 1 of h"):
        store.stream("h")


# --- bodies ---


def test_a_body_of_the_first_schema_is_read_as_one_of_today() -> None:
    body = (
        b'{"at":"2024-05-01T10:00:00.000Z","by":"p2","command":"","seat":2,"text":"XCc8",'
        b'"findings":["cardmate.follow-suit"],"stands":true}'
    )
    event = decode("move-played/1", body)
    assert event == MovePlayed(
        at="2024-05-01T10:00:00.000Z",
        by="p2",
        seat=2,
        text="XCc8",
        findings=(Found("error", "cardmate.follow-suit", ""),),
        stands=True,
        clock="",
    )
    assert encode(event)[0] == "move-played/4"


@pytest.mark.parametrize(
    ("topic", "body", "says"),
    [
        ("move-played/2", b"{", "not a readable move-played/2"),
        ("move-played/2", b'{"at":"x"}', "missing required field"),
        ("move-played/1", b'{"at":"x"}', "not a readable move-played/1"),
        ("move-played/1", b"[]", "not a readable move-played/1"),
        ("move-played/9", b"{}", "does not know"),
        ("cartulary.records:MovePlayed", b"{}", "does not know"),
    ],
)
def test_a_body_that_cannot_be_read_says_so_in_a_sentence(topic: str, body: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        decode(topic, body)


def test_an_event_of_a_newer_version_is_named_not_skipped(store: Store, path: Path) -> None:
    head = filled(store, "g", 1)
    digest, body = chain.seal(bytes.fromhex(head.digest), b"move-sung/1", b'{"at":"now"}')
    tamper(
        path,
        f"INSERT INTO stored_events VALUES (2, 'g', 2, 'move-sung/1', '{body.decode()}')",
        f"UPDATE heads SET version = 2, digest = '{digest.hex()}'",
    )
    with pytest.raises(Damaged, match="'move-sung/1', which this version does not know"):
        store.stream("g")


def test_every_field_stands_in_the_stored_body_even_at_its_default() -> None:
    _, body = encode(played("4Ci3"))
    assert set(msgspec.json.decode(body)) == set(MovePlayed.__struct_fields__)
