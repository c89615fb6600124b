"""The desk: one function for each thing a person can ask of a live record.

Every function takes the store first. ``by`` says who asks; ``command`` is an id that makes a repeated request
harmless: the first answer comes again and nothing is stored twice; ``expected`` is the version the asker has seen.
All raise the faults of ``records.faults``; what the rules say is no exception but part of the answer. Correcting,
annotating, closing, importing, exporting and proving have modules of their own and are asked for here too.
"""

from collections.abc import Sequence

from cartulary.notation import Finding
from cartulary.records.answers import Amended, Closed, LogLine, Noted, Opened, Played, Tagged, TakenBack, Timed
from cartulary.records.commands.amend import amend
from cartulary.records.commands.annotate import Noting, annotate, glyph_code, read_noting
from cartulary.records.commands.clock import Retimed, retimed, set_clock
from cartulary.records.commands.close import close, reopen
from cartulary.records.commands.hear import heard
from cartulary.records.commands.open import Planned, change_tags, open_game, plan
from cartulary.records.commands.play import Trial, judge_words, try_words
from cartulary.records.commands.request import begin, repeated, still_open, words_of, write
from cartulary.records.commands.rule import DisputeAnswer, RulingAnswer, consent, dispute, rule, withdraw
from cartulary.records.exchange.archive import (
    Archive,
    Imported,
    Restored,
    export_cgn,
    export_json,
    import_records,
    record_of,
    restore,
    verify_archive,
)
from cartulary.records.exchange.redaction import Redacted, export_redacted
from cartulary.records.exchange.restore import restore_all
from cartulary.records.faults import Declined
from cartulary.records.library.duplicates import Pair, duplicates, twins
from cartulary.records.library.index import Listed
from cartulary.records.library.index import listed as games
from cartulary.records.library.index import rebuild as reindex
from cartulary.records.library.places import find_position, place
from cartulary.records.library.revalidate import Changed, Judged, revalidate
from cartulary.records.library.search import Hit, Query, search
from cartulary.records.library.stats import Tally, tally
from cartulary.records.log.events import Event, MovePlayed, MoveTakenBack, WordDeclined
from cartulary.records.log.proof import Proof, verify, verify_all
from cartulary.records.log.store import Store
from cartulary.records.sheets.values import ScoreSheet, score_sheet
from cartulary.records.state.fold import Game, load, recorded_of
from cartulary.records.state.rulings import Dispute, Ruling, disputes_of, rulings_of
from cartulary.records.state.seeing import check_seat, seen_log, seen_steps, seen_version, viewer
from cartulary.records.state.telling import told
from cartulary.records.texts import named, now, plain

__all__ = [
    "Amended",
    "Archive",
    "Changed",
    "Closed",
    "Dispute",
    "DisputeAnswer",
    "Hit",
    "Imported",
    "Judged",
    "Listed",
    "LogLine",
    "Noted",
    "Noting",
    "Opened",
    "Pair",
    "Planned",
    "Played",
    "Proof",
    "Query",
    "Redacted",
    "Restored",
    "Retimed",
    "Ruling",
    "RulingAnswer",
    "ScoreSheet",
    "Tagged",
    "TakenBack",
    "Tally",
    "Timed",
    "amend",
    "annotate",
    "change_tags",
    "close",
    "dispute",
    "disputes_of",
    "duplicates",
    "export_cgn",
    "export_json",
    "export_redacted",
    "find_position",
    "games",
    "glyph_code",
    "heard",
    "import_records",
    "judge_words",
    "log",
    "open_game",
    "place",
    "plan",
    "play",
    "read_noting",
    "record_of",
    "reindex",
    "reopen",
    "restore",
    "restore_all",
    "retimed",
    "revalidate",
    "rule",
    "rulings_of",
    "score_sheet",
    "search",
    "set_clock",
    "take_back",
    "tally",
    "twins",
    "verify",
    "verify_all",
    "verify_archive",
    "withdraw",
    "words_of",
]

# --- play ---


def play(
    store: Store,
    id: str,
    words: Sequence[str] | str,
    *,
    by: str = "",
    command: str = "",
    expected: int | None = None,
    stands: bool = False,
    clock: str = "",
    seat: int = 0,
) -> tuple[Played, ...]:
    """Play words in turn, all or none, and return what the rules say of each, up to the first that is refused.

    words: one a ply, as files have them; or a line as it was typed at a table, which ``heard`` reads
    stands: a refused word is stored all the same, with its findings, unless it cannot be applied
    clock: the time left after the last word, ``h:mm:ss``
    seat: judged and answered from what this seat may know; where anything is hidden from it, it writes its own words
    Raises Unread for a word that is no move here, Declined for a closed game; then nothing is stored.
    """
    game, done = begin(store, id, expected, command, MovePlayed, WordDeclined, seat=seat)
    seat = viewer(game, seat)

    def trying(game: Game) -> Trial:
        return try_words(game, _said(game, words, seat), by=by, command=command, clock=clock, stands=stands, seat=seat)

    if done is not None:
        before = repeated(done, command, lambda before: trying(before).drafted())
        if not seat:
            return _played_before(done, command)
        trial = trying(before)
    else:
        trial = trying(game)
        if drafted := trial.drafted():
            write(store, game, drafted)
    if trial.declined is not None:
        word = trial.declined.words[-1]
        raise Declined(f"{word} was not written to {id}, and why p{seat} may not be told here; ask the arbiter.")
    return trial.answers(stored=not trial.refused)


def _said(game: Game, words: Sequence[str] | str, seat: int) -> Sequence[str]:
    return heard(game, words, seat=seat) if isinstance(words, str) else words


def _played_before(game: Game, command: str) -> tuple[Played, ...]:
    """Return the answer a command got when it was first given."""
    first, last = game.book.commands[command]
    answers = []
    for ply, entry in enumerate(game.book.plies, 1):
        if first <= entry.ref[0] <= last:
            event = game.recorded[entry.ref[0] - 1].event
            findings = (*game.findings(ply, ply), *_remarks(event, ply, game.words[ply - 1]))
            severities = {found.severity for found in findings}
            verdict = "refused" if "error" in severities else "undecided" if "undecided" in severities else "legal"
            answers.append(Played(game.id, entry.ref[0], ply, game.words[ply - 1], verdict, findings, True))
    return tuple(answers)


def _remarks(event: Event, ply: int, text: str) -> tuple[Finding, ...]:
    """Return what was remarked on a word as it was typed; the canonical text gives no more reason for it."""
    assert isinstance(event, MovePlayed)
    seat = f"p{event.seat}"
    return tuple(
        Finding(found.severity, found.key, ply, found.because, text, seat)
        for found in event.findings
        if found.key == "cgn.mark"
    )


def take_back(
    store: Store,
    id: str,
    plies: int = 1,
    *,
    by: str = "",
    agreed: str = "",
    reason: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int = 0,
) -> TakenBack:
    """Take back the last plies; the log keeps them.

    agreed: who agreed to it; seat: the words are answered as this seat has seen them
    Raises Declined for a closed game, where there are not so many plies, and where who takes back agrees alone.
    """

    def draft(game: Game) -> tuple[MoveTakenBack]:
        still_open(game)
        if not 1 <= plies <= game.plies:
            there = {0: "no plies", 1: "one ply"}.get(game.plies, f"{game.plies} plies")
            asked = "1 ply" if plies == 1 else f"{plies} plies"
            raise Declined(f"{asked} cannot be taken back: {id} has {there}.")
        event, word = game.book.ref(game.plies - plies + 1)
        taken = MoveTakenBack(
            at=now(),
            by=named(by),
            command=command,
            event=event,
            word=word,
            plies=plies,
            agreed=consent(game, named(agreed), by),
            reason=plain(reason, "The reason"),
        )
        return (taken,)

    before, done = begin(store, id, expected, command, MoveTakenBack, seat=seat)
    seat = viewer(before, seat)
    if done is not None:
        before = repeated(done, command, draft)
    else:
        done = write(store, before, draft(before))
    words = tuple(step.text for step in seen_steps(before, seat)) if seat else before.words
    return TakenBack(id, seen_version(done, seat), words[done.plies :], done.plies)


# --- the log ---


def log(store: Store, id: str, seat: int = 0) -> tuple[LogLine, ...]:
    """Return everything that was ever written of the game, in order; nothing is left out.

    seat: as this seat may read it, its cards known, no digest told
    Raises UnknownGame, and Damaged where the log is not what was written.
    """
    if seat:
        game = load(store, id)
        check_seat(game, seat)
        return seen_log(id, game.recorded, seat)
    return tuple(
        LogLine(
            each.originator_version,
            each.event.at,
            each.event.by,
            each.topic.partition("/")[0],
            told(each.event),
            each.event,
            each.digest,
        )
        for each in recorded_of(store, id)
    )
