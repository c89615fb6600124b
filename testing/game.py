"""The game that is held to the laws, and how a law finds what it needs: rows, states, continued games."""

import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar, TypeVar, cast

import pytest
from msgspec import Struct

from cartulary.engine import Refused, Verdict, legal_moves, play
from cartulary.engine.calls import NO_CALLS
from cartulary.notation import AnyGame, Guide, GuideFault, Record, Step, load, loads, read_heading, steps
from cartulary.notation.arbiter.replay import write_word
from cartulary.notation.picture import plain
from cartulary.notation.roster import every_game, unloaded
from cartulary.testing import tables

HUNT = int(os.environ.get("HUNT", "1"))
"""How much longer than usual to search: ``HUNT=20 pytest``."""


def looks(worth: int) -> int:
    """Return how many looks a search takes that is worth so many: half of them, HUNT times that, at least one."""
    return max(1, worth * HUNT // 2)


WIDTH = 80
"""The columns a picture may take."""
LENGTH = 60
"""The most plies a game is played on by chance."""

Law = TypeVar("Law", bound=Callable[..., None])
Of = TypeVar("Of", bound=Callable[..., object])
Sheet = tuple[dict[str, str], tuple[str, ...]]
"""Tags and words of a record."""


def remembered(compute: Of) -> Of:
    """Let what is computed of a class be computed once."""
    return cast(Of, cache(compute))


class MadeMove(Struct, frozen=True):
    """A ply of a random game: the state before, the move, what the rules say of it, the state after."""

    before: Any
    move: Any
    verdict: Verdict
    after: Any


def only_for(applies: Callable[[AnyGame], bool]) -> Callable[[Law], Law]:
    """Apply a law only to games that it concerns."""

    def mark(law: Law) -> Law:
        law.__dict__["applies"] = applies
        return law

    return mark


def long_search(law: Law) -> Law:
    """Mark a law that looks at more with ``HUNT=N``."""
    law.__dict__["searches"] = True
    return law


class HeldGame:
    """A game held to the laws: pytest runs every ``test_…`` that a subclass named ``Test…`` inherits.

    Attributes:
        key: The key of the game, as in its entry point.
        samples: The folder of rules.toml, perft.toml and games/; a relative one is sought from the file of the class.
        sees_all: The seats from which nothing is ever hidden, in a game with hidden cards.
        order: The rules, without the game's key, that refuse a word because another word is due.
    """

    key: ClassVar[str]
    samples: ClassVar[str | Path]
    sees_all: ClassVar[tuple[int, ...]] = ()
    order: ClassVar[tuple[str, ...]] = ("turn",)

    def __init_subclass__(cls) -> None:
        """Leave out the laws that say nothing of this game. Raises LookupError where it cannot be loaded."""
        super().__init_subclass__()
        if not hasattr(cls, "key"):
            return
        for name in dir(cls):
            law = getattr(cls, name)
            if name.startswith("test_") and law is not None:
                applies = getattr(law, "applies", lambda game: True)
                if not applies(cls.game()) or not all(rows_of(cls, law).values()):
                    setattr(cls, name, None)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Hold a law to each row of the tables it names."""
        for name, rows in rows_of(type(self), metafunc.function).items():
            metafunc.parametrize(name, [row for _, row in rows], ids=[shown for shown, _ in rows])

    @classmethod
    def game(cls) -> AnyGame:
        """Return the game, found as everybody finds it. Raises LookupError that says why it cannot be."""
        games = every_game()
        if cls.key not in games:
            because = [str(fault) for fault in unloaded() if fault.key == cls.key]
            raise LookupError("".join(because) or f"found no game {cls.key!r}, expected one of: {', '.join(games)}")
        return games[cls.key]

    @classmethod
    def folder(cls) -> Path:
        """Return the folder of the samples."""
        given = Path(cls.samples)
        return given if given.is_absolute() else Path(inspect.getfile(cls)).parent / given

    def seated(self, seats: int) -> dict[str, str]:
        """Return the tags of a record with so many players."""
        return dict.fromkeys(self.game().about.seat_tags(seats), "?")

    def read(self, tags: dict[str, str], movetext: str) -> Record:
        """Return the one record of a row's score sheet."""
        records = loads(tables.sheet(self.game().about.title, tags, movetext))
        assert len(records) == 1
        assert not records[0].problems, records[0].problems
        return records[0]

    def started(self, tags: dict[str, str]) -> tuple[Any, int]:
        """Return the first state of the game these tags set up, and its number of seats."""
        heading = read_heading(self.read(tags, ""))
        assert heading.sheet is not None, heading.because
        state = self.game().rules.setup(heading.sheet)
        assert not isinstance(state, Refused), state
        return state, heading.sheet.seats

    def walked(self, tags: dict[str, str], movetext: str, irregular: bool = False, move: str = "") -> list[Step]:
        """Return the steps of a movetext; every move applies, and no rule refuses it unless ``irregular``.

        ``move`` is one more word, which may be refused.
        """
        state, seats = self.started(tags)
        words = self.read(tags, movetext).line.words
        done = list(steps(self.game(), state, (*words, move) if move else words, seats))
        for step in done[: len(words)]:
            assert step.error is None, f"{step.word}: {step.error}"
            assert step.applied, f"{step.word}: {step.verdict}"
            assert irregular or not isinstance(step.verdict, Refused), f"{step.word}: {step.verdict}"
        assert len(done) == len(words) + bool(move)
        return done

    def drawn(self, state: Any) -> tuple[str, ...]:
        """Return a position as the ``end`` of a golden game gives it: the rows of its picture, nothing hidden."""
        return tuple(plain(self.game().words.picture(state, None)).split("\n"))

    def unsaid(self, step: Step, seat: int) -> frozenset[str]:
        """Return the names of the cards a word shows a seat, or 0 the bystander, and the record it has seen does not
        name, such as those of an exchange of whole hands.

        From there on the seat may tell these cards from others, and not from one another.
        """
        return frozenset()

    def took_unnamed(self, state: Any, seat: int) -> bool:
        """Say whether a seat has taken up cards that no word of the record names.

        Its own record then calls legal what its hand may hold, and not only what it does.
        """
        return False

    def announces(self, word: str) -> bool:
        """Say whether a word may be left unsaid, so that ``~`` does not stand for it."""
        return False

    def has_due_word(self, state: Any) -> bool:
        """Say whether an action waits for a word that must come before any other, such as cards that are owed."""
        return False

    def played(self, random: Random) -> Sheet:
        """Return the tags and words of a random game, every word applied and none refused.

        It is dealt by ``Hidden.deal``, else begins as a golden game does, and goes on with candidates. Override it
        where a stranger's program plays better.
        """
        game = self.game()
        tags: dict[str, str] = {}
        words = tuple(game.hidden.deal(random))
        if not words:
            tags, words = random.choice(_golden_sheets(type(self)) or (({}, ()),))
            words = words[: random.randint(0, len(words))]
        state, seats = self.started(tags)
        kept: list[str] = []
        calls = NO_CALLS
        for step in steps(game, state, words, seats):
            assert tags or step.applied, f"Hidden.deal gives {step.word}: {step.error or step.verdict}"
            if not step.applied or isinstance(step.verdict, Refused):
                break
            kept.append(step.text)
            state, calls = step.after, step.calls_after
        if calls.ended is None:
            choices = (random.randrange(1 << 30) for _ in range(random.randint(1, LENGTH)))
            plies = wander(game, state, choices)
            kept += (write_word(game, ply.move, ply.before, ply.after) for ply in plies)
        return tags, tuple(kept)


def wander(game: AnyGame, state: Any, choices: Iterator[int]) -> Iterator[MadeMove]:
    """Yield a game of moves no rule refuses, each picked by the next choice, until the choices or the game end."""
    for choice in choices:
        legal = list(legal_moves(game, state))
        if not legal:
            return
        move = legal[choice % len(legal)]
        played = play(game, state, move)
        if played.after is None:
            return
        yield MadeMove(state, move, played.verdict, played.after)
        state = played.after


def rule_rows(held: type[HeldGame]) -> tables.RuleTable:
    """Return a game's rule table, an empty one where it cannot be read: another law reports what is missing."""
    try:
        return tables.rules(held.folder())
    except (OSError, ValueError):
        return tables.RuleTable()


def guide_of(game: AnyGame) -> Guide:
    """Return the guide of a game, an empty one where it cannot be read: a law of its own says so."""
    try:
        return game.about.guide
    except GuideFault:
        return Guide()


def counted(held: type[HeldGame]) -> tuple[tables.CountRow, ...]:
    """Return the counts of a game, none where they cannot be read."""
    try:
        return tables.counts(held.folder()).start
    except (OSError, ValueError):
        return ()


def listed(held: type[HeldGame]) -> tuple[tables.GoldenRow, ...]:
    """Return what is known of the golden games that are there, nothing where it cannot be read."""
    try:
        games = tables.goldens(held.folder()).game
    except (OSError, ValueError):
        return ()
    return tuple(row for row in games if (held.folder() / "games" / row.file).is_file())


def golden_record(held: type[HeldGame], row: tables.GoldenRow) -> Record:
    """Return the one record of a golden game."""
    records = list(load(held.folder() / "games" / row.file))
    assert len(records) == 1, f"{row.file} holds {len(records)} games, expected one"
    return records[0]


@remembered
def _golden_sheets(held: type[HeldGame]) -> tuple[Sheet, ...]:
    """Return the tags that set up the golden games, and their words."""
    found = []
    for row in listed(held):
        record = golden_record(held, row)
        heading = read_heading(record)
        if heading.sheet is not None:
            seats = held.game().about.seat_tags(heading.sheet.seats)
            names = {"Variant", "Options", *seats, *held.game().sheet.names}
            found.append(({name: value for name, value in record.tags if name in names}, record.line.words))
    return tuple(found)


Rows = Sequence[tuple[str, object]]
TABLES: dict[str, Callable[[type[HeldGame]], Rows]] = {
    "move": lambda held: [(row.why, row) for row in rule_rows(held).move],
    "setup": lambda held: [(row.why, row) for row in rule_rows(held).setup],
    "ending": lambda held: [(row.why, row) for row in rule_rows(held).ending],
    "counts": lambda held: [(row.source, row) for row in counted(held)],
    "golden": lambda held: [(row.file, row) for row in listed(held)],
    "option": lambda held: [(option.key, option) for option in held.game().about.options],
    "entry": lambda held: [(entry.name, entry) for entry in guide_of(held.game()).entries],
}
"""What a law is held to one by one, by the name of its argument, each under the name pytest shows."""


def rows_of(held: type[HeldGame], law: Callable[..., None]) -> dict[str, Rows]:
    """Return the rows a law is held to one by one, by the argument that takes them."""
    return {name: TABLES[name](held) for name in inspect.signature(law).parameters if name in TABLES}
