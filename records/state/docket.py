"""The arbiter's docket: what was disputed and ruled on in a record, followed through every correction of its plies.

A dispute or a ruling is about plies by the event that wrote them. Where a ply is corrected the entry follows its new
word; where it is taken back, removed or made void the entry keeps where it stood.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Line
from cartulary.notation.arbiter.ruling_commands import CitedCommand, DisputeCommand, RulingCommand, cited_in

Ref: TypeAlias = tuple[int, int]
"""The event (its version) that wrote a ply, and the word inside that event."""

OPEN, WITHDRAWN, RULED = "open", "withdrawn", "ruled"


class DisputeEntry(Struct, frozen=True):
    """A dispute on the docket.

    number: the event that raised it; of one that an imported sheet tells of, -1, -2 … in the order of its text
    ref: the ply it is about as it is written now; None for the game and for a ply that is gone
    command: with the ply it was about when it was raised; word: what stood there
    written: the command on the imported sheet, empty where an event says it
    """

    number: int
    ref: Ref | None
    command: DisputeCommand
    word: str
    at: str
    status: str = OPEN
    written: str = ""


class RulingEntry(Struct, frozen=True):
    """A ruling on the docket; number, written: as of a DisputeEntry.

    refs: the plies it is on as they are written now, those that are gone left out
    command: with the plies and their words as they were; dispute: the number of the one it answers, 0 for none
    stood: what the plies read on the imported sheet; answered: the disputes it answered
    revokes: the number of the ruling it takes back, 0 for none
    after: how many plies there were when it was given, by their numbers now
    """

    number: int
    refs: tuple[Ref, ...]
    command: RulingCommand
    dispute: int
    at: str
    written: str = ""
    stood: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    revokes: int = 0
    after: int = 0


class Docket:
    """The docket while a book is made."""

    def __init__(self, disputes: Iterable[DisputeEntry] = (), rulings: Iterable[RulingEntry] = ()) -> None:
        """disputes, rulings: those entered before, in their order."""
        self.disputes = {dispute.number: dispute for dispute in disputes}
        self.rulings = {entry.number: entry for entry in rulings}
        self.open: dict[Ref, list[int]] = {}
        for dispute in self.disputes.values():
            if dispute.status == OPEN and dispute.ref is not None:
                self.open.setdefault(dispute.ref, []).append(dispute.number)

    def dispute(self, dispute: DisputeEntry) -> None:
        """Enter a dispute."""
        self.disputes[dispute.number] = dispute
        if dispute.ref is not None:
            self.open.setdefault(dispute.ref, []).append(dispute.number)

    def withdraw(self, number: int, reason: str) -> None:
        """Note that a dispute was given up. Raises KeyError for none of that number."""
        dispute = self.disputes[number]
        self.disputes[number] = replace(dispute, status=WITHDRAWN, command=replace(dispute.command, withdrawn=reason))

    def rule(self, entry: RulingEntry) -> None:
        """Enter a ruling: it answers the dispute it names, else every open one about its plies.

        Raises KeyError where it names a dispute that is not there.
        """
        self._answered(entry, self._answer(entry.dispute) if entry.dispute else self._answer_about(entry.refs))

    def _answered(self, entry: RulingEntry, disputes: Iterable[int]) -> None:
        """Enter a ruling with the disputes it answers."""
        self.rulings[entry.number] = replace(entry, answered=tuple(disputes))

    def revoke(self, number: int) -> RulingEntry:
        """Take a ruling back and return it; what it answered is open again. Raises KeyError for none of that number."""
        entry = self.rulings[number]
        self.rulings[number] = replace(entry, command=replace(entry.command, revoked=True), answered=())
        for dispute in (self.disputes[each] for each in entry.answered):
            self.disputes[dispute.number] = replace(dispute, status=OPEN)
            if dispute.ref is not None:
                self.open.setdefault(dispute.ref, []).append(dispute.number)
        return entry

    def _answer_about(self, refs: Iterable[Ref]) -> tuple[int, ...]:
        about = [number for ref in refs for number in self.open.pop(ref, ())]
        return tuple(answered for number in about for answered in self._answer(number))

    def _answer(self, number: int) -> tuple[int, ...]:
        """Let a dispute that is open be ruled on, and return it."""
        dispute = self.disputes[number]
        if dispute.status != OPEN:
            return ()
        self.disputes[number] = replace(dispute, status=RULED)
        return (number,)

    def moved(self, old: Ref, new: Ref | None) -> None:
        """Let entries follow a ply that is written elsewhere now; None: it is gone."""
        for dispute in [one for one in self.disputes.values() if one.ref == old]:
            self.disputes[dispute.number] = replace(dispute, ref=new)
        still_open = self.open.pop(old, [])
        if new is not None:
            self.open.setdefault(new, []).extend(still_open)
        for entry in [one for one in self.rulings.values() if old in one.refs]:
            refs = (new if ref == old else ref for ref in entry.refs)
            self.rulings[entry.number] = replace(entry, refs=tuple(ref for ref in refs if ref is not None))

    def shifted(self, at: int, replaced: int, new: int) -> None:
        """Let what rulings say the score was up to a ply follow that ply where others in front of it are changed.

        at: the index of the first ply that is replaced; replaced, new: how many go, and how many take their place
        """
        for entry in [one for one in self.rulings.values() if one.after > at]:
            after = entry.after + new - replaced if entry.after >= at + replaced else min(entry.after, at + new)
            self.rulings[entry.number] = replace(entry, after=after)

    def read(self, line: Line, version: int) -> None:
        """Enter what an imported sheet tells of. version: the event that took it in"""
        cited = list(cited_in(line))
        disputes = [one for one in cited if isinstance(one.what, DisputeCommand)]
        labels = {
            -number: one.what.label for number, one in enumerate(disputes, 1) if isinstance(one.what, DisputeCommand)
        }
        named = {label: number for number, label in reversed(labels.items()) if label}
        gone: dict[tuple[int, int, int], list[int]] = {}
        for one in cited:
            if isinstance(one.what, DisputeCommand):
                self._read_dispute(one.what, line.words, version, one)
                if one.gone and not one.what.gone:
                    gone.setdefault((one.ply, one.gone, one.what.ply), []).append(-len(self.disputes))
            else:
                entry = self._read_ruling(one.what, line.words, version, one, named.get(one.what.dispute, 0))
                unnamed = one.gone and not entry.dispute and not one.what.revoked
                for ply in one.what.plies if unnamed else ():
                    for number in gone.pop((one.ply, one.gone, ply), ()):
                        self._answer(number)
        for entry in self.rulings.values():
            if entry.dispute and not entry.command.revoked:
                self._answered(entry, self._answer(entry.dispute))
        for number, dispute in self.disputes.items():
            state = replace(
                dispute.command, ruled=dispute.status == RULED, gone=dispute.ref is None and dispute.command.ply > 0
            )
            self.disputes[number] = replace(dispute, command=state)
        for number, entry in self.rulings.items():
            lost = bool(entry.command.plies) and not entry.refs and entry.command.decision != "void"
            self.rulings[number] = replace(entry, command=replace(entry.command, gone=lost))

    def _read_dispute(self, command: DisputeCommand, words: Sequence[str], version: int, cited: CitedCommand) -> None:
        there = 0 < command.ply <= len(words) and not cited.gone and not command.gone
        ref = (version, command.ply - 1) if there else None
        status = WITHDRAWN if command.withdrawn is not None else RULED if command.ruled else OPEN
        word = words[command.ply - 1] if there else ""
        self.dispute(DisputeEntry(-1 - len(self.disputes), ref, command, word, "", status, cited.written))

    def _read_ruling(
        self, command: RulingCommand, words: Sequence[str], version: int, cited: CitedCommand, dispute: int
    ) -> RulingEntry:
        gone = cited.gone or command.gone or command.decision == "void"
        there = () if gone else tuple((version, ply - 1) for ply in command.plies if ply <= len(words))
        number = -1 - len(self.rulings)
        stood = tuple(words[index] for _, index in there)
        after = len(words) if command.after is None else min(command.after, len(words))
        entry = RulingEntry(number, there, command, dispute, "", cited.written, stood, after=after)
        self._answered(entry, () if dispute or command.revoked else self._answer_about(there))
        return entry


def cites_text(numbers: tuple[int, ...]) -> str:
    """Return which sheets are cited: ``, citing sheet 9``."""
    return f", citing sheet{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}" if numbers else ""
