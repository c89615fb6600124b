"""The words of rounds that are entered as their score, from what was entered field by field."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cartulary.notation import NotationError
from cartulary.notation.guide import loosely
from cartulary.records.faults import WrongAnswer
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.people import NOBODY_MERGED, People
from cartulary.records.state.seat_view import players


def word_of_round(game: LiveGame, answers: Mapping[str, str], state: Any, people: People) -> str:
    """Return the word with which a round of a game is entered as its score, with the seat in front if it has one.

    A player's name stands for the seat, as it is shown or as the record has it.

    Args:
        game: The game.
        answers: What was entered, by the names of the fields.
        state: The state of the game that the round is entered in.
        people: The people of the archive, under whose names the players are shown.

    Raises:
        WrongAnswer: An answer cannot be, or one that is needed is missing; it names the field.
    """
    rules = played_game(game)
    try:
        return rules.rounds.word({**_names(game, people), **answers}, state)
    except NotationError as fault:
        try:  # a name as the record has it stands for the seat too
            return rules.rounds.word({**_names(game, NOBODY_MERGED), **answers}, state)
        except NotationError:
            # What was entered is no tag to whoever enters it.
            because = re.sub(r"^the (\w+) tag says ([^,]*)", r"found \2 for \1", fault.because)
            because = because.replace("leave the tag out", "leave it out")
            raise WrongAnswer(because, fault.tag) from None


def corrected_round(game: LiveGame, ply: int, changes: Sequence[str], people: People) -> str:
    """Return the word of a round with other values in some of its fields. Nothing is stored.

    Args:
        game: The game.
        ply: The ply of the round, from 1.
        changes: The fields with their new values, ``Points=51``; an empty value removes the answer. The names of fields
            may be written in small letters.
        people: The people of the archive, under whose names the players are shown.

    Returns:
        The word with its prefix; empty if there are no changes, the ply is no round that was entered as its score, or a
        change names no field of it or has no ``=``.

    Raises:
        WrongAnswer: An answer cannot be, or one that is needed is missing; it names the field.
    """
    if not changes or not 1 <= ply <= game.plies_reached:
        return ""
    rounds, step = played_game(game).rounds, game.examined.steps[ply - 1]
    before = rounds.answers(step.result.move)
    names = {loosely(each.name): each.name for each in rounds.fields(step.state)}
    pairs = [change.partition("=") for change in changes]
    if not before or any(not sign or loosely(name) not in names for name, sign, _ in pairs):
        return ""
    answers = before | {names[loosely(name)]: value.strip() for name, _, value in pairs}
    return word_of_round(game, answers, step.state, people)


def _names(game: LiveGame, people: People) -> dict[str, str]:
    """Return the players' names, as ``people`` shows them, by the tags of their seats: ``{"Seat1": "Ada", "Seat2":
    "?"}``.

    Added to what was entered, they let a name stand for a seat there.
    """
    rules = played_game(game)
    return dict(zip(rules.about.seat_tags(game.book.seats), players(game.record, people), strict=True))
