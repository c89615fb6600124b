"""The vote on a new deck: when it is due, each Yes and No, and the discards shuffled anew."""

from cartulary.engine.arcanoid import clauses, temperance
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import DAEMON, ROW
from cartulary.engine.arcanoid.state import Due
from cartulary.engine.contract import IMPOSSIBLE
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import has_slots, mixed


def emptied(draft: Draft, who: int) -> None:
    """Do what an empty deck brings; who: who drew the last card."""
    dresden = draft.house.variant == "dresden"
    if not dresden:
        temperance.drop(draft)
    if not draft.pile or draft.dead:
        draft.dead = True
        temperance.drop(draft)
        return
    real = draft.house.real
    if who == ROW:
        who = next((due.who for due in draft.dues if due.what in ("next", "again", "stay")), draft.turn)
    seat = who - DAEMON if who > DAEMON else who
    draft.dues.insert(0, Due("vote", seat if seat <= real else 1, (2 << real) - 2))


def check_voted(draft: Draft) -> None:
    """Note that a vote comes before what is said, where one is due."""
    if draft.dues and draft.dues[0].what == "vote":
        draft.owe(clauses.REFILL_VOTE, f"p{draft.dues[0].who} is to vote first")


def check_asked(draft: Draft) -> None:
    """Refuse a Wheel's discard behind a draw that is voted on first; raises BlockedError then."""
    if draft.dues and draft.dues[0].what == "vote":
        draft.block(clauses.REFILL_VOTE, f"p{draft.dues[0].who} is to vote before the Wheel's discard")


def may_vote(now: Draft, draft: Draft, who: int, yes: bool) -> bool:
    """Note what is wrong with a vote; say whether the seat is still to vote. now: what is settled before it

    A No that comes late says what the move that came in its place was taken for.
    """
    due = now.dues[0] if now.dues else None
    if due is None or due.what != "vote":
        if not yes and any(one.what == "vote" and one.count >> who & 1 for one in draft.skipped):
            return False
        draft.refuse(clauses.REFILL_VOTE, "no vote is due")
        return False
    if due.who != who:
        draft.owe(clauses.REFILL_VOTE, f"p{due.who} is to vote first")
    return bool(due.count >> who & 1)


def voted(draft: Draft, who: int, yes: bool) -> None:
    """Count the vote of a seat that is still to vote."""
    due = draft.dues.pop(0)
    rest, first = due.count & ~(1 << who), due.who
    if not yes:
        draft.dead = True
        temperance.drop(draft)
        return
    while rest and not rest >> first & 1:
        first = first % draft.house.real + 1
    draft.dues.insert(0, Due("vote", first, rest) if rest else Due("deck"))


def reshuffle(draft: Draft, cards: bytes) -> None:
    """Make the discard pile the deck again; cards: what is told of it from the top."""
    pile, draft.pile = draft.pile, b""
    if not has_slots(pile) and sorted(pile) == sorted(cards):
        draft.deck = cards
    else:
        if len(cards) > len(pile):
            draft.block(IMPOSSIBLE, f"the new deck has {how_many(len(pile))}, but the word gives {len(cards)}")
        draft.slots, pile = mixed(draft.slots, pile)
        draft.deck = draft.turned_up(pile, cards, "in the discard pile")
    del draft.dues[0]
