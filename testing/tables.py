"""The tables every game brings: rules.toml, perft.toml and games/expected.toml, read into values.

Terms: a *row* is one line of evidence, written by hand from the rulebook; ``why`` is its argument; a *golden game* is a
real one in canonical text.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, field

Table = TypeVar("Table")


class FindingRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What the report says of one ply; severity, seat "" and decided_by None where the row does not say."""

    ply: int
    key: str
    severity: str = ""
    decided_by: int | None = None
    seat: str = ""


class MoveRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One move judged after others: it breaks ``refused``, or depends by ``undecided`` on hidden cards, or is legal.

    irregular: moves of ``after`` may break rules, as long as they can be applied
    refused: the first key the move breaks, "" where it is legal
    because: words the refusal's sentence contains
    blocks: the move cannot be applied; None where the row does not say
    canonical: the one spelling of the move, "" where the row does not say
    undecided: a key that is asked and not answered
    findings: of the whole record after the move, in the report's order, without a remark on the ``*`` a row's sheet
        ends with; None where the row does not say
    outcome: the record's result after the move, as in a Result tag; "" where the row does not say
    """

    why: str
    move: str
    tags: dict[str, str] = field(default_factory=dict)
    after: str = ""
    irregular: bool = False
    refused: str = ""
    because: tuple[str, ...] = ()
    blocks: bool | None = None
    canonical: str = ""
    undecided: str = ""
    findings: tuple[FindingRow, ...] | None = None
    outcome: str = ""


class SetupRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Tags that are accepted, or refused under a key."""

    why: str
    tags: dict[str, str]
    refused: str = ""
    because: tuple[str, ...] = ()


class EndingRow(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game stands after some moves: ``outcome`` as in a Result tag, ``key`` the rule that ended it."""

    why: str
    after: str
    outcome: str
    tags: dict[str, str] = field(default_factory=dict)
    irregular: bool = False
    key: str = ""


class RuleTable(Struct, frozen=True, forbid_unknown_fields=True):
    """All rows of one game, in the order of the file."""

    move: tuple[MoveRow, ...] = ()
    setup: tuple[SetupRow, ...] = ()
    ending: tuple[EndingRow, ...] = ()


class CountRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Legal sequences from one start: ``counts[n - 1]`` is the number after n plies; ``source`` says who counted."""

    source: str
    counts: tuple[int, ...]
    tags: dict[str, str] = field(default_factory=dict)
    after: str = ""


class Counts(Struct, frozen=True, forbid_unknown_fields=True):
    """All counts of one game."""

    start: tuple[CountRow, ...]


class GoldenRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of one golden game.

    plies: words of the main line
    result, verdict: as ``validate --json`` says them
    standing: plies made while a rule left no free choice, by that rule's key
    findings: (ply, severity, key) of each finding, in order
    decided_by: of those proved later, by ply, the ply that proved it
    end: the last position, first row first; empty where the row does not say
    score: as in the tag; empty where the game counts none
    points: other tags of what all its deals come to, by name; not all of them need be said
    """

    why: str
    file: str
    plies: int
    result: str
    verdict: str
    standing: dict[str, int] = field(default_factory=dict)
    findings: tuple[tuple[int, str, str], ...] = ()
    decided_by: dict[str, int] = field(default_factory=dict)
    end: tuple[str, ...] = ()
    score: str = ""
    points: dict[str, str] = field(default_factory=dict)


class Goldens(Struct, frozen=True, forbid_unknown_fields=True):
    """All golden games of one game."""

    game: tuple[GoldenRow, ...]


def _read(path: Path, table: type[Table]) -> Table:
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), table)


@cache
def rules(samples: Path) -> RuleTable:
    """Return the rule table in a game's samples. Raises OSError, ValueError where it cannot be read."""
    return _read(samples / "rules.toml", RuleTable)


@cache
def counts(samples: Path) -> Counts:
    """Return the counts in a game's samples. Raises OSError, ValueError where they cannot be read."""
    return _read(samples / "perft.toml", Counts)


@cache
def goldens(samples: Path) -> Goldens:
    """Return what is known of a game's golden games. Raises OSError, ValueError where it cannot be read."""
    return _read(samples / "games" / "expected.toml", Goldens)


def sheet(title: str, tags: dict[str, str], movetext: str, result: str = "*") -> str:
    """Return the score sheet a row describes, as CGN.

    title: the Game tag; ``tags`` stand behind it, with the quoting CGN asks for
    """
    quoted = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags.items()}
    lines = [f'[Game "{title}"]', *(f'[{name} "{value}"]' for name, value in quoted.items())]
    return "\n".join(lines) + f"\n\n{movetext} {result}\n"
