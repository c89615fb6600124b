"""Positions of the records that arguments name, and how they are printed.

A game says what stands where, and in which role, such as ``p1`` or ``palace``; here a role only gets its colour. All of
it can be read without colour too.
"""

from collections.abc import Iterable, Iterator

from cartulary.cli.shell.console import FINDINGS, USAGE, fail, tint
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.views import view_game
from cartulary.notation import NotationError, examine
from cartulary.notation.arbiter.positions import NoPly, Position, position_at, positions
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.controls import isolate
from cartulary.notation.picture import Picture, Row
from cartulary.notation.seat_names import name_rows
from cartulary.notation.seatings import sitting
from cartulary.records import api

ROLES = {
    "p1": "1;36",
    "p2": "1;33",
    "p1 last": "1;36;7",
    "p2 last": "1;33;7",
    "palace": "35",
    "midline": "2",
    "frame": "2",
    "last": "7",
}
"""The colour of each role, as the parameters of a terminal's SGR sequence; other roles stay plain."""


def picture_lines(rows: Iterable[Row], colour: bool) -> Iterator[str]:
    """Yield each row of a picture as a line of text, without blanks at its end.

    With ``colour`` each part that has a role is coloured by it.
    """
    for row in rows:
        if not colour:
            yield "".join(span.text for span in row).rstrip()
            continue
        yield "".join(_coloured(span.text, span.role) for span in row).rstrip()


def _coloured(text: str, role: str) -> str:
    """Return a text in the colour of its role in ``ROLES``; unchanged if the role has none."""
    code = ROLES.get(role)
    return tint(text, code) if code and text else text


def follow(name: str, game: "api.SeenGame", walk: Walk | None) -> Iterator[Position]:
    """Yield the positions of a game in order; end the program if its tags set up no game.

    Args:
        name: The game, as the sentence names it.
        game: The game as the viewer may see it.
        walk: A walk through it; None walks it again.
    """
    try:
        yield from positions(game.record, walk, game.viewer)
    except NotationError as fault:
        fail(f"{name}: {fault.because}.", FINDINGS)


def read_position(name: str, at: int | None, db: str | None = None, seat: str = "", quiet: bool = False) -> Position:
    """Return the position of the game that an argument names, as ``--seat`` may see it.

    The program ends if there is no such game, seat or ply.

    Args:
        name: The file, the id or ``-``.
        at: After how many plies; None for as far as the record can be read.
        db: Where live records are kept, as it was typed.
        seat: Who looks, as it was typed; empty for everything.
        quiet: Whether the verdicts of a quiet record stay quiet.
    """
    return position_of(view_game(name, db, seat, quiet), name, at)


def position_of(game: "api.SeenGame", name: str, at: int | None, walked: bool = False) -> Position:
    """Return the position of a game after so many plies.

    The program ends with the code of wrong usage if there is no such ply, and with that of findings if the plies before
    it cannot be followed.

    Args:
        game: The game as the viewer has seen it.
        name: The game, as the sentence names it.
        at: How many plies; None for as far as the record can be read.
        walked: Whether the position needs the steps to the end of the record, for example to show its result.
    """
    walk = examine(game.record).walk if walked and game.walk is None else game.walk
    try:
        return position_at(game.record, at, walk, game.viewer)
    except NotationError as fault:
        fail(f"{name}: {fault.because}.", USAGE if isinstance(fault, NoPly) else FINDINGS)


def heading(position: Position, people: "api.People") -> Iterator[str]:
    """Yield a line with the game, its variant if it has several, and the players, folded to the terminal.

    ``My Game: p1 First: Ann; p2 Second: Bea``

    Args:
        position: The position, which says who sits at each seat.
        people: The people under whose names the players are shown.
    """
    tags = position.game.about.seat_tags(position.seats)
    names = names_at(position, people)
    roles = ["" if tag.startswith("Seat") else f" {tag}:" for tag in tags]
    players = "; ".join(f"p{n}{role} {isolate(who)}" for n, (role, who) in enumerate(zip(roles, names, strict=True), 1))
    about = position.game.about
    variant = f", {position.record.tag('Variant', about.variants[0])}" if len(about.variants) > 1 else ""
    yield from wrap(f"{about.title}{variant}: {players}")


def names_at(position: Position, people: "api.People") -> tuple[str, ...]:
    """Return who sits at each seat of a position, in seat order, under the names that ``people`` shows.

    Who took over a seat later is not named.
    """
    tags = position.game.about.seat_tags(position.seats)
    return people.display_names(sitting(position.record, tags, position.ply))


def rows_of(position: Position, people: "api.People") -> Picture:
    """Return a position as rows of spans of text, as its viewer may see it, with the names of the players."""
    picture = position.game.words.picture(position.drawn_state, position.viewer.seat)
    return name_rows(picture, names_at(position, people))


def board_lines(position: Position, people: "api.People", colour: bool) -> Iterator[str]:
    """Yield the lines of the board, as the viewer of the position may see it, with the names of the players."""
    yield from picture_lines(rows_of(position, people), colour)
