"""What the page of chess teaches a beginner."""

from cartulary.notation.primer import FirstGame, Primer

PRIMER = Primer(
    course=(
        "Two players, White and Black, move in turn on a board of eight by eight; White begins. The files are `a` to"
        " `h`, the ranks `1` to `8`, and `a1`, a dark square, is at White's left. Each player has a king, a queen, two"
        " rooks, two bishops, two knights and eight pawns.",
        "A piece moves to an empty square or captures an enemy piece by taking its square. Only a knight jumps over"
        " others. A king that could be captured next is in *check*: its side must end the check at once, by moving the"
        " king, by capturing the attacker, or by putting a piece in between. No move may leave one's own king in"
        " check.",
        "Checkmate wins: the king is in check and no move can end it. If the side to move has no legal move and is not"
        " in check, that is stalemate, a draw. So is a position in which the men left on the board could never mate. A"
        " player may claim a draw when a position comes up a third time, or after fifty moves by each player without a"
        " capture or a pawn move.",
        "Three moves are special. *Castling*: the king goes two squares towards a rook, and the rook to the square the"
        " king has crossed, if neither has moved before, nothing stands between them, and the king is not attacked"
        " where it stands, passes or arrives. *En passant*: a pawn that has just gone two squares may be captured by a"
        " pawn as if it had gone one. *Promotion*: a pawn that reaches the last rank becomes a queen, rook, bishop or"
        " knight.",
    ),
    first_game=FirstGame(
        (
            ("e4", "White's pawn goes two squares from where it began. A pawn move has no letter."),
            ("e5", "Black's pawn does the same and blocks it."),
            ("Nf3", "White's knight, `N`, jumps over the pawns and attacks the pawn on e5."),
            ("Nc6", "Black's knight defends it."),
            ("Bc4", "The bishop goes along the diagonal that the pawn opened."),
            ("Nf6", "Black's other knight attacks the pawn on e4."),
            ("O-O", "White castles: the king goes to g1 and the rook to f1."),
            ("Nxe4", "The knight captures the pawn; `x` marks a capture."),
            ("Re1", "The rook goes along its rank to face the knight."),
            ("Nd6", "The knight withdraws and attacks the bishop."),
        ),
        "The board after five moves each.",
    ),
    words=(
        ("e4", "a pawn goes to e4"),
        ("Nf3", "a knight goes to f3; `K` `Q` `R` `B` `N` are the pieces"),
        ("Nbd2", "the knight on the b-file goes to d2, when the other one could too"),
        ("exd5", "the pawn on the e-file captures on d5"),
        ("O-O", "castles on the king's side; `O-O-O` on the queen's"),
        ("e8=Q", "a pawn becomes a queen"),
        ("Qh5+", "gives check"),
        ("Qxf7#", "gives checkmate"),
        ("Threefold", "claims a draw because the position has come up three times"),
        ("Fifty", "claims a draw after fifty moves without a capture or a pawn move"),
    ),
    variants=(
        ("standard", "The usual set-up."),
        (
            "chess960",
            "The pieces of the back rank stand in one of 960 orders, the same for both sides: bishops on opposite"
            " colours, the king between the rooks. After castling, king and rook stand where they would in"
            " `standard`.",
        ),
    ),
    sample="opera",
    sources=("FIDE, *Laws of Chess* (2023): each rule names its article.",),
)
