"""Disputes and rulings: what was claimed of a record, and what an arbiter decided, in the order it was written."""

from collections.abc import Mapping
from typing import Annotated as Field

from msgspec import Struct

from cartulary.notation import Line
from cartulary.notation.arbiter.ruling_commands import Dispute, Ruling, RulingCommand, decides, fields_in
from cartulary.notation.score import points_in
from cartulary.records.log.fields import ENTRY, UNTOLD, Free, Name, Public, Secret
from cartulary.records.state.cgn_rulings import plies_by_ref, rulings_in_force
from cartulary.records.state.docket import DisputeEntry, Docket, Ref, RulingEntry
from cartulary.records.state.fold import LiveGame


class PlacedDispute(Struct, frozen=True):
    """A ``Dispute`` where it stands.

    Attributes:
        number: The event that raised it; of one that a sheet tells of, -1, -2 … in the order of its text.
        ply: The ply as plies stand now; 0 for the whole game, and for a ply that is gone.
        word: What stood there.
        by: Who raised it, ``p1`` … or a name.
        claim: What is wrong, in free words.
        at: When it was raised; empty where a sheet tells of it.
        status: open, withdrawn or ruled.
        then: The ply when it was raised, 0 for the whole game.
        reason: Why it was withdrawn.
        cites: The sheets that are to show it, by the events that kept them.
    """

    number: Field[int, Public(refers=ENTRY)]
    ply: Field[int, Public()]
    word: Field[str, Secret(instead=UNTOLD)]
    by: Field[str, Name()]
    claim: Field[str, Free(always=True)]
    at: Field[str, Public()]
    status: Field[str, Public()]
    then: Field[int, Public()] = 0
    reason: Field[str, Free()] = ""
    cites: Field[tuple[int, ...], Public(refers=ENTRY)] = ()


class PlacedRuling(Struct, frozen=True):
    """A ``Ruling`` where it stands, and whether it counts.

    Attributes:
        number: The event that holds it, or as that of a ``PlacedDispute``.
        plies: Its plies as they stand now; empty for the whole game, and where they are gone.
        dispute: The dispute it answers, 0 for none named.
        at: When it was given; empty where a sheet tells of it.
        then: The plies it was given on, by their numbers at that time.
        old: The words of those plies at that time.
        holds: Whether the game stands as it does because of it; no later event went past it.
        revokes: The ruling it takes back, 0 for none.
    """

    number: Field[int, Public(refers=ENTRY)]
    plies: Field[tuple[int, ...], Public()]
    arbiter: Field[str, Name(role="arbiter")]
    decision: Field[str, Public()]
    words: Field[tuple[str, ...], Secret(instead=UNTOLD)]
    penalties: Field[tuple[tuple[int, str], ...], Free()]
    result: Field[str, Public()]
    keys: Field[tuple[str, ...], Public()]
    dispute: Field[int, Public(refers=ENTRY)]
    reason: Field[str, Free()]
    at: Field[str, Public()]
    then: Field[tuple[int, ...], Public()] = ()
    old: Field[tuple[str, ...], Secret(instead=UNTOLD)] = ()
    holds: Field[bool, Public()] = True
    points: Field[tuple[tuple[int, str], ...], Public(numeric=points_in)] = ()
    score: Field[str, Public(numeric=points_in)] = ""
    revokes: Field[int, Public(refers=ENTRY)] = 0
    cites: Field[tuple[int, ...], Public(refers=ENTRY)] = ()


def disputes_of(game: LiveGame) -> tuple[PlacedDispute, ...]:
    """Return every dispute of the game, in the order they were dispute."""
    at = plies_by_ref(game.book)
    return tuple(_dispute(dispute, at) for dispute in game.book.disputes)


def rulings_of(game: LiveGame) -> tuple[PlacedRuling, ...]:
    """Return every ruling on the game, in the order they were given."""
    at, holds = plies_by_ref(game.book), rulings_in_force(game.book)
    return tuple(_ruling(entry, at, entry.number in holds) for entry in game.book.rulings)


def told_by(line: Line) -> tuple[tuple[PlacedDispute, ...], tuple[PlacedRuling, ...]]:
    """Return the disputes and rulings the comments of a score sheet tell of, each in the order of the text."""
    docket = Docket()
    docket.read_sheet(line, 1)
    at = {(1, index): index + 1 for index in range(len(line.words))}
    return (
        tuple(_dispute(dispute, at) for dispute in docket.disputes.values()),
        tuple(_ruling(entry, at, _holds(entry.command, line.result)) for entry in docket.rulings.values()),
    )


def _holds(command: RulingCommand, result: str) -> bool:
    """Say whether a sheet stands as it does because of a ruling it tells of."""
    if command.decision == "result":
        return decides(command, result)
    return not (command.revoked or command.past) and (command.decision != "stands" or not command.old)


def _dispute(dispute: DisputeEntry, at: Mapping[Ref, int]) -> PlacedDispute:
    return PlacedDispute(
        number=dispute.number,
        ply=at[dispute.ref] if dispute.ref else 0,
        word=dispute.word,
        at=dispute.at,
        status=dispute.status,
        then=dispute.command.ply,
        reason=dispute.command.withdrawn or "",
        **fields_in(Dispute, dispute.command),
    )


def _ruling(entry: RulingEntry, at: Mapping[Ref, int], holds: bool) -> PlacedRuling:
    return PlacedRuling(
        number=entry.number,
        plies=tuple(at[ref] for ref in entry.refs),
        dispute=entry.dispute,
        at=entry.at,
        then=entry.command.plies,
        old=entry.command.old,
        holds=holds,
        revokes=entry.revokes,
        **fields_in(Ruling, entry.command),
    )
