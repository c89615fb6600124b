"""A side while a word is applied: the one thing here that changes in place."""

from cartulary.engine.arcanoid.state import Commitment, Side


class Seat:
    """A side while a word is applied; the fields are those of ``Side``."""

    __slots__ = Side.__struct_fields__

    def __init__(self, side: Side) -> None:
        """Copy a side."""
        self.hand, self.open = side.hand, side.open
        self.size, self.wide = side.size, side.wide
        self.reserve: bytes | None = side.reserve
        self.fields: tuple[Commitment | None, ...] = side.fields
        self.hermit, self.spent, self.plays = side.hermit, side.spent, side.plays
        self.shown, self.looked = side.shown, side.looked

    def frozen(self) -> Side:
        """Return the side as it is now."""
        return Side(
            self.hand,
            self.open,
            self.size,
            self.wide,
            self.reserve,
            self.fields,
            self.hermit,
            self.spent,
            self.plays,
            self.shown,
            self.looked,
        )
