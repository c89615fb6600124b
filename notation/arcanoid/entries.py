"""What Arcanoid's cards do, for who asks at the table."""

from cartulary.engine.arcanoid.cards import NAMES, SUITS
from cartulary.notation.teaching import Entry, Example, TableRow, Teaching

_SEATS = {"Seat1": "?", "Seat2": "?"}
_OTHER = "p0/p2*4S,5S,T12,2D,3D,4D"
_ARCANA = "The Arcanoid page, The effect of the major arcana"
_OURS = "house ruling"
_HEAD = ("committed", "value")
_COUPLE = "above all numbers and illegitimate couples"
_ILLEGITIMATE = "above all numbers, below a royal couple"
_WITH_LOVERS = ("with the Lovers", _ILLEGITIMATE)
_NUMBERS = (
    "numbers",
    "numerics",
    "pips",
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)
_SUIT_NAMES = ("swords", "staves", "cups", "coins", "wands", "pentacles")


def _shown(word: str, shows: str, hand: str, more: str = "", answer: str = "") -> Example:
    """Return an example of two seats. hand: of p1, six cards; more: what was said after it"""
    return Example(word, shows, f"p0/p1*{hand} {more}".strip(), _SEATS, answer)


def _trump(
    number: int,
    name: str,
    says: str,
    clauses: tuple[str, ...],
    example: Example,
    also: tuple[str, ...] = (),
    source: str = "",
    table: tuple[TableRow, ...] = (),
) -> Entry:
    return Entry(name, says, clauses, example, (f"T{number:02}",), also, (_HEAD, *table) if table else (), source)


def _holding(trump: str) -> str:
    """Return a hand of a trump and five cups."""
    return f"{trump},2C,3C,4C,5C,6C"


_TRUMPS = (
    _trump(
        0,
        "Fool",
        "Played out of turn, right after another seat commits, it takes that commitment over for its player, if he"
        " has not yet committed on that field. It cannot take a couple, the World, an abdication or Judgment, and it"
        " takes anything with an ace only in mainz, malta and worms.",
        ("fool", "committed-already"),
        _shown(
            "p2/T00:s", "p2 takes what p1 has just committed.", "4S,2C,3C,4C,5C,6C", "p0/p2*T00,5S,1D,2D,3D,4D 4S@s"
        ),
    ),
    _trump(
        1,
        "Magician",
        "He joins numeric cards or, except in mainz and worms, a knave or knight, and adds nothing; one numeric card"
        " with him may be of another suit and counts as the field's. In malta he is discarded instead, and lets his"
        " player commit face down.",
        ("transmute", "face-down"),
        _shown("T01,4S,5W@s", "The Five of Staves counts as one of swords.", "T01,4S,5W,2C,3C,4C"),
        source=f"{_ARCANA}; MALTA; {_OURS}",
    ),
    _trump(
        2,
        "High Priestess",
        "Another seat still in play shows its hand to her player alone, who then draws and plays again.",
        ("high-priestess",),
        _shown("T02>p2", "p2 shows p1 its hand, and p1 is to move again.", _holding("T02")),
    ),
    _trump(
        3,
        "Empress",
        "She is committed only with the Emperor or the Lovers, on one field or on two at once. With the Emperor she is"
        " above a royal couple, with the Lovers below it.",
        ("imperial-couple", "illegitimate-couple", "needs-partner"),
        _shown("T03,T04@sd", "Empress and Emperor are committed on two fields.", "T03,T04,2C,3C,4C,5C"),
        table=(("with the Emperor", "above a royal couple"), _WITH_LOVERS),
    ),
    _trump(
        4,
        "Emperor",
        "He is committed only with the Empress or the Lovers, on one field or on two at once. With the Empress he is"
        " above a royal couple, with the Lovers below it.",
        ("imperial-couple", "illegitimate-couple", "needs-partner"),
        _shown("T03,T04@w", "Empress and Emperor are committed on one field.", "T03,T04,2C,3C,4C,5C"),
        table=(("with the Empress", "above a royal couple"), _WITH_LOVERS),
    ),
    _trump(
        5,
        "Hierophant",
        "His player names a suit, the trumps without the Fool, or the Fool alone, and every seat, his own too, shows"
        " those cards. He then draws and plays again.",
        ("hierophant",),
        _shown("T05=S^p1=6S^p2=4S,5S", "All swords are shown.", "T05,6S,2C,3C,4C,5C", _OTHER),
    ),
    _trump(
        6,
        "Lovers",
        "They are committed with one court card of the field's suit, or with the Empress or the Emperor on one field or"
        " two. Such a couple beats everything but the World and an imperial or royal couple.",
        ("illegitimate-couple", "needs-partner"),
        _shown("T06,KS@s", "The Lovers are committed with the King of Swords.", "T06,KS,2C,3C,4C,5C"),
        table=(("with a court card, Empress or Emperor", _ILLEGITIMATE),),
    ),
    _trump(
        7,
        "Chariot",
        "It is laid with any number of its player's cards, or none, as an open reserve, to which later moves may each"
        " add one or two. Another move commits the whole reserve on a field, with cards from the hand if its player"
        " likes, or discards it all.",
        ("chariot",),
        _shown("T07,2C,3C@r", "The Chariot is laid with two cups.", _holding("T07")),
        ("reserve",),
    ),
    _trump(
        8,
        "Justice",
        "It is laid aside for the round, with six face-up cards from the deck, which every seat may use as its own"
        " and which are replaced when used. Its player plays again.",
        ("turn",),
        _shown(
            "T08", "Six cards lie open for all, and p1 is to move again.", _holding("T08"), "", "p0/j*1S,2S,3S,4S,5S,6S"
        ),
    ),
    _trump(
        9,
        "Hermit",
        "He gives his player three extra moves out of turn, each right after another move or, if a Fool is played on"
        " that move, after the Fool. He is discarded after the third, or when his player has finished the round.",
        ("turn",),
        _shown(
            "T09",
            "p1 discards out of turn, right after p2's move, and has two extra moves left.",
            _holding("T09"),
            "",
            "~- p1/2C- ~-",
        ),
        source=f"{_ARCANA}; {_OURS}",
    ),
    _trump(
        10,
        "Wheel of Fortune",
        "Its player draws five cards and then discards down to a full hand.",
        ("wheel",),
        _shown(
            "T10*6S,7S,8S,9S,XS-1S,2S,3S,4S",
            "Five cards are drawn, and four of the ten are discarded.",
            "T10,1S,2S,3S,4S,5S",
        ),
        ("wheel",),
    ),
    _trump(
        11,
        "Strength",
        "It is laid aside and gives its player two more cards that everybody sees, or one that is hidden, for the"
        " rest of the round. One more card replaces Strength itself.",
        ("strength",),
        _shown("T11=2*4S,5S,6D", "Two more cards lie open, and one replaces Strength.", _holding("T11")),
    ),
    _trump(
        12,
        "Hanged Man",
        "A seat in play, perhaps his player's own, discards its whole hand and draws a new one.",
        ("hanged-man",),
        _shown("T12>p2", "p2 has a new hand.", _holding("T12"), "p0/p2*4S,5S,6S,2D,3D,4D", "p0/p2*5D,6D,7D,8D,9D,XD"),
    ),
    _trump(
        13,
        "Death",
        "Death is discarded with the whole deck, which stays empty for the rest of the round. Temperance goes too.",
        ("turn", "refill-vote", "temperance"),
        _shown("T13", "The deck is gone.", _holding("T13")),
    ),
    _trump(
        14,
        "Temperance",
        "Its player lays it, while there is a deck, on a field where he has not committed: the others can only"
        " abdicate there, of their own accord or by Judgment, until he commits there or finishes, or the deck is gone"
        " for good. In all variants but dresden he is kept out too and may lift it with a whole move, and it goes"
        " when the deck runs out.",
        ("temperance", "temperance-lift"),
        _shown("T14@s", "Nobody else commits on the swords.", _holding("T14")),
        source=f"{_ARCANA}; NASSAU",
    ),
    _trump(
        15,
        "Devil",
        "Six cards from the deck, face up, become the hand of a daemon, an extra seat for which the Devil's player, its"
        " master, plays just before each of his own turns. The fields it wins are its master's.",
        ("turn",),
        _shown("T15", "A daemon with an open hand will play for p1.", _holding("T15"), "", "p0/p1d*1S,2S,3S,4S,5S,6S"),
        ("daemon", "demon"),
    ),
    _trump(
        16,
        "Tower",
        "It undoes the commitment of one seat still in play, perhaps its player's own, on one field, which is then open"
        " to that seat again. No abdication, Judgment or World is undone.",
        ("tower",),
        _shown("T16:p2s", "p2's Four of Swords is undone.", _holding("T16"), f"{_OTHER} 2C- 4S@s"),
    ),
    _trump(
        17,
        "Star",
        "Its player calls one suit card: another seat that has it hands it over and draws. If none has it, the caller"
        " draws.",
        ("star",),
        _shown("T17>4S:p2", "p2 hands over the Four of Swords.", _holding("T17"), _OTHER),
    ),
    _trump(
        18,
        "Moon",
        "It works like the Star, and if the first call fails its player may make a second, for another card.",
        ("moon",),
        _shown(
            "T18>5D>4S:p2",
            "Nobody has the Five of Coins, so p1 calls the Four of Swords, and p2 hands it over.",
            _holding("T18"),
            _OTHER,
        ),
    ),
    _trump(
        19,
        "Sun",
        "It works like the Star, with up to three calls, all different, until one succeeds. Or it calls one trump once,"
        " but not Judgment, the World or the Fool.",
        ("sun",),
        _shown("T19>T12:p2", "p2 hands over the Hanged Man.", _holding("T19"), _OTHER),
    ),
    _trump(
        20,
        "Judgment",
        "Its player names a seat, perhaps his own, which abdicates at once on a field where it has not committed."
        " Judgment stays on the table.",
        ("judgment",),
        _shown("T20@p2s", "p2 has abdicated on the swords.", _holding("T20")),
        ("judgement",),
    ),
    _trump(
        21,
        "World",
        "It is committed on a field where nobody has committed or even abdicated, and wins it. All others abdicate"
        " there at once.",
        ("world", "temperance"),
        _shown("T21@s", "p1 has won the swords.", _holding("T21")),
        table=(("World", "wins the field"),),
    ),
)


def _rank_of_all(rank: str) -> tuple[str, ...]:
    return tuple(rank + suit for suit in SUITS)


_SUITED = (
    Entry(
        "Numeric cards",
        "Any number of the field's own suit are committed together and count as their sum. In worms an ace committed"
        " alone"
        " may be completed once by a later move.",
        ("numeric", "committed-already", "ace-completion"),
        _shown("4S,6S@s", "Ten on the field of swords.", "4S,6S,2C,3C,4C,5C"),
        tuple(rank + suit for suit in SUITS for rank in "123456789X"),
        (*_NUMBERS, *_SUIT_NAMES, *(f"10{suit}" for suit in SUITS)),
        (_HEAD, ("aces to tens", "the sum"), ("an ace", "1")),
    ),
    Entry(
        "Knave",
        "The knave is committed on the field of its suit, alone or, except in mainz, malta and worms, with its ace,"
        " which adds nothing.",
        ("knave",),
        _shown("JS@s", "The knave of swords is committed alone.", "JS,2C,3C,4C,5C,6C"),
        _rank_of_all("J"),
        ("jack", "page"),
        (_HEAD, ("knave", "14½")),
    ),
    Entry(
        "Knight",
        "The knight is committed on the field of its suit, alone or, except in mainz, malta and worms, with its ace,"
        " which adds nothing.",
        ("knight",),
        _shown("NS@s", "The knight of swords is committed alone.", "NS,2C,3C,4C,5C,6C"),
        _rank_of_all("N"),
        (),
        (_HEAD, ("knight", "17½")),
    ),
    Entry(
        "Queen",
        "A queen is committed with the king of her suit, or with the Lovers, but never alone.",
        ("royal-couple", "illegitimate-couple", "needs-partner"),
        _shown("QS,KS@s", "Queen and king of swords are committed together.", "QS,KS,2C,3C,4C,5C"),
        _rank_of_all("Q"),
        ("royal couple",),
        (_HEAD, ("with her king", _COUPLE), _WITH_LOVERS),
    ),
    Entry(
        "King",
        "A king is committed with the queen of his suit, or with the Lovers, but never alone.",
        ("royal-couple", "illegitimate-couple", "needs-partner"),
        _shown("T06,KS@s", "The King of Swords is committed with the Lovers.", "T06,KS,2C,3C,4C,5C"),
        _rank_of_all("K"),
        (),
        (_HEAD, ("with his queen", _COUPLE), _WITH_LOVERS),
    ),
    Entry(
        "Abdication",
        "A seat that commits nothing on a field says so, and loses it to any commitment. It cannot commit"
        " there any more in that round.",
        ("abdicate", "committed-already"),
        _shown("@s", "p1 leaves the swords to the others.", "4S,2C,3C,4C,5C,6C"),
        also=("abdicate",),
    ),
    Entry(
        "Discard",
        "As its move a seat may discard any one card, face down. Nobody passes.",
        ("discard-one", "must-move"),
        _shown("2C-", "The Two of Cups is discarded.", "4S,2C,3C,4C,5C,6C"),
        also=("pass",),
    ),
)

TEACHING = Teaching((*_TRUMPS, *_SUITED), NAMES)
