"""A backup: the whole log copied, byte for byte, into a database file of its own, proved, and written back anywhere."""

from collections.abc import Iterator, Sequence
from itertools import islice
from os import SEEK_END
from pathlib import Path

from cartulary.records.exchange.outfile import check_free, is_stream, putting
from cartulary.records.faults import Damaged, Unfit, Unreachable
from cartulary.records.library.opening import open_store
from cartulary.records.library.reindex import reindex
from cartulary.records.log.chain import origin
from cartulary.records.log.proof import verify_all
from cartulary.records.log.recorded import Batch, Recorded
from cartulary.records.log.server import Server
from cartulary.records.log.server_store import ServerStore
from cartulary.records.log.store import Store

AT_ONCE = 100
"""Streams stored in one transaction."""


def back_up(store: Store, out: Path, over: bool = False) -> int:
    """Copy the whole log to a new database file, prove the copy and put it in its place; return its number of games.

    Others may go on writing meanwhile: the log is copied as of one moment.
    over: a file that is there may be replaced
    Raises Damaged where the copy cannot be proved, Unfit where the log has no game in it, OSError; then nothing is put.
    """
    check_free((out,), over)
    if is_stream(out):
        raise Unfit(f"{out} is not a file; expected the name of a database to write.")
    if not isinstance(store.place, Server) and out.exists() and out.samefile(store.place):
        raise Unfit(f"{out} is the database itself; name another file.")
    if not store.ids():
        raise Unfit(f"There is no game in {store.place}, so there is nothing to back up; expected one or more.")
    with putting(out, over=over, private=not out.exists()) as (spare,):
        if isinstance(store, ServerStore):
            with Store(spare) as copy:
                with store.at_once():
                    copy_log(store, copy)
                reindex(copy)
        else:
            store.copy(spare)
        with Store(spare, create=False) as copy:
            for proof in verify_all(copy):
                if proof.fault:
                    raise Damaged(f"No backup was made: {_named(proof.fault, spare, store)}", proof.id, proof.version)
            return len(copy.ids())


def write_back(file: Path, place: Path | Server, patience: int = 5) -> tuple[int, int]:
    """Write every game of a backup into a log, proved; return how many are new there and how many were there before.

    A game that is there already with the same head is left alone.
    Raises Conflict or Damaged where one is there with another, Unreachable, Foreign and Damaged of either.
    """
    if not isinstance(place, Server) and place.exists() and place.samefile(file):
        raise Unfit(f"{file} is the backup itself; name another database.")
    _check_whole(file)
    with Store(file, create=False, read_only=True) as backup:
        for proof in verify_all(backup):
            if proof.fault:
                raise Damaged(f"Nothing was restored: {proof.fault}", proof.id, proof.version)
        with open_store(place, patience=patience) as target:
            return _written_back(backup, target)


def _check_whole(file: Path) -> None:
    """Raise Damaged where a database file is shorter than its header says, which SQLite reads as zeros at the end."""
    try:
        with file.open("rb") as opened:
            header = opened.read(100)
            length = opened.seek(0, SEEK_END)
    except FileNotFoundError:
        raise Unreachable(f"There is no backup {file}; name a file that `backup` has written.") from None
    except OSError:
        return  # whoever opens it as a database says why it cannot
    said = int.from_bytes(header[16:18])
    page = 1 << 16 if said == 1 else said
    if header.startswith(b"SQLite format 3") and length < page * int.from_bytes(header[28:32]):
        raise Damaged(f"Nothing was restored, because {file} is damaged: it was cut short. Use another copy.")


def _written_back(backup: Store, target: Store) -> tuple[int, int]:
    before = len(target.ids())
    there = {*target.asides(), *target.ids()}
    for id in (id for id in (*backup.asides(), *backup.ids()) if id in there):  # before anything is written
        _proved(target, id, backup.stream(id))
    copied = copy_log(backup, target)
    new = len(target.ids()) - before
    if not isinstance(target.place, Server) and copied:
        reindex(target)
    return new, len(backup.ids()) - new


def copy_log(source: Store, target: Store) -> int:
    """Store every stream of a log in another, byte for byte, and prove each there; return how many are new there.

    Raises Damaged where a stream of the source is, or where the target holds a stream of that id that is another.
    """
    ids = iter((*source.asides(), *source.ids()))
    new = 0
    while batches := tuple(_batches(source, islice(ids, AT_ONCE))):
        new += len(batches) - len(target.write_new(batches))
        for batch in batches:
            _proved(target, batch.id, batch.sealed)
    return new


def _batches(source: Store, ids: Iterator[str]) -> Iterator[Batch]:
    for id in ids:
        yield Batch(id, origin(id), source.stream(id))


def _proved(target: Store, id: str, copied: Sequence[Recorded]) -> None:
    recorded = target.stream(id)
    if len(recorded) < len(copied) or recorded[len(copied) - 1].digest != copied[-1].digest:
        raise Damaged(
            f"{target.place} holds another game under the id {id}; nothing was restored. Restore to another database.",
            id,
            1,
        )


def _named(fault: str, spare: Path, store: Store) -> str:
    return fault.replace(str(spare), str(store.place))
