"""The positions of a replay: those of the main line and of every variation, each after the one before it."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from cartulary.engine import Refused
from cartulary.notation import AnyGame, Examination, Line, Note, Record
from cartulary.notation.arbiter.boards import start_of
from cartulary.notation.arbiter.examine import tags_alone
from cartulary.notation.arbiter.gapped import after_gaps
from cartulary.notation.arbiter.positions import drawn_state
from cartulary.notation.arbiter.replay import Step, own_move, steps
from cartulary.notation.arbiter.ruling_commands import scoring
from cartulary.notation.arbiter.score_in_force import scoring_of
from cartulary.notation.cgn.commands import clocks_in, remark_in
from cartulary.notation.viewer import Viewer
from cartulary.records.faults import Unfit
from cartulary.records.state.seen_game import SeenGame
from cartulary.records.texts import quiet_text


class Replayed(Struct, frozen=True):
    """A game to be made a replay of, as a viewer has it.

    Attributes:
        name: What it is called.
        record: The score sheet.
        viewer: Who looks.
        examined: The report on the record, with the walk through it.
        quiet: The sentence in place of what the rules say, empty if that is shown.
        docket: The sentences on disputes and rulings, by ply, 0 for the game.
    """

    name: str
    record: Record
    viewer: Viewer
    examined: Examination
    quiet: str = ""
    docket: tuple[tuple[int, tuple[str, ...]], ...] = ()


def replayed(name: str, game: SeenGame) -> Replayed:
    """Return a game as its replay is made of.

    Args:
        name: What it is called.
        game: The game as a viewer has it.

    Raises:
        Unfit: Its tags set up no game.
    """
    examined = game.docket.examine(game.record, game.walk)
    heading = examined.heading
    if heading.game is None or heading.sheet is None:
        raise Unfit(f"{heading.because}.")
    if examined.walk is None:
        start = start_of(game.record, heading)
        raise Unfit(f"{start.clause.key}: {start.because}." if isinstance(start, Refused) else f"{start}.")
    plies = range(len(game.record.line.words) + 1)
    docket = game.docket
    texts_by_ply = tuple((ply, texts) for ply in plies if (texts := docket.on(ply).texts())) if docket.texts() else ()
    return Replayed(name, game.record, game.viewer, examined, quiet_text(name) if game.quiet else "", texts_by_ply)


class Frame(Struct, frozen=True):
    """A position. name: as in a link, ``17``, in a variation ``17-1-2``; before: the number of the one it follows

    line: 0 for the main line, else the number of its variation; ply: of the word that led here, 0 for the start
    state: as it is drawn; step: None at the start; left: the time each seat has left, where it is known
    """

    name: str
    before: int
    line: int
    ply: int
    state: Any
    step: Step | None = None
    note: Note = Note()
    left: tuple[tuple[int, str], ...] = ()


def hides(of: Replayed) -> bool:
    """Say whether its game has hidden cards, and somebody judges them."""
    game = of.examined.heading.game
    return game is not None and not game.hidden.face_up and bool(game.rules.clauses)


def frames(of: Replayed) -> tuple[Frame, ...]:
    """Return the start and every position that words lead to, a variation's behind the ply it stands in place of."""
    return tuple(_Following(of).follow())


def game_of(of: Replayed, found: Sequence[Frame]) -> AnyGame:
    """Return the game as it reads these positions, with gaps where one is in a variation alone."""
    game = of.examined.heading.game
    assert game is not None
    for frame in found:
        game = after_gaps(game, (), frame.state)
    return game


def clock_of(note: Note) -> str:
    """Return the time left that is noted on a ply, empty for none."""
    return next((time for comment in note.comments for time in clocks_in(comment)), "")


def remarks_of(note: Note) -> tuple[str, ...]:
    """Return the comments on a ply, in words."""
    return tuple(text for text in map(remark_in, note.comments) if text)


def number_of(game: AnyGame, step: Step) -> str:
    """Return the number of a ply as a score sheet has it: ``5.``, or ``5…`` inside a round; empty for none."""
    counted = game.turns.number(step.state, own_move(step.move)) if step.move is not None else None
    return f"{counted[0]}{'.' if counted[1] else '…'}" if counted else ""


class _Following:
    """A record while its lines are followed."""

    def __init__(self, of: Replayed) -> None:
        heading = of.examined.heading
        assert heading.game is not None
        assert heading.sheet is not None
        assert of.examined.walk is not None
        self.game, self.seats, self.record = heading.game, heading.sheet.seats, of.record
        self.walk, self.found, self.lines = of.examined.walk, list[Frame](), 0
        self.scores = scoring_of(scoring(of.record.line), self.walk) if of.record.line.notes else None

    def follow(self) -> list[Frame]:
        """Return the frames."""
        state = self.walk.start.state
        scored = tags_alone(self.record, self.game, state)
        state = state if scored is None else scored.state
        opening = self.record.line.notes.get(0, Note())
        start = self.scores.drawn_state(state, 0) if self.scores else state
        self.found.append(Frame("0", -1, 0, 0, start, note=opening))
        self._line(self.walk.steps, self.record.line, "", 0)
        return self.found

    def _line(self, played: Iterable[Step], line: Line, prefix: str, before: int) -> None:
        """Follow a line and those in it. before: the frame it begins at"""
        number, left = self.lines, dict(self.found[before].left)
        for at, step in enumerate(played, 1):
            note = line.notes.get(at, Note())
            if step.move is not None and (time := clock_of(note)):
                left[step.move.seat] = time
            name, here = f"{prefix}{at}", len(self.found)
            clocks = tuple(sorted(left.items()))
            state = step.after if number else drawn_state(self.game, self.record, step.ply, step.after, self.scores)
            self.found.append(Frame(name, before, number, step.ply, state, step, note, clocks))
            for which, variation in enumerate(note.variations, 1):
                self.lines += 1
                instead = steps(self.game, step.state, variation.words, self.seats, step.calls, step.ply)
                self._line(instead, variation, f"{name}-{which}-", before)
            before = here
