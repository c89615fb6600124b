"""Reading a line typed at a table: its words as they are to be written, or a guess at what was meant."""

from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from cartulary.engine.play import speakers
from cartulary.notation import steps
from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.arbiter.positions import position_at
from cartulary.notation.arbiter.replay import Step
from cartulary.notation.arbiter.typed import alike, did_you_mean, offered_words, read_typed
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.record import MISSING_WORD, SPELLING, NotationError
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import readable, still_open, takes_words, unplayable, words_of
from cartulary.records.faults import Unread
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import hidden_from, seen_game


class JudgedWords(Struct, frozen=True):
    """Words judged after the last ply of a game, as one viewer has it.

    Trying, answering and storing the words goes on from this, so that no word is judged twice.

    Attributes:
        words: The words, in order.
        steps: What the rules say of each, up to the first that cannot be read or applied.
        walk: The walk through the game that they were judged after; None if they are not judged yet.
    """

    words: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    walk: Walk | None = None


def judge_after(game: LiveGame, words: "Sequence[str] | JudgedWords") -> JudgedWords:
    """Return words judged after the last ply of a game; nothing is stored.

    Words that were judged there already are returned as they are. Judging ends at the first word that cannot be read or
    applied, whose step is the last.
    """
    if not isinstance(words, JudgedWords):
        words = JudgedWords(tuple(words))
    heading, examined = game.examined.heading, game.examined
    if words.walk is not None and words.walk is examined.walk:
        return words
    assert heading.game is not None
    assert heading.sheet is not None
    judged_steps = steps(heading.game, examined.state, words.words, heading.sheet.seats, examined.calls, game.plies + 1)
    return JudgedWords(words.words, tuple(judged_steps), examined.walk)


def typed_words(game: LiveGame, text: str, viewer: Viewer = EVERYTHING) -> JudgedWords:
    """Return the words of a line typed at a table, in the spelling in which they are to be written.

    Args:
        game: The game.
        text: The line.
        viewer: Whose line it is. It is read, and a guess made, from what that viewer knows. A quiet viewer is offered
            no move for a word that cannot be read.

    Returns:
        The words with what the rules say of each. If a ply is not known because nobody wrote it down, they are not
        judged yet (``walk`` is None), since the line is then judged as a whole.

    Raises:
        Unread: A word is no move here. The fault offers what may have been meant.
        Declined: The game is closed, only its score was kept, a ply cannot be carried out, or a quiet viewer's word is
            impossible.
        Unfit: The line holds more than moves, or the game has no such seat.
    """
    takes_words(game)
    still_open(game)
    seat = hidden_from(game, viewer)
    game = seen_game(game, seat)
    readable(game.id, game.examined, game.plies + 1)
    heading = game.examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    line = text.replace(";", " ")
    words_of(line, game.record.tags, heading.game.words.odd)
    examined, seats = game.examined, heading.sheet.seats
    typed = read_typed(heading.game, examined.state, examined.calls, seats, line, game.plies + 1)
    if typed.fault is not None and line != text:
        words_of(text, game.record.tags, heading.game.words.odd)  # What follows a semicolon may be a comment.
    if typed.fault is None:
        # With a ply nobody wrote, a line is judged as a whole: what may have been played turns on its later words.
        gaps = type(examined.state) in GAPS or any(MISSING_WORD in word for word in typed.words)
        return JudgedWords(typed.words) if gaps else JudgedWords(typed.words, typed.steps, examined.walk)
    word = typed.words[typed.index]
    if viewer.quiet and typed.fault.key != SPELLING:
        raise unplayable(word)
    offers = () if viewer.quiet else _words_on_offer(game, typed.words[: typed.index], seat)
    candidates, fault = alike(word, offers), typed.fault
    if not candidates and typed.beginning is not None:
        candidates, fault = typed.beginning[:1], typed.beginning[1]
    raise Unread(did_you_mean(candidates, fault.because), word, fault.column)


def typed_before(game: LiveGame, ply: int, text: str) -> tuple[str, ...]:
    """Return the words of a text typed as a correction, in the spelling in which they are to be written.

    A word that cannot be read stands as it was typed.

    Args:
        game: The game.
        ply: The first ply that is corrected.
        text: The text.

    Returns:
        The words, one a ply. Whether the rules allow them is not asked.

    Raises:
        Unread: The text is no movetext.
        Unfit: The text holds more than moves: comments, glyphs, a result.
    """
    played, line = game.examined.heading.game, text.replace(";", " ")
    if played is None:
        return words_of(text, game.record.tags)
    words = words_of(line, game.record.tags, played.words.odd)
    with suppress(NotationError):
        before = position_at(game.record, ply - 1, game.examined.walk)
        typed = read_typed(before.game, before.state, before.calls, before.seats, line, ply)
        if typed.fault is None:
            return typed.words
    return words if line == text else words_of(text, game.record.tags, played.words.odd)


def _words_on_offer(game: LiveGame, words: tuple[str, ...], seat: int | None) -> tuple[str, ...]:
    """Return the moves that may be offered for a word that cannot be read; none if it is not the turn of who typed it.

    Args:
        game: The game, as the seat sees it.
        words: The words typed before that word.
        seat: The seat that typed it, None for whoever sees everything.
    """
    heading = game.examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    played, seats = heading.game, heading.sheet.seats
    state, calls = game.examined.state, game.examined.calls
    for step in steps(played, state, words, seats, calls):
        state, calls = step.after, step.calls_after
    if seat is not None and seat not in speakers(played, state):
        return ()
    return tuple(offered_words(played, state, calls))
