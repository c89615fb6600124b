"""The rules of English whist, one deal a record. A place is a seat less one; cards are numbers, sets of them masks."""

from collections.abc import Iterator
from random import Random

from cartulary.engine import Hidden, Rules, Turns, by_clauses
from cartulary.engine.cards import hands as h
from cartulary.engine.cards.deck import cards_of, deck_of, how_many, join_hint, set_of
from cartulary.engine.cards.layouts import Places, Question
from cartulary.engine.cards.revokes import follow_questions, store_questions
from cartulary.engine.cards.telling import Telling, split_by_leader
from cartulary.engine.cards.tricks import Trick, lay, narrow_by_winner, playable, winners
from cartulary.engine.contract import Breach, Open, Outcome, Refused, Sheet, clause
from msgspec import Struct
from msgspec.structs import replace

DECK = deck_of("CDHS", "23456789XJQKA")
PLACES = Places(DECK.cards, (13,) * 4)
TELLING = Telling(DECK, {"whist.follow-suit": "did not follow suit"}, ("p1", "p2", "p3", "p4"))
LAWS = "Laws of Short Whist (1864), "


class Move(Struct, frozen=True):
    """A card that a seat plays; of seat 0 cards dealt ``to`` a seat, or the one turned up. -1 is one nobody saw."""

    seat: int
    cards: tuple[int, ...]
    to: int = 0


class State(Struct, frozen=True):
    """What is known. leads: who may play next, several where a card nobody wrote down may have won the trick

    dealt: by place, the cards the record has dealt; told: the seats it speaks of, a bit each; turned: -1 before it is
    trick: as played, all four cards while it is open who won it; won: by whom each was, 0 where nobody can say
    breaches: what the last word has proved of earlier ones
    """

    dealer: int
    leads: tuple[int, ...]
    hands: h.Hands = h.begin(PLACES, (0,) * 4)
    dealt: tuple[int, ...] = (0,) * 4
    told: int = 0
    turned: int = -1
    trick: Trick = ()
    won: tuple[int, ...] = ()
    ply: int = 0
    breaches: tuple[Breach, ...] = ()


@clause("whist.order", "The hands are dealt, the dealer's last card is turned up, tricks are played.", LAWS + "Dealing")
def order(state: State, move: Move) -> Refused | None:
    if bool(move.seat) == (state.turned >= 0):
        return None
    over = f"The deal is over: {DECK.names[state.turned]} was turned up"
    return Refused("No card has been turned up for trumps" if move.seat else over, blocks=True)


@clause("whist.deal", "Each seat is dealt thirteen cards, once, and no card lies in two hands.", LAWS + "Dealing")
def deal(state: State, move: Move) -> Refused | None:
    if move.seat:
        return None
    to, known, count = move.to or state.dealer, [card for card in move.cards if card >= 0], len(move.cards)
    elsewhere, again, why = set_of(known) & ~state.hands.can[to - 1], state.told >> to & 1, ""
    if move.to and (count != 13 or again):
        why = f"p{to} is dealt {how_many(count)}" + (" again" if again else f", expected 13{join_hint(count)}")
    elif len(set(known)) < len(known):
        why = f"One card is dealt to p{to} twice"
    elif elsewhere:
        why = f"p{to} cannot hold {DECK.list_cards(elsewhere)}"
    return Refused(why, blocks=True) if why else None


@clause(
    "whist.turn", "The seat after the dealer leads, then each trick's winner; the rest follow in turn.", LAWS + "Play"
)
def turn(state: State, move: Move) -> Refused | None:
    if not move.seat or move.seat in state.leads:
        return None
    has_played = move.seat in dict(on_table(state))
    return Refused(f"It is for p{state.leads[0]} to play, not for p{move.seat}", blocks=has_played)


@clause("whist.in-hand", "A seat plays a card of its hand that was not played before.", LAWS + "Play")
def in_hand(state: State, move: Move) -> Refused | None:
    return TELLING.not_held(state.hands, move.seat - 1, move.cards[0]) if move.seat else None


@clause("whist.follow-suit", "Who has a card of the suit led plays one.", LAWS + "Revoke")
def follow_suit(state: State, move: Move) -> Refused | Open | None:
    if not move.seat:
        return None
    after, _, asked = laid(state, move)
    return TELLING.answer(state.hands, after, asked, "must follow suit")


@clause("whist.score", "Who wins more tricks wins, and scores a point for each above six.", LAWS + "Scoring")
def score(state: State, move: Move) -> None:
    """Answer nothing: it is asked once the tricks are played."""


CLAUSES = (order, deal, in_hand, turn, follow_suit, score)


def on_table(state: State) -> Trick:
    """Return the trick that is played."""
    return state.trick if len(state.trick) < 4 else ()


def laid(state: State, move: Move) -> tuple[h.Hands, int, tuple[Question, ...]]:
    """Return the hands with the card laid, the card as the trick has it, and what must be true if it follows suit."""
    place, ply, table = move.seat - 1, state.ply + 1, on_table(state)
    hands, card = lay(state.hands, place, move.cards[0], ply)
    led = table[0][1] if table else card
    return hands, card, follow_questions(hands, ply, follow_suit.key, place, DECK.suits if table else (), led, card)


def apply(state: State, move: Move, opens: tuple[Open, ...] = ()) -> State:
    """Return the state after a word, which keeps the questions it leaves open."""
    ply, won, trumps = state.ply + 1, state.won, DECK.suits[DECK.suit_of(max(state.turned, 0))]
    if not move.seat:
        cards, to = set_of(card for card in move.cards if card >= 0), move.to or state.dealer
        dealt = tuple(held | cards * (place + 1 == to) for place, held in enumerate(state.dealt))
        turned, told = -1 if move.to else move.cards[0], state.told | (move.to and 1 << to)
        return replace(state, hands=h.begin(PLACES, dealt), dealt=dealt, told=told, turned=turned, ply=ply)
    if len(state.trick) == 4:  # who leads has won it
        won = (*won, move.seat if move.seat in state.leads else 0)
        known = narrow_by_winner(state.hands, state.trick, move.seat, DECK.suits, trumps, ply)
        state = replace(state, hands=known if won[-1] else state.hands, trick=())
    hands, card, asked = laid(state, move)
    trick = (*state.trick, (move.seat, card))
    leads = tuple(seat for seat in (2, 3, 4, 1, 2, 3)[trick[0][0] - 1 :][:3] if seat not in dict(trick))[:1]
    hands, shown = store_questions(hands, asked, opens, move.seat - 1, card, ply, ends=not leads)
    leads = leads or winners(trick, DECK.suits, trumps)
    trick, won = ((), (*won, *leads)) if len(trick) == 4 and len(leads) == 1 else (trick, won)
    proved = tuple(map(TELLING.breach, shown))
    return replace(state, hands=hands, leads=leads, trick=trick, won=won, ply=ply, breaches=proved)


def candidates(state: State) -> Iterator[Move]:
    """Yield the cards that may be played; before the deal is over those that may be turned up."""
    dealt, seats = (True, state.leads) if state.turned >= 0 else (False, (state.dealer,))
    return (Move(seat * dealt, (card,)) for seat in seats for card in cards_of(playable(state.hands, seat - 1)))


def sides(state: State) -> tuple[int, int]:
    """Return the tricks of p1 and p3, and of p2 and p4."""
    return sum(seat in (1, 3) for seat in state.won), sum(seat in (2, 4) for seat in state.won)


def outcome(state: State) -> Outcome | None:
    """Return who has won more tricks, once it is known of each who won it."""
    odd, even = sides(state)
    won = f"p{1 if odd > even else 2} and p{3 if odd > even else 4} won {max(odd, even)} tricks"
    return Outcome((int(odd > even), int(even > odd)) * 2, score.key, won) if odd + even == 13 else None


def setup(sheet: Sheet[int]) -> State:
    """Return the state before the deal; p4 deals where the sheet does not say who does."""
    return State(sheet.own or 4, ((sheet.own or 4) % 4 + 1,))


def view(state: State, seat: int) -> State:
    """Return what the seat may see, 0 the bystander: its hand as dealt, the card turned up, the cards played."""
    own = tuple(cards if place + 1 == seat else 0 for place, cards in enumerate(state.dealt))
    turned = 1 << state.turned if state.turned >= 0 else 0
    return replace(state, hands=h.view(state.hands, own, turned), dealt=own, breaches=())


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return the word as the seat sees it: cards dealt to others are unknown."""
    return replace(move, cards=(-1,) * len(move.cards)) if move.to not in (0, seat) else move


def hands_of(random: Random) -> tuple[str, ...]:
    """Return the words of a deal by p4."""
    cards = random.sample(DECK.names, 52)
    hands = (sorted(cards[13 * place :][:13], key=DECK.names.index) for place in range(4))
    return (*(f"p0/p{seat}*{','.join(hand)}" for seat, hand in enumerate(hands, 1)), f"p0/^{cards[-1]}")


def key(state: State) -> tuple[object, ...]:
    """Return what matters for how play can go on."""
    hands, unnamed = state.hands, [(one.place, one.cards) for one in state.hands.unnamed_cards]
    game = (state.dealer, state.told, state.turned, state.leads, state.trick, sides(state))
    return (*game, hands.can, hands.sure, hands.played_cards, unnamed)


play, judge = by_clauses(CLAUSES, apply, apply_open=apply, breaches=lambda before, after: after.breaches)
RULES = Rules(setup, play, CLAUSES, judge, candidates, lambda state: state.turned >= 0, outcome, apart=split_by_leader)
HIDDEN: Hidden[State, Move, int] = TELLING.hidden_part(view, view_move, hands_of)
TURNS: Turns[State, Move] = Turns(
    lambda state: state.leads[0],
    lambda state: () if outcome(state) else state.leads if state.turned >= 0 else (0,),
    skip=lambda state: replace(state, ply=state.ply + 1),
    number=lambda state, move: (
        (len(state.won) + len(state.trick) // 4 + 1, not on_table(state)) if state.turned >= 0 else None
    ),
    table=True,
)
