"""What the rules of the duel may look at: the seats' cards, what is due, what is known of hidden cards."""

from typing import Literal, TypeAlias

from msgspec import Struct

from cartulary.engine.cards.zones import Eyes
from cartulary.engine.contract import Breach, Outcome
from cartulary.engine.slots import NO_SLOTS, UNKNOWN, Slots
from cartulary.engine.tarot_duel.moves import Use

SEATS = (2, 3, 4, 5, 6, 7, 8, 9, 10)
EVERYBODY = sum(1 << seat for seat in range(1, max(SEATS) + 1))
"""Every seat, as bits."""

MOST_HELD = 5
"""How many cards a hand has at most when a turn ends."""


class House(Struct, frozen=True, gc=False):
    """What holds for the whole record: the decks of the tags in order of code, unknown cards as blank ones.

    total: the points that win, 0 where there is no such tag; turns: how many the game lasts at most
    """

    seats: int
    decks: tuple[bytes, ...]
    total: int
    turns: int

    def quarter(self, seat: int) -> int:
        """Return how many stakes a seat sets down if its deck holds them."""
        return len(self.decks[seat - 1]) // 4

    def eighth(self, seat: int) -> int:
        """Return the size of a seat's opening hand."""
        return len(self.decks[seat - 1]) // 8


class Side(Struct, frozen=True, gc=False):
    """What one seat has before it.

    deck: the top first; hand; area: face up; row: face down, from the left; pile: the discards, the top last
    points: of area and row, the least they can be where cards are not known
    tops, eyes, peeps: which seats (bit 1 << seat) know the top cards of the deck as far as any is known, each card of
    the hand but the owner's knowledge, and each card of the row but the owner's
    total: which seats know what lies in the row, though not where
    """

    deck: bytes
    hand: bytes = b""
    area: bytes = b""
    row: bytes = b""
    pile: bytes = b""
    points: int = 0
    tops: Eyes = ()
    eyes: Eyes = ()
    peeps: Eyes = ()
    total: int = EVERYBODY


Kind: TypeAlias = Literal[
    "coin",
    "die",
    "choose",
    "pick",
    "look",
    "swap",
    "draw",
    "redraw",
    "mill",
    "discard",
    "answer",
    "row",
    "stakes",
    "show",
    "either",
    "stake",
    "lose",
    "back",
    "shuffle",
]
"""What can be due: words, and at the end of a challenge what stands between them."""


class Due(Struct, frozen=True, gc=False):
    """A word that is due. what: its kind; seat: who owes it, 0 the table.

    other: the other seat it is about, 0 none; count: how many cards it has; card: one that must be among them
    use: the Major whose effect it is, where the effect still asks for its choices
    rival: the points the other's face-up card may have, as bits, where only words tell who has won, else 0
    late: another word has come in its place before
    """

    what: Kind
    seat: int
    other: int = 0
    count: int = 0
    card: int = UNKNOWN
    use: Use | None = None
    rival: int = 0
    late: bool = False


DUES: dict[Kind, str] = {
    "coin": "toss the coin",
    "die": "roll the die",
    "choose": "draw, or have the other seat lose a card from its hand",
    "pick": "pick the cards at random",
    "look": "pick the cards to be looked at",
    "swap": "pick the card to be swapped",
    "draw": "draw",
    "redraw": "discard the hand and draw",
    "mill": "discard the top of the deck",
    "discard": "discard",
    "answer": "say Yes or Pass",
    "row": "lay the face-down cards in a new row",
    "stakes": "show the face-up stakes",
    "show": "show the face-down card that was lost",
    "either": "discard the lost stakes",
    "lose": "discard the lost stakes",
    "back": "put the winning stakes back on the deck",
}
AFTER_CHALLENGE: frozenset[Kind] = frozenset({"show", "either", "lose", "back"})


def due_sentence(due: Due) -> str:
    """Return who is to say a due word, and what it does; while a challenge is open, nobody can name its loser."""
    speaker = "the loser" if due.what == "either" else f"p{due.seat}" if due.seat else "the table"
    return f"{speaker} is to {DUES[due.what]}"


class Act(Struct, frozen=True, gc=False):
    """The action going on.

    doer: whose it is, 0 where there is none; chain: the cards played in answer to one another, (seat, card), the Major
    first, while the window is open; table: the cards that lie on the table and go to their seats' piles; use: the Major
    """

    doer: int = 0
    chain: tuple[tuple[int, int], ...] = ()
    table: tuple[tuple[int, int], ...] = ()
    use: Use | None = None


IDLE = Act()


class Skipped(Struct, frozen=True, gc=False):
    """Words that were due when another came in their place and was let stand; each may still be said.

    due: those words in their order; doer: whose action asked for them
    given_up: the action was given up for the other word, so what followed is among them
    """

    due: tuple[Due, ...]
    doer: int
    given_up: bool = True


class Marks(Struct, frozen=True, gc=False):
    """What lasts beyond a word.

    out: seats that are out, as bits 1 << seat; strong: seats that win their next challenge, as bits
    ready: each seat's Justice lying ready, as cards; gone: each deck's cards that are out of play
    against: for each seat the last action used against it that Judgment can repeat, (its number, by whom)
    missed: the turns that seats that are out did not have
    """

    ready: tuple[bytes, ...]
    gone: tuple[bytes, ...]
    against: tuple[tuple[int, int], ...]
    out: int = 0
    strong: int = 0
    missed: int = 0

    def is_in(self, seat: int) -> bool:
        """Say whether the seat plays on."""
        return not self.out >> seat & 1


class Unseen(Struct, frozen=True, gc=False):
    """What is known of cards nobody on record saw.

    found: by seat, the cards of its deck that no tag names and that have come to light
    doubt: seats, as bits, whose found cards may be another's
    named: (ply, seat, card) of every card that Empress or Emperor stood for though only blank cards can be it
    proved: all breaches proved so far
    """

    slots: Slots = NO_SLOTS
    found: tuple[bytes, ...] = ()
    doubt: int = 0
    named: tuple[tuple[int, int, int], ...] = ()
    proved: tuple[Breach, ...] = ()


DRAWN, PLAYED, CHALLENGED = 1, 2, 4


class State(Struct, frozen=True, gc=False):
    """A record so far.

    sides: by seat; turn: the seat whose turn it is; flags: what it has done, DRAWN, PLAYED, CHALLENGED
    turns: how many have ended; since: the words before this one began; ply: words so far
    done: the seats, as bits, whose action the last word has finished, or a Temperance before the words still due
    due: the words that must come, in order; act: the action going on
    loose: (seat, how many cards on top still lie in order) of every deck that was shuffled and not told yet
    fresh: those decks are whole, and opening hands come off them
    then: what stands if nobody answers: the state unless the next word uses the window
    ended: how the game ended
    skipped: due words in whose place another came, until the next action begins or the turn ends; None for none
    """

    house: House
    sides: tuple[Side, ...]
    turn: int
    flags: int
    turns: int
    since: int
    ply: int
    done: int
    due: tuple[Due, ...]
    act: Act
    loose: tuple[tuple[int, int], ...]
    fresh: bool
    marks: Marks
    unseen: Unseen
    then: "State | None" = None
    ended: Outcome | None = None
    skipped: Skipped | None = None
