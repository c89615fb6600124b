"""One engine of possible worlds: the states that are possible when something is not known, and a word in all of them.

A *reading* is one state that is possible, with what it assumes. Whatever is not known makes readings: a ply nobody
wrote, an unknown card that is used, a card that may come from two places. A game supplies only what is its own: how a
word goes in one state, and when two states are the same. The rest is done here, in this order:

1. ``branch`` splits a reading into all the ways in which it may go on; ``try_in_all`` tries a word in each.
2. ``merge_verdicts`` makes one verdict of all, and says which go on. A game in which a word proves what was true before
   chooses for itself: after an unwritten move, a refusal only says which move it was not.
3. ``merge`` makes one reading of those whose states are the same, and drops those beyond the budget.

A word is legal if it is legal in all readings, refused if it is refused in all, and otherwise undecided. Readings in
which it was refused are then dropped. But a word that was refused in all and was let stand keeps every reading in which
it can be applied. For example, with two readings after an unwritten move::

    word legal in A, legal in B      ->  Legal, A and B go on
    word legal in A, refused in B    ->  Undecided, A goes on alone
    word refused in A, refused in B  ->  Refused; if it is let stand, A and B go on

Only the budget can lose a reading that the words allow. A set that has lost one is no longer ``whole``, and decides
nothing more: the lost reading might have given the other verdict.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.contract import LEGAL, Breach, Clause, Legal, Open, PlayResult, Refused, Undecided, Verdict
from cartulary.engine.deadline import check_deadline

R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")

BUDGET = 64
"""The largest number of readings in a set, unless a caller gives another."""

GAP: Clause[Any, Any] = Clause("record.gap", "What nobody wrote down may have been any legal move.", "house ruling")
ONLY_MOVE: Clause[Any, Any] = Clause(
    "record.filled",
    "What nobody wrote down is known if only one legal move fits everything that follows.",
    "house ruling",
)


# --- a state that stands for several ---


class HasOthers(Protocol):
    """A state (a Struct) that stands for several: itself, and the others that are possible."""

    @property
    def others(self) -> tuple[Any, ...]:
        """The other states that are possible, none of which has others itself; () if there is only this one."""

    @property
    def ply(self) -> int:
        """The number of words before it."""


A = TypeVar("A", bound=HasOthers)


def states_of(state: A) -> tuple[A, ...]:
    """Return all the states that are possible, each with empty ``others``, the state itself first. Nearly always there
    is one.
    """
    struct: Any = state
    return (replace(struct, others=()), *state.others) if state.others else (state,)


def with_others(states: Sequence[A]) -> A:
    """Return one state that stands for several: the first of them, with the rest as its ``others``.

    There must be at least one, and none of them may have others itself.
    """
    first: Any = states[0]
    state: A = replace(first, others=tuple(states[1:])) if len(states) > 1 else first
    return state


def skip(state: A) -> A:
    """Return a state, and with it its others, with one more ply counted and nothing else changed."""
    struct: Any = state
    later: A = replace(struct, ply=state.ply + 1, others=tuple(map(skip, state.others)))
    return later


# --- sets of readings ---


class Reading(Struct, Generic[S], frozen=True, gc=False):
    """One state that is possible, and what it assumes.

    Attributes:
        state: the state.
        assumes: for each assumption, the oldest first, all its values that lead to the state. If several ways lead to
            it, their values stand side by side and not as so many ways: two moves at one gap and two at another are
            four values to keep, however many ways they make.
        breaches: the breaches that this reading shows and another one does not.
        doubts: (ply, key of the rule) of each question that stays open whatever comes, because the ways that lead to
            the state answer it differently.
    """

    state: S
    assumes: tuple[tuple[Any, ...], ...] = ()
    breaches: tuple[Breach, ...] = ()
    doubts: tuple[tuple[int, str], ...] = ()


class Readings(Struct, Generic[S], frozen=True):
    """The states that are possible, at least one of them.

    Attributes:
        members: the readings; ``merge`` and ``branch`` leave no two with the same state.
        whole: True if no reading was lost to the budget.
    """

    members: tuple[Reading[S], ...]
    whole: bool = True


def itself(state: Any) -> Any:
    """Return the state: the default key of ``merge``, by which only equal states are merged."""
    return state


def join_alike(readings: Sequence[Reading[S]]) -> Reading[S]:
    """Return one reading for several whose states are the same: it has the first state, and the assumptions of all.

    A breach counts as proved only if every one of them proves it, because any of them may be the true one.
    """
    first, *rest = readings
    assumes = tuple(map(_union_of, zip(*(reading.assumes for reading in readings), strict=True)))
    return Reading(
        first.state,
        assumes,
        tuple(breach for breach in first.breaches if all(breach in reading.breaches for reading in rest)),
        tuple(dict.fromkeys(chain.from_iterable(reading.doubts for reading in readings))),
    )


def _union_of(tuples: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
    """Return the values of several tuples without duplicates, in the order in which they first come."""
    different = {id(values): values for values in tuples}.values()
    return tuple(dict.fromkeys(chain.from_iterable(different)))


def merge(
    readings: Iterable[Reading[S]],
    complete: bool = True,
    same: Callable[[S], Hashable] = itself,
    budget: int = BUDGET,
    join: Callable[[Sequence[Reading[S]]], Reading[S]] = join_alike,
) -> Readings[S]:
    """Merge readings whose states are the same, and drop those beyond the budget.

    Args:
        readings: the readings, in order.
        complete: False if some reading was lost before.
        same: returns a key for a state; states with equal keys are merged.
        budget: the largest number of readings.
        join: returns the one reading for those with equal keys; by default the first of their states.
    """
    return _merge(readings, complete, same, budget, join, False)


def _merge(
    readings: Iterable[Reading[S]],
    complete: bool,
    same: Callable[[S], Hashable],
    budget: int,
    join: Callable[[Sequence[Reading[S]]], Reading[S]],
    stop: bool,
) -> Readings[S]:
    """Merge readings as ``merge`` does.

    If ``stop`` is True, no further reading is asked for once one was dropped because of the budget.
    """
    first_by_key: dict[Hashable, Reading[S]] = {}
    groups: dict[Hashable, list[Reading[S]]] = {}
    for reading in readings:
        key = same(reading.state)
        if key in first_by_key:
            groups.setdefault(key, [first_by_key[key]]).append(reading)
        elif len(first_by_key) < budget:
            first_by_key[key] = reading
        else:
            complete = False
            if stop:
                break
    return Readings(
        tuple(join(groups[key]) if key in groups else reading for key, reading in first_by_key.items()), complete
    )


def branch(
    readings: Readings[S],
    ways: Callable[[S], Iterable[tuple[Any, S]]],
    same: Callable[[S], Hashable] = itself,
    budget: int = BUDGET,
    join: Callable[[Sequence[Reading[S]]], Reading[S]] = join_alike,
) -> Readings[S]:
    """Replace every reading by all the ways in which it may go on.

    A reading without a way is dropped if another has one. No further way is looked for once the budget is exceeded.

    Args:
        readings: the readings before.
        ways: returns (assumption, state) for each way in which a state may go on.
        same: returns a key for a state; states with equal keys are merged.
        budget: the largest number of readings.
        join: returns the one reading for those with equal keys; by default the first of their states.
    """
    branches = (
        Reading(state, (*reading.assumes, (assumed,)), reading.breaches, reading.doubts)
        for reading in readings.members
        for assumed, state in ways(reading.state)
    )
    merged = _merge(branches, readings.whole, same, budget, join, True)
    return merged if merged.members else readings


def agreement(answers: Iterable[T]) -> T | None:
    """Return the answer that all readings give, None if they differ. Nothing more is asked once two differ.

    There must be at least one answer.
    """
    answers = iter(answers)
    first = next(answers)
    return first if all(answer == first for answer in answers) else None


# --- a word in all readings ---


def try_in_all(readings: Iterable[R], tries: Callable[[R], Iterable[T]]) -> Iterator[tuple[R, T]]:
    """Try a word in every reading.

    Args:
        readings: the readings before the word, or whatever stands for them.
        tries: returns what the word comes to in one of them, in each way that it may be meant there.

    Yields:
        (reading, what the word comes to), in order.

    Raises:
        DeadlineExceeded: the deadline has passed.
    """
    for reading in readings:
        check_deadline()
        for attempt in tries(reading):
            yield reading, attempt


def merge_verdicts(answers: Sequence[PlayResult[S, Any]], whole: bool) -> tuple[Verdict, list[S]]:
    """Return one verdict for a word played in all readings, and the states that go on.

    Args:
        answers: what came of the word in each reading, in order; at least one.
        whole: True if no reading was lost to the budget.

    Returns:
        The verdict, and the states after the word in the readings that allow it; in those that refuse it only if all
        do. No state goes on if the word can be applied in none.
    """
    refused = [answer.verdict for answer in answers if isinstance(answer.verdict, Refused)]
    if len(refused) == len(answers):
        after = [answer.after for answer in answers if answer.after is not None]
        first = refused[0]
        verdict = Refused(first.because, not after, first.clause, first.opens)
        return verdict if whole else Undecided((Open((), clause=GAP),)), after
    allowed = [answer for answer in answers if not isinstance(answer.verdict, Refused)]
    after = [answer.after for answer in allowed if answer.after is not None]
    opens = [
        question for answer in allowed if isinstance(answer.verdict, Undecided) for question in answer.verdict.opens
    ]
    opens += [Open((), clause=verdict.clause) for verdict in refused]
    if not whole:
        opens.append(Open((), clause=GAP))
    if not opens and all(isinstance(answer.verdict, Legal) for answer in allowed):
        return LEGAL, after
    return Undecided(tuple(_first_for_each(opens))), after


def _first_for_each(opens: Iterable[Open]) -> Iterable[Open]:
    """Return the open questions without those that have the clause and the needs of an earlier one."""
    first: dict[tuple[str, object], Open] = {}
    for question in opens:
        first.setdefault((question.clause.key, question.needs), question)
    return first.values()


def with_gap(verdict: Verdict) -> Undecided:
    """Return a verdict as Undecided, with the question of ``record.gap``: some readings are no longer followed.

    Of a verdict that is not Undecided nothing else is left. The question comes last, and once.
    """
    opens = verdict.opens if isinstance(verdict, Undecided) else ()
    return Undecided((*(question for question in opens if question.clause is not GAP), Open((), clause=GAP)))
