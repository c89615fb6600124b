"""The tables every game brings: rules.toml, perft.toml and games/expected.toml, read into values.

Terms: a *row* is one line of evidence, written by hand from the rulebook; ``why`` is its argument; a *golden game* is a
real one in canonical text.
"""

import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

Table = TypeVar("Table")
Row = TypeVar("Row", bound="MoveRow | SetupRow | EndingRow")


class FindingRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What the report says of one ply. Severity and seat are empty, and decided_by is None, if the row does not say."""

    ply: int
    key: str
    severity: str = ""
    decided_by: int | None = None
    seat: str = ""


class MoveRow(
    Struct, frozen=True, forbid_unknown_fields=True, rename={"broken_rule": "refused", "open_rule": "undecided"}
):
    """One move judged after others: refused, or undecided because of hidden cards, or else legal.

    In ``rules.toml`` the fields ``broken_rule`` and ``open_rule`` are called ``refused`` and ``undecided``.

    Attributes:
        why: What the row shows.
        move: The move that is judged.
        tags: The tags of the record.
        after: The moves before it.
        irregular: Whether moves of ``after`` may break rules, as long as they can be applied.
        broken_rule: The key of the first rule that the move breaks; empty if it is legal.
        because: Words that the sentence of the refusal contains.
        blocks: Whether the move cannot be applied; None if the row does not say.
        canonical: The canonical spelling of the move; empty if the row does not say.
        open_rule: The key of a rule that is left open.
        findings: The findings of the whole record after the move, in the order of the report, without the remark on
            the ``*`` at the end of a row's sheet; None if the row does not say.
        outcome: The result after the move, as in a Result tag; empty if the row does not say.
    """

    why: str
    move: str
    tags: dict[str, str] = field(default_factory=dict)
    after: str = ""
    irregular: bool = False
    broken_rule: str = ""
    because: tuple[str, ...] = ()
    blocks: bool | None = None
    canonical: str = ""
    open_rule: str = ""
    findings: tuple[FindingRow, ...] | None = None
    outcome: str = ""

    @property
    def rule(self) -> str:
        """The key of the rule that the row is about, broken or left open; ``legal`` for a legal move."""
        return self.broken_rule or self.open_rule or "legal"


class SetupRow(Struct, frozen=True, forbid_unknown_fields=True, rename={"broken_rule": "refused"}):
    """Tags that are accepted, or refused under the key ``broken_rule``, which ``rules.toml`` calls ``refused``."""

    why: str
    tags: dict[str, str]
    broken_rule: str = ""
    because: tuple[str, ...] = ()

    @property
    def rule(self) -> str:
        """The key of the rule that the tags of the row break; ``legal`` if they break none."""
        return self.broken_rule or "legal"


class EndingRow(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game stands after some moves: ``outcome`` as in a Result tag, ``key`` the rule that ended it."""

    why: str
    after: str
    outcome: str
    tags: dict[str, str] = field(default_factory=dict)
    irregular: bool = False
    key: str = ""

    @property
    def rule(self) -> str:
        """The key of the rule that ended the game, or the result, such as ``1-0``, where the row names none."""
        return self.key or self.outcome


class RuleTable(Struct, frozen=True, forbid_unknown_fields=True):
    """All rows of one game, in the order of the file."""

    move: tuple[MoveRow, ...] = ()
    setup: tuple[SetupRow, ...] = ()
    ending: tuple[EndingRow, ...] = ()


def by_rule(rows: Iterable[Row]) -> dict[str, tuple[Row, ...]]:
    """Return rows in groups, by the key of the rule that they are about.

    Groups and rows are in the order of the file.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.rule, []).append(row)
    return {rule: tuple(group) for rule, group in groups.items()}


def check_each(rows: Iterable[Row], law: Callable[[Row], Any]) -> None:
    """Call a law with every row, and raise together what is wrong with those that break it.

    Args:
        rows: The rows.
        law: Raises what is wrong with one row.

    Raises:
        Exception: What the law raised of the only row that breaks it, with the row's ``why`` as a note.
        ExceptionGroup: The same of each, where several do.
    """
    faults = []
    for row in rows:
        try:
            law(row)
        except Exception as fault:
            fault.add_note(f"The row: {row.why}")
            faults.append(fault)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise ExceptionGroup(f"{len(faults)} rows are not as they say", faults)


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

    Attributes:
        why: What the game shows.
        file: Its file, beside ``expected.toml``.
        plies: How many words the main line has.
        result: The result in ``validate --json``.
        verdict: The verdict in ``validate --json``.
        standing: How many plies were made while a rule left no free choice, by the key of that rule.
        findings: The ply, severity and key of each finding, in order.
        decided_by: The ply that proved a finding later, by the ply of the finding.
        end: The rows of the last position, from the top; empty if the row does not say.
        score: The tag Score; empty if the game has none.
        points: Other tags with the total of all deals, by name; some may be missing.
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
    """Return a TOML file as a Struct.

    Raises OSError if it cannot be read, and ValueError if it is not as the Struct says.
    """
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), table)


@cache
def rules(samples: Path) -> RuleTable:
    """Return the table ``rules.toml`` of a game.

    Raises:
        OSError, ValueError: It cannot be read.
    """
    return _read(samples / "rules.toml", RuleTable)


@cache
def counts(samples: Path) -> Counts:
    """Return the table ``perft.toml`` of a game: how many sequences of legal moves there are.

    Raises:
        OSError, ValueError: It cannot be read.
    """
    return _read(samples / "perft.toml", Counts)


@cache
def goldens(samples: Path) -> Goldens:
    """Return the table ``games/expected.toml`` of a game: what is known of its golden games.

    Raises:
        OSError, ValueError: It cannot be read.
    """
    return _read(samples / "games" / "expected.toml", Goldens)


def sheet(title: str, tags: dict[str, str], movetext: str, result: str = "*") -> str:
    """Return the score sheet that a row describes, as CGN text.

    Args:
        title: The tag Game.
        tags: The tags after it; their values are escaped here.
        movetext: The moves.
        result: The result after the moves.
    """
    quoted = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags.items()}
    lines = [f'[Game "{title}"]', *(f'[{name} "{value}"]' for name, value in quoted.items())]
    return "\n".join(lines) + f"\n\n{movetext} {result}\n"
