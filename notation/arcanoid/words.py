"""One word of Arcanoid read from left to right: whose it is, what kind, its cards, fields, targets and draws."""

import re

from cartulary.engine.arcanoid.cards import FIELDS, FOOL, NAMES, UNKNOWN, listed
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.notation.cgn.signs import Signs

_CARD = re.compile(r"[1-9XJNQK][SWCD]|T0[0-9]|T1[0-9]|T2[01]|~")
_PREFIX = re.compile(r"p([0-9]+)(d?)/")
_CODES = {name: code for code, name in enumerate(NAMES)} | {"~": UNKNOWN}
_A_CARD = "a card such as 7C, KD or T05"
_NAMED = "SWCDT"
USED = (2, 5, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19)


class Reader(Signs):
    """A word of Arcanoid and how far it has been read."""

    def target(self) -> int:
        """Read a seat, or a seat's daemon."""
        seat = self.seat()
        return DAEMON + seat if self.has("d") else seat

    def card(self, what: str = _A_CARD, unknown: bool = False) -> int:
        """Read one card; unknown: ``~`` is read too."""
        match = _CARD.match(self.text, self.at)
        if match is None or (match[0] == "~" and not unknown):
            raise self.unread(f"{what}, or ~" if unknown else what)
        self.at = match.end()
        return _CODES[match[0]]

    def cards(self, unknown: bool = True) -> bytes:
        """Read cards, commas between them or none, as they stand."""
        cards = bytearray((self.card(unknown=unknown),))
        while True:
            if self.has(","):
                cards.append(self.card(f"{_A_CARD} behind the comma", unknown))
            elif _CARD.match(self.text, self.at):
                cards.append(self.card(unknown=unknown))
            else:
                return bytes(cards)

    def fields(self) -> tuple[int, ...]:
        """Read the letters of one field or several, each once; return them in their order."""
        found: list[int] = []
        while self.rest[:1] and self.rest[0] in FIELDS and FIELDS.index(self.rest[0]) not in found:
            found.append(FIELDS.index(self.rest[0]))
            self.at += 1
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
        if not self.rest or self.rest[0] not in FIELDS:
            raise self.unread("a field s, w, c or d")
        self.at += 1
        return FIELDS.index(self.text[self.at - 1])

    def drawn(self) -> bytes | None:
        """Read the draw behind a word, if there is one."""
        return self.cards() if self.has("*") else None


def prefix_of(text: str) -> tuple[int, bool] | None:
    """Return the seat before a word and whether it is that of its daemon, None where there is none."""
    match = _PREFIX.match(text)
    return (int(match[1][:4]), bool(match[2])) if match else None


def parse_word(text: str, seats: int, who: int, extra: bool) -> Move:
    """Return the move a word means, said by ``who``; raises NotationError.

    extra: it is said by leave of the Hermit
    """
    reader = Reader(text, seats)
    prefix = _PREFIX.match(text)
    if prefix:
        if prefix[1] == "0" and not prefix[2]:
            reader.at = prefix.end()
            return _of_table(reader)
        reader.target()
        reader.has("/")
    seat = who % DAEMON
    if reader.rest in ("Yes", "No"):
        voter = DAEMON + seat if prefix and prefix[2] else seat
        return Move(seat, "vote", voter, yes=reader.rest == "Yes")
    if reader.rest == "Pass":
        return Move(seat, "pass", who, extra=extra)
    if reader.has("^"):
        return _reveal(reader, who)
    if reader.rest.startswith("r"):
        return _reserve(reader, who, extra)
    trump = re.match(r"T(\d\d)(?=[=>:*]|$)", reader.rest)
    if trump is not None and int(trump[1]) in USED:
        reader.at += 3
        return _trump(reader, who, extra, int(trump[1]))
    if trump is not None and trump[1] == "00" and reader.rest[3:4] == ":":
        return _fool(reader, who)
    return _cards(reader, who, extra)


def _of_table(reader: Reader) -> Move:
    who = 0
    if reader.has("j"):
        who = ROW
    elif reader.rest.startswith("p"):
        who = reader.target()
    if not reader.has("*"):
        raise reader.unread("*, p1*, p1d* or j* and the cards that are told")
    cards = reader.cards()
    reader.end()
    return Move(0, "told", who, cards)


def _reveal(reader: Reader, who: int) -> Move:
    field = reader.field()
    if not reader.has("="):
        raise reader.unread("= and the cards turned up")
    cards = listed(reader.cards(unknown=False))
    reader.end()
    return Move(who % DAEMON, "reveal", who, cards, fields=(field,))


def _fool(reader: Reader, who: int) -> Move:
    reader.at += 4
    field = reader.field()
    vain = reader.has("-")
    drawn = reader.drawn()
    reader.end()
    return Move(who % DAEMON, "fool", who, bytes((FOOL,)), drawn, (field,), secret=vain)


def _reserve(reader: Reader, who: int, extra: bool) -> Move:
    reader.has("r")
    seat = who % DAEMON
    if reader.has("-"):
        drawn = reader.drawn()
        reader.end()
        return Move(seat, "drop", who, b"", drawn, extra=extra)
    cards = b"" if reader.rest.startswith("@") else listed(reader.cards(unknown=False))
    if not reader.has("@"):
        raise reader.unread("@ and a field")
    secret = reader.has("~")
    fields = reader.fields()
    drawn = reader.drawn()
    reader.end()
    return Move(seat, "spend", who, cards, drawn, fields, extra=extra, secret=secret)


def _cards(reader: Reader, who: int, extra: bool) -> Move:
    """Read a word that begins with cards or with @: a discard, a commitment, a reserve, Temperance or Judgment."""
    seat, cards = who % DAEMON, b""
    if not reader.rest.startswith("@"):
        if not _CARD.match(reader.text, reader.at):
            raise reader.unread(f"{_A_CARD}, @ and a field, r, ^, Yes, No or p0/")
        cards = listed(reader.cards())
    if cards and reader.has("-"):
        drawn = reader.drawn()
        reader.end("* and the cards drawn, or the end of the word")
        return Move(seat, "discard", who, cards, drawn, extra=extra)
    if not reader.has("@"):
        raise reader.unread("- or @ behind the cards")
    secret = reader.has("~")
    if UNKNOWN in cards and not secret:
        reader.at = reader.text.index("~")
        raise reader.unread(f"{_A_CARD}: what is committed face up is seen by all")
    if cards and not secret and reader.has("r"):
        drawn = reader.drawn()
        reader.end()
        what = "stand" if FOOL + 7 in cards else "add"
        return Move(seat, what, who, cards, drawn, extra=extra)
    target = 0
    if reader.rest.startswith("p") and cards == bytes((FOOL + 20,)):
        target, field = reader.place()
        fields: tuple[int, ...] = (field,)
        target = 0 if target == who else target
    else:
        fields = reader.fields()
    drawn = reader.drawn()
    reader.end()
    if cards == bytes((FOOL + 14,)) and not secret:
        return Move(seat, "use", who, cards, drawn, fields, count=14, extra=extra)
    return Move(seat, "commit", who, cards, drawn, fields, target, extra=extra, secret=secret)


# --- trumps ---


def _trump(reader: Reader, who: int, extra: bool, number: int) -> Move:
    seat, target, calls, told = who % DAEMON, 0, b"", False
    shown: tuple[tuple[int, bytes], ...] = ()
    fields: tuple[int, ...] = ()
    away: bytes | None = None
    if number in (2, 12):
        _sign(reader, ">", "a seat")
        target = reader.target()
    elif number == 5:
        calls, shown, told = _shown(reader)
    elif number == 11:
        _sign(reader, "=", "1 or 2")
        match = re.match(r"[0-9]{1,2}", reader.rest)
        if match is None:
            raise reader.unread("1 or 2")
        reader.at += match.end()
        calls = bytes((int(match[0]),))
    elif number == 16:
        _sign(reader, ":", "a field")
        target, field = reader.place()
        target, fields = (0 if target == who else target), (field,)
    elif number in (17, 18, 19):
        calls, target = _calls(reader)
    drawn = reader.drawn()
    if number == 10 and reader.has("-"):
        away = listed(reader.cards())
    reader.end()
    card = bytes((FOOL + number,))
    return Move(seat, "use", who, card, drawn, fields, target, calls, shown, told, extra, count=number, away=away)


def _sign(reader: Reader, sign: str, what: str) -> None:
    if not reader.has(sign):
        raise reader.unread(f"{sign} and {what}")


def _calls(reader: Reader) -> tuple[bytes, int]:
    calls = bytearray()
    while reader.has(">"):
        calls.append(reader.card())
    if not calls:
        raise reader.unread("> and the card called")
    return bytes(calls), reader.target() if reader.has(":") else 0


def _shown(reader: Reader) -> tuple[bytes, tuple[tuple[int, bytes], ...], bool]:
    _sign(reader, "=", "S, W, C, D, T or T00")
    if reader.has("T00"):
        named = 5
    elif reader.rest[:1] and reader.rest[0] in _NAMED:
        named = _NAMED.index(reader.rest[0])
        reader.at += 1
    else:
        raise reader.unread("S, W, C, D, T or T00")
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
        if not reader.has("="):
            raise reader.unread("= and the cards the seat shows")
        shown[seat] = listed(reader.cards(unknown=False))
    return bytes((named,)), tuple(sorted(shown.items())), told
