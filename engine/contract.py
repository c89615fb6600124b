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
    """A move: whatever else it holds, it names the seat that makes it."""

    @property
    def seat(self) -> int:
        """The seat, 1…n as in text; 0 is the table itself."""


class Need(Struct, frozen=True):
    """One hidden fact on which an open question turns.

    Attributes:
        place: the place that holds the cards, named as the notation names it: ``p2``.
        slots: the cards or entries of the place that matter, in the numbers of the game.
        ply: the ply at which the question arose.
    """

    place: str
    slots: tuple[int, ...]
    ply: int


def no_check(state: Any, move: Any) -> None:
    """Return None: the check of a clause that judges the set-up or the end of a game, and no moves."""


class Clause(Struct, Generic[S, M], frozen=True, eq=False):
    """One rule of a game, with a permanent key.

    Attributes:
        key: the name by which records and sheets cite the rule; it never changes.
        says: the rule in one sentence in the present tense.
        source: the page or article that has the rule, or ``house ruling``.
        check: judges one move in one state. It returns nothing, ``Refused(because)`` or ``Open(needs)``.
        variants: by variant, the (sentence, source) of the rule there; empty if all variants share one. If it is not
            empty, a variant that is missing does not have the rule, and ``says`` and ``source`` list all variants.
    """

    key: str
    says: str
    source: str
    check: "Callable[[S, M], Refused | Open | None]" = no_check
    variants: Mapping[str, tuple[str, str]] = {}

    def holds_in(self, variant: str) -> bool:
        """Say whether a variant, given by its name, has this rule."""
        return not self.variants or variant in self.variants

    def in_variant(self, variant: str) -> "Clause[S, M]":
        """Return the clause with the sentence and the source that it has in a variant, and the same check.

        It is the clause itself if all variants share one sentence, or if the variant does not have the rule.
        """
        if variant not in self.variants:
            return self
        return Clause(self.key, *self.variants[variant], self.check)


NO_CLAUSE: Clause[Any, Any] = Clause("", "", "")
IMPOSSIBLE: Clause[Any, Any] = Clause(
    "record.impossible",
    "A card or piece can come only from a place where it can be; none is in two places at once.",
    "house ruling",
)
"""The rule for a move that cannot have happened, in a game that has no clause of its own for that."""


class Legal(Struct, frozen=True):
    """The move is legal on every reading of the hidden cards."""


class Refused(Struct, frozen=True):
    """The move is legal on no reading of the hidden cards.

    A check gives ``because`` and ``blocks``; ``judge`` fills in the rest.

    Attributes:
        because: the facts of this position in one sentence, with squares, cards and seats as the notation names them.
        blocks: True if nothing can be applied, because there is no such card. Otherwise the move can stand, marked.
        clause: the rule that is broken.
        opens: the questions that earlier clauses left open: the move may have broken one of those first.
        others: the refusals by other clauses, in the order of the clauses, if the game looks for them.
    """

    because: str
    blocks: bool = False
    clause: Clause[Any, Any] = NO_CLAUSE
    opens: "tuple[Open, ...]" = ()
    others: "tuple[Refused, ...]" = ()


class Open(Struct, frozen=True):
    """The answer of a clause that depends on hidden cards.

    A check gives ``needs`` and ``asks``; ``judge`` fills in the rest.

    Attributes:
        needs: the hidden facts that decide it.
        asks: False if the question is not shown to anybody before it is answered.
        clause: the rule in question.
        refused: True if a later clause refuses the same move.
    """

    needs: tuple[Need, ...]
    asks: bool = True
    clause: Clause[Any, Any] = NO_CLAUSE
    refused: bool = False


class Undecided(Struct, frozen=True):
    """Some readings make the move legal and some do not.

    Attributes:
        opens: every open question. Those of one reading are in the order of the clauses, those of several reading by
            reading.
    """

    opens: tuple[Open, ...]


class Unclear(Struct, frozen=True):
    """The word fits several moves, so it is not applied, and nothing after it is read.

    Attributes:
        moves: the moves that the word fits, in the order of the candidates.
        because: the part of the word that is unclear, in a game that explains it instead of listing moves.
        column: the column of that part in the word, from 1.
    """

    moves: tuple[Any, ...]
    because: str = ""
    column: int = 1


class Unjudged(Struct, frozen=True):
    """The record is not judged: the word stays in it without a verdict."""


Verdict: TypeAlias = Legal | Refused | Undecided | Unclear | Unjudged

LEGAL = Legal()
UNJUDGED = Unjudged()


class Breach(Struct, frozen=True):
    """What a ply proves of earlier ones: that they were illegal, or what a ply nobody wrote must have been.

    Attributes:
        plies: the plies it is about. If there are several, they cannot all have been legal, and none of them can be
            singled out; the word that fits nothing after unwritten plies is then among them. 0 is the set-up.
        key: the rule that was broken; ``record.filled`` if an unwritten ply has become known, and ``record.gap`` if
            what follows unwritten plies fits none of the moves that they may have been, or leaves them unknown.
        because: the proof in one sentence.
        decided_by: the ply that completes the proof; 0 if a stated board does.
    """

    plies: tuple[int, ...]
    key: str
    because: str
    decided_by: int


class PlayResult(Struct, Generic[S, M], frozen=True, gc=False):
    """The answer of ``play``: the move that a word means, its verdict, and the state after it.

    Attributes:
        move: the move. Of an unclear word it is whatever the game has read, and None once the word is replayed; None
            also stands for a word that could not be read, and for what a stated board leaves of several positions.
        verdict: what the rules say of the move; Legal also for a word that could not be read.
        after: the state after the move. A refused move that can stand is carried out too; None if nothing can be
            applied.
        breaches: what this word proves of earlier plies.
    """

    move: M
    verdict: Verdict
    after: S | None
    breaches: tuple[Breach, ...] = ()


class Pending(Struct, frozen=True):
    """The questions that the hidden cards of a record leave open when it ends.

    Attributes:
        open: (ply, key) of every question that may still have either answer. A question that another open one implies
            is left out.
        breaches: the breaches that only all the facts together prove.
    """

    open: tuple[tuple[int, str], ...] = ()
    breaches: tuple[Breach, ...] = ()


NOTHING_PENDING = Pending()


class Remedy(Struct, frozen=True):
    """An action that the rules offer an arbiter after an irregular ply, as a sentence with its source."""

    says: str
    source: str


class Outcome(Struct, frozen=True):
    """How a game ended.

    Attributes:
        shares: one weight for each seat, in seat order. A seat's result is its weight divided by the sum: (0, 1) is
            0-1, and (1, 1) is a draw.
        key: the rule that ended the game.
        because: the reason in one sentence.
    """

    shares: tuple[int, ...]
    key: str
    because: str


_OPENING = re.compile(r"(A|An|Every|It|Neither|No|Nothing|The|There)\b")


def within(because: str) -> str:
    """Return a reason as a part of a longer sentence: its first letter is lowered if it begins with a word such as
    "The".

    ``"No card is left" -> "no card is left"``; a reason that begins with a name, as ``p2 …``, stays.
    """
    return because[:1].lower() + because[1:] if _OPENING.match(because) else because


def won_by(winners: Collection[int], seats: int) -> tuple[int, ...]:
    """Return the shares of a game that these seats have won together.

    Args:
        winners: the seats that share the win.
        seats: how many seats the game has.
    """
    return tuple([int(seat in winners) for seat in range(1, seats + 1)])


_MANY = 4
"""If an option has more numbers than this as values, they are listed as a range."""


class Option(Struct, frozen=True):
    """A published way to play differently, named in the record's Options tag.

    Attributes:
        key: the name of the option in the tag.
        says: the change to the rules, in one sentence.
        values: the texts that may follow ``key=``; empty if the option is a bare word.
    """

    key: str
    says: str
    values: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the option with its values as a message shows it: ``repetition=loss``, ``tie=a|b``.

        More than four values that are numbers are shown as a range, ``rounds=1…20``; an option without values is its
        key alone.
        """
        if len(self.values) > _MANY and all(value.isdecimal() for value in self.values):
            return f"{self.key}={self.values[0]}…{self.values[-1]}"
        return f"{self.key}={'|'.join(self.values)}" if self.values else self.key


class Sheet(Struct, Generic[T], frozen=True):
    """The tags of a score sheet that matter to the rules, as the game's notation has read them.

    Attributes:
        variant: the variant that is played.
        options: the options with their values; the value of a bare option is empty.
        seats: how many seats the game has.
        own: the game's own tags, parsed (a set-up, decks). A sheet without any has None, or what the notation takes in
            their place, such as the usual start.
        remarks: (tag, key, because) of each remark on a tag, such as one that is read otherwise than it stands or that
            lacks another.
    """

    variant: str
    options: dict[str, str]
    seats: int
    own: T | None = None
    remarks: tuple[tuple[str, str, str], ...] = ()


Wording: TypeAlias = str | Mapping[str, str]
"""One text for all variants, or one for each variant that has the rule."""


def clause_by_variant(
    key: str, says: Wording, source: Wording, check: Callable[[S, M], Refused | Open | None] = no_check
) -> Clause[S, M]:
    """Return a clause whose sentence or source may differ by variant.

    Args:
        key: the permanent key of the rule.
        says: the sentence of the rule.
        source: where the rule comes from.
        check: the function that judges a move; leave it out for rules of the set-up or the end.
    """
    names = [name for text in (says, source) if not isinstance(text, str) for name in text]
    variants = {name: (_in(says, name), _in(source, name)) for name in names}
    return Clause(key, _of_all(says, " "), _of_all(source, "; "), check, variants)


def _in(text: Wording, variant: str) -> str:
    """Return a sentence or source as one variant has it; KeyError if it has none."""
    return text if isinstance(text, str) else text[variant]


def _of_all(text: Wording, between: str) -> str:
    """Return the texts of all variants, each after its name, joined by ``between``: ``fft: …``; one text alone stays as
    it is.
    """
    return text if isinstance(text, str) else between.join(f"{name}: {wording}" for name, wording in text.items())


class ClauseDecorator(Protocol):
    """The decorator that ``clause`` returns: it turns a check into a Clause."""

    def __call__(self, check: Callable[[S, M], Refused | Open | None], /) -> Clause[S, M]: ...


def clause(key: str, says: Wording, source: Wording) -> ClauseDecorator:
    """Return a decorator that turns a check into the Clause with this key.

    Args:
        key: the permanent key of the rule.
        says: the sentence of the rule, or one for each variant that has it.
        source: where the rule comes from, or one source for each variant.

    Example:
        >>> @clause("mygame.turn", "The players take turns.", "house ruling")
        ... def turn(state, move): ...
    """

    def decorate(check: Callable[[S, M], Refused | Open | None], /) -> Clause[S, M]:
        """Return the Clause that has this function as its check; the name of the function then stands for the
        Clause.
        """
        return clause_by_variant(key, says, source, check)

    return decorate
