"""Zarcana as a game: its rules and its words put together."""

from cartulary.engine import zarcana
from cartulary.engine.parts import Place
from cartulary.engine.zarcana import State
from cartulary.notation import zarcana as words
from cartulary.notation.bridge import bridged


def _key(state: State) -> tuple[object, ...]:
    hands = tuple(bytes(sorted(hand)) for hand in state.hands)
    board = (sorted(state.cards.items()), sorted(state.men.items()))
    table = (state.house, board, state.deck, state.pile, state.stash, state.known)
    return hands, table, state.turn, state.course, state.unseen.slots


GAME = bridged(zarcana, words, place=Place(_key))
