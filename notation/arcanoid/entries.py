"""What Arcanoid's cards do, for who asks at the table."""

from cartulary.engine.arcanoid.cards import NAMES, SUITS
from cartulary.notation.teaching import Entry, Example, Teaching

_SEATS = {"Seat1": "?", "Seat2": "?"}
_OTHER = "p0/p2*4S,5S,T12,2D,3D,4D"


def _shown(word: str, shows: str, hand: str, more: str = "") -> Example:
    """Return an example of two seats. hand: of p1, six cards; more: what was said after it"""
    return Example(word, shows, f"p0/p1*{hand} {more}".strip(), _SEATS)


def _trump(number: int, name: str, says: str, clauses: tuple[str, ...], example: Example) -> Entry:
    return Entry(name, says, clauses, example, (f"T{number:02}",))


def _holding(trump: str) -> str:
    """Return a hand of a trump and five cups."""
    return f"{trump},2C,3C,4C,5C,6C"


_TRUMPS = (
    _trump(
        0,
        "Fool",
        "Right after a commitment is announced it makes it the Fool player's, out of turn, if he is open on that field."
        " It takes no couple, World, abdication, Judgment or, mostly, ace.",
        ("fool", "committed-already"),
        _shown(
            "p2/T00:s", "p2 takes what p1 has just committed.", "4S,2C,3C,4C,5C,6C", "p0/p2*T00,5S,1D,2D,3D,4D 4S@s"
        ),
    ),
    _trump(
        1,
        "Magician",
        "He joins a numeric commitment, a knave or a knight, and adds nothing himself. One numeric card with him may be"
        " of another suit and counts as the field's.",
        ("transmute",),
        _shown("T01,4S,5W@s", "The Five of Staves counts as one of swords.", "T01,4S,5W,2C,3C,4C"),
    ),
    _trump(
        2,
        "High Priestess",
        "Another seat still in play shows its hand to the player alone. He draws and plays again.",
        ("high-priestess",),
        _shown("T02>p2", "p2 shows p1 its hand.", _holding("T02")),
    ),
    _trump(
        3,
        "Empress",
        "She commits only with the Emperor or the Lovers, on one field or on two at once. With the Emperor she is above"
        " a royal couple, with the Lovers below it.",
        ("imperial-couple", "illegitimate-couple", "needs-partner"),
        _shown("T03,T04@sd", "Empress and Emperor stand on two fields.", "T03,T04,2C,3C,4C,5C"),
    ),
    _trump(
        4,
        "Emperor",
        "He commits only with the Empress or the Lovers, on one field or on two at once. With the Empress he is above a"
        " royal couple, with the Lovers below it.",
        ("imperial-couple", "illegitimate-couple", "needs-partner"),
        _shown("T03,T04@w", "Empress and Emperor stand on one field.", "T03,T04,2C,3C,4C,5C"),
    ),
    _trump(
        5,
        "Hierophant",
        "The player names a suit, the trumps or the Fool, and every seat shows those cards, he too. He draws and plays"
        " again.",
        ("hierophant",),
        _shown("T05=S^p1=6S^p2=4S,5S", "All swords are shown.", "T05,6S,2C,3C,4C,5C", _OTHER),
    ),
    _trump(
        6,
        "Lovers",
        "They commit with one court card of the field's suit, or with the Empress or the Emperor. That is above all"
        " numbers and below a royal couple.",
        ("illegitimate-couple", "needs-partner"),
        _shown("T06,KS@s", "The Lovers stand with the King of Swords.", "T06,KS,2C,3C,4C,5C"),
    ),
    _trump(
        7,
        "Chariot",
        "It is laid with any number of own cards as an open reserve, which later moves add to. The whole reserve is"
        " committed at once, or discarded.",
        ("chariot",),
        _shown("T07,2C,3C@r", "The Chariot is laid with two cups.", _holding("T07")),
    ),
    _trump(
        8,
        "Justice",
        "It lies aside for the round with six cards face up that belong to everybody and are refilled. The player plays"
        " again.",
        ("turn",),
        _shown("T08", "Six cards will lie open for all.", _holding("T08")),
    ),
    _trump(
        9,
        "Hermit",
        "He gives his player three extra moves out of turn, each right after some move and after any Fool. He goes"
        " after the third.",
        ("turn",),
        _shown("T09", "p1 may move three times out of turn.", _holding("T09")),
    ),
    _trump(
        10,
        "Wheel of Fortune",
        "Five cards are drawn, and then the hand is discarded down to its size.",
        ("wheel",),
        _shown("T10*6S,7S,8S,9S,XS-1S,2S,3S,4S", "Five are drawn, and four of ten go.", "T10,1S,2S,3S,4S,5S"),
    ),
    _trump(
        11,
        "Strength",
        "It gives two more cards that all see, or one that is hidden, for the rest of the round, and one to replace"
        " it.",
        ("strength",),
        _shown("T11=2*4S,5S,6D", "Two more cards lie open, and one replaces Strength.", _holding("T11")),
    ),
    _trump(
        12,
        "Hanged Man",
        "The hand of a seat in play, one's own too, is discarded and drawn anew.",
        ("hanged-man",),
        _shown("T12>p2", "p2 throws its hand away.", _holding("T12")),
    ),
    _trump(
        13,
        "Death",
        "Death is discarded with the whole deck, which stays empty for the round. Temperance goes with it.",
        ("turn", "refill-vote"),
        _shown("T13", "The deck is gone.", _holding("T13")),
    ),
    _trump(
        14,
        "Temperance",
        "Laid on a field where its player has not committed, it keeps the others from it but for abdication and"
        " Judgment. It goes when its player commits there or the deck stays empty.",
        ("temperance", "temperance-lift"),
        _shown("T14@s", "Nobody else commits on the swords.", _holding("T14")),
    ),
    _trump(
        15,
        "Devil",
        "Six cards face up become the hand of a daemon, a seat of its own just before its master, who moves it. The"
        " fields it wins are its master's.",
        ("turn",),
        _shown("T15", "A daemon will play for p1.", _holding("T15")),
    ),
    _trump(
        16,
        "Tower",
        "It undoes one commitment on one field of a seat still in play, and the field is open to that seat again. No"
        " abdication, Judgment or World is undone.",
        ("tower",),
        _shown("T16:p2s", "p2's Four of Swords is undone.", _holding("T16"), f"{_OTHER} 2C- 4S@s"),
    ),
    _trump(
        17,
        "Star",
        "The player calls one suit card: who has it hands it over and draws. If nobody has it, the caller draws.",
        ("star",),
        _shown("T17>4S:p2", "p2 hands over the Four of Swords.", _holding("T17"), _OTHER),
    ),
    _trump(
        18,
        "Moon",
        "It is the Star, with a second call of another card when the first fails.",
        ("moon",),
        _shown("T18>4S:p2", "p2 hands over the Four of Swords.", _holding("T18"), _OTHER),
    ),
    _trump(
        19,
        "Sun",
        "It is the Star with up to three calls, all different. Or it calls one trump, but not Judgment, the World or"
        " the Fool.",
        ("sun",),
        _shown("T19>T12:p2", "p2 hands over the Hanged Man.", _holding("T19"), _OTHER),
    ),
    _trump(
        20,
        "Judgment",
        "Any seat that is open on a field abdicates there at once. Judgment stays on the table.",
        ("judgment",),
        _shown("T20@p2s", "p2 has abdicated on the swords.", _holding("T20")),
    ),
    _trump(
        21,
        "World",
        "It is committed on a field where nobody has committed anything, and wins it. All others abdicate there at"
        " once.",
        ("world",),
        _shown("T21@s", "p1 has won the swords.", _holding("T21")),
    ),
)

_HEAD = ("committed", "value")


def _each(rank: str) -> tuple[str, ...]:
    return tuple(rank + suit for suit in SUITS)


_SUITED = (
    Entry(
        "Numeric cards",
        "Any number of the field's own suit are committed together and count their sum.",
        ("numeric", "committed-already"),
        _shown("4S,6S@s", "Ten on the field of swords.", "4S,6S,2C,3C,4C,5C"),
        tuple(rank + suit for suit in SUITS for rank in "123456789X"),
        ("numbers", "ace", "ten"),
        (_HEAD, ("aces to tens", "the sum"), ("an ace", "1")),
    ),
    Entry(
        "Knave",
        "The knave is committed on the field of its suit, alone or, where the variant allows it, with its ace, which"
        " adds nothing.",
        ("knave",),
        _shown("JS@s", "The knave of swords stands alone.", "JS,2C,3C,4C,5C,6C"),
        _each("J"),
        ("jack",),
        (_HEAD, ("knave", "14½")),
    ),
    Entry(
        "Knight",
        "The knight is committed on the field of its suit, alone or, where the variant allows it, with its ace, which"
        " adds nothing.",
        ("knight",),
        _shown("NS@s", "The knight of swords stands alone.", "NS,2C,3C,4C,5C,6C"),
        _each("N"),
        (),
        (_HEAD, ("knight", "17½")),
    ),
    Entry(
        "Queen",
        "A queen commits with the king of her suit, or with the Lovers. Alone she commits nothing.",
        ("royal-couple", "illegitimate-couple", "needs-partner"),
        _shown("QS,KS@s", "Queen and king of swords stand together.", "QS,KS,2C,3C,4C,5C"),
        _each("Q"),
        ("royal couple",),
        (_HEAD, ("with her king", "above all numbers and illegitimate couples")),
    ),
    Entry(
        "King",
        "A king commits with the queen of his suit, or with the Lovers. Alone he commits nothing.",
        ("royal-couple", "illegitimate-couple", "needs-partner"),
        _shown("QS,KS@s", "Queen and king of swords stand together.", "QS,KS,2C,3C,4C,5C"),
        _each("K"),
        (),
        (_HEAD, ("with his queen", "above all numbers and illegitimate couples")),
    ),
    Entry(
        "Abdication",
        "Who commits nothing on a field says so, and loses it to any commitment. The field counts as committed on.",
        ("abdicate", "committed-already"),
        _shown("@s", "p1 leaves the swords to the others.", "4S,2C,3C,4C,5C,6C"),
        also=("abdicate",),
    ),
    Entry(
        "Discard",
        "In a move any one card may be discarded, face down. Nobody passes.",
        ("discard-one", "must-move"),
        _shown("2C-", "The Two of Cups is thrown away.", "4S,2C,3C,4C,5C,6C"),
        also=("pass",),
    ),
)

TEACHING = Teaching((*_TRUMPS, *_SUITED), NAMES)
