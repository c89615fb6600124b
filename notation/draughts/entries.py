"""What the pieces of draughts do, for who asks at the board."""

from cartulary.notation.teaching import Entry, Example, Teaching

_HEAD = ("", "steps", "captures")

TEACHING = Teaching(
    (
        Entry(
            "Man",
            "A man steps one square slanting ahead, or jumps an opponent there onto the empty square beyond. On its"
            " last row it becomes a king, and its move ends.",
            ("reach", "crowning"),
            Example(
                "11x2",
                "The man jumps onto the last row and is crowned; there its move ends.",
                tags={"FEN": "W:W11:B6,7"},
            ),
            also=("men", "checker", "piece"),
            table=(_HEAD, ("man", "one square slanting ahead", "over an opponent slanting ahead")),
        ),
        Entry(
            "King",
            "A king steps and jumps like a man, and back as well as ahead.",
            ("reach", "crowning"),
            Example("15-10", "The king goes back, up the board.", tags={"FEN": "B:W32:BK15"}),
            ("K",),
            ("crown", "crowned"),
            (_HEAD, ("king", "one square slanting, any way", "over an opponent slanting, any way")),
        ),
        Entry(
            "Capture",
            "Who can capture must, by whichever capture he likes. A capture is carried through until the piece can"
            " jump no more.",
            ("must-capture", "finish-capture"),
            Example("1x26", "Three jumps are one move.", tags={"FEN": "B:W6,15,23:B1"}),
            also=("jump", "huff", "taking"),
        ),
    ),
    ("K",),
)
