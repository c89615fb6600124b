"""The next round of an evening: at the tables of the last one, or by the pairs of an engine."""

from typing import Annotated

from msgspec.structs import replace

from cartulary.notation.unjudged import NOBODY
from cartulary.records.commands.evening import (
    SetTable,
    SetTableRequest,
    draft_table,
    event_head,
    table_of_command,
    write_tables,
)
from cartulary.records.commands.pairs import read_pairs
from cartulary.records.commands.request import Request, field
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.aside_events import ByeSet
from cartulary.records.log.contract import Log
from cartulary.records.state.described_games import description_tags
from cartulary.records.state.evening_seats import TableSeats, load_seats
from cartulary.records.state.evenings import ClubEvening, EveningTable, evening_of
from cartulary.records.state.games import load


class NextRoundRequest(Request, frozen=True):
    """The next round of an evening: at the tables of the last one, or by pairs.

    Attributes:
        evening: The title of the evening.
        pairs: Whom a pairing engine pairs, as it prints them; empty for the same persons at the same tables.
        game: With pairs, the game that is played; empty for that of the round before.
    """

    evening: Annotated[str, field("The title of the evening.", "EVENING")]
    pairs: Annotated[str, field("The pairs, as an engine prints them.", "FILE")] = ""
    game: Annotated[str, field("With pairs, the game; by default that of the round before.", "GAME")] = ""


def set_next_round(store: Log, request: NextRoundRequest) -> tuple[SetTable, ...]:
    """Set the tables of the next round of an evening, at the tables of the last one or by the pairs of an engine.

    Without pairs, the tables of the last round are set again: the same games, variants, options and persons, a
    substitute in place of whoever left. A table whose game was set aside is left out, and so is a round of such tables
    alone. Where somebody sat out, everybody moves up: the first at the seats sits out now, and who waited longest comes
    to the last seat. So the dealer of each deal sits out where five play at a table for four and the dealer is named
    first.

    With pairs, each pair gets a table, in their order, and a person without an opponent a bye. Every table is checked
    before the first is set.

    Args:
        store: The log.
        request: The evening. Given again with its command, it sets no second round.

    Returns:
        The tables that were set, by their numbers.

    Raises:
        Unfit: There is no such evening, it has no table yet, the pairs cannot be read, or there is a game without
            pairs.
        Declined: Somebody's game is still open, or somebody sat at two tables of the last round.
        Fault: As ``set_table`` says of any of the tables; then none is set.

    Source: house ruling
    """
    evening = evening_of(store, request.evening)
    next_round = _next_round(store, evening, request)
    if request.game and not request.pairs:
        raise Unfit("A game goes with pairs only; give both, or set a table with `evening table`.")
    earlier = [table for table in evening.tables if table.round < next_round and not _is_aside(store, table)]
    if request.pairs:
        return _set_pairs(store, evening, earlier, next_round, request)
    if not earlier:
        raise Unfit(f"{evening.title} has no table yet; set the first round with `evening table`.")
    last = [load_seats(store, table) for table in earlier if table.round == earlier[-1].round]
    _check_once(evening, [seats.table for seats in last])
    wanted = [_table_again(store, seats, next_round, request) for seats in last]
    return write_tables(store, evening, [draft_table(store, evening, each) for each in wanted])


def _set_pairs(
    store: Log, evening: ClubEvening, earlier: list[EveningTable], round: int, request: NextRoundRequest
) -> tuple[SetTable, ...]:
    """Set a table for each pair, in their order, and write down the bye of whoever has no opponent.

    Args:
        store: The log.
        evening: The evening.
        earlier: The tables of the rounds before, by round.
        round: The number of the round.
        request: The request.

    Returns:
        The tables that were set, by their numbers.

    Raises:
        Unfit: The pairs cannot be read, or no game is named and the last round does not give one.
        Fault: As ``set_table`` says of any of the tables; then none is set.
    """
    pairing = read_pairs(request.pairs, evening)
    kind = SetTableRequest(evening=request.evening, game=request.game, players=(), round=round, by=request.by)
    if not request.game:
        kind = _kind_of_round(store, evening, earlier, kind)
    drafts = []
    for number, players in enumerate(pairing.pairs, 1):
        command = f"{request.command}-{number}" if request.command else ""
        drafts.append(draft_table(store, evening, replace(kind, players=players, table=number, command=command)))
    byes = []
    if pairing.bye:
        at, by, _ = event_head(request).values()
        byes = [ByeSet(at=at, by=by, round=round, person=pairing.bye, kind="pairing")]
    return write_tables(store, evening, drafts, byes)


def _kind_of_round(
    store: Log, evening: ClubEvening, earlier: list[EveningTable], kind: SetTableRequest
) -> SetTableRequest:
    """Return a request with the game, the tags and ``unjudged`` that all tables of the last round had.

    Args:
        store: The log.
        evening: The evening.
        earlier: The tables of the rounds before, by round.
        kind: The request, still without a game.

    Raises:
        Unfit: There was no table yet, or the tables were not all of one kind.
    """
    again = [
        _table_again(store, load_seats(store, table), kind.round, NextRoundRequest(evening=kind.evening))
        for table in earlier
        if table.round == earlier[-1].round
    ]
    kinds = [(each.game, each.tags, each.unjudged) for each in again]
    if not kinds or any(each != kinds[0] for each in kinds):
        why = "played several games in its last round" if kinds else "has no table yet"
        raise Unfit(
            f"{evening.title} {why}; name the game, such as `evening next '{evening.title}' GAME --pairs FILE`."
        )
    game, tags, unjudged = kinds[0]
    return replace(kind, game=game, tags=tags, unjudged=unjudged)


def _next_round(store: Log, evening: ClubEvening, request: NextRoundRequest) -> int:
    """Return the number of the next round, or of the round that the command of the request set before.

    Raises:
        Declined: The command wrote something else.
    """
    if request.command:
        for number in range(1, max((table.number for table in evening.tables), default=0) + 1):
            before = table_of_command(store, evening, f"{request.command}-{number}")
            if before is not None:
                return before.round
    return evening.last_round + 1


def _check_once(evening: ClubEvening, tables: list[EveningTable]) -> None:
    """Raise Declined if somebody sits or waits at two of the tables, which are of one round of the evening."""
    at: dict[str, EveningTable] = {}
    for table in tables:
        for person in table.persons:
            other = at.setdefault(person, table)
            if other is not table:
                raise Declined(
                    f"{person} was at tables {other.number} and {table.number} of round {table.round}, and cannot sit "
                    f"at both at once. Set each table of the next round with `evening table '{evening.title}'`."
                )


def _table_again(store: Log, seats: TableSeats, round: int, request: NextRoundRequest) -> SetTableRequest:
    """Return the request to set a table again in another round: the same game, variant, options, number and seats.

    If somebody sat out, everybody moves up by one, so that the first at the seats sits out next.

    Args:
        store: The log.
        seats: The table, and who is at it now, substitutes included.
        round: The number of the other round.
        request: The request for the round, for the evening, who writes, and the key of the command.
    """
    table, order = seats.table, seats.order
    record = load(store, table.game).record
    moved = (*order[1:], order[0]) if table.waiting else order
    tags = {name: record.tag(name) for name in ("Variant", "Options") if record.tag(name)}
    return SetTableRequest(
        evening=request.evening,
        game=record.tag("Game"),
        players=moved,
        round=round,
        table=table.number,
        seats=len(table.players),
        tags=tags,
        unjudged=record.tag("Rules") == NOBODY and not description_tags(store, record.tag("Game"))[1],
        by=request.by,
        command=f"{request.command}-{table.number}" if request.command else "",
    )


def _is_aside(store: Log, table: EveningTable) -> bool:
    """Say whether the game of a table was set aside, so that it does not count."""
    return bool(load(store, table.game).book.set_aside)
