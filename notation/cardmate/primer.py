"""What Cardmate's page teaches a beginner."""

from cartulary.notation.primer import FirstGame, Primer

PRIMER = Primer(
    course=(
        "Two players, Forehand (`p1`) and Rearhand (`p2`), face each other over a board of ten by ten squares."
        " Forehand sits below rank `0` and moves first; then they take turns. The files are `a` to `j`, the ranks `0`"
        " to `9`, and `a0` is at Forehand's left. In the pictures `^` marks Forehand's cards, `v` Rearhand's;"
        " square brackets mark the palaces.",
        "The cards are the pieces. Each side starts with twenty-six: two Kings, and two of every other rank but the"
        " Ace. The suits are clubs `C`, diamonds `D`, hearts `H` and spades `S`; the ranks, from the lowest, are `1`"
        " to `9`, `X` for ten, `J`, `Q`, `K` and `A`. So `8H` is the Eight of Hearts. A card's rank says how it"
        " moves; *forward* is always away from its owner.",
        "A card moves to an empty square, or captures an enemy card by taking its square. A lower card never captures"
        " a higher one of its own suit; cards of different suits capture each other freely. Suits must be followed:"
        " if any of your cards can capture a lower card of its own suit, you must make such a capture. With several"
        " to choose from, take whichever you like.",
        "You win by capturing both enemy Kings, or by moving a King of yours into the enemy palace: `e9` and `f9` for"
        " Forehand, `e0` and `f0` for Rearhand. There is no check: a King may stand where it can be captured, and its"
        " side plays on as long as it has another King. If you have no legal move, the game is drawn.",
    ),
    first_game=FirstGame(
        (
            ("JSh3", "Forehand's Jack of Spades jumps from g1 as a knight does. That opens a diagonal."),
            ("3Hb6", "Rearhand's Trey of Hearts goes one square diagonally forward, onto that diagonal."),
            ("9H:b6", "The Nine of Hearts must capture that Trey, a lower heart. `:` marks a capture."),
            ("JH:b6", "The Jack of Hearts takes that Nine, again a lower heart: two squares, over the empty c7."),
            ("JDe3", "The Jack of Diamonds jumps from d1. No capture within a suit is possible, so any move would do."),
            (
                "9S:j2",
                "The Nine of Spades captures along the diagonal that the Jack of Hearts left open. A card of"
                " another suit may be captured, as here.",
            ),
            ("9C:j7", "The Nine of Clubs takes the One of Clubs: Forehand has to follow suit once more."),
            ("9D:j7", "The Nine of Diamonds takes the Nine of Clubs."),
            ("JS:j2", "The Jack of Spades must take the Nine of Spades: no other move is legal."),
            ("8Cd8", "The Eight of Clubs jumps like a knight."),
        ),
        "The board after these ten moves.",
    ),
    words=(
        (
            "4Ci3",
            "the Four of Clubs goes to i3; where it comes from need not be said, because each card exists only once",
        ),
        ("8H:c5", "the Eight of Hearts captures on c5"),
        ("1Dd5=A", "the One of Diamonds enters the other half and becomes the Ace"),
        ("QS:f0+", "captures the first enemy King"),
        ("QS:e0×", "captures the second: the game is won"),
        ("KDe9#", "a King enters the enemy palace: the game is won"),
    ),
    variants=(
        ("predefined", "The set-up above."),
        ("suit-setup", "As `predefined`, but cards of the same rank and side may have changed places."),
        ("suit-content", "The ranks stand as in `predefined`; their suits may be any."),
        ("rank-setup", "Each side has its usual twenty-six cards, anywhere on its three nearest ranks."),
        (
            "rank-content",
            "Each side has two Kings and any twenty-four other cards except Aces, on its three nearest ranks.",
        ),
        ("composed", "Any position: an ending, a problem, a game resumed later. One or two Kings a side."),
    ),
    sample="page-1",
    sources=("I. Derzhanski, *Cardmate* (2000): the inventor's page, with the two games that are samples here.",),
)
