"""Control characters: no text that holds one is kept, and none that is kept already reaches a reader as it is."""

import io
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from cartulary.cli.shell import console
from cartulary.cli.shell.findings import COLOURS, paint
from cartulary.cli.shell.positions import ROLES
from cartulary.notation import loads
from cartulary.notation.cgn.controls import visible
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.listing import index_rows
from cartulary.records.log.chain import Head
from cartulary.records.log.events import (
    DisputeRaised,
    Event,
    GameClosed,
    MoveTakenBack,
    NoteReplaced,
    RulingGiven,
    TagsChanged,
)
from cartulary.records.log.recorded import Batch, seal_events
from cartulary.records.log.store import Store
from cartulary.records.log.topics import decode, encode
from cartulary.records.state.fold import fold
from tests.records.archives import OPENING, Run, sheet

BREAK, ESCAPE, C1, DELETE, TAB, OVERRIDE, LINE = "\n", "\x1b", "\x9b", "\x7f", "\t", "\u202e", "\u2028"
BAD = (BREAK, ESCAPE, C1, DELETE, TAB, OVERRIDE, LINE)
ODD = f"Ada{ESCAPE}[2J{BREAK}Love{C1}1m{OVERRIDE}"
SHOWN = "Ada\\u001b[2J\\u000aLove\\u009b1m\\u202e"


def raw(text: str) -> list[str]:
    """Return the control characters of a text but its line breaks."""
    return [sign for sign in text.replace("\n", "") if visible(sign) != sign]


# --- the door ---

NAMES: tuple[tuple[str, ...], ...] = (
    ("new", "cardmate", "-p", "BAD"),
    ("new", "cardmate", "--tag", "Event=BAD"),
    ("new", "cardmate", "--by", "BAD"),
    ("new", "cardmate", "--command", "BAD"),
    ("tag", "evening", "Event=BAD"),
    ("tag", "evening", "Forehand=BAD"),
    ("tag", "evening", "Event=x", "--by", "BAD"),
    ("move", "evening", "8Dj2", "--by", "BAD"),
    ("move", "evening", "8Dj2", "--command", "BAD"),
    ("undo", "evening", "--by", "p1", "--agreed", "BAD"),
    ("note", "evening", "1", "x", "--by", "BAD"),
    ("dispute", "evening", "1", "--by", "BAD", "--claim", "x"),
    ("ruling", "evening", "1", "--stands", "--arbiter", "BAD"),
    ("ruling", "evening", "1", "--stands", "--arbiter", "A", "--by", "BAD"),
    ("import", "SHEET", "--by", "BAD"),
    ("seat", "evening", "p1", "-p", "BAD"),
    ("list", "--player", "BAD"),
)
"""What is one line as it is typed."""
NONE: tuple[tuple[str, ...], ...] = (
    ("new", "cardmate", "--id", "BAD"),
    ("move", "evening", "8Dj2", "--clock", "BAD"),
    ("close", "evening", "1-0", "--termination", "BAD"),
    ("close", "evening", "1-0", "--score", "BAD"),
)
"""What could not be that word at all."""
TEXTS: tuple[tuple[str, ...], ...] = (
    ("undo", "evening", "--reason", "BAD"),
    ("amend", "evening", "1", "4Ci3", "--reason", "BAD"),
    ("note", "evening", "1", "BAD"),
    ("reopen", "closed", "--reason", "BAD"),
    ("dispute", "evening", "1", "--by", "p1", "--claim", "BAD"),
    ("dispute", "evening", "--withdraw", "5", "--by", "p1", "--reason", "BAD"),
    ("ruling", "evening", "1", "--stands", "--arbiter", "A", "--reason", "BAD"),
    ("ruling", "evening", "1", "--stands", "--arbiter", "A", "--penalty", "p1=BAD"),
)
"""Running text, whose white space is kept as single blanks."""


@pytest.mark.parametrize("bad", BAD, ids=[f"{ord(sign):04x}" for sign in BAD])
def test_no_text_with_a_control_character_is_kept(run: Run, db: Path, tmp_path: Path, bad: str) -> None:
    path = tmp_path / "sheet.cgn"
    path.write_text(sheet(), "utf-8")
    run("new", "cardmate", "--id", "closed")
    run("close", "closed", "1-0")
    run("new", "cardmate", "--id", "evening", "-p", "Ada", "-p", "Bela")
    run("move", "evening", "4Ci3", "4Db6")
    run("dispute", "evening", "1", "--by", "p1", "--claim", "no such move")
    before = run("verify", "--all").stdout
    for words in (*NAMES, *NONE, *(() if bad.isspace() else TEXTS)):
        given = [word.replace("BAD", f"one{bad}two").replace("SHEET", str(path)) for word in words]
        errors = run(*given, code=2).stderr
        assert raw(errors) == [], words
        assert words in NONE or f"holds {'a line break' if bad == BREAK else visible(bad)}" in errors.replace(
            "the control character ", ""
        ), words
    assert run("verify", "--all").stdout == before


def test_white_space_in_running_text_is_kept_as_single_blanks(run: Run) -> None:
    run("new", "cardmate", "--id", "evening")
    run("move", "evening", "4Ci3")
    note = f"of two{BREAK}lines{TAB}and{LINE} more " + "and so on, " * 9
    assert "{of two lines and more and so on, and" in run("note", "evening", "1", note).stdout
    run("dispute", "evening", "1", "--by", "p1", "--claim", f"of two{BREAK}lines")
    output = run("log", "evening").stdout
    assert "{of two lines and more and so on, and" in output
    assert ": of two lines\n" in output


@pytest.mark.parametrize("good", ["עברית", "علی\u200cرضا", "\u200eAda\u200f", "张伟", "Zoë O'Hara", "👩\u200d🎓"])
def test_a_name_in_any_script_is_kept_as_it_is(run: Run, good: str) -> None:
    run("new", "cardmate", "--id", "evening", "-p", good, "-p", "?")
    assert f'[Forehand "{good}"]' in run("export", "evening").stdout
    assert good in run("show", "evening").stdout


# --- what is kept already ---


@pytest.fixture
def old(store: Store) -> Store:
    """Return a store with a game as a version wrote it that let everything in, in its log and in its lists."""
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(("4Ci3", "4Db6", "8Dj2")))
    put_raw(
        store,
        TagsChanged(at="2026-11-20T20:00:00.000Z", by=ODD, put=(("Event", ODD), ("Forehand", ODD)), dropped_tags=()),
        NoteReplaced(at="2026-11-20T20:00:01.000Z", by=ODD, event=3, word=0, text=f"{{a {ESCAPE}[31mred{C1} note}}"),
        MoveTakenBack(at="2026-11-20T20:00:02.000Z", event=5, word=0, plies=1, agreed_by=ODD, reason=ODD),
        DisputeRaised(at="2026-11-20T20:00:03.000Z", by=ODD, event=3, word=0, claim=ODD),
        RulingGiven(
            at="2026-11-20T20:00:04.000Z",
            plies=((4, 0),),
            arbiter=ODD,
            decision="stands",
            words=(),
            penalties=((1, ODD),),
            result="",
            keys=(),
            dispute=0,
            reason=ODD,
        ),
        GameClosed(at="2026-11-20T20:00:05.000Z", result="1-0", termination="abandoned", score=ODD, command=ODD),
    )
    return store


def put_raw(store: Store, *events: Event) -> None:
    """Write events behind the game's last one as they are, no door asked."""
    here = store.stream("evening")
    head = Head(len(here), here[-1].digest)
    recorded = seal_events("evening", head, events)
    listed = index_rows(fold("evening", (*here, *recorded)))
    store.write(Batch("evening", head, recorded, listed))


READS: tuple[tuple[str, ...], ...] = (
    ("show", "evening"),
    ("show", "evening", "--seat", "p1"),
    ("show", "evening", "--json"),
    ("replay", "evening"),
    ("check", "evening"),
    ("why", "evening", "1"),
    ("validate", "evening"),
    ("log", "evening"),
    ("log", "evening", "--json"),
    ("log", "evening", "--seat", "p2"),
    ("list",),
    ("list", "--json"),
    ("list", "--player", "ada"),
    ("search", "--text", "note"),
    ("stats",),
    ("verify", "--all"),
    ("export", "evening"),
    ("export", "evening", "--log"),
    ("export", "evening", "--seat", "p1"),
    ("export", "evening", "--format", "html", "--log"),
    ("fmt", "evening"),
    ("convert", "evening"),
    ("revalidate",),
    ("record", "evening"),
)


@pytest.mark.parametrize("words", READS, ids=" ".join)
def test_an_old_log_is_read_with_its_control_characters_shown(run: Run, old: Store, words: tuple[str, ...]) -> None:
    result = run(*words, code=1 if words[0] == "check" else 0)
    assert raw(result.stdout + result.stderr) == []
    assert "\nLove" not in result.stdout + result.stderr


def test_what_is_shown_is_the_code_in_the_place_of_the_character(run: Run, old: Store) -> None:
    assert SHOWN in run("show", "evening").stdout
    assert SHOWN in run("list").stdout
    assert SHOWN.replace("\\", "\\\\") in run("export", "evening").stdout
    assert "{a \\u001b[31mred\\u009b note" in run("export", "evening").stdout
    assert SHOWN in run("log", "evening").stdout


def test_an_old_log_goes_into_a_database_and_onto_paper(run: Run, old: Store, tmp_path: Path) -> None:
    run("export", "--all", "--format", "sqlite", "-o", str(tmp_path / "club.db"))
    with sqlite3.connect(tmp_path / "club.db") as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        assert "games" in tables
        found = [str(cell) for (cell,) in database.execute("SELECT players FROM games")]
    assert any(SHOWN in cell for cell in found), found
    run("export", "evening", "--format", "pdf", "-o", str(tmp_path / "evening.pdf"))
    pages = PdfReader(io.BytesIO((tmp_path / "evening.pdf").read_bytes())).pages
    assert "Ada\\u001b[2J\\u000aLove" in "".join("".join(page.extract_text() for page in pages).split())


def test_an_exported_old_log_is_the_same_log_elsewhere(run: Run, old: Store, tmp_path: Path) -> None:
    run("export", "--all", "--format", "json", "--log", "-o", str(tmp_path / "all.json"))
    elsewhere = ("--db", str(tmp_path / "other.db"))
    run("import", str(tmp_path / "all.json"), *elsewhere)
    assert run("verify", "--all", *elsewhere).stdout == run("verify", "--all").stdout
    run("verify", str(tmp_path / "all.json"))


def test_a_list_that_an_older_version_wrote_shows_them_too(run: Run, store: Store, db: Path) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada",)))
    with sqlite3.connect(db) as database:
        database.execute("UPDATE games SET players = ?", (ODD,))
    assert SHOWN in run("list").stdout


def test_only_texts_are_rewritten_when_an_event_is_read() -> None:
    plain = TagsChanged(at="2026", put=(("Event", 'a "b" \\ ł'),), dropped_tags=())
    assert decode(*encode(plain)) == plain
    assert decode(*encode(replace(plain, put=(("Event", ODD),)))) == replace(plain, put=(("Event", SHOWN),))


# --- sheets ---

SHEET = sheet(f"4Ci3 {{a {ESCAPE}[31mred note}} 4Db6", Forehand=f"Ada{ESCAPE}[2J", Event=f"Club{TAB}evening")


def test_an_imported_sheet_is_kept_with_its_control_characters_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / f"odd{ESCAPE}.cgn"
    path.write_text(SHEET, "utf-8")
    first = run("import", str(path), "--json").stdout
    id = first.partition('"id":"')[2].partition('"')[0]
    whole = "".join(run(*words, id).stdout for words in (("log",), ("export",), ("log", "--json"), ("show",)))
    assert raw(whole) == []
    for shown in ('[Forehand "Ada\\\\u001b[2J"]', "{a \\u001b[31mred note}", "odd\\u001b.cgn", "Club\\\\u0009evening"):
        assert shown in whole
    assert f"{id} (known)" in run("import", str(path)).stdout


@pytest.mark.parametrize("words", [("show",), ("validate",), ("check",), ("replay",), ("why", "1")])
def test_what_is_printed_of_a_file_shows_them_too(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "odd.cgn"
    path.write_text(SHEET.replace("4Db6", f"4Db6{ESCAPE}[8m"), "utf-8")
    command, *more = words
    result = run(command, str(path), *more, code=1 if command in ("validate", "check") else 0)
    assert raw(result.stdout + result.stderr) == []


# --- at the terminal ---


def test_the_program_s_own_colours_reach_the_terminal_and_no_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "coloured", lambda no_color=False: True)
    own = [paint("x", kind, True) for kind in COLOURS] + [f"\x1b[{code}mx\x1b[0m" for code in ROLES.values()]
    for line in own:
        console.put(line)
    console.put(f"{ESCAPE}[8mhidden {ESCAPE}]0;title\x07")
    assert capsys.readouterr().out == "\n".join((*own, "\\u001b[8mhidden \\u001b]0;title\\u0007", ""))


def test_an_answer_of_the_desk_is_refused_in_the_same_words(store: Store) -> None:
    with pytest.raises(Unfit, match=r"The player's name cannot be kept, because it holds a line break"):
        api.open_game(store, api.NewRequest("cardmate", players=("Ada\nLove",)))
    [record] = loads(sheet(OPENING))
    [answer] = api.import_records(store, [record], path="a\nb.cgn")
    assert "a\\u000ab.cgn" in api.log(store, answer.id)[0].says
