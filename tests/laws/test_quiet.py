"""The law of quiet: whoever writes quietly learns nothing of a word but that it is possible.

A legal word and one that breaks a rule are written to two records that are alike but for it; whatever is asked of them
afterwards is answered in the same shape: the same text, the word itself masked, and the same exit code.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.notation.viewer import Viewer
from cartulary.records import api
from cartulary.records.state import masks, seat_view

Run = Callable[..., str]
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")

HAND = "p0/p2*3C,4C,5C,6C,2D,3D,4D,5D,2H,3H,4H,5H,2S,3S,4S,T01,T02,T03"
TABLE_OF_FOUR = ("--variant", "fft", "--seats", "4")


class Fork(NamedTuple):
    """A game so far, and two words of a seat behind it: a legal one, and one that breaks a rule and can be played."""

    new: tuple[str, ...]
    words: tuple[str, ...]
    legal: str
    broken: str
    seat: str


FORKS = {
    "cardmate": Fork((), ("4Ci3", "4Db6", "8Dj2", "8Ca7"), "8Dh3", "9Hc5", "p1"),
    "draughts": Fork((), ("11-15", "22-18"), "15x22", "9-13", "p1"),
    "tarot": Fork(TABLE_OF_FOUR, (HAND, "GardeSans", "Pass", "Pass", "Pass", "KC"), "3C", "2D", "p2"),
}
MODES = ("--quiet", "--seat", "rail")

ASKED: tuple[tuple[str, ...], ...] = (
    ("check", "g"),
    ("check", "g", "--json"),
    ("why", "g", "{ply}"),
    ("why", "g", "{ply}", "--json"),
    ("moves", "g"),
    ("moves", "g", "--json"),
    ("deal", "g"),
    ("deal", "g", "--json"),
    ("log", "g"),
    ("log", "g", "--json"),
    ("export", "g"),
)
BY_SEAT: tuple[tuple[str, ...], ...] = (
    ("validate", "g"),
    ("fmt", "g"),
    ("convert", "g"),
    ("list",),
    ("list", "--json"),
    ("verify", "g"),
)
WRITTEN: tuple[tuple[str, ...], ...] = (
    ("amend", "g", "{ply}", "--remove"),
    ("ruling", "g", "{ply}", "--void", "--arbiter", "Zoe"),
    ("undo", "g"),
)
TABLE = "check\nwhy\nlegal\nundo\n{word}\nstands {word}\nundo\nquit\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that types a command in the folder of a world and returns all that shows."""

    def typed(world: str, *words: str, stdin: str = "") -> str:
        (tmp_path / world).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / world)
        asked = {"CARTULARY_DB": "games.db", "NO_COLOR": "1", "COLUMNS": "80"}
        result = CliRunner().invoke(build(), list(words), input=stdin, env=asked)
        assert "Traceback" not in result.output
        shown = f"{result.exit_code}\n{result.stdout}\n{result.stderr}"
        return DIGEST.sub("DIGEST", TIME.sub("TIME", shown))

    return typed


def told_apart(run: Run, key: str, mode: str) -> list[tuple[str, ...]]:
    """Return the commands whose answers tell a legal word from one that breaks a rule."""
    fork = FORKS[key]
    two, ply = (fork.legal, fork.broken), str(len(fork.words) + 1)
    how = ("--quiet",) if mode == "--quiet" else ("--seat", fork.seat if mode == "--seat" else "rail")
    writes = ("--quiet",) if mode == "rail" else how
    for name in "ab":
        run(name, "new", key, "--id", "g", *fork.new)
        assert run(name, "move", "g", *fork.words, "--quiet")[0] == "0"
    apart = []

    def ask(typed: tuple[str, ...], behind: tuple[str, ...]) -> None:
        answers = []
        for name, word in zip("ab", two, strict=True):
            asked = [each.format(ply=ply, word=word) for each in typed]
            shown = run(name, *asked, *behind, stdin=TABLE.format(word=word))
            answers.append(shown.replace(fork.legal, "WORD").replace(fork.broken, "WORD"))
        if answers[0] != answers[1]:
            apart.append(typed)

    ask(("move", "g", "{word}", "--json"), writes)
    for typed in ASKED:
        ask(typed, how)
    for typed in () if mode == "--quiet" else BY_SEAT:
        ask(typed, how)
    if mode == "--seat":
        for typed in WRITTEN:
            ask(typed, how)
        ask(("move", "g", "{word}"), how)
    if mode != "rail":
        ask(("record", "g", "--plain"), how)
    return apart


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("key", FORKS)
def test_a_quiet_word_tells_nothing_of_itself_but_that_it_is_possible(run: Run, key: str, mode: str) -> None:
    assert told_apart(run, key, mode) == []
    word = FORKS[key].broken
    run("c", "new", key, "--id", "g", *FORKS[key].new)
    run("c", "move", "g", *FORKS[key].words, word, "--quiet")
    assert run("c", "check", "g")[0] == "1"
    assert f"{word}, quiet ({key}." in run("c", "log", "g")


def test_the_law_catches_a_log_that_tells(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def as_it_is(value: object) -> object:
        return value

    monkeypatch.setattr(masks, "_without_verdict", as_it_is)
    assert ("log", "g") in told_apart(run, "cardmate", "--seat")


def test_the_law_catches_whoever_is_not_muted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(game: api.LiveGame, viewer: Viewer) -> bool:
        return False

    monkeypatch.setattr(seat_view, "muted", nobody)
    apart = told_apart(run, "cardmate", "--quiet")
    assert {("check", "g"), ("why", "g", "{ply}")} <= set(apart)
