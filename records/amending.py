"""Correcting what was written: the words change, the tail is kept and judged again."""

from collections.abc import Sequence

from msgspec.structs import replace

from cartulary.engine import Refused
from cartulary.notation import NotationError, steps
from cartulary.records.answers import Amended
from cartulary.records.book import found_of
from cartulary.records.events import MovesAmended
from cartulary.records.faults import Declined, Unread
from cartulary.records.fold import Game, fold
from cartulary.records.request import after, begin, now, plain, readable, write
from cartulary.records.store import Store


def amend(
    store: Store,
    id: str,
    ply: int,
    words: Sequence[str],
    *,
    replaced: int | None = None,
    by: str = "",
    reason: str = "",
    command: str = "",
    expected: int | None = None,
    stands: bool = False,
) -> Amended:
    """Correct plies from ``ply`` on, in a closed game too; the plies behind them are kept and judged again.

    words: what was really played; none removes
    replaced: how many plies give way, by default as many as there are words; 0 puts the words before ``ply``
    stands: new words the rules refuse are stored all the same, unless they cannot be applied
    Raises Declined for a ply that is not there, Unread for a word that is no move; then nothing is stored.
    """
    game, done = begin(store, id, expected, command, MovesAmended)
    if done is not None:
        return _amended_before(done)
    count = len(words) if replaced is None else replaced
    _there(game, ply, count, len(words))
    readable(game, ply)
    event, word = game.book.ref(ply)
    draft = MovesAmended(
        at=now(),
        by=plain(by, "The name"),
        command=command,
        event=event,
        word=word,
        replaced=min(count, game.plies - ply + 1),
        words=tuple(words),
        reason=plain(reason, "The reason"),
        findings=((),) * len(words),
        stands=stands,
    )
    new = after(game, [draft])
    applied = _applied(new, ply, len(words))
    findings = tuple(new.findings(at, at) for at in range(ply, ply + len(words)))
    refused = any(found.severity == "error" for each in findings for found in each)
    if refused and not (stands and applied):
        return _answer(game, new, draft, stored=False, blocks=not applied)
    spelled = new.words[ply - 1 : ply - 1 + len(words)]
    event_ = replace(draft, words=spelled, findings=tuple(found_of(each) for each in findings))
    return _answer(game, write(store, game, [event_]), event_, stored=True)


def _there(game: Game, ply: int, count: int, words: int) -> None:
    last = game.plies + (0 if count else 1)
    if not 1 <= ply <= last:
        raise Declined(f"There is no ply {ply} in {game.id}: it has {game.plies}.")
    if not words and ply + count - 1 > game.plies:
        raise Declined(f"{count} plies from {ply} on cannot be removed: {game.id} has {game.plies}.")
    if not words and not count:
        raise Declined("There is nothing to put there.")


def _applied(new: Game, ply: int, count: int) -> bool:
    """Say whether all new words could be applied. Raises Unread where one is no move at all."""
    if new.reached >= ply - 1 + count:
        return True
    heading, words = new.examined.heading, new.record.line.words
    assert heading.game is not None
    assert heading.sheet is not None
    state = heading.game.rules.setup(heading.sheet)
    assert not isinstance(state, Refused)
    for step in steps(heading.game, state, words, heading.sheet.seats):
        if isinstance(step.error, NotationError):
            raise Unread(step.error.because, step.word, step.error.column)
    return False


def _answer(game: Game, new: Game, event: MovesAmended, *, stored: bool, blocks: bool = False) -> Amended:
    """Return what a correction did, from the games before and after it."""
    ply = next(
        (at for at, entry in enumerate(game.book.plies, 1) if entry.ref == (event.event, event.word)),
        game.plies + 1,
    )
    behind = ply + len(event.words)
    tail = (behind, new.plies) if behind <= new.plies else (0, 0)
    known = {(game.book.ref(found.ply), found.key) for found in game.report.findings if found.severity == "error"}
    conflict = next(
        (
            found.ply
            for found in new.findings(behind)
            if found.severity == "error" and (new.book.ref(found.ply), found.key) not in known
        ),
        0,
    )
    return Amended(
        game.id,
        new.head.version,
        ply,
        game.words[ply - 1 : ply - 1 + event.replaced],
        new.words[ply - 1 : behind - 1],
        new.findings(ply, behind - 1),
        tail,
        conflict,
        new.findings(conflict, conflict) if conflict else (),
        stored,
        blocks,
    )


def _amended_before(done: Game) -> Amended:
    """Return the answer a command got when it was first given."""
    event = done.recorded[-1].event
    assert isinstance(event, MovesAmended)
    return _answer(fold(done.id, done.recorded[:-1]), done, event, stored=True)
