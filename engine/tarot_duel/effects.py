"""What each Major does once no Temperance has stopped it: things that happen at once, and words that become due."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from cartulary.engine.slots import NO_SLOTS
from cartulary.engine.tarot_duel.cards import blank
from cartulary.engine.tarot_duel.decks import known_deck
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.exchanges import exchange
from cartulary.engine.tarot_duel.moves import AGAIN_CHALLENGE, LOVERS, Use, acting
from cartulary.engine.tarot_duel.shuffles import shuffle
from cartulary.engine.tarot_duel.state import EVERYBODY, IDLE, Due, Marks, Side, Unseen
from cartulary.engine.tarot_duel.zones import Taken

Effect: TypeAlias = Callable[[Draft, Use, list[Taken]], Sequence[Due] | None]


def take_effect(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    """Begin a Major's effect with the cards its word names, which are taken; return the words it needs."""
    return _EFFECTS[acting(use)](draft, use, taken) or ()


def _held(draft: Draft, seat: int) -> int:
    return len(draft.sides[seat - 1].hand)


def _fool(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    return (Due("coin", 0, use.target),)


def _magician(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    side = draft.side(use.seat)
    count = len(side.hand)
    side.deck, side.hand, side.eyes = side.deck + side.hand, b"", ()
    shuffle(draft, use.seat)
    return (Due("draw", use.seat, 0, count),)


def _priestess(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    count = _held(draft, use.seat)
    return (Due("redraw", use.seat, 0, count),) if count else ()


def _hierophant(draft: Draft, use: Use, taken: list[Taken]) -> None:
    side = draft.side(use.seat)
    side.deck, side.tops = bytes((taken[0][0],)) + side.deck, (EVERYBODY, *side.tops)


def _lovers_or_hermit(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    assert use.other is not None
    if acting(use) == LOVERS and use.other.place == "h":
        return (Due("swap", 0, use.target, 1, use=use),)
    exchange(draft, use, use.other, taken)
    return ()


def _chariot(draft: Draft, use: Use, taken: list[Taken]) -> None:
    draft.give(use.seat, taken[0][0], EVERYBODY)
    shuffle(draft, use.seat)


def _strength(draft: Draft, use: Use, taken: list[Taken]) -> None:
    draft.mark(strong=draft.marks.strong | 1 << use.seat)


def _wheel(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    return (Due("die", 0, use.target),)


def _justice(draft: Draft, use: Use, taken: list[Taken]) -> None:
    ready = draft.marks.ready
    mine = ready[use.seat - 1] + bytes((use.card,))
    draft.mark(ready=(*ready[: use.seat - 1], mine, *ready[use.seat :]))
    table = tuple(entry for entry in draft.act.table if entry != (use.seat, use.card))
    draft.act = replace(draft.act, table=table)


def _hanged(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    return Due("pick", 0, use.target, 1), Due("answer", use.target, use.seat)


def _death(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    around = (seat for seat in draft.around(use.seat) if draft.marks.is_in(seat))
    return [Due("discard", seat, 0, _held(draft, seat)) for seat in around]


def _devil(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    count = use.count or 0
    return Due("pick", 0, use.target, count), Due("mill", use.seat, 0, 2 * count)


def _tower(draft: Draft, use: Use, taken: list[Taken]) -> None:
    draft.side(use.seat).deck += bytes(code for code, *_ in taken)
    shuffle(draft, use.seat)


def _star(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    return (Due("look", 0, use.target, (_held(draft, use.target) + 1) // 2, use=use),)


def _moon(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    side = draft.side(use.seat)
    side.row += bytes(code for code, *_ in taken)
    side.peeps += (EVERYBODY,) * len(taken)
    draft.count(side)
    count = len(side.row)
    return (Due("row", use.seat, 0, count),) if count > 1 else ()


def _sun(draft: Draft, use: Use, taken: list[Taken]) -> None:
    side = draft.side(use.target)
    side.peeps = tuple(known | 1 << use.seat for known in side.peeps)
    side.total |= 1 << use.seat


def _challenge(draft: Draft, use: Use, taken: list[Taken]) -> Sequence[Due]:
    return (Due("stakes", use.seat, use.target, use=use),)


def _world(draft: Draft, use: Use, taken: list[Taken]) -> None:
    """Put all in the decks of the tags, what lies on the table too, but the card that did it, out of play."""
    house, unseen, gone = draft.house, draft.unseen, list(draft.marks.gone)
    gone[_owner(draft, use.seat, use.card) - 1] += bytes((use.card,))
    found = tuple(b"" if unseen.doubt >> seat & 1 else cards for seat, cards in enumerate(unseen.found, 1))
    for seat in range(1, house.seats + 1):
        deck = known_deck(house, found[seat - 1], seat)
        for card in gone[seat - 1]:
            at = deck.find(card) if card in deck else deck.find(blank(seat))
            deck = deck[:at] + deck[at + 1 :]
        draft.sides[seat - 1] = Side(deck)
    marks, none = draft.marks, (b"",) * house.seats
    draft.marks = Marks(none, tuple(gone), ((0, 0),) * house.seats, marks.out, 0, marks.missed)
    draft.slots = NO_SLOTS
    draft.unseen = Unseen(NO_SLOTS, found, unseen.doubt, unseen.named, unseen.proved)
    draft.loose, draft.fresh = tuple((seat, 0) for seat in range(1, house.seats + 1)), True
    draft.act = replace(IDLE, doer=draft.act.doer)


def _owner(draft: Draft, seat: int, card: int) -> int:
    """Return whose deck a seat's card came from: its own if it can be, but not one another had."""
    unseen, gone = draft.unseen, draft.marks.gone
    others = tuple(other for other in range(1, draft.house.seats + 1) if other != seat)
    decks = {owner: known_deck(draft.house, unseen.found[owner - 1], owner) for owner in (seat, *others)}
    named = [owner for owner in decks if card in decks[owner] and card not in gone[owner - 1]]
    sure = [owner for owner in named if owner == seat or not unseen.doubt >> owner & 1]
    if sure:
        return sure[0]
    if blank(seat) in decks[seat] and card not in gone[seat - 1]:
        return seat
    return named[0] if named else seat


_EFFECTS: dict[int, Effect] = {
    1: _fool,
    2: _magician,
    3: _priestess,
    6: _hierophant,
    7: _lovers_or_hermit,
    8: _chariot,
    9: _strength,
    10: _lovers_or_hermit,
    11: _wheel,
    12: _justice,
    13: _hanged,
    14: _death,
    16: _devil,
    17: _tower,
    18: _star,
    19: _moon,
    20: _sun,
    22: _world,
    AGAIN_CHALLENGE: _challenge,
}
