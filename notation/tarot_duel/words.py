"""The words of the duel: one is read from left to right, and its canonical spelling has cards suit by suit."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from cartulary.engine.slots import UNKNOWN, codes_of
from cartulary.engine.tarot_duel import State, moves
from cartulary.engine.tarot_duel.cards import COPIES, MAJOR, NAMES, NOTHING, TEMPERANCE, listed, name_of
from cartulary.notation.cgn.signs import CardSigns

_CODES = codes_of(NAMES)
_A_MAJOR = re.compile(r"T[0-9]{2}(?![0-9])(?!@a|-|>d|>a$|[,~]|T|[1-9XJNQK][DSCW])")
"""A Major that begins no list of cards."""
_PLACE = re.compile(r"[1-9][0-9]?")
_COUNT = re.compile(r"=(0|[1-9][0-9]{0,2})(?=$|[=>])")
_LAST_COUNT = re.compile(r"=(0|[1-9][0-9]{0,2})$")
_A_CARD = "a card such as 7C, KD or T05"
_A_WORD = f"{_A_CARD}, a draw such as *7C, a challenge such as :p2a=7C^9S^4D, ^7C, End, Yes, Pass, or p0/"


class Reader(CardSigns):
    """A word of the duel and how far it has been read."""

    codes, a_card = _CODES, _A_CARD


def read(signs: str, seat: int, state: State) -> moves.Move:
    """Return the move that a word, given without its prefix, means; ``seat`` is 0 for the table.

    It is the same in every state with as many seats, and need not be legal.

    Raises:
        NotationError: If it means nothing, with the column of the first character that fits nothing.
    """
    reads = _read_short if len(signs) < _SHORT else _read
    return reads(signs, seat, state.options.seats)


def _read(signs: str, seat: int, seats: int) -> moves.Move:
    """Return the move a word of a seat means, 0 for the table, in a game with so many seats.

    Raises:
        NotationError: With the column of the first character that fits nothing.
    """
    reader = Reader(signs, seats)
    if not seat:
        return _of_table(reader)
    if signs in _CALLS:
        return _CALLS[signs](seat)
    reads = _BY_SIGN.get(signs[:1])
    if reads is None:
        reads = _major if _A_MAJOR.match(signs) else _cards
    return reads(reader, seat)


_SHORT = 6
"""Words of fewer signs, which name one card at most, come again and again."""
_read_short = cache(_read)


# --- the table ---


def _of_table(reader: Reader) -> moves.Move:
    """Read what the table does: a coin ``=H``, a die ``=3``, a deck ``p1*7C,8C`` or a card of a hand ``p2=7C``.

    Raises:
        NotationError: If the word is none of these.
    """
    if reader.has("="):
        if reader.rest in ("H", "T"):
            return moves.Coin(0, reader.rest == "H")
        if re.fullmatch("[1-6]", reader.rest):
            return moves.Die(0, int(reader.rest))
        raise reader.unread("H or T for the coin, or 1 to 6 for the die")
    if not reader.text.startswith("p"):
        raise reader.unread("a deck such as p1*7C,8C, a card of a hand such as p2=7C, =H, =T or =1 to =6")
    seat = reader.seat()
    if reader.has("*"):
        cards = reader.cards()
        reader.end()
        return moves.Order(0, seat, cards)
    if reader.has("="):
        cards = reader.cards()
        reader.end()
        return moves.Pick(0, seat, _in_order(cards))
    raise reader.unread("* and a deck, or = and cards of a hand")


def _in_order(cards: bytes) -> bytes:
    """Return cards, one byte each, in the order of their numbers."""
    return bytes(sorted(cards))


# --- a seat ---

_CALLS: dict[str, Callable[[int], moves.Move]] = {
    "End": moves.End,
    "Yes": lambda seat: moves.Answer(seat, True),
    "Pass": lambda seat: moves.Answer(seat, False),
}


def _drawn(reader: Reader, seat: int) -> moves.Move:
    """Read cards drawn, ``*7C``, or drawn and put away, ``*7C-``; they are put in order.

    Raises:
        NotationError: If something else follows.
    """
    reader.at = 1
    cards = _in_order(reader.cards())
    move = moves.Mill(seat, cards) if reader.has("-") else moves.Draw(seat, cards)
    reader.end("- or the end of the word")
    return move


def _cards(reader: Reader, seat: int) -> moves.Move:
    """Read a word that begins with cards: laid ``@a``, discarded ``-``, put back ``>d`` or in a row ``>a``.

    Raises:
        NotationError: If the word begins with no card, an unknown card is laid, or another sign follows.
    """
    if not reader.names_card():
        raise reader.unread(_A_WORD)
    cards = reader.cards()
    if reader.has("@"):
        reader.expect("a", "a, the player's own area")
        reader.end()
        if UNKNOWN in cards:
            reader.at = reader.text.index("~")
            raise reader.unread(f"{_A_CARD}: what is laid is seen by all")
        return moves.Lay(seat, _in_order(cards))
    if reader.has("-"):
        if reader.has("*"):
            drawn = _in_order(reader.cards())
            reader.end()
            return moves.Redraw(seat, _in_order(cards), drawn)
        reader.end("* and the cards drawn, or the end of the word")
        return moves.Discard(seat, _in_order(cards))
    if reader.has(">"):
        kind = moves.Row if reader.has("a") else moves.PutBack if reader.has("d") else None
        if kind is None:
            raise reader.unread("a, the player's own area, or d, the player's own deck")
        reader.end()
        return kind(seat, cards)
    raise reader.unread("@a, -, >d or >a after the cards")


def _shown(reader: Reader, seat: int) -> moves.Move:
    """Read a card shown, ``^7C``, or the face-up cards of a challenge, ``^7C^9S``.

    Raises:
        NotationError: If a card is missing, or a card shown alone is not known.
    """
    if reader.text.count("^", reader.at) == 1:
        reader.has("^")
        card = reader.card()
        reader.end()
        return moves.Show(seat, card)
    return moves.Stakes(seat, *_faces(reader))


def _faces(reader: Reader) -> tuple[int, int]:
    """Read the two face-up cards of a challenge, the challenger's first; NOTHING for a side without one: ``^^9S``.

    Raises:
        NotationError: If there are not two ``^``, or something follows.
    """
    faces = []
    for owner in ("the challenger's", "the defender's"):
        reader.expect("^", f"^ and {owner} face-up card")
        bare = reader.text[reader.at : reader.at + 1] in ("", "^")
        faces.append(NOTHING if bare else reader.card(unknown=True))
    reader.end()
    return faces[0], faces[1]


def _against(reader: Reader, seat: int) -> moves.Move:
    """Read a challenge, ``:p2a=7C^9S^4D``, or whose hand is robbed, ``:p2h``.

    Raises:
        NotationError: If something else follows the seat.
    """
    reader.at = 1
    target = reader.seat()
    if reader.has("h"):
        reader.end()
        return moves.Rob(seat, target)
    spot = _in_area(reader)
    return moves.Challenge(seat, target, spot, *_faces(reader))


def _in_area(reader: Reader) -> moves.Spot:
    """Read a card of an area, ``a=7C``, or a face-down place of it, ``a1``.

    Raises:
        NotationError: If no such place comes next.
    """
    reader.expect("a", "a and a card, such as a=7C, or a face-down place, such as a1")
    if reader.has("="):
        return moves.Spot("a", reader.card())
    return moves.Spot("a", at=_place(reader))


def _place(reader: Reader) -> int:
    """Read the number of a face-down place, from 1 to 99.

    Raises:
        NotationError: If no such number comes next.
    """
    match = _PLACE.match(reader.text, reader.at)
    if match is None:
        raise reader.unread("= and a card, or the place of a face-down card, counted from 1")
    reader.at = match.end()
    return int(match[0])


_BY_SIGN: dict[str, Callable[[Reader, int], moves.Move]] = {"*": _drawn, ":": _against, "^": _shown}
"""The words that begin with a character of their own."""

# --- Majors ---


def _major(reader: Reader, seat: int) -> moves.Move:
    """Read a Major that is used, stands for another card, or nullifies: ``T06=7C``, ``T01=7C@a``, ``T15``.

    ``T12=`` before it says that Justice uses it.

    Raises:
        NotationError: If no Major comes next, or what follows does not fit.
    """
    justice = reader.text.startswith("T12=", reader.at)
    if justice:
        reader.at += len("T12=")
    card = reader.card("a Major, T01 to T22")
    if card < MAJOR:
        reader.at -= 2
        raise reader.unread("a Major, T01 to T22")
    as_card = card
    if card in COPIES and reader.has("="):
        as_card = reader.card("the card it stands for")
        if as_card < MAJOR or reader.rest == "@a":
            return _copy(reader, seat, card, as_card, justice)
    if as_card == TEMPERANCE and not justice and not reader.rest:
        return moves.Nullify(seat, card)
    return _choices(reader, moves.Use(seat, card, as_card - MAJOR + 1, justice))


def _copy(reader: Reader, seat: int, card: int, name: int, justice: bool) -> moves.Move:
    """Read what a copy stands for: laid as that card, ``T01=7C@a``, or renamed to it, ``T01=7C``.

    The word has been read up to there: ``card`` is the copy, ``name`` the card it stands for, and ``justice`` whether
    ``T12=`` was before it.

    Raises:
        NotationError: If Justice is used with it, or something else follows.
    """
    if not justice and reader.has("@a"):
        reader.end()
        return moves.Stand(seat, card, name)
    if justice:
        reader.at -= 2
        raise reader.unread("a Major, T01 to T22")
    reader.end("@a, or the end of the word")
    return moves.Rename(seat, card, name)


def _choices(reader: Reader, use: moves.Use) -> moves.Use:
    """Read what a Major's word names after it, each part once: cards or an own place, the other place, a number.

    ``use`` is the use so far; the answer is the same with what was read. With two seats the opponent goes without
    saying. Laxer than the standard: a number is read before the opponent too.

    Raises:
        NotationError: If a part is not one of these, or stands where it may not.
    """
    again, repeated = _repeated(reader) if use.number == 21 else (0, None)
    number = again or use.number
    if repeated is not None or use.number in (4, 5):
        reader.end()
    if reader.rest and reader.rest[0] not in "=>":
        raise reader.unread("= or > and a choice of the Major, or the end of the word")
    count = _count(reader, _COUNT)
    cards, own = (b"", None) if count is not None else _own(reader, number)
    other, target = repeated or (None, 0)
    start = reader.at
    if reader.has(">"):
        other, target = _choice(reader)
        if count is not None and other is not None:
            reader.at = start
            raise reader.unread("> and a seat, such as >p2, or the end of the word")
    if count is None:
        count = _count(reader, _LAST_COUNT)
    reader.end("the end of the word" if count is not None else "= and a number, or the end of the word")
    if not target and other is None and reader.seats == 2 and number in moves.OPPONENT_MAJORS:
        target = 3 - use.seat
    return moves.Use(use.seat, use.card, use.number, use.justice, again, target, cards, own, other, count)


def _repeated(reader: Reader) -> tuple[int, tuple[moves.Spot, int] | None]:
    """Read what Judgment repeats: the number of a Major, or a challenge with (the card it is for, its seat).

    The number is 0 if the word does not say, and the second is None for anything but a challenge.

    Raises:
        NotationError: If no Major follows ``=``.
    """
    if reader.has(":"):
        target = reader.seat()
        return moves.AGAIN_CHALLENGE, (_in_area(reader), target)
    if not reader.has("="):
        return 0, None
    again = reader.card("the Major that is repeated, T01 to T20") - MAJOR + 1
    if again < 1:
        reader.at -= 2
        raise reader.unread("the Major that is repeated, T01 to T20")
    return again, None


def _count(reader: Reader, pattern: re.Pattern[str]) -> int | None:
    """Read ``=`` and a number, 0 to 999, if they come next; None if they do not, and then nothing is read.

    ``pattern`` says what may follow.
    """
    match = pattern.match(reader.text, reader.at)
    if match is None:
        return None
    reader.at = match.end()
    return int(match[1])


def _own(reader: Reader, number: int) -> tuple[bytes, moves.Spot | None]:
    """Read the cards a word names, or the own card that is exchanged, with where it is: (cards, card).

    Only one of both is there: the cards are empty, or the card is None, or both. ``number`` is that of the Major.

    Raises:
        NotationError: If the own hand is named without a card.
    """
    if reader.has("="):
        if number in (moves.LOVERS, moves.HERMIT):
            return b"", moves.Spot("h", reader.card(unknown=True))
        return _in_order(reader.cards(unknown=False)), None
    if not reader.rest or reader.rest.startswith(">p"):
        return b"", None
    if reader.rest.startswith(">h"):
        raise reader.unread("= and a card of the player's own hand, such as =7C, or another place, such as >a=7C")
    reader.has(">")
    return b"", _choice(reader)[0]


def _choice(reader: Reader) -> tuple[moves.Spot | None, int]:
    """Read what follows ``>``: a place with its card, None for a seat alone; and its seat, 0 for the speaker's own.

    Raises:
        NotationError: If neither a place nor a seat follows.
    """
    seat = reader.seat() if reader.rest.startswith("p") else 0
    if seat and (not reader.rest or reader.rest[0] in "=>"):
        return None, seat
    if seat and reader.has("h"):
        return moves.Spot("h"), seat
    if reader.rest.startswith("a"):
        return _in_area(reader), seat
    place = reader.rest[:1]
    if seat or not place or place not in "xhd":
        raise reader.unread("a place such as a=7C, a1, x=7C, h=7C, d=7C or p2h, or a seat such as p2")
    reader.at += 1
    reader.expect("=", "= and a card")
    return moves.Spot(place, reader.card(unknown=place in "hd")), 0


def write(move: moves.Move, state: State, after: State | None = None) -> str:
    """Return the canonical word of a move, without the prefix of its seat.

    Of ``state`` only the number of seats counts, and ``after`` does not matter.
    """
    return _use_text(move, state.options.seats) if type(move) is moves.Use else _WRITTEN[type(move)](move)


def prefixed(move: moves.Move, state: State) -> bool:
    """Say whether a word has the prefix of its seat.

    It has if its seat is not in turn, if it nullifies a card on the table, or if Justice uses a card.
    """
    return move.seat != state.turn or type(move) is moves.Nullify or (type(move) is moves.Use and move.justice)


def _ordered(cards: bytes) -> str:
    """Return cards as a word lists them, in order: ``7C,KD,~``."""
    return name_of(cards[0]) if len(cards) == 1 else listed(sorted(cards))


def _faces_text(move: moves.Challenge | moves.Stakes) -> str:
    """Return the face-up cards of a challenge: ``^9S^4D``, with nothing after ``^`` for a side without one."""
    return "".join(f"^{name_of(face)}" if face != NOTHING else "^" for face in (move.ours, move.theirs))


def _spot_text(spot: moves.Spot, seat: int) -> str:
    """Return where a card is: ``a=7C``, ``a1`` for a face-down place, or ``p2h`` for a card of a hand.

    ``seat`` is the seat it belongs to, and stands in front; 0 is the speaker's own.
    """
    of = f"p{seat}" if seat else ""
    if spot.at:
        return f"{of}{spot.place}{spot.at}"
    return f"{of}{spot.place}" if seat and spot.place == "h" else f"{of}{spot.place}={name_of(spot.card)}"


def _use_text(move: moves.Use, seats: int) -> str:
    """Return the word for the use of a Major, in a game with so many seats: ``T06=7C``, ``T08>p2``.

    The seat acted on is left out if there are only two, as it can be only the other one.
    """
    text = "T12=" if move.justice else ""
    text += NAMES[move.card]
    if NAMES[move.card] != f"T{move.number:02}":
        text += f"=T{move.number:02}"
    if move.again == moves.AGAIN_CHALLENGE:
        return f"{text}:{_spot_text(move.other, move.target)}" if move.other is not None else text
    if move.again:
        text += f"=T{move.again:02}"
    if move.cards:
        text += f"={_ordered(move.cards)}"
    if move.own is not None:
        text += f"={name_of(move.own.card)}" if move.own.place == "h" else f">{_spot_text(move.own, 0)}"
    sole = seats == 2 and move.target == 3 - move.seat and moves.acting(move) in moves.OPPONENT_MAJORS
    if move.other is not None:
        text += f">{_spot_text(move.other, move.target)}"
    elif move.target and not sole:
        text += f">p{move.target}"
    return text if move.count is None else f"{text}={move.count}"


_WRITTEN: dict[type, Callable[[Any], str]] = {
    moves.Draw: lambda move: f"*{_ordered(move.cards)}",
    moves.End: lambda move: "End",
    moves.Lay: lambda move: f"{_ordered(move.cards)}@a",
    moves.Order: lambda move: f"p{move.to}*{listed(move.cards)}",
    moves.Discard: lambda move: f"{_ordered(move.cards)}-",
    moves.Challenge: lambda move: f":{_spot_text(move.spot, move.target)}{_faces_text(move)}",
    moves.Stand: lambda move: f"{NAMES[move.card]}={NAMES[move.name]}@a",
    moves.Rename: lambda move: f"{NAMES[move.card]}={NAMES[move.name]}",
    moves.Mill: lambda move: f"*{_ordered(move.cards)}-",
    moves.Redraw: lambda move: f"{_ordered(move.away)}-*{_ordered(move.new_cards)}",
    moves.Stakes: _faces_text,
    moves.Show: lambda move: f"^{NAMES[move.card]}",
    moves.PutBack: lambda move: f"{listed(move.cards)}>d",
    moves.Row: lambda move: f"{listed(move.cards)}>a",
    moves.Nullify: lambda move: NAMES[move.card] if move.card == TEMPERANCE else f"{NAMES[move.card]}=T15",
    moves.Answer: lambda move: "Yes" if move.yes else "Pass",
    moves.Rob: lambda move: f":p{move.victim}h",
    moves.Pick: lambda move: f"p{move.victim}={_ordered(move.cards)}",
    moves.Coin: lambda move: "=H" if move.heads else "=T",
    moves.Die: lambda move: f"={move.pips}",
}
