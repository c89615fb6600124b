"""The use of one power: its card, what it is named as, who uses it, then what it does. Copies share all of it."""

from collections.abc import Callable
from typing import TypeAlias

from cartulary.engine.contract import Need
from cartulary.engine.slots import UNKNOWN, is_slot
from cartulary.engine.zarcana import attacks, building, growth
from cartulary.engine.zarcana.asks import apart
from cartulary.engine.zarcana.cards import (
    DOPPELGANGER,
    MAGICIAN,
    POWER_OF,
    SUIT_NAME,
    TITLES,
    TRUMP,
    WORLD,
    is_royal,
    is_trump,
    name_of,
)
from cartulary.engine.zarcana.choices import uses
from cartulary.engine.zarcana.faults import BlockedError, Doubt
from cartulary.engine.zarcana.moves import BOARD, DECK, HAND, TURNED, Away, BuildFrom, Flip, Play
from cartulary.engine.zarcana.parts import loose, shaped
from cartulary.engine.zarcana.sight import is_surely
from cartulary.engine.zarcana.spaces import Ref, place_name, ref_name
from cartulary.engine.zarcana.state import (
    BY_DOPPELGANGER,
    BY_FOOL,
    BY_ITSELF,
    BY_WORLD,
    CODE,
    DOWN,
    State,
)
from cartulary.engine.zarcana.table import Table

Effect: TypeAlias = Callable[[Table, str, Play, int, int], None]


def use(t: Table, play: Play) -> None:
    """Carry out a play; a card from the hand or the deck ends on the discards."""
    ref, place, code = play.user, 0, -1
    if ref is not None:
        place, code = ref.place, t.pick(ref)
    card = t.from_hand(t.seat, play.card) if play.origin == HAND else play.card
    if play.origin in (HAND, DECK):
        t.played += bytes((card,))
    for part in play.parts:
        if type(part) is BuildFrom or type(part) is Away:
            t.holds(t.seat, part.cards if isinstance(part, Away) else bytes((part.card,)))
    if ref is not None and code // 15 != t.seat:
        _misused(t, ref, code)
    if play.origin in (BOARD, TURNED):
        card = _territory(t, play, place)
    if play.origin == TURNED and not play.parts and not play.names and _stays(t, card, place, code):
        return
    power = _PLAIN[card] if not play.names and 0 <= card < len(_PLAIN) else -1
    if power < 0:
        power = executed(t, play, card)
    if power < 0:
        loose(t, play, place, code)
    else:
        key = TITLES[power]
        if code >= 0:
            if WHO[power]:
                _fits(t, key, place, code)
        elif power not in FREE:
            t.refuse("no-minion", f"No minion is named to use {name_of(card)}", blocks=True)
        if power == _PRIESTESS:
            _again(t, play, card)
        EFFECTS[power](t, key, play, place, code)
    if play.origin in (HAND, DECK):
        t.played = t.played[:-1]
        t.discard(card)


def _misused(t: Table, ref: Ref, code: int) -> None:
    """Refuse a user that is not there, or is another seat's."""
    if code < 0:
        t.refuse("no-minion", f"There is no {ref_name(ref, t.seat)}", blocks=True)
    t.refuse("no-minion", f"{ref_name(ref, t.seat)} is p{code // 15}'s")


def _territory(t: Table, play: Play, place: int) -> int:
    """Return the card under the user whose power it uses, -1 where there is none; turn it up if the word does."""
    if play.user is None:
        t.refuse("no-minion", "No minion is named to use the card it is on", blocks=True)
    where = place_name(place)
    stack = t.cards.get(place)
    if stack is None:
        key = "use-territory" if play.origin == BOARD else "wheel"
        t.refuse(key, f"There is no card on {where}")
        return play.card
    if play.origin == TURNED:
        t.turn_up(place, play.card)
    elif stack[-1] & DOWN:
        t.refuse("wheel", f"The card on {where} lies face down and is not turned up")
        return -1
    code = t.cards[place][-1] & CODE
    return -1 if is_slot(code) else code


def _fits(t: Table, key: str, place: int, code: int) -> None:
    """Refuse a user that does not stand or lie, or is not on a card, as the power asks."""
    if key in STANDING and code % 5:
        t.refuse("orientation", f"{t.man_name(place, code)} lies, and {_THE[key]} used by a minion that stands")
    elif key in LYING and not code % 5:
        t.refuse("orientation", f"{t.man_name(place, code)} stands, and {_THE[key]} used by a minion that lies")
    if key in ON_CARD and place not in t.cards:
        t.refuse("on-card", f"{t.man_name(place, code)} is in the wasteland")


# --- naming ---


def executed(t: Table, play: Play, card: int) -> int:
    """Return the power a play executes once all its names are followed, -1 where that cannot be told."""
    if card < 0 or is_slot(card) or card == UNKNOWN:
        return -1
    wild = play.origin in (HAND, DECK)
    names = play.names
    if not wild:
        _overnamed(t, card, names)
    for at in range(len(names) + 1):
        name = names[at] if at < len(names) else -1
        if card == MAGICIAN:
            if name < SUIT_NAME:
                t.refuse("magician", "T01 is named as one of the suits")
        elif card == WORLD:
            _world(t, name)
        elif name >= 0 and card < TRUMP and is_royal(card):
            if not wild or name < SUIT_NAME:
                because = f"{name_of(card)} is named as a suit, not as {name_of(name)}"
                t.refuse("royalty", because if wild else f"{name_of(card)} is used as any suit only from the hand")
        elif card == DOPPELGANGER:
            _doppelganger(t, name)
        elif name >= 0:
            t.refuse("play-card" if wild else "use-territory", f"{name_of(card)} is not named as {name_of(name)}")
        if name < 0:
            return -1 if card in (MAGICIAN, WORLD, DOPPELGANGER) else POWER_OF[card]
        if name >= SUIT_NAME:
            if at + 1 < len(names):
                key = "play-card" if wild else "use-territory"
                t.refuse(key, f"A suit is not named as {name_of(names[at + 1])}")
            return name - SUIT_NAME
        card = name
    return -1


def _overnamed(t: Table, card: int, names: tuple[int, ...]) -> None:
    """Refuse a name on the board behind what takes none, before it is asked what the names before it are worth."""
    for name in names:
        if card >= SUIT_NAME:
            t.refuse("use-territory", f"A suit is not named as {name_of(name)}")
        elif card not in _COPIES and not is_royal(card):
            t.refuse("use-territory", f"{name_of(card)} is not named as {name_of(name)}")
        card = name


def _world(t: Table, name: int) -> None:
    if name < 0 or name >= SUIT_NAME or not is_trump(name) or name == WORLD:
        t.refuse("world", "T21 is named as another trump that lies face up on top of a space")
        return
    if any(stack[-1] & (CODE | DOWN) == name for stack in t.cards.values()):
        return
    lying = [
        (place, stack[-1])
        for place, stack in t.cards.items()
        if not stack[-1] & DOWN and is_slot(stack[-1] & CODE) and t.may_be(stack[-1] & CODE, name)
    ]
    if not lying:
        t.refuse("world", f"{name_of(name)} lies face up on no space")
    elif len(lying) > 1:
        need = Need("the board", tuple(entry & CODE for _, entry in lying), t.state.ply + 1)
        t.doubts += (Doubt("zarcana.world", need, _apart(t, lying), 1 << name),)
    elif not is_surely(t.slots, lying[0][1] & CODE, name):
        place, entry = lying[0]
        need = Need(place_name(place), (entry & CODE,), t.state.ply + 1)
        t.doubts += (Doubt("zarcana.world", need, _apart(t, lying), 1 << name),)


def _apart(t: Table, lying: list[tuple[int, int]]) -> bytes:
    """Give unknown cards on top of their spaces a slot each, and return those."""
    codes = bytearray()
    for place, entry in lying:
        t.unseen, own = apart(t.unseen, entry & CODE)
        t.cards = {**t.cards, place: (*t.cards[place][:-1], own | entry & ~CODE)}
        codes.append(own)
    return bytes(codes)


def _doppelganger(t: Table, name: int) -> None:
    if not t.pile:
        t.refuse("doppelganger", "There is no discard")
        return
    top = t.pile[-1]
    if is_slot(top) and 0 <= name < SUIT_NAME:
        seen = t.matched(bytes((top,)), bytes((name,)), "doppelganger", "on top of the discards")
        t.pile = t.pile[:-1] + seen
    elif name != top:
        t.refuse("doppelganger", f"The top discard is {name_of(top)}")


# --- the High Priestess's extra turn ---


def _again(t: Table, play: Play, card: int) -> None:
    """Grant one more turn, if a run of turns does not have one this way yet."""
    by = BY_FOOL if play.origin == DECK else BY_ITSELF
    if play.names:
        namer = play.names[-2] if len(play.names) > 1 else card
        by = BY_WORLD if namer == WORLD else BY_DOPPELGANGER
    run = t.course.run | t.again
    if by == BY_ITSELF and t.course.extra:
        t.refuse("high-priestess", "This turn is a High Priestess's own, so T02 itself is not used in it")
    elif by != BY_ITSELF and run & by:
        t.refuse("high-priestess", "T02 has been copied this way in this run of turns already")
    t.again |= by


# --- the Fool, and a card turned up that may have no use ---


def has_use(state: State, seat: int, card: int, origin: int, place: int = 0, code: int = -1, again: int = 0) -> bool:
    """Say whether a seat can legally use a card that was turned up.

    place, code: the user, -1 for any minion; again: how the word has used a High Priestess before, as bits
    """
    for play in uses(state, seat, card, origin, place, code):
        if play.parts and isinstance(play.parts[0], Flip):
            return bool(state.deck or state.pile)
        t = Table(state, seat)
        t.again = again
        try:
            use(t, play)
        except BlockedError:
            continue
        if t.fault is None:
            return True
    return False


def _stays(t: Table, card: int, place: int, code: int) -> bool:
    """Say whether a card turned up by a bare word is left unused; refuse that where it has a use."""
    if card < 0 or is_slot(card):
        return True
    usable = has_use(t.now(), t.seat, card, BOARD, place, code, t.again)
    if usable and TITLES[POWER_OF[card]] in DRAWING:
        return False
    if usable:
        t.refuse("wheel", f"{name_of(card)} can be used, so it is")
    return True


def fool(t: Table, key: str, play: Play, place: int, code: int) -> None:
    """Turn up the deck's top card twice, and use it as from the hand where that is legal."""
    if not play.parts:
        t.refuse(key if t.available else "no-effect", "The Fool turns up the top card of the deck, twice")
        return
    if not shaped(t, key, play, place, code, 2, (Flip,)):
        return
    count = min(2, t.available)
    for at, part in enumerate(play.parts):
        assert isinstance(part, Flip)
        if not t.available:
            t.refuse(key if at else "no-effect", "No card is left to turn up", blocks=True)
        if at and at == count:
            t.refuse(key, "One card was left, so the Fool turns up no other")
        flipped = part.play
        card = t.off_deck(bytes((flipped.card,)))[0]
        if flipped.names or flipped.user or flipped.parts or _draws(t, flipped.card):
            use(t, flipped)
        else:
            if not is_slot(card) and has_use(t.now(), t.seat, card, DECK, again=t.again):
                t.refuse(key, f"{name_of(card)} can be used, so it is")
            t.discard(card)
    if len(play.parts) < count:
        t.refuse(key, "The Fool turns up two cards")


def _draws(t: Table, card: int) -> bool:
    """Say whether a bare card is a draw left out, which is used without a word more."""
    drawing = card < len(POWER_OF) and TITLES[POWER_OF[card]] in DRAWING
    return drawing and has_use(t.now(), t.seat, card, DECK, again=t.again)


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
    "swords": attacks.swords,
    "wands": growth.wands,
    "cups": growth.cups,
    "discs": building.discs,
    "fool": fool,
    "high-priestess": building.drawing,
    "empress": growth.cups,
    "emperor": attacks.emperor,
    "hierophant": attacks.hierophant,
    "lovers": growth.lovers,
    "chariot": growth.chariot,
    "strength": growth.strength,
    "hermit": growth.wands,
    "wheel": building.discs,
    "justice": building.justice,
    "hanged-man": attacks.hanged_man,
    "death": attacks.death,
    "temperance": building.discs,
    "devil": growth.devil,
    "tower": attacks.tower,
    "star": building.drawing,
    "moon": building.moon,
    "sun": building.sun,
    "judgement": building.judgement,
    "gateway": growth.gateway,
    "assassin": attacks.assassin,
    "evil-eye": attacks.evil_eye,
    "harvest": attacks.harvest,
    "miser": building.miser,
    "plague": attacks.plague,
    "holy-grail": growth.cups,
}
"""By title; the Magician, the World and the Doppelganger are always named as another."""


def _unnamed(t: Table, key: str, play: Play, place: int, code: int) -> None:
    raise AssertionError(f"the {key} is used as another card")


EFFECTS = tuple(_EFFECTS.get(title, _unnamed) for title in TITLES)
FREE = frozenset(
    TITLES.index(title) for title in ("fool", "high-priestess", "lovers", "justice", "star", "judgement", "miser")
)
"""Powers that need no particular minion."""

WHO = tuple(title in STANDING or title in LYING or title in ON_CARD for title in TITLES)
"""By power, whether it asks something of its user."""

_COPIES = frozenset({MAGICIAN, WORLD, DOPPELGANGER})
_PLAIN = tuple(-1 if card in _COPIES else power for card, power in enumerate(POWER_OF))
"""By card, the power it has without a name; -1 for a copy."""

_PRIESTESS = TITLES.index("high-priestess")
