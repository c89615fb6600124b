"""What a scribe is told in words: verdicts, findings, who is to move, the last plies, the help."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from cartulary.cli.scribe.line import VERBS
from cartulary.cli.shell.findings import legal_text
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.play import actors
from cartulary.notation import Finding, Step, format_result, legal_words
from cartulary.notation.arbiter.positions import Position
from cartulary.notation.arbiter.replay import own_move
from cartulary.records import desk
from cartulary.records.faults import Unread

FEW = 8
"""Up to how many legal moves are named; more are only counted."""
INDENT = " " * 4
LONG = 24
"""How many signs of a word are shown where it stands among others."""


def short(word: str, most: int = LONG) -> str:
    """Return a word, or the beginning of a long one."""
    return word if len(word) <= most else word[: most - 1] + "…"


# --- while a line is typed ---


def verdict_line(answers: Sequence[desk.WordAnswer], typed: str) -> tuple[str, str]:
    """Return what the rules say of the words typed so far in one sentence, and its kind: legal, undecided or error.

    typed: the line; words that will be written otherwise are shown
    """
    last = answers[-1]
    if last.verdict == "quiet":
        return f"to be written {' '.join(short(answer.text) for answer in answers)}", ""
    if last.verdict == "refused":
        found = _about(last, "error")
        says = "cannot be applied" if last.blocks else "refused"
        return _of(answers, last, says + _reason(found)), "error"
    open_ = next((answer for answer in answers if answer.verdict == "undecided"), None)
    if open_ is not None:
        found = _about(open_, "undecided")
        says = _reason(found) or ", as an earlier ply is"
        return _of(answers, open_, f"undecided{says}") + _proofs(answers), "undecided"
    words = " ".join(short(answer.text) for answer in answers)
    respelled = any(answer.text not in typed.split() for answer in answers)
    many = f"{len(answers)} words, " if len(answers) > 1 else ""
    return f"{many}legal{f', to be written {words}' if respelled else ''}{_proofs(answers)}", "legal"


def _of(answers: Sequence[desk.WordAnswer], which: desk.WordAnswer, says: str) -> str:
    return f"{short(which.text)}: {says}" if len(answers) > 1 else says


def _about(answer: desk.WordAnswer, severity: str) -> Finding | None:
    mine = (found for found in answer.findings if found.severity == severity and found.ply == answer.ply)
    return next(mine, None)


def _reason(found: Finding | None) -> str:
    return f" because {found.key}: {found.because}" if found else ""


def _proofs(answers: Sequence[desk.WordAnswer]) -> str:
    """Return the end of a sentence that names the earlier plies these words prove irregular."""
    proved = {(found.ply, found.move, found.key) for answer in answers for found in _proved(answer)}
    return "".join(f"; proves ply {ply}, {word}, irregular by {key}" for ply, word, key in sorted(proved))


def _proved(answer: desk.WordAnswer) -> Iterator[Finding]:
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


# --- after Enter ---


def answer_lines(answers: Sequence[desk.WordAnswer]) -> Iterator[str]:
    """Yield what the rules say of each word: those that are simply legal in one line, the others with findings.

    Words are told in their one spelling, so that it differs from what was typed needs no remark.
    """
    plainly = ("legal", "quiet")
    for plain, group in groupby(answers, lambda each: each.verdict in plainly and not any(_worth_telling(each))):
        told = list(group)
        if plain:
            plies = f"plies {told[0].ply}–{told[-1].ply}" if len(told) > 1 else f"ply {told[0].ply}"
            verdict = "legal" if told[0].verdict == "legal" else "written"
            yield f"{plies}, {' '.join(answer.text for answer in told)}: {verdict}"
            continue
        for answer in told:
            stands = " but stands" if answer.stored and answer.verdict == "refused" else ""
            yield f"ply {answer.ply}, {answer.text}: {answer.verdict}{stands}"
            for found in _worth_telling(answer):
                yield from finding_lines(found, answer.ply)


def _worth_telling(answer: desk.WordAnswer) -> Iterator[Finding]:
    return (found for found in answer.findings if found.key != "cgn.mark")


def finding_lines(found: Finding, ply: int) -> Iterator[str]:
    """Yield a finding: what and why, then its rule, source and legal moves. ply: the one it is told under."""
    where = f"ply {found.ply}, {found.move}: " if found.ply != ply else ""
    yield f"  {where}{found.severity} {found.key} {found.because}"
    legal = legal_text(found)
    proved = f"by ply {found.decided_by}" if found.decided_by else ""
    for label, text in (("rule", found.rule), ("source", found.source), ("proved", proved), ("legal", legal)):
        if text:
            yield f"{INDENT}{label:<8}{text}"


def listed(finding: Finding) -> Iterator[str]:
    """Yield a finding as `check` lists it, its ply first."""
    seat = f" by {finding.seat}" if finding.seat else ""
    where = f"ply {finding.ply}, {finding.move}{seat}" if finding.ply else "set-up and tags"
    proved = f", proved by ply {finding.decided_by}" if finding.decided_by and not finding.plies else ""
    yield f"{where}: {finding.severity} {finding.key}{proved}"
    yield f"{INDENT}{finding.because}"
    if finding.rule:
        yield f"{INDENT}{'rule':<8}{finding.rule}"


# --- the position ---


def turn_line(found: Position, *, quiet: bool = False) -> str:
    """Return who may speak now, and how many moves are legal; after the end, how it ended. quiet: no more than who"""
    game = found.game
    ended = found.calls.ended or game.rules.outcome(game.turns.settle(found.state))
    if ended and quiet:
        return "the game is over by its moves; `close` writes its result"
    if ended:
        return f"{format_result(ended.shares)}: {ended.because} ({ended.key})"
    seats = actors(game, found.state)
    if not seats:
        return "who is to move is not known"
    others = ", ".join(f"p{seat}" for seat in seats[1:])
    who = f"p{seats[0]} to move" + (f" ({others} may speak)" if others else "")
    if found.calls is not NO_CALLS and found.calls.offer:
        who += f", a draw offered by p{found.calls.offer}"
    if quiet or not game.rules.complete(found.state):
        return who
    words = legal_words(game, found.state, found.calls)
    if len(words) <= FEW and sum(map(len, words)) < 60:
        return f"{who}: {', '.join(words)}{' only' if len(words) == 1 else ''}"
    return f"{who}, {len(words)} legal moves"


def last_line(found: Position, walked: Sequence[Step], columns: int) -> str:
    """Return the last plies as a score sheet has them, as many as fit: ``ply 36: … 17... QS:h2 18. 8D:j7 7Dh8``."""
    room = columns - len(f"ply {found.ply}: … ")
    pieces: list[str] = []
    cut = False
    for step in reversed(walked):
        counted = found.game.turns.number(step.state, own_move(step.move))
        word = short(step.text, 40)
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


def help_lines() -> Iterator[str]:
    """Yield the help of the line: moves, keys, commands; short enough to be seen at once at 80 by 24."""
    yield "Type moves as on a score sheet, one or many; a time such as 0:12:30 may follow."
    yield "Enter stores them; a refused move is not stored, unless `stands` says so."
    yield "Tab completes, Enter takes what is chosen; Up brings back earlier lines; Ctrl-U"
    yield "clears the line; PageUp, PageDown move what is cut; Ctrl-C and Ctrl-D leave."
    for form, does in VERBS.values():
        yield f"  {form:<30}{does}"
    yield "No move is a lower-case word, so commands need no sign; /undo works as well."
