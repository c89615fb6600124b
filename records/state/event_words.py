"""Events told in words, for the log."""

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
    """Return what an event says, in a few words that name events by their number."""
    return _TELLERS[type(event)](event)


def _opened(event: GameOpened) -> str:
    parts = [f"opened {event.game}", event.edition, event.variant, event.options]
    return ", ".join(part for part in parts if part)


def _tags(event: TagsChanged) -> str:
    parts = [f'{name} "{isolated(value)}"' for name, value in event.put] + [f"{name} dropped" for name in event.dropped]
    return "tags: " + (", ".join(parts) or "none")


def _imported(event: GameImported) -> str:
    source = f" from {event.source}" if event.source else ""
    return f"imported {event.game}{source}: {count(event.plies, 'ply', 'plies')}, {event.result}, {event.verdict}"


def _played(event: MovePlayed) -> str:
    clock = f", clock {event.clock}" if event.clock else ""
    keys = ", ".join(found.key for found in event.findings)
    stands = " let stand" if event.stands else ""
    quiet = ", quiet" if event.quiet else ""
    return f"p{event.seat} played {event.text}{clock}{quiet}" + (f" ({keys}{stands})" if keys else "")


def _amended(event: MovesAmended) -> str:
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


def _taken_back(event: MoveTakenBack) -> str:
    agreed = f", {isolated(event.agreed)} agreed" if event.agreed else ""
    return f"took back {_plies(event, event.plies)}{agreed}" + _because(event.reason)


def _annotated(event: Annotated) -> str:
    place = f"event {event.event}" if event.event else "the game"
    return f"noted on {place}: {' '.join(event.text.split())}" if event.text else f"removed the note on {place}"


def _clocked(event: ClockCorrected) -> str:
    return f"{event.clock} left after {_place(event.event, event.word)}" + _because(event.reason)


def _boarded(event: BoardStated) -> str:
    place = f"after {_place(event.event, event.word)}" if event.event else "before the first ply"
    return f"stated the board {place}: {event.text}"


def _made_quiet(event: MadeQuiet) -> str:
    return "made quiet"


def _revealed(event: Revealed) -> str:
    return "revealed what the rules say"


def _closed(event: GameClosed) -> str:
    return f"closed {event.result}" + (f", {event.termination}" if event.termination else "")


def _reopened(event: GameReopened) -> str:
    return "reopened" + _because(event.reason)


def _agreed(event: RecordAgreed) -> str:
    return f"p{event.seat} agreed with this record" + (f", head {event.head}" if event.head else "")


def _kept_sheet(event: SheetKept) -> str:
    return f"kept another sheet{f', {event.source}' if event.source else ''}"


def _kept_source(event: SourceKept) -> str:
    return f"kept the text it was read from, {event.format.upper()}"


def _disputed(event: DisputeRaised) -> str:
    place = _place(event.event, event.word) if event.event else "the game"
    return f"disputed {place}{cites_text(event.cites)}: {event.claim}"


def _withdrew(event: DisputeWithdrawn) -> str:
    return f"withdrew dispute {event.event}" + _because(event.reason)


def _ruled(event: RulingGiven) -> str:
    place = ", ".join(_place(*ref) for ref in event.plies) or "the game"
    answer = f" for dispute {event.dispute}" if event.dispute else ""
    place = f"ruling {event.revokes}" if event.revokes else place
    decision = ruling_says(event)
    keys = f" ({', '.join(event.keys)})" if event.keys else ""
    cites = cites_text(event.cites)
    return f"{isolated(event.arbiter)} ruled on {place}{answer}: {decision}{keys}{cites}" + _because(event.reason)


def _declined(event: WordDeclined) -> str:
    why = "; ".join(f"{found.key}: {found.because}" for found in event.findings)
    return f"declined p{event.seat}'s {' '.join(event.words)} ({why})"


def _withheld(event: Withheld) -> str:
    return f"left out of the export: {event.kind}"


def _plies(event: MovesAmended | MoveTakenBack, many: int) -> str:
    """Return so many plies, the first of them at the place an event names: ``3 plies from event 5 on``."""
    place = _place(event.event, event.word)
    return f"the ply of {place}" if many == 1 else f"{many} plies from {place} on"


def _place(event: int, word: int) -> str:
    return f"event {event}" + (f" word {word + 1}" if word else "")


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


_TELLERS: dict[type[Event], Callable[[Any], str]] = {
    GameOpened: _opened,
    TagsChanged: _tags,
    GameImported: _imported,
    MovePlayed: _played,
    MovesAmended: _amended,
    MoveTakenBack: _taken_back,
    Annotated: _annotated,
    ClockCorrected: _clocked,
    BoardStated: _boarded,
    MadeQuiet: _made_quiet,
    Revealed: _revealed,
    GameClosed: _closed,
    GameReopened: _reopened,
    RecordAgreed: _agreed,
    Withheld: _withheld,
    WordDeclined: _declined,
    SheetKept: _kept_sheet,
    SourceKept: _kept_source,
    DisputeRaised: _disputed,
    DisputeWithdrawn: _withdrew,
    RulingGiven: _ruled,
}
