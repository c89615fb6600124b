"""A deal as a score sheet has it: what it comes to, how that is worked out, and of one only scored whether it can be.

Source: tarot.settlement; the ranges follow from the cards, 78 of them and 91 points, in dementlieu 90.
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.engine.tarot.pile_points import Contract, possible_points
from cartulary.engine.tarot.score import (
    MULTIPLIERS,
    NEEDED,
    Played,
    in_points,
    lines_fft,
    settle_dementlieu,
    settle_fft,
)
from cartulary.engine.tarot.state import UNKNOWN, State

POINTS = {"dementlieu": 180, "fft": 182}
"""All card points, in halves."""
CHIEN_AT_MOST = 4 * 9 + 2 * 7
"""What six cards of dementlieu count at the most, four kings and two queens, in halves."""


class Scored(Struct, frozen=True):
    """A deal as its score is worked out.

    Attributes:
        deal: the deal, None if all passed.
        stake: the taker's stake in dementlieu: 1 if the bid named none, UNKNOWN if nobody wrote it down.
        stakes: by seat, the stake that its bid put into the pot, 0 if it passed; None if that is not known.
        most: the seats with the most card points, None if they are not known.
    """

    deal: Played | None
    stake: int = 1
    stakes: tuple[int, ...] | None = None
    most: tuple[int, ...] | None = None


def impossible(
    variant: str, deal: Played, best: tuple[int, ...] | None = None, *, restricted: bool = False
) -> tuple[str, str]:
    """Return the tag that says what cannot have been, and why; empty where the deal can have been.

    What a pile can hold follows from the cards (house ruling). Of four seats a half point is taken for a slip though a
    side whose pile holds no card of half a point keeps the fool unpaid (house ruling).

    Args:
        variant: whose rules count the cards.
        deal: what was written down.
        best: the seats with the most card points, None where nobody says.
        restricted: in dementlieu, whether the option ecart=fft holds.
    """
    contract = Contract(variant, deal.seats, deal.bid, restricted)
    if variant == "fft" and deal.seats == 4 and deal.halves % 2 and not deal.swept:
        return "Points", "with four seats a side has whole points, unless a fool could not be paid for"
    ever = _ever_possible(contract, deal.bouts)
    if not _agrees(deal, ever):
        return "Points", f"{_pile_said(deal)} has {_listed(contract, deal, ever)}{_what_counts(contract, deal, ever)}"
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
            f"p{deal.taker} has {in_points(deal.halves)} of the 90 points: {seats_said(best)} cannot have the most",
        )
    return "", ""


def _ever_possible(contract: Contract, bouts: int) -> frozenset[int]:
    """Return what the taker's side can have with so many bouts, whoever won every trick or the petit."""
    return possible_points(contract, bouts, None, 0).union(
        *(possible_points(contract, bouts, None, petit) for petit in (-1, 1))
    )


def _agrees(deal: Played, possible: frozenset[int], halves: int | None = None) -> bool:
    """Say whether points are among those possible; a half point may have been rounded away from the contract.

    halves: the points asked for, by default those of the deal
    """
    halves = deal.halves if halves is None else halves
    rounded = -1 if halves >= 2 * NEEDED[deal.bouts] else 1
    return halves in possible or (halves % 2 == 0 and halves + rounded in possible)


def _listed(contract: Contract, deal: Played, possible: frozenset[int]) -> str:
    """Return the points that are taken, as a sentence lists them: ``0, or 2 to 88 points``."""
    step = 2 if contract.variant == "fft" and deal.seats == 4 and not deal.swept else 1
    fitting = [halves for halves in range(0, POINTS["fft"] + 1, step) if _agrees(deal, possible, halves)]
    runs: list[list[int]] = []
    for halves in fitting:
        if runs and halves - runs[-1][-1] <= 2:
            runs[-1].append(halves)
        else:
            runs.append([halves])
    ranges = [in_points(run[0]) + (f" to {in_points(run[-1])}" if run[1:] else "") for run in runs]
    return f"{', or '.join(ranges)} {'point' if fitting == [2] else 'points'}"


def _pile_said(deal: Played) -> str:
    return f"after a {deal.bid} with {deal.seats} seats a side with {_bouts(deal.bouts)}"


def _what_counts(contract: Contract, deal: Played, possible: frozenset[int]) -> str:
    """Return why a side cannot have more, or fewer; empty where its bouts say it."""
    if deal.bid == "GardeContre" and deal.halves > max(possible):
        return ", for the chien counts " + ("for nobody" if contract.variant == "dementlieu" else "for the defence")
    if deal.bid != "GardeContre" and deal.halves < min(possible):
        return f", for {'the chien counts' if deal.bid == 'GardeSans' else 'the cards put away count'} too"
    return ""


def _unlike_chelem(contract: Contract, deal: Played) -> str:
    """Return why the points and bouts contradict who won every trick, or that nobody did; empty where they do not."""

    def possible(swept: int, bouts: int = deal.bouts) -> frozenset[int]:
        return possible_points(contract, bouts, swept, deal.petit)

    if _agrees(deal, possible(deal.swept)):
        return ""
    with_so_much = f"with {in_points(deal.halves)} points and {_bouts(deal.bouts)} the taker's side has won"
    if not deal.swept and _agrees(deal, possible(1)):
        return f"{with_so_much} every trick; expected {'announced-made' if deal.announced else 'made'}"
    if not deal.swept and _agrees(deal, possible(-1)):
        return f"{with_so_much} no trick; expected defence"
    if not deal.swept:
        return f"{with_so_much} every trick or none"
    won = "every trick" if deal.swept > 0 else "no trick"
    if possible(deal.swept):
        return f"{_pile_said(deal)} that wins {won} has {_listed(contract, deal, possible(deal.swept))}"
    counts = [bouts for bouts in range(4) if possible(deal.swept, bouts)]
    return f"after a {deal.bid} a side that wins {won} has {' or '.join(map(str, counts))} bouts"


def _may_lead(deal: Played, halves: int, most: tuple[int, ...]) -> bool:
    """Say whether these seats may have the most points where the taker has so many, in halves.

    Of a GardeContre nobody counts the chien.
    """
    remainder, count = POINTS["dementlieu"] - halves, len(most)
    if deal.taker not in most:
        return remainder >= count * (halves + 1)
    least = remainder - (CHIEN_AT_MOST if deal.bid == "GardeContre" else 0)
    return (count - 1) * halves <= remainder and least <= (count - 1) * halves + (deal.seats - count) * (halves - 1)


def with_scored(state: State, record: Scored) -> State:
    """Return the state before the first word of a record as one whose only deal was scored so."""
    contract, pot = (state.totals, state.pot) if record.deal is None else gains(state.house.variant, record)
    past = replace(state.round.past, unshared=pot is None)
    start = replace(state.round, first=False, past=past)
    return replace(state, totals=contract or state.totals, pot=pot or state.pot, round=start)


def gains(variant: str, record: Scored) -> tuple[tuple[int, ...] | None, tuple[Fraction, ...] | None]:
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


def worked_out(variant: str, record: Scored) -> str:
    """Return in a sentence, step by step, how the score of a deal comes about."""
    deal = record.deal
    if deal is None:
        return "all passed, so nobody wins or loses"
    side = tuple(seat for seat in (deal.taker, deal.partner) if seat)
    has, needs = ("have", "need") if side[1:] else ("has", "needs")
    counted = "point" if deal.halves in (1, 2) else "points"
    points = f"{seats_said(side)} {has} {in_points(deal.halves)} {counted} with {_bouts(deal.bouts)}"
    came = f"contract {'made' if deal.over >= 0 else 'missed'}" + (f" by {in_points(abs(deal.over))}" * bool(deal.over))
    begin = f"{points} and {needs} {NEEDED[deal.bouts]}: {came}"
    return "; ".join((begin, *(_steps_fft(deal) if variant == "fft" else _steps_dementlieu(deal, record))))


def _steps_fft(deal: Played) -> Iterator[str]:
    total, gains = 0, settle_fft(deal)
    for reason, amount in lines_fft(deal):
        yield f"{reason} = {amount:+}" if "×" in reason else f"{reason} {amount:+}"
        total += amount
    side = [seat for seat in (deal.taker, deal.partner) if seat]
    yield f"{_paid(total, deal.seats - len(side))}, {' and '.join(f'p{seat} {gains[seat - 1]:+}' for seat in side)}"


def _steps_dementlieu(deal: Played, record: Scored) -> Iterator[str]:
    if record.stake == UNKNOWN:
        yield "the stake was not written down"
        return
    due = record.stake * MULTIPLIERS[deal.bid] * (1 if deal.over >= 0 else -1)
    yield f"stake {'' if due > 0 else '-'}{record.stake} × {MULTIPLIERS[deal.bid]} = {due:+}"
    yield f"{_paid(due, deal.seats - 1)}, p{deal.taker} {due * (deal.seats - 1):+}"
    if record.stakes is not None and record.most is not None:
        pot = sum(record.stakes)
        shared = f", {Fraction(pot, len(record.most))} each" if len(record.most) > 1 else ""
        yield f"the pot of {pot} to {seats_said(record.most)}{shared}"


def _paid(amount: int, defenders: int) -> str:
    return f"each of {defenders} defenders {-amount:+}"


def _bouts(bouts: int) -> str:
    return how_many(bouts, "bout") if bouts else "no bouts"


def seats_said(seats: tuple[int, ...]) -> str:
    """Return seats as a sentence lists them."""
    return " and ".join(f"p{seat}" for seat in seats)
