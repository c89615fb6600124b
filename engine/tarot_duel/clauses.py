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

SEAT_COUNT = _rule("seats", "A duel has two to ten seats.", _RULING)
DECK_SIZE = _rule("deck-size", "A deck has 16, 24, 32 or more cards, always a multiple of eight.", _PAGE)
DECK_MAJORS = _rule("deck-majors", "At most a quarter of a deck is Majors, and none of them is in it twice.", _PAGE)
DECK_COPIES = _rule("deck-copies", "A deck holds at most five copies of any card that is not a Major.", _PAGE)
TURN = _rule(
    "turn",
    "The seats take turns in order, p1 first; another seat speaks only to react, or when a word of its own is due;"
    " one that was skipped may come late, until the turn ends or another action begins.",
    _RULING,
)
REACTION = _rule(
    "reaction",
    "Temperance answers another seat's card before anything else is said; a seat whose Justice lies ready may use"
    " it right after another seat's action.",
    _MAJORS,
)
OPENING_HAND = _rule(
    "opening-hand",
    "Before the first turn each seat draws an eighth of its deck; a word that lists the deck begins"
    " with the cards drawn and leaves none of those out.",
    _PLAY,
)
DRAW_ONE = _rule(
    "draw-one",
    "Each turn begins with one draw from the top of the deck; a seat that cannot make this draw is out, and the last"
    " seat left has won.",
    _PLAY,
)
ONE_PLAY = _rule("one-play", "After the draw a seat may activate one Major in its turn, and no more.", _BOTH)
LAY_DOWN = _rule(
    "lay-down",
    "A seat may lay any number of suit cards in its own area; of the Majors only the Empress and the Emperor,"
    " each standing for a suit card.",
    _BOTH,
)
HAND_LIMIT = _rule(
    "hand-limit",
    "No turn ends with more than five cards in the hand; a seat may discard freely only while it has more, and"
    " only down to five.",
    _PLAY,
)
CHALLENGE = _rule(
    "challenge",
    "A seat may make one challenge in its turn: it names a rival still in the game and the card it wants from that"
    " rival's area.",
    _BOTH,
)
STAKES = _rule(
    "challenge-stakes",
    "Each side stakes a quarter of the cards its deck began with, or all that are left, one of them face up.",
    _PLAY,
)
WINNER = _rule(
    "challenge-winner",
    "The higher face-up card wins; the loser shows the card he lost if it was face down and unknown, and discards"
    " his stakes, then the winner puts his own on top of his deck; if both cards are equal, nothing moves.",
    _BOTH,
)
IN_HAND = _rule("in-hand", "A card that is played, laid down or discarded must be in the hand it comes from.", _RULING)
IN_AREA = _rule("in-area", "A card named in an area must lie there; a face-down card is named by its place.", _RULING)
IN_DISCARDS = _rule("in-discards", "A card taken from a discard pile must lie in that pile.", _RULING)
IN_DECK = _rule("in-deck", "A card taken from a deck must be in that deck.", _RULING)
EFFECT = _rule(
    "effect",
    "A Major has the effect that goes with its number, and no word that the effect asks for is left out.",
    _MAJORS,
)
SUIT_WIN = _rule(
    "suit-win",
    "An area with two complete suits, ace to king, wins; both may be the same suit.",
    _AIMS_BOTH,
)
POINT_WIN = _rule("point-win", "An area worth the PointTotal of the tags, or more, wins at once.", _AIMS)
TURN_LIMIT = _rule(
    "turn-limit",
    "The game lasts at most as many turns as there were cards in all the decks; then the area worth most wins, and"
    " areas"
    " of equal worth share the win.",
    _AIMS_BOTH,
)

CLAUSES = tuple(_rules)
