"""The Fool, and whether a card that was turned up, by it or by the Wheel's rule, has a use.

Using a power may turn up cards, and turning up a card asks whether it can be used: ``use`` is handed in.
"""

from collections.abc import Callable
from typing import TypeAlias

from cartulary.engine.cards.deck import set_of
from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.slots import holds, is_slot
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import DOPPELGANGER, HIGH_PRIESTESS, STAR, WORLD, name_of
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.deck import available, discard, off_deck
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import DECK, Drawn, Flip, Part, Play
from cartulary.engine.zarcana.place_names import place_name
from cartulary.engine.zarcana.questions import apart, taken_as
from cartulary.engine.zarcana.sample_uses import top_trumps, uses
from cartulary.engine.zarcana.state import CODE, State
from cartulary.engine.zarcana.wild_cards import alike, tops_apart, unknown_tops

Using: TypeAlias = Callable[[Draft, Play], None]
"""Carries out a play."""


def has_use(use: Using, draft: Draft, card: int, origin: int, place: int = 0, code: int = -1) -> bool | None:
    """Say whether a card that was turned up can be used legally now; None where an unknown card says so.

    place, code: the user, -1 for any minion
    """
    state = draft.now()
    answer: bool | None = False
    for play in uses(state, draft.seat, card, origin, place, code, unseen=True):
        flips = play.parts and isinstance(play.parts[0], Flip)
        if not (bool(state.deck or state.pile) if flips else is_legal(use, state, draft.seat, play, draft.again)):
            continue
        if not _names_unseen(state, card, play):
            return True
        answer = None
    return answer


def is_legal(use: Using, state: State, seat: int, play: Play, again: int) -> bool:
    """Say whether a play breaks no rule. again: how the word has used a High Priestess before, as bits"""
    draft = Draft(state, seat)
    draft.again = again
    try:
        use(draft, play)
    except BlockedError:
        return False
    return not draft.refusals


def _names_unseen(state: State, card: int, play: Play) -> bool:
    """Say whether a play names what only a card nobody on record saw can be."""
    namers = (card, *play.names)
    return any(
        (namer == WORLD and name not in top_trumps(state)) or (namer == DOPPELGANGER and is_slot(state.pile[-1]))
        for namer, name in zip(namers, play.names, strict=False)
    )


def keep_used(
    use: Using, draft: Draft, clause: AnyClause, card: int, origin: int, place: int = 0, code: int = -1
) -> None:
    """Refuse that a card turned up is left, where it has a use; ask where an unknown card on the board says so."""
    usable = has_use(use, draft, card, origin, place, code)
    if usable:
        draft.refuse(clause, f"{name_of(card)} can be used, so it must be")
    if usable is not None:
        return
    lying = unknown_tops(draft.cards)
    asks = tuple(entry & CODE for _, entry in lying) or (draft.pile[-1],)
    if len(lying) != 1 or is_slot(draft.pile[-1] if draft.pile else 0):
        # Several unknown cards say so together: nothing that comes to light alone answers it.
        draft.doubt(clause, "the board", bytes(1), 0, asks)
        return
    own, at, idle = tops_apart(draft, lying)[0], lying[0][0], 0
    unseen = draft.unseen
    for may in holds(draft.slots, own):
        draft.unseen = taken_as(unseen, own, 1 << may)
        if not has_use(use, draft, card, origin, place, code):
            idle |= 1 << may
    draft.unseen = unseen
    draft.doubt(clause, place_name(at), bytes((own,)), idle)


def _left_unseen(use: Using, draft: Draft, clause: AnyClause, slot: int) -> int:
    """Return the slot, its own now, of an unknown card that was turned up and left; ask whether it had a use."""
    draft.unseen, own = apart(draft.unseen, slot)
    may = set_of(holds(draft.slots, own))
    idle = sum(kind for kind in alike(may, wild=True) if not has_use(use, draft, kind.bit_length() - 1, DECK))
    if not idle:
        draft.refuse(clause, "Whatever card it was, it can be used, so it must be")
    elif idle != may:
        draft.doubt(clause, "top of the deck", bytes((own,)), idle)
    return own


def fool(use: Using, draft: Draft, power: AnyClause, *flips: Flip) -> None:
    """Turn up the deck's top card twice, and use it as from the hand where that is legal."""
    count = min(2, available(draft))
    if not flips:
        due = f"The Fool must turn up the top card of the deck{', twice' * (count > 1)}"
        draft.refuse(*((power, due) if count else (clauses.NO_EFFECT, "No card is left to turn up")))
        return
    for at, part in enumerate(flips):
        if not available(draft):
            draft.block(power if at else clauses.NO_EFFECT, "No card is left to turn up")
        if at and at == count:
            only = "Only one card was left, so the Fool cannot turn up a second one"
            draft.refuse(power, "The Fool turns up only two cards" if at > 1 else only)
        flipped = part.play
        card = off_deck(draft, bytes((flipped.card,)))[0]
        if flipped.names or flipped.user or flipped.parts or is_draw(use, draft, flipped.card, DECK):
            use(draft, flipped)
        elif is_slot(card):
            discard(draft, _left_unseen(use, draft, power, card))
        else:
            keep_used(use, draft, power, card, DECK)
            discard(draft, card)
    if len(flips) < count:
        draft.refuse(power, "The Fool must turn up two cards")


def turned_up(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts of a Fool's play; one card that reads as drawn is turned up and has no use."""
    if len(parts) == 1 and isinstance(parts[0], Drawn) and len(parts[0].cards) == 1:
        return (Flip(Play(DECK, parts[0].cards[0])),)
    return parts


def is_draw(use: Using, draft: Draft, card: int, origin: int, place: int = 0, code: int = -1) -> bool:
    """Say whether a bare card is a draw left out, which is used without a word more."""
    return card in (HIGH_PRIESTESS, STAR) and bool(has_use(use, draft, card, origin, place, code))
