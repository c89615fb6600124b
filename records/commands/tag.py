"""The tags that do not belong to the rules, such as names, event and date: changed or removed."""

import re
from collections.abc import Iterable, Mapping, Sequence

from cartulary.notation.arbiter.seen import readable_tags
from cartulary.records.answers import Tagged
from cartulary.records.commands.request import carry_out
from cartulary.records.dates import read_date
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import Pairs, TagsChanged
from cartulary.records.log.store import Store
from cartulary.records.state.book import OWN_TAGS, SEAT
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.seat_view import seen_version, viewer
from cartulary.records.texts import keepable, named, now, spelled

TAG = re.compile(r"[A-Za-z0-9_]+")
CLOSING = frozenset(("Result", "Termination", "Score"))
"""The tags that closing any game writes; a game may have more (``points.tags``)."""


def change_tags(
    store: Store,
    id: str,
    tags: Mapping[str, str],
    *,
    drop: Sequence[str] = (),
    by: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int | None = None,
) -> Tagged:
    """Write tags anew and take tags away; closed games too. seat: from whose view it is answered

    Raises Unfit for the tags a game was set up with, for those that closing writes, and for a seat that is to be
    taken away or is none; Declined where a tag to take away is not there.
    """

    def draft(game: LiveGame) -> tuple[TagsChanged]:
        return (_change(game, tuple(tags.items()), tuple(drop), named(by), command),)

    _, done = carry_out(store, id, expected, command, TagsChanged, draft, seat)
    seat = viewer(done, seat)
    whole, found = done.book.tags, played_game(done)
    told = readable_tags(found, done.book.seats, whole, not done.plies) if seat is not None else whole
    return Tagged(id, seen_version(done, seat), told)


def _change(game: LiveGame, put: Pairs, drop: tuple[str, ...], by: str, command: str) -> TagsChanged:
    found, written = played_game(game), {name for name, _ in game.book.tags}
    fixed = CLOSING.union(OWN_TAGS, found.sheet.names, found.points.tags)
    if not put and not drop:
        raise Unfit("There is no tag to write; give one or more, such as Event=Club.")
    put = checked_tags(put, fixed)
    checked_tags(((name, "") for name in drop), fixed)
    seats = found.about.seat_tags(game.book.seats)
    for name in drop:
        if name in seats:
            raise Unfit(f"The tag {name} names a seat and cannot be removed; give it another value.")
        if name not in written:
            raise Declined(f"{game.id} has no tag {name} to remove.")
    for name, _ in put:
        if len(found.about.seats) > 1 and SEAT.fullmatch(name) and name not in seats:
            raise Unfit(f"{game.id} has no {name}; expected one of its seats: {', '.join(seats)}.")
    return TagsChanged(at=now(), by=by, command=command, put=put, dropped=drop)


def checked_tags(tags: Iterable[tuple[str, str]], fixed: frozenset[str], own: frozenset[str] = frozenset()) -> Pairs:
    """Return the tags as they are kept, names and the like in one spelling. Raises Unfit for one that cannot be.

    own: those a game is set up from; they are kept as they are
    """
    pairs = []
    for name, value in tags:
        if not TAG.fullmatch(name):
            raise Unfit(f"{name!r} is not a tag; expected letters, digits and underscores, such as Event.")
        if name in fixed:
            raise Unfit(f"The tag {name} is not written by hand; use the command for it, such as `close` or `new`.")
        value = _kept(name, value, name in own)
        pairs.append((name, read_date(value) if name == "Date" and value else value))
    return tuple(pairs)


def _kept(tag: str, value: str, as_it_is: bool) -> str:
    if as_it_is:
        return keepable(value, f"The tag {tag}")
    single = spelled(value, f"The tag {tag}")
    if value and not single:
        raise Unfit(f"The tag {tag} holds only blanks; expected a value, such as Event=Club.")
    return single
