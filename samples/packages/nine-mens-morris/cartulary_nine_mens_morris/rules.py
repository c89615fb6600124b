"""The rules of Nine Men's Morris: those of any board game, and its own board and mills."""

from cartulary.engine import Option
from cartulary.engine.boards import BoardGame, Choice, Description, board_of, mills, rules_from

BOARD = board_of(
    *("a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7"),
    *("a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7"),
)
SENTENCES = {
    "vacant": "A man is put on a vacant point or goes to one.",
    "hand": "A player puts nine men on the board, and none that has left it again.",
    "step": "A man goes along a line to the next point; a player with three men left may move one to any vacant point.",
    "removal": "Whoever closes a mill, three of his men in a row along a line, takes one of the other's men.",
    "protected": "A man in a mill is taken only if all men of that player are in mills.",
    "bare": "A player with fewer than three men has lost.",
}
HOUSE = {
    "turn": "White begins, and then the players move in turn.",
    "setup": "A set-up has at most nine men of either player, in hand too, and at least three.",
    "repetition": "The game is drawn when a position occurs for the third time.",
}
NO_FLYING = Option("no-flying", "A player with three men left moves along the lines like anybody else.")
MORRIS = BoardGame(
    Description(
        key="nine-mens-morris",
        rules=rules_from("House That JAK Built (housethatjakbuilt.com/9.html)", SENTENCES, HOUSE),
        board=BOARD,
        hand=9,
        removal=mills(BOARD),
        flies_with=3,
        fewest=3,
        repetition=3,
        choices=(Choice(NO_FLYING, {"": {"flies_with": 0}}),),
    )
)
