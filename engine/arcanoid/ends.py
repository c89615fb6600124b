"""How a round and a game end: who has won the fields, and who has won most."""

from cartulary.engine.arcanoid import clauses, face_down
from cartulary.engine.arcanoid.cards import FIELDS, SUITED
from cartulary.engine.arcanoid.claims import unanswered
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.round import begin
from cartulary.engine.arcanoid.sets import ABDICATED, strength
from cartulary.engine.arcanoid.state import Commitment
from cartulary.engine.contract import Outcome, won_by
from cartulary.engine.numbers import how_many


def winners(draft: Draft) -> tuple[int, ...]:
    """Return the seats that have won the fields of the round, s w c d."""
    seats = draft.house.seats
    sides = [(at % seats + 1, side.fields) for at, side in enumerate(draft.sides) if side.plays or any(side.fields)]
    sides += draft.gone
    return tuple(
        max(((_strength(draft, there[field], field), seat) for seat, there in sides), key=lambda pair: pair[0])[1]
        for field in range(len(FIELDS))
    )


def _strength(draft: Draft, there: Commitment | None, field: int) -> tuple[int, ...]:
    if there is None:
        return (-1,)
    kind = there.kind if there.kind >= 0 else ABDICATED
    return strength(kind, there.cards, field, draft.house.tie, there.time)


def score(draft: Draft) -> None:
    """Count the fields of a round that is over, and begin the next one or end the game."""
    for who, field in face_down.lying(draft):
        face_down.unread(draft, draft.peek(who).fields[field])
    draft.unread += tuple(question for ledger in draft.doubts for question in unanswered(ledger))
    draft.doubts = ()
    draft.wins += winners(draft)
    draft.told = None
    if draft.round >= draft.house.rounds:
        tallies = tallied(draft.wins, draft.house.seats)
        best = max(tallies)
        if tallies.count(best) == 1:
            seat = tallies.index(best) + 1
            because = f"p{seat} has won {how_many(best[0], 'field')} in {how_many(draft.round, 'round')}"
            because += _level(tallies, best)
            draft.ended = Outcome(won_by((seat,), draft.house.seats), clauses.FINISHED.key, because)
            draft.dues = []
            return
    draft.round += 1
    draft.lap += 1
    begin(draft)


def _level(tallies: list[tuple[int, ...]], best: tuple[int, ...]) -> str:
    """Return what decides where others have won as many fields, empty where nobody has."""
    rival = max(tally for tally in tallies if tally != best)
    if rival[0] < best[0]:
        return ""
    suit = next(at for at in range(1, len(best)) if best[at] != rival[at])
    return f"; p{tallies.index(rival) + 1} has as many, but fewer {SUITED[suit - 1]} fields"


def tallied(wins: tuple[int, ...], seats: int) -> list[tuple[int, ...]]:
    """Return for each seat its fields, and those of each suit: the order in which the game is decided."""
    return [
        (wins.count(seat), *(wins[field::4].count(seat) for field in range(len(FIELDS))))
        for seat in range(1, seats + 1)
    ]
