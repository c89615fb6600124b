"""What the rules say of every position of a replay, as the panel beside the board shows it."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from cartulary.engine import Clause, Refused, Undecided
from cartulary.engine.play import as_displayed
from cartulary.notation import AnyGame, Finding
from cartulary.notation.arbiter.finding import legal_text
from cartulary.notation.arbiter.gaps import MissedPly, Several, UnknownState, WordAfterGap
from cartulary.notation.arbiter.replay import Step, own_move
from cartulary.notation.arbiter.story import later_plies
from cartulary.records.sheets.replay_frames import Frame, Replayed
from cartulary.records.state.seen_game import SIGNS

MOST_TOLD = 3
"""Up to how many plies that told more of a question are shown."""


class Statement(Struct, frozen=True):
    """One thing the rules say. kind: irregular, undecided, remark or legal; key: of the clause

    rule: in its own words, with its source; then: later plies with what they told; later: what they are called
    """

    kind: str
    key: str
    because: str
    rule: str = ""
    source: str = ""
    later: str = "Since"
    then: tuple[tuple[int, str], ...] = ()
    legal: str = ""


class PlyVerdict(Struct, frozen=True):
    """What the rules say of one ply. word: legal, irregular, undecided, let stand, unread or unjudged

    rules: those it was held to, by their numbers
    """

    word: str = ""
    found: tuple[Statement, ...] = ()
    rules: tuple[int, ...] = ()

    @property
    def sign(self) -> str:
        """What stands behind the word in a list of moves."""
        return SIGNS.get(self.word, "")


class Verdicts(Struct, frozen=True):
    """Those of all frames, and the clauses they name. reached: the last ply of the main line that was read."""

    told: tuple[PlyVerdict, ...]
    rules: tuple[Clause[Any, Any], ...]
    reached: int


def verdicts(of: Replayed, game: AnyGame, frames: Sequence[Frame]) -> Verdicts:
    """Return one verdict for each frame, all blank and without rules if the viewer is not told what the rules say."""
    main = [frame.step for frame in frames if frame.line == 0 and frame.step is not None]
    if of.quiet:
        return Verdicts((PlyVerdict(),) * len(frames), (), len(main))
    judging = _Judging(of, game, main)
    return Verdicts(tuple(map(judging.verdict, frames)), tuple(judging.rules), len(main))


class _Judging:
    """A game whose frames are told of. rules: those named so far, with their numbers"""

    def __init__(self, of: Replayed, game: AnyGame, main: Sequence[Step]) -> None:
        self.game, self.variant, self.main = game, of.examined.heading.variant, main
        self.rules: dict[Clause[Any, Any], int] = {}
        self.found: dict[int, list[Finding]] = {}
        for finding in of.examined.report.findings:
            for ply in finding.plies or (finding.ply,):
                self.found.setdefault(min(ply, len(main)), []).append(finding)

    def verdict(self, frame: Frame) -> PlyVerdict:
        """Return what is said of a frame."""
        step = frame.step
        findings = self.found.get(frame.ply, []) if frame.line == 0 else []
        statements = [_of_finding(finding) for finding in findings]
        if step is None:
            return PlyVerdict("", tuple(statements))
        if frame.line:
            statements = list(self._in_variation(step))
        worst = {one.kind for one in statements}
        word = next((kind for kind in ("irregular", "undecided") if kind in worst), "")
        if not word and step.error is not None:
            word = "unread"
        if not word:
            word = (
                "let stand" if isinstance(step.verdict, Refused) else type(as_displayed(step.verdict)).__name__.lower()
            )
            if word == "undecided":
                word = "legal"
                statements += self._answered(step)
        return PlyVerdict(word, tuple(statements), tuple(self._asked(step)))

    def _asked(self, step: Step) -> Iterator[int]:
        """Yield the numbers of the rules a ply was held to."""
        move = own_move(step.move)
        if (
            move is None
            or isinstance(move, (MissedPly, WordAfterGap))
            or isinstance(step.state, (UnknownState, Several))
        ):
            return
        for clause in self.game.rules.clauses_for(step.state, move):
            yield self.rules.setdefault(clause.in_variant(self.variant), len(self.rules))

    def _in_variation(self, step: Step) -> Iterator[Statement]:
        if step.error is not None:
            yield Statement("irregular", step.error.key, step.error.because)
        elif isinstance(step.verdict, Refused):
            rule = step.verdict.clause.in_variant(self.variant)
            yield Statement("irregular", rule.key, step.verdict.because, rule.says, rule.source)

    def _answered(self, step: Step) -> Iterator[Statement]:
        """Yield what was open when a ply was played and is no more."""
        if not isinstance(step.verdict, Undecided):
            return
        for asked in step.verdict.opens:
            if not asked.asks:
                continue
            rule = asked.clause.in_variant(self.variant)
            later = later_plies(self.game, self.main, step.ply, asked.needs)
            then = tuple((one.ply, f", {one.word}: {one.says}") for one in later[-MOST_TOLD:])
            because = "open when it was played; no card seen since shows a broken rule"
            yield Statement("legal", rule.key, because, rule.says, rule.source, "Since", then)


def _of_finding(finding: Finding) -> Statement:
    kind = {"error": "irregular"}.get(finding.severity, finding.severity)
    then = ((finding.decided_by, ""),) if finding.decided_by else ()
    later = "Since" if finding.plies else "Proved by"
    return Statement(kind, finding.key, finding.because, finding.rule, finding.source, later, then, legal_text(finding))
