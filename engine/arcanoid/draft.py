"""A record's state while a word is carried out: its cards on their way, and what the word breaks.

Nothing outside this folder sees a draft; it begins as a copy of a state and ends as another state.
"""

from cartulary.engine.arcanoid.clauses import FACE_DOWN, FOOL
from cartulary.engine.arcanoid.state import Due, Side, State, who_name
from cartulary.engine.arcanoid.zones import Zones
from cartulary.engine.cards.draft import AnyClause
from cartulary.engine.cards.zones import closed
from cartulary.engine.contract import Need, Open


class Draft(Zones):
    """A state while a word is carried out; the attributes are those of ``State``."""

    __slots__ = (*State.__struct_fields__, "changed", "doubtful", "from_row")

    def __init__(self, state: State, from_row: int = 0) -> None:
        """Copy a state, without its other readings; from_row: of ``Zones``."""
        self.house, self.sides, self.changed = state.house, [*state.sides], []
        self.deck, self.pile, self.row = state.deck, state.pile, state.row
        self.aside, self.gone, self.devil = state.aside, state.gone, state.devil
        self.temper, self.touched, self.dead = state.temper, state.touched, state.dead
        self.turn, self.mover, self.extra = state.turn, state.mover, state.extra
        self.dues: list[Due] = [*state.dues]
        self.told, self.round, self.lap = state.told, state.round, state.lap
        self.begun, self.clock, self.ply = state.begun, state.clock, state.ply
        self.wins, self.slots, self.doubts = state.wins, state.slots, state.doubts
        self.proved, self.ended, self.unread = state.proved, state.ended, state.unread
        self.lent, self.skipped = state.lent, state.skipped
        self.from_row, self.doubtful = from_row, 0

    def frozen(self) -> State:
        """Return the state as it is now."""
        sides = closed(self.sides, self.changed, Side)
        return State(
            self.house, sides, self.deck, self.pile, self.row, self.aside, self.gone, self.devil, self.temper,
            self.touched, self.dead, self.turn, self.mover, self.extra, tuple(self.dues), self.told, self.round,
            self.lap, self.begun, self.clock, self.ply, self.wins, self.slots, self.doubts, self.proved, self.ended,
            self.unread, self.lent, self.skipped,
        )  # fmt: skip

    def owe(self, clause: AnyClause, because: str) -> None:
        """Note that something else comes first; of what the word breaks beside, nothing is told then."""
        self.refuse(clause, because)
        self.decided = True

    def wonder(self, clause: AnyClause, who: int) -> None:
        """Note that it depends on a hand, or on what lies face down, whether a rule is broken; of several hands it is
        one question. Nobody asks about what lies face down before it is turned up.
        """
        asks = clause not in (FACE_DOWN, FOOL)
        need = Need(
            f"the hand of {who_name(who)}" if asks else f"what {who_name(who)} committed face down", (), self.ply
        )
        needs = self.opens[0].needs if self.opens else ()
        if need not in needs:
            self.opens = ()
            self.ask(clause, Open((*needs, need), asks))
