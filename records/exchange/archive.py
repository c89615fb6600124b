"""Archives: one JSON line for each game. With its log it holds the stored bodies byte for byte and can be imported."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Finding
from cartulary.notation.arbiter.files import sorted_tags
from cartulary.notation.cgn.signs import count
from cartulary.records.faults import Conflict, Damaged, Declined, Fault, Unfit, UninstalledGame, decode_fault
from cartulary.records.library.listing import index_rows, rows_of_events, unjudged_rows
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Pairs, RecordAgreed
from cartulary.records.log.proof import Proof, count_withheld, prove
from cartulary.records.log.recorded import Batch, RecordedEvent, is_game, read_events, seal_events
from cartulary.records.state.disputes_and_rulings import disputes_of, rulings_of
from cartulary.records.state.docket import PlacedDispute, PlacedRuling
from cartulary.records.state.fold import LiveGame, finished, fold, played_game, result_of
from cartulary.records.state.games import load
from cartulary.records.state.notes import note_text, with_board
from cartulary.records.texts import check_id


class StoredBody(Struct, frozen=True):
    """A stored event: its topic and the text of its sealed body, byte for byte."""

    topic: str
    body: str


class PlyLine(Struct, frozen=True, omit_defaults=True):
    """A ply as it stands now.

    Attributes:
        ply: Its number.
        move: The word.
        event: The version of the event that wrote it.
        word: Its place in that event.
        stands: True if the rules refused it when it was written here, and it was let stand; see ``Ply.stands``.
        clock: The time left, as in ``[%clk]``; empty if none was written, also if the note has one.
        note: What follows the word in CGN.
    """

    ply: int
    move: str
    event: int
    word: int = 0
    stands: bool = False
    clock: str = ""
    note: str = ""


class ArchivedGame(Struct, frozen=True):
    """A game as it stands now. Its tags are in canonical order."""

    game: str
    edition: str
    variant: str
    tags: Pairs
    plies: tuple[PlyLine, ...]
    result: str
    closed: bool
    verdict: str
    findings: tuple[Finding, ...]
    disputes: tuple[PlacedDispute, ...] = ()
    rulings: tuple[PlacedRuling, ...] = ()


class Archive(Struct, frozen=True):
    """An exported game.

    Attributes:
        cartulary: The number of the format.
        id: The id of the game.
        version: The version of its head.
        digest: The digest of its head.
        standing: The game as it stands.
        events: The whole log, empty if the game was exported without it.
    """

    cartulary: int
    id: str
    version: int
    digest: str
    standing: ArchivedGame | None = None
    events: tuple[StoredBody, ...] = ()


class ImportedArchive(Struct, frozen=True):
    """The answer to the import of an archive.

    Attributes:
        id: The id of the game.
        status: ``new``, ``known`` (all of it was here) or ``extended`` (its last events were missing here).
        version: The version of the head that the game now has here.
        because: Why the game was stored but cannot be judged here; empty if it can.
        withheld: How many bodies of the game here were left out, usually for the names in them.
    """

    id: str
    status: str
    version: int
    because: str = ""
    withheld: int = 0


class RenamedArchive(ImportedArchive, frozen=True):
    """The answer to the import of an archive whose id another game has here, so that it was given a new one.

    Attributes:
        renamed_from: The id in the archive.
    """

    renamed_from: str = ""


MOST_NAMESAKES = 99
"""How many games may have one id in the archives that are brought together."""

_decode = msgspec.json.Decoder(Archive).decode


def export_json(store: Log, id: str, *, log: bool = False) -> Archive:
    """Return the archive of a game: how it stands now, and with ``log`` its stored bodies byte for byte.

    An archive without them can be neither proved nor imported.

    Raises:
        UnknownGame: There is no such game.
        Damaged: Its log is damaged.
        UninstalledGame: Its rules are not installed.
        Unfit: The rules installed here cannot set it up.
    """
    return archive_of(load(store, id), log)


def archive_of(game: LiveGame, log: bool = True) -> Archive:
    """Return the archive of a loaded game: how it stands, its head, and its stored bodies unless ``log`` is False."""
    events = tuple(StoredBody(each.topic, each.body.decode()) for each in game.recorded) if log else ()
    return Archive(1, game.id, game.head.version, game.head.digest, standing_of(game), events)


def standing_of(game: LiveGame) -> ArchivedGame:
    """Return a game as it stands now, in the form that archives hold beside the log; plies that were taken back are not
    in it.
    """
    report = game.report
    return ArchivedGame(
        report.game,
        report.edition,
        report.variant,
        sorted_tags(finished(game).tags, played_game(game)),
        tuple(
            PlyLine(
                ply,
                game.words[ply - 1],
                *entry.ref,
                entry.stands,
                entry.clock,
                note_text(with_board(entry.note, entry.board)),
            )
            for ply, entry in enumerate(game.book.plies, 1)
        ),
        result_of(game),
        game.book.closed,
        report.verdict,
        report.findings,
        disputes_of(game),
        rulings_of(game),
    )


def read_archive(text: bytes) -> Archive:
    """Return the archive in one line of JSON: of a game, or of a stream beside the games. Its chain is not checked.

    Raises:
        Unfit: The line is not an archive, has a newer format, or has an id that no game can have.
    """
    try:
        archive = _decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise Unfit(f"This is not an exported game: {decode_fault(fault)}.") from None
    if archive.cartulary != 1:
        raise Unfit(f"This archive has format {archive.cartulary}, expected format 1; install a newer version.")
    if is_game(archive.id):
        check_id(archive.id)
    return archive


def events_of_archive(archive: Archive) -> tuple[RecordedEvent, ...]:
    """Return the events of an archive, after following its chain to its head and checking their fields.

    The chain is the digests, each computed from the one before; the head is the number and the digest of the last
    event.

    Raises:
        Damaged: The chain is broken or does not end at the head, or an event is impossible.
        Declined: The archive has no log.
    """
    if not archive.events:
        raise Declined(
            f"The archive of {archive.id} holds no log, so it can be neither proved nor imported; export it with --log."
        )
    stored = ((event.topic, event.body.encode("utf-8", "surrogatepass")) for event in archive.events)
    recorded = tuple(read_events(archive.id, origin(archive.id), stored))
    if (len(recorded), recorded[-1].digest) != (archive.version, archive.digest):
        raise Damaged(
            f"The archive of {archive.id} does not end at the head it names, because events were cut off or added.",
            archive.id,
            min(len(recorded), archive.version) + 1,
        )
    proof = prove(archive.id, recorded, None)
    if proof.fault:
        raise Damaged(proof.fault, archive.id, proof.version)
    return recorded


def checked_game(archive: Archive, events: Sequence[RecordedEvent]) -> LiveGame:
    """Return the game that the events of an archive make, and check what the archive says beside them.

    Verdict and findings are not compared, since the installed rules may be other ones.

    Raises:
        Damaged: The archive describes another game.
        UninstalledGame: The rules of the game are not installed.
        Unfit: The game cannot be set up.
    """
    game = fold(archive.id, events)
    difference = _difference(archive.standing, game) if archive.standing else ""
    if difference:
        because = f"The archive of {archive.id} describes a game that is not the one its events make: {difference}."
        raise Damaged(because, archive.id, len(events))
    return game


def _difference(standing: ArchivedGame, game: LiveGame) -> str:
    """Return what differs between an archive's description of a game and the game of its events, such as ``ply 3``.

    It is empty if nothing differs. A ply may be in canonical spelling or as it was stored.
    """
    stands = standing_of(game)
    for name in ("game", "edition", "variant", "tags", "result", "closed", "disputes", "rulings"):
        if getattr(standing, name) != getattr(stands, name):
            return name
    stored = tuple(replace(line, move=entry.text) for line, entry in zip(stands.plies, game.book.plies, strict=True))
    if len(standing.plies) != len(stands.plies):
        return f"{count(len(standing.plies), 'ply', 'plies')}, not {len(stands.plies)}"
    here = zip(standing.plies, stands.plies, stored, strict=True)
    return next((f"ply {line.ply}" for line, *ours in here if line not in ours), "")


def draft_batch(archive: Archive, events: tuple[RecordedEvent, ...]) -> tuple[Batch, ImportedArchive]:
    """Return what to store of an archived game that is not here yet, and the answer to its import. Nothing is stored.

    If the rules of the game are not installed, the answer says so, and its rows are those of an unreadable record.

    Args:
        archive: The archive.
        events: Its events, after ``events_of_archive`` has checked them.

    Raises:
        Damaged: The archive describes another game.
        Unfit: The game cannot be set up.
    """
    because = ""
    try:
        lines = index_rows(checked_game(archive, events))
    except UninstalledGame as fault:
        lines, because = unjudged_rows(archive.id, events), str(fault)
    answer = ImportedArchive(archive.id, "new", len(events), because, count_withheld(events))
    return Batch(archive.id, origin(archive.id), events, lines), answer


def take_in(store: Log, archive: Archive, *, extend: bool = False, rename: bool = False) -> ImportedArchive:
    """Import an exported game with its log: the same events, chain and head.

    A game that is here already is left alone if its log begins with that of the archive, or has the head that an
    archive without a log names. A game whose rules are not installed is stored too.

    Args:
        store: The store.
        archive: The archive.
        extend: Whether to add the events that are missing here, if the archive continues the game.
        rename: Whether to give the game a new id, such as ``final-2``, if another game has its id here. Its chain then
            begins with the new id, so that heads noted for the archive prove the archive and not the game here.

    Raises:
        Damaged: The chain of the archive is broken, or the archive describes another game; the game here is another
            one, or the archive continues it without ``extend``.
        Declined: The archive has no log; or a new id cannot be given, because bodies of the log were left out, a seat
            has agreed with its head, or too many games have the id.
        Unfit: The id cannot be one, or the game cannot be set up.
        Conflict: Somebody wrote to the game at the same time.
    """
    check_id(archive.id)
    id = archive.id
    stored = store.stream(id) if store.head(id) else ()
    if not archive.events and _reaches(stored, archive):
        return ImportedArchive(id, "known", len(stored), withheld=count_withheld(stored))
    recorded = events_of_archive(archive)
    if not stored:
        batch, answer = draft_batch(archive, recorded)
        store.write(batch)
        return answer
    shared = min(len(stored), len(recorded))
    if stored[shared - 1].digest != recorded[shared - 1].digest:
        first = next(at for at in range(shared) if stored[at].digest != recorded[at].digest) + 1
        if first == 1 and rename:
            return _take_in_renamed(store, archive, recorded, extend)
        hint = "; --rename imports that one under a new id" if first == 1 else ""
        because = f"From event {first} on, the game {id} here differs from the one in the archive{hint}."
        raise Damaged(because, id, first)
    if archive.standing is not None:
        with suppress(Unfit):  # a game that cannot be judged here cannot be compared
            checked_game(archive, recorded)
    missing = recorded[shared:]
    if not missing:
        return ImportedArchive(id, "known", len(stored), withheld=count_withheld(stored))
    if not extend:
        raise _goes_on(id, shared)
    events = (*stored, *missing)
    values, fault = rows_of_events(id, events)
    store.write(Batch(id, Head(shared, stored[-1].digest), missing, values))
    return ImportedArchive(id, "extended", len(events), str(fault or ""), count_withheld(events))


def _take_in_renamed(store: Log, archive: Archive, recorded: Sequence[RecordedEvent], extend: bool) -> RenamedArchive:
    """Import a game under the first free id of ``final-2``, ``final-3`` …, unless one of them is this game already.

    It is this game if the shorter of the two logs begins the longer one, event by event. Then it is known, or extended
    by what only the archive has.

    Raises:
        Declined: Bodies of the log were left out, so that it cannot be sealed again; a seat has agreed with a head of
            the old chain, which nobody may restate for it; or too many games have the id.
        Damaged: The archive describes another game, or it continues this one without ``extend``.
    """
    if withheld := count_withheld(recorded):
        raise Declined(
            f"The archive of {archive.id} leaves out {count(withheld, 'body', 'bodies')}, so it can only be imported "
            "under its own id; import the whole archive, or into another database."
        )
    if any(isinstance(each.event, RecordAgreed) for each in recorded):
        raise Declined(
            f"A seat has agreed with the record of {archive.id} by its head, which a new id would change. "
            "Import it into another database."
        )
    with suppress(Unfit):  # a game that cannot be judged here is stored all the same
        checked_game(archive, recorded)
    events = [each.event for each in recorded]
    for number in range(2, MOST_NAMESAKES + 1):
        id = f"{archive.id}-{number}"
        check_id(id)
        here = store.stream(id) if store.head(id) is not None else ()
        shared = min(len(here), len(events))
        if [each.event for each in here[:shared]] != events[:shared]:
            continue
        missing = events[shared:]
        if here and not missing:
            return RenamedArchive(id, "known", len(here), renamed_from=archive.id)
        if here and not extend:
            raise _goes_on(id, shared)
        head = Head(shared, here[-1].digest) if here else origin(id)
        sealed = (*here, *seal_events(id, head, missing))
        rows, fault = rows_of_events(id, sealed)
        store.write(Batch(id, head, sealed[shared:], rows))
        return RenamedArchive(id, "extended" if here else "new", len(sealed), str(fault or ""), renamed_from=archive.id)
    raise Declined(f"{MOST_NAMESAKES} games here are called {archive.id}; import the archive into another database.")


def _goes_on(id: str, shared: int) -> Damaged:
    """Return, for the caller to raise, the fault that an archive continues a game; ``shared`` is the number of its
    events here.
    """
    because = f"The game {id} here ends at event {shared}, but the archive goes on; --extend adds the rest."
    return Damaged(because, id, shared + 1)


def _reaches(stored: Sequence[RecordedEvent], archive: Archive) -> bool:
    """Say whether a stored game has the head that an archive names, or had it earlier: an event with that number and
    digest.
    """
    return 0 < archive.version <= len(stored) and stored[archive.version - 1].digest == archive.digest


def verify_archive(archive: Archive, head: Head | None = None) -> Proof:
    """Return the proof of an archive: whether its chain holds, and whether the game that it describes is that of its
    events.

    Nothing is stored. A fault is returned in the proof and not raised, except that the archive has no log.

    Args:
        archive: The archive.
        head: A head that was noted elsewhere, which the chain must pass through; None for none.

    Raises:
        Declined: The archive has no log.
    """
    try:
        recorded = events_of_archive(archive)
        proof = prove(archive.id, recorded, head)
        if not proof.fault and archive.standing is not None:
            with suppress(Unfit):  # a game that cannot be set up here cannot be compared
                checked_game(archive, recorded)
    except Damaged as fault:
        return Proof(archive.id, fault.version, "", str(fault))
    return proof


# --- many archives ---

BATCH = 200
"""Games stored in one transaction."""


def take_in_all(
    store: Log, archives: Iterable[Archive | Fault], *, extend: bool = False, rename: bool = False, batch: int = BATCH
) -> Iterator[ImportedArchive | Fault]:
    """Import archives in their order as ``take_in`` does, and yield the answer to each once it is stored.

    If one cannot be imported, its fault is yielded, and the next ones are imported all the same.

    Args:
        store: The store.
        archives: The archives. Faults among them are yielded as they are.
        extend: Whether to add the events that are missing here, if an archive continues a game.
        rename: Whether to give a game a new id if another game has its id here.
        batch: The number of archives that are stored in one transaction.
    """
    source = iter(archives)
    while chunk := list(islice(source, batch)):
        drafts = [_draft_of(store, each) for each in chunk]
        new: dict[str, Batch] = {}
        for _, draft in drafts:
            if draft is not None:
                new.setdefault(draft.id, draft)
        existing = store.write_new(list(new.values())) if new else set()
        for each, (answer, draft) in zip(chunk, drafts, strict=True):
            if draft is not None and draft is new.get(draft.id) and draft.id not in existing:
                yield answer
            elif isinstance(each, Archive) and not isinstance(answer, Fault):
                yield _take_in_or_fault(store, each, extend, rename)
            else:
                yield answer


def _draft_of(store: Log, archive: Archive | Fault) -> tuple[ImportedArchive | Fault, Batch | None]:
    """Return the answer to an archive, and what to store if the game is not here yet; else None.

    Nothing is stored yet. A fault is returned in place of the answer. Of a game that is here it is not checked whether
    it is the same.
    """
    if isinstance(archive, Fault):
        return archive, None
    try:
        check_id(archive.id)
        here = store.head(archive.id) is not None
        if here and not archive.events:
            return ImportedArchive(archive.id, "known", archive.version), None
        recorded = events_of_archive(archive)
        if here:
            return ImportedArchive(archive.id, "known", len(recorded)), None
        draft, answer = draft_batch(archive, recorded)
        return answer, draft
    except (Damaged, Declined) as fault:
        return fault, None


def _take_in_or_fault(store: Log, archive: Archive, extend: bool, rename: bool) -> ImportedArchive | Fault:
    """Import one archive as ``take_in`` does, but return Damaged, Declined, Unfit or Conflict instead of raising it.

    Any other fault, such as that the log cannot be written, is raised.
    """
    try:
        return take_in(store, archive, extend=extend, rename=rename)
    except (Damaged, Declined, Conflict) as fault:
        return fault
