"""Names in @people leave with no export that leaves names out, and a person is left out under every name."""

import json
from pathlib import Path

import pytest

from tests.cli.test_live import Run
from tests.cli.test_live import run as run

NAMES = ("Annabel", "Bertram", "Cyprian", "Wilhelmina", "Quark", "Fionnuala")


@pytest.fixture
def club(run: Run) -> Run:
    """Return the command line of an archive with a person of two names, a renamed one and a substitute."""
    run("result", "Catan", "-p", "Annabel=10", "-p", "Bertram=7", "--id", "first")
    run("result", "Catan", "-p", "Annabel=10", "-p", "Cyprian=7", "--id", "second")
    run("new", "Ludo", "--unjudged", "-p", "Annabel", "-p", "Cyprian", "--id", "long")
    run("move", "long", "a", "b", "c")
    run("seat", "long", "p1", "-p", "Fionnuala", "--from", "2")
    run("close", "long", "1-0")
    run("people", "merge", "Cyprian", "Bertram")
    run("people", "rename", "Annabel", "Wilhelmina Quark")
    return run


def named(text: str, names: tuple[str, ...] = NAMES) -> list[str]:
    return [name for name in names if name.lower() in text.lower()]


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--all", "--log", "--format", "json"),
        ("export", "--all"),
        ("export", "--all", "--format", "json"),
        ("export", "second", "--format", "html"),
        ("export", "long", "--format", "html", "--log"),
        ("export", "long", "--format", "replay"),
    ],
)
@pytest.mark.parametrize("level", ["names", "texts"])
def test_a_redacted_export_has_no_name_of_anybody(
    club: Run, tmp_path: Path, words: tuple[str, ...], level: str
) -> None:
    whole, path = tmp_path / "whole", tmp_path / "redacted"
    club(*words, "-o", str(whole))
    assert named(whole.read_text())
    result = club(*words, "--redact", level, "-o", str(path))
    assert named(path.read_text() + result.stdout + result.stderr) == []


def test_a_person_is_left_out_under_every_name(club: Run, tmp_path: Path) -> None:
    for who in ("Wilhelmina Quark", "quark", "Annabel"):
        gone = ("Annabel", "Wilhelmina", "Quark")
        assert named(club("export", "--all", "--redact", who).stdout, gone) == []
        assert "Bertram" in club("export", "first", "--redact", who).stdout
        path = tmp_path / f"{who}.json"
        club("export", "first", "--log", "--redact", who, "-o", str(path))
        assert named(path.read_text(), gone) == []
        page = tmp_path / f"{who}.html"
        club("export", "first", "--redact", who, "-o", str(page))
        assert named(page.read_text(), gone) == []


@pytest.mark.parametrize("words", [(), ("--json",), ("--csv", "-"), ("--substitutes", "last", "--duels")])
def test_redacted_standings_have_no_name_of_anybody(club: Run, words: tuple[str, ...]) -> None:
    for game in ((), ("Catan",)):
        assert named(club("standings", *game, *words).stdout)
        assert (
            named(club("standings", *game, "--redact", "--evenings", *(("--rating",) if game else ()), *words).stdout)
            == []
        )


def test_only_a_whole_archive_carries_the_people(club: Run, tmp_path: Path) -> None:
    def ids(*words: str) -> set[str]:
        path = tmp_path / "archive.json"
        club("export", "--all", "--log", "--force", *words, "-o", str(path))
        return {json.loads(line)["id"] for line in path.read_text().splitlines()}

    games = {"first", "second", "long"}
    assert ids() == games | {"@people"}
    assert ids("--redact", "names") == games
    assert ids("--redact", "Annabel") == games
