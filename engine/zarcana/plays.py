"""The use of one power: its card, what it is named as, who uses it, then what it does. Copies share all of it."""

from collections.abc import Callable
from typing import TypeAlias

from cartulary.engine.cards.deck import set_of
from cartulary.engine.contract import Need
from cartulary.engine.slots import SLOT, UNKNOWN, holds, is_slot
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
from cartulary.engine.zarcana.choices import FREE, top_trumps, uses
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.faults import BlockedError, Doubt
from cartulary.engine.zarcana.moves import (
    BOARD,
    DECK,
    HAND,
    TURNED,
    Away,
    BuildFrom,
    Flip,
    HitPlace,
    Play,
)
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
from cartulary.engine.zarcana.unknown import assumed

Effect: TypeAlias = Callable[[Draft, str, Play, int, int], None]


def use(t: Draft, play: Play) -> None:
    """Carry out a play; a card from the hand or the deck ends on the discards."""
    ref, place, code = play.user, 0, -1
    if ref is not None:
        place, code = ref.place, t.pick(ref)
    card = t.from_hand(t.seat, play.card) if play.origin == HAND else play.card
    if play.origin in (HAND, DECK):
        t.played += bytes((card,))
    shows = False
    for part in play.parts:
        if type(part) is BuildFrom or type(part) is Away:
            t.holds(t.seat, part.cards if isinstance(part, Away) else bytes((part.card,)))
        elif type(part) is HitPlace and part.shown >= 0:
            shows = True
    if ref is not None and code // 15 != t.seat:
        _misused(t, ref, code)
    if play.origin in (BOARD, TURNED):
        card = _territory(t, play, place)
    if shows:
        _uncovered(t, play, card)
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
        elif power not in _FREE:
            t.refuse("no-minion", f"No minion is named to use {name_of(card)}", blocks=True)
        if power == _PRIESTESS:
            _again(t, play, card)
        EFFECTS[power](t, key, play, place, code)
        if ref is not None and code // 15 == t.seat and play.origin in (HAND, DECK) and _needs_nobody(power, play):
            t.spelled += ((ref, None),)
    if play.origin in (HAND, DECK):
        t.played = t.played[:-1]
        t.discard(card)


def _misused(t: Draft, ref: Ref, code: int) -> None:
    """Refuse a user that is not there, or is another seat's."""
    if code < 0:
        t.refuse("no-minion", t.nobody(ref), blocks=True)
    t.refuse("no-minion", f"{ref_name(ref, t.seat)} is p{code // 15}'s")


def _territory(t: Draft, play: Play, place: int) -> int:
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
            t.refuse("wheel", f"No card lies on {where} that could be shown")
        elif looks:
            t.refuse("wheel", f"The card on {where} stays there, so it is not shown")
        elif not entry & DOWN and not is_slot(entry & CODE):
            t.refuse("wheel", f"The card on {where} lies face up")


def _fits(t: Draft, key: str, place: int, code: int) -> None:
    """Refuse a user that does not stand or lie, or is not on a card, as the power asks."""
    if key in STANDING and code % 5:
        t.refuse("orientation", f"{t.man_name(place, code)} lies, and {_THE[key]} used by a minion that stands")
    elif key in LYING and not code % 5:
        t.refuse("orientation", f"{t.man_name(place, code)} stands, and {_THE[key]} used by a minion that lies")
    if key in ON_CARD and place not in t.cards:
        t.refuse("on-card", f"{t.man_name(place, code)} is in the wasteland")


# --- naming ---


def executed(t: Draft, play: Play, card: int) -> int:
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


def _overnamed(t: Draft, card: int, names: tuple[int, ...]) -> None:
    """Refuse a name on the board behind what takes none, before it is asked what the names before it are worth."""
    for name in names:
        if card >= SUIT_NAME:
            t.refuse("use-territory", f"A suit is not named as {name_of(name)}")
        elif card not in _COPIES and not is_royal(card):
            t.refuse("use-territory", f"{name_of(card)} is not named as {name_of(name)}")
        card = name


def _world(t: Draft, name: int) -> None:
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


def _apart(t: Draft, lying: list[tuple[int, int]]) -> bytes:
    """Give unknown cards on top of their spaces a slot each, and return those."""
    codes = bytearray()
    for place, entry in lying:
        t.unseen, own = apart(t.unseen, entry & CODE)
        t.cards = {**t.cards, place: (*t.cards[place][:-1], own | entry & ~CODE)}
        codes.append(own)
    return bytes(codes)


def _doppelganger(t: Draft, name: int) -> None:
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


def _again(t: Draft, play: Play, card: int) -> None:
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


def has_use(
    state: State, seat: int, card: int, origin: int, place: int = 0, code: int = -1, again: int = 0
) -> bool | None:
    """Say whether a seat can legally use a card that was turned up; None where an unknown card says so.

    place, code: the user, -1 for any minion; again: how the word has used a High Priestess before, as bits
    """
    found: bool | None = False
    for play in uses(state, seat, card, origin, place, code, unseen=True):
        if not _is_legal(state, seat, play, again):
            continue
        if not _names_unseen(state, card, play):
            return True
        found = None
    return found


def _is_legal(state: State, seat: int, play: Play, again: int) -> bool:
    if play.parts and isinstance(play.parts[0], Flip):
        return bool(state.deck or state.pile)
    t = Draft(state, seat)
    t.again = again
    try:
        use(t, play)
    except BlockedError:
        return False
    return t.fault is None


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
    _unused(t, "wheel", card, BOARD, place, code)
    return True


def _unused(t: Draft, key: str, card: int, origin: int, place: int = 0, code: int = -1) -> None:
    """Refuse that a card turned up is left, where it has a use; ask where an unknown card on the board says so."""
    usable = has_use(t.now(), t.seat, card, origin, place, code, t.again)
    if usable:
        t.refuse(key, f"{name_of(card)} can be used, so it is")
    if usable is not None:
        return
    lying = [(at, stack[-1]) for at, stack in t.cards.items() if stack[-1] & CODE >= SLOT and not stack[-1] & DOWN]
    need = Need("the board", tuple(entry & CODE for _, entry in lying) or (t.pile[-1],), t.state.ply + 1)
    if len(lying) != 1 or is_slot(t.pile[-1] if t.pile else 0):
        # Several unknown cards say so together: nothing that comes to light alone answers it.
        t.doubts += (Doubt(f"zarcana.{key}", need, bytes(1), 0),)
        return
    own, at = _apart(t, lying)[0], lying[0][0]
    worlds = {may: assumed(t.now(), t.unseen, own, at, may) for may in holds(t.slots, own)}
    idle = [may for may, now in worlds.items() if not has_use(now, t.seat, card, origin, place, code, t.again)]
    need = Need(place_name(at), (own,), t.state.ply + 1)
    t.doubts += (Doubt(f"zarcana.{key}", need, bytes((own,)), set_of(idle)),)


def _left_unseen(t: Draft, key: str, slot: int) -> int:
    """Return the slot, its own now, of an unknown card that was turned up and left; ask whether it had a use."""
    t.unseen, own = apart(t.unseen, slot)
    now, may = t.now(), holds(t.slots, own)
    usable: dict[tuple[int, int], bool | None] = {}
    for card in may:
        kind = _kind_of(card)
        if kind not in usable:
            usable[kind] = has_use(now, t.seat, card, DECK, again=t.again)
    idle = [card for card in may if not usable[_kind_of(card)]]
    if not idle:
        t.refuse(key, "Whatever card it was, it can be used, so it is")
    elif len(idle) < len(may):
        need = Need("top of the deck", (own,), t.state.ply + 1)
        t.doubts += (Doubt(f"zarcana.{key}", need, bytes((own,)), set_of(idle)),)
    return own


def _kind_of(card: int) -> tuple[int, int]:
    """Return what cards have in common that are used alike when they are turned up."""
    if card >= TRUMP:
        return 0, card
    return (1, 0) if is_royal(card) else (2, card // 14)


def fool(t: Draft, key: str, play: Play, place: int, code: int) -> None:
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
        elif is_slot(card):
            t.discard(_left_unseen(t, key, card))
        else:
            _unused(t, key, card, DECK)
            t.discard(card)
    if len(play.parts) < count:
        t.refuse(key, "The Fool turns up two cards")


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


def _unnamed(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    raise AssertionError(f"the {key} is used as another card")


EFFECTS = tuple(_EFFECTS.get(title, _unnamed) for title in TITLES)
_FREE = {TITLES.index(title): kind for title, kind in FREE.items()}
"""What the parts of a power are that needs no particular minion."""


def _needs_nobody(power: int, play: Play) -> bool:
    """Say whether a power does what these parts say without a user, so that its word is the same without one."""
    return power in _FREE and all(type(part) is _FREE[power] for part in play.parts)


WHO = tuple(title in STANDING or title in LYING or title in ON_CARD for title in TITLES)
"""By power, whether it asks something of its user."""

_COPIES = frozenset({MAGICIAN, WORLD, DOPPELGANGER})
_PLAIN = tuple(-1 if card in _COPIES else power for card, power in enumerate(POWER_OF))
"""By card, the power it has without a name; -1 for a copy."""

_PRIESTESS = TITLES.index("high-priestess")
