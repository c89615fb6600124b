"""A toy with hidden hands, for the laws to be tried on: two seats, twelve cards, four each, four set aside.

Cards are ``1a`` … ``4c``, rank and suit. The suit led is followed; the higher card of it takes the trick and leads.
"""

import re
from collections.abc import Iterator
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Hidden, Open, Outcome, Place, Refused, Rules, Sheet, Turns, by_clauses, clause
from cartulary.notation import (
    About,
    Drawing,
    Entry,
    Example,
    FirstGame,
    Game,
    Guide,
    Item,
    NotationError,
    Primer,
    Words,
)
from cartulary.notation.picture import Picture, Span

CARDS = tuple(rank + suit for suit in "abc" for rank in "1234")
UNKNOWN = "~"
WORD = re.compile(r"p([012])\*((?:[1-4][abc]|~)(?:,(?:[1-4][abc]|~)){3})|([1-4][abc])")


class State(Struct, frozen=True):
    """hands: of the table (set aside), p1 and p2; led: the card that waits for another; taken: tricks by seat"""

    hands: tuple[tuple[str, ...], ...] = ((UNKNOWN,) * 4,) * 3
    played: tuple[str, ...] = ()
    led: str = ""
    taken: tuple[int, int] = (0, 0)
    mover: int = 1


class Deal(Struct, frozen=True):
    seat: int
    to: int
    cards: tuple[str, ...]


class Card(Struct, frozen=True):
    seat: int
    card: str


def elsewhere(state: State, cards: tuple[str, ...], but: int = -1) -> list[str]:
    """Return those of the cards that have been played or lie in another hand."""
    known = {card for seat, hand in enumerate(state.hands) if seat != but for card in hand} | {*state.played}
    return [card for card in cards if card in known - {UNKNOWN}]


@clause("aside.deal", "Four cards are dealt to each hand once, before play, and none of them twice.", "house ruling")
def deal_once(state: State, move: Deal | Card) -> Refused | None:
    if not isinstance(move, Deal):
        return None
    answers = [card for card in move.cards if card != UNKNOWN]
    if (
        state.played
        or set(state.hands[move.to]) != {UNKNOWN}
        or len({*answers}) < len(answers)
        or elsewhere(state, move.cards)
    ):
        return Refused(f"p{move.to} cannot be dealt {','.join(move.cards)}", blocks=True)
    return None


@clause("aside.turn", "The winner of a trick leads the next; the other seat answers.", "house ruling")
def turn(state: State, move: Deal | Card) -> Refused | None:
    return Refused(f"It is p{state.mover}'s turn", blocks=True) if move.seat not in (0, state.mover) else None


@clause("aside.card", "A seat plays a card of its hand.", "house ruling")
def in_hand(state: State, move: Deal | Card) -> Refused | None:
    if isinstance(move, Deal) or move.card in state.hands[move.seat]:
        return None
    if UNKNOWN in state.hands[move.seat] and not elsewhere(state, (move.card,), move.seat):
        return None
    return Refused(f"p{move.seat} has no {move.card}", blocks=True)


@clause("aside.follow", "Who has a card of the suit led plays one.", "house ruling")
def follow(state: State, move: Deal | Card) -> Refused | Open | None:
    if isinstance(move, Deal) or not state.led or move.card[1] == state.led[1]:
        return None
    hand = state.hands[move.seat]
    if held := [card for card in hand if card.endswith(state.led[1])]:
        return Refused(f"p{move.seat} holds {held[0]}")
    return Open(()) if UNKNOWN in hand else None


@clause("aside.end", "The game ends after four tricks; who has more of them wins.", "house ruling")
def end(state: State, move: Deal | Card) -> None:
    return None


def without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = hand.index(card if card in hand else UNKNOWN)
    return hand[:at] + hand[at + 1 :]


def apply(state: State, move: Deal | Card) -> State:
    hands = list(state.hands)
    if isinstance(move, Deal):
        hands[move.to] = tuple(sorted(move.cards))
        return replace(state, hands=tuple(hands))
    hands[move.seat] = without(hands[move.seat], move.card)
    after = replace(state, hands=tuple(hands), played=(*state.played, move.card))
    if not state.led:
        return replace(after, led=move.card, mover=3 - move.seat)
    takes = move.card[1] == state.led[1] and move.card[0] > state.led[0]
    winner = move.seat if takes else 3 - move.seat
    taken = (state.taken[0] + (winner == 1), state.taken[1] + (winner == 2))
    return replace(after, led="", taken=taken, mover=winner)


def outcome(state: State) -> Outcome | None:
    one, two = state.taken
    if one + two < 4:
        return None
    return Outcome((int(one >= two), int(two >= one)), "aside.end", f"the tricks are {one} to {two}")


def candidates(state: State) -> Iterator[Deal | Card]:
    if outcome(state) is None:
        hand = state.hands[state.mover]
        cards = CARDS if UNKNOWN in hand else hand
        yield from (Card(state.mover, card) for card in cards)


def view(state: State, seat: int) -> State:
    seen = (hand if owner == seat and seat else (UNKNOWN,) * len(hand) for owner, hand in enumerate(state.hands))
    return replace(state, hands=tuple(seen))


def view_move(state: State, move: Deal | Card, seat: int) -> Deal | Card:
    if isinstance(move, Card) or (move.to == seat and seat):
        return move
    return Deal(0, move.to, (UNKNOWN,) * len(move.cards))


def key(state: State) -> tuple[object, ...]:
    return state.hands, sorted(state.played), state.led, state.taken, state.mover


def deal(random: Random) -> tuple[str, ...]:
    pack = random.sample(CARDS, len(CARDS))
    return tuple(f"p0/p{seat}*{','.join(sorted(pack[4 * seat : 4 * seat + 4]))}" for seat in range(3))


def read(signs: str, seat: int, state: State) -> Deal | Card:
    found = WORD.fullmatch(signs)
    if found is None:
        raise NotationError(f"found {signs}, expected a card such as 1a")
    if found[3]:
        return Card(seat, found[3])
    return Deal(0, int(found[1]), tuple(sorted(found[2].split(","))))


def write(move: Deal | Card, state: State, after: State | None) -> str:
    return move.card if isinstance(move, Card) else f"p{move.to}*{','.join(move.cards)}"


def seen(state: State, seat: int | None) -> State:
    return state if seat is None else view(state, seat)


def picture(state: State, seat: int | None) -> Picture:
    shown = seen(state, seat)
    hands = tuple((Span(f"p{owner} {' '.join(hand)}", f"p{owner}"),) for owner, hand in enumerate(shown.hands))
    return (*hands, (Span(f"led {state.led} tricks {state.taken[0]}:{state.taken[1]}", "frame"),))


def drawing(state: State, seat: int | None) -> Drawing:
    items = []
    for owner, hand in enumerate(seen(state, seat).hands):
        for at, card in enumerate(hand):
            items.append(Item(card if card != UNKNOWN else f"p{owner}.{at}", card, (at, owner), f"p{owner}"))
    if state.led:
        items.append(Item(state.led, state.led, (0, 3), f"p{3 - state.mover}"))
    return Drawing((4, 4), tuple(items))


def setup(sheet: Sheet[None]) -> State:
    return State()


GUIDE = Guide(
    tuple(
        Entry(
            f"Suit {suit}",
            "The higher card of the suit led takes the trick. Who has one plays one.",
            ("follow", "card"),
            Example(f"4{suit}", "The highest is led."),
            tuple(rank + suit for rank in "1234"),
            table=(("rank", "takes"), ("4", "all")),
        )
        for suit in "abc"
    ),
    CARDS,
    Primer(
        ("Two seats hold cards of three suits and play them trick by trick.",),
        FirstGame((("4a", "p1 leads the highest card."), ("1a", "p2 follows.")), "A trick is played."),
        (("4a", "the highest card of a suit"),),
    ),
)
CLAUSES = (deal_once, turn, in_hand, follow, end)
play, judge = by_clauses(CLAUSES, apply)
GAME = Game(
    about=About(
        key="aside",
        title="Aside",
        edition="aside-1",
        seats=(2,),
        says="two seats, twelve cards",
        load_guide=lambda: GUIDE,
    ),
    rules=Rules(setup=setup, play=play, clauses=CLAUSES, judge=judge, candidates=candidates, outcome=outcome),
    words=Words(read=read, write=write, picture=picture, drawing=drawing),
    turns=Turns(table=True),
    hidden=Hidden(view=view, view_move=view_move, deal=deal),
    place=Place(key=key),
)
