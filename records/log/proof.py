"""Proof that a record is what was written: the chain followed from the first event to the head."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from cartulary.records.faults import Damaged, UnknownGame, shown
from cartulary.records.log.chain import Head
from cartulary.records.log.events import Withheld
from cartulary.records.log.schema import TRIGGERS
from cartulary.records.log.store import Recorded, Store


class Proof(Struct, frozen=True):
    """What was found. id: empty where the file as a whole is meant; fault: a sentence, empty where all is sound.

    version, digest: the head of a sound record; of a damaged one the version of the first event at fault
    withheld: how many of its bodies were left out; that they are the ones written is proved, what they say is not
    """

    id: str
    version: int
    digest: str
    fault: str = ""
    withheld: int = 0


def verify(store: Store, id: str, head: Head | None = None) -> Proof:
    """Follow the game's chain. head: one noted earlier, on a score sheet or an export, which must still be part of it.

    That events were cut off and the head in the file edited to fit is seen only by ``head``, or by ``verify_all``.
    Raises UnknownGame.
    """
    try:
        recorded = store.read(id)
    except Damaged as fault:
        return Proof(id, fault.version, "", str(fault))
    except UnknownGame:
        if head is None or not id.isprintable():
            raise
        return Proof(id, 1, "", f"{id} is gone: the head noted is that of {head.version} events.")
    return reaching(id, recorded, head)


def reaching(id: str, recorded: Sequence[Recorded], head: Head | None) -> Proof:
    """Return the proof of a log whose chain was followed: whether it holds the head noted, if one was."""
    count = len(recorded)
    if head is not None and head.version > count:
        because = f"The log of {id} was cut off: the head noted is that of {head.version} events, it holds {count}."
        return Proof(id, count + 1, "", because)
    if head is not None and (head.version < 1 or recorded[head.version - 1].digest != head.digest):
        because = f"The head noted for {id} is not that of its event {head.version}: they are not the same record."
        return Proof(id, head.version, "", because)
    return Proof(id, count, recorded[-1].digest, withheld=left_out(recorded))


def left_out(recorded: Iterable[Recorded]) -> int:
    """Return how many bodies were left out of these events."""
    return sum(isinstance(each.event, Withheld) for each in recorded)


def verify_all(store: Store) -> Iterator[Proof]:
    """Yield a proof for every game, damaged ones too, and one without an id for each fault of the file as a whole.

    A game deleted with its head leaves a gap in the positions, which are never given twice. The read model is not
    looked at: it can be written anew from the log.
    """
    for fault in _of_the_file(store):
        yield Proof("", 0, "", fault)
    for id in store.ids():
        try:
            yield verify(store, id)
        except UnknownGame:
            yield Proof(id, 0, "", f"The log lists {shown(id)}, and holds no game that can be asked for by that id.")


def _of_the_file(store: Store) -> Iterator[str]:
    broken = store.query("PRAGMA quick_check(1)")[0][0]
    if broken != "ok":
        yield f"The database {store.path} is damaged: {broken}."
    given = store.query(
        "SELECT CAST(COALESCE(MAX(seq), 0) AS INTEGER) FROM sqlite_sequence WHERE name='stored_events'"
    )[0][0]
    count, last = store.query("SELECT COUNT(*), COALESCE(MAX(rowid), 0) FROM stored_events")[0]
    stored = max(given, last)
    if stored > count:
        yield f"Of the {stored} events ever stored in {store.path}, {stored - count} cannot be found."
    there = dict(store.query("SELECT name, sql FROM sqlite_master WHERE type='trigger'"))
    changed = sorted(name for name, text in TRIGGERS.items() if there.get(name) != text)
    if changed:
        yield f"The log of {store.path} is not protected any more: missing or altered triggers: {', '.join(changed)}."
