"""What one seat may be told of a live record: its plies, verdicts, findings and log, and no card it has not seen.

All of it is worked out from the record as the seat has seen it (``notation.as_seen``). A digest of a body is told to
nobody who may not read the body, for it would prove a guess.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from cartulary.engine import Refused, Undecided
from cartulary.notation import Record, as_seen, dumps, examine, loads, read_heading, steps
from cartulary.notation.replay import Step
from cartulary.records.answers import LogLine
from cartulary.records.disputes import Dispute, Ruling
from cartulary.records.events import (
    Annotated,
    ClockCorrected,
    DisputeRaised,
    DisputeWithdrawn,
    Event,
    Found,
    GameImported,
    GameOpened,
    GameReopened,
    MovePlayed,
    MovesAmended,
    MoveTakenBack,
    RulingGiven,
    Withheld,
)
from cartulary.records.faults import Unfit
from cartulary.records.fold import Game, finished, fold
from cartulary.records.store import Recorded
from cartulary.records.telling import told

UNTOLD = "~"


def check_seat(game: Game, seat: int) -> None:
    """Raise Unfit where the game has no such seat; 0 is nobody's view."""
    if not 0 <= seat <= game.book.seats:
        raise Unfit(f"p{seat} is no seat of {game.id}: its seats are p1 to p{game.book.seats}.")


def seen_record(game: Game, seat: int) -> Record:
    """Return the game's score sheet as the seat has seen it, as if read from its text."""
    [record] = loads(dumps(finished(game)))
    return as_seen(record, seat)


def seen_steps(game: Game, seat: int) -> list[Step]:
    """Return the plies as the seat has seen them, each with the exact verdict from what the seat knows."""
    record = as_seen(game.record, seat)
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        return []
    state = heading.game.rules.setup(heading.sheet)
    if isinstance(state, Refused):
        return []
    return list(steps(heading.game, state, record.line.words, heading.sheet.seats, exactly=True))


# --- disputes and rulings ---


def seen_dispute(dispute: Dispute) -> Dispute:
    """Return a dispute as any seat may read it: that it was raised, by whom and about which ply."""
    return replace(dispute, word=dispute.word and UNTOLD, claim=UNTOLD, reason=dispute.reason and UNTOLD)


def seen_ruling(ruling: Ruling) -> Ruling:
    """Return a ruling as any seat may read it: what was decided, and under which rules; no card, no free words."""
    return replace(
        ruling,
        words=tuple(UNTOLD for _ in ruling.words),
        old=tuple(UNTOLD for _ in ruling.old),
        penalties=tuple((seat, UNTOLD) for seat, _ in ruling.penalties),
        reason=ruling.reason and UNTOLD,
    )


# --- the log ---


def seen_log(id: str, recorded: Sequence[Recorded], seat: int) -> tuple[LogLine, ...]:
    """Return the log as the seat may read it: the same events in the same order, without digests."""
    lines: list[LogLine] = []
    for each, event in zip(recorded, map(_without_reason, _seen_events(id, recorded, seat)), strict=True):
        event = replace(event, salt="")
        kind = each.topic.partition("/")[0]
        lines.append(LogLine(each.originator_version, event.at, event.by, kind, told(event), event, ""))
    return tuple(lines)


def _without_reason(event: Event) -> Event:
    """Return the event without what somebody wrote freely: it may name any card."""
    if (
        isinstance(event, (ClockCorrected, MovesAmended, MoveTakenBack, GameReopened, DisputeWithdrawn))
        and event.reason
    ):
        return replace(event, reason=UNTOLD)
    if isinstance(event, DisputeRaised):
        return replace(event, claim=UNTOLD)
    if isinstance(event, RulingGiven):
        costs = tuple((seat, UNTOLD) for seat, _ in event.penalties)
        return replace(event, reason=event.reason and UNTOLD, penalties=costs)
    if isinstance(event, Withheld):
        return replace(event, hashed="")
    return event


def _seen_events(id: str, recorded: Sequence[Recorded], seat: int) -> Iterator[Event]:
    """Yield the events as the seat may read them; what was written is judged as the record stood when it was."""
    first = 0
    for at in range(1, len(recorded) + 1):
        following = recorded[at].event if at < len(recorded) else None
        if following is None or isinstance(following, (MovesAmended, MoveTakenBack, RulingGiven)):
            yield from _seen_run(fold(id, recorded[:at]), recorded[first:at], seat)
            first = at


def _seen_run(game: Game, run: Sequence[Recorded], seat: int) -> Iterator[Event]:
    """Yield events none of which but the first changes a ply of another, from the game after the last of them."""
    written: dict[int, list[Step]] = {}
    for entry, step in zip(game.book.plies, seen_steps(game, seat), strict=False):
        written.setdefault(entry.ref[0], []).append(step)
    for each in run:
        if isinstance(each.event, GameImported):
            then = fold(game.id, game.recorded[: each.originator_version])
            seen = as_seen(then.record, seat)
            verdict = examine(seen).report.verdict
            yield replace(each.event, cgn=dumps(seen), verdict=verdict, digest="")
        else:
            yield _seen(game, each.event, written.get(each.originator_version, []), seat)


def _seen(game: Game, event: Event, plies: list[Step], seat: int) -> Event:
    if isinstance(event, MovePlayed):
        word = plies[0].text if plies else UNTOLD
        refused = bool(plies) and isinstance(plies[0].verdict, Refused)
        return replace(event, text=word, findings=_found(plies[0]) if plies else (), stands=refused)
    if isinstance(event, MovesAmended):
        words = tuple(step.text for step in plies) + (UNTOLD,) * (len(event.words) - len(plies))
        found = tuple(_found(step) for step in plies) + ((),) * (len(event.words) - len(plies))
        refused = any(isinstance(step.verdict, Refused) for step in plies)
        return replace(event, words=words, findings=found, stands=refused)
    if isinstance(event, RulingGiven):
        return replace(event, words=(*(step.text for step in plies), *(UNTOLD for _ in event.words[len(plies) :])))
    if isinstance(event, Annotated):
        return replace(event, text=UNTOLD if event.text else "")
    if isinstance(event, GameOpened):
        heading = game.examined.heading
        if heading.game is not None and heading.sheet is not None:
            own = heading.game.script.format_sheet(heading.game.rules.view_sheet(heading.sheet, seat))
            return replace(event, own=tuple(own.items()))
    return event


def _found(step: Step) -> tuple[Found, ...]:
    """Return what the rules say of a ply from what the seat knows."""
    if isinstance(step.verdict, Refused):
        return (Found("error", step.verdict.clause.key, step.verdict.because),)
    if isinstance(step.verdict, Undecided):
        return tuple(Found("undecided", asked.clause.key, "") for asked in step.verdict.opens if asked.asks)
    return ()
