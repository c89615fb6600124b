"""What the pieces of draughts do, for who asks at the board."""

from cartulary.notation.teaching import Entry, Example, Teaching

_HEAD = ("", "steps", "captures")

TEACHING = Teaching(
    (
        Entry(
            "Man",
            "A man steps one square diagonally forward, or jumps over an opponent's piece there to the empty square"
            " beyond. On its last row it becomes a king, and its move ends.",
            ("reach", "crowning"),
            Example(
                "11x2",
                "The man jumps onto the last row and is crowned; there its move ends.",
                tags={"FEN": "W:W11:B6,7"},
            ),
            also=("men", "checker", "piece"),
            table=(_HEAD, ("man", "one square diagonally forward", "over an opponent diagonally forward")),
        ),
        Entry(
            "King",
            "A king steps and jumps like a man, but backward as well as forward.",
            ("reach", "crowning"),
            Example("15-10", "The king goes back, up the board.", tags={"FEN": "B:W32:BK15"}),
            ("K",),
            ("crown", "crowned"),
            (_HEAD, ("king", "one square diagonally, forward or back", "over an opponent diagonally, forward or back")),
        ),
        Entry(
            "Capture",
            "A player who can capture must do so, and may choose which capture to make. A capture goes on until the"
            " piece can jump no more or becomes a king.",
            ("must-capture", "finish-capture"),
            Example("1x26", "Three jumps are one move.", tags={"FEN": "B:W6,15,23:B1"}),
            also=("jump", "huff", "taking"),
        ),
    ),
    ("K",),
)
