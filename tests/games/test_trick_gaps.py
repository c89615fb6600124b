"""A trick game of nine cards with plies that nobody wrote, held to every card that they may have been."""

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

from cartulary.engine.cards.deck import deck_of
from cartulary.engine.contract import Sheet
from cartulary.engine.tricks import Description, TrickGame, follow_suit, rules_from
from cartulary.notation import loads, whist
from cartulary.notation.arbiter.gapped import with_gaps
from cartulary.notation.arbiter.heading import Heading
from cartulary.notation.arbiter.walk import Walk, walk
from cartulary.notation.tricks import trick_game
from cartulary.testing import tables

DECK = deck_of("CDH", "234")
SEATS = DEALS_AT_MOST = 3
RULES = TrickGame(
    Description(
        key="nine",
        rules=rules_from("none", {"order": "Tricks are played.", "score": "Each trick is a point."}),
        deck=DECK,
        seats=(SEATS,),
        hand=lambda seats, deal: len(DECK.names) // seats,
        obligations=(follow_suit(DECK),),
        score=lambda deal: (deal.tricks, ()),
        ends=lambda points, deals, seats, target: deals == DEALS_AT_MOST,
    )
)
GAME = with_gaps(trick_game(RULES, whist.__file__ or "", "Nine", "nine-1", "Nine: nine cards."))


def verdict(words: list[str]) -> str:
    """Return what the arbiter says of a record: legal, undecided or irregular."""
    [record] = loads(tables.sheet("Nine", {}, " ".join(words)))
    walked = walk(record, Heading(GAME, "nine-1", "standard", Sheet("standard", {}, SEATS)))
    assert isinstance(walked, Walk)
    assert walked.plies_reached == len(words), words
    severities = {finding.severity for finding in walked.findings}
    return "irregular" if "error" in severities else "undecided" if "undecided" in severities else "legal"


def deal_played(random: Random, dealer: int) -> list[tuple[int, str]]:
    """Return (seat, card) of every card of a deal, among them now and then a revoke."""
    names = random.sample(DECK.names, len(DECK.names))
    hands = {seat: names[3 * seat - 3 : 3 * seat] for seat in range(1, SEATS + 1)}
    cards: list[tuple[int, str]] = []
    leader = dealer % SEATS + 1
    while any(hands.values()):
        trick: list[tuple[int, str]] = []
        for seat in seats_from(leader):
            suit = [card for card in hands[seat] if trick and card[-1] == trick[0][1][-1]]
            card = random.choice(hands[seat] if random.random() < 0.2 else suit or hands[seat])
            hands[seat].remove(card)
            trick.append((seat, card))
        cards += trick
        leader = taken_by(trick)
    return cards


def seats_from(leader: int) -> list[int]:
    """Return the seats in the order in which they play to a trick."""
    return [(leader - 1 + by) % SEATS + 1 for by in range(SEATS)]


def taken_by(trick: list[tuple[int, str]]) -> int:
    """Return the seat that takes a trick."""
    return max((one for one in trick if one[1][-1] == trick[0][1][-1]), key=lambda one: one[1])[0]


def revokes(words: list[str], dealer: int) -> set[int] | None:
    """Return the plies of a deal that is written whole at which somebody revoked; None if the seats do not fit."""
    cards: list[tuple[int, str, str]] = []
    leader = dealer % SEATS + 1
    for first in range(0, len(words), SEATS):
        trick: list[tuple[int, str]] = []
        for seat, word in zip(seats_from(leader), words[first : first + SEATS], strict=True):
            prefix, _, card = word.rpartition("/")
            if prefix and prefix != f"p{seat}":
                return None
            trick.append((seat, card))
            cards.append((seat, card, trick[0][1][-1]))
        leader = taken_by(trick)
    return {
        ply
        for ply, (seat, card, suit) in enumerate(cards, 1)
        if card[-1] != suit and any(seat == other and later[-1] == suit for other, later, _ in cards[ply:])
    }


def wholes(words: list[str]) -> Iterator[list[str]]:
    """Yield a deal with every card that its gaps may have been."""
    gaps = [at for at, word in enumerate(words) if word.endswith("~")]
    left = [card for card in DECK.names if not any(word.endswith(card) for word in words)]
    for chosen in permutations(left, len(gaps)):
        cards = dict(zip(gaps, chosen, strict=True))
        yield [word.replace("~", cards[at]) if at in cards else word for at, word in enumerate(words)]


def true_verdicts(deals: list[list[str]]) -> set[str]:
    """Return what may be said of a record: legal if no way to fill its gaps has a revoke, and so on."""
    ways = [
        [revoked for whole in wholes(words) for revoked in (revokes(whole, SEATS + at),) if revoked is not None]
        for at, words in enumerate(deals)
    ]
    broken = [any(way) for way in product(*ways)]
    if not any(broken):
        return {"legal", "undecided"}
    in_all = any(set.intersection(*each) for each in ways)
    return {"undecided", "irregular"} if in_all else {"undecided"}


def test_a_record_is_legal_only_if_every_way_to_fill_its_gaps_is() -> None:
    verdicts = set[str]()
    for seed in range(150):
        random = Random(f"nine {seed}")
        deals: list[list[str]] = []
        for at in range(2):
            cards = deal_played(random, SEATS + at)
            gaps = random.sample(range(len(cards)), random.choice((1, 2)))
            words = ["~" if ply in gaps else card for ply, (_, card) in enumerate(cards)]
            deals.append(
                [
                    f"p{seat}/{word}" if random.random() < 0.1 else word
                    for (seat, _), word in zip(cards, words, strict=True)
                ]
            )
        words = [word for deal in deals for word in deal]
        verdicts.add(verdict(words))
        assert verdict(words) in true_verdicts(deals), (seed, words)
    assert verdicts == {"legal", "undecided", "irregular"}


def test_what_one_of_two_equal_positions_proves_stays_open() -> None:
    # At ply 8 it turns on ply 2 whether p3 revoked at ply 3; in the next deal both positions are the same.
    first, second = "2D ~ 2C 4H 2H 3H 3D 3C ~", "~ 3C 4C 2H 4H 3H 3D 4D 2D"
    assert verdict(first.split()) == "undecided"
    assert verdict(f"{first} {second}".split()) == "undecided"
