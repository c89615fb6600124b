"""A PostgreSQL server of our own for tests: begun in a temporary folder, on a socket there, and stopped after."""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from glob import glob
from pathlib import Path
from typing import Any

import psycopg

from cartulary.records import api
from cartulary.records.log.server import Server
from cartulary.records.log.server_store import ServerStore
from tests.programs import program

USER = "club"
SECRET = "s3cr#t/pa:ss"
QUOTED = "s3cr%23t%2Fpa%3Ass"
_ACCOUNT = "postgres" if os.geteuid() == 0 else None
"""Who runs the server: it refuses to be run by root."""


class PrivateServer:
    """A server nobody else knows of. Stop it."""

    def __init__(self, within: Path | None = None) -> None:
        """Make the server and begin it. within: an empty folder that is to hold all of it, else one in the temporary"""
        folders = sorted(glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
        os.environ["PATH"] = os.pathsep.join((os.environ["PATH"], *folders[-1:]))
        self._postgres = program("postgres", package="postgresql")
        # The path of a socket must be short.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir=within))
        if _ACCOUNT:
            shutil.chown(self.folder, _ACCOUNT, _ACCOUNT)
        self._data = self.folder / "data"
        subprocess.run(
            ["cp", "-a", str(_cluster(program("initdb", package="postgresql"))), str(self._data)], check=True
        )
        self._count = 0
        self.start()

    def start(self) -> None:
        """Begin the server, and wait until it answers."""
        options = ("listen_addresses=", f"unix_socket_directories={self.folder}", "fsync=off", "shared_buffers=16MB")
        words = [word for option in options for word in ("-c", option)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._postgres, "-D", str(self._data), *words], stderr=log, stdout=log, cwd=self.folder, user=_ACCOUNT
            )
        for _ in range(600):
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    break
                signal.sigtimedwait([], 0.05)
        raise RuntimeError((self.folder / "log").read_text("utf-8"))

    @property
    def runs(self) -> bool:
        """Whether the server has not ended by itself."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the server as a crash does: every process of it at once, nothing finished."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    def stop(self) -> None:
        """End the server and take its folder away."""
        self.kill()
        shutil.rmtree(self.folder)

    def url(self, database: str, user: str = USER) -> str:
        """Return the address of a database; user: with the password where one is asked for."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def database(self, on: str = "pg_default") -> str:
        """Return the address of a new, empty database. on: the tablespace that holds it"""
        self._count += 1
        name = f"games{self._count}"
        self._do(f"CREATE DATABASE {name} TABLESPACE {on}")
        return self.url(name)

    @contextmanager
    def database_in(self, folder: Path) -> Iterator[str]:
        """Give the address of a database whose tables are in this folder; it is taken away after."""
        own = folder / "tables"
        own.mkdir()
        if _ACCOUNT:
            shutil.chown(own, _ACCOUNT, _ACCOUNT)
        self._do(f"CREATE TABLESPACE elsewhere LOCATION '{own}'")
        try:
            yield self.database("elsewhere")
        finally:
            self._do(f"DROP DATABASE IF EXISTS games{self._count} WITH (FORCE)")
            self._do("DROP TABLESPACE elsewhere")

    def _do(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())


@cache
def _cluster(initdb: str) -> Path:
    """Make the data of an empty server, once a session: copying them takes a tenth of the time."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if _ACCOUNT:
        shutil.chown(folder, _ACCOUNT, _ACCOUNT)
    data = folder / "data"
    options = ("-A", "trust", "-U", USER, "--no-sync", "-E", "UTF8", "--locale=C", "--wal-segsize=1")
    made = [initdb, "-D", str(data), *options]
    subprocess.run(made, check=True, capture_output=True, cwd=folder, user=_ACCOUNT)
    (data / "pg_hba.conf").write_text(f"local all {USER} trust\nlocal all all scram-sha-256\n", "utf-8")
    return data


def cut(address: str) -> None:
    """Cut every other connection to the database."""
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def opened(address: str, **more: Any) -> ServerStore:
    store = api.open_store(Server(address), **more).log
    assert isinstance(store, ServerStore)
    return store
