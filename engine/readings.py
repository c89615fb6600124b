"""The states that are possible when something is not known: a set of readings, each with what it assumes.

A word is legal if it is legal in all readings, refused if it is refused in all, and otherwise undecided. Readings in
which it was refused are then dropped. But a word that was refused in all and was let stand keeps every reading in which
it can be applied. For example, with two readings after an unwritten move::

    word legal in A, legal in B      ->  Legal, A and B go on
    word legal in A, refused in B    ->  Undecided, A goes on alone
    word refused in A, refused in B  ->  Refused; if it is let stand, A and B go on

Only the budget can lose a reading that the words allow. A set that has lost one is no longer ``whole``, and decides
nothing more: the lost reading might have given the other verdict.
"""

from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.contract import LEGAL, Breach, Clause, Legal, Open, Played, Refused, Undecided, Verdict
from cartulary.engine.deadline import check_deadline

S = TypeVar("S")

BUDGET = 64
"""The largest number of readings in a set."""

GAP: Clause[Any, Any] = Clause("record.gap", "What nobody wrote down may have been any legal move.", "house ruling")
FILLED: Clause[Any, Any] = Clause(
    "record.filled",
    "What nobody wrote down is known if only one legal move fits everything that follows.",
    "house ruling",
)


class HasOthers(Protocol):
    """A state (a Struct) that stands for several: itself, and the others that are possible."""

    @property
    def others(self) -> tuple[Any, ...]:
        """The other states, none of which has others."""

    @property
    def ply(self) -> int:
        """The number of words before it."""


A = TypeVar("A", bound=HasOthers)


def states_of(state: A) -> tuple[A, ...]:
    """Return the states that are possible, each without others, the state itself first. Nearly always there is one."""
    struct: Any = state
    return (replace(struct, others=()), *state.others) if state.others else (state,)


def skip(state: A) -> A:
    """Return a state and its others with one more ply counted."""
    struct: Any = state
    later: A = replace(struct, ply=state.ply + 1, others=tuple(map(skip, state.others)))
    return later


class Reading(Struct, Generic[S], frozen=True, gc=False):
    """One state that is possible, and what it assumes.

    Attributes:
        state: the state.
        assumes: for each assumption, the oldest first, all its values that lead to the state. If several ways lead to
            it, their values stand side by side and not as so many ways: two moves at one gap and two at another are
            four values to keep, however many ways they make.
        proved: the breaches that this reading shows and another one does not.
    """

    state: S
    assumes: tuple[tuple[Any, ...], ...] = ()
    proved: tuple[Breach, ...] = ()


class Readings(Struct, Generic[S], frozen=True):
    """The states that are possible, at least one of them.

    Attributes:
        each: the readings; their states differ.
        whole: True if no reading was lost to the budget.
    """

    each: tuple[Reading[S], ...]
    whole: bool = True


class Understood(Struct, Generic[S], frozen=True):
    """The answer to a word that was played in all readings.

    Attributes:
        verdict: what the rules say of the word.
        after: the readings that go on, None if the word can be applied in none.
    """

    verdict: Verdict
    after: Readings[S] | None


def itself(state: Any) -> Any:
    """Return the state unchanged, as its own key: only equal states are merged."""
    return state


def gathered(
    readings: Iterable[Reading[S]], complete: bool = True, same: Callable[[S], Hashable] = itself, budget: int = BUDGET
) -> Readings[S]:
    """Merge readings whose states are the same, and drop those beyond the budget.

    Args:
        readings: the readings, in order.
        complete: False if some reading was lost before.
        same: returns a key for a state; states with equal keys are merged under the first of them.
        budget: the largest number of readings.
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
            break
    return Readings(
        tuple(_joined(groups[key]) if key in groups else reading for key, reading in first_by_key.items()), complete
    )


def _joined(readings: list[Reading[S]]) -> Reading[S]:
    """Return one reading for several whose states are the same: it has the first state, and the assumptions of all.

    A breach counts as proved only if every one of them proves it, because any of them may be the true one.
    """
    first, *rest = readings
    assumes = tuple(map(_each_of, zip(*(reading.assumes for reading in readings), strict=True)))
    return Reading(
        first.state,
        assumes,
        tuple(breach for breach in first.proved if all(breach in reading.proved for reading in rest)),
    )


def _each_of(tuples: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
    """Return the union of several tuples, in order. Most are the same object, which is then read only once."""
    different = {id(values): values for values in tuples}.values()
    return tuple(dict.fromkeys(chain.from_iterable(different)))


def branched(
    readings: Readings[S],
    ways: Callable[[S], Iterable[tuple[Any, S]]],
    same: Callable[[S], Hashable] = itself,
    budget: int = BUDGET,
) -> Readings[S]:
    """Replace every reading by all the ways in which it may go on.

    A reading without a way is dropped if another has one.

    Args:
        readings: the readings before.
        ways: returns (assumption, state) for each way in which a state may go on.
        same: returns a key for a state; states with equal keys are merged.
        budget: the largest number of readings.
    """
    branches = (
        Reading(state, (*reading.assumes, (assumed,)), reading.proved)
        for reading in readings.each
        for assumed, state in ways(reading.state)
    )
    merged = gathered(branches, readings.whole, same=same, budget=budget)
    return merged if merged.each else readings


def play_in_all(readings: Readings[S], play: Callable[[S], Played[S, Any]]) -> Understood[S]:
    """Judge a word in every reading, and merge the verdicts into one.

    Args:
        readings: the readings before the word.
        play: plays the word in one state.

    Raises:
        DeadlineExceeded: the deadline has passed.
    """
    tried: list[tuple[Reading[S], Played[S, Any]]] = []
    for reading in readings.each:
        check_deadline()
        tried.append((reading, play(reading.state)))
    refused = [answer.verdict for _, answer in tried if isinstance(answer.verdict, Refused)]
    if len(refused) == len(tried):
        after = _applied(readings, tried)
        if readings.whole:
            first = refused[0]
            blocks = after is None
            return Understood(Refused(first.because, blocks, first.clause, first.opens), after)
        return Understood(Undecided((Open((), clause=GAP),)), after)
    after = _applied(readings, [pair for pair in tried if not isinstance(pair[1].verdict, Refused)])
    opens = [
        question for _, answer in tried if isinstance(answer.verdict, Undecided) for question in answer.verdict.opens
    ]
    opens += [Open((), clause=verdict.clause) for verdict in refused]
    if not readings.whole:
        opens.append(Open((), clause=GAP))
    if not opens and all(isinstance(answer.verdict, Legal) for _, answer in tried):
        return Understood(LEGAL, after)
    return Understood(Undecided(tuple(_each_once(opens))), after)


def with_gap(verdict: Verdict) -> Undecided:
    """Return a verdict with the open question that some readings are no longer followed."""
    opens = verdict.opens if isinstance(verdict, Undecided) else ()
    return Undecided((*(question for question in opens if question.clause is not GAP), Open((), clause=GAP)))


def _each_once(opens: Iterable[Open]) -> Iterable[Open]:
    """Return the first question for each clause and needs."""
    first: dict[tuple[str, object], Open] = {}
    for question in opens:
        first.setdefault((question.clause.key, question.needs), question)
    return first.values()


def _applied(readings: Readings[S], tried: list[tuple[Reading[S], Played[S, Any]]]) -> Readings[S] | None:
    """Return the readings after the word."""
    after = [Reading(answer.after, reading.assumes) for reading, answer in tried if answer.after is not None]
    return gathered(after, readings.whole) if after else None
