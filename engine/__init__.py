"""The rules: pure values and functions. No input or output, no clock, no dice; games never import one another."""

from cartulary.engine.contract import (
    LEGAL,
    Breach,
    Clause,
    Legal,
    Need,
    Open,
    Option,
    Outcome,
    Pending,
    Refused,
    Rules,
    Sheet,
    Undecided,
    Verdict,
    clause,
)
from cartulary.engine.play import Call, Calls, judge, legal_moves, perft

__all__ = [
    "LEGAL",
    "Breach",
    "Call",
    "Calls",
    "Clause",
    "Legal",
    "Need",
    "Open",
    "Option",
    "Outcome",
    "Pending",
    "Refused",
    "Rules",
    "Sheet",
    "Undecided",
    "Verdict",
    "clause",
    "judge",
    "legal_moves",
    "perft",
]
