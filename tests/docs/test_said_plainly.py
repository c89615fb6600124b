"""What the program says is said plainly: every message in one form, and no word that only a programmer knows.

A *sentence* is said to a person, by ``fail``, by a page or by a fault. It begins with a capital letter, or with what
is quoted or named (a file, an option, a value), and ends with a full stop. Where somebody asked for what cannot be,
it says what was expected or what to do.

A *reason* is what is said of a text, and follows its place and its rule: ``evening.cgn:3:1: error cgn.syntax found 9Z,
expected a card``. It begins small, has no full stop, and where it says what was found it says what was expected too, or
what became of it.

Read are all calls that raise, refuse or say with a literal text, in every layer but the rules; a value in the text
stands as «name».
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
from typer.main import get_command

from cartulary.cli.app import OVERVIEW, build
from tests.laws.test_rooms import nodes
from tests.places import ROOT

LAYERS = ("cli", "records", "notation", "web")
USAGE = ("fail", "Unfit", "NoFinishedGame", "RequestFault")
"""What says a sentence to somebody who asked for what cannot be."""
FAULTS = ("Declined", "Damaged", "DiskFull", "WorkerStopped", "Foreign", "LockedDatabase", "ReadOnly", "Unreachable")
SENTENCES = (*USAGE, *FAULTS, "SignatureCheck", "Proof", "_said")
REASONS = (
    "NotationError",
    "WrongAnswer",
    "DescriptionFault",
    "Misread",
    "Problem",
    "Unread",
    "BoardFault",
    "GuideFault",
    "NoPly",
    "Refused",
    "_fault",
    "remark",
    "_remark",
)
PARTS = ("ValueError", "OSError", "IsADirectoryError", "FileExistsError", "unread", "_Expected")
"""What is raised with a part of a sentence, or with one that another raises again."""
PROGRAMMERS = ("AttributeError", "_named_fault")
"""What no user is shown as it stands."""
NOTATION = ("unread",)
"""What lists the words of a game, None among them."""
LONGEST = 25
"""Words of a sentence."""

QUOTED = "[`'\"«~*@\\[<(=#:0-9-]|p«"
"""What a thing that is quoted or named may begin with."""
WHOLE = re.compile(
    r"«([\w.]*(fault|taken|sentence|only|suggestion|asks)|answer\.because|_named\(.*\)|str\(fault\)|_first\(error\)"
    r"|f'.*\.' if .*)»$"
)
"""Values that end with their own full stop."""
DOES = (
    "add amend ask choose create export fill give import install judge leave look make name open pick put restore run "
    "save say send set start step try type use wait write"
)
EXPECTED = re.compile(
    r"\b(expected|needs?|did you mean)\b|`[^`]+`|(?<![\w-])--?[a-z]"
    rf"|(^|[;:,.] |\b(or|and|then|first) )({'|'.join(DOES.split())})\b",
    re.IGNORECASE,
)
"""What was expected, or something to do: a verb, a command, an option."""
BECAUSE = re.compile(r"«[^»]*(because|reason|fault|error|wrong|unlike|suggestion|known|verb|_near)")
"""A value that is itself a reason, with what was expected."""
DONE = re.compile(r"\b(expected|left out|kept|read as|may be)\b|«expected")
"""What a reason says after what was found."""
OURS = (
    "None True False NULL null struct Struct seq stream tuple dict str int bool enum regex exception traceback parser "
    "parse token stdin stdout stderr argv kwargs callback mask fold shelf payload upcast deserialize schema instance "
    "object method class module function"
)
PROGRAM = re.compile(rf"\b({'|'.join(OURS.split())})\b|\b[a-z]+_[a-z_]+\b|\(\)")
"""Names of the program for things a user does not know."""
ODD = re.compile(
    r"\b(behind|anew|told|the words? tells?|parted|one spelling|is for who|against that helps"
    r"|(an?|no|the|one|each|every|first|of) signs?)\b",
    re.IGNORECASE,
)
"""What read as translated; said today: after, again, shown or said, split, character."""
SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|WITH|AND|FROM|JOIN|COALESCE|ALTER|PRAGMA|SET|BEGIN)\b")


class Text(NamedTuple):
    """A text of the program: where it stands, what says it, the text with a value as «name»."""

    place: str
    by: str
    text: str


def literals(node: ast.expr) -> Iterator[str]:
    """Yield the texts an expression can be; none where it is no literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else f"«{ast.unparse(part.value)}»"  # type: ignore[attr-defined]
            for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from (left + right for left in literals(node.left) for right in literals(node.right))


def said(path: Path) -> Iterator[Text]:
    """Yield what a file raises, refuses or says with a literal text of more than one word."""
    place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    for node in nodes(path):
        if isinstance(node, ast.Call):
            by = ast.unparse(node.func).rpartition(".")[2]
            by = "fail" if place.startswith("cli/") and by == "_fault" else by
            for text in (
                text for value in (*node.args, *(each.value for each in node.keywords)) for text in literals(value)
            ):
                answer = text.startswith("cartulary: ") if by == "say" else by in (*SENTENCES, *REASONS, *PARTS)
                if answer and " " in text:
                    yield Text(f"{place}:{node.lineno}", by, text.removeprefix("cartulary: "))


def raised(path: Path) -> Iterator[Text]:
    """Yield every exception a file raises with a literal text, by its name."""
    for node in nodes(path):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for text in (text for value in node.exc.args for text in literals(value) if " " in text):
                yield Text(f"{path.name}:{node.lineno}", ast.unparse(node.exc.func).rpartition(".")[2], text)


def helps() -> Iterator[Text]:
    """Yield the help of every command, and what the overview says of it."""
    group = get_command(build())
    assert isinstance(group, typer.core.TyperGroup)
    for name, line in ((name, line) for lines in OVERVIEW.values() for name, line in lines.items()):
        yield Text(f"cartulary {name}", "help", line)
        command = group.get_command(typer.Context(group), name)
        assert command is not None
        yield Text(f"cartulary {name} --help", "help", (command.help or "").partition("\x08")[0])
        for option in command.params:
            yield Text(f"cartulary {name} {option.name}", "help", str(getattr(option, "help", "") or ""))


def texts(path: Path) -> Iterator[Text]:
    """Yield every text of a file with more than one word, but those for programmers: documentation, SQL."""
    documentation = {
        id(first.value)
        for node in nodes(path)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        for first in node.body
        if isinstance(first, ast.Expr)
    }
    for node in nodes(path):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in documentation else None
        if isinstance(text, str) and " " in text.strip() and not SQL.match(text):
            yield Text(f"{path.name}:{getattr(node, 'lineno', 0)}", "text", text)


def files(*more: str) -> list[Path]:
    return [path for layer in (*LAYERS, *more) for path in sorted((ROOT / layer).rglob("*.py"))]


# --- the laws ---


def misshapen(each: Text) -> str:
    """Return what is wrong with the form of a text; empty where nothing is."""
    text, sentence = each.text, each.by in (*SENTENCES, "say")
    if sentence and not re.match(f"[A-Z]|{QUOTED}", text):
        return "begins with neither a capital letter nor a quoted word"
    if sentence and not text.rstrip().endswith((".", "?", "…")) and not WHOLE.search(text):
        return "ends without a full stop"
    if each.by in REASONS and re.match("[A-Z][a-z]+ ", text):
        return "begins with a capital letter, and follows the name of a rule"
    if each.by in REASONS and text.endswith("."):
        return "ends with a full stop, and others may follow it"
    return ""


def aimless(each: Text) -> bool:
    """Say whether a text leaves open what was expected, or what to do."""
    if each.by in USAGE:
        return not (EXPECTED.search(each.text) or BECAUSE.search(each.text))
    return each.by in REASONS and each.text.startswith("found ") and not DONE.search(each.text.partition(" ")[2])


def overlong(each: Text) -> list[str]:
    """Return the sentences of a text that have more words than a reader keeps in mind."""
    counted = re.sub(r"«[^»]*»", "x", each.text)
    return [part for part in re.split(r"(?<=[.?!])\s|\n\n", counted) if len(part.split()) > LONGEST]


def foreign(each: Text) -> list[str]:
    """Return the words that are the program's own."""
    if each.by in NOTATION:
        return []
    return [found[0] for found in PROGRAM.finditer(re.sub(r"«[^»]*»|`[^`]*`|'[^' ]*'", "x", each.text))]


def odd(each: Text) -> list[str]:
    """Return the words that read as translated."""
    return [found[0] for found in ODD.finditer(each.text)]


def test_every_exception_that_is_raised_with_a_text_is_read() -> None:
    known = {*SENTENCES, *REASONS, *PARTS, *PROGRAMMERS}
    assert [each for path in files() for each in raised(path) if each.by not in known] == []


def test_every_message_has_the_one_form() -> None:
    everything = [each for path in files() for each in said(path)]
    assert len(everything) > 500
    assert [(*each, wrong) for each in everything if (wrong := misshapen(each))] == []


def test_every_refusal_says_what_was_expected_or_what_to_do() -> None:
    assert [each for path in files() for each in said(path) if aimless(each)] == []


def test_no_sentence_is_too_long_to_be_kept_in_mind() -> None:
    messages = [each for path in files() for each in said(path)]
    assert [(*each, part) for each in (*messages, *helps()) for part in overlong(each)] == []


def test_no_message_names_what_only_the_program_knows() -> None:
    assert [(*each, words) for path in files() for each in said(path) if (words := foreign(each))] == []


def test_nothing_that_is_read_has_the_oddities_of_old() -> None:
    read = (*(each for path in files("engine") for each in texts(path)), *helps())
    assert len(read) > 2500
    assert [(*each, words) for each in read if (words := odd(each))] == []


# --- and each law can be broken ---


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('fail("name a file")', "begins with neither a capital letter nor a quoted word"),
        ('fail("Name a file")', "ends without a full stop"),
        ('raise Unfit(f"there is no {game}; name another.")', "begins with neither a capital letter nor a quoted word"),
        ('fail("Name a file." if here else f"give {one}.")', "begins with neither a capital letter nor a quoted word"),
        ('say("cartulary: nothing was stored.")', "begins with neither a capital letter nor a quoted word"),
        ('raise Declined("The game " + f"{id} is closed")', "ends without a full stop"),
        (
            'raise NotationError("Found a card, expected a suit")',
            "begins with a capital letter, and follows the name of a rule",
        ),
        ('self._fault("found a card, which is left out.")', "ends with a full stop, and others may follow it"),
        ('fail(f"{name} is a folder; name a file in it.")', ""),
        ('raise Unfit("--sign needs --format json.")', ""),
        ('raise NotationError(f"found {word}, expected a card")', ""),
    ],
)
def test_a_message_of_another_form_is_found(line: str, wrong: str, tmp_path: Path) -> None:
    *_, last = said(planted(tmp_path, line))
    assert misshapen(last) == wrong


@pytest.mark.parametrize(
    ("line", "is_aimless"),
    [
        ('fail("The name is bad.")', True),
        ('raise Unfit(f"{text!r} is not a date.")', True),
        ('raise NotationError("found a card")', True),
        ('fail("Somebody may use the name.")', True),
        ('fail("The name is bad. Use another.")', False),
        ('fail("The name is bad; expected letters.")', False),
        ('raise Damaged("The name is bad.")', False),
        ('raise Unfit(f"{text!r} is not a date; use `list` to see them.")', False),
        ('raise NotationError("found a card, which is left out")', False),
    ],
)
def test_a_refusal_that_leaves_everybody_alone_is_found(line: str, is_aimless: bool, tmp_path: Path) -> None:
    assert [aimless(each) for each in said(planted(tmp_path, line))] == [is_aimless]


def test_a_sentence_of_too_many_words_is_found(tmp_path: Path) -> None:
    for words, too_long in ((LONGEST - 4, False), (LONGEST - 3, True)):
        [each] = said(planted(tmp_path, f'fail(f"Name {{one}}, or {"two " * words}. Name a file.")'))
        assert bool(overlong(each)) is too_long


@pytest.mark.parametrize("word", ["None", "a Struct", "the seq", "find_game", "call()", "the stream", "a token"])
def test_a_name_of_the_program_is_found(word: str, tmp_path: Path) -> None:
    assert [bool(foreign(each)) for each in said(planted(tmp_path, f'fail("Expected {word.lower()} or {word}.")'))] == [
        True
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a comma behind it",
        "write it anew",
        "what is told",
        "the word tells 9",
        "parted by /",
        "a sign that no font has",
    ],
)
def test_an_oddity_is_found_and_what_is_no_sentence_is_not_read(text: str, tmp_path: Path) -> None:
    path = planted(
        tmp_path, f'ODD = ("{text}", "behind", "DELETE FROM behind WHERE x")\n"""What is behind it, told."""'
    )
    assert [bool(odd(each)) for each in texts(path)] == [True]


def test_an_exception_nobody_reads_is_found(tmp_path: Path) -> None:
    path = planted(tmp_path, 'raise Surprise(f"{name} is one")\nraise Unfit("It is one.")\nraise Surprise(name)')
    assert [each.by for each in raised(path)] == ["Surprise", "Unfit"]


def planted(folder: Path, text: str) -> Path:
    path = folder / "planted.py"
    path.write_text(f"{text}\n", "utf-8")
    return path
