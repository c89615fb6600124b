"""What Zarcana's page teaches a beginner."""

from cartulary.notation.primer import FirstGame, Primer

PRIMER = Primer(
    course=(
        "Two to five players send pyramids, their *minions*, over a board made of tarot cards. Each has fifteen: five"
        " small `S`, five medium `M`, five large `L`; those not on the board are his *stash*. A minion stands up"
        " (`u`), or lies and points `n`, `e`, `s` or `w`. The space it points at is its *target*; when it stands, its"
        " target is its own space.",
        "Nine cards lie face up, three by three. Each player gets three cards, and the rest form the deck; p1 begins."
        " The card in the middle is `o`; every other space is named by the steps from it: `n1` is north of it, `s1e1`"
        " one"
        " south and one east. An empty space that touches a card by an edge is *wasteland*; minions may be there, but"
        " nowhere else off the cards.",
        "The suits are swords `S`, wands `W`, cups `C`, discs `D`; the ranks `1` to `9`, `X`, `J`, `N`, `Q`, `K`; the"
        " trumps `T00` to `T21`. Every card has a power. A minion uses the power of a card from your hand, or of the"
        " card it is on. The suits let it grow (cups), move (wands), attack (swords) or build (discs); each trump"
        " does"
        " something of its own.",
        "In a turn you do exactly one thing: place a small minion on a card, if you have no minion at all in play; use"
        " the power of a card from your hand; use the power of a card on the board; turn any of your minions; draw one"
        " to three cards; discard your whole hand; or pass. A hand holds at most six cards and a space at most three"
        " minions, unless a power ignores the limit.",
        "When the discards have been shuffled into a new deck, a player may use a turn to say `Final`: everybody then"
        " has one more turn. You score the top card of each space where you alone have minions: 1 to 10 for the"
        " numbers, 11 for royalty, a trump its number, nothing for wasteland. The most points win.",
    ),
    first_game=FirstGame(
        (
            ("p0/b*7W,2D,XS,8S,T04,T08,T19,9S,3W", "The table, `p0`, lays the nine cards of the board, row by row."),
            ("S@o'u", "p1 places a small minion on the middle card, standing up."),
            ("S@n1'e", "p2 places one on the card north of it, pointing east."),
            ("*~,~,~", "p1 draws three cards that nobody else sees."),
            ("*~,~,~", "So does p2."),
            ("So=n", "p1 lays his minion down to point north, at p2's."),
            ("Sn1=u", "p2 stands his own up."),
            (
                "QS>So:p2Sn1",
                "p1 plays the Queen of Swords: his minion attacks p2's, of the same size, and destroys it.",
            ),
            ("S@o'w", "p2 has no minion left and may place a new one, here on the middle card, pointing west."),
            ("*~", "p1 draws one card."),
            ("1D>So@w1*6C", "p2 plays the One of Discs: the deck's top card, the Six of Cups, is laid on `w1`."),
        ),
        "The board after these words, the minions as pyramids on their cards.",
        {"Seat1": "?", "Seat2": "?"},
    ),
    words=(
        ("S@n1e1'u", "a small minion is placed on `n1e1`, standing"),
        ("3C>Mo=L", "cups: the medium minion on `o` grows large"),
        ("3C>Mo@S'n", "cups: it makes a small one in its space, pointing north"),
        ("5W>Mo>e1", "wands: it moves to `e1`"),
        ("7S>Mo:p2Se1", "swords: it attacks p2's small minion on `e1`; `7S>Mo:e1` the card there"),
        ("2D>Mo@e1*5C", "discs: the deck's top card is laid on `e1`"),
        (">Mo>e1", "the power of the card the minion is on: no card before the `>`"),
        ("QS=W>Mo>e1", "a royal card used as another suit"),
        ("Mo=e&Sn1=u", "minions are turned"),
        ("*7C,8C", "cards are drawn, `~` for one nobody wrote down"),
        ("DiscardHand", "the whole hand is discarded"),
        ("Pass", "nothing is done"),
        ("Final", "the last round begins"),
    ),
    sample="table",
    sources=(
        "The Zarcana page: overview, limits, the titles of the powers. The game is by John Cooper.",
        "A. Plotkin's summary of Zarcana: the options of a turn, the four suits.",
        "House rulings: what the trumps and extra powers do, from their titles and the remarks on the page.",
    ),
)
