"""What the page of draughts teaches a beginner."""

from cartulary.notation.primer import FirstGame, Primer

PRIMER = Primer(
    course=(
        "Two players, Black and White, have twelve men each on the dark squares of a board of eight by eight. The dark"
        " squares are numbered `1` to `32`, row by row from Black's side. Black moves first, then they take turns.",
        "A man steps one square diagonally forward to an empty square. It captures by jumping over an enemy piece next"
        " to it, diagonally forward, to the empty square beyond; that piece leaves the board. If it can jump again"
        " from there, it must, in the same move.",
        "If you can capture, you must, but you choose which capture. A man that reaches the far row becomes a king,"
        " and its move ends there. A king steps and jumps backward too.",
        "A player who cannot move, because he has no piece left or all are blocked, has lost.",
    ),
    first_game=FirstGame(
        (
            ("11-15", "A black man steps from square 11 to 15."),
            ("23-19", "A white man comes to meet it."),
            ("8-11", "Black brings up another man."),
            ("22-17", "White steps forward on the other side."),
            ("11-16", "Black attacks the man on 19."),
            ("24-20", "White attacks the man on 16."),
            ("16x23", "Black must capture, and chooses to jump from 16 over 19 to 23."),
            ("27x11", "White jumps twice in one move: over 23 to 18, and over 15 to 11."),
            ("7x16", "Black captures that man."),
            ("20x11", "And White captures on 16 in return."),
        ),
        "The board after five moves each: three black men and two white ones are gone.",
    ),
    words=(
        ("11-15", "a man or king steps from 11 to 15"),
        ("16x23", "captures, and lands on 23"),
        ("27x11", "a capture of several pieces names the first and the last square"),
    ),
    sample="loy-chinook",
    sources=("World Checkers Draughts Federation, *Rules of Draughts* (WCDF): each rule names its paragraph.",),
)
