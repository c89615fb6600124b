"""No name of a module of the rules or the notation changes once it is imported: verdicts travel as values."""

import subprocess
import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from types import ModuleType
from typing import Any

import pytest

from cartulary.notation import examine, find_game, load
from cartulary.notation.roster import BUNDLED
from tests.places import ROOT, SAMPLES

LAYERS = ("cartulary.engine.", "cartulary.notation.")
CACHES = frozenset(f"cartulary.notation.{name}" for name in ("cgn.scanner._known", "cardmate._quiet", "cardmate._read"))
"""What pure functions keep of their answers, by hand."""

ROSTER = "cartulary.notation.roster."
"""The games that are loaded are kept there, each when it is asked for."""

# Arcanoid keeps its last verdicts in its modules.
HELD = sorted(set(BUNDLED) - {"arcanoid"})


def walked(value: Any, depth: int = 4) -> Any:
    """Return what a value holds, as far as that can change; what a pure function keeps of its answers is nothing."""
    if isinstance(value, dict) and depth:
        return {repr(key): walked(held, depth - 1) for key, held in value.items()}
    if isinstance(value, list | tuple | set | frozenset) and depth:
        return type(value).__name__, [walked(held, depth - 1) for held in value]
    if isinstance(value, str | bytes | bytearray | int | float | None):
        return repr(value)
    return "" if isinstance(value, _lru_cache_wrapper) else id(value)


def names() -> Iterator[tuple[str, Any]]:
    """Yield every name of the modules of the two layers with what it holds."""
    for module, loaded in list(sys.modules.items()):
        for name, value in vars(loaded).items() if f"{module}.".startswith(LAYERS) else ():
            if not (name.startswith("__") or isinstance(value, ModuleType) or f"{module}.".startswith(ROSTER)):
                yield f"{module}.{name}", walked(value)


def changed(key: str) -> list[str]:
    """Return the names that judging the golden games of a game changes; of modules loaded meanwhile none."""
    find_game(key)
    before = dict(names())
    for path in sorted((SAMPLES / key / "games").glob("*.cgn")):
        for record in load(path):
            examine(record)
    after = dict(names())
    return [name for name, held in before.items() if name not in CACHES and after.get(name) != held]


@pytest.mark.parametrize("key", HELD)
def test_no_name_changes_while_games_are_judged(key: str) -> None:
    command = [sys.executable, "-m", "tests.laws.test_module_names", key]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_verdict_that_waits_in_a_module_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    latest: list[object] = []
    keeping = ModuleType("cartulary.engine.keeping")
    keeping.latest = latest  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cartulary.engine.keeping", keeping)
    before = dict(names())
    latest.append("verdict")
    after = dict(names())
    assert [name for name in before if before[name] != after[name]] == ["cartulary.engine.keeping.latest"]


if __name__ == "__main__":
    sys.stdout.write("\n".join(changed(sys.argv[1])))
