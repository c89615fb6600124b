"""Annotating plies and the game: words, glyphs, variations, and the commands a comment carries."""

from cartulary.notation import Note
from cartulary.records.answers import Noted
from cartulary.records.commands.annotation import NotePlace, Noting, Part, Within, annotated
from cartulary.records.commands.request import GameRequest, carry_out, check_there
from cartulary.records.faults import Declined, Unread
from cartulary.records.log.events import Annotated
from cartulary.records.log.fields import UNTOLD
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.notes import note_text
from cartulary.records.state.seat_view import seen_game, seen_version, viewer
from cartulary.records.texts import named, now


def annotate(
    store: Store,
    id: str,
    ply: int,
    comment: str = "",
    *,
    glyphs: tuple[int, ...] = (),
    variations: str = "",
    replace: Part = False,
    within: Within = (),
    by: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int | None = None,
) -> Noted:
    """Add a comment, glyphs or variations to the note on a ply.

    ply: 0 for the game as a whole; comment: its words; a command in it takes the place of one of the same name
    variations: other plies than this one, each in parentheses as CGN has them; stored in their one spelling
    replace: take the whole annotation away first, commands and variations too; or its glyphs, or its words
    within: the ply of a variation it is on; its own ply without it
    seat: from whose view variations are read and it is answered; no seat is told what is noted
    Raises Declined for a ply that is not there, and as ``annotated``.
    """
    noting = Noting(comment, glyphs, variations, replace)

    def draft(game: LiveGame) -> tuple[Annotated]:
        note = _annotated(game, ply, noting, within, viewer(game, seat))
        event, word = game.book.ref(ply)
        who = named(by)
        text = note_text(note)
        noted = Annotated(at=now(), by=who, command=command, event=event, word=word, text=text)
        return (noted,)

    game, done = carry_out(store, id, GameRequest(command=command, expected=expected), seat, draft, Annotated)
    seat = viewer(done, seat)
    noted = done.recorded[-1].event
    assert isinstance(noted, Annotated)
    at = _ply(done, noted)
    now_there, before = noted.text, note_text(_note(game, ply))
    if seat is not None:
        now_there, before = now_there and UNTOLD, before and UNTOLD
    return Noted(id, seen_version(done, seat), at, now_there, before)


def _annotated(game: LiveGame, ply: int, noting: Noting, within: Within, seat: int | None) -> Note:
    """Return what stands behind a ply then. seat: from whose view, as ``viewer`` returns it"""
    check_there(game, (ply,) if ply else ())
    if within and seat is not None:
        raise Declined("Notes and variations are not shown to seats; ask without a seat.")
    try:
        return annotated(NotePlace(game.id, seen_game(game, seat).examined, ply, _note(game, ply)), noting, within)
    except Unread as fault:
        because = f"{fault.because}; a note that begins with a parenthesis is read as a variation"
        raise Unread(because, fault.text, fault.column) from None


def _note(game: LiveGame, ply: int) -> Note:
    return game.book.plies[ply - 1].note if ply else game.book.preface


def _ply(game: LiveGame, noted: Annotated) -> int:
    """Return the ply an annotation is on, 0 for the game."""
    at = (noted.event, noted.word)
    return next((ply for ply, entry in enumerate(game.book.plies, 1) if entry.ref == at), 0)
