"""A game wrapped around another one, so that its records may have plies nobody wrote.

``with_gaps`` replaces the parts of a game with functions that also understand the states ``Several`` and
``UnknownState``. A record without gaps never meets them: the first test of each function is the type of the state, and
an ordinary state goes straight to the game's own part. So the result of a record without gaps is the same with either
game, and ``walk`` may change to the wrapped one at the first word that needs it:

    after_gaps(game, ("A", "B"))        the game itself
    after_gaps(game, ("A", "~", "B"))   the wrapped game
    own_game(with_gaps(game))           the game itself again

Where several positions are possible a part answers what all of them agree on: points, the outcome, an exact answer.
A picture shows the first of them and says so.

Source: notation.md, "What nobody wrote".
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from textwrap import fill
from typing import Any, TypeVar

from msgspec.structs import replace

from cartulary.engine import Need, Open, Pending, PlayResult, Refused
from cartulary.engine.contract import NOTHING_PENDING
from cartulary.engine.parts import no_split
from cartulary.engine.readings import GAP, agreement
from cartulary.notation.arbiter.gap_play import GapPlay, question_of, what_is_proved
from cartulary.notation.arbiter.gaps import (
    GAPS,
    UNKNOWN_SEAT,
    MissedPly,
    Several,
    UnknownState,
    WordAfterGap,
    fits,
    plies_with_verb,
)
from cartulary.notation.cgn.record import MISSING_WORD, NotationError
from cartulary.notation.cgn.signs import count
from cartulary.notation.contract import AnyGame, Keypad, Touch, TouchTargets, WordForm
from cartulary.notation.drawing import Drawing, drawn_as_text, with_note
from cartulary.notation.picture import WIDTH, Picture, Span
from cartulary.notation.unjudged import nobody_judges

T = TypeVar("T")


def states_of(state: Any) -> tuple[Any, ...]:
    """Return the possible positions as a tuple: those of ``Several`` in their order, or any other state alone.

    ``UnknownState`` too is returned as the only member.
    """
    return tuple(reading.state for reading in state.readings.members) if type(state) is Several else (state,)


def after_gaps(game: AnyGame, words: Iterable[str], state: Any = None) -> AnyGame:
    """Return the game that can play these words from this state.

    A gap is a ply that was made and not written, ``~``. The game is wrapped by ``with_gaps`` if a word has a ``~`` in
    it, or if the state is ``Several`` or ``UnknownState``, which only follow a gap; else it is returned as it is.
    ``state`` may be left out if it is not after a gap.
    """
    return with_gaps(game) if type(state) in GAPS or MISSING_WORD in " ".join(words) else game


@lru_cache(64)
def with_gaps(game: AnyGame) -> AnyGame:
    """Return a game whose records may have gaps, that is plies that were made and not written, ``~``.

    It is the game itself if it is wrapped already, or if nobody judges it. The same game gives the same wrapped game,
    as long as it is among the last 64 asked for.
    """
    return game if nobody_judges(game) or own_game(game) is not game else _Gapped(game).put_together()


def own_game(game: AnyGame) -> AnyGame:
    """Return the plain game that ``with_gaps`` wrapped; a game that is not wrapped is returned as it is."""
    made = getattr(game.rules.play, "__self__", None)
    return made.game if isinstance(made, _Gapped) else game


def until_a_gap(game: AnyGame, state: Any) -> AnyGame:
    """Return the game that reads a line up to its first gap, a ply that was made and not written.

    That is the plain game, which is faster. The wrapped game is returned if the state is already after a gap, or if
    unwritten words may decide who speaks (``Rules.apart``), because only the wrapped one splits positions by that.
    """
    own = own_game(game)
    return own if type(state) not in GAPS and own.rules.apart is no_split else game


def agreeing(game: AnyGame, state: Several, agrees: Callable[[Any], bool]) -> PlayResult[Any, Any] | None:
    """Return the positions that agree with a predicate, as a played ply; None if there is none.

    Args:
        game: A game that ``with_gaps`` has wrapped; any other is an AssertionError.
        state: The positions.
        agrees: ``agrees(position)`` says whether a position, which is a state of the game, is to be kept.
    """
    made = getattr(game.rules.play, "__self__", None)
    assert isinstance(made, _Gapped)
    return made.agreeing(state, agrees)


class _Gapped(GapPlay):
    """A game, and each of its parts as it is where positions may be several or none is known."""

    def put_together(self) -> AnyGame:
        """Return the wrapped game: a copy of the game whose parts also understand states after a gap.

        Each part that needs it is replaced by a method of this class; the game itself is not changed.
        """
        rules, words, turns, points, hidden = self.rules, self.words, self.turns, self.game.points, self.game.hidden
        unknown = UnknownState(0, (), "")
        return replace(
            self.game,
            rules=replace(
                rules,
                play=self.play,
                judge=self.judge,
                candidates=self.candidates,
                complete=self._unless_gap(rules.complete, False),
                outcome=self.outcome,
                clauses_for=self._unless_gap(rules.clauses_for, ()),
                carry=None,
            ),
            words=replace(
                words,
                read=self.read,
                write=self.write,
                picture=self.picture,
                drawing=None if words.drawing is None else self.drawing,
                end_drawing=None if words.end_drawing is None else self.end_drawing,
                came_of=self._unless_either(words.came_of),
                needs_prefix=self.needs_prefix,
                suit_led=self._unless_gap(words.suit_led, ""),
                touch=Touch(
                    targets=lambda state, seat: (
                        TouchTargets()
                        if type(state) is UnknownState
                        else words.touch.targets(states_of(state)[0], seat)
                    ),
                    path=lambda move, state: (
                        ()
                        if type(state) is UnknownState or type(move) in (MissedPly, WordAfterGap)
                        else words.touch.path(move, states_of(state)[0])
                    ),
                    keypad=lambda state, seat: (
                        Keypad() if type(state) is UnknownState else words.touch.keypad(states_of(state)[0], seat)
                    ),
                    form=lambda state, seat: (
                        WordForm() if type(state) is UnknownState else words.touch.form(states_of(state)[0], seat)
                    ),
                    out_of_turn=words.touch.out_of_turn,
                    task=self._unless_gap(words.touch.task, ""),
                    signs=self._unless_gap(words.touch.signs, {}),
                    lines=self._unless_gap(words.touch.lines, ()),
                    unit=words.touch.unit,
                ),
            ),
            turns=replace(
                turns,
                first=self.first,
                actors=self.actors,
                speaks_for=self.speaks_for,
                settle=self.settle,
                skip=self.skip,
                number=self.number,
                due=self._unless_gap(turns.due, ""),
                idle=lambda state: state if type(state) in GAPS else turns.idle(state),
                call=self.call,
            ),
            points=replace(
                points,
                write=self.points,
                tag_faults=self.tag_faults,
                shares=self.shares,
                came_to=self._unless_either(points.came_to),
                gains=self.gains,
                with_score=self.with_score,
            ),
            hidden=replace(
                hidden,
                view=self.view,
                view_move=self.view_move,
                exact=self.exact,
                tell_need=self.tell_need,
                pending=self.pending,
                whereabouts=self._unless_gap(hidden.whereabouts, ()),
            ),
            place=replace(self.game.place, key=self._unless_gap(self.game.place.key, unknown)),
        )

    def _unless_gap(self, answer: Callable[..., T], behind: T) -> Callable[..., T]:
        """Return a function that gives one fixed value in a state after a gap, and elsewhere what ``answer`` returns.

        A state after a gap is ``Several`` or ``UnknownState``. The function takes the state as its first argument and
        passes all arguments on.
        """
        return lambda state, *more: behind if type(state) in GAPS else answer(state, *more)

    def _unless_either(self, came: Callable[[Any, Any, Any], str]) -> Callable[[Any, Any, Any], str]:
        """Return a function (before, move, after) that describes a move, or gives ``""`` if a state is after a gap.

        Such a state is ``Several`` or ``UnknownState``; in any other case it returns what ``came`` does.
        """
        return lambda before, move, after: "" if {type(before), type(after)} & {*GAPS} else came(before, move, after)

    # --- words ---

    def read(self, signs: str, seat: int, state: Any) -> Any:
        """Return the move that a word, given without its prefix, means.

        Where no position is known, it is a ``WordAfterGap`` for any word, ``~`` too. Elsewhere it is a ``MissedPly``
        for a ply nobody wrote, ``~``, or one written in part that the game cannot read; and for any other word it is a
        ``WordAfterGap`` where several positions are possible. ``seat`` is that of the word, 0 for the table, or where
        it is not known who speaks, UNKNOWN_SEAT.

        Raises:
            NotationError: If the word has no ``~`` and no position can read it. Where none is known, any word is read.
        """
        if type(state) is UnknownState:
            return WordAfterGap(max(seat, 0), signs, anybody=seat == UNKNOWN_SEAT)
        try:
            move = self._read(signs, seat, state)
            if signs != MISSING_WORD:
                return move
            # Where some positions cannot read it, the game's own reading would drop these, which may be right as well.
            everywhere = not isinstance(move, WordAfterGap) or None not in move.moves
            return MissedPly(seat, signs, own=move if everywhere else None)
        except NotationError:
            if MISSING_WORD not in signs:
                raise
            return MissedPly(seat, signs)

    def _read(self, signs: str, seat: int, state: Any) -> Any:
        """Return the move a word means; in several positions a ``WordAfterGap`` with the move for each of them.

        The moves are in the order of the positions, None where one cannot read the word.

        Raises:
            NotationError: If no position can read it; it is the error of the first.
        """
        if type(state) is not Several:
            return self.words.read(signs, seat, state)
        moves: list[Any] = []
        fault: NotationError | None = None
        for reading in state.readings.members:
            try:
                moves.append(self._read_in(signs, seat, reading.state))
            except NotationError as error:
                moves.append(None)
                fault = fault or error.at_rest()
        if fault is not None and all(move is None for move in moves):
            raise fault
        return WordAfterGap(seat, signs, tuple(moves))

    def _read_in(self, signs: str, seat: int, state: Any) -> Any:
        """Return the move a word means in one position; seat 0 is the table, or whoever speaks there without prefix.

        Raises:
            NotationError: If the word has no meaning there.
        """
        try:
            return self.words.read(signs, seat or self.turns.first(state), state)
        except NotationError:
            if seat or not self.turns.table:
                raise
            return self.words.read(signs, 0, state)

    def write(self, move: Any, state: Any, after: Any) -> str:
        """Return the canonical spelling of a move, without a prefix; a gap, or a word after one, stays as written.

        ``after`` is the state after the move, or None; a state after a gap counts as None.
        """
        if isinstance(move, MissedPly | WordAfterGap):
            return move.signs
        return self.words.write(move, state, None if type(after) in GAPS else after)

    def needs_prefix(self, move: Any, state: Any) -> bool:
        """Say whether a word is written with the prefix of its seat, also in states after a gap.

        After a gap it is if the seat differs from the one whose words need none. Where the game decides this itself and
        several positions are possible, one that needs a prefix is enough; if they differ in who speaks, a word has none
        only if it is the table's or no position reads it as a seat's.
        """
        own = self.words.needs_prefix
        if type(state) is Several and isinstance(move, WordAfterGap) and move.moves and own is not None:
            pairs = zip(move.moves, states_of(state), strict=True)
            meanings = [(meaning, position) for meaning, position in pairs if meaning is not None]
            if state.mover:
                return any(own(meaning, position) for meaning, position in meanings)
            return not move.anybody and (bool(move.seat) or not any(meaning.seat for meaning, _ in meanings))
        if own is None or type(state) in GAPS or isinstance(move, MissedPly):
            anybody = isinstance(move, WordAfterGap) and move.anybody
            return not anybody and bool(move.seat != self.first(state))
        return own(move, state)

    def picture(self, state: Any, seat: int | None) -> Picture:
        """Return the position as rows of text, as ``Words.picture`` does.

        Of several positions it is the first, with a last row ``one of 3 positions that fit: …``. Where none is known it
        is a sentence that says why. ``seat`` is 0 for a spectator and None for somebody who sees everything.
        """
        if type(state) is UnknownState:
            return _rows(f"The position is not known: {state.because}.")
        if type(state) is not Several:
            return self.words.picture(state, seat)
        rows, says = self.words.picture(state.first, seat), _one_of(state)
        return (*rows, *(_rows(says) if says else ()))

    def drawing(self, state: Any, seat: int | None) -> Drawing:
        """Return the position drawn, of several the first, with a line that says so; the text where none is known.

        It may only be called for a game with ``Words.drawing``.
        """
        assert self.words.drawing is not None
        if type(state) is UnknownState:
            return drawn_as_text(self.picture(state, seat))
        if type(state) is not Several:
            return self.words.drawing(state, seat)
        shown, says = self.words.drawing(state.first, seat), _one_of(state)
        return with_note(shown, f"{says[0].upper()}{says[1:]}") if says else shown

    # --- points: those that all positions agree on ---

    def end_drawing(self, before: Any, move: Any, after: Any, seat: int | None) -> Drawing:
        """Return the table as it lies at the end of a deal; if a state is after a gap, the drawing of ``after``.

        It may only be called for a game with ``Words.end_drawing``.
        """
        end_drawing = self.words.end_drawing
        assert end_drawing is not None
        if {type(before), type(after)} & {*GAPS}:
            return self.drawing(after, seat)
        return end_drawing(before, move, after, seat)

    def points(self, state: Any) -> dict[str, str]:
        """Return the tags of the score whose values all possible positions agree on; ``{}`` if no position is known."""
        if type(state) is UnknownState:
            return {}
        first, *others = map(self.game.points.write, states_of(state))
        return {tag: value for tag, value in first.items() if all(tags.get(tag) == value for tags in others)}

    def tag_faults(
        self, tags: Mapping[str, str], result: str, state: Any, ruled_score: str
    ) -> tuple[tuple[str, str, str], ...]:
        """Return the faults of the tags of the score that hold in every possible position, each (tag, key, because).

        The key and the reason are those of the first position. There are none where no position is known.
        """
        if type(state) is UnknownState:
            return ()
        first, *others = (
            self.game.points.tag_faults(tags, result, position, ruled_score) for position in states_of(state)
        )
        return tuple(fault for fault in first if all(fault[0] in [other[0] for other in faults] for faults in others))

    def shares(self, state: Any, ruled_score: str) -> tuple[int, ...] | None:
        """Return the shares of a record closed now, one a seat.

        It is None if the possible positions differ in them, if no position is known, or if only the end of the game
        decides.
        """
        if type(state) is UnknownState:
            return None
        return agreement(self.game.points.shares(position, ruled_score) for position in states_of(state))

    def gains(self, before: Any, after: Any) -> tuple[Fraction, ...] | None:
        """Return the points won by each seat between two states, if all pairs of possible positions agree on them.

        It is None if they differ or if no position is known in one of the states, and empty in a game without points.
        """
        if UnknownState in {type(before), type(after)}:
            return None
        pairs = product(states_of(before), states_of(after))
        return agreement(self.game.points.gains(earlier, now) for earlier, now in pairs)

    def with_score(self, state: Any, points: tuple[Fraction, ...]) -> Any:
        """Return the state to be drawn with these points, one a seat, as its score.

        Of several positions only the first is changed, the one that is drawn. Where none is known the state stays as it
        is.
        """
        if type(state) is UnknownState:
            return state
        if type(state) is not Several:
            return self.game.points.with_score(state, points)
        first, *others = state.readings.members
        scored = replace(first, state=self.game.points.with_score(first.state, points))
        return replace(state, readings=replace(state.readings, members=(scored, *others)))

    # --- what is known ---

    def view(self, state: Any, seat: int) -> Any:
        """Return the state as a seat may see it; several positions with hidden cards become ``UnknownState``.

        Each of those positions has all cards in it, so a seat is shown none of them.
        """
        hidden = self.game.hidden
        if type(state) is Several and not hidden.face_up:
            return UnknownState(state.ply, state.gaps, f"{plies_with_verb(state.gaps)} not written", state.mover)
        if type(state) is UnknownState and state.last is not None:
            return replace(state, last=hidden.view(state.last, seat))
        return state if type(state) in GAPS else hidden.view(state, seat)

    def view_move(self, state: Any, move: Any, seat: int) -> Any:
        """Return the move as a seat may see it; where all cards lie open, as it is.

        In a game with hidden cards a word after a gap keeps only what the seat sees of it in every possible position;
        if that differs, or nothing is known, it becomes a ``MissedPly``, and so does a gap. ``state`` is the state
        before the move.
        """
        if isinstance(move, WordAfterGap) and type(state) is Several and not self.game.hidden.face_up:
            pairs = zip(state.readings.members, move.moves, strict=True)
            words = {
                self._visible_word(reading.state, meaning, seat) for reading, meaning in pairs if meaning is not None
            }
            return replace(move, signs=words.pop()) if len(words) == 1 else MissedPly(move.seat, MISSING_WORD)
        if isinstance(move, MissedPly | WordAfterGap):
            return move if self.game.hidden.face_up else MissedPly(move.seat, MISSING_WORD)
        return self.game.hidden.view_move(state, move, seat)

    def _visible_word(self, state: Any, move: Any, seat: int) -> str:
        """Return the canonical word of a move in one position, without a prefix, with what the seat has seen of it."""
        return self.words.write(self.game.hidden.view_move(state, move, seat), state, None)

    def tell_need(self, state: Any, need: Need) -> str:
        """Return one sentence on what is known of what a question needs: hidden cards, or the move of a gap.

        It is empty for nothing. Of several positions the first sentence about cards that one of them gives counts; for
        a gap it says how many moves still fit.
        """
        if type(state) is UnknownState and need.place:
            return "" if state.last is None else self.game.hidden.tell_need(state.last, need)
        if type(state) is UnknownState:
            return str(state.because)
        if need.place and (need.slots or type(state) is not Several):
            sentences = (self.game.hidden.tell_need(position, need) for position in states_of(state))
            return next((sentence for sentence in sentences if sentence), "")
        if type(state) is not Several:
            return ""
        many = len(fits(self.game, state, need.ply))
        moves = count(many, "move fits", "moves fit")
        return f"{plies_with_verb((need.ply,))} not written, and {moves} everything that follows"

    def pending(self, state: Any) -> Pending:
        """Return the questions that are open at the end of a record, and the breaches that are proved by then.

        A question is a pair of a ply number and the key of the rule that waits for it. Where no position is known, each
        gap is open unless a finding already reports it.
        """
        if type(state) is Several:
            return self._pending_in_each(state)
        if type(state) is UnknownState:
            before = NOTHING_PENDING if state.last is None else self.game.hidden.pending(state.last)
            gaps = () if state.has_finding else tuple((gap, GAP.key) for gap in state.gaps)
            return Pending((*before.open, *gaps), before.breaches)
        return self.game.hidden.pending(state)

    def _pending_in_each(self, state: Several) -> Pending:
        """Return what is open in some position or proved in some and not in others, and what is proved in all.

        First come the gaps whose move is not known, then the open questions of each position in turn, then what only
        some positions prove; each question comes once.
        """
        gaps = tuple((gap, GAP.key) for gap in state.gaps if gap not in state.known_gaps)
        pendings = [self.pending_in(reading) for reading in state.readings.members]
        proved = [{what_is_proved(breach): breach for breach in pending.breaches} for pending in pendings]
        in_all = {key: breach for key, breach in proved[0].items() if all(key in others for others in proved)}
        some = {question_of(breach) for breaches in proved for key, breach in breaches.items() if key not in in_all}
        doubts = chain(*(reading.doubts for reading in state.readings.members))
        opened = dict.fromkeys((*gaps, *chain(*(pending.open for pending in pendings)), *sorted({*some, *doubts})))
        return Pending(tuple(opened), tuple(in_all.values()))

    def exact(self, state: Any, opened: Open) -> Refused | Open | None:
        """Return the exact answer to an open question: None if it is settled, a refusal, or the question if still open.

        The question of a gap is settled once the move there is known. Of several positions the answer of the first
        counts if all give an answer of that kind; else the question stays open.
        """
        if opened.clause is GAP and opened.needs:
            known = type(state) not in GAPS or (type(state) is Several and opened.needs[0].ply in state.known_gaps)
            return None if known else opened
        if type(state) is UnknownState and state.last is not None:
            return self.game.hidden.exact(state.last, opened)
        if type(state) is UnknownState:
            return opened
        answers = [self.game.hidden.exact(position, opened) for position in states_of(state)]
        return answers[0] if len({type(answer) for answer in answers}) == 1 else opened


def _one_of(state: Several) -> str:
    """Return that the position shown is one of many, and why; empty where it is the only one.

    For example ``one of 3 positions that fit: ply 4 was not written down``.
    """
    many = len(state.readings.members)
    return f"one of {many} positions that fit: {plies_with_verb(state.gaps)} not written down" if many > 1 else ""


def _rows(text: str) -> Picture:
    """Return a sentence as rows of text, wrapped to the width of a picture; each row is one span of style ``frame``."""
    return tuple((Span(row, "frame"),) for row in fill(text, WIDTH).split("\n"))
