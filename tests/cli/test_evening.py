"""An evening at the club as it goes: words nobody wrote, a revoke, a penalty, an adjourned game, two sheets."""

import json
from pathlib import Path

from cartulary.notation import examine, loads
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.places import SAMPLES
from tests.records.archives import Run

[TABLE] = loads((SAMPLES / "tarot" / "games" / "table-revoke.cgn").read_bytes())
[PAGE] = loads((SAMPLES / "cardmate" / "games" / "page-1.cgn").read_bytes())
PLAYERS = ("Ada", "Bela", "Carl", "Dora")
MISSED = 31
"""The card nobody saw."""
REVOKE, PROVED = 17, 40
"""The ply that revoked, and the one whose card proved it."""


def test_a_deal_with_a_missed_card_a_missed_bid_a_revoke_and_a_penalty(run: Run, store: Store, tmp_path: Path) -> None:
    players = [word for name in PLAYERS for word in ("--player", name)]
    run("new", "tarot", "--id", "evening", "--variant", "fft", *players, "--tag", "Date=2026.11.23")
    words = list(TABLE.line.words)
    words[0], words[5], words[MISSED - 1] = "~", "3C,5C,5D,8D,QD,QH-", "~"
    run("move", "evening", *words[: PROVED - 1])
    asked = run("check", "evening").stdout
    assert f"(ply {MISSED}, p3)" in asked
    assert "record.gap" in asked
    run("move", "evening", *words[PROVED - 1 :], "--stands")
    game = load(store, "evening")
    found = {(one.key, one.ply): one for one in game.report.findings}
    assert found["tarot.follow-suit", REVOKE].decided_by == PROVED
    assert "can only have been 7D" in found["record.filled", MISSED].because
    assert run("why", "evening", str(MISSED)).stdout.count("7D")
    run("dispute", "evening", str(REVOKE), "--by", "p1", "--claim", "he had a spade")
    ruling = ("ruling", "evening", str(REVOKE), "--stands", "--penalty", "p3=88", "--give", "p1=88")
    output = run(*ruling, "--arbiter", "R. Umpire", "--key", "tarot.follow-suit").stdout
    assert "the score is 176:-264:0:88" in output
    assert run("close", "evening").stdout.startswith("evening: closed, 1-0-0-0")

    sheet = run("export", "evening").stdout
    assert '[Score "176:-264:0:88"]' in sheet
    [written] = loads(sheet)
    assert [one.key for one in examine(written).report.findings if one.severity == "error"] == ["tarot.follow-suit"]
    paper = run("export", "evening", "--format", "html").stdout
    assert "176:-264:0:88" in paper
    assert "R. Umpire" in paper
    rows = [json.loads(line) for line in run("stats", "results", "--json").stdout.splitlines()]
    assert {row["seat"]: row["won alone"] for row in rows} == {"p1": 1, "p2": 0, "p3": 0, "p4": 0}

    archive = tmp_path / "evening.jsonl"
    run("export", "evening", "--format", "json", "--log", "-o", str(archive))
    elsewhere = tmp_path / "elsewhere.db"
    run("import", str(archive), "--db", str(elsewhere))
    with Store(elsewhere) as there:
        again = load(there, "evening")
        assert str(again.head) == str(load(store, "evening").head)
        assert again.examined.ruled_score == "176:-264:0:88"
        assert api.export_cgn(there, "evening") == api.export_cgn(store, "evening")


def test_a_game_is_adjourned_set_up_from_its_board_and_finished(run: Run, store: Store) -> None:
    players = ("--player", "Ada", "--player", "Bela")
    run("new", "cardmate", "--id", "first", *players, "--tag", "Date=2026.11.22")
    run("move", "first", *PAGE.line.words[:30])
    board = run("board", "first").stdout.strip()
    run("close", "first", "*", "--termination", "abandoned")
    run("new", "cardmate", "--id", "second", "--variant", "composed", "--setup", board, *players)
    output = run("move", "second", *PAGE.line.words[30:]).stdout
    assert output.count(": legal") >= 10
    whole, ended = examine(PAGE), load(store, "second").examined
    assert ended.outcome is not None
    assert whole.outcome is not None
    assert ended.outcome.shares == whole.outcome.shares
    assert load(store, "second").report.verdict == "legal"
    assert '[Variant "composed"]' in run("export", "second").stdout


def test_two_sheets_of_one_game_are_compared_and_the_game_is_put_right(run: Run, store: Store, tmp_path: Path) -> None:
    words = list(PAGE.line.words)
    hers, his = tmp_path / "ada.cgn", tmp_path / "bela.cgn"
    text = (SAMPLES / "cardmate" / "games" / "page-1.cgn").read_text("utf-8")
    hers.write_text(text.replace("8Dh3", "8Dh9"), "utf-8")
    his.write_text(text.replace("9Sa7", "~"), "utf-8")
    compared = json.loads(run("compare", str(hers), str(his), "--restore", "--json", code=1).stdout)
    assert compared["first"] == 5
    assert compared["nearest"]["answer"] == "one"
    assert [word.rstrip("×+") for word in compared["nearest"]["games"][0]["words"]] == [w.rstrip("×+") for w in words]
    [answer] = api.import_records(store, loads(hers.read_bytes()))
    run("import", str(his), "--second", answer.id, "--by", "p2")
    run("dispute", answer.id, "5", "--by", "p2", "--claim", "she wrote h9", "--cite", "3")
    run("ruling", answer.id, "5", "--amend", "8Dh3", "--arbiter", "R. Umpire", "--cite", "3")
    assert load(store, answer.id).report.verdict == "legal"
    assert "No word differs" not in run("compare", answer.id, code=1).stdout
