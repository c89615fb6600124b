"""Hidden hands without a game: a toy of tricks in small decks, against every deal there is.

Records know some of the deal, leave some cards unwritten, and hold revokes. The referee here keeps every *world* that
fits what was told so far, a world being a whole deal and all cards played, and asks nothing of the package.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import pytest

from cartulary.engine.cards.deck import cards_of, deck_of, set_of
from cartulary.engine.cards.hands import (
    Evidence,
    Hands,
    begin,
    cards_left,
    holds,
    may_have_been,
    may_hold,
    must_hold,
    play,
    play_unnamed,
    see,
    tell,
    view,
    whereabouts,
)
from cartulary.engine.cards.layouts import Fact, Places, Question
from cartulary.engine.cards.revokes import (
    add_questions,
    clash_text,
    follow_questions,
    is_covered,
    judge,
    pending,
    still_open,
    store_questions,
    verdict,
)
from cartulary.engine.contract import Clause, Open
from tests.hunts import looks

RECORDS = looks(60)
KEY = "toy.follow-suit"
NOBODY = -1


class World(NamedTuple):
    """home: by card its place as dealt; said: the cards played, in order."""

    home: tuple[int, ...]
    said: tuple[int, ...]

    def hand(self, place: int, until: int) -> set[int]:
        """Return the hand before the card played in this place of the order."""
        gone = self.said[:until]
        return {card for card, its in enumerate(self.home) if its == place and card not in gone}


class Card(NamedTuple):
    """A card played. ply: of the record; at, lead: its place and that of the card led, in the order played."""

    ply: int
    place: int
    at: int
    lead: int


class Toy(NamedTuple):
    """A way to play: how many cards each place has, of which the first ``seats`` play; the suits have equal length."""

    sizes: tuple[int, ...]
    seats: int
    suits: int

    @property
    def cards(self) -> range:
        return range(sum(self.sizes))

    @property
    def masks(self) -> tuple[int, ...]:
        length = len(self.cards) // self.suits
        return tuple(((1 << length) - 1) << length * suit for suit in range(self.suits))

    def suit(self, card: int) -> int:
        return card // (len(self.cards) // self.suits)

    def revoked(self, world: World, card: Card) -> bool:
        """Say whether a card did not follow suit though its hand could."""
        led, own = self.suit(world.said[card.lead]), self.suit(world.said[card.at])
        return led != own and any(self.suit(held) == led for held in world.hand(card.place, card.at))


TOYS = (
    *(Toy((3, 3, 3), 3, 3), Toy((4, 4), 2, 2), Toy((3, 3, 2), 2, 2), Toy((2, 2, 2, 2), 4, 2), Toy((5, 5), 2, 2)),
    Toy((4, 4, 4), 3, 3),
)


def deals(toy: Toy, known: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the homes of every deal in which each place has the cards known of it."""
    free = [card for card in toy.cards if not any(cards >> card & 1 for cards in known)]

    def lay(place: int, rest: list[int], home: dict[int, int]) -> Iterator[tuple[int, ...]]:
        if place == len(toy.sizes):
            yield tuple(home[card] for card in toy.cards)
            return
        own = list(cards_of(known[place]))
        for some in combinations(rest, toy.sizes[place] - len(own)):
            put = home | dict.fromkeys((*own, *some), place)
            yield from lay(place + 1, [card for card in rest if card not in some], put)

    yield from lay(0, free, {})


class Played:
    """A record made up at random, told card by card to the package and to the worlds that fit it."""

    def __init__(self, random: Random, toy: Toy, *, openly: bool = False) -> None:
        self.random, self.toy = random, toy
        self.truth = random.sample(toy.cards, len(toy.cards))
        order = [place for place, size in enumerate(toy.sizes) for _ in range(size)]
        self.home = tuple(place for _, place in sorted(zip(self.truth, order, strict=True)))
        share = random.choice((0.0, 0.0, 0.0, 0.3, 1.0)) if len(toy.cards) < 12 else random.choice((0.5, 0.7))
        share = 1.0 if openly else share
        self.dealt = [
            set_of(card for card in toy.cards if self.home[card] == place and random.random() < share)
            for place in range(len(toy.sizes))
        ]
        self.hands = begin(Places((1 << len(toy.cards)) - 1, toy.sizes), self.dealt)
        self.worlds = [World(home, ()) for home in deals(toy, self.dealt)]
        self.told: list[tuple[int, list[World]]] = []
        self.events: list[tuple[str, int, int]] = []
        self.said: list[int] = []
        self.trick: list[int] = []
        self.cards: list[Card] = []
        self.refused: set[int] = set()
        self.proved: list[Evidence] = []
        self.ply = 0
        self.blank = random.choice((0.0, 0.1, 0.25))
        self.wrong = random.choice((0.3, 0.6, 0.9))

    def run(self) -> "Played":
        """Play to the end, or break off."""
        leader, rounds = 0, min(self.toy.sizes[: self.toy.seats])
        stop = self.random.randrange(rounds * self.toy.seats) if self.random.random() < 0.5 else NOBODY
        for _ in range(rounds):
            lead = len(self.said)
            seats = [(leader + turn) % self.toy.seats for turn in range(self.toy.seats)]
            for place in seats:
                if len(self.said) == stop:
                    return self
                self.aside()
                self.turn(place, lead)
            self.judged()
            trick = self.said[lead:]
            best = max(card for card in trick if self.toy.suit(card) == self.toy.suit(trick[0]))
            leader = seats[trick.index(best)]
            self.trick = []
        return self

    def turn(self, place: int, lead: int) -> None:
        """Let a seat play a card, written down or not, and ask at once whether it followed suit."""
        held = sorted(World(self.home, tuple(self.said)).hand(place, len(self.said)))
        led = self.toy.suit(self.said[lead]) if lead < len(self.said) else None
        fits = [card for card in held if self.toy.suit(card) == led] or held
        card = self.random.choice(held if self.random.random() < self.wrong else fits)
        at = len(self.said)
        self.ply += 1
        self.said.append(card)
        if self.random.random() < self.blank:
            self.events.append(("unnamed", place, self.ply))
            self.trick.append(~len(self.hands.unnamed_cards))
            self.hands = play_unnamed(self.hands, place, self.ply)
            self.worlds = [
                World(world.home, (*world.said, other)) for world in self.worlds for other in world.hand(place, at)
            ]
        else:
            self.events.append((f"play {card}", place, self.ply))
            self.trick.append(card)
            self.hands = play(self.hands, place, card, self.ply)
            self.worlds = [
                World(world.home, (*world.said, card)) for world in self.worlds if card in world.hand(place, at)
            ]
        self.told.append((self.ply, self.worlds))
        if at > lead:
            self.cards.append(Card(self.ply, place, at, lead))
            asked = follow_questions(self.hands, self.ply, KEY, place, self.toy.masks, self.trick[0], self.trick[-1])
            quick, exact = (verdict(self.hands, asked, exactly=exactly) for exactly in (False, True))
            assert exact is self.among(self.worlds, self.cards[-1])
            assert quick in (None, exact)
            if exact:
                self.refused.add(self.ply)
            elif quick is None:
                self.hands = add_questions(self.hands, asked)

    def among(self, worlds: Iterable[World], card: Card) -> bool | None:
        """Say whether a card broke the rule in all worlds, in none, or in some."""
        seen = {self.toy.revoked(world, card) for world in worlds}
        return None if len(seen) == 2 else seen.pop()

    def aside(self) -> None:
        """Now and then tell what no card played tells: a card shown in a hand, or what an unnamed one was not."""
        if self.random.random() < 0.1:
            place = self.random.randrange(len(self.toy.sizes))
            held = sorted(World(self.home, tuple(self.said)).hand(place, len(self.said)))
            if held:
                card = self.random.choice(held)
                self.ply += 1
                self.events.append((f"see {card}", place, self.ply))
                self.hands = see(self.hands, place, 1 << card, self.ply)
                self.worlds = [world for world in self.worlds if card in world.hand(place, len(self.said))]
                self.told.append((self.ply, self.worlds))
        if self.hands.unnamed_cards and self.random.random() < 0.15:
            number = self.random.randrange(len(self.hands.unnamed_cards))
            plays = [event for event in self.events if event[0] == "unnamed" or event[0].startswith("play")]
            at = [index for index, event in enumerate(plays) if event[0] == "unnamed"][number]
            cards = {self.said[at], *self.random.sample(self.toy.cards, len(self.toy.cards) // 2)}
            self.ply += 1
            self.events.append((f"tell {cards}", number, self.ply))
            self.hands = tell(self.hands, number, set_of(cards), self.ply)
            self.worlds = [world for world in self.worlds if world.said[at] in cards]
            self.told.append((self.ply, self.worlds))

    def judged(self) -> None:
        self.hands, proved = judge(self.hands, self.ply)
        self.proved += proved

    def decided(self, card: Card) -> int | None:
        """Return the first ply after which the card broke the rule in every world."""
        return next((ply for ply, worlds in self.told if ply >= card.ply and self.among(worlds, card)), None)


def records(name: str, count: int) -> Iterator[Played]:
    for number in range(count):
        random = Random(f"{name} {number}")
        yield Played(random, random.choice(TOYS)).run()


def masked(cards: Iterable[int]) -> int:
    return set_of(set(cards))


@pytest.mark.hunt
def test_what_places_may_and_must_hold_is_what_every_deal_that_fits_says() -> None:
    seen: Counter[str] = Counter()
    for record in records("holds", RECORDS):
        hands, worlds, at = record.hands, record.worlds, len(record.said)
        for place in range(len(record.toy.sizes)):
            held = [masked(world.hand(place, at)) for world in worlds]
            may = must = held[0]
            for cards in held:
                may, must = may | cards, must & cards
            assert (may_hold(hands, place), must_hold(hands, place)) == (may, must), record.events
            assert {cards.bit_count() for cards in held} == {cards_left(hands, place)}
            seen["open" if may != must else "known"] += 1
            cards = masked(record.random.sample(record.toy.cards, 2)) & ~hands.played_cards
            some = {bool(cards & mine) for mine in held}
            assert holds(hands, place, cards) is (None if len(some) == 2 else some.pop()), record.events
        written = {int(name[5:]) for name, _, _ in record.events if name.startswith("play")}
        blanks = [index for index, name in enumerate(spoken(record)) if name == "unnamed"]
        for number, index in enumerate(blanks):
            assert may_have_been(hands, number) == masked(world.said[index] for world in worlds), record.events
            seen["unnamed"] += 1
        where = dict.fromkeys(set(record.toy.cards) - written, 0)
        for world in worlds:
            spots = {world.said[index]: len(record.toy.sizes) + number for number, index in enumerate(blanks)}
            for card in where:
                where[card] |= 1 << spots.get(card, world.home[card])
        assert {card: mask for cards, mask in whereabouts(hands) for card in cards_of(cards)} == where, record.events
    assert min(seen["open"], seen["known"], seen["unnamed"]) > RECORDS // 3, seen


def spoken(record: Played) -> list[str]:
    return [name for name, _, _ in record.events if name == "unnamed" or name.startswith("play")]


@pytest.mark.hunt
def test_a_revoke_is_proved_when_and_only_when_every_deal_that_fits_has_it_and_by_the_ply_that_decided_it() -> None:
    seen: Counter[str] = Counter()
    for record in records("proof", 4 * RECORDS):
        still, late = pending(record.hands, record.ply)
        clashes = [one for one in late if len(one.plies) > 1]
        proved = {one.plies[0]: one for one in (*record.proved, *late) if len(one.plies) == 1}
        expected = {card.ply: record.decided(card) for card in record.cards if card.ply not in record.refused}
        assert {ply: one.decided_by for ply, one in proved.items()} == {
            ply: by for ply, by in expected.items() if by is not None
        }, record.events
        at = {card.ply: card for card in record.cards}
        for ply, one in proved.items():
            shown = [one.cards & masked(world.hand(at[ply].place, at[ply].at)) for world in record.worlds]
            assert all(cards == one.cards if one.seen else cards for cards in shown), (record.events, one)
            seen["either" if one.either else "seen" if one.seen else "some"] += 1
        undecided = [card for card in record.cards if record.among(record.worlds, card) is None]
        statements = {ply for ply, _ in still}
        assert {card.ply for card in record.cards if still_open(record.hands, card.ply, KEY)} == {
            card.ply for card in undecided
        }, record.events
        assert statements <= {card.ply for card in undecided}, record.events
        for card in undecided:
            earlier = [other for other in record.cards if other.place == card.place and other.ply < card.ply]
            implied = all(
                any(record.toy.revoked(world, other) for other in earlier)
                for world in record.worlds
                if record.toy.revoked(world, card)
            )
            assert card.ply in statements or implied, (record.events, card)
            seen["open" if card.ply in statements else "implied"] += 1
        legal = [all(not record.toy.revoked(world, card) for card in undecided) for world in record.worlds]
        assert bool(clashes) is (not any(legal)), record.events
        for clash in clashes:
            check(record, clash, at)
            seen["clash"] += 1
    assert min(seen[kind] for kind in ("seen", "some", "open")) > RECORDS // 10, seen
    assert seen["clash"] > RECORDS // 60, seen


def check(record: Played, clash: Evidence, at: dict[int, Card]) -> None:
    """Hold plies that cannot all stand to every world: not all of them, but all without any one."""

    def stand(worlds: Iterable[World], plies: Iterable[int]) -> bool:
        return any(not any(record.toy.revoked(world, at[ply]) for ply in plies) for world in worlds)

    assert not stand(record.worlds, clash.plies), record.events
    for ply in clash.plies:
        assert stand(record.worlds, set(clash.plies) - {ply}), record.events
    by = next(ply for ply, worlds in record.told if ply >= max(clash.plies) and not stand(worlds, clash.plies))
    assert clash.decided_by == by, record.events


@pytest.mark.hunt
def test_a_view_knows_what_every_deal_a_seat_cannot_tell_apart_says_and_nothing_else() -> None:
    seen: Counter[bool] = Counter()
    for number in range(RECORDS):
        random = Random(f"view {number}")
        record = Played(random, random.choice(TOYS[:5]), openly=True).run()
        shown = set_of(int(name[4:]) for name, _, _ in record.events if name.startswith("see"))
        for seat in range(-1, record.toy.seats):
            own = [cards if place == seat else 0 for place, cards in enumerate(record.dealt)]
            worlds = again(record, own)
            seen_by_seat = view(record.hands, own, shown)
            for place in range(len(record.toy.sizes)):
                may = masked(card for world in worlds for card in world.hand(place, len(record.said)))
                assert may_hold(seen_by_seat, place) == may, (seat, record.events)
            other = random.choice(worlds)
            hands = retold(record, [masked(other.hand(place, 0)) for place in range(len(record.toy.sizes))])
            assert view(hands, own, shown) == seen_by_seat, (seat, record.events)
            seen[other.home != record.home] += 1
    assert seen[True] > RECORDS, seen


def again(record: Played, own: Sequence[int]) -> list[World]:
    """Return the worlds that fit a record of which no more of the deal is known than this."""
    worlds = [World(home, ()) for home in deals(record.toy, own)]
    plays = 0
    for name, place, _ in record.events:
        word, _, rest = name.partition(" ")
        if word == "see":
            worlds = [world for world in worlds if int(rest) in world.hand(place, plays)]
        elif word == "tell":
            at = [index for index, other in enumerate(spoken(record)) if other == "unnamed"][place]
            cards = {int(card) for card in rest.strip("{}").split(",")}
            worlds = [world for world in worlds if world.said[at] in cards]
        else:
            worlds = [
                World(world.home, (*world.said, card))
                for world in worlds
                for card in (world.hand(place, plays) if word == "unnamed" else {int(rest)})
                if card in world.hand(place, plays)
            ]
            plays += 1
    return worlds


def retold(record: Played, dealt: Sequence[int]) -> Hands:
    """Return the hands once the same record was told of another deal, known whole."""
    hands = begin(record.hands.places, dealt)
    for name, place, ply in record.events:
        word, _, rest = name.partition(" ")
        if word == "play":
            hands = play(hands, place, int(rest), ply)
        elif word == "unnamed":
            hands = play_unnamed(hands, place, ply)
        elif word == "see":
            hands = see(hands, place, 1 << int(rest), ply)
        else:
            hands = tell(hands, place, set_of(int(card) for card in rest.strip("{}").split(",")), ply)
    return hands


# --- by hand ---

DECK = deck_of("CH", "234")
NUMBER = {name: card for card, name in enumerate(DECK.names)}


def told(*words: str) -> Hands:
    """Return the hands of two seats with three cards each after these cards, ``~`` for one nobody wrote down."""
    hands, trick = begin(Places(DECK.cards, (3, 3)), (0, 0)), list[int]()
    for ply, word in enumerate(words, 1):
        place = (ply - 1) % 2
        if word == "~":
            trick.append(~len(hands.unnamed_cards))
            hands = play_unnamed(hands, place, ply)
        else:
            trick.append(NUMBER[word])
            hands = play(hands, place, NUMBER[word], ply)
        if place:
            hands = add_questions(hands, follow_questions(hands, ply, KEY, place, DECK.suits, *trick[-2:]))
    return hands


def test_a_card_seen_later_proves_a_revoke_and_is_named() -> None:
    hands, proved = judge(told("2C", "2H", "3C", "4C"), 4)
    assert proved == (Evidence((2,), KEY, 4, 1, 1 << NUMBER["4C"], True),)
    assert [one.plies for one in hands.evidence] == [(2,)]
    assert judge(hands, 4) == (hands, ())


def test_an_unnamed_card_is_narrowed_by_cards_seen_later_until_it_is_known_and_proved() -> None:
    hands = told("2C", "~")
    assert DECK.list_cards(may_have_been(hands, 0), "or") == "3C, 4C, 2H, 3H or 4H"
    assert pending(hands, 2) == (((2, KEY),), ())
    hands = told("2C", "~", "3H", "4C")
    assert DECK.list_cards(may_have_been(hands, 0), "or") == "3C, 2H or 4H"
    hands = told("2C", "~", "3H", "4C", "3C", "4H")
    assert DECK.list_cards(may_have_been(hands, 0)) == "2H"
    _, proved = judge(hands, 6)
    found = [(one.plies, one.decided_by, DECK.list_cards(one.cards)) for one in proved]
    assert found == [((2,), 5, "4C"), ((4,), 5, "4H")]


def test_a_card_behind_an_unnamed_lead_is_asked_of_every_suit_the_lead_may_be() -> None:
    hands = told("~", "2H")
    assert [DECK.list_cards(asked.cards) for asked in hands.questions] == ["2C, 3C and 4C"]
    assert hands.questions[0].conditions == ((0, DECK.suits[0]),)
    assert pending(told("~", "2H", "3C", "4C"), 4)[0] == ((2, KEY),)
    hands = told("~", "2H", "3C", "4C", "4H", "3H")
    assert DECK.list_cards(may_have_been(hands, 0)) == "2C"
    assert [one.plies for one in judge(hands, 6)[1]] == [(2,)]


def test_a_question_with_a_condition_implies_no_other() -> None:
    assert pending(told("~", "2H", "3C", "3H"), 4)[0] == ((2, KEY), (4, KEY))
    assert pending(told("2C", "2H", "3C", "3H"), 4)[0] == ((2, KEY),)
    assert is_covered(told("2C", "2H"), 1, DECK.suits[0] & ~1)
    assert not is_covered(told("2C", "2H"), 1, DECK.suits[1])
    assert not is_covered(told("~", "2H"), 1, DECK.suits[0])


def test_an_unnamed_card_of_a_hand_known_whole_is_proved_by_what_is_told_of_it() -> None:
    clubs, hearts = DECK.suits
    dealt = set_of(NUMBER[name] for name in ("3C", "4C", "4H"))
    hands = judge(begin(Places(DECK.cards, (3, 3)), (DECK.cards & ~dealt, dealt)), 0)[0]
    assert hands.facts == ()
    hands = play(play(hands, 0, NUMBER["2C"], 1), 1, NUMBER["3C"], 2)
    hands = play_unnamed(play(hands, 0, NUMBER["2H"], 3), 1, 4)
    asked = follow_questions(hands, 4, KEY, 1, DECK.suits, NUMBER["2H"], ~0)
    assert verdict(hands, asked) is None
    hands = add_questions(hands, asked)
    assert (may_have_been(hands, 0), judge(hands, 4)[1]) == (1 << NUMBER["4C"] | 1 << NUMBER["4H"], ())
    (shown,) = judge(tell(hands, 0, clubs, 5), 5)[1]
    assert (shown.plies, shown.decided_by, shown.cards) == ((4,), 5, 1 << NUMBER["4H"])
    assert judge(tell(hands, 0, hearts, 5), 5)[1] == ()


def test_a_ply_proved_at_the_end_hides_no_plies_that_cannot_all_stand() -> None:
    facts = (Fact(0, 0b001111, 0b0011), Fact(0, 0b110000, 0b1100))
    asked = (Question(1, "a", 2, 0b110000), Question(2, "b", 0, 0b0011), Question(3, "c", 1, 0b0010))
    can = (0b1111, 0b1111, 0b110000, 0b110000)
    hands = Hands(Places(0b111111, (2, 2, 1, 1)), can, (0, 0, 0, 0), 0, facts, asked, (), ())
    still, late = pending(hands, 3)
    assert [(one.plies, one.key) for one in late] == [((1,), "a"), ((2, 3), "b")]
    assert still == ((2, "b"), (3, "c"))


def test_plies_that_cannot_all_stand_are_named_in_a_sentence() -> None:
    assert clash_text((2, 4)) == "no deal makes plies 2 and 4 both legal, though each of them alone may have been legal"
    assert clash_text((2, 4, 9)).startswith("no deal makes plies 2, 4 and 9 all legal")


def test_a_deck_names_cards_suit_by_suit_and_a_run_by_its_ends() -> None:
    deck = deck_of("CDHS", "23456789XJQKA")
    assert deck.cards.bit_count() == len(set(deck.names)) == 52
    assert [deck.suit_of(card) for card in (0, 12, 13, 51)] == [0, 0, 1, 3]
    assert deck.list_cards(0b11110101) == "2C, 4C and 6C–9C"
    assert deck.list_cards(0b111 << 11, "or") == "KC, AC or 2D"
    assert deck.list_cards(0) == "no card"
    assert deck.some_of(0b1) == "2C"
    assert deck.some_of(0b11) == "at least one of 2C and 3C"


# --- a card under several duties ---


def test_only_what_a_verdict_left_open_is_kept_of_what_a_card_owes() -> None:
    """Of two duties one is refused at once: the finding stands already, and is not proved a second time."""
    hands = play(begin(Places(255, (4, 4)), (0, 0)), 1, 7, 2)
    asked = (Question(2, "toy.follow", 1, 3), Question(2, "toy.trump", 1, 12))
    follow: Clause[Any, Any] = Clause("toy.follow", "", "")
    kept = store_questions(hands, asked, (Open((), clause=follow, refused=True),), 1, 7, 2, ends=False)[0]
    assert kept.questions == (Question(2, "toy.follow", 1, 3, True),)
    assert store_questions(hands, asked, (), 1, 7, 2, ends=False)[0].questions == ()
