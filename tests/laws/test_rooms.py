"""Rooms: no file imports in a circle, no room points up, and docs/design.md draws the rooms as they are.

A room is a folder of code, or a file that stands beside folders; the games' folders are one room a layer. Every import
counts, inside functions and under TYPE_CHECKING too. ``python -m tests.laws.test_rooms`` draws the rooms anew.
"""

import ast
from collections.abc import Iterator, Mapping, Set
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.places import ROOT

LAYERS = ("engine", "notation", "records", "web", "cli", "testing")
BEGIN, END = "<!-- rooms -->\n", "<!-- end of rooms -->"
GAMES = {"engine/<game>": "The rules of one game.", "notation/<game>": "The words, tags and picture of one game."}
Arrows = Mapping[str, Set[str]]


def files_of(root: Path) -> dict[str, Path]:
    """Return the files of the layers by the names they are imported by."""
    found = {}
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*.py")):
            dotted = ".".join(("cartulary", *path.relative_to(root).with_suffix("").parts))
            found[dotted.removesuffix(".__init__")] = path
    return found


def parsed(path: Path) -> ast.Module:
    """Return a file's tree, which nobody changes; the same text is parsed once."""
    return _parsed(path.read_text("utf-8"))


def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a file's tree."""
    return _walked(parsed(path))


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def _walked(tree: ast.Module) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree))


def imports(path: Path, names: Set[str]) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in names else node.module


def file_arrows(root: Path) -> Arrows:
    files = files_of(root)
    return {name: (set(imports(path, files.keys())) & files.keys()) - {name} for name, path in files.items()}


def room_of(name: str, root: Path) -> str:
    layer, *inside = name.split(".")[1:]
    if not inside:
        return layer
    if not (root / layer / inside[0]).is_dir():
        return f"{layer}/{inside[0]}.py"
    is_game = all((root / each / inside[0]).is_dir() for each in ("engine", "notation"))
    return f"{layer}/{'<game>' if is_game else inside[0]}"


def room_arrows(root: Path) -> Arrows:
    rooms: dict[str, set[str]] = {}
    for name, targets in file_arrows(root).items():
        room = room_of(name, root)
        rooms.setdefault(room, set()).update({room_of(to, root) for to in targets} - {room})
    return rooms


def stairs(arrows: Arrows) -> list[list[str]]:
    """Return what leans on nothing, what leans on that alone, and so on; CycleError names a circle."""
    waiting = TopologicalSorter(arrows)
    waiting.prepare()
    found = []
    while waiting:
        found.append(sorted(waiting.get_ready()))
        waiting.done(*found[-1])
    return found


def circle(arrows: Arrows) -> list[str]:
    """Return one circle, each name importing the one behind it; nothing where there is none."""
    try:
        stairs(arrows)
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def holds(room: str, root: Path) -> str:
    """Return what a room says of itself in the first lines of its docstring."""
    if room in GAMES:
        return GAMES[room]
    path = root / room if room.endswith(".py") else root / room / "__init__.py"
    said = ast.get_docstring(parsed(path)) or ""
    return " ".join(said.split("\n\n")[0].split())


def drawing(root: Path) -> str:
    """Return a table a layer: its rooms from the ground up, what each holds, and the rooms its files import."""
    arrows = room_arrows(root)
    order = [room for step in stairs(arrows) for room in step]
    lines = []
    for layer in LAYERS:
        lines += ["", f"| `{layer}/` | holds | imports |", "|---|---|---|"]
        for room in (room for room in order if room.split("/")[0] == layer):
            to = [f"`{each.removeprefix(f'{layer}/')}`" for each in order if each in arrows[room]]
            lines.append(f"| `{room.removeprefix(f'{layer}/')}` | {holds(room, root)} | {', '.join(to)} |")
    return "\n".join([*lines, "", ""])


def drawn(text: str) -> str:
    return text.partition(BEGIN)[2].partition(END)[0]


def test_no_file_imports_in_a_circle() -> None:
    assert circle(file_arrows(ROOT)) == []


def test_no_room_points_up() -> None:
    assert circle(room_arrows(ROOT)) == []


def test_the_design_draws_the_rooms_as_they_are() -> None:
    text = (ROOT / "docs" / "design.md").read_text("utf-8")
    assert drawn(text) == drawing(ROOT), f"`python -m {__name__}` draws them anew; then read the difference"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return a small house without a fault: a game, its words, and a log."""
    files = {
        "engine/contract.py": '"""The contract."""\n',
        "engine/play.py": '"""Playing."""\nfrom cartulary.engine.contract import Rules\n',
        "engine/whist/__init__.py": '"""Whist."""\nfrom cartulary.engine import contract\n',
        "engine/whist/tricks.py": '"""Tricks."""\n',
        "notation/whist/__init__.py": '"""Whist\'s words."""\nimport cartulary.engine.whist.tricks\n',
        "notation/whist/picture.py": '"""Whist drawn."""\n',
        "records/log/__init__.py": '"""The log."""\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert circle(file_arrows(tmp_path)) == circle(room_arrows(tmp_path)) == []
    return tmp_path


def plant(path: Path, text: str) -> None:
    path.write_text(path.read_text("utf-8") + text, "utf-8")


@pytest.mark.parametrize(
    "planted",
    [
        "import cartulary.engine.play\n",
        "from cartulary.engine import play\n",
        "def late() -> None:\n    from cartulary.engine.play import judge\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from cartulary.engine.play import judge\n",
    ],
)
def test_a_planted_circle_of_files_is_found(house: Path, planted: str) -> None:
    plant(house / "engine" / "contract.py", planted)
    assert set(circle(file_arrows(house))) == {"cartulary.engine.contract", "cartulary.engine.play"}


def test_two_rooms_that_point_at_each_other_are_found_where_no_file_does(house: Path) -> None:
    plant(house / "engine" / "whist" / "__init__.py", "from cartulary.notation.whist import picture\n")
    assert circle(file_arrows(house)) == []
    assert set(circle(room_arrows(house))) == {"engine/<game>", "notation/<game>"}


def test_a_planted_arrow_changes_the_drawing(house: Path) -> None:
    assert "| `log` | The log. |  |" in drawing(house)
    plant(house / "records" / "log" / "__init__.py", "from cartulary.notation.whist import picture\n")
    assert "| `log` | The log. | `notation/<game>` |" in drawing(house)


if __name__ == "__main__":
    design = ROOT / "docs" / "design.md"
    text = design.read_text("utf-8")
    design.write_text(text.replace(BEGIN + drawn(text) + END, BEGIN + drawing(ROOT) + END), "utf-8")
