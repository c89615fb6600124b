"""Cards typed one by one that are one word together: ``JD XS 4D``, for a list of three, is ``JD,XS,4D``."""

from collections.abc import Sequence
from typing import Any

from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.contract import AnyGame, CardList, Keypad


def listed_cards(game: AnyGame, state: Any, typed: Sequence[str]) -> tuple[str, int]:
    """Return the word that typed words begin with if cards of a list are typed one by one, and how many of them it is.

    A list that is due needs no more than its cards; any other begins as its word does. It must have
    exactly one of the numbers of cards that are allowed.

    Args:
        game: The game.
        state: The state before the word.
        typed: The words as typed, with commas or without.

    Returns:
        ``("", 0)`` if they begin no list.
    """
    if type(state) in GAPS:
        return "", 0
    keypad = game.words.touch.keypad(state, game.turns.first(state))
    for cards in keypad.lists:
        word, number = _of_list(game, keypad, cards, typed)
        if word:
            return word, number
    return "", 0


def _of_list(game: AnyGame, keypad: Keypad, cards: CardList, typed: Sequence[str]) -> tuple[str, int]:
    """Return the word of one list that typed words begin with, and how many of them it is; ``("", 0)`` for none.

    The longest list of an allowed number of cards counts.
    """
    first, named = typed[0], False
    for head in dict.fromkeys((cards.before, cards.before.partition("/")[2], cards.before.rstrip("="))):
        if head and first.lower().startswith(head.lower()):
            first, named = first[len(head) :], True
            break
    if not named and not cards.due:
        return "", 0
    names: list[str] = []
    best = "", 0
    for number, text in enumerate((first, *typed[1:]), 1):
        ended = bool(cards.after) and text.endswith(cards.after)
        pieces = [piece for piece in text.removesuffix(cards.after).split(",") if piece]
        found = [_name(game, keypad, piece) for piece in pieces]
        if not all(found):
            break
        names += found
        if len(names) in cards.sizes:
            best = f"{cards.before}{','.join(names)}{cards.after}", number
        if ended or len(names) >= max(cards.sizes):
            break
    return best


def _name(game: AnyGame, keypad: Keypad, piece: str) -> str:
    """Return the card of a keypad that a piece of a word names, however it is typed; ``~`` for an unknown one.

    Empty if it may be none of the cards, or several.
    """
    if piece == MISSING_WORD:
        return piece
    names = {word for suit in keypad.suits for word, _ in suit.keys}
    if piece.upper() in names:
        return piece.upper()
    meant = {spelled.upper() for spelled in game.words.spellings(piece)} & names
    return meant.pop() if len(meant) == 1 else ""
