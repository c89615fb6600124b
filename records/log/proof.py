"""Proof that a record is what was written: the chain followed from the first event to the head."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from cartulary.engine.numbers import how_many
from cartulary.records.faults import Damaged, UnknownGame, printable_id
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.events import RecordAgreed, Withheld
from cartulary.records.log.field_checks import first_impossible
from cartulary.records.log.recorded import RecordedEvent, is_game


class Proof(Struct, frozen=True):
    """Whether a record is what was written.

    Attributes:
        id: The id of the record, empty for the log as a whole.
        version: The version of the head, or of the first event at fault.
        digest: The digest of the head, empty if there is a fault.
        fault: What is wrong, as a sentence; empty if all is sound.
        withheld: How many of the bodies were left out. They are proved to be the ones that were written; what they say
            is not.
    """

    id: str
    version: int
    digest: str
    fault: str = ""
    withheld: int = 0


def verify(log: Log, id: str, head: Head | None = None) -> Proof:
    """Follow the chain of a game and return the proof.

    If somebody cuts off the last events and edits the head in the file, only ``head`` or ``verify_all`` shows it.

    Args:
        log: The log that holds the game.
        id: The id of the game.
        head: A head noted earlier, on a score sheet or an export, which must still be part of the chain.

    Returns:
        The proof. A broken chain, an impossible field or another head is its ``fault``, and is not raised.

    Raises:
        UnknownGame: There is no such game, and no head of it was noted; or the id is that of a stream which is no game.
        StoreFault: The log cannot be read.
    """
    if not is_game(id):
        raise UnknownGame(id)
    try:
        return _read_and_prove(log, id, head)
    except UnknownGame:
        if head is None or not id.isprintable():
            raise
        noted = how_many(head.version, "event")
        return Proof(id, 1, "", f"{id} is gone, although its head was noted after {noted}.")


def prove(id: str, events: Sequence[RecordedEvent], head: Head | None, *, fields: bool = True) -> Proof:
    """Return the proof of a stream whose chain was followed: whether it still reaches the heads that were noted.

    Args:
        id: The id of the stream.
        events: All its events.
        head: A head noted elsewhere. The heads that seats agreed with are in the stream itself, and are checked too.
        fields: Whether the fields of each event are checked as well.

    Returns:
        The proof. Its ``fault`` is the first thing that is wrong, as a sentence; empty if all is sound.
    """
    count = len(events)
    if head is not None and head.version > count:
        held = how_many(count, "event")
        because = f"The log of {id} was cut off: it holds {held}, but the head noted is that of {head.version}."
        return Proof(id, count + 1, "", because)
    if head is not None and (head.version < 1 or events[head.version - 1].digest != head.digest):
        noted = f"The head noted for {id} is not that of its event {head.version}"
        because = f"{noted}: this is not the record it was noted from."
        return Proof(id, head.version, "", because)
    for before, each in pairwise(events):
        if isinstance(each.event, RecordAgreed) and each.event.head != f"{before.originator_version}:{before.digest}":
            because = f"Event {each.originator_version} of {id} agrees with a record other than the one before it."
            return Proof(id, each.originator_version, "", because)
    impossible = first_impossible(id, (each.event for each in events)) if fields else None
    if impossible:
        return Proof(id, impossible.version, "", impossible.because)
    return Proof(id, count, events[-1].digest, withheld=count_withheld(events))


def count_withheld(events: Iterable[RecordedEvent]) -> int:
    """Return how many of these events are known by the hash of their body only, because the body was left out."""
    return sum(isinstance(each.event, Withheld) for each in events)


def verify_all(log: Log, *, fields: bool = True) -> Iterator[Proof]:
    """Yield a proof for every game, damaged ones too, and one without an id for each fault of the log as a whole.

    A stream that is not a game belongs to that whole: it gets a proof only if its chain is broken. A game that was
    deleted with its head leaves a gap in the positions, which are never given twice. The index is not looked at, since
    it can be rebuilt from the log.

    Args:
        log: The log.
        fields: Whether the fields of each event are checked as well.
    """
    for fault in log.guards():
        yield Proof("", 0, "", fault)
    for id in log.asides():
        if fault := _proof_of_listed(log, id, fields).fault:
            yield Proof("", 0, "", fault)
    for id in log.ids():
        yield _proof_of_listed(log, id, fields)


def _proof_of_listed(log: Log, id: str, fields: bool) -> Proof:
    """Return the proof of a stream that the log lists.

    If no stream can be opened by the listed id, that is the fault of the proof; nothing is raised for it.

    Args:
        log: The log.
        id: The id, as the log lists it.
        fields: Whether the fields of each event are checked as well.
    """
    try:
        return _read_and_prove(log, id, fields=fields)
    except UnknownGame:
        return Proof(id, 0, "", f"The log lists {printable_id(id)}, but no game can be opened by that id.")


def _read_and_prove(log: Log, id: str, head: Head | None = None, *, fields: bool = True) -> Proof:
    """Read a stream and return its proof. A broken chain is a fault of the proof and is not raised.

    Args:
        log: The log.
        id: The id of the stream.
        head: A head noted elsewhere, None for none.
        fields: Whether the fields of each event are checked as well.

    Raises:
        UnknownGame: There is no such stream.
        StoreFault: The log cannot be read.
    """
    try:
        recorded = log.stream(id)
    except Damaged as fault:
        return Proof(id, fault.version, "", str(fault))
    return prove(id, recorded, head, fields=fields)
