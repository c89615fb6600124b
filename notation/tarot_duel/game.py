"""The Tarot duel as a game: its rules and its words put together."""

from operator import attrgetter

from cartulary.engine import tarot_duel
from cartulary.engine.parts import Place
from cartulary.notation import tarot_duel as words
from cartulary.notation.bridge import bridged

GAME = bridged(
    tarot_duel,
    words,
    place=Place(
        attrgetter("house", "sides", "turn", "flags", "due", "act", "loose", "fresh", "marks", "unseen.slots", "ended")
    ),
)
