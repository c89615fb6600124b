"""What the tests of the archive share: a database of games of every kind, and the command line on it."""

from collections.abc import Callable, Iterable
from pathlib import Path
from sqlite3 import Connection

from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from cartulary.notation import load, loads
from cartulary.records import api
from cartulary.records.log.contract import Log
from cartulary.records.log.packing import unpack
from tests.places import SAMPLES

PAGE = SAMPLES / "cardmate" / "games" / "page-1.cgn"
OPENING = "4Ci3 4Db6 8Dj2 8Ca7 8Dh3 8Cc6 7Cb1 7Di8"

Run = Callable[..., Result]


def runner(db: Path | str) -> Run:
    """Return a function that types a command on this database and holds its exit code to the one expected."""

    def typed(*words: str, lines: str = "", code: int = 0) -> Result:
        named = () if "--db" in words else ("--db", str(db))
        result = CliRunner().invoke(build(), [*words, *named], input=lines, env={"NO_COLOR": "1", "COLUMNS": "80"})
        text = f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
        assert result.exit_code == code, text
        assert "Traceback" not in text
        return result

    return typed


def sheet(words: str = OPENING, result: str = "*", **tags: str) -> str:
    """Return a Cardmate game as CGN."""
    by_name = {"Game": "Cardmate", "Event": "Club evening", "Date": "2026.03.14", "Forehand": "Ada", "Rearhand": "Bela"}
    lines = [f'[{name} "{value}"]' for name, value in (by_name | tags | {"Result": result}).items()]
    return "\n".join((*lines, "", f"{words} {result}", ""))


def taken_in(store: Log, *texts: str) -> list[str]:
    """Take score sheets in and return their ids."""
    return [answer.id for text in texts for answer in api.import_records(store, loads(text))]


def samples_in(store: Log, games: Iterable[str] = ("cardmate", "tarot", "tarot-duel", "zarcana")) -> list[str]:
    """Take the games of the samples in and return their ids."""
    paths = [path for game in games for path in sorted((SAMPLES / game / "games").glob("*.cgn"))]
    return [answer.id for path in paths for answer in api.import_records(store, load(str(path)), path=str(path))]


def with_bodies(database: Connection) -> Connection:
    """Let SQL read what is stored, packed or not, as ``body(state)``; return the connection."""
    database.create_function("body", 1, lambda state: unpack(state).decode() if isinstance(state, bytes) else state)
    return database
