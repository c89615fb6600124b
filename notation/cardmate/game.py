"""Cardmate as a game: its rules and its words put together."""

from operator import attrgetter

from cartulary.engine import cardmate
from cartulary.engine.parts import Place
from cartulary.notation import cardmate as words
from cartulary.notation.bridge import bridged

GAME = bridged(cardmate, words, place=Place(attrgetter("board", "mover", "won")), table=False)
