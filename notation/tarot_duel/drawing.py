"""A duel drawn: what is due, then each seat's deck, hand, area by suit, face-down row and discard pile."""

from cartulary.engine.tarot_duel import State
from cartulary.engine.tarot_duel.cards import KINDS, NAMES, name_of
from cartulary.engine.tarot_duel.shuffles import settle
from cartulary.engine.tarot_duel.views import view
from cartulary.notation.drawing import Drawing
from cartulary.notation.laying import Table
from cartulary.notation.tarot_duel.picture import by_suit, facts, heading, standing, top


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table as the seat sees it, 0 the bystander, None for all the record knows."""
    visible, table = state if seat is None else view(state, seat), Table()
    now = settle(visible)
    table.say(heading(visible, now))
    if visible.act.chain:
        table.say("on the table, and may be answered")
        for owner, card in visible.act.chain:
            table.put(NAMES[card], "last", f"{NAMES[card]} played by p{owner}", corner=f"p{owner}", of=f"p{owner}")
        table.end()
    for owner in range(1, now.house.seats + 1):
        _seat(table, visible, owner)
    return table.drawn()


def _seat(table: Table, state: State, owner: int) -> None:
    side, who = state.sides[owner - 1], f"p{owner}"
    table.say(f"{'> ' if owner == state.turn else ''}{who}  {'  '.join(facts(state, owner))}")
    if names := top(state, owner):
        table.say("  top of the deck")
        table.lay(names, f"{who} deck", f"on top of {who}'s deck", of=who)
    hand = [NAMES[card] for card in sorted(side.hand) if card < KINDS]
    table.say("  hand")
    table.lay(hand, f"{who} hand", f"in {who}'s hand", len(side.hand) - len(hand), who)
    for suit, cards in by_suit(side):
        table.say(f"  area, {suit}")
        table.lay([standing(code) for code in cards], who, f"in {who}'s area", of=who)
    if side.row:
        table.say("  face down")
        for at, code in enumerate(side.row, 1):
            table.put(standing(code), f"{who} row", f"a{at}, {standing(code)}, face down", corner=f"a{at}", of=who)
        table.end()
    if side.pile:
        table.say(f"  discards {len(side.pile)}, on top")
        table.lay([name_of(side.pile[-1])], f"{who} pile", f"on {who}'s discards", of=who)
