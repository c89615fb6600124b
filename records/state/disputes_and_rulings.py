"""Disputes and rulings with the plies that they are about now, in the order they were made."""

from collections.abc import Mapping

from cartulary.notation import Line
from cartulary.notation.arbiter.ruling_commands import Dispute, Ruling, RulingCommand, decides, fields_in
from cartulary.records.state.cgn_rulings import plies_by_ref, rulings_in_force
from cartulary.records.state.docket import DisputeEntry, Docket, PlacedDispute, PlacedRuling, Ref, RulingEntry
from cartulary.records.state.fold import LiveGame


def disputes_of(game: LiveGame) -> tuple[PlacedDispute, ...]:
    """Return every dispute of a game, in the order they were raised, each with the number its ply has now.

    Those of an imported sheet come first.
    """
    plies = plies_by_ref(game.book)
    return tuple(_place_dispute(dispute, plies) for dispute in game.book.disputes)


def rulings_of(game: LiveGame) -> tuple[PlacedRuling, ...]:
    """Return every ruling on a game, in the order they were given, each with its plies of today and whether it is in
    force.

    Those of an imported sheet come first.
    """
    plies, holds = plies_by_ref(game.book), rulings_in_force(game.book)
    return tuple(_place_ruling(entry, plies, entry.number in holds) for entry in game.book.rulings)


def entries_on_sheet(line: Line) -> tuple[tuple[PlacedDispute, ...], tuple[PlacedRuling, ...]]:
    """Return the disputes and the rulings in the comments of a score sheet, each in the order of the text.

    Args:
        line: The main line of the sheet, with its comments and its result.

    Returns:
        A tuple of the disputes and a tuple of the rulings, each kind numbered -1, -2 and so on.
    """
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
    """Say whether a sheet stands as it does because of a ruling in its comments.

    One on the result is in force if the sheet has that result; one that lets plies stand, if they were not corrected
    since. A ruling that was revoked, or whose score a later one replaced, is not in force.

    Args:
        command: The ruling.
        result: The result of the sheet, ``*`` for none.
    """
    if command.decision == "result":
        return decides(command, result)
    return not (command.revoked or command.past) and (command.decision != "stands" or not command.old)


def _place_dispute(dispute: DisputeEntry, plies: Mapping[Ref, int]) -> PlacedDispute:
    """Return a dispute as it is shown, with the number its ply has now: 0 if the ply is gone or it is about the whole
    game.

    Args:
        dispute: The dispute.
        plies: The number of each ply by its reference. Raises KeyError if that of the dispute is not in it.
    """
    return PlacedDispute(
        number=dispute.number,
        ply=plies[dispute.ref] if dispute.ref else 0,
        word=dispute.word,
        at=dispute.at,
        status=dispute.status,
        ply_then=dispute.command.ply,
        reason=dispute.command.withdrawn or "",
        **fields_in(Dispute, dispute.command),
    )


def _place_ruling(entry: RulingEntry, plies: Mapping[Ref, int], holds: bool) -> PlacedRuling:
    """Return a ruling as it is shown, with the numbers its plies have now; plies that are gone have none.

    Args:
        entry: The ruling.
        plies: The number of each ply by its reference. Raises KeyError if one of the ruling's is not in it.
        holds: Whether the ruling is in force.
    """
    return PlacedRuling(
        number=entry.number,
        plies=tuple(plies[ref] for ref in entry.refs),
        dispute=entry.dispute,
        at=entry.at,
        plies_then=entry.command.plies,
        old=entry.command.old,
        holds=holds,
        revokes=entry.revokes,
        **fields_in(Ruling, entry.command),
    )
