"""Arcanoid drawn as a table: what is due, deck and pile, what lies in the middle, then each seat and daemon."""

from cartulary.engine.arcanoid.cards import FIELDS, NAMES, listed, said
from cartulary.engine.arcanoid.dues import cleared, settle
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.arcanoid.sets import JUDGED
from cartulary.engine.arcanoid.state import Commitment, State, everybody, side_of, who_name
from cartulary.engine.arcanoid.turn import expected
from cartulary.engine.arcanoid.views import view
from cartulary.engine.slots import UNKNOWN
from cartulary.notation.picture import WIDTH, Picture, Row, Span, headed, wrapped, zone_names

_OWED = {"vote": "Yes or No on a new deck", "away": "the Wheel's discard", "deal": "the deal"}


def picture(state: State, seat: int | None) -> Picture:
    """Return the table as the seat sees it, None for all the record knows, within 80 columns."""
    seen = cleared(state if seat is None else view(state, seat))
    rows: list[Row] = [(Span(heading(seen)[:WIDTH], "frame"),)]
    rows += _middle(seen)
    turn = to_speak(seen)
    for who in everybody(seen.sides):
        rows += _side(seen, who, turn)
    return tuple(rows)


def to_speak(state: State) -> int:
    """Return who is to speak, 0 for nobody."""
    now = settle(state)
    return 0 if now.wins != state.wins or state.ended is not None else expected(now)[0]


def heading(state: State) -> str:
    """Return the round and the turn, and what is due."""
    now = settle(state)
    said_now = f"round {now.round}, turn {now.lap}: "
    if now.ended is not None:
        said_now += "the game is over"
    elif now.wins != state.wins:
        said_now = f"round {state.round}: the face-down cards are to be turned up"
    else:
        said_now += who_name(expected(now)[0])
        if now.dues:
            said_now += f"; due: {_OWED.get(now.dues[0].what, now.dues[0].what)}"
    return said_now


def middle(state: State) -> list[str]:
    """Return how many cards lie in the deck and on the pile, and what holds for all."""
    facts = [f"deck {len(state.deck)}", f"discards {len(state.pile)}"]
    if state.dead:
        facts.append("no new deck")
    if state.temper is not None:
        facts.append(f"Temperance of {who_name(state.temper[0])} on {FIELDS[state.temper[1]]}")
    return facts


def _middle(state: State) -> list[Row]:
    rows: list[Row] = [(Span("  ".join(middle(state)), "frame"),)]
    if state.aside:
        rows += wrapped("    aside ", [NAMES[card] for card in state.aside], "frame")
    if state.row is not None:
        rows += wrapped("    row   ", _zone(state.row), "frame")
    if state.wins:
        rows += wrapped("    won   ", [f"p{seat}" for seat in state.wins], "frame")
    return rows


def _side(state: State, who: int, turn: int) -> list[Row]:
    side, role = side_of(state, who), f"p{who % DAEMON}"
    rows = [headed(who_name(who), role, who == turn, f"Hermit {side.hermit}" if side.hermit else "")]
    rows += wrapped("    hand  ", _zone(side.hand), role)
    if side.open:
        rows += wrapped("    open  ", _zone(side.open), role)
    if side.reserve is not None:
        rows += wrapped("    chariot ", _zone(side.reserve), role)
    stands = [f"{FIELDS[field]} {_standing(there)}" for field, there in enumerate(side.fields) if there is not None]
    return rows + (wrapped("    fields ", stands, role) if stands else [])


def _standing(there: Commitment) -> str:
    if there.kind == JUDGED:
        return "judged"
    if there.secret:
        return (
            f"{len(there.cards)} face down"
            if max(there.cards, default=UNKNOWN) >= len(NAMES)
            else f"({said(there.cards)})"
        )
    return said(there.cards) or "abdicated"


def _zone(zone: bytes) -> list[str]:
    """Return the known cards of a zone in order, and how many nobody knows."""
    return zone_names([NAMES[card] for card in listed(card for card in zone if card < len(NAMES))], len(zone))
