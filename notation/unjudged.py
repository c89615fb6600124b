"""A record that is not judged, ``[Rules "none"]``: a game of any name whose rules have no clauses.

Its words are kept as they are. A word's prefix says whose it is; without one it belongs to the seat after the one that
spoke last. A seat sees every word as ``~``: nobody knows what it has seen.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Played, Sheet, Turns
from cartulary.engine.contract import UNJUDGED
from cartulary.engine.numbers import NUMBERED
from cartulary.engine.parts import Hidden, Rules
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.signs import count, cut
from cartulary.notation.contract import About, AnyGame, Game, Odd, SheetTags, Words, numbered_seats
from cartulary.notation.picture import Picture, Span
from cartulary.notation.roster import find_game

NOBODY = "none"
"""What the tag Rules says of a record that nobody judges."""
MOST_SEATS = 10
UNSEEN = "~"
_WORD = re.compile(rf"(?:({NUMBERED})/)?[^\s{{}}();$]+")
ODD = Odd(numeric=True, words=frozenset(("0-0", "0-0-0")))
"""Words of games that look like results."""
_OWN = ("Rules", "Setup")
"""The first anybody may read."""

# --- types ---


class FreeWord(Struct, frozen=True):
    """A word and whose it is; 0 the table."""

    seat: int
    text: str


class WordCount(Struct, frozen=True):
    """How many words were said, the table's aside, and whose the next one is."""

    seats: int
    mover: int = 1
    words: int = 0


Own = tuple[tuple[str, str], ...]
"""The tags Rules and Setup as they are written."""

# --- rules ---


def setup(sheet: Sheet[Own]) -> WordCount:
    """Return the state before the first word."""
    return WordCount(sheet.seats)


def play(state: WordCount, word: FreeWord, exactly: bool = False, /) -> Played[WordCount, FreeWord]:
    """Return the word unjudged, and the state with the next seat to speak."""
    if not word.seat:
        return Played(word, UNJUDGED, state)
    return Played(word, UNJUDGED, WordCount(state.seats, word.seat % state.seats + 1, state.words + 1))


RULES: Rules[WordCount, FreeWord, FreeWord, Own] = Rules(setup, play)


def nobody_judges(game: AnyGame | None) -> bool:
    """Say whether a game is an unjudged one, as ``unjudged_game`` makes it."""
    return game is not None and game.rules is RULES


# --- words ---


def read(text: str, seat: int, state: WordCount) -> FreeWord:
    """Return any word as it stands, with its seat: that of its prefix, else the seat whose turn it is.

    Raises:
        NotationError: If the text would not be read back as one word.
    """
    match = _WORD.fullmatch(text)
    if match is None:
        at = next((i for i, sign in enumerate(text) if not _WORD.fullmatch(sign)), 0)
        raise NotationError(f"found {cut(text)}, expected a word without a blank, a brace or a parenthesis", at + 1)
    seats = {f"p{seat}": seat for seat in range(state.seats + 1)}
    return FreeWord(seats.get(match[1], state.mover), text)


def _written(move: FreeWord, state: WordCount, after: WordCount | None) -> str:
    """Return the word as it stands."""
    return move.text


def picture(state: WordCount, seat: int | None) -> Picture:
    """Return one row: nobody knows how the game stands."""
    words = count(state.words, "word")
    return ((Span(f"{words} written; this record is not judged", "frame"),),)


def number(state: WordCount, move: FreeWord | None) -> tuple[int, bool] | None:
    """Return the number of the round, and whether it is its first word; None for a word of the table."""
    if move is not None and not move.seat:
        return None
    return state.words // state.seats + 1, state.words % state.seats == 0


# --- tags ---


def _own(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Own]:
    """Return the sheet of an unjudged record, with its tags Rules and Setup."""
    return Sheet(variant, options, seats, tuple((name, tags[name]) for name in _OWN if tags.get(name)))


def _own_tags(sheet: Sheet[Own]) -> dict[str, str]:
    """Return the tags Rules and Setup of a sheet, as written."""
    return dict(sheet.own or ())


def _without_setup(sheet: Sheet[Own], seat: int) -> Sheet[Own]:
    """Return the sheet as a seat may see it: without the tag Setup, which may name cards."""
    return replace(sheet, own=tuple(tag for tag in sheet.own or () if tag[0] != "Setup"))


# --- the game ---


@lru_cache(256)
def unjudged_game(
    title: str, edition: str = "", variant: str = "", *, seats: int = 0, numbered: bool = False
) -> AnyGame:
    """Return a game of any title that nobody judges.

    If a game of this name is installed, the seats have its tags; its words and rules are not used.

    Args:
        title: The name of the game.
        edition: The edition that the record names.
        variant: The variant that the record names.
        seats: How many seats there are if no Seat tags count them; 0 for as many as the installed game has, or two.
        numbered: Whether the seats are called Seat1, Seat2 … even if a game of this name is installed.
    """
    try:
        named = find_game(title).about
        usual, seat_tags = seats or named.seats[0], numbered_seats if numbered else named.seat_tags
    except NotationError:
        usual, seat_tags = seats or 2, numbered_seats

    def tags(count: int) -> tuple[str, ...]:
        """Return the tags of so many seats: the installed game's, or Seat1, Seat2 … if it has none for that number."""
        names = seat_tags(count)
        return names if len(names) == count else numbered_seats(count)

    counts = (usual, *(count for count in range(1, MOST_SEATS + 1) if count != usual))
    return Game(
        About(title, title, edition, counts, "it is not judged", tags, (variant,)),
        RULES,
        Words(read, _written, picture, whole=True, odd=ODD),
        Turns(number=number),
        SheetTags(_OWN[:1], _own, _own_tags),
        hidden=Hidden(lambda state, seat: state, lambda state, move, seat: FreeWord(move.seat, UNSEEN), _without_setup),
    )
