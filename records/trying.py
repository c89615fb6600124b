"""Trying words on a game: what the rules would say of them, and the events they would be; nothing is stored here.

``play`` stores a trial, ``judge_words`` only tells it: so what is said while a word is typed is what is said when it
is written. Terms: a *trial* is a run of words judged one after the other behind the game as it stands.
"""

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Legal, Refused, Verdict
from cartulary.engine.play import shown
from cartulary.notation import Finding, as_seen, examine, steps
from cartulary.notation.replay import Step
from cartulary.records.answers import Played
from cartulary.records.book import found_of
from cartulary.records.events import MovePlayed
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.fold import Game
from cartulary.records.request import after, named, now, readable, still_open
from cartulary.records.seeing import UNTOLD, check_seat, seen_steps

CLOCK = re.compile(r"\d{1,3}(:[0-5]\d){1,2}(\.\d{1,3})?", re.ASCII)
"""A time left, hours, minutes and seconds or only the last two."""


class Trial(Struct, frozen=True):
    """Words tried behind a game.

    steps: up to the first word that is refused and does not stand, that one included
    events: what the words would be stored as, with what the rules find; of all words, whether refused or not
    findings: by ply; refused: whether nothing may be stored
    seat: from what this seat knows it was judged, 0 for everything
    """

    game: Game
    steps: tuple[Step, ...]
    events: tuple[MovePlayed, ...]
    findings: dict[int, tuple[Finding, ...]]
    refused: bool
    seat: int

    def answers(self, stored: bool) -> tuple[Played, ...]:
        """Return what the rules say of each word, as the seat may hear it. stored: whether the events were written."""
        told = tuple(_answer(self.game, step, self.findings, stored) for step in self.steps)
        return as_heard(told, after(self.game, self.events[: len(self.steps)]), self.seat) if self.seat else told


def judge_words(game: Game, words: Sequence[str], *, seat: int = 0) -> tuple[Played, ...]:
    """Return what ``play`` would answer to these words now, up to the first that is refused; nothing is stored.

    Raises Unread for a word that is no move here, Declined for a closed game, Unfit for a seat the game has not.
    """
    check_seat(game, seat)
    return try_words(game, words, seat=seat).answers(stored=False)


def try_words(
    game: Game,
    words: Sequence[str],
    *,
    by: str = "",
    command: str = "",
    clock: str = "",
    stands: bool = False,
    seat: int = 0,
) -> Trial:
    """Return the trial of words behind the game as it stands, each with its exact verdict.

    stands: a refused word does not end it, unless it cannot be applied; the others are as for ``play``
    Raises Unread for a word that is no move here, Declined for a closed game, Unfit for a time that is none.
    """
    still_open(game)
    if seat and game.reached < game.plies and not _faces_up(game):
        raise Declined(f"Ply {game.reached + 1} of {game.id} cannot be applied; it must be amended first.")
    readable(game, game.plies + 1)
    if clock:
        check_time(clock)
    tried = read_words(game, words)
    let = _unseen(game, tried, seat) if seat else frozenset()
    refused = next(
        (s for s in tried if type(s.verdict) is Refused and not (s.applied and (stands or s.ply in let))), None
    )
    events = draft(tried, by, command, clock)
    whole = after(game, events)
    clean = _faces_up(game) and all(type(step.verdict) is Legal and step.word == step.text for step in tried)
    findings = {} if clean else {ply: whole.findings(ply, ply) for ply in range(game.plies + 1, whole.plies + 1)}
    judged = tuple(_as_judged(event, step, findings) for event, step in zip(events, tried, strict=True))
    if refused is not None:
        tried = tried[: refused.ply - game.plies]
    findings = {ply: (*found, *_proved(whole, ply)) for ply, found in findings.items()}
    return Trial(game, tuple(tried), judged, findings, refused is not None, seat)


def check_time(text: str) -> None:
    """Raise Unfit for a text that is no time left."""
    if not CLOCK.fullmatch(text):
        raise Unfit(f"{text!r} is no time; expected hours, minutes and seconds such as 0:12:30.")


# --- words ---


def read_words(game: Game, words: Sequence[str]) -> list[Step]:
    """Return the plies these words would be. Raises Unread for one that is no move here, Unfit for no word at all."""
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


def draft(tried: Sequence[Step], by: str, command: str, clock: str) -> list[MovePlayed]:
    """Return the events of these plies, their words as they were typed, without findings."""
    at, who = now(), named(by)
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


def as_heard(answers: tuple[Played, ...], whole: Game, seat: int) -> tuple[Played, ...]:
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


def _unseen(game: Game, tried: Sequence[Step], seat: int) -> frozenset[int]:
    """Return the plies that are refused only by what the seat may not know.

    Raises Declined where such a ply cannot be applied.
    """
    new = after(game, draft(tried, "", "", ""))
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
