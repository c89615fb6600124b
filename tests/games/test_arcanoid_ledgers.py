"""What is said of hands nobody saw, weighed: held to all readings of small ledgers, counted on long records."""

from collections import Counter
from collections.abc import Callable, Iterator
from cProfile import Profile
from itertools import combinations, islice
from pstats import Stats
from random import Random

import pytest

from cartulary.engine.arcanoid import claims, ledgers
from cartulary.engine.arcanoid.ledgers import (
    ANY,
    DENIED,
    DRAWN,
    LEFT,
    OLDEST,
    SIGHTING,
    Entry,
    HandHistory,
    Ledger,
    MatchSearch,
)
from cartulary.notation import examine, loads
from cartulary.testing import tables
from tests.hunts import looks
from tests.referees.arcanoid import choices
from tests.referees.arcanoid import table as arcanoid_table
from tests.referees.arcanoid.play import Referee

LEDGERS = looks(60)


def some(rng: Random, cards: int, often: float = 0.6) -> int:
    """Return some of so many cards as bits, at least one."""
    return sum(1 << card for card in range(cards) if rng.random() < often) or 1 << rng.randrange(cards)


def scribbled(rng: Random) -> list[Entry]:
    """Return a random ledger of a small hand: a few kinds of cards, draws, cards gone, claims, cards seen."""
    cards, oldest = rng.choice((2, 3, 5)), rng.random() < 0.3
    entries = [Entry(DRAWN, some(rng, cards)) for _ in range(rng.randint(1, 4))]
    for ply in range(1, rng.randint(4, 11)):
        what = rng.random()
        if what < 0.3:
            entries.append(Entry(DRAWN, some(rng, cards)))
        elif what < 0.6:
            gone = ANY if rng.random() < 0.4 else 1 << rng.randrange(cards)
            entries.append(Entry(OLDEST if oldest and rng.random() < 0.6 else LEFT, gone, ply))
        elif what < 0.67:
            card = 1 << rng.randrange(cards)
            entries += [Entry(LEFT, card, ply, SIGHTING), Entry(DRAWN, card)]
        else:
            entries += [Entry(DENIED, some(rng, cards, 0.3), ply, f"key {ply % 3}") for _ in range(rng.randint(1, 2))]
    return entries


def windows(entries: list[Entry]) -> dict[int, range]:
    """Return by place which drawings, counted from 1, the oldest may be; none where a card seen broke the order."""
    found: dict[int, range] = {}
    for place, entry in enumerate(entries):
        if entry.what == OLDEST and not any(one.key == SIGHTING for one in entries):
            gone = sum(one.what == OLDEST for one in entries[: place + 1])
            found[place] = range(gone, gone + sum(one.what == LEFT for one in entries[:place]) + 1)
    return found


def readings(entries: list[Entry]) -> Iterator[dict[int, int]]:
    """Yield every way to give what left a drawing before it, by the place of the drawing."""
    order, place_of = windows(entries), [at for at, one in enumerate(entries) if one.what == DRAWN]
    leaves = [at for at, one in enumerate(entries) if one.what in (LEFT, OLDEST)]

    def given(rest: list[int], taken: dict[int, int]) -> Iterator[dict[int, int]]:
        if not rest:
            yield taken
            return
        for number, drawing in enumerate(place_of, 1):
            fits = drawing < rest[0] and entries[drawing].cards & entries[rest[0]].cards
            if fits and drawing not in taken and number in order.get(rest[0], (number,)):
                yield from given(rest[1:], taken | {drawing: rest[0]})

    yield from given(leaves, {})


def may_be(entries: list[Entry], reading: dict[int, int], drawing: int) -> int:
    """Return what a drawing may have been, as bits, if no claim is true."""
    return entries[drawing].cards & (entries[reading[drawing]].cards if drawing in reading else -1)


def there(entries: list[Entry], reading: dict[int, int], place: int) -> list[int]:
    """Return the drawings in the hand at a place."""
    drawings = [at for at, one in enumerate(entries[:place]) if one.what == DRAWN]
    return [drawing for drawing in drawings if reading.get(drawing, len(entries)) > place]


def is_true(entries: list[Entry], reading: dict[int, int], plies: tuple[int, ...]) -> bool:
    """Say whether the claims of these plies may all be true on a reading."""
    cards = {at: may_be(entries, reading, at) for at, one in enumerate(entries) if one.what == DRAWN}
    for place, claim in enumerate(entries):
        if claim.what == DENIED and claim.ply in plies:
            for drawing in there(entries, reading, place):
                cards[drawing] &= ~claim.cards
    return all(cards.values())


def is_false(entries: list[Entry], reading: dict[int, int], ply: int) -> bool:
    """Say whether the hand may have held on a reading what a claim of a ply denies."""
    return any(
        may_be(entries, reading, drawing) & claim.cards
        for place, claim in enumerate(entries)
        if claim.what == DENIED and claim.ply == ply
        for drawing in there(entries, reading, place)
    )


def least(plies: tuple[int, ...], kept: tuple[int, ...], ways: list[dict[int, int]], entries: list[Entry]) -> int:
    """Return the first ply with which, and all before it, those kept cannot be true; 0 if those kept alone cannot."""
    for count in range(len(plies) + 1):
        if not any(is_true(entries, one, (*plies[:count], *kept)) for one in ways):
            return plies[count - 1] if count else 0
    raise AssertionError("they may all be true")


def check(entries: list[Entry], ledger: Ledger, seen: Counter[str]) -> None:
    """Check what is said of a ledger against all its readings."""
    ways = list(readings(entries))
    plies = tuple(dict.fromkeys(one.ply for one in entries if one.what == DENIED))
    assert tuple(claims.claims_of(ledger)) == plies
    for count in (*range(min(3, len(plies) + 1)), len(plies)):
        for those in combinations(plies, count):
            assert claims.can_all_hold(ledger, those) == any(is_true(entries, one, those) for one in ways), (
                entries,
                those,
            )
    for those in (plies, plies[1:], plies[::2]):
        expected, rest = tuple[int, ...](), those
        if not any(is_true(entries, one, those) for one in ways):
            while last := least(rest, expected, ways, entries):
                expected = (last, *expected)
                rest = tuple(ply for ply in rest if ply < last)
        seen[f"clash of {len(expected)}"] += 1
        assert claims.find_clash(ledger, those) == expected, (entries, those)
    still = {ply for ply in plies if any(is_false(entries, one, ply) for one in ways)}
    seen.update(unanswered=len(still), answered=len(plies) - len(still))
    assert {ply for ply, _ in claims.open_claims(ledger)} == still, entries


def hold_to_readings(count: int) -> Counter[str]:
    """Check random ledgers, so many, against all their readings; return how often what was met."""
    seen = Counter[str]()
    for number in range(count):
        entries = scribbled(Random(f"ledgers {number}"))
        ledger = Ledger(1)
        for place, entry in enumerate(entries, 1):
            ledger = claims.add_entries(ledger, entry)
            if place == len(entries) or number % 5 == place % 5:
                check(entries[:place], ledger, seen)
        gone = {ply for ply in claims.claims_of(ledger) if ply % 2}
        fewer = [one for one in entries if one.what != DENIED or one.ply not in gone]
        check(fewer, claims.without_claims(ledger, gone), seen)
        assert claims.entries_of(claims.without_claims(ledger, gone)) == fewer
    return seen


@pytest.mark.hunt
@pytest.mark.parametrize(("row", "far"), [(64, 64), (4, -1)])
def test_a_ledger_says_what_all_its_readings_say(row: int, far: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "ROW", row)
    monkeypatch.setattr(ledgers, "ROW", row)
    monkeypatch.setattr(claims, "_FAR", far)
    seen = hold_to_readings(LEDGERS)
    assert min(seen["clash of 1"], seen["clash of 2"], seen["unanswered"], seen["answered"]) > 0, seen


def all_but_the_first(find: Callable[..., Iterator[int]]) -> Callable[..., Iterator[int]]:
    """Return what finds all edges of a line but the first."""
    return lambda *given: islice(find(*given), 1, None)


FAULTS: dict[str, tuple[type, str, object]] = {
    "what left misses a drawing": (MatchSearch, "possible_drawings", all_but_the_first(MatchSearch.possible_drawings)),
    "a drawing misses what left": (
        MatchSearch,
        "_possible_departures",
        all_but_the_first(MatchSearch._possible_departures),
    ),
    "a claim forbids nothing": (MatchSearch, "may_be", lambda search, place, before=None: 1),
    "the oldest may be any": (MatchSearch, "fits_order", lambda search, drawing, line: True),
    "what may change places misses one": (HandHistory, "_successors", all_but_the_first(HandHistory._successors)),
    "nothing leads back": (HandHistory, "_predecessors", lambda held, place, may: iter(())),
    "a card was nowhere": (HandHistory, "may_have_held", lambda held, place, cards: False),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_matching_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[fault])
    with pytest.raises(AssertionError):
        hold_to_readings(200)


def dealt(rng: Random) -> Iterator[Entry]:
    """Yield a long ledger in which all is true: a hand of four, a deck shuffled anew, cards put away mostly seen."""
    deck, hand, pile = rng.sample(range(20), 20), list[int](), list[int]()
    shuffled = frozenset(deck)
    unseen = rng.choice((0.0, 0.0, 0.1))
    for ply in range(1, 150):
        while len(hand) < 4:
            if not deck:
                deck, pile, shuffled = rng.sample(pile, len(pile)), [], frozenset(pile)
            hand.append(deck.pop())
            yield Entry(DRAWN, sum(1 << card for card in shuffled if card not in pile))
        if ply % 7 == 0:
            yield Entry(DENIED, 1 << rng.choice([card for card in range(20) if card not in hand]), ply, "key")
        card = hand.pop(rng.randrange(4))
        pile.append(card)
        yield Entry(LEFT, ANY if rng.random() < unseen else 1 << card, ply)


@pytest.mark.hunt
def test_what_is_settled_of_a_long_ledger_leaves_a_reading_that_bears_the_truth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(claims, "_FAR", 0)
    settled = 0
    for number in range(LEDGERS // 4):
        ledger = Ledger(1)
        for entry in dealt(Random(f"dealt {number}")):
            ledger = claims.add_entries(ledger, entry)
            assert not ledger.without_mate, (number, entry)
        settled += ledger.final_before > 0
    assert settled


# --- long rounds ---


class Discarding(arcanoid_table.Scribe):
    """Two who discard, each card named, and call now and then; every deck that ends is shuffled anew."""

    def deal(self) -> None:
        super().deal()
        self.called = 0

    def step(self) -> None:
        """Say one word, always Yes."""
        if not self.game.votes:
            super().step()
            return
        self.say("Yes")
        if self.game.fresh:
            deck = list(self.game.shuffled.elements())
            self.rng.shuffle(deck)
            self.tell("p0/*", deck)

    def masked(self, key: str, body: str) -> str:
        """Return the word: whatever is put away is seen."""
        return body

    def moves(self, rng: Random, game: Referee, key: str) -> Iterator[str]:
        """Yield a call every forty plies, or discards."""
        asking = ("T05", "T17", "T18", "T19")
        player, plies = game.players[key], len(self.words)
        held = [card for card in player.cards() if card in asking]
        if held and plies >= self.called + 40:
            self.called = plies
            yield from choices.trump(rng, game, player, rng.choice(held))
        rest = [card for card in player.cards() if card not in asking]
        while True:
            yield f"{rng.choice(rest or player.cards())}-"


def discarded(plies: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a record of so many plies, what the table saw of it."""
    scribe = Discarding(Random("long rounds"), Referee(2, "dresden", "rounds=1", 1))
    monkeypatch.setattr(arcanoid_table, "wishes", scribe.moves)
    scribe.deal()
    while len(scribe.table) < plies:
        scribe.step()
    return tables.sheet("Arcanoid", {"Seat1": "?", "Seat2": "?", "Options": "rounds=1"}, " ".join(scribe.table))


def test_a_round_of_twice_as_many_claims_nobody_answers_takes_twice_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: dict[int, int] = {}
    for plies in (800, 1600):
        [record] = loads(discarded(plies, monkeypatch))
        examine(record)
        with Profile() as profile:
            report = examine(record).report
        calls[plies] = Stats(profile).total_calls  # type: ignore[attr-defined]
        assert report.verdict == "undecided"
        assert len(report.findings) > plies // 200
    assert calls[1600] <= 2.3 * calls[800], calls
