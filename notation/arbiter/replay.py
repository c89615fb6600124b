"""Text meets rules: every ply of a record in turn, with the state before it and what the arbiter says.

This is the one loop beneath validating, replaying, rewriting and importing.
"""

import sys
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from cartulary.engine import LEGAL, Breach, Call, Calls, Refused, Undecided, Verdict
from cartulary.engine.calls import NO_CALLS, WORDS, after_move
from cartulary.engine.contract import PlayResult, Unclear
from cartulary.engine.numbers import is_numbered, seats_named
from cartulary.engine.play import actors, before_the_end
from cartulary.engine.play import call as answer_call
from cartulary.notation.arbiter.boards import NO_BOARDS, BoardResult, StatedBoards, start_of, take_board
from cartulary.notation.arbiter.gapped import after_gaps, own_game, until_a_gap
from cartulary.notation.arbiter.gaps import MissedPly
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.cgn.record import MISSING_WORD, NotationError, Record
from cartulary.notation.cgn.signs import cut
from cartulary.notation.contract import AnyGame
from cartulary.notation.drawing import Drawing, draw
from cartulary.notation.unjudged import nobody_judges

CALLS: dict[str, tuple[int, str]] = {word: (0, word) for word in WORDS} | {
    f"p{seat}/{word}": (seat, word) for word in WORDS for seat in range(11)
}
"""The words of the calls every game shares, with seat and name; no game reads them as its own."""
_SEATS = {f"p{seat}": seat for seat in range(11)}
"""Seats as they stand before a word."""
UNREAD: PlayResult[Any, Any] = PlayResult(None, LEGAL, None)
"""What comes of a word that could not be read."""
MOVES_SHOWN = 8
"""How many moves are named beside a word that is refused or unclear."""
LONGEST_WORD = 1_000
"""How many signs a word has at most in a game that is judged; a whole deck that is dealt takes some 320."""


class Step(Struct, frozen=True):
    """One ply: its word, what it means, what the rules say of it, and the states before and after it.

    Attributes:
        ply: The number of the ply, from 1.
        word: The word as written.
        text: Its canonical spelling, or the word itself if it could not be read or is unclear.
        state: The state before it.
        calls: The calls before it.
        result: The move, the verdict and the state after it, as the rules give them.
        calls_after: The calls after it.
        error: Why the word could not be read or is unclear; then the rest of the line is not read. None for any other.
        board: What came of the boards stated after it; None if there are none.
    """

    ply: int
    word: str
    text: str
    state: Any
    calls: Calls
    result: PlayResult[Any, Any]
    calls_after: Calls
    error: NotationError | None = None
    board: BoardResult | None = None

    @property
    def move(self) -> Any:
        """What the word means; None where it could not be read or is unclear."""
        return self.result.move

    @property
    def verdict(self) -> Verdict:
        """What the rules say; legal where the word could not be read."""
        return self.result.verdict

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """What this ply, or a board stated after it, proves of other plies; empty for nothing.

        It may prove that earlier plies were illegal or cannot all have been legal, and what a ply nobody wrote must
        have been.
        """
        return self.result.breaches

    @property
    def applied(self) -> bool:
        """Whether there is a state after it.

        There is none for a word that could not be read or is unclear, and for a refused move that cannot be applied;
        then the rest of the line is not read.
        """
        return self.result.after is not None

    @property
    def after(self) -> Any:
        """The state after it; the one before it if nothing could be applied."""
        return self.state if self.result.after is None else self.result.after

    @property
    def plain(self) -> bool:
        """Whether it is legal and spelled canonically, proves nothing earlier, and no board after it has a fault."""
        played = self.result
        remarkable = played.breaches or self.error is not None or (self.board is not None and self.board.faults)
        return played.verdict is LEGAL and self.text == self.word and not remarkable


def steps(
    game: AnyGame,
    state: Any,
    words: tuple[str, ...],
    seats: int,
    calls: Calls = NO_CALLS,
    first: int = 1,
    *,
    exactly: bool = False,
    boards: StatedBoards = NO_BOARDS,
) -> Iterator[Step]:
    """Yield a step for each word, up to the first that cannot be read or applied.

    A refused move is let stand, and play goes on from it.

    Args:
        game: The game.
        state: The state before the first word.
        words: The words, as written.
        seats: The number of seats.
        calls: The calls before the first word.
        first: The ply of the first word.
        exactly: Whether every verdict is to be exact, worked out from every deal that fits. This is slower.
        boards: The boards stated in the line.
    """
    played = plies(game, state, words, seats, calls, first, exactly=exactly, boards=boards)
    for ply, step in enumerate(played, first):
        yield whole_step(step, ply, words[ply - first], state)
        state = step.after


def whole_step(step: Step | PlayResult[Any, Any], ply: int, word: str, state: Any) -> Step:
    """Return a ``Step`` for an item of ``plies``, which is a Step already or only what was played.

    Args:
        step: The item.
        ply: The number of the ply.
        word: Its word.
        state: The state before it.
    """
    return Step(ply, word, word, state, NO_CALLS, step, NO_CALLS) if isinstance(step, PlayResult) else step


def leaves_open(verdict: Verdict) -> bool:
    """Say whether a verdict leaves a question open; only then can ``exactly`` give another verdict."""
    return type(verdict) is Undecided or (type(verdict) is Refused and bool(verdict.opens))


def bare(step: Step) -> Step | PlayResult[Any, Any]:
    """Return a Step in the short form that ``plies`` yields.

    A plain ply without calls before it becomes what was played, a ``PlayResult``; any other stays a Step.
    """
    return step.result if step.plain and step.calls is NO_CALLS and type(step.move) is not Call else step


def plies(
    game: AnyGame,
    state: Any,
    words: tuple[str, ...],
    seats: int,
    calls: Calls = NO_CALLS,
    first: int = 1,
    *,
    exactly: bool = False,
    boards: StatedBoards = NO_BOARDS,
) -> Iterator[Step | PlayResult[Any, Any]]:
    """Yield what ``steps`` yields, but for a plain legal ply only its ``PlayResult``.

    Nearly all plies are plain, and building a Step for each of them would double the time of a walk. ``whole_step``
    makes a Step of either.

    Args:
        game: The game.
        state: The state before the first word.
        words: The words, as written.
        seats: The number of seats.
        calls: The calls before the first word.
        first: The ply of the first word.
        exactly: Whether every verdict is to be exact, worked out from every deal that fits.
        boards: The boards stated in the line.
    """
    if boards.texts:
        return _past_boards(game, state, words, seats, calls, first, exactly, boards)
    return _plies(game, state, words, seats, calls, first, exactly)


def _past_boards(
    game: AnyGame,
    state: Any,
    words: tuple[str, ...],
    seats: int,
    calls: Calls,
    first: int,
    exactly: bool,
    boards: StatedBoards,
) -> Iterator[Step | PlayResult[Any, Any]]:
    """Yield the plies of a line with stated boards, up to the first ply that cannot be carried out.

    After a board that can be true, play goes on from it. The arguments are those of ``plies``.
    """
    game, end = after_gaps(game, words, state), first + len(words)
    while first < end:
        last = min((ply for ply in boards.texts if first <= ply < end), default=end - 1)
        part = words[len(words) - (end - first) : len(words) - (end - 1 - last)]
        for ply, step in enumerate(_plies(game, state, part, seats, calls, first, exactly), first):
            if ply in boards.texts:
                step, boards = _from_board(game, whole_step(step, ply, part[-1], state), boards)
            yield step
            if type(step) is Step:
                if not step.applied:
                    return
                calls = step.calls_after
            state = step.after
        first = last + 1


def _plies(
    game: AnyGame, state: Any, words: tuple[str, ...], seats: int, calls: Calls, first: int, exactly: bool
) -> Iterator[Step | PlayResult[Any, Any]]:
    """Yield the plies of a line without boards, as ``plies`` does, with the same arguments.

    The plain game reads them up to the first gap, a ply nobody wrote, as it is faster.
    """
    gapped = after_gaps(game, words, state)
    own = until_a_gap(gapped, state)
    if own is gapped:
        return _line(gapped, state, words, seats, calls, first, exactly)
    return _to_a_gap(own, gapped, state, words, seats, calls, first, exactly)


def _to_a_gap(
    own: AnyGame,
    gapped: AnyGame,
    state: Any,
    words: tuple[str, ...],
    seats: int,
    calls: Calls,
    first: int,
    exactly: bool,
) -> Iterator[Step | PlayResult[Any, Any]]:
    """Yield the plies of a line: up to the first word that needs gaps by ``own``, then by ``gapped``.

    ``own`` is the plain game and ``gapped`` the same game wrapped by ``with_gaps``. The other arguments are those of
    ``plies``.
    """
    missed = next((at for at, word in enumerate(words) if word.rpartition("/")[2] == MISSING_WORD), len(words))
    behind = yield from _line(own, state, words[:missed], seats, calls, first, exactly, to_a_gap=True)
    if behind is not None and behind.ply < first + len(words):
        yield from _line(gapped, behind.state, words[behind.ply - first :], seats, behind.calls, behind.ply, exactly)


class _Then(NamedTuple):
    """The ply that is to be read next, with the state and the calls before it."""

    ply: int
    state: Any
    calls: Calls


def _line(
    game: AnyGame,
    state: Any,
    words: tuple[str, ...],
    seats: int,
    calls: Calls,
    first: int,
    exactly: bool,
    to_a_gap: bool = False,
) -> Generator[Step | PlayResult[Any, Any], None, _Then | None]:
    """Yield the plies of a line, in short form if they are plain; return the next ply to be read.

    It returns None if the rest is not to be read, because a word could not be read or applied. Every reading of a line
    goes through this loop, so attributes that stay the same are looked up once before it. With ``to_a_gap`` it stops
    before a word that cannot be read because of its ``~``.
    """
    parts, read, play, speaks = game.words, game.words.read, game.rules.play, game.turns.first
    gaps, called = own_game(game) is not game, game.turns.calls
    own_prefixes, write, by_turn = parts.whole, parts.write, parts.needs_prefix is None
    longest = sys.maxsize if nobody_judges(game) else LONGEST_WORD
    for ply, word in enumerate(words, first):
        if word in CALLS and CALLS[word][1] in called:
            step = _call_step(game, state, word, seats, calls, ply)
        else:
            turn = 0 if own_prefixes else speaks(state)
            try:
                if len(word) > longest:
                    raise too_long(word)
                bare = own_prefixes or "/" not in word
                meaning = read(word, turn, state) if bare else _read_behind(game, state, word, seats, turn)
            except NotationError as error:
                if to_a_gap and MISSING_WORD in word and len(word) <= longest:
                    return _Then(ply, state, calls)
                yield Step(ply, word, word, state, calls, UNREAD, calls, error.at_rest())
                return None
            if gaps and type(meaning) is MissedPly:
                meaning = MissedPly(meaning.seat, meaning.signs, ply, meaning.own)
            played = play(state, meaning, exactly)
            if played.verdict is LEGAL and calls is NO_CALLS and not played.breaches:
                move, after = played.move, played.after
                if own_prefixes or (by_turn and move.seat == turn):
                    text = write(move, state, after)
                else:
                    text = parts.spell(move, state, after, turn)
                if text == word:
                    yield played
                    state = after
                    continue
            step = _step(game, state, word, calls, ply, played)
        yield step
        if not step.applied:
            return None
        state, calls = step.after, step.calls_after
    return _Then(first + len(words), state, calls)


def _step(game: AnyGame, state: Any, word: str, calls: Calls, ply: int, played: PlayResult[Any, Any]) -> Step:
    """Return the step of a played word that is not plain; ``played`` is what the rules said of it.

    A word that may be several moves has the error that lists them, and no state after it.
    """
    played = before_the_end(game, state, played, calls)
    move, verdict, after = played.move, played.verdict, played.after
    if type(verdict) is Unclear:
        unclear = _unclear(game, state, word, verdict)
        return Step(ply, word, word, state, calls, PlayResult(None, verdict, None), calls, unclear)
    text = write_word(game, move, state, after)
    now = calls if calls is NO_CALLS or after is None else after_move(calls, move.seat)
    return Step(ply, word, text, state, calls, played, now)


def _from_board(game: AnyGame, step: Step, boards: StatedBoards) -> tuple[Step, StatedBoards]:
    """Return the step with what came of the board stated after it, and the boards for the plies that follow.

    Play goes on from a board that can be true; later boards then put only the plies since this one in doubt. A step
    that was not applied is returned as it is.
    """
    if not step.applied:
        return step, boards
    taken = take_board(game, step.after, step.ply, boards)
    played = PlayResult(step.move, step.verdict, taken.after, (*step.breaches, *taken.breaches))
    step = Step(step.ply, step.word, step.text, step.state, step.calls, played, step.calls_after, step.error, taken)
    return step, StatedBoards(boards.texts, boards.sheet, step.ply) if taken.holds else boards


def step_of(game: AnyGame, state: Any, word: str, seats: int, calls: Calls, ply: int, *, exactly: bool = False) -> Step:
    """Return the step of one word, as ``steps`` would yield it.

    Args:
        game: The game.
        state: The state before the word.
        word: The word, as written.
        seats: The number of seats.
        calls: The calls before it.
        ply: The number of its ply.
        exactly: Whether the verdict is to be exact, worked out from every deal that fits.
    """
    return next(steps(game, state, (word,), seats, calls, ply, exactly=exactly))


def too_long(word: str) -> NotationError:
    """Return (not raise) the error for a word longer than LONGEST_WORD; the length is not checked here."""
    return NotationError(f"found a word of {len(word):,} signs, expected at most {LONGEST_WORD:,}")


def read_word(game: AnyGame, state: Any, word: str, seats: int) -> Any:
    """Return what a word means in a state; the word may begin with the prefix of a seat, as in ``p2/7C``.

    Raises:
        NotationError: If the word has no meaning. Its column is that of the fault where the game knows its place;
            otherwise it is the first one.
    """
    turn = 0 if game.words.whole else game.turns.first(state)
    return _read_behind(game, state, word, seats, turn) if "/" in word else game.words.read(word, turn, state)


def _read_behind(game: AnyGame, state: Any, word: str, seats: int, turn: int) -> Any:
    """Return the meaning of a word with a slash, which may follow the prefix of a seat; ``turn`` is the seat to speak.

    A slash that follows no prefix is left to the game.

    Raises:
        NotationError: If there is no such seat, if nothing follows the prefix, or if the game cannot read the word.
    """
    read, table = game.words.read, game.turns.table
    named, _, signs = word.partition("/")
    if game.words.whole or (named not in _SEATS and not is_numbered(named)):
        return read(word, turn, state)
    seat = _SEATS.get(named, seats + 1)
    if seat > seats or (seat == 0 and not table):
        known = seats_named(seats)
        expected = f"p0, the table, or a seat {known}" if table else f"a seat of this game: {known}"
        raise NotationError(f"found p{cut(named[1:])} in {cut(word)}, expected {expected}")
    if not signs:
        raise NotationError(f"found the end of {cut(word)}, expected a word after {named}/", len(word))
    try:
        meaning = read(signs, seat, state)
    except NotationError as fault:
        raise fault.behind(f"{named}/") from None
    if seat and table and meaning.seat == 0:
        raise NotationError(f"found {cut(word)}, expected {cut(signs)} without a seat")
    return meaning


def write_word(game: AnyGame, move: Any, state: Any, after: Any = None) -> str:
    """Return the canonical spelling of a move in the state before it, with the prefix of its seat if it needs one.

    ``after`` is the state after the move; None if it was not applied.
    """
    return game.words.spell(move, state, after, 0 if game.words.whole else game.turns.first(state))


def _unclear(game: AnyGame, state: Any, word: str, verdict: Unclear) -> NotationError:
    """Return (not raise) the error for a word that may be several moves; it names up to eight of them.

    Its key is ``cgn.ambiguous``. Where the verdict gives a reason, the error has that instead.
    """
    if verdict.because:
        return NotationError(verdict.because, verdict.column, key="cgn.ambiguous")
    fits = [write_word(game, move, state) for move in verdict.moves[:MOVES_SHOWN]]
    if more := len(verdict.moves) - len(fits):
        fits.append(f"one of {more} more moves" if more > 1 else "one more move")
    listed = " or ".join((", ".join(fits[:-1]), fits[-1]) if fits[1:] else fits)
    return NotationError(f"found {cut(word)}, which may be {listed}", key="cgn.ambiguous")


def _call_step(game: AnyGame, state: Any, word: str, seats: int, calls: Calls, ply: int) -> Step:
    """Return the step of a call such as ``Resign`` or ``p2/Resign``; without a prefix it is of the seat to speak.

    A refused call that blocks has no state after it.

    Args:
        game: The game.
        state: The state before the call.
        word: The word, which must be one of CALLS.
        seats: The number of seats.
        calls: The calls before it.
        ply: The number of its ply.
    """
    seat, name = CALLS[word]
    turn = next(iter(actors(game, state)), 1)
    call = Call(turn if word == name else seat, name)
    text = name if call.seat == turn else f"p{call.seat}/{name}"
    answer = answer_call(game, state, call, calls, seats)
    blocks = type(answer.verdict) is Refused and answer.verdict.blocks
    played = PlayResult(call, answer.verdict, None if blocks else game.turns.skip(state))
    return Step(ply, word, text, state, calls, played, answer.calls)


def replay(record: Record, *, strict: bool = False) -> Iterator[tuple[Any, Any, Verdict, tuple[Breach, ...]]]:
    """Replay the main line of a record, ply by ply.

    A refused move is let stand and play goes on; a word that cannot be read or applied ends the replay.

    Args:
        record: The record.
        strict: Whether to raise at the first text that cannot be read, and at the first refused move.

    Yields:
        The state before a ply, its move, the verdict, and the breaches it proves. A move is the game's own or an
        ``engine.Call``.

    Raises:
        NotationError: If the tags set up no game, or as ``strict`` says.
    """
    for problem in record.problems if strict else ():
        if problem.severity == "error":
            raise NotationError(problem.because, problem.column, line=problem.line, key=problem.key)
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        line, column = record.place_of_tag(heading.fault)
        raise NotationError(heading.because, column, line=line, key="record.tag")
    start = start_of(record, heading)
    if isinstance(start, Refused):
        line, column = record.place_of_tag(heading.game.setup_tag)
        raise NotationError(start.because, column, line=line, key=start.clause.key)
    for step in steps(heading.game, start.state, record.line.words, heading.sheet.seats, boards=start.boards):
        if strict and (step.error or type(step.verdict) is Refused):
            line, column = record.place(step.ply)
            if step.error:
                raise NotationError(step.error.because, column + step.error.column - 1, line=line)
            assert isinstance(step.verdict, Refused)
            raise NotationError(step.verdict.because, column, line=line, key=step.verdict.clause.key)
        if step.move is not None:
            yield step.state, step.move, step.verdict, step.breaches


def deal_over(game: AnyGame, step: Step) -> str:
    """Return for people how the points of the deal come about that a ply ended; empty if it ended none.

    Empty too for a call, and for a word that was not read or not applied.
    """
    move = own_move(step.move)
    if move is None or not step.applied:
        return ""
    return after_gaps(game, (step.word,), step.state).points.came_to(step.state, move, step.after)


def draw_after(game: AnyGame, step: Step | None, state: Any, seat: int | None) -> Drawing:
    """Return the drawing of the position after a ply; if the ply ended a deal, of the table before it is cleared.

    Args:
        game: The game.
        step: The ply; None at the start.
        state: The state after it, as it is drawn.
        seat: The seat that looks, 0 for a spectator, None for everything.
    """
    if step is not None and deal_over(game, step):
        end_drawing = after_gaps(game, (step.word,), step.state).words.end_drawing
        if end_drawing is not None:
            return end_drawing(step.state, step.move, state, seat)
    return draw(game.words, state, seat)


def own_move(move: Any) -> Any:
    """Return a move of the game as it is, and None for a call."""
    return None if type(move) is Call else move
