"""What the arbiter has to say of a record: findings, and the report that holds them."""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from cartulary.engine import Clause
from cartulary.engine.contract import IMPOSSIBLE
from cartulary.engine.readings import GAP, ONLY_MOVE
from cartulary.notation.arbiter.boards import BOARD
from cartulary.notation.cgn.signs import word_list
from cartulary.notation.contract import AnyGame

TAIL_SHOWN = 12

RANK = {"error": 0, "undecided": 1, "remark": 2}
"""The order of findings within a ply."""


def verdict_text(verdict: str, key: str = "") -> str:
    """Return a verdict in words that need no explanation: ``undecided`` is ``cannot be known yet``.

    Args:
        verdict: The verdict, or the severity of a finding. All others are returned as they are.
        key: The key of the rule in question. If it is given and the question is not about a gap in the record, the
            text says that cards are hidden.
    """
    if verdict != "undecided":
        return verdict
    return "cannot be known yet: cards are hidden" if key and not key.startswith("record.") else "cannot be known yet"


class Finding(Struct, frozen=True):
    """One thing the arbiter has to say about a record; its fields are those of the JSON.

    Attributes:
        severity: ``error`` (refused, or proved later), ``undecided`` or ``remark``.
        key: The key of the rule.
        ply: The ply, from 1; 0 is the set-up and the tags.
        because: The reason, with the facts of this position.
        move: The word of the ply.
        seat: The seat that made it, as ``p1``.
        line: The line of the file, from 1; 0 if the place is unknown.
        column: The column, from 1.
        rule: The sentence of the rule.
        source: The source of the rule.
        legal: Up to eight legal moves in canonical spelling, those of the card or piece of the word first.
        decided_by: The later ply that proved it.
        plies: The plies that cannot all have been legal, if there are several.
        more: Whether there were more legal moves.
        stuck: The card or piece of the word, if it had no legal move.
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
    """The report on one record: its findings and a verdict; one line of ``validate --json``.

    ``verdict`` is unreadable, unjudged, irregular, undecided or legal. ``format`` is the format of the text, empty for
    CGN, and is then left out of the JSON.
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
    """Return the JSON fields of a report by name, its findings as ``finding_fields`` has them.

    ``format`` is left out for CGN.
    """
    fields = asdict(report)
    if not report.format:
        del fields["format"]
    fields["findings"] = [finding_fields(finding) for finding in report.findings]
    return fields


def legal_text(finding: Finding) -> str:
    """Return the legal moves that a finding lists as text: ``8Cb1, 9Cb2 and more``; empty for none.

    If its own card or piece has no legal move, the text begins ``9C has none; others:``.
    """
    named = word_list(finding.legal) + (" and more" if finding.more else "")
    return f"{finding.stuck} has none; others: {named}" if finding.stuck else named


def finding_fields(finding: Finding) -> dict[str, object]:
    """Return the JSON fields of a finding by name.

    All are there, but ``plies`` and ``stuck`` only if they hold something.
    """
    fields = asdict(finding)
    for name in ("plies", "stuck"):
        if not fields[name]:
            del fields[name]
    return fields


def record_clauses(game: AnyGame) -> tuple[Clause[Any, Any], ...]:
    """Return the clauses that hold for the record of any game, whatever its rules.

    They are those on what is impossible, on gaps, and in a game whose boards can be stated, on these.
    """
    return (IMPOSSIBLE, GAP, ONLY_MOVE, *((BOARD,) if game.boards.tag else ()))


def clause_of(game: AnyGame, key: str, variant: str = "") -> Clause[Any, Any]:
    """Return the clause with a key, worded for a variant if one is named.

    It is looked up in the game and among the clauses of records. Any other key gets a general clause about text that
    can be read.
    """
    written: Clause[Any, Any] = Clause(key, "What is written can be read, and agrees with the moves.", "notation")
    rule = next((clause for clause in (*game.rules.clauses, *record_clauses(game)) if clause.key == key), written)
    return rule.in_variant(variant)


def unread(words: tuple[str, ...]) -> str:
    """Return the end of a sentence that lists unread words: ``; kept unread after it: A B C``.

    At most twelve are named, with the number of all if there are more. It is empty for no words.
    """
    if not words:
        return ""
    many = f" … ({len(words)} plies)" if len(words) > TAIL_SHOWN else ""
    return f"; kept unread after it: {' '.join(words[:TAIL_SHOWN])}{many}"
