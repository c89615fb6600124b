"""``restore``: finds the legal games nearest to a sheet."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from cartulary.cli.commands.fmt import as_it_is
from cartulary.cli.shell.console import FINDINGS, USAGE, fail, leave, put_json, say
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import DRY
from cartulary.cli.shell.live import open_log as opened_store
from cartulary.cli.shell.nearest import nearest_fields, put_nearest
from cartulary.cli.shell.options import By, Command, Db, DryRun, Expected, Force, Json, Names, SeatOf, asker
from cartulary.cli.shell.sources import STDIN, gameless, parse_source
from cartulary.cli.shell.views import records_of, view_games
from cartulary.engine.numbers import seat_number
from cartulary.notation import Nearest, NotationError, Record, format_record, restore, restored_record
from cartulary.notation.cgn.writer import HEADER
from cartulary.notation.foreign.formats import FORMATS
from cartulary.notation.restore.evidence import illegible
from cartulary.notation.restore.nearest import SLIPS
from cartulary.records import api
from cartulary.records.texts import one_spelling


class BareWrite(TyperCommand):
    """A command whose ``--write`` may stand alone, at the end or before another option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; ``--write`` without a file name after it, as for a stored game, gets an empty value."""
        arguments_with_value = [
            "--write=" if word == "--write" and (behind or "-").startswith("-") else word
            for word, behind in zip(args, [*args[1:], ""], strict=True)
        ]
        return super().parse_args(ctx, arguments_with_value)


PARSER = BareWrite


def command(
    names: Names = None,
    slips: Annotated[
        int, typer.Option("--slips", min=0, max=9, metavar="N", help="Allow at most this many slips of the scribe.")
    ] = SLIPS,
    write: Annotated[
        str | None,
        typer.Option(
            "--write",
            metavar="[OUT.cgn]",
            help="Write all games to this file, each restored if a single game is nearest to it; without a file, "
            "correct stored games.",
        ),
    ] = None,
    force: Force = False,
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    dry_run: DryRun = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Find the legal games nearest to a sheet: gaps filled, and as few words changed as possible.

    A slip is a misread character, two swapped characters, a missing word, a repeated word, or two words swapped.
    Each sheet is restored by itself; `compare A B --restore` restores one game from two sheets of it.
    Exits with 1 unless a single game is nearest.

    \b
    Example:
      cartulary restore "$(cartulary samples cardmate)/page-1.cgn"
    """
    arguments = names or [STDIN]
    seat = seat or (f"p{writer}" if (writer := seat_number(one_spelling(by))) else "")
    outcome = _Outcome(slips, json)
    if write == "":
        stored = [parse_source(name) for name in arguments]
        if not all(source.live for source in stored):
            fail("Give --write OUT.cgn for restored sheets; without a file name, --write corrects stored games only.")
        viewer, who = asker(seat, by)
        request = api.RestoreRequest(slips, by=who, command=command, expected=expected, dry=dry_run)
        with opened_store(db) as store:
            for source in stored:
                answer = api.restore(store, source.name, request, viewer)
                outcome.put(source.name, 1, answer.nearest, live=True)
    else:
        _restore_sheets(arguments, write, force, seat, dry_run, outcome, db)
    if dry_run:
        say(DRY)
    leave(outcome.code)


def _restore_sheets(
    names: Sequence[str], write: str | None, force: bool, seat: str, dry: bool, outcome: "_Outcome", db: str | None
) -> None:
    """Print the legal games nearest to each sheet, and write all games to ``write`` if it names a file.

    A game for which there is no single nearest one is written as it was. The program ends if a stored game is to be
    written to a file, or if the file is not for CGN.

    Args:
        names: Files, games of files, or ids of stored games.
        write: The file to write, None or empty for none.
        force: Whether a file that is there may be replaced.
        seat: As which seat to look; empty for everything.
        dry: Whether nothing is to be written.
        outcome: Counts the games, and has the exit code.
        db: The database of stored games, None for the default one.
    """
    out = file_of(write)
    if write and (stored := [name for name in names if parse_source(name).live]):
        fail(f"{stored[0]} is a stored game; to correct it, give --write without a file name, at the end of the line.")
    if out is not None:
        for format in FORMATS:
            if out.suffix in format.endings:
                title = format.title
                fail(f"{out}: restored sheets are CGN; name it `{out.stem}.cgn`, and `convert` turns it into {title}.")
        check_spare(out, key=None, over=force)
    texts = [outcome.text(path, record) for name in names for path, record in _records(name, db, seat)]
    if out is not None and not dry:
        write_file(out, [(HEADER + "\n".join(texts)).encode()], force)
        if outcome.restored < len(texts):
            say(
                f"cartulary: {out}: {outcome.restored} of {count(len(texts), 'game')} restored, the others written "
                "as they were."
            )


def _records(name: str, db: str | None, seat: str) -> Iterator[tuple[str, Record]]:
    """Yield path (or id) and record of each game that an argument names; end the program if it holds none."""
    source = parse_source(name)
    if source.live:
        yield from ((source.name, game.record) for _, game in view_games(name, db, seat))
        return
    none = True
    for path, record in records_of([name], db, seat):
        none = False
        yield path, record
    if none:
        fail(gameless(name))


class _Outcome:
    """Prints the answer for each game, and counts what was restored.

    Attributes:
        code: The exit code that follows from all games so far.
        restored: How many games have a single nearest legal game.
    """

    def __init__(self, slips: int, json: bool) -> None:
        self.slips, self.json, self.code, self.restored = slips, json, 0, 0

    def text(self, path: str, record: Record) -> str:
        """Print the legal games nearest to a sheet, and return the text to be written for it.

        It is restored if a single game is nearest, else as it was. A sheet that cannot be set up is reported and raises
        the exit code.

        Args:
            path: Where the sheet is, a file or the id of a stored game.
            record: The sheet.
        """
        try:
            nearest = restore(record, slips=self.slips)
        except NotationError as fault:
            say(f"cartulary: {path}#{record.index}: {fault.because}.")
            self.code = USAGE
            return as_it_is(record)
        self.put(path, record.index, nearest, live=parse_source(path).live)
        if nearest.answer in ("none", "budget"):
            for ply, word in illegible(record):
                sentence = f"ply {ply}, {word}, cannot be read as a move; write ~ in its place if nobody can read it"
                say(f"cartulary: {path}#{record.index}: {sentence}.")
        if nearest.answer != "one":
            return as_it_is(record)
        self.restored += 1
        return format_record(restored_record(record, nearest.games[0]))

    def put(self, path: str, index: int, nearest: Nearest, *, live: bool) -> None:
        """Print the legal games nearest to one sheet; unless there is one or it is legal, the exit code is raised.

        Args:
            path: The file, or the id of a stored game.
            index: The number of the game in the file.
            nearest: What was found.
            live: Whether ``path`` is the id of a stored game.
        """
        if self.json:
            put_json(nearest_fields(path, index, nearest))
        else:
            put_nearest(path if live else f"{path}#{index}", nearest, self.slips)
        if nearest.answer not in ("one", "legal"):
            self.code = max(self.code, FINDINGS)
