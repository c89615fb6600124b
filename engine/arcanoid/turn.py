"""Whose word it is, whether it is his turn, and how a move ends."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses, commit
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.dues import WORDS_DUE, settle
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.state import Due, State, side_of, who_name
from cartulary.engine.cards.deck import FOOL


def expected(now: Draft | State) -> tuple[int, bool]:
    """Return who is to speak, a seat or a daemon, and whether it plays on in a Hermit's move; now: what is settled."""
    dues: Sequence[Due] = now.dues
    if dues and dues[0].what in ("vote", "away"):
        return dues[0].who, dues[0].what == "away" and bool(dues[0].count)
    return (now.mover, now.extra) if now.mover else (now.turn, False)


def attribute_word(now: Draft, before: State, word: Move) -> Move:
    """Return a word with whose it is and how its prefix is spelled.

    now: what is settled before it; before: what is not, where a Fool may still lie
    """
    first, by_hermit = expected(now)
    if word.what == "vote" and not (now.dues and now.dues[0].what == "vote"):
        # A vote that comes late is that of the seat whose vote was skipped, whoever is to move by now.
        first = next((due.who for due in before.skipped if due.what == "vote"), first)
    who, extra = (first, by_hermit) if not word.prefix else _named(now, before, word, first, by_hermit)
    seat, what = who % DAEMON, word.what
    is_move = what not in ("fool", "reveal", "vote")
    if what == "vote":
        who, first = DAEMON + seat if word.prefix.endswith("d/") else seat, first % DAEMON
    extra = extra and is_move
    prefix = ""
    if extra or who != first or what in ("fool", "reveal"):
        bare = who > DAEMON and (_has_fool(before, who) if what == "fool" else extra)
        prefix = f"p{seat}/" if bare else f"{who_name(who)}/"
    target = 0 if word.fields and word.target == who else word.target
    lap = (now.lap, not now.begun) if is_move and not extra and not now.mover else None
    return replace(word, seat=seat, who=who, target=target, extra=extra, prefix=prefix, lap=lap)


def _named(now: Draft, before: State, word: Move, first: int, by_hermit: bool) -> tuple[int, bool]:
    """Return who says a word with a prefix: the seat, its daemon, or who of them plays on or has a Hermit."""
    seat, daemon = word.seat, DAEMON + word.seat
    hermits = [who for who in (seat, daemon) if now.peek(who).hermit]
    named = [daemon] if word.prefix.endswith("d/") else [seat, *([first] if by_hermit else hermits)]
    plays_on = now.mover or (now.dues and now.dues[0].what == "away")
    if first in named and first % DAEMON == seat and plays_on:
        return first, by_hermit
    if word.prefix.endswith("d/"):
        return daemon, daemon in hermits
    if word.what == "fool":
        return daemon if _has_fool(before, daemon) else seat, False
    if word.what == "reveal" or now.mover or not hermits:
        return seat, False
    return hermits[0], True


def _has_fool(before: State, daemon: int) -> bool:
    side = side_of(before, daemon)
    return FOOL in side.hand + side.open


def _owners(state: State) -> tuple[int, ...]:
    """Return the seats, those first whose face-down commitments are to be turned up; none where none is."""
    seats = state.house.seats
    lying = {who % DAEMON for who, _ in commit.lying(Draft(state))}
    return (*sorted(lying), 0, *(seat for seat in range(1, seats + 1) if seat not in lying)) if lying else ()


def actors(state: State) -> tuple[int, ...]:
    """Return every seat that may speak now, the one written without a prefix first; empty after the end."""
    now = settle(state)
    if now.ended is not None:
        return _owners(state) if state.ended is None else ()
    first = expected(now)[0] % DAEMON
    seats = range(1, state.house.seats + 1)
    if now.dues and now.dues[0].what in WORDS_DUE:
        return (first,)
    table = [0] if state.dues else []
    others = [seat for seat in seats if seat != first]
    fool = bool(state.dues) and state.dues[0].what == "settle"
    ready = [seat for seat in others if fool or (not now.mover and now.sides[seat - 1].hermit)]
    return (first, *table, *ready)


def check_turn(draft: Draft, move: Move) -> bool:
    """Note a move out of turn; return whether it leaves the turn where it is."""
    who = move.who
    mover = draft.mover or draft.turn
    if not draft.in_play(who):
        draft.block(clauses.TURN, draft.absence(who))
    if draft.mover:
        if who != mover:
            draft.refuse(clauses.TURN, f"{who_name(mover)} is to play again first")
        return who != mover or draft.extra
    if move.extra:
        if not draft.peek(who).hermit:
            draft.refuse(clauses.TURN, f"no Hermit of {who_name(who)} lies on the table")
        return True
    if who != mover:
        draft.refuse(clauses.TURN, f"it is {who_name(mover)}'s turn")
    return who != mover


def make_no_move(draft: Draft, move: Move) -> None:
    """Refuse to pass."""
    draft.refuse(clauses.MUST_MOVE, f"{who_name(move.who)} makes no move")


@cache
def ending(who: int, out: bool, again: bool, row: bool) -> tuple[Due, ...]:
    """Return what is due when a move has been made.

    out: it leaves the turn where it is; again: its player plays on; row: the Justice row lies on the table
    """
    draws = (Due("fill", who), Due("fill", ROW)) if row else (Due("fill", who),)
    if again:
        return (*draws, Due("again", who, int(out)))
    if not out:
        return (*draws, Due("next", who))
    return (*draws, Due("hermit", who), Due("stay", who))
