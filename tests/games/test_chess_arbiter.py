"""What an arbiter is told of an irregular ply: where to go back to, what came since, and what may be done."""

import json

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.notation import Story, loads, story
from tests.places import SAMPLES

CLUB = str(SAMPLES / "formats" / "club.pgn") + "#1"
BARE = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/7r/8/4K3 b - - 0 1"]\n'


def told(moves: str, ply: int, tags: str = "") -> Story:
    return story(loads(f'[Game "Chess"]\n{tags}\n{moves} *\n')[0], ply)


def says(found: Story) -> str:
    return " ".join(one.says for one in found.remedies)


def test_an_illegal_move_says_where_to_go_back_to_and_what_came_since() -> None:
    found = told("1. e4 d5 2. Bb5+ a6", 4)
    assert found.verdict == "refused"
    assert found.position == "rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2"
    assert (found.since, found.earlier) == (0, ())
    assert told("1. e4 d5 2. Bb5+ a6 3. a3 h6", 4).since == 2
    assert [one.source for one in found.remedies] == [
        "FIDE 7.5.1, 4.3",
        "FIDE 7.5.5, A.3, B.3",
        "FIDE A.5.2",
        "FIDE 8.7",
    ]
    assert "If it is the seat's first: p1 gets two more minutes; in rapid and blitz one." in says(found)


def test_the_second_of_the_same_seat_loses_and_draws_where_the_other_cannot_mate() -> None:
    found = told("1. e4 d5 2. Bb5+ a6 3. a3 h6", 6)
    assert found.earlier == (4,)
    assert "If it is not the seat's first: the game is won by p1." in says(found)
    found = told("1... Rh3g5 2. Ke2 Rg5h7", 3, BARE)
    assert found.earlier == (1,)
    assert "If it is not the seat's first: the game is drawn, since no series of moves lets p1 mate." in says(found)


@pytest.mark.parametrize("moves", ["1. e4 --", "1. Ke3 e5 2. a3 Ke6"])
def test_a_turn_passed_over_counts_and_the_other_seats_do_not(moves: str) -> None:
    ply = len([word for word in moves.split() if not word[0].isdigit()])
    found = told(moves, ply)
    assert "If it is the seat's first" in says(found)
    assert found.earlier == ()


def test_a_wrong_claim_is_no_illegal_move() -> None:
    found = told("1. e4 e5 2. Threefold", 3)
    assert [one.source for one in found.remedies] == ["FIDE 9.5.3, A.3, B.3"]
    assert "p2 gets two more minutes" in says(found)
    after = told("1. e4 e5 2. Threefold Nc3 a6 3. Ke3", 6)
    assert after.earlier == (3,)
    assert "If it is the seat's first" in says(after)


def test_what_breaks_no_rule_of_moving_and_what_is_legal_offer_nothing() -> None:
    assert told("1. Draw Agree", 2).remedies == ()
    legal = told("1. e4", 1)
    assert (legal.position, legal.remedies) == ("", ())
    [cardmate] = loads('[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8Dh9 *\n')
    assert (story(cardmate, 3).position, story(cardmate, 3).remedies) == ("", ())


def test_why_prints_it_and_json_has_it() -> None:
    run = CliRunner()
    text = " ".join(run.invoke(build(), ["why", CLUB, "8"]).stdout.split())
    assert "before r1bqkbnr/ppp2ppp/2np4/1B2p3/3PP3/5N2/PPP2PPP/RNBQK2R b KQkq - 0 4" in text
    assert "since 13 plies have followed; it is p2's first breach" in text
    assert "may If it is found during the game, the position before the illegal move is set up again" in text
    fields = json.loads(run.invoke(build(), ["why", CLUB, "8", "--json"]).stdout)
    assert fields["since"] == 13
    assert fields["earlier"] == []
    assert fields["remedies"][1]["source"] == "FIDE 7.5.5, A.3, B.3"
    again = " ".join(
        run.invoke(
            build(), ["why", "-", "6"], input='[Game "Chess"]\n\n1. e4 d5 2. Bb5+ a6 3. a3 h6 *\n'
        ).stdout.split()
    )
    assert "since 0 plies have followed; p2 had broken a rule before, at ply 4" in again
