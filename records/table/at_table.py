"""The record at a table as far as whoever asks may see it, and the moves that may be offered.

Nothing is written here. With a seat everything is worked out from the record as that seat has seen it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.once import once_each
from cartulary.engine.play import speakers
from cartulary.notation import Finding, Step, judged_words, steps
from cartulary.notation.arbiter.positions import Position, clocks_text, positions
from cartulary.notation.arbiter.replay import deal_over
from cartulary.notation.arbiter.score_in_force import scoring_of
from cartulary.notation.cgn.signs import count
from cartulary.records.commands.request import words_of
from cartulary.records.faults import Declined, Fault
from cartulary.records.log.store import Store
from cartulary.records.state.book import time_left
from cartulary.records.state.docket_text import SIGNS, DocketText
from cartulary.records.state.fold import LiveGame, load
from cartulary.records.state.seat_view import seen_game, seen_version, viewer
from cartulary.records.state.showing import docket_on_the_log
from cartulary.records.table.sayings import called, closed_line, turn_line


class Offer(Struct, frozen=True):
    """A completion: what stands in place of the last word typed, and what is to be said of it."""

    word: str
    says: str


class View(Struct, frozen=True, dict=True):
    """A record as it stood when it was read.

    game: the whole of it; seat: whose view the rest is, 0 the bystander's, None for everything
    quiet: whoever asks is not to be told what the rules say while the record is quiet
    hides: whether that leaves anything out; seen: the game as it is in this view; found: the position
    """

    game: LiveGame
    seat: int | None
    hides: bool
    seen: LiveGame
    found: Position
    quiet: bool = False

    @once_each
    def walked(self) -> Sequence[Step]:
        """The plies that led to the position."""
        return self.seen.examined.steps[: self.found.ply]

    @property
    def version(self) -> int:
        """The version that was read, as the seat counts it."""
        return seen_version(self.game, self.seat)

    @property
    def actors(self) -> tuple[int, ...]:
        """Who may speak now: ``Position.actors``."""
        return self.found.actors

    @property
    def ended(self) -> bool:
        """Whether the game is over by its moves and calls."""
        rules, turns = self.found.game.rules, self.found.game.turns
        return bool(self.found.calls.ended or rules.outcome(turns.settle(self.found.state)))

    @property
    def irregular(self) -> bool:
        """Whether anything in the record breaks a rule, as far as whoever asks is told."""
        return not self.muted and any(found.severity == "error" for found in self.findings)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the arbiter finds, as whoever asks may hear it."""
        if not self.hides:
            return self.game.report.findings
        found = self.docket.examine(self.seen.record, self.seen.examined.walk).report.findings
        return tuple(one for one in found if one.key != "record.result")

    @once_each
    def signs(self) -> dict[int, str]:
        """What stands behind the words of plies that break a rule, and of those a ruling lets stand."""
        if self.quietly:
            return {}
        broken = {found.ply: SIGNS["irregular"] for found in self.findings if found.severity == "error"}
        stand = (ply for one in self.docket.rulings if one.holds and one.decision == "stands" for ply in one.plies)
        return broken | dict.fromkeys(stand, SIGNS["let stand"])

    @property
    def muted(self) -> bool:
        """Whether whoever asks is not told what the rules say of the record."""
        return self.game.book.quiet and self.quietly

    @property
    def quietly(self) -> bool:
        """Whether words are written quietly, and none is offered."""
        book = self.game.book
        return not book.closed and (self.quiet or (book.quiet and self.seat is not None))

    @property
    def watching(self) -> int | None:
        """The seat whose picture is drawn: the bystander's for who writes quietly and names none."""
        return 0 if self.quietly and self.seat is None else self.seat

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
        no_word = self.game.book.closed or self.ended or found.only_scored
        return "" if no_word else found.game.turns.due(found.state)

    def turn_by(self, names: Sequence[str]) -> str:
        """Return ``turn`` with seats called by the names of who sits there."""
        book, docket = self.game.book, self.docket
        disputed = sum(one.status == "open" for one in docket.disputes)
        ruled = sum(one.holds for one in docket.rulings)
        over = f"; {count(disputed, 'open dispute')}" if disputed else ""
        over += f"; {count(ruled, 'ruling in force', 'rulings in force')}" if ruled else ""
        by_ruling = " by ruling" * docket.score_by_ruling
        over += f"; score{by_ruling} {docket.score[-1].score}" if docket.score else ""
        agreed = [called(f"p{each.seat}", names) for each in book.agreements if not each.since]
        over += f"; agreed by {', '.join(agreed)}" if agreed else ""
        over += f"; time left: {clocks_text(self.clocks)}" if self.clocks else ""
        if book.closed:
            return closed_line(book.result, names) + over
        return turn_line(self.found, quiet=self.quietly, names=names, closes=not self.hides) + over

    @once_each
    def clocks(self) -> tuple[tuple[int, str], ...]:
        """The time each seat has left, where it is known."""
        plies = zip(self.seen.examined.spoke[: self.found.ply], self.game.book.plies, strict=False)
        return tuple(sorted({seat: left for seat, entry in plies if (left := time_left(entry))}.items()))

    @property
    def docket(self) -> DocketText:
        """The disputes and rulings, as the seat may read them."""
        return docket_on_the_log(self.game, self.watching if self.muted else self.seat)


def read_view(store: Store, id: str, seat: int | None, quiet: bool = False) -> View:
    """Return the record as it stands now. quiet: as in ``View``

    Raises UnknownGame, Damaged, and Unfit for a seat the game has not."""
    return view_of(load(store, id), seat, quiet)


def view_of(game: LiveGame, seat: int | None, quiet: bool = False) -> View:
    """Return a game as a seat has it before it. Raises Unfit for a seat the game has not."""
    whose = viewer(game, seat)
    seen = seen_game(game, whose)
    start, examined = next(positions(seen.record)), seen.examined
    assert examined.walk is not None
    ply = examined.reached
    last = examined.walk.steps[ply - 1] if ply else None
    found = replace(
        start,
        ply=ply,
        state=examined.state if ply else start.state,
        calls=examined.calls,
        last=last,
        closed=game.book.closed,
        scoring=scoring_of(game.scoring, examined.walk),
    )
    return View(game, seat, whose is not None, seen, found, quiet)


def judged(view: View, before: str = "") -> tuple[Offer, ...]:
    """Return the moves that are legal or undecided behind some words; none behind words that cannot be read."""
    found = view.found
    state, calls = found.state, found.calls
    if view.quietly or found.only_scored:
        return ()
    with suppress(Fault):
        for step in steps(found.game, state, words_of(before, view.game), found.seats, calls, found.ply + 1):
            if not step.applied:
                return ()
            state, calls = step.after, step.calls_after
    if view.hides and view.seat not in speakers(found.game, state):
        return ()
    legal, undecided = judged_words(found.game, state, calls)
    return (*(Offer(word, "") for word in legal), *(Offer(word, "undecided") for word in undecided))
