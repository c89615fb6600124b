"""How words of board games are tapped: a vacant place or a man, the places it goes to, the men it takes."""

from msgspec import Struct

from cartulary.engine.boards import BoardGame, Move, State
from cartulary.notation.contract import FormBranch as Branch
from cartulary.notation.contract import FormThing as Thing
from cartulary.notation.contract import Touch, WordForm


class BoardTaps(Struct, frozen=True, eq=False):
    """The taps of one board game.

    Attributes:
        rules: The rules of the game.
    """

    rules: BoardGame

    def touch(self) -> Touch[State, Move]:
        """Return the part ``Touch`` of the game, made of the methods of this object."""
        return Touch(path=self.path, form=self.form)

    def path(self, move: Move, state: State) -> tuple[str, ...]:
        """Return the places of a move in order, and those of the men it takes by choice, by their ids on the drawing.

        A pass touches nothing.
        """
        return tuple(map(self._item, (*move.path, *move.takes)))

    def form(self, state: State, seat: int) -> WordForm:
        """Return how the words of a seat are put together, whether or not they are legal; seat 0 writes for the one to
        move.
        """
        game, own = self.rules.game, seat or state.mover
        starts, nodes, ends = list[Branch](), dict[str, tuple[Branch, ...]](), list[str]()
        groups = {
            "own": self._things(state.men[own - 1]),
            "theirs": self._things(state.men[2 - own]),
            "vacant": self._things(~state.occupancy),
            "places": self._things(-1),
        }
        last = "removal" if game.removal is not None else ""
        if state.hands[own - 1]:
            starts.append(Branch("@", group="vacant", next_node=last))
        if game.moves_men and not (state.hands[own - 1] and game.drops_first):
            starts.append(Branch(group="own", next_node="to"))
            jumps = any(man.jumps for man in game.men)
            nodes["to"] = (Branch("-", group="places", next_node="on" if jumps else last),)
            if jumps:
                nodes["on"] = nodes["to"]
                ends.append("on")
        if game.passes != "never":
            starts.append(Branch("Pass", "Pass"))
        if last:
            nodes[last] = (Branch("x", group="theirs", next_node="more"),)
            nodes["more"] = (Branch(",", group="theirs", next_node="more"),)
            ends += (last, "more")
        return WordForm({"start": tuple(starts)} | nodes, groups, tuple(ends))

    def _things(self, places: int) -> tuple[Thing, ...]:
        """Return the places of a set as things to be tapped."""
        names = self.rules.game.board.names
        return tuple(Thing(name, self._item(place)) for place, name in enumerate(names) if places >> place & 1)

    def _item(self, place: int) -> str:
        """Return the id of a place on the drawing."""
        return f"square {self.rules.game.board.names[place]}"
