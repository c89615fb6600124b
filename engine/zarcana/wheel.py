"""Cards that lie face down: laid by the Wheel of Fortune, turned up to be used, shown as they leave or at the end.

Whether a card that was turned up has a use, ``fool`` says, as of those the Fool turns up.
"""

from cartulary.engine.slots import UNKNOWN, is_slot
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import EVIL_EYE, name_of
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.fool import Using, is_draw, keep_used
from cartulary.engine.zarcana.moves import BOARD, TURNED, HitPlace, Play, Reveal
from cartulary.engine.zarcana.place_names import place_name
from cartulary.engine.zarcana.state import CODE, DOWN


def laid(power: AnyClause, card: int) -> int:
    """Return a card as a power lays it on the board: the Wheel face down, any other face up."""
    return card | DOWN if power is clauses.WHEEL else card


def turn_up(draft: Draft, place: int, shown: int) -> None:
    """Show the top card of a space, which lies face down or is not known."""
    stack = draft.cards[place]
    code, down = stack[-1] & CODE, stack[-1] & DOWN
    where = place_name(place)
    if not down and not is_slot(code):
        draft.refuse(clauses.WHEEL, f"The card on {where} lies face up")
    if is_slot(code) and shown != UNKNOWN:
        code = draft.matched(bytes((code,)), bytes((shown,)), clauses.WHEEL, f"on {where}")[0]
    elif shown not in (code, UNKNOWN):
        draft.block(clauses.WHEEL, f"The card on {where} is not {name_of(shown)}")
    cards = draft.cards.copy()
    cards[place] = (*stack[:-1], code | stack[-1] & ~(DOWN | CODE))
    draft.cards = cards


def turn_as_said(draft: Draft, play: Play, place: int) -> bool:
    """Turn up the card under a user if the word does; say whether it lies face up then, and refuse it if not."""
    if play.origin == TURNED:
        turn_up(draft, place, play.card)
    elif draft.cards[place][-1] & DOWN:
        draft.refuse(clauses.WHEEL, f"The card on {place_name(place)} lies face down, so the word must turn it up")
        return False
    return True


def stays(use: Using, draft: Draft, card: int, place: int, code: int) -> bool:
    """Say whether a card turned up by a bare word is left unused; refuse that where it has a use."""
    if card < 0 or is_slot(card):
        return True
    if is_draw(use, draft, card, BOARD, place, code):
        return False
    keep_used(use, draft, clauses.WHEEL, card, BOARD, place, code)
    return True


def refuse_shown(draft: Draft, play: Play, card: int) -> None:
    """Refuse a card that is shown where none lies face down, or none leaves."""
    last = play.names[-1] if play.names else card
    looks = last == EVIL_EYE
    gone: list[int] = []
    for part in play.parts:
        if type(part) is not HitPlace:
            continue
        stack, where = draft.cards.get(part.place, ()), place_name(part.place)
        depth = gone.count(part.place)
        gone.append(part.place)
        if part.shown < 0:
            continue
        entry = stack[-1 - depth] if depth < len(stack) else None
        if entry is None:
            draft.refuse(clauses.WHEEL, f"No card lies on {where} that could be shown")
        elif looks:
            draft.refuse(clauses.WHEEL, f"The card on {where} stays there, so it is not shown")
        elif not entry & DOWN and not is_slot(entry & CODE):
            draft.refuse(clauses.WHEEL, f"The card on {where} lies face up")


def show(draft: Draft, move: Reveal) -> None:
    """Turn up cards that lie face down at the end."""
    for place, card in move.cards:
        if place not in draft.cards:
            draft.block(clauses.WHEEL, f"There is no card on {place_name(place)}")
        turn_up(draft, place, card)
