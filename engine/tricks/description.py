"""What a trick game is made of: a ``Description`` of values and small functions, from which its rules come.

A place is a seat less one; sets of cards are masks, as in ``engine.cards``. In a suit a higher number is a higher card,
unless ``Description.rank`` says otherwise.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from cartulary.engine.cards.deck import Deck, cards_of, deck_of, set_of
from cartulary.engine.cards.tricks import overtrump_debt, ruff_debt

CARDS_52 = deck_of("CDHS", "23456789XJQKA")
"""The deck of 52 cards, in each suit from the Two up to the Ace."""
_SENTENCES = {
    "deal": "Each seat is dealt its hand once, with the right number of cards, and no card lies in two hands.",
    "in-hand": "A seat plays a card of its hand that was not played before.",
    "turn": "The seat after the dealer leads, then each trick's winner; the rest follow in turn.",
    "follow-suit": "Who has a card of the suit led plays one.",
}
_TURN_WITH_BIDS = "The seat after the dealer bids and leads first, then each trick's winner; the rest follow."


def rules_from(
    source: str, sentences: Mapping[str, str], sections: Mapping[str, str] | None = None
) -> dict[str, tuple[str, str]]:
    """Return the sentence and the source of each rule, for ``Description.rules``.

    Args:
        source: The page or the book that all rules come from.
        sentences: The sentences of the game by the name of the rule, in place of those of most games or beside them.
        sections: By the name of a rule, where in the source it stands; what is not there is in all of it.
    """
    usual = _SENTENCES | ({"turn": _TURN_WITH_BIDS} if "bid" in sentences else {})
    where = {name: f"{source}, {section}" for name, section in (sections or {}).items()}
    return {name: (sentence, where.get(name, source)) for name, sentence in (usual | dict(sentences)).items()}


class Lead(Struct, frozen=True):
    """What a card is played to.

    Attributes:
        suit: The cards of the suit led, as a set; 0 if the card itself is led.
        trumps: The trumps, as a set; 0 if there are none.
        trick: The number of the trick in its deal, from 1.
        above: The trumps above the highest of the trick, as a set; all of them if it has none.
        with_partner: Whether the best card of the trick is a partner's.
    """

    suit: int
    trumps: int
    trick: int
    above: int = 0
    with_partner: bool = False


class Obligation(Struct, frozen=True, eq=False):
    """A rule that turns on what else is in the hand: who has other cards plays one of those.

    From it come the refusal where the hand is known, the open question where it is not, the breach that a later card
    proves, and the sentence in ``rules``.

    Attributes:
        name: The key of the rule without the game's, such as ``follow-suit``.
        debt: ``debt(lead, card)`` returns the cards one of which ought to be played instead, as a set; 0 if the card
            may be played whatever the hand holds. It depends on the card and the lead alone.
        owes: The end of the refusal, ``p2 holds 5H, and must follow suit``.
        broke: The end of the breach, ``p2 held 5H, but did not follow suit``.
        freed_by: The cards of which none has been played in this deal yet while the rule binds; 0 if it always binds.
        of_trick: Whether the debt depends on ``Lead.above`` or ``Lead.with_partner``; only then are they filled in.
    """

    name: str
    debt: Callable[[Lead, int], int]
    owes: str
    broke: str
    freed_by: int = 0
    of_trick: bool = False


def follow_suit(deck: Deck) -> Obligation:
    """Return the rule ``follow-suit``: who has a card of the suit led plays one. ``deck`` has the suits."""

    def debt(lead: Lead, card: int) -> int:
        """Return the cards of the suit led if the card is of another suit; 0 if it is of this suit or is led itself."""
        return 0 if lead.suit >> card & 1 else lead.suit & deck.cards

    return Obligation("follow-suit", debt, "must follow suit", "did not follow suit")


def not_led_before(deck: Deck, cards: int, name: str) -> Obligation:
    """Return the rule that who has another card leads none of a suit before one was played.

    Args:
        deck: The deck.
        cards: The cards of the suit, as a set.
        name: One of them as a sentence has it, such as ``a heart``.
    """

    def debt(lead: Lead, card: int) -> int:
        """Return all cards of other suits if this one is led and of the suit; else 0."""
        return deck.cards & ~cards if not lead.suit and cards >> card & 1 else 0

    return Obligation("break", debt, f"does not lead {name} yet", f"led {name} before one was played", cards)


def not_to_first_trick(deck: Deck, cards: int, what: str) -> Obligation:
    """Return the rule ``first-trick``: who has another card plays none of some cards to the first trick.

    The rule does not bind the card that is led, nor one that follows suit.

    Args:
        deck: The deck.
        cards: The cards that are not played, as a set.
        what: One of them as a sentence has it, such as ``card that costs points``.
    """

    def debt(lead: Lead, card: int) -> int:
        """Return all other cards if this one is discarded on the first trick and may not be; else 0."""
        free = not lead.suit or lead.suit >> card & 1
        return deck.cards & ~cards if lead.trick == 1 and not free and cards >> card & 1 else 0

    return Obligation("first-trick", debt, f"plays no {what}", f"played a {what}")


def must_trump(*, partner_spares: bool = False) -> Obligation:
    """Return the rule ``must-trump``: who cannot follow suit plays a trump.

    Args:
        partner_spares: Whether the rule does not bind while a partner's card is the best of the trick.
    """

    def debt(lead: Lead, card: int) -> int:
        """Return all trumps if the card is neither a trump nor of the suit led; 0 also where the partner spares."""
        return 0 if not lead.suit or (partner_spares and lead.with_partner) else ruff_debt(lead.suit, lead.trumps, card)

    return Obligation("must-trump", debt, "must trump", "did not trump", of_trick=True)


def overtrump(*, partner_spares: bool = False) -> Obligation:
    """Return the rule ``overtrump``: who plays a trump plays one above the highest of the trick.

    Args:
        partner_spares: Whether the rule does not bind while a partner's card is the best of the trick; it always binds
            if trumps were led.
    """

    def debt(lead: Lead, card: int) -> int:
        """Return the higher trumps if the card is a trump below the highest; 0 also where the partner spares."""
        spares = partner_spares and lead.with_partner and lead.suit != lead.trumps
        return 0 if not lead.suit or spares else overtrump_debt(lead.trumps, lead.above, card)

    return Obligation("overtrump", debt, "must overtrump", "did not overtrump", of_trick=True)


class Bidding(Struct, frozen=True):
    """What has been bid in a deal.

    Attributes:
        bids: The numbers of the bids so far in ``Description.bids``, in order, the first by the seat after the dealer.
        seats: How many seats play.
        turned_suit: The index of the suit of the card turned up; -1 if there is none.
    """

    bids: tuple[int, ...]
    seats: int
    turned_suit: int = -1


class Contract(Struct, frozen=True):
    """What bidding has come to.

    Attributes:
        bid: The index in ``Bidding.bids`` of the bid that made it; the seat that made this bid plays it.
        trumps: The trumps of the deal, as a set; 0 for none.
    """

    bid: int
    trumps: int


class Auction(Struct, frozen=True, eq=False):
    """Bidding that goes round until somebody is to play a contract.

    Attributes:
        bids_now: ``bids_now(bidding)`` returns the numbers of the bids there are now; none once the bidding is over.
        contract: ``contract(bidding)`` returns what a bidding that is over has come to; None if all have passed, and
            the next seat deals.
        hand: How many cards each seat has once the rest is dealt after the bidding; 0 if no more are dealt.
        takes_card: Whether the card turned up goes to the seat that plays the contract, as one of those cards.
    """

    bids_now: Callable[[Bidding], tuple[int, ...]]
    contract: Callable[[Bidding], Contract | None]
    hand: int = 0
    takes_card: bool = False


class Announcement(Struct, frozen=True, eq=False):
    """What a seat may say with a card, for points.

    Attributes:
        name: What is written after the card and ``&``.
        fellows: ``fellows(trumps, card)`` returns the cards that the seat must have besides, as a set; 0 if it is not
            said with this card.
        follows: The name of another announcement, which the seat must have made with one of those cards before; empty
            if they are all still in the hand.
    """

    name: str
    fellows: Callable[[int, int], int]
    follows: str = ""


class PlayedDeal(Struct, frozen=True):
    """A deal when all its tricks are won, as it is scored; every tuple is by place.

    Attributes:
        number: The number of the deal, from 1.
        bids: What each seat has bid, the number of the bid in ``Description.bids``; empty if nothing was bid.
        tricks: How many tricks each seat has won.
        cards: The cards in the tricks that each seat has won, as sets.
        carry: What earlier deals carry over beside the points, as ``Description.score`` has returned it.
        declarer: The place that has played the contract; -1 if there was no auction.
        trumps: The trumps, as a set; 0 for none.
        last: The place that has won the last trick.
        announcements: The names of the announcements that each place has made.
    """

    number: int
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    cards: tuple[int, ...]
    carry: tuple[int, ...] = ()
    declarer: int = -1
    trumps: int = 0
    last: int = -1
    announcements: tuple[tuple[str, ...], ...] = ()


def thirteen_cards(seats: int, deal: int) -> int:
    """Return 13, whatever the seats and the deal: the default of ``Description.hand``."""
    return 13


def no_passing(seats: int, deal: int) -> tuple[int, int]:
    """Return (0, 0): no cards are passed; the default of ``Description.passes``."""
    return 0, 0


def no_teams(seats: int) -> tuple[int, ...]:
    """Return (): everybody plays alone; the default of ``Description.teams``."""
    return ()


def no_bids(hand: int) -> tuple[str, ...]:
    """Return (): nothing is bid; the default of ``Description.bids``."""
    return ()


def none_barred(bids: Sequence[int], seats: int, hand: int) -> int:
    """Return -1: the next seat may make any bid; the default of ``Description.barred_bid``."""
    return -1


def not_as_many_as_tricks(bids: Sequence[int], seats: int, hand: int) -> int:
    """Return the bid by which all bids would come to the number of tricks; for ``Description.barred_bid``.

    It is -1 for every seat but the last to bid, and may be a negative number or too high a one if no bid is barred.
    ``bids`` are those before.
    """
    return hand - sum(bids) if len(bids) == seats - 1 else -1


def reached_target(points: Sequence[int], deals: int, seats: int, target: int) -> bool:
    """Return whether somebody has as many points as the game is played to; the default of ``Description.ends``.

    With a target of 0 it is True: the game is over after one deal. While the points are not known it is False.
    """
    return not target or max(points, default=0) >= target


def any_points(points: Sequence[int], deal: int, carry: tuple[int, ...]) -> str:
    """Return "": a deal may bring any points; the default of ``Description.impossible``."""
    return ""


def same_carry(points: Sequence[int], carry: tuple[int, ...]) -> tuple[int, ...]:
    """Return what earlier deals carry over, unchanged; the default of ``Description.carries``."""
    return carry


def by_number(card: int, trumps: int) -> int:
    """Return the number of the card: the default of ``Description.rank``."""
    return card


def rank_letters(deck: Deck, order: str, trump_order: str) -> Callable[[int, int], int]:
    """Return the function ``Description.rank`` of a game in which trumps rank otherwise than the other suits.

    Args:
        deck: The deck, whose names begin with the rank.
        order: The letters of the ranks from the lowest, in suits that are not trumps.
        trump_order: The same in trumps.
    """
    return lambda card, trumps: (trump_order if trumps >> card & 1 else order).index(deck.names[card][0])


def points_of(deck: Deck, cards: int, values: Mapping[str, int]) -> int:
    """Return what a set of cards counts; ``values`` has the points by the letter of the rank, 0 if it is not there."""
    return sum(values.get(deck.names[card][0], 0) for card in cards_of(cards))


def trump_pair(deck: Deck, ranks: str) -> Callable[[int, int], int]:
    """Return the function ``Announcement.fellows`` of two trumps, such as ``KQ``: of each the fellow is the other."""
    pairs = set_of(card for card, name in enumerate(deck.names) if name[0] in ranks)
    return lambda trumps, card: trumps & pairs & ~(1 << card) if trumps & pairs & 1 << card else 0


class Description(Struct, frozen=True, eq=False, kw_only=True):
    """A trick game.

    Attributes:
        key: The key of the game, which begins the keys of its rules.
        rules: The sentence and the source of each rule by its name, such as ``follow-suit``. The shell checks
            ``order``, ``deal``, ``turn`` and ``in-hand``; ``pass``, ``bid``, ``lead`` and ``announce`` in games that
            have them; then every rule of ``obligations``. ``score`` is the rule by which the game ends.
        score: ``score(deal)`` returns the points that each place wins with a deal, and what is carried over.
        seats: The numbers of seats it is played with, the usual one first; with several, they are a rule, ``seats``.
            Default: four.
        deck: The cards. Default: the 52 from Two to Ace.
        hand: ``hand(seats, deal)`` returns how many cards each seat is dealt in a deal; the first is 1. Default: 13.
        obligations: The rules that turn on what else is in the hand, in the order in which they bind. Default:
            that suit is followed.
        counting_cards: The cards that bring points to whoever wins them, as a set; 0 if only tricks count.
        trumps: The trumps as a set; 0 if there are none, or if a card turned up or an auction names them.
        rank: ``rank(card, trumps)`` returns a number that is greater for a card that beats another of its suit.
            Default: the number of the card.
        turns_up: Whether a card is turned up whose suit is trumps: the dealer's last, or if cards are left, the next.
        first_card: The card whose holder leads it to the first trick; -1 if the seat after the dealer leads.
        passes: ``passes(seats, deal)`` returns how many seats to the left cards are passed, and how many; 0 and 0 if
            none are.
        bids: ``bids(hand)`` returns the bids there are with hands of so many cards, as they are written after ``Bid=``.
        barred_bid: ``barred_bid(bids, seats, hand)`` returns the number of the bid that the next seat may not make; -1
            if there is none. ``bids`` are those before.
        auction: How bidding goes on if it is more than one bid from each seat; None if it is not.
        announcements: What may be said with a card.
        ends: ``ends(points, deals, seats, target)`` says whether the game is over after so many deals. ``points`` is
            empty if cards that nobody wrote down decide them. Default: when somebody has ``target`` points.
        target: The points to which the game is played; 0 if points do not end it.
        breaks_ties: Whether a further deal is played where the end finds sides equal that would share the win.
        fewest: Whether the fewest points win.
        teams: ``teams(seats)`` returns the number of each seat's team, empty if everybody plays alone.
        impossible: ``impossible(points, deal, carry)`` returns why a deal cannot have brought these points by place, as
            a sentence; empty if it can. ``carry`` is what earlier deals carry over.
        carries: ``carries(points, carry)`` returns what is carried over after a deal of which only the points by place
            are written. Default: what was carried over before it.
        won_text: The reason of an outcome, with ``{seats}`` for who has won and ``{points}`` for how many points.
    """

    key: str
    rules: Mapping[str, tuple[str, str]]
    score: Callable[[PlayedDeal], tuple[tuple[int, ...], tuple[int, ...]]]
    seats: tuple[int, ...] = (4,)
    deck: Deck = CARDS_52
    hand: Callable[[int, int], int] = thirteen_cards
    obligations: tuple[Obligation, ...] = (follow_suit(CARDS_52),)
    counting_cards: int = 0
    trumps: int = 0
    rank: Callable[[int, int], int] = by_number
    turns_up: bool = False
    first_card: int = -1
    passes: Callable[[int, int], tuple[int, int]] = no_passing
    bids: Callable[[int], tuple[str, ...]] = no_bids
    barred_bid: Callable[[Sequence[int], int, int], int] = none_barred
    auction: Auction | None = None
    announcements: tuple[Announcement, ...] = ()
    ends: Callable[[Sequence[int], int, int, int], bool] = reached_target
    target: int = 0
    breaks_ties: bool = False
    fewest: bool = False
    teams: Callable[[int], tuple[int, ...]] = no_teams
    impossible: Callable[[Sequence[int], int, tuple[int, ...]], str] = any_points
    carries: Callable[[Sequence[int], tuple[int, ...]], tuple[int, ...]] = same_carry
    won_text: str = "{seats} won with {points} points"

    def deals_follow(self, target: int) -> bool:
        """Say whether a game to so many points may have several deals.

        It may not if it ends after one, as it does by ``reached_target`` with a target of 0.
        """
        return target > 0 or self.ends is not reached_target
