"""The positions of a record, each with the ply that led there, as text and as JSON."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Calls, Refused, Undecided
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.play import actors, as_displayed
from cartulary.notation.arbiter.boards import start_of
from cartulary.notation.arbiter.examine import tags_alone
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.arbiter.replay import Step, own_move, steps
from cartulary.notation.arbiter.ruling_commands import scoring
from cartulary.notation.arbiter.score_in_force import RULES, ScoreLine, Scoring, scoring_of
from cartulary.notation.arbiter.walk import Walk, walk
from cartulary.notation.cgn.commands import clocks_in, remark_in
from cartulary.notation.cgn.record import NotationError, Note, Record
from cartulary.notation.cgn.signs import count
from cartulary.notation.cgn.writer import format_note
from cartulary.notation.contract import AnyGame
from cartulary.notation.picture import plain
from cartulary.notation.viewer import EVERYTHING, Viewer

ONLY_SCORED = "only the score of this deal was kept"
"""The text in place of whose turn it is, for a record without words whose tags give the score."""


class NoPly(NotationError):
    """There is no such ply in a record, or it cannot be followed so far."""


class Position(Struct, frozen=True):
    """A record's game with the state after ``ply`` plies; ``last`` is the step that led there, None at the start.

    ``clocks`` has the time each seat has left, where it is known, and ``cached`` a walk through the record, if there is
    one. ``viewer`` is who looks; to a quiet one nothing is said of what the rules say. ``closed`` marks a game that was
    closed here, whatever its record says. ``scoring`` has the rulings that count in its score. ``only_scored`` marks a
    record without words whose tags give the points, and ``how`` says how they were worked out.
    """

    record: Record
    game: AnyGame
    seats: int
    ply: int
    state: Any
    calls: Calls
    last: Step | None = None
    clocks: tuple[tuple[int, str], ...] = ()
    cached: Walk | None = None
    viewer: Viewer = EVERYTHING
    closed: bool = False
    scoring: Scoring | None = None
    only_scored: bool = False
    how: str = ""

    @property
    def drawn_state(self) -> Any:
        """The state to be drawn: with the score in force, and nobody to move after the last ply of an ended game."""
        return self.game.turns.idle(self.scored_state) if self.closing or self.only_scored else self.scored_state

    @property
    def scored_state(self) -> Any:
        """The state with the score in force; the state itself if no ruling changed the score."""
        return self.scoring.drawn_state(self.state, self.ply) if self.scoring else self.state

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """How the score in force comes about here, the score itself last.

        Empty if no ruling changed it and the points do not come from tags alone.
        """
        settled = self.game.turns.settle(self.state)
        if self.scoring is not None:
            return self.scoring.lines(settled, self.how, self.ply)
        computed = self.game.points.write(settled).get("Score", "")
        return (ScoreLine("", RULES, computed, self.how),) if self.how else ()

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that may speak now, the one written without a prefix first.

        Empty after a call that ended the game, and for a record of which only the score was kept.
        """
        return () if self.calls.outcome or self.only_scored else actors(self.game, self.state)

    @property
    def closing(self) -> bool:
        """Whether this is the end of a game that has ended: it was closed here, or its record says that it ended."""
        return self.closed or is_closing(self.record, self.ply)


def is_closing(record: Record, ply: int) -> bool:
    """Say whether a ply is the last of a record that has ended: its result or its tag Termination says so.

    The result ``*`` and the termination ``unterminated`` say that it has not.
    """
    ended = record.result not in ("", "*") or record.tag("Termination") not in ("", "unterminated")
    return ended and ply == len(record.line.words)


def drawn_state(game: AnyGame, record: Record, ply: int, state: Any, scoring: Scoring | None = None) -> Any:
    """Return the state after a ply as it is to be drawn: with the score in force, and nobody to move at the end.

    Args:
        game: The game.
        record: The record.
        ply: The ply.
        state: The state after it.
        scoring: The rulings that count in the score; None for none.
    """
    as_displayed = game.turns.idle(state) if is_closing(record, ply) else state
    return scoring.drawn_state(as_displayed, ply) if scoring else as_displayed


def positions(record: Record, cached: Walk | None = None, viewer: Viewer = EVERYTHING) -> Iterator[Position]:
    """Yield the start and the position after each ply that can be read; the last may hold a step that was not applied.

    Args:
        record: The record to follow.
        cached: A walk through these words; with it no ply is judged again.
        viewer: The person for whom the positions are shown; the default may see everything.

    Raises:
        NotationError: If the tags of the record set up no game.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        raise NotationError(heading.because, key="record.tag")
    start = start_of(record, heading)
    if isinstance(start, Refused):
        raise NotationError(f"{start.clause.key}: {start.because}", key=start.clause.key)
    seats, state, boards = heading.sheet.seats, start.state, start.boards
    walked = cached if cached is not None and cached.goes_through(record, heading) else None
    rulings = scoring(record.line) if record.line.notes else ()
    through = walked if walked is not None or not rulings else walk(record, heading)
    scores = scoring_of(rulings, through) if isinstance(through, Walk) else None
    played = steps(heading.game, state, record.line.words, seats, boards=boards) if walked is None else walked.steps
    tag_score = tags_alone(record, heading.game, state)
    first = state if tag_score is None else tag_score.state
    how = "" if tag_score is None else tag_score.how
    start_at = Position(record, heading.game, seats, 0, first, NO_CALLS, None, (), walked, viewer)
    yield replace(start_at, scoring=scores, only_scored=tag_score is not None, how=how)
    left: dict[int, str] = {}
    for step in played:
        for comment in record.line.notes.get(step.ply, Note()).comments if step.move is not None else ():
            for time in clocks_in(comment):
                left[step.move.seat] = time
        clocks = tuple(sorted(left.items()))
        after, calls = step.after, step.calls_after
        position = Position(record, heading.game, seats, step.ply, after, calls, step, clocks, walked, viewer)
        yield position if scores is None else replace(position, scoring=scores)


def position_at(record: Record, at: int | None, cached: Walk | None = None, viewer: Viewer = EVERYTHING) -> Position:
    """Return the position after ``at`` plies, or for None the last one that can be read.

    Args:
        record: The record to follow.
        at: The number of plies.
        cached: A walk through these words; with it no ply is judged again.
        viewer: The person for whom the position is shown; the default may see everything.

    Raises:
        NotationError: If the tags of the record set up no game.
        NoPly: If the record cannot be followed so far.
    """
    best: Position | None = None
    for position in positions(record, cached, viewer):
        if position.last is not None and not position.last.applied:
            break
        best = position
        if position.ply == at:
            return position
    assert best is not None
    if at is None:
        return best
    written = len(record.line.words)
    stopped = (
        "" if best.ply == written else f"; {count(written, 'ply is', 'plies are')} written, but the rest is unread"
    )
    raise NoPly(f"there is no ply {at}: the game can be followed for {count(best.ply, 'ply', 'plies')}{stopped}")


def numbered_word(game: AnyGame, step: Step) -> str:
    """Return the word of a ply with its move number, as a score sheet has it: ``12... Nf6``; alone if it has none."""
    counted = game.turns.number(step.state, own_move(step.move))
    return f"{counted[0]}{'.' if counted[1] else '...'} {step.text}" if counted else step.text


def note_text(position: Position) -> str:
    """Return the note of the ply that led here as a sheet has it, on one line: ``!? {odd}``.

    Commands that are shown elsewhere, such as clock times and rulings, are left out. A note that does not begin with a
    mark begins with a blank; without a note the text is empty.
    """
    note = position.record.line.notes.get(position.ply, Note())
    remarks = (remark_in(item) if isinstance(item, str) else item for item in note.items)
    text = format_note(replace(note, items=tuple(item for item in remarks if item)))
    return f" {text}" if text and text[0] not in "!?" else text


def ply_fields(position: Position) -> dict[str, Any]:
    """Return the JSON fields of a position and the ply that led there; ply 0 has no seat and no move.

    They are index, ply, seat, move, note, clocks, verdict, keys, and position, the rows of the picture. The position is
    empty if the ply could not be applied. To a quiet viewer the verdict is ``quiet``, without keys.
    """
    step = position.last
    board = (
        plain(position.game.words.picture(position.scored_state, position.viewer.seat)).split("\n")
        if step is None or step.applied
        else []
    )
    verdict, keys = ("legal", list[str]()) if step is None else _judged(step)
    verdict, keys = ("quiet", []) if position.viewer.quiet else (verdict, keys)
    return {
        "index": position.record.index,
        "ply": position.ply,
        "seat": f"p{step.move.seat}" if step is not None and step.move is not None else "",
        "move": step.text if step is not None else "",
        "note": note_text(position).strip(),
        "clocks": {f"p{seat}": time for seat, time in position.clocks},
        "verdict": verdict,
        "keys": keys,
        "position": board,
    }


def _judged(step: Step) -> tuple[str, list[str]]:
    """Return the verdict on a ply in one word, such as ``refused``, and the keys of the rules it rests on.

    The word is ``unreadable`` for a word that could not be read, whose key is that of the fault. A legal ply has no
    keys.
    """
    if step.error is not None:
        return "unreadable", [step.error.key]
    if isinstance(step.verdict, Refused):
        return "refused", [step.verdict.clause.key]
    verdict = as_displayed(step.verdict)
    if isinstance(verdict, Undecided):
        return "undecided", [question.clause.key for question in verdict.opens if question.asks]
    return type(verdict).__name__.lower(), []


def clocks_text(clocks: Iterable[tuple[int, str]]) -> str:
    """Return the time that each seat has left, as text: ``p1 0:12:30, p2 0:14:00``; empty for none."""
    return ", ".join(f"p{seat} {time}" for seat, time in clocks)
