"""Sentences at a table: the verdict on a line while it is typed, who is to move, the last plies."""

from collections.abc import Iterator, Mapping, Sequence

from cartulary.engine.calls import NO_CALLS
from cartulary.notation import Finding, Step, format_result, legal_words
from cartulary.notation.arbiter.positions import ONLY_SCORED, Position
from cartulary.notation.arbiter.replay import own_move
from cartulary.notation.cgn.signs import count, word_list
from cartulary.records.answers import WordAnswer
from cartulary.records.faults import Unread
from cartulary.records.state.event_words import display_name, proofs, short

FEW = 8
"""Up to how many legal moves are named; more are only counted."""
LONG = 24
"""How many characters of a word are shown where it stands among others."""
NO_SIGNS: Mapping[int, str] = {}


# --- while a line is typed ---


def verdict_line(answers: Sequence[WordAnswer], typed: str) -> tuple[str, str]:
    """Return what the rules say of the words typed so far, as a sentence.

    Args:
        answers: The answer to each of the words, in order.
        typed: The line. Words that will be written in another spelling are shown in that.

    Returns:
        The sentence and its kind: ``legal``, ``undecided``, ``error`` or empty.
    """
    last = answers[-1]
    if last.verdict == "quiet":
        return f"will be written as {' '.join(short(answer.text) for answer in answers)}", ""
    if last.verdict == "refused":
        found = _about(last, "error")
        says = "cannot be carried out" if last.blocks else "refused"
        return _of(answers, last, says + _reason(found)), "error"
    open_ = next((answer for answer in answers if answer.verdict == "undecided"), None)
    if open_ is not None:
        found = _about(open_, "undecided")
        says = _reason(found) or ", as an earlier ply is"
        return _of(answers, open_, f"undecided{says}") + _proofs(answers), "undecided"
    words = " ".join(short(answer.text) for answer in answers)
    respelled = any(answer.text not in typed.split() for answer in answers)
    many = f"{len(answers)} words, " if len(answers) > 1 else ""
    return f"{many}legal{f', will be written as {words}' if respelled else ''}{_proofs(answers)}", "legal"


def _of(answers: Sequence[WordAnswer], which: WordAnswer, says: str) -> str:
    return f"{short(which.quotation)}: {says}" if len(answers) > 1 else says


def _about(answer: WordAnswer, severity: str) -> Finding | None:
    mine = (found for found in answer.findings if found.severity == severity and found.ply == answer.ply)
    return next(mine, None)


def _reason(found: Finding | None) -> str:
    return f", {found.key}: {found.because}" if found else ""


def _proofs(answers: Sequence[WordAnswer]) -> str:
    return proofs(found for answer in answers for found in _proved(answer))


def _proved(answer: WordAnswer) -> Iterator[Finding]:
    return (found for found in answer.findings if found.severity == "error" and found.ply < answer.ply)


def unread_line(text: str, fault: Unread) -> str:
    """Return what is wrong with a line, and where in it."""
    column = column_in(text, fault)
    return f"unreadable{f' at column {column}' if column else ''}: {fault.because}"


def column_in(text: str, fault: Unread) -> int:
    """Return the column of a fault in the line it was typed in, from 1; 0 where it is in no one place."""
    if not fault.column:
        return 0
    at = text.find(fault.text) if text.count(fault.text) == 1 else text.rfind(fault.text)
    return max(at, 0) + fault.column


# --- the position ---


def turn_line(found: Position, *, quiet: bool = False, names: Sequence[str] = (), closes: bool = False) -> str:
    """Return who may move now and how many moves are legal; after the end, how the game ended.

    Args:
        found: The position.
        quiet: Whether only who may move is said, or that the moves have ended the game, and nothing else of the rules.
        names: The names of the players, if they are to be called by name.
        closes: Whether the viewer may close the game.
    """
    game = found.game
    ended = found.calls.outcome or game.rules.outcome(game.turns.settle(found.state))
    if ended and quiet:
        return "the moves have ended the game" + "; `close` writes its result" * closes
    if ended:
        return f"{format_result(ended.shares)}: {ended.because} ({ended.key})"
    if found.only_scored:
        return ONLY_SCORED
    seats = [display_name(f"p{seat}", names) for seat in found.actors]
    if not seats:
        return "who is to move is not known"
    who = f"{seats[0]} to move" + (f" ({', '.join(seats[1:])} may speak)" if seats[1:] else "")
    if found.calls is not NO_CALLS and found.calls.offer:
        who += f", a draw offered by {display_name(f'p{found.calls.offer}', names)}"
    if quiet:
        return who
    who += due_draw(game.turns.claims(found.state))
    if not game.rules.complete(found.state):
        return who
    words = legal_words(game, found.state, found.calls)
    if len(words) <= FEW and sum(map(len, words)) < 60:
        return f"{who}: {word_list(words)}{' only' if len(words) == 1 else ''}"
    return f"{who}, {count(len(words), 'legal move')}"


def due_draw(claims: Sequence[str]) -> str:
    """Return a sentence that says who is to move and may claim a draw with one of these words."""
    return f", who may claim a draw with {' or '.join(claims)}" if claims else ""


def last_line(found: Position, walked: Sequence[Step], columns: int, signs: Mapping[int, str] = NO_SIGNS) -> str:
    """Return the last plies as on a score sheet, as many as fit: ``ply 36: … 17... QS:h2 18. 8D:j7 7Dh8``.

    Args:
        found: The position.
        walked: The plies of the record.
        columns: How many characters fit.
        signs: The mark after the word of a ply, by ply.
    """
    room = columns - len(f"ply {found.ply}: … ")
    pieces: list[str] = []
    cut = False
    for step in reversed(walked):
        counted = found.game.turns.number(step.state, own_move(step.move))
        word = short(step.text, 40) + signs.get(step.ply, "")
        bare = f"{counted[0]}. {word}" if counted and counted[1] else word
        opening = bare if not counted or counted[1] else f"{counted[0]}... {word}"
        if pieces and len(" ".join((opening, *pieces))) > room:
            cut = True
            break
        pieces.insert(0, bare)
        first = opening
    if not pieces:
        return "before the first ply"
    pieces[0] = first
    return f"ply {found.ply}: {'… ' if cut else ''}{' '.join(pieces)}"
