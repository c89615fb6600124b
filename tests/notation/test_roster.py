"""Games other packages install: found by their entry points, and named where they cannot be loaded."""

import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest
from msgspec.structs import replace

from cartulary.notation import GAMES, Game, NotationError, find_game, roster
from tests.places import ROOT

INSTALLED = {
    "nim": Game,
    "broken": ImportError("no module named heaps\nand more"),
    "pair": (1, 2),
    "leaving": SystemExit("no heaps today"),
    "tarot": Game,
}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def loaded(point: EntryPoint) -> object:
        found = INSTALLED[point.name]
        if isinstance(found, BaseException):
            raise found
        game = GAMES["cardmate"]
        return replace(game, about=replace(game.about, key="nim", title="Nim")) if found is Game else found

    monkeypatch.setattr(EntryPoint, "load", loaded)
    points = tuple(EntryPoint(name, f"{name}_package:GAME", roster.ENTRY_POINTS) for name in (*INSTALLED, "nim"))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    roster._installed.cache_clear()
    yield
    roster._installed.cache_clear()


def test_the_bundled_games_are_offered_as_those_of_other_packages_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"][roster.ENTRY_POINTS] == roster.BUNDLED_GAMES


def test_an_installed_game_is_found_and_listed_where_games_are_listed() -> None:
    assert find_game("Nim").about.key == "nim"
    with pytest.raises(NotationError, match=r"expected one of: .*Zarcana, Nim$"):
        find_game("Nym")


def test_a_package_that_fails_takes_nothing_down_and_is_named() -> None:
    assert [(fault.key, fault.because) for fault in roster.load_faults()] == [
        ("broken", "ImportError: no module named heaps"),
        ("pair", "pair_package:GAME should be a cartulary.notation.Game, but is tuple"),
        ("leaving", "SystemExit: no heaps today"),
        ("tarot", "tarot is a game of Cartulary itself"),
        ("nim", "another package offers it too"),
    ]
    assert "nim" in roster.every_game()
    with pytest.raises(NotationError, match="The game broken of the package without a name cannot be loaded: Imp"):
        find_game("broken")
