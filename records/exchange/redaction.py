"""Redaction: an export that leaves names out, and is proved by the same chain and head as the whole one.

A body left out has its hash in its place (``records.log.chain``). Only bodies that hold no move and carry salt can be:
the hash of a salted body confirms no guess at it. What else somebody wrote freely stays, since moves stand in the same
body; it is listed, and searched for the names that were left out. Each field says itself whether somebody writes it
freely (``records.log.fields``), and a body with a field that nothing declares goes out in no redacted export. A ruling
is never left out; what a seat may not read of one is masked in ``records.state.masks``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from unicodedata import category

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import is_numbered
from cartulary.notation import AnyGame, Line, loads
from cartulary.notation.cgn.controls import visible
from cartulary.notation.unjudged import nobody_judges
from cartulary.records.commands.tag import CLOSING
from cartulary.records.exchange.archive import Archive, archive_of
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.search import folded
from cartulary.records.log.chain import body_without_digest, hash_of_withheld, origin, withhold
from cartulary.records.log.events import (
    WITHHOLDABLE,
    Annotated,
    DisputeRaised,
    Event,
    GameImported,
    Pairs,
    TagsChanged,
    Withheld,
)
from cartulary.records.log.fields import Declaration, Free, Name, Public, declarations
from cartulary.records.log.recorded import RecordedEvent, read_events
from cartulary.records.log.store import Store
from cartulary.records.state.docket import Ref
from cartulary.records.state.fold import LiveGame, fold, load, played_game
from cartulary.records.state.masks import ROLES
from cartulary.records.texts import spelled

_NAMING = ("tags-changed", "sheet-kept", "source-kept")
LEVELS = {"names": _NAMING, "texts": (*_NAMING, "annotated")}
"""What is left out: the tags and the other sheets of a game, with the names in them; or every note on it as well."""
PERSON = "person"
"""The level at which one person is left out, with everything that names that person and can be left out."""

_IMPERSONAL = frozenset(("Date", "Round", "Result", "Mode", "Termination", "Score", "Time", "UTCDate", "UTCTime"))
_NOUNS = {
    "agreed": "who agreed",
    "arbiter": "the arbiter",
    "by": "who wrote it",
    "claim": "the claim",
    "command": "the id of its command",
    "comments": "the comments of the sheet",
    "game": "the name of the game",
    "own": "tags of its own",
    "penalties": "the penalties",
    "reason": "the reason",
    "score": "the score",
    "source": "the name of the file",
    "tags": "the tags",
    "text": "the note",
    "words": "words that may be no moves",
}
"""What is written freely in each field, in words."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff]")
"""The signs of scripts that are written without blanks between words."""

# --- types ---


class FreeText(Struct, frozen=True):
    """What somebody wrote freely and went out. event: its version, 0 for the id; field: where in it it stands.

    ply: the one a note or a claim is on, as the game stands; 0 for the game and for a ply that is gone
    names: those left out elsewhere that stand in it
    """

    event: int
    kind: str
    field: str
    text: str
    ply: int = 0
    names: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands, in words: ``event 16 (the note on ply 13)``."""
        if not self.event:
            return "its id"
        on = f" on ply {self.ply}" if self.ply and self.field in ("text", "claim") else ""
        moved = self.field == "text" and self.kind == "move-played"
        return f"event {self.event} ({'the move' if moved else _NOUNS.get(self.field, self.field)}{on})"


class RedactedLog(Struct, frozen=True):
    """A redacted export. withheld: the events left out; free: what was written freely and is still in it.

    guessable: the game was imported, and its id and digest were worked out from the whole sheet
    lost: the tags of others that no event is left to tell of, because they stood beside the person left out
    """

    archive: Archive
    withheld: tuple[int, ...]
    free: tuple[FreeText, ...]
    guessable: bool
    lost: Pairs = ()

    @property
    def named(self) -> tuple[FreeText, ...]:
        """What still holds a name that was left out."""
        return tuple(one for one in self.free if one.names)


# --- leaving out ---


def export_redacted(store: Store, id: str, level: str = "names", persons: Sequence[str] = ()) -> RedactedLog:
    """Return the game with its log, the bodies of this level left out; it verifies to the same head.

    persons: those to be left out, and nobody else; the level is then ``PERSON``
    Raises UnknownGame, Damaged, Unfit for an unknown level, and Declined for a body that was written before bodies
    could be left out.
    """
    check_level(level, persons)
    game = load(store, id)
    names, whole = names_of(game, persons), whole_names_of(game, persons)
    left_out = _naming(whole, names) if persons else lambda each: _kind(each) in LEVELS[level]
    kept = _held_back(id, game.recorded, left_out)
    redacted = fold(id, kept)
    gone = tuple(each.originator_version for each in kept if isinstance(each.event, Withheld))
    free = still_named(game, kept, persons)
    guessable = isinstance(kept[0].event, GameImported) and (bool(gone) or not persons)
    return RedactedLog(archive_of(redacted), gone, free, guessable, _lost(game, redacted, whole) if persons else ())


def _naming(whole: Iterable[str], parts: Iterable[str]) -> Callable[[RecordedEvent], bool]:
    """Return what says whether an event is left out for a person. parts: words of the name, which are looked for in
    notes only: others may have the same family name"""

    def left_out(each: RecordedEvent) -> bool:
        names = parts if isinstance(each.event, Annotated) else whole
        return _kind(each) in WITHHOLDABLE and name_in(" ".join(_strings(each.event)), names)

    return left_out


def check_level(level: str, persons: Sequence[str]) -> None:
    """Raise Unfit for what is no level of redaction, and for a person who has no name."""
    if level not in LEVELS and not (level == PERSON and persons):
        raise Unfit(f"{level!r} is not a level of redaction; expected {' or '.join(LEVELS)}.")
    for person in persons:
        if not any(sign.isalpha() for sign in spelled(person)):
            raise Unfit(f"{person!r} is no name; say who is to be left out.")


def names_of(game: LiveGame, persons: Sequence[str] = ()) -> frozenset[str]:
    """Return the names to be left out, and each word of a person's that is long enough to be told from others.

    persons: those whose names are meant, by the name or a word of it; without, all names in tags
    """
    if not persons:
        events = (each.event for each in game.recorded)
        return frozenset(_names(played_game(game), game.book.seats, events))
    whole = whole_names_of(game, persons)
    return frozenset((*whole, *(part for name in whole for part in _parts(name))))


def whole_names_of(game: LiveGame, persons: Sequence[str]) -> frozenset[str]:
    """Return the names of persons as they were given, and as players and writers of a game have them."""
    people = played_game(game).about.seat_tags(game.book.seats)
    events = [each.event for each in game.recorded]
    names = {value for event in events for tag, value in _put(event) if tag in people}
    names.update(name for event in events for name in signed(event))
    return frozenset((*persons, *(name for name in names if name_in(name, persons))))


def name_in(text: str, names: Iterable[str]) -> bool:
    """Say whether one of the names stands in a text, however its letters are written."""
    there = folded(text)
    return any(_stands_in(folded(name), there) for name in names)


def still_named(
    game: LiveGame, kept: Sequence[RecordedEvent], persons: Sequence[str] = (), more: Iterable[str] = ()
) -> tuple[FreeText, ...]:
    """Return what was written freely and is left, with the names that stand in it.

    kept: the events that are left; persons: as for ``names_of``; more: names beside those
    """
    plies = {game.book.ref(ply): ply for ply in range(1, len(game.book.plies) + 1)}
    names = {*names_of(game, persons), *more}
    in_tags = set(whole_names_of(game, persons)) if persons else names
    left = _free(game.id, kept, plies, nobody_judges(played_game(game)))
    return tuple(_searched(one, in_tags if one.field == "tags" else names) for one in left)


def _lost(whole: LiveGame, redacted: LiveGame, names: Iterable[str]) -> Pairs:
    """Return the tags that name nobody who was left out, and that nothing in the redacted game tells of any more."""
    left, fixed = dict(redacted.book.tags), CLOSING.union(played_game(whole).points.tags)
    gone = ((tag, value) for tag, value in whole.book.tags if left.get(tag) != value and value not in ("", "?"))
    return tuple((tag, value) for tag, value in gone if tag not in fixed and not name_in(value, names))


def signed(event: Event) -> Iterator[str]:
    """Yield who wrote an event, agreed to it or ruled in it, where that is a name."""
    return (name for _, _, name in signatures(event))


def signatures(event: Event) -> Iterator[tuple[str, Name, str]]:
    """Yield each field of an event that names somebody, how it is declared, and the name."""
    for field, declared in declarations(type(event)).items():
        if isinstance(declared, Name):
            name = getattr(event, field)
            if any(sign.isalpha() for sign in name) and not is_numbered(name) and name not in ROLES:
                yield field, declared, name


def impersonal_tags(game: AnyGame) -> frozenset[str]:
    """Return the tags of a game that name nobody."""
    return _IMPERSONAL.union(game.points.tags)


def _kind(each: RecordedEvent) -> str:
    return each.topic.partition("/")[0]


def _put(event: Event) -> Pairs:
    return event.put if isinstance(event, TagsChanged) else ()


def _held_back(
    id: str, recorded: tuple[RecordedEvent, ...], left_out: Callable[[RecordedEvent], bool]
) -> tuple[RecordedEvent, ...]:
    previous = bytes.fromhex(origin(id).digest)
    stored: list[tuple[str, bytes]] = []
    for each in recorded:
        body: bytes | None = each.body
        if not hash_of_withheld(each.body) and (_undeclared(id, each) or left_out(each)):
            body = withhold(previous, each.topic.encode(), each.body) if each.event.salt else None
        if body is None:
            raise Declined(
                f"Event {each.originator_version} of {id} cannot be left out. An early version wrote it "
                "without a salt, so its hash would confirm a guess."
            )
        stored.append((each.topic, body))
        previous = bytes.fromhex(each.digest)
    return tuple(read_events(id, origin(id), stored))


def _undeclared(id: str, each: RecordedEvent) -> bool:
    """Return whether a body holds a field that nothing declares, so that it must be left out.

    The bytes are asked, not the event: a body may hold what this version does not read.
    Raises Declined where it must, and a move stands in it.
    """
    there = msgspec.json.decode(body_without_digest(each.body), type=dict[str, msgspec.Raw])
    declared = declarations(type(each.event))
    unknown = next((name for name in there if declared.get(name) is None), "")
    if unknown and _kind(each) not in WITHHOLDABLE:
        raise Declined(
            f"Event {each.originator_version} of {id} has a field this version does not know, "
            f"`{visible(unknown)[:40]}`, and cannot be left out. Export it with a newer version, or as a score sheet."
        )
    return bool(unknown)


# --- what is left in ---


def _names(game: AnyGame, seats: int, events: Iterable[Event]) -> Iterator[str]:
    """Yield the names in tags, and each word of a person's that is long enough to be told from others.

    Where nobody judges the record, nobody knows either which of its tags name persons: each may.
    """
    impersonal, people = impersonal_tags(game), game.about.seat_tags(seats)
    for event in events:
        for tag, value in event.put if isinstance(event, TagsChanged) else ():
            if tag in impersonal or not any(sign.isalpha() for sign in value) or is_numbered(value):
                continue
            yield value
            if tag in people or nobody_judges(game):
                yield from _parts(value)


def _parts(name: str) -> Iterator[str]:
    """Yield the words of a name that tell who is meant: not ``van`` or ``de``, unless all of it is written so."""
    spaced = "".join(sign if category(sign)[0] in "LM" else " " for sign in name)
    words = spaced.split()
    small = all(word.islower() for word in words)
    yield from (word for word in words if len(word) > 2 - (not small) and (small or not word.islower()))


def _free(id: str, recorded: Iterable[RecordedEvent], plies: Mapping[Ref, int], unjudged: bool) -> Iterator[FreeText]:
    """Yield what was written freely. unjudged: the moves too, and what a record is set up with"""
    yield FreeText(0, "id", "id", id)
    for each in recorded:
        kind, event = _kind(each), each.event
        on = (
            (event.event, event.word) if isinstance(event, (Annotated, DisputeRaised)) else (each.originator_version, 0)
        )
        for field, text in _written(event, unjudged):
            if text and not is_numbered(text):
                yield FreeText(each.originator_version, kind, field, text, plies.get(on, 0))


def _written(event: Event, unjudged: bool) -> Iterator[tuple[str, str]]:
    """Yield the fields of an event that somebody writes freely, with their text."""
    for field, declared in declarations(type(event)).items():
        if declared is None or not _is_free(declared, unjudged):
            continue
        text = " ".join(_strings(getattr(event, field)))
        if isinstance(declared, Public) and declared.numeric and not any(sign.isalpha() for sign in text):
            continue
        yield field, text
    if isinstance(event, TagsChanged):
        yield "tags", " ".join(_strings(event.put))
    if isinstance(event, GameImported):
        [record] = loads(event.cgn)
        yield "comments", " ".join((*_comments(record.line), *record.escapes, record.tail)).strip()
        yield "words", " ".join(_words(record.line, event.verdict in ("unreadable", "unjudged")))
        if unjudged:
            yield "own", " ".join(value for _, value in record.tags)


def _is_free(declared: Declaration, unjudged: bool) -> bool:
    """Return whether somebody writes a field freely. unjudged: what only rules bind, too"""
    return isinstance(declared, (Free, Name)) or declared.loose or (unjudged and declared.by_rules)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct):
        yield from _strings(msgspec.structs.astuple(value))
    elif isinstance(value, tuple):
        for part in value:
            yield from _strings(part)


def _comments(line: Line) -> Iterator[str]:
    for note in line.notes.values():
        yield from note.comments
        for variation in note.variations:
            yield from _comments(variation)


def _words(line: Line, itself: bool = True) -> Iterator[str]:
    """Yield the words that may be no moves: those of a line that cannot be read, and of every variation."""
    if itself:
        yield from line.words
    for note in line.notes.values():
        for variation in note.variations:
            yield from _words(variation)


def _searched(free: FreeText, names: set[str]) -> FreeText:
    """Return a text with the names that stand in it, however their letters are written."""
    text = folded(free.text)
    return replace(free, names=tuple(sorted(name for name in names if _stands_in(folded(name), text))))


def _stands_in(name: str, text: str) -> bool:
    before = "" if _UNSPACED.match(name[0]) else r"(?<![^\W_])"
    behind = "" if _UNSPACED.match(name[-1]) else r"(?![^\W_])"
    return re.search(before + re.escape(name) + behind, text) is not None
