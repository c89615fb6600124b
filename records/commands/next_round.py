"""The next round of an evening: at the tables of the last one."""

from typing import Annotated

from cartulary.notation.unjudged import NOBODY
from cartulary.records.commands.evening import (
    SetTable,
    SetTableRequest,
    draft_table,
    table_of_command,
    write_tables,
)
from cartulary.records.commands.games import description_tags
from cartulary.records.commands.request import Request, field
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.state.evening_seats import TableSeats, load_seats
from cartulary.records.state.evenings import ClubEvening, EveningTable, evening_of
from cartulary.records.state.games import load


class NextRoundRequest(Request, frozen=True):
    """The next round of an evening, at the tables of the last one."""

    evening: Annotated[str, field("The title of the evening.", "EVENING")]


def set_next_round(store: Log, request: NextRoundRequest) -> tuple[SetTable, ...]:
    """Set the tables of the last round again for the next one: the same games, variants, options and persons, a
    substitute in place of whoever left. A table whose game was set aside is left out, and so is a round of such tables
    alone. Every table is checked before the first is set.

    Where somebody sat out, everybody moves up: the first at the seats sits out now, and who waited longest comes to the
    last seat. So the dealer of each deal sits out where five play at a table for four and the dealer is named first.

    Args:
        store: The log.
        request: The evening. Given again with its command, it sets no second round.

    Returns:
        The tables that were set, by their numbers.

    Raises:
        Unfit: There is no such evening, or it has no table yet.
        Declined: Somebody's game is still open, or somebody sat at two tables of the last round.
        Fault: As ``set_table`` says of any of the tables; then none is set.
    Source: house ruling
    """
    evening = evening_of(store, request.evening)
    next_round = _next_round(store, evening, request)
    earlier = [table for table in evening.tables if table.round < next_round and not _is_aside(store, table)]
    if not earlier:
        raise Unfit(f"{evening.title} has no table yet; set the first round with `evening table`.")
    last = [load_seats(store, table) for table in earlier if table.round == earlier[-1].round]
    _check_once(evening, [seats.table for seats in last])
    wanted = [_table_again(store, seats, next_round, request) for seats in last]
    return write_tables(store, evening, [draft_table(store, evening, each) for each in wanted])


def _next_round(store: Log, evening: ClubEvening, request: NextRoundRequest) -> int:
    """Return the number of the next round, or of the round that the command of the request set before."""
    if request.command:
        for number in range(1, max((table.number for table in evening.tables), default=0) + 1):
            before = table_of_command(store, evening, f"{request.command}-{number}")
            if before is not None:
                return before.round
    return evening.last_round + 1


def _check_once(evening: ClubEvening, tables: list[EveningTable]) -> None:
    """Raise Declined if somebody is at two of the tables, which are of one round of the evening."""
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
    """Return the request to set a table again in another round."""
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
    """Say whether the game of a table was set aside."""
    return bool(load(store, table.game).book.set_aside)
