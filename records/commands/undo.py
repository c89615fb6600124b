"""The last plies taken back; the log keeps them."""

from cartulary.engine.numbers import seat_number, seats_named
from cartulary.notation.cgn.signs import count, cut
from cartulary.records.answers import TakenBack
from cartulary.records.commands.request import carry_out, plies_of, still_open
from cartulary.records.commands.seats import seat_of, seated
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import MoveTakenBack
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import seen_game, seen_version, viewer
from cartulary.records.texts import named, now, plain


def take_back(
    store: Store,
    id: str,
    plies: int = 1,
    *,
    by: str = "",
    agreed: str = "",
    reason: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int | None = None,
    own: bool = False,
) -> TakenBack:
    """Take back the last plies; the log keeps them.

    agreed: who agreed to it; seat: the words are answered as this seat has seen them
    own: only from a ply of this seat on, and only what another seat of the game agreed to, by its number or by the name
    of its player
    Raises Declined for a closed game, where there are not that many plies, and where only the one who takes back has
    agreed; Unfit for a seat that the game has not.
    """

    def draft(game: LiveGame) -> tuple[MoveTakenBack]:
        still_open(game)
        if not 1 <= plies <= game.plies:
            raise Declined(f"{count(plies, 'ply', 'plies')} cannot be taken back: {id} has {plies_of(game)}.")
        if own:
            _check_own(game, game.plies - plies + 1, seat, named(agreed))
        event, word = game.book.ref(game.plies - plies + 1)
        taken = MoveTakenBack(
            at=now(),
            by=named(by),
            command=command,
            event=event,
            word=word,
            plies=plies,
            agreed=_consent(game, named(agreed), f"p{seat}" if own else by),
            reason=plain(reason, "The reason"),
        )
        return (taken,)

    before, done = carry_out(store, id, expected, command, MoveTakenBack, draft, seat)
    seat = viewer(done, seat)
    words = tuple(step.text for step in seen_game(before, seat).examined.steps) if seat is not None else before.words
    return TakenBack(id, seen_version(done, seat), words[done.plies :], done.plies)


def _check_own(game: LiveGame, ply: int, seat: int | None, agreed: str) -> None:
    """Raise Unfit where no seat agreed, Declined where the ply is another's: a seat takes back what it played."""
    if not agreed:
        raise Unfit("Say which other seat agreed, such as p2: nobody takes a ply back alone.")
    if seat_number(seat_of(game, agreed)) not in range(1, game.book.seats + 1):
        there = seats_named(game.book.seats)
        raise Unfit(f"{cut(agreed)} is not a seat of {game.id} that could agree; expected another seat, {there}.")
    steps = game.examined.steps
    if ply > len(steps) or steps[ply - 1].move is None or steps[ply - 1].move.seat != seat:
        raise Declined(
            f"Ply {ply} of {game.id} is not p{seat}'s own; the first ply that a seat takes back must be its own."
        )


def _consent(game: LiveGame, agreed: str, by: str) -> str:
    """Return who agreed to a take-back. Raises Declined for who takes back, Unfit for a seat that is none."""
    if agreed and by and seat_of(game, agreed) == seat_of(game, " ".join(by.split())):
        raise Declined(f"{agreed} is taking the ply back, so another seat must agree.")
    return seated(game, agreed) if agreed else ""
