"""Restoring a stored game: the one legal game nearest to its words replaces them, as corrections that say so."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from cartulary.notation import Change, Nearest, NearGame, NotationError, Note
from cartulary.notation import restore as restore_record
from cartulary.notation.cgn.commands import format_command, quote_text
from cartulary.notation.cgn.signs import count
from cartulary.notation.restore.evidence import LEFT_OUT, SWAPPED, TWICE
from cartulary.notation.restore.nearest import SLIPS, marks
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import GameRequest, Plan, after, execute
from cartulary.records.faults import Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, MovesAmended, NoteReplaced
from cartulary.records.state.book import found_of
from cartulary.records.state.fold import LiveGame, finished
from cartulary.records.state.notes import note_text
from cartulary.records.state.seat_view import for_everybody, hidden_from
from cartulary.records.texts import clean_name, now


class RestoredGame(Struct, frozen=True):
    """What became of a stored game.

    Attributes:
        id: The id of the game.
        version: Its version now.
        nearest: The legal games nearest to it.
        stored: Whether there is a single nearest one, which was then written unless ``dry`` is true.
        dry: Whether it was only asked what would change.
    """

    id: str
    version: int
    nearest: Nearest = field(name="found")
    stored: bool
    dry: bool = False


class RestoreRequest(GameRequest, frozen=True):
    """A game to be corrected to the one legal game that is nearest.

    Attributes:
        slips: How many mistakes of the scribe are assumed at most.
    """

    slips: int = SLIPS


def restore(store: Log, id: str, request: RestoreRequest, viewer: Viewer = EVERYTHING) -> RestoredGame:
    """Correct a stored game, a closed one too, to the one legal game that lies nearest; else nothing is stored.

    Each changed word carries ``[%restored "old"]``, and the reason of each correction says what it is.

    Args:
        store: Where the game is kept.
        id: The game.
        request: How far to look.
        viewer: Who corrects; no game that holds cards it has not seen.

    Returns:
        The legal games nearest to it. Only if there is exactly one, and the request is not ``dry``, is something
        stored.

    Raises:
        Unfit: The game cannot be set up.
        Declined: The viewer has not seen all the cards, or the id of the command was used for something else.
        Conflict: The game is not at the version that was expected, or somebody wrote at the same time.
        Fault: As ``execute`` says.
    """

    def check(game: LiveGame) -> None:
        for_everybody(game, hidden_from(game, viewer), "A restoration")

    def decide(game: LiveGame) -> Plan[Nearest]:
        nearest = _nearest_games(game, request.slips)
        is_unique = nearest.answer == "one"
        return Plan(_restoring_events(game, nearest, request.by, request.command) if is_unique else (), nearest)

    _, done, nearest, repeated = execute(store, id, request, viewer, decide, MovesAmended, check=check)
    return RestoredGame(id, done.head.version, nearest, nearest.answer == "one", request.dry and not repeated)


def _nearest_games(game: LiveGame, slips: int) -> Nearest:
    """Return the legal games nearest to a stored game, with how many mistakes each assumes; nothing is stored.

    Args:
        game: The game.
        slips: How many mistakes of the scribe are assumed at most.

    Raises:
        Unfit: The game cannot be set up.
    """
    try:
        return restore_record(finished(game), slips=slips)
    except NotationError as fault:
        raise Unfit(f"{game.id} cannot be set up: {fault.because}.") from None


def _restoring_events(game: LiveGame, nearest: Nearest, by: str, command: str) -> list[Event]:
    """Return the events that turn a game into the only game in ``nearest``; nothing is stored.

    First come the corrections, that of the last ply in front, so that the plies before it keep their numbers; then the
    notes that keep the old words.

    Args:
        game: The game.
        nearest: The games nearest to it, of which there is exactly one.
        by: Who writes.
        command: The key of the command, empty for none.
    """
    [near], who, at = nearest.games, clean_name(by), now()
    changes = near.changes[0]
    away = f", {count(nearest.slips, 'slip')} away" if nearest.slips else ""
    reason = f"restored: the one legal game nearest to the sheet{away}"
    amended: list[MovesAmended] = []
    refs: dict[int, tuple[int, int]] = {}
    for change in reversed(changes):
        words = _words(change, near)
        event, word = game.book.ref(change.ply)
        refs |= {change.at + i: (game.head.version + 1 + len(amended), i) for i in range(len(words))}
        amended.append(
            MovesAmended(
                at=at,
                by=who,
                command=command,
                event=event,
                word=word,
                plies=0 if change.kind == LEFT_OUT else max(1, len(words)),
                words=words,
                reason=reason,
                findings=((),) * len(words),
                stands=False,
            )
        )
    corrected = after(game, amended)
    judged_events = [
        _with_findings(event, corrected, refs, game.head.version + 1 + i) for i, event in enumerate(amended)
    ]
    return [*judged_events, *_mark_events(corrected, changes, refs, who, command, at)]


def _words(change: Change, near: NearGame) -> tuple[str, ...]:
    """Return the words of the restored game that a change puts in.

    They are none for a ply written twice, two for swapped plies, else one.
    """
    count = {TWICE: 0, SWAPPED: 2}.get(change.kind, 1)
    return near.words[change.at - 1 : change.at - 1 + count]


def _with_findings(
    event: MovesAmended, corrected: LiveGame, refs: dict[int, tuple[int, int]], version: int
) -> MovesAmended:
    """Return a correction with the findings on its words in the game with all corrections.

    Args:
        event: The correction.
        corrected: The game after all corrections.
        refs: The event and the word in it that wrote each corrected ply, by the ply.
        version: The number that the event will have.

    Returns:
        A copy of the correction, with the findings of each of its words in their order.
    """
    plies = sorted(ply for ply, ref in refs.items() if ref[0] == version)
    return replace(event, findings=tuple(found_of(corrected.findings(ply, ply)) for ply in plies))


def _mark_events(
    corrected: LiveGame,
    changes: Sequence[Change],
    refs: dict[int, tuple[int, int]],
    by: str,
    command: str,
    at: str,
) -> Iterator[NoteReplaced]:
    """Yield a note on each changed ply that keeps the old word after its other annotations: ``[%restored "8Dj2"]``.

    Args:
        corrected: The game after all corrections.
        changes: The changes.
        refs: The event and the word in it that wrote each corrected ply, by the ply.
        by: Who writes.
        command: The key of the command.
        at: The time of the events.
    """
    for ply, old in sorted(marks(changes).items()):
        note = corrected.book.plies[ply - 1].note
        text = note_text(Note(note.glyphs, (*note.items, format_command("restored", quote_text(old)))))
        event, word = refs[ply]
        yield NoteReplaced(at=at, by=by, command=command, event=event, word=word, text=text)
