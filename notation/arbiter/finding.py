"""What the arbiter has to say of a record: findings, and the report that holds them."""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from cartulary.engine import Clause
from cartulary.engine.contract import IMPOSSIBLE
from cartulary.engine.readings import FILLED, GAP
from cartulary.notation.arbiter.boards import BOARD
from cartulary.notation.cgn.signs import word_list
from cartulary.notation.contract import AnyGame

TAIL_SHOWN = 12

RANK = {"error": 0, "undecided": 1, "remark": 2}
"""The order of findings within a ply."""


class Finding(Struct, frozen=True):
    """One thing the arbiter has to say of a record.

    severity: ``error`` (refused, or proved later), ``undecided`` or ``remark``
    ply: from 1; 0 is the set-up and the tags
    legal: up to eight moves that were legal, in canonical spelling, those of the card or man of the word first; more:
        there were others; stuck: that card or man, where it had none
    decided_by: the later ply that proved it; plies: where several cannot all have been legal
    """

    severity: str
    key: str
    ply: int
    because: str
    move: str = ""
    seat: str = ""
    line: int = 0
    column: int = 0
    rule: str = ""
    source: str = ""
    legal: tuple[str, ...] = ()
    decided_by: int | None = None
    plies: tuple[int, ...] = ()
    more: bool = False
    stuck: str = ""


class Report(Struct, frozen=True, omit_defaults=True):
    """One line of ``validate --json``; ``verdict`` is unreadable, unjudged, irregular, undecided or legal.

    format: what the record was written in, empty for CGN, and then no field of the line
    """

    path: str
    index: int
    line: int
    game: str
    edition: str
    variant: str
    plies: int
    result: str
    verdict: str
    findings: tuple[Finding, ...]
    format: str = ""


def report_fields(report: Report) -> dict[str, object]:
    """Return every field of a report, with those of its findings; ``format`` only where it is not CGN."""
    fields = asdict(report)
    if not report.format:
        del fields["format"]
    fields["findings"] = [finding_fields(finding) for finding in report.findings]
    return fields


def legal_text(finding: Finding) -> str:
    """Return the legal moves a finding names, and that there are more where it does not name all."""
    named = word_list(finding.legal) + (" and more" if finding.more else "")
    return f"{finding.stuck} has none; others: {named}" if finding.stuck else named


def finding_fields(finding: Finding) -> dict[str, object]:
    """Return every field of a finding, empty ones too, but for ``plies`` of one ply and ``stuck`` where nothing is."""
    fields = asdict(finding)
    for name in ("plies", "stuck"):
        if not fields[name]:
            del fields[name]
    return fields


def record_clauses(game: AnyGame) -> tuple[Clause[Any, Any], ...]:
    """Return the clauses that hold of what is written of a game, whatever its rules."""
    return (IMPOSSIBLE, GAP, FILLED, *((BOARD,) if game.boards.tag else ()))


def clause_of(game: AnyGame, key: str, variant: str = "") -> Clause[Any, Any]:
    """Return the clause with a key: the game's own, that of the impossible, or what holds of everything written.

    variant: as it is worded there, otherwise as for all variants
    """
    written: Clause[Any, Any] = Clause(key, "What is written can be read, and agrees with the moves.", "notation")
    rule = next((clause for clause in (*game.rules.clauses, *record_clauses(game)) if clause.key == key), written)
    return rule.in_variant(variant)


def unread(words: tuple[str, ...]) -> str:
    """Return the end of a sentence that shows the words nobody reads any more, the first of them if they are many."""
    if not words:
        return ""
    many = f" … ({len(words)} plies)" if len(words) > TAIL_SHOWN else ""
    return f"; kept unread after it: {' '.join(words[:TAIL_SHOWN])}{many}"
