"""Arcanoid's words, read from left to right: whose it is, what kind, its cards, fields, targets and draws; and written.

Cards of one word are written trumps first, then suit by suit, S W C D, unknown ones last; dealt and drawn cards keep
their order. Who is to move is not named, nor is its daemon; whoever uses the Hermit or the Fool is.
Laxer than the standard: commas between cards may be left out, and cards that have no order may stand in any; a prefix
of the seat to move is read, and none is needed where a Hermit's move is continued.
"""

import re
from functools import lru_cache

from msgspec.structs import replace

from cartulary.engine.arcanoid import Move, State
from cartulary.engine.arcanoid.cards import FIELDS, NAMES, SUITS, TEMPERANCE, listed, name_of, said
from cartulary.engine.arcanoid.moves import DAEMON, ROW
from cartulary.engine.arcanoid.state import who_name
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.slots import UNKNOWN
from cartulary.notation.cgn.signs import CardSigns

_PREFIX = re.compile(r"p([0-9]+)(d?)/")
_CODES = {name: code for code, name in enumerate(NAMES)} | {"~": UNKNOWN}
_A_CARD = "a card such as 7C, KD or T05"
_NAMED = "SWCDT"
_FIELD = {letter: (number,) for number, letter in enumerate(FIELDS)}
_TOLD = {"p0/": 0, "p0/j": ROW} | {f"p0/p{seat}": seat for seat in range(1, 12)}
_TEMPERANCE = bytes((TEMPERANCE,))
USED = (2, 5, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19)


class Reader(CardSigns):
    """A word of Arcanoid and how far it has been read."""

    codes, a_card = _CODES, _A_CARD

    def target(self) -> int:
        """Read a seat, or a seat's daemon."""
        seat = self.seat()
        return DAEMON + seat if self.has("d") else seat

    def fields(self) -> tuple[int, ...]:
        """Read the letters of one field or several, each once; return them in their order."""
        found: list[int] = []
        while self.next and self.next in FIELDS and FIELDS.index(self.next) not in found:
            found.append(self.field())
        if not found:
            raise self.unread("a field s, w, c or d")
        return tuple(sorted(found))

    def place(self) -> tuple[int, int]:
        """Read a field, of another seat or daemon if one stands before it; return (whose or 0, field)."""
        who = self.seat() if self.rest.startswith("p") else 0
        if who and re.fullmatch(r"d[swcd].*", self.rest):
            self.at += 1
            who += DAEMON
        return who, self.field()

    def field(self) -> int:
        """Read one field."""
        return self.letter(FIELDS, "a field s, w, c or d")

    def drawn(self) -> bytes | None:
        """Read the draw behind a word, if there is one."""
        return self.cards() if self.has("*") else None


# --- reading ---


def read(signs: str, seat: int, state: State) -> Move:
    """Return what a word says, with whose it is only where that is written.

    Raises NotationError.
    """
    return _read(signs, state.house.seats)


@lru_cache(maxsize=50_000)
def _read(text: str, seats: int) -> Move:
    return _plain(text, seats) or _worded(Reader(text, seats))


def _plain(text: str, seats: int) -> Move | None:
    """Return known cards told, a discard of one card or a commitment on one field, in their one spelling, or None."""
    head, star, tail = text.partition("*")
    try:
        drawn = bytes(map(_CODES.__getitem__, tail.split(","))) if star else None
        if head[-1:] == "-":
            return Move(0, "discard", 0, bytes((_CODES[head[:-1]],)), drawn)
        if drawn and head in _TOLD:
            who = _TOLD[head]
            return Move(0, "told", who, drawn) if who == ROW or who <= seats else None
        names, _, field = head.partition("@")
        cards = bytes(map(_CODES.__getitem__, names.split(","))) if names else b""
        fields = _FIELD[field]
    except KeyError:
        return None
    if UNKNOWN in cards or cards == _TEMPERANCE or (len(cards) > 1 and listed(cards) != cards):
        return None
    return Move(0, "commit", 0, cards, drawn, fields)


def _worded(reader: Reader) -> Move:
    prefix, seat = _PREFIX.match(reader.text), 0
    if prefix:
        if prefix[1] == "0" and not prefix[2]:
            reader.at = prefix.end()
            return _of_table(reader)
        seat = reader.target() % DAEMON
        reader.has("/")
    written = f"{prefix[0]}" if prefix else ""
    return replace(_unprefixed(reader), seat=seat, prefix=written) if prefix else _unprefixed(reader)


def _unprefixed(reader: Reader) -> Move:
    if reader.rest in ("Yes", "No"):
        return Move(0, "vote", yes=reader.rest == "Yes")
    if reader.rest == "Pass":
        return Move(0, "pass")
    if reader.has("^"):
        return _reveal(reader)
    if reader.rest.startswith("r"):
        return _reserve(reader)
    trump = re.match(r"T(\d\d)(?=[=>:*]|$)", reader.rest)
    if trump is not None and int(trump[1]) in USED:
        reader.at += 3
        return _trump(reader, int(trump[1]))
    if trump is not None and trump[1] == "00" and reader.rest[3:4] == ":":
        return _fool(reader)
    return _cards(reader)


def _of_table(reader: Reader) -> Move:
    who = 0
    if reader.has("j"):
        who = ROW
    elif reader.rest.startswith("p"):
        who = reader.target()
    reader.expect("*", "*, p1*, p1d* or j* and the cards that are told")
    cards = reader.cards()
    reader.end()
    return Move(0, "told", who, cards)


def _reveal(reader: Reader) -> Move:
    field = reader.field()
    reader.expect("=", "= and the cards turned up")
    cards = listed(reader.cards(unknown=False))
    reader.end()
    return Move(0, "reveal", 0, cards, fields=(field,))


def _fool(reader: Reader) -> Move:
    reader.at += 4
    field = reader.field()
    vain = reader.has("-")
    drawn = reader.drawn()
    reader.end()
    return Move(0, "fool", 0, bytes((FOOL,)), drawn, (field,), secret=vain)


def _reserve(reader: Reader) -> Move:
    reader.has("r")
    if reader.has("-"):
        drawn = reader.drawn()
        reader.end()
        return Move(0, "drop", 0, b"", drawn)
    cards = b"" if reader.rest.startswith("@") else listed(reader.cards(unknown=False))
    reader.expect("@", "@ and a field")
    secret = reader.has("~")
    fields = reader.fields()
    drawn = reader.drawn()
    reader.end()
    return Move(0, "spend", 0, cards, drawn, fields, secret=secret)


def _cards(reader: Reader) -> Move:
    """Read a word that begins with cards or with @: a discard, a commitment, a reserve, Temperance or Judgment."""
    cards = b""
    if not reader.rest.startswith("@"):
        if not reader.names_card():
            raise reader.unread(f"{_A_CARD}, @ and a field, r, ^, Yes, No or p0/")
        cards = listed(reader.cards())
    if cards and reader.has("-"):
        drawn = reader.drawn()
        reader.end("* and the cards drawn, or the end of the word")
        return Move(0, "discard", 0, cards, drawn)
    reader.expect("@", "- or @ behind the cards")
    secret = reader.has("~")
    if UNKNOWN in cards and not secret:
        reader.at = reader.text.index("~")
        raise reader.unread(f"{_A_CARD}: what is committed face up is seen by all")
    if cards and not secret and reader.has("r"):
        drawn = reader.drawn()
        reader.end()
        return Move(0, "stand" if FOOL + 7 in cards else "add", 0, cards, drawn)
    target = 0
    if reader.rest.startswith("p") and cards == bytes((FOOL + 20,)):
        target, field = reader.place()
        fields: tuple[int, ...] = (field,)
    else:
        fields = reader.fields()
    drawn = reader.drawn()
    reader.end()
    if cards == bytes((FOOL + 14,)) and not secret:
        return Move(0, "use", 0, cards, drawn, fields, count=14)
    return Move(0, "commit", 0, cards, drawn, fields, target, secret=secret)


# --- trumps ---


def _trump(reader: Reader, number: int) -> Move:
    target, calls, told = 0, b"", False
    shown: tuple[tuple[int, bytes], ...] = ()
    fields: tuple[int, ...] = ()
    away: bytes | None = None
    if number in (2, 12):
        reader.expect(">", "> and a seat")
        target = reader.target()
    elif number == 5:
        calls, shown, told = _shown(reader)
    elif number == 11:
        reader.expect("=", "= and 1 or 2")
        match = re.match(r"[0-9]{1,2}", reader.rest)
        if match is None:
            raise reader.unread("1 or 2")
        reader.at += match.end()
        calls = bytes((int(match[0]),))
    elif number == 16:
        reader.expect(":", ": and a field")
        target, field = reader.place()
        fields = (field,)
    elif number in (17, 18, 19):
        calls, target = _calls(reader)
    drawn = reader.drawn()
    if number == 10 and reader.has("-"):
        away = listed(reader.cards())
    reader.end()
    card = bytes((FOOL + number,))
    return Move(0, "use", 0, card, drawn, fields, target, calls, shown, told, count=number, away=away)


def _calls(reader: Reader) -> tuple[bytes, int]:
    calls = bytearray()
    while reader.has(">"):
        calls.append(reader.card())
    if not calls:
        raise reader.unread("> and the card called")
    return bytes(calls), reader.target() if reader.has(":") else 0


def _shown(reader: Reader) -> tuple[bytes, tuple[tuple[int, bytes], ...], bool]:
    reader.expect("=", "= and S, W, C, D, T or T00")
    named = 5 if reader.has("T00") else reader.letter(_NAMED, "S, W, C, D, T or T00")
    if reader.has("^None"):
        return bytes((named,)), (), True
    shown: dict[int, bytes] = {}
    told = False
    while reader.has("^"):
        if not told and not reader.rest.startswith("p"):
            raise reader.unread("None, or the first seat that shows cards")
        at, seat, told = reader.at, reader.seat(), True
        if seat in shown:
            reader.at = at
            raise reader.unread("another seat: each shows its cards once")
        reader.expect("=", "= and the cards the seat shows")
        shown[seat] = listed(reader.cards(unknown=False))
    return bytes((named,)), tuple(sorted(shown.items())), told


# --- writing ---


def write(move: Move, state: State, after: State | None = None) -> str:
    """Return the one spelling of a move."""
    if move.what == "told":
        place = "" if not move.who else "j" if move.who == ROW else who_name(move.who)
        return f"p0/{place}*{said(move.cards)}"
    return move.prefix + _bare(move)


def _bare(move: Move) -> str:
    """Return the word without a prefix."""
    cards, drawn = said(move.cards), "" if move.drawn is None else f"*{said(move.drawn)}"
    if move.what == "discard":
        return f"{cards}-{drawn}"
    fields = "".join([FIELDS[field] for field in move.fields])
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
    return f"{_used(move, place)}{drawn}{f'-{said(move.away)}' if move.away is not None else ''}"


def _used(move: Move, place: str) -> str:
    text = f"T{move.count:02}"
    if move.count in (2, 12):
        return f"{text}>{place}"
    if move.count == 5:
        text += f"={(*SUITS, 'T', 'T00')[move.calls[0]]}"
        shown = "".join(f"^p{seat}={said(cards)}" for seat, cards in move.shown)
        return text + (shown or ("^None" if move.told else ""))
    if move.count == 11:
        return f"{text}={move.calls[0]}"
    if move.count == 14:
        return f"{text}@{place}"
    if move.count == 16:
        return f"{text}:{place}"
    if move.count in (17, 18, 19):
        return text + "".join(f">{name_of(card)}" for card in move.calls) + (f":{place}" if place else "")
    return text
