"""``replay -i``: annotating while stepping, with keys, into files and into the log."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cartulary.cli.stepping.screen import StepScreen
from cartulary.cli.stepping.stepper import LogNotebook, SheetNotebook, Stepper
from cartulary.notation import Note, loads
from cartulary.notation.viewer import Everything, Seat
from cartulary.records import api
from cartulary.records.faults import Declined
from cartulary.records.log.events import NoteReplaced
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.cli.scribe_terminal import ENTER, Terminal
from tests.places import SAMPLES
from tests.records.archives import Run

TEXT = '% CGN 1.0\n[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8Dj2 8Ca7 *\n'
TAROT = SAMPLES / "tarot" / "games" / "dementlieu-open.cgn"
ESC, CLEAR, RIGHT, BACKSPACE = "\x1b", "\x15", "\x1b[C", "\x7f"


class Wide(DummyOutput):
    """A terminal nobody sees, of a size."""

    def get_size(self) -> Size:
        return Size(rows=24, columns=100)


class Sitting:
    """Somebody at a screen: what was typed so far, and what is seen after it."""

    def __init__(self, kept: SheetNotebook | LogNotebook) -> None:
        self.stepper = Stepper(kept)

    def type(self, *keys: str) -> str:
        """Type keys, and return what is seen after them: the rows, and what the line says."""
        with create_pipe_input() as typed, create_app_session(input=typed, output=Wide()):
            screen = StepScreen(self.stepper, colour=False)
            seen: list[str] = []

            def look(_: object) -> None:
                seen.append("\n".join(line.rstrip() for line in (*screen.rows(), screen._label() + screen.line.text)))

            screen.app.after_render += look
            typed.send_text("".join(keys) + "\x03")
            assert screen.run() == 130
            return seen[-1]


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.cgn"
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def at_file(sheet: Path) -> Sitting:
    return Sitting(SheetNotebook(str(sheet), ""))


@pytest.fixture
def evening(store: Store) -> str:
    api.open_game(store, api.NewRequest("cardmate", id="evening"))
    api.play(store, "evening", api.WordsRequest(("4Ci3", "4Db6", "8Dj2", "8Ca7")))
    return "evening"


def moves(path: Path) -> str:
    return " ".join(path.read_text("utf-8").split()).partition("] ")[2]


def test_glyphs_are_set_changed_and_taken_away(at_file: Sitting, sheet: Path) -> None:
    assert "written; ply 1: !" in at_file.type("g1\r", "!\r")
    assert moves(sheet) == "1. 4Ci3! 4Db6 2. 8Dj2 8Ca7 *"
    assert "written; ply 1: ?! $14" in at_file.type("!", CLEAR, "?! $14\r")
    assert moves(sheet) == "1. 4Ci3?! $14 4Db6 2. 8Dj2 8Ca7 *"
    assert "[1. 4Ci3?! $14]" in at_file.type()
    assert "nothing was changed" in at_file.type("!\r")
    assert "no annotation" in at_file.type("!", CLEAR, ENTER)
    assert sheet.read_text() == TEXT


def test_a_comment_is_written_changed_and_taken_away_and_commands_stay(at_file: Sitting, sheet: Path) -> None:
    at_file.type("g2\r", "cthe plan\r")
    assert moves(sheet) == "1. 4Ci3 4Db6 {the plan} 2. 8Dj2 8Ca7 *"
    assert "{the plan, a good one}" in at_file.type("c, a good one\r")
    sheet.write_text(TEXT.replace("4Db6", "4Db6 {[%clk 0:10:00] old} {older}"), "utf-8")
    again = Sitting(SheetNotebook(str(sheet), ""))
    assert "comment on 1... 4Db6: old older" in again.type("g2\r", "c")
    again.type("c", CLEAR, "new\r")
    assert "4Db6 {[%clk 0:10:00] new}" in moves(sheet)
    again.type("c", CLEAR, ENTER)
    assert "4Db6 {[%clk 0:10:00]} 2." in moves(sheet)


def test_a_comment_on_the_game_stands_before_its_first_ply(at_file: Sitting, sheet: Path) -> None:
    assert "{a cold evening}" in at_file.type("ca cold evening\r")
    assert moves(sheet) == "{a cold evening} 1. 4Ci3 4Db6 2. 8Dj2 8Ca7 *"
    for key, what in (("!", "glyph"), ("v", "variation")):
        assert f"a {what} belongs to a ply; step to one first" in at_file.type(key)


def test_a_variation_is_judged_entered_and_annotated_to_its_full_depth(at_file: Sitting, sheet: Path) -> None:
    assert "legal: 9Cb1" not in at_file.type("g3\r", "v")
    assert "legal: 9Cb1" in at_file.type("v9Cb1")
    assert "written; legal: 9Cb1 8Ca7" in at_file.type("v9Cb1 8Ca7\r")
    assert "variation 1: 9Cb1 8Ca7" in at_file.type()
    at_file.type(ENTER, RIGHT, "!", BACKSPACE, "?!\r", "v2Ca6\r", ENTER, "cdeep\r")
    assert moves(sheet) == "1. 4Ci3 4Db6 2. 8Dj2 (2. 9Cb1 8Ca7?! (2... 2Ca6 {deep})) 2... 8Ca7 *"
    place = at_file.stepper.place
    assert place == (3, ((1, 2), (1, 1)))
    assert "{deep}" in at_file.type()
    assert "a comment belongs to a ply" in at_file.type("g0\r", "c")
    at_file.type(BACKSPACE, BACKSPACE)
    assert len(at_file.stepper.tracks) == 1
    assert "instead of 2. 8Dj2:" in at_file.type("v")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("v9Cb1 8Dz9\r", "unreadable at column 8: found z9 in 8Dz9"),
        ("v(9Cb1 8Dz9)\r", "unreadable at column 9: found z9 in 8Dz9"),
        ("vResign 4Da0\r", "4Da0 in the variation of ply 3 cannot be carried out there."),
        ("v9Cb1 (8Ca7\r", "unreadable at column 1: found an opening parenthesis"),
        ("v(9Cb1) and\r", "unreadable at column 1: expected variations, each in parentheses"),
        ("v9Cb1 $999\r", "unreadable at column 6: found $999"),
        ("v()\r", "found a variation without a move"),
        (f"!{CLEAR}well\r", "'well' is not a glyph; expected one of ! ? !!"),
        (f"!{CLEAR}$256\r", "'$256' is not a glyph"),
        ("cso } it\r", "it holds }, which ends a comment"),
        ("cso [%ruling stands]\r", "only the program writes"),
    ],
)
def test_what_cannot_be_noted_is_said_and_stays_on_the_line(
    at_file: Sitting, sheet: Path, typed: str, says: str
) -> None:
    seen = at_file.type("g3\r", typed)
    assert says in " ".join(seen.split()), seen
    assert seen.splitlines()[-1].endswith(typed.partition(CLEAR)[2][:-1] or typed[1:-1])
    assert "what begins with a parenthesis" not in seen
    assert sheet.read_text() == TEXT


def test_a_refused_move_of_a_variation_is_said_to_be_irregular_and_may_be_written(
    at_file: Sitting, sheet: Path
) -> None:
    seen = at_file.type("g3\r", "v9Hc5\r")
    assert "written; 9Hc5 is irregular, cardmate." in seen
    assert "(2. 9Hc5)" in moves(sheet)
    assert "irregular, cardmate." in at_file.type(ENTER)


def test_what_hidden_cards_leave_open_and_what_nobody_judges_is_said_to_be() -> None:
    table = SAMPLES / "tarot" / "games" / "table-revoke.cgn"
    assert "\ncannot be known yet: T03\n" in Sitting(SheetNotebook(str(table), "")).type("g17\r", "vT03")
    opera = SAMPLES / "unjudged" / "games" / "opera.cgn"
    assert "\nunjudged: d4" in Sitting(SheetNotebook(str(opera), "")).type("g1\r", "vd4")


def test_escape_leaves_the_line_and_nothing_is_written(at_file: Sitting, sheet: Path) -> None:
    seen = at_file.type("g3\r", "va variation", ESC, RIGHT)
    assert "[8Ca7]" in seen
    assert "left, right;" in seen
    assert sheet.read_text() == TEXT


def test_keys_that_step_are_text_on_the_line(at_file: Sitting, sheet: Path) -> None:
    pasted = "cqgnp!vc? 17\x1b[200~ and\r\npasted\x1b[201~"
    assert at_file.type("g3\r", pasted).endswith("\ncomment on 2. 8Dj2: qgnp!vc? 17 and pasted")
    at_file.type(pasted, ENTER)
    assert "{qgnp!vc? 17 and pasted}" in moves(sheet)


def test_a_game_of_a_file_of_several_is_written_to_and_no_other(sheet: Path) -> None:
    sheet.write_text(f"{TEXT}\n{TEXT[10:]}\n{TEXT[10:]}", "utf-8")
    sitting = Sitting(SheetNotebook(f"{sheet}#2", ""))
    sitting.type("g1\r", "!\r")
    assert [one.line.notes for one in loads(sheet.read_bytes())] == [{}, {1: Note((1,))}, {}]
    all_three = Sitting(SheetNotebook(str(sheet), ""))
    all_three.type("nn", "g2\r", "clast\r", "p", "g1\r", "!", CLEAR, "?\r")
    assert [one.line.notes for one in loads(sheet.read_bytes())] == [{}, {1: Note((2,))}, {2: Note((), ("last",))}]


def test_a_game_that_cannot_be_set_up_is_passed_over(sheet: Path) -> None:
    sheet.write_text(f'{TEXT}\n[Game "Nonesuch"]\n\n1. a *\n\n{TEXT[10:]}', "utf-8")
    sitting = Sitting(SheetNotebook(str(sheet), ""))
    seen = sitting.type("n")
    assert "sheet.cgn#2 was skipped: found the game 'Nonesuch'" in seen
    assert sitting.stepper.number == 2
    assert "this is the last game" in sitting.type("n")
    assert "skipped" in sitting.type("p")
    assert "this is the first game" in sitting.type("p")


# --- into the file, when it cannot be ---


def test_a_file_that_has_changed_is_left_alone_and_what_was_typed_stays(at_file: Sitting, sheet: Path) -> None:
    theirs = TEXT.replace("4Ci3", "4Ci3 {theirs}")
    sheet.write_text(theirs, "utf-8")
    seen = at_file.type("g1\r", "cmine\r")
    assert "has changed since it was read. Nothing was written" in " ".join(seen.split())
    assert seen.splitlines()[-1] == "comment on 1. 4Ci3: mine"
    assert sheet.read_text() == theirs


def test_what_cannot_be_written_is_said(at_file: Sitting, sheet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda path, mode: mode != os.W_OK)
        assert "is read-only" in " ".join(at_file.type("g1\r", "cmine\r").split())
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refuse)
        assert "cannot be written: No space left on device" in " ".join(at_file.type("g1\r", "cmine\r").split())
    assert os.listdir(sheet.parent) == ["sheet.cgn"]
    assert sheet.read_text() == TEXT
    sheet.unlink()
    assert "cannot be written: No such file" in " ".join(at_file.type("g1\r", "cmine\r").split())


def refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_game_that_cannot_be_written_back_is_stepped_through_and_left(sheet: Path) -> None:
    sheet.write_text(TEXT.replace("8Ca7 *", "8Ca7 * and more"), "utf-8")
    seen = Sitting(SheetNotebook(str(sheet), "")).type("g1\r", "!\r")
    text = " ".join(seen.split())
    assert "cannot be written back: line 4, column 29: found text after the result" in text, seen


# --- into the log ---


def test_it_is_written_into_the_log_as_note_writes_it(run: Run, db: Path, store: Store, evening: str) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="noted"))
    api.play(store, "noted", api.WordsRequest(("4Ci3", "4Db6", "8Dj2", "8Ca7")))
    for words in (["3", "!"], ["3", "the plan"], ["3", "(9Cb1 8Ca7)"], ["0", "a cold evening"]):
        run("note", "noted", *words)
    sitting = Sitting(LogNotebook(evening, str(db), "", quiet=False))
    sitting.type("g3\r", "!\r", "cthe plan\r", "v9Cb1 8Ca7\r", "g0\r", "ca cold evening\r")

    def events(id: str) -> list[NoteReplaced]:
        return [each.event for each in load(store, id).recorded if isinstance(each.event, NoteReplaced)]

    for ours, theirs in zip(events(evening), events("noted"), strict=True):
        assert (ours.event, ours.word, ours.text, ours.by) == (theirs.event, theirs.word, theirs.text, theirs.by)
    assert "proved" in run("verify", evening).stdout


def test_who_was_overtaken_is_told_and_loses_nothing(db: Path, store: Store, evening: str) -> None:
    sitting = Sitting(LogNotebook(evening, str(db), "", quiet=False))
    sitting.type("g3\r", "v9Cb1\r", ENTER)
    api.annotate(store, evening, api.NoteRequest(3, "theirs"))
    api.play(store, evening, api.WordsRequest(("8Dh3",)))
    before = load(store, evening).head
    overtaken = sitting.type("cmine\r")
    assert "somebody else wrote first, 2 entries are new; nothing of yours was written" in " ".join(overtaken.split())
    assert overtaken.splitlines()[-1] == "comment on 2. 9Cb1: mine"
    assert load(store, evening).head == before
    assert sitting.stepper.place == (3, ((1, 1),))
    sitting.type("cmine\r")
    assert load(store, evening).book.plies[2].note.items[1:] == ("theirs",)
    assert "5" in sitting.type(BACKSPACE)
    assert len(sitting.stepper.track.positions) == 6


def test_a_ply_taken_back_meanwhile_is_not_written_to(db: Path, store: Store, evening: str) -> None:
    sitting = Sitting(LogNotebook(evening, str(db), "", quiet=False))
    sitting.type("g4\r", "v2Ca6\r", ENTER)
    api.take_back(store, evening, api.UndoRequest(2))
    assert "one entry is new" in " ".join(sitting.type("cmine\r").split())
    assert sitting.stepper.place == (2, ())


def test_a_seat_adds_what_it_is_not_shown(run: Run, db: Path, store: Store) -> None:
    [taken] = api.import_records(store, loads(TAROT.read_bytes()))
    api.annotate(store, taken.id, api.NoteRequest(20, "a secret", glyphs=(2,)))
    sitting = Sitting(LogNotebook(taken.id, str(db), "p1", quiet=False))
    seen = sitting.type("g20\r", "!\r")
    assert "secret" not in seen
    assert "written; ply 20: ~" in seen
    asked = sitting.type("c")
    assert "secret" not in asked
    assert "Enter adds to the notes, which no seat is shown" in asked
    sitting.type("cfrom p1\r")
    note = load(store, taken.id).book.plies[19].note
    assert (note.glyphs, note.comments) == ((2, 1), ("a secret", "from p1"))
    last = load(store, taken.id).recorded[-1].event
    assert last.by == "p1"
    with pytest.raises(Declined, match="Notes and variations are not shown to seats"):
        api.annotate(store, taken.id, api.NoteRequest(20, "x", within=((1, 1),)), viewer=Seat(1))


def test_the_rail_writes_nothing(db: Path, store: Store, evening: str, sheet: Path) -> None:
    before = load(store, evening).head
    for kept in (LogNotebook(evening, str(db), "rail", quiet=False), SheetNotebook(str(sheet), "rail")):
        assert "The rail only watches; write as a seat or as another person." in Sitting(kept).type("g1\r", "cx\r")
    assert load(store, evening).head == before
    assert sheet.read_text() == TEXT


def test_a_quiet_record_tells_no_verdict_on_a_variation(db: Path, store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="q"))
    api.play(store, "q", api.WordsRequest(("4Ci3", "4Db6", "8Dj2")), viewer=Everything(quiet=True))
    for typed in ("v9Hc5", "v9Hc5\r"):
        seen = Sitting(LogNotebook("q", str(db), "p1", quiet=False)).type("g3\r", typed)
        assert "9Hc5" in seen
        assert "irregular" not in seen
        assert "legal" not in seen
    answer = Sitting(LogNotebook("q", str(db), "", quiet=False)).type("g3\r", "v9Hc5")
    assert "irregular, cardmate." in answer
    quietly = Sitting(LogNotebook("q", str(db), "", quiet=True)).type("g3\r", "v9Hc5\r")
    assert "The rail only watches; write as a seat or as another person." in quietly


def gone(db: Path) -> None:
    db.unlink()


def foreign(db: Path) -> None:
    for path in db.parent.glob(f"{db.name}*"):
        path.unlink()
    db.write_text("no database at all, but long enough to be taken for one, if nobody looks at how it begins\n" * 9)


@pytest.mark.parametrize(("spoiled", "says"), [(gone, "There is no database"), (foreign, "database")])
def test_a_database_that_cannot_be_written_to_is_said(
    run: Run, tmp_path: Path, spoiled: Callable[[Path], None], says: str
) -> None:
    db = tmp_path / "other.db"
    run("new", "cardmate", "--id", "evening", "--db", str(db))
    run("move", "evening", "4Ci3", "--db", str(db))
    sitting = Sitting(LogNotebook("evening", str(db), "", quiet=False))
    spoiled(db)
    seen = sitting.type("g1\r", "cmine\r")
    assert says in " ".join(seen.split()[-30:]), seen
    assert seen.splitlines()[-1] == "comment on 1. 4Ci3: mine"


# --- in a real terminal ---


def test_a_person_annotates_a_file(db: Path, sheet: Path) -> None:
    with Terminal(db, str(sheet), "-i", "--at", "3", command="replay") as terminal:
        terminal.until(r"^ply 3 of 4: .*\[2. 8Dj2\]")
        terminal.type("!")
        terminal.until(r"^glyph on 2. 8Dj2: !$")
        terminal.type("!" + ENTER)
        terminal.until(r"^ply 3 of 4: .*\[2. 8Dj2!!\]", r"^written; ply 3: !!")
        terminal.type("v9Cb1 8Dz9")
        terminal.until(r"^unreadable at column 8: found z9 in 8Dz9", r"^instead of 2. 8Dj2: 9Cb1 8Dz9$")
        terminal.type(4 * BACKSPACE + "8Ca7")
        terminal.until(r"^legal: 9Cb1 8Ca7")
        terminal.type(ENTER)
        terminal.until(r"^variation 1: 9Cb1 8Ca7", r"^written; legal: 9Cb1 8Ca7")
        terminal.type(ENTER)
        terminal.until(r"^ply 1 of 2: \[2. 9Cb1\] 8Ca7")
        terminal.type("c" + "née en été" + ENTER)
        terminal.until(r"^\{née en été\}")
        terminal.type("q")
        assert terminal.ended() == 0
    assert "8Dj2!! (2. 9Cb1 {née en été} 2... 8Ca7) 2... 8Ca7 *" in moves(sheet)


def test_a_line_that_was_wider_than_the_terminal_hides_no_label(db: Path, sheet: Path) -> None:
    with Terminal(db, str(sheet), "-i", "--at", "3", command="replay", rows=9, columns=40) as terminal:
        terminal.until(r"^ply 3 of 4")
        terminal.type("c" + "a long comment " * 5)
        terminal.until(r"long comment a long comment$")
        terminal.type(ESC)
        terminal.until(r"^ply 3 of 4", r"^(?!.*long comment)")
        terminal.type("v9C")
        terminal.until(r"^instead of 2. 8Dj2: 9C$")
        terminal.type("b1" + ENTER)
        terminal.until(r"^written; legal: 9Cb1")
        terminal.type("q")
        assert terminal.ended() == 0


def test_a_person_annotates_a_stored_game_until_its_log_is_damaged(db: Path, store: Store, evening: str) -> None:
    with Terminal(db, evening, "-i", command="replay", rows=40, columns=140) as terminal:
        terminal.until(r"^ply 0 of 4")
        terminal.type(RIGHT + "cthe plan" + ENTER)
        terminal.until(r"\{the plan\}", r"^written; ply 1: ")
        with sqlite3.connect(db) as log:
            log.executescript("DROP TRIGGER IF EXISTS no_update;")
            for (name,) in log.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall():
                log.execute(f'DROP TRIGGER "{name}"')
            log.execute("UPDATE stored_events SET state = replace(state, '4Db6', '4Db5')")
        terminal.type("c again" + ENTER)
        assert terminal.ended() == 3
        assert "Traceback" not in terminal.raw.decode()


def test_a_variation_in_small_letters_is_read_as_it_is_where_moves_are_typed(tmp_path: Path) -> None:
    path = tmp_path / "tarot.cgn"
    path.write_bytes(TAROT.read_bytes())
    sitting = Sitting(SheetNotebook(str(path), ""))
    first = next(at for at, one in enumerate(sitting.stepper.track.positions) if one.last and one.last.word == "XH")
    sitting.stepper.go(first)
    assert "XH" in sitting.type("v", "xh")
    assert "written; " in sitting.type("v", "xh", ENTER)
    assert "XH)" in moves(path)
