"""The scribe without a screen: lines in, lines out, for pipes, plain terminals and whoever prefers them."""

import sys
from collections.abc import Iterator

from cartulary.cli.scribe.scribe import Said, Scribe
from cartulary.cli.shell.console import columns_of, put, say, terminal
from cartulary.cli.shell.findings import wrapped
from cartulary.cli.shell.pictures import drawn
from cartulary.cli.shell.positions import heading
from cartulary.notation.arbiter.positions import Position
from cartulary.records import desk

WIDE = 120
"""Columns to write the last plies in where no terminal asks for fewer."""


def converse(scribe: Scribe) -> bool:
    """Answer the lines of standard input until it ends or one of them leaves; say whether every line was carried out.

    A person at a terminal is prompted and sees the position first.
    """
    typing = terminal(sys.stdin)
    if typing:
        _put_position(scribe, scribe.view.found)
        say("Type `help` for the commands, Ctrl-D or `quit` to leave.")
    done = True
    for text in _lines(scribe, typing):
        due = scribe.view.due
        said = scribe.enter(text)
        done = done and said.done
        _put(scribe, said)
        if scribe.closing or (typing and scribe.view.due not in ("", due)):
            say(scribe.turn)
        if said.end:
            break
    return done


def _lines(scribe: Scribe, typing: bool) -> Iterator[str]:
    """Yield the lines typed; bytes that are no UTF-8 stay apart, so that the desk can refuse them."""
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


def _put(scribe: Scribe, said: Said) -> None:
    for line in said.lines:
        for row in wrapped(line, " " * 12 if line.startswith("    ") else "    "):
            put(row)
    if said.remark:
        say(said.remark)
    if said.done and said.kept:
        say(f"Not yet written: {said.kept}.")
    if said.shown is not None:
        _put_position(scribe, said.shown)


def _put_position(scribe: Scribe, found: Position) -> None:
    for line in heading(found):
        put(line)
    put("")
    for line in drawn(found.game.words.picture(found.drawn, scribe.view.watching), colour=False):
        put(line)
    put("")
    put(desk.last_line(found, scribe.view.walked[: found.ply], columns_of(sys.stdout) or WIDE))
    for line in wrapped(
        scribe.turn if found is scribe.view.found else desk.turn_line(found, quiet=scribe.view.quietly)
    ):
        put(line)
