"""Committing on fields, couples on two at once, and abdicating."""

from cartulary.engine.arcanoid import chariot, clauses, judgment, temperance
from cartulary.engine.arcanoid.cards import FIELDS, JUDGMENT, MAGICIAN, listed
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.face_down import ask_hidden, check_face_down
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.sets import ABDICATED, JUDGED, KNAVE, KNIGHTED, NUMERIC, WORLDLY, kind_of, law_of
from cartulary.engine.arcanoid.state import UNSEEN, Commitment, Due, everybody, who_name
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.slots import has_slots


def commit(draft: Draft, move: Move) -> None:
    """Commit cards, nothing, or Judgment on a field of any seat."""
    if move.secret:
        check_face_down(draft, move)
    alone = move.cards == bytes((JUDGMENT,)) and move.what == "commit"
    if alone and len(move.fields) == 1 and not move.secret:
        return judgment.judge(draft, move)
    who = move.who
    ace = _completes(draft, move)
    taken = [field for field in move.fields if draft.peek(who).fields[field] is not None and ace is None]
    if taken:
        draft.refuse(clauses.COMMITTED_ALREADY, f"{who_name(who)} has already committed on {FIELDS[taken[0]]}")
    temperance.check_tempered(draft, move)
    cards = _taken(draft, move)
    kind = _kind(draft, move, cards, ace)
    if kind == WORLDLY and _is_touched(draft, move.fields[0]):
        draft.refuse(clauses.WORLD, f"something has been committed on {FIELDS[move.fields[0]]}")
    if taken:
        draft.pile += cards
        return None
    return _place(draft, move, kind, cards, ace)


def _completes(draft: Draft, move: Move) -> Commitment | None:
    """Return the single ace a commitment completes, None where there is none."""
    if draft.house.variant != "worms" or len(move.fields) != 1 or not (move.cards or move.what == "spend"):
        return None
    there = draft.peek(move.who).fields[move.fields[0]]
    if there is None or there.completed or there.kind != NUMERIC:
        return None
    suited = [card for card in there.cards if card < FOOL]
    return there if len(suited) == 1 and suited[0] % 14 == 0 else None


def _taken(draft: Draft, move: Move) -> bytes:
    """Take the cards of a commitment; return them as words list them."""
    hidden = move.secret and move.what == "commit"
    cards = bytes((draft.take_unseen if hidden else draft.take)(move.who, card) for card in move.cards)
    if move.what == "spend":
        cards += chariot.spend(draft, move.who)
    return listed(cards)


def _kind(draft: Draft, move: Move, cards: bytes, ace: Commitment | None) -> int:
    if move.secret and draft.house.variant == "malta":
        cards = cards.replace(bytes((MAGICIAN,)), b"")
    if has_slots(cards):
        ask_hidden(draft, move, cards)
        return UNSEEN
    if not cards and len(move.fields) > 1:
        draft.refuse(clauses.ABDICATE, "a seat can abdicate on only one field at a time")
        return ABDICATED
    found = kind_of(cards, move.fields, law_of(draft.house))
    if found == JUDGED:
        found = (clauses.JUDGMENT, "Judgment can be played only from the hand or the Justice row")
    if isinstance(found, int) and ace is not None and found not in (NUMERIC, KNAVE, KNIGHTED):
        found = (clauses.ACE_COMPLETION, "an ace can be completed only with numeric cards, a knave or a knight")
    if isinstance(found, int) and ace is not None and move.secret:
        found = (clauses.ACE_COMPLETION, "an ace can be completed only face up")
    if isinstance(found, int):
        return found
    draft.refuse(*found)
    return ABDICATED


def _is_touched(draft: Draft, field: int) -> bool:
    if draft.touched >> field & 1 or any(there[field] is not None for _, there in draft.gone):
        return True
    return any(draft.peek(who).fields[field] is not None for who in everybody(draft.sides))


def _place(draft: Draft, move: Move, kind: int, cards: bytes, ace: Commitment | None) -> None:
    seat = draft.seat(move.who)
    draft.clock += 1
    if move.secret:
        seat.spent = True
        if draft.house.variant == "malta":
            draft.pile += bytes((MAGICIAN,)) * cards.count(MAGICIAN)
            cards = cards.replace(bytes((MAGICIAN,)), b"")
    if ace is not None:
        cards = listed(cards + ace.cards)
    for field in move.fields:
        both = next((other for other in move.fields if other != field), -1)
        there = Commitment(kind, cards, draft.clock, draft.ply, both, move.secret, ace is not None)
        draft.let_stand(move.who, field, there)
    if draft.temper is not None and draft.temper[1] in move.fields and draft.temper[0] == move.who and cards:
        temperance.drop(draft)
    draft.dues.insert(0, Due("settle", move.who, 0, move.fields[0], ace))
    if kind == WORLDLY:
        for other in everybody(draft.sides):
            if draft.peek(other).fields[move.fields[0]] is None:
                judgment.abdicate(draft, other, move.fields[0], Commitment(ABDICATED, b"", draft.clock, draft.ply))
