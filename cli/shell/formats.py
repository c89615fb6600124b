"""The formats of an export in one table: the name of each, its file endings, and what writes it."""

import json
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from cartulary.cli.shell.console import fail, say
from cartulary.cli.shell.filters import progress_bar
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.outgoing import Outgoing, peek_first, warn_of_hidden
from cartulary.notation import format_record
from cartulary.notation.cgn.writer import HEADER
from cartulary.notation.foreign.formats import find_format
from cartulary.records import api
from cartulary.records.exchange.from_sqlite import is_published
from cartulary.records.exchange.outfile import replace_files
from cartulary.records.exchange.sqlite_tables import datasette_metadata
from cartulary.records.faults import Fault


def _cgn(out: Outgoing) -> None:
    """Write the games as CGN, under a single header line, with a blank line before each later game."""
    sheets = enumerate(out.records())
    out.put((("\n" if number else HEADER) + format_record(record)).encode() for number, record in sheets)


def _in_format(name: str) -> Callable[[Outgoing], None]:
    """Return a function that writes games in another format, by its name, such as ``pgn``."""

    def write(out: Outgoing) -> None:
        """Write the games as texts of the format, with a blank line between two."""
        out.put(("\n" * bool(number) + text).encode() for number, text in enumerate(out.texts(find_format(name))))

    return write


def _json(out: Outgoing) -> None:
    """Write the games as archives, one line of JSON each."""
    out.put(msgspec.json.encode(archive) + b"\n" for archive in out.archives())


def _html(out: Outgoing) -> None:
    """Write the games as score sheets in HTML: one document, or one page for each game if they go to a folder."""
    if not out.folder:
        out.put(_on_paper(out, api.html))
    elif sheets := peek_first(out.sheets()):
        api.write_pages(sheets, out.ids, out.folder, over=out.over)


def _pdf(out: Outgoing) -> None:
    """Write the games as score sheets in one PDF, and report which characters its fonts lack."""

    def encode(sheets: "Sequence[api.ScoreSheet]") -> bytes:
        """Return the PDF of score sheets, and report the characters that no font has; up to twelve are named."""
        document, unseen = api.pdf(sheets, out.options.fonts)
        if unseen:
            signs = " ".join(unseen[:12]) + (" …" if len(unseen) > 12 else "")
            say(
                f"cartulary: The PDF's font lacks {signs}, so code points are printed instead; add a font with --font"
                " FILE."
            )
        return document

    out.put(_on_paper(out, encode))


def _on_paper(out: Outgoing, write: "Callable[[Sequence[api.ScoreSheet]], bytes]") -> Iterator[bytes]:
    """Yield the one document that ``write`` makes of all score sheets; nothing if there is no sheet."""
    sheets = list(out.sheets())
    if sheets:
        yield write(sheets)


def _replay(out: Outgoing) -> None:
    """Write one page of HTML that replays the games, after a warning if it shows hidden cards.

    Without games nothing is written.
    """
    games = list(out.replays())
    if games:
        warn_of_hidden(games)
        out.put([api.replay_page(games)])


def _sqlite(out: Outgoing) -> None:
    """Write the games to a new SQLite database, and note how many there are and which could not be read.

    The program ends if no file is named.
    """
    if out.file is None:
        fail("A database is written to a file; name it with -o, such as -o club.db.")
    out.game_count, faults = publish_games(out.store, out.ids, out.file, out.options.metadata, out.over)
    out.faults.extend(faults)


def _parquet(out: Outgoing) -> None:
    """Write the games as Parquet files to a folder, and note how many there are and which could not be read.

    The program ends if no folder is named.
    """
    if out.folder is None:
        fail("Parquet is written to a folder; name it with -o, such as -o season.")
    with progress_bar("export") as tell:
        done = (lambda done: tell(done, len(out.ids))) if tell else None
        out.game_count, faults = api.export_parquet(out.store, out.ids, out.folder, done, out.over)
    out.faults.extend(faults)
    if out.game_count:
        say(f"cartulary: {out.folder} holds {count(out.game_count, 'game')}, with every card on record.")


def _trf(out: Outgoing) -> None:
    """End the program, because a tournament report is made of an evening, named by ``--event``, and not of games."""
    fail("A tournament report is of one evening; name it with --event.")


# --- a database for readers ---


def publish_games(
    store: "api.Log", ids: Sequence[str], out: Path, metadata: Path | None, over: bool
) -> "tuple[int, tuple[Fault, ...]]":
    """Write games to a SQLite database for readers, and report how many it holds.

    The program ends if the file is there and is not such a database. Without any game no file is written.

    Args:
        store: The open log.
        ids: The games.
        out: The database to write.
        metadata: The file for Datasette's metadata; None writes none.
        over: Whether existing files may be replaced.

    Returns:
        How many games the database holds, and a fault for each game that was left out.
    """
    if out.is_file() and over and not _is_export(out):
        fail(f"{out} already exists and is not an exported database; name another file.")
    with progress_bar("export") as tell:
        size, faults = api.publish(store, ids, out, (lambda done: tell(done, len(ids))) if tell else None, over)
    if metadata is not None and size:
        text = json.dumps(datasette_metadata(out.stem), indent=2, ensure_ascii=False) + "\n"
        with replace_files(metadata, over=over) as (spare,):
            spare.write_text(text, "utf-8")
    if size:
        say(f"cartulary: {out} holds {count(size, 'game')}, with every card on record.")
    return size, faults


def _is_export(path: Path) -> bool:
    """Say whether a file may be replaced by an export: it is empty, or a database that was exported before."""
    return path.stat().st_size == 0 or is_published(path)


class Format(StrEnum):
    """What an export is written as. Another format is a line here and a file of the records that its writer calls.

    Attributes:
        endings: The endings of files that mean this format.
        write: The function that writes an export.
        for_seat: Whether it can show a game as a seat has seen it.
    """

    endings: tuple[str, ...]
    write: Callable[[Outgoing], None]
    for_seat: bool

    cgn = "cgn", (".cgn",), _cgn, True
    json = "json", (".json", ".jsonl"), _json, False
    pgn = "pgn", (".pgn",), _in_format("pgn"), True
    pdn = "pdn", (".pdn",), _in_format("pdn"), True
    sgf = "sgf", (".sgf",), _in_format("sgf"), True
    html = "html", (".html", ".htm"), _html, True
    pdf = "pdf", (".pdf",), _pdf, True
    replay = "replay", (), _replay, True
    sqlite = "sqlite", (".db", ".sqlite", ".sqlite3"), _sqlite, False
    parquet = "parquet", (), _parquet, False
    trf = "trf", (".trf",), _trf, False

    def __new__(
        cls, name: str, endings: tuple[str, ...], write: Callable[[Outgoing], None], for_seat: bool
    ) -> "Format":
        self = str.__new__(cls, name)
        self._value_, self.endings, self.write, self.for_seat = name, endings, write, for_seat
        return self


ENDINGS = {ending: format for format in Format for ending in format.endings}
"""What a file's ending says of it."""


def format_of(file: Path | None, option: Format | None) -> Format:
    """Return the format of an export: the option, else what the file's ending says, else CGN.

    The program ends for an ending that stands for no format. Capitals in it do not matter.

    Args:
        file: The file to write, None for standard output.
        option: What ``--format`` names, None for nothing.
    """
    if option is not None:
        return option
    ending = file.suffix.lower() if file is not None else ""
    if ending and ending not in ENDINGS:
        fail(f"{file}: {ending} does not name a format; expected {', '.join(ENDINGS)}, or --format.")
    return ENDINGS.get(ending, Format.cgn)
