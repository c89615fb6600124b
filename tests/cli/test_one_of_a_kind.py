"""One of anything is told as one: the noun and the verb behind a number agree with it."""

import pytest

from cartulary.engine.numbers import how_many
from cartulary.notation import examine, loads
from tests.records.archives import Run

FIVE = "Pass Garde Pass Pass Pass Call=KH"


def found(game: str, words: str) -> list[str]:
    """Return why each word that is refused is refused."""
    [record] = loads(f"% CGN 1.0\n{game}\n\n{words} *\n")
    return [finding.because for finding in examine(record).report.findings if finding.severity == "error"]


def test_a_number_agrees_with_its_noun() -> None:
    answers = [how_many(number, "ply is", "plies are") for number in (0, 1, 2)]
    assert answers == ["0 plies are", "1 ply is", "2 plies are"]
    assert (how_many(1), how_many(11), how_many(1, "seat")) == ("1 card", "11 cards", "1 seat")


@pytest.mark.parametrize(
    ("game", "words", "because"),
    [
        ('[Game "Tarot"]', "Pass Pass Garde Pass ~-", "1 card is put away, expected 6"),
        ('[Game "Tarot"]', "Pass Pass Garde Pass ~,~-", "2 cards are put away, expected 6"),
        (
            '[Game "Tarot"]\n[Variant "fft"]',
            "Pass Pass Garde Pass ~,~,~,~,~,~- Poignee=T01",
            "The poignée has 1 trump, expected 10, 13 or 15",
        ),
        ('[Game "Chess"]', "Nf3 Fifty", "1 ply has been played"),
        ('[Game "Tarot"]\n[Seat1 "Ada"]', "", "The game has 1 seat, expected 3 or 4 in dementlieu"),
    ],
)
def test_one_is_not_told_as_many(game: str, words: str, because: str) -> None:
    assert any(because in answer for answer in found(game, words)), found(game, words)


def test_commands_tell_one_as_one(run: Run) -> None:
    run("new", "cardmate", "--id", "g")
    run("move", "g", "4Ci3")
    assert "3 plies cannot be taken back: g has 1 ply." in run("undo", "g", "3", code=1).stderr
    run("undo", "g")
    assert "1 ply cannot be taken back: g has no plies." in run("undo", "g", code=1).stderr
