"""How seats, words and the moves legal instead are listed in a sentence."""

import pytest

from cartulary.engine.numbers import seats_named
from cartulary.engine.tarot_duel.dues import most_said
from cartulary.notation import examine, loads
from cartulary.notation.arbiter.finding import legal_text
from cartulary.notation.arbiter.walk_findings import CALL_WORD
from cartulary.notation.cgn.signs import word_list


@pytest.mark.parametrize(
    ("seats", "joined", "lowest", "said"),
    [
        (1, "or", 1, "p1"),
        (2, "or", 1, "p1 or p2"),
        (2, "and", 1, "p1 and p2"),
        (5, "or", 1, "p1 to p5"),
        (1, "or", 0, "p0 or p1"),
        (2, "or", 0, "p0 to p2"),
    ],
)
def test_two_seats_are_no_range(seats: int, joined: str, lowest: int, said: str) -> None:
    assert seats_named(seats, joined, lowest) == said


def test_words_with_commas_are_told_apart() -> None:
    assert word_list(("4Ci3", "4Db6")) == "4Ci3, 4Db6"
    assert word_list(("p0/^~,~,~", "~,~,~-")) == "p0/^~,~,~; ~,~,~-"
    assert word_list(()) == ""


@pytest.mark.parametrize("seats", [(2,), (1, 3), (1, 2, 4)])
def test_who_has_the_area_worth_most_agrees_in_number(seats: tuple[int, ...]) -> None:
    by_name = {1: "p2 has the area worth most, 12 points", 2: "p1 and p3 have the areas worth most, 12 points each"}
    assert most_said(seats, 12) == by_name.get(len(seats), "p1, p2 and p4 have the areas worth most, 12 points each")


def test_a_call_that_is_refused_is_no_card_without_a_move() -> None:
    [record] = loads('[Game "Cardmate"]\n\n1. 4Ci3 Draw p2/Agree *')
    [found] = [one for one in examine(record).report.findings if one.severity == "error"]
    assert found.key == "call.no-offer"
    assert found.stuck == ""
    assert not legal_text(found).startswith("A has none")


@pytest.mark.parametrize("word", ["Agree", "Pass", "Chelem", "Call=KH", "Poignee=T01,T02", "No"])
def test_a_word_in_letters_moves_nothing(word: str) -> None:
    assert CALL_WORD.match(word)


@pytest.mark.parametrize("word", ["Nbd2", "Nbxd2", "Nf3", "8Dj2", "exd5", "O-O", "T05", "22-18"])
def test_a_word_of_a_man_or_card_moves_it(word: str) -> None:
    assert not CALL_WORD.match(word)
