"""Backups: the whole log is copied byte for byte into a database file, proved, and written back to any log."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from os import SEEK_END
from pathlib import Path

from cartulary.notation.cgn.signs import count
from cartulary.records.exchange.outfile import check_free, is_stream, replace_files
from cartulary.records.faults import Damaged, Unfit, Unreachable
from cartulary.records.library.opening import open_store
from cartulary.records.library.reindex import reindex
from cartulary.records.log.chain import origin
from cartulary.records.log.contract import Log
from cartulary.records.log.database import make_single_file
from cartulary.records.log.field_checks import ImpossibleEvent, first_impossible
from cartulary.records.log.open_files import check_beside
from cartulary.records.log.proof import verify_all
from cartulary.records.log.recorded import Batch, RecordedEvent, is_game
from cartulary.records.log.server import Server
from cartulary.records.log.server_store import ServerStore
from cartulary.records.log.store import Store
from cartulary.records.state.games import Games

AT_ONCE = 100
"""Streams stored in one transaction."""


def back_up(store: Log, out: Path, over: bool = False) -> int:
    """Copy the whole log, as of one moment, to a new database file and prove the copy. Others may write meanwhile.

    Args:
        store: The store.
        out: The file.
        over: Whether an existing file may be replaced.

    Returns:
        The number of games in the backup.

    Raises:
        Damaged: The copy cannot be proved. No file is written.
        Unfit: The log has no game, or the file cannot be a backup.
        OSError: The file cannot be written.
    """
    check_free((out,), over)
    if is_stream(out):
        raise Unfit(f"{out} is not a file; expected the name of a database to write.")
    if not isinstance(store.place, Server) and out.exists() and out.samefile(store.place):
        raise Unfit(f"{out} is the database itself; name another file.")
    check_beside(out, is_new=True)
    if not store.ids():
        raise Unfit(f"There is no game in {store.place}, so there is nothing to back up; expected one or more.")
    with replace_files(out, over=over, private=not out.exists()) as (spare,):
        log = store.log if isinstance(store, Games) else store
        if isinstance(log, ServerStore):
            with Store(spare) as copy:
                with log.snapshot():
                    copy_log(log, copy)
                reindex(copy)
        else:
            log.copy(spare)
        with Store(spare, create=False) as copy:
            for proof in verify_all(copy, fields=False):  # even a game with impossible events is backed up
                if proof.fault:
                    fault = proof.fault.replace(str(spare), str(store.place))
                    raise Damaged(f"No backup was made: {fault}", proof.id, proof.version)
            games = len(copy.ids())
        make_single_file(spare)
        check_beside(out, is_new=True)
        return games


def write_back(file: Path, place: Path | Server, timeout: int = 5) -> tuple[int, int]:
    """Write every game of a backup into a log, and prove it there.

    A game that is there already with the same events, or with more of them, is left alone. One with an impossible event
    is not written.

    Args:
        file: The backup.
        place: The log, which is made if there is none.
        timeout: Seconds to wait for another writer.

    Returns:
        The number of games that are new there, and of those that were there before.

    Raises:
        Damaged: The backup cannot be proved, or the log has another game under one of the ids; then nothing is written.
            Or a game has an impossible event; then all others are written.
        Unfit: The log is the backup itself.
        Conflict, Unreachable or Foreign: The backup or the log cannot be used.
    """
    if not isinstance(place, Server) and place.exists() and place.samefile(file):
        raise Unfit(f"{file} is the backup itself; name another database.")
    _check_whole(file)
    with Store(file, create=False, read_only=True) as backup:
        for proof in verify_all(backup, fields=False):
            if proof.fault:
                raise Damaged(f"Nothing was restored: {proof.fault}", proof.id, proof.version)
        with open_store(place, timeout=timeout) as target:
            return _copy_back(backup, target)


def _check_whole(file: Path) -> None:
    """Do nothing if a database file is as long as its header says; SQLite would read a missing end as zeros.

    A file that is no database, or cannot be read, passes.

    Raises:
        Damaged: The file was cut short.
        Unreachable: There is no such file.
    """
    try:
        with file.open("rb") as opened:
            header = opened.read(100)
            length = opened.seek(0, SEEK_END)
    except FileNotFoundError:
        raise Unreachable(f"There is no backup {file}; name a file that `backup` has written.") from None
    except OSError:
        return  # opening it as a database says why
    size = int.from_bytes(header[16:18])
    page = 1 << 16 if size == 1 else size
    if header.startswith(b"SQLite format 3") and length < page * int.from_bytes(header[28:32]):
        raise Damaged(f"Nothing was restored, because {file} is damaged: it was cut short. Use another copy.")


def _copy_back(backup: Log, target: Log) -> tuple[int, int]:
    """Copy what a backup holds into a log, and return how many of its games are new there, and how many it had before.

    The index of the log is rebuilt if anything is new, unless it is on a server.

    Raises:
        Damaged: The log has another game under one of the ids; then nothing is written. Or a game has an impossible
            event; then all others are written.
    """
    before = len(target.ids())
    existing = {*target.asides(), *target.ids()}
    for id in (id for id in (*backup.asides(), *backup.ids()) if id in existing):  # before anything is written
        _check_copied(target, id, backup.stream(id))
    impossible_games: list[ImpossibleEvent] = []
    copied = copy_log(backup, target, lambda id: id not in existing and _is_possible(backup, id, impossible_games))
    new = len(target.ids()) - before
    if not isinstance(target.place, Server) and copied:
        reindex(target)
    if impossible_games:
        games, others = count(len(impossible_games), "game"), count(len(backup.ids()) - len(impossible_games), "other")
        were = "was" if len(impossible_games) == 1 else "were"
        because = "; ".join(one.because.rstrip(".") for one in impossible_games)
        raise Damaged(
            f"{games} of the backup {were} not restored; the {others} can be found in {target.place}. {because}."
        )
    return new, len(backup.ids()) - new


def _is_possible(log: Log, id: str, impossible_games: list[ImpossibleEvent]) -> bool:
    """Say whether no event of a stream is impossible; if one is, the first of them is added to ``impossible_games``.

    A stream that is not a game is always possible.
    """
    impossible = first_impossible(id, (each.event for each in log.stream(id))) if is_game(id) else None
    if impossible is not None:
        impossible_games.append(impossible)
    return impossible is None


def copy_log(source: Log, target: Log, takes: Callable[[str], bool] = lambda id: True) -> int:
    """Copy the streams of a log to another, byte for byte, and prove each there. A stream is the events of a game, or
    others.

    Streams that the target has already are not written, but compared.

    Args:
        source: The log to copy.
        target: The log to write to.
        takes: Says whether the stream of an id is copied; by default all are.

    Returns:
        The number of streams that are new in the target.

    Raises:
        Damaged: A stream of the source is damaged, or the target has another stream under its id.
    """
    ids = iter((*source.asides(), *source.ids()))
    new = 0
    while chunk := tuple(islice(ids, AT_ONCE)):
        batches = tuple(_batches(source, filter(takes, chunk)))
        new += len(batches) - len(target.write_new(batches)) if batches else 0
        for batch in batches:
            _check_copied(target, batch.id, batch.events)
    return new


def _batches(source: Log, ids: Iterator[str]) -> Iterator[Batch]:
    """Yield whole streams of a log, by their ids and in their order, as batches to write to a log in which none exists
    yet.
    """
    for id in ids:
        yield Batch(id, origin(id), source.stream(id))


def _check_copied(target: Log, id: str, copied: Sequence[RecordedEvent]) -> None:
    """Do nothing if a stream of a log begins with the events that were copied, of which there must be at least one.

    Raises:
        Damaged: The log has another stream under this id or lacks some of the events, or its chain is broken.
    """
    recorded = target.stream(id)
    if len(recorded) < len(copied) or recorded[len(copied) - 1].digest != copied[-1].digest:
        raise Damaged(
            f"{target.place} holds another game under the id {id}; nothing was restored. Restore to another database.",
            id,
            1,
        )
