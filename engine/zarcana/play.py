"""What a word means and what comes of it, in every reading of the cards nobody on record saw."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.cards.deck import set_of
from cartulary.engine.contract import Breach, Need, Open, PlayResult, Refused, Unclear, Undecided, Verdict
from cartulary.engine.readings import BUDGET, GAP, merge_verdicts, states_of, try_in_all, with_gap, with_others
from cartulary.engine.slots import SLOT, UNKNOWN, fits, is_slot, possible, reveal
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import (
    Draft,
    add_question,
    answer_either,
    assume_cards,
    set_card_apart,
    with_slots,
    without_answers,
)
from cartulary.engine.zarcana.fool import group_by_use
from cartulary.engine.zarcana.moves import (
    BOARD,
    Gift,
    HitPlace,
    Move,
    Ref,
    Use,
    Word,
    place_name,
    ref_name,
    rename_minions,
)
from cartulary.engine.zarcana.state import CODE, DOWN, Ask, State, Unseen
from cartulary.engine.zarcana.turns import carry_out, resolve

USE_KEY = clauses.USE_TERRITORY.key
Columns = tuple[tuple[Ref, int], ...]


def play(state: State, word: Move | Word, exactly: bool = False, /) -> PlayResult[State, Move]:
    """Judge a word and carry it out, in every reading of the cards nobody on record saw.

    Args:
        state: The record before the word.
        word: The word as it was read, or the several moves it may be.
        exactly: Ignored, as the answer is always exact.

    Returns:
        The move, the verdict (``Unclear`` if several moves fit), the state after it (None if it is unclear or cannot be
        carried out), and the breaches that it proves.
    """
    moves, columns = (word.moves, word.columns) if isinstance(word, Word) else ((word,), ())
    move = moves[0]
    if state.others or not state.whole or _unknown_territory(state, move) is not None:
        return _play_all_readings(state, moves, columns)
    if state.course.demands or state.course.skipped_demands:
        move = resolve(state, move)
    draft = Draft(state, move.seat)
    after = carry_out(draft, move)
    if draft.unclear is not None:
        return PlayResult(move, _unclear_verdict(draft, columns), None)
    if draft.renames:
        move = rename_minions(move, draft.renames)
    if after is None or after.unseen is state.unseen:
        return PlayResult(move, draft.verdict(clauses.CLAUSES), after)
    return PlayResult(move, draft.verdict(clauses.CLAUSES), after, after.unseen.breaches[len(state.unseen.breaches) :])


def _unclear_verdict(draft: Draft, columns: Columns) -> Unclear:
    """Return the verdict Unclear on a word with a name that may be two minions, at the column (from 1) of that name."""
    assert draft.unclear is not None
    name = ref_name(draft.unclear, draft.seat)
    because = f"found {name}, which may be two minions, expected ' and where it points, such as {name}'u"
    return Unclear((), because, next((at for named, at in columns if named is draft.unclear), 1))


class Candidate(Struct, frozen=True, gc=False):
    """A word played in one reading, or in one with an unknown territory taken as one kind of card.

    Attributes:
        reading: The place of the reading among all.
        kind: The cards the territory is taken to be, as bits, 0 for none.
        before: The reading before the word.
        move: The move that the word is there.
        draft: The draft in which it was carried out.
        after: The state after it, None where it cannot have happened.
        verdict: What the rules say of it there.
    """

    reading: int
    kind: int
    before: State
    move: Move
    draft: Draft
    after: State | None
    verdict: Verdict

    @property
    def stands(self) -> bool:
        """Whether the word is neither refused nor unclear here; an open question lets it stand."""
        return not isinstance(self.verdict, Refused | Unclear)

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """The breaches of earlier plies that the word proves here; () if it cannot have happened."""
        return () if self.after is None else self.after.unseen.breaches[len(self.before.unseen.breaches) :]


def _make_candidate(
    at: int, before: State, state: State, move: Move, columns: Columns, kind: int = 0, card: int = -1
) -> Candidate:
    """Return what a word does in one reading, with the draft and the state after it; nothing outside changes.

    Args:
        at: The index of the reading among all.
        before: The reading.
        state: The reading with an unknown territory taken to be a kind of card.
        move: The word.
        columns: Where the names of minions begin in it.
        kind: That kind of card, as bits, 0 for none.
        card: One card of the kind, -1 for none.
    """
    move = resolve(state, move)
    draft = Draft(state, move.seat)
    draft.assumed_card = card
    after = carry_out(draft, move)
    if draft.unclear is None:
        return Candidate(at, kind, before, move, draft, after, draft.verdict(clauses.CLAUSES))
    return Candidate(at, kind, before, move, draft, None, _unclear_verdict(draft, columns))


# --- an unknown territory: one way for every kind of card it may be ---


def _unknown_territory(state: State, move: Move) -> int | None:
    """Return the place of the face-up card that nobody saw and whose power a word uses; None if it uses no
    such card.
    """
    if type(move) is not Use or move.play.origin != BOARD or move.play.user is None:
        return None
    place = move.play.user.place
    top = state.cards.get(place, (DOWN,))[-1]
    return place if is_slot(top & CODE) and not top & DOWN else None


def _candidates_in_reading(at: int, reading: State, move: Move, columns: Columns) -> Iterator[Candidate]:
    """Yield what a word does in one reading, once for each kind of card that the unknown territory it uses may be.

    It is yielded once if it uses no such territory, or if the word itself shows the card there.
    """
    place, shown_card = _unknown_territory(reading, move), -1
    if place is not None:
        assert isinstance(move, Use)
        own = (part.shown_card for part in move.play.parts if isinstance(part, HitPlace) and part.place == place)
        shown_card = next((card for card in own if 0 <= card < UNKNOWN), -1)
    if place is None or shown_card >= 0:
        yield _make_candidate(at, reading, reading, move, columns, card=shown_card)
        return
    for kind, state in _territory_kinds(reading, place):
        yield _make_candidate(at, reading, state, move, columns, kind, kind.bit_length() - 1)


def _territory_kinds(reading: State, place: int) -> Iterator[tuple[int, State]]:
    """Yield (kind, state) for each kind of card that an unknown territory may be.

    A kind is a set of cards, as bits, that this word cannot tell apart; in the state the card at ``place`` is one of
    them.
    """
    stack, ply = reading.cards[place], reading.ply + 1
    base, own = set_card_apart(reading.unseen, stack[-1] & CODE)
    kind = base.slots.kinds[own - SLOT]
    cards = {**reading.cards, place: (*stack[:-1], own | stack[-1] & ~CODE)}
    wide = next((ask.wide for ask in base.asks if ask.code == own), kind.mask)
    kinds = [
        took for took in group_by_use(possible(base.slots, own)) if fits(assume_cards(base, own, took).slots, kind.pool)
    ]
    # Where what was let stand fits no deal, any card of the pool may lie there.
    for took in kinds or group_by_use(set_of(base.slots.pools[kind.pool])):
        unseen = assume_cards(base, own, took)
        if kind.size == 1:
            unseen = replace(unseen, asks=(*unseen.asks, Ask(ply, USE_KEY, own, wide, wide, took)))
        yield took, replace(reading, cards=cards, unseen=unseen)


# --- all readings together ---


def _play_all_readings(state: State, moves: tuple[Move, ...], columns: Columns) -> PlayResult[State, Move]:
    """Carry out a word that has several meanings, or that is said where several states are possible.

    Readings in which it is refused are dropped if it stands in another.
    """
    readings = _readings_owing(states_of(state), moves)
    candidates = _all_candidates(readings, moves, columns)
    if not any(candidate.stands for candidate in candidates) and any(candidate.draft.stray for candidate in candidates):
        # Every reading falls by what it took unknown cards to be: only what the rules ask of them is kept.
        readings = tuple(replace(reading, unseen=without_answers(reading.unseen, ())) for reading in readings)
        candidates = _all_candidates(readings, moves, columns)
    if all(isinstance(candidate.verdict, Unclear) for candidate in candidates):
        return PlayResult(moves[0], candidates[0].verdict, None)
    if any(candidate.stands and not candidate.breaches for candidate in candidates):
        # Cards that come to light exclude the others, which nothing is asked of then.
        candidates = [
            candidate
            for candidate in candidates
            if not candidate.draft.stray and not (candidate.stands and candidate.breaches)
        ]
    standing = {candidate.reading for candidate in candidates if candidate.stands}
    verdict, survivors = merge_verdicts([_as_played(candidate, standing) for candidate in candidates], state.whole)
    verdict, ply = _with_needs(verdict, candidates), state.ply + 1
    afters = [after for at in range(len(readings)) for after in _states_after(at, candidates, survivors, ply)]
    if standing:
        afters = _with_questions(afters, readings, candidates, standing, ply)
    elif state.whole:
        verdict = _joint_refusal(candidates, bool(survivors))
    elif not survivors:
        afters = [(0, replace(reading, ply=ply)) for reading in readings]
    # A reading may come to several states, one for each kind of card its unknown territory may be; those that are equal
    # are one again, so that the number of readings grows only where the cards make a difference.
    states = list(dict.fromkeys(after for _, after in afters))
    whole = state.whole and len(states) <= BUDGET
    if not whole:
        verdict = with_gap(verdict)
        states = [_with_dropped(after, ply, GAP) for after in states[:BUDGET]]
    first = (survivors or candidates)[0]
    renames = [candidate.draft.renames for candidate in survivors if candidate.move is first.move]
    names = tuple(pair for pair in first.draft.renames if all(pair in spelled for spelled in renames))
    move = rename_minions(first.move, names) if names else first.move
    breaches = tuple(
        breach for breach in first.breaches if all(breach in candidate.breaches for candidate in survivors)
    )
    after = replace(with_others(states), whole=whole) if states else None
    return PlayResult(move, verdict, after, breaches)


def _readings_owing(readings: tuple[State, ...], moves: tuple[Move, ...]) -> tuple[State, ...]:
    """Return the readings in which the cards that the word gives are owed; all readings if there are none.

    The card that made the demand is revealed if it can have been only one.
    """
    gifts = [(move.seat, move.to) for move in moves if isinstance(move, Gift)]
    owing = [reading for reading in readings if reading.course.demands and reading.course.demands[0] in gifts]
    return tuple(map(_reveal_used_card, owing)) or readings


def _reveal_used_card(state: State) -> State:
    """Return a reading in which the territory that was used last is named, if it can be only one card; else the reading
    itself.
    """
    ask = next((ask for ask in reversed(state.unseen.asks) if ask.key == USE_KEY), None)
    if ask is None or ask.took & ask.took - 1:
        return state
    card = ask.took.bit_length() - 1
    revealed = reveal(state.unseen.slots, ask.code, ask.took)
    if revealed is None:
        return state
    codes = bytes((ask.code,)), bytes((card,))
    cards = {
        place: tuple(card | entry & ~CODE if entry & CODE == ask.code else entry for entry in stack)
        for place, stack in state.cards.items()
    }
    unseen = answer_either(with_slots(state.unseen, revealed[0]), ask.code, card, state.ply + 1)
    hands = tuple(hand.replace(*codes) for hand in state.hands)
    return replace(state, cards=cards, pile=state.pile.replace(*codes), hands=hands, unseen=unseen)


def _all_candidates(readings: tuple[State, ...], moves: tuple[Move, ...], columns: Columns) -> list[Candidate]:
    """Return what a word does in all readings, in their order.

    ``moves`` has one move for each seat that may have said it. In each reading the seat in turn is tried first, and the
    first one with which the word stands is kept, or else the first.
    """

    def in_one(at_and_reading: tuple[int, State]) -> list[Candidate]:
        """Return what the word does in one reading, given as (index, reading): by the first seat with which it stands,
        or else by the first."""
        at, reading = at_and_reading
        candidates: list[Candidate] = []
        for move in sorted(moves, key=lambda move: move.seat != reading.turn):
            again = list(_candidates_in_reading(at, reading, move, columns))
            candidates = candidates or again
            if any(candidate.stands for candidate in again):
                return again
        return candidates

    return [candidate for _, candidate in try_in_all(enumerate(readings), in_one)]


def _as_played(candidate: Candidate, standing: set[int]) -> PlayResult[Candidate, Move]:
    """Return a candidate as a result for ``merge_verdicts``.

    Args:
        candidate: The candidate.
        standing: The readings in which some candidate stands; a kind refused there is refused as a wrong territory.
    """
    verdict = candidate.verdict
    if isinstance(verdict, Unclear):
        verdict = Refused(verdict.because, True, clauses.NO_MINION)
    elif isinstance(verdict, Refused) and candidate.kind and candidate.reading in standing:
        verdict = Refused(verdict.because, verdict.blocks, clauses.USE_TERRITORY)
    return PlayResult(candidate.move, verdict, candidate if candidate.after is not None else None)


def _with_needs(verdict: Verdict, candidates: list[Candidate]) -> Verdict:
    """Return the verdict in which open questions without needs have the unknown cards that decide them.

    That is the territory used, or those of earlier words. Any verdict but Undecided is returned as it is.
    """
    if not isinstance(verdict, Undecided):
        return verdict
    territory_needs = [_need_of_territory(candidate) for candidate in candidates if candidate.kind][:1]
    before = candidates[0].before
    earlier = [
        Need(place_name(place), (ask.code,), before.ply + 1)
        for ask in before.unseen.asks
        for place, stack in before.cards.items()
        if ask.took != ask.likes and ask.code in (entry & CODE for entry in stack)
    ]
    opens = [
        (question, territory_needs if question.clause is clauses.USE_TERRITORY and territory_needs else earlier)
        for question in verdict.opens
    ]
    return Undecided(
        tuple(question if question.needs else Open(tuple(needs), clause=question.clause) for question, needs in opens)
    )


def _need_of_territory(candidate: Candidate) -> Need:
    """Return the unknown territory that a candidate uses, as the need of a question; the candidate must use one."""
    assert isinstance(candidate.move, Use)
    assert candidate.move.play.user is not None
    place = candidate.move.play.user.place
    return Need(place_name(place), (candidate.before.cards[place][-1] & CODE,), candidate.before.ply + 1)


def _joint_refusal(candidates: list[Candidate], stands: bool) -> Refused:
    """Return the refusal of a word that stands in no reading; its rule is the one broken first, or the territory's.

    ``stands`` is True if the word can have happened all the same, so that the refusal does not block.
    """
    refused = [candidate.verdict for candidate in candidates if isinstance(candidate.verdict, Refused)]
    first = refused[0]
    if any(candidate.kind for candidate in candidates) and len({refusal.clause.key for refusal in refused}) > 1:
        where = _need_of_territory(next(candidate for candidate in candidates if candidate.kind)).place
        return Refused(f"No card that may lie on {where} can be used in this way", not stands, clauses.USE_TERRITORY)
    return Refused(first.because, not stands, first.clause)


def _states_after(
    at: int, candidates: list[Candidate], survivors: list[Candidate], ply: int
) -> Iterator[tuple[int, State]]:
    """Yield (index of the reading, state after it) of the candidates of a reading that are kept, equal states once.

    Args:
        at: The index of the reading.
        candidates: What the word does in all readings.
        survivors: Those of the candidates that are kept.
        ply: The ply of the word.
    """
    own = [candidate for candidate in survivors if candidate.reading == at]
    tried = sum(candidate.reading == at for candidate in candidates)
    likes = sum(candidate.kind for candidate in own) if 0 < len(own) < tried and own[0].stands else -1
    states: dict[State, int] = {}
    for candidate in own:
        assert candidate.after is not None
        state = (
            replace(candidate.after, unseen=_update_question(candidate.after.unseen, ply, 0, likes))
            if candidate.kind
            else candidate.after
        )
        states[state] = states.get(state, 0) | candidate.kind
    for state, took in states.items():
        if took:
            open_to_all = likes < 0 and len(states) == 1
            state = replace(state, unseen=_update_question(state.unseen, ply, -1 if open_to_all else took, likes))
        yield at, state


def _update_question(unseen: Unseen, ply: int, took: int, likes: int) -> Unseen:
    """Return what is known of the territory that a ply has used.

    Args:
        unseen: What is known before.
        ply: The ply.
        took: The cards it is taken to be in this state, as bits; -1 for all it may be.
        likes: The cards with which the ply was legal, as bits; -1 for all.
    """
    if likes < 0 and (ply, USE_KEY) in unseen.unanswerable:
        return replace(unseen, unanswerable=tuple(other for other in unseen.unanswerable if other != (ply, USE_KEY)))
    ask = next((ask for ask in unseen.asks if (ask.ply, ask.key) == (ply, USE_KEY)), None)
    if ask is None:
        return unseen
    asks = tuple(other for other in unseen.asks if other is not ask)
    mask = ask.wide
    for other in asks:
        mask &= other.took if other.code == ask.code else -1
    if took >= 0:
        asks = (*asks, replace(ask, took=took, likes=likes if likes >= 0 else ask.wide))
    return assume_cards(replace(unseen, asks=asks), ask.code, mask & took)


def _with_questions(
    afters: list[tuple[int, State]],
    readings: tuple[State, ...],
    candidates: list[Candidate],
    standing: set[int],
    ply: int,
) -> list[tuple[int, State]]:
    """Return the states with the questions whether one of the readings that were dropped was the right one.

    Args:
        afters: Pairs of the index of a reading and a state after it.
        readings: All readings before the word.
        candidates: What the word does in them.
        standing: The indices of the readings in which it breaks no rule.
        ply: The ply of the word.
    """
    fell: dict[int, AnyClause] = {}
    for candidate in candidates:
        if candidate.reading not in standing and isinstance(candidate.verdict, Refused):
            fell.setdefault(candidate.reading, candidate.verdict.clause)
    stood = [readings[at] for at in standing]
    for clause in dict.fromkeys(fell.values()):
        fallen = [readings[at] for at in fell if fell[at] is clause]
        afters = [(at, _ask_of_fallen(state, readings[at], fallen, stood, clause, ply)) for at, state in afters]
    return afters


def _ask_of_fallen(
    after: State, before: State, fallen: list[State], stood: list[State], clause: AnyClause, ply: int
) -> State:
    """Return a state with the question whether one of the readings that were dropped was the right one.

    Args:
        after: The state.
        before: Its reading before the word.
        fallen: The readings that the clause refused.
        stood: The readings in which the word stands.
        clause: The rule that refused it.
        ply: The ply.
    """
    unseen = after.unseen
    for ask in before.unseen.asks:
        only = _assumed_cards(ask, fallen) & ~_assumed_cards(ask, stood)
        now = next((other for other in unseen.asks if (other.ply, other.key) == (ask.ply, ask.key)), None)
        if now is not None and only:
            unseen = add_question(unseen, ply, clause.key, now.code, ~only)
    return replace(after, unseen=unseen) if unseen is not after.unseen else _with_dropped(after, ply, clause)


def _assumed_cards(ask: Ask, readings: Iterable[State]) -> int:
    """Return what some readings take the card of a question to be, as bits; 0 if none of them has that question any
    more.
    """
    took = 0
    for reading in readings:
        for other in reading.unseen.asks:
            took |= other.took if (other.ply, other.key) == (ask.ply, ask.key) else 0
    return took


def _with_dropped(state: State, ply: int, clause: AnyClause) -> State:
    """Return the state with the question of a ply and a rule among those that nothing can answer any more."""
    return replace(state, unseen=replace(state.unseen, unanswerable=(*state.unseen.unanswerable, (ply, clause.key))))
