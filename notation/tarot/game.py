"""Tarot as a game: its rules and its words put together."""

import msgspec

from cartulary.engine import tarot
from cartulary.engine.parts import Place
from cartulary.engine.tarot import State
from cartulary.notation import tarot as words
from cartulary.notation.bridge import bridged


def _key(state: State) -> tuple[object, ...]:
    start = state.round
    deal = (start.dealer, start.dealt, start.counts, start.bids, start.taker, start.bid, start.called, start.chien)
    laid = (state.house, state.phase, state.turn, state.laid, state.by, state.led, state.played, state.can, state.sure)
    told = (start.discards, start.poignees, start.chelem)
    return deal, laid, told, sorted(map(_encode, state.tricks))


_encode = msgspec.json.Encoder(order="deterministic", enc_hook=str).encode

GAME = bridged(tarot, words, place=Place(_key), tags=("Score", "Pot"))
