"""The scribe's table without a terminal: what each line means and does, from a person's keys or from a pipe."""

import json
import re
import shlex
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from cartulary.cli.scribe.line import VERBS, Typed, read_line
from cartulary.cli.scribe.scribe import Scribe
from cartulary.notation import NotationError, loads, read_heading, steps
from cartulary.notation.arbiter.replay import read_word
from cartulary.notation.picture import plain
from cartulary.records import api
from cartulary.records.faults import Damaged
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.cli import scribe_tables
from tests.cli.scribe_tables import GOLDENS, named, stored, told
from tests.places import SAMPLES

PAGE = SAMPLES / "cardmate" / "games" / "page-1.cgn"
LET_STAND = [path for path in GOLDENS if "[%irregular" in path.read_text("utf-8")]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as opened:
        yield opened


@pytest.fixture
def scribe(store: Store) -> Scribe:
    scribe_tables.lay_out(store, PAGE, "evening")
    return Scribe(store, "evening")


# --- the line ---


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1. 4Ci3 4Db6", Typed("", "1. 4Ci3 4Db6")),
        ("4Ci3 0:12:30", Typed("", "4Ci3", clock="0:12:30")),
        ("12:30", Typed("clock", clock="12:30")),
        ("clock 0:12:30", Typed("clock", clock="0:12:30")),
        ("clock 3 0:12:30", Typed("clock", number=3, clock="0:12:30")),
        ("undo", Typed("undo", "", 1)),
        ("undo 12", Typed("undo", "", 12)),
        ("/undo 2 agreed p2", Typed("undo", "p2", 2)),
        ("stands", Typed("stands")),
        ("stands 8Dj7 0:01:00", Typed("stands", "8Dj7", clock="0:01:00")),
        ("note  two  blanks", Typed("note", "two  blanks")),
        ("why", Typed("why")),
        ("why 17", Typed("why", number=17)),
        ("close 1-0 time forfeit", Typed("close", "1-0 time forfeit")),
        ("moves 4D", Typed("legal", "4D")),
        ("show 0", Typed("show", "0")),
        ("dispute too slow", Typed("dispute", "too slow")),
        ("dispute 3 by p2 too slow", Typed("dispute", "too slow", 3, by="p2")),
        ("/quit", Typed("quit")),
        ("Pass", Typed("", "Pass")),
    ],
)
def test_a_line_is_moves_or_a_command(text: str, meant: Typed) -> None:
    assert read_line(text) == meant


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("undo x", "undo 2"),
        ("undo 0", "undo 2"),
        ("undo -1", "undo 2"),
        ("undo 1 agreed", "agreed p2"),
        ("note", "note TEXT"),
        ("clock soon", "clock 3 0:12:30"),
        ("clock 0 0:12:30", "clock 3 0:12:30"),
        ("why x", "why 17"),
        ("why 0", "why 17"),
        ("check all", "`check` takes nothing after it"),
        ("show x", "show 17"),
        ("dispute", "dispute 17 by p2"),
        ("dispute 3 by p2", "dispute 17 by p2"),
        ("/castle", "no command /castle"),
    ],
)
def test_a_command_that_cannot_be_understood_says_what_is_expected(scribe: Scribe, text: str, says: str) -> None:
    answer = scribe.enter(text)
    assert says in answer.remark
    assert (answer.done, answer.retry) == (False, text)
    assert scribe.verdict(text) == (answer.remark, "error")
    assert scribe.view.version == 2


@pytest.mark.parametrize("path", GOLDENS, ids=named)
def test_no_command_is_a_word_of_any_game(path: Path) -> None:
    record = loads(path.read_bytes())[0]
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    state = heading.game.rules.setup(heading.sheet)
    for step in steps(heading.game, state, record.line.words, heading.sheet.seats):
        assert read_line(step.word) == Typed("", step.word)
        for verb in VERBS:
            with pytest.raises(NotationError):
                read_word(heading.game, step.state, verb, heading.sheet.seats)


# --- writing ---


@pytest.mark.parametrize("path", LET_STAND, ids=named)
def test_a_golden_game_typed_line_by_line_is_stored_word_for_word(store: Store, path: Path) -> None:
    words = scribe_tables.lay_out(store, path, "g")
    scribe, at = Scribe(store, "g"), 0
    while at < len(words):
        line = words[at : at + 4]
        verdict, kind = scribe.verdict(" ".join(line))
        text = scribe.enter(" ".join(line))
        if not text.done:
            assert kind == "error"
            assert stored(store, "g") == words[:at]
            refused, text = text.remark, scribe.enter("stands")
            line = line[: len(line) - len(text.retry.split())]
            assert refused.startswith(
                f"None of these {len(line)} moves was stored. With `stands` they are kept, and refused ones marked."
                if line[1:]
                else "Nothing was stored. With `stands` the move is kept and marked."
            )
            assert "refused but let stand" in told(text)
        else:
            assert kind in ("legal", "undecided"), verdict
        at += len(line)
        assert stored(store, "g") == words[:at]
    assert scribe.view.version == api.log(store, "g")[-1].version


def test_a_refused_move_is_not_written_and_stands_if_told_to(scribe: Scribe, store: Store) -> None:
    answer = scribe.enter("4Ci3 8He5 4Db6")
    assert "8He5: refused" in told(answer)
    for part in (
        "rule",
        "source",
        "legal",
        "None of these 2 moves was stored. With `stands` they are kept, and refused ones marked.",
        "4Db6 was not judged",
    ):
        assert part in told(answer)
    assert stored(store, "evening") == ()
    assert scribe.verdict("stands")[0] == "keeps 4Ci3 8He5, marked"
    answer = scribe.enter("stands")
    assert "8He5: refused but let stand" in told(answer)
    assert answer.retry == "4Db6"
    assert stored(store, "evening") == ("4Ci3", "8He5")
    assert scribe.view.irregular
    assert "No refused move is waiting" in scribe.enter("stands").remark
    scribe.enter("undo")
    assert not scribe.view.irregular


def test_a_refused_move_waits_no_longer_once_something_was_written(scribe: Scribe) -> None:
    assert not scribe.enter("8He5").done
    scribe.enter("note the lamp was lit")
    assert "No refused move is waiting" in scribe.enter("stands").remark


def test_words_let_stand_without_being_shown_first(scribe: Scribe, store: Store) -> None:
    assert "refused" in scribe.verdict("stands 8He5")[0]
    assert "refused but let stand" in told(scribe.enter("stands 8He5"))
    assert stored(store, "evening") == ("8He5",)


def test_a_move_that_cannot_be_applied_says_that_it_cannot_stand(scribe: Scribe, store: Store) -> None:
    scribe.enter("Resign")
    verdict, kind = scribe.verdict("4Ci3")
    assert (verdict.split(", ")[0], kind) == ("cannot be carried out", "error")
    answer = scribe.enter("4Ci3")
    assert answer.remark == "Nothing was stored; this cannot be carried out, so `stands` cannot keep it."
    assert "No refused move is waiting" in scribe.enter("stands").remark
    assert stored(store, "evening") == ("Resign",)
    scribe.enter("undo")
    assert scribe.enter("4Ci3 Resign 4Db6 8Dj2").remark == (
        "None of these 3 moves was stored; the last cannot be carried out, so `stands` cannot keep it."
        " 8Dj2 was not judged."
    )
    assert stored(store, "evening") == ()


def test_an_unreadable_line_goes_back_with_the_cursor_where_the_fault_is(scribe: Scribe, store: Store) -> None:
    answer = scribe.enter("4Ci3 8Dz9")
    assert "column 8" in answer.remark
    assert "expected a square" in answer.remark
    assert (answer.done, answer.retry, answer.cursor) == (False, "4Ci3 8Dz9", 7)
    assert "column 6" in scribe.enter("4Ci3 (4Db6").remark
    assert "`note`" in scribe.enter("4Ci3 {no}").remark
    assert "`close`" in scribe.enter("1-0").remark
    assert stored(store, "evening") == ()


def test_undo_takes_back_and_says_before_what_it_would(scribe: Scribe, store: Store) -> None:
    scribe.enter("4Ci3 4Db6 8Dj2")
    assert scribe.verdict("undo 2")[0] == "takes back 4Db6 8Dj2"
    assert told(scribe.enter("undo 2 agreed p1")) == "took back 4Db6 8Dj2; one ply remains\n"
    assert stored(store, "evening") == ("4Ci3",)
    assert "p1 agreed" in api.log(store, "evening")[-1].says
    assert "has 1 ply" in scribe.enter("undo 2").remark


def test_notes_and_times_belong_to_the_last_ply_and_do_not_disturb_each_other(scribe: Scribe, store: Store) -> None:
    assert "no ply yet" in scribe.enter("0:30:00").remark
    assert told(scribe.enter("note Ada lit the lamp")).startswith("the game: {Ada")
    scribe.enter("4Ci3 0:29:00")
    assert told(scribe.enter("clock 0:28:00")) == "ply 1: 0:28:00 left, was 0:29:00\n"
    assert scribe.turn.endswith("; time left: Zillions of Games (p1) 0:28:00")
    scribe.enter("4Db6")
    assert scribe.verdict("clock 1 0:28:30")[0] == "the time left after ply 1, 4Ci3"
    assert told(scribe.enter("clock 1 0:28:30")) == "ply 1: 0:28:30 left, was 0:28:00\n"
    assert "no ply 9" in scribe.enter("clock 9 0:28:30").remark
    assert "time 7 on ply 1, 4Ci3: 0:28:30, was 0:28:00" in told(scribe.enter("why 1"))
    for line in ("note slowly", "0:30:00", "0:29:59", "note very slowly"):
        assert scribe.enter(line).done
    notes = api.record_of(store, "evening").line.notes
    assert notes[0].comments == ("Ada lit the lamp",)
    assert notes[1].comments == ("[%clk 0:28:30]",)
    assert notes[2].comments == ("[%clk 0:29:59]", "slowly", "very slowly")
    assert "; time left: Zillions of Games (p1) 0:28:30, Zillions of Games (p2) 0:29:59" in scribe.turn
    assert "it holds }, which ends a comment" in scribe.enter("note a } b").remark


def test_notes_take_glyphs_and_variations_and_add_to_one_another(run: "Run", store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "g")
    lines = "4Ci3 4Db6 8Dj2\nnote !\nnote (8Dh3 8Ca7)\nnote the plan\nnote (of it)\n"
    result = run("record", "g", lines=lines, code=1)
    assert "ply 3: ! (2. 8Dh3 8Ca7) {the plan}\n" in result.stdout
    assert "a note that begins with a parenthesis is read as a variation" in result.stderr
    assert "g#1 ply 3: 2. 8Dj2! (2. 8Dh3 8Ca7) {the plan}\n" in run("replay", "g").stdout
    assert json.loads(run("replay", "g", "--json").stdout.splitlines()[2])["note"] == "! (2. 8Dh3 8Ca7) {the plan}"
    sheet = run("export", "g", "--format", "html").stdout
    assert "8Dj2!" in sheet
    assert "<dd>(2. 8Dh3 8Ca7) the plan</dd>" in sheet
    assert run("note", "g", "3", "anew", "--replace").stdout == ("g: ply 3: {anew}, was: ! (2. 8Dh3 8Ca7) {the plan}\n")
    assert "ply 3: annotation removed, was: {anew}" in run("record", "g", lines="note --remove\n").stdout


def test_times_are_asked_for_after_each_line_of_moves_and_may_be_left_out(store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "g")
    scribe = Scribe(store, "g", clocks=True)
    for line, prompt in (
        ("4Ci3", "time> "),
        ("0:30:00", "Zillions of Games (p2)> "),
        ("4Db6", "time> "),
        ("", "Zillions of Games (p1)> "),
        ("8Dj2", "time> "),
        ("8Ca7", "time> "),
        ("undo", "Zillions of Games (p2)> "),
        ("8Ca7 0:28:00", "Zillions of Games (p1)> "),
    ):
        assert scribe.enter(line).done
        assert scribe.prompt == prompt
    notes = api.record_of(store, "g").line.notes
    assert {ply: note.comments for ply, note in notes.items()} == {1: ("[%clk 0:30:00]",), 4: ("[%clk 0:28:00]",)}


def test_a_game_is_closed_and_says_so(scribe: Scribe, store: Store) -> None:
    scribe.enter("4Ci3")
    assert "not decided" in scribe.enter("close").remark
    assert told(scribe.enter("close 1-0 time forfeit")) == "closed, 1-0, time forfeit\n"
    assert (scribe.prompt, scribe.turn) == ("closed> ", "closed, 1-0: Zillions of Games (p1) won")
    assert "is closed" in scribe.verdict("4Db6")[0]
    assert "is closed" in scribe.enter("4Db6").remark
    assert scribe.enter("note well played").done
    assert api.record_of(store, "evening").result == "1-0"


def test_a_result_somebody_types_is_asked_about_where_somebody_is_there(store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "g", 2)
    scribe = Scribe(store, "g", asks=True)
    assert scribe.enter("close 1-0").done
    assert (scribe.prompt, scribe.turn) == ("close? [y/n] ", "y closes g, 1-0; anything else leaves it open")
    answer = scribe.enter("8Dj2")
    assert (answer.done, answer.retry, answer.remark) == (False, "8Dj2", "g is left open.")
    assert stored(store, "g") == ("4Ci3", "4Db6")
    scribe.enter("close 1-0 adjudication")
    assert scribe.enter("no").retry == ""
    scribe.enter("close 1-0 adjudication")
    assert told(scribe.enter("yes")) == "closed, 1-0, adjudication\n"
    assert told(scribe.enter("reopen closed too early")) == "reopened\n"
    assert scribe.prompt == "Zillions of Games (p1)> "
    assert api.log(store, "g")[-1].says == "reopened: closed too early"
    assert "is not closed" in scribe.enter("reopen").remark


CHIEN = (
    "first write what the chien shows, as p0/^7C,8C,9C,1D,2D,3D, or leave it out; then what p3 puts away, as"
    " ~,~,~,~,~,~-"
)
DISCARDS = "first write what p3 puts away, as 7C,8C,9C,1D,2D,3D- or, if nobody else saw it, ~,~,~,~,~,~-"


@pytest.mark.parametrize(
    ("bids", "due"),
    [("Pass Pass Garde Pass", CHIEN), ("Pass Pass Garde Pass p0/^4D,QS,7H,T08,2S,XC", DISCARDS)],
)
def test_what_stands_before_the_first_card_is_said_wherever_it_is_looked_for(store: Store, bids: str, due: str) -> None:
    api.open_game(store, api.NewRequest("tarot", id="evening"))
    scribe = Scribe(store, "evening")
    assert scribe.turn.endswith("may speak)")
    scribe.enter(bids)
    assert scribe.turn == f"p3 to move; {due}"
    assert scribe.enter("legal").lines[0] == due
    refused = scribe.enter("KH")
    assert f"error tarot.phase p3 plays a card; {due}" in told(refused)
    offered = next(line for line in refused.lines if line.lstrip().startswith("legal"))
    for word in offered.split()[1:]:
        assert scribe.verdict(word.strip(","))[1] == "legal", word
    scribe.enter("~,~,~,~,~,~-")
    assert scribe.turn == "p1 to move"


def test_five_players_are_told_that_a_king_is_called_first(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="five", seats=5, tags={"Variant": "fft"}))
    scribe = Scribe(store, "five")
    scribe.enter("Pass Garde Pass Pass Pass")
    assert scribe.turn == "p2 to move; first write the card p2 calls, as Call=KH"
    scribe.enter("Call=KH")
    assert scribe.turn.endswith("as p0/^7C,8C,9C, or leave it out; then what p2 puts away, as ~,~,~-")
    scribe.enter("undo 6")
    scribe.enter("GardeSans Pass Pass Pass Pass Call=KH")
    assert scribe.turn == "p1 to move"


def test_nothing_is_due_behind_a_word_nobody_wrote_or_after_the_close(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="evening"))
    scribe = Scribe(store, "evening")
    scribe.enter("Pass Pass ~")
    assert scribe.turn == "p4 to move"
    scribe.enter("undo")
    scribe.enter("Garde Pass")
    scribe.enter("close * abandoned")
    assert scribe.turn == "closed, *"


@pytest.mark.parametrize(
    ("line", "because"),
    [
        ("close *", "Type `close * abandoned` to leave it undecided, or give its result: `close 1-0`."),
        ("close", "Type `close * abandoned` to leave it undecided, or give its result: `close 1-0`."),
        ("close 2-0", "The result cannot be kept"),
        ("close 1-0 weather", "is not a termination"),
    ],
)
def test_a_close_that_cannot_be_is_refused_before_anything_is_asked(store: Store, line: str, because: str) -> None:
    scribe_tables.lay_out(store, PAGE, "g", 2)
    scribe = Scribe(store, "g", asks=True)
    answer = scribe.enter(line)
    assert because in answer.remark
    assert (answer.done, scribe.prompt) == (False, "Zillions of Games (p1)> ")


def test_close_gives_the_line_that_closes_undecided(run: "Run", store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "game-1", 2)
    errors = run("close", "game-1", "*", code=1).stderr
    [line] = re.findall("Type `cartulary ([^`]*)`", errors)
    assert shlex.split(line)[:5] == ["close", "game-1", "*", "--termination", "abandoned"]
    assert "closed, *, abandoned" in run(*shlex.split(line)).stdout


def test_nobody_is_to_move_on_a_drawing_or_text_of_a_closed_game(run: "Run", store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="deal"))
    api.play(store, "deal", api.WordsRequest("Pass Pass Garde Pass ~,~,~,~,~,~-"))
    turns = (">", "leads", "to move", "whose turn it is")
    before = "".join(run("show", "deal", *how).stdout for how in ((), ("--svg",)))
    assert all(turn in before.replace("&gt;", ">") for turn in turns)
    api.close(store, "deal", api.CloseRequest("*", termination="abandoned"))
    shown = run("show", "deal").stdout
    assert shown.endswith("no result was recorded: abandoned\n")
    assert not any(turn in shown for turn in turns)
    assert not any(turn in run("show", "deal", "--svg").stdout for turn in ("leads", "whose turn it is"))
    assert "p3, whose turn it is" in run("show", "deal", "--svg", "--at", "4").stdout
    scribe = Scribe(store, "deal")
    assert ">" not in plain(scribe.view.position.game.words.picture(scribe.view.position.drawn_state, None))


def test_a_dispute_is_raised_at_the_table(scribe: Scribe, store: Store) -> None:
    scribe.enter("4Ci3 4Db6")
    assert "who disputes it" in scribe.enter("dispute 1 it jumped").remark
    assert "dispute 5 by p2; an arbiter" in told(scribe.enter("dispute 1 by p2 it jumped"))
    assert "no ply 7" in scribe.enter("dispute 7 by p2 it jumped").remark
    assert told(scribe.enter("dispute by p1 too slow")).startswith("ply 2: dispute 6 by p1")
    assert [(one.ply, one.by, one.claim) for one in api.disputes_of(load(store, "evening"))] == [
        (1, "p2", "it jumped"),
        (2, "p1", "too slow"),
    ]
    assert scribe.turn.endswith("; 2 open disputes")


def test_a_position_is_shown_as_it_was(run: "Run", store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "g", 4)
    shown = run("record", "g", lines="show 2\nshow 0\nshow 9\nshow\n", code=1)
    assert "ply 2: 1. 4Ci3 4Db6\nZillions of Games (p1) to move, " in shown.stdout
    assert "before the first ply\nZillions of Games (p1) to move, 38 legal moves\n" in shown.stdout
    assert "ply 4: 1. 4Ci3 4Db6 2. 8Dj2 8Ca7\n" in shown.stdout
    assert "There is no ply 9 to show: 4 plies can be followed." in shown.stderr
    assert "This is the position after ply 2" in shown.stderr


def test_the_moves_of_a_card_are_listed_and_a_cut_list_says_so(scribe: Scribe, store: Store) -> None:
    every = scribe.enter("legal").lines[0].split()
    assert len(every) == 38
    for card in ("4C", "4c"):
        assert scribe.enter(f"legal {card}").lines == (" ".join(word for word in every if word.startswith("4C")),)
    assert told(scribe.enter("legal QS")).endswith("no legal move of QS\n")
    assert scribe.enter("moves").lines == scribe.enter("legal").lines
    [cut] = [line for line in scribe.enter("8He5").lines if "legal   " in line]
    assert cut == f"    legal   8H has none; others: {', '.join(every[:8])} and more"
    own = [word for word in every if word.startswith("4H")]
    assert len(own) > 1
    listed = [*own, *(word for word in every if word not in own)][:8]
    [cut] = [line for line in scribe.enter("4Hh9").lines if "legal   " in line]
    assert cut == f"    legal   {', '.join(listed)} and more"
    assert "and more" not in told(scribe.enter("4Ci3"))


def test_a_refused_word_is_quoted_as_it_was_typed(scribe: Scribe, store: Store) -> None:
    for typed in ("8Hd1", "8hd1"):
        assert told(scribe.enter(typed)).startswith("ply 1, 8Hd1: refused\n  error cardmate.own-square")
    assert scribe.verdict("4Ci3 4Db6 8Hd1")[0].startswith("8Hd1: refused, cardmate.own-square")
    assert told(scribe.enter("stands")).startswith("ply 1, 8H:d1: refused but let stand")
    assert stored(store, "evening") == ("8H:d1",)


def test_a_refused_word_that_means_more_than_was_typed_says_what(store: Store) -> None:
    api.open_game(store, api.NewRequest("chess", id="g"))
    answer = told(Scribe(store, "g").enter("e6"))
    assert answer.startswith("ply 1, e2e6: refused")
    assert "remark cgn.mark found e6, expected e2e6" in answer


def test_who_was_overtaken_is_told_sees_the_new_position_and_keeps_the_line(scribe: Scribe, store: Store) -> None:
    with Store(store.path) as other:
        for line in ("4Db6", "undo", "note x", "close 1-0"):
            api.play(other, "evening", api.WordsRequest((["4Ci3", "4Db6"][scribe.view.plies % 2],)))
            answer = scribe.enter(line)
            assert "Someone else wrote to evening first; one entry is new." in answer.remark
            assert (answer.done, answer.retry) == (False, line)
            api.take_back(other, "evening", api.UndoRequest())
            scribe.enter("")
    assert stored(store, "evening") == ()


def test_two_tables_that_take_turns_never_lose_or_double_a_word(store: Store) -> None:
    words = scribe_tables.lay_out(store, PAGE, "g")
    with Store(store.path) as other:
        tables = (Scribe(store, "g"), Scribe(other, "g"))
        for ply, word in enumerate(words):
            scribe = tables[ply * 7 % 3 % 2]
            answer = scribe.enter(word)
            assert answer.done or scribe.enter(answer.retry).done
    assert stored(store, "g") == words


def test_who_finds_the_file_locked_is_told_and_types_on(store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "g")
    with Store(store.path, timeout=1) as impatient:
        scribe = Scribe(impatient, "g")
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answer = scribe.enter("4Ci3")
        other.execute("ROLLBACK")
        other.close()
        assert (answer.done, answer.retry) == (False, "4Ci3")
        assert "another process" in answer.remark.lower()
        assert scribe.enter(answer.retry).done
    assert stored(store, "g") == ("4Ci3",)


# --- the plain scribe ---

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("CARTULARY_DB", str(store.path))

    def typed(*words: str, lines: str | bytes = "", code: int = 0) -> Result:
        result = CliRunner().invoke(build(), list(words), input=lines)
        text = f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
        assert result.exit_code == code, text
        assert "Traceback" not in text
        return result

    return typed


def test_a_pipe_is_answered_line_by_line_in_plain_text(run: Run, store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "evening")
    result = run("record", "evening", lines="4Ci3 4Db6\n\nundo\n4Db6\n8Dj2 0:30:00\nnote quiet\ncheck\nshow\n")
    assert result.stdout.splitlines()[:6] == [
        "plies 1–2, 4Ci3 4Db6: legal",
        "took back 4Db6; one ply remains",
        "ply 2, 4Db6: legal",
        "ply 3, 8Dj2: legal",
        "ply 3: {quiet}",
        "0 open questions, 0 breaches",
    ]
    turn = "Zillions of Games (p2) to move, 43 legal moves; time left: Zillions of Games (p1) 0:30:00"
    assert f"ply 3: 1. 4Ci3 4Db6 2. 8Dj2\n{turn}\n" in result.stdout
    assert "\x1b" not in result.stdout
    assert stored(store, "evening") == ("4Ci3", "4Db6", "8Dj2")


def test_a_pipe_ends_with_one_for_a_line_not_carried_out_and_for_a_record_that_breaks_a_rule(
    run: Run, store: Store
) -> None:
    scribe_tables.lay_out(store, PAGE, "evening")
    result = run("record", "evening", lines="8He5\nquit\n4Ci3\n", code=1)
    assert "8He5: refused\n" in result.stdout
    assert "Nothing was stored. With `stands` the move is kept and marked." in result.stderr
    assert stored(store, "evening") == ()
    result = run("record", "evening", lines="stands 8He5 4Db6", code=1)
    assert "refused but let stand" in result.stdout
    assert run("record", "evening", lines="", code=1).stdout == ""
    run("record", "evening", lines="undo 2\n")
    result = run("record", "evening", lines="4Ci3 8He5 4Db6\nstands\n", code=1)
    assert "Not yet written: 4Db6" in result.stderr
    assert stored(store, "evening") == ("4Ci3", "8He5")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("record", "nobody"), 2, "Open one with `cartulary new GAME --id nobody`"),
        (("record",), 2, "Missing argument"),
        (("record", "evening", "--seat", "p9"), 2, "p9 is not a seat"),
        (("record", "evening", "--seat", "north"), 2, "expected a seat such as p1"),
        (("record", "evening", "--db", "nowhere/none.db"), 2, "none.db"),
    ],
)
def test_what_cannot_be_recorded_is_said_in_a_sentence(
    run: Run, store: Store, words: tuple[str, ...], code: int, says: str
) -> None:
    scribe_tables.lay_out(store, PAGE, "evening")
    assert says in run(*words, code=code).stderr


def test_without_its_library_the_screen_says_what_to_install(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe_tables.lay_out(store, PAGE, "evening")
    monkeypatch.setattr("cartulary.cli.commands.record.has_screen", lambda: True)
    for name in ["prompt_toolkit", *(name for name in sys.modules if name.startswith("prompt_toolkit."))]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "cartulary.cli.scribe.screen", raising=False)
    assert "pip install 'prompt_toolkit" in run("record", "evening", code=2).stderr
    assert "38 legal moves" in run("record", "evening", "--plain", lines="show\n").stdout


def test_odd_bytes_in_a_pipe_are_refused_and_the_next_line_is_taken(run: Run, store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "evening")
    result = run("record", "evening", lines=b"\xff\xfe\x00\nnote \xff\n\x00\n4Ci3\r\n", code=1)
    assert "ply 1, 4Ci3: legal" in result.stdout
    assert "not valid Unicode" in result.stderr
    assert stored(store, "evening") == ("4Ci3",)


def test_a_damaged_log_ends_with_three_at_once_and_in_the_middle(run: Run, store: Store) -> None:
    scribe_tables.lay_out(store, PAGE, "evening", 4)
    scribe = Scribe(store, "evening")
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("DROP TRIGGER events_are_not_edited")
    other.execute("UPDATE stored_events SET state = replace(state, '8Dj2', '8Dg2')")
    other.close()
    with pytest.raises(Damaged):
        scribe.enter("8Dh3")
    assert "Event 5 of evening" in run("record", "evening", lines="8Dh3\n", code=3).stderr
