"""The Fool: who may take what has just been committed, and what becomes of it."""

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import FIELDS
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.refill_vote import check_voted
from cartulary.engine.arcanoid.sets import ABDICATED, COUPLES, JUDGED, WORLDLY, kind_of, law_of
from cartulary.engine.arcanoid.state import UNSEEN, Commitment, Due, House, is_of_mainz, who_name
from cartulary.engine.arcanoid.usa import check_usa
from cartulary.engine.arcanoid.wheel import check_discarded
from cartulary.engine.cards.deck import FOOL


def steal(draft: Draft, move: Move) -> None:
    """Take the commitment just announced, or lose the Fool."""
    thief, field = move.who, move.fields[0]
    check_voted(draft)
    check_discarded(draft)
    due = draft.dues[0] if draft.dues else None
    there = None
    if not draft.in_play(thief):
        from_row = draft.peek(thief).plays and draft.row is not None and FOOL in draft.row
        draft.block(clauses.FINISHED if from_row else clauses.TURN, draft.absence(thief))
    if thief == draft.house.usa:
        check_usa(draft, move)
    if due is None or due.what != "settle":
        draft.refuse(clauses.FOOL, "no commitment has just been announced")
    else:
        there = draft.peek(due.who).fields[due.field]
        _check_steal(draft, move, due, there)
    draft.pile += bytes((draft.take(thief, FOOL),))
    if draft.refusals or due is None or there is None:
        draft.dues.insert(1 if draft.dues else 0, Due("fill", thief))
        return
    rest = draft.dues[1:]
    fills = [one for one in rest if one.what == "fill" and one.who == due.who][:1]
    others = [one for one in rest if one not in fills]
    if move.secret:
        draft.let_stand(due.who, field, replace(there, tried=draft.ply, eye=thief))
        draft.dues = [due, *fills, Due("fill", thief), *others]
        return
    _give(draft, due, there, thief, field)
    draft.dues = [Due("settle", thief, 0, field), *fills, Due("fill", thief), *others]


def _stolen(there: Commitment, due: Due) -> bytes:
    """Return the cards a Fool would take: of a completed ace, what completes it."""
    if due.was is None:
        return there.cards
    rest = list(there.cards)
    for card in due.was.cards:
        rest.remove(card)
    return bytes(rest)


def _check_steal(draft: Draft, move: Move, due: Due, there: Commitment | None) -> None:
    thief, field = move.who, move.fields[0]
    if field != due.field or there is None:
        return draft.refuse(clauses.FOOL, f"nothing has just been committed on {FIELDS[field]}")
    if thief == due.who:
        return draft.refuse(clauses.FOOL, f"the commitment is {who_name(thief)}'s own")
    mine = draft.peek(thief).fields[field]
    if mine is not None:
        return draft.refuse(clauses.FOOL, f"{who_name(thief)} has committed on {FIELDS[field]} already")
    if there.kind == UNSEEN:
        draft.wonder(clauses.FOOL, due.who)
        return None
    because = unstealable(draft.house, there, _stolen(there, due))
    if move.secret:
        if not there.secret:
            draft.refuse(clauses.FOOL, "only a commitment that lies face down can be tried in vain")
        elif not because:
            draft.refuse(clauses.FOOL, "the Fool can take the commitment, so he is not played in vain")
    elif because:
        draft.refuse(clauses.FOOL, because)
    return None


def unstealable(house: House, there: Commitment, cards: bytes) -> str:
    """Return why a Fool may not take these cards of a commitment; empty where he may."""
    if there.both >= 0 or there.kind in COUPLES:
        return "the Fool cannot take a couple"
    if there.kind in (ABDICATED, JUDGED):
        return "the Fool cannot take an abdication"
    if there.kind == WORLDLY:
        return "the Fool cannot take the World"
    if any(card < FOOL and card % 14 == 0 for card in cards) and not is_of_mainz(house):
        return "the Fool cannot take a commitment that contains an ace"
    return ""


def _give(draft: Draft, due: Due, there: Commitment, thief: int, field: int) -> None:
    """Make a commitment the thief's."""
    cards = _stolen(there, due)
    kind = there.kind
    if due.was is not None:
        found = kind_of(cards, (field,), law_of(draft.house))
        kind = found if isinstance(found, int) else kind
    draft.let_stand(due.who, field, due.was)
    draft.clock += 1
    taken = Commitment(kind, cards, draft.clock, there.ply, -1, there.secret, False, draft.ply, due.who)
    draft.let_stand(thief, field, taken)
