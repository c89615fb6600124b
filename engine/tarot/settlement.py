"""The settlement of a deal of Tarot: its score, what that adds to the running scores, and scored deals.

A *scored deal* is one of which a sheet has only the score. ``impossible`` tells whether the score can be true.

Source: tarot.settlement; the ranges follow from the cards, 78 of them and 91 points, in dementlieu 90.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import add

from msgspec.structs import replace

from cartulary.engine.cards.deck import DECK, set_of
from cartulary.engine.contract import Clause, Refused, clause_by_variant
from cartulary.engine.numbers import how_many
from cartulary.engine.tarot.playing import poignee_value
from cartulary.engine.tarot.score import (
    BOUTS,
    MULTIPLIERS,
    POINTS_NEEDED,
    Contract,
    PlayedDeal,
    half_points,
    in_points,
    lines_fft,
    possible_points,
    seats_with_most,
    settle_dementlieu,
    settle_fft,
)
from cartulary.engine.tarot.state import (
    BIDS,
    PAGE,
    UNKNOWN,
    Bid,
    Maldonne,
    Move,
    PetitSec,
    Play,
    ScoredDeal,
    State,
    parent,
    section,
)
from cartulary.engine.tarot.tricks import Piles, count_piles, seat_at, trick_of, winner
from cartulary.engine.tarot.unwritten import MOST_FILLED, filled_deals

# --- a deal as a score sheet has it ---


POINTS = {"dementlieu": 180, "fft": 182}
"""All card points, in halves."""
CHIEN_AT_MOST = 4 * 9 + 2 * 7
"""What six cards of dementlieu count at the most, four kings and two queens, in halves."""


def impossible(
    variant: str, deal: PlayedDeal, best: tuple[int, ...] | None = None, *, restricted: bool = False
) -> tuple[str, str]:
    """Return which tag of a scored deal cannot be true, and why; two empty texts if the deal is possible.

    What a pile can hold follows from the cards. With four seats, half a point is taken for a slip, although a side
    without a card of half a point keeps its fool unpaid (both are house rulings).

    Args:
        variant: the variant, whose rules count the cards.
        deal: the deal as it was written down.
        best: the seats with the most card points, None if nobody says.
        restricted: True if, in dementlieu, the option ecart=fft holds.
    """
    contract = Contract(variant, deal.seats, deal.bid, restricted)
    if variant == "fft" and deal.seats == 4 and deal.halves % 2 and not deal.swept:
        return "Points", "with four seats a side has whole points, unless a fool could not be paid for"
    ever = _ever_possible(contract, deal.bouts)
    if not _fits(deal, ever):
        return (
            "Points",
            f"{_pile_text(deal)} has {_ranges_text(contract, deal, ever)}{_what_counts(contract, deal, ever)}",
        )
    wins, loses = ("the taker's side", "the defence") if deal.petit > 0 else ("the defence", "the taker's side")
    if (deal.petit > 0 and not deal.bouts) or (deal.petit < 0 and deal.bouts == 3):
        return "Petit", f"{wins} has no bout, so it cannot have the petit"
    if deal.petit and deal.swept == -deal.petit:
        return "Petit", f"{loses} won every trick, the last one too"
    if variant == "fft" and (because := _unlike_chelem(contract, deal)):
        return "Chelem", because
    if best is not None and not any(_may_lead(deal, points, best) for points in (deal.halves, deal.halves - 1)):
        return (
            "Most",
            f"p{deal.taker} has {in_points(deal.halves)} of the 90 points: {seats_text(best)} cannot have the most",
        )
    return "", ""


def _ever_possible(contract: Contract, bouts: int) -> frozenset[int]:
    """Return the half points that the taker's side can have with so many bouts (0 to 3).

    Every case counts: whoever won the petit in the last trick, if anybody, and whoever won all tricks, if anybody.
    """
    return possible_points(contract, bouts, None, 0).union(
        *(possible_points(contract, bouts, None, petit) for petit in (-1, 1))
    )


def _fits(deal: PlayedDeal, possible: frozenset[int], halves: int | None = None) -> bool:
    """Say whether so many half points are possible, or can be a possible half that was rounded away from the contract.

    A whole number at or above the points needed may stand for half a point less, one below for half a point more.
    ``halves`` are by default those of the deal.
    """
    halves = deal.halves if halves is None else halves
    rounded = -1 if halves >= 2 * POINTS_NEEDED[deal.bouts] else 1
    return halves in possible or (halves % 2 == 0 and halves + rounded in possible)


def _ranges_text(contract: Contract, deal: PlayedDeal, possible: frozenset[int]) -> str:
    """Return the points that a written deal may have, as a sentence lists them: ``0, or 2 to 88 points``.

    Args:
        contract: The variant, the seats and the bid, which decide whether half points are written.
        deal: The deal, for its bouts and for whether all tricks were won.
        possible: The possible half points.
    """
    step = 2 if contract.variant == "fft" and deal.seats == 4 and not deal.swept else 1
    fitting = [halves for halves in range(0, POINTS["fft"] + 1, step) if _fits(deal, possible, halves)]
    runs: list[list[int]] = []
    for halves in fitting:
        if runs and halves - runs[-1][-1] <= 2:
            runs[-1].append(halves)
        else:
            runs.append([halves])
    ranges = [in_points(run[0]) + (f" to {in_points(run[-1])}" if run[1:] else "") for run in runs]
    return f"{', or '.join(ranges)} {'point' if fitting == [2] else 'points'}"


def _pile_text(deal: PlayedDeal) -> str:
    """Return the beginning of a sentence about the taker's side: ``after a Garde with 4 seats a side with 2 bouts``."""
    return f"after a {deal.bid} with {deal.seats} seats a side with {_bouts_text(deal.bouts)}"


def _what_counts(contract: Contract, deal: PlayedDeal, possible: frozenset[int]) -> str:
    """Return the reason why a side cannot have so many, or so few, points: ``, for the cards put away count too``.

    It is the end of a sentence, with its comma; "" if the number of bouts is the reason.
    """
    if deal.bid == "GardeContre" and deal.halves > max(possible):
        return ", for the chien counts " + ("for nobody" if contract.variant == "dementlieu" else "for the defence")
    if deal.bid != "GardeContre" and deal.halves < min(possible):
        return f", for {'the chien counts' if deal.bid == 'GardeSans' else 'the cards put away count'} too"
    return ""


def _unlike_chelem(contract: Contract, deal: PlayedDeal) -> str:
    """Return how points and bouts contradict the tag Chelem, in a sentence that says what was expected; "" if they
    agree.
    """

    def possible(swept: int, bouts: int = deal.bouts) -> frozenset[int]:
        """Return the half points that the taker's side can have with so many bouts, by default those of the deal.

        ``swept`` is +1 if it won every trick, -1 if the defence did, 0 if neither.
        """
        return possible_points(contract, bouts, swept, deal.petit)

    if _fits(deal, possible(deal.swept)):
        return ""
    with_so_much = f"with {in_points(deal.halves)} points and {_bouts_text(deal.bouts)} the taker's side has won"
    if not deal.swept and _fits(deal, possible(1)):
        return f"{with_so_much} every trick; expected {'announced-made' if deal.announced else 'made'}"
    if not deal.swept and _fits(deal, possible(-1)):
        return f"{with_so_much} no trick; expected defence"
    if not deal.swept:
        return f"{with_so_much} every trick or none"
    won = "every trick" if deal.swept > 0 else "no trick"
    if possible(deal.swept):
        return f"{_pile_text(deal)} that wins {won} has {_ranges_text(contract, deal, possible(deal.swept))}"
    counts = [bouts for bouts in range(4) if possible(deal.swept, bouts)]
    return f"after a {deal.bid} a side that wins {won} has {' or '.join(map(str, counts))} bouts"


def _may_lead(deal: PlayedDeal, halves: int, most: tuple[int, ...]) -> bool:
    """Say whether these seats may have the most points, if the taker's side has ``halves`` half points.

    After a GardeContre the chien counts for nobody.
    """
    remainder, count = POINTS["dementlieu"] - halves, len(most)
    if deal.taker not in most:
        return remainder >= count * (halves + 1)
    least = remainder - (CHIEN_AT_MOST if deal.bid == "GardeContre" else 0)
    return (count - 1) * halves <= remainder and least <= (count - 1) * halves + (deal.seats - count) * (halves - 1)


def with_scored_deal(state: State, record: ScoredDeal) -> State:
    """Return the state before the first word of a record whose only deal is written as its score.

    The gains of that deal are its running scores; a part that cannot be known stays as it was. If all passed, nothing
    is added.
    """
    contract, pot = (state.totals, state.pot) if record.deal is None else gains(state.options.variant, record)
    past = replace(state.round.past, unshared=pot is None)
    start = replace(state.round, first=False, past=past)
    return replace(state, totals=contract or state.totals, pot=pot or state.pot, round=start)


def gains(variant: str, record: ScoredDeal) -> tuple[tuple[int, ...] | None, tuple[Fraction, ...] | None]:
    """Return the gains of each seat by the contract and from the pot, None for one that cannot be known.

    Args:
        variant: the variant; in fft there is no pot.
        record: a deal in which not all passed.
    """
    deal = record.deal
    assert deal is not None
    if variant == "fft":
        return settle_fft(deal), None
    alone = tuple(record.stake * (seat == deal.taker) for seat in range(1, deal.seats + 1))
    contract, pot = settle_dementlieu(deal, record.stakes or alone, record.most or (deal.taker,))
    shared = record.stakes is not None and record.most is not None
    return None if record.stake == UNKNOWN else contract, pot if shared else None


def score_text(variant: str, record: ScoredDeal) -> str:
    """Return in a sentence, step by step, how the score of a deal comes about; no full stop ends it.

    ``p1 has 45 points with 2 bouts and needs 41: contract made by 4; …``, or ``all passed, so nobody wins or loses``.
    """
    deal = record.deal
    if deal is None:
        return "all passed, so nobody wins or loses"
    side = tuple(seat for seat in (deal.taker, deal.partner) if seat)
    has, needs = ("have", "need") if side[1:] else ("has", "needs")
    counted = "point" if deal.halves in (1, 2) else "points"
    points = f"{seats_text(side)} {has} {in_points(deal.halves)} {counted} with {_bouts_text(deal.bouts)}"
    result = f"contract {'made' if deal.margin >= 0 else 'missed'}"
    result += f" by {in_points(abs(deal.margin))}" if deal.margin else ""
    begin = f"{points} and {needs} {POINTS_NEEDED[deal.bouts]}: {result}"
    return "; ".join((begin, *(_steps_fft(deal) if variant == "fft" else _steps_dementlieu(deal, record))))


def _steps_fft(deal: PlayedDeal) -> Iterator[str]:
    """Yield each step of a score in fft as a sentence shows it, and then what is paid: ``petit au bout 10 × 2
    = +20``.
    """
    total, gains = 0, settle_fft(deal)
    for reason, amount in lines_fft(deal):
        yield f"{reason} = {amount:+}" if "×" in reason else f"{reason} {amount:+}"
        total += amount
    side = [seat for seat in (deal.taker, deal.partner) if seat]
    received = " and ".join(f"p{seat} {gains[seat - 1]:+}" for seat in side)
    yield f"{_payment_text(total, deal.seats - len(side))}, {received}"


def _steps_dementlieu(deal: PlayedDeal, record: ScoredDeal) -> Iterator[str]:
    """Yield each step of a score in dementlieu as a sentence shows it: ``stake 5 × 2 = +10``.

    They are the stake, what is paid, and the pot if it is known; if the stake is not known, only that.
    """
    if record.stake == UNKNOWN:
        yield "the stake was not written down"
        return
    due = record.stake * MULTIPLIERS[deal.bid] * (1 if deal.margin >= 0 else -1)
    yield f"stake {'' if due > 0 else '-'}{record.stake} × {MULTIPLIERS[deal.bid]} = {due:+}"
    yield f"{_payment_text(due, deal.seats - 1)}, p{deal.taker} {due * (deal.seats - 1):+}"
    if record.stakes is not None and record.most is not None:
        pot = sum(record.stakes)
        shared = f", {Fraction(pot, len(record.most))} each" if len(record.most) > 1 else ""
        yield f"the pot of {pot} to {seats_text(record.most)}{shared}"


def _payment_text(amount: int, defenders: int) -> str:
    """Return what each defender gets when the taker's side wins ``amount`` from each of them: ``each of 3 defenders
    -10``.
    """
    return f"each of {defenders} defenders {-amount:+}"


def _bouts_text(bouts: int) -> str:
    """Return a number of bouts in words: ``0 -> "no bouts"``, ``1 -> "1 bout"``."""
    return how_many(bouts, "bout") if bouts else "no bouts"


def seats_text(seats: tuple[int, ...]) -> str:
    """Return seats as a sentence lists them: ``p1 and p3``, with three of them ``p1 and p2 and p3``."""
    return " and ".join(f"p{seat}" for seat in seats)


# --- a deal that was played ---


def _possible_score(state: State, move: Move) -> Refused | None:
    """Return the refusal of a scored deal whose numbers contradict each other or the cards; the word may stand.

    None for a deal that is possible or in which all passed, and for any other word.
    """
    if type(move) is not ScoredDeal or move.deal is None:
        return None
    of, because = impossible(state.options.variant, move.deal, move.most, restricted=state.options.ecart)
    return Refused(f"{of} cannot be as written: {because}") if of else None


SETTLEMENT: Clause[State, Move] = clause_by_variant(
    "tarot.settlement",
    {
        "dementlieu": "A deal is settled by the contract and by the pot; Score and Pot are running totals.",
        "fft": "A deal is settled by the contract and its premiums; Score is a running total.",
    },
    {
        "dementlieu": f"house ruling on {PAGE}; {parent('Le calcul des scores')}",
        "fft": section("Le calcul des scores; La marque en donnes libres"),
    },
    _possible_score,
)


def partner(state: State) -> int:
    """Return the seat that holds the called card. It is 0 if the taker called none or holds it himself, or if nobody is
    known to hold it yet.
    """
    king = state.round.called_card
    if king < 0:
        return 0
    holder = next((seat for seat in range(1, state.options.seats + 1) if state.sure[seat - 1] >> king & 1), 0)
    return 0 if holder == state.round.taker else holder


def piles(state: State) -> Piles:
    """Return how the cards of a finished deal are counted to the sides and seats (see ``count_piles``).

    Its last trick is won, and every card is written down. Cards that were not played lie aside; they count for the
    taker's side, except after a GardeContre.
    """
    options, start = state.options, state.round
    side = frozenset({start.taker, partner(state) or start.taker})
    aside = DECK & ~state.played_cards
    return count_piles(
        options.variant, options.seats, side, start.taker, state.tricks, aside, BIDS[start.bid] != "GardeContre"
    )


def won_so_far(state: State) -> tuple[int, ...]:
    """Return by seat the half points of the tricks it has won; the fool counts where it was played.

    Tricks with a card that nobody wrote down are left out.
    """
    seats = state.options.seats
    won = [0] * seats
    for trick in state.tricks:
        if not state.unnamed_cards or min(trick.cards) >= 0:
            won[seat_at(trick, winner(trick.cards), seats) - 1] += half_points(
                state.options.variant, set_of(trick.cards)
            )
    return tuple(won)


def settle(state: State) -> State:
    """Return a deal that is played to its end with the new running scores and pots; the next deal is not begun.

    A part that depends on unwritten cards or stakes stays as it was, and ``round.past`` notes that it is missing.
    """
    sums, pot = _totals_if_alike(state) if state.unnamed_cards else new_totals(state)
    if sums is not None and pot is not None:
        return replace(state, totals=sums, pot=pot)
    past = state.round.past
    past = replace(past, unscored_deals=past.unscored_deals + (sums is None), unshared=past.unshared or pot is None)
    return replace(state, totals=sums or state.totals, pot=pot or state.pot, round=replace(state.round, past=past))


def _totals_if_alike(state: State) -> tuple[tuple[int, ...] | None, tuple[Fraction, ...] | None]:
    """Return what ``new_totals`` returns if it is the same whatever the unwritten cards were.

    A part that differs is None. Both are None if there are more than MOST_FILLED ways to name the cards.
    """
    totals, pots = set[tuple[int, ...] | None](), set[tuple[Fraction, ...] | None]()
    for tried, deal in enumerate(filled_deals(state)):
        if deal is not None:
            gained = new_totals(deal)
            totals.add(gained[0])
            pots.add(gained[1])
        if (len(totals) > 1 and len(pots) > 1) or tried >= MOST_FILLED:
            return None, None
    return totals.pop() if len(totals) == 1 else None, pots.pop() if len(pots) == 1 else None


def new_totals(state: State) -> tuple[tuple[int, ...] | None, tuple[Fraction, ...] | None]:
    """Return (the running scores by seat, the running pots by seat) after a deal that is played to its end.

    Each is None if it depends on a stake that nobody wrote down. In fft there is no pot, and the pots stay as they
    were. All cards must be written down.
    """
    contract, pot = gains(state.options.variant, deal_of(state))
    totals = None if contract is None else tuple(map(add, state.totals, contract))
    if state.options.variant == "fft":
        return totals, state.pot
    return totals, None if pot is None else tuple(map(add, state.pot, pot))


def deal_of(state: State) -> ScoredDeal:
    """Return a deal that is played to its end, with every card written down, as the values that its score is computed
    from.

    In dementlieu it has the stakes too: a bid without one counts as 1, and if one is unknown, ``stakes`` is None.
    """
    options, start, won = state.options, state.round, piles(state)
    values = tuple(poignee_value(options.seats, cards.bit_count()) for _, cards in start.poignees)
    bid = BIDS[start.bid]
    bouts, halves = (won.side & BOUTS).bit_count(), half_points(options.variant, won.side)
    with_whom = partner(state)
    deal = PlayedDeal(
        options.seats, start.taker, with_whom, bid, bouts, halves, won.petit, values, start.chelem, won.swept
    )
    if options.variant == "fft":
        return ScoredDeal(deal)
    stakes = [0] * options.seats
    for call in start.bids:
        if call.bid:
            stakes[call.seat - 1] = call.stake or 1
    known_stakes = None if UNKNOWN in stakes else tuple(stakes)
    return ScoredDeal(deal, stakes[start.taker - 1], known_stakes, seats_with_most("dementlieu", won.own))


def with_last_card(state: State, move: Play) -> State:
    """Return the deal with its last trick won, as it is scored.

    Args:
        state: the state before the last card; all others are written down.
        move: the last card.
    """
    bit, place = 1 << move.card, move.seat - 1
    sure = tuple(cards | bit if at == place else cards for at, cards in enumerate(state.sure))
    trick = trick_of((*state.trick_cards, move.card), (*state.trick_seats, move.seat))
    return replace(state, sure=sure, tricks=(*state.tricks, trick), played_cards=state.played_cards | bit)


def add_scored_deal(state: State, deal: ScoredDeal) -> State:
    """Return the state with the running scores and pots after a deal that is written as its score.

    A part that cannot be known stays as it was, and ``round.past`` notes that it is missing. Nothing changes if all
    passed.
    """
    if deal.deal is None:
        return state
    contract, pot = gains(state.options.variant, deal)
    past, fft = state.round.past, state.options.variant == "fft"
    past = replace(
        past,
        unscored_deals=past.unscored_deals + (contract is None),
        unshared=past.unshared or (pot is None and not fft),
    )
    return replace(
        state,
        totals=state.totals if contract is None else tuple(map(add, state.totals, contract)),
        pot=state.pot if pot is None else tuple(map(add, state.pot, pot)),
        round=replace(state.round, past=past),
    )


def score_of_deal(before: State, move: Move, after: State) -> str:
    """Return in a sentence how the deal that a word ended was scored; empty if it ended none.

    Of a deal with unwritten cards it says only that it is over, of a misdeal or a petit sec that it is void.

    Args:
        before: the state before the word.
        move: the word.
        after: the state after it.
    """
    if after.round.since != after.ply or after.ply == before.ply:
        return ""
    if isinstance(move, (Maldonne, PetitSec)):
        return "the deal is void"
    if isinstance(move, ScoredDeal):
        return score_text(before.options.variant, move)
    if isinstance(move, Bid):
        return score_text(before.options.variant, ScoredDeal(None))
    if not isinstance(move, Play) or before.unnamed_cards or move.card < 0:
        return "the deal is over"
    return score_text(before.options.variant, deal_of(with_last_card(before, move)))


def shares_by_score(totals: Sequence[int | Fraction]) -> tuple[int, ...]:
    """Return by seat its share of the win: 1 for each seat with the highest running score, 0 for the others.

    ``(10, -5, 10) -> (1, 0, 1)``.
    """
    best = max(totals)
    return tuple(1 if points == best else 0 for points in totals)
