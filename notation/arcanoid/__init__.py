"""Arcanoid's words: commitments, trumps, draws, votes; the Setup tag; the table drawn.

Cards of one word are written trumps first, then suit by suit, S W C D, unknown ones last; dealt and drawn cards keep
their order. Who is to move is not named, nor is its daemon; whoever uses the Hermit or the Fool is.
Laxer than the standard: commas between cards may be left out, and cards that have no order may stand in any; a prefix
of the seat to move is read, and none is needed where a Hermit's move is continued.
"""

import re
from collections.abc import Mapping

from cartulary.engine import Sheet
from cartulary.engine.arcanoid import SEATS, Move, Start, State, settle
from cartulary.engine.arcanoid.cards import FIELDS, FOOL, NAMES, SUITS, TEMPERANCE, UNKNOWN, listed, name_of, said
from cartulary.engine.arcanoid.moves import DAEMON, ROW
from cartulary.engine.arcanoid.rounds import tallied
from cartulary.engine.arcanoid.settling import expected
from cartulary.engine.arcanoid.state import side_of, who_name
from cartulary.engine.slots import SLOT
from cartulary.notation.arcanoid.picture import picture
from cartulary.notation.arcanoid.words import parse_word, prefix_of
from cartulary.notation.cgn.record import NotationError

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
_BY_NAME = {name: code for code, name in enumerate(NAMES)} | {"~": UNKNOWN}
_FIELD = {letter: (number,) for number, letter in enumerate(FIELDS)}
_TEMPERANCE = bytes((TEMPERANCE,))
_read: dict[tuple[int, bool, int], dict[str, Move]] = {}
"""By who is to speak, whether by the Hermit, and the number of seats: the words without a prefix read so far."""

_spelled: dict[Move, str] = {}
"""Words without their prefix."""

_last: tuple[Move | None, State | None, str] = (None, None, "")
"""The last word read in its one spelling, and in which state; None for a telling, which is spelled alike in all."""


# --- moves ---


def parse_move(text: str, state: State) -> Move:
    """Return the move a word means in the state before it; raises NotationError."""
    if text.startswith("p0/"):
        return _told(text, state.house.seats)
    who, extra = expected(state)
    seats = state.house.seats
    if text.startswith("p"):
        return _prefixed(text, state, who, extra)
    memory = _read.setdefault((who, extra, seats), {})
    known = memory.get(text)
    if known is not None:
        return known
    move = _plain(text, who, extra)
    if move is not None and not extra:
        global _last
        _last = move, state, text
        return move
    move = move or parse_word(text, seats, who, extra)
    if len(memory) > _MEMORY:
        memory.clear()
    memory[text] = move
    return move


def _plain(text: str, who: int, extra: bool) -> Move | None:
    """Return a discard of one card or a commitment on one field in its one spelling; None for all else."""
    head, star, tail = text.partition("*")
    try:
        drawn = bytes(map(_BY_NAME.__getitem__, tail.split(","))) if star else None
        if head[-1:] == "-":
            return Move(who % DAEMON, "discard", who, bytes((_BY_NAME[head[:-1]],)), drawn, extra=extra)
        names, _, field = head.partition("@")
        cards = bytes(map(_BY_NAME.__getitem__, names.split(","))) if names else b""
        fields = _FIELD[field]
    except KeyError:
        return None
    if UNKNOWN in cards or cards == _TEMPERANCE or (len(cards) > 1 and listed(cards) != cards):
        return None
    return Move(who % DAEMON, "commit", who, cards, drawn, fields, extra=extra)


def _told(text: str, seats: int) -> Move:
    """Return what the table tells, read at once where it is known cards in their one spelling."""
    global _last
    head, _, cards = text.partition("*")
    try:
        who = 0 if head == "p0/" else int(head[4:]) if head.startswith("p0/p") else ROW
        if 0 <= who <= seats and head == (f"p0/p{who}" if who else "p0/"):
            move = Move(0, "told", who, bytes(map(_BY_NAME.__getitem__, cards.split(","))))
            _last = move, None, text
            return move
    except (KeyError, ValueError):
        pass
    return parse_word(text, seats, 0, False)


def _prefixed(text: str, state: State, who: int, extra: bool) -> Move:
    seats = state.house.seats
    prefix = prefix_of(text)
    if prefix is None or not 1 <= prefix[0] <= seats:
        return parse_word(text, seats, who, extra)
    seat, daemon, now = prefix[0], DAEMON + prefix[0], settle(state)
    hermits = [one for one in (seat, daemon) if side_of(now, one).hermit]
    named = [daemon] if prefix[1] else [seat, *([who] if extra else hermits)]
    if who in named and who % DAEMON == seat and (now.mover or (now.dues and now.dues[0].what == "away")):
        return parse_word(text, seats, who, extra)
    if prefix[1]:
        return parse_word(text, seats, daemon, daemon in hermits)
    if "/T00:" in text:
        there = state.sides[seats + seat - 1]
        thief = daemon if FOOL in there.hand + there.open else seat
        return parse_word(text, seats, thief, False)
    if "/^" in text:
        return parse_word(text, seats, seat, False)
    if now.mover or not hermits:
        return parse_word(text, seats, seat, False)
    return parse_word(text, seats, hermits[0], True)


def format_move(move: Move, state: State) -> str:
    """Return the one spelling of a move in the state before it."""
    if _last[0] is move and (_last[1] is state or _last[1] is None):
        return _last[2]
    if move.what == "told":
        place = "" if not move.who else "j" if move.who == ROW else who_name(move.who)
        return f"p0/{place}*{said(move.cards)}"
    text = _spelled.get(move)
    if text is None:
        text = _bare(move)
        if len(_spelled) > _MEMORY:
            _spelled.clear()
        _spelled[move] = text
    if move.extra or move.what in ("fool", "reveal") or move.who != expected(state)[0] % _of_vote(move):
        return f"{_prefix(move, state)}/{text}"
    return text


def _prefix(move: Move, state: State) -> str:
    """Return who says a word; where its card or the Hermit lies tells a daemon from its master."""
    if move.who < DAEMON:
        return f"p{move.who}"
    there = state.sides[state.house.seats + move.seat - 1]
    told = FOOL in there.hand + there.open if move.what == "fool" else move.extra
    return f"p{move.seat}" if told else who_name(move.who)


def _of_vote(move: Move) -> int:
    return DAEMON if move.what == "vote" else 2 * DAEMON


def _bare(move: Move) -> str:
    """Return the word without a prefix."""
    fields = "".join(FIELDS[field] for field in move.fields)
    cards, drawn = said(move.cards), f"*{said(move.drawn)}" if move.drawn is not None else ""
    place = f"{who_name(move.target) if move.target else ''}{fields}"
    match move.what:
        case "discard":
            return f"{cards}-{drawn}"
        case "commit":
            return f"{cards}@{'~' if move.secret else ''}{place}{drawn}"
        case "fool":
            return f"T00:{fields}{'-' if move.secret else ''}{drawn}"
        case "stand" | "add":
            return f"{cards}@r{drawn}"
        case "drop":
            return f"r-{drawn}"
        case "spend":
            return f"r{cards}@{'~' if move.secret else ''}{fields}{drawn}"
        case "vote":
            return "Yes" if move.yes else "No"
        case "reveal":
            return f"^{fields}={cards}"
        case "pass":
            return "Pass"
    return f"{_used(move, place)}{drawn}{f'-{said(move.away)}' if move.away is not None else ''}"


def _used(move: Move, place: str) -> str:
    text = f"T{move.count:02}"
    if move.count in (2, 12):
        return f"{text}>{place}"
    if move.count == 5:
        text += f"={(*SUITS, 'T', 'T00')[move.calls[0]]}"
        shown = "".join(f"^p{seat}={said(cards)}" for seat, cards in move.shown)
        return text + (shown or ("^None" if move.told else ""))
    if move.count == 11:
        return f"{text}={move.calls[0]}"
    if move.count == 14:
        return f"{text}@{place}"
    if move.count == 16:
        return f"{text}:{place}"
    if move.count in (17, 18, 19):
        return text + "".join(f">{name_of(card)}" for card in move.calls) + (f":{place}" if place else "")
    return text


def led(state: State) -> str:
    """Return nothing: Arcanoid has no tricks."""
    return ""


def number(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return the round of the table, a turn each, and whether the word is its first; None for what is nobody's turn.

    That is what the table tells, votes, the Fool, extra moves and continued ones, and what is turned up at the end.
    """
    if move is not None and (move.extra or move.what in ("told", "reveal", "vote", "fool")):
        return None
    now = settle(state)
    return None if now.mover and move is not None else (now.lap, not now.begun)


# --- points and hidden cards ---


def came_of(before: State, move: Move, after: State) -> str:
    """Return nothing: the words say what came of them."""
    return ""


def scores(state: State) -> dict[str, str]:
    """Return Score, the fields each seat has won so far."""
    return {"Score": ":".join(str(tally[0]) for tally in tallied(state.wins, state.house.seats))}


def misstated(tags: Mapping[str, str], result: str, state: State) -> tuple[tuple[str, str, str], ...]:
    """Return Score if it contradicts the fields won."""
    right = scores(state)["Score"]
    if tags.get("Score", right) == right:
        return ()
    return (("Score", "record.tag", f"the Score tag says {tags['Score'][:24]}, and the fields won are {right}"),)


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of the cards nobody on record saw, those of one pool in one line."""
    lines: list[tuple[int, str, str]] = []
    zones = [(f"with p{seat}", side.hand + side.open) for seat, side in enumerate(state.sides, 1)]
    zones = [*zones[: state.house.seats], ("in the deck", state.deck), ("in the discards", state.pile)]
    for at, pool in enumerate(state.slots.pools):
        kinds = {SLOT + place for place, kind in enumerate(state.slots.kinds) if kind.size and kind.pool == at}
        places = [place for place, zone in zones if any(code in kinds for code in zone)]
        if pool and places:
            lines.append((len(pool), said(pool), " or ".join(places)))
    return tuple((cards, where) for _, cards, where in sorted(lines))


# --- the sheet ---


def seat_tags(seats: int) -> tuple[str, ...]:
    """Return Seat1 to the last seat's."""
    return tuple(f"Seat{seat}" for seat in range(1, seats + 1))


def own_tags() -> tuple[str, ...]:
    """Return Setup."""
    return ("Setup",)


def parse_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Start]:
    """Return the sheet; raises NotationError whose ``key`` is ``record.tag``."""
    text = tags.get("Setup", "").strip()
    if not text:
        return Sheet(variant, options, seats)
    match = re.fullmatch(r"first=p([1-9][0-9]?)", text)
    if match is None:
        because = f"found the set-up {text[:24]!r}, expected who begins, such as first=p2"
        raise NotationError(because, key="record.tag", tag="Setup")
    real = seats - ("gaza" in options)
    if int(match[1]) > real and seats in SEATS:
        raise NotationError(f"found p{match[1]} to begin, expected p1 to p{real}", key="record.tag", tag="Setup")
    return Sheet(variant, options, seats, Start(int(match[1])))


def format_sheet(sheet: Sheet[Start]) -> dict[str, str]:
    """Return the tag the sheet has."""
    return {} if sheet.own is None else {"Setup": f"first=p{sheet.own.first}"}
