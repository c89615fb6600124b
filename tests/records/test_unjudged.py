"""Records that nobody judges: kept as they are written, through every command, and never called legal."""

import json
import re
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import canonical, dumps, examine, loads, unjudged
from cartulary.notation.contract import AnyGame
from cartulary.notation.roster import find_game
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.marks import marks_of
from cartulary.records.log.events import GameOpened
from cartulary.records.log.store import Store
from tests.places import SAMPLES
from tests.records.archives import Run, taken_in

OPERA = SAMPLES / "unjudged" / "games" / "opera.cgn"
MOVES = (
    *("e4", "e5", "Nf3", "d6", "d4", "Bg4", "dxe5", "Bxf3", "Qxf3", "dxe5", "Bc4", "Nf6", "Qb3", "Qe7", "Nc3", "c6"),
    *("Bg5", "b5", "Nxb5", "cxb5", "Bxb5+", "Nbd7", "O-O-O", "Rd8", "Rxd7", "Rxd7", "Rd1", "Qe6", "Bxd7+", "Nxd7"),
    *("Qb8+", "Nxb8", "Rd8#"),
)
WHIST = '[Game "Whist"]\n[Rules "none"]\n[Result "1/2-0-1/2-0"]\n\n'


def of(movetext: str, **tags: str) -> str:
    """Return a sheet nobody judges."""
    answer = {"Game": "Chess", "Rules": "none"} | tags
    return "".join(f'[{name} "{value}"]\n' for name, value in answer.items()) + f"\n{movetext}\n"


def test_no_installed_game_is_looked_up_where_the_tags_name_and_count_the_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []

    def noted(name: str) -> AnyGame:
        names.append(name)
        return find_game(name)

    monkeypatch.setattr(unjudged, "find_game", noted)
    seats = {f"Seat{seat}": f"Person {seat}" for seat in (1, 2, 3)} | {"Result": "0-1-0"}
    [record] = loads(of("0-1-0", Game="Game of this test alone", **seats))
    assert examine(record).report.verdict == "unjudged"
    assert not names
    [record] = loads(of("0-1-0", Game="Game of this test alone"))
    assert examine(record).report.verdict == "unjudged"
    assert names


def verdict(text: str) -> tuple[str, list[str]]:
    """Return the verdict on a sheet and the keys of what was found."""
    [record] = loads(text)
    report = examine(record).report
    return report.verdict, [found.key for found in report.findings]


# --- sheets ---


def test_a_sheet_nobody_judges_is_kept_word_for_word_and_never_legal() -> None:
    text = OPERA.read_text("utf-8")
    [record] = loads(text)
    examined = examine(record)
    assert examined.words == record.line.words == MOVES
    assert examined.report.verdict == "unjudged"
    assert examined.report.game == "Chess"
    assert dumps(canonical(record)) == text


@pytest.mark.parametrize("game", ["Cardmate", "cardmate", "Tarot", "Zarcana"])
def test_rules_none_wins_over_a_known_game(game: str) -> None:
    assert verdict(of("a4 p2/b5 nonsense *", Game=game)) == ("unjudged", [])


def test_without_the_tag_a_game_nobody_knows_is_unreadable_and_a_likely_one_is_named() -> None:
    [record] = loads('[Game "Cardmat"]\n\n4Ci3 *\n')
    report = examine(record).report
    assert report.verdict == "unreadable"
    assert "did you mean Cardmate? expected one of: Arcanoid" in report.findings[0].because
    [record] = loads('[Game "Nonesuch"]\n\ne4 *\n')
    assert "did you mean" not in examine(record).report.findings[0].because


def test_any_other_value_of_rules_is_a_fault_and_the_game_is_judged() -> None:
    [record] = loads('[Game "Cardmate"]\n[Rules "nine"]\n\n4Ci3 *\n')
    report = examine(record).report
    assert (report.verdict, report.plies) == ("irregular", 1)
    [found] = report.findings
    assert (found.key, found.line) == ("record.tag", 2)
    assert "found the rules 'nine', expected none" in found.because


def test_what_is_no_word_is_unreadable() -> None:
    assert verdict(of("e4 e}5 d4 *"))[0] == "unreadable"
    assert verdict('[Rules "none"]\n\nKSx *\n')[0] == "unreadable"


def test_calls_end_such_a_game_and_a_result_is_held_against_them() -> None:
    assert verdict(of("e4 e5 Resign 0-1")) == ("unjudged", [])
    assert verdict(of("e4 e5 Draw Agree *")) == ("unjudged", ["call.no-offer"])
    assert verdict(of("e4 e5 Draw p2/Agree 1/2-1/2")) == ("unjudged", [])
    assert verdict(of("e4 e5 p2/Resign 0-1")) == ("unjudged", ["record.result"])
    assert verdict(of("e4 Resign e5 1-0")) == ("unjudged", ["call.resign"])


def test_seats_are_counted_by_tags_or_the_result_and_a_prefix_says_who_spoke() -> None:
    [record] = loads(f"{WHIST}p0/*~ 1. p3/KS QS 2S p2/3S 2. p2/4H 1/2-0-1/2-0\n")
    examined = examine(record)
    assert examined.report.findings == ()
    assert examined.spoke == (0, 3, 4, 1, 2, 2)
    [record] = loads(of("a b c d p4/e *", Seat1="A", Seat2="B", Seat3="C", Game="Hearts"))
    assert examine(record).spoke == (1, 2, 3, 1, 2)


def test_numbers_count_rounds_of_the_table() -> None:
    [record] = loads(f"{WHIST}p0/*~ KS QS 2S 3S 4H 1/2-0-1/2-0\n")
    assert "p0/*~ 1. KS QS 2S 3S 2. 4H 1/2-0-1/2-0" in dumps(canonical(record))
    assert verdict(of("1. e4 e5 3. Nf3 *"))[1] == ["cgn.number"]


FREE = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60)


@given(FREE, st.sampled_from(("Chess", "Cardmate", "Tarot", "?")))
def test_canonical_text_of_free_words_is_a_fixed_point(movetext: str, game: str) -> None:
    [record] = loads(of(movetext, Game=game))[:1]
    once = dumps(canonical(record))
    [again] = loads(once)
    assert dumps(canonical(again)) == once
    assert again.line.words == record.line.words
    assert examine(record).report.verdict != "legal"


# --- live records ---


@pytest.fixture
def opera(run: Run) -> str:
    run("new", "Chess", "--unjudged", "--id", "opera", "-p", "Ada Lovelace", "-p", "Bela", "-t", "Date=2026.11.22")
    assert run("move", "opera", "1. e4 e5 2. Nf3").stdout.count(": unjudged\n") == 3
    return "opera"


def test_a_live_record_is_written_corrected_and_closed(run: Run, opera: str) -> None:
    assert '"verdict":"unjudged"' in run("move", opera, "p2/d6", "--by", "p2", "--command", "k", "--json").stdout
    assert '"verdict":"unjudged"' in run("move", opera, "p2/d6", "--by", "p2", "--command", "k", "--json").stdout
    for _ in range(2):
        assert '"verdict":"unjudged"' in run("move", opera, "Bc4", "--command", "again", "--json").stdout
    run("undo", opera)
    run("amend", opera, "3", "Nc3")
    run("note", opera, "3", "quiet")
    run("undo", opera)
    run("dispute", opera, "3", "--by", "p2", "--claim", "it was a bishop")
    run("ruling", opera, "3", "--amend", "Bc4", "--arbiter", "A. Person", "--reason", "so it was")
    run("clock", opera, "3", "0:10:00")
    assert "expected a word" in run("move", opera, "Bb5}", code=2).stderr
    assert "is not decided" in run("close", opera, code=1).stderr
    run("close", opera, "1-0")
    sheet = run("export", opera).stdout
    assert '[Game "Chess"]\n' in sheet
    assert '[Rules "none"]\n' in sheet
    assert "1. e4 e5 2. Bc4 {" in sheet


@pytest.mark.parametrize("game", ["cardmate", "Chess", "Ludo & Halma"])
def test_what_is_opened_unjudged_says_so_in_its_log_and_its_list(store: Store, game: str) -> None:
    opened = api.open_game(
        store, api.NewRequest(game, unjudged=True, tags={"Setup": "a b", "Options": "x y", "Variant": "odd"})
    )
    found = api.load(store, opened.id)
    assert found.report.verdict == "unjudged"
    first = found.recorded[0].event
    assert isinstance(first, GameOpened)
    assert ("Rules", "none") in first.own
    assert found.report.game == ("Cardmate" if game == "cardmate" else game)
    assert {"Setup": "a b", "Options": "x y", "Variant": "odd"}.items() <= dict(found.record.tags).items()
    [row] = api.games(store)
    assert (row.game, row.verdict) == (found.report.game, "unjudged")


def test_a_game_is_opened_unjudged_only_where_somebody_says_so(store: Store) -> None:
    with pytest.raises(Unfit, match="did you mean Cardmate"):
        api.open_game(store, api.NewRequest("Cardmat"))
    with pytest.raises(Unfit, match="Rules is not written by hand"):
        api.open_game(store, api.NewRequest("cardmate", tags={"Rules": "none"}))
    with pytest.raises(Unfit, match="has no name"):
        api.open_game(store, api.NewRequest(" ", unjudged=True))
    opened = api.open_game(store, api.NewRequest("cardmate"))
    with pytest.raises(Unfit, match="Rules is not written by hand"):
        api.change_tags(store, opened.id, api.TagRequest({"Rules": "none"}))


def test_it_is_listed_searched_and_counted(run: Run, store: Store, opera: str) -> None:
    taken_in(store, '[Game "Cardmate"]\n\n4Ci3 *\n', of("foo bar *", Game="Cardmate"))
    listed = run("list", "--verdict", "unjudged", "--json").stdout.splitlines()
    assert sorted(json.loads(line)["game"] for line in listed) == ["Cardmate", "Chess"]
    assert len(run("list", "--game", "cardmate").stdout.splitlines()) == 2
    assert len(run("search", "--game", "CHESS", "--player", "ada").stdout.splitlines()) == 1
    [games, *_] = map(json.loads, run("stats", "--json").stdout.splitlines())
    assert "unjudged" in json.dumps(games)
    assert "has no positions" in run("search", "--position", opera, code=2).stderr
    assert "the verdict differs for none" in run("revalidate").stderr + run("revalidate").stdout
    before = run("list", "--json").stdout
    run("reindex")
    assert run("list", "--json").stdout == before


def test_games_without_unjudged_ones_are_counted_as_before(run: Run, store: Store) -> None:
    taken_in(store, '[Game "Cardmate"]\n\n4Ci3 *\n')
    assert "unjudged" not in run("stats").stdout


def test_only_one_choice_of_fail_on_fails(run: Run) -> None:
    for severity in ("error", "undecided", "remark"):
        assert "1 game: 1 unjudged" in run("validate", str(OPERA), "--fail-on", severity).stderr
    run("validate", str(OPERA), "--fail-on", "unjudged", code=1)
    run("validate", str(SAMPLES / "cardmate" / "games" / "page-1.cgn"), "--fail-on", "unjudged")


def test_commands_that_ask_the_rules_say_that_nobody_judges(run: Run, opera: str) -> None:
    assert "this record is not judged" in run("show", opera).stdout
    assert "this record is not judged" in run("moves", opera).stdout
    assert "this record is not judged" in run("deal", opera).stdout
    assert "now     still unjudged" in run("why", opera, "2").stdout
    assert "0 breaches" in run("check", opera).stdout
    assert "is not judged" in run("perft", "cardmate", "1", "--from", opera, code=2).stderr
    shown = [json.loads(line)["verdict"] for line in run("replay", opera, "--json").stdout.splitlines()]
    assert shown == ["unjudged"] * 3


def test_it_goes_out_and_comes_back_whole(run: Run, store: Store, opera: str, tmp_path: Path) -> None:
    [id] = taken_in(store, OPERA.read_text("utf-8"))
    assert [each.id for each in api.import_records(store, loads(OPERA.read_text("utf-8")))] == [id]
    sheet, archive, database = tmp_path / "s.cgn", tmp_path / "a.json", tmp_path / "d.db"
    run("export", "--all", "-o", str(sheet))
    run("export", "--all", "--format", "json", "--log", "-o", str(archive))
    run("export", "--all", "--format", "sqlite", "-o", str(database))
    run("export", id, "--format", "html", "-o", str(tmp_path / "html"))
    run("export", id, "--format", "pdf", "-o", str(tmp_path / "s.pdf"))
    assert MOVES in [record.line.words for record in loads(sheet.read_text("utf-8"))]
    for source in (archive, database):
        with Store(tmp_path / f"{source.stem}-taken.db") as other:
            run("import", str(source), "--db", str(other.path))
            for each in (id, opera):
                assert api.load(other, each).head == api.load(store, each).head
                assert api.load(other, each).report == api.load(store, each).report
    run("verify", "--all")
    with closing(connect(database)) as published:
        assert published.execute("SELECT DISTINCT verdict FROM moves").fetchall() == [("unjudged",)]


def test_words_that_name_a_player_are_found_where_names_are_left_out(run: Run, opera: str) -> None:
    written = ("move", opera, "Lovelace"), ("amend", opera, "4", "x-ada-x")
    for words in written:
        run(*words)
        errors = run("export", opera, "--format", "json", "--log", "--redact", "names", code=1).stderr
        assert "(the move" in errors
    assert "(words that may be no moves)" in errors
    run("new", "Ada's game", "--unjudged", "--id", "hers", "-p", "Ada", "-t", "White=Bela Bartok", "-t", "Setup=Bartok")
    errors = run("export", "hers", "--format", "json", "--log", "--redact", "names", code=1).stderr
    assert "(the name of the game)" in errors
    assert "(tags of its own)" in errors


def test_a_record_of_four_without_its_names_has_four_seats(store: Store) -> None:
    opened = api.open_game(store, api.NewRequest("Whist", unjudged=True, seats=4))
    api.play(store, opened.id, api.WordsRequest(("KS", "p3/Resign")))
    redacted = api.export_redacted(store, opened.id).archive
    with Store(store.path.with_name("other.db")) as other:
        api.take_in(other, redacted)
        found = api.load(other, opened.id)
        assert found.examined.spoke == (1, 3)
        assert found.examined.outcome is not None
        assert found.examined.outcome.shares == (1, 1, 0, 1)


# --- seats ---


def test_no_position_of_it_is_found_by_chance(store: Store) -> None:
    assert list(marks_of(loads(OPERA.read_text("utf-8"))[0])) == []


def test_the_list_tells_a_seat_no_result_of_it_though_the_game_is_open_elsewhere(run: Run, store: Store) -> None:
    taken_in(store, '[Game "Cardmate"]\n\n4Ci3 1-0\n', of("foo 0-1", Game="Cardmate"))
    output = run("list", "--seat", "p1").stdout
    assert "1-0" in output
    assert "0-1" not in output


@pytest.mark.parametrize("command", ["show", "replay", "log", "export", "check", "moves", "deal", "validate", "why"])
def test_two_records_that_differ_in_words_alone_look_the_same_to_a_seat(run: Run, tmp_path: Path, command: str) -> None:
    answers = []
    for world, words in enumerate(("KS QS p2/2S", "4H 5H p2/6H")):
        db = ("--db", str(tmp_path / f"{world}.db"))
        run("new", "Whist", "--unjudged", "--id", "w", "-t", f"Setup={words}", "-t", "Date=2026.11.22", *db)
        run("move", "w", words, *db)
        ply = ("2",) if command == "why" else ()
        answers.append(re.sub(r"T[0-9:.]+Z", "", run(command, "w", *ply, "--seat", "p2", *db).stdout))
    assert answers[0] == answers[1]


def test_a_seat_writes_its_own_words(run: Run, opera: str) -> None:
    assert "ply 4, p2/d6: unjudged" in run("move", opera, "p2/d6", "--seat", "p2").stdout
    assert "accepts words of p2 only" in run("move", opera, "p1/d4", "--seat", "p2", code=1).stderr
