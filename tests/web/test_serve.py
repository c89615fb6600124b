"""``serve`` as a program: its first line, its end, and what keeps it from beginning."""

import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.records import api
from tests.cli.test_help import examples
from tests.places import ROOT, SAMPLES
from tests.records.archives import PAGE, runner


@contextmanager
def started(*words: str, folder: Path) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    """Start the program and yield it with its first line; it must end at Ctrl-C, with 0 and without a word."""
    command = [sys.executable, "-m", "cartulary.cli", "serve", "--port", "0", *words]
    environment = os.environ | {"CARTULARY_DB": str(folder / "games.db"), "DISPLAY": ""}
    program = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert program.stdout
    try:
        yield program, program.stdout.readline().rstrip("\n")
        program.send_signal(signal.SIGINT)
        printed, answer = program.communicate(timeout=20)
        assert (program.returncode, printed) == (0, ""), answer
        assert "Traceback" not in answer
    finally:
        program.kill()
        program.communicate()


def got(url: str, **headers: str) -> tuple[int, str]:
    asked = urllib.request.Request(url, headers=headers)
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    try:
        with opener.open(asked, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


@pytest.mark.smoke
def test_the_first_line_is_the_address_and_ctrl_c_is_the_end(tmp_path: Path) -> None:
    before = PAGE.read_bytes()
    with started(str(PAGE), folder=tmp_path) as (_, url):
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\?key=([\w-]{20,})", url)
        assert found, url
        assert got(url)[0] == 200
        assert "Zillions of Games" in got(url)[1]
        assert str(PAGE) in got(url)[1]
        assert got(f"{found[1]}/games")[0] == 404
        status, answer = got(f"{found[1]}/games.json", **{"X-Cartulary-Key": found[2]})
        assert (status, answer.count('"id"')) == (200, 1)
        assert got(f"{found[1]}/games", Host="evil.example")[0] == 421
    assert PAGE.read_bytes() == before
    assert os.listdir(tmp_path) == []


def test_a_key_is_kept_if_wanted_and_read_by_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def key(*words: str) -> str:
        with started("--no-open", *words, folder=tmp_path) as (_, url):
            assert got(url)[0] == 200
            return url.partition("key=")[2]

    first = key("--keep-key")
    assert key("--keep-key") == first
    assert key() != first
    assert key("--keep-key", "--db", "other.db") != first
    files = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert [path.stat().st_mode & 0o777 for path in files] == [0o600, 0o600]
    for file in files:
        file.write_text("short")
    program = subprocess.run(
        [sys.executable, "-m", "cartulary.cli", "serve", "--port", "0", "--keep-key"],
        capture_output=True,
        text=True,
        env=os.environ | {"CARTULARY_DB": str(tmp_path / "games.db")},
        timeout=60,
    )
    assert program.returncode == 2
    assert "Delete the file, and a new one is made." in program.stderr
    assert "Traceback" not in program.stderr


def test_the_archive_is_shown_while_it_grows(tmp_path: Path) -> None:
    with api.Store(tmp_path / "games.db") as store:
        api.open_game(store, api.NewRequest("cardmate", id="evening"))
        with started("--seat", "rail", folder=tmp_path) as (_, url):
            key = url.partition("key=")[2]
            games = f"{url.partition('/?')[0]}/games/evening.json"
            assert '"plies":[]' in got(games, **{"X-Cartulary-Key": key})[1]
            api.play(store, "evening", api.WordsRequest(("4Ci3",)))
            assert '"move":"4Ci3"' in got(games, **{"X-Cartulary-Key": key})[1]


def test_an_evening_may_begin_with_it(tmp_path: Path) -> None:
    with started("--no-open", folder=tmp_path) as (_, url):
        key = url.partition("key=")[2]
        assert got(f"{url.partition('/?')[0]}/games.json", **{"X-Cartulary-Key": key}) == (
            200,
            '{"games":[],"more":false}\n',
        )
        with api.Store(tmp_path / "games.db", create=False) as store:
            api.open_game(store, api.NewRequest("cardmate", id="evening"))
        assert '"id":"evening"' in got(f"{url.partition('/?')[0]}/games.json", **{"X-Cartulary-Key": key})[1]


def test_what_is_no_game_is_named_and_the_others_are_shown(tmp_path: Path) -> None:
    (tmp_path / "a.cgn").write_text('[Game "Chequers"]\n\n1. e4 *\n', "utf-8")
    (tmp_path / "b.cgn").write_bytes(PAGE.read_bytes())
    with started("a.cgn", "nowhere.cgn", "b.cgn", folder=tmp_path) as (program, url):
        assert got(url)[1].count("Zillions of Games; Zillions of Games") == 1
        program.send_signal(signal.SIGINT)
        assert program.stderr
        answer = program.stderr.read()
    assert "a.cgn#1 is not shown: It cannot be set up: found the game 'Chequers'" in answer
    assert "nowhere.cgn cannot be read: no such file or directory" in answer


def test_the_example_of_its_help_is_one_that_runs() -> None:
    [example] = examples("serve")
    assert example == 'cartulary serve "$(cartulary samples cardmate)"'
    assert (SAMPLES / "cardmate" / "games").is_dir()


WRONG: tuple[tuple[tuple[str, ...], str], ...] = (
    (("--seat", "p0"), "expected a seat such as p1, or rail"),
    (("--port", "70000"), "70000"),
    (("--bind", "nowhere.invalid"), "Cannot listen at nowhere.invalid"),
    (("--bind", "203.0.113.1"), "Cannot listen at 203.0.113.1"),
    (("nowhere.cgn",), "There is no game to show"),
)


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[each[0][-1] for each in WRONG])
def test_what_cannot_be_served_is_told_and_ends_with_2(db: Path, words: tuple[str, ...], says: str) -> None:
    with api.Store(db):
        pass
    named = () if words[0].endswith(".cgn") else ("--db", str(db))
    ended = CliRunner().invoke(build(), ["serve", "--no-open", "--port", "0", *words, *named], env={"COLUMNS": "200"})
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_busy_port_a_missing_database_and_files_beside_one(db: Path) -> None:
    run = runner(db)
    assert "There is no database" in run("serve", "--read-only", "--port", "0", code=2).stderr
    with api.Store(db):
        pass
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        errors = run("serve", "--port", port, code=2).stderr
    assert f"Port {port} is taken on 127.0.0.1; --port 0 picks one that is free" in errors
    assert "leave out --db, or the files" in run("serve", str(PAGE), code=2).stderr
    db.write_text("nothing of ours", "utf-8")
    assert "is not an SQLite database" in run("serve", "--port", "0", code=2).stderr


def test_without_its_libraries_it_says_what_brings_them(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = dict(sys.modules)
    for name in [name for name in loaded if name.partition(".")[0] == "starlette" or "cartulary.web" in name]:
        package, _, own = name.rpartition(".")
        if package:  # whatever is imported anew stands in its package's place too, until this is over
            monkeypatch.setattr(loaded[package], own, loaded[name])
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    errors = runner(db)("serve", code=2).stderr
    assert "pip install 'cartulary[desk]'" in errors


def test_a_chunk_ends_where_a_proxy_in_front_would_end_it(tmp_path: Path) -> None:
    """Any two bytes once passed for the end of a chunk, and a proxy in front read other requests than the server."""
    runner(tmp_path / "games.db")("new", "cardmate", "--id", "g")
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["desk"]
    assert "h11>=0.16,<1" in asked
    with started("--no-open", folder=tmp_path) as (_, url):
        host = url.split("/")[2]
        head = (
            f"POST /join HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        )
        smuggled = f"GET /games HTTP/1.1\r\nHost: {host}\r\nX-Cartulary-Key: {url.rpartition('=')[2]}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), 5) as to:
            to.sendall(f"{head}X-Cartulary-Desk: 1\r\n\r\n2\r\n{{}}xx0\r\n\r\n{smuggled}".encode())
            text = b"".join(iter(lambda: to.recv(65536), b"")).decode()
    assert text.count("HTTP/1.1 ") == 1
    assert " 200 " not in text
