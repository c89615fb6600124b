"""What `-o` writes, as what, and what it never takes the place of."""

import os
import re
import resource
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from cartulary.cli.shell import formats
from cartulary.cli.shell.formats import Format
from cartulary.records import api
from cartulary.records.log.store import Store
from tests.programs import begin
from tests.records.archives import Run, sheet, taken_in

BEGINS = {
    "cgn": b"% CGN 1.0",
    "json": b'{"cartulary":1',
    "html": b"<!DOCTYPE html>",
    "pdf": b"%PDF-",
    "replay": b"<!DOCTYPE html>",
    "sqlite": b"SQLite format 3",
}
OTHERS = {"pgn": ".pgn", "pdn": ".pdn", "sgf": ".sgf", "trf": ".trf"}
"""Other people's formats and their endings, which test_other_formats.py, test_sgf.py and
tests/records/test_tournament.py see written."""
FOLDER = "parquet"
"""The format that is a folder of files, which tests/records/test_parquet.py sees written."""
ENDINGS = [
    ("live.cgn", "cgn"),
    ("live.json", "json"),
    ("live.jsonl", "json"),
    ("live.html", "html"),
    ("live.HTM", "html"),
    ("live.pdf", "pdf"),
    ("live.db", "sqlite"),
    ("live.sqlite", "sqlite"),
    ("live.sqlite3", "sqlite"),
    ("live", "cgn"),
    (".live", "cgn"),
]


@pytest.fixture
def games(store: Store) -> list[str]:
    return taken_in(store, sheet(), sheet(Forehand="Zoe"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return a folder for what is written, with nothing else in it."""
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


# --- as what ---


@pytest.mark.parametrize(("name", "format"), ENDINGS)
def test_a_file_is_what_its_ending_says(name: str, format: str, run: Run, games: list[str], out: Path) -> None:
    run("export", games[0], "-o", str(out / name))
    assert (out / name).read_bytes().startswith(BEGINS[format])
    assert names(out) == [name]


@pytest.mark.parametrize("format", BEGINS)
def test_a_format_that_is_named_goes_before_the_ending(format: str, run: Run, games: list[str], out: Path) -> None:
    for name in ("live.pdf", "live.txt", "live.2026"):
        run("export", games[0], "-o", str(out / name), "--format", format)
        assert (out / name).read_bytes().startswith(BEGINS[format])


def test_every_format_there_is_has_been_seen_written_and_every_ending_read() -> None:
    assert sorted((*BEGINS, *OTHERS, FOLDER)) == sorted(Format)
    assert {Path(name).suffix.lower() for name, _ in ENDINGS} - {""} == set(formats.ENDINGS) - set(OTHERS.values())


def test_a_format_without_a_writer_is_none() -> None:
    member = vars(Format)["__new_member__"]
    assert member(Format, "pgn", (".pgn",), print, True) == "pgn"
    with pytest.raises(TypeError, match="write"):
        member(Format, "pgn", (".pgn",))


def test_what_writes_a_format_is_the_line_of_the_table(
    run: Run, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Format.json, "write", lambda out: out.put([b"a sixth"]))
    assert run("export", games[0], "--format", "json").stdout == "a sixth"


@pytest.mark.parametrize("name", ["live.txt", "live.pbn", "live.2026", "live.json.gz"])
def test_an_ending_nobody_knows_is_refused(name: str, run: Run, games: list[str], out: Path) -> None:
    errors = run("export", games[0], "-o", str(out / name), code=2).stderr
    assert "expected .cgn, .json, .jsonl" in errors
    assert names(out) == []


@pytest.mark.parametrize("format", [(), *(("--format", format) for format in BEGINS)])
@pytest.mark.parametrize("name", ["", ".", "./", " "])
def test_no_name_and_this_folder_are_refused(
    name: str, format: tuple[str, ...], run: Run, games: list[str], out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(out)
    assert "does not name a file" in run("export", "--all", "-o", name, *format, code=2).stderr
    assert names(out) == []


@pytest.mark.parametrize("format", [(), *(("--format", format) for format in BEGINS if format != "html")])
def test_a_folder_is_refused_for_what_is_one_file(
    format: tuple[str, ...], run: Run, games: list[str], out: Path
) -> None:
    assert (
        f"{out}: it is a folder; name a file in it" in run("export", games[0], "-o", str(out), *format, code=2).stderr
    )
    assert names(out) == []


def test_a_hyphen_is_standard_output(run: Run, games: list[str], out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out)
    assert run("export", games[0], "-o", "-").stdout == run("export", games[0]).stdout
    assert names(out) == []


# --- a folder of pages ---


@pytest.mark.parametrize("made", [True, False])
def test_pages_of_several_games_go_into_a_folder_with_an_index(
    made: bool, run: Run, games: list[str], out: Path
) -> None:
    folder = out if made else out / "season"
    run("export", "--all", "--format", "html", "-o", str(folder))
    index = (folder / "index.html").read_text("utf-8")
    pages = re.findall(r'href="([^"]*)"', index)
    assert sorted(pages) == sorted(f"{id}.html" for id in games)
    assert names(folder) == sorted([*pages, "index.html"])
    for id in games:
        alone = run("export", id, "--format", "html").stdout
        assert (folder / f"{id}.html").read_text("utf-8") == alone
    assert ">Zoe – Bela</a>" in index
    assert "2 score sheets" in index


def test_several_games_in_a_file_with_an_ending_are_one_page(run: Run, games: list[str], out: Path) -> None:
    run("export", "--all", "-o", str(out / "all.html"))
    assert (out / "all.html").read_text("utf-8").count("<article>") == 2


def test_one_game_goes_into_a_folder_that_is_meant_as_one(run: Run, games: list[str], out: Path) -> None:
    run("export", games[0], "--format", "html", "-o", f"{out}/one/")
    assert names(out / "one") == sorted([f"{games[0]}.html", "index.html"])
    run("export", games[0], "--format", "html", "-o", f"{out}/file")
    assert (out / "file").read_bytes().startswith(b"<!DOCTYPE")


def test_no_page_is_replaced_unasked_and_none_is_written_then(run: Run, games: list[str], out: Path) -> None:
    for name in (f"{games[1]}.html", "index.html"):
        (out / name).write_text("mine")
        words = ("export", "--all", "--format", "html", "-o", str(out))
        assert f"{name}: it already exists; --force replaces it" in run(*words, code=2).stderr
        assert names(out) == [name]
        (out / name).unlink()
    (out / "index.html").write_text("mine")
    run(*words, "--force")
    assert "mine" not in (out / "index.html").read_text("utf-8")


def test_a_game_called_index_has_a_page_of_its_own(run: Run, games: list[str], out: Path) -> None:
    run("new", "cardmate", "--id", "index")
    run("export", "--all", "--format", "html", "-o", str(out))
    assert len(names(out)) == 4
    assert "%2569ndex.html" in (out / "index.html").read_text("utf-8")


def test_a_seat_gets_pages_of_what_it_has_seen(run: Run, games: list[str], out: Path) -> None:
    run("export", "--all", "--format", "html", "-o", str(out), "--seat", "p1")
    assert "as p1 has seen it" in (out / f"{games[0]}.html").read_text("utf-8")


# --- what is there ---


@pytest.mark.parametrize("name", ["live.cgn", "live.json", "live.html", "live.pdf", "live.db"])
def test_a_file_that_is_there_is_replaced_only_if_that_is_said(
    name: str, run: Run, games: list[str], out: Path
) -> None:
    run("export", games[0], "-o", str(out / name))
    (out / name).chmod(0o640)
    before = (out / name).read_bytes()
    errors = run("export", "--all", "-o", str(out / name), code=2).stderr
    assert f"cartulary: {out / name}: it already exists; --force replaces it" in errors
    assert (out / name).read_bytes() == before
    run("export", "--all", "-o", str(out / name), "--force")
    assert (out / name).read_bytes() != before
    assert stat.S_IMODE((out / name).stat().st_mode) == 0o640
    assert names(out) == [name]


@pytest.mark.parametrize("suffix", ["", ".sig", ".manifest", ".manifest.sig"])
def test_none_of_four_signed_files_is_replaced_unasked(
    suffix: str, run: Run, games: list[str], out: Path, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    (out / f"club.jsonl{suffix}").write_text("mine")
    words = ("export", "--all", "--log", "-o", str(out / "club.jsonl"), "--sign", str(key))
    assert f"club.jsonl{suffix}: it already exists" in run(*words, code=2).stderr
    assert names(out) == [f"club.jsonl{suffix}"]
    run(*words, "--force")
    assert len(names(out)) == 4


def test_metadata_and_pictures_are_replaced_only_if_that_is_said(run: Run, games: list[str], out: Path) -> None:
    (out / "mine.json").write_text("mine")
    (out / "mine.png").write_text("mine")
    words = ("export", "--all", "-o", str(out / "club.db"), "--metadata", str(out / "mine.json"))
    assert "mine.json: it already exists" in run(*words, code=2).stderr
    assert names(out) == ["mine.json", "mine.png"]
    drawn = ("stats", "--picture", str(out / "mine.png"))
    assert "mine.png: it already exists" in run(*drawn, code=2).stderr
    assert {(out / name).read_text() for name in names(out)} == {"mine"}
    run(*words, "--force")
    run(*drawn, "--force")
    assert "mine" not in (out / "mine.json").read_text()
    assert (out / "mine.png").read_bytes().startswith(b"\x89PNG")


def test_a_file_somebody_made_meanwhile_stays(
    run: Run, games: list[str], out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*args: object) -> bytes:
        (out / "all.html").write_text("theirs")
        return b"<!DOCTYPE html>"

    monkeypatch.setattr(api, "html", slow, raising=False)
    assert "already exists" in run("export", "--all", "-o", str(out / "all.html"), code=2).stderr
    assert (out / "all.html").read_text() == "theirs"
    assert names(out) == ["all.html"]


@pytest.mark.parametrize("name", ["live.cgn", "live.jsonl", "live.html", "live.pdf", "live.db", "live.d/"])
def test_what_is_there_stays_where_every_game_is_left_out(
    name: str, run: Run, db: Path, games: list[str], out: Path
) -> None:
    words = ("export", "--all", "-o", f"{out}/{name}", *(("--format", "html") if name.endswith("/") else ()))
    more = ("--metadata", str(out / "told.json")) if name == "live.db" else ()
    run(*words, *more)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("DROP TRIGGER events_are_not_edited")
        other.execute("UPDATE stored_events SET state = '{}'")
    errors = run(*words, *more, "--force", code=3).stderr
    assert f"Event 1 of {games[0]}" in errors
    assert f"No game is left to write, so nothing was written to {out / name}" in errors
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    run(*words[:3], f"{out}/new-{name}", *words[4:], code=3)
    assert not [path for path in out.iterdir() if path.name.startswith(("new-", ".cartulary"))]


@pytest.mark.parametrize("signed", [False, True])
def test_what_is_there_stays_where_the_one_game_still_names_somebody(
    signed: bool, run: Run, games: list[str], out: Path, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    words = ("export", games[0], "--log", "-o", str(out / "club.jsonl"), *(("--sign", str(key)) if signed else ()))
    run(*words)
    before = {path: path.read_bytes() for path in out.iterdir()}
    run("ruling", games[0], "1", "--stands", "--arbiter", "Cy Judge", "--reason", "Bela objected in time")
    errors = run(*words, "--redact", "texts", "--force", code=1).stderr
    assert f"{games[0]} was left out; --keep-named exports it all the same" in errors
    assert "nothing was written to" in errors
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_an_empty_database_is_no_reason_to_empty_a_file(run: Run, store: Store, out: Path) -> None:
    (out / "club.jsonl").write_text("mine")
    errors = run("export", "--all", "--log", "-o", str(out / "club.jsonl"), "--force", code=2).stderr
    assert "No game was found, so nothing was exported" in errors
    assert (out / "club.jsonl").read_text() == "mine"


# --- links, pipes, devices, others at work ---


@pytest.mark.parametrize("name", ["live.cgn", "live.db", "live.pdf"])
def test_a_link_is_followed(name: str, run: Run, games: list[str], out: Path, tmp_path: Path) -> None:
    (out / "real").mkdir()
    (out / name).symlink_to(Path("real") / name)
    run("export", games[0], "-o", str(out / name))
    assert "already exists" in run("export", games[0], "-o", str(out / name), code=2).stderr
    run("export", games[0], "-o", str(out / name), "--force")
    assert (out / name).is_symlink()
    assert names(out / "real") == [name]


@pytest.mark.parametrize("format", BEGINS)
def test_a_pipe_is_written_to(format: str, run: Run, games: list[str], out: Path) -> None:
    pipe = out / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    run("export", games[0], "-o", str(pipe), "--format", format)
    reader.join(30)
    assert read[0].startswith(BEGINS[format])
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(out) == ["pipe"]


def test_a_device_is_written_to(run: Run, games: list[str], out: Path) -> None:
    ours, theirs = os.openpty()
    run("export", games[0], "-o", os.ttyname(theirs))
    assert os.read(ours, 1000).startswith(BEGINS["cgn"])
    os.close(ours)
    os.close(theirs)
    assert "/dev/full: no space left on device" in run("export", games[0], "-o", "/dev/full", code=2).stderr


@pytest.mark.parametrize("name", ["live.cgn", "live.db", "live.jsonl"])
def test_files_of_others_are_left_alone(name: str, run: Run, games: list[str], out: Path) -> None:
    for part in (f"{name}.part", f"{name}.sig.part"):
        (out / part).write_text("mine")
    run("export", games[0], "--log", "-o", str(out / name)) if name != "live.db" else run(
        "export", games[0], "-o", str(out / name)
    )
    assert (out / f"{name}.part").read_text() == "mine"
    assert names(out) == sorted([name, f"{name}.part", f"{name}.sig.part"])


@contextmanager
def room_for(most: int) -> Iterator[None]:
    """Let a file that is written meanwhile have no more bytes than this; Python turns the signal into an OSError."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", ["live.cgn", "live.db"])
def test_eight_exports_to_one_file_all_end_well(
    name: str, db: Path, run: Run, games: list[str], out: Path, tmp_path: Path
) -> None:
    words = ("export", "--all", "-o", str(out / name), "--force", "--db", str(db))
    running = [begin(words, tmp_path, os.environ, tmp_path) for _ in range(8)]
    answers = [each.ended() for each in running]
    assert [each.returncode for each in answers] == [0] * 8, answers
    assert names(out) == [name]
    run("import", str(out / name), "--db", str(out / "again.db"))


# --- no room ---


@pytest.mark.parametrize(
    "words",
    [
        *(("export", "--all", "-o", f"live.{ending}") for ending in ("cgn", "json", "html", "pdf", "db")),
        ("export", "--all", "--format", "html", "-o", "live.pages/"),
        ("stats", "--picture", "live.png"),
    ],
    ids=str,
)
def test_a_disk_without_room_is_a_sentence_and_leaves_nothing(
    words: tuple[str, ...], run: Run, games: list[str], out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(out)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # what is imported meanwhile leaves none that is cut off
    with room_for(300):
        errors = run(*words, code=2).stderr
    assert "live." in errors
    assert not [each for each in out.rglob("*") if each.is_file()]


def test_a_full_database_is_told_as_one(run: Run, games: list[str], out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **named: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    made: Callable[..., None] = full
    for step in ("_create_tables", "_add_indexes_and_views", "_Writer.write"):
        with monkeypatch.context() as patched:
            patched.setattr(f"cartulary.records.exchange.sqlite.{step}", made)
            errors = run("export", "--all", "-o", str(out / "club.db"), code=2).stderr
        assert "There is no room left" in errors
        assert "club.db" in errors
        assert names(out) == []
