"""The use of one power: its card, what it is named as, who uses it, then what it does. Copies share all of it."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.zarcana import attacks, building, clauses, growing, hands, moves, moving, orientation, territories
from cartulary.engine.zarcana.cards import DRAWING, FREE, TITLES, name_of
from cartulary.engine.zarcana.clauses import OF_POWER, AnyClause
from cartulary.engine.zarcana.deck import available, discard, off_deck
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.fool import fool, stays, turned_up
from cartulary.engine.zarcana.hands import draw_cards, from_hand, holds
from cartulary.engine.zarcana.high_priestess import grant_turn
from cartulary.engine.zarcana.minions import (
    become,
    destroy,
    enter,
    has_piece,
    man_name,
    move_to,
    pick,
    refuse_user,
)
from cartulary.engine.zarcana.orientation import keep_orientation
from cartulary.engine.zarcana.places import found
from cartulary.engine.zarcana.spaces import lay, leave, wither
from cartulary.engine.zarcana.territories import refuse_shown, territory
from cartulary.engine.zarcana.wild_cards import executed


def use(t: Draft, play: moves.Play) -> None:
    """Carry out a play; a card from the hand or the deck ends on the discards."""
    ref, origin, place, code = play.user, play.origin, 0, -1
    if ref is not None:
        place, code = ref.place, pick(t, ref)
    card = from_hand(t, t.seat, play.card) if origin == moves.HAND else play.card
    played = origin in (moves.HAND, moves.DECK)
    if played:
        t.played += bytes((card,))
    shows = False
    for part in play.parts:
        if type(part) is moves.BuildFrom or type(part) is moves.Away:
            holds(t, t.seat, part.cards if isinstance(part, moves.Away) else bytes((part.card,)))
        elif type(part) is moves.HitPlace and part.shown >= 0:
            shows = True
    if ref is not None and code // 15 != t.seat:
        refuse_user(t, ref, code)
    if not played:
        card = territory(t, play, place)
    if shows:
        refuse_shown(t, play, card)
    if origin == moves.TURNED and not play.parts and not play.names and stays(use, t, card, place, code):
        return
    power = executed(t, play, card)
    if power < 0:
        _loose(t, play, place, code)
    else:
        clause = OF_POWER[power]
        if code >= 0:
            keep_orientation(t, TITLES[power], place, code)
            if place not in t.cards and TITLES[power] in ON_CARD:
                t.refuse(clauses.ON_CARD, f"{man_name(t, place, code)} is in the wasteland")
        elif power not in _FREE:
            t.block(clauses.NO_MINION, f"No minion is named to use {name_of(card)}")
        if power == _PRIESTESS:
            grant_turn(t, play, card)
        parts = turned_up(play.parts) if power == _FOOL else play.parts
        if _shaped(t, power, parts):
            EFFECTS[power].does(t, clause, place, code, *parts)
        else:
            _loose(t, play, place, code)
        if played and ref is not None and code // 15 == t.seat and _needs_nobody(power, play):
            t.spelled += ((ref, None),)
    if played:
        t.played = t.played[:-1]
        discard(t, card)


# --- parts that do not fit their power ---

_SAID: dict[Any, str] = {
    moves.Grow: "=M",
    moves.Clone: "@S'n",
    moves.Go: ">e1",
    moves.HitMinion: ":p2Se1",
    moves.HitPlace: ":e1",
    moves.Build: "@e1*5C",
    moves.BuildFrom: "@e1=5C",
    moves.Create: "@Sn2'w",
    moves.Turn: "&Mo=n",
}


def _shaped(t: Draft, power: int, parts: tuple[moves.Part, ...]) -> bool:
    """Say whether these are parts that a power is used with; refuse others, under no-effect where there is none."""
    most, kinds = EFFECTS[power].most, EFFECTS[power].kinds
    if not parts and EFFECTS[power].bare:
        return True
    if 0 < len(parts) <= most and type(parts[0]) in kinds and all(type(part) in kinds for part in parts[1:]):
        return True
    clause = OF_POWER[power]
    subject, are = _subject(clause)
    if not parts:
        what = subject.replace("The ", "the ")
        t.refuse(clauses.NO_EFFECT, f"The word does not say what {what} {'do' if are == 'are' else 'does'}")
        return False
    wanted = " or ".join(_SAID[kind] for kind in kinds if kind in _SAID)
    said = f"such as {wanted}" if wanted else "as its power says"
    parts_said = "one part" if most == 1 else "one or two parts" if most == 2 else "any number of parts"
    t.refuse(clause, f"{subject} {are} used with {parts_said} {said}")
    return False


_BARE = ("strength", "justice", "death", "temperance", "judgement", "harvest")


def _subject(power: AnyClause) -> tuple[str, str]:
    """Return a power as the beginning of a sentence, and whether it is or they are."""
    key = power.key.partition(".")[2]
    title = key.replace("-", " ").title().replace(" Of ", " of ")
    if key in ("swords", "wands", "cups", "discs"):
        return title, "are"
    return (title, "is") if key in _BARE else (f"The {title}", "are" if key == "lovers" else "is")


def _loose(t: Draft, play: moves.Play, place: int, code: int) -> None:
    """Do what the parts of a play say, whatever its power: it was done at the table. code: the user, -1 for nobody"""
    for part in play.parts:
        match part:
            case moves.Grow(size) if code >= 0:
                other = code // 15 * 15 + size * 5 + code % 5
                if other != code and has_piece(t, other):
                    become(t, place, code, other)
                    code = other
            case moves.Clone(man) if code >= 0 and has_piece(t, man):
                enter(t, place, man)
            case moves.Go(to) if code >= 0:
                move_to(t, place, code, to, code - code % 5)
                wither(t, to)
                place, code = (to, code - code % 5) if to in t.men else (place, -1)
            case moves.HitMinion(ref):
                victim = pick(t, ref)
                if victim >= 0 and (victim, ref.place) != (code, place):
                    destroy(t, ref.place, victim)
            case moves.HitPlace(at, shown) if at in t.cards:
                discard(t, leave(t, at, shown))
            case moves.Build(at, card) if available(t):
                lay(t, at, off_deck(t, bytes((card if card >= 0 else UNKNOWN,)))[0])
            case moves.BuildFrom(at, card):
                lay(t, at, from_hand(t, t.seat, card))
            case moves.Create(man, at) if has_piece(t, man):
                enter(t, at, man)
                wither(t, at)
            case moves.Turn(ref, point):
                here = found(t.men.get(ref.place, b""), ref)
                if here >= 0:
                    become(t, ref.place, here, here - here % 5 + point)
            case moves.Drawn(cards):
                draw_cards(t, t.seat, cards[: available(t)])
        if code >= 0 and code not in t.men.get(place, b""):
            code = -1


# --- the table of powers ---


class Power(Struct, frozen=True):
    """What a power does, and with which parts: one to ``most`` of these kinds; bare: or none."""

    does: Callable[..., None]
    kinds: tuple[type[moves.Part], ...]
    most: int = 1
    bare: bool = False


def _fool(t: Draft, power: AnyClause, place: int, code: int, *flips: moves.Flip) -> None:
    fool(use, t, power, *flips)


ON_CARD = frozenset({"cups", "discs", "empress", "strength", "wheel", "hanged-man", "temperance", "moon", "sun"})
_ATTACK, _GROWTH, _AIM = (moves.HitMinion, moves.HitPlace), (moves.Grow, moves.Clone), (moves.HitPlace,)
_FOOLS = Power(_fool, (moves.Flip,), 2, bare=True)
_POWERS: dict[str, Power] = {
    **dict.fromkeys(("cups", "empress", "holy-grail"), Power(growing.cups, _GROWTH)),
    **dict.fromkeys(("wands", "hermit"), Power(moving.wands, (moves.Go,))),
    **dict.fromkeys(("discs", "wheel", "temperance"), Power(building.discs, (moves.Build,))),
    **dict.fromkeys(DRAWING, Power(hands.draws, (moves.Drawn,), bare=True)),
    "swords": Power(attacks.swords, _ATTACK),
    "emperor": Power(attacks.emperor, _ATTACK),
    "hierophant": Power(attacks.hierophant, _ATTACK),
    "lovers": Power(growing.lovers, (moves.Create,)),
    "chariot": Power(moving.chariot, (moves.Go,), 2),
    "strength": Power(growing.strength, _GROWTH, 2),
    "justice": Power(hands.justice, (moves.Toward,)),
    "hanged-man": Power(territories.hanged_man, _AIM),
    "death": Power(attacks.death, _ATTACK, 2),
    "devil": Power(orientation.devil, (moves.Turn,), 99),
    "tower": Power(territories.tower, _AIM),
    "moon": Power(territories.moon, (moves.Go,)),
    "sun": Power(building.sun, (moves.BuildFrom,)),
    "judgement": Power(hands.judgement, (moves.Raised,)),
    "gateway": Power(moving.gateway, (moves.Go,)),
    "assassin": Power(attacks.assassin, _ATTACK),
    "evil-eye": Power(territories.evil_eye, _AIM),
    "harvest": Power(territories.harvest, _AIM),
    "miser": Power(hands.miser, (moves.Away,)),
    "plague": Power(territories.plague, _AIM),
}
"""By title; the Magician, the World and the Doppelganger are always named as another."""

EFFECTS = tuple(_POWERS.get(title, _FOOLS) for title in TITLES)
_FREE = frozenset(map(TITLES.index, FREE))


def _needs_nobody(power: int, play: moves.Play) -> bool:
    """Say whether a power does what these parts say without a user, so that its word is the same without one."""
    return power in _FREE and all(type(part) in EFFECTS[power].kinds for part in play.parts)


_PRIESTESS, _FOOL = TITLES.index("high-priestess"), TITLES.index("fool")
