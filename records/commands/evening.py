"""An evening: opening it, setting its tables, and who comes and leaves."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import NotationError, find_game
from cartulary.notation.guide import near_names
from cartulary.notation.roster import NotLoaded, every_game
from cartulary.records.commands.new import NewRequest, Opening, draft_opening, id_begins, opening_of
from cartulary.records.commands.request import Request, field, reused_key
from cartulary.records.commands.reveal import make_quiet
from cartulary.records.dates import read_date, today
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.titles import meant_variant
from cartulary.records.log.aside_events import ByeSet, EveningOpened, PersonCame, PersonLeft, TableSet, TournamentStated
from cartulary.records.log.aside_streams import append_aside, aside_events
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.fields import MOST
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.described_games import description_tags
from cartulary.records.state.evening_seats import load_seats
from cartulary.records.state.evenings import PREFIX, ClubEvening, EveningTable, evening_key, evening_of, fold_evening
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.games import load
from cartulary.records.state.links import is_played, needs_quiet
from cartulary.records.state.people import People, people_of
from cartulary.records.texts import canonical_name, clean_name, keepable, now, one_spelling, single_spaced

MOST_ROUNDS = 999
BOARD = "Board"
"""The tag with the number of the table. ``Table`` says how a co-operative game ended."""


class OpenEveningRequest(Request, frozen=True):
    """An evening to be opened. Of one that is there already, what is given is changed."""

    title: Annotated[str, field("What the evening is called.", "NAME")]
    date: Annotated[str, field("The day; by default today.", "DATE")] = ""
    place: Annotated[str, field("Where it is.", "TEXT")] = ""
    rounds: Annotated[int, field("How many rounds it is to have, as a tournament.", "N")] = 0


class SetTableRequest(Request, frozen=True):
    """A table of an evening to be set.

    Attributes:
        evening: The title of the evening.
        game: The title or key of the game that is played.
        players: The persons in the order in which they sit. If there are more than seats, the first ones sit out.
        round: The round; 0 for the last one, or the first.
        table: The number of the table; 0 for the next in the round.
        seats: The number of seats; 0 for as many as there are persons.
        variant: The variant, in place of the tag Variant.
        tags: Any other tags.
        unjudged: Whether nobody judges the record; then ``game`` may be any name.
        id: The id of the record; empty for one made of the evening, the round and the table.
    """

    evening: Annotated[str, field("The title of the evening.", "EVENING")]
    game: Annotated[str, field("The name of the game.", "GAME")]
    players: Annotated[tuple[str, ...], field("A person; give them in the order in which they sit.", "NAME")]
    round: Annotated[int, field("The round; by default the last one.", "N")] = 0
    table: Annotated[int, field("The number of the table; by default the next in the round.", "N")] = 0
    seats: Annotated[int, field("How many seats; by default as many as there are persons.", "N")] = 0
    variant: Annotated[str, field("One of the game's variants.")] = ""
    tags: Annotated[Mapping[str, str], field("Any other tag.", "NAME=VALUE")] = {}
    unjudged: Annotated[bool, field("Judge nothing, so that any GAME will do.")] = False
    id: Annotated[str, field("The id of the record; by default spring-1-2 for round 1, table 2.")] = ""


class PresenceRequest(Request, frozen=True):
    """Persons who came to an evening, or left it; ``left`` says which."""

    evening: Annotated[str, field("The title of the evening.", "EVENING")]
    persons: Annotated[tuple[str, ...], field("A person.", "NAME")]
    left: Annotated[bool, field("They left; otherwise they came.")] = False


class SetTable(Struct, frozen=True):
    """A table that was set, and the evening as it is then; with a sentence for each house rule of the club that its
    game cannot have.
    """

    evening: ClubEvening
    table: EveningTable
    remarks: tuple[str, ...] = ()


def open_evening(store: Log, request: OpenEveningRequest) -> ClubEvening:
    """Open an evening, or change the date, place and number of rounds of one; the same again writes nothing.

    Args:
        store: The log.
        request: The evening. For one that is there, an empty date or place, or 0 rounds, leaves what it has.

    Returns:
        The evening as it is then.

    Raises:
        Unfit: The title names nothing or is too long, or the date or the number of rounds cannot be.
        Declined: Another evening has a title that differs only in characters such as a hyphen for a blank; or the
            command was given before for something else.
    """
    title = single_spaced(one_spelling(keepable(request.title, "The evening's name")))
    key, place = evening_key(title), single_spaced(request.place)
    date = read_date(request.date) if request.date else ""
    if not 0 <= request.rounds <= MOST_ROUNDS:
        raise Unfit(f"{request.rounds} is not a number of rounds; expected 1 to {MOST_ROUNDS}.")

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        if _written(recorded, request):
            return ()
        there = fold_evening(key, recorded, people_of(store)) if recorded else None
        if there is not None and there.title.casefold() != title.casefold():
            raise Declined(f"There is an evening {there.title}, which differs in signs only; choose another name.")
        wanted = (date or (there.date if there else today()), place or (there.place if there else ""))
        events: list[Event] = []
        if there is None or (there.date, there.place) != wanted:
            name = there.title if there else title
            events.append(EveningOpened(**event_head(request), title=name, date=wanted[0], place=wanted[1]))
        if request.rounds and (there is None or there.rounds != request.rounds):
            events.append(_rounds_stated(request, there))
        return events

    append_aside(store, f"{PREFIX}{key}", draft)
    return evening_of(store, title)


def _rounds_stated(request: OpenEveningRequest, there: ClubEvening | None) -> TournamentStated:
    """Return the event that states the number of rounds of an evening; nothing is written.

    Args:
        request: The request, with the number of rounds.
        there: The evening as it is, whose other statements about the tournament are kept; None if it is new.
    """
    at, by, command = event_head(request).values()
    lines = there.lines if there else ()
    return TournamentStated(at=at, by=by, command=command, rounds=request.rounds, lines=lines)


def record_presence(store: Log, request: PresenceRequest) -> ClubEvening:
    """Write down that persons came to an evening, or left it, and return the evening as it is then.

    Somebody who comes and is there already is not written down again.

    Args:
        store: The log.
        request: The evening, the persons, and whether they left.

    Raises:
        Unfit: There is no such evening, nobody is named, or a name cannot be or is given twice.
        Declined: Somebody who is to leave is not there, or the command was given before for something else.
    """
    evening = evening_of(store, request.evening)
    persons = persons_of(store, request.persons)

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        if _written(recorded, request):
            return ()
        present = fold_evening(evening.key, recorded, people_of(store)).present
        if not request.left:
            return [PersonCame(**event_head(request), person=each) for each in persons if each not in present]
        for person in persons:
            if person not in present:
                raise Declined(f"{person} is not at {evening.title}; `evening '{evening.title}'` shows who is.")
        return [PersonLeft(**event_head(request), person=each) for each in persons]

    append_aside(store, evening.stream, draft)
    return evening_of(store, request.evening)


def set_table(store: Log, request: SetTableRequest) -> SetTable:
    """Open a game at a table of an evening, and note the table.

    The record of the game gets the tags Event, Date, Round and Board, and Site if the place is known. Of more persons
    than seats the first ones named sit out, as the dealer does where five play at a table for four.

    Args:
        store: The log.
        request: The table. Given again with its command, or with the same number, it opens no second game.

    Returns:
        The table, the evening as it is then, and a sentence for each house rule of the club that the game cannot have.

    Raises:
        Unfit: There is no such evening or game, a name or number cannot be, or the tags set up no game.
        Declined: There is another table of that number, somebody still plays elsewhere, another game has the id, or the
            command was given before for something else.
    """
    evening = evening_of(store, request.evening)
    [answer] = write_tables(store, evening, [draft_table(store, evening, request)])
    return answer


class TableDraft(Struct, frozen=True):
    """A table that can be set: everything about it was checked, and nothing is written yet.

    Attributes:
        table: The table.
        opening: What opens its game; None if the game is there already.
        request: The request to set it.
    """

    table: EveningTable
    opening: Opening | None
    request: SetTableRequest


def draft_table(store: Log, evening: ClubEvening, request: SetTableRequest) -> TableDraft:
    """Return a table as ``set_table`` would set it: checked, with its numbers, id and persons filled in.

    Nothing is written.

    Args:
        store: The log.
        evening: The evening as it is now.
        request: The table. If its command has set a table before, or that very table is there, it is drafted again,
            with None as its opening.

    Raises:
        Unfit: As ``set_table`` says.
        Declined: As ``set_table`` says.
    """
    if not (request.variant or request.unjudged):
        title, variant = meant_variant(store, request.game)
        request = replace(request, game=title, variant=variant)
    persons = persons_of(store, request.players)
    for number, what in ((request.round, "round"), (request.table, "table")):
        if not 0 <= number <= MOST:
            raise Unfit(f"{number} is not the number of a {what}; expected 1 or more.")
    before = table_of_command(store, evening, request.command)
    round = before.round if before else request.round or max(1, evening.last_round)
    tables = [table.number for table in evening.tables_of(round)]
    number = before.number if before else request.table or max(tables, default=0) + 1
    sitting_out = max(0, len(persons) - request.seats) if request.seats else 0
    at_seats, waiting = persons[sitting_out:], persons[:sitting_out]
    there = evening.table_at(round, number)
    id = request.id or f"{id_begins(evening.key)}-{round}-{number}"
    wanted = EveningTable(round, number, there.game if there else id, at_seats, waiting)
    if there is not None and wanted != there:
        names = ", ".join(there.persons)
        raise Declined(
            f"Round {round} of {evening.title} has a table {number} already: {names}, at {there.game}. "
            "Give another number, or none for the next."
        )
    if there is None:
        _check_free(store, evening, persons)
    return TableDraft(wanted, _opening(store, evening, wanted, request), request)


def write_tables(
    store: Log, evening: ClubEvening, drafts: Sequence[TableDraft], byes: Sequence[ByeSet] = ()
) -> tuple[SetTable, ...]:
    """Set tables that were checked, and return each with the evening as it is then, in the order of the drafts.

    All games are opened in one transaction, and then all tables are noted in another. If only the first was done, the
    same request does the rest. Where links of the evening ask for it, the games become quiet.

    Args:
        store: The log.
        evening: Their evening.
        drafts: The tables.
        byes: Byes that are written down with the tables, unless a person has the same already.

    Raises:
        Declined: Somebody else has just set one of the tables, or opened a game with its id.
    """
    openings = [each.opening for each in drafts if each.opening is not None]
    existing = store.write_new([draft_opening(opening)[1] for opening in openings])
    for each in drafts:
        if each.table.game in existing:
            _check_same(store, evening, each.table)
        _make_quiet(store, evening, each.table.game, each.request.by)

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        there = fold_evening(evening.key, recorded, people_of(store))
        events = []
        for each in drafts:
            table = each.table
            now_there = there.table_at(table.round, table.number)
            if now_there is None:
                events.append(_table_set(table, each.request))
            elif now_there != table:
                raise Declined(f"Somebody else has just set table {table.number} of round {table.round}; try again.")
        known = {(bye.round, bye.person, bye.kind) for bye in there.byes}
        return [*events, *(bye for bye in byes if (bye.round, bye.person, bye.kind) not in known)]

    append_aside(store, evening.stream, draft)
    for each in drafts:
        _make_quiet(store, evening, each.table.game, each.request.by)  # links may have been made in the meantime
    now_there = evening_of(store, evening.title)
    return tuple(
        SetTable(now_there, each.table, each.opening.remarks if each.opening is not None else ()) for each in drafts
    )


def _table_set(table: EveningTable, request: Request) -> TableSet:
    """Return the event that notes a table of an evening: its numbers, its game, and who sits and who waits there."""
    return TableSet(
        **event_head(request),
        round=table.round,
        table=table.number,
        game=table.game,
        players=table.players,
        waiting=table.waiting,
    )


def _make_quiet(store: Log, evening: ClubEvening, game: str, by: str) -> None:
    """Make an open game of an evening quiet, if links of the evening ask for it.

    In a quiet record the seats are not shown what the rules say. A closed game stays as it is.

    Args:
        store: The log.
        evening: The evening.
        game: The id of the game.
        by: Who writes.
    """
    if needs_quiet(store, evening.key) and not load(store, game).book.closed:
        make_quiet(store, game, by=by)


def _opening(store: Log, evening: ClubEvening, table: EveningTable, request: SetTableRequest) -> Opening | None:
    """Return what opens the game of a table; None if this very game is there. Nothing is written.

    Raises:
        Unfit: There are no rules of the game, or the tags set up none.
        Declined: Another game has the id of the table.
    """
    _check_game(store, request)
    if store.head(table.game) is not None:
        if evening.table_at(table.round, table.number) is None:
            _check_same(store, evening, table)
        return None
    tags = {"Event": evening.title, "Date": evening.date, "Round": str(table.round), BOARD: str(table.number)}
    tags |= ({"Site": evening.place} if evening.place else {}) | dict(request.tags)
    opened = NewRequest(
        game=request.game,
        id=table.game,
        variant=request.variant,
        players=table.players,
        seats=request.seats,
        tags=tags,
        unjudged=request.unjudged,
        by=request.by,
        command=request.command,
    )
    opening = opening_of(store, opened)
    draft_opening(opening)
    return opening


def _check_same(store: Log, evening: ClubEvening, table: EveningTable) -> None:
    """Raise Declined if the game with the id of a table does not belong to that table.

    It belongs there if its tags Event, Round and Board say so, and the same persons sat at its seats first.
    """
    game = load(store, table.game)
    wanted = {"Event": evening.title, "Round": str(table.round), BOARD: str(table.number)}
    is_same = all(game.record.tag(name) == value for name, value in wanted.items())
    if not is_same or _first_at_seats(game, people_of(store)) != table.players:
        raise Declined(f"There is another game {table.game} already; give the record an id of its own.")


def _first_at_seats(game: LiveGame, people: People) -> tuple[str, ...]:
    """Return who sat at each seat first, in seat order, under the names that are shown for these persons."""
    tags = played_game(game).about.seat_tags(game.book.seats)
    return people.display_names(game.record.tag(tag) for tag in tags)


def _check_game(store: Log, request: SetTableRequest) -> None:
    """Raise Unfit if there are no rules and no description of a game that is to be judged.

    A game whose rules failed to load passes here, since opening it says why. So does one that nobody is to judge.
    """
    try:
        find_game(request.game)
    except NotLoaded:
        return  # opening the game says why
    except NotationError:
        if request.unjudged or description_tags(store, request.game)[1]:
            return
        near = near_names(request.game, [game.about.title for game in every_game().values()], 1)
        title = " ".join(request.game.split())
        hint = f"did you mean {near[0]}? W" if near else "w"
        raise Unfit(
            f"No rules for {title or 'a game without a name'} are installed; {hint}ith --unjudged any name will do."
        ) from None


def _check_free(store: Log, evening: ClubEvening, persons: Sequence[str]) -> None:
    """Raise Declined if one of some persons is at a table of the evening whose game is still open.

    Sitting out there counts too. Open means that the game is neither closed nor set aside.
    """
    for table in (load_seats(store, each).table for each in evening.tables):
        both = [person for person in persons if person in table.persons]
        if both and is_played(load(store, table.game)):
            where = f"table {table.number} of round {table.round}, {table.game}, which is still open"
            raise Declined(f"{', '.join(both)} {'is' if len(both) == 1 else 'are'} at {where}.")


def table_of_command(store: Log, evening: ClubEvening, command: str) -> EveningTable | None:
    """Return the table of an evening that a command set before; None if it set none, and for an empty command.

    Raises:
        Declined: The command wrote something else to this evening.
        Unfit: The key of the command cannot be stored.
    """
    keepable(command, "The command id")
    for entry in aside_events(store, evening.stream) if command else ():
        if entry.event.command == command:
            if not isinstance(entry.event, TableSet):
                raise reused_key(command, evening.stream)
            return evening.table_at(entry.event.round, entry.event.table)
    return None


def persons_of(store: Log, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of persons in the spelling in which the list of people shows them, in the same order.

    Raises:
        Unfit: No name is given, or one is empty, is ``?``, cannot be stored or is given twice.
        Declined: A name has a ``}``.
    """
    if not names:
        raise Unfit("Nobody is named; expected the names of persons, such as -p Ann -p Bea.")
    shown = people_of(store).display_name
    persons = tuple(shown(clean_name(canonical_name(name, "The person's name"))) for name in names)
    for person in persons:
        if person in ("", "?"):
            raise Unfit("A name is empty; expected the name of a person.")
        if persons.count(person) > 1:
            raise Unfit(f"{person} is named twice; give each person once.")
    return persons


def event_head(request: Request) -> dict[str, str]:
    """Return what every event of a request begins with, by the names of the fields.

    These are ``at`` (the present time in UTC), ``by`` (who writes) and ``command`` (the key of the command, empty for
    none).

    Raises:
        Unfit: The name or the key cannot be stored.
        Declined: The name has a ``}``.
    """
    return {"at": now(), "by": clean_name(request.by), "command": keepable(request.command, "The command id")}


_KINDS: dict[type[Request], tuple[type[Event], ...]] = {
    OpenEveningRequest: (EveningOpened, TournamentStated),
    PresenceRequest: (PersonCame, PersonLeft),
}


def _written(recorded: Sequence[RecordedEvent], request: Request) -> bool:
    """Say whether the command of a request was carried out before. A request without a command key never was.

    Args:
        recorded: All events of the evening.
        request: The request. Only the kinds of events that it writes (``_KINDS``) are compared, not what they say.

    Raises:
        Declined: The command wrote something of another kind.
    """
    for entry in recorded:
        if request.command and entry.event.command == request.command:
            if not isinstance(entry.event, _KINDS[type(request)]):
                raise reused_key(request.command, entry.originator_id)
            return True
    return False
