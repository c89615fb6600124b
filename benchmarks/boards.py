"""Figure ``zarcana_board``: what a ply costs on a board of 60 territories, against one of nine."""

import time

from corpora import Corpora
from figures import Figure, Reach, by_turns, figure
from msgspec.structs import replace

from cartulary.engine import LEGAL, Refused, Sheet, zarcana
from cartulary.notation import GAMES, steps

SPACES = 60
ROW, TRUMP = 1024, 56
"""What the engine counts from a place to the one south of it; its code of the Fool."""

WORDS = (
    *(
        "*~,~,~",
        "Pass",
        "So=n",
        "Pass",
        "2D>So@n1*~",
        "Pass",
        "XS>So:n1",
        "Pass",
        "5W>So>n1",
        "Pass",
        "3C>Sn1=M",
        "Pass",
    ),
    *("Mn1=s", "Pass", "6W>Mn1>o", "Pass", "4D>Mo@o*~", "Pass", "*~", "Pass"),
)
"""What p1 does from a hand nobody saw, over and over from the same position; p2 passes."""


def boards(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure the same turns on a board of 60 territories against one of nine, each ``games`` times in a round."""
    few = _started()
    # The further territories are trumps, so that the words play no card that lies there.
    added = {(2 + at // 9) * ROW + at % 9 - 4: (TRUMP + at % 20,) for at in range(SPACES - len(few.cards))}
    many = replace(few, cards=few.cards | added)

    def cost(state: zarcana.State) -> float:
        start = time.process_time()
        for _ in range(games):
            done = list(steps(GAMES["zarcana"], state, WORDS, 2))
            assert all(step.verdict is LEGAL for step in done), [step.verdict for step in done]
        return 1e6 * (time.process_time() - start) / (games * len(WORDS))

    return [
        figure(
            "zarcana_board",
            "a ply of Zarcana on 60 territories, against one on nine",
            "µs",
            by_turns(rounds, lambda: cost(many), lambda: cost(few)),
            Reach("≤", 2),
            {"plies": games * len(WORDS)},
            "a minion turns, builds, destroys, moves, grows; words, verdicts and states as validate makes them",
        )
    ]


def _started() -> zarcana.State:
    """Return the state of a game of Zarcana after its first turn."""
    state = GAMES["zarcana"].rules.setup(Sheet("standard", {}, 2))
    assert not isinstance(state, Refused)
    words = ("p0/b*1S,2S,3S,4S,5S,6S,7S,8S,9S", "S@o'u", "Pass")
    *_, last = steps(GAMES["zarcana"], state, words, 2)
    assert isinstance(last.after, zarcana.State)
    return last.after
