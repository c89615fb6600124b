"""A word said in a state: the state after it, and the first rule it breaks."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from cartulary.engine.arcanoid import commitments, dues, rounds, trumps
from cartulary.engine.arcanoid.cards import CHARIOT, FIELDS, TEMPERANCE, how_many, name_of
from cartulary.engine.arcanoid.claims import OLDEST
from cartulary.engine.arcanoid.draft import IMPOSSIBLE, Blocked, Draft, Fault
from cartulary.engine.arcanoid.ends import ending
from cartulary.engine.arcanoid.moves import DAEMON, Move
from cartulary.engine.arcanoid.plain import plainly
from cartulary.engine.arcanoid.readings import gathered, parted
from cartulary.engine.arcanoid.settling import expected, settle
from cartulary.engine.arcanoid.state import State, who_name
from cartulary.engine.slots import UNKNOWN, is_slot

Said = tuple[State | None, Fault | None, tuple[str, tuple[int, ...]] | None]

_last: tuple[State | None, Move | None, Said] = (None, None, (None, None, None))
"""The last word that was asked about: most are applied next."""


def say(state: State, move: Move) -> Said:
    """Return the state after a word, the first rule it breaks, and the question it leaves: (key, whose hands).

    The state is None where what the word says cannot have happened.
    """
    global _last
    before, asked_of, known = _last
    if before is state and asked_of is move:
        return known
    now = settle(state) if state.dues and move.what in ("discard", "commit") else state
    after = plainly(now, move)
    if after is not None:
        plain = after, None, None
        _last = state, move, plain
        return plain
    said = thoroughly(state, move)
    _last = state, move, said
    return said


def thoroughly(state: State, move: Move) -> Said:
    """Return what ``say`` returns, without the quick way: what holds on the readings the word fits best."""
    before = state if move.what in _SAID else settle(state)
    tried = [(one, said) for one in parted(before) for said in _read(one, _meant(before, one, move))]
    if len(tried) == 1:
        return tried[0][1]
    ranks = [_unfitness(one, said) for one, said in tried]
    fitting = [(one, said) for (one, said), rank in zip(tried, ranks, strict=True) if rank == min(ranks)]
    first, (after, fault, question) = fitting[0]
    if after is None:
        return tried[0][1]
    proved = state.proved + after.proved[len(first.proved) :]
    readings = [replace(said[0], proved=proved) for _, said in fitting if said[0] is not None]
    return gathered(readings), fault, question


def _read(state: State, move: Move) -> Iterator[Said]:
    """Yield what a word does on one reading of what was before, as ever more cards come from the row if they may."""
    from_row, doubtful = 0, 0
    while from_row <= doubtful:
        draft = Draft(state, from_row)
        draft.ply += 1
        after: State | None = None
        try:
            _SAID.get(move.what, _seat_word)(draft, move)
        except Blocked:
            pass
        else:
            after = draft.frozen()
        yield after, draft.fault, draft.open
        from_row, doubtful = from_row + 1, draft.doubtful


def _meant(state: State, reading: State, move: Move) -> Move:
    """Return a word as it is meant on another reading, on which another seat may be the one that needs no prefix."""
    if not state.others or move.what in ("told", "fool", "reveal"):
        return move
    kind = DAEMON if move.what == "vote" else 2 * DAEMON
    bare, (who, extra) = expected(state), expected(reading)
    if (move.who, move.extra) != (bare[0] % kind, bare[1] and move.what != "vote"):
        return move
    return replace(move, seat=who % DAEMON, who=who % kind, extra=extra and move.what != "vote")


def _unfitness(before: State, said: Said) -> int:
    """Return how little a word fits a reading: 0 well, 1 it proves a breach, 2 it breaks a rule, 3 it cannot be."""
    after, fault, _ = said
    if after is None or fault is not None:
        return 2 if after is not None else 3
    return int(len(after.proved) > len(before.proved))


# --- the table ---


def _told(draft: Draft, move: Move) -> None:
    who = move.who
    while True:
        dues.advance(draft)
        if draft.ended is not None:
            draft.block("finished", draft.ended.because)
        due = draft.dues[0] if draft.dues else None
        if due is None:
            draft.block(IMPOSSIBLE, "nothing is to be drawn now")
        if due.what == "deal":
            return rounds.tell(draft, who, move.cards)
        if due.what == "deck" and who == 0:
            return rounds.reshuffle(draft, move.cards)
        if due.what in dues.DRAWS and due.who == who:
            return _served(draft, who, move.cards)
        if due.what == "vote":
            draft.block("refill-vote", f"p{due.who} is to vote first")
        if due.what == "away":
            draft.block("wheel", f"{who_name(due.who)} is to discard first")
        dues.skip(draft)


def _served(draft: Draft, who: int, cards: bytes) -> None:
    over = dues.serve(draft, who, cards)
    if over:
        draft.block(IMPOSSIBLE, f"the word tells {how_many(len(cards))}, and {len(cards) - over} can be drawn")
    dues.advance(draft)


# --- out of turn ---


def _fool(draft: Draft, move: Move) -> None:
    dues.advance(draft)
    if not draft.dues or draft.dues[0].what != "settle":
        dues.lives(draft)
    if draft.ended is not None:
        draft.block("finished", draft.ended.because)
    commitments.steal(draft, move)
    _draw(draft, move)


def _reveal(draft: Draft, move: Move) -> None:
    while True:
        dues.advance(draft)
        due = draft.dues[0] if draft.dues else None
        if due is not None and due.what == "turned":
            break
        if due is None or due.what in ("vote", "away", "deal"):
            commitments.owed(draft)
            draft.block("face-down", "no face-down commitment is to be turned up now")
        dues.skip(draft)
    commitments.turn_up(draft, move)
    dues.advance(draft)


def _vote(draft: Draft, move: Move) -> None:
    now = settle(draft.frozen())
    if now.ended is not None:
        draft.block("finished", now.ended.because)
    due = now.dues[0] if now.dues else None
    if due is None or due.what != "vote":
        return draft.wrong("refill-vote", "no vote is due")
    if due.who != move.who:
        draft.wrong("refill-vote", f"p{due.who} is to vote first")
    if not due.count >> move.who & 1:
        return None
    dues.lives(draft)
    dues.voted(draft, move.who, move.yes)
    return dues.advance(draft)


# --- moves ---


def _seat_word(draft: Draft, move: Move) -> None:
    dues.lives(draft)
    if draft.ended is not None:
        draft.block("finished", draft.ended.because)
    if draft.dues and draft.dues[0].what == "vote":
        draft.wrong("refill-vote", f"p{draft.dues[0].who} is to vote first")
        dues.voted(draft, draft.dues[0].who, False)
        dues.lives(draft)
    if draft.dues and draft.dues[0].what == "away":
        if move.what == "discard" and move.who == draft.dues[0].who:
            return _wheel_discard(draft, move.who, move.cards)
        draft.wrong("wheel", f"{who_name(draft.dues[0].who)} is to discard first")
        del draft.dues[0]
        dues.lives(draft)
    out = _check_turn(draft, move)
    if move.who == draft.house.usa:
        _check_usa(draft, move)
    draft.begun = draft.begun or not out
    draft.mover, draft.extra = 0, False
    _MOVES[move.what](draft, move)
    draft.dues += ending(move, out, again=move.what == "use" and trumps.again(move))
    return _draw(draft, move)


def _check_turn(draft: Draft, move: Move) -> bool:
    """Note a move out of turn; return whether it leaves the turn where it is."""
    who = move.who
    mover = draft.mover or draft.turn
    if not draft.in_play(who):
        draft.block("turn", draft.absence(who))
    if draft.mover:
        if who != mover:
            draft.wrong("turn", f"{who_name(mover)} plays on")
        return who != mover or draft.extra
    if move.extra:
        if not draft.peek(who).hermit:
            draft.wrong("turn", f"no Hermit of {who_name(who)} lies on the table")
        return True
    if who != mover:
        draft.wrong("turn", f"it is {who_name(mover)}'s turn")
    return who != mover


def _check_usa(draft: Draft, move: Move) -> None:
    seat = draft.peek(move.who)
    lifts = move.cards == bytes((TEMPERANCE,)) and draft.temper is not None
    if seat.hand:
        if move.what != "discard" or len(move.cards) != 1 or lifts:
            draft.wrong("usa", f"p{move.who} discards its oldest card")
        return
    field = seat.fields.index(None)
    if move.what != "commit" or move.cards or move.fields != (field,):
        draft.wrong("usa", f"p{move.who} has no cards, so it abdicates on {FIELDS[field]}")


def _draw(draft: Draft, move: Move) -> None:
    """Serve the draw written behind a move, and what the Wheel discards behind it."""
    if move.drawn is not None:
        if draft.dues and draft.dues[0].what == "settle":
            dues.settled(draft)
        if not dues.owes_draw(draft, move.who) and move.drawn:
            draft.block(IMPOSSIBLE, f"{who_name(move.who)} does not draw first now")
        _served(draft, move.who, move.drawn)
    if move.away is not None:
        dues.advance(draft)
        if draft.dues and draft.dues[0].what in dues.DRAWS:
            dues.lives(draft)
        if draft.dues and draft.dues[0].what == "vote":
            draft.block("refill-vote", f"p{draft.dues[0].who} is to vote before the Wheel's discard")
        if draft.dues and draft.dues[0].what == "away":
            return _wheel_discard(draft, move.who, move.away)
        if move.away:
            draft.block("wheel", "no card is more than the hand's size")
    dues.advance(draft)
    return None


def _wheel_discard(draft: Draft, who: int, cards: bytes) -> None:
    count = draft.need(draft.dues[0])
    if len(cards) != count:
        draft.wrong("wheel", f"{who_name(who)} discards {how_many(len(cards))}, and is {count} over the hand's size")
    for card in cards:
        draft.pile += bytes((draft.take_unseen(who, card, True),))
    del draft.dues[0]
    dues.advance(draft)


def _discard(draft: Draft, move: Move) -> None:
    cards, who = move.cards, move.who
    if cards == bytes((TEMPERANCE,)) and draft.temper is not None:
        if draft.house.variant == "dresden" or draft.temper[0] != who:
            draft.wrong("temperance-lift", f"{who_name(who)} may not lift Temperance")
        rounds.drop_temper(draft)
        return
    if len(cards) != 1:
        draft.wrong("discard-one", f"{who_name(who)} discards {len(cards)} cards in one move")
    for card in cards:
        code = _oldest(draft, who, card) if who == draft.house.usa else draft.take_unseen(who, card)
        draft.pile += bytes((code,))


def _oldest(draft: Draft, who: int, card: int) -> int:
    seat = draft.seat(who)
    first = seat.hand[0] if seat.hand else UNKNOWN
    lies_open = draft.row is not None and card in draft.row
    oldest = seat.hand and (card in (first, UNKNOWN) or (is_slot(first) and not lies_open))
    if not seat.shown >> (first if oldest else card) & 1:
        # Not all know it to be there, so it goes unseen: who looked at the hand knows it no more.
        seat.looked = ()
    if oldest:
        seat.hand = seat.hand[1:]
        code = draft.sight(first, card, f"the oldest card of p{who}")
        draft.gone_from(who, UNKNOWN if is_slot(code) else code, OLDEST)
        return code
    draft.wrong("usa", f"{name_of(card)} is not the oldest card of p{who}")
    return draft.take(who, card)


def _pass(draft: Draft, move: Move) -> None:
    draft.wrong("must-move", f"{who_name(move.who)} makes no move")


# --- the Chariot ---


def _stand(draft: Draft, move: Move) -> None:
    seat = draft.seat(move.who)
    chariot = bytes((draft.take(move.who, CHARIOT),))
    reserve = bytes(draft.take(move.who, card) for card in move.cards.replace(chariot, b"", 1))
    seat.reserve = reserve


def _add(draft: Draft, move: Move) -> None:
    seat = draft.seat(move.who)
    if seat.reserve is None:
        draft.block("chariot", f"no Chariot of {who_name(move.who)} lies on the table")
    if not 1 <= len(move.cards) <= 2:
        draft.wrong("chariot", f"{len(move.cards)} cards are added to the reserve, and one or two may be")
    seat.reserve += bytes(draft.take(move.who, card) for card in move.cards)


def _drop(draft: Draft, move: Move) -> None:
    seat = draft.seat(move.who)
    if seat.reserve is None:
        draft.block("chariot", f"no Chariot of {who_name(move.who)} lies on the table")
    draft.pile += seat.reserve + bytes((CHARIOT,))
    seat.reserve = None


_SAID: dict[str, Callable[[Draft, Move], None]] = {"told": _told, "fool": _fool, "reveal": _reveal, "vote": _vote}
_MOVES: dict[str, Callable[[Draft, Move], None]] = {
    "discard": _discard,
    "commit": commitments.commit,
    "spend": commitments.commit,
    "use": trumps.use,
    "stand": _stand,
    "add": _add,
    "drop": _drop,
    "pass": _pass,
}
