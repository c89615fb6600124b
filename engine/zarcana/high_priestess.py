"""The High Priestess's extra turn; what she draws is drawn as for the Star."""

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import WORLD
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import DECK, Play
from cartulary.engine.zarcana.state import BY_DOPPELGANGER, BY_FOOL, BY_ITSELF, BY_WORLD


def grant_turn(draft: Draft, play: Play, card: int) -> None:
    """Grant one more turn, if a run of turns does not have one this way yet."""
    by = BY_FOOL if play.origin == DECK else BY_ITSELF
    if play.names:
        namer = play.names[-2] if len(play.names) > 1 else card
        by = BY_WORLD if namer == WORLD else BY_DOPPELGANGER
    run = draft.course.run | draft.again
    if by == BY_ITSELF and draft.course.extra:
        draft.refuse(
            clauses.HIGH_PRIESTESS, "This turn comes from the High Priestess, so T02 itself cannot be used in it"
        )
    elif by != BY_ITSELF and run & by:
        draft.refuse(clauses.HIGH_PRIESTESS, "T02 has been copied this way in this run of turns already")
    draft.again |= by
