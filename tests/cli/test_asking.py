"""The arbiter's questions on the command line: check, why, deal."""

import json
from random import Random

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from tests.places import SAMPLES
from tests.referees.tarot import deals as tarot_deals

REVOKE = str(SAMPLES / "tarot" / "games" / "table-revoke.cgn")
OPEN = str(SAMPLES / "tarot" / "games" / "table-open.cgn")
PAGE = str(SAMPLES / "cardmate" / "games" / "page-1.cgn")


def run(*words: str, stdin: str = "", code: int = 0) -> str:
    result = CliRunner().invoke(build(), list(words), input=stdin)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_a_breach_that_a_later_card_proved_is_checked_with_the_ply_that_proved_it() -> None:
    result = run("check", REVOKE, code=1)
    assert "error tarot.follow-suit p3 held 9S, but did not follow suit" in result
    assert "proved  by ply 40" in result
    assert result.endswith("0 open questions, 1 breach\n")


def test_a_question_nobody_can_answer_yet_is_no_failure() -> None:
    result = run("check", OPEN)
    assert "undecided tarot.follow-suit p3 may have held 2S–8S" in result
    assert result.endswith("1 open question, 0 breaches\n")
    (found,) = map(json.loads, run("check", OPEN, "--json").splitlines())
    assert (found["severity"], found["ply"], found["seat"]) == ("undecided", 17, "p3")


def test_a_clean_game_has_nothing_to_check() -> None:
    assert run("check", PAGE) == f"{PAGE}#1: 0 open questions, 0 breaches\n"


def test_why_tells_the_rule_what_was_known_what_became_known_and_the_verdict_now() -> None:
    lines = run("why", REVOKE, "17").splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["after", "then", "rule", "source", "ply", "ply", "now"]
    assert "JS by p1, KS by p2" in lines[1]
    assert "9S by p3: p3 held 9S" in lines[-2]
    assert lines[-1].endswith("p3 held 9S, but did not follow suit (proved by ply 40)")


def test_why_of_a_question_the_cards_answered_well_says_so() -> None:
    record = tarot_deals.record(Random("well"), "dementlieu", 3, extras=False)
    seats = "".join(f'[Seat{seat} "?"]\n' for seat in (1, 2, 3))
    text = f'[Game "Tarot"]\n{seats}\n{" ".join(record.table)} *\n'
    verdicts = [json.loads(line)["verdict"] for line in run("replay", "-", "--json", stdin=text).splitlines()]
    open_plies = [ply for ply, verdict in enumerate(verdicts, 1) if verdict == "undecided"]
    result = run("why", "-", str(open_plies[-1]), stdin=text)
    assert "then    cannot be known yet: cards are hidden; " in result
    assert "now     legal: the cards have come to light, and no rule was broken" in result


def test_why_of_a_question_still_open_says_what_is_known_now() -> None:
    text = '[Game "Tarot"]\n[Variant "fft"]\n\nPass Pass Pass GardeSans 1. KC 1H 2C 3C 2. 4C *\n'
    result = run("why", "-", "6", stdin=text)
    assert "then    cannot be known yet: cards are hidden; p2 may have held 1C–QC; p2 may have held T01–T21" in result
    assert "now     cannot be known yet: cards are hidden; p2 may have held 1C or 5C–QC (tarot.follow-suit)\n" in result
    assert "now     cannot be known yet: cards are hidden; p2 may have held T01–T21 (tarot.must-trump)\n" in result


def test_why_of_a_refused_move_shows_what_was_legal() -> None:
    text = '[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8Dh9 *\n'
    result = run("why", "-", "3", stdin=text)
    assert "refused: " in result
    assert "cardmate.reach" in result
    assert "legal   8Dj2, 9Cb1" in result


def test_why_as_json_has_the_whole_story() -> None:
    data = json.loads(run("why", REVOKE, "17", "--json"))
    assert (data["ply"], data["word"], data["verdict"], data["round"]) == (17, "T03", "undecided", 3)
    assert data["then"][-1] == {"ply": 40, "seat": "p3", "word": "9S", "says": "p3 held 9S"}
    assert data["rules"][0]["key"] == "tarot.follow-suit"
    assert data["now"][0]["decided_by"] == 40


@pytest.mark.parametrize("ply", ["79", "999"])
def test_a_ply_that_is_not_there_is_said(ply: str) -> None:
    assert f"there is no ply {ply} that was read, expected one from 1 to 78" in run("why", REVOKE, ply, code=2)


def test_why_of_a_game_nobody_knows_says_which_there_are() -> None:
    result = run("why", "-", "1", stdin='[Game "Piquet"]\n\nPass *\n', code=1)
    assert "expected one of: Arcanoid, Belote, Cardmate, Chess, Draughts, Hearts" in result


def test_why_of_an_unreadable_word_shows_what_was_expected() -> None:
    result = run("why", "-", "2", stdin='[Game "Tarot"]\n\nPass Belote *\n')
    assert "unreadable: found Belote" in result


def test_the_deal_says_who_can_hold_what() -> None:
    lines = run("deal", OPEN).splitlines()
    assert lines[0] == "4D, 2S, QS, T08: with p3 or in the discards"
    assert lines[1].endswith(": with p1, p2, p3, p4 or in the discards")
    first = json.loads(run("deal", OPEN, "--json").splitlines()[0])
    assert first == {"cards": ["4D", "2S", "QS", "T08"], "places": "with p3 or in the discards"}


def test_the_deal_after_the_last_ply_of_a_deal_is_a_new_one_where_it_is_asked_for() -> None:
    assert run("deal", REVOKE, "--at", "78").count("\n") == 1


def test_a_game_that_hides_nothing_has_no_deal_to_print() -> None:
    assert run("deal", PAGE) == "; every card of Cardmate lies open\n"
