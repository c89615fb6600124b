"""``validate``: findings with their places, one line a game, the exit codes, several processes, bad files."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.cli.shell.cuts import RANGE, cuts
from cartulary.cli.shell.ranges import Pool, examine_range
from cartulary.notation import Report, examine, load
from tests.cli.conftest import Write
from tests.hunts import looks
from tests.places import SAMPLES

GAMES = SAMPLES / "cardmate" / "games"
TAGS = '[Game "Cardmate"]\n[Result "*"]\n\n'
LEGAL = TAGS + "1. 4Ci3 4Db6 2. 8Dj2 8Ca7 *\n"
REFUSED = TAGS + "1. 4Ci3 4Db6\n2. 8D:h9 8Ca7 *\n"
UNREAD = TAGS + "1. 4Ci3 4Db6 2. Zebra 8Ca7 *\n"
MARKED = TAGS + "1. 4Ci3 4Db6 2. 8Dh9 {[%irregular cardmate.reach]} 8Ca7 *\n"
REMARKED = TAGS + "1. 4Ci3 4Db6 2. 8Dj2. 8Ca7 *\n"


class Ended:
    """What a run printed, said and ended with."""

    def __init__(self, *words: str, stdin: str = "") -> None:
        result = CliRunner().invoke(build(), ["validate", *words], input=stdin.encode())
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        self.out, self.said, self.code = result.stdout, result.stderr, result.exit_code

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


# --- what is printed ---


def test_both_page_games_are_shown_to_be_legal() -> None:
    ended = Ended(str(GAMES / "page-1.cgn"), str(GAMES / "page-2.cgn"))
    first, second = ended.out.splitlines()
    assert first.endswith("page-1.cgn#1: legal, 40 plies, 0-1")
    assert second.endswith("page-2.cgn#1: legal, 59 plies, 1-0")
    assert (ended.said, ended.code) == ("2 games: 2 legal\n", 0)


def test_a_refused_move_is_told_with_place_rule_source_and_legal_moves(write: Write) -> None:
    path = write("a.cgn", REFUSED)
    ended = Ended(path)
    head, move, rule, source, legal, game = ended.out.splitlines()
    assert head.startswith(f"{path}:5:4: error cardmate.reach 8D on i0 does not reach h9")
    assert move.split() == ["move", "8D:h9", "(ply", "3,", "p1)"]
    assert rule == "    rule    A card goes only where its rank lets it go."
    assert source.split()[:3] == ["source", "I.", "Derzhanski,"]
    assert legal.startswith("    legal   ")
    assert len(legal.split(", ")) == 8
    assert game == f"{path}#1: irregular, 4 plies, *, 1 error"
    assert (ended.said, ended.code) == ("1 game: 1 irregular\n", 1)


def test_json_has_every_field_and_one_object_a_game(write: Write) -> None:
    ended = Ended("--json", write("a.cgn", REFUSED), write("b.cgn", LEGAL))
    irregular, legal = ended.objects
    fields = ["path", "index", "line", "game", "edition", "variant", "plies", "result", "verdict", "findings"]
    assert list(irregular) == list(legal) == fields
    assert (legal["verdict"], legal["findings"], legal["edition"]) == ("legal", [], "cardmate-2000")
    finding = next(found for found in irregular["findings"] if found["severity"] == "error")
    assert set(finding) == {
        "severity", "key", "ply", "move", "seat", "line", "column", "because", "rule", "source", "legal", "decided_by",
        "more",
    }  # fmt: skip
    assert (finding["key"], finding["ply"], finding["seat"]) == ("cardmate.reach", 3, "p1")
    assert (finding["line"], finding["column"], finding["decided_by"]) == (5, 4, None)


def test_of_a_text_that_is_no_score_sheet_only_that_is_told(write: Write) -> None:
    path = write("notes.txt", "# Notes.\n\nplayers = 2.\nOne word after another. And so on.\n")
    head, left, game = Ended(path).out.splitlines()
    assert head.startswith(f"{path}:1:1: error record.tag found no Game tag")
    (report,) = Ended("--json", path).objects
    assert len(report["findings"]) == 5
    assert left == "    4 more findings are left out; --json has all"
    assert game.startswith(f"{path}#1: unreadable, ")
    assert "left out" not in Ended(write("b.cgn", "1. 4Ci3 *\n")).out


def test_the_tail_behind_an_unreadable_word_is_kept_and_counted(write: Write) -> None:
    (report,) = Ended("--json", write("a.cgn", UNREAD)).objects
    assert report["verdict"] == "unreadable"
    assert report["plies"] == 4
    assert "kept unread" in report["findings"][0]["because"]


def test_quiet_leaves_out_games_with_nothing_to_say(write: Write) -> None:
    assert Ended("--quiet", write("a.cgn", LEGAL)).out == ""
    assert "#1: irregular" in Ended("--quiet", write("a.cgn", REFUSED)).out


def test_no_argument_reads_standard_input() -> None:
    assert Ended(stdin=LEGAL).out == "-#1: legal, 4 plies, *\n"
    assert Ended("-", stdin=LEGAL).out == "-#1: legal, 4 plies, *\n"


# --- exit codes ---


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (LEGAL, (), 0),
        (REFUSED, (), 1),
        (UNREAD, (), 1),
        (REMARKED, (), 0),
        (REMARKED, ("--fail-on", "remark"), 1),
        (LEGAL, ("--fail-on", "remark"), 0),
        (REMARKED, ("--fail-on", "undecided"), 0),
        (MARKED, (), 1),
        (MARKED, ("--accept-rulings",), 0),
        ('[Game "Nonesuch"]\n\n1. a *\n', (), 1),
        ('[Game "Cardmate"]\n[Variant "mirror"]\n\n*\n', (), 1),
        ('[Game "Cardmate"]\n[Edition "cardmate-1999"]\n\n*\n', (), 1),
        ('[Game "Cardmate"]\n[Options "gaza"]\n\n*\n', (), 1),
    ],
)
def test_the_exit_code_follows_the_worst_finding(text: str, options: tuple[str, ...], code: int, write: Write) -> None:
    assert Ended(*options, write("a.cgn", text)).code == code


def test_an_unknown_severity_is_a_wrong_argument() -> None:
    assert Ended("--fail-on", "whatever", "-").code == 2


# --- files that are no score sheets ---


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "holds no game"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is not a score sheet: byte 9 is zero"),
        ("\ufeff[Game]".encode("utf-16"), "it is text in UTF-16"),
        (b"\x1f\x8b\x08rest", "compressed by gzip"),
        (b"SQLite format 3\0rest", "name a game in it by its id"),
    ],
)
def test_what_is_no_score_sheet_is_said_and_every_other_file_is_judged(
    data: bytes, sentence: str, write: Write
) -> None:
    odd, good = write("odd.cgn", data), write("good.cgn", LEGAL)
    for jobs in ("1", "2"):
        ended = Ended("--jobs", jobs, odd, good)
        assert f"cartulary: {odd} " in ended.said
        assert sentence in ended.said
        assert ended.said.endswith("1 game: 1 legal\n")
        assert ended.out == f"{good}#1: legal, 4 plies, *\n"
        assert ended.code == 2


def test_a_path_that_is_not_there_is_said(tmp_path: Path, write: Write) -> None:
    ended = Ended(str(tmp_path / "missing.cgn"), write("good.cgn", LEGAL), write("good.cgn", LEGAL) + "#7")
    assert "missing.cgn cannot be read: no such file or directory" in ended.said
    assert "good.cgn#7: there is no game 7; expected a number up to 1" in ended.said
    assert ended.said.endswith("1 game: 1 legal\n")
    assert ended.code == 2
    assert "0 games" not in Ended(str(tmp_path / "missing.cgn")).said


def test_a_folder_stands_for_the_score_sheets_below_it(tmp_path: Path, write: Write) -> None:
    assert "expected a .cgn, .pgn, .pdn or .sgf file in it or below it" in Ended(str(tmp_path)).said
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.cgn").write_text(LEGAL)
    write("c.cgn", LEGAL)
    write("notes.txt", "nothing")
    ended = Ended(str(tmp_path))
    assert [line.split("#")[0] for line in ended.out.splitlines()] == [
        str(tmp_path / "b" / "two.cgn"),
        str(tmp_path / "c.cgn"),
    ]
    assert ended.code == 0


@pytest.mark.parametrize("data", [LEGAL.encode("utf-8-sig"), LEGAL.replace("\n", "\r\n").encode()])
def test_marks_of_other_systems_are_read(data: bytes, write: Write) -> None:
    assert Ended("--fail-on", "remark", write("a.cgn", data)).code == 0


def test_latin_text_is_read_with_a_remark(write: Write) -> None:
    ended = Ended(write("a.cgn", LEGAL.replace("Cardmate", 'Cardmate"]\n[Site "Köln').encode("latin-1")))
    assert "remark cgn.syntax read as Latin-1" in ended.out
    assert ended.code == 0


def test_one_game_of_a_file_can_be_named(write: Write) -> None:
    path = write("a.cgn", REFUSED + "\n" + LEGAL)
    ended = Ended(path + "#2")
    assert ended.out == f"{path}#2: legal, 4 plies, *\n"
    assert ended.code == 0


# --- several processes ---


def many(count: int) -> str:
    """Return games with faults strewn in, so that places in the file are seen to be right."""
    kinds = [LEGAL, LEGAL, REFUSED, LEGAL, UNREAD, REMARKED, LEGAL]
    padding = "{" + "word " * 120 + "}"
    games = []
    for number in range(count):
        tags = f'[Event "{number}"]\n[Result'
        games.append(kinds[number % 7].replace("[Result", tags, 1).replace("1. 4Ci3", f"1. 4Ci3 {padding}"))
    return "% CGN 1.0\n" + "\n".join(games)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_several_processes_print_what_one_prints(ends: str, write: Write) -> None:
    long = write("long.cgn", many(1000).replace("\n", ends))
    short = write("short.cgn", REFUSED)
    assert len(list(cuts(long))) > 2
    one, two = Ended(short, long, short), Ended("--jobs", "2", short, long, short)
    assert one.out == two.out
    assert (one.said, one.code) == (two.said, two.code)
    assert Ended("--json", long).out == Ended("--json", "--jobs", "3", long).out


def test_ranges_cover_a_file_once_and_begin_with_games(tmp_path: Path) -> None:
    path = tmp_path / "a.cgn"
    data = many(60).replace("[Game", '[Event "?"]\n[Game', 30).encode()
    path.write_bytes(data)
    ranges = list(cuts(str(path), 5000))
    assert len(ranges) > 5
    assert [start for start, _ in ranges[1:]] == [stop for _, stop in ranges[:-1]]
    assert (ranges[0][0], ranges[-1][1]) == (0, len(data))
    assert {data[start : start + 5] for start, _ in ranges[1:]} == {b"[Game", b"[Even"}


LINES = (
    "", "", "", '[Event "x"]', '[Game "Cardmate"]', '[Game "Halma"]', "% an escape line", "% CGN 1.0", "[odd", " ",
    "1. 4Ci3 4Db6 *", "2. 8Dj2 {open", "shut}", "; aside", "(", "*", ' [Site "?"]', "[%clk 0:12:30]",
)  # fmt: skip


def by_ranges(path: str, step: int) -> list[Report]:
    """Return the reports of a file judged range by range, as several processes do, but by this one."""
    pool = Pool(0, False)
    found: list[Report] = []
    for start, stop in cuts(path, step):
        found += pool.in_place(start, stop, *examine_range(path, start, stop, False))[0]
    return found


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.hunt
@pytest.mark.parametrize("seed", range(looks(60)))
def test_wherever_a_file_is_cut_its_reports_are_the_same(seed: int, ends: str, tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = tmp_path / "a.cgn"
    marked = "\ufeff" * (seed % 3 == 0)
    path.write_bytes((marked + "".join(rng.choice(LINES) + ends for _ in range(80))).encode())
    whole = [examine(record, str(path)).report for record in load(path)]
    for step in (1, 7, 40, 150, 400):
        assert by_ranges(str(path), step) == whole, step


def test_games_whose_tags_stand_apart_are_joined_by_several_processes_too(write: Write) -> None:
    event = "x" * 600
    path = write("a.cgn", f'[Event "{event}"]\n\n[Game "Cardmate"]\n\n1. 4Ci3 *\n\n' * 1000)
    assert Path(path).read_bytes()[RANGE] == ord(
        "x"
    )  # the first tags behind the cut are of a game that began before it
    assert len(list(cuts(path))) > 1
    one, two = Ended(path), Ended("--jobs", "2", path)
    assert one.said == two.said == "1000 games: 1000 legal\n"
    assert one.out == two.out
