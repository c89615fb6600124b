"""How words of board games are tapped: a vacant place or a man, the places it goes to, the men it takes."""

from msgspec import Struct

from cartulary.engine.boards import BoardGame, Move, State
from cartulary.engine.sets import members
from cartulary.notation.contract import Touch, TouchTarget, TouchTargets


class BoardTaps(Struct, frozen=True, eq=False):
    """The taps of one board game.

    Attributes:
        rules: The rules of the game.
    """

    rules: BoardGame

    def touch(self) -> Touch[State, Move]:
        """Return the part ``Touch`` of the game, made of the methods of this object."""
        return Touch(targets=self.targets, path=self.path)

    def path(self, move: Move, state: State) -> tuple[str, ...]:
        """Return the places of a move in order, and those of the men it takes by choice, by their ids on the drawing.

        A pass touches nothing.
        """
        return tuple(map(self._item, (*move.path, *move.takes)))

    def targets(self, state: State, seat: int) -> TouchTargets:
        """Return what a seat may touch, legal or not: vacant places while it puts men, else its men and every place.

        Men are taken by choice only where the rules may be shown, so there nothing is listed; nor is anything while men
        are both put and moved. A further jump is typed.
        """
        game, hand = self.rules.game, state.hands[seat - 1]
        if game.removal is not None or (hand and game.moves_men and not game.drops_first):
            return TouchTargets()
        passes = (TouchTarget("Pass"),) if game.passes != "never" else ()
        places = range(len(game.board.names))
        if hand:
            vacant = (place for place in places if not state.occupancy >> place & 1)
            return TouchTargets((*(self._target("@", place) for place in vacant), *passes))
        own = tuple(self._target("", place) for place in members(state.men[seat - 1]))
        return TouchTargets((*own, *passes), tuple(self._target("-", place) for place in places))

    def _target(self, before: str, place: int) -> TouchTarget:
        """Return a place as a thing to be touched, with a text before its name in the word."""
        return TouchTarget(before + self.rules.game.board.names[place], self._item(place))

    def _item(self, place: int) -> str:
        """Return the id of a place on the drawing."""
        return f"square {self.rules.game.board.names[place]}"
