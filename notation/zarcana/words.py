"""One word of Zarcana read from left to right: whose it is, its card and names, its user, and what it does.

Laxer than the standard: commas between cards may be left out, and cards and minions that have no order may stand in
any; an own minion's seat and an orientation that tells nothing apart are read, and so are a royal's own suit and the
user of a card of the hand that needs none. A draw that is left out stays left out, and a hand shown stays shown.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from cartulary.engine.numbers import ANY_SEAT
from cartulary.engine.readings import states_of
from cartulary.engine.slots import UNKNOWN, is_slot
from cartulary.engine.zarcana import moves
from cartulary.engine.zarcana.cards import CODES, JUSTICE, SUIT_NAME, SUITS, TRUMP, is_royal
from cartulary.engine.zarcana.moves import SIZES
from cartulary.engine.zarcana.state import CODE, DOWN, State
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.signs import PREFIX, cut
from cartulary.notation.zarcana.signs import A_CARD, CARD, CARDS, MINION, Reader
from cartulary.notation.zarcana.spelling import turn_text

_ON_BOARD = re.compile(rf"(?:{ANY_SEAT}/)?>((?:{ANY_SEAT})?[SML][onsew0-9]+(?:'[unesw])?)\*")
_DRAWN = re.compile(rf"\*{CARDS.pattern},?")
_GIFT = re.compile(rf"((?:(?:[1-9XJNQK][SWCD]|T[0-9]{{2}}|E[1-8]|~),?)+)>({ANY_SEAT})?")

_MEMORY = 1 << 15


def read(signs: str, seat: int, state: State) -> moves.Move | moves.Word:
    """Read a word; without a prefix it is the word of the seat in turn, in every reading.

    Args:
        signs: The word as it stands.
        seat: Not used; the state says whose turn it is, in each reading of it.
        state: The record before the word.

    Returns:
        Always a ``Word``, with one move, or with one for each reading of the state; the wider type is that of the game.

    Raises:
        NotationError: With the column of the first character that fits nothing.
    """
    fool = "*" in signs and (signs[0] == ">" or "/>" in signs) and _turns_up(signs, state)
    word = _read(signs, state.options.seats, state.turn, fool)
    if state.others and not PREFIX.match(signs):
        turns = dict.fromkeys(reading.turn for reading in states_of(state))
        words = [_read(signs, state.options.seats, turn, fool) for turn in turns]
        return moves.Word(tuple(word.moves[0] for word in words), tuple(ref for word in words for ref in word.columns))
    return word


@lru_cache(maxsize=_MEMORY)
def _read(text: str, seats: int, turn: int, fool: bool) -> moves.Word:
    """Return the word that a text is, with one move and the minions it names.

    Args:
        text: The word.
        seats: The number of seats.
        turn: The seat whose word it is without a prefix.
        fool: Whether the territory it uses turns up cards.

    Raises:
        NotationError: With the column of the first character that fits nothing.
    """
    reader = Reader(text, seats)
    seat = turn
    if "/" in text and PREFIX.match(text):
        seat = reader.seat(0)
        reader.has("/")
    reader.seat_of = seat
    move = _of_table(reader) if seat == 0 else _of_seat(reader, seat, fool)
    if reader.at < len(text):
        reader.end()
    return moves.Word((move,), tuple(reader.refs))


def _turns_up(text: str, state: State) -> bool:
    """Say whether what follows ``*`` in the use of a territory are cards that a Fool turns up.

    A territory that nobody on record saw is the Fool if the word cannot be read with any other card.
    """
    match = _ON_BOARD.match(text)
    if match is None:
        return False
    reader = Reader(match[1], state.options.seats)
    reader.seat_of = state.turn
    try:
        place = reader.minion().place
    except NotationError:
        return False
    tops = [reading.cards[place][-1] & (CODE | DOWN) for reading in states_of(state) if place in reading.cards]
    plain = _DRAWN.fullmatch(text, match.end() - 1)
    return TRUMP in tops or (plain is None and any(is_slot(top) for top in tops))


# --- the table ---


def _of_table(reader: Reader) -> moves.Move:
    """Read what the table does: cards dealt (``b*``, ``p1*``, ``*``), or face-down cards turned up (``^n1=7C``).

    Raises:
        NotationError: If the word is neither.
    """
    if reader.has("^"):
        return _reveal(reader)
    to = moves.REST
    if reader.has("b"):
        to = moves.NINE
    elif reader.rest.startswith("p"):
        to = reader.seat()
    reader.expect("*", "b*, a hand such as p1*, or * and cards; or ^ and face-down cards")
    return moves.Deal(0, to, reader.cards(ordered=to in (moves.NINE, moves.REST)))


def _reveal(reader: Reader) -> moves.Reveal:
    """Read face-down cards turned up: ``n1=7C&o=KD``, each place once.

    Raises:
        NotationError: If a place stands twice.
    """
    shown: dict[str, tuple[int, int]] = {}
    while True:
        start = reader.at
        place = reader.place()
        reader.expect("=", "= and the card that lies there")
        name = reader.text[start : reader.at]
        if name in shown:
            raise NotationError(f"found {name[:-1]} twice in {cut(reader.text)}, expected each place once", start + 1)
        shown[name] = place, reader.card()
        if not reader.has("&"):
            return moves.Reveal(0, tuple(shown[name] for name in sorted(shown)))


# --- a seat ---

_CALLS: dict[str, Callable[[int], moves.Move]] = {
    "Pass": moves.Pass,
    "Final": moves.Final,
    "DiscardHand": moves.DiscardHand,
}


def _of_seat(reader: Reader, seat: int, fool: bool) -> moves.Move:
    """Read what a seat does; ``fool`` says whether the territory that its word uses turns up cards.

    Raises:
        NotationError: If something stands where it may not.
    """
    rest = reader.text[reader.at :]
    first = rest[:1]
    if first == "*":
        reader.at += 1
        return moves.Draw(seat, reader.cards())
    if first in "pSML" and reader.names_minion():
        return moves.Reorient(seat, _turns(reader))
    if rest in _CALLS:
        reader.at = len(reader.text)
        return _CALLS[rest](seat)
    if first in "SML" and rest[1:2] == "@":
        return _first(reader, seat)
    if first == "D" and reader.has("DiscardHand^"):
        return moves.DiscardHand(seat, reader.cards())
    to_seat = rest.rpartition(">")[2][:1] in ("", "p")
    gift = _GIFT.fullmatch(rest) if to_seat else None
    if gift is not None:
        several = len(CARD.findall(gift[1])) > 1
        if several or (gift[2] and CODES.get(gift[1]) != JUSTICE):
            cards = reader.cards()
            reader.expect(">", "> and a seat")
            return moves.Gift(seat, cards, reader.seat())
    return moves.Use(seat, _use(reader, fool))


def _first(reader: Reader, seat: int) -> moves.Place:
    """Read a minion that enters the board, ``S@n1'u``: its size, its place, and where it points.

    Raises:
        NotationError: If one of these is missing.
    """
    size = reader.size()
    reader.has("@")
    place = reader.place()
    reader.expect("'", "' and where the minion points")
    return moves.Place(seat, (seat * 3 + size) * 5 + reader.point(), place)


def _turns(reader: Reader) -> tuple[moves.Turn, ...]:
    """Read minions that turn, ``Mn1=e&Ss2=u``, and return them in ASCII order.

    Raises:
        NotationError: As ``_turn`` does.
    """
    turns = [_turn(reader)]
    while reader.has("&"):
        turns.append(_turn(reader))
    return _in_order(turns, reader.seat_of)


def _in_order(turns: list[moves.Turn], seat: int) -> tuple[moves.Turn, ...]:
    """Return minions that turn in the ASCII order of their words; those of ``seat`` are named without a seat."""
    return tuple(sorted(turns, key=lambda turn: turn_text(turn, seat)) if len(turns) > 1 else turns)


def _turn(reader: Reader) -> moves.Turn:
    """Read how one minion turns: ``Mn1=e``.

    Raises:
        NotationError: If no minion comes next, or no ``=`` and a point after it.
    """
    ref = reader.minion()
    reader.expect("=", "= and where the minion points")
    return moves.Turn(ref, reader.point())


# --- the use of a power ---


_WORD = f"{A_CARD}, > and a minion, = and a name, a minion, a draw such as *7C, S@o'u, Pass, Final or DiscardHand"
"""What a word of a seat may begin with."""


def _use(reader: Reader, fool: bool) -> moves.Play:
    """Read the use of a power: by a card of the hand, one turned up ``^``, a territory ``>`` or a name ``=``.

    ``fool`` says whether the territory turns up cards. It raises NotationError for anything else.
    """
    origin, card, sign = moves.BOARD, -1, reader.text[reader.at : reader.at + 1]
    if sign == "^":
        reader.at += 1
        origin, card = moves.TURNED, reader.card()
    elif sign not in (">", "="):
        origin, card = moves.HAND, reader.card(_WORD)
    return _play(reader, origin, card, fool and origin == moves.BOARD, False)


def _play(reader: Reader, origin: int, card: int, fool: bool, within: bool) -> moves.Play:
    """Read what a card is used for, after the card itself: names, user and parts.

    Args:
        reader: The word, read up to the card.
        origin: Where the card comes from, such as ``moves.HAND``.
        card: The card; -1 for a territory on the board.
        fool: Whether that territory is known to be the Fool.
        within: Whether this is the play of a card that a Fool turned up.

    Raises:
        NotationError: If something stands where it may not.
    """
    text, user = reader.text, None
    names = _names(reader) if text.startswith("=", reader.at) else ()
    if text.startswith(">", reader.at) and MINION.match(text, reader.at + 1):
        reader.at += 1
        user = reader.minion()
    executed = names[-1] if names else card
    if executed == TRUMP or (fool and not names):
        parts: tuple[moves.Part, ...] = _flips(reader, within)
    else:
        parts = _parts(reader, within) if reader.at < len(text) else ()
    if names and origin in (moves.HAND, moves.DECK):
        names = _shortest(card, names)
    return moves.Play(origin, card, names, user, parts)


def _names(reader: Reader) -> tuple[int, ...]:
    """Read the names after ``=`` that a card is used as: suits, or other cards; empty if no ``=`` comes next.

    A suit is SUIT_NAME and more: ``=W`` is ``SUIT_NAME + 1``.

    Raises:
        NotationError: If no suit and no card follows.
    """
    names = []
    while reader.next == "=":
        reader.at += 1
        if reader.next and reader.next in SUITS:
            names.append(SUIT_NAME + reader.letter(SUITS, ""))
        else:
            names.append(reader.card("a suit S, W, C or D, or a card such as T05"))
    return tuple(names)


def _shortest(card: int, names: tuple[int, ...]) -> tuple[int, ...]:
    """Return the names that a card is used as, without a royal's own suit at the end, which goes without saying.

    ``card`` is what is used, to which the names belong.
    """
    named = names[-2] if len(names) > 1 else card
    if named < SUIT_NAME and is_royal(named) and names[-1] == SUIT_NAME + named // 14:
        return names[:-1]
    return names


def _flips(reader: Reader, within: bool) -> tuple[moves.Part, ...]:
    """Read the cards that a Fool turns up, each with its own play; none if no ``*`` comes next.

    ``within`` another Fool's word at most two are read; a third is left unread, and is one of the other Fool's.

    Raises:
        NotationError: If a card that is used is not named.
    """
    flips: list[moves.Part] = []
    while reader.has("*"):
        card = reader.card(unknown=True)
        if card == UNKNOWN and reader.rest and not reader.rest.startswith("&*"):
            raise reader.unread("&* and a card, or the end of the word: a card that is used must be named")
        flips.append(moves.Flip(_play(reader, moves.DECK, card, False, True)))
        if (within and len(flips) == 2) or not reader.rest.startswith("&*"):
            break
        reader.has("&")
    return tuple(flips)


_SIGNS = {
    (False, False): (">:=@*-", "one of > : = @ * - &, or the end of the word"),
    (False, True): ("", "a minion"),
    (True, False): (">", "& and one more part, > and a place, or the end of the word"),
    (True, True): (">:=@", "one of > : = @, a minion"),
}
"""By whether a part stands before and whether & does: what a part may begin with, and how that is said."""


def _parts(reader: Reader, within: bool) -> tuple[moves.Part, ...]:
    """Read what a play does, part by part; ``within`` if it stands inside a Fool's word, where ``&*`` ends it.

    Raises:
        NotationError: If something else comes next.
    """
    parts: list[moves.Part] = []
    text = reader.text
    while sign := text[reader.at : reader.at + 1]:
        joined = sign == "&"
        if joined:
            if within and text.startswith("&*", reader.at):
                break
            reader.at += 1
            if reader.names_minion():
                parts.append(_turn(reader))
                continue
            sign = reader.next
        allowed, wanted = _SIGNS[bool(parts), joined]
        if sign not in allowed or not sign:
            raise reader.unread(wanted)
        reader.at += 1
        parts.append(_PARTS[sign](reader))
    turns = [part for part in parts if type(part) is moves.Turn] if len(parts) > 1 else ()
    return _in_order(turns, reader.seat_of) if turns and len(turns) == len(parts) else tuple(parts)


def _grow(reader: Reader) -> moves.Part:
    """Read the size to which a minion grows: S, M or L; any other is a NotationError."""
    return moves.Grow(reader.size())


def _put(reader: Reader) -> moves.Part:
    """Read what appears, after ``@``: a minion in its user's space, a minion on a place, or a territory.

    For example ``S'u``, ``Sn1'u``, and ``n1*7C`` or ``n1=7C``.

    Raises:
        NotationError: If none of these comes next.
    """
    sign = reader.next
    if sign and sign in SIZES:
        size = reader.size()
        place = None if reader.next == "'" else reader.place("' and where the minion points, or a place")
        reader.expect("'", "' and where the minion points")
        man = (reader.seat_of * 3 + size) * 5 + reader.point()
        return moves.Clone(man) if place is None else moves.Create(man, place)
    place = reader.place("a size, S, M or L, or a place")
    if reader.has("*"):
        return moves.Build(place, reader.card(unknown=True))
    return moves.BuildFrom(place, reader.card(unknown=True)) if reader.has("=") else moves.Build(place)


def _to(reader: Reader) -> moves.Part:
    """Read what stands after ``>``, which was read before: the place to which a minion goes, or a seat, ``p2``.

    Returns:
        ``Go`` with the place, or ``Toward`` with the seat towards which something is done.

    Raises:
        NotationError: If neither comes next.
    """
    if reader.next == "p":
        return moves.Toward(reader.seat())
    return moves.Go(reader.place("a minion such as Mo, a place, or a seat"))


def _at(reader: Reader) -> moves.Part:
    """Read what is attacked, a minion or a place, or the cards taken from the discards, after ``:``.

    A place may be followed by the card that is shown for it: ``n1^7C``.

    Raises:
        NotationError: If none of these comes next.
    """
    if reader.names_minion():
        return moves.HitMinion(reader.minion())
    if reader.names_card():
        return moves.RaisedCards(reader.cards())
    if reader.next == "p":
        reader.minion()
    place = reader.place("a minion such as p2Se1, a place, or cards")
    return moves.HitPlace(place, reader.card(unknown=True) if reader.has("^") else -1)


def _drawn(reader: Reader) -> moves.Part:
    """Read the cards drawn, after ``*``, in the order of their numbers; no card there is a NotationError."""
    return moves.DrawnCards(reader.cards())


def _away(reader: Reader) -> moves.Part:
    """Read the cards discarded, after ``-``, in the order of their numbers; no card there is a NotationError."""
    return moves.Away(reader.cards())


_PARTS: dict[str, Callable[[Reader], moves.Part]] = {"=": _grow, "@": _put, ">": _to, ":": _at, "*": _drawn, "-": _away}
