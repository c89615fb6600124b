"""Who sits where at a table of an evening now: substitutes and whoever sits out change that during the game.

The stream of the evening says who sat down when the table was set; the record of the game says who sits there since.
"""

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation.seatings import sitting
from cartulary.records.faults import Damaged, UninstalledGame, UnknownGame
from cartulary.records.log.contract import Log
from cartulary.records.state.evenings import EveningTable
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.games import load
from cartulary.records.state.people import People, people_of


class TableSeats(Struct, frozen=True):
    """Who is at a table now.

    Attributes:
        table: The table, with who sits there and who sits out now.
        circle: Everybody at the table in the order in which they sit around it. It begins with whoever has sat out for
            the longest time; where nobody sits out, with the first seat.
    """

    table: EveningTable
    circle: tuple[str, ...]


def load_seats(store: Log, table: EveningTable) -> TableSeats:
    """Load the game of a table and return who is there now; if the game cannot be read, who sat down first."""
    try:
        return seats_now(table, load(store, table.game), people_of(store))
    except (UnknownGame, UninstalledGame, Damaged):
        return TableSeats(table, (*table.waiting, *table.players))


def seats_now(table: EveningTable, game: LiveGame, people: People) -> TableSeats:
    """Return who is at a table now.

    Somebody who sits out and sits down at a seat changes places with who sat there; anybody else who sits down takes
    that person's place.

    Args:
        table: The table as it was set.
        game: Its game.
        people: Under which name each person is shown.
    """
    record, circle = game.record, [*table.waiting, *table.players]
    seated, waiting = list(table.players), list(table.waiting)
    tags = played_game(game).about.seat_tags(game.book.seats) if game.examined.heading.game is not None else ()
    if len(tags) != len(seated):
        return TableSeats(table, tuple(circle))
    # Before the first ply are the tags, in which a name may have been corrected since.
    for ply in sorted({0, *record.seatings}):
        for seat, name in enumerate(people.display_names(sitting(record, tags, ply))):
            before = seated[seat]
            if name in waiting:
                waiting[waiting.index(name) :] = [*waiting[waiting.index(name) + 1 :], before]
            elif name not in circle:
                circle = [name if each == before else each for each in circle]
            seated[seat] = name
    around = [name for name in circle if name in seated or name in waiting]
    first = around.index(waiting[0]) if waiting and waiting[0] in around else 0
    now = replace(table, players=tuple(seated), waiting=tuple(waiting))
    return TableSeats(now, (*around[first:], *around[:first]))
