"""What the board is worth to each seat, how the game ends, and the words that are said then."""

from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.contract import Outcome, won_by
from cartulary.engine.readings import agreed, states_of
from cartulary.engine.slots import possible
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import VALUE
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import Final, Reveal
from cartulary.engine.zarcana.place_names import owner_of
from cartulary.engine.zarcana.state import CODE, CURSED, Course, State
from cartulary.engine.zarcana.wheel import show


def is_over(state: State) -> bool:
    """Say whether every seat has had its last turn and nothing is owed, in every reading."""
    return _is_done(state.course) and all(map(is_over, state.others))


def _is_done(course: Course) -> bool:
    return bool(course.final) and not course.left and not course.owed


def holdings(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return (seat, least, most) of every card that counts for a seat: what it may be worth; by place."""
    rows = []
    for place in sorted(state.men):
        men, stack = state.men[place], state.cards.get(place)
        if stack is not None and owner_of(men[0]) == owner_of(men[-1]):
            rows.append((owner_of(men[0]), *worth(state, stack[-1])))
    return tuple(rows)


def worth(state: State, entry: int) -> tuple[int, int]:
    """Return what a card on the board may count at least and at most."""
    if entry & CURSED:
        return 0, 0
    may = [VALUE[card] for card in cards_of(possible(state.unseen.slots, entry & CODE))]
    return min(may, default=0), max(may, default=0)


def bounds(state: State) -> tuple[tuple[int, int], ...]:
    """Return the least and the most each seat's cards may come to, in any reading."""
    if state.others:
        seats = list(zip(*map(bounds, states_of(state)), strict=True))
        return tuple((min(least for least, _ in seat), max(most for _, most in seat)) for seat in seats)
    least, most = [0] * state.house.seats, [0] * state.house.seats
    for seat, low, high in holdings(state):
        least[seat - 1] += low
        most[seat - 1] += high
    return tuple(zip(least, most, strict=True))


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, None while it goes on and while cards that lie face down may decide it."""
    if not is_over(state):
        return None
    if state.others:
        return agreed(map(outcome, states_of(state)))
    points = bounds(state)
    best = max(least for least, _ in points)
    first = [seat for seat, (_, most) in enumerate(points, 1) if most >= best]
    if len(first) > 1:
        if any(points[seat - 1] != (best, best) for seat in first):
            return None
        if state.house.highest:
            first = _highest(state, first)
            if not first:
                return None
    winners = " and ".join(f"p{seat}" for seat in first) + (" has" if len(first) == 1 else " have")
    return Outcome(
        won_by(first, state.house.seats), "zarcana.final", f"The last round is over, and {winners} the highest score"
    )


def _highest(state: State, tied: list[int]) -> list[int]:
    """Return those of the tied seats whose best card is the highest, one of 0 too; nobody where that is not known."""
    best = dict.fromkeys(tied, -1)
    for seat, low, high in holdings(state):
        if low != high:
            return []
        if seat in best:
            best[seat] = max(best[seat], low)
    return [seat for seat in tied if best[seat] == max(best.values())]


# --- words that end it, or come after ---


def declare(draft: Draft, move: Final) -> None:
    """Declare the last round, once there has been a shuffle."""
    if draft.course.final:
        draft.refuse(clauses.FINAL, f"p{draft.course.final} has already declared the last round")
        return
    if not draft.course.shuffled:
        draft.refuse(clauses.FINAL, "The discards have not yet been shuffled into a new deck")
    draft.course = replace(draft.course, final=draft.seat, left=draft.state.house.seats + 1)


def block_late(draft: Draft) -> None:
    """Block a word said after the last turn."""
    if _is_done(draft.course):
        draft.block(clauses.OVER, "Every seat has had its turn in the last round")


def reveal(draft: Draft, move: Reveal) -> State:
    """Return the state once the table has shown cards that lay face down at the end."""
    if not _is_done(draft.course):
        draft.refuse(clauses.TURN, "Cards that lie face down are shown when the last round is over")
    show(draft, move)
    return draft.now(draft.state.turn, 1)
