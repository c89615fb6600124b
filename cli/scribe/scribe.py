"""The scribe: one live record, held open while a game is played, and what each typed line does to it.

It knows no terminal: a line goes in, what is to be told comes out. Every line that writes is one call of the desk
with the version last seen, so what was acknowledged is stored, and of two scribes the later one is told.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from cartulary.cli.scribe.line import VERBS, Typed, read_line
from cartulary.cli.scribe.view import check_told, legal_told, why_told
from cartulary.cli.scribe.words import answer_lines, finding_lines, help_lines
from cartulary.cli.shell.answers import boarded, noted, timed
from cartulary.cli.shell.live import not_stored
from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.arbiter.positions import Position
from cartulary.records import desk
from cartulary.records.faults import Conflict, Damaged, Declined, Fault, NoResult, Unread


class Said(Struct, frozen=True):
    """The answer to a line.

    lines: what is told; remark: a sentence about it, such as why nothing was written
    done: false where what was asked was not done; kept, cursor: what goes back on the line to be mended
    long: the lines take the picture's place; end: the scribe leaves
    shown: the position that was asked for, None where none was
    """

    lines: tuple[str, ...] = ()
    remark: str = ""
    done: bool = True
    kept: str = ""
    cursor: int = 0
    long: bool = False
    end: bool = False
    shown: Position | None = None


class Waiting(Struct, frozen=True):
    """Words one of which was refused. version: of the record then; shown: up to that one; rest: those behind it."""

    version: int = 0
    shown: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    clock: str = ""


class Scribe:
    """One record in one scribe's hands.

    standing: the record when it was last read
    asking: whether the time of the ply just written is waited for
    closing: the line that closes the game with a result somebody typed, until it is confirmed
    """

    def __init__(
        self,
        store: desk.Store,
        id: str,
        *,
        seat: int | None = None,
        by: str = "",
        clocks: bool = False,
        asks: bool = False,
        quiet: bool = False,
    ) -> None:
        """Read the record. seat: whose view is shown, None for everything; clocks: ask for a time after each move.

        asks: somebody is there to be asked
        quiet: words are written quietly, and nothing of what the rules say is told until it is revealed
        Raises UnknownGame, Damaged, and Unfit for a seat the game has not.
        """
        self.store, self.id, self.seat, self.by, self.clocks = store, id, seat, by, clocks
        self.quiet = quiet
        self.view = desk.read_view(store, id, seat, quiet)
        self.asking, self.asks = False, asks
        self.closing: Typed | None = None
        self._refused = Waiting()

    @property
    def prompt(self) -> str:
        """What stands before the line: who is to move, or what is asked."""
        if self.closing:
            return "close? [y/n] "
        if self.asking:
            return "time> "
        if self.view.game.book.closed:
            return "closed> "
        actors = self.view.actors
        return f"p{actors[0]}> " if actors else "end> " if self.view.ended else "> "

    @property
    def turn(self) -> str:
        """Who may speak now, or what is asked, in a sentence."""
        if self.closing:
            return f"y closes {self.id}, {self.closing.text}; anything else leaves it open"
        if self.asking:
            return f"how much time is left after ply {self.view.game.plies}? Enter alone skips it"
        return "; ".join(filter(None, (self.view.turn, self.view.due)))

    # --- while a line is typed ---

    def verdict(self, text: str) -> tuple[str, str]:
        """Return what Enter would come to, in a sentence, and its kind: legal, undecided, error, empty for a command.

        Nothing is stored or read from the store, so another thread may ask.
        """
        typed = read_line(text)
        if self.closing or not text.strip():
            return self.turn, ""
        if typed.fault:
            return typed.fault, "error"
        if typed.verb and not (typed.verb == "stands" and typed.text):
            return self._foretold(typed), ""
        try:
            words = self._typed(typed.text)
            if not words.words:
                return self.turn, ""
            return desk.verdict_line(
                desk.judge_words(self.view.game, words, seat=self.seat, quiet=self.view.quietly), typed.text
            )
        except Unread as fault:
            return desk.unread_line(text, fault), "error"
        except Fault as fault:
            return str(fault), "error"

    def _foretold(self, typed: Typed) -> str:
        view, plies = self.view, self.view.game.plies
        if typed.verb == "undo" and typed.number <= len(view.walked):
            return f"takes back {' '.join(desk.short(step.text) for step in view.walked[-typed.number :])}"
        if typed.verb == "stands":
            words = " ".join(map(desk.short, self._waiting().shown))
            return f"keeps {words}, marked" if words else "no refused move is waiting"
        if typed.verb in ("note", "clock"):
            what = "comments on" if typed.verb == "note" else "the time left after"
            ply = typed.number or plies
            word = f", {desk.short(view.walked[ply - 1].text)}" if 0 < ply <= len(view.walked) else ""
            return f"{what} {f'ply {ply}{word}' if ply else 'the game'}"
        return VERBS[typed.verb][1]

    # --- after Enter ---

    def enter(self, text: str) -> Said:
        """Do what a line says, and return what is to be told of it.

        What cannot be done is told, and the line goes back to be mended. Raises Damaged.
        """
        if self.asking and not text.strip():
            self.asking = False
            return Said()
        typed, do = read_line(text), self._done
        if self.closing:
            typed, self.closing = self.closing, None
            if text.strip().lower() not in ("yes", "y"):
                kept = "" if text.strip().lower() in ("no", "n") else text
                return Said(remark=f"{self.id} is left open.", done=False, kept=kept, cursor=len(kept))
            text, do = f"close {typed.text}", self._closed
        if typed.fault:
            return Said(remark=typed.fault, done=False, kept=text, cursor=len(text))
        try:
            return do(typed)
        except Damaged:
            raise
        except Conflict as fault:
            return self._overtaken(text, fault)
        except Unread as fault:
            column = desk.column_in(text, fault) or len(text) + 1
            because = f"Nothing was written; {desk.unread_line(text, fault)}"
            return Said(remark=because, done=False, kept=text, cursor=column - 1)
        except Fault as fault:
            return Said(remark=str(fault), done=False, kept=text, cursor=len(text))

    def _done(self, typed: Typed) -> Said:
        writing: dict[str, Callable[[Typed], Said]] = {
            "": self._play,
            "stands": self._stands,
            "undo": self._undo,
            "note": self._note,
            "clock": self._clock,
            "board": self._board,
            "reveal": self._reveal,
            "dispute": self._dispute,
            "close": self._close,
            "reopen": self._reopen,
        }
        if typed.verb in writing:
            return writing[typed.verb](typed)
        if typed.verb == "quit":
            return Said(end=True)
        if typed.verb == "help":
            return Said(tuple(help_lines()), long=True)
        self._reread()
        if typed.verb == "show":
            return self._show(typed)
        if typed.verb == "legal":
            return Said(tuple(legal_told(self.view, typed.text)), long=True)
        if typed.verb == "check":
            return Said(tuple(check_told(self.view)), long=True)
        return Said(tuple(why_told(self.view, typed.number)), long=True)

    def _show(self, typed: Typed) -> Said:
        if not typed.text:
            return Said(shown=self.view.found)
        shown = self.view.at(int(typed.text))
        past = shown.ply < self.view.found.ply
        return Said(
            remark=f"This is the position after ply {shown.ply}; `show` draws the current one." * past, shown=shown
        )

    def _reread(self) -> None:
        self.view = desk.read_view(self.store, self.id, self.seat, self.quiet)

    def _overtaken(self, text: str, fault: Conflict) -> Said:
        self._reread()
        new = fault.actual - fault.expected
        entries = "one entry is" if new == 1 else f"{new} entries are"
        because = (
            f"Someone else wrote to {self.id} first; {entries} new. Nothing of yours was written; look "
            "at the game, then press Enter."
        )
        return Said(remark=because, done=False, kept=text, cursor=len(text))

    # --- moves ---

    def _play(self, typed: Typed) -> Said:
        if not typed.text:
            self._reread()
            return Said()
        return self._written(self._typed(typed.text), typed.clock, stands=False)

    def _typed(self, text: str) -> desk.JudgedWords:
        return desk.typed_words(self.view.game, text, seat=self.seat, quiet=self.view.quietly)

    def _stands(self, typed: Typed) -> Said:
        if typed.text:
            return self._written(self._typed(typed.text), typed.clock, stands=True)
        waiting = self._waiting()
        if not waiting.shown:
            raise Declined("No refused move is waiting; `stands WORD` keeps a move without judging it first.")
        said = self._written(desk.JudgedWords(waiting.shown), "" if waiting.rest else waiting.clock, stands=True)
        rest = (*waiting.rest, waiting.clock) if waiting.rest else ()
        return replace(said, kept=" ".join(word for word in rest if word))

    def _waiting(self) -> Waiting:
        """Return the words that were refused and shown, none once the record has changed."""
        return self._refused if self._refused.version == self.view.version else Waiting()

    def _written(self, words: desk.JudgedWords, clock: str, *, stands: bool) -> Said:
        """Write the words, if none is refused or it stands, and tell the verdicts."""
        answers = desk.play(
            self.store,
            self.id,
            words,
            by=self.by,
            expected=self.view.version,
            stands=stands,
            clock=clock,
            seat=self.seat,
            quiet=self.view.quietly,
        )
        lines, last = tuple(answer_lines(answers)), answers[-1]
        if not last.stored:
            told, rest = words.words[: len(answers)], words.words[len(answers) :]
            return self._not_written(Waiting(self.view.version, told, rest, clock), last.blocks, lines)
        before = self.view.game.plies
        self._reread()
        self.asking = self.clocks and not clock
        return Said((*lines, *(f"  deal over: {over}" for over in self.view.deals_over(before))), self._offered())

    def _offered(self) -> str:
        """Return how a board is stated, where the position is not known and one can be; else nothing."""
        found = self.view.found
        tag = found.game.boards.tag if type(found.state) in GAPS else ""
        return f"`board TEXT` states what lies on the table, as the tag {tag} spells it." if tag else ""

    def _not_written(self, waiting: Waiting, blocks: bool, lines: tuple[str, ...]) -> Said:
        self._refused = Waiting() if blocks else waiting
        remark = not_stored(blocks, len(waiting.shown), "`stands`")
        if waiting.rest:
            were = "was" if len(waiting.rest) == 1 else "were"
            remark += f" {' '.join(map(desk.short, waiting.rest))} {were} not judged."
        return Said(lines, remark, done=False)

    def _undo(self, typed: Typed) -> Said:
        answer = desk.take_back(
            self.store,
            self.id,
            typed.number,
            by=self.by,
            agreed=typed.text,
            expected=self.view.version,
            seat=self.seat,
        )
        self._reread()
        self.asking = False
        stand = "one ply remains" if answer.plies == 1 else f"{answer.plies} plies remain"
        return Said((f"took back {' '.join(answer.words)}; {stand}",))

    # --- notes, times, the end ---

    def _note(self, typed: Typed) -> Said:
        first, _, rest = typed.text.partition(" ")
        replace = first in ("--replace", "--remove")
        noting = desk.read_noting(rest if replace else typed.text)
        return self._annotated(noting, replace)

    def _clock(self, typed: Typed) -> Said:
        ply = typed.number or self.view.game.plies
        if not ply:
            raise Declined("There is no ply yet to give a time to; write a move first.")
        version = self.view.version
        answer = desk.set_clock(self.store, self.id, ply, typed.clock, by=self.by, expected=version, seat=self.seat)
        self._reread()
        self.asking = False
        return Said((timed(answer),))

    def _board(self, typed: Typed) -> Said:
        if not typed.text:
            return Said((desk.present_board(self.store, self.id, self.seat).text,))
        version = self.view.version
        answer = desk.state_board(self.store, self.id, typed.text, by=self.by, expected=version, seat=self.seat)
        self._reread()
        self.asking = False
        return Said((boarded(answer), *(line for each in answer.findings for line in finding_lines(each, 0))))

    def _annotated(self, noting: desk.Noting, replace: bool) -> Said:
        answer = desk.annotate(
            self.store,
            self.id,
            self.view.game.plies,
            noting.comment,
            glyphs=noting.glyphs,
            variations=noting.variations,
            replace=replace,
            by=self.by,
            expected=self.view.version,
            seat=self.seat,
        )
        self._reread()
        return Said((f"{f'ply {answer.ply}' if answer.ply else 'the game'}: {noted(answer, replace)}",))

    def _close(self, typed: Typed) -> Said:
        try:
            if self.asks and typed.text:
                desk.closing(self.view.game, *_ending(typed))
                self.closing = typed
                return Said()
            return self._closed(typed)
        except NoResult as fault:
            raise Declined(
                f"{self.id} is not decided by its moves. Type `close * abandoned` to leave it undecided, or give its "
                f"result: `{' '.join(filter(None, ('close', fault.result, fault.termination)))}`."
            ) from None

    def _closed(self, typed: Typed) -> Said:
        result, termination = _ending(typed)
        answer = desk.close(
            self.store,
            self.id,
            result,
            termination=termination,
            by=self.by,
            expected=self.view.version,
            seat=self.seat,
        )
        self._reread()
        self.asking = False
        return Said((f"closed, {answer.result}{f', {answer.termination}' if answer.termination else ''}",))

    def _reveal(self, typed: Typed) -> Said:
        desk.reveal(self.store, self.id, by=self.by, expected=self.view.version, seat=self.seat)
        self._reread()
        return Said(("revealed; `check` lists what was found",))

    def _reopen(self, typed: Typed) -> Said:
        desk.reopen(self.store, self.id, reason=typed.text, by=self.by, expected=self.view.version, seat=self.seat)
        self._reread()
        return Said(("reopened",))

    def _dispute(self, typed: Typed) -> Said:
        ply = typed.number or self.view.game.plies
        who = typed.by or self.by or (f"p{self.seat}" if self.seat else "")
        raised = desk.dispute(
            self.store, self.id, ply, by=who, claim=typed.text, expected=self.view.version, seat=self.seat
        ).dispute
        self._reread()
        where = f"ply {raised.ply}" if raised.ply else "the game"
        return Said((f"{where}: dispute {raised.number} by {raised.by}; an arbiter answers it with `ruling`",))


def _ending(typed: Typed) -> tuple[str, str]:
    """Return the result and the termination that stand behind ``close``."""
    result, _, termination = typed.text.partition(" ")
    return result, termination.strip()
