"""The use of one power: its card, what it is named as, who uses it, then what it does. Copies share all of it."""

from collections.abc import Callable
from typing import TypeAlias

from cartulary.engine.cards.deck import set_of
from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.slots import holds, is_slot
from cartulary.engine.zarcana import attacks, building, clauses, growing, hands, moving, territories, turning
from cartulary.engine.zarcana.cards import DOPPELGANGER, POWER_OF, TITLES, WORLD, name_of
from cartulary.engine.zarcana.choices import FREE, top_trumps, uses
from cartulary.engine.zarcana.clauses import OF_POWER, AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import (
    BOARD,
    DECK,
    HAND,
    TURNED,
    Away,
    BuildFrom,
    Drawn,
    Flip,
    HitPlace,
    Play,
)
from cartulary.engine.zarcana.naming import alike, executed, tops_apart, unknown_tops
from cartulary.engine.zarcana.parts import loose, shaped
from cartulary.engine.zarcana.questions import apart, taken_as
from cartulary.engine.zarcana.spaces import Ref, place_name, ref_name
from cartulary.engine.zarcana.state import BY_DOPPELGANGER, BY_FOOL, BY_ITSELF, BY_WORLD, CODE, DOWN, State

Effect: TypeAlias = Callable[[Draft, AnyClause, Play, int, int], None]


def use(t: Draft, play: Play) -> None:
    """Carry out a play; a card from the hand or the deck ends on the discards."""
    ref, origin, place, code = play.user, play.origin, 0, -1
    if ref is not None:
        place, code = ref.place, t.pick(ref)
    card = t.from_hand(t.seat, play.card) if origin == HAND else play.card
    played = origin in (HAND, DECK)
    if played:
        t.played += bytes((card,))
    shows = False
    for part in play.parts:
        if type(part) is BuildFrom or type(part) is Away:
            t.holds(t.seat, part.cards if isinstance(part, Away) else bytes((part.card,)))
        elif type(part) is HitPlace and part.shown >= 0:
            shows = True
    if ref is not None and code // 15 != t.seat:
        _misused(t, ref, code)
    if not played:
        card = _territory(t, play, place)
    if shows:
        _uncovered(t, play, card)
    if origin == TURNED and not play.parts and not play.names and _stays(t, card, place, code):
        return
    power = executed(t, play, card)
    if power < 0:
        loose(t, play, place, code)
    else:
        clause = OF_POWER[power]
        if code >= 0:
            _fits(t, TITLES[power], place, code)
        elif power not in _FREE:
            t.block(clauses.NO_MINION, f"No minion is named to use {name_of(card)}")
        if power == _PRIESTESS:
            _again(t, play, card)
        EFFECTS[power](t, clause, play, place, code)
        if played and ref is not None and code // 15 == t.seat and _needs_nobody(power, play):
            t.spelled += ((ref, None),)
    if played:
        t.played = t.played[:-1]
        t.discard(card)


def _misused(t: Draft, ref: Ref, code: int) -> None:
    """Refuse a user that is not there, or is another seat's."""
    if code < 0:
        t.block(clauses.NO_MINION, t.nobody(ref))
    t.refuse(clauses.NO_MINION, f"{ref_name(ref, t.seat)} is p{code // 15}'s")


def _territory(t: Draft, play: Play, place: int) -> int:
    """Return the card under the user whose power it uses, -1 where there is none; turn it up if the word does."""
    if play.user is None:
        t.block(clauses.NO_MINION, "No minion is named to use the card it is on")
    where = place_name(place)
    stack = t.cards.get(place)
    if stack is None:
        t.refuse(clauses.USE_TERRITORY if play.origin == BOARD else clauses.WHEEL, f"There is no card on {where}")
        return play.card
    if play.origin == TURNED:
        t.turn_up(place, play.card)
    elif stack[-1] & DOWN:
        t.refuse(clauses.WHEEL, f"The card on {where} lies face down and is not turned up")
        return -1
    code = t.cards[place][-1] & CODE
    return t.taken if is_slot(code) else code


def _uncovered(t: Draft, play: Play, card: int) -> None:
    """Refuse a card that is shown where none lies face down, or none leaves."""
    last = play.names[-1] if play.names else card
    looks = 0 <= last < len(POWER_OF) and TITLES[POWER_OF[last]] == "evil-eye"
    gone: list[int] = []
    for part in play.parts:
        if type(part) is not HitPlace:
            continue
        stack, where = t.cards.get(part.place, ()), place_name(part.place)
        depth = gone.count(part.place)
        gone.append(part.place)
        if part.shown < 0:
            continue
        entry = stack[-1 - depth] if depth < len(stack) else None
        if entry is None:
            t.refuse(clauses.WHEEL, f"No card lies on {where} that could be shown")
        elif looks:
            t.refuse(clauses.WHEEL, f"The card on {where} stays there, so it is not shown")
        elif not entry & DOWN and not is_slot(entry & CODE):
            t.refuse(clauses.WHEEL, f"The card on {where} lies face up")


def _fits(t: Draft, title: str, place: int, code: int) -> None:
    """Refuse a user that does not stand or lie, or is not on a card, as the power asks."""
    if title in STANDING and code % 5:
        t.refuse(clauses.ORIENTATION, f"{t.man_name(place, code)} lies, and {_THE[title]} used by a minion that stands")
    elif title in LYING and not code % 5:
        t.refuse(clauses.ORIENTATION, f"{t.man_name(place, code)} stands, and {_THE[title]} used by a minion that lies")
    if title in ON_CARD and place not in t.cards:
        t.refuse(clauses.ON_CARD, f"{t.man_name(place, code)} is in the wasteland")


# --- the High Priestess's extra turn ---


def _again(t: Draft, play: Play, card: int) -> None:
    """Grant one more turn, if a run of turns does not have one this way yet."""
    by = BY_FOOL if play.origin == DECK else BY_ITSELF
    if play.names:
        namer = play.names[-2] if len(play.names) > 1 else card
        by = BY_WORLD if namer == WORLD else BY_DOPPELGANGER
    run = t.course.run | t.again
    if by == BY_ITSELF and t.course.extra:
        t.refuse(clauses.HIGH_PRIESTESS, "This turn is a High Priestess's own, so T02 itself is not used in it")
    elif by != BY_ITSELF and run & by:
        t.refuse(clauses.HIGH_PRIESTESS, "T02 has been copied this way in this run of turns already")
    t.again |= by


# --- the Fool, and a card turned up that may have no use ---


def has_use(
    state: State, seat: int, card: int, origin: int, place: int = 0, code: int = -1, again: int = 0
) -> bool | None:
    """Say whether a seat can legally use a card that was turned up; None where an unknown card says so.

    place, code: the user, -1 for any minion; again: how the word has used a High Priestess before, as bits
    """
    found: bool | None = False
    for play in uses(state, seat, card, origin, place, code, unseen=True):
        flips = play.parts and isinstance(play.parts[0], Flip)
        if not (bool(state.deck or state.pile) if flips else is_legal(state, seat, play, again)):
            continue
        if not _names_unseen(state, card, play):
            return True
        found = None
    return found


def is_legal(state: State, seat: int, play: Play, again: int) -> bool:
    """Say whether a play breaks no rule. again: as above"""
    t = Draft(state, seat)
    t.again = again
    try:
        use(t, play)
    except BlockedError:
        return False
    return not t.refusals


def _names_unseen(state: State, card: int, play: Play) -> bool:
    """Say whether a play names what only a card nobody on record saw can be."""
    namers = (card, *play.names)
    return any(
        (namer == WORLD and name not in top_trumps(state)) or (namer == DOPPELGANGER and is_slot(state.pile[-1]))
        for namer, name in zip(namers, play.names, strict=False)
    )


def _stays(t: Draft, card: int, place: int, code: int) -> bool:
    """Say whether a card turned up by a bare word is left unused; refuse that where it has a use."""
    if card < 0 or is_slot(card):
        return True
    if TITLES[POWER_OF[card]] in DRAWING and has_use(t.now(), t.seat, card, BOARD, place, code, t.again):
        return False
    _unused(t, clauses.WHEEL, card, BOARD, place, code)
    return True


def _unused(t: Draft, clause: AnyClause, card: int, origin: int, place: int = 0, code: int = -1) -> None:
    """Refuse that a card turned up is left, where it has a use; ask where an unknown card on the board says so."""
    usable = has_use(t.now(), t.seat, card, origin, place, code, t.again)
    if usable:
        t.refuse(clause, f"{name_of(card)} can be used, so it is")
    if usable is not None:
        return
    lying = unknown_tops(t.cards)
    asks = tuple(entry & CODE for _, entry in lying) or (t.pile[-1],)
    if len(lying) != 1 or is_slot(t.pile[-1] if t.pile else 0):
        # Several unknown cards say so together: nothing that comes to light alone answers it.
        t.doubt(clause, "the board", bytes(1), 0, asks)
        return
    own, at = tops_apart(t, lying)[0], lying[0][0]
    idle = 0
    for kind in (1 << may for may in holds(t.slots, own)):
        if not has_use(t.now(unseen=taken_as(t.unseen, own, kind)), t.seat, card, origin, place, code, t.again):
            idle |= kind
    t.doubt(clause, place_name(at), bytes((own,)), idle)


def _left_unseen(t: Draft, clause: AnyClause, slot: int) -> int:
    """Return the slot, its own now, of an unknown card that was turned up and left; ask whether it had a use."""
    t.unseen, own = apart(t.unseen, slot)
    now, may = t.now(), set_of(holds(t.slots, own))
    kinds = alike(may, wild=True)
    idle = sum(kind for kind in kinds if not has_use(now, t.seat, kind.bit_length() - 1, DECK, again=t.again))
    if not idle:
        t.refuse(clause, "Whatever card it was, it can be used, so it is")
    elif idle != may:
        t.doubt(clause, "top of the deck", bytes((own,)), idle)
    return own


def fool(t: Draft, power: AnyClause, play: Play, place: int, code: int) -> None:
    """Turn up the deck's top card twice, and use it as from the hand where that is legal."""
    parts = play.parts
    if not parts:
        t.refuse(power if t.available else clauses.NO_EFFECT, "The Fool turns up the top card of the deck, twice")
        return
    if len(parts) == 1 and isinstance(parts[0], Drawn) and len(parts[0].cards) == 1:
        play = Play(play.origin, play.card, play.names, play.user, (Flip(Play(DECK, parts[0].cards[0])),))
    count = min(2, t.available)
    flips = shaped(t, power, play, place, code, 2, (Flip,))
    for at, part in enumerate(flips):
        if not t.available:
            t.block(power if at else clauses.NO_EFFECT, "No card is left to turn up")
        if at and at == count:
            t.refuse(power, "One card was left, so the Fool turns up no other")
        flipped = part.play
        card = t.off_deck(bytes((flipped.card,)))[0]
        if flipped.names or flipped.user or flipped.parts or _draws(t, flipped.card):
            use(t, flipped)
        elif is_slot(card):
            t.discard(_left_unseen(t, power, card))
        else:
            _unused(t, power, card, DECK)
            t.discard(card)
    if flips and len(flips) < count:
        t.refuse(power, "The Fool turns up two cards")


def _draws(t: Draft, card: int) -> bool:
    """Say whether a bare card is a draw left out, which is used without a word more."""
    drawing = card < len(POWER_OF) and TITLES[POWER_OF[card]] in DRAWING
    return drawing and bool(has_use(t.now(), t.seat, card, DECK, again=t.again))


# --- the table of powers ---

STANDING = frozenset({"cups", "empress", "strength"})
LYING = frozenset({"wands", "hermit"})
_THE = {
    "cups": "Cups are",
    "wands": "Wands are",
    "empress": "the Empress is",
    "strength": "Strength is",
    "hermit": "the Hermit is",
}
ON_CARD = frozenset({"cups", "discs", "empress", "strength", "wheel", "hanged-man", "temperance", "moon", "sun"})
DRAWING = frozenset({"high-priestess", "star"})
_EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(("cups", "empress", "holy-grail"), growing.cups),
    **dict.fromkeys(("wands", "hermit"), moving.wands),
    **dict.fromkeys(("discs", "wheel", "temperance"), building.discs),
    **dict.fromkeys(DRAWING, hands.draws),
    "swords": attacks.swords,
    "fool": fool,
    "emperor": attacks.emperor,
    "hierophant": attacks.hierophant,
    "lovers": growing.lovers,
    "chariot": moving.chariot,
    "strength": growing.strength,
    "justice": hands.justice,
    "hanged-man": territories.hanged_man,
    "death": attacks.death,
    "devil": turning.devil,
    "tower": territories.tower,
    "moon": territories.moon,
    "sun": building.sun,
    "judgement": hands.judgement,
    "gateway": moving.gateway,
    "assassin": attacks.assassin,
    "evil-eye": territories.evil_eye,
    "harvest": territories.harvest,
    "miser": hands.miser,
    "plague": territories.plague,
}
"""By title; the Magician, the World and the Doppelganger are always named as another."""


EFFECTS = tuple(_EFFECTS.get(title, fool) for title in TITLES)
_FREE = {TITLES.index(title): kind for title, kind in FREE.items()}
"""What the parts of a power are that needs no particular minion."""


def _needs_nobody(power: int, play: Play) -> bool:
    """Say whether a power does what these parts say without a user, so that its word is the same without one."""
    return power in _FREE and all(type(part) is _FREE[power] for part in play.parts)


_PRIESTESS = TITLES.index("high-priestess")
