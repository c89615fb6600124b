"""Chess in the words of PGN: SAN, FEN and the tags that go with them."""

import re

from cartulary.engine.chess import OPTIONS, PLACE, RULES, TURNS
from cartulary.engine.chess.setups import CHESS960, VARIANTS, differ, taken_up
from cartulary.notation.chess.entries import TEACHING
from cartulary.notation.chess.fen import read_sheet, write_fen, write_sheet
from cartulary.notation.chess.picture import drawing, picture
from cartulary.notation.chess.primer import PRIMER
from cartulary.notation.chess.words import bare, read, touched, write
from cartulary.notation.contract import About, Boards, Game, Odd, SheetTags, Words

_CALLED = dict.fromkeys(("standard", "chess", "normal", "fromposition", "regular", "classic", "classical"), "standard")
_CALLED |= dict.fromkeys(("orthodox", "standardchess", "normalchess", "regularchess", "classicalchess"), "standard")
_CALLED |= dict.fromkeys(("chess960", "960", "frc", "fischerandom", "fischerrandom", "fischerandomchess"), CHESS960)
_CALLED |= dict.fromkeys(("fischerrandomchess", "wild/fr", "wildfr", "freestyle", "freestylechess"), CHESS960)


def read_variant(text: str) -> str:
    """Return the variant a tag names, whatever its case, blanks and hyphens; the text itself where it names none."""
    return _CALLED.get(re.sub(r"[\s_-]", "", text.lower()), text)


def write_variant(variant: str) -> str:
    """Return the tag's text: nothing for standard chess."""
    return "Chess960" if variant == CHESS960 else ""


ODD = Odd(words=frozenset(("0-0", "0-0-0", "0000")), idle=frozenset(("e.p.",)))

GAME = Game(
    About(
        "chess",
        "Chess",
        "fide-2023",
        (2,),
        "two seats, 32 men on a board of eight by eight, by the FIDE Laws of Chess.",
        lambda seats: ("White", "Black"),
        VARIANTS,
        OPTIONS,
        TEACHING,
        read_variant=read_variant,
        write_variant=write_variant,
        primer=PRIMER,
    ),
    RULES,
    Words(read, write, picture, drawing, touched=touched, bare=bare, odd=ODD),
    TURNS,
    SheetTags(("FEN", "SetUp"), read_sheet, write_sheet),
    place=PLACE,
    boards=Boards("FEN", taken_up, differ, write_fen),
)
