"""The desk: one function for each thing a person can ask of a live record.

Every function takes the store first. ``by`` says who asks; ``command`` is an id that makes a repeated request
harmless: the first answer comes again and nothing is stored twice; ``expected`` is the version the asker has seen.
All raise the faults of ``records.faults``; what the rules say is no exception but part of the answer. Correcting,
annotating, closing, importing, exporting and proving have modules of their own and are asked for here too.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from cartulary.engine import Legal, Refused, Verdict
from cartulary.engine.play import shown
from cartulary.notation import Finding, as_seen, examine, steps
from cartulary.notation.replay import Step
from cartulary.records.amending import amend
from cartulary.records.answers import Amended, Closed, LogLine, Noted, Opened, Played, Tagged, TakenBack
from cartulary.records.archive import (
    Archive,
    Imported,
    Restored,
    export_cgn,
    export_json,
    import_records,
    record_of,
    restore,
)
from cartulary.records.book import found_of
from cartulary.records.closing import close, reopen
from cartulary.records.events import TOPICS, Event, MovePlayed, MoveTakenBack
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.fold import Game, load
from cartulary.records.index import Listed
from cartulary.records.index import listed as games
from cartulary.records.index import rebuild as reindex
from cartulary.records.noting import annotate
from cartulary.records.opening import change_tags, open_game
from cartulary.records.proof import Proof, verify, verify_all, verify_archive
from cartulary.records.request import after, begin, now, plain, readable, repeated, still_open, words_of, write
from cartulary.records.seeing import UNTOLD, check_seat, seen_log, seen_steps
from cartulary.records.store import Store
from cartulary.records.telling import told

__all__ = [
    "Amended",
    "Archive",
    "Closed",
    "Imported",
    "Listed",
    "LogLine",
    "Noted",
    "Opened",
    "Played",
    "Proof",
    "Restored",
    "Tagged",
    "TakenBack",
    "amend",
    "annotate",
    "change_tags",
    "close",
    "export_cgn",
    "export_json",
    "games",
    "import_records",
    "log",
    "open_game",
    "play",
    "record_of",
    "reindex",
    "reopen",
    "restore",
    "take_back",
    "verify",
    "verify_all",
    "verify_archive",
    "words_of",
]

# --- play ---

CLOCK = re.compile(r"\d{1,3}(:[0-5]\d){1,2}(\.\d{1,3})?")


def play(
    store: Store,
    id: str,
    words: Sequence[str],
    *,
    by: str = "",
    command: str = "",
    expected: int | None = None,
    stands: bool = False,
    clock: str = "",
    seat: int = 0,
) -> tuple[Played, ...]:
    """Play words in turn, all or none, and return what the rules say of each, up to the first that is refused.

    stands: a refused word is stored all the same, with its findings, unless it cannot be applied
    clock: the time left after the last word, ``h:mm:ss``
    seat: judged and answered from what this seat may know; where anything is hidden from it, it writes its own words
    Raises Unread for a word that is no move here, Declined for a closed game; then nothing is stored.
    """
    game, done = begin(store, id, expected, command, MovePlayed)
    check_seat(game, seat)
    if done is not None:
        repeated(done, command, lambda before: _again(before, words, by, command, stands or bool(seat), clock))
        return _as_seen(_played_before(done, command), done, seat)
    still_open(game)
    readable(game, game.plies + 1)
    if clock and not CLOCK.fullmatch(clock):
        raise Unfit(f"{clock!r} is no time; expected hours, minutes and seconds such as 0:12:30.")
    tried = _tried(game, words)
    let = _unseen(game, tried, seat) if seat else frozenset()
    refused = next(
        (s for s in tried if type(s.verdict) is Refused and not (s.applied and (stands or s.ply in let))), None
    )
    events = _typed(tried, by, command, clock)
    whole = after(game, events)
    clean = _faces_up(game) and all(type(step.verdict) is Legal and step.word == step.text for step in tried)
    findings = {} if clean else _findings(whole, game.plies + 1)
    if refused is None:
        write(store, game, [_as_judged(event, step, findings) for event, step in zip(events, tried, strict=True)])
    else:
        tried = tried[: refused.ply - game.plies]
    findings = {ply: (*found, *_proved(whole, ply)) for ply, found in findings.items()}
    answers = tuple(_answer(game, step, findings, refused is None) for step in tried)
    return _as_seen(answers, after(game, events[: len(tried)]), seat)


def _unseen(game: Game, tried: Sequence[Step], seat: int) -> frozenset[int]:
    """Return the plies that are refused only by what the seat may not know.

    Raises Declined where such a ply cannot be applied.
    """
    new = after(game, _typed(tried, "", "", ""))
    steps_seen = seen_steps(new, seat)
    hides = [step.text for step in steps_seen] != list(new.words)
    if hides and any(step.move.seat != seat for step in tried):
        raise Declined(
            f"{game.id} holds cards p{seat} has not seen; with --seat p{seat} it takes the words of p{seat} only."
        )
    seen = {step.ply: step for step in steps_seen}
    let = set()
    for step in tried:
        known = seen.get(step.ply)
        if type(step.verdict) is Refused and known is not None and type(known.verdict) is not Refused:
            if not step.applied:
                raise Declined(f"{step.text} cannot be written: the record knows more than p{seat} may be told.")
            let.add(step.ply)
    return frozenset(let)


def _as_seen(answers: tuple[Played, ...], whole: Game, seat: int) -> tuple[Played, ...]:
    """Return the answers as the seat may hear them. whole: the game with these plies."""
    if not seat:
        return answers
    seen = {step.ply: step for step in seen_steps(whole, seat)}
    found = examine(as_seen(whole.record, seat)).report.findings
    told = []
    for answer in answers:
        step = seen.get(answer.ply)
        verdict = _word(step.verdict) if step is not None else answer.verdict
        mine = tuple(replace(one, line=0, column=0) for one in found if answer.ply in (one.ply, one.decided_by))
        mine = tuple(one for one in mine if one.key not in ("cgn.mark", "record.result"))
        word, blocks = (step.text, not step.applied) if step is not None else (UNTOLD, answer.blocks)
        told.append(replace(answer, text=word, verdict=verdict, findings=mine, blocks=blocks))
    return tuple(told)


def _typed(tried: Sequence[Step], by: str, command: str, clock: str) -> list[MovePlayed]:
    """Return the events of these plies, their words as they were typed."""
    at, who = now(), plain(by, "The name")
    return [
        MovePlayed(
            at=at,
            by=who,
            command=command,
            seat=step.move.seat,
            text=step.word,
            findings=(),
            stands=type(step.verdict) is Refused,
            clock=clock if step is tried[-1] else "",
        )
        for step in tried
    ]


def _again(before: Game, words: Sequence[str], by: str, command: str, stands: bool, clock: str) -> Sequence[MovePlayed]:
    """Return what these words would have written to the game as it was before."""
    tried = _tried(before, words)
    events = _typed(tried, by, command, clock)
    if not stands and any(event.stands for event in events):
        return ()
    return [replace(event, text=step.text) for event, step in zip(events, tried, strict=True)]


def _tried(game: Game, words: Sequence[str]) -> list[Step]:
    heading = game.examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    tried = list(
        steps(
            heading.game,
            game.examined.state,
            tuple(words),
            heading.sheet.seats,
            game.examined.calls,
            game.plies + 1,
            exactly=True,
        )
    )
    if tried and tried[-1].error is not None:
        error = tried[-1].error
        raise Unread(error.because, tried[-1].word, error.column)
    if not tried:
        raise Unfit("There is no move to play.")
    return tried


def _findings(game: Game, first: int) -> dict[int, tuple[Finding, ...]]:
    return {ply: game.findings(ply, ply) for ply in range(first, game.plies + 1)}


def _faces_up(game: Game) -> bool:
    rulebook = game.examined.heading.game
    return rulebook is not None and rulebook.rules.FACE_UP


def _proved(game: Game, ply: int) -> tuple[Finding, ...]:
    """Return what a ply has proved of earlier ones."""
    return tuple(found for found in game.report.findings if found.decided_by == ply and found.ply < ply)


def _as_judged(event: MovePlayed, step: Step, findings: dict[int, tuple[Finding, ...]]) -> MovePlayed:
    return replace(event, text=step.text, findings=found_of(findings.get(step.ply, ())))


def _answer(game: Game, step: Step, findings: dict[int, tuple[Finding, ...]], stored: bool) -> Played:
    version = game.head.version + (step.ply - game.plies if stored else 0)
    told = findings.get(step.ply, ())
    return Played(game.id, version, step.ply, step.text, _word(step.verdict), told, stored, not step.applied)


def _word(verdict: Verdict) -> str:
    """Return a verdict in one word."""
    return type(shown(verdict)).__name__.lower()


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
    Raises Declined for a closed game, and where there are not so many plies.
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
            by=plain(by, "The name"),
            command=command,
            event=event,
            word=word,
            plies=plies,
            agreed=plain(agreed, "The name"),
            reason=plain(reason, "The reason"),
        )
        return (taken,)

    before, done = begin(store, id, expected, command, MoveTakenBack)
    check_seat(before, seat)
    if done is not None:
        before = repeated(done, command, draft)
    else:
        done = write(store, before, draft(before))
    words = tuple(step.text for step in seen_steps(before, seat)) if seat else before.words
    return TakenBack(id, done.head.version, words[done.plies :], done.plies)


# --- the log ---


def log(store: Store, id: str, seat: int = 0) -> tuple[LogLine, ...]:
    """Return everything that was ever written of the game, in order; nothing is left out.

    seat: as this seat may read it, its cards known, no digest told
    Raises UnknownGame, and Damaged where the log is not what was written.
    """
    if seat:
        check_seat(load(store, id), seat)
        return seen_log(id, store.read(id), seat)
    return tuple(
        LogLine(
            each.originator_version,
            each.event.at,
            each.event.by,
            TOPICS[type(each.event)].partition("/")[0],
            told(each.event),
            each.event,
            each.digest,
        )
        for each in store.read(id)
    )
