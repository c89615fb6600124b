"""The log in one SQLite file: what it alone can hold and do. What every log guarantees stands in `every_log`."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cartulary.records.faults import (
    Damaged,
)
from cartulary.records.log import store as keeping
from cartulary.records.log.events import MovePlayed, StoredFinding
from cartulary.records.log.store import Store
from cartulary.records.log.topics import decode, encode
from tests.records.logs import filled, played


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path, timeout=1) as store:
        yield store


# --- appending ---


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


# --- what only a file of SQLite can hold ---


def tampered(path: Path, *statements: str) -> None:
    with sqlite3.connect(path, isolation_level=None) as other:
        for name in ("edited", "deleted", "replaced"):
            other.execute(f"DROP TRIGGER IF EXISTS events_are_not_{name}")
        for statement in statements:
            other.execute(statement)
    other.close()


@pytest.mark.parametrize(
    "change",
    [
        "topic = 'move-sung/1'",
        "topic = CAST(x'ff' AS TEXT)",
        "state = CAST(x'7bff' AS TEXT)",
        "state = 17",
        "state = ''",
    ],
)
def test_an_event_nobody_can_read_stops_nobody_who_follows_the_log_and_is_named_by_its_stream(
    store: Store, path: Path, change: str
) -> None:
    filled(store, "g", 3)
    tampered(path, f"UPDATE stored_events SET {change} WHERE originator_version = 2")
    assert list(store.after(0)) == [(1, "g", 1), (2, "g", 2), (3, "g", 3)]
    with pytest.raises(Damaged, match="Event 2 of g") as caught:
        store.stream("g")
    assert (caught.value.id, caught.value.version) == ("g", 2)


@pytest.mark.parametrize(
    ("odd", "listed"), [("CAST(x'67ff' AS TEXT)", "g\\xff"), ("x'0001'", "\0\1"), ("'a' || char(10)", "a\n")]
)
def test_an_id_nobody_has_given_is_told_to_who_follows_the_log_as_it_is_listed(
    store: Store, path: Path, odd: str, listed: str
) -> None:
    for id in "gh":
        filled(store, id, 1)
    tampered(path, f"UPDATE stored_events SET originator_id = {odd} WHERE originator_id = 'g'", "DELETE FROM heads")
    assert tuple(id for _, id, _ in store.after(0)) == store.ids() == (listed, "h")


def test_a_version_that_is_no_number_is_told_to_who_follows_the_log_as_none(store: Store, path: Path) -> None:
    filled(store, "g", 2)
    tampered(path, "UPDATE stored_events SET originator_version = 'x' WHERE originator_version = 2")
    assert list(store.after(0)) == [(1, "g", 1), (2, "g", 0)]


def test_each_guard_of_the_database_that_is_broken_is_told(store: Store, path: Path) -> None:
    filled(store, "g", 2)
    tampered(path, "DELETE FROM stored_events WHERE originator_version = 2")
    lost, open_ = store.guards()
    assert "1 cannot be found" in lost
    assert "events_are_not_deleted" in open_


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
        findings=(StoredFinding("error", "cardmate.follow-suit", ""),),
        stands=True,
        clock="",
    )
    assert encode(event)[0] == "move-played/4"


@pytest.mark.parametrize(
    ("topic", "body", "says"),
    [
        ("move-played/2", b"{", "not a readable move-played/2"),
        ("move-played/2", b'{"at":"x"}', "is missing"),
        ("move-played/1", b'{"at":"x"}', "not a readable move-played/1"),
        ("move-played/1", b"[]", "not a readable move-played/1"),
        ("move-played/9", b"{}", "does not know"),
        ("cartulary.records:MovePlayed", b"{}", "does not know"),
    ],
)
def test_a_body_that_cannot_be_read_says_so_in_a_sentence(topic: str, body: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        decode(topic, body)


def test_every_field_stands_in_the_stored_body_even_at_its_default() -> None:
    _, body = encode(played("4Ci3"))
    assert set(msgspec.json.decode(body)) == set(MovePlayed.__struct_fields__)
