"""Stored games judged again: of which do the rules say something else than before?

What the rules said before is in three places: an imported sheet's event has the verdict it was taken in with, the event
of a move what was found when it was played, and the read model what was found when the game was last written to.
Nothing is stored here, and no log is changed: what was written down stands whatever the rules become.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, Report, loads
from cartulary.notation.foreign.contract import turned
from cartulary.notation.foreign.formats import FORMATS
from cartulary.notation.roster import every_game
from cartulary.records.faults import Fault, Unfit, Uninstalled
from cartulary.records.library.search import EVERY_GAME, ID, NO_GAMES_OWN, Query, conditions_of, values_of, where, whole
from cartulary.records.log.events import (
    Annotated,
    ClockCorrected,
    GameImported,
    GameOpened,
    MovePlayed,
    SourceKept,
    TagsChanged,
)
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame, book_of, fold, judged, sheet

OTHER_WAY = frozenset(format.name for format in FORMATS if format.other_way is not None)
"""Formats whose files differ in whose result stands first."""
Told = tuple[int, str, str]
"""What is found on a ply: its number, the severity and the key."""

_AS_WRITTEN = (GameImported, SourceKept, GameOpened, MovePlayed, TagsChanged, Annotated, ClockCorrected)
"""Events after which every ply still is what it was judged as when it was written."""


class Changed(Struct, frozen=True):
    """A game of which the rules say something else. before, after: the verdicts, by the two editions.

    gone, new: what is found no more, and what is found now, in the order of the plies
    """

    id: str
    edition_before: str
    edition: str
    before: str
    after: str
    gone: tuple[Told, ...]
    new: tuple[Told, ...]


class OtherResult(Struct, frozen=True):
    """A game that was imported when results of its format were read the other way round.

    result: as it is stored; source: as its file means it
    """

    id: str
    result: str
    source: str


class Judged(Struct, frozen=True):
    """What came of judging again: how many games were, those that changed, and what is at fault with others.

    results: games whose result was read the other way round when they were taken in, and has not been mended since
    """

    games: int
    changed: tuple[Changed, ...]
    faults: tuple[Fault, ...]
    results: tuple[OtherResult, ...] = ()


def revalidate(
    store: Store, edition: str = "", query: Query = EVERY_GAME, progress: Callable[[int, int], None] | None = None
) -> Judged:
    """Judge games again and return those of which the rules say something else.

    edition: by the rules of this one, held against what those of the record's own say today; without it by those of the
    record's own, held against what was said when it was written
    query: which games; with an edition, only those of its game are looked at
    progress: called with games done and games in all
    Raises Unfit where no game of this edition is installed, Declined where the read model is not up to date.
    """
    whole(store)
    name, other = _of(edition) if edition else ("", None)
    conditions = conditions_of(store, query)
    rows = store.index.rows(
        f"SELECT {ID}, g.verdict, g.number, g.game FROM games g WHERE {where(conditions)} ORDER BY g.number",
        values_of(conditions),
    )
    if other is not None:
        rows = [row for row in rows if row[3] in (other.about.key, edition.rpartition("-")[0])]
    changed: list[Changed] = []
    faults: list[Fault] = []
    results: list[OtherResult] = []
    for done, (id, verdict, number, _) in enumerate(rows, 1):
        try:
            recorded = store.stream(id)
            found = _otherwise(id, recorded, name, edition) if name else _since(store, id, recorded, verdict, number)
            if found is not None:
                changed.append(found)
            if not edition and (other_result := _read_white_first(id, recorded)) is not None:
                results.append(other_result)
        except Fault as fault:
            faults.append(fault)
        if progress:
            progress(done, len(rows))
    return Judged(len(rows) - len(faults), tuple(changed), tuple(faults), tuple(results))


def _of(edition: str) -> tuple[str, AnyGame]:
    """Return the installed game of an edition and the name it is found by."""
    games = every_game()
    for name, game in games.items():
        if edition == game.about.edition:
            return name, game
    known = ", ".join(sorted(str(game.about.edition) for game in games.values()))
    raise Unfit(f"The edition {edition!r} is not installed here; expected one of: {known}.")


def _read_white_first(id: str, recorded: tuple[RecordedEvent, ...]) -> OtherResult | None:
    """Return the result of a game whose file means the other one; None for any other game.

    Earlier versions read results of PDN as those of the white side first, and did not keep that.
    """
    source = next((one.event for one in recorded if isinstance(one.event, SourceKept)), None)
    if source is None or source.results or not source.text or source.format not in OTHER_WAY:
        return None
    records = loads(source.text)
    meant = records[0].result if records and records[0].source.format == source.format else "*"
    now = fold(id, recorded).report.result
    return OtherResult(id, now, meant) if now == turned(meant) != meant else None


# --- by another edition ---


def _otherwise(id: str, recorded: tuple[RecordedEvent, ...], name: str, edition: str) -> Changed | None:
    """Return how the rules of another edition differ on a game from those of its own."""
    book = book_of(id, recorded)
    record = sheet(book)
    own = judged(book, record, len(recorded)).report
    tags = tuple(tag for tag in record.tags if tag[0] not in ("Game", "Edition"))
    moved = replace(record, tags=(("Game", name), ("Edition", edition), *tags))
    return _changed(id, own, judged(book, moved, len(recorded)).report)


def _changed(id: str, own: Report, other: Report) -> Changed | None:
    before, after = _found(own), _found(other)
    gone, new = _less(before, after), _less(after, before)
    if own.verdict == other.verdict and not (gone or new):
        return None
    return Changed(id, own.edition, other.edition, own.verdict, other.verdict, gone, new)


def _found(report: Report) -> tuple[Told, ...]:
    """Return what a report finds beside remarks, and by ruling."""
    return tuple((one.ply, one.severity, one.key) for one in report.findings if one.key not in NO_GAMES_OWN)


def _less(some: tuple[Told, ...], others: tuple[Told, ...]) -> tuple[Told, ...]:
    """Return what is found in some and not in others, whatever its severity."""
    there = {(ply, key) for ply, _, key in others}
    return tuple(sorted(one for one in some if (one[0], one[2]) not in there))


# --- since it was written ---


def _since(store: Store, id: str, recorded: tuple[RecordedEvent, ...], verdict: str, number: int) -> Changed | None:
    """Return how the rules differ on a game from what was said when it was written."""
    try:
        game = fold(id, recorded)
    except Uninstalled:
        if verdict == "unreadable":
            raise
        edition = next((value for name, value in book_of(id, recorded).sheet if name == "Edition"), "")
        return Changed(id, edition, "no edition installed here", verdict, "unreadable", (), ())
    now = _found(game.report)
    listed = store.index.rows("SELECT ply, severity, key FROM findings WHERE number=?", (number,))
    before = tuple(one for one in map(tuple, listed) if one[2] not in NO_GAMES_OWN)
    gone, new = set(_less(before, now)), set(_less(now, before))
    after = game.report.verdict
    if all(isinstance(each.event, _AS_WRITTEN) for each in recorded):
        first = recorded[0].event
        if isinstance(first, GameImported):
            # What could not be read is stored so that it can be: no rule has changed where that is legal.
            if first.verdict != "unreadable":
                verdict = first.verdict
                after = judged(game.book, game.record, len(recorded)).report.verdict
        else:
            lost, more = _against_the_log(game)
            gone |= lost
            new |= more
    if verdict == after and not (gone or new):
        return None
    edition = game.report.edition
    return Changed(id, edition, edition, verdict, after, tuple(sorted(gone)), tuple(sorted(new)))


def _against_the_log(game: LiveGame) -> tuple[set[Told], set[Told]]:
    """Return what was found against a move when it was played and is no more, and the other way round."""
    then: set[Told] = set()
    for ply, entry in enumerate(game.book.plies, 1):
        event = game.recorded[entry.ref[0] - 1].event
        if isinstance(event, MovePlayed):
            then |= {(ply, "error", found.key) for found in event.findings if found.severity == "error"}
    found = {(one.ply, one.severity, one.key) for one in game.report.findings}
    at_once = {
        (one.ply, one.severity, one.key)
        for one in game.report.findings
        if one.ply and one.severity == "error" and one.decided_by is None and one.key not in NO_GAMES_OWN
    }
    keys = {(ply, key) for ply, _, key in found}
    return {one for one in then if (one[0], one[2]) not in keys and one[2] not in NO_GAMES_OWN}, {
        one for one in at_once if (one[0], one[2]) not in {(ply, key) for ply, _, key in then}
    }
