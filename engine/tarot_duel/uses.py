"""Whether a Major is rightly used: what its word must name, at whom it is aimed, and what must be where."""

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.tarot_duel.cards import MAJOR, NAMES, how_many, name_of
from cartulary.engine.tarot_duel.moves import (
    AGAIN_CHALLENGE,
    AIMED,
    DEATH,
    HERMIT,
    LOVERS,
    Spot,
    Use,
    acting,
)
from cartulary.engine.tarot_duel.state import State, is_in
from cartulary.engine.tarot_duel.zones import Taken, take, take_area

ONE_CARD = {6: "of the own discard pile", 8: "of the own deck"}
TOWER, MOON, DEVIL = 17, 19, 16
PLACES = {"h": "hand", "a": "area", "x": "discard pile", "d": "deck"}
KEYS = {place: f"tarot-duel.in-{'discards' if place == 'x' else name}" for place, name in PLACES.items()}


def idle(state: State, use: Use) -> bool:
    """Say whether a Major does nothing, because it was wrongly used or what it needs has gone."""
    return bool(misuse(state, use)) or misplaced(state, use) is not None


def misplaced(state: State, use: Use) -> tuple[str, str] | None:
    """Return key and reason where a card the word names is not where it must be."""
    number = acting(use)
    if number in (6, TOWER):
        return _all_there(state, use.seat, "x", use.cards)
    if number == 8:
        return _all_there(state, use.seat, "d", use.cards)
    if number == MOON:
        return _all_there(state, use.seat, "a", use.cards)
    if number in (LOVERS, HERMIT):
        return _both_there(state, use)
    if number == AGAIN_CHALLENGE and use.other is not None and use.target:
        return None if take_area(state, use.target, use.other) else absent(use.target, use.other)
    return None


def absent(seat: int, spot: Spot) -> tuple[str, str]:
    """Return key and reason for a card that is not there."""
    what = f"no card lies face down at a{spot.at}" if spot.at else f"{name_of(spot.card)} is not"
    return KEYS[spot.place], f"{what} in p{seat}'s {PLACES[spot.place]}"


_IN_ORDER = tuple(KEYS[place] for place in "haxd")


def first_missing(*missing: tuple[str, str] | None) -> tuple[str, str] | None:
    """Return what comes first in the rulebook of cards that are not where they must be."""
    found = [one for one in missing if one is not None]
    return min(found, key=lambda one: _IN_ORDER.index(one[0])) if found else None


def _all_there(state: State, seat: int, place: str, cards: bytes) -> tuple[str, str] | None:
    for card in sorted(cards):
        taken = take(state, seat, Spot(place, card))
        if taken is None:
            return absent(seat, Spot(place, card))
        state = taken[0]
    return None


def _both_there(state: State, use: Use) -> tuple[str, str] | None:
    own, other = use.own, use.other
    if own is None or other is None or own.place not in "ha":
        return None
    taken: Taken | None = take(state, use.seat, own)
    mine = absent(use.seat, own) if taken is None else None
    lovers = acting(use) == LOVERS
    if not lovers and own.place == other.place:
        return mine
    if lovers and (other.place == "h" or not use.target):
        return mine
    whose = use.target if lovers else use.seat
    its = None if take(taken[0] if taken else state, whose, other) else absent(whose, other)
    return first_missing(mine, its)


def misuse(state: State, use: Use) -> str:
    """Say what is wrong with the use of a Major, the places of cards apart; empty where nothing is."""
    name = NAMES[MAJOR - 1 + use.number]
    if use.number in (4, 5):
        return f"{name} does nothing by itself: it is activated as another Major"
    if use.number == 15 or (use.justice and use.number == 12):
        return f"{name} is not what Justice can use"
    if use.number == 21:
        wrong = _unrepeated(state, use)
        if wrong:
            return wrong
    number = acting(use)
    said = "a challenge" if number == AGAIN_CHALLENGE else NAMES[MAJOR - 1 + number]
    return _misaimed(state, use, number, said) or _misnamed(use, number, said) or _mischosen(state, use, number, said)


def _unrepeated(state: State, use: Use) -> str:
    number, by = state.marks.against[use.seat - 1]
    if use.again == 0:
        return "T21 names no action to repeat"
    if use.again != number:
        if not number:
            return f"nothing was used against p{use.seat}"
        last = "a challenge" if number == AGAIN_CHALLENGE else NAMES[MAJOR - 1 + number]
        return f"the last action used against p{use.seat} was {last}"
    if use.again != DEATH and use.target != by:
        return f"it was p{by} that used it against p{use.seat}"
    return ""


def _misaimed(state: State, use: Use, number: int, said: str) -> str:
    """Say what is wrong with the opponent named."""
    if number not in AIMED and number != AGAIN_CHALLENGE:
        return f"{said} is aimed at nobody" if use.target else ""
    if not use.target:
        return f"{said} names no opponent"
    if use.target == use.seat:
        return f"p{use.seat} is no opponent of its own"
    return "" if is_in(state, use.target) else f"p{use.target} is out"


def _misnamed(use: Use, number: int, said: str) -> str:
    """Say which part the word lacks, or has too many of."""
    if number in ONE_CARD:
        if len(use.cards) != 1:
            return f"{said} names one card {ONE_CARD[number]}"
    elif number == TOWER:
        if not use.cards:
            return f"{said} names at least one card of the own discard pile"
    elif use.cards and number != MOON:
        return f"{said} names no cards"
    if UNKNOWN in use.cards:
        return f"{said} names cards that all see"
    exchange = number in (LOVERS, HERMIT)
    if exchange != (use.own is not None) or (exchange or number == AGAIN_CHALLENGE) != (use.other is not None):
        return f"{said} names two cards to exchange" if exchange else f"{said} exchanges no cards"
    if (number == DEVIL) != (use.count is not None):
        return f"{said} names a number of cards" if number == DEVIL else f"{said} names no number"
    return ""


def _mischosen(state: State, use: Use, number: int, said: str) -> str:
    """Say what is wrong with the choices a word makes."""
    if number == TOWER:
        wrong = next((card for card in use.cards if card >= MAJOR), None)
        return "" if wrong is None else f"{NAMES[wrong]} is a Major, and {said} takes none back"
    if number == DEVIL:
        hand, deck = len(state.sides[use.target - 1].hand), len(state.sides[use.seat - 1].deck)
        count = use.count or 0
        if not count:
            return f"{said} takes one card at least"
        if count > hand:
            return f"p{use.target}'s hand has {how_many(hand)}, fewer than {count}"
        return "" if 2 * count <= deck else f"p{use.seat}'s deck has {how_many(deck)}, fewer than {2 * count}"
    own, other = use.own, use.other
    if number == AGAIN_CHALLENGE:
        return "" if other is not None and other.place == "a" else "a challenge is for a card in an area"
    if own is None or other is None:
        return ""
    return _misexchanged(state, use, own, other, said)


def _misexchanged(state: State, use: Use, own: Spot, other: Spot, said: str) -> str:
    if own.place not in "ha":
        return f"a card in p{use.seat}'s {PLACES[own.place]} is not under its control"
    if acting(use) == HERMIT:
        if other.place == own.place:
            return f"{said} exchanges cards of two different places"
    elif other.place not in "ha":
        return f"{said} takes no card of a {PLACES[other.place]}"
    elif other.place == "h" and not state.sides[use.target - 1].hand:
        return f"p{use.target}'s hand is empty"
    for left, to in ((own, other), (other, own)):
        chance = acting(use) == LOVERS and left is other
        if to.place == "a" and left.place != "a" and left.card == UNKNOWN and not chance:
            return "a card that comes to an area is seen by all"
        if left.place == "x" and left.card == UNKNOWN:
            return "a card of a discard pile is seen by all"
    return ""
