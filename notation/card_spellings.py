"""How people type cards, ``t9``, ``10s``, ``h7``, ``♥10``, and what they call them, beside a game's own notation."""

import re
from collections.abc import Mapping

from cartulary.notation.card_faces import FRENCH

_SIGNS = {sign: letter for letter, sign in FRENCH.items()} | dict(zip("♧♢♡♤", FRENCH, strict=True))
_LOOKS = str.maketrans("", "", "\ufe0e\ufe0f")
"""Removes what only says whether a suit is shown as text or as an emoji."""


class CardSpelling:
    """Read cards as people type them.

    Args:
        ranks: The ranks of the game's plain suits, one letter each, with X for ten.
        suits: The letters of the plain suits.
        last_trump: The number of the highest trump, 21 for T21; -1 if trumps are no cards of their own.
        also: Other letters for ranks, such as V for J, which count where they are the whole word but for a suit.
    """

    def __init__(self, ranks: str, suits: str, *, last_trump: int = -1, also: Mapping[str, str] | None = None) -> None:
        self._last_trump = last_trump
        self._ranks = {rank: rank for rank in ranks} | {"10": "X"} | dict(also or {})
        self._suits = {suit: suit for suit in suits}
        if set(suits) <= set(FRENCH):
            self._suits |= _SIGNS
        rank = "|".join(sorted(self._ranks, key=len, reverse=True))
        signs = "".join(sign for sign in self._suits if not sign.isascii())
        self._rank_first = re.compile(f"({rank})([{''.join(self._suits)}])", re.IGNORECASE)
        self._suit_first = re.compile(f"([{''.join(self._suits)}])({rank})", re.IGNORECASE)
        self._sign_after = re.compile(f"({rank})([{signs}])", re.IGNORECASE) if signs else None
        self._sign_before = re.compile(f"([{signs}])({rank})", re.IGNORECASE) if signs else None
        self._ten = re.compile(f"(?<![0-9Tt])10([{suits}])", re.IGNORECASE)

    def words(self, typed: str) -> tuple[str, ...]:
        """Return what a typed word may mean: one card or more if it is nothing but a card, else the word rewritten.

        Args:
            typed: The word as a person typed it.

        Returns:
            ``10s`` -> ``XS``, ``cd`` -> ``ND`` and ``QC`` where C is also a knight and D a queen, ``t9,♥10`` ->
            ``T09,XH``. Empty if nothing in it is spelled otherwise.
        """
        text = typed.translate(_LOOKS)
        if cards := self._cards(text):
            return cards
        # Most words that cannot be read have nothing to be rewritten, so the patterns are tried where they may fit.
        written = text
        if self._last_trump > 0 and "t" in text.lower():
            written = _ONE_FIGURE.sub(r"T0\1", written)
        if self._sign_before is not None and self._sign_after is not None and not text.isascii():
            written = self._sign_before.sub(lambda match: self._card(match[2], match[1]), written)
            written = self._sign_after.sub(lambda match: self._card(match[1], match[2]), written)
        if "10" in written:
            written = self._ten.sub(r"X\1", written)
        return (written,) if written != typed else ()

    def common_name(self, word: str) -> str:
        """Return how people call a card, ``♠10`` for ``XS`` and ``trump 9`` for ``T09``.

        Empty if the word is no card, or a plain card of a game without French suits.
        """
        if self._last_trump > 0 and (trump := _TRUMP_CARD.fullmatch(word)):
            return f"trump {int(trump[1])}"
        if len(word) != 2 or word[0] not in self._ranks or word[1] not in FRENCH or not self._sign_before:
            return ""
        return f"{FRENCH[word[1]]}{'10' if word[0] == 'X' else word[0]}"

    def _cards(self, text: str) -> tuple[str, ...]:
        """Return the cards that a word may be if it is nothing but one: one, or two if rank and suit can be exchanged.

        Empty if it is none, or a trump with too high a number.
        """
        if self._last_trump > 0 and (trump := _TRUMP.fullmatch(text)):
            number = int(trump[1] or trump[2])
            return (f"T{number:02}",) if number <= self._last_trump else ()
        first, last = self._rank_first.fullmatch(text), self._suit_first.fullmatch(text)
        cards = (self._card(first[1], first[2]),) if first else ()
        return tuple(dict.fromkeys((*cards, *((self._card(last[2], last[1]),) if last else ()))))

    def _card(self, rank: str, suit: str) -> str:
        """Return the card of a rank and a suit as typed: ``10`` and ``♥`` is ``XH``.

        Raises:
            KeyError: If one of them is none of this game.
        """
        return self._ranks[rank.upper()] + self._suits[suit.upper()]


_TRUMP = re.compile(r"[Tt]([0-9]{1,2})|([0-9]{1,2})[Tt]")
_TRUMP_CARD = re.compile(r"T([0-9]{2})")
_ONE_FIGURE = re.compile(r"(?<![A-Za-z0-9])[Tt]([0-9])(?![0-9])")
