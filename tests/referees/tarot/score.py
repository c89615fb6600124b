"""A second scoring of Tarot, written from the rulebook alone; it shares nothing with the package.

Terms: a *pile* is what lies face down before a seat or a side at the end of a deal: tricks, discards, chien. Cards are
written as in CGN. Points are fractions, because cards count halves.
"""

from fractions import Fraction
from math import ceil
from typing import NamedTuple

HALF = Fraction(1, 2)
FOOL, PETIT, MONDE = "T00", "T01", "T21"
BOUTS = (FOOL, PETIT, MONDE)
RANKS = "123456789XJNQK"
FIGURES = {"K": Fraction(9, 2), "Q": Fraction(7, 2), "N": Fraction(5, 2), "J": Fraction(3, 2)}
NEEDED = (56, 51, 41, 36)
TIMES = {"Prise": 1, "Garde": 2, "GardeSans": 4, "GardeContre": 6}
POIGNEES = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}

Trick = tuple[tuple[int, str], ...]


class Bid(NamedTuple):
    """One call. stake: None where none was said; name: Pass or a bid."""

    seat: int
    name: str
    stake: int | None = None


class Deal(NamedTuple):
    """One deal as it lies on the table when the last card is played.

    bids: every call, in order
    chien: the cards dealt aside; discards: what the taker put away for them (empty without an exchange)
    tricks: (seat, card) in the order played
    called: the card a taker of five seats named, "" where there is none
    poignees: (seat, number of cards shown)
    chelem: whether the taker announced it
    """

    variant: str
    seats: int
    dealer: int
    bids: tuple[Bid, ...]
    chien: tuple[str, ...]
    discards: tuple[str, ...]
    tricks: tuple[Trick, ...]
    called: str = ""
    poignees: tuple[tuple[int, int], ...] = ()
    chelem: bool = False


class Settlement(NamedTuple):
    """What a deal comes to.

    taker_points, other_points: card points of the taker's side and of the others; aside: of a chien nobody counts
    bouts: in the taker's pile; needed: points for his contract; made: whether he has them
    scores: one per seat; pot: net pot line per seat in dementlieu, empty in fft
    """

    taker_points: Fraction
    other_points: Fraction
    aside: Fraction
    bouts: int
    needed: int
    made: bool
    scores: tuple[Fraction, ...]
    pot: tuple[Fraction, ...]


def is_trump(card: str) -> bool:
    """Say whether the card is one of T01 to T21; the fool is none."""
    return card[0] == "T" and card != FOOL


def points(variant: str, card: str) -> Fraction:
    """Return the card points of one card."""
    if card[0] == "T":
        if variant == "dementlieu":
            return Fraction(1)
        return Fraction(9, 2) if card in BOUTS else HALF
    return FIGURES.get(card[0], HALF)


def total(variant: str, cards: list[str]) -> Fraction:
    """Return the card points of a pile."""
    return sum((points(variant, card) for card in cards), Fraction(0))


def highest(trick: Trick) -> int:
    """Return the seat with the highest trump, else with the highest card of the suit led; the fool never counts."""
    cards = [(seat, card) for seat, card in trick if card != FOOL]
    trumps = [(card, seat) for seat, card in cards if is_trump(card)]
    if trumps:
        return max(trumps)[1]
    suit = cards[0][1][1]
    return max((RANKS.index(card[0]), seat) for seat, card in cards if card[1] == suit)[1]


def taking_bid(deal: Deal) -> Bid | None:
    """Return the last bid that is no pass, None where all passed."""
    bids = [bid for bid in deal.bids if bid.name != "Pass"]
    return bids[-1] if bids else None


def taking_side(deal: Deal) -> frozenset[int]:
    """Return the taker, and the seat that played the card he called."""
    taker = taking_bid(deal)
    if taker is None:
        return frozenset()
    holders = {seat for trick in deal.tricks for seat, card in trick if deal.called and card == deal.called}
    return frozenset({taker.seat} | holders)


def winners(deal: Deal) -> tuple[int, ...]:
    """Return who won each trick."""
    won = [highest(trick) for trick in deal.tricks]
    leader, card = deal.tricks[-1][0]
    if card == FOOL:
        side = taking_side(deal)
        swept = all((seat in side) == (leader in side) for seat in won[:-1])
        if deal.variant == "dementlieu" or swept:
            won[-1] = leader
    return tuple(won)


def own_piles(deal: Deal) -> dict[int, list[str]]:
    """Return the cards before each seat, the fool with its trick; 0 has a chien put aside for no single seat."""
    piles: dict[int, list[str]] = {seat: [] for seat in range(deal.seats + 1)}
    bid = taking_bid(deal)
    if bid is None:
        return piles
    for seat, trick in zip(winners(deal), deal.tricks, strict=True):
        piles[seat] += [card for _, card in trick]
    if bid.name in ("Prise", "Garde"):
        piles[bid.seat] += deal.discards
    else:
        piles[bid.seat if bid.name == "GardeSans" else 0] += deal.chien
    return piles


def side_piles(deal: Deal) -> tuple[list[str], list[str], list[str]]:
    """Return the piles of the taker's side, of the others, and of nobody; in fft the fool has found its side."""
    piles = own_piles(deal)
    side = taking_side(deal)
    ours = [card for seat in side for card in piles[seat]]
    theirs = [card for seat in range(1, deal.seats + 1) if seat not in side for card in piles[seat]]
    if deal.variant == "dementlieu":
        return ours, theirs, piles[0]
    theirs += piles[0]
    _settle_fool(deal, ours, theirs)
    return ours, theirs, []


def _settle_fool(deal: Deal, ours: list[str], theirs: list[str]) -> None:
    """Move the fool, and the half-point card given for it, between the piles of an fft deal."""
    played = [(n, seat) for n, trick in enumerate(deal.tricks) for seat, card in trick if card == FOOL]
    if not played:
        return
    at, player = played[0]
    side = taking_side(deal)
    last = at == len(deal.tricks) - 1
    won_by_it = last and winners(deal)[-1] == player and deal.tricks[-1][0] == (player, FOOL)
    if won_by_it:
        return
    goes_to_ours = (player in side) != last
    here, there = (ours, theirs) if goes_to_ours else (theirs, ours)
    if FOOL in here:
        return
    if not last:
        for small in [card for card in here if points("fft", card) == HALF][:1]:
            here.remove(small)
            there.append(small)
    there.remove(FOOL)
    here.append(FOOL)


def settle(deal: Deal) -> Settlement:
    """Return what the deal comes to, by the rules of its variant."""
    zero = Fraction(0)
    bid = taking_bid(deal)
    if bid is None:
        none = (zero,) * deal.seats
        return Settlement(zero, zero, zero, 0, 0, False, none, none if deal.variant == "dementlieu" else ())
    ours, theirs, aside = side_piles(deal)
    bouts = sum(card in BOUTS for card in ours)
    taken, needed = total(deal.variant, ours), NEEDED[bouts]
    made = taken >= needed
    if deal.variant == "dementlieu":
        scores, pot = contract_line(deal, bid, made), pot_line(deal)
    else:
        scores, pot = shares(deal, bid.seat, each_defender(deal, bid, taken - needed)), ()
    others = total(deal.variant, theirs)
    return Settlement(taken, others, total(deal.variant, aside), bouts, needed, made, scores, pot)


# --- dementlieu ---


def contract_line(deal: Deal, bid: Bid, made: bool) -> tuple[Fraction, ...]:
    """Return what each other seat pays the taker, or he them: his stake times the bid's multiplier."""
    each = Fraction((bid.stake or 1) * TIMES[bid.name]) * (1 if made else -1)
    return tuple(each * (deal.seats - 1) if seat == bid.seat else -each for seat in range(1, deal.seats + 1))


def pot_line(deal: Deal) -> tuple[Fraction, ...]:
    """Return what each seat gains from the pot: all stakes to the fullest own pile, less what the seat put in."""
    stakes = {bid.seat: Fraction(bid.stake or 1) for bid in deal.bids if bid.name != "Pass"}
    piles = own_piles(deal)
    counted = {seat: total("dementlieu", piles[seat]) for seat in range(1, deal.seats + 1)}
    best = [seat for seat, count in counted.items() if count == max(counted.values())]
    share = sum(stakes.values(), Fraction(0)) / len(best)
    return tuple((share if seat in best else 0) - stakes.get(seat, Fraction(0)) for seat in counted)


# --- fft ---


def each_defender(deal: Deal, bid: Bid, difference: Fraction) -> Fraction:
    """Return what one defender pays the taker's side; negative where he is paid."""
    sign = 1 if difference >= 0 else -1
    times = TIMES[bid.name]
    poignees = sum(poignee_worth(deal.seats, size) for _, size in deal.poignees)
    contract = sign * (25 + ceil(abs(difference))) * times
    return Fraction(contract + 10 * times * petit_au_bout(deal) + sign * poignees + chelem(deal))


def poignee_worth(seats: int, size: int) -> int:
    """Return 20, 30 or 40 by the number of trumps shown."""
    return (20, 30, 40)[POIGNEES[seats].index(size)]


def petit_au_bout(deal: Deal) -> int:
    """Return 1 where the taker's side has the petit au bout, -1 where the others have it, else 0."""
    won = winners(deal)
    side = taking_side(deal)
    trick = deal.tricks[-1]
    led_to_win = trick[0][1] == FOOL and won[-1] == trick[0][0]
    late = [card for _, card in trick]
    if led_to_win:
        late += [card for _, card in deal.tricks[-2]]
    if PETIT not in late:
        return 0
    return 1 if won[-1] in side else -1


def chelem(deal: Deal) -> int:
    """Return the premium for every trick, announced or not, seen from the taker's side."""
    side = taking_side(deal)
    ours = [seat in side for seat in winners(deal)]
    if all(ours):
        return 400 if deal.chelem else 200
    lost = -200 if deal.chelem else 0
    return lost - (200 if not any(ours) else 0)


def shares(deal: Deal, taker: int, each: Fraction) -> tuple[Fraction, ...]:
    """Return each seat's account: a partner has one share, the taker the rest, every defender pays one."""
    side = taking_side(deal)
    partners = side - {taker}
    taken = each * (deal.seats - len(side)) - each * len(partners)
    return tuple(taken if seat == taker else each if seat in partners else -each for seat in range(1, deal.seats + 1))
