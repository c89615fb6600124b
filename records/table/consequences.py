"""What a correction or a ruling comes to, in lines: what moved, how the plies after it stand, the score, the end."""

from collections.abc import Iterator

from cartulary.engine.numbers import how_many
from cartulary.records.answers import Amended
from cartulary.records.commands.ruling import RulingAnswer
from cartulary.records.state.seen_game import score_text

MOST_PLIES = 8
"""How many plies are named one by one; the others are counted."""


def tail_lines(answer: Amended) -> Iterator[str]:
    """Yield how the plies after a correction stand, and by which numbers, where those moved.

    Where it broke one of them the last line names the first; ``answer.conflicts`` are the findings on that.
    """
    moved = len(answer.words) - len(answer.old)
    if answer.stored and answer.tail[0] and moved:
        first, last = answer.tail
        verb = "would be" if answer.dry else "is now" if first == last else "are now"
        plies = "ply" if first == last else "plies"
        yield f"{plies} {_span(first - moved, last - moved)} {verb} {_span(first, last)}"
    for ply, word, before, now in answer.passed[:MOST_PLIES]:
        yield f"ply {ply}, {word}, is now p{now}'s instead of p{before}'s"
    if len(answer.passed) > MOST_PLIES:
        yield f"{how_many(len(answer.passed) - MOST_PLIES, 'more ply is', 'more plies are')} now another seat's"
    if answer.conflict:
        yield f"first conflict at ply {answer.conflict}{_unread(answer)}"
    elif answer.stored and answer.tail[0]:
        yield _tail(answer)


def _tail(answer: Amended) -> str:
    """Say how the plies after a correction stand that broke none of them."""
    first, last = answer.tail
    plies = f"plies {_span(first, last)} are" if last > first else f"ply {first} is"
    if not answer.before and not answer.unread:
        return f"{plies} still legal"
    says = {"error": "still breaks", "undecided": "leaves open"}
    known = [f"ply {found.ply} {says[found.severity]} {found.key}" for found in answer.before[:MOST_PLIES]]
    known += [f"and {len(answer.before) - MOST_PLIES} more"] if len(answer.before) > MOST_PLIES else []
    return f"{plies} as before{': ' if known else ''}{', '.join(known)}{_unread(answer)}"


def _span(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)


def _unread(answer: Amended) -> str:
    return f"; unread from ply {answer.unread} on" if answer.unread else ""


def outcome_lines(answer: RulingAnswer) -> Iterator[str]:
    """Yield what a ruling makes of the score and of the result, or would make, where it touches them."""
    if answer.ruling.points or answer.ruling.score or answer.ruling.decision == "revoked":
        score = score_text(answer.score) if answer.score else "what the rules make it"
        yield f"the score {'is' if answer.stored else 'would be'} {score}"
    if answer.ruling.decision == "result":
        yield f"{'' if answer.stored else 'would be '}closed, {answer.result}, {answer.termination}"
