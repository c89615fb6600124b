"""A game: nine parts put together, three of which it cannot do without: ``about``, ``rules``, ``words``.

The parts are frozen Structs of plain values and functions. Those of the rules stand in ``engine/parts.py``; here are
those that are notation.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Generic, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from cartulary.engine.contract import Option, Refused, Sheet
from cartulary.engine.parts import FACE_UP, Hidden, M, Place, Rules, S, T, Turns, W
from cartulary.notation.cgn.scanner import NOTHING_ODD
from cartulary.notation.cgn.scanner import Odd as Odd
from cartulary.notation.drawing import Drawing
from cartulary.notation.guide import Guide
from cartulary.notation.picture import Picture


@lru_cache(128)
def numbered_seats(seats: int) -> tuple[str, ...]:
    """Return the tags ``Seat1``, ``Seat2``, … for so many seats; the default of ``About.seat_tags``."""
    return tuple(f"Seat{seat}" for seat in range(1, seats + 1))


def no_teams(seats: int) -> tuple[int, ...]:
    """Return an empty tuple: everybody plays alone; the default of ``About.teams``."""
    return ()


class About(Struct, frozen=True, eq=False, kw_only=True):
    """Name a game, its seats and its variants, and say what people read about it.

    Attributes:
        key: The key as it is typed and stored; it also begins the keys of the rules: ``mygame.follow-suit``.
        title: The title, which is the value of the tag Game.
        edition: The edition of the rules, which is the value of the tag Edition.
        seats: The numbers of seats it can be played with, the usual one first.
        says: One clause about the game for its page, such as ``two seats, 52 cards on a board``.
        seat_tags: ``seat_tags(seats)`` returns the tags that name the players, in seat order. Default: ``Seat1``, …
        variants: The names of the variants, the default first.
        options: The published ways to play differently.
        load_guide: ``load_guide()`` returns what people read about the game, as ``guide_beside`` reads it from its
            ``guide.toml``. Default: an empty guide.
        read_variant: ``read_variant(text)`` returns the variant that a tag Variant names, or the text itself if it
            names none. Default: the text.
        write_variant: ``write_variant(variant)`` returns the value of that tag, empty if it is to be left out.
            Default: the variant.
        teams: ``teams(seats)`` returns the number of each seat's team, from 1, in games whose partners win and lose
            together; empty if everybody plays alone or the partners change during a game. Default: empty.
        also: What else people call the game, such as its titles in other languages. ``find_game`` does not know them.
        usual: Whether the first variant is what everybody means by the name of the game. If not, a form asks which.
    """

    key: str
    title: str
    edition: str
    seats: tuple[int, ...]
    says: str = ""
    seat_tags: Callable[[int], tuple[str, ...]] = numbered_seats
    variants: tuple[str, ...] = ("standard",)
    options: tuple[Option, ...] = ()
    load_guide: Callable[[], Guide] = Guide
    read_variant: Callable[[str], str] = str
    write_variant: Callable[[str], str] = str
    teams: Callable[[int], tuple[int, ...]] = no_teams
    also: tuple[str, ...] = ()
    usual: bool = True

    @property
    def guide(self) -> Guide:
        """What people read about the game; a file is read when this is first asked for.

        Raises:
            GuideFault: If the file is missing or cannot be read.
        """
        return self.load_guide()


def nothing_came(before: Any, move: Any, after: Any) -> str:
    """Return an empty text: nothing is said of a move; the default of ``Words.came_of`` and ``Points.came_to``."""
    return ""


def no_suit_led(state: Any) -> str:
    """Return an empty text: no suit is led; the default of ``Words.suit_led`` for games without tricks."""
    return ""


def no_spellings(typed: str) -> tuple[()]:
    """Return an empty tuple: a typed word may mean no other word; the default of ``Words.spellings``.

    It is for games whose words are typed as they are written.
    """
    return ()


def as_written(signs: str) -> str:
    """Return an empty text: people call a word as it is written; the default of ``Words.common_name``."""
    return ""


class TouchTarget(Struct, frozen=True, omit_defaults=True):
    """One thing that may be touched.

    Attributes:
        word: What it adds to the word.
        item: The id of the item of the drawing that is touched; empty if it is not drawn.
        keys: The texts of keys, one of which ends the word, such as ``=Q``; empty if the word needs none.
        aims: The items of other things of the same seat on which this one may be put all the same, so that the rules
            say why not: the squares to which a king castles.
    """

    word: str
    item: str = ""
    keys: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()


class TouchEnds(Struct, frozen=True):
    """List what is touched last, such as a man that is taken by choice.

    Attributes:
        things: What may be touched; joined to a beginning it is a word.
        beginnings: What things, or things and places, make that is no word without an end.
    """

    things: tuple[TouchTarget, ...]
    beginnings: tuple[str, ...]


class TouchTargets(Struct, frozen=True):
    """List what a seat may touch to write a word: its cards or pieces, whether or not they may be played.

    Attributes:
        things: What is touched first.
        places: What is touched next; a thing and then a place, joined, are a word. Empty if a thing alone is a word.
        ends: What is touched after both, to end some words. Default: nothing, which is not sent to a page.
    """

    things: tuple[TouchTarget, ...] = ()
    places: tuple[TouchTarget, ...] = ()
    ends: TouchEnds | UnsetType = UNSET


class CardList(Struct, frozen=True):
    """A word of several cards, which are typed one after the other, such as the cards that somebody puts away.

    Attributes:
        before: The text of the word before the cards, which are joined by commas.
        after: The text after them.
        sizes: How many cards there may be.
        due: Whether this is the next word, so that cards alone are such a word.
    """

    before: str = ""
    after: str = ""
    sizes: tuple[int, ...] = (1,)
    due: bool = False


class SuitKeys(Struct, frozen=True):
    """The keys of a suit.

    Attributes:
        sign: What stands on the suit's own key, such as ``♣``.
        name: What screen readers call the suit.
        keys: For each card, in the order of ranks, its word and what stands on its key.
    """

    sign: str
    name: str
    keys: tuple[tuple[str, str], ...]


class Keypad(Struct, frozen=True):
    """The cards of a deck as keys that keep their places, for cards that are not on the drawing.

    Attributes:
        suits: The keys by suit; empty if no card is to be named, or if all that may be are drawn.
        open_cards: The words of cards that lie or have lain open, so that they cannot come once more.
        suit_led: The suit that was led, by its sign; empty for none.
        lists: The words of several cards that may be written now.
    """

    suits: tuple[SuitKeys, ...] = ()
    open_cards: tuple[str, ...] = ()
    suit_led: str = ""
    lists: tuple[CardList, ...] = ()


class FormThing(Struct, frozen=True, omit_defaults=True):
    """A thing that adds to a word when it is tapped: something on the drawing, or else a key.

    Attributes:
        word: What it adds.
        item: The id of its item of the drawing, or the word of its key on the keypad. Default: ``word``.
        label: What stands on its key where it is neither drawn nor on the keypad. Default: ``word``.
        next_node: The node that follows; empty for that of its branch.
    """

    word: str
    item: str = ""
    label: str = ""
    next_node: str = field(default="", name="then")


class FormBranch(Struct, frozen=True, omit_defaults=True):
    """A way to go on with a word: a key, or one thing of a group. Without label and group it is followed without a tap.

    Attributes:
        text: What it adds to the word, before the thing.
        label: What stands on its key.
        group: The name of the group whose things may be tapped.
        after: What it adds after the thing.
        next_node: The node that follows; empty if the word is complete.
    """

    text: str = ""
    label: str = ""
    group: str = ""
    after: str = ""
    next_node: str = field(default="", name="then")


class WordForm(Struct, frozen=True, omit_defaults=True):
    """Words that are put together step by step: from node to node, each step adding some text.

    Attributes:
        nodes: The branches of each node by its name; the first node is ``start``.
        groups: The things of each group by its name.
        ends: The nodes at which the word may also be complete.
        once: Whether a word names a card once at most, so that a card that is tapped again is taken out of the word.
        titles: What is put together at a node, by its name, such as ``Put away (3 of 6)``.
    """

    nodes: dict[str, tuple[FormBranch, ...]] = {}
    groups: dict[str, tuple[FormThing, ...]] = {}
    ends: tuple[str, ...] = ()
    once: bool = False
    titles: dict[str, str] = {}


def no_form(state: Any, seat: int) -> WordForm:
    """Return an empty form: no word can be put together step by step; the default of ``Touch.form``."""
    return WordForm()


def no_targets(state: Any, seat: int) -> TouchTargets:
    """Return targets without things and places: nothing can be touched; the default of ``Touch.targets``.

    It is for games whose words are typed.
    """
    return TouchTargets()


def no_task(state: Any, seat: int) -> str:
    """Return an empty text: the turn alone says what is done next; the default of ``Touch.task``."""
    return ""


def no_signs(state: Any) -> dict[str, str]:
    """Return an empty mapping: the text of each key of a path stands on it; the default of ``Touch.signs``."""
    return {}


def no_lines(state: Any) -> tuple[()]:
    """Return an empty tuple: no key writes several words; the default of ``Touch.lines``."""
    return ()


def no_path(move: Any, state: Any) -> tuple[()]:
    """Return an empty tuple: nothing on the drawing is tapped for a move; the default of ``Touch.path``.

    The word is then a key of its own.
    """
    return ()


def no_keypad(state: Any, seat: int) -> Keypad:
    """Return an empty keypad: there are no keys for cards; the default of ``Touch.keypad``.

    It is for games without cards that nobody has seen.
    """
    return Keypad()


class Touch(Struct, Generic[S, M], frozen=True, eq=False, kw_only=True):
    """Put words together by tapping.

    Attributes:
        targets: ``targets(state, seat)`` returns what a seat may touch, from what it sees and whether or not it is
            legal. In a quiet record nothing else is tapped. Default: nothing.
        path: ``path(move, state)`` returns what is tapped to write a legal move, in order: the ids of items of the
            drawing, and then the text of a key for whatever they leave open, such as ``=Q``. Default: nothing, so that
            the word is a key of its own.
        keypad: ``keypad(state, seat)`` returns the keys of cards for a word of a seat, from what it sees. Default:
            none.
        form: ``form(state, seat)`` returns how the words of a seat are put together step by step, from what it sees
            and whether or not they are legal; seat 0 writes for everybody. Default: they are not.
        out_of_turn: Whether a form has words for a seat that is not to speak, such as what it may announce.
        task: ``task(state, seat)`` returns what is to be tapped next, in one short line in which seats are ``p2``:
            ``p2 to bid``, ``Tap the card turned up``. The seat is that of ``form``. Default: an empty text, if the turn
            alone says so.
        signs: ``signs(state)`` returns what stands on keys of paths, by their text: ``{"=Q": "♛"}``. Default: nothing;
            then the text stands there.
        lines: ``lines(state)`` returns lines of several words that one key writes for all seats, as pairs of what
            stands on the key and the line. Default: none.
        unit: What ``Turns.number`` counts, such as ``trick``. Default: ``move``.
    """

    targets: Callable[[S, int], TouchTargets] = no_targets
    path: Callable[[M, S], tuple[str, ...]] = no_path
    keypad: Callable[[S, int], Keypad] = no_keypad
    form: Callable[[S, int], WordForm] = no_form
    out_of_turn: bool = False
    task: Callable[[S, int], str] = no_task
    signs: Callable[[S], Mapping[str, str]] = no_signs
    lines: Callable[[S], tuple[tuple[str, str], ...]] = no_lines
    unit: str = "move"


def without_marks(signs: str) -> str:
    """Return a word without its optional marks: any ``:``, and ``+``, ``×``, ``#`` at its end.

    ``8H:c5+`` is ``8Hc5``.
    """
    return signs.rstrip("+×#").replace(":", "")


class Words(Struct, Generic[S, M, W], frozen=True, eq=False, kw_only=True):
    """Read, write and draw the words of a game.

    Prefixes of seats, calls and the check of the spelling are the same for all games, and are not done here.

    Attributes:
        read: ``read(signs, seat, state)`` returns the meaning of a word. ``signs`` is the word without its prefix and
            is never empty; ``seat`` is the seat whose word it is. It is called once a word, and uses the state only to
            read, never to judge. It raises NotationError for a word without meaning, with a column from 1 in ``signs``.
        write: ``write(move, state, after)`` returns the canonical spelling, with ``+`` and ``#`` but without the
            prefix. ``after`` is the state after the move, or None if the move was not applied or not tried.
        picture: ``picture(state, seat)`` returns the position as rows of text, at most 80 columns wide, as the seat
            sees it. Seat 0 is a spectator, None everything.
        drawing: ``drawing(state, seat)`` returns the same as things in places. Default: the rows of the picture.
        end_drawing: ``end_drawing(before, move, after, seat)`` returns the table as it lies once a move has ended a
            deal, before it is cleared: the last trick, and the score of ``after``. Default: the next position is drawn.
        came_of: ``came_of(before, move, after)`` returns the result of a ply for a score sheet, such as who took the
            trick. Default: nothing.
        needs_prefix: ``needs_prefix(move, state)`` returns whether the word has the prefix of its seat. Default: if the
            seat is not the first to speak.
        suit_led: ``suit_led(state)`` returns the suit led in the current trick, as cards are written, T for trumps and
            empty for none. At a table a rank alone is a card of that suit. Default: empty.
        spellings: ``spellings(typed)`` returns the words that a word typed at a table may mean if it cannot be read:
            ``t9`` is ``T09``, ``11×15`` is ``11x15``. They may still lack capitals. Whoever typed it is asked which one
            was meant if two of them can be read. Files are read without it. Default: none.
        common_name: ``common_name(signs)`` returns what people call a word, which is said with the word beside it:
            ``♥10`` for ``XH``; empty if they call it as it is written. Default: empty.
        touch: How words are put together by tapping. Default: every legal word is a key of its own.
        bare: ``bare(signs)`` returns a word without its optional marks. Words that are equal without them differ by no
            slip of the pen. Default: ``without_marks``.
        whole: Whether the game reads and writes prefixes itself; then ``seat`` is 0 and ``Turns.table`` is not asked.
        odd: The tokens that are words in this game and are read as something else in others. Default: none.
    """

    read: Callable[[str, int, S], W]
    write: Callable[[M, S, S | None], str]
    picture: Callable[[S, int | None], Picture]
    drawing: Callable[[S, int | None], Drawing] | None = None
    end_drawing: Callable[[S, M, S, int | None], Drawing] | None = None
    came_of: Callable[[S, M, S], str] = nothing_came
    needs_prefix: Callable[[M, S], bool] | None = None
    suit_led: Callable[[S], str] = no_suit_led
    spellings: Callable[[str], tuple[str, ...]] = no_spellings
    common_name: Callable[[str], str] = as_written
    touch: Touch[S, M] = Touch()
    bare: Callable[[str], str] = without_marks
    whole: bool = False
    odd: Odd = NOTHING_ODD

    def spell(self, move: M, state: S, after: S | None, turn: int) -> str:
        """Return the canonical spelling of a move, with the prefix of its seat if it needs one.

        Args:
            move: The move.
            state: The state before it.
            after: The state after it, None if it was not applied.
            turn: The seat whose words have no prefix; of no account if the game reads prefixes itself.
        """
        text = self.write(move, state, after)
        if self.whole or not (move.seat != turn if self.needs_prefix is None else self.needs_prefix(move, state)):
            return text
        return f"p{move.seat}/{text}"


def plain_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Any]:
    """Return a sheet with variant, options and seats alone; the default of ``SheetTags.read``.

    The tags are not looked at.
    """
    return Sheet(variant, options, seats)


def no_tags(of: Any) -> dict[str, str]:
    """Return an empty dictionary: there are no tags to be written.

    It is the default of ``SheetTags.write`` and ``Points.write``.
    """
    return {}


class SheetTags(Struct, Generic[T], frozen=True, eq=False, kw_only=True):
    """Read and write the tags that only this game has.

    Attributes:
        names: The names of the tags that ``read`` looks at.
        read: ``read(tags, variant, options, seats)`` returns the sheet from which the rules set up the game. It raises
            NotationError with the key ``record.tag`` and the ``tag`` at fault.
        write: ``write(sheet)`` returns the tags of a sheet in canonical spelling, empty if it has none.
    """

    names: tuple[str, ...] = ()
    read: Callable[[Mapping[str, str], str, dict[str, str], int], Sheet[T]] = plain_sheet
    write: Callable[[Sheet[T]], dict[str, str]] = no_tags


def none_misstated(tags: Mapping[str, str], result: str, state: Any, ruled_score: str = "") -> tuple[()]:
    """Return an empty tuple: no tag contradicts the moves; the default of ``Points.tag_faults``.

    It is for games without points.
    """
    return ()


def only_the_end(state: Any, ruled_score: str = "") -> None:
    """Return None: only the end of the game decides who wins; the default of ``Points.shares``."""


def none_gained(before: Any, after: Any) -> tuple[()]:
    """Return an empty tuple: nobody wins points in this game; the default of ``Points.gains``."""
    return ()


def drawn_as_is(state: Any, points: tuple[Fraction, ...]) -> Any:
    """Return the state as it is, without the points; the default of ``Points.with_score``.

    It is for drawings without a score.
    """
    return state


class TagAsked(Struct, frozen=True):
    """A question about a deal of which only the score was recorded.

    Attributes:
        tag: The tag that holds the answer.
        asks: The question, as a sentence for a person.
        needed: Whether an answer is required.
    """

    tag: str
    asks: str
    needed: bool


class TagScore(Struct, Generic[S], frozen=True, kw_only=True):
    """The score that the tags of a record without words give.

    Attributes:
        state: The state with these points.
        how: How they are worked out, step by step.
        faults: What is wrong with the tags, in the form of ``Points.tag_faults``.
    """

    state: S
    how: str = ""
    faults: tuple[tuple[str, str, str], ...] = ()


def tells_nothing(tags: Mapping[str, str], state: Any) -> None:
    """Return None: the tags give no score, and nothing is to be asked.

    It is the default of ``Points.from_tags`` and ``Points.ask``, for games scored by their words.
    """


def none_spelled(tags: Mapping[str, str], state: Any) -> dict[str, str]:
    """Return an empty dictionary: no tag of a score is there to be spelled; the default of ``Points.spell``."""
    return {}


def nobody_absent(state: Any) -> frozenset[int]:
    """Return an empty set: no seat sat out; the default of ``Points.absent``."""
    return frozenset()


class Points(Struct, Generic[S], frozen=True, eq=False, kw_only=True):
    """Count what the seats have won, and write and check the tags that say so.

    States are settled (``Turns.settle``) before they are given to these functions. ``ruled_score`` is the score in
    force if rulings have changed it, as the tag Score has it, and otherwise empty.

    Attributes:
        tags: The tags written when a record is closed, such as Score, with one number a seat, separated by ``:``.
        write: ``write(state)`` returns these tags as the moves give them.
        tag_faults: ``tag_faults(tags, result, state, ruled_score)`` returns (tag, key, because) for every tag that
            contradicts the moves. ``result`` is the result as stated, ``*`` for none; if it is wrong, the tag is
            Result.
        shares: ``shares(state, ruled_score)`` returns the shares of a record that is closed now; None if only the end
            of the game decides.
        told_by: The tags that describe a record without words, of which only the score was recorded.
        from_tags: ``from_tags(tags, state)`` returns the score that those tags give, None if they are missing.
            ``state`` is the first of the record.
        ask: ``ask(tags, state)`` returns the next question about such a record, None after the last. ``tags`` holds the
            answers so far, ``""`` for no answer. It raises NotationError with the tag whose value is impossible.
        came_to: ``came_to(before, move, after)`` returns, for a person, how the points of the deal that this move ended
            come about; empty if it ended none.
        gains: ``gains(before, after)`` returns what each seat has won since an earlier state; empty if nobody wins
            points in this game, None if it is not known.
        with_score: ``with_score(state, points)`` returns the state to be drawn with these points as its score.
        spell: ``spell(tags, state)`` returns the tags of ``told_by`` that are present, in the spelling that is stored.
            It is given all tags, because the name of a player may stand for a seat. An unreadable value stays.
        absent: ``absent(state)`` returns the seats that sat out every round so far, so that they have not played.
            Default: none.
        fewest: Whether the fewest points win, so that points cost. Default: the most win.
    """

    tags: tuple[str, ...] = ()
    write: Callable[[S], dict[str, str]] = no_tags
    tag_faults: Callable[[Mapping[str, str], str, S, str], tuple[tuple[str, str, str], ...]] = none_misstated
    shares: Callable[[S, str], tuple[int, ...] | None] = only_the_end
    told_by: tuple[str, ...] = ()
    from_tags: Callable[[Mapping[str, str], S], TagScore[S] | None] = tells_nothing
    ask: Callable[[Mapping[str, str], S], TagAsked | None] = tells_nothing
    came_to: Callable[[S, Any, S], str] = nothing_came
    gains: Callable[[S, S], tuple[Fraction, ...] | None] = none_gained
    with_score: Callable[[S, tuple[Fraction, ...]], S] = drawn_as_is
    spell: Callable[[Mapping[str, str], S], dict[str, str]] = none_spelled
    absent: Callable[[S], frozenset[int]] = nobody_absent
    fewest: bool = False


class RoundField(Struct, frozen=True):
    """One thing to be entered about a round that only its score is kept of.

    Attributes:
        name: The name under which the answer is given.
        label: What a person reads, a word or two.
        kind: What the answer is: ``seat``, ``choice``, ``number``, ``numbers`` (one a seat, joined by ``:``), ``seats``
            (joined by ``,``) or ``pairs`` (a seat and a choice, ``p1:10``, joined by blanks).
        choices: The values there are, each with what a person reads.
        most: The greatest number.
        needed: Whether an answer is required.
        final: The value after which nothing else is to be entered, such as that all passed; empty for none.
        halves: Whether a number may be a half more, such as 45.5.
    """

    name: str
    label: str
    kind: Literal["seat", "choice", "number", "numbers", "seats", "pairs"]
    choices: tuple[tuple[str, str], ...] = ()
    most: int = 0
    needed: bool = False
    final: str = ""
    halves: bool = False


def no_round_fields(state: Any) -> tuple[RoundField, ...]:
    """Return an empty tuple: no round can be entered as its score; the default of ``Rounds.fields``.

    It is for games whose score always comes from moves.
    """
    return ()


def no_round_word(answers: Mapping[str, str], state: Any) -> str:
    """Return an empty text, as no round can be entered as its score; the default of ``Rounds.word``."""
    return ""


def no_round_answers(move: Any) -> dict[str, str]:
    """Return an empty dictionary: the move is no round entered as its score; the default of ``Rounds.answers``."""
    return {}


class Rounds(Struct, Generic[S], frozen=True, eq=False, kw_only=True):
    """Enter a whole round at once, as its score: a word of the table.

    Attributes:
        fields: ``fields(state)`` returns what is to be entered; empty if no round can be entered now, because one has
            begun or the game has none. Default: empty.
        word: ``word(answers, state)`` returns the word with its prefix; an answer that is left out or empty was not
            given. It raises NotationError with the name of the field as its ``tag``.
        answers: ``answers(move)`` returns the answers that a round was entered with, by the names of the fields; empty
            if the move is no such round. Default: empty.
        unit: What players call a round, such as ``deal``. Default: ``round``.
    """

    fields: Callable[[S], tuple[RoundField, ...]] = no_round_fields
    word: Callable[[Mapping[str, str], S], str] = no_round_word
    answers: Callable[[Any], dict[str, str]] = no_round_answers
    unit: str = "round"


Difference: TypeAlias = tuple[str, str, str]
"""A place, what a stated board has there, and what the moves have put there."""


def not_taken_up(sheet: Any, mover: int, number: int) -> Refused:
    """Return a refusal that blocks: no board of this game can be stated; the default of ``Boards.taken_up``."""
    return Refused("no board of this game can be stated", True)


def none_differ(state: Any, sheet: Any) -> tuple[()]:
    """Return an empty tuple: a stated board differs nowhere; the default of ``Boards.differ``."""
    return ()


def not_spelled(state: Any) -> str:
    """Return an empty text: the game has no tag that spells a position; the default of ``Boards.write``."""
    return ""


class Boards(Struct, Generic[S, T], frozen=True, eq=False, kw_only=True):
    """Take up a board that is stated in the middle of a record, in the spelling of the set-up tag.

    Attributes:
        tag: The tag of ``SheetTags`` that spells a position. Without one no board can be stated. Default: empty.
        taken_up: ``taken_up(sheet, mover, number)`` returns the position from which play goes on, or the refusal of an
            impossible one. ``sheet`` is what ``SheetTags.read`` made of the tag, ``mover`` the seat to move if the
            sheet does not say, and ``number`` the number of its move.
        differ: ``differ(state, sheet)`` returns every place where the board differs from the position. It is called
            before ``taken_up``.
        write: ``write(state)`` returns the position as the tag has it, with the seat to move.
    """

    tag: str = ""
    taken_up: Callable[[Sheet[T], int, int], S | Refused] = not_taken_up
    differ: Callable[[S, Sheet[T]], tuple[Difference, ...]] = none_differ
    write: Callable[[S], str] = not_spelled


class Game(Struct, Generic[S, M, W, T], frozen=True, eq=False, kw_only=True):
    """Put a game together: the rules, the words, and what else it decides itself.

    A package offers its game as the entry point ``key = "package:GAME"`` of the group ``cartulary.games``.

    Attributes:
        about: Names, seats and variants.
        rules: What is legal, and how a game is set up, played and ended.
        words: How words are read, written and drawn.
        turns: Who may speak. Default: the seat in ``state.mover``.
        sheet: The tags that only this game has. Default: none.
        points: What the seats win. Default: no points.
        hidden: What a seat may see. Default: everything.
        place: What makes two positions the same. Default: the whole state without its counters.
        boards: How a board is stated in the middle of a record. Default: it cannot be.
        rounds: How a round is entered as its score. Default: it cannot be.
    """

    about: About
    rules: Rules[S, M, W, T]
    words: Words[S, M, W]
    turns: Turns[S, M] = Turns()
    sheet: SheetTags[T] = SheetTags()
    points: Points[S] = Points()
    hidden: Hidden[S, M, T] = FACE_UP
    place: Place[S] = Place()
    boards: Boards[S, T] = Boards()
    rounds: Rounds[S] = Rounds()

    @property
    def setup_tag(self) -> str:
        """The name of the tag that states the first position: that of ``Boards``, such as ``FEN``, else ``Setup``."""
        return self.boards.tag or "Setup"


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""A game as general code has it, which looks into nothing of its states, moves and sheets."""
