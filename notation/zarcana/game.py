"""Zarcana as a game: its rules and its words put together."""

from collections.abc import Mapping

from cartulary.engine.zarcana import HIDDEN, OPTIONS, PLACE, RULES, SEATS, TURNS, State
from cartulary.engine.zarcana.ends import bounds
from cartulary.notation.contract import About, Game, Points, Words
from cartulary.notation.score import misstated_score, score
from cartulary.notation.zarcana.drawing import drawing
from cartulary.notation.zarcana.entries import TEACHING
from cartulary.notation.zarcana.picture import picture
from cartulary.notation.zarcana.primer import PRIMER
from cartulary.notation.zarcana.spelling import write
from cartulary.notation.zarcana.words import read


def scores(state: State) -> dict[str, str]:
    """Return Score, the points on the board."""
    return score(least for least, _ in bounds(state))


def misstated(tags: Mapping[str, str], result: str, state: State, ruled: str = "") -> tuple[tuple[str, str, str], ...]:
    """Return Score if it contradicts the board; where cards are unknown, only if it is nothing they can come to."""
    return misstated_score(tags, scores(state), "the board comes to", bounds(state), ruled)


GAME = Game(
    About(
        "zarcana",
        "Zarcana",
        "zarcana-2026",
        SEATS,
        "two to five seats, fifteen pyramids each, on a board of tarot cards that grows, shrinks and splits.",
        options=OPTIONS,
        teaching=TEACHING,
        primer=PRIMER,
    ),
    RULES,
    Words(read, write, picture, drawing, whole=True),
    TURNS,
    points=Points(("Score",), scores, misstated),
    hidden=HIDDEN,
    place=PLACE,
)
