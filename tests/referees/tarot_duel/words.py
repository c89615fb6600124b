"""The words of Tarot duel as the second referee waits for them and reads them: what is due, what a Major says."""

import re
from collections import Counter
from typing import NamedTuple

from tests.referees.tarot_duel.places import CARD, CARDS, Fault, Side, is_major

SHAPES = {
    "order": rf"p\d+\*{CARDS}",
    "draw": rf"\*{CARDS}",
    "redraw": rf"{CARDS}-(\*{CARDS})?",
    "pick": rf"p\d+={CARDS}",
    "look": rf"p\d+={CARDS}",
    "swap": rf"p\d+={CARDS}",
    "coin": r"=[HT]",
    "die": r"=[1-6]",
    "fool": rf"\*{CARD}|:p\d+h",
    "answer": r"Yes|Pass",
    "throw": rf"{CARDS}-",
    "mill": rf"\*{CARDS}-",
    "row": rf"{CARDS}>a",
    "show": rf"\^{CARD}",
    "stakes": rf"{CARDS}-",
    "back": rf"{CARDS}>d",
    "faces": rf"\^({CARD})?\^({CARD})?",
}


class Due(NamedTuple):
    """A word that is waited for. kind: its shape; wanted: how many cards; of: the seat whose cards they are.

    optional: it may be left out, and then the cards are unknown
    """

    kind: str
    seat: int
    key: str = "effect"
    wanted: int = 0
    of: int = 0
    optional: bool = False

    def fits(self, seat: int, body: str) -> bool:
        """Say whether the word may be the one waited for."""
        if seat != self.seat or not re.fullmatch(SHAPES[self.kind], body):
            return False
        return self.kind not in ("order", "pick", "look", "swap") or re.match(rf"p{self.of}[*=]", body) is not None


class Played(NamedTuple):
    """A Major on the table. card: as it lies there; kind: what it is used as; name: what that does.

    name: for T21 what it repeats, ":" a challenge
    mine, laid, row: the own card of T07 and T10, from the hand, face up, face down; theirs, their_row, to: the other
    justice: the card that lay ready and used this one
    """

    seat: int
    card: str
    name: str
    kind: str = ""
    foe: int = 0
    cards: tuple[str, ...] = ()
    number: int = 0
    mine: str = ""
    laid: str = ""
    row: int = 0
    theirs: str = ""
    their_row: int = 0
    to: str = ""
    justice: str = ""

    def check_theirs(self, foe: Side) -> None:
        """Raise Fault where the opponent has no such card."""
        if self.name not in ("T07", ":"):
            return
        if self.theirs:
            check_up(foe, self.theirs)
        elif self.their_row:
            foe.check_down(self.their_row)
        elif not foe.hand:
            raise Fault("effect", "there is no card in that hand")

    def check_own(self, side: Side) -> None:
        """Raise Fault where the user has no such card."""
        if self.mine:
            check_in(side.hand, self.mine, "in-hand")
        elif self.laid:
            check_up(side, self.laid)
        elif self.row:
            side.check_down(self.row)
        if self.name == "T10":
            self._check_other(side)
        if self.name == "T06":
            check_in(side.pile, self.cards[0], "in-discards")
        if self.name == "T08":
            check_in(side.deck.cards, self.cards[0], "in-deck")
        if self.name == "T17":
            check_all(side.pile, self.cards, "in-discards")
            if any(is_major(card) for card in self.cards):
                raise Fault("effect", "minors only")
        if self.name == "T19":
            check_all([laid.card for laid in side.up], self.cards, "in-area")

    def _check_other(self, side: Side) -> None:
        if self.to == "a":
            if self.their_row:
                side.check_down(self.their_row)
            else:
                check_up(side, self.theirs)
        else:
            places = {"x": (side.pile, "in-discards"), "h": (side.hand, "in-hand"), "d": (side.deck.cards, "in-deck")}
            check_in(places[self.to][0], self.theirs, places[self.to][1])
        if self.to == ("h" if self.mine else "a"):
            raise Fault("effect", "two different places")


def check_in(cards: list[str], card: str, key: str) -> None:
    """Raise Fault under the key where the card cannot be among these."""
    if card not in cards and "~" not in cards:
        raise Fault(key, card)


def check_all(cards: list[str], wanted: tuple[str, ...], key: str) -> None:
    """Raise Fault under the key where the cards cannot all be among these."""
    if (Counter(wanted) - Counter(cards)).total() > cards.count("~"):
        raise Fault(key, ",".join(wanted))


def check_up(side: Side, card: str) -> None:
    """Raise Fault ``in-area`` where the card does not lie face up there."""
    if all(laid.card != card for laid in side.up):
        raise Fault("in-area", f"{card} with p{side.number}")


def named(body: str | None) -> list[str]:
    """Return the cards of a word, [] for none."""
    return re.findall(CARD, body or "")


def count_fault(cards: list[str], count: int, key: str = "effect") -> None:
    """Raise Fault where a word has not as many cards as it must."""
    if len(cards) != count:
        raise Fault(key, f"{len(cards)} cards, due are {count}")
