"""Zarcana as a game: its rules and its words put together."""

from cartulary.engine.zarcana import HIDDEN_CARDS, OPTIONS, PLACE, RULES, SEATS, TURNS
from cartulary.engine.zarcana.cards import NAMES
from cartulary.engine.zarcana.turns import bounds
from cartulary.notation.card_spellings import CardSpelling
from cartulary.notation.contract import About, Game, Touch, Words
from cartulary.notation.guide import guide_beside
from cartulary.notation.score import seat_points
from cartulary.notation.zarcana.form import form, keypad
from cartulary.notation.zarcana.picture import drawing, picture
from cartulary.notation.zarcana.spelling import write
from cartulary.notation.zarcana.words import read

GAME = Game(
    about=About(
        key="zarcana",
        title="Zarcana",
        edition="zarcana-2026",
        seats=SEATS,
        says="two to five seats, fifteen pyramids each, on a board of tarot cards that grows, shrinks and splits.",
        options=OPTIONS,
        load_guide=guide_beside(__file__, NAMES),
    ),
    rules=RULES,
    words=Words(
        read=read,
        write=write,
        picture=picture,
        drawing=drawing,
        touch=Touch(keypad=keypad, form=form),
        whole=True,
        spellings=CardSpelling("123456789XJNQK", "SWCD", last_trump=21).words,
    ),
    turns=TURNS,
    points=seat_points(lambda state: (least for least, _ in bounds(state)), "the board comes to", bounds),
    hidden=HIDDEN_CARDS,
    place=PLACE,
)
