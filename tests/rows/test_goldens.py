"""The golden games of every game: parsed, replayed, judged, and written again byte for byte.

What is expected stands in games/expected.toml, counted by hand or by a program that shares nothing with the engine.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from cartulary.engine import Refused, judge
from cartulary.engine.cardmate import State
from cartulary.notation import GAMES, Line, canonical, dumps, examine, load, loads, replay
from cartulary.notation.cardmate import format_layout
from cartulary.notation.picture import plain
from tests.places import SAMPLES
from tests.rows import tables
from tests.rows.tables import GoldenRow


def cardmate_rows(state: State) -> tuple[str, ...]:
    """Return the ten ranks as the Setup tag writes them."""
    return tuple(format_layout(state.board, 1).split(" / "))


DRAWN: dict[str, Callable[[Any], tuple[str, ...]]] = {"cardmate": cardmate_rows}


def drawn(key: str, state: Any) -> tuple[str, ...]:
    """Return the position as expected.toml gives it: in the game's own rows if it has any, else as its picture."""
    if key in DRAWN:
        return DRAWN[key](state)
    return tuple(plain(GAMES[key].words.picture(state, None)).split("\n"))


def _listed(key: str) -> tuple[GoldenRow, ...]:
    try:
        return tables.goldens(key).game
    except OSError:
        return ()


GOLDENS = [pytest.param(key, row, id=f"{key}/{row.file}") for key in sorted(GAMES) for row in _listed(key)]


@pytest.mark.parametrize(("key", "row"), GOLDENS)
@pytest.mark.smoke
def test_a_golden_game_is_judged_as_expected(key: str, row: GoldenRow) -> None:
    records = list(load(tables.golden_path(key, row)))
    assert len(records) == 1
    report = examine(records[0]).report
    assert (report.game, report.plies, report.result, report.verdict) == (key, row.plies, row.result, row.verdict)
    assert tuple((found.ply, found.severity, found.key) for found in report.findings) == row.findings
    assert {str(found.ply): found.decided_by for found in report.findings if found.decided_by} == row.decided_by


@pytest.mark.parametrize(("key", "row"), GOLDENS)
def test_a_golden_game_ends_in_the_expected_position(key: str, row: GoldenRow) -> None:
    record = next(load(tables.golden_path(key, row)))
    assert len(list(replay(record))) == row.plies
    state = examine(record).state
    assert row.end or row.score, "say how it ends"
    assert not row.end or drawn(key, state) == row.end
    points = GAMES[key].points.write(GAMES[key].turns.settle(state))
    assert points.get("Score", "") == row.score
    assert not row.pot or points["Pot"] == row.pot


@pytest.mark.parametrize(("key", "row"), GOLDENS)
def test_as_many_plies_stood_under_a_compelling_rule_as_expected(key: str, row: GoldenRow) -> None:
    game = GAMES[key]
    standing: Counter[str] = Counter()
    for state, *_ in replay(next(load(tables.golden_path(key, row)))):
        verdicts = [judge(game, state, move) for move in game.rules.candidates(state)]
        standing.update(
            {verdict.clause.key for verdict in verdicts if isinstance(verdict, Refused)} & set(row.standing)
        )
    assert {rule: standing[rule] for rule in row.standing} == row.standing


@pytest.mark.parametrize(("key", "row"), GOLDENS)
def test_a_golden_game_is_canonical_text_byte_for_byte(key: str, row: GoldenRow) -> None:
    written = tables.golden_path(key, row).read_bytes()
    record = loads(written)[0]
    assert dumps(canonical(record)).encode() == written
    assert dumps(record).encode() == written


@pytest.mark.parametrize(("key", "row"), GOLDENS)
def test_a_ruling_is_accepted_where_the_reader_asks_for_it(key: str, row: GoldenRow) -> None:
    record = next(load(tables.golden_path(key, row)))
    report = examine(record, accept_rulings=True).report
    marked = {
        ply for ply, note in record.line.notes.items() if any("[%irregular" in comment for comment in note.comments)
    }
    errors = {found.ply for found in report.findings if found.severity == "error"}
    assert errors == {ply for ply, severity, _ in row.findings if severity == "error"} - marked


# --- what the page itself says ---


PAGE_ONE = """
1. 4Ci3 4Db6 2. 8Dj2 8Ca7 3. 8Dh3 8Cc6 4. 7Cb1 7Di8. 5. 3Cd3 3Di6 6. 8Hc2 4Dc5 7. JSf3 9Sa7 8. 9H:c5 9S:c5
9. 2Sa3 9S:a3 10. 1D:a3 8Sh7 11. 3Cd4 8C:d4 12. 8H:d4 8Sg5 13. JS:g5 3Hc6 14. JS:g7 6H:g7 15. 8H:c6 JH:c6
16. 1Da4 QSh8 17. 8Di5 QS:h2 18. 8D:j7?? 7Dh8! 19. 8D:h8 QS:f0+ 20. 8D:i6 QS:e0×. 0-1
"""
PAGE_TWO = """
1. 4Ci3 4Db6 2. 3Sg3 8Ca7 3. 8Dh2 8Cc6 4. 7Cb1 7Di8 5. 3Cc3 4Sf6 6. 8Hc2 4Dc5 7. 4He3. 7. ... 9Sa7 8. 8Df3 4Se5
9. 3Sf4 4S:f4 10. 4H:f4 7Hb8 11. 3Cd4 8C:d4 12. 8D:d4 4Dc6 13. 8D:c6 2C:c6 14. 6Sd2 3Hb6 15. JSe3 5Cf7 16. JDf3 1Sd6
17. 9Ce2 1Sd5 18. JS:d5 2C:d5 19. 9H:b6 JH:b6 20. QDg1 KSe8 21. 7Si1 2Ce4 22. XC:j7 2C:f3 23. 9C:f3 8S:j7.
24. 8Hd4 JH:d4 25. 6Se3 JH:f4 26. QH:d9 JH:g2 27. 5D:g2. 27. ... 9S:e3 28. QD:e3 XD:a2 29. QD:e8+ KD:e8
30. QH:e8×. 1-0
"""


@pytest.mark.parametrize(
    ("movetext", "plies", "result"), [(PAGE_ONE, 40, "0-1"), (PAGE_TWO, 59, "1-0")], ids=["first", "second"]
)
def test_the_games_of_the_rules_page_validate_as_they_are_printed(movetext: str, plies: int, result: str) -> None:
    record = loads(f'[Game "Cardmate"]\n\n{movetext}')[0]
    report = examine(record).report
    errors = [found for found in report.findings if found.severity == "error"]
    assert (report.plies, report.result, report.verdict, errors) == (plies, result, "legal", [])


@pytest.mark.parametrize(("movetext", "file"), [(PAGE_ONE, "page-1.cgn"), (PAGE_TWO, "page-2.cgn")])
def test_the_golden_pages_hold_the_words_of_the_page(movetext: str, file: str) -> None:
    record = loads(f'[Game "Cardmate"]\n\n{movetext}')[0]
    golden = next(load(SAMPLES / "cardmate" / "games" / file))
    assert canonical(record).line.words == golden.line.words


def test_nested_variations_are_read_to_their_full_depth() -> None:
    record = next(load(SAMPLES / "cardmate" / "games" / "nested.cgn"))

    def depth(line: Line) -> int:
        return 1 + max((depth(inner) for note in line.notes.values() for inner in note.variations), default=0)

    assert depth(record.line) == 4
    assert record.line.notes[7].glyphs == (5, 14)
    assert record.line.notes[1].comments == ("[%clk 0:14:52]",)
