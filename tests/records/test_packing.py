"""Packed bodies: the same bytes come back, in whatever file; what was damaged is told, and takes no memory."""

import gzip
import sqlite3
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notation import loads
from cartulary.records import api
from cartulary.records.exchange.cgn import draft_sheets
from cartulary.records.faults import Damaged
from cartulary.records.library.opening import open_store
from cartulary.records.log import store as keeping
from cartulary.records.log.contract import Log
from cartulary.records.log.packing import DIGEST, LEAST, MOST, PHRASES, SALT, TIMES, pack, unpack
from cartulary.records.log.server import Server
from cartulary.records.log.store import Store
from tests.hunts import budget
from tests.places import ROOT
from tests.records.archives import OPENING, Run, runner, samples_in, sheet, taken_in, with_bodies

BEFORE = ROOT / "tests" / "records" / "before"
HEADS = (BEFORE / "unpacked.txt").read_text("utf-8").splitlines()
LONG = f"1. {OPENING} {{What a comment says makes a sheet as long as you like.}} 3Cc3"

_hex = st.binary(min_size=1, max_size=40).map(bytes.hex) | st.binary(min_size=16, max_size=32).map(bytes.hex)
_texts = (
    st.text() | _hex | st.sampled_from(["1. 4Ci3 4Db6 ", '"digest":"', '[Event \\"Cup\\"]\\n', DIGEST, SALT, '"', "{"])
)
_bodies = st.builds(
    lambda digest, texts, times: f'{{"digest":"{digest}",{chr(34).join(texts) * times}}}'.encode(),
    st.binary(min_size=32, max_size=32).map(bytes.hex),
    st.lists(_texts, min_size=1, max_size=30),
    st.sampled_from([1, 1, 1, 3, 40]),
)


def is_packed(stored: bytes) -> bool:
    return stored[:1] == b"\x01"


def rows_of(db: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(db)) as database:
        return database.execute("SELECT * FROM stored_events ORDER BY rowid").fetchall()


@contextmanager
def tampering(db: Path) -> Iterator[sqlite3.Connection]:
    with closing(with_bodies(sqlite3.connect(db))) as database, database:
        database.execute("DROP TRIGGER IF EXISTS events_are_not_edited")
        yield database


# --- the bytes ---


@budget(300)
@given(_bodies)
def test_what_is_packed_is_unpacked_to_the_same_bytes_and_never_longer(body: bytes) -> None:
    packed = pack(body)
    assert unpack(packed) == body
    assert len(packed) <= len(body)
    if packed != body:
        assert LEAST <= len(body) <= min(MOST, TIMES * len(packed))
        assert is_packed(packed)


def test_digests_and_salts_are_kept_as_bytes_and_of_half_a_line_no_more_is_taken() -> None:
    chance = "".join(sha256(bytes([at])).hexdigest() for at in range(9))
    answers = [chance[:64], chance[64:96], chance[100:131], chance[131:163].upper(), chance[163:260], chance[300:364]]
    body = "".join(('{"digest":"', '","'.join([*answers, LONG * 4]), '"}')).encode()
    packed = pack(body)
    assert unpack(packed) == body
    assert packed.endswith(bytes.fromhex(answers[0] + answers[1] + answers[5]))


@pytest.mark.parametrize("sign", [DIGEST, SALT])
def test_a_body_in_which_a_sign_stands_is_not_packed(sign: str) -> None:
    body = f'{{"digest":"{LONG * 9}"}}'
    assert is_packed(pack(body.encode()))
    assert pack(body.replace("comment", sign).encode()) == body.replace("comment", sign).encode()


def test_only_a_body_within_the_bounds_is_packed() -> None:
    words = b" ".join(sha256(str(at).encode()).hexdigest()[:9].encode() for at in range(200_000))
    for count, packed in ((LEAST - 1, False), (LEAST, True), (MOST, True), (MOST + 1, False)):
        assert is_packed(pack(words[:count])) == packed, count
        assert unpack(pack(words[:count])) == words[:count]
    assert pack(b"4Ci3" * 100_000) == b"4Ci3" * 100_000


def test_the_phrases_never_change_or_nothing_packed_from_them_could_be_read() -> None:
    assert sha256(PHRASES).hexdigest() == "8607ae1ca2ff3e66d177f6072799512e527cc707826e1e3eb7cb524411349867"
    packed = bytes.fromhex(
        "01232e080df54ccc2c8909c7415a9f543ba5e6245a293c6a98970174eba38639b5a829d10c29216ae14f860589e9a9ba86581223002d71"
        "1642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881415290769594460e2e485922904f345d594e519ae499312b29"
        "433b7dd8a97ff068defcba9755b6d5d00e84c524d67b06"
    )
    assert unpack(packed).decode() == (
        '{"digest":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","at":"2026-11-25T10:08:21.469Z",'
        '"by":"","command":"","salt":"415290769594460e2e485922904f345d","game":"cardmate","seats":2,'
        '"cgn":"[Game \\"Cardmate\\"]\\n[Edition \\"cardmate-2000\\"]\\n[Variant \\"predefined\\"]\\n\\n1. 4Ci3 4Db6 '
        '2. 8Dj2 8Ca7 3. 3Cc3 7Di8 {Bela: „halt“} *\\n","plies":6,"result":"*","verdict":"legal",'
        '"source":"page-1.cgn","digest":"594e519ae499312b29433b7dd8a97ff068defcba9755b6d5d00e84c524d67b06"}'
    )


# --- in a file ---


def test_a_sheet_is_packed_and_what_was_played_stands_as_it_is(store: Log, db: Path, run: Run) -> None:
    [id] = taken_in(store, sheet(LONG))
    api.open_game(store, api.NewRequest("cardmate", id="evening", players=("Ada", "Bela")))
    api.play(store, "evening", api.WordsRequest(tuple(OPENING.split())))
    kinds = "SELECT DISTINCT originator_id = ?, substr(topic, 1, instr(topic, '/') - 1), typeof(state) "
    assert set(store.index.rows(f"{kinds} FROM stored_events WHERE topic NOT LIKE 'tags%'", (id,))) == {
        (1, "game-imported", "blob"),
        (0, "game-opened", "text"),
        (0, "move-played", "text"),
    }
    with closing(with_bodies(sqlite3.connect(db))) as database:
        bodies = database.execute("SELECT body(state) FROM stored_events WHERE originator_id = ?", (id,)).fetchall()
    assert [body.encode() for (body,) in bodies] == [each.body for each in store.stream(id)]
    assert "What a comment says" in run("export", id).stdout
    assert run("verify", "--all").stdout.count(": proved") == 2


def said_of(db: Path) -> list[str]:
    """Return all that is proved, told and exported of the games of a file."""
    run, out = runner(db), db.with_name(f"{db.stem}-out.db")
    run("export", "--all", "--format", "sqlite", "-o", str(out))
    with closing(sqlite3.connect(out)) as database:
        log = str(database.execute("SELECT * FROM log").fetchall())
    with Store(db) as store:
        logs = [run("log", id, "--json").stdout for id in store.ids()]
    formats = (("cgn",), ("json", "--log"))
    return [
        log,
        *logs,
        run("verify", "--all").stdout,
        run("list", "--json").stdout,
        *(run("export", "--all", "--format", *words).stdout for words in formats),
    ]


def test_heads_archives_and_exports_are_those_of_a_file_in_which_nothing_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = [draft.batch for draft in draft_sheets(loads(sheet(LONG) + "\n" + sheet()), "a.cgn", "", True)]
    files = (tmp_path / "packed.db", tmp_path / "plain.db")
    for db in files:
        with Store(db) as store:
            assert store.write_new([batch for batch in batches if batch is not None]) == set()
        monkeypatch.setattr(keeping, "pack", lambda body: body)
    assert [{type(row[-1]) for row in rows_of(db)} for db in files] == [{bytes, str}, {str}]
    answers = [said_of(db) for db in files]
    assert answers[0] == answers[1]
    assert [each for each in answers[0] if not each] == []
    assert files[0].stat().st_size <= files[1].stat().st_size


def test_what_was_read_before_is_known_again_where_its_last_body_is_packed(store: Log, db: Path) -> None:
    [id] = taken_in(store, sheet(LONG, Event="An evening with a name that is long enough to be packed" * 3))
    assert isinstance(rows_of(db)[-1][-1], bytes)
    recorded = store.stream(id)
    assert store.stream(id, recorded) is recorded
    api.play(store, id, api.WordsRequest(("8Hc2",)))
    assert store.stream(id, recorded)[: len(recorded)] == recorded
    with tampering(db) as other:
        other.execute("UPDATE stored_events SET state = substr(state, 1, length(state) - 1) WHERE rowid = 2")
    with pytest.raises(Damaged, match=f"Event 2 of {id} cannot be unpacked"):
        store.stream(id, recorded)


# --- from one log to another ---


@pytest.fixture
def places(address: str, db: Path, tmp_path: Path) -> list[Path | Server]:
    """Give a file, a server and another file, in which there is no game yet."""
    return [db, Server(address), tmp_path / "again.db"]


def test_a_log_copied_from_a_file_to_a_server_and_back_has_the_same_heads_and_bodies(
    places: list[Path | Server], tmp_path: Path
) -> None:
    with open_store(places[0]) as store:
        ids = [*samples_in(store), *taken_in(store, sheet(LONG))]
        api.play(store, ids[-1], api.WordsRequest(("8Hc2",)))
        logs = [[(store.head(id), store.stream(id)) for id in ids]]
    for number, (source, target) in enumerate(pairwise(places)):
        backup = tmp_path / f"backup-{number}.db"
        with open_store(source) as store:
            assert api.back_up(store, backup) == len(ids)
        assert api.write_back(backup, target) == (len(ids), 0)
        with open_store(target) as store:
            logs.append([(store.head(id), store.stream(id)) for id in ids])
    assert logs[1] == logs[0]
    assert logs[2] == logs[0]
    assert {type(row[-1]) for row in rows_of(tmp_path / "again.db")} == {str, bytes}


# --- files of before ---


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Give a database of the version before, in which no body is packed."""
    path = tmp_path / "old.db"
    path.write_bytes(gzip.decompress((BEFORE / "unpacked.db.gz").read_bytes()))
    return path


def test_a_file_of_before_is_read_and_gone_on_with_and_its_bodies_stay_as_they_are(old: Path, tmp_path: Path) -> None:
    run, before = runner(old), rows_of(old)
    assert {type(row[-1]) for row in before} == {str}
    assert max(len(str(row[-1])) for row in before) > LEAST
    assert run("verify", "--all").stdout.splitlines()[:-1] == HEADS[:-1]
    assert "evening" in run("search", "--position", "evening", "--at", "2").stdout
    texts = run("export", "--all", "--format", "json", "--log").stdout
    run("move", "evening", "8Ca7")
    run("tag", "evening", f"Event={'A long evening' * 20}")
    with Store(old) as store:
        [new] = taken_in(store, sheet(LONG, Round="2"))
    now = rows_of(old)
    assert now[: len(before)] == before
    assert [type(row[-1]) for row in now[len(before) :]][:3] == [str, bytes, bytes]
    assert run("verify", "--all").stdout.count(": proved") == len(HEADS)
    (tmp_path / "texts.jsonl").write_text(texts, "utf-8")
    other = runner(tmp_path / "packed.db")
    other("import", str(tmp_path / "texts.jsonl"))
    assert other("verify", "--all").stdout.splitlines()[:-1] == HEADS[:-1]
    assert other("export", "--all", "--format", "json", "--log").stdout == texts
    assert {type(row[-1]) for row in rows_of(tmp_path / "packed.db")} == {str, bytes}
    assert new in run("list").stdout


def test_a_backup_of_a_file_of_before_written_back_is_packed(old: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed.db"
    assert api.write_back(old, packed) == (len(HEADS) - 1, 0)
    assert runner(packed)("verify", "--all").stdout.splitlines() == HEADS
    assert {type(row[-1]) for row in rows_of(packed)} == {str, bytes}
    assert {type(row[-1]) for row in rows_of(old)} == {str}
    room = [sum(len(row[-1]) for row in rows_of(db) if isinstance(row[-1], str | bytes)) for db in (packed, old)]
    assert room[0] < room[1] * 0.7


# --- damage ---


def test_every_bit_that_flips_in_a_packed_body_is_found_at_its_event(store: Log, db: Path) -> None:
    [id] = taken_in(store, sheet(LONG))
    whole, [(packed,)] = store.stream(id), store.index.rows("SELECT state FROM stored_events WHERE rowid = 1")
    found = 0
    with tampering(db) as other:
        for bit in range(0, 8 * len(packed), 5):
            changed = bytearray(packed)
            changed[bit // 8] ^= 1 << bit % 8
            other.execute("UPDATE stored_events SET state = ? WHERE rowid = 1", (bytes(changed),))
            other.commit()
            fault = api.verify(store, id)
            if fault.fault:
                assert fault.fault.startswith(f"Event 1 of {id} ")
                found += 1
            else:  # of the bits between the last word and the bytes none is read
                assert store.stream(id) == whole
    assert found > 8 * len(packed) / 5 - 3


@pytest.mark.parametrize("left", [0, 1, 2, 60, -33, -32, -1])
def test_a_packed_body_cut_off_anywhere_is_told_by_every_command(store: Log, db: Path, run: Run, left: int) -> None:
    id, other_id = taken_in(store, sheet(LONG), sheet())
    store.close()
    with tampering(db) as other:
        cut = f"substr(state, 1, {left if left >= 0 else f'length(state) - {-left}'})"
        other.execute(f"UPDATE stored_events SET state = {cut} WHERE rowid = 1")
    output = run("verify", "--all", code=3).stdout
    assert f"{id}: NOT PROVED: Event 1 of {id}" in output
    assert f"{other_id}: proved" in output
    for words in (("show", id), ("log", id), ("export", id), ("move", id, "8Hc2"), ("check", id), ("reindex",)):
        assert f"Event 1 of {id}" in " ".join(run(*words, code=3).stderr.split())


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (pack(b'{"digest":"x"' + LONG.encode() * 5), "is not the one that was written there"),
        (b"\x01" + b"\xff" * 50, "cannot be unpacked, because it was overwritten"),
        (b"\x01", "cannot be unpacked, because it was cut off"),
        (b"\x02{}", "is not the one that was written there"),
        (b"", "is not the one that was written there"),
    ],
)
def test_what_nobody_here_has_packed_is_damage(store: Log, db: Path, changed: bytes, says: str) -> None:
    [id] = taken_in(store, sheet(LONG))
    with tampering(db) as other:
        other.execute("UPDATE stored_events SET state = ? WHERE rowid = 2", (changed,))
    with pytest.raises(Damaged, match=f"^Event 2 of {id} {says}"):
        store.stream(id)


@pytest.mark.parametrize("of", [b"\0", DIGEST.encode(), f'"{DIGEST}"'.encode()])
def test_a_body_that_would_grow_without_end_takes_no_memory(store: Log, db: Path, run: Run, of: bytes) -> None:
    [id] = taken_in(store, sheet(LONG))
    store.close()
    deflating = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, PHRASES)
    piece = of * ((1 << 20) // len(of))
    bomb = b"".join([b"\x01", *(deflating.compress(piece) for _ in range(200)), deflating.flush()])
    assert 200 * len(piece) > 500 * len(bomb)
    with tampering(db) as other:
        other.execute("UPDATE stored_events SET state = ? WHERE rowid = 1", (bomb,))
    with Store(db) as again:
        tracemalloc.start()
        with pytest.raises(Damaged, match=f"Event 1 of {id} cannot be unpacked"):
            again.stream(id)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 5 * MOST
    assert f"Event 1 of {id} cannot be unpacked" in run("show", id, code=3).stderr
