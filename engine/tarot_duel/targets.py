"""At whom and which cards a Major is aimed: what is wrong with its targets, and the cards taken from where they lie.

The Lovers and the Hermit take two cards, which take one another's place.
"""

from cartulary.engine.numbers import how_many
from cartulary.engine.slots import UNKNOWN
from cartulary.engine.tarot_duel.cards import ITSELF, KINDS, MAJOR, NAMES
from cartulary.engine.tarot_duel.draft import PLACES, Draft, Miss, MissingError, Removal, missing_card
from cartulary.engine.tarot_duel.moves import AGAIN_CHALLENGE, DEATH, HERMIT, LOVERS, OPPONENT_MAJORS, Spot, Use, acting
from cartulary.engine.tarot_duel.shuffles import shuffle
from cartulary.engine.tarot_duel.state import EVERYBODY

# --- the Lovers and the Hermit ---


def take_both(draft: Draft, use: Use) -> list[Removal]:
    """Take the two cards that a word exchanges.

    Returns:
        The own card and the other one; none if chance has to pick the other, or if the word does not name two.

    Raises:
        MissingError: A card is not where the word says.
    """
    own, second = use.own, use.other
    if own is None or second is None or own.place not in "ha":
        return []
    lovers = acting(use) == LOVERS
    if lovers and second.place == "h":
        if not draft.lies(use.seat, own):
            raise MissingError([missing_card(use.seat, own)])
        return []
    if (not use.target) if lovers else own.place == second.place:
        second = None
    return _take_cards(draft, use, own, second)


def _take_cards(draft: Draft, use: Use, own: Spot, second: Spot | None) -> list[Removal]:
    """Take the user's card and, if ``second`` is not None, the other one, and return their removals in that order.

    Raises:
        MissingError: One of them, or both, is not where the word says; the draft is of no further use then.
    """
    entries: list[Removal] = []
    misses: list[Miss] = []
    for seat, spot in ((use.seat, own), (_owner_of_second(use), second)):
        entry = draft.take(seat, spot) if spot is not None else None
        if entry is not None:
            entries.append(entry)
        elif spot is not None:
            misses.append(missing_card(seat, spot))
    if misses:
        raise MissingError(misses)
    return entries


def _owner_of_second(use: Use) -> int:
    """Return the seat from which the second card of an exchange comes: the target of the Lovers, else the
    user itself.
    """
    return use.target if acting(use) == LOVERS else use.seat


def swap(draft: Draft, use: Use, card: int) -> None:
    """Exchange the user's card, which ``use`` names, for a card that chance picked from the other hand.

    Args:
        draft: The draft, which changes.
        use: The word of the Lovers.
        card: The card picked, UNKNOWN for one that is not named.

    Raises:
        MissingError: A card is not where the word says.
    """
    second = Spot("h", card)
    assert use.own is not None
    exchange(draft, use, second, _take_cards(draft, use, use.own, second))


def exchange(draft: Draft, use: Use, second: Spot, entries: list[Removal]) -> None:
    """Put two cards that were taken in each other's places, with what seats know of them.

    If a card leaves a hand unseen, it is no longer known of any card of that hand that it is still there, except by a
    seat that has seen which one left.

    Args:
        draft: The draft, which changes.
        use: The Major whose effect it is, the Lovers or the Hermit; it names where the user's card lay.
        second: Where the other card lay.
        entries: The removals of the two cards, the user's first.
    """
    own, seat, owner, lovers = use.own, use.seat, _owner_of_second(use), acting(use) == LOVERS
    assert own is not None
    (first_code, first_eyes, first_at), (second_code, second_eyes, second_at) = entries
    if own.place == "h" and second.place in "hd":
        _look_away(draft, seat, 1 << owner if lovers else 0)
    if lovers and own.place == second.place == "h":
        _look_away(draft, owner, 1 << seat)
    _put_card(draft, seat, own, first_at, second_code, _knowing(second, own, second_eyes, owner, seat))
    _put_card(draft, owner, second, second_at, first_code, _knowing(own, second, first_eyes, seat, owner))


def _look_away(draft: Draft, seat: int, witnesses: int) -> None:
    """Forget who knows the cards of a hand, except for the witnesses (seats as bits).

    Whoever did not see which card left the hand cannot know of any card that it is still there.
    """
    side = draft.side(seat)
    side.eyes = tuple(eyes & witnesses for eyes in side.eyes)


def _knowing(origin: Spot, goal: Spot, eyes: int, owner: int, new_owner: int) -> int:
    """Return the seats that know a card after it has changed its place, as bits.

    Everybody sees a card that comes to an area; only the two owners see one that goes from hand to hand.

    Args:
        origin: The place it leaves.
        goal: The place it comes to.
        eyes: The seats that knew it before, as bits.
        owner: The seat that had it.
        new_owner: The seat that has it now.
    """
    if goal.place == "a" and origin.place != "a":
        return EVERYBODY
    if origin.place == "h" and goal.place == "h":
        return 1 << owner | 1 << new_owner
    return eyes


def _put_card(draft: Draft, seat: int, spot: Spot, at: int, code: int, eyes: int) -> None:
    """Put a card in the place of one that was taken; a Major that would come to an area goes to its seat's hand.

    Args:
        draft: The draft, which changes.
        seat: The seat to whose cards it comes.
        spot: The place of the card that was taken.
        at: The index of that card in the area or row, -1 for the end.
        code: The code of the card that is put there.
        eyes: The seats, as bits, that know it afterwards.
    """
    side, card = draft.side(seat), bytes((code,))
    if spot.place == "x":
        draft.discard(seat, card)
    elif spot.place == "d":
        side.deck += bytes((ITSELF[code],))
        shuffle(draft, seat)
    elif spot.place == "h" or MAJOR <= code < KINDS:
        draft.give(seat, code, EVERYBODY if spot.place == "a" else eyes)
    else:
        if spot.at:
            side.row, side.peeps = (
                side.row[:at] + card + side.row[at:],
                (*side.peeps[:at], eyes, *side.peeps[at:]),
            )
            side.total &= eyes | 1 << seat
        else:
            at = at if at >= 0 else len(side.area)
            side.area = side.area[:at] + card + side.area[at:]
        draft.count(side)


# --- every Major ---


_ONE_CARD = {6: "of the player's own discard pile", 8: "of the player's own deck"}
_TOWER, _MOON, _DEVIL = 17, 19, 16
_FROM = {6: "x", _TOWER: "x", 8: "d", _MOON: "a"}


def take_named(draft: Draft, use: Use) -> list[Removal]:
    """Take the cards that the word of a Major names, and return their removals.

    They are sorted by card; of an exchange the user's comes first. For Majors that name no cards it is []. The card for
    which a repeated challenge is made is only looked for.

    Raises:
        MissingError: A card is not where it must be.
    """
    number = acting(use)
    if number in (LOVERS, HERMIT):
        return take_both(draft, use)
    if number == AGAIN_CHALLENGE and use.other is not None and use.target and not draft.lies(use.target, use.other):
        raise MissingError([missing_card(use.target, use.other)])
    entries: list[Removal] = []
    for card in sorted(use.cards) if number in _FROM else ():
        spot = Spot(_FROM[number], card)
        entry = draft.take(use.seat, spot)
        if entry is None:
            raise MissingError([missing_card(use.seat, spot)])
        entries.append(entry)
    return entries


def misuse(draft: Draft, use: Use) -> str:
    """Return what is wrong with the use of a Major, as a sentence; "" if nothing is.

    Looked at are the kind of Major, the opponent, and which cards and numbers it names. Whether the cards are there is
    not; nothing is noted or raised.
    """
    name = NAMES[MAJOR - 1 + use.number]
    if use.number in (4, 5):
        return f"{name} does nothing by itself: it must be activated as another Major"
    if use.number == 15 or (use.justice and use.number == 12):
        return f"Justice cannot use {name}"
    if use.number == 21:
        wrong = _unrepeated(draft, use)
        if wrong:
            return wrong
    number = acting(use)
    name_used = "a challenge" if number == AGAIN_CHALLENGE else NAMES[MAJOR - 1 + number]
    return (
        _misaimed(draft, use, number, name_used)
        or _misnamed(use, number, name_used)
        or _mischosen(draft, use, number, name_used)
    )


def _unrepeated(draft: Draft, use: Use) -> str:
    """Return why Judgment cannot repeat the action it names, as a sentence; "" if it can.

    It must be the last action against the user, by the seat that the word names.
    """
    number, by = draft.marks.against[use.seat - 1]
    if use.again == 0:
        return "T21 names no action to repeat"
    if use.again != number:
        if not number:
            return f"nothing was used against p{use.seat}"
        last = "a challenge" if number == AGAIN_CHALLENGE else NAMES[MAJOR - 1 + number]
        return f"the last action used against p{use.seat} was {last}"
    if use.again != DEATH and use.target != by:
        return f"the last action used against p{use.seat} was p{by}'s"
    return ""


def _misaimed(draft: Draft, use: Use, number: int, name: str) -> str:
    """Return what is wrong with the opponent that is named, as a sentence; empty if nothing is.

    ``number`` is that of the Major whose effect it is, and ``name`` is how a sentence names it.
    """
    if number not in OPPONENT_MAJORS and number != AGAIN_CHALLENGE:
        return f"{name} must not name an opponent" if use.target else ""
    if not use.target:
        return f"{name} must name an opponent"
    if use.target == use.seat:
        return f"p{use.seat} is not its own opponent"
    return "" if draft.marks.is_in(use.target) else f"p{use.target} is out"


def _misnamed(use: Use, number: int, name: str) -> str:
    """Return which part the word lacks or has too many of, as a sentence; empty if none.

    ``number`` is that of the Major whose effect it is, and ``name`` is how a sentence names it.
    """
    if number in _ONE_CARD:
        if len(use.cards) != 1:
            return f"{name} must name one card {_ONE_CARD[number]}"
    elif number == _TOWER:
        if not use.cards:
            return f"{name} must name at least one card of the player's own discard pile"
    elif use.cards and number != _MOON:
        return f"{name} must not name cards"
    if UNKNOWN in use.cards:
        return f"{name} must name its cards, because everybody sees them"
    exchange = number in (LOVERS, HERMIT)
    if exchange != (use.own is not None) or (exchange or number == AGAIN_CHALLENGE) != (use.other is not None):
        return f"{name} must name two cards to exchange" if exchange else f"{name} exchanges no cards"
    if (number == _DEVIL) != (use.count is not None):
        return f"{name} must name a number of cards" if number == _DEVIL else f"{name} must not name a number"
    return ""


def _mischosen(draft: Draft, use: Use, number: int, name: str) -> str:
    """Return what is wrong with the cards or the number a word chooses, as a sentence; empty if nothing is.

    ``number`` is that of the Major whose effect it is, and ``name`` is how a sentence names it.
    """
    if number == _TOWER:
        wrong = next((card for card in use.cards if card >= MAJOR), None)
        return "" if wrong is None else f"{NAMES[wrong]} is a Major, and {name} cannot take it back"
    if number == _DEVIL:
        hand, deck = len(draft.sides[use.target - 1].hand), len(draft.sides[use.seat - 1].deck)
        count = use.count or 0
        if not count:
            return f"{name} takes at least one card"
        if count > hand:
            return f"p{use.target}'s hand has {how_many(hand)}, fewer than {count}"
        return "" if 2 * count <= deck else f"p{use.seat}'s deck has {how_many(deck)}, fewer than {2 * count}"
    own, second = use.own, use.other
    if number == AGAIN_CHALLENGE:
        return "" if second is not None and second.place == "a" else "a challenge is for a card in an area"
    if own is None or second is None:
        return ""
    return _misexchanged(draft, use, own, second, name)


def _misexchanged(draft: Draft, use: Use, own: Spot, second: Spot, name: str) -> str:
    """Return what is wrong with the two cards of an exchange, as a sentence; empty if nothing is.

    ``own`` and ``second`` are where they lie, and ``name`` is how a sentence names the Major.
    """
    if own.place not in "ha":
        return f"p{use.seat} does not control the cards in its {PLACES[own.place]}"
    if acting(use) == HERMIT:
        if second.place == own.place:
            return f"{name} must exchange cards of two different places"
    elif second.place not in "ha":
        return f"{name} cannot take a card from a {PLACES[second.place]}"
    elif second.place == "h" and not draft.sides[use.target - 1].hand:
        return f"p{use.target}'s hand is empty"
    for origin, goal in ((own, second), (second, own)):
        chance = acting(use) == LOVERS and origin is second
        if goal.place == "a" and origin.place != "a" and origin.card == UNKNOWN and not chance:
            return "a card that goes to an area is seen by everybody, so it must be named"
        if origin.place == "x" and origin.card == UNKNOWN:
            return "a card of a discard pile is seen by everybody, so it must be named"
    return ""
