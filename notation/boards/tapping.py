"""How words of board games are tapped: a vacant place or a man, the places it goes to, the men it takes."""

from collections.abc import Iterator

from msgspec import Struct

from cartulary.engine.boards import BoardGame, Move, State
from cartulary.engine.sets import members
from cartulary.notation.contract import Touch, TouchEnds, TouchTarget, TouchTargets


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
        """Return the places of a move in order, and that of the man it takes by choice, by their ids on the drawing.

        A pass touches nothing, nor does a move that takes several men by choice.
        """
        return tuple(map(self._item, (*move.path, *move.takes))) if len(move.takes) < 2 else ()

    def targets(self, state: State, seat: int) -> TouchTargets:
        """Return what a seat may touch, legal or not: vacant places if it puts men, else its men and every place.

        A move that takes a man by choice is ended by a man of the other seat. Of several jumps the last place is
        enough, unless they may go two ways.
        """
        game, hand = self.rules.game, state.hands[seat - 1]
        places = range(len(game.board.names))
        things = [self._target("@", place) for place in places if hand and not state.occupancy >> place & 1]
        goes: tuple[TouchTarget, ...] = ()
        if game.moves_men and not (hand and game.drops_first):
            things += (self._target("", place) for place in members(state.men[seat - 1]))
            goes = tuple(self._target("-", place) for place in places)
        if game.passes != "never":
            things.append(TouchTarget("Pass"))
        if game.removal is None:
            return TouchTargets(tuple(things), goes)
        theirs = tuple(self._target("x", place) for place in members(state.men[2 - seat]))
        return TouchTargets(tuple(things), goes, TouchEnds(theirs, tuple(self._beginnings(state, seat, bool(goes)))))

    def _beginnings(self, state: State, seat: int, moves: bool) -> Iterator[str]:
        """Yield the beginnings of words, such as ``@a1`` or ``a1-a4``, that take a man by choice.

        ``moves`` says whether men on the board are moved.
        """
        names, vacant = self.rules.game.board.names, [place for place, man in enumerate(state.ids) if not man]
        starts = members(state.men[seat - 1]) if moves else ()
        paths = [*(((place,) for place in vacant) if state.hands[seat - 1] else ())]
        paths += [(start, to) for start in starts for to in vacant]
        for path in paths:
            if self.rules.due(state, Move(seat, path)):
                yield "@" * (len(path) == 1) + "-".join(names[place] for place in path)

    def _target(self, before: str, place: int) -> TouchTarget:
        """Return a place as a thing to be touched, with a text before its name in the word."""
        return TouchTarget(before + self.rules.game.board.names[place], self._item(place))

    def _item(self, place: int) -> str:
        """Return the id of a place on the drawing."""
        return f"square {self.rules.game.board.names[place]}"
