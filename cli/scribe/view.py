"""The record at the scribe's table as far as the scribe may see it, and what can be asked of it.

Nothing is written here. With a seat everything is worked out from the record as that seat has seen it.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from cartulary.cli.scribe.line import VERBS
from cartulary.cli.scribe.words import listed, turn_line
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.positions import clocks_text
from cartulary.cli.shell.story import story_lines
from cartulary.engine.calls import WORDS
from cartulary.engine.play import actors, speakers
from cartulary.notation import Finding, NotationError, Step, judged_words, steps
from cartulary.notation.arbiter.positions import Position, positions
from cartulary.records import desk
from cartulary.records.faults import Declined, Fault

QUIETLY = "No move is listed while words are written quietly."


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

    game: desk.LiveGame
    seat: int | None
    hides: bool
    seen: desk.LiveGame
    found: Position
    quiet: bool = False

    @cached_property
    def walked(self) -> tuple[Step, ...]:
        """The plies that led to the position."""
        return self.seen.examined.steps[: self.found.ply]

    @property
    def version(self) -> int:
        """The version that was read, as the seat counts it."""
        return desk.seen_version(self.game, self.seat)

    @property
    def actors(self) -> tuple[int, ...]:
        """Who may speak now, the one written without a prefix first; nobody after the end."""
        return () if self.found.calls.ended else actors(self.found.game, self.found.state)

    @property
    def ended(self) -> bool:
        """Whether the game is over by its moves and calls."""
        rules, turns = self.found.game.rules, self.found.game.turns
        return bool(self.found.calls.ended or rules.outcome(turns.settle(self.found.state)))

    @property
    def irregular(self) -> bool:
        """Whether anything in the record breaks a rule, as far as whoever asks is told."""
        return not self.muted and any(found.severity == "error" for found in _findings(self))

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

    def at(self, ply: int) -> Position:
        """Return the position after so many plies. Raises Declined where there are not so many."""
        if ply > len(self.walked):
            raise Declined(
                f"There is no ply {ply} to be shown: {count(len(self.walked), 'ply', 'plies')} can be followed."
            )
        if ply == self.found.ply:
            return self.found
        step = self.walked[max(ply, 1) - 1]
        if not ply:
            return replace(self.found, ply=0, state=step.state, calls=step.calls, last=None)
        return replace(self.found, ply=ply, state=step.after, calls=step.calls_after, last=step)

    @property
    def turn(self) -> str:
        """Who may speak now, or how the game was closed, in a sentence; and what hangs over it."""
        book, docket = self.game.book, self.docket
        disputed = sum(one.status == "open" for one in docket.disputes)
        ruled = sum(one.holds for one in docket.rulings)
        over = f"; {count(disputed, 'open dispute')}" if disputed else ""
        over += f"; {count(ruled, 'ruling holds', 'rulings hold')}" if ruled else ""
        over += f"; left {clocks_text(self.clocks)}" if self.clocks else ""
        return (f"closed, {book.result}" if book.closed else turn_line(self.found, quiet=self.quietly)) + over

    @cached_property
    def clocks(self) -> tuple[tuple[int, str], ...]:
        """The time each seat has left, where it is known."""
        plies = zip(self.seen.examined.spoke[: self.found.ply], self.game.book.plies, strict=False)
        return tuple(sorted({seat: left for seat, entry in plies if (left := desk.time_left(entry))}.items()))

    @property
    def docket(self) -> desk.DocketText:
        """The disputes and rulings, as the seat may read them."""
        return desk.docket_on_the_log(self.game, self.watching if self.muted else self.seat)


def read_view(store: desk.Store, id: str, seat: int | None, quiet: bool = False) -> View:
    """Return the record as it stands now. quiet: as in ``View``

    Raises UnknownGame, Damaged, and Unfit for a seat the game has not."""
    game = desk.load(store, id)
    whose = desk.viewer(game, seat)
    seen = desk.seen_game(game, whose)
    start, examined = next(positions(seen.record)), seen.examined
    assert examined.walk is not None
    ply = examined.reached
    last = next(examined.walk.steps(ply)) if ply else None
    found = replace(start, ply=ply, state=examined.state, calls=examined.calls, last=last)
    return View(game, seat, whose is not None, seen, found, quiet)


def _findings(view: View) -> tuple[Finding, ...]:
    """Return what the arbiter finds, as the seat may hear it."""
    if not view.hides:
        return view.game.report.findings
    found = view.docket.examine(view.seen.record, view.seen.examined.walk).report.findings
    return tuple(one for one in found if one.key != "record.result")


# --- completion ---


def offers(view: View, text: str) -> tuple[Offer, ...]:
    """Return what may stand in place of a line's last word: legal moves, those undecided last, calls, commands.

    Words that begin with what is typed; if there are none, moves that contain it.
    """
    *before, prefix = text.split(" ")
    typed = [word for word in before if word]
    if typed and typed[0].removeprefix("/") == "stands":
        del typed[0]
    moves = judged(view, " ".join(typed))
    calls = [Offer(word, "call") for word in WORDS] if prefix else []
    verbs = [Offer(verb, "command") for verb in VERBS] if prefix and not typed else []
    begun = tuple(offer for offer in (*moves, *calls, *verbs) if offer.word.startswith(prefix))
    return begun or tuple(offer for offer in moves if prefix in offer.word)


def judged(view: View, before: str = "") -> tuple[Offer, ...]:
    """Return the moves that are legal or undecided behind some words; none behind words that cannot be read."""
    found = view.found
    state, calls = found.state, found.calls
    if view.quietly:
        return ()
    with suppress(Fault):
        for step in steps(found.game, state, desk.words_of(before, view.game), found.seats, calls, found.ply + 1):
            if not step.applied:
                return ()
            state, calls = step.after, step.calls_after
    if view.hides and view.seat not in speakers(found.game, state):
        return ()
    legal, undecided = judged_words(found.game, state, calls)
    return (*(Offer(word, "") for word in legal), *(Offer(word, "undecided") for word in undecided))


# --- questions ---


def legal_told(view: View, card: str) -> Iterator[str]:
    """Yield the legal moves, those the hidden cards leave undecided, and whether others may be legal too.

    card: only moves with it in their word; empty for all
    """
    if view.quietly:
        yield QUIETLY
        return
    moves, found = tuple(offer for offer in judged(view) if card.lower() in offer.word.lower()), view.found
    of = f" of {card}" if card else ""
    yield " ".join(offer.word for offer in moves if not offer.says) or f"no legal move{of} can be listed"
    undecided = [offer.word for offer in moves if offer.says]
    if undecided:
        yield f"undecided: {' '.join(undecided)}"
    if view.actors and not found.game.rules.complete(found.state):
        yield "Not every legal move can be listed here."


def check_told(view: View) -> Iterator[str]:
    """Yield what is wrong and what is open in the record, its disputes and rulings, and how many there are of each."""
    found = [one for one in _findings(view) if one.severity != "remark" and not view.muted]
    for finding in found:
        yield from listed(finding)
    docket = view.docket
    yield from replace(docket, times=(), sheets=()).texts()
    if view.muted:
        yield desk.quiet_text(view.game.id)
        return
    errors = sum(one.severity == "error" for one in found)
    disputed = sum(one.status == "open" for one in docket.disputes)
    told = [count(len(found) - errors, "open question"), count(errors, "breach", "breaches")]
    told += [count(disputed, "open dispute")] if docket.disputes else []
    told += [count(len(docket.rulings), "ruling")] if docket.rulings else []
    yield ", ".join(told)


def why_told(view: View, ply: int) -> Iterator[str]:
    """Yield the story of a ply, 0 for the last. Raises Declined where there is none that can be read."""
    if view.muted:
        yield desk.quiet_text(view.game.id)
        return
    ply = ply or view.found.ply
    try:
        told = view.docket.story(view.seen.record, ply, view.seen.examined.walk)
    except NotationError as fault:
        raise Declined(f"{fault.because[:1].upper()}{fault.because[1:]}.") from None
    yield from story_lines(view.game.id, told)
    yield from view.docket.on(ply).texts()
