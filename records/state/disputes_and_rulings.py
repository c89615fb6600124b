"""Disputes and rulings with the plies that they are about now, in the order they were made."""

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
    """A ``Dispute`` and the ply that it is about.

    Attributes:
        number: The event that raised it; -1, -2 and so on for those of a sheet, in the order of its text.
        ply: The ply as plies are numbered now; 0 for the whole game, and for a ply that is gone.
        word: The word that stood there.
        by: Who raised it, ``p1`` and so on, or a name.
        claim: What is wrong, in free words.
        at: When it was raised; empty on a sheet.
        status: ``open``, ``withdrawn`` or ``ruled``.
        then: The ply as plies were numbered when it was raised, 0 for the whole game.
        reason: Why it was withdrawn.
        cites: The sheets that are to prove it, by the events that kept them.
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
    """A ``Ruling``, the plies that it is on, and whether it is in force. The fields not listed are those of ``Ruling``.

    Attributes:
        number: The event that holds it; -1, -2 and so on for those of a sheet, in the order of its text.
        plies: Its plies as they are numbered now; empty for the whole game, and if they are gone.
        dispute: The number of the dispute that it answers, 0 if it names none.
        at: When it was given; empty on a sheet.
        then: Its plies as they were numbered when it was given.
        old: The words of those plies at that time.
        holds: Whether the game stands as it does because of it.
        revokes: The number of the ruling that it takes back, 0 for none.
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
    """Return every dispute of a game, in the order they were raised."""
    plies = plies_by_ref(game.book)
    return tuple(_place_dispute(dispute, plies) for dispute in game.book.disputes)


def rulings_of(game: LiveGame) -> tuple[PlacedRuling, ...]:
    """Return every ruling on a game, in the order they were given."""
    plies, holds = plies_by_ref(game.book), rulings_in_force(game.book)
    return tuple(_place_ruling(entry, plies, entry.number in holds) for entry in game.book.rulings)


def entries_on_sheet(line: Line) -> tuple[tuple[PlacedDispute, ...], tuple[PlacedRuling, ...]]:
    """Return the disputes and the rulings in the comments of a score sheet, each in the order of the text."""
    docket = Docket()
    docket.read_sheet(line, 1)
    plies = {(1, index): index + 1 for index in range(len(line.words))}
    return (
        tuple(_place_dispute(dispute, plies) for dispute in docket.disputes.values()),
        tuple(
            _place_ruling(entry, plies, _is_in_force(entry.command, line.result)) for entry in docket.rulings.values()
        ),
    )


def _is_in_force(command: RulingCommand, result: str) -> bool:
    """Say whether a sheet with this result stands as it does because of a ruling in its comments."""
    if command.decision == "result":
        return decides(command, result)
    return not (command.revoked or command.past) and (command.decision != "stands" or not command.old)


def _place_dispute(dispute: DisputeEntry, plies: Mapping[Ref, int]) -> PlacedDispute:
    """Return an entry of the docket with its ply as ``plies`` numbers it."""
    return PlacedDispute(
        number=dispute.number,
        ply=plies[dispute.ref] if dispute.ref else 0,
        word=dispute.word,
        at=dispute.at,
        status=dispute.status,
        then=dispute.command.ply,
        reason=dispute.command.withdrawn or "",
        **fields_in(Dispute, dispute.command),
    )


def _place_ruling(entry: RulingEntry, plies: Mapping[Ref, int], holds: bool) -> PlacedRuling:
    """Return an entry of the docket with its plies as ``plies`` numbers them."""
    return PlacedRuling(
        number=entry.number,
        plies=tuple(plies[ref] for ref in entry.refs),
        dispute=entry.dispute,
        at=entry.at,
        then=entry.command.plies,
        old=entry.command.old,
        holds=holds,
        revokes=entry.revokes,
        **fields_in(Ruling, entry.command),
    )
