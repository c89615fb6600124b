"""What the page of Arcanoid teaches a beginner."""

from cartulary.notation.primer import FirstGame, Primer

PRIMER = Primer(
    course=(
        "Two to ten players fight over four battlefields at once: swords, staves, cups and coins. The 78 tarot cards"
        " have four suits, `S` swords, `W` staves, `C` cups, `D` coins, each with `1` (the ace, lowest) to `9`, `X`"
        " for ten, knave `J`, knight `N`, queen `Q` and king `K`; twenty-one trumps `T01` to `T21`; and the Fool,"
        " `T00`.",
        "A game is five rounds, each with a new deal: six cards to each player, and the rest form the deck. In your "
        "turn make one"
        " move, then fill your hand to six. A move is one of three: commit cards on a field, discard one card face"
        " down, or play a trump for its effect. You may not pass.",
        "*Committing* lays cards on a field, where they stay for the rest of the round. Each player commits once on"
        " each field. Lay any"
        " number of numeric cards of the field's suit, worth their sum; or the knave, with the ace or without, worth"
        " 14½; or the knight likewise, worth 17½. All of these are beaten by an illegitimate couple: the Lovers with a"
        " court card of the suit, or with the Empress or the Emperor. Queen and king of the suit beat that; Empress and"
        " Emperor together beat them; and the World, on a field where nobody has yet committed or abdicated, beats"
        " everything. You may also *abdicate*: commit nothing, and lose the field to anybody who commits something.",
        "When you have committed or abdicated on all four fields you leave the round and your hand is discarded. The"
        " round ends when all have left it. Each field goes to the strongest commitment; equal sums are decided by the"
        " highest single card, then the next. After the last round the player with the most fields wins; a tie is"
        " broken by the most swords fields, then by staves, cups and coins.",
        "When the deck runs out, the players say in turn whether to shuffle the discards into a new one. The first"
        " `No` leaves the deck empty for the rest of the round. With the option `gaza` there is one more seat, the USA,"
        " for which nobody plays: it discards and abdicates by rote.",
    ),
    first_game=FirstGame(
        (
            (
                "4D,6D@d*~,~",
                "p1 commits the Four and the Six of Coins on coins, ten together, and with `*~,~` draws"
                " two cards unseen.",
            ),
            ("JS@s*~", "p2 commits the knave of swords on swords: 14½. He draws one card."),
            ("~-*~", "p3 discards one card face down and draws one. Only he has seen either."),
            ("T02>p3*~", "p1 plays the High Priestess and looks at p3's hand. He draws, and plays again."),
            (
                "T01,5W,3C@w*~,~,~",
                "He commits on staves: the Magician lets the Three of Cups count as staves. Together eight.",
            ),
            ("@c", "p2 abdicates on cups. He lays no card, so he draws none."),
            ("QD,KD@d*~,~", "p3 commits the queen and the king of coins. No sum on that field beats them."),
            ("T17>7S:p3", "p1 plays the Star and calls the Seven of Swords. p3 has it and hands it over."),
            ("p0/p3*~", "p3 draws a card to replace the Seven; `p0`, the table, says so."),
        ),
        "The four fields after these moves, and whose they are so far.",
        {"Seat1": "?", "Seat2": "?", "Seat3": "?"},
    ),
    words=(
        ("7S-*3C", "the Seven of Swords is discarded, the Three of Cups drawn; `~` for a card nobody wrote down"),
        ("4S,6S,7S@s", "three cards are committed on swords"),
        ("@s", "abdicates on swords"),
        ("T03,T04@sw", "a couple on two fields"),
        ("p3/T00:s", "out of turn p3 plays the Fool and takes over what was committed on swords last"),
        ("T17>7C:p3", "the Star calls the Seven of Cups, and p3 hands it over; `T17>7C` in vain"),
        ("T05=S^p1=4S^p2=7S,8S", "the Hierophant names swords, and every player shows his"),
        ("T12>p3", "the Hanged Man: p3's hand is discarded and a new one drawn"),
        ("T16:p2s", "the Tower undoes p2's commitment on swords"),
        ("T20@p2s", "Judgment: p2 abdicates on swords there and then"),
        ("p0/p3*7C", "a draw by another player, or by the mover if somebody else draws before him"),
        ("p0/p1*…", "a hand of six, dealt at the start of a round; it may be left out"),
        ("Yes", "votes for a new deck; `No` against it"),
    ),
    variants=(
        (
            "dresden",
            "The game as described above. Temperance closes a field to the others until its player commits"
            " there or finishes, or the deck is gone for good.",
        ),
        (
            "nassau",
            "As `dresden`, but Temperance closes the field to everybody, its player too; he may lift it with a"
            " whole move, and it goes when the deck runs out.",
        ),
        (
            "koblenz",
            "As `nassau`, and each player may commit face down once a round. Such a commitment is turned up at the"
            " end of the round; a Fool played on it in vain is lost.",
        ),
        (
            "mainz",
            "As `nassau`, but the Fool may steal a commitment that contains an ace, and knave and knight are committed"
            " alone, without ace or Magician.",
        ),
        (
            "malta",
            "As `mainz`, but the Magician changes no card: discarded, he lets his player commit face down;"
            " Empress and Emperor committed that way lie on one field only.",
        ),
        (
            "worms",
            "As `mainz`, and an ace committed alone may later be completed once: with numeric cards, or with knave or"
            " knight, which discards the ace.",
        ),
    ),
    sample="five-rounds",
    sources=(
        "The Arcanoid page by the game's author. *Making a move*, *The effect of the major arcana*, *Principles of the"
        " game* and the names of the variants are its headings.",
        "House rulings, where lists on that page are lost: how battles and the game are won, and what Mainz changes.",
    ),
    seats="the eleventh only with `gaza`",
)
