"""The use of one power: its card, what it is named as, who uses it, then what it does. Copies share all of it."""

from collections.abc import Callable
from typing import TypeAlias

from cartulary.engine.slots import is_slot
from cartulary.engine.zarcana import attacks, building, clauses, growing, hands, moving, territories, turning
from cartulary.engine.zarcana.cards import POWER_OF, TITLES, WORLD, name_of
from cartulary.engine.zarcana.choices import FREE
from cartulary.engine.zarcana.clauses import OF_POWER, AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.fool import DRAWING, fool, stays
from cartulary.engine.zarcana.moves import BOARD, DECK, HAND, TURNED, Away, BuildFrom, HitPlace, Play
from cartulary.engine.zarcana.naming import executed
from cartulary.engine.zarcana.parts import loose
from cartulary.engine.zarcana.spaces import Ref, place_name, ref_name
from cartulary.engine.zarcana.state import BY_DOPPELGANGER, BY_FOOL, BY_ITSELF, BY_WORLD, CODE, DOWN

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
    if origin == TURNED and not play.parts and not play.names and stays(use, t, card, place, code):
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


# --- the table of powers ---


def _fool(t: Draft, power: AnyClause, play: Play, place: int, code: int) -> None:
    fool(use, t, power, play, place, code)


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
_EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(("cups", "empress", "holy-grail"), growing.cups),
    **dict.fromkeys(("wands", "hermit"), moving.wands),
    **dict.fromkeys(("discs", "wheel", "temperance"), building.discs),
    **dict.fromkeys(DRAWING, hands.draws),
    "swords": attacks.swords,
    "fool": _fool,
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


EFFECTS = tuple(_EFFECTS.get(title, _fool) for title in TITLES)
_FREE = {TITLES.index(title): kind for title, kind in FREE.items()}
"""What the parts of a power are that needs no particular minion."""


def _needs_nobody(power: int, play: Play) -> bool:
    """Say whether a power does what these parts say without a user, so that its word is the same without one."""
    return power in _FREE and all(type(part) is _FREE[power] for part in play.parts)


_PRIESTESS = TITLES.index("high-priestess")
