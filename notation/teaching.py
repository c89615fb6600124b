"""What the cards and pieces of a game do, for anyone who asks: entries with their clauses and an example."""

import re
from collections.abc import Iterable, Mapping
from unicodedata import combining, normalize

from msgspec import Struct

TableRow = tuple[str, ...]
_SHORT = 3
"""A number of letters: only longer words are tried as plurals, and no shorter text finds a name by a part of it."""


class Example(Struct, frozen=True):
    """A word that is legal where it stands, as an example of what a card or piece does.

    Attributes:
        word: The word.
        shows: A sentence on what can be seen when all words are played.
        after: The words before it.
        tags: The tags of its sheet without ``Game``.
        then: The words after it that carry it out.
    """

    word: str
    shows: str
    after: str = ""
    tags: Mapping[str, str] = {}
    then: str = ""


class Entry(Struct, frozen=True):
    """What a card, a piece or another thing of a game does.

    Attributes:
        name: Its name as players say it.
        says: What it does, in one sentence or two.
        clauses: The keys of its clauses, without the game before the dot.
        example: A legal example.
        cards: The words by which it is written in a record.
        also: What else players call it.
        table: Rows of cells, headings first.
        source: The source of what it says. Default: that of its first clause.
    """

    name: str
    says: str
    clauses: tuple[str, ...]
    example: Example
    cards: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    table: tuple[TableRow, ...] = ()
    source: str = ""


class Teaching(Struct, frozen=True):
    """What the cards and pieces of a game do.

    Attributes:
        entries: The entries, in the order of the reference card.
        cards: Every card or piece, as a record writes it.
    """

    entries: tuple[Entry, ...] = ()
    cards: tuple[str, ...] = ()


def names(entry: Entry) -> tuple[str, ...]:
    """Return every name by which an entry can be found."""
    return (entry.name, *entry.also, *entry.cards)


def loosely(name: str) -> str:
    """Return a name without case, accents, ``the`` and everything but letters and digits, for comparing names."""
    return "".join(_spoken_words(name))


def _spoken_words(name: str) -> list[str]:
    """Return the words of a name as ``loosely`` has them, its numbers without leading noughts."""
    plain = (sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))
    words = "".join(sign if sign.isalnum() else " " for sign in plain).split()
    spoken = words[1:] if len(words) > 1 and words[0] == "the" else words
    return [re.sub(r"(?<!\d)0+(?=\d)", "", word) for word in spoken]


def _single(words: list[str]) -> str:
    """Return words separated by blanks, each without the s of a plural."""
    return " ".join(word.removesuffix("s") if len(word) > _SHORT else word for word in words)


def entry_named(teaching: Teaching, word: str) -> Entry | None:
    """Return the entry with this name, however loosely it is typed; None if there is none."""
    wanted = loosely(word)
    return next((entry for entry in teaching.entries if wanted in map(loosely, names(entry))), None)


def find_entry(entries: Iterable[Entry], word: str) -> Entry | None:
    """Return the entry whose name is typed in part, in the plural, or as a card with its suit.

    Args:
        entries: The entries of the game.
        word: What was typed, such as ``towers`` or ``king of cups``.

    Returns:
        The entry; None if no name fits, or if the part fits the names of several entries.
    """
    known = [(entry, {_single(_spoken_words(name)) for name in names(entry)}) for entry in entries]
    for part in (word, *re.split(r"\s+of\s+", word.strip(), maxsplit=1, flags=re.IGNORECASE)):
        wanted = _single(_spoken_words(part))
        if exact := [entry for entry, spellings in known if wanted in spellings]:
            return exact[0]
        parts = [entry for entry, spellings in known if any(f" {wanted} " in f" {name} " for name in spellings)]
        if len(wanted) >= _SHORT and len(parts) == 1:
            return parts[0]
    return None


def near_names(word: str, among: Iterable[str], most: int = 3, alike: float = 0.7) -> list[str]:
    """Return the names most like a word, the most alike first.

    Args:
        word: What was typed.
        among: The names to choose from.
        most: The largest number of names to return.
        alike: The least likeness of a name, from 0 to 1.
    """
    from difflib import get_close_matches

    loose = {loosely(name): name for name in among}
    return [loose[near] for near in get_close_matches(loosely(word), loose, most, alike)]
