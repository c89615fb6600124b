"""The arbiter's docket: the disputes and rulings of a record, followed through every correction of its plies.

A dispute or ruling refers to plies by the events that wrote them. If a ply is corrected, the entry refers to its new
word; if it is taken back, removed or made void, the entry keeps only the number that it had.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated as Field
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from cartulary.notation.arbiter.ruling_commands import CitedCommand, DisputeCommand, RulingCommand, cited_in
from cartulary.notation.cgn.record import Line
from cartulary.notation.cgn.result import points_in
from cartulary.records.log.fields import ENTRY, UNTOLD, Free, Name, Public, Secret

Ref: TypeAlias = tuple[int, int]
"""The event (its version) that wrote a ply, and the word inside that event."""

OPEN, WITHDRAWN, RULED = "open", "withdrawn", "ruled"


class DisputeEntry(Struct, frozen=True):
    """A dispute in the docket.

    Attributes:
        number: The event that raised it; -1, -2 and so on for those of an imported sheet, in the order of its text.
        ref: The reference of its ply now; None for the whole game and for a ply that is gone.
        command: The dispute, with the ply it was about when it was raised.
        word: The word that stood there.
        at: When it was raised; empty on an imported sheet.
        status: ``open``, ``withdrawn`` or ``ruled``.
        sheet_text: The command on the imported sheet; empty if an event raised it.
    """

    number: int
    ref: Ref | None
    command: DisputeCommand
    word: str
    at: str
    status: str = OPEN
    sheet_text: str = ""


class RulingEntry(Struct, frozen=True):
    """A ruling in the docket.

    Attributes:
        number: The event that holds it; -1, -2 and so on for those of an imported sheet, in the order of its text.
        refs: The references of its plies now, without those that are gone.
        command: The ruling, with its plies and their words at that time.
        dispute: The number of the dispute that it answers, 0 if it names none.
        at: When it was given; empty on an imported sheet.
        sheet_text: The command on the imported sheet; empty if an event gave it.
        sheet_words: The words of its plies on the imported sheet.
        answers: The numbers of the disputes that it answered.
        revokes: The number of the ruling that it takes back, 0 for none.
        after: How many plies there were when it was given, counted as plies are now.
    """

    number: int
    refs: tuple[Ref, ...]
    command: RulingCommand
    dispute: int
    at: str
    sheet_text: str = ""
    sheet_words: tuple[str, ...] = ()
    answers: tuple[int, ...] = ()
    revokes: int = 0
    after: int = 0


class PlacedDispute(Struct, frozen=True):
    """A ``Dispute`` and the ply that it is about.

    Attributes:
        number: The event that raised it; -1, -2 and so on for those of a sheet, in the order of its text.
        ply: The ply as plies are numbered now; 0 for the whole game, and for a ply that is gone.
        word: The word that stood there.
        by: Who raised it, ``p1`` and so on, or a name.
        claim: What is wrong, in free words.
        at: When it was raised; empty on a sheet.
        status: ``open``, ``withdrawn`` or ``ruled``.
        ply_then: The ply as plies were numbered when it was raised, 0 for the whole game.
        reason: Why it was withdrawn.
        cites: The sheets that are to prove it, by the events that kept them.
    """

    number: Field[int, Public(refers=ENTRY)]
    ply: Field[int, Public()]
    word: Field[str, Secret(instead=UNTOLD)]
    by: Field[str, Name()]
    claim: Field[str, Free(always=True)]
    at: Field[str, Public()]
    status: Field[str, Public()]
    ply_then: Field[int, Public()] = field(default=0, name="then")
    reason: Field[str, Free()] = ""
    cites: Field[tuple[int, ...], Public(refers=ENTRY)] = ()


class PlacedRuling(Struct, frozen=True):
    """A ``Ruling``, the plies that it is on, and whether it is in force. The fields not listed are those of ``Ruling``.

    Attributes:
        number: The event that holds it; -1, -2 and so on for those of a sheet, in the order of its text.
        plies: Its plies as they are numbered now; empty for the whole game, and if they are gone.
        dispute: The number of the dispute that it answers, 0 if it names none.
        at: When it was given; empty on a sheet.
        plies_then: Its plies as they were numbered when it was given.
        old: The words of those plies at that time.
        holds: Whether the game stands as it does because of it.
        revokes: The number of the ruling that it takes back, 0 for none.
    """

    number: Field[int, Public(refers=ENTRY)]
    plies: Field[tuple[int, ...], Public()]
    arbiter: Field[str, Name(role="arbiter")]
    decision: Field[str, Public()]
    words: Field[tuple[str, ...], Secret(instead=UNTOLD)]
    penalties: Field[tuple[tuple[int, str], ...], Free()]
    result: Field[str, Public()]
    keys: Field[tuple[str, ...], Public()]
    dispute: Field[int, Public(refers=ENTRY)]
    reason: Field[str, Free()]
    at: Field[str, Public()]
    plies_then: Field[tuple[int, ...], Public()] = field(default=(), name="then")
    old: Field[tuple[str, ...], Secret(instead=UNTOLD)] = ()
    holds: Field[bool, Public()] = True
    points: Field[tuple[tuple[int, str], ...], Public(numeric=points_in)] = ()
    score: Field[str, Public(numeric=points_in)] = ""
    revokes: Field[int, Public(refers=ENTRY)] = 0
    cites: Field[tuple[int, ...], Public(refers=ENTRY)] = ()


class TimeCorrection(Struct, frozen=True):
    """A corrected time, with the ply as it stands now.

    Attributes:
        number: The event that corrected it.
        ply: The ply.
        word: Its word.
        time_left: The new time left.
        was: The time until then.
        by: Who corrected it.
        reason: Why.
        at: When.
    """

    number: Field[int, Public(refers=ENTRY)]
    ply: Field[int, Public()]
    word: Field[str, Secret(instead=UNTOLD)]
    time_left: Field[str, Public()] = field(name="left")
    was: Field[str, Public()]
    by: Field[str, Name()]
    reason: Field[str, Free()]
    at: Field[str, Public()]


class Docket:
    """The docket while a book is built: entries by number, in the order they were made.

    Args:
        disputes: Disputes entered before, in their order.
        rulings: Rulings entered before, in their order.
    """

    def __init__(self, disputes: Iterable[DisputeEntry] = (), rulings: Iterable[RulingEntry] = ()) -> None:
        self.disputes = {dispute.number: dispute for dispute in disputes}
        self.rulings = {entry.number: entry for entry in rulings}
        self.open: dict[Ref, list[int]] = {}
        for dispute in self.disputes.values():
            if dispute.status == OPEN and dispute.ref is not None:
                self.open.setdefault(dispute.ref, []).append(dispute.number)

    def dispute(self, dispute: DisputeEntry) -> None:
        """Enter a dispute under its number; a later ruling on its ply, if it has one, answers it while its status is
        ``open``.
        """
        self.disputes[dispute.number] = dispute
        if dispute.ref is not None:
            self.open.setdefault(dispute.ref, []).append(dispute.number)

    def withdraw(self, number: int, reason: str) -> None:
        """Mark the dispute of this number as withdrawn, with the reason; a later ruling on its ply leaves it so.

        Raises KeyError if there is none.
        """
        dispute = self.disputes[number]
        self.disputes[number] = replace(dispute, status=WITHDRAWN, command=replace(dispute.command, withdrawn=reason))

    def rule(self, entry: RulingEntry) -> None:
        """Enter a ruling: it answers the dispute that it names, otherwise every open dispute about its plies.

        The disputes that it answers are marked as ruled, and their numbers are stored with it. One that is not open any
        more stays as it is and is not among them.

        Raises:
            KeyError: It names a dispute that is not there.
        """
        self._enter_ruling(
            entry, self._answer_dispute(entry.dispute) if entry.dispute else self._answer_plies(entry.refs)
        )

    def _enter_ruling(self, entry: RulingEntry, disputes: Iterable[int]) -> None:
        """Store a ruling under its number, together with the numbers of the disputes that it answers. No dispute
        changes.
        """
        self.rulings[entry.number] = replace(entry, answers=tuple(disputes))

    def revoke(self, number: int) -> RulingEntry:
        """Mark a ruling as revoked, reopen the disputes that it answered, and return it as it was before.

        What it did to plies and to the result is not undone here. Raises KeyError if there is no ruling of this number.
        """
        entry = self.rulings[number]
        self.rulings[number] = replace(entry, command=replace(entry.command, revoked=True), answers=())
        for dispute in (self.disputes[each] for each in entry.answers):
            self.disputes[dispute.number] = replace(dispute, status=OPEN)
            if dispute.ref is not None:
                self.open.setdefault(dispute.ref, []).append(dispute.number)
        return entry

    def _answer_plies(self, refs: Iterable[Ref]) -> tuple[int, ...]:
        """Mark every open dispute about these plies as ruled, and return their numbers, ply by ply; empty if there are
        none.
        """
        numbers = [number for ref in refs for number in self.open.pop(ref, ())]
        return tuple(dispute for number in numbers for dispute in self._answer_dispute(number))

    def _answer_dispute(self, number: int) -> tuple[int, ...]:
        """Mark a dispute as ruled if it is open, and return its number as the only one; empty if it was not open.

        Raises KeyError if there is no dispute of this number.
        """
        dispute = self.disputes[number]
        if dispute.status != OPEN:
            return ()
        self.disputes[number] = replace(dispute, status=RULED)
        return (number,)

    def move(self, old: Ref, new: Ref | None) -> None:
        """Let the disputes and rulings about a ply refer to its new word, or to no ply if it is gone.

        Args:
            old: The reference they have: an event number and the place of the word in it.
            new: The reference they get; None if the ply is gone.
        """
        for dispute in [one for one in self.disputes.values() if one.ref == old]:
            self.disputes[dispute.number] = replace(dispute, ref=new)
        still_open = self.open.pop(old, [])
        if new is not None:
            self.open.setdefault(new, []).extend(still_open)
        for entry in [one for one in self.rulings.values() if old in one.refs]:
            refs = (new if ref == old else ref for ref in entry.refs)
            self.rulings[entry.number] = replace(entry, refs=tuple(ref for ref in refs if ref is not None))

    def about(
        self, refs: Collection[Ref]
    ) -> tuple[tuple[tuple[int, Ref], ...], tuple[tuple[int, tuple[Ref, ...]], ...]]:
        """Return the disputes and the rulings about any of these plies, for ``put_back``.

        Args:
            refs: The references of the plies: event number and place of the word in it.

        Returns:
            Pairs of a dispute's number and its ply, and pairs of a ruling's number and all its plies, also those not
            asked for.
        """
        disputes = tuple((each.number, each.ref) for each in self.disputes.values() if each.ref in refs and each.ref)
        rulings = ((each.number, each.refs) for each in self.rulings.values() if not set(each.refs).isdisjoint(refs))
        return disputes, tuple(rulings)

    def put_back(self, disputes: Iterable[tuple[int, Ref]], rulings: Iterable[tuple[int, tuple[Ref, ...]]]) -> None:
        """Let disputes and rulings refer to their plies again, as ``about`` returned them before the plies were taken
        back.

        Raises:
            KeyError: There is no dispute or ruling of such a number.
        """
        for number, ref in disputes:
            dispute = replace(self.disputes[number], ref=ref)
            self.disputes[number] = dispute
            if dispute.status == OPEN:
                self.open.setdefault(ref, []).append(number)
        for number, refs in rulings:
            self.rulings[number] = replace(self.rulings[number], refs=refs)

    def shift_counts(self, index: int, old_count: int, new_count: int) -> None:
        """Correct ``after`` of each ruling, the number of plies when it was given, once plies were replaced by more or
        fewer.

        A ruling given before the first replaced ply keeps its number; one given among the replaced plies counts at most
        the new ones.

        Args:
            index: The index of the first replaced ply, from 0.
            old_count: How many plies were removed.
            new_count: How many took their place.
        """
        for entry in [one for one in self.rulings.values() if one.after > index]:
            after = (
                entry.after + new_count - old_count
                if entry.after >= index + old_count
                else min(entry.after, index + new_count)
            )
            self.rulings[entry.number] = replace(entry, after=after)

    def read_sheet(self, line: Line, version: int) -> None:
        """Enter the disputes and rulings in the comments of an imported sheet, numbered -1, -2 and so on, each kind for
        itself.

        Each is marked as open, withdrawn, ruled, revoked or gone, as the sheet says and as it follows from the rulings.

        Args:
            line: The main line of the sheet, with its words and notes.
            version: The number of the event that imported it; the plies are referred to by it.
        """
        cited = list(cited_in(line))
        disputes = [citation for citation in cited if isinstance(citation.what, DisputeCommand)]
        labels = {
            -number: citation.what.label
            for number, citation in enumerate(disputes, 1)
            if isinstance(citation.what, DisputeCommand)
        }
        number_by_label = {label: number for number, label in reversed(labels.items()) if label}
        removed_disputes: dict[tuple[int, int, int], list[int]] = {}
        for citation in cited:
            if isinstance(citation.what, DisputeCommand):
                self._read_dispute(citation.what, line.words, version, citation)
                if citation.removal and not citation.what.gone:
                    removed_disputes.setdefault((citation.ply, citation.removal, citation.what.ply), []).append(
                        -len(self.disputes)
                    )
            else:
                entry = self._read_ruling(
                    citation.what, line.words, version, citation, number_by_label.get(citation.what.dispute, 0)
                )
                unnamed = citation.removal and not entry.dispute and not citation.what.revoked
                for ply in citation.what.plies if unnamed else ():
                    for number in removed_disputes.pop((citation.ply, citation.removal, ply), ()):
                        self._answer_dispute(number)
        for entry in self.rulings.values():
            if entry.dispute and not entry.command.revoked:
                self._enter_ruling(entry, self._answer_dispute(entry.dispute))
        for number, dispute in self.disputes.items():
            state = replace(
                dispute.command, ruled=dispute.status == RULED, gone=dispute.ref is None and dispute.command.ply > 0
            )
            self.disputes[number] = replace(dispute, command=state)
        for number, entry in self.rulings.items():
            is_gone = bool(entry.command.plies) and not entry.refs and entry.command.decision != "void"
            self.rulings[number] = replace(entry, command=replace(entry.command, gone=is_gone))

    def _read_dispute(
        self, command: DisputeCommand, words: Sequence[str], version: int, citation: CitedCommand
    ) -> None:
        """Enter a dispute of a sheet with the next number below 0; it has a ply only if that is still on the sheet.

        Args:
            command: The dispute as it is written.
            words: All words of the sheet.
            version: The number of the importing event.
            citation: Where the command stands, and whether its ply was removed after it.
        """
        stands = 0 < command.ply <= len(words) and not citation.removal and not command.gone
        ref = (version, command.ply - 1) if stands else None
        status = WITHDRAWN if command.withdrawn is not None else RULED if command.ruled else OPEN
        word = words[command.ply - 1] if stands else ""
        self.dispute(DisputeEntry(-1 - len(self.disputes), ref, command, word, "", status, citation.source))

    def _read_ruling(
        self, command: RulingCommand, words: Sequence[str], version: int, citation: CitedCommand, dispute: int
    ) -> RulingEntry:
        """Enter a ruling of a sheet with the next number below 0 and the disputes that it answers, and return it.

        It has no plies if they were removed, or if it made them void itself.

        Args:
            command: The ruling as it is written.
            words: All words of the sheet.
            version: The number of the importing event.
            citation: Where the command stands, and whether its plies were removed after it.
            dispute: The number of the dispute that it names, 0 if it answers all open ones on its plies. A dispute that
                it names is not marked here.
        """
        gone = citation.removal or command.gone or command.decision == "void"
        refs = () if gone else tuple((version, ply - 1) for ply in command.plies if ply <= len(words))
        number = -1 - len(self.rulings)
        sheet_words = tuple(words[index] for _, index in refs)
        after = len(words) if command.after is None else min(command.after, len(words))
        entry = RulingEntry(number, refs, command, dispute, "", citation.source, sheet_words, after=after)
        self._enter_ruling(entry, () if dispute or command.revoked else self._answer_plies(refs))
        return entry


def cites_text(numbers: tuple[int, ...]) -> str:
    """Return the sheets that are cited, as the end of a phrase: ``, citing sheets 9, 12``; empty for none.

    A sheet is named by the number of the event that stored it.
    """
    return f", citing sheet{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}" if numbers else ""
