"""What is wrong with a word, asked in the rulebook's order: end, turn, reaction, due words, draw, then as it lists.

``fault`` returns the first rule a word breaks. It blocks where what the word says cannot have happened, because a card
is not where it must be; else it can stand.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cartulary.engine.cards.deck import unjoined
from cartulary.engine.contract import Need, Open
from cartulary.engine.slots import UNKNOWN
from cartulary.engine.tarot_duel.actions import is_said, skipped, skipped_key
from cartulary.engine.tarot_duel.applying import is_open, live, told_winner
from cartulary.engine.tarot_duel.cards import COPIES, EMPEROR, JUSTICE, MAJOR, NAMES, how_many
from cartulary.engine.tarot_duel.challenges import stakes_fault
from cartulary.engine.tarot_duel.decks import is_copy
from cartulary.engine.tarot_duel.due_faults import WINNER, Fault, due_fault, not_in_hand, not_on_top
from cartulary.engine.tarot_duel.faces import may_be_even
from cartulary.engine.tarot_duel.moves import (
    Challenge,
    Discard,
    Draw,
    End,
    Lay,
    Mill,
    Move,
    Nullify,
    Order,
    Pick,
    PutBack,
    Redraw,
    Rename,
    Row,
    Show,
    Spot,
    Stakes,
    Stand,
    Use,
)
from cartulary.engine.tarot_duel.owners import sized
from cartulary.engine.tarot_duel.plain import HAND_LIMIT
from cartulary.engine.tarot_duel.shuffles import told
from cartulary.engine.tarot_duel.state import (
    CHALLENGED,
    DRAWN,
    DUES,
    PLAYED,
    Due,
    State,
    eighth,
    is_in,
)
from cartulary.engine.tarot_duel.uses import absent, first_missing, misplaced, misuse
from cartulary.engine.tarot_duel.zones import (
    lies_in_area,
    mill,
    renamed,
    take_deck,
    take_hand,
    take_pile,
)

EFFECT = "tarot-duel.effect"


def fault(state: State, move: Move) -> Fault | None:
    """Return what is wrong with a word, None where nothing is."""
    if type(move) is Nullify and state.act.chain:
        return _answering(state, move)
    uneven = is_open(state) and not told_winner(state, move) and not may_be_even(state)
    if type(move) is Order:
        found = _order(state.then if state.then is not None else state, move)
        return Fault(WINNER, _UNEVEN, found is not None and found.blocks) if uneven else found
    now = live(state, move)
    if now.ended is not None:
        return Fault(now.ended.key, now.ended.because, True)
    due = now.due[0] if now.due else None
    if due is not None and is_said(due, move) and not _reacts(move):
        return due_fault(now, due, move)
    early = _early(now, move, due, uneven)
    if early is None and type(move) not in _WORDS:
        early = Fault("tarot-duel.turn", f"nothing that p{move.seat} could answer has been said")
    base = skipped(now, move) if due is not None else now
    nowhere = _missing(base, move)
    if early is not None:
        return Fault(early.key, early.because, nowhere is not None)
    return nowhere or _rest(base, move)


def _reacts(move: Move) -> bool:
    return type(move) is Nullify or (type(move) is Use and move.justice)


# --- end, turn, reaction, due words, draw ---


def _early(now: State, move: Move, due: Due | None, uneven: bool) -> Fault | None:
    """Return the fault of a word that is said at the wrong time.

    uneven: an open challenge cannot have been won by nobody, so the words of who lost are due
    """
    if _reacts(move):
        because = _untimely(now, move)
        if because:
            return Fault("tarot-duel.reaction", because)
    elif due is None and not uneven and move.seat != now.turn:
        if move.seat == 0:
            return Fault(EFFECT, "no effect asks the table for a word")
        return Fault("tarot-duel.turn", f"it is p{now.turn}'s turn, and p{move.seat} owes no word")
    if uneven:
        return Fault(WINNER, _UNEVEN)
    if due is not None:
        return Fault(skipped_key(due), _owed(due))
    return None if _reacts(move) else _of_turn(now, move)


_UNEVEN = "the face-up cards cannot have been equal, so first come the stakes of who lost"


def _owed(due: Due) -> str:
    who = "the table owes" if due.seat == 0 else f"p{due.seat} owes"
    return f"first {who} {DUES[due.what]}"


def _of_turn(now: State, move: Move) -> Fault | None:
    """Return the fault of a word of the seat in turn: the draw comes first, once."""
    drawn = now.flags & DRAWN
    if type(move) is Draw:
        if drawn:
            return Fault("tarot-duel.draw-one", f"p{now.turn} has drawn already in this turn")
        if len(move.cards) != 1:
            return Fault("tarot-duel.draw-one", f"p{now.turn} draws {len(move.cards)} cards at the start of its turn")
    elif not drawn:
        return Fault("tarot-duel.draw-one", f"p{now.turn} has not drawn yet in this turn")
    return _as_listed(now, move)


def _untimely(now: State, move: Move) -> str:
    """Say why a Temperance or Justice comes at the wrong time."""
    if type(move) is Nullify:
        return "no card of another seat lies open to an answer"
    seat = move.seat
    if not is_in(now, seat):
        return f"p{seat} is out"
    if not now.marks.ready[seat - 1]:
        return f"no {NAMES[JUSTICE]} of p{seat} lies ready"
    return "" if now.done & ~(1 << seat) else "no action of another seat has just been finished"


def _answering(state: State, move: Nullify) -> Fault | None:
    """Return the fault of a Temperance while a window is open."""
    last, card = state.act.chain[-1]
    open_ = replace(state, then=None)
    nowhere = not_in_hand(open_, move.seat, bytes((move.card,)))
    because = ""
    if move.seat == last:
        because = f"{NAMES[card]} is p{last}'s own, and only another seat answers it"
    elif not is_in(state, move.seat):
        because = f"p{move.seat} is out"
    if because:
        return Fault("tarot-duel.reaction", because, nowhere is not None)
    return nowhere or _copied(state, move.seat, move.card, MAJOR + 14)


# --- as the rulebook lists them ---


def _as_listed(now: State, move: Move) -> Fault | None:
    check = _LISTED.get(type(move))
    found = check(now, move) if check else None
    return Fault(*found) if found else None


Said = tuple[str, str]


def _second_play(now: State, move: Use) -> Said | None:
    return ("tarot-duel.one-play", f"p{now.turn} has activated a Major already") if now.flags & PLAYED else None


def _laid(now: State, move: Lay) -> Said | None:
    wrong = next((card for card in move.cards if card >= MAJOR), None)
    if wrong is None:
        return None
    return "tarot-duel.lay-down", f"{NAMES[wrong]} is a Major, and only suit cards are laid in an area"


def _stood(now: State, move: Stand) -> Said | None:
    if move.card not in COPIES:
        return "tarot-duel.lay-down", f"{NAMES[move.card]} stands for no other card"
    if move.name >= MAJOR:
        return "tarot-duel.lay-down", f"{NAMES[move.name]} is a Major, and none is laid in an area"
    return None


def _ended(now: State, move: End) -> Said | None:
    size = len(now.sides[move.seat - 1].hand)
    return ("tarot-duel.hand-limit", f"p{move.seat}'s hand has {size} cards") if size > HAND_LIMIT else None


def _dropped(now: State, move: Discard) -> Said | None:
    size = len(now.sides[move.seat - 1].hand)
    if size - len(move.cards) >= HAND_LIMIT:
        return None
    over = f"only {size - HAND_LIMIT} over the limit" if size > HAND_LIMIT else "none over the limit"
    return "tarot-duel.hand-limit", f"p{move.seat}'s hand has {how_many(size)}, {over}"


def _challenged(now: State, move: Challenge) -> Said | None:
    if now.flags & CHALLENGED:
        return "tarot-duel.challenge", f"p{now.turn} has challenged already in this turn"
    if move.target == move.seat:
        return "tarot-duel.challenge", f"p{move.seat} challenges itself"
    return None if is_in(now, move.target) else ("tarot-duel.challenge", f"p{move.target} is out")


_LISTED: dict[type, Callable[[State, Any], Said | None]] = {
    Use: _second_play,
    Lay: _laid,
    Stand: _stood,
    End: _ended,
    Discard: _dropped,
    Challenge: _challenged,
}

# --- where the cards are ---


def _missing(now: State, move: Move) -> Fault | None:
    """Return the fault of a card that is not where it must be, or contradicts the known deck."""
    if now.due:
        found = due_fault(now, now.due[0], move)
        return found if found is not None and found.blocks else None
    check = _PLACED.get(type(move))
    return check(now, move) if check else None


def _of_hand(now: State, move: Lay | Discard) -> Fault | None:
    return not_in_hand(now, move.seat, move.cards)


def _copy_held(now: State, move: Stand | Nullify) -> Fault | None:
    return not_in_hand(now, move.seat, bytes((move.card,)))


def _renamed(now: State, move: Rename) -> Fault | None:
    if renamed(now, move.seat, move.card, move.name) is not None:
        return None
    return Fault("tarot-duel.in-area", f"{NAMES[move.card]} does not lie in p{move.seat}'s area", True)


def _used(now: State, move: Use) -> Fault | None:
    if not move.justice and move.own is None and move.card in now.sides[move.seat - 1].hand:
        found = misplaced(now, move)
        return Fault(*found, True) if found else None
    taken = (take_pile if move.justice else take_hand)(now, move.seat, move.card)
    nowhere = absent(move.seat, Spot("x" if move.justice else "h", move.card)) if taken is None else None
    found = first_missing(nowhere, misplaced(taken[0] if taken else now, move))
    return Fault(*found, True) if found else None


def _on_top(now: State, move: Draw) -> Fault | None:
    return not_on_top(now, move.seat, move.cards, "tarot-duel.draw-one")


def _staked(now: State, move: Challenge) -> Fault | None:
    for seat, face in ((move.seat, move.ours), (move.target, move.theirs)):
        because = stakes_fault(now, seat, face)
        if because:
            return Fault("tarot-duel.challenge-stakes", because, True)
    if move.target == move.seat or not lies_in_area(now, move.target, move.spot):
        return Fault(*absent(move.target, move.spot), True)
    return None


def _nothing_due(now: State, move: Any) -> Fault | None:
    return Fault("tarot-duel.turn", "no such word is due", True)


_PLACED: dict[type, Callable[[State, Any], Fault | None]] = {
    Draw: _on_top,
    Lay: _of_hand,
    Stand: _copy_held,
    Nullify: _copy_held,
    Rename: _renamed,
    Discard: _of_hand,
    Use: _used,
    Challenge: _staked,
    Mill: lambda now, move: None if mill(now, move.seat, move.cards) else _nothing_due(now, move),
    Redraw: lambda now, move: _nothing_due(now, move),
    PutBack: lambda now, move: _nothing_due(now, move),
    Pick: lambda now, move: _nothing_due(now, move),
    Row: lambda now, move: _nothing_due(now, move),
    Show: lambda now, move: _nothing_due(now, move),
    Stakes: lambda now, move: _nothing_due(now, move),
}
_WORDS = frozenset({Draw, End, Lay, Stand, Rename, Discard, Use, Nullify, Challenge})
"""The kinds of words a seat may say of its own accord."""

# --- the rest of the word ---


def _rest(now: State, move: Move) -> Fault | None:
    if isinstance(move, Stand):
        return _copied(now, move.seat, move.card, move.name)
    if isinstance(move, Rename):
        return _rename(now, move)
    if isinstance(move, Use):
        return _effect(now, move)
    return None


def _rename(now: State, move: Rename) -> Fault | None:
    if move.card == EMPEROR:
        return Fault(EFFECT, f"{NAMES[EMPEROR]} stands for one card and never for another")
    found = renamed(now, move.seat, move.card, move.name)
    if found is not None and found[0] == move.name:
        return Fault(EFFECT, f"{NAMES[move.card]} stands for {NAMES[move.name]} already")
    return _copied(now, move.seat, move.card, move.name)


def _effect(now: State, move: Use) -> Fault | None:
    because = misuse(now, move)
    if because:
        return Fault(EFFECT, because)
    if move.card in COPIES:
        return _copied(now, move.seat, move.card, MAJOR - 1 + move.number)
    return None


def _copied(now: State, seat: int, card: int, name: int) -> Fault | None:
    """Return the fault of a copy that stands for a card its seat's deck has not, or may not have."""
    if card not in COPIES:
        return None
    if name in COPIES:
        return Fault(EFFECT, f"{NAMES[card]} is no copy of {NAMES[name]}")
    found = is_copy(now, seat, name)
    if found:
        return None
    opens = Open((Need(f"p{seat}'s deck", (name,), now.ply + 1),)) if found is None else None
    return Fault(EFFECT, f"Deck{seat} has no {NAMES[name]}, so {NAMES[card]} is no copy of it", opens=opens)


# --- the table's word of a shuffled deck ---


def _untold(base: State, move: Order) -> str:
    """Say why a deck cannot lie as a word tells it: too many cards, one that is not in it, or the wrong order."""
    size = len(base.sides[move.to - 1].deck)
    if len(move.cards) > size:
        return f"p{move.to}'s deck has {how_many(size)}, and the word tells {len(move.cards)}"
    state = base
    for card in sorted(set(move.cards) - {UNKNOWN}):
        for _ in range(move.cards.count(card)):
            taken = take_deck(state, move.to, card)
            if taken is None:
                return f"{NAMES[card]} is not in p{move.to}'s deck, or not as often as the word tells it"
            state = taken[0]
    return f"p{move.to}'s deck does not lie as the word tells it"


def _order(base: State, move: Order) -> Fault | None:
    if base.ended is not None:
        return Fault(base.ended.key, base.ended.because, True)
    if not any(seat == move.to for seat, _ in base.loose):
        if base.due:
            return Fault(skipped_key(base.due[0]), _owed(base.due[0]), True)
        return Fault(EFFECT, f"p{move.to}'s deck is not the next to be told", True)
    base = sized(base, move.to, len(move.cards))
    impossible = told(base, move.to, move.cards) is None
    hand = min(eighth(base, move.to), len(base.sides[move.to - 1].deck))
    if base.fresh and is_in(base, move.to) and len(move.cards) < hand:
        because = f"p{move.to}'s opening hand has {how_many(hand)}, and the word tells {len(move.cards)}"
        return Fault("tarot-duel.opening-hand", because + unjoined(len(move.cards)), impossible)
    return Fault(EFFECT, _untold(base, move), True) if impossible else None
