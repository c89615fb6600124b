"""Text meets rules: every ply of a record in turn, with the state before it and what the arbiter says.

This is the one loop beneath validating, replaying, rewriting and importing.
"""

import re
import sys
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from cartulary.engine import LEGAL, Breach, Call, Calls, Refused, Undecided, Verdict
from cartulary.engine.calls import NO_CALLS, WORDS, after_move
from cartulary.engine.contract import Played, Unclear
from cartulary.engine.numbers import seats_named
from cartulary.engine.play import actors, before_the_end
from cartulary.engine.play import call as said_call
from cartulary.notation.arbiter.boards import NO_BOARDS, Stated, Taken, start_of, take_board
from cartulary.notation.arbiter.gapped import after_gaps, own_game, until_a_gap
from cartulary.notation.arbiter.gaps import MissedPly
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.cgn.record import MISSED, NotationError, Record
from cartulary.notation.cgn.signs import cut
from cartulary.notation.contract import AnyGame, Words
from cartulary.notation.unjudged import nobody_judges

CALLS: dict[str, tuple[int, str]] = {word: (0, word) for word in WORDS} | {
    f"p{seat}/{word}": (seat, word) for word in WORDS for seat in range(11)
}
"""The words of the calls every game shares, with seat and name; no game reads them as its own."""
_SEATS = {f"p{seat}": seat for seat in range(11)}
"""Seats as they stand before a word."""
UNREAD: Played[Any, Any] = Played(None, LEGAL, None)
"""What comes of a word that could not be read."""
MOVES_SHOWN = 8
"""How many moves are named beside a word that is refused or unclear."""
LONGEST_WORD = 1_000
"""How many signs a word has at most in a game that is judged; a whole deck that is dealt takes some 320."""


class Step(Struct, frozen=True):
    """One ply: the word as written, state and calls before and after it, what it means and what the rules say.

    text: the canonical spelling, the word itself where it could not be read
    error: why the word could not be read or is unclear; then the rest of the line is unread
    board: what came of the boards stated after it, None where none was
    """

    ply: int
    word: str
    text: str
    state: Any
    calls: Calls
    played: Played[Any, Any]
    calls_after: Calls
    error: NotationError | None = None
    board: Taken | None = None

    @property
    def move(self) -> Any:
        """What the word means; None where it could not be read or is unclear."""
        return self.played.move

    @property
    def verdict(self) -> Verdict:
        """What the rules say; legal where the word could not be read."""
        return self.played.verdict

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """Earlier plies that this one proves illegal."""
        return self.played.proved

    @property
    def applied(self) -> bool:
        """False for a word that could not be read and a refused move that cannot be applied: the rest is unread."""
        return self.played.after is not None

    @property
    def after(self) -> Any:
        """The state after it, the one before it where nothing could be applied."""
        return self.state if self.played.after is None else self.played.after

    @property
    def plain(self) -> bool:
        """Legal, spelled canonically, and nothing earlier proved by it."""
        played = self.played
        found = played.proved or self.error is not None or (self.board is not None and self.board.faults)
        return played.verdict is LEGAL and self.text == self.word and not found


def steps(
    game: AnyGame,
    state: Any,
    words: tuple[str, ...],
    seats: int,
    calls: Calls = NO_CALLS,
    first: int = 1,
    *,
    exactly: bool = False,
    boards: Stated = NO_BOARDS,
) -> Iterator[Step]:
    """Yield a Step a word, up to the first that cannot be read or applied; refused moves are let stand.

    state, calls: what stands before the first word; first: its ply
    exactly: every verdict is exact, from every deal that fits; slower
    boards: those stated in the line
    """
    played = plies(game, state, words, seats, calls, first, exactly=exactly, boards=boards)
    for ply, step in enumerate(played, first):
        yield whole(step, ply, words[ply - first], state)
        state = step.after


def whole(step: Step | Played[Any, Any], ply: int, word: str, state: Any) -> Step:
    """Return the Step of what ``plies`` yields; state: the one before it."""
    return Step(ply, word, word, state, NO_CALLS, step, NO_CALLS) if isinstance(step, Played) else step


def leaves_open(verdict: Verdict) -> bool:
    """Say whether a verdict leaves a question open, so that ``exactly`` may say more; of any other it says the same."""
    return type(verdict) is Undecided or (type(verdict) is Refused and bool(verdict.opens))


def bare(step: Step) -> Step | Played[Any, Any]:
    """Return what ``plies`` yields of a Step: of a plain one with no call before it only what was played."""
    return step.played if step.plain and step.calls is NO_CALLS and type(step.move) is not Call else step


def plies(
    game: AnyGame,
    state: Any,
    words: tuple[str, ...],
    seats: int,
    calls: Calls = NO_CALLS,
    first: int = 1,
    *,
    exactly: bool = False,
    boards: Stated = NO_BOARDS,
) -> Iterator[Step | Played[Any, Any]]:
    """Yield the ``steps`` of a line, of a plain one only what was played; nearly all are."""
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
    boards: Stated,
) -> Iterator[Step | Played[Any, Any]]:
    """Yield the plies of a line in which boards are stated, from one board to the next."""
    game, end = after_gaps(game, words, state), first + len(words)
    while first < end:
        last = min((ply for ply in boards.texts if first <= ply < end), default=end - 1)
        then = words[len(words) - (end - first) : len(words) - (end - 1 - last)]
        for ply, step in enumerate(_plies(game, state, then, seats, calls, first, exactly), first):
            if ply in boards.texts:
                step, boards = _from_board(game, whole(step, ply, then[-1], state), boards)
            yield step
            if type(step) is Step:
                if not step.applied:
                    return
                calls = step.calls_after
            state = step.after
        first = last + 1


def _plies(
    game: AnyGame, state: Any, words: tuple[str, ...], seats: int, calls: Calls, first: int, exactly: bool
) -> Iterator[Step | Played[Any, Any]]:
    """Yield the plies of a line, by the game as it is until a word is met that may be one nobody wrote."""
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
) -> Iterator[Step | Played[Any, Any]]:
    """Yield the plies of a line: by the game as it is to the first word it cannot read whole, then with gaps."""
    missed = next((at for at, word in enumerate(words) if word.rpartition("/")[2] == MISSED), len(words))
    then = yield from _line(own, state, words[:missed], seats, calls, first, exactly, to_a_gap=True)
    if then is not None and then.ply < first + len(words):
        yield from _line(gapped, then.state, words[then.ply - first :], seats, then.calls, then.ply, exactly)


class _Then(NamedTuple):
    """What stands before a ply that is still to be read."""

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
) -> Generator[Step | Played[Any, Any], None, _Then | None]:
    """Yield the plies of a line; return what stands behind the last, None where the rest is unread.

    Every reading of a line goes through this one loop, and what is the same for the whole line is looked up once.
    to_a_gap: stop before a word that cannot be read because nobody wrote it whole
    """
    parts, read, play, speaks = game.words, game.words.read, game.rules.play, game.turns.first
    gaps, called = own_game(game) is not game, game.turns.calls
    whole, write, by_turn = parts.whole, parts.write, parts.prefixed is None
    longest = sys.maxsize if nobody_judges(game) else LONGEST_WORD
    for ply, word in enumerate(words, first):
        if word in CALLS and CALLS[word][1] in called:
            step = _call_step(game, state, word, seats, calls, ply)
        else:
            turn = 0 if whole else speaks(state)
            try:
                if len(word) > longest:
                    raise too_long(word)
                bare = whole or "/" not in word
                said = read(word, turn, state) if bare else _read_behind(game, state, word, seats, turn)
            except NotationError as error:
                if to_a_gap and MISSED in word and len(word) <= longest:
                    return _Then(ply, state, calls)
                yield Step(ply, word, word, state, calls, UNREAD, calls, error.at_rest())
                return None
            if gaps and type(said) is MissedPly:
                said = MissedPly(said.seat, said.signs, ply, said.own)
            played = play(state, said, exactly)
            if played.verdict is LEGAL and calls is NO_CALLS and not played.proved:
                move, after = played.move, played.after
                if whole or (by_turn and move.seat == turn):
                    text = write(move, state, after)
                else:
                    text = _spelled(parts, move, state, after, turn)
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


def _step(game: AnyGame, state: Any, word: str, calls: Calls, ply: int, played: Played[Any, Any]) -> Step:
    """Return the Step of what was played."""
    played = before_the_end(game, state, played, calls)
    move, verdict, after = played.move, played.verdict, played.after
    if type(verdict) is Unclear:
        unclear = _unclear(game, state, word, verdict)
        return Step(ply, word, word, state, calls, Played(None, verdict, None), calls, unclear)
    text = write_word(game, move, state, after)
    now = calls if calls is NO_CALLS or after is None else after_move(calls, move.seat)
    return Step(ply, word, text, state, calls, played, now)


def _from_board(game: AnyGame, step: Step, boards: Stated) -> tuple[Step, Stated]:
    """Return the Step with what came of the boards stated after it, and the boards as the plies after it see them."""
    if not step.applied:
        return step, boards
    taken = take_board(game, step.after, step.ply, boards)
    played = Played(step.move, step.verdict, taken.after, (*step.breaches, *taken.proved))
    step = Step(step.ply, step.word, step.text, step.state, step.calls, played, step.calls_after, step.error, taken)
    return step, Stated(boards.texts, boards.sheet, step.ply) if taken.holds else boards


def step_of(game: AnyGame, state: Any, word: str, seats: int, calls: Calls, ply: int, *, exactly: bool = False) -> Step:
    """Return the Step of one word."""
    return next(steps(game, state, (word,), seats, calls, ply, exactly=exactly))


def too_long(word: str) -> NotationError:
    """Return what is wrong with a word of more signs than any game has use for."""
    return NotationError(f"found a word of {len(word):,} signs, expected at most {LONGEST_WORD:,}")


def read_word(game: AnyGame, state: Any, word: str, seats: int) -> Any:
    """Return what a word says, read by the game behind its prefix.

    Raises NotationError with the column of the first sign that fits nothing.
    """
    turn = 0 if game.words.whole else game.turns.first(state)
    return _read_behind(game, state, word, seats, turn) if "/" in word else game.words.read(word, turn, state)


def _read_behind(game: AnyGame, state: Any, word: str, seats: int, turn: int) -> Any:
    """Return what a word with a slash says; turn: the seat whose words bear no prefix."""
    read, table = game.words.read, game.turns.table
    named, _, signs = word.partition("/")
    if game.words.whole or (named not in _SEATS and not re.fullmatch(r"p[0-9]+", named)):
        return read(word, turn, state)
    seat = _SEATS.get(named, seats + 1)
    if seat > seats or (seat == 0 and not table):
        known = seats_named(seats)
        expected = f"p0, the table, or a seat {known}" if table else f"a seat of this game: {known}"
        raise NotationError(f"found p{cut(named[1:])} in {cut(word)}, expected {expected}")
    if not signs:
        raise NotationError(f"found the end of {cut(word)}, expected a word after {named}/", len(word))
    try:
        said = read(signs, seat, state)
    except NotationError as fault:
        raise fault.behind(f"{named}/") from None
    if seat and table and said.seat == 0:
        raise NotationError(f"found {cut(word)}, expected {cut(signs)} without a seat")
    return said


def write_word(game: AnyGame, move: Any, state: Any, after: Any = None) -> str:
    """Return the one spelling of a move in the state before it, with its seat's prefix where it bears one."""
    return _spelled(game.words, move, state, after, 0 if game.words.whole else game.turns.first(state))


def _spelled(words: Words[Any, Any, Any], move: Any, state: Any, after: Any, turn: int) -> str:
    """Return the one spelling of a move. turn: the seat whose words bear no prefix, where the game does not say so"""
    text = words.write(move, state, after)
    if words.whole or not (move.seat != turn if words.prefixed is None else words.prefixed(move, state)):
        return text
    return f"p{move.seat}/{text}"


def _unclear(game: AnyGame, state: Any, word: str, verdict: Unclear) -> NotationError:
    if verdict.because:
        return NotationError(verdict.because, verdict.column, key="cgn.ambiguous")
    fits = [write_word(game, move, state) for move in verdict.moves[:MOVES_SHOWN]]
    if more := len(verdict.moves) - len(fits):
        fits.append(f"one of {more} more moves" if more > 1 else "one more move")
    listed = " or ".join((", ".join(fits[:-1]), fits[-1]) if fits[1:] else fits)
    return NotationError(f"found {cut(word)}, which may be {listed}", key="cgn.ambiguous")


def _call_step(game: AnyGame, state: Any, word: str, seats: int, calls: Calls, ply: int) -> Step:
    seat, name = CALLS[word]
    turn = next(iter(actors(game, state)), 1)
    call = Call(turn if word == name else seat, name)
    text = name if call.seat == turn else f"p{call.seat}/{name}"
    said = said_call(game, state, call, calls, seats)
    blocks = type(said.verdict) is Refused and said.verdict.blocks
    played = Played(call, said.verdict, None if blocks else game.turns.skip(state))
    return Step(ply, word, text, state, calls, played, said.calls)


def replay(record: Record, *, strict: bool = False) -> Iterator[tuple[Any, Any, Verdict, tuple[Breach, ...]]]:
    """Yield (state before, move, verdict, breaches) for every ply of the main line that can be read.

    A move is the game's own Move or an ``engine.Call``. Refused moves are let stand and play goes on; a word that
    cannot be read or applied ends the replay.
    strict: raise NotationError at the first text that cannot be read, or whose move the rules refuse
    Raises NotationError where the tags do not set up a game.
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
    """Return how the points of the deal that a ply ended come about; empty where it ended none."""
    move = own_move(step.move)
    if move is None or not step.applied:
        return ""
    return after_gaps(game, (step.word,), step.state).points.came_to(step.state, move, step.after)


def own_move(move: Any) -> Any:
    """Return a move of the game, None for a call."""
    return None if type(move) is Call else move
