"""Disputes and rulings on the command line, from the claim to the sheet somebody else reads."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from cartulary.notation import loads
from cartulary.testing import tables
from tests.laws.worlds import GAMES, otherwise
from tests.places import SAMPLES
from tests.snapshots import Snapshot, typed

PAGE = loads((SAMPLES / "cardmate" / "games" / "page-1.cgn").read_bytes())[0].line.words
REVOKE = SAMPLES / "tarot" / "games" / "table-revoke.cgn"

Run = Callable[..., Result]


@pytest.fixture
def run(db: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("CARTULARY_DB", str(db))

    def typed(*words: str, code: int = 0) -> Result:
        result = CliRunner().invoke(build(), list(words))
        text = f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
        assert result.exit_code == code, text
        assert "Traceback" not in text
        return result

    return typed


@pytest.fixture
def played(run: Run) -> str:
    """Give a record whose fifth ply breaks a rule and was let stand."""
    run("new", "cardmate", "--id", "evening", "--player", "Ada", "--player", "Bela")
    run("move", "evening", *PAGE[:4])
    run("move", "evening", "9Hc5", "--stands", code=1)
    return "evening"


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


STANDS = (
    ("--stands", "--arbiter", "A. Person", "--key", "cardmate.path"),
    ("--reason", 'play went on; see "the [book]"'),
)
CLAIM = "the knight's file was full"
DISPUTED = f"dispute 8 by p2 on ply 5, 9Hc5, ruled: {CLAIM}"
RULED = 'ruling 9 by A. Person on ply 5, 9Hc5: stands (cardmate.path): play went on; see "the [book]"'


@pytest.fixture
def ruled(run: Run, played: str) -> str:
    run("dispute", played, "5", "--by", "p2", "--claim", CLAIM)
    run("ruling", played, "--dispute", "8", *STANDS[0], *STANDS[1])
    return played


# --- the whole way ---


def test_a_dispute_goes_from_claim_to_ruling(run: Run, played: str) -> None:
    assert "1 breach\n" in run("check", played, code=1).stdout
    raised = run("dispute", played, "5", "--by", "p2", "--claim", CLAIM).stdout
    assert raised == f"{played}: dispute 8 by p2 on ply 5, 9Hc5, open: {CLAIM}\n"
    waiting = run("check", played, code=1).stdout
    assert f"{played}: dispute 8 by p2 on ply 5, 9Hc5, open: {CLAIM}\n" in waiting
    assert waiting.endswith("0 open questions, 1 breach, 1 open dispute\n")
    given = run("ruling", played, "--dispute", "8", *STANDS[0], *STANDS[1]).stdout
    assert given == f"{played}: {RULED}\n"
    done = run("check", played).stdout
    assert done == (
        f"{played}: {DISPUTED}\n{played}: {RULED}\n"
        f"{played}#1: 0 open questions, 0 breaches, 0 open disputes, 1 ruling\n"
    )


def test_every_view_says_what_rests_on_a_ruling(run: Run, ruled: str) -> None:
    shown = run("show", ruled).stdout
    assert "remark cardmate.path" in shown
    assert "; let stand by a ruling of A. Person\n" in shown
    named = DISPUTED.replace("by p2", "by Bela")
    assert shown.endswith(f"{named}\n{RULED}\n")
    assert "ruling" not in run("show", ruled, "--at", "4").stdout
    replayed = run("replay", ruled).stdout
    assert f"{named}\n{RULED}\n" in replayed
    why = run("why", ruled, "5").stdout
    assert "now     irregular; let stand by a ruling of A. Person\n" in why
    assert "let stand by a ruling of A. Person" in why
    assert "dispute 8 by p2 on ply 5" in why
    assert "ruling  9 by A. Person on ply 5" in why
    log = run("log", ruled).stdout
    assert f"disputed event 7: {CLAIM}" in log
    assert "A. Person ruled on event 7 for dispute 8: stands (cardmate.path): play went on" in log
    assert run("list").stdout.split()[-1] == "legal"


@pytest.mark.parametrize("seat", [(), ("--seat", "p1"), ("--seat", "rail")])
def test_who_reads_why_a_ply_stands_is_told_by_whose_ruling(seat: tuple[str, ...], run: Run, db: Path) -> None:
    [taken] = objects(run("import", str(REVOKE), "--json", code=1))
    run("ruling", taken["id"], "17", "--stands", "--arbiter", "A. Person")
    text = " ".join(run("why", taken["id"], "17", *seat).stdout.split())
    assert "but did not follow suit; let stand by a ruling of A. Person (proved by ply 40)" in text
    [now] = json.loads(run("why", taken["id"], "17", "--json", *seat).stdout)["now"]
    assert (now["severity"], now["because"].count("let stand by a ruling of")) == ("error", 1)
    if "rail" not in seat:
        typed = CliRunner().invoke(build(), ["record", taken["id"], *seat], input="why 17\n")
        assert "let stand by a ruling of A. Person (proved by ply 40)" in " ".join(typed.stdout.split())


def test_the_sheet_carries_dispute_and_ruling_to_another_house(run: Run, ruled: str, tmp_path: Path) -> None:
    sheet, elsewhere = tmp_path / "sheet.cgn", ("--db", str(tmp_path / "elsewhere.db"))
    run("export", ruled, "--log", "-o", str(sheet))
    for name in (str(sheet), run_import(run, sheet, elsewhere)):
        options = elsewhere if name != str(sheet) else ()
        output = run("check", name, *options, code=0 if options else 1).stdout
        assert f"dispute -1 by p2 on ply 5, 9Hc5, ruled: {CLAIM}" in " ".join(output.split())
        assert "ruling -1 by A. Person on ply 5: stands (cardmate.path): play went on" in output
        assert "ruling -1 by" in run("show", name, *options).stdout
    assert "error cardmate.path" in run("validate", str(sheet), code=1).stdout
    accepted = run("validate", "--accept-rulings", str(sheet)).stdout
    assert "remark cardmate.path" in accepted
    assert "; let stand by a ruling of A. Person\n" in accepted
    again = run("export", name, "--log", *elsewhere).stdout
    assert again.split("\n", 2)[2] == sheet.read_text("utf-8").split("\n", 2)[2]


def run_import(run: Run, sheet: Path, elsewhere: tuple[str, ...]) -> str:
    """Take a sheet in elsewhere and return the id it got."""
    [answer] = objects(run("import", str(sheet), "--json", *elsewhere))
    return str(answer["id"])


def test_a_dispute_an_imported_sheet_tells_of_is_ruled_on_by_its_number(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.cgn"
    sheet.write_text('[Game "Cardmate"]\n\n1. 4Ci3 {[%dispute 1 by=p2 "too late"]} *\n', "utf-8")
    [taken] = objects(run("import", str(sheet), "--json"))
    assert "dispute -1 by p2 on ply 1, 4Ci3, open: too late" in run("check", taken["id"], code=1).stdout
    run("ruling", taken["id"], "--dispute", "-1", "--stands", "--arbiter", "A")
    assert "dispute -1 by p2 on ply 1, 4Ci3, ruled: too late" in run("check", taken["id"]).stdout


def test_an_archive_carries_the_very_log(run: Run, ruled: str, tmp_path: Path) -> None:
    archive, elsewhere = tmp_path / "game.json", ("--db", str(tmp_path / "elsewhere.db"))
    run("export", ruled, "--format", "json", "--log", "-o", str(archive))
    run("import", str(archive), *elsewhere)
    for command in ("log", "check", "show"):
        assert run(command, ruled, *elsewhere).stdout == run(command, ruled).stdout


def test_a_revoke_is_disputed_while_it_is_open_and_ruled_on_when_it_is_proved(run: Run) -> None:
    [taken] = objects(run("import", str(REVOKE), "--json", code=1))
    id = taken["id"]
    run("dispute", id, "17", "--by", "p2", "--claim", "he held a spade")
    given = run(
        *("ruling", id, "17", "--stands", "--penalty", "p3=20 points", "--penalty", "p1=a warning"),
        *("--key", "tarot.follow-suit", "--arbiter", "R. Umpire"),
    )
    assert "stands, p1 a warning, p3 20 points (tarot.follow-suit)" in given.stdout
    assert run("check", id).stdout.endswith("0 open questions, 0 breaches, 0 open disputes, 1 ruling\n")
    assert "(proved by ply 40)" in run("why", id, "17").stdout


# --- what a ruling does ---


def test_a_void_ply_and_its_rest_leave_the_game(run: Run, played: str) -> None:
    output = run("ruling", played, "5", "--void", "--arbiter", "A").stdout
    assert output == "evening: ruling 8 by A on ply 5, 9Hc5, which is gone: void\n"
    broken = run("ruling", played, "1", "--void", "--arbiter", "A", code=1).stdout
    assert "first conflict at ply 1" in broken
    run("ruling", played, "1", "--void", "--rest", "--arbiter", "B")
    assert "after ply 0 of 0" in run("show", played).stdout
    run("move", played, PAGE[0])
    comment = " ".join(run("export", played, "--log").stdout.partition("{")[2].split())
    for command in (
        "1 void arbiter=A was=4Ci3",
        '1,2,3 void arbiter=B was="4Db6 8Dj2 8Ca7"',
        "5 void arbiter=A was=9Hc5",
    ):
        assert f"[%ruling {command}]" in comment


def test_an_amended_ply_reads_as_ruled(run: Run, played: str) -> None:
    output = run("ruling", played, "5", "--amend", "9Cb1", "--arbiter", "A", "--by", "scribe").stdout
    assert output == "evening: ruling 8 by A on ply 5, 9Hc5: amended to 9Cb1\n"
    assert "  scribe  " in run("log", played).stdout
    assert "0 breaches, 1 ruling\n" in run("check", played).stdout
    assert "[%ruling amended, arbiter: A]" in " ".join(run("export", played).stdout.split())


def test_a_result_closes_the_game(run: Run, played: str) -> None:
    output = run("ruling", played, "0", "--result", "0-1", "--arbiter", "A", "--reason", "he left").stdout
    assert output.splitlines()[1] == "evening: closed, 0-1, adjudication"
    sheet = run("export", played).stdout
    for line in ('[Result "0-1"]', '[Termination "adjudication"]', "{[%ruling result, arbiter: A]}"):
        assert line in sheet
    assert "is closed" in run("move", played, PAGE[4], code=1).stderr
    run("dispute", played, "0", "--by", "Ada", "--claim", "I was on time")
    run("reopen", played)
    assert "result 0-1, no longer in force" in run("check", played, code=1).stdout


def test_rulings_and_disputes_are_given_as_json(run: Run, ruled: str) -> None:
    [raised] = objects(run("dispute", ruled, "0", "--by", "Ada", "--claim", "x", "--json"))
    assert (raised["id"], raised["version"], raised["dispute"]["number"]) == (ruled, 10, 10)
    [withdrawn] = objects(run("dispute", ruled, "--withdraw", "10", "--by", "Ada", "--json"))
    assert withdrawn["dispute"]["status"] == "withdrawn"
    [given] = objects(run("ruling", ruled, "5", "--void", "--arbiter", "A", "--json"))
    assert (given["ruling"]["decision"], given["tail"]["old"], given["result"]) == ("void", ["9Hc5"], "")
    answer = objects(run("check", ruled, "--json"))
    assert [next(iter(each)) for each in answer] == ["dispute", "dispute", "ruling", "ruling"]
    assert objects(run("show", ruled, "--json"))[0]["rulings"][1]["arbiter"] == "A"
    assert [each["rulings"] for each in objects(run("replay", ruled, "--json"))] == [[], [], [], []]
    assert objects(run("why", ruled, "4", "--json"))[0]["disputes"] == []


# --- what cannot be done ---

ARBITER = ("--arbiter", "A")


DECLINED: tuple[tuple[tuple[str, ...], int], ...] = (
    (("dispute", "evening"), 2),
    (("dispute", "evening", "5", "--withdraw", "8"), 2),
    (("dispute", "evening", "5", "--by", "p2"), 2),
    (("dispute", "evening", "5", "--claim", "x"), 2),
    (("dispute", "evening", "5", "--by", "p9", "--claim", "x"), 2),
    (("dispute", "evening", "99", "--by", "p2", "--claim", "x"), 1),
    (("dispute", "nobody", "5", "--by", "p2", "--claim", "x"), 2),
    (("dispute", "evening", "--withdraw", "4", "--by", "p2"), 1),
    (("dispute", "evening", "5", "--by", "p2", "--claim", "x", "--expected", "3"), 1),
    (("ruling", "evening", "--stands", *ARBITER), 2),
    (("ruling", "evening", "5", "--dispute", "8", "--stands", *ARBITER), 2),
    (("ruling", "evening", "0", "5", "--stands", *ARBITER), 2),
    (("ruling", "evening", "0", "--stands", *ARBITER), 2),
    (("ruling", "evening", "5", "--stands"), 2),
    (("ruling", "evening", "5", *ARBITER), 2),
    (("ruling", "evening", "5", "--stands", "--void", *ARBITER), 2),
    (("ruling", "evening", "5", "--stands", "--rest", *ARBITER), 2),
    (("ruling", "evening", "5", "--amend", "9Hz9", *ARBITER), 2),
    (("ruling", "evening", "5", "--amend", "9Hc5", *ARBITER), 1),
    (("ruling", "evening", "5", "--penalty", "two points", *ARBITER), 2),
    (("ruling", "evening", "5", "--penalty", "p0=x", *ARBITER), 2),
    (("ruling", "evening", "5", "--penalty", "p7=x", *ARBITER), 2),
    (("ruling", "evening", "5", "--penalty", "p1=x", "--penalty", "p1=y", *ARBITER), 2),
    (("ruling", "evening", "5", "--stands", "--key", "cardmate.revoke", *ARBITER), 2),
    (("ruling", "evening", "5", "--stands", "--key", "path", *ARBITER), 2),
    (("ruling", "evening", "0", "--result", "2-0", *ARBITER), 2),
    (("ruling", "evening", "--dispute", "99", "--stands", *ARBITER), 1),
    (("ruling", "evening", "5", "--stands", *ARBITER, "--expected", "3"), 1),
    (("ruling", "evening", "5", "--stands", "--arbiter", "\udcff"), 2),
    (("ruling", "nobody", "5", "--stands", *ARBITER), 2),
    (("undo", "evening", "--by", "p1", "--agreed", "p1"), 1),
    (("undo", "evening", "--by", "Ada", "--agreed", "p1"), 1),
    (("note", "evening", "5", "[%dispute 5]"), 2),
)
"""Command lines that are declined, and the exit code of each."""


def test_what_cannot_be_done_is_said_in_a_sentence_with_its_code(run: Run, played: str, snapshot: Snapshot) -> None:
    run("dispute", played, "5", "--by", "p2", "--claim", "no")
    before, answers = run("log", played).stdout, []
    for words, code in DECLINED:
        says = run(*words, code=code).stderr
        assert says.count("\n") == 1
        assert run("log", played).stdout == before
        answers.append(f"{typed(words)}{says}\n")
    assert "9Hc5 is refused (cardmate.path)" in "".join(answers)
    snapshot.check("".join(answers))


def test_a_withdrawn_or_ruled_dispute_is_not_ruled_on_again(run: Run, ruled: str) -> None:
    again = run("ruling", ruled, "--dispute", "8", "--void", "--arbiter", "Ben", code=1).stderr
    assert "Dispute 8 of evening has already been ruled on, by A. Person in ruling 9." in again
    run("dispute", ruled, "5", "--by", "Cleo", "--claim", "y")
    run("dispute", ruled, "--withdraw", "10", "--by", "Cleo", "--reason", "settled")
    gone = run("ruling", ruled, "--dispute", "10", "--void", "--arbiter", "Ben", code=1).stderr
    assert "Dispute 10 of evening has already been withdrawn." in gone
    assert "dispute 10 by Cleo on ply 5, 9Hc5, withdrawn (settled): y" in run("check", ruled).stdout


def test_of_two_arbiters_at_the_same_time_one_rules_and_the_other_is_told(run: Run, played: str, db: Path) -> None:
    run("dispute", played, "5", "--by", "p2", "--claim", "no")
    words = [
        sys.executable,
        "-m",
        "cartulary.cli",
        "ruling",
        played,
        "--dispute",
        "8",
        "--expected",
        "8",
        "--db",
        str(db),
    ]
    both = [
        subprocess.Popen(
            [*words, *decision], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=os.environ
        )
        for decision in (("--stands", "--arbiter", "Ann"), ("--void", "--arbiter", "Ben"))
    ]
    answers = [process.communicate(timeout=60) for process in both]
    assert sorted(process.returncode for process in both) == [0, 1]
    [lost] = [error for _, error in answers if error]
    assert "Someone else wrote to evening first" in lost
    assert run("check", played, "--json").stdout.count('"ruling"') == 1


# --- what a seat is told ---


def test_a_seat_reads_that_there_was_a_ruling_and_no_free_word_of_it(run: Run, tmp_path: Path) -> None:
    [taken] = objects(run("import", str(REVOKE), "--json", code=1))
    id = taken["id"]
    run("dispute", id, "17", "--by", "p2", "--claim", "a secret")
    run("ruling", id, "17", "--stands", "--arbiter", "R", "--reason", "his secret", "--penalty", "p3=a secret sum")
    for command in (("check", id), ("why", id, "17"), ("show", id, "--at", "20"), ("log", id)):
        output = run(*command, "--seat", "p1").stdout
        assert "ruling" in output or "ruled" in output
        assert "secret" not in output
    sheet = tmp_path / "sheet.cgn"
    run("export", id, "--log", "-o", str(sheet))
    assert "a secret sum" in run("check", str(sheet), code=1).stdout
    output = run("check", str(sheet), "--seat", "p1", code=1).stdout
    assert "ruling -1 by R on ply 17: stands, p3 ~: ~" in output
    assert "secret" not in output
    assert "secret" not in run("export", id, "--seat", "p1").stdout


@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_that_look_the_same_to_a_seat_read_the_same_after_rulings(
    run: Run, key: str, tmp_path: Path
) -> None:
    title, play = GAMES[key]
    rng = Random(f"rulings of {key}")
    opened = play(rng)
    seat, length = rng.randint(1, opened.seats), len(opened.words) // 2
    words = opened.words[:length]
    worlds = (words, otherwise(title, opened, words, seat, rng))
    assert worlds[0] != worlds[1]
    answers = []
    for number, world in enumerate(worlds):
        db = ("--db", str(tmp_path / f"{number}.db"))
        sheet = tmp_path / f"{number}.cgn"
        sheet.write_text(tables.sheet(title, opened.tags, " ".join(world)), "utf-8")
        answers.append(ruled_on(run, sheet, f"p{seat}", length, db))
    assert answers[0] == answers[1]
    assert "dispute 3 by p1" in answers[0]


def ruled_on(run: Run, sheet: Path, seat: str, plies: int, db: tuple[str, ...]) -> str:
    """Return everything a seat can read of a record that is imported, disputed and ruled on."""
    taken = CliRunner().invoke(build(), ["import", str(sheet), "--json", *db])
    id = json.loads(taken.stdout.splitlines()[0])["id"]
    card = loads(sheet.read_text("utf-8"))[0].line.words[plies - 1]
    run("dispute", id, str(plies), "--by", "p1", "--claim", f"not {card}", *db)
    run("ruling", id, "--dispute", "3", "--stands", "--arbiter", "R", "--reason", card, "--penalty", f"p2={card}", *db)
    run("dispute", id, "0", "--by", "p2", "--claim", card, *db)
    run("ruling", id, str(plies), "--void", "--arbiter", "R", "--reason", card, *db)
    read = []
    for words in (("check", id), ("why", id, str(plies - 1)), ("show", id), ("log", id), ("replay", id)):
        result = CliRunner().invoke(build(), [*words, "--seat", seat, *db])
        assert result.exit_code in (0, 1), result.output
        read.append(re.sub(r"\d{4}-\d\d-\d\dT\S+", "<time>", result.output.replace(id, "<id>")))
    return "\n".join(read).replace(sheet.name, "<sheet>")


def test_an_archive_whose_ruling_reads_otherwise_beside_the_log_is_not_proved(
    run: Run, played: str, tmp_path: Path
) -> None:
    run("dispute", played, "5", "--by", "p2", "--claim", "a Nine cannot")
    run("ruling", played, "5", "--stands", "--arbiter", "Dana", "--key", "cardmate.reach", "--reason", "seen too late")
    path = tmp_path / "club.jsonl"
    run("export", played, "--format", "json", "--log", "-o", str(path))
    run("verify", str(path))
    text = path.read_text("utf-8")
    for mine, theirs, name in (("seen too late", "in time", "rulings"), ("a Nine cannot", "it can", "disputes")):
        assert text.count(mine) > 1
        path.write_text(text.replace(mine, theirs, 1), "utf-8")
        assert name in run("verify", str(path), code=3).output
