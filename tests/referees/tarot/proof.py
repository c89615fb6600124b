"""A second answer to "could this card have been legal?", written apart from the package: a matching, card by card.

Every card that was dealt to the hands and put aside has to find a place; a place is a seat's hand as play begins, or
the discards. A card is *provably* against the rules once no such matching leaves its seat without the cards it owed.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tests.referees.tarot.deals import ALL_TRUMPS, DECK, HAND, WHOLE_SUIT, led, turns
from tests.referees.tarot.score import FOOL, highest, is_trump

ASIDE = 0


class Play(NamedTuple):
    """A card as a table saw it. ply: of the record; lying: the trick before it."""

    ply: int
    seat: int
    card: str
    lying: tuple[str, ...]


def plays(cards: Iterable[str], seats: int, leader: int, first: int) -> list[Play]:
    """Return who played what, from the cards in order; ``first`` is the ply of the first of them."""
    answers: list[Play] = []
    trick: list[tuple[int, str]] = []
    order = turns(leader, seats)
    for ply, card in enumerate(cards, first):
        seat = order[len(trick)]
        answers.append(Play(ply, seat, card, tuple(card for _, card in trick)))
        trick.append((seat, card))
        if len(trick) == seats:
            order, trick = turns(highest(tuple(trick)), seats), []
    return answers


def owed(variant: str, play: Play) -> frozenset[str]:
    """Return the cards of which the hand must have held none, for the card to have been legal."""
    first, card = led(play.lying), play.card
    if card == FOOL or not first:
        return frozenset()
    above = [trump for trump in play.lying if is_trump(trump)]
    higher = frozenset(trump for trump in ALL_TRUMPS if above and trump > max(above) > card)
    if is_trump(first):
        return higher if is_trump(card) else ALL_TRUMPS
    if card[1] == first[1] and not is_trump(card):
        return frozenset()
    if variant == "dementlieu":
        return frozenset() if is_trump(card) else WHOLE_SUIT[first[1]]
    return WHOLE_SUIT[first[1]] | (higher if is_trump(card) else ALL_TRUMPS)


def fits(seats: int, chien: int, places: Mapping[str, frozenset[int]]) -> bool:
    """Say whether every card finds one of its places, none of which holds more than it can."""
    room = dict.fromkeys(range(1, seats + 1), HAND[seats]) | {ASIDE: chien}
    lying: dict[int, list[str]] = {place: [] for place in room}

    def put(card: str, tried: set[int]) -> bool:
        for place in sorted(places[card] - tried):
            tried.add(place)
            if len(lying[place]) < room[place]:
                lying[place].append(card)
                return True
            for at, other in enumerate(lying[place]):
                if put(other, tried):
                    lying[place][at] = card
                    return True
        return False

    return all(put(card, set()) for card in DECK)


def known(
    seats: int, taker: int, chien: Iterable[str], away: Iterable[str], said: Iterable[Play]
) -> dict[str, frozenset[int]]:
    """Return where each card may lie. chien: as shown, taken up by the taker; away: discards seen by name."""
    places = dict.fromkeys(DECK, frozenset(range(seats + 1)))
    for card in chien:
        places[card] = frozenset((taker, ASIDE))
    for card in away:
        places[card] = frozenset((ASIDE,))
    for play in said:
        places[play.card] = frozenset((play.seat,))
    return places


def proved_by(
    variant: str, seats: int, taker: int, chien: tuple[str, ...], away: tuple[str, ...], said: list[Play], at: int
) -> int | None:
    """Return the ply of the first card after which the one at this place cannot have been legal, None for none."""
    play = said[at]
    aside = len(DECK) - HAND[seats] * seats
    for upto in range(at, len(said)):
        places = known(seats, taker, chien, away, said[: upto + 1])
        played = {one.card for one in said[:at]}
        for card in owed(variant, play) - played:
            places[card] -= {play.seat}
        if not fits(seats, aside, places):
            return said[upto].ply
    return None
