"""The window in which a seat's card is answered by Temperance, and Justice, which lies ready to be used."""

from cartulary.engine.tarot_duel.cards import JUSTICE, NAMES, TEMPERANCE
from cartulary.engine.tarot_duel.clauses import EFFECT, REACTION
from cartulary.engine.tarot_duel.draft import Draft, Miss, MissingError
from cartulary.engine.tarot_duel.dues import advance, finish
from cartulary.engine.tarot_duel.effects import ask_copy, take_effect
from cartulary.engine.tarot_duel.moves import DEATH, OPPONENT_MAJORS, Nullify, Use, acting
from cartulary.engine.tarot_duel.state import IDLE, Act, Due, State
from cartulary.engine.tarot_duel.targets import misuse, take_named


def close_window(waiting: State) -> tuple[State, list[Miss]]:
    """Return the state after the reaction window of a Major has closed.

    Every second Temperance undoes the one before it. A Major that is used wrongly or lacks a card has no effect.

    Args:
        waiting: The state while the window is open.

    Returns:
        The state, and the cards named by the Major that are not where they must be.
    """
    use, answers = waiting.act.use, waiting.act.chain[1:]
    assert use is not None
    draft = _closing(waiting)
    if len(answers) % 2:
        for seat, card in waiting.act.table:
            draft.discard(seat, bytes((card,)))
        draft.act = IDLE
        return draft.frozen(), []
    misses: list[Miss] = []
    try:
        cards = take_named(draft, use)
        if misuse(draft, use):
            draft = _closing(waiting)
            advance(draft)
        else:
            advance(draft, *take_effect(draft, use, cards))
    except MissingError as missing:
        draft, misses = _closing(waiting), missing.misses
        advance(draft)
    if draft.due and draft.due[0].what == "swap" and any(seat == draft.act.doer for seat, _ in answers):
        _allow_no_swap(draft, draft.due[0])
    return draft.frozen(), misses


def _closing(waiting: State) -> Draft:
    """Return a draft of the state in which a reaction window closes without a further answer.

    The finishers are the seats of the Temperances that have an effect: the last one, and every second one before it. If
    the Major takes effect, the seats it was used against are noted for Judgment.
    """
    draft, act, doers = Draft(waiting), waiting.act, 0
    for seat, _ in act.chain[:0:-2]:
        doers |= 1 << seat
    draft.finishers = doers
    if len(act.chain) % 2 and act.use is not None:
        draft.act = Act(act.doer, (), act.table, act.use)
        _remember(draft, act.use)
    return draft


def _remember(draft: Draft, use: Use) -> None:
    """Note against which seats in the game a Major was used, so that Judgment can repeat it; Death is against all
    others.

    Nothing is noted for a Major against nobody else.
    """
    number, against = acting(use), list(draft.marks.against)
    if number == DEATH:
        struck = [seat for seat in draft.around(1) if seat != use.seat]
    else:
        struck = [use.target] if number in OPPONENT_MAJORS and use.target not in (0, use.seat) else []
    for seat in struck:
        if draft.marks.is_in(seat):
            against[seat - 1] = (number, use.seat)
    if struck:
        draft.mark(against=tuple(against))


def _allow_no_swap(draft: Draft, due: Due) -> None:
    """Let the action end without a pick if the card to be given may have left the hand as an answer.

    The draft's ``if_unanswered`` becomes the state in which it has ended. ``due`` is the exchange that is due.
    """
    use = due.use
    if use is None or use.own is None or use.own.place != "h" or use.own.card in draft.sides[use.seat - 1].hand:
        return
    finished = Draft(draft.frozen())
    finish(finished)
    draft.if_unanswered = finished.frozen()


# --- Temperance ---


def may_answer(state: State, seat: int) -> bool:
    """Say whether a seat in the game may answer the last card of an open window, which must be another seat's.

    It must have a card in its hand; whether that is a Temperance is not looked at.
    """
    chain = state.act.chain
    return bool(chain) and seat != chain[-1][0] and state.marks.is_in(seat) and bool(state.sides[seat - 1].hand)


def say_nullify(draft: Draft, move: Nullify, uneven: bool) -> None:
    """Carry out a Temperance in an open window, which may be answered too; a wrong one is noted as a refusal.

    Args:
        draft: The draft of the word.
        move: The word.
        uneven: Always False, as no challenge is open then; all words have this parameter.

    Raises:
        BlockedError: The card cannot be in the hand.
    """
    seat, card, act = move.seat, move.card, draft.act
    last, answered = act.chain[-1]
    if seat == last:
        draft.refuse(REACTION, f"{NAMES[answered]} is p{last}'s own card, which only another seat may answer")
    elif not draft.marks.is_in(seat):
        draft.refuse(REACTION, f"p{seat} is out")
    wrong = ask_copy(draft, seat, card, TEMPERANCE)
    draft.from_hand(seat, bytes((card,)))
    if wrong:
        draft.refuse(EFFECT, wrong)
    entry = (seat, card)
    draft.act = Act(act.doer, (*act.chain, entry), (*act.table, entry), act.use)
    draft.if_unanswered, _ = close_window(draft.frozen())


def say_late_nullify(draft: Draft, move: Nullify) -> None:
    """Carry out a Temperance for which no window is open: the card goes to the discard pile and has no effect.

    Raises:
        BlockedError: The card cannot be in the hand.
    """
    draft.discard_from_hand(move.seat, bytes((move.card,)))


def refuse_reaction(draft: Draft, move: Nullify | Use) -> None:
    """Note the refusal of a Temperance for which no card can be answered, or of a Justice that may not be used now.

    A Justice must be of a seat in the game, lie ready, and follow an action of another seat that has just been
    finished; nothing is noted if it does.
    """
    seat = move.seat
    if type(move) is Nullify:
        draft.refuse(REACTION, "no card of another seat can be answered now")
    elif not draft.marks.is_in(seat):
        draft.refuse(REACTION, f"p{seat} is out")
    elif not draft.marks.ready[seat - 1]:
        draft.refuse(REACTION, f"no {NAMES[JUSTICE]} of p{seat} lies ready")
    elif not draft.finishers & ~(1 << seat):
        draft.refuse(REACTION, "no action of another seat has just been finished")
