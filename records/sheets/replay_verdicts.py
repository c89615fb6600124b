"""What the rules say of each position of a replay, as the panel beside the board shows it."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from cartulary.engine import Clause, Refused, Undecided
from cartulary.engine.play import as_displayed
from cartulary.notation import AnyGame, Finding
from cartulary.notation.arbiter.finding import legal_text
from cartulary.notation.arbiter.gaps import MissedPly, Several, UnknownState, WordAfterGap
from cartulary.notation.arbiter.replay import Step, deal_over, own_move
from cartulary.notation.arbiter.story import later_plies as plies_since
from cartulary.notation.seat_names import name_seats
from cartulary.records.sheets.replay_frames import Frame, ReplaySource
from cartulary.records.state.seen_game import SIGNS

MOST_LATER_PLIES = 3
"""The greatest number of later plies shown that answered part of a question."""


class Statement(Struct, frozen=True):
    """One thing that the rules say of a ply.

    Attributes:
        kind: ``irregular``, ``undecided``, ``remark`` or ``legal``.
        key: The key of the clause.
        because: Why.
        rule: The clause in words.
        source: Its source.
        later_label: What the later plies are called: ``Since`` or ``Proved by``.
        later_plies: Pairs of a later ply and what it adds.
        legal: The moves that would have been legal.
    """

    kind: str
    key: str
    because: str
    rule: str = ""
    source: str = ""
    later_label: str = "Since"
    later_plies: tuple[tuple[int, str], ...] = ()
    legal: str = ""


class PlyVerdict(Struct, frozen=True):
    """What the rules say of one ply.

    Attributes:
        word: ``legal``, ``irregular``, ``undecided``, ``let stand``, ``unread`` or ``unjudged``; empty at the
            start, and if verdicts are withheld from the viewer.
        statements: The details.
        rules: The numbers of the rules that apply to it, from 0: their places in ``Verdicts.rules``.
        over: How the points come about of the deal that it ended; empty if it ended none.
    """

    word: str = ""
    statements: tuple[Statement, ...] = ()
    rules: tuple[int, ...] = ()
    over: str = ""

    @property
    def sign(self) -> str:
        """The mark after the word in a list of moves, such as `` ✗``; empty for a legal ply and where no verdict is
        shown.
        """
        return SIGNS.get(self.word, "")


class Verdicts(Struct, frozen=True):
    """The verdicts of a replay.

    Attributes:
        by_frame: One verdict for each frame.
        rules: The clauses that they name by number.
        last_ply: The last ply of the main line that could be read.
    """

    by_frame: tuple[PlyVerdict, ...]
    rules: tuple[Clause[Any, Any], ...]
    last_ply: int


def verdicts(of: ReplaySource, game: AnyGame, frames: Sequence[Frame]) -> Verdicts:
    """Return a verdict for each frame, in their order; all are empty if verdicts are withheld from the viewer.

    Args:
        of: The game.
        game: The rules that can read all frames, as ``game_of`` returns them.
        frames: The positions of the replay.
    """
    main = [frame.step for frame in frames if frame.line == 0 and frame.step is not None]
    if of.quiet:
        return Verdicts((PlyVerdict(),) * len(frames), (), len(main))
    maker = _VerdictMaker(of, game, main)
    return Verdicts(tuple(map(maker.verdict, frames)), tuple(maker.rules), len(main))


class _VerdictMaker:
    """Makes the verdicts of one game; ``rules`` numbers the clauses that were named so far."""

    def __init__(self, of: ReplaySource, game: AnyGame, main: Sequence[Step]) -> None:
        self.of, self.game, self.variant, self.main = of, game, of.examination.heading.variant, main
        self.rules: dict[Clause[Any, Any], int] = {}
        self.findings_by_ply: dict[int, list[Finding]] = {}
        for finding in of.examination.report.findings:
            for ply in finding.plies or (finding.ply,):
                self.findings_by_ply.setdefault(min(ply, len(main)), []).append(finding)

    def verdict(self, frame: Frame) -> PlyVerdict:
        """Return the verdict of a frame: the findings on its ply, or of a variation what is wrong with its ply.

        At the start it has no word, but the findings on the sheet as a whole.
        """
        step = frame.step
        findings = self.findings_by_ply.get(frame.ply, []) if frame.line == 0 else []
        names = self.of.names_before(frame.ply)
        statements = [_statement_of(finding, names) for finding in findings]
        if step is None:
            return PlyVerdict("", tuple(statements))
        if frame.line:
            statements = list(self._in_variation(step, names))
        worst = {statement.kind for statement in statements}
        word = next((kind for kind in ("irregular", "undecided") if kind in worst), "")
        if not word and step.error is not None:
            word = "unread"
        if not word:
            word = (
                "let stand" if isinstance(step.verdict, Refused) else type(as_displayed(step.verdict)).__name__.lower()
            )
            if word == "undecided":
                word = "legal"
                statements += self._closed_questions(step, names)
        over = name_seats(deal_over(self.game, step), names)
        return PlyVerdict(word, tuple(statements), tuple(self._rules_for(step)), over)

    def _rules_for(self, step: Step) -> Iterator[int]:
        """Yield the numbers of the rules that apply to a ply, from 0; a rule that has none yet gets the next.

        Nothing is yielded for a call, or where the position or the ply is not known.
        """
        move = own_move(step.move)
        if (
            move is None
            or isinstance(move, (MissedPly, WordAfterGap))
            or isinstance(step.state, (UnknownState, Several))
        ):
            return
        for clause in self.game.rules.clauses_for(step.state, move):
            yield self.rules.setdefault(clause.in_variant(self.variant), len(self.rules))

    def _in_variation(self, step: Step, names: Sequence[str]) -> Iterator[Statement]:
        """Yield what is wrong with a ply of a variation: that it cannot be read, or that a rule refuses it; nothing if
        it is legal.
        """
        if step.error is not None:
            yield Statement("irregular", step.error.key, step.error.because)
        elif isinstance(step.verdict, Refused):
            rule = step.verdict.clause.in_variant(self.variant)
            yield Statement("irregular", rule.key, name_seats(step.verdict.because, names), rule.says, rule.source)

    def _closed_questions(self, step: Step, names: Sequence[str]) -> Iterator[Statement]:
        """Yield the questions that were open when a ply was played, but that no finding names any more, as legal
        statements.

        Each has the last plies since then that answered part of it.
        """
        if not isinstance(step.verdict, Undecided):
            return
        for question in step.verdict.opens:
            if not question.asks:
                continue
            rule = question.clause.in_variant(self.variant)
            later = plies_since(self.game, self.main, step.ply, question.needs)
            answers = tuple(
                (step_since.ply, f", {step_since.word}: {name_seats(step_since.says, names)}")
                for step_since in later[-MOST_LATER_PLIES:]
            )
            because = "open when it was played; no card seen since shows a broken rule"
            yield Statement("legal", rule.key, because, rule.says, rule.source, "Since", answers)


def _statement_of(finding: Finding, names: Sequence[str]) -> Statement:
    """Return a finding as a statement; ``names`` are the players, seat by seat, and replace the seats in its reason."""
    kind = {"error": "irregular"}.get(finding.severity, finding.severity)
    proofs = ((finding.decided_by, ""),) if finding.decided_by else ()
    later = "Since" if finding.plies else "Proved by"
    because = name_seats(finding.because, names)
    return Statement(kind, finding.key, because, finding.rule, finding.source, later, proofs, legal_text(finding))
