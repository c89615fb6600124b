"""The set-up: variant, options, how many seats, and who begins."""

from msgspec import Struct

from cartulary.engine.arcanoid.clauses import SEATED
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.round import begin, fresh_sides
from cartulary.engine.arcanoid.state import House, State
from cartulary.engine.contract import Refused, Sheet
from cartulary.engine.numbers import how_many, seats_named

REAL = range(2, 11)


class Start(Struct, frozen=True):
    """The game's own tag. first: the seat that begins the first round."""

    first: int = 1


def setup(sheet: Sheet[Start]) -> State | Refused:
    """Return the state before the first deal, or the refusal under ``arcanoid.seats``."""
    gaza = "gaza" in sheet.options
    real = sheet.seats - (1 if gaza else 0)
    if real not in REAL:
        return Refused(f"the game has {how_many(real, 'seat')}{' besides the USA' if gaza else ''}", True, SEATED)
    first = sheet.own.first if sheet.own is not None else 1
    if not 1 <= first <= real:
        return Refused(f"p{first} is to begin, but the seats are {seats_named(real, 'and')}", True, SEATED)
    rounds = int(sheet.options.get("rounds", "5"))
    usa = sheet.seats if gaza else 0
    house = House(sheet.variant, sheet.seats, usa, rounds, first, sheet.options.get("tie", ""))
    draft = Draft(State(house, fresh_sides(sheet.seats)))
    begin(draft)
    return draft.frozen()
