"""General code knows no game: neither its name, nor its seats, nor its nouns; only examples in help texts name one.

Other people's formats are each of one game, and know it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.laws.test_rooms import LAYERS, room_of
from tests.places import ROOT

WORDS = (
    "Cardmate|Tarot|Arcanoid|Zarcana|Draughts|Chess|Forehand|White|North|Chien|Pot|"
    "cardmate|tarot|arcanoid|zarcana|draughts|chess|forehand|chien"
)
OF_A_GAME = re.compile(rf"\b({WORDS})\b(?!-)")
EXAMPLE = re.compile(r"\s*cartulary [a-z-]+( |$)")
"""A line of help that shows how a command is typed; it stands in a command, or in the help of all of them."""
HELP = ("cli/commands/", "cli/app.py")


def named(text: str, helps: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that name a game. helps: examples of what is typed may stand in it"""
    for number, line in enumerate(text.splitlines(), 1):
        if OF_A_GAME.search(line) and not (helps and EXAMPLE.match(line)):
            yield number, line.strip()


def general(layer: str) -> Iterator[Path]:
    for path in sorted((ROOT / layer).rglob("*.py")):
        dotted = ".".join(("cartulary", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        if room_of(dotted, ROOT) not in (f"{layer}/<game>", "notation/foreign"):
            yield path


def test_general_code_names_no_game() -> None:
    wrong = []
    for path in (path for layer in LAYERS for path in general(layer)):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text("utf-8")
        wrong += [f"{name}:{number}: {line}" for number, line in named(text, name.startswith(HELP))]
    assert wrong == []


def test_a_name_is_found_and_an_example_is_none() -> None:
    found = 'SEATS = ("Forehand", "Rearhand")\nWhite\nneither tarot-duel nor Potter\n'
    assert [number for number, _ in named(found, True)] == [1, 2]
    example = "      cartulary rules cardmate cardmate.follow-suit\n"
    assert list(named(example, True)) == []
    assert list(named(example, False)) == [(1, example.strip())]


def test_the_general_rooms_are_read() -> None:
    read = {path.relative_to(ROOT).as_posix() for layer in ("engine", "notation", "cli") for path in general(layer)}
    assert {"engine/cards/deck.py", "notation/roster.py", "notation/cgn/writer.py", "cli/app.py"} <= read
    assert not {path for path in read if path.startswith(("engine/cardmate/", "notation/tarot/"))}
