"""The findings of a main line and its variations, gathered ply by ply."""

from typing import Any

from cartulary.engine import FACE_UP, LEGAL, Breach, Calls, Open, Refused, Unclear, Undecided, judge
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.play import shown
from cartulary.notation.arbiter.finding import Finding, clause_of, unread
from cartulary.notation.arbiter.replay import MOVES_SHOWN, Step, own_move, plies, steps, whole, write_word
from cartulary.notation.arbiter.rulings import standing_by, stands_by
from cartulary.notation.cgn.record import AnyMove, Line, NotationError, Record
from cartulary.notation.contract import AnyGame


class Walk:
    """The findings of a main line and its variations, gathered ply by ply."""

    def __init__(self, record: Record, game: AnyGame, variant: str, seats: int, accept_rulings: bool) -> None:
        self.record = record
        self.game = game
        self.variant = variant
        self.seats = seats
        self.accept_rulings = accept_rulings
        self.findings: list[Finding] = []
        self.questions: dict[tuple[int, str], tuple[str, Open]] = {}
        self.spoke: list[int] = []
        self.refused: dict[int, tuple[Finding, frozenset[str]]] = {}
        self.proved: dict[tuple[int, ...], Finding] = {}
        self.shift = 0

    def through(self, state: Any) -> tuple[Any, Calls, tuple[str, ...]]:
        """Walk the main line; return state and calls after it, and its words in canonical spelling."""
        line, number, calls = self.record.line, self.game.turns.number, NO_CALLS
        words, numbers, notes, spoke = line.words, line.numbers, line.notes, self.spoke.append
        spelled = list(words)
        for at, step in enumerate(plies(self.game, state, words, self.seats)):
            move = step.move
            if type(step) is Step:
                calls, spelled[at] = step.calls_after, step.text
                spoke(move.seat if move is not None else 0)
                if not step.plain:
                    self._odd(step)
                move = own_move(move)
            else:
                spoke(move.seat)
            if at in numbers:
                counted = number(state, move)
                if counted is None or numbers[at][0] - counted[0] != self.shift:
                    self._number(whole(step, at + 1, words[at], state), numbers[at][0], counted)
            if notes and at + 1 in notes:
                for variation in notes[at + 1].variations:
                    self._variation(whole(step, at + 1, words[at], state), variation)
            state = step.after
        self._close(state)
        return state, calls, tuple(spelled)

    def _doubt(self, ply: int, word: str, opens: tuple[Open, ...]) -> None:
        """Keep what a ply depends on, for the end of the record."""
        for question in opens:
            self.questions[ply, question.clause.key] = word, question

    def _close(self, state: Any) -> None:
        """Keep the questions that are open to the end, and what was proved of the others, in their last words."""
        pending = self.game.hidden.pending(state)
        for breach in pending.proved:
            self._prove(breach)
        self.findings += (found for found, _ in self.refused.values())
        self.findings += self.proved.values()
        still = (asked for asked in pending.open if asked in self.questions)
        self.findings += [self._asked(state, asked[0], *self.questions[asked]) for asked in still]

    def _asked(self, state: Any, ply: int, word: str, question: Open) -> Finding:
        """Return an open question with what is known of its cards in the end."""
        rule, (line, column) = question.clause.in_variant(self.variant), self.record.place(ply)
        told = (self.game.hidden.tell_need(state, need) for need in question.needs)
        because = "; ".join(dict.fromkeys(sentence for sentence in told if sentence)) or "its cards were never seen"
        return Finding("undecided", rule.key, ply, because, word, self._seat(ply), line, column, rule.says, rule.source)

    def _seat(self, ply: int) -> str:
        return f"p{self.spoke[ply - 1]}" if ply else ""

    def _prove(self, breach: Breach) -> None:
        """Keep what was proved, in place of a refusal that had left just this open."""
        _, left = self.refused.get(breach.plies[0], (None, frozenset()))
        if breach.key in left:
            del self.refused[breach.plies[0]]
        self.proved[breach.plies] = self._breach(breach)

    def _number(self, step: Step, written: int, counted: tuple[int, bool] | None) -> None:
        """Remark a number that is off by something else than those before it."""
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
        if step.error is not None:
            self.findings.append(self._unread(step, step.error))
        elif type(step.verdict) is Refused:
            self._refused(step, step.verdict)
        elif type(step.verdict) is Undecided:
            self._doubt(step.ply, step.text, step.verdict.opens)

    def _unread(self, step: Step, error: NotationError) -> Finding:
        line, column = self.record.place(step.ply)
        fits = step.verdict.moves if type(step.verdict) is Unclear else ()
        return Finding(
            "error",
            error.key,
            step.ply,
            error.because + self._behind(step),
            step.word,
            line=line,
            column=column + error.column - 1,
            legal=tuple(write_word(self.game, move, step.state) for move in fits[:MOVES_SHOWN]),
            more=len(fits) > MOVES_SHOWN,
        )

    def _behind(self, step: Step) -> str:
        return unread(self.record.line.words[step.ply :])

    def _refused(self, step: Step, refused: Refused) -> None:
        line, column = self.record.place(step.ply)
        rule = refused.clause.in_variant(self.variant)
        legal = legal_words(self.game, step.state, step.calls, MOVES_SHOWN + 1)
        found = Finding(
            "remark" if self.accept_rulings and self._marked(step.ply) else "error",
            rule.key,
            step.ply,
            refused.because + (self._ruled(step.ply) if step.applied else self._behind(step)),
            step.text,
            f"p{step.move.seat}",
            line,
            column,
            rule.says,
            rule.source,
            legal[:MOVES_SHOWN],
            more=len(legal) > MOVES_SHOWN,
        )
        self.refused[step.ply] = found, frozenset(asked.clause.key for asked in refused.opens)

    def _ruled(self, ply: int) -> str:
        """Return the end of a sentence that says by whose ruling a ply stands; empty where it rests on none."""
        arbiter = standing_by(self.record.line.notes.get(ply), ply)
        return "" if arbiter is None else stands_by(arbiter)

    def _marked(self, ply: int) -> bool:
        """Say whether the record marks a ply as irregular."""
        note = self.record.line.notes.get(ply)
        return note is not None and any("[%irregular" in comment for comment in note.comments)

    def _breach(self, breach: Breach) -> Finding:
        rule, ply = clause_of(self.game, breach.key, self.variant), breach.plies[0]
        line, column = self.record.place(ply) if ply else self.record.place_of_tag("Game")
        several = breach.plies if len(breach.plies) > 1 else ()
        return Finding(
            "undecided" if several else "remark" if self.accept_rulings and self._marked(ply) else "error",
            breach.key,
            ply,
            breach.because + ("" if several else self._ruled(ply)),
            self.record.line.words[ply - 1] if ply else "",
            self._seat(ply),
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
                rule = step.verdict.clause.in_variant(self.variant)
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


def legal_words(game: AnyGame, state: Any, calls: Calls, most: int | None = None) -> tuple[str, ...]:
    """Return the legal moves in canonical spelling, at most so many, in the order of the candidates.

    A move that only some readings of the hidden cards allow is not among them: see ``judged_words``.
    """
    found: list[str] = []
    for move in () if calls.ended else game.rules.candidates(state):
        if most is not None and len(found) == most:
            break
        if shown(judge(game, state, move)) is LEGAL:
            found.append(write_word(game, move, state))
    return tuple(found)


def judged_words(game: AnyGame, state: Any, calls: Calls) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the legal moves, and those the hidden cards leave undecided; exact, in the order of the candidates."""
    legal: list[str] = []
    undecided: list[str] = []
    open_to_all = game.hidden is FACE_UP
    for move in () if calls.ended else game.rules.candidates(state):
        verdict = judge(game, state, move) if open_to_all else game.rules.play(state, move, True).verdict
        verdict = shown(verdict)
        if type(verdict) is not Refused:
            (legal if verdict is LEGAL else undecided).append(write_word(game, move, state))
    return tuple(legal), tuple(undecided)
