"""Reading a word character by character, with an exact error where reading stops."""

import re
from collections.abc import Iterable, Mapping

from cartulary.engine.numbers import ANY_SEAT, SEAT, how_many, seats_named
from cartulary.notation.cgn.record import NotationError

PREFIX = re.compile(f"{ANY_SEAT}/")
"""The seat that a word begins with, of a game's seats or not."""
_SEAT = re.compile(rf"(?:p0|{SEAT})(?![0-9])")
_RUN = re.compile("[0-9A-Z~,]*")
"""Cards as they are written: characters of their names and commas."""
_SHORT = 24


def cut(text: str) -> str:
    """Return the text if it has at most 24 characters; else its first 23 and ``…``."""
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def word_list(words: Iterable[str]) -> str:
    """Return words in one line, joined by commas, or by semicolons if any of them contains a comma."""
    texts = tuple(words)
    return ("; " if any("," in word for word in texts) else ", ").join(texts)


_TYPED = str.maketrans("×✕X–—−", "xxx---")


def plain_signs(typed: str) -> tuple[str, ...]:
    """Return a word with ``x`` and ``-`` for characters that look like them: ``e×d5`` -> ``("exd5",)``.

    It is a function for ``Words.spellings``: the answer is empty if the word has no such character.
    """
    text = typed.translate(_TYPED)
    return (text,) if text != typed else ()


class Misread(NotationError):
    """The error of a word that cannot be read from a place on, counted from 0; its column lies in the word."""

    def __init__(self, text: str, at: int, expected: str) -> None:
        excerpt = f"{cut(text[at:])} in {cut(text)}" if 0 < at < len(text) else cut(text)
        if at >= len(text):
            excerpt = f"the end of {cut(text)}"
        super().__init__(f"found {excerpt}, expected {expected}", min(at, max(len(text) - 1, 0)) + 1)
        self._parts = text, at, expected

    @property
    def short(self) -> bool:
        """Whether nothing is wrong but that the word ends too early: reading stopped at its end."""
        text, at, _ = self._parts
        return at >= len(text)

    def behind(self, prefix: str) -> NotationError:
        """Return a new error for the word with this prefix before it, quoted from the prefix on and cut if long."""
        text, at, expected = self._parts
        return Misread(prefix + text, len(prefix) + at, expected)


class Signs:
    """A word and a position in it. Every method that reads moves the position on, or raises NotationError; ``has`` says
    instead whether it did."""

    def __init__(self, text: str, seats: int) -> None:
        """Begin at the first character of a word, in a game of so many seats."""
        self.text, self.seats, self.at = text, seats, 0

    @property
    def rest(self) -> str:
        """The part of the word that has not been read; empty at the end."""
        return self.text[self.at :]

    @property
    def next(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    def has(self, sign: str) -> bool:
        """Read exactly these characters if they come next, and say whether they did; else nothing is read."""
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def expect(self, sign: str, expected: str) -> None:
        """Read characters that must come next.

        Raises:
            NotationError: If they do not; ``expected`` names them, and what follows, in it.
        """
        if not self.has(sign):
            raise self.unread(expected)

    def letter(self, letters: str, expected: str) -> int:
        """Read one of these letters and return its index among them.

        Raises:
            NotationError: If none of them comes next; ``expected`` says what does not in it.
        """
        position = letters.find(self.text[self.at : self.at + 1] or "?")
        if position < 0:
            raise self.unread(expected)
        self.at += 1
        return position

    def seat(self, lowest: int = 1) -> int:
        """Read a seat such as ``p2`` and return its number; with ``lowest`` 0 it may be the table, ``p0``.

        Raises:
            NotationError: If no seat of the game comes next.
        """
        match = _SEAT.match(self.text, self.at)
        number = int(match[1] or 0) if match is not None else -1
        if match is None or not lowest <= number <= self.seats:
            raise self.unread(f"a seat {seats_named(self.seats, lowest=lowest)}")
        self.at = match.end()
        return number

    def end(self, expected: str = "the end of the word") -> None:
        """Check that nothing is left to read.

        Raises:
            NotationError: If something is left; ``expected`` says what was expected in its place.
        """
        if self.at < len(self.text):
            raise self.unread(expected)

    def unread(self, expected: str) -> NotationError:
        """Return (not raise) the error that something else was expected at this position."""
        return Misread(self.text, self.at, expected)


class CardSigns(Signs):
    """A word of a game whose cards are bytes.

    Attributes:
        codes: The cards by name, with ``~`` for an unknown one.
        a_card: The words for a card in errors.
    """

    codes: Mapping[str, int] = {}
    a_card = "a card"

    def names_card(self) -> bool:
        """Say whether a card or ``~`` comes next; nothing is read."""
        return bool(_card_at(self.text, self.at, self.codes))

    def card(self, what: str = "", unknown: bool = False) -> int:
        """Read one card and return its number; ``~`` counts as one only if ``unknown``.

        Raises:
            NotationError: If no card comes next; ``what`` names it in the error, if it is not just any card.
        """
        name = _card_at(self.text, self.at, self.codes)
        if not name or (name == "~" and not unknown):
            what = what or self.a_card
            raise self.unread(f"{what}, or ~" if unknown else what)
        self.at += len(name)
        return self.codes[name]

    def cards(self, unknown: bool = True) -> bytes:
        """Read one card or more, with or without commas between them, and return their numbers in that order.

        Raises:
            NotationError: If no card comes first, none follows a comma, or ``~`` is met and not ``unknown``.
        """
        run = _RUN.match(self.text, self.at)
        assert run is not None
        try:
            cards = bytes(map(self.codes.__getitem__, run[0].split(",")))
        except KeyError:
            cards = b""
        if cards and (unknown or "~" not in run[0]):
            self.at = run.end()
            return cards
        several = bytearray((self.card(unknown=unknown),))
        while (comma := self.has(",")) or self.names_card():
            several.append(self.card(f"{self.a_card} after the comma" if comma else "", unknown))
        return bytes(several)


def _card_at(text: str, at: int, codes: Mapping[str, int]) -> str:
    """Return the name of the card at an offset of a word, of one to three characters; empty if there is none."""
    name = text[at : at + 2]
    if name not in codes:
        name = text[at : at + 3]
        if name not in codes:
            name = text[at : at + 1]
    return name if name in codes else ""


def read_cards(text: str, at: int, codes: Mapping[str, int], expected: str, card: str) -> tuple[int, ...]:
    """Return the cards from a place of a word to its end, one or more, with or without commas.

    Args:
        text: The word.
        at: Where the cards begin.
        codes: The cards by name, with ``~`` where a card may be unknown.
        expected: The words for what is expected, in the error.
        card: The words for a card after a comma, in the error.

    Raises:
        NotationError: A character belongs to no card.
    """
    try:
        return tuple([codes[name] for name in text[at:].split(",")])
    except KeyError:
        cards: list[int] = []
    while at < len(text) or not cards:
        name = _card_at(text, at, codes)
        if not name:
            raise Misread(text, at, expected)
        cards.append(codes[name])
        at += len(name)
        if text[at : at + 1] == ",":
            at += 1
            if at == len(text):
                raise Misread(text, at, f"{card} after the comma")
    return tuple(cards)


count = how_many
"""A number with its noun."""
