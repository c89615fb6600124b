"""``moves``: lists the legal moves of a position."""

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.options import At, Db, Json, Name, Quiet, SeatOf
from cartulary.cli.shell.places import next_command
from cartulary.cli.shell.positions import read_position
from cartulary.cli.shell.sources import STDIN
from cartulary.engine.play import speakers
from cartulary.notation import judged_words
from cartulary.notation.arbiter.finding import verdict_text
from cartulary.notation.arbiter.positions import Position
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import Everything, Seat, Spectator
from cartulary.records.texts import quiet_text


def command(
    name: Name = STDIN,
    at: At = None,
    seat: SeatOf = "",
    quiet: Quiet = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """List the legal moves of a position, one on each line, in the order in which the game gives them.

    Moves that hidden cards leave undecided stand in a last line. A line that begins with a semicolon says what is
    missing.

    \b
    Example:
      cartulary moves "$(cartulary samples cardmate)/page-1.cgn" --at 36
    """
    position = read_position(name, at, db, seat, quiet=quiet)
    viewer = position.viewer
    game = position.game
    seats = position.actors
    words: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    watching = isinstance(viewer, Spectator) and game.hidden.face_up
    speaks = isinstance(viewer, Everything) or viewer.seat in speakers(game, position.state)
    if seats and not viewer.quiet and (speaks or watching):
        words, undecided = judged_words(position.game, position.state, position.calls)
    complete = not viewer.quiet and (not seats or game.rules.complete(position.state))
    if json:
        put_json(
            {
                "ply": position.ply + 1,
                "seats": [f"p{number}" for number in seats],
                "moves": words,
                "open": undecided,
                "complete": complete,
            }
        )
        return
    for word in words:
        put(word)
    for line in wrap(f"; {verdict_text('undecided')}: {' '.join(undecided)}", "; ") if undecided else ():
        put(line)
    if viewer.quiet:
        put(f"; {quiet_text(name, next_command('reveal', name, db=db))}")
    elif nobody_judges(game):
        put("; this record is not judged: no word is refused, and none is listed")
    elif not complete:
        put("; not every legal move can be listed here")
    elif not (words or undecided):
        put(f"; no move is listed: {_why_none(position)}")


def _why_none(position: Position) -> str:
    """Return why no move of a position is listed for its viewer, as the end of a sentence."""
    viewer, state = position.viewer, position.state
    if position.calls.outcome or position.game.rules.outcome(position.game.turns.settle(state)):
        return "the game has ended"
    if not position.actors:
        return "who is to move is not known"
    who = " or ".join(f"p{seat}" for seat in position.actors)
    if isinstance(viewer, Seat) and viewer.seat not in speakers(position.game, state):
        return f"it is for {who} to move, not for {viewer.name}"
    if isinstance(viewer, Spectator):
        return f"the cards of {who} are not seen from {viewer.name}"
    return f"{who} has no legal move"
