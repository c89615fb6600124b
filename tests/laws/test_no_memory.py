"""What is judged travels as a value: no module of the rules or the notation remembers anything once it is imported."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pkgutil import walk_packages
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import pytest
from msgspec import Struct

import cartulary.engine
import cartulary.notation
from cartulary.notation import GAMES, as_seen, canonical, examine, load, loads, steps
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.cgn.record import Record
from cartulary.testing import tables
from tests.laws import worlds
from tests.places import ROOT, SAMPLES

MEMORIES = {
    "cartulary.notation.cgn.scanner._known": "what a token is, by its text alone",
    "cartulary.notation.cardmate._read": "the move a word says, by seat and word alone",
    "cartulary.notation.cardmate._quiet": "how a card's moves are spelled, by the card alone",
}
"""Names that may change: caches of pure functions that are no ``functools.cache``."""


def modules(*packages: ModuleType) -> Iterator[ModuleType]:
    """Yield the packages and every module below them."""
    for package in packages:
        yield package
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            yield import_module(found.name)


def shape(value: Any, around: tuple[int, ...] = ()) -> object:
    """Return a value that differs once anything in this one was put in, taken out or exchanged."""
    if isinstance(value, (str, bytes, bytearray, int)):
        return type(value), bytes(value) if isinstance(value, bytearray) else value
    if id(value) in around:
        return id(value)
    around += (id(value),)
    if isinstance(value, Mapping):
        return type(value), tuple((shape(key, around), shape(held, around)) for key, held in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value), tuple(shape(held, around) for held in value)
    if isinstance(value, Struct):
        return id(value), tuple(shape(getattr(value, name), around) for name in value.__struct_fields__)
    if isinstance(value, FunctionType):
        return id(value), shape(value.__defaults__, around), shape(vars(value), around)
    if isinstance(value, type) or not hasattr(value, "__dict__") or callable(value):
        return id(value)
    return id(value), shape(vars(value), around)


def held_in(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield every name of a module, and of the classes it makes, with what it holds."""
    for name, value in vars(module).items():
        if isinstance(value, ModuleType) or name.startswith("__"):
            continue
        yield f"{module.__name__}.{name}", shape(value)
        if isinstance(value, type) and value.__module__ == module.__name__:
            for own, held in vars(value).items():
                if not own.startswith("_abc_"):
                    yield f"{module.__name__}.{name}.{own}", shape(held)


def changed(looked_at: list[ModuleType], play: Callable[[], None]) -> list[str]:
    """Return the names that hold something else once there was play."""
    before = dict(pair for module in looked_at for pair in held_in(module))
    play()
    after = dict(pair for module in looked_at for pair in held_in(module))
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def use(record: Record) -> None:
    """Judge a record, write it, and look at it as every seat."""
    examined = examine(record)
    canonical(record)
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None or examined.state is None:
        return
    state = heading.game.rules.setup(heading.sheet)
    for step in steps(heading.game, state, record.line.words, heading.sheet.seats, exactly=True):
        for seat in (None, *range(heading.sheet.seats + 1)):
            heading.game.words.picture(step.after, seat)
        for _ in zip(range(3), heading.game.rules.candidates(step.after), strict=False):
            pass
    for seat in range(heading.sheet.seats + 1):
        as_seen(record, seat)


def play_goldens() -> None:
    for path in sorted(SAMPLES.glob("*/games/*.cgn")):
        if path.stat().st_size < 20_000:
            for record in load(path):
                use(record)


def play_by_chance() -> None:
    for key, (title, opened) in worlds.GAMES.items():
        for number in range(2):
            game = opened(Random(f"memory {key} {number}"))
            words = list(game.words)
            Random(number).shuffle(words)
            for line in (game.words, words):
                for record in loads(tables.sheet(title, game.tags, " ".join(line))):
                    use(record)


PLAYS = {"goldens": play_goldens, "chance": play_by_chance}


@pytest.mark.parametrize("play", PLAYS)
def test_no_name_of_the_rules_or_the_notation_changes_in_play(play: str) -> None:
    # A process of its own: nothing was read or judged in it before.
    command = [sys.executable, "-m", "tests.laws.test_no_memory", play]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in process if name not in MEMORIES] == []
    assert "cartulary.notation.cgn.scanner._known" in process


REMEMBERING = {
    "a name": "last = None\ndef play(word):\n    global last\n    last = word\n",
    "a dict": "read = {}\ndef play(word):\n    read[word] = 1\n",
    "a list within": "kept = {'words': ([],)}\ndef play(word):\n    kept['words'][0].append(word)\n",
    "a default": "def play(word, kept=[]):\n    kept.append(word)\n",
    "a function's name": "def play(word):\n    play.last = word\n",
    "a class": "class Kept:\n    last = None\ndef play(word):\n    Kept.last = word\n",
    "an object": "class Kept:\n    pass\nkept = Kept()\ndef play(word):\n    kept.last = word\n",
}


@pytest.mark.parametrize("text", REMEMBERING.values(), ids=REMEMBERING)
def test_a_module_that_remembers_is_found(text: str) -> None:
    module = ModuleType("planted")
    exec(text, vars(module))
    for value in vars(module).values():
        if isinstance(value, type):
            value.__module__ = "planted"
    assert changed([module], lambda: None) == []
    assert len(changed([module], lambda: module.play("7C"))) == 1


def test_a_cache_of_a_pure_function_is_no_memory() -> None:
    module = ModuleType("planted")
    exec("from functools import cache\n@cache\ndef play(word):\n    return word\n", vars(module))
    assert changed([module], lambda: module.play("7C")) == []


def main() -> None:
    looked_at = list(modules(cartulary.engine, cartulary.notation))
    assert len(looked_at) > 100
    list(GAMES.values())
    sys.stdout.write("\n".join(changed(looked_at, PLAYS[sys.argv[1]])))


if __name__ == "__main__":
    main()
