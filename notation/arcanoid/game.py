"""Arcanoid as a game: its rules and its words put together."""

from cartulary.engine import arcanoid
from cartulary.engine.parts import Place
from cartulary.notation import arcanoid as words
from cartulary.notation.bridge import bridged

GAME = bridged(arcanoid, words, place=Place(arcanoid.position, 2))
