"""Changing or removing the tags that do not belong to the rules, such as names, event and date."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec.structs import replace

from cartulary.notation import Line, NotationError, Record, find_game
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.arbiter.house import TAG as HOUSE_RULES
from cartulary.notation.arbiter.seen import readable_tags
from cartulary.notation.cgn.signs import cut
from cartulary.notation.description import NO_DESCRIPTION, DescriptionFault, read_description, write_description
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import TagAnswer
from cartulary.records.commands.close import closing
from cartulary.records.commands.deal_tags import CLOSING, canonical_tags, resolve_tags, spell_deal_tags
from cartulary.records.commands.new import variant_named
from cartulary.records.commands.request import GameRequest, Reason, after, carry_out, field, still_open
from cartulary.records.faults import Damaged, Declined, Unfit, UninstalledGame
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, GameClosed, GameReopened, Pairs, SetupCorrected, TagsChanged
from cartulary.records.state.book import OWN_TAGS, SEAT
from cartulary.records.state.described_games import description_tags
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.seat_view import hidden_from, seen_version
from cartulary.records.texts import clean_name, keepable, now, plain, plain_numbers

_CORRECTABLE = frozenset(("Variant", "Options"))
"""The tags of every game's set-up that can be corrected; those of its own can too, but for a position."""


class TagRequest(GameRequest, frozen=True):
    """Tags to be written or removed. The other tags stay.

    Attributes:
        tags: The new values by name; ``p1`` stands for the tag of that seat. An empty value removes the tag.
        drop: The names of the tags to remove.
        reason: Why. It is needed to correct a closed deal that was only scored, and is kept with that correction or
            with one of the set-up; with other tags it is refused.
    """

    tags: Annotated[Mapping[str, str], field("Tags such as Event=Club; an empty value removes the tag.", "NAME=VALUE…")]
    drop: tuple[str, ...] = ()
    reason: Reason = ""


def change_tags(store: Log, id: str, request: TagRequest, viewer: Viewer = EVERYTHING) -> TagAnswer:
    """Write tags or remove them, in closed games too.

    A closed deal that was only scored is opened, corrected and closed again in one step, with the result that its
    points then give. The tag Game corrects the name of a game that nobody judges, in a closed record too; if the game
    of that name is described, the record is checked against the description.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The tags.
        viewer: From whose view it is answered.

    Returns:
        All tags that the viewer may read, and what has changed in the set-up or in a scored deal, as triples of name,
        old value and new value. With ``dry``, nothing is stored.

    Raises:
        Unfit: No tag is named, or one twice; a tag cannot be corrected, or is written when the game is closed; a seat's
            name is to be removed, or the game has no such seat; nobody reads a tag of this name; the tags set up no
            game; a value of a scored deal is impossible, or the record has words; a reason is given where none is kept.
        Declined: There is no such tag to remove; the set-up is corrected by a seat, after the game was closed, or
            against a ply; a closed deal is corrected without a reason, or its result was given by a ruling; a record
            that is judged or is to be is given another game; or nothing would change.
        Fault: As ``execute`` says.
    """

    def decide(game: LiveGame) -> tuple[Event, ...]:
        setup, put, drop = _setup_and_others(game, request)
        reason = plain(request.reason, "The reason")
        if "Game" in setup:
            setup = _of_another_game(store, game, setup)
            if put or drop:
                raise Unfit("The name of the game is corrected alone; leave the other tags for another `tag`.")
        corrections: tuple[Event, ...] = (_setup_event(game, setup, reason, request, viewer),) if setup else ()
        if corrections and not put and not drop:
            return *corrections, *_names_at_new_seats(game, corrections)
        event = tags_event(game, put, drop, clean_name(request.by), request.command)
        return *corrections, *_reclose_deal(game, event, reason)

    before, done = carry_out(store, id, request, viewer, decide, TagsChanged, GameReopened, SetupCorrected)
    seat = hidden_from(done, viewer)
    readable, game_rules = done.book.tags, played_game(done)
    if seat is not None:
        readable = readable_tags(game_rules, done.book.seats, readable, not done.plies)
    changes = (*_setup_changes(before, done), *_deal_changes(before, done))
    return TagAnswer(id, seen_version(done, seat), readable, changes)


def _setup_and_others(game: LiveGame, request: TagRequest) -> tuple[dict[str, str], Pairs, tuple[str, ...]]:
    """Return the requested tags in three parts.

    Returns:
        The tags of the set-up that can be corrected, by their usual names, with an empty value for one to be removed;
        the other tags to write, as pairs of name and value; and the names of the others to remove, among them those
        that came with an empty value.

    Raises:
        Unfit: Nobody reads a tag of this name, or the game has no such seat.
    """
    names = _CORRECTABLE.union(played_game(game).sheet.names, ("Game",)) - {played_game(game).boards.tag}
    by_folded_name = {name.casefold(): name for name in names}
    setup = {
        by_folded_name[name.casefold()]: value.strip()
        for name, value in (*dict.fromkeys(request.drop, "").items(), *request.tags.items())
        if name.casefold() in by_folded_name
    }
    others = [tag for tag in request.tags.items() if tag[0].casefold() not in by_folded_name]
    if nobody_judges(played_game(game)):
        others = [(name, plain_numbers(value) if name in ("Points", "Places") else value) for name, value in others]
    emptied = resolve_tags(played_game(game), game.book.seats, [tag for tag in others if not tag[1]])
    dropped = [name for name in request.drop if name.casefold() not in by_folded_name]
    return (
        setup,
        tuple(tag for tag in others if tag[1]),
        tuple(dict.fromkeys((*dropped, *(name for name, _ in emptied)))),
    )


def _setup_event(
    game: LiveGame, setup: Mapping[str, str], reason: str, request: TagRequest, viewer: Viewer
) -> SetupCorrected:
    """Return the event that corrects the set-up of a game. Nothing is stored.

    Args:
        game: The game.
        setup: Its tags of the set-up with their new values, empty for one to be removed.
        reason: Why.
        request: The request, for who writes and the id of the command.
        viewer: Who writes.

    Raises:
        Declined: The game is closed, a seat asks, a ply contradicts the new set-up, or nothing would change.
        Unfit: The tags set up no game.
    """
    if viewer.seat is not None:
        raise Declined(f"The set-up of {game.id} is corrected by whoever keeps the record, not by a seat.")
    if "Game" not in setup:
        still_open(game)
    played = played_game(game)
    variant = variant_named(played.about, setup["Variant"]) if setup.get("Variant") else None
    put = dict(setup) | ({"Variant": variant} if variant is not None else {})
    event = SetupCorrected(
        at=now(), by=clean_name(request.by), command=request.command, put=tuple(put.items()), reason=reason
    )
    try:
        corrected = after(game, [event])
    except (Unfit, UninstalledGame, Damaged) as fault:
        wanted = ", ".join(f"{name} {cut(value)}" for name, value in setup.items())
        because = _set_up_fault(game, put) or str(fault).rstrip(".")
        raise Unfit(f"{game.id} cannot be set up with {wanted}: {because}.") from None
    if corrected.record.tags == game.record.tags:
        raise Declined(f"{game.id} is set up like that already; nothing would change.")
    known = {(finding.ply, finding.key) for finding in game.report.findings if finding.severity == "error"}
    for finding in corrected.report.findings:
        if "Game" in setup and finding.severity == "error" and (finding.ply, finding.key) not in known:
            where = f"ply {finding.ply} contradicts its description" if finding.ply else "its description contradicts"
            raise Declined(
                f"{game.id} is no record of {setup['Game']}: {where}: {finding.because}. "
                "Set it aside with `aside`, and enter it again."
            )
        if finding.severity == "error" and finding.ply and (finding.ply, finding.key) not in known:
            word = corrected.words[finding.ply - 1]
            raise Declined(
                f"Ply {finding.ply} of {game.id}, {word}, contradicts this set-up ({finding.key}): {finding.because}. "
                "Correct the ply with `amend` or take it back first."
            )
    return event


def _of_another_game(store: Log, game: LiveGame, setup: Mapping[str, str]) -> dict[str, str]:
    """Return the tags that make a record one of another game.

    They are Game and, if the archive describes that game, the Description as ``result`` or ``new`` would write it.

    Args:
        store: The log.
        game: The record.
        setup: The tags of the set-up that are to be corrected, Game among them.

    Raises:
        Unfit: Other tags of the set-up are to be corrected too, or the name is empty.
        Declined: The record is judged, or rules of the other game are installed.
    """
    advice = "set it aside with `aside`, and enter it again"
    if not nobody_judges(played_game(game)):
        raise Declined(f"{game.id} is judged by the rules of {played_game(game).about.title}; {advice}.")
    if len(setup) > 1:
        raise Unfit("The name of the game is corrected alone; leave the other tags for another `tag`.")
    keepable(setup["Game"], "The game's name")
    title, described = description_tags(store, " ".join(setup["Game"].split()))
    if not title:
        raise Unfit("The game has no name; expected one such as Game=Ludo.")
    try:
        known = find_game(title).about.title
    except NotationError:
        known = ""
    if known:
        raise Declined(f"There are rules for {known}, and {game.id} is a record that nobody judges; {advice}.")
    if not described:
        return {"Game": title}
    description = read_description(described["Description"])
    try:
        own = read_description(game.record.tag("Description"))
    except DescriptionFault:
        own = NO_DESCRIPTION
    if game.examined.only_scored:
        description = replace(description, rounds=None)
        if own.winner in ("table", "place"):
            description = replace(description, winner=own.winner, goal=None, categories=())
        if own.teams:
            description = replace(description, teams=own.teams, least=own.least, most=own.most)
    return {"Game": title, "Description": write_description(description)}


def _names_at_new_seats(game: LiveGame, corrections: tuple[Event, ...]) -> Iterator[TagsChanged]:
    """Yield the event that brings the players' names to the seats of a corrected game.

    Nothing is yielded if its seats have the same tags as before.

    Args:
        game: The game before.
        corrections: The events that correct its set-up; at least one.
    """
    old = played_game(game).about.seat_tags(game.book.seats)
    new = played_game(after(game, corrections)).about.seat_tags(game.book.seats)
    if old != new:
        first = corrections[0]
        put = tuple((tag, game.record.tag(was, "?")) for was, tag in zip(old, new, strict=True))
        dropped = tuple(name for name, _ in game.book.tags if name in set(old) - set(new))
        yield TagsChanged(at=first.at, by=first.by, command=first.command, put=put, dropped_tags=dropped)


def _set_up_fault(game: LiveGame, put: Mapping[str, str]) -> str:
    """Return why a game cannot be set up with changed tags, as a phrase without a full stop; empty if they set one up.

    Args:
        game: The game as it is.
        put: The changed tags, empty for one to be removed.
    """
    tags = dict(game.record.tags) | dict(put)
    heading = read_heading(Record(tuple(tag for tag in tags.items() if tag[1]), Line()))
    return heading.because


def _setup_changes(game: LiveGame, done: LiveGame) -> Iterator[tuple[str, str, str]]:
    """Yield name, old value and new value of each tag of the set-up that has changed, Game among them.

    A value is empty where the tag is missing.
    """
    old_values, new_values = dict(game.book.sheet), dict(done.book.sheet)
    old_values["Game"], new_values["Game"] = game.record.tag("Game"), done.record.tag("Game")
    for name in dict.fromkeys((*old_values, *new_values)):
        if old_values.get(name, "") != new_values.get(name, ""):
            yield name, old_values.get(name, ""), new_values.get(name, "")


def _deal_changes(game: LiveGame, done: LiveGame) -> Iterator[tuple[str, str, str]]:
    """Yield name, old value and new value of what has changed in a deal of which only the score was kept.

    Its tags come first, then its score and result. A value is empty where there is none. Nothing is yielded for any
    other game.
    """
    old_values, new_values = (_deal_tags(state) for state in (game, done))
    if old_values or new_values:
        old_values |= {"Score": _score(game), "Result": game.book.result}
        new_values |= {"Score": _score(done), "Result": done.book.result}
    for name in dict.fromkeys((*old_values, *new_values)):
        if old_values.get(name, "") != new_values.get(name, ""):
            yield name, old_values.get(name, ""), new_values.get(name, "")


def _score(game: LiveGame) -> str:
    """Return the score in force of a game, such as ``176:-88:-88``; empty if it has none."""
    lines = game.examined.score
    return lines[-1].score if lines else ""


def _deal_tags(game: LiveGame) -> dict[str, str]:
    """Return by name the tags that report a deal of which only the score was kept.

    Empty if there are none, or if the record has words, since nobody reads these tags then.
    """
    told_by = played_game(game).points.told_by
    return {} if game.plies else {name: value for name, value in game.book.tags if name in told_by}


def tags_event(game: LiveGame, put: Pairs, drop: tuple[str, ...], by: str, command: str) -> TagsChanged:
    """Check tags to write and to remove, and return the event that does it. Nothing is stored.

    Args:
        game: The game.
        put: The tags to write, as pairs of name and value; ``p1`` stands for the tag of that seat.
        drop: The names of the tags to remove.
        by: Who writes.
        command: The key of the command, empty for none.

    Raises:
        Unfit: No tag is named, one is named twice or cannot be written by hand, nobody reads it, the game has no such
            seat, a seat's tag is to be removed, or the value of a scored deal is impossible.
        Declined: There is no such tag to remove.
    """
    played, tag_names = played_game(game), {name for name, _ in game.book.tags}
    reserved = CLOSING.union(OWN_TAGS, played.sheet.names, played.points.tags, (HOUSE_RULES,))
    if not put and not drop:
        raise Unfit("There is no tag to write; give one or more, such as Event=Club.")
    seats = played.about.seat_tags(game.book.seats)
    put = canonical_tags(resolve_tags(played, game.book.seats, put), reserved)
    names = [name for name, _ in put]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise Unfit(f"The tag {twice} is written twice; give it once.")
    canonical_tags(((name, "") for name in drop), reserved)
    for name in drop:
        if name in seats:
            raise Unfit(f"The tag {name} names a seat and cannot be removed; give it another value.")
        if name not in tag_names:
            raise Declined(f"{game.id} has no tag {name} to remove.")
    for name, _ in put:
        if len(played.about.seats) > 1 and SEAT.fullmatch(name) and name not in seats:
            raise Unfit(f"{game.id} has no {name}; expected one of its seats: {', '.join(seats)}.")
    return TagsChanged(at=now(), by=by, command=command, put=_with_deal_tags(game, put, drop), dropped_tags=drop)


def _with_deal_tags(game: LiveGame, put: Pairs, drop: tuple[str, ...]) -> Pairs:
    """Return tags with those of a scored deal as they are stored.

    Args:
        game: The game before.
        put: The tags to write.
        drop: The names of those to remove.

    Returns:
        The tags to write, in their order; as they are if neither they nor the game report a scored deal.

    Raises:
        Unfit: A value is impossible, unless it was so before and is not among the tags written now; or the record has
            words, so that nobody would read the tags of a scored deal.
    """
    played, sheet = played_game(game), game.examined.heading.sheet
    told_by, names = played.points.told_by, {name for name, _ in put}
    if sheet is None or (names.isdisjoint(told_by) and not _deal_tags(game)):
        return put
    if game.plies:
        name = next(name for name, _ in put if name in told_by)
        raise Unfit(f"{game.id} has words, which tell its score, so nobody would read {name}; leave it out.")
    other_tags = {name: value for name, value in game.book.tags if name not in drop}
    try:
        deal = spell_deal_tags(played, sheet, other_tags | dict(put))
    except Unfit as fault:
        if _had_same_fault(game, fault) and names.isdisjoint(told_by):
            return put
        raise
    return tuple((name, deal.get(name, value)) for name, value in put)


def _had_same_fault(game: LiveGame, fault: Unfit) -> bool:
    """Say whether the tags of a scored deal, as they are stored, have the same fault already.

    Then its other tags can still be changed.
    """
    sheet = game.examined.heading.sheet
    assert sheet is not None
    try:
        spell_deal_tags(played_game(game), sheet, dict(game.book.tags))
    except Unfit as before:
        return str(before) == str(fault)
    return False


def _reclose_deal(game: LiveGame, event: TagsChanged, reason: str) -> tuple[Event, ...]:
    """Return the events that change tags. A closed deal is opened, changed, and closed with its new result.

    For any other game, it is only the event that was given.

    Args:
        game: The game before.
        event: The change of tags.
        reason: Why a closed deal is corrected, empty for none.

    Returns:
        One event, or three: the opening, the change, and the close.

    Raises:
        Declined: A closed deal is corrected without a reason, or an arbiter gave its result.
        Unfit: A reason was given where none is kept, or nothing would change.
    """
    book, told_by = game.book, played_game(game).points.told_by
    old_tags = dict(book.tags)
    corrects = [name for name, value in event.put if name in told_by and old_tags.get(name) != value]
    corrects += [name for name in event.dropped_tags if name in told_by]
    if not (book.closed and corrects and not game.plies):
        if reason and book.closed and not game.plies and (same := [name for name, _ in event.put if name in told_by]):
            raise Unfit(
                f"Nothing would change: {same[0]} says {old_tags[same[0]]} already; leave it out or give another value."
            )
        if reason:
            raise Unfit("A reason is kept with the correction of a closed deal only; use `note` to write it down.")
        return (event,)
    if not reason:
        raise Declined(f"{game.id} is closed, {book.result}; give a reason to correct its {' and '.join(corrects)}.")
    if book.ruling:
        raise Declined(
            f"The result of {game.id} was given by ruling {book.ruling}; revoke it first, with "
            f"`ruling --revoke {book.ruling}`."
        )
    reopening = GameReopened(at=event.at, by=event.by, command=event.command, reason=reason)
    by_arbiter = book.termination in ("adjudication", "rules infraction")
    result, how = closing(
        after(game, (reopening, event)), book.result if by_arbiter else "", book.termination if by_arbiter else ""
    )
    closing_event = GameClosed(
        at=event.at, by=event.by, command=event.command, result=result, termination=how, score=""
    )
    return reopening, event, closing_event
