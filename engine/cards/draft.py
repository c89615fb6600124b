"""The draft of a word: it is carried out step by step, and notes on the way which rules it breaks and what it asks.

For games in which a word is a small programme. A game's own draft adds the cards and pieces on their way. Judging and
carrying out are one pass, because a later step can only be judged once the earlier ones are carried out. For example::

    draft.refuse(TURN, "it is p2's turn")     noted, and the word goes on: it can have happened
    draft.ask(EFFECT, Open(needs))            noted: it depends on a hidden card
    draft.block(IN_HAND, "5H is not there")   noted, and the word stops: it cannot have happened

The verdict is then the first refusal in the order of the clauses; here it is TURN, and it blocks.
"""

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from cartulary.engine.contract import LEGAL, Clause, Legal, Open, Refused, Undecided

AnyClause: TypeAlias = Clause[Any, Any]


def clauses_of(game: str) -> tuple[list[AnyClause], Callable[[str, str, str], AnyClause]]:
    """Return an empty list for the rules of a game, and the function that adds one to it.

    A draft names the rule at the step that breaks it, so such a rule has no check of its own.

    Args:
        game: the key of the game.

    Returns:
        The list, and ``rule(name, says, source)``, which appends the rule ``game.name`` and returns it.
    """
    rules: list[AnyClause] = []

    def rule(name: str, says: str, source: str) -> AnyClause:
        """Return a new rule with the key ``game.name``, and append it to the list of the game's rules. It has
        no check.
        """
        rules.append(Clause(f"{game}.{name}", says, source))
        return rules[-1]

    return rules, rule


class BlockedError(Exception):
    """The word cannot have happened, so the rest of it is not carried out."""


class Draft:
    """The rules that a word breaks and the questions it asks, as far as it has been carried out.

    Attributes:
        refusals: the refusals, in the order of the steps.
        opens: the questions, in the order of the steps.
        blocked: True if one of the refusals leaves nothing that can be applied.
        decided: True if no further refusal counts, whatever else the word breaks.
        later_refusals: the refusals met after that; they count only if a club waives the rule of the first.
    """

    refusals: tuple[Refused, ...] = ()
    later_refusals: tuple[Refused, ...] = ()
    opens: tuple[Open, ...] = ()
    blocked: bool = False
    decided: bool = False

    def refuse(self, clause: AnyClause, because: str) -> None:
        """Note that the word breaks a rule by something that can have happened; the word goes on.

        Args:
            clause: the rule.
            because: the facts, in one sentence.
        """
        refusal = (Refused(because, clause=clause),)
        if self.decided:
            self.later_refusals += refusal
        else:
            self.refusals += refusal

    def block(self, clause: AnyClause, because: str) -> NoReturn:
        """Note that the word breaks a rule by something that cannot have happened, and stop it.

        Args:
            clause: the rule.
            because: the facts, in one sentence.

        Raises:
            BlockedError: always.
        """
        self.refuse(clause, because)
        self.blocked = True
        raise BlockedError

    def ask(self, clause: AnyClause, question: Open) -> None:
        """Note that hidden cards decide whether the word breaks a rule.

        Args:
            clause: the rule.
            question: the hidden facts that decide it.
        """
        self.opens += (Open(question.needs, question.asks, clause),)

    def verdict(self, clauses: tuple[AnyClause, ...]) -> Legal | Refused | Undecided:
        """Return the verdict on the word: the first refusal in the order of the clauses, else all questions.

        The order of the clauses decides, not that of the steps, so that a game may change its steps and still give the
        same verdicts. The refusal blocks if any refusal did, because then nothing can be applied.

        Args:
            clauses: the rules of the game in order.
        """
        if self.refusals:
            first, *others = sorted(self.refusals, key=lambda refused: clauses.index(refused.clause))
            if self.blocked:
                return Refused(first.because, True, first.clause)
            others += sorted(self.later_refusals, key=lambda refused: clauses.index(refused.clause))
            by_clause = {refused.clause.key: refused for refused in reversed(others) if refused.clause != first.clause}
            return Refused(first.because, False, first.clause, others=tuple(by_clause.values())[::-1])
        return Undecided(self.opens) if self.opens else LEGAL


class InOrder(Draft):
    """A draft for a game whose steps follow the rulebook, which may check a clause twice.

    The first refusal met is the verdict; a later one can only block.
    """

    def refuse(self, clause: AnyClause, because: str) -> None:
        """Note that the word breaks a rule; only the first rule that it breaks is kept, and nothing is raised."""
        super().refuse(clause, because)
        self.decided = True
