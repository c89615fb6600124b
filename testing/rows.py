"""Laws of the evidence: every clause has its rows, and every row is judged, reported and counted as it says."""

from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from cartulary.engine import Call, Option, Outcome, Refused, Undecided, Verdict, legal_moves, perft, play
from cartulary.engine.calls import CALL_CLAUSES, judge_call
from cartulary.engine.contract import IMPOSSIBLE, no_check
from cartulary.engine.parts import Rules, no_clauses
from cartulary.notation import AnyGame, Finding, Report, Step, examine, read_heading
from cartulary.notation.arbiter.gaps import MissedPly, WordAfterGap
from cartulary.notation.arbiter.replay import step_of
from cartulary.testing import tables
from cartulary.testing.game import HeldGame, count_rows, only_for, rule_rows
from cartulary.testing.tables import CountRow, EndingRow, FindingRow, MoveRow, SetupRow

MOST_COUNTED = 1_000_000
"""How many sequences of moves a row of perft.toml may count: more would take a minute and longer."""


def open_keys(verdict: Verdict) -> tuple[str, ...]:
    """Return the keys of the rules that a verdict leaves open; empty unless it is Undecided.

    Questions that are only shown once they are answered are left out.
    """
    opens = verdict.opens if isinstance(verdict, Undecided) else ()
    return tuple(question.clause.key for question in opens if question.asks)


def row_of(finding: Finding, row: FindingRow) -> FindingRow:
    """Return a finding as a row that says as much as another row.

    Of severity, seat and the ply that decided it, those that ``row`` leaves open are left out, so that the two can be
    compared.
    """
    severity = finding.severity if row.severity else ""
    decided_by = finding.decided_by if row.decided_by is not None else None
    return FindingRow(finding.ply, finding.key, severity, decided_by, finding.seat if row.seat else "")


def check_verdict(step: Step, row: MoveRow) -> None:
    """Assert that a step has the verdict, the reason, the effect and the spelling that its row says.

    A row without a broken rule wants a word that is not refused. The word must ask the open rule of the row; if the row
    names none either, it must ask nothing.
    """
    assert (step.word, step.error) == (row.move, None)
    assert not (row.broken_rule and row.open_rule), "a row says one verdict"
    if not row.broken_rule:
        assert not isinstance(step.verdict, Refused), f"{row.move} is refused: {step.verdict}"
        assert row.open_rule in (open_keys(step.verdict) or ("",)), f"asked is {open_keys(step.verdict)}"
    else:
        assert isinstance(step.verdict, Refused), f"{row.move} is judged legal"
        assert step.verdict.clause.key == row.broken_rule, step.verdict
        because = step.verdict.because
        assert [words for words in row.because if words not in because] == [], because
    if row.blocks is not None:
        assert step.applied is not row.blocks
    if row.canonical:
        assert step.text == row.canonical


def check_spelling(game: AnyGame, step: Step, seats: int) -> None:
    """Assert that the canonical spelling of a word can be read and gets the same verdict and effect as the word itself.

    Args:
        game: The game.
        step: The word with the state before it.
        seats: The number of seats.
    """
    if step.text != step.word:
        again = step_of(game, step.state, step.text, seats, step.calls, step.ply)
        assert again.error is None, f"{step.word} is spelled {again.word}: {again.error}"
        assert (again.text, again.applied) == (step.text, step.applied), step.word
        judged = [verdict_key(each.verdict) for each in (step, again)]
        assert judged[0] == judged[1], f"{step.word} is judged {judged[0]}, and spelled {step.text} {judged[1]}"


def verdict_key(verdict: Verdict) -> tuple[str, tuple[str, ...]]:
    """Return the name of a verdict's class, and the keys of the rules that it breaks or leaves open.

    A refused word gives ``("Refused", ("turn",))``, a legal one ``("Legal", ())``.
    """
    refuses = (verdict.clause.key,) if isinstance(verdict, Refused) else open_keys(verdict)
    return type(verdict).__name__, refuses


def check_report(report: Report, row: MoveRow) -> None:
    """Assert that a record has the findings and the result of its row, where the row names them.

    Remarks on the result are not compared. No finding on a ply may lack its seat.
    """
    assert [finding for finding in report.findings if finding.ply and not finding.seat] == []
    if row.findings is not None:
        findings = [each for each in report.findings if (each.key, each.severity) != ("record.result", "remark")]
        assert len(findings) == len(row.findings), findings
        pairs = zip(findings, row.findings, strict=True)
        assert tuple(row_of(finding, expected) for finding, expected in pairs) == row.findings
    if row.outcome:
        assert report.result == row.outcome


def check_clauses(rules: Rules[Any, Any, Any, Any], step: Step) -> None:
    """Assert that some clause of the game, asked directly, refuses a move exactly if its verdict does.

    So a clause that ``clauses_for`` leaves out would not have refused it. Nothing is asserted of games whose clauses
    ask nothing by themselves, and of words that are no moves.
    """
    if isinstance(step.move, Call | WordAfterGap | MissedPly) or step.calls.outcome:
        return
    clauses = rules.clauses
    no_move = rules.clauses_for is not no_clauses and not rules.clauses_for(step.state, step.move)
    if no_move or all(clause.check is no_check for clause in clauses):
        return
    answers = (clause.check(step.state, step.move) for clause in clauses)
    refused = next((answer for answer in answers if isinstance(answer, Refused)), None)
    assert (refused is None) == (not isinstance(step.verdict, Refused)), refused


TABLES: dict[str, Callable[[Path], object]] = {
    "rules.toml": tables.rules,
    "perft.toml": tables.counts,
    "games/expected.toml": tables.goldens,
}
"""What reads each table of the samples."""


def unread(samples: Path, name: str, read: Callable[[Path], object]) -> str:
    """Return what must be done before a table can be read, as a sentence; empty if it can be read.

    Args:
        samples: The folder of the samples.
        name: The file.
        read: The function that reads it.
    """
    try:
        read(samples)
    except FileNotFoundError:
        return f"write {samples / name}"
    except (OSError, ValueError) as fault:
        return f"{samples / name} cannot be read: {fault}"
    return ""


class EvidenceLaws(HeldGame):
    """What the samples must hold."""

    def test_the_game_brings_its_samples(self) -> None:
        """Check that the tables of the samples can be read, and that golden games and their files match.

        Counts of legal moves are needed only if the candidates are complete at the start.
        """
        state, _ = self.first_state({})
        samples, counts = self.folder(), self.game().rules.complete(state)
        for name, read in TABLES.items():
            if name != "perft.toml" or counts or (samples / name).exists():
                assert (why := unread(samples, name, read)) == "", why
        files = {path.name for path in (samples / "games").glob("*.cgn")}
        named = {row.file for row in tables.goldens(samples).game}
        assert named <= files, f"write {', '.join(sorted(named - files))} in {samples / 'games'}"
        assert files <= named, f"name {', '.join(sorted(files - named))} in games/expected.toml"
        assert files, f"write a golden game in {samples / 'games'}"
        assert count_rows(type(self)) or not counts, f"write a count in {samples / 'perft.toml'}"

    def test_every_clause_is_refused_by_three_rows(self) -> None:
        """Check that at least three rows of ``rules.toml`` break each clause of the game, or end a game by it."""
        table = rule_rows(type(self))
        refused: Counter[str] = Counter(row.broken_rule for row in table.move)
        refused.update(row.broken_rule for row in table.setup)
        refused.update(row.key for row in table.ending)
        few = {clause.key: refused[clause.key] for clause in self.game().rules.clauses if refused[clause.key] < 3}
        assert few == {}, f"write rows for these in {self.folder() / 'rules.toml'}, three each"

    def test_every_clause_says_its_rule_in_one_sentence_with_a_source(self) -> None:
        """Check the clauses: keys of the game, each once, a rule that ends in a full stop, and a source."""
        clauses = self.game().rules.clauses
        assert len({clause.key for clause in clauses}) == len(clauses)
        assert self.game().rules.over(Outcome((1,), clauses[0].key, "")) in (None, *clauses)
        for clause in clauses:
            assert clause.key.startswith(f"{self.key}.") or clause.key == IMPOSSIBLE.key, clause.key
            assert clause.says.endswith("."), clause.says
            assert clause.source

    def test_no_two_rows_argue_the_same(self) -> None:
        """Check that no two rows have the same ``why``."""
        table = rule_rows(type(self))
        argued = Counter(row.why for rows in (table.move, table.setup, table.ending) for row in rows)
        assert [why for why, times in argued.items() if times > 1] == []


class RowLaws(HeldGame):
    """What the rules, the words and the report say of each row."""

    def test_a_move_is_as_its_row_says(self, moves: tuple[MoveRow, ...]) -> None:
        """Hold the rows of moves about one rule to ``_check_move``."""
        tables.check_each(moves, self._check_move)

    def _check_move(self, move: MoveRow) -> None:
        """Assert all that a row says of a move.

        These are its verdict, the same verdict under the canonical spelling of every word, the clauses asked, and the
        report.
        """
        done = self.walk(move.tags, move.after, move.irregular, move.move)
        step = done[-1]
        check_verdict(step, move)
        game, (_, seats) = self.game(), self.first_state(move.tags)
        for each in done:
            check_spelling(game, each, seats)
        check_clauses(self.game().rules, step)
        check_report(examine(self.read(move.tags, f"{move.after} {move.move}")).report, move)

    def test_tags_are_accepted_or_refused_as_their_row_says(self, setups: tuple[SetupRow, ...]) -> None:
        """Hold the rows of set-ups about one rule to ``_check_setup``."""
        tables.check_each(setups, self._check_setup)

    def _check_setup(self, setup: SetupRow) -> None:
        """Assert that the tags of a row set up a game with no error, or give just the one error that the row names."""
        findings = examine(self.read(setup.tags, "")).report.findings
        errors = [finding for finding in findings if finding.severity == "error"]
        assert [finding.key for finding in errors] == ([setup.broken_rule] if setup.broken_rule else [])
        assert [words for words in setup.because for error in errors if words not in error.because] == [], errors

    def test_a_game_ends_as_its_row_says(self, endings: tuple[EndingRow, ...]) -> None:
        """Hold the rows of endings about one rule to ``_check_ending``."""
        tables.check_each(endings, self._check_ending)

    def _check_ending(self, ending: EndingRow) -> None:
        """Assert that a game has ended with the outcome that its row says, or goes on if that is ``*``.

        After an end no move may be legal, and one that is tried is refused under the key of the end.
        """
        self.walk(ending.tags, ending.after, ending.irregular)
        game, examined = self.game(), examine(self.read(ending.tags, ending.after))
        assert examined.report.result == ending.outcome
        assert (examined.outcome is None) is (ending.outcome == "*")
        if ending.key:
            assert examined.outcome is not None
            assert examined.outcome.key == ending.key
        if examined.outcome is not None:
            assert list(legal_moves(game, examined.state, examined.calls)) == []
            over = game.rules.over(examined.outcome)
            for late in islice(game.rules.candidates(self.first_state(ending.tags)[0]), 1):
                verdict = play(game, examined.state, late, examined.calls).verdict
                assert isinstance(verdict, Refused)
                assert verdict.clause.key == (over.key if over else examined.outcome.key)

    def test_the_counts_are_those_somebody_else_found(self, counts: CountRow) -> None:
        """Check the number of sequences of legal moves at each depth against the row, one depth before the next.

        A row may count MOST_COUNTED sequences at most.
        """
        deepest = max(counts.counts, default=0)
        assert deepest <= MOST_COUNTED, f"{deepest:,} sequences take too long, expected {MOST_COUNTED:,} at most"
        done = self.walk(counts.tags, counts.after)
        state = done[-1].after if done else self.first_state(counts.tags)[0]
        for depth, expected in enumerate(counts.counts, 1):
            counted = perft(self.game(), state, depth)
            assert counted == expected, f"{counted} sequences of {depth} plies, expected {expected}"


class HeadingLaws(HeldGame):
    """What the tags of every game say, and what a call does in a game of several."""

    def test_no_option_is_given_twice(self, option: Option) -> None:
        """Check that a record may have an option once, and that its second mention is a fault of the tag Options."""
        word = f"{option.key}={option.values[0]}" if option.values else option.key
        tags = self.seat_tags_of(self.game().about.seats[0])
        assert read_heading(self.read(tags | {"Options": word}, "")).fault == ""
        heading = read_heading(self.read(tags | {"Options": f"{word} {word}"}, ""))
        because = f"found the option {option.key} twice, expected it once"
        assert (heading.fault, heading.because) == ("Options", because)

    @only_for(lambda game: 3 in game.about.seats and game.turns.call is judge_call)
    def test_who_gives_up_among_three_ends_the_game_for_all_and_the_rule_says_so(self) -> None:
        """Check that Resign and Timeout by p2 of three seats end the game, with one share for each of the others."""
        for word in ("Resign", "Timeout"):
            if word not in self.game().turns.calls:
                continue
            outcome = examine(self.read(self.seat_tags_of(3), f"p2/{word}")).outcome
            assert outcome is not None
            assert outcome.shares == (1, 0, 1)
            [rule] = [clause for clause in CALL_CLAUSES if clause.key == outcome.key]
            assert "ends the game for everybody" in rule.says
            assert rule.source == "house ruling"
