"""Playing words at the table: all are stored or none, and the answer is what the rules say of each."""

from collections.abc import Sequence
from typing import Annotated

from msgspec.structs import replace

from cartulary.notation import Finding
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import WordAnswer
from cartulary.records.commands.request import GameRequest, Plan, Stands, execute, field, unplayable
from cartulary.records.commands.tried_words import Trial, check_own, try_quietly, try_words
from cartulary.records.commands.typed import JudgedWords, typed_words
from cartulary.records.faults import Declined, Fault, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, MovePlayed, WordDeclined
from cartulary.records.state.fold import LiveGame, verdict_without_findings
from cartulary.records.state.games import load
from cartulary.records.state.seat_view import hidden_from, muted


class WordsRequest(GameRequest, frozen=True):
    """Words to be played, all or none.

    Attributes:
        words: One word a ply, as in files; or a line as it is typed at a table, which ``typed_words`` reads.
        stands: Whether a refused word is stored with its findings, unless it cannot be applied.
        clock: The time left after the last word.
    """

    words: Annotated[str | tuple[str, ...], field("Moves as on a score sheet, with or without numbers.", "TEXT…")]
    stands: Stands = False
    clock: Annotated[str, field("The time left after the last move.", "H:MM:SS")] = ""


def play(
    store: Log,
    id: str,
    request: WordsRequest,
    viewer: Viewer = EVERYTHING,
    *,
    own: bool = False,
    line: JudgedWords | None = None,
) -> tuple[WordAnswer, ...]:
    """Play words in turn, all or none, and return what the rules say of each, up to the first that is refused.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The words.
        viewer: Who writes. A seat's words are judged and answered from what it may know; where anything is hidden from
            it, it writes its own words only. A quiet writer is not shown verdicts, nor is a seat in a quiet
            record: a possible word is stored, whatever rule it breaks, and an impossible one is declined.
        own: Whether only words of the seats that the writer speaks for are taken, even if nothing is hidden.
        line: What ``typed_words`` made of the words, which are not judged again where nobody wrote since.

    Raises:
        Unread: A word is no move here, or the text is no movetext.
        Declined: The game is closed, only its score was kept, an earlier ply cannot be carried out, a word is
            another's, or only the whole record forbids it; for a quiet writer also that a word is impossible.
        Unfit: There is no word or more than moves, the time is none, or a refused word is to stand quietly.
        Fault: As ``execute`` says.
    """
    words = line if line is not None else request.words

    def decide(game: LiveGame) -> Plan[Trial]:
        seat, quietly = hidden_from(game, viewer), viewer.quiet or muted(game, viewer)
        judged_words = _judged_line(game, words, replace(viewer, quiet=quietly))
        if own:
            judged_words = check_own(game, judged_words, viewer)
        by, command, clock = request.by, request.command, request.clock
        if not quietly:
            stands = request.stands
            trial = try_words(game, judged_words, by=by, command=command, clock=clock, stands=stands, seat=seat)
        elif request.stands:
            raise Unfit("A quiet move is kept whatever rule it breaks; write it without asking that it stand.")
        else:
            trial = try_quietly(game, judged_words, by=by, command=command, clock=clock, seat=seat)
        return Plan(trial.events_to_store(), trial, trial.judged_game)

    before, done, trial, repeated = execute(store, id, request, viewer, decide, MovePlayed, WordDeclined)
    seat = hidden_from(before, viewer)
    if repeated and seat is None and not (viewer.quiet or muted(before, viewer)):
        return _first_answer(done, request.command)
    if trial.declined_words is not None:
        word = trial.declined_words.words[-1]
        if trial.word_answers[-1].verdict == "quiet":
            raise unplayable(word)
        raise Declined(f"{word} was not written to {id}, for a reason that p{seat} may not see; ask the arbiter.")
    return trial.answers(stored=not (trial.refused or request.dry))


def would_stand(store: Log, id: str, words: Sequence[str] | str, viewer: Viewer = EVERYTHING) -> bool:
    """Say whether ``play`` would store these words if refused ones are to stand; nothing is stored here.

    What is withheld from the viewer does not count. The answer is False instead of a fault if a word is no move, is
    another seat's or cannot be applied, or if the game is closed.

    Raises:
        UnknownGame: There is no such game.
        Damaged: Its log is damaged.
        UninstalledGame: Its rules are not installed.
        Unfit: The game has no such seat.
    """
    game = load(store, id)
    seat = hidden_from(game, viewer)
    try:
        trial = try_words(game, _judged_line(game, words, replace(viewer, quiet=False)), stands=True, seat=seat)
    except Fault:
        return False
    return not trial.refused or trial.declined_words is not None


def _judged_line(
    game: LiveGame, words: Sequence[str] | JudgedWords | str, viewer: Viewer
) -> Sequence[str] | JudgedWords:
    """Return the words of a typed line in canonical spelling, judged; words that are given one by one stay as they are.

    A line is a single text. This raises what ``typed_words`` raises.
    """
    return typed_words(game, words, viewer) if isinstance(words, str) else words


def _first_answer(game: LiveGame, command: str) -> tuple[WordAnswer, ...]:
    """Return the answers that a repeated command got when it was first given, in the order of the plies.

    Args:
        game: The game as it stood after the command.
        command: The key of the command.
    """
    first, last = game.book.commands[command]
    answers = []
    for ply, entry in enumerate(game.book.plies, 1):
        if first <= entry.ref[0] <= last:
            event = game.recorded[entry.ref[0] - 1].event
            findings = (*game.findings(ply, ply), *_remarks(event, ply, game.words[ply - 1]))
            severities = {finding.severity for finding in findings}
            verdict = "undecided" if "undecided" in severities else verdict_without_findings(game, ply)
            verdict = "refused" if "error" in severities else verdict
            answers.append(WordAnswer(game.id, entry.ref[0], ply, game.words[ply - 1], verdict, findings, True))
    return tuple(answers)


def _remarks(event: Event, ply: int, text: str) -> tuple[Finding, ...]:
    """Return the remarks on how a word was typed (``cgn.mark``), which only its event keeps.

    Judging the canonical spelling again cannot find them.

    Args:
        event: The event of the word, a ``MovePlayed``.
        ply: The ply.
        text: The word in canonical spelling.
    """
    assert isinstance(event, MovePlayed)
    seat = f"p{event.seat}"
    return tuple(
        Finding(finding.severity, finding.key, ply, finding.because, text, seat)
        for finding in event.findings
        if finding.key == "cgn.mark"
    )
