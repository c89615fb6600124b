"""Requests: what every command does before and after its own work, from loading the game to storing the events."""

from collections.abc import Callable, Sequence
from typing import Annotated, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from cartulary.engine.deadline import remove_deadline
from cartulary.engine.numbers import how_many
from cartulary.notation import Examination, Line, loads
from cartulary.notation.arbiter.replay import Step
from cartulary.notation.cgn.scanner import NOTHING_ODD, Odd
from cartulary.notation.viewer import Spectator, Viewer
from cartulary.records.faults import Conflict, Declined, Unfit, Unread
from cartulary.records.library.listing import index_rows
from cartulary.records.log.contract import Log
from cartulary.records.log.events import (
    BoardStated,
    Event,
    MovePlayed,
    MovesAmended,
    Pairs,
    RecordAgreed,
    WordDeclined,
)
from cartulary.records.log.recorded import Batch, seal_events
from cartulary.records.state.binding import build_book
from cartulary.records.state.fold import LiveGame, fold, judge_book
from cartulary.records.state.games import Games, load
from cartulary.records.state.seat_view import hidden_from, muted, seen_version
from cartulary.records.texts import keepable

T = TypeVar("T")


def field(says: str, metavar: str = "") -> Meta:
    """Declare a field of a request, for the command line and for HTTP alike.

    Args:
        says: One line of help.
        metavar: What stands for its value in a synopsis; empty for a flag, for a field that is no option, and where the
            usual word for its type will do.

    Returns:
        The declaration, for ``typing.Annotated``.
    """
    return Meta(description=says, extra={"metavar": metavar})


Reason: TypeAlias = Annotated[str, field("The reason, which the log keeps.", "TEXT")]
Stands: TypeAlias = Annotated[bool, field("Keep a refused move, marked, and play on from it.")]
Cites: TypeAlias = Annotated[tuple[int, ...], field("A sheet kept with the game, by its number.", "N")]


class Request(Struct, frozen=True, kw_only=True):
    """The fields of every request to write.

    A request is declared once, beside the function that carries it out. The options of the command, the body of the
    HTTP request with its OpenAPI schema, and the call from Python are all read from that declaration.

    Attributes:
        command: The id that makes a repeated request harmless: it gets the first answer again.
        by: Who writes, as the log has it.
    """

    command: Annotated[
        str, field("A key that makes it safe to repeat the command, which is then stored only once.", "KEY")
    ] = ""
    by: Annotated[str, field("Who writes: p1, p2, arbiter or a name.", "WHO")] = ""


class GameRequest(Request, frozen=True, kw_only=True):
    """The fields of every request to write to an existing game.

    Attributes:
        expected: The version of the game that the sender has seen; None for any.
        dry: Whether to store nothing and answer what would happen.
    """

    expected: Annotated[int | None, field("Refuse unless the game is at this version.", "VERSION")] = None
    dry: Annotated[bool, field("Store nothing; show what would change.")] = False


def unplayable(word: str) -> Declined:
    """Return the fault that a word is impossible, for a viewer from whom verdicts are withheld. It gives no reason."""
    return Declined(f"{word} cannot be played as written.")


def not_by_the_rail(viewer: Viewer) -> None:
    """Raise Unfit if the viewer is a spectator (the *rail*), who may not write."""
    if isinstance(viewer, Spectator):
        raise Unfit("The rail only watches; write as a seat or as another person.")


def _is_by_seat(event: Event, seat: int | None) -> bool:
    """Say whether a seat sent the command that wrote an event.

    It did if it is noted as the writer, or if the event is one of the seat's words or agreements. Only then may the
    seat get the answer to a repeated command, since answers to other seats could show it what it may not know.
    """
    return event.by == f"p{seat}" or (
        isinstance(event, (MovePlayed, RecordAgreed, WordDeclined)) and event.seat == seat
    )


class Plan(Struct, Generic[T], frozen=True, eq=False):
    """What a request comes to in a game as it stands; nothing is stored yet.

    Attributes:
        events: What it writes; empty where nothing is to be stored, as for words that are refused. For words that only
            the whole record forbids, it is the note that they were declined.
        grounds: What the answer is made from beside the games before and after, such as the trial of words.
        judged_game: The game as it was judged with the events, so that it is not judged again; None if it was not.
    """

    events: Sequence[Event]
    grounds: T
    judged_game: LiveGame | None = None


class Execution(NamedTuple, Generic[T]):
    """What became of a request: the game before and after it, the grounds of its plan, and whether it was repeated.

    A repeated request was carried out before: nothing was written, and ``after`` is the game as it stood then.
    """

    before: LiveGame
    after: LiveGame
    grounds: T
    repeated: bool


def execute(
    store: Log,
    id: str,
    request: GameRequest,
    viewer: Viewer,
    decide: Callable[[LiveGame], Plan[T]],
    *kinds: type[Event],
    check: Callable[[LiveGame], None] | None = None,
) -> Execution[T]:
    """Load a game, check and decide a request, and append what it writes.

    A request that was carried out before, by the id of its command, is answered from the log: nothing is written again.

    Args:
        store: Where the game is kept.
        id: The game.
        request: What is asked for.
        viewer: From whose view it is answered.
        decide: Work out what the request comes to in a game; it changes nothing and may be called again.
        kinds: The kinds of the events that such a request writes.
        check: Raise a fault for whoever may not ask; it is called before the request is decided, repeated or not.

    Returns:
        The game before the request and after it, and the grounds of the plan. If ``request.dry`` is true or the plan
        has no events, nothing is stored.

    Raises:
        UnknownGame: There is no such game.
        Damaged: Its log is damaged.
        UninstalledGame: Its rules are not installed.
        Conflict: The game is not at the version that was expected, or somebody wrote at the same time.
        Declined: The id of the command was used for something else.
        Unfit: The game has not the seat, a spectator writes, or the id of the command cannot be kept.
        StoreFault: The log cannot be read or written.
        Fault: What ``check`` or ``decide`` raises.
    """
    command = request.command
    keepable(command, "The command id")
    not_by_the_rail(viewer)
    game = load(store, id)
    seat = hidden_from(game, viewer)
    version = seen_version(game, seat)
    versions = game.book.commands.get(command) if command else None
    if versions is not None:
        first, last = versions
        event = game.recorded[first - 1].event
        if not isinstance(event, kinds) or (seat is not None and not _is_by_seat(event, seat)):
            raise reused_key(command, id)
    elif request.expected is not None and request.expected != version:
        raise Conflict(id, request.expected, version)
    if check is not None:
        check(game)
    if versions is None:
        plan = decide(game)
        if not plan.events:
            return Execution(game, game, plan.grounds, repeated=False)
        after = write(store, game, plan.events, dry=request.dry, judged_game=plan.judged_game)
        return Execution(game, after, plan.grounds, repeated=False)
    # The same request writes the same events to the game as it stood before; anything else has taken its id.
    after = fold(id, game.recorded[:last], game)
    before = fold(id, game.recorded[: first - 1], after)
    try:
        plan = decide(before)
    except (Declined, Unread):
        raise reused_key(command, id) from None
    if list(map(_request_in, plan.events)) != [_request_in(each.event) for each in after.recorded[first - 1 :]]:
        raise reused_key(command, id)
    return Execution(before, after, plan.grounds, repeated=True)


def carry_out(
    store: Log,
    id: str,
    request: GameRequest,
    viewer: Viewer,
    decide: Callable[[LiveGame], Sequence[Event]],
    *kinds: type[Event],
    check: Callable[[LiveGame], None] | None = None,
) -> tuple[LiveGame, LiveGame]:
    """Carry out a request as ``execute`` does, for a ``decide`` that returns only events.

    The arguments are those of ``execute``, and it raises what ``execute`` raises.

    Returns:
        The game before the request and the game after it. For a command that was repeated, these are the games before
        and after it was first carried out.
    """
    outcome = execute(store, id, request, viewer, lambda game: Plan(decide(game), None), *kinds, check=check)
    return outcome.before, outcome.after


def reused_key(command: str, id: str) -> Declined:
    """Return the fault that the key of a command was used before for another request. It is not raised here.

    Args:
        command: The key.
        id: The game or the stream to which the request was made, for the sentence.
    """
    return Declined(f"The command key {command} was already used for another request on {id}; choose a new one.")


def _request_in(event: Event) -> Event:
    """Return an event without its time, salt and findings, so that two events of the same request are equal."""
    if isinstance(event, (MovePlayed, MovesAmended, WordDeclined, BoardStated)):
        return replace(event, at="", salt="", findings=())
    return replace(event, at="", salt="")


def after(game: LiveGame, events: Sequence[Event], ahead: Sequence[Step] = ()) -> LiveGame:
    """Return a game as it would stand with more events, judged; nothing is stored.

    Args:
        game: The game.
        events: The events, in order.
        ahead: The steps of the words that the events write, if they have been judged already; else they are judged
            here.

    Raises:
        Fault: The game cannot be set up or read with these events.
    """
    book = build_book(events, game.book, game.head.version)
    return judge_book(game.id, game.recorded, book, game.head, game, ahead)


def write(
    store: Log, game: LiveGame, events: Sequence[Event], *, dry: bool = False, judged_game: LiveGame | None = None
) -> LiveGame:
    """Store events after those of a game with its rows in the index, and return the game as it stands then.

    Args:
        store: Where the game is kept.
        game: The game.
        events: The events, in order.
        dry: Whether to store nothing and only return how the game would stand.
        judged_game: The game as it was judged with these events before they were stored; then no ply is judged again.

    Raises:
        Conflict: Somebody wrote to the game since it was loaded.
        StoreFault: The log cannot be written.
    """
    recorded = seal_events(game.id, game.head, events)
    new_game = fold(game.id, (*game.recorded, *recorded), game, judged_game)
    if not dry:
        store.write(Batch(game.id, game.head, recorded, index_rows(new_game)))
        remove_deadline()
        if isinstance(store, Games):
            store.recent.put(new_game)
    return new_game


def plies_of(game: LiveGame) -> str:
    """Return how many plies a game has, in words: ``1 ply``, ``3 plies``, ``no plies``."""
    return how_many(game.plies, "ply", "plies") if game.plies else "no plies"


def still_open(game: LiveGame) -> None:
    """Raise Declined if the game is closed. The sentence says what can still be done."""
    if game.book.closed:
        is_over = game.examined.outcome or game.examined.only_scored
        raise Declined(
            f"{game.id} is closed, {game.book.result}; it can only be amended, annotated, disputed and ruled on. "
            + ("`reopen` opens it again." if is_over else "Use `reopen` to play on.")
        )


def takes_words(game: LiveGame) -> None:
    """Raise Declined if only tags report the game's score, so that no word may be played in it.

    With a word in the record nobody would read these tags.
    """
    if game.examined.only_scored:
        raise Declined(
            f"Only the score of {game.id} was kept, and a word would make it count for nothing. Write down what is "
            "played in a record of its own; `new` opens one."
        )


def readable(id: str, examination: Examination, ply: int) -> None:
    """Raise Declined if a ply before this one could not be applied, because then nobody can judge this one.

    The ply itself need not be there: the number after the last ply checks all plies.

    Args:
        id: The id of the game, for the fault.
        examination: What the rules say of it.
        ply: The ply, from 1.
    """
    if examination.plies_reached < ply - 1:
        blocked = examination.plies_reached + 1
        word = "".join(f", {word}," for word in examination.words[blocked - 1 : blocked])
        raise Declined(
            f"Ply {blocked} of {id}{word} cannot be carried out, so nothing after it can be judged; amend it first."
        )


def not_muted(game: LiveGame, viewer: Viewer, what: str) -> None:
    """Raise Declined if verdicts are withheld from the viewer, for a request whose answer would reveal them.

    They are withheld in a quiet record, from seats and spectators and from anybody who asks to be quiet.

    Args:
        game: The game.
        viewer: Who asks.
        what: The request, as the subject of a sentence: ``A correction``.
    """
    if muted(game, viewer):
        undo = "; use `undo` to take plies back" if game.plies else ""
        raise Declined(f"{what} is left to the arbiter while {game.id} is quiet{undo}.")


def check_there(game: LiveGame, plies: Sequence[int]) -> None:
    """Raise Declined for the first of some plies that the game has not. Plies count from 1, so 0 is refused too."""
    for ply in plies:
        if not 1 <= ply <= game.plies:
            raise Declined(
                f"There is no ply {ply} in {game.id}; expected a ply from 0, the game itself, to {game.plies}."
            )


def words_of(text: str, tags: Pairs = (), odd: Odd = NOTHING_ODD) -> tuple[str, ...]:
    """Return the words of a piece of movetext, without move numbers: ``1. A B`` -> ``("A", "B")``.

    Args:
        text: The text.
        tags: The tags of the record that the words are for. Without them, a word that looks like a result is one.
        odd: The tokens that are words, even where a file would end with them as its result.

    Raises:
        Unread: The text is no movetext.
        Unfit: The text holds more than moves: comments, glyphs, a result.
    """
    records = loads(text, tags=tags)
    line = records[0].line if records else Line()
    for record in records:
        for problem in record.problems:
            if problem.severity == "error":
                raise Unread(problem.because, text, problem.column)
        if record.tags or record.escapes:
            raise Unread("found a tag or an escape line, expected moves", text, 1)
    if line.notes:
        raise Unfit("Comments, glyphs and variations are written with `note`; write the move first.")
    if line.result in odd.words:
        return (*line.words, line.result)
    if line.result:
        raise Unfit(f"{line.result} is a result; write it with `close`.")
    return line.words


def words_in(words: str | Sequence[str], tags: Pairs = ()) -> tuple[str, ...]:
    """Return the words of a request, given as a piece of movetext or one by one: ``"1. A B"`` or ``("A", "B")``.

    An empty text gives no words.

    Args:
        words: The text, or the words.
        tags: Those of the record they are for.

    Raises:
        Unread: The text is no movetext, or a word of several is none or more than one.
        Unfit: The text holds more than moves: comments, glyphs, a result.
    """
    if isinstance(words, str):
        return words_of(words, tags)
    for word in words:
        if len(words_of(word, tags)) != 1:
            raise Unread(f"found {word!r}, expected one word a ply", word, 1)
    return tuple(words)
