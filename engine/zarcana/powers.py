"""The use of one power: its card, what it is named as, who uses it, then what it does. Copies share all of it."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.zarcana import attacks, building, clauses, growing, hands, moves, moving, orientation, territories
from cartulary.engine.zarcana.cards import FREE, TITLES, name_of
from cartulary.engine.zarcana.clauses import OF_POWER, AnyClause, subject_of
from cartulary.engine.zarcana.deck import available, discard, off_deck
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.fool import fool, turned_up
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
from cartulary.engine.zarcana.place_names import found
from cartulary.engine.zarcana.spaces import lay, leave, wither
from cartulary.engine.zarcana.territories import territory
from cartulary.engine.zarcana.wheel import refuse_shown, stays
from cartulary.engine.zarcana.wild_cards import executed


def use(draft: Draft, play: moves.Play) -> None:
    """Carry out a play; a card from the hand or the deck ends on the discards."""
    ref, origin, place, code = play.user, play.origin, 0, -1
    if ref is not None:
        place, code = ref.place, pick(draft, ref)
    card = from_hand(draft, draft.seat, play.card) if origin == moves.HAND else play.card
    played = origin in (moves.HAND, moves.DECK)
    if played:
        draft.played += bytes((card,))
    shows = False
    for part in play.parts:
        if type(part) is moves.BuildFrom or type(part) is moves.Away:
            holds(draft, draft.seat, part.cards if isinstance(part, moves.Away) else bytes((part.card,)))
        elif type(part) is moves.HitPlace and part.shown >= 0:
            shows = True
    if ref is not None and code // 15 != draft.seat:
        refuse_user(draft, ref, code)
    if not played:
        card = territory(draft, play, place)
    if shows:
        refuse_shown(draft, play, card)
    if origin == moves.TURNED and not play.parts and not play.names and stays(use, draft, card, place, code):
        return
    number = executed(draft, play, card)
    if number < 0:
        _loose(draft, play, place, code)
    else:
        power, clause = POWERS[number], OF_POWER[number]
        if code >= 0:
            if power.stance:
                keep_orientation(draft, place, code, power.stance, clause)
            if power.on_card and place not in draft.cards:
                draft.refuse(clauses.ON_CARD, f"{man_name(draft, place, code)} is in the wasteland")
        elif TITLES[number] not in FREE:
            draft.block(clauses.NO_MINION, f"No minion is named to use {name_of(card)}")
        if clause is clauses.HIGH_PRIESTESS:
            grant_turn(draft, play, card)
        parts = turned_up(play.parts) if clause is clauses.FOOL else play.parts
        if _shaped(draft, power, clause, parts):
            power.does(draft, clause, place, code, *parts)
        else:
            _loose(draft, play, place, code)
        if played and ref is not None and code // 15 == draft.seat and TITLES[number] in FREE:
            # Without a user the word says the same, if it has the power's parts.
            draft.spelled += ((ref, None),) if all(type(part) in power.kinds for part in play.parts) else ()
    if played:
        draft.played = draft.played[:-1]
        discard(draft, card)


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


def _shaped(draft: Draft, power: "Power", clause: AnyClause, parts: tuple[moves.Part, ...]) -> bool:
    """Say whether these are parts that a power is used with; refuse others, under no-effect where there is none."""
    most, kinds = power.most, power.kinds
    if not parts and power.bare:
        return True
    fit = 0 < len(parts) <= most
    for part in parts:
        fit = fit and type(part) in kinds
    if fit:
        return True
    subject, are = subject_of(clause)
    if not parts:
        draft.refuse(clauses.NO_EFFECT, f"The word does not say what {subject} {are} to do")
        return False
    wanted = " or ".join(_SAID[kind] for kind in kinds if kind in _SAID)
    said = f"such as {wanted}" if wanted else "as its power says"
    parts_said = "one part" if most == 1 else "one or two parts" if most == 2 else "any number of parts"
    draft.refuse(clause, f"{subject[0].upper()}{subject[1:]} {are} written with {parts_said}, {said}")
    return False


def _loose(draft: Draft, play: moves.Play, place: int, code: int) -> None:
    """Do what the parts of a play say, whatever its power: it was done at the table. code: the user, -1 for nobody"""
    for part in play.parts:
        match part:
            case moves.Grow(size) if code >= 0:
                other = code // 15 * 15 + size * 5 + code % 5
                if other != code and has_piece(draft, other):
                    become(draft, place, code, other)
                    code = other
            case moves.Clone(man) if code >= 0 and has_piece(draft, man):
                enter(draft, place, man)
            case moves.Go(to) if code >= 0:
                move_to(draft, place, code, to, code - code % 5)
                wither(draft, to)
                place, code = (to, code - code % 5) if to in draft.men else (place, -1)
            case moves.HitMinion(ref):
                victim = pick(draft, ref)
                if victim >= 0 and (victim, ref.place) != (code, place):
                    destroy(draft, ref.place, victim)
            case moves.HitPlace(at, shown) if at in draft.cards:
                discard(draft, leave(draft, at, shown))
            case moves.Build(at, card) if available(draft):
                lay(draft, at, off_deck(draft, bytes((card if card >= 0 else UNKNOWN,)))[0])
            case moves.BuildFrom(at, card):
                lay(draft, at, from_hand(draft, draft.seat, card))
            case moves.Create(man, at) if has_piece(draft, man):
                enter(draft, at, man)
                wither(draft, at)
            case moves.Turn(ref, point):
                here = found(draft.men.get(ref.place, b""), ref)
                if here >= 0:
                    become(draft, ref.place, here, here - here % 5 + point)
            case moves.Drawn(cards):
                draw_cards(draft, draft.seat, cards[: available(draft)])
        if code >= 0 and code not in draft.men.get(place, b""):
            code = -1


# --- the table of powers ---


class Power(Struct, frozen=True):
    """What a power does, and with which parts: one to ``most`` of these kinds.

    bare: or with none; stance: its user stands, or lies; on_card: it is on a card
    """

    does: Callable[..., None]
    kinds: tuple[type[moves.Part], ...]
    most: int = 1
    bare: bool = False
    stance: str = ""
    on_card: bool = False


def _fool(draft: Draft, power: AnyClause, place: int, code: int, *flips: moves.Flip) -> None:
    fool(use, draft, power, *flips)


_ATTACK, _GROWTH, _AIM = (moves.HitMinion, moves.HitPlace), (moves.Grow, moves.Clone), (moves.HitPlace,)
_FOOLS = Power(_fool, (moves.Flip,), 2, bare=True)
_SWORDS = Power(attacks.attack, _ATTACK)
_CUPS = Power(growing.cups, _GROWTH, stance="stands", on_card=True)
_WANDS = Power(moving.wands, (moves.Go,), stance="lies")
_DISCS = Power(building.discs, (moves.Build,), on_card=True)
_DRAWS = Power(hands.draws, (moves.Drawn,), bare=True)
_POWERS: dict[str, Power] = {
    "swords": _SWORDS,
    "wands": _WANDS,
    "cups": _CUPS,
    "discs": _DISCS,
    "high-priestess": _DRAWS,
    "empress": _CUPS,
    "emperor": _SWORDS,
    "hierophant": _SWORDS,
    "lovers": Power(growing.lovers, (moves.Create,)),
    "chariot": Power(moving.chariot, (moves.Go,), 2),
    "strength": Power(growing.strength, _GROWTH, 2, stance="stands", on_card=True),
    "hermit": _WANDS,
    "wheel": _DISCS,
    "justice": Power(hands.justice, (moves.Toward,)),
    "hanged-man": Power(territories.hanged_man, _AIM, on_card=True),
    "death": Power(attacks.death, _ATTACK, 2),
    "temperance": _DISCS,
    "devil": Power(orientation.devil, (moves.Turn,), 99),
    "tower": Power(territories.tower, _AIM),
    "star": _DRAWS,
    "moon": Power(moving.moon, (moves.Go,), on_card=True),
    "sun": Power(building.sun, (moves.BuildFrom,), on_card=True),
    "judgement": Power(hands.judgement, (moves.Raised,)),
    "gateway": Power(moving.gateway, (moves.Go,)),
    "assassin": _SWORDS,
    "evil-eye": Power(territories.evil_eye, _AIM),
    "harvest": Power(territories.harvest, _AIM),
    "miser": Power(hands.miser, (moves.Away,)),
    "plague": Power(attacks.plague, _AIM),
    "holy-grail": Power(growing.cups, _GROWTH),
}
"""By title; the Magician, the World and the Doppelganger are always named as another."""

POWERS = tuple(_POWERS.get(title, _FOOLS) for title in TITLES)
