"""Archives: one JSON line a game, which with its log holds the stored bodies byte for byte and takes them in again."""

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Finding
from cartulary.notation.arbiter.files import sorted_tags
from cartulary.notation.cgn.signs import count
from cartulary.records.commands.new import check_id
from cartulary.records.faults import Damaged, Declined, Unfit, Uninstalled, decode_fault
from cartulary.records.library.listing import as_written, row, row_of
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.events import Pairs
from cartulary.records.log.proof import Proof, left_out, reaching
from cartulary.records.log.recorded import Batch, RecordedEvent, read_events
from cartulary.records.log.store import Store
from cartulary.records.state.disputes_and_rulings import Dispute, Ruling, disputes_of, rulings_of
from cartulary.records.state.fold import LiveGame, finished, fold, load, played_game, result_of
from cartulary.records.state.notes import note_text, with_board


class StoredBody(Struct, frozen=True):
    """An event as it is stored: its topic, and its body's text byte for byte."""

    topic: str
    body: str


class PlyLine(Struct, frozen=True, omit_defaults=True):
    """One ply as it stands. note: what stands behind the word, as CGN; event, word: where it was written."""

    ply: int
    move: str
    event: int
    word: int = 0
    stands: bool = False
    clock: str = ""
    note: str = ""


class Standing(Struct, frozen=True):
    """The game as it stands. tags: in canonical order."""

    game: str
    edition: str
    variant: str
    tags: Pairs
    plies: tuple[PlyLine, ...]
    result: str
    closed: bool
    verdict: str
    findings: tuple[Finding, ...]
    disputes: tuple[Dispute, ...] = ()
    rulings: tuple[Ruling, ...] = ()


class Archive(Struct, frozen=True):
    """One exported game. cartulary: the archive format's number; version, digest: the head.

    events: the whole log, empty where it was exported without
    """

    cartulary: int
    id: str
    version: int
    digest: str
    standing: Standing | None = None
    events: tuple[StoredBody, ...] = ()


class ImportedArchive(Struct, frozen=True):
    """What became of an archive. status: new, known (all of it was here) or extended (its end was missing here).

    because: why the game is kept and cannot be judged here, empty where it can
    withheld: how many bodies of the game here were left out, names as a rule
    """

    id: str
    status: str
    version: int
    because: str = ""
    withheld: int = 0


_decode = msgspec.json.Decoder(Archive).decode


def export_json(store: Store, id: str, *, log: bool = False) -> Archive:
    """Return the game as it stands, and with ``log`` every stored body byte for byte.

    Raises UnknownGame, Damaged.
    """
    return archive_of(load(store, id), log)


def archive_of(game: LiveGame, log: bool = True) -> Archive:
    """Return a game that was loaded as it is exported."""
    events = tuple(StoredBody(each.topic, each.body.decode()) for each in game.recorded) if log else ()
    return Archive(1, game.id, game.head.version, game.head.digest, standing_of(game), events)


def standing_of(game: LiveGame) -> Standing:
    """Return how a game stands, as an archive says it beside the log."""
    report = game.report
    return Standing(
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
    """Return the archive of one line. Raises Unfit, with the reason, for what is none."""
    try:
        archive = _decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise Unfit(f"This is not an exported game: {decode_fault(fault)}.") from None
    if archive.cartulary != 1:
        raise Unfit(f"This archive has format {archive.cartulary}, expected format 1; install a newer version.")
    check_id(archive.id)
    return archive


def archived(archive: Archive) -> tuple[RecordedEvent, ...]:
    """Return the events of an archive, its chain followed to its head, each of them one that can be.

    Raises Damaged, and Declined without a log.
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
    proof = reaching(archive.id, recorded, None)
    if proof.fault:
        raise Damaged(proof.fault, archive.id, proof.version)
    return recorded


def as_said(archive: Archive, recorded: Sequence[RecordedEvent]) -> LiveGame:
    """Return the game of an archive's events, what it says beside them held against it.

    Verdict and findings are left alone: rules are judged by what is installed.
    Raises Damaged where the archive says something else, Uninstalled, and Unfit for what cannot be set up.
    """
    game = fold(archive.id, recorded)
    unlike = _unlike(archive.standing, game) if archive.standing else ""
    if unlike:
        because = f"The archive of {archive.id} describes a game that is not the one its events make: {unlike}."
        raise Damaged(because, archive.id, len(recorded))
    return game


def _unlike(said: Standing, game: LiveGame) -> str:
    """Return what an archive says beside its log and its events do not; empty where all agrees."""
    stands = standing_of(game)
    for name in ("game", "edition", "variant", "tags", "result", "closed", "disputes", "rulings"):
        if getattr(said, name) != getattr(stands, name):
            return name
    stored = tuple(replace(line, move=entry.text) for line, entry in zip(stands.plies, game.book.plies, strict=True))
    if len(said.plies) != len(stands.plies):
        return f"{count(len(said.plies), 'ply', 'plies')}, not {len(stands.plies)}"
    here = zip(said.plies, stands.plies, stored, strict=True)
    return next((f"ply {line.ply}" for line, *ours in here if line not in ours), "")


def drafted(archive: Archive, recorded: tuple[RecordedEvent, ...]) -> tuple[Batch, ImportedArchive]:
    """Return what is to be stored of a game that is not here yet, and what becomes of it. Raises as ``as_said``."""
    because = ""
    try:
        lines = row(as_said(archive, recorded))
    except Uninstalled as fault:
        lines, because = as_written(archive.id, recorded), str(fault)
    answer = ImportedArchive(archive.id, "new", len(recorded), because, left_out(recorded))
    return Batch(archive.id, origin(archive.id), recorded, lines), answer


def take_in(store: Store, archive: Archive, *, extend: bool = False) -> ImportedArchive:
    """Take in an exported game with its log: the same events, chain and head.

    A game that is here already is left alone where its log begins with the archive's. A game whose rules are not
    installed is kept too.
    extend: where the archive's log continues the one here, add what is missing
    Raises Damaged where the archive's chain is broken or does not say what stands beside it, the game here is another
    one, or the archive continues it and ``extend`` does not say so; Declined without a log; Unfit for no id.
    """
    check_id(archive.id)
    id, recorded = archive.id, archived(archive)
    here = store.stream(id) if store.head(id) else ()
    if not here:
        batch, answer = drafted(archive, recorded)
        store.write(batch)
        return answer
    shared = min(len(here), len(recorded))
    if here[shared - 1].digest != recorded[shared - 1].digest:
        apart = next(at for at in range(shared) if here[at].digest != recorded[at].digest) + 1
        raise Damaged(f"From event {apart} on, the game {id} here differs from the one in the archive.", id, apart)
    if archive.standing is not None:
        with suppress(Unfit):  # what cannot be judged here cannot be held against it
            as_said(archive, recorded)
    missing = recorded[shared:]
    if not missing:
        return ImportedArchive(id, "known", len(here), withheld=left_out(here))
    if not extend:
        raise Damaged(
            f"The game {id} here ends at event {shared}, but the archive goes on; --extend adds the rest.",
            id,
            shared + 1,
        )
    whole = (*here, *missing)
    values, fault = row_of(id, whole)
    store.write(Batch(id, Head(shared, here[-1].digest), missing, values))
    return ImportedArchive(id, "extended", len(whole), str(fault or ""), left_out(whole))


def verify_archive(archive: Archive, head: Head | None = None) -> Proof:
    """Follow the chain of an exported record, and hold what it says of the game as it stands against its events.

    Nothing is stored. Raises Declined for an archive without its log.
    """
    try:
        recorded = archived(archive)
        proof = reaching(archive.id, recorded, head)
        if not proof.fault and archive.standing is not None:
            with suppress(Unfit):  # nobody can tell here how it stands
                as_said(archive, recorded)
    except Damaged as fault:
        return Proof(archive.id, fault.version, "", str(fault))
    return proof
