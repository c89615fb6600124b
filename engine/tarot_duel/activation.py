"""A Major is activated: one a turn, from its word to the window in which it may be answered."""

from cartulary.engine.tarot_duel.cards import COPIES, MAJOR
from cartulary.engine.tarot_duel.clauses import EFFECT, ONE_PLAY
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.empress_emperor import ask_copy
from cartulary.engine.tarot_duel.moves import Spot, Use
from cartulary.engine.tarot_duel.reaction import closed
from cartulary.engine.tarot_duel.state import PLAYED, Act
from cartulary.engine.tarot_duel.targets import misuse
from cartulary.engine.tarot_duel.zones import absent


def say_use(draft: Draft, move: Use) -> None:
    """Carry out the word: the window opens; ``then`` is what stands if nobody answers."""
    seat, card, justice = move.seat, move.card, move.justice
    if not justice and draft.flags & PLAYED:
        draft.refuse(ONE_PLAY, f"p{draft.turn} has activated a Major already")
    wrong = misuse(draft, move)
    if not wrong and card in COPIES:
        wrong = ask_copy(draft, seat, card, MAJOR - 1 + move.number)
    card_taken = draft.take_pile(seat, card) if justice else draft.take_hand(seat, card)
    misses = [] if card_taken is not None else [absent(seat, Spot("x" if justice else "h", card))]
    table = [(seat, card)]
    if justice:
        ready = draft.marks.ready
        lying = ready[seat - 1]
        draft.mark(ready=(*ready[: seat - 1], lying[1:], *ready[seat:]))
        table += [(seat, entry) for entry in lying[:1]]
    elif seat == draft.turn:
        draft.flags |= PLAYED
    draft.act = Act(seat, ((seat, card),), tuple(table), move)
    draft.then, missed = closed(draft.frozen())
    if misses or missed:
        draft.miss(misses + missed)
    if wrong:
        draft.refuse(EFFECT, wrong)
