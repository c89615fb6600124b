"""Rooms: no file imports in a circle, no room points up, and a package calls what docs/design.md lets it call.

A room is a folder of code, or a file that stands beside folders; the games' folders are one room a layer. Every import
counts, inside functions and under TYPE_CHECKING too.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.places import ROOT

LAYERS = ("engine", "notation", "records", "web", "cli", "testing")
Arrows = Mapping[str, Set[str]]
LONGEST_CHAIN = 37
"""How many files the longest chain of imports has: whoever makes it shorter writes the new number here."""


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


def longest_chain(arrows: Arrows) -> list[str]:
    """Return the longest chain of files, each importing the next; there must be no circle."""
    behind: dict[str, list[str]] = {}
    for name in TopologicalSorter(arrows).static_order():
        behind[name] = [name, *max((behind[to] for to in sorted(arrows[name])), key=len, default=[])]
    return max(behind.values(), key=len)


class Package(NamedTuple):
    """One row of the table of packages: the rooms it is about, and the rooms and layers that those may call."""

    rooms: Set[str]
    callees: Set[str]


def packages(text: str) -> list[Package]:
    """Return the rows of the table of packages."""
    table = text.partition("| package | gets | gives | may call | pure |\n")[2].partition("\n\n")[0]
    rows = [line.split(" | ") for line in table.splitlines()[1:]]
    return [Package({*_quoted(row[0])}, {*_quoted(row[3])}) for row in rows]


def _quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def calls(root: Path) -> set[tuple[str, str]]:
    """Return which room calls which, a layer without rows of its rooms (``web``) as a whole.

    Left out are files beside the packages, which these share; only ``records/api.py`` has to be named.
    """
    whole = ("web", "cli")
    found = set()
    for room, targets in room_arrows(root).items():
        caller = room.split("/")[0] if room.split("/")[0] in whole else room
        for target in targets:
            layer = target.split("/")[0]
            is_shared = target.endswith(".py") and layer not in whole and target != "records/api.py"
            callee = layer if layer in whole else target
            if callee != caller and not is_shared and "/" in target:
                found.add((caller, callee))
    return found


def forbidden(root: Path, table: Sequence[Package]) -> list[str]:
    """Return the calls that the table does not allow."""
    allowed = {room: package.callees | package.rooms for package in table for room in package.rooms}
    return [
        f"{caller} calls {callee}"
        for caller, callee in sorted(calls(root))
        if caller in allowed and allowed[caller].isdisjoint((callee, callee.split("/")[0]))
    ]


def test_no_file_imports_in_a_circle() -> None:
    assert circle(file_arrows(ROOT)) == []


def test_no_room_points_up() -> None:
    assert circle(room_arrows(ROOT)) == []


def test_the_longest_chain_of_imports_grows_no_longer() -> None:
    chain = longest_chain(file_arrows(ROOT))
    assert len(chain) <= LONGEST_CHAIN, " imports ".join(chain)


def test_a_package_calls_what_the_design_lets_it_call() -> None:
    assert forbidden(ROOT, packages((ROOT / "docs" / "design.md").read_text("utf-8"))) == []


def test_the_design_has_a_row_for_every_package() -> None:
    table = packages((ROOT / "docs" / "design.md").read_text("utf-8"))
    rooms = {room for room in room_arrows(ROOT) if room.split("/")[0] in ("engine", "notation", "records")}
    folders = {room for room in rooms if "/" in room and not room.endswith(".py")}
    assert {room for package in table for room in package.rooms} == folders | {"web", "cli"}


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


def test_the_longest_chain_is_found(house: Path) -> None:
    plant(house / "engine" / "whist" / "tricks.py", "from cartulary.engine.play import judge\n")
    assert longest_chain(file_arrows(house)) == [
        "cartulary.notation.whist",
        "cartulary.engine.whist.tricks",
        "cartulary.engine.play",
        "cartulary.engine.contract",
    ]


def test_two_rooms_that_point_at_each_other_are_found_where_no_file_does(house: Path) -> None:
    plant(house / "engine" / "whist" / "__init__.py", "from cartulary.notation.whist import picture\n")
    assert circle(file_arrows(house)) == []
    assert set(circle(room_arrows(house))) == {"engine/<game>", "notation/<game>"}


def test_a_call_that_the_table_does_not_allow_is_found(house: Path) -> None:
    table = [Package({"records/log"}, {"notation/cgn"}), Package({"notation/<game>"}, {"engine"})]
    assert forbidden(house, table) == []
    plant(house / "records" / "log" / "__init__.py", "from cartulary.notation.whist import picture\n")
    assert forbidden(house, table) == ["records/log calls notation/<game>"]
