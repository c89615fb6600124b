"""Committing on fields, face up and face down, and the Fool that takes a commitment."""

from itertools import combinations
from math import comb

from msgspec.structs import replace

from cartulary.engine.arcanoid import rounds
from cartulary.engine.arcanoid.cards import CHARIOT, FIELDS, FOOL, JUDGMENT, MAGICIAN, WORLD, listed, name_of
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.forms import (
    ABDICATED,
    COUPLES,
    JUDGED,
    NO_TRANSMUTING,
    NUMERIC,
    PLAIN_COURTS,
    WORLDLY,
    kind_of,
)
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import Commitment, Due, House, steals_aces, who_name
from cartulary.engine.contract import Breach
from cartulary.engine.slots import has_slots, is_slot, left

UNSEEN = -1
MOST_READINGS = 500


def law_of(house: House) -> int:
    """Return what the variant changes about what may be committed."""
    law = PLAIN_COURTS if house.variant in ("mainz", "malta", "worms") else 0
    return law | (NO_TRANSMUTING if house.variant == "malta" else 0)


def commit(draft: Draft, move: Move) -> None:
    """Commit cards, nothing, or Judgment on a field of any seat."""
    if move.secret:
        _check_secret(draft, move)
    alone = move.cards == bytes((JUDGMENT,)) and move.what == "commit"
    if alone and len(move.fields) == 1 and not move.secret:
        return _judge(draft, move)
    who = move.who
    there = [draft.peek(who).fields[field] for field in move.fields]
    ace = _completes(draft, move)
    if ace is None and any(one is not None for one in there):
        field = FIELDS[next(field for field, one in zip(move.fields, there, strict=True) if one is not None)]
        draft.wrong("committed-already", f"{who_name(who)} has committed on {field} already")
    if draft.temper is not None and draft.temper[1] in move.fields and (move.cards or move.what == "spend"):
        owner, field_no = draft.temper
        if draft.house.variant != "dresden" or owner != who:
            draft.wrong("temperance", f"Temperance lies on {FIELDS[field_no]}")
    cards = _taken(draft, move)
    kind = _kind(draft, move, cards, ace)
    if kind == WORLDLY and _is_touched(draft, move.fields[0]):
        draft.wrong("world", f"something has been committed on {FIELDS[move.fields[0]]}")
    if ace is None and any(one is not None for one in there):
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
        seat = draft.seat(move.who)
        if seat.reserve is None:
            draft.block("chariot", f"no Chariot of {who_name(move.who)} lies on the table")
        if not seat.reserve:
            draft.wrong("chariot", "the reserve is empty")
        cards += seat.reserve
        seat.reserve = None
        draft.pile += bytes((CHARIOT,))
    return listed(cards)


def _kind(draft: Draft, move: Move, cards: bytes, ace: Commitment | None) -> int:
    if move.secret and draft.house.variant == "malta":
        cards = cards.replace(bytes((MAGICIAN,)), b"")
    if has_slots(cards):
        _ask_hidden(draft, move, cards)
        return UNSEEN
    found = kind_of(cards, move.fields, law_of(draft.house))
    if found == JUDGED:
        found = ("judgment", "Judgment is committed from the hand or the Justice row")
    if isinstance(found, int) and ace is not None and (found in COUPLES or found not in (1, 2, 3)):
        found = ("ace-completion", "an ace is completed with numeric cards, a knave or a knight")
    if isinstance(found, int) and ace is not None and move.secret:
        found = ("ace-completion", "an ace is completed face up")
    if isinstance(found, int):
        return found
    draft.wrong(*found)
    return ABDICATED


def _ask_hidden(draft: Draft, move: Move, cards: bytes) -> None:
    """Ask whether what lies face down may lie there, or answer it where so few cards may be it that all are tried."""
    hidden = [code for code in cards if is_slot(code)]
    may = [card for card in range(78) if any(draft.possible(code) >> card & 1 for code in set(hidden))]
    faults: list[tuple[str, str] | None] = []
    if comb(len(may), len(hidden)) <= MOST_READINGS:
        seen = bytes(card for card in cards if not is_slot(card))
        read = (listed(seen + bytes(those)) for those in combinations(may, len(hidden)))
        faults = [_unhideable(draft.house, those, move.fields) for those in read]
    wrong = [fault for fault in faults if fault is not None]
    if wrong and len(wrong) == len(faults):
        draft.wrong(*wrong[0])
    elif wrong or not faults:
        draft.open = ("arcanoid.face-down", (move.who,))


def _unhideable(house: House, cards: bytes, fields: tuple[int, ...]) -> tuple[str, str] | None:
    """Return the rule that cards break which lie face down, and why; None where they break none."""
    dead = next((card for card in cards if card in (WORLD, JUDGMENT)), None)
    if dead is not None:
        return "face-down", f"{name_of(dead)} is not committed face down"
    found = kind_of(cards, fields, law_of(house))
    return None if isinstance(found, int) else found


def _is_touched(draft: Draft, field: int) -> bool:
    if draft.touched >> field & 1 or any(there[field] is not None for _, there in draft.gone):
        return True
    return any(draft.peek(who).fields[field] is not None for who in draft.everybody())


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
    fields = list(seat.fields)
    for field in move.fields:
        both = next((other for other in move.fields if other != field), -1)
        fields[field] = Commitment(kind, cards, draft.clock, draft.ply, both, move.secret, ace is not None)
    seat.fields = tuple(fields)
    if draft.temper is not None and draft.temper[1] in move.fields and draft.temper[0] == move.who and cards:
        rounds.drop_temper(draft)
    draft.dues.insert(0, Due("settle", move.who, 0, move.fields[0], ace))
    if kind == WORLDLY:
        for other in draft.everybody():
            if draft.peek(other).fields[move.fields[0]] is None:
                _abdicate(draft, other, move.fields[0], Commitment(ABDICATED, b"", draft.clock, draft.ply))


def _abdicate(draft: Draft, who: int, field: int, there: Commitment) -> None:
    seat = draft.seat(who)
    seat.fields = (*seat.fields[:field], there, *seat.fields[field + 1 :])
    rounds.leave(draft, who)


def _judge(draft: Draft, move: Move) -> None:
    target, field = move.target or move.who, move.fields[0]
    there = draft.peek(target).plays and draft.peek(target).fields[field] is None
    if not there:
        key = "judgment" if target != move.who else "committed-already"
        draft.wrong(key, f"{who_name(target)} is not open on {FIELDS[field]}")
    draft.take(move.who, JUDGMENT)
    if not there:
        draft.pile += bytes((JUDGMENT,))
        return
    draft.clock += 1
    _abdicate(draft, target, field, Commitment(JUDGED, bytes((JUDGMENT,)), draft.clock, draft.ply))
    draft.dues.insert(0, Due("settle", target, 0, field))


# --- face down ---


def _check_secret(draft: Draft, move: Move) -> None:
    variant, cards = draft.house.variant, move.cards
    malta = variant == "malta"
    if move.what == "spend":
        draft.wrong("face-down", "a reserve is not committed face down")
    if variant == "koblenz" and draft.peek(move.who).spent:
        draft.wrong("once-a-round", f"{who_name(move.who)} has committed face down in this round already")
    if variant not in ("koblenz", "malta"):
        draft.wrong("face-down", "nothing is committed face down in this variant")
    elif malta and MAGICIAN not in cards:
        draft.wrong("face-down", "only the Magician lets a seat commit face down")
    elif len(cards) - malta < 1:
        draft.wrong("face-down", "at least one card is committed face down")
    elif len(move.fields) != 1:
        draft.wrong("face-down", "one field is committed on face down")
    else:
        dead = next((card for card in cards if card in (WORLD, JUDGMENT)), None)
        if dead is not None:
            draft.wrong("face-down", f"{name_of(dead)} is not committed face down")


def turn_up(draft: Draft, move: Move) -> None:
    """Turn a face-down commitment up at the end of the round."""
    seat, field = draft.seat(move.who), move.fields[0]
    there = seat.fields[field]
    if there is None or not there.secret or len(there.cards) != len(move.cards):
        draft.block("face-down", f"no such commitment of {who_name(move.who)} lies face down on {FIELDS[field]}")
    zone, unseen = there.cards, bytearray()
    for card in move.cards:
        if card in zone:
            zone = zone[: zone.index(card)] + zone[zone.index(card) + 1 :]
            continue
        found = left(draft.slots, zone, 1 << card)
        if found is None:
            draft.block("face-down", f"{name_of(card)} does not lie face down on {FIELDS[field]}")
        draft.slots, zone, at, _ = found
        zone = zone[:at] + zone[at + 1 :]
        unseen.append(card)
    kind = there.kind
    if kind == UNSEEN:
        kind = _turned(draft, move, there)
        draft.recalled(there.owner or move.who, there.ply, bytes(unseen))
    turned = replace(there, cards=move.cards, kind=kind, secret=False)
    seat.fields = (*seat.fields[:field], turned, *seat.fields[field + 1 :])


def _turned(draft: Draft, move: Move, there: Commitment) -> int:
    """Return the kind of a commitment nobody on record saw, and prove what was wrong with it and with the Fool."""
    found = kind_of(move.cards, move.fields, law_of(draft.house))
    fault = _unhideable(draft.house, move.cards, move.fields)
    kind = found if isinstance(found, int) and fault is None else ABDICATED
    if fault is not None:
        draft.proved += (Breach((there.ply,), f"arcanoid.{fault[0]}", fault[1], draft.ply),)
    if there.tried:
        why = _unstealable(draft.house, replace(there, kind=kind), move.cards)
        why = why if there.owner else "" if why else "the commitment could be taken"
        if why:
            draft.proved += (Breach((there.tried,), "arcanoid.fool", why, draft.ply),)
    return kind


# --- the Fool ---


def owed(draft: Draft) -> None:
    """Note that a vote, or the Wheel's discard, comes before what is said."""
    due = draft.dues[0] if draft.dues else None
    if due is not None and due.what == "vote":
        draft.wrong("refill-vote", f"p{due.who} is to vote first")
    elif due is not None and due.what == "away":
        draft.wrong("wheel", f"{who_name(due.who)} is to discard first")


def steal(draft: Draft, move: Move) -> None:
    """Take the commitment just announced, or lose the Fool."""
    thief, field = move.who, move.fields[0]
    owed(draft)
    due = draft.dues[0] if draft.dues else None
    there = None
    if not draft.in_play(thief):
        from_row = draft.peek(thief).plays and draft.row is not None and FOOL in draft.row
        draft.block("finished" if from_row else "turn", draft.absence(thief))
    if thief == draft.house.usa:
        draft.wrong("usa", f"p{thief} never plays the Fool")
    if due is None or due.what != "settle":
        draft.wrong("fool", "no commitment has just been announced")
    else:
        there = draft.peek(due.who).fields[due.field]
        _check_steal(draft, move, due, there)
    draft.pile += bytes((draft.take(thief, FOOL),))
    if draft.fault is not None or due is None or there is None:
        draft.dues.insert(1 if draft.dues else 0, Due("fill", thief))
        return
    rest = draft.dues[1:]
    fills = [one for one in rest if one.what == "fill" and one.who == due.who][:1]
    others = [one for one in rest if one not in fills]
    if move.secret:
        victim = draft.seat(due.who)
        tried = replace(there, tried=draft.ply, eye=thief)
        victim.fields = (*victim.fields[:field], tried, *victim.fields[field + 1 :])
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
        return draft.wrong("fool", f"nothing has just been committed on {FIELDS[field]}")
    if thief == due.who:
        return draft.wrong("fool", f"the commitment is {who_name(thief)}'s own")
    mine = draft.peek(thief).fields[field]
    if mine is not None:
        return draft.wrong("fool", f"{who_name(thief)} has committed on {FIELDS[field]} already")
    if there.kind == UNSEEN:
        draft.open = ("arcanoid.fool", (due.who,))
        return None
    because = _unstealable(draft.house, there, _stolen(there, due))
    if move.secret:
        if not there.secret:
            draft.wrong("fool", "the commitment lies face up")
        elif not because:
            draft.wrong("fool", "the commitment can be taken")
    elif because:
        draft.wrong("fool", because)
    return None


def _unstealable(house: House, there: Commitment, cards: bytes) -> str:
    if there.both >= 0 or there.kind in COUPLES:
        return "a couple is not taken"
    if there.kind in (ABDICATED, JUDGED):
        return "an abdication is not taken"
    if there.kind == WORLDLY:
        return "the World is not taken"
    if any(card < FOOL and card % 14 == 0 for card in cards) and not steals_aces(house):
        return "a commitment that contains an ace is not taken"
    return ""


def _give(draft: Draft, due: Due, there: Commitment, thief: int, field: int) -> None:
    """Make a commitment the thief's."""
    victim, seat = draft.seat(due.who), draft.seat(thief)
    cards = _stolen(there, due)
    kind = there.kind
    if due.was is not None:
        found = kind_of(cards, (field,), law_of(draft.house))
        kind = found if isinstance(found, int) else kind
    victim.fields = (*victim.fields[:field], due.was, *victim.fields[field + 1 :])
    draft.clock += 1
    taken = Commitment(kind, cards, draft.clock, there.ply, -1, there.secret, False, draft.ply, due.who)
    seat.fields = (*seat.fields[:field], taken, *seat.fields[field + 1 :])
