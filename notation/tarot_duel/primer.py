"""What Tarot duel's page teaches a beginner."""

from cartulary.notation.primer import FirstGame, Primer

PRIMER = Primer(
    course=(
        "Two players or more fight with decks of their own. The suits are pentacles `D`, swords `S`, cups `C`, wands"
        " `W`; the ranks `1` to `9`, `X`, page `J`, knight `N`, queen `Q`, king `K`. Twenty-two cards are Majors, from"
        " the Fool `T01` to the World `T22`.",
        "A deck holds a multiple of eight cards, at least sixteen. At most a quarter of them are Majors; no Major is in"
        " it twice, and no other card more than five times. Before the first turn each player draws an eighth of his"
        " deck.",
        "A turn begins with one draw. Then you may lay down any number of suit cards, face up, in your *area*; use one"
        " Major for its effect, which puts it on your discard pile; and challenge one other player once. End the turn"
        " with at most five cards in hand. If you cannot make the draw that begins your turn, you are out.",
        "A *challenge* names a card in the other player's area. Each side shuffles its deck and sets down cards from"
        " the top, a quarter of the number it began with, the last one face up. The higher of the two face-up cards"
        " wins: an ace counts 1; a number card its number; page, knight, queen and king 10; a Major nothing. If the"
        " challenger wins, the named card moves to his area. The loser's cards go to his discard pile, the winner's"
        " back on top of his deck.",
        "You win with two complete suits in your area, ace to king; or with the number of points agreed on"
        " beforehand, if there is one; or, when as many turns have been played as there were cards in"
        " all decks, with the area that is worth most.",
    ),
    first_game=FirstGame(
        (
            ("*~", "p1 draws a card to begin his turn. Nobody else sees it."),
            ("T13", "He uses the Hanged Man: a card of p2's hand will be discarded at random."),
            ("p0/p2=4C", "Chance, `p0`, picks the Four of Cups."),
            ("p2/Pass", "p2 may do the same to p1, but does not."),
            ("End", "p1 ends his turn."),
            ("*~", "p2 draws."),
            ("XC@a", "He lays the Ten of Cups down in his area."),
            ("T01", "He uses the Fool: a coin decides who chooses."),
            ("p0/=T", "Tails: p1 chooses."),
            ("p1/*~", "p1 draws a card."),
            ("End", "p2 ends his turn."),
            ("*~", "p1 draws."),
            ("XD@a", "He lays the Ten of Pentacles down."),
            (":p2a=XC^KD^3C", "He challenges p2 for the Ten of Cups: his King, 10, beats the Three."),
            ("p2/1C,3C,7C,T15-", "p2 lost: his stakes go to his discard pile."),
            ("~,KD,~,~>d", "p1 puts his own stakes back on his deck; only the King was seen."),
            ("End", "p1 ends his turn. Both Tens are in his area."),
        ),
        "The table after three turns: hands, decks and areas.",
        {
            "Deck1": "1D 2D 3D 4D 5D 6D 7D 8D 9D XD JD ND QD KD T03 T13",
            "Deck2": "1C 2C 3C 4C 5C 6C 7C 8C 9C XC JC NC QC KC T01 T15",
            "PointTotal": "25",
            "Seat1": "?",
            "Seat2": "?",
        },
    ),
    words=(
        ("*7C", "a card is drawn; `~` if nobody wrote it down"),
        ("7C,8C@a", "cards are laid down in one's area"),
        ("7C,8C-", "cards over the limit of five are discarded"),
        ("End", "the turn ends"),
        (":p2a=7C^9S^4D", "challenges p2 for the Seven of Cups; then the two face-up cards, the challenger's first"),
        ("p2/4D,…-", "the loser's stakes go to his discard pile"),
        ("3D,9S>d", "the winner's go on top of his deck, the first on top"),
        ("T13", "a Major is used; `T13>p2` names the other player if there are several"),
        ("p2/T15", "Temperance answers: the Major before it has no effect"),
        ("p0/=H", "the coin: `H` heads, `T` tails; `p0/=4` the die"),
        ("T04=KD@a", "the Empress is laid down as the King of Pentacles"),
    ),
    sample="table",
    sources=(
        "The Tarot duel page: deck rules, play rules, objects, the Major Arcana.",
        "House rulings, where the page leaves something open.",
    ),
)
