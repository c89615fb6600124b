"""Importing archives with many games, each with its chain, as fast as the disk allows."""

from collections.abc import Iterable, Iterator
from itertools import islice

from cartulary.records.commands.new import check_id
from cartulary.records.exchange.archive import Archive, ImportedArchive, draft_batch, events_of_archive, take_in
from cartulary.records.faults import Conflict, Damaged, Declined, Fault
from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import Batch

BATCH = 200
"""Games stored in one transaction."""


def take_in_all(
    store: Log, archives: Iterable[Archive | Fault], *, extend: bool = False, batch: int = BATCH
) -> Iterator[ImportedArchive | Fault]:
    """Import archives in their order as ``take_in`` does, and yield the answer to each once it is stored.

    If one cannot be imported, its fault is yielded, and the next ones are imported all the same. Faults among the
    archives are yielded as they are.
    """
    source = iter(archives)
    while some := list(islice(source, batch)):
        drafts = [_drafted(store, each) for each in some]
        new: dict[str, Batch] = {}
        for _, made in drafts:
            if made is not None:
                new.setdefault(made.id, made)
        known = store.write_new(list(new.values())) if new else set()
        for each, (answer, made) in zip(some, drafts, strict=True):
            if made is not None and made is new.get(made.id) and made.id not in known:
                yield answer
            elif isinstance(each, Archive) and not isinstance(answer, Fault):
                yield _one(store, each, extend)
            else:
                yield answer


def _drafted(store: Log, archive: Archive | Fault) -> tuple[ImportedArchive | Fault, Batch | None]:
    """Return the answer to an archive, and what to store if the game is not here yet."""
    if isinstance(archive, Fault):
        return archive, None
    try:
        check_id(archive.id)
        recorded = events_of_archive(archive)
        if store.head(archive.id) is not None:
            return ImportedArchive(archive.id, "known", len(recorded)), None
        made, answer = draft_batch(archive, recorded)
        return answer, made
    except (Damaged, Declined) as fault:
        return fault, None


def _one(store: Log, archive: Archive, extend: bool) -> ImportedArchive | Fault:
    try:
        return take_in(store, archive, extend=extend)
    except (Damaged, Declined, Conflict) as fault:
        return fault
