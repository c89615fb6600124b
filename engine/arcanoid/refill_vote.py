"""The vote on a new deck: when it is due, each Yes and No, and the discards shuffled anew."""

from cartulary.engine.arcanoid import round
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import DAEMON, ROW
from cartulary.engine.arcanoid.state import Due, vote_after
from cartulary.engine.cards.deck import how_many
from cartulary.engine.contract import IMPOSSIBLE
from cartulary.engine.slots import has_slots, mixed


def emptied(draft: Draft, who: int) -> None:
    """Do what an empty deck brings; who: who drew the last card."""
    dresden = draft.house.variant == "dresden"
    if not dresden:
        round.drop_temper(draft)
    if not draft.pile or draft.dead:
        draft.dead = True
        round.drop_temper(draft)
        return
    real = draft.house.seats - (1 if draft.house.usa else 0)
    if who == ROW:
        who = next((due.who for due in draft.dues if due.what in ("next", "again", "stay")), draft.turn)
    seat = who - DAEMON if who > DAEMON else who
    draft.dues.insert(0, Due("vote", seat if seat <= real else 1, (2 << real) - 2))


def voted(draft: Draft, who: int, yes: bool) -> None:
    """Count the vote of a seat that is still to vote."""
    due = draft.dues.pop(0)
    if not yes:
        draft.dead = True
        round.drop_temper(draft)
    else:
        draft.dues.insert(0, vote_after(draft.house, due, who) or Due("deck"))


def reshuffle(draft: Draft, cards: bytes) -> None:
    """Make the discard pile the deck again; cards: what is told of it from the top."""
    pile, draft.pile = draft.pile, b""
    if not has_slots(pile) and sorted(pile) == sorted(cards):
        draft.deck = cards
    else:
        if len(cards) > len(pile):
            draft.block(IMPOSSIBLE, f"the new deck has {how_many(len(pile))}, and the word tells {len(cards)}")
        draft.slots, zone = mixed(draft.slots, pile)
        codes = bytearray(zone)
        for at, card in enumerate(cards):
            codes[at] = draft.sight(codes[at], card, "in the discard pile")
        draft.deck = bytes(codes)
    draft.dues = draft.dues[1:]
