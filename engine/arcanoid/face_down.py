"""Committing face down: who may, what may lie there, and how it is turned up at the end of the round."""

from itertools import combinations
from math import comb

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import FIELDS, JUDGMENT, MAGICIAN, WORLD, listed, name_of
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.fool import unstealable
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.sets import ABDICATED, Wrong, kind_of, law_of
from cartulary.engine.arcanoid.state import UNSEEN, Commitment, House, everybody, who_name
from cartulary.engine.contract import Breach
from cartulary.engine.slots import has_slots, is_slot, possible

MOST_READINGS = 500


def check_face_down(draft: Draft, move: Move) -> None:
    """Note what forbids to commit face down what a word commits so."""
    variant, cards = draft.house.variant, move.cards
    malta = variant == "malta"
    if move.what == "spend":
        draft.refuse(clauses.FACE_DOWN, "a reserve cannot be committed face down")
    if variant == "koblenz" and draft.peek(move.who).spent:
        draft.refuse(clauses.ONCE_A_ROUND, f"{who_name(move.who)} has already committed face down in this round")
    if variant not in ("koblenz", "malta"):
        draft.refuse(clauses.FACE_DOWN, "nothing may be committed face down in this variant")
    elif malta and MAGICIAN not in cards:
        draft.refuse(clauses.FACE_DOWN, "only the Magician lets a seat commit face down")
    elif len(cards) - malta < 1:
        draft.refuse(clauses.FACE_DOWN, "at least one card must be committed face down")
    elif len(move.fields) != 1:
        draft.refuse(clauses.FACE_DOWN, "a face-down commitment must be on one field")
    else:
        dead = next((card for card in cards if card in (WORLD, JUDGMENT)), None)
        if dead is not None:
            draft.refuse(clauses.FACE_DOWN, f"{name_of(dead)} cannot be committed face down")


def ask_hidden(draft: Draft, move: Move, cards: bytes) -> None:
    """Ask whether what lies face down may lie there, or answer it where so few cards may be it that all are tried."""
    hidden = [code for code in cards if is_slot(code)]
    may = [card for card in range(78) if any(possible(draft.slots, code) >> card & 1 for code in set(hidden))]
    faults: list[Wrong | None] = []
    if comb(len(may), len(hidden)) <= MOST_READINGS:
        seen = bytes(card for card in cards if not is_slot(card))
        read = (listed(seen + bytes(those)) for those in combinations(may, len(hidden)))
        faults = [_unhideable(draft.house, those, move.fields) for those in read]
    wrong = [fault for fault in faults if fault is not None]
    if wrong and len(wrong) == len(faults):
        draft.refuse(*wrong[0])
    elif wrong or not faults:
        draft.wonder(clauses.FACE_DOWN, move.who)


def _unhideable(house: House, cards: bytes, fields: tuple[int, ...]) -> Wrong | None:
    """Return the rule that cards break which lie face down, and why; None where they break none."""
    dead = next((card for card in cards if card in (WORLD, JUDGMENT)), None)
    if dead is not None:
        return clauses.FACE_DOWN, f"{name_of(dead)} cannot be committed face down"
    found = kind_of(cards, fields, law_of(house))
    return None if isinstance(found, int) else found


def turn_up(draft: Draft, move: Move) -> None:
    """Turn a face-down commitment up at the end of the round."""
    if not draft.dues or draft.dues[0].what != "turned":
        draft.block(clauses.FACE_DOWN, "no face-down commitment is to be turned up now")
    field = move.fields[0]
    there = draft.peek(move.who).fields[field]
    if there is None or not there.secret or len(there.cards) != len(move.cards):
        draft.block(clauses.FACE_DOWN, f"{who_name(move.who)} has no such commitment face down on {FIELDS[field]}")
    unseen = bytes(card for card in move.cards if card not in there.cards)
    *_, wrong = draft.in_front(there.cards, move.cards)
    if wrong >= 0:
        draft.block(clauses.FACE_DOWN, f"{name_of(wrong)} does not lie face down on {FIELDS[field]}")
    kind = there.kind
    if kind == UNSEEN:
        kind = _turned(draft, move, there)
        draft.recalled(there.owner or move.who, there.ply, unseen)
    draft.let_stand(move.who, field, replace(there, cards=move.cards, kind=kind, secret=False))


def _turned(draft: Draft, move: Move, there: Commitment) -> int:
    """Return the kind of a commitment nobody on record saw, and prove what was wrong with it and with the Fool."""
    found = kind_of(move.cards, move.fields, law_of(draft.house))
    fault = _unhideable(draft.house, move.cards, move.fields)
    kind = found if isinstance(found, int) and fault is None else ABDICATED
    if fault is not None:
        draft.proved += (Breach((there.ply,), fault[0].key, fault[1], draft.ply),)
    if there.tried:
        why = unstealable(draft.house, replace(there, kind=kind), move.cards)
        why = why if there.owner else "" if why else "the Fool could have taken the commitment"
        if why:
            draft.proved += (Breach((there.tried,), clauses.FOOL.key, why, draft.ply),)
    return kind


def lying(draft: Draft) -> list[tuple[int, int]]:
    """Return (who, field) of all commitments that lie face down."""
    standing = (
        (who, field, there) for who in everybody(draft.sides) for field, there in enumerate(draft.peek(who).fields)
    )
    return [(who, field) for who, field, there in standing if there is not None and there.secret]


def unread(draft: Draft, there: Commitment | None) -> None:
    """Note that what lies face down will not be turned up any more."""
    if there is None or not has_slots(there.cards):
        return
    draft.unread += ((there.ply, clauses.FACE_DOWN.key),)
    if there.tried:
        draft.unread += ((there.tried, clauses.FOOL.key),)
