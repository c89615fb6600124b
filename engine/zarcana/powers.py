"""The use of one power: its card, what it is named as, who uses it, then what it does. Copies share all of it."""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.zarcana import clauses, hands, minions, moves, territories
from cartulary.engine.zarcana.cards import FREE, TITLES, WORLD, name_of
from cartulary.engine.zarcana.clauses import OF_POWER, AnyClause, subject_of
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.fool import as_flips, as_laid, final_power, is_left_unused, play_fool, refuse_shown
from cartulary.engine.zarcana.hands import available, check_in_hand, discard, draw_cards, take_from_hand, take_off_deck
from cartulary.engine.zarcana.minions import (
    check_orientation,
    destroy,
    find_named,
    has_piece,
    man_name,
    move_to,
    put_minion,
    refuse_user,
    replace_minion,
)
from cartulary.engine.zarcana.moves import AROUND, SIZES, SMALL, find_minion, owner_of, place_name
from cartulary.engine.zarcana.state import BY_DOPPELGANGER, BY_FOOL, BY_ITSELF, BY_WORLD
from cartulary.engine.zarcana.territories import (
    check_land,
    check_population,
    check_target,
    lay_card,
    take_top_card,
    used_territory,
    wither,
)


def use(draft: Draft, play: moves.Play) -> None:
    """Carry out a play; a card from the hand or the deck ends on the discards. Rules it breaks are noted as refusals.

    Raises:
        BlockedError: A card or minion that it names cannot be there.
    """
    ref, origin, place, code = play.user, play.origin, 0, -1
    if ref is not None:
        place, code = ref.place, find_named(draft, ref)
    card = take_from_hand(draft, draft.seat, play.card) if origin == moves.HAND else play.card
    played = origin in (moves.HAND, moves.DECK)
    if played:
        draft.cards_in_play += bytes((card,))
    shows = False
    for part in play.parts:
        if type(part) is moves.BuildFrom or type(part) is moves.Away:
            check_in_hand(draft, draft.seat, part.cards if isinstance(part, moves.Away) else bytes((part.card,)))
        elif type(part) is moves.HitPlace and part.shown_card >= 0:
            shows = True
    if ref is not None and code // 15 != draft.seat:
        refuse_user(draft, ref, code)
    if not played:
        card = used_territory(draft, play, place)
    if shows:
        refuse_shown(draft, play, card)
    if origin == moves.TURNED and not play.parts and not play.names and is_left_unused(use, draft, card, place, code):
        return
    number = final_power(draft, play, card)
    if number < 0:
        _do_parts(draft, play, place, code)
    else:
        power, clause = POWERS[number], OF_POWER[number]
        if code >= 0:
            if power.stance:
                check_orientation(draft, place, code, power.stance, clause)
            if power.on_card and place not in draft.cards:
                draft.refuse(clauses.ON_CARD, f"{man_name(draft, place, code)} is in the wasteland")
        elif TITLES[number] not in FREE:
            draft.block(clauses.NO_MINION, f"No minion is named to use {name_of(card)}")
        if clause is clauses.HIGH_PRIESTESS:
            grant_turn(draft, play, card)
        parts = as_flips(play.parts) if clause is clauses.FOOL else play.parts
        if _has_right_parts(draft, power, clause, parts):
            power.does(draft, clause, place, code, *parts)
        else:
            _do_parts(draft, play, place, code)
        if played and ref is not None and code // 15 == draft.seat and TITLES[number] in FREE:
            # Without a user the word says the same, if it has the power's parts.
            draft.renames += ((ref, None),) if all(type(part) in power.kinds for part in play.parts) else ()
    if played:
        draft.cards_in_play = draft.cards_in_play[:-1]
        discard(draft, card)


# --- parts that do not fit their power ---

_EXAMPLES: dict[Any, str] = {
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


def _has_right_parts(draft: Draft, power: "Power", clause: AnyClause, parts: tuple[moves.Part, ...]) -> bool:
    """Say whether these are parts that a power is used with; if not, a refusal is noted on the draft, and the word may
    stand.

    Wrong parts are refused under ``clause``, the rule of the power, and none at all under ``no-effect``.
    """
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
    examples = " or ".join(_EXAMPLES[kind] for kind in kinds if kind in _EXAMPLES)
    form = f"such as {examples}" if examples else "as its power says"
    parts_said = "one part" if most == 1 else "one or two parts" if most == 2 else "any number of parts"
    draft.refuse(clause, f"{subject[0].upper()}{subject[1:]} {are} written with {parts_said}, {form}")
    return False


def _do_parts(draft: Draft, play: moves.Play, place: int, code: int) -> None:
    """Carry out the parts of a play whose power is not known or has no such parts, as it was done at the table.

    Args:
        draft: The draft, which changes.
        play: The play.
        place: The space of its user.
        code: Its user, -1 for none.
    """
    for part in play.parts:
        match part:
            case moves.Grow(size) if code >= 0:
                other = code // 15 * 15 + size * 5 + code % 5
                if other != code and has_piece(draft, other):
                    replace_minion(draft, place, code, other)
                    code = other
            case moves.Clone(man) if code >= 0 and has_piece(draft, man):
                put_minion(draft, place, man)
            case moves.Go(to) if code >= 0:
                move_to(draft, place, code, to, code - code % 5)
                wither(draft, to)
                place, code = (to, code - code % 5) if to in draft.men else (place, -1)
            case moves.HitMinion(ref):
                victim = find_named(draft, ref)
                if victim >= 0 and (victim, ref.place) != (code, place):
                    destroy(draft, ref.place, victim)
            case moves.HitPlace(at, shown) if at in draft.cards:
                discard(draft, take_top_card(draft, at, shown))
            case moves.Build(at, card) if available(draft):
                lay_card(draft, at, take_off_deck(draft, bytes((card if card >= 0 else UNKNOWN,)))[0])
            case moves.BuildFrom(at, card):
                lay_card(draft, at, take_from_hand(draft, draft.seat, card))
            case moves.Create(man, at) if has_piece(draft, man):
                put_minion(draft, at, man)
                wither(draft, at)
            case moves.Turn(ref, point):
                man = find_minion(draft.men.get(ref.place, b""), ref)
                if man >= 0:
                    replace_minion(draft, ref.place, man, man - man % 5 + point)
            case moves.DrawnCards(cards):
                draw_cards(draft, draft.seat, cards[: available(draft)])
        if code >= 0 and code not in draft.men.get(place, b""):
            code = -1


# --- cards laid on the board: Discs, Temperance, the Wheel, the Sun ---


def discs(draft: Draft, power: AnyClause, place: int, code: int, part: moves.Build) -> None:
    """Lay the deck's top card on the target: Discs and Temperance face up, the Wheel face down.

    A wrong site is noted as a refusal, and the card is laid there all the same; if no card is left, that is a refusal
    too. ``place`` and ``code`` are those of the user.

    Raises:
        BlockedError: The card named cannot be the next card of the deck.
    """
    _check_site(draft, power, place, code, part.place)
    if not available(draft):
        draft.refuse(clauses.NO_EFFECT, "No card is left to draw")
        return
    codes = take_off_deck(draft, bytes((part.card if part.card >= 0 else UNKNOWN,)))
    lay_card(draft, part.place, as_laid(power, codes[0]))


def sun(draft: Draft, power: AnyClause, place: int, code: int, part: moves.BuildFrom) -> None:
    """Lay a card of the hand face up on the target; a wrong site is noted as a refusal, and it is laid there all the
    same.

    ``place`` and ``code`` are those of the user.

    Raises:
        BlockedError: The card cannot be in the hand.
    """
    _check_site(draft, power, place, code, part.place)
    lay_card(draft, part.place, take_from_hand(draft, draft.seat, part.card))


def _check_site(draft: Draft, power: AnyClause, place: int, code: int, to: int) -> None:
    """Note the refusal of a building site that is not the user's target, or where another seat's minions stand.

    Temperance builds among others' minions too. ``to`` is the site, and ``place`` and ``code`` are those of the user.
    """
    check_target(draft, power, place, code, to)
    for man in draft.men.get(to, b"") if power is not clauses.TEMPERANCE else b"":
        if owner_of(man) != draft.seat:
            draft.refuse(power, f"p{owner_of(man)}'s minion is on {place_name(to)}")
            return


# --- minions that grow and new ones: Cups, the Empress, the Holy Grail, Strength, the Lovers ---


Cups: TypeAlias = moves.Grow | moves.Clone


def cups(draft: Draft, power: AnyClause, place: int, code: int, part: Cups) -> None:
    """Let the user grow by one size or clone itself; only the Empress may exceed the population limit.

    A wrong size, or too many minions in the space, is noted as a refusal.

    Raises:
        BlockedError: The seat has no such piece left.
    """
    _grow_or_clone(draft, power, place, code, part)


def strength(draft: Draft, power: AnyClause, place: int, code: int, *parts: Cups) -> None:
    """Let the user grow or clone itself once or twice.

    Impossible sizes, and too many minions in the space, are noted as refusals.

    Raises:
        BlockedError: The seat has no such piece left.
    """
    grown = code
    for part in parts:
        grown = _code_after(draft, power, place, grown, part)
    for part in parts:
        code = _grow_or_clone(draft, power, place, code, part)


def _grow_or_clone(draft: Draft, power: AnyClause, place: int, code: int, part: Cups) -> int:
    """Let a minion grow or clone itself once, and return its code afterwards.

    A wrong size, or too many minions in the space, is noted as a refusal.

    Raises:
        BlockedError: Its seat has no such piece left.
    """
    other = _code_after(draft, power, place, code, part)
    if isinstance(part, moves.Clone):
        if power is not clauses.EMPRESS:
            check_population(draft, place)
        put_minion(draft, place, part.man)
    elif other != code:
        if not has_piece(draft, other):
            draft.block(clauses.STASH, f"p{code // 15} has no {SIZES[part.size]} left")
        replace_minion(draft, place, code, other)
    return other


def _code_after(draft: Draft, power: AnyClause, place: int, code: int, part: Cups) -> int:
    """Return a minion's code after it has grown or cloned itself; a size that neither allows is noted as a refusal.

    The board does not change.
    """
    size = code // 5 % 3
    if isinstance(part, moves.Clone):
        if part.man // 5 % 3 > size:
            draft.refuse(power, f"{man_name(draft, place, code)} cannot make a minion larger than itself")
        return code
    if part.size != size + 1:
        grown = f"can grow only to {SIZES[size + 1]}" if size < 2 else "cannot grow any larger"
        draft.refuse(power, f"{man_name(draft, place, code)} {grown}")
    return code + 5 * (part.size - size)


def lovers(draft: Draft, power: AnyClause, place: int, code: int, part: moves.Create) -> None:
    """Put a small minion in any wasteland space: one without a card that touches one with a card.

    Another size, place or a full space is noted as a refusal.

    Raises:
        BlockedError: The seat has no such piece left.
    """
    if part.man // 5 % 3 != SMALL:
        draft.refuse(power, f"The minion must be small, not {SIZES[part.man // 5 % 3]}")
    if part.place in draft.cards:
        draft.refuse(power, f"There is a card on {place_name(part.place)}")
    else:
        check_land(draft, part.place)
    check_population(draft, part.place)
    put_minion(draft, part.place, part.man)
    wither(draft, part.place)


# --- minions that move: Wands, the Hermit, the Chariot, the Gateway, and the Moon ---


def wands(draft: Draft, power: AnyClause, place: int, code: int, part: moves.Go) -> None:
    """Move the user into its target space; only the Hermit may exceed the population limit.

    Another space, a full one or one without land is noted as a refusal. The user goes there all the same, and is
    destroyed if there is no land. ``place`` and ``code`` are those of the user.
    """
    check_target(draft, power, place, code, part.place)
    _move_minion(draft, place, code, part.place, power is not clauses.HERMIT)


def chariot(draft: Draft, power: AnyClause, place: int, code: int, *parts: moves.Go) -> None:
    """Move the user one space in any direction, once or twice; it arrives standing.

    A longer step, and a space that is full or without land, are noted as refusals. A user that its first step destroys
    goes no further. ``place`` and ``code`` are those of the user.
    """
    before = place
    for part in parts:
        if part.place - before not in AROUND:
            draft.refuse(power, f"{place_name(part.place)} is not one space from {place_name(before)}")
        before = part.place
    for part in parts:
        if code >= 0:
            code = _move_minion(draft, place, code, part.place)
            place = part.place


def gateway(draft: Draft, power: AnyClause, place: int, code: int, part: moves.Go) -> None:
    """Move the user to any space where a minion may be, and set it upright there.

    Its own space, a full one or one without land is noted as a refusal. ``place`` and ``code`` are those of the user.
    """
    if part.place == place:
        draft.refuse(power, f"{man_name(draft, place, code)} is on {place_name(place)} already")
    _move_minion(draft, place, code, part.place)


def moon(draft: Draft, power: AnyClause, place: int, code: int, part: moves.Go) -> None:
    """Move the user's whole space, cards and minions, to an empty place that touches another card.

    Another place is noted as a refusal, and the space moves there all the same; nothing moves if it has no card.
    Minions that then touch no card are destroyed.
    """
    to = part.place
    if to in draft.cards or to in draft.men:
        draft.refuse(power, f"{place_name(to)} is not empty")
    elif not any(to + step in draft.cards and to + step != place for step in AROUND):
        draft.refuse(power, f"No card touches {place_name(to)} once {place_name(place)} is empty")
    if to == place or place not in draft.cards:
        return
    cards, men = draft.cards.copy(), draft.men.copy()
    cards[to] = cards.get(to, ()) + cards.pop(place)
    men[to] = bytes(sorted(men.get(to, b"") + men.pop(place, b"")))
    draft.cards, draft.men = cards, men
    for step in AROUND:
        wither(draft, place + step)


def _move_minion(draft: Draft, place: int, code: int, to: int, limit: bool = True) -> int:
    """Move a minion, which arrives standing.

    Args:
        draft: The draft, which changes.
        place: The space it leaves.
        code: The minion.
        to: The space it moves to.
        limit: True if the population limit holds.

    Returns:
        Its code afterwards, -1 if it cannot live there.
    """
    land = check_land(draft, to)
    if limit:
        check_population(draft, to)
    standing = code - code % 5
    move_to(draft, place, code, to, standing)
    if land:
        return standing
    wither(draft, to)
    return -1


# --- the High Priestess's extra turn; she draws as the Star does ---


def grant_turn(draft: Draft, play: moves.Play, card: int) -> None:
    """Grant an extra turn for a High Priestess, and note a refusal if she may not grant it.

    By herself she may not in a turn that comes from her; copied by the Fool, the World or the Doppelganger, once in
    each of these ways in a run of turns. The way is added to the draft's ``again``, as a bit.
    """
    by = BY_FOOL if play.origin == moves.DECK else BY_ITSELF
    if play.names:
        namer = play.names[-2] if len(play.names) > 1 else card
        by = BY_WORLD if namer == WORLD else BY_DOPPELGANGER
    run = draft.course.run | draft.again
    if by == BY_ITSELF and draft.course.extra:
        draft.refuse(
            clauses.HIGH_PRIESTESS, "This turn comes from the High Priestess, so T02 itself cannot be used in it"
        )
    elif by != BY_ITSELF and run & by:
        draft.refuse(clauses.HIGH_PRIESTESS, "T02 has been copied this way in this run of turns already")
    draft.again |= by


# --- the table of powers ---


class Power(Struct, frozen=True):
    """What a power does, and with which parts.

    Attributes:
        does: carries it out.
        kinds: the kinds of its parts.
        most: how many parts there may be.
        bare: True if there may be none.
        stance: whether its user must stand or lie, empty for either.
        on_card: True if its user must be on a card.
    """

    does: Callable[..., None]
    kinds: tuple[type[moves.Part], ...]
    most: int = 1
    bare: bool = False
    stance: str = ""
    on_card: bool = False


def _use_fool(draft: Draft, power: AnyClause, place: int, code: int, *flips: moves.Flip) -> None:
    """Carry out the Fool's play, in which the cards turned up (``flips``) are used by ``use``; ``place`` and ``code``
    are not used.
    """
    play_fool(use, draft, power, *flips)


_ATTACK, _GROWTH, _AIM = (moves.HitMinion, moves.HitPlace), (moves.Grow, moves.Clone), (moves.HitPlace,)
_FOOLS = Power(_use_fool, (moves.Flip,), 2, bare=True)
_SWORDS = Power(territories.attack, _ATTACK)
_CUPS = Power(cups, _GROWTH, stance="stands", on_card=True)
_WANDS = Power(wands, (moves.Go,), stance="lies")
_DISCS = Power(discs, (moves.Build,), on_card=True)
_DRAWS = Power(hands.draw_for_power, (moves.DrawnCards,), bare=True)
_POWERS: dict[str, Power] = {
    "swords": _SWORDS,
    "wands": _WANDS,
    "cups": _CUPS,
    "discs": _DISCS,
    "high-priestess": _DRAWS,
    "empress": _CUPS,
    "emperor": _SWORDS,
    "hierophant": _SWORDS,
    "lovers": Power(lovers, (moves.Create,)),
    "chariot": Power(chariot, (moves.Go,), 2),
    "strength": Power(strength, _GROWTH, 2, stance="stands", on_card=True),
    "hermit": _WANDS,
    "wheel": _DISCS,
    "justice": Power(hands.justice, (moves.Toward,)),
    "hanged-man": Power(territories.hanged_man, _AIM, on_card=True),
    "death": Power(territories.death, _ATTACK, 2),
    "temperance": _DISCS,
    "devil": Power(minions.devil, (moves.Turn,), 99),
    "tower": Power(territories.tower, _AIM),
    "star": _DRAWS,
    "moon": Power(moon, (moves.Go,), on_card=True),
    "sun": Power(sun, (moves.BuildFrom,), on_card=True),
    "judgement": Power(hands.judgement, (moves.RaisedCards,)),
    "gateway": Power(gateway, (moves.Go,)),
    "assassin": _SWORDS,
    "evil-eye": Power(territories.evil_eye, _AIM),
    "harvest": Power(territories.harvest, _AIM),
    "miser": Power(hands.miser, (moves.Away,)),
    "plague": Power(territories.plague, _AIM),
    "holy-grail": Power(cups, _GROWTH),
}
"""By title; the Magician, the World and the Doppelganger are always named as another."""

POWERS = tuple(_POWERS.get(title, _FOOLS) for title in TITLES)
