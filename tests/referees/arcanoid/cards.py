"""Cards, commitments and their strength for the second referee of Arcanoid, from the rulebook alone.

Terms: a *key* is a seat as words name it, ``p2``, or its daemon, ``p2d``; a *stand* is what lies on one field.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

RANKS = "123456789XJNQK"
SUITS = "SWCD"
FIELDS = "swcd"
TRUMPS = tuple(f"T{number:02}" for number in range(22))
TAROT = (*TRUMPS, *(rank + suit for suit in SUITS for rank in RANKS))
PLACE_OF = {card: place for place, card in enumerate(TAROT)} | {"~": 99}
CARD = r"(?:T\d\d|[1-9XJNQK][SWCD]|~)"
CARDS = rf"{CARD}(?:,{CARD})*"
KEY = r"p\d+d?"
COUPLES = ("imperial", "royal", "illegitimate")
STRENGTH = {"world": 5, "imperial": 4, "royal": 3, "illegitimate": 2, "abdicated": 0}
LATE = ("mainz", "malta", "worms")


class Fault(Exception):
    """A rule is broken; ``key`` is its key without the game's name, the sentence says what happened."""

    def __init__(self, key: str, because: str = "") -> None:
        super().__init__(f"{key}: {because}")
        self.key = key


class Stand(NamedTuple):
    """What a key has on a field.

    kind: numeric, knave, knight, royal, imperial, illegitimate, world, abdicated, or unknown for cards not seen
    time: the word that committed it; down: it lies face down; whole: an ace that has been completed
    """

    kind: str
    cards: tuple[str, ...]
    time: int
    down: bool = False
    whole: bool = False

    def lone_ace(self) -> bool:
        """Say whether it is an ace without other numeric cards, that may be completed."""
        return self.kind == "numeric" and not self.whole and [card[0] for card in naturals(self.cards)] == ["1"]


def in_order(cards: Iterable[str]) -> list[str]:
    """Return the cards as a word has them."""
    return sorted(cards, key=lambda card: PLACE_OF[card])


def listed(cards: Iterable[str]) -> str:
    """Return the cards parted by commas."""
    return ",".join(cards)


def split(cards: str | None) -> list[str]:
    """Return the cards of a word."""
    return cards.split(",") if cards else []


def is_trump(card: str) -> bool:
    """Say whether it is a major arcanum, the Fool too."""
    return card[0] == "T"


def worth(card: str) -> int:
    """Return the number of a card, 11 and more for courts."""
    return RANKS.index(card[0]) + 1


def is_numeric(card: str) -> bool:
    """Say whether it is an ace to a ten."""
    return not is_trump(card) and card != "~" and worth(card) <= 10


def naturals(cards: Iterable[str]) -> list[str]:
    """Return the suit cards among them."""
    return [card for card in cards if not is_trump(card)]


def form(cards: Sequence[str], fields: str, variant: str) -> str:
    """Return the kind of a commitment. Raises Fault with the key its kind breaks."""
    if "~" in cards:
        return "unknown"
    if not cards:
        return _single("abdicated", "abdicate", fields)
    trumps = {card for card in cards if is_trump(card)}
    if "T06" not in trumps and len([card for card in naturals(cards) if card[0] in "QK"]) == 1:
        raise Fault("needs-partner", "a queen or king without its mate")
    if trumps == {"T21"} and len(cards) == 1:
        return _single("world", "world", fields)
    if trumps - {"T01", "T03", "T04", "T06"}:
        raise Fault("no-commitment", "a trump that commits nothing")
    if "T06" in trumps:
        return _lovers(cards, fields)
    if trumps & {"T03", "T04"}:
        if trumps == {"T03", "T04"} and len(cards) == 2 and len(fields) <= 2:
            return "imperial"
        raise Fault("imperial-couple" if {"T03", "T04"} <= trumps else "needs-partner", "Empress, Emperor")
    return _suited(cards, fields, variant)


def _single(kind: str, key: str, fields: str) -> str:
    if len(fields) > 1:
        raise Fault(key, "it stands on one field")
    return kind


def _lovers(cards: Sequence[str], fields: str) -> str:
    if len(cards) == 1:
        raise Fault("needs-partner", "the Lovers alone")
    if len(fields) > 2:
        raise Fault("illegitimate-couple", "on two fields at most")
    [other] = [card for card in cards if card != "T06"] if len(cards) == 2 else [""]
    if other in ("T03", "T04"):
        return "illegitimate"
    if not other or is_trump(other) or worth(other) < 11 or len(fields) > 1 or other[1] != fields[0].upper():
        raise Fault("illegitimate-couple", "not with these")
    return "illegitimate"


def _suited(cards: Sequence[str], fields: str, variant: str) -> str:
    suit = fields[0].upper()
    others = naturals(cards)
    magician = len(others) < len(cards)
    royals = [card for card in others if card[0] in "QK"]
    if royals:
        if set(cards) != {f"Q{suit}", f"K{suit}"} or len(fields) > 1:
            raise Fault("royal-couple", "queen and king of the field's suit, on it")
        return "royal"
    courts = [card for card in others if card[0] in "JN"]
    kind = {"J": "knave", "N": "knight", "": "numeric"}[courts[0][0] if courts else ""]
    foreign = [card for card in others if card[1] != suit]
    if magician and (not others or len(foreign) > 1 or any(not is_numeric(card) for card in foreign)):
        raise Fault("transmute", "one foreign numeric card, and not he alone")
    aces = [card for card in others if card[0] == "1"]
    lone = len(others) == 1 or (len(others) == 2 and len(aces) == 1)
    if courts and (not lone or (variant in LATE and len(cards) > 1)):
        raise Fault(kind, "alone, or with the ace")
    if (foreign and not magician) or len(fields) > 1:
        raise Fault(kind, "of the field's suit, on one field")
    if magician and variant == "malta":
        raise Fault("transmute", "malta knows no transmutation")
    return kind


def stealable(stand: Stand, variant: str) -> bool:
    """Say whether the Fool may take it."""
    if stand.kind in (*COUPLES, "world", "abdicated"):
        return False
    return variant in LATE or all(card[0] != "1" for card in naturals(stand.cards))


def strength(stand: Stand, field: str, tie: str) -> tuple[object, ...]:
    """Return what is compared on a field; the greatest wins."""
    if stand.kind == "abdicated":
        return (0, stand.time)
    if stand.kind in STRENGTH:
        return (STRENGTH[stand.kind],)
    cards = naturals(stand.cards)
    ranks = sorted((worth(card) for card in cards), reverse=True)
    value = {"knave": 14.5, "knight": 17.5}.get(stand.kind, float(sum(ranks)))
    own = all(card[1] == field.upper() for card in cards)
    first = {"earlier": -stand.time, "fewer-cards": -len(cards), "": 0}[tie]
    return (1, value, first, tuple(ranks), own)
