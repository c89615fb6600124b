"""Committing on fields, couples on two at once, and face down; the Fool, who takes what was committed; discards."""

from itertools import combinations
from math import comb

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses, round, trumps
from cartulary.engine.arcanoid.cards import (
    ABDICATED,
    COUPLES,
    FIELDS,
    JUDGED,
    JUDGMENT,
    KNAVE,
    KNIGHTED,
    MAGICIAN,
    NUMERIC,
    TEMPERANCE,
    WORLD,
    WORLDLY,
    Wrong,
    in_word_order,
    kind_of,
    law_of,
    name_of,
)
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.round import check_discarded, check_usa, check_voted, take_oldest
from cartulary.engine.arcanoid.state import UNSEEN, Commitment, Due, Options, everybody, is_of_mainz, who_name
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.contract import Breach
from cartulary.engine.slots import has_slots, is_slot, possible


def commit(draft: Draft, move: Move) -> None:
    """Carry out a commitment, face up or face down, of cards or a reserve; a rule it breaks is noted as a refusal on
    the draft.

    Judgment alone, face up and on one field, goes to ``play_judgment``. Cards for a field that is taken already go to
    the discard pile, unless they complete a single ace there.

    Raises:
        BlockedError: A card, or the reserve, cannot have been where it is taken from.
    """
    if move.secret:
        check_face_down(draft, move)
    alone = move.cards == bytes((JUDGMENT,)) and move.what == "commit"
    if alone and len(move.fields) == 1 and not move.secret:
        return trumps.play_judgment(draft, move)
    who = move.who
    ace = _find_ace(draft, move)
    closed_fields = [field for field in move.fields if draft.peek(who).fields[field] is not None and ace is None]
    if closed_fields:
        draft.refuse(clauses.COMMITTED_ALREADY, f"{who_name(who)} has already committed on {FIELDS[closed_fields[0]]}")
    trumps.check_temperance(draft, move)
    cards = _take_cards(draft, move)
    kind = _judge_kind(draft, move, cards, ace)
    if kind == WORLDLY and _is_field_used(draft, move.fields[0]):
        draft.refuse(clauses.WORLD, f"something has been committed on {FIELDS[move.fields[0]]}")
    if closed_fields:
        draft.pile += cards
        return None
    return _put_on_fields(draft, move, kind, cards, ace)


def _find_ace(draft: Draft, move: Move) -> Commitment | None:
    """Return the single ace that this commitment completes on its field; None if it completes none.

    Only the variant worms has that. The ace must be alone among suit cards there, and not completed before.
    """
    if draft.options.variant != "worms" or len(move.fields) != 1 or not (move.cards or move.what == "spend"):
        return None
    commitment = draft.peek(move.who).fields[move.fields[0]]
    if commitment is None or commitment.completed or commitment.kind != NUMERIC:
        return None
    suited = [card for card in commitment.cards if card < FOOL]
    return commitment if len(suited) == 1 and suited[0] % 14 == 0 else None


def _take_cards(draft: Draft, move: Move) -> bytes:
    """Take the cards of a commitment from the hand, the row or the reserve; return their codes as words list them.

    Raises:
        BlockedError: A card cannot be there, or there is no reserve.
    """
    hidden = move.secret and move.what == "commit"
    cards = bytes((draft.take_unseen if hidden else draft.take)(move.who, card) for card in move.cards)
    if move.what == "spend":
        cards += trumps.spend_reserve(draft, move.who)
    return in_word_order(cards)


def _judge_kind(draft: Draft, move: Move, cards: bytes, ace: Commitment | None) -> int:
    """Return the kind of the commitment; if its cards may not be committed so, note the refusal on the draft.

    It is UNSEEN if some of the cards lie face down and nobody on record saw them, and ABDICATED if they break a rule.

    Args:
        draft: The draft, on which the refusal or an open question is noted.
        move: The word.
        cards: The cards as they were taken, as codes of cards or slots.
        ace: The single ace that they complete, None for none (``_find_ace``).
    """
    if move.secret and draft.options.variant == "malta":
        cards = cards.replace(bytes((MAGICIAN,)), b"")
    if has_slots(cards):
        judge_face_down(draft, move, cards)
        return UNSEEN
    if not cards and len(move.fields) > 1:
        draft.refuse(clauses.ABDICATE, "a seat can abdicate on only one field at a time")
        return ABDICATED
    kind = kind_of(cards, move.fields, law_of(draft.options))
    if kind == JUDGED:
        kind = (clauses.JUDGMENT, "Judgment can be played only from the hand or the Justice row")
    if isinstance(kind, int) and ace is not None and kind not in (NUMERIC, KNAVE, KNIGHTED):
        kind = (clauses.ACE_COMPLETION, "an ace can be completed only with numeric cards, a knave or a knight")
    if isinstance(kind, int) and ace is not None and move.secret:
        kind = (clauses.ACE_COMPLETION, "an ace can be completed only face up")
    if isinstance(kind, int):
        return kind
    draft.refuse(*kind)
    return ABDICATED


def _is_field_used(draft: Draft, field: int) -> bool:
    """Say whether anything has been committed on a field (0 to 3) in this round by anybody, even if the Tower has
    undone it.
    """
    if draft.undone_fields >> field & 1 or any(fields[field] is not None for _, fields in draft.past_daemons):
        return True
    return any(draft.peek(who).fields[field] is not None for who in everybody(draft.sides))


def _put_on_fields(draft: Draft, move: Move, kind: int, cards: bytes, ace: Commitment | None) -> None:
    """Put the commitment on its fields of the draft; next is due that a Fool may take it.

    It may end Temperance there, and the World makes all others abdicate there. ``cards`` are codes of cards or slots,
    and ``ace`` is the single ace that they complete, None for none.
    """
    seat = draft.seat(move.who)
    draft.clock += 1
    if move.secret:
        seat.spent = True
        if draft.options.variant == "malta":
            draft.pile += bytes((MAGICIAN,)) * cards.count(MAGICIAN)
            cards = cards.replace(bytes((MAGICIAN,)), b"")
    if ace is not None:
        cards = in_word_order(cards + ace.cards)
    for field in move.fields:
        both = next((other for other in move.fields if other != field), -1)
        commitment = Commitment(kind, cards, draft.clock, draft.ply, both, move.secret, ace is not None)
        draft.set_field(move.who, field, commitment)
    if draft.temper is not None and draft.temper[1] in move.fields and draft.temper[0] == move.who and cards:
        round.drop_temperance(draft)
    draft.dues.insert(0, Due("settle", move.who, 0, move.fields[0], ace))
    if kind == WORLDLY:
        for other in everybody(draft.sides):
            if draft.peek(other).fields[move.fields[0]] is None:
                trumps.abdicate(draft, other, move.fields[0], Commitment(ABDICATED, b"", draft.clock, draft.ply))


# --- face down ---


MOST_READINGS = 500


def check_face_down(draft: Draft, move: Move) -> None:
    """Note on the draft the refusal of a face-down commitment that may not be made; the word may stand.

    Only koblenz, once in a round, and malta, with the Magician, allow one. It must be on one field, of at least one
    card besides the Magician in malta, and may not show the World or Judgment.
    """
    variant, cards = draft.options.variant, move.cards
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


def judge_face_down(draft: Draft, move: Move, cards: bytes) -> None:
    """Judge face-down cards that nobody on record saw; the draft notes what comes of it.

    If few enough sets of cards are possible, all are tried: a refusal is noted if all break a rule, and nothing if none
    does. Otherwise an open question is noted, which is answered when the cards are turned up. ``cards`` are codes of
    cards or slots.
    """
    hidden = [code for code in cards if is_slot(code)]
    may = [card for card in range(78) if any(possible(draft.slots, code) >> card & 1 for code in set(hidden))]
    faults: list[Wrong | None] = []
    if comb(len(may), len(hidden)) <= MOST_READINGS:
        known_cards = bytes(card for card in cards if not is_slot(card))
        read = (in_word_order(known_cards + bytes(those)) for those in combinations(may, len(hidden)))
        faults = [_face_down_fault(draft.options, those, move.fields) for those in read]
    wrong = [fault for fault in faults if fault is not None]
    if wrong and len(wrong) == len(faults):
        draft.refuse(*wrong[0])
    elif wrong or not faults:
        draft.ask_later(clauses.FACE_DOWN, move.who)


def _face_down_fault(options: Options, cards: bytes, fields: tuple[int, ...]) -> Wrong | None:
    """Return (rule, reason) that these cards break if they lie face down on those fields; None if they break none."""
    dead = next((card for card in cards if card in (WORLD, JUDGMENT)), None)
    if dead is not None:
        return clauses.FACE_DOWN, f"{name_of(dead)} cannot be committed face down"
    kind = kind_of(cards, fields, law_of(options))
    return None if isinstance(kind, int) else kind


def turn_up(draft: Draft, move: Move) -> None:
    """Turn a face-down commitment up at the end of the round, and judge it if nobody on record had seen it.

    Raises:
        BlockedError: Nothing is to be turned up now, no such commitment lies there, or one of the cards cannot be in
            it.
    """
    if not draft.dues or draft.dues[0].what != "turned":
        draft.block(clauses.FACE_DOWN, "no face-down commitment is to be turned up now")
    field = move.fields[0]
    commitment = draft.peek(move.who).fields[field]
    if commitment is None or not commitment.secret or len(commitment.cards) != len(move.cards):
        draft.block(clauses.FACE_DOWN, f"{who_name(move.who)} has no such commitment face down on {FIELDS[field]}")
    unseen = bytes(card for card in move.cards if card not in commitment.cards)
    *_, wrong = draft.in_front(commitment.cards, move.cards)
    if wrong >= 0:
        draft.block(clauses.FACE_DOWN, f"{name_of(wrong)} does not lie face down on {FIELDS[field]}")
    kind = commitment.kind
    if kind == UNSEEN:
        kind = _judge_turned_up(draft, move, commitment)
        draft.name_departed(commitment.owner or move.who, commitment.ply, unseen)
    draft.set_field(move.who, field, replace(commitment, cards=move.cards, kind=kind, secret=False))


def _judge_turned_up(draft: Draft, move: Move, commitment: Commitment) -> int:
    """Return the kind of a face-down commitment that nobody on record had seen and that this word turns up; ABDICATED
    if its cards break a rule.

    That breach is added to the breaches of the draft. So is that of a Fool who took the commitment though he may not,
    or who looked at it and left it though he could have taken it.
    """
    judged = kind_of(move.cards, move.fields, law_of(draft.options))
    fault = _face_down_fault(draft.options, move.cards, move.fields)
    kind = judged if isinstance(judged, int) and fault is None else ABDICATED
    if fault is not None:
        draft.breaches += (Breach((commitment.ply,), fault[0].key, fault[1], draft.ply),)
    if commitment.fool_ply:
        why = fool_obstacle(draft.options, replace(commitment, kind=kind), move.cards)
        why = why if commitment.owner else "" if why else "the Fool could have taken the commitment"
        if why:
            draft.breaches += (Breach((commitment.fool_ply,), clauses.FOOL.key, why, draft.ply),)
    return kind


def face_down_commitments(draft: Draft) -> list[tuple[int, int]]:
    """Return (seat or daemon, field) of each commitment that lies face down, seats first; the field is 0 to 3."""
    standing = (
        (who, field, commitment)
        for who in everybody(draft.sides)
        for field, commitment in enumerate(draft.peek(who).fields)
    )
    return [(who, field) for who, field, commitment in standing if commitment is not None and commitment.secret]


# --- the Fool ---


def play_fool(draft: Draft, move: Move) -> None:
    """Take the commitment just announced with the Fool.

    Where that is wrong, a refusal is noted, and only the Fool is lost. If the move is ``secret``, the thief looks in
    vain at a commitment that lies face down, and it stays where it is. The owner and the thief are to draw then.

    Raises:
        BlockedError: The thief is not in play, or cannot have the Fool.
    """
    thief, field = move.who, move.fields[0]
    check_voted(draft)
    check_discarded(draft)
    due = draft.dues[0] if draft.dues else None
    commitment = None
    if not draft.in_play(thief):
        from_row = draft.peek(thief).plays and draft.row is not None and FOOL in draft.row
        draft.block(clauses.NO_MORE_MOVES if from_row else clauses.TURN, draft.why_not_in_play(thief))
    if thief == draft.options.usa:
        check_usa(draft, move)
    if due is None or due.what != "settle":
        draft.refuse(clauses.FOOL, "no commitment has just been announced")
    else:
        commitment = draft.peek(due.who).fields[due.field]
        _check_steal(draft, move, due, commitment)
    draft.pile += bytes((draft.take(thief, FOOL),))
    if draft.refusals or due is None or commitment is None:
        draft.dues.insert(1 if draft.dues else 0, Due("fill", thief))
        return
    rest = draft.dues[1:]
    fills = [other for other in rest if other.what == "fill" and other.who == due.who][:1]
    others = [other for other in rest if other not in fills]
    if move.secret:
        draft.set_field(due.who, field, replace(commitment, fool_ply=draft.ply, eye=thief))
        draft.dues = [due, *fills, Due("fill", thief), *others]
        return
    _hand_to_thief(draft, due, commitment, thief, field)
    draft.dues = [Due("settle", thief, 0, field), *fills, Due("fill", thief), *others]


def _cards_for_fool(commitment: Commitment, due: Due) -> bytes:
    """Return the cards that a Fool takes from a commitment: all, but of a completed ace only those that
    completed it.
    """
    if due.was is None:
        return commitment.cards
    rest = list(commitment.cards)
    for card in due.was.cards:
        rest.remove(card)
    return bytes(rest)


def _check_steal(draft: Draft, move: Move, due: Due, commitment: Commitment | None) -> None:
    """Note on the draft the refusal of a Fool who names another field, the player's own commitment, or one that he
    cannot take.

    Where nobody on record saw the commitment, an open question is noted instead.

    Args:
        draft: The draft, which only gets a note.
        move: The Fool's word.
        due: What is due for the commitment just announced; it names whose it is and on which field.
        commitment: That commitment, None if nothing stands there.
    """
    thief, field = move.who, move.fields[0]
    if field != due.field or commitment is None:
        return draft.refuse(clauses.FOOL, f"nothing has just been committed on {FIELDS[field]}")
    if thief == due.who:
        return draft.refuse(clauses.FOOL, f"the commitment is {who_name(thief)}'s own")
    mine = draft.peek(thief).fields[field]
    if mine is not None:
        return draft.refuse(clauses.FOOL, f"{who_name(thief)} has committed on {FIELDS[field]} already")
    if commitment.kind == UNSEEN:
        draft.ask_later(clauses.FOOL, due.who)
        return None
    because = fool_obstacle(draft.options, commitment, _cards_for_fool(commitment, due))
    if move.secret:
        if not commitment.secret:
            draft.refuse(clauses.FOOL, "only a commitment that lies face down can be tried in vain")
        elif not because:
            draft.refuse(clauses.FOOL, "the Fool can take the commitment, so he is not played in vain")
    elif because:
        draft.refuse(clauses.FOOL, because)
    return None


def fool_obstacle(options: Options, commitment: Commitment, cards: bytes) -> str:
    """Return why a Fool may not take a commitment, as a sentence; "" where he may.

    ``cards`` are those he would take: of a completed ace only those that completed it.
    """
    if commitment.both >= 0 or commitment.kind in COUPLES:
        return "the Fool cannot take a couple"
    if commitment.kind in (ABDICATED, JUDGED):
        return "the Fool cannot take an abdication"
    if commitment.kind == WORLDLY:
        return "the Fool cannot take the World"
    if any(card < FOOL and card % 14 == 0 for card in cards) and not is_of_mainz(options):
        return "the Fool cannot take a commitment that contains an ace"
    return ""


def _hand_to_thief(draft: Draft, due: Due, commitment: Commitment, thief: int, field: int) -> None:
    """Move a commitment to the thief's side of the field, where it counts as a new one by ``clock``.

    Of a completed ace the ace stays where it was. ``due`` names whose the commitment is, and what stood there before.
    """
    cards = _cards_for_fool(commitment, due)
    kind = commitment.kind
    if due.was is not None:
        judged = kind_of(cards, (field,), law_of(draft.options))
        kind = judged if isinstance(judged, int) else kind
    draft.set_field(due.who, field, due.was)
    draft.clock += 1
    own_commitment = Commitment(
        kind, cards, draft.clock, commitment.ply, -1, commitment.secret, False, draft.ply, due.who
    )
    draft.set_field(thief, field, own_commitment)


# --- discards ---


def discard(draft: Draft, move: Move) -> None:
    """Discard one card of the hand, or lift Temperance from its field; a wrong number of cards is noted as a refusal.

    The USA discards its oldest card.

    Raises:
        BlockedError: A card cannot have been there.
    """
    cards, who = move.cards, move.who
    if cards == bytes((TEMPERANCE,)) and draft.temper is not None:
        return trumps.lift_temperance(draft, who)
    if len(cards) != 1:
        draft.refuse(clauses.DISCARD_ONE, f"{who_name(who)} discards {len(cards)} cards in one move")
    for card in cards:
        code = take_oldest(draft, who, card) if who == draft.options.usa else draft.take_unseen(who, card)
        draft.pile += bytes((code,))
    return None
