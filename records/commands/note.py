"""Annotating plies and the game: words, glyphs, variations, and commands in a comment."""

from typing import Annotated

from cartulary.notation import Note
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import NoteAnswer
from cartulary.records.commands.annotation import NotePlace, Noting, Part, Within, annotate_note, read_noting
from cartulary.records.commands.request import GameRequest, carry_out, check_there, field
from cartulary.records.faults import Declined, Unread
from cartulary.records.log import events
from cartulary.records.log.contract import Log
from cartulary.records.log.fields import UNTOLD
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.notes import note_text
from cartulary.records.state.seat_view import hidden_from, seen_game, seen_version
from cartulary.records.texts import clean_name, now


class NoteRequest(GameRequest, frozen=True):
    """A note to be made on a ply, on the game, or in a variation.

    Attributes:
        ply: The ply, 0 for the game as a whole.
        comment: Words. A command in them replaces one of the same name.
        glyphs: Glyphs, by their codes.
        variations: Variations, each in parentheses as CGN has them; they are stored in canonical spelling.
        replace: What is removed first: False for nothing, True for all of the annotation, with variations and commands
            other than a stated board, ``glyphs`` or ``words``.
        within: The way into variations of the ply, as pairs of a variation and a ply in it; empty for the ply itself.
        text: Glyphs, variations and words as they are typed. The glyphs are added to those above; the variations count
            only if ``variations`` is empty, and the words only if ``comment`` is.
    """

    ply: Annotated[int, field("The ply, counted from 1; 0 is the game as a whole.", "PLY")]
    comment: str = ""
    glyphs: Annotated[tuple[int, ...], field("! ? !! ?? !? ?! or a code such as $14.", "GLYPH")] = ()
    variations: str = ""
    replace: Annotated[Part, field("First remove everything that was noted there.")] = False
    within: Within = ()
    text: Annotated[
        str, field("The comment; a glyph such as ! or a variation such as (8Dj2 8Ca7) may come first.", "TEXT")
    ] = ""

    @property
    def noting(self) -> Noting:
        """Everything that is to be noted: the fields, with what ``text`` adds.

        Raises Unfit for a glyph that does not exist.
        """
        typed = read_noting(self.text)
        comment, variations = self.comment or typed.comment, self.variations or typed.variations
        return Noting(comment, (*self.glyphs, *typed.glyphs), variations, self.replace)


def annotate(store: Log, id: str, request: NoteRequest, viewer: Viewer = EVERYTHING) -> NoteAnswer:
    """Add a comment, glyphs or variations to the note on a ply, or put them in its place.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The ply, and what is to be noted.
        viewer: From whose view variations are read and it is answered; no seat is shown notes.

    Returns:
        The note as CGN has it now and as it was until then; ``~`` for each that is not empty, if cards are hidden from
        the viewer. With ``dry``, nothing is stored.

    Raises:
        Declined: The ply or the variation is not there, the comment contains a ``}``, a variation cannot be carried
            out, or a seat of a game with hidden cards annotates inside a variation.
        Unfit: There is nothing to note or no such glyph, or the comment holds a command that has a way of its own to be
            written.
        Unread: A variation cannot be read.
        Fault: As ``execute`` says.
    """
    noting = request.noting

    def decide(game: LiveGame) -> tuple[events.NoteReplaced]:
        note = _new_note(game, request.ply, noting, request.within, hidden_from(game, viewer))
        event, word = game.book.ref(request.ply)
        who, text = clean_name(request.by), note_text(note)
        return (events.NoteReplaced(at=now(), by=who, command=request.command, event=event, word=word, text=text),)

    game, done = carry_out(store, id, request, viewer, decide, events.NoteReplaced)
    seat = hidden_from(done, viewer)
    noted = done.recorded[-1].event
    assert isinstance(noted, events.NoteReplaced)
    at = _ply_of(done, noted)
    now_there, before = noted.text, note_text(_note_on(game, request.ply))
    if seat is not None:
        now_there, before = now_there and UNTOLD, before and UNTOLD
    return NoteAnswer(id, seen_version(done, seat), at, now_there, before)


def _new_note(game: LiveGame, ply: int, noting: Noting, within: Within, seat: int | None) -> Note:
    """Return the note on a ply as it will be with the annotation; nothing is stored.

    Args:
        game: The game.
        ply: The ply, 0 for the game as a whole.
        noting: The annotation.
        within: The way into the variations of the ply, as pairs of the number of a variation and a ply in it, from 1.
        seat: The seat from whose view variations are read; None if nothing is hidden from whoever asks.

    Raises:
        Declined: The ply is not there, or ``within`` is given for a seat.
        Fault: As ``annotate_note`` says.
    """
    check_there(game, (ply,) if ply else ())
    if within and seat is not None:
        raise Declined("Notes and variations are not shown to seats; ask without a seat.")
    try:
        return annotate_note(
            NotePlace(game.id, seen_game(game, seat).examined, ply, _note_on(game, ply)), noting, within
        )
    except Unread as fault:
        because = f"{fault.because}; a note that begins with a parenthesis is read as a variation"
        raise Unread(because, fault.text, fault.column) from None


def _note_on(game: LiveGame, ply: int) -> Note:
    """Return the note on a ply, or for ply 0 the one before the first ply; an empty note if nothing was noted."""
    return game.book.plies[ply - 1].note if ply else game.book.preface


def _ply_of(game: LiveGame, noted: events.NoteReplaced) -> int:
    """Return the number of the ply that an event annotated; 0 for the game as a whole, and for a ply that is gone."""
    at = (noted.event, noted.word)
    return next((ply for ply, entry in enumerate(game.book.plies, 1) if entry.ref == at), 0)
