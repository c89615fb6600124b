"""A duel while a word is carried out: the attributes are those of ``State``, and what the word breaks and asks."""

from typing import Any

from msgspec.structs import replace

from cartulary.engine.cards.zones import closed
from cartulary.engine.tarot_duel.state import Side, State
from cartulary.engine.tarot_duel.zones import Zones


class Draft(Zones):
    """A state while a word is carried out; nothing outside this folder sees one."""

    def __init__(self, state: State) -> None:
        """Copy a state as it is once its window has closed unanswered, if it has one."""
        self.house, self.ply, self.sides, self.changed = state.house, state.ply, [*state.sides], []
        self.unseen = unseen = state.unseen
        self.slots = unseen.slots
        self.turn, self.flags, self.turns, self.since = state.turn, state.flags, state.turns, state.since
        self.done, self.due, self.act, self.loose = state.done, state.due, state.act, state.loose
        self.fresh, self.marks, self.ended = state.fresh, state.marks, state.ended
        self.skipped = state.skipped
        self.then: State | None = None

    def frozen(self) -> State:
        """Return the state as it is now."""
        unseen = self.unseen
        return State(
            self.house,
            closed(self.sides, self.changed, Side),
            self.turn,
            self.flags,
            self.turns,
            self.since,
            self.ply,
            self.done,
            self.due,
            self.act,
            self.loose,
            self.fresh,
            self.marks,
            unseen if unseen.slots is self.slots else replace(unseen, slots=self.slots),
            self.then,
            self.ended,
            self.skipped,
        )

    def mark(self, **changes: Any) -> None:
        """Change what lasts beyond a word."""
        self.marks = replace(self.marks, **changes)

    def around(self, seat: int) -> list[int]:
        """Return the seats in turn from one on, itself first."""
        seats = self.house.seats
        return [(seat - 1 + step) % seats + 1 for step in range(seats)]
