"""Games of any name from the command line: opened, described, and recorded by their result."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from tests.cli.test_live import Run
from tests.cli.test_live import run as run

CATAN = 'title = "Catan"\nseats = "3-4"\nwinner = "first"\ngoal = 10\n'


@pytest.fixture
def catan(tmp_path: Path) -> str:
    file = tmp_path / "catan.toml"
    file.write_text(CATAN)
    return str(file)


def test_a_result_is_one_line(run: Run, catan: str) -> None:
    run("games", "add", catan)
    done = run("result", "catan", "-p", "Ada=10", "-p", "Bela=7", "-p", "Cy=3", "--duration", "75", "--id", "c1")
    assert done.stdout == "c1: Catan: Ada 10, Bela 7, Cy 3; Ada won\n"
    assert "c1" in run("list", "--game", "Catan").stdout
    answer = json.loads(run("result", "Ludo", "-p", "A=1", "-p", "B=2", "--json").stdout)
    assert (answer["score"], answer["result"], answer["conclusion"]) == ("1:2", "0-1", "B won")


def test_described_games_are_listed_behind_the_others(run: Run, catan: str) -> None:
    assert "Catan" not in run("games").stdout
    assert run("games", "add", catan).stdout == "Catan is described: winner=first; goal=10; seats=3-4.\n"
    assert run("games").stdout.endswith("Catan: winner=first; goal=10; seats=3-4; not judged\n")
    last = json.loads(run("games", "--json").stdout.splitlines()[-1])
    assert (last["title"], last["description"]) == ("Catan", "winner=first; goal=10; seats=3-4")


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("games", "tarot"), "Did you mean `rules tarot`, or `list --game tarot`?"),
        (("games", "add"), "No file is named"),
        (("games", "add", "nowhere.toml"), "nowhere.toml cannot be read: No such file or directory."),
        (("new", "canasta"), "No rules for canasta are installed. With --unjudged"),
        (("new", "ches"), "There is no game 'ches'; did you mean Chess?"),
        (("new", " "), "No rules for a game without a name are installed."),
        (("result", "ludo", "-p", "Ada=x"), "'Ada=x' is no player with a number"),
    ],
)
def test_what_cannot_be_is_a_sentence(run: Run, words: tuple[str, ...], because: str) -> None:
    assert because in run(*words, code=2).stderr


@pytest.mark.parametrize(("typed", "code", "opened"), [("y\n", 0, True), ("n\n", 1, False)])
def test_a_person_is_asked_whether_a_game_is_kept_unjudged(
    run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, code: int, opened: bool
) -> None:
    monkeypatch.setattr("cartulary.cli.commands.new.terminal", lambda stream: True)
    result = CliRunner().invoke(build(), ["new", "canasta", "-p", "Ann", "-p", "Bea", "--id", "g"], input=typed)
    assert result.exit_code == code, result.stderr
    assert "No rules for canasta are installed; keep it unjudged?" in result.stderr
    if opened:
        assert "unjudged" in run("list").stdout
    else:
        run("list", code=2)


def test_a_described_game_is_opened_without_a_question(run: Run, catan: str) -> None:
    run("games", "add", catan)
    run("new", "CATAN", "-p", "A", "-p", "B", "-p", "C", "--id", "g")
    assert '[Description "winner=first; goal=10; seats=3-4"]' in run("export", "g", "-o", "-").stdout
