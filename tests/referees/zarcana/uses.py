"""All that can be written behind a card of Zarcana, legal or not, for the second referee.

It shares nothing with the package. What is yielded is a text: names, user, effect; draws are ``~``. Whoever asks tries
each. Of choices of several (the Devil, Judgement, the Miser) only some are yielded, and only with random numbers; a
single one is legal wherever several are. The Fool's effect is yielded as ``?``: a card can be turned up.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from tests.referees.zarcana.board import COURT, SIZES, TRUMPS, Minion, Space, around, in_order, listed, place_of
from tests.referees.zarcana.minions import Table
from tests.referees.zarcana.powers import POWERS, Power

SUIT_NAMES = "CWSD"


class Try(NamedTuple):
    """What may stand behind a card. kind: the power executed; user: the number of the minion, 0 for none."""

    text: str
    kind: str
    user: int


def uses(table: Table, seat: int, card: str, user: int = 0, rng: Random | None = None) -> Iterator[Try]:
    """Yield what may stand behind a card. user: of the card it is on, 0 from the hand; rng: for choices of several."""
    for names, kind in kinds(table, card, ground=bool(user)):
        for who, minion in users(table, seat, kind, user):
            for effect in effects(table, seat, kind, minion, rng):
                yield Try(names + who + effect, kind, minion)


def kinds(table: Table, card: str, *, ground: bool) -> Iterator[tuple[str, str]]:
    """Yield the powers a card can be used for: how they are named, and what they are."""
    if card == "T21":
        tops = {stack[-1].card for stack in table.stacks.values() if not stack[-1].down}
        for name in sorted(tops & set(TRUMPS) - {"T21"}):
            yield from ((f"={name}{more}", kind) for more, kind in kinds(table, name, ground=ground))
    elif card == "E1":
        if table.discards and table.discards[-1] not in ("~", "E1"):
            name = table.discards[-1]
            yield from ((f"={name}{more}", kind) for more, kind in kinds(table, name, ground=ground))
    elif card == "T01":
        yield from ((f"={suit}", suit) for suit in SUIT_NAMES)
    elif card[0] in "TE":
        yield "", card
    else:
        yield "", card[1]
        if card[0] in COURT and not ground:
            yield from ((f"={suit}", suit) for suit in SUIT_NAMES if suit != card[1])


def users(table: Table, seat: int, kind: str, user: int) -> Iterator[tuple[str, int]]:
    """Yield the minions that may use a power: how the word names them, and their numbers."""
    power = POWERS.get(kind)
    if user:
        yield f">{table.name(user, seat)}", user
    elif power is None or power.user == "free":
        yield "", 0
    else:
        for number, minion in table.minions.items():
            if minion.owner == seat and fits(table, power, minion):
                yield f">{table.name(number, seat)}", number


def fits(table: Table, power: Power, minion: Minion) -> bool:
    """Say whether a minion may use a power."""
    if power.ground and minion.space not in table.stacks:
        return False
    return power.user != ("lying" if minion.points == "u" else "up")


def effects(table: Table, seat: int, kind: str, user: int, rng: Random | None) -> Iterator[str]:
    """Yield what may stand behind the user of a power."""
    hand = table.hands[seat]
    if kind == "T00":
        yield from ["?"] if table.left() else []
    elif kind in ("T02", "T17"):
        room = max(0, 6 - len(hand))
        count = min(table.left(), 4 if kind == "T17" else min(2, room))
        yield "*" + ",".join("~" * count) if count else ""
    elif kind == "T06":
        yield from (f"@S{place_of(space)}'{points}" for space in wasteland(table) for points in "nesuw")
    elif kind == "T11":
        yield from (f">p{other}" for other in table.hands if other != seat)
    elif kind == "T20":
        yield from (f":{listed(cards)}" for cards in some(table.discards, 3, rng))
    elif kind == "E6":
        yield from (f"-{listed(cards)}" for cards in some(hand, len(hand), rng))
    else:
        yield from aimed_effects(table, seat, kind, user, rng)


def aimed_effects(table: Table, seat: int, kind: str, user: int, rng: Random | None) -> Iterator[str]:
    """Yield what may stand behind the user of a power that needs one."""
    minion = table.minions[user]
    target = minion.target()
    if kind in ("C", "T03", "T08", "E8"):
        yield from growth(minion)
    elif kind in ("W", "T09"):
        yield f">{place_of(target)}"
    elif kind == "T07":
        yield from (f">{place_of(space)}" for space in around(minion.space))
    elif kind in ("D", "T10", "T14"):
        yield f"@{place_of(target)}*~"
    elif kind == "T12":
        yield card_at(table, minion.space)
    elif kind == "T15":
        yield from turns(table, seat, minion.space, rng)
    elif kind in ("T16", "E5", "E7"):
        yield card_at(table, target)
    elif kind == "E4":
        yield f":{place_of(target)}"
    elif kind == "T18":
        yield from (f">{place_of(space)}" for space in wasteland(table))
    elif kind == "T19":
        yield from (f"@{place_of(target)}={card}" for card in in_order(table.hands[seat]))
    elif kind == "E2":
        yield from (f">{place_of(space)}" for space in (*table.stacks, *wasteland(table)))
    else:
        spaces = [minion.space, *around(minion.space)] if kind == "E3" else [target]
        yield from attacks(table, seat, user, spaces)


def seconds(table: Table, seat: int, kind: str, user: int) -> Iterator[str]:
    """Yield what may follow the first half of a twofold power."""
    if user not in table.minions:
        return
    minion = table.minions[user]
    if kind == "T07":
        yield from (f">{place_of(space)}" for space in around(minion.space))
    elif kind == "T08":
        yield from (f"&{text}" for text in growth(minion))
    elif kind == "T13":
        yield from (f"&{text}" for text in attacks(table, seat, user, [minion.target()]))


def growth(minion: Minion) -> Iterator[str]:
    """Yield what a minion may become, and its clones."""
    at = SIZES.index(minion.size)
    yield from (f"={size}" for size in SIZES[at + 1 : at + 2])
    yield from (f"@{size}'{points}" for size in SIZES[: at + 1] for points in "nesuw")


def attacks(table: Table, seat: int, user: int, spaces: Iterable[Space]) -> Iterator[str]:
    """Yield what may be attacked in the spaces."""
    for space in spaces:
        for number in table.at(space):
            if number != user:
                yield f":{table.name(number, seat)}"
        yield card_at(table, space)


def card_at(table: Table, space: Space) -> str:
    """Return how a word names the card of a space that may leave the board."""
    laid = table.top(space)
    return f":{place_of(space)}" + (f"^{laid.card}" if laid and laid.down else "")


def wasteland(table: Table) -> list[Space]:
    """Return the empty spaces that touch a card."""
    return sorted({near for space in table.stacks for near in around(space)} - set(table.stacks))


def turns(table: Table, seat: int, space: Space, rng: Random | None) -> Iterator[str]:
    """Yield what the Devil may turn near a space."""
    near = [number for place in (space, *around(space)) for number in table.at(place)]
    ways = {number: [way for way in "nesuw" if way != table.minions[number].points] for number in near}
    yield from (f"&{table.name(number, seat)}={way}" for number in near for way in ways[number])
    for _ in range(8 if rng and len(near) > 1 else 0):
        assert rng is not None
        chosen = rng.sample(near, rng.randrange(2, len(near) + 1))
        yield "".join(sorted(f"&{table.name(number, seat)}={rng.choice(ways[number])}" for number in chosen))


def some(cards: list[str], most: int, rng: Random | None) -> Iterator[list[str]]:
    """Yield each card alone, and some of them together."""
    yield from ([card] for card in cards)
    for _ in range(12 if rng and len(cards) > 1 else 0):
        assert rng is not None
        yield rng.sample(cards, rng.randrange(1, min(most, len(cards)) + 1))
