"""Redaction: an export without names that is still proved by the same chain and head.

A body that is left out is replaced by its hash (``records.log.chain``). That is possible only for bodies that hold no
move and carry a salt: without the salt, somebody could guess "Seat1 is Ada", hash it, and compare.

    {"digest":"bd70…","salt":"00ff…","put":[["Seat1","Ada"]], …}     becomes     {"digest":"bd70…","withheld":"5f1e…"}

Other free text remains, because moves are in the same bodies. It is listed, and searched for the names that were left
out. Which fields are free text is declared beside each field (``records.log.fields``). A body with an undeclared field
is in no redacted export: nobody knows what it says. A ruling is never left out; what a seat may not read of one is
masked in ``records.state.masks``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from unicodedata import category

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import is_numbered
from cartulary.notation import AnyGame, Line, loads
from cartulary.notation.arbiter.house import TAG as HOUSE_RULES
from cartulary.notation.cgn.controls import visible
from cartulary.notation.description import RESULT_TAGS
from cartulary.notation.unjudged import nobody_judges
from cartulary.records.commands.deal_tags import CLOSING
from cartulary.records.exchange.archive import Archive, archive_of
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.search import fold_text
from cartulary.records.log.chain import body_without_digest, hash_of_withheld, origin, withhold
from cartulary.records.log.contract import Log
from cartulary.records.log.events import (
    WITHHOLDABLE,
    DisputeRaised,
    Event,
    GameImported,
    NoteReplaced,
    Pairs,
    PlayerSeated,
    TagsChanged,
    Withheld,
)
from cartulary.records.log.fields import Declaration, Free, Name, Public, declarations, stored_names
from cartulary.records.log.recorded import RecordedEvent, read_events
from cartulary.records.state.docket import Ref
from cartulary.records.state.fold import LiveGame, fold, played_game
from cartulary.records.state.games import load
from cartulary.records.state.masks import ROLES
from cartulary.records.state.people import NOBODY_MERGED, people_of
from cartulary.records.texts import canonical_name

_KINDS_WITH_NAMES = ("tags-changed", "player-seated", "sheet-kept", "source-kept")
LEVELS = {"names": _KINDS_WITH_NAMES, "texts": (*_KINDS_WITH_NAMES, "annotated")}
"""The kinds of events that each level leaves out: tags, who sat down, and other sheets, which hold names; or every note
as well."""
PERSON = "person"
"""The level that leaves out everything that names certain persons, as far as it can be left out."""

_IMPERSONAL = frozenset(
    ("Date", "Round", "Result", "Mode", "Termination", "Score", "Time", "UTCDate", "UTCTime", "Duration")
)
_FIELD_NOUNS = {
    "agreed": "who agreed",
    "arbiter": "the arbiter",
    "by": "who wrote it",
    "claim": "the claim",
    "command": "the id of its command",
    "comments": "the comments of the sheet",
    "game": "the name of the game",
    "name": "the name of who sat down",
    "own": "tags of its own",
    "penalties": "the penalties",
    "reason": "the reason",
    "score": "the score",
    "source": "the name of the file",
    "tags": "the tags",
    "text": "the note",
    "words": "words that may be no moves",
}
"""What each field of free text is called in messages."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff]")
"""The characters of scripts that are written without blanks between words."""

# --- types ---


class FreeText(Struct, frozen=True):
    """A text that somebody wrote freely and that is in the export.

    Attributes:
        event: The version of the event, 0 for the id of the game.
        kind: The kind of the event.
        field: The field of the event.
        text: The text.
        ply: The ply that a note or claim is about, as the game stands now; 0 for the game, or if the ply is gone.
        names: The names in it that were left out elsewhere.
    """

    event: int
    kind: str
    field: str
    text: str
    ply: int = 0
    names: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The place of the text, in words: ``event 16 (the note on ply 13)``, or ``its id``."""
        if not self.event:
            return "its id"
        on = f" on ply {self.ply}" if self.ply and self.field in ("text", "claim") else ""
        moved = self.field == "text" and self.kind == "move-played"
        return f"event {self.event} ({'the move' if moved else _FIELD_NOUNS.get(self.field, self.field)}{on})"


class RedactedLog(Struct, frozen=True):
    """A redacted export.

    Attributes:
        archive: The archive, without the bodies that were left out.
        withheld: The versions of the events whose bodies were left out.
        free: The free texts that are still in it.
        guessable: True if the game was imported, unless it was exported without certain persons and nothing had to be
            left out. Its id and digest were computed from the sheet with its names, so they confirm a guess.
        dropped_tags: Other tags that are gone, because they were in the same events as the name of a person who was to
            be left out; empty if everybody was.
    """

    archive: Archive
    withheld: tuple[int, ...]
    free: tuple[FreeText, ...]
    guessable: bool
    dropped_tags: Pairs = ()

    @property
    def leftovers(self) -> tuple[FreeText, ...]:
        """The free texts that still hold a name which was left out elsewhere; empty if there are none."""
        return tuple(text for text in self.free if text.names)


# --- leaving out ---


def export_redacted(store: Log, id: str, level: str = "names", persons: Sequence[str] = ()) -> RedactedLog:
    """Export a game with its log, but without bodies that hold names. It verifies to the same head.

    Only the bodies of some kinds of events can be left out: tags, who sat down, notes, and other sheets. Names in any
    other body stay, such as those of who wrote, agreed or ruled; ``free`` of the answer lists the texts with them.

    Args:
        store: The store.
        id: The id of the game.
        level: ``names`` leaves out tags, who sat down and other sheets; ``texts`` every note too. With ``persons`` it
            does not matter, and may be ``PERSON``.
        persons: The only persons to be left out, by names or words of names, and under every other name that ``people``
            knows of them; empty for everybody.

    Raises:
        UnknownGame: There is no such game.
        Damaged: Its log is damaged.
        UninstalledGame: Its rules are not installed.
        Unfit: There is no such level, or a person has no name.
        Declined: A body to be left out has no salt; or one that cannot be left out has a field that this version does
            not know.
    """
    check_level(level, persons)
    persons = every_name_of(store, persons)
    game = load(store, id)
    names, whole_names = names_of(game, persons), whole_names_of(game, persons)
    left_out = _names_person(whole_names, names) if persons else lambda each: _kind(each) in LEVELS[level]
    events = _withhold(id, game.recorded, left_out)
    redacted = fold(id, events)
    withheld = tuple(each.originator_version for each in events if isinstance(each.event, Withheld))
    free = still_named(game, events, persons)
    guessable = isinstance(events[0].event, GameImported) and (bool(withheld) or not persons)
    return RedactedLog(
        archive_of(redacted), withheld, free, guessable, _dropped_tags(game, redacted, whole_names) if persons else ()
    )


def _names_person(whole_names: Iterable[str], words: Iterable[str]) -> Callable[[RecordedEvent], bool]:
    """Return the test by which an event is left out for certain persons.

    A tag must hold a whole name, because others may have the same family name. In a note a word of the name is enough.
    Events of kinds that cannot be left out never pass the test.

    Args:
        whole_names: The whole names of the persons.
        words: Those names, and the words of them that identify a person.
    """

    def left_out(each: RecordedEvent) -> bool:
        """Say whether an event names one of the persons, and is of a kind that may be left out."""
        names = words if isinstance(each.event, NoteReplaced) else whole_names
        return _kind(each) in WITHHOLDABLE and name_in(" ".join(_strings(each.event)), names)

    return left_out


def check_level(level: str, persons: Sequence[str]) -> None:
    """Do nothing if the level and the persons of a redaction can be used.

    Args:
        level: ``names`` or ``texts``; ``person`` only together with persons.
        persons: The names of those who are to be left out, empty for everybody.

    Raises:
        Unfit: There is no such level, or a name has no letter in it.
    """
    if level not in LEVELS and not (level == PERSON and persons):
        raise Unfit(f"{level!r} is not a level of redaction; expected {' or '.join(LEVELS)}.")
    for person in persons:
        if not any(sign.isalpha() for sign in canonical_name(person)):
            raise Unfit(f"{person!r} is no name; say who is to be left out.")


def every_name_of(store: Log, persons: Sequence[str]) -> tuple[str, ...]:
    """Return the names of persons with every other name that the store has merged with them by ``people``.

    Args:
        store: Where the merges of names are kept.
        persons: Names, or words of names; a word finds every merged name that contains it.

    Returns:
        First ``persons`` as given, then the other names in alphabetical order, each once; empty if no person is given.
    """
    people = people_of(store) if persons else NOBODY_MERGED
    merged = (name for name in {*people.into, *people.into.values()} if name_in(name, persons))
    return tuple(dict.fromkeys((*persons, *sorted({other for name in merged for other in people.names_of(name)}))))


def names_of(game: LiveGame, persons: Sequence[str] = ()) -> frozenset[str]:
    """Return the names that an export leaves out, and each word of them that identifies a person.

    A word such as ``van`` or ``de`` identifies nobody; a family name does.

    Args:
        game: The game.
        persons: Names, or words of names; empty for all names in tags, and those of substitutes.
    """
    if not persons:
        events = (each.event for each in game.recorded)
        return frozenset(_names_in_tags(played_game(game), game.book.seats, events))
    whole_names = whole_names_of(game, persons)
    words = (word for name in whole_names for word in _identifying_words(name))
    return frozenset((*whole_names, *words))


def whole_names_of(game: LiveGame, persons: Sequence[str]) -> frozenset[str]:
    """Return ``persons`` as given, and the whole names of the players and writers of the game that contain one of them.

    For ``("Ada",)`` that may be ``{"Ada", "Ada Byron"}``. Without persons it is empty.
    """
    people = played_game(game).about.seat_tags(game.book.seats)
    events = [each.event for each in game.recorded]
    names = {value for event in events for tag, value in _tags_put(event) if tag in people}
    names.update(event.name for event in events if isinstance(event, PlayerSeated))
    names.update(name for event in events for name in signers(event))
    return frozenset((*persons, *(name for name in names if name_in(name, persons))))


def name_in(text: str, names: Iterable[str]) -> bool:
    """Say whether a text contains one of the names as whole words, in any capitals and accents.

    In scripts without blanks between words a name may stand anywhere. Without names the answer is no.
    """
    folded = fold_text(text)
    return any(_holds_word(fold_text(name), folded) for name in names)


def still_named(
    game: LiveGame, events: Sequence[RecordedEvent], persons: Sequence[str] = (), more: Iterable[str] = ()
) -> tuple[FreeText, ...]:
    """Return the free texts of events, with the names in each.

    Free text is what somebody wrote without a rule on its form: notes, reasons, tags, the name of a writer, the id.

    Args:
        game: The whole game, in which the names are looked up.
        events: The events that are exported.
        persons: Names, or words of names; empty for all names in tags. In tags only whole names of persons are looked
            for.
        more: Further names to look for.

    Returns:
        The id first, then the texts in the order of the events, also those without a name, whose ``names`` are empty.
    """
    plies = {game.book.ref(ply): ply for ply in range(1, len(game.book.plies) + 1)}
    names = {*names_of(game, persons), *more}
    in_tags = set(whole_names_of(game, persons)) if persons else names
    texts = _free_texts(game.id, events, plies, nobody_judges(played_game(game)))
    return tuple(_with_names(text, in_tags if text.field == "tags" else names) for text in texts)


def _dropped_tags(whole: LiveGame, redacted: LiveGame, names: Iterable[str]) -> Pairs:
    """Return the tags that name nobody who was left out, but are no longer in the redacted game, as pairs of name and
    value.

    They were written by the same events as the names. Tags that a close or the score writes do not count, and neither
    do those whose value is not known.

    Args:
        whole: The game as it is.
        redacted: The game without the bodies that are left out.
        names: The names that were left out.
    """
    left, fixed = dict(redacted.book.tags), CLOSING.union(played_game(whole).points.tags, (HOUSE_RULES,))
    gone = ((tag, value) for tag, value in whole.book.tags if left.get(tag) != value and value not in ("", "?"))
    return tuple((tag, value) for tag, value in gone if tag not in fixed and not name_in(value, names))


def signers(event: Event) -> Iterator[str]:
    """Yield the names of those who wrote an event, agreed to it or ruled in it; seats and roles such as ``p1`` are no
    names.
    """
    return (name for _, _, name in signatures(event))


def signatures(event: Event) -> Iterator[tuple[str, Name, str]]:
    """Yield for each field of an event that names a person a tuple of the field, its declaration, and the name.

    Empty fields, numbered seats such as ``p1``, and roles are left out. The declaration says what the field is for.
    """
    for field, declaration in declarations(type(event)).items():
        if isinstance(declaration, Name):
            name = getattr(event, field)
            if any(sign.isalpha() for sign in name) and not is_numbered(name) and name not in ROLES:
                yield field, declaration, name


def impersonal_tags(game: AnyGame) -> frozenset[str]:
    """Return the names of the tags that never hold a person's name in a game: dates, results, points and the like."""
    return _IMPERSONAL.union(game.points.tags, RESULT_TAGS)


def _kind(each: RecordedEvent) -> str:
    """Return the kind of an event: its topic without the number of the schema, ``tags-changed/1`` ->
    ``tags-changed``.
    """
    return each.topic.partition("/")[0]


def _tags_put(event: Event) -> Pairs:
    """Return the tags that an event writes, as pairs of a name and a value; empty for an event of any other kind."""
    return event.put if isinstance(event, TagsChanged) else ()


def _withhold(
    id: str, recorded: tuple[RecordedEvent, ...], left_out: Callable[[RecordedEvent], bool]
) -> tuple[RecordedEvent, ...]:
    """Return the events with the hash in place of each body that is left out. Their digests remain, so the chain still
    holds.

    A body is the text of an event as it is stored.

    Args:
        id: The id of the game.
        recorded: All its events.
        left_out: Says which events are to be left out. Those with an undeclared field are left out too.

    Raises:
        Declined: A body to be left out has no salt; or one that cannot be left out has a field that is not declared.
    """
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
    """Say whether a stored body has a field that is not declared, so that it must be left out.

    This looks at the bytes, not at the event: a newer version may have written fields that this one does not read.

    Raises:
        Declined: It must be left out, but no event of its kind can be.
    """
    stored = msgspec.json.decode(body_without_digest(each.body), type=dict[str, msgspec.Raw])
    kind = type(each.event)
    fields = {as_stored: declarations(kind)[name] for name, as_stored in stored_names(kind).items()}
    unknown = next((name for name in stored if fields.get(name) is None), "")
    if unknown and _kind(each) not in WITHHOLDABLE:
        raise Declined(
            f"Event {each.originator_version} of {id} has a field this version does not know, "
            f"`{visible(unknown)[:40]}`, and cannot be left out. Export it with a newer version, or as a score sheet."
        )
    return bool(unknown)


# --- what is left in ---


def _names_in_tags(game: AnyGame, seats: int, events: Iterable[Event]) -> Iterator[str]:
    """Yield the names in tags and of substitutes, and each word of a player's name that identifies the person.

    A name may come more than once. In a record that is not judged, any tag may name a person, and its words identify
    one.

    Args:
        game: The rules of the game.
        seats: The number of seats.
        events: The events of the record.
    """
    impersonal, people = impersonal_tags(game), game.about.seat_tags(seats)
    for event in events:
        if isinstance(event, PlayerSeated) and any(sign.isalpha() for sign in event.name):
            yield event.name
            yield from _identifying_words(event.name)
        for tag, value in event.put if isinstance(event, TagsChanged) else ():
            if tag in impersonal or not any(sign.isalpha() for sign in value) or is_numbered(value):
                continue
            yield value
            if tag in people or nobody_judges(game):
                yield from _identifying_words(value)


def _identifying_words(name: str) -> Iterator[str]:
    """Yield the words of a name that identify a person: not ``van`` or ``de``, unless all of it is in small letters.

    A word in small letters counts only in a name without capitals, and then from three letters on. Other words need
    two.
    """
    spaced = "".join(sign if category(sign)[0] in "LM" else " " for sign in name)
    words = spaced.split()
    small = all(word.islower() for word in words)
    yield from (word for word in words if len(word) > 2 - (not small) and (small or not word.islower()))


def _free_texts(
    id: str, recorded: Iterable[RecordedEvent], plies: Mapping[Ref, int], unjudged: bool
) -> Iterator[FreeText]:
    """Yield the id of a game and the free texts of its events, with no names in ``names`` yet.

    Empty texts and numbered seats are left out.

    Args:
        id: The id of the game.
        recorded: The events.
        plies: The number of each ply, by the event that wrote it and its place among the words of that event.
        unjudged: Whether nobody judges the record. Its moves and its set-up may then be any text.
    """
    yield FreeText(0, "id", "id", id)
    for each in recorded:
        kind, event = _kind(each), each.event
        on = (
            (event.event, event.word)
            if isinstance(event, (NoteReplaced, DisputeRaised))
            else (each.originator_version, 0)
        )
        for field, text in _free_fields(event, unjudged):
            if text and not is_numbered(text):
                yield FreeText(each.originator_version, kind, field, text, plies.get(on, 0))


def _free_fields(event: Event, unjudged: bool) -> Iterator[tuple[str, str]]:
    """Yield the stored name and the text of each field of an event that holds free text; the text may be empty.

    Of an imported sheet these are also its comments, and words that may be no moves. ``unjudged`` says whether nobody
    judges the record.
    """
    for field, declaration in declarations(type(event)).items():
        if declaration is None or not _is_free(declaration, unjudged):
            continue
        text = " ".join(_strings(getattr(event, field)))
        if isinstance(declaration, Public) and declaration.numeric and not any(sign.isalpha() for sign in text):
            continue
        yield stored_names(type(event))[field], text
    if isinstance(event, TagsChanged):
        yield "tags", " ".join(_strings(event.put))
    if isinstance(event, GameImported):
        [record] = loads(event.cgn)
        yield "comments", " ".join((*_comments(record.line), *record.escapes, record.tail)).strip()
        yield "words", " ".join(_words(record.line, event.verdict in ("unreadable", "unjudged")))
        if unjudged:
            yield "own", " ".join(value for _, value in record.tags)


def _is_free(declaration: Declaration, unjudged: bool) -> bool:
    """Say whether a field is free text: it is declared so, it holds a name, or no rule bounds its form.

    In an unjudged record a field whose text only the rules of the game restrict is free as well.
    """
    return isinstance(declaration, (Free, Name)) or declaration.loose or (unjudged and declaration.by_rules)


def _strings(value: object) -> Iterator[str]:
    """Yield every text in a value, in order, however deep it is in tuples and structs; other values hold none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct):
        yield from _strings(msgspec.structs.astuple(value))
    elif isinstance(value, tuple):
        for part in value:
            yield from _strings(part)


def _comments(line: Line) -> Iterator[str]:
    """Yield the comments of a line of moves and of its variations, however deep they are."""
    for note in line.notes.values():
        yield from note.comments
        for variation in note.variations:
            yield from _comments(variation)


def _words(line: Line, itself: bool = True) -> Iterator[str]:
    """Yield the words that may not be moves: those of the line if ``itself`` is true, and of every variation in it."""
    if itself:
        yield from line.words
    for note in line.notes.values():
        for variation in note.variations:
            yield from _words(variation)


def _with_names(free: FreeText, names: set[str]) -> FreeText:
    """Return a copy of a free text whose ``names`` are those that it contains, sorted, in any capitals and accents."""
    text = fold_text(free.text)
    return replace(free, names=tuple(sorted(name for name in names if _holds_word(fold_text(name), text))))


def _holds_word(name: str, text: str) -> bool:
    """Say whether a folded text contains a folded name as whole words; folded means in small letters without accents.

    In scripts without blanks between words the name may stand anywhere. The name must not be empty.
    """
    before = "" if _UNSPACED.match(name[0]) else r"(?<![^\W_])"
    after = "" if _UNSPACED.match(name[-1]) else r"(?![^\W_])"
    return re.search(before + re.escape(name) + after, text) is not None
