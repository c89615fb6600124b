"""``deal``: prints who can hold what."""

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.options import At, Db, Json, Name, Quiet, SeatOf
from cartulary.cli.shell.places import next_command
from cartulary.cli.shell.positions import read_position
from cartulary.cli.shell.sources import STDIN
from cartulary.notation.arbiter.replay import deal_over
from cartulary.notation.unjudged import nobody_judges
from cartulary.records.texts import quiet_text


def command(
    name: Name = STDIN,
    at: At = None,
    seat: SeatOf = "",
    quiet: Quiet = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Print who can hold what: each card not yet played, with the places it may be in.

    \b
    Example:
      cartulary deal "$(cartulary samples tarot)/table-open.cgn"
    """
    position = read_position(name, at, db, seat, quiet=quiet)
    if position.viewer.quiet:
        put_json({"quiet": True}) if json else put(f"; {quiet_text(name, next_command('reveal', name, db=db))}")
        return
    state = position.state
    if at is None and not json and position.last is not None and (over := deal_over(position.game, position.last)):
        for line in wrap(f"; deal over: {over}"):
            put(line)
        put(f"; these are the cards before ply {position.ply}, with which the deal ended; --at takes any other ply")
        state = position.last.state
    lines = position.game.hidden.whereabouts(state)
    if position.game.hidden.face_up and not json:
        put(f"; every card of {position.game.about.title} lies open")
    if nobody_judges(position.game) and not json:
        put("; this record is not judged, so it is not known where the cards are")
    for cards, places in lines:
        if json:
            put_json({"cards": [card.strip() for card in cards.split(",")], "places": places})
            continue
        for line in wrap(f"{cards}: {places}"):
            put(line)
