"""``new --scored``: what is asked of a deal of which only the score was kept, and what becomes of it."""

from pathlib import Path

import pytest

from cartulary.cli.commands import new
from cartulary.notation.picture import plain
from cartulary.notation.viewer import viewer_of_seat
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.table.at_table import judged_offers
from tests.cli.test_new_table import Prompt
from tests.records.archives import Run

TAGS = ("-t", "Taker=p2", "-t", "Bid=Garde", "-t", "Bouts=2", "-t", "Points=49")
TABLE = ("new", "tarot", "--scored", "--variant", "fft", "--id", "e", "-p", "A", "-p", "B", "-p", "C", "-p", "D")


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new, "terminal", lambda stream=None: True)


def test_each_answer_is_checked_and_a_deal_that_cannot_be_is_asked_for_again(
    run: Run, at_a_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = ["p7", "p2", "Garde", "2", "95", "45.5", "", "", "", "49"]
    monkeypatch.setattr("typer.prompt", prompt := Prompt(answers))
    result = run(*TABLE)
    assert result.stdout == "e\n"
    assert "The Taker tag says p7, expected a seat p1 to p4" in result.stderr
    assert "The Points tag says 45.5, but with four seats" in result.stderr
    assert "score -66:198:-66:-66 (p2 has 49 points" in result.stderr
    assert list(prompt.answers) == []
    assert '[Points "49"]' in run("export", "e").stdout


def test_where_nobody_can_be_asked_the_tags_must_tell_it(run: Run) -> None:
    missing = run(*TABLE, *TAGS[:-2], code=2).stderr
    assert "Nobody can be asked here; give -t Points=… to answer: How many card points" in missing
    wrong = run(*TABLE, *TAGS[:-1], "Points=92", code=2).stderr
    assert "The Points tag says 92, expected card points from 0 to 91" in wrong
    assert "always comes from its moves" in run("new", "cardmate", "--scored", code=2).stderr
    assert "There is no database" in run("list", code=2).stderr
    run(*TABLE, *TAGS)
    assert "Score -" not in run("check", "e").stdout
    assert "score -66:198:-66:-66 (p2 has 49 points" in run("check", "e").stdout


def test_a_scored_deal_is_closed_exported_and_read_again_and_each_seat_sees_it(run: Run, tmp_path: Path) -> None:
    run(*TABLE, *TAGS)
    assert run("close", "e").stdout == "e: closed, 0-1-0-0\n"
    file = tmp_path / "e.cgn"
    run("export", "e", "-o", str(file))
    assert '[Score "-66:198:-66:-66"]' in file.read_text("utf-8")
    assert "legal" in run("validate", str(file)).stdout
    assert run("export", "e", "--seat", "rail").stdout.count("[Taker") == 1
    assert "B 198" in run("show", str(file), "--seat", "p3").stdout
    file.write_text(file.read_text("utf-8").replace('Bouts "2"', 'Bouts "1"'), "utf-8")
    assert (
        "but the deals on record come to 54:-162:54:54 (p2 has 49 points" in run("validate", str(file), code=1).stdout
    )
    assert "give a reason to correct its Points" in run("tag", "e", "Points=47", code=1).stderr
    output = run("tag", "e", "Points=47", "--reason", "counted again").stdout
    assert 'e: Points "47", was "49"' in output
    assert "e: the score is -62:186:-62:-62, was -66:198:-66:-66" in output
    assert '[Score "-62:186:-62:-62"]' in run("export", "e").stdout


def test_a_word_is_refused_and_the_score_stays_whoever_writes_it(run: Run, tmp_path: Path) -> None:
    run(*TABLE, *TAGS)
    words: tuple[tuple[str, ...], ...] = (("move", "e", "Pass"), ("move", "e", "Pass", "--quiet"))
    for command in (*words, ("move", "e", "Pass", "--seat", "p1"), ("amend", "e", "1", "Pass", "--insert")):
        refused = run(*command, code=1).stderr
        assert "Only the score of e was kept, and a word would make it count for nothing" in refused
    run("close", "e")
    assert "Only the score of e" in run("move", "e", "Pass", code=1).stderr
    run("reopen", "e")
    assert "Only the score of e" in run("move", "e", "Pass", code=1).stderr
    assert "score -66:198:-66:-66 (p2 has 49 points" in run("check", "e").stdout


def test_a_sheet_with_words_is_judged_from_them_and_its_tags_tell_nothing(run: Run, tmp_path: Path) -> None:
    run(*TABLE, *TAGS)
    file = tmp_path / "e.cgn"
    file.write_text(run("export", "e").stdout.rstrip().removesuffix("*") + "Pass *\n", "utf-8")
    run("import", str(file))
    id = run("list", "--json").stdout.split('"id":"tarot-')[1].split('"')[0]
    assert "score" not in run("check", f"tarot-{id}").stdout
    assert "Taker" in run("export", f"tarot-{id}").stdout
    assert "Taker" not in run("export", f"tarot-{id}", "--seat", "p1").stdout


def test_nobody_is_to_move_and_the_board_has_the_score_of_the_tags_in_every_view(run: Run, store: Store) -> None:
    run(*TABLE, *TAGS)
    for closed in (False, True):
        if closed:
            run("close", "e")
        for seat, quiet in ((None, False), (None, True), (0, False), (2, True)):
            view = api.read_view(store, "e", viewer_of_seat(seat, quiet=quiet))
            assert "by ruling" not in view.turn
            assert (closed, view.turn.partition(";")[0]) in (
                (False, "only the score of this deal was kept"),
                (True, "closed, 0-1-0-0: p2 won"),
            )
            assert "; score -66:198:-66:-66" in view.turn
            assert (view.actors, view.due, judged_offers(view)) == ((), "", ())
            row = plain(view.position.game.words.picture(view.position.drawn_state, seat)).split("\n")[-1]
            assert row == "score  p1 -66  p2 198  p3 -66  p4 -66"
            assert ">" not in plain(view.position.game.words.picture(view.position.drawn_state, seat))
        for more in ((), ("--seat", "rail")):
            shown = run("show", "e", *more).stdout
            assert "to move" not in shown
            assert closed or "only the score of this deal was kept" in shown
            assert "Pass" not in run("moves", "e", *more).stdout
        drawing = api.score_sheet(store, "e").drawing
        assert drawing is None or "p2 198" in " ".join(item.symbol for item in drawing.items)
    run("ruling", "e", "0", "--penalty", "p2=8", "--arbiter", "A")
    assert "; score by ruling -66:190:-66:-66" in api.read_view(store, "e").turn


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (("Taker=b", "Bid=garde"), ('Taker "p2"', 'Bid "Garde"')),
        (("Taker=P2", "Bid=Petite"), ('Taker "p2"', 'Bid "Prise"')),
        (("Taker=p2", "Bid=garde sans", "Poignee=b:10, A:10"), ('Bid "GardeSans"', 'Poignee "p2:10 p1:10"')),
        (("Taker=p2", "Bid=GARDE", "Petit=Défense"), ('Petit "defence"',)),
    ],
    ids=["a player", "small", "a poignee", "accents"],
)
def test_names_of_players_and_words_in_any_case_are_read(
    run: Run, typed: tuple[str, ...], stored: tuple[str, ...]
) -> None:
    given = [part for tag in (*typed, "Bouts=2", "Points=49") for part in ("-t", tag)]
    run(*TABLE, *given)
    sheet = run("export", "e").stdout
    assert all(f"[{tag}]" in sheet for tag in stored)
    assert "e: score" in run("check", "e").stdout


@pytest.mark.parametrize(
    ("tag", "because"),
    [
        ("poignee=p2:10", "Nobody reads a tag poignee; did you mean Poignee?"),
        ("petit=taker", "Nobody reads a tag petit; did you mean Petit?"),
        ("Poigne=p2:10", "The tag Poigne tells nothing of the score; did you mean Poignee?"),
        ("Handful=p2:10", "did you mean Poignee?"),
        ("Slam=made", "did you mean Chelem?"),
        ("Contract=Garde", "did you mean Bid?"),
        ("Misere=p1", "The tag Misere tells nothing of the score; expected one of: Taker,"),
    ],
)
def test_a_misspelt_tag_is_asked_about_when_a_deal_is_opened_and_when_it_is_tagged(
    run: Run, tag: str, because: str
) -> None:
    assert because in run(*TABLE, *TAGS, "-t", tag, code=2).stderr
    assert because in run(*TABLE[:2], *TABLE[3:], *TAGS, "-t", tag, code=2).stderr
    run(*TABLE, *TAGS)
    assert because in run("tag", "e", tag, code=2).stderr


def test_a_tag_of_the_clubs_own_is_kept_and_said_to_tell_nothing(run: Run) -> None:
    assert "the tag Table tells nothing of the score" in run(*TABLE, *TAGS, "-t", "Table=3").stderr
    assert '[Table "3"]' in run("export", "e").stdout


@pytest.mark.parametrize(
    ("tags", "because"),
    [
        (("Points=200",), "The Points tag says 200, expected card points from 0 to 91"),
        (("Points=91", "Bouts=3"), "The Chelem tag is missing, but with 91 points"),
        (("Bid=Passe",), "The Bid tag says Passe, expected one of Prise"),
        (("Bouts=",), "Bouts is missing"),
        (("Taker=Eve",), "The Taker tag says Eve, expected a seat p1 to p4 or the name of a player"),
    ],
)
def test_tagging_refuses_what_opening_a_scored_deal_does(run: Run, tags: tuple[str, ...], because: str) -> None:
    run(*TABLE, *TAGS)
    assert because in run("tag", "e", *tags, code=2).stderr
    assert "score -66:198:-66:-66" in run("check", "e").stdout
    assert "Points is missing" in run("new", "tarot", *TAGS[:-2], code=2).stderr
    assert "Taker is missing" in run("new", "tarot", "-t", "Points=49", code=2).stderr


def test_the_correction_of_a_closed_deal_asks_for_a_reason_and_says_what_changed(run: Run) -> None:
    run(*TABLE, *TAGS)
    run("close", "e")
    assert "e is closed, 0-1-0-0; give a reason to correct its Points." in run("tag", "e", "Points=20", code=1).stderr
    assert run("list").stdout.split()[-4] == "0-1-0-0"
    output = run("tag", "e", "Points=20", "--reason", "two tricks were counted twice", "--command", "again").stdout
    assert 'e: Points "20", was "49"' in output
    assert "e: the score is 92:-276:92:92, was -66:198:-66:-66" in output
    assert "e: the result is 1/3-0-1/3-1/3, was 0-1-0-0" in output
    assert (
        run("tag", "e", "Points=20", "--reason", "two tricks were counted twice", "--command", "again").stdout == output
    )
    log = run("log", "e").stdout
    assert "reopened: two tricks were counted twice" in log
    assert "closed 1/3-0-1/3-1/3" in log
    assert "1/3-0-1/3-1/3" in run("list").stdout
    assert "0 breaches" in run("check", "e").stdout
    assert "Event" in run("tag", "e", "Event=Club").stdout
    same = run("tag", "e", "Points=20", "--reason", "counted a third time", code=2).stderr
    assert "Nothing would change: Points says 20 already; leave it out" in same


def test_what_was_wrong_before_does_not_hold_a_name_back(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "old.cgn"
    file.write_text('[Game "Tarot"]\n[Variant "fft"]\n[Seat1 "?"]\n[Seat2 "?"]\n[Seat3 "?"]\n[Taker "p1"]\n\n*\n')
    run("import", str(file), code=1)
    id = next(word for word in run("list").stdout.split() if word.startswith("tarot-"))
    run("tag", id, "p1=Anna")
    assert "Bid is missing" in run("tag", id, "Bouts=2", code=2).stderr
    run("tag", id, "Bouts=2", "Bid=Garde", "Points=45.5")
    assert "score 120:-60:-60" in run("check", id).stdout


def test_a_players_name_is_corrected_by_the_seat_and_no_tag_is_stored_that_nobody_reads(run: Run) -> None:
    run("new", "cardmate", "--id", "tm1", "--player", "Ada", "--player", "Bela")
    assert 'tm1: Forehand "Anna"\n' in run("tag", "tm1", "p1=Anna").stdout
    assert (
        "The tag Player names no player; expected one of the seats: p1 (Forehand), p2"
        in run("tag", "tm1", "Player=Anna", code=2).stderr
    )
    assert "p3 is no seat of this game; expected one of its seats" in run("tag", "tm1", "p3=Eve", code=2).stderr
    assert "did you mean Forehand?" in run("tag", "tm1", "forehand=Eve", code=2).stderr
    assert "did you mean Event?" in run("tag", "tm1", "event=Club", code=2).stderr
    assert "[p1" not in run("export", "tm1").stdout
    assert run("new", "cardmate", "--id", "tm2", "-t", "p2=Bela", "--player", "Ada", "--player", "?").exit_code == 0
    assert 'Rearhand "Bela"' in run("export", "tm2").stdout


def test_an_answer_refused_twice_starts_the_questions_again(
    run: Run, at_a_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, again = ["p2", "Garde", "3", "91", "", "", "", ""], ["p2", "Garde", "3", "81", "", "", ""]
    monkeypatch.setattr("typer.prompt", prompt := Prompt([*first, *again]))
    result = run(*TABLE)
    assert list(prompt.answers) == []
    assert "The Chelem tag is missing" in result.stderr
    assert "start again with the first question" in result.stderr
    assert '[Points "81"]' in run("export", "e").stdout


def test_a_file_that_names_the_taker_is_kept_with_his_seat(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "named.cgn"
    seats = "".join(f'[Seat{seat} "{name}"]\n' for seat, name in enumerate("ABCD", 1))
    deal = '[Taker "b"]\n[Bid "petite"]\n[Bouts "2"]\n[Points "49"]\n'
    file.write_text(f'[Game "Tarot"]\n[Variant "fft"]\n{seats}{deal}\n*\n', "utf-8")
    run("import", str(file))
    assert "(known)" in run("import", str(file)).stdout
    id = next(word for word in run("list").stdout.split() if word.startswith("tarot-"))
    run("tag", id, "p2=Zoe")
    assert '[Taker "p2"]\n' in run("export", id).stdout
    assert "score -33:99:-33:-33" in run("check", id).stdout
    assert '[Bid "Prise"]' in run("fmt", str(file)).stdout


def test_players_stand_in_the_questions_and_answers_may_be_names_and_common_words(
    run: Run, at_a_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[str] = []
    answers = iter(["bea", "guard without", "2", "49", "ann:10", "preneur", ""])

    def answer(question: str, **_: object) -> str:
        questions.append(question)
        return next(answers)

    monkeypatch.setattr("typer.prompt", answer)
    names = ("-p", "Ann", "-p", "Bea", "-p", "Cem", "-p", "?")
    run("new", "tarot", "--scored", "--variant", "fft", "--id", "e", *names)
    assert questions[0] == "Who was the taker: Ann, Bea, Cem or p4 (- if all passed)?"
    assert "such as Ann:10" in questions[4]
    exported = run("export", "e").stdout
    for tag in ('Taker "p2"', 'Bid "GardeSans"', 'Poignee "p1:10"', 'Petit "taker"'):
        assert f"[{tag}]" in exported


@pytest.mark.parametrize(
    ("word", "bid"),
    [
        ("petite", "Prise"),
        ("Small", "Prise"),
        ("GUARD", "Garde"),
        ("sans", "GardeSans"),
        ("Garde contre", "GardeContre"),
    ],
)
def test_a_bid_is_read_by_its_common_words(run: Run, word: str, bid: str) -> None:
    run(*TABLE, "-t", "Taker=p2", "-t", f"Bid={word}", "-t", "Bouts=2", "-t", "Points=49")
    assert f'[Bid "{bid}"]' in run("export", "e").stdout


@pytest.mark.parametrize("word", ["-", "all passed", "Passe", "nobody"])
def test_a_deal_that_all_passed_is_read_by_its_common_words(run: Run, word: str) -> None:
    run(*TABLE, "-t", f"Taker={word}")
    assert '[Taker "-"]' in run("export", "e").stdout
