"""The tags that do not belong to the rules, such as names, event and date: changed or removed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from cartulary.notation.arbiter.seen import readable_tags
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import Tagged
from cartulary.records.commands.close import closing
from cartulary.records.commands.deal_tags import checked_deal, meant_tags
from cartulary.records.commands.request import GameRequest, Reason, after, carry_out, field
from cartulary.records.dates import read_date
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, GameClosed, GameReopened, Pairs, TagsChanged
from cartulary.records.state.book import OWN_TAGS, SEAT
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.seat_view import hidden_from, seen_version
from cartulary.records.texts import canonical_name, clean_name, keepable, now, plain

TAG = re.compile(r"[A-Za-z0-9_]+")
CLOSING = frozenset(("Result", "Termination", "Score"))
"""The tags that closing any game writes; a game may have more (``points.tags``)."""


class TagRequest(GameRequest, frozen=True):
    """Tags to be written anew, by name, a seat's ``p1`` for its own; and tags to be taken away. The others stay.

    ``reason`` says why a closed deal that was only scored is corrected; it is needed there.
    """

    tags: Annotated[Mapping[str, str], field("Tags such as Event=Club; an empty value removes the tag.", "NAME=VALUE…")]
    drop: tuple[str, ...] = ()
    reason: Reason = ""


def change_tags(store: Log, id: str, request: TagRequest, viewer: Viewer = EVERYTHING) -> Tagged:
    """Write tags anew and take tags away; closed games too.

    A closed deal that was only scored is opened, corrected and closed again in one step, with the result that its
    points then give.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The tags.
        viewer: From whose view it is answered.

    Raises:
        Unfit: A tag the game was set up with, one that closing writes, a seat that is to be taken away or is none, a
            name nobody reads, or a value of a scored deal that cannot be.
        Declined: A tag to take away is not there, a closed deal is corrected without a reason, or nothing would change.
    """

    def decide(game: LiveGame) -> tuple[Event, ...]:
        changed = _change(game, tuple(request.tags.items()), request.drop, clean_name(request.by), request.command)
        return _closed_again(game, changed, plain(request.reason, "The reason"))

    before, done = carry_out(store, id, request, viewer, decide, TagsChanged, GameReopened)
    whose = hidden_from(done, viewer)
    readable, found = done.book.tags, played_game(done)
    if whose is not None:
        readable = readable_tags(found, done.book.seats, readable, not done.plies)
    return Tagged(id, seen_version(done, whose), readable, tuple(_changed(before, done)))


def _changed(game: LiveGame, done: LiveGame) -> Iterator[tuple[str, str, str]]:
    """Yield what is not as it was of a deal that was only scored: its tags, then the score and the result."""
    was, is_now = (_deal_of(each) for each in (game, done))
    if was or is_now:
        was |= {"Score": _score(game), "Result": game.book.result}
        is_now |= {"Score": _score(done), "Result": done.book.result}
    for name in dict.fromkeys((*was, *is_now)):
        if was.get(name, "") != is_now.get(name, ""):
            yield name, was.get(name, ""), is_now.get(name, "")


def _score(game: LiveGame) -> str:
    lines = game.examined.score
    return lines[-1].score if lines else ""


def _deal_of(game: LiveGame) -> dict[str, str]:
    """Return the tags that tell of a deal that was only scored, none where the record has words."""
    told_by = played_game(game).points.told_by
    return {} if game.plies else {name: value for name, value in game.book.tags if name in told_by}


def _change(game: LiveGame, put: Pairs, drop: tuple[str, ...], by: str, command: str) -> TagsChanged:
    found, written = played_game(game), {name for name, _ in game.book.tags}
    fixed = CLOSING.union(OWN_TAGS, found.sheet.names, found.points.tags)
    if not put and not drop:
        raise Unfit("There is no tag to write; give one or more, such as Event=Club.")
    seats = found.about.seat_tags(game.book.seats)
    put = checked_tags(meant_tags(found, game.book.seats, put), fixed)
    checked_tags(((name, "") for name in drop), fixed)
    for name in drop:
        if name in seats:
            raise Unfit(f"The tag {name} names a seat and cannot be removed; give it another value.")
        if name not in written:
            raise Declined(f"{game.id} has no tag {name} to remove.")
    for name, _ in put:
        if len(found.about.seats) > 1 and SEAT.fullmatch(name) and name not in seats:
            raise Unfit(f"{game.id} has no {name}; expected one of its seats: {', '.join(seats)}.")
    return TagsChanged(at=now(), by=by, command=command, put=_deal(game, put, drop), dropped=drop)


def _deal(game: LiveGame, put: Pairs, drop: tuple[str, ...]) -> Pairs:
    """Return the tags with those of a scored deal as they are stored.

    Raises Unfit where they cannot be, unless what is wrong was there before and is not of those written now.
    """
    found, sheet = played_game(game), game.examined.heading.sheet
    told_by, names = found.points.told_by, {name for name, _ in put}
    if sheet is None or (names.isdisjoint(told_by) and not _deal_of(game)):
        return put
    if game.plies:
        name = next(name for name, _ in put if name in told_by)
        raise Unfit(f"{game.id} has words, which tell its score, so nobody would read {name}; leave it out.")
    kept = {name: value for name, value in game.book.tags if name not in drop}
    try:
        deal = checked_deal(found, sheet, kept | dict(put))
    except Unfit as fault:
        if _wrong_before(game, fault) and names.isdisjoint(told_by):
            return put
        raise
    return tuple((name, deal.get(name, value)) for name, value in put)


def _wrong_before(game: LiveGame, fault: Unfit) -> bool:
    """Say whether a scored deal was as wrong before, so that its names and date can still be changed."""
    sheet = game.examined.heading.sheet
    assert sheet is not None
    try:
        checked_deal(played_game(game), sheet, dict(game.book.tags))
    except Unfit as before:
        return str(before) == str(fault)
    return False


def _closed_again(game: LiveGame, changed: TagsChanged, reason: str) -> tuple[Event, ...]:
    """Return the events of a change: a closed deal is opened for the reason given, and closed with what it comes to.

    Raises Declined for a closed deal without a reason and for one whose result an arbiter gave.
    """
    book, told_by = game.book, played_game(game).points.told_by
    was = dict(book.tags)
    corrects = [name for name, value in changed.put if name in told_by and was.get(name) != value]
    corrects += [name for name in changed.dropped if name in told_by]
    if not (book.closed and corrects and not game.plies):
        if reason and book.closed and not game.plies and (same := [name for name, _ in changed.put if name in told_by]):
            raise Unfit(
                f"Nothing would change: {same[0]} says {was[same[0]]} already; leave it out or give another value."
            )
        if reason:
            raise Unfit("A reason is kept with the correction of a closed deal only; use `note` to write it down.")
        return (changed,)
    if not reason:
        raise Declined(f"{game.id} is closed, {book.result}; give --reason to correct its {' and '.join(corrects)}.")
    if book.ruling:
        raise Declined(
            f"The result of {game.id} was given by ruling {book.ruling}; revoke it first, with "
            f"`ruling --revoke {book.ruling}`."
        )
    opened = GameReopened(at=changed.at, by=changed.by, command=changed.command, reason=reason)
    decided = book.termination in ("adjudication", "rules infraction")
    result, how = closing(
        after(game, (opened, changed)), book.result if decided else "", book.termination if decided else ""
    )
    closed = GameClosed(at=changed.at, by=changed.by, command=changed.command, result=result, termination=how, score="")
    return opened, changed, closed


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
    single = canonical_name(value, f"The tag {tag}")
    if value and not single:
        raise Unfit(f"The tag {tag} holds only blanks; expected a value, such as Event=Club.")
    return single
