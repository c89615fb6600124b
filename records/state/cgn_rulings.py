"""Disputes and rulings as the commands of a score sheet, with the numbers its plies have now.

A sheet that shows the log says each of them in full where it was written or where play went on; one that shows only
how the game stands marks what rests on a ruling.
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


def places(book: Book) -> dict[Ref, int]:
    """Return the ply, from 1, that stands where each reference says."""
    return {entry.ref: ply for ply, entry in enumerate(book.plies, 1)}


def stands_by_ruling(book: Book) -> dict[int, str]:
    """Return the plies a ruling lets stand, each with the arbiter."""
    if not book.rulings:
        return {}
    arbiters = {entry.number: entry.command.arbiter for entry in book.rulings}
    return {ply: arbiters[entry.ruling] for ply, entry in enumerate(book.plies, 1) if entry.ruling}


def result_by_ruling(book: Book) -> str | None:
    """Return the arbiter who gave the result, None if nobody did."""
    return next((entry.command.arbiter for entry in book.rulings if entry.number == book.ruling), None)


def in_force(book: Book) -> frozenset[int]:
    """Return the numbers of the rulings because of which the game stands as it does; no later event went past them."""
    standing = {entry.ruling for entry in book.plies}
    held = {"result": (book.ruling,), "stands": standing}
    counted = {entry.number for entry in counting(book)}
    return frozenset(
        entry.number
        for entry in book.rulings
        if entry.number in counted
        or entry.number in held.get(entry.command.decision, ())
        or entry.command.decision in ("void", "revoked")
        or (entry.command.decision == "penalty" and not (entry.command.points or entry.command.revoked))
        or (entry.command.decision == "amended" and entry.refs)
    )


def counting(book: Book) -> tuple[RulingEntry, ...]:
    """Return the rulings that count in the score, in their order; a score stated at the close is the first of them."""
    if not any(entry.command.scores for entry in book.rulings):
        return ()
    entries = [entry for entry in book.rulings if entry.command.scores]
    if book.score:
        closing = RulingCommand(decision="score", score=book.score)
        entries.append(RulingEntry(book.scored, (), closing, 0, "", after=len(book.plies)))
    # Those of an imported sheet stand in the order of its text, which need not be that in which they were given.
    entries.sort(key=lambda entry: (max(entry.number, 0), not entry.command.score))
    last = max((at for at, entry in enumerate(entries) if entry.command.score), default=0)
    return tuple(entries[last:])


def scoring(book: Book) -> tuple[RulingCommand, ...]:
    """Return the rulings that count in the score as they were given, in their order."""
    return tuple(replace(entry.command, after=entry.after) for entry in counting(book))


class RulingCommands:
    """The commands of a book's docket.

    full: each dispute and ruling with all that was said; otherwise marks of the rulings that hold, and no dispute
    """

    def __init__(self, book: Book, full: bool) -> None:
        self.book, self.full = book, full
        self.at: Mapping[Ref, int] = places(book)
        self.disputes = {dispute.number: dispute for dispute in book.disputes}
        self.rulings = {entry.number: entry for entry in book.rulings}
        self.in_force = in_force(book)
        self.counted = {entry.number for entry in counting(book)}
        self.labels = dict(self._labelled()) if full else {}
        # What rulings on several plies answered, though it stands behind them in the text.
        self.answered_ahead = {about for each in book.rulings if _on_several(each) for about in _about(each)}
        self.stale = dict(self._stale())

    def command(self, number: int) -> str:
        """Return what is to be written of a dispute or ruling of this number; empty for nothing."""
        dispute, entry = self.disputes.get(number), self.rulings.get(number)
        if self.full:
            return self._disputed(dispute) if dispute else self._ruled(self.rulings[number])
        if entry is not None and number in self.counted:
            command = replace(self._decided(entry), reason="", penalties=(), keys=(), words=(), old=(), dispute=0)
            return format_ruling(command)
        marks = entry is not None and entry.command.decision != "stands" and number in self.in_force
        return format_short(entry.command) if entry is not None and marks else ""

    def mark(self, ruling: int) -> str:
        """Return the mark of a ply that stands by a ruling; empty where the whole of it is written, and for 0."""
        if not ruling or self.full or self.rulings[ruling].written or ruling in self.counted:
            return ""
        return format_short(self.rulings[ruling].command)

    def renumbered(self, note: Note) -> Note:
        """Return a note of an imported sheet whose disputes and rulings say what has become of them since."""
        then = tuple(self.updated(item) if isinstance(item, str) else item for item in note.then)
        return note if then == note.then else replace(note, then=then)

    def updated(self, text: str) -> str:
        """Return words of an imported sheet, its disputes and rulings with the plies as they are numbered now."""
        return rewritten(text, lambda command: self.stale.get(command.written, command.written))

    def _disputed(self, dispute: DisputeEntry) -> str:
        return format_dispute(self._dispute_command(dispute))

    def _dispute_command(self, dispute: DisputeEntry) -> DisputeCommand:
        ply = self.at[dispute.ref] if dispute.ref else dispute.command.ply
        label, gone = self.labels.get(dispute.number, dispute.command.label), dispute.ref is None and ply > 0
        ahead = (gone and not label) or not self.answered_ahead.isdisjoint(_places(dispute))
        return replace(dispute.command, ply=ply, label=label, ruled=dispute.status == RULED and ahead, gone=gone)

    def _ruled(self, entry: RulingEntry) -> str:
        return format_ruling(self._decided(entry))

    def _decided(self, entry: RulingEntry) -> RulingCommand:
        now = tuple(self.at[ref] for ref in entry.refs)
        label, command = self.labels.get(entry.dispute, entry.command.dispute), entry.command
        if command.decision == "stands":
            standing = tuple(ply for ply in now if self.book.plies[ply - 1].ruling == entry.number)
            read = tuple(self.book.plies[ply - 1].text for ply in now)
            # A ruling that a later one took over is still about the word it was about.
            old = command.old or entry.stood if not standing and read != entry.stood else command.old
            now, old = standing or now, () if standing else old
        else:
            old = command.old if entry.written or command.decision in ("void", "amended") else ()
        gone = bool(command.plies) and not now and command.decision != "void"
        kept = command.kept or 0 < len(entry.refs) < len(command.plies)
        past = command.past or (command.scores and entry.number not in self.counted)
        after = entry.after if command.score and entry.after < len(self.book.plies) else None
        plies, kept = now or command.plies, kept and not gone
        return replace(command, plies=plies, dispute=label, old=old, gone=gone, kept=kept, past=past, after=after)

    def _labelled(self) -> Iterator[tuple[int, int]]:
        """Yield the number and the label of every dispute that a ruling has to name, as no other way tells which."""
        taken = {dispute.command.label for dispute in self.book.disputes}
        sharing: dict[int | Ref, list[DisputeEntry]] = {}
        for dispute in self.book.disputes:
            for place in _places(dispute):
                sharing.setdefault(place, []).append(dispute)
        for entry in self.book.rulings:
            if entry.dispute not in self.disputes:
                continue
            dispute = self.disputes[entry.dispute]
            label = dispute.command.label
            about = [one for place in _about(entry) for one in sharing.get(place, ())[:2]]
            alone = bool(about) and all(one is dispute for one in about)
            if not label and not entry.written and not alone:
                label = abs(dispute.number)
                while label in taken:
                    label += 1000
                taken.add(label)
            yield dispute.number, label

    def _stale(self) -> Iterator[tuple[str, str]]:
        """Yield the commands of an imported sheet that are no longer true, each with what it has to say now.

        Of commands that read alike none is changed unless all are: their order tells which of them holds.
        """
        now: dict[str, set[str]] = {}
        for dispute in self.book.disputes:
            command = self._dispute_command(dispute)
            then = replace(dispute.command, withdrawn=withdrawn_in(dispute.written))
            true = replace(command, ruled=command.ruled or then.ruled) == then
            now.setdefault(dispute.written, set()).add(dispute.written if true else format_dispute(command))
        for entry in self.book.rulings:
            ruling = self._decided(entry)
            numbered = entry.written.removeprefix("[%ruling ")[:1].isdigit()
            true = ruling == (entry.command if numbered else replace(entry.command, plies=ruling.plies))
            now.setdefault(entry.written, set()).add(entry.written if true else format_ruling(ruling))
        for written, texts in now.items():
            if written and len(texts) == 1 and written not in texts:
                yield written, texts.pop()


def _on_several(entry: RulingEntry) -> bool:
    command = entry.command
    return command.decision not in ("void", "amended") and not entry.dispute and bool(command.plies[1:])


def _about(entry: RulingEntry) -> tuple[int | Ref, ...]:
    """Return the plies a ruling is on, by their numbers then and as they are written now."""
    return (*entry.command.plies, *entry.refs)


def _places(dispute: DisputeEntry) -> tuple[int | Ref, ...]:
    """Return the ply a dispute is about, by its number then and as it is written now."""
    return (dispute.command.ply,) if dispute.ref is None else (dispute.command.ply, dispute.ref)
