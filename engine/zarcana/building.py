"""Powers that lay cards, move them, draw them and take them: discs and its kin, hands, deck and discards."""

from cartulary.engine.slots import UNKNOWN, is_slot, some_left
from cartulary.engine.zarcana.asks import loosened
from cartulary.engine.zarcana.attacks import target_of
from cartulary.engine.zarcana.cards import counted
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import Away, Build, BuildFrom, Drawn, Go, Part, Play, Raised, Toward
from cartulary.engine.zarcana.parts import shaped
from cartulary.engine.zarcana.spaces import AROUND, owner_of, place_name
from cartulary.engine.zarcana.state import DOWN, HAND_LIMIT, everybody_knows, knows

# --- territory ---


def _is_open(t: Draft, key: str, place: int, code: int, to: int) -> None:
    """Refuse a building site that is not the target, or where others stand."""
    target = target_of(place, code)
    if to != target:
        t.refuse(key, f"{t.man_name(place, code)} points at {place_name(target)}, not at {place_name(to)}")
    other = next((man for man in t.men.get(to, b"") if owner_of(man) != t.seat), None)
    if other is not None and key != "temperance":
        t.refuse(key, f"p{owner_of(other)}'s minion is on {place_name(to)}")


def discs(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Lay the deck's top card on the target: Discs, Temperance, and face down the Wheel."""
    if not shaped(t, key, play, place, code, 1, (Build,)):
        return
    part = play.parts[0]
    assert isinstance(part, Build)
    _is_open(t, key, place, code, part.place)
    if not t.available:
        t.refuse("no-effect", "No card is left to draw")
        return
    got = t.off_deck(bytes((part.card if part.card >= 0 else UNKNOWN,)))
    t.lay(part.place, got[0] | (DOWN if key == "wheel" else 0))


def sun(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Lay a card of the hand on the target."""
    if shaped(t, key, play, place, code, 1, (BuildFrom,)):
        part = play.parts[0]
        assert isinstance(part, BuildFrom)
        _is_open(t, key, place, code, part.place)
        t.lay(part.place, t.from_hand(t.seat, part.card))


def moon(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Take the whole space, cards and minions, elsewhere."""
    if not shaped(t, key, play, place, code, 1, (Go,)):
        return
    part = play.parts[0]
    assert isinstance(part, Go)
    to = part.place
    if to in t.cards or to in t.men:
        t.refuse(key, f"{place_name(to)} is not empty")
    elif not any(to + step in t.cards and to + step != place for step in AROUND):
        t.refuse(key, f"No card touches {place_name(to)} once {place_name(place)} is empty")
    if to == place or place not in t.cards:
        return
    cards, men = t.cards.copy(), t.men.copy()
    cards[to] = cards.get(to, ()) + cards.pop(place)
    men[to] = bytes(sorted(men.get(to, b"") + men.pop(place, b"")))
    t.cards, t.men = cards, men
    for step in AROUND:
        t.wither(place + step)


# --- hand, deck and discards ---


def _count(t: Draft, key: str, cards: bytes, most: int) -> None:
    """Refuse a draw that is not of as many cards as it must be. most: were there cards enough."""
    count = len(cards)
    free = key != "star"
    if count > min(most, t.available):
        most = min(most, t.available)
        t.refuse(key, f"It draws {counted(most)} at most, not {count}", blocks=count > t.available)
    if free and count > t.room(t.seat):
        t.refuse(
            "hand-limit",
            f"p{t.seat} holds {counted(len(t.hands[t.seat - 1]))}, and {counted(count)} more would be too many",
        )
    right = min(most, t.available, t.room(t.seat) if free else most)
    if count != right:
        t.refuse(key, f"It draws {counted(right)}, not {count}")


def drawing(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Draw as many cards as the Star or the High Priestess must; left out, they are unknown."""
    most = 4 if key == "star" else 2
    if play.parts and (len(play.parts) > 1 or not isinstance(play.parts[0], Drawn)):
        shaped(t, key, play, place, code, 1, (Drawn,))
        return
    if key == "star" and not t.available:
        t.refuse("no-effect", "No card is left to draw", blocks=bool(play.parts))
    room = most if key == "star" else t.room(t.seat)
    part: Part = play.parts[0] if play.parts else Drawn(bytes((UNKNOWN,)) * min(most, t.available, room))
    assert isinstance(part, Drawn)
    _count(t, key, part.cards, most)
    t.draw(t.seat, part.cards)


def justice(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Trade hands."""
    if not shaped(t, key, play, place, code, 1, (Toward,)):
        return
    part, seat = play.parts[0], t.seat
    assert isinstance(part, Toward)
    mine, theirs = t.hands[seat - 1], t.hands[part.seat - 1]
    if part.seat == seat:
        t.refuse(key, f"p{seat} trades with another seat")
        return
    if not mine and not theirs:
        t.refuse(key, f"Neither p{seat} nor p{part.seat} has a card")
    for holder, hand in ((seat, mine), (part.seat, theirs)):
        for card in hand:
            t.known |= 0 if is_slot(card) else knows(holder, card)
    t.set_hand(seat, theirs)
    t.set_hand(part.seat, mine)


def judgement(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Take one to three of the discards."""
    if not shaped(t, key, play, place, code, 1, (Raised,)):
        return
    part = play.parts[0]
    assert isinstance(part, Raised)
    if len(part.cards) > 3:
        t.refuse(key, f"It takes three cards at most, not {len(part.cards)}")
    if len(part.cards) > len(t.pile):
        t.refuse(key, f"There {'is 1 discard' if len(t.pile) == 1 else f'are {len(t.pile)} discards'}", blocks=True)
    raised = bytearray()
    for card in part.cards:
        at = t.pile.rfind(card)
        if card == UNKNOWN:
            t.unseen = loosened(t.unseen, t.pile)
            t.slots, pile = some_left(t.slots, t.pile)
            t.pile, card = pile[:-1], pile[-1]
        elif at < 0:
            t.pile = t.matched(t.pile, bytes((card,)), key, "in the discards")[1:]
        else:
            t.pile = t.pile[:at] + t.pile[at + 1 :]
        raised.append(card)
    for card in raised:
        _limited(t)
        t.take_openly(t.seat, card)


def _limited(t: Draft) -> None:
    hand = t.hands[t.seat - 1]
    if len(hand) >= HAND_LIMIT:
        t.refuse("hand-limit", f"p{t.seat} would hold more than {HAND_LIMIT} cards")


def miser(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Discard any cards of the hand, the highest on top."""
    if shaped(t, key, play, place, code, 1, (Away,)):
        part = play.parts[0]
        assert isinstance(part, Away)
        held = len(t.hands[t.seat - 1])
        if len(part.cards) > held:
            t.refuse(key, f"p{t.seat} holds {counted(held)}, not {len(part.cards)}", blocks=True)
        for card in part.cards:
            t.discard(t.from_hand(t.seat, card))


def given(t: Draft, giver: int, cards: bytes, taker: int) -> None:
    """Hand cards over as an Emperor demanded: only these two seats see which."""
    for code in t.hands[giver - 1]:
        if not is_slot(code):
            t.known &= ~everybody_knows(code) | knows(taker, code)
    for card in sorted(cards):
        t.hand_to(giver, t.from_hand(giver, card), taker)
