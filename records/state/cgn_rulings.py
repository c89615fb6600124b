"""Disputes and rulings as the commands of a score sheet, with the numbers that its plies have now.

A sheet that shows the log has each of them in full, where it was written or where play went on. A sheet that shows only
how the game stands marks what depends on a ruling.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from cartulary.notation import Note
from cartulary.notation.arbiter.ruling_commands import (
    DisputeCommand,
    RulingCommand,
    format_dispute,
    format_ruling,
    format_short,
    withdrawn_in,
)
from cartulary.notation.cgn.commands import rewritten
from cartulary.records.state.book import Book
from cartulary.records.state.docket import RULED, DisputeEntry, Ref, RulingEntry


def plies_by_ref(book: Book) -> dict[Ref, int]:
    """Return the number of each ply, from 1, by its reference: the number of its event and the place of the word in
    that.
    """
    return {entry.ref: ply for ply, entry in enumerate(book.plies, 1)}


def arbiters_of_plies(book: Book) -> dict[int, str]:
    """Return the name of the arbiter for each ply that a ruling lets stand, by the number of the ply, from 1."""
    if not book.rulings:
        return {}
    arbiters = {entry.number: entry.command.arbiter for entry in book.rulings}
    return {ply: arbiters[entry.ruling] for ply, entry in enumerate(book.plies, 1) if entry.ruling}


def arbiter_of_result(book: Book) -> str | None:
    """Return the name of the arbiter whose ruling gave the result; None if the result, if any, is not by a ruling."""
    return next((entry.command.arbiter for entry in book.rulings if entry.number == book.ruling), None)


def rulings_in_force(book: Book) -> frozenset[int]:
    """Return the numbers of the rulings because of which the game stands as it does now.

    These are the rulings that count in the score; one that lets a ply stand or gave the result, if no later event took
    that over; one that amended plies of which some are left; a penalty without points that was not revoked; and always
    those that made plies void or revoked another ruling.
    """
    standing = {entry.ruling for entry in book.plies}
    marked_rulings = {"result": (book.ruling,), "stands": standing}
    scoring_numbers = {entry.number for entry in scoring_entries(book)}
    return frozenset(
        entry.number
        for entry in book.rulings
        if entry.number in scoring_numbers
        or entry.number in marked_rulings.get(entry.command.decision, ())
        or entry.command.decision in ("void", "revoked")
        or (entry.command.decision == "penalty" and not (entry.command.points or entry.command.revoked))
        or (entry.command.decision == "amended" and entry.refs)
    )


def scoring_entries(book: Book) -> tuple[RulingEntry, ...]:
    """Return the rulings that count in the score, in their order: the last that set the score, and those after it.

    All count if none set it, but only changed the points of seats. A score that was stated when the game was closed
    counts as a ruling too. Empty if no ruling touches the score; a revoked one does not.
    """
    if not any(entry.command.scores for entry in book.rulings):
        return ()
    entries = [entry for entry in book.rulings if entry.command.scores]
    if book.score:
        closing = RulingCommand(decision="score", score=book.score)
        entries.append(RulingEntry(book.score_event, (), closing, 0, "", after=len(book.plies)))
    # Those of an imported sheet stand in the order of its text, which need not be that in which they were given.
    entries.sort(key=lambda entry: (max(entry.number, 0), not entry.command.score))
    last = max((at for at, entry in enumerate(entries) if entry.command.score), default=0)
    return tuple(entries[last:])


def scoring_rulings(book: Book) -> tuple[RulingCommand, ...]:
    """Return the rulings that count in the score as commands, in their order, each with the number of plies it was
    given after.

    They are those of ``scoring_entries``.
    """
    return tuple(replace(entry.command, after=entry.after) for entry in scoring_entries(book))


class RulingCommands:
    """The commands that a sheet has for the docket of a book.

    Args:
        book: The book.
        full: True for all disputes and rulings with everything that was said; False for marks of the rulings in force.
    """

    def __init__(self, book: Book, full: bool) -> None:
        self.book, self.full = book, full
        self.at: Mapping[Ref, int] = plies_by_ref(book)
        self.disputes = {dispute.number: dispute for dispute in book.disputes}
        self.rulings = {entry.number: entry for entry in book.rulings}
        self.in_force = rulings_in_force(book)
        self.scoring = {entry.number for entry in scoring_entries(book)}
        self.labels = dict(self._labels()) if full else {}
        # Disputes about these plies are answered by a ruling on several plies that stands before them in the text.
        self.answered_later = {
            about for each in book.rulings if _is_on_several(each) for about in _plies_of_ruling(each)
        }
        self.rewrites = dict(self._stale_commands())

    def command(self, number: int) -> str:
        """Return the command in brackets for the dispute or ruling of this number; empty if the sheet shows none.

        A sheet with the log has every dispute and ruling in full. Any other has no disputes; of a ruling in the score
        it has what it does to that, of another one in force the short mark. A ruling that lets plies stand has its mark
        by ``mark``.

        Raises:
            KeyError: The sheet has the log, and there is neither a dispute nor a ruling of this number.
        """
        dispute, entry = self.disputes.get(number), self.rulings.get(number)
        if self.full:
            return self._dispute_text(dispute) if dispute else self._ruling_text(self.rulings[number])
        if entry is not None and number in self.scoring:
            command = replace(
                self._ruling_command(entry), reason="", penalties=(), keys=(), words=(), old=(), dispute=0
            )
            return format_ruling(command)
        marks = entry is not None and entry.command.decision != "stands" and number in self.in_force
        return format_short(entry.command) if entry is not None and marks else ""

    def mark(self, ruling: int) -> str:
        """Return the short mark of a ply that this ruling lets stand: ``[%ruling stands, arbiter: C. Umpire]``.

        Empty for 0, and if the ruling is written in full elsewhere: with the log, in the comments of the imported
        sheet, or because it counts in the score.
        """
        if not ruling or self.full or self.rulings[ruling].sheet_text or ruling in self.scoring:
            return ""
        return format_short(self.rulings[ruling].command)

    def renumber_note(self, note: Note) -> Note:
        """Return a note in which the dispute and ruling commands of an imported sheet have the numbers their plies have
        now.

        Their other fields, such as ``ruled`` and ``gone``, are brought up to date too. The same note is returned if
        nothing changes.
        """
        items = tuple(self.renumber_text(item) if isinstance(item, str) else item for item in note.items)
        return note if items == note.items else replace(note, items=items)

    def renumber_text(self, text: str) -> str:
        """Return a comment in which the dispute and ruling commands of an imported sheet say how they stand now.

        They have the numbers that their plies have now; commands that are still true, and all other text, stay as they
        are.
        """
        return rewritten(text, lambda command: self.rewrites.get(command.source, command.source))

    def _dispute_text(self, dispute: DisputeEntry) -> str:
        """Return a dispute as a command in full, with the number its ply has now: ``[%dispute 21 by=p2 "p3 had a
        spade"]``.
        """
        return format_dispute(self._dispute_command(dispute))

    def _dispute_command(self, dispute: DisputeEntry) -> DisputeCommand:
        """Return a dispute as a command with the number its ply has now; if the ply is gone, with its old number and
        marked as gone.

        It gets a label, a number by which a ruling names it, if one has to, and is marked as ruled if the text of the
        ruling stands before it.
        """
        ply = self.at[dispute.ref] if dispute.ref else dispute.command.ply
        label, gone = self.labels.get(dispute.number, dispute.command.label), dispute.ref is None and ply > 0
        ahead = (gone and not label) or not self.answered_later.isdisjoint(_ply_of_dispute(dispute))
        return replace(dispute.command, ply=ply, label=label, ruled=dispute.status == RULED and ahead, gone=gone)

    def _ruling_text(self, entry: RulingEntry) -> str:
        """Return a ruling as a command in full, with the numbers its plies have now: ``[%ruling 21 stands arbiter=Ada
        "misheard"]``.
        """
        return format_ruling(self._ruling_command(entry))

    def _ruling_command(self, entry: RulingEntry) -> RulingCommand:
        """Return a ruling as a command with the numbers its plies have now and with what the sheet has to say of its
        state.

        The state: whether all of its plies are gone (then it has their old numbers), only some are left, or a later
        ruling has set the score; the old words of plies that it changed; and after how many plies it set the score. A
        ruling that lets plies stand names only those that it still lets stand, or all that are left if there are none.
        """
        now = tuple(self.at[ref] for ref in entry.refs)
        label, command = self.labels.get(entry.dispute, entry.command.dispute), entry.command
        if command.decision == "stands":
            standing = tuple(ply for ply in now if self.book.plies[ply - 1].ruling == entry.number)
            words = tuple(self.book.plies[ply - 1].text for ply in now)
            # A ruling that a later one took over is still about the word it was about.
            old = command.old or entry.sheet_words if not standing and words != entry.sheet_words else command.old
            now, old = standing or now, () if standing else old
        else:
            old = command.old if entry.sheet_text or command.decision in ("void", "amended") else ()
        gone = bool(command.plies) and not now and command.decision != "void"
        kept = command.kept or 0 < len(entry.refs) < len(command.plies)
        past = command.past or (command.scores and entry.number not in self.scoring)
        after = entry.after if command.score and entry.after < len(self.book.plies) else None
        plies, kept = now or command.plies, kept and not gone
        return replace(command, plies=plies, dispute=label, old=old, gone=gone, kept=kept, past=past, after=after)

    def _labels(self) -> Iterator[tuple[int, int]]:
        """Yield the number and the label of each dispute that a ruling names by number.

        The label is the number by which the sheet's ruling names the dispute; 0 if the ply of the ruling says which is
        meant. New labels are numbers that no other dispute of the book has.
        """
        labels_in_use = {dispute.command.label for dispute in self.book.disputes}
        disputes_by_place: dict[int | Ref, list[DisputeEntry]] = {}
        for dispute in self.book.disputes:
            for place in _ply_of_dispute(dispute):
                disputes_by_place.setdefault(place, []).append(dispute)
        for entry in self.book.rulings:
            if entry.dispute not in self.disputes:
                continue
            dispute = self.disputes[entry.dispute]
            label = dispute.command.label
            about = [other for place in _plies_of_ruling(entry) for other in disputes_by_place.get(place, ())[:2]]
            alone = bool(about) and all(other is dispute for other in about)
            if not label and not entry.sheet_text and not alone:
                label = abs(dispute.number)
                while label in labels_in_use:
                    label += 1000
                labels_in_use.add(label)
            yield dispute.number, label

    def _stale_commands(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of a command of an imported sheet that is not true any more and the command to write in its
        place.

        Commands with the same text are changed only if all change alike: their order says which of them holds.
        """
        now: dict[str, set[str]] = {}
        for dispute in self.book.disputes:
            command = self._dispute_command(dispute)
            original = replace(dispute.command, withdrawn=withdrawn_in(dispute.sheet_text))
            unchanged = replace(command, ruled=command.ruled or original.ruled) == original
            now.setdefault(dispute.sheet_text, set()).add(dispute.sheet_text if unchanged else format_dispute(command))
        for entry in self.book.rulings:
            ruling = self._ruling_command(entry)
            numbered = entry.sheet_text.removeprefix("[%ruling ")[:1].isdigit()
            unchanged = ruling == (entry.command if numbered else replace(entry.command, plies=ruling.plies))
            now.setdefault(entry.sheet_text, set()).add(entry.sheet_text if unchanged else format_ruling(ruling))
        for sheet_text, texts in now.items():
            if sheet_text and len(texts) == 1 and sheet_text not in texts:
                yield sheet_text, texts.pop()


def _is_on_several(entry: RulingEntry) -> bool:
    """Say whether a ruling names no dispute and is on two or more plies that it leaves as they are (neither void nor
    amended).
    """
    command = entry.command
    return command.decision not in ("void", "amended") and not entry.dispute and bool(command.plies[1:])


def _plies_of_ruling(entry: RulingEntry) -> tuple[int | Ref, ...]:
    """Return the plies of a ruling: first the numbers they had when it was given, then their references now.

    A reference is an event number and the place of the word in it. Plies that are gone have no reference any more.
    """
    return (*entry.command.plies, *entry.refs)


def _ply_of_dispute(dispute: DisputeEntry) -> tuple[int | Ref, ...]:
    """Return the number that the ply of a dispute had when it was raised, 0 for the game, and then its reference now.

    The reference, an event number and the place of the word in it, is left out if the ply is gone.
    """
    return (dispute.command.ply,) if dispute.ref is None else (dispute.command.ply, dispute.ref)
