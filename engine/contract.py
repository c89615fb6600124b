"""What rules speak of: clauses, verdicts, what was played, outcomes, sheets.

It knows no game, no notation and no storage. Terms: a *state* is everything the rules may look at; a *move* is
what a seat or the table chooses; a *clause* is one rule with a permanent key; a *verdict* is what the clauses
say of one move.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

S = TypeVar("S")
M = TypeVar("M", bound="HasSeat")
T = TypeVar("T")


class HasSeat(Protocol):
    """A move: whatever else it holds, it says whose it is."""

    @property
    def seat(self) -> int:
        """1…n as in text, 0 the table itself."""


class Need(Struct, frozen=True):
    """One hidden fact a question turns on: which slots of a place, and the ply at which it is asked."""

    place: str
    slots: tuple[int, ...]
    ply: int


def unasked(state: Any, move: Any) -> None:
    """Answer nothing: the check of clauses that judge the set-up or the end instead of moves."""


class Clause(Struct, Generic[S, M], frozen=True, eq=False):
    """One rule: a permanent key, one present-tense sentence, and where it comes from.

    ``check`` answers for one move in one state: nothing, ``Refused(because)`` or ``Open(needs)``.
    variants: where these differ, (says, source) by variant, for those that have the rule; ``says`` and ``source`` then
        tell of all of them
    """

    key: str
    says: str
    source: str
    check: "Callable[[S, M], Refused | Open | None]" = unasked
    variants: Mapping[str, tuple[str, str]] = {}

    def holds_in(self, variant: str) -> bool:
        """Say whether the variant has this rule."""
        return not self.variants or variant in self.variants

    def in_variant(self, variant: str) -> "Clause[S, M]":
        """Return the rule with the sentence and the source it has in the variant."""
        if variant not in self.variants:
            return self
        return Clause(self.key, *self.variants[variant], self.check)


UNCITED: Clause[Any, Any] = Clause("", "", "")
IMPOSSIBLE: Clause[Any, Any] = Clause(
    "record.impossible",
    "A card or piece can come only from a place where it can be; none is in two places at once.",
    "house ruling",
)
"""What a move breaks that cannot have happened, where the game has no clause of its own for it."""


class Legal(Struct, frozen=True):
    """The move is legal on every reading of the hidden cards."""


class Refused(Struct, frozen=True):
    """The move is legal on no reading.

    because: the facts here, one sentence, naming squares, cards and seats as the notation does
    blocks: nothing can be applied (no such card there); otherwise the move can stand, marked
    clause, opens: filled in by ``judge``; a clause function leaves them out. opens: what clauses before this one left
        open, so that the move may turn out to have broken one of them first
    """

    because: str
    blocks: bool = False
    clause: Clause[Any, Any] = UNCITED
    opens: "tuple[Open, ...]" = ()


class Open(Struct, frozen=True):
    """A clause's answer that depends on hidden cards. ``asks=False``: shown only once it is answered.

    clause, refused: filled in by ``judge``; refused: a later clause refuses the same move
    """

    needs: tuple[Need, ...]
    asks: bool = True
    clause: Clause[Any, Any] = UNCITED
    refused: bool = False


class Undecided(Struct, frozen=True):
    """Some reading makes the move legal and some does not; every open question, in clause order."""

    opens: tuple[Open, ...]


class Unclear(Struct, frozen=True):
    """The word fits several moves: it is not applied, and what stands behind it is not read.

    moves: those it fits, in the order of the candidates; each is told in its one spelling
    because, column: what of the word is unclear and where it stands, from 1, in a game that says so instead
    """

    moves: tuple[Any, ...]
    because: str = ""
    column: int = 1


class Unjudged(Struct, frozen=True):
    """The record is not judged: the word is kept, and nothing is said about it."""


Verdict: TypeAlias = Legal | Refused | Undecided | Unclear | Unjudged

LEGAL = Legal()
UNJUDGED = Unjudged()


class Breach(Struct, frozen=True):
    """Earlier plies proved illegal by a later one. More than one ply: they cannot all have been legal."""

    plies: tuple[int, ...]
    key: str
    because: str
    decided_by: int


class Played(Struct, Generic[S, M], frozen=True, gc=False):
    """What a word means in a state, and what comes of it.

    move: None only where the verdict is Unclear
    after: the state after it, refused moves that can stand carried out too; None where nothing can be applied
    proved: the breaches of earlier plies that this word shows
    """

    move: M
    verdict: Verdict
    after: S | None
    proved: tuple[Breach, ...] = ()


class Pending(Struct, frozen=True):
    """What the hidden cards of a record leave open when it ends.

    open: (ply, key) of every question that has both answers, but for those another open one implies
    proved: what only all the facts together prove; a Breach of several plies is one none of which can be named
    """

    open: tuple[tuple[int, str], ...] = ()
    proved: tuple[Breach, ...] = ()


NOTHING_PENDING = Pending()


class Remedy(Struct, frozen=True):
    """Something an arbiter may do about an irregular ply, as a sentence, with its source."""

    says: str
    source: str


class Outcome(Struct, frozen=True):
    """How the game ended.

    shares: one weight a seat, in seat order; a seat's result is its weight over their sum: (0, 1) is 0-1,
        (1, 1) a draw
    key: the rule that ended it
    """

    shares: tuple[int, ...]
    key: str
    because: str


_OPENING = re.compile(r"(A|An|Every|It|Neither|No|Nothing|The|There)\b")


def within(because: str) -> str:
    """Return a reason as it stands within a sentence: its first word small, where that is no name."""
    return because[:1].lower() + because[1:] if _OPENING.match(because) else because


def won_by(winners: Collection[int], seats: int) -> tuple[int, ...]:
    """Return the shares of a game that these seats have won together."""
    return tuple(int(seat in winners) for seat in range(1, seats + 1))


_MANY = 4
"""More values than that are said as a range, where they are numbers."""


class Option(Struct, frozen=True):
    """A published way to play differently, named in the record's Options tag.

    values: what may follow ``key=``; empty for a bare word
    """

    key: str
    says: str
    values: tuple[str, ...] = ()

    def listed(self) -> str:
        """Return the option with the values it takes, many numbers as a range."""
        if len(self.values) > _MANY and all(value.isdecimal() for value in self.values):
            return f"{self.key}={self.values[0]}…{self.values[-1]}"
        return f"{self.key}={'|'.join(self.values)}" if self.values else self.key


class Sheet(Struct, Generic[T], frozen=True):
    """What a score sheet says before the first move, read by the game's notation pair.

    own: the game's own tags, parsed (a set-up, decks), or None where the sheet has none
    remarks: (tag, key, because) of what in these tags is read otherwise than it stands
    """

    variant: str
    options: dict[str, str]
    seats: int
    own: T | None = None
    remarks: tuple[tuple[str, str, str], ...] = ()


Wording: TypeAlias = str | Mapping[str, str]
"""A text for all variants, or one for each variant that has the rule."""


def worded(
    key: str, says: Wording, source: Wording, check: Callable[[S, M], Refused | Open | None] = unasked
) -> Clause[S, M]:
    """Return the Clause with this key, these words and this check."""
    names = [name for text in (says, source) if not isinstance(text, str) for name in text]
    variants = {name: (_in(says, name), _in(source, name)) for name in names}
    return Clause(key, _of_all(says, " "), _of_all(source, "; "), check, variants)


def _in(text: Wording, variant: str) -> str:
    return text if isinstance(text, str) else text[variant]


def _of_all(text: Wording, between: str) -> str:
    return text if isinstance(text, str) else between.join(f"{name}: {wording}" for name, wording in text.items())


class ClauseDecorator(Protocol):
    """What ``clause`` returns: turns a check into the Clause that carries it."""

    def __call__(self, check: Callable[[S, M], Refused | Open | None], /) -> Clause[S, M]: ...


def clause(key: str, says: Wording, source: Wording) -> ClauseDecorator:
    """Make the decorated check the Clause with this key, sentence and source."""

    def decorate(check: Callable[[S, M], Refused | Open | None], /) -> Clause[S, M]:
        return worded(key, says, source, check)

    return decorate
