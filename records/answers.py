"""The answers to commands, a Struct for each kind. Words are in canonical spelling."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import asdict

from cartulary.engine.numbers import how_many
from cartulary.notation import Finding
from cartulary.notation.arbiter.finding import finding_fields
from cartulary.records.log.events import Event


class OpenAnswer(Struct, frozen=True, omit_defaults=True):
    """A game was opened; ``id`` names it from now on, and ``version`` counts the events that opened it.

    ``remarks`` has a sentence for each house rule of the club that this game cannot have; a repeated command gets none.
    """

    id: str
    version: int
    remarks: tuple[str, ...] = ()


class WordAnswer(Struct, frozen=True):
    """What the rules say of a word.

    Attributes:
        id: The id of the game.
        version: The version of the game with the word; if it was not stored, the version of the game as it stands.
        ply: The ply that the word is, or would be.
        text: The word.
        verdict: ``legal``, ``undecided``, ``refused`` or ``unjudged``; ``quiet`` if it is not shown.
        findings: What the rules find.
        stored: False for a refused word that was not let stand, for all words written together with it, and if it was
            only asked what the rules say.
        blocks: True if the word cannot be applied, so that it cannot be let stand.
        typed: A refused word as it was typed, if its canonical spelling says no more; empty otherwise.
    """

    id: str
    version: int
    ply: int
    text: str
    verdict: str
    findings: tuple[Finding, ...]
    stored: bool
    blocks: bool = False
    typed: str = ""

    @property
    def quotation(self) -> str:
        """The word as it is quoted to whoever typed it: in canonical spelling once it is stored, until then as it was
        typed.
        """
        return self.text if self.stored else self.typed or self.text

    @property
    def shown_findings(self) -> tuple[Finding, ...]:
        """The findings to show. If the word is quoted as it was typed, those about its spelling are left out."""
        if self.quotation == self.text:
            return self.findings
        return tuple(finding for finding in self.findings if finding.key != "cgn.mark")


def live_finding_fields(finding: Finding) -> dict[str, object]:
    """Return a finding as fields for JSON, without line and column, which a finding on a live record does not have.

    Fields without a value are among them.
    """
    fields = finding_fields(finding)
    for name in ("line", "column"):
        del fields[name]
    return fields


def word_fields(answer: WordAnswer) -> dict[str, object]:
    """Return id, version, ply, verdict and findings of an answer as fields for JSON; its other attributes are left
    out.
    """
    return {
        "id": answer.id,
        "version": answer.version,
        "ply": answer.ply,
        "verdict": answer.verdict,
        "findings": [live_finding_fields(finding) for finding in answer.findings],
    }


class UndoAnswer(Struct, frozen=True):
    """Plies were taken back: ``words`` are those as the viewer has seen them, in order, and ``plies`` is how many
    remain. Nothing was stored if it was only asked what would change.
    """

    id: str
    version: int
    words: tuple[str, ...]
    plies: int


class RedoAnswer(Struct, frozen=True):
    """Plies were played again: ``words`` are those as the viewer has seen them, in order, and ``plies`` is how many
    there are then. Nothing was stored if it was only asked what would change.
    """

    id: str
    version: int
    words: tuple[str, ...]
    plies: int


class AmendAnswer(Struct, frozen=True, rename={"seat_changes": "passed"}):
    """Plies were corrected, or not if the new words are refused.

    Attributes:
        id: The id of the game.
        version: The version of the game with the correction, whether it was stored or not.
        ply: The first new ply, or the first that was removed.
        old: The words that were replaced.
        words: The new words.
        findings: What the rules say of the new words.
        tail: The first and the last ply after them, (0, 0) for none.
        conflict: The first ply of the tail that the correction broke, 0 for none.
        conflicts: The findings on that ply.
        unread: The first ply of the tail that cannot be applied, from which on nothing is judged; 0 for none.
        before: Findings in the tail that were there already, and what is undecided in it.
        stored: Whether the correction was stored.
        blocks: Whether a new word cannot be applied, so that it cannot be let stand.
        dry: True if it was only asked what would change, and nothing was stored.
        seat_changes: The plies of the tail that now count as another seat's: ply, word, seat before, seat now.
    """

    id: str
    version: int
    ply: int
    old: tuple[str, ...]
    words: tuple[str, ...]
    findings: tuple[Finding, ...]
    tail: tuple[int, int]
    conflict: int
    conflicts: tuple[Finding, ...]
    unread: int
    before: tuple[Finding, ...]
    stored: bool
    blocks: bool = False
    dry: bool = False
    seat_changes: tuple[tuple[int, str, int, int], ...] = ()


def amended_fields(answer: AmendAnswer) -> dict[str, object]:
    """Return all fields of a correction for JSON, named as the attributes of ``AmendAnswer``.

    Its findings have no line and column; ``seat_changes`` is called ``passed`` there.
    """
    fields = asdict(answer)
    for name in ("findings", "conflicts", "before"):
        fields[name] = [live_finding_fields(finding) for finding in fields[name]]
    fields["passed"] = fields.pop("seat_changes")
    return fields


class NoteAnswer(Struct, frozen=True):
    """A ply was annotated: ``text`` follows the word in CGN now, and ``before`` followed it until then. To a seat from
    which cards are hidden, each that is not empty is ``~``.
    """

    id: str
    version: int
    ply: int
    text: str
    before: str = ""


class ClockAnswer(Struct, frozen=True):
    """The time left after a ply was written; ``before`` is the time until then, empty for none."""

    id: str
    version: int
    ply: int
    clock: str
    before: str


class TagAnswer(Struct, frozen=True, omit_defaults=True, rename={"changes": "changed"}):
    """Tags were written or removed.

    Attributes:
        id: The id of the game.
        version: The version of the game then.
        tags: All tags of the sheet now that the viewer may read, without the game's own.
        changes: What has changed in the set-up, and in a deal that was only scored, Score and Result included: a tag,
            its old value and its new one, empty if there is none.
    """

    id: str
    version: int
    tags: tuple[tuple[str, str], ...]
    changes: tuple[tuple[str, str, str], ...] = ()


class CloseAnswer(Struct, frozen=True):
    """The game was closed, or opened again with an empty result."""

    id: str
    version: int
    result: str
    termination: str


class LogLine(Struct, frozen=True):
    """An event as the log shows it.

    Attributes:
        version: Its number in the game.
        at: When it was written, UTC.
        by: Who wrote it.
        kind: Its topic without the number of the schema.
        says: The event in words.
        event: The event itself.
        digest: Its digest, in hex.
    """

    version: int
    at: str
    by: str
    kind: str
    says: str
    event: Event
    digest: str


# --- how the plies after a correction stand ---

MOST_PLIES = 8
"""How many plies are named one by one; the others are counted."""


def tail_lines(answer: AmendAnswer) -> Iterator[str]:
    """Yield lines on the plies after a correction: their new numbers, which are now another seat's, how they stand.

    If the correction broke some of these plies, the last line names the first of them, and ``answer.conflicts`` are the
    findings on it. Nothing is yielded if no ply follows the correction.
    """
    moved = len(answer.words) - len(answer.old)
    if answer.stored and answer.tail[0] and moved:
        first, last = answer.tail
        verb = "would be" if answer.dry else "is now" if first == last else "are now"
        plies = "ply" if first == last else "plies"
        yield f"{plies} {_span(first - moved, last - moved)} {verb} {_span(first, last)}"
    for ply, word, before, now in answer.seat_changes[:MOST_PLIES]:
        yield f"ply {ply}, {word}, is now p{now}'s instead of p{before}'s"
    if len(answer.seat_changes) > MOST_PLIES:
        yield f"{how_many(len(answer.seat_changes) - MOST_PLIES, 'more ply is', 'more plies are')} now another seat's"
    if answer.conflict:
        yield f"first conflict at ply {answer.conflict}{_unread(answer)}"
    elif answer.stored and answer.tail[0]:
        yield _tail(answer)


def _tail(answer: AmendAnswer) -> str:
    """Return how the plies after a correction that broke none of them stand, as a sentence without a full stop.

    That is ``plies 5–9 are still legal``, or ``plies 5–9 are as before``, followed by at most ``MOST_PLIES`` of the
    findings that were there already, and from which ply on nothing is judged. The correction must have a tail.
    """
    first, last = answer.tail
    plies = f"plies {_span(first, last)} are" if last > first else f"ply {first} is"
    if not answer.before and not answer.unread:
        return f"{plies} still legal"
    says = {"error": "still breaks", "undecided": "leaves open"}
    known = [f"ply {found.ply} {says[found.severity]} {found.key}" for found in answer.before[:MOST_PLIES]]
    known += [f"and {len(answer.before) - MOST_PLIES} more"] if len(answer.before) > MOST_PLIES else []
    return f"{plies} as before{': ' if known else ''}{', '.join(known)}{_unread(answer)}"


def _span(first: int, last: int) -> str:
    """Return plies as a range, such as ``3–5``, or the one number if both are the same."""
    return f"{first}–{last}" if last > first else str(first)


def _unread(answer: AmendAnswer) -> str:
    """Return from which ply on nothing could be judged, as the end of a sentence: ``; unread from ply 7 on``.

    It is empty if all plies were judged.
    """
    return f"; unread from ply {answer.unread} on" if answer.unread else ""
