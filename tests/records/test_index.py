"""The index: one runner writes it, for who appends and for who writes it anew, so both say the same."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from cartulary.notation import Record, format_record, load, loads
from cartulary.records import api
from cartulary.records.library import reindex as anew
from cartulary.records.library.listing import index_rows
from cartulary.records.log import store as keeping
from cartulary.records.log.chain import origin
from cartulary.records.log.events import TagsChanged
from cartulary.records.log.recorded import Batch, seal_events
from cartulary.records.log.schema import COLUMNS, Lines
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame
from tests.hunts import looks
from tests.places import SAMPLES
from tests.records.archives import OPENING, samples_in

SAID = {
    **{name: f"SELECT * FROM {name} ORDER BY 1, 2, 3" for name in ("games", "findings", "rulings", "disputes")},
    "seats": "SELECT number, seat, name FROM seats JOIN people USING (person) ORDER BY 1, 2",
    "comments": "SELECT rowid, text FROM comments ORDER BY 1",
    "waiting": "SELECT number FROM waiting ORDER BY 1",
}


def all_said(store: Store) -> dict[str, list[tuple[object, ...]]]:
    return {name: store.index.rows(sql) for name, sql in SAID.items()}


def lived(store: Store, ids: Iterable[str]) -> None:
    """Play games side by side, so that their events stand between each other's, and do to them all that can be done."""
    ids = tuple(ids)
    for id in ids:
        api.open_game(store, api.NewRequest("cardmate", id=id, players=(f"Ada of {id}", "Bela")))
    for word in OPENING.split():
        for id in ids:
            api.play(store, id, api.WordsRequest((word,)))
    for id in ids:
        api.change_tags(store, id, api.TagRequest({"Event": f"Cup {id}"}))
        api.annotate(store, id, api.NoteRequest(1, f"a quiet start of {id}"))
        api.take_back(store, id, api.UndoRequest(1))
        api.play(store, id, api.WordsRequest(("XDa2",), stands=True))
        api.amend(store, id, api.AmendRequest(4, ("8Cb6",), stands=True))
        api.dispute(store, id, api.DisputeRequest(8, by="p2", claim="it cannot go there"))
        api.rule(
            store,
            id,
            api.RulingRequest((8,), arbiter="Dora", decision="stands", keys=("cardmate.reach",), reason="seen late"),
        )
        api.close(store, id, api.CloseRequest("1-0"))


@pytest.mark.parametrize("size", [1, 2, 500])
def test_what_was_written_append_by_append_is_what_is_written_anew(
    store: Store, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(anew, "CHUNK", size)
    monkeypatch.setattr(keeping, "PAGE", size)
    lived(store, ("one", "two"))
    samples_in(store, ("cardmate", "tarot-duel"))
    store.append("@aside", origin("@aside"), [TagsChanged(at="", salt="00" * 16, put=(), dropped_tags=())])
    lived(store, ("three",))
    before = all_said(store)
    assert all(before.values())
    assert api.reindex(store) == (len(before["games"]), ())
    assert all_said(store) == before


def faulty(drawn: Random, record: Record) -> str:
    """Return a score sheet with some of its words left out, said twice, exchanged or given a mark, perhaps numbered."""
    words, notes = list(record.line.words), record.line.notes
    for _ in range(drawn.randint(1, 3)):
        one, two = sorted(drawn.randrange(len(words)) for _ in range(2))
        how = drawn.randrange(4)
        if how == 0 and len(words) > 1:
            del words[one]
        elif how == 1:
            words.insert(two, words[one])
        elif how == 2:
            words[one], words[two] = words[two], words[one]
        else:
            words[one] += drawn.choice("+x'~")
    notes = notes if drawn.randrange(2) and len(words) >= max(notes, default=0) else {}
    numbers = record.line.numbers if drawn.randrange(4) == 0 else {}
    return format_record(replace(record, line=replace(record.line, words=tuple(words), notes=notes, numbers=numbers)))


@pytest.mark.hunt
@pytest.mark.parametrize("game", ["arcanoid", "cardmate", "draughts", "tarot", "tarot-duel", "zarcana"])
def test_what_an_import_says_of_sheets_with_faults_is_what_is_written_anew(store: Store, game: str) -> None:
    drawn, whole = Random(f"faulty {game}"), (SAMPLES / game / "games").glob("*.cgn")
    records = [record for path in sorted(whole) for record in load(str(path)) if record.line.words]
    texts = [faulty(drawn, records[number % len(records)]) for number in range(max(20, looks(80)))]
    answers = list(api.import_records(store, loads("\n".join(texts)), batch=7))
    kinds = {key.partition(".")[0] in ("cgn", "record") for (key,) in store.index.rows("SELECT key FROM findings")}
    assert (kinds, {answer.status for answer in answers} - {"known"}) == ({True, False}, {"new"})
    before = all_said(store)
    assert api.reindex(store) == (len(before["games"]), ())
    assert all_said(store) == before


def test_every_game_and_every_fault_is_counted_once_however_many_events_it_has(
    store: Store, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anew, "CHUNK", 2)
    lived(store, ("one", "two", "three"))
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("DROP TRIGGER events_are_not_edited")
        other.execute(
            "UPDATE stored_events SET state = replace(state, '8Dj2', '8Cj2') "
            "WHERE originator_id = 'two' AND originator_version = 5"
        )
        other.execute("INSERT INTO heads VALUES ('ghost', 3, 'x')")
        other.execute("INSERT INTO heads VALUES ('@ghost', 3, 'x')")
    calls: list[tuple[int, int]] = []
    held, faults = api.reindex(store, lambda done, games: calls.append((done, games)))
    assert held == 2
    assert [str(fault) for fault in faults] == [
        "Event 5 of two is not the one that was written there.",
        "The head of ghost says 3 events, but the log holds 0.",
    ]
    assert calls == [(2, 4), (4, 4)]
    assert {row[1] for row in all_said(store)["games"]} == {"one", "three"}


def test_what_others_write_while_the_index_is_written_anew_stays(
    store: Store, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived(store, ("one", "two"))

    def work_out_and_be_late(game: LiveGame) -> Lines:
        worked_out = index_rows(game)
        if game.id == "one":
            with Store(db) as other:
                api.annotate(other, "one", api.NoteRequest(2, "said meanwhile"))
                api.open_game(other, api.NewRequest("cardmate", id="late", players=("Cleo", "Bela")))
        return worked_out

    monkeypatch.setattr(anew, "index_rows", work_out_and_be_late)
    assert api.reindex(store) == (3, ())
    monkeypatch.undo()
    there = all_said(store)
    assert "said meanwhile" in {row[1] for row in there["comments"]}
    assert [row[1] for row in there["games"]] == ["one", "two", "late"]
    api.reindex(store)
    assert all_said(store) == there


def test_of_games_that_were_there_before_nothing_is_said_anew(store: Store) -> None:
    def batch(id: str, event: str) -> Batch:
        recorded = seal_events(
            id, origin(id), [TagsChanged(at="", salt="00" * 16, put=(("Event", event),), dropped_tags=())]
        )
        answer = Batch(id, origin(id), recorded)
        names = dict.fromkeys(("game", "edition", "variant"), "cardmate")
        row = {"id": id, **names, "event": event, "version": 1, "digest": answer.head.digest}
        return Batch(id, origin(id), recorded, Lines(tuple(row.get(name, "") for name in COLUMNS)))

    store.write(batch("one", "first"))
    assert store.write_new([batch("one", "second"), batch("two", "second")]) == {"one"}
    assert store.index.rows("SELECT number, id, event FROM games") == [(1, "one", "first"), (2, "two", "second")]
