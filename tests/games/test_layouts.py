"""Hidden cards: the condition on sets of places against dealing out every way there is."""

from itertools import permutations
from random import Random

from cartulary.engine.cards.deck import (
    CARDS,
    DECK,
    FOOL,
    SUIT,
    TRUMPS,
    cards_of,
    higher_trumps,
    is_trump,
    names,
    set_of,
)
from cartulary.engine.cards.layouts import (
    Fact,
    Misfit,
    Places,
    Question,
    deciding_ply,
    holds_any,
    homes_of,
    minimal_clash,
    misfit,
    proves_breach,
)


def every_deal(table: Places) -> list[dict[int, int]]:
    """Return every way to lay the cards into the places."""
    cards = list(cards_of(table.cards))
    places = [place for place, size in enumerate(table.sizes) for _ in range(size)]
    return [dict(zip(cards, order, strict=True)) for order in set(permutations(places))]


def drawn(rng: Random) -> tuple[Places, dict[int, int], list[dict[int, int]]]:
    """Return a small table, random readings of its cards, and the deals that fit them."""
    sizes = tuple(rng.randint(0, 3) for _ in range(rng.randint(1, 3)))
    table = Places(set_of(rng.sample(CARDS, sum(sizes))), sizes)
    read = {card: rng.randint(0, table.everywhere) or table.everywhere for card in cards_of(table.cards)}
    fits = [deal for deal in every_deal(table) if all(read[card] >> place & 1 for card, place in deal.items())]
    return table, read, fits


def test_a_deal_fits_exactly_when_dealing_out_finds_one() -> None:
    rng = Random("misfit")
    seen = set()
    for _ in range(600):
        table, read, fits = drawn(rng)
        why = misfit(table, read)
        seen.add(why is None)
        assert (why is None) == bool(fits)
        if why is not None:
            confined = [card for card in read if not read[card] & ~why.places]
            assert set_of(confined) == why.cards
            assert len(confined) > why.holds
    assert seen == {True, False}


def test_what_a_place_holds_is_said_as_dealing_out_says_it() -> None:
    rng = Random("holds")
    seen = set()
    for _ in range(800):
        table, read, fits = drawn(rng)
        if not fits:
            continue
        place = rng.randrange(len(table.sizes))
        cards = set_of(card for card in cards_of(table.cards) if rng.random() < 0.5)
        held = {any(deal[card] == place for card in cards_of(cards)) for deal in fits}
        expected = None if len(held) == 2 else held.pop()
        seen.add(expected)
        assert holds_any(table, read, 1 << place, cards) is expected
    assert seen == {True, False, None}


def test_the_deciding_ply_is_the_first_at_which_no_deal_is_left() -> None:
    rng = Random("plies")
    found = 0
    for _ in range(300):
        sizes = (2, 2, 2)
        cards = rng.sample(CARDS, 6)
        table = Places(set_of(cards), sizes)
        truth = dict(zip(cards, [0, 0, 1, 1, 2, 2], strict=True))
        order = rng.sample(cards, 6)
        facts = tuple(Fact(10 + at, 1 << card, 1 << truth[card]) for at, card in enumerate(order))
        question = Question(10, "game.key", rng.randrange(3), set_of(rng.sample(cards, 2)))
        slow = next((ply for ply in range(10, 16) if proves_breach(table, facts, [question], ply)), None)
        assert deciding_ply(table, facts, [question]) == slow
        held = any(truth[card] == question.place for card in cards_of(question.cards))
        assert (slow is not None) == held
        found += held
    assert found > 50


def test_questions_that_clash_only_together_are_named_and_no_others() -> None:
    table = Places(0b1111, (2, 2))
    first, second = Question(1, "a", 0, 0b0011), Question(2, "b", 1, 0b0010)
    harmless = Question(3, "c", 0, 0b0001)
    assert deciding_ply(table, (), [first]) is None
    assert deciding_ply(table, (), [second]) is None
    assert minimal_clash(table, (), (harmless, first, second)) == (first, second)
    assert minimal_clash(table, (), (harmless, first)) == ()


def test_a_ply_is_named_among_those_that_clash_only_if_the_others_do_not_without_it() -> None:
    table, rows = Places(0b1111, (2, 2)), ((1, "a", 0b0100), (2, "b", 0b0010), (2, "c", 0b0100), (3, "d", 0b0001))
    first, second, third, fourth = (Question(ply, key, 0, cards) for ply, key, cards in rows)
    assert minimal_clash(table, (), (first, second, third, fourth)) == (second, third, fourth)
    assert minimal_clash(table, (), (first, second, third, fourth), by=lambda one: one) == (first, second, fourth)


def test_cards_that_overflow_only_several_readings_together_fit_nowhere() -> None:
    table = Places(0b1111, (1, 1, 1, 1))
    read = {0: 0b0011, 1: 0b0110, 2: 0b0101, 3: 0b0101}
    assert misfit(table, read) == Misfit(0b1111, 0b0111, 3)
    assert misfit(table, read | {3: 0b1000}) is None


def test_facts_that_fit_no_deal_prove_nothing() -> None:
    table, question = Places(0b11, (1, 1)), Question(1, "a", 0, 0b01)
    facts = (Fact(1, 0b01, 0b01), Fact(3, 0b10, 0b01))
    assert proves_breach(table, facts, [question], 2)
    assert not proves_breach(table, facts, [question], 3)


def test_knowledge_narrows_from_its_ply_on() -> None:
    table = Places(0b11, (1, 1))
    facts = (Fact(4, 0b01, 0b10),)
    assert homes_of(table, facts, 3) == {0: 0b11, 1: 0b11}
    assert homes_of(table, facts, 4) == {0: 0b10, 1: 0b11}
    assert holds_any(table, homes_of(table, facts), 0b01, 0b10) is True


def test_the_deck_has_its_cards_in_order() -> None:
    cards = names("CDHS")
    assert len(set(cards)) == len(CARDS) == DECK.bit_count() == 78
    assert cards[:3] == ("1C", "2C", "3C")
    assert cards[13:15] == ("KC", "1D")
    assert cards[FOOL] == "T00"
    assert cards[-1] == "T21"
    assert sum(SUIT) | TRUMPS | 1 << FOOL == DECK
    assert [cards[card] for card in cards_of(higher_trumps(FOOL + 19))] == ["T20", "T21"]
    assert is_trump(FOOL + 1)
    assert not is_trump(FOOL)
