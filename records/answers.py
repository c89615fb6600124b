"""What the desk answers, one Struct for each thing that can be asked. Words are in canonical spelling."""

from msgspec import Struct
from msgspec.structs import asdict

from cartulary.notation import Finding
from cartulary.notation.arbiter.finding import finding_fields
from cartulary.records.log.events import Event


class Opened(Struct, frozen=True):
    """A game was opened. id: what to call it from now on."""

    id: str
    version: int


class WordAnswer(Struct, frozen=True):
    """What the rules say of one word. version, ply: where it stands, or would stand.

    verdict: legal, undecided, refused or unjudged; quiet where it is not told
    stored: false for a refused word that was not let stand, and for all words written with it
    blocks: the word cannot be applied, so it cannot be let stand either
    typed: a refused word as it was typed, where its one spelling means no more than that; empty otherwise
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
    def quoted(self) -> str:
        """The word as it is quoted to who typed it: in its one spelling once it is written."""
        return self.text if self.stored else self.typed or self.text

    @property
    def told(self) -> tuple[Finding, ...]:
        """The findings; of a word that is quoted as it was typed, none on how it is spelled."""
        if self.quoted == self.text:
            return self.findings
        return tuple(found for found in self.findings if found.key != "cgn.mark")


def found_fields(finding: Finding) -> dict[str, object]:
    """Return every field of a finding on a live record, empty ones too, but for the places such a one has none of."""
    fields = finding_fields(finding)
    for name in ("line", "column"):
        del fields[name]
    return fields


def word_fields(answer: WordAnswer) -> dict[str, object]:
    """Return an answer as JSON has it."""
    return {
        "id": answer.id,
        "version": answer.version,
        "ply": answer.ply,
        "verdict": answer.verdict,
        "findings": [found_fields(found) for found in answer.findings],
    }


class TakenBack(Struct, frozen=True):
    """Plies were taken back. words: those, in order; plies: how many remain."""

    id: str
    version: int
    words: tuple[str, ...]
    plies: int


class Amended(Struct, frozen=True):
    """Plies were corrected; or not, where the new words are refused.

    ply: the first new one, or the first that was removed; old, words: what stood there and what stands there now
    findings: on the new words; tail: first and last ply behind them, (0, 0) for none
    conflict: the first ply of the tail that the correction broke, 0 while it broke none
    conflicts: the findings on that ply
    unread: the first ply of the tail that cannot be applied, so that nothing from there on is judged; 0 for none
    before: what the tail held against the rules already, and what is undecided in it
    passed: the plies of the tail that another seat is taken to have played since: ply, word, seat before and seat now
    dry: it was only asked what would change, and nothing was stored
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
    passed: tuple[tuple[int, str, int, int], ...] = ()


def amended_fields(answer: Amended) -> dict[str, object]:
    """Return every field of a correction, its findings as ``found_fields`` has them."""
    fields = asdict(answer)
    for name in ("findings", "conflicts", "before"):
        fields[name] = [found_fields(found) for found in fields[name]]
    return fields


class Noted(Struct, frozen=True):
    """A ply's annotation was written. text, before: what stands behind the word now and stood there, as CGN."""

    id: str
    version: int
    ply: int
    text: str
    before: str = ""


class Timed(Struct, frozen=True):
    """The time left after a ply was written. before: what stood there, empty for none."""

    id: str
    version: int
    ply: int
    clock: str
    before: str


class Tagged(Struct, frozen=True, omit_defaults=True):
    """Tags were written or taken away. tags: all the tags of the sheet that are not the game's own, now.

    changed: what is not as it was of a deal that was only scored: a tag, what it said and what it says, empty where it
        is not there; Score and Result among them
    """

    id: str
    version: int
    tags: tuple[tuple[str, str], ...]
    changed: tuple[tuple[str, str, str], ...] = ()


class Closed(Struct, frozen=True):
    """The game was closed; or opened again, with an empty result."""

    id: str
    version: int
    result: str
    termination: str


class LogLine(Struct, frozen=True):
    """One event as the log shows it. kind: its topic without the schema number; says: the event in words."""

    version: int
    at: str
    by: str
    kind: str
    says: str
    event: Event
    digest: str
