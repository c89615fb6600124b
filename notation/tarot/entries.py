"""What Tarot's cards and announcements do, for who asks at the table."""

from collections.abc import Mapping

from cartulary.engine.cards import deck
from cartulary.notation.teaching import Entry, Example, Teaching

SUITS = "CDHS"
_PAGE: Mapping[str, str] = {"Variant": "dementlieu", **dict.fromkeys(("Seat1", "Seat2", "Seat3", "Seat4"), "?")}
_FFT = {**_PAGE, "Variant": "fft"}
_FIVE = {**_FFT, "Seat5": "?"}
_SANS = "GardeSans Pass Pass Pass"
_HAND = "7C,8C,9C,1D,2D,3D,4D,5D,6D,7D,8D,9D,T02,T03,T04,T05,T06,T07"
_HEAD = ("points, dementlieu", "points, fft")
_SUITED = ("in-hand", "follow-suit", "must-trump", "settlement")
_TRUMPED = ("in-hand", "trump-led", "overtrump", "settlement")


def _court(rank: str, name: str, points: str, beside: str, also: tuple[str, ...] = ()) -> Entry:
    cards = tuple(rank + suit for suit in SUITS)
    says = f"The {name} {beside} of its suit, and is worth {points} card points. A trump takes it."
    shown = Example(rank + "H", f"The {name} of Hearts is led.", _SANS, _PAGE)
    return Entry(name, says, _SUITED, shown, cards, also, (_HEAD, (points, points)))


TEACHING = Teaching(
    (
        Entry(
            "Bouts",
            "The bouts are the petit, the monde and the fool. The more of them lie in the taker's pile, the fewer card"
            " points he needs.",
            ("settlement", "ecart-cards"),
            Example("T21", "The monde, a bout, is led.", _SANS, _PAGE),
            also=("bout", "oudlers", "contract"),
            table=(("bouts", "card points needed"), ("0", "56"), ("1", "51"), ("2", "41"), ("3", "36")),
        ),
        Entry(
            "Petit",
            "The petit is the lowest trump and a bout. In fft the side that wins it in the last trick gets 10 points"
            " for each defender, as many times as the bid counts.",
            (*_TRUMPED, "ecart-cards"),
            Example("T01", "The petit is led.", _SANS, _PAGE),
            ("T01",),
            ("petit au bout", "1 of trumps"),
            (_HEAD, ("1", "4½")),
        ),
        Entry(
            "Monde",
            "The monde is the highest trump and a bout: nothing takes it, except a fool that is led to the last trick"
            " and wins it.",
            (*_TRUMPED, "ecart-cards"),
            Example("T21", "The monde falls on the Twenty.", f"{_SANS} T20", _PAGE),
            ("T21",),
            ("world", "21 of trumps"),
            (_HEAD, ("1", "4½")),
        ),
        Entry(
            "Fool",
            "The fool may be played to any trick, whatever was led; if it is led, the next card sets the suit. In"
            " dementlieu it goes to the winner of its trick, and wins a trick itself only if it is led to the last one;"
            " in fft it stays with its side in exchange for a half-point card, except in the last trick.",
            ("in-hand", "follow-suit", "trump-led", "settlement"),
            Example("T00", "The fool is played to a heart.", f"{_SANS} KH", _PAGE),
            ("T00",),
            ("excuse", "excuse card"),
            (_HEAD, ("1", "4½")),
        ),
        Entry(
            "Trumps",
            "A trump takes every card of a suit, and the higher trump the lower. When a trump is led, play a trump if"
            " you have one, higher than any in the trick if you can.",
            ("must-trump", *_TRUMPED),
            Example("T15", "A trump goes over the one led.", f"{_SANS} T07", _PAGE),
            tuple(f"T{number:02}" for number in range(2, 21)),
            ("trump", "atout", "atouts"),
            (_HEAD, ("1", "½")),
        ),
        _court("K", "King", "4½", "is the highest card", ("roi",)),
        _court("Q", "Queen", "3½", "ranks below the King", ("dame",)),
        _court("N", "Knight", "2½", "ranks below the Queen", ("cavalier",)),
        _court("J", "Jack", "1½", "ranks below the Knight", ("valet", "knave")),
        Entry(
            "Pip cards",
            "From the Ten (X) down to the 1, a higher card of the suit led takes a lower one. Each is worth half a"
            " point.",
            _SUITED,
            Example("XH", "The Ten follows the heart led.", f"{_SANS} 9H", _PAGE),
            tuple(rank + suit for suit in SUITS for rank in "123456789X"),
            ("numbers", "small cards", "ten", "ace"),
            (_HEAD, ("½", "½")),
        ),
        Entry(
            "Bids",
            "Each seat calls once: it passes or bids higher than the last. The bid says what becomes of the chien"
            " and how many times the deal counts.",
            ("bid-turn", "bid-higher"),
            Example("GardeSans", "p2 goes above the Prise.", f"p0/p2*{_HAND} Prise", _PAGE),
            also=("bid", "Prise", "Garde", "GardeSans", "GardeContre", "stake"),
            table=(
                ("bid", "the chien", "times"),
                ("Prise", "shown, then in the taker's hand", "1"),
                ("Garde", "shown, then in the taker's hand", "2"),
                ("GardeSans", "unseen in the taker's pile", "4"),
                ("GardeContre", "dementlieu: nobody's; fft: the defenders'", "6"),
            ),
        ),
        Entry(
            "Pot",
            "In dementlieu the stakes of all bids go into the pot, and the most card points in one pile win it; equal"
            " piles share it. It is counted beside the score and does not decide the result.",
            ("settlement",),
            Example("Garde=2", "p2 puts two tokens into the pot, beside p1's one.", f"p0/p2*{_HAND} Prise=1", _PAGE),
            also=("stakes", "pots"),
        ),
        Entry(
            "Chien",
            "The chien is laid aside during the deal, one card at a time between packets. After a Prise or a Garde all"
            " see it and the taker takes it up.",
            ("chien-size", "chien-deal", "ecart-size"),
            Example("p0/^7C,8C,9C,1D,2D,T05", "All see the chien of the Garde.", "Pass Pass Pass Garde", _PAGE),
            also=("dog", "talon"),
            table=(("seats", "cards in the chien"), ("3 or 4", "6"), ("5 (fft)", "3")),
        ),
        Entry(
            "Écart",
            "The taker puts away as many cards as the chien had; they go to his pile. In fft, and with the option"
            " ecart=fft, he may put away no king and no bout, and a trump only if nothing else is left.",
            ("ecart-size", "ecart-cards"),
            Example(
                "7C,8C,9C,1D,2D,3D-",
                "The taker puts six small cards away.",
                f"p0/p4*{_HAND} Pass Pass Pass Garde p0/^1H,2H,3H,4H,5H,6H",
                _PAGE,
            ),
            also=("discards", "discard"),
        ),
        Entry(
            "Poignée",
            "In fft a seat may show a set number of trumps before its first card; the side that wins the deal gets 20,"
            " 30 or 40 points for each defender. The fool counts only if no other trump is kept back.",
            ("poignee-size", "poignee-held"),
            Example(
                "Poignee=T02,T03,T04,T05,T06,T07,T08,T09,T10,T11",
                "p1 shows ten trumps before he leads.",
                "Pass Pass Pass GardeSans",
                _FFT,
            ),
            also=("handful", "Poignee"),
            table=(
                ("seats", "simple 20", "double 30", "triple 40"),
                ("3", "13", "15", "18"),
                ("4", "10", "13", "15"),
                ("5", "8", "10", "13"),
            ),
        ),
        Entry(
            "Chelem",
            "In fft the taker may announce that he will win every trick; he then leads. Each defender pays"
            " 400 for a chelem announced and made, 200 for one made unannounced; if one is announced and missed, each"
            " defender gets 200.",
            ("phase", "settlement"),
            Example("p4/Chelem", "The taker announces it before the first card.", "Pass Pass Pass GardeSans", _FFT),
            also=("slam",),
        ),
        Entry(
            "Petit sec",
            "A player who holds the petit as his only trump, and no fool, says so before he calls. The deal is then"
            " void.",
            ("petit-sec",),
            Example("p3/PetitSec", "p3 announces it, out of turn.", "", _PAGE),
            also=("PetitSec", "dry petit"),
        ),
        Entry(
            "Maldonne",
            "A wrong deal is called off, before or during the bidding. In dementlieu the seat to the dealer's right"
            " deals next, in fft the same dealer again.",
            ("maldonne",),
            Example("Maldonne", "The deal is called off.", "Pass", _PAGE),
            also=("misdeal",),
        ),
        Entry(
            "Called king",
            "With five seats the taker names a king; the player who holds it is his partner and says nothing. The"
            " taker may name a lower court card only if he holds all four cards of every rank above it.",
            ("call", "called-suit"),
            Example("Call=KH", "The taker names the King of Hearts.", "Pass Pass Pass Pass Garde", _FIVE),
            also=("called card", "partner"),
        ),
    ),
    deck.names(SUITS),
)
