"""What one seat may read of a live record: its plies, verdicts, findings and log, but no card that it has not seen.

All of it is worked out from the record as the seat has seen it (``notation.as_seen``) and from the events that all
seats are shown. A seat counts only those events, so its version numbers say nothing about the others. The rules work
out here what the seat knows of secret fields; for all other fields their declaration says who may read them
(``state.masks``).
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
from cartulary.notation.seatings import sitting, tenures
from cartulary.notation.viewer import Seat, Spectator, Viewer, viewer_of_seat
from cartulary.records.answers import LogLine
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import (
    Event,
    GameImported,
    GameOpened,
    MovePlayed,
    MovesAmended,
    MoveTakenBack,
    RulingGiven,
    SheetKept,
    StoredFinding,
    TagsChanged,
)
from cartulary.records.log.fields import UNTOLD
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.event_words import LINE, say
from cartulary.records.state.fold import LiveGame, begins_with, finished, fold
from cartulary.records.state.masks import Reader, mask, number_for_seats
from cartulary.records.state.people import NOBODY_MERGED, People
from cartulary.records.texts import one_spelling

Knowledge: TypeAlias = Mapping[str, Any]
"""What the rules let a seat know of the hidden fields of an event, by name."""


def check_seat(game: LiveGame, viewer: Viewer) -> None:
    """Raise Unfit if the viewer is a seat that the game has not; a spectator and whoever sees everything always
    pass.
    """
    if isinstance(viewer, Seat) and not 1 <= viewer.seat <= game.book.seats:
        raise Unfit(f"{viewer.name} is not a seat of {game.id}; expected {seats_named(game.book.seats)}.")


def hidden_from(game: LiveGame, viewer: Viewer) -> int | None:
    """Return the seat from whose view an answer to a viewer is worked out, 0 for the rail (spectators); None if nothing
    is hidden.

    Nothing is hidden from a viewer who sees everything, nor from anybody if all cards of the game lie face up or the
    game has no rules that can be read.

    Raises:
        Unfit: The game has no such seat.
    """
    check_seat(game, viewer)
    played = game.examined.heading.game
    return None if played is None or played.hidden.face_up else viewer.seat


def seen_game(game: LiveGame, seat: int | None) -> LiveGame:
    """Return a game as it is judged from what a seat has seen: its record and verdicts. Its book and its events stay
    whole.

    What was worked out is kept in ``game.seat_records`` for the next time.

    Args:
        game: The game.
        seat: The seat, 0 for the rail (spectators); None returns the game itself.
    """
    if seat is None:
        return game
    seen, walk = game.seat_records.get(seat), game.examined.walk
    assert walk is not None
    if seen is None or seen.of is not game.record:
        game.seat_records[seat] = seen = see(game.record, seat, walk, seen, game.scoring)
    return replace(game, record=seen.record, examined=seen.examination)


def muted(game: LiveGame, viewer: Viewer) -> bool:
    """Say whether verdicts are withheld from a viewer because the record is quiet.

    In a quiet record they are withheld from seats and the rail, and from anybody who asks to be quiet.
    """
    return game.book.quiet and (viewer.seat is not None or viewer.quiet)


def reader(game: LiveGame, viewer: Viewer) -> Viewer:
    """Return a viewer as it reads a record: with ``quiet`` set if it is not shown the verdicts of this one, and unset
    if it is.

    A viewer who sees everything and asks to be quiet reads a quiet record as a spectator.
    """
    quiet = muted(game, viewer)
    return Spectator(quiet) if quiet and viewer.seat is None else replace(viewer, quiet=quiet)


def hides(game: LiveGame, seat: int | None) -> bool:
    """Say whether the record holds a card that the seat has not seen, in its set-up or its words.

    Args:
        game: The game. If it cannot be set up, the answer is True for any seat and for None.
        seat: The seat, 0 for the rail; None is somebody who sees everything, from whom nothing is hidden.
    """
    heading = game.examined.heading
    if heading.game is None or heading.sheet is None:
        return True
    if seat is None:
        return False
    write, seen = heading.game.sheet.write, heading.game.hidden.view_sheet(heading.sheet, seat)
    return write(seen) != write(heading.sheet) or seen_game(game, seat).record.line.words != game.words


def for_everybody(game: LiveGame, seat: int | None, what: str) -> None:
    """Do nothing if whoever asks has seen all cards on record, so that the answer may rest on them; otherwise raise
    Declined.

    Args:
        game: The game.
        seat: The seat, 0 for the rail; None if nothing is hidden from whoever asks.
        what: What it asks for, as the subject of the sentence of the fault: ``A correction``.

    Raises:
        Declined: The record holds a card that the seat has not seen, or cannot be set up.
    """
    if seat is not None and hides(game, seat):
        raise Declined(
            f"{what} may rest on cards that {f'p{seat}' if seat else 'the rail'} has not seen; ask the arbiter."
        )


def seen_record(game: LiveGame, viewer: Viewer) -> Record:
    """Return the game's score sheet as a viewer has seen it, as if read from its exported text, without the commands of
    the log.

    If the record is quiet for the viewer, it has neither marks of broken rules nor a result that the moves decide.

    Raises:
        Unfit: The game has no such seat.
    """
    [record] = loads(dumps(finished(game, quiet=muted(game, viewer))))
    return seen_sheet(game, record, viewer)


def seen_sheet(game: LiveGame, record: Record, viewer: Viewer) -> Record:
    """Return the exported score sheet of a game as a viewer has seen it; ``record`` itself if nothing is hidden from
    the viewer.

    Args:
        game: The game.
        record: Its score sheet, with everything.
        viewer: Who looks.

    Raises:
        Unfit: The game has no such seat.
    """
    seat = hidden_from(game, viewer)
    seen_game(game, seat)
    return record if seat is None else as_seen(record, seat, game.seat_records[seat])


def seen_steps(game: LiveGame, seat: int | None, earlier: Sequence[Step] = ()) -> list[Step]:
    """Return the plies as a seat has seen them, each with the exact verdict from what the seat knows.

    Exact means that every possible deal is asked, where an ordinary walk may leave a question open.

    Args:
        game: The game.
        seat: The seat, 0 for the rail, None for whoever sees everything.
        earlier: The plies of the game as it was before, with the same set-up. They are not judged again, unless boards
            are stated.

    Returns:
        A step for each ply, in order, up to and including the first that cannot be applied; empty if the game cannot be
        set up.
    """
    walk = seen_game(game, hidden_from(game, viewer_of_seat(seat))).examined.walk
    if walk is None:
        return []
    played, sheet = walk.heading.game, walk.heading.sheet
    assert played is not None
    assert sheet is not None
    start, words = walk.start, walk.record.line.words
    # The line is read as one: a ply nobody wrote may let later words mean more than they say alone.
    game_with_gaps = after_gaps(played, words, start.state)
    if start.boards.texts:
        return list(steps(game_with_gaps, start.state, words, sheet.seats, exactly=True, boards=start.boards))
    pairs = zip(earlier, words, strict=False)
    exact_steps = list(earlier[: next((at for at, (step, word) in enumerate(pairs) if step.word != word), len(words))])
    while len(exact_steps) < len(words) and not (exact_steps and not exact_steps[-1].applied):
        # Where the walk stands at the same state, its plies are the exact ones up to the next that leaves a question.
        if not exact_steps or (
            len(exact_steps) <= len(walk.steps) and _reach_same_state(exact_steps[-1], walk.steps[len(exact_steps) - 1])
        ):
            decided = [*takewhile(lambda step: not leaves_open(step.verdict), walk.steps[len(exact_steps) :])]
            exact_steps += decided
            if decided:
                continue
        state, calls = (exact_steps[-1].after, exact_steps[-1].calls_after) if exact_steps else (start.state, NO_CALLS)
        at = len(exact_steps)
        for step in steps(game_with_gaps, state, words[at:], sheet.seats, calls, at + 1, exactly=True):
            exact_steps.append(step)
            if len(exact_steps) < len(walk.steps) and _reach_same_state(step, walk.steps[len(exact_steps) - 1]):
                break
        if len(exact_steps) == at:
            break
    return exact_steps


def _reach_same_state(step: Step, other: Step) -> bool:
    """Say whether two plies were both applied and lead to the same state and the same calls, such as an open offer of a
    draw.
    """
    return step.applied and other.applied and (step.after, step.calls_after) == (other.after, other.calls_after)


# --- how a seat counts ---


def told_number(game: LiveGame, seat: int | None, number: int) -> int:
    """Return the number by which a viewer knows an event.

    Seats and the rail do not count declined words, which they are never shown.

    Args:
        game: The game.
        seat: The seat, 0 for the rail; None is somebody who sees everything and counts all events.
        number: The true number of the event.
    """
    return number_for_seats(game.recorded, number) if seat is not None else number


def seen_version(game: LiveGame, seat: int | None) -> int:
    """Return the number of events as a viewer counts them: without declined words for a seat or the rail (0), all for
    None.
    """
    return told_number(game, seat, game.head.version)


# --- who played ---


def players(record: Record, people: People = NOBODY_MERGED) -> tuple[str, ...]:
    """Return who sits at each seat now, by seat, each name in its canonical spelling; ``?`` for one that is not known.

    Args:
        record: The record.
        people: The people under whose names they are shown; by default they are as the record has them.

    Returns:
        The names; empty if the record cannot be set up, so that its seats are not known.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        return ()
    tags = heading.game.about.seat_tags(heading.sheet.seats)
    if record.seatings:
        return people.display_names(sitting(record, tags))
    return people.display_names(record.tag(tag) for tag in tags)


def everybody(record: Record) -> tuple[str, ...]:
    """Return the names of all who have played: those who sit there now, by seat, then those whose seats others took.

    If nobody changed seats, they are those of ``players`` as they are, ``?`` included; otherwise each name is there
    once.
    """
    now = players(record)
    if not record.seatings:
        return now
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    sat = tenures(record, heading.game.about.seat_tags(heading.sheet.seats))
    names = (one_spelling(each.name) for of_seat in sat for each in of_seat)
    return tuple(dict.fromkeys((*now, *names)))


# --- the log ---


def seen_line(
    number: int,
    entry: RecordedEvent,
    knowledge: Knowledge,
    events: Sequence[RecordedEvent],
    names: Collection[str],
    quietly: bool,
) -> LogLine:
    """Return an event as a line of the log that a seat may read; its digest is empty.

    Args:
        number: The number by which the seat knows the event.
        entry: The event.
        knowledge: What the seat knows of its secret fields, by the name of the field; all others are withheld.
        events: All events of the log, by which the numbers of other events become those that the seat counts.
        names: The names of the players. Whoever wrote the event is shown if it is a seat, a role or one of these, else
            ``~``.
        quietly: Whether verdicts are left out.
    """
    reader = Reader(names, events, quietly)
    event = mask(entry.event, reader, knowledge)
    return LogLine(number, event.at, event.by, entry.topic.partition("/")[0], say(event, LINE), event, "")


class SeenEvents(Struct, frozen=True, eq=False):
    """What a seat knows of the events of a game, to go on from when more is written.

    Attributes:
        game: The game as it was read.
        seat: The seat.
        knowledge: What the seat knows of the secret fields of each event, in order.
        steps: The plies of the game as the seat has seen them.
        same: How many of the events had been read before.
    """

    game: LiveGame
    seat: int
    knowledge: tuple[Knowledge, ...]
    steps: Sequence[Step]
    same: int = 0

    def leads_to(self, game: LiveGame) -> bool:
        """Say whether a seat reads these events in the same way in a game whose log has become longer.

        It does not if the set-up has changed, the game was closed or opened again, or the first ply came: a kept sheet,
        for example, is shown once the game is closed. That the log begins with these events is not checked.
        """
        before = self.game
        return before.examined.heading == game.examined.heading and (before.book.closed, bool(before.plies)) == (
            game.book.closed,
            bool(game.plies),
        )


def seen_events(game: LiveGame, seat: int, earlier: SeenEvents | None = None) -> SeenEvents:
    """Return what a seat knows of each event of a game, in the order of the log; declined words are among them.

    An event is read as the record stood before the next correction or ruling, since these change earlier plies.

    Args:
        game: The game.
        seat: The seat, 0 for the rail.
        earlier: What it knew when the game had fewer events; it is worked out again only where it is no longer the
            same. None works out everything.
    """
    recorded, knowledge, same = game.recorded, list[Knowledge](), 0
    seen_plies: Sequence[Step] = ()
    if (
        earlier is not None
        and (earlier.game.id, earlier.seat) == (game.id, seat)
        and begins_with(recorded, earlier.game.head)
    ):
        if len(recorded) == earlier.game.head.version and earlier.leads_to(game):
            return SeenEvents(game, seat, earlier.knowledge, earlier.steps, len(recorded))
        knowledge, seen_plies, same = list(earlier.knowledge), earlier.steps, len(earlier.knowledge)
    first = len(knowledge)
    for at in range(first + 1, len(recorded) + 1):
        following = recorded[at].event if at < len(recorded) else None
        if following is None or isinstance(following, (MovesAmended, MoveTakenBack, RulingGiven)):
            game_then = fold(game.id, recorded[:at], game) if at < len(recorded) else game
            if earlier is not None and first == same > 0 and not earlier.leads_to(game_then):
                return seen_events(game, seat)
            seen_plies = seen_steps(game_then, seat, seen_plies)
            knowledge += _knowledge_of_run(game_then, recorded[first:at], seat, seen_plies, game.book.closed)
            first = at
    return SeenEvents(game, seat, tuple(knowledge), seen_plies, same)


def _knowledge_of_run(
    game: LiveGame, run: Sequence[RecordedEvent], seat: int, steps_seen: Sequence[Step], closed: bool
) -> Iterator[Knowledge]:
    """Yield for each event of a run what a seat knows of its secret fields, by the name of the field.

    None of the events but the first changes a ply that another one wrote.

    Args:
        game: The game as it stands after the last of them.
        run: The events, at least one.
        seat: The seat that reads them, 0 for the rail.
        steps_seen: The plies of the game as the seat has seen them.
        closed: Whether the game is closed at the end of the whole log.
    """
    steps_by_event: dict[int, list[Step]] = {}
    for entry, step in zip(game.book.plies, steps_seen, strict=False):
        if entry.ref[0] >= run[0].originator_version:
            steps_by_event.setdefault(entry.ref[0], []).append(step)
    for recorded in run:
        if isinstance(recorded.event, GameImported):
            game_then = fold(game.id, game.recorded[: recorded.originator_version], game)
            seen_record = as_seen(game_then.record, seat)
            report = examine(seen_record).report
            yield {"cgn": dumps(seen_record), "plies": report.plies, "result": report.result, "verdict": report.verdict}
        else:
            yield _knowledge_of(game, recorded.event, steps_by_event.get(recorded.originator_version, []), seat, closed)


def _knowledge_of(game: LiveGame, event: Event, plies: list[Step], seat: int, closed: bool) -> Knowledge:
    """Return what the rules let a seat know of an event's secret fields, by the name of the field.

    A word that the seat cannot be shown is ``~``. An event without secret fields gives an empty answer.

    Args:
        game: The game as it stands after the event.
        event: The event; one that imports a sheet is not read here.
        plies: The plies that the event wrote, as the seat has seen them; fewer than it wrote if they cannot be applied.
        seat: The seat, 0 for the rail.
        closed: Whether the game is closed now; only then is a kept sheet shown.
    """
    if isinstance(event, MovePlayed):
        word = plies[0].text if plies else UNTOLD
        refused = bool(plies) and isinstance(plies[0].verdict, Refused)
        return {"text": word, "findings": _findings_on(plies[0]) if plies else (), "stands": refused}
    if isinstance(event, MovesAmended):
        words = tuple(step.text for step in plies) + (UNTOLD,) * (len(event.words) - len(plies))
        findings = tuple(_findings_on(step) for step in plies) + ((),) * (len(event.words) - len(plies))
        refused = any(isinstance(step.verdict, Refused) for step in plies)
        return {"words": words, "findings": findings, "stands": refused}
    if isinstance(event, RulingGiven):
        return {"words": (*(step.text for step in plies), *(UNTOLD for _ in event.words[len(plies) :]))}
    if isinstance(event, SheetKept):
        seen_sheet = as_seen(loads(event.cgn)[0], seat) if closed else None
        return {"cgn": UNTOLD if seen_sheet is None else dumps(seen_sheet)}
    heading = game.examined.heading
    if isinstance(event, TagsChanged) and heading.game is not None:
        dropped = readable_tags(
            heading.game, game.book.seats, ((name, "") for name in event.dropped_tags), not game.plies
        )
        put = readable_tags(heading.game, game.book.seats, event.put, not game.plies)
        return {"put": put, "dropped_tags": tuple(name for name, _ in dropped)}
    if isinstance(event, GameOpened) and heading.game is not None and heading.sheet is not None:
        own = heading.game.sheet.write(heading.game.hidden.view_sheet(heading.sheet, seat))
        return {"own": tuple(own.items())}
    return {}


def _findings_on(step: Step) -> tuple[StoredFinding, ...]:
    """Return the findings on a ply from what the seat knows, as events store them.

    One ``error`` if the ply is refused; an ``undecided`` without a reason for each question that is shown; otherwise
    none.
    """
    if isinstance(step.verdict, Refused):
        return (StoredFinding("error", step.verdict.clause.key, step.verdict.because),)
    if isinstance(step.verdict, Undecided):
        return tuple(
            StoredFinding("undecided", question.clause.key, "") for question in step.verdict.opens if question.asks
        )
    return ()
