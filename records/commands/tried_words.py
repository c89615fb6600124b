"""Trying words on a game: what the rules would say of them, and the events they would be; nothing is stored here.

``play`` stores a trial, ``judge_words`` only tells it: so what is said while a word is typed is what is said when it
is written. Terms: a *trial* is a run of words judged one after the other behind the game as it stands.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Refused, Verdict
from cartulary.engine.play import actors, as_displayed
from cartulary.notation import Finding, examine, steps
from cartulary.notation.arbiter.compare import plain_word
from cartulary.notation.arbiter.replay import Step, leaves_open
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.cgn.record import MISSING_WORD, SPELLING
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import WordAnswer
from cartulary.records.commands.request import after, not_by_the_rail, readable, still_open, takes_words, unplayable
from cartulary.records.commands.typed import JudgedWords, judge_behind
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.log.events import Event, Found, MovePlayed, WordDeclined
from cartulary.records.log.fields import CLOCK
from cartulary.records.state.book import found_of
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.seat_view import hidden_from, hides, muted, seen_game, seen_version
from cartulary.records.texts import clean_name, now


class Trial(Struct, frozen=True):
    """Words tried behind a game.

    told: what the rules say of each word, up to the first that is refused and does not stand, as if none was stored
    events: what the words would be stored as, with what the rules find; of all words, whether refused or not
    refused: whether nothing may be stored; whole: the game as it would stand with the events
    declined: what is stored instead where the seat's view allows the words and the record forbids one
    """

    game: LiveGame
    told: tuple[WordAnswer, ...]
    events: tuple[MovePlayed, ...]
    refused: bool
    declined: WordDeclined | None = None
    whole: LiveGame | None = None

    def answers(self, stored: bool) -> tuple[WordAnswer, ...]:
        """Return what the rules say of each word. stored: whether the events were written."""
        if not stored:
            return self.told
        plies = self.game.plies
        return tuple(replace(one, stored=True, typed="", version=one.version + one.ply - plies) for one in self.told)

    def drafted(self) -> tuple[Event, ...]:
        """Return what is to be stored: the words, or that they were declined; nothing where one is refused."""
        if self.declined is not None:
            return (self.declined,)
        return () if self.refused else self.events


def judge_words(
    game: LiveGame,
    words: Sequence[str] | JudgedWords,
    viewer: Viewer = EVERYTHING,
    *,
    own: bool = False,
) -> tuple[WordAnswer, ...]:
    """Return what ``play`` would answer to these words now, up to the first that is refused; nothing is stored.

    To a seat that is what its own view says, whatever the record knows beside it.

    Args:
        game: The game.
        words: The words.
        viewer: Who would write, as for ``play``.
        own: As for ``play``.

    Raises:
        Unread: A word is no move here.
        Declined: The game is closed, or a word is another's.
        Unfit: The game has no such seat, or a spectator asks.
    """
    not_by_the_rail(viewer)
    if own:
        words = check_own(game, words, viewer)
    trial = try_quietly if viewer.quiet or muted(game, viewer) else try_words
    return trial(game, words, seat=hidden_from(game, viewer)).answers(stored=False)


def try_words(
    game: LiveGame,
    words: Sequence[str] | JudgedWords,
    *,
    by: str = "",
    command: str = "",
    clock: str = "",
    stands: bool = False,
    seat: int | None = None,
) -> Trial:
    """Return the trial of words behind the game as it stands, each with its exact verdict.

    stands: a refused word does not end it, unless it cannot be applied; the others are as for ``play``
    Raises Unread for a word that is no move here, Declined for a closed game, Unfit for a time that is none.
    """
    takes_words(game)
    still_open(game)
    if clock:
        check_time(clock)
    if seat is not None:
        return _tried_by(game, words, by, command, clock, stands, seat)
    readable(game.id, game.examined, game.plies + 1)
    judged = read_words(game, words)
    tried = _exactly(game, judged)
    refused = _refused(tried, stands)
    whole, events, findings = _judged(game, tried, judged.steps, by, command, clock)
    if refused is not None:
        tried = tried[: refused.ply - game.plies]
    answers = tuple(_answer(game, game.head.version, step, findings.get(step.ply, ())) for step in tried)
    return Trial(game, answers, events, refused is not None, whole=whole)


def try_quietly(
    game: LiveGame,
    words: Sequence[str] | JudgedWords,
    *,
    by: str = "",
    command: str = "",
    clock: str = "",
    seat: int | None = None,
) -> Trial:
    """Return the trial of words that are all let stand and of which nothing is told but that they are possible.

    Raises as ``try_words``, and Declined, without a reason, for a word that is impossible.
    """
    try:
        trial = try_words(game, words, by=by, command=command, clock=clock, stands=True, seat=seat)
    except Unread as fault:
        raise fault if fault.key == SPELLING else unplayable(fault.text) from None
    if trial.refused and trial.declined is None:
        raise unplayable(trial.told[-1].text)
    answers = tuple(replace(one, verdict="quiet", findings=(), blocks=False) for one in trial.told)
    return replace(trial, told=answers, events=tuple(replace(event, quiet=True) for event in trial.events))


def _tried_by(
    game: LiveGame,
    words: Sequence[str] | JudgedWords,
    by: str,
    command: str,
    clock: str,
    stands: bool,
    seat: int | None,
) -> Trial:
    """Return the trial of a seat's words: its own view says what is told of them, and the record is asked last."""
    if game.reached < game.plies:
        raise Declined(f"Ply {game.reached + 1} of {game.id} cannot be carried out; the arbiter must amend it first.")
    seen = seen_game(game, seat)
    judged = read_words(seen, words)
    tried = _exactly(seen, judged)
    others = _others(seen, tried, seat)
    in_record = judge_behind(game, judged.words) if others else None
    if in_record is not None and hides(
        after(game, draft(tried, by, command, clock), in_record.steps[: len(tried)]), seat
    ):
        own = f"with --seat p{seat} or --by p{seat} it accepts words of p{seat} only"
        raise Declined(f"{_whose(seen, others[0])} {game.id} holds cards that p{seat} has not seen; {own}.")
    refused = _refused(tried, stands)
    if refused is not None:
        many = refused.ply - game.plies
        return Trial(game, _told(seen, tried[:many], judged.steps[:many], seat), (), True)
    answers = _told(seen, tried, judged.steps, seat)
    in_record = in_record or judge_behind(game, judged.words)
    known, forbidden = _known(_exactly(game, in_record))
    if forbidden is not None:
        upto = judged.words[: len(known) + 1]
        who, found = clean_name(by), (forbidden,)
        declined = WordDeclined(at=now(), by=who, command=command, seat=seat or 0, words=upto, findings=found)
        return Trial(game, answers, (), True, declined)
    whole, events, _ = _judged(game, known, in_record.steps, by, command, clock)
    return Trial(game, answers, events, False, whole=whole)


def _others(seen: LiveGame, tried: Sequence[Step], seat: int | None) -> list[Step]:
    """Return the plies a seat does not speak for."""
    speaks_for = played_game(seen).turns.speaks_for
    return [step for step in tried if step.move.seat != seat != speaks_for(step.state, step.move.seat)]


def check_own(game: LiveGame, words: Sequence[str] | JudgedWords, viewer: Viewer) -> Sequence[str] | JudgedWords:
    """Raise Declined where one of the words is not the seat's; of what cannot be read whoever tries it has to tell.

    Returns the words, judged where they could be.
    """
    seat = viewer.seat
    if seat is None:
        return words
    seen = seen_game(game, hidden_from(game, viewer))
    try:
        judged = read_words(seen, words)
    except (Unread, Unfit):
        return words
    others = _others(seen, judged.steps, seat)
    if others:
        turn = others[0].move.seat
        theirs = turn in actors(played_game(seen), others[0].state)
        whose = f"It is p{turn}'s turn." if turn and theirs else _whose(seen, others[0])
        raise Declined(f"{whose} p{seat} can write only its own words.")
    return judged


def _whose(seen: LiveGame, step: Step) -> str:
    """Return whose a word is, in a sentence; seen: the game as who typed it has seen it."""
    seat = step.move.seat
    to_move = ", who is to move" if seat and seat in actors(played_game(seen), step.state) else ""
    return f"{step.word} is a word of {f'p{seat}' if seat else 'the table'}{to_move}."


def _refused(tried: Sequence[Step], stands: bool) -> Step | None:
    """Return the first ply that is refused and may not stand."""
    return next((step for step in tried if type(step.verdict) is Refused and not (stands and step.applied)), None)


def _known(steps: Sequence[Step]) -> tuple[list[Step], Found | None]:
    """Return the plies that words are by all the record knows, up to one that cannot be written, and why it cannot."""
    tried: list[Step] = []
    for step in steps:
        if step.error is not None:
            return tried, Found("error", step.error.key, step.error.because)
        if not step.applied:
            assert isinstance(step.verdict, Refused)
            return tried, Found("error", step.verdict.clause.key, step.verdict.because)
        tried.append(step)
    return tried, None


def _judged(
    game: LiveGame, tried: Sequence[Step], ahead: Sequence[Step], by: str, command: str, clock: str
) -> tuple[LiveGame, tuple[MovePlayed, ...], dict[int, tuple[Finding, ...]]]:
    """Return the game with these plies, the events they are with what the rules find, and by ply what is told.

    tried: with exact verdicts; ahead: the same plies as the walk through the game goes on with them
    """
    drafted = draft(tried, by, command, clock)
    whole = after(game, drafted, ahead)
    clean = _faces_up(game) and all(step.plain for step in tried)
    findings = {} if clean else {ply: whole.findings(ply, ply) for ply in range(game.plies + 1, whole.plies + 1)}
    events = tuple(_as_judged(event, step, findings) for event, step in zip(drafted, tried, strict=True))
    return whole, events, {ply: (*found, *_proved(whole, ply)) for ply, found in findings.items()}


def check_time(text: str) -> None:
    """Raise Unfit for a text that is no time left."""
    if not CLOCK.fullmatch(text):
        fault = f"{text!r} is not a time" if text else "No time is given"
        raise Unfit(f"{fault}; expected hours, minutes and seconds, 0:12:30, or minutes and seconds, 12:30.")


# --- words ---


def read_words(game: LiveGame, words: Sequence[str] | JudgedWords) -> JudgedWords:
    """Return words judged behind a game. Raises Unread for one that is no move here, Unfit for no word at all."""
    judged = judge_behind(game, words)
    tried = judged.steps
    if tried and tried[-1].error is not None:
        error, because = tried[-1].error, unread_because(game.examined.heading, tried[-1])
        raise Unread(because, tried[-1].word, error.column, key=error.key)
    if not tried:
        raise Unfit("There is no move to play; give one or more.")
    return judged


def _exactly(game: LiveGame, judged: JudgedWords) -> Sequence[Step]:
    """Return the plies of words with exact verdicts.

    Only a ply that leaves a question open is judged again, with those behind it: of any other the rules say the same
    when every deal is asked. A line with a ply nobody wrote is judged as a whole.
    """
    gaps = any(MISSING_WORD in word for word in judged.words)
    at = next((at for at, step in enumerate(judged.steps) if leaves_open(step.verdict)), None)
    if at is None:
        return judged.steps
    at = 0 if gaps else at
    heading, first, words = game.examined.heading, judged.steps[at], judged.words[at:]
    assert heading.game is not None
    assert heading.sheet is not None
    again = steps(heading.game, first.state, words, heading.sheet.seats, first.calls, first.ply, exactly=True)
    return (*judged.steps[:at], *again)


def draft(tried: Sequence[Step], by: str, command: str, clock: str) -> list[MovePlayed]:
    """Return the events of these plies, their words as they were typed, without findings."""
    at, who = now(), clean_name(by)
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


# --- what is said of them ---


def _told(seen: LiveGame, tried: Sequence[Step], ahead: Sequence[Step], seat: int | None) -> tuple[WordAnswer, ...]:
    """Return what the rules say of words by a seat's view alone.

    seen: the game in that view; tried, ahead: the words in it, as ``_judged`` has them
    """
    line, version = seen.record.line, seen_version(seen, seat)
    words = (*line.words, *(step.word for step in tried))
    record = replace(seen.record, line=replace(line, words=words))
    report = examine(record, cached=seen.examined.walk, ahead=ahead).report
    found = [replace(one, line=0, column=0) for one in report.findings]
    found = [one for one in found if one.key not in ("cgn.mark", "record.result")]
    by_ply = {step.ply: tuple(one for one in found if step.ply in (one.ply, one.decided_by)) for step in tried}
    return tuple(_answer(seen, version, step, by_ply[step.ply]) for step in tried)


def _faces_up(game: LiveGame) -> bool:
    played = game.examined.heading.game
    return played is not None and played.hidden.face_up


def _proved(game: LiveGame, ply: int) -> tuple[Finding, ...]:
    """Return what a ply has proved of earlier ones."""
    return tuple(found for found in game.report.findings if found.decided_by == ply and found.ply < ply)


def _as_judged(event: MovePlayed, step: Step, findings: dict[int, tuple[Finding, ...]]) -> MovePlayed:
    return replace(event, text=step.text, findings=found_of(findings.get(step.ply, ())))


def _answer(game: LiveGame, version: int, step: Step, told: tuple[Finding, ...]) -> WordAnswer:
    refused = type(step.verdict) is Refused
    played = played_game(game)
    same = plain_word(played, step.word) == plain_word(played, step.text)
    typed = step.word if refused and same else ""
    verdict = _word(step.verdict)
    return WordAnswer(game.id, version, step.ply, step.text, verdict, told, False, not step.applied, typed)


def _word(verdict: Verdict) -> str:
    """Return a verdict in one word."""
    return type(as_displayed(verdict)).__name__.lower()
