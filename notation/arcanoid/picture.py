"""Arcanoid as a table in text and as a drawing: what is due, deck and pile, the middle, each seat and daemon."""

import re

from cartulary.engine.arcanoid.cards import FIELDS, JUDGED, NAMES, in_word_order, names_of
from cartulary.engine.arcanoid.dues import clear_round, settle
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.arcanoid.play import next_speaker
from cartulary.engine.arcanoid.state import Commitment, State, everybody, side_of, who_name
from cartulary.engine.arcanoid.views import view
from cartulary.engine.numbers import ANY_SEAT
from cartulary.engine.slots import UNKNOWN
from cartulary.notation.card_faces import LATIN
from cartulary.notation.drawing import Drawing, Item
from cartulary.notation.laying import LINE, Table
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


_DAEMON = re.compile(rf"\b({ANY_SEAT})d\b")
CELL = (15, 15)
"""Columns and rows of what a side has on a field, and of what is drawn of it."""
CELL_SHOWN = (15, 14)
FIELD_NAMES = {"s": "swords", "w": "staves", "c": "cups", "d": "coins"}


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table drawn as the seat sees it; 0 is a bystander, None all that the record knows.

    The seat that looks comes first, then the others. The fields are four columns, with who has won them above.
    """
    view_state, table = clear_round(state if seat is None else view(state, seat)), Table(LATIN)
    table.say(_DAEMON.sub(r"\1's daemon", heading(view_state)))
    table.say(_DAEMON.sub(r"\1's daemon", "  ".join(middle(view_state))))
    if view_state.aside:
        table.lay("aside", [NAMES[card] for card in view_state.aside], "middle", "put aside")
    if view_state.row is not None:
        _draw_zone(table, "row", view_state.row, "middle", "in the row")
    _draw_heads(table, view_state)
    for who in sorted(everybody(view_state.sides), key=lambda one: one != seat):
        _draw_side(table, view_state, who)
    return table.drawing()


def _column(field: int) -> int:
    """Return the column of the drawing in which a field begins, by its number."""
    return field * (CELL[0] + 1) - field // 2


def _draw_heads(table: Table, state: State) -> None:
    """Draw the heads of the four columns: the suit, its name, and the winner of the field in each round so far."""
    table.end()
    table.row += 1
    for field, letter in enumerate(FIELDS):
        x, name = _column(field), FIELD_NAMES[letter]
        sign = LATIN[letter.upper()]
        table.items.append(Item(f"head {letter}", sign, (x, table.row), "frame", name, "suit", (4, 4)))
        table.items.append(Item(f"head name {letter}", name, (x + 5, table.row), "frame", size=(1, LINE)))
    table.row += 5
    for number, winner in enumerate(state.wins):
        x, y = _column(number % len(FIELDS)), table.row + number // len(FIELDS) * 5
        label = f"p{winner} won {FIELD_NAMES[FIELDS[number % len(FIELDS)]]} in round {number // len(FIELDS) + 1}"
        table.items.append(Item(f"won {number}", f"p{winner}", (x, y), f"p{winner}", label, "plate", (14, 4)))
    table.row += -(-len(state.wins) // len(FIELDS)) * 5


def _draw_side(table: Table, state: State, who: int) -> None:
    """Draw on the table what a seat or daemon, by its number, has: fields, hand, open cards and chariot."""
    side, seat = side_of(state, who), f"p{who % DAEMON}"
    name = seat if who < DAEMON else f"{seat}'s daemon"
    role = seat
    table.seat(seat, f"Hermit {side.hermit}" if side.hermit else "", turn=who == to_speak(state), name=name)
    if any(commitment is not None for commitment in side.fields):
        for field, commitment in enumerate(side.fields):
            _field(table, commitment, role, FIELDS[field], f"of {name} on the field {FIELDS[field]}", field)
        table.row += CELL[1]
    of = f"the hand of {name}"
    _draw_zone(table, "hand", side.hand, role, f"in {of}")
    _draw_zone(table, "open", side.open, role, f"open before {name}")
    if side.reserve is not None:
        _draw_zone(table, "chariot", side.reserve, role, f"in the chariot of {name}")


def _field(table: Table, commitment: Commitment | None, role: str, letter: str, where: str, field: int) -> None:
    """Draw what a side has on one field: its suit, whether it lies face down or is abdicated, and its cards.

    Args:
        table: What is drawn on.
        commitment: What stands there, None for nothing.
        role: The seat, such as ``p1``.
        letter: The letter of the field.
        where: What ends the labels: ``of p1 on the field s``.
        field: Its number.
    """
    x, y, name = _column(field), table.row + 1, FIELD_NAMES[letter]
    id = f"field {where}"
    table.items.append(
        Item(id, "", (x, y), "empty waste", f"{name} {where.partition(' on ')[0]}", "square", CELL_SHOWN)
    )
    table.items.append(Item(f"sign {where}", LATIN[letter.upper()], (x, y), "frame", "", "suit", (3, 3)))
    if commitment is None:
        return
    text = "judged" if commitment.kind == JUDGED else "" if commitment.cards else "abdicated"
    known = [card for card in commitment.cards if card < len(NAMES)]
    if shown := text or "face down" * commitment.secret:
        table.items.append(Item(f"state {where}", shown, (x + 3, y), "frame", f"{shown} {where}", size=(1, LINE)))
    if text:
        return
    down = ", face down" if commitment.secret else ""
    cards = [table.card(NAMES[card], role, f"{NAMES[card]} {where}{down}") for card in in_word_order(known)]
    if hidden := len(commitment.cards) - len(known):
        cards.append(table.back(str(hidden), f"{role} {letter}", f"{hidden} face down {where}"))
    table.put(cards, x, y + LINE, CELL_SHOWN[0])


def _draw_zone(table: Table, caption: str, zone: bytes, role: str, where: str) -> None:
    """Draw the known cards of a zone in a row, and one card back for the others; ``where`` ends their labels."""
    known = [NAMES[card] for card in in_word_order(card for card in zone if card < len(NAMES))]
    table.lay(caption, known, role, where, len(zone) - len(known))
