"""The Lovers and the Hermit: two cards that take one another's place."""

from cartulary.engine.tarot_duel.cards import ITSELF, KINDS, MAJOR
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.moves import LOVERS, Spot, Use, acting
from cartulary.engine.tarot_duel.shuffles import shuffle
from cartulary.engine.tarot_duel.state import EVERYBODY
from cartulary.engine.tarot_duel.zones import Miss, MissingError, Removal, absent


def take_both(draft: Draft, use: Use) -> list[Removal]:
    """Take the two cards that a word exchanges.

    Returns:
        The own card and the other one; none if chance has to pick the other, or if the word does not name two.

    Raises:
        MissingError: a card is not where the word says.
    """
    own, second = use.own, use.other
    if own is None or second is None or own.place not in "ha":
        return []
    lovers = acting(use) == LOVERS
    if lovers and second.place == "h":
        if not draft.lies(use.seat, own):
            raise MissingError([absent(use.seat, own)])
        return []
    if (not use.target) if lovers else own.place == second.place:
        second = None
    return _take_cards(draft, use, own, second)


def _take_cards(draft: Draft, use: Use, own: Spot, second: Spot | None) -> list[Removal]:
    """Take the own card, and the second one if there is one."""
    entries: list[Removal] = []
    misses: list[Miss] = []
    for seat, spot in ((use.seat, own), (_owner_of_second(use), second)):
        entry = draft.take(seat, spot) if spot is not None else None
        if entry is not None:
            entries.append(entry)
        elif spot is not None:
            misses.append(absent(seat, spot))
    if misses:
        raise MissingError(misses)
    return entries


def _owner_of_second(use: Use) -> int:
    """Return the seat from which the second card of an exchange comes."""
    return use.target if acting(use) == LOVERS else use.seat


def swap(draft: Draft, use: Use, picked: int) -> None:
    """Exchange a card for one that chance picked from the other hand.

    Raises:
        MissingError: a card is not where the word says.
    """
    second = Spot("h", picked)
    assert use.own is not None
    exchange(draft, use, second, _take_cards(draft, use, use.own, second))


def exchange(draft: Draft, use: Use, second: Spot, entries: list[Removal]) -> None:
    """Put two cards that were taken into one another's places."""
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
    """Forget who knows the cards of a hand, except for the witnesses.

    Whoever did not see which card left the hand cannot know of any card that it is still there.
    """
    side = draft.side(seat)
    side.eyes = tuple(eyes & witnesses for eyes in side.eyes)


def _knowing(origin: Spot, goal: Spot, eyes: int, owner: int, new_owner: int) -> int:
    """Return the seats that know a card after it has changed its place, as bits.

    Everybody sees a card that comes to an area; only the two owners see one that goes from hand to hand.
    """
    if goal.place == "a" and origin.place != "a":
        return EVERYBODY
    if origin.place == "h" and goal.place == "h":
        return 1 << owner | 1 << new_owner
    return eyes


def _put_card(draft: Draft, seat: int, spot: Spot, at: int, code: int, eyes: int) -> None:
    """Put a card in the place of one that was taken; a Major that comes to an area goes to its seat's hand."""
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
