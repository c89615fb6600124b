"""``record``: a game is typed while it is played, on a screen of its own or line by line."""

import sys
from collections.abc import Iterator
from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.scribe.scribe import LineAnswer, Scribe
from cartulary.cli.shell.console import (
    FINDINGS,
    INTERRUPT,
    USAGE,
    coloured,
    columns_of,
    fail,
    has_screen,
    leave,
    put,
    say,
    terminal,
)
from cartulary.cli.shell.findings import count, wrap
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import AsSeat, By, Db, Id, Quiet, asker
from cartulary.cli.shell.places import next_command, suggestion_for
from cartulary.cli.shell.positions import heading, picture_lines
from cartulary.notation.arbiter.positions import Position
from cartulary.records.faults import UnknownGame
from cartulary.records.table.sayings import last_line, turn_line
from cartulary.records.texts import is_id


def command(
    id: Id,
    seat: AsSeat = "",
    quiet: Quiet = False,
    clock: Annotated[bool, typer.Option("--clock", help="Ask for the time left after each move.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Use no screen: lines in, lines out, as in a pipe.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="Use no colour; NO_COLOR=1 does the same.")] = False,
    by: By = "",
    db: Db = None,
) -> None:
    """Type a game as it is played. There is one line to type on; above it you see the position and the verdict on what
    you type.

    Every line is stored before it is answered, but a refused one only if you then type `stands`. Type `help` for the
    commands: undo, stands, note, clock, check, why, legal, show, dispute, reveal, close, reopen, quit. Without a
    terminal, lines are read from standard input and answered in plain text. Exits with 1 if the record breaks a rule
    when you leave; in plain text, also if a line could not be carried out. With --quiet, moves are only confirmed, or
    refused as impossible: see `move`.

    \b
    Example:
      printf '4Ci3 4Db6\\nundo\\n4Db6\\n' | cartulary record evening
    """
    viewer, by = asker(seat, by)
    with open_log(db) as store:
        try:
            scribe = Scribe(
                store, id, viewer=replace(viewer, quiet=quiet), by=by, clocks=clock, asks=terminal(sys.stdin)
            )
        except UnknownGame as fault:
            opening_sentence = f" Open one with {next_command('new', 'GAME', '--id', id, db=db)}." if is_id(id) else ""
            fail(f"{fault}{suggestion_for(store, id)}{opening_sentence}", USAGE)
        if plain or not has_screen():
            done = converse(scribe)
            leave(FINDINGS if scribe.view.irregular or not done else 0)
            return
        code = _on_screen(scribe, coloured(no_color))
        leave(code or (FINDINGS if scribe.view.irregular else 0))


def _on_screen(scribe: Scribe, colour: bool) -> int:
    """Let the scribe type on a full screen until it is left, and return the exit code.

    The program ends if the library for it is not installed.
    """
    try:
        from cartulary.cli.scribe.screen import Screen
    except ModuleNotFoundError as fault:
        if not str(fault.name).startswith("prompt_toolkit"):
            raise
        fail(
            "The screen needs a library: pip install 'prompt_toolkit>=3.0.40,<4'. Or use --plain, which does "
            "without it."
        )
    code = Screen(scribe, colour).run()
    if code in (0, INTERRUPT):
        say(f"{scribe.id}: {count(scribe.view.plies, 'ply', 'plies')} stored, version {scribe.view.version}")
    return code


# --- line by line, without a screen ---


WIDE = 120
"""Columns to write the last plies in where no terminal asks for fewer."""


def converse(scribe: Scribe) -> bool:
    """Carry out the lines of standard input until it ends or one of them leaves.

    A person at a terminal is prompted and sees the position first.

    Returns:
        Whether every line was carried out.
    """
    typing = terminal(sys.stdin)
    if typing:
        _put_position(scribe, scribe.view.position)
        say("Type `help` for the commands, Ctrl-D or `quit` to leave.")
    done = True
    for text in _lines(scribe, typing):
        due = scribe.view.due
        answer = scribe.enter(text)
        done = done and answer.done
        _put(scribe, answer)
        if scribe.closing or (typing and scribe.view.due not in ("", due)):
            say(scribe.turn)
        if answer.end:
            break
    return done


def _lines(scribe: Scribe, typing: bool) -> Iterator[str]:
    """Yield the typed lines, without blanks around them; empty ones only where somebody types.

    Bytes that are not UTF-8 are kept as surrogates, so that the API can refuse them.

    Args:
        scribe: The scribe, who has the prompt.
        typing: Whether a person types at a terminal; then the prompt is written.
    """
    while True:
        if typing:
            sys.stdout.write(scribe.prompt)
        sys.stdout.flush()
        line = sys.stdin.buffer.readline()
        if not line:
            if typing:
                put("")
            return
        text = line.decode("utf-8", "surrogateescape").strip()
        if text or typing:
            yield text


def _put(scribe: Scribe, answer: LineAnswer) -> None:
    """Print the answer to a line: its lines, its remark, what was not written, and a position if it has one.

    Remarks and what was not written go to standard error.
    """
    for line in answer.lines:
        for row in wrap(line, " " * 12 if line.startswith("    ") else "    "):
            put(row)
    if answer.remark:
        say(answer.remark)
    if answer.done and answer.retry:
        say(f"Not yet written: {answer.retry}.")
    if answer.position is not None:
        _put_position(scribe, answer.position)


def _put_position(scribe: Scribe, position: Position) -> None:
    """Print a position: heading, board, last plies, and whose turn it is."""
    for line in heading(position, scribe.view.people):
        put(line)
    put("")
    for line in picture_lines(scribe.view.picture_of(position), colour=False):
        put(line)
    put("")
    put(last_line(position, scribe.view.steps[: position.ply], columns_of(sys.stdout) or WIDE))
    for line in wrap(
        scribe.turn
        if position is scribe.view.position
        else turn_line(position, quiet=scribe.view.quietly, names=scribe.view.players)
    ):
        put(line)
