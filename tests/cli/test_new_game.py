"""A game is begun by one command: what it writes is installed, played, judged, and held to its own tests."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from cartulary.notation import roster
from tests.programs import Installed, typed

LONG = "a-game-with-a-key-of-forty-signs-for-all"
"""The longest key there may be: no line of the package gets too long by it."""


def made(folder: Path, key: str, *words: str) -> Path:
    """Return the folder ``new-game`` made."""
    result = typed(["new-game", key, *words], folder, {})
    assert result.exit_code == 0, result.output
    return folder / (words[-1] if words else key)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("made"), "sea-battle")


@pytest.fixture(scope="module")
def table(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    with closing(Installed(package, tmp_path_factory.mktemp("table"))) as installed:
        yield installed


def test_a_new_game_is_installed_and_played(table: Installed) -> None:
    assert "sea-battle: Sea battle, edition sea-battle-1, 2 seats" in table.start("games")
    assert "sea-battle.row" in table.run("rules", "sea-battle")
    game = table.run("new", "sea-battle").strip()
    table.run("move", game, "b2", "a1", "c1", "a3", "a2")
    assert "3 O . .\n2 X X .\n1 O . X\n  a b c\n" in table.run("show", game)
    assert "sea-battle.empty" in table.run("move", game, "b2", code=1)
    assert "expected a square such as b2" in table.run("move", game, "d4", code=2)
    table.run("move", game, "c2", "b3", "b1", "c3")
    assert "1/2-1/2: Every square is marked (sea-battle.full)" in table.run("show", game)


def test_the_tests_of_a_new_game_bear_its_name(package: Path) -> None:
    assert "\nclass TestSeaBattle(Laws):\n" in (package / "tests" / "test_sea_battle.py").read_text("utf-8")


def test_what_a_new_games_tools_leave_behind_is_ignored(package: Path) -> None:
    git = ["git", "-C", str(package)]
    subprocess.run([*git, "init", "-q"], check=True)
    for made_by in (".venv/x.py", "tests/__pycache__/x.pyc", "x.egg-info/PKG-INFO", ".hypothesis/x", ".mypy_cache/x"):
        assert subprocess.run([*git, "check-ignore", "-q", made_by], check=False).returncode == 0, made_by
    assert subprocess.run([*git, "check-ignore", "-q", "tests/test_sea_battle.py"], check=False).returncode == 1


def test_the_samples_of_a_new_game_are_judged_and_written_as_they_stand(table: Installed, package: Path) -> None:
    golden = package / "samples" / "sea-battle" / "games" / "drawn.cgn"
    assert "legal, 9 plies, 1/2-1/2" in table.run("validate", str(golden))


def test_the_tests_of_a_new_game_pass_and_find_a_game_that_breaks_a_rule(table: Installed, package: Path) -> None:
    assert " passed" in table.test(str(package))
    samples = package / "samples" / "sea-battle" / "games"
    golden = samples / "drawn.cgn"
    text = golden.read_text("utf-8")
    golden.write_text(text.replace("b3 b1", "b2 b1"), "utf-8")
    try:
        table.test("-x", str(package), code=1)
    finally:
        golden.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def trick_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    package = made(tmp_path_factory.mktemp("made"), "knaves", "--like", "tricks", "--into", "knaves")
    with closing(Installed(package, tmp_path_factory.mktemp("table"))) as installed:
        yield installed


def test_a_new_trick_game_is_installed_and_played(trick_table: Installed) -> None:
    assert "knaves: Knaves, edition knaves-1742, 4 seats" in trick_table.start("games")
    game = trick_table.run("new", "knaves").strip()
    trick_table.run("move", game, "p0/^4D", "AS", "6S")
    assert "deal 1: p4 deals, 4D turned up" in trick_table.run("show", game)
    package = trick_table.folder / "source" / "samples" / "knaves" / "games"
    assert "knaves.follow-suit" in trick_table.run("validate", str(package / "revoke.cgn"), code=1)
    assert "legal, 57 plies" in trick_table.run("validate", str(package / "open.cgn"))


def test_a_new_board_game_is_installed_played_and_held_to_its_tests(tmp_path: Path) -> None:
    package = made(tmp_path, "merels", "--like", "board", "--into", "merels")
    with closing(Installed(package, tmp_path / "table")) as table:
        assert "merels: Merels, edition merels-1, 2 seats" in table.start("games")
        game = table.run("new", "merels").strip()
        table.run("move", game, "@a1", "@d6", "@d1", "@f4", "@g1xd6")
        assert " 1 X-----X-----X" in table.run("show", game)
        assert " passed" in table.test(str(package))


@pytest.mark.parametrize("key", ["x", LONG])
@pytest.mark.parametrize(
    ("like", "pattern"), [("free", "my-game"), ("tricks", "long-whist"), ("board", "nine-mens-morris")]
)
def test_a_new_game_is_formatted_whatever_it_is_called(key: str, like: str, pattern: str, tmp_path: Path) -> None:
    package = made(tmp_path, key, "--like", like, "--into", key)
    assert not [path for path in package.rglob("*") if pattern in path.name.replace("_", "-")]
    for path in package.rglob("*.*"):
        text = re.sub("[ _'-]", "", path.read_text("utf-8").lower()) if path.is_file() else ""
        assert pattern.replace("-", "") not in text
    if find_spec("ruff") is None:
        pytest.skip("ruff comes with the extra `dev`")
    for words in (("format", "--check"), ("check",)):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *words, "--no-cache", str(package)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


def test_what_to_do_next_is_said_with_the_folder_that_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    result = typed(["new-game", "sea-battle", "--into", "my games/sea"], tmp_path, {})
    assert result.stdout.splitlines()[1:] == [
        "  python -m pip install -e 'my games/sea[test]'",
        "  cartulary new sea-battle",
        "  python -m pytest 'my games/sea'",
    ]
    assert sorted(path.name for path in (tmp_path / "my games").iterdir()) == ["sea"]


def test_the_python_it_runs_in_is_named_where_another_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    next_steps = typed(["new-game", "sea-battle"], tmp_path, {}).stdout.splitlines()[1:]
    assert next_steps == [
        f"  {sys.executable} -m pip install -e 'sea-battle[test]'",
        "  cartulary new sea-battle",
        f"  {sys.executable} -m pytest sea-battle",
    ]


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("Sea-battle", "Found the key 'Sea-battle', expected small letters and digits, a letter first"),
        ("sea battle", "Found the key 'sea battle', expected small letters"),
        ("sea_battle", "expected small letters"),
        ("1nim", "a letter first"),
        ("sea--battle", "with hyphens between words"),
        ("-nim", "expected"),
        ("..", "expected small letters"),
        ("naïve", "expected small letters"),
        ("", "Found the key '', expected small letters"),
        (f"{LONG}s", "at most 40 characters"),
        ("x" * 3000, "at most 40 characters"),
        ("record", "Found the key 'record', which is kept for what all games share"),
        ("none", "Found the key 'none', which is kept for what all games share"),
        ("tarot", "There is already a game tarot here"),
        ("tarot-duel", "There is already a game tarot-duel here"),
    ],
)
def test_what_is_no_key_of_a_new_game_is_told(key: str, says: str, tmp_path: Path) -> None:
    result = typed(["new-game", "--into", "folder", "--", key], tmp_path, {})
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert len(result.stderr) < 400
    assert list(tmp_path.iterdir()) == []


def test_the_key_of_a_game_that_cannot_be_loaded_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = roster.LoadFault("seven-seas", "ships", "ImportError")
    monkeypatch.setattr(roster, "_installed", lambda: ({}, (broken,)))
    result = typed(["new-game", "seven-seas"], tmp_path, {})
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "There is already a game seven-seas here" in result.stderr


@pytest.mark.parametrize("into", ["there", ".", "", "file", "gone"])
def test_a_folder_that_is_there_is_left_alone(into: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "sea-battle").mkdir()
    (tmp_path / "file").write_text("mine")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    before = sorted(tmp_path.rglob("*"))
    result = typed(["new-game", "sea-battle", "--into", into], tmp_path, {})
    assert result.exit_code == 2
    assert "already exists; give the name of a folder to create" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    result = typed(["new-game", "sea-battle", "--into", "file/sea"], tmp_path, {})
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cartulary: file/sea cannot be created: " in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]
