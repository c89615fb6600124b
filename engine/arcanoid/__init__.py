"""Arcanoid: four battles a round, fought with the 78 tarot cards, and twenty-two trumps that bend the rules.

Rules: the page of Arcanoid by its author; what it leaves open is ruled by the house.
State: hands and fields of seats and daemons, deck and pile as bytes, and the words that are due (``state``).
Chance: the table tells hands, decks and draws, as far as the record knows them.
"""

from msgspec.structs import replace

from cartulary.engine.arcanoid.applying import say
from cartulary.engine.arcanoid.choices import candidates
from cartulary.engine.arcanoid.claims import entries_of, unanswered
from cartulary.engine.arcanoid.clauses import BY_KEY, CLAUSES, keyed
from cartulary.engine.arcanoid.commitments import UNSEEN
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.readings import parted
from cartulary.engine.arcanoid.rounds import tallied
from cartulary.engine.arcanoid.settling import actors, expected, settle
from cartulary.engine.arcanoid.setups import Start, setup
from cartulary.engine.arcanoid.state import VARIANTS, State
from cartulary.engine.arcanoid.viewing import view, view_move, view_sheet
from cartulary.engine.contract import Breach, Clause, Need, Open, Option, Outcome, Pending
from cartulary.engine.parts import uncounted

__all__ = [
    "CLAUSES",
    "COMPLETE",
    "EDITION",
    "KEY",
    "OPTIONS",
    "OVER",
    "SEATS",
    "TITLE",
    "VARIANTS",
    "Move",
    "Start",
    "State",
    "actors",
    "apply",
    "asked",
    "breaches",
    "candidates",
    "exact",
    "expected",
    "known",
    "outcome",
    "pending",
    "position",
    "score",
    "settle",
    "setup",
    "skip",
    "standing",
    "view",
    "view_move",
    "view_sheet",
]

KEY = "arcanoid"
TITLE = "Arcanoid"
EDITION = "arcanoid-2026"
SEATS = (4, 2, 3, 5, 6, 7, 8, 9, 10, 11)
OPTIONS = (
    Option("rounds", "The game has so many rounds instead of five.", tuple(str(count) for count in range(1, 100))),
    Option("tie", "Equal sums are decided by fewer cards, or for who committed first.", ("fewer-cards", "earlier")),
    Option("gaza", "An extra last seat, the USA, discards and abdicates by rote."),
)

# --- legal moves ---


def COMPLETE(state: State) -> bool:
    """Say that the candidates are a sample: cards are committed in very many ways."""
    return False


OVER: Clause[State, Move] | None = BY_KEY["arcanoid.finished"]
_NONE: tuple[Clause[State, Move], ...] = ()


def asked(state: State, move: Move) -> tuple[Clause[State, Move], ...]:
    """Return the clause a word breaks first, or leaves in question; none where it does neither."""
    _, fault, question = say(state, move)
    if fault is not None:
        return (BY_KEY[keyed(fault.key)],)
    return (BY_KEY[question[0]],) if question is not None else _NONE


# --- apply ---


def apply(state: State, move: Move, opens: tuple[Open, ...] = ()) -> State:
    """Return the state after the word; open questions are kept until later words answer them."""
    after = say(state, move)[0]
    return after if after is not None else skip(state)


# --- aftermath ---


def breaches(before: State, after: State) -> tuple[Breach, ...]:
    """Return what the last word has proved of earlier plies."""
    return after.proved[len(before.proved) :] if after.proved is not before.proved else ()


def skip(state: State) -> State:
    """Return the state one ply later."""
    return replace(state, ply=state.ply + 1, others=tuple(map(skip, state.others)))


def exact(state: State, opened: Open) -> Open:
    """Return the question: only a later word can answer it."""
    return opened


def known(state: State, need: Need) -> str:
    """Say what is known of the hand a question turns on."""
    return f"{need.place} was not seen"


def pending(state: State) -> Pending:
    """Return what no word has answered: claims about hands, what lies face down, and what neither can say any more."""
    still: set[tuple[int, str]] = set()
    for one in parted(settle(state)):
        still.update(one.unread, *map(unanswered, one.doubts))
        for side in one.sides:
            for there in side.fields:
                if there is not None and there.kind == UNSEEN:
                    still.add((there.ply, "arcanoid.face-down"))
                    still.update([(there.tried, "arcanoid.fool")] * bool(there.tried))
    return Pending(tuple(sorted(still)))


def position(state: State) -> tuple[object, ...]:
    """Return what makes two positions the same: of the claims about hands what was said, not how it was weighed."""
    said = tuple((ledger.who, entries_of(ledger)) for ledger in state.doubts)
    return uncounted(replace(state, doubts=(), others=())), said, tuple(map(position, state.others))


# --- end ---


def outcome(state: State) -> Outcome | None:
    """Return how the game ended."""
    return state.ended


def standing(state: State) -> None:
    """Return nothing: only the end decides."""


def score(state: State) -> tuple[int, ...]:
    """Return the fields each seat has won so far."""
    return tuple(tally[0] for tally in tallied(settle(state).wins, state.house.seats))
