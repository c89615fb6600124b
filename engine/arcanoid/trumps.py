"""What the trumps do when they are played."""

from collections.abc import Callable

from msgspec.structs import replace

from cartulary.engine.arcanoid import rounds
from cartulary.engine.arcanoid.cards import FIELDS, FOOL, JUDGMENT, SUITED, WORLD, how_many, name_of, said
from cartulary.engine.arcanoid.denials import deny
from cartulary.engine.arcanoid.draft import Draft, Seat
from cartulary.engine.arcanoid.forms import ABDICATED, JUDGED, WORLDLY
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.state import Due, who_name
from cartulary.engine.cards.deck import SUIT, TRUMPS
from cartulary.engine.slots import is_slot, left, mixed

CALLERS = {17: ("star", 1), 18: ("moon", 2), 19: ("sun", 3)}
_SETS = (*SUIT, TRUMPS, 1 << FOOL)
_NAMED = (*SUITED, "trumps", "the Fool")


def again(move: Move) -> bool:
    """Say whether who plays this trump plays on."""
    return move.count in (2, 5, 8)


def use(draft: Draft, move: Move) -> None:
    """Play a trump for its effect; ``count`` of the move is its number."""
    draft.take(move.who, FOOL + move.count)
    _USES[move.count](draft, move)


def _discarded(draft: Draft, move: Move) -> None:
    draft.pile += bytes((FOOL + move.count,))


def _priestess(draft: Draft, move: Move) -> None:
    _check_target(draft, move, "high-priestess")
    if move.target == move.who:
        draft.wrong("high-priestess", f"{who_name(move.who)} looks at its own hand")
    _discarded(draft, move)
    target = draft.seat(move.target)
    seen = sum(1 << code for code in target.hand if not is_slot(code))
    known = dict(target.looked)
    known[move.seat] = known.get(move.seat, 0) | seen
    target.looked = tuple(sorted(known.items()))


def _check_target(draft: Draft, move: Move, key: str) -> None:
    if not draft.in_play(move.target):
        draft.block(key, f"{who_name(move.target)} is not in play")


def _justice(draft: Draft, move: Move) -> None:
    draft.row = b""
    draft.aside += bytes((FOOL + 8,))
    draft.dues.insert(0, Due("fill", ROW))


def _hermit(draft: Draft, move: Move) -> None:
    draft.seat(move.who).hermit = 3


def _wheel(draft: Draft, move: Move) -> None:
    _discarded(draft, move)
    draft.dues[:0] = [Due("take", move.who, 5), Due("away", move.who, int(move.extra))]


def _strength(draft: Draft, move: Move) -> None:
    seat = draft.seat(move.who)
    draft.aside += bytes((FOOL + 11,))
    option = move.calls[0] if move.calls else 0
    if option == 2:
        seat.wide = 2
        draft.dues.insert(0, Due("reveal", move.who, 2))
    elif option == 1:
        seat.size += 1
    else:
        draft.wrong("strength", f"{option} is neither two visible cards nor one hidden")


def _hanged(draft: Draft, move: Move) -> None:
    _check_target(draft, move, "hanged-man")
    _discarded(draft, move)
    draft.pile += draft.emptied(move.target)
    draft.dues.insert(0, Due("fill", move.target))


def _death(draft: Draft, move: Move) -> None:
    _discarded(draft, move)
    draft.pile += draft.deck
    draft.deck, draft.dead = b"", True
    rounds.drop_temper(draft)


def _temperance(draft: Draft, move: Move) -> None:
    field = move.fields[0]
    there = draft.peek(move.who).fields[field]
    if len(move.fields) != 1:
        draft.wrong("temperance", "Temperance lies on one field")
    if not draft.deck:
        draft.wrong("temperance", "the deck is empty")
    elif there is not None and there.kind not in (ABDICATED, JUDGED):
        draft.wrong("temperance", f"{who_name(move.who)} has committed on {FIELDS[field]}")
    if draft.fault is not None and not draft.deck:
        _discarded(draft, move)
    else:
        draft.temper = (move.who, field)


def _devil(draft: Draft, move: Move) -> None:
    master = move.seat
    daemon = DAEMON + master
    old = draft.seat(daemon)
    if any(old.fields):
        draft.gone += ((master, old.fields),)
    at = draft.house.seats + master - 1
    draft.changed[at] = Seat(rounds.FRESH)
    draft.devil = master
    draft.dues.insert(0, Due("fill", daemon))
    if draft.turn == move.who and move.extra:
        draft.turn = daemon


def _tower(draft: Draft, move: Move) -> None:
    target, field = move.target or move.who, move.fields[0]
    _discarded(draft, move)
    there = draft.peek(target).fields[field]
    where = f"{who_name(target)} on {FIELDS[field]}"
    if there is None:
        return draft.wrong("tower", f"nothing is committed by {where}")
    if there.kind in (JUDGED, WORLDLY) or not there.cards:
        return draft.wrong("tower", f"what stands of {where} is an abdication, Judgment or the World")
    if not draft.in_play(target):
        return draft.wrong("tower", f"{who_name(target)} has left the round")
    seat = draft.seat(target)
    fields = list(seat.fields)
    other = fields[there.both] if there.both >= 0 else None
    if other is not None:
        fields[there.both] = replace(other, both=-1)
    else:
        draft.pile += there.cards
    rounds.unread(draft, there)
    fields[field] = None
    seat.fields = tuple(fields)
    draft.touched |= 1 << field
    return None


# --- what is asked of hands ---


def _hierophant(draft: Draft, move: Move) -> None:
    _discarded(draft, move)
    _turned_up(draft)
    asked = _SETS[move.calls[0]]
    if not move.told:
        for who in range(1, draft.house.seats + 1):
            _noticed(draft, who, asked)
        return
    shown = dict(move.shown)
    usa = draft.house.usa
    for who, cards in move.shown:
        if not draft.in_play(who):
            draft.block("hierophant", f"p{who} has no hand")
        wrong = [card for card in cards if not asked >> card & 1]
        if wrong and who != usa:
            draft.wrong("hierophant", f"p{who} shows {said(bytes(wrong))}, and {_NAMED[move.calls[0]]} were named")
        _show(draft, who, cards)
    for who in filter(draft.in_play, range(1, draft.house.seats + 1)):
        cards, held = shown.get(who, b""), len(draft.peek(who).hand)
        if who != usa:
            _deny(draft, who, asked & ~sum(1 << card for card in cards))
        elif len(cards) != held:
            draft.wrong("hierophant", f"p{who} has {how_many(held)}, and shows {how_many(len(cards))}")


def _deny(draft: Draft, who: int, rest: int) -> None:
    seat = draft.seat(who)
    kept = seat.hand, seat.open
    if not deny(draft, who, rest, "arcanoid.hierophant"):
        held = [code for code in kept[0] + kept[1] if rest >> code & 1]
        what = said(bytes(held)) if held else "more of them"
        draft.wrong("hierophant", f"p{who} has {what} too")


def _show(draft: Draft, who: int, cards: bytes) -> None:
    """Note that a hand is seen to hold these cards."""
    seat = draft.seat(who)
    before = seat.hand
    for card in cards:
        if card in seat.open:
            continue
        if card in seat.hand:
            draft.sighted(who, card)
            continue
        while not _found(draft, seat, card):
            if not draft.regained(who):
                draft.block("hierophant", f"p{who} has no {name_of(card)}")
        draft.sighted(who, card)
    if who == draft.house.usa and seat.hand != before:
        # What is shown has no order, and the USA's hand has one.
        draft.slots, seat.hand = mixed(draft.slots, seat.hand)


def _found(draft: Draft, seat: Seat, card: int) -> bool:
    """Make one of the cards nobody saw of a hand a card that is seen there; false if none may be it."""
    for name in ("hand", "open"):
        found = left(draft.slots, getattr(seat, name), 1 << card)
        if found is not None:
            draft.slots, zone, at, _ = found
            setattr(seat, name, zone[:at] + bytes((card,)) + zone[at + 1 :])
            return True
    return False


def _turned_up(draft: Draft) -> None:
    """Let all see the hand of the USA."""
    if draft.house.usa:
        _noticed(draft, draft.house.usa, -1)


def _noticed(draft: Draft, who: int, cards: int) -> None:
    """Let all see those of these cards that a hand is known to hold, as no word tells them."""
    held = sum(1 << code for code in draft.peek(who).hand if not is_slot(code))
    if held & cards:
        draft.seat(who).shown |= held & cards


def _call(draft: Draft, move: Move) -> None:
    key, most = CALLERS[move.count]
    _discarded(draft, move)
    _turned_up(draft)
    calls = move.calls
    trumps = [card for card in calls if card >= FOOL]
    if len(calls) > most:
        draft.wrong(key, f"{len(calls)} cards are called, and {most} may be")
    elif len(set(calls)) != len(calls):
        draft.wrong(key, "one card is called twice")
    elif trumps and key != "sun":
        draft.wrong(key, f"{name_of(trumps[0])} is no suit card")
    elif trumps and len(calls) > 1:
        draft.wrong(key, "a major is called alone")
    elif trumps and trumps[0] in (FOOL, JUDGMENT, WORLD):
        draft.wrong(key, f"{name_of(trumps[0])} cannot be called")
    if move.target:
        _hand_over(draft, move, key)
    for card in calls[:-1] if move.target else calls:
        _in_vain(draft, move, card, key)


def _in_vain(draft: Draft, move: Move, card: int, key: str) -> None:
    for who in draft.everybody():
        if who != move.who and draft.in_play(who) and not deny(draft, who, 1 << card, f"arcanoid.{key}"):
            draft.wrong(key, f"{who_name(who)} has {name_of(card)}")


def _hand_over(draft: Draft, move: Move, key: str) -> None:
    card, target = move.calls[-1], move.target
    if target == move.who or not draft.in_play(target):
        draft.block(key, f"{name_of(card)} cannot come from {who_name(target)}")
    fault = draft.fault
    try:
        draft.take(target, card, True)
    finally:
        if fault is None and draft.fault is not None:
            draft.fault = replace(draft.fault, key=key)
    caller = draft.seat(move.who)
    caller.hand += bytes((card,))
    caller.shown |= 1 << card
    draft.come_to(move.who, card)
    draft.dues.insert(0, Due("fill", target))


_USES: dict[int, Callable[[Draft, Move], None]] = {
    2: _priestess,
    5: _hierophant,
    8: _justice,
    9: _hermit,
    10: _wheel,
    11: _strength,
    12: _hanged,
    13: _death,
    14: _temperance,
    15: _devil,
    16: _tower,
    17: _call,
    18: _call,
    19: _call,
}
