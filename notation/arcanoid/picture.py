"""Arcanoid as a table in text and as a drawing: what is due, deck and pile, the middle, each seat and daemon."""

from cartulary.engine.arcanoid.cards import FIELDS, JUDGED, NAMES, in_word_order, names_of
from cartulary.engine.arcanoid.dues import clear_round, settle
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.arcanoid.play import next_speaker
from cartulary.engine.arcanoid.state import Commitment, State, everybody, side_of, who_name
from cartulary.engine.arcanoid.views import view
from cartulary.engine.slots import UNKNOWN
from cartulary.notation.card_faces import LATIN
from cartulary.notation.drawing import Drawing
from cartulary.notation.laying import Table
from cartulary.notation.picture import WIDTH, Picture, Row, Span, seat_heading, wrap_words, zone_names

_OWED = {"vote": "Yes or No on a new deck", "away": "the Wheel's discard", "deal": "the deal"}


def picture(state: State, seat: int | None) -> Picture:
    """Return the table as rows of text as the seat sees it, within 80 columns.

    ``seat`` is 0 for a bystander and None for all that the record knows.
    """
    view_state = clear_round(state if seat is None else view(state, seat))
    rows: list[Row] = [(Span(heading(view_state)[:WIDTH], "frame"),)]
    rows += _middle(view_state)
    turn = to_speak(view_state)
    for who in everybody(view_state.sides):
        rows += _side(view_state, who, turn)
    return tuple(rows)


def to_speak(state: State) -> int:
    """Return the number of the seat or daemon that is to speak; 0 for nobody.

    It is nobody once the game is over, and while face-down cards are to be turned up at the end of a round.
    """
    now = settle(state)
    return 0 if now.wins != state.wins or state.outcome is not None else next_speaker(now)[0]


def heading(state: State) -> str:
    """Return the line with the round, the turn and what is due, such as ``round 2, turn 3: p1; due: the deal``."""
    now = settle(state)
    text = f"round {now.round}, turn {now.lap}: "
    if now.outcome is not None:
        text += "the game is over"
    elif now.wins != state.wins:
        text = f"round {state.round}: the face-down cards are to be turned up"
    else:
        text += who_name(next_speaker(now)[0])
        if now.dues:
            text += f"; due: {_OWED.get(now.dues[0].what, now.dues[0].what)}"
    return text


def middle(state: State) -> list[str]:
    """Return what lies in the middle, each as a text: ``deck 12``, ``discards 3``, and what holds for all."""
    facts = [f"deck {len(state.deck)}", f"discards {len(state.pile)}"]
    if state.dead:
        facts.append("no new deck")
    if state.temper is not None:
        facts.append(f"Temperance of {who_name(state.temper[0])} on {FIELDS[state.temper[1]]}")
    return facts


def _middle(state: State) -> list[Row]:
    """Return the rows of the middle: deck and discards, and if there are any, cards put aside, the row, the winners."""
    rows: list[Row] = [(Span("  ".join(middle(state)), "frame"),)]
    if state.aside:
        rows += wrap_words("    aside ", [NAMES[card] for card in state.aside], "frame")
    if state.row is not None:
        rows += wrap_words("    row   ", _zone(state.row), "frame")
    if state.wins:
        rows += wrap_words("    won   ", [f"p{seat}" for seat in state.wins], "frame")
    return rows


def _side(state: State, who: int, turn: int) -> list[Row]:
    """Return the rows of a seat or daemon: hand, open cards, chariot and fields.

    ``who`` is its number, a daemon's DAEMON more than its seat's; ``turn`` is the number of who is to speak.
    """
    side, role = side_of(state, who), f"p{who % DAEMON}"
    rows = [seat_heading(who_name(who), role, who == turn, f"Hermit {side.hermit}" if side.hermit else "")]
    rows += wrap_words("    hand  ", _zone(side.hand), role)
    if side.open:
        rows += wrap_words("    open  ", _zone(side.open), role)
    if side.reserve is not None:
        rows += wrap_words("    chariot ", _zone(side.reserve), role)
    stands = [
        f"{FIELDS[field]} {_standing(commitment)}"
        for field, commitment in enumerate(side.fields)
        if commitment is not None
    ]
    return rows + (wrap_words("    fields ", stands, role) if stands else [])


def _standing(commitment: Commitment) -> str:
    """Return what a side has on a field as text: its cards, ``(7C)`` if they lie face down, ``2 face down`` if unknown.

    It is ``judged`` after Judgment, and ``abdicated`` without cards.
    """
    if commitment.kind == JUDGED:
        return "judged"
    if commitment.secret:
        return (
            f"{len(commitment.cards)} face down"
            if max(commitment.cards, default=UNKNOWN) >= len(NAMES)
            else f"({names_of(commitment.cards)})"
        )
    return names_of(commitment.cards) or "abdicated"


def _zone(zone: bytes) -> list[str]:
    """Return the names of the known cards of a zone in the order of a word, and how many more it has.

    ``["7C", "2 unknown"]``; an empty zone is ``["-"]``.
    """
    return zone_names([NAMES[card] for card in in_word_order(card for card in zone if card < len(NAMES))], len(zone))


# --- the drawing ---


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table drawn as the seat sees it; 0 is a bystander, None all that the record knows."""
    view_state, table = clear_round(state if seat is None else view(state, seat)), Table(LATIN)
    table.say(heading(view_state))
    table.say("  ".join(middle(view_state)))
    if view_state.aside:
        table.say("aside")
        table.lay([NAMES[card] for card in view_state.aside], "middle", "put aside")
    if view_state.row is not None:
        table.say("row")
        _draw_zone(table, view_state.row, "middle", "in the row")
    if view_state.wins:
        table.say(f"won by {', '.join(f'p{seat}' for seat in view_state.wins)}")
    for who in everybody(view_state.sides):
        _draw_side(table, view_state, who)
    return table.drawing()


def _draw_side(table: Table, state: State, who: int) -> None:
    """Draw on the table what a seat or daemon, by its number, has: hand, open cards, chariot and fields."""
    side, name, role = side_of(state, who), who_name(who), f"p{who % DAEMON}"
    hermit = f"  Hermit {side.hermit}" if side.hermit else ""
    table.say(f"{'> ' if who == to_speak(state) else ''}{name}{hermit}: hand")
    _draw_zone(table, side.hand, role, f"in {name}'s hand")
    if side.open:
        table.say("  open")
        _draw_zone(table, side.open, role, f"open before {name}")
    if side.reserve is not None:
        table.say("  chariot")
        _draw_zone(table, side.reserve, role, f"in {name}'s chariot")
    if any(commitment is not None for commitment in side.fields):
        table.say("  fields")
    for field, commitment in enumerate(side.fields):
        if commitment is not None:
            _field(table, commitment, role, FIELDS[field], f"of {name} on the field {FIELDS[field]}")
    table.end()


def _field(table: Table, commitment: Commitment, role: str, field: str, where: str) -> None:
    """Draw the cards of a side on one field, each with the field's letter, in brackets if it lies face down.

    ``role`` is the seat, such as ``p1``, and ``where`` ends the labels: ``of p1 on the field s``.
    """
    known = [card for card in commitment.cards if card < len(NAMES)]
    corner = f"({field})" if commitment.secret else field
    if commitment.kind == JUDGED or not commitment.cards:
        text = "judged" if commitment.kind == JUDGED else "abdicated"
        table.put(text, f"{role} {field}", f"{text} {where}", look="back", symbol=text, corner=corner)
        return
    for card in in_word_order(known):
        table.put(
            NAMES[card], role, f"{NAMES[card]} {where}{', face down' if commitment.secret else ''}", corner=corner
        )
    if hidden := len(commitment.cards) - len(known):
        label = f"{hidden} face down {where}"
        table.put("unknown", f"{role} {field}", label, look="back", symbol=str(hidden), corner=corner)


def _draw_zone(table: Table, zone: bytes, role: str, where: str) -> None:
    """Draw the known cards of a zone in a row, and one card back for the others; ``where`` ends their labels."""
    known = [NAMES[card] for card in in_word_order(card for card in zone if card < len(NAMES))]
    table.lay(known, role, where, len(zone) - len(known))
