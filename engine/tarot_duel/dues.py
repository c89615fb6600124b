"""What is due while an action goes on, and how a duel ends.

Due words come in their order; one is dropped where nobody can say it, or given up. A duel ends by suits, by points, by
the number of turns, or when only one seat can still draw.
"""

from msgspec.structs import replace

from cartulary.engine.contract import Outcome, won_by
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import has_slots
from cartulary.engine.tarot_duel.cards import points, whole_suits
from cartulary.engine.tarot_duel.clauses import DRAW_ONE, EFFECT, POINT_WIN, SUIT_WIN, TURN_LIMIT, WINNER, Rule
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.shuffles import shuffle
from cartulary.engine.tarot_duel.state import AFTER_CHALLENGE, IDLE, Act, Due, SkippedWords, State, due_sentence

# --- the end ---


ENDS = {rule.key: rule for rule in (SUIT_WIN, POINT_WIN, TURN_LIMIT, DRAW_ONE)}
"""The rules that end a game."""

_TWO_SUITS = 2 * points(bytes(range(14)))
"""The points of two suits, the least an area has that holds them."""


def check_win(draft: Draft) -> None:
    """End the game if a seat has two complete suits, or the points that win; of several, the first from the seat in
    turn on.

    Nothing changes otherwise. The points of areas with unseen cards are counted again first.
    """
    if draft.slots.pools:
        for seat, side in enumerate(draft.sides, 1):
            if has_slots(side.area + side.row):
                draft.count(draft.side(seat))
    total = draft.options.total
    least = total if 0 < total < _TWO_SUITS else _TWO_SUITS
    for side in draft.sides:
        if side.points >= least:
            _end_for_first(draft, total)
            return


def _end_for_first(draft: Draft, total: int) -> None:
    """End the game for the first seat, from the one in turn on, that has two whole suits or ``total`` points or more.

    If no seat has, nothing changes. Points win only for a seat that is still in the game, and never if ``total`` is 0.
    """
    for seat in draft.around(draft.turn):
        side = draft.sides[seat - 1]
        if whole_suits(side.area + side.row) > 1:
            end(draft, (seat,), SUIT_WIN, f"p{seat} has two complete suits")
            return
        if 0 < total <= side.points and draft.marks.is_in(seat):
            because = (
                f"p{seat}'s area has {how_many(side.points, 'point')}, and {how_many(total, 'is', 'are')} enough to win"
            )
            end(draft, (seat,), POINT_WIN, because)
            return


def end(draft: Draft, winners: tuple[int, ...], rule: Rule, because: str) -> None:
    """End the game: set the outcome, in which these winners share the win.

    Args:
        draft: The draft, which changes.
        winners: The seats that win.
        rule: The rule that ends the game.
        because: The reason, as a sentence without a full stop.
    """
    draft.outcome = Outcome(won_by(winners, draft.options.seats), rule.key, because)


def end_by_turns(draft: Draft) -> None:
    """End the game because all its turns have been played: the seat in the game with the area worth most wins.

    Several with the same points share the win.
    """
    worths = {seat: draft.sides[seat - 1].points for seat in draft.around(1) if draft.marks.is_in(seat)}
    best = max(worths.values())
    winners = tuple(seat for seat, worth in worths.items() if worth == best)
    end(draft, winners, TURN_LIMIT, f"{draft.turns} turns have been played, and {most_said(winners, best)}")


def most_said(winners: tuple[int, ...], best: int) -> str:
    """Return which seats have the area worth most, as a sentence: ``p1 and p3 have the areas worth most, 12 points
    each``.

    ``best`` is how many points that is.
    """
    *rest, last = (f"p{seat}" for seat in winners)
    worth = how_many(best, "point")
    if not rest:
        return f"{last} has the area worth most, {worth}"
    return f"{', '.join(rest)} and {last} have the areas worth most, {worth} each"


# --- words that are due ---


def refuse_owed(draft: Draft, due: Due) -> None:
    """Note the refusal of a word that is said in the place of one that is due: ``first p2 is to draw``. The word may
    stand.
    """
    draft.refuse(WINNER if due.what in AFTER_CHALLENGE else EFFECT, f"first {due_sentence(due)}")


def finish(draft: Draft) -> None:
    """End the current action, with nothing due any more.

    Its cards on the table go to the discard piles of their seats, and the seat whose action it was is added to
    ``finishers``.
    """
    act = draft.act
    for seat, card in act.table:
        draft.discard(seat, bytes((card,)))
    draft.finishers |= 1 << act.doer if act.doer else 0
    draft.due, draft.act = (), IDLE


def advance(draft: Draft, *due: Due) -> None:
    """Make these words due, without those in front that nobody can say; if none is left, the action is finished.

    A shuffle that comes first is carried out at once. When the action is finished it is looked up whether the game
    ends.

    Args:
        draft: The draft, which changes.
        due: All words that are due from now on, in order; they replace those due so far.
    """
    for at, head in enumerate(due):
        if head.what == "shuffle":
            shuffle(draft, head.other, head.count)
        elif not _is_void(draft, head):
            draft.due = due[at:]
            return
    finish(draft)
    check_win(draft)


def _is_void(draft: Draft, due: Due) -> bool:
    """Say whether a due word cannot be said any more: the deck or hand from which it takes cards is empty, or it draws
    none.

    A choice is void only if there is neither a card to draw nor one to lose.
    """
    if due.what in ("pick", "look", "swap", "answer"):
        return not draft.sides[due.other - 1].hand
    if due.what in ("draw", "mill"):
        return not due.count or not draft.sides[due.seat - 1].deck
    if due.what == "discard":
        return not draft.sides[due.seat - 1].hand
    if due.what == "choose":
        return not draft.sides[due.seat - 1].deck and not draft.sides[due.other - 1].hand
    return False


def serve(draft: Draft) -> None:
    """Take the first due word as said, and go on with the others (``advance``); nothing changes if none is due."""
    if draft.due:
        advance(draft, *draft.due[1:])


def skip(draft: Draft, count: int) -> None:
    """Note that another word came in the place of the first ``count`` due words.

    They are due no more, but each may still come until ``lapse``.
    """
    earlier = draft.skipped_words.due if draft.skipped_words is not None else ()
    draft.skipped_words = SkippedWords((*earlier, *draft.due[:count]), draft.act.doer, count == len(draft.due))
    draft.due = draft.due[count:]


def lapse(draft: Draft) -> None:
    """Forget the skipped words, so that none may come any more: a turn has ended, or another action begins."""
    draft.skipped_words = None


def words_skipped(state: State) -> tuple[Due, ...]:
    """Return the due words that were skipped and may come now, in order.

    There are none while an action waits for a word after another action was given up.
    """
    now = _unanswered(state)
    return () if now.skipped_words is None or (now.skipped_words.given_up and now.due) else now.skipped_words.due


def overdue(state: State, at: int) -> State:
    """Return the state in which a skipped word is due again.

    An action that was given up goes on with it.

    Args:
        state: The state.
        at: The index of the word in ``words_skipped``.
    """
    now = _unanswered(state)
    assert now.skipped_words is not None
    words, doer = now.skipped_words.due, now.skipped_words.doer
    before, due, behind = words[:at], replace(words[at], late=True), words[at + 1 :]
    if now.skipped_words.given_up:
        skipped_words, dues = before, (due, *behind)
    else:
        skipped_words, dues = before + behind, (due, *now.due)
    act = now.act if now.due else Act(doer)
    return replace(
        now, due=dues, act=act, skipped_words=SkippedWords(skipped_words, doer, False) if skipped_words else None
    )


def _unanswered(state: State) -> State:
    """Return the state as it is if nobody uses the open reaction window; the state itself if none is open."""
    while state.if_unanswered is not None:
        state = state.if_unanswered
    return state


def abandon(draft: Draft) -> None:
    """End an action before its due words have come; each of them may still come late.

    The decks of a challenge are shuffled, and the cards on the table go to the discard piles.
    """
    dues = draft.due
    skip(draft, len(dues))
    for due in dues:
        if due.what == "shuffle":
            shuffle(draft, due.other)
    finish(draft)
