"""No two games hold the same function, renamed or not: it belongs to a noun they share (docs/design.md)."""

import ast
import io
import keyword
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.places import ROOT

LAYERS = ("engine", "notation")
LEAST = 20
"""How many signs a function has at least, without its docstring; shorter ones are alike by chance."""

Shape = tuple[str, ...]


def shape(function: ast.FunctionDef) -> Shape:
    """Return the signs of a function without its docstring, every name, text and number alike."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    text = ast.unparse(ast.Module(body=body, type_ignores=[]))
    signs = []
    for sign in tokenize.generate_tokens(io.StringIO(text).readline):
        if sign.type == tokenize.OP or keyword.iskeyword(sign.string):
            signs.append(sign.string)
        elif sign.type in (tokenize.NAME, tokenize.STRING, tokenize.NUMBER, tokenize.INDENT, tokenize.DEDENT):
            signs.append(tokenize.tok_name[sign.type])
    return tuple(signs)


@cache
def functions() -> tuple[tuple[str, str, Shape], ...]:
    """Return (room, function, shape) of every function of the rules and the notation; a room is a game, or the rest."""
    return tuple(each for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py")) for each in _in(layer, path))


def _in(layer: str, path: Path) -> Iterator[tuple[str, str, Shape]]:
    first = path.relative_to(ROOT / layer).parts[0]
    is_game = all((ROOT / each / first).is_dir() for each in LAYERS)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield first if is_game else "", f"{path.relative_to(ROOT)}:{node.name}", shape(node)


def told_twice(*more: tuple[str, str, Shape]) -> list[tuple[str, ...]]:
    """Return the functions that stand in several rooms, the same but for names. more: some beside those of files"""
    alike: dict[Shape, dict[str, str]] = {}
    for room, name, signs in (*functions(), *more):
        if len(signs) >= LEAST:
            alike.setdefault(signs, {}).setdefault(room, name)
    return [tuple(rooms.values()) for rooms in alike.values() if len(rooms) > 1]


def test_no_two_games_hold_the_same_function() -> None:
    assert told_twice() == []


def test_a_function_of_a_noun_that_a_game_holds_again_under_other_names_is_found() -> None:
    text = (ROOT / "engine" / "cards" / "zones.py").read_text("utf-8").replace("card", "pyramid").replace("zone", "lot")
    [again] = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name == "sight")
    assert told_twice(("zarcana", "planted", shape(again))) == [("engine/cards/zones.py:sight", "planted")]
