"""Zarcana's powers over minions, for the second referee; it shares nothing with the package.

A power is a function of the board, of how it is used and of the rest of the word; it does what it does and returns what
it did not read. It raises Fault with the key of the first rule that is broken, ValueError for what cannot be read.
"""

import re
from typing import NamedTuple

from tests.referees.zarcana.board import CARD, MINION, PLACE, SIZES, Board, Fault, Laid, Minion, around, space_of

ATTACKED = rf":(?:(?P<minion>{MINION})|(?P<place>{PLACE})(?:\^(?P<shown>{CARD}))?)"


class Use(NamedTuple):
    """How a power is used. key: of the power; user: the number of the minion, 0 for none.

    via: the cards that led to it: T00, T21, E1
    """

    seat: int
    key: str
    user: int = 0
    via: tuple[str, ...] = ()


class Table(Board):
    """A board with what powers set going. demands: the giver and the taker of cards; again: an extra turn.

    doubtful: something happened that the page can be read on in two ways
    """

    demands: list[tuple[int, int]]
    run: frozenset[str]
    extra: bool
    again: bool
    doubtful: bool


def read(pattern: str, text: str) -> tuple[dict[str, str], str]:
    """Return the groups of what a power reads and the rest. Raises Fault ``no-effect`` where nothing is named."""
    if not text or text.startswith("&*"):
        raise Fault("no-effect", "nothing is named")
    match = re.match(pattern, text)
    if match is None:
        raise ValueError(text)
    return {name: found or "" for name, found in match.groupdict().items()}, text[match.end() :]


def read_attacked(table: Board, text: str) -> tuple[dict[str, str], str]:
    """Read what is attacked. Raises Fault ``wheel`` where a card is shown and none lies face down or unknown."""
    answer, rest = read(ATTACKED, text)
    laid = table.top(space_of(answer["place"])) if answer["shown"] else Laid("~")
    if laid is None or not (laid.down or laid.card == "~"):
        raise Fault("wheel", f"nothing is uncovered on {answer['place']}")
    return answer, rest


def aimed(table: Board, use: Use, place: str) -> tuple[int, int]:
    """Return the space a word names if it is the user's target, else raise Fault under the power's key."""
    space = space_of(place)
    if space != table.minions[use.user].target():
        raise Fault(use.key, f"{place} is not the target")
    return space


# --- minions grow, multiply and move ---


def grow(table: Board, use: Use, size: str) -> None:
    """Put the next size in the user's place."""
    user = table.minions[use.user]
    if SIZES.index(size) != SIZES.index(user.size) + 1:
        raise Fault(use.key, f"{user.size} does not become {size}")
    if not table.stash(use.seat, size):
        raise Fault("stash", size)
    table.minions[use.user] = user._replace(size=size)


def clone(table: Board, use: Use, size: str, points: str, crowded: bool) -> None:
    """Put another minion beside the user."""
    user = table.minions[use.user]
    if SIZES.index(size) > SIZES.index(user.size):
        raise Fault(use.key, f"{size} is larger than {user.size}")
    table.check_room(user.space, crowded)
    if not table.stash(use.seat, size):
        raise Fault("stash", size)
    table.put(Minion(use.seat, size, user.space, points))


def cups(table: Table, use: Use, text: str, crowded: bool = False) -> str:
    """Grow or clone."""
    answer, rest = read(r"=(?P<grown>[SML])|@(?P<size>[SML])'(?P<points>[nesuw])", text)
    if answer["grown"]:
        grow(table, use, answer["grown"])
    else:
        clone(table, use, answer["size"], answer["points"], crowded)
    return rest


def empress(table: Table, use: Use, text: str) -> str:
    """Grow or clone in any crowd."""
    return cups(table, use, text, crowded=True)


def strength(table: Table, use: Use, text: str) -> str:
    """Grow or clone, twice."""
    rest = cups(table, use, text)
    return cups(table, use, rest[1:]) if re.match("&[=@]", rest) else rest


def move(table: Board, use: Use, space: tuple[int, int], crowded: bool = False) -> None:
    """Bring the user to a space, standing."""
    table.check_room(space, crowded)
    table.minions[use.user] = table.minions[use.user]._replace(space=space, points="u")
    table.sweep()


def wands(table: Table, use: Use, text: str, crowded: bool = False) -> str:
    """Move to the target."""
    answer, rest = read(rf">(?P<place>{PLACE})", text)
    move(table, use, aimed(table, use, answer["place"]), crowded)
    return rest


def hermit(table: Table, use: Use, text: str) -> str:
    """Move to the target, into any crowd."""
    return wands(table, use, text, crowded=True)


def chariot(table: Table, use: Use, text: str) -> str:
    """Move one step, and another one."""
    answer, rest = read(rf">(?P<first>{PLACE})(?:>(?P<second>{PLACE}))?", text)
    for place in filter(None, (answer["first"], answer["second"])):
        if space_of(place) not in around(table.minions[use.user].space):
            raise Fault(use.key, f"{place} is not a step away")
        move(table, use, space_of(place))
    return rest


def gateway(table: Table, use: Use, text: str) -> str:
    """Move anywhere."""
    answer, rest = read(rf">(?P<place>{PLACE})", text)
    if space_of(answer["place"]) == table.minions[use.user].space:
        raise Fault(use.key, "it is there")
    move(table, use, space_of(answer["place"]))
    return rest


def lovers(table: Table, use: Use, text: str) -> str:
    """Put a small minion in the wasteland."""
    answer, rest = read(rf"@(?P<size>[SML])(?P<place>{PLACE})'(?P<points>[nesuw])", text)
    space = space_of(answer["place"])
    if answer["size"] != "S" or space in table.stacks:
        raise Fault(use.key, "a small one, off the cards")
    table.check_room(space)
    if not table.stash(use.seat, "S"):
        raise Fault("stash", "S")
    table.put(Minion(use.seat, "S", space, answer["points"]))
    return rest


def devil(table: Table, use: Use, text: str) -> str:
    """Turn minions nearby, at once."""
    near = (table.minions[use.user].space, *around(table.minions[use.user].space))
    _, rest = read("&", text)
    turned, rest = turn_all(table, use, f"&{rest}")
    if any(table.minions[number].space not in near for number in turned):
        raise Fault(use.key, "not nearby")
    return face_all(table, use, turned, rest)


def turn_all(table: Board, use: Use, text: str) -> tuple[dict[int, str], str]:
    """Read minions and where they shall point to."""
    turned: dict[int, str] = {}
    while match := re.match(rf"&({MINION})=([nesuw])", text):
        turned[table.find(match[1], use.seat, without=turned)] = match[2]
        text = text[match.end() :]
    return turned, text


def face_all(table: Board, use: Use, turned: dict[int, str], rest: str) -> str:
    """Turn minions, each of which changes."""
    for number, points in turned.items():
        if table.minions[number].points == points:
            raise Fault(use.key, f"it points {points}")
        table.minions[number] = table.minions[number]._replace(points=points)
    return rest


# --- attacks ---


def hit(table: Board, use: Use, number: int, convert: bool = False) -> None:
    """Reduce or destroy a minion."""
    user, victim = table.minions[use.user], table.minions[number]
    if SIZES.index(user.size) < SIZES.index(victim.size):
        less = SIZES[SIZES.index(victim.size) - 1]
        if not table.stash(victim.owner, less):
            raise Fault("stash", less)
        table.minions[number] = victim._replace(size=less)
    elif convert and victim.owner != use.seat and table.stash(use.seat, victim.size):
        table.minions[number] = victim._replace(owner=use.seat)
    else:
        del table.minions[number]


def aim(table: Board, use: Use, text: str, spaces: list[tuple[int, int]]) -> int:
    """Return the minion an attack names, another than the user, in one of the spaces."""
    place = re.search(PLACE + r"(?='|$)", text)
    if place is None or space_of(place[0]) not in spaces:
        raise Fault(use.key, f"{text} is out of reach")
    try:
        return table.find(text, use.seat, without=(use.user,))
    except Fault:
        table.find(text, use.seat)
        raise Fault(use.key, "a minion does not attack itself") from None


def attack(table: Table, use: Use, text: str, spaces: list[tuple[int, int]], convert: bool = False) -> str:
    """Attack one minion in one of the spaces, or the card of one where no minion is."""
    answer, rest = read_attacked(table, text)
    if answer["minion"]:
        hit(table, use, aim(table, use, answer["minion"], spaces), convert)
        return rest
    space = space_of(answer["place"])
    if space not in spaces or table.at(space):
        raise Fault(use.key, f"{answer['place']} is out of reach, or minions are there")
    destroy(table, use, space, answer["shown"])
    return rest


def destroy(table: Board, use: Use, space: tuple[int, int], shown: str) -> None:
    """Discard the top card of a space."""
    if space not in table.stacks:
        raise Fault("no-effect", "no card is there")
    table.discards.append(table.lift(space, shown))
    table.sweep()


def swords(table: Table, use: Use, text: str) -> str:
    """Attack the target."""
    return attack(table, use, text, [table.minions[use.user].target()])


def hierophant(table: Table, use: Use, text: str) -> str:
    """Attack the target, and win over whom it would destroy."""
    return attack(table, use, text, [table.minions[use.user].target()], convert=True)


def assassin(table: Table, use: Use, text: str) -> str:
    """Attack all around."""
    space = table.minions[use.user].space
    return attack(table, use, text, [space, *around(space)])


def death(table: Table, use: Use, text: str) -> str:
    """Attack the target, twice."""
    rest = swords(table, use, text)
    if not rest.startswith("&:"):
        return rest
    if use.user not in table.minions:
        raise Fault("no-minion", "it was left without a card")
    return swords(table, use, rest[1:])


def emperor(table: Table, use: Use, text: str) -> str:
    """Attack a minion, and demand two cards."""
    answer, rest = read_attacked(table, text)
    if not answer["minion"]:
        raise Fault(use.key, "a card gives nothing")
    number = aim(table, use, answer["minion"], [table.minions[use.user].target()])
    owner = table.minions[number].owner
    hit(table, use, number)
    if owner != use.seat:
        table.demands.append((owner, use.seat))
    return rest
