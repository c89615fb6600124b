"""What was disputed, ruled and corrected in a game, as whoever asks may read it."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from cartulary.notation import Record, examine
from cartulary.notation.arbiter.ruling_commands import scoring
from cartulary.notation.arbiter.score_in_force import ScoreLine
from cartulary.notation.arbiter.seen import as_seen
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.disputes_and_rulings import Dispute, Ruling, disputes_of, rulings_of, told_by
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.seat_view import hidden_from, muted, players, seen_game
from cartulary.records.state.times import Retimed, retimed, seen_times


class Contested(Struct, frozen=True):
    """The disputes and rulings of a game, each in the order it was written, and its times that were corrected.

    score: how the score in force comes about where rulings have changed it, empty otherwise
    """

    disputes: tuple[Dispute, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    times: tuple[Retimed, ...] = ()
    score: tuple[ScoreLine, ...] = ()


def contested(game: LiveGame, viewer: Viewer = EVERYTHING) -> Contested:
    """Return what was disputed, ruled and corrected on the log of a game, as a viewer may read it.

    Raises Unfit for a seat the game has not.
    """
    seat = hidden_from(game, viewer)
    score = () if muted(game, viewer) else seen_game(game, seat).examined.score
    if seat is not None:
        return Contested(seen_disputes(game), seen_rulings(game), seen_times(game), score)
    return Contested(disputes_of(game), rulings_of(game), retimed(game), score)


def contested_on_paper(sheet: Record, viewer: Viewer = EVERYTHING) -> Contested:
    """Return what the comments of a score sheet say was disputed and ruled, as a viewer may read it."""
    disputes, rulings = told_by(sheet.line)
    score = examine(as_seen(sheet, viewer.seat)).score if scoring(sheet.line) or not sheet.line.words else ()
    if viewer.seat is None:
        return Contested(disputes, rulings, (), score)
    names = players(sheet)
    return Contested(tuple(seen_dispute(one, names) for one in disputes), tuple(map(seen_ruling, rulings)), (), score)


def seen_dispute(dispute: Dispute, names: Collection[str], recorded: Sequence[RecordedEvent] = ()) -> Dispute:
    """Return a dispute as any seat may read it: that it was raised, by whom and about which ply.

    names: of those who played; recorded: the log it stands on, where there is one
    """
    return mask(dispute, Reader(names, recorded))


def seen_ruling(ruling: Ruling, recorded: Sequence[RecordedEvent] = ()) -> Ruling:
    """Return a ruling as any seat may read it: what was decided, and under which rules; no card, no free words.

    recorded: the log it stands on, where there is one
    """
    return mask(ruling, Reader(recorded=recorded))


def seen_disputes(game: LiveGame) -> tuple[Dispute, ...]:
    """Return every dispute of the game as any seat may read it."""
    names = players(game.record)
    return tuple(seen_dispute(one, names, game.recorded) for one in disputes_of(game))


def seen_rulings(game: LiveGame) -> tuple[Ruling, ...]:
    """Return every ruling on the game as any seat may read it."""
    return tuple(seen_ruling(one, game.recorded) for one in rulings_of(game))
