"""The Hierophant: every seat shows its cards of what is named."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import SUITED, name_of, said
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.unseen_hands import deny
from cartulary.engine.cards.deck import FOOL, SUIT, TRUMPS, set_of
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import cards_in, mixed

_SETS = (*SUIT, TRUMPS, 1 << FOOL)
_NAMED = (*SUITED, "trumps", "the Fool")


def hierophant(draft: Draft, move: Move) -> None:
    """Let every seat show what it holds of what is named."""
    turn_up_usa(draft)
    asked = _SETS[move.calls[0]]
    if not move.told:
        for who in range(1, draft.house.seats + 1):
            _noticed(draft, who, asked)
        return
    shown = dict(move.shown)
    usa = draft.house.usa
    for who, cards in move.shown:
        if not draft.in_play(who):
            draft.block(clauses.HIEROPHANT, f"p{who} has no hand")
        wrong = [card for card in cards if not asked >> card & 1]
        if wrong and who != usa:
            named = f"the Hierophant names {_NAMED[move.calls[0]]}"
            draft.refuse(clauses.HIEROPHANT, f"p{who} shows {said(bytes(wrong))}, but {named}")
        _show(draft, who, cards)
    for who in filter(draft.in_play, range(1, draft.house.seats + 1)):
        cards, held = shown.get(who, b""), len(draft.peek(who).hand)
        if who != usa:
            _deny(draft, who, asked & ~set_of(cards))
        elif len(cards) != held:
            draft.refuse(clauses.HIEROPHANT, f"p{who} has {how_many(held)}, but shows {how_many(len(cards))}")


def _deny(draft: Draft, who: int, rest: int) -> None:
    if not deny(draft, who, rest, clauses.HIEROPHANT):
        side = draft.peek(who)
        held = [code for code in side.hand + side.open if rest >> code & 1]
        has = f"has {said(bytes(held))} too" if held else "does not show all its cards of the kind named"
        draft.refuse(clauses.HIEROPHANT, f"p{who} {has}")


def _show(draft: Draft, who: int, cards: bytes) -> None:
    """Note that a hand is seen to hold these cards."""
    seat = draft.seat(who)
    before = seat.hand
    for card in cards:
        if card in seat.open:
            continue
        if card in seat.hand:
            draft.sighted(who, card)
            continue
        while not draft.found(who, card):
            if not draft.regained(who):
                draft.block(clauses.HIEROPHANT, f"p{who} has no {name_of(card)}")
        draft.sighted(who, card)
    if who == draft.house.usa and seat.hand != before:
        # What is shown has no order, and the USA's hand has one.
        draft.slots, seat.hand = mixed(draft.slots, seat.hand)


def turn_up_usa(draft: Draft) -> None:
    """Let all see the hand of the USA."""
    if draft.house.usa:
        _noticed(draft, draft.house.usa, -1)


def _noticed(draft: Draft, who: int, cards: int) -> None:
    """Let all see those of these cards that a hand is known to hold, as no word tells them."""
    held = cards_in(draft.peek(who).hand) & cards
    if held:
        draft.seat(who).shown |= held
