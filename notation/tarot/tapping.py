"""How words of tarot are tapped: bids and calls, the chien and what is put away, and the cards of a trick."""

from collections.abc import Iterator
from functools import reduce
from operator import or_

from cartulary.engine.cards.deck import CARDS, FOOL, SUIT, TRUMPS, cards_of, set_of
from cartulary.engine.tarot import BIDS, NAMES, Move, Play, State
from cartulary.engine.tarot.dealing import result_of_draw
from cartulary.engine.tarot.state import POIGNEES
from cartulary.notation.contract import CardList, Keypad, SuitKeys, Touch, TouchTarget, TouchTargets
from cartulary.notation.laying import FRENCH
from cartulary.notation.tarot.picture import in_hand

STAKES = (2, 3, 5, 10)
"""The stakes of a bid that have keys; others are typed."""
BID_LABELS = ("Pass", "Prise", "Garde", "Garde sans", "Garde contre")
_RANKS = {"K": "King", "Q": "Queen", "N": "Knight", "J": "Jack"}
_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def targets(state: State, seat: int) -> TouchTargets:
    """Return what a seat may touch: bids, the king it may call, cards put away unseen, or the cards it may hold.

    If its hand is not wholly on record, those are all cards that nobody has played and that are not known to lie with
    somebody else.
    """
    if state.phase == "bid":
        return TouchTargets(tuple(map(TouchTarget, BIDS)))
    if state.phase in ("chien", "discard"):
        return TouchTargets((TouchTarget(_unseen_away(state)),))
    if state.phase != "play":
        return TouchTargets()
    own, hidden = in_hand(state, seat - 1)
    if hidden:
        others = (in_hand(state, place)[0] for place in range(state.options.seats) if place != seat - 1)
        own = set_of(CARDS) & ~state.played_cards & ~reduce(or_, others, 0)
    return TouchTargets(tuple(TouchTarget(NAMES[card], NAMES[card]) for card in cards_of(own)))


def path(move: Move, state: State) -> tuple[str, ...]:
    """Return the card that is played, as an item of the drawing; nothing for other words."""
    return (NAMES[move.card],) if type(move) is Play and move.card >= 0 else ()


def keypad(state: State, seat: int) -> Keypad:
    """Return the keys of the 78 cards where a card may be named that is not on the drawing, and what else may be said.

    Args:
        state: What the viewer sees.
        seat: The seat whose word it is.
    """
    if state.phase in ("deal", "bid"):
        return _before_play(state, seat)
    if state.phase == "call":
        return Keypad(calls=tuple(_king_labels()))
    if state.phase in ("chien", "discard"):
        return _after_bids(state)
    _, hidden = in_hand(state, seat - 1)
    calls = (("Chelem", "Chelem"),) if not state.tricks and state.round.taker == seat and not state.round.chelem else ()
    lists = tuple(_poignees(state, seat))
    if not hidden:
        return Keypad(suits=_KEYS if lists else (), calls=calls, lists=lists)
    led = "" if state.led_suit < 0 else "CDHST"[state.led_suit]
    cards = tuple(map(NAMES.__getitem__, cards_of(state.played_cards)))
    return Keypad(_KEYS, cards, FRENCH.get(led, led), lists, calls)


def _before_play(state: State, seat: int) -> Keypad:
    """Return the keys before a taker is found: bids with stakes, the draw for the deal, and hands that are written."""
    waiting, _ = result_of_draw(state.options, state.round.shows) if state.round.shows else (frozenset[int](), 0)
    if waiting and not state.round.counts[0]:
        draw = CardList(f"p{min(waiting)} draws", f"p{min(waiting)}/^", due=True)
        return Keypad(_KEYS, lists=(draw,))
    calls = [*zip(BIDS, BID_LABELS, strict=True)]
    if state.options.variant == "dementlieu":
        calls += [
            (f"{bid}={stake}", f"{label} for {stake}")
            for bid, label in zip(BIDS[1:], BID_LABELS[1:], strict=True)
            for stake in STAKES
        ]
    calls += [("PetitSec", "Petit sec"), ("Maldonne", "Maldonne")]
    hands = tuple(_hands(state)) if state.phase == "deal" and not state.round.bids else ()
    return Keypad(_KEYS if hands else (), calls=tuple(calls), lists=hands)


def _hands(state: State) -> Iterator[CardList]:
    """Yield the lists that write whole hands and the chien, for those of which nothing is written yet."""
    options, counts = state.options, state.round.counts
    for place in range(options.seats):
        if not counts[place]:
            yield CardList(f"p{place + 1}'s hand", f"p0/p{place + 1}*", sizes=(options.hand,))
    if not counts[options.aside]:
        yield CardList("The chien", "p0/c*", sizes=(options.chien,))


def _after_bids(state: State) -> Keypad:
    """Return the keys of the chien and of what the taker puts away, each card by card, or unseen by one key."""
    options = state.options
    away = CardList("Put away", after="-", sizes=(options.chien,), due=state.phase == "discard")
    unseen = ",".join("~" * options.chien)
    calls = [(_unseen_away(state), f"{options.chien} put away unseen"), ("Chelem", "Chelem")]
    if state.phase == "discard":
        return Keypad(_KEYS, lists=(away,), calls=tuple(calls))
    chien = CardList("The chien", "p0/^", sizes=(options.chien,), due=True)
    return Keypad(_KEYS, lists=(chien, away), calls=(*calls, (f"p0/^{unseen}", "Chien not written down")))


def _unseen_away(state: State) -> str:
    """Return the word for cards put away that nobody saw: ``~,~,~,~,~,~-``."""
    return ",".join("~" * state.options.chien) + "-"


def _poignees(state: State, seat: int) -> Iterator[CardList]:
    """Yield the list of a poignée if the seat may still show one: in fft, before its first card."""
    has_played = seat in state.trick_seats or bool(state.tricks)
    if state.options.variant == "fft" and not has_played and all(seat != shown for shown, _ in state.round.poignees):
        yield CardList("Poignée", "Poignee=", sizes=POIGNEES[state.options.seats], suit="T")


def _king_labels() -> Iterator[tuple[str, str]]:
    """Yield the word of each court card that can be called, with its name."""
    for rank, rank_name in _RANKS.items():
        for suit, suit_name in _SUIT_NAMES.items():
            yield f"Call={rank}{suit}", f"{rank_name} of {suit_name}"


def _suit_keys() -> Iterator[SuitKeys]:
    """Yield the keys of the trumps with the fool, and of each plain suit."""
    trumps = ((NAMES[card], str(card - FOOL) if card != FOOL else "Fool") for card in cards_of(TRUMPS | 1 << FOOL))
    yield SuitKeys("T", "trumps", tuple(trumps))
    for (letter, sign), cards in zip(FRENCH.items(), SUIT, strict=True):
        keys = tuple((NAMES[card], NAMES[card].removesuffix(letter)) for card in cards_of(cards))
        yield SuitKeys(sign, _SUIT_NAMES[letter], keys)


_KEYS = tuple(_suit_keys())
TOUCH = Touch(targets, path, keypad)
