"""What the golden games hold beyond what the laws of all games ask: the rules page itself, and variations."""

import pytest

from cartulary.notation import Line, canonical, examine, load, loads
from tests.places import SAMPLES

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
