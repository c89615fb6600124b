"""Proof that a record is what was written: the chain followed from the first event to the head."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from cartulary.engine.numbers import how_many
from cartulary.records.faults import Damaged, UnknownGame, shown
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log, is_game
from cartulary.records.log.events import RecordAgreed, Withheld
from cartulary.records.log.field_checks import first_impossible
from cartulary.records.log.recorded import RecordedEvent


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


def verify(log: Log, id: str, head: Head | None = None) -> Proof:
    """Follow the game's chain. head: one noted earlier, on a score sheet or an export, which must still be part of it.

    That events were cut off and the head in the file edited to fit is seen only by ``head``, or by ``verify_all``.
    Raises UnknownGame.
    """
    if not is_game(id):
        raise UnknownGame(id)
    try:
        return _followed(log, id, head)
    except UnknownGame:
        if head is None or not id.isprintable():
            raise
        noted = how_many(head.version, "event")
        return Proof(id, 1, "", f"{id} is gone, although its head was noted after {noted}.")


def reaching(id: str, recorded: Sequence[RecordedEvent], head: Head | None, *, fields: bool = True) -> Proof:
    """Return the proof of a log whose chain was followed: whether it holds the heads that were noted.

    head: one noted elsewhere; those that seats agreed with stand in the log itself
    fields: whether each event must also be one that can be
    """
    count = len(recorded)
    if head is not None and head.version > count:
        held = how_many(count, "event")
        because = f"The log of {id} was cut off: it holds {held}, but the head noted is that of {head.version}."
        return Proof(id, count + 1, "", because)
    if head is not None and (head.version < 1 or recorded[head.version - 1].digest != head.digest):
        noted = f"The head noted for {id} is not that of its event {head.version}"
        because = f"{noted}: this is not the record it was noted from."
        return Proof(id, head.version, "", because)
    for before, each in pairwise(recorded):
        if isinstance(each.event, RecordAgreed) and each.event.head != f"{before.originator_version}:{before.digest}":
            because = f"Event {each.originator_version} of {id} agrees with a record other than the one before it."
            return Proof(id, each.originator_version, "", because)
    impossible = first_impossible(id, (each.event for each in recorded)) if fields else None
    if impossible:
        return Proof(id, impossible.version, "", impossible.because)
    return Proof(id, count, recorded[-1].digest, withheld=left_out(recorded))


def left_out(recorded: Iterable[RecordedEvent]) -> int:
    """Return how many bodies were left out of these events."""
    return sum(isinstance(each.event, Withheld) for each in recorded)


def verify_all(log: Log, *, fields: bool = True) -> Iterator[Proof]:
    """Yield a proof for every game, damaged ones too, and one without an id for each fault of the log as a whole.

    A stream that is no game is part of that whole: it is told of where its chain is broken.
    A game deleted with its head leaves a gap in the positions, which are never given twice. The read model is not
    looked at: it can be written anew from the log.
    fields: whether each event must also be one that can be, beside the chain
    """
    for fault in log.guards():
        yield Proof("", 0, "", fault)
    for id in log.asides():
        if fault := _listed(log, id, fields).fault:
            yield Proof("", 0, "", fault)
    for id in log.ids():
        yield _listed(log, id, fields)


def _listed(log: Log, id: str, fields: bool) -> Proof:
    try:
        return _followed(log, id, fields=fields)
    except UnknownGame:
        return Proof(id, 0, "", f"The log lists {shown(id)}, but no game can be opened by that id.")


def _followed(log: Log, id: str, head: Head | None = None, *, fields: bool = True) -> Proof:
    try:
        recorded = log.stream(id)
    except Damaged as fault:
        return Proof(id, fault.version, "", str(fault))
    return reaching(id, recorded, head, fields=fields)
