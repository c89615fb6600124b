"""What Tarot answers about hidden cards when somebody asks: exactly, from every deal that fits what is known."""

from collections.abc import Iterator

from cartulary.engine.cards import DECK, cards_of, set_of
from cartulary.engine.contract import NOTHING_PENDING, Breach, Need, Open, Pending, Refused
from cartulary.engine.hidden import Question, broken, deciding_ply, holds_any, misfit, readings, together
from cartulary.engine.tarot.knowledge import (
    SEC,
    as_read,
    decided,
    hands,
    one_of,
    place_of,
    places_of,
    put_away,
    sec_by,
    told_why,
)
from cartulary.engine.tarot.state import State, joined


def exact(state: State, opened: Open) -> Refused | Open | None:
    """Return the answer to a question from every deal that fits, where the clause has only counted.

    A question of the discards stays open: where they lie is not told before they are put away.
    """
    if opened.clause.key == SEC or state.phase not in ("call", "play"):
        return opened
    places, read = places_of(state), as_read(hands(state)[0])
    if misfit(places, read):
        return opened
    kept: tuple[Need, ...] = ()
    for need in opened.needs:
        place, cards = place_of(state.house, need), set_of(need.slots)
        holds = holds_any(places, read, place, cards)
        if holds:
            some = joined(cards & state.can[place], "or")
            return Refused(f"{place_said(state, place)} {some}, or more than one of them, on every deal that fits")
        if holds is None:
            kept += (need,)
    return Open(kept, opened.asks, opened.clause) if kept else None


def place_said(state: State, place: int) -> str:
    """Return who a place makes the holder: ``p2 holds``, ``p4 has put away``."""
    if place != state.house.aside:
        return f"p{place + 1} holds"
    return f"p{state.round.taker} has put away" if put_away(state) else "the chien holds"


def known(state: State, need: Need) -> str:
    """Say what is known by now of the cards a question turns on; nothing once their deal is over."""
    if need.ply <= state.round.since:
        return ""
    place, cards = place_of(state.house, need), set_of(need.slots)
    can, sure = hands(state)
    held, may = sure[place] & cards, can[place] & cards
    who, said = need.place, ("held", "may have held", "held none of them")
    if place == state.house.aside:
        who = "the chien"
        if put_away(state):
            who, said = f"p{state.round.taker}", ("put away", "may have put away", "put away none of them")
    if held:
        return f"{who} {said[0]} {joined(held)}"
    return f"{who} {said[1]} {joined(may, 'or')}" if may else f"{who} {said[2]}"


def whereabouts(state: State) -> tuple[tuple[int, int], ...]:
    """Return (cards, places) for all cards nobody has played, those that may lie in the same places together; exact."""
    places, read = places_of(state), as_read(hands(state)[0])
    left = DECK & ~state.played
    fits = not misfit(places, read)
    alike: dict[int, int] = {}
    for card in cards_of(left):
        alike[read[card]] = alike.get(read[card], 0) | 1 << card
    found: dict[int, int] = {}
    for reading, cards in alike.items():
        card = (cards & -cards).bit_length() - 1
        may = [p for p in range(len(places.sizes)) if reading >> p & 1]
        if fits and len(may) > 1:
            may = [p for p in may if not misfit(places, read | {card: 1 << p})]
        mask = sum(1 << p for p in may)
        found[mask] = found.get(mask, 0) | cards
    fewest = sorted(found.items(), key=lambda pair: (pair[0].bit_count(), pair[0]))
    return tuple((cards, mask) for mask, cards in fewest)


def pending(state: State) -> Pending:
    """Return what is open and what is proved if the record ends here."""
    if not state.questions:
        return Pending(state.round.left) if state.round.left else NOTHING_PENDING
    late = tuple(_settled_late(state))
    found = {breach.plies[0] for breach in (*state.found, *late)}
    return Pending((*state.round.left, *_open_questions(state, found)), (*late, *_clashes(state, found)))


def _open_questions(state: State, found: set[int]) -> tuple[tuple[int, str], ...]:
    places = places_of(state)
    read = readings(places, state.facts)
    fits = not misfit(places, read)
    still: list[tuple[int, str]] = []
    implied: dict[int, int] = {}
    for asked in state.questions:
        if asked.ply in found or asked.key == SEC or asked.refused:
            continue
        new = asked.cards & ~implied.get(asked.place, 0)
        holds = holds_any(places, read, asked.place, asked.cards) if fits else None
        if new and holds is None and asked.cards & state.can[asked.place]:
            still.append((asked.ply, asked.key))
        implied[asked.place] = implied.get(asked.place, 0) | asked.cards
    return tuple(dict.fromkeys(still))


def _clashes(state: State, found: set[int]) -> tuple[Breach, ...]:
    """Return the open plies that cannot all have been legal though each alone could; nothing is decided of one."""
    asked = tuple(one for one in state.questions if one.key != SEC and not one.refused and one.ply not in found)
    clash = together(places_of(state), state.facts, asked) if asked else ()
    plies = tuple(sorted({one.ply for one in clash}))
    if len(plies) < 2:
        return ()
    listed, both = ", ".join(map(str, plies[:-1])), "both" if len(plies) == 2 else "all"
    because = f"no deal leaves plies {listed} and {plies[-1]} {both} legal, though each of them alone may have been"
    last = max(clash, key=lambda one: one.ply)
    decided = deciding_ply(places_of(state), state.facts, [last, *clash])
    return (Breach(plies, clash[0].key, because, decided or state.ply),)


def _settled_late(state: State) -> Iterator[Breach]:
    """Yield the plies that no deal leaves legal, though counting has not shown it; under their first broken rule."""
    found = {breach.plies[0] for breach in state.found}
    left = [asked for asked in state.questions if asked.ply not in found]
    places = places_of(state)
    for one in left:
        if one.key == SEC and sec_by(state, one.place, None):
            yield Breach((one.ply,), SEC, told_why(state, one), decided(state, one))
    for ply in dict.fromkeys(asked.ply for asked in left if asked.key != SEC):
        asked = [one for one in state.questions if one.ply == ply and one.key != SEC]
        when = deciding_ply(places, state.facts, asked)
        if when is not None:
            alone = next((one for one in asked if broken(places, state.facts, [one])), None)
            if alone is None and asked[0].refused:
                continue
            because = told_why(state, alone) if alone else _either(state, asked)
            yield Breach((ply,), (alone or asked[0]).key, because, when)


def _either(state: State, asked: list[Question]) -> str:
    """Return why a ply broke one of several rules, where none of them can be named."""
    cards = set_of(card for one in asked for card in cards_of(one.cards & state.can[one.place]))
    return f"p{asked[0].place + 1} held {one_of(cards)}, which it owed before its card"
