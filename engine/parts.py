"""The parts of a game that are rules: each a frozen Struct of functions, with defaults for what a game need not decide.

A game gives the functions it has; a field left out takes its default, and a type checker refuses functions that do not
belong together. Names: ``state`` is all that the rules may look at, frozen and hashable; ``word`` is a word as the
notation has read it, the move itself in most games; ``seat`` is 1…n as in text, and 0 is the table, or the bystander in
a view.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.calls import WORDS, Call, CallResult, Calls, judge_call
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
    PlayResult,
    Refused,
    Remedy,
    Sheet,
    Undecided,
    Verdict,
    no_check,
)

S = TypeVar("S")
M = TypeVar("M", bound=HasSeat)
W = TypeVar("W")
T = TypeVar("T")
Word = TypeVar("Word", contravariant=True)
State = TypeVar("State")
Move = TypeVar("Move", bound=HasSeat)

Judge = Callable[[S, M], Verdict]
ClausesFor = Callable[[S, M], tuple[Clause[S, M], ...]]
Answer = Refused | Open | None
Exact = Callable[[S, Open], Refused | Open | None]


class Play(Protocol[State, Move, Word]):
    """The type of ``play(state, word, exactly=False)``, which judges a word and carries it out."""

    def __call__(self, state: State, word: Word, exactly: bool = False, /) -> PlayResult[State, Move]: ...


# --- rules ---


def no_candidates(state: Any) -> Iterator[Any]:
    """Yield no moves: the default of ``Rules.candidates``, for a game that does not list them."""
    return iter(())


def not_complete(state: Any) -> bool:
    """Return False: the default of ``Rules.complete``. The candidates may then miss a legal move, and perft does not
    count.
    """
    return False


def always_complete(state: Any) -> bool:
    """Return True: a function for ``Rules.complete`` of a game whose candidates include every legal move anywhere."""
    return True


def no_outcome(state: Any) -> None:
    """Return None: the default of ``Rules.outcome``. No state ends the game by itself; a call still may."""


def no_own_clause(end: Outcome) -> None:
    """Return None: the default of ``Rules.over``. A move after the end then breaks the clause that ended the game."""


def always_possible(state: Any, word: Any) -> bool:
    """Return True: the default of ``Rules.later``. Any word may be legal now or later."""
    return True


def no_clauses(state: Any, move: Any) -> tuple[()]:
    """Return (): the default of ``Rules.clauses_for``, for a game that does not list the clauses for a kind of move."""
    return ()


def no_split(state: Any) -> tuple[int, tuple[()]]:
    """Return (0, ()), no ply and no states: the default of ``Rules.apart``. No unwritten ply decides who
    speaks next.
    """
    return 0, ()


class Rules(Struct, Generic[S, M, W, T], frozen=True, eq=False, kw_only=True):
    """The rules of a game: what may be played, and what comes of it. Every function is pure.

    Attributes:
        setup: ``setup(sheet)`` returns the first state, or the refusal of the set-up with its clause. It is called once
            for each record.
        play: ``play(state, word, exactly)`` judges a word and carries it out in one pass. It is called once for each
            word, and takes a move of the candidates too. If ``exactly`` is true it tries every deal that fits before it
            leaves a question open; that is slower, and asked of one ply at a time.
        clauses: every rule of the game in order, those of the set-up and the end last.
        judge: ``judge(state, move)`` returns the verdict alone, for lists of moves and perft. Default: ``play``.
        candidates: ``candidates(state)`` yields every move worth judging, in a fixed order. Default: none.
        complete: ``complete(state)`` says whether the candidates include every legal move; otherwise they are a sample,
            and perft refuses to count. Default: no.
        outcome: ``outcome(state)`` returns how the game ended, None while it goes on. It is called at the end of a
            record, and when a seat speaks that may not. Default: None.
        over: ``over(outcome)`` returns the rule that a move after the end breaks, None for the rule that ended the
            game. Default: None.
        clauses_for: ``clauses_for(state, move)`` returns the rules that a legal move of this kind was held to, for
            ``why``. Default: none.
        carry: ``carry(state, word)`` returns the state after a word that is known to be legal, without judging it. It
            is called to index positions, in games whose cards all lie open. Default: ``play``.
        later: ``later(state, word)`` says whether a word may be legal now or later, as long as words of its kind follow
            one another. It is called when a sheet is restored, where False cuts off a branch of the search. A game for
            two that gives it must have the seats speak in turn. Default: True.
        gap_moves: ``gap_moves(state)`` returns every move that an unwritten ply may have been, None if they
            cannot be listed. Default: the candidates, if they are complete.
        apart: ``apart(state)`` serves states in which an unwritten ply decides who speaks next: it returns that ply and
            the states that are possible. Default: none.
        remedies: ``remedies(state, seat, key, earlier)`` returns what the rules offer an arbiter after a ply of this
            seat broke the clause with this key; ``state`` is the one before the ply, and ``earlier`` holds the keys
            that earlier plies of the seat broke and that stood. Default: none.
    """

    setup: Callable[[Sheet[T]], S | Refused]
    play: Play[S, M, W]
    clauses: tuple[Clause[S, M], ...] = ()
    judge: Judge[S, M] | None = None
    candidates: Callable[[S], Iterator[M]] = no_candidates
    complete: Callable[[S], bool] = not_complete
    outcome: Callable[[S], Outcome | None] = no_outcome
    over: Callable[[Outcome], Clause[S, M] | None] = no_own_clause
    clauses_for: ClausesFor[S, M] = no_clauses
    carry: Callable[[S, W], S] | None = None
    later: Callable[[S, W], bool] = always_possible
    gap_moves: Callable[[S], Iterable[M] | None] | None = None
    apart: Callable[[S], tuple[int, tuple[S, ...]]] = no_split
    remedies: Callable[[S, int, str, Sequence[str]], tuple[Remedy, ...]] | None = None


def leave_open(state: Any, question: Open) -> Open:
    """Return the question: the default of ``exact``, for a game that has no more exact answer to it."""
    return question


def no_breaches(before: Any, after: Any) -> tuple[()]:
    """Return (): the default of ``breaches`` in ``by_clauses``. No word proves an earlier one illegal."""
    return ()


def other_refusals(rules: Rules[S, M, Any, Any], state: S, move: M, refused: Refused) -> Iterator[Refused]:
    """Yield the refusals of a move by the clauses after the one that refused it, as if that one did not hold.

    Args:
        rules: the rules of the game.
        state: the state before the move.
        move: the move.
        refused: the verdict on it.
    """
    yield from refused.others
    checks = rules.clauses if rules.clauses_for is no_clauses else rules.clauses_for(state, move)
    at = next((at for at, clause in enumerate(checks) if clause.key == refused.clause.key), len(checks))
    for clause in checks[at + 1 :]:
        answer = clause.check(state, move)
        if isinstance(answer, Refused):
            yield Refused(answer.because, answer.blocks, clause)


def by_clauses(
    clauses: tuple[Clause[S, M], ...],
    apply: Callable[[S, M], S],
    *,
    clauses_for: ClausesFor[S, M] | None = None,
    exact: Exact[S] = leave_open,
    apply_open: Callable[[S, M, tuple[Open, ...]], S] | None = None,
    breaches: Callable[[S, S], tuple[Breach, ...]] = no_breaches,
) -> tuple[Play[S, M, M], Judge[S, M]]:
    """Make ``play`` and ``judge`` for a game whose rules are clauses that are checked in order.

    The first refusal decides; without one the move leaves all its questions open. A clause may rely on every clause
    before it having passed.

    Args:
        clauses: the rules of the game in order.
        apply: ``apply(state, move)`` returns the state after a move without judging it. Refused moves that can stand
            are applied too.
        clauses_for: ``clauses_for(state, move)`` returns the clauses that this kind of move can break, in order.
            Default: all that have a check.
        exact: ``exact(state, question)`` answers a question from every deal that fits, for a clause that only counts.
        apply_open: ``apply_open(state, move, opens)`` returns the state after a move that left questions open, and
            stores them in it. Default: ``apply``.
        breaches: ``breaches(before, after)`` returns the breaches of earlier plies that a move has proved.

    Returns:
        The functions for ``Rules.play`` and ``Rules.judge``.
    """
    every = tuple(clause for clause in clauses if clause.check is not no_check)
    clauses_of = clauses_for if clauses_for is not None else lambda state, move: every
    keeps = apply_open if apply_open is not None else lambda state, move, opens: apply(state, move)
    finds = breaches is not no_breaches

    def judge(state: S, move: M) -> Verdict:
        """Return the verdict on a move: Legal, Refused or Undecided. Every clause is checked in order, and nothing is
        carried out.
        """
        checks = clauses_of(state, move)
        for clause in checks:
            answer = clause.check(state, move)
            if answer is not None:
                return weigh(state, move, checks, clause, answer, False)
        return LEGAL

    def weigh(
        state: S, move: M, checks: tuple[Clause[S, M], ...], clause: Clause[S, M], answer: Answer, exactly: bool
    ) -> Refused | Undecided | Legal:
        """Return the verdict on a move, given the first answer that is not None; the clauses after it are checked here.

        A refusal decides; open questions before it are kept in it. ``exactly`` asks ``exact`` about every open
        question.
        """
        # Example: "turn" passes, "follow-suit" is open, "reach" refuses. Then the move is refused under "reach", and
        # the refusal carries the open question: if the suit was held after all, the move broke "follow-suit" first.
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

    def play(state: S, move: M, exactly: bool = False, /) -> PlayResult[S, M]:
        """Judge a move, and return it with its verdict, the state after it and what it proves; None for the state if it
        blocks.
        """
        checks = clauses_of(state, move)
        for clause in checks:
            answer = clause.check(state, move)
            if answer is not None:
                return carry_out(state, move, weigh(state, move, checks, clause, answer, exactly))
        after = apply(state, move)
        return PlayResult(move, LEGAL, after, breaches(state, after) if finds else ())

    def carry_out(state: S, move: M, verdict: Legal | Refused | Undecided) -> PlayResult[S, M]:
        """Return a move with its verdict and the state after it, None if the verdict is a refusal that blocks."""
        if isinstance(verdict, Refused) and verdict.blocks:
            return PlayResult(move, verdict, None)
        opens = () if isinstance(verdict, Legal) else verdict.opens
        after = keeps(state, move, opens) if opens else apply(state, move)
        return PlayResult(move, verdict, after, breaches(state, after))

    return play, judge


def _refused(answer: Refused, clause: Clause[Any, Any], opens: tuple[Open, ...]) -> Refused:
    """Return a check's refusal with its clause, and with the questions that earlier clauses left open, marked as
    refused.
    """
    questions = tuple(Open(question.needs, question.asks, question.clause, True) for question in opens)
    return Refused(answer.because, answer.blocks, clause, questions)


# --- turns ---


def same_state(state: Any) -> Any:
    """Return the state as it is: the default of ``Turns.settle``, ``Turns.skip`` and ``Turns.idle``."""
    return state


def count_ply(state: S) -> S:
    """Return the state with its field ``ply`` one higher: a function for ``Turns.skip``."""
    struct: Any = state
    counted: S = replace(struct, ply=struct.ply + 1)
    return counted


def own_speaker(state: Any, seat: int) -> int:
    """Return the seat: the default of ``Turns.speaks_for``. Every seat speaks for itself."""
    return seat


def no_number(state: Any, move: Any) -> None:
    """Return None: the default of ``Turns.number``, for a game that does not number its moves."""


def number_pairs(state: Any, move: Any) -> tuple[int, bool]:
    """Return (number of the pair of plies, whether the first seat is to move), from the fields ``round`` and ``mover``:
    a function for ``Turns.number`` of a game of two seats that move in turn.
    """
    return state.round, state.mover == 1


def no_due(state: Any) -> str:
    """Return "": the default of ``Turns.due``. The turn alone says what comes next."""
    return ""


def no_draw_words(state: Any) -> tuple[str, ...]:
    """Return (): the default of ``Turns.claims``, for a game in which no draw can be claimed."""
    return ()


class Turns(Struct, Generic[S, M], frozen=True, eq=False, kw_only=True):
    """The order of play: who may speak, and what comes next.

    Attributes:
        first: ``first(state)`` returns the seat whose words have no prefix. It is called at every word, so it must be
            cheap. Default: ``state.mover``.
        actors: ``actors(state)`` returns every seat that may speak now, the first in front, 0 for the table; empty
            after the end. Default: the first alone until there is an outcome.
        speaks_for: ``speaks_for(state, seat)`` returns the seat that says the words of another, as declarer does for
            dummy. Default: the seat itself.
        settle: ``settle(state)`` returns the state after forced draws that were not recorded (as unknown cards) and
            with expired reaction windows closed. It is called before the end is looked up. Default: the state.
        skip: ``skip(state)`` returns the state after a call, which changes nothing but the count of plies. Default: the
            state.
        number: ``number(state, move)`` returns the move number of a ply and whether the ply is the first of its round,
            None for no number. ``move`` is None for a call, and for a word that could not be read. Default: None.
        due: ``due(state)`` returns what is to be written next, and how, if the turn alone does not say so: a clause of
            a sentence for a person. Default: an empty text.
        claims: ``claims(state)`` returns the words with which the seat to move may claim a draw now. Default: none.
        call: ``call(state, call, calls, seats)`` judges a call before the end. Default: as CGN defines it.
        calls: the words that are calls in this game; the game reads all others.
        table: True if the table says words of its own, ``p0/…``.
        idle: ``idle(state)`` returns the state to be drawn if nobody plays on, with nobody to move. Default: the state.
    """

    first: Callable[[S], int] = attrgetter("mover")
    actors: Callable[[S], tuple[int, ...]] | None = None
    speaks_for: Callable[[S, int], int] = own_speaker
    settle: Callable[[S], S] = same_state
    skip: Callable[[S], S] = same_state
    number: Callable[[S, M | None], tuple[int, bool] | None] = no_number
    due: Callable[[S], str] = no_due
    claims: Callable[[S], tuple[str, ...]] = no_draw_words
    call: Callable[[S, Call, Calls, int], CallResult] = judge_call
    calls: tuple[str, ...] = WORDS
    table: bool = False
    idle: Callable[[S], S] = same_state


# --- hidden ---


def no_text(state: Any, need: Need) -> str:
    """Return "": the default of ``Hidden.tell_need``, for a game that says nothing about its hidden cards."""
    return ""


def no_pending(state: Any) -> Pending:
    """Return ``NOTHING_PENDING``: the default of ``Hidden.pending``. No question is open at the end of a record."""
    return NOTHING_PENDING


def no_whereabouts(state: Any) -> tuple[()]:
    """Return (): the default of ``Hidden.whereabouts``, for a game that does not list where its cards may lie."""
    return ()


def visible_sheet(sheet: Any, seat: int) -> Any:
    """Return the sheet, or the state, as it is: the default of ``Hidden.view_sheet``. Every seat may read all of it."""
    return sheet


def visible_move(state: Any, move: Any, seat: int) -> Any:
    """Return the move unchanged: the function ``view_move`` of a game whose cards all lie open."""
    return move


def no_moves(state: Any, ply: int) -> tuple[()]:
    """Return (): the default of ``Hidden.may_have_been``, for a game that does not say what an unwritten ply may have
    been.
    """
    return ()


def no_deal(random: Any) -> tuple[str, ...]:
    """Return (): the default of ``Hidden.deal``. Nothing is dealt."""
    return ()


class Hidden(Struct, Generic[S, M, T], frozen=True, eq=False, kw_only=True):
    """What a seat and a bystander know. A game whose cards all lie open uses ``FACE_UP`` instead.

    Attributes:
        view: ``view(state, seat)`` returns the state as the seat sees it; seat 0 is the bystander, who has seen what
            everybody has seen. Two states that a viewer cannot tell apart have equal views, and a view of a view is
            that view.
        view_move: ``view_move(state, move, seat)`` returns the move as the seat sees it, with hidden cards unknown;
            ``state`` is the one before it.
        view_sheet: ``view_sheet(sheet, seat)`` returns the sheet as the seat sees it. Default: the whole sheet.
        exact: ``exact(state, question)`` answers a question from every deal that fits. It is called for questions that
            are open at the end, and by ``why``; give ``by_clauses`` the same function. Default: it stays open.
        tell_need: ``tell_need(state, need)`` returns one sentence of what is known by now of the cards that a question
            turns on, empty if the state no longer has that. Default: an empty text.
        pending: ``pending(state)`` returns what is open and what is proved if the record ends here. It must be exact;
            it is called once for each record, with the last state settled.
        whereabouts: ``whereabouts(state)`` returns (cards, places) of the cards that nobody on record saw, and with
            hidden hands of all that are not played. Cards that may lie in the same places make one line; places read as
            in a sentence, ``with p2 or in the discards``. Default: none.
        may_have_been: ``may_have_been(state, ply)`` returns the moves that a ply may have been, if the game reads its
            ``~`` itself, as for a card that nobody saw; none if the ply is known. Default: none.
        deal: ``deal(random)`` returns the words of a deal for the laws. It is given a ``random.Random``, because rules
            have no chance of their own.
        face_up: True if every card lies open.
    """

    view: Callable[[S, int], S]
    view_move: Callable[[S, M, int], M]
    view_sheet: Callable[[Sheet[T], int], Sheet[T]] = visible_sheet
    exact: Exact[S] = leave_open
    tell_need: Callable[[S, Need], str] = no_text
    pending: Callable[[S], Pending] = no_pending
    whereabouts: Callable[[S], tuple[tuple[str, str], ...]] = no_whereabouts
    may_have_been: Callable[[S, int], tuple[M, ...]] = no_moves
    deal: Callable[[Any], tuple[str, ...]] = no_deal
    face_up: bool = False


FACE_UP: Hidden[Any, Any, Any] = Hidden(view=visible_sheet, view_move=visible_move, face_up=True)
"""The part ``Hidden`` of a game whose cards all lie open."""


# --- place ---

_COUNTS = frozenset(("ply", "round", "turns", "lap", "clock", "breaches"))


def state_fields(state: Any) -> tuple[object, ...]:
    """Return the values of a state's fields, in order: the default of ``Place.key``.

    Left out are the fields ``ply``, ``round``, ``turns``, ``lap``, ``clock`` and ``breaches``.
    """
    return tuple([getattr(state, name) for name in _field_names(state.__struct_fields__)])


@cache
def _field_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some names of fields that ``state_fields`` reads, in order."""
    return tuple(name for name in names if name not in _COUNTS)


class Place(Struct, Generic[S], frozen=True, eq=False, kw_only=True):
    """The identity of positions, for the index of positions.

    Attributes:
        key: ``key(state)`` returns all that matters for how play can go on, and nothing of how the position came about.
            It is stored as JSON. Default: the whole state except the counts of plies and rounds.
        number: the version of the key; a key with another meaning takes the next number.
    """

    key: Callable[[S], object] = state_fields
    number: int = 1
