"""Events in words, for the log: for each kind of event a function that returns its phrase."""

from collections.abc import Callable
from typing import Any

from cartulary.notation.arbiter.ruling_commands import ruling_says
from cartulary.notation.cgn.controls import isolated
from cartulary.notation.cgn.signs import count
from cartulary.records.log.events import (
    Annotated,
    BoardStated,
    ClockCorrected,
    DisputeRaised,
    DisputeWithdrawn,
    Event,
    GameClosed,
    GameImported,
    GameOpened,
    GameReopened,
    MadeQuiet,
    MovePlayed,
    MovesAmended,
    MoveTakenBack,
    RecordAgreed,
    Revealed,
    RulingGiven,
    SheetKept,
    SourceKept,
    TagsChanged,
    Withheld,
    WordDeclined,
)
from cartulary.records.state.docket import cites_text


def describe(event: Event) -> str:
    """Return an event as a phrase, ``p1 played 8Dj2``. Other events are named by their numbers."""
    return _DESCRIPTIONS[type(event)](event)


def _game_opened(event: GameOpened) -> str:
    parts = [f"opened {event.game}", event.edition, event.variant, event.options]
    return ", ".join(part for part in parts if part)


def _tags_changed(event: TagsChanged) -> str:
    parts = [f'{name} "{isolated(value)}"' for name, value in event.put] + [f"{name} dropped" for name in event.dropped]
    return "tags: " + (", ".join(parts) or "none")


def _game_imported(event: GameImported) -> str:
    source = f" from {event.source}" if event.source else ""
    return f"imported {event.game}{source}: {count(event.plies, 'ply', 'plies')}, {event.result}, {event.verdict}"


def _move_played(event: MovePlayed) -> str:
    clock = f", clock {event.clock}" if event.clock else ""
    keys = ", ".join(finding.key for finding in event.findings)
    stands = " let stand" if event.stands else ""
    quiet = ", quiet" if event.quiet else ""
    return f"p{event.seat} played {event.text}{clock}{quiet}" + (f" ({keys}{stands})" if keys else "")


def _moves_amended(event: MovesAmended) -> str:
    words = " ".join(event.words)
    plies = _plies(event, event.replaced)
    if not event.replaced:
        place = f"before {_place(event.event, event.word)}" if event.event else "at the end"
        statement = f"put {words} {place}"
    elif words:
        statement = f"corrected {plies}, to {words}"
    else:
        statement = f"removed {plies}"
    return statement + _because(event.reason)


def _move_taken_back(event: MoveTakenBack) -> str:
    agreed = f", {isolated(event.agreed)} agreed" if event.agreed else ""
    return f"took back {_plies(event, event.plies)}{agreed}" + _because(event.reason)


def _note(event: Annotated) -> str:
    place = f"event {event.event}" if event.event else "the game"
    return f"noted on {place}: {' '.join(event.text.split())}" if event.text else f"removed the note on {place}"


def _clock_corrected(event: ClockCorrected) -> str:
    return f"{event.clock} left after {_place(event.event, event.word)}" + _because(event.reason)


def _board_stated(event: BoardStated) -> str:
    place = f"after {_place(event.event, event.word)}" if event.event else "before the first ply"
    return f"stated the board {place}: {event.text}"


def _made_quiet(event: MadeQuiet) -> str:
    return "made quiet"


def _revealed(event: Revealed) -> str:
    return "revealed what the rules say"


def _game_closed(event: GameClosed) -> str:
    return f"closed {event.result}" + (f", {event.termination}" if event.termination else "")


def _game_reopened(event: GameReopened) -> str:
    return "reopened" + _because(event.reason)


def _record_agreed(event: RecordAgreed) -> str:
    return f"p{event.seat} agreed with this record" + (f", head {event.head}" if event.head else "")


def _sheet_kept(event: SheetKept) -> str:
    return f"kept another sheet{f', {event.source}' if event.source else ''}"


def _source_kept(event: SourceKept) -> str:
    return f"kept the text it was read from, {event.format.upper()}"


def _dispute_raised(event: DisputeRaised) -> str:
    place = _place(event.event, event.word) if event.event else "the game"
    return f"disputed {place}{cites_text(event.cites)}: {event.claim}"


def _dispute_withdrawn(event: DisputeWithdrawn) -> str:
    return f"withdrew dispute {event.event}" + _because(event.reason)


def _ruling_given(event: RulingGiven) -> str:
    place = ", ".join(_place(*ref) for ref in event.plies) or "the game"
    answer = f" for dispute {event.dispute}" if event.dispute else ""
    place = f"ruling {event.revokes}" if event.revokes else place
    decision = ruling_says(event)
    keys = f" ({', '.join(event.keys)})" if event.keys else ""
    cites = cites_text(event.cites)
    return f"{isolated(event.arbiter)} ruled on {place}{answer}: {decision}{keys}{cites}" + _because(event.reason)


def _word_declined(event: WordDeclined) -> str:
    why = "; ".join(f"{finding.key}: {finding.because}" for finding in event.findings)
    return f"declined p{event.seat}'s {' '.join(event.words)} ({why})"


def _withheld(event: Withheld) -> str:
    return f"left out of the export: {event.kind}"


def _plies(event: MovesAmended | MoveTakenBack, number: int) -> str:
    """Return so many plies from the one that an event refers to: ``3 plies from event 5 on``."""
    place = _place(event.event, event.word)
    return f"the ply of {place}" if number == 1 else f"{number} plies from {place} on"


def _place(event: int, word: int) -> str:
    """Return the place of a ply in the log: ``event 5``, or ``event 5 word 2`` if the event wrote several words."""
    return f"event {event}" + (f" word {word + 1}" if word else "")


def _because(reason: str) -> str:
    """Return a reason as the end of a phrase, ``: misheard``; empty if there is none."""
    return f": {reason}" if reason else ""


_DESCRIPTIONS: dict[type[Event], Callable[[Any], str]] = {
    GameOpened: _game_opened,
    TagsChanged: _tags_changed,
    GameImported: _game_imported,
    MovePlayed: _move_played,
    MovesAmended: _moves_amended,
    MoveTakenBack: _move_taken_back,
    Annotated: _note,
    ClockCorrected: _clock_corrected,
    BoardStated: _board_stated,
    MadeQuiet: _made_quiet,
    Revealed: _revealed,
    GameClosed: _game_closed,
    GameReopened: _game_reopened,
    RecordAgreed: _record_agreed,
    Withheld: _withheld,
    WordDeclined: _word_declined,
    SheetKept: _sheet_kept,
    SourceKept: _source_kept,
    DisputeRaised: _dispute_raised,
    DisputeWithdrawn: _dispute_withdrawn,
    RulingGiven: _ruling_given,
}
