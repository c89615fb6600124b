"""Offers of a draw at the board, by whom and to whom."""

from pathlib import Path

import pytest

from cartulary.engine import chess
from cartulary.notation import examine, loads
from cartulary.notation.viewer import Everything
from cartulary.records import api


def test_who_agrees_to_the_own_offer_is_told_whose_it_is() -> None:
    [record] = loads('[Game "Chess"]\n\n1. e4 e5 2. Nf3 Nc6 Draw Agree *\n')
    [found] = (one for one in examine(record).report.findings if one.severity == "error")
    assert found.because == "The open offer is p1's own; another seat must agree to it, as p2/Agree"
    [record] = loads('[Game "Chess"]\n\n1. e4 e5 2. Nf3 Nc6 Agree *\n')
    [found] = (one for one in examine(record).report.findings if one.severity == "error")
    assert found.because == "There is no open offer of a draw"


KNIGHTS = ("Nf3", "Nf6", "Ng1", "Ng8")


@pytest.mark.parametrize(
    ("words", "claims"),
    [
        (KNIGHTS, ""),
        (KNIGHTS * 2, ", who may claim a draw with Threefold"),
        ((*KNIGHTS * 2, "e4"), ""),
        ((*KNIGHTS * 2, "Threefold"), ""),
    ],
)
def test_a_claim_that_holds_is_offered_to_the_seat_to_move(tmp_path: Path, words: tuple[str, ...], claims: str) -> None:
    with api.Store(tmp_path / "c.db") as store:
        api.open_game(store, api.NewRequest("chess", id="g", players=("A", "B")))
        api.play(store, "g", api.WordsRequest(words))
        turn = api.read_view(store, "g").turn
    assert (", who may claim" in turn, claims in turn) == (bool(claims), True)


def test_nobody_is_told_of_a_claim_in_a_quiet_record(tmp_path: Path) -> None:
    with api.Store(tmp_path / "c.db") as store:
        api.open_game(store, api.NewRequest("chess", id="g", players=("A", "B")))
        api.play(store, "g", api.WordsRequest(KNIGHTS * 2))
        assert "claim" not in api.read_view(store, "g", Everything(quiet=True)).turn


@pytest.mark.parametrize("word", ["claim", "Claim=Nf3", "repetition", "3fold", "threefold", "fifty"])
def test_who_claims_in_other_words_is_told_the_words(word: str) -> None:
    [record] = loads(f'[Game "Chess"]\n\n1. e4 e5 {word} *\n')
    [found] = (one for one in examine(record).report.findings if one.severity == "error")
    assert "expected Threefold or Fifty to claim a draw, or Threefold=Nf3" in found.because


def test_the_rules_of_chess_say_how_a_claim_is_written() -> None:
    says = {clause.key: clause.says for clause in chess.RULES.clauses}
    assert "written Threefold" in says["chess.threefold"]
    assert "written Fifty" in says["chess.fifty"]


# --- files of broadcasts ---


def test_a_null_move_says_what_it_is_and_how_a_missing_move_is_written() -> None:
    [record] = loads('[Event "x"]\n\n1. e4 -- 2. d4 d5 *\n')
    [found] = (one for one in examine(record).report.findings if one.severity == "error")
    assert (found.key, found.ply) == ("chess.null-move", 2)
    assert "passes the turn" in found.because
    assert found.because.endswith("a move that was made but is not known is written ~")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (
            '[SetUp "1"]\n[FEN "8/8/4k3/8/8/3K4/3r4/8 w - - 0 1"]\n\n1. Kxd2 Kd6 2. Kd3 1/2-1/2\n',
            "chess.dead-position",
        ),
        (f'[Event "x"]\n\n{" ".join(KNIGHTS * 5)} *\n', "chess.fivefold"),
        ('[Event "x"]\n\n1. f3 e5 2. g4 Qh4# 3. Kf2 0-1\n', "chess.checkmate"),
    ],
)
def test_a_word_after_the_end_is_not_told_that_a_word_may_be_missing(text: str, key: str) -> None:
    [record] = loads(text)
    [found] = (one for one in examine(record).report.findings if one.severity == "error")
    assert found.key == key
    assert (
        "the game had ended before it, and what a broadcast or a board shows after that is not judged" in found.because
    )
    assert "may be missing" not in found.because
    assert "is missing" not in found.because
