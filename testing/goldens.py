"""Laws of golden games: parsed, replayed, judged, and written again byte for byte.

What is expected stands in games/expected.toml, counted by hand or by a program that shares nothing with the rules.
"""

from collections import Counter

from cartulary.engine import Refused, judge
from cartulary.notation import canonical, dumps, examine, replay
from cartulary.testing.game import HeldGame, golden_record
from cartulary.testing.tables import GoldenRow


class GoldenLaws(HeldGame):
    """What is known of each golden game."""

    def test_a_golden_game_is_judged_as_expected(self, golden: GoldenRow) -> None:
        report = examine(golden_record(type(self), golden)).report
        expected = (self.key, golden.plies, golden.result, golden.verdict)
        assert (report.game, report.plies, report.result, report.verdict) == expected
        assert tuple((found.ply, found.severity, found.key) for found in report.findings) == golden.findings
        decided = {str(found.ply): found.decided_by for found in report.findings if found.decided_by}
        assert decided == golden.decided_by

    def test_a_golden_game_ends_in_the_expected_position(self, golden: GoldenRow) -> None:
        game, record = self.game(), golden_record(type(self), golden)
        assert len(list(replay(record))) == golden.plies
        state = examine(record).state
        assert golden.end or golden.score, "say how it ends"
        assert not golden.end or self.drawn(state) == golden.end
        points = game.points.write(game.turns.settle(state))
        assert points.get("Score", "") == golden.score
        assert {name: points.get(name) for name in golden.points} == golden.points

    def test_as_many_plies_stood_under_a_compelling_rule_as_expected(self, golden: GoldenRow) -> None:
        standing: Counter[str] = Counter()
        for state, *_ in replay(golden_record(type(self), golden)):
            verdicts = [judge(self.game(), state, move) for move in self.game().rules.candidates(state)]
            refused = {verdict.clause.key for verdict in verdicts if isinstance(verdict, Refused)}
            standing.update(refused & set(golden.standing))
        assert {rule: standing[rule] for rule in golden.standing} == golden.standing

    def test_a_golden_game_is_canonical_text_byte_for_byte(self, golden: GoldenRow) -> None:
        record = golden_record(type(self), golden)
        written = (self.folder() / "games" / golden.file).read_bytes()
        assert dumps(canonical(record)).encode() == written
        assert dumps(record).encode() == written

    def test_a_ruling_is_accepted_where_the_reader_asks_for_it(self, golden: GoldenRow) -> None:
        record = golden_record(type(self), golden)
        report = examine(record, accept_rulings=True).report
        marked = {
            ply for ply, note in record.line.notes.items() if any("[%irregular" in comment for comment in note.comments)
        }
        errors = {found.ply for found in report.findings if found.severity == "error"}
        assert errors == {ply for ply, severity, _ in golden.findings if severity == "error"} - marked
