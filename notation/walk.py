"""The findings of a main line and its variations, gathered ply by ply."""

from typing import Any

from cartulary.engine import LEGAL, Breach, Calls, Open, Refused, Undecided, judge
from cartulary.engine.play import NO_CALLS
from cartulary.notation.finding import Finding, clause_of, unread
from cartulary.notation.record import AnyMove, Line, Record
from cartulary.notation.replay import Step, own_move, steps
from cartulary.notation.roster import Game

LEGAL_SHOWN = 8


class Walk:
    """The findings of a main line and its variations, gathered ply by ply."""

    def __init__(self, record: Record, game: Game[Any, Any, Any], seats: int, accept_rulings: bool) -> None:
        self.record = record
        self.game = game
        self.seats = seats
        self.accept_rulings = accept_rulings
        self.findings: list[Finding] = []
        self.questions: dict[tuple[int, str], tuple[Step, Open]] = {}
        self.doubted: dict[int, int] = {}
        self.proved: dict[tuple[int, ...], Finding] = {}
        self.shift = 0

    def through(self, state: Any) -> tuple[Any, Calls, tuple[str, ...]]:
        """Walk the main line; return state and calls after it, and its words in canonical spelling."""
        line = self.record.line
        words, numbers, notes = line.words, line.numbers, line.notes
        spelled, number = list(words), self.game.script.number
        step: Step | None = None
        for step in steps(self.game, state, words, self.seats):
            ply = step.ply
            if not step.plain:
                spelled[ply - 1] = step.text
                self._odd(step)
            if ply - 1 in numbers:
                counted = number(step.state, own_move(step.move))
                if counted is None or numbers[ply - 1][0] - counted[0] != self.shift:
                    self._number(step, numbers[ply - 1][0], counted)
            if notes and ply in notes:
                for variation in notes[ply].variations:
                    self._variation(step, variation)
        if step is None:
            return state, NO_CALLS, words
        self._close(step.after)
        return step.after, step.calls_after, tuple(spelled)

    def _close(self, state: Any) -> None:
        """Keep the questions that are open to the end, and what was proved of the others, in their last words."""
        pending = self.game.rules.pending(state)
        for breach in pending.proved:
            self._prove(breach)
        self.findings += self.proved.values()
        still = (asked for asked in pending.open if asked in self.questions)
        self.findings += [self._asked(state, *self.questions[asked]) for asked in still]

    def _asked(self, state: Any, step: Step, question: Open) -> Finding:
        """Return an open question with what is known of its cards in the end."""
        rule, (line, column) = question.clause, self.record.place(step.ply)
        told = (self.game.rules.known(state, need) for need in question.needs)
        because = "; ".join(sentence for sentence in told if sentence)
        seat = f"p{step.move.seat}"
        return Finding("undecided", rule.key, step.ply, because, step.text, seat, line, column, rule.says, rule.source)

    def _prove(self, breach: Breach) -> None:
        self.proved[breach.plies] = self._breach(breach)

    def _number(self, step: Step, written: int, counted: tuple[int, bool] | None) -> None:
        """Remark a number that is off, and then only where it is off by something else."""
        if counted is None:
            self._remark(step, "cgn.number", f"found move number {written}, expected none here")
            return
        self.shift = written - counted[0]
        if self.shift:
            self._remark(step, "cgn.number", f"found move number {written}, expected {counted[0]}")

    def _remark(self, step: Step, key: str, because: str) -> None:
        line, column = self.record.place(step.ply)
        seat = f"p{step.move.seat}" if step.move else ""
        self.findings.append(Finding("remark", key, step.ply, because, step.text, seat, line=line, column=column))

    def _odd(self, step: Step) -> None:
        if step.text != step.word and step.error is None:
            self._remark(step, "cgn.mark", f"found {step.word}, expected {step.text}")
        for breach in step.breaches:
            self._prove(breach)
        line, column = self.record.place(step.ply)
        if step.error is not None:
            because = step.error.because + self._behind(step)
            at = column + step.error.column - 1
            self.findings.append(Finding("error", step.error.key, step.ply, because, step.word, line=line, column=at))
        elif type(step.verdict) is Refused:
            self._refused(step, step.verdict, line, column)
        elif type(step.verdict) is Undecided:
            self.doubted[step.ply] = step.move.seat
            for question in step.verdict.opens:
                if question.asks:
                    self.questions[step.ply, question.clause.key] = step, question

    def _behind(self, step: Step) -> str:
        return unread(self.record.line.words[step.ply :])

    def _refused(self, step: Step, refused: Refused, line: int, column: int) -> None:
        note = self.record.line.notes.get(step.ply)
        marked = note is not None and any("[%irregular" in comment for comment in note.comments)
        self.findings.append(
            Finding(
                "remark" if marked and self.accept_rulings else "error",
                refused.clause.key,
                step.ply,
                refused.because + ("" if step.applied else self._behind(step)),
                step.text,
                f"p{step.move.seat}",
                line,
                column,
                refused.clause.says,
                refused.clause.source,
                legal_words(self.game, step.state, step.calls, LEGAL_SHOWN),
            )
        )

    def _breach(self, breach: Breach) -> Finding:
        rule, ply = clause_of(self.game, breach.key), breach.plies[0]
        line, column = self.record.place(ply) if ply else self.record.place_of_tag("Game")
        several = breach.plies if len(breach.plies) > 1 else ()
        return Finding(
            "undecided" if several else "error",
            breach.key,
            ply,
            breach.because,
            self.record.line.words[ply - 1] if ply else "",
            f"p{self.doubted[ply]}" if ply in self.doubted else "",
            line=line,
            column=column,
            rule=rule.says,
            source=rule.source,
            decided_by=breach.decided_by,
            plies=several,
        )

    def _variation(self, before: Step, line: Line) -> None:
        """Remark what is wrong in a variation: it was not played, so it breaks nothing."""
        for step in steps(self.game, before.state, line.words, self.seats, before.calls, before.ply):
            at, column = self.record.place(step.ply - before.ply + 1, line)
            if step.error is not None and not isinstance(step.error, AnyMove):
                because = f"in a variation: {step.error.because}"
                column += step.error.column - 1
                self.findings.append(
                    Finding("remark", "cgn.syntax", before.ply, because, step.word, line=at, column=column)
                )
            elif type(step.verdict) is Refused:
                rule = step.verdict.clause
                because = f"in a variation, {step.text}: {step.verdict.because}"
                self.findings.append(
                    Finding(
                        "remark",
                        rule.key,
                        before.ply,
                        because,
                        step.text,
                        f"p{step.move.seat}",
                        at,
                        column,
                        rule.says,
                        rule.source,
                    )
                )
            elif step.word != step.text:
                because = f"in a variation: found {step.word}, expected {step.text}"
                self.findings.append(
                    Finding("remark", "cgn.mark", before.ply, because, step.text, line=at, column=column)
                )
            note = line.notes.get(step.ply - before.ply + 1)
            for nested in note.variations if note else ():
                self._variation(step, nested)


def legal_words(game: Game[Any, Any, Any], state: Any, calls: Calls, most: int | None = None) -> tuple[str, ...]:
    """Return the legal moves in canonical spelling, at most so many, in the order of the candidates.

    A move that only some readings of the hidden cards allow is not among them: see ``judged_words``.
    """
    found: list[str] = []
    for move in () if calls.ended else game.rules.candidates(state):
        if most is not None and len(found) == most:
            break
        if judge(game.rules, state, move) is LEGAL:
            found.append(game.script.format_move(move, state))
    return tuple(found)


def judged_words(game: Game[Any, Any, Any], state: Any, calls: Calls) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the legal moves, and those the hidden cards leave undecided; exact, in the order of the candidates."""
    legal: list[str] = []
    undecided: list[str] = []
    for move in () if calls.ended else game.rules.candidates(state):
        verdict = judge(game.rules, state, move, exactly=True)
        if type(verdict) is not Refused:
            (legal if verdict is LEGAL else undecided).append(game.script.format_move(move, state))
    return tuple(legal), tuple(undecided)
