"""The record at a table as far as whoever asks may see it, and the moves that may be offered.

Nothing is written here. With a seat everything is worked out from the record as that seat has seen it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.once import once_each
from cartulary.engine.play import speakers
from cartulary.notation import Examination, Finding, Record, Step, judged_words, steps
from cartulary.notation.arbiter.positions import Position, clocks_text, positions
from cartulary.notation.arbiter.replay import deal_over
from cartulary.notation.arbiter.score_in_force import scoring_of
from cartulary.notation.cgn.signs import count
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import words_of
from cartulary.records.faults import Declined, Fault
from cartulary.records.log.contract import Log
from cartulary.records.state.agreements import agreements_of
from cartulary.records.state.book import Agreement, time_left
from cartulary.records.state.event_words import closed_line, display_name
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.games import load
from cartulary.records.state.seat_view import hidden_from, players, reader, seen_game, seen_version
from cartulary.records.state.seen_game import SIGNS, DocketText
from cartulary.records.state.showing import docket_on_the_log
from cartulary.records.table.sayings import turn_line


class Offer(Struct, frozen=True):
    """A completion: what stands in place of the last word typed, and what is to be said of it."""

    word: str
    says: str


class View(Struct, frozen=True, dict=True):
    """A table as one viewer has it before them; like a ``SeenGame`` it leads to nothing that the viewer may not see.

    Attributes:
        id: The game's id.
        viewer: Who looks. To a quiet one no move is offered, and its words are written quietly.
        version: The version that was read, as the viewer counts it.
        hides: Whether anything on record is left out.
        record: The record as the viewer has seen it.
        examination: What the rules say of that.
        found: The position.
        docket: The disputes and rulings, as the viewer may read them.
        players: Who plays, by seat.
        quiet: Whether the record is quiet.
        closed: Whether it was closed.
        result: The result it was closed with.
        plies: How many plies are written, read or not.
        agreements: Which seats agreed with the record.
        clocks: The time each seat has left, where it is known.
    """

    id: str
    viewer: Viewer
    version: int
    hides: bool
    record: Record
    examination: Examination
    found: Position
    docket: DocketText
    players: tuple[str, ...]
    quiet: bool
    closed: bool
    result: str
    plies: int
    agreements: tuple[Agreement, ...]
    clocks: tuple[tuple[int, str], ...]

    @once_each
    def walked(self) -> Sequence[Step]:
        """The plies that led to the position."""
        return self.examination.steps[: self.found.ply]

    @property
    def actors(self) -> tuple[int, ...]:
        """Who may speak now: ``Position.actors``."""
        return self.found.actors

    @property
    def ended(self) -> bool:
        """Whether the game is over by its moves and calls."""
        rules, turns = self.found.game.rules, self.found.game.turns
        return bool(self.found.calls.outcome or rules.outcome(turns.settle(self.found.state)))

    @property
    def irregular(self) -> bool:
        """Whether anything in the record breaks a rule, as far as the viewer is shown."""
        return not self.muted and any(found.severity == "error" for found in self.findings)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the arbiter finds, as whoever asks may hear it."""
        if not self.hides:
            return self.examination.report.findings
        found = self.docket.examine(self.record, self.examination.walk).report.findings
        return tuple(one for one in found if one.key != "record.result")

    @once_each
    def signs(self) -> dict[int, str]:
        """The marks after the words of plies that break a rule or are let stand by a ruling, by ply."""
        if self.quietly:
            return {}
        broken = {found.ply: SIGNS["irregular"] for found in self.findings if found.severity == "error"}
        stand = (ply for one in self.docket.rulings if one.holds and one.decision == "stands" for ply in one.plies)
        return broken | dict.fromkeys(stand, SIGNS["let stand"])

    @property
    def muted(self) -> bool:
        """Whether the viewer is not shown what the rules say of the record."""
        return self.quiet and self.quietly

    @property
    def quietly(self) -> bool:
        """Whether words are written quietly, and none is offered."""
        asked = self.viewer.quiet or self.viewer.muted
        return not self.closed and (asked or (self.quiet and self.viewer.seat is not None))

    @property
    def picture_seat(self) -> int | None:
        """The seat whose picture is drawn: the bystander's for who writes quietly and names none."""
        return 0 if self.quietly and self.viewer.seat is None else self.viewer.seat

    def deals_over(self, since: int) -> Iterator[str]:
        """Yield how the points come about of each deal that the plies after ``since`` ended; quietly nothing."""
        for step in () if self.quietly else self.walked[since:]:
            if over := deal_over(self.found.game, step):
                yield over

    def at(self, ply: int) -> Position:
        """Return the position after so many plies. Raises Declined where there are not so many."""
        if ply > len(self.walked):
            raise Declined(f"There is no ply {ply} to show: {count(len(self.walked), 'ply', 'plies')} can be followed.")
        if ply == self.found.ply:
            return self.found
        step = self.walked[max(ply, 1) - 1]
        if not ply:
            return replace(self.found, ply=0, state=step.state, calls=step.calls, last=None, closed=False)
        return replace(self.found, ply=ply, state=step.after, calls=step.calls_after, last=step, closed=False)

    @property
    def turn(self) -> str:
        """Who may speak now, or how the game was closed, in a sentence; and what hangs over it."""
        return self.turn_by(())

    @property
    def due(self) -> str:
        """What is to be written next, and how, where whose turn it is does not say so; nothing after the end."""
        found = self.found
        no_word = self.closed or self.ended or found.only_scored
        return "" if no_word else found.game.turns.due(found.state)

    def turn_by(self, names: Sequence[str]) -> str:
        """Return ``turn`` with seats called by the names of who sits there."""
        docket = self.docket
        disputed = sum(one.status == "open" for one in docket.disputes)
        ruled = sum(one.holds for one in docket.rulings)
        over = f"; {count(disputed, 'open dispute')}" if disputed else ""
        over += f"; {count(ruled, 'ruling in force', 'rulings in force')}" if ruled else ""
        by_ruling = " by ruling" * docket.score_by_ruling
        over += f"; score{by_ruling} {docket.score[-1].score}" if docket.score else ""
        agreed = [display_name(f"p{each.seat}", names) for each in self.agreements if not each.since]
        over += f"; agreed by {', '.join(agreed)}" if agreed else ""
        over += f"; time left: {clocks_text(self.clocks)}" if self.clocks else ""
        if self.closed:
            return closed_line(self.result, names) + over
        return turn_line(self.found, quiet=self.quietly, names=names, closes=not self.hides) + over


def read_view(log: Log, id: str, viewer: Viewer = EVERYTHING) -> View:
    """Return a game as it stands now, as a viewer has it.

    Raises:
        UnknownGame: There is no such game.
        Damaged: The log is not what was written.
        Unfit: The game has no such seat.
    """
    return view_of(load(log, id), viewer)


def view_of(game: LiveGame, viewer: Viewer = EVERYTHING) -> View:
    """Return a live game as a viewer has it before them. Raises Unfit where the game has no such seat."""
    seat, book = hidden_from(game, viewer), game.book
    seen = seen_game(game, seat)
    start, examined = next(positions(seen.record)), seen.examined
    assert examined.walk is not None
    ply = examined.plies_reached
    last = examined.walk.steps[ply - 1] if ply else None
    found = replace(
        start,
        ply=ply,
        state=examined.state if ply else start.state,
        calls=examined.calls,
        last=last,
        closed=book.closed,
        scoring=scoring_of(game.scoring, examined.walk),
    )
    plies = zip(examined.spoke[:ply], book.plies, strict=False)
    return View(
        id=game.id,
        viewer=viewer,
        version=seen_version(game, viewer.seat),
        hides=seat is not None,
        record=seen.record,
        examination=examined,
        found=found,
        docket=docket_on_the_log(game, reader(game, viewer)),
        players=players(game.record),
        quiet=book.quiet,
        closed=book.closed,
        result=book.result,
        plies=game.plies,
        agreements=agreements_of(game, viewer),
        clocks=tuple(sorted({who: left for who, entry in plies if (left := time_left(entry))}.items())),
    )


def judged(view: View, before: str = "") -> tuple[Offer, ...]:
    """Return the moves that are legal or undecided after some words; none if these cannot be read."""
    found = view.found
    state, calls = found.state, found.calls
    if view.quietly or found.only_scored:
        return ()
    with suppress(Fault):
        for step in steps(found.game, state, words_of(before, view.record.tags), found.seats, calls, found.ply + 1):
            if not step.applied:
                return ()
            state, calls = step.after, step.calls_after
    if view.hides and view.viewer.seat not in speakers(found.game, state):
        return ()
    legal, undecided = judged_words(found.game, state, calls)
    return (*(Offer(word, "") for word in legal), *(Offer(word, "undecided") for word in undecided))
