"""What Tarot's words tell of cards nobody saw: where each may lie, and which earlier plays that proves wrong.

Simple counting is done at every word that tells something; the exact question, whether a deal fits, is asked only
once counting has closed one, to find the ply that decided it.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from cartulary.engine.cards import CARDS, DECK, cards_of, set_of
from cartulary.engine.contract import Breach, Need, Open
from cartulary.engine.hidden import Fact, Places, Question, deciding_ply, holds_any, misfit, readings
from cartulary.engine.tarot.state import ATOUTS, BIDS, PETIT, House, Round, State, joined, place_name

Masks = tuple[int, ...]
SEC = "tarot.petit-sec"
CALL = "tarot.call"
HELD = "tarot.poignee-held"


def closed(can: Sequence[int], sure: Sequence[int], sizes: Sequence[int]) -> tuple[Masks, Masks]:
    """Return both masks after counting: a full place can hold nothing more, a card with one place left lies there."""
    can, sure = list(can), list(sure)
    places = range(len(sizes))
    while True:
        before = (*can, *sure)
        once = twice = 0
        for place in places:
            if sure[place].bit_count() >= sizes[place]:
                can[place] = sure[place]
            elif can[place].bit_count() == sizes[place]:
                sure[place] = can[place]
            twice |= once & can[place]
            once |= can[place]
        for place in places:
            sure[place] |= can[place] & ~twice
        found = 0
        for place in places:
            found |= sure[place]
        for place in places:
            can[place] &= ~found | sure[place]
        if before == (*can, *sure):
            return tuple(can), tuple(sure)


def as_dealt(house: House, start: Round) -> tuple[Masks, Masks]:
    """Return what the deal on record says of the hands as dealt, and of the chien."""
    seen = list(start.dealt)
    shown = set_of(card for card in start.chien if card >= 0)
    seen[house.aside] |= shown
    known = 0
    for cards in seen:
        known |= cards
    can = [DECK & ~known | cards for cards in seen]
    if all(count in (0, size) for count, size in zip(start.counts, house.sizes, strict=True)):
        return closed(can, seen, house.sizes)
    return tuple(can), tuple(seen)


def hands(state: State) -> tuple[Masks, Masks]:
    """Return ``can`` and ``sure``, also while the deal is still being told."""
    return as_dealt(state.house, state.round) if state.phase == "deal" else (state.can, state.sure)


def settled(state: State) -> bool:
    """Say whether every card's place is known."""
    return tuple(map(int.bit_count, state.sure)) == state.house.sizes


# --- from the deal to the play ---


def at_play(state: State) -> State:
    """Return the state as the first trick begins: hands after the discards, and what is known of them."""
    house, start = state.house, state.round
    taker, aside = start.taker - 1, house.aside
    can, sure = list(state.can), list(state.sure)
    facts = [Fact(0, cards, 1 << place) for place, cards in enumerate(sure) if cards and place not in (taker, aside)]
    if BIDS[start.bid] in ("Prise", "Garde"):
        pool, held = can[taker] | can[aside], sure[taker] | sure[aside]
        away = set_of(card for card in start.discards if card >= 0)
        facts += [
            Fact(0, sure[taker], 1 << taker | 1 << aside),
            Fact(start.looked, sure[aside], 1 << taker | 1 << aside),
            Fact(state.ply, away, 1 << aside),
        ]
        whole = len(start.discards) == house.chien and min(start.discards) >= 0
        can[taker], can[aside] = pool & ~away, away if whole else pool
        sure[taker], sure[aside] = held & ~away if whole else 0, away
        for place in range(house.seats):
            if place != taker:
                can[place] &= ~(held | away)
    else:
        facts += [Fact(0, sure[taker], 1 << taker), Fact(0, sure[aside], 1 << aside)]
    can_now, sure_now = closed(can, sure, house.sizes)
    # Once cards are put away, that a court card lies aside says nothing of the hand it was called from.
    taken = BIDS[start.bid] in ("Prise", "Garde")
    left = [asked for asked in state.questions if not (taken and asked.key == CALL and asked.place == aside)]
    state = replace(state, can=can_now, sure=sure_now, facts=tuple(facts), questions=tuple(left))
    return judged(replace(state, facts=()) if settled(state) and not state.questions else state)


# --- questions ---


def asking(state: State, ply: int, opens: tuple[Open, ...]) -> tuple[Question, ...]:
    """Return the open questions with those the word at a ply has raised, each as what must not lie where."""
    raised = [
        Question(ply, opened.clause.key, place_of(state.house, need), set_of(need.slots), opened.refused)
        for opened in opens
        for need in opened.needs
    ]
    return (*state.questions, *raised)


def place_of(house: House, need: Need) -> int:
    """Return the number of a question's place."""
    return house.aside if need.place == "c" else int(need.place[1:]) - 1


def question(state: State, place: int, cards: int) -> Open:
    """Return the question whether none of the cards lies in the place; not asked where an earlier one implies it."""
    earlier, found = 0, [breach.plies[0] for breach in state.found]
    for other in state.questions:
        if other.place == place and other.key != SEC and not other.refused and other.ply not in found:
            earlier |= other.cards
    need = Need(place_name(state.house, place), tuple(cards_of(cards)), state.ply + 1)
    return Open((need,), bool(cards & ~earlier))


def told(state: State, place: int, cards: int) -> State:
    """Return the state once cards are seen to lie in a place."""
    new = cards & ~state.sure[place]
    if not new:
        return state
    can, sure = seen_in(state.house.sizes, state.can, state.sure, place, new)
    return replace(state, can=can, sure=sure, facts=(*state.facts, Fact(state.ply, new, 1 << place)))


def seen_in(sizes: Masks, can: Masks, sure: Masks, place: int, new: int) -> tuple[Masks, Masks]:
    """Return both masks once these cards, of which it was not known, are seen to lie in a place."""
    may = [cards & ~new for cards in can]
    may[place] |= new
    lies = sure[place] | new
    now = (*sure[:place], lies, *sure[place + 1 :])
    if lies.bit_count() >= sizes[place]:
        return closed(may, now, sizes)
    for cards, size in zip(may, sizes, strict=True):
        if cards.bit_count() <= size:
            return closed(may, now, sizes)
    return tuple(may), now


def caught(questions: tuple[Question, ...], place: int, cards: int) -> bool:
    """Say whether cards a place is seen to hold answer one of its questions."""
    for asked in questions:  # noqa: SIM110 - a generator costs more than the search
        if asked.cards & cards and asked.place == place:
            return True
    return False


def judged(state: State) -> State:
    """Return the state with what is now known of its questions told in ``proved``.

    The clause that cards seen later prove first stands until the whole hand is known, before that of a refusal at once
    or of what was certain at once; then the breach is told anew under the first clause in order that it breaks.
    """
    known = {breach.plies[0]: breach for breach in state.found}
    proved: list[Breach] = []
    for asked in state.questions:
        first = known.get(asked.ply)
        if (first is None or _before(state, asked, first)) and _answered_badly(state, asked):
            because, ply = told_why(state, asked), decided(state, asked, alone=first is not None)
            known[asked.ply] = Breach((asked.ply,), asked.key, because, ply)
            proved.append(known[asked.ply])
    if not known and not settled(state):
        return state
    left: list[Question] = []
    over: set[int] = set()
    for asked in state.questions:
        if state.sure[asked.place].bit_count() < state.house.sizes[asked.place]:
            left.append(asked)
        elif asked.ply in known and asked.ply not in over and _answered_badly(state, asked):
            over.add(asked.ply)
            first = known[asked.ply]
            if asked.key != first.key:
                proved.append(Breach(first.plies, asked.key, told_why(state, asked), first.decided_by))
    if settled(state):
        return replace(state, facts=(), questions=(), found=(), proved=(*state.proved, *proved))
    found = tuple(breach for ply, breach in known.items() if ply not in over)
    left = [asked for asked in left if asked.ply not in over]
    return replace(state, questions=tuple(left), found=found, proved=(*state.proved, *proved))


def _before(state: State, asked: Question, found: Breach) -> bool:
    """Say whether a question of the ply is asked before the clause that was certain at once."""
    if found.decided_by != asked.ply or found.key == asked.key:
        return False
    keys = [other.key for other in state.questions if other.ply == asked.ply]
    return found.key in keys[keys.index(asked.key) :]


def _answered_badly(state: State, asked: Question) -> bool:
    place = asked.place
    if asked.key == SEC:
        return petit_sec(state, place + 1) is True
    if state.sure[place] & asked.cards:
        return True
    if (state.can[place] & ~asked.cards).bit_count() >= state.house.sizes[place]:
        return False
    # A wrong number of cards that was let stand leaves no deal at all, and proves nothing of a card.
    return not misfit(places_of(state), as_read(state.can))


def petit_sec(state: State, seat: int) -> bool | None:
    """Say whether the seat's hand as dealt has the petit for its only trump: None where it may."""
    can, sure = hands(state)
    may, lies = can[seat - 1], sure[seat - 1]
    start = state.round
    if start.taker == seat and state.phase == "play" and BIDS[start.bid] in ("Prise", "Garde"):
        aside = state.house.aside
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


def as_read(can: Masks) -> dict[int, int]:
    """Return the reading of every card from what may lie in each place."""
    return {card: sum(1 << place for place, cards in enumerate(can) if cards >> card & 1) for card in CARDS}


def put_away(state: State) -> bool:
    """Say whether what lies aside are the taker's discards, and not the chien."""
    return state.phase == "play" and BIDS[state.round.bid] in ("Prise", "Garde")


def places_of(state: State) -> Places:
    """Return the places of the deal with their sizes."""
    return Places(DECK, state.house.sizes)


def decided(state: State, asked: Question, *, alone: bool = False) -> int:
    """Return the ply by which a question is answered badly, all its ply's questions together unless ``alone``."""
    if asked.key != SEC:
        alike = [other for other in state.questions if other.ply == asked.ply and other.key != SEC]
        alike = [asked] if alone else alike
        return deciding_ply(places_of(state), state.facts, alike) or state.ply
    plies = sorted({fact.ply for fact in state.facts if fact.ply > asked.ply})
    return next((ply for ply in plies if sec_by(state, asked.place, ply)), state.ply)


def sec_by(state: State, place: int, ply: int | None) -> bool:
    """Say whether what is known after a ply leaves a seat only hands with the petit for their only trump.

    What the taker took up with the chien, or put away, is told from his hand as dealt where the chien was shown.
    """
    places, petit, chien = places_of(state), 1 << PETIT, 0
    read = readings(places, state.facts, ply)
    if place + 1 == state.round.taker and BIDS[state.round.bid] in ("Prise", "Garde"):
        if not state.round.chien or min(state.round.chien) < 0:
            return False
        chien = set_of(state.round.chien)
        places, read = _as_one(places, read, place, state.house.aside)
    if misfit(places, read):
        return False
    other = ATOUTS & ~petit & ~chien
    return (
        not chien & petit
        and holds_any(places, read, place, petit) is True
        and holds_any(places, read, place, other) is False
    )


def _as_one(places: Places, read: dict[int, int], place: int, aside: int) -> tuple[Places, dict[int, int]]:
    """Return the places with a hand and the discards as one, under the hand's number."""
    sizes = list(places.sizes)
    sizes[place], sizes[aside] = sizes[place] + sizes[aside], 0
    merged = {card: (its | 1 << place) & ~(1 << aside) if its >> aside & 1 else its for card, its in read.items()}
    return Places(places.cards, tuple(sizes)), merged


_SAID = {
    "tarot.follow-suit": "and did not follow suit",
    "tarot.must-trump": "and, unable to follow suit, did not trump",
    "tarot.trump-led": "and played no trump to a trump led",
    "tarot.overtrump": "and played a trump below the highest of the trick",
    "tarot.ecart-cards": "and put trumps away all the same",
    "tarot.poignee-size": "and counted T00 as a trump of the poignée",
}


def _cornered(state: State, asked: Question) -> int:
    """Return the cards of a question that have too little room elsewhere."""
    places = places_of(state)
    read = readings(places, state.facts)
    for card in cards_of(asked.cards):
        read[card] &= ~(1 << asked.place)
    why = misfit(places, read)
    may = asked.cards & state.can[asked.place]
    return (why.cards & may if why else 0) or may


def one_of(cards: int) -> str:
    """Return ``at least one of`` some cards; the card where it is one."""
    return joined(cards) if cards.bit_count() < 2 else f"at least one of {joined(cards)}"


def told_why(state: State, asked: Question) -> str:
    """Return what was against the rules in a question's ply, from what is known now."""
    seat = f"p{asked.place + 1}"
    if asked.key == SEC:
        return f"{seat} was dealt T01 for its only trump, without T00, and called all the same"
    seen = state.sure[asked.place] & asked.cards
    cards = joined(seen) if seen else one_of(_cornered(state, asked))
    if asked.key == CALL:
        where = "in the chien" if asked.place == state.house.aside else f"with {seat}"
        return f"{cards} lay {where}, so p{state.round.taker} did not hold every court card above the one it called"
    if asked.key == HELD:
        return f"p{state.round.taker} showed a trump it had put away, and {seat} held {cards}"
    if asked.place == state.house.aside:
        return f"p{state.round.taker} put away {cards}"
    return f"{seat} held {cards} {_SAID[asked.key]}"
