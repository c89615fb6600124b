"""Sentences at a table: the verdict on a line while it is typed, who is to move, the last plies."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from cartulary.engine.calls import NO_CALLS
from cartulary.notation import Finding, Step, format_result, judged_words
from cartulary.notation.arbiter.finding import verdict_text
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

    A refused last word is named first, otherwise the first word that is undecided; otherwise the words are legal.

    Args:
        answers: The answer to each of the words, in order; at least one.
        typed: The line. Words that will be written in another spelling are shown in that.

    Returns:
        The sentence and its kind: ``legal``, ``undecided``, ``error``, or empty if verdicts are not shown.
    """
    last = answers[-1]
    if last.verdict == "quiet":
        return f"will be written as {' '.join(short(answer.text) for answer in answers)}", ""
    if last.verdict == "refused":
        finding = _finding_on(last, "error")
        says = "cannot be carried out" if last.blocks else "refused"
        return _about_word(answers, last, says + _reason(finding)), "error"
    open_ = next((answer for answer in answers if answer.verdict == "undecided"), None)
    if open_ is not None:
        finding = _finding_on(open_, "undecided")
        says = f"{verdict_text('undecided')}, as an earlier ply cannot"
        if finding is not None:
            says = f"{verdict_text('undecided', finding.key)}; {finding.because} ({finding.key})"
        return _about_word(answers, open_, says) + _proofs_text(answers), "undecided"
    words = " ".join(short(answer.text) for answer in answers)
    has_new_spelling = any(answer.text not in typed.split() for answer in answers)
    number = f"{len(answers)} words, " if len(answers) > 1 else ""
    return f"{number}legal{f', will be written as {words}' if has_new_spelling else ''}{_proofs_text(answers)}", "legal"


def _about_word(answers: Sequence[WordAnswer], which: WordAnswer, says: str) -> str:
    """Return what is said of one of several words, with the word in front: ``8Dj2: refused``; of a single word only
    what is said.
    """
    return f"{short(which.quotation)}: {says}" if len(answers) > 1 else says


def _finding_on(answer: WordAnswer, severity: str) -> Finding | None:
    """Return the first finding of this severity, such as ``error``, on the word's own ply; None if there is none."""
    own = (finding for finding in answer.findings if finding.severity == severity and finding.ply == answer.ply)
    return next(own, None)


def _reason(finding: Finding | None) -> str:
    """Return a finding as the end of a sentence, ``, follow.suit: p1 has a spade``: key and facts; empty for None."""
    return f", {finding.key}: {finding.because}" if finding else ""


def _proofs_text(answers: Sequence[WordAnswer]) -> str:
    """Return the end of a sentence that names earlier plies as irregular: ``; proves that ply 3, 8Dj2, broke
    follow.suit``.

    Empty if the words prove nothing of the kind.
    """
    return proofs(finding for answer in answers for finding in _proved_findings(answer))


def _proved_findings(answer: WordAnswer) -> Iterator[Finding]:
    """Yield the errors among a word's findings that are on earlier plies, which the word has proved irregular."""
    return (finding for finding in answer.findings if finding.severity == "error" and finding.ply < answer.ply)


def unread_line(text: str, fault: Unread) -> str:
    """Return a sentence that says why a typed line cannot be read: ``unreadable at column 5: REASON``.

    Args:
        text: The whole line as it was typed.
        fault: What was raised when it was read. The column is left out if the fault has no single place.
    """
    column = column_in(text, fault)
    return f"unreadable{f' at column {column}' if column else ''}: {fault.because}"


def column_in(text: str, fault: Unread) -> int:
    """Return the column of a fault in the line that was typed, from 1; 0 if it has no single place.

    Args:
        text: The whole line. The fault knows the column in its own text only, usually one word of the line; if that is
            there more than once, the last one counts, and if it is not there, the column in the word is returned.
        fault: The fault.
    """
    if not fault.column:
        return 0
    at = text.find(fault.text) if text.count(fault.text) == 1 else text.rfind(fault.text)
    return max(at, 0) + fault.column


# --- the position ---


def turn_line(position: Position, *, quiet: bool = False, names: Sequence[str] = (), closes: bool = False) -> str:
    """Return who may move now and how many moves are legal: ``Ada to move, 20 legal moves``; after the end, how the
    game ended.

    Up to eight short moves are named instead, and those that hidden cards leave undecided come after. An offer of a
    draw and a claim that is possible are mentioned.

    Args:
        position: The position.
        quiet: Whether to say only who may move, or that the moves have ended the game.
        names: The names of the players, by seat, if they are to be called by name instead of ``p1``.
        closes: Whether the viewer may close the game; then a quiet sentence says how, once the moves have ended it.
    """
    game = position.game
    outcome = position.calls.outcome or game.rules.outcome(game.turns.settle(position.state))
    if outcome and quiet:
        return "the moves have ended the game" + "; `close` writes its result" * closes
    if outcome:
        return f"{format_result(outcome.shares)}: {outcome.because} ({outcome.key})"
    if position.only_scored:
        return ONLY_SCORED
    seats = [display_name(f"p{seat}", names) for seat in position.actors]
    if not seats:
        return "who is to move is not known"
    who = f"{seats[0]} to move" + (f" ({', '.join(seats[1:])} may speak)" if seats[1:] else "")
    if not quiet:
        who += due_draw(game.turns.claims(position.state))
    if position.calls is not NO_CALLS and position.calls.offer:
        who += f", a draw offered by {display_name(f'p{position.calls.offer}', names)}"
    if quiet:
        return who
    if not game.rules.complete(position.state):
        return who
    words, undecided = judged_words(game, position.state, position.calls, exactly=False)
    both = (*words, *undecided)
    if len(both) > FEW or sum(map(len, both)) >= 60:
        return f"{who}, {count(len(words), 'legal move')}" + (f", {len(undecided)} undecided" if undecided else "")
    if not undecided:
        return f"{who}: {word_list(words)}{' only' if len(words) == 1 else ''}"
    return f"{who}: {word_list(words)}{'; ' if words else ''}undecided {word_list(undecided)}"


def due_draw(claims: Sequence[str]) -> str:
    """Return the end of a sentence that says how the player to move may claim a draw; empty if ``claims`` is empty.

    Args:
        claims: The words that claim one; two give ``, who may claim a draw with A or B``.
    """
    return f", who may claim a draw with {' or '.join(claims)}" if claims else ""


def word_as_written(step: Step) -> str:
    """Return the word of a ply in its canonical spelling; the default of ``last_line``."""
    return step.text


def last_line(
    position: Position,
    steps: Sequence[Step],
    columns: int,
    signs: Mapping[int, str] = NO_SIGNS,
    name: Callable[[Step], str] = word_as_written,
) -> str:
    """Return the last plies as on a score sheet, as many as fit: ``ply 36: … 17... QS:h2 18. 8D:j7 7Dh8``.

    Args:
        position: The position; its ply is named.
        steps: The plies of the record up to it; if there are none, the line is ``before the first ply``.
        columns: How many characters the line may have; the last ply is there even if it has more.
        signs: What follows the word of a ply, such as `` ✗``, by ply.
        name: ``name(step)`` returns what stands in the line for the word of a ply.
    """
    room = columns - len(f"ply {position.ply}: … ")
    pieces: list[str] = []
    cut = False
    for step in reversed(steps):
        number = position.game.turns.number(step.state, own_move(step.move))
        word = short(name(step), 40) + signs.get(step.ply, "")
        bare = f"{number[0]}. {word}" if number and number[1] else word
        opening = bare if not number or number[1] else f"{number[0]}... {word}"
        if pieces and len(" ".join((opening, *pieces))) > room:
            cut = True
            break
        pieces.insert(0, bare)
        first = opening
    if not pieces:
        return "before the first ply"
    pieces[0] = first
    return f"ply {position.ply}: {'… ' if cut else ''}{' '.join(pieces)}"
