"""The World: all cards back in fresh decks but itself, and whose deck a card out of play came from."""

from msgspec.structs import replace

from cartulary.engine.slots import BLANKS, NO_SLOTS, is_slot, seen
from cartulary.engine.tarot_duel.cards import blank
from cartulary.engine.tarot_duel.decks import known_deck
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.moves import Use
from cartulary.engine.tarot_duel.state import IDLE, Marks, Side, Unseen
from cartulary.engine.tarot_duel.zones import Removal


def renew(draft: Draft, use: Use, cards: list[Removal]) -> None:
    """Put all in the decks of the tags, what lies on the table too, but the card that did it, out of play."""
    house, unseen, out_of_play = draft.house, draft.unseen, list(draft.marks.gone)
    out_of_play[_owner(draft, use.seat, use.card) - 1] += bytes((use.card,))
    cards_found = tuple(b"" if unseen.doubt >> seat & 1 else cards for seat, cards in enumerate(unseen.found, 1))
    for seat in range(1, house.seats + 1):
        deck = known_deck(house, cards_found[seat - 1], seat)
        for card in out_of_play[seat - 1]:
            at = deck.find(card) if card in deck else deck.find(blank(seat))
            deck = deck[:at] + deck[at + 1 :]
        draft.sides[seat - 1] = Side(deck)
    marks, none = draft.marks, (b"",) * house.seats
    draft.marks = Marks(none, tuple(out_of_play), ((0, 0),) * house.seats, marks.out, 0, marks.missed)
    draft.slots = NO_SLOTS
    draft.unseen = Unseen(NO_SLOTS, cards_found, unseen.doubt, unseen.named, unseen.proved)
    draft.loose, draft.fresh = tuple((seat, 0) for seat in range(1, house.seats + 1)), True
    draft.act = replace(IDLE, doer=draft.act.doer)


def _owner(draft: Draft, seat: int, card: int) -> int:
    """Return whose deck a seat's card came from: its own if it can be, but not one another had."""
    unseen, out_of_play = draft.unseen, draft.marks.gone
    opponents = tuple(opponent for opponent in range(1, draft.house.seats + 1) if opponent != seat)
    decks = {owner: known_deck(draft.house, unseen.found[owner - 1], owner) for owner in (seat, *opponents)}
    owners = [owner for owner in decks if card in decks[owner] and card not in out_of_play[owner - 1]]
    sure = [owner for owner in owners if owner == seat or not unseen.doubt >> owner & 1]
    if sure:
        return sure[0]
    if blank(seat) in decks[seat] and card not in out_of_play[seat - 1]:
        return seat
    return owners[0] if owners else seat


def borrow(draft: Draft, seat: int, count: int) -> None:
    """Take a card out of play from another deck, where a fresh one that is in doubt is told one card longer."""
    side, out_of_play, doubt = draft.side(seat), [*draft.marks.gone], draft.unseen.doubt
    mine = out_of_play[seat - 1]
    if count != len(side.deck) + 1 or not mine:
        return
    for lender in range(1, draft.house.seats + 1):
        if (
            lender != seat
            and doubt >> lender & 1
            and mine[-1] not in out_of_play[lender - 1]
            and _shorten(draft, lender)
        ):
            out_of_play[seat - 1], out_of_play[lender - 1] = mine[:-1], out_of_play[lender - 1] + mine[-1:]
            draft.mark(gone=tuple(out_of_play))
            side.deck += bytes((blank(seat),))
            return


def _shorten(draft: Draft, seat: int) -> bool:
    """Take one unknown card off a deck; say no where it has none to spare."""
    side = draft.side(seat)
    if any(to == seat for to, _ in draft.loose):
        at = side.deck.find(blank(seat))
        side.deck = side.deck[:at] + side.deck[at + 1 :] if at >= 0 else side.deck
        return at >= 0
    sighting = seen(draft.slots, side.deck[-1], BLANKS) if side.deck and is_slot(side.deck[-1]) else None
    if sighting is not None:
        draft.slots, side.deck = sighting[0], side.deck[:-1]
    return sighting is not None
