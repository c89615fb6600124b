"""The draft of a word: it is carried out step by step, and notes on the way which rules it breaks and what it asks.

For games in which a word is a small programme. A game's own draft adds the cards and pieces on their way; judging and
carrying out are one pass. The clause is named where it is broken.
"""

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from cartulary.engine.contract import LEGAL, Clause, Legal, Open, Refused, Undecided

AnyClause: TypeAlias = Clause[Any, Any]


def clauses_of(game: str) -> tuple[list[AnyClause], Callable[[str, str, str], AnyClause]]:
    """Return the list of a game's rules, and what adds one at its end: its key without the game, what it says, source.

    What a word breaks is named where it is carried out, so such a rule checks nothing itself.
    """
    rules: list[AnyClause] = []

    def rule(name: str, says: str, source: str) -> AnyClause:
        rules.append(Clause(f"{game}.{name}", says, source))
        return rules[-1]

    return rules, rule


class BlockedError(Exception):
    """The word cannot have happened; what comes after that is not looked at."""


class Draft:
    """What a word breaks and what it asks, as far as it is carried out.

    refusals: in the order in which they were met; blocked: one of them leaves nothing that can be applied
    decided: no other refusal is told any more, whatever else the word breaks
    opens: the questions, in the order in which they were met
    """

    refusals: tuple[Refused, ...] = ()
    opens: tuple[Open, ...] = ()
    blocked = False
    decided = False

    def refuse(self, clause: AnyClause, because: str) -> None:
        """Note that a rule is broken, by something that can have happened; the word goes on."""
        if not self.decided:
            self.refusals += (Refused(because, clause=clause),)

    def block(self, clause: AnyClause, because: str) -> NoReturn:
        """Note that a rule is broken, by something that cannot have happened.

        Raises BlockedError.
        """
        self.refuse(clause, because)
        self.blocked = True
        raise BlockedError

    def ask(self, clause: AnyClause, question: Open) -> None:
        """Note that it depends on hidden cards whether a rule is broken."""
        self.opens += (Open(question.needs, question.asks, clause),)

    def verdict(self, clauses: tuple[AnyClause, ...]) -> Legal | Refused | Undecided:
        """Return what the rules say of the word: the first refusal in the order of the clauses, else all questions.

        It blocks if any refusal did.

        Source: games.md, "One door".
        """
        if self.refusals:
            first = min(self.refusals, key=lambda refused: clauses.index(refused.clause))
            return Refused(first.because, self.blocked, first.clause)
        return Undecided(self.opens) if self.opens else LEGAL


class InOrder(Draft):
    """A draft of a word that is looked at in the order of its rulebook, which may ask a clause twice.

    Told is the first refusal that is met; later ones only block.
    """

    def refuse(self, clause: AnyClause, because: str) -> None:
        """Note that a rule is broken, if it is the first."""
        super().refuse(clause, because)
        self.decided = True
