"""What a board game for two seats is made of: a ``Description`` of values and small functions."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from cartulary.engine.boards.board import Board
from cartulary.engine.boards.state import Move, State
from cartulary.engine.contract import Option
from cartulary.engine.grid import EVERY_WAY, Way

_SENTENCES = {
    "setup": "A set-up has no more men of a seat than the seat has at the start, and has not ended the game.",
    "vacant": "A man is put on a vacant place or goes to one.",
    "own-man": "A player moves one of his own men.",
    "hand": "A player puts a man on the board only while he has one in hand.",
    "turn": "The first seat begins, and then the players move in turn.",
    "order": "A player puts all his men on the board before he moves one.",
    "step": "A man goes along a line to the next place.",
    "must-take": "A player who can take a man by a jump must do so.",
    "finish": "A man that can jump on must do so.",
    "crown": "A man that is changed into another kind ends its move.",
    "removal": "Only a move that brings men off the board takes some, and it takes as many as are due.",
    "protected": "A man that is protected is taken only if there is no other.",
    "pass": "A player may pass only if he cannot move.",
    "row": "Whoever has a row of his men has won.",
    "goal": "Whoever reaches his goal has won.",
    "bare": "A player with too few men has lost.",
    "blocked": "A player who cannot move on his turn has lost.",
    "quiet": "The game is drawn after many moves in which nothing was put on the board or taken.",
    "repetition": "The game is drawn when a position occurs too often.",
    "passed": "The game ends when both players pass.",
}


def rules_from(source: str, sentences: Mapping[str, str], house: Mapping[str, str] = {}) -> dict[str, tuple[str, str]]:
    """Return the sentence and the source of each rule, for ``Description.rules``.

    Args:
        source: The page or the book that the rules come from.
        sentences: The sentences of the game by the name of the rule, in place of those of most games.
        house: Those of house rulings, where the source is silent.
    """
    rules = {name: (sentence, source) for name, sentence in (_SENTENCES | dict(sentences)).items()}
    return rules | {name: (sentence, "house ruling") for name, sentence in house.items()}


class Man(Struct, frozen=True, eq=False):
    """A kind of men, and how it goes.

    Attributes:
        name: What people call it.
        letters: Its letter for either seat, two characters, in set-ups and in text pictures.
        ways: The directions in which it steps and jumps, as the first seat sees them. Default: along every line.
        reach: How many places it goes at most; 0 for a man that only jumps.
        jumps: What it may jump over to the next place: ``enemy`` for men of the other seat, which are taken, ``any``
            for all men, none of which is taken. Default: nothing.
        strikes: The directions in which it takes a man of the other seat by going to its place. Default: none.
        becomes: The number of the kind that it becomes on ``Description.crowning``; -1 for none.
    """

    name: str = "man"
    letters: str = "XO"
    ways: tuple[Way, ...] = EVERY_WAY
    reach: int = 1
    jumps: Literal["", "enemy", "any"] = ""
    strikes: tuple[Way, ...] = ()
    becomes: int = -1


class Removal(Struct, frozen=True, eq=False):
    """The men that a seat takes off the board by choice.

    Attributes:
        due: ``due(state, move)`` returns how many men a move takes. ``state`` is the one after it, before any is taken.
        free: ``free(state, seat)`` returns those men of a seat that may be taken, as a set of places.
    """

    due: Callable[[State, Move], int]
    free: Callable[[State, int], int]


def mills(board: Board, length: int = 3) -> Removal:
    """Return the removal by mills: a man that completes a run of its seat's men takes one man, whatever it completes.

    A man in a run is taken only if all men of its seat are in runs.

    Args:
        board: The board.
        length: How many men next to each other in a row are a run.
    """
    runs = board.runs(length)

    def due(state: State, move: Move) -> int:
        """Return 1 if the man that has moved stands in a run of its seat's men, else 0."""
        own, to = state.men[move.seat - 1], 1 << move.path[-1]
        return int(any(run & to and run & own == run for run in runs))

    def free(state: State, seat: int) -> int:
        """Return the men of a seat that are in no run, or all of them if there are none."""
        own = outside = state.men[seat - 1]
        for run in runs:
            if run & own == run:
                outside &= ~run
        return outside or own

    return Removal(due, free)


class Choice(Struct, frozen=True, eq=False):
    """A published way to play differently.

    Attributes:
        option: The option, as the tag Options names it.
        changes: By the value of the option, what it changes in the description: names of fields and their values. The
            value of a bare option is empty.
    """

    option: Option
    changes: Mapping[str, Mapping[str, Any]]


def none_taken(state: State, move: Move) -> int:
    """Return 0: no man is taken but by jumps, strikes and removals; the default of ``Description.captures``."""
    return 0


def no_goal(state: State, seat: int) -> str:
    """Return "": no seat wins by where its men stand; the default of ``Description.goal``."""
    return ""


def equal_shares(state: State) -> tuple[int, int]:
    """Return (1, 1), a draw: the default of ``Description.shares``."""
    return 1, 1


class Description(Struct, frozen=True, eq=False, kw_only=True):
    """A board game for two seats.

    Attributes:
        key: The key of the game, which begins the keys of its rules.
        rules: The sentence and the source of each rule by its name, as ``rules_from`` returns them. Those that the
            other fields call for are the rules of the game.
        board: The places and the lines between them.
        men: The kinds of men. Men are put on the board as the first kind. Default: one, that steps along every line.
        first: The men that stand on the board at the start: by their letter the names of their places, separated by
            blanks. Default: none.
        hand: How many men each seat has in hand at the start.
        drops_first: Whether a seat moves no man while it has one in hand.
        removal: What is taken off by choice. Default: nothing.
        captures: ``captures(state, move)`` returns the men of the other seat that a move takes by itself, as a set of
            places, beside those jumped over; ``state`` is the one after it. Default: none.
        must_take: Whether a seat that can take by a jump must, and must go on while it can.
        flies_with: With so many men or fewer, in hand too, a seat's men go to any vacant place; 0 for never.
        crowning: The places of either seat on which its men change into ``Man.becomes``, as sets.
        passes: When a seat may pass: ``never``, ``blocked`` if it has no other move, or ``always``. The game ends when
            both pass.
        when_blocked: What comes of a seat that has no move: ``loses`` or ``draws``. Default: it loses. Where seats may
            pass, it does not matter.
        fewest: A seat with fewer men, on the board and in hand, has lost; 0 if none loses so.
        row_wins: So many men of a seat next to each other in a row win; 0 if no row does.
        goal: ``goal(state, seat)`` returns why a seat has won by its move, as a sentence without a full stop, empty if
            it has not. Default: empty.
        quiet: After so many moves in which no man was put on the board, taken or changed the game is drawn; 0 for
            never.
        repetition: The game is drawn when a position occurs for this time; 0 for never.
        shares: ``shares(state)`` returns the result of a game that ends because both pass or nobody can move and
            ``when_blocked`` is ``draws``, a number for each seat. Default: a draw.
        choices: The options of the game.
    """

    key: str
    rules: Mapping[str, tuple[str, str]]
    board: Board
    men: tuple[Man, ...] = (Man(),)
    first: Mapping[str, str] = {}
    hand: int = 0
    drops_first: bool = True
    removal: Removal | None = None
    captures: Callable[[State, Move], int] = none_taken
    must_take: bool = False
    flies_with: int = 0
    crowning: tuple[int, int] = (0, 0)
    passes: Literal["never", "blocked", "always"] = "never"
    when_blocked: Literal["loses", "draws"] = "loses"
    fewest: int = 0
    row_wins: int = 0
    goal: Callable[[State, int], str] = no_goal
    quiet: int = 0
    repetition: int = 0
    shares: Callable[[State], tuple[int, int]] = equal_shares
    choices: tuple[Choice, ...] = ()

    @property
    def moves_men(self) -> bool:
        """Whether men that stand on the board ever move."""
        return any(man.reach or man.jumps for man in self.men)
