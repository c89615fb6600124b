"""Laws of golden games: parsed, replayed, judged, and written again byte for byte.

What is expected is in games/expected.toml, counted by hand or by a program that shares nothing with the rules.
"""

from collections import Counter

from cartulary.engine import Refused, judge
from cartulary.notation import canonical, dumps, examine, replay
from cartulary.notation.arbiter.replay import CALLS
from cartulary.testing.game import HeldGame, golden_record, only_for
from cartulary.testing.tables import GoldenRow

FindingKey = tuple[str, int, int, str]
"""The key of a finding, its ply and the one that proved it, and what it says."""


def finding_keys(case: HeldGame, golden: GoldenRow, words: tuple[str, ...]) -> set[FindingKey]:
    """Return what is found in words that are written under the tags of a golden game, as tuples that can be compared.

    A tuple is the key of the rule, the ply, the ply that decided it (0 for none), and the reason.
    """
    tags = {name: value for name, value in golden_record(type(case), golden).tags if name != "Game"}
    report = examine(case.read(tags, " ".join(words))).report
    return {(each.key, each.ply, each.decided_by or 0, each.because) for each in report.findings}


def shifted_ply(ply: int, at: int) -> int:
    """Return the number of a ply once a word was put in after the ply ``at``: one more for those after it."""
    return ply + (ply > at)


class GoldenLaws(HeldGame):
    """What is known of each golden game."""

    def test_a_golden_game_is_judged_as_expected(self, golden: GoldenRow) -> None:
        """Check the game, plies, result, verdict and findings of a report, and which ply decided a finding."""
        report = examine(golden_record(type(self), golden)).report
        expected = (self.key, golden.plies, golden.result, golden.verdict)
        assert (report.game, report.plies, report.result, report.verdict) == expected
        assert tuple((each.ply, each.severity, each.key) for each in report.findings) == golden.findings
        decided = {str(each.ply): each.decided_by for each in report.findings if each.decided_by}
        assert decided == golden.decided_by

    def test_a_golden_game_ends_in_the_expected_position(self, golden: GoldenRow) -> None:
        """Check the number of plies, the last picture and the scores of a golden game, as far as its row has them."""
        game, record = self.game(), golden_record(type(self), golden)
        assert len(list(replay(record))) == golden.plies
        state = examine(record).state
        assert golden.end or golden.score, "say how it ends"
        assert not golden.end or self.end_picture(state) == golden.end
        points = game.points.write(game.turns.settle(state))
        assert points.get("Score", "") == golden.score
        assert {name: points.get(name) for name in golden.points} == golden.points

    def test_as_many_plies_stood_under_a_compelling_rule_as_expected(self, golden: GoldenRow) -> None:
        """Check in how many positions of a golden game each rule of ``standing`` refuses a candidate."""
        game, standing = self.game(), Counter[str]()
        for state, *_ in replay(golden_record(type(self), golden)):
            verdicts = [judge(game, state, move) for move in game.rules.candidates(state)]
            refused = {verdict.clause.key for verdict in verdicts if isinstance(verdict, Refused)}
            standing.update(refused & set(golden.standing))
        assert {rule: standing[rule] for rule in golden.standing} == golden.standing

    @only_for(lambda game: "Draw" in game.turns.calls)
    def test_an_offer_of_a_draw_is_a_ply_of_what_is_told_later(self, golden: GoldenRow) -> None:
        """A finding keeps its word when an offer stands before it; what the offer itself comes to is not asked."""
        words = golden_record(type(self), golden).line.words
        if not CALLS.keys().isdisjoint(words):
            return
        without_offer = finding_keys(self, golden, words)
        places = {len(words) // 2, *(int(ply) for ply in golden.decided_by), *golden.decided_by.values()}
        for at in places:
            late = finding_keys(self, golden, (*words[:at], "p1/Draw", *words[at:]))
            shifted = {
                (key, shifted_ply(ply, at), shifted_ply(decided, at), because)
                for key, ply, decided, because in without_offer
            }
            assert {finding for finding in late if finding[1] != at + 1} == shifted, f"p1/Draw as ply {at + 1}"

    def test_a_golden_game_is_canonical_text_byte_for_byte(self, golden: GoldenRow) -> None:
        """Check that the file of a golden game is its canonical text, and is written again as it was read."""
        record = golden_record(type(self), golden)
        written = (self.folder() / "games" / golden.file).read_bytes()
        assert dumps(canonical(record)).encode() == written
        assert dumps(record).encode() == written

    def test_a_ruling_is_accepted_where_the_reader_asks_for_it(self, golden: GoldenRow) -> None:
        """Check that ``accept_rulings`` makes a ply marked ``[%irregular]`` no error; other errors stay."""
        record = golden_record(type(self), golden)
        report = examine(record, accept_rulings=True).report
        marked = {
            ply for ply, note in record.line.notes.items() if any("[%irregular" in comment for comment in note.comments)
        }
        errors = {each.ply for each in report.findings if each.severity == "error"}
        assert errors == {ply for ply, severity, _ in golden.findings if severity == "error"} - marked
