"""What can be proved of a hand nobody saw, from all the hands it may have been: slow, and from the rulebook alone.

A *hand* is what one reading leaves of a seat's drawings: each a card that is known, or the set of cards it is not. A
claim is false once no hand is left. The open game is followed by the second referee; what the others saw of it is told
by the masked words, as many as the open ones.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.referees.arcanoid.cards import CARD, TAROT, split
from tests.referees.arcanoid.play import Referee

Item = str | frozenset[str]
Hand = tuple[Item, ...]
NAME = re.compile(CARD.replace("|~", ""))
CALLS = re.compile(r"(?:p\d+/)?(T1[789])((?:>[^>:*]+)+)(?::(\w+))?")
SHOWING = re.compile(r"(?:p\d+/)?T05=(T00|[SWCDT])((?:\^p\d+=[\w,]+)+|\^None)")


class Word(NamedTuple):
    """What a word did to a hand, in this order.

    left, came: names, or ``~``; denied: the cards it is said not to have, shown: those it is seen to have; away: what
    left at last; over: the hand is a new one; placed: cards that cannot be drawn, because all know where they are
    """

    left: tuple[str, ...] = ()
    denied: frozenset[str] = frozenset()
    shown: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    over: bool = False
    placed: frozenset[str] = frozenset()


@cache
def key_of(item: Item) -> str:
    """Return what sorts items."""
    return item if isinstance(item, str) else "~" + ",".join(sorted(item))


def without(hand: Hand, card: str) -> Iterator[Hand]:
    """Yield the hands that are left once a card leaves, ``~`` for one nobody saw."""
    for at, item in enumerate(hand):
        if at and hand[at - 1] == item:
            continue
        if card in ("~", item) or (isinstance(item, frozenset) and card not in item):
            yield hand[:at] + hand[at + 1 :]


def having(hand: Hand, card: str, placed: frozenset[str] = frozenset()) -> Hand:
    """Return a hand with one card more, unknown but none of those that are placed elsewhere."""
    return tuple(sorted((*hand, placed if card == "~" else card), key=key_of))


def denying(hand: Hand, denied: frozenset[str]) -> Hand | None:
    """Return a hand that has none of these cards, None where it must have one."""
    if any(isinstance(item, str) and item in denied for item in hand):
        return None
    items = (item if isinstance(item, str) else item | denied for item in hand)
    return tuple(sorted(items, key=key_of))


def holding(hand: Hand, denied: frozenset[str], placed: frozenset[str]) -> Iterator[Hand]:
    """Yield the hands this one may be that have one of these cards, none nobody saw being one that lies elsewhere."""
    for at, item in enumerate(hand):
        rest = hand[:at] + hand[at + 1 :]
        may = denied - item - placed if isinstance(item, frozenset) else denied & {item}
        yield from (having(rest, card) for card in may)


def after(hands: set[Hand], word: Word, *, claimed: bool, false: bool = False) -> set[Hand]:
    """Return the hands that a word leaves; claimed: what it denies is true, false: it is not."""
    if word.over:
        hands = {()}
    for card in word.left:
        hands = {left for hand in hands for left in without(hand, card)}
    for card in word.shown:
        hands = {having(left, card) for hand in hands for left in without(hand, card)}
    if claimed and word.denied:
        hands = {kept for hand in hands if (kept := denying(hand, word.denied)) is not None}
    if false:
        hands = {kept for hand in hands for kept in holding(hand, word.denied, word.placed)}
    for card in word.came:
        hands = {having(hand, card, word.placed) for hand in hands}
    for card in word.away:
        hands = {left for hand in hands for left in without(hand, card)}
    return hands


def first_proof(words: list[Word], ply: int) -> int:
    """Return the ply of the word that proves the claim of a ply false, 0 if none does."""
    hands: set[Hand] = {()}
    for number, word in enumerate(words, 1):
        if word.over and number > ply:
            return 0
        hands = after(hands, word, claimed=number == ply)
        if not hands:
            return number
    return 0


def stays_open(words: list[Word], ply: int) -> bool:
    """Say whether on some reading of all the words of its round the claim of a ply is false."""
    hands: set[Hand] = {()}
    for number, word in enumerate(words, 1):
        if word.over and number > ply:
            break
        hands = after(hands, word, claimed=False, false=number == ply)
    return bool(hands)


def words_of(referee: Referee, open_words: tuple[str, ...], masked: list[str]) -> dict[str, list[Word]]:
    """Return by seat what every word did to its hand."""
    seats = [f"p{seat}" for seat in range(1, referee.seats + 1)]
    by_name: dict[str, list[Word]] = {seat: [] for seat in seats}
    before: dict[str, list[str]] = {seat: [] for seat in seats}
    placed = frozenset[str]()
    for word, seen in zip(open_words, masked, strict=True):
        number = referee.round
        names = set(NAME.findall(seen))
        referee.say(word)
        fresh = referee.round != number
        calls = CALLS.match(seen)
        vain = calls[2].split(">")[1 : -1 if calls[3] else None] if calls else ()
        placed = frozenset() if fresh else placed
        placed = frozenset() if referee.shuffled else placed | set(NAME.findall(seen.replace("=T00", "="))) - set(vain)
        for seat in seats:
            hand = [card for card in referee.players[seat].hand if card != "~"]
            was = [] if fresh else before[seat]
            wheel = re.search(r"T10\*([^-]*)-(.*)", word) if seat == referee.mover else None
            by_name[seat].append(_word(was, hand, names, wheel, fresh)._replace(placed=placed))
            before[seat] = hand
        _claims(by_name, seats, seen, referee)
    return by_name


def _word(was: list[str], hand: list[str], names: set[str], wheel: re.Match[str] | None, over: bool) -> Word:
    left = tuple(card if card in names else "~" for card in was if card not in hand)
    came = tuple(card if card in names else "~" for card in hand if card not in was)
    if wheel is None:
        return Word(left, came=came, over=over)
    drawn, away = split(wheel[1]), split(wheel[2])
    gone = tuple("~" for card in away if card in was or card in drawn)
    kept = tuple(card for card in was if card not in hand and card not in away)
    return Word(tuple(card if card in names else "~" for card in kept), came=("~",) * len(drawn), away=gone, over=over)


def _claims(told: dict[str, list[Word]], seats: list[str], seen: str, referee: Referee) -> None:
    calls, showing = CALLS.match(seen), SHOWING.match(seen)
    for seat in seats:
        if calls and seat != referee.mover:
            vain = calls[2].split(">")[1:]
            denied = frozenset(vain[:-1] if calls[3] else vain)
            told[seat][-1] = told[seat][-1]._replace(denied=denied)
        elif showing:
            by_name = dict(part.split("=") for part in showing[2].split("^")[1:] if part != "None")
            shown = tuple(card for card in split(by_name.get(seat)) if card not in referee.players[seat].up)
            told[seat][-1] = told[seat][-1]._replace(denied=frozenset(of_kind(showing[1])) - set(shown), shown=shown)


def of_kind(named: str) -> tuple[str, ...]:
    """Return the cards the Hierophant asks for."""
    if named == "T":
        return TAROT[1:22]
    return tuple(card for card in TAROT if named in (card, card[1]) and (card[0] != "T" or named == "T00"))
