"""My game: noughts and crosses, until you write your own."""

from cartulary.notation import About, Game, guide_beside

from .rules import RULES, TURNS
from .words import WORDS

__all__ = ["GAME"]

GAME = Game(
    about=About(
        key="my-game",
        title="My game",
        edition="my-game-1",
        seats=(2,),
        says="two seats, three squares by three, three marks in a row",
        seat_tags=lambda seats: ("Crosses", "Noughts"),
        load_guide=guide_beside(__file__),
    ),
    rules=RULES,
    words=WORDS,
    turns=TURNS,
)
