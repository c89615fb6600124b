"""What the pieces of chess do, for who asks at the board."""

from collections.abc import Mapping

from cartulary.notation.teaching import Entry, Example, Teaching

_HEAD = ("", "moves", "captures")


def _from(fen: str) -> Mapping[str, str]:
    return {"SetUp": "1", "FEN": fen}


TEACHING = Teaching(
    (
        Entry(
            "King",
            "The king goes one square in any direction, never to a square that is attacked. It is never captured: a"
            " player in check must get out of it.",
            ("reach", "king-attacked", "king-captured"),
            Example(
                "Kd2", "Away from the rook, which holds the whole e-file.", tags=_from("4r3/8/8/8/8/8/8/4K2k w - - 0 1")
            ),
            ("K",),
            table=(_HEAD, ("king", "one square in any direction", "the same")),
        ),
        Entry(
            "Queen",
            "The queen goes any number of squares along a rank, a file or a diagonal, but never jumps over a piece.",
            ("reach", "path"),
            Example("Qxf7#", "Along the diagonal, to mate.", "e4 e5 Bc4 Nc6 Qh5 Nf6"),
            ("Q",),
            table=(_HEAD, ("queen", "along ranks, files and diagonals", "the same")),
        ),
        Entry(
            "Rook",
            "The rook goes any number of squares along a rank or a file, but never jumps over a piece. It castles"
            " with the king.",
            ("reach", "path", "castling-rights"),
            Example(
                "Rd8#", "Along the open file to the last rank.", tags=_from("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
            ),
            ("R",),
            ("castle piece", "tower"),
            (_HEAD, ("rook", "along ranks and files", "the same")),
        ),
        Entry(
            "Bishop",
            "The bishop goes any number of squares along a diagonal, but never jumps over a piece. It always stays"
            " on squares of one colour.",
            ("reach", "path"),
            Example("Bb5", "Along the diagonal from f1.", "e4 e5 Nf3 Nc6"),
            ("B",),
            table=(_HEAD, ("bishop", "along diagonals", "the same")),
        ),
        Entry(
            "Knight",
            "The knight jumps two squares one way and one across, whatever is in between.",
            ("reach", "own-square"),
            Example("Nf3", "Over its own pawns."),
            ("N",),
            ("horse",),
            (_HEAD, ("knight", "two squares and one across", "the same")),
        ),
        Entry(
            "Pawn",
            "A pawn goes one square straight ahead, or two from where it begins, to vacant squares only. It "
            "captures one square diagonally forward.",
            ("reach", "pawn-blocked", "en-passant", "promotion"),
            Example("exd5", "It captures diagonally, where it could not have gone otherwise.", "e4 d5"),
            ("P",),
            table=(_HEAD, ("pawn", "one square ahead, two from the start", "one square diagonally forward")),
        ),
        Entry(
            "En passant",
            "A pawn that has just gone two squares can be captured by a pawn beside it as if it had gone one, on "
            "the very next move only.",
            ("en-passant",),
            Example("exd6", "The pawn that went from d7 to d5 leaves the board.", "e4 a6 e5 d5"),
            also=("ep", "e.p.", "in passing"),
        ),
        Entry(
            "Promotion",
            "A pawn that reaches the last rank becomes a queen, rook, bishop or knight, whatever is still on the "
            "board.",
            ("promotion",),
            Example("a8=N", "A knight, for once.", tags=_from("8/P7/8/8/8/8/k7/2K5 w - - 0 1")),
            also=("promote", "queening", "underpromotion"),
        ),
        Entry(
            "Castling",
            "King and rook move together, once, if neither has moved before, nothing stands between them, and the king "
            "is not attacked where it stands, passes or arrives.",
            ("castling-rights", "castling-path", "castling-check"),
            Example("O-O", "The king goes to g1, the rook to f1.", "e4 e5 Nf3 Nc6 Bc4 Bc5"),
            also=("castle", "O-O", "O-O-O"),
            table=(
                ("", "king", "rook"),
                ("O-O", "to the g-file", "to the f-file"),
                ("O-O-O", "to the c-file", "to the d-file"),
            ),
        ),
        Entry(
            "Check and mate",
            "A king that is attacked is in check. A player who has no legal move has lost if he is in check; if he is"
            " not, the game is drawn.",
            ("king-attacked", "checkmate", "stalemate"),
            Example("Qh4#", "The shortest mate there is.", "f3 e5 g4"),
            also=("check", "checkmate", "mate", "stalemate"),
        ),
        Entry(
            "Claim of a draw",
            "The player to move may claim a draw when a position occurs for the third time, or after 50 moves by"
            " each player without a pawn move or a capture. A wrong claim counts as an offer.",
            ("threefold", "fifty", "intended-move"),
            Example("Threefold", "The starting position occurs for the third time.", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"),
            also=("threefold", "fifty", "repetition", "claim", "fifty moves"),
        ),
        Entry(
            "Offer of a draw",
            "A player who has just moved may offer a draw; the other agrees, or declines by moving. In a record,"
            " Draw or Agree by itself is a call by the seat to move; with a seat before it, as in p2/Draw, it is a call"
            " by that seat.",
            ("agreement",),
            Example("Agree", "White agrees to what Black offered.", "e4 e5 p2/Draw"),
            also=("draw", "draw offer", "offer", "agree", "agreement"),
            source="FIDE 5.2.3, 9.1.2.1",
        ),
        Entry(
            "Illegal move",
            "An illegal move is taken back, and the touched piece moves if it can. The first gives the opponent two "
            "minutes, the second the game; `why` says what an arbiter may do.",
            ("reach", "king-attacked"),
            Example("Nc6", "A touched piece that can move is moved.", "e4 e5 Nf3"),
            also=("touch-move", "touched piece", "touch", "irregularity", "irregularities"),
            source="FIDE 4.3, 7.5.1, 7.5.3, 7.5.5",
        ),
        Entry(
            "Draw without a claim",
            "The game is drawn when neither side can mate with the men that are left, when a position occurs for the"
            " fifth time, or after 75 moves by each player without a pawn move or a capture.",
            ("dead-position", "fivefold", "seventy-five", "cannot-win"),
            Example("Kxd2", "A king against a king: the game is over.", tags=_from("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1")),
            also=("dead position", "fivefold", "seventy-five", "insufficient material"),
        ),
    ),
    ("K", "Q", "R", "B", "N", "P"),
)
