"""What each Major of Tarot duel does, for the second referee: the words it waits for, and what they move.

Every effect is a generator of ``Due``; it is sent the word that answers, without its seat, or None where the word
need not be written and was not. What was chosen and is gone by then does nothing.
"""

from collections import Counter
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, TypeAlias

from tests.referees.tarot_duel.places import Fault, Laid, Side, points, remove
from tests.referees.tarot_duel.words import Due, Played, check_all, count_fault, named

if TYPE_CHECKING:
    from tests.referees.tarot_duel.play import Referee

Effect: TypeAlias = Generator[Due, str | None, None]


# --- pieces of effects ---


def draw(game: "Referee", seat: int, count: int) -> Effect:
    """Wait for a seat's draw, of fewer cards where the deck has fewer, nothing where it is empty."""
    side = game.sides[seat]
    count = min(count, len(side.deck.cards))
    if count:
        word = yield Due("draw", seat, wanted=count, of=seat, optional=True)
        take_top(side, named(word) if word else ["~"] * count, count, side.hand)


def take_top(side: Side, cards: list[str], count: int, to: list[str]) -> None:
    """Draw these cards, in any order, from the top; Fault ``effect`` where they cannot lie there."""
    count_fault(cards, count)
    known = [card for card in side.deck.order[:count] if card != "~"]
    left = list((Counter(cards) - Counter(known)).elements())
    here = Counter(cards) & Counter(known)
    for top in side.deck.order[:count]:
        card = top if here[top] > 0 else left.pop()
        here[top] -= 1
        to.append(side.deck.draw(card, "effect"))


def order(game: "Referee", *seats: int) -> Effect:
    """Let the decks be told as they lie now."""
    for seat in sorted(seats):
        side = game.sides[seat]
        if side.deck.cards:
            word = yield Due("order", 0, wanted=len(side.deck.cards), of=seat, optional=True)
            if word:
                side.deck.lie(named(word[2:]))


def pick(game: "Referee", foe: int, count: int, to: list[str], kind: str = "pick") -> Effect:
    """Wait for chance to pick cards of a hand, and move them; a card that is swapped nobody else sees."""
    if count:
        word = yield Due(kind, 0, wanted=count, of=foe)
        cards = named((word or "")[2:])
        count_fault(cards, count)
        to += [remove(game.sides[foe].hand, card, "in-hand") for card in cards]


def throw(game: "Referee", seat: int, count: int) -> Effect:
    """Wait for a seat to discard so many cards of its choice."""
    if count:
        word = yield Due("throw", seat, wanted=count, of=seat)
        cards = named(word)
        count_fault(cards, count)
        side = game.sides[seat]
        side.pile += [remove(side.hand, card, "in-hand") for card in cards]


def mill(game: "Referee", seat: int, count: int) -> Effect:
    """Wait for so many cards from the top of a seat's deck to its discard pile."""
    side = game.sides[seat]
    if count and side.deck.cards:
        word = yield Due("mill", seat, wanted=count, of=seat)
        take_top(side, named(word), count, side.pile)


# --- the Majors ---


def fool(game: "Referee", played: Played) -> Effect:
    """T01."""
    word = yield Due("coin", 0)
    seat, foe = (played.seat, played.foe) if word == "=H" else (played.foe, played.seat)
    side, other = game.sides[seat], game.sides[foe]
    if not side.deck.cards and not other.hand:
        return
    word = yield Due("fool", seat, of=foe) or ""
    if word and word.startswith("*"):
        side.hand.append(side.deck.draw(word[1:], "effect"))
    elif word != f":p{foe}h" or not other.hand:
        raise Fault("effect", "a card of the other's hand")
    else:
        yield from pick(game, foe, 1, other.pile)


def magician(game: "Referee", played: Played) -> Effect:
    """T02."""
    side = game.sides[played.seat]
    count = len(side.hand)
    side.deck.cards += side.hand
    side.hand = []
    side.deck.shuffle()
    yield from order(game, played.seat)
    yield from draw(game, played.seat, count)


def priestess(game: "Referee", played: Played) -> Effect:
    """T03."""
    side = game.sides[played.seat]
    if not side.hand:
        return
    count = len(side.hand)
    word = yield Due("redraw", played.seat, wanted=count, of=played.seat)
    put, drew = (word or "").partition("*")[::2]
    count_fault(named(put), count)
    side.pile += [remove(side.hand, card, "in-hand") for card in named(put)]
    count = min(count, len(side.deck.cards))
    take_top(side, named(drew) if drew else ["~"] * count, count, side.hand)


def hierophant(game: "Referee", played: Played) -> Effect:
    """T06."""
    side = game.sides[played.seat]
    side.deck.put(remove(side.pile, played.cards[0], "in-discards"))
    yield from ()


def lovers(game: "Referee", played: Played) -> Effect:
    """T07."""
    side, foe = game.sides[played.seat], game.sides[played.foe]
    try:
        played.check_own(side)
        played.check_theirs(foe)
    except Fault:
        return
    if not played.theirs and not played.their_row:
        picked: list[str] = []
        yield from pick(game, played.foe, 1, picked, "swap" if played.mine else "pick")
        theirs = Laid(picked[0], picked[0])
    else:
        theirs = foe.find_up(played.theirs) if played.theirs else foe.find_down(played.their_row)
    mine = take_own(side, played)
    darken(side, foe, played)
    place(side, theirs, "h" if played.mine else "a", played.row)
    place(foe, mine, "a" if played.theirs or played.their_row else "h", played.their_row)


def darken(one: Side, other: Side, played: Played) -> None:
    """Note that an exchange has brought cards to face-down places, and not everybody knows which."""
    one.dark, other.dark = one.dark or bool(played.row), other.dark or bool(played.their_row)


def take_own(side: Side, played: Played) -> Laid:
    """Take the own card that Lovers or Hermit names."""
    if played.mine:
        return Laid(remove(side.hand, played.mine, "in-hand"), played.mine)
    return side.find_up(played.laid) if played.laid else side.find_down(played.row)


def place(side: Side, laid: Laid, to: str, row: int) -> None:
    """Put an exchanged card in its new place; a name stays only in an area."""
    if to == "a":
        side.lay(laid, row)
    else:
        {"h": side.hand, "x": side.pile, "d": side.deck.cards}[to].append(laid.card)


def chariot(game: "Referee", played: Played) -> Effect:
    """T08."""
    side = game.sides[played.seat]
    side.hand.append(side.deck.find(played.cards[0], "in-deck"))
    yield from order(game, played.seat)


def strength(game: "Referee", played: Played) -> Effect:
    """T09."""
    game.sides[played.seat].strong = True
    yield from ()


def hermit(game: "Referee", played: Played) -> Effect:
    """T10."""
    side = game.sides[played.seat]
    try:
        played.check_own(side)
    except Fault:
        return
    mine = take_own(side, played)
    darken(side, side, played)
    if played.to == "a":
        other = side.find_up(played.theirs) if played.theirs else side.find_down(played.their_row)
    else:
        cards = {"x": side.pile, "h": side.hand, "d": side.deck.cards}[played.to]
        other = Laid(*[remove(cards, played.theirs, "in-hand")] * 2)
    place(side, other, "h" if played.mine else "a", played.row)
    place(side, mine, played.to, played.their_row)
    if played.to == "d":
        side.deck.shuffle()
        yield from order(game, played.seat)


def wheel(game: "Referee", played: Played) -> Effect:
    """T11."""
    word = yield Due("die", 0)
    number = int((word or "=")[1:])
    seat = played.seat if number % 2 else played.foe
    act = (draw, throw, mill)[(number - 1) // 2]
    yield from act(game, seat, min(1, len(game.sides[seat].hand)) if act is throw else 1)


def justice(game: "Referee", played: Played) -> Effect:
    """T12: it lies ready, which the referee sees to."""
    yield from ()


def hanged_man(game: "Referee", played: Played) -> Effect:
    """T13."""
    side, foe = game.sides[played.seat], game.sides[played.foe]
    yield from pick(game, played.foe, min(1, len(foe.hand)), foe.pile)
    if side.hand and (yield Due("answer", played.foe, of=played.seat)) == "Yes":
        yield from pick(game, played.seat, 1, side.pile)


def death(game: "Referee", played: Played) -> Effect:
    """T14."""
    for seat in (played.seat, *game.others(played.seat)):
        yield from throw(game, seat, len(game.sides[seat].hand))


def devil(game: "Referee", played: Played) -> Effect:
    """T16."""
    side, foe = game.sides[played.seat], game.sides[played.foe]
    if played.number <= min(len(foe.hand), len(side.deck.cards) // 2):
        yield from pick(game, played.foe, played.number, foe.pile)
        yield from mill(game, played.seat, 2 * played.number)


def tower(game: "Referee", played: Played) -> Effect:
    """T17."""
    side = game.sides[played.seat]
    side.deck.cards += [remove(side.pile, card, "in-discards") for card in played.cards]
    side.deck.shuffle()
    yield from order(game, played.seat)


def star(game: "Referee", played: Played) -> Effect:
    """T18."""
    hand = game.sides[played.foe].hand
    count = (len(hand) + 1) // 2
    if count:
        word = yield Due("look", 0, wanted=count, of=played.foe)
        cards = named((word or "")[2:])
        count_fault(cards, count)
        check_all(hand, tuple(card for card in cards if card != "~"), "in-hand")


def moon(game: "Referee", played: Played) -> Effect:
    """T19."""
    side = game.sides[played.seat]
    side.dark = side.dark and bool(side.down)
    side.down += [side.find_up(card) for card in played.cards]
    if len(side.down) < 2:
        return
    side.dark = True
    word = yield Due("row", played.seat, wanted=len(side.down), of=played.seat)
    cards = named(word)
    count_fault(cards, len(side.down))
    side.mixed = "~" in cards
    if not side.mixed:
        rest, row = list(side.down), list[Laid]()
        for card in cards:
            row.append(next((laid for laid in rest if laid.card in (card, "~")), Laid("", "")))
            if not row[-1].card:
                raise Fault("in-area", card)
            rest.remove(row[-1])
        side.down = row


def sun(game: "Referee", played: Played) -> Effect:
    """T20."""
    yield from ()


def judged_challenge(game: "Referee", played: Played) -> Effect:
    """T21 with a challenge."""
    word = yield Due("faces", played.seat, of=played.foe)
    up = (word or "^^").split("^")
    yield from contest(game, played, up[1], up[2])


def world(game: "Referee", played: Played) -> Effect:
    """T22."""
    mine = game.sides[played.seat]
    sides = [mine, *(side for side in game.sides.values() if side is not mine)]
    owner = next((side for side in sides if played.card in side.tag and played.card not in side.gone), mine)
    owner.gone.append(played.card)
    for side in sides:
        side.deck.cards = list((Counter(side.tag) - Counter(side.gone)).elements())
        side.deck.shuffle()
        side.hand, side.up, side.down, side.pile = [], [], [], []
        side.strong, side.ready, side.last, side.mixed, side.dark = False, "", None, False, False
    yield from game.deal()


EFFECTS: dict[str, Callable[["Referee", Played], Effect]] = {
    **dict(zip(("T01", "T02", "T03", "T06", "T07"), (fool, magician, priestess, hierophant, lovers), strict=True)),
    **dict(zip(("T08", "T09", "T10", "T11", "T12"), (chariot, strength, hermit, wheel, justice), strict=True)),
    **dict(zip(("T13", "T14", "T16", "T17", "T18"), (hanged_man, death, devil, tower, star), strict=True)),
    **dict(zip(("T19", "T20", "T22", ":"), (moon, sun, world, judged_challenge), strict=True)),
}


# --- the challenge ---


def contest(game: "Referee", played: Played, mine: str, theirs: str) -> Effect:
    """Compare the face-up cards, move what was won, then wait for the stakes and the decks."""
    up = {played.seat: mine, played.foe: theirs}
    for seat, card in up.items():
        deck = game.sides[seat].deck
        deck.shuffle()
        if bool(card) != bool(deck.cards) or (card and card not in deck.cards and "~" not in deck.cards):
            raise Fault("challenge-stakes", f"p{seat} cannot show {card or 'nothing'}")
    winner = compare(game, played, up)
    if winner == played.seat:
        yield from won(game, played)
    if winner:
        loser = played.foe if winner == played.seat else played.seat
        yield from stakes(game, loser, up[loser], "stakes")
        yield from stakes(game, winner, up[winner], "back")
    yield from order(game, played.seat, played.foe)


def compare(game: "Referee", played: Played, up: dict[int, str]) -> int:
    """Return the seat that wins, 0 where the cards are equal; Strength is used up."""
    one, two = game.sides[played.seat], game.sides[played.foe]
    strong = one.strong - two.strong
    one.strong = two.strong = False
    worth = {seat: points(card) if card else 0 for seat, card in up.items()}
    better = strong or worth[played.seat] - worth[played.foe]
    return played.seat if better > 0 else played.foe if better else 0


def won(game: "Referee", played: Played) -> Effect:
    """Move the card that was named; one that lay face down is shown first."""
    side, foe = game.sides[played.seat], game.sides[played.foe]
    if played.theirs:
        side.up.append(foe.find_up(played.theirs))
        return
    lying = foe.down[played.their_row - 1].card
    known = not foe.mixed and lying != "~"
    word = yield Due("show", played.foe, "challenge-winner", played.their_row, played.foe, optional=known)
    side.up.append(foe.show_down(played.their_row, word[1:] if word else lying))


def stakes(game: "Referee", seat: int, up: str, kind: str) -> Effect:
    """Wait for a side's stakes, which go to its pile (``stakes``) or on top of its deck (``back``)."""
    side = game.sides[seat]
    count = side.stake
    if not count:
        return
    word = yield Due(kind, seat, "challenge-winner", count, seat)
    cards = named(word)
    count_fault(cards, count, "challenge-stakes")
    if up not in cards and "~" not in cards:
        raise Fault("challenge-winner", f"{up} was among the stakes")
    for card in sorted(cards):
        remove(side.deck.cards, card, "challenge-stakes")
    side.deck.shuffle()
    if kind == "stakes":
        side.pile += cards
    else:
        for card in reversed(cards):
            side.deck.put(card)
