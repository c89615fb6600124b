"""Trick games: the rules they share, made from the ``Description`` of a game."""

from cartulary.engine.tricks.description import (
    CARDS_52,
    Description,
    Lead,
    Obligation,
    PlayedDeal,
    follow_suit,
    not_led_before,
    rules_from,
)
from cartulary.engine.tricks.rules import TrickGame
from cartulary.engine.tricks.state import UNKNOWN, Bid, Deal, Move, Pass, Play, ScoredDeal, State, TurnUp, WonTrick

__all__ = [
    "CARDS_52",
    "UNKNOWN",
    "Bid",
    "Deal",
    "Description",
    "Lead",
    "Move",
    "Obligation",
    "Pass",
    "Play",
    "PlayedDeal",
    "ScoredDeal",
    "State",
    "TrickGame",
    "TurnUp",
    "WonTrick",
    "follow_suit",
    "not_led_before",
    "rules_from",
]
