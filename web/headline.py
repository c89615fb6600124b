"""The line over a table: who does what next, or how the game ended, in words for whoever sits there."""

from cartulary.notation.cgn.result import format_result
from cartulary.notation.seat_names import SHORTEST_NAME, is_named, name_seats
from cartulary.records import api
from cartulary.records.state.event_words import result_text
from cartulary.web.visitors import Visitor

LONGEST_LINE = 31
"""How many characters fit in the line on a phone."""
LONGEST_NAME_IN_LINE = 22
"""Up to how many characters of a name stand in the line, which is one line on a phone."""


def headline(view: "api.View", visitor: Visitor) -> str:
    """Return who does what next, such as ``Ann to bid``, or how the game ended, such as ``Ann beat Bela``.

    A seat whose turn it is reads ``Your turn``, with what it is to do. Which moves are legal and how many is not said:
    ``View.turn`` says that.

    Args:
        view: The table as the visitor has it.
        visitor: Who reads it.
    """
    names, position = view.players, view.position
    game, state = position.game, position.state
    if view.closed:
        return result_text(view.result, names)
    outcome = position.calls.outcome or game.rules.outcome(game.turns.settle(state))
    if outcome and view.quietly:
        return "The moves have ended the game"
    if outcome:
        return f"{result_text(format_result(outcome.shares), names)}: {name_seats(outcome.because, names)}"
    if position.only_scored:
        return "Only the score of this game was kept"
    own = visitor.seat if visitor.own else 0
    first = next(iter(position.actors), None)
    if first is None:
        return "Nobody knows whose turn it is"
    usual = f"p{first} to move" if first else "Write what the table does"
    text = game.words.touch.task(state, own or 0) or usual
    mine = f"p{own} to "
    if own and text.startswith(mine):
        does = name_seats(text.removeprefix(mine), names, SHORTEST_NAME)
        return "Your turn" if does == "move" else f"Your turn to {does}"
    line = name_seats(text, names, LONGEST_NAME_IN_LINE)
    return line if len(line) <= LONGEST_LINE else name_seats(text, names, SHORTEST_NAME)


def names_are_drawn(view: "api.View") -> bool:
    """Say whether the players' names stand on the drawing, so that no title has to name them: they are more than two.

    At least one of them must be known.
    """
    return len(view.players) > 2 and any(is_named(seat, view.players) for seat in range(1, len(view.players) + 1))
