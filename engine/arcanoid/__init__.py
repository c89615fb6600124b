"""Arcanoid: four battles a round, fought with the 78 tarot cards, and twenty-two trumps that bend the rules.

Rules: the page of Arcanoid by its author; what it leaves open is ruled by the house.
State: hands and fields of seats and daemons, deck and pile as bytes, and the words that are due (``state``).
Chance: the table tells hands, decks and draws, as far as the record knows them.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.arcanoid.cards import in_word_order
from cartulary.engine.arcanoid.claims import entries_of, open_claims
from cartulary.engine.arcanoid.clauses import CLAUSES, FACE_DOWN, FOOL, NO_MORE_MOVES, SEAT_COUNT
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.dues import settle, tally_fields
from cartulary.engine.arcanoid.moves import DAEMON, Move
from cartulary.engine.arcanoid.play import actors, next_speaker, play, with_speaker
from cartulary.engine.arcanoid.round import begin_round, end_deal, fresh_sides
from cartulary.engine.arcanoid.state import UNSEEN, VARIANTS, Options, State
from cartulary.engine.arcanoid.views import view, view_move
from cartulary.engine.contract import Need, Option, Pending, Refused, Sheet
from cartulary.engine.numbers import how_many, seats_named
from cartulary.engine.parts import Hidden, Place, Rules, Turns, state_fields
from cartulary.engine.readings import skip, states_of
from cartulary.engine.slots import UNKNOWN

__all__ = ["HIDDEN_CARDS", "OPTIONS", "PLACE", "RULES", "SEATS", "TURNS", "VARIANTS", "Move", "Start", "State"]
__all__ += ["pending", "score", "settle", "setup", "view", "view_move"]

SEATS = (4, 2, 3, 5, 6, 7, 8, 9, 10, 11)
OPTIONS = (
    Option("rounds", "The game has that many rounds instead of five.", tuple(str(count) for count in range(1, 100))),
    Option(
        "tie",
        "Equal sums go to the commitment with fewer cards, or to the earlier commitment.",
        ("fewer-cards", "earlier"),
    ),
    Option("gaza", "An extra last seat, the USA, discards and abdicates by rote."),
)
REAL = range(2, 11)
"""How many seats there may be besides the USA."""


# --- the set-up ---


class Start(Struct, frozen=True):
    """The tag of a record that only Arcanoid has.

    Attributes:
        first: The seat that begins the first round, from 1.
    """

    first: int = 1


def setup(sheet: Sheet[Start]) -> State | Refused:
    """Return the state before the first deal.

    Args:
        sheet: The variant, the options, how many seats there are, and who begins.

    Returns:
        The state, or the refusal under ``arcanoid.seats``.

    Source: arcanoid.seats
    """
    gaza = "gaza" in sheet.options
    real = sheet.seats - (1 if gaza else 0)
    if real not in REAL:
        return Refused(f"the game has {how_many(real, 'seat')}{' besides the USA' if gaza else ''}", True, SEAT_COUNT)
    first = sheet.own.first if sheet.own is not None else 1
    if not 1 <= first <= real:
        return Refused(f"p{first} is to begin, but the seats are {seats_named(real, 'and')}", True, SEAT_COUNT)
    rounds = int(sheet.options.get("rounds", "5"))
    usa = sheet.seats if gaza else 0
    options = Options(sheet.variant, sheet.seats, usa, rounds, first, sheet.options.get("tie", ""))
    draft = Draft(State(options, fresh_sides(sheet.seats)))
    begin_round(draft)
    return draft.frozen()


# --- what the contract asks ---


def number_turn(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return which lap of the table a move belongs to; a lap is one turn of every seat and daemon.

    Args:
        state: The record before the move.
        move: The move as ``play`` returned it, None for the next regular move.

    Returns:
        The lap, from 1, and whether the move is the first of its lap. None for a word that is no turn of its own: what
        the table names, a vote, the Fool, a Hermit's extra move, a second trump in one turn, a card turned up.
    """
    if move is not None:
        return move.lap
    now = settle(state)
    return now.lap, not now.lap_begun


def describe_need(state: State, need: Need) -> str:
    """Return why a question has no answer, as the end of a sentence: ``the hand of p2 was not seen``.

    The state is not looked at; the place of the need, ``the hand of p2``, says it all.
    """
    return f"{need.place} was not seen"


def pending(state: State) -> Pending:
    """Return the questions that stay open if the record ends here. Claims and face-down cards of every reading are
    looked at, after ``settle``.

    They are claims about hands that nobody saw, face-down cards that were never turned up, and questions that no later
    word can answer.

    Returns:
        Sorted pairs of the ply that raised a question and the key of the rule it is about.
    """
    still: set[tuple[int, str]] = set()
    for reading in states_of(settle(state)):
        still.update(reading.unread, *map(open_claims, reading.doubts))
        for side in reading.sides:
            for commitment in side.fields:
                if commitment is not None and commitment.kind == UNSEEN:
                    still.add((commitment.ply, FACE_DOWN.key))
                    still.update([(commitment.fool_ply, FOOL.key)] * bool(commitment.fool_ply))
    return Pending(tuple(sorted(still)))


def score(state: State) -> tuple[int, ...]:
    """Return how many fields each seat has won in the rounds counted so far, p1 first: ``(5, 3)`` after two rounds.

    The round that is being played is not counted.
    """
    return tuple(tally[0] for tally in tally_fields(state.wins, state.options.seats))


def position(state: State) -> tuple[object, ...]:
    """Return what makes two positions the same, for the index of positions: all fields of the state but counts.

    Of the claims about hands it has what was claimed (``entries_of``), and not the matching that was worked out from
    it.
    """
    claims = tuple((ledger.who, entries_of(ledger)) for ledger in state.doubts)
    return state_fields(replace(state, doubts=(), others=())), claims, tuple(map(position, state.others))


# --- moves worth judging ---


def candidates(state: State) -> Iterator[Move]:
    """Yield moves of the next speaker that are worth judging, for lists of legal moves.

    They are discards of one card and commitments of no card or one; Yes and No while a vote is due; and one discard of
    as many cards as the Wheel asks for while that is due. Trumps played for their effect are not among them.
    """
    now = Draft(settle(state))
    if now.dues and now.dues[0].what == "deal":
        end_deal(now)
    if now.outcome is None:
        for move in _sample_moves(now):
            yield with_speaker(now, state, move)


def _sample_moves(now: Draft) -> Iterator[Move]:
    """Yield the moves of ``candidates`` before it is known who says them (``seat`` is 0).

    Cards that nobody saw are discarded as UNKNOWN, and are not committed.
    """
    if now.dues and now.dues[0].what == "vote":
        yield Move(0, "vote", yes=True)
        yield Move(0, "vote")
        return
    side = now.peek(next_speaker(now)[0])
    if now.dues:
        # The Wheel's: as many as it asks for.
        cards = (side.open + side.hand)[-now.cards_due(now.dues[0]) :]
        yield Move(0, "discard", 0, in_word_order(card if card < 78 else UNKNOWN for card in cards))
        return
    named = sorted({card for card in side.hand + side.open if card < 78})
    if any(card >= 78 for card in side.hand):
        yield Move(0, "discard", 0, bytes((UNKNOWN,)))
    for card in named:
        yield Move(0, "discard", 0, bytes((card,)))
    for field in range(4):
        yield Move(0, "commit", fields=(field,))
        for card in named:
            if card // 14 == field:
                yield Move(0, "commit", 0, bytes((card,)), fields=(field,))


RULES = Rules(
    setup=setup,
    play=play,
    clauses=CLAUSES,
    candidates=candidates,
    outcome=lambda state: state.outcome,
    over=lambda ended: NO_MORE_MOVES,
)
TURNS: Turns[State, Move] = Turns(
    first=lambda state: next_speaker(settle(state))[0] % DAEMON,
    actors=actors,
    settle=settle,
    skip=skip,
    number=number_turn,
)
HIDDEN_CARDS: Hidden[State, Move, Start] = Hidden(
    view=view, view_move=view_move, tell_need=describe_need, pending=pending
)
PLACE = Place(key=position, number=2)
