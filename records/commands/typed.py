"""A line typed at a table: its words as they are to be written, or what was probably meant."""

from cartulary.engine.play import speakers
from cartulary.notation import steps
from cartulary.notation.arbiter.typed import alike, did_you_mean, offered_words, read_typed
from cartulary.notation.cgn.record import SPELLING
from cartulary.records.commands.request import readable, still_open, takes_words, unplayable, words_of
from cartulary.records.faults import Unread
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import seen_game, viewer


def typed_words(game: LiveGame, text: str, *, seat: int | None = None, quiet: bool = False) -> tuple[str, ...]:
    """Return the words of a line typed at a table, those that read in no other way as they were meant.

    seat: whose line it is; it is read, and what may have been meant worked out, from what that seat knows
    quiet: no move is offered for a word that cannot be read
    Raises Unread for a word that is no move here, Declined for a closed game, Unfit for what is more than moves.
    """
    takes_words(game)
    still_open(game)
    seat = viewer(game, seat)
    game = seen_game(game, seat)
    readable(game.id, game.examined, game.plies + 1)
    words_of(text, game)
    heading = game.examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    said = read_typed(heading.game, game.examined.state, game.examined.calls, heading.sheet.seats, text)
    if said.fault is None:
        return said.words
    word = said.words[said.index]
    if quiet and said.fault.key != SPELLING:
        raise unplayable(word)
    offered = () if quiet else _offered(game, said.words[: said.index], seat)
    meant, fault = (said.candidate,) if said.candidate else alike(word, offered), said.fault
    if not meant and said.begun is not None:
        meant, fault = said.begun[:1], said.begun[1]
    raise Unread(did_you_mean(meant, fault.because), word, fault.column)


def _offered(game: LiveGame, before: tuple[str, ...], seat: int | None) -> tuple[str, ...]:
    """Return the words a seat may be offered behind some more words. game: as it has seen it"""
    heading = game.examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    played, seats = heading.game, heading.sheet.seats
    state, calls = game.examined.state, game.examined.calls
    for step in steps(played, state, before, seats, calls):
        state, calls = step.after, step.calls_after
    if seat is not None and seat not in speakers(played, state):
        return ()
    return tuple(offered_words(played, state, calls))
