"""What one seat may be told of a live record: its plies, verdicts, findings and log, and no card it has not seen.

All of it is worked out from the record as the seat has seen it (``notation.as_seen``), and from events that all seats
are told of: a seat counts those only, so that its versions and numbers tell nothing of the others. The rules work out
here what it knows of hidden fields; of all others each field says itself who may read it (``state.masks``).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Refused, Undecided
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.numbers import seats_named
from cartulary.notation import Record, as_seen, dumps, examine, loads, read_heading, steps
from cartulary.notation.arbiter.gapped import after_gaps
from cartulary.notation.arbiter.replay import Step, leaves_open
from cartulary.notation.arbiter.seen import readable_tags, see
from cartulary.notation.viewer import Seat, Spectator, Viewer, viewer_of_seat
from cartulary.records.answers import LogLine
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import (
    Event,
    Found,
    GameImported,
    GameOpened,
    MovePlayed,
    MovesAmended,
    MoveTakenBack,
    RulingGiven,
    SheetKept,
    TagsChanged,
)
from cartulary.records.log.fields import UNTOLD
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.event_words import describe
from cartulary.records.state.fold import LiveGame, begins_with, finished, fold
from cartulary.records.state.masks import Reader, counted, mask
from cartulary.records.texts import one_spelling

Known: TypeAlias = Mapping[str, Any]
"""What the rules let a seat know of the hidden fields of an event, by name."""


def check_seat(game: LiveGame, viewer: Viewer) -> None:
    """Raise Unfit where the game has no such seat."""
    if isinstance(viewer, Seat) and not 1 <= viewer.seat <= game.book.seats:
        raise Unfit(f"{viewer.name} is not a seat of {game.id}; expected {seats_named(game.book.seats)}.")


def hidden_from(game: LiveGame, viewer: Viewer) -> int | None:
    """Return the seat from whose view an answer is worked out, as the rules number it: 0 is a spectator.

    None stands for the whole record: for whoever sees everything, and for everybody where every card lies open.

    Raises:
        Unfit: The game has no such seat.
    """
    check_seat(game, viewer)
    played = game.examined.heading.game
    return None if played is None or played.hidden.face_up else viewer.seat


def seen_game(game: LiveGame, seat: int | None) -> LiveGame:
    """Return the game as the rules judge it from what the seat has seen; its book stays the whole one.

    seat: as ``hidden_from`` returns it
    """
    if seat is None:
        return game
    seen, walked = game.seat_records.get(seat), game.examined.walk
    assert walked is not None
    if seen is None or seen.of is not game.record:
        game.seat_records[seat] = seen = see(game.record, seat, walked, seen, game.scoring)
    return replace(game, record=seen.record, examined=seen.examined)


def muted(game: LiveGame, viewer: Viewer) -> bool:
    """Say whether a viewer is not told what the rules say of the record: of a quiet one only who sees everything is."""
    return game.book.quiet and (viewer.seat is not None or viewer.quiet)


def reader(game: LiveGame, viewer: Viewer) -> Viewer:
    """Return a viewer as it reads a record: quiet where it is not told what the rules say of this one.

    Whoever sees everything and asks quietly reads a quiet record as a spectator.
    """
    quiet = muted(game, viewer)
    return Spectator(quiet) if quiet and viewer.seat is None else replace(viewer, quiet=quiet)


def hides(game: LiveGame, seat: int | None) -> bool:
    """Say whether the record holds a card the seat has not seen."""
    heading = game.examined.heading
    if heading.game is None or heading.sheet is None:
        return True
    if seat is None:
        return False
    write, seen = heading.game.sheet.write, heading.game.hidden.view_sheet(heading.sheet, seat)
    return write(seen) != write(heading.sheet) or seen_game(game, seat).record.line.words != game.words


def for_everybody(game: LiveGame, seat: int | None, what: str) -> None:
    """Raise Declined where a seat asks for what is judged from cards it has not seen. what: ``A correction``"""
    if seat is not None and hides(game, seat):
        raise Declined(
            f"{what} may rest on cards that {f'p{seat}' if seat else 'the rail'} has not seen; ask the arbiter."
        )


def seen_record(game: LiveGame, viewer: Viewer) -> Record:
    """Return the game's score sheet as a viewer has seen it, as if read from its text."""
    [record] = loads(dumps(finished(game, quiet=muted(game, viewer))))
    return seen_sheet(game, record, viewer)


def seen_sheet(game: LiveGame, record: Record, viewer: Viewer) -> Record:
    """Return a game's score sheet as a viewer has seen it. record: the sheet, as it is exported"""
    seat = hidden_from(game, viewer)
    seen_game(game, seat)
    return record if seat is None else as_seen(record, seat, game.seat_records[seat])


def seen_steps(game: LiveGame, seat: int | None, kept: Sequence[Step] = ()) -> list[Step]:
    """Return the plies as the seat has seen them, each with the exact verdict from what the seat knows.

    kept: those of the game as it was before, with the same set-up; plies in both are not judged again,
        unless boards are stated
    """
    walked = seen_game(game, hidden_from(game, viewer_of_seat(seat))).examined.walk
    if walked is None:
        return []
    played, sheet = walked.heading.game, walked.heading.sheet
    assert played is not None
    assert sheet is not None
    start, words = walked.start, walked.record.line.words
    # The line is read as one: a ply nobody wrote may let later words mean more than they say alone.
    whole = after_gaps(played, words, start.state)
    if start.boards.texts:
        return list(steps(whole, start.state, words, sheet.seats, exactly=True, boards=start.boards))
    pairs = zip(kept, words, strict=False)
    found = list(kept[: next((at for at, (step, word) in enumerate(pairs) if step.word != word), len(words))])
    while len(found) < len(words) and not (found and not found[-1].applied):
        # Where the walk stands at the same state, its plies are the exact ones up to the next that leaves a question.
        if not found or (len(found) <= len(walked.steps) and _stand_alike(found[-1], walked.steps[len(found) - 1])):
            closed = [*takewhile(lambda step: not leaves_open(step.verdict), walked.steps[len(found) :])]
            found += closed
            if closed:
                continue
        state, calls = (found[-1].after, found[-1].calls_after) if found else (start.state, NO_CALLS)
        at = len(found)
        for step in steps(whole, state, words[at:], sheet.seats, calls, at + 1, exactly=True):
            found.append(step)
            if len(found) < len(walked.steps) and _stand_alike(step, walked.steps[len(found) - 1]):
                break
        if len(found) == at:
            break
    return found


def _stand_alike(step: Step, other: Step) -> bool:
    """Say whether two plies lead to the same state."""
    return step.applied and other.applied and (step.after, step.calls_after) == (other.after, other.calls_after)


# --- how a seat counts ---


def told_number(game: LiveGame, seat: int | None, number: int) -> int:
    """Return the number by which the seat knows an event; the true one where everything is told."""
    return counted(game.recorded, number) if seat is not None else number


def seen_version(game: LiveGame, seat: int | None) -> int:
    """Return the version of the game as the seat counts it, the true one where everything is told."""
    return told_number(game, seat, game.head.version)


# --- who played ---


def players(record: Record) -> tuple[str, ...]:
    """Return the names of those who played, each in its one spelling."""
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        return ()
    return tuple(one_spelling(record.tag(tag)) for tag in heading.game.about.seat_tags(heading.sheet.seats))


# --- the log ---


def seen_line(
    number: int,
    each: RecordedEvent,
    known: Known,
    recorded: Sequence[RecordedEvent],
    names: Collection[str],
    quietly: bool,
) -> LogLine:
    """Return an event as a line of the log as a seat may read it, without its digest.

    number: by which the seat knows it; known: as ``seen_events`` has it; names: of those who played
    quietly: what the rules say is not told
    """
    reader = Reader(names, recorded, quietly)
    event = mask(each.event, reader, known)
    return LogLine(number, event.at, event.by, each.topic.partition("/")[0], describe(event), event, "")


class SeenEvents(Struct, frozen=True, eq=False):
    """The events of a game as a seat may read them, to be read on from when more was written.

    game: as it was read; known: what the seat knows of each event of its log
    steps: its plies as the seat has seen them
    same: how many of the events were read before
    """

    game: LiveGame
    seat: int
    known: tuple[Known, ...]
    steps: Sequence[Step]
    same: int = 0

    def leads_to(self, game: LiveGame) -> bool:
        """Say whether the seat reads these events the same in a game to whose log more was added.

        It does not where the set-up, the close or the first ply makes others be read differently: a kept sheet is shown
        once the game is closed.
        """
        before = self.game
        return before.examined.heading == game.examined.heading and (before.book.closed, bool(before.plies)) == (
            game.book.closed,
            bool(game.plies),
        )


def seen_events(game: LiveGame, seat: int, kept: SeenEvents | None = None) -> SeenEvents:
    """Return what a seat knows of the events; each is read as the record stood before the next correction or ruling.

    kept: those of the game as it was before, which are not worked out again where they are read the same
    """
    recorded, known, same = game.recorded, list[Known](), 0
    judged: Sequence[Step] = ()
    if kept is not None and (kept.game.id, kept.seat) == (game.id, seat) and begins_with(recorded, kept.game.head):
        if len(recorded) == kept.game.head.version and kept.leads_to(game):
            return SeenEvents(game, seat, kept.known, kept.steps, len(recorded))
        known, judged, same = list(kept.known), kept.steps, len(kept.known)
    first = len(known)
    for at in range(first + 1, len(recorded) + 1):
        following = recorded[at].event if at < len(recorded) else None
        if following is None or isinstance(following, (MovesAmended, MoveTakenBack, RulingGiven)):
            then = fold(game.id, recorded[:at], game) if at < len(recorded) else game
            if kept is not None and first == same > 0 and not kept.leads_to(then):
                return seen_events(game, seat)
            judged = seen_steps(then, seat, judged)
            known += _known_of_run(then, recorded[first:at], seat, judged, game.book.closed)
            first = at
    return SeenEvents(game, seat, tuple(known), judged, same)


def _known_of_run(
    game: LiveGame, run: Sequence[RecordedEvent], seat: int, judged: Sequence[Step], closed: bool
) -> Iterator[Known]:
    """Yield what is known of events none of which but the first changes a ply of another.

    Args:
        game: The game as it stands after the last of them.
        run: The events.
        seat: The seat that reads them.
        judged: The plies of the game as the seat has seen them.
        closed: Whether the game is closed now, at the end of the whole log.
    """
    written: dict[int, list[Step]] = {}
    for entry, step in zip(game.book.plies, judged, strict=False):
        if entry.ref[0] >= run[0].originator_version:
            written.setdefault(entry.ref[0], []).append(step)
    for each in run:
        if isinstance(each.event, GameImported):
            then = fold(game.id, game.recorded[: each.originator_version], game)
            seen = as_seen(then.record, seat)
            report = examine(seen).report
            yield {"cgn": dumps(seen), "plies": report.plies, "result": report.result, "verdict": report.verdict}
        else:
            yield _known(game, each.event, written.get(each.originator_version, []), seat, closed)


def _known(game: LiveGame, event: Event, plies: list[Step], seat: int, closed: bool) -> Known:
    """Return what the rules let a seat know of an event, by field; a kept sheet only once the game is ``closed``."""
    if isinstance(event, MovePlayed):
        word = plies[0].text if plies else UNTOLD
        refused = bool(plies) and isinstance(plies[0].verdict, Refused)
        return {"text": word, "findings": _found(plies[0]) if plies else (), "stands": refused}
    if isinstance(event, MovesAmended):
        words = tuple(step.text for step in plies) + (UNTOLD,) * (len(event.words) - len(plies))
        found = tuple(_found(step) for step in plies) + ((),) * (len(event.words) - len(plies))
        refused = any(isinstance(step.verdict, Refused) for step in plies)
        return {"words": words, "findings": found, "stands": refused}
    if isinstance(event, RulingGiven):
        return {"words": (*(step.text for step in plies), *(UNTOLD for _ in event.words[len(plies) :]))}
    if isinstance(event, SheetKept):
        kept = as_seen(loads(event.cgn)[0], seat) if closed else None
        return {"cgn": UNTOLD if kept is None else dumps(kept)}
    heading = game.examined.heading
    if isinstance(event, TagsChanged) and heading.game is not None:
        dropped = readable_tags(heading.game, game.book.seats, ((name, "") for name in event.dropped), not game.plies)
        put = readable_tags(heading.game, game.book.seats, event.put, not game.plies)
        return {"put": put, "dropped": tuple(name for name, _ in dropped)}
    if isinstance(event, GameOpened) and heading.game is not None and heading.sheet is not None:
        own = heading.game.sheet.write(heading.game.hidden.view_sheet(heading.sheet, seat))
        return {"own": tuple(own.items())}
    return {}


def _found(step: Step) -> tuple[Found, ...]:
    """Return what the rules say of a ply from what the seat knows."""
    if isinstance(step.verdict, Refused):
        return (Found("error", step.verdict.clause.key, step.verdict.because),)
    if isinstance(step.verdict, Undecided):
        return tuple(Found("undecided", asked.clause.key, "") for asked in step.verdict.opens if asked.asks)
    return ()
