"""A game as one viewer has it, with its docket: the sentences on disputes and rulings, on a log or on a score sheet."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Examination, Finding, Record, Story, examine, story
from cartulary.notation.arbiter.examine import let_stand, with_rulings
from cartulary.notation.arbiter.score_in_force import RULES, ScoreLine
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.controls import isolate
from cartulary.notation.seat_names import name_seats
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.state.book import Agreement
from cartulary.records.state.docket import PlacedDispute, PlacedRuling, TimeCorrection
from cartulary.records.state.event_words import ENTRY, DocketThing, say
from cartulary.records.state.people import NOBODY_MERGED, People

SIGNS = {"irregular": " ✗", "undecided": " ?", "let stand": " ✓"}
"""The mark after the word of a ply, by its verdict."""


class DocketText(Struct, frozen=True):
    """The disputes, rulings and corrected times of a record, and the sentences on them.

    Attributes:
        disputes: The disputes, in the order they were raised.
        rulings: The rulings, in the order they were given.
        times: The corrected times, in the order of the plies.
        score: How the score in force comes about, if rulings have changed it or tags alone state it.
        sheets: The sheets kept with the game: number, source, and the ply of the first difference, 0 for none.
        aside: The sentence that the game is set aside, empty if it counts.
        live: Whether they stand on a log, so that a ply that was ruled to stand is no breach. A sheet only reports
            them.
    """

    disputes: tuple[PlacedDispute, ...] = ()
    rulings: tuple[PlacedRuling, ...] = ()
    times: tuple[TimeCorrection, ...] = ()
    score: tuple[ScoreLine, ...] = ()
    sheets: tuple[tuple[int, str, int], ...] = ()
    live: bool = False
    aside: str = ""

    @property
    def score_by_ruling(self) -> bool:
        """Whether rulings have changed the score; False if tags alone state it, or if ``score`` is empty."""
        return any(line.says != RULES for line in self.score)

    def examine(self, record: Record, walk: Walk | None = None) -> Examination:
        """Return what the rules say of a record. Errors that a ruling on the log lets stand are remarks in it.

        Args:
            record: The record.
            walk: A walk through the first words of the record, to go on from; None to begin with the first.
        """
        result = next((ruling.arbiter for ruling in self._in_force("result")), None)
        return with_rulings(examine(record, cached=walk), self._arbiters_by_ply(), result)[0]

    def story(self, record: Record, ply: int, walk: Walk | None = None) -> Story:
        """Return the story of a ply: what happened and what the rules say of it, with the arbiter beside an error let
        stand.

        Args:
            record: The record.
            ply: The ply, from 1.
            walk: A walk through the first words of the record, to go on from; None to begin with the first.

        Raises:
            NotationError: The ply cannot be read.
        """
        narrative, stand = story(record, ply, walk), self._arbiters_by_ply()
        findings = (
            (finding, stand.get(finding.ply) if finding.severity == "error" else None) for finding in narrative.now
        )
        now = (finding if arbiter is None else let_stand(finding, arbiter) for finding, arbiter in findings)
        return replace(narrative, now=tuple(now))

    def _arbiters_by_ply(self) -> dict[int, str]:
        """Return the name of the arbiter for each ply that a ruling on the log lets stand, by ply; empty for a
        sheet.
        """
        return {ply: ruling.arbiter for ruling in self._in_force("stands") for ply in ruling.plies}

    def _in_force(self, decision: str) -> list[PlacedRuling]:
        """Return the rulings in force with this decision, such as ``stands``, in their order; none if the docket is not
        on a log.
        """
        return [ruling for ruling in self.rulings if self.live and ruling.holds and ruling.decision == decision]

    def up_to(self, ply: int, score: tuple[ScoreLine, ...]) -> "DocketText":
        """Return the docket as it concerns the plies up to one, the game as a whole, and plies that are gone.

        A ruling on several plies is in it if the first of them is. Sheets and the sentence on a game set aside stay.

        Args:
            ply: The ply; 0 for the game as a whole and plies that are gone alone.
            score: How the score comes about at that ply; it is left out if the whole record has none.
        """
        disputes = (entry for entry in self.disputes if entry.ply <= ply)
        rulings = (entry for entry in self.rulings if min(entry.plies, default=0) <= ply)
        times = (entry for entry in self.times if entry.ply <= ply)
        score_lines = score if self.score else ()
        return DocketText(
            tuple(disputes), tuple(rulings), tuple(times), score_lines, self.sheets, self.live, self.aside
        )

    def on(self, ply: int) -> "DocketText":
        """Return the docket (disputes, rulings, corrected times) as it concerns one ply.

        Args:
            ply: The ply, from 1; 0 for the game as a whole and for plies that are gone. Only then the score, the kept
                sheets and the sentence on a game set aside are in it.
        """
        disputes = (entry for entry in self.disputes if entry.ply == ply)
        rulings = (entry for entry in self.rulings if ply in (entry.plies or (0,)))
        times = (entry for entry in self.times if entry.ply == ply)
        return DocketText(
            tuple(disputes),
            tuple(rulings),
            tuple(times),
            () if ply else self.score,
            () if ply else self.sheets,
            self.live,
            "" if ply else self.aside,
        )

    def texts(self, names: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the docket in sentences: that the game is set aside, if it is; then one for each dispute, ruling,
        corrected time and kept sheet; then the score, if rulings changed it or tags alone state it.

        Args:
            names: The names of the players, by seat, if they are to be called so instead of ``p1``.
        """
        aside = (self.aside,) if self.aside else ()
        score = (f"score {score_text(self.score, names)}",) if self.score else ()
        placed: tuple[DocketThing, ...] = (*self.disputes, *self.rulings, *self.times)
        return (*aside, *(say(entry, ENTRY, names) for entry in placed), *map(_sheet_text, self.sheets), *score)

    def fields(self) -> dict[str, object]:
        """Return the docket as fields of a JSON object: ``disputes``, ``rulings``, ``times`` and ``score``, without the
        sheets.

        ``set_aside``, a sentence, is there only if the game is set aside.
        """
        fields: dict[str, object] = {"disputes": self.disputes, "rulings": self.rulings, "times": self.times}
        return fields | {"score": self.score} | ({"set_aside": self.aside} if self.aside else {})


NO_DOCKET = DocketText()


def score_text(lines: tuple[ScoreLine, ...], names: Sequence[str] = ()) -> str:
    """Return the score in force and how it comes about: ``88:0 (the rules 176:0; A. Person, p1 -88)``.

    Args:
        lines: The steps to the score, at least one; the last has the score in force.
        names: The names of the players, by seat, if they are to be called so.
    """
    if len(lines) == 1 and lines[0].how:
        return name_seats(f"{lines[0].score} ({lines[0].how})", names)
    steps = [
        f"{isolate(line.by)}, {name_seats(line.says, names)}"
        if line.by
        else name_seats(f"{line.says} {_score_step(line)}", names)
        for line in lines
    ]
    return f"{lines[-1].score} ({'; '.join(steps)})"


def _score_step(line: ScoreLine) -> str:
    """Return one step of a score, ``176:0``, followed by how it comes about if that is known: ``176:0: REASON``."""
    return f"{line.score}: {line.how}" if line.how else line.score


def _sheet_text(sheet: tuple[int, str, int]) -> str:
    """Return a kept sheet in one sentence: ``sheet 9, table-b.cgn, is kept with the game: no word differs``.

    Args:
        sheet: Its number, the name of its file (empty if unknown), and the first ply that differs from the game, 0 for
            none.
    """
    number, source, first = sheet
    difference = f"its first difference is at ply {first}" if first else "no word differs"
    return f"sheet {number}{f', {source},' if source else ''} is kept with the game: {difference}"


class SeenGame(Struct, frozen=True):
    """A game as one viewer has it: what is printed, drawn and sent is made of this.

    Nothing in it leads back to the whole record, so whoever is handed one cannot show too much of it by mistake. A
    ``LiveGame`` knows everything, and the checker refuses one in the place of the other.

    Attributes:
        record: The score sheet, as if read from its text.
        viewer: Who looks; quiet if verdicts are withheld from this viewer.
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
        people: The people under whose names the viewer is shown the players.
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
    agreements: tuple[Agreement, ...] = ()
    let: tuple[Finding, ...] = ()
    people: People = NOBODY_MERGED

    @property
    def quiet(self) -> bool:
        """Whether verdicts on this record are withheld from the viewer."""
        return self.viewer.quiet
