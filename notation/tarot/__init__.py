"""Tarot's words: the deal, bids, chien, discards, announcements and cards; the Dealer tag; the table drawn.

Cards of one word are written suit by suit, C D H S, each from 1 to K, then T00 to T21, and unknown ones at the end;
packets and shown cards are left as they came.
Laxer than the standard: commas between cards may be left out, cards of a word may stand in any order, ``p0/Maldonne``
is read, and so is a prefix of the seat to act.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec.structs import replace

from cartulary.engine import Sheet
from cartulary.engine.cards.deck import CARDS, cards_of
from cartulary.engine.tarot import (
    BIDS,
    NAMES,
    UNKNOWN,
    Bid,
    CallKing,
    Chelem,
    Deal,
    Discard,
    Maldonne,
    Move,
    PetitSec,
    Play,
    Poignee,
    Reveal,
    Show,
    State,
)
from cartulary.engine.tarot import whereabouts as held
from cartulary.engine.tarot.piles import Trick
from cartulary.engine.tarot.settling import SETTLEMENT, by_score, piles, won_so_far
from cartulary.engine.tarot.state import NOTHING_LED
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.result import format_result
from cartulary.notation.cgn.signs import cut, unread
from cartulary.notation.tarot.picture import in_points, picture

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

_CARD = re.compile(r"[1-9XJNQK][CDHS]|T[01][0-9]|T2[01]|~")
_SEAT = re.compile(r"p(\d+)/")
_NUMBER = {name: card for card, name in enumerate(NAMES)} | {"~": UNKNOWN}
_PLAYS: tuple[dict[str, Play], ...] = tuple({NAMES[card]: Play(seat, card) for card in CARDS} for seat in range(6))
_HEADS = {"p0/c": 0} | {f"p0/p{seat}": seat for seat in range(1, 6)}
_A_CARD = "a card such as 7C, KH or T05"


# --- moves ---


def parse_move(text: str, state: State) -> Move:
    """Return the move a word means; without a prefix it is the seat's to act.

    Raises NotationError with the column of the first sign that fits nothing.
    """
    played = _PLAYS[state.turn].get(text)
    if played is not None:
        return played
    head, dealt, cards = text.partition("*")
    if dealt and state.phase == "deal" and _HEADS.get(head, 9) <= state.house.seats:
        move = _dealt(_HEADS[head], cards)
        if move is not None:
            return move
    seat, at = _prefix(text, state)
    return _table(text, at, state) if seat == 0 else _spoken(text, at, state.turn if seat is None else seat, state)


def _dealt(to: int, cards: str) -> Deal | None:
    """Return a deal whose cards stand with commas between them, None where they are to be read sign by sign."""
    try:
        known = tuple([_NUMBER[name] for name in cards.split(",")])
    except KeyError:
        return None
    return Deal(0, to, _ordered(known) if _is_hand(to, known) else known)


def _prefix(text: str, state: State) -> tuple[int | None, int]:
    """Return the seat a word names, None where it names none, and where the rest begins."""
    match = _SEAT.match(text)
    if match is None:
        return None, 0
    seats = state.house.seats
    if match[1] not in map(str, range(seats + 1)):
        raise NotationError(f"found p{cut(match[1])} in {cut(text)}, expected p0, the table, or a seat p1 to p{seats}")
    return int(match[1]), match.end()


def _table(text: str, at: int, state: State) -> Move:
    rest = text[at:]
    if rest == "Maldonne":
        return Maldonne(0)
    if rest.startswith("^"):
        return Reveal(0, _cards(text, at + 1, "the cards of the chien"))
    match = re.match(r"(p(\d+)|c)\*", rest)
    if match is None:
        raise unread(text, at, "a deal such as p2*7C,8C,9C or c*T05, the chien shown such as ^7C, or Maldonne")
    to = int(match[2]) if match[2] and len(match[2]) < 3 else 0
    if match[2] and not 1 <= to <= state.house.seats:
        raise unread(text, at, f"a seat p1 to p{state.house.seats} or c, the chien")
    cards = _cards(text, at + match.end(), "the cards dealt")
    return Deal(0, to, _ordered(cards) if _is_hand(to, cards) else cards)


def _is_hand(to: int, cards: tuple[int, ...]) -> bool:
    """Say whether a deal word gives a whole hand, or the whole chien, whose cards stand in order."""
    return len(cards) > (4 if to else 1)


_CALLS: dict[str, Callable[[int], Move]] = {"PetitSec": PetitSec, "Chelem": Chelem}


def _spoken(text: str, at: int, seat: int, state: State) -> Move:
    rest = text[at:]
    name, sign, value = rest.partition("=")
    if rest in _NUMBER and rest != "~":
        return Play(seat, _NUMBER[rest])
    if name in BIDS:
        return Bid(seat, BIDS.index(name), _stake(text, name, value, state) if sign else 0)
    if rest in _CALLS:
        return _CALLS[rest](seat)
    if rest == "Maldonne":
        if at:
            raise unread(text, 0, "Maldonne without a seat")
        return Maldonne(0)
    if rest.startswith("^"):
        return Show(seat, _card(text, at + 1))
    if name == "Call" and sign:
        return CallKing(seat, _card(text, at + 5))
    if name == "Poignee" and sign:
        cards = _cards(text, at + 8, "the trumps shown")
        if UNKNOWN in cards:
            raise unread(text, text.index("~"), "the name of a trump: a poignée is shown to all")
        return Poignee(seat, _ordered(cards))
    if rest.endswith("-") and len(rest) > 1:
        return Discard(seat, _ordered(_cards(text[:-1], at, "the cards put away")))
    raise _guess(text, at)


def _stake(text: str, name: str, value: str, state: State) -> int:
    at = text.index("=") + 1
    if name == "Pass" or state.house.variant == "fft":
        why = "Pass puts nothing at stake" if name == "Pass" else "bids have no stakes in fft"
        raise NotationError(f"found a stake in {cut(text)}, and {why}", at)
    if not re.fullmatch(r"[1-9][0-9]{0,8}", value):
        raise unread(text, at, "a stake, a whole number of tokens from 1")
    return int(value)


def _card(text: str, at: int) -> int:
    card = _NUMBER.get(text[at:], UNKNOWN)
    if card == UNKNOWN:
        raise unread(text, at, _A_CARD)
    return card


def _cards(text: str, at: int, what: str) -> tuple[int, ...]:
    """Return the cards from a place of the word to its end, commas between them or none."""
    cards: list[int] = []
    while at < len(text) or not cards:
        match = _CARD.match(text, at)
        if match is None:
            raise unread(text, at, f"{what}, each {_A_CARD}, or ~")
        cards.append(_NUMBER[match[0]])
        at = match.end()
        if text[at : at + 1] == ",":
            at += 1
            if at == len(text):
                raise unread(text, at, f"{_A_CARD} behind the comma")
    return tuple(cards)


def _ordered(cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(cards, key=lambda card: card if card >= 0 else len(CARDS)))


def _guess(text: str, at: int) -> NotationError:
    """Say what is wrong with a word that is none, where it stops being one."""
    match = _CARD.match(text, at)
    if match is not None and match[0] == "~":
        return unread(text, at, f"{_A_CARD}: a card played is seen by all")
    if match is not None:
        return unread(text, match.end(), "the end of the word, or - behind cards put away")
    expected = f"{_A_CARD}, a bid ({', '.join(BIDS)}), Call=, Poignee=, Chelem, PetitSec, Maldonne, or the table's p0/"
    return unread(text, at, expected)


def format_move(move: Move, state: State) -> str:
    """Return the word of a move, with the seat's prefix when it is not the one to act."""
    seat = move.seat
    if type(move) is Play:
        return NAMES[move.card] if seat == state.turn else f"p{seat}/{NAMES[move.card]}"
    if isinstance(move, Maldonne):
        return "Maldonne"
    if isinstance(move, Deal):
        place = f"p{move.to}" if move.to else "c"
        return f"p0/{place}*{_listed(_ordered(move.cards) if _is_hand(move.to, move.cards) else move.cards)}"
    if isinstance(move, Reveal):
        return f"p0/^{_listed(move.cards)}"
    # A draw and a petit sec speak where no turn is their own.
    bare = seat == state.turn and not isinstance(move, (Show, PetitSec))
    return _bare(move) if bare else f"p{seat}/{_bare(move)}"


def _bare(move: Move) -> str:
    if isinstance(move, Bid):
        return f"{BIDS[move.bid]}={move.stake}" if move.stake else BIDS[move.bid]
    if isinstance(move, Discard):
        return f"{_listed(_ordered(move.cards))}-"
    if isinstance(move, Poignee):
        return f"Poignee={_listed(_ordered(move.cards))}"
    if isinstance(move, CallKing):
        return f"Call={NAMES[move.card]}"
    if isinstance(move, Show):
        return f"^{NAMES[move.card]}"
    return type(move).__name__


def _listed(cards: tuple[int, ...]) -> str:
    return ",".join(NAMES[card] if card >= 0 else "~" for card in cards)


def led(state: State) -> str:
    """Return the suit led in the trick that is played, C D H S or T for trumps; nothing before its first card."""
    return "" if state.led == NOTHING_LED else "CDHST"[state.led]


def number(state: State, move: Move | None) -> tuple[int, bool] | None:
    """Return the number of the trick, and whether the word is its first card; None before the first card."""
    if state.phase != "play":
        return None
    led = bool(state.laid)
    if not led and not state.tricks and isinstance(move, (Poignee, Chelem)):
        return None
    return len(state.tricks) + 1, not led


# --- the sheet ---


def seat_tags(seats: int) -> tuple[str, ...]:
    """Return Seat1 to the last seat's."""
    return tuple(f"Seat{seat}" for seat in range(1, seats + 1))


def own_tags() -> tuple[str, ...]:
    """Return Dealer."""
    return ("Dealer",)


def parse_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[int]:
    """Return the sheet; ``Dealer`` names the seat that deals first, p3.

    Raises NotationError (``record.tag``) where the tag names no seat.
    """
    text = tags.get("Dealer")
    if text is None:
        return Sheet(variant, options, seats)
    match = re.fullmatch(r"p([0-9]{1,2})", text)
    if match is None or not 1 <= int(match[1]) <= seats:
        raise NotationError(
            f"found the dealer {cut(text)!r}, expected a seat p1 to p{seats}", key="record.tag", tag="Dealer"
        )
    return Sheet(variant, options, seats, int(match[1]))


def format_sheet(sheet: Sheet[int]) -> dict[str, str]:
    """Return the Dealer tag, if the sheet has one."""
    return {} if sheet.own is None else {"Dealer": f"p{sheet.own}"}


# --- points and hidden cards ---


def came_of(before: State, move: Move, after: State) -> str:
    """Return who took the trick with the points this seat has won in the deal, and behind a deal the running score."""
    if not isinstance(move, Play) or after.laid:
        return ""
    if len(after.tricks) > len(before.tricks):
        return f"p{after.turn} takes it: {in_points(won_so_far(after)[after.turn - 1])}"
    return f"p{_last_taken(before, move)} takes it; score {scores(after)['Score']}"


def _last_taken(before: State, move: Play) -> int:
    """Return who wins the trick that this card ends, the last of its deal."""
    lay, first, seats = dict(zip(before.by, before.laid, strict=True)), before.by[0], before.house.seats
    lay[move.seat] = move.card
    trick = Trick(first, tuple(lay[(first - 1 + at) % seats + 1] for at in range(seats)))
    return piles(replace(before, tricks=(*before.tricks, trick), played=before.played | 1 << move.card)).winners[-1]


def scores(state: State) -> dict[str, str]:
    """Return the tags Score and, in dementlieu, Pot as the deals of the record make them."""
    points = {"Score": ":".join(map(str, state.totals))}
    return points | ({"Pot": ":".join(map(str, state.pot))} if state.house.variant == "dementlieu" else {})


def misstated(tags: Mapping[str, str], result: str, state: State) -> tuple[tuple[str, str, str], ...]:
    """Return (tag, key, because) where Score, Pot or the result contradict the deals (``tarot.settlement``)."""
    faults: list[tuple[str, str]] = []
    for name, right in scores(state).items():
        if name in tags and not _same_points(tags[name], right):
            faults.append((name, f"the {name} tag says {cut(tags[name])}, and the deals on record come to {right}"))
    if "Pot" in tags and state.house.variant == "fft":
        faults.append(("Pot", "the Pot tag says what was won from a pot, and in fft there is none"))
    right = format_result(by_score(state))
    if result != "*" and not _same_result(result, right):
        points = scores(state)["Score"]
        faults.append(("Result", f"the result says {cut(result)}, and by the score {points} it is {right}"))
    return tuple((name, SETTLEMENT.key, because) for name, because in faults)


def _same_points(stated: str, right: str) -> bool:
    """Compare points as numbers, so that 2/2 is 1; text that is none is not the same."""
    parts, due = stated.split(":"), [Fraction(value) for value in right.split(":")]
    if len(parts) != len(due) or not all(
        re.fullmatch(r"\s*[+-]?[0-9]{1,9}(/[1-9][0-9]{0,8})?\s*", one) for one in parts
    ):
        return False
    return [Fraction(one.strip()) for one in parts] == due


def _same_result(stated: str, right: str) -> bool:
    return [Fraction(one) for one in stated.split("-")] == [Fraction(one) for one in right.split("-")]


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of all cards nobody has played, cards alike in one line, the fewest first; exact."""
    seats = [f"p{seat}" for seat in range(1, state.house.seats + 1)]
    names = [*seats, "in the discards" if _is_put_away(state) else "in the chien"]
    lines: list[tuple[str, str]] = []
    for cards, places in held(state):
        where = [name for place, name in enumerate(names) if places >> place & 1]
        lines.append((", ".join(NAMES[card] for card in cards_of(cards)), joined_places(where)))
    return tuple(lines)


def _is_put_away(state: State) -> bool:
    return state.phase == "play" and BIDS[state.round.bid] in ("Prise", "Garde")


def joined_places(places: list[str]) -> str:
    """Return places as a sentence lists them: ``with p2, p3 or in the discards``."""
    if not places:
        return "nowhere"
    listed = places[0] if len(places) == 1 else f"{', '.join(places[:-1])} or {places[-1]}"
    return f"with {listed}" if places[0].startswith("p") else listed
