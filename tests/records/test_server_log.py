"""A log on a server: what no file can show, since it has no connection, no server and one transaction at a time.

What every log guarantees stands in `every_log`.
"""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import desk
from cartulary.records.faults import (
    Damaged,
    DiskFull,
    Fault,
    Locked,
    ReadOnly,
    StoreFault,
    Unfit,
    Unreachable,
)
from cartulary.records.log.chain import origin
from cartulary.records.log.server import SCHEMA, Server
from cartulary.records.log.store import Store
from tests.programs import package
from tests.records.archives import PAGE, Run, runner, samples_in
from tests.records.logs import carry_out, played, refuse

psycopg = package("psycopg", "postgres")

from cartulary.records.log.server_store import ServerStore  # noqa: E402
from tests.records.servers import QUOTED, SECRET, PrivateServer, cut  # noqa: E402

ENDLESS = """
import sys
from cartulary.records.desk import Server, open_store
from cartulary.records.log.chain import origin
from cartulary.records.log.events import MovePlayed

with open_store(Server(sys.argv[1])) as store:
    head = store.head("g") or origin("g")
    while True:
        events = [MovePlayed(at="", seat=1, text="w", findings=(), stands=False, clock="")] * 3
        head = store.append("g", head, events)
        print(head.version, flush=True)
"""


def opened(address: str, **more: Any) -> ServerStore:
    store = desk.open_store(Server(address), **more)
    assert isinstance(store, ServerStore)
    return store


@pytest.fixture
def store(address: str) -> Iterator[ServerStore]:
    with opened(address) as store:
        yield store


@pytest.fixture
def run(address: str) -> Run:
    return runner(address)


# --- order ---


def test_who_follows_waits_for_a_writer_who_began_before_and_then_misses_nothing(
    store: ServerStore, address: str
) -> None:
    with psycopg.connect(address) as slow:
        slow.execute(
            "INSERT INTO cartulary.stored_events "
            "SELECT (pg_current_xact_id()::text::bigint << 20) + 1, 'slow', 1, 't', ''"
        )
        store.append("fast", origin("fast"), [played()])
        assert list(store.after(0)) == []
        slow.commit()
    assert [id for _, id, _ in store.after(0)] == ["slow", "fast"]


def test_of_two_desks_that_begin_at_once_one_makes_the_tables(address: str) -> None:
    waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with psycopg.connect(address) as first, psycopg.connect(address, autocommit=True) as third:
        first.execute("SELECT pg_advisory_xact_lock(1128353364)")
        with ThreadPoolExecutor() as threads:
            second = threads.submit(opened, address, patience=60)
            while third.execute(waits).fetchone() == (0,):
                assert not second.done()
            for statement in SCHEMA:
                first.execute(statement)
            first.commit()
            second.result().close()


# --- what is stored stays ---


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE cartulary.stored_events SET state = ''",
        "DELETE FROM cartulary.stored_events",
        "TRUNCATE cartulary.stored_events",
        "DELETE FROM cartulary.heads",
        "TRUNCATE cartulary.heads",
    ],
)
def test_the_log_is_append_only(store: ServerStore, address: str, statement: str) -> None:
    store.append("g", origin("g"), [played()])
    with (
        psycopg.connect(address, autocommit=True) as other,
        pytest.raises(psycopg.errors.RaiseException, match="append-only"),
    ):
        other.execute(statement)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DROP TRIGGER events_are_not_changed ON cartulary.stored_events", "events_are_not_changed"),
        ("ALTER TABLE cartulary.heads DISABLE TRIGGER heads_are_not_deleted", "heads_are_not_deleted"),
        (
            "CREATE OR REPLACE FUNCTION cartulary.refuse() RETURNS trigger LANGUAGE plpgsql "
            "AS 'BEGIN RETURN NULL; END'",
            "events_are_not_changed, heads_are_not_deleted",
        ),
        ("GRANT UPDATE ON cartulary.stored_events TO PUBLIC", "UPDATE on stored_events is granted"),
        ("DELETE FROM cartulary.stored_events WHERE originator_version = 2", "1 cannot be found"),
        ("UPDATE cartulary.stored_events SET position = 1 << 62", "positions that its server has not reached"),
    ],
)
def test_each_guard_that_is_broken_is_told(store: ServerStore, address: str, statement: str, told: str) -> None:
    store.append("g", origin("g"), [played(), played()] if "1 << 62" not in statement else [played()])
    carry_out(Server(address), statement.replace("1 << 62", "(1::bigint << 62)"))
    assert [told in fault for fault in store.guards()] == [True]


# --- connections and servers ---


def test_a_connection_cut_before_an_append_is_made_anew(store: ServerStore, address: str) -> None:
    head = store.append("g", origin("g"), [played()])
    cut(address)
    assert store.append("g", head, [played()]).version == 2
    cut(address)
    assert len(store.stream("g")) == 2


@pytest.mark.parametrize("new", [True, False])
def test_what_was_stored_before_the_connection_was_cut_is_stored_once(
    store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch, new: bool
) -> None:
    head = origin("g") if new else store.append("g", origin("g"), [played()])
    told = store._link.told

    def cut_after(sql: str, values: Any = ()) -> list[Any]:
        rows = told(sql, values)
        monkeypatch.setattr(store._link, "told", told)
        cut(address)
        return rows and told("SELECT 1")  # the answer is lost on its way

    monkeypatch.setattr(store._link, "told", cut_after)
    after = store.append("g", head, [played()])
    assert store.head("g") == after
    assert len(store.stream("g")) == head.version + 1


def test_a_server_killed_in_mid_append_loses_nothing_acknowledged(
    store: ServerStore, own_server: PrivateServer, address: str
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    for _ in range(20):
        child.stdout.readline()
    own_server.kill()
    with pytest.raises(Unreachable, match="cannot be opened"):
        store.head("g")
    said, fault = child.communicate()
    own_server.start()
    assert "Unreachable" in fault
    recorded = store.stream("g")
    assert len(recorded) % 3 == 0
    assert len(recorded) >= max((int(line) for line in said.splitlines()), default=60)
    assert [proof.fault for proof in desk.verify_all(store)] == [""]


@pytest.mark.parametrize(
    ("code", "fault"),
    [("53100", DiskFull), ("55P03", Locked), ("25006", ReadOnly), ("42501", ReadOnly), ("XX001", Damaged)],
)
def test_what_the_server_refuses_is_told_and_nothing_is_stored(
    store: ServerStore, address: str, code: str, fault: type[StoreFault]
) -> None:
    refuse(Server(address), 1, code)
    with pytest.raises(fault):
        store.append("g", origin("g"), [played()])
    assert (store.head("g"), list(store.after(0))) == (None, [])


# --- the shelf ---


def titles(store: Store) -> list[tuple[str, int]]:
    return sorted((game.id, game.plies) for game in desk.games(store))


def test_what_another_desk_wrote_is_on_the_shelf_of_this_one(address: str, tmp_path: Path, monkeypatch: Any) -> None:
    with opened(address) as here:
        monkeypatch.setenv("CARTULARY_SHELF", str(tmp_path / "elsewhere"))
        with opened(address) as there:
            desk.open_game(here, "cardmate", id="g")
            assert titles(here) == titles(there) == [("g", 0)]
            desk.play(there, "g", ["4Ci3"])
            desk.play(here, "g", ["4Db6"])
            assert titles(here) == titles(there) == [("g", 2)]


def test_what_a_desk_wrote_is_on_its_shelf_while_another_transaction_goes_on(store: ServerStore, address: str) -> None:
    with psycopg.connect(address) as slow:
        slow.execute("SELECT pg_current_xact_id()")
        desk.open_game(store, "cardmate", id="g")
        assert titles(store) == [("g", 0)]


def emptied(shelf: Path) -> None:
    shutil.rmtree(shelf.parent)


def of_another_log(shelf: Path) -> None:
    with sqlite3.connect(shelf) as other:
        other.execute("UPDATE followed SET log = 'another'")
        other.execute("DELETE FROM games")
    other.close()


def ahead(shelf: Path) -> None:
    with sqlite3.connect(shelf) as other:
        other.execute("UPDATE followed SET position = position + 7")
        other.execute("DELETE FROM games")
    other.close()


@pytest.mark.parametrize("happens", [emptied, of_another_log, ahead])
@pytest.mark.parametrize("closed", [True, False])
def test_a_shelf_that_is_none_of_this_log_is_made_anew(
    address: str, tmp_path: Path, happens: Callable[[Path], None], closed: bool
) -> None:
    with opened(address) as store:
        samples_in(store, ["cardmate"])
        before = titles(store)
        assert before
        if closed:
            store.close()
        [shelf] = (tmp_path / "shelves").glob("*.db")
        if closed or happens is not of_another_log:
            happens(shelf)
        if closed:
            store = opened(address)
        assert desk.reindex(store) == (len(before), ())
        assert titles(store) == before
        store.close()


def test_a_shelf_whose_writer_was_killed_is_caught_up(store: ServerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store._shelf, "put", lambda batches: None)
    desk.open_game(store, "cardmate", id="g")
    assert titles(store) == [("g", 0)]


def test_a_file_of_somebody_else_in_the_place_of_the_shelf_is_left_alone(address: str, tmp_path: Path) -> None:
    with opened(address) as store:
        desk.open_game(store, "cardmate", id="g")
        log = store._shelf._log
    shelf = tmp_path / "shelves" / f"{log}.db"
    shutil.rmtree(shelf.parent)
    shelf.parent.mkdir()
    with sqlite3.connect(shelf) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    with opened(address) as store, pytest.raises(Fault, match="left alone"):
        list(desk.games(store))


# --- the same on both ---


def test_commands_do_on_a_server_what_they_do_on_a_file(db: Path, run: Run) -> None:
    file = runner(db)
    for typed in (run, file):
        typed("import", str(PAGE))
        typed("new", "cardmate", "--id", "evening", "--player", "Ada", "--player", "Bela")
        typed("move", "evening", "4Ci3", "4Db6")
    for words in (
        ("show", "evening"),
        ("list", "--player", "Ada"),
        ("reindex", "--positions"),
        ("search", "--position", str(PAGE), "--at", "4"),
        ("search", "--text", "x"),
        ("stats", "results"),
        ("duplicates",),
        ("revalidate",),
        ("check", "evening"),
    ):
        assert run(*words).stdout == file(*words).stdout, words


# --- what is typed wrong ---


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (lambda url: url.replace("/games", "/nowhere"), 2, "does not exist"),
        (lambda url: "postgresql://club@127.0.0.1:1/games", 2, "refused"),
        (lambda url: "postgresql://club:se%zzcret@h/games", 2, "cannot be read"),
        (lambda url: "postgresql://club:secret@x@h/games", 2, "cannot be read"),
        (lambda url: "postgresql://club:secret/x@h/games", 2, "cannot be read"),
        (lambda url: "postgresql://club:secret#x@h/games", 2, "cannot be read"),
        (lambda url: "postgresql://club:secret@h:port/games", 2, "cannot be read"),
        (lambda url: url + "&secret=1", 2, "cannot be read"),
        (lambda url: url, 2, "There are no games in postgresql://club@/"),
    ],
)
def test_an_address_that_leads_nowhere_is_told_plainly(
    address: str, change: Callable[[str], str], code: int, told: str
) -> None:
    result = runner(change(address))("list", code=code)
    assert told in " ".join(result.stderr.split())
    assert "secret" not in result.stderr


def test_a_wrong_password_is_told_and_no_password_is_shown(address: str, own_server: PrivateServer) -> None:
    with psycopg.connect(address, autocommit=True) as other:
        other.execute("DROP ROLE IF EXISTS member")
        other.execute(f"CREATE ROLE member LOGIN SUPERUSER PASSWORD '{SECRET}'")
    right = address.replace("club@", f"member:{QUOTED}@")
    runner(right)("new", "cardmate", "--id", "evening")
    listed = runner(right)("verify", "--all")
    wrong = runner(address.replace("club@", "member:0pen-sesame@"))("list", code=2)
    assert "password authentication failed" in " ".join(wrong.stderr.split())
    for text in (listed.stdout, listed.stderr, wrong.stderr, str(Server(right)), repr(Server(right))):
        assert not any(secret in text for secret in (SECRET, QUOTED, "0pen-sesame"))


def test_a_database_of_something_else_is_left_alone(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as other:
        other.execute("CREATE TABLE shop (x int)")
    for words in (("list",), ("new", "cardmate")):
        assert "tables of another program" in " ".join(runner(address)(*words, code=2).stderr.split())
    with psycopg.connect(address) as other:
        assert other.execute("SELECT to_regnamespace('cartulary')").fetchone() == (None,)


def test_a_user_who_may_only_read_reads_and_is_refused_a_word(address: str, run: Run) -> None:
    run("new", "cardmate", "--id", "evening")
    with psycopg.connect(address, autocommit=True) as other:
        other.execute("DROP ROLE IF EXISTS guest")
        other.execute(f"CREATE ROLE guest LOGIN PASSWORD '{SECRET}'")
        other.execute("GRANT USAGE ON SCHEMA cartulary TO guest")
        other.execute("GRANT SELECT ON ALL TABLES IN SCHEMA cartulary TO guest")
    guest = runner(address.replace("club@", f"guest:{QUOTED}@"))
    assert "evening" in guest("list").stdout
    assert "may only read" in " ".join(guest("move", "evening", "4Ci3", code=2).stderr.split())
    with psycopg.connect(address, autocommit=True) as other:
        other.execute("DROP OWNED BY guest")


def test_without_the_driver_the_extra_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cartulary.records.log.server.find_spec", lambda name: None)
    assert "cartulary[postgres]" in runner(address)("list", code=2).stderr


@pytest.mark.parametrize(
    "url", ["postgresql://u:pa@ss@h/db", "postgresql://u:1/pass@h/db", "postgresql://u:1#pass@h/db", "x://h"]
)
def test_an_address_of_two_meanings_is_refused(url: str) -> None:
    with pytest.raises(Unfit) as caught:
        Server(url)
    assert "pass" not in str(caught.value).replace("password", "")
