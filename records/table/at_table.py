"""The record at a table as far as a viewer may see it, and the moves that may be offered to that viewer.

Nothing is written here. For a seat everything is worked out from the record as that seat has seen it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.once import once_each
from cartulary.engine.play import speakers
from cartulary.notation import Examination, Finding, Record, Step, playable_words
from cartulary.notation.arbiter.positions import Position, clocks_text, positions
from cartulary.notation.arbiter.replay import deal_over
from cartulary.notation.arbiter.score_in_force import scoring_of
from cartulary.notation.arbiter.typed import read_typed
from cartulary.notation.cgn.signs import count
from cartulary.notation.picture import Picture
from cartulary.notation.seat_names import name_rows, name_seats, seat_name
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import words_of
from cartulary.records.faults import Declined, Fault
from cartulary.records.log.contract import Log
from cartulary.records.state.agreements import agreements_of
from cartulary.records.state.book import Agreement, time_left
from cartulary.records.state.event_words import closed_line, display_name
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.games import load
from cartulary.records.state.people import NOBODY_MERGED, People, people_of
from cartulary.records.state.seat_view import hidden_from, players, reader, seen_game, seen_version
from cartulary.records.state.seen_game import SIGNS, DocketText
from cartulary.records.state.showing import docket_on_the_log
from cartulary.records.table.sayings import turn_line


class Offer(Struct, frozen=True):
    """A completion of the last word that was typed.

    Attributes:
        word: The word.
        says: Empty for a legal move, ``undecided`` for an undecided one; for a scribe also ``call`` or ``command``.
        path: What is tapped to write it, in the form of ``Touch.path``; empty for a call and a command.
    """

    word: str
    says: str
    path: tuple[str, ...] = ()


class View(Struct, frozen=True, dict=True):
    """A table as one viewer has it before them; like a ``SeenGame`` it leads to nothing that the viewer may not see.

    Attributes:
        id: The game's id.
        viewer: Who looks. To a quiet one no move is offered, and its words are written quietly.
        version: The version that was read, as the viewer counts it.
        hides: Whether anything on record is left out.
        record: The record as the viewer has seen it.
        examination: What the rules say of that.
        position: The position after the last ply that could be applied.
        docket: The disputes and rulings, as the viewer may read them.
        players: Who plays, by seat, under the names that the viewer is shown.
        people: The people under whose names the viewer is shown the players.
        quiet: Whether the record is quiet.
        closed: Whether it is closed.
        result: The result it was closed with or imported with, empty if there is none.
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
    position: Position
    docket: DocketText
    players: tuple[str, ...]
    people: People
    quiet: bool
    closed: bool
    result: str
    plies: int
    agreements: tuple[Agreement, ...]
    clocks: tuple[tuple[int, str], ...]

    @once_each
    def steps(self) -> Sequence[Step]:
        """The plies that led to the position, each with its verdict and the states before and after it."""
        return self.examination.steps[: self.position.ply]

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that may speak now, first whoever is to move; empty if that is not known or nobody may."""
        return self.position.actors

    @property
    def ended(self) -> bool:
        """Whether the game is over by its moves and calls, such as mate or a resignation, closed or not."""
        rules, turns = self.position.game.rules, self.position.game.turns
        return bool(self.position.calls.outcome or rules.outcome(turns.settle(self.position.state)))

    @property
    def irregular(self) -> bool:
        """Whether anything in the record is an error: a broken rule, an unreadable word, a wrong tag or result.

        False if the viewer is not shown what the rules say. An error that a ruling lets stand is none.
        """
        return not self.muted and any(finding.severity == "error" for finding in self.findings)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the rules say of the record, as the viewer may know it.

        If cards are hidden from the viewer, errors that a ruling lets stand are remarks, and nothing is said of the
        result.
        """
        if not self.hides:
            return self.examination.report.findings
        findings = self.docket.examine(self.record, self.examination.walk).report.findings
        return tuple(finding for finding in findings if finding.key != "record.result")

    @once_each
    def signs(self) -> dict[int, str]:
        """The mark after the word of a ply, by the number of the ply: `` ✗`` for one that breaks a rule, `` ✓`` for one
        let stand.

        Other plies have none; there are no marks at all while words are written quietly.
        """
        if self.quietly:
            return {}
        errors = {finding.ply: SIGNS["irregular"] for finding in self.findings if finding.severity == "error"}
        stand = (
            ply
            for ruling in self.docket.rulings
            if ruling.holds and ruling.decision == "stands"
            for ply in ruling.plies
        )
        return errors | dict.fromkeys(stand, SIGNS["let stand"])

    @property
    def muted(self) -> bool:
        """Whether the viewer is not shown what the rules say of the record.

        This is so in a quiet record only, even if words are written quietly in others, and never once the record is
        closed.
        """
        return self.quiet and self.quietly

    @property
    def quietly(self) -> bool:
        """Whether words are written quietly: the writer is shown no verdicts, and no move is offered.

        This is so if the viewer asks for it, and for seats and the rail in a quiet record; never once the record is
        closed.
        """
        is_quiet = self.viewer.quiet or self.viewer.muted
        return not self.closed and (is_quiet or (self.quiet and self.viewer.seat is not None))

    @property
    def picture_seat(self) -> int | None:
        """The seat from whose side pictures are drawn, 0 for the rail (spectators), None for everything on record.

        Whoever writes quietly without a seat is shown the rail's picture.
        """
        return 0 if self.quietly and self.viewer.seat is None else self.viewer.seat

    def picture_of(self, position: Position) -> Picture:
        """Return a position of this record as rows of text, as the viewer sees it, with the names of the players.

        Args:
            position: The position, such as one returned by ``at``.
        """
        return name_rows(position.game.words.picture(position.drawn_state, self.picture_seat), self.players)

    def deals_over(self, since: int) -> Iterator[str]:
        """Yield a sentence for each deal that ended after ply number ``since``, on how its points come about.

        Args:
            since: The number of the last ply that is left out; 0 looks at all.

        Yields:
            The sentences in the order of the deals; none if verdicts are withheld.
        """
        for step in () if self.quietly else self.steps[since:]:
            if over := deal_over(self.position.game, step):
                yield over

    def points_of_deal(self) -> tuple[tuple[str, Fraction], ...]:
        """Return what each player has won by the deal that the last ply ended, as pairs of a name and points, by seat.

        A player of whom nothing is known is ``p1``; points lost are below 0. The answer is empty if the last ply ended
        no deal, and if the points are not known or withheld.
        """
        step = self.position.last
        if step is None or not [*self.deals_over(self.position.ply - 1)]:
            return ()
        gains = self.position.game.points.gains(step.state, step.after) or ()
        return tuple((seat_name(seat, self.players), points) for seat, points in enumerate(gains, 1))

    def at(self, ply: int) -> Position:
        """Return the position after this number of plies, 0 for the start. The number must not be below 0.

        A position other than the present one is never marked as closed.

        Raises:
            Declined: Fewer plies can be followed.
        """
        if ply > len(self.steps):
            raise Declined(f"There is no ply {ply} to show: {count(len(self.steps), 'ply', 'plies')} can be followed.")
        if ply == self.position.ply:
            return self.position
        step = self.steps[max(ply, 1) - 1]
        if not ply:
            return replace(self.position, ply=0, state=step.state, calls=step.calls, last=None, closed=False)
        return replace(self.position, ply=ply, state=step.after, calls=step.calls_after, last=step, closed=False)

    @property
    def turn(self) -> str:
        """Who may speak now, ``p1 to move, 20 legal moves``, or how the game was closed, in a sentence.

        Then follow, if there are any, open disputes, rulings in force, the score, who agreed, and clocks: ``; 1 open
        dispute``.
        """
        return self.turn_by(())

    @property
    def due(self) -> str:
        """What is to be written next, and how, as part of a sentence: ``3 cards passed to the left``.

        Empty if it is clear from whose turn it is, after the end, and if only the score was kept. Players are called by
        their names.
        """
        position = self.position
        no_word = self.closed or self.ended or position.only_scored
        due = "" if no_word else position.game.turns.due(position.state)
        return name_seats(due, self.players)

    def turn_by(self, names: Sequence[str]) -> str:
        """Return what ``turn`` says, with these names of the players in place of seats.

        Args:
            names: The names, by seat; without any the seats are ``p1`` and so on.
        """
        docket = self.docket
        open_disputes = sum(entry.status == "open" for entry in docket.disputes)
        in_force = sum(entry.holds for entry in docket.rulings)
        rest = f"; {count(open_disputes, 'open dispute')}" if open_disputes else ""
        rest += f"; {count(in_force, 'ruling in force', 'rulings in force')}" if in_force else ""
        by_ruling = " by ruling" * docket.score_by_ruling
        rest += f"; score{by_ruling} {docket.score[-1].score}" if docket.score else ""
        agreeing = [display_name(f"p{agreement.seat}", names) for agreement in self.agreements if not agreement.since]
        rest += f"; agreed by {', '.join(agreeing)}" if agreeing else ""
        rest += f"; time left: {name_seats(clocks_text(self.clocks), names)}" if self.clocks else ""
        if self.closed:
            return closed_line(self.result, names) + rest
        return turn_line(self.position, quiet=self.quietly, names=names, closes=not self.hides) + rest


def read_view(log: Log, id: str, viewer: Viewer = EVERYTHING) -> View:
    """Return a game as it stands now, as a viewer has it at the table.

    Args:
        log: Where its events are.
        id: The game.
        viewer: Who looks.

    Raises:
        UnknownGame: There is no such game.
        Damaged: The log is not what was written.
        UninstalledGame: The rules of the game are not installed.
        Unfit: The game has no such seat, or the rules installed here cannot set it up.
    """
    return view_of(load(log, id), viewer, people_of(log))


def view_of(game: LiveGame, viewer: Viewer = EVERYTHING, people: People = NOBODY_MERGED) -> View:
    """Return a live game as a viewer has it at the table.

    Args:
        game: The game, with everything on record.
        viewer: Who looks; by default somebody who sees everything.
        people: The people under whose names the players are shown, except to a seat; by default names are as written.

    Raises:
        Unfit: The game has no such seat.
    """
    seat, book = hidden_from(game, viewer), game.book
    seen = seen_game(game, seat)
    start, examined = next(positions(seen.record)), seen.examined
    assert examined.walk is not None
    ply = examined.plies_reached
    last = examined.walk.steps[ply - 1] if ply else None
    position = replace(
        start,
        ply=ply,
        state=examined.state if ply else start.state,
        calls=examined.calls,
        last=last,
        closed=book.closed,
        scoring=scoring_of(game.scoring, examined.walk),
    )
    shown = people.seen_by(viewer)
    plies = zip(examined.spoke[:ply], book.plies, strict=False)
    return View(
        id=game.id,
        viewer=viewer,
        version=seen_version(game, viewer.seat),
        hides=seat is not None,
        record=seen.record,
        examination=examined,
        position=position,
        docket=docket_on_the_log(game, reader(game, viewer)),
        players=players(game.record, shown),
        people=shown,
        quiet=book.quiet,
        closed=book.closed,
        result=book.result,
        plies=game.plies,
        agreements=agreements_of(game, viewer),
        clocks=tuple(sorted({who: left for who, entry in plies if (left := time_left(entry))}.items())),
    )


def judged_offers(view: View, before: str = "") -> tuple[Offer, ...]:
    """Return the moves that are legal or undecided after some more words, the legal ones first, in the order of the
    rules.

    Empty if the words cannot be read or applied, if words are written quietly, if only the score was kept, or if cards
    are hidden from the viewer and it is not its turn.

    Args:
        view: The table as the viewer has it.
        before: The words typed so far after the record, with blanks or ``;`` between them; empty for none.
    """
    position = view.position
    state, calls = position.state, position.calls
    if view.quietly or position.only_scored:
        return ()
    with suppress(Fault):
        line = before.replace(";", " ")
        words_of(line, view.record.tags, position.game.words.odd)
        typed = read_typed(position.game, state, calls, position.seats, line, position.ply + 1)
        if typed.fault is not None or not all(step.applied for step in typed.steps):
            return ()
        for step in typed.steps[-1:]:
            state, calls = step.after, step.calls_after
    if view.hides and view.viewer.seat not in speakers(position.game, state):
        return ()
    legal, undecided = playable_words(position.game, state, calls)
    return (
        *(Offer(move.word, "", move.path) for move in legal),
        *(Offer(move.word, "undecided", move.path) for move in undecided),
    )
