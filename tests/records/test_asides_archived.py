"""The streams beside the games in archives: an archive explains itself, and brings nobody's links along."""

import json
from pathlib import Path

import pytest

from tests.cli.test_live import Run
from tests.cli.test_live import run as run


@pytest.fixture
def archive(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Export an archive with a described game, merged people and links, and go on with an empty database."""
    (tmp_path / "catan.toml").write_text('title = "Catan"\nseats = "2-4"\nwinner = "first"\ngoal = 10\n')
    run("games", "add", str(tmp_path / "catan.toml"))
    run("result", "catan", "-p", "Ann=10", "-p", "Bea=7", "--id", "c1")
    run("result", "catan", "-p", "ann=4", "-p", "Bea=10", "--id", "c2")
    run("people", "merge", "ann", "Ann")
    run("links", "c1")
    file = tmp_path / "club.json"
    run("export", "--all", "--log", "--format", "json", "-o", str(file))
    monkeypatch.setenv("CARTULARY_DB", str(tmp_path / "elsewhere.db"))
    return file


def test_an_archive_of_all_games_brings_descriptions_and_people_and_no_links(run: Run, archive: Path) -> None:
    assert [json.loads(line)["id"] for line in archive.read_text().splitlines()] == ["@games", "@people", "c1", "c2"]
    done = run("import", str(archive))
    assert done.stderr.splitlines()[-1] == "2 games: 2 new"
    assert f"{archive}:1: @games, new, 1 event" in done.stdout
    assert "Ann: 2 games, also ann" in run("people").stdout
    assert run("games").stdout.endswith("Catan: winner=first; goal=10; seats=2-4; not judged\n")
    again = run("import", str(archive))
    assert f"{archive}:2: @people, known, 1 event" in again.stdout
    assert again.stderr.splitlines()[-1] == "2 games: 2 known"
    run("verify", "--all")


def test_what_only_the_archive_says_is_added(run: Run, archive: Path) -> None:
    run("result", "Ludo", "-p", "Cy=1", "-p", "cy=2")
    run("people", "merge", "cy", "Cy")
    assert f"{archive}:2: @people, extended, 2 events" in run("import", str(archive)).stdout
    people = run("people").stdout
    assert "Ann: 2 games, also ann" in people
    assert "Cy: 1 game, also cy" in people


def test_names_are_not_exported_where_they_are_to_be_left_out(run: Run, archive: Path, tmp_path: Path) -> None:
    run("import", "-q", str(archive))
    file = tmp_path / "nameless.json"
    run("export", "--all", "--log", "--format", "json", "--redact", "names", "-o", str(file))
    assert "@people" not in file.read_text()
    assert "Ann" not in file.read_text()


def test_another_stream_beside_the_games_is_refused(run: Run, archive: Path) -> None:
    first = json.loads(archive.read_text().splitlines()[0])
    archive.write_text(json.dumps({**first, "id": "@links"}) + "\n")
    refused = run("import", str(archive), code=2)
    because = "expected an archive of a game, or of @games, @house, @people or an evening"
    assert f"@links is not a game; {because}." in refused.stderr


def test_a_stream_that_was_altered_is_refused(run: Run, archive: Path) -> None:
    text = archive.read_text().replace("goal=10", "goal=12")
    archive.write_text(text)
    refused = run("import", str(archive), code=3)
    assert f"{archive}:1: " in refused.stderr
    assert "Catan: " not in run("games").stdout
