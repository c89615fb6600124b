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
from cartulary.records.faults import Fault, UninstalledGame
from cartulary.records.library.listing import comments_in, index_rows
from cartulary.records.log.contract import Log
from cartulary.records.log.database import translate_errors
from cartulary.records.log.schema import COLUMNS, EXPORT_MARK
from cartulary.records.state.book import time_left
from cartulary.records.state.disputes_and_rulings import disputes_of, rulings_of
from cartulary.records.state.event_words import LINE, say
from cartulary.records.state.fold import LiveGame, finished, result_of, verdict_without_findings
from cartulary.records.state.games import load

Tables = dict[str, list[tuple[object, ...]]]
"""Rows by table, in the order of its columns."""

# --- writing ---


def publish(
    store: Log, ids: Iterable[str], path: Path, progress: Callable[[int], None] | None = None, over: bool = False
) -> tuple[int, tuple[Fault, ...]]:
    """Write games into a new SQLite database, an export to be read by other programs. If it would hold no game, none is
    written.

    Args:
        store: The store.
        ids: The games.
        path: The file.
        progress: Called after each game with the number of games that are done, those with faults included.
        over: Whether an existing file may be replaced.

    Returns:
        The number of games in the database, and the faults of others. A game whose rules are not installed is among the
        faults, since nobody could say what its moves mean.

    Raises:
        DiskFull, Unreachable or OSError: The file cannot be written.
    """
    faults: list[Fault] = []
    written_games = 0
    with suppress(_NoGame), replace_files(path, over=over) as (spare,), translate_errors(path):
        _create_tables(spare)
        with closing(connect(spare, isolation_level=None)) as database:
            database.execute("PRAGMA synchronous=OFF")  # the file is put in place once it is complete
            writer = _Writer(database)
            for id in ids:
                try:
                    writer.write(load(store, id))
                    written_games += 1
                except Fault as fault:
                    faults.append(fault)
                if progress:
                    progress(written_games + len(faults))
            writer.finish()
        if not written_games:
            raise _NoGame
        _add_indexes_and_views(spare)
    return written_games, tuple(faults)


class _NoGame(Exception):
    """Raised when no game could be written, so that no file is put in place."""


def _create_tables(path: Path) -> None:
    """Make a database file at ``path``, where no tables are yet, with the empty tables of an export and the mark of its
    format.
    """
    import sqlite_utils

    database = sqlite_utils.Database(path)
    try:
        for name, (columns, key, others) in TABLES.items():
            foreign = [("game", "games", "id")] if "game" in columns else []
            foreign += [(column, other, TABLES[other][1][0]) for column, other in others.items()]
            database.table(name).create(columns, pk=key if len(key) > 1 else key[0], foreign_keys=foreign)
        database.table("about").insert({"what": "format", "is": EXPORT_MARK}, pk="what")
    finally:
        database.close()


def _add_indexes_and_views(path: Path) -> None:
    """Add the indexes, full-text searches and views to the export at ``path``, which has all its rows, and its version,
    1.
    """
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


class _Writer:
    """Writes the rows of games. The rows that games share, players and rules, are collected and written at the end.

    Attributes:
        database: A connection to the new database.
        players: The number of each player and of the games it played, by name.
        rules: Title of the game, sentence and source of each rule that a finding cites, by key.
        counts: The last id that was given, in tables whose rows are numbered.
    """

    def __init__(self, database: Connection) -> None:
        self.database = database
        self.players: dict[str, list[int]] = {}
        self.rules: dict[str, tuple[str, str, str]] = {}
        self.counts = {"findings": 0, "comments": 0}

    def write(self, game: LiveGame) -> None:
        """Write all rows of a game in one transaction, but not those of players and rules, which ``finish`` writes.

        Raises UninstalledGame, and writes nothing, if its rules are not installed here.
        """
        tables = self._rows_of(game)
        self.database.execute("BEGIN")
        for name, rows in tables.items():
            self._insert(name, rows)
        self.database.execute("COMMIT")

    def finish(self) -> None:
        """Write the rows that games share, those of players and rules, once all games are written."""
        self.database.execute("BEGIN")
        self._insert("players", [(id, name, games) for name, (id, games) in self.players.items()])
        self._insert("rules", [(key, *rule) for key, rule in self.rules.items()])
        self.database.execute("COMMIT")

    def _insert(self, name: str, rows: list[tuple[object, ...]]) -> None:
        """Insert rows, each with a value for every column in the order of ``TABLES``, into the table with this name."""
        marks = ", ".join("?" * len(TABLES[name][0]))
        self.database.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)

    def _rows_of(self, game: LiveGame) -> Tables:
        """Return all rows of a game, by table. The players, rules and ids in them are counted.

        Raises UninstalledGame if its rules are not installed here.
        """
        played = game.examined.heading.game
        if played is None:
            raise UninstalledGame(game.id, game.book.game)
        lines, id = index_rows(game), game.id
        moves = list(_move_rows(game, played))
        return {
            "games": [_game_row(game, played, dict(zip(COLUMNS, lines.row, strict=True)))],
            "sheets": [(id, str(game.head), format_record(finished(game)))],
            "seats": [
                (id, seat, self._player_id(name), share)
                for (seat, name), share in zip(enumerate(lines.players, 1), _shares(game), strict=True)
            ],
            "moves": moves,
            "findings": [self._finding_row(game, played, finding) for finding in game.report.findings],
            "disputes": [
                (id, each.number, each.ply, each.word, each.by, each.claim, each.status, each.at)
                for each in disputes_of(game)
            ],
            "rulings": [_ruling_row(id, each) for each in rulings_of(game)],
            "comments": [(self._next_id("comments"), id, ply, text) for ply, text in comments_in(finished(game).line)],
            "tags": [(id, name, value) for name, value in dict(reversed(finished(game).tags)).items()],
            "log": list(_log_rows(game)),
        }

    def _player_id(self, name: str) -> int:
        """Return the number of a player in the table ``players``, from 1, and count one game more; a new name gets the
        next number.
        """
        known = self.players.setdefault(name, [len(self.players) + 1, 0])
        known[1] += 1
        return known[0]

    def _next_id(self, table: str) -> int:
        """Return the next id for a row of ``findings`` or ``comments``, from 1; each call gives another."""
        self.counts[table] += 1
        return self.counts[table]

    def _finding_row(self, game: LiveGame, played: AnyGame, finding: Any) -> tuple[object, ...]:
        """Return the row of a finding, and collect the rule that it cites.

        The rule's own sentence is taken if it holds for some variants only, or if the finding has none.
        """
        clause = clause_of(played, finding.key)
        general = clause.variants or not finding.rule
        says = (clause.says, clause.source) if general else (finding.rule, finding.source)
        self.rules.setdefault(finding.key, (str(played.about.title), *says))
        number = self._next_id("findings")
        columns = (finding.move, finding.seat, finding.severity, finding.key, finding.because, finding.decided_by)
        return (number, game.id, finding.ply, *columns)


def _game_row(game: LiveGame, played: AnyGame, line: dict[str, object]) -> tuple[object, ...]:
    """Return the row of a game in the table ``games``, in the order of its columns.

    Args:
        game: The game.
        played: Its rules.
        line: Its row in the index, by column.
    """
    columns = (
        line["event"],
        iso_date(str(line["date"])),
        *(line[name] for name in ("round", "site", "players", "result")),
    )
    judged = (line[name] for name in ("plies", "verdict", "variant", "edition"))
    return (game.id, str(played.about.title), *columns, finished(game).tag("Termination"), *judged)


def _shares(game: LiveGame) -> tuple[str, ...]:
    """Return what each seat won, such as ``1/2``; empty texts if the game is not decided or has no result for each
    seat.
    """
    result = result_of(game)
    parts = result.split("-") if result != "*" else []
    return tuple(parts) if len(parts) == game.book.seats else ("",) * game.book.seats


def _move_rows(game: LiveGame, played: AnyGame) -> Iterator[tuple[object, ...]]:
    """Yield a row of the table ``moves`` for each ply of a game, in order: the game's id, ply, move number, seat, word,
    verdict, keys of the rules, time left and comment.

    ``played`` is the rules of the game. Number and seat are None where they are not known; whatever else is missing is
    an empty text.
    """
    comments = dict(comments_in(finished(game).line))
    turns: dict[int, tuple[int | None, int | None]] = {}
    for step in game.examined.steps:
        number_and_seat = played.turns.number(step.state, own_move(step.move)) if step.move is not None else None
        turns[step.ply] = (
            number_and_seat[0] if number_and_seat else None,
            step.move.seat if step.move is not None else None,
        )
    for ply, (word, entry) in enumerate(zip(game.words, game.book.plies, strict=False), 1):
        number, seat = turns.get(ply, (None, None))
        verdict, rules = _verdict(game, ply)
        yield game.id, ply, number, seat, word, verdict, rules, time_left(entry), comments.get(ply, "")


def _verdict(game: LiveGame, ply: int) -> tuple[str, str]:
    """Return what the rules say of a ply now, rulings included, and the keys of the rules, joined by ``, ``.

    The verdict is ``legal``, ``undecided``, ``refused``, ``stands``, ``unread`` or ``unjudged``.
    """
    findings = [finding for finding in game.findings(ply, ply) if finding.severity != "remark"]
    keys = ", ".join(dict.fromkeys(finding.key for finding in findings))
    if any(finding.severity == "error" for finding in findings):
        return "refused", keys
    if ply > game.plies_reached:
        return "unread", keys
    let_stand = dict.fromkeys(finding.key for finding in game.let if finding.ply == ply)
    if let_stand:
        return "stands", ", ".join(let_stand)
    return ("undecided" if findings else verdict_without_findings(game, ply)), keys


def _ruling_row(id: str, each: Any) -> tuple[object, ...]:
    """Return the row of a ruling on the game with this id, in the order of the columns of the table ``rulings``.

    Lists are texts: ``3, 4`` for plies, ``p1: 5 minutes`` for penalties, ``p1 -2`` for points.
    """
    plies = ", ".join(map(str, each.plies))
    penalties = ", ".join(f"p{seat}: {cost}" for seat, cost in each.penalties)
    points = ", ".join(f"p{seat} {change}" for seat, change in each.points)
    outcome = (penalties, points, each.score, each.result)
    columns = (each.arbiter, each.decision, " ".join(each.words), *outcome, ", ".join(each.keys))
    return (id, each.number, plies, *columns, each.reason, each.at)


def _log_rows(game: LiveGame) -> Iterator[tuple[object, ...]]:
    """Yield a row for each event of a game, in order.

    It has the game's id, the number of the event, when and by whom it was written, its kind, a sentence about it, its
    topic, body and digest.
    """
    for each in game.recorded:
        event = each.event
        kind = each.topic.partition("/")[0]  # known even if the body was left out
        stored = (each.topic, each.body.decode(), each.digest)
        yield game.id, each.originator_version, event.at, event.by, kind, without_isolates(say(event, LINE)), *stored
