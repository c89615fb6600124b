"""The duel's rules, in order: what each says and where it comes from. A word that breaks one names it where it does."""

from typing import TypeAlias

from cartulary.engine.cards.draft import AnyClause, clauses_of

Rule: TypeAlias = AnyClause

_PAGE = "Deck rules of the Tarot duel page"
_PLAY = "Play rules of the Tarot duel page"
_BOTH = f"{_PLAY}; house ruling"
_MAJORS = "The Major Arcana of the Tarot duel page; house ruling"
_AIMS = "Objects of the Tarot duel page"
_AIMS_BOTH = f"{_AIMS}; house ruling"
_RULING = "house ruling"

_rules, _rule = clauses_of("tarot-duel")

SEATED = _rule("seats", "A duel has two seats or more, up to ten.", _RULING)
DECK_SIZE = _rule("deck-size", "A deck has 16, 24, 32 … cards, a multiple of eight.", _PAGE)
DECK_MAJORS = _rule("deck-majors", "At most a quarter of a deck are Majors, and none of them is there twice.", _PAGE)
DECK_COPIES = _rule("deck-copies", "A deck holds a card that is no Major five times at most.", _PAGE)
TURN = _rule("turn", "The seats take turns in order, p1 first; others speak only when a word is due.", _RULING)
REACTION = _rule(
    "reaction",
    "Temperance answers another seat's card before anything else is said; Justice is used by its seat, once it lies"
    " ready, right after another seat's action.",
    _MAJORS,
)
OPENING_HAND = _rule(
    "opening-hand",
    "Before the first turn each seat draws an eighth of its deck, which a word that tells the deck covers.",
    _PLAY,
)
DRAW_ONE = _rule(
    "draw-one",
    "Each turn opens by taking the top of the deck, once; a seat whose deck is empty then drops out, and whoever alone"
    " stays in has won.",
    _PLAY,
)
ONE_PLAY = _rule("one-play", "After the draw a seat activates one Major at most in its turn.", _BOTH)
LAY_DOWN = _rule(
    "lay-down",
    "Suit cards are laid in the own area, as many as one likes; of the Majors only Empress and Emperor, standing for"
    " one.",
    _BOTH,
)
HAND_LIMIT = _rule(
    "hand-limit",
    "No turn ends with more than five cards in the hand; cards are discarded freely only while there are more, down to"
    " five.",
    _PLAY,
)
CHALLENGE = _rule(
    "challenge",
    "One challenge a turn, by the seat in turn: it names a rival still in and what it wants of that rival's area.",
    _BOTH,
)
STAKES = _rule(
    "challenge-stakes",
    "Each side sets down a quarter of its deck's first size, or all that is left, one card of it face up.",
    _PLAY,
)
WINNER = _rule(
    "challenge-winner",
    "The higher face-up card wins: the loser shows what was won of him unseen, unless it is known, and discards his"
    " stakes, then the winner puts his own on top of his deck; of two alike nothing moves.",
    _BOTH,
)
IN_HAND = _rule("in-hand", "A card is played, laid down or discarded from the hand that holds it.", _RULING)
IN_AREA = _rule("in-area", "A card of an area is named where it lies, a face-down one by its place.", _RULING)
IN_DISCARDS = _rule("in-discards", "A card of a discard pile is taken from the pile it lies on.", _RULING)
IN_DECK = _rule("in-deck", "A card of a deck is taken from the deck that holds it.", _RULING)
EFFECT = _rule("effect", "A Major does what its number says, with every word its effect asks for.", _MAJORS)
SUIT_WIN = _rule(
    "suit-win",
    "An area with two suits whole, from ace to king, wins; they may be the same suit twice.",
    _AIMS_BOTH,
)
POINT_WIN = _rule("point-win", "An area worth the PointTotal of the tags, or more, wins at once.", _AIMS)
TURN_LIMIT = _rule(
    "turn-limit",
    "The game lasts no more turns than the decks had cards together; then the area worth most wins, and areas worth"
    " the same share the win.",
    _AIMS_BOTH,
)

CLAUSES = tuple(_rules)
