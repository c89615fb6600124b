"""Arcanoid as a game: its rules and its words put together."""

from msgspec.structs import replace

from cartulary.engine.arcanoid import HIDDEN, OPTIONS, PLACE, RULES, SEATS, TURNS, VARIANTS, score
from cartulary.notation.arcanoid.drawing import drawing
from cartulary.notation.arcanoid.entries import TEACHING
from cartulary.notation.arcanoid.picture import picture
from cartulary.notation.arcanoid.primer import PRIMER
from cartulary.notation.arcanoid.sheet import read_sheet, whereabouts, write_sheet
from cartulary.notation.arcanoid.words import read, write
from cartulary.notation.contract import About, Game, SheetTags, Words
from cartulary.notation.score import seat_points

GAME = Game(
    About(
        "arcanoid",
        "Arcanoid",
        "arcanoid-2026",
        SEATS,
        "four battles a round, fought with the 78 tarot cards, whose trumps bend the rules.",
        variants=VARIANTS,
        options=OPTIONS,
        teaching=TEACHING,
        primer=PRIMER,
    ),
    RULES,
    Words(read, write, picture, drawing, whole=True),
    TURNS,
    SheetTags(("Setup",), read_sheet, write_sheet),
    seat_points(score, "the fields won are"),
    replace(HIDDEN, whereabouts=whereabouts),
    PLACE,
)
