"""Events whose chain is whole and that cannot be: a time that is none, a seat the game has not, a place nobody wrote.

Nothing takes them in. A database that holds one, since an earlier version took it in, opens: its other games are as
they were, lists and pages of many games name the one that cannot be read, and so does ``verify``.
"""

import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from urllib.request import Request, urlopen

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.records import api
from cartulary.records.exchange.archive import Archive, StoredBody
from cartulary.records.library.listing import rows_of_events
from cartulary.records.log.aside_events import LinkMade, LinkRevoked, LinkTaken
from cartulary.records.log.chain import origin
from cartulary.records.log.events import (
    Event,
    GameClosed,
    GameOpened,
    MovePlayed,
    RecordAgreed,
    RulingGiven,
    WordDeclined,
)
from cartulary.records.log.recorded import Batch, RecordedEvent, seal_events
from cartulary.records.log.store import Store
from cartulary.records.state.links import STREAM, as_of
from tests.records.archives import Run, runner, sheet, taken_in

AT = "2026-11-22T20:15:00.000Z"
LAST = 5
"""The event that is changed, or put behind the four others of the game."""


def declined(seat: int) -> WordDeclined:
    return WordDeclined(at=AT, seat=seat, words=("x",), findings=())


def ruled(**fields: Any) -> RulingGiven:
    empty: dict[str, Any] = {"plies": (), "words": (), "penalties": (), "result": "", "keys": (), "dispute": 0}
    by_name = {"arbiter": "A", "decision": "penalty", "reason": "", **empty, **fields}
    return RulingGiven(at=AT, **by_name)


CLOSED = GameClosed(at=AT, result="1-0", termination="abandoned", score="")
PLAYED = MovePlayed(at=AT, seat=1, text="4Ci3", findings=(), stands=False, clock="")

ODD: dict[str, Event] = {
    "no time": replace(CLOSED, at=""),
    "a time that is none": replace(CLOSED, at="yesterday"),
    "a time without a zone": replace(CLOSED, at="2026-11-22T20:15:00"),
    "a day": replace(CLOSED, at="2026-11-22"),
    "a time at the end of all time": replace(CLOSED, at="9999-12-31T23:59:59-14:00"),
    "a seat too many": replace(PLAYED, seat=3),
    "a seat below 0": replace(PLAYED, seat=-1),
    "a clock that is none": replace(PLAYED, clock="soon"),
    "a result for three": replace(CLOSED, result="1-0-0"),
    "a seat that declined a word": declined(3),
    "the table that declined a word": declined(0),
    "a penalty for a seat too many": ruled(penalties=((3, "warned"),)),
    "points for seat 0": ruled(decision="score", points=((0, "-5"),)),
    "a decision nobody knows": ruled(decision="odd"),
    "a sheet that comes later": ruled(cites=(9,)),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Event, ...]:
    """The events of a sound game of two seats."""
    with Store(tmp_path_factory.mktemp("whole") / "games.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="odd", players=("Ada", "Bela")))
        api.play(store, "odd", api.WordsRequest(("4Ci3", "4Db6")))
        return tuple(each.event for each in store.stream("odd"))


def put(db: Path, events: Sequence[Event], id: str = "odd") -> tuple[RecordedEvent, ...]:
    """Write events into a database as an earlier version took them in, with the line of the list it had then."""
    recorded = seal_events(id, origin(id), events)
    with Store(db) as store:
        line = None
        if id == "odd":
            sound = seal_events(id, origin(id), events[:-1])
            line, _ = rows_of_events(id, sound)
        store.write(Batch(id, origin(id), recorded, line))
    return recorded


def restored(backup: Path, into: Path) -> str:
    """Restore a backup with a game that is refused; return what is said of it."""
    done = CliRunner().invoke(build(), ["backup", str(backup), "--into", str(into)], env={"NO_COLOR": "1"})
    assert done.exit_code == 3, done.output
    return done.stderr


def archive(recorded: Sequence[RecordedEvent]) -> bytes:
    """Return the archive of these events, its chain whole."""
    bodies = tuple(StoredBody(each.topic, each.body.decode()) for each in recorded)
    return msgspec.json.encode(Archive(1, "odd", len(recorded), recorded[-1].digest, None, bodies))


@pytest.mark.parametrize("named", ODD)
def test_no_door_takes_it_in(whole: tuple[Event, ...], named: str, tmp_path: Path) -> None:
    odd, db = tmp_path / "odd.db", tmp_path / "games.db"
    recorded = put(odd, (*whole, ODD[named]))
    run = runner(db)
    run("new", "cardmate", "--id", "good")
    before = run("verify", "--all").stdout
    archived, published = tmp_path / "odd.json", tmp_path / "odd.sqlite"
    archived.write_bytes(archive(recorded))
    publish(published, whole, recorded, tmp_path)
    for path in (archived, published):
        assert f"in event {len(recorded)}" in run("import", str(path), code=3).stderr, path
    assert "in event" in run("verify", str(archived), code=3).stdout
    assert "1 game of the backup was not restored" in restored(odd, db)
    assert run("verify", "--all").stdout == before


def publish(path: Path, sound: Sequence[Event], recorded: Sequence[RecordedEvent], folder: Path) -> None:
    """Write a database as `export --format sqlite` does, with other events in its log."""
    with Store(folder / "sound.db") as store:
        store.write(Batch("odd", origin("odd"), seal_events("odd", origin("odd"), sound)))
    runner(folder / "sound.db")("export", "odd", "--format", "sqlite", "-o", str(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        columns = [name for _, name, *_ in database.execute("PRAGMA table_info(log)")]
        [row] = database.execute("SELECT * FROM log WHERE version = 1").fetchall()
        database.execute("DELETE FROM log")
        for version, each in enumerate(recorded, 1):
            body = {"version": version, "topic": each.topic, "body": each.body.decode()}
            values = [body.get(name, value) for name, value in zip(columns, row, strict=True)]
            database.execute(f"INSERT INTO log VALUES ({', '.join('?' * len(columns))})", values)
        database.execute("UPDATE sheets SET head = ?", (f"{len(recorded)}:{recorded[-1].digest}",))


# --- a database that holds one ---


@pytest.fixture(params=["no time", "a time without a zone", "a seat too many", "a penalty for a seat too many"])
def held(request: pytest.FixtureRequest, whole: tuple[Event, ...], tmp_path: Path) -> Path:
    """A database with a sound game that goes on and one that holds an event that cannot be."""
    db = tmp_path / "games.db"
    put(db, (*whole, ODD[request.param]))
    with Store(db) as store:
        api.open_game(store, api.NewRequest("cardmate", id="good", players=("Ada", "Bela")))
    return db


def test_it_opens_and_verify_names_the_event(held: Path) -> None:
    run = runner(held)
    assert run("move", "good", "4Ci3").exit_code == 0
    output = run("verify", "--all", code=3).stdout
    assert f"odd: NOT PROVED: The events of odd do not make a game: in event {LAST} `" in output
    assert "good: proved" in output
    assert f"in event {LAST}" in run("show", "odd", code=3).stderr
    assert f"in event {LAST}" in run("verify", "odd", code=3).stdout


def test_lists_and_exports_of_many_games_go_on_and_name_it(held: Path, tmp_path: Path) -> None:
    run = runner(held)
    sound: tuple[tuple[str, ...], ...] = (
        ("list",),
        ("stats",),
        ("search", "-p", "Ada"),
        ("links", "good"),
        ("links", "--list"),
    )
    for words in sound:
        run(*words)
    out = tmp_path / "out"
    faulty: tuple[tuple[str, ...], ...] = (
        ("revalidate",),
        ("export", "--all", "--format", "json", "--log", "-o", f"{out}.json"),
        ("export", "--all", "--format", "sqlite", "-o", f"{out}.sqlite"),
        ("export", "--all", "--format", "html", "-o", f"{out}/"),
        ("reindex",),
    )
    for words in faulty:
        result = run(*words, code=3)
        assert f"in event {LAST}" in result.stderr + result.stdout, words
    assert runner(tmp_path / "other.db")("import", f"{out}.json").stdout.endswith(": good, new, 3 events\n")


def test_it_is_backed_up_whole_and_all_but_it_comes_back(held: Path, tmp_path: Path) -> None:
    copy, again = tmp_path / "copy.db", tmp_path / "again.db"
    assert "holds 2 games" in runner(held)("backup", str(copy)).stdout
    assert "the 1 other can be found in" in restored(copy, again)
    assert runner(again)("list").stdout.startswith("good")
    assert "holds 2 games" in runner(held)("backup", str(copy), "--force").stdout


@contextmanager
def server(db: Path) -> Iterator[str]:
    """Serve a database in a process of its own, and yield its address with the key."""
    words = [sys.executable, "-m", "cartulary.cli", "serve", "--no-open", "--port", "0", "--db", str(db)]
    serving = Popen(words, stdout=PIPE, stderr=PIPE)
    try:
        assert serving.stdout is not None
        yield serving.stdout.readline().decode().strip()
    finally:
        serving.terminate()
        serving.communicate()


def test_the_pages_of_many_games_show_the_others_and_name_it(held: Path) -> None:
    with server(held) as address:
        base, _, key = address.partition("/?key=")

        def page(path: str) -> str:
            with urlopen(Request(f"{base}{path}", headers={"x-cartulary-key": key})) as answer:
                return str(answer.read().decode())

        tables = json.loads(page("/arbiter.json"))["games"]
        assert {one["id"] for one in tables} == {"odd", "good"}
        assert [one["id"] for one in tables if f"in event {LAST}" in one.get("fault", "")] == ["odd"]
        assert f"in event {LAST}" in page("/arbiter")
        for path in ("/games", "/games.json", "/tables", "/tables.json", "/search?player=Ada", "/stats"):
            assert "good" in page(path) or path == "/stats", path


# --- links ---


def made(**fields: Any) -> LinkMade:
    whole: dict[str, Any] = {"game": "good", "role": "arbiter", "plays": 0, "delay": 0, "secret_hash": "0" * 64}
    return LinkMade(at=AT, **(whole | fields))


def test_a_link_that_cannot_be_opens_nothing_and_bars_no_other(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    run = runner(db)
    run("new", "cardmate", "--id", "good")
    odd = (
        made(role="p0"),
        made(delay=-1),
        made(delay=10**12),
        made(plays=-1),
        made(secret_hash="no"),
        replace(made(), at=""),
    )
    put(db, (*odd, made(), LinkTaken(at=AT, link=99, secret_hash="0" * 64), LinkRevoked(at=AT, link=2)), STREAM)
    assert run("links", "--list").stdout.count("\n") == 1
    assert run("links", "good", "--role", "reader", "--verdicts").stdout.startswith("good: reader, link 10.")
    assert (
        f"The events of {STREAM} do not make a game: in event 1 `role` is 'p0'" in run("verify", "--all", code=3).stdout
    )


# --- what was left out ---


def test_a_game_whose_names_were_left_out_is_shown_to_the_rail_some_seconds_late(
    run: Run, db: Path, tmp_path: Path
) -> None:
    with Store(db) as store:
        [id] = taken_in(store, sheet())
        redacted = api.export_redacted(store, id).archive
    other = tmp_path / "other.db"
    with Store(other) as store:
        api.take_in(store, redacted)
        game = api.load(store, id)
        assert as_of(game, 60, datetime.now(UTC) + timedelta(hours=1)).plies == game.plies


def test_a_game_is_opened_for_as_many_seats_as_its_rules_allow(whole: tuple[Event, ...], tmp_path: Path) -> None:
    opened, *others = whole
    assert isinstance(opened, GameOpened)
    path = tmp_path / "odd.json"
    path.write_bytes(archive(seal_events("odd", origin("odd"), (replace(opened, seats=3), *others))))
    errors = runner(tmp_path / "games.db")("import", str(path), code=3).stderr
    assert "3 seats, and Cardmate has 2" in errors


def test_an_agreement_with_another_head_is_taken_in_nowhere(whole: tuple[Event, ...], tmp_path: Path) -> None:
    agreed = RecordAgreed(at=AT, seat=1, head=f"4:{'0' * 64}")
    path = tmp_path / "odd.json"
    path.write_bytes(archive(seal_events("odd", origin("odd"), (*whole, agreed))))
    assert "agrees with a record other than" in runner(tmp_path / "games.db")("import", str(path), code=3).stderr
