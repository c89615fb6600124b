"""The duel as a game: its words, Deck tags, points and picture put together with its rules.

Cards of one word are written suit by suit, D S C W, each from 1 to K, then T01 to T22, unknown ones at the end; decks,
put-backs and rows are left as they lie. With two seats the opponent is not named.
Laxer than the standard: commas between cards may be left out, cards that have no order may stand in any, and so may
those of a Deck tag; an opponent named where there is but one is read, and so is a prefix of the seat in turn.
"""

from math import inf

from cartulary.engine.slots import exactly
from cartulary.engine.tarot_duel import HIDDEN, PLACE, RULES, SEATS, TURNS, State
from cartulary.engine.tarot_duel.cards import NAMES
from cartulary.notation.contract import About, Game, SheetTags, Words
from cartulary.notation.guide import guide_beside
from cartulary.notation.score import Bounds, seat_points
from cartulary.notation.tarot_duel.picture import drawing, picture
from cartulary.notation.tarot_duel.sheet import OWN_TAGS, read_sheet, write_sheet
from cartulary.notation.tarot_duel.words import prefixed, read, write


def bounds(state: State) -> Bounds:
    """Return the least and the most each area may come to: where face-down cards are unknown there is no most."""
    exact = (exactly(state.unseen.slots, side.area + side.row) for side in state.sides)
    return [(side.points, side.points if known else inf) for side, known in zip(state.sides, exact, strict=True)]


GAME = Game(
    About(
        "tarot-duel",
        "Tarot duel",
        "tarot-duel-2026",
        SEATS,
        "two seats or more, each with a deck of its own; cards are drawn, laid, challenged for, and answered.",
        load_guide=guide_beside(__file__, NAMES),
    ),
    RULES,
    Words(read, write, picture, drawing, prefixed=prefixed),
    TURNS,
    SheetTags(OWN_TAGS, read_sheet, write_sheet),
    seat_points(lambda state: (side.points for side in state.sides), "the areas come to", bounds),
    HIDDEN,
    PLACE,
)
