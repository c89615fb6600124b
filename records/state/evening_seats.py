"""Who sits where at a table of an evening now: substitutes and whoever sits out change that during the game.

The stream of the evening says who sat down when the table was set; the record of the game says who sits there since.
"""

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation.seatings import sitting
from cartulary.records.faults import Damaged, Unfit, UninstalledGame, UnknownGame
from cartulary.records.log.contract import Log
from cartulary.records.state.evenings import EveningTable, evening_of
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.games import load
from cartulary.records.state.people import People, people_of
from cartulary.records.texts import one_spelling


class NextSeats(Struct, frozen=True):
    """Who sits where in the next round at a table where somebody sits out.

    Attributes:
        table: The table as it is then.
        circle: Everybody there, in the order in which they sat around the table when it was set, substitutes in place.
        seat: The seat at which somebody else sits down before that round; 0 if nobody changes places.
        person: Who sits down there; empty if nobody does.
        again: Who sits there and out if nobody changes places: the table as it is now.
    """

    table: EveningTable
    circle: tuple[str, ...]
    again: EveningTable
    seat: int = 0
    person: str = ""


class TableSeats(Struct, frozen=True):
    """Who is at a table now.

    Attributes:
        table: The table, with who sits there and who sits out now.
        circle: Everybody there, in the order in which they sat around the table when it was set, substitutes in place.
        rests: Who sat out in the last round that was played; before the first one, who sits out now.
    """

    table: EveningTable
    circle: tuple[str, ...]
    rests: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[str, ...]:
        """Everybody there in the order around the table, beginning with whoever has sat out for the longest time.

        Where nobody sits out, it begins with whoever sat at the first seat when the table was set.
        """
        first = self.circle.index(self.table.waiting[0]) if self.table.waiting else 0
        return (*self.circle[first:], *self.circle[:first])


def load_seats(store: Log, table: EveningTable) -> TableSeats:
    """Load the game of a table and return who is there now; if it is missing, damaged or not installed, who sat down
    first.

    Raises:
        Unfit: The rules installed here cannot set the game up.
    """
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
        game: Its game. If that has another number of seats than the table, the answer is the table as it was set.
        people: Under which name each person is shown.
    """
    record, circle = game.record, [*table.waiting, *table.players]
    seated, waiting = list(table.players), list(table.waiting)
    tags = played_game(game).about.seat_tags(game.book.seats) if game.examined.heading.game is not None else ()
    if len(tags) != len(seated):
        return TableSeats(table, tuple(circle))
    # Before the first ply are the tags, in which a name may have been corrected since.
    rests: tuple[str, ...] | None = None
    for ply in sorted({0, *record.seatings}):
        rests = tuple(waiting) if ply == game.plies and ply else rests
        for seat, name in enumerate(people.display_names(sitting(record, tags, ply))):
            before = seated[seat]
            if name in waiting:
                waiting[waiting.index(name) :] = [*waiting[waiting.index(name) + 1 :], before]
            elif name not in circle:
                circle = [name if each == before else each for each in circle]
            seated[seat] = name
    there = {*seated, *waiting}
    now = replace(table, players=tuple(seated), waiting=tuple(waiting))
    around = tuple(name for name in circle if name in there)
    return TableSeats(now, around, tuple(waiting) if rests is None else rests)


def next_seats(store: Log, game: LiveGame, sits_out: str = "") -> NextSeats | None:
    """Return who sits where in the next round of a game at a table of an evening where somebody sits out.

    After each round the next one around the table sits out, and whoever has sat out for the longest time plays. Nobody
    changes places before the first round, if they have already changed since the last one, or if nobody who sits out is
    still present.

    Args:
        store: The log.
        game: The game.
        sits_out: Who sits out instead, by name in any capitals; empty for whoever comes next. Somebody who sits out
            already changes nothing.

    Returns:
        The seats of the next round; its ``seat`` is 0 if nobody changes places. None if the game is at no such table.

    Raises:
        Unfit: ``sits_out`` is not at the table.
    """
    try:
        evening = evening_of(store, game.record.tag("Event"))
    except Unfit:
        return None
    people = people_of(store)
    tables = (seats_now(table, game, people) for table in evening.tables if table.game == game.id)
    seats = next((each for each in tables if each.table.waiting), None)
    if seats is None:
        return None
    table, same = seats.table, NextSeats(seats.table, seats.circle, seats.table)
    plays = next((person for person in table.waiting if person in evening.present), "")
    if sits_out:
        wanted = people.display_name(one_spelling(sits_out)).casefold()
        leaves = next((person for person in table.persons if person.casefold() == wanted), "")
        if not leaves:
            raise Unfit(f"{sits_out} is not at this table; expected one of: {', '.join(seats.circle)}.")
    else:
        around = seats.circle.index(table.waiting[-1])
        order = (*seats.circle[around + 1 :], *seats.circle[:around])
        is_due = game.plies and seats.rests == table.waiting
        leaves = next((person for person in order if person in table.players), "") if is_due else ""
    seat = table.seat_of(leaves)
    if not seat or not plays:
        return same
    players = tuple(plays if person == leaves else person for person in table.players)
    waiting = (*(person for person in table.waiting if person != plays), leaves)
    return replace(same, table=replace(table, players=players, waiting=waiting), seat=seat, person=plays)
