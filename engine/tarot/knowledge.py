"""What is known of hidden hands in Tarot: chien and discards, the petit sec, sentences, and what one seat may see.

``engine.cards`` has what all games with hidden hands share. *Sec* is a hand whose only trump is the petit, T01.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from cartulary.engine.cards.deck import DECK, TRUMPS, cards_of, set_of
from cartulary.engine.cards.hands import Evidence, Masks, count_masks, homes_by_counting, is_all_known, view_from_masks
from cartulary.engine.cards.hands import deal_masks as masks_of
from cartulary.engine.cards.layouts import Fact, Homes, Places, Question, holds_any, homes_of, misfit, without
from cartulary.engine.cards.revokes import clash_text, is_covered, judge
from cartulary.engine.contract import Breach, Need, Open
from cartulary.engine.tarot.state import (
    ATOUTS,
    BIDS,
    PETIT,
    UNKNOWN,
    Deal,
    Discard,
    Move,
    Options,
    Round,
    State,
    list_cards,
    place_name,
    some_of,
)

SEC = "tarot.petit-sec"
CALL = "tarot.call"
CALLED_SUIT = "tarot.called-suit"
POIGNEE_HELD = "tarot.poignee-held"


def masks_of_deal(state: State, start: Round) -> tuple[Masks, Masks]:
    """Return (can, sure): by place the cards, as bits, that may lie and that surely lie there, of the hands as dealt.

    They follow from the deal words and the chien shown in ``start``; the rest of the state's deal does not count.
    """
    cards_by_place = list(start.dealt_cards)
    cards_by_place[state.options.aside] |= set_of(card for card in start.chien if card >= 0)
    sizes = state.places.sizes
    complete = all(count in (0, size) for count, size in zip(start.counts, sizes, strict=True))
    return masks_of(state.places, cards_by_place, whole=complete)


def hands(state: State) -> State:
    """Return the state with ``can`` and ``sure`` filled in from the deal words; the state itself once bidding has
    begun.
    """
    if state.phase != "deal":
        return state
    can, sure = masks_of_deal(state, state.round)
    return replace(state, can=can, sure=sure)


# --- from the deal to the play ---


def begin_play(state: State) -> State:
    """Return the state as the first trick begins: ``can`` and ``sure`` are those of the hands after the discards.

    The facts are replaced by those that the deal, the chien and the discards showed. Questions whether a court card lay
    in the chien are dropped if the taker took it, and the others are judged.
    """
    options, start = state.options, state.round
    taker, aside = start.taker - 1, options.aside
    can, sure = list(state.can), list(state.sure)
    facts = [Fact(0, cards, 1 << place) for place, cards in enumerate(sure) if cards and place not in (taker, aside)]
    if takes_chien(start):
        away = set_of(card for card in start.discards if card >= 0)
        facts += [
            Fact(0, sure[taker], 1 << taker | 1 << aside),
            Fact(start.reveal_ply, sure[aside], 1 << taker | 1 << aside),
            Fact(state.ply, away, 1 << aside),
        ]
        pool = sure[taker] | sure[aside]
        can, sure = after_discards(options, start, can, sure)
        for place in range(options.seats):
            if place != taker:
                can[place] &= ~(pool | away)
    else:
        facts += [Fact(0, sure[taker], 1 << taker), Fact(0, sure[aside], 1 << aside)]
    can_now, sure_now = count_masks(can, sure, options.sizes)
    # Once cards are put away, that a court card lies aside says nothing of the hand it was called from.
    questions = [
        question
        for question in state.questions
        if not (takes_chien(start) and question.key == CALL and question.place == aside)
    ]
    state = pool_discards(replace(state, can=can_now, sure=sure_now, facts=tuple(facts), questions=tuple(questions)))
    return judge_all(
        replace(state, facts=()) if is_all_known(state) and not state.questions and not state.sec else state
    )


def takes_chien(start: Round) -> bool:
    """Say whether the taker takes the chien into his hand and puts cards away: after Prise and Garde.

    False also as long as nobody has taken.
    """
    return BIDS[start.bid] in ("Prise", "Garde")


def owes_discards(state: State) -> bool:
    """Say whether the taker may put cards away: it is his turn to, or he plays on without having done so.

    Once a card has gone unwritten in the play he may not.
    """
    if state.phase == "play":
        return takes_chien(state.round) and not state.round.discards and not state.unnamed_cards
    return state.phase in ("chien", "discard")


def owes_call(state: State) -> bool:
    """Say whether the taker may call a card: it is his turn to, or play has gone on without it.

    Once a card has gone unwritten, and in other games than fft with five seats, only the phase ``call`` counts.
    """
    options = state.options
    if options.variant != "fft" or options.seats != 5 or state.unnamed_cards:
        return state.phase == "call"
    return state.phase not in ("deal", "bid") and state.round.called_card < 0


def after_discards(
    options: Options, start: Round, can: Sequence[int], sure: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return (can, sure), by place, after the taker has put his discards away, given those of the hands as dealt.

    They are equal to those given if the taker does not take the chien.
    """
    can, sure = list(can), list(sure)
    if takes_chien(start):
        taker, aside = start.taker - 1, options.aside
        away = set_of(card for card in start.discards if card >= 0)
        pool, sure_pool = can[taker] | can[aside], sure[taker] | sure[aside]
        complete = len(start.discards) == options.chien and min(start.discards) >= 0
        can[taker], can[aside] = pool & ~away, away if complete else pool
        sure[taker], sure[aside] = sure_pool & ~away if complete else 0, away
    return can, sure


def cards_only_in(state: State, place: int) -> tuple[int, int]:
    """Return (cards that can lie in one hand and nowhere else, as bits; number of cards dealt to that hand).

    Cards that were played from it count. The hand of a taker who takes the chien counts as one place with the discards.
    """
    sizes, aside = state.options.sizes, state.options.aside
    also = aside if place + 1 == state.round.taker and takes_chien(state.round) else place
    elsewhere = 0
    for number, cards in enumerate(state.can):
        elsewhere |= 0 if number in (place, also) else cards
    return DECK & ~elsewhere, sizes[place] + (sizes[aside] if also == aside else 0)


def pool_discards(state: State) -> State:
    """Return the state with no other card in the taker's hand or aside once those known to be there fill both.

    It is called after ``can`` and ``sure`` have changed. Counting looks at one place at a time, but of a card that the
    taker took up it is known only that it lies in one of two places. Example: if the 6 cards of the chien and 12 of the
    hand are known, hand and discards hold these 18 and 6 others; once those are known too, no other card can be there.
    """
    if not takes_chien(state.round):
        return state
    taker, aside = state.round.taker - 1, state.options.aside
    pool, size = cards_only_in(state, taker)
    if pool.bit_count() != size or not (state.can[taker] | state.can[aside]) & ~pool:
        return state
    may = [cards & pool if place in (taker, aside) else cards for place, cards in enumerate(state.can)]
    can, sure = count_masks(may, state.sure, state.options.sizes)
    return replace(state, can=can, sure=sure)


def cards_without_room(state: State, place: int, cards: int) -> int:
    """Return those of some cards that may also lie elsewhere, if a hand has no room for all of them; else 0, no cards.

    The cards that can lie in this hand alone fill it first. Example: of a hand of 18, 17 cards are known; two others
    have no room, one has. The answer is also 0 if the cards that can lie there alone are too many by themselves.
    """
    own, size = cards_only_in(state, place)
    new = cards & ~own
    return new if own.bit_count() <= size < (own | new).bit_count() else 0


# --- questions ---


def questions_of(state: State, ply: int, opens: tuple[Open, ...]) -> tuple[Question, ...]:
    """Return the open questions of a ply as conditions, one for each need: which cards must not have lain in which
    place.
    """
    return tuple(
        Question(
            ply, open_question.clause.key, place_of(state.options, need), set_of(need.slots), open_question.refused
        )
        for open_question in opens
        for need in open_question.needs
    )


def place_of(options: Options, need: Need) -> int:
    """Return the number of the place that a need names: ``p3 -> 2``, and ``c``, the chien, ``-> options.aside``."""
    return options.aside if need.place == "c" else int(need.place[1:]) - 1


def question(state: State, place: int, cards: int) -> Open:
    """Return the open question whether a place holds none of some cards (a set as bits).

    It is not shown to people if an earlier question implies it.
    """
    need = Need(place_name(state.options, place), tuple(cards_of(cards)), state.ply + 1)
    return Open((need,), not is_covered(state, place, cards))


def judge_all(state: State) -> State:
    """Return the state without the questions that can change no more, and with the breaches they prove in ``breaches``.

    A question that counting has answered well stays until its hand is completely known.
    """
    state = _judge_petit_sec(state) if state.sec else state
    after, evidence = judge(state, state.ply)
    if not evidence:
        return after
    return replace(after, breaches=(*after.breaches, *[breach(state, item) for item in evidence]))


def breach(state: State, evidence: Evidence) -> Breach:
    """Return the breach that evidence proves, with its sentence, such as ``p2 held 5H, but did not follow suit``."""
    return Breach(evidence.plies, evidence.key, breach_text(state, evidence), evidence.decided_by)


def sec_breach(question: Question, decided_by: int) -> Breach:
    """Return the breach of a seat that bid although its only trump was the petit.

    ``question`` is that of the bid, and ``decided_by`` the ply that proves it.
    """
    because = f"p{question.place + 1} was dealt T01 as its only trump, and not T00, but called all the same"
    return Breach((question.ply,), SEC, because, decided_by)


# --- the petit sec ---


def _judge_petit_sec(state: State) -> State:
    """Return the state with the bids that a petit sec surely forbade moved from ``sec`` to ``breaches``; the state
    itself if there are none.
    """
    open_questions: list[Question] = []
    proved: list[Breach] = []
    for question in state.sec:
        if petit_sec(state, question.place + 1):
            proved.append(sec_breach(question, sec_proof_ply(state, question)))
        else:
            open_questions.append(question)
    return replace(state, sec=tuple(open_questions), breaches=(*state.breaches, *proved)) if proved else state


def petit_sec(state: State, seat: int) -> bool | None:
    """Say whether the petit was the only trump in a seat's hand as dealt; the fool must not be in it either.

    None if that is not known. Only counting is tried, not every deal.
    """
    state = hands(state)
    can, sure = state.can, state.sure
    may, lies = can[seat - 1], sure[seat - 1]
    start = state.round
    if start.taker == seat and state.phase == "play" and takes_chien(start):
        aside = state.options.aside
        if not start.chien or min(start.chien) < 0:
            return None
        chien = set_of(start.chien)
        elsewhere = 0
        for place, cards in enumerate(can):
            elsewhere |= 0 if place in (seat - 1, aside) else cards
        may = (may | can[aside]) & ~chien
        lies = may & ~elsewhere
    petit = 1 << PETIT
    if not may & petit or lies & ATOUTS & ~petit:
        return False
    return True if lies & petit and not may & ATOUTS & ~petit else None


def may_be_sec(state: State, seat: int) -> bool:
    """Say whether the petit may have been the only trump in a seat's hand as dealt, without the fool.

    Every deal that fits is tried. It may also if no deal fits what is on record.
    """
    if petit_sec(state, seat) is False:
        return False
    places, homes, place = state.places, homes_by_counting(hands(state)), 1 << seat - 1
    sec = without(homes, ATOUTS & ~(1 << PETIT), place) | {PETIT: homes[PETIT] & place}
    return misfit(places, sec) is None or misfit(places, homes) is not None


def has_put_away(state: State) -> bool:
    """Say whether the cards aside are the taker's discards and no longer the chien: the play has begun after a Prise or
    Garde.
    """
    return state.phase == "play" and takes_chien(state.round)


def sec_proof_ply(state: State, question: Question) -> int:
    """Return the first ply after a bid by which it is known that the bidder's only trump was the petit.

    ``question`` is that of the bid. The last ply of the state is returned if no earlier one proves it.
    """
    plies = sorted({fact.ply for fact in state.facts if fact.ply > question.ply})
    return next((ply for ply in plies if is_sec_proved(state, question.place, ply)), state.ply)


def is_sec_proved(state: State, place: int, ply: int | None) -> bool:
    """Say whether it is known after a ply that a hand as dealt had the petit, but no other trump and not the fool.

    Args:
        state: the state, at that ply or later.
        place: the hand, 0 for that of p1.
        ply: the ply, None for all that is known.

    Returns:
        False also if it is not known, as for a taker who took a chien that was not shown.
    """
    places, petit, chien = state.places, 1 << PETIT, 0
    homes = homes_of(places, state.facts, ply)
    if place + 1 == state.round.taker and takes_chien(state.round):
        if not state.round.chien or min(state.round.chien) < 0:
            return False
        chien = set_of(state.round.chien)
        places, homes = _as_one(places, homes, place, state.options.aside)
    if misfit(places, homes):
        return False
    other_trumps = ATOUTS & ~petit & ~chien
    return (
        not chien & petit
        and holds_any(places, homes, 1 << place, petit) is True
        and holds_any(places, homes, 1 << place, other_trumps) is False
    )


def _as_one(places: Places, homes: Homes, place: int, aside: int) -> tuple[Places, Homes]:
    """Return (places, homes) with a hand and the discards merged into one place, under the number of the hand."""
    sizes = list(places.sizes)
    sizes[place], sizes[aside] = sizes[place] + sizes[aside], 0
    merged = {card: (home | 1 << place) & ~(1 << aside) if home >> aside & 1 else home for card, home in homes.items()}
    return Places(places.cards, tuple(sizes)), merged


# --- sentences ---

_BREACH_TEXTS = {
    "tarot.follow-suit": "but did not follow suit",
    "tarot.must-trump": "but played neither the suit led nor a trump",
    "tarot.trump-led": "but played no trump on the trump led",
    "tarot.overtrump": "but played a trump below the highest in the trick",
    "tarot.ecart-cards": "but put trumps away",
    "tarot.poignee-size": "but counted T00 as a trump of the poignée",
}


def breach_text(state: State, evidence: Evidence) -> str:
    """Return how a ply broke the rules, by what is known now: ``p2 held 5H, but did not follow suit``.

    For several plies, none of which can be singled out, it says that they cannot all have been legal.
    """
    if len(evidence.plies) > 1:
        return clash_text(evidence.plies)
    seat = f"p{evidence.place + 1}"
    cards = list_cards(evidence.cards) if evidence.seen else some_of(evidence.cards)
    if evidence.key == CALL:
        where = "in the chien" if evidence.place == state.options.aside else f"with {seat}"
        where = "elsewhere" if evidence.either else where
        return f"{cards} lay {where}, so p{state.round.taker} did not hold every court card above the one it called"
    if evidence.key == POIGNEE_HELD:
        holder = "another seat" if evidence.either else seat
        showed = f"p{state.round.taker} showed a trump it had put away, which needs all four kings"
        return f"{showed}, but {holder} held {cards}"
    if evidence.key == CALLED_SUIT:
        return f"{seat} led another card of the suit of the card called"
    if evidence.either:
        return f"{seat} held {cards}, so the card it played was not legal"
    if evidence.place == state.options.aside:
        return f"p{state.round.taker} put away {cards}"
    return f"{seat} held {cards}, {_BREACH_TEXTS[evidence.key]}"


# --- what one seat may see ---


def view_discards(state: State, cards: tuple[int, ...], owner: int, seat: int) -> tuple[int, ...]:
    """Return discards as a seat sees them: all of its own, else only the trumps, if the limits of the FFT make the
    taker show them.

    Cards not seen are UNKNOWN and come last; the number stays.

    Args:
        state: The state, for the options.
        cards: The discards.
        owner: The taker, who put them away.
        seat: Who looks, 0 for a bystander.
    """
    if seat == owner:
        return cards
    trumps = [card for card in cards if card >= 0 and state.options.ecart and TRUMPS >> card & 1]
    return (*trumps, *[UNKNOWN] * (len(cards) - len(trumps)))


def view(state: State, seat: int) -> State:
    """Return the state as a seat sees it; seat 0 is the bystander, who sees what everybody sees.

    Two states that the seat cannot tell apart give equal views.
    """
    start = state.round
    own = tuple(cards if place + 1 == seat else 0 for place, cards in enumerate(start.dealt_cards))
    start = replace(start, dealt_cards=own, words=(), discards=view_discards(state, start.discards, start.taker, seat))
    can, sure = masks_of_deal(state, start) if state.phase != "deal" else (state.can, state.sure)
    if state.phase == "play":
        state = pool_discards(
            view_from_masks(state, *after_discards(state.options, start, can, sure), _visible_cards(state, start))
        )
    else:
        state = replace(state, can=can, sure=sure, facts=(), questions=(), evidence=())
    return replace(state, round=start, sec=(), breaches=())


def _visible_cards(state: State, start: Round) -> list[int]:
    """Return by place, as bits, the cards that it has played or shown in a poignée; trumps that were put away are left
    out.
    """
    visible = [0] * len(state.places.sizes)
    away = set_of(card for card in start.discards if card >= 0)
    for seat, trumps in start.poignees:
        visible[seat - 1] |= trumps & ~away
    seats = state.options.seats
    for trick in state.tricks:
        place = trick.leader - 1
        for card in trick.cards:
            visible[place] |= 1 << card if card >= 0 else 0
            place = place + 1 if place + 1 < seats else 0
    for seat, card in zip(state.trick_seats, state.trick_cards, strict=True):
        visible[seat - 1] |= 1 << card if card >= 0 else 0
    return visible


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return a move as a seat sees it: cards dealt to others or to the chien are UNKNOWN, and discards are as in
    ``view_discards``.

    Every other word is returned as it is.
    """
    if isinstance(move, Deal) and (move.to != seat or not move.to):
        return replace(move, cards=(UNKNOWN,) * len(move.cards))
    if isinstance(move, Discard):
        return replace(move, cards=view_discards(state, move.cards, move.seat, seat))
    return move
