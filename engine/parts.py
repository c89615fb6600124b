"""The parts of a game that are rules: each a frozen Struct of functions, with defaults for what a game need not decide.

A game gives the functions it has; a field left out takes its default, and a type checker refuses functions that do not
belong together. Names: ``state`` is all the rules may look at, frozen and hashable; ``said`` is what a word says, the
move itself in most games; ``seat`` is 1…n as in text, 0 the table itself, or the bystander where somebody looks.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.calls import WORDS, Call, Called, Calls, call_as_written
from cartulary.engine.contract import (
    LEGAL,
    NOTHING_PENDING,
    Breach,
    Clause,
    HasSeat,
    Legal,
    Need,
    Open,
    Outcome,
    Pending,
    Played,
    Refused,
    Remedy,
    Sheet,
    Undecided,
    Verdict,
    unasked,
)

S = TypeVar("S")
M = TypeVar("M", bound=HasSeat)
W = TypeVar("W")
T = TypeVar("T")
Said = TypeVar("Said", contravariant=True)
State = TypeVar("State")
Move = TypeVar("Move", bound=HasSeat)

Judge = Callable[[S, M], Verdict]
Asked = Callable[[S, M], tuple[Clause[S, M], ...]]
Answer = Refused | Open | None
Exact = Callable[[S, Open], Refused | Open | None]


class Play(Protocol[State, Move, Said]):
    """``play(state, said, exactly=False)``: what a word means here, and what comes of it."""

    def __call__(self, state: State, word: Said, exactly: bool = False, /) -> Played[State, Move]: ...


# --- rules ---


def no_candidates(state: Any) -> Iterator[Any]:
    """Yield nothing: the game lists no moves."""
    return iter(())


def never(state: Any) -> bool:
    """Say no."""
    return False


def nothing(state: Any) -> None:
    """Return nothing."""


def by_its_end(ended: Outcome) -> None:
    """Return nothing: a move after the end breaks the rule that ended the game."""


def ever(state: Any, word: Any) -> bool:
    """Say yes: any word may be legal later."""
    return True


def no_clauses(state: Any, move: Any) -> tuple[()]:
    """Return nothing: which rules a legal word was held to is not told."""
    return ()


def as_one(state: Any) -> tuple[int, tuple[()]]:
    """Return nothing: the state stands for itself alone."""
    return 0, ()


class Rules(Struct, Generic[S, M, W, T], frozen=True, eq=False):
    """What may be played. Every function is pure.

    setup(sheet): the first state, or the refusal of the set-up with its clause; called once a record
    play(state, said, exactly): what the word means here and what comes of it, judged and carried out in one pass;
        called once a word. It takes a move of the candidates too. exactly: every deal that fits is asked before a
        question is left open; slower, asked of one ply at a time
    clauses: every rule of the game in order, those of the set-up and the end last
    judge(state, move): the verdict alone, nothing carried out; called for lists of moves and perft. Default: ``play``
        is asked
    candidates(state): every move worth judging, in a fixed order; a sample where ``complete`` says no. Default: none
    complete(state): whether no legal move is missing from the candidates; perft counts nowhere else. Default: no
    outcome(state): how the game ended, None while play goes on; called at the end of a record, and where a seat speaks
        that may not. Default: it goes on
    over(outcome): the rule a move breaks that is made after the end, None for the rule that ended the game. Default:
        that rule
    asked(state, move): the rules a legal word of this kind was held to, for ``why``. Default: none is named
    carry(state, said): the state after a word that is known to be legal, nothing judged; called where positions are
        indexed, of a game whose cards lie open. Default: ``play`` is asked
    later(state, said): whether a word may be legal here or later, as long as words of its kind follow one another;
        called where a sheet is restored, and a no spares the search what lies behind it. In a game for two that has
        it the seats speak in turn. Default: yes
    missed(state): every move that a ply nobody wrote may have been, None where they cannot be listed. Default: the
        candidates, where they are complete
    remedies(state, seat, key, earlier): what the rules offer an arbiter where a ply of this seat broke the clause of
        this key; state: before it; earlier: the keys that its earlier plies broke and stood. Default: nothing
    apart(state): where it turns on a ply nobody wrote who speaks next, that ply and the states of which one is this
        one. Default: none
    """

    setup: Callable[[Sheet[T]], S | Refused]
    play: Play[S, M, W]
    clauses: tuple[Clause[S, M], ...] = ()
    judge: Judge[S, M] | None = None
    candidates: Callable[[S], Iterator[M]] = no_candidates
    complete: Callable[[S], bool] = never
    outcome: Callable[[S], Outcome | None] = nothing
    over: Callable[[Outcome], Clause[S, M] | None] = by_its_end
    asked: Asked[S, M] = no_clauses
    carry: Callable[[S, W], S] | None = None
    later: Callable[[S, W], bool] = ever
    missed: Callable[[S], Iterable[M] | None] | None = None
    apart: Callable[[S], tuple[int, tuple[S, ...]]] = as_one
    remedies: Callable[[S, int, str, Sequence[str]], tuple[Remedy, ...]] | None = None


def as_counted(state: Any, opened: Open) -> Open:
    """Return the question: nothing more can be worked out of it."""
    return opened


def none_proved(before: Any, after: Any) -> tuple[()]:
    """Return nothing: no word proves an earlier one illegal."""
    return ()


def by_clauses(
    clauses: tuple[Clause[S, M], ...],
    apply: Callable[[S, M], S],
    *,
    asked: Asked[S, M] | None = None,
    exact: Exact[S] = as_counted,
    apply_open: Callable[[S, M, tuple[Open, ...]], S] | None = None,
    proved: Callable[[S, S], tuple[Breach, ...]] = none_proved,
) -> tuple[Play[S, M, M], Judge[S, M]]:
    """Return ``play`` and ``judge`` of a game whose rules are clauses asked of a position in order.

    The first refusal wins, else all questions; a clause may rely on those before it having passed.
    apply(state, move): the state after a move, trusting that it was judged; refused moves that can stand come here too
    asked(state, move): the clauses this kind of move can break, in order. Default: all that have a check
    exact(state, question): its answer from every deal that fits, where the clause has only counted
    apply_open(state, move, opens): the state after a move that left questions open, which it keeps. Default: ``apply``
    proved(before, after): what the move has proved of earlier plies
    """
    every = tuple(clause for clause in clauses if clause.check is not unasked)
    clauses_for = asked if asked is not None else lambda state, move: every
    keeps = apply_open if apply_open is not None else lambda state, move, opens: apply(state, move)
    proves = proved is not none_proved

    def judge(state: S, move: M) -> Verdict:
        checks = clauses_for(state, move)
        for clause in checks:
            answer = clause.check(state, move)
            if answer is not None:
                return weighed(state, move, checks, clause, answer, False)
        return LEGAL

    def weighed(
        state: S, move: M, checks: tuple[Clause[S, M], ...], clause: Clause[S, M], answer: Answer, exactly: bool
    ) -> Refused | Undecided | Legal:
        """Return the verdict from the first answer on, and ask the clauses behind it."""
        opens: tuple[Open, ...] = ()
        behind = iter(checks[checks.index(clause) + 1 :])
        while True:
            if exactly and type(answer) is Open:
                answer = exact(state, Open(answer.needs, answer.asks, clause))
            if type(answer) is Refused:
                return _refused(answer, clause, opens)
            if answer is not None:
                assert type(answer) is Open
                opens += (Open(answer.needs, answer.asks, clause),)
            for clause in behind:
                answer = clause.check(state, move)
                if answer is not None:
                    break
            else:
                return Undecided(opens) if opens else LEGAL

    def play(state: S, move: M, exactly: bool = False, /) -> Played[S, M]:
        checks = clauses_for(state, move)
        for clause in checks:
            answer = clause.check(state, move)
            if answer is not None:
                return carried(state, move, weighed(state, move, checks, clause, answer, exactly))
        after = apply(state, move)
        return Played(move, LEGAL, after, proved(state, after) if proves else ())

    def carried(state: S, move: M, verdict: Legal | Refused | Undecided) -> Played[S, M]:
        if isinstance(verdict, Refused) and verdict.blocks:
            return Played(move, verdict, None)
        opens = () if isinstance(verdict, Legal) else verdict.opens
        after = keeps(state, move, opens) if opens else apply(state, move)
        return Played(move, verdict, after, proved(state, after))

    return play, judge


def _refused(answer: Refused, clause: Clause[Any, Any], opens: tuple[Open, ...]) -> Refused:
    questions = tuple(Open(question.needs, question.asks, question.clause, True) for question in opens)
    return Refused(answer.because, answer.blocks, clause, questions)


# --- turns ---


def same(state: Any) -> Any:
    """Return the state."""
    return state


def later(state: S) -> S:
    """Return the state one ply later, and nothing else changed: for ``Turns.skip`` of a state that counts them."""
    struct: Any = state
    counted: S = replace(struct, ply=struct.ply + 1)
    return counted


def itself(state: Any, seat: int) -> int:
    """Return the seat: each speaks for itself."""
    return seat


def unnumbered(state: Any, move: Any) -> None:
    """Return nothing: the game numbers no moves."""


def nothing_due(state: Any) -> str:
    """Return nothing: whose turn it is says what comes next."""
    return ""


def none_claimed(state: Any) -> tuple[str, ...]:
    """Return nothing: no draw is to be claimed."""
    return ()


class Turns(Struct, Generic[S, M], frozen=True, eq=False):
    """Who may speak.

    first(state): the seat whose words bear no prefix; called at every word, so it only looks. Default: ``state.mover``
    actors(state): every seat that may speak now, the first in front, 0 for the table; empty after the end. Default: the
        first alone until there is an outcome
    speaks_for(state, seat): the seat that says the words of another, as declarer does for dummy. Default: the seat
        itself
    settle(state): the state with compelled draws nobody wrote made unknown and unanswered windows closed; called before
        the end is looked at. Default: the state
    skip(state): the state after a ply that was a call: nothing has changed but the count of plies. Default: the state
    number(state, move): a ply's move number and whether it is the first of its round, None for no number; move: None
        for a word that could not be read, and for a call. Default: no numbers
    due(state): what is to be written next, and how, where whose turn it is does not say so; a clause of a sentence for
        a person. Default: nothing
    claims(state): the words with which the seat to move may claim a draw now. Default: none
    call(state, call, calls, seats): what the rules say of a call before the end, and what stands after it. Default: as
        CGN has them
    calls: the words that are calls here; the others are the game's to read
    table: whether the table tells words of its own, ``p0/…``
    left(state): the state to be drawn where nobody plays on from it: with nobody to move. Default: the state
    """

    first: Callable[[S], int] = attrgetter("mover")
    actors: Callable[[S], tuple[int, ...]] | None = None
    speaks_for: Callable[[S, int], int] = itself
    settle: Callable[[S], S] = same
    skip: Callable[[S], S] = same
    number: Callable[[S, M | None], tuple[int, bool] | None] = unnumbered
    due: Callable[[S], str] = nothing_due
    claims: Callable[[S], tuple[str, ...]] = none_claimed
    call: Callable[[S, Call, Calls, int], Called] = call_as_written
    calls: tuple[str, ...] = WORDS
    table: bool = False
    left: Callable[[S], S] = same


# --- hidden ---


def untold(state: Any, need: Need) -> str:
    """Return nothing: what is known of hidden cards is not told."""
    return ""


def none_pending(state: Any) -> Pending:
    """Return that nothing is open."""
    return NOTHING_PENDING


def nowhere(state: Any) -> tuple[()]:
    """Return nothing: where cards may lie is not told."""
    return ()


def seen_whole(sheet: Any, seat: int) -> Any:
    """Return it: all may read it."""
    return sheet


def seen_by_all(state: Any, move: Any, seat: int) -> Any:
    """Return the move: nothing in it is hidden."""
    return move


def none_missed(state: Any, ply: int) -> tuple[()]:
    """Return no moves: what nobody wrote down is not kept."""
    return ()


def no_deal(random: Any) -> tuple[str, ...]:
    """Return no words: nothing is dealt."""
    return ()


class Hidden(Struct, Generic[S, M, T], frozen=True, eq=False):
    """What a seat and a bystander know. A game whose cards all lie open takes ``FACE_UP`` instead.

    view(state, seat): what the seat may see, 0 the bystander, who has seen what all have seen; equal for two states
        that cannot be told apart by who looks. ``view(view(state, seat), seat)`` is ``view(state, seat)``
    view_move(state, move, seat): the move as it is seen, hidden cards unknown; ``state`` is the one before it
    view_sheet(sheet, seat): the sheet as it is seen. Default: all may read it
    exact(state, question): its answer from every deal that fits, called for what is still open at the end and by
        ``why``; ``by_clauses`` takes the same function. Default: it stays open
    tell_need(state, need): one sentence of what is known by now of the cards a question turns on; empty once that is
        not kept. Default: nothing
    pending(state): what is open and what is proved if the record ends here; exact, called once a record, with the last
        state settled
    whereabouts(state): (cards, places) of all cards that are not played, cards alike in one line, the fewest first;
        places as a sentence says them, ``with p2 or in the discards``. Default: nothing
    may_have_been(state, ply): the moves that a ply may have been whose ``~`` the game reads itself, such as a card
        nobody saw; none where it is known. Default: none
    deal(random): the words of a deal, for the laws; a ``random.Random`` comes in, as the rules throw no dice
    face_up: every card lies open, and nothing is unknown to anybody
    """

    view: Callable[[S, int], S]
    view_move: Callable[[S, M, int], M]
    view_sheet: Callable[[Sheet[T], int], Sheet[T]] = seen_whole
    exact: Exact[S] = as_counted
    tell_need: Callable[[S, Need], str] = untold
    pending: Callable[[S], Pending] = none_pending
    whereabouts: Callable[[S], tuple[tuple[str, str], ...]] = nowhere
    may_have_been: Callable[[S, int], tuple[M, ...]] = none_missed
    deal: Callable[[Any], tuple[str, ...]] = no_deal
    face_up: bool = False


FACE_UP: Hidden[Any, Any, Any] = Hidden(seen_whole, seen_by_all, face_up=True)
"""Every card lies open: nothing is unknown to anybody."""


# --- place ---

_COUNTS = frozenset(("ply", "round", "turns", "lap", "clock", "proved"))


def uncounted(state: Any) -> tuple[object, ...]:
    """Return a state without what only counts plies and rounds."""
    return tuple([getattr(state, name) for name in _uncounted(state.__struct_fields__)])


@cache
def _uncounted(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in _COUNTS)


class Place(Struct, Generic[S], frozen=True, eq=False):
    """What makes two positions the same, for the index of positions.

    key(state): all that matters for how play can go on, and nothing that only tells how it came about; written as JSON.
        Default: the whole state but what counts plies and rounds
    number: of this encoding; a key that says something else takes the next one
    """

    key: Callable[[S], object] = uncounted
    number: int = 1
