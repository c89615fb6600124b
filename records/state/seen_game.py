"""A game as one viewer has it, with its docket: what is said of disputes and rulings, on a log or on a score sheet."""

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Examined, Finding, Record, Story, examine, story
from cartulary.notation.arbiter.examine import let_stand, with_rulings
from cartulary.notation.arbiter.finding import TAIL_SHOWN
from cartulary.notation.arbiter.ruling_commands import ruling_says
from cartulary.notation.arbiter.score_in_force import RULES, ScoreLine
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.controls import isolated
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.state.docket import cites_text

if TYPE_CHECKING:  # a score sheet is shown without what a log needs
    from cartulary.records.state.book import Agreement
    from cartulary.records.state.disputes_and_rulings import PlacedDispute, PlacedRuling
    from cartulary.records.state.times import Retimed

SIGNS = {"irregular": " ✗", "undecided": " ?", "let stand": " ✓"}
"""What stands behind a word of which something is to be said."""
HIDDEN = "~"
"""What a seat reads in place of a word it may not see."""


class DocketText(Struct, frozen=True):
    """The disputes and rulings of a record, each in the order it was written, and its times that were corrected.

    score: how the score in force comes about where rulings have changed it or tags alone tell of it
    sheets: those kept with the game: number, source and the ply of the first difference, 0 for none
    live: they are facts of a log, so that what was ruled to stand is no breach; a sheet only tells of them
    """

    disputes: "tuple[PlacedDispute, ...]" = ()
    rulings: "tuple[PlacedRuling, ...]" = ()
    times: "tuple[Retimed, ...]" = ()
    score: tuple[ScoreLine, ...] = ()
    sheets: tuple[tuple[int, str, int], ...] = ()
    live: bool = False

    @property
    def score_by_ruling(self) -> bool:
        """Whether rulings have changed the score; else tags alone tell of it."""
        return any(line.says != RULES for line in self.score)

    def examine(self, record: Record, kept: Walk | None = None) -> Examined:
        """Return the report on a record, what a ruling on the log lets stand as remarks. kept: a walk through it"""
        result = next((one.arbiter for one in self._holding("result")), None)
        return with_rulings(examine(record, cached=kept), self._stand(), result)[0]

    def story(self, record: Record, ply: int, kept: Walk | None = None) -> Story:
        """Return the story of a ply, which says of a breach who let it stand. Raises NotationError as ``story``."""
        narrative, stand = story(record, ply, kept), self._stand()
        by = ((one, stand.get(one.ply) if one.severity == "error" else None) for one in narrative.now)
        now = (one if arbiter is None else let_stand(one, arbiter) for one, arbiter in by)
        return replace(narrative, now=tuple(now))

    def _stand(self) -> dict[int, str]:
        """Return the plies a ruling on the log lets stand, with the arbiter."""
        return {ply: one.arbiter for one in self._holding("stands") for ply in one.plies}

    def _holding(self, decision: str) -> "list[PlacedRuling]":
        return [one for one in self.rulings if self.live and one.holds and one.decision == decision]

    def up_to(self, ply: int, score: tuple[ScoreLine, ...]) -> "DocketText":
        """Return those about the game, about the plies up to this one, and about plies that are gone.

        score: how the score in force comes about there; none is told where that of the whole record is not
        """
        disputes = (one for one in self.disputes if one.ply <= ply)
        rulings = (one for one in self.rulings if min(one.plies, default=0) <= ply)
        times = (one for one in self.times if one.ply <= ply)
        score_lines = score if self.score else ()
        return DocketText(tuple(disputes), tuple(rulings), tuple(times), score_lines, self.sheets, self.live)

    def on(self, ply: int) -> "DocketText":
        """Return those about one ply as it stands; 0: those about the game and about plies that are gone."""
        disputes = (one for one in self.disputes if one.ply == ply)
        rulings = (one for one in self.rulings if ply in (one.plies or (0,)))
        times = (one for one in self.times if one.ply == ply)
        return DocketText(
            tuple(disputes),
            tuple(rulings),
            tuple(times),
            () if ply else self.score,
            () if ply else self.sheets,
            self.live,
        )

    def texts(self) -> tuple[str, ...]:
        """Return a sentence for each."""
        score = (f"score {score_text(self.score)}",) if self.score else ()
        docket_texts = (*map(dispute_text, self.disputes), *map(ruling_text, self.rulings), *map(time_text, self.times))
        return (*docket_texts, *map(sheet_text, self.sheets), *score)

    def fields(self) -> dict[str, object]:
        """Return them, but for the sheets, as fields of a JSON object."""
        return {"disputes": self.disputes, "rulings": self.rulings, "times": self.times, "score": self.score}


NO_DOCKET = DocketText()


def dispute_text(dispute: "PlacedDispute") -> str:
    """Return a dispute in one sentence: ``dispute 24 by p2 on ply 21, XSa5, open: …``."""
    place = _place((dispute.then,) if dispute.then else (), (dispute.ply,) if dispute.ply else (), (dispute.word,))
    reason = f" ({dispute.reason})" if dispute.reason else ""
    by = f" by {isolated(dispute.by)}" if dispute.by else ""
    cites = cites_text(dispute.cites)
    return f"dispute {dispute.number}{by} on {place}, {dispute.status}{reason}{cites}: {dispute.claim}"


def ruling_text(ruling: "PlacedRuling") -> str:
    """Return a ruling in one sentence: ``ruling 25 by A. Person on ply 21, Pass: stands (call.seat): …``."""
    place = f"ruling {ruling.revokes}" if ruling.revokes else _place(ruling.then, ruling.plies, ruling.old)
    decision = ruling_says(ruling)
    past = "" if ruling.holds else ", no longer in force"
    keys = f" ({', '.join(ruling.keys)})" if ruling.keys else ""
    reason = f": {ruling.reason}" if ruling.reason else ""
    arbiter = f" by {isolated(ruling.arbiter)}" if ruling.arbiter else ""
    return f"ruling {ruling.number}{arbiter} on {place}: {decision}{past}{keys}{cites_text(ruling.cites)}{reason}"


def score_text(lines: tuple[ScoreLine, ...]) -> str:
    """Return the score in force and how it comes about: ``88:0 (the rules 176:0; A. Person, p1 -88)``."""
    if len(lines) == 1 and lines[0].how:
        return f"{lines[0].score} ({lines[0].how})"
    steps = [f"{isolated(line.by)}, {line.says}" if line.by else f"{line.says} {_worked_out(line)}" for line in lines]
    return f"{lines[-1].score} ({'; '.join(steps)})"


def _worked_out(line: ScoreLine) -> str:
    return f"{line.score}: {line.how}" if line.how else line.score


def sheet_text(sheet: tuple[int, str, int]) -> str:
    """Return what is known of a kept sheet in one sentence."""
    number, source, first = sheet
    found = f"its first difference is at ply {first}" if first else "no word differs"
    return f"sheet {number}{f', {source},' if source else ''} is kept with the game: {found}"


def time_text(time: "Retimed") -> str:
    """Return a correction of a time in one sentence: ``time 12 on ply 3, 8Dj2: 0:12:30, was 0:21:30, by p1: …``."""
    by = f", by {time.by}" if time.by else ""
    reason = f": {time.reason}" if time.reason else ""
    return f"time {time.number} on {_place((), (time.ply,), (time.word,))}: {time.left}, was {time.was}{by}{reason}"


def _place(then: tuple[int, ...], now: tuple[int, ...], words: tuple[str, ...]) -> str:
    """Return which plies are meant; those that are gone by where they stood."""
    if not then and not now:
        return "the game"
    plies = now or then
    numbers = ", ".join(map(str, plies)) if len(plies) < 3 else f"{plies[0]}–{plies[-1]}"
    seen = [word for word in words if word and word != HIDDEN]
    words_shown = f"{' '.join(seen[:TAIL_SHOWN])}{' …' if len(seen) > TAIL_SHOWN else ''}"
    there = "" if now else ", which is gone" if len(plies) == 1 else ", which are gone"
    return f"{'ply' if len(plies) == 1 else 'plies'} {numbers}{f', {words_shown}' if words_shown else ''}{there}"


class SeenGame(Struct, frozen=True):
    """A game as one viewer has it: what is printed, drawn and sent is made of this.

    Nothing in it leads back to the whole record, so whoever is handed one cannot show too much of it by mistake. A
    ``LiveGame`` knows everything, and the checker refuses one in the place of the other.

    Attributes:
        record: The score sheet, as if read from its text.
        viewer: Who looks, as ``reader`` has it: quiet where nothing is said of what the rules say.
        docket: The disputes and rulings, as the viewer may read them.
        walk: A walk through the record where one is known, as that of a live game is.
        id: The game's id, empty for a sheet that is in no log.
        version: The version of the game as the viewer counts it.
        head: The game's VERSION:DIGEST, empty for a viewer who does not see everything.
        closed: Whether the game was closed.
        result: The result it was closed with, empty for an open game.
        last_written: When the last event was written.
        withheld: How many events were left out of the log.
        agreements: Which seats agreed with the record.
        let: The errors that a ruling lets stand, so that they are remarks; empty unless the viewer sees everything.
    """

    record: Record
    viewer: Viewer = EVERYTHING
    docket: DocketText = NO_DOCKET
    walk: Walk | None = None
    id: str = ""
    version: int = 0
    head: str = ""
    closed: bool = False
    result: str = ""
    last_written: str = ""
    withheld: int = 0
    agreements: "tuple[Agreement, ...]" = ()
    let: tuple[Finding, ...] = ()

    @property
    def quiet(self) -> bool:
        """Whether nothing is said of what the rules say."""
        return self.viewer.quiet
