"""Records in and out of the log: score sheets, archives, and the proof that nothing was altered."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from cartulary.notation import Record, dumps, examine, load, loads
from cartulary.records import api
from cartulary.records.exchange import archive, cgn
from cartulary.records.faults import Damaged, Declined, Unfit, UnknownGame
from cartulary.records.log.chain import Head
from cartulary.records.log.events import GameImported, TagsChanged
from cartulary.records.log.packing import unpack
from cartulary.records.log.store import Store
from cartulary.records.state.games import load as load_game
from tests.places import SAMPLES

GAMES = sorted((SAMPLES / "cardmate" / "games").glob("*.cgn"))
PAGE = loads((GAMES[0].parent / "page-1.cgn").read_bytes())[0].line.words


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "elsewhere.db") as store:
        yield store


def lived(store: Store, id: str = "g") -> str:
    """Give a record in which everything has happened that can happen."""
    api.open_game(store, api.NewRequest("cardmate", id=id, players=("Ada", "Bela"), tags={"Event": "Club"}))
    api.play(store, id, api.WordsRequest(PAGE[:6], clock="0:10:00"))
    api.take_back(store, id, api.UndoRequest(2, by="p1", agreed="p2", reason="slip"))
    api.play(store, id, api.WordsRequest(PAGE[4:20]))
    api.amend(store, id, api.AmendRequest(5, ("XCi0",), by="arbiter", reason="both say so"))
    api.play(store, id, api.WordsRequest(("XSa5",), stands=True))
    api.annotate(store, id, api.NoteRequest(3, "the plan", glyphs=(1,)))
    api.annotate(store, id, api.NoteRequest(0, "a cold evening"))
    api.close(store, id, api.CloseRequest("1-0", termination="rules infraction", by="arbiter"))
    return id


def told(record: Record) -> tuple[object, ...]:
    """Return what two score sheets of the same game have in common."""
    notes = {at: (note.glyphs, note.comments, len(note.variations)) for at, note in record.line.notes.items()}
    return sorted(record.tags), record.line.words, notes, record.line.result


# --- score sheets ---


@pytest.mark.parametrize("sample", GAMES, ids=lambda sample: str(sample.stem))
def test_a_score_sheet_comes_out_as_it_went_in(store: Store, sample: Path) -> None:
    [record] = load(sample)
    [answer] = api.import_records(store, [record], path=str(sample))
    assert answer.status == "new"
    ruled = any("[%ruling" in comment for note in record.line.notes.values() for comment in note.comments)
    report = examine(record, str(sample), accept_rulings=ruled).report
    if ruled:
        # An import tells in the finding, too, by whose ruling the ply stands.
        whole = answer.report.findings
        assert all(found.because.startswith(one.because) for found, one in zip(whole, report.findings, strict=True))
        named = [
            msgspec.structs.replace(found, because=one.because)
            for found, one in zip(whole, report.findings, strict=True)
        ]
        assert msgspec.structs.replace(answer.report, findings=tuple(named)) == report
    else:
        assert answer.report == report
    out = api.export_cgn(store, answer.id)
    assert told(out) == told(record)
    assert dumps(out).split("\n", 2)[2] == sample.read_text("utf-8").split("\n", 1)[1]


def test_an_imported_sheet_is_one_fact_without_names(store: Store) -> None:
    [answer] = api.import_records(store, loads(GAMES[2].read_bytes()), path="folder/page.cgn", by="arbiter")
    sheet, names = (each.event for each in store.stream(answer.id))
    assert isinstance(sheet, GameImported)
    assert isinstance(names, TagsChanged)
    assert (sheet.source, sheet.by, sheet.plies, len(sheet.digest)) == ("page.cgn", "arbiter", 40, 64)
    assert "Zillions" not in sheet.cgn
    assert ("Forehand", "Zillions of Games") in names.put


def test_importing_a_file_again_stores_nothing(store: Store) -> None:
    first = [answer for path in GAMES for answer in api.import_records(store, load(path))]
    again = [answer for path in GAMES for answer in api.import_records(store, load(path))]
    assert [answer.status for answer in first] == ["new"] * len(GAMES)
    assert [(answer.id, answer.status) for answer in again] == [(answer.id, "known") for answer in first]
    assert store.index.rows("SELECT COUNT(*) FROM stored_events") == [(2 * len(GAMES),)]


def test_a_sheet_twice_in_one_file_is_stored_once(store: Store) -> None:
    record = loads(GAMES[2].read_bytes())[0]
    assert [each.status for each in api.import_records(store, [record] * 3, batch=2)] == ["new", "known", "known"]


def test_a_sheet_that_sets_up_no_game_is_declined_and_the_next_is_stored(store: Store) -> None:
    text = '[Game "?!"]\n\n1. a b *\n\n[Game "Cardmate"]\n[Variant "rank-setup"]\n\n*\n\n[Game "Cardmate"]\n\n4Ci3 *\n'
    answers = list(api.import_records(store, loads(text)))
    assert [answer.status for answer in answers] == ["declined", "declined", "new"]
    assert "?!" in answers[0].because
    assert "Setup" in answers[1].because


def test_what_cannot_be_read_is_kept_unread_and_reported(store: Store) -> None:
    [answer] = api.import_records(store, loads('[Game "Cardmate"]\n\n1. 4Ci3 4Dzz 2. 8Dj2 {well} *\n'))
    assert (answer.status, answer.report.verdict) == ("new", "unreadable")
    out = api.export_cgn(store, answer.id)
    assert out.line.words == ("4Ci3", "4Dzz", "8Dj2")
    assert out.line.notes[3].comments == ("well",)
    assert [listed.verdict for listed in api.games(store)] == ["unreadable"]


def test_an_unfinished_sheet_can_be_played_on(store: Store) -> None:
    text = f'[Game "Cardmate"]\n[Result "*"]\n\n{" ".join(PAGE[:10])} *\n'
    [answer] = api.import_records(store, loads(text))
    api.play(store, answer.id, api.WordsRequest(PAGE[10:]))
    out = api.export_cgn(store, answer.id)
    assert (out.line.words, out.line.result, out.tag("Result")) == (PAGE, "0-1", "0-1")


def test_a_finished_sheet_is_closed(store: Store) -> None:
    [answer] = api.import_records(store, loads(GAMES[2].read_bytes()))
    with pytest.raises(Declined, match="is closed, 0-1"):
        api.take_back(store, answer.id, api.UndoRequest())
    assert api.amend(store, answer.id, api.AmendRequest(5, ("XCi0",))).stored


def test_a_live_record_exported_as_a_sheet_imports_to_the_same_game(store: Store, elsewhere: Store) -> None:
    out = api.export_cgn(store, lived(store))
    [answer] = api.import_records(elsewhere, loads(dumps(out)))
    back = api.export_cgn(elsewhere, answer.id)
    assert told(back) == told(out)
    here, there = load_game(store, "g").report, load_game(elsewhere, answer.id).report
    assert [(f.ply, f.key) for f in there.findings] == [(f.ply, f.key) for f in here.findings]


def test_the_head_on_an_exported_sheet_proves_the_log(store: Store) -> None:
    text = dumps(api.export_cgn(store, lived(store)))
    [(id, head)] = cgn.heads_in(text.splitlines())
    assert (id, head) == ("g", store.head("g"))
    assert api.verify(store, id, head).fault == ""
    [answer] = api.import_records(store, loads(text))
    assert load_game(store, answer.id).book.escapes == ()


def test_the_log_is_told_in_the_comments_of_an_exported_sheet(store: Store) -> None:
    notes = api.export_cgn(store, lived(store), log=True).line.notes
    assert (
        notes[5].comments[0].startswith('[%takeback 2 by=p1 agreed=p2 "slip"]') or "[%amend 5" in notes[5].comments[0]
    )
    assert '[%amend 5 "8Dh3" by=arbiter "both say so"]' in notes[5].comments[0]
    assert '[%takeback 2 by=p1 agreed=p2 "slip"]' in notes[5].comments[0]
    assert notes[21].comments[0].startswith("[%irregular cardmate.")


def test_a_record_is_read_like_a_file(store: Store) -> None:
    record = api.record_of(store, lived(store))
    line, column = record.place(3)
    text = record.source.text.splitlines()
    assert text[line - record.source.line][column - 1 :].startswith("8Dj2")


def test_an_escape_line_of_ones_own_is_kept_and_only_an_exported_head_is_dropped(store: Store) -> None:
    text = dumps(api.export_cgn(store, lived(store)))
    own = text.replace('[Event "', '[Event "Another ').replace(
        "% CGN 1.0\n", "% CGN 1.0\n% cartulary is our club program\n% cartulary g 7:abc\n"
    )
    [answer] = api.import_records(store, loads(own))
    assert load_game(store, answer.id).book.escapes == (" cartulary is our club program", " cartulary g 7:abc")


# --- archives ---


def test_an_archive_holds_the_stored_bodies_byte_for_byte(store: Store, path: Path) -> None:
    exported = api.export_json(store, lived(store), log=True)
    line = msgspec.json.encode(exported)
    other = sqlite3.connect(path)
    stored = other.execute("SELECT topic, state FROM stored_events ORDER BY originator_version").fetchall()
    other.close()
    read = archive.read_archive(line)
    bodies = [(topic, state if isinstance(state, str) else unpack(state).decode()) for topic, state in stored]
    assert [(event.topic, event.body) for event in read.events] == bodies
    assert api.verify_archive(read).fault == ""


def test_an_archive_imports_to_the_same_chain_and_head(store: Store, elsewhere: Store) -> None:
    exported = api.export_json(store, lived(store), log=True)
    assert api.take_in(elsewhere, exported).status == "new"
    assert elsewhere.stream("g") == store.stream("g")
    assert elsewhere.head("g") == store.head("g")
    assert list(api.games(elsewhere)) == list(api.games(store))
    assert api.take_in(elsewhere, exported).status == "known"
    assert api.take_in(store, exported).status == "known"


def test_an_older_archive_is_known_and_a_newer_one_adds_what_is_missing_if_told_to(
    store: Store, elsewhere: Store
) -> None:
    lived(store)
    old = api.export_json(store, "g", log=True)
    api.take_in(elsewhere, old)
    api.annotate(store, "g", api.NoteRequest(1, "later"))
    assert api.take_in(store, old).status == "known"
    newer, before = api.export_json(store, "g", log=True), elsewhere.head("g")
    with pytest.raises(Damaged, match="here ends at event 30, but the archive goes on; --extend adds"):
        api.take_in(elsewhere, newer)
    assert elsewhere.head("g") == before
    assert api.take_in(elsewhere, newer, extend=True).status == "extended"
    assert elsewhere.head("g") == store.head("g")


def test_another_game_under_the_same_id_is_an_integrity_fault(store: Store, elsewhere: Store) -> None:
    lived(store)
    api.open_game(elsewhere, api.NewRequest("cardmate", id="g", players=("Someone",)))
    before = elsewhere.head("g")
    with pytest.raises(Damaged, match="From event 1 on, the game g here differs from the one in the archive"):
        api.take_in(elsewhere, api.export_json(store, "g", log=True))
    assert elsewhere.head("g") == before


@pytest.mark.parametrize("change", ["body", "drop", "cut", "head", "swap"])
def test_an_altered_archive_is_found_and_not_taken_in(store: Store, elsewhere: Store, change: str) -> None:
    exported = api.export_json(store, lived(store), log=True)
    events = list(exported.events)
    head = exported.digest
    if change == "body":
        events[4] = msgspec.structs.replace(events[4], body=events[4].body.replace("8D", "8C"))
    elif change == "drop":
        del events[4]
    elif change == "cut":
        del events[-1]
    elif change == "swap":
        events[4], events[5] = events[5], events[4]
    else:
        head = "0" * 64
    altered = msgspec.structs.replace(exported, events=tuple(events), digest=head)
    assert api.verify_archive(altered).fault
    with pytest.raises(Damaged):
        api.take_in(elsewhere, altered)
    assert elsewhere.ids() == ()


def test_an_archive_without_its_log_is_declined_with_the_reason(store: Store, elsewhere: Store) -> None:
    with pytest.raises(Declined, match="holds no log"):
        api.take_in(elsewhere, api.export_json(store, lived(store)))
    for text, says in (
        (b"{}", "not an exported game"),
        (b"{", "not an exported game"),
        (b'"\xff"', "not an exported game"),
    ):
        with pytest.raises(Declined, match=says):
            archive.read_archive(text)
    newer = msgspec.json.encode(api.export_json(store, "g")).replace(b'"cartulary":1', b'"cartulary":2')
    with pytest.raises(Declined, match="format 2"):
        archive.read_archive(newer)


@pytest.mark.parametrize("id", ["", "a/b", "two words", "line\nbreak", "-x", "a" * 65, "\x1b[2J"])
def test_an_archive_under_an_id_that_is_none_is_refused(store: Store, elsewhere: Store, id: str) -> None:
    exported = api.export_json(store, lived(store), log=True)
    renamed = msgspec.structs.replace(exported, id=id)
    with pytest.raises(Unfit, match="is not an id; expected"):
        archive.read_archive(msgspec.json.encode(renamed))
    with pytest.raises(Unfit, match="is not an id; expected"):
        api.take_in(elsewhere, renamed)
    assert elsewhere.ids() == ()


# --- proof ---


def tamper(path: Path, *statements: str) -> None:
    """Change the file as someone with sqlite3 could, and put the triggers back so that nothing else shows."""
    other = sqlite3.connect(path, isolation_level=None)
    triggers = other.execute("SELECT name, sql FROM sqlite_master WHERE type='trigger'").fetchall()
    for name, _ in triggers:
        other.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        other.execute(statement)
    for _, sql in triggers:
        other.execute(sql)
    other.close()


def test_a_sound_file_is_proved_game_by_game(store: Store) -> None:
    lived(store, "a")
    lived(store, "b")
    proofs = list(api.verify_all(store))
    assert [(proof.id, proof.fault) for proof in proofs] == [("a", ""), ("b", "")]
    assert [Head(proof.version, proof.digest) for proof in proofs] == [store.head("a"), store.head("b")]


@pytest.mark.parametrize(
    ("statement", "version"),
    [
        (
            "UPDATE stored_events SET state = replace(state, '8D', '8C') "
            "WHERE originator_id='b' AND originator_version=5",
            5,
        ),
        ("DELETE FROM stored_events WHERE originator_id='b' AND originator_version=7", 7),
        ("DELETE FROM stored_events WHERE originator_id='b' AND originator_version=30", 30),
        ("UPDATE stored_events SET topic='annotated/1' WHERE originator_id='b' AND originator_version=6", 6),
    ],
)
def test_a_damaged_game_is_named_with_its_event_and_the_others_are_proved(
    store: Store, path: Path, statement: str, version: int
) -> None:
    for id in "abc":
        lived(store, id)
    assert load_game(store, "b").head.version == 30
    tamper(path, statement)
    proofs = {proof.id: proof for proof in api.verify_all(store)}
    assert (proofs["a"].fault, proofs["c"].fault) == ("", "")
    assert (proofs["b"].version, bool(proofs["b"].fault)) == (version, True)
    for ask in (lambda: api.play(store, "b", api.WordsRequest(("8Dj2",))), lambda: api.log(store, "b")):
        with pytest.raises(Damaged):
            ask()
    assert api.reindex(store)[0] == 2


@pytest.mark.parametrize("odd", ["'a' || char(10) || 'b'", "CAST(x'67ff' AS TEXT)", "x'0001'"])
def test_a_listed_id_that_nobody_can_ask_for_is_named_and_the_others_go_on(store: Store, path: Path, odd: str) -> None:
    lived(store, "a")
    lived(store, "b")
    tamper(path, f"UPDATE stored_events SET originator_id = {odd} WHERE originator_id = 'a'")
    tamper(path, f"UPDATE heads SET id = {odd} WHERE id = 'a'")
    proofs = list(api.verify_all(store))
    assert [bool(proof.fault) for proof in proofs] == [True, False]
    assert proofs[0].fault.isprintable()
    written, faults = api.reindex(store)
    assert (written, len(faults)) == (1, 1)
    assert [listed.id for listed in api.games(store)] == ["b"]


def test_a_head_whose_version_is_no_number_is_damage(store: Store, path: Path) -> None:
    lived(store)
    tamper(path, "UPDATE heads SET version = 'x'")
    assert "The head of g says x events" in api.verify(store, "g").fault


def test_a_log_cut_off_with_its_head_moved_is_found_by_a_head_noted_before(store: Store, path: Path) -> None:
    noted = store.head(lived(store))
    assert noted is not None
    digest = store.stream("g")[-2].digest
    tamper(
        path,
        f"DELETE FROM stored_events WHERE originator_version = {noted.version}",
        f"UPDATE heads SET version = {noted.version - 1}, digest = '{digest}'",
    )
    assert api.verify(store, "g").fault == ""
    assert "cut off" in api.verify(store, "g", noted).fault
    assert "cannot be found" in next(iter(api.verify_all(store))).fault


def test_a_history_written_anew_is_found_by_a_head_noted_before(store: Store, path: Path) -> None:
    noted = store.head(lived(store))
    tamper(path, "DELETE FROM stored_events", "DELETE FROM heads")
    lived(store)
    assert api.verify(store, "g").fault == ""
    assert "not the record it was noted from" in api.verify(store, "g", noted).fault


def test_a_game_that_is_gone_is_found_by_a_head_noted_before(store: Store, path: Path) -> None:
    noted = store.head(lived(store))
    tamper(path, "DELETE FROM stored_events", "DELETE FROM heads")
    assert "is gone" in api.verify(store, "g", noted).fault
    with pytest.raises(UnknownGame):
        api.verify(store, "g")
    assert any("cannot be found" in proof.fault for proof in api.verify_all(store))


def test_a_log_whose_triggers_are_gone_is_reported(store: Store, path: Path) -> None:
    lived(store)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("DROP TRIGGER events_are_not_edited")
    other.close()
    assert ["events_are_not_edited" in proof.fault for proof in api.verify_all(store)] == [True, False]


def test_a_log_whose_triggers_were_weakened_is_reported(store: Store, path: Path) -> None:
    lived(store)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("DROP TRIGGER events_are_not_edited")
    other.execute("CREATE TRIGGER events_are_not_edited BEFORE UPDATE ON stored_events BEGIN SELECT 1; END")
    other.close()
    assert ["events_are_not_edited" in proof.fault for proof in api.verify_all(store)] == [True, False]
