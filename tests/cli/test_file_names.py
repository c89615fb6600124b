"""Names of files that are no UTF-8, as old disks and other systems leave them: every command takes them, and shows them
escaped."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen, run

import pytest

from tests.programs import begin, program
from tests.records.archives import PAGE, sheet

ODD = "b\udce9\udcff"
"""A name of three bytes, the last two of which are no UTF-8."""
SHOWN = r"b\xe9\xff"

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there every name of a file is Unicode")


def typed(folder: Path, *words: str, start: bool = False) -> tuple[int, str, str]:
    """Type a command in a process of its own; return its exit code and what it wrote, a PDF as nothing.

    start: a new interpreter, which makes its arguments of the bytes of the system; else one that is forked
    """
    environment = {**os.environ, "CARTULARY_DB": str(folder / "games.db"), "PYTHONUTF8": "1"}
    if start:
        command = [sys.executable, "-m", "cartulary.cli", *words]
        done = run(command, cwd=folder, capture_output=True, env=environment, check=False)
        code, printed, errors = done.returncode, done.stdout, done.stderr
    else:
        begun = begin(words, folder, environment, folder)
        code, printed, errors = begun.code(), begun.printed.read_bytes(), begun.told.read_bytes()
    out = "" if printed.startswith(b"%PDF") else printed.decode()  # all else is UTF-8
    err = errors.decode()
    assert "itself has a fault" not in err
    assert code != 70, err
    return code, out, err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a score sheet under a plain name and one under an odd one, and an odd folder with a third."""
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "a.cgn").write_text(sheet())
    (tmp_path / "sheets" / f"{ODD}.cgn").write_bytes(PAGE.read_bytes())
    (tmp_path / ODD).mkdir()
    (tmp_path / ODD / "c.cgn").write_text(sheet("4Ci3 4Db6"))
    return tmp_path


FILE = f"sheets/{ODD}.cgn"


def test_a_folder_with_an_odd_name_in_it_is_imported_whole(folder: Path) -> None:
    code, out, err = typed(folder, "import", "sheets", ODD, "--json", start=True)
    assert code == 0, err
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["status"] for answer in answers] == ["new"] * 3
    assert [answer["report"]["path"] for answer in answers] == [
        "sheets/a.cgn",
        f"sheets/{SHOWN}.cgn",
        f"{SHOWN}/c.cgn",
    ]
    _, out, _ = typed(folder, "export", "--all", "--format", "json", "--log")
    assert f'"source\\":\\"{SHOWN}.cgn'.replace("\\x", "\\\\\\\\x") in out  # a body is JSON in JSON


def test_the_name_is_shown_escaped_where_one_line_tells_of_it(folder: Path) -> None:
    assert f"sheets/{SHOWN}.cgn#1: legal" in typed(folder, "import", FILE, start=True)[1]
    assert f"sheets/{SHOWN}.cgn#1: legal" in typed(folder, "validate", FILE, start=True)[1]
    assert f"{SHOWN} is a folder" in typed(folder, "show", ODD, start=True)[2]


ASKED = (
    *(("export", "--format", format, FILE) for format in ("cgn", "html", "json", "pdf", "replay")),
    ("export", "--format", "html", FILE, "sheets/a.cgn", "-o", f"{ODD}-pages/"),
    ("export", "--format", "sqlite", FILE, "-o", f"{ODD}.sqlite"),
    ("export", "--format", "json", "--log", FILE, "-o", f"{ODD}.json"),
    ("export", "--format", "pdf", FILE, "-o", f"{ODD}.pdf"),
    ("validate", FILE, "--json"),
    ("validate", "sheets", ODD, "--jobs", "2", "--json"),
    ("restore", FILE, "--json"),
    ("restore", FILE, "--write", f"{ODD}-restored.cgn"),
    ("compare", FILE, FILE, "--json"),
    ("check", FILE, "--json"),
    ("replay", FILE, "--json"),
    ("moves", FILE, "--json"),
    ("show", FILE, "--json"),
    ("show", FILE, "--svg"),
    ("fmt", FILE),
    ("convert", FILE, "--to", "json"),
    ("why", FILE, "1", "--json"),
    ("import", FILE, "--db", f"{ODD}.db"),
    ("import", FILE, "--seat", "p1"),
    ("new", "cardmate", "--db", f"{ODD}-new.db"),
)


@pytest.mark.parametrize("words", ASKED, ids=lambda words: "-".join(words).encode("ascii", "replace").decode())
def test_a_command_takes_an_odd_name(folder: Path, words: tuple[str, ...]) -> None:
    code, _, err = typed(folder, *words)
    assert code == 0, err


def test_what_was_written_under_an_odd_name_is_read_again(folder: Path) -> None:
    assert typed(folder, "import", "sheets", "--db", f"{ODD}.db")[0] == 0
    assert typed(folder, "backup", f"{ODD}-copy.db", "--json", "--db", f"{ODD}.db")[0] == 0
    assert typed(folder, "backup", f"{ODD}-copy.db", "--into", f"{ODD}-again.db")[0] == 0
    assert typed(folder, "verify", "--all", "--db", f"{ODD}-again.db")[0] == 0
    assert typed(folder, "list", "--json", "--db", f"{ODD}-again.db")[1].count("\n") == 2
    assert typed(folder, "export", "--all", "--format", "sqlite", "-o", f"{ODD}.sqlite", "--db", f"{ODD}.db")[0] == 0
    assert typed(folder, "import", f"{ODD}.sqlite")[0] == 0


def test_an_archive_is_signed_with_a_key_of_an_odd_name_under_an_odd_name(folder: Path) -> None:
    key = f"{ODD}-key"
    run(
        [program("ssh-keygen", package="openssh-client"), "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)],
        check=True,
    )
    (folder / "signers").write_text("ada@example.org " + (folder / f"{key}.pub").read_text())
    typed(folder, "import", FILE)
    out = f"{ODD}.json"
    assert typed(folder, "export", "--all", "--format", "json", "--log", "-o", out, "--sign", key)[0] == 0
    assert json.loads((folder / f"{out}.manifest").read_text().splitlines()[0])["file"] == f"{SHOWN}.json"
    for words in ((), ("--json",)):
        assert typed(folder, "verify", out, "--signers", "signers", *words)[0] == 0


def test_a_page_of_nameless_games_has_the_name_of_its_file(folder: Path) -> None:
    (folder / FILE).write_text('[Game "Cardmate"]\n\n4Ci3 *\n')
    code, out, _ = typed(folder, "export", "--format", "replay", FILE)
    assert (code, f"<title>Cardmate, {SHOWN}.cgn" in out) == (0, True)


def test_an_address_that_is_none_is_a_fault_of_whoever_typed_it(folder: Path) -> None:
    for bind in (ODD, "a" * 70):
        assert typed(folder, "serve", "--no-open", "--bind", bind)[0] == 2


@pytest.fixture
def parquet() -> None:
    """Skip where DuckDB is not installed."""
    pytest.importorskip("duckdb")


@pytest.mark.usefixtures("parquet")
def test_parquet_is_written_under_an_odd_name_and_asked(folder: Path) -> None:
    for out in (f"{ODD}-parquet", f"{ODD}/parquet"):
        assert typed(folder, "export", "--format", "parquet", FILE, "-o", out)[0] == 0
        assert typed(folder, "stats", "--over", out)[0] == 0


def served(folder: Path, *words: str) -> Iterator[str]:
    """Start a server and yield the first line it prints; end it afterwards."""
    server = Popen(
        [sys.executable, "-m", "cartulary.cli", "serve", "--no-open", "--port", "0", *words],
        cwd=folder,
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().decode()
    finally:
        server.terminate()
        server.communicate()


@pytest.mark.parametrize("words", [("sheets",), (FILE,), ("--db", f"{ODD}.db")])
def test_a_server_shows_what_has_an_odd_name(folder: Path, words: tuple[str, ...]) -> None:
    for line in served(folder, *words):
        assert line.startswith("http://127.0.0.1:")
