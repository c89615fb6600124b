"""What every log guarantees, of each kind of log there is; and that streams whose id begins with @ are no games."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.records import desk
from cartulary.records.faults import Conflict, Damaged, UnknownGame
from cartulary.records.library.opening import open_store
from cartulary.records.log import store as keeping
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.contract import Log, Told, is_game
from cartulary.records.log.events import TagsChanged
from cartulary.records.log.recorded import Batch, sealed
from cartulary.records.log.server import Server
from cartulary.records.log.store import Store
from tests.records.archives import Run

LOGS = ("sqlite", "postgres")
"""The kinds of log there are."""


@pytest.fixture(params=LOGS)
def place(request: pytest.FixtureRequest, db: Path) -> Path | Server:
    """Give where a log of each kind is to be kept; there is none yet."""
    return db if request.param == "sqlite" else Server(request.getfixturevalue("address"))


@pytest.fixture
def log(place: Path | Server) -> Iterator[Log]:
    with open_store(place) as opened:
        yield opened


def said(text: str) -> TagsChanged:
    return TagsChanged(at="2001-02-03T04:05:06.000Z", salt="00" * 16, put=(("Event", text),), dropped=())


def told(log: Log, id: str) -> list[str]:
    return [each.event.put[0][1] for each in log.stream(id) if isinstance(each.event, TagsChanged)]


def told_after(log: Log, position: int) -> list[Told]:
    return list(log.after(position))


# --- the contract ---


def test_an_append_goes_behind_the_head_its_writer_has_seen_and_nowhere_else(log: Log) -> None:
    first = log.append("g", origin("g"), [said("one"), said("two")])
    assert log.head("g") == first
    assert first.version == 2
    second = log.append("g", first, [said("three")])
    for late in (origin("g"), first, Head(9, second.digest)):
        with pytest.raises(Conflict):
            log.append("g", late, [said("late")])
    with pytest.raises(UnknownGame):
        log.append("h", first, [said("nowhere")])
    assert told(log, "g") == ["one", "two", "three"]
    assert log.head("g") == second


def test_whole_streams_are_stored_together_and_those_there_left_alone(log: Log) -> None:
    log.append("b", origin("b"), [said("first")])
    batches = [Batch(id, origin(id), sealed(id, origin(id), [said(id), said(id)])) for id in "abc"]
    assert log.write_new(batches) == {"b"}
    assert [told(log, id) for id in "abc"] == [["a", "a"], ["first"], ["c", "c"]]
    assert log.ids() == ("b", "a", "c")


def test_a_batch_is_stored_byte_for_byte(log: Log) -> None:
    recorded = sealed("g", origin("g"), [said("one"), said("two")])
    assert log.write(Batch("g", origin("g"), recorded)) == Head(2, recorded[-1].digest)
    assert log.stream("g") == recorded


def test_what_is_not_there_is_unknown(log: Log) -> None:
    assert log.head("g") is None
    assert log.ids() == log.asides() == ()
    assert told_after(log, 0) == []
    with pytest.raises(UnknownGame):
        log.stream("g")


@pytest.mark.parametrize("page", [1, 2, 3, 1000])
def test_who_follows_the_log_sees_every_event_once_in_the_order_they_were_stored(
    log: Log, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(keeping, "PAGE", page)
    head = log.append("g", origin("g"), [said("one")])
    log.append("@x", origin("@x"), [said("two")])
    head = log.append("g", head, [said("three"), said("four")])
    there = told_after(log, 0)
    assert [each[1:] for each in there] == [("g", 1), ("@x", 1), ("g", 2), ("g", 3)]
    positions = [at for at, _, _ in there]
    assert positions == sorted(set(positions))
    assert positions[0] > 0
    for passed, position in enumerate(positions, 1):
        assert told_after(log, position) == there[passed:]
    log.append("g", head, [said("five")])
    assert [each[1:] for each in told_after(log, positions[-1])] == [("g", 4)]


def test_the_guards_of_a_log_nobody_touched_stand(log: Log) -> None:
    log.append("g", origin("g"), [said("one")])
    assert list(log.guards()) == []


# --- what the database adds ---


def tampered(db: Path, *statements: str) -> None:
    with sqlite3.connect(db, isolation_level=None) as other:
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
    store: Store, db: Path, change: str
) -> None:
    store.append("g", origin("g"), [said("one"), said("two"), said("three")])
    tampered(db, f"UPDATE stored_events SET {change} WHERE originator_version = 2")
    assert told_after(store, 0) == [(1, "g", 1), (2, "g", 2), (3, "g", 3)]
    with pytest.raises(Damaged, match="Event 2 of g") as caught:
        store.stream("g")
    assert (caught.value.id, caught.value.version) == ("g", 2)


@pytest.mark.parametrize(
    ("odd", "listed"), [("CAST(x'67ff' AS TEXT)", "g\\xff"), ("x'0001'", "\0\1"), ("'a' || char(10)", "a\n")]
)
def test_an_id_nobody_has_given_is_told_to_who_follows_the_log_as_it_is_listed(
    store: Store, db: Path, odd: str, listed: str
) -> None:
    for id in "gh":
        store.append(id, origin(id), [said(id)])
    tampered(db, f"UPDATE stored_events SET originator_id = {odd} WHERE originator_id = 'g'", "DELETE FROM heads")
    assert tuple(id for _, id, _ in store.after(0)) == store.ids() == (listed, "h")


def test_a_version_that_is_no_number_is_told_to_who_follows_the_log_as_none(store: Store, db: Path) -> None:
    store.append("g", origin("g"), [said("one"), said("two")])
    tampered(db, "UPDATE stored_events SET originator_version = 'x' WHERE originator_version = 2")
    assert told_after(store, 0) == [(1, "g", 1), (2, "g", 0)]


def test_each_guard_of_the_database_that_is_broken_is_told(store: Store, db: Path) -> None:
    store.append("g", origin("g"), [said("one"), said("two")])
    tampered(db, "DELETE FROM stored_events WHERE originator_version = 2")
    lost, open_ = store.guards()
    assert "1 cannot be found" in lost
    assert "events_are_not_deleted" in open_


# --- streams that are no games ---


@pytest.fixture
def beside(run: Run, db: Path) -> Run:
    """Give a database of one game and two streams that are none."""
    run("new", "cardmate", "--id", "evening")
    with Store(db) as store:
        for id in ("@people", "@games"):
            store.append(id, origin(id), [said("one"), said("two")])
    return run


def test_a_stream_that_is_no_game_is_stored_and_read_like_any_other(store: Store) -> None:
    head = store.append("@people", origin("@people"), [said("one")])
    store.append("game", origin("game"), [said("two")])
    assert (told(store, "@people"), store.head("@people")) == (["one"], head)
    assert store.ids() == ("game",)
    assert store.asides() == ("@people",)
    assert (is_game("game"), is_game("@people")) == (True, False)


@pytest.mark.parametrize(
    "words", [("list",), ("export", "--all"), ("verify", "--all"), ("search", "--game", "cardmate")]
)
def test_what_goes_through_all_games_leaves_out_what_is_none(beside: Run, words: tuple[str, ...]) -> None:
    told = beside(*words).stdout
    assert "evening" in told
    assert "@" not in told


def test_an_index_written_anew_holds_games_only(beside: Run) -> None:
    assert beside("reindex", "--positions").stdout == "1 game listed, the positions of 1 indexed\n"
    assert "@" not in beside("list", "--json").stdout


def test_an_archive_of_all_holds_games_only(beside: Run, tmp_path: Path) -> None:
    club = tmp_path / "club.db"
    beside("export", "--all", "--format", "sqlite", "-o", str(club))
    with sqlite3.connect(club) as published:
        assert published.execute("SELECT id FROM games").fetchall() == [("evening",)]
    published.close()


@pytest.mark.parametrize(
    "words",
    [
        ("show", "@people"),
        ("log", "@people"),
        ("verify", "@people"),
        ("export", "@people"),
        ("move", "@people", "4Ci3"),
    ],
)
def test_no_command_takes_such_a_stream_for_a_game(beside: Run, db: Path, words: tuple[str, ...]) -> None:
    assert "There is no game @people in this database." in beside(*words, code=2).stderr
    with Store(db) as store:
        assert told(store, "@people") == ["one", "two"]


def test_no_game_is_opened_or_taken_in_under_such_an_id(beside: Run, tmp_path: Path) -> None:
    assert "'@x' is not an id" in beside("new", "cardmate", "--id", "@x", code=2).stderr
    text = beside("export", "evening", "--format", "json", "--log").stdout
    archive = tmp_path / "odd.json"
    archive.write_text(text.replace('"id":"evening"', '"id":"@x"'), "utf-8")
    assert "'@x' is not an id" in beside("import", str(archive), code=2).stderr


def test_a_broken_stream_that_is_no_game_is_damage_to_the_whole(beside: Run, db: Path, store: Store) -> None:
    tampered(db, "UPDATE stored_events SET state = replace(state, 'two', 'owt') WHERE originator_id = '@people'")
    faults = [(proof.id, proof.fault) for proof in desk.verify_all(store) if proof.fault]
    assert ("", "Event 2 of @people is not the one that was written there.") in faults
    assert "the database: NOT PROVED: Event 2 of @people" in beside("verify", "--all", code=3).stdout.replace("\n", " ")
