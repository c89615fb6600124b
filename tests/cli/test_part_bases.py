"""``import --part`` and ``reindex --part``: databases apart, merged into the one that the undivided command makes."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from cartulary.notation import GAMES
from tests.cli.conftest import Write
from tests.cli.test_parts import PGN, strewn
from tests.cli.test_validate import LEGAL, REFUSED, many
from tests.hunts import looks
from tests.places import SAMPLES
from tests.programs import typed
from tests.records.archives import PAGE, with_bodies

TABLES = (
    *("stored_events", "heads", "games", "people", "seats", "findings", "rulings", "disputes", "comments"),
    *("waiting", "behind"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which time and chance stand still, so that the same is stored byte for byte."""
    monkeypatch.setattr("cartulary.records.exchange.cgn.now", lambda: "2026-11-23T17:00:00.000Z")
    monkeypatch.setattr("secrets.token_hex", lambda length: "5a" * length)
    return tmp_path


def run(folder: Path, *words: str) -> tuple[str, str, int]:
    """Return what a command prints, says and ends with."""
    ended = typed(words, folder, {})
    return ended.stdout, ended.stderr, ended.exit_code


def parts_of(folder: Path, parts: int, *words: str) -> list[str]:
    """Return the databases that parts of `import` made."""
    names = [f"{number}-of-{parts}.db" for number in range(1, parts + 1)]
    for number, name in enumerate(names, 1):
        run(folder, "import", "--part", f"{number}/{parts}", "--db", name, *words)
    return names


def stored(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of a database."""
    with closing(sqlite3.connect(path)) as database:
        return {name: database.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall() for name in TABLES[:1]} | {
            name: database.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES[1:]
        }


# --- one whole ---


@pytest.mark.hunt
@pytest.mark.parametrize("seed", range(looks(24)))
def test_parts_merged_are_what_one_import_stores_says_and_ends_with(seed: int, folder: Path) -> None:
    rng = random.Random(f"import {seed}")
    names = strewn(rng, folder)
    options = rng.choice(((), (), ("--json",), ("-q",), ("--by", "Zoe"), ("--by", "p1"), ("--no-source",)))
    made = parts_of(folder, rng.choice((1, 2, 3, 5)), *options, *names)
    rng.shuffle(made)
    merged = run(folder, "merge", "import", "--db", "all.db", *made)
    assert merged == run(folder, "import", "--db", "one.db", *options, *names)
    assert stored(folder / "all.db") == stored(folder / "one.db")


def test_the_samples_merged_are_the_same_and_twice_is_harmless(folder: Path) -> None:
    names = [str(SAMPLES / game) for game in ("cardmate", "draughts", "tarot")]
    made = parts_of(folder, 4, *names)
    for _ in range(2):
        merged = run(folder, "merge", "import", "--db", "all.db", *made)
        assert merged == run(folder, "import", "--db", "one.db", *names)
    assert stored(folder / "all.db") == stored(folder / "one.db")
    assert run(folder, "verify", "--all", "--db", "all.db")[2] == 0


def test_parts_are_merged_into_a_log_on_a_server_too(folder: Path, address: str, write: Write) -> None:
    path = write("a.cgn", many(12))
    made = parts_of(folder, 3, path)
    merged = run(folder, "merge", "import", "--db", address, *made)
    assert merged == run(folder, "import", "--db", "one.db", path)
    assert run(folder, "list", "--db", address) == run(folder, "list", "--db", "one.db")
    for number in (1, 2):
        assert run(folder, "reindex", "--part", f"{number}/2", "--into", f"r{number}.db", "--db", address)[2] == 0
    assert run(folder, "merge", "reindex", "--db", address, "r1.db", "r2.db")[2] == 0
    assert run(folder, "list", "--db", address) == run(folder, "list", "--db", "one.db")


def test_of_one_game_twice_in_a_file_the_first_is_kept_and_told_as_new(folder: Path, write: Write) -> None:
    path = write("a.pgn", PGN + PGN.replace("Ke3 Nc6", "Ke3   Nc6"))
    out, _, _ = run(folder, "import", "--json", "--db", "one.db", path)
    assert ['"status":"new"' in line for line in out.splitlines()] == [True, False]
    with closing(with_bodies(sqlite3.connect(folder / "one.db"))) as database:
        kept = database.execute("SELECT body(state) FROM stored_events WHERE topic = 'source-kept/1'").fetchall()
    assert [("Ke3   Nc6" in body, "Ke3 Nc6" in body) for (body,) in kept] == [(False, True)]
    made = parts_of(folder, 3, path)
    run(folder, "merge", "import", "--db", "all.db", *made)
    assert stored(folder / "all.db") == stored(folder / "one.db")


def test_a_sheet_that_would_be_read_as_two_games_is_declined_and_the_next_one_taken_in(
    folder: Path, write: Write
) -> None:
    odd = '[Game "Cardmate"]\n1. 4Ci3 4Db6 *\n\n [Site "?"]\n\n'
    out, said, code = run(folder, "import", "--db", "one.db", write("a.cgn", odd + LEGAL))
    assert "would be read as a game of its own" in out
    assert (said, code) == ("2 games: 1 new, 1 declined\n", 1)


@pytest.mark.parametrize("parts", [1, 2, 5, 40])
def test_parts_of_a_reindex_merged_write_what_one_reindex_writes(parts: int, folder: Path) -> None:
    names = [str(SAMPLES / game) for game in ("cardmate", "tarot", "zarcana")]
    for db in ("one.db", "all.db"):
        run(folder, "import", "--db", db, *names)
        with closing(sqlite3.connect(folder / db)) as database, database:
            database.execute("DELETE FROM findings")
    made = [f"{number}.db" for number in range(1, parts + 1)]
    for number, name in enumerate(made, 1):
        assert run(folder, "reindex", "--part", f"{number}/{parts}", "--into", name, "--db", "all.db")[2] == 0
    for options in ((), ("--json",)):
        one = run(folder, "reindex", "--db", "one.db", *options)
        assert run(folder, "merge", "reindex", "--db", "all.db", *options, *reversed(made)) == one
        assert stored(folder / "all.db") == stored(folder / "one.db")


@pytest.mark.parametrize("parts", [1, 3])
def test_parts_with_positions_find_what_one_reindex_finds(parts: int, folder: Path) -> None:
    run(folder, "import", "--db", "all.db", *(str(SAMPLES / game) for game in ("cardmate", "tarot-duel")))
    run(folder, "new", "cardmate", "--id", "evening", "--db", "all.db")
    made = [f"{number}.db" for number in range(1, parts + 1)]
    for number, name in enumerate(made, 1):
        part = ("reindex", "--positions", "--part", f"{number}/{parts}", "--into", name, "--db", "all.db")
        assert run(folder, *part)[2] == 0
    page = sorted((SAMPLES / "tarot-duel" / "games").glob("*.cgn"))[0]
    searches = [
        ("search", "--position", str(sheet), "--at", at, "--db", "all.db") for sheet in (PAGE, page) for at in "04"
    ]
    for options in ((), ("--json",)):
        one = run(folder, "reindex", "--positions", "--db", "all.db", *options)
        found = [run(folder, *search) for search in searches]
        assert all("ply " in out for out, _, _ in found)
        assert run(folder, "merge", "reindex", "--db", "all.db", *options, *reversed(made)) == one
        assert runs(folder / "all.db") == parts
        assert [sorted(rows(run(folder, *search))) for search in searches] == [sorted(rows(each)) for each in found]
    shutil.copy(folder / "all.db", folder / "before.db")
    run(folder, "move", "evening", "4Ci3", "--db", "all.db")
    merged = run(folder, "merge", "reindex", "--db", "all.db", *made)
    assert merged == run(folder, "reindex", "--positions", "--db", "all.db")
    run(folder, "merge", "reindex", "--db", "all.db", *made)
    wanted = ("search", "--position", str(PAGE), "--at", "1", "--db")
    run(folder, "merge", "reindex", "--db", "all.db", *made)
    assert "evening" in run(folder, *wanted, "all.db")[0]
    # An older copy of the log does not hold what was worked out of a later one.
    run(folder, "reindex", "--positions", "--part", "1/1", "--into", "later.db", "--db", "all.db")
    assert run(folder, "merge", "reindex", "--db", "before.db", "later.db")[2] == 0
    assert "evening" not in run(folder, *wanted, "before.db")[0]


def runs(path: Path) -> int:
    """Return how many runs the index of positions has."""
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute("SELECT COUNT(*) FROM runs").fetchone()[0])


def rows(told: tuple[str, str, int]) -> list[str]:
    """Return the games a search has found."""
    return [line for line in told[0].splitlines() if line]


def test_positions_that_are_encoded_otherwise_here_are_not_merged(
    folder: Path, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    run(folder, "import", "--db", "all.db", write("a.cgn", LEGAL))
    run(folder, "reindex", "--positions", "--part", "1/1", "--into", "1.db", "--db", "all.db")
    game = GAMES["cardmate"]
    monkeypatch.setitem(GAMES, "cardmate", replace(game, place=replace(game.place, number=9)))
    out, said, code = run(folder, "merge", "reindex", "--db", "all.db", "1.db")
    assert (out, code) == ("", 2)
    assert "made by another version of the program" in said


def test_games_that_were_written_to_since_and_new_ones_are_worked_out_at_the_merge(folder: Path, write: Write) -> None:
    run(folder, "import", "--db", "all.db", write("a.cgn", LEGAL.replace('"*"', '"1-0"')[:-2] + "1-0\n"))
    run(folder, "new", "cardmate", "--id", "evening", "--db", "all.db")
    for number in ("1", "2"):
        run(folder, "reindex", "--part", f"{number}/2", "--into", f"{number}.db", "--db", "all.db")
    run(folder, "move", "evening", "4Ci3", "--db", "all.db")
    run(folder, "new", "cardmate", "--id", "later", "--db", "all.db")
    before = stored(folder / "all.db")
    assert run(folder, "merge", "reindex", "--db", "all.db", "1.db", "2.db") == ("3 games listed\n", "", 0)
    assert stored(folder / "all.db") == before


def test_what_is_at_fault_with_a_game_is_told_by_the_merge_as_by_one_reindex(folder: Path, write: Write) -> None:
    run(folder, "import", "--db", "all.db", write("a.cgn", LEGAL + "\n" + REFUSED))
    with closing(with_bodies(sqlite3.connect(folder / "all.db"))) as database, database:
        database.execute("DROP TRIGGER events_are_not_edited")
        database.execute("UPDATE stored_events SET state = replace(body(state), 'Cardmate', 'Tarot') WHERE rowid = 1")
        database.execute("UPDATE stored_events SET state = replace(state, 'cgn', 'Cgn') WHERE rowid = 1")
    run(folder, "reindex", "--part", "1/1", "--into", "1.db", "--db", "all.db")
    merged = run(folder, "merge", "reindex", "--db", "all.db", "1.db")
    assert merged == run(folder, "reindex", "--db", "all.db")
    assert merged[2] == 3


# --- what is no whole ---


@pytest.fixture
def made(folder: Path, write: Write) -> list[str]:
    """Return three whole parts of an import."""
    return parts_of(folder, 3, write("a.cgn", many(12)))


def merge(folder: Path, *parts: str) -> str:
    """Return what is said where parts are no whole; nothing may be stored then."""
    out, said, code = run(folder, "merge", "import", "--db", "all.db", *parts)
    assert (out, code) == ("", 2)
    assert not (folder / "all.db").exists()
    return said


def test_a_part_missing_or_twice_is_named(folder: Path, made: list[str]) -> None:
    assert merge(folder, made[0], made[2]) == "cartulary: part 2 of 3 is missing\n"
    assert merge(folder, *made, made[2]) == f"cartulary: {made[2]} and {made[2]} are both part 3\n"


def test_a_part_of_another_whole_is_named(folder: Path, made: list[str], write: Write) -> None:
    [other] = parts_of(folder, 1, str(folder / "a.cgn"))
    assert merge(folder, *made[:2], other) == f"cartulary: {other} is one of 1 part, and {made[0]} one of 3\n"
    run(folder, "import", "--part", "3/3", "--db", "by.db", "--by", "Zoe", str(folder / "a.cgn"))
    assert merge(folder, *made[:2], "by.db") == f"cartulary: by.db was made with a different --by from {made[0]}\n"
    run(folder, "import", "--part", "3/3", "--db", "b.db", write("b.cgn", LEGAL))
    assert "b.db does not belong with" in merge(folder, *made[:2], "b.db")


def test_a_part_cut_short_is_named(folder: Path, made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("cartulary.cli.shell.part_bases.line_ends", full)
        assert run(folder, "import", "--part", "2/3", "--db", "cut.db", str(folder / "a.cgn"))[2] == 130
    assert merge(folder, made[0], "cut.db", made[2]) == "cartulary: cut.db was cut short; make part 2 again.\n"


def test_a_part_somebody_changed_is_named(folder: Path, made: list[str]) -> None:
    with closing(with_bodies(sqlite3.connect(folder / made[1]))) as database, database:
        database.execute("DROP TRIGGER events_are_not_edited")
        database.execute(
            "UPDATE stored_events SET state = replace(body(state), 'legal', 'Legal') WHERE originator_id='@part'"
        )
    assert merge(folder, *made) == "cartulary: Event 3 of @part is not the one that was written there.\n"


def test_a_database_or_file_that_is_no_part_is_named(folder: Path, made: list[str], write: Write) -> None:
    run(folder, "import", "--db", "one.db", str(folder / "a.cgn"))
    assert (
        merge(folder, "one.db")
        == "cartulary: one.db is not a part of `import`; `import --part K/N --db FILE` writes one.\n"
    )
    assert merge(folder, str(folder / "a.cgn")).endswith("is not an SQLite database; it was left alone.\n")
    assert merge(folder, "nowhere.db").startswith("cartulary: There is no database nowhere.db")
    run(folder, "reindex", "--part", "1/1", "--into", "r.db", "--db", "one.db")
    assert merge(folder, "r.db") == "cartulary: r.db is a part of `reindex`, not of `import`; use `merge reindex`.\n"


def test_parts_of_another_log_are_named_and_nothing_is_listed_anew(folder: Path, write: Write) -> None:
    run(folder, "import", "--db", "one.db", write("a.cgn", LEGAL))
    run(folder, "import", "--db", "all.db", write("b.cgn", REFUSED))
    run(folder, "reindex", "--part", "1/1", "--into", "1.db", "--db", "one.db")
    before = stored(folder / "all.db")
    out, said, code = run(folder, "merge", "reindex", "--db", "all.db", "1.db")
    assert (out, code) == ("", 2)
    assert said.startswith("cartulary: 1.db was made from another log: cardmate-")
    assert stored(folder / "all.db") == before


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("import", "--part", "1/2", "a.cgn"), "name a new file with --db"),
        (("import", "--part", "1/2", "--db", "one.db", "a.cgn"), "one.db already exists"),
        (("import", "--part", "1/2", "--db", "postgresql://desk/club", "a.cgn"), "not to a server"),
        (("import", "--part", "3/2", "--db", "1.db", "a.cgn"), "expected a part from 1 to 2"),
        (("import", "--part", "1/2", "--db", "1.db", "-"), "standard input, which can be read only once"),
        (("import", "--part", "1/2", "--db", "1.db", "--extend", "a.cgn"), "leave out --second and --extend"),
        (("import", "--part", "1/2", "--db", "1.db", "--seat", "p1", "a.cgn"), "leave out --seat"),
        (("import", "--part", "1/2", "--db", "1.db", "a.jsonl"), "a.jsonl is an archive"),
        (("reindex", "--part", "1/2", "--db", "one.db"), "Give --part K/N and --into FILE together"),
        (("reindex", "--into", "1.db", "--db", "one.db"), "Give --part K/N and --into FILE together"),
        (("reindex", "--part", "0/2", "--into", "1.db", "--db", "one.db"), "expected a part from 1 to 2"),
        (("reindex", "--part", "1/2", "--into", "one.db", "--db", "one.db"), "one.db already exists"),
        (
            ("reindex", "--part", "1/2", "--into", "1.db", "--jobs", "2", "--db", "one.db"),
            "--part is the share of one process",
        ),
        (("reindex", "--part", "1/2", "--into", "postgresql://desk/club", "--db", "one.db"), "not to a server"),
        (("merge", "import", "--db", "one.db", "one.db"), "one.db is the database that parts are merged into"),
        (("merge", "import", "--db", "all.db", "--seat", "p1", "one.db"), "leave out --seat"),
        (("merge", "import", "--db", "all.db", "--json", "one.db"), "leave out --json"),
        (("merge", "validate", "--db", "all.db", "one.db"), "leave out --db"),
    ],
)
def test_what_cannot_be_divided_or_merged_is_refused_and_makes_no_file(
    words: tuple[str, ...], because: str, folder: Path, write: Write
) -> None:
    run(folder, "import", "--db", "one.db", write("a.cgn", LEGAL))
    write("a.jsonl", ' {"cartulary":1}\n')
    there = sorted(path.name for path in folder.iterdir())
    out, said, code = run(folder, *words)
    assert (out, code) == ("", 2)
    assert because in said
    assert sorted(path.name for path in folder.iterdir()) == there
