"""The set-up: seats, options, and a deck of which nothing is known until the table tells."""

from functools import cache

from cartulary.engine.contract import Option, Refused, Sheet
from cartulary.engine.slots import SLOT, Kind, Slots
from cartulary.engine.zarcana.cards import EXTRA, EXTRAS, Several
from cartulary.engine.zarcana.clauses import SEATED
from cartulary.engine.zarcana.places import FIRST_NINE
from cartulary.engine.zarcana.state import OPEN_BOARD, OPEN_DECK, Course, House, State, Unseen

SEATS = (2, 3, 4, 5)
OPTIONS = (
    Option("extra", "Extra cards are shuffled in, those named.", Several(EXTRAS)),
    Option("tie", "Of seats that tie, the one wins whose own best card is the highest.", ("highest-card",)),
)


def setup(sheet: Sheet[None]) -> State | Refused:
    """Return the state before the first word: nine cards, hands of three, a deck, all unknown."""
    if sheet.seats not in SEATS:
        return Refused(f"The game has {sheet.seats} seats, expected 2 to 5", True, SEATED)
    return _first(sheet.seats, sheet.options.get("extra", ""), sheet.options.get("tie") == "highest-card")


@cache
def _first(seats: int, extra: str, highest: bool) -> State:
    extras = extra.split(",")
    every = bytes(range(EXTRA)) + bytes(EXTRA + at for at, name in enumerate(EXTRAS) if name in extras)
    mask = sum(1 << card for card in every)
    unseen = Unseen(Slots((Kind(0, mask, len(every)),), (every,)))
    opening = OPEN_BOARD | OPEN_DECK | sum(1 << seat for seat in range(1, seats + 1))
    blank = bytes((SLOT,))
    return State(
        House(seats, every, highest),
        dict.fromkeys(FIRST_NINE, (SLOT,)),
        {},
        (blank * 3,) * seats,
        blank * (len(every) - 9 - 3 * seats),
        b"",
        b"\5" * 3 * seats,
        0,
        1,
        0,
        0,
        Course(opening),
        unseen,
    )
