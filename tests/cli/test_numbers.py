"""Numbers no game has, wherever a number can be typed: each ends in a sentence, and no digit is counted without end."""

import random
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Annotated, get_args, get_origin, get_type_hints

import pytest

from cartulary.cli import commands
from cartulary.notation import canonical, dumps, examine, loads
from tests.hunts import HUNT, looks
from tests.places import SAMPLES
from tests.records.archives import PAGE, Run, sheet

GREAT = "99999999999999999999"
DIGITS = "9" * 5000
NEEDED = {
    "perft": ["cardmate"],
    "why": ["evening"],
    "amend": ["evening"],
    "note": ["evening"],
    "clock": ["evening"],
    "board": ["evening", "8H"],
    "dispute": ["evening"],
    "ruling": ["evening"],
    "undo": ["evening"],
    "search": ["--position", str(PAGE)],
    "new": ["cardmate"],
    "show": [str(PAGE)],
    "moves": [str(PAGE)],
    "move": ["evening", "4Ci3"],
    "validate": [str(PAGE)],
    "tag": ["evening", "Round=3"],
    "close": ["evening", "1-0"],
    "reopen": ["evening"],
}
"""What is typed before a number of each command."""


def numbers() -> Iterator[tuple[str, str]]:
    """Yield every number a command takes: the command, and the option, empty for an argument."""
    for name in (module.name for module in iter_modules(commands.__path__)):
        command = import_module(f"{commands.__name__}.{name}").command
        for kind in get_type_hints(command, include_extras=True).values():
            plain, *more = get_args(kind) if get_origin(kind) is Annotated else (kind,)
            if re.search(r"\bint\b", str(plain)):
                declared = (more[0].default, *(more[0].param_decls or ())) if more else ()
                yield name, next((each for each in declared if str(each).startswith("--")), "")


@pytest.fixture
def evening(run: Run) -> str:
    run("new", "cardmate", "--id", "evening", "-p", "Ada", "-p", "Bela")
    run("move", "evening", "4Ci3", "4Db6")
    return "evening"


def test_numbers_are_found() -> None:
    assert {("perft", ""), ("list", "--limit"), ("ruling", "--dispute"), ("validate", "--jobs")} <= set(numbers())


@pytest.mark.parametrize("number", [GREAT, f"-{GREAT}", DIGITS], ids=["great", "low", "long"])
@pytest.mark.parametrize(("name", "option"), list(numbers()))
def test_a_number_beyond_all_games_is_refused(name: str, option: str, number: str, run: Run, evening: str) -> None:
    run(name, *NEEDED.get(name, []), *([f"{option}={number}"] if option else ["--", number]), code=2)


@pytest.mark.parametrize(("name", "option"), list(numbers()))
def test_a_word_in_place_of_a_number_is_named_as_a_person_would(name: str, option: str, run: Run, evening: str) -> None:
    words = [f"{option}=Ke7"] if option else ["--", "Ke7"]
    assert "whole number" in run(name, *NEEDED.get(name, []), *words, code=2).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("show", "evening", "--seat"),
        ("log", "evening", "--seat"),
        ("export", "evening", "--seat"),
        ("moves", str(PAGE), "--seat"),
        ("search", "--position", str(PAGE), "--seat"),
        ("dispute", "evening", "1", "--claim", "x", "--by"),
        ("ruling", "evening", "1", "--void", "--by"),
    ],
    ids=" ".join,
)
def test_a_seat_of_many_digits_is_no_seat(words: tuple[str, ...], run: Run, evening: str) -> None:
    result = run(*words, f"p{DIGITS}", code=2)
    assert len(result.stderr) < 1000


@pytest.mark.parametrize(
    "words",
    [
        ("validate", str(PAGE), "--jobs", "1000000"),
        ("reindex", "--positions", "--jobs", "1000000"),
        ("show", f"{PAGE}#{DIGITS}"),
        ("validate", f"{PAGE}#{GREAT}"),
        ("show", f"evening#{DIGITS}"),
        ("list", "--date", DIGITS),
        ("list", "--date", f"2026.{DIGITS}"),
        ("tag", "evening", f"Date={DIGITS}.1.1"),
        ("tag", "evening", f"Date=1 March {DIGITS}"),
        ("tag", "evening", f"Date={DIGITS}/1/1"),
        ("close", "evening", f"{DIGITS}-0"),
        ("close", "evening", f"1/{DIGITS}-1"),
        ("ruling", "evening", "1", "--penalty", f"p{DIGITS}=x"),
        ("verify", "evening", "--head", f"{DIGITS}:{'0' * 64}"),
        ("new", "arcanoid", "-p", "A", "-p", "B", "--option", f"rounds={DIGITS}"),
        ("note", "evening", "1", f"${DIGITS}"),
        ("move", "evening", "4Ci3", "--clock", f"{DIGITS}:00:00"),
    ],
    ids=lambda words: re.sub("9{20,}", "9…", " ".join(words).replace(str(PAGE), "PAGE")),
)
def test_digits_without_end_are_a_sentence_wherever_they_stand(words: tuple[str, ...], run: Run, evening: str) -> None:
    run(*words, code=2)


def shapes() -> dict[tuple[str, str, str, int], tuple[str, int, int]]:
    """Return where the samples have numbers, one place of each kind: the text, and where the digits begin and end."""
    found: dict[tuple[str, str, str, int], tuple[str, int, int]] = {}
    for path in sorted(SAMPLES.glob("*/games/*.cgn")):
        text = path.read_text("utf-8")
        for digits in re.finditer(r"\d+", text):
            begin = max(text.rfind(sign, 0, digits.start()) for sign in ' \n"([') + 1
            line = text[text.rfind("\n", 0, begin) + 1 : begin]
            before = re.sub("[A-Z]", "A", re.sub(r"\d+", "9", text[begin : digits.start()]))
            kind = (path.parts[-3], line.partition(" ")[0] if line[:1] == "[" else "", before, len(before))
            found.setdefault(kind, (text, digits.start(), digits.end()))
    return found


@pytest.mark.hunt
def test_a_sheet_may_have_digits_without_end_in_any_place() -> None:
    places = list(shapes().values())
    for text, begin, end in random.Random(HUNT).sample(places, min(len(places), looks(60))):
        for record in loads(text[:begin] + DIGITS + text[end:]):
            examine(record)
            dumps(canonical(record))


def test_seats_of_many_digits_have_their_place_among_the_tags() -> None:
    (record,) = loads(sheet().replace("[Forehand", f'[Seat{DIGITS} "x"]\n[Forehand'))
    assert f"Seat{DIGITS}" in dumps(canonical(record))


def test_a_path_with_a_hash_is_still_a_file(tmp_path: Path, run: Run) -> None:
    path = tmp_path / f"game#{'1' * 30}"
    path.write_text(sheet())
    run("show", str(path))
