"""An exported database: games with their moves, findings and rulings in plain tables, which Datasette opens.

It is written once and never changed. Its table ``log`` holds every stored event byte for byte, so that the same games
with the same heads can be imported from it. All other tables could be made from that one.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import Connection, connect
from typing import Any

from cartulary.notation import AnyGame, format_record
from cartulary.notation.arbiter.finding import clause_of
from cartulary.notation.arbiter.replay import own_move
from cartulary.notation.cgn.controls import without_isolates
from cartulary.records.dates import iso_date
from cartulary.records.exchange.outfile import replace_files
from cartulary.records.exchange.sqlite_tables import INDEXED_COLUMNS, TABLES, VIEWS
from cartulary.records.faults import Fault, Uninstalled
from cartulary.records.library.listing import comments_in, row
from cartulary.records.log.contract import Log
from cartulary.records.log.database import translate_errors
from cartulary.records.log.schema import COLUMNS, PUBLISHED
from cartulary.records.state.book import time_left
from cartulary.records.state.disputes_and_rulings import disputes_of, rulings_of
from cartulary.records.state.event_words import LINE, say
from cartulary.records.state.fold import LiveGame, finished, passed, result_of
from cartulary.records.state.games import load

Tables = dict[str, list[tuple[object, ...]]]
"""Rows by table, in the order of its columns."""

# --- writing ---


def publish(
    store: Log, ids: Iterable[str], path: Path, progress: Callable[[int], None] | None = None, over: bool = False
) -> tuple[int, tuple[Fault, ...]]:
    """Write games into a new database. If it would hold no game, no file is written.

    Args:
        store: The store.
        ids: The games.
        path: The file.
        progress: Called with the number of games that are done.
        over: Whether an existing file may be replaced.

    Returns:
        The number of games in the database, and the faults of others. A game whose rules are not installed is among
        the faults, since nobody could say what its moves mean.

    Raises:
        DiskFull, Unreachable or OSError: The file cannot be written.
    """
    faults: list[Fault] = []
    held = 0
    with suppress(_NoGame), replace_files(path, over=over) as (spare,), translate_errors(path):
        _made(spare)
        with closing(connect(spare, isolation_level=None)) as database:
            database.execute("PRAGMA synchronous=OFF")  # the file is put in place once it is complete
            writing = _Writing(database)
            for id in ids:
                try:
                    writing.game(load(store, id))
                    held += 1
                except Fault as fault:
                    faults.append(fault)
                if progress:
                    progress(held + len(faults))
            writing.done()
        if not held:
            raise _NoGame
        _finished(spare)
    return held, tuple(faults)


class _NoGame(Exception):
    """Raised to write no file."""


def _made(path: Path) -> None:
    import sqlite_utils

    database = sqlite_utils.Database(path)
    try:
        for name, (columns, key, others) in TABLES.items():
            foreign = [("game", "games", "id")] if "game" in columns else []
            foreign += [(column, other, TABLES[other][1][0]) for column, other in others.items()]
            database.table(name).create(columns, pk=key if len(key) > 1 else key[0], foreign_keys=foreign)
        database.table("about").insert({"what": "format", "is": PUBLISHED}, pk="what")
    finally:
        database.close()


def _finished(path: Path) -> None:
    import sqlite_utils

    database = sqlite_utils.Database(path)
    try:
        for table, column in INDEXED_COLUMNS:
            database.table(table).create_index([column])
        for table, column in (("comments", "text"), ("players", "name")):
            database.table(table).enable_fts([column], tokenize="unicode61 remove_diacritics 2")
        for name, query in VIEWS.items():
            database.create_view(name, query)
        database.execute("PRAGMA user_version = 1")
    finally:
        database.close()


class _Writing:
    """Writes the rows of games. Players and rules, which games share, are written at the end."""

    def __init__(self, database: Connection) -> None:
        self.database = database
        self.players: dict[str, list[int]] = {}
        self.rules: dict[str, tuple[str, str, str]] = {}
        self.counts = {"findings": 0, "comments": 0}

    def game(self, game: LiveGame) -> None:
        """Write all rows of a game in one transaction."""
        tables = self._rows(game)
        self.database.execute("BEGIN")
        for name, rows in tables.items():
            self._put(name, rows)
        self.database.execute("COMMIT")

    def done(self) -> None:
        """Write the rows that games share."""
        self.database.execute("BEGIN")
        self._put("players", [(id, name, games) for name, (id, games) in self.players.items()])
        self._put("rules", [(key, *rule) for key, rule in self.rules.items()])
        self.database.execute("COMMIT")

    def _put(self, name: str, rows: list[tuple[object, ...]]) -> None:
        marks = ", ".join("?" * len(TABLES[name][0]))
        self.database.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)

    def _rows(self, game: LiveGame) -> Tables:
        played = game.examined.heading.game
        if played is None:
            raise Uninstalled(game.id, game.book.game)
        lines, id = row(game), game.id
        moves = list(_moves(game, played))
        return {
            "games": [_game(game, played, dict(zip(COLUMNS, lines.row, strict=True)))],
            "sheets": [(id, str(game.head), format_record(finished(game)))],
            "seats": [
                (id, seat, self._player(name), share)
                for (seat, name), share in zip(enumerate(lines.players, 1), _shares(game), strict=True)
            ],
            "moves": moves,
            "findings": [self._finding(game, played, found) for found in game.report.findings],
            "disputes": [
                (id, each.number, each.ply, each.word, each.by, each.claim, each.status, each.at)
                for each in disputes_of(game)
            ],
            "rulings": [_ruling(id, each) for each in rulings_of(game)],
            "comments": [(self._counted("comments"), id, ply, text) for ply, text in comments_in(finished(game).line)],
            "tags": [(id, name, value) for name, value in dict(reversed(finished(game).tags)).items()],
            "log": list(_log(game)),
        }

    def _player(self, name: str) -> int:
        known = self.players.setdefault(name, [len(self.players) + 1, 0])
        known[1] += 1
        return known[0]

    def _counted(self, table: str) -> int:
        self.counts[table] += 1
        return self.counts[table]

    def _finding(self, game: LiveGame, played: AnyGame, found: Any) -> tuple[object, ...]:
        clause = clause_of(played, found.key)
        general = clause.variants or not found.rule
        says = (clause.says, clause.source) if general else (found.rule, found.source)
        self.rules.setdefault(found.key, (str(played.about.title), *says))
        number = self._counted("findings")
        columns = (found.move, found.seat, found.severity, found.key, found.because, found.decided_by)
        return (number, game.id, found.ply, *columns)


def _game(game: LiveGame, played: AnyGame, line: dict[str, object]) -> tuple[object, ...]:
    columns = (
        line["event"],
        iso_date(str(line["date"])),
        *(line[name] for name in ("round", "site", "players", "result")),
    )
    judged = (line[name] for name in ("plies", "verdict", "variant", "edition"))
    return (game.id, str(played.about.title), *columns, finished(game).tag("Termination"), *judged)


def _shares(game: LiveGame) -> tuple[str, ...]:
    result = result_of(game)
    parts = result.split("-") if result != "*" else []
    return tuple(parts) if len(parts) == game.book.seats else ("",) * game.book.seats


def _moves(game: LiveGame, played: AnyGame) -> Iterator[tuple[object, ...]]:
    comments = dict(comments_in(finished(game).line))
    turns: dict[int, tuple[int | None, int | None]] = {}
    for step in game.examined.steps:
        counted = played.turns.number(step.state, own_move(step.move)) if step.move is not None else None
        turns[step.ply] = (counted[0] if counted else None, step.move.seat if step.move is not None else None)
    for ply, (word, entry) in enumerate(zip(game.words, game.book.plies, strict=False), 1):
        number, seat = turns.get(ply, (None, None))
        verdict, rules = _verdict(game, ply)
        yield game.id, ply, number, seat, word, verdict, rules, time_left(entry), comments.get(ply, "")


def _verdict(game: LiveGame, ply: int) -> tuple[str, str]:
    """Return what the rules say of a ply now, and their keys."""
    found = [one for one in game.findings(ply, ply) if one.severity != "remark"]
    keys = ", ".join(dict.fromkeys(one.key for one in found))
    if any(one.severity == "error" for one in found):
        return "refused", keys
    if ply > game.reached:
        return "unread", keys
    let = dict.fromkeys(one.key for one in game.let if one.ply == ply)
    if let:
        return "stands", ", ".join(let)
    return ("undecided" if found else passed(game, ply)), keys


def _ruling(id: str, each: Any) -> tuple[object, ...]:
    plies = ", ".join(map(str, each.plies))
    penalties = ", ".join(f"p{seat}: {cost}" for seat, cost in each.penalties)
    points = ", ".join(f"p{seat} {change}" for seat, change in each.points)
    given = (penalties, points, each.score, each.result)
    decided = (each.arbiter, each.decision, " ".join(each.words), *given, ", ".join(each.keys))
    return (id, each.number, plies, *decided, each.reason, each.at)


def _log(game: LiveGame) -> Iterator[tuple[object, ...]]:
    for each in game.recorded:
        event = each.event
        kind = each.topic.partition("/")[0]  # known even if the body was left out
        stored = (each.topic, each.body.decode(), each.digest)
        yield game.id, each.originator_version, event.at, event.by, kind, without_isolates(say(event, LINE)), *stored
