"""What comes before the next move, in order: what a commitment brings, draws, votes, the turn."""

from msgspec.structs import replace

from cartulary.engine.arcanoid import rounds
from cartulary.engine.arcanoid.cards import FOOL, HERMIT
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.forms import KNAVE, KNIGHTED
from cartulary.engine.arcanoid.moves import DAEMON, ROW
from cartulary.engine.arcanoid.state import Due, vote_after

DRAWS = frozenset({"fill", "reveal", "take"})


def advance(draft: Draft) -> None:
    """Do what is due and needs no word; stop at what does."""
    while draft.dues:
        due = draft.dues[0]
        what = due.what
        if what in DRAWS:
            if draft.need(due) and not draft.dead:
                return
        elif what == "away":
            if draft.need(due):
                return
        elif what == "turned":
            if rounds.face_down(draft):
                return
        elif what in ("settle", "vote", "deck", "deal"):
            return
        del draft.dues[0]
        if what == "score":
            rounds.score(draft)
            return
        if what not in DRAWS:
            _do(draft, due)


def _do(draft: Draft, due: Due) -> None:
    if due.what == "next":
        rounds.pass_turn(draft)
    elif due.what == "again":
        if draft.in_play(due.who):
            draft.mover, draft.extra = due.who, bool(due.count)
    elif due.what == "hermit":
        seat = draft.seat(due.who)
        if seat.hermit:
            seat.hermit -= 1
            if not seat.hermit:
                draft.pile += bytes((HERMIT,))
    elif due.what == "stay" and not draft.in_play(draft.turn):
        rounds.pass_turn(draft)


def lives(draft: Draft) -> None:
    """Bring a state to where a move may be said: unwritten draws are made, windows closed, deals ended.

    Only a vote, the Wheel's discard and the end of the game are left.
    """
    advance(draft)
    while draft.dues:
        if draft.dues[0].what in ("vote", "away"):
            return
        skip(draft)
        advance(draft)


def skip(draft: Draft) -> None:
    """Pass over the first thing due as if it had not been written."""
    due = draft.dues[0]
    if due.what in DRAWS:
        drawn(draft, due, 0xFF)
    elif due.what == "settle":
        settled(draft)
    elif due.what == "deal":
        rounds.close(draft)
    elif due.what == "deck":
        rounds.reshuffle(draft, b"")
    else:
        del draft.dues[0]


# --- draws ---


def drawn(draft: Draft, due: Due, card: int) -> None:
    """Draw one card for the first due draw; an empty deck is voted on before anything else."""
    draft.draw_one(due, card)
    if due.what != "fill":
        draft.dues[0] = replace(due, count=due.count - 1)
    if not draft.deck:
        emptied(draft, due.who)


def serve(draft: Draft, who: int, cards: bytes) -> int:
    """Draw these cards for who has draws due; return how many of them were too many."""
    for at, card in enumerate(cards):
        advance(draft)
        due = draft.dues[0] if draft.dues else None
        if due is None or due.what not in DRAWS or due.who != who:
            return len(cards) - at
        drawn(draft, due, card)
    return 0


def owes_draw(draft: Draft, who: int) -> bool:
    """Say whether the next thing due is a draw of who."""
    advance(draft)
    return bool(draft.dues) and draft.dues[0].what in DRAWS and draft.dues[0].who == who


def emptied(draft: Draft, who: int) -> None:
    """Do what an empty deck brings; who: who drew the last card."""
    dresden = draft.house.variant == "dresden"
    if not dresden:
        rounds.drop_temper(draft)
    if not draft.pile or draft.dead:
        draft.dead = True
        rounds.drop_temper(draft)
        return
    real = draft.house.seats - (1 if draft.house.usa else 0)
    if who == ROW:
        who = next((due.who for due in draft.dues if due.what in ("next", "again", "stay")), draft.turn)
    seat = who - DAEMON if who > DAEMON else who
    draft.dues.insert(0, Due("vote", seat if seat <= real else 1, (2 << real) - 2))


def voted(draft: Draft, who: int, yes: bool) -> None:
    """Count the vote of a seat that is still to vote."""
    due = draft.dues.pop(0)
    if not yes:
        draft.dead = True
        rounds.drop_temper(draft)
    else:
        draft.dues.insert(0, vote_after(draft.house, due, who) or Due("deck"))


# --- what a commitment brings ---


def settled(draft: Draft) -> None:
    """Close the window of a commitment: who has committed on all fields leaves, a completed ace goes."""
    due = draft.dues.pop(0)
    seat = draft.seat(due.who)
    there = seat.fields[due.field]
    if due.was is not None and there is not None and there.kind in (KNAVE, KNIGHTED):
        aces = bytes(card for card in there.cards if card < FOOL and not card % 14)
        rest = bytes(card for card in there.cards if card not in aces)
        draft.pile += aces
        fields = list(seat.fields)
        fields[due.field] = replace(there, cards=rest)
        seat.fields = tuple(fields)
    finished(draft, due.who)


def finished(draft: Draft, who: int) -> None:
    """Let who may have finished leave, and end the round with the last."""
    rounds.leave(draft, who)
    if rounds.is_over(draft):
        draft.dues = [Due("turned"), Due("score")]
