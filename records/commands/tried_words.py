"""Trying words on a game: what the rules would say of them, and the events that they would be. Nothing is stored here.

``play`` stores a trial and ``judge_words`` only answers with it, so a word gets the same answer while it is typed and
when it is stored. A *trial* is a run of words judged one after the other, after the last ply of a game.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Refused
from cartulary.engine.play import actors, as_displayed
from cartulary.notation import Finding, examine, steps
from cartulary.notation.arbiter.compare import plain_word
from cartulary.notation.arbiter.house import unwaived_refusal
from cartulary.notation.arbiter.replay import Step, leaves_open
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.cgn.record import MISSING_WORD, SPELLING
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import WordAnswer
from cartulary.records.commands.request import after, not_by_the_rail, readable, still_open, takes_words, unplayable
from cartulary.records.commands.typed import JudgedWords, judge_after
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.log.events import Event, MovePlayed, StoredFinding, WordDeclined
from cartulary.records.log.fields import CLOCK
from cartulary.records.state.book import found_of
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.seat_view import hidden_from, hides, muted, seen_game, seen_version
from cartulary.records.texts import clean_name, now


class Trial(Struct, frozen=True):
    """Words tried after the last ply of a game.

    Attributes:
        game: The game.
        word_answers: What the rules say of each word, up to the first that is refused and does not stand, as if none
            was stored.
        events: The events that the words would be, with their findings; of all words, refused ones too, up to the first
            that cannot be applied. Empty if a seat from which cards are hidden wrote them and they may not be stored.
        refused: Whether the words may not be stored.
        declined_words: The event to store instead, if the seat's view allows the words but the whole record does not.
        judged_game: The game as it would stand with the events; None if there are none.
    """

    game: LiveGame
    word_answers: tuple[WordAnswer, ...]
    events: tuple[MovePlayed, ...]
    refused: bool
    declined_words: WordDeclined | None = None
    judged_game: LiveGame | None = None

    def answers(self, stored: bool) -> tuple[WordAnswer, ...]:
        """Return what the rules say of each word, up to the first that is refused, in order.

        Args:
            stored: Whether the events are stored. Each answer then has the version of the game with its word.
        """
        if not stored:
            return self.word_answers
        plies = self.game.plies
        return tuple(
            replace(answer, stored=True, typed="", version=answer.version + answer.ply - plies)
            for answer in self.word_answers
        )

    def events_to_store(self) -> tuple[Event, ...]:
        """Return the events to store.

        They are those of the words, all or none: none if a word is refused. If only the whole record forbids a word, it
        is the one event that says that the words were declined.
        """
        if self.declined_words is not None:
            return (self.declined_words,)
        return () if self.refused else self.events


def judge_words(
    game: LiveGame,
    words: Sequence[str] | JudgedWords,
    viewer: Viewer = EVERYTHING,
    *,
    own: bool = False,
) -> tuple[WordAnswer, ...]:
    """Return what ``play`` would answer to these words now, up to the first that is refused; nothing is stored.

    A seat is answered from its own view, whatever else the record knows.

    Args:
        game: The game.
        words: The words.
        viewer: Who would write. A seat's words are judged from what it may know; a quiet writer is shown no verdict.
        own: Whether only words of the seats that the writer speaks for are taken, even if nothing is hidden.

    Returns:
        An answer for each word; ``stored`` is False in all.

    Raises:
        Unread: A word is no move here.
        Declined: The game is closed, only its score was kept, an earlier ply cannot be carried out, a word is another
            seat's, or a quiet writer's word is impossible.
        Unfit: The game has no such seat, there is no word, or a spectator asks.
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
    """Try words after the last ply of a game, each with its exact verdict.

    Args:
        game: The game.
        words: The words.
        by: Who writes, as the log has it.
        command: The id of the command.
        clock: The time left after the last word, empty for none.
        stands: Whether a refused word does not end the trial, unless it cannot be applied.
        seat: The seat that writes if cards are hidden from it; None judges with everything on record.

    Returns:
        The trial: what the rules say of each word, and the events that the words would be. Nothing is stored.

    Raises:
        Unread: A word is no move here.
        Declined: The game is closed, only its score was kept, an earlier ply cannot be carried out, or a word is
            another seat's and the game holds cards that this one has not seen.
        Unfit: The time is none, or there is no word.
    """
    takes_words(game)
    still_open(game)
    if clock:
        check_time(clock)
    if seat is not None:
        return _try_as_seat(game, words, by, command, clock, stands, seat)
    readable(game.id, game.examined, game.plies + 1)
    judged = read_words(game, words)
    trial_steps = _exact_steps(game, judged)
    refused = _first_refused(game, trial_steps, stands)
    new_game, events, findings = _judge_trial(game, trial_steps, judged.steps, by, command, clock)
    if refused is not None:
        trial_steps = trial_steps[: refused.ply - game.plies]
    answers = tuple(_word_answer(game, game.head.version, step, findings.get(step.ply, ())) for step in trial_steps)
    return Trial(game, answers, events, refused is not None, judged_game=new_game)


def try_quietly(
    game: LiveGame,
    words: Sequence[str] | JudgedWords,
    *,
    by: str = "",
    command: str = "",
    clock: str = "",
    seat: int | None = None,
) -> Trial:
    """Try words that all stand, whatever rule they break. The answers say only that the words are possible.

    Their verdict is ``quiet``, and they have no findings. Nothing is stored. The arguments are those of ``try_words``;
    ``seat`` is the seat that writes, None for whoever sees everything.

    Raises:
        Declined: A word is impossible, and the fault gives no reason; or as ``try_words`` says.
        Unread: A word is misspelt.
        Unfit: The time is none, or there is no word.
    """
    try:
        trial = try_words(game, words, by=by, command=command, clock=clock, stands=True, seat=seat)
    except Unread as fault:
        raise fault if fault.key == SPELLING else unplayable(fault.text) from None
    if trial.refused and trial.declined_words is None:
        raise unplayable(trial.word_answers[-1].text)
    answers = tuple(replace(answer, verdict="quiet", findings=(), blocks=False) for answer in trial.word_answers)
    return replace(trial, word_answers=answers, events=tuple(replace(event, quiet=True) for event in trial.events))


def _try_as_seat(
    game: LiveGame,
    words: Sequence[str] | JudgedWords,
    by: str,
    command: str,
    clock: str,
    stands: bool,
    seat: int | None,
) -> Trial:
    """Try the words of a seat: it is answered from its own view, and the whole record is asked last.

    A word that only the whole record makes impossible gives a trial with ``declined_words``. The arguments are those of
    ``try_words``.

    Raises:
        Declined: Trying another seat's word would show cards that this seat has not seen, or an earlier ply cannot be
            carried out.
        Unread: A word is no move in the view of the seat.
        Unfit: There is no word.
    """
    if game.plies_reached < game.plies:
        raise Declined(
            f"Ply {game.plies_reached + 1} of {game.id} cannot be carried out; the arbiter must amend it first."
        )
    seen = seen_game(game, seat)
    judged = read_words(seen, words)
    trial_steps = _exact_steps(seen, judged)
    foreign_steps = _other_seats_steps(seen, trial_steps, seat)
    in_record = judge_after(game, judged.words) if foreign_steps else None
    if in_record is not None and hides(
        after(game, move_events(game, trial_steps, by, command, clock), in_record.steps[: len(trial_steps)]), seat
    ):
        own = f"with --seat p{seat} or --by p{seat} it accepts words of p{seat} only"
        raise Declined(f"{_owner_text(seen, foreign_steps[0])} {game.id} holds cards that p{seat} has not seen; {own}.")
    refused = _first_refused(game, trial_steps, stands)
    if refused is not None:
        number = refused.ply - game.plies
        return Trial(game, _answers_to_seat(seen, trial_steps[:number], judged.steps[:number], seat), (), True)
    answers = _answers_to_seat(seen, trial_steps, judged.steps, seat)
    in_record = in_record or judge_after(game, judged.words)
    writable, forbidden = _writable_steps(_exact_steps(game, in_record))
    if forbidden is not None:
        declined_run = judged.words[: len(writable) + 1]
        who, findings = clean_name(by), (forbidden,)
        declined = WordDeclined(
            at=now(), by=who, command=command, seat=seat or 0, words=declined_run, findings=findings
        )
        return Trial(game, answers, (), True, declined)
    new_game, events, _ = _judge_trial(game, writable, in_record.steps, by, command, clock)
    return Trial(game, answers, events, False, judged_game=new_game)


def _other_seats_steps(seen: LiveGame, trial_steps: Sequence[Step], seat: int | None) -> list[Step]:
    """Return the plies among these that belong neither to a seat nor to one that it speaks for, in order.

    An example of the latter is a declarer, who speaks for the dummy. Plies of the table count as another's.

    Args:
        seen: The game as the seat sees it.
        trial_steps: The plies.
        seat: The seat.
    """
    speaks_for = played_game(seen).turns.speaks_for
    return [step for step in trial_steps if step.move.seat != seat != speaks_for(step.state, step.move.seat)]


def check_own(game: LiveGame, words: Sequence[str] | JudgedWords, viewer: Viewer) -> Sequence[str] | JudgedWords:
    """Return words that are all the viewer's own, judged if they could be read; nothing is stored.

    Words that cannot be read are returned as they are, for whoever tries them to refuse. A viewer who sees everything
    owns all words; a seat owns those of the seats that it speaks for, and its own.

    Args:
        game: The game.
        words: The words.
        viewer: Who writes them.

    Raises:
        Declined: A word is another seat's, or the table's.
        Unfit: The game has no such seat.
    """
    seat = viewer.seat
    if seat is None:
        return words
    seen = seen_game(game, hidden_from(game, viewer))
    try:
        judged = read_words(seen, words)
    except (Unread, Unfit):
        return words
    foreign_steps = _other_seats_steps(seen, judged.steps, seat)
    if foreign_steps:
        turn = foreign_steps[0].move.seat
        may_act = turn in actors(played_game(seen), foreign_steps[0].state)
        owner = f"It is p{turn}'s turn." if turn and may_act else _owner_text(seen, foreign_steps[0])
        raise Declined(f"{owner} p{seat} can write only its own words.")
    return judged


def _owner_text(seen: LiveGame, step: Step) -> str:
    """Return a sentence that says whose word a ply is: ``8Dj2 is a word of p2, who is to move.``

    A word that belongs to no seat is one of the table. Whether the seat is to move is left out if it is not.
    """
    seat = step.move.seat
    to_move = ", who is to move" if seat and seat in actors(played_game(seen), step.state) else ""
    return f"{step.word} is a word of {f'p{seat}' if seat else 'the table'}{to_move}."


def _waives(game: LiveGame, step: Step) -> bool:
    """Say whether a ply that the rules refuse stands all the same, because of house rules of the game.

    These must waive every rule that refuses it, and it must be possible to apply the ply. False for a ply that is not
    refused.
    """
    if not (step.applied and isinstance(step.verdict, Refused)):
        return False
    return unwaived_refusal(played_game(game), game.record, step) is None


def _first_refused(game: LiveGame, trial_steps: Sequence[Step], stands: bool) -> Step | None:
    """Return the first ply that is refused and does not stand, None if there is none.

    A refused ply that can be applied stands if the house waives the rule that refuses it.

    Args:
        game: The game.
        trial_steps: The plies, in order.
        stands: Whether every refused ply that can be applied is to stand.
    """

    def stays(step: Step) -> bool:
        """Say whether a refused ply is stored all the same."""
        return step.applied and (stands or _waives(game, step))

    return next((step for step in trial_steps if type(step.verdict) is Refused and not stays(step)), None)


def _writable_steps(steps: Sequence[Step]) -> tuple[list[Step], StoredFinding | None]:
    """Return the plies before the first that the whole record makes impossible, and the finding on that one.

    The finding is None if all plies are possible. Impossible means that a word cannot be read or applied.
    """
    writable: list[Step] = []
    for step in steps:
        if step.error is not None:
            return writable, StoredFinding("error", step.error.key, step.error.because)
        if not step.applied:
            assert isinstance(step.verdict, Refused)
            return writable, StoredFinding("error", step.verdict.clause.key, step.verdict.because)
        writable.append(step)
    return writable, None


def _judge_trial(
    game: LiveGame, trial_steps: Sequence[Step], ahead: Sequence[Step], by: str, command: str, clock: str
) -> tuple[LiveGame, tuple[MovePlayed, ...], dict[int, tuple[Finding, ...]]]:
    """Judge a trial with everything on record; nothing is stored.

    Args:
        game: The game.
        trial_steps: The plies, with exact verdicts.
        ahead: The same plies as they were judged first, with which the judging of the whole game goes on.
        by: Who writes.
        command: The id of the command.
        clock: The time left after the last of them.

    Returns:
        The game with these plies, their events with findings, and the findings to answer with, by ply. These include
        what a ply proves of earlier ones.
    """
    events_without_findings = move_events(game, trial_steps, by, command, clock)
    new_game = after(game, events_without_findings, ahead)
    clean = played_game(game).hidden.face_up and all(step.plain for step in trial_steps)
    findings = {} if clean else {ply: new_game.findings(ply, ply) for ply in range(game.plies + 1, new_game.plies + 1)}
    events = tuple(
        replace(event, text=step.text, findings=found_of(findings.get(step.ply, ())))
        for event, step in zip(events_without_findings, trial_steps, strict=True)
    )
    return new_game, events, {ply: (*on_ply, *_proofs_by(new_game, ply)) for ply, on_ply in findings.items()}


def check_time(text: str) -> None:
    """Raise Unfit for a text that is not a time left on the clock, such as ``0:12:30`` or ``12:30``.

    An empty text is none.
    """
    if not CLOCK.fullmatch(text):
        fault = f"{text!r} is not a time" if text else "No time is given"
        raise Unfit(f"{fault}; expected hours, minutes and seconds, 0:12:30, or minutes and seconds, 12:30.")


# --- words ---


def read_words(game: LiveGame, words: Sequence[str] | JudgedWords) -> JudgedWords:
    """Judge words after the last ply of a game, and return them with what the rules say of each. Nothing is stored.

    Refused words are returned too. Words that were judged there already are not judged again.

    Raises:
        Unread: A word is no move here.
        Unfit: There is no word.
    """
    judged = judge_after(game, words)
    steps_read = judged.steps
    if steps_read and steps_read[-1].error is not None:
        error, because = steps_read[-1].error, unread_because(game.examined.heading, steps_read[-1])
        raise Unread(because, steps_read[-1].word, error.column, key=error.key)
    if not steps_read:
        raise Unfit("There is no move to play; give one or more.")
    return judged


def _exact_steps(game: LiveGame, judged: JudgedWords) -> Sequence[Step]:
    """Return the plies of words with exact verdicts, for which every possible deal of hidden cards was asked.

    Only a ply that leaves a question open, and those after it, are judged again: the verdict on any other is exact
    already. A line with an unwritten ply is judged as a whole.

    Args:
        game: The game.
        judged: The words, judged after its last ply.
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


def move_events(game: LiveGame, trial_steps: Sequence[Step], by: str, command: str, clock: str) -> list[MovePlayed]:
    """Return the events of plies in order, with their words as they were typed and without findings; nothing is stored.

    Args:
        game: The game.
        trial_steps: The plies. A refused one is marked as standing, unless house rules waive its rules.
        by: Who writes.
        command: The key of the command, which all events get; empty for none.
        clock: The time left, which the last event gets; empty for none.
    """
    at, who = now(), clean_name(by)
    return [
        MovePlayed(
            at=at,
            by=who,
            command=command,
            seat=step.move.seat,
            text=step.word,
            findings=(),
            stands=type(step.verdict) is Refused and not _waives(game, step),
            clock=clock if step is trial_steps[-1] else "",
        )
        for step in trial_steps
    ]


# --- what is said of them ---


def _answers_to_seat(
    seen: LiveGame, trial_steps: Sequence[Step], ahead: Sequence[Step], seat: int | None
) -> tuple[WordAnswer, ...]:
    """Return what the rules say of each word by a seat's view alone, in order; nothing is stored.

    Args:
        seen: The game in that view.
        trial_steps: The plies, with exact verdicts.
        ahead: The same plies as they were judged first, with which the judging of the whole game goes on.
        seat: The seat.
    """
    line, version = seen.record.line, seen_version(seen, seat)
    words = (*line.words, *(step.word for step in trial_steps))
    record = replace(seen.record, line=replace(line, words=words))
    report = examine(record, cached=seen.examined.walk, ahead=ahead).report
    findings = [replace(finding, line=0, column=0) for finding in report.findings]
    findings = [finding for finding in findings if finding.key not in ("cgn.mark", "record.result")]
    by_ply = {
        step.ply: tuple(finding for finding in findings if step.ply in (finding.ply, finding.decided_by))
        for step in trial_steps
    }
    return tuple(_word_answer(seen, version, step, by_ply[step.ply]) for step in trial_steps)


def _proofs_by(game: LiveGame, ply: int) -> tuple[Finding, ...]:
    """Return the findings on earlier plies that a ply has proved.

    An example is a card that shows that a player could have followed suit before.
    """
    return tuple(finding for finding in game.report.findings if finding.decided_by == ply and finding.ply < ply)


def _word_answer(game: LiveGame, version: int, step: Step, findings: tuple[Finding, ...]) -> WordAnswer:
    """Return the answer to a word: its verdict and findings, and how it was typed if it is refused.

    The verdict is ``legal``, ``undecided``, ``refused`` or ``unjudged``. It is ``legal`` too if house rules waive the
    rules that refuse the word. The answer says that the word is not stored.

    Args:
        game: The game, whole or as a seat sees it.
        version: The version to answer with.
        step: The judged ply.
        findings: The findings to show with it.
    """
    waived = _waives(game, step)
    refused = type(step.verdict) is Refused and not waived
    played = played_game(game)
    is_same_word = plain_word(played, step.word) == plain_word(played, step.text)
    typed = step.word if refused and is_same_word else ""
    verdict = "legal" if waived else type(as_displayed(step.verdict)).__name__.lower()
    return WordAnswer(game.id, version, step.ply, step.text, verdict, findings, False, not step.applied, typed)
