"""Slots, kinds and pools by themselves: what a shuffle hides, what a card seen tells, and what can no longer be."""

from random import Random

from cartulary.engine.slots import (
    BLANK,
    NO_SLOTS,
    SLOT,
    Kind,
    Slots,
    exactly,
    fits,
    has_slots,
    is_slot,
    least,
    mix,
    mix_for_removal,
    remove,
    remove_all,
    reveal,
)

ANY = (1 << 255) - 1
WORTH = bytes(range(256))


def only(*cards: int) -> int:
    return sum(1 << card for card in cards)


def told(slots: Slots, code: int, card: int) -> Slots:
    """Return the slots once a slot is seen to hold the card; it must be possible."""
    after = reveal(slots, code, only(card))
    assert after is not None
    assert after[1] == card
    return after[0]


def test_a_shuffle_makes_known_cards_alike_and_keeps_every_one_of_them() -> None:
    slots, zone = mix(NO_SLOTS, bytes((7, 3, 3)))
    assert len(set(zone)) == 1
    assert is_slot(zone[0])
    assert slots.pools == (bytes((3, 3, 7)),)
    assert (slots.kinds[0].mask, slots.kinds[0].size) == (only(3, 7), 3)


def test_a_zone_of_cards_all_alike_is_known_after_any_shuffle() -> None:
    assert mix(NO_SLOTS, bytes((5, 5))) == (NO_SLOTS, bytes((5, 5)))
    assert mix(NO_SLOTS, b"") == (NO_SLOTS, b"")
    assert has_slots(mix(NO_SLOTS, bytes((BLANK, BLANK)))[1])


def test_a_card_is_seen_as_often_as_its_pool_has_it_and_not_once_more() -> None:
    slots, zone = mix(NO_SLOTS, bytes((3, 3, 7)))
    slots = told(told(slots, zone[0], 3), zone[0], 3)
    assert reveal(slots, zone[0], only(3)) is None
    assert fits(told(slots, zone[0], 7), 0)


def test_a_card_that_came_back_is_in_no_slot_drawn_before() -> None:
    slots, deck = mix(NO_SLOTS, bytes((1, 2, 3, 4)))
    hand, deck = deck[:1], deck[1:]
    slots, deck = mix(slots, deck + bytes((9,)))
    assert remove(slots, hand, only(9)) is None
    assert remove(slots, deck, only(9)) is not None


def test_what_the_narrow_slots_must_hold_the_wide_ones_cannot() -> None:
    slots, deck = mix(NO_SLOTS, bytes((1, 2)))
    hand, deck = deck[:1], deck[1:]
    slots, deck = mix(slots, deck + bytes((9,)))
    slots = told(slots, deck[0], 1)
    assert reveal(slots, deck[0], only(2)) is None
    assert reveal(slots, hand[0], only(2)) is not None


def test_a_card_leaves_from_the_narrowest_slot_that_may_have_held_it() -> None:
    slots, deck = mix(NO_SLOTS, bytes((1, 2, 3)))
    hand, deck = deck[:1], deck[1:]
    slots, deck = mix(slots, deck + bytes((9,)))
    hand += deck[:1]
    after = remove(slots, hand, only(2))
    assert after is not None
    slots, hand, at, card = after
    assert (at, card) == (0, 2)
    assert remove(slots, hand[1:], only(9)) is not None


def test_slots_that_may_each_have_held_a_card_are_alike_after_it_left() -> None:
    slots, one = mix(NO_SLOTS, bytes((1, 2, 3)))
    slots, other = mix(slots, bytes((1, 5, 6)))
    after = remove(slots, one[:1] + other[:1], only(1))
    assert after is not None
    slots, hand, at, _ = after
    rest = hand[:at] + hand[at + 1 :]
    assert remove(slots, rest, only(2)) is not None
    assert remove(slots, rest, only(6)) is not None
    assert remove(slots, rest, only(8)) is None


def test_a_card_known_to_be_there_goes_before_one_nobody_can_name() -> None:
    slots, zone = mix(NO_SLOTS, bytes((4, BLANK, BLANK)))
    first = reveal(slots, zone[0], only(4, BLANK))
    assert first is not None
    assert first[1] == 4
    second = reveal(first[0], zone[0], only(4, BLANK))
    assert second is not None
    assert second[1] == BLANK


def test_a_blank_card_in_a_narrow_slot_does_not_use_up_a_named_one_in_a_wide_slot() -> None:
    slots, deck = mix(NO_SLOTS, bytes((BLANK,)) * 3)
    hand, deck = deck[:1], deck[1:]
    slots, deck = mix(slots, deck + bytes((4,)))
    after = remove(slots, hand + deck[:1], only(4, BLANK))
    assert after is not None
    assert after[3] == 4
    assert after[0].pools[0] == bytes((BLANK,)) * 3


def test_a_card_nobody_saw_leaves_a_hand_that_may_then_hold_any_of_the_others() -> None:
    slots, zone = mix_for_removal(NO_SLOTS, bytes((1, 2)))
    assert len(set(zone)) == 1
    assert reveal(slots, zone[0], only(1)) is not None
    assert reveal(slots, zone[0], only(2)) is not None
    assert mix_for_removal(NO_SLOTS, bytes((2, 2))) == (NO_SLOTS, bytes((2, 2)))


def test_the_worth_of_slots_is_exact_where_a_pool_lies_in_them_whole() -> None:
    slots, zone = mix(NO_SLOTS, bytes((10, 20, 30)))
    assert least(slots, zone, WORTH) == 60
    assert exactly(slots, zone)
    assert least(slots, zone[:2], WORTH) == 30
    assert not exactly(slots, zone[:2])


def test_more_kinds_than_there_are_codes_share_one_and_lose_no_card() -> None:
    slots, zones = NO_SLOTS, list[bytes]()
    for first in range(80):
        slots, zone = mix(slots, bytes((first, first + 1, first + 2)))
        zones.append(zone)
    assert sum(len(pool) for pool in slots.pools) == 240
    assert sum(kind.size for kind in slots.kinds) == 240
    assert max(code for zone in zones for code in zone) < BLANK
    assert remove(slots, zones[-1], only(81)) is not None


def test_nothing_that_happened_is_ever_called_impossible() -> None:
    for number in range(60):
        random = Random(f"slots {number}")
        truth = [random.randrange(12) for _ in range(14)]
        deck, hand, gone = list(range(14)), list[int](), list[int]()
        slots, codes = mix(NO_SLOTS, bytes(truth))
        lying = dict(enumerate(codes))
        for _ in range(60):
            what = random.randrange(4)
            if what == 0 and deck:
                hand.append(deck.pop(random.randrange(len(deck))))
            elif what == 1 and hand:
                slots, hand, out = _played(random, slots, truth, hand, lying)
                gone.append(out)
            elif what == 2 and gone:
                deck += gone
                gone = []
                slots = _mixed_again(random, slots, deck, lying)
            elif what == 3 and len(hand) > 1:
                deck.append(hand.pop())
                slots = _mixed_again(random, slots, deck, lying)


def _played(
    random: Random, slots: Slots, truth: list[int], hand: list[int], lying: dict[int, int]
) -> tuple[Slots, list[int], int]:
    """Play a random card of a hand as the record sees it, and return what is left."""
    out = random.choice(hand)
    zone = bytes(lying[at] for at in hand)
    if truth[out] in zone:
        lies = zone.index(truth[out])
        code = truth[out]
    else:
        after = remove(slots, zone, ANY & only(truth[out]))
        assert after is not None, "a card that was played cannot have been in the hand"
        slots, zone, lies, code = after
    assert code == truth[out]
    rest = zone[:lies] + zone[lies + 1 :]
    hand = [at for at in hand if at != out]
    lying.update(zip(hand, rest, strict=True))
    lying[out] = truth[out]
    return slots, hand, out


def _mixed_again(random: Random, slots: Slots, deck: list[int], lying: dict[int, int]) -> Slots:
    random.shuffle(deck)
    slots, zone = mix(slots, bytes(lying[at] for at in deck))
    lying.update(zip(deck, zone, strict=True))
    assert all(entry < SLOT or is_slot(entry) for entry in zone)
    return slots


def test_cards_named_at_once_leave_what_they_leave_one_by_one() -> None:
    random = Random(3)
    for _ in range(200):
        held = bytes(random.sample(range(60), random.randrange(2, 12)))
        slots, zone = mix(NO_SLOTS, held)
        cards = bytes(random.sample(sorted(held), random.randrange(1, len(held))))
        at_once = remove_all(slots, zone[: random.randrange(len(cards), len(zone) + 1)], cards)
        for card in cards:
            done = remove(slots, zone, only(card))
            assert done is not None
            slots, zone = done[0], done[1][: done[2]] + done[1][done[2] + 1 :]
        assert at_once == slots


def test_cards_are_not_named_at_once_where_more_is_known() -> None:
    slots, zone = mix(NO_SLOTS, b"\1\2\3\4")
    assert remove_all(slots, zone, b"\1\1") is None
    assert remove_all(slots, zone, b"\5") is None
    assert remove_all(slots, zone + b"\7", b"\1") is None
    kind = slots.kinds[0]
    parted = Slots((Kind(0, kind.mask, 3), Kind(0, only(1, 2), 1)), slots.pools)
    assert remove_all(parted, zone[:3], b"\1") is None
