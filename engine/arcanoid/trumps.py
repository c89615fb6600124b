"""Trumps played for their effect, the Chariot with its reserve, and Judgment; ``commit`` has the Fool."""

from collections.abc import Callable

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses, round
from cartulary.engine.arcanoid.cards import (
    ABDICATED,
    CHARIOT,
    FIELDS,
    JUDGED,
    JUDGMENT,
    SUIT_NAMES,
    WORLD,
    WORLDLY,
    name_of,
    names_of,
)
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.round import drop_temperance
from cartulary.engine.arcanoid.state import Commitment, Due, everybody, who_name
from cartulary.engine.cards.deck import FOOL, SUIT, TRUMPS, set_of
from cartulary.engine.cards.draft import AnyClause
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import cards_in, mix


def plays_again(move: Move) -> bool:
    """Say whether the player of a trump makes another move at once: after the High Priestess, the Hierophant and
    Justice.

    ``move.count`` is the number of the trump.
    """
    return move.count in (2, 5, 8)


def play_trump(draft: Draft, move: Move) -> None:
    """Play a trump for its effect; ``move.count`` is its number, 17 for the Star.

    It leaves the hand first, and goes to the discards unless it stays on the table. Rules it breaks are noted as
    refusals, with which the word may stand.

    Raises:
        BlockedError: The hand cannot have it, or its effect is impossible.
    """
    draft.take(move.who, FOOL + move.count)
    if move.count not in _LAID:
        draft.pile += move.cards
    _USES[move.count](draft, move)


# --- Justice, the Hermit, Death and the Devil, who break no rule ---


def _lay_justice(draft: Draft, move: Move) -> None:
    """Play Justice: it is laid aside, and a draw of six cards into its row, from which all may play, is due first."""
    draft.row = b""
    draft.aside += bytes((FOOL + 8,))
    draft.dues.insert(0, Due("fill", ROW))


def _lay_hermit(draft: Draft, move: Move) -> None:
    """Play the Hermit, which stays on the table: his player may make three extra moves."""
    draft.seat(move.who).hermit = 3


def _play_death(draft: Draft, move: Move) -> None:
    """Play Death: the whole deck is discarded, and there is no new one in this round.

    Temperance is discarded too, if it lies on a field.
    """
    draft.pile += draft.deck
    draft.deck, draft.dead = b"", True
    drop_temperance(draft)


def _raise_daemon(draft: Draft, move: Move) -> None:
    """Play the Devil: his player gets a new daemon, a second side with a hand and fields of its own.

    What an earlier daemon has committed is kept in ``past_daemons``. A draw of the new one's hand is due first. If the
    Devil was played in a Hermit's extra move by the one who has the turn, the new daemon has the turn.
    """
    master = move.seat
    daemon = DAEMON + master
    old = draft.peek(daemon)
    if any(old.fields):
        draft.past_daemons += ((master, old.fields),)
    draft.sides[draft.options.seats + master - 1] = round.FRESH
    draft.devil = master
    draft.dues.insert(0, Due("fill", daemon))
    if draft.turn == move.who and move.extra:
        draft.turn = daemon


# --- the High Priestess ---


def look_at_hand(draft: Draft, move: Move) -> None:
    """Play the High Priestess: her player sees the hand of another that is in play, and knows its cards from then on.

    A look at the own hand is noted as a refusal.

    Raises:
        BlockedError: The target is out of play.
    """
    if not draft.in_play(move.target):
        draft.block(clauses.HIGH_PRIESTESS, f"{who_name(move.target)} is not in play")
    if move.target == move.who:
        draft.refuse(clauses.HIGH_PRIESTESS, f"{who_name(move.who)} looks at its own hand")
    target = draft.seat(move.target)
    knowledge = dict(target.seat_knowledge)
    knowledge[move.seat] = knowledge.get(move.seat, 0) | cards_in(target.hand)
    target.seat_knowledge = tuple(sorted(knowledge.items()))


# --- the Hierophant ---


_CALLED_SETS = (*SUIT, TRUMPS, 1 << FOOL)
_CALLED_NAMES = (*SUIT_NAMES, "trumps", "the Fool")


def show_kind(draft: Draft, move: Move) -> None:
    """Play the Hierophant: every seat shows all its cards of the kind named, and claims to have no others.

    Wrong or missing cards are noted as a refusal. If the word lists no cards, everybody sees those that are known.

    Raises:
        BlockedError: A seat cannot have a card it shows, or has no hand.
    """
    show_usa_hand(draft)
    called = _CALLED_SETS[move.calls[0]]
    if not move.shows:
        for who in range(1, draft.options.seats + 1):
            _show_known_cards(draft, who, called)
        return
    displays = dict(move.displays)
    usa = draft.options.usa
    for who, cards in move.displays:
        if not draft.in_play(who):
            draft.block(clauses.HIEROPHANT, f"p{who} has no hand")
        wrong = [card for card in cards if not called >> card & 1]
        if wrong and who != usa:
            named = f"the Hierophant names {_CALLED_NAMES[move.calls[0]]}"
            draft.refuse(clauses.HIEROPHANT, f"p{who} shows {names_of(bytes(wrong))}, but {named}")
        _show_cards(draft, who, cards)
    for who in filter(draft.in_play, range(1, draft.options.seats + 1)):
        cards, hand_size = displays.get(who, b""), len(draft.peek(who).hand)
        if who != usa:
            _deny_rest(draft, who, called & ~set_of(cards))
        elif len(cards) != hand_size:
            draft.refuse(clauses.HIEROPHANT, f"p{who} has {how_many(hand_size)}, but shows {how_many(len(cards))}")


def _deny_rest(draft: Draft, who: int, rest: int) -> None:
    """Note the claim that a seat has none of these cards (bits) besides those it shows; note a refusal if it must have
    one.
    """
    if not draft.claim_lacks(who, rest, clauses.HIEROPHANT):
        side = draft.peek(who)
        others = [code for code in side.hand + side.open if rest >> code & 1]
        has = f"has {names_of(bytes(others))} too" if others else "does not show all its cards of the kind named"
        draft.refuse(clauses.HIEROPHANT, f"p{who} {has}")


def _show_cards(draft: Draft, who: int, cards: bytes) -> None:
    """Note that everybody sees these cards in a hand, where they stay. Cards that lie open to the seat are passed over.

    A card that nobody on record saw takes the place of an unseen one. The hand of the USA loses its order.

    Raises:
        BlockedError: The seat cannot have one of them; the draft is of no further use then.
    """
    seat = draft.seat(who)
    before = seat.hand
    for card in cards:
        if card in seat.open:
            continue
        if card in seat.hand:
            draft.note_sight(who, card)
            continue
        while not draft.identify(who, card):
            if not draft.regain(who):
                draft.block(clauses.HIEROPHANT, f"p{who} has no {name_of(card)}")
        draft.note_sight(who, card)
    if who == draft.options.usa and seat.hand != before:
        # What is shown has no order, and the USA's hand has one.
        draft.slots, seat.hand = mix(draft.slots, seat.hand)


def show_usa_hand(draft: Draft) -> None:
    """Note that everybody sees the hand of the USA, which lies open for the Hierophant and for calls; nothing without a
    USA.
    """
    if draft.options.usa:
        _show_known_cards(draft, draft.options.usa, -1)


def _show_known_cards(draft: Draft, who: int, cards: int) -> None:
    """Note that everybody sees those of these cards (bits; -1 for all) that a hand is known to hold.

    It is for cards that a word does not name, though everybody sees them.
    """
    visible = cards_in(draft.peek(who).hand) & cards
    if visible:
        draft.seat(who).public_cards |= visible


# --- Strength ---


def strengthen(draft: Draft, move: Move) -> None:
    """Play Strength: the hand may hold two open cards more (``calls`` begins with 2), or one hidden one (1).

    Any other number is noted as a refusal.
    """
    seat = draft.seat(move.who)
    draft.aside += bytes((FOOL + 11,))
    option = move.calls[0] if move.calls else 0
    if option == 2:
        seat.wide = 2
        draft.dues.insert(0, Due("reveal", move.who, 2))
    elif option == 1:
        seat.size += 1
    else:
        draft.refuse(clauses.STRENGTH, f"Strength gives two visible cards or one hidden card, not {option}")


# --- the Hanged Man ---


def replace_hand(draft: Draft, move: Move) -> None:
    """Play the Hanged Man: a hand in play, perhaps the player's own, is discarded and drawn again.

    Raises:
        BlockedError: The target is not in play.
    """
    if not draft.in_play(move.target):
        draft.block(clauses.HANGED_MAN, f"{who_name(move.target)} is not in play")
    draft.pile += draft.empty_hand(move.target)
    draft.dues.insert(0, Due("fill", move.target))


# --- the Tower ---


def undo_commitment(draft: Draft, move: Move) -> None:
    """Play the Tower: what a seat or daemon in play has committed on a field is discarded.

    The target is the player itself if the word names none. Of a couple on two fields the half on the other field stays.
    Where nothing may be undone a refusal is noted, and nothing is discarded.
    """
    target, field = move.target or move.who, move.fields[0]
    commitment = draft.peek(target).fields[field]
    if commitment is None:
        return draft.refuse(clauses.TOWER, f"{who_name(target)} has committed nothing on {FIELDS[field]}")
    if commitment.kind in (JUDGED, WORLDLY) or not commitment.cards:
        where = f"{who_name(target)}'s commitment on {FIELDS[field]}"
        return draft.refuse(clauses.TOWER, f"{where} is an abdication, Judgment or the World")
    if not draft.in_play(target):
        return draft.refuse(clauses.TOWER, f"{who_name(target)} has left the round")
    other = draft.peek(target).fields[commitment.both] if commitment.both >= 0 else None
    if other is not None:
        draft.set_field(target, commitment.both, replace(other, both=-1))
    else:
        draft.pile += commitment.cards
    draft.leave_face_down(commitment)
    draft.set_field(target, field, None)
    draft.undone_fields |= 1 << field
    return None


# --- the Star, the Moon and the Sun ---


CALLERS = {17: (clauses.STAR, 1), 18: (clauses.MOON, 2), 19: (clauses.SUN, 3)}


def call_cards(draft: Draft, move: Move) -> None:
    """Play the Star, the Moon or the Sun, which call cards. If a seat is named, it hands over the last card called.

    A wrong call is noted as a refusal, and carried out all the same. All others claim not to have the cards called in
    vain.
    """
    clause, most = CALLERS[move.count]
    show_usa_hand(draft)
    calls = move.calls
    trumps = [card for card in calls if card >= FOOL]
    if len(calls) > most:
        draft.refuse(clause, f"{len(calls)} cards are called, but only {most} may be")
    elif len(set(calls)) != len(calls):
        draft.refuse(clause, "one card is called twice")
    elif trumps and clause is not clauses.SUN:
        draft.refuse(clause, f"{name_of(trumps[0])} is not a suit card")
    elif trumps and len(calls) > 1:
        draft.refuse(clause, "a trump must be called alone")
    elif trumps and trumps[0] in (FOOL, JUDGMENT, WORLD):
        draft.refuse(clause, f"{name_of(trumps[0])} cannot be called")
    if move.target:
        _hand_over(draft, move, clause)
    for card in calls[:-1] if move.target else calls:
        _deny_to_others(draft, move, card, clause)


def _deny_to_others(draft: Draft, move: Move, card: int, clause: AnyClause) -> None:
    """Note the claims that no other seat or daemon in play has a card that was called in vain.

    Where one must have it, a refusal under ``clause`` is noted instead.
    """
    for who in everybody(draft.sides):
        if who != move.who and draft.in_play(who) and not draft.claim_lacks(who, 1 << card, clause):
            draft.refuse(clause, f"{who_name(who)} has {name_of(card)}")


def _hand_over(draft: Draft, move: Move, clause: AnyClause) -> None:
    """Give the player the last card called, which the named seat has; a draw of that seat is due next.

    Everybody knows the card then.

    Raises:
        BlockedError: That seat is not in play, is the player's own, or cannot have the card.
    """
    card, target = move.calls[-1], move.target
    if target == move.who or not draft.in_play(target):
        draft.block(clause, f"{name_of(card)} cannot come from {who_name(target)}")
    draft.take(target, card, True, clause)
    caller = draft.seat(move.who)
    caller.hand += bytes((card,))
    caller.public_cards |= 1 << card
    draft.note_arrival(move.who, card)
    draft.dues.insert(0, Due("fill", target))


# --- the Wheel ---


def turn_wheel(draft: Draft, move: Move) -> None:
    """Play the Wheel: a draw of five cards is due, then a discard of what the hand has too many."""
    draft.dues[:0] = [Due("take", move.who, 5), Due("away", move.who, int(move.extra))]


# --- Temperance ---


def lay_temperance(draft: Draft, move: Move) -> None:
    """Play Temperance: it lies on a field, where nobody may commit, except its player in dresden.

    A wrong field is noted as a refusal, and it lies there all the same. If the deck is empty, a refusal is noted and
    the card goes to the discard pile.
    """
    field = move.fields[0]
    commitment = draft.peek(move.who).fields[field]
    if len(move.fields) != 1:
        draft.refuse(clauses.TEMPERANCE, "Temperance can lie on only one field")
    if not draft.deck:
        draft.refuse(clauses.TEMPERANCE, "the deck is empty")
    elif commitment is not None and commitment.kind not in (ABDICATED, JUDGED):
        draft.refuse(clauses.TEMPERANCE, f"{who_name(move.who)} has committed on {FIELDS[field]}")
    if draft.refusals and not draft.deck:
        draft.pile += move.cards
    else:
        draft.temper = (move.who, field)


def check_temperance(draft: Draft, move: Move) -> None:
    """Note on the draft the refusal of a commitment on the field where Temperance lies; the word may stand.

    In dresden its player may commit there, and anybody may abdicate there.
    """
    if draft.temper is None or draft.temper[1] not in move.fields or not (move.cards or move.what == "spend"):
        return
    owner, field = draft.temper
    if draft.options.variant != "dresden" or owner != move.who:
        draft.refuse(clauses.TEMPERANCE, f"Temperance lies on {FIELDS[field]}")


def lift_temperance(draft: Draft, who: int) -> None:
    """Discard Temperance by a move of its own.

    A refusal is noted in dresden, if it does not lie on a field, and if it is another's.
    """
    if draft.temper is None or draft.options.variant == "dresden" or draft.temper[0] != who:
        draft.refuse(clauses.TEMPERANCE_LIFT, f"{who_name(who)} may not lift Temperance")
    drop_temperance(draft)


# --- Judgment ---


def play_judgment(draft: Draft, move: Move) -> None:
    """Play Judgment: a seat or daemon that has not committed on a field abdicates there.

    The target is the player itself if the word names none. If it has committed there, or is not in play, a refusal is
    noted, and Judgment is discarded.

    Raises:
        BlockedError: The hand cannot have Judgment.
    """
    target, field = move.target or move.who, move.fields[0]
    is_open = draft.peek(target).plays and draft.peek(target).fields[field] is None
    if not is_open:
        clause = clauses.JUDGMENT if target != move.who else clauses.COMMITTED_ALREADY
        has = f"has already committed on {FIELDS[field]}" if draft.peek(target).plays else "is not in play"
        draft.refuse(clause, f"{who_name(target)} {has}")
    draft.take(move.who, JUDGMENT)
    if not is_open:
        draft.pile += bytes((JUDGMENT,))
        return
    draft.clock += 1
    abdicate(draft, target, field, Commitment(JUDGED, bytes((JUDGMENT,)), draft.clock, draft.ply))
    draft.dues.insert(0, Due("settle", target, 0, field))


def abdicate(draft: Draft, who: int, field: int, commitment: Commitment) -> None:
    """Put an abdication on a field of a seat or daemon. If no field is left to commit on, it leaves the round."""
    draft.set_field(who, field, commitment)
    round.leave_round(draft, who)


# --- the Chariot ---


def lay_chariot(draft: Draft, move: Move) -> None:
    """Play the Chariot: it lies on the table with the other cards of the word as its reserve.

    Raises:
        BlockedError: The hand cannot have one of them.
    """
    seat = draft.seat(move.who)
    chariot = bytes((draft.take(move.who, CHARIOT),))
    reserve = bytes(draft.take(move.who, card) for card in move.cards.replace(chariot, b"", 1))
    seat.reserve = reserve


def add_to_reserve(draft: Draft, move: Move) -> None:
    """Move one or two cards of the hand to the reserve; another number is noted as a refusal.

    Raises:
        BlockedError: No Chariot of the mover lies on the table, or a card cannot be in the hand.
    """
    reserve = _reserve_of(draft, move.who)
    if not 1 <= len(move.cards) <= 2:
        draft.refuse(clauses.CHARIOT, f"{len(move.cards)} cards are added to the reserve, expected one or two")
    draft.seat(move.who).reserve = reserve + bytes(draft.take(move.who, card) for card in move.cards)


def drop_reserve(draft: Draft, move: Move) -> None:
    """Discard the Chariot and its reserve.

    Raises:
        BlockedError: No Chariot of the mover lies on the table.
    """
    draft.pile += _reserve_of(draft, move.who) + bytes((CHARIOT,))
    draft.seat(move.who).reserve = None


def spend_reserve(draft: Draft, who: int) -> bytes:
    """Discard the Chariot and return its reserve, which the calling word commits; an empty one is noted as a refusal.

    Raises:
        BlockedError: No Chariot of the seat or daemon lies on the table.
    """
    reserve = _reserve_of(draft, who)
    if not reserve:
        draft.refuse(clauses.CHARIOT, "the reserve is empty")
    draft.seat(who).reserve = None
    draft.pile += bytes((CHARIOT,))
    return reserve


def _reserve_of(draft: Draft, who: int) -> bytes:
    """Return the reserve of a seat or daemon.

    Raises:
        BlockedError: No Chariot of it lies on the table.
    """
    reserve = draft.peek(who).reserve
    if reserve is None:
        draft.block(clauses.CHARIOT, f"no Chariot of {who_name(who)} lies on the table")
    return reserve


# --- which trump does what ---

_USES: dict[int, Callable[[Draft, Move], None]] = {
    2: look_at_hand,
    5: show_kind,
    8: _lay_justice,
    9: _lay_hermit,
    10: turn_wheel,
    11: strengthen,
    12: replace_hand,
    13: _play_death,
    14: lay_temperance,
    15: _raise_daemon,
    16: undo_commitment,
    17: call_cards,
    18: call_cards,
    19: call_cards,
}


_LAID = (8, 9, 11, 14, 15)
"""The trumps that lie on the table when they are played, and are not discarded."""
