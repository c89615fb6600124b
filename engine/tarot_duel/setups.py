"""The set-up: what the tags bring, and the state before the first word."""

from msgspec import Struct

from cartulary.engine.contract import Refused, Sheet
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import BLANK, UNKNOWN
from cartulary.engine.tarot_duel.cards import blank
from cartulary.engine.tarot_duel.clauses import SEATED
from cartulary.engine.tarot_duel.decks import faults
from cartulary.engine.tarot_duel.state import IDLE, SEATS, House, Marks, Side, State, Unseen

UNTOLD = 40
"""How many cards, all unknown, a deck has that no tag tells of."""


class Brought(Struct, frozen=True):
    """What the tags bring: each seat's deck, UNKNOWN for an unknown card, and the points that win, 0 for none."""

    decks: tuple[bytes, ...]
    total: int = 0


def untold_sheet(seats: int) -> Brought:
    """Return what a sheet brings whose tags tell nothing."""
    return Brought((bytes((UNKNOWN,)) * UNTOLD,) * seats)


def setup(sheet: Sheet[Brought]) -> State | Refused:
    """Return the state before the first word, or the refusal of the first deck that breaks a rule."""
    if sheet.seats not in SEATS:
        return Refused(f"The game has {how_many(sheet.seats, 'seat')}, expected two to ten", True, SEATED)
    own = sheet.own or untold_sheet(sheet.seats)
    decks: list[bytes] = []
    for seat, brought in enumerate(own.decks, 1):
        deck = bytes(sorted(brought))
        if deck and deck[-1] >= BLANK:
            deck = bytes(sorted(blank(seat) if card >= BLANK else card for card in deck))
        for clause, because in faults(deck):
            return Refused(f"Deck{seat} {because}", True, clause)
        decks.append(deck)
    seats = sheet.seats
    house = House(seats, tuple(decks), own.total, sum(map(len, decks)))
    marks = Marks((b"",) * seats, (b"",) * seats, ((0, 0),) * seats)
    loose = tuple((seat, 0) for seat in range(1, seats + 1))
    unseen = Unseen(found=(b"",) * seats)
    return State(house, tuple(map(Side, decks)), 1, 0, 0, 0, 0, 0, (), IDLE, loose, True, marks, unseen)
