"""What is shown of an evening: its rounds and tables, what each game stands at, and who is free."""

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.notation.cgn.result import FORFEIT
from cartulary.records.faults import Fault
from cartulary.records.library.listing import score_in_force
from cartulary.records.library.person_scores import PersonScore, person_scores
from cartulary.records.log.contract import Log
from cartulary.records.state.evening_seats import seats_now
from cartulary.records.state.evenings import ClubEvening, EveningTable, evening_of
from cartulary.records.state.fold import played_game, result_of, variant_of
from cartulary.records.state.games import load
from cartulary.records.state.people import people_of

BYE_WORDS = {"pairing": "", "full": ", a point", "half": ", half a point", "zero": ", no point"}
"""By kind of bye, what is said of it after the name."""


class TableStanding(Struct, frozen=True):
    """A table of an evening, and what its game stands at.

    Attributes:
        table: The table.
        title: The title of the game; empty if the record cannot be read.
        variant: The variant; empty if the game has only one, or the record cannot be read.
        closed: Whether the game is closed; True also if the record cannot be read.
        plies: The number of plies in its record; 0 if it cannot be read.
        result: The result, ``*`` if it is not decided or the record cannot be read.
        score: The points of the seats as in the tag Score; empty if none are counted or the record cannot be read.
        fault: Why the record cannot be read, as a sentence; empty if it can.
        aside: Whether the game was set aside, so that the table no longer counts at its evening.
        persons: What each person has, where people changed seats; empty if nobody did, or if no points are counted.
        forfeit: Whether the game was not played, because somebody did not come.
    """

    table: EveningTable
    title: str = ""
    closed: bool = False
    plies: int = 0
    result: str = "*"
    score: str = ""
    fault: str = ""
    variant: str = ""
    aside: bool = False
    persons: tuple[PersonScore, ...] = ()
    forfeit: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether the persons of the table are not free, because its game is open and is not set aside."""
        return not (self.closed or self.aside)

    @property
    def says(self) -> str:
        """What the game stands at, in words.

        It is ``open, 12 plies`` with the points, if any are counted, or the result of a closed game: ``1-0``, ``1-0-0,
        40:-20:-20``, ``1-0, forfeit`` if it was not played. It is ``set aside`` for a game that was set aside, and the
        reason for a record that cannot be read.
        """
        if self.fault:
            return self.fault
        if self.aside:
            return "set aside"
        score = ", ".join(f"{each.name} {each.points}" for each in self.persons) or self.score
        if not self.closed:
            return f"open, {how_many(self.plies, 'ply', 'plies')}" + (f", {score}" if score and self.plies else "")
        return self.result + (f", {score}" if score else "") + (", forfeit" if self.forfeit else "")


class EveningOverview(Struct, frozen=True):
    """An evening with what its games stand at.

    Attributes:
        evening: The evening.
        standings: Its tables, by round and number.
        free: Who is there and at no table whose game is open.
    """

    evening: ClubEvening
    standings: tuple[TableStanding, ...]
    free: tuple[str, ...]


def evening_overview(store: Log, title: str) -> EveningOverview:
    """Return an evening with what each of its games stands at, and who is free.

    Its tables have those who sit there now, substitutes among them. Who sits at a table whose game is open counts as
    present. A game that cannot be read has its fault in the answer.

    Raises:
        Unfit: There is no such evening.
    """
    evening = evening_of(store, title)
    standings = tuple(standing_of(store, table) for table in evening.tables)
    busy = {person: None for each in standings if each.is_busy for person in each.table.persons}
    present = tuple(dict.fromkeys((*evening.present, *busy)))
    evening = replace(evening, tables=tuple(each.table for each in standings), present=present)
    return EveningOverview(evening, standings, tuple(each for each in evening.present if each not in busy))


def standing_of(store: Log, table: EveningTable) -> TableStanding:
    """Return what the game of a table stands at.

    Args:
        store: The log.
        table: The table as it was set; its game is loaded, and the answer has those who sit there now. If the game
            cannot be read, the answer has the fault and counts as closed.
    """
    try:
        game = load(store, table.game)
    except Fault as fault:
        return TableStanding(table, closed=True, fault=str(fault))
    about, variant = played_game(game).about, variant_of(game)
    score = score_in_force(game)
    aside = bool(game.book.set_aside)
    people = people_of(store)
    return TableStanding(
        seats_now(table, game, people).table,
        about.title,
        game.book.closed,
        game.plies,
        result_of(game),
        score,
        variant=variant,
        aside=aside,
        persons=person_scores(game, people) if game.record.seatings else (),
        forfeit=game.book.termination == FORFEIT,
    )


def evening_fields(overview: EveningOverview) -> dict[str, object]:
    """Return an evening as fields for JSON: its title, tables with what their games stand at, who is there, entrants
    and byes.
    """
    evening = overview.evening
    tables = [
        {
            "round": each.table.round,
            "table": each.table.number,
            "game": each.table.game,
            "title": each.title,
            "variant": each.variant,
            "players": each.table.players,
            "waiting": each.table.waiting,
            "closed": each.closed,
            "plies": each.plies,
            "result": each.result,
            "score": each.score,
            "persons": {person.name: person.points for person in each.persons},
            "aside": each.aside,
            "forfeit": each.forfeit,
        }
        for each in overview.standings
    ]
    top = {"evening": evening.title, "key": evening.key, "date": evening.date, "place": evening.place}
    byes = [{"round": bye.round, "person": bye.person, "kind": bye.kind} for bye in evening.byes]
    numbers = {"rounds": evening.rounds, "entrants": [entrant.name for entrant in evening.entrants], "byes": byes}
    return top | {"tables": tables, "present": evening.present, "free": overview.free} | numbers
