"""Disputes and rulings: what was claimed of a record, and what an arbiter decided, in the order it was written."""

from collections.abc import Mapping
from typing import Annotated as Field

from msgspec import Struct

from cartulary.notation import Line
from cartulary.notation.arbiter.ruling_commands import RulingCommand, decides
from cartulary.notation.score import points_in
from cartulary.records.log.fields import ENTRY, UNTOLD, Free, Name, Public, Secret
from cartulary.records.state.cgn_rulings import in_force, places
from cartulary.records.state.docket import DisputeEntry, Docket, Ref, RulingEntry
from cartulary.records.state.fold import LiveGame


class Dispute(Struct, frozen=True):
    """A claim about a ply. number: the event that raised it; ply: as plies stand now, 0 for the whole game and for a
    ply that is gone; word: what stood there; by: ``p1`` … or a name; status: open, withdrawn or ruled.

    then: the ply when it was raised, 0 for the whole game; reason: why it was withdrawn
    cites: the sheets that are to show it, by the events that kept them
    A number below 0 is that of one an imported sheet tells of, -1, -2 … in the order of its text; ``at`` is then empty.
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


class Ruling(Struct, frozen=True):
    """An arbiter's decision. number: the event that holds it, or as of a Dispute; plies: as they stand now, empty for
    the whole game and where they are gone.

    decision: stands, void, amended, penalty, score, result or revoked; words: what an amended ply reads now
    penalties: seat and what it costs, in words; points: seat and what its score changes by, ``-88``
    score: what the score is by this ruling; result: as in the Result tag; keys: the clauses cited
    dispute, revokes: the one it answers and the ruling it takes back, 0 for none; cites: the sheets it rests on
    then, old: the plies it was given on, by their numbers and words at that time
    holds: the game stands as it does because of it; false where later events went past it
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


def disputes_of(game: LiveGame) -> tuple[Dispute, ...]:
    """Return every dispute of the game, in the order they were raised."""
    at = places(game.book)
    return tuple(_dispute(claim, at) for claim in game.book.disputes)


def rulings_of(game: LiveGame) -> tuple[Ruling, ...]:
    """Return every ruling on the game, in the order they were given."""
    at, holds = places(game.book), in_force(game.book)
    return tuple(_ruling(entry, at, entry.number in holds) for entry in game.book.rulings)


def told_by(line: Line) -> tuple[tuple[Dispute, ...], tuple[Ruling, ...]]:
    """Return the disputes and rulings the comments of a score sheet tell of, each in the order of the text."""
    docket = Docket()
    docket.read(line, 1)
    at = {(1, index): index + 1 for index in range(len(line.words))}
    return (
        tuple(_dispute(claim, at) for claim in docket.disputes.values()),
        tuple(_ruling(entry, at, _holds(entry.said, line.result)) for entry in docket.rulings.values()),
    )


def _holds(said: RulingCommand, result: str) -> bool:
    """Say whether a sheet stands as it does because of a ruling it tells of."""
    if said.decision == "result":
        return decides(said, result)
    return not (said.revoked or said.past) and (said.decision != "stands" or not said.old)


def _dispute(claim: DisputeEntry, at: Mapping[Ref, int]) -> Dispute:
    return Dispute(
        claim.number,
        at[claim.ref] if claim.ref else 0,
        claim.word,
        claim.said.by,
        claim.said.claim,
        claim.at,
        claim.status,
        claim.said.ply,
        claim.said.withdrawn or "",
        claim.said.cites,
    )


def _ruling(entry: RulingEntry, at: Mapping[Ref, int], holds: bool) -> Ruling:
    said = entry.said
    return Ruling(
        entry.number,
        tuple(at[ref] for ref in entry.refs),
        said.arbiter,
        said.decision,
        said.words,
        said.penalties,
        said.result,
        said.keys,
        entry.dispute,
        said.reason,
        entry.at,
        said.plies,
        said.old,
        holds,
        said.points,
        said.score,
        entry.revokes,
        said.cites,
    )
