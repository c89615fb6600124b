"""The positions of a replay: of the main line and of every variation, each with the one before it."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

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
from cartulary.notation.seatings import sitting
from cartulary.notation.viewer import Viewer
from cartulary.records.faults import Unfit
from cartulary.records.state.people import NOBODY_MERGED, People
from cartulary.records.state.seen_game import SeenGame
from cartulary.records.texts import quiet_text


class ReplaySource(Struct, frozen=True):
    """A game to make a replay of, as a viewer has it.

    Attributes:
        name: What it is called.
        record: The score sheet.
        viewer: Who looks.
        examination: The report on the record, with the walk through it.
        quiet: The sentence that is shown in place of verdicts, empty if they are shown.
        docket: The sentences on disputes and rulings, by ply, 0 for the game.
        people: The people under whose names the players are shown.
    """

    name: str
    record: Record
    viewer: Viewer
    examination: Examination
    quiet: str = ""
    docket: tuple[tuple[int, tuple[str, ...]], ...] = ()
    people: People = NOBODY_MERGED

    def names_before(self, ply: int | None) -> tuple[str, ...]:
        """Return who sits at each seat when a ply is played, in seat order, ``?`` for a name that is not known.

        None means who sits there in the end.
        """
        heading = self.examination.heading
        assert heading.game is not None
        assert heading.sheet is not None
        tags = heading.game.about.seat_tags(heading.sheet.seats)
        return self.people.display_names(sitting(self.record, tags, None if ply is None else max(ply - 1, 0)))


def replay_source(name: str, game: SeenGame) -> ReplaySource:
    """Return what the replay of a game is made from, with its verdicts and docket as the viewer may see them.

    Args:
        name: What the game is called.
        game: The game as a viewer has it.

    Raises:
        Unfit: Its tags set up no game.
    """
    examination = game.docket.examine(game.record, game.walk)
    heading = examination.heading
    if heading.game is None or heading.sheet is None:
        raise Unfit(f"{heading.because}.")
    if examination.walk is None:
        start = start_of(game.record, heading)
        raise Unfit(f"{start.clause.key}: {start.because}." if isinstance(start, Refused) else f"{start}.")
    source = ReplaySource(
        name,
        game.record,
        game.viewer,
        examination,
        quiet_text(name) if game.quiet else "",
        people=game.people,
    )
    if not game.docket.texts():
        return source
    plies = range(len(game.record.line.words) + 1)
    texts_by_ply = ((ply, game.docket.on(ply).texts(source.names_before(ply or None))) for ply in plies)
    return replace(source, docket=tuple((ply, texts) for ply, texts in texts_by_ply if texts))


class Frame(Struct, frozen=True):
    """A position of a replay.

    Attributes:
        name: Its name in a link: ``17``, or ``17-1-2`` for ply 2 of the first variation of ply 17.
        before: The index of the frame before it, -1 for none.
        line: 0 for the main line, otherwise the number of its variation.
        ply: The ply that led to it, 0 at the start.
        state: The state as it is drawn.
        step: The ply, None at the start.
        note: The note on the ply.
        clocks: Pairs of a seat and the time it has left, as far as it is known.
    """

    name: str
    before: int
    line: int
    ply: int
    state: Any
    step: Step | None = None
    note: Note = Note()
    clocks: tuple[tuple[int, str], ...] = ()


def hides(of: ReplaySource) -> bool:
    """Say whether a game has cards that not everybody sees, and rules that judge it."""
    game = of.examination.heading.game
    return game is not None and not game.hidden.face_up and bool(game.rules.clauses)


def frames(of: ReplaySource) -> tuple[Frame, ...]:
    """Return the start and every position that a word leads to, in order; the start is the first.

    The frames of a variation follow that of the ply that it replaces. The first word of a line that cannot be applied
    has a frame too, those after it have none.
    """
    return tuple(_FrameBuilder(of).build())


def game_of(of: ReplaySource, frames: Sequence[Frame]) -> AnyGame:
    """Return the rules that can read and draw all these positions, also those with unwritten plies in a variation."""
    game = of.examination.heading.game
    assert game is not None
    for frame in frames:
        game = after_gaps(game, (), frame.state)
    return game


def clock_of(note: Note) -> str:
    """Return the first time left that a comment on a ply states, such as ``0:05:00``; empty for none."""
    return next((time for comment in note.comments for time in clocks_in(comment)), "")


def remarks_of(note: Note) -> tuple[str, ...]:
    """Return the comments on a ply, in order, without their commands such as ``[%clk …]``; none of them is empty."""
    return tuple(text for text in map(remark_in, note.comments) if text)


def number_of(game: AnyGame, step: Step) -> str:
    """Return the number of a ply on a score sheet: ``5.``, or ``5…`` inside a round; empty if it has none."""
    number = game.turns.number(step.state, own_move(step.move)) if step.move is not None else None
    return f"{number[0]}{'.' if number[1] else '…'}" if number else ""


class _FrameBuilder:
    """Follows the lines of a record and collects their frames."""

    def __init__(self, of: ReplaySource) -> None:
        heading = of.examination.heading
        assert heading.game is not None
        assert heading.sheet is not None
        assert of.examination.walk is not None
        self.game, self.seats, self.record = heading.game, heading.sheet.seats, of.record
        self.walk, self.frames, self.lines = of.examination.walk, list[Frame](), 0
        self.scores = scoring_of(scoring(of.record.line), self.walk) if of.record.line.notes else None

    def build(self) -> list[Frame]:
        """Return all frames of the record, the start first. It may be called once."""
        state = self.walk.start.state
        deal = tags_alone(self.record, self.game, state)
        state = state if deal is None else deal.state
        opening = self.record.line.notes.get(0, Note())
        start = self.scores.drawn_state(state, 0) if self.scores else state
        self.frames.append(Frame("0", -1, 0, 0, start, note=opening))
        self._add_line(self.walk.steps, self.record.line, "", 0)
        return self.frames

    def _add_line(self, played: Iterable[Step], line: Line, prefix: str, before: int) -> None:
        """Add the frames of a line, each followed by those of the variations that replace its ply.

        Args:
            played: The plies of the line.
            line: The line, for its notes.
            prefix: What the names of its frames begin with, such as ``17-1-``; empty for the main line.
            before: The index of the frame that the line begins at.
        """
        number, clocks_left = self.lines, dict(self.frames[before].clocks)
        for ply, step in enumerate(played, 1):
            note = line.notes.get(ply, Note())
            if step.move is not None and (time := clock_of(note)):
                clocks_left[step.move.seat] = time
            name, index = f"{prefix}{ply}", len(self.frames)
            clocks = tuple(sorted(clocks_left.items()))
            state = step.after if number else drawn_state(self.game, self.record, step.ply, step.after, self.scores)
            self.frames.append(Frame(name, before, number, step.ply, state, step, note, clocks))
            for variation_number, variation in enumerate(note.variations, 1):
                self.lines += 1
                variation_steps = steps(self.game, step.state, variation.words, self.seats, step.calls, step.ply)
                self._add_line(variation_steps, variation, f"{name}-{variation_number}-", before)
            before = index
