"""What Tarot's page teaches a beginner."""

from cartulary.notation.primer import FirstGame, Primer

PRIMER = Primer(
    course=(
        "Four players, `p1` to `p4`, or three, play one deal after another. In each, one of them, the *taker*, plays"
        " against the rest. There are 78 cards: four suits of fourteen, twenty-one trumps `T01` to `T21`, and the"
        " fool `T00`. In a suit the King `K` is highest, then Queen `Q`, Knight `N`, Jack `J`, Ten `X`, and so down"
        " to the `1`. The suits are clubs `C`, diamonds `D`, hearts `H` and spades `S`. What follows is the"
        " variant `dementlieu`; the game of French clubs, `fft`, is described under *Its variants*.",
        "**Deal.** The dealer gives each player eighteen cards (twenty-four if there are three players), in packets"
        " of three, and lays six aside one at a time: the *chien*. Nobody has to write the hands down.",
        "**Bid.** Beginning with the player after the dealer, each player calls once: he passes, or bids higher than"
        " every bid before. From the lowest, the bids are Prise, Garde, GardeSans and GardeContre, which count one,"
        " two, four and six times. A bid may name a stake of tokens; otherwise its stake is one. The last bidder is"
        " the taker. If all pass, the deal is over. A player whose only trump is `T01`, and who does not have the"
        " fool, says so before his own call, as in `p3/PetitSec`, and the deal is void. He may say it out of turn:"
        " `record` lists those who *may speak*.",
        "**The chien.** After a Prise or a Garde all see it. The taker takes it up and puts six cards of his choice"
        " away; they count for him in the end. After a GardeSans or a GardeContre nobody sees it and nothing is put"
        " away: the first trick follows at once. In a GardeSans the chien counts for the taker, in a GardeContre for"
        " nobody.",
        "**Play.** The player after the dealer leads to the first trick, and whoever wins a trick leads to the next."
        " The others each add a card in turn. If a suit was led and you have it, play that suit or a trump; if you have"
        " none of it, play anything. If a trump was led, play a trump if you have one, and one higher than any"
        " in the trick if you can. The fool may be played at any time; if it is led, the next card says which suit to"
        " follow. The highest trump wins the trick; without one, the highest card of the suit led. When a"
        " hand is not known, a card that does not follow suit may be *undecided*: later cards show whether it was"
        " legal, and then Cartulary says so.",
        "**Score.** The taker counts the card points in his pile. A King is worth 4½, a Queen 3½, a Knight 2½, a Jack"
        " 1½, every other suit card ½, each trump and the fool 1: 90 in all. `T01`, `T21` and the fool are the"
        " *bouts*: he needs 56 points with none of them in his pile, 51 with one, 41 with two, 36 with all three. If he"
        " has enough, each of the others pays him the stake of his bid as many times as the bid counts; if not, he pays"
        " each of them as much. That is the *score*.",
        "**Pot.** Beside the score runs a second total, the *pot*. The stakes of all bids in a deal go into it (one"
        " token if none was named) and count against those who bid. Whoever has the most card points in his own pile"
        " wins them, and players with equally many share them. Cartulary counts both totals from deal to deal. The"
        " result goes by the score alone: when you type `close` after your last deal, the highest score wins, and"
        " equal scores share.",
    ),
    first_game=FirstGame(
        (
            ("Pass", "p4 deals unless the record says otherwise, so p1 calls first. He passes."),
            ("Prise=1", "p2 bids a Prise, with a stake of one."),
            ("Garde=2", "p3 goes higher: a Garde, with a stake of two."),
            ("Pass", "p4 passes. p3 is the taker."),
            (
                "p0/^4D,QS,7H,T08,2S,XC",
                "The chien is turned up. `p0` is the table, `^` means shown. Leave this out if nobody wrote it down.",
            ),
            ("~,~,~,~,~,~-", "p3 puts six cards away. `~` is a card that nobody else saw."),
            ("KH", "The first trick: p1 leads the King of Hearts."),
            ("3H", "p2 follows with a heart."),
            ("7H", "p3 follows; it is the Seven that all saw in the chien."),
            ("1H", "p4 follows. The King wins, and p1 leads again."),
            ("KC", "The second trick: the King of Clubs."),
            ("4C", "p2 follows."),
            ("XC", "p3 follows."),
            ("T03", "p4 trumps and wins the trick. In `dementlieu` he may do so even with a club in his hand."),
            ("5D", "The third trick: p4 leads a diamond."),
            ("T00", "p1 plays the fool, which goes on anything."),
            ("KD", "p2 plays the King of Diamonds."),
            ("2D", "p3 follows. p2 wins the trick and leads next."),
        ),
        "The table after three tricks: how many cards each has, and the card points won.",
        {"Variant": "dementlieu", "Seat1": "?", "Seat2": "?", "Seat3": "?", "Seat4": "?"},
    ),
    words=(
        ("Pass", "no bid"),
        ("Garde=5", "a bid, at a stake of five (the stake in `dementlieu` only)"),
        ("p0/^7C,8C,9C,1D,2D,3D", "the chien is shown; leave this word out if nobody wrote the chien down"),
        ("7C,8C,9C,1D,2D,3D-", "the taker puts these away; `~` for each card nobody else saw"),
        ("T05", "a card is played; players play in turn, so no name is needed"),
        ("p0/p2*7C,8C,9C", "a packet dealt to p2, for a record with open hands"),
        ("p0/c*T05", "a card dealt to the chien, likewise"),
        ("p3/PetitSec", "p3 has the petit, `T01`, as his only trump: the deal is void"),
        ("Maldonne", "the deal was wrong and is called off"),
        ("Call=KH", "with five players the taker names a king, whose holder is his partner (`fft`)"),
        ("Poignee=T01,T02,…", "a poignée: these trumps are shown before one's first card (`fft`)"),
        ("p2/Chelem", "the taker announces that he will win every trick (`fft`)"),
    ),
    variants=(
        (
            "dementlieu",
            "Three or four players. You may trump instead of following suit, and need not trump a suit you do not"
            " have.",
        ),
        (
            "fft",
            "Three, four or five players. Follow suit if you can; if not, you must trump, and whenever you trump, go"
            " over the trumps in the trick if you can. Kings and bouts are not put away. A bout is worth 4½, any other"
            " trump ½; the fool stays with its side. No stakes: each defender pays or gets the sum of 25 and the"
            " difference from the points needed, multiplied by what the bid counts. With five, the taker calls a king,"
            " and its holder is his partner.",
        ),
    ),
    sample="dementlieu-open",
    sources=(
        "*Tarot*, from the wiki of Dementlieu: the game of `dementlieu`.",
        "Fédération Française de Tarot, *Règlement officiel* R-RO201206 (2012): the game of `fft`, and"
        " whatever the wiki leaves open about `dementlieu`.",
    ),
)
