"""Which card points a side can have: the ranges against every way in which the cards can lie.

The count below shares nothing with the engine but what a card is worth. It puts the three bouts in every place, counts
off the other 75 cards by what they are worth, and moves the fool as the rules do.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from cartulary.engine.tarot.score import Contract, possible_points
from cartulary.notation.tarot import GAME
from tests.games.test_tarot_scored import first_state

BIDS = ("Prise", "Garde", "GardeSans", "GardeContre")
COUNTS = {"fft": {1: 59, 3: 4, 5: 4, 7: 4, 9: 4}, "dementlieu": {1: 40, 2: 19, 3: 4, 5: 4, 7: 4, 9: 4}}
"""How many cards that are no bouts are worth so many halves: pips, trumps, jacks, knights, queens, kings."""
BOUT = {"fft": 9, "dementlieu": 2}


@cache
def sums(variant: str, no_pips: bool) -> dict[tuple[int, int], int]:
    """Return what sums so many cards, so many kings among them, can have; the sums as the bits of a number."""
    ways = {(0, 0): 1}
    for worth, there in COUNTS[variant].items():
        grown: dict[tuple[int, int], int] = {}
        for (cards, kings), mask in ways.items():
            for taken in range(0 if no_pips and worth == 1 else there, -1, -1):
                place = cards + taken, kings + taken * (worth == 9)
                grown[place] = grown.get(place, 0) | mask << taken * worth
        ways = grown
    return ways


def some(variant: str, cards: int, kings: int = 4, no_pips: bool = False) -> set[int]:
    """Return what so many cards that are no bouts can be worth with at most so many kings among them."""
    masks = [sums(variant, no_pips).get((cards, held), 0) for held in range(kings + 1)]
    return {at for mask in masks for at in range(mask.bit_length()) if mask >> at & 1}


def lies(contract: Contract) -> Iterator[tuple[int, int, int, int]]:
    """Yield (bouts, swept, petit, halves) of every deal that there can be. Places of a card: own, other, aside."""
    variant, seats, bid, restricted = contract
    chien = 3 if seats == 5 else 6
    tricks = (78 - chien) // seats
    taken_up = bid in ("Prise", "Garde")
    bare = taken_up and (restricted or variant == "fft")  # no king, no bout put away
    owner = {"GardeContre": "other" if variant == "fft" else "nobody"}.get(bid, "own")
    places = ("own", "other") if bare else ("own", "other", "aside")
    for won, last, petit_at, world_at in product(range(tricks + 1), ("own", "other"), places, places):
        held = {"own": won, "other": tricks - won}
        if not held[last]:
            continue
        swept = 1 if won == tricks else -1 if not won else 0
        for petit_last in (True, False):
            petit = (1 if last == "own" else -1) if petit_last else 0
            if petit_last and petit_at != last:
                continue
            if not petit_last and petit_at != "aside" and held[petit_at] - (last == petit_at) < 1:
                continue  # there is no other trick in which it could have been won
            if world_at != "aside" and not held[world_at]:
                continue
            for pile in fools(contract, held, last, owner, bare, (petit_at, world_at)):
                yield pile[0], swept, petit, pile[1]


def fools(
    contract: Contract, held: dict[str, int], last: str, owner: str, bare: bool, bouts: tuple[str, str]
) -> Iterator[tuple[int, int]]:
    """Yield the bouts and halves of the own pile wherever the fool falls."""
    variant, seats, _, _ = contract
    chien = 3 if seats == 5 else 6
    aside = {"own": 0, "other": 0, "nobody": 0} | {owner: chien}
    whose = [owner if at == "aside" else at for at in bouts]
    own = whose.count("own")
    in_tricks = {side: held[side] * seats - bouts.count(side) for side in ("own", "other")}
    put_away = aside["own"] - sum(at == "aside" for at in bouts) * (owner == "own")
    most_kings = min(4, in_tricks["own"]) if bare else 4

    def counted(cards: int, fool: bool) -> Iterator[tuple[int, int]]:
        for halves in some(variant, cards, most_kings):
            yield own + fool, halves + BOUT[variant] * (own + fool)

    cards = in_tricks["own"] + put_away
    if not bare and chien > sum(at == "aside" for at in bouts):  # the fool lies aside
        yield from counted(cards - (owner == "own"), owner == "own")
    if variant == "dementlieu":
        for side in ("own", "other"):
            if held[side] and in_tricks[side]:
                yield from counted(cards - (side == "own"), side == "own")
        return
    for player, winner in product(("own", "other"), repeat=2):
        if not held[winner] or in_tricks[winner] < 1:
            continue
        if winner != last or held[winner] > 1:  # it falls before the last trick
            yield from stayed(contract, cards, player, winner, own, most_kings, aside, held)
        if winner != last:
            continue
        if not (held["own"] and held["other"]) and player == winner:  # led, it wins the trick itself
            yield from counted(cards - (winner == "own"), winner == "own")
        goes_to = "other" if player == "own" else "own"
        yield from counted(cards - (winner == "own"), goes_to == "own")


def stayed(
    contract: Contract,
    cards: int,
    player: str,
    winner: str,
    own: int,
    most_kings: int,
    aside: dict[str, int],
    held: dict[str, int],
) -> Iterator[tuple[int, int]]:
    """Yield the own pile after a fool that stays with its side, which gives a card worth half a point for it."""
    without = cards - (winner == "own")
    sure = 9 * (own + (player == "own"))
    if player == winner:
        for halves in some("fft", without, most_kings):
            yield own + (player == "own"), halves + sure
        return
    size = {"own": cards, "other": held["other"] * contract.seats + aside["other"]}[player]
    if size:  # paid: the piles keep their numbers of cards
        for halves in some("fft", without + (-1 if player == "own" else 1), most_kings):
            yield own + (player == "own"), halves + sure
    if contract.seats == 4 and size and held["own"] and held["other"]:
        return  # half points of four seats are taken for a slip: house ruling
    kept = size if player == "own" else size - (2 - own)
    if player == "own":  # unpaid: no card of half a point in the pile
        for halves in some("fft", kept, most_kings, no_pips=True):
            yield own + 1, halves + sure
    else:
        for halves in some("fft", kept, no_pips=True):
            yield own, 182 - halves - 9 * (3 - own)


TABLES = [
    *(Contract("fft", seats, bid, True) for seats in (3, 4, 5) for bid in BIDS),
    *(Contract("dementlieu", seats, bid, False) for seats in (3, 4) for bid in BIDS),
    *(Contract("dementlieu", seats, bid, True) for seats in (3, 4) for bid in BIDS[:2]),
]


@pytest.mark.parametrize("contract", TABLES, ids=lambda each: f"{each[0]}-{each[1]}-{each[2]}-{each[3]}")
def test_a_side_can_have_the_points_that_its_cards_can_make_and_no_others(contract: Contract) -> None:
    there: dict[tuple[int, int, int], set[int]] = {}
    for bouts, swept, petit, halves in set(lies(contract)):
        key = (bouts, 0, 0) if contract.variant == "dementlieu" else (bouts, swept, petit)
        there.setdefault(key, set()).add(halves)
    if contract.variant == "dementlieu":
        for bouts in range(4):
            assert possible_points(contract, bouts, None, 0) == there.get((bouts, 0, 0), set()), bouts
        return
    for bouts, swept, petit in product(range(4), (-1, 0, 1), (-1, 0, 1)):
        assert possible_points(contract, bouts, swept, petit) == there.get((bouts, swept, petit), set()), (
            bouts,
            swept,
            petit,
        )


@pytest.mark.parametrize(
    ("variant", "seats", "tags", "because"),
    [
        ("fft", 4, "Bid=GardeContre Bouts=3 Points=91", "Points .* has 14 to 88 points, for the chien counts for the"),
        ("fft", 5, "Bid=GardeContre Bouts=3 Points=91", "Points .* has 14 to 90 points"),
        ("fft", 4, "Bid=Prise Bouts=0 Points=0", "Points .* has 3 to 77 points, for the cards put away count too"),
        ("fft", 4, "Bid=GardeSans Bouts=0 Points=2", "Points .* for the chien counts too"),
        ("fft", 4, "Bid=Prise Bouts=1 Points=84", "Points .* with 1 bout has 7 to 82 points"),
        ("fft", 4, "Bid=Garde Bouts=2 Points=88", "Points .* with 2 bouts has 12 to 87 points"),
        (
            "fft",
            4,
            "Bid=Garde Bouts=3 Points=91 Chelem=announced",
            "Chelem .* won every trick; expected announced-made",
        ),
        ("fft", 4, "Bid=Garde Bouts=3 Points=91", "Chelem tag is missing, but .* won every trick; expected made"),
        ("fft", 4, "Bid=Garde Bouts=0 Points=3", "Chelem tag is missing, but .* won no trick; expected defence"),
        ("fft", 4, "Bid=Garde Bouts=1 Points=45 Chelem=defence", "Chelem .* that wins no trick has 7 to 23½ points"),
        ("fft", 4, "Bid=Garde Bouts=1 Points=82 Chelem=made", "Chelem .* that wins every trick has 2 or 3 bouts"),
        ("dementlieu", 4, "Bid=Garde Bouts=3 Points=89", "Points .* has 4 to 88, or 90 points"),
        ("dementlieu", 4, "Bid=GardeContre Bouts=3 Points=88", "Points .* for the chien counts for nobody"),
    ],
)
def test_a_scored_deal_that_cannot_be_is_refused_with_what_can(
    variant: str, seats: int, tags: str, because: str
) -> None:
    start = first_state(variant, seats)
    by_name = dict(tag.split("=") for tag in tags.split())
    answer = GAME.points.from_tags({"Taker": "p1", **by_name}, start)
    assert answer is not None
    [(tag, key, says)] = answer.faults
    assert key == "tarot.settlement"
    assert re.search(f"^the {because}", says), says
    assert tag == because.split()[0]


@pytest.mark.parametrize(
    ("variant", "seats", "tags"),
    [
        ("fft", 4, "Bid=GardeContre Bouts=3 Points=88 Chelem=made"),
        ("fft", 4, "Bid=GardeContre Bouts=0 Points=62 Chelem=made"),
        ("fft", 4, "Bid=GardeContre Bouts=0 Points=0 Chelem=defence"),
        ("fft", 4, "Bid=GardeContre Bouts=0 Points=2"),
        ("fft", 4, "Bid=Prise Bouts=3 Points=91 Chelem=announced-made"),
        ("fft", 4, "Bid=Prise Bouts=0 Points=5"),
        ("fft", 5, "Bid=Prise Bouts=0 Points=1.5 Chelem=defence"),
        ("dementlieu", 4, "Bid=GardeContre Bouts=0 Points=0"),
        ("dementlieu", 3, "Bid=Garde Bouts=3 Points=90"),
    ],
)
def test_a_scored_deal_at_the_bounds_is_scored(variant: str, seats: int, tags: str) -> None:
    by_name = dict(tag.split("=") for tag in tags.split())
    answer = GAME.points.from_tags({"Taker": "p1", **by_name}, first_state(variant, seats))
    assert answer is not None
    assert answer.faults == ()
