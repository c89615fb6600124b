"""Correcting what was written: words are replaced, and the plies after them are kept and judged again."""

import re
from collections.abc import Iterator
from typing import Annotated, NamedTuple

from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import AmendAnswer
from cartulary.records.commands.request import (
    GameRequest,
    Plan,
    Reason,
    Stands,
    after,
    execute,
    field,
    not_muted,
    plies_of,
    readable,
    takes_words,
    words_in,
)
from cartulary.records.commands.typed import typed_before
from cartulary.records.faults import Declined, Unread
from cartulary.records.log.contract import Log
from cartulary.records.log.events import MovesAmended
from cartulary.records.state.book import found_of
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.people import People, people_of
from cartulary.records.state.rounds import corrected_round
from cartulary.records.state.seat_view import for_everybody, hidden_from, seen_version
from cartulary.records.texts import clean_name, now, plain

_BEFORE_A_FIELD = re.compile(r"\s+(?=[A-Za-z]+=)")


class AmendRequest(GameRequest, frozen=True):
    """Plies to be corrected; those after them are kept and judged again.

    Attributes:
        ply: The first of them.
        words: What was really played, one word a ply as in files, or a line as it is typed at a table; empty to remove
            ``plies``. A round that was entered as its score is corrected by its fields too, ``Points=51``; the others
            stay.
        plies: How many plies are replaced or removed; None for as many as there are words. 0 inserts the words before
            ``ply``.
        reason: Why.
        stands: Whether words that the rules refuse are stored all the same, unless they cannot be applied.
    """

    ply: Annotated[int, field("The first ply to correct; plies count from 1.", "PLY")]
    words: Annotated[str | tuple[str, ...], field("What was really played.", "TEXT…")] = ""
    plies: Annotated[int | None, field("How many plies TEXT replaces; by default as many as it holds.", "N")] = None
    reason: Reason = ""
    stands: Stands = False


def amend(store: Log, id: str, request: AmendRequest, viewer: Viewer = EVERYTHING) -> AmendAnswer:
    """Correct plies, in a closed game too; the plies after them are kept and judged again.

    If the rules refuse a word that is not to stand or cannot be applied, nothing is stored, and the answer says so.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The plies, and what was really played.
        viewer: Who corrects; no game that holds cards it has not seen. From whom verdicts are withheld, such as a seat
            in a quiet record, corrects nothing there.

    Returns:
        What the correction did: the old and the new words, what the rules say of them, and the plies after them that it
        broke. ``stored`` is False if the rules refuse the words; with ``dry``, nothing is stored in any case.

    Raises:
        Declined: The ply is not there, a ply before it cannot be applied, only the score of the game was kept, or
            whoever asks may not correct.
        Unread: A word is no move.
        Unfit: The text holds more than moves.
        WrongAnswer: A field of a round cannot have that value.
        Fault: As ``execute`` says.
    """
    return amended_game(store, id, request, viewer)[0]


def amended_game(
    store: Log, id: str, request: AmendRequest, viewer: Viewer = EVERYTHING
) -> tuple[AmendAnswer, LiveGame]:
    """Correct plies as ``amend`` does, and return its answer with the corrected game.

    If the rules refuse the words, the game is as it would stand with them, although nothing is stored.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The plies, and what was really played.
        viewer: Who corrects.

    Raises:
        Fault: As ``amend`` says.
    """
    ply, stands = request.ply, request.stands
    people = people_of(store).seen_by(viewer)

    def check(game: LiveGame) -> None:
        _words(game, request, people)
        not_muted(game, viewer, "A correction")
        for_everybody(game, hidden_from(game, viewer), "A correction")

    def decide(game: LiveGame) -> Plan[_Tried]:
        words = _words(game, request, people)
        who = (clean_name(request.by), plain(request.reason, "The reason"))
        event = replace(_draft(game, ply, words, request.plies, who, request.command), stands=stands)
        new = after(game, [event])
        can = applied(new, ply, len(words))
        findings = tuple(new.findings(at, at) for at in range(ply, ply + len(words)))
        refused = any(finding.severity == "error" for on_word in findings for finding in on_word)
        if refused and not (stands and can):
            return Plan((), _Tried(event, new, not can))
        # The words are stored in canonical spelling.
        spelled = new.words[ply - 1 : ply - 1 + len(words)]
        event = replace(event, words=spelled, findings=tuple(found_of(on_word) for on_word in findings))
        return Plan((event,), _Tried(event), new)

    before, done, tried, repeated = execute(store, id, request, viewer, decide, MovesAmended, check=check)
    seat = hidden_from(before, viewer)
    if tried.refused is not None:
        refusal = amended_answer(before, tried.refused, tried.event, stored=False, blocks=tried.blocks, seat=seat)
        return refusal, tried.refused
    dry = request.dry and not repeated
    return replace(amended_answer(before, done, tried.event, stored=True, seat=seat), dry=dry), done


def _words(game: LiveGame, request: AmendRequest, people: People) -> tuple[str, ...]:
    """Return the words of a request, one a ply; nothing is stored.

    For a round that was entered as its score, fields such as ``Points=51`` give the word; the other fields stay.

    Args:
        game: The game.
        request: The request.
        people: The people of the archive, by whose names a field may name a player.

    Raises:
        Unread, Unfit or WrongAnswer: As ``amend`` says.
    """
    if request.plies in (None, 1):
        text = request.words if isinstance(request.words, str) else " ".join(request.words)
        changes = _BEFORE_A_FIELD.split(text.strip()) if text.strip() else ()
        if word := corrected_round(game, request.ply, changes, people):
            return (word,)
    if isinstance(request.words, str):
        return typed_before(game, request.ply, request.words)
    return words_in(request.words, game.record.tags)


class _Tried(NamedTuple):
    """A correction that was judged.

    Attributes:
        event: The correction.
        refused: The game as it would stand, where the rules refuse it; else None.
        blocks: Whether a word cannot be applied at all.
    """

    event: MovesAmended
    refused: LiveGame | None = None
    blocks: bool = False


def _draft(
    game: LiveGame, ply: int, words: tuple[str, ...], number_replaced: int | None, who: tuple[str, str], command: str
) -> MovesAmended:
    """Return the correction as it was typed, with no findings yet; nothing is stored.

    Args:
        game: The game.
        ply: The first ply to replace, from 1.
        words: The new words.
        number_replaced: How many plies they replace; None for as many as there are words, 0 to insert them.
        who: By whom it is made, and the reason.
        command: The key of the command, empty for none.

    Raises:
        Declined: The plies are not there, a ply before them cannot be applied, or only the score of the game was kept.
    """
    count = len(words) if number_replaced is None else number_replaced
    _check_plies(game, ply, count, len(words))
    takes_words(game)
    readable(game.id, game.examined, ply)
    event, word = game.book.ref(ply)
    return MovesAmended(
        at=now(),
        by=who[0],
        command=command,
        event=event,
        word=word,
        plies=min(count, game.plies - ply + 1),
        words=words,
        reason=who[1],
        findings=((),) * len(words),
        stands=False,
    )


def _check_plies(game: LiveGame, ply: int, count: int, words: int) -> None:
    """Raise Declined if plies cannot be replaced by new words.

    With words, the plies may reach past the last one; to remove plies all must be there.

    Args:
        game: The game.
        ply: The first of the plies, from 1; to insert words, it may be the one after the last.
        count: The number of plies, 0 to insert words before ``ply``.
        words: The number of words, 0 to remove the plies.
    """
    last = game.plies + (0 if count else 1)
    if not 1 <= ply <= last:
        raise Declined(f"There is no ply {ply} in {game.id}; it has {plies_of(game)}.")
    if not words and ply + count - 1 > game.plies:
        removed = how_many(count, "ply", "plies")
        raise Declined(f"{game.id} has {plies_of(game)}, too few to remove {removed} from ply {ply} on.")
    if not words and not count:
        raise Declined("There is nothing to insert; give one move or more.")


def applied(new: LiveGame, ply: int, count: int) -> bool:
    """Say whether all new words could be applied in a corrected game.

    Args:
        new: The game as it stands with the words.
        ply: The ply of the first word.
        count: The number of words.

    Raises:
        Unread: A word, or a ply before the words, is no move at all.
    """
    if new.plies_reached >= ply - 1 + count:
        return True
    step = new.examined.steps[-1]
    if step.error is not None:
        raise Unread(unread_because(new.examined.heading, step), step.word, step.error.column)
    return False


def amended_answer(
    game: LiveGame, new: LiveGame, event: MovesAmended, *, stored: bool, blocks: bool = False, seat: int | None = None
) -> AmendAnswer:
    """Return what a correction did, or would do.

    Args:
        game: The game before it.
        new: The game after it.
        event: The correction.
        stored: Whether it was stored.
        blocks: Whether a new word cannot be applied.
        seat: The seat that asked, which counts events in its own way; None for whoever sees everything.

    Returns:
        The answer. Its ``conflict`` is the first later ply that is at fault only since the correction, 0 for none.
    """
    ply = next(
        (number for number, entry in enumerate(game.book.plies, 1) if entry.ref == (event.event, event.word)),
        game.plies + 1,
    )
    after_words = ply + len(event.words)
    tail = (after_words, new.plies) if after_words <= new.plies else (0, 0)
    errors_before = {
        (game.book.ref(finding.ply), finding.key) for finding in game.report.findings if finding.severity == "error"
    }
    errors = [finding for finding in new.findings(after_words) if finding.severity == "error"]
    broken = [finding for finding in errors if (new.book.ref(finding.ply), finding.key) not in errors_before]
    conflict = broken[0].ply if broken else 0
    return AmendAnswer(
        game.id,
        seen_version(new, seat),
        ply,
        game.words[ply - 1 : ply - 1 + event.plies],
        new.words[ply - 1 : after_words - 1],
        new.findings(ply, after_words - 1),
        tail,
        conflict,
        new.findings(conflict, conflict) if conflict else (),
        new.plies_reached + 1 if after_words - 1 <= new.plies_reached < new.plies else 0,
        tuple(
            finding for finding in new.findings(after_words) if finding.severity != "remark" and finding not in broken
        ),
        stored,
        blocks,
        seat_changes=tuple(_seat_changes(game, new, after_words)),
    )


def _seat_changes(game: LiveGame, new: LiveGame, first: int) -> Iterator[tuple[int, str, int, int]]:
    """Yield the plies from ``first`` on that another seat has played now, as tuples: ply, word, seat before, seat now.

    A word without a seat belongs to the seat whose turn it is, and a correction may change that.

    Args:
        game: The game before the correction.
        new: The game after it.
        first: The first ply after the new words, in the numbers of the corrected game.
    """
    seat_before = {entry.ref: seat for entry, seat in zip(game.book.plies, game.examined.spoke, strict=False)}
    played = zip(new.book.plies, new.examined.spoke, new.words, strict=False)
    for ply, (entry, seat, word) in enumerate(played, 1):
        old_seat = seat_before.get(entry.ref, seat)
        if ply >= first and old_seat != seat:
            yield ply, word, old_seat, seat
