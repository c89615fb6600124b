"""A line typed at a table: its words as they are to be written, or what was probably meant."""

from msgspec.structs import replace

from cartulary.engine.play import NO_CALLS
from cartulary.notation import Line, as_seen, steps
from cartulary.notation.spoken import alike, hear, offered_words
from cartulary.records.faults import Unread
from cartulary.records.fold import Game
from cartulary.records.request import readable, still_open, words_of


def heard(game: Game, text: str, *, seat: int = 0) -> tuple[str, ...]:
    """Return the words of a line typed at a table, those that read in no other way as they were meant.

    seat: whose line it is; what may have been meant is worked out from what it knows
    Raises Unread for a word that is no move here, Declined for a closed game, Unfit for what is more than moves.
    """
    still_open(game)
    readable(game, game.plies + 1)
    words_of(text)
    heading = game.examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    said = hear(heading.game, game.examined.state, game.examined.calls, heading.sheet.seats, text)
    if said.fault is None:
        return said.words
    word = said.words[said.index]
    meant = alike(word, _offered(game, said.words[: said.index], seat))
    because = said.fault.because
    if meant:
        named = " or ".join((", ".join(meant[:-1]), meant[-1]) if meant[1:] else meant)
        because = f"did you mean {named}? {because[:1].upper()}{because[1:]}"
    raise Unread(because, word, said.fault.column)


def _offered(game: Game, before: tuple[str, ...], seat: int) -> tuple[str, ...]:
    """Return the words a seat may be offered behind some more words."""
    heading = game.examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    rulebook, seats = heading.game, heading.sheet.seats
    state, calls, words = game.examined.state, game.examined.calls, before
    hides = seat and not rulebook.rules.FACE_UP
    if hides:
        words = as_seen(replace(game.record, line=Line((*game.record.line.words, *before))), seat).line.words
        state, calls = rulebook.rules.setup(rulebook.rules.view_sheet(heading.sheet, seat)), NO_CALLS
    for step in steps(rulebook, state, words, seats, calls):
        state, calls = step.after, step.calls_after
    if hides and seat not in rulebook.rules.actors(state):
        return ()
    return tuple(offered_words(rulebook, state, calls))
