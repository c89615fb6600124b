"""What the cards of the duel do, for who asks at the table."""

from cartulary.engine.tarot_duel.cards import NAMES, RANKS, SUITS
from cartulary.notation.teaching import Entry, Example, TableRow, Teaching

_DECK1 = "1D 2D 3D 4D 5D 6D 7D 8D 9D XD JD ND"
_DECK2 = "1C 2C 3C 4C 5C 6C 7C 8C 9C XC JC NC T09 T12 T15 T21"
_IN_PILE = "p0/p1*T03,7D p0/p2*4C,5C *8D T03 7D,8D-*{},9D End *6C End *XD"
_USED = ("effect", "one-play", "in-hand")


def _shown(word: str, shows: str, major: str, after: str = "") -> Example:
    """Return an example of two seats, p1 with a Major and the Seven of Pentacles in his hand.

    after: all that went before, else p1 has drawn the Eight
    """
    majors = " ".join(list(dict.fromkeys((major, "T02", "T03", "T15", "T01")))[:4])
    tags = {"Seat1": "?", "Seat2": "?", "Deck1": f"{_DECK1} {majors}", "Deck2": _DECK2}
    return Example(word, shows, after or f"p0/p1*{major},7D p0/p2*4C,5C *8D", tags)


def _major(
    number: int, name: str, says: str, example: Example, more: tuple[str, ...] = (), table: tuple[TableRow, ...] = ()
) -> Entry:
    return Entry(name, says, (*_USED, *more), example, (f"T{number:02}",), (), table)


def _activated(number: int, shows: str, word: str = "", after: str = "") -> Example:
    major = f"T{number:02}"
    return _shown(word or major, shows, major, after)


TEACHING = Teaching(
    (
        _major(
            1,
            "Fool",
            "A coin is tossed: on heads the user chooses, on tails the opponent. Who chooses draws a card himself or"
            " has the other discard one at random.",
            _activated(1, "The Fool lies on the table; the coin comes next."),
        ),
        _major(
            2,
            "Magician",
            "The hand goes into the deck, which is shuffled. Then as many cards are drawn.",
            _activated(2, "The hand goes into the deck."),
        ),
        _major(
            3,
            "High Priestess",
            "The hand goes on the discard pile, and as many cards are drawn.",
            _activated(3, "The hand will be discarded."),
        ),
        _major(
            4,
            "Empress",
            "She stands for any card of her owner's deck and may be given another name in his own turn. Standing for a"
            " suit card she is laid in the area; as a Major she is activated as that Major.",
            _activated(4, "The Empress is laid as the Page of Pentacles.", "T04=JD@a"),
            ("lay-down",),
        ),
        _major(
            5,
            "Emperor",
            "He stands for any card of his owner's deck and never changes. Standing for a suit card he is laid in the"
            " area; as a Major he is activated as that Major.",
            _activated(5, "The Emperor is laid as the Page of Pentacles.", "T05=JD@a"),
            ("lay-down",),
        ),
        _major(
            6,
            "Hierophant",
            "Any one card of the own discard pile goes on top of the deck.",
            _activated(6, "The Seven returns to the top.", "T06=7D", _IN_PILE.format("T06")),
            ("in-discards",),
        ),
        _major(
            7,
            "Lovers",
            "A card of the own hand or area is swapped for one of an opponent's area, or one of his hand at random."
            " Each takes the other's place.",
            _activated(7, "The Seven is offered for a card of p2's hand.", "T07=7D>p2h"),
            ("in-area",),
        ),
        _major(
            8,
            "Chariot",
            "Any one card of the deck is shown and goes to the hand. The deck is shuffled.",
            _activated(8, "The Ace is taken from the deck.", "T08=1D"),
            ("in-deck",),
        ),
        _major(
            9,
            "Strength",
            "Its user wins the next challenge he takes part in, whatever the stakes. If both are strong, both are used"
            " up and the values decide.",
            _activated(9, "p1 will win his next challenge."),
            ("challenge-winner",),
        ),
        _major(
            10,
            "Hermit",
            "A card of one's own is exchanged for another of one's own, from two different places: hand, area, deck or"
            " discard pile. With the deck a shuffle follows.",
            _activated(10, "The Seven goes to the deck and the Ace to the hand.", "T10=7D>d=1D"),
            ("in-deck", "in-area", "in-discards"),
        ),
        _major(
            11,
            "Wheel of Fortune",
            "A die is rolled, and one of six things happens.",
            _activated(11, "The Wheel lies on the table; the die comes next."),
            (),
            (
                ("die", "what happens"),
                ("1", "the user draws"),
                ("2", "the opponent draws"),
                ("3", "the user discards"),
                ("4", "the opponent discards"),
                ("5", "the top of the user's deck is discarded"),
                ("6", "the top of the opponent's deck is discarded"),
            ),
        ),
        _major(
            12,
            "Justice",
            "It lies ready once activated. Right after another seat's action it uses any Major of the own discard pile"
            " but Justice and Temperance.",
            _activated(12, "Justice lies ready."),
            ("reaction",),
        ),
        _major(
            13,
            "Hanged Man",
            "A random card of an opponent's hand is discarded. He may then do the same to the user.",
            _activated(13, "A card of p2's hand will go."),
        ),
        _major(
            14,
            "Death",
            "Every hand is discarded, from the user's round.",
            _activated(14, "Every hand will be discarded, p1's first."),
        ),
        _major(
            15,
            "Temperance",
            "It answers any Major of another seat, in or out of turn: the effect is nullified and that card goes to its"
            " owner's discard pile. It is not the turn's play.",
            _shown("p2/T15", "p2 nullifies the Fool.", "T01", "p0/p1*T01,7D p0/p2*T15,5C *8D T01"),
            ("reaction",),
        ),
        _major(
            16,
            "Devil",
            "Random cards of an opponent's hand are discarded, as many as the user says. For each the user discards two"
            " from the top of his deck.",
            _activated(16, "One card of p2's hand, for two of p1's deck.", "T16=1"),
        ),
        _major(
            17,
            "Tower",
            "Any number of suit cards of the own discard pile go back into the deck, one at least. It is shuffled.",
            _activated(17, "The Seven goes back into the deck.", "T17=7D", _IN_PILE.format("T17")),
            ("in-discards",),
        ),
        _major(
            18,
            "Star",
            "The user looks at half of an opponent's hand, at random; of an odd number the larger half.",
            _activated(18, "p1 will see one of p2's two cards."),
        ),
        _major(
            19,
            "Moon",
            "Any cards of the own area are turned face down, and what lies so is rearranged. They still count; who"
            " challenges for one does so blindly.",
            _activated(19, "The Seven is turned face down.", "T19=7D", "p0/p1*T19,7D p0/p2*4C,5C *8D 7D,8D@a"),
            ("in-area",),
        ),
        _major(
            20,
            "Sun",
            "The user looks at all face-down cards of an opponent's area.",
            _activated(20, "p1 looks at what lies face down with p2."),
        ),
        _major(
            21,
            "Judgment",
            "The last action another seat used against one is repeated with the roles exchanged: a challenge, or one of"
            " eight Majors.",
            _shown(
                "T21=T13",
                "p2 repeats the Hanged Man.",
                "T13",
                "p0/p1*T13,7D p0/p2*T21,5C *8D T13 p0/p2=5C p2/Pass End *6C",
            ),
            (),
            (("what is repeated",), ("Fool, Lovers, Wheel, Hanged Man, Death, Devil",), ("Star, Sun, a challenge",)),
        ),
        _major(
            22,
            "World",
            "All cards go back to their decks and hands are drawn anew; the World itself is out of play. The turn goes"
            " on.",
            _activated(22, "The World begins everything anew."),
            ("opening-hand",),
        ),
        Entry(
            "Suit cards",
            "They are laid face up in the own area, any number in the own turn, and count there. Two whole suits, ace"
            " to king, win, and so does reaching the PointTotal.",
            ("lay-down", "suit-win", "point-win", "hand-limit"),
            _shown("7D@a", "The Seven is laid and counts seven.", "T02"),
            tuple(rank + suit for suit in SUITS for rank in RANKS),
            ("minor", "minors", "area", "ace", "page", "knight", "queen", "king"),
            (("card", "points"), ("ace", "1"), ("2 to 10", "its pips"), ("page, knight, queen, king", "10")),
        ),
        Entry(
            "Challenge",
            "Once in its turn a seat challenges another for a card of its area: each side stakes a quarter of its deck,"
            " one card face up, and the higher wins. The loser's stakes are discarded; equal values move nothing.",
            ("challenge", "challenge-stakes", "challenge-winner"),
            _shown(
                ":p2a=4C^XD^1C",
                "p1's Ten beats the Ace, and the Four is his.",
                "T02",
                "p0/p1*T02,7D p0/p2*4C,5C *8D End *6C 4C@a End *9D",
            ),
            also=("stakes", "duel"),
            table=(("face-up card", "value"), ("suit card", "its points"), ("Major, or none", "0")),
        ),
    ),
    NAMES,
)
