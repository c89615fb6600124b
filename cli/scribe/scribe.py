"""The scribe: one live record, held open while a game is played, and what each typed line does to it.

No terminal is used here: a line goes in, an answer comes out. Every line that writes is one call of the API with the
version last read, so whatever was acknowledged is stored, and if two scribes write at once, the later one gets a
``Conflict``.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from cartulary.cli.scribe.line import VERBS, Typed, read_line
from cartulary.cli.scribe.view import answer_lines, check_lines, finding_lines, help_lines, legal_lines, why_lines
from cartulary.cli.shell.live import board_line, clock_line, not_stored, note_line
from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.arbiter.positions import Position
from cartulary.notation.seat_names import LONGEST_NAME, name_seats, name_with_seat
from cartulary.notation.viewer import EVERYTHING, Viewer, viewer_of_seat
from cartulary.records import api
from cartulary.records.commands.annotation import Noting, read_noting
from cartulary.records.commands.close import closing
from cartulary.records.faults import Conflict, Damaged, Declined, Fault, NoResult, Unread
from cartulary.records.state.event_words import short
from cartulary.records.table.sayings import column_in, unread_line, verdict_line


class LineAnswer(Struct, frozen=True):
    """The answer to a line.

    Attributes:
        lines: What to print.
        remark: A sentence about the line, such as why nothing was written.
        done: Whether the line was carried out.
        retry: The text that goes back on the line, to be corrected.
        cursor: Where the cursor stands in that text.
        long: Whether the lines take the place of the picture.
        end: Whether the scribe leaves.
        position: The position to show instead of the current one.
    """

    lines: tuple[str, ...] = ()
    remark: str = ""
    done: bool = True
    retry: str = ""
    cursor: int = 0
    long: bool = False
    end: bool = False
    position: Position | None = None


class Waiting(Struct, frozen=True):
    """Words of which the last one judged was refused, so that ``stands`` can keep them.

    Attributes:
        version: The version of the record when they were refused.
        words: The words up to the refused one.
        rest: The words after it, which were not judged.
        clock: The time typed with them.
    """

    version: int = 0
    words: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    clock: str = ""


class Scribe:
    """One record that somebody has open and types into.

    Attributes:
        game: The record as it was last read.
        view: What the scribe sees of it.
        asking: Whether the next line is the time left after the last ply.
        closing: The line that closes the game with a typed result, until it is confirmed.
    """

    def __init__(
        self,
        store: api.Log,
        id: str,
        *,
        viewer: Viewer = EVERYTHING,
        by: str = "",
        clocks: bool = False,
        asks: bool = False,
    ) -> None:
        """Read the record.

        Args:
            store: The open database.
            id: The id of the record.
            viewer: Who looks. A quiet one writes quietly, and until the record is revealed is shown nothing of what the
                rules say.
            by: Who writes.
            clocks: Whether to ask for the time left after each move.
            asks: Whether somebody is there to be asked.

        Raises:
            UnknownGame: There is no such record.
            Damaged: Its log is not what was written.
            Unfit: The game has no such seat.
        """
        self.store, self.id, self.viewer, self.by, self.clocks = store, id, viewer, by, clocks
        self.seat, self.writer = viewer.seat, viewer_of_seat(viewer.seat)
        self._reread()
        self.asking, self.asks = False, asks
        self.closing: Typed | None = None
        self._refused = Waiting()

    @property
    def prompt(self) -> str:
        """The prompt before the line.

        It is who is to move, as in ``Ann (p1)> ``, ``end> `` after the last ply, ``closed> `` for a closed game, or an
        open question: ``close? [y/n] `` or ``time> ``.
        """
        if self.closing:
            return "close? [y/n] "
        if self.asking:
            return "time> "
        if self.view.closed:
            return "closed> "
        actors = self.view.actors
        players = self.view.players
        who = name_with_seat(actors[0], players, LONGEST_NAME) if actors else "end" if self.view.ended else ""
        return f"{who}> "

    @property
    def turn(self) -> str:
        """Whose turn it is, and a word that is due, joined by ``; ``; while a question is open, what it asks."""
        if self.closing:
            return f"y closes {self.id}, {self.closing.text}; anything else leaves it open"
        if self.asking:
            return f"how much time is left after ply {self.view.plies}? Enter alone skips it"
        return "; ".join(filter(None, (self.view.turn_by(self.view.players), self.view.due)))

    # --- while a line is typed ---

    def verdict(self, text: str) -> tuple[str, str]:
        """Return what would happen if a line were entered, as a sentence and its kind.

        The kind is ``legal``, ``undecided`` or ``error``. It is empty where nothing is judged: for a command, an empty
        line, a question, and in a quiet record. Nothing is stored and the store is not read, so any thread may ask.
        """
        typed = read_line(text)
        if self.closing or not text.strip():
            return self.turn, ""
        if typed.fault:
            return typed.fault, "error"
        if typed.verb and not (typed.verb == "stands" and typed.text):
            return self._preview(typed), ""
        try:
            words = self._read_words(typed.text)
            if not words.words:
                return self.turn, ""
            says, kind = verdict_line(api.judge_words(self.game, words, self._player), typed.text)
            return name_seats(says, self.view.players), kind
        except Unread as fault:
            return name_seats(unread_line(text, fault), self.view.players), "error"
        except Fault as fault:
            return str(fault), "error"

    def _preview(self, typed: Typed) -> str:
        """Return in a few words what a command would do, without doing it: ``takes back 4Ci3 4Db6``.

        For a command that has no words of its own here it is the description in ``VERBS``. ``typed.verb`` must not be
        empty.
        """
        view, plies = self.view, self.view.plies
        if typed.verb == "undo" and typed.number <= len(view.steps):
            return f"takes back {' '.join(short(step.text) for step in view.steps[-typed.number :])}"
        if typed.verb == "stands":
            words = " ".join(map(short, self._waiting().words))
            return f"keeps {words}, marked" if words else "no refused move is waiting"
        if typed.verb in ("note", "clock"):
            what = "comments on" if typed.verb == "note" else "the time left after"
            ply = typed.number or plies
            word = f", {short(view.steps[ply - 1].text)}" if 0 < ply <= len(view.steps) else ""
            return f"{what} {f'ply {ply}{word}' if ply else 'the game'}"
        return VERBS[typed.verb][1]

    # --- after Enter ---

    def enter(self, text: str) -> LineAnswer:
        """Carry out a line, and return the answer to print.

        If it cannot be carried out, the answer says why and gives the line back to be corrected.

        Raises:
            Damaged: The log is not what was written.
        """
        if self.asking and not text.strip():
            self.asking = False
            return LineAnswer()
        typed, do = read_line(text), self._carry_out
        # A typed result is confirmed first, because it ends the game. Only y closes; other text goes back on the line.
        if self.closing:
            typed, self.closing = self.closing, None
            if text.strip().lower() not in ("yes", "y"):
                retry = "" if text.strip().lower() in ("no", "n") else text
                return LineAnswer(remark=f"{self.id} is left open.", done=False, retry=retry, cursor=len(retry))
            text, do = f"close {typed.text}", self._close_now
        if typed.fault:
            return LineAnswer(remark=typed.fault, done=False, retry=text, cursor=len(text))
        try:
            return do(typed)
        except Damaged:
            raise
        except Conflict as fault:
            return self._answer_conflict(text, fault)
        except Unread as fault:
            column = column_in(text, fault) or len(text) + 1
            because = f"Nothing was written; {name_seats(unread_line(text, fault), self.view.players)}"
            return LineAnswer(remark=because, done=False, retry=text, cursor=column - 1)
        except Fault as fault:
            return LineAnswer(remark=str(fault), done=False, retry=text, cursor=len(text))

    def _carry_out(self, typed: Typed) -> LineAnswer:
        """Carry out a line that was read, and return the answer.

        The commands that only read see the game as it is stored now; those that write use the version last read, so
        that a second writer is noticed. Faults, such as Declined or Conflict, are raised, and ``enter`` makes answers
        of them.
        """
        writing: dict[str, Callable[[Typed], LineAnswer]] = {
            "": self._play,
            "stands": self._stands,
            "undo": self._undo,
            "redo": self._redo,
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
            return LineAnswer(end=True)
        if typed.verb == "help":
            return LineAnswer(tuple(help_lines()), long=True)
        self._reread()
        if typed.verb == "show":
            return self._show(typed)
        if typed.verb == "legal":
            return LineAnswer(tuple(legal_lines(self.view, typed.text)), long=True)
        if typed.verb == "check":
            return LineAnswer(tuple(check_lines(self.view)), long=True)
        return LineAnswer(tuple(why_lines(self.view, typed.number)), long=True)

    def _named(self, lines: Iterable[str]) -> tuple[str, ...]:
        """Return the lines, with the players' names in place of ``p1``, ``p2`` and so on."""
        return tuple(name_seats(line, self.view.players) for line in lines)

    def _show(self, typed: Typed) -> LineAnswer:
        """Return the answer to ``show``: the current position, or that after the ply in ``typed.text``.

        A remark says so if that is an earlier position. Raises Declined if the ply does not exist or cannot be reached.
        """
        if not typed.text:
            return LineAnswer(position=self.view.position)
        position = self.view.at(int(typed.text))
        past = position.ply < self.view.position.ply
        return LineAnswer(
            remark=f"This is the position after ply {position.ply}; `show` draws the current one." * past,
            position=position,
        )

    def _reread(self) -> None:
        """Read the game and the names of its players from the store, in place of what is held.

        Raises a Fault if it cannot be read.
        """
        self.game = api.load(self.store, self.id)
        self.view = api.view_of(self.game, self.viewer, api.people_of(self.store))

    def _answer_conflict(self, text: str, fault: Conflict) -> LineAnswer:
        """Read the game again, and return the answer that somebody else has written first and how many entries are new.

        Nothing of the line was written. Its ``text`` is given back to be edited, with the cursor at its end.
        """
        self._reread()
        new = fault.actual - fault.expected
        entries = "one entry is" if new == 1 else f"{new} entries are"
        because = (
            f"Someone else wrote to {self.id} first; {entries} new. Nothing of yours was written; look "
            "at the game, then press Enter."
        )
        return LineAnswer(remark=because, done=False, retry=text, cursor=len(text))

    # --- moves ---

    def _play(self, typed: Typed) -> LineAnswer:
        """Write the moves of a line and the time after them, if it has one; an empty line only reads the game again."""
        if not typed.text:
            self._reread()
            return LineAnswer()
        return self._write_words(self._read_words(typed.text), typed.clock, stands=False)

    @property
    def _player(self) -> Viewer:
        """As whom moves are judged and written: the writer, without verdicts if the view keeps them back."""
        return replace(self.writer, quiet=self.view.quietly)

    def _read_words(self, text: str) -> api.JudgedWords:
        """Return typed moves, with blanks between them, as canonical words with their verdicts.

        Raises Unread if one cannot be read.
        """
        return api.typed_words(self.game, text, self._player)

    def _stands(self, typed: Typed) -> LineAnswer:
        """Write refused moves all the same: the words after ``stands``, or without any those refused last.

        What was typed after the refused moves, and the time, is given back in ``retry`` to be entered next. Raises
        Declined if no words are given and none are waiting.
        """
        if typed.text:
            return self._write_words(self._read_words(typed.text), typed.clock, stands=True)
        waiting = self._waiting()
        if not waiting.words:
            raise Declined("No refused move is waiting; `stands WORD` keeps a move without judging it first.")
        judged = api.JudgedWords(waiting.words)
        answer = self._write_words(judged, "" if waiting.rest else waiting.clock, stands=True)
        rest = (*waiting.rest, waiting.clock) if waiting.rest else ()
        return replace(answer, retry=" ".join(word for word in rest if word))

    def _waiting(self) -> Waiting:
        """Return the refused moves that ``stands`` would keep.

        If the game has changed since they were refused, the answer is an empty Waiting.
        """
        return self._refused if self._refused.version == self.view.version else Waiting()

    def _write_words(self, words: api.JudgedWords, clock: str, *, stands: bool) -> LineAnswer:
        """Store moves, and return the verdicts on them as an answer.

        If one is refused and ``stands`` is false, nothing at all is stored, and the moves up to that one wait for
        ``stands``. If clocks are kept and no time was typed, the next line is asked for it. The answer also names the
        deals that ended.

        Args:
            words: The moves, already read.
            clock: The time left after the last of them, empty if none was typed.
            stands: Whether to store refused moves too, marked as such.
        """
        request = api.WordsRequest(words.words, stands, clock, by=self.by, expected=self.view.version)
        answers = api.play(self.store, self.id, request, self._player, line=words)
        lines, last = self._named(answer_lines(answers)), answers[-1]
        if not last.stored:
            front, rest = words.words[: len(answers)], words.words[len(answers) :]
            return self._refusal(Waiting(self.view.version, front, rest, clock), last.blocks, lines)
        before = self.view.plies
        self._reread()
        self.asking = self.clocks and not clock
        return LineAnswer(
            (*lines, *self._named(f"  deal over: {over}" for over in self.view.deals_over(before))), self._board_hint()
        )

    def _board_hint(self) -> str:
        """Return a sentence on how to state the board, if missing plies leave the position unknown.

        Otherwise the text is empty.
        """
        position = self.view.position
        tag = position.game.boards.tag if type(position.state) in GAPS else ""
        return f"`board TEXT` states what lies on the table, as the tag {tag} spells it." if tag else ""

    def _refusal(self, waiting: Waiting, blocks: bool, lines: tuple[str, ...]) -> LineAnswer:
        """Return the answer that moves were refused and not stored, and remember them for ``stands``.

        Args:
            waiting: The moves up to the refused one, those after it, and the time.
            blocks: Whether the refused move cannot even be carried out; then nothing is remembered for ``stands``.
            lines: The verdicts, which the answer shows.
        """
        self._refused = Waiting() if blocks else waiting
        remark = not_stored(blocks, len(waiting.words), "`stands`")
        if waiting.rest:
            were = "was" if len(waiting.rest) == 1 else "were"
            remark += f" {' '.join(map(short, waiting.rest))} {were} not judged."
        return LineAnswer(lines, remark, done=False)

    def _undo(self, typed: Typed) -> LineAnswer:
        """Take back the last ``typed.number`` plies, and return the answer that names them.

        ``typed.text`` names who agreed to it, and may be empty.
        """
        request = api.UndoRequest(typed.number, agreed=typed.text, by=self.by, expected=self.view.version)
        answer = api.take_back(self.store, self.id, request, self.writer)
        self._reread()
        self.asking = False
        stand = "one ply remains" if answer.plies == 1 else f"{answer.plies} plies remain"
        return LineAnswer((f"took back {' '.join(answer.words)}; {stand}",))

    def _redo(self, typed: Typed) -> LineAnswer:
        """Play the plies of the last undo again, and return the answer that names them.

        ``typed.text`` names who agreed to it, and may be empty.
        """
        request = api.RedoRequest(agreed=typed.text, by=self.by, expected=self.view.version)
        answer = api.redo(self.store, self.id, request, self.writer)
        self._reread()
        self.asking = False
        return LineAnswer((f"played {' '.join(answer.words)} again",))

    # --- notes, times, the end ---

    def _note(self, typed: Typed) -> LineAnswer:
        """Annotate the last ply, or the game if there is none, with the text after ``note``.

        ``--replace`` or ``--remove`` as the first word drops what is noted there before.
        """
        first, _, rest = typed.text.partition(" ")
        replace = first in ("--replace", "--remove")
        noting = read_noting(rest if replace else typed.text)
        return self._annotate(noting, replace)

    def _clock(self, typed: Typed) -> LineAnswer:
        """Write the time left after a ply, by its number, or after the last for number 0.

        Raises Declined if there is no ply yet.
        """
        ply = typed.number or self.view.plies
        if not ply:
            raise Declined("There is no ply yet to give a time to; write a move first.")
        request = api.ClockRequest(ply, typed.clock, by=self.by, expected=self.view.version)
        answer = api.set_clock(self.store, self.id, request, self.writer)
        self._reread()
        self.asking = False
        return LineAnswer((clock_line(answer),))

    def _board(self, typed: Typed) -> LineAnswer:
        """State what lies on the table as ``typed.text`` has it, and answer with what was found wrong.

        Without a text nothing is written, and the answer is the board as a text.
        """
        if not typed.text:
            return LineAnswer((api.present_board(self.store, self.id, self.writer).text,))
        request = api.BoardRequest(typed.text, by=self.by, expected=self.view.version)
        answer = api.state_board(self.store, self.id, request, self.writer)
        self._reread()
        self.asking = False
        return LineAnswer(
            (board_line(answer), *(line for finding in answer.findings for line in finding_lines(finding, 0)))
        )

    def _annotate(self, noting: Noting, replace: bool) -> LineAnswer:
        """Write a note to the last ply, or to the game if there is no ply, and return the answer.

        Args:
            noting: The comment, glyphs and variations to add.
            replace: Whether to drop what is noted there first.
        """
        ply, version = self.view.plies, self.view.version
        request = api.NoteRequest(
            ply, noting.comment, noting.glyphs, noting.variations, replace, by=self.by, expected=version
        )
        answer = api.annotate(self.store, self.id, request, self.writer)
        self._reread()
        return LineAnswer((f"{f'ply {answer.ply}' if answer.ply else 'the game'}: {note_line(answer, replace)}",))

    def _close(self, typed: Typed) -> LineAnswer:
        """Close the game with the result and termination typed after ``close``, or with what its moves say.

        If a result was typed and there is somebody to ask, the game stays open and ``closing`` keeps the command until
        the answer y. Raises Declined, with what to type instead, if the moves decide nothing and no result was typed.
        """
        try:
            if self.asks and typed.text:
                closing(self.game, *_ending(typed))
                self.closing = typed
                return LineAnswer()
            return self._close_now(typed)
        except NoResult as fault:
            raise Declined(
                f"{self.id} is not decided by its moves. Type `close * abandoned` to leave it undecided, or give its "
                f"result: `{' '.join(filter(None, ('close', fault.result, fault.termination)))}`."
            ) from None

    def _close_now(self, typed: Typed) -> LineAnswer:
        """Close the game without asking, and return the answer with its result.

        Raises NoResult if its moves do not decide it and no result was typed.
        """
        result, termination = _ending(typed)
        request = api.CloseRequest(result, termination, by=self.by, expected=self.view.version)
        answer = api.close(self.store, self.id, request, self.writer)
        self._reread()
        self.asking = False
        return LineAnswer((f"closed, {answer.result}{f', {answer.termination}' if answer.termination else ''}",))

    def _reveal(self, typed: Typed) -> LineAnswer:
        """End the quiet of a record: its verdicts are shown from now on. This is stored in the log."""
        request = api.RevealRequest(by=self.by, expected=self.view.version)
        api.reveal(self.store, self.id, request, self.writer)
        self._reread()
        return LineAnswer(("revealed; `check` lists what was found",))

    def _reopen(self, typed: Typed) -> LineAnswer:
        """Open a closed game again, for the reason in ``typed.text``, which may be empty."""
        request = api.ReopenRequest(typed.text, by=self.by, expected=self.view.version)
        api.reopen(self.store, self.id, request, self.writer)
        self._reread()
        return LineAnswer(("reopened",))

    def _dispute(self, typed: Typed) -> LineAnswer:
        """Dispute a ply, by its number, or the last for number 0, and return the answer with the number of the dispute.

        ``typed.text`` is the claim. It is made by ``typed.by``, else by the scribe, else by the seat that the scribe
        looks as.
        """
        ply = typed.number or self.view.plies
        who = typed.by or self.by or (f"p{self.seat}" if self.seat else "")
        request = api.DisputeRequest(ply, typed.text, by=who, expected=self.view.version)
        dispute = api.dispute(self.store, self.id, request, self.writer).dispute
        self._reread()
        where = f"ply {dispute.ply}" if dispute.ply else "the game"
        return LineAnswer((f"{where}: dispute {dispute.number} by {dispute.by}; an arbiter answers it with `ruling`",))


def _ending(typed: Typed) -> tuple[str, str]:
    """Return result and termination typed after ``close``, each of which may be empty.

    ``* abandoned`` gives ``("*", "abandoned")``.
    """
    result, _, termination = typed.text.partition(" ")
    return result, termination.strip()
