"""A log on a server: what no file can show, since it has no connection, no server and one transaction at a time.

What every log guarantees stands in `every_log`.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cartulary.records.faults import (
    Unfit,
)
from cartulary.records.log.chain import origin
from cartulary.records.log.server import SCHEMA, Server, place_of
from tests.programs import package
from tests.records.archives import PAGE, Run, runner
from tests.records.logs import carry_out, played

psycopg = package("psycopg", "postgres")

from cartulary.records.log.server_store import ServerStore  # noqa: E402
from tests.records.servers import QUOTED, SECRET, PrivateServer, opened  # noqa: E402


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
            second = threads.submit(opened, address, timeout=60)
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
            "events_are_not_changed is missing or altered, the trigger heads_are_not_deleted is missing or altered",
        ),
        ("GRANT UPDATE ON cartulary.stored_events TO PUBLIC", "UPDATE on stored_events is granted"),
        ("DELETE FROM cartulary.stored_events WHERE originator_version = 2", "1 cannot be found"),
        ("UPDATE cartulary.stored_events SET position = 1 << 62", "places in the log that its server has not reached"),
    ],
)
def test_each_guard_that_is_broken_is_told(store: ServerStore, address: str, statement: str, told: str) -> None:
    store.append("g", origin("g"), [played(), played()] if "1 << 62" not in statement else [played()])
    carry_out(Server(address), statement.replace("1 << 62", "(1::bigint << 62)"))
    assert [told in fault for fault in store.guards()] == [True]


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
        (lambda url: url.replace("/games", "/nowhere"), 2, "does not exist. Create it"),
        (lambda url: "postgresql://club@127.0.0.1:1/games", 2, "refused. Start the server there"),
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
    assert 'password authentication failed for user "member". Check the user' in " ".join(wrong.stderr.split())
    for text in (listed.stdout, listed.stderr, wrong.stderr, str(Server(right)), repr(Server(right))):
        assert not any(secret in text for secret in (SECRET, QUOTED, "0pen-sesame"))


def test_a_line_to_type_again_names_the_server_without_its_password(address: str, run: Run) -> None:
    run("new", "cardmate", "--id", "evening")
    secret = address.replace("club@", f"club:{QUOTED}@")
    errors = run("close", "evening", "*", "--db", secret, code=1).stderr
    assert "--db postgresql://club@" in " ".join(errors.split())
    assert QUOTED not in errors.replace("\n", "")


@pytest.mark.parametrize(
    "words",
    [
        ("backup",),
        ("validate",),
        ("import",),
        ("show",),
        ("replay",),
        ("serve", "--no-open"),
        ("stats", "--over"),
        ("export", "--all", "-o"),
        ("validate", "--cluster"),
    ],
)
def test_an_address_in_the_place_of_a_file_is_named_without_its_password(run: Run, words: tuple[str, ...]) -> None:
    run("new", "cardmate")
    result = run(*words, "postgresql://club:se%40cret@h/db", code=2)
    assert "cret" not in result.stdout + result.stderr


def test_a_database_of_something_else_is_left_alone(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as other:
        other.execute("CREATE TABLE shop (x int)")
    for words in (("list",), ("new", "cardmate")):
        assert "tables of another program" in " ".join(runner(address)(*words, code=2).stderr.split())
    with psycopg.connect(address) as other:
        assert other.execute("SELECT to_regnamespace('cartulary')").fetchone() == (None,)


def test_each_right_that_is_granted_is_enough_for_what_it_is_granted_for(address: str, run: Run) -> None:
    """A user with no right, one who may read, one who may write: docs/archive.md, "Who may do what"."""
    run("new", "cardmate", "--id", "evening")
    guest = runner(address.replace("club@", f"guest:{QUOTED}@"))

    def grant(right: str, to: str) -> None:
        with psycopg.connect(address, autocommit=True) as owner:
            owner.execute(f"GRANT {right} ON {to} TO guest".encode())

    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS guest")
        owner.execute(f"CREATE ROLE guest LOGIN PASSWORD '{SECRET}'".encode())
    text = " ".join(guest("list", code=2).stderr.split())
    assert "This user may not read" in text
    assert "GRANT SELECT ON ALL TABLES IN SCHEMA cartulary" in text
    grant("USAGE", "SCHEMA cartulary")
    grant("SELECT", "ALL TABLES IN SCHEMA cartulary")
    assert "evening" in guest("list").stdout
    assert "may only read" in " ".join(guest("move", "evening", "4Ci3", code=2).stderr.split())
    grant("INSERT", "ALL TABLES IN SCHEMA cartulary")
    grant("UPDATE", "cartulary.heads")
    assert "legal" in guest("move", "evening", "4Ci3").stdout
    assert "second" in guest("new", "cardmate", "--id", "second").stdout
    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute("SET ROLE guest")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            owner.execute("DELETE FROM cartulary.stored_events")
    assert run("verify", "--all").exit_code == 0
    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute("DROP OWNED BY guest")


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


@pytest.mark.parametrize("text", ["postgresq://u:secret@h/db", "postgresql:/u:secret@h/db", "mysql://u:secret@h/db"])
def test_an_address_of_another_kind_is_made_no_path(text: str) -> None:
    with pytest.raises(Unfit, match="Expected the path") as caught:
        place_of(text)
    assert "secret" not in str(caught.value)


def test_capitals_in_the_scheme_are_the_same_address() -> None:
    place = place_of("POSTGRESQL://club@h/db")
    assert isinstance(place, Server)
    assert place.url == "postgresql://club@h/db"


@pytest.mark.parametrize("text", ["club.db", "C:/club.db", "a:b/club.db", "/tmp/x:/club.db", ""])
def test_a_path_stays_one(text: str) -> None:
    assert place_of(text) == Path(text)
