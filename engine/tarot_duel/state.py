"""What the rules of the duel may look at: the seats' cards, what is due, what is known of hidden cards."""

from typing import Literal, TypeAlias

from msgspec import Struct, field

from cartulary.engine.cards.zones import Eyes
from cartulary.engine.contract import Breach, Outcome
from cartulary.engine.slots import NO_SLOTS, UNKNOWN, Slots
from cartulary.engine.tarot_duel.moves import Use

SEATS = (2, 3, 4, 5, 6, 7, 8, 9, 10)
EVERYBODY = sum(1 << seat for seat in range(1, max(SEATS) + 1))
"""Every seat, as bits."""

MOST_HELD = 5
"""How many cards a hand has at most when a turn ends."""


class Options(Struct, frozen=True, gc=False):
    """The settings that hold for the whole record.

    Attributes:
        seats: how many seats play.
        decks: by seat, the deck of the tags in the order of the codes, with unknown cards as blank ones.
        total: the points that win, 0 if there is no such tag.
        turns: how many turns the game lasts at most.
    """

    seats: int
    decks: tuple[bytes, ...]
    total: int
    turns: int

    def quarter(self, seat: int) -> int:
        """Return how many stakes a seat sets down if its deck has as many: a quarter of the deck as brought."""
        return len(self.decks[seat - 1]) // 4

    def eighth(self, seat: int) -> int:
        """Return how many cards a seat's opening hand has: an eighth of the deck as brought."""
        return len(self.decks[seat - 1]) // 8


class Side(Struct, frozen=True, gc=False):
    """The cards of one seat. Sets of seats are bits ``1 << seat``.

    Attributes:
        deck: the deck, the top first.
        hand: the hand.
        area: the cards that lie face up.
        row: the cards that lie face down, from the left.
        pile: the discards, the top last.
        points: the points of area and row; the least that they can be, if cards are not known.
        tops: the seats that know each of the top cards of the deck, as far down as any is known.
        eyes: the seats that know each card of the hand, the owner left out.
        peeps: the seats that know each card of the row, the owner left out.
        total: the seats that know which cards lie in the row, though not where.
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
    """A word that is due.

    Attributes:
        what: its kind.
        seat: the seat that owes it, 0 for the table.
        other: the other seat that it is about, 0 for none.
        count: how many cards it has.
        card: a card that must be among them, UNKNOWN for none.
        use: the Major whose effect it is, if the effect still needs the choices made with the Major.
        rival: the points that the other's face-up card may have, as bits, if only words show who has won; else 0.
        late: True if another word has come in its place before.
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
    """Return who is to say a due word and what it does: ``p2 is to draw``, ``the table is to toss the coin``.

    In an open challenge it is ``the loser is to discard the lost stakes``. A due stake or shuffle has no sentence and
    raises KeyError.
    """
    speaker = "the loser" if due.what == "either" else f"p{due.seat}" if due.seat else "the table"
    return f"{speaker} is to {DUES[due.what]}"


class Act(Struct, frozen=True, gc=False):
    """The action that goes on.

    Attributes:
        doer: the seat whose action it is, 0 if there is none.
        chain: while the window is open, (seat, card) of the cards played in answer to one another, the Major first.
        table: (seat, card) of the cards that lie on the table and go to the piles of their seats.
        use: the Major.
    """

    doer: int = 0
    chain: tuple[tuple[int, int], ...] = ()
    table: tuple[tuple[int, int], ...] = ()
    use: Use | None = None


IDLE = Act()


class SkippedWords(Struct, frozen=True, gc=False):
    """Words that were due when another came in their place and was let stand; each may still be said.

    Attributes:
        due: those words, in their order.
        doer: the seat whose action needed them.
        given_up: True if the action was given up for the other word, so that the words after it are among them.
    """

    due: tuple[Due, ...]
    doer: int
    given_up: bool = True


class Marks(Struct, frozen=True, gc=False):
    """The effects that last beyond a word.

    Attributes:
        ready: by seat, the cards that lie ready as its Justice.
        out_of_play: by seat, the cards of its deck that are out of play.
        against: by seat, the last action against it that Judgment can repeat, as (number, seat that did it).
        out: the seats that are out, as bits.
        strong: the seats that win their next challenge, as bits.
        missed_turns: how many turns the seats that are out did not have.
    """

    ready: tuple[bytes, ...]
    out_of_play: tuple[bytes, ...] = field(name="gone")
    against: tuple[tuple[int, int], ...]
    out: int = 0
    strong: int = 0
    missed_turns: int = field(default=0, name="missed")

    def is_in(self, seat: int) -> bool:
        """Say whether a seat is still in the game; it is out once it could not draw at its turn."""
        return not self.out >> seat & 1


class Unseen(Struct, frozen=True, gc=False):
    """All that is known of the cards that nobody on record saw.

    Attributes:
        slots: where they may lie.
        revealed_cards: by seat, the cards of its deck that no tag names and that have come to light.
        doubt: the seats, as bits, whose ``revealed_cards`` may be another seat's.
        copies: (ply, seat, card) of every card for which the Empress or the Emperor stood although only blank cards of
            the deck can be it.
        breaches: all breaches proved so far.
    """

    slots: Slots = NO_SLOTS
    revealed_cards: tuple[bytes, ...] = ()
    doubt: int = 0
    copies: tuple[tuple[int, int, int], ...] = ()
    breaches: tuple[Breach, ...] = ()


DRAWN, PLAYED, CHALLENGED = 1, 2, 4


class State(Struct, frozen=True, gc=False):
    """A record so far.

    Attributes:
        options: the settings.
        sides: by seat, its cards.
        turn: the seat whose turn it is.
        flags: the actions of this turn, as the bits DRAWN, PLAYED, CHALLENGED.
        turns: how many turns have ended.
        since: how many words came before this turn.
        ply: how many words there are so far.
        finishers: the seats, as bits, whose action has just been finished, by the last word or, before the words still
            due, by a Temperance.
        due: the words that must come, in order.
        act: the action that goes on.
        loose: for every deck that was shuffled and not named yet, (seat, how many cards on top still lie in order).
        fresh: True if those decks are whole, and opening hands come off them.
        marks: the effects that last.
        unseen: all that is known of the cards that nobody on record saw.
        if_unanswered: while a window is open, the state that holds unless the next word uses the window.
        outcome: how the game ended, None while it goes on.
        skipped_words: the due words in whose place another came, until the next action begins or the turn ends.
    """

    options: Options
    sides: tuple[Side, ...]
    turn: int
    flags: int
    turns: int
    since: int
    ply: int
    finishers: int
    due: tuple[Due, ...]
    act: Act
    loose: tuple[tuple[int, int], ...]
    fresh: bool
    marks: Marks
    unseen: Unseen
    if_unanswered: "State | None" = None
    outcome: Outcome | None = None
    skipped_words: SkippedWords | None = None
