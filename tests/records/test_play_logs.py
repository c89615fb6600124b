"""Plays of BG Stats and of BoardGameGeek, imported from files as finished games."""

import json
from pathlib import Path
from typing import Any

import pytest

from cartulary.records.exchange.play_logs import is_play_log, read_plays
from cartulary.records.faults import Unfit
from tests.records.archives import Run

BGG = """<?xml version="1.0" encoding="utf-8"?>
<plays username="ann" userid="1" total="4" page="1" termsofuse="https://example.org/terms">
  <play id="11" date="2026-04-30" quantity="1" length="75" incomplete="0" nowinstats="0" location="Club">
    <item name="Catan" objecttype="thing" objectid="13"><subtypes><subtype value="boardgame"/></subtypes></item>
    <comments>A close
 one</comments>
    <players>
      <player username="ann" userid="1" name="Ann" startposition="1" color="" score="10" new="0" rating="0" win="1"/>
      <player username="" userid="0" name="Bea" startposition="2" color="" score="8" new="0" rating="0" win="0"/>
    </players>
  </play>
  <play id="12" date="2026-05-01" quantity="2" length="0" incomplete="0" nowinstats="0" location="">
    <item name="Set" objecttype="thing" objectid="1198"/>
    <players>
      <player username="" userid="0" name="Bea" score="" win="1"/>
      <player username="" userid="0" name="Cy" score="" win="0"/>
    </players>
  </play>
  <play id="13" date="2026-05-02" quantity="1" length="0" incomplete="1" nowinstats="0" location="">
    <item name="Catan" objecttype="thing" objectid="13"/>
    <players><player username="ann" userid="1" name="Ann" score="4" win="0"/></players>
  </play>
  <play id="14" date="2026-05-03" quantity="1" length="0" incomplete="0" nowinstats="0" location="">
    <item name="Catan" objecttype="thing" objectid="13"/>
  </play>
</plays>
"""


def bg_stats(*plays: dict[str, Any]) -> str:
    """Return an export of BG Stats with four players and three games."""
    return json.dumps(
        {
            "about": "This is a Play file that can be read by Board Game Stats.",
            "players": [
                {"uuid": f"u{id}", "id": id, "name": name, "isAnonymous": name == "", "bggUsername": ""}
                for id, name in ((1, "Ann"), (2, "Bea"), (3, "Cy"), (4, ""))
            ],
            "locations": [{"uuid": "l", "id": 17, "name": "Club"}],
            "games": [
                {"uuid": "g1", "id": 1, "name": "Catan", "cooperative": False, "highestWins": True, "bggId": 13},
                {"uuid": "g2", "id": 2, "name": "Golf", "cooperative": False, "highestWins": False, "bggId": 0},
                {"uuid": "g3", "id": 3, "name": "Pandemic", "cooperative": True, "highestWins": True, "bggId": 30549},
            ],
            "plays": plays,
        },
        indent=1,
    )


def play(number: int, game: int, *scores: tuple[int, str, bool], **more: Any) -> dict[str, Any]:
    """Return one play; each score is a player, the points as text, and whether he won."""
    return {
        "uuid": f"play-{number}",
        "playDate": f"2026-03-{number:02} 20:15:00",
        "gameRefId": game,
        "durationMin": 95,
        "locationRefId": 17,
        "comments": "",
        "playerScores": [
            {"playerRefId": player, "score": score, "winner": won, "seatOrder": seat, "rank": 0, "newPlayer": False}
            for seat, (player, score, won) in enumerate(scores)
        ],
    } | more


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "BGStatsExport.json"


def exported(run: Run, id: str) -> str:
    return run("export", id).stdout


def test_plays_of_bg_stats_become_finished_games(run: Run, file: Path) -> None:
    file.write_text(
        bg_stats(
            play(1, 1, (1, "10", True), (2, "8", False), comments="First\ngame"),
            play(2, 2, (1, "70", False), (2, "65", True)),
            play(3, 3, (1, "", True), (3, "", True)),
            play(4, 1, (1, "9", False), (2, "10", False), (3, "10", True)),
            play(5, 1, (4, "3", False), (2, "10", True)),
        )
    )
    done = run("import", str(file))
    assert done.stderr == "5 games: 5 new\n"
    ids = [line.rpartition(" ")[2] for line in done.stdout.splitlines()]
    catan, golf, pandemic, tie, unknown = (exported(run, id) for id in ids)
    for part in ('[Game "Catan"]', '[Date "2026.03.01"]', '[Site "Club"]', '[Points "10:8"]', '[Result "1-0"]'):
        assert part in catan
    assert '[Duration "1:35"]' in catan
    assert '[Comment "First game"]' in catan
    assert '[Result "0-1"]' in golf
    assert '[Table "won"]' in pandemic
    # The tie was broken by hand: the mark says who won, and the points are kept beside it.
    assert '[Places "2:2:1"]' in tie
    assert '[Counted "9:10:10"]' in tie
    assert '[Seat1 "?"]' in unknown


def test_importing_the_same_plays_again_adds_nothing(run: Run, file: Path) -> None:
    file.write_text(bg_stats(play(1, 1, (1, "10", True), (2, "8", False))))
    first = run("import", str(file)).stdout
    assert run("import", str(file)).stdout == first.replace("\n", " (known)\n")
    assert run("list", "--json").stdout.count('"id"') == 1


def test_a_play_that_cannot_be_recorded_is_named_and_the_others_are_recorded(run: Run, file: Path) -> None:
    file.write_text(
        bg_stats(
            play(1, 9, (1, "1", True)),
            play(2, 1),
            play(3, 1, (1, "", False), (2, "", False)),
            play(4, 1, (1, "10", True), (1, "8", False)),
            play(5, 1, (1, "10", True), (2, "8", False), playDate="soon"),
            play(6, 1, (1, "10", True), (2, "8", False), ignored=True),
            play(7, 1, (1, "10", True), (2, "8", False)),
        )
    )
    done = run("import", str(file), code=1)
    for number, because in (
        (1, "its game 9 is not in the file"),
        (2, "nobody is named in it"),
        (3, "neither who has won nor the points"),
        (4, "Ann is named twice"),
        (5, "soon"),
        (6, "marked as ignored"),
    ):
        [line] = [line for line in done.stderr.splitlines() if f"play {number} (" in line or f"play {number}: " in line]
        assert because in line
    assert "7 games: 1 new, 6 declined" in done.stderr


def test_plays_of_boardgamegeek_become_finished_games(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "plays.xml"
    file.write_text(BGG)
    done = run("import", str(file), code=1)
    assert "5 games: 3 new, 2 declined" in done.stderr
    assert "play 4 (Catan, 2026.05.02): It is not recorded: it was not finished." in done.stderr
    ids = [line.rpartition(" ")[2] for line in done.stdout.splitlines()]
    catan = exported(run, ids[0])
    for part in ('[Date "2026.04.30"]', '[Duration "1:15"]', '[Comment "A close one"]', '[Points "10:8"]'):
        assert part in catan
    assert ids[1] != ids[2]  # an entry with quantity 2
    assert '[Places "1:2"]' in exported(run, ids[1])
    assert "3 known" in run("import", str(file), code=1).stderr


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ('{"plays": 3, "bggId": 1}', "no export of BG Stats"),
        ("<plays><play></plays>", "no XML of plays"),
        ('<plays><!ENTITY b "c"></plays>', "declares entities"),
        ("<plays>" + chr(0xDC80) + "</plays>", "is not UTF-8"),
        ('<plays total="0"></plays>', ""),
    ],
)
def test_a_file_that_is_no_log_of_plays_is_refused_in_a_sentence(text: str, because: str) -> None:
    if not because:
        assert read_plays(text.encode()) == ()
        return
    with pytest.raises(Unfit, match=because):
        read_plays(text.encode("utf-8", "surrogateescape"))


def test_one_part_that_cannot_be_read_spoils_no_other(run: Run, file: Path) -> None:
    good = play(3, 1, (1, "10", True), (2, "8", False), durationMin=None, locationRefId=None)
    text = json.loads(
        bg_stats(play(1, 1, (1, "10", True), durationMin="long"), play(2, 1, (9, "10", True), (2, "8", False)), good)
    )
    text["players"].insert(0, {"id": "none"})
    text["locations"].append(17)
    file.write_text(json.dumps(text))
    done = run("import", str(file), code=1)
    assert "play 1: It is not recorded: it cannot be read: " in done.stderr
    assert "durationMin" in done.stderr
    assert "play 2 (Catan, 2026.03.02): It is not recorded: its player 9 is not in the file." in done.stderr
    assert "3 games: 1 new, 2 declined" in done.stderr


def test_a_number_that_may_mean_thousands_or_decimals_is_not_guessed(run: Run, file: Path) -> None:
    file.write_text(bg_stats(play(1, 1, (1, "1,024", True), (2, "998", False))))
    id = run("import", str(file)).stdout.split()[-1]
    sheet = exported(run, id)
    assert '[Places "1:2"]' in sheet
    assert '[Counted "1,024:998"]' in sheet


def test_a_dry_run_stores_nothing_and_says_what_would_be_recorded(run: Run, file: Path) -> None:
    file.write_text(bg_stats(play(1, 1, (1, "10", True), (2, "8", False)), play(2, 9, (1, "1", True))))
    assert "2 games: 1 new, 1 declined; nothing was stored" in run("import", str(file), "--dry-run", code=1).stderr
    assert "No game was found" in run("list").stderr
    run("import", str(file), code=1)
    assert "1 known, 1 declined; nothing was stored" in run("import", str(file), "--dry-run", code=1).stderr


def test_a_dry_run_takes_plays_only(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "one.cgn"
    sheet.write_text('[Game "Catan"]\n[Rules "none"]\n[Seat1 "Ann"]\n[Result "1"]\n\n1\n')
    said = run("import", str(sheet), "--dry-run", code=2).stderr
    assert "holds neither plays of another program nor a tournament report" in said
    assert "leave out --dry-run" in run("import", str(sheet), "--second", "x", "--dry-run", code=2).stderr
    assert "No game was found" in run("list").stderr


def test_a_play_that_was_entered_by_hand_before_is_named(run: Run, file: Path) -> None:
    run("result", "Catan", "-p", "bea=8", "-p", "Ann=10", "--date", "2026-03-01", "--id", "by-hand")
    run("result", "Catan", "-p", "Bea=9", "-p", "Ann=10", "--date", "2026-03-01", "--id", "other")
    file.write_text(
        bg_stats(play(1, 1, (1, "10", True), (2, "8", False)), play(2, 1, (1, "10", True), (4, "8", False)))
    )
    done = run("import", str(file))
    [line] = [line for line in done.stderr.splitlines() if "`duplicates` says more" in line]
    assert "play 1: " in line
    assert "has the day, the players and the points of by-hand;" in line
    answer = json.loads(run("import", str(file), "--json").stdout.splitlines()[0])
    assert (answer["status"], answer["alike"]) == ("known", [])


def test_an_export_that_begins_with_deleted_objects_is_recognised() -> None:
    deleted = [{"externalId": 0, "modificationDate": "2019-04-06 04:54:35", "objectType": "Play", "uuid": "1DB7"}] * 9
    assert is_play_log(json.dumps({"challenges": [], "deletedObjects": deleted}).encode())


def test_an_archive_and_a_sheet_are_no_logs_of_plays() -> None:
    assert not is_play_log(b'{"cartulary":1,"id":"x"}')
    assert not is_play_log(b'[Game "Catan"]\n\n*')
    assert is_play_log(BGG.encode())


def test_plays_without_an_id_are_known_by_what_they_say(run: Run, file: Path) -> None:
    same = play(1, 1, (1, "10", True), (2, "8", False), uuid="")
    file.write_text(bg_stats(same, same, play(2, 1, (1, "7", False), (2, "10", True), uuid="")))
    assert "3 games: 3 new" in run("import", str(file)).stderr
    assert "3 games: 3 known" in run("import", str(file)).stderr


def test_a_document_type_is_refused_as_what_it_is(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "plays.xml"
    file.write_text(BGG.replace("<plays ", '<!DOCTYPE plays [<!ENTITY a "b">]>\n<plays ', 1))
    assert "declares entities" in run("import", str(file), code=2).stderr
