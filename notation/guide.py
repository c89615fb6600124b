"""What people read about a game: what each card or piece does, how the game is played, and where both are looked up.

A game keeps it in a file ``guide.toml`` beside its words, or builds the same values in code.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache, partial
from os.path import dirname, join
from typing import Any, TypeVar
from unicodedata import combining, normalize

from msgspec import Struct, ValidationError, convert
from msgspec.structs import replace

TableRow = tuple[str, ...]
Meaning = tuple[str, str]
"""A word or a name, and a text that explains it."""
_SHORT = 3
"""A number of letters: only longer words are tried as plurals, and no shorter text finds a name by a part of it."""


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A word that is legal where it stands, as an example of what a card or piece does.

    Attributes:
        word: The word.
        shows: A sentence on what can be seen when all words are played.
        after: The words before it.
        tags: The tags of its sheet without ``Game``.
        follow_up: The words after it that carry it out.
    """

    word: str
    shows: str
    after: str = ""
    tags: Mapping[str, str] = {}
    follow_up: str = ""


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
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


class FirstGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A first game to play along, legal from its first word to its last.

    Attributes:
        words: The words, each with a sentence on what happens: ``("4Ci3", "The Four …")``.
        shows: A sentence on what the drawing after the last word shows.
        tags: The tags of its sheet without ``Game``.
    """

    words: tuple[Meaning, ...]
    shows: str
    tags: Mapping[str, str] = {}

    def example(self) -> Example:
        """Return the game as an example of its last word, with all other words before it."""
        *before, last = (word for word, _ in self.words)
        return Example(last, self.shows, " ".join(before), self.tags)


class Primer(Struct, frozen=True, forbid_unknown_fields=True):
    """The page that teaches a game; every part may be empty.

    Attributes:
        course: How the game is played, one paragraph each.
        first_game: A first game to play along.
        words: A word as it is written and its meaning.
        variants: A variant and what differs in it.
        sample: The name of the sample game to begin with.
        sources: The works from which the rules come, as the rules name them.
        seats: When a number of seats is allowed, if that depends.
    """

    course: tuple[str, ...] = ()
    first_game: FirstGame | None = None
    words: tuple[Meaning, ...] = ()
    variants: tuple[Meaning, ...] = ()
    sample: str = ""
    sources: tuple[str, ...] = ()
    seats: str = ""


class Guide(Struct, frozen=True):
    """All that people read about a game beside its rules.

    Attributes:
        entries: What its cards and pieces do, in the order of the reference card.
        cards: Every card or piece, as a record writes it.
        primer: What its page teaches a beginner.
    """

    entries: tuple[Entry, ...] = ()
    cards: tuple[str, ...] = ()
    primer: Primer = Primer()


# --- the file guide.toml ---


_Sheet = TypeVar("_Sheet", Example, FirstGame)


class GuideFault(ValueError):
    """Raised for a ``guide.toml`` that cannot be read; its text names the file and the place in it."""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of a ``guide.toml``. Its ``tags`` are on every sheet in it, and a sheet may add its own."""

    entries: tuple[Entry, ...] = ()
    primer: Primer = Primer()
    tags: Mapping[str, str] = {}


def guide_beside(module: str, cards: tuple[str, ...] = ()) -> Callable[[], Guide]:
    """Return a function that reads the ``guide.toml`` beside a module when it is first called.

    Args:
        module: The ``__file__`` of the module.
        cards: Every card or piece of the game, as a record writes it.
    """
    return cache(partial(read_guide, join(dirname(module), "guide.toml"), cards))


def read_guide(path: str, cards: tuple[str, ...] = ()) -> Guide:
    """Return the guide that a TOML file holds. A line break inside a text counts as a blank.

    Args:
        path: The file.
        cards: Every card or piece of the game, as a record writes it.

    Raises:
        GuideFault: If the file is missing, is no TOML, or has a field that is unknown, missing or of another type.
    """
    import tomllib

    try:
        with open(path, "rb") as file:
            it = convert(_unwrapped(tomllib.load(file)), _File)
    except OSError as fault:
        raise GuideFault(f"{path} cannot be read: {fault.strerror}") from None
    except ValidationError as fault:
        raise GuideFault(f"{path} cannot be read: {_located(str(fault))}") from None
    except ValueError as fault:
        raise GuideFault(f"{path} is no TOML: {fault}") from None
    entries = tuple(replace(entry, example=_with_tags(entry.example, it.tags)) for entry in it.entries)
    first = it.primer.first_game
    primer = replace(it.primer, first_game=_with_tags(first, it.tags)) if first else it.primer
    return Guide(entries, cards, primer)


def _unwrapped(value: Any) -> Any:
    """Return a TOML value in which each line break inside a text is a blank; lists and tables are copied."""
    if isinstance(value, str):
        return value.replace("\n", " ")
    if isinstance(value, list):
        return [_unwrapped(item) for item in value]
    return {key: _unwrapped(item) for key, item in value.items()} if isinstance(value, dict) else value


def _located(fault: str) -> str:
    """Return what msgspec says of a faulty file, the place first: ``entry 2, example.word: …``.

    Entries count from 1. A fault without a place is returned as it is.
    """
    what, _, path = fault.partition(" - at `$")
    place = re.sub(r"^entries\[(\d+)\]\.?", lambda at: f"entry {int(at[1]) + 1}, ", path.strip(".`")).rstrip(", ")
    return f"{place}: {what}" if place else what


def _with_tags(sheet: _Sheet, tags: Mapping[str, str]) -> _Sheet:
    """Return an example or a first game with the tags that all sheets of its file share; its own tags win."""
    return replace(sheet, tags={**tags, **sheet.tags})


# --- names ---


def names(entry: Entry) -> tuple[str, ...]:
    """Return every name by which an entry can be found: its own, its other names, and its cards."""
    return (entry.name, *entry.also, *entry.cards)


@lru_cache(1024)
def loosely(name: str) -> str:
    """Return a name as it is compared with others: small letters and digits only, without accents and ``the``.

    ``The High Priestess`` -> ``highpriestess``.
    """
    return "".join(_spoken_words(name))


def _spoken_words(name: str) -> list[str]:
    """Return the words of a name in small letters, without accents and a ``the`` in front; ``T05`` -> ``t5``."""
    plain = (sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))
    words = "".join(sign if sign.isalnum() else " " for sign in plain).split()
    spoken = words[1:] if len(words) > 1 and words[0] == "the" else words
    return [re.sub(r"(?<!\d)0+(?=\d)", "", word) for word in spoken]


def _single(words: list[str]) -> str:
    """Return words separated by blanks, each without the s of a plural: ``["towers"]`` -> ``tower``."""
    return " ".join(word.removesuffix("s") if len(word) > _SHORT else word for word in words)


def entry_named(guide: Guide, word: str) -> Entry | None:
    """Return the first entry with this name, however loosely it is typed (``loosely``); None if there is none."""
    wanted = loosely(word)
    return next((entry for entry in guide.entries if wanted in map(loosely, names(entry))), None)


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
    """Return the names most like a word, the likest first; names are compared as by ``loosely``.

    Args:
        word: What was typed.
        among: The names to choose from.
        most: The largest number of names to return.
        alike: The least likeness of a name, from 0 to 1.
    """
    from difflib import get_close_matches

    loose = {loosely(name): name for name in among}
    return [loose[near] for near in get_close_matches(loosely(word), loose, most, alike)]
