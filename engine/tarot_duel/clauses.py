"""The duel's rules: what each says and where it comes from. Which of them a word breaks first is told by ``faults``."""

from cartulary.engine.contract import Clause, Open, Refused, clause
from cartulary.engine.tarot_duel import decks
from cartulary.engine.tarot_duel.faults import fault
from cartulary.engine.tarot_duel.moves import Move
from cartulary.engine.tarot_duel.state import State

_PLAY = "Play rules of the Tarot duel page"
_BOTH = f"{_PLAY}; house ruling"
_MAJORS = "The Major Arcana of the Tarot duel page; house ruling"
_AIMS = "Objects of the Tarot duel page"
_AIMS_BOTH = f"{_AIMS}; house ruling"
_RULING = "house ruling"


def _under(key: str, state: State, move: Move) -> Refused | Open | None:
    """Return the answer of one rule: the first fault of the word, if it is this rule's."""
    found = fault(state, move)
    if found is None or found.key != key:
        return None
    return found.opens or Refused(found.because, found.blocks)


@clause("tarot-duel.turn", "The seats take turns in order, p1 first; others speak only when a word is due.", _RULING)
def turn(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.turn", state, move)


@clause(
    "tarot-duel.reaction",
    "Temperance answers another seat's card before anything else is said; Justice is used by its seat, once it lies"
    " ready, right after another seat's action.",
    _MAJORS,
)
def reaction(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.reaction", state, move)


@clause(
    "tarot-duel.opening-hand",
    "Before the first turn each seat draws an eighth of its deck, which a word that tells the deck covers.",
    _PLAY,
)
def opening_hand(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.opening-hand", state, move)


@clause(
    "tarot-duel.draw-one",
    "Each turn opens by taking the top of the deck, once; a seat whose deck is empty then drops out, and whoever alone"
    " stays in has won.",
    _PLAY,
)
def draw_one(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.draw-one", state, move)


@clause("tarot-duel.one-play", "After the draw a seat activates one Major at most in its turn.", _BOTH)
def one_play(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.one-play", state, move)


@clause(
    "tarot-duel.lay-down",
    "Suit cards are laid in the own area, as many as one likes; of the Majors only Empress and Emperor, standing for"
    " one.",
    _BOTH,
)
def lay_down(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.lay-down", state, move)


@clause(
    "tarot-duel.hand-limit",
    "No turn ends with more than five cards in the hand; cards are discarded freely only while there are more, down to"
    " five.",
    _PLAY,
)
def hand_limit(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.hand-limit", state, move)


@clause(
    "tarot-duel.challenge",
    "One challenge a turn, by the seat in turn: it names a rival still in and what it wants of that rival's area.",
    _BOTH,
)
def challenge(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.challenge", state, move)


@clause(
    "tarot-duel.challenge-stakes",
    "Each side sets down a quarter of its deck's first size, or all that is left, one card of it face up.",
    _PLAY,
)
def challenge_stakes(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.challenge-stakes", state, move)


@clause(
    "tarot-duel.challenge-winner",
    "The higher face-up card wins: the loser shows what was won of him unseen, unless it is known, and discards his"
    " stakes, then the winner puts his own on top of his deck; of two alike nothing moves.",
    _BOTH,
)
def challenge_winner(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.challenge-winner", state, move)


@clause("tarot-duel.in-hand", "A card is played, laid down or discarded from the hand that holds it.", _RULING)
def in_hand(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.in-hand", state, move)


@clause("tarot-duel.in-area", "A card of an area is named where it lies, a face-down one by its place.", _RULING)
def in_area(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.in-area", state, move)


@clause("tarot-duel.in-discards", "A card of a discard pile is taken from the pile it lies on.", _RULING)
def in_discards(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.in-discards", state, move)


@clause("tarot-duel.in-deck", "A card of a deck is taken from the deck that holds it.", _RULING)
def in_deck(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.in-deck", state, move)


@clause("tarot-duel.effect", "A Major does what its number says, with every word its effect asks for.", _MAJORS)
def effect(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.effect", state, move)


@clause(
    "tarot-duel.suit-win",
    "An area with two suits whole, from ace to king, wins; they may be the same suit twice.",
    _AIMS_BOTH,
)
def suit_win(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.suit-win", state, move)


@clause("tarot-duel.point-win", "An area worth the PointTotal of the tags, or more, wins at once.", _AIMS)
def point_win(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.point-win", state, move)


@clause(
    "tarot-duel.turn-limit",
    "The game lasts no more turns than the decks had cards together; then the area worth most wins, and areas worth"
    " the same share the win.",
    _AIMS_BOTH,
)
def turn_limit(state: State, move: Move) -> Refused | Open | None:
    return _under("tarot-duel.turn-limit", state, move)


CLAUSES: tuple[Clause[State, Move], ...] = (
    decks.SEATED,
    decks.SIZE,
    decks.MAJORS,
    decks.COPIES,
    turn,
    reaction,
    opening_hand,
    draw_one,
    one_play,
    lay_down,
    hand_limit,
    challenge,
    challenge_stakes,
    challenge_winner,
    in_hand,
    in_area,
    in_discards,
    in_deck,
    effect,
    suit_win,
    point_win,
    turn_limit,
)
BY_KEY = {rule.key: rule for rule in CLAUSES}
