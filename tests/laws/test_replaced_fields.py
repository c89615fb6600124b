"""A field that ``msgspec.structs.replace`` is to change exists: no type checker reads the names given to it.

Whoever renames a field finds here the calls that still use the old name. What a variable holds is not worked out, so a
name counts as known if any Struct of the project has such a field.
"""

import ast
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from tests.laws.test_rooms import LAYERS, nodes
from tests.places import ROOT

FOLDERS = (*LAYERS, "samples", "tests")


def name_of(node: ast.expr) -> str:
    """Return the last part of a name, without what stands in brackets: ``Struct`` for ``msgspec.Struct[S]``."""
    node = node.value if isinstance(node, ast.Subscript) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def struct_fields(paths: Sequence[Path]) -> set[str]:
    """Return the names of all fields of the Structs in some files, inherited by name from file to file."""
    classes = [node for path in paths for node in nodes(path) if isinstance(node, ast.ClassDef)]
    structs = {"Struct"}
    while more := {
        each.name for each in classes if each.name not in structs and not structs.isdisjoint(map(name_of, each.bases))
    }:
        structs |= more
    return {
        field.target.id
        for each in classes
        if each.name in structs
        for field in each.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    }


def replaced_fields(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each field that a call of ``msgspec.structs.replace`` in a file changes."""
    found = nodes(path)
    called = {
        alias.asname or alias.name
        for node in found
        if isinstance(node, ast.ImportFrom) and node.module == "msgspec.structs"
        for alias in node.names
        if alias.name == "replace"
    } | {"msgspec.structs.replace"}
    for node in found:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in called:
            yield from ((node.lineno, keyword.arg) for keyword in node.keywords if keyword.arg is not None)


def unknown_fields(paths: Sequence[Path], known: Set[str]) -> list[str]:
    """Return each replaced field that is not among the known ones, as ``file:line: name``."""
    return [f"{path}:{line}: {name}" for path in paths for line, name in replaced_fields(path) if name not in known]


def test_every_replaced_field_is_one_of_a_struct() -> None:
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    known = struct_fields(paths)
    assert len(known) > 500
    assert unknown_fields(paths, known) == []


def test_a_planted_name_that_no_struct_has_is_found(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        "import msgspec\nfrom msgspec.structs import replace as changed\n"
        "class Plain:\n    lost: int\n"
        "class Base(msgspec.Struct, frozen=True):\n    first: int\n"
        "class Other(Base, frozen=True):\n    last: int = 0\n"
        "changed(Other(1), first=2, last=3)\n"
        "changed(Other(1), lost=2)\n"
        "msgspec.structs.replace(Other(1), final=3)\n"
        'text.replace("a", "b", count=1)\n',
        "utf-8",
    )
    known = struct_fields([path])
    assert known == {"first", "last"}
    assert unknown_fields([path], known) == [f"{path}:10: lost", f"{path}:11: final"]
