"""What Cardmate's cards do, for who asks at the board."""

from collections.abc import Mapping

from cartulary.engine.cardmate import RANKS
from cartulary.engine.grid import FILES
from cartulary.notation.teaching import Entry, Example, Teaching

SUITS = "CDHS"
_MOVES = ("reach", "path", "own-square", "suit-order", "follow-suit")
_QUIET = ("reach", "own-square", "quiet-retreat", "suit-order", "follow-suit")
_HEAD = ("", "moves and captures", "moves only")
_BACK = "one straight back"
_ORDER = "1 2 3 4 5 6 7 8 9 X J Q K A"


def _cards(rank: str) -> tuple[str, ...]:
    return tuple(rank + suit for suit in SUITS)


def _rank(
    rank: str, name: str, says: str, goes: str, example: Example, also: tuple[str, ...] = (), more: tuple[str, ...] = ()
) -> Entry:
    quiet = rank in "123456789"
    table = (_HEAD, (rank, goes, _BACK if quiet else "–"))
    says = says.replace(".", ", or, without capturing, one square straight back.", 1) if quiet else says
    return Entry(name, says, (*(_QUIET if quiet else _MOVES), *more), example, _cards(rank), (rank, *also), table)


def _lying(card: str, square: str) -> Mapping[str, str]:
    """Return the tags of a board with a card of Forehand's and a King on either side."""
    at = {"a4": "KC", "j5": "Kh", square: card}
    ranks = (" ".join(at.get(f"{file}{rank}", "--") for file in FILES) for rank in range(9, -1, -1))
    return {"Variant": "composed", "Setup": " / ".join(ranks)}


TEACHING = Teaching(
    (
        _rank(
            "1",
            "One",
            "A One goes one square straight forward. When it crosses the midline (to rank 5 for Forehand, to rank 4 for"
            " Rearhand), it may become the Ace of its suit.",
            "straight forward; Ace on entering the other half",
            Example("1Sd4=A", "The One of Spades crosses the middle and becomes the Ace.", "4Ci3 1Sd6 4Cj3 1Sd5 4Ci3"),
            more=("promotion",),
        ),
        _rank(
            "2",
            "Deuce",
            "A Deuce goes one square diagonally forward.",
            "diagonally forward",
            Example("2Sc3", "The Deuce of Spades goes diagonally forward."),
            ("Two",),
        ),
        _rank(
            "3",
            "Trey",
            "A Trey goes one square forward, diagonally or straight.",
            "diagonally or straight forward",
            Example("3Cd3", "The Trey of Clubs goes diagonally forward."),
            ("Three",),
        ),
        _rank(
            "4",
            "Four",
            "A Four goes one square diagonally forward or one square sideways.",
            "diagonally forward, sideways",
            Example("4He2", "The Four of Hearts goes sideways."),
        ),
        _rank(
            "5",
            "Five",
            "A Five goes one square forward (diagonally or straight) or sideways.",
            "diagonally or straight forward, sideways",
            Example("5Hf2", "The Five of Hearts goes diagonally forward."),
        ),
        _rank(
            "6",
            "Six",
            "A Six goes one square diagonally (forward or back) or sideways.",
            "diagonally forward or back, sideways",
            Example("6Sb1", "The Six of Spades goes sideways."),
        ),
        _rank(
            "7",
            "Seven",
            "A Seven goes one square diagonally (forward or back), sideways or straight forward.",
            "diagonally forward or back, sideways, straight forward",
            Example("7Cb1", "The Seven of Clubs goes sideways."),
        ),
        _rank(
            "8",
            "Eight",
            "An Eight goes like a chess knight.",
            "like a chess knight",
            Example("8Hc2", "The Eight of Hearts jumps over the cards in between.", "3Cd3 4Db6"),
        ),
        _rank(
            "9",
            "Nine",
            "A Nine goes like a chess bishop, any distance along a free diagonal.",
            "as a chess bishop",
            Example("9Df7", "The Nine of Diamonds goes along its diagonal.", tags=_lying("9D", "c4")),
            more=("path",),
        ),
        _rank(
            "X",
            "Ten",
            "A Ten goes like a chess rook, any distance along a free rank or file.",
            "as a chess rook",
            Example("XSi8", "The Ten of Spades goes along its file.", tags=_lying("XS", "i1")),
            ("10",),
        ),
        _rank(
            "J",
            "Jack",
            "A Jack jumps like a chess knight. It also goes one or two squares straight or diagonally, but two only"
            " over an empty square.",
            "as a knight; one or two squares on any queen line",
            Example("JDf3", "The Jack of Diamonds goes two squares on a diagonal; the square between is empty."),
            ("Knave",),
        ),
        _rank(
            "Q",
            "Queen",
            "A Queen goes like a chess queen, any distance along a free rank, file or diagonal.",
            "as a chess queen",
            Example("QCc5", "The Queen of Clubs goes along her file.", tags=_lying("QC", "c1")),
        ),
        _rank(
            "K",
            "King",
            "A King goes one square in any direction; there is no check. A side wins when a King of its own enters"
            " the other palace, and loses when all its Kings are captured.",
            "as a chess king, without castling or check",
            Example("KCe1", "The King of Clubs steps where the Five stood.", "5He2 4Db6"),
            more=("both-kings", "palace"),
        ),
        _rank(
            "A",
            "Ace",
            "An Ace goes like a chess knight or queen. Except in a composed set-up, it is not on the board at first: a"
            " One becomes the Ace of its suit.",
            "like a chess knight or queen",
            Example("ASf5", "The Ace of Spades goes one square diagonally.", tags=_lying("AS", "e4")),
            more=("promotion",),
        ),
        Entry(
            "Following suit",
            "A player who can capture a lower card of the capturing card's own suit must do so before anything else."
            " A lower card never captures a higher one of its suit; cards of different suits capture each other"
            " freely.",
            ("follow-suit", "suit-order"),
            Example(
                "8H:c6",
                "The Eight of Hearts takes a lower heart, as it must.",
                "4Ci3 4Db6 8Dj2 8Ca7 8Dh3 8Cc6 7Cb1 7Di8 3Cd3 3Di6 8Hc2 4Dc5 JSf3 9Sa7 9H:c5 9S:c5 2Sa3 9S:a3"
                " 1D:a3 8Sh7 3Cd4 8C:d4 8H:d4 8Sg5 JS:g5 3Hc6 JS:g7 6H:g7",
            ),
            also=("capture", "taking", "suit"),
            table=(("rank, lowest first",), (_ORDER,)),
        ),
        Entry(
            "Palace",
            "A side's palace is the two middle squares of its back rank: e0 and f0 for Forehand, e9 and f9 for"
            " Rearhand. A King that enters the other side's palace wins at once.",
            ("palace",),
            Example("KDe9#", "The King of Diamonds enters Rearhand's palace.", tags=_lying("KD", "e8")),
        ),
    ),
    tuple(rank + suit for rank in RANKS for suit in SUITS),
)
