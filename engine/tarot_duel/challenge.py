"""A challenge: who may be challenged, and both sides set down and compared."""

from msgspec.structs import replace

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.tarot_duel.challenge_stakes import refuse_faces, set_down
from cartulary.engine.tarot_duel.challenge_winner import conclude, winner_of
from cartulary.engine.tarot_duel.clauses import CHALLENGE, IN_AREA
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.moves import AGAIN_CHALLENGE, Challenge, Spot, Stakes, Use
from cartulary.engine.tarot_duel.state import CHALLENGED, IDLE, Due
from cartulary.engine.tarot_duel.zones import absent


def say_challenge(draft: Draft, move: Challenge) -> None:
    """Carry out the word."""
    seat, target = move.seat, move.target
    if draft.flags & CHALLENGED:
        draft.refuse(CHALLENGE, f"p{draft.turn} has already challenged in this turn")
    elif target == seat:
        draft.refuse(CHALLENGE, f"p{seat} cannot challenge itself")
    elif not draft.marks.is_in(target):
        draft.refuse(CHALLENGE, f"p{target} is out")
    refuse_faces(draft, (seat, move.ours), (target, move.theirs))
    if target == seat or not draft.lies(target, move.spot):
        draft.block(IN_AREA, absent(target, move.spot)[1])
    draft.flags |= CHALLENGED if seat == draft.turn else 0
    draft.act = IDLE
    _compare(draft, seat, target, move.spot, move.ours, move.theirs)


def say_stakes(draft: Draft, move: Stakes, due: Due) -> None:
    """Carry out the word that sets down the stakes of a challenge Judgment repeats."""
    refuse_faces(draft, (due.seat, move.ours), (due.other, move.theirs))
    use = due.use
    assert use is not None
    assert use.other is not None
    _compare(draft, move.seat, use.target, use.other, move.ours, move.theirs)


def _compare(draft: Draft, seat: int, target: int, spot: Spot, ours: int, theirs: int) -> None:
    """Set down the stakes of a challenge and compare them."""
    winner = winner_of(draft, seat, target, ours, theirs)
    against = draft.marks.against
    if target != seat and draft.marks.is_in(target):
        against = (*against[: target - 1], (AGAIN_CHALLENGE, seat), *against[target:])
    draft.mark(against=against, strong=draft.marks.strong & ~(1 << seat | 1 << target))
    draft.act = replace(draft.act, doer=seat)
    set_down(draft, seat, ours)
    set_down(draft, target, theirs)
    stakes = (Due("stake", seat, target, 0, ours), Due("stake", target, seat, 0, theirs))
    if winner >= 0:
        conclude(draft, stakes, spot, winner)
        return
    # A stake that is not on record leaves the winner open: the next word shows it.
    use = Use(seat, UNKNOWN, 21, again=AGAIN_CHALLENGE, target=target, other=spot)
    draft.due = (Due("either", seat, target, use=use), *stakes)
    even = Draft(draft.frozen())
    conclude(even, stakes, spot, 0)
    draft.then = even.frozen()
