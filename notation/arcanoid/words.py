"""Arcanoid's words, read from left to right: whose it is, what kind, its cards, fields, targets and draws; and written.

Cards of one word are written trumps first, then suit by suit, S W C D, unknown ones last; dealt and drawn cards keep
their order. Who is to move is not named, nor is its daemon; whoever uses the Hermit or the Fool is.
Laxer than the standard: commas between cards may be left out, and cards that have no order may stand in any; a prefix
of the seat to move is read, and none is needed where a Hermit's move is continued.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from msgspec.structs import replace

from cartulary.engine.arcanoid import Move, State
from cartulary.engine.arcanoid.cards import FIELDS, JUDGMENT, NAMES, SUITS, TEMPERANCE, in_word_order, name_of, names_of
from cartulary.engine.arcanoid.moves import DAEMON, ROW
from cartulary.engine.arcanoid.state import who_name
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.numbers import ANY_SEAT
from cartulary.engine.slots import UNKNOWN, codes_of
from cartulary.notation.cgn.signs import CardSigns

_PREFIX = re.compile(f"{ANY_SEAT}(d?)/")
_TRUMP = re.compile(r"T(\d\d)(?=[=>:*]|$)")
_DAEMONS_FIELD = re.compile("d[swcd]")
_TEMPERANCE, _JUDGMENT = bytes((TEMPERANCE,)), bytes((JUDGMENT,))
_NUMBER = re.compile("[0-9]{1,2}")
_CODES = codes_of(NAMES)
_A_CARD = "a card such as 7C, KD or T05"
_NAMED = "SWCDT"
_WHOLE = {"Yes": Move(0, "vote", yes=True), "No": Move(0, "vote"), "Pass": Move(0, "pass")}
USABLE_TRUMPS = (2, 5, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19)


class Reader(CardSigns):
    """A word of Arcanoid and how far it has been read."""

    codes, a_card = _CODES, _A_CARD

    def target(self) -> int:
        """Read a seat such as ``p2``, or its daemon ``p2d``, and return its number: a daemon's is DAEMON more.

        Raises:
            NotationError: If no seat of the game comes next.
        """
        seat = self.seat()
        return DAEMON + seat if self.has("d") else seat

    def fields(self) -> tuple[int, ...]:
        """Read the letters of one field or more, each once, and return their numbers in rising order: ``ws -> (0, 1)``.

        Raises:
            NotationError: If no such letter comes next.
        """
        fields: list[int] = []
        while (field := FIELDS.find(self.text[self.at : self.at + 1] or "?")) >= 0 and field not in fields:
            fields.append(field)
            self.at += 1
        if not fields:
            raise self.unread("a field s, w, c or d")
        return tuple(sorted(fields))

    def place(self) -> tuple[int, int]:
        """Read a field, perhaps of another seat or daemon, as in ``p2s`` or ``p2ds``; return (whose, field).

        Whose is 0 for the own field. Fields are numbered as in FIELDS.

        Raises:
            NotationError: If no such field comes next.
        """
        who = self.seat() if self.text.startswith("p", self.at) else 0
        if who and _DAEMONS_FIELD.match(self.text, self.at):
            self.at += 1
            who += DAEMON
        return who, self.field()

    def field(self) -> int:
        """Read the letter of one field and return its number; NotationError if none comes next."""
        return self.letter(FIELDS, "a field s, w, c or d")

    def draw(self) -> bytes | None:
        """Read ``*`` and the cards drawn, which may end a word; return None, and read nothing, if no ``*`` comes next.

        Raises:
            NotationError: If no card follows ``*``.
        """
        return self.cards() if self.has("*") else None


# --- reading ---


def read(signs: str, seat: int, state: State) -> Move:
    """Read a word; the move has a seat only if the word names one.

    Args:
        signs: The word as it stands.
        seat: Not used; ``play`` works out whose word it is.
        state: The state before the word.

    Raises:
        NotationError: With the column of the first character that fits nothing.
    """
    return _read(signs, state.options.seats)


@lru_cache(maxsize=50_000)
def _read(text: str, seats: int) -> Move:
    """Return the move that a word means in a game with so many seats.

    Raises:
        NotationError: With the column of the first character that fits nothing.
    """
    return _KINDS.get(text[:1], _cards)(Reader(text, seats))


def _prefixed(reader: Reader) -> Move:
    """Read a word that begins with a seat: ``p0/`` and what the table states, or another word after ``p2/``.

    The move has that seat, and the prefix as it was written. Cards may stand without a slash: such a word has no seat.
    """
    if reader.has("p0/"):
        return _of_table(reader)
    prefix = _PREFIX.match(reader.text)
    if prefix is None:
        return _cards(reader)
    seat = reader.target() % DAEMON
    reader.has("/")
    read_on = _KINDS.get(reader.next, _cards)
    move = _cards(reader) if read_on is _prefixed else read_on(reader)
    return replace(move, seat=seat, prefix=prefix[0])


def _named(reader: Reader) -> Move:
    """Read ``Yes``, ``No`` or ``Pass``; any other word is read as one that begins with cards, such as ``NC@s``."""
    return _WHOLE.get(reader.rest) or _cards(reader)


def _of_table(reader: Reader) -> Move:
    """Read what the table states after ``p0/``: the cards of a seat, a daemon, the row or the deck.

    They are ``p1*7C``, ``p1d*7C``, ``j*7C`` and ``*7C``; anything else is a NotationError.
    """
    who = 0
    if reader.has("j"):
        who = ROW
    elif reader.next == "p":
        who = reader.target()
    reader.expect("*", "*, p1*, p1d* or j* and the cards that are named")
    cards = reader.cards()
    reader.end()
    return Move(0, "table", who, cards)


def _reveal(reader: Reader) -> Move:
    """Read the face-down cards of a field that are turned up: ``^s=7C``.

    Raises:
        NotationError: If the word is not so, or a card is not known.
    """
    reader.at += 1
    field = reader.field()
    reader.expect("=", "= and the cards turned up")
    cards = in_word_order(reader.cards(unknown=False))
    reader.end()
    return Move(0, "reveal", 0, cards, fields=(field,))


def _fool(reader: Reader) -> Move:
    """Read the Fool's use on a field: ``T00:s``, with ``-`` if it is in vain, and ``*`` with cards that are drawn.

    Raises:
        NotationError: If no field comes next, or the word goes on otherwise.
    """
    reader.at += 4
    field = reader.field()
    vain = reader.has("-")
    drawn = reader.draw()
    reader.end()
    return Move(0, "fool", 0, bytes((FOOL,)), drawn, (field,), secret=vain)


def _reserve(reader: Reader) -> Move:
    """Read what is done with a chariot: ``r-`` drops it, ``r7C@s`` commits its cards to a field.

    Both may be followed by ``*`` and cards drawn; ``~`` after ``@`` commits them face down.

    Raises:
        NotationError: If the word goes on otherwise.
    """
    reader.at += 1
    if reader.has("-"):
        drawn = reader.draw()
        reader.end()
        return Move(0, "drop", 0, b"", drawn)
    cards = b"" if reader.next == "@" else in_word_order(reader.cards(unknown=False))
    reader.expect("@", "@ and a field")
    secret = reader.has("~")
    fields = reader.fields()
    drawn = reader.draw()
    reader.end()
    return Move(0, "spend", 0, cards, drawn, fields, secret=secret)


def _cards(reader: Reader) -> Move:
    """Read a word that begins with cards: a discard, or a commitment.

    Raises:
        NotationError: If the word begins with no card, or what follows the cards is neither - nor @.
    """
    if not reader.names_card():
        raise reader.unread(f"{_A_CARD}, @ and a field, r, ^, Yes, No or p0/")
    cards = in_word_order(reader.cards())
    if reader.has("-"):
        drawn = reader.draw()
        reader.end("* and the cards drawn, or the end of the word")
        return Move(0, "discard", 0, cards, drawn)
    return _committed(reader, cards)


def _committed(reader: Reader, cards: bytes = b"") -> Move:
    """Read on from ``@``: cards committed to a field or to a chariot, Temperance, or Judgment.

    Raises:
        NotationError: If there is no @, an unknown card is committed face up, or what follows cannot be read.
    """
    reader.expect("@", "- or @ after the cards")
    secret = reader.has("~")
    if UNKNOWN in cards and not secret:
        reader.at = reader.text.index("~")
        raise reader.unread(f"{_A_CARD}: what is committed face up is seen by all")
    if cards and not secret and reader.has("r"):
        drawn = reader.draw()
        reader.end()
        return Move(0, "stand" if FOOL + 7 in cards else "add", 0, cards, drawn)
    target = 0
    if cards == _JUDGMENT and reader.next == "p":
        target, field = reader.place()
        fields: tuple[int, ...] = (field,)
    else:
        fields = reader.fields()
    drawn = reader.draw()
    reader.end()
    if cards == _TEMPERANCE and not secret:
        return Move(0, "use", 0, cards, drawn, fields, count=14)
    return Move(0, "commit", 0, cards, drawn, fields, target, secret=secret)


# --- trumps ---


def _trump(reader: Reader) -> Move:
    """Read a trump and what it is used for; or the Fool's field, or a word whose first card is a trump.

    Examples are ``T02>p2``, ``T11=1``, ``T16:p2s`` and ``T17>7C:p2``; cards drawn may follow each.

    Raises:
        NotationError: If what follows the trump is not what it is used with, such as no seat after ``T02>``.
    """
    if reader.text.startswith("T00:", reader.at):
        return _fool(reader)
    trump = _TRUMP.match(reader.text, reader.at)
    if trump is None or (number := int(trump[1])) not in USABLE_TRUMPS:
        return _cards(reader)
    reader.at = trump.end()
    target, calls, shows = 0, b"", False
    shown: tuple[tuple[int, bytes], ...] = ()
    fields: tuple[int, ...] = ()
    away: bytes | None = None
    if number in (2, 12):
        reader.expect(">", "> and a seat")
        target = reader.target()
    elif number == 5:
        calls, shown, shows = _shown(reader)
    elif number == 11:
        reader.expect("=", "= and 1 or 2")
        match = _NUMBER.match(reader.text, reader.at)
        if match is None:
            raise reader.unread("1 or 2")
        reader.at = match.end()
        calls = bytes((int(match[0]),))
    elif number == 16:
        reader.expect(":", ": and a field")
        target, field = reader.place()
        fields = (field,)
    elif number in (17, 18, 19):
        calls, target = _calls(reader)
    drawn = reader.draw()
    if number == 10 and reader.has("-"):
        away = in_word_order(reader.cards())
    reader.end()
    card = bytes((FOOL + number,))
    return Move(0, "use", 0, card, drawn, fields, target, calls, shown, shows, count=number, away=away)


def _calls(reader: Reader) -> tuple[bytes, int]:
    """Read the cards that a trump calls, ``>7C>KD:p2``, and the seat or daemon it calls them from; 0 if none is named.

    The cards are returned one byte each, in the order written.

    Raises:
        NotationError: If no card is called.
    """
    calls = bytearray()
    while reader.has(">"):
        calls.append(reader.card())
    if not calls:
        raise reader.unread("> and the card called")
    return bytes(calls), reader.target() if reader.has(":") else 0


def _shown(reader: Reader) -> tuple[bytes, tuple[tuple[int, bytes], ...], bool]:
    """Read what T05 asks for and what each seat shows: ``=S^p2=7S^p3=KS``.

    Returns:
        The suit as one byte, (seat, cards) of each seat, and whether the word says who shows anything.

    Raises:
        NotationError: If no suit follows, or a seat shows its cards twice.
    """
    reader.expect("=", "= and S, W, C, D, T or T00")
    named = 5 if reader.has("T00") else reader.letter(_NAMED, "S, W, C, D, T or T00")
    if reader.has("^None"):
        return bytes((named,)), (), True
    shown: dict[int, bytes] = {}
    shows = False
    while reader.has("^"):
        if not shows and reader.next != "p":
            raise reader.unread("None, or the first seat that shows cards")
        at, seat, shows = reader.at, reader.seat(), True
        if seat in shown:
            reader.at = at
            raise reader.unread("another seat: each shows its cards once")
        reader.expect("=", "= and the cards the seat shows")
        shown[seat] = in_word_order(reader.cards(unknown=False))
    return bytes((named,)), tuple(sorted(shown.items())), shows


_KINDS: dict[str, Callable[[Reader], Move]] = {
    "p": _prefixed,
    "^": _reveal,
    "r": _reserve,
    "@": _committed,
    "T": _trump,
    "Y": _named,
    "N": _named,
    "P": _named,
}
"""The readers of words, by their first character; any other begins cards."""

# --- writing ---


def write(move: Move, state: State, after: State | None = None) -> str:
    """Return the canonical spelling of a move, with the prefix that its word had or, for the table, ``p0/``.

    The states do not matter.
    """
    if move.what == "table":
        place = "" if not move.who else "j" if move.who == ROW else who_name(move.who)
        return f"p0/{place}*{names_of(move.cards)}"
    return move.prefix + _bare(move)


def _bare(move: Move) -> str:
    """Return the word of a move without a prefix, such as ``7C@s*8C``, ``7C-``, ``T00:s`` or ``Yes``."""
    cards, drawn = names_of(move.cards), "" if move.new_cards is None else f"*{names_of(move.new_cards)}"
    if move.what == "discard":
        return f"{cards}-{drawn}"
    fields = "".join(map(FIELDS.__getitem__, move.fields))
    place = f"{who_name(move.target)}{fields}" if move.target else fields
    match move.what:
        case "commit":
            return f"{cards}@{'~' if move.secret else ''}{place}{drawn}"
        case "fool":
            return f"T00:{fields}{'-' if move.secret else ''}{drawn}"
        case "stand" | "add":
            return f"{cards}@r{drawn}"
        case "drop":
            return f"r-{drawn}"
        case "spend":
            return f"r{cards}@{'~' if move.secret else ''}{fields}{drawn}"
        case "vote":
            return "Yes" if move.yes else "No"
        case "reveal":
            return f"^{fields}={cards}"
        case "pass":
            return "Pass"
    return f"{_used(move, place)}{drawn}{f'-{names_of(move.away)}' if move.away is not None else ''}"


def _used(move: Move, place: str) -> str:
    """Return the word for the use of a trump, without what was drawn: ``T02>p2``, ``T11=1``.

    ``place`` is its seat and field as text, such as ``p2s``; empty if it has neither.
    """
    text = f"T{move.count:02}"
    if move.count in (2, 12):
        return f"{text}>{place}"
    if move.count == 5:
        text += f"={(*SUITS, 'T', 'T00')[move.calls[0]]}"
        shown = "".join(f"^p{seat}={names_of(cards)}" for seat, cards in move.displays)
        return text + (shown or ("^None" if move.shows else ""))
    if move.count == 11:
        return f"{text}={move.calls[0]}"
    if move.count == 14:
        return f"{text}@{place}"
    if move.count == 16:
        return f"{text}:{place}"
    if move.count in (17, 18, 19):
        return text + "".join(f">{name_of(card)}" for card in move.calls) + (f":{place}" if place else "")
    return text
