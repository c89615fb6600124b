"""The duel's words: turns, Majors with their choices, challenges, what is due; the Deck tags; the table drawn.

Cards of one word are written suit by suit, D S C W, each from 1 to K, then T01 to T22, unknown ones at the end; decks,
put-backs and rows are left as they lie. With two seats the opponent is not named.
Laxer than the standard: commas between cards may be left out, cards that have no order may stand in any, and so may
those of a Deck tag; an opponent named where there is but one is read, and so is a prefix of the seat in turn.
"""

from collections.abc import Mapping

from cartulary.engine.slots import SLOT, exactly
from cartulary.engine.tarot_duel import SEATS, Move, State
from cartulary.engine.tarot_duel.cards import ITSELF, NAMES, NOTHING, name_of
from cartulary.engine.tarot_duel.moves import (
    AGAIN_CHALLENGE,
    AIMED,
    Answer,
    Challenge,
    Coin,
    Die,
    Discard,
    Draw,
    End,
    Lay,
    Mill,
    Nullify,
    Order,
    Pick,
    PutBack,
    Redraw,
    Rename,
    Rob,
    Row,
    Show,
    Spot,
    Stakes,
    Stand,
    Use,
    acting,
)
from cartulary.notation.tarot_duel.picture import picture
from cartulary.notation.tarot_duel.tags import format_sheet, own_tags, parse_sheet
from cartulary.notation.tarot_duel.words import parse_word

__all__ = [
    "came_of",
    "format_move",
    "format_sheet",
    "led",
    "misstated",
    "number",
    "own_tags",
    "parse_move",
    "parse_sheet",
    "picture",
    "scores",
    "seat_tags",
    "whereabouts",
]

_MEMORY = 50_000
_TABLES = range(max(SEATS) + 1)
_Read = tuple[Move | None, str, int, int]
_read: tuple[tuple[dict[str, _Read], ...], ...] = tuple(tuple({} for _ in _TABLES) for _ in _TABLES)
"""By number of seats and seat in turn, the words read so far: the move, its one spelling, seat in turn, seats."""

_last: _Read = (None, "", 0, 0)
"""The last word read: most are written next."""

_BY_NAME = {name: code for code, name in enumerate(NAMES)}


# --- moves ---


def parse_move(text: str, state: State) -> Move:
    """Return the move a word means; without a prefix it is the word of the seat in turn.

    Raises NotationError with the column of the first sign that fits nothing.
    """
    global _last
    seats, turn = state.house.seats, state.turn
    memory = _read[seats][turn]
    known = memory.get(text)
    if known is not None and known[0] is not None:
        _last = known
        return known[0]
    if text.startswith("p0/p") and text[5:6] == "*" and "0" < text[4] <= str(min(seats, 9)):
        try:
            order = Order(0, int(text[4]), bytes(map(_BY_NAME.__getitem__, text[6:].split(","))))
        except KeyError:
            pass
        else:
            _last = order, text, turn, seats
            return order
    move, spelled = _of_cards(text, seats, turn) or (parse_word(text, seats, turn), "")
    _last = move, spelled or _spell(move, seats, turn), turn, seats
    if len(memory) > _MEMORY:
        memory.clear()
    memory[text] = _last
    return move


_ENDS: dict[str, type[Lay | PutBack | Row]] = {"@a": Lay, ">d": PutBack, ">a": Row}


def _of_cards(text: str, seats: int, turn: int) -> tuple[Move, str] | None:
    """Return the move of a word that is a list of known cards and what becomes of them; None of any other word.

    Its spelling comes with it if the word is spelled so, else it is empty.
    """
    seat, start = turn, 0
    if text[:1] == "p":
        if text[2:3] != "/" or not "0" < text[1] <= str(min(seats, 9)):
            return None
        seat, start = int(text[1]), 3
    kind: type[Draw | Discard | Lay | PutBack | Row]
    if text[-1:] == "-":
        kind, body = Discard, text[start:-1]
    elif text[start : start + 1] == "*":
        kind, body = Draw, text[start + 1 :]
    elif text[-2:] in _ENDS:
        kind, body = _ENDS[text[-2:]], text[start:-2]
    else:
        return None
    try:
        cards = bytes(map(_BY_NAME.__getitem__, body.split(",")))
    except KeyError:
        return None
    ordered = cards if kind is PutBack or kind is Row else bytes(sorted(cards))
    spelled = ordered == cards and (seat != turn) == bool(start)
    return kind(seat, ordered), text if spelled else ""


def format_move(move: Move, state: State) -> str:
    """Return the one spelling of a move in the state before it."""
    read, text, turn, seats = _last
    if read is move and turn == state.turn and seats == state.house.seats:
        return text
    return _spell(move, state.house.seats, state.turn)


def _spell(move: Move, seats: int, turn: int) -> str:
    window = isinstance(move, Nullify) or (isinstance(move, Use) and move.justice)
    text = _bare(move, seats)
    return text if move.seat == turn and not window else f"p{move.seat}/{text}"


def _listed(cards: bytes) -> str:
    try:
        return ",".join([NAMES[card] for card in cards])
    except IndexError:
        return ",".join(name_of(card) for card in cards)


def _ordered(cards: bytes) -> str:
    return _listed(bytes(sorted(cards)))


def _bare(move: Move, seats: int) -> str:
    """Return the word without a prefix."""
    if isinstance(move, Use):
        return _use(move, seats)
    if isinstance(move, Challenge):
        return f":{_spot(move.spot, move.target)}{_faces(move)}"
    if isinstance(move, (Stand, Rename)):
        return f"{NAMES[move.card]}={NAMES[move.name]}{'@a' if isinstance(move, Stand) else ''}"
    return _simple(move)


def _simple(move: Move) -> str:
    match move:
        case Order(to=to, cards=cards):
            return f"p{to}*{_listed(cards)}"
        case Draw(cards=cards):
            return f"*{_ordered(cards)}"
        case End():
            return "End"
        case Lay(cards=cards):
            return f"{_ordered(cards)}@a"
        case Discard(cards=cards):
            return f"{_ordered(cards)}-"
        case Mill(cards=cards):
            return f"*{_ordered(cards)}-"
        case Redraw(away=away, drawn=drawn):
            return f"{_ordered(away)}-*{_ordered(drawn)}"
        case Stakes():
            return _faces(move)
        case Show(card=card):
            return f"^{NAMES[card]}"
        case PutBack(cards=cards):
            return f"{_listed(cards)}>d"
        case Row(cards=cards):
            return f"{_listed(cards)}>a"
        case Nullify(card=card):
            return NAMES[card] if card == _BY_NAME["T15"] else f"{NAMES[card]}=T15"
        case Answer(yes=yes):
            return "Yes" if yes else "Pass"
        case Rob(whose=whose):
            return f":p{whose}h"
        case Pick(whose=whose, cards=cards):
            return f"p{whose}={_ordered(cards)}"
        case Coin(heads=heads):
            return "=H" if heads else "=T"
        case Die(pips=pips):
            return f"={pips}"
    raise TypeError(f"{type(move).__name__} is no word of the duel")


def _faces(move: Challenge | Stakes) -> str:
    return "".join(f"^{name_of(face)}" if face != NOTHING else "^" for face in (move.ours, move.theirs))


def _spot(spot: Spot, seat: int) -> str:
    """Return where a card is, in the place of a seat, 0 for the own."""
    of = f"p{seat}" if seat else ""
    if spot.at:
        return f"{of}{spot.place}{spot.at}"
    return f"{of}{spot.place}" if seat and spot.place == "h" else f"{of}{spot.place}={name_of(spot.card)}"


def _use(move: Use, seats: int) -> str:
    text = "T12=" if move.justice else ""
    text += NAMES[move.card]
    if NAMES[move.card] != f"T{move.number:02}":
        text += f"=T{move.number:02}"
    if move.again == AGAIN_CHALLENGE:
        return f"{text}:{_spot(move.other, move.target)}" if move.other is not None else text
    if move.again:
        text += f"=T{move.again:02}"
    if move.cards:
        text += f"={_ordered(move.cards)}"
    if move.own is not None:
        text += f"={name_of(move.own.card)}" if move.own.place == "h" else f">{_spot(move.own, 0)}"
    sole = seats == 2 and move.target == 3 - move.seat and acting(move) in AIMED
    if move.other is not None:
        text += f">{_spot(move.other, move.target)}"
    elif move.target and not sole:
        text += f">p{move.target}"
    return text if move.count is None else f"{text}={move.count}"


def led(state: State) -> str:
    """Return nothing: the duel has no tricks."""
    return ""


def number(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return the round of the table, a turn each, and whether the word is its first; None for opening words."""
    if type(move) is Order and not state.turns and not state.flags and state.fresh:
        return None
    seats, marks = state.house.seats, state.marks
    first = next(seat for seat in range(1, seats + 1) if not marks.out >> seat & 1)
    begins = not state.flags and (not state.turns or state.ply == state.since)
    return (state.turns + marks.missed) // seats + 1, begins and state.turn == first


# --- points and hidden cards ---


def came_of(before: State, move: Move, after: State) -> str:
    """Return nothing: the words say what came of them."""
    return ""


def scores(state: State) -> dict[str, str]:
    """Return Score, the points of the areas."""
    return {"Score": ":".join(str(side.points) for side in state.sides)}


def misstated(tags: Mapping[str, str], result: str, state: State) -> tuple[tuple[str, str, str], ...]:
    """Return Score if it contradicts the areas; where face-down cards are unknown, only if it says too little."""
    if "Score" not in tags:
        return ()
    parts = tags["Score"].split(":")
    right = scores(state)["Score"]
    stated = [int(part) for part in parts if part.isascii() and part.strip().isdecimal() and len(part) < 9]
    if len(stated) == len(parts) == state.house.seats:
        wrong = [
            said
            for said, side in zip(stated, state.sides, strict=True)
            if said != side.points and (said < side.points or exactly(state.unseen.slots, side.area + side.row))
        ]
        if not wrong:
            return ()
    because = f"the Score tag says {tags['Score'][:24]}, and the areas come to {right}"
    return (("Score", "record.tag", because),)


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of the cards nobody on record saw, those of one pool in one line."""
    lines: list[tuple[int, str, str]] = []
    slots = state.unseen.slots
    for number_of, pool in enumerate(slots.pools):
        kinds = {SLOT + at for at, kind in enumerate(slots.kinds) if kind.size and kind.pool == number_of}
        places = [
            f"with p{seat}" if zone == "hand" else f"in p{seat}'s {zone}"
            for seat, side in enumerate(state.sides, 1)
            for zone in ("hand", "deck", "area", "row")
            if any(code in kinds for code in getattr(side, zone))
        ]
        if pool and places:
            lines.append((len(pool), _listed(pool.translate(ITSELF)), " or ".join(places)))
    return tuple((cards, where) for _, cards, where in sorted(lines))


# --- the sheet ---


def seat_tags(seats: int) -> tuple[str, ...]:
    """Return Seat1 to the last seat's."""
    return tuple(f"Seat{seat}" for seat in range(1, seats + 1))
