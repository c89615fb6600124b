"""Docstrings are plain English: no word that reads as translated, no private syntax for parameters.

``told: what it is; given: another`` on a line of its own is a syntax that no reader and no tool knows; ``Args:`` and
``Returns:`` are known to both. ``open_docstrings.txt`` says how often each package still does either. No number may
grow: ``python -m tests.laws.test_docstrings`` writes those that have become smaller.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.docs.test_said_plainly import ODD
from tests.laws.test_rooms import LAYERS, nodes, room_of
from tests.places import ROOT

OPEN = Path(__file__).with_name("open_docstrings.txt")
SECTION = re.compile(r"\s*(Args|Attributes|Returns|Raises|Yields|Source|Example|Note):( .*)?$")
NAMES = r"(?:[a-z_]\w*, )*[a-z_]\w*: [^`\s]"
"""One or several parameters or fields, and what they are."""
AT_START, AFTER_A_SENTENCE = re.compile(NAMES), re.compile(rf"[.!?)] {NAMES}")
Counts = Mapping[str, tuple[int, int]]


def docstrings(path: Path) -> Iterator[str]:
    """Yield the docstrings of a file: of modules, classes and functions, and those under a constant or a field."""
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def odd_words(text: str) -> int:
    """Return how many words of a docstring read as translated."""
    return len(ODD.findall(text))


def private_fields(text: str) -> int:
    """Return how many lines of a docstring say what a parameter is without a section that says so."""
    count, in_section, may_begin = 0, False, True
    for line in map(str.strip, text.splitlines()):
        in_section = bool(SECTION.match(line)) or (in_section and bool(line))
        is_field = not in_section and bool((may_begin and AT_START.match(line)) or AFTER_A_SENTENCE.search(line))
        count += is_field
        may_begin = is_field or not line or line.endswith(".")
    return count


def counts(root: Path) -> Counts:
    """Return for each room how many odd words and how many lines of private syntax its docstrings hold."""
    odd, private = Counter[str](), Counter[str]()
    for path in (path for layer in LAYERS for path in sorted((root / layer).rglob("*.py"))):
        dotted = ".".join(("cartulary", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        for text in docstrings(path):
            odd[room_of(dotted, root)] += odd_words(text)
            private[room_of(dotted, root)] += private_fields(text)
    return {
        room: (odd[room], private[room]) for room in sorted(odd.keys() | private.keys()) if odd[room] or private[room]
    }


def open_counts() -> Counts:
    rows = (line.split() for line in OPEN.read_text("utf-8").splitlines())
    return {room: (int(odd), int(private)) for room, odd, private in rows}


def test_no_package_has_more_of_either_than_before() -> None:
    known = open_counts()
    grown = {
        room: (now, known.get(room, (0, 0)))
        for room, now in counts(ROOT).items()
        if any(new > old for new, old in zip(now, known.get(room, (0, 0)), strict=True))
    }
    assert grown == {}, "odd words and lines of private syntax: now, and allowed"


def test_a_planted_word_and_a_planted_line_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        '"""A file.\n\nover: may it be; found, left: what is there\n"""\n'
        'LEAST = 3\n"""What is behind it, told anew."""\n'
        'def plain() -> None:\n    """Do it: now.\n\n    Args:\n        over: What may be replaced.\n    """\n'
        'def short() -> None:\n    """Do it. over: a folder may be replaced"""\n',
        "utf-8",
    )
    texts = [*docstrings(path)]
    assert [odd_words(text) for text in texts] == [0, 3, 0, 0]
    assert [private_fields(text) for text in texts] == [1, 0, 0, 1]


if __name__ == "__main__":
    now, known = counts(ROOT), open_counts()
    least = {room: tuple(map(min, now.get(room, (0, 0)), allowed)) for room, allowed in known.items()}
    OPEN.write_text("".join(f"{room} {odd} {more}\n" for room, (odd, more) in least.items() if odd or more), "utf-8")
