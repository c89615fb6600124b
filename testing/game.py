"""The game that a test class holds to the laws, and what a law needs of it: rows, states, random games."""

import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from cartulary.notation.roster import every_game, load_faults
from cartulary.testing import tables

HUNT = int(os.environ.get("HUNT", "1"))
"""How much longer than usual to search: ``HUNT=20 pytest``."""


def looks(worth: int) -> int:
    """Return how many cases a search tries: ``worth`` times HUNT, halved and rounded down, but at least one."""
    return max(1, worth * HUNT // 2)


WIDTH = 80
"""The columns a picture may take."""
LENGTH = 60
"""The most plies a game is played on by chance."""

Law = TypeVar("Law", bound=Callable[..., None])
Function = TypeVar("Function", bound=Callable[..., object])
Sheet = tuple[dict[str, str], tuple[str, ...]]
"""Tags and words of a record."""


def cached(compute: Function) -> Function:
    """Return a function with its answers cached for ever, under the type that it had before.

    Its arguments must be hashable.
    """
    return cast(Function, cache(compute))


class PlayedMove(Struct, frozen=True):
    """A ply of a random game: the state before it, the move, what the rules say of it, and the state after it."""

    before: Any
    move: Any
    verdict: Verdict
    after: Any


def only_for(applies: Callable[[AnyGame], bool]) -> Callable[[Law], Law]:
    """Return a decorator that applies a law only to games of which ``applies`` is true; for others pytest skips it."""

    def mark(law: Law) -> Law:
        """Store in a law for which games it applies, and return the same law."""
        law.__dict__["applies"] = applies
        return law

    return mark


def long_search(law: Law) -> Law:
    """Mark a law that tries more cases with ``HUNT=N``, and return the same law."""
    law.__dict__["searches"] = True
    return law


def expect_breach(law: Law, reason: str) -> Callable[[Any], None]:
    """Return a law that is skipped with a reason if a game breaks it, and fails if the game obeys it."""

    def test_breaks_it(case: Any) -> None:
        """Skip the law with its reason if the game breaks it.

        Raises:
            AssertionError: The game obeys it.
        """
        try:
            law(case)
        except Exception:
            pytest.skip(reason)
        raise AssertionError(f"{case.key} obeys this law: take it out of exempt")

    test_breaks_it.__dict__["reason"] = reason
    return test_breaks_it


class HeldGame:
    """A game that is held to the laws: pytest runs every ``test_…`` that a subclass named ``Test…`` inherits.

    Attributes:
        key: The key of the game, as in its entry point.
        samples: The folder of rules.toml, perft.toml and games/; a relative one is sought from the file of the class.
        sees_all: The seats from which nothing is ever hidden, in a game with hidden cards.
        order: The rules, without the game's key, that refuse a word because another word is due.
        exempt: The laws that this game breaks for a good reason, or for which the class has a test of its own, by name:
            each with the reason as a sentence. A law that the game does not break need not be here, and fails.
    """

    key: ClassVar[str]
    samples: ClassVar[str | Path]
    sees_all: ClassVar[tuple[int, ...]] = ()
    order: ClassVar[tuple[str, ...]] = ("turn",)
    exempt: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        """Set each inherited law that does not concern this game to None, so that pytest skips it.

        A law in ``exempt`` is turned round, so that it fails if the game obeys it.

        Raises:
            LookupError: The game cannot be loaded.
            TypeError: The class has a test in place of a law without a reason, or ``exempt`` names no law.
        """
        super().__init_subclass__()
        if not hasattr(cls, "key"):
            return
        for name in cls._exemptions():
            law = getattr(cls, name)
            setattr(cls, name, law if hasattr(law, "reason") else expect_breach(law, cls.exempt[name]))
        for name in dir(cls):
            law = getattr(cls, name)
            if name.startswith("test_") and law is not None:
                applies = getattr(law, "applies", lambda game: True)
                if not applies(cls.game()) or not all(rows_of(cls, law).values()):
                    setattr(cls, name, None)

    @classmethod
    def _exemptions(cls) -> tuple[str, ...]:
        """Return the names of the laws in ``exempt`` for which the class has no test of its own.

        Raises:
            TypeError: The class has a test in place of a law without a reason, or ``exempt`` names no law.
        """
        laws = {name for base in cls.__mro__[1:] for name in vars(base) if name.startswith("test_")}
        own = laws & vars(cls).keys()
        if silent := sorted(own - cls.exempt.keys()):
            raise TypeError(f"{cls.__name__} has a test of its own for {silent[0]}: say why in exempt")
        for name, reason in cls.exempt.items():
            if name not in laws:
                raise TypeError(f"found {name} in exempt of {cls.__name__}, expected the name of a law")
            if not reason.endswith("."):
                raise TypeError(f"found {reason!r} for {name} in exempt of {cls.__name__}, expected a sentence")
        return tuple(name for name in cls.exempt if name not in own)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of a law for each row of each table that an argument of the law names, such as ``moves``.

        pytest calls this for each law; one without such arguments stays a single test.
        """
        for name, rows in rows_of(type(self), metafunc.function).items():
            metafunc.parametrize(name, [row for _, row in rows], ids=[name for name, _ in rows])

    @classmethod
    def game(cls) -> AnyGame:
        """Return the game, found by its entry point as everybody finds it.

        Raises:
            LookupError: There is no such game, or it cannot be loaded. The text says why.
        """
        games = every_game()
        if cls.key not in games:
            because = [str(fault) for fault in load_faults() if fault.key == cls.key]
            raise LookupError("".join(because) or f"found no game {cls.key!r}, expected one of: {', '.join(games)}")
        return games[cls.key]

    @classmethod
    def folder(cls) -> Path:
        """Return the folder of the samples as an absolute path.

        If ``samples`` is relative, it is sought from the folder of the file in which the class stands.
        """
        samples = Path(cls.samples)
        return samples if samples.is_absolute() else Path(inspect.getfile(cls)).parent / samples

    def seat_tags_of(self, seats: int) -> dict[str, str]:
        """Return the tags that name the players of a record with so many seats, each with the unknown name ``?``.

        In a game of two seats they may be ``{"Seat1": "?", "Seat2": "?"}``.
        """
        return dict.fromkeys(self.game().about.seat_tags(seats), "?")

    def read(self, tags: dict[str, str], movetext: str) -> Record:
        """Return the record that these tags and moves make. Asserts that they make exactly one, which can be read.

        The tag Game is added. ``movetext`` holds the moves with blanks between them, and may be empty.
        """
        records = loads(tables.sheet(self.game().about.title, tags, movetext))
        assert len(records) == 1
        assert not records[0].problems, records[0].problems
        return records[0]

    def first_state(self, tags: dict[str, str]) -> tuple[Any, int]:
        """Return the state that these tags set up, and the number of seats. Asserts that the rules accept them."""
        heading = read_heading(self.read(tags, ""))
        assert heading.sheet is not None, heading.because
        state = self.game().rules.setup(heading.sheet)
        assert not isinstance(state, Refused), state
        return state, heading.sheet.seats

    def walk(self, tags: dict[str, str], movetext: str, irregular: bool = False, move: str = "") -> list[Step]:
        """Return the steps of a movetext, one for each word. Asserts that each can be applied.

        Args:
            tags: The tags of the record.
            movetext: The words.
            irregular: Whether rules may refuse them.
            move: One word more, which may be refused and may not be applicable.
        """
        state, seats = self.first_state(tags)
        words = self.read(tags, movetext).line.words
        done = list(steps(self.game(), state, (*words, move) if move else words, seats))
        for step in done[: len(words)]:
            assert step.error is None, f"{step.word}: {step.error}"
            assert step.applied, f"{step.word}: {step.verdict}"
            assert irregular or not isinstance(step.verdict, Refused), f"{step.word}: {step.verdict}"
        assert len(done) == len(words) + bool(move)
        return done

    def end_picture(self, state: Any) -> tuple[str, ...]:
        """Return a position as the ``end`` of a golden game gives it: the rows of its text picture, nothing hidden."""
        return tuple(plain(self.game().words.picture(state, None)).split("\n"))

    def unnamed_cards(self, step: Step, seat: int) -> frozenset[str]:
        """Return the cards that a word shows to a seat although the record that the seat has seen does not name them.

        An example is an exchange of whole hands. From there on the seat can tell these cards from others, but not from
        each other.

        Args:
            step: The word.
            seat: The seat, 0 for the bystander.
        """
        return frozenset()

    def took_unnamed(self, state: Any, seat: int) -> bool:
        """Say whether a seat has taken up cards that no word of the record names; False unless a game overrides it.

        The record as such a seat has seen it then calls legal what its hand may hold, and not only what it does hold.
        """
        return False

    def announces(self, word: str) -> bool:
        """Say whether a word may be left out of a record, so that a missing word is never marked by ``~``.

        An example is the claim of a draw. Such words are no candidates. False unless a game overrides it.
        """
        return False

    def has_due_word(self, state: Any) -> bool:
        """Say whether a word must come before any action, for example one that pays cards which are owed.

        False unless a game overrides it.
        """
        return False

    def random_game(self, random: Random) -> Sheet:
        """Return the tags and the words of a random game.

        Each word can be applied, none is refused, and none proves that an earlier one broke a rule.

        Its first words are those of ``Hidden.deal``, or else the beginning of a golden game; the others are random
        candidates. Override it if you have a program that plays better.

        Args:
            random: The source of all chance.
        """
        game = self.game()
        tags: dict[str, str] = {}
        words = tuple(game.hidden.deal(random))
        if not words:
            tags, words = random.choice(_golden_sheets(type(self)) or (({}, ()),))
            words = words[: random.randint(0, len(words))]
        state, seats = self.first_state(tags)
        played_words: list[str] = []
        calls = NO_CALLS
        for step in steps(game, state, words, seats):
            assert tags or step.applied, f"Hidden.deal gives {step.word}: {step.error or step.verdict}"
            if not step.applied or isinstance(step.verdict, Refused):
                break
            played_words.append(step.text)
            state, calls = step.after, step.calls_after
        if calls.outcome is None:
            choices = (random.randrange(1 << 30) for _ in range(random.randint(1, LENGTH)))
            for ply in wander(game, state, choices):
                if play(game, ply.before, ply.move).breaches:
                    break
                played_words.append(write_word(game, ply.move, ply.before, ply.after))
        return tags, tuple(played_words)


def wander(game: AnyGame, state: Any, choices: Iterator[int]) -> Iterator[PlayedMove]:
    """Yield a random game of moves that no rule refuses, until the choices or the game end.

    It also ends at a move that leads to no state. A game with the same choices is the same game.

    Args:
        game: The game.
        state: The state at its beginning.
        choices: A number for each ply, which picks one of the legal moves; any number will do.
    """
    for choice in choices:
        legal = list(legal_moves(game, state))
        if not legal:
            return
        move = legal[choice % len(legal)]
        played = play(game, state, move)
        if played.after is None:
            return
        yield PlayedMove(state, move, played.verdict, played.after)
        state = played.after


def rule_rows(case: type[HeldGame]) -> tables.RuleTable:
    """Return the rule table of a game, rules.toml; an empty one if it cannot be read, which another law reports."""
    try:
        return tables.rules(case.folder())
    except (OSError, ValueError):
        return tables.RuleTable()


def guide_of(game: AnyGame) -> Guide:
    """Return the guide of a game, its help in words; an empty one if it cannot be read, which another law reports."""
    try:
        return game.about.guide
    except GuideFault:
        return Guide()


def count_rows(case: type[HeldGame]) -> tuple[tables.CountRow, ...]:
    """Return the rows of perft.toml, each with how many legal sequences there are of one ply, of two, and so on.

    There are none if the file cannot be read, which another law reports.
    """
    try:
        return tables.counts(case.folder()).start
    except (OSError, ValueError):
        return ()


def golden_rows(case: type[HeldGame]) -> tuple[tables.GoldenRow, ...]:
    """Return the rows of ``expected.toml`` on the golden games, which are recorded whole with their expected end.

    Rows whose game file is missing are left out. There are none if the table cannot be read, which another law reports.
    """
    try:
        games = tables.goldens(case.folder()).game
    except (OSError, ValueError):
        return ()
    return tuple(row for row in games if (case.folder() / "games" / row.file).is_file())


def golden_record(case: type[HeldGame], row: tables.GoldenRow) -> Record:
    """Return the record of a golden game, from its file in ``games``. Asserts that the file holds exactly one."""
    records = list(load(case.folder() / "games" / row.file))
    assert len(records) == 1, f"{row.file} holds {len(records)} games, expected one"
    return records[0]


@cached
def _golden_sheets(case: type[HeldGame]) -> tuple[Sheet, ...]:
    """Return for each golden game a pair: the tags that set it up or name its seats, and its words.

    A game whose tags set up nothing is left out.
    """
    sheets = []
    for row in golden_rows(case):
        record = golden_record(case, row)
        heading = read_heading(record)
        if heading.sheet is not None:
            seats = case.game().about.seat_tags(heading.sheet.seats)
            names = {"Variant", "Options", *seats, *case.game().sheet.names}
            sheets.append(({name: value for name, value in record.tags if name in names}, record.line.words))
    return tuple(sheets)


Rows = Sequence[tuple[str, object]]
TABLES: dict[str, Callable[[type[HeldGame]], Rows]] = {
    "moves": lambda case: list(tables.by_rule(rule_rows(case).move).items()),
    "setups": lambda case: list(tables.by_rule(rule_rows(case).setup).items()),
    "endings": lambda case: list(tables.by_rule(rule_rows(case).ending).items()),
    "counts": lambda case: [(row.source, row) for row in count_rows(case)],
    "golden": lambda case: [(row.file, row) for row in golden_rows(case)],
    "option": lambda case: [(option.key, option) for option in case.game().about.options],
}
"""What a law is held to one by one, by the name of its argument, each under the name pytest shows.

Of the rule table the rows about one rule are a single test: there are thousands, and a test costs more than its row.
"""


def rows_of(case: type[HeldGame], law: Callable[..., None]) -> dict[str, Rows]:
    """Return the rows for which a law is run one by one, by the argument that takes them.

    Each row comes in a pair, after the name that pytest shows. Arguments that no table has are left out, so that a law
    without rows gives an empty answer.
    """
    return {name: TABLES[name](case) for name in inspect.signature(law).parameters if name in TABLES}
