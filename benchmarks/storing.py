"""Figures of the store: one durable append, and loading a game, each against plain sqlite3 on the same rows."""

import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from corpora import PLIES, Corpora, endless
from figures import Figure, Pairs, Reach, by_turns, figure

from cartulary.cli.scribe.scribe import Scribe
from cartulary.notation import load as load_sheets
from cartulary.records import api
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.events import MovePlayed, with_salt
from cartulary.records.log.recorded import RecordedEvent, seal_events
from cartulary.records.log.schema import SCHEMA
from cartulary.records.log.store import Store
from cartulary.records.log.topics import TOPICS
from cartulary.records.state.binding import build_book
from cartulary.records.state.fold import LiveGame, judge_book
from cartulary.records.state.games import load

# --- append ---


def append(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure one durable append of a move against the same rows inserted by plain sqlite3.

    ``games`` games are appended to; that is done ``rounds`` times, in new files.
    """
    pairs = [pair for _ in range(rounds) for pair in _in_new_files(corpora, games)]
    return [
        figure(
            "append",
            "one durable append, digest and head included, against plain sqlite3",
            "ms",
            pairs,
            Reach("≤", 1.8),
            {"games": games * rounds},
            "Store.append of one event against BEGIN IMMEDIATE, the event's row, the head's row, COMMIT with bodies "
            "and digests made beforehand and no triggers; same tables, WAL, synchronous=FULL; wall time, by turns; "
            "every append is a round",
        )
    ]


def _in_new_files(corpora: Corpora, games: int) -> list[tuple[float, float]]:
    """Return for each append the milliseconds by our store and by plain sqlite3, in new files."""
    with TemporaryDirectory(dir=corpora.folder) as folder:
        plain = _plain(Path(folder) / "plain.db")
        with Store(Path(folder) / "ours.db") as store:
            _same_durability(store, plain)
            pairs = [pair for id, words in _words(corpora, games) for pair in _appends(store, plain, id, words)]
        plain.close()
    return pairs


def _appends(store: Store, plain: sqlite3.Connection, id: str, words: tuple[str, ...]) -> Iterator[tuple[float, float]]:
    """Yield for each word of a game the milliseconds of appending it by our store and by plain sqlite3."""
    head = origin(id)
    for ply, word in enumerate(words):
        at = f"2026-01-01T{ply // 60:02}:{ply % 60:02}:00.000Z"
        seat = ply % 2 + 1
        event = with_salt(MovePlayed(at=at, by=f"p{seat}", seat=seat, text=word, findings=(), stands=False, clock=""))
        [same] = seal_events(id, head, (event,))
        start = time.perf_counter()
        after = store.append(id, head, (event,))
        middle = time.perf_counter()
        _put(plain, same, head)
        end = time.perf_counter()
        assert after.digest == same.digest
        head = after
        yield (middle - start) * 1000, (end - middle) * 1000


def _put(plain: sqlite3.Connection, event: RecordedEvent, before: Head) -> None:
    """Insert the rows of one event by plain sqlite3, in a transaction."""
    id, version = event.originator_id, event.originator_version
    plain.execute("BEGIN IMMEDIATE")
    if before.version:
        plain.execute("UPDATE heads SET version=?, digest=? WHERE id=?", (version, event.digest, id))
    else:
        plain.execute("INSERT INTO heads VALUES (?, ?, ?)", (id, version, event.digest))
    plain.execute(
        "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, CAST(? AS TEXT))",
        (id, version, event.topic, event.body),
    )
    plain.execute("COMMIT")


def _plain(path: Path) -> sqlite3.Connection:
    """Make a database with the tables of the log but no triggers, and return a connection to it."""
    plain = sqlite3.connect(path, isolation_level=None)
    plain.execute("PRAGMA journal_mode=WAL")
    plain.execute("PRAGMA synchronous=FULL")
    for statement in SCHEMA:
        if statement.startswith("CREATE TABLE"):
            plain.execute(statement)
    return plain


def _same_durability(store: Store, plain: sqlite3.Connection) -> None:
    """End the program unless both databases write as safely."""
    for name in ("journal_mode", "synchronous", "wal_autocheckpoint", "page_size", "cache_size"):
        ours, theirs = store.index.rows(f"PRAGMA {name}"), plain.execute(f"PRAGMA {name}").fetchall()
        if ours != theirs:
            sys.exit(f"append: the store has {name} {ours[0][0]}, plain sqlite3 {theirs[0][0]}; they must be alike.")


def _words(corpora: Corpora, games: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield an id and the words of each generated game."""
    for record in load_sheets(str(corpora.cardmate(games))):
        yield f"game-{record.index}", record.line.words


# --- load ---

_SELECT = "SELECT topic, state FROM stored_events WHERE originator_id=? ORDER BY originator_version"
_DECODE: dict[str, Any] = {topic: msgspec.json.Decoder(kind).decode for kind, topic in TOPICS.items()}


def loading(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure loading and folding stored games, one event a move, against plain sqlite3, msgspec and the same fold."""
    whole, reading = _loads(corpora, games, rounds)
    sizes = {"games": games, "plies a game": PLIES}
    return [
        figure(
            "load",
            "load and fold a stored game, an event for each move, against sqlite3, msgspec and the same fold",
            "ms",
            whole,
            Reach("≤", 2.5),
            sizes,
            "load(store, id), the chain of digests followed, against SELECT, msgspec and the same fold, which judges "
            "every ply; one process, processor time",
        ),
        figure(
            "events",
            "the same without the fold: read, prove and decode the events, against sqlite3 and msgspec",
            "ms",
            reading,
            None,
            sizes,
            "Store.stream against SELECT and msgspec, which follow no chain; one process, processor time",
        ),
    ]


def _loads(corpora: Corpora, games: int, rounds: int) -> tuple[Pairs, Pairs]:
    """Return the pairs in ms of whole loads and of reading events alone, after a check that both sides load the same
    games.
    """
    with TemporaryDirectory(dir=corpora.folder) as folder:
        path = Path(folder) / "records.db"
        with Store(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as plain:
            ids = [id for id, words in _words(corpora, games) if _played(store, id, words)]
            for id in ids:
                assert _standing(load(store, id)) == _standing(_load_plainly(plain, id))
            whole = by_turns(
                rounds,
                lambda: _each(ids, lambda id: load(store, id)),
                lambda: _each(ids, lambda id: _load_plainly(plain, id)),
            )
            reading = by_turns(
                rounds,
                lambda: _each(ids, lambda id: store.stream(id)),
                lambda: _each(ids, lambda id: _events(plain, id)),
            )
    return whole, reading


def _played(store: Store, id: str, words: tuple[str, ...]) -> bool:
    """Store a game, one event a move, and say whether it was stored; games of fewer than ``PLIES`` plies
    are left out.
    """
    if len(words) < PLIES:
        return False
    api.open_game(store, api.NewRequest("cardmate", id=id, players=("One", "Two")))
    return api.play(store, id, api.WordsRequest(words))[-1].stored


def _events(plain: sqlite3.Connection, id: str) -> list[Any]:
    """Return the events of a game as plain SQLite and msgspec give them."""
    return [_DECODE[topic](state) for topic, state in plain.execute(_SELECT, (id,))]


def _load_plainly(plain: sqlite3.Connection, id: str) -> LiveGame:
    """Return a game judged from its events, without following its chain."""
    events = _events(plain, id)
    return judge_book(id, (), build_book(events), Head(len(events), ""))


def _standing(game: LiveGame) -> tuple[object, ...]:
    """Return what two loaded games must have in common: words, report and last state."""
    return game.words, game.report, game.examined.state


def _each(ids: list[str], read: Callable[[str], object]) -> float:
    """Return the processor time of reading one game, in milliseconds, on average over these ids."""
    start = time.process_time()
    for id in ids:
        read(id)
    return (time.process_time() - start) * 1000 / len(ids)


# --- going on ---


def going_on(corpora: Corpora, plies: int, rounds: int) -> list[Figure]:
    """Measure a move on a stored game of ``plies`` plies against loading it, and the second word typed into it against
    the first.
    """
    words = endless(plies + 2 * rounds + 4)
    with TemporaryDirectory(dir=corpora.folder) as folder:
        path = Path(folder) / "records.db"
        with Store(path) as store:
            for id in ("moved", "typed"):
                api.open_game(store, api.NewRequest("cardmate", id=id, players=("One", "Two")))
                assert api.play(store, id, api.WordsRequest(words[:plies]))[-1].stored
        moving = by_turns(rounds, lambda: _moved(path, words), lambda: _spent(path, lambda store: load(store, "moved")))
        typing = [_typed(path, words) for _ in range(rounds or 1)]
    sizes = {"plies": plies}
    return [
        figure(
            "move",
            "a move on a stored game of 1,000 plies, against loading it",
            "ms",
            moving,
            Reach("≤", 1.2),
            sizes,
            "desk.play of one word against load(store, id), the file opened anew for each; one process, processor time",
        ),
        figure(
            "word",
            "the second word typed into that game in the same `record`, against the first",
            "ms",
            typing,
            Reach("≤", 0.05),
            sizes,
            "Scribe.enter against opening the scribe and its first Scribe.enter; one process, processor time",
        ),
    ]


def _spent(path: Path, do: Callable[[Store], object]) -> float:
    """Return the milliseconds of processor time of ``do``, called with the file opened for it."""
    with Store(path) as store:
        start = time.process_time()
        do(store)
        return (time.process_time() - start) * 1000


def _moved(path: Path, words: tuple[str, ...]) -> float:
    """Return the milliseconds of storing one more word, in the file opened anew."""
    with Store(path) as store:
        plies = load(store, "moved").plies
    return _spent(path, lambda store: api.play(store, "moved", api.WordsRequest(words[plies : plies + 1])))


def _typed(path: Path, words: tuple[str, ...]) -> tuple[float, float]:
    """Return the milliseconds that the second word of a session took, and those of the first with opening
    the scribe.
    """
    with Store(path) as store:
        plies = load(store, "typed").plies
    with Store(path) as store:
        start = time.process_time()
        scribe = Scribe(store, "typed")
        assert scribe.enter(words[plies]).done
        middle = time.process_time()
        assert scribe.enter(words[plies + 1]).done
        return (time.process_time() - middle) * 1000, (middle - start) * 1000
