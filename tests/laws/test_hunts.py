"""A search that HUNT lengthens is marked ``hunt``, so that ``-m hunt`` makes up for what the suite leaves out."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT

EXACT = {
    "test_a_long_broken_text_is_read_and_judged_to_its_end",
    "test_memory_does_not_grow_with_the_file",
}
"""Tests of a size, in which nothing is drawn by chance."""
MARKS = ("pytest.mark.hunt", "long_search", "budget(")


def names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def unmarked(source: str) -> Iterator[str]:
    """Yield the tests of a file that look at more with HUNT, by a name of the file or one it helps itself with."""
    tree = ast.parse(source)
    longer, found = set[str](), {"HUNT", "looks"}
    while found - longer:
        longer |= found
        for node in tree.body:
            if longer & names(node):
                if isinstance(node, ast.Assign):
                    found |= {name for target in node.targets for name in names(target)}
                elif isinstance(node, ast.FunctionDef) and not node.name.startswith("test_"):
                    found.add(node.name)
    for each in ast.walk(tree):
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_") and longer & names(each):
            how = " ".join(ast.unparse(mark) for mark in each.decorator_list)
            if not any(mark in how for mark in MARKS):
                yield each.name


@pytest.mark.parametrize("room", ["tests", "testing"])
def test_every_search_that_hunt_lengthens_is_marked(room: str) -> None:
    files: list[Path] = sorted((ROOT / room).rglob("*.py"))
    sources = {path.name: text for path in files if re.search(r"\bHUNT\b|\blooks\(", text := path.read_text("utf-8"))}
    assert sources
    found = {name: set(unmarked(text)) - EXACT for name, text in sources.items()}
    assert {name: tests for name, tests in found.items() if tests} == {}
