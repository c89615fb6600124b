"""What the cards and pieces of a game do, for anyone who asks: entries with their clauses and an example."""

import re
from collections.abc import Iterable, Mapping
from unicodedata import combining, normalize

from msgspec import Struct

TableRow = tuple[str, ...]
_SHORT = 3
"""Of the letters of a word: no longer one has a plural, no shorter one is a part of a name."""


class Example(Struct, frozen=True):
    """A word that is legal where it stands, and what comes of it.

    shows: what is seen of it once all is played, a sentence; after: the words before it
    tags: those of its sheet but for ``Game``; then: the words after it that carry it out
    """

    word: str
    shows: str
    after: str = ""
    tags: Mapping[str, str] = {}
    then: str = ""


class Entry(Struct, frozen=True):
    """What a card, a piece or a thing of the game does.

    name: as players say it; says: what it does, in one sentence or two
    clauses: their keys, without the game's before the dot
    cards: the words by which it stands in a record; also: what else players call it
    table: rows of cells, the first the headings
    source: where what it says comes from. Default: where its first clause does
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
    """The entries of a game, in the order of its reference card. cards: every card or piece, as a record names it"""

    entries: tuple[Entry, ...] = ()
    cards: tuple[str, ...] = ()


def names(entry: Entry) -> tuple[str, ...]:
    """Return every name by which an entry is found."""
    return (entry.name, *entry.also, *entry.cards)


def loosely(name: str) -> str:
    """Return a name without what people leave out: case, accents, an article, whatever is no letter or digit."""
    return "".join(_spoken_words(name))


def _spoken_words(name: str) -> list[str]:
    """Return the words of a name as ``loosely`` has them, its numbers without leading noughts."""
    plain = (sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))
    words = "".join(sign if sign.isalnum() else " " for sign in plain).split()
    spoken = words[1:] if len(words) > 1 and words[0] == "the" else words
    return [re.sub(r"(?<!\d)0+(?=\d)", "", word) for word in spoken]


def _single(words: list[str]) -> str:
    """Return words one by one, parted by blanks, each without the s of a plural."""
    return " ".join(word.removesuffix("s") if len(word) > _SHORT else word for word in words)


def entry_named(teaching: Teaching, word: str) -> Entry | None:
    """Return the entry a person asks for by one of its names, None where there is none."""
    wanted = loosely(word)
    return next((entry for entry in teaching.entries if wanted in map(loosely, names(entry))), None)


def find_entry(entries: Iterable[Entry], word: str) -> Entry | None:
    """Return the entry a person means who says its name in part or in the plural, or a card with its suit.

    A part of the names of several entries means none of them.
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
    """Return the names most like a word, the most alike first; none if none is like it.

    alike: how like a name must be at the least, from 0 to 1
    """
    from difflib import get_close_matches

    loose = {loosely(name): name for name in among}
    return [loose[near] for near in get_close_matches(loosely(word), loose, most, alike)]
