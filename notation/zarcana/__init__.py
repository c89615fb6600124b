"""Zarcana's words: the options of a turn, powers with their names, users and effects, and what the table tells.

Cards of one operand are written in the deck's order, S W C D, each from 1 to K, then T00 to T21 and E1 to E8, unknown
ones at the end; the first board and the deck are left as they lie. Minions that turn in one word stand in ASCII order.
Laxer than the standard: commas between cards may be left out, and cards and minions that have no order may stand in
any; an own minion's seat and an orientation that tells nothing apart are read, and so are a royal's own suit and the
user of a card of the hand that needs none. A draw that is left out stays left out, and a hand shown stays shown.
"""

import re
from collections.abc import Mapping
from typing import Any

from cartulary.engine import Sheet
from cartulary.engine.slots import SLOT, is_slot
from cartulary.engine.zarcana import Move, State
from cartulary.engine.zarcana.applying import carried, remembered
from cartulary.engine.zarcana.cards import TRUMP, listed
from cartulary.engine.zarcana.ends import bounds
from cartulary.engine.zarcana.faults import Carried
from cartulary.engine.zarcana.moves import Deal, Reveal
from cartulary.engine.zarcana.spaces import Ref, place_name
from cartulary.engine.zarcana.state import CODE, DOWN
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.zarcana.picture import picture
from cartulary.notation.zarcana.signs import Reader
from cartulary.notation.zarcana.spelling import renamed, spelled
from cartulary.notation.zarcana.words import Context, parse_word

__all__ = [
    "came_of",
    "format_move",
    "format_sheet",
    "led",
    "misstated",
    "number",
    "own_tags",
    "parse_move",
    "parse_sheet",
    "picture",
    "scores",
    "seat_tags",
    "whereabouts",
]

_MEMORY = 50_000
_read: tuple[dict[str, list[Any]], ...] = tuple({} for _ in range(6 * 8))
"""By seats * 8 + seat in turn: by word, the move, the columns of its minions, its spelling once known, and whether
the board may change its reading."""

_spelled: dict[int, dict[Move, str]] = {}
_latest: tuple[Move, int, str] | None = None
"""The last move, the seat in turn, and the move's spelling."""

_ON_BOARD = re.compile(r"(?:p[0-9]+/)?>((?:p[0-9]+)?[SML][onsew0-9]+(?:'[unesw])?)\*")

# --- moves ---


def parse_move(text: str, state: State) -> Move:
    """Return the move a word means; without a prefix it is the word of the seat in turn.

    Raises NotationError with the column of the first sign that fits nothing, or, as cgn.ambiguous, of a minion that
    may be two.
    """
    memory = _read[state.house.seats * 8 + state.turn]
    read = memory.get(text)
    if read is None or read[3] or state.course.owed:
        read = _in_context(text, state, memory)
    move: Move = read[0]
    done = carried(state, move)
    if done.unclear is not None:
        raise _unclear(text, done.unclear, read[1])
    if done.spelled:
        move = renamed(move, done.spelled)
        remembered(state, move, Carried(done.fault, done.doubts, done.after))
    elif read[2]:
        global _latest
        _latest = move, state.turn, read[2]
    else:
        read[2] = format_move(move, state)
    return move


def _in_context(text: str, state: State, memory: dict[str, list[Any]]) -> list[Any]:
    """Return a word read anew, and keep it where its reading turns on nothing but the seats."""
    giver = state.course.owed[0][0] if state.course.owed else 0
    match = _ON_BOARD.match(text)
    fool = match is not None and _uses_fool(match[1], state, "&*" in text)
    read: list[Any] = [*parse_word(text, Context(state.house.seats, state.turn, fool, giver)), "", match is not None]
    if not giver:
        if len(memory) > _MEMORY:
            memory.clear()
        memory[text] = read
    return read


def _uses_fool(user: str, state: State, twice: bool) -> bool:
    """Say whether a minion is on the Fool, so that cards behind ``*`` in its word are turned up.

    twice: they stand there twice, so that an unknown card can only be the Fool
    """
    reader = Reader(user, state.house.seats)
    reader.seat_of = state.turn
    try:
        stack = state.cards.get(reader.minion().place)
    except NotationError:
        return False
    if stack is None:
        return False
    return stack[-1] & (CODE | DOWN) == TRUMP or (twice and is_slot(stack[-1] & CODE))


def _unclear(text: str, ref: Ref, columns: tuple[tuple[Ref, int], ...]) -> NotationError:
    column = next((at for named, at in columns if named is ref), 1)
    end = column
    while end < len(text) and text[end] not in ":>=@*-^&'":
        end += 1
    said = text[column - 1 : end]
    because = f"found {said}, which may be two minions, expected ' and where it points, such as {said}'u"
    return NotationError(because, column, key="cgn.ambiguous")


def format_move(move: Move, state: State) -> str:
    """Return the one spelling of a move in the state before it."""
    turn = state.turn
    global _latest
    if _latest is not None and _latest[0] is move and _latest[1] == turn:
        return _latest[2]
    memory = _spelled.setdefault(turn, {})
    known = memory.get(move)
    if known is None:
        known = spelled(move)
        if move.seat != turn:
            known = f"p{move.seat}/{known}"
        if len(memory) > _MEMORY:
            memory.clear()
        memory[move] = known
    _latest = move, turn, known
    return known


def led(state: State) -> str:
    """Return nothing: Zarcana has no tricks."""
    return ""


def number(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return the round of the table, and whether the word is its first; None while the set-up is told.

    What the table tells in play, and what an Emperor is given, stand in the round of the word before.
    """
    course = state.course
    if isinstance(move, (Deal, Reveal)):
        behind = state.turn == 1 and not course.extra and not course.owed
        return None if course.opening else (state.round + (not behind), False)
    return state.round + 1, state.turn == 1 and not course.extra and not course.owed


# --- points and hidden cards ---


def came_of(before: State, move: Move, after: State) -> str:
    """Return nothing: the words say what came of them."""
    return ""


def scores(state: State) -> dict[str, str]:
    """Return Score, the points on the board."""
    return {"Score": ":".join(str(least) for least, _ in bounds(state))}


def misstated(tags: Mapping[str, str], result: str, state: State) -> tuple[tuple[str, str, str], ...]:
    """Return Score if it contradicts the board; where cards are unknown, only if it is nothing they can come to."""
    if "Score" not in tags:
        return ()
    parts, points = tags["Score"].split(":"), bounds(state)
    stated = [int(part) for part in parts if part.isascii() and part.strip().isdecimal() and len(part) < 9]
    if len(stated) == len(parts) == len(points) and all(
        least <= said <= most for said, (least, most) in zip(stated, points, strict=True)
    ):
        return ()
    right = scores(state)["Score"]
    because = f"the Score tag says {tags['Score'][:24]}, and the board comes to {right}"
    return (("Score", "record.tag", because),)


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of the cards nobody on record saw, those of one pool in one line."""
    lines: list[tuple[int, str, str]] = []
    slots = state.unseen.slots
    for at, pool in enumerate(slots.pools):
        kinds = {SLOT + number for number, kind in enumerate(slots.kinds) if kind.size and kind.pool == at}
        places = [f"with p{seat}" for seat, hand in enumerate(state.hands, 1) if kinds.intersection(hand)]
        places += ["in the deck"] * bool(kinds.intersection(state.deck))
        places += ["in the discards"] * bool(kinds.intersection(state.pile))
        places += [
            f"on {place_name(place)}"
            for place in sorted(state.cards)
            if kinds.intersection(entry & CODE for entry in state.cards[place])
        ]
        if pool and places:
            lines.append((len(pool), listed(pool), " or ".join(places)))
    return tuple((cards, where) for _, cards, where in sorted(lines))


# --- the sheet ---


def seat_tags(seats: int) -> tuple[str, ...]:
    """Return Seat1 to the last seat's."""
    return tuple(f"Seat{seat}" for seat in range(1, seats + 1))


def own_tags() -> tuple[str, ...]:
    """Return nothing: all that is special to a game of Zarcana is told in words."""
    return ()


def parse_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[None]:
    """Return the sheet."""
    return Sheet(variant, options, seats)


def format_sheet(sheet: Sheet[None]) -> dict[str, str]:
    """Return no tags."""
    return {}
