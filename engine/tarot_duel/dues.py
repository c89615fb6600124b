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


def aim(draft: Draft) -> None:
    """End the game if an aim is reached; the seat in turn is asked first."""
    if draft.slots.pools:
        for seat, side in enumerate(draft.sides, 1):
            if has_slots(side.area + side.row):
                draft.count(draft.side(seat))
    total = draft.options.total
    least = total if 0 < total < _TWO_SUITS else _TWO_SUITS
    for side in draft.sides:
        if side.points >= least:
            _reach(draft, total)
            return


def _reach(draft: Draft, total: int) -> None:
    """End the game for the first seat from the one in turn on that has reached an aim; total: the points that win."""
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
    """End the game, the winners sharing it."""
    draft.ended = Outcome(won_by(winners, draft.options.seats), rule.key, because)


def at_the_limit(draft: Draft) -> None:
    """End the game by its number of turns."""
    worths = {seat: draft.sides[seat - 1].points for seat in draft.around(1) if draft.marks.is_in(seat)}
    best = max(worths.values())
    winners = tuple(seat for seat, worth in worths.items() if worth == best)
    end(draft, winners, TURN_LIMIT, f"{draft.turns} turns have been played, and {most_said(winners, best)}")


def most_said(winners: tuple[int, ...], best: int) -> str:
    """Return who has the area that is worth most, in words; of several seats, each has as many points."""
    *rest, last = (f"p{seat}" for seat in winners)
    worth = how_many(best, "point")
    if not rest:
        return f"{last} has the area worth most, {worth}"
    return f"{', '.join(rest)} and {last} have the areas worth most, {worth} each"


# --- words that are due ---


def refuse_owed(draft: Draft, due: Due) -> None:
    """Refuse a word that is said in the place of one that is due."""
    draft.refuse(WINNER if due.what in AFTER_CHALLENGE else EFFECT, f"first {due_sentence(due)}")


def finish(draft: Draft) -> None:
    """End the action going on: what lay on the table goes to the piles."""
    act = draft.act
    for seat, card in act.table:
        draft.discard(seat, bytes((card,)))
    draft.done |= 1 << act.doer if act.doer else 0
    draft.due, draft.act = (), IDLE


def advance(draft: Draft, *due: Due) -> None:
    """Let these words be due but for those nobody can say; with none left the action is finished."""
    for at, head in enumerate(due):
        if head.what == "shuffle":
            shuffle(draft, head.other, head.count)
        elif not _is_void(draft, head):
            draft.due = due[at:]
            return
    finish(draft)
    aim(draft)


def _is_void(draft: Draft, due: Due) -> bool:
    """Say whether a due word has lost its sense: an empty deck gives no card, an empty hand none either."""
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
    """Let the first due word be said, if one is due."""
    if draft.due:
        advance(draft, *draft.due[1:])


def skip(draft: Draft, count: int) -> None:
    """Let another word have come in the place of so many due ones; until ``lapse``, each may be said late."""
    earlier = draft.skipped.due if draft.skipped is not None else ()
    draft.skipped = SkippedWords((*earlier, *draft.due[:count]), draft.act.doer, count == len(draft.due))
    draft.due = draft.due[count:]


def lapse(draft: Draft) -> None:
    """Let nothing that was skipped be said any more: a turn has ended, or another action begins."""
    draft.skipped = None


def words_skipped(state: State) -> tuple[Due, ...]:
    """Return the words that were skipped and may come now: none while another action waits for a word."""
    now = _unanswered(state)
    return () if now.skipped is None or (now.skipped.given_up and now.due) else now.skipped.due


def overdue(state: State, at: int) -> State:
    """Return the state in which the skipped word of this number is due; an action that was given up goes on with it."""
    now = _unanswered(state)
    assert now.skipped is not None
    words, doer = now.skipped.due, now.skipped.doer
    before, due, behind = words[:at], replace(words[at], late=True), words[at + 1 :]
    if now.skipped.given_up:
        skipped_words, dues = before, (due, *behind)
    else:
        skipped_words, dues = before + behind, (due, *now.due)
    act = now.act if now.due else Act(doer)
    return replace(now, due=dues, act=act, skipped=SkippedWords(skipped_words, doer, False) if skipped_words else None)


def _unanswered(state: State) -> State:
    """Return the state once the window has closed, if one is open."""
    while state.then is not None:
        state = state.then
    return state


def abandon(draft: Draft) -> None:
    """Let an action end as it stands, the decks of a challenge shuffled."""
    dues = draft.due
    skip(draft, len(dues))
    for due in dues:
        if due.what == "shuffle":
            shuffle(draft, due.other)
    finish(draft)
