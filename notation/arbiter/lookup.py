"""Looking up what a person asks of a game: a rule by its key, a card or piece by a name, its example played."""

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from cartulary.engine import Clause
from cartulary.engine.calls import CALL_CLAUSES
from cartulary.notation.arbiter.files import loads
from cartulary.notation.arbiter.finding import record_clauses
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.arbiter.replay import Step, steps
from cartulary.notation.contract import AnyGame
from cartulary.notation.guide import Entry, Example, entry_named, find_entry, loosely, names, near_names
from cartulary.notation.picture import plain

AnyClause = Clause[Any, Any]


BREACH_NAMES = {"revoke": "follow-suit", "revokes": "follow-suit", "renege": "follow-suit", "renounce": "follow-suit"}
"""What players call the breach of a rule, and the rule by its key without the game's name before it."""


class LookedUp(Struct, frozen=True):
    """The result of a search: an entry with its clauses, or clauses alone, or neither.

    Attributes:
        clauses: The clauses; empty if nothing was found.
        entry: The entry, None if clauses were found alone, or nothing.
        near: If nothing was found, the names most like the word, or else the keys of the few rules whose sentence has
            the word in it. Empty if there are none either.
    """

    clauses: tuple[AnyClause, ...]
    entry: Entry | None = None
    near: tuple[str, ...] = ()


def all_clauses(game: AnyGame, variant: str = "") -> tuple[AnyClause, ...]:
    """Return the rules of a game, then those of calls and of records.

    With a variant these are the rules that hold in it, worded for it; without one, all rules of all variants.
    """
    known = (*game.rules.clauses, *CALL_CLAUSES, *record_clauses(game))
    return tuple(clause.in_variant(variant) for clause in known if not variant or clause.holds_in(variant))


def look_up(game: AnyGame, word: str, variant: str = "") -> LookedUp:
    """Find what a person asks of a game: rules by key, else a card, piece or rule by name, else names like it, else the
    keys of the rules whose sentence has the word, if these are few.

    Args:
        game: The game.
        word: What was typed: a key or its beginning, or a name such as ``king of cups`` or ``revoke``.
        variant: The variant whose rules are wanted; empty for all.
    """
    clauses = all_clauses(game, variant)
    exact = tuple(clause for clause in clauses if clause.key == word)
    if rules := exact or tuple(clause for clause in clauses if clause.key.startswith(word)):
        return LookedUp(rules)
    entry = entry_named(game.about.guide, word)
    if entry is not None and (rules := clauses_of(game, entry, variant)):
        return LookedUp(rules, entry)
    loose = {clause.key.partition(".")[2]: clause for clause in clauses}
    short = word.casefold().removeprefix(f"{game.about.key}.")
    for name, clause in loose.items():
        if loosely(name) == loosely(short):
            return LookedUp((clause,))
    entries = [entry for entry in game.about.guide.entries if clauses_of(game, entry, variant)]
    if entry := find_entry(entries, word):
        return LookedUp(clauses_of(game, entry, variant), entry)
    if (called := loose.get(BREACH_NAMES.get(loosely(short), ""))) is not None:
        return LookedUp((called,))
    known = [name for entry in entries for name in names(entry)]
    near = near_names(short, (*loose, *known)) or _in_sentences(clauses, word)
    return LookedUp((), near=tuple(near))


def _in_sentences(clauses: Iterable[AnyClause], word: str, most: int = 3) -> list[str]:
    """Return the keys of the rules whose sentence has the word in it, or the word with an s.

    None for a blank word, and if there are more than ``most``.
    """
    pattern = re.compile(rf"\b{re.escape(word.strip())}s?\b", re.IGNORECASE)
    keys = [clause.key for clause in clauses if pattern.search(clause.says)] if word.strip() else []
    return keys if len(keys) <= most else []


def clauses_of(game: AnyGame, entry: Entry, variant: str = "") -> tuple[AnyClause, ...]:
    """Return the clauses that an entry names, in its order; with a variant, those that hold in it.

    Raises:
        KeyError: For a clause that the game does not have.
    """
    known = {clause.key: clause for clause in game.rules.clauses}
    named = [known[f"{game.about.key}.{key}"] for key in entry.clauses]
    return tuple(clause.in_variant(variant) for clause in named if not variant or clause.holds_in(variant))


def our_reading(source: str) -> bool:
    """Say whether a source names this project's own ruling, made where other sources are silent or disagree.

    Such a source has the words ``house ruling`` in it.
    """
    return "house ruling" in source


def reading(source: str) -> str:
    """Return what a source rests on, for people: ``the page``, ``our reading``, or ``the page; our reading``.

    Our reading is this project's own ruling (``our_reading``).
    """
    if not our_reading(source):
        return "the page"
    return "our reading" if source.startswith("house ruling") else "the page; our reading"


def source_of(entry: Entry, clauses: tuple[AnyClause, ...]) -> str:
    """Return the source of an entry, or else that of the first of its clauses, of which there must be one then."""
    return entry.source or clauses[0].source


def example_text(game: AnyGame, example: Example) -> str:
    """Return an example as the text of a score sheet in CGN, which ``loads`` can read: its tags and its words.

    The result is ``*``.
    """
    tags = "".join(f'[{name} "{value}"]\n' for name, value in example.tags.items())
    words = " ".join(filter(None, (example.after, example.word, example.follow_up)))
    return f'[Game "{game.about.title}"]\n{tags}\n{words} *\n'


def walked_to(game: AnyGame, example: Example) -> list[Step]:
    """Return the steps of an example's words, from the first to the last that could be applied.

    Raises:
        ValueError: If the sheet of the example cannot be read; its text is the reason.
    """
    record = loads(example_text(game, example))[0]
    heading = read_heading(record)
    if heading.sheet is None or record.problems:
        raise ValueError(heading.because or str(record.problems))
    return list(steps(game, game.rules.setup(heading.sheet), record.line.words, heading.sheet.seats))


def shown_by(game: AnyGame, example: Example) -> list[Step]:
    """Return the steps of an example from its word on; the state of the first is the position before the word.

    Raises:
        ValueError: If the sheet of the example cannot be read.
    """
    return walked_to(game, example)[-1 - len(example.follow_up.split()) :]


def rule_fields(clause: AnyClause) -> dict[str, str]:
    """Return the JSON fields of a rule: ``key``, ``says`` (its sentence) and ``source``."""
    return {"key": clause.key, "says": clause.says, "source": clause.source}


def entry_fields(game: AnyGame, entry: Entry, clauses: tuple[AnyClause, ...]) -> dict[str, object]:
    """Return the JSON fields of an entry, with pictures of the positions before and after its example.

    ``clauses`` are those of the entry. The example is played for it, which raises ValueError if its sheet is faulty.
    """
    example = entry.example
    step, *later = shown_by(game, example)
    return {
        "entry": entry.name,
        "also": entry.also,
        "cards": entry.cards,
        "says": entry.says,
        "table": entry.table,
        "rules": [{**rule_fields(clause), "ruling": our_reading(clause.source)} for clause in clauses],
        "example": {
            "tags": dict(example.tags),
            "after": example.after,
            "word": step.text,
            "then": [follower.text for follower in later],
            "shows": example.shows,
            "before": plain(game.words.picture(step.state, None)),
            "picture": plain(game.words.picture((step, *later)[-1].after, None)),
        },
    }
