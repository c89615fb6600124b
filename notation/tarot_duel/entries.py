"""What the cards of the duel do, for who asks at the table."""

from cartulary.engine.tarot_duel.cards import NAMES, RANKS, SUITS
from cartulary.notation.teaching import Entry, Example, TableRow, Teaching

_DECK1 = "1D 2D 3D 4D 5D 6D 7D 8D 9D XD JD ND"
_DECK2 = "1C 2C 3C 4C 5C 6C 7C 8C 9C XC JC NC T09 T12 T15"
_IN_PILE = "p0/p1*T03,7D p0/p2*4C,5C *8D T03 7D,8D-*{},9D End *6C End *XD"
_USED = ("effect", "one-play", "in-hand")
_PAGE = "The Major Arcana of the Tarot duel page"
_OF_RANKS = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_OF_COURTS = ("page", "jack", "knight", "queen", "king", "court card")
_OF_SUITS = ("pentacles", "swords", "cups", "wands")


def _example(word: str, reply: str, shows: str, major: str, after: str = "", second: str = "T21") -> Example:
    """Return an example of two seats, p1 with a Major and the Seven of Pentacles in his hand.

    after: all that went before, else p1 has drawn the Eight; second: a Major of p2's deck
    """
    majors = " ".join(list(dict.fromkeys((major, "T02", "T03", "T13", "T01")))[:4])
    tags = {"Seat1": "?", "Seat2": "?", "Deck1": f"{_DECK1} {majors}", "Deck2": f"{_DECK2} {second}"}
    return Example(word, shows, after or f"p0/p1*{major},7D p0/p2*4C,5C *8D", tags, reply)


def _major(
    number: int,
    name: str,
    says: str,
    example: Example,
    more: tuple[str, ...] = (),
    table: tuple[TableRow, ...] = (),
    also: tuple[str, ...] = (),
    source: str = "",
) -> Entry:
    return Entry(name, says, (*_USED, *more), example, (f"T{number:02}",), also, table, source)


def _major_example(number: int, shows: str, word: str = "", reply: str = "End", after: str = "") -> Example:
    """Return an example in which p1 activates a Major. then: its effect's words, or what closes its window"""
    major = f"T{number:02}"
    return _example(word or major, reply, shows, major, after)


_MAJORS = (
    _major(
        1,
        "Fool",
        "A coin is tossed: on heads the user chooses, on tails the opponent. Whoever chooses draws a card, or has the"
        " other discard one at random.",
        _major_example(1, "On heads p1 chooses that p2 discards; chance picks the Four.", "", "p0/=H :p2h p0/p2=4C"),
    ),
    _major(
        2,
        "Magician",
        "The user shuffles his hand into his deck and draws as many cards.",
        _major_example(
            2, "The Seven and the Eight go into the deck, and two cards are drawn.", "", "p0/p1*1D,9D *1D,9D"
        ),
        source=_PAGE,
    ),
    _major(
        3,
        "High Priestess",
        "The user's hand goes on his discard pile, and he draws as many cards.",
        _major_example(3, "The Seven and the Eight are discarded, and two cards are drawn.", "", "7D,8D-*9D,XD"),
        source=_PAGE,
    ),
    _major(
        4,
        "Empress",
        "She stands for any card of her owner's deck but herself and the Emperor: if for a suit card, she is laid in"
        " the area; if for a Major, she is activated as that Major. While she lies in the area, her owner may give her"
        " another name in his own turn.",
        _major_example(4, "The Empress is laid as the Page of Pentacles, and counts 10.", "T04=JD@a", ""),
        ("lay-down", "in-area"),
    ),
    _major(
        5,
        "Emperor",
        "He stands for any card of his owner's deck but himself and the Empress: if for a suit card, he is laid in the"
        " area; if for a Major, he is activated as that Major. His name never changes.",
        _major_example(5, "The Emperor is laid as the Page of Pentacles, and counts 10.", "T05=JD@a", ""),
        ("lay-down",),
    ),
    _major(
        6,
        "Hierophant",
        "The user puts any one card of his discard pile on top of his deck.",
        _major_example(
            6, "p1 draws the Seven again in his next turn.", "T06=7D", "End *7C End *7D", _IN_PILE.format("T06")
        ),
        ("in-discards",),
        source=_PAGE,
    ),
    _major(
        7,
        "Lovers",
        "The user swaps a card of his hand or area for one of an opponent's area, or for a random card of that"
        " opponent's hand; each card takes the other's place. A Major that would come into an area goes to the hand"
        " instead.",
        _major_example(7, "p1 gives the Seven for the Four, which chance picks.", "T07=7D>p2h", "p0/p2=4C"),
        ("in-area",),
    ),
    _major(
        8,
        "Chariot",
        "The user takes any one card of his deck into his hand and shows it. The deck is shuffled.",
        _major_example(8, "The Ace comes into p1's hand.", "T08=1D"),
        ("in-deck",),
    ),
    _major(
        9,
        "Strength",
        "The user wins the next challenge he takes part in, whatever the stakes. If both sides are strong, both"
        " Strengths are used up and the values decide.",
        _major_example(
            9,
            "With an Ace p1 beats the Ten in his next challenge, and the Four is his.",
            "",
            "End *6C 4C@a End *9D :p2a=4C^1D^XC",
        ),
        ("challenge-winner",),
    ),
    _major(
        10,
        "Hermit",
        "The user exchanges one of his cards for another of his own in a different place: hand, area, deck or discard"
        " pile. The deck, if used, is shuffled; a Major that would come into the area goes to the hand.",
        _major_example(10, "The Seven goes into the deck and the Ace into the hand.", "T10=7D>d=1D"),
        ("in-deck", "in-area", "in-discards"),
    ),
    _major(
        11,
        "Wheel of Fortune",
        "A die is rolled, and one of six things happens.",
        _major_example(11, "The die shows one, and p1 draws the Nine.", "", "p0/=1 *9D"),
        table=(
            ("die", "what happens"),
            ("1", "the user draws a card"),
            ("2", "the opponent draws a card"),
            ("3", "the user discards a card he chooses"),
            ("4", "the opponent discards a card he chooses"),
            ("5", "the top card of the user's deck is discarded"),
            ("6", "the top card of the opponent's deck is discarded"),
        ),
        also=("wheel",),
    ),
    _major(
        12,
        "Justice",
        "Once activated it lies ready. Right after another seat's action its owner may use, once, any Major in his"
        " own discard pile except Justice and Temperance; both cards then go to the pile.",
        _major_example(
            12,
            "Right after p2's Strength p1 uses his discarded Hanged Man, and p2 loses the Five.",
            "",
            "End *T09 T09 p1/T12=T13 p0/p2=5C p2/Pass",
            "p0/p1*T12,T13 p0/p2*4C,5C *8D T13 p0/p2=4C p2/Pass End *6C End *7D",
        ),
        ("reaction", "in-discards"),
    ),
    _major(
        13,
        "Hanged Man",
        "A random card of an opponent's hand is discarded. He may then do the same to the user.",
        _major_example(13, "Chance picks p2's Five, and p2 does not strike back.", "", "p0/p2=5C p2/Pass"),
        source=_PAGE,
    ),
    _major(
        14,
        "Death",
        "Every seat discards its whole hand, the user first.",
        _major_example(14, "Both hands are discarded.", "", "7D,8D- p2/4C,5C-"),
    ),
    _major(
        15,
        "Temperance",
        "It answers any Major of another seat, in or out of turn: that Major has no effect and goes to its owner's"
        " discard pile. It does not use up the turn's play, and another seat's Temperance may answer it.",
        _example(
            "p2/T15",
            "End",
            "The Fool has no effect, and both Majors are discarded.",
            "T01",
            "p0/p1*T01,7D p0/p2*T15,5C *8D T01",
        ),
        ("reaction",),
    ),
    _major(
        16,
        "Devil",
        "The user says how many random cards of an opponent's hand are discarded, and discards twice as many from the"
        " top of his deck. The number is at least one, and no more than the hand and the deck allow.",
        _major_example(16, "p2 loses the Four, and p1 two cards of his deck.", "T16=1", "p0/p2=4C *9D,XD-"),
    ),
    _major(
        17,
        "Tower",
        "The user puts one or more suit cards of his discard pile back into his deck and shuffles it.",
        _major_example(17, "The Seven goes back into the deck.", "T17=7D", "End", _IN_PILE.format("T17")),
        ("in-discards",),
    ),
    _major(
        18,
        "Star",
        "The user looks at half of an opponent's hand, rounded up; chance picks the cards.",
        _major_example(18, "p1 sees the Four, one of p2's two cards.", "", "p0/p2=4C"),
    ),
    _major(
        19,
        "Moon",
        "The user turns any cards of his area face down and rearranges all his face-down cards. They still count, and"
        " a"
        " challenge for one of them is blind.",
        _major_example(
            19, "The Seven lies face down and still counts.", "T19=7D", "End", "p0/p1*T19,7D p0/p2*4C,5C *8D 7D,8D@a"
        ),
        ("in-area",),
    ),
    _major(
        20,
        "Sun",
        "The user looks at all face-down cards of an opponent's area.",
        _example(
            "T20",
            "End",
            "p1 sees the Six, which p2 has turned face down.",
            "T20",
            "p0/p1*T20,7D p0/p2*T19,5C *8D End *6C 6C@a T19=6C End *9D",
            "T19",
        ),
        source=_PAGE,
    ),
    _major(
        21,
        "Judgment",
        "The user repeats the last action another seat used against him, with the roles exchanged. An action that"
        " was nullified does not count, and a repeated challenge does not use up the turn's own.",
        _example(
            "T21=T13",
            "p0/p1=7D p1/Pass",
            "p2 repeats the Hanged Man, and p1 loses the Seven.",
            "T13",
            "p0/p1*T13,7D p0/p2*T21,5C *8D T13 p0/p2=5C p2/Pass End *6C",
        ),
        ("in-area",),
        (
            ("what can be repeated",),
            ("Fool, Lovers, Wheel of Fortune, Hanged Man",),
            ("Death, Devil, Star, Sun",),
            ("a challenge",),
        ),
        ("judgement",),
    ),
    _major(
        22,
        "World",
        "All cards, those on the table too, go back to their decks and new hands are drawn; only the World goes out of"
        " play. The turn goes on, and a seat that is out stays out.",
        _major_example(22, "Both seats draw new hands.", "", "p0/p1*1D,2D p0/p2*1C,2C"),
        ("opening-hand",),
    ),
)

TEACHING = Teaching(
    (
        *_MAJORS,
        Entry(
            "Majors",
            "In its turn, after its draw, a seat may activate one Major from its hand; it lies on the table while"
            " another seat may answer with Temperance, then takes effect and is discarded"
            " (Justice after it has been used, the World never). Face up in a challenge a Major counts 0, and only"
            " Empress and Emperor can be laid in an"
            " area.",
            ("one-play", "reaction", "lay-down", "in-hand"),
            _major_example(8, "Nobody answers the Chariot, which takes the Ace and is discarded.", "T08=1D"),
            also=("major arcana", "trumps"),
        ),
        Entry(
            "Suit cards",
            "They are laid face up in the area of their seat, any number in its own turn, and count there. The"
            " PointTotal or two complete suits, ace to king, win at once; when the turns are used up, the area worth"
            " most wins.",
            ("lay-down", "in-hand", "suit-win", "point-win", "turn-limit", "hand-limit"),
            _example("7D@a", "", "The Seven is laid and counts seven.", "T02"),
            tuple(rank + suit for suit in SUITS for rank in RANKS),
            ("minors", "minor arcana", "area", *_OF_RANKS, *_OF_COURTS, *_OF_SUITS, *(f"10{suit}" for suit in SUITS)),
            (("card", "points"), ("ace", "1"), ("2 to 10", "its pips"), ("page, knight, queen, king", "10")),
        ),
        Entry(
            "Challenge",
            "Once in its turn a seat may challenge another for a card in its area: each side stakes a quarter of its"
            " original deck size, one card face up, and the higher card wins. If the challenger wins, he takes the card"
            " he named; the loser's stakes are discarded and the winner's go on top of his deck; if both cards"
            " are equal, nothing moves.",
            ("challenge", "challenge-stakes", "challenge-winner"),
            _example(
                ":p2a=4C^XD^1C",
                "",
                "p1's Ten beats the Ace, and the Four is his.",
                "T02",
                "p0/p1*T02,7D p0/p2*4C,5C *8D End *6C 4C@a End *9D",
            ),
            also=("stakes", "duel"),
            table=(("face-up card", "value"), ("suit card", "its points"), ("Major, or an empty deck", "0")),
        ),
    ),
    NAMES,
)
