"""What Zarcana's cards do, for who asks at the table."""

from cartulary.engine.zarcana.cards import EXTRA, EXTRAS, NAMES, SUITS, TRUMP
from cartulary.notation.teaching import Entry, Example, Teaching

_NINE = "p0/b*1C,2C,3C,4C,5C,6C,7C,8C,9C"
_HEAD = ("used by", "where", "counts")
_STANDS = "a minion that stands"
_LIES = "a minion that lies"
_ANY = "any minion"
_NOBODY = "no minion needed"
_ON_CARD = "on a card"
_ANYWHERE = "anywhere"
_SEATS = {"Seat1": "?", "Seat2": "?"}
_ALSO = {
    "cups": ("chalices",),
    "wands": ("staves", "staff", "rods"),
    "swords": ("blades",),
    "discs": ("pentacles", "coins", "disks"),
    "wheel": ("wheel",),
    "judgement": ("judgment",),
}
"""What else players call a power, by its key."""
_ON_THE_PAGE = ("fool", "high-priestess", "chariot", "hermit", "justice", "temperance", "star")
"""What these do is in part a remark of the page."""
_REMARKED = "The Zarcana page; house ruling"


def _shown(word: str, shows: str, hand: str, turns: str, other: str = "", board: str = _NINE) -> Example:
    """Return an example of two seats; hand, other: of p1 and of p2; turns: what was played before."""
    dealt = (board, f"p0/p1*{hand}", f"p0/p2*{other}" if other else "", turns)
    return Example(word, shows, " ".join(filter(None, dealt)), _SEATS)


def _power(name: str, says: str, who: str, where: str, counts: str, more: tuple[str, ...], example: Example) -> Entry:
    key = name.removesuffix(" of Fortune").lower().replace(" ", "-")
    card = EXTRA + EXTRAS.index(key) if key in EXTRAS else TRUMP + int(counts)
    table, source = (_HEAD, (who, where, counts)), _REMARKED if key in _ON_THE_PAGE else ""
    return Entry(name, says, (key, *more), example, (NAMES[card],), _ALSO.get(key, ()), table, source)


def _suit(name: str, says: str, who: str, where: str, more: tuple[str, ...], example: Example) -> Entry:
    key, cards = name.lower(), tuple(rank + name[0] for rank in "123456789X")
    also = (*_ALSO[key], f"10{name[0]}")
    return Entry(name, says, (key, *more), example, cards, also, (_HEAD, (who, where, "its pips, X 10")))


def _extra(
    name: str, says: str, who: str, example: Example, more: tuple[str, ...] = (), where: str = _ANYWHERE
) -> Entry:
    option = f"extra={name.lower().replace(' ', '-')}"
    with_it = Example(example.word, example.shows, example.after, {**_SEATS, "Options": option})
    return _power(name, says, who, where, f"0, option {option}", more, with_it)


_AT = ("orientation", "on-card")
_FOUR_SUITS = (
    _suit(
        "Cups",
        "A minion that stands on a card grows one size or, if fewer than three are there, makes another of its size"
        " or smaller in its space.",
        _STANDS,
        _ON_CARD,
        (*_AT, "population", "stash"),
        _shown("XC>So=M", "The small minion in the centre grows.", "XC,1D,2D", "S@o'u Pass"),
    ),
    _suit(
        "Wands",
        "A lying minion moves into the space it points at, unless three are already there, and stands up.",
        _LIES,
        _ANYWHERE,
        ("orientation", "wasteland", "population"),
        _shown("5W>So>e1", "The minion moves where it pointed.", "5W,1D,2D", "S@o'e Pass"),
    ),
    _suit(
        "Swords",
        "A minion attacks another in the space it aims at: a larger one is reduced by a size, any other is"
        " destroyed. Where there is none, the top card is discarded, but never from under the attacker.",
        _ANY,
        _ANYWHERE,
        ("wasteland", "stash", "no-effect"),
        _shown("7S>So:p2Se1", "p2's minion is as small, so it is destroyed.", "7S,1D,2D", "S@o'e S@e1'w"),
    ),
    _suit(
        "Discs",
        "The deck's top card is laid on the space aimed at, unless another seat's minion is there. A minion that"
        " stands aims at its own space, so it builds under itself.",
        _ANY,
        _ON_CARD,
        ("on-card",),
        _shown("5D>Se1@e2*7W", "The deck's top card extends the board.", "1D,2D,5D", "S@e1'e Pass"),
    ),
    Entry(
        "Royalty",
        "Played from the hand, a jack, knight, queen or king has the power of any suit, which is named if it is not"
        " its own. On the board it has that of its own suit.",
        ("royalty", "play-card"),
        _shown("JW=S>So:e1", "The Jack of Wands is used as Swords.", "JW,1D,2D", "S@o'e Pass"),
        tuple(rank + suit for suit in SUITS for rank in "JNQK"),
        ("jack", "knight", "queen", "king", "page", "knave", "royal", "court card", "face card"),
        (_HEAD, ("as the suit", "as the suit", "11")),
    ),
)

_TRUMPS = (
    _power(
        "Fool",
        "Twice, the deck's top card is turned up, used as if played from the hand if it can be, and then discarded."
        " Different minions may use the two.",
        _NOBODY,
        _ANYWHERE,
        "0",
        ("no-effect",),
        _shown(
            "T00*T17*1S,2S,3S,4S&*T11>p2", "The Star turned up draws four, then Justice trades hands.", "1D,2D,T00", ""
        ),
    ),
    _power(
        "Magician",
        "The Magician has the power of any suit, from the hand and on the board. The suit is named.",
        "as the suit",
        "as the suit",
        "1",
        (),
        _shown("T01=W>So>e1", "The Magician is used as Wands.", "1D,2D,T01", "S@o'e Pass"),
    ),
    _power(
        "High Priestess",
        "The seat draws two cards, or fewer if the limit or the deck allows no more, and has another turn. In that"
        " turn she is not used again, except by a card that copies her.",
        _NOBODY,
        _ANYWHERE,
        "2",
        ("hand-limit",),
        _shown("T02*1S,2S", "Two cards are drawn, and p1 goes again.", "1D,2D,T02", ""),
    ),
    _power(
        "Empress",
        "She works like Cups without the population limit: a minion grows, or makes another of its size or smaller,"
        " however many are there.",
        _STANDS,
        _ON_CARD,
        "3",
        (*_AT, "stash"),
        _shown("T03>So@S'n", "A fourth minion enters the space.", "1D,2D,T03", "S@o'u Pass >So@S'u Pass >So@S'u Pass"),
    ),
    _power(
        "Emperor",
        "He attacks a minion as Swords do, but never a card. If it is another seat's minion, that seat must at once"
        " give the attacker's seat two cards of its own choice, or fewer if it holds fewer or the attacker's hand"
        " reaches six.",
        _ANY,
        _ANYWHERE,
        "4",
        ("stash", "hand-limit"),
        _shown(
            "T04>So:p2Se1", "p2's minion is destroyed; p2 now owes two cards.", "1D,2D,T04", "S@o'e S@e1'w", "4S,5S,6S"
        ),
    ),
    _power(
        "Hierophant",
        "He attacks as Swords do, but another seat's minion that would be destroyed joins the user's seat instead,"
        " if that seat's stash has one of the same size.",
        _ANY,
        _ANYWHERE,
        "5",
        ("stash",),
        _shown("T05>So:p2Se1", "p2's minion becomes p1's where it stands.", "1D,2D,T05", "S@o'e S@e1'w"),
    ),
    _power(
        "Lovers",
        "They put a small minion into any wasteland space that holds fewer than three, even for a seat that has no"
        " other in play.",
        _NOBODY,
        "the wasteland",
        "6",
        ("wasteland", "population", "stash"),
        _shown("T06@Sn2'w", "A small minion enters the wasteland.", "1D,2D,T06", ""),
    ),
    _power(
        "Chariot",
        "A minion moves one space in any direction and stands there, then once more if its seat likes. Neither move"
        " enters a space that holds three.",
        _ANY,
        _ANYWHERE,
        "7",
        ("wasteland", "population"),
        _shown("T07>So>n1>n1e1", "Two moves, round a corner.", "1D,2D,T07", "S@o'e Pass"),
    ),
    _power(
        "Strength",
        "One minion grows or makes another, as with Cups, once or twice.",
        _STANDS,
        _ON_CARD,
        "8",
        (*_AT, "population", "stash"),
        _shown("T08>So=M&@M'n", "It grows, then makes one of its new size.", "1D,2D,T08", "S@o'u Pass"),
    ),
    _power(
        "Hermit",
        "He works like Wands without the population limit: a minion moves into the space it points at and stands up,"
        " however many are there.",
        _LIES,
        _ANYWHERE,
        "9",
        ("orientation", "wasteland"),
        _shown(
            "T09>So>e1",
            "A fourth minion enters the space.",
            "1D,2D,T09",
            "S@o'e S@e1'u Pass >Se1@S'u Pass >Se1@S'u",
        ),
    ),
    _power(
        "Wheel of Fortune",
        "It lays the deck's top card face down, unseen, where Discs could. A minion on that card may turn it up,"
        " and must then use its power if that is possible; if not, the turn is spent.",
        _ANY,
        _ON_CARD,
        "10",
        ("on-card",),
        _shown("T10>So@e1*~", "A card nobody has seen lies on e1.", "5W,1D,T10", "S@o'e Pass"),
    ),
    _power(
        "Justice",
        "The seat trades its hand for another seat's, whatever the limit. One of the two may be empty, but not both.",
        _NOBODY,
        _ANYWHERE,
        "11",
        ("no-effect",),
        _shown("T11>p2", "p1 and p2 trade their hands.", "7S,8S,T11", "", "4S,5S,6S"),
    ),
    _power(
        "Hanged Man",
        "The top card of the user's own space is discarded; the minions stay. Used from the board, he thereby"
        " discards himself.",
        _ANY,
        _ON_CARD,
        "12",
        ("on-card", "wasteland"),
        _shown("T12>So:o", "The card in the centre is discarded.", "1D,2D,T12", "S@o'u Pass"),
    ),
    _power(
        "Death",
        "A minion attacks as Swords do, once or twice, in the space it aims at. Each attack strikes a minion, or"
        " the top card if no minion is left, but never the card under the attacker.",
        _ANY,
        _ANYWHERE,
        "13",
        ("wasteland", "stash"),
        _shown("T13>So:p2Se1&:e1", "p2's minion falls, then the card under it.", "1D,2D,T13", "S@o'e S@e1'w"),
    ),
    _power(
        "Temperance",
        "It works like Discs, and builds under other seats' minions too.",
        _ANY,
        _ON_CARD,
        "14",
        ("on-card",),
        _shown("T14>So@e1*7W", "A card comes to lie under p2's minion.", "1D,2D,T14", "S@o'e S@e1'w"),
    ),
    _power(
        "Devil",
        "Any minions of any seats in the user's space and the four beside it are turned at once. Each one named"
        " must change its orientation.",
        _ANY,
        _ANYWHERE,
        "15",
        ("no-effect",),
        _shown("T15>So&So=n&p2Se1=u", "p1 turns his own minion and p2's.", "1D,2D,T15", "S@o'e S@e1'w"),
    ),
    _power(
        "Tower",
        "The top card of the space aimed at is discarded, even from under minions, who stay.",
        _ANY,
        _ANYWHERE,
        "16",
        ("wasteland", "no-effect"),
        _shown("T16>So:e1", "The card under p2's minion is discarded.", "1D,2D,T16", "S@o'e S@e1'w"),
    ),
    _power(
        "Star",
        "The seat draws four cards, whatever the limit, and fewer only if no more are left.",
        _NOBODY,
        _ANYWHERE,
        "17",
        ("no-effect",),
        _shown("T17*1S,2S,3S,4S", "Four cards are drawn.", "1D,2D,T17", ""),
    ),
    _power(
        "Moon",
        "The user's whole space, cards and minions, moves to any space that has no card and no minion but touches a"
        " card after the move.",
        _ANY,
        _ON_CARD,
        "18",
        ("on-card", "wasteland"),
        _shown("T18>Se1>n2", "The card on e1 goes to n2 with all the minions on it.", "1D,2D,T18", "S@e1'u S@e1'w"),
    ),
    _power(
        "Sun",
        "It works like Discs, but lays a card from the hand instead of one from the deck.",
        _ANY,
        _ON_CARD,
        "19",
        ("on-card", "in-hand"),
        _shown("T19>So@e1=1D", "The Ace of Discs is laid on e1.", "1D,2D,T19", "S@o'e Pass"),
    ),
    _power(
        "Judgement",
        "The seat takes one to three cards of its choice from the discards. Its hand may not end above six.",
        _NOBODY,
        _ANYWHERE,
        "20",
        ("hand-limit",),
        _shown("T20:4S,5S", "Two of the discarded cards come back.", "1D,2D,T20", "Pass DiscardHand", "4S,5S,6S"),
    ),
    _power(
        "World",
        "It is used as if it were another trump that lies face up on top of a space. That trump is named.",
        "as the trump",
        "as the trump",
        "21",
        (),
        _shown(
            "T21=T05>So:e1",
            "The World is used as the Hierophant, who lies on n1.",
            "1D,2D,T21",
            "S@o'e Pass",
            board="p0/b*1C,T05,3C,4C,5C,6C,7C,8C,9C",
        ),
    ),
)

_EXTRAS = (
    _extra(
        "Doppelganger",
        "It is used as the card on top of the discards, which is named.",
        "as the discard",
        _shown(
            "E1=5W>Se1>n1e1", "The last discard, Wands, is copied.", "5W,1D,E1", "S@o'e Pass 5W>So>e1 Pass Se1=n Pass"
        ),
        where="as the discard",
    ),
    _extra(
        "Gateway",
        "A minion goes to any other card or wasteland space and stands there.",
        _ANY,
        _shown("E2>So>s2w1", "The minion goes far, into the wasteland.", "1D,2D,E2", "S@o'e Pass"),
        ("wasteland", "population"),
    ),
    _extra(
        "Assassin",
        "A minion attacks as Swords do in its own space or one beside it, wherever it points.",
        _ANY,
        _shown("E3>So:p2Se1", "p2's minion is struck in the back.", "1D,2D,E3", "S@o'w S@e1'w"),
        ("stash",),
    ),
    _extra(
        "Evil Eye",
        "The top card of the space aimed at counts 0 as long as it lies there.",
        _ANY,
        _shown("E4>So:e1", "The card on e1 no longer counts.", "1D,2D,E4", "S@o'e Pass"),
        ("no-effect",),
    ),
    _extra(
        "Harvest",
        "The top card of the space aimed at goes to the hand, unless a minion is there.",
        _ANY,
        _shown("E5>So:e1", "The card on e1 goes to p1's hand.", "1D,2D,E5", "S@o'e Pass"),
        ("hand-limit", "no-effect"),
    ),
    _extra(
        "Miser",
        "The seat discards one or more cards of its hand.",
        _NOBODY,
        _shown("E6-1D,2D", "p1 discards two cards.", "1D,2D,E6", ""),
        ("in-hand", "no-effect"),
    ),
    _extra(
        "Plague",
        "All minions in the space aimed at are destroyed, even the user's own and the user itself, and then the top"
        " card there is discarded.",
        _ANY,
        _shown("E7>So:e1", "p2's minion falls, and the card under it.", "1D,2D,E7", "S@o'e S@e1'w"),
        ("no-effect",),
    ),
    _extra(
        "Holy Grail",
        "It works like Cups for any minion anywhere, standing or lying.",
        _ANY,
        _shown("E8>So=M", "A minion that lies grows.", "1D,2D,E8", "S@o'e Pass"),
        ("population", "stash"),
    ),
)

TEACHING = Teaching((*_FOUR_SUITS, *_TRUMPS, *_EXTRAS), NAMES)
