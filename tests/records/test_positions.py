"""Searching by position: the same one by other moves, what a seat knew, and an index that follows what is written."""

import sqlite3
import sys
from collections.abc import Iterable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pexpect
import pytest
from msgspec.structs import replace

from cartulary.engine import Place
from cartulary.notation import GAMES, Record, as_seen, dumps, load, loads
from cartulary.notation.viewer import SPECTATOR, Seat, viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Damaged, Declined, Unfit, UninstalledGame
from cartulary.records.library import positions
from cartulary.records.library import reindex as anew
from cartulary.records.library.marks import mark_function, marks_of, position_mark
from cartulary.records.library.positions import TASK
from cartulary.records.library.search import Query
from cartulary.records.log.index import write_index
from cartulary.records.log.schema import COLUMNS, Lines
from cartulary.records.log.store import Store
from tests.places import SAMPLES
from tests.records.archives import OPENING, PAGE, Run, samples_in, sheet, taken_in

ROUND_ABOUT = "7Cb1 7Di8 4Ci3 4Db6 8Dj2 8Ca7 8Dh3 8Cc6"
"""The words of OPENING in another order."""


def record(text: str) -> Record:
    [found] = loads(text)
    return found


def sample(game: str, name: str) -> Record:
    return next(iter(load(str(SAMPLES / game / "games" / name))))


def where(store: Store, wanted: Record, at: int | None = None, seat: int | None = None) -> set[tuple[str, int]]:
    return {(hit.game.id, hit.ply) for hit in api.find_position(store, wanted, at, viewer=viewer_of_seat(seat))[0]}


def test_a_position_is_found_where_other_moves_led_to_it(store: Store) -> None:
    straight, about = taken_in(store, sheet(), sheet(ROUND_ABOUT))
    assert where(store, record(sheet()), 8) == {(straight, 8), (about, 8)}
    assert where(store, record(sheet()), 2) == {(straight, 2)}
    assert where(store, record(sheet()), 0) == {(straight, 0), (about, 0)}
    assert where(store, record(sheet(ROUND_ABOUT))) == {(straight, 8), (about, 8)}


def test_the_same_board_with_the_other_seat_to_move_is_another_position() -> None:
    back_and_forth = record(sheet("8Dj2 8Ca7 8Di0"))
    marks = dict(marks_of(back_and_forth))
    assert len(set(marks.values())) == len(marks) == 4


def test_words_known_to_be_legal_are_carried_out_and_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    played = [sample("cardmate", "page-1.cgn"), record(sheet("4Ci3 p2/Draw 4Db6 p2/Resign"))]
    judged = [list(marks_of(each)) for each in played]
    game = GAMES["cardmate"]
    monkeypatch.setitem(GAMES, "cardmate", replace(game, rules=replace(game.rules, play=None)))
    assert [list(marks_of(each, legal=True)) for each in played] == judged
    assert [len(marks) for marks in judged] == [1 + len(each.line.words) for each in played]


def test_a_game_is_found_as_it_stands_after_every_request(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    wanted = record(sheet())
    assert where(store, wanted, 4) == set()
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split()[:5])))
    assert where(store, wanted, 4) == {("evening", 4)}
    api.take_back(store, "evening", api.UndoRequest(2))
    assert where(store, wanted, 4) == set()
    assert where(store, wanted, 3) == {("evening", 3)}
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split()[3:])))
    assert where(store, wanted, 8) == {("evening", 8)}
    api.close(store, "evening", api.CloseRequest("1-0", termination="adjudication"))
    assert where(store, wanted, 8) == {("evening", 8)}


def test_what_else_is_asked_holds_too_and_pages_follow_one_another(store: Store) -> None:
    ids = taken_in(store, *(sheet(Round=str(number), Forehand=f"Player {number}") for number in range(5)))
    wanted = record(sheet())
    found, more = api.find_position(store, wanted, 4, query=Query(player=("player 3",)))
    assert ([hit.game.id for hit in found], more) == ([ids[3]], False)
    pages = [api.find_position(store, wanted, 4, limit=2, offset=at) for at in (0, 2, 4)]
    assert [hit.game.id for hits, _ in pages for hit in hits] == ids[::-1]
    assert [more for _, more in pages] == [True, True, False]


def test_many_games_are_put_in_as_a_run_and_the_last_one_comes_first(store: Store) -> None:
    ids = taken_in(store, *(sheet(Round=str(number)) for number in range(TASK + 5)))
    assert positions.place(store) == TASK + 5
    assert positions.place(store) == 0
    ids += taken_in(store, sheet(ROUND_ABOUT))
    answers: list[tuple[int, int]] = []
    found, _ = api.find_position(store, record(sheet()), 8, progress=lambda done, total: answers.append((done, total)))
    assert [hit.game.id for hit in found] == ids[::-1]
    assert answers == [(1, 1)]
    assert store.index.rows("SELECT COUNT(*) FROM runs") == [(1,)]
    assert store.index.rows("SELECT COUNT(DISTINCT place) FROM positions") == [(1,)]
    some = api.find_position(store, record(sheet()), 8, limit=3, offset=1)[0]
    assert [hit.game.id for hit in some] == ids[::-1][1:4]


def test_a_reindex_keeps_the_index_of_positions(store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    [id] = taken_in(store, sheet())
    assert positions.place(store) == 2
    api.reindex(store)
    assert positions.place(store) == 0
    assert where(store, record(sheet()), 8) == {(id, 8)}
    api.play(store, "evening", api.WordsRequest(("4Ci3",)))
    api.reindex(store)
    assert positions.place(store) == 1


def test_two_processes_work_out_the_same_as_one(store: Store) -> None:
    taken_in(store, *(sheet(ROUND_ABOUT if number % 2 else OPENING, Round=str(number)) for number in range(2 * TASK)))
    positions.place(store)
    wanted = [(record(sheet()), at) for at in range(9)]
    before = [api.find_position(store, *each) for each in wanted]
    assert len(before[0][0]) == 2 * len(before[1][0]) == 2 * TASK
    assert positions.place(store, rebuild=True, jobs=2) == 2 * TASK
    assert store.index.rows("SELECT COUNT(*) FROM runs") == [(2,)]
    assert [api.find_position(store, *each) for each in wanted] == before


@pytest.mark.parametrize("how", ["singly", "in runs", "with the list", "by two"])
def test_what_is_found_is_what_stood_in_the_games(store: Store, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Of the marks of many games the index gives what going through them gives: all that are alike, 200 of the rest."""
    ids = samples_in(store)
    ids += taken_in(store, *(sheet(" ".join(OPENING.split()[: number % 9]), Round=str(number)) for number in range(20)))
    if how != "singly":
        monkeypatch.setattr(positions, "TASK", 3)
        monkeypatch.setattr(positions, "RUN", 7)
        monkeypatch.setattr(anew, "RUN", 9)
    if how in ("with the list", "by two"):
        assert api.reindex(store, positions=True, jobs=1 + (how == "by two")) == (len(ids), ())
        assert positions.place(store) == 0
    else:
        assert positions.place(store) == len(ids)
    api.play(
        store,
        api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela"))).id,
        api.WordsRequest(tuple(OPENING.split()[:3])),
    )
    ids.append("evening")
    assert positions.place(store) == 1
    assert len(store.index.rows("SELECT 1 FROM runs")) > 3 or how == "singly"
    stood: dict[int, dict[str, int]] = {}
    for id in ids:
        for ply, mark in marks_of(api.record_of(store, id)):
            stood.setdefault(mark, {}).setdefault(id, ply)
    assert len(stood) > 1000
    monkeypatch.setattr(positions, "position_mark", lambda record, at, seat: at)
    any_record = record(sheet())
    alone = [mark for mark, games in stood.items() if len(games) == 1]
    for mark in (*(mark for mark in stood if len(stood[mark]) > 1), *alone[:: 1 + len(alone) // 200]):
        games = stood[mark]
        hits, _ = api.find_position(store, any_record, mark)
        assert {hit.game.id: hit.ply for hit in hits} == games
        assert len(hits) == len(games)
    assert api.find_position(store, any_record, next(mark for mark in count() if mark not in stood)) == ((), False)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("cardmate", "page-1.cgn"),
        ("tarot", "dementlieu-open.cgn"),
        ("tarot", "table-revoke.cgn"),
        ("tarot-duel", "table.cgn"),
        ("zarcana", "open-two.cgn"),
    ],
)
def test_the_positions_of_every_game_are_found_again(store: Store, game: str, name: str) -> None:
    paths = sorted((SAMPLES / game / "games").glob("*.cgn"))
    path = next((path for path in paths if path.name == name), paths[-1])
    wanted = next(iter(load(str(path))))
    [id] = taken_in(store, path.read_text("utf-8"))
    for at in range(0, len(wanted.line.words), 7):
        found = dict(where(store, wanted, at))
        assert found[id] <= at


# --- what a seat knew ---


def hand_changed(text: str, one: str, two: str) -> str:
    """Return a record with two cards by one another's names."""
    return text.replace(one, "??").replace(two, one).replace("??", two)


def test_a_seat_finds_games_in_which_it_knew_the_same_though_others_held_other_cards(store: Store) -> None:
    text = (SAMPLES / "tarot" / "games" / "dementlieu-open.cgn").read_text("utf-8")
    whole = record(text)
    first, at, seat = _first_turn(whole)
    others = [word for word in whole.line.words[:at] if word.startswith("p0/p") and not word.startswith(f"p0/p{seat}")]
    one, two = others[0].partition("*")[2].split(",")[0], others[-1].partition("*")[2].split(",")[0]
    changed = record(hand_changed(text, one, two))
    [a] = taken_in(store, text)
    [b] = taken_in(store, dumps(changed))
    assert {id for id, _ in where(store, whole, at)} == {a}
    assert {id for id, _ in where(store, whole, at, seat)} == {a, b}
    assert first


def _first_turn(whole: Record) -> tuple[str, int, int]:
    """Return the first word that is no deal, how many plies stand before it, and whose it is."""
    for at, word in enumerate(whole.line.words):
        if "*" not in word and not word.startswith("p0"):
            for seat in range(1, 6):
                try:
                    position_mark(whole, at, Seat(seat))
                except Unfit:
                    continue
                return word, at, seat
    raise AssertionError("nobody ever speaks")


@pytest.mark.parametrize(("game", "name"), [("tarot", "dementlieu-open.cgn"), ("tarot-duel", ""), ("zarcana", "")])
def test_a_players_own_record_leads_to_the_same_positions_as_the_whole_one(game: str, name: str) -> None:
    paths = sorted((SAMPLES / game / "games").glob("*.cgn"))
    whole = next(iter(load(str(next((path for path in paths if path.name == name), paths[0])))))
    compared = 0
    for seat in (1, 2):
        own = as_seen(whole, seat)
        for at in range(len(whole.line.words)):
            try:
                mark = position_mark(whole, at, Seat(seat))
            except Unfit:
                continue
            assert position_mark(own, at, Seat(seat)) == mark, (seat, at)
            compared += 1
    assert compared > 5


def test_what_each_seat_knows_has_marks_of_its_own_where_cards_are_hidden() -> None:
    hidden, open_ = GAMES["tarot"], GAMES["cardmate"]
    alike: Place[Any] = Place(key=lambda state: "the same")
    seen = replace(hidden.hidden, view=lambda state, seat: state)
    for game, different in ((replace(hidden, place=alike, hidden=seen), 4), (replace(open_, place=alike), 1)):
        mark = mark_function(game)
        assert len({mark("state", seat) for seat in (None, 0, 1, 2)}) == different
        assert mark("state", 2) == mark("state", 2) == mark_function(game)("state", 2)


# --- what cannot be found ---


def test_a_position_that_is_none_is_said(store: Store) -> None:
    wanted = record(sheet())
    with pytest.raises(Unfit, match="There is no ply 9; expected at most 8"):
        api.find_position(store, wanted, 9)
    with pytest.raises(Unfit, match="p3 is not a seat"):
        api.find_position(store, wanted, 1, viewer=Seat(3))
    with pytest.raises(Unfit, match="cannot be set up"):
        api.find_position(store, record('[Game "Nonesuch"]\n\n*'), 0)
    tarot = sample("tarot", "dementlieu-open.cgn")
    says = []
    for seat in (1, 2, 3, 4):
        try:
            api.find_position(store, tarot, len(tarot.line.words) - 3, viewer=Seat(seat))
        except Unfit as fault:
            says.append(str(fault))
    assert len(says) == 3
    assert "In this position p" in says[0]
    for game, name in (("arcanoid", "face-down.cgn"), ("zarcana", "hidden.cgn"), ("tarot", "dementlieu-open.cgn")):
        with pytest.raises(Unfit, match="the rail never has a turn"):  # not even where the table speaks
            api.find_position(store, sample(game, name), 0, viewer=SPECTATOR)


def test_damaged_games_are_left_out_and_the_others_are_found(store: Store, db: Path) -> None:
    damaged, sound = taken_in(store, sheet(), sheet(Round="2"))
    with sqlite3.connect(db, isolation_level=None) as other:
        other.execute("DROP TRIGGER events_are_not_edited")
        other.execute("UPDATE stored_events SET state = '{}' WHERE originator_id = ?", (damaged,))
    other.close()
    assert where(store, record(sheet()), 4) == {(sound, 4)}
    assert where(store, record(sheet()), 4) == {(sound, 4)}


def encoded_anew(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let a position of Cardmate be something else: the mover no longer matters in it."""
    game = GAMES["cardmate"]
    place: Place[Any] = Place(key=lambda state: str(state.board), number=number)
    monkeypatch.setitem(GAMES, "cardmate", replace(game, place=place if number > 1 else game.place))


@pytest.mark.parametrize("older", [False, True])
def test_a_game_whose_positions_are_encoded_anew_is_indexed_anew_and_it_is_said(
    store: Store, db: Path, monkeypatch: pytest.MonkeyPatch, older: bool
) -> None:
    """older: the file was made before the number of the encoding was kept."""
    one, two = taken_in(store, sheet(), sheet(ROUND_ABOUT))
    wanted, answer = record(sheet()), list[str]()
    [other] = api.import_records(store, [sample("draughts", "loy-chinook.cgn")])
    positions.place(store)
    if older:
        with sqlite3.connect(db, isolation_level=None) as connection:
            connection.execute("DROP TABLE encodings")
        connection.close()
    before = store.index.rows("SELECT place FROM placed JOIN games USING (number) WHERE id = ?", (other.id,))
    assert api.find_position(store, wanted, 8, say=answer.append)[0]
    assert answer == []
    encoded_anew(monkeypatch, 2)
    with monkeypatch.context() as read_only:
        read_only.setattr("cartulary.records.log.store.writable", lambda path: False)
        with pytest.raises(
            Declined, match=r"Cardmate were indexed in .* by another version, and the file is read-only"
        ):
            api.find_position(store, wanted, 8)
    for _ in range(2):
        hits, _ = api.find_position(store, wanted, 8, say=answer.append)
        assert {hit.game.id for hit in hits} == {one, two}
    assert answer == ["Positions of Cardmate are compared in a new way: 2 records will be indexed again."]
    assert before == store.index.rows("SELECT place FROM placed JOIN games USING (number) WHERE id = ?", (other.id,))
    assert positions.place(store) == 0


def test_an_index_made_anew_has_the_encoding_of_today(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    taken_in(store, sheet())
    encoded_anew(monkeypatch, 3)
    assert positions.place(store, rebuild=True) == 1
    assert positions.place(store) == 0
    assert store.index.rows("SELECT * FROM encodings ORDER BY 1") == [("cardmate", 3)]


def test_positions_written_with_the_list_leave_out_what_is_at_fault(
    store: Store, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged, sound, tarot = taken_in(
        store, sheet(), sheet(Round="2"), (SAMPLES / "tarot" / "games" / "table-open.cgn").read_text("utf-8")
    )
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("DROP TRIGGER events_are_not_edited")
        other.execute("UPDATE stored_events SET state = '{}' WHERE originator_id = ?", (damaged,))
    encoded_anew(monkeypatch, 3)
    with monkeypatch.context() as missing:
        about = GAMES["tarot"].about
        missing.setitem(GAMES, "tarot", replace(GAMES["tarot"], about=replace(about, edition="tarot-2031")))
        held, faults = api.reindex(store, positions=True)
        assert (held, [type(fault) for fault in faults]) == (2, [Damaged, UninstalledGame])
        assert positions.place(store) == 0
    assert where(store, record(sheet()), 4) == {(sound, 4)}
    assert store.index.rows("SELECT * FROM encodings ORDER BY 1") == [("cardmate", 3), ("tarot", 2)]
    assert {each.id for each in api.games(store)} == {sound, tarot}


def test_a_game_written_to_while_positions_are_written_anew_waits(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.play(
        store,
        api.open_game(store, api.NewRequest("cardmate", id="one", players=("Ada", "Bela"))).id,
        api.WordsRequest(tuple(OPENING.split()[:3])),
    )

    def write_late(c: sqlite3.Cursor, said: Iterable[Lines | None]) -> None:
        lines = list(said)
        write_index(c, [msgspec.structs.replace(each, row=newer(each.row)) for each in lines if each])

    monkeypatch.setattr(anew, "write_index", write_late)
    api.reindex(store, positions=True)
    assert store.index.rows("SELECT COUNT(*) FROM waiting") == [(1,)]


def newer(row: tuple[object, ...]) -> tuple[object, ...]:
    """Return a line of the list as who has just gone on with the game has written it."""
    at = list(COLUMNS).index("version")
    return (*row[:at], int(str(row[at])) + 1, *row[at + 1 :])


ROWS = (
    "DROP TABLE runs",
    "DROP TABLE postings",
    "DROP TABLE positions",
    "CREATE TABLE positions (run INTEGER, mark INTEGER, place INTEGER, ply INTEGER, "
    "PRIMARY KEY (run, mark, place, ply)) WITHOUT ROWID",
    "INSERT INTO positions VALUES (0, 1, 1, 0), (1, 2, 2, 3)",
    "DROP INDEX games_by_time",
    "CREATE INDEX games_by_time ON games (updated DESC, id)",
    "PRAGMA user_version = 2",
)
"""A file of version 2, in which runs had a row for each mark."""
CHUNKS = (
    "DROP TABLE runs",
    "CREATE TABLE runs (run INTEGER PRIMARY KEY, place INTEGER, width INTEGER, bits INTEGER)",
    "INSERT INTO runs VALUES (1, 1, 7, 4)",
    "INSERT OR REPLACE INTO postings VALUES (4096, x'00000000000000')",
    "DROP INDEX games_by_time",
    "CREATE INDEX games_by_time ON games (updated, id DESC)",
    "PRAGMA user_version = 3",
)
"""A file of version 3, in which every chunk was as wide."""


def of_before(db: Path, statements: tuple[str, ...] = CHUNKS) -> None:
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        for statement in statements:
            other.execute(statement)


@pytest.mark.parametrize("statements", [ROWS, CHUNKS])
def test_a_file_whose_positions_are_kept_otherwise_is_indexed_anew_and_keeps_its_log(
    db: Path, run: Run, statements: tuple[str, ...]
) -> None:
    with Store(db) as store:
        ids = taken_in(store, sheet(), sheet(ROUND_ABOUT))
        listed, found = list(api.games(store)), api.find_position(store, record(sheet()), 8)
        before = [store.stream(id) for id in ids]
    of_before(db, statements)
    with Store(db) as store:
        assert list(api.games(store)) == listed
        assert len(store.index.rows("SELECT number FROM waiting")) == len(ids)
        [[index]] = store.index.rows("SELECT sql FROM sqlite_master WHERE name = 'games_by_time'")
        assert index.endswith("(updated)")
        assert api.find_position(store, record(sheet()), 8) == found
        assert positions.place(store) == 0
        assert [store.stream(id) for id in ids] == before
    assert run("verify", "--all").stdout.count(": proved") == 2


def test_a_file_of_the_version_before_that_may_only_be_read_says_so(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(db) as store:
        taken_in(store, sheet())
        positions.place(store)
    of_before(db)
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
    monkeypatch.setattr("cartulary.records.log.database.writable", lambda path: False)
    with Store(db, create=False) as store:
        assert len(list(api.games(store))) == 1
        with pytest.raises(Declined, match="by an older version, and the file is read-only"):
            api.find_position(store, record(sheet()), 1)


@pytest.mark.parametrize(
    "changed",
    [
        "UPDATE runs SET width = 0",
        "UPDATE runs SET bits = NULL",
        "UPDATE runs SET place = -1",
        "UPDATE runs SET high = 13",
        "UPDATE runs SET high = NULL",
    ],
)
def test_an_index_nobody_wrote_is_damage_that_reindex_mends(store: Store, run: Run, db: Path, changed: str) -> None:
    taken_in(store, *(sheet(Round=str(number)) for number in range(TASK + 1)))
    positions.place(store)
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute(changed)
    wanted = ("search", "--position", str(PAGE), "--at", "0")
    assert "Use `reindex --positions` to rebuild it" in " ".join(run(*wanted, code=3).stderr.split())
    run("reindex", "--positions")
    assert run(*wanted, "--limit", "200").stdout.count("ply 0") == TASK + 1


def test_an_index_that_cannot_be_brought_up_to_date_is_said(
    store: Store, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken_in(store, sheet())
    monkeypatch.setattr("cartulary.records.log.store.writable", lambda path: False)
    with pytest.raises(Declined, match=r"the file is read-only\. Use `reindex --positions` on a copy"):
        api.find_position(store, record(sheet()), 1)


def test_the_command_finds_positions_of_files_and_stored_games(run: Run, store: Store) -> None:
    samples_in(store, ("cardmate",))
    page = run("search", "--position", str(PAGE), "--at", "4")
    assert page.stdout.count("ply 4") == 2
    id = page.stdout.split()[0]
    assert run("search", "--position", id, "--at", "4").stdout == page.stdout
    assert '"ply":4' in run("search", "--position", id, "--at", "4", "--json").stdout
    assert run("reindex", "--positions").stdout == "5 games listed, the positions of 5 games indexed\n"
    assert run("search", "--position", id, "--at", "4").stdout == page.stdout
    assert "There is no ply 99" in run("search", "--position", id, "--at", "99", code=2).stderr


def test_what_is_found_for_a_seat_tells_no_verdict_and_no_result(run: Run, store: Store) -> None:
    samples_in(store, ("tarot",))
    path = str(SAMPLES / "tarot" / "games" / "dementlieu-open.cgn")
    _, at, seat = _first_turn(sample("tarot", "dementlieu-open.cgn"))
    words = ("search", "--position", path, "--at", str(at), "--seat", f"p{seat}")
    [hit], _ = api.find_position(store, sample("tarot", "dementlieu-open.cgn"), at, viewer=Seat(seat))
    assert (hit.game.result, hit.game.verdict, hit.game.digest) == ("", "", "")
    for query in ({"verdict": "legal"}, {"text": "a"}, {"finding": "tarot.follow-suit"}):
        with pytest.raises(Unfit, match=r"A search limited to what a seat knew .*: they may reveal more"):
            api.find_position(
                store,
                sample("tarot", "dementlieu-open.cgn"),
                at,
                viewer=Seat(seat),
                query=msgspec.convert(query, Query),
            )
    line = run(*words).stdout
    assert "legal" not in line
    assert "1/3" not in line
    assert '"verdict"' not in run(*words, "--json").stdout


def test_long_work_shows_how_far_it_has_come_on_a_terminal(store: Store, db: Path) -> None:
    taken_in(store, "".join(sheet("4Ci3", Round=str(number)) + "\n" for number in range(510)))
    command = ["-m", "cartulary.cli", "reindex", "--positions", "--db", str(db)]
    seen = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60, dimensions=(24, 80))
    seen.expect(pexpect.EOF)
    assert "games" in seen.before
    assert "100%" in seen.before
    assert seen.before.rstrip().endswith("510 games listed, the positions of 510 games indexed")
