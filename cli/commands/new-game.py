"""``new-game``: writes a package with a game that runs, for somebody who adds a game."""

import re
import sys
from enum import StrEnum
from os.path import dirname
from pathlib import Path
from shlex import quote
from shutil import which
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, os_fault, put
from cartulary.notation.roster import every_game, load_faults

PACKAGES = Path(__file__).resolve().parents[2] / "samples" / "packages"


class Like(StrEnum):
    """What a new game is like, which says what package is copied."""

    FREE = "free"
    TRICKS = "tricks"
    BOARD = "board"


PATTERNS = {
    Like.FREE: ("my-game", "My game", "noughts and crosses"),
    Like.TRICKS: ("long-whist", "Long whist", "long whist"),
    Like.BOARD: ("nine-mens-morris", "Nine Men's Morris", "nine men's morris"),
}
"""By what a game is like, the key of the package that is copied, its title, and what it plays."""

KINDS = (".cgn", ".md", ".py", ".toml", ".typed")
"""The files of the pattern; what else lies there was made from them."""

LONGEST = 40
_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_COMMON = ("call", "cgn", "none", "record")
"""What no game is called: the rules of all games have keys that begin so, and ``none`` is a game without rules."""


def command(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="What the command line calls the game, such as sea-battle.")
    ],
    into: Annotated[
        str, typer.Option("--into", metavar="FOLDER", help="The folder to create; by default KEY, in this folder.")
    ] = "",
    like: Annotated[
        Like,
        typer.Option(
            help="tricks, board: a trick-taking game or a board game for two, described in a few lines. "
            "free: any other, rules and words."
        ),
    ] = Like.FREE,
) -> None:
    """Create a package with a game that runs: rules, words, picture, samples, tests. It starts as noughts and crosses,
    with --like tricks as long whist, with --like board as nine men's morris, for you to change.

    \b
    Examples:
      cartulary new-game sea-battle --into games/sea-battle
      cartulary new-game skat --like tricks
    """
    _check_key(key)
    folder, (pattern, title, plays) = Path(into or key), PATTERNS[like]
    if folder.exists() or folder.is_symlink():
        fail(f"{folder} already exists; give the name of a folder to create.")
    try:
        _write(folder, pattern, _names(pattern, title, key))
    except OSError as fault:
        fail(f"{folder} cannot be created: {os_fault(fault)}.")
    put(f"{folder} holds the game {key}: {plays}, until you change it. What to do next:")
    python = _python()
    install = f"{python} -m pip install -e {quote(f'{folder}[test]')}"
    for line in (install, f"cartulary new {key}", f"{python} -m pytest {quote(str(folder))}"):
        put(f"  {line}")


def _python() -> str:
    """Return the command that starts this very Python: ``python`` if that is it, else its whole path, quoted."""
    command = which("python")
    return "python" if command and dirname(command) == dirname(sys.executable) else quote(sys.executable)


def _check_key(key: str) -> None:
    """End the program if a key is not well formed, is kept for other uses, or already names a game here.

    A key whose title is that of another game is refused too.
    """
    if not _KEY.fullmatch(key) or len(key) > LONGEST:
        fail(
            f"Found the key {key[: LONGEST + 1]!r}, expected small letters and digits, a letter first, with hyphens"
            f" between words, at most {LONGEST} characters, such as sea-battle."
        )
    if key in _COMMON:
        fail(f"Found the key {key!r}, which is kept for what all games share; choose another key.")
    titles = {key: game.about.title for key, game in every_game().items()} | {fault.key: "" for fault in load_faults()}
    for other, title in titles.items():
        if key == other or _title(key).lower() == title.lower():
            fail(f"There is already a game {other} here; choose another key, which also gives another title.")


def _names(pattern: str, title: str, key: str) -> dict[str, str]:
    """Return what replaces each spelling of the pattern's own name, whose key and title are given.

    For the key ``sea-battle`` it is ``{"my-game": "sea-battle", "MyGame": "SeaBattle", …}``. The title of a pattern
    with small letters stands in sentences, and becomes the title of the game with small letters.
    """
    return {title: _title(key)} | dict(zip(_spellings(pattern), _spellings(key), strict=True))


def _spellings(key: str) -> tuple[str, ...]:
    """Return a key as it stands in commands, in names of modules, as a title, in sentences, and in names of classes."""
    joined = "".join(map(str.capitalize, key.split("-")))
    return key, key.replace("-", "_"), _title(key), key.replace("-", " "), joined


def _title(key: str) -> str:
    """Return the title for a key: ``sea-battle`` gives ``Sea battle``."""
    return key.replace("-", " ").capitalize()


def _write(folder: Path, pattern: str, names: dict[str, str]) -> None:
    """Copy the files of a pattern to a new folder, with the names replaced in their paths and in their text.

    The package is written beside its place and moved there whole, so no half of it is left if writing fails. Raises
    OSError then.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=".new-game-") as spare:
        made = Path(spare) / "package"
        source = PACKAGES / pattern
        files = (path for path in source.rglob("*.*") if path.suffix in KINDS and path.is_file())
        for path in (source / ".gitignore", *sorted(files)):
            file = made / _renamed(path.relative_to(source).as_posix(), names)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_renamed(path.read_text("utf-8"), names), "utf-8", newline="\n")
        made.rename(folder)


def _renamed(text: str, names: dict[str, str]) -> str:
    """Return a text with each key of ``names`` replaced by its value, one after the other."""
    for old, new in names.items():
        text = text.replace(old, new)
    return text
