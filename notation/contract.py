"""A game: nine parts put together, three of which it cannot do without: ``about``, ``rules``, ``words``.

The parts are frozen Structs of plain values and functions. Those of the rules stand in ``engine/parts.py``; here are
those that are notation.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Generic, TypeAlias

from msgspec import Struct

from cartulary.engine.contract import Option, Refused, Sheet
from cartulary.engine.parts import FACE_UP, Hidden, M, Place, Rules, S, T, Turns, W
from cartulary.notation.cgn.source import NOTHING_ODD
from cartulary.notation.cgn.source import Odd as Odd
from cartulary.notation.drawing import Drawing
from cartulary.notation.picture import Picture
from cartulary.notation.primer import Primer
from cartulary.notation.teaching import Teaching


def numbered_seats(seats: int) -> tuple[str, ...]:
    """Return Seat1 to the last seat's."""
    return tuple(f"Seat{seat}" for seat in range(1, seats + 1))


class About(Struct, frozen=True, eq=False):
    """What a game is called and how it is played.

    key: as typed and stored, and before the dot of its rules' keys; title: as in the tag Game
    edition: of the rules, as in the tag Edition
    seats: the numbers of seats it is played with, the usual one first
    says: what it is, one clause for its page: ``two seats, 52 cards on a board``
    seat_tags(seats): the tags that name the players, in seat order. Default: ``Seat1`` …
    variants: the first is the default; options: published ways to play differently
    read_variant(text): the variant the tag Variant names, the text itself where it names none. Default: the text
    write_variant(variant): how the tag has it, empty where it is left out. Default: the variant
    teaching: what its cards and pieces do, for who asks. Default: nothing
    primer: what its page teaches a beginner. Default: nothing
    """

    key: str
    title: str
    edition: str
    seats: tuple[int, ...]
    says: str = ""
    seat_tags: Callable[[int], tuple[str, ...]] = numbered_seats
    variants: tuple[str, ...] = ("standard",)
    options: tuple[Option, ...] = ()
    teaching: Teaching = Teaching()
    read_variant: Callable[[str], str] = str
    write_variant: Callable[[str], str] = str
    primer: Primer = Primer()


def nothing_came(before: Any, move: Any, after: Any) -> str:
    """Return nothing: the words say what came of them."""
    return ""


def no_suit_led(state: Any) -> str:
    """Return nothing: the game has no tricks."""
    return ""


class Touched(Struct, frozen=True):
    """What a seat may touch to write a word: every card or man it sees as its own, whether or not it may be played.

    things: touched first; places: touched then, one behind the other they are a word; none where a thing is one alone
    across: how many places lie side by side, as on the board
    """

    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    across: int = 0


def nothing_touched(state: Any, seat: int) -> Touched:
    """Return nothing: words are typed."""
    return Touched()


def without_marks(signs: str) -> str:
    """Return a word without ``:`` and without ``+``, ``×``, ``#`` at its end, which may be left out."""
    return signs.rstrip("+×#").replace(":", "")


class Words(Struct, Generic[S, M, W], frozen=True, eq=False):
    """How words are read, written and drawn. Seats' prefixes, calls and the check of the spelling are common.

    read(signs, seat, state): what the word says; signs: the word without its prefix, never empty; seat: the one whose
        word it is. Raises NotationError where it says nothing, its column, from 1, within the signs. Called once a
        word; it looks at the state only to read, never to judge
    write(move, state, after): the one spelling, ``+`` and ``#`` included, without the prefix; after: the state after
        it, None where nothing was applied or nobody has tried
    picture(state, seat): the position as rows of text, within 80 columns, as the seat sees it; 0 the bystander, None
        all
    drawing(state, seat): the same as things in places. Default: the rows of the picture
    came_of(before, move, after): what a score sheet says came of a ply, such as who took the trick. Default: nothing
    prefixed(move, state): whether a word bears its seat's prefix. Default: where it is not that of the first to speak
    led(state): the suit led in the trick that is played as cards are written, T for trumps, empty for none; at a table
        a rank alone is a card of that suit. Default: empty
    touched(state, seat): what the seat may touch, from what it sees; for who is told nothing of what is legal. Default:
        nothing
    bare(signs): the word without what need not be written; two words that are the same so are no slip of the pen apart.
        Default: without ``:``, and without ``+``, ``×``, ``#`` at its end
    whole: the game reads and writes prefixes itself, seat is 0 then and ``Turns.table`` not asked
    odd: tokens that are words here, wherever they stand, and results, numbers or words elsewhere. Default: none
    """

    read: Callable[[str, int, S], W]
    write: Callable[[M, S, S | None], str]
    picture: Callable[[S, int | None], Picture]
    drawing: Callable[[S, int | None], Drawing] | None = None
    came_of: Callable[[S, M, S], str] = nothing_came
    prefixed: Callable[[M, S], bool] | None = None
    led: Callable[[S], str] = no_suit_led
    touched: Callable[[S, int], Touched] = nothing_touched
    bare: Callable[[str], str] = without_marks
    whole: bool = False
    odd: Odd = NOTHING_ODD


def plain_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Any]:
    """Return the sheet of a game that has no tags of its own."""
    return Sheet(variant, options, seats)


def no_tags(of: Any) -> dict[str, str]:
    """Return no tags."""
    return {}


class SheetTags(Struct, Generic[T], frozen=True, eq=False):
    """The game's own tags, in and out.

    names: those ``read`` looks at
    read(tags, variant, options, seats): the sheet. Raises NotationError whose ``key`` is ``record.tag``, with the
        ``tag``
    write(sheet): the game's own tags in their one spelling, none where the sheet has none
    """

    names: tuple[str, ...] = ()
    read: Callable[[Mapping[str, str], str, dict[str, str], int], Sheet[T]] = plain_sheet
    write: Callable[[Sheet[T]], dict[str, str]] = no_tags


def none_misstated(tags: Mapping[str, str], result: str, state: Any, ruled: str = "") -> tuple[()]:
    """Return nothing: there are no points to contradict."""
    return ()


def only_the_end(state: Any, ruled: str = "") -> None:
    """Return nothing: only the end decides."""


def none_gained(before: Any, after: Any) -> tuple[()]:
    """Return nothing: there are no points to win."""
    return ()


def drawn_as_is(state: Any, points: tuple[Fraction, ...]) -> Any:
    """Return the state: its drawing has no running score."""
    return state


class TagAsked(Struct, frozen=True):
    """What is asked of a deal that was only scored. tag: that says the answer; needed: it may not be left out"""

    tag: str
    asks: str
    needed: bool


class TagScore(Struct, Generic[S], frozen=True):
    """What the tags of a record without words come to.

    state: with the points they make; how: how they are worked out, step by step; faults: as ``Points.misstated`` has
        them
    """

    state: S
    how: str = ""
    faults: tuple[tuple[str, str, str], ...] = ()


def tells_nothing(tags: Mapping[str, str], state: Any) -> None:
    """Return nothing: points come from words alone."""


def none_spelled(tags: Mapping[str, str], state: Any) -> dict[str, str]:
    """Return no tags: points come from words alone."""
    return {}


class Points(Struct, Generic[S], frozen=True, eq=False):
    """What the seats have won, and the tags that say so.

    tags: those written when a record is closed, such as Score; one number a seat, parted by ``:``
    write(state): the tags as the moves make them; the state is settled
    misstated(tags, result, state, ruled): (tag, key, because) of every tag that contradicts the moves; result: as
        stated, ``*`` for none; it is contradicted under the tag Result
    shares(state, ruled): the shares of a record that is closed here, None where only the end decides; the state is
        settled
    ruled: the score in force where rulings have changed it, as the tag Score has it; empty where none has
    gained(before, after): what each seat has won since an earlier state, empty where nobody wins points, None where it
        is not known; both states are settled
    with_score(state, points): the state to be drawn with these points as its score
    told_by: the tags that tell of a record without words, of which only the score was kept
    from_tags(tags, state): what they come to, None where they are not there; state: the first of the record
    came_to(before, move, after): how the points of a deal that this move ended come about, step by step, for a person;
        empty where it ended none
    ask(tags, state): the next question about such a record, None after the last; tags: the answers so far, ``""`` where
        there is none. Raises NotationError with the tag whose value cannot be
    spell(tags, state): those of ``told_by`` that are there, in the spelling that is stored; tags: all of the record,
        for a player's name may stand for a seat. What nobody can read is left as it is
    """

    tags: tuple[str, ...] = ()
    write: Callable[[S], dict[str, str]] = no_tags
    misstated: Callable[[Mapping[str, str], str, S, str], tuple[tuple[str, str, str], ...]] = none_misstated
    shares: Callable[[S, str], tuple[int, ...] | None] = only_the_end
    told_by: tuple[str, ...] = ()
    from_tags: Callable[[Mapping[str, str], S], TagScore[S] | None] = tells_nothing
    ask: Callable[[Mapping[str, str], S], TagAsked | None] = tells_nothing
    came_to: Callable[[S, Any, S], str] = nothing_came
    gained: Callable[[S, S], tuple[Fraction, ...] | None] = none_gained
    with_score: Callable[[S, tuple[Fraction, ...]], S] = drawn_as_is
    spell: Callable[[Mapping[str, str], S], dict[str, str]] = none_spelled


Difference: TypeAlias = tuple[str, str, str]
"""A place, what a stated board has there, and what the moves put there."""


def not_taken_up(sheet: Any, mover: int, number: int) -> Refused:
    """Return that there is no position: the game's boards cannot be stated."""
    return Refused("no board of this game can be stated", True)


def none_differ(state: Any, sheet: Any) -> tuple[()]:
    """Return nothing: there is no board to differ from."""
    return ()


def not_spelled(state: Any) -> str:
    """Return nothing: no tag spells the position."""
    return ""


class Boards(Struct, Generic[S, T], frozen=True, eq=False):
    """What lies on the table, stated in the middle of a record and spelled as the set-up tag spells it.

    tag: the tag of ``SheetTags`` that spells it; empty where none does, and no board can be stated. Default: empty
    taken_up(sheet, mover, number): the position from which play goes on, or the refusal of one that cannot be; sheet:
        as ``SheetTags.read`` reads the tag; mover, number: the seat to move where the sheet does not say, and the
        number of its move
    differ(state, sheet): every place where the board is not that of the position; called before ``taken_up``
    write(state): the position as the tag has it, the seat to move with it
    """

    tag: str = ""
    taken_up: Callable[[Sheet[T], int, int], S | Refused] = not_taken_up
    differ: Callable[[S, Sheet[T]], tuple[Difference, ...]] = none_differ
    write: Callable[[S], str] = not_spelled


class Game(Struct, Generic[S, M, W, T], frozen=True, eq=False):
    """A game, as ``package:GAME`` of an entry point names it."""

    about: About
    rules: Rules[S, M, W, T]
    words: Words[S, M, W]
    turns: Turns[S, M] = Turns()
    sheet: SheetTags[T] = SheetTags()
    points: Points[S] = Points()
    hidden: Hidden[S, M, T] = FACE_UP
    place: Place[S] = Place()
    boards: Boards[S, T] = Boards()

    @property
    def setup_tag(self) -> str:
        """The tag that says what lies on the table before the first move."""
        return self.boards.tag or "Setup"


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""A game as general code has it, which looks into nothing of its states, moves and sheets."""
